"""Stacking, zones of control and movement, word for word: capabilities of rulesets that have them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from hexwar.testing.kit import Capability
from hexwar.testing.oracles.field import Field, Piece, Sheet

if TYPE_CHECKING:
    import networkx as nx

    from hexwar.engine.rules import TextSource

Cost = int | None
"""In half points; None is closed."""


def read_toml(file: TextSource) -> dict[str, Any]:
    """A content file as it is written, without the models that the rules read it with."""
    return tomllib.loads(file.read_text(encoding="utf-8"))


class Stacking(Capability):
    """Only so many units of a side may stand in a hex.

    Args:
        limit: how many.
    """

    name = "stacking"

    def __init__(self, limit: int) -> None:
        self.limit = limit

    def fits(self, field: Field, units: Sequence[str], label: str) -> bool:
        """Whether some units of one side may stand in a hex together."""
        return len(units) <= self.limit

    def has_room(self, field: Field, unit: str, label: str) -> bool:
        """Whether a unit may end in a hex, in which others may stand."""
        there = [other for other in field.stacks.get(label, ()) if other != unit]
        return self.fits(field, [*there, unit], label)


class Zones(Capability):
    """Units cover the hexes around them.

    Args:
        closed_terrain: terrain that no zone covers.
        without: arms that have no zone.
    """

    name = "zones"

    def __init__(self, *, closed_terrain: Iterable[str] = (), without: Iterable[str] = ()) -> None:
        self.closed_terrain = frozenset(closed_terrain)
        self.without = frozenset(without)

    def covered(self, field: Field, piece: Piece) -> set[str]:
        """The hexes that a piece covers."""
        if piece.arm in self.without:
            return set()
        return {near for near in field.sheet.near[piece.at] if field.sheet.terrain[near] not in self.closed_terrain}

    def watched(self, field: Field, side: str) -> set[str]:
        """The hexes in a zone of a side's enemies."""
        if (self, side) not in field.memo:
            field.memo[self, side] = {label for piece in field.against(side) for label in self.covered(field, piece)}
        found: set[str] = field.memo[self, side]
        return found


class Movement(Capability):
    """Units move by points.

    Args:
        chart: the terrain effects chart, a content file.
        zones: what costs more to enter and to leave.
        stacking: where a move may end.
        enter_zone: points on top for a step into an enemy zone.
        leave_zone: points on top for a step out of one.
    """

    name = "movement"

    def __init__(
        self, chart: TextSource, zones: Zones, stacking: Stacking, *, enter_zone: float = 0, leave_zone: float = 0
    ) -> None:
        self.chart = read_toml(chart)
        self.zones = zones
        self.stacking = stacking
        self.enter_zone = round(2 * enter_zone)
        self.leave_zone = round(2 * leave_zone)
        self._steps: dict[tuple[int, str], dict[tuple[str, str], Cost]] = {}
        self._graphs: dict[tuple[int, str], nx.DiGraph[str]] = {}

    def step(self, sheet: Sheet, arm: str, origin: str, target: str) -> Cost:
        """What a step costs an arm as the chart has it: a link or the terrain, and what lies on the hexside."""
        costs: Mapping[str, Any] = self.chart["arm"][arm]
        along = [costs["links"][link] for link in sheet.links[origin, target] if link in costs.get("links", {})]
        price = min(along) if along else costs["terrain"].get(sheet.terrain[target], "closed")
        prices = [price]
        for feature in sheet.sides[origin, target]:
            if not self.is_bridged(sheet, origin, target, feature):
                prices.append(costs.get("sides", {}).get(feature, 0))
        return None if "closed" in prices else round(2 * sum(prices))

    def is_bridged(self, sheet: Sheet, origin: str, target: str, feature: str) -> bool:
        """Whether a link carries over what lies on a hexside."""
        bridges = self.chart.get("bridges", ())
        links = sheet.links[origin, target] & set(bridges)
        return any(feature in bridges[link] for link in links) if isinstance(bridges, dict) else bool(links)

    def steps(self, sheet: Sheet, arm: str) -> dict[tuple[str, str], Cost]:
        """Every step on the map; made once for an arm."""
        key = id(sheet), arm
        if key not in self._steps:
            self._steps[key] = {(a, b): self.step(sheet, arm, a, b) for a in sheet.near for b in sheet.near[a]}
        return self._steps[key]

    def allowance(self, field: Field, piece: Piece) -> int:
        """The half points that a piece may spend."""
        return 2 * piece.move

    def may_step(self, field: Field, piece: Piece, origin: str, target: str) -> bool:
        """Whether the ground lets a piece go from a hex into the next, whoever stands there."""
        return self.steps(field.sheet, piece.arm)[origin, target] is not None

    def may_enter(self, field: Field, piece: Piece, origin: str, target: str) -> bool:
        """Whether ground and enemy let it."""
        return self.may_step(field, piece, origin, target) and not field.is_enemy_held(piece.side, target)

    def reach(self, field: Field, piece: Piece) -> dict[str, int]:
        """Hex -> half points, for every hex that a piece can get to, its own included."""
        import networkx as nx

        watched = self.zones.watched(field, piece.side)
        shut = {enemy.at for enemy in field.against(piece.side)}

        def weight(origin: str, target: str, step: Mapping[str, int]) -> int | None:
            if target in shut:
                return None
            return step["cost"] + self.leave_zone * (origin in watched) + self.enter_zone * (target in watched)

        graph, allowance = self._graph(field.sheet, piece.arm), self.allowance(field, piece)
        found: dict[str, Any] = nx.single_source_dijkstra_path_length(graph, piece.at, cutoff=allowance, weight=weight)
        return found

    def _graph(self, sheet: Sheet, arm: str) -> nx.DiGraph[str]:
        """The steps that are open to an arm."""
        import networkx as nx

        key = id(sheet), arm
        if key not in self._graphs:
            graph: nx.DiGraph[str] = nx.DiGraph()
            graph.add_nodes_from(sheet.terrain)
            graph.add_edges_from((a, b, {"cost": cost}) for (a, b), cost in self.steps(sheet, arm).items() if cost is not None)
            self._graphs[key] = graph
        return self._graphs[key]

    def cost(self, field: Field, piece: Piece, path: Sequence[str]) -> Cost:
        """What a whole way costs; None if it cannot be gone."""
        if path[0] != piece.at or any(b not in field.sheet.near[a] for a, b in pairwise(path)):
            return None
        watched, total = self.zones.watched(field, piece.side), 0
        for origin, target in pairwise(path):
            price = self.step(field.sheet, piece.arm, origin, target)
            if price is None or field.is_enemy_held(piece.side, target):
                return None
            total += price + self.leave_zone * (origin in watched) + self.enter_zone * (target in watched)
        return total

    def ends(self, field: Field, piece: Piece) -> dict[str, int]:
        """Hex -> half points, for every hex in which a piece's move may end."""
        if not piece.move:
            return {}
        reached = self.reach(field, piece)
        return {
            label: cost for label, cost in reached.items() if label != piece.at and self.stacking.has_room(field, piece.id, label)
        }
