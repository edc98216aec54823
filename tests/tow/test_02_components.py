"""1.0 to 3.0, 5.0 and 6.0: what is in the box, the set-up, stacking and zones of control."""

from __future__ import annotations

import pytest

import hexwar
from hexwar.errors import HexwarError
from hexwar.mechanics import Arrive, Done, Move
from hexwar_tow.counters import ARMOUR, HQ
from hexwar_tow.state import OUT_OF_SUPPLY
from tests.tow.helpers import after, content, cost, field, marching, position, refused, start, told

INF = "ger-57"


# -- 1.0 and 2.0 -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("2.2.1")
def test_1_0_1_two_sides_and_five_nations() -> None:
    nations = {unit.nation: unit.side for unit in content().units.values()}
    assert nations == {"german": "axis", "romanian": "axis", "hungarian": "axis", "soviet": "soviet", "guards": "soviet"}


def test_1_1_1_the_scale() -> None:
    scale = content().numbers.scale
    assert (scale.hex_km, scale.turn_months) == (20, 1)


def test_1_1_2_the_axis_has_divisions_and_the_soviets_corps() -> None:
    for unit in content().units.values():
        if unit.arm != HQ:
            elite = ("Grossdeutschland", "SS ")
            assert ("Division" in unit.name or unit.name.startswith(elite)) == (unit.side == "axis")
            assert ("Corps" in unit.name) == (unit.side == "soviet")


@pytest.mark.clause("2.2.12")
def test_1_2_1_all_303_counters_are_accounted_for() -> None:
    printed = content()
    markers = {kind: number for kind, number in printed.markers.counters.items() if kind != "box"}
    armour = sum(unit.arm == ARMOUR for unit in printed.units.values())
    assert len(printed.units) + armour + sum(markers.values()) == 303  # armour is in the box twice
    assert len(printed.chits) == 18  # the larger counters


def test_2_1_2_points_and_crossing_points_are_counted() -> None:
    game = start()
    assert (game.query.score(), game.state.crossing_points) == ((), 0)


@pytest.mark.clause("2.5.3")
def test_2_1_3_the_luftwaffe_has_available_and_used_markers() -> None:
    game = position({}, marching(INF), luftwaffe={"axis": ["off", "def"]}, sorties=2)
    assert game.state.luftwaffe["axis"] == ("off", "def")


def test_2_1_4_there_are_breakthrough_hexes_in_the_west_and_south() -> None:
    board = hexwar.load_board("tow/dnieper")
    assert all(int(label[2:]) <= 2 or int(label[:2]) == 1 for label in board.areas["breakthrough"])


def test_2_1_7_crossing_points_are_hexes_of_the_map() -> None:
    board = hexwar.load_board("tow/dnieper")
    assert len(board.areas["crossing points"]) == 6
    assert {"1826", "1827"} <= set(board.areas["crossing points"])


def test_2_1_8_crossing_points_drive_four_things() -> None:
    rows = content().numbers.crossings
    assert [(row.negotiation_points, row.luftwaffe, row.okh_units) for row in rows] == [
        (3, 0, 6),
        (4, 1, 7),
        (4.5, 2, 8),
        (5, 3, 9),
        (5.5, 4, 10),
    ]
    assert content().numbers.stavka == {5: 0, 6: 1, 7: 3, 8: 5}


def test_2_1_9_blocked_hexsides_are_a_feature_of_the_map() -> None:
    assert "blocked" in hexwar.load_board("tow/dnieper").side_features


def test_2_2_2_armour_and_mechanised_infantry_are_mechanised() -> None:
    assert {unit.arm for unit in content().units.values() if unit.mechanized} == {"armour", "mechanized"}


def test_2_2_3_all_others_are_not() -> None:
    others = {unit.arm for unit in content().units.values() if not unit.mechanized}
    assert others == {"infantry", "mountain", "cavalry", "airborne", "security", "hq"}


