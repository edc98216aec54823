"""Positions in a few lines: the Python twin of `hexwar.position`, with real steps and scripted dice."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hexwar import facade
from hexwar.engine import Game, RandomSource, Ruleset, SeededChance, Sequencing, Step, TapedChance, plain
from hexwar.errors import HexwarError
from hexwar.testing.dice import Lot, ScriptedDice
from hexwar.testing.subject import Subject


def position(
    ruleset: str | Ruleset[Any, Any],
    *,
    units: Mapping[str, str | Mapping[str, object]] | None = None,
    step: Step[Any, Any] | Sequence[Step[Any, Any]] | None = None,
    dice: Iterable[int | Lot] | RandomSource | None = None,
    scenario: str | None = None,
    options: Mapping[str, bool | str] | None = None,
    board: str | None = None,
    seed: int | str = 0,
    state: Mapping[str, Any] | None = None,
    **fields: Any,
) -> Game[Any, Any]:
    """A game that begins in a hand-made position.

    Args:
        ruleset: the id of an installed ruleset, or the object of one.
        units: unit -> hex, or what `Ruleset.place` takes: {"at": "0304", "steps": 1}.
        step: what is being decided, or several steps with the current one last. The sequence of play waits below: once they
            are done it begins from its start, unless the first of several steps is a `Sequencing` of your own.
        dice: what will be rolled, as `ScriptedDice` takes it, or a source of chance; otherwise the seed's dice.
        scenario: the ruleset's first if not given.
        options: optional rules.
        board: the text of a map, its id or its file, in place of the scenario's.
        seed: for dice that are not scripted.
        state: fields of the state whose names are taken by other arguments.
        **fields: fields of the state, such as `turn=2`.

    Raises:
        ContentError: for an installed ruleset, naming what is wrong with the position.
    """
    subject = Subject.of(ruleset, scenario, options)
    values: dict[str, Any] = {name: plain(value) for name, value in {**(state or {}), **fields}.items()}
    stack = _stack(step)
    places = {unit: {"at": entry} if isinstance(entry, str) else dict(entry) for unit, entry in (units or {}).items()}
    source = dice if dice is None or isinstance(dice, RandomSource) else ScriptedDice(dice)
    if subject.installed:
        return facade.position(_toml(subject, values, stack, places, board), seed=seed, chance=source)
    if board is not None:
        raise HexwarError(f"{subject.info.id} is not installed, so it cannot be given another board")
    rules, world = subject.ruleset, subject.world
    made = rules.bare(world).with_json({**values, **({"stack": stack} if stack else {})}, rules.step_types)
    if places:
        rules.place(world, made, places)
    return Game(rules, world, made, SeededChance(seed) if source is None else TapedChance(source))


def _stack(step: Step[Any, Any] | Sequence[Step[Any, Any]] | None) -> list[Any]:
    if step is None:
        return []
    steps = [step] if isinstance(step, Step) else list(step)
    if steps and not isinstance(steps[0], Sequencing):
        steps.insert(0, Sequencing())
    return [waiting.to_json() for waiting in steps]


def _toml(subject: Subject, values: Mapping[str, Any], stack: list[Any], units: Mapping[str, Any], board: str | None) -> str:
    """The position as `hexwar.position` reads it, so that a game that began here can be saved."""
    tables = {"options": subject.options, "units": units, "state": values}
    lines = [f"ruleset = {_value(subject.info.id)}", f"scenario = {_value(subject.scenario)}"]
    lines += [f"board = {_value(board)}"] if board is not None else []
    lines += [f"stack = {_value(stack)}"] if stack else []
    for name, table in tables.items():
        if table:
            lines += ["", f"[{name}]", *(f"{_value(str(key))} = {_value(value)}" for key, value in table.items())]
    return "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_value(str(key))} = {_value(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    if value is None:
        raise ValueError("a field of a position cannot be None: leave it out")
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
