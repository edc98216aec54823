"""14.12 to 14.14: who counts in a fight, and as what: neighbours left alone, guns, commanders."""

from __future__ import annotations

from typing import Any

import pytest

from hexwar.engine import Sequencing
from hexwar.mechanics import Declare, Fight, Retreat, RollModified
from hexwar.pieces import Done, on_board
from hexwar.testing import position
from hexwar_wop.losses import Lead
from tests.wop.table import asked, played
from tests.wop.test_14_attacks import attack, kinds, planning
from tests.wop.test_14_combat import fight, shifts

# -- 14.13.u neighbours that are left alone -----------------------------------------------------------------------------------

BESIDE = {"97/33": "0912", "49/18": "0913", "42/18": "0811"}


@pytest.mark.clause("14.3.b")
def test_14_13_u_who_was_attacked_and_beaten_is_not_left_alone() -> None:
    assert fight(BESIDE, ["97/33"], "0913")["14.13.u"] == -2
    assert "14.13.u" not in fight(BESIDE, ["97/33"], "0913", beaten=["42/18"])


def test_14_13_u_a_hex_with_anybody_who_was_not_attacked_still_costs() -> None:
    units = {**BESIDE, "144/18": "0811"}
    assert fight(units, ["97/33"], "0913", beaten=["42/18"])["14.13.u"] == -2
    assert "14.13.u" not in fight(units, ["97/33"], "0913", beaten=["42/18", "144/18"])


def test_14_13_u_in_the_course_of_two_attacks() -> None:
    """49/18 is beaten in 2405 and falls back to 2406, next to the attacker of 2507."""
    game = planning({"49/18": "2405", "42/18": "2507", "97/33": "2404", "98/33": "2506"}, "soviet", [6, 4, 9])
    game.apply(Declare("97/33", "2405"))
    game.apply(Declare("98/33", "2507"))
    game.apply(Done())
    game.apply(Fight("2405"))
    game.apply(Retreat("49/18", ("2405", "2406")))
    assert game.state.beaten == ("49/18",)
    game.apply(Done())
    modified = [event for event in game.events if isinstance(event, RollModified)]
    assert [clause for _, _, clause in modified[-1].modifiers] == ["14.13.j", "14.13.b"]


# -- 14.12.c, 14.14.c, 14.14.d guns -------------------------------------------------------------------------------------------

OVER_THE_WKRA: dict[str, Any] = {"49/18": "0913", "97/33": "0912", "98/33": "0912"}
"""0912 and 1012 are across the river, 1013 is not."""


@pytest.mark.parametrize("guns", ["1013", "0912", "1111"])
def test_14_14_c_guns_beside_the_target_do_not_attack_where_no_attacker_stands(guns: str) -> None:
    odds = asked({**OVER_THE_WKRA, "ArtXV": guns}).query.odds(["97/33", "98/33", "ArtXV"], "0913")
    assert odds.attack == 15, "14.14.b: their strength counts wherever they stand"
    assert shifts(odds)["14.13.c"] == -2, "all who attack come over the river"


def test_14_14_c_guns_attack_with_those_of_their_hex() -> None:
    units = {**OVER_THE_WKRA, "99/33": "1013", "ArtXV": "1013"}
    assert "14.13.c" not in fight(units, ["97/33", "98/33", "99/33", "ArtXV"], "0913")
    assert fight(units, ["97/33", "98/33", "ArtXV"], "0913")["14.13.c"] == -2, "99/33 attacks somebody else, or nobody"


@pytest.mark.clause("14.12.c")
def test_14_14_d_guns_where_no_attacker_stands_do_not_lead() -> None:
    units = {**OVER_THE_WKRA, "ArtXV": "1013"}
    assert "lead" not in kinds(attack(units, ["97/33", "98/33", "ArtXV"], "0913", 4))
    together = attack({**OVER_THE_WKRA, "ArtXV": "0912"}, ["97/33", "98/33", "ArtXV"], "0913", 4)
    assert {*together.legal_actions()} == {Lead("97/33"), Lead("98/33"), Lead("ArtXV")}


def test_14_14_c_guns_where_no_attacker_stands_neither_lose_nor_are_thrown_back() -> None:
    game = attack({**OVER_THE_WKRA, "ArtXV": "1013"}, ["97/33", "ArtXV"], "0913", 0)
    assert (game.state.steps_left["97/33"], game.state.steps_left["ArtXV"]) == (1, 2)
    assert {action.unit for action in game.legal_actions() if isinstance(action, Retreat)} == {"97/33"}


