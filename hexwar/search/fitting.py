"""Weights for `Ruleset.lead`, fitted to games: `python -m hexwar.search.fitting ava training --option auto-setup`.

Bots play; in every third game they are beginners, so that not all positions are good ones. At the beginning of each turn it is
noted what the position looks like, and how much the first side gains from then to the end of the game. Every fourth game is kept
apart to tell by how many points the weights are off, and by how many whoever knows nothing but the turn.
"""

from __future__ import annotations

import argparse
import math
import statistics
from collections.abc import Sequence
from typing import Any

from hexwar.bots import KeyedChance, load_bot, move_once, usual_bot
from hexwar.facade import new_game
from hexwar.mechanics._outlook import weighed
from hexwar.pieces import PieceRuleset

Row = tuple[list[float], float]
"""Features, and what was gained."""
FIRST = 10_000
"""The seed of the first game."""
APART = 4
"""Every fourth game is kept apart."""
RIDGE = 0.01
"""How much weights are drawn to zero, against the size of their feature."""


def noted(ruleset: str, scenario: str, options: dict[str, Any], seed: int) -> list[Row]:
    """The positions at the beginning of the turns of a game, but for the first."""
    game = new_game(ruleset, scenario, seed, options)
    rules: Any = game.ruleset
    first = game.world.sides[0]
    name = "beginner" if seed % 3 == 0 else usual_bot(rules.info)
    bots = {seat: load_bot(name) for seat in game.world.seats}
    chance, seen, known = KeyedChance(seed), {1}, []
    while game.to_move:
        move_once(game, bots, chance)
        state: Any = game.state
        if state.turn not in seen and game.result is None:
            seen.add(state.turn)
            now = PieceRuleset.lead(rules, game.position, first)
            known.append((rules.outlook_of(game.position, first, now), now))
    final = rules.lead(game.position, first)
    return [(features, final - now) for features, now in known]


def fit(rows: Sequence[Row]) -> list[float]:
    """The weights with the least squares, drawn to zero a little."""
    size = len(rows[0][0])
    matrix = [[sum(it[i] * it[j] for it, _ in rows) for j in range(size)] for i in range(size)]
    for i in range(size):
        matrix[i][i] += RIDGE * matrix[i][i] + 1e-9
        matrix[i].append(sum(it[i] * gain for it, gain in rows))
    for i in range(size):  # Gauss and Jordan: the matrix is positive, so no row need be exchanged
        matrix[i] = [number / matrix[i][i] for number in matrix[i]]
        for j in range(size):
            if j != i:
                matrix[j] = [a - matrix[j][i] * b for a, b in zip(matrix[j], matrix[i], strict=True)]
    return [row[-1] for row in matrix]


def off(rows: Sequence[Row], weights: Sequence[float]) -> float:
    """By how many points the weights are off: the root of the mean square."""
    return math.sqrt(statistics.fmean([(gain - weighed(weights, numbers)) ** 2 for numbers, gain in rows]))


def only_turns(rows: Sequence[Row]) -> list[Row]:
    """The same for somebody who knows nothing but the turn."""
    return [([numbers[0], numbers[len(numbers) // 2]], gain) for numbers, gain in rows]


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit, and print the entry of the file of weights."""
    parser = argparse.ArgumentParser(prog="python -m hexwar.search.fitting", description="Fit the weights of Ruleset.lead.")
    parser.add_argument("ruleset")
    parser.add_argument("scenario")
    parser.add_argument("--option", action="append", default=[], help="an option that is switched on")
    parser.add_argument("--games", type=int, default=200)
    asked = parser.parse_args(arguments)
    options = dict.fromkeys(asked.option, True)
    games = [noted(asked.ruleset, asked.scenario, options, FIRST + number) for number in range(asked.games)]
    print(entry(asked.scenario, games))


def entry(scenario: str, games: Sequence[Sequence[Row]]) -> str:
    """The weights as they stand in the file, below how good they are."""
    learnt = [row for number, rows in enumerate(games) if number % APART for row in rows]
    apart = [row for number, rows in enumerate(games) if not number % APART for row in rows]
    weights = fit(learnt)
    known = off(apart, weights), off(only_turns(apart), fit(only_turns(learnt)))
    return (
        f"# {len(learnt)} positions of {len(games)} games. In {len(apart)} others off by {known[0]:.1f} points, "
        f"by {known[1]:.1f} if nothing but the turn is known.\n"
        f"[{scenario}]\nweights = [{', '.join(f'{weight:.4g}' for weight in weights)}]"
    )


if __name__ == "__main__":
    main()
