"""Rule bugs of the staff, continued: reinforcements, orders and crossing points (11, 12)."""

from __future__ import annotations

from typing import Any

import hexwar_tow.crossings
import hexwar_tow.reinforcements
import hexwar_tow.state
import hexwar_tow.victory
import hexwar_tow.world
from hexwar.pieces import Outcome, on_board
from hexwar.testing.planting import answering, everywhere, wrapping
from hexwar_tow.combat import TowCombat
from hexwar_tow.crossings import look_at_crossings, why_gained
from hexwar_tow.lines import TowSupply
from hexwar_tow.negotiation import price_of
from hexwar_tow.reinforcements import Dropping, Replace, Replacing, TowArrivals, rail_hexes
from hexwar_tow.state import TowState, UnitReplaced
from tests.tow.planted.staff_planting import crossings, mutant, numbers

# -- 11.0, 11.1 reinforcements --------------------------------------------------------------------------------------------------


def _friends_help(original: Any, self: TowSupply, at: Any, side: str, link: str) -> int:
    """11.0.3: enemy zones do not close a railway where a friend stands."""
    layout = at.state.layout
    threatened = layout.threatened
    layout.threatened = {**threatened, side: threatened[side] & ~layout.held[side]}
    try:
        return int(original(self, at, side, link))
    finally:
        layout.threatened = threatened


def _cities_are_open(original: Any, self: TowSupply, at: Any, side: str, link: str) -> int:
    control = at.state.control
    at.state.control = dict.fromkeys(control, side)
    try:
        return int(original(self, at, side, link))
    finally:
        at.state.control = control


def _from_the_marker(original: Any, self: TowSupply, at: Any, side: str, link: str) -> int:
    wider = TowSupply(self.world)
    wider.source_masks = {of: self.ways(at, of).sources for of in self.world.sides}
    return int(original(wider, at, side, link))


def _any_railway(original: Any, at: Any, side: str) -> tuple[str, ...]:
    board = at.world.board
    return tuple(board.unmask(board.link_mask("rail") & at.world.supply.supplied(at, side) & ~at.state.layout.threatened[side]))


def _group_of_the_turn(original: Any, self: Any, state: TowState) -> None:
    state.groups = state.turn


def _only_this_group(original: Any, self: TowArrivals, at: Any) -> list[str]:
    return [unit for unit in original(self, at) if at.state.locations[unit].endswith(f" {at.state.groups}")]


def _of_any_kind(original: Any, self: Replacing, at: Any, unit: str) -> list[Any]:
    return [Replace(unit, other) for other in on_board(at, "soviet") if other not in at.state.supply]


def _in_any_supply(original: Any, self: Replacing, at: Any, unit: str) -> list[Any]:
    arm = at.world.units[unit].arm
    return [Replace(unit, other) for other in on_board(at, "soviet") if at.world.units[other].arm == arm]


def _with_its_losses(original: Any, self: UnitReplaced, state: TowState) -> None:
    steps = state.steps_left[self.unit]
    original(self, state)
    state.steps_left = {**state.steps_left, self.by: steps}


def _back_in_its_box(original: Any, self: UnitReplaced, state: TowState) -> None:
    original(self, state)
    state.put(self.unit, "soviet group 6")


def _from_anybody(original: Any, at: Any) -> tuple[str, ...]:
    supply = at.state.supply
    at.state.supply = {}
    try:
        found: tuple[str, ...] = original(at)
    finally:
        at.state.supply = supply
    return found


def _outside_zones(original: Any, self: Dropping, at: Any, unit: str, label: str) -> Any:
    closed = at.state.layout.threatened["soviet"] >> at.world.board.index(label) & 1
    return ("arrival.drop", f"{label} is in an enemy zone") if closed else original(self, at, unit, label)


