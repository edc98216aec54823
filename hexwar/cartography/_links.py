"""Railways and roads: chains of towns laid through hexes, sharing hexes where they run together and never along the map edge."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import Final

import networkx as nx
import shapely
from shapely import LineString
from shapely import Point as PlanePoint

from hexwar.cartography._grid import Grid
from hexwar.cartography._recipe import LinkPart
from hexwar.cartography._survey import Settlement, Settlements
from hexwar.hexes import Hex, Hexside, disk, hex_at
from hexwar.hexes import line as hexes_between

_SHARED: Final = 0.55
_STRAY: Final = 2.5
_WIDTH: Final = 2


@dataclass(slots=True)
class Links:
    """One kind of link: the chains of every line, and the sides that they cross."""

    chains: dict[str, list[list[Hex]]] = field(default_factory=dict)
    sides: set[Hexside] = field(default_factory=set)

    def add(self, line: str, chain: list[Hex]) -> None:
        """Add a chain of hexes; it goes on where the last one of the line ended, if it can."""
        self.sides.update(Hexside.between(a, b) for a, b in pairwise(chain))
        chains = self.chains.setdefault(line, [])
        if chains and chains[-1][-1] == chain[0]:
            chains[-1].extend(chain[1:])
        else:
            chains.append(list(chain))

    def keep_greatest_net(self) -> None:
        """Leave out what the edge of the map cuts off: two hexes of railway that lead nowhere only mislead."""
        net: nx.Graph[Hex] = nx.Graph([side.hexes for side in sorted(self.sides)])
        kept = max(nx.connected_components(net), key=lambda part: (len(part), min(part)), default=set())
        self.sides = {side for side in self.sides if side.hex in kept}
        within = {name: [chain for chain in chains if chain[0] in kept] for name, chains in self.chains.items()}
        self.chains = {name: chains for name, chains in within.items() if chains}


class LinkLayer:
    """Lays lines between towns.

    Args:
        grid: the grid.
        settlements: the towns.
        closed: hexes that no line enters.
        walls: sides that no line crosses.
        part: where lines leave the map by a rule.
    """

    def __init__(
        self, grid: Grid, settlements: Settlements, closed: Collection[Hex], walls: Collection[Hexside], part: LinkPart
    ) -> None:
        self._grid = grid
        self._settlements = settlements
        self._exits = {pair: grid.at(label) for pair, label in part.exits.items()}
        self._via = {pair: grid.at(label) for pair, label in part.via.items()}
        self._rank = {side: rank for rank, side in enumerate(grid.sides)}
        self._graph = grid.graph(walls, closed)

    def lay(self, lines: Mapping[str, Sequence[str]]) -> Links:
        """Lay all lines of one kind."""
        links = Links()
        for name, towns in lines.items():
            for a, b in pairwise(towns):
                for start, end in self._stretches(self._settlements.all[a], self._settlements.all[b]):
                    self._lay_stretch(links, name, start, end, f"{a} to {b}")
        return links

    def _stretches(self, a: Settlement, b: Settlement) -> list[tuple[Hex, Hex]]:
        start, end = self._facing(a, b), self._facing(b, a)
        via = self._via.get(f"{a.town.name} to {b.town.name}")
        return [(start, end)] if via is None else [(start, via), (via, end)]

    def _lay_stretch(self, links: Links, name: str, start: Hex, end: Hex, pair: str) -> None:
        seen = self._seen(start, end, pair)
        if seen is not None and seen[0] != seen[1] and seen[0] in self._graph and seen[1] in self._graph:
            way = self._way(links, *seen)
            if way:
                links.add(name, way)

    def _facing(self, city: Settlement, other: Settlement) -> Hex:
        """The hex of a city where a line to another town begins."""
        return min(city.hexes, key=lambda h: (round(math.dist(self._grid.centre(h), other.point), 4), h))

    def _seen(self, start: Hex, end: Hex, pair: str) -> tuple[Hex, Hex] | None:
        """The two hexes; for one off the map, where the recipe lets the line leave, or the last hex of the straight line.

        A line between two towns off the map would only cut a corner of it, joined to nothing.
        """
        inside = self._grid.inside
        if start in inside and end in inside:
            return start, end
        if start not in inside and end not in inside:
            return None
        line = LineString([self._grid.centre(start), self._grid.centre(end)])
        parts = [part for part in shapely.get_parts(shapely.intersection(line, self._grid.ground)).tolist() if part.length >= 0.4]
        if not parts:
            return None
        longest = max(parts, key=lambda part: (round(part.length, 4), part.coords[0]))
        at_ends = longest.interpolate(0.02), longest.interpolate(longest.length - 0.02)
        first, last = (self._exits.get(pair, hex_at(point.x, point.y, self._grid.orientation)) for point in at_ends)
        found = start if start in inside else first, end if end in inside else last
        return found if inside.issuperset(found) else None

    def _way(self, links: Links, start: Hex, end: Hex) -> list[Hex]:
        line = LineString([self._grid.centre(start), self._grid.centre(end)])
        near = self._graph.subgraph({h for step in hexes_between(start, end) for h in disk(step, _WIDTH)})
        if not nx.has_path(near, start, end):
            return []

        def weight(a: Hex, b: Hex, data: dict[str, Hexside]) -> int:
            (ax, ay), (bx, by) = self._grid.centre(a), self._grid.centre(b)
            cost = 1 + _STRAY * round(line.distance(PlanePoint((ax + bx) / 2, (ay + by) / 2)), 4)
            if data["side"] in links.sides:
                cost *= _SHARED
            return round(cost * 1000) * 1_000_000 + self._rank[data["side"]]

        return list(nx.dijkstra_path(near, start, end, weight))


def join_cities(links: Links, settlements: Settlements, grid: Grid) -> None:
    """Join the hexes of each city with each other."""
    for name, it in settlements.all.items():
        for a, b in combinations(it.hexes, 2):
            if a in grid.inside and b in grid.around(a):
                links.add(f"within {name}", [a, b])
