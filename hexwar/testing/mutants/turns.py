"""Bugs of chits, arrivals, control and victory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import hexwar.mechanics.arrival
from hexwar.engine import Play
from hexwar.mechanics import (
    Arriving,
    ChitDrawn,
    ChitState,
    ChitWorld,
    ControlTaken,
    CupFilled,
    HexState,
    Score,
    Selecting,
    enter_hexes,
    total,
)
from hexwar.testing.mutants.catalogue import HEXES, Condition, Parts, bug
from hexwar.testing.mutation import Patch

CHITS = Condition("it has no chits", lambda parts: parts.has_step(Selecting))
NUMBER = Condition("its sides select no fixed number of chits", lambda parts: not parts.overrides("selectable", ChitWorld))
COMMON = Condition("no chits are in every cup", lambda parts: bool(parts.world.common_chits(parts.game.position)))
ARRIVAL = Condition("it has no arrival of the mechanics", lambda parts: parts.has_step(Arriving))
PLACES = Condition("nothing is controlled", lambda parts: parts.is_hex_game and bool(parts.world.controlled))
POINTS = Condition("it does not add up points as the mechanics do", lambda parts: parts.uses(total))

# -- chits -----------------------------------------------------------------------------------------------------------------


@bug("chit-selected-twice", "A chit that is selected may be selected again.", CHITS, NUMBER, likely="chits-are-kept")
def _(patch: Patch, parts: Parts) -> None:
    def selectable(original: Any, self: ChitWorld, at: Any, side: str) -> tuple[str, ...]:
        return self.chits_to_choose(at, side)[1] if original(self, at, side) else ()

    patch.wrap(parts.world_type, "selectable", selectable)


@bug("chit-too-many", "A side selects one chit more than it should.", CHITS, NUMBER, likely="chits-are-kept")
def _(patch: Patch, parts: Parts) -> None:
    def choose(original: Any, self: ChitWorld, at: Any, side: str) -> tuple[int, tuple[str, ...]]:
        number, chits = original(self, at, side)
        return number + 1, chits

    patch.wrap(parts.world_type, "chits_to_choose", choose)


@bug("chit-stays-in-the-cup", "A chit that was drawn stays in the cup.", CHITS, likely="chits-are-kept")
def _(patch: Patch, parts: Parts) -> None:
    def drawn(original: Any, self: ChitDrawn, state: ChitState) -> None:
        cup = state.cup
        original(self, state)
        state.cup = cup

    patch.wrap(ChitDrawn, "apply", drawn)


@bug("chit-lost", "One of the selected chits does not come into the cup.", CHITS, likely="chits-are-kept")
def _(patch: Patch, parts: Parts) -> None:
    def filled(original: Any, self: CupFilled, state: ChitState) -> None:
        original(self, state)
        state.cup = state.cup[1:]

    patch.wrap(CupFilled, "apply", filled)


@bug("common-chits-forgotten", "The chits that are in every cup are not.", CHITS, COMMON, likely="chits-are-kept")
def _(patch: Patch, parts: Parts) -> None:
    patch.wrap(parts.world_type, "common_chits", lambda original, self, at: ())


@bug("one-side-is-not-asked", "The cup is filled when the first side has selected.", CHITS, likely="chits-are-kept")
def _(patch: Patch, parts: Parts) -> None:
    patch.wrap(Selecting, "deciders", lambda original, self, at: () if at.state.ready else original(self, at)[:1])


# -- arrivals --------------------------------------------------------------------------------------------------------------


def _by_reasons(patch: Patch) -> None:
    """The open hexes are those against which no reason is found."""

    def open_hexes(original: Any, self: Arriving, at: Any, unit: str) -> Iterator[str]:
        return (label for label in self.hexes if self.why_closed(at, unit, label) is None)

    patch.wrap(Arriving, "open_hexes", open_hexes)


@bug("arrival-in-zones", "Reinforcements arrive in enemy zones.", ARRIVAL, likely=("arrivals-are-right", "staged-games-agree"))
def _(patch: Patch, parts: Parts) -> None:
    _by_reasons(patch)
    patch.wrap(hexwar.mechanics.arrival, "in_enemy_zone", lambda original, at, side, label: False)


@bug("stacking-forgotten-on-arrival", "Reinforcements arrive in full hexes.", ARRIVAL, likely="arrivals-are-right")
def _(patch: Patch, parts: Parts) -> None:
    _by_reasons(patch)
    patch.wrap(hexwar.mechanics.arrival, "has_room", lambda original, at, unit, label: True)


@bug("reinforcements-stay-away", "Only one of the reinforcements of a turn may come.", ARRIVAL, likely="arrivals-are-right")
def _(patch: Patch, parts: Parts) -> None:
    def push(original: Any, self: Play, step: Any) -> None:
        original(self, replace(step, units=step.units[:1]) if isinstance(step, Arriving) else step)

    patch.wrap(Play, "push", push)


# -- control ---------------------------------------------------------------------------------------------------------------


@bug("places-are-not-taken", "A unit that enters a place does not take it.", HEXES, PLACES, likely="places-follow-visits")
def _(patch: Patch, parts: Parts) -> None:
    patch.everywhere(enter_hexes, lambda original, play, unit, hexes: play.world.entered(play, unit, tuple(hexes)))


@bug(
    "places-on-the-way-are-not-taken",
    "A unit takes only the place in which it ends.",
    HEXES,
    PLACES,
    likely="places-follow-visits",
)
def _(patch: Patch, parts: Parts) -> None:
    patch.everywhere(enter_hexes, lambda original, play, unit, hexes: original(play, unit, tuple(hexes)[-1:]))


@bug("places-go-to-the-enemy", "A place that is taken goes to the other side.", HEXES, PLACES, likely="places-follow-visits")
def _(patch: Patch, parts: Parts) -> None:
    def taken(original: Any, self: ControlTaken, state: HexState) -> None:
        other = next(side for side in state.layout.ground.sides if side != self.side)
        state.control = {**state.control, self.hex: other}

    patch.wrap(ControlTaken, "apply", taken)


# -- victory ---------------------------------------------------------------------------------------------------------------


@bug("points-to-the-wrong-side", "Points count for the other side.", POINTS, likely="points-are-right")
def _(patch: Patch, parts: Parts) -> None:
    def counted(original: Any, scores: Iterable[Score], side: str) -> int:
        other = next(name for name in parts.world.sides if name != side)
        return int(original(scores, other))

    patch.everywhere(total, counted)


@bug("an-item-is-not-counted", "The first item of the points is not counted.", POINTS, likely="points-are-right")
def _(patch: Patch, parts: Parts) -> None:
    patch.everywhere(total, lambda original, scores, side: original(list(scores)[1:], side))


@bug("the-loser-wins", "The verdict names the other side.", likely="points-are-right")
def _(patch: Patch, parts: Parts) -> None:
    def end(original: Any, self: Play, winner: Any, reason: str, *, clause: str, scores: Any = None) -> None:
        other = next((side for side in self.world.sides if side != winner), winner)
        original(self, other, reason, clause=clause, scores=scores)

    patch.wrap(Play, "end", end)
