"""Rule bugs of the staff, continued: victory and the optional rules (13, 14)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hexwar.pieces import Score, on_board
from hexwar.pieces._bidding import Bidding
from hexwar.testing.planting import wrapping
from hexwar_tow.victory import TowVictory
from tests.tow.planted.staff_planting import chits, mutant, numbers, scenarios

# -- 13.0 victory ---------------------------------------------------------------------------------------------------------------


def _scored(change: Any) -> Any:
    return wrapping(TowVictory, "scores", lambda original, self, at: tuple(change(at, original(self, at))))


def _with_the_marker(at: Any, items: Any) -> Any:
    more = at.state.landed and at.world.entry.scheme == "race"
    return (*items, Score("soviet", 5, "Airborne", "13.2.3")) if more else items


def _headquarters_too(at: Any, items: Any) -> Any:
    west = at.world.west_bank if at.world.entry.scheme == "race" else 0
    leaders = [
        u for u in on_board(at, "soviet") if at.world.units[u].command and west >> at.world.board.index(at.state.locations[u]) & 1
    ]
    return (*items, *(Score("soviet", 0.5, unit, "13.2.4") for unit in leaders))


def _relocations_too(at: Any, items: Any) -> Any:
    if at.world.entry.scheme != "race":
        return items
    count = at.state.relocations.get("axis", 0) - at.state.relocations.get("soviet", 0)
    return (*items, Score("soviet", 2 * count, "relocations", "13.3.4")) if count else items


def _turned(at: Any, items: Any) -> Any:
    return [replace(item, points=-item.points) if item.clause == "13.3.4" else item for item in items]


def _allies_too(at: Any, items: Any) -> Any:
    if at.world.entry.scheme == "race":
        return items
    dead = at.state.layout.stacks.get("axis eliminated", ())
    return (*items, *(Score("soviet", 1, unit, "13.3.3") for unit in dead if at.world.units[unit].nation != "german"))


def _once_a_hex(at: Any, items: Any) -> Any:
    seen: set[str] = set()
    for item in items:
        place = item.reason.rpartition(" ")[2]
        if item.clause != "13.3.5" or place not in seen:
            seen.add(place if item.clause == "13.3.5" else "")
            yield item


def _always(clause: str) -> Any:
    """13.3.6 is forgotten for some items: points are counted as during the game."""

    def counted(original: Any, self: TowVictory, at: Any) -> Any:
        items = original(self, at)
        phase = at.state.phase
        at.state.phase = "combat"
        try:
            during = original(self, at)
        finally:
            at.state.phase = phase
        return [item for item in items if item.clause != clause] + [item for item in during if item.clause == clause]

    return wrapping(TowVictory, "scores", counted)


def _at_any_end(original: Any, self: TowVictory, at: Any) -> bool:
    return bool(at.state.phase == "verdict")


VICTORY = (
    mutant("the-race-counts-the-marker", "13.2.3", "the Airborne marker scores", _scored(_with_the_marker)),
    mutant("the-race-counts-headquarters", "13.2.4", "headquarters beyond the Dnieper score", _scored(_headquarters_too)),
    mutant("the-race-counts-relocations", "13.2.2", "relocations score in the race", _scored(_relocations_too)),
    mutant(
        "lines-do-not-matter",
        "13.2.4",
        "units beyond the Dnieper score in full without a line",
        numbers(race={"mechanized": (1.0, 1.0), "other": (0.5, 0.5)}),
    ),
    mutant(
        "tanks-score-a-half", "13.2.4", "tanks beyond the Dnieper score like rifles", numbers(race={"mechanized": (0.5, 0.5)})
    ),
    mutant("crossings-score-four", "13.2.3", "a crossing point scores four", numbers(race={"crossing": 4})),
    mutant("one-point-less", "13.2.1", "the Soviets need a point less", scenarios(victory_points=lambda points: points - 1)),
    mutant("one-point-more", "13.3.1", "the Soviets need a point more", scenarios(victory_points=lambda points: points + 1)),
    mutant("the-race-ends-any-turn", "13.2.1", "the race is decided at the end of any turn", scenarios(every_turn=True)),
    mutant("the-campaign-ends-last", "13.3.1", "the campaign is decided after its last turn", scenarios(every_turn=False)),
    mutant("cities-score-seven", "13.3.2", "a city scores seven", numbers(campaign={"major_city": 7})),
    mutant("panzers-score-one", "13.3.3", "German armour scores like others", numbers(campaign={"german_armour": 1})),
    mutant("allies-score", "13.3.3", "Hungarians and Romanians score", _scored(_allies_too)),
    mutant("relocations-score-the-wrong-way", "13.3.4", "a German relocation costs points", _scored(_turned)),
    mutant("breakthroughs-score-once", "13.3.5", "a breakthrough hex scores once", _scored(_once_a_hex)),
    mutant("pockets-live", "13.3.6", "Germans without a line at the end live", _always("13.3.6")),
    mutant("breakthroughs-without-a-line", "13.3.6", "a unit without a line breaks through at the end", _always("13.3.5")),
    mutant(
        "pockets-die-each-turn",
        "13.3.6",
        "units without a line are dead at the end of any turn",
        wrapping(TowVictory, "is_the_end", _at_any_end),
    ),
)

# -- 14.0 optional rules --------------------------------------------------------------------------------------------------------


def _lower(original: Any, self: Bidding, play: Any) -> None:
    """14.1.1: the lower bid plays the Soviets."""
    sealed = play.state.sealed
    axis, soviet = sealed["axis"], sealed["soviet"]
    if axis != soviet:
        low = min((axis, soviet), key=lambda bid: int(bid[0]))
        play.state.sealed = {"axis": low, "soviet": ("0",)}
    original(self, play)


def _and_no_more(original: Any, self: Any, play: Any, seat: str, action: Any) -> None:
    original(self, play, seat, action)
    if play.state.stack[-1] == self:
        play.pop()


OPTIONS = (
    mutant("the-lower-bid-counts", "14.1.1", "the lower bid plays the Soviets", wrapping(Bidding, "resume", _lower)),
    mutant(
        "bids-are-forgotten",
        "14.1.1",
        "the scenario's points decide, whatever was bid",
        wrapping("hexwar.pieces._bidding:BidVictory", "bid", lambda original, self, at: {}),
    ),
    mutant("fronts-in-turn-5", "14.2.1", "the Ukrainian Fronts come in turn 5", numbers(ukrainian_fronts_from=5)),
    mutant(
        "only-one-front",
        "14.2.1",
        "one headquarters may be exchanged",
        wrapping("hexwar_tow_optional.ukrainian_fronts:Renaming", "perform", _and_no_more),
    ),
    mutant(
        "chits-know-one-name",
        "2.3.16",
        "the chits of a Front lead its old headquarters only",
        chits(lambda chit: len(chit.activates) > 1, activates=lambda leaders: leaders[:1]),
    ),
)

VICTORY_MUTANTS = (*VICTORY, *OPTIONS)
"""In the order of the rulebook."""
