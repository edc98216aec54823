"""Every offered action can be reached token by token, every walk ends in an offered action, and no group is listed in vain."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("pettingzoo")

import hexwar
from hexwar.engine import Action, Question
from hexwar.mechanics._moving import Moves
from hexwar.plugins import use_plugins
from hexwar.rl import Tokens, Walk, env
from hexwar.rl._tokens import WORDS
from tests.facade.skirmish import Drive
from tests.facade.toys import toys
from tests.rl.helpers import play


def leads(tokens: Tokens, question: Question, action: Action) -> Action | None:
    """Where the walk to an action ends."""
    walk, found = Walk(tokens, question), None
    while found is None:
        token = walk.leads_to(action)
        assert token is not None, action
        assert walk.mask[token] == 1
        found = walk.take(token)
    return found


@pytest.mark.parametrize(
    ("ruleset", "scenario"),
    [("bridgehead", None), ("ava", "training"), ("ava", "smolensk"), ("tow", "training"), ("wop", "training")],
)
def test_walks_and_offers_are_the_same(ruleset: str, scenario: str | None) -> None:
    game, chance = hexwar.new_game(ruleset, scenario, seed=2), random.Random(2)
    tokens = Tokens(game.ruleset, game.world)
    for _ in range(90):
        if not game.to_move:
            break
        seat = game.to_move[0]
        question = game.view(seat).question
        assert question is not None
        wanted = question.sample(chance)
        if question.offer.lists(wanted):
            assert leads(tokens, question, wanted) == wanted
        walk, decided = Walk(tokens, question), None
        while decided is None:
            assert walk.legal
            assert len(walk.legal) > 1 or not walk.taken  # a stage with one possibility is skipped
            assert list(np.flatnonzero(walk.mask)) == sorted(walk.legal)
            decided = walk.take(chance.choice(walk.legal))
        game.apply(decided, seat)


def test_all_offers_of_a_small_decision_are_reached_by_different_walks() -> None:
    game, chance = hexwar.new_game("bridgehead", seed=5), random.Random(5)
    tokens, reached = Tokens(game.ruleset, game.world), 0
    for _ in range(60):
        seat = game.to_move[0]
        question = game.view(seat).question
        assert question is not None
        ways = set()
        for action in question.offer:
            walk, decided = Walk(tokens, question), None
            while decided is None:
                token = walk.leads_to(action)
                assert token is not None
                decided = walk.take(token)
            assert decided == action
            ways.add(tuple(walk.taken))
        assert len(ways) == question.offer.count()
        reached += len(ways)
        game.apply(game.offered(seat).sample(chance), seat)
    assert reached > 500


def test_only_the_chosen_group_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    game, chance = hexwar.new_game("ava", "smolensk", seed=1), random.Random(1)
    while len(question_of(game).groups) < 20 or question_of(game).asks != "move":
        game.apply(game.offered(game.to_move[0]).sample(chance), game.to_move[0])
    listed: list[Moves] = []
    lists = Moves.__iter__

    def noted(moves: Moves) -> Iterator[Action]:
        listed.append(moves)
        return lists(moves)

    monkeypatch.setattr(Moves, "__iter__", noted)
    walk = Walk(Tokens(game.ruleset, game.world), question_of(game))
    assert listed == []
    walk.take(next(token for token in walk.legal if walk.tokens.describe(token).startswith("unit")))
    assert len(listed) == 1


def question_of(game: hexwar.Game) -> Question:
    found = game.view(game.to_move[0]).question
    assert found is not None
    return found


def test_tokens_say_what_they_are() -> None:
    game = hexwar.new_game("bridgehead", seed=1)
    tokens = Tokens(game.ruleset, game.world)
    assert tokens.describe(tokens.end) == "end"
    assert tokens.describe(tokens.kind("move")) == "kind move"
    assert tokens.describe(tokens.symbol("b5")) == "unit b5"  # type: ignore[arg-type]
    assert tokens.describe(tokens.symbol("0504")) == "place 0504"  # type: ignore[arg-type]
    assert tokens.describe(tokens.symbol(True)) == "number 1"  # type: ignore[arg-type]
    assert tokens.symbol("sea") == "'sea"
    assert tokens.symbol(-1) == "-1"


def test_words_are_told_apart_and_keep_their_tokens() -> None:
    game = hexwar.new_game("bridgehead", seed=1)
    tokens = Tokens(game.ruleset, game.world)
    some = [f"'word {number}" for number in range(40)]
    found = tokens.told_apart([*some, 3])
    assert len(set(found.values())) == 41
    assert found[3] == 3
    alone = [tokens.told_apart([word])[word] for word in some]
    assert sum(one == found[word] for one, word in zip(alone, some, strict=True)) > 30
    many = tokens.told_apart(f"'{number}" for number in range(3 * WORDS))
    assert len(set(many.values())) == WORDS


class TestOtherBoards:
    """Areas have rows like hexes; on a plane there are none, and the menu of moves is what can be chosen."""

    @pytest.fixture(autouse=True)
    def games(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        monkeypatch.chdir(tmp_path)
        use_plugins(toys(tmp_path))
        yield
        use_plugins(None)

    def test_areas(self) -> None:
        made = env("islands", seed=1)
        assert made.encoder.shapes["hexes"][0] == 5
        assert made.encoder.shapes["units"][0] == 4
        assert sum(play(made, seed=1).values()) == 0
        assert made.game.result is not None

    def test_a_plane(self) -> None:
        made = env("skirmish", seed=1)
        assert set(made.encoder.shapes) <= {"units", "globals"}
        play(made, seed=1)
        assert made.game.result is not None
        assert any(isinstance(decision.action, Drive) for decision in made.game.history)
