"""5.0 Stacking and 6.0 zones of control."""

from __future__ import annotations

import pytest

from hexwar.errors import HexwarError
from hexwar.mechanics import Arriving, Move
from tests.tow.table import ISOLATED, cost, ends, field, marching, neighbours, position, refused, sides_of

HERE = "0707"


def fits(*units: str, label: str = HERE) -> bool:
    """Whether units of one side may stand in a hex together."""
    game = position(dict.fromkeys(units[:1], label))
    return bool(game.world.stacking.fits(game.position, units, label))


@pytest.mark.clause("5.0.1")
def test_5_0_2_two_combat_units_and_a_headquarters() -> None:
    assert fits("ger-112", "ger-11pz")
    assert fits("ger-112", "ger-11pz", "ger-4pza")
    assert fits("ger-4pza")
    assert not fits("ger-112", "ger-68", "ger-75")
    assert not fits("ger-4pza", "ger-8a")
    assert not fits("ger-112", "ger-68", "ger-75", "ger-4pza")


def test_5_0_2_a_reduced_unit_counts_as_one() -> None:
    units = {"ger-112": HERE, "ger-68": HERE, "ger-75": "0706"}
    game = position(units, marching("ger-75"), reduced=["ger-112", "ger-68", "ger-75"])
    refused(game, Move("ger-75", HERE), "5.0.2")


@pytest.mark.clause("9.0.3", "2.3.2")
def test_5_0_3_the_limit_holds_at_the_end_of_a_move_not_on_its_way() -> None:
    units = {"ger-112": "0707", "ger-68": "0707", "ger-8a": "0707", "ger-75": "0708", "ger-4pza": "0708"}
    shut = field(sides={"blocked": sides_of("0708", "0707")})
    game = position(units, marching("ger-75", "ger-4pza"), board=shut)
    assert "0707" not in ends(game, "ger-75") | ends(game, "ger-4pza")
    assert "0706" in ends(game, "ger-75") & ends(game, "ger-4pza")
    refused(game, Move("ger-4pza", "0707"), "5.0.2")


@pytest.mark.clause("11.0.4")
def test_5_0_3_and_when_reinforcements_are_placed() -> None:
    units = {"ger-112": "0703", "ger-68": "0703", "ger-34": "axis IR"}
    game = position(units, Arriving("axis", ("ger-34",), ("0703", "0704")), board=field(rail=["0701 0702 0703 0704"]))
    assert [action.to for action in game.legal_actions() if hasattr(action, "to")] == ["0704"]


def test_5_0_4_nations_of_the_axis_stack_together() -> None:
    assert fits("ger-112", "rom-24")
    assert fits("rom-24", "hun-7")
    assert not fits("rom-24", "hun-7", "ger-112")


def test_5_0_6_enemies_never_share_a_hex() -> None:
    with pytest.raises(HexwarError, match="the enemy unit ger-112 stands in"):
        position({"ger-112": HERE, "sov-51": HERE}, marching("ger-112"))
    game = position({"ger-112": "0706", "sov-51": HERE}, marching("ger-112"))
    refused(game, Move("ger-112", HERE), "9.0.5")


def test_5_0_7_the_airborne_marker_does_not_count_but_its_unit_does() -> None:
    units = {"sov-18g": HERE, "sov-51": "0708", "sov-50": "0709"}
    game = position(units, marching("sov-51", "sov-50", seat="soviet"), airborne=HERE, landed=True)
    assert HERE in ends(game, "sov-51")
    game.apply(Move("sov-51", HERE))
    assert HERE not in ends(game, "sov-50")


# -- 6.0 ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", ["sov-51", "sov-2tk", "sov-voronezh"])
@pytest.mark.clause("2.3.1")
def test_6_0_1_every_unit_and_headquarters_has_a_zone_of_six_hexes(unit: str) -> None:
    assert set(position({unit: HERE}).query.zones("soviet")) == set(neighbours(HERE))


@pytest.mark.parametrize("kind", ["major-river", "minor-river"])
def test_6_0_2_zones_extend_across_rivers(kind: str) -> None:
    game = position({"sov-51": HERE}, board=field(sides={kind: sides_of(HERE)}))
    assert set(game.query.zones("soviet")) == set(neighbours(HERE))


def test_6_0_3_zones_do_not_cross_blocked_hexsides_or_reach_water() -> None:
    board = field({"0808": "~"}, sides={"blocked": [f"{HERE}|0708"]})
    game = position({"sov-51": HERE}, board=board)
    assert set(game.query.zones("soviet")) == set(neighbours(HERE)) - {"0808", "0708"}


def test_6_0_4_several_zones_act_as_one() -> None:
    one = position({"ger-112": "0707", "sov-51": "0709"}, marching("ger-112"))
    three = position({"ger-112": "0707", "sov-51": "0709", "sov-50": "0809", "sov-52": "0609"}, marching("ger-112"))
    assert cost(one, "ger-112", "0708") == cost(three, "ger-112", "0708") == 3


@pytest.mark.clause("2.3.14")
def test_6_0_5_neither_zones_nor_want_of_supply_touch_command_range() -> None:
    units = {"ger-4pza": "0707", "ger-112": "0711", "sov-51": "0709", "sov-50": "0809", "sov-52": "0609"}
    assert "ger-112" in position(units, supply={"ger-112": ISOLATED}).query.command("ger-4pza")


def test_6_0_5_zones_touch_supply_movement_retreat_and_arrival() -> None:
    units = {"ger-112": "0707", "ger-68": "0705", "sov-51": "0704", "sov-50": "0608"}
    game = position(units, marching("ger-112"), board=field(rail=["0701 0702 0703 0704 0705"]))
    assert cost(game, "ger-112", "0706") == 3  # it leaves the zone of 0608
    assert not game.query.supply("0703", "axis").supplied
    assert game.query.retreats("ger-112", 1)[-1].losses == 1
