"""The terrain chart: prices of steps, and what is wrong with a file."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files

import pytest
from hypothesis import given

from hexwar.board import ALL, CLOSED, Board, load_map
from hexwar.errors import ContentError
from hexwar.mechanics import ArmCosts, TerrainChart
from tests.board.strategies import boards
from tests.mechanics.samples import CHART, TextFile, plain_board, price_of


@given(boards(max_columns=5, max_rows=5))
def test_the_price_of_every_step(board: object) -> None:
    for arm in CHART.arms:
        price = price_of(board, arm)  # type: ignore[arg-type]
        for a, b in board.graph.edges:  # type: ignore[attr-defined]
            assert CHART.cost(board, arm, a, b) == price(a, b)  # type: ignore[arg-type]
            assert CHART.cost(board, arm, b, a) == price(b, a)  # type: ignore[arg-type]


CROSSING = plain_board(
    terrain={"0504": "f", "0503": "m", "0303": "m"},
    more="""
[sides]
river = ["0404/NE/SE", "0404/NW"]
wall = ["0404/S", "0404/SE"]
[links]
road = ["0404 0503", "0404 0405"]
rail = ["0404 0304"]
""",
)


@pytest.mark.parametrize(
    ("arm", "target", "cost", "why"),
    [
        ("foot", "0403", 2, "clear"),
        ("foot", "0503", 1, "a road lifts marsh and river"),
        ("tracks", "0503", 1, "and closed ground"),
        ("foot", "0405", 1, "a road lifts a wall"),
        ("foot", "0504", CLOSED, "forest and river, but the wall closes it"),
        ("tracks", "0504", CLOSED, "the river closes it, although the wall would only cost all"),
        ("foot", "0303", ALL, "marsh costs all, and the river nothing on top of that"),
        ("tracks", "0303", CLOSED, "terrain that the chart does not name is closed"),
        ("foot", "0304", 2, "a railway is none of its links"),
        ("tracks", "0304", 2, "a railway"),
    ],
)
def test_a_crossing(arm: str, target: str, cost: int, why: str) -> None:
    assert CHART.cost(CROSSING, arm, "0404", target) == cost, why


def test_barriers_are_named_unless_bridged() -> None:
    assert CHART.barrier(CROSSING, "tracks", "0404", "0504") == "river"
    assert CHART.barrier(CROSSING, "foot", "0404", "0504") == "wall"
    assert CHART.barrier(CROSSING, "tracks", "0404", "0503") == ""
    assert CHART.barrier(CROSSING, "foot", "0404", "0403") == ""


NAMED = replace(
    CHART, bridges=frozenset({"road", "rail"}), lifts={"road": frozenset({"river", "wall"}), "rail": frozenset({"wall"})}
)
BRIDGES = plain_board(
    more="""
[sides]
river = ["0404/N/NE/SE/S"]
wall = ["0404/NE/SE/S"]
[links]
road = ["0404 0504", "0404 0405"]
rail = ["0404 0403", "0404 0503", "0404 0405"]
"""
)


@pytest.mark.parametrize(
    ("target", "cost", "why"),
    [
        ("0403", 4, "the railway does not lift the river: clear and river"),
        ("0503", 4, "it lifts the wall, and the river is left"),
        ("0504", 1, "the road lifts both"),
        ("0405", 1, "two links, each for its part"),
        ("0304", 2, "nothing there"),
    ],
)
def test_a_link_lifts_what_it_names(target: str, cost: int, why: str) -> None:
    assert NAMED.cost(BRIDGES, "foot", "0404", target) == cost, why
    assert NAMED.barrier(BRIDGES, "foot", "0404", target) == "", why
    by_rail_only = replace(NAMED, bridges=frozenset({"rail"}))
    assert by_rail_only.barrier(BRIDGES, "foot", "0404", "0504") == "wall", "a road that is no bridge lifts nothing"


def test_what_is_bridged_depends_on_what_is_asked() -> None:
    assert NAMED.is_bridged(BRIDGES, "0404", "0503"), "something crosses there"
    assert NAMED.is_bridged(BRIDGES, "0404", "0503", "wall")
    assert not NAMED.is_bridged(BRIDGES, "0404", "0503", "river")
    assert not NAMED.is_bridged(BRIDGES, "0404", "0503", "river", "wall"), "all of it has to be lifted"
    assert NAMED.is_bridged(BRIDGES, "0404", "0405", "river", "wall")
    assert not NAMED.is_bridged(BRIDGES, "0404", "0304")
    assert NAMED.barrier(BRIDGES, "tracks", "0404", "0503") == "river", "closed to tracks, and the railway does not lift it"
    assert CHART.is_bridged(BRIDGES, "0404", "0504", "river", "wall"), "a link that names nothing lifts everything"


CITIES = plain_board(
    terrain={"0403": "f", "0503": "f", "0504": "m", "0405": "f"},
    more="""