def test_14_14_c_guns_whose_comrades_were_lost_in_the_fight_are_thrown_back() -> None:
    units: dict[str, Any] = {"49/18": "0913", "97/33": {"at": "1013", "steps": 1}, "ArtXV": {"at": "1013", "steps": 1}}
    game = attack(units, ["97/33", "ArtXV"], "0913", 1, 9, 9, 9)
    game.apply(Lead("97/33"))
    assert "97/33" not in on_board(game.position, "soviet")
    assert {action.unit for action in game.legal_actions() if isinstance(action, Retreat)} == {"ArtXV"}


def test_14_13_u_guns_where_no_attacker_stands_have_no_neighbours() -> None:
    units = {**OVER_THE_WKRA, "ArtXV": "1013", "42/18": "1114"}
    assert "14.13.u" not in fight(units, ["97/33", "98/33", "ArtXV"], "0913")
    assert fight({**units, "99/33": "1013"}, ["97/33", "98/33", "99/33", "ArtXV"], "0913")["14.13.u"] == -2


# -- 14.13.f to 14.13.i, 9.4 commanders ---------------------------------------------------------------------------------------

OPEN: dict[str, Any] = {"97/33": "2404", "49/18": "2405"}


@pytest.mark.clause("9.4")
@pytest.mark.parametrize(("leader", "value"), [("5A", 0), ("GrK", 0), ("18DP", 1), ("17DP", 1)])
def test_14_13_i_an_independent_unit_has_the_commander_of_a_formation(leader: str, value: int) -> None:
    """The car is under the command of any of them, but armies and groups are no formations (1.7.a)."""
    units = {"AC1": "2404", "97/33": "2405", leader: "2402"}
    assert asked(units).query.command(leader) == ("AC1",)
    assert fight(units, ["AC1"], "2405").get("14.13.f", 0) == value


@pytest.mark.clause("14.13.g")
def test_14_13_i_an_independent_defender_under_an_army_is_under_command_and_lends_nothing() -> None:
    alone = {"97/33": "2404", "33DS": "2402", "AC1": "2405", "5A": "2407"}
    assert fight(alone, ["97/33"], "2405")["14.13.f"] == 1, "4 against 0"
    both = {**alone, "49/18": "2405", "18DP": "2406"}
    assert fight(both, ["97/33"], "2405")["14.13.f"] == -1, "9.22.c: all are under command, and 18DP has 6"
    assert "14.13.f" not in fight({**both, "18DP": "2411"}, ["97/33"], "2405"), "nobody leads the infantry"


def test_14_13_h_an_attacker_without_command_when_the_activation_began_has_no_commander() -> None:
    units = {**OPEN, "98/33": "2404", "33DS": "2402"}
    assert fight(units, ["97/33", "98/33"], "2405")["14.13.f"] == 1
    assert "14.13.f" not in fight(units, ["97/33", "98/33"], "2405", unled=["98/33"])
    assert fight(units, ["97/33"], "2405", unled=["98/33"])["14.13.f"] == 1
    assert fight({**units, "18DP": "2406"}, ["97/33", "98/33"], "2405", unled=["98/33"])["14.13.f"] == -1


@pytest.mark.parametrize("state", [{}, {"passed": ["97/33"]}, {"no_command": ["97/33"]}])
def test_14_13_h_it_is_looked_for_when_the_activation_begins(state: dict[str, Any]) -> None:
    """Who has the marker does not attack at all, and who has passed the test counts (9.18)."""
    units = {"97/33": "2404", "98/33": "2403", "33DS": "2411", "5A": "1523"}
    game = position("wop", units=units, step=[Sequencing((0, 4))], **state)
    assert game.state.active == "soviet"
    assert game.state.unled == (("97/33", "98/33") if not state else ("98/33",))
    near = position("wop", units={**units, "33DS": "2405"}, step=[Sequencing((0, 4))], no_command=["33DS"])
    assert near.state.unled == ("97/33", "98/33"), "9.17.b: a headquarters without command leads nobody"
    assert position("wop", units={**units, "33DS": "2405"}, step=[Sequencing((0, 4))]).state.unled == ()


@pytest.mark.clause("9.18", "9.14")
def test_14_13_h_who_passed_the_test_is_remembered() -> None:
    game = played({"5A": "1523", "IVA": "1303", "17DP": "1121", "67/17": "0520"}, [6, 0])
    assert game.state.passed == ("67/17",)
    assert game.state.no_command == ()
