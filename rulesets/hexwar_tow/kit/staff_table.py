"""The table of the staff: small positions made by hand, for the drills of the staff.

The field (`hexwar_tow.kit.ground`) is all clear unless a drill says otherwise. The Axis source is 0701 in the west, the Soviet
one 0720 in the east.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from hexwar.engine import Action, Game, SeededChance, Sequencing, Step, TapedChance, plain
from hexwar.testing import ScriptedDice, position
from hexwar.testing.drills import same
from hexwar_tow.kit.ground import ground, neighbours

ROWS, COLUMNS = 14, 20

SET_UP, LUFTWAFFE, OPENING, SELECTION, END, NEXT = (0,), (1, 0), (1, 1), (1, 2), (1, 4), (1, 5)
PUTTING_IN, DRAW, CHIT, MOVEMENT, COMBAT, MOVEMENT_AFTER = ((1, 3, number) for number in range(6))
"""Where a position goes on in the sequence of play."""


# -- maps ---------------------------------------------------------------------------------------------------------------------


PLAIN = ground()


def rim(label: str) -> list[str]:
    """The six hexsides of a hex in the middle of the field."""
    return [f"{label}|{near}" for near in neighbours(label)]


def within(label: str, hexes: int) -> set[str]:
    """The hexes of the field that are so near, ring by ring."""
    found = {label}
    for _ in range(hexes):
        found |= {near for here in found for near in neighbours(here)}
    return {here for here in found if 1 <= int(here[:2]) <= ROWS and 1 <= int(here[2:]) <= COLUMNS}


def everywhere() -> set[str]:
    """All hexes of the field."""
    return {f"{row:02}{column:02}" for row in range(1, ROWS + 1) for column in range(1, COLUMNS + 1)}


# -- positions ------------------------------------------------------------------------------------------------------------------


_WORLDS: dict[Any, Game] = {}
"""Board, scenario and options -> the first game with them, while somebody keeps worlds."""
_KEEPING: list[bool] = []


@contextmanager
def worlds_kept() -> Iterator[None]:
    """Within the block, positions on the same map share their world: to make one takes longer than a drill."""
    _KEEPING.append(True)
    try:
        yield
    finally:
        _KEEPING.pop()
        _WORLDS.clear()


def stage(
    units: Mapping[str, str],
    *steps: Step,
    board: str | None = PLAIN,
    scenario: str = "campaign",
    dice: Iterable[Any] | None = None,
    reduced: Iterable[str] = (),
    options: Mapping[str, bool | str] | None = None,
    path: tuple[int, ...] = SELECTION,
    **state: Any,
) -> Game:
    """A game in a position made by hand.

    Args:
        units: unit -> hex or box.
        steps: what waits, the current step last.
        board: a map, as `field` makes it; None for the scenario's own.
        scenario: whose counters and numbers are used.
        dice: what will be rolled and drawn; None for the dice of a seed.
        reduced: units that have lost a step.
        options: options that are on.
        path: the phase with which the sequence of play goes on after the steps; by default the selection.
        state: other fields of the state; it is turn 2 unless they say otherwise.
    """
    counters = {unit: {"at": label, **({"steps": 1} if unit in reduced else {})} for unit, label in units.items()}
    values = {"turn": 2, "phase": "movement", **state}
    waiting = [Sequencing(path), *steps]
    known = _WORLDS.get((board, scenario, repr(options)))
    if known is not None:
        return _again(known, counters, waiting, dice, values)
    game = position("tow", units=counters, step=waiting, dice=dice, scenario=scenario, options=options, board=board, state=values)
    if _KEEPING:
        _WORLDS[board, scenario, repr(options)] = game
    return game


def _again(
    known: Game,
    counters: Mapping[str, Mapping[str, object]],
    steps: Iterable[Step],
    dice: Iterable[Any] | None,
    values: Mapping[str, Any],
) -> Game:
    """Another position in the world of a game."""
    rules, world = known.ruleset, known.world
    told = {name: plain(value) for name, value in values.items()}
    state = rules.bare(world).with_json({**told, "stack": [step.to_json() for step in steps]}, rules.step_types)
    if counters:
        rules.place(world, state, counters)
    return Game(rules, world, state, SeededChance(0) if dice is None else TapedChance(ScriptedDice(dice)))


def offers(game: Game, kind: type[Action], name: str, seat: str | None = None) -> set[Any]:
    """What the actions of a kind are about; nothing if nobody is asked."""
    if not game.to_move:
        return set()
    return {getattr(action, name) for action in game.legal_actions(seat or game.to_move[0]) if isinstance(action, kind)}


def waits(game: Game, kind: type[Any]) -> list[Any]:
    """The steps of a kind that wait."""
    return [step for step in game.state.stack if isinstance(step, kind)]


def happened(game: Game, kind: type[Any]) -> list[Any]:
    """The events of a kind so far."""
    return [event for event in game.events if isinstance(event, kind)]


def crossings(number: int) -> list[str]:
    """So many crossing points that the Soviets have; which hexes they are does not matter."""
    return [f"14{column:02}" for column in range(1, number + 1)]


def points(game: Game) -> dict[str, float]:
    """Clause -> the points of the Soviets as the game counts them."""
    found: dict[str, float] = {}
    for item in game.query.score():
        same("13.2.2", "the side that scores", item.side, "soviet")
        found[item.clause] = found.get(item.clause, 0) + item.points
    return found
