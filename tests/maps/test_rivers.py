"""Rivers on all bundled maps of real countries: none ends in the middle of nowhere."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import pytest

from hexwar.cartography import check_board
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


@pytest.mark.parametrize("name", ["ava/campaign", "ava/kiev", "ava/leningrad", "ava/smolensk", "tow/dnieper", "wop/wkra"])
def test_rivers_close_no_ring(name: str) -> None:
    assert [str(finding) for finding in check_board(board(name)) if "rivers all around" in finding.reason] == []


@pytest.mark.parametrize(
    ("name", "around"),
    [
        ("ava/kiev", ("K1311", "K1411", "K1412")),  # Seret and Strypa
        ("ava/kiev", ("K4117", "K4217", "K4218")),  # Ingul and Tyasmin
        ("tow/dnieper", ("2405", "2504", "2505")),  # Seret and Strypa
        ("tow/dnieper", ("2604", "2704", "2605")),  # Ikva and Styr
        ("tow/dnieper", ("1622", "1722", "1623")),  # Ingul and Tyasmin
        ("tow/dnieper", ("2307", "2408", "2308")),  # Sluch and Southern Bug
    ],
)
def test_no_two_rivers_rise_from_one_vertex(name: str, around: tuple[str, str, str]) -> None:
    on = board(name)
    sides = [on.side(a, b) & RIVERS for a, b in combinations(around, 2)]
    assert sum(map(bool, sides)) < 2


@pytest.mark.parametrize("name", ["ava/campaign", "tow/dnieper"])
def test_rivers_run_between_land_hexes_only_and_are_of_one_class(name: str) -> None:
    content = board(name).content
    for side, features in content.sides.items():
        if features & RIVERS:
            assert all(content.hexes[h].terrain not in WATER for h in side.hexes)
            assert len(features & RIVERS) == 1
            assert not features & SHORES
