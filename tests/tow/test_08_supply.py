"""8.0: lines of supply, the check, and what it does to units; 2.3 and 9.4: headquarters that must go elsewhere."""

from __future__ import annotations

from typing import Any

import pytest

from hexwar.engine import Game, Position
from hexwar.mechanics import Arrive
from hexwar_tow.relocation import Relocating
from hexwar_tow.supply import SupplyCheck
from tests.tow.helpers import after, attacking, cost, field, marching, of_kind, offers, position, refused, told

INF = "ger-57"
SOURCES = {"supply axis": ["0701"], "supply soviet": ["0720"]}


def supplied(units: dict[str, str], unit: str = INF, *, sides: Any = None, **more: Any) -> bool:
    links = {name: more.pop(name) for name in ("road", "rail", "major") if name in more}
    game = position(units, SupplyCheck(), board=field(sides=sides, areas=SOURCES, **links), path=(1, 2), **more)
    return bool(game.query.supply(unit).supplied)


def check(units: dict[str, str], **more: Any) -> Game:
    return position(units, SupplyCheck(), board=more.pop("board", field(areas=SOURCES)), **more)


# Soviet corps in every second row of column 6: their zones shut the gaps between them.
CORPS = ("sov-51", "sov-50", "sov-52", "sov-47", "sov-9", "sov-37", "sov-44")
RING = dict(zip(CORPS, ("0206", "0406", "0606", "0806", "1006", "1206", "1406"), strict=True))


@pytest.mark.clause("4.3.8")
def test_8_1_1_both_sides_are_checked_on_the_board_as_it_is() -> None:
    game = check({INF: "0710", **RING, "ger-68": "0719", "sov-63": "0720"})
    assert {event.unit for event in of_kind(game.events, "supply-changed")} >= {INF, "ger-68"}
    assert game.state.supply[INF] == "out of supply"


@pytest.mark.clause("2.1.5")
def test_8_1_2_a_line_may_be_of_any_length() -> None:
    assert supplied({INF: "0719"})
    assert supplied({"sov-51": "0702"}, "sov-51")


def test_8_1_3_no_line_enters_an_enemy_hex() -> None:
    wall = {"blocked": [side for side in after(7) if side != "0707|0708"]}
    assert supplied({INF: "0710"}, sides=wall)
    assert not supplied({INF: "0710", "sov-51": "0708"}, sides=wall)


@pytest.mark.clause("6.0.5", "6.0.2")
def test_8_1_4_a_zone_closes_a_hex_unless_a_friend_stands_there() -> None:
    assert not supplied({INF: "0710", **RING})  # 0705 and 0706 are empty, and watched
    assert supplied({INF: "0710", **RING, "ger-68": "0706", "ger-75": "0705"})
    assert not supplied({INF: "0710", **RING, "ger-68": "0706"})


def test_8_1_4_a_source_in_an_enemy_zone_is_closed() -> None:
    assert not supplied({INF: "0710", "sov-51": "0802"})
    assert supplied({INF: "0710", "sov-51": "0802", "ger-68": "0701"})
    assert supplied({INF: "0710", "sov-51": "0804"})


@pytest.mark.clause("PA.TEC.11")
def test_8_1_5_lines_need_bridges_over_major_rivers_and_never_cross_blocked_hexsides() -> None:
    assert not supplied({INF: "0710"}, sides={"major-river": after(7)})
    assert supplied({INF: "0710"}, sides={"major-river": after(7)}, road=["0707 0708"])
    assert supplied({INF: "0710"}, sides={"major-river": after(7)}, rail=["0707 0708"])
    assert supplied({INF: "0710"}, sides={"minor-river": after(7)})
    assert not supplied({INF: "0710"}, sides={"blocked": after(7)}, road=["0707 0708"])


@pytest.mark.clause("2.5.1")
def test_8_1_6_no_line_passes_a_major_city_of_the_enemy() -> None:
    wall = {"blocked": [side for side in after(7) if side != "0707|0708"]}
    city = {"Poltava": "0707"}
    assert supplied({INF: "0710"}, sides=wall, major=city)
    assert not supplied({INF: "0710"}, sides=wall, major=city, control={"0707": "soviet"})


def test_8_1_7_a_city_changes_hands_when_somebody_passes_through() -> None:
    from hexwar.mechanics import Move

    board = field(major={"Poltava": "0708"})
    game = position({"sov-2tk": "0707"}, marching("sov-2tk", seat="soviet"), board=board)
    assert game.state.control == {"0708": "axis"}
    game.apply(Move("sov-2tk", "0710"))
    assert game.state.control == {"0708": "soviet"}
    back = position({INF: "0707"}, marching(INF), board=board, control={"0708": "soviet"})
    back.apply(Move(INF, "0708"))
    assert back.state.control == {"0708": "axis"}


