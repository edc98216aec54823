"""The worked examples of the rulebook, word for number.

Where an example is a picture that the text only describes, the position is one in which the same thing holds for the same reason.
"""

from __future__ import annotations

import pytest

from hexwar.engine import Game
from hexwar.mechanics import Done, Move, Pursue, Ready, Retreat, Select, Selecting
from hexwar_tow.content import load_tow
from hexwar_tow.luftwaffe import Commit
from tests.tow.battles import after, attack, battle, lost_in_all_ways, odds, ratio, steps, ways
from tests.tow.table import SELECTION, cost, ends, field, marching, of_kind, offered, position, refused, walls, where

TABLE = load_tow().table


# -- 1.3 rounding ------------------------------------------------------------------------------------------------------------


def test_1_3_1_half_of_three_is_one_and_a_quarter_of_three_nothing() -> None:
    """The game halves strengths across rivers and the points of isolated units; nothing is ever quartered."""
    board = field(sides={"minor-river": ["0707|0708"]})
    game = battle({"ger-213sec": "0707", "sov-2tk": "0708"}, "sov-2tk", board=board, reduced=["sov-2tk"])
    assert odds(game, "0707", "sov-2tk").attack == 3 // 2 == 1
    twice = battle(
        {"ger-213sec": "0707", "sov-2tk": "0708"}, "sov-2tk", board=board, reduced=["sov-2tk"], supply={"sov-2tk": "isolated"}
    )
    assert odds(twice, "0707", "sov-2tk").attack == 0  # half of 3 - 2


# -- 4.2.1 STAVKA ------------------------------------------------------------------------------------------------------------


def selecting(turn: int, crossings: int) -> Game:
    points = [f"14{column:02}" for column in range(1, crossings + 1)]
    return position({"sov-51": "0715"}, Selecting(), board=field(areas={"crossing points": points}), turn=turn, crossings=points)


def chosen(game: Game, *chits: str) -> bool:
    """Whether the Soviets may choose these chits and no others."""
    for chit in chits:
        if Select(chit) not in game.legal_actions("soviet"):
            return False
        game.apply(Select(chit), "soviet")
    return Ready() in game.legal_actions("soviet")


@pytest.mark.clause("PA.STAVKA.1", "4.2.1.7")
def test_4_2_1_3_turn_5_with_a_crossing_point_needs_all_four_fronts() -> None:
    fronts = ("voronezh-1", "steppe-1", "southwest-1", "south-1")
    assert chosen(selecting(5, 0), *fronts, "stavka", "reinforcements")
    assert not chosen(selecting(5, 1), "stavka")
    assert chosen(selecting(5, 1), *fronts, "reinforcements", "south-2")


@pytest.mark.clause("PA.STAVKA.2", "4.2.1.3")
def test_4_2_1_4_turn_6_with_one_crossing_point_needs_three_fronts_and_stavka() -> None:
    assert chosen(selecting(6, 1), "voronezh-1", "southwest-1", "south-1", "stavka", "reinforcements", "voronezh-2")
    assert not chosen(selecting(6, 1), "voronezh-1", "southwest-1", "stavka", "reinforcements", "voronezh-2", "southwest-2")
    assert not chosen(selecting(6, 2), "stavka")


# -- 7.0 the Luftwaffe -------------------------------------------------------------------------------------------------------


def test_7_0_7_two_to_one_becomes_four_to_one() -> None:
    units = {"sov-51": "0708", "ger-11pz": "0707", "ger-112": "0707"}
    game = battle(units, "ger-11pz", "ger-112", seat="axis", dice=[4], luftwaffe={"axis": ["off"]}, sorties=1)
    assert ratio(game, "0708", "ger-11pz", "ger-112") == "8:4 = 2:1"
    attack(game, "0708", "ger-11pz", "ger-112")
    events = game.apply(Commit("off"))
    assert of_kind(events, "attack-resolved")[0].result == TABLE.rows[4][list(TABLE.columns).index("4:1")].name == "RR"


@pytest.mark.clause("7.0.5")
def test_7_0_8_a_four_becomes_a_two() -> None:
    units = {"ger-112": "0707", "sov-2tk": "0708"}
    game = battle(units, "sov-2tk", dice=[4], luftwaffe={"axis": ["def"]}, sorties=1)
    attack(game, "0707", "sov-2tk")
    events = game.apply(Commit("def"))
    (modified,) = of_kind(events, "roll-modified")
    assert (modified.rolled, modified.counts) == (4, 2)


# -- 8.0 supply: A to D ------------------------------------------------------------------------------------------------------


def test_8_1_4_example_a_a_zone_and_blocked_hexsides_close_the_line() -> None:
    """The 17th Panzer Division: the zone of the 9th Mechanised Corps on one side, blocked hexsides on the others."""
    way = ("0804", "0805")
    board = field(sides={"blocked": walls(*way, doors=[("0805", "0806"), ("0805", "0904"), ("0805", "0704")])})
    game = position({"ger-17pz": "0804", "sov-9m": "0806"}, board=board)
    assert not game.query.supply("ger-17pz").supplied
    assert position({"ger-17pz": "0804"}, board=board).query.supply("ger-17pz").supplied


