"""The rules of the field a second time, from the text: 10 zones, 12 stacking, 13 movement, 3 supply, 9 command."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil
from typing import Any

from hexwar.engine import Event
from hexwar.testing.oracles import Command, Cost, Field, Movement, Piece, Sheet, Stacking, Supply, Zones
from hexwar_wop.content import DATA
from hexwar_wop.kit.table import WopField, column, edges, entries, ground, printed, transport_kinds

LAND = ("infantry", "cavalry", "artillery", "armoured_train", "tank", "armoured_car")
ENGINES = ("armoured_car", "tank", "armoured_train", "river_unit")
"""3.12.b: whom lack of supply makes slower."""
ROUTES = ("road", "rail")


def half_points(points: float | str) -> int | None:
    """A price of the terrain table."""
    return None if isinstance(points, str) else round(2 * points)


class WopStacking(Stacking):
    """12: stacking."""

    def fits(self, field: Any, units: Sequence[str], label: str) -> bool:
        """12.1.a, 12.2, 12.3: one side; vehicles count half, headquarters and air units nothing."""
        weights = printed("tables.toml")["stacking"]["weight"]
        kinds = [field.kind(unit) for unit in units]
        sides = {field.world.units[unit].side for unit in units}
        return len(sides) <= 1 and sum(weights[kind] for kind in kinds) <= self.limit

    def holds(self, field: Any) -> bool:
        """12.2.a, 12.5: at the end of a phase; an activation is one."""
        return not field.active

    def lets_end(self, field: Field, unit: str, label: str) -> bool:
        """12.2.a: a move may end over the limit; 12.5 is for the end of the phase."""
        return True


class WopZones(Zones):
    """10: zones of control are those of stacks."""

    def of_side(self, field: Any, side: str) -> set[str]:
        """10.1, 10.2: units that have more than 2 points together; no headquarters, boats, air units or loaded units."""
        found: set[str] = set()
        for label in field.held(side):
            standing = [unit for unit in field.stacks[label] if unit not in field.loaded]
            if sum(field.pieces[unit].defence for unit in standing if field.kind(unit) in LAND) > 2:
                found |= {near for near in field.sheet.near[label] if self.reaches(field.sheet, label, near)}
        return found

    def reaches(self, sheet: Sheet, label: str, near: str) -> bool:
        """10.3: not into ground that the terrain table flags, nor over a hexside that it flags, unless a road or railway does."""
        across = [edges()[name]["zoc_crosses"] for name in sheet.sides[label, near] if name in edges()]
        return bool(ground()[sheet.terrain[near]]["zoc_enters"]) and (all(across) or bool(sheet.links[label, near]))


# -- 13 movement ------------------------------------------------------------------------------------------------------------


class WopMovement(Movement):
    """13, 10.6 to 10.9: units walk; zones cost parts of the allowance that a unit begins with."""

    walks = True

    def __init__(self, zones: WopZones, stacking: WopStacking) -> None:
        super().__init__(DATA / "terrain.toml", zones, stacking)
        self.modes = ("", "together")

    def judges(self, field: Any, piece: Piece) -> bool:
        """9.19 to 9.21 send those without command elsewhere, which no oracle knows."""
        return not {piece.id, *self.stack(field, piece)} & {*field.no_command}

    def moves_as(self, field: Any, unit: str) -> str:
        """18.1: as the transport does."""
        by = field.loaded.get(unit)
        return transport_kinds()[by] if by else field.kind(unit)

    def step(self, sheet: Sheet, side: str, arm: str, origin: str, target: str) -> Cost:
        """13.2 to 13.4: along a road or railway what that costs, otherwise the hex and the hexside; 13.3.b.

        13.2.ex1: a brook costs more where it is unbridged; roads and railways bridge what they cross.
        """
        moves_as, links = column(arm), sheet.links[origin, target]
        routes = {entry["id"]: entry["cost"] for entry in printed("terrain.toml")["route"]}
        along = [half_points(cost[moves_as]) for name, cost in routes.items() if name in links and moves_as in cost]
        if along:
            return min(price for price in along if price is not None)
        crossed = [edges()[name]["cost"].get(moves_as, "closed") for name in sheet.sides[origin, target] if name in edges()]
        crossed = [] if links & {*ROUTES} else crossed
        entered, left = (ground()[sheet.terrain[label]]["cost"].get(moves_as, "closed") for label in (target, origin))
        prices = [half_points(price) for price in (entered, *crossed)]
        if None in prices or half_points(left) is None:
            return None
        return sum(price for price in prices if price is not None)

    # -- who goes, with how many points

    def initial(self, field: Any, unit: str) -> int:
        """13.1.a, 3.12.b, 18.1: what a unit begins with."""
        by = field.loaded.get(unit)
        if by:
            return int(printed("templates.toml")["transport"][transport_kinds()[by]]["move"])
        move: int = field.world.units[unit].faces[field.steps_left[unit] - 1].move
        hungry = unit in field.no_supply and field.kind(unit) in ENGINES
        return ceil(move / 2) if hungry else move

    def own(self, field: Any, unit: str) -> int:
        """13.8, 18.2.b, 18.13: less what loading and unloading have cost."""
        spent: int = field.spent.get(unit, 0) + field.spent.get(field.loaded.get(unit, ""), 0)
        return max(0, self.initial(field, unit) - spent)

    def allowance(self, field: Any, piece: Piece, mode: str = "") -> int:
        """13.7.b: a stack has what its slowest member has."""
        return 2 * min(self.own(field, unit) for unit in (piece.id, *(self.stack(field, piece) if mode else ())))

    def modes_of(self, field: Any, piece: Piece) -> tuple[str, ...]:
        """13.7.b: alone, or with the others of the hex."""
        return self.modes if self.stack(field, piece) else ("",)

    def stack(self, field: Any, piece: Piece) -> tuple[str, ...]:
        """13.7.b, as ruled: all of the hex that have not moved and can; no trains, none loaded, none without command."""
        if piece.id in field.marched:  # on its way
            by = field.loaded.get(piece.id)
            mates = tuple(unit for unit, other in field.loaded.items() if by and other == by and unit != piece.id)
            return mates or (tuple(field.together[1:]) if field.together[:1] == (piece.id,) else ())
        able = [unit for unit in field.stacks[piece.at] if self._joins(field, unit)]
        mine = field.active == piece.side and piece.id in able
        return tuple(unit for unit in able if unit != piece.id) if mine else ()

    def _joins(self, field: Any, unit: str) -> bool:
        apart = (*field.no_command, *field.loaded, *field.spent, *field.marched)
        return (
            unit not in apart and field.kind(unit) in LAND and field.kind(unit) != "armoured_train" and self.own(field, unit) > 0
        )

    def together(self, field: Any, piece: Piece, mode: str) -> set[str]:
        """13.7.b, 18.7; 9.20.a: those without command move before the others of their formation, or not at all."""
        by = field.loaded.get(piece.id)
        gone = {piece.id, *(self.stack(field, piece) if mode else ()), *(u for u, it in field.loaded.items() if by and it == by)}
        formation = "" if piece.id in field.no_command else entries().get(piece.id, {}).get("wj", "")
        return gone | {unit for unit in field.no_command if formation and entries().get(unit, {}).get("wj") == formation}

    # -- what a step costs

    def price(self, field: Any, piece: Piece, origin: str, target: str, mode: str = "") -> Cost:
        """13.7.b: a stack pays what the step costs the one that pays the most."""
        members = (piece.id, *(self.stack(field, piece) if mode else ()))
        prices = [self._price(field, unit, piece.side, origin, target) for unit in members]
        if None in prices:
            return None
        return "all" if "all" in prices else max(price for price in prices if isinstance(price, int))

    def pursuit_price(self, field: Any, piece: Piece, origin: str, target: str, points: int) -> Cost:
        """10.10, 14.32.1, 14.32.3: what a step of a pursuit costs, with zones as parts of the half points of the pursuit."""
        return self._price(field, piece.id, piece.side, origin, target, points)

    def _price(self, field: Any, unit: str, side: str, origin: str, target: str, begun: int = 0) -> Cost:
        arm = self.moves_as(field, unit)
        plain, watched = self.known_step(field.sheet, side, arm, origin, target), self.zones.watched(field, side)
        if plain is None or plain == "all":
            return None
        if field.kind(unit) == "hq" and target in watched and target not in field.manned(side):
            return None  # 9.27.a
        leaves = origin in watched
        between = (leaves and target in watched) or self._guarded(field, side, origin, target)
        costs = printed("templates.toml")["zone_cost"][printed("templates.toml")["movement_class"][column(arm)]["zoc_cost"]]
        parts = begun or 2 * self.initial(field, unit)
        slow = 2 * (field.active == side and origin in self.delayed(field, side))  # 17.9
        if not between:  # 10.6.2
            return plain + slow + (ceil(parts * Fraction(costs["exit"])) if leaves else 0)
        within = costs["zone_to_zone"]
        if isinstance(within, str):  # 10.6.3.a, 10.9
            return "all" if within == "all" else None
        return plain + slow + ceil(parts * Fraction(within))

    def begun(self, field: Any, piece: Piece, origin: str, target: str, mode: str, spent: int) -> Cost:
        """13.5: one hex may always be entered by a piece that has its whole allowance, and then it stops."""
        price = self.price(field, piece, origin, target, mode)
        whole = self.allowance(field, piece, mode) == 2 * min(
            self.initial(field, unit) for unit in (piece.id, *(self.stack(field, piece) if mode else ()))
        )
        if spent or not whole:
            return None if price == "all" else price
        too_much = isinstance(price, int) and price > self.allowance(field, piece, mode)
        return "all" if too_much else price

    def _guarded(self, field: Any, side: str, origin: str, target: str) -> bool:
        """10.2.3.b: over a navigable hexside on which an enemy boat lies, or next to one, every step is one from zone to zone."""
        if "navigable" not in field.sheet.sides[origin, target]:
            return False
        afloat = [unit for unit, place in field.locations.items() if "|" in place and field.kind(unit) == "river_unit"]
        foes = [field.locations[unit].split("|") for unit in afloat if field.world.units[unit].side != side]
        return any({origin, target} == {*banks} or touch(field.sheet, {origin, target}, {*banks}) for banks in foes)

    def delayed(self, field: Any, side: str) -> set[str]:
        """17.4, 17.8: the hexes in which enemy air units delay a side."""
        found: set[str] = set()
        for flight in field.flights:
            if flight.mission == "delay" and field.world.units[flight.unit].side != side:
                found |= {flight.hex, *(field.sheet.near[flight.hex] if field.steps_left[flight.unit] == 2 else ())}
        return found

    def is_shut(self, field: Any, piece: Piece, label: str) -> bool:
        """12.1.a; 14.28.a: a train runs past a single enemy unit on the line."""
        if not field.is_enemy_held(piece.side, label):
            return False
        rail = any("rail" in field.sheet.links[label, near] for near in field.sheet.near[label])
        return not (field.kind(piece.id) == "armoured_train" and rail and len(field.troops(label)) == 1)

    def may_end(self, field: Any, piece: Piece, label: str) -> bool:
        """12.1.a: but it does not stay there."""
        return not field.is_enemy_held(piece.side, label)


def touch(sheet: Sheet, edge: set[str], banks: set[str]) -> bool:
    """Whether two hexsides share a corner: they have one hex in common, and the other two are neighbours."""
    one, other = edge - banks, banks - edge
    return len(one) == len(other) == 1 and min(other) in sheet.near[min(one)]


# -- 3 supply, 9 command ------------------------------------------------------------------------------------------------------


def is_free(field: Any, zones: Zones, side: str, label: str) -> bool:
    """3.2.b, 3.2.c, 3.8, 3.9, 10.4.a: no enemy unit is in a hex, and no enemy zone where no unit of the side stands."""
    enemies = field.troops(label, field.enemy(side))
    return not enemies and (label not in zones.watched(field, side) or bool(field.troops(label, side)))


class WopCommand(Command):
    """3.7, 3.8, 9.5.a: lines of both sorts run from headquarters, hex by hex."""

    def __init__(self, zones: Zones) -> None:
        super().__init__()
        self.zones = zones

    def within(self, field: Any, leader: Piece) -> set[str]:
        """3.7, 3.8: no farther than the printed range, not through enemies, lakes or over large rivers without a bridge."""
        key = self, leader.id
        if key not in field.memo:
            found = edge = {leader.at}
            for _ in range(entries()[leader.id]["cr"]):
                edge = {
                    near for here in edge for near in field.sheet.near[here] if self._runs(field, leader.side, here, near)
                } - found
                found = found | edge
            field.memo[key] = found
        reached: set[str] = field.memo[key]
        return reached

    def _runs(self, field: Any, side: str, here: str, near: str) -> bool:
        river = "large-river" in field.sheet.sides[here, near] and not field.sheet.links[here, near]
        return not river and field.sheet.terrain[near] != "lake" and is_free(field, self.zones, side, near)

    def reaches(self, field: Any, leader: str, piece: str) -> bool:
        """Whether a line leads to a piece; to one on a river by either bank."""
        if leader not in field.pieces:
            return False
        return bool({*field.locations[piece].split("|")} & self.within(field, field.pieces[leader]))

    def commanded(self, field: Any, leader: Piece) -> set[str]:
        """9.3, 9.4: its own and independent units to which a line leads."""
        units = field.world.units
        mine = [
            unit
            for unit, place in field.locations.items()
            if units[unit].side == leader.side and (place in field.sheet.terrain or "|" in place) and field.kind(unit) != "hq"
        ]
        return {u for u in mine if self.formation(u) in ("", leader.id) and self.reaches(field, leader.id, u)}

    @staticmethod
    def formation(unit: str) -> str:
        """1.7, 1.9: the division or brigade to which a unit belongs, "" for an independent one."""
        return str(entries().get(unit, {}).get("wj", ""))

    def is_led(self, field: Any, headquarters: str) -> bool:
        """9.2, 9.6: whether a lower headquarters is commanded: from its army, or from a group that is."""
        entry, pieces = entries()[headquarters], field.pieces
        groups = [hq for hq in pieces if headquarters in entries().get(hq, {}).get("subordinates", ())]
        leaders = [entry["army"], *(group for group in groups if self.is_led(field, group))]
        return any(self.reaches(field, leader, headquarters) for leader in leaders)

    def marked(self, event: Event, field: Any) -> tuple[Iterable[str], Iterable[str]] | None:
        """9.10 to 9.17: whoever is without command fails the test or passes it; units of a headquarters that passed are led."""
        if event.kind != "command-checked":
            return None
        failed, passed = {*event.pieces}, {*event.passed}  # type: ignore[attr-defined]
        heads = [unit for unit in field.pieces if field.kind(unit) == "hq"]
        loose = {hq for hq in heads if entries()[hq]["kind"] != "army" and not self.is_led(field, hq)}
        led = {unit for hq in heads if hq not in failed for unit in self.commanded(field, field.pieces[hq])}
        units = {u for u in field.locations if self._is_checked(field, u) and u not in led}
        told = (failed | passed) - loose  # a headquarters that passes is not named
        return {*told, *(f"{hq} has a line" for hq in failed & {*heads} - loose)}, units

    def _is_checked(self, field: Any, unit: str) -> bool:
        place = field.locations[unit]
        return field.kind(unit) not in ("hq", "air") and (place in field.sheet.terrain or "|" in place)


class WopSupply(Supply):
    """3: whether a unit or a headquarters is supplied."""

    of_hexes = False

    def __init__(self, zones: Zones, command: WopCommand) -> None:
        super().__init__(zones, {})
        self.command = command

    def sources(self, field: Any, side: str) -> tuple[str, ...]:
        """3.1: the bases of the scenario, or those of the map."""
        own = printed(f"{field.world.setup.scenario}.toml").get("bases", {})
        named = own.get(side) or field.sheet.areas.get(f"supply {side}", ())
        return tuple(label for label in named if label in field.sheet.terrain)

    def network(self, field: Any, side: str, *routes: str) -> set[str]:
        """3.2.a, 3.2.b: what roads and railways connect with a base, hex by hex."""
        key = self, side, routes
        if key not in field.memo:
            found = edge = {label for label in self.sources(field, side) if is_free(field, self.zones, side, label)}
            while edge:
                joined = {b for a in edge for b in field.sheet.near[a] if field.sheet.links[a, b] & {*routes}}
                edge = {label for label in joined - found if is_free(field, self.zones, side, label)}
                found = found | edge
            field.memo[key] = found
        reached: set[str] = field.memo[key]
        return reached

    def is_fed(self, field: Any, headquarters: str) -> bool:
        """3.2: on a base, on the network or next to it, and not alone where enemies or their zones are."""
        if headquarters not in field.pieces:
            return False
        piece = field.pieces[headquarters]
        net = self.network(field, piece.side, *ROUTES)
        near = {*field.sheet.near[piece.at], piece.at} & net or piece.at in self.sources(field, piece.side)
        return bool(near) and is_free(field, self.zones, piece.side, piece.at)

    def has_line(self, field: Any, piece: Piece) -> bool:
        """3.2 to 3.5, 3.10, 3.11."""
        if field.kind(piece.id) == "hq":
            return self.is_fed(field, piece.id)
        if ground()[field.sheet.terrain[piece.at]].get("always_supplied", False):  # 3.10
            return True
        rail = field.kind(piece.id) == "armoured_train" and piece.at in self.network(field, piece.side, "rail")  # 3.5
        on_road = piece.at in {*self.network(field, piece.side, *ROUTES), *self.sources(field, piece.side)}  # 3.3.b
        own = self.command.formation(piece.id)
        mine = [it.id for it in field.of_side(piece.side) if entries().get(it.id, {}).get("kind") in ("formation", "army")]
        heads = [own] if own else mine  # 3.4
        return rail or on_road or any(self.is_fed(field, hq) and self.command.reaches(field, hq, piece.id) for hq in heads)

    def marked(self, event: Event, field: Any) -> tuple[Iterable[str], Iterable[str]] | None:
        """2.3.b, 3.11.b: the markers on the map."""
        if event.kind != "supply-checked":
            return None
        told = {unit for unit in event.units if unit in field.pieces}  # type: ignore[attr-defined]
        hungry = {it.id for it in field.pieces.values() if field.kind(it.id) != "hq" and not self.has_line(field, it)}
        return told, hungry


STACKING, ZONES = WopStacking(3), WopZones()
MOVEMENT = WopMovement(ZONES, STACKING)
COMMAND = WopCommand(ZONES)
SUPPLY = WopSupply(ZONES, COMMAND)
FIELD = WopField
