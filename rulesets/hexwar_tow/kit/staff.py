"""The staff's rules once more, literally: chits, command, arrivals, crossing points and victory points (2.3, 4, 11 to 13).

Numbers and names are written down here a second time. Nothing asks the ruleset's own functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from hexwar.engine import Event
from hexwar.testing.kit import Capability
from hexwar.testing.oracles import Books, Chits, Field
from hexwar_tow.kit.reference import Table
from hexwar_tow.state import AirborneLanded, CrossingGained, HeadquartersLifted, HeadquartersRelocated, UnitReplaced

WAITING = "headquarters waiting"
LEADERS: Mapping[str, tuple[str, ...]] = {
    "4pza": ("ger-4pza",),
    "8a": ("ger-8a",),
    "1pza": ("ger-1pza",),
    "6a": ("ger-6a",),
    **{f"voronezh-{number}": ("sov-voronezh", "sov-1ukr") for number in (1, 2)},
    **{f"steppe-{number}": ("sov-steppe", "sov-2ukr") for number in (1, 2)},
    **{f"southwest-{number}": ("sov-southwest", "sov-3ukr") for number in (1, 2)},
    **{f"south-{number}": ("sov-south", "sov-4ukr") for number in (1, 2)},
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


def given(crossing_points: int) -> tuple[int, int, int]:
    """PA.CP: half negotiation points, Luftwaffe markers and units of an OKH Order."""
    return [row[1:] for row in GIVEN if row[0] <= crossing_points][-1]


def side_of(chit: str) -> str:
    """Whose chit it is; "" for Supply."""
    if chit == "supply":
        return ""
    return "axis" if chit.startswith("okh") or LEADERS.get(chit, ("sov-",))[0].startswith("ger") else "soviet"


# -- 4.2 chits ------------------------------------------------------------------------------------------------------------------


def pool(world: Any, state: Any, side: str) -> set[str]:
    """4.2.1.1, 4.2.2.1: the chits that a side may choose from."""
    found = {chit for chit, names in LEADERS.items() if side_of(chit) == side and any(name in world.units for name in names)}
    if side == "axis":
        return found | ({"okh-1", "okh-2"} if state.turn >= 2 else set())
    gained = len(state.crossings) + int(state.landed)
    found.add("reinforcements")
    if state.turn >= 3 and not state.landed:
        found.add("airborne")
    if gained <= STAVKA.get(state.turn, -1):
        found.add("stavka")
    return found


def number(world: Any, state: Any, side: str) -> int:
    """4.2.1.2, 4.2.2.2: how many chits a side chooses; all if there are fewer."""
    scenario = world.setup.scenario
    if side == "soviet":
        wanted = SOVIET_CHITS.get(scenario, 6)
    else:
        wanted = AXIS_CHITS.get(scenario, (3, 4, 4, 4, 5, 5, 5, 5))[state.turn - 1]
    return min(wanted, len(pool(world, state, side)))


def is_legal(world: Any, chosen: Iterable[str]) -> bool:
    """4.2.1.3, 4.2.1.4: one chit of each Front, STAVKA in the place of one."""
    fronts = {chit[:-2] for chit, names in LEADERS.items() if side_of(chit) == "soviet" and names[0] in world.units}
    missing = fronts - {chit[:-2] for chit in chosen if chit in LEADERS}
    return len(missing) <= ("stavka" in set(chosen))


def selectable(world: Any, state: Any, side: str, chosen: tuple[str, ...]) -> set[str]:
    """4.2: the chits with which a selection can still become a right one, found by trying all."""
    rest = pool(world, state, side) - set(chosen)
    left = number(world, state, side) - len(chosen)
    if left <= 0:
        return set()
    if side == "axis":
        return rest
    found: set[str] = set()
    for more in combinations(sorted(rest), left):
        if not found.issuperset(more) and is_legal(world, (*chosen, *more)):
            found.update(more)
    return found


# -- 11.0 arrivals --------------------------------------------------------------------------------------------------------------


def railway(table: Table, side: str, sources: set[str]) -> set[str]:
    """11.0.2, 11.0.3, 11.1.6: the hexes that a railway connects with a source on the map, hex by hex."""
    watched, enemies = table.watched(side), table.held(table.enemy(side))

    def is_open(label: str) -> bool:
        place = table.board.place(label)
        lost = place is not None and place.kind == "major-city" and table.state.control[label] != side
        return label not in watched and label not in enemies and not lost

    on_rail = {a for a in table.board.labels for b in table.board.neighbours(a) if "rail" in table.board.links(a, b)}
    found = {label for label in sources & on_rail if is_open(label)}
    waiting = list(found)
    while waiting:
        here = waiting.pop()
        for near in table.board.neighbours(here):
            if near not in found and "rail" in table.board.links(here, near) and is_open(near):
                found.add(near)
                waiting.append(near)
    return found


def has_room(table: Table, unit: str, label: str) -> bool:
    """5.0.2: two combat units and one headquarters."""
    leads = bool(table.units[unit].command)
    like = [other for other, at in table.at.items() if at == label and bool(table.units[other].command) == leads]
    return len(like) < (1 if leads else 2)


def posts(table: Table, unit: str, origin: str) -> set[str]:
    """2.3.6 to 2.3.9: where a headquarters may be relocated that is off the map."""
    side = table.units[unit].side
    lines = table.supplied(side) - table.watched(side)
    far = {label for label in lines if not origin or table.board.distance(origin, label) >= 5}
    return {label for label in far if has_room(table, unit, label)}


def drop_zone(table: Table) -> set[str]:
    """11.1.5: the land within eight hexes of a Soviet unit in supply, without enemies."""
    ready = {label for unit, label in table.at.items() if table.units[unit].side == "soviet" and unit not in table.state.supply}
    land = {label for label in table.board.labels if table.board.terrain(label) != "water"} - table.held("axis")
    return {label for label in land if any(table.board.distance(label, here) <= 8 for here in ready)}


# -- 12.3 crossing points -------------------------------------------------------------------------------------------------------


def gains(field: Field, label: str, turn: int, entered: Iterable[str] = ()) -> bool:
    """12.3: whether the Soviets gain a crossing point as units stand."""
    at = {side: {piece.at for piece in field.of_side(side)} for side in ("axis", "soviet")}
    if label in at["axis"]:
        return False
    if turn >= 7:
        return True
    if label in ("1826", "1827") and at["axis"] & {"1826", "1827", "1926"}:
        return False
    return label in entered or any(field.sheet.distance(label, here) <= 2 for here in at["soviet"])


# -- 13.0 victory points --------------------------------------------------------------------------------------------------------


def score(world: Any, state: Any, *, final: bool) -> float:
    """13.2, 13.3: the points of the Soviets.

    Args:
        world: what is printed.
        state: what lies where.
        final: whether it is the count after the last turn (13.3.6).
    """
    table = Table(world, state)
    return _race(table) if world.setup.scenario == "race" else _campaign(table, final)


def _race(table: Table) -> float:
    west, lines = set(table.board.areas.get("west of the dnieper", ())), table.supplied("soviet")
    points = 5.0 * len(table.state.crossings)
    for unit, label in table.at.items():
        counter = table.units[unit]
        if counter.side == "soviet" and not counter.command and label in west:
            worth = 1.0 if counter.arm in ("armour", "mechanized") else 0.5
            points += worth if label in lines else worth / 2
    return points


def _campaign(table: Table, final: bool) -> float:
    state, board = table.state, table.board
    cities = {label for place in board.places if place.kind == "major-city" for label in place.hexes}
    points: float = 8.0 * sum(state.control[label] == "soviet" for label in cities)
    points += 2 * (state.relocations.get("axis", 0) - state.relocations.get("soviet", 0))
    dead = [unit for unit, box in state.at.items() if box == "axis eliminated"]
    if final:
        lines = table.supplied("axis")
        dead += [u for u, label in table.at.items() if u.startswith("ger") and label not in lines and not table.units[u].command]
    points += sum(2 if table.units[unit].arm == "armour" else 1 for unit in dead if unit.startswith("ger"))
    through = set(board.areas.get("breakthrough", ()))
    if final:
        through &= table.supplied("soviet")
    here = [label for unit, label in table.at.items() if table.units[unit].side == "soviet" and label in through]
    return points + 5 * len(here)


# -- books ----------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TowField(Field):
    """What lies on the table in this game besides.

    Args:
        crossings: the crossing points of the Soviets.
        landed: whether the Airborne marker has been placed.
    """

    crossings: tuple[str, ...] = ()
    landed: bool = False


def of_this_game(field: Field) -> TowField:
    """A field as the books of this game keep it."""
    assert isinstance(field, TowField)
    return field


class TowBooks(Books):
    """The books of this game."""

    field = TowField

    def entered(self, field: Field, event: Event) -> Field:
        """The books after an event."""
        made = of_this_game(super().entered(field, event))
        if isinstance(event, CrossingGained):
            return replace(made, crossings=(*made.crossings, event.hex))
        return replace(made, landed=True) if isinstance(event, AirborneLanded) else made


def _lifted(field: Field, event: HeadquartersLifted) -> Field:
    return replace(field, at={**field.at, event.unit: WAITING})


def _relocated(field: Field, event: HeadquartersRelocated) -> Field:
    taken = {event.hex: event.side} if event.hex in field.control else {}
    return replace(field, at={**field.at, event.unit: event.hex}, control={**field.control, **taken})


def _replaced(field: Field, event: UnitReplaced) -> Field:
    rest = field.without(event.unit)
    full = field.world.units[event.by].steps
    return replace(rest, at={**rest.at, event.by: field.at[event.unit]}, steps={**rest.steps, event.by: full})


class TowChits(Chits):
    """4.2: selection."""

    def number(self, field: Field, side: str) -> int:
        """How many chits a side selects this turn."""
        return number(field.world, of_this_game(field), side)

    def available(self, field: Field, side: str) -> set[str]:
        """The chits that a side has."""
        return pool(field.world, of_this_game(field), side)

    def selectable(self, field: Field, side: str) -> set[str]:
        """The chits that a side may still select."""
        return selectable(field.world, of_this_game(field), side, self.chosen(field, side))

    def ways(self, field: Field, side: str, chit: str) -> set[bool]:
        """4.2.2: the Axis may hold its chits."""
        return {False, True} if side == "axis" else {False}


BOOKS = TowBooks(
    {
        HeadquartersLifted: _lifted,
        HeadquartersRelocated: _relocated,
        UnitReplaced: _replaced,
    }
)
CAPABILITIES: tuple[Capability, ...] = (BOOKS, TowChits(common=["supply"]))
"""What the staff tells the kit for the checks that are not its own."""