def test_2_2_4_only_mechanised_units_have_two_strengths() -> None:
    for unit in content().units.values():
        assert unit.mechanized or all(face.attack == face.defence for face in unit.faces)
    printed = content().units[INF].faces[-1]
    assert (printed.attack, printed.defence, printed.move) == (3, 3, 5)


def test_2_2_6_units_have_one_step_or_two() -> None:
    assert {unit.steps for unit in content().units.values()} == {1, 2}


@pytest.mark.clause("3.0.5")
def test_2_2_8_everybody_begins_at_full_strength_and_in_supply() -> None:
    game = start()
    assert all(steps == content().units[unit].steps for unit, steps in game.state.steps.items())
    assert game.state.supply == {}


def test_2_2_9_names_have_no_effect() -> None:
    # Two divisions of the same values do the same: the formation of a unit is never asked for.
    for unit in (INF, "ger-15"):
        assert cost(position({unit: "0708"}, marching(unit)), unit, "0712") == 4


def test_2_2_10_reinforcements_wait_in_numbered_groups_and_boxes() -> None:
    starts = {unit.start for unit in content().units.values() if not unit.start.isdigit()}
    assert {f"soviet group {number}" for number in range(1, 9)} | {"axis PR", "axis IR", "axis AR"} <= starts


def test_2_2_11_some_of_them_are_replacements() -> None:
    replacements = [unit for unit in content().units.values() if unit.replacement]
    assert replacements
    assert all(unit.side == "soviet" and unit.start.startswith("soviet group") for unit in replacements)


@pytest.mark.clause("5.0.2")
def test_2_3_2_a_headquarters_passes_another_but_does_not_stay_with_it() -> None:
    game = position({"ger-8a": "0708", "ger-6a": "0709"}, marching("ger-8a"))
    refused(game, Move("ger-8a", "0709"), "5.0.2")
    assert cost(game, "ger-8a", "0710") == 2


@pytest.mark.clause("2.3.1")
def test_2_3_11_all_headquarters_play_alike() -> None:
    headquarters = [unit for unit in content().units.values() if unit.arm == HQ]
    assert all(unit.command == 4 and unit.steps == 1 for unit in headquarters)


def test_2_3_16_four_fronts_and_their_ukrainian_versions() -> None:
    pairs = {tuple(chit.activates) for chit in content().chits.values() if chit.front}
    assert pairs == {
        ("sov-voronezh", "sov-1ukr"),
        ("sov-steppe", "sov-2ukr"),
        ("sov-southwest", "sov-3ukr"),
        ("sov-south", "sov-4ukr"),
    }


def test_2_5_4_orders_lie_on_named_cities() -> None:
    game = start()
    assert {game.world.cities[label] for label in game.state.orders} == {
        "Kharkiv",
        "Kyiv",
        "Odesa",
        "Ternopil",
        "Stalino",
        "Dnipropetrovsk",
    }


def test_2_6_1_all_tables_are_there() -> None:
    printed = content()
    assert printed.table.rows
    assert printed.chart.shifts
    assert printed.numbers.crossings
    assert printed.numbers.negotiation.order == 3
    assert printed.numbers.stavka


# -- 3.0 set-up --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("3.0.8")
def test_3_0_1_everybody_begins_where_his_counter_says() -> None:
    game = start()
    for unit, counter in content().units.items():
        assert counter.arm == "security" or game.state.at[unit] == counter.start


def test_3_0_2_the_soviets_begin_with_the_base_fronts() -> None:
    game = start()
    assert game.state.at["sov-1ukr"] == "ukrainian fronts"
    assert game.state.at["sov-voronezh"] == "3333"


def test_3_0_3_the_game_begins_in_turn_1() -> None:
    game = start()
    assert game.state.turn == 1
    chits = content().chits
    assert [chits[name].turn for name in ("airborne", "stavka", "okh-1", "okh-2")] == [3, 5, 2, 2]


def test_3_0_6_six_orders() -> None:
    assert set(start().state.orders) == {"2634", "2918", "0218", "2305", "1338", "1631"}


