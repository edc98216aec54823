"""Stacking, zones, movement and lines of supply a second time, from the clauses and the files as they are printed."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from itertools import pairwise
from math import ceil
from typing import Any

from hexwar.engine import Action
from hexwar.testing.oracles import Cost, Field, Movement, Piece, Stacking, Supply, Zones
from hexwar_wb95.content import DATA
from hexwar_wb95.kit.table import FIGHTERS, GUNS, printed

POINT = 2
"""A movement point in half points."""


class Wb95Stacking(Stacking):
    """stack.1: strength points."""

    def fits(self, field: Field, units: Sequence[str], label: str) -> bool:
        """stack.1: what the units of the side of the last one count; guns and headquarters count 1."""
        side = field.world.units[units[-1]].side
        mine = [field.piece(unit) for unit in units if field.world.units[unit].side == side]
        return sum(1 if piece.arm in (*GUNS, "hq") else piece.attack for piece in mine) <= self.limit


class Wb95Zones(Zones):
    """zoc.1 to zoc.4."""

    def covered(self, field: Field, piece: Piece) -> set[str]:
        """The six hexes around, but not over a large river, nor where the chart lets no step lead on the printed map."""
        if piece.arm not in FIGHTERS:
            return set()
        near = [it for it in field.sheet.near[piece.at] if "large-river" not in field.sheet.sides[piece.at, it]]
        return {it for it in near if MOVEMENT.known_step(field.sheet, piece.side, piece.arm, piece.at, it) is not None}

    def same(self, field: Any, piece: Piece) -> set[str]:
        """zoc.8: the zones of those enemies in whose zones a piece stands."""
        key = self, piece.side, piece.at
        if key not in field.memo:
            covers = [self.covered(field, other) for other in field.against(piece.side)]
            field.memo[key] = {label for zone in covers if piece.at in zone for label in zone}
        found: set[str] = field.memo[key]
        return found


class Wb95Movement(Movement):
    """zoc.6 to zoc.8, art.4 to art.9, air.4, supply.11, bridges."""

    def replaces_move(self, action: Action) -> bool:
        """art.6, bridge.4: a change of formation in place, and the beginning of a bridge over a large river."""
        return action.kind in ("form", "span")

    def modes_of(self, field: Any, piece: Piece) -> tuple[str, ...]:
        """art.6: guns may change their formation before and after a move."""
        if piece.arm not in GUNS:
            return ("",)
        return ("", "battery") if piece.id in field.marching else ("", "march", "battery")

    def allowance(self, field: Any, piece: Piece, mode: str = "") -> int:
        """supply.11, art.6, art.21, bridge.1."""
        if piece.id in field.silent:
            return 0
        starved = piece.id in field.shortage and piece.arm in ("armour", "motorised")
        points: int = (ceil(piece.move / 2) if starved else piece.move) - field.spent.get(piece.id, 0)
        changes = {"": 0, "march": 1, "battery": 1 if piece.id in field.marching else 2}[mode]
        return max(0, POINT * (points - changes))

    def now(self, field: Any, side: str, arm: str, origin: str, target: str) -> Cost:
        """bridge.1 to bridge.4: what a step costs by the bridges that there are now."""
        name, river = f"{min(origin, target)}|{max(origin, target)}", field.river(origin, target)
        if name not in (*field.broken, *field.built):
            return self.known_step(field.sheet, side, arm, origin, target)
        costs = self.chart["arm"][arm]
        prices = [costs["terrain"].get(field.sheet.terrain[target], "closed")]
        prices += [costs.get("sides", {}).get(river, 0)] if name in field.broken else []
        if "closed" in prices:
            return None
        return "all" if "all" in prices else round(2 * sum(prices))

    def may_step(self, field: Any, piece: Piece, origin: str, target: str) -> bool:
        """By the bridges that there are now."""
        return self.now(field, piece.side, piece.arm, origin, target) is not None

    def toll(self, field: Any, piece: Piece, label: str) -> int | None:
        """art.4, art.5, hq.6: half points on top for an overrun; None if the enemies in a hex cannot be overrun."""
        foes = [field.pieces[unit] for unit in field.stacks.get(label, ()) if field.pieces[unit].side != piece.side]
        if piece.arm not in FIGHTERS or not foes or any(foe.arm not in ("gun", "hq") for foe in foes):
            return None
        return 2 * POINT if field.is_fortified(foes[0].side, label) else POINT

    def is_shut(self, field: Field, piece: Piece, label: str) -> bool:
        """Enemies, unless they are overrun."""
        return super().is_shut(field, piece, label) and self.toll(field, piece, label) is None

    def is_denied(self, field: Any, piece: Piece, origin: str, target: str) -> bool:
        """air.4: a large river without a bridge, within a hex of enemy aircraft."""
        if field.river(origin, target) != "large-river" or field.has_bridge(origin, target):
            return False
        enemies = [flight.hex for flight in field.flights if field.world.units[flight.unit].side != piece.side]
        return any(field.sheet.distance(label, over) <= 1 for label in (origin, target) for over in enemies)

    def price(self, field: Any, piece: Piece, origin: str, target: str, mode: str = "") -> Cost:
        """zoc.6 to zoc.8: out of a zone only where the move begins, for a point, and into no zone of the same unit."""
        watched, step = self.zones.watched(field, piece.side), self.now(field, piece.side, piece.arm, origin, target)
        sets_out = origin == piece.at
        stays = piece.arm in GUNS and not mode and piece.id not in field.marching
        if step is None or self.is_denied(field, piece, origin, target) or (stays and not sets_out):
            return None
        if not sets_out and origin in watched:
            return None
        if sets_out and target in ZONES.same(field, piece):
            return None
        leaving = POINT if sets_out and origin in watched else 0
        return "all" if step == "all" else step + leaving + (self.toll(field, piece, target) or 0)


class Wb95Supply(Supply):
    """supply.1 to supply.5, zoc.5, fs.7: lines for points, free along roads and railways and into own hexes."""

    of_hexes = False

    def sources(self, field: Field, side: str) -> tuple[str, ...]:
        """supply.1: what the scenario says on its own map, or else the area of the map."""
        own = printed("scenarios.toml")["scenario"][field.world.setup.scenario].get("supply", {})
        if field.world.setup.board is None and side in own:
            return tuple(own[side])
        return super().sources(field, side)

    def is_watched(self, field: Field, side: str, label: str) -> bool:
        """supply.4, zoc.5: an enemy zone, or a hex next to enemy artillery."""
        if (self, side, "guns") not in field.memo:
            guns = [piece for piece in field.against(side) if piece.arm in GUNS]
            field.memo[self, side, "guns"] = {near for piece in guns for near in field.sheet.near[piece.at]}
        return label in self.zones.watched(field, side) or label in field.memo[self, side, "guns"]

    def _own(self, field: Field, side: str, label: str) -> bool:
        return any(field.pieces[unit].side == side for unit in field.stacks.get(label, ()))

    def toll(self, field: Field, side: str, origin: str, target: str) -> int | None:
        """What a line pays for a step; None where none leads."""
        step = MOVEMENT.now(field, side, "line", origin, target)
        if not isinstance(step, int) or field.is_enemy_held(side, target) or self.is_watched(field, side, origin):
            return None
        if self._own(field, side, target):
            return 0
        return None if self.is_watched(field, side, target) else step

    def prices(self, field: Field, side: str) -> dict[str, int]:
        """Hex -> half points of the cheapest line."""
        if (self, side) not in field.memo:
            field.memo[self, side] = self._prices(field, side)
        found: dict[str, int] = field.memo[self, side]
        return found

    def _prices(self, field: Field, side: str) -> dict[str, int]:
        best = {it: 0 for it in self.sources(field, side) if not field.is_enemy_held(side, it)}
        best = {it: 0 for it in best if self._own(field, side, it) or not self.is_watched(field, side, it)}
        queue = [(0, label) for label in sorted(best)]
        while queue:
            paid, here = heapq.heappop(queue)
            if paid > best[here]:
                continue
            for label in field.sheet.near[here]:
                toll = self.toll(field, side, here, label)
                if toll is not None and paid + toll < best.get(label, 999):
                    best[label] = paid + toll
                    heapq.heappush(queue, (paid + toll, label))
        return best

    def limit(self, field: Field, unit: str) -> int:
        """supply.2: half points by nation."""
        return POINT * int(printed("tables.toml")["nations"][field.world.units[unit].nation]["supply"])  # type: ignore[attr-defined]

    def has_line(self, field: Any, piece: Piece) -> bool:
        """fs.7: or it stands in a fortress."""
        within = self.prices(field, piece.side).get(piece.at, 999) <= self.limit(field, piece.id)
        return within or piece.at in field.fortress(piece.side)

    def is_line(self, field: Field, side: str, line: Sequence[str]) -> bool:
        """Whether each step of a way can be paid for."""
        known = bool(line) and line[0] in self.sources(field, side)
        return known and all(b in field.sheet.near[a] and self.toll(field, side, a, b) is not None for a, b in pairwise(line))


STACKING, ZONES = Wb95Stacking(8), Wb95Zones()
MOVEMENT = Wb95Movement(DATA / "terrain.toml", ZONES, STACKING)
SUPPLY = Wb95Supply(ZONES, {"soviet": "supply soviet", "axis": "supply axis"})
