"""Stacking, zones of control and movement, word for word: capabilities of rulesets that have them."""

from __future__ import annotations

import heapq
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Any, Literal

from hexwar.engine import Action
from hexwar.testing._running.kit import Capability
from hexwar.testing.oracles._field import Field, Piece, Sheet

if TYPE_CHECKING:
    from hexwar.files import TextSource

Cost = int | Literal["all"] | None
"""In half points; "all" takes the whole move, whose only step it is; None is closed."""
STRATEGIC = "strategic"
Path = tuple[str, ...]
"""The labels of hexes, one after the other."""


def read_toml(file: TextSource) -> dict[str, Any]:
    """A content file as it is written, without the models that the rules read it with."""
    return tomllib.loads(file.read_text(encoding="utf-8"))


class Stacking(Capability):
    """At most a given number of units of a side may stand in a hex.

    Args:
        limit: how many.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit

    def fits(self, field: Field, units: Sequence[str], label: str) -> bool:
        """Whether some units of one side may stand in a hex together."""
        return len(units) <= self.limit

    def holds(self, field: Field) -> bool:
        """Whether the limit holds at this moment; some rulebooks look at it when a phase ends."""
        return True

    def lets_end(self, field: Field, unit: str, label: str) -> bool:
        """Whether a move may end in a hex."""
        return self.has_room(field, unit, label)

    def has_room(self, field: Field, unit: str, label: str) -> bool:
        """Whether a unit may end in a hex, in which others may stand."""
        there = [other for other in field.stacks.get(label, ()) if other != unit]
        return self.fits(field, [*there, unit], label)


class Zones(Capability):
    """Units cover the hexes around them.

    Args:
        closed_terrain: terrain that no zone covers.
    """

    def __init__(self, *, closed_terrain: Iterable[str] = ()) -> None:
        self.closed_terrain = frozenset(closed_terrain)

    def covered(self, field: Field, piece: Piece) -> set[str]:
        """The hexes that a piece covers."""
        return {near for near in field.sheet.near[piece.at] if field.sheet.terrain[near] not in self.closed_terrain}

    def of_side(self, field: Field, side: str) -> set[str]:
        """The hexes that a side covers."""
        return {label for piece in field.of_side(side) for label in self.covered(field, piece)}

    def watched(self, field: Field, side: str) -> set[str]:
        """The hexes in a zone of a side's enemies."""
        if (self, side) not in field.memo:
            field.memo[self, side] = self.against(field, side)
        found: set[str] = field.memo[self, side]
        return found

    def against(self, field: Field, side: str) -> set[str]:
        """The same, computed again."""
        return {label for other in field.world.sides if other != side for label in self.of_side(field, other)}


