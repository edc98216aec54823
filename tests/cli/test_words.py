"""What a player typed, and which action it means."""

from __future__ import annotations

import pytest

from hexwar.mechanics import Attack, CallOff, Join, Move, Retreat
from hexwar.pieces import Done
from hexwar.plugins import plugins
from hexwar.table.words import attempt, matching

OFFERED = [Done(), Move("b1", "0503"), Move("b10", "0503"), Move("b1", "0504"), Attack("0504")]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("done", [Done()]),
        ("d", [Done()]),
        ("move b1 to 0503", [Move("b1", "0503")]),
        ("m b1 0503", [Move("b1", "0503")]),
        ("MOVE B1 0504", [Move("b1", "0504")]),
        ("b10", [Move("b10", "0503")]),
        ("b1", [Move("b1", "0503"), Move("b1", "0504")]),
        ("attack", [Attack("0504")]),
        ("a 0504", [Attack("0504")]),
        ("0503 b1", []),
        ("fly b1", []),
    ],
)
def test_words_begin_the_words_of_an_action(typed: str, meant: list[object]) -> None:
    assert matching(typed, OFFERED) == meant


def test_the_kind_of_an_action_will_do() -> None:
    assert matching("call-off", [CallOff(), Join("b1")]) == [CallOff()]


@pytest.mark.parametrize(
    ("typed", "tried"),
    [
        ("move b1 0909", Move("b1", "0909")),
        ("mov b1 to 0909", Move("b1", "0909")),
        ("retreat b1 0504 0505", Retreat("b1", ("0504", "0505"))),
        ("done", Done()),
        ("move b1", None),
        ("move b1 0909 0910", None),
        ("done now", None),
        ("dance", None),
    ],
)
def test_an_attempt_at_what_is_not_offered_can_be_refused_with_its_reason(typed: str, tried: object) -> None:
    assert attempt(typed, plugins().ruleset("bridgehead")) == tried


@pytest.mark.parametrize(("typed", "points"), [("bid 999", 999), ("bid 0", 0), ("bid much", None), ("bid 5 6", None)])
def test_an_attempt_may_hold_a_number(typed: str, points: int | None) -> None:
    from hexwar.pieces._bidding import Bid

    rules = plugins().ruleset("ava")
    assert attempt(typed, rules.extended(rules.rules, actions=(Bid,))) == (None if points is None else Bid(points))
