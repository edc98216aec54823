"""The rules of the staff a second time, literally: chits (4), arrivals (2.3, 3, 11), crossing points (12.3), points (13)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from math import floor
from typing import Any

from hexwar.mechanics import Arriving
from hexwar.testing.oracles import Chits, Field, Points
from hexwar_tow.kit.rules import CITY, HQ, MOVEMENT, OTHER, SUPPLY, WAITING, ZONES, TowField
from hexwar_tow.negotiation import Negotiating
from hexwar_tow.reinforcements import Dropping
from hexwar_tow.relocation import Relocating
from hexwar_tow.setting_up import Garrisoning

FRONTS = {"voronezh": "1ukr", "steppe": "2ukr", "southwest": "3ukr", "south": "4ukr"}
LEADERS: Mapping[str, tuple[str, ...]] = {
    **{army: (f"ger-{army}",) for army in ("4pza", "8a", "1pza", "6a")},
    **{f"{front}-{number}": (f"sov-{front}", f"sov-{new}") for front, new in FRONTS.items() for number in (1, 2)},
}
"""2.3.16, 4.2.1.1, 4.2.2.1: chit -> the headquarters that it activates, whichever is on the map."""
AXIS_CHITS = {"training": (2, 3, 3)}
SOVIET_CHITS = {"training": 3}
GIVEN = ((0, 6, 0, 6), (1, 8, 1, 7), (3, 9, 2, 8), (5, 10, 3, 9), (7, 11, 4, 10))
"""PA.CP: crossing points -> half negotiation points, Luftwaffe markers, units of an OKH Order."""
STAVKA = {5: 0, 6: 1, 7: 3, 8: 5}
PRICES = {"axis PR": 4, "axis IR": 2, "axis AR": 1, "order": 6}
"""11.2.1, 12.2.2: in half points."""
LAST_TURN = {"race": 4, "campaign": 8, "training": 3}
NEEDED = {"race": 50, "campaign": 65, "training": 20}


def given(crossing_points: int) -> tuple[int, ...]:
    """PA.CP: half negotiation points, Luftwaffe markers and units of an OKH Order."""
    return [row[1:] for row in GIVEN if row[0] <= crossing_points][-1]


def side_of(chit: str) -> str:
    """Whose chit it is; "" for Supply."""
    if chit == "supply":
        return ""
    return "axis" if chit.startswith("okh") or LEADERS.get(chit, ("sov-",))[0].startswith("ger") else "soviet"


class TowChits(Chits):
    """4.2: selection."""

    def available(self, field: Any, side: str) -> set[str]:
        """4.2.1.1, 4.2.2.1: the chits that a side may choose from."""
        found = {chit for chit, names in LEADERS.items() if side_of(chit) == side and {*names} & {*field.world.units}}
        if side == "axis":
            return found | ({"okh-1", "okh-2"} if field.turn >= 2 else set())
        more = {"airborne": field.turn >= 3 and not field.landed, "stavka": field.crossing_points <= STAVKA.get(field.turn, -1)}
        return found | {"reinforcements"} | {chit for chit, may in more.items() if may}

    def number(self, field: Field, side: str) -> int:
        """4.2.1.2, 4.2.2.2: all if there are fewer."""
        scenario = field.world.setup.scenario
        axis = AXIS_CHITS.get(scenario, (3, 4, 4, 4, 5, 5, 5, 5))[field.turn - 1]
        return min(SOVIET_CHITS.get(scenario, 6) if side == "soviet" else axis, len(self.available(field, side)))

    def is_legal(self, field: Field, chosen: Iterable[str]) -> bool:
        """4.2.1.3, 4.2.1.4: one chit of each Front, STAVKA in the place of one."""
        fronts = {front for front in FRONTS if f"sov-{front}" in field.world.units}
        return len(fronts - {chit[:-2] for chit in chosen}) <= ("stavka" in {*chosen})

    def selectable(self, field: Field, side: str) -> set[str]:
        """The chits with which a selection can still become valid, found by trying all."""
        chosen = self.chosen(field, side)
        rest, left = self.available(field, side) - {*chosen}, self.number(field, side) - len(chosen)
        if left <= 0 or side == "axis":
            return rest if left > 0 else set()
        found: set[str] = set()
        for more in combinations(sorted(rest), left):
            if not found.issuperset(more) and self.is_legal(field, (*chosen, *more)):
                found.update(more)
        return found

    def ways(self, field: Field, side: str, chit: str) -> set[bool]:
        """4.2.0.2, 4.2.0.3: the Axis may hold chits."""
        return {False, True} if side == "axis" else {False}


CHITS = TowChits(common=["supply"])


# -- 2.3, 3, 11 arrivals ------------------------------------------------------------------------------------------------------


def railway(field: Field, side: str) -> set[str]:
    """11.0.2, 11.0.3, 11.1.6: the hexes that a railway connects with a source on the map, hex by hex."""
    sheet, watched = field.sheet, ZONES.watched(field, side)
    enemy = {label for label, kind in sheet.kinds.items() if kind == CITY and field.control[label] != side}
    shut = watched | field.held(OTHER[side]) | enemy
    rails = [pair for pair, links in sheet.links.items() if "rail" in links]
    found = {a for a, _ in rails if a in SUPPLY.printed(field, side)} - shut
    while more := {b for a, b in rails if a in found and b not in found and b not in shut}:
        found |= more
    return found


def arrivals(field: Any, step: Arriving) -> tuple[set[str], set[str]]:
    """Who may come by a step, and the hexes that are open then, ignoring room."""
    side = field.world.seats[step.seat]
    sheet, cities = field.sheet, {label for label, kind in field.sheet.kinds.items() if kind == CITY}
    if isinstance(step, Relocating):  # 2.3.6 to 2.3.8
        lines = {it for it in SUPPLY.lines(field, side) if MOVEMENT.may_stand(sheet, side, HQ, it)} - ZONES.watched(field, side)
        far = {label for label in lines if not step.origin or sheet.distance(step.origin, label) >= 5}
        return {*step.units} & field.boxed(WAITING), far
    if isinstance(step, Garrisoning):  # 3.0.7
        return field.boxed("security"), cities - {it.at for it in field.pieces.values() if it.arm == "security"}
    if isinstance(step, Dropping):  # 11.1.5
        ready = [it.at for it in field.of_side("soviet") if not field.marker(it.id)]
        near = {label for label in sheet.terrain if any(sheet.distance(label, here) <= 8 for here in ready)}
        return field.boxed("soviet airborne"), {it for it in near if sheet.terrain[it] != "water"} - field.held("axis")
    if isinstance(step, Negotiating):  # 11.2.1
        return {unit for unit, box in field.locations.items() if PRICES.get(box, 99) <= step.points}, railway(field, side)
    called = {unit for number in range(1, field.groups + 1) for unit in field.boxed(f"soviet group {number}")}
    return {unit for unit in called if not field.world.units[unit].replacement}, railway(field, side)  # 11.1.1


# -- who must be asked ----------------------------------------------------------------------------------------------------------


def _called(field: Any) -> set[str]:
    """11.1.1, 4.3.10: the units of the groups that the chit which is being resolved brings, and of those before."""
    if not {*field.drawn[-1:]} & {"reinforcements", "airborne"}:
        return set()
    return {unit for number in range(1, field.groups + 2) for unit in field.boxed(f"soviet group {number}")}


def _can_come(field: Any) -> bool:
    """11.1.1: a group comes, and there is a hex for somebody in it."""
    fresh = [unit for unit in _called(field) if not field.world.units[unit].replacement]
    hexes = railway(field, "soviet") if fresh else ()
    return any(MOVEMENT.stacking.has_room(field, unit, label) for unit in fresh for label in hexes)


def _can_replace(field: Any) -> bool:
    """11.1.2, 11.1.3: a replacement comes, and a weaker unit of its kind is on the map and has no marker."""
    return any(field.world.units[unit].replacement and replaceable(field, unit) for unit in _called(field))


def replaceable(field: Any, unit: str) -> set[str]:
    """2.2.11, 11.1.2, 11.1.3: the units whose place a replacement may take; strengths are those of the sides that lie up."""
    new = field.world.units[unit]
    most = new.faces[-1].attack, new.faces[-1].defence
    mine = [it for it in field.of_side("soviet") if it.arm == new.arm and not field.marker(it.id)]
    strengths = {it.id: (it.attack, it.defence) for it in mine}
    return {name for name, now in strengths.items() if now != most and now[0] <= most[0] and now[1] <= most[1]}


CONDITIONS = {
    "security_waits": lambda field: bool(field.boxed("security")),
    "okh_held": lambda field: any(chit.startswith("okh") for chit in field.hand.get("axis", ())),
    "supply_drawn": lambda field: field.drawn[-1:] == ("supply",),
    "leader_drawn": lambda field: any({*LEADERS.get(chit, ())} & {*field.pieces} for chit in field.drawn[-1:]),
    "group_can_come": _can_come,
    "replacement_can_come": _can_replace,
}
"""What the table of questions asks about a position."""


# -- 12.3, 13 points ----------------------------------------------------------------------------------------------------------


def gains(field: Field, label: str, entered: Iterable[str] = ()) -> bool:
    """12.3: whether the Soviets gain a crossing point as units stand."""
    axis = field.held("axis")
    if label in axis or field.turn >= 7:
        return label not in axis
    if label in ("1826", "1827") and axis & {"1826", "1827", "1926"}:
        return False
    return label in entered or any(field.sheet.distance(label, here) <= 2 for here in field.held("soviet"))


class TowPoints(Points):
    """13: the points of the Soviets."""

    def is_final(self, field: Field) -> bool:
        """13.3.6: whether it is the count after the last turn."""
        return field.phase == "verdict" and field.turn == LAST_TURN[field.world.setup.scenario]

    def total(self, field: Any) -> float:
        """13.2, 13.3."""
        return self._race(field) if field.world.setup.scenario == "race" else self._campaign(field)

    def _race(self, field: TowField) -> float:
        west, points = field.sheet.areas.get("west of the dnieper", ()), 5.0 * len(field.crossings)
        for piece in field.of_side("soviet"):
            if piece.arm != HQ and piece.at in west:
                worth = 1.0 if piece.arm in ("armour", "mechanized") else 0.5
                points += worth if SUPPLY.has_line(field, piece) else worth / 2
        return points

    def _campaign(self, field: TowField) -> float:
        points: float = 8.0 * sum(field.sheet.kinds[label] == CITY for label, side in field.control.items() if side == "soviet")
        points += 2 * (field.relocations.get("axis", 0) - field.relocations.get("soviet", 0))
        final, through = self.is_final(field), field.sheet.areas.get("breakthrough", ())
        cut_off = {it.id for it in field.of_side("axis") if final and it.arm != HQ and not SUPPLY.has_line(field, it)}
        for unit in field.boxed("axis eliminated") | cut_off:
            points += (2 if field.world.units[unit].arm == "armour" else 1) if unit.startswith("ger") else 0
        over = [it for it in field.of_side("soviet") if it.arm != HQ and it.at in through]
        return points + 5 * sum(not final or SUPPLY.has_line(field, it) for it in over)

    def needed(self, field: Any) -> int:
        """13.2.1, 13.3.1, 14.1.1."""
        return int(field.notes["bid"][0]) if "bid" in field.notes else NEEDED[field.world.setup.scenario]

    def scores(self, field: Field) -> dict[str, int]:
        """Whole points."""
        return {"soviet": floor(self.total(field))}

    def winner(self, field: Field, scores: Mapping[str, int]) -> str:
        """13.2.1, 13.3.1."""
        return "soviet" if scores["soviet"] >= self.needed(field) else "axis"


POINTS = TowPoints()