class Movement(Capability):
    """Units move by points.

    Args:
        chart: the terrain effects chart, a content file.
        zones: what costs more to enter and to leave.
        stacking: where a move may end.
        enter_zone: points on top for a step into an enemy zone.
        leave_zone: points on top for a step out of one.
        strategic: the link that strategic movement follows, half a point a hex; "" where there is none.
    """

    def __init__(
        self,
        chart: TextSource,
        zones: Zones,
        stacking: Stacking,
        *,
        enter_zone: float = 0,
        leave_zone: float = 0,
        strategic: str = "",
    ) -> None:
        self.chart = read_toml(chart)
        self.zones = zones
        self.stacking = stacking
        self.enter_zone = round(2 * enter_zone)
        self.leave_zone = round(2 * leave_zone)
        self.strategic = strategic
        self.modes = ("", STRATEGIC) if strategic else ("",)

    def step(self, sheet: Sheet, side: str, arm: str, origin: str, target: str) -> Cost:
        """What a step costs an arm as the chart says: a link or the terrain, and what lies on the hexside."""
        costs: Mapping[str, Any] = self.chart["arm"][arm]
        along = [costs["links"][link] for link in sheet.links[origin, target] if link in costs.get("links", {})]
        flat: Mapping[str, Any] = self.chart.get("flat", {})
        price = flat.get(sheet.kinds.get(target, ""), costs["terrain"].get(sheet.terrain[target], "closed"))
        prices = [min(along) if along else price]
        for feature in sheet.sides[origin, target]:
            if not self.is_bridged(sheet, origin, target, feature):
                prices.append(costs.get("sides", {}).get(feature, 0))
        if "closed" in prices:
            return None
        return "all" if "all" in prices else round(2 * sum(prices))

    def is_bridged(self, sheet: Sheet, origin: str, target: str, feature: str) -> bool:
        """Whether a link carries over what lies on a hexside."""
        bridges = self.chart.get("bridges", ())
        links = sheet.links[origin, target] & set(bridges)
        return any(feature in bridges[link] for link in links) if isinstance(bridges, dict) else bool(links)

    def known_step(self, sheet: Sheet, side: str, arm: str, origin: str, target: str) -> Cost:
        """The same; found once on a map."""
        key = self, side, arm, origin, target
        if key not in sheet.memo:
            sheet.memo[key] = self.step(sheet, side, arm, origin, target)
        found: Cost = sheet.memo[key]
        return found

    walks = False
    """Whether a move goes hex by hex, so that something may happen on the way."""

    def judges(self, field: Field, piece: Piece) -> bool:
        """Whether these rules are about a piece, as it stands."""
        return True

    def replaces_move(self, action: Action) -> bool:
        """Whether something else that a unit does takes the place of its move."""
        return False

    def modes_of(self, field: Field, piece: Piece) -> tuple[str, ...]:
        """The ways of moving that a piece has."""
        return self.modes

    def together(self, field: Field, piece: Piece, mode: str) -> set[str]:
        """Who moves when a piece is ordered to: itself, and those that go along or may not move any more."""
        return {piece.id}

    def may_stand(self, sheet: Sheet, side: str, arm: str, label: str) -> bool:
        """Whether an arm can come into a hex from anywhere."""
        return any(self.known_step(sheet, side, arm, near, label) is not None for near in sheet.near[label])

    def allowance(self, field: Field, piece: Piece, mode: str = "") -> int:
        """The half points that a piece may spend."""
        return 2 * piece.move

    def entering(self, mode: str = "") -> int:
        """The half points for the hex where a piece comes onto the map."""
        return 0

    def may_step(self, field: Field, piece: Piece, origin: str, target: str) -> bool:
        """Whether the ground lets a piece go from a hex into the next, no matter who stands there."""
        return self.known_step(field.sheet, piece.side, piece.arm, origin, target) is not None

    def may_enter(self, field: Field, piece: Piece, origin: str, target: str) -> bool:
        """Whether ground and enemy let it."""
        return self.may_step(field, piece, origin, target) and not field.is_enemy_held(piece.side, target)

    def price(self, field: Field, piece: Piece, origin: str, target: str, mode: str = "") -> Cost:
        """What a step costs a piece: the ground, and enemy zones on top. Strategic movement follows its link and avoids zones."""
        watched = self.zones.watched(field, piece.side)
        leaves, enters = origin in watched, target in watched
        step = self.known_step(field.sheet, piece.side, piece.arm, origin, target)
        if mode:
            along = self.strategic in field.sheet.links[origin, target]
            return 1 if along and step is not None and not leaves and not enters else None
        if step is None or step == "all":
            return self.whole(leaves, enters) if step else None
        return step + self.leave_zone * leaves + self.enter_zone * enters

    def whole(self, leaves: bool, enters: bool) -> Cost:
        """What a step costs that takes the whole move, out of an enemy zone or into one."""
        return "all"

    def reach(self, field: Field, piece: Piece, mode: str = "") -> dict[str, int]:
        """Hex -> half points, for every hex that a piece can get to in one of the `modes`, its own included."""
        allowance = self.allowance(field, piece, mode)
        best = {piece.at: 0}
        queue = [(0, piece.at)]
        while queue:
            spent, here = heapq.heappop(queue)
            if spent > best[here] or spent >= allowance:
                continue
            for label in field.sheet.near[here]:
                price = None if self.is_shut(field, piece, label) else self.begun(field, piece, here, label, mode, spent)
                if price is None:
                    continue
                total = allowance if price == "all" else spent + price
                if total <= allowance and total < best.get(label, allowance + 1):
                    best[label] = total
                    heapq.heappush(queue, (total, label))
        return best

    def cost(self, field: Field, piece: Piece, path: Sequence[str], mode: str = "") -> int | None:
        """What a whole way costs; None if it cannot be gone."""
        if path[0] != piece.at or any(b not in field.sheet.near[a] for a, b in pairwise(path)):
            return None
        total = 0
        for origin, target in pairwise(path):
            price = None if self.is_shut(field, piece, target) else self.begun(field, piece, origin, target, mode, total)
            if price is None or (price == "all" and len(path) > 2):
                return None
            total += self.allowance(field, piece, mode) if price == "all" else price
        return total

    def begun(self, field: Field, piece: Piece, origin: str, target: str, mode: str, spent: int) -> Cost:
        """What a step costs a piece that has spent something already: no step that takes the whole move comes after another."""
        price = self.price(field, piece, origin, target, mode)
        return None if price == "all" and spent else price

    def stroll(self, field: Field, piece: Piece, mode: str, chance: Random) -> Path:
        """Some way that a piece's points pay for, cheap or not, to a hex with room; () if none was found."""
        path: Path = (piece.at,)
        found: Path = ()
        for _ in range(chance.randint(1, allowance) if (allowance := self.allowance(field, piece, mode)) else 0):
            near = [label for label in field.sheet.near[path[-1]] if label not in path]
            path = (*path, chance.choice(near)) if near else path
            cost = self.cost(field, piece, path, mode)
            if cost is None or cost > self.allowance(field, piece, mode):
                break
            found = path if self.may_end(field, piece, path[-1]) and len(path) > 1 else found
        return found

    def ends(self, field: Field, piece: Piece, mode: str = "") -> dict[str, int]:
        """Hex -> half points, for every hex in which a piece's move may end."""
        if not self.allowance(field, piece, mode):
            return {}
        reached = self.reach(field, piece, mode)
        return {label: cost for label, cost in reached.items() if label != piece.at and self.may_end(field, piece, label)}

    def may_end(self, field: Field, piece: Piece, label: str) -> bool:
        """Whether a piece's move may end in a hex that it can get to."""
        return self.stacking.lets_end(field, piece.id, label)

    def is_shut(self, field: Field, piece: Piece, label: str) -> bool:
        """Whether no unit gets through a hex, because an enemy is there."""
        return field.is_enemy_held(piece.side, label)