@pytest.mark.clause("8.2.1")
def test_8_1_8_a_unit_with_a_line_loses_its_marker_at_once() -> None:
    game = check({INF: "0710"}, supply={INF: "isolated"})
    assert told(game.events, "supply-changed") == ["ger-57 is in supply (8.1.8)"]
    assert game.state.supply == {}


@pytest.mark.clause("2.5.2", "8.1.11")
def test_8_1_9_without_a_line_a_unit_is_out_of_supply() -> None:
    game = check({INF: "0710", **RING})
    assert told(game.events, "supply-changed") == ["ger-57 is out of supply (8.1.9)"]
    cut = position({INF: "0710", **RING}, marching(INF), board=field(areas=SOURCES))
    assert cut.state.supply == {}  # 8.1.11: until the next check nothing changes


def test_8_1_10_then_isolated_and_nothing_worse() -> None:
    game = check({INF: "0710", **RING}, supply={INF: "out of supply"})
    assert told(game.events, "supply-changed") == ["ger-57 is isolated (8.1.10)"]
    again = check({INF: "0710", **RING}, supply={INF: "isolated"})
    assert (again.state.supply, again.state.steps[INF]) == ({INF: "isolated"}, 2)


@pytest.mark.clause("2.3.4")
def test_8_1_12_a_headquarters_without_a_line_is_relocated_and_not_marked() -> None:
    game = check({"ger-8a": "0712", "sov-steppe": "0703", **RING})
    assert game.state.supply == {}
    lifted = told(game.events, "headquarters-lifted")
    assert lifted == ["ger-8a is relocated (8.1.12)"] or lifted == ["sov-steppe is relocated (8.1.12)"]
    assert game.state.at["ger-8a"] in ("headquarters waiting", "0712")


def test_8_1_1_soviet_headquarters_relocate_before_those_of_the_axis() -> None:
    cut = {"blocked": after(7)}
    board = field(sides=cut, areas={"supply axis": ["0701"], "supply soviet": ["0720"]})
    game = check({"ger-8a": "0712", "sov-steppe": "0703"}, board=board)
    assert game.to_move == ("soviet",)
    game.apply(next(action for action in offers(game) if action.to == "1018"))
    assert game.to_move == ("axis",)
    assert {action.unit for action in offers(game)} == {"ger-8a"}


@pytest.mark.clause("10.2.2")
def test_8_2_2_out_of_supply_an_attack_is_two_points_weaker() -> None:
    units = {"sov-51": "0709", INF: "0708", "ger-213sec": "0710"}
    game = position(units, attacking("sov-51"), supply=dict.fromkeys(units, "out of supply"))
    found = game.query.odds(("sov-51",), "0708")
    assert (found.attack, found.defence) == (2, 3)
    assert game.query.odds(("ger-213sec",), "0709").attack == 0
    assert cost(position(units, marching(INF), supply={INF: "out of supply"}), INF, "0707") is not None


@pytest.mark.clause("1.3.1")
def test_8_2_3_in_isolation_attack_defence_and_movement_suffer() -> None:
    units = {"sov-51": "0709", INF: "0708"}
    game = position(units, attacking("sov-51"), supply={INF: "isolated", "sov-51": "isolated"})
    found = game.query.odds(("sov-51",), "0708")
    assert (found.attack, found.defence) == (2, 1)
    alone = position({INF: "0708"}, marching(INF), supply={INF: "isolated"})
    assert cost(alone, INF, "0710") == 2  # half of 5 is 2
    assert cost(alone, INF, "0711") is None


# -- the rulebook's four examples of supply lines ----------------------------------------------------------------------


def line_of(unit: str, units: dict[str, str], sides: dict[str, list[str]], **links: list[str]) -> tuple[str, ...]:
    areas = {"supply axis": ["0501"], "supply soviet": ["0820"]}
    board = field(sides=sides, areas=areas, **links)  # type: ignore[arg-type]
    return tuple(position(units, SupplyCheck(), board=board).query.supply(unit).line)


@pytest.mark.clause("8.1.4", "8.1.5")
def test_8_1_2_example_a_a_zone_and_blocked_hexsides_cut_17pz_off() -> None:
    sides = {"blocked": ["0912|1012", "0912|1013", "0912|0913"]}
    assert line_of("ger-17pz", {"ger-17pz": "0912", "sov-9m": "0812"}, sides) == ()
    assert line_of("ger-17pz", {"ger-17pz": "0912", "sov-9m": "0612"}, sides)


