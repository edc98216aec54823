"""The state that a game hands out reads like its own, and cannot be changed behind the game's back."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, fields
from typing import Any

import pytest

import hexwar
from hexwar.engine import State, public, state
from hexwar.engine._read_only import read_only
from hexwar_bridgehead.ruleset import RULESET
from hexwar_bridgehead.world import BridgeheadState


@state
class Kinds(State):
    """A field of each kind that can be changed in place."""

    table: dict[str, int] = public(factory=lambda: {"a": 1})
    row: list[int] = public(factory=lambda: [1, 2])
    names: set[str] = public(factory=lambda: {"x"})

    @property
    def first(self) -> int:
        return self.row[0]


CHANGES: list[Callable[[Any], object]] = [
    lambda it: setattr(it, "draws", 5),
    lambda it: delattr(it, "draws"),
    lambda it: it.stack.append(1),
    lambda it: it.table.update(b=2),
    lambda it: it.table.__setitem__("b", 2),
    lambda it: it.table.pop("a"),
    lambda it: it.row.sort(),
    lambda it: it.row.__iadd__([3]),
    lambda it: it.names.add("y"),
    lambda it: it.names.__ior__({"y"}),
]


@pytest.mark.parametrize("change", CHANGES)
def test_no_change_is_accepted(change: Callable[[Any], object]) -> None:
    plain = Kinds()
    handed = read_only(plain)
    with pytest.raises((FrozenInstanceError, TypeError, AttributeError)):
        change(handed)
    assert handed == plain == Kinds()


def test_it_says_what_to_do_instead() -> None:
    game: Any = hexwar.new_game("bridgehead", seed=1)
    with pytest.raises(
        FrozenInstanceError, match=r"turn of a game's state cannot be changed: .*`game\.state\.copy\(\)` is yours to change"
    ):
        game.state.turn = 5
    with pytest.raises(TypeError, match="begins a game from any position"):
        game.state.locations["b1"] = "0101"
    with pytest.raises(AttributeError):
        game.state = game.state.copy()


def test_it_reads_like_the_state_of_the_rules() -> None:
    plain = Kinds()
    handed = read_only(plain)
    assert isinstance(handed, Kinds)
    assert (handed, plain, handed) == (plain, handed, read_only(plain))
    assert handed != Kinds(draws=1)
    assert (handed.digest, handed.to_json(), repr(handed), handed.first) == (plain.digest, plain.to_json(), repr(plain), 1)
    assert [field.name for field in fields(handed)] == [field.name for field in fields(plain)]
    assert type(type(handed)()) is Kinds


@pytest.mark.parametrize("way", [lambda it: it.copy(), copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
def test_a_copy_can_be_changed(way: Callable[[Any], Any]) -> None:
    handed = read_only(Kinds())
    twin = way(handed)
    twin.row.append(3)
    twin.names.add("y")
    twin.table = {}
    assert handed == Kinds()
    assert (twin.row, twin.names) == ([1, 2, 3], {"x", "y"})


def test_what_is_derived_is_a_copy_too() -> None:
    game = hexwar.new_game("bridgehead", seed=1)
    question, digest = game.question(game.to_move[0]), game.digest
    for held in (game.position.state, game.first_state):
        assert isinstance(held, BridgeheadState)
        held.layout.lift(*next(iter(held.locations.items())))  # nobody should, and nothing comes of it
        held.layout.held.clear()
    assert (game.digest, [*game.question(game.to_move[0]).offer]) == (digest, [*question.offer])


def test_what_is_held_stays_as_it_was() -> None:
    game = hexwar.new_game("bridgehead", seed=1)
    before = game.state
    assert game.state is before
    was = before.digest
    game.apply(game.legal_actions(game.to_move[0])[0], game.to_move[0])
    assert game.state is not before
    assert (before.digest, game.state.digest) == (was, game.digest)


def test_the_rules_see_plain_states_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a game whose state somebody holds, when its rules are asked, then about the plain state."""
    game = hexwar.new_game("bridgehead", seed=1)
    handed, seen = type(game.state), set()
    ask = RULESET.query

    def query(at: Any) -> Any:
        seen.add(type(at.state))
        return ask(at)

    monkeypatch.setattr(RULESET, "query", query)
    assert game.query is not None
    assert seen == {BridgeheadState}
    assert handed is not BridgeheadState