ARRIVALS = (
    mutant(
        "friends-open-the-railway",
        "11.0.3",
        "a friend opens a railway in an enemy zone",
        wrapping(TowSupply, "rail_network", _friends_help),
    ),
    mutant("cities-are-open", "11.0.3", "a railway passes enemy cities", wrapping(TowSupply, "rail_network", _cities_are_open)),
    mutant(
        "trains-from-the-marker",
        "11.1.6",
        "reinforcements come by rail from the Airborne marker",
        wrapping(TowSupply, "rail_network", _from_the_marker),
    ),
    mutant("any-railway", "11.0.2", "a railway need not lead to a source", everywhere(rail_hexes, _any_railway)),
    mutant(
        "groups-by-turn",
        "11.1.1",
        "the number of a group is a turn",
        wrapping(hexwar_tow.state.GroupCalled, "apply", _group_of_the_turn),
    ),
    mutant(
        "stragglers-are-lost",
        "11.0.6",
        "who finds no place does not come later",
        wrapping(TowArrivals, "called", _only_this_group),
    ),
    mutant("replacements-of-any-kind", "11.1.2", "a replacement replaces any unit", wrapping(Replacing, "choices", _of_any_kind)),
    mutant(
        "the-cut-off-are-replaced", "11.1.3", "a unit without supply is replaced", wrapping(Replacing, "choices", _in_any_supply)
    ),
    mutant(
        "replacements-bear-losses",
        "2.2.8",
        "a replacement has the steps of the other",
        wrapping(UnitReplaced, "apply", _with_its_losses),
    ),
    mutant(
        "the-replaced-return", "11.1.4", "a unit that is replaced comes again", wrapping(UnitReplaced, "apply", _back_in_its_box)
    ),
    mutant("drop-of-nine", "11.1.5", "paratroopers land within nine hexes", numbers(drop_range=9)),
    mutant("drop-of-seven", "11.1.5", "paratroopers land within seven hexes", numbers(drop_range=7)),
    mutant(
        "drop-from-pockets",
        "11.1.5",
        "paratroopers land near units without supply",
        everywhere(hexwar_tow.reinforcements.drop_zone, _from_anybody),
    ),
    mutant("drop-outside-zones", "11.1.5", "paratroopers do not land in zones", wrapping(Dropping, "_why_shut", _outside_zones)),
    mutant(
        "the-marker-is-no-source",
        "11.1.6",
        "the Airborne marker supplies nobody",
        answering(TowSupply, "landed", 0),
    ),
    mutant(
        "the-marker-lasts",
        "11.1.7",
        "nobody destroys the Airborne marker",
        wrapping(hexwar_tow.world, "landing_overrun", lambda original, play, unit, hexes: None),
    ),
    mutant(
        "overrun-at-the-end-only",
        "11.1.7",
        "who goes over the marker leaves it",
        wrapping(hexwar_tow.world, "landing_overrun", lambda original, play, unit, hexes: original(play, unit, hexes[-1:])),
    ),
    mutant(
        "the-marker-counts-while-there",
        "11.1.9",
        "a destroyed marker is no crossing point",
        lambda patch: patch.set(TowState, "crossing_points", property(lambda self: len(self.crossings) + bool(self.airborne))),
    ),
    mutant(
        "the-marker-is-no-crossing",
        "12.3.1",
        "the Airborne marker does not count",
        lambda patch: patch.set(TowState, "crossing_points", property(lambda self: len(self.crossings))),
    ),
)

# -- 11.2, 12.2 negotiation and orders ------------------------------------------------------------------------------------------


def _only_where_it_ends(original: Any, play: Any, unit: str, hexes: Any) -> None:
    original(play, unit, tuple(hexes)[-1:])


def _one_loss(original: Any, self: TowCombat, at: Any, battle: Any, outcome: Outcome) -> Any:
    made, clause = original(self, at, battle, outcome)
    return (Outcome(made.name, made.attacker, outcome.defender + 1, 0), clause) if clause else (made, clause)


