"""The compiled board: labels, neighbours, features, masks, crops and views."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from itertools import product

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexwar.board import Board, BoardContent, HexContent, Place, load_map
from hexwar.errors import UnknownName
from hexwar.hexes import Hex, Hexside, distance, neighbours
from tests.board.samples import FORD, STEPPE
from tests.board.strategies import FEATURES, LINKS, TERRAINS, boards

SETTINGS = settings(deadline=None)


@pytest.fixture(scope="module")
def ford() -> Board:
    return load_map(FORD)


def test_hexes_come_in_reading_order(ford: Board) -> None:
    assert ford.labels == ("0101", "0201", "0301", "0401", "0102", "0202", "0302", "0402", "0103", "0203", "0303")
    assert tuple(ford.label(i) for i in ford.hexes) == ford.labels
    assert len(ford) == 11
    assert repr(ford) == "<Board demo/ford: 11 hexes>"
    assert (ford.id, ford.title, ford.orientation) == ("demo/ford", "The ford", "flat")


def test_rows_from_the_south_are_still_read_from_the_north() -> None:
    assert load_map(STEPPE).labels == ("0301", "0302", "0303", "0201", "0202", "0203", "0101", "0102")


def test_unknown_labels_are_errors_with_a_hint(ford: Board) -> None:
    assert "0403" not in ford
    with pytest.raises(UnknownName, match="no hex is called '0403'; did you mean 0402, 0401"):
        ford.index("0403")
    with pytest.raises(UnknownName, match="no hex is called '7'"):
        ford.terrain(7)  # type: ignore[arg-type]
    with pytest.raises(UnknownName, match="no hex index is called '0'"):
        ford.label(0)


def test_terrain_properties_and_provenance(ford: Board) -> None:
    assert ford.terrain("0302") == "lake"
    assert ford.terrain("0303") == "forest"
    assert ford.properties("0303") == {"height": 3, "name": "Hill 3"}
    assert ford.properties("0101") == {}
    assert ford.terrain_names == ("clear", "forest", "lake")
    assert ford.provenance == {"terrain": "invented"}


def test_neighbours_and_distances(ford: Board) -> None:
    assert ford.neighbours("0102") == ("0101", "0202", "0203", "0103")
    assert ford.adjacent("0102", "0203")
    assert not ford.adjacent("0102", "0201")
    assert not ford.adjacent("0102", "0102")
    assert ford.direction("0102", "0203") == 2
    with pytest.raises(ValueError, match="0101 and 0103 are not adjacent"):
        ford.direction("0101", "0103")
    assert ford.distance("0101", "0402") == 3
    assert ford.disk("0102", 1) == ("0102", "0101", "0202", "0203", "0103")
    assert ford.disk("0102", 0) == ("0102",)
    assert set(ford.disk("0102", 99)) == set(ford.labels)
    assert ford.near("0102", 1) == ford.mask(["0102", "0101", "0202", "0203", "0103"]) == ford.near("0102", 1)
    assert ford.centre("0101") == (0, 0)
    assert ford.hex("0101") == Hex(0, 0)
    assert (ford.at(Hex(0, 1)), ford.at(Hex(0, 9))) == ("0102", None)


def test_sides_are_the_same_from_both_hexes(ford: Board) -> None:
    assert ford.side("0101", "0102") == ford.side("0102", "0101") == {"river"}
    assert ford.side("0202", "0301") == {"cliff", "river"}
    assert ford.side("0301", "0302") == {"river"}
    assert ford.side("0102", "0103") == set()
    assert ford.side_features == ("cliff", "river")
    with pytest.raises(ValueError, match="0101 and 0103 are not adjacent"):
        ford.side("0101", "0103")


def test_links(ford: Board) -> None:
    assert ford.links("0103", "0102") == {"road", "rail"}
    assert ford.links("0102", "0203") == {"road"}
    assert ford.links("0101", "0201") == set()
    assert ford.link_kinds == ("rail", "road")
    assert ford.link_hexes("road") == ("0101", "0102", "0103", "0203")
    assert ford.link_hexes("canal") == ()
    assert ford.has_link("0203", "road")
    assert not ford.has_link("0203", "rail")
    assert not ford.has_link("0203", "canal")


def test_places_and_areas(ford: Board) -> None:
    mill = Place("Lower Mill", "town", ("0103",), 2, frozenset({"port", "supply"}))
    assert ford.place("0103") == mill == ford.find("Lower Mill")
    assert ford.place("0401") == ford.place("0301") == ford.places[1]
    assert ford.places[1].hex == "0301"
    assert ford.place("0101") is None
    with pytest.raises(UnknownName, match="did you mean Lower Mill"):
        ford.find("Lover Mill")
    assert ford.areas == {"west bank": ("0101", "0102", "0103", "0201"), "north edge": ("0101", "0201", "0301", "0401")}


def test_masks(ford: Board) -> None:
    labels = ("0201", "0303", "0101")
    assert ford.unmask(ford.mask(labels)) == ("0101", "0201", "0303")
    assert ford.unmask(-1) == ford.labels
    assert ford.unmask(0) == ()
    assert sorted(ford.scattered(ford.mask(labels))) == ["0101", "0201", "0303"]
    assert ford.unmask(ford.terrain_mask("lake", "forest", "lake")) == ("0301", "0401", "0302", "0402", "0303")
    assert ford.terrain_mask("lava") == 0


def test_walls_stand_on_both_sides_and_bridges_open_them(ford: Board) -> None:
    north, south = 0, 3
    river = ford.walls("river")
    assert ford.unmask(river[north]) == ("0302", "0102") or ford.unmask(river[north]) == ("0102", "0302")
    assert set(ford.unmask(river[south])) == {"0101", "0301"}
    bridged = ford.walls("river", unless_link=["road"])
    assert ford.unmask(bridged[north]) == ("0302",)
    assert ford.walls("river") is river
    assert ford.walls("rampart") == (0, 0, 0, 0, 0, 0)


def test_link_walls_are_everywhere_but_along_the_link(ford: Board) -> None:
    rail = ford.link_walls("rail")
    assert ford.everywhere & ~rail[3] == ford.mask(["0102"])
    assert ford.everywhere & ~rail[0] == ford.mask(["0103"])
    assert all(rail[d] == ford.everywhere for d in (1, 2, 4, 5))
    assert ford.link_walls("rail") is rail


def test_a_crop_keeps_what_lies_inside(ford: Board) -> None:
    part = ford.crop(["0301", "0101", "0102"])
    assert part.labels == ("0101", "0301", "0102")
    assert part.links("0101", "0102") == {"road"}
    assert part.link_hexes("rail") == ()
    assert part.side("0101", "0102") == {"river"}
    assert part.find("Twin Oaks").hexes == ("0301",)
    assert [place.name for place in part.places] == ["Twin Oaks"]
    assert part.areas == {"west bank": ("0101", "0102"), "north edge": ("0101", "0301")}
    assert part.terrain_names == ford.terrain_names
    assert part.hex("0102") == ford.hex("0102")
    assert part.digest != ford.digest
    with pytest.raises(UnknownName):
        ford.crop(["9999"])


def test_the_graph_shows_the_same_board(ford: Board) -> None:
    graph = ford.graph
    assert tuple(graph.nodes) == ford.labels
    assert graph.nodes["0103"] == {"labels": ("0103",), "terrain": "clear", "place": ford.find("Lower Mill")}
    assert graph.edges["0102", "0101"] == {"side": {"river"}, "links": {"road"}}
    assert ford.graph is graph
    with pytest.raises(nx.NetworkXError):
        graph.remove_node("0101")


def test_cells_and_outline_are_shapes(ford: Board) -> None:
    cell = ford.cell("0101")
    assert cell.area == pytest.approx(3**0.5 / 2)
    assert (cell.centroid.x, cell.centroid.y) == pytest.approx((0, 0))
    assert ford.outline.area == pytest.approx(11 * cell.area)
    assert ford.outline.geom_type == "Polygon"


def test_the_digest_is_of_content_not_of_wording_or_order(ford: Board) -> None:
    content = ford.content
    shuffled = replace(
        content,
        id="other",
        title="Other",
        provenance={},
        hexes=dict(reversed(list(content.hexes.items()))),
        sides=dict(reversed(list(content.sides.items()))),
        areas=dict(reversed(list(content.areas.items()))),
    )
    assert Board(shuffled).digest == ford.digest
    assert load_map(FORD.replace("height = 3", "height = 4")).digest != ford.digest
    assert load_map(FORD.replace("value = 2", "value = 3")).digest != ford.digest
    assert load_map(FORD.replace('"0301|0302"', '"0302/N"')).digest == ford.digest


def test_the_digest_does_not_depend_on_the_hash_seed(ford: Board) -> None:
    code = "import sys; from hexwar.board import load_map; print(load_map(sys.stdin.read()).digest)"
    environment = {**os.environ, "PYTHONHASHSEED": "12345", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], input=FORD, capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.strip() == ford.digest


def test_importing_is_light() -> None:
    code = "import sys, hexwar.hexes, hexwar.board; print(*(m for m in ('networkx', 'shapely', 'pydantic') if m in sys.modules))"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.strip() == ""


ONE = {Hex(0, 0): HexContent(("a",), "clear")}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (BoardContent(id="x", hexes={}), "at least one hex"),
        (BoardContent(id="x", hexes={**ONE, Hex(0, 1): ONE[Hex(0, 0)]}), "the label a is given to two hexes"),
        (BoardContent(id="x", hexes={**ONE, Hex(2000, 2000): HexContent(("b",), "clear")}), "too far apart"),
        (BoardContent(id="x", hexes=ONE, links={Hexside(Hex(0, 0), 0): frozenset({"road"})}), "a link runs off the board"),
        (BoardContent(id="x", hexes=ONE, places=(Place("P", "town", ("b",)),)), "the place P lies in b, which is no hex"),
        (BoardContent(id="x", hexes=ONE, areas={"A": ("b",)}), "the area A lies in b, which is no hex"),
    ],
)
def test_content_that_contradicts_itself_is_refused(content: BoardContent, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Board(content)


@SETTINGS
@given(boards())
def test_the_index_knows_the_same_neighbours_as_the_coordinates(board: Board) -> None:
    for label in board.labels:
        near = [board.at(h) for h in neighbours(board.hex(label))]
        assert board.neighbours(label) == tuple(other for other in near if other is not None)
        assert board.around(label) == board.mask(board.neighbours(label))
        assert near == [board.label(n) if (n := board.index(label) + delta) in board.hexes else None for delta in board.deltas]
    for a, b in product(board.labels[:12], repeat=2):
        assert board.adjacent(a, b) == (distance(board.hex(a), board.hex(b)) == 1)


@SETTINGS
@given(boards())
def test_every_slot_next_to_a_hex_is_in_the_table(board: Board) -> None:
    assert all(0 <= i + delta < board.size for i in board.hexes for delta in board.deltas)
    assert board.everywhere.bit_length() <= board.size


@SETTINGS
@given(boards(), st.integers(0, 9), st.data())
def test_disks_hold_the_hexes_within_reach(board: Board, n: int, data: st.DataObject) -> None:
    middle = data.draw(st.sampled_from(board.labels))
    found = board.disk(middle, n)
    assert sorted(found) == sorted(label for label in board.labels if board.distance(middle, label) <= n)
    assert [board.distance(middle, label) for label in found] == sorted(board.distance(middle, label) for label in found)


@SETTINGS
@given(boards(), st.sets(st.sampled_from(FEATURES)), st.sets(st.sampled_from(LINKS)))
def test_walls_say_what_the_sides_say(board: Board, features: set[str], bridges: set[str]) -> None:
    walls = board.walls(*features, unless_link=bridges)
    for label in board.labels:
        for other in board.neighbours(label):
            blocked = bool(board.side(label, other) & features) and not board.links(label, other) & bridges
            assert bool(walls[board.direction(label, other)] >> board.index(label) & 1) == blocked
    assert all(wall & ~board.everywhere == 0 for wall in walls)
    # Both ends of a side block it, so going backwards changes nothing between hexes of the board.
    inner = [board.everywhere & board.reverse((board.everywhere,) * 6)[d] for d in range(6)]
    assert [wall & inside for wall, inside in zip(walls, inner, strict=True)] == list(board.reverse(walls))


@SETTINGS
@given(boards())
def test_masks_split_the_board_by_terrain_and_link(board: Board) -> None:
    assert sum(board.terrain_mask(name) for name in TERRAINS) == board.everywhere == board.terrain_mask(*TERRAINS)
    for kind in LINKS:
        ends = {label for a, b in board.graph.edges if kind in board.graph.edges[a, b]["links"] for label in (a, b)}
        assert set(board.link_hexes(kind)) == ends == {label for label in board.labels if board.has_link(label, kind)}
        along = board.link_walls(kind)
        for label in board.labels:
            for other in board.neighbours(label):
                blocked = along[board.direction(label, other)] >> board.index(label) & 1
                assert bool(blocked) == (kind not in board.links(label, other))


@SETTINGS
@given(boards(), st.data())
def test_one_hex_of_a_mask_is_found_in_the_order_of_labels(board: Board, data: st.DataObject) -> None:
    some = data.draw(st.lists(st.sampled_from(board.labels), min_size=1, unique=True))
    assert [board.nth(board.mask(some), number) for number in range(len(some))] == sorted(some)


@SETTINGS
@given(boards(), st.data())
def test_a_crop_is_an_induced_subgraph(board: Board, data: st.DataObject) -> None:
    kept = data.draw(st.sets(st.sampled_from(board.labels), min_size=1))
    part = board.crop(kept)
    whole = nx.Graph(board.graph.subgraph(kept), id=board.id, title=board.title)
    for label in kept:  # of a place of several hexes, those stay that are kept
        place = board.place(label)
        whole.nodes[label]["place"] = place and replace(place, hexes=tuple(other for other in place.hexes if other in kept))
    assert nx.utils.graphs_equal(part.graph, whole)
    assert list(part.labels) == [label for label in board.labels if label in kept]


def test_provenance_and_properties_can_be_written_as_json(ford: Board) -> None:
    assert json.loads(json.dumps(dict(ford.properties("0303")))) == {"height": 3, "name": "Hill 3"}
