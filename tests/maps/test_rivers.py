"""Rivers on all bundled maps of real countries: none ends in the middle of nowhere."""

from __future__ import annotations

import networkx as nx
import pytest

from hexwar.hexes import Hexside, Vertex
from tests.maps.geography import board

RIVERS = frozenset(("minor-river", "major-river"))
SHORES = frozenset(("water", "blocked"))
WATER = frozenset(("sea", "lake", "water"))


@pytest.mark.parametrize("name", ["ava/campaign", "tow/dnieper"])
def test_every_river_reaches_water_or_the_edge_of_the_map(name: str) -> None:
    content = board(name).content
    courses: nx.Graph[Vertex] = nx.Graph()
    ends: set[Vertex] = set()
    for side, features in content.sides.items():
        if features & RIVERS:
            courses.add_edge(*side.vertices)
        if features & SHORES:
            ends.update(side.vertices)
    for h, printed in content.hexes.items():
        for d in range(6):
            side = Hexside.of(h, d)
            if printed.terrain in WATER or not all(other in content.hexes for other in side.hexes):
                ends.update(side.vertices)
    for course in nx.connected_components(courses):
        assert course & ends, sorted(course)[:2]


@pytest.mark.parametrize("name", ["ava/campaign", "tow/dnieper"])
def test_rivers_run_between_land_hexes_only_and_are_of_one_class(name: str) -> None:
    content = board(name).content
    for side, features in content.sides.items():
        if features & RIVERS:
            assert all(content.hexes[h].terrain not in WATER for h in side.hexes)
            assert len(features & RIVERS) == 1
            assert not features & SHORES
