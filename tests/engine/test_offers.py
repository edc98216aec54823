"""`legal_actions` is a sequence that equals the list of what is offered, without making it."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import hexwar
from hexwar.engine import Action, Grouped, Listed, Offers, RandomSource
from hexwar.engine._actions import ActionSet, pick
from tests.engine.toy import Bid, Walk, new_game

WALKS = [Walk(n) for n in range(1, 8)]


class Lazy(ActionSet):
    """A set that counts without making any action, and records what it made."""

    def __init__(self, most: int) -> None:
        self.most, self.made = most, 0

    def _make(self, n: int) -> Action:
        self.made += 1
        return Walk(n + 1)

    def __iter__(self) -> Iterator[Action]:
        return map(self._make, range(self.most))

    def __bool__(self) -> bool:
        return self.most > 0

    def find(self, action: Action) -> Action | None:
        return action if isinstance(action, Walk) and 0 < action.steps <= self.most else None

    def count(self) -> int:
        return self.most

    def nth(self, index: int) -> Action:
        return self._make(index)

    def sample(self, chance: RandomSource) -> Action:
        return self._make(chance.randrange(self.most))


def test_an_action_is_made_when_it_is_taken() -> None:
    lazy = Lazy(1000)
    offers = Offers(Grouped([Bid()], ["far"], lambda key: lazy, lambda action: "far" if isinstance(action, Walk) else None))
    assert (len(offers), bool(offers), Walk(1000) in offers, Walk(1001) in offers, Bid() in offers) == (
        1001,
        True,
        True,
        False,
        True,
    )
    assert lazy.made == 0
    assert (offers[0], offers[1], offers[-1]) == (Bid(), Walk(1), Walk(1000))
    assert lazy.made == 2
    assert offers[998:] == [Walk(998), Walk(999), Walk(1000)]
    with pytest.raises(IndexError):
        offers[1001]


def test_it_equals_the_list_and_nothing_else() -> None:
    offers = Offers(Listed(WALKS))
    assert offers == WALKS
    assert offers == tuple(WALKS)
    assert offers == Offers(Listed(WALKS))
    assert offers != WALKS[:-1]
    assert offers != [*WALKS[:-1], Bid()]
    assert offers != "walks"
    assert (offers.index(Walk(3)), offers.count(Walk(3)), list(reversed(offers))) == (2, 1, WALKS[::-1])
    assert repr(offers) == "<7 actions: Walk(steps=1), Walk(steps=2), Walk(steps=3), Walk(steps=4), Walk(steps=5), ...>"


def test_a_set_that_lists_its_actions_anew_counts_them_anew() -> None:
    class Backwards(Lazy):
        def __iter__(self) -> Iterator[Action]:
            return (Walk(n) for n in range(self.most, 1, -1))

    assert Offers(Backwards(3)) == [Walk(3), Walk(2)]
    assert (len(Offers(Backwards(3))), Offers(Backwards(3))[0]) == (2, Walk(3))


def test_nothing_is_offered_after_the_end_or_to_those_who_are_not_asked() -> None:
    game = new_game()
    game.apply(Bid(), "north")
    assert not game.view("north").legal_actions()
    assert list(game.view("north").legal_actions()) == []


@pytest.mark.parametrize(
    ("ruleset", "scenario"),
    [("bridgehead", None), ("ava", "training"), ("ava", "smolensk"), ("tow", "training"), ("wop", "wkra")],
)
def test_every_decision_of_a_game_is_offered_as_it_is_listed(ruleset: str, scenario: str | None) -> None:
    game, chance = hexwar.new_game(ruleset, scenario=scenario, seed=7), random.Random(7)
    kept: list[tuple[Offers, list[Action]]] = []
    while game.to_move and len(game.history) < 150:
        seat = game.to_move[0]
        offers, listed = game.legal_actions(seat), list(game.offered(seat))
        assert len(offers) == len(listed)
        some = sorted({0, len(listed) - 1, *(chance.randrange(len(listed)) for _ in range(12))})
        assert [offers[i] for i in some] == [listed[i] for i in some]
        assert all(listed[i] in offers for i in some)
        kept = [*kept[-3:], (offers, listed)]
        game.apply(pick(listed, chance), seat)
        assert all(old == was for old, was in kept), "what was offered changes when the game goes on"
