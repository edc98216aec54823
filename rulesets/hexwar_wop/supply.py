"""3: supply. Headquarters are supplied along roads and railways, units by lines from their headquarters."""

from __future__ import annotations

from collections.abc import Sequence

from hexwar.engine import Event, Sight, record
from hexwar.mechanics import on_board
from hexwar_wop.world import AIR, HEADQUARTERS, RIVER, ROUTES, TRAIN, At, Counter, Doing, WopState, enemy_of
from hexwar_wop.zones import can_cross, is_open, zone


class Lines:
    """The lines of a side in a position, worked out once.

    Args:
        at: the position.
        side: whose.
    """

    def __init__(self, at: At, side: str) -> None:
        self.at = at
        self.side = side
        self._enemy_zone = zone(at, enemy_of(at, side))
        self.network = self._connected(ROUTES)
        """3.2.a: the hexes that roads and railways connect to a base of the side."""
        self.rails = self._connected(("rail",))
        """3.5: those that railways alone do."""
        self._reach: dict[str, frozenset[str]] = {}

    def _connected(self, routes: Sequence[str]) -> frozenset[str]:
        """3.2.a, 3.2.b: roads and railways may be mixed, and the way may have any length."""
        board = self.at.world.board
        pending = [base for base in self.at.world.bases[self.side] if self._is_open(base)]
        found = set(pending)
        while pending:
            here = pending.pop()
            for near in board.neighbours(here):
                if near not in found and board.links(here, near) & set(routes) and self._is_open(near):
                    found.add(near)
                    pending.append(near)
        return frozenset(found)

    def _is_open(self, label: str) -> bool:
        return is_open(self.at, label, self.side, self._enemy_zone)

    def from_headquarters(self, headquarters: str) -> frozenset[str]:
        """3.7, 3.8: the hexes to which a line leads from a headquarters within its range; its own hex does not count."""
        if headquarters not in self._reach:
            here = self.at.state.locations[headquarters]
            found, border = {here}, [here]
            for _ in range(self.at.world.counters[headquarters].command):
                around = [(origin, near) for origin in border for near in self.at.world.board.neighbours(origin)]
                border = []
                for origin, near in around:
                    if near not in found and can_cross(self.at, origin, near) and self._is_open(near):
                        found.add(near)
                        border.append(near)
            self._reach[headquarters] = frozenset(found)
        return self._reach[headquarters]


def headquarters_of(at: At, side: str, *levels: str) -> list[Counter]:
    """The headquarters of a side on the map, of some levels or of all."""
    found = [at.world.counters[unit] for unit in on_board(at, side)]
    return [counter for counter in found if counter.level and (not levels or counter.level in levels)]


def is_headquarters_supplied(lines: Lines, headquarters: str) -> bool:
    """3.2.a: on a base, on a connected road or railway, or next to one."""
    at = lines.at
    here = at.state.locations[headquarters]
    near = (here, *at.world.board.neighbours(here))
    return here in at.world.bases[lines.side] or any(label in lines.network for label in near)


def is_supplied(lines: Lines, unit: str) -> tuple[bool, str]:
    """3.3 to 3.5, 3.10, 3.11.a: whether a unit is supplied, and the clause on it; an army serves independent units (3.4.b)."""
    at, counter = lines.at, lines.at.world.counters[unit]
    here = at.state.locations[unit]
    if counter.arm == RIVER:
        return True, "3.5"
    if at.world.terrain[at.world.board.terrain(here)].always_supplied:
        return True, "3.10"
    if counter.arm == TRAIN:
        return here in lines.rails, "3.5"
    if here in lines.network or here in at.world.bases[lines.side]:
        return True, "3.3.b"
    if counter.formation:
        clause, sources = "3.3.a", [counter.formation] if counter.formation in on_board(at, lines.side) else []
    else:
        clause, sources = "3.4.a", [hq.id for hq in headquarters_of(at, lines.side, "formation", "army")]
    drawn = any(is_headquarters_supplied(lines, source) and here in lines.from_headquarters(source) for source in sources)
    return drawn, clause if drawn else "3.11.a"


def pieces(at: At, side: str) -> list[str]:
    """3.6: what supply and command are checked for: units on the map or on its rivers, air units not among them."""
    places = at.state.locations
    return [
        unit
        for unit, counter in at.world.counters.items()
        if counter.side == side
        and counter.arm not in (AIR, HEADQUARTERS)
        and (places.get(unit) in at.world.board or "|" in places.get(unit, ""))
    ]


@record
class SupplyChecked(Event[WopState]):
    """2.3.b, 3.11.b: every unit without supply has a marker now, and no other has one."""

    kind = "supply-checked"
    sight = Sight.PUBLIC
    headquarters: tuple[str, ...]
    """Those without supply, which have no marker but starve their units."""
    units: tuple[str, ...]

    def apply(self, state: WopState) -> None:
        """Place the markers."""
        state.no_supply = self.units

    def __str__(self) -> str:
        told = f"without supply: {', '.join(self.units) or 'nobody'}"
        return f"{told}; headquarters without supply: {', '.join(self.headquarters)}" if self.headquarters else told


def check_supply(play: Doing) -> None:
    """2.3.a: headquarters first, then units, of both sides."""
    headquarters: list[str] = []
    units: list[str] = []
    for side in play.world.sides:
        lines = Lines(play, side)
        headquarters += [hq.id for hq in headquarters_of(play, side) if not is_headquarters_supplied(lines, hq.id)]
        units += [unit for unit in pieces(play, side) if not is_supplied(lines, unit)[0]]
    play.emit(SupplyChecked(tuple(headquarters), tuple(units), clause="2.3.b"))


SUPPLY_EVENTS: tuple[type[Event], ...] = (SupplyChecked,)
