"""Bugs of chits, arrivals, control and victory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import hexwar.mechanics._arrival
from hexwar.engine import Play
from hexwar.mechanics import Arriving, ControlTaken, HexState, enter_hexes
from hexwar.pieces import ChitDrawn, ChitState, Cup, CupFilled, Score, Selecting, total
from hexwar.testing import Patch
from tests.testing.planted_generic.catalogue import HEXES, Condition, Parts, Plant, bug, everywhere, wrapping

CHITS = Condition("it has no chits", lambda parts: parts.has_step(Selecting))
NUMBER = Condition("its sides select no fixed number of chits", lambda parts: type(parts.world.cup).why_not is Cup.why_not)
COMMON = Condition("no chits are in every cup", lambda parts: bool(parts.world.cup.common(parts.game.position)))
ARRIVAL = Condition("it has no arrival of the mechanics", lambda parts: parts.has_step(Arriving))
PLACES = Condition("nothing is controlled", lambda parts: parts.is_hex_game and bool(parts.world.controlled))
POINTS = Condition("it does not add up points as the mechanics do", lambda parts: parts.uses(total))


def _cup(name: str, around: Any) -> Plant:
    return lambda patch, parts: patch.wrap(type(parts.world.cup), name, around)


def _chit_selected_twice(original: Any, self: Cup, at: Any, side: str) -> tuple[str, ...]:
    return self.available(at, side) if original(self, at, side) else ()


def _chit_stays_in_the_cup(original: Any, self: ChitDrawn, state: ChitState) -> None:
    cup = state.cup
    original(self, state)
    state.cup = cup


def _chit_lost(original: Any, self: CupFilled, state: ChitState) -> None:
    original(self, state)
    state.cup = state.cup[1:]


def _by_reasons(original: Any, self: Arriving, at: Any, unit: str) -> Iterator[str]:
    """The open hexes are those against which no reason is found."""
    return (label for label in self.hexes if self.why_closed(at, unit, label) is None)


def _reason_forgotten(name: str, answer: bool) -> Plant:
    def plant(patch: Patch, parts: Parts) -> None:
        patch.wrap(Arriving, "open_hexes", _by_reasons)
        patch.wrap(hexwar.mechanics._arrival, name, lambda original, *given: answer)

    return plant


def _reinforcements_stay_away(original: Any, self: Play, step: Any) -> None:
    original(self, replace(step, units=step.units[:1]) if isinstance(step, Arriving) else step)


def _places_go_to_the_enemy(original: Any, self: ControlTaken, state: HexState) -> None:
    other = next(side for side in state.layout.basis.sides if side != self.side)
    state.control = {**state.control, self.hex: other}


def _points_to_the_wrong_side(patch: Patch, parts: Parts) -> None:
    def counted(original: Any, scores: Iterable[Score], side: str) -> int:
        other = next(name for name in parts.world.sides if name != side)
        return int(original(scores, other))

    patch.everywhere(total, counted)


def _the_loser_wins(original: Any, self: Play, winner: Any, reason: str, *, clause: str, scores: Any = None) -> None:
    other = next((side for side in self.world.sides if side != winner), winner)
    original(self, other, reason, clause=clause, scores=scores)


BUGS = (
    # -- chits
    bug(
        "chit-selected-twice",
        "A chit that is selected may be selected again.",
        _cup("selectable", _chit_selected_twice),
        CHITS,
        NUMBER,
        likely="chits-are-kept",
    ),
    bug(
        "chit-too-many",
        "A side selects one chit more than it should.",
        _cup("number", lambda original, self, at, side: original(self, at, side) + 1),
        CHITS,
        NUMBER,
        likely="chits-are-kept",
    ),
    bug(
        "chit-stays-in-the-cup",
        "A chit that was drawn stays in the cup.",
        wrapping(ChitDrawn, "apply", _chit_stays_in_the_cup),
        CHITS,
        likely="chits-are-kept",
    ),
    bug(
        "chit-lost",
        "One of the selected chits does not come into the cup.",
        wrapping(CupFilled, "apply", _chit_lost),
        CHITS,
        likely="chits-are-kept",
    ),
    bug(
        "common-chits-forgotten",
        "The chits that are in every cup are not.",
        _cup("common", lambda original, self, at: ()),
        CHITS,
        COMMON,
        likely="chits-are-kept",
    ),
    bug(
        "one-side-is-not-asked",
        "The cup is filled when the first side has selected.",
        wrapping(Selecting, "deciders", lambda original, self, at: () if at.state.ready else original(self, at)[:1]),
        CHITS,
        likely="chits-are-kept",
    ),
    bug(
        "arrival-in-zones",
        "Reinforcements arrive in enemy zones.",
        _reason_forgotten("in_enemy_zone", False),
        ARRIVAL,
        likely=("arrivals-are-right", "staged-games-agree"),
    ),
    bug(
        "stacking-forgotten-on-arrival",
        "Reinforcements arrive in full hexes.",
        _reason_forgotten("has_room", True),
        ARRIVAL,
        likely="arrivals-are-right",
    ),
    bug(
        "reinforcements-stay-away",
        "Only one of the reinforcements of a turn may come.",
        wrapping(Play, "push", _reinforcements_stay_away),
        ARRIVAL,
        likely="arrivals-are-right",
    ),
    # -- control
    bug(
        "places-are-not-taken",
        "A unit that enters a place does not take it.",
        everywhere(enter_hexes, lambda original, play, unit, hexes: play.world.entered(play, unit, tuple(hexes))),
        HEXES,
        PLACES,
        likely="places-follow-visits",
    ),
    bug(
        "places-on-the-way-are-not-taken",
        "A unit takes only the place in which it ends.",
        everywhere(enter_hexes, lambda original, play, unit, hexes: original(play, unit, tuple(hexes)[-1:])),
        HEXES,
        PLACES,
        likely="places-follow-visits",
    ),
    bug(
        "places-go-to-the-enemy",
        "A place that is taken goes to the other side.",
        wrapping(ControlTaken, "apply", _places_go_to_the_enemy),
        HEXES,
        PLACES,
        likely="places-follow-visits",
    ),
    # -- victory
    bug(
        "points-to-the-wrong-side",
        "Points count for the other side.",
        _points_to_the_wrong_side,
        POINTS,
        likely="points-are-right",
    ),
    bug(
        "an-item-is-not-counted",
        "The first item of the points is not counted.",
        everywhere(total, lambda original, scores, side: original(list(scores)[1:], side)),
        POINTS,
        likely="points-are-right",
    ),
    bug("the-loser-wins", "The verdict names the other side.", wrapping(Play, "end", _the_loser_wins), likely="points-are-right"),
)