@pytest.mark.clause("8.1.4")
def test_8_1_2_example_b_15_has_a_line_through_46_and_223() -> None:
    around = {"sov-66": "0611", "sov-51": "0411", "sov-50": "0609", "sov-52": "0409"}
    chain = {"ger-15": "0510", "ger-46": "0509", "ger-223": "0508"}
    assert line_of("ger-15", {**chain, **around}, {})[-3:] == ("0508", "0509", "0510")
    assert line_of("ger-15", {"ger-15": "0510", "ger-223": "0508", **around}, {}) == ()


@pytest.mark.clause("8.1.4")
def test_8_1_2_example_c_zones_on_all_sides_cut_73_off() -> None:
    germans = {"ger-15": "0406", "ger-46": "0410", "ger-223": "0608", "ger-68": "0208"}
    assert line_of("sov-73", {"sov-73": "0408", **germans}, {}) == ()
    del germans["ger-68"]
    assert line_of("sov-73", {"sov-73": "0408", **germans}, {})


@pytest.mark.clause("8.1.5", "2.1.6")
def test_8_1_2_example_d_66_has_a_line_through_23tk_and_9m_and_over_a_bridge() -> None:
    germans = {"ger-15": "0510", "ger-46": "0710", "ger-223": "0513"}
    units = {"sov-66": "0611", "sov-23tk": "0711", "sov-9m": "0812", **germans}
    river = {"major-river": after(12)}
    line = line_of("sov-66", units, river, road=["0812 0813"])
    assert {"0813", "0812", "0711", "0611"} <= set(line)
    assert line_of("sov-66", units, river) == ()


# -- 2.3 relocation ----------------------------------------------------------------------------------------------------


def posts(units: dict[str, str], board: str | None = None, **more: Any) -> set[str]:
    """Where the 8th Army may go that stood in 0708."""
    game = position({"ger-8a": "0708", **units}, marching("ger-8a"), board=board, **more)
    from hexwar_tow.relocation import posts as mask

    return set(game.world.board.unmask(mask(Position(game.world, game.state), "ger-8a", "0708")))


def test_2_3_6_at_least_five_hexes_away() -> None:
    found = posts({})
    assert "0712" not in found
    assert "0713" in found
    assert "0720" in found


def test_2_3_7_not_in_an_enemy_zone() -> None:
    found = posts({"sov-51": "0715"})
    assert "0714" not in found
    assert "0713" in found


def test_2_3_8_only_where_there_is_a_line() -> None:
    found = posts({}, field(sides={"blocked": after(10)}, areas=SOURCES))
    assert "0703" in found
    assert "0715" not in found


def test_2_3_9_not_with_another_headquarters_nor_in_water() -> None:
    found = posts({"ger-6a": "0714"}, field({"0715": "~"}, areas=SOURCES))
    assert not found & {"0714", "0715"}


def test_2_3_6_a_headquarters_without_a_hex_waits_for_the_next_check() -> None:
    shut = field(areas={"supply axis": ["0708"], "supply soviet": ["0909"]}, size=(9, 9))
    game = position(
        {"ger-8a": "headquarters waiting"}, Relocating("axis", ("ger-8a",), (), about="arrival.relocation"), board=shut
    )
    assert game.state.at["ger-8a"] == "headquarters waiting"
    later = check({"ger-8a": "headquarters waiting"})
    assert later.to_move == ("axis",)
    later.apply(Arrive("ger-8a", "0703"))
    assert (later.state.at["ger-8a"], later.state.relocations) == ("0703", {"axis": 1})


def test_2_3_10_relocations_cost_points_in_the_campaign_only() -> None:
    from hexwar.mechanics import total

    for scenario, points in (("campaign", 2 - 4), ("race", 0)):
        game = position({}, marching("ger-8a"), scenario=scenario, relocations={"axis": 1, "soviet": 2})
        assert total(game.query.score(), "soviet") == points


def test_2_3_6_the_refusals_of_a_relocation() -> None:
    step = Relocating("axis", ("ger-8a",), ("0713",), about="arrival.relocation", origin="0708")
    game = position({"ger-8a": "headquarters waiting"}, step)
    refused(game, Arrive("ger-8a", "0709"), "2.3.6", "not 5 hexes away")
    game.apply(Arrive("ger-8a", "0713"))
    assert game.state.at["ger-8a"] == "0713"