ORDERS = (
    mutant("panzers-cost-one", "11.2.1", "a panzer division costs a point", numbers(negotiation={"PR": 1})),
    mutant("infantry-costs-two", "11.2.1", "an infantry division costs two points", numbers(negotiation={"IR": 2})),
    mutant("allies-cost-one", "11.2.1", "an ally costs a point", numbers(negotiation={"AR": 1})),
    mutant(
        "allies-are-free",
        "11.2.1",
        "an ally costs nothing",
        everywhere(price_of, lambda original, at, unit: 0 if at.state.locations[unit] == "axis AR" else original(at, unit)),
    ),
    mutant(
        "half-a-point-more", "4.2.2.9", "a negotiation gives half a point more", crossings(negotiation_points=lambda n: n + 0.5)
    ),
    mutant("orders-cost-two", "12.2.2", "an order is lifted for two points", numbers(negotiation={"order": 2})),
    mutant("orders-cost-four", "12.2.2", "an order is lifted for four points", numbers(negotiation={"order": 4})),
    mutant(
        "orders-are-nothing",
        "12.2.3",
        "the Soviets do not win by a city with an order",
        wrapping(hexwar_tow.world, "city_fell", lambda original, play, unit, hexes: None),
    ),
    mutant(
        "cities-fall-at-the-end",
        "12.2.3",
        "a city falls to a unit that ends there",
        wrapping(hexwar_tow.world, "city_fell", _only_where_it_ends),
    ),
    mutant(
        "cities-retreat",
        "12.2.1",
        "units in a city with an order retreat",
        wrapping(TowCombat, "convert", lambda original, self, at, battle, outcome: (outcome, "")),
    ),
    mutant("rr-costs-one-step", "12.2.1", "in a city with an order RR costs one step", wrapping(TowCombat, "convert", _one_loss)),
)

# -- 12.3 crossing points -------------------------------------------------------------------------------------------------------


def _held_or_not(original: Any, at: Any, label: str, entered: bool = False) -> str:
    found: str = original(at, label, entered)
    near = at.state.layout.held.get("soviet", 0) & at.world.crossing_reach[label]
    return found or ("12.3.4" if near else "")


def _given_back(original: Any, play: Any, entered: Any = ()) -> None:
    original(play, entered)
    board, held = play.world.board, play.state.layout.held.get("axis", 0)
    play.state.crossings = tuple(label for label in play.state.crossings if not held >> board.index(label) & 1)


CROSSINGS = (
    mutant("crossings-within-three", "12.3.4", "a unit three hexes away gains a crossing point", numbers(crossing_reach=3)),
    mutant("crossings-within-one", "12.3.4", "a unit two hexes away gains no crossing point", numbers(crossing_reach=1)),
    mutant("held-crossings-fall", "12.3.4", "an Axis unit does not hold a crossing point", everywhere(why_gained, _held_or_not)),
    mutant(
        "crossings-at-the-end-only",
        "12.3.3",
        "going through gains nothing",
        everywhere(why_gained, lambda original, at, label, entered=False: original(at, label)),
    ),
    mutant(
        "kremenchuk-does-not-matter",
        "12.3.5",
        "1826 and 1827 fall like others",
        lambda patch: patch.set(hexwar_tow.world.TowWorld, "crossings_together", property(lambda self: (frozenset(), 0))),
    ),
    mutant(
        "crossings-are-given-back", "12.3.6", "the Axis takes crossing points back", everywhere(look_at_crossings, _given_back)
    ),
    mutant("crossings-fall-in-turn-6", "12.3.7", "crossing points fall in turn 6", numbers(crossings_fall_from=6)),
    mutant("crossings-fall-in-turn-8", "12.3.7", "crossing points fall in turn 8 only", numbers(crossings_fall_from=8)),
    mutant(
        "crossings-fall-when-left-late",
        "12.3.4",
        "nobody looks when an Axis unit leaves",
        wrapping(
            hexwar_tow.world, "look_at_crossings", lambda original, play, entered=(): original(play, entered) if entered else None
        ),
    ),
)

ARRIVAL_MUTANTS = (*ARRIVALS, *ORDERS, *CROSSINGS)
"""In the order of the rulebook."""
