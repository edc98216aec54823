"""Exact chance: all dice of an action, and the checks that compare them with table and cup."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

import hexwar
import hexwar.mechanics._combat
import hexwar.mechanics._queries
from hexwar.engine import Game, Play
from hexwar.errors import HexwarError, Refusal
from hexwar.mechanics import Assembling, AttackResolved, Battle, HexQuery, Move, Resolve, TableCombat
from hexwar.pieces import ChitDrawn, Ready, Select
from hexwar.testing import ExactChance, branches, check_ruleset, distribution, position
from tests.testing.test_checks import found

CHECKS = ["chance-is-exact", "odds-are-kept"]


def assault() -> Game:
    """Two rifle units against guards beyond the river."""
    battle = Battle.on("blue", "0504", ("b1", "b2"))
    return position(
        "bridgehead",
        units={"b1": "0404", "b2": "0405", "r1": "0504", "rA": "0604"},
        step=Assembling("blue", battle, ()),
        turn=1,
    )


def result(branch: Any) -> str:
    return next(event.result for event in branch.game.events if isinstance(event, AttackResolved))


def test_the_results_of_an_attack_are_those_of_the_table() -> None:
    game = assault()
    digest = game.digest
    shown = game.query.odds(["b1", "b2"], "0504").distribution
    assert distribution(game, Resolve(), "blue", of=result) == shown
    assert sum(shown.values()) == 1
    assert game.digest == digest
    assert not game.history


def test_branches_tell_their_draws() -> None:
    ways = list(branches(assault(), Resolve(), "blue"))
    assert {way.draws[0] for way in ways} == set(range(6))
    assert sum(way.probability for way in ways) == 1
    assert all(way.probability == Fraction(1, 6) or len(way.draws) > 1 for way in ways)
    assert len({way.game.digest for way in ways}) == len(distribution(assault(), Resolve(), "blue"))


@pytest.mark.parametrize("seed", [1, 2])
def test_a_cup_is_drawn_from_evenly_whatever_the_seed(seed: int) -> None:
    game = hexwar.new_game("bridgehead", seed=seed)
    for chit in ("bA", "bB"):
        game.apply(Select(chit), "blue")
    game.apply(Ready(), "blue")
    game.apply(Select("rA"), "red")

    def first(branch: Any) -> str:
        return next(event.chit for event in branch.game.events if isinstance(event, ChitDrawn))

    drawn = distribution(game, Ready(), "red", of=first)
    assert drawn == dict.fromkeys(("bA", "bB", "rA", "supply"), Fraction(1, 4))


def test_an_action_without_dice_has_one_outcome() -> None:
    game = hexwar.new_game("bridgehead", seed=1)
    assert list(distribution(game, {"kind": "select", "chit": "bA", "hold": False}, "blue").values()) == [1]


def test_too_many_ways_and_what_is_not_offered() -> None:
    with pytest.raises(HexwarError, match="more than 3 ways"):
        distribution(assault(), Resolve(), "blue", most=3)
    with pytest.raises(Refusal):
        distribution(assault(), Move("b1", "0405"), "blue")


# -- the checks -------------------------------------------------------------------------------------------------------------


def test_bridgehead_and_the_training_scenario_pass() -> None:
    assert [outcome.verdict for outcome in check_ruleset("bridgehead", only=CHECKS).outcomes] == ["passed", "passed"]
    report = check_ruleset("ava", only=CHECKS, scenarios=["training"], capabilities=[ExactChance()])
    assert [outcome.verdict for outcome in report.outcomes] == ["passed", "passed"]


def test_the_checks_do_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a few games of either ruleset there are attacks and draws to compare."""
    compared: list[str] = []
    real = ExactChance.odds

    def note(self: ExactChance, game: Any, fought: Any) -> Any:
        compared.append(game.ruleset.info.id)
        return real(self, game, fought)

    monkeypatch.setattr(ExactChance, "odds", note)
    check_ruleset("bridgehead", only=["odds-are-kept"])
    check_ruleset("ava", only=["odds-are-kept"], scenarios=["training"], capabilities=[ExactChance()])
    assert compared.count("bridgehead") > 5
    assert compared.count("ava") > 5


Patch = pytest.MonkeyPatch


def sixes_are_rolled_again(patch: Patch) -> None:
    roll = Play.roll

    def again(self: Any, purpose: str, *, clause: str, dice: int = 1, sides: int = 6) -> int:
        rolled = roll(self, purpose, clause=clause, dice=dice, sides=sides)
        return roll(self, purpose, clause=clause, dice=dice, sides=sides) if rolled == 6 else rolled

    patch.setattr(Play, "roll", again)


def the_last_chit_stays(patch: Patch) -> None:
    draw = Play.draw

    def other(self: Any, purpose: str, lots: Any, *, clause: str) -> Any:
        return draw(self, purpose, lots[:-1] if len(lots) > 1 else lots, clause=clause)

    patch.setattr(Play, "draw", other)


def the_preview_forgets_the_river(patch: Patch) -> None:
    real: Any = HexQuery.odds

    def forgetful(self: Any, attackers: Any, hex: str) -> Any:
        with pytest.MonkeyPatch.context() as inner:
            inner.setattr(TableCombat, "halved", lambda self, at, battle, unit: False)
            return real(self, attackers, hex)

    patch.setattr(HexQuery, "odds", forgetful)


def the_result_is_not_in_the_column(patch: Patch) -> None:
    init = AttackResolved.__init__

    def misread(self: Any, target: str, result: str, *rest: Any, **more: Any) -> None:
        init(self, target, "??", *rest, **more)

    patch.setattr(AttackResolved, "__init__", misread)


FAULTS: list[tuple[Callable[[Patch], None], str, str]] = [
    (sixes_are_rolled_again, "chance-is-exact", "over all dice, the results of Resolve() are"),
    (the_last_chit_stays, "chance-is-exact", "over all dice, what is drawn first are"),
    (the_preview_forgets_the_river, "odds-are-kept", "the preview of Resolve() showed"),
    (the_result_is_not_in_the_column, "odds-are-kept", "resulted in ??, but the preview showed only"),
]
"""What is planted in Bridgehead, which check must find it, and in which words."""


@pytest.mark.parametrize(("plant", "check", "words"), FAULTS)
def test_a_fault_is_found(plant: Callable[[Patch], None], check: str, words: str, monkeypatch: Patch) -> None:
    plant(monkeypatch)
    assert words in found(check, "bridgehead")
