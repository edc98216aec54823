"""A script of a library user: `mypy --strict` and pyright accept it, and a test runs it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import hexwar
from hexwar import Game, Refusal, View
from hexwar.bots import Bot, KeyedChance, load_bot, play_to_end
from hexwar.engine import Action, Event, Position, Question, RandomSource
from hexwar.mechanics import Attack, Join, Move, Resolve
from hexwar.pieces import Done
from hexwar.search import Budget, SearchBot
from hexwar.studies import Plan, simulate


@dataclass(frozen=True)
class Reach:
    """Where a unit can go, and for how much."""

    unit: str
    costs: dict[str, float]
    closed: dict[str, Refusal]


class Hasty:
    """Takes the first attack that it is offered, and anything else at random."""

    def choose(self, view: View, chance: RandomSource) -> Action:
        question: Question | None = view.question
        assert question is not None
        for group in question:
            for action in group:
                if isinstance(action, Attack | Join | Resolve):
                    return action
        return view.sample(chance)


def reaches(game: Game) -> Iterator[Reach]:
    """All that can move now."""
    for unit in game.question().groups:
        found = game.query.reach(unit)
        yield Reach(unit, dict(found.costs), dict(found.closed))


def first_turn(seed: int) -> Game:
    """Both sides select; the first headquarters is drawn."""
    game = hexwar.new_game("bridgehead", seed=seed)
    while len(game.to_move) > 1:
        side = game.to_move[0]
        game.apply(game.question(side).example, side)
    return game


def one_move(game: Game) -> list[Event]:
    """The first choice of the first unit."""
    question = game.question()
    moves = question.group(question.groups[0])
    return list(game.apply(moves[0]))


def why_not(text: str) -> str:
    """Why a tank cannot cross the river."""
    game = hexwar.position(text)
    try:
        game.apply(Move("b5", "0504"))
    except Refusal as refusal:
        return str(refusal)
    return "it can"


def winners(games: int) -> Counter[str]:
    """Who wins how often, the bot above or one that comes with hexwar."""
    won: Counter[str] = Counter()
    for seed in range(games):
        game = hexwar.new_game("bridgehead", seed=seed)
        ours: Bot = Hasty()
        result = play_to_end(game, {"blue": ours, "red": load_bot("greedy")}, KeyedChance(seed))
        won[result.winner or "draw"] += 1
    return won


def rollouts(game: Game, number: int) -> float:
    """The share of random games that blue wins from here."""
    wins, chance = 0, random.Random(1)
    for seed in range(number):
        line = game.playout(seed=seed)
        while line.to_move:
            seat = line.to_move[0]
            line.apply(line.offered(seat).sample(chance), seat)
        wins += line.result is not None and line.result.winner == "blue"
    return wins / number


def main(folder: Path) -> None:
    """Everything above."""
    game = first_turn(2)
    position: Position = game.position
    units = {name: unit.name for name, unit in game.world.units.items() if name in position.state.locations}
    print(units, [reach.unit for reach in reaches(game)], one_move(game), rollouts(game, 3))
    units_and_step = 'units = { b5 = "0403", r1 = "0504" }\nstack = [{ kind = "moving", seat = "blue", units = ["b5"] }]'
    print(why_not(f'ruleset = "bridgehead"\n{units_and_step}'))
    game.save(folder / "game.hexwar")
    again = hexwar.load_game(folder / "game.hexwar")
    assert again.digest == game.digest
    print(game.why_not(Done(), game.to_move[0]))
    odds = game.query.supply("b1").supplied
    print(winners(2), odds, hexwar.load_board("bridgehead/crossing").distance("0504", "0403"))
    print(
        [outcome.winner for outcome in simulate(Plan("bridgehead", None, {"blue": "greedy", "red": "random"}), 2)],
        SearchBot(Budget(8, turns=1)),
    )


if __name__ == "__main__":
    main(Path())