def test_3_0_7_three_security_divisions_go_to_three_cities() -> None:
    game = hexwar.new_game("tow", "campaign", seed=1)
    assert game.to_move == ("axis",)
    game.apply(Arrive("ger-213sec", "2634"))
    refused(game, Arrive("ger-444sec", "2634"), "3.0.7", "already")
    refused(game, Arrive("ger-444sec", "2633"), "3.0.7", "no major city")
    assert Done() not in game.legal_actions()
    game.apply(Arrive("ger-444sec", "1338"))
    game.apply(Arrive("ger-454sec", "2918"))
    assert game.state.phase == "opening"


def test_3_0_9_everything_is_in_axis_hands() -> None:
    game = start()
    assert set(game.state.control.values()) == {"axis"}
    assert game.state.crossings == ()


# -- 5.0 stacking ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("5.0.1")
def test_5_0_2_two_combat_units_and_a_headquarters() -> None:
    at = start().position
    world = at.world
    assert world.stacking.fits(at, (INF, "ger-68", "ger-8a"), "0708")
    assert not world.stacking.fits(at, (INF, "ger-68", "ger-75"), "0708")
    assert not world.stacking.fits(at, ("ger-8a", "ger-6a"), "0708")
    game = position({INF: "0708", "ger-68": "0709", "ger-75": "0709"}, marching(INF), reduced=["ger-68", "ger-75"])
    refused(game, Move(INF, "0709"), "5.0.2")


def test_5_0_4_allies_stack_with_germans() -> None:
    game = position({INF: "0708", "rom-24": "0709"}, marching(INF))
    game.apply(Move(INF, "0709"))
    assert game.state.layout.stacks["0709"] == (INF, "rom-24")


def test_5_0_6_enemies_never_share_a_hex() -> None:
    with pytest.raises(HexwarError, match="enemy unit"):
        position({INF: "0708", "sov-51": "0708"}, marching(INF))


def test_5_0_7_the_airborne_marker_does_not_count() -> None:
    units = {"sov-51": "0707", "sov-50": "0708"}
    game = position(units, marching("sov-51", seat="soviet"), airborne="0708", landed=True)
    game.apply(Move("sov-51", "0708"))
    assert game.state.layout.stacks["0708"] == ("sov-51", "sov-50")


# -- 6.0 zones ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("2.3.1")
def test_6_0_1_every_unit_has_a_zone_headquarters_too() -> None:
    for unit in (INF, "ger-8a", "ger-213sec"):
        game = position({unit: "0708"}, marching(unit))
        assert set(game.query.zones("axis")) == {"0808", "0809", "0709", "0609", "0608", "0707"}


def test_6_0_2_zones_cross_rivers() -> None:
    game = position({INF: "0708"}, marching(INF), board=field(sides={"major-river": after(8), "minor-river": after(7)}))
    assert len(game.query.zones("axis")) == 6


def test_6_0_3_zones_stop_at_blocked_hexsides_and_water() -> None:
    board = field({"0707": "~"}, sides={"blocked": ["0708|0709"]})
    game = position({INF: "0708"}, marching(INF), board=board)
    assert set(game.query.zones("axis")) == {"0808", "0809", "0609", "0608"}


def test_6_0_4_several_zones_are_as_one() -> None:
    game = position({INF: "0708", "sov-51": "0710", "sov-50": "0810"}, marching(INF))
    assert cost(game, INF, "0709") == 3


def test_6_0_5_command_does_not_mind_zones_and_supply() -> None:
    units = {"ger-8a": "0708", INF: "0711", "sov-51": "0710", "sov-50": "0809"}
    game = position(units, marching(INF), supply={INF: OUT_OF_SUPPLY})
    assert game.query.command("ger-8a") == (INF, "ger-8a")


def test_8_1_7_control_is_told() -> None:
    game = position({"sov-51": "0707"}, marching("sov-51", seat="soviet"), board=field(major={"Poltava": "0708"}))
    game.apply(Move("sov-51", "0708"))
    assert told(game.events, "control-taken") == ["soviet takes Poltava (0708) (8.1.7)"]
