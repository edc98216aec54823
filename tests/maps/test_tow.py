"""Traces of War: what the rulebook says of its map, and what the campaign on the Dnieper must have."""

from __future__ import annotations

import networkx as nx
import pytest

from hexwar.board import Board
from tests.maps.geography import board, net


@pytest.fixture(scope="module")
def dnieper() -> Board:
    return board("tow/dnieper")


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("Kharkiv", "2634"),
        ("Kyiv", "2918"),
        ("Odesa", "0218"),
        ("Ternopil", "2305"),
        ("Stalino", "1338"),
        ("Dnipropetrovsk", "1631"),
    ],
)
def test_the_cities_under_supreme_command_order(dnieper: Board, name: str, label: str) -> None:  # 3.0.6
    place = dnieper.find(name)
    assert place.hexes == (label,)
    assert place.kind == "major-city"
    assert "supreme-command-order" in place.tags


def test_kremenchuk_and_its_crossing_points(dnieper: Board) -> None:  # 12.3.1, 12.3.5
    assert dnieper.find("Kremenchuk").hexes == ("1926",)
    points = dnieper.areas["crossing points"]
    assert len(points) == 6
    assert {"1826", "1827"} <= set(points)
    for point in ("1826", "1827"):
        assert dnieper.adjacent("1926", point)
        assert "major-river" in dnieper.side("1926", point)


def test_every_crossing_point_lies_on_the_western_bank(dnieper: Board) -> None:  # 12.3.1
    west = set(dnieper.areas["west of the dnieper"])
    for point in dnieper.areas["crossing points"]:
        assert point in west
        across = [other for other in dnieper.neighbours(point) if "major-river" in dnieper.side(point, other)]
        assert any(other not in west for other in across), point


def test_the_combat_example(dnieper: Board) -> None:  # 10.2
    assert dnieper.find("Novomoskovsk").hexes == ("1731",)
    for attacker in ("1732", "1832"):
        assert dnieper.adjacent("1731", attacker)
        assert not dnieper.side("1731", attacker) & {"minor-river", "major-river"}
    assert dnieper.distance("1731", "1630") == 2
    assert {"0620", "3020"} <= set(dnieper.labels)


@pytest.mark.parametrize(
    ("name", "western"),
    [
        ("Kyiv", True),
        ("Cherkasy", True),
        ("Dnipropetrovsk", True),
        ("Nikopol", True),
        ("Kherson", True),
        ("Kremenchuk", False),
        ("Zaporizhzhia", False),
        ("Poltava", False),
        ("Chernihiv", False),
    ],
)
def test_the_banks_of_the_dnieper(dnieper: Board, name: str, western: bool) -> None:  # 13.2.4
    assert (dnieper.find(name).hex in dnieper.areas["west of the dnieper"]) == western


@pytest.mark.parametrize("kind", ["rail", "road"])
def test_railways_and_roads_are_one_net_each(dnieper: Board, kind: str) -> None:
    assert nx.is_connected(net(dnieper, kind))


@pytest.mark.parametrize("side", ["axis", "soviet"])
def test_sources_lie_on_railways_at_the_edge(dnieper: Board, side: str) -> None:  # 2.1.5, 11.0.2
    for label in dnieper.areas[f"supply {side}"]:
        assert dnieper.has_link(label, "rail")
        assert len(dnieper.neighbours(label)) < 6


def test_breakthrough_hexes_lie_on_the_western_and_southern_edge(dnieper: Board) -> None:  # 2.1.4
    hexes = dnieper.areas["breakthrough"]
    assert {label[2:] == "01" or label[:2] == "01" for label in hexes} == {True}
    assert {label[2:] == "01" for label in hexes} == {True, False}
    assert all(dnieper.terrain(label) != "water" for label in hexes)


def test_terrain_is_that_of_the_chart(dnieper: Board) -> None:  # PA.TEC
    assert set(dnieper.terrain_names) == {"clear", "rough", "marsh", "water"}
    assert {"major-river", "minor-river", "blocked"} <= set(dnieper.side_features)
    assert {"major-city", "town"} <= {place.kind for place in dnieper.places}


def test_it_says_what_is_fact_fitted_and_reconstructed(dnieper: Board) -> None:
    assert {"fact", "fitted", "reconstructed"} <= dnieper.provenance.keys()
