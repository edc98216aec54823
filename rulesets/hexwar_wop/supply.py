"""3: supply. Headquarters are supplied along roads and railways, units by lines from their headquarters."""

from __future__ import annotations

from hexwar.engine import PublicEvent, record
from hexwar_wop.content import ROUTES, TRAIN
from hexwar_wop.world import At, Counter, Doing, WopState


def headquarters_of(at: At, side: str, *levels: str) -> list[Counter]:
    """The headquarters of a side on the map, of some levels or of all."""
    places, hexes = at.state.locations, at.world.board.indices
    found = [leader for name, leader in at.world.headquarters[side].items() if places.get(name) in hexes]
    return [leader for leader in found if leader.level in levels] if levels else found


def is_headquarters_supplied(at: At, headquarters: str) -> bool:
    """3.2.a, 3.2.b: whether a headquarters is in a hex in which one would be supplied."""
    board, label = at.world.board, at.state.locations[headquarters]
    return bool(supplied_hexes(at, at.world.units[headquarters].side) >> board.index(label) & 1)


def supplied_hexes(at: At, side: str) -> int:
    """3.2.a, 3.2.b: the mask of the hexes in which a headquarters is supplied: no enemy and no enemy zone, but for own units.

    They are bases, what roads and railways connect to them, and the hexes next to those.
    """
    board, supply = at.world.board, at.world.supply
    kept, key = at.state.layout.memo, ("supplied", side)
    found: int | None = kept.get(key)
    if found is None:
        near = network = supply.network(at, side, *ROUTES)
        for delta in board.deltas:
            near |= network << delta if delta > 0 else network >> -delta
        found = kept[key] = (near | supply.source_masks[side]) & supply.open_to(at, side)
    return found


def is_supplied(at: At, unit: str) -> tuple[bool, str]:
    """3.3 to 3.5, 3.10, 3.11.a: whether a unit is supplied, and the clause on it; who is aboard a river unit is as that is.

    3.4.a, 3.4.b: independent units draw from any formation and army, as do trains and river units (1.9.b) beside 3.5.
    """
    counter, board, supply = at.world.units[unit], at.world.board, at.world.supply
    side, label, formation = counter.side, at.state.locations[unit], counter.formation
    if label in board:
        here = 1 << board.index(label)
        if at.world.terrain[board.terrain(label)].always_supplied:
            return True, "3.10"
        if counter.arm == TRAIN and supply.network(at, side, "rail") & here:
            return True, "3.5"
        if (supply.network(at, side, *ROUTES) | supply.source_masks[side]) & here:
            return True, "3.3.b"
    else:
        formation = ""
        if at.world.river.is_supplied(at, unit):
            return True, "3.5"
    drawn = bool(drawn_by(at, side, formation) & at.world.river.ground[label])
    return drawn, ("3.3.a" if formation else "3.4.a") if drawn else "3.11.a"


def drawn_by(at: At, side: str, formation: str) -> int:
    """3.3.a, 3.4.a: the mask of the hexes to which lines lead from a formation with supply; "" for any, and any army."""
    kept, key = at.state.layout.memo, ("drawn", side, formation)
    found: int | None = kept.get(key)
    if found is None:
        sources = [hq.id for hq in headquarters_of(at, side, "formation", "army") if formation in ("", hq.id)]
        found = kept[key] = at.world.command.together(at, [hq for hq in sources if is_headquarters_supplied(at, hq)])
    return found


@record
class SupplyChecked(PublicEvent[WopState]):
    """2.3.b, 3.11.b: every unit without supply has a marker now, and no other has one."""

    kind = "supply-checked"
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
    sides = play.world.sides
    headquarters = [hq.id for side in sides for hq in headquarters_of(play, side) if not is_headquarters_supplied(play, hq.id)]
    units = [unit for side in sides for unit in play.world.command.pieces(play, side) if not is_supplied(play, unit)[0]]
    play.emit(SupplyChecked(tuple(headquarters), tuple(units), clause="2.3.b"))
