"""Reviews: what is told about activations of a game, and what is not; and advice that remembers its plan."""

from __future__ import annotations

from typing import Any

import pytest

import hexwar
from hexwar.bots import KeyedChance, RandomBot, load_bot
from hexwar.engine import Action, Game, RandomSource, View
from hexwar.search import Budget
from hexwar.table.questions import Adviser
from hexwar.table.review import Reviewed, activations, review, review_words
from tests.search.prizes import Look, Take, new_game


def played(*mine: Action, prize: int = 2) -> Game:
    """A game of prizes in which one side does these things, and the other takes one point each turn."""
    game, left = new_game(prize), list(mine)
    while game.to_move:
        seat = game.to_move[0]
        game.apply(left.pop(0) if seat == "one" else Take(1), seat)
    return game


def found(game: Game, rollouts: int = 240) -> list[Reviewed]:
    return list(review(game, ["one"], Budget(rollouts)))


@pytest.fixture(autouse=True)
def by_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexwar.table.review.usual_bot", lambda info: "random")


def test_who_takes_nothing_where_he_could_take_two_is_told() -> None:
    game = played(Take(2), Take(0), Take(2), Take(2))
    told = found(game)
    assert [it.activation.first for it in told] == [0, 2, 4, 6]
    assert [it.better is not None for it in told] == [False, True, False, False]
    better = told[1].better
    assert better is not None
    assert better.gain > 2 * better.error
    assert better.gain >= 1
    words = review_words(game, told[1])
    assert words[0] == "Turn 2, one, action 3, from: take 0"
    assert words[1].startswith(f"  BETTER WAS: {better.name}: {better.gain:+.1f} ±")
    assert "compared with what was played" in words[1]


def test_nobody_is_blamed_for_what_he_could_not_know() -> None:
    """The prize lies under cup 2. To look under the first of three is worth as much as to take two points."""
    looked = found(played(Look(1), Take(2), Take(2), Take(2)))
    assert looked[0].better is None
    other = found(played(Look(1), Take(2), Take(2), Take(2), prize=3))
    assert looked[0].analysis == other[0].analysis, "the prize makes no difference to what is said of the first turn"


def test_what_was_played_is_done_again_in_imagined_games() -> None:
    """An activation of many decisions: its actions, in their order, wherever the same is asked."""
    game = hexwar.new_game("ava", "training", seed=8, options={"auto-setup": True})
    bot, chance = load_bot("ava-commander"), KeyedChance(1)
    for _ in range(60):
        game.apply(bot.choose(game.view(game.to_move[0]), chance), game.to_move[0])
    planner: Any = load_bot("ava-commander")
    known = activations(game, planner, ["axis"])
    assert len(known) == 4
    assert len({planner.scope(it.view) for it in known}) == 4
    from hexwar.table.review import AsPlayed

    again = AsPlayed(known[0].done, RandomBot)
    line = game.after(known[0].first)
    for decision in game.history[known[0].first : known[0].first + 3]:
        assert again.choose(line.view("axis"), chance) == decision.action
        line.apply(decision.action, decision.seat)


class Planned:
    """A bot that takes nothing, then one, then two, and begins again if it is asked out of the blue."""

    def __init__(self) -> None:
        self._next = 0

    def choose(self, view: View, chance: RandomSource) -> Action:
        self._next += 1
        return Take(self._next - 1)


def test_a_bot_goes_on_with_its_plan_while_its_hints_are_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexwar.table.questions.load_bot", lambda name: Planned())
    game = new_game()
    adviser = Adviser(game)

    def hint() -> Action:
        return adviser.advise(game.view("one")).action

    assert [hint(), hint()] == [Take(0), Take(0)], "the same question has the same answer"
    for expected in (Take(0), Take(1)):
        assert hint() == expected
        game.apply(expected, "one")
        game.apply(Take(1), "other")
    game.apply(Take(0), "one")
    game.apply(Take(1), "other")
    assert hint() == Take(0), "it was not followed: the plan is void"
    assert adviser.advise(game.view("one"), "strong").action == Take(0), "each level has a plan of its own"


def test_a_review_compares_with_what_was_played_first() -> None:
    first = found(played(Take(1), Take(2), Take(2), Take(2)), 60)[0]
    assert first.analysis.options[0].name == "As played"
    assert not first.luck, "this game has no battles"
