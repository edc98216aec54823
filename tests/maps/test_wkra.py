"""The Wkra, 1920: what the design of the demonstration map states, and what the rules want of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import networkx as nx
import pytest

from hexwar.board import Board
from hexwar.cartography import check_board
from tests.maps.geography import board, net

WATER = ("large-river", "river", "brook")


@pytest.fixture(scope="module")
def wkra() -> Board:
    return board("wop/wkra")


def crossings(on: Board, kind: str) -> Iterator[tuple[str, str]]:
    """The sides that a kind of link crosses and that have a watercourse."""
    for a, b, data in on.graph.edges(data=True):
        if kind in data["links"] and data["side"] & set(WATER):
            yield min(a, b), max(a, b)


def test_the_frame(wkra: Board) -> None:
    assert len(wkra) == 28 * 24 == 672
    assert wkra.orientation == "flat"
    assert (wkra.labels[0], wkra.labels[-1]) == ("0101", "2824")


def test_even_columns_lie_half_a_hex_lower(wkra: Board) -> None:
    assert wkra.centre("0201")[1] == wkra.centre("0101")[1] + 0.5
    assert set(wkra.neighbours("0204")) == {"0203", "0205", "0104", "0105", "0304", "0305"}


def test_terrain(wkra: Board) -> None:
    assert Counter(map(wkra.terrain, wkra.labels)) == {
        "clear": 616,
        "forest": 33,
        "town": 9,
        "marsh": 7,
        "hill": 4,
        "city": 2,
        "fort": 1,
    }
    assert [label for label in wkra.labels if wkra.terrain(label) == "marsh"] == [
        "0203",
        "0507",
        "0709",
        "2713",
        "2715",
        "2021",
        "2321",
    ]
    assert {label for label in wkra.labels if wkra.terrain(label) == "hill"} == {"1113", "1221", "1402", "1515"}
    assert {wkra.terrain(label) for label in ("0107", "1109", "1720", "2416", "2606")} == {"forest"}


@pytest.mark.parametrize(
    ("name", "label", "kind"),
    [
        ("Modlin", "1523", "fort"),
        ("Nowy Dwor", "1623", "town"),
        ("Zakroczym", "1222", "town"),
        ("Pomiechowek", "1721", "village"),
        ("Borkowo", "1418", "village"),
        ("Nasielsk", "1916", "town"),
        ("Cieksyn", "1516", "village"),
        ("Joniec", "1215", "village"),
        ("Nowe Miasto", "1313", "town"),
        ("Sochocin", "0811", "town"),
        ("Plonsk", "0514", "town"),
        ("Swiercze", "1713", "village"),
        ("Gasocin", "1609", "village"),
        ("Ciechanow", "1303", "city"),
        ("Glinojeck", "0205", "town"),
        ("Pultusk", "2711", "city"),
        ("Serock", "2719", "town"),
        ("Golymin", "2106", "town"),
        ("Debe", "2220", "village"),
        ("Winnica", "2314", "village"),
        ("Opinogora", "1702", "village"),
        ("Strzegocin", "2210", "village"),
    ],
)
def test_places_and_the_terrain_under_them(wkra: Board, name: str, label: str, kind: str) -> None:
    assert (wkra.find(name).hexes, wkra.find(name).kind) == ((label,), kind)
    # A village has no effect of its own (11.1, 14.13.t); towns, cities and the fort are terrain.
    assert wkra.terrain(label) == (kind if kind != "village" else "clear")


def test_there_are_no_other_places(wkra: Board) -> None:
    assert len(wkra.places) == 22


def test_stations_lie_on_the_railway(wkra: Board) -> None:  # 18.3
    stations = [place.hex for place in wkra.places if "station" in place.tags]
    assert sorted(stations) == ["1303", "1609", "1623", "1713", "1721", "1916"]
    assert all(wkra.has_link(station, "rail") for station in stations)


def test_supply_bases(wkra: Board) -> None:
    assert wkra.areas["supply polish"] == ("1523", "2224")
    assert wkra.areas["supply soviet"] == ("2810", "1901", "1101")
    for label in ("2224", "1101"):
        assert wkra.has_link(label, "rail")
    for label in ("1523", "2224", "2810", "1901"):
        assert wkra.has_link(label, "road")


def test_the_railway_runs_from_the_warsaw_road_to_mlawa_in_one_line(wkra: Board) -> None:
    railway = net(wkra, "rail")
    assert {label for label, number in railway.degree() if number == 1} == {"2224", "1101"}
    assert nx.is_connected(railway)
    assert railway.number_of_edges() == 34


def test_an_echelon_reaches_pomiechowek_in_nine_hexes(wkra: Board) -> None:  # 18.2, the third worked example
    assert nx.shortest_path_length(net(wkra, "rail"), "2224", "1721") == 9


def test_roads_are_one_net_that_reaches_every_town(wkra: Board) -> None:
    roads = net(wkra, "road")
    assert nx.is_connected(roads)
    for place in wkra.places:
        if place.kind != "village":
            assert place.hex in roads, place.name
    for edge in ("0301", "1901", "2810", "2224"):
        assert edge in roads


def test_watercourses_have_their_length(wkra: Board) -> None:
    count = Counter(name for names in wkra.content.sides.values() for name in names)
    assert {name: count[name] for name in WATER} == {"large-river": 64, "river": 51, "brook": 68}


@pytest.mark.parametrize(
    ("feature", "a", "b"),
    [
        ("large-river", "2709", "2809"),
        ("large-river", "2719", "2720"),
        ("large-river", "1523", "1623"),
        ("large-river", "0724", "0824"),
        ("river", "0105", "0204"),
        ("river", "1215", "1216"),
        ("river", "1722", "1821"),
        ("brook", "1301", "1401"),
        ("brook", "0809", "0810"),
        ("brook", "2204", "2305"),
        ("brook", "1114", "1214"),
        ("brook", "1517", "1518"),
    ],
)
def test_watercourses_run_on_their_hexsides(wkra: Board, feature: str, a: str, b: str) -> None:
    assert feature in wkra.side(a, b)
    assert wkra.side(a, b) == wkra.side(b, a)


def test_every_watercourse_belongs_to_one_river_system(wkra: Board) -> None:
    graph: nx.Graph[object] = nx.Graph(side.vertices for side, names in wkra.content.sides.items() if names & set(WATER))
    assert nx.is_connected(graph)
    assert nx.is_tree(graph)


def test_bridges_are_where_a_route_crosses_water(wkra: Board) -> None:
    bridges = {(min(a, b), max(a, b)) for a, b, data in wkra.graph.edges(data=True) if "bridge" in data["side"]}
    assert bridges == {*crossings(wkra, "rail"), *crossings(wkra, "road")}
    assert len(bridges) == 14
    assert set(crossings(wkra, "rail")) == {
        ("1622", "1623"),
        ("1621", "1721"),
        ("1816", "1916"),
        ("1609", "1610"),
        ("1202", "1303"),
    }


@pytest.mark.parametrize(
    ("course", "first", "last", "length"),
    [("course narew", ("2719", "2720"), ("1523", "1623"), 24), ("course vistula", ("1624", "1724"), ("0724", "0824"), 19)],
)
def test_navigable_courses_run_downstream(
    wkra: Board, course: str, first: tuple[str, str], last: tuple[str, str], length: int
) -> None:  # 16.1-16.4: river units stand on hexsides, and upstream costs
    labels = wkra.areas[course]
    sides = []
    for k, label in enumerate(labels[1:], 1):
        before = [it for it in labels[:k] if wkra.adjacent(label, it) and {"navigable", "large-river"} <= wkra.side(label, it)]
        sides.append((min(label, before[-1]), max(label, before[-1])))
    assert (sides[0], sides[-1], len(sides)) == (first, last, length)
    chain = [next(side for side in wkra.content.sides if {wkra.at(h) for h in side.hexes} == {*pair}) for pair in sides]
    assert all(set(a.vertices) & set(b.vertices) for a, b in pairwise(chain))


def test_nothing_else_is_navigable(wkra: Board) -> None:
    assert sum("navigable" in names for names in wkra.content.sides.values()) == 24 + 19


def test_the_wkra_parts_the_sides_of_the_worked_examples(wkra: Board) -> None:
    for a, b in [("0912", "0913"), ("1012", "0913"), ("1519", "1618")]:
        assert "river" in wkra.side(a, b)
    assert wkra.adjacent("0912", "0811")
    assert wkra.distance("1418", "1618") == 2


def test_the_map_says_where_it_comes_from(wkra: Board) -> None:
    assert "not the printed map" in wkra.provenance["map"]
    assert wkra.provenance["reconstructed"]


def test_the_map_has_no_mistakes(wkra: Board) -> None:
    assert check_board(wkra) == []