def test_8_1_4_example_b_the_line_runs_through_two_friends() -> None:
    """The 15th Division through the 46th and the 223rd, both in enemy zones."""
    chain = ("0701", "0702", "0703", "0704", "0705")
    board = field(sides={"blocked": walls(*chain, doors=[("0703", "0804"), ("0704", "0805")])})
    friends = {"ger-15": "0705", "ger-46": "0704", "ger-223": "0703"}
    enemies = {"sov-51": "0804", "sov-50": "0805"}
    game = position({**friends, **enemies}, board=board)
    assert game.query.supply("ger-15").line == ("0701", "0702", "0703", "0704", "0705")
    for absent in ("ger-46", "ger-223"):
        units = {unit: label for unit, label in {**friends, **enemies}.items() if unit != absent}
        assert not position(units, board=board).query.supply("ger-15").supplied


def test_8_1_4_example_c_empty_zones_close_a_hex() -> None:
    """The 73rd Corps: the only hex of its line lies in zones and nobody stands there."""
    chain = ("0720", "0719", "0718", "0717")
    board = field(sides={"blocked": walls(*chain, doors=[("0718", "0819")])})
    units = {"sov-73": "0717", "ger-112": "0819"}
    assert not position(units, board=board).query.supply("sov-73").supplied
    assert position({**units, "sov-66": "0718"}, board=board).query.supply("sov-73").supplied


@pytest.mark.clause("2.1.6")
def test_8_1_5_example_d_through_two_friends_and_over_a_bridge() -> None:
    """The 66th Corps through the 23rd Tank and the 9th Mechanised Corps, then over a river that has a bridge there."""
    chain = ("0720", "0719", "0718", "0717", "0716")
    doors = [("0717", "0817"), ("0718", "0818")]
    units = {"sov-66": "0716", "sov-23tk": "0717", "sov-9m": "0718", "ger-112": "0817", "ger-68": "0818"}
    shut = walls(*chain, doors=doors)
    bridged = field(sides={"blocked": shut, "major-river": ["0718|0719"]}, road=["0718 0719"])
    assert position(units, board=bridged).query.supply("sov-66").line == chain
    without = field(sides={"blocked": shut, "major-river": ["0718|0719"]})
    assert not position(units, board=without).query.supply("sov-66").supplied


# -- 9.0 movement ------------------------------------------------------------------------------------------------------------


def test_9_0_6_the_first_example_from_zone_to_zone() -> None:
    """Hex A costs 1 + 2 + 2 = 5, all that a German infantry division has; hex B is across a major river, both hexes in zones."""
    board = field(sides={"major-river": ["0707|0807"]})
    units = {"ger-112": "0707", "sov-51": "0708", "sov-50": "0906", "sov-52": "0505"}
    game = position(units, marching("ger-112"), board=board)
    assert {"0707", "0706", "0807", "0607"} & set(game.query.zones("soviet")) >= {"0707", "0807"}
    zone = next(label for label in ("0706", "0607", "0608") if label in game.query.zones("soviet"))
    assert cost(game, "ger-112", zone) == 5
    refused(game, Move("ger-112", "0807"), "9.3.2")


@pytest.mark.clause("9.2.1", "9.2.3")
def test_9_0_7_the_second_example_an_enemy_bars_the_strategic_move() -> None:
    """Seven road hexes are 3.5 points; with an enemy beside the road there is no such move, and what is left is regular.

    The printed sum (3 + 1 + 2 = 5) is wrong and not taken over.
    """
    road = [" ".join(f"07{column:02}" for column in range(4, 12))]
    board = field(road=road)
    free = position({"ger-112": "0704"}, marching("ger-112"), board=board)
    assert cost(free, "ger-112", "0711", "strategic") == 3.5
    barred = position({"ger-112": "0704", "sov-51": "0808"}, marching("ger-112"), board=board)
    assert cost(barred, "ger-112", "0711", "strategic") is None
    assert "0711" not in ends(barred, "ger-112") | ends(barred, "ger-112", "strategic")
    assert cost(barred, "ger-112", "0707") == 5  # two free hexes, then 1 and 2 for the zone
    assert cost(barred, "ger-112", "0706") == 2


# -- 10.2 odds ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("strength", "defence", "name"), [(15, 5, "3:1"), (26, 9, "2:1"), (12, 7, "1.5:1"), (18, 13, "1:1"), (25, 2, "10:1")]
)
def test_10_2_4_the_examples_of_ratios(strength: int, defence: int, name: str) -> None:
    column = TABLE.column(strength, defence)
    assert column is not None
    assert TABLE.columns[column] == name


