"""10, TEC: the combat results table and the terrain effects chart."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hexwar.board import ALL, CLOSED
from tests.ava.helpers import board, content

TABLE = content().table
CHART = content().chart
NUMBERS = content().numbers
SEQUENCE = ["A2", "A1", "A1", "-", "-", "R", "R", "RR", "RR", "1RR", "1RR", "2RR", "2RR", "3RR", "3RR", "4RR"]
BOARDS = ("ava/campaign", "ava/leningrad", "ava/smolensk", "ava/kiev")
MECHANIZED, INFANTRY = NUMBERS.classes.mechanized, NUMBERS.classes.infantry


def steps(name: str) -> list[tuple[str, str]]:
    on = board(name)
    return [(a, b) for a in on.labels for b in on.neighbours(a)]


# -- the table -----------------------------------------------------------------------------------------------------------------


def test_the_columns() -> None:  # 10.3.8
    assert TABLE.columns == ("1:1", "1.5:1", "2:1", "3:1", "4:1", "5:1", "6:1", "7:1", "8:1", "9:1", "10:1")


def test_the_one_printed_result() -> None:  # 10.4.5
    assert TABLE.rows[4][TABLE.columns.index("4:1")].name == "RR"


def test_every_row_is_the_same_sequence_begun_one_place_later() -> None:
    assert [[outcome.name for outcome in TABLE.rows[roll]] for roll in range(1, 7)] == [
        SEQUENCE[roll - 1 :][:11] for roll in range(1, 7)
    ]


def test_what_reports_of_play_say_of_4_to_1() -> None:
    assert {"-", "1RR"} <= TABLE.distribution(TABLE.columns.index("4:1")).keys()


@pytest.mark.parametrize(
    ("attack", "defence", "column"),
    [(15, 5, "3:1"), (26, 9, "2:1"), (12, 7, "1.5:1"), (18, 13, "1:1"), (25, 2, "10:1"), (8, 2, "4:1"), (10, 2, "5:1")],
)
def test_the_ratios_of_the_examples(attack: int, defence: int, column: str) -> None:  # 10.3.6, 10.3.7, 10.3.13
    found = TABLE.column(Fraction(attack), Fraction(defence))
    assert found is not None
    assert TABLE.columns[found] == column


def test_below_1_to_1_there_is_no_column() -> None:  # 10.3.12
    assert TABLE.column(Fraction(2), Fraction(3)) is None


@pytest.mark.parametrize(("start", "left", "end"), [("3:1", 2, "1.5:1"), ("10:1", 2, "8:1"), ("4:1", 2, "2:1")])
def test_the_shifts_of_the_examples(start: str, left: int, end: str) -> None:  # 10.3.9 to 10.3.11
    assert TABLE.columns[TABLE.columns.index(start) - left] == end


@pytest.mark.parametrize(
    ("name", "attacker", "defender", "retreat"),
    [("-", 0, 0, 0), ("A1", 1, 0, 0), ("A2", 2, 0, 0), ("R", 0, 0, 1), ("RR", 0, 0, 2), ("1RR", 0, 1, 2), ("4RR", 0, 4, 2)],
)
def test_what_results_mean(name: str, attacker: int, defender: int, retreat: int) -> None:  # 10.4.2 to 10.4.4
    outcome = next(outcome for row in TABLE.rows.values() for outcome in row if outcome.name == name)
    assert (outcome.attacker, outcome.defender, outcome.retreat) == (attacker, defender, retreat)


# -- the chart -------------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("TEC.1", "TEC.2", "TEC.3", "TEC.4")
@pytest.mark.parametrize(
    ("terrain", "mechanized", "infantry", "columns", "pursuit"),
    [
        ("clear", 1, 1, 0, 2),  # TEC.1
        ("light-forest", 2, 1, -1, 1),  # TEC.2
        ("dense-forest", 3, 2, -2, 1),  # TEC.3
        ("swamp", 3, 2, -1, 1),  # TEC.4
    ],
)
def test_open_ground_forest_and_swamp(terrain: str, mechanized: int, infantry: int, columns: int, pursuit: int) -> None:
    assert {CHART.arms[arm].terrain[terrain] for arm in MECHANIZED} == {2 * mechanized}
    assert {CHART.arms[arm].terrain[terrain] for arm in INFANTRY} == {2 * infantry}
    assert CHART.shifts.get(terrain, 0) == columns
    assert NUMBERS.pursuit.first_hex[terrain] == pursuit


@pytest.mark.clause("TEC.5")
def test_lakes_and_the_sea_are_closed() -> None:  # TEC.5
    for costs in CHART.arms.values():
        assert {costs.terrain["lake"], costs.terrain["sea"]} == {CLOSED}
    assert {CHART.arms[arm].sides["water"] for arm in (*MECHANIZED, *INFANTRY)} == {CLOSED}


@pytest.mark.clause("TEC.6")
def test_a_city_adds_one_column() -> None:  # TEC.6, 10.3.11
    assert CHART.shifts["city"] == -1
    assert CHART.shifts["city"] + CHART.shifts["light-forest"] == -2
    assert NUMBERS.pursuit.first_hex["city"] == 1
    assert all("city" not in costs.terrain for costs in CHART.arms.values())


@pytest.mark.clause("TEC.7")
def test_a_major_city() -> None:  # TEC.7
    assert CHART.shifts["major-city"] == -2
    assert CHART.flat == {"major-city": 2}
    assert NUMBERS.pursuit.first_hex["major-city"] == 1


@pytest.mark.clause("TEC.8")
def test_mountains() -> None:  # TEC.8
    assert {arm for arm, costs in CHART.arms.items() if costs.terrain["mountain"] == ALL} == {"mountain"}
    assert {costs.terrain["mountain"] for arm, costs in CHART.arms.items() if arm != "mountain"} == {CLOSED}
    assert CHART.shifts["mountain"] == -2
    assert NUMBERS.pursuit.first_hex["mountain"] == 1
    on = board("ava/kiev")
    by_road = [(a, b) for a, b in steps("ava/kiev") if on.terrain(b) == "mountain" and "road" in on.links(a, b)]
    others = [
        (a, b) for a, b in steps("ava/kiev") if on.terrain(b) == "mountain" and on.terrain(a) == "clear" and not on.links(a, b)
    ]
    assert by_road
    assert others
    assert {CHART.cost(on, "armour", a, b) for a, b in by_road} == {2}
    assert {CHART.cost(on, "infantry", a, b) for a, b in others} == {CLOSED}
    assert {CHART.cost(on, "mountain", a, b) for a, b in others} == {ALL}


@pytest.mark.clause("TEC.9", "TEC.10")
def test_rivers() -> None:  # TEC.9, TEC.10, 10.3.2
    for arm in (*MECHANIZED, *INFANTRY):
        assert CHART.arms[arm].sides["minor-river"] == 2
        assert CHART.arms[arm].sides["major-river"] == ALL
    assert CHART.halved_across == {"minor-river", "major-river"}
    assert NUMBERS.pursuit.first_side == {"minor-river": 1, "major-river": 1}


@pytest.mark.clause("2.1.4")
@pytest.mark.parametrize("name", BOARDS)
def test_a_bridge_is_where_a_road_or_railway_crosses_a_river(name: str) -> None:  # 2.1.4
    on = board(name)
    for a, b in steps(name):
        if on.side(a, b) & {"minor-river", "major-river"}:
            assert CHART.is_bridged(on, a, b) == bool(on.links(a, b)) == ("bridge" in on.side(a, b))


@pytest.mark.clause("TEC.11", "TEC.12")
def test_roads_and_railways() -> None:  # TEC.11, TEC.12
    for arm in (*MECHANIZED, *INFANTRY):
        assert CHART.arms[arm].links == {"road": 2}
    on = board("ava/smolensk")
    by_rail = [(a, b) for a, b in steps("ava/smolensk") if on.links(a, b) == {"rail"} and not on.side(a, b)]
    assert {(on.terrain(b), CHART.cost(on, "armour", a, b)) for a, b in by_rail} == {
        ("clear", 2),
        ("light-forest", 4),
        ("dense-forest", 6),
        ("swamp", 6),
    }


@pytest.mark.clause("9.3.1", "9.3.3", "9.3.5")
def test_strategic_movement_knows_nothing_but_roads() -> None:  # 9.3.1, 9.3.3, 9.3.5
    on = board("ava/kiev")
    for a, b in steps("ava/kiev"):
        assert CHART.cost(on, "strategic", a, b) == (1 if "road" in on.links(a, b) else CLOSED)


@pytest.mark.clause("TEC.13")
@pytest.mark.parametrize("name", BOARDS)
def test_the_hexes_of_one_major_city_are_joined(name: str) -> None:  # TEC.13
    on = board(name)
    for place in on.places:
        if place.kind == "major-city":
            for a in place.hexes:
                for b in place.hexes:
                    assert not on.adjacent(a, b) or on.links(a, b) == {"rail", "road"}


@pytest.mark.parametrize("name", BOARDS)
def test_the_chart_knows_every_name_on_the_map(name: str) -> None:
    on = board(name)
    terrain = {on.terrain(label) for label in on.labels}
    for costs in CHART.arms.values():
        assert terrain <= costs.terrain.keys()
    kinds = {place.kind for place in on.places}
    assert kinds - CHART.shifts.keys() == {"town"}, "towns have no effect"
    features = {feature for a, b in steps(name) for feature in on.side(a, b)}
    assert features <= {*CHART.arms["infantry"].sides, "bridge", "start-line"}
    assert {link for a, b in steps(name) for link in on.links(a, b)} == CHART.bridges


@pytest.mark.clause("2.2.1", "2.2.2", "2.2.13")
def test_classes() -> None:  # 2.2.1, 2.2.2, 2.2.13
    assert MECHANIZED == ["armour", "mechanized", "motorized"]
    assert INFANTRY == ["infantry", "cavalry", "mountain", "naval", "security", "hq"]
    assert CHART.arms.keys() == {*MECHANIZED, *INFANTRY, "strategic"}
    assert NUMBERS.pursuit.by_class == {"mechanized": 2, "infantry": 1}  # 10.7.2


@pytest.mark.clause("3.1.1", "9.2.5", "9.2.6")
def test_other_numbers() -> None:
    assert (NUMBERS.stacking, NUMBERS.axis_line_off_rail) == (2, 6)  # 3.1.1, 3.3.13
    assert (NUMBERS.zones.enter, NUMBERS.zones.leave) == (2, 2)  # 9.2.5, 9.2.6
    assert (NUMBERS.axis_supply_from, NUMBERS.stand_fast_removal_from) == (4, 6)
    assert (NUMBERS.soviet_line_to_road, NUMBERS.german_mechanized_limit) == (12, 10)  # 17.4.1, 17.5.1
    assert (NUMBERS.fortress.levels, NUMBERS.fortress.defence) == (2, 1)  # 14.1.5, 14.2.1
    victory = NUMBERS.victory  # 16.1 to 16.3
    assert (victory.major_city, victory.stand_fast, victory.supply_source, victory.from_moscow) == (
        (10, 5),
        (5, 2),
        (10, 5),
        (10, 5),
    )
    assert (victory.full_german_mechanized, victory.eliminated_soviet_mechanized) == (1, 1)