[sides]
river = ["0404/NE"]
[links]
road = ["0404 0405"]
[[place]]
name = "Great"
kind = "major-city"
hex = "0503 0504 0405"
[[place]]
name = "Small"
kind = "city"
hex = "0403"
""",
)
ROUND_CITIES = replace(
    CHART,
    arms={**CHART.arms, "column": ArmCosts({"clear": CLOSED, "forest": CLOSED}, {}, {"road": 1})},
    shifts={"forest": -1, "marsh": -1, "city": -1, "major-city": -2},
    flat={"major-city": 2},
)


@pytest.mark.parametrize(
    ("arm", "target", "cost", "why"),
    [
        ("tracks", "0403", 4, "a place that is not flat: its forest counts"),
        ("foot", "0503", 4, "the place instead of the forest, and the river on top"),
        ("foot", "0504", 2, "not all for the marsh"),
        ("tracks", "0504", 2, "nor closed"),
        ("foot", "0405", 1, "a road is a road"),
        ("column", "0504", CLOSED, "who goes along links only does not enter off them"),
        ("column", "0405", 1, "but along one"),
    ],
)
def test_in_a_flat_place_the_terrain_does_not_cost(arm: str, target: str, cost: int, why: str) -> None:
    assert ROUND_CITIES.cost(CITIES, arm, "0404", target) == cost, why


def test_shifts_come_from_terrain_and_place_or_from_a_flat_place_alone() -> None:
    assert ROUND_CITIES.shifts_at(CITIES, "0403") == ((-1, "forest"), (-1, "city"))
    assert ROUND_CITIES.shifts_at(CITIES, "0503") == ((-2, "major-city"),)
    assert ROUND_CITIES.shifts_at(CITIES, "0404") == ()
    assert replace(ROUND_CITIES, flat={}).shifts_at(CITIES, "0503") == ((-1, "forest"), (-2, "major-city"))
    assert replace(ROUND_CITIES, shifts={"forest": -1}).shifts_at(CITIES, "0503") == (), "flat even where it has no shift"


def test_what_costs_more_than_any_allowance_is_closed() -> None:
    dear = TerrainChart({"foot": ArmCosts({"clear": 120}, {"river": 120, "wall": 14}, {})}, frozenset(), {}, frozenset())
    board = plain_board(more='[sides]\nriver = ["0404/N/NE"]\nwall = ["0404/NE"]')
    assert dear.cost(board, "foot", "0404", "0403") == 240
    assert dear.cost(board, "foot", "0404", "0503") == CLOSED, "254 would mean something else"


@given(boards(max_columns=5, max_rows=5))
def test_steps_that_are_alike_cost_the_same(board: Board) -> None:
    examples, sorts = board.sorts
    steps = {(i, d) for i in board.hexes for d, delta in enumerate(board.deltas) if i + delta in board.hexes}
    assert {(i, d) for d, table in enumerate(sorts) for i, sort in enumerate(table) if sort >= 0} == steps
    assert {sort for table in sorts for sort in table} - {-1} <= set(range(len(examples)))
    for arm in CHART.arms:
        assert_is_printed(CHART, board, arm)


def test_steps_into_a_city_of_its_own_price_are_not_alike_those_beside_it() -> None:
    for chart in (ROUND_CITIES, replace(ROUND_CITIES, flat={})):
        for arm in chart.arms:
            assert_is_printed(chart, CITIES, arm)


def assert_is_printed(chart: TerrainChart, board: Board, arm: str) -> None:
    table = chart.table(board, arm)
    for label in board.labels:
        i = board.index(label)
        for near in board.neighbours(label):
            assert table[board.direction(label, near)][i] == chart.cost(board, arm, label, near)


def test_a_table_has_every_step_and_the_refinement_the_last_word() -> None:
    table = CHART.table(CROSSING, "foot", lambda origin, target, cost: 7 if target == "0403" else cost)
    i = CROSSING.index("0404")
    assert [table[d][i] for d in range(6)] == [7, 1, CLOSED, 1, 2, ALL]


GOOD = """
bridges = ["road"]
halved_across = ["river"]
[arm.foot]
terrain = { clear = 1, marsh = "all", lake = "closed" }
sides = { river = 2.5 }
links = { road = 0.5 }
[shifts]
marsh = -1
"""


def test_a_chart_is_read_in_half_points() -> None:
    chart = TerrainChart.load(TextFile(GOOD))
    assert chart.arms == {"foot": ArmCosts({"clear": 2, "marsh": ALL, "lake": CLOSED}, {"river": 5}, {"road": 1})}
    assert (chart.bridges, chart.halved_across, chart.shifts) == (frozenset({"road"}), frozenset({"river"}), {"marsh": -1})
    assert (chart.lifts, chart.flat) == ({}, {})


def test_bridges_by_feature_and_flat_places_are_read() -> None:
    text = GOOD.replace(
        '["road"]', '{ road = ["river"], rail = [] }\nflat = { major-city = 1.5 }\nprovenance = { prices = "fact" }', 1
    )
    chart = TerrainChart.load(TextFile(text))
    assert chart.bridges == {"road", "rail"}
    assert chart.lifts == {"road": {"river"}, "rail": frozenset()}
    assert chart.flat == {"major-city": 3}


BRIDGING = "must be a list of links, or a table of links with a list of hexside features for each"
PRICE = 'must be 0 to 60 movement points, in halves, or "closed" or "all"'


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("clear = 1", 'clear = "shut"', f"arm.foot.terrain.clear: {PRICE}"),
        ("clear = 1", 'clear = "1"', f"arm.foot.terrain.clear: {PRICE}"),
        ("clear = 1", "clear = true", f"arm.foot.terrain.clear: {PRICE}"),
        ("clear = 1", "clear = -1", f"arm.foot.terrain.clear: {PRICE}"),
        ("clear = 1", "clear = 61", f"arm.foot.terrain.clear: {PRICE}"),
        ("clear = 1", "clear = nan", f"arm.foot.terrain.clear: {PRICE}"),
        ("clear = 1", "clear = [1]", f"arm.foot.terrain.clear: {PRICE}"),
        ("2.5", "2.25", f"arm.foot.sides.river: {PRICE}"),
        ("road = 0.5", 'road = "closed"', "arm.foot.links.road: must be 0 to 60 movement points, in halves"),
        ("marsh = -1", "marsh = true", "shifts.marsh: input should be a valid integer"),
        ("marsh = -1", "marsh = 99", "shifts.marsh: input should be less than or equal to 20"),
        ('["road"]', '"road"', f"bridges: {BRIDGING}"),
        ('["road"]', "[1]", f"bridges: {BRIDGING}"),
        ('["road"]', '{ road = "river" }', f"bridges: {BRIDGING}"),
        ('["road"]', "{ road = [{}] }", f"bridges: {BRIDGING}"),
        (
            '["road"]',
            '{ road = ["rivr"] }',
            "bridges.road: no hexside of the terrain chart is called 'rivr'; did you mean river?",
        ),
        ("[arm.foot]", '[flat]\ncity = "all"\n[arm.foot]', "flat.city: must be 0 to 60 movement points, in halves"),
        ("bridges", "brigdes", "brigdes: extra inputs are not permitted"),
        ("[arm.foot]\n", "[arm.foot]\nwater = 1\n", "arm.foot.water: extra inputs are not permitted"),
        ("terrain = {", "ground = {", "arm.foot.terrain: field required"),
    ],
)
def test_a_mistake_in_a_chart_is_named(old: str, new: str, sentence: str) -> None:
    with pytest.raises(ContentError) as caught:
        TerrainChart.load(TextFile(GOOD.replace(old, new, 1), "terrain.toml"))
    assert str(caught.value) == f"terrain.toml: {sentence}"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            'legend = { "." = "clear", "w" = "wodos" }',
            "hex 0201: no terrain of the terrain chart is called 'wodos'",
        ),
        ('[sides]\nrivr = ["0101/S"]', "hex 0102: no hexside of the terrain chart is called 'rivr'"),
        ('[links]\nraod = ["0101 0201"]', "hex 0101: no link of the terrain chart is called 'raod'"),
    ],
)
def test_a_board_with_names_that_the_chart_does_not_know_is_refused(text: str, sentence: str) -> None:
    legend, rest = (text, "") if text.startswith("legend") else ('legend = { "." = "clear", "w" = "woods" }', text)
    board = load_map(
        f"""format = 1
id = "demo/slip"
[grid]
layout = "columns"
columns = 2
rows = 2
shifted = "even"
shift = "up"
[terrain]
{legend}
rows = '''
. w
. .
'''
{rest}
"""
    )
    chart = TerrainChart.load(files("hexwar_bridgehead") / "data" / "terrain.toml")
    with pytest.raises(ContentError) as caught:
        chart.require_names(board)
    assert str(caught.value).startswith(f"demo/slip: {sentence}; did you mean ")
