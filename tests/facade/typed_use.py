"""hexwar in the hands of its users, for type checkers: what the public names give, and which mistakes are reported.

Both `tox -e types` and test_types.py check this file strictly. A mistake carries the code of the error that it must cause: one
that nobody reports is an error of its own (`warn_unused_ignores`). What is right runs in test_types.py as well.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import field
from typing import TYPE_CHECKING, Any, ClassVar, assert_type

import hexwar
from hexwar.board import AreaBoard, Board
from hexwar.bots import Bot, RandomBot
from hexwar.engine import (
    Action,
    ActionSet,
    Clause,
    Event,
    Game,
    Listed,
    Offers,
    Play,
    Position,
    Question,
    RandomSource,
    Result,
    RulesetInfo,
    Sight,
    State,
    Step,
    View,
    World,
    owned,
    public,
    record,
    state,
)
from hexwar.mechanics import HexQuery, HexState, HexWorld, Move, Movement
from hexwar.pieces import Odds, Score
from hexwar.studies import Outcome, Plan, simulate

# -- a library user -------------------------------------------------------------------------------------------------------


def play_some(game: hexwar.Game, decisions: int) -> None:
    chance = random.Random(1)
    assert_type(game.to_move, tuple[str, ...])
    for _ in range(decisions):
        seat = game.to_move[0]
        assert_type(game.legal_actions(seat), Offers)
        assert_type(game.legal_actions(seat)[0], Action)
        assert_type(game.offered(seat), ActionSet)
        assert_type(game.question(seat), Question)
        action = game.offered(seat).sample(chance)
        assert_type(game.why_not(action, seat), hexwar.Refusal | None)
        assert_type(game.apply(action, seat), list[Event[Any]])
    assert_type(game.result, Result | None)
    assert_type(game.digest, str)
    assert_type(game.log(), list[Event[Any]])


def look(game: hexwar.Game, unit: str) -> None:
    assert_type(game.state, HexState)
    assert_type(game.state.turn, int)
    assert_type(game.query, HexQuery)
    assert_type(game.query.reach(unit).costs, dict[str, float])
    assert_type(game.query.score(), tuple[Score, ...])
    view = game.view("blue")
    assert_type(view, View[HexState, HexWorld, HexQuery])
    assert_type(game.world, HexWorld)
    assert_type(game.world.board, Board)
    assert_type(game.world.board.terrain("0504"), str)
    assert_type(game.world.units[unit].side, str)
    assert_type(game.position.world.board, Board)
    assert_type(view.state.turn, int)
    assert_type(view.query.reach(unit).costs, dict[str, float])
    assert_type(view.legal_actions(), Offers)
    odds = game.query.odds(["b2", "b3"], "0504")
    assert_type(odds, Odds)
    assert_type(odds.column, int | None)


def boards_and_rulesets() -> None:
    assert_type(hexwar.load_board("bridgehead/crossing"), Board)
    assert_type(hexwar.rulesets(), dict[str, RulesetInfo])
    if TYPE_CHECKING:
        assert_type(hexwar.load_board("somewhere", kind=AreaBoard), AreaBoard)


def study() -> None:
    outcomes = simulate(Plan("bridgehead", None, {"blue": "random", "red": "random"}), 1)
    assert_type(outcomes, Iterator[Outcome])
    assert_type(next(outcomes).winner, str)


class Cautious:
    """A bot is whatever can choose."""

    def choose(self, view: View, chance: RandomSource) -> Action:
        return view.legal_actions()[0]


def bots() -> list[Bot]:
    return [RandomBot(), Cautious()]


if TYPE_CHECKING:
    import hexwar.rl

    def learn() -> None:
        env = hexwar.rl.env("bridgehead", seed=1)
        assert_type(env, hexwar.rl.HexwarEnv)
        assert_type(env.possible_agents, list[str])
        env.reset(seed=2)
        hexwar.rl.env(7)  # type: ignore[arg-type]
        hexwar.rl.env("bridgehead", sead=1)  # type: ignore[call-arg]

    def mistakes_of_a_user(game: hexwar.Game) -> None:
        hexwar.new_game()  # type: ignore[call-arg]
        hexwar.new_game("bridgehead", seed=1.5)  # type: ignore[arg-type]
        hexwar.new_game("bridgehead", options=["barrage"])  # type: ignore[arg-type]
        game.apply("move b1 0504", "blue")  # type: ignore[arg-type]
        game.apply(Move("b1"))  # type: ignore[call-arg]
        game.apply(Move("b1", 504))  # type: ignore[arg-type]
        game.offered("blue").sampel(random.Random(1))  # type: ignore[attr-defined]
        game.state.trun  # type: ignore[attr-defined]  # noqa: B018
        game.query.reech("b1")  # type: ignore[attr-defined]
        game.query.odds("b1", 504)  # type: ignore[arg-type]
        game.view("blue").apply  # type: ignore[attr-defined]  # noqa: B018
        game.result.winner  # type: ignore[union-attr]  # noqa: B018
        Move("b1", "0504").to = "0505"  # type: ignore[misc]
        simulate(Plan("bridgehead"), 3)  # type: ignore[call-arg]
        [RandomBot(), "random"][0].choose(game.view("blue"), random.Random(1))  # type: ignore[attr-defined]
        wrong: list[Bot] = [object()]  # type: ignore[list-item]
        print(wrong)


# -- a ruleset author -----------------------------------------------------------------------------------------------------


@state
class Heap(State):
    """A heap of matches, and what each player hides."""

    matches: int = public(default=12)
    pockets: dict[str, int] = owned(factory=dict)


@record
class Take(Action):
    """Take some."""

    kind = "take"
    number: int


@record
class Taken(Event[Heap]):
    """Somebody took some."""

    kind = "taken"
    sight = Sight.PUBLIC
    side: str
    number: int
    clause: str = field(default="2.1", kw_only=True)

    def apply(self, state: Heap) -> None:
        state.matches -= self.number


@record
class Taking(Step[Heap, World]):
    """Who is asked how many to take."""

    kind = "taking"
    clause: ClassVar[str] = "2"
    side: str

    def deciders(self, at: Position[Heap, World]) -> tuple[str, ...]:
        assert_type(at.state, Heap)
        assert_type(at.world.seats_of(self.side), tuple[str, ...])
        return at.world.seats_of(self.side)

    def actions(self, at: Position[Heap, World], seat: str) -> ActionSet:
        return Listed([Take(n) for n in (1, 2, 3) if n <= at.state.matches])

    def perform(self, play: Play[Heap, World], seat: str, action: Action) -> None:
        assert isinstance(action, Take)
        assert_type(action.number, int)
        assert_type(play.state.pockets, dict[str, int])
        assert_type(play.roll("luck", clause="2.2"), int)
        assert_type(play.draw("straw", ["short", "long"], clause="2.3"), str)
        play.emit(Taken(self.side, action.number))


class Tired(Movement):
    """A part of a house rule: everybody is slower by a point."""

    def allowance(self, at: Position, unit: str, mode: str = "") -> int:
        assert_type(super().allowance(at, unit, mode), int)
        return super().allowance(at, unit, mode) - 1


@hexwar.hookimpl
def hexwar_variants() -> tuple[hexwar.Variant, ...]:
    """What a plugin offers."""
    return (hexwar.Variant("tired", "bridgehead", "Everybody is tired", __name__, (Clause("tired.1", "A point less"),)),)


if TYPE_CHECKING:

    def mistakes_of_an_author(play: Play[Heap, World], game: Game[Heap, World, None]) -> None:
        Take("two")  # type: ignore[arg-type]
        Take()  # type: ignore[call-arg]
        Take(2).number = 3  # type: ignore[misc]
        Taken("north", 1, "2.1")  # type: ignore[call-arg]
        play.emit(Take(2))  # type: ignore[arg-type]
        play.push(Taken("north", 1))  # type: ignore[arg-type]
        play.roll("luck")  # type: ignore[call-arg]
        play.state.matchs  # type: ignore[attr-defined]  # noqa: B018
        play.end("north", "took the last")  # type: ignore[call-arg]
        game.state.turn  # type: ignore[attr-defined]  # noqa: B018
        hexwar.Variant("tired")  # type: ignore[call-arg]
        hexwar.Variant("tired", "bridgehead", "Tired", __name__, ["tired.1"])  # type: ignore[arg-type]

    class Confused(Movement):
        """Its answer is of another kind than what others ask for."""

        def allowance(self, at: Position, unit: str, mode: str = "") -> str:  # type: ignore[override]
            return "many"

    @record
    class Odd(Event[Heap]):
        """Its `apply` wants another state."""

        def apply(self, state: HexState) -> None:  # type: ignore[override]
            ...
