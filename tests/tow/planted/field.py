"""Rule bugs on the map: stacking (5), zones (6) and movement (9); `supply` has those of supply (8), `battles` of combat (10)."""

from __future__ import annotations

from typing import Any

from hexwar.mechanics import Layout, Mode, RetreatRules, stack
from hexwar.testing import Mutant, Patch
from hexwar.testing.planting import answering, setting, wrapping
from hexwar_tow.combat import TowRetreat
from hexwar_tow.content import STRATEGIC
from hexwar_tow.counters import HQ
from hexwar_tow.movement import TowMovement
from hexwar_tow.relocation import HeadquartersMoves, Marching
from hexwar_tow.zones import TowStacking, TowZones
from tests.tow.planted import battles, supply
from tests.tow.planted.planting import DRILLS, arms, chart, mutant, numbers

# -- 5.0, 6.0 ------------------------------------------------------------------------------------------------------------------


def _all_alike(original: Any, self: Any, at: Any, units: Any, label: str) -> bool:
    return len(units) <= 2


def _one_nation(original: Any, self: Any, at: Any, units: Any, label: str) -> bool:
    counters = self.world.units
    axis = {counters[unit].nation for unit in units if counters[unit].side == "axis"}
    return len(axis) < 2 and bool(original(self, at, units, label))


def _marker_needs_room(patch: Patch) -> None:
    def is_taken(at: Any, label: str) -> bool:
        return label == at.state.airborne and bool(stack(at, label))

    def fits(original: Any, self: Any, at: Any, units: Any, label: str) -> bool:
        return bool(original(self, at, units, label)) and (len(units) < 2 or not is_taken(at, label))

    patch.wrap(TowStacking, "fits", fits)


def _headquarters_cover_nothing(original: Any, self: Any, arm: str, label: str) -> Any:
    return () if arm == HQ else original(self, arm, label)


def _not_into_marshes(original: Any, self: Any, origin: str, target: str) -> bool:
    return bool(original(self, origin, target)) and self.world.board.terrain(target) != "marsh"


def _not_over_rivers(original: Any, self: Any, origin: str, target: str) -> bool:
    return bool(original(self, origin, target)) and "major-river" not in self.world.board.side(origin, target)


def _over_anything(original: Any, self: Any, origin: str, target: str) -> bool:
    return str(self.world.board.terrain(target)) != "water"


# -- 9.0 -----------------------------------------------------------------------------------------------------------------------


def _leaders_stay(original: Any, self: Any, at: Any, unit: str) -> int:
    return 0 if self.world.units[unit].arm == HQ else int(original(self, at, unit))


def _no_zone_under_friends(original: Any, self: Layout, owner: str, *changes: int) -> None:
    original(self, owner, *changes)
    for side in self.basis.others[owner]:
        self.threatened[side] &= ~self.held[side]


MODES = (Mode(""), Mode("strategic", arm=STRATEGIC, along="road", topic="move.strategic"))

MUTANTS: tuple[Mutant, ...] = (
    # 5.0 stacking
    mutant("three-in-a-hex", "5.0.2", "three combat units may stand in a hex", numbers("stacking", combat=3)),
    mutant("two-headquarters-in-a-hex", "5.0.2", "two headquarters may stand in a hex", numbers("stacking", headquarters=2)),
    mutant(
        "headquarters-need-room", "5.0.2", "a headquarters counts as a combat unit", wrapping(TowStacking, "fits", _all_alike)
    ),
    mutant(
        "nations-stand-apart", "5.0.4", "Axis nationalities do not stack together", wrapping(TowStacking, "fits", _one_nation)
    ),
    mutant(
        "two-headquarters-stay",
        "5.0.5",
        "a headquarters that retreats onto another stays there",
        answering(TowRetreat, "retreated", None),
        DRILLS,
    ),
    mutant(
        "headquarters-retreat-on",
        "5.0.5",
        "a headquarters that would retreat onto another goes on to the next hex",
        setting(TowRetreat, "has_room", RetreatRules.has_room),
        DRILLS,
    ),
    mutant(
        "the-landing-needs-room",
        "5.0.7",
        "the Airborne marker counts for stacking",
        _marker_needs_room,
        DRILLS,
    ),
    # 6.0 zones of control
    mutant(
        "headquarters-have-no-zones",
        "6.0.1",
        "headquarters exert no zones",
        wrapping(TowZones, "covers", _headquarters_cover_nothing),
    ),
    mutant("zones-end-at-marshes", "6.0.1", "zones do not reach into marshes", wrapping(TowZones, "extends", _not_into_marshes)),
    mutant(
        "zones-end-at-rivers",
        "6.0.2",
        "zones do not cross major rivers",
        wrapping(TowZones, "extends", _not_over_rivers),
    ),
    mutant("zones-cross-anything", "6.0.3", "zones cross blocked hexsides", wrapping(TowZones, "extends", _over_anything)),
    *supply.MUTANTS,
    # 9.0 movement, PA.TEC
    mutant("headquarters-do-not-move", "9.0.1", "headquarters do not move", wrapping(TowMovement, "allowance", _leaders_stay)),
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
    mutant("strategic-in-zones", "9.2.3", "strategic movement goes through enemy zones", setting(TowMovement, "modes", MODES)),
    mutant("leaving-zones-costs-one", "9.3.1", "leaving an enemy zone costs one point", numbers("zones", leave=1)),
    mutant("entering-zones-costs-one", "9.3.1", "entering an enemy zone costs one point", numbers("zones", enter=1)),
    mutant(
        "friends-lift-zones",
        "9.3.1",
        "an enemy zone costs nothing where a friend stands",
        wrapping(Layout, "_cover", _no_zone_under_friends),
    ),
    mutant(
        "one-bank-in-a-zone",
        "9.3.2",
        "a major river is closed if either bank is in an enemy zone",
        wrapping(TowMovement, "zone_terms", lambda original, *given: original(*given)._replace(whole="either")),
    ),
    mutant(
        "bridges-between-zones",
        "9.3.2",
        "a bridge over a major river leads from zone to zone",
        wrapping(TowMovement, "zone_terms", lambda original, *given: original(*given)._replace(barriers=frozenset())),
    ),
    mutant("marshes-cost-two", "9.3.3", "a marsh costs two points, anywhere on the way", arms("terrain", marsh=4)),
    mutant("rough-costs-two", "PA.TEC.2", "rough ground costs two points", arms("terrain", rough=4)),
    mutant(
        "cities-keep-their-ground",
        "PA.TEC.4",
        "a major city costs and shifts what its terrain does as well",
        chart(flat={}),
        DRILLS,
    ),
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
