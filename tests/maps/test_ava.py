"""A Victory Awaits: what the rulebook says of its maps, and what any map of the campaign must have."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import networkx as nx
import pytest

from hexwar.board import Board
from tests.maps.geography import board, halves, net, rows

CAMPAIGN = "ava/campaign"
SHEETS = {"L": "ava/leningrad", "S": "ava/smolensk", "K": "ava/kiev"}
FRAMES = {"L": "frame leningrad", "S": "frame smolensk", "K": "frame kiev"}
STARTS = rows("ava_starts.csv")
WATER = ("sea", "lake")


@pytest.fixture(scope="module")
def campaign() -> Board:
    return board(CAMPAIGN)


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("Leningrad", {"L3602", "L3603", "L3702"}),
        ("Vitebsk", {"S3510"}),
        ("Smolensk", {"S4112"}),
        ("Gomel", {"S3726"}),
        ("Rzhev", {"S5003"}),
        ("Vyazma", {"S5009"}),
        ("Bryansk", {"S5120"}),
        ("Kiev", {"K3507", "K3607", "K3608"}),
    ],
)
def test_the_cities_that_must_stand_fast(campaign: Board, name: str, labels: set[str]) -> None:  # 16.2.2
    place = campaign.find(name)
    assert set(place.hexes) == labels
    assert place.kind == "major-city"
    assert "stand-fast" in place.tags


def test_brest(campaign: Board) -> None:  # 4.0.16
    assert campaign.find("Brest").hexes == ("S0927",)


@pytest.mark.parametrize("city", [("L3602", "L3603", "L3702"), ("K3507", "K3607", "K3608")])
def test_a_city_of_three_hexes_hangs_together(campaign: Board, city: tuple[str, ...]) -> None:  # 2.1.9, TEC.13
    for a, b in combinations(city, 2):
        assert campaign.adjacent(a, b)
        assert campaign.links(a, b) == {"rail", "road"}


def test_there_are_twenty_one_major_city_hexes_seven_on_each_sheet(campaign: Board) -> None:
    hexes = [label for place in campaign.places if place.kind == "major-city" for label in place.hexes]
    assert Counter(label[0] for label in hexes) == {"L": 7, "S": 7, "K": 7}


@pytest.mark.parametrize(
    ("a", "b"),
    [("S2730", "K2701"), ("S2730", "K2801"), ("K2801", "S2830"), ("K2801", "S2930"), ("S2930", "K2901")],
)
def test_the_seam_of_smolensk_and_kiev(campaign: Board, a: str, b: str) -> None:  # 18.2.10
    assert campaign.adjacent(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("L1523", "L1522"),
        ("L1523", "L1423"),
        ("L1523", "L1424"),
        ("L1523", "L1524"),
        ("L1523", "L1623"),
        ("L1523", "L1624"),
        ("L1524", "L1624"),
        ("L1524", "L1625"),
        ("L1624", "L1625"),
    ],
)
@pytest.mark.parametrize("name", [CAMPAIGN, SHEETS["L"]])
def test_the_hexes_of_the_retreat_example(name: str, a: str, b: str) -> None:  # 10.6
    assert board(name).adjacent(a, b)


@pytest.mark.parametrize("name", [CAMPAIGN, SHEETS["L"]])
def test_the_ground_of_the_retreat_example(name: str) -> None:  # 10.3, 10.6, 10.7
    on = board(name)
    assert not on.adjacent("L1524", "L1623")
    assert on.terrain("L1523") == "clear"
    assert on.terrain("L1624") == "dense-forest"
    assert not on.side("L1522", "L1523") & {"minor-river", "major-river"}
    for attacker in ("L1423", "L1424"):
        assert on.side("L1523", attacker) & {"minor-river", "major-river"}


def test_the_sheets_overlap_by_twenty_rows_and_lie_edge_to_edge(campaign: Board) -> None:  # 2.1.1, 2.1.10
    assert campaign.aliases("L1523") == ("S1503", "L1523")
    assert campaign.aliases("S0101") == ("S0101", "L0121")
    assert campaign.aliases("L3602") == ("L3602",)
    assert campaign.aliases("K3507") == ("K3507",)
    assert campaign.adjacent("L0120", "S0101")
    assert {label[0] for label in campaign.labels} == {"L", "S", "K"}


def test_both_sheets_print_the_same_in_the_overlap() -> None:
    north, middle = board(SHEETS["L"]), board(SHEETS["S"])
    shared = [f"{column:02}{row:02}" for column in range(1, 56) for row in range(1, 13)]
    for label in shared:
        upper, lower = f"L{label[:2]}{int(label[2:]) + 20}", f"S{label}"
        assert north.terrain(upper) == middle.terrain(lower)
        below = f"S{label[:2]}{int(label[2:]) + 1:02}"
        upper_below = f"L{label[:2]}{int(label[2:]) + 21}"
        assert north.side(upper, upper_below) == middle.side(lower, below)
        assert north.links(upper, upper_below) == middle.links(lower, below)


def test_sources_and_breakthrough_hexes_of_the_rulebook(campaign: Board) -> None:  # 2.1.8, 15.4.2, 16.3.2, 18.2.9
    assert set(campaign.areas["supply moscow"]) == {"S5504", "S5507", "S5513"}
    assert set(campaign.areas["supply moscow"]) <= set(campaign.areas["supply soviet"])
    assert set(campaign.areas["breakthrough"]) == {"S4230", "S4730"}
    for label in ("S5504", "S5507", "S5513", "S4230", "S4730"):
        assert campaign.has_link(label, "rail")


@pytest.mark.parametrize("kind", ["rail", "road"])
def test_railways_and_roads_are_one_net_each(campaign: Board, kind: str) -> None:
    assert nx.is_connected(net(campaign, kind))


def test_a_bridge_is_where_a_link_crosses_a_river(campaign: Board) -> None:  # 2.1.4
    for a, b, data in campaign.graph.edges(data=True):
        crossed = bool(data["side"] & {"minor-river", "major-river"}) and bool(data["links"])
        assert ("bridge" in data["side"]) == crossed, (a, b)


def test_no_link_enters_water_and_none_crosses_a_water_side(campaign: Board) -> None:  # 3.3.6, TEC.5
    for a, b, data in campaign.graph.edges(data=True):
        if data["links"]:
            assert campaign.terrain(a) not in WATER
            assert campaign.terrain(b) not in WATER
            assert "water" not in data["side"]


@pytest.mark.parametrize("side", ["axis", "soviet"])
def test_every_source_lies_on_a_railway_that_reaches_the_front(campaign: Board, side: str) -> None:  # 3.3.11, 12.1.3
    west = set(campaign.areas["west of the start line"])
    front = {a for a, b, data in campaign.graph.edges(data=True) if "start-line" in data["side"] for a in (a, b)}
    own = {label for label in campaign.labels if (label in west) == (side == "axis")}
    railways = net(campaign, "rail").subgraph(own)
    for source in campaign.areas[f"supply {side}"]:
        reached = nx.node_connected_component(railways, source)
        near = {other for label in reached & front for other in (label, *campaign.neighbours(label))}
        assert near, source


@pytest.mark.parametrize("sheet", ["L", "S", "K"])
def test_every_scenario_has_sources_for_both_sides_whose_railways_reach_its_set_up_areas(sheet: str) -> None:  # 18.0.1
    whole = board(SHEETS[sheet])
    frame = whole.crop(whole.areas[FRAMES[sheet]])
    railways = net(frame, "rail")
    for side in ("axis", "soviet"):
        sources = frame.areas[f"supply {side}"]
        assert sources
        reached = set().union(*(nx.node_connected_component(railways, source) for source in sources))
        for start in STARTS:
            if start["sheet"] == sheet and start["side"] == side:
                headquarters = frame.areas[f"hq {side} {start['formation']}"][0]
                assert any(frame.distance(headquarters, label) <= 6 for label in reached), start["formation"]  # 3.3.13


def test_the_start_line_divides_the_board_in_two(campaign: Board) -> None:  # 2.1.6, 3.4.1
    soviet, axis = halves(campaign)
    assert axis == set(campaign.areas["west of the start line"])
    assert len(soviet) + len(axis) == len(campaign)
    for row in rows("start_line_towns.csv"):
        for place in campaign.places:
            if place.name == row["town"]:
                assert (place.hex in axis) == (row["side"] == "axis"), place.name


def test_there_is_a_start_area_for_every_formation() -> None:  # 4.0.14, 4.0.15, 18.1 to 18.3
    found: dict[tuple[str, str], set[str]] = {(start["sheet"], start["side"]): set() for start in STARTS}
    for start in STARTS:
        found[start["sheet"], start["side"]].add(start["formation"])
    assert found == {
        ("L", "axis"): {"4PzG", "16A", "18A"},
        ("L", "soviet"): {"8A", "11A", "23A", "27A"},
        ("S", "axis"): {"2PzG", "3PzG", "4A", "9A"},
        ("S", "soviet"): {"3A", "4A", "10A", "13A", "16A", "20A", "21A", "22A"},
        ("K", "axis"): {"1PzG", "6A", "17A", "11A", "RUM 3A", "RUM 4A"},
        ("K", "soviet"): {"5A", "6A", "9A", "12A", "18A", "26A"},
    }


@pytest.mark.parametrize("start", STARTS, ids=lambda start: f"{start['side']}-{start['formation']}")
def test_a_formation_fits_into_its_start_area(campaign: Board, start: dict[str, str]) -> None:  # 4.0.1, 4.0.3, 4.0.6 to 4.0.8
    side, units = start["side"], int(start["units"])
    name = f"{start['kind']} {side} {start['formation']}"
    hexes = campaign.areas[name]
    assert 2 * len(hexes) >= units
    if start["kind"] == "area":
        assert len(hexes) <= units
    assert nx.is_connected(campaign.graph.subgraph(hexes))
    assert set(campaign.areas[f"hq {side} {start['formation']}"]) <= set(hexes)
    west = set(campaign.areas["west of the start line"])
    for label in hexes:
        assert campaign.terrain(label) not in (*WATER, "mountain")
        assert (label in west) == (side == "axis")
    sheet = board(SHEETS[start["sheet"]])
    assert {campaign.aliases(label)[0] for label in sheet.areas[name]} == set(hexes)
    assert set(sheet.areas[name]) <= set(sheet.areas[FRAMES[start["sheet"]]])


def test_no_two_formations_of_a_side_share_a_hex(campaign: Board) -> None:
    for side in ("axis", "soviet"):
        hexes = [
            label
            for start in STARTS
            if start["side"] == side
            for label in campaign.areas[f"{start['kind']} {side} {start['formation']}"]
        ]
        assert len(hexes) == len(set(hexes))


@pytest.mark.parametrize(("formation", "sheet"), [("4PzG", "L"), ("3PzG", "S"), ("2PzG", "S"), ("1PzG", "K")])
def test_a_panzer_group_has_somebody_to_surprise(formation: str, sheet: str) -> None:  # 15.1.1, 4.0.7
    on = board(SHEETS[sheet])
    enemies = {
        label
        for start in STARTS
        if start["side"] == "soviet" and start["kind"] == "area" and start["sheet"] == sheet
        for label in on.areas[f"area soviet {start['formation']}"]
    }
    targets = {other for label in on.areas[f"area axis {formation}"] for other in on.neighbours(label)}
    assert len(targets & enemies) >= 2


@pytest.mark.parametrize(
    ("frame", "inside", "outside"),
    [
        ("L", ["L3602", "L1523", "L0132", "L5519"], ["L3433"]),
        ("S", ["S0927", "S3510", "S5003", "S0130", "S4230", "S0114"], ["S1503", "S1212", "S0612"]),
        ("K", ["K3507", "K2701", "K2801", "K2901", "K1930"], []),
    ],
)
def test_scenario_frames(frame: str, inside: list[str], outside: list[str]) -> None:  # 2.1.5
    on = board(SHEETS[frame])
    area = set(on.areas[FRAMES[frame]])
    assert area.issuperset(inside)
    assert not area & set(outside)
    assert nx.is_connected(on.graph.subgraph(area))


@pytest.mark.parametrize(
    ("name", "terrain", "least"),
    [("Pinsk", "swamp", 9), ("Stanislav", "mountain", 0), ("Tallinn", "sea", 8), ("Gdov", "lake", 3)],
)
def test_the_country_around_some_towns(campaign: Board, name: str, terrain: str, least: int) -> None:
    around = campaign.disk(campaign.find(name).hex, 3)
    assert sum(campaign.terrain(label) == terrain for label in around) >= least


@pytest.mark.parametrize("name", [CAMPAIGN, SHEETS["L"]])
def test_the_peninsula_of_saaremaa_belongs_to_its_island(name: str) -> None:
    assert board(name).side("L0812", "L0813") == frozenset()


def test_every_map_says_what_is_fact_fitted_and_reconstructed(campaign: Board) -> None:
    for name in (*SHEETS.values(), CAMPAIGN):
        assert {"fact", "fitted", "reconstructed"} <= board(name).provenance.keys()
    assert any("16.2.2" in text for text in board(SHEETS["S"]).provenance["fact"])
    assert campaign.provenance["sheets"].keys() == set(SHEETS.values())
