"""Positions in a few lines: the Python twin of `hexwar.position`, with real steps and scripted dice."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hexwar import facade
from hexwar.engine import Game, RandomSource, Ruleset, SeededChance, Sequencing, State, Step, TapedChance, World, plain
from hexwar.errors import HexwarError
from hexwar.files import toml_key, toml_value
from hexwar.testing._running.subject import Subject
from hexwar.testing._staging.dice import Lot, ScriptedDice


def position(
    ruleset: str | Ruleset,
    *,
    units: Mapping[str, str | Mapping[str, object]] | None = None,
    step: Step | Sequence[Step] | None = None,
    dice: Iterable[int | Lot] | RandomSource | None = None,
    scenario: str | None = None,
    options: Mapping[str, bool | str] | None = None,
    board: str | None = None,
    seed: int | str = 0,
    state: Mapping[str, Any] | None = None,
    **fields: Any,
) -> Game:
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
    if board is not None and not subject.installed:
        raise HexwarError(f"{subject.info.id} is not installed, so it cannot be given another board")
    return read_position(subject, position_text(subject, values, stack, places, board=board), source, seed=seed)


def read_position(subject: Subject, text: str, dice: RandomSource | None = None, *, seed: int | str = 0) -> Game:
    """A game that begins in a position, from its text; also of a ruleset that is not installed.

    Args:
        subject: what is played; the text names it too.
        text: as `position_text` writes it.
        dice: a source of chance; otherwise the seed's dice.
        seed: for dice that are not given.
    """
    if subject.installed:
        return facade.position(text, seed=seed, chance=dice)
    rules, world, data = subject.ruleset, subject.world, tomllib.loads(text)
    waiting = {"stack": data["stack"]} if "stack" in data else {}
    units = {unit: {"at": entry} if isinstance(entry, str) else entry for unit, entry in data.get("units", {}).items()}
    state = made_state(rules, world, {**data.get("state", {}), **waiting}, units)
    return Game(rules, world, state, SeededChance(seed) if dice is None else TapedChance(dice), source=text)


def made_state(rules: Ruleset, world: World, values: Mapping[str, Any], units: Mapping[str, Mapping[str, object]]) -> State:
    """The state of a position: fields as JSON data, the stack among them, and units as `Ruleset.place` takes them."""
    state: State = rules.bare(world).with_json(values, rules.step_types)
    if units:
        rules.place(world, state, units)
    return state


def _stack(step: Step | Sequence[Step] | None) -> list[Any]:
    if step is None:
        return []
    steps = [step] if isinstance(step, Step) else list(step)
    if steps and not isinstance(steps[0], Sequencing):
        steps.insert(0, Sequencing())
    return [waiting.to_json() for waiting in steps]


def position_text(
    subject: Subject,
    values: Mapping[str, Any],
    stack: Sequence[Any],
    units: Mapping[str, Mapping[str, object]],
    *,
    board: str | None = None,
    seats: Mapping[str, str] | None = None,
) -> str:
    """A position as `hexwar.position` reads it, so that a game that began here can be saved.

    Args:
        subject: what is played.
        values: fields of the state, as plain JSON data.
        stack: the steps that wait, as JSON data.
        units: unit -> what `Ruleset.place` takes.
        board: the text of a map, its id or its file, in place of the scenario's.
        seats: seat -> side, where a side has several players.
    """
    placed = {unit: entry["at"] if set(entry) == {"at"} else entry for unit, entry in units.items()}
    tables = {"options": subject.options, "seats": seats, "units": placed, "state": values}
    lines = [f"ruleset = {toml_value(subject.info.id)}", f"scenario = {toml_value(subject.scenario)}"]
    lines += [f"board = {toml_value(board)}"] if board is not None else []
    if len(stack) > 1:
        lines += ["stack = [", *(f"    {toml_value(step)}," for step in stack), "]"]
    elif stack:
        lines.append(f"stack = {toml_value(stack)}")
    for name, table in tables.items():
        if table:
            lines += ["", f"[{name}]", *(f"{toml_key(str(key))} = {toml_value(value)}" for key, value in table.items())]
    return "\n".join(lines) + "\n"


def to_toml(table: Mapping[str, Any]) -> str:
    """A table as TOML, a key a line; what TOML cannot say (null) is left out."""
    return "".join(f"{toml_key(key)} = {toml_value(value)}\n" for key, value in without_none(table).items())


def without_none(value: Any) -> Any:
    """JSON data without what is None, which TOML cannot say."""
    if isinstance(value, Mapping):
        return {key: without_none(item) for key, item in value.items() if item is not None}
    return [without_none(item) for item in value if item is not None] if isinstance(value, list) else value
