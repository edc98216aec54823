"""16.0 Victory: what scores, when the game ends and who has won."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import pytest

from hexwar.engine import Game
from hexwar.pieces import Done, Losing, total
from hexwar_ava.fortresses import Building
from hexwar_ava.supply import StandDown, StandingDown, SupplyCheck
from hexwar_ava.turn import CallingZhukov
from tests.ava.helpers import board, content
from tests.ava.table import field, moving, position, refused, told

SMALL = (16, 10)
ISLAND = dict.fromkeys(("1304", "1405", "1406", "1306", "1206", "1205"), "~")
"""Lakes around 1305."""
A, B, C = "0605", "0905", "1305"
"""Major cities: two that the Axis railway reaches, and one on an island."""
RAIL = " ".join(f"{column:02}05" for column in range(1, 10))
AREAS = {"supply axis": ["0105"], "supply soviet": ["1605"]}
TOWNS: dict[str, Any] = {
    "terrain": ISLAND,
    "size": SMALL,
    "major": {"A": A, "B": B, "C": C},
    "cities": {"D": "0404"},
    "rail": [RAIL],
    "areas": AREAS,
}
DRAWING = (2, 1, 0)


def towns(**more: Any) -> str:
    return field(**{**TOWNS, **more})


@cache
def at_start(scenario: str) -> Mapping[str, str]:
    """Who controls what when a scenario begins."""
    control: Mapping[str, str] = position({}, CallingZhukov("soviet"), board="", scenario=scenario).state.control
    return control


def holding(axis: Iterable[str], scenario: str = "") -> dict[str, str]:
    """Who controls what if the Axis holds some hexes and nothing else has changed."""
    start = at_start(scenario) if scenario else dict.fromkeys((A, B, C, "0404", "1605"), "soviet")
    return {**start, **dict.fromkeys(axis, "axis")}


def standing(units: Mapping[str, str], axis: Iterable[str], ground: str, scenario: str = "campaign", **more: Any) -> Game:
    """A position whose score can be asked."""
    control = holding(axis, "" if ground else scenario)
    return position(units, CallingZhukov("soviet"), board=ground, scenario=scenario, control=control, turn=9, **more)


def points(game: Game, clause: str = "") -> float:
    """The points of the Axis, under one clause or in all."""
    return total([score for score in game.query.score() if score.clause == (clause or score.clause)], "axis")


def on_rail(game: Game, label: str) -> bool:
    supplied: bool = game.query.supply(label, "axis").supplied
    return supplied


# -- 16.1 points ---------------------------------------------------------------------------------------------------------------


def test_16_1_1_only_the_axis_scores() -> None:
    units = {"su-1t": A, "ger-1pz": "0305", "su-2t": "soviet eliminated", "ger-6pz": "axis eliminated"}
    game = standing(units, [B], towns(), stand_fast=[A])
    assert {score.side for score in game.query.score()} == {"axis"}
    assert total(game.query.score(), "soviet") == 0
    assert not standing({"su-1t": A, "su-179": B}, [], towns()).query.score()


def test_16_1_2_a_major_city_with_a_line_is_worth_10_and_without_5() -> None:
    game = standing({}, [A, C], towns(), stand_fast=[])
    assert (on_rail(game, A), on_rail(game, C)) == (True, False)
    assert [(score.points, score.clause) for score in game.query.score()] == [(10, "16.1.2"), (5, "16.1.2")]
    assert points(standing({}, [C], towns(), stand_fast=[])) == 5


def test_16_1_2_a_city_is_worth_nothing() -> None:
    assert points(standing({}, ["0404"], towns())) == 0


def test_16_1_2_the_line_may_be_cut() -> None:
    game = standing({"su-179": "0105"}, [A], towns(), stand_fast=[])
    assert points(game) == 5


def test_16_1_2_each_hex_counts() -> None:
    game = standing({}, ["L3602", "L3603"], "", "leningrad", stand_fast=[])
    assert on_rail(game, "L3602")
    assert on_rail(game, "L3603")
    assert points(game) == 20
    assert points(standing({}, ["K3507", "K3607", "K3608"], "", "kiev", stand_fast=[])) == 30


def test_16_1_2_cities_west_of_the_start_line_count() -> None:
    ground = towns(areas={**AREAS, "west of the start line": [A]})
    game = position({}, CallingZhukov("soviet"), board=ground, turn=9)
    assert game.state.control[A] == "axis"
    assert points(game) == 10


def test_16_1_3_full_german_mechanized_units_on_the_map() -> None:
    units = {
        "ger-1pz": "0205",  # 1
        "ger-36m": "0305",  # 1
        "ger-6pz": "0305",  # reduced
        "ger-8pz": "axis available",
        "ger-3m": "axis eliminated",
        "ger-4pzg": "0405",  # a headquarters is of the infantry class
        "ger-21": "0405",
        "rum-1arm": "0505",  # not German
        "su-1t": "1405",
    }
    game = standing(units, [], towns(terrain={}), reduced=["ger-6pz"])
    assert [score.reason.split()[0] for score in game.query.score()] == ["ger-1pz", "ger-36m"]
    assert points(game, "16.1.3") == points(game) == 2


def test_16_1_3_no_line_is_needed() -> None:
    game = standing({"ger-1pz": C}, [C], towns(), stand_fast=[])
    assert not game.query.supply("ger-1pz").supplied
    assert points(game, "16.1.3") == 1


def test_16_1_4_soviet_mechanized_units_in_the_eliminated_box() -> None:
    lost = dict.fromkeys(("su-2t", "su-202m"), "soviet eliminated")
    others = {"su-179": "soviet eliminated", "su-27a": "soviet eliminated", "su-5t": "1405", "su-1t": "soviet available"}
    game = standing({**lost, **others}, [], towns())
    assert points(game, "16.1.4") == points(game) == 2


def test_16_1_4_however_they_were_lost() -> None:
    losses = position({"su-2t": "1105"}, CallingZhukov("soviet"), Losing("soviet", ("su-2t",), 2), board=towns())
    assert points(losses, "16.1.4") == 1
    check = position({"su-2t": C, "ger-21": "0305"}, SupplyCheck(), board=towns(), reduced=["su-2t"])
    assert check.state.locations["su-2t"] == "soviet eliminated"
    assert points(check, "16.1.4") == 1


# -- 16.2 Stand Fast -----------------------------------------------------------------------------------------------------------


def test_16_2_1_a_city_that_was_to_stand_fast_scores_extra() -> None:
    game = standing({}, [A, C], towns(), stand_fast=[A, B, C])
    assert [(score.points, score.clause) for score in game.query.score()] == [
        (10, "16.1.2"),
        (5, "16.2.1"),
        (5, "16.1.2"),
        (2, "16.2.1"),
    ]
    assert points(standing({}, [A, C], towns(), stand_fast=[B])) == 15


STAND_FAST = {
    "leningrad": "L3602 L3603 L3702",
    "smolensk": "S3510 S4112 S3726 S5003 S5009 S5120",
    "kiev": "K3507 K3607 K3608",
}


@pytest.mark.parametrize("scenario", [*STAND_FAST, "smolensk-short"])
def test_16_2_2_where_the_markers_are(scenario: str) -> None:
    game = position({}, CallingZhukov("soviet"), board="", scenario=scenario)
    assert sorted(game.state.stand_fast) == sorted(STAND_FAST[scenario.removesuffix("-short")].split())


def test_16_2_2_there_are_twelve_in_the_campaign() -> None:
    game = position({}, CallingZhukov("soviet"), board="")
    assert sorted(game.state.stand_fast) == sorted(" ".join(STAND_FAST.values()).split())
    assert len(game.state.stand_fast) == 12
    names = {game.world.controlled[label] for label in game.state.stand_fast}
    assert names == {"Leningrad", "Vitebsk", "Smolensk", "Gomel", "Rzhev", "Vyazma", "Bryansk", "Kiev"}


def asked(turn: int, axis: Iterable[str] = (), units: Mapping[str, str] | None = None) -> Game:
    """A supply check in which the Soviets may remove a marker."""
    state: dict[str, Any] = {"turn": turn, "control": holding(axis), "stand_fast": [A, B, C]}
    game = position(units or {}, SupplyCheck(), board=towns(), **state)
    if isinstance(game.state.stack[-1], Building):
        game.apply(Done())
    return game


def is_asked(game: Game) -> bool:
    return isinstance(game.state.stack[-1], StandingDown)


@pytest.mark.parametrize("turn", [1, 4, 5])
def test_16_2_3_not_before_turn_6(turn: int) -> None:
    assert not is_asked(asked(turn))


@pytest.mark.parametrize("turn", [6, 8, 9])
def test_16_2_3_one_marker_a_check(turn: int) -> None:
    game = asked(turn)
    assert game.to_move == ("soviet",)
    assert game.legal_actions() == [Done(), StandDown(A), StandDown(B)]
    events = game.apply(StandDown(A))
    assert told(events, "stood-down") == [f"the Stand Fast marker in {A} is removed (16.2.3)"]
    assert game.state.stand_fast == (B, C)
    assert not is_asked(game), "one only"


def test_16_2_3_nobody_has_to() -> None:
    game = asked(6)
    game.apply(Done())
    assert game.state.stand_fast == (A, B, C)


def test_16_2_3_not_from_a_city_without_a_line() -> None:
    refused(asked(6), StandDown(C), "16.2.3", "no line of communication")


def test_16_2_3_not_from_a_city_of_the_axis() -> None:
    game = asked(6, [A])
    assert game.legal_actions() == [Done(), StandDown(B)]
    refused(game, StandDown(A), "16.2.3", "not controlled")


def test_16_2_3_not_where_there_is_none() -> None:
    refused(asked(6), StandDown("0404"), "16.2.3", "no Stand Fast marker")


def test_16_2_3_nobody_is_asked_in_vain() -> None:
    game = position({}, SupplyCheck(), board=towns(), turn=6, control=holding([A, B]), stand_fast=[A, B, C])
    assert not is_asked(game)


# -- 16.3 breakthrough ---------------------------------------------------------------------------------------------------------

EDGE = {**AREAS, "supply soviet": ["1005", "1605", "1602"], "supply moscow": ["1103", "1609"]}
"""1005 and 1103 can have an Axis line, the others cannot; the last two are those from Moscow."""


def edge(*axis: str) -> Game:
    return position({}, CallingZhukov("soviet"), board=towns(areas=EDGE), turn=9, control=holding(axis))


def test_16_3_1_a_soviet_source_is_worth_10_with_a_line_and_5_without() -> None:
    assert points(edge("1005"), "16.3.1") == points(edge("1005")) == 10
    assert points(edge("1605"), "16.3.1") == points(edge("1605")) == 5
    assert points(edge()) == 0


def test_16_3_1_once_only_and_the_best_counts() -> None:
    assert points(edge("1605", "1602")) == 5
    assert points(edge("1605", "1005")) == 10
    assert points(edge("1005", "1605", "1602")) == 10


def test_16_3_1_whoever_entered_it_last_controls_it() -> None:
    game = position({"ger-36m": "0905", "su-179": "1605"}, moving("ger-36m"), board=towns(areas=EDGE), turn=9)
    assert points(game, "16.3.1") == 0
    move = next(action for action in game.legal_actions() if getattr(action, "to", "") == "1005")
    assert told(game.apply(move), "control-taken") == ["axis takes supply source (1005) (3.4.2)"]
    assert points(game, "16.3.1") == 10


def test_16_3_2_a_source_from_moscow_scores_twice() -> None:
    assert (points(edge("1103"), "16.3.1"), points(edge("1103"), "16.3.2")) == (10, 10)
    assert (points(edge("1609"), "16.3.1"), points(edge("1609"), "16.3.2")) == (5, 5)
    assert points(edge("1609")) == 10


def test_16_3_2_once_only_as_well() -> None:
    assert points(edge("1103", "1609")) == 20
    assert points(edge("1005", "1609"), "16.3.1") == 10
    assert points(edge("1005", "1609"), "16.3.2") == 5


@pytest.mark.parametrize("scenario", ["campaign", "smolensk"])
@pytest.mark.parametrize("label", ["S5504", "S5507", "S5513"])
@pytest.mark.clause("16.3.1", "16.3.2")
def test_e22_one_hex_from_moscow_makes_20(scenario: str, label: str) -> None:
    game = standing({}, [label], "", scenario)
    assert on_rail(game, label)
    assert [score.points for score in game.query.score()] == [10, 10]
    assert points(game) == 20


@pytest.mark.clause("16.3.1", "16.3.2")
def test_e22_without_a_line_10() -> None:
    units = dict(zip(("su-27", "su-56", "su-85", "su-17"), ("S5506", "S5508", "S5408", "S5407"), strict=True))
    game = standing(units, ["S5507"], "", "smolensk")
    assert not on_rail(game, "S5507")
    assert points(game) == 10


# -- 16.4 the end --------------------------------------------------------------------------------------------------------------


def last_check(turn: int, **more: Any) -> Game:
    """The Supply Check is drawn while other chits are in the cup and one is in hand; then nobody does anything."""
    chits: dict[str, Any] = {
        "cup": ["supply", "su-8a", "ger-18a"],
        "hand": {"axis": ["manstein"]},
        "path": DRAWING,
        "chance": [1, 1, 1],
    }
    game = position({"ger-4pzg": "0305", "ger-18a": "0405", "su-8a": "1405"}, board=towns(), turn=turn, **chits, **more)
    game.apply(Done())  # no interrupt
    return game


def finish(game: Game, most: int = 20) -> None:
    """Decline everything until the game is over."""
    for _ in range(most):
        if game.result is not None or Done() not in game.legal_actions():
            break
        game.apply(Done())


def test_16_4_1_the_campaign_ends_with_the_supply_check_of_turn_9() -> None:
    game = last_check(9)
    assert game.result is None, "the check is not complete: the Axis may withdraw units"
    finish(game, 3)
    assert game.result is not None
    assert game.state.cup == ("su-8a", "ger-18a"), "they are not drawn any more"
    assert game.state.hand == {"axis": ("manstein",)}


def test_16_4_1_not_with_that_of_turn_8() -> None:
    game = last_check(8)
    finish(game, 4)
    assert game.result is None
    assert len(game.state.cup) < 2, "the next chit was drawn"


def test_16_4_1_all_of_the_check_comes_first() -> None:
    game = last_check(9, stand_fast=[A])
    game.apply(Done())
    assert is_asked(game)
    game.apply(StandDown(A))
    assert game.result is not None


@pytest.mark.clause("5.0.2")
def test_16_4_1_an_option_plays_the_turn_to_its_end() -> None:
    game = last_check(9, options={"full-turns": True})
    finish(game)
    assert game.result is None or game.state.cup == ()
    for _ in range(40):
        if game.result is not None:
            break
        game.apply(game.legal_actions()[0])
    assert game.result is not None
    assert (game.state.cup, game.state.hand.get("axis", ())) == ((), ())
    assert game.result.clause == "16.4.2"


@pytest.mark.parametrize(("lost", "winner"), [(0, "soviet"), (1, "axis"), (9, "axis")])
def test_16_4_2_the_axis_needs_191_points(lost: int, winner: str) -> None:
    tanks = [unit.id for unit in content().units.values() if unit.side == "soviet" and unit.mechanized][:lost]
    cities = [label for place in board("ava/campaign").places if place.kind == "major-city" for label in place.hexes]
    state: dict[str, Any] = {"turn": 9, "control": holding(cities[:19], "campaign"), "stand_fast": []}
    game = position(dict.fromkeys(tanks, "soviet eliminated"), SupplyCheck(), board="", **state)
    finish(game)
    assert game.result is not None
    assert game.result.scores == {"axis": 190 + lost}
    assert (game.result.winner, game.result.clause) == (winner, "16.4.2")
    assert str(190 + lost) in game.result.reason
