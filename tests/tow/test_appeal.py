"""What a ruleset tells bots: how much an action appeals at first sight, and what a question is about."""

from __future__ import annotations

import random

import pytest

from hexwar.mechanics import Attack, Join, Resolve
from hexwar_tow.activation import ChooseMode, ChoosingHeadquarters, ChoosingMode, Include, Lead
from hexwar_tow.luftwaffe import Commit
from hexwar_tow.okh import Use
from hexwar_tow.reinforcements import Replace
from hexwar_tow.relocation import Relocate
from tests.tow.table import battle, marching, position

UNITS = {"ger-8a": "0706", "ger-112": "0707", "ger-11pz": "0703", "sov-51": "0708", "sov-2tk": "0712", "sov-steppe": "1118"}


@pytest.mark.parametrize(
    ("active", "fights"), [(("ger-112",), 1.0), (("ger-11pz", "ger-112"), 0.5), (("ger-11pz",), 0.0), ((), 0)]
)
def test_4_3_6_units_next_to_the_enemy_would_rather_fight_first(active: tuple[str, ...], fights: float) -> None:
    game = position(UNITS, ChoosingMode("axis"), active=active or ("ger-9",))
    assert ChooseMode("combat-move").appeal(game.position) == fights
    assert ChooseMode("move-combat").appeal(game.position) == 0.5


def test_4_3_11_a_headquarters_appeals_by_the_strength_that_it_leads() -> None:
    game = position(UNITS, ChoosingHeadquarters("axis", "okh-1", "4.2.2.7"))
    assert Lead("ger-8a").appeal(game.position) == 2 + 3 + 5
    assert Include("ger-8a").appeal(game.position) == Commit("off").appeal(game.position) == 1


def test_4_2_2_4_a_bot_negotiates_before_it_activates_and_replaces_the_weakest() -> None:
    game = position(UNITS, ChoosingMode("axis"), reduced=["sov-2tk"], active=("ger-112",))
    assert [Use(use).appeal(game.position) for use in ("headquarters", "order", "negotiation")] == [1, 0.5, 2]
    assert [Replace("sov-25tk", unit).appeal(game.position) for unit in ("sov-2tk", "sov-51")] == [-3, -4]


def test_7_0_5_the_question_for_support_is_about_the_attack() -> None:
    game = battle(UNITS, "sov-51", seat="soviet", luftwaffe={"axis": ["def"]}, sorties=1)
    for action in (Attack("0707"), Join("sov-51"), Resolve()):
        game.apply(action)
    question = game.view("axis").question
    assert question is not None
    assert (question.pieces, question.places) == (("sov-51",), ("0707",))


def test_9_4_1_a_random_player_relocates_now_and_then() -> None:
    game = position({"ger-4pza": "0707", "sov-51": "0913"}, marching("ger-4pza", seat="axis"))
    chance, offers = random.Random(1), game.offered("axis")
    relocations = sum(isinstance(offers.sample(chance), Relocate) for _ in range(300))
    assert 5 <= relocations <= 60
