"""Rule bugs on the map: stacking (5), zones (6), supply (8) and movement (9); those of combat (10) are in `battles`."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import hexwar_tow.supply
from hexwar.mechanics import Ground, HexWorld, Layout, has_room, stack
from hexwar.mechanics.movement import ends
from hexwar.mechanics.pieces import enter_hexes
from hexwar.mechanics.world import Mode
from hexwar.testing.mutation import Mutant, Patch
from hexwar_tow.combat import TowCombat
from hexwar_tow.content import STRATEGIC
from hexwar_tow.counters import HQ
from hexwar_tow.kit.mutants import battles
from hexwar_tow.kit.mutants.planting import (
    DRILLS,
    answering,
    arms,
    chart,
    everywhere,
    lines,
    mutant,
    numbers,
    setting,
    world,
    wrapping,
)
from hexwar_tow.relocation import HeadquartersMoves, Marching
from hexwar_tow.ruleset import TracesOfWar
from hexwar_tow.state import ISOLATED, OUT_OF_SUPPLY, TowState
from hexwar_tow.supply import verdict
from hexwar_tow.world import TowLines, TowWorld

# -- 5.0, 6.0 ------------------------------------------------------------------------------------------------------------------


def _all_alike(original: Any, self: Any, units: Any, label: str) -> bool:
    return len(units) <= 2


def _one_nation(original: Any, self: Any, units: Any, label: str) -> bool:
    axis = {self.units[unit].nation for unit in units if self.units[unit].side == "axis"}
    return len(axis) < 2 and bool(original(self, units, label))


def _marker_needs_room(patch: Patch) -> None:
    def is_taken(at: Any, label: str) -> bool:
        return label == at.state.airborne and bool(stack(at, label))

    patch.everywhere(has_room, lambda original, at, unit, label: not is_taken(at, label) and original(at, unit, label))
    patch.everywhere(
        ends, lambda original, at, unit, found: [label for label in original(at, unit, found) if not is_taken(at, label)]
    )


def _headquarters_cover_nothing(patch: Patch) -> None:
    original = vars(HexWorld)["ground"].func

    def ground(self: HexWorld) -> Ground:
        found: Ground = original(self)
        return replace(found, covers={**found.covers, HQ: dict.fromkeys(found.covers[HQ], ())})

    changed = cached_property(ground)
    changed.__set_name__(HexWorld, "ground")
    patch.set(HexWorld, "ground", changed)


# -- 8.0 -----------------------------------------------------------------------------------------------------------------------


def _without_leaders(original: Any, self: Any, at: Any, side: str, without: str = "") -> Any:
    ways, board, units = original(self, at, side, without), at.world.board, at.world.units
    alone = [label for label, there in at.state.layout.stacks.items() if label in board and _are_leaders(units, there)]
    return ways._replace(through=ways.through & ~(board.mask(alone) & at.state.layout.threatened[side]))


def _are_leaders(units: Any, there: Any) -> bool:
    return bool(there) and all(units[unit].arm == HQ for unit in there)


def _through_zones(original: Any, self: Any, at: Any, side: str, without: str = "") -> Any:
    ways = original(self, at, side, without)
    shut = self._enemies(at, side) | ways.terrain.closed | self.closed_now(at, side)
    return ways._replace(through=ways.through | at.state.layout.threatened[side] & ~shut)


def _watched_sources(original: Any, self: Any, at: Any, side: str, without: str = "") -> Any:
    ways = original(self, at, side, without)
    return ways._replace(through=ways.through | self.sources_now(at, side) & ~self._enemies(at, side))


def _leaders_take_nothing(original: Any, play: Any, unit: str, hexes: Any) -> None:
    if play.world.units[unit].arm == HQ:
        play.world.entered(play, unit, tuple(hexes))
    else:
        original(play, unit, hexes)


def _at_the_end(original: Any, play: Any, unit: str, hexes: Any) -> None:
    original(play, unit, tuple(hexes)[-1:])


def _soviet_cities(original: Any, self: Any, world: Any) -> Any:
    state = original(self, world)
    state.control, state.orders = dict.fromkeys(state.control, "soviet"), ()
    return state


def _marker_stays(original: Any, at: Any, unit: str, supplied: bool) -> Any:
    status, clause = original(at, unit, supplied)
    return (at.state.supply.get(unit, ""), clause) if supplied else (status, clause)


def _marker_is(first: str, second: str, third: str) -> Any:
    """Which marker follows none, Out of Supply and Isolated without a line."""

    def change(original: Any, at: Any, unit: str, supplied: bool) -> Any:
        status, clause = original(at, unit, supplied)
        before = at.state.supply.get(unit, "")
        return (status if supplied else {"": first, OUT_OF_SUPPLY: second, ISOLATED: third}[before]), clause

    return change


def _lost_on_the_way(original: Any, self: TowState, unit: str, location: str) -> None:
    original(self, unit, location)
    self.supply = {other: how for other, how in self.supply.items() if other != unit}


def _weaker(attack: str, defence: str) -> Any:
    """Whose attack and whose defence are weaker: of units with one of some markers, named by their first letters."""

    def change(original: Any, self: Any, at: Any, battle: Any, unit: str, counted: Any) -> Any:
        status = at.state.supply.get(unit, "-")
        weak = status[0] in (attack if unit in battle.attackers else defence)
        return (max(counted - 2, 0 * counted), [(status, "8.2.2")]) if weak else (counted, [])

    return change


def _below_nothing(original: Any, self: Any, at: Any, battle: Any, unit: str, counted: Any) -> Any:
    found, reasons = original(self, at, battle, unit, counted)
    return (counted - 2 if reasons else found), reasons


def _any_marker_slows(original: Any, self: Any, at: Any, unit: str) -> int:
    points: int = HexWorld.allowance(self, at, unit)
    return points // 2 if unit in at.state.supply else points


def _rounded_up(original: Any, self: Any, at: Any, unit: str) -> int:
    points: int = HexWorld.allowance(self, at, unit)
    return (points + 1) // 2 if at.state.supply.get(unit) == ISOLATED else points


# -- 9.0 -----------------------------------------------------------------------------------------------------------------------


def _leaders_stay(original: Any, self: Any, at: Any, unit: str) -> int:
    return 0 if self.units[unit].arm == HQ else int(original(self, at, unit))


def _no_zone_under_friends(original: Any, self: Layout, side: str, hexes: Any, watched: bool) -> None:
    own = self.held.get(side, 0)
    original(self, side, [i for i in hexes if not watched or not own >> i & 1], watched)


MODES = (Mode(""), Mode("strategic", arm=STRATEGIC, along="road", topic="move.strategic"))

MUTANTS: tuple[Mutant, ...] = (
    # 5.0 stacking
    mutant("three-in-a-hex", "5.0.2", "three combat units may stand in a hex", numbers("stacking", combat=3)),
    mutant("two-headquarters-in-a-hex", "5.0.2", "two headquarters may stand in a hex", numbers("stacking", headquarters=2)),
    mutant(
        "headquarters-need-room", "5.0.2", "a headquarters counts as a combat unit", wrapping(TowWorld, "may_stack", _all_alike)
    ),
    mutant(
        "nations-stand-apart", "5.0.4", "Axis nationalities do not stack together", wrapping(TowWorld, "may_stack", _one_nation)
    ),
    mutant(
        "two-headquarters-stay",
        "5.0.5",
        "a headquarters that retreats onto another stays there",
        answering(TowCombat, "on_retreat", None),
        DRILLS,
    ),
    mutant(
        "headquarters-retreat-on",
        "5.0.5",
        "a headquarters that would retreat onto another goes on to the next hex",
        wrapping(TowCombat, "has_retreat_room", lambda original, self, at, unit, label: has_room(at, unit, label)),
    ),
    mutant(
        "the-landing-needs-room",
        "5.0.7",
        "the Airborne marker counts for stacking",
        _marker_needs_room,
        DRILLS,
    ),
    # 6.0 zones of control
    mutant("headquarters-have-no-zones", "6.0.1", "headquarters exert no zones", _headquarters_cover_nothing),
    mutant("zones-end-at-marshes", "6.0.1", "zones do not reach into marshes", world(zone_closed=("water", "marsh"))),
    mutant(
        "zones-end-at-rivers",
        "6.0.2",
        "zones do not cross major rivers",
        world(zone_closed_sides=("blocked", "major-river")),
    ),
    mutant("zones-cross-anything", "6.0.3", "zones cross blocked hexsides", world(zone_closed_sides=())),
    # 8.1 lines and checks
    mutant("lines-of-four-hexes", "8.1.2", "lines are at most four hexes long", lines(limit=4)),
    mutant("lines-through-zones", "8.1.4", "lines pass enemy zones", wrapping(TowLines, "ways", _through_zones)),
    mutant(
        "headquarters-open-no-zone",
        "8.1.4",
        "a headquarters alone does not open an enemy zone to a line",
        wrapping(TowLines, "ways", _without_leaders),
    ),
    mutant(
        "watched-sources-are-open",
        "8.1.4",
        "lines leave a source in an enemy zone in which no friend stands",
        wrapping(TowLines, "ways", _watched_sources),
    ),
    mutant("lines-over-major-rivers", "8.1.5", "lines cross major rivers without a bridge", lines(unbridged_sides=())),
    mutant("bridges-carry-no-lines", "8.1.5", "no bridge carries a line over a major river", lines(bridges=())),
    mutant("railway-bridges-carry-no-lines", "2.1.6", "a railway bridge carries no line", lines(bridges=("road",))),
    mutant(
        "minor-rivers-stop-lines",
        "8.1.5",
        "lines cross minor rivers by bridges only",
        lines(unbridged_sides=("major-river", "minor-river")),
    ),
    mutant("lines-over-blocked-sides", "8.1.5", "lines cross blocked hexsides", lines(closed_sides=())),
    mutant(
        "lines-through-enemy-cities",
        "8.1.6",
        "lines pass major cities of the enemy",
        answering(TowLines, "closed_now", 0),
    ),
    mutant(
        "landings-are-no-source",
        "11.1.6",
        "the Airborne marker is no source",
        wrapping(TowLines, "sources_now", lambda o, s, at, side: at.world.source_bits[side]),
    ),
    mutant(
        "cities-begin-as-soviet",
        "8.1.7",
        "all cities begin in Soviet hands",
        wrapping(TracesOfWar, "bare", _soviet_cities),
        DRILLS,
    ),
    mutant(
        "taken-at-the-end-of-a-move", "8.1.7", "a city on the way of a unit is not taken", everywhere(enter_hexes, _at_the_end)
    ),
    mutant(
        "headquarters-take-nothing",
        "8.1.7",
        "a headquarters that enters a city does not take it",
        everywhere(enter_hexes, _leaders_take_nothing),
        DRILLS,
    ),
    mutant("markers-are-kept", "8.1.8", "a unit with a line keeps its marker", everywhere(verdict, _marker_stays)),
    mutant(
        "isolated-at-once",
        "8.1.9",
        "the first check without a line isolates",
        everywhere(verdict, _marker_is(ISOLATED, ISOLATED, ISOLATED)),
    ),
    mutant(
        "never-isolated",
        "8.1.10",
        "a unit that is out of supply stays that",
        everywhere(verdict, _marker_is(OUT_OF_SUPPLY, OUT_OF_SUPPLY, ISOLATED)),
    ),
    mutant(
        "isolation-turns-back",
        "8.1.10",
        "an isolated unit is only out of supply at the next check",
        everywhere(verdict, _marker_is(OUT_OF_SUPPLY, ISOLATED, OUT_OF_SUPPLY)),
    ),
    mutant(
        "markers-are-lost-on-the-way",
        "8.1.11",
        "a unit that moves loses its marker",
        wrapping(TowState, "put", _lost_on_the_way),
        DRILLS,
    ),
    mutant(
        "headquarters-need-no-line",
        "8.1.12",
        "headquarters without a line stay where they are",
        wrapping(hexwar_tow.supply, "lift", lambda original, play, unit, clause: None),
    ),
    mutant(
        "axis-relocates-first",
        "8.1.1",
        "the headquarters of the Axis are relocated first",
        setting(hexwar_tow.supply, "ORDER", ("axis", "soviet")),
    ),
    # 8.2 effects
    mutant(
        "out-of-supply-attacks-in-full",
        "8.2.2",
        "units out of supply attack with full strength",
        wrapping(TowCombat, "weaken", _weaker("i", "i")),
    ),
    mutant(
        "out-of-supply-defends-weaker",
        "8.2.2",
        "units out of supply defend with less",
        wrapping(TowCombat, "weaken", _weaker("oi", "oi")),
    ),
    mutant("one-point-weaker", "8.2.2", "a marker costs one point of strength", numbers("supply", weaker=1)),
    mutant(
        "weaker-than-nothing", "8.2.2", "a weakened strength goes below nothing", wrapping(TowCombat, "weaken", _below_nothing)
    ),
    mutant(
        "isolated-defend-in-full",
        "8.2.3",
        "isolated units defend with full strength",
        wrapping(TowCombat, "weaken", _weaker("oi", "")),
    ),
    mutant(
        "isolated-attack-in-full",
        "8.2.3",
        "isolated units attack with full strength",
        wrapping(TowCombat, "weaken", _weaker("o", "i")),
    ),
    mutant(
        "isolated-move-in-full",
        "8.2.3",
        "isolated units have all their movement points",
        numbers("supply", allowance_divided_by=1),
    ),
    mutant(
        "out-of-supply-moves-half",
        "8.2.2",
        "units out of supply have half their movement points",
        wrapping(TowWorld, "allowance", _any_marker_slows),
    ),
    mutant("halves-are-rounded-up", "1.3.1", "half a movement point counts as one", wrapping(TowWorld, "allowance", _rounded_up)),
    # 9.0 movement, PA.TEC
    mutant("headquarters-do-not-move", "9.0.1", "headquarters do not move", wrapping(TowWorld, "allowance", _leaders_stay)),
    mutant("blocked-sides-are-open", "9.0.5", "units cross blocked hexsides", arms("sides", blocked=0)),
    mutant("minor-rivers-are-free", "9.1.4", "a minor river costs nothing", arms("sides", minor_river=0)),
    mutant(
        "major-rivers-cost-two", "9.1.6", "a major river costs two points more, anywhere on the way", arms("sides", major_river=4)
    ),
    mutant(
        "roads-cross-no-river",
        "9.1.7",
        "a road does not lift a river",
        chart(lifts={"road": frozenset(), "rail": frozenset({"major-river", "minor-river"})}),
    ),
    mutant(
        "railways-cross-no-river",
        "9.1.7",
        "a railway does not lift a river",
        chart(lifts={"rail": frozenset(), "road": frozenset({"major-river", "minor-river"})}),
    ),
    mutant("railways-do-not-help", "9.1.7", "a step along a railway costs what the terrain does", arms("links", rail=None)),
    mutant("strategic-for-one", "9.2.1", "strategic movement costs a point a hex", arms("links", strategic=True, road=2)),
    mutant("strategic-by-rail", "9.2.2", "railways serve for strategic movement", arms("links", strategic=True, rail=1)),
    mutant("strategic-in-zones", "9.2.3", "strategic movement goes through enemy zones", setting(TowWorld, "modes", MODES)),
    mutant("leaving-zones-costs-one", "9.3.1", "leaving an enemy zone costs one point", numbers("zones", leave=1)),
    mutant("entering-zones-costs-one", "9.3.1", "entering an enemy zone costs one point", numbers("zones", enter=1)),
    mutant(
        "friends-lift-zones",
        "9.3.1",
        "an enemy zone costs nothing where a friend stands",
        wrapping(Layout, "_watch", _no_zone_under_friends),
    ),
    mutant(
        "one-bank-in-a-zone", "9.3.2", "a major river is closed if either bank is in an enemy zone", world(whole_steps="either")
    ),
    mutant("bridges-between-zones", "9.3.2", "a bridge over a major river leads from zone to zone", world(guarded_sides=())),
    mutant("marshes-cost-two", "9.3.3", "a marsh costs two points, anywhere on the way", arms("terrain", marsh=4)),
    mutant("rough-costs-two", "PA.TEC.2", "rough ground costs two points", arms("terrain", rough=4)),
    mutant("cities-keep-their-ground", "PA.TEC.4", "a major city costs and shifts what its terrain does as well", chart(flat={})),
    mutant(
        "headquarters-only-march",
        "9.4.1",
        "an active headquarters cannot be relocated",
        answering(HeadquartersMoves, "_may", False),
        DRILLS,
    ),
    mutant(
        "anybody-relocates",
        "9.4.1",
        "any active unit may be relocated",
        wrapping(Marching, "choices", lambda original, self, at, unit: HeadquartersMoves(at, unit)),
        DRILLS,
    ),
    *battles.MUTANTS,
)
