"""14.12 to 14.14: who counts in a fight, and as what: neighbours left alone, guns, commanders."""

from __future__ import annotations

from typing import Any

import pytest

from hexwar.mechanics import Retreat
from hexwar.pieces import on_board
from hexwar_wop.losses import Lead
from tests.wop.table import asked
from tests.wop.test_14_attacks import attack, kinds
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