def test_10_2_6_three_to_one_against_a_town_on_rough_ground_is_one_and_a_half_to_one() -> None:
    board = field({"0707": "^"}, towns={"Town": "0707"})
    game = battle({"ger-112": "0707", "sov-2tk": "0708", "sov-51": "0708"}, "sov-2tk", "sov-51", board=board)
    assert ratio(game, "0707", "sov-2tk", "sov-51") == "10:3 = 1.5:1"


def test_10_2_5_twelve_to_one_against_it_is_eight_to_one() -> None:
    board = field({"0707": "^"}, towns={"Town": "0707"})
    game = battle({"ger-213sec": "0707", "sov-2tk": "0708", "sov-10tk": "0708"}, "sov-2tk", "sov-10tk", board=board)
    assert ratio(game, "0707", "sov-2tk", "sov-10tk") == "12:1 = 8:1"


def test_10_3_5_two_losses_among_two_full_divisions() -> None:
    game = after("2RR", {"ger-112": "0707", "ger-68": "0707", "sov-51": "0708"}, "sov-51")
    assert set(lost_in_all_ways(game, "ger-112", "ger-68")) == {(0, 2), (2, 0), (1, 1)}


@pytest.mark.clause("10.1.2", "10.3.1", "10.4.3", "10.5.1", "10.5.2", "10.5.10", "PA.TEC.5")
def test_10_2_11_the_battle_for_1731_on_the_map_of_the_game() -> None:
    """Four corps with 20 points attack a division of 3 in a town: 6:1, one to the left is 5:1; a five is 1RR."""
    a, b, c, d, e = "ger-112", "sov-51", "sov-2tk", "sov-50", "sov-10tk"
    units = {a: "1731", b: "1832", c: "1832", d: "1732", e: "1732"}
    game = battle(units, b, c, d, e, board="", dice=[5])
    board = game.world.board
    assert ratio(game, "1731", b, c, d, e) == "20:3 = 5:1"
    found = odds(game, "1731", b, c, d, e)
    assert (TABLE.columns[found.base or 0], [shift.columns for shift in found.shifts]) == ("6:1", [-1])
    events = attack(game, "1731", b, c, d, e)
    assert of_kind(events, "attack-resolved")[0].result == "1RR"
    assert steps(game, a) == (1,)
    game.apply(Retreat(a, ("1731", "1730", "1630")))
    assert where(game, a) == ("1630",)
    assert board.distance("1731", "1630") == 2
    # 1731 is free: B and C go in, D finds no room any more, E could go on but stays.
    game.apply(Pursue(b, ("1832", "1731")))
    assert any(len(action.path) == 3 for action in offered(game, Pursue) if action.unit == c)
    game.apply(Pursue(c, ("1832", "1731")))
    assert not any(action.path[-1] == "1731" for action in offered(game, Pursue))
    assert {action.unit for action in offered(game, Pursue)} == {e}
    game.apply(Done())
    assert where(game, b, c, d, e) == ("1731", "1731", "1732", "1732")


@pytest.mark.clause("10.4.5")
def test_10_4_3_the_retreat_of_that_battle_keeps_out_of_zones() -> None:
    """1630, where the division ends in the rulebook, is among the hexes that may be chosen; none of them lies in a zone."""
    units = {"ger-112": "1731", "sov-51": "1832", "sov-2tk": "1832", "sov-50": "1732", "sov-10tk": "1732"}
    game = after("1RR", units, "sov-51", "sov-2tk", "sov-50", "sov-10tk", target="1731", board="")
    found = [way.split() for way in ways(game, "ger-112")]
    assert ["1730", "1630"] in found
    assert {label for way in found for label in way}.isdisjoint(game.query.zones("soviet"))


@pytest.mark.clause("10.4.4")
def test_10_4_3_with_enemies_around_only_one_way_avoids_zones_and_need_not_lead_nearer_to_a_source() -> None:
    units = {"ger-112": "1731", "sov-51": "1832", "sov-2tk": "1832", "sov-50": "1732", "sov-10tk": "1732"}
    around = {"sov-52": "1728", "sov-47": "1829", "sov-23g": "1430"}  # their zones cover 1729 and 1530
    game = after("1RR", {**units, **around}, "sov-51", "sov-2tk", "sov-50", "sov-10tk", target="1731", board="")
    found = {way.split()[-1] for way in ways(game, "ger-112")} or set(where(game, "ger-112"))
    assert found == {"1630"}


# -- 12.3 crossing points ----------------------------------------------------------------------------------------------------


def test_12_3_1_the_crossing_points_of_the_map_lie_on_the_dnieper() -> None:
    game = position({"sov-51": "3342"}, board="", path=SELECTION)
    board = game.world.board
    assert len(game.world.crossing_hexes) == 6
    for label in game.world.crossing_hexes:
        assert any("major-river" in board.side(label, near) for near in board.neighbours(label)), label
