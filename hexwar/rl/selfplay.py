"""Self-play for the baseline: the network plays against itself, and what turned out well becomes more likely (REINFORCE).

    python -m hexwar.rl.selfplay ava --scenario training --teacher ava-commander --curve curve.json --plot curve.svg

imitates the teacher first, then practises, and measures before, on the way and after it. A curve that is there already is only
drawn.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hexwar.bots import KeyedChance
from hexwar.engine import RandomSource
from hexwar.facade import new_game
from hexwar.rl._observation import Floats
from hexwar.rl.baseline import CANDIDATES, Course, Lessons, Network, Pupil, train
from hexwar.studies._figures import interval, lead
from hexwar.studies._simulate import points_of

__all__ = ["curve", "drawn", "improve", "practice", "wins"]

RATE = 3e-4
"""How far a step of learning goes: a tenth of what imitation takes, for what comes of a game depends much on the dice."""
FARTHEST = 3.0
"""No choice is worth more standard deviations than these."""
FIRST_SEED = 50_000
"""Of the games that are practised; those that are measured have others."""


class _Diary(Pupil):
    """A pupil that notes the features of what it could choose, and what it took."""

    def __init__(self, network: Network) -> None:
        super().__init__(network)
        self.noted = Lessons([], [])

    def _pick(self, rows: Floats, chance: RandomSource) -> int:
        taken = super()._pick(rows, chance)
        likely = np.argsort(-self.network.scores(rows), kind="stable")
        kept = np.array([taken, *(it for it in likely if it != taken)][:CANDIDATES])  # the others are hardly ever taken
        self.noted.rows.append(rows[kept])
        self.noted.chosen.append(0)
        return taken


def practice(course: Course, network: Network, seeds: Iterable[int]) -> tuple[Lessons, Floats]:
    """Games of a network against itself: the stages of both sides, and how much better than usual each choice turned out.

    A choice is worth what its side gained from then on: points of lead until the end, and the victory. What is usual for the side
    in that turn is taken off. The points are those of the game itself, for who practises may look behind the curtain.
    """
    diary = _Diary(network)
    moments: list[tuple[str, int]] = []
    gains: list[tuple[float, float]] = []
    for seed in seeds:
        game, chance, leads = new_game(course.ruleset, course.scenario, seed), KeyedChance(f"practice {seed}"), list[float]()
        sides = list[str]()
        bound = game.ruleset.info.scenario(game.world.setup.scenario).bound
        while game.to_move and len(game.history) < bound:
            seat = game.to_move[0]
            side, before, turn = game.world.seats[seat], len(diary.noted.rows), getattr(game.state, "turn", 0)
            action = diary.choose(game.view(seat), chance)
            noted = len(diary.noted.rows) - before
            moments += [(side, turn)] * noted
            sides += [side] * noted
            leads += [lead(points_of(game), side)] * noted
            game.apply(action, seat)
        winner = game.result.winner if game.result is not None else None
        ends = {side: lead(points_of(game), side) for side in game.world.sides}
        won = {side: 0.0 if winner is None else 1.0 if side == winner else -1.0 for side in game.world.sides}
        gains += [(ends[side] - before, won[side]) for side, before in zip(sides, leads, strict=True)]
    points, victories = np.array(gains, np.float32).T
    return diary.noted, _beyond_usual(points / (points.std() + 1e-6) + victories / (victories.std() + 1e-6), moments)


def _beyond_usual(gains: Floats, moments: Sequence[tuple[str, int]]) -> Floats:
    """Gains less the mean of those of the same moment, in standard deviations."""
    known = {moment: number for number, moment in enumerate(dict.fromkeys(moments))}
    of = np.array([known[moment] for moment in moments])
    usual = np.bincount(of, gains) / np.bincount(of)
    worth = gains - usual[of]
    limited: Floats = np.clip(worth / (worth.std() + 1e-6), -FARTHEST, FARTHEST).astype(np.float32)
    return limited


def improve(course: Course, network: Network, rounds: int, games: int, rate: float = RATE) -> Iterator[int]:
    """Practise in rounds; the network changes in place.

    Yields:
        How many games were practised so far, after each round.
    """
    for number in range(rounds):
        first = FIRST_SEED + number * games
        noted, worth = practice(course, network, range(first, first + games))
        network.learn(noted, 1, seed=number, rate=rate, worth=worth, temperature=Pupil(network).temperature)
        yield (number + 1) * games


def wins(course: Course, network: Network, bots: Iterable[str], games: int) -> dict[str, dict[str, int]]:
    """Bot -> side of the network -> how many games it wins against that bot; always with the same seeds."""
    sides = new_game(course.ruleset, course.scenario, 0).world.sides
    return {bot: {side: course.wins(network, bot, side, games) for side in sides} for bot in bots}


def curve(course: Course, rounds: int, practised: int, every: int, games: int, imitated: int = 40) -> Iterator[dict[str, Any]]:
    """Imitate, practise, and measure on the way.

    Args:
        course: what is learnt, and from whom.
        rounds: of practice.
        practised: games in each of them.
        every: after how many rounds it is measured; before the first it always is.
        games: on each side against each bot.
        imitated: games of the teacher from which it learns first.

    Yields:
        The games practised so far, the processor seconds of learning, and the wins (see `wins`).
    """
    bots = dict.fromkeys(("random", "greedy", course.teacher))
    begun, measuring = time.process_time(), 0.0
    ((_, network, _),) = train(course, imitated, rounds=0)
    for number, done in enumerate(itertools.chain((0,), improve(course, network, rounds, practised))):
        if number % every == 0 or number == rounds:
            spent = time.process_time() - begun - measuring
            yield {"practised": done, "seconds": round(spent), "games": games, "wins": wins(course, network, bots, games)}
            measuring = time.process_time() - begun - spent


# -- as a picture ---------------------------------------------------------------------------------------------------------------

WIDE, HIGH, LEFT, TOP, RIGHT, BELOW = 640, 320, 48, 16, 150, 44
COLOURS = ("#0b5c8c", "#b84c00", "#3f7d20", "#7a3fa0")


def drawn(points: Sequence[Mapping[str, Any]]) -> str:
    """The curve as SVG: the share of games won against each bot, on both sides together, with Wilson's interval for 95 %."""
    most = max(point["practised"] for point in points) or 1

    def x(practised: float) -> str:
        return f"{LEFT + practised / most * (WIDE - LEFT - RIGHT):.1f}"

    def y(share: float) -> str:
        return f"{TOP + (1 - share) * (HIGH - TOP - BELOW):.1f}"

    text = 'font-family="sans-serif" font-size="12"'
    parts = [f'<rect width="{WIDE}" height="{HIGH}" fill="#fff"/>']
    for percent in range(0, 101, 25):
        level = y(percent / 100)
        parts.append(f'<path d="M{LEFT} {level}H{WIDE - RIGHT}" stroke="#ccc"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{level}" text-anchor="end" dominant-baseline="middle" {text}>{percent} %</text>')
    for point in points:
        at = x(point["practised"])
        parts.append(f'<text x="{at}" y="{HIGH - BELOW + 16}" text-anchor="middle" {text}>{point["practised"]}</text>')
    parts.append(f'<text x="{LEFT}" y="{HIGH - 8}" {text}>games practised against itself after imitation</text>')
    for number, bot in enumerate(points[0]["wins"]):
        colour, line = COLOURS[number % len(COLOURS)], []
        for point in points:
            won, played = sum(point["wins"][bot].values()), point["games"] * len(point["wins"][bot])
            low, high = interval(won, played)
            at = f"{float(x(point['practised'])) + 3 * number - 3:.1f}"
            line.append(f"{at} {y(won / played)}")
            told = f"{point['practised']} games practised: {won} of {played} won against {bot}, {low:.0%} to {high:.0%}"
            parts.append(f'<path d="M{at} {y(low)}V{y(high)}" stroke="{colour}"><title>{told}</title></path>')
        parts.append(f'<path d="M{"L".join(line)}" fill="none" stroke="{colour}" stroke-width="2"/>')
        end = line[-1].partition(" ")[2]
        parts.append(f'<text x="{WIDE - RIGHT + 8}" y="{end}" dominant-baseline="middle" fill="{colour}" {text}>{bot}</text>')
    label = "Share of games won against each bot after self-play"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="{label}">'
    return "\n".join([head, *parts, "</svg>\n"])


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the curve, or draw one that is there."""
    parser = argparse.ArgumentParser(prog="python -m hexwar.rl.selfplay", description="Imitate a rule bot, then practise.")
    parser.add_argument("ruleset", nargs="?", default="bridgehead")
    parser.add_argument("--scenario")
    parser.add_argument("--teacher", default="greedy", help="the bot that is imitated")
    parser.add_argument("--imitate", type=int, default=40, help="games of the teacher")
    parser.add_argument("--rounds", type=int, default=25, help="rounds of practice")
    parser.add_argument("--games", type=int, default=50, help="games in each round")
    parser.add_argument("--every", type=int, default=5, help="number of rounds between measurements")
    parser.add_argument("--measure", type=int, default=60, help="games on each side against each bot")
    parser.add_argument("--curve", default="curve.json", help="a file for the figures")
    parser.add_argument("--plot", help="a file for the picture")
    asked = parser.parse_args(arguments)
    file, course = Path(asked.curve), Course(asked.ruleset, asked.scenario, asked.teacher)
    if file.exists():
        points = json.loads(file.read_text(encoding="utf-8"))
    else:
        points = []
        for point in curve(course, asked.rounds, asked.games, asked.every, asked.measure, asked.imitate):
            points.append(point)
            print(json.dumps(point), flush=True)
        file.write_text("[\n" + ",\n".join(map(json.dumps, points)) + "\n]\n", encoding="utf-8")
    if asked.plot:
        Path(asked.plot).write_text(drawn(points), encoding="utf-8")


if __name__ == "__main__":
    main()
