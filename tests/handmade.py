"""What hand-made positions of any ruleset need: chance that was agreed beforehand, and values as TOML."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import hexwar
from hexwar.engine import Game, Step
from hexwar.mechanics import Move
from hexwar.testing import to_toml


class Script:
    """Chance that was agreed beforehand: what each die shows, and the number of each lot that is drawn, from 1."""

    def __init__(self, *outcomes: int) -> None:
        self.outcomes = list(outcomes)

    def randrange(self, stop: int, /) -> int:
        assert self.outcomes, f"a draw of one in {stop} was not agreed"
        return self.outcomes.pop(0) - 1


def by(game: Game, unit: str, to: str, *hexes: str, mode: str = "") -> Move:
    """A move by some hexes that its owner chooses, the cheapest way between them."""
    return Move(unit, to, mode, tuple(game.world.reaches.way(game.position, unit, to, mode, hexes)))


def handmade(
    ruleset: str,
    units: Mapping[str, str],
    steps: Iterable[Step],
    *,
    board: str,
    path: Iterable[int],
    state: Mapping[str, Any],
    scenario: str,
    chance: Iterable[int] = (),
    reduced: Iterable[str] = (),
    options: Mapping[str, bool | str] | None = None,
    seats: Mapping[str, str] | None = None,
) -> Game:
    """A game in a hand-made position.

    Args:
        ruleset: whose game.
        units: unit -> hex or box.
        steps: what waits, the current step last.
        board: a map as text, "" for the scenario's own board.
        path: where in the sequence of play the game goes on after the steps.
        state: other fields of the state.
        scenario: whose counters and numbers are used.
        chance: dice and lots, see `Script`.
        reduced: units that have lost a step.
        options: options that are on.
        seats: seat -> side, for many players.
    """
    stack = [{"kind": "sequencing", "path": list(path)}, *(step.to_json() for step in steps)]
    weak = set(reduced)
    counters = {unit: {"at": label, **({"steps": 1} if unit in weak else {})} for unit, label in units.items()}
    tables: dict[str, Any] = {"scenario": scenario, "options": dict(options or {}), "units": counters}
    if seats:
        tables["seats"] = seats
    tables |= {"state": state, "stack": stack}
    head = {"ruleset": ruleset, "board": board} if board else {"ruleset": ruleset}
    return hexwar.position(to_toml({**head, **tables}), chance=Script(*chance))
