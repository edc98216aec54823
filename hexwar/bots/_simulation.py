"""Many games of bots at once: how often who wins, with how many points, and whether any game goes wrong."""

from __future__ import annotations

import statistics
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from hexwar.bots._playing import Bot, KeyedChance, RandomBot, load_bot, play_out
from hexwar.engine import Game
from hexwar.errors import HexwarError


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played.

    Args:
        ruleset: its id.
        scenario: its id; the ruleset's first if None.
        bots: side -> name of a bot.
        options: optional rules by id.
        check_every: after how many actions the invariants are checked; never if 0.
        report: a folder for the games that went wrong, "" for none.
        plugins: files that were loaded as plugins; other processes load them as well.
        seats: the name of a seating; None for one seat a side. A bot of a side plays for each of its seats, and at a seat
            that belongs to no side decides at random.
    """

    ruleset: str
    scenario: str | None
    bots: Mapping[str, str]
    options: Mapping[str, object] = field(default_factory=dict)
    check_every: int = 0
    report: str = ""
    plugins: tuple[str, ...] = ()
    seats: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """One game.

    Args:
        seed: of the game and of the bots.
        winner: a side; "" for a draw or a game that did not end.
        scores: the points of each side that has some.
        actions: how many there were.
        seconds: of processor time.
        error: what went wrong, "" if nothing.
    """

    seed: int
    winner: str
    scores: Mapping[str, int]
    actions: int
    seconds: float
    error: str = ""


def simulate(plan: Plan, games: int, *, first_seed: int = 0, jobs: int = 1) -> Iterator[Outcome]:
    """Play games one after the other, or in several processes; the outcomes in the order of their seeds."""
    left = list(range(first_seed, first_seed + games))
    if jobs <= 1:
        yield from (play_one(plan, seed) for seed in left)
        return
    alone = 0
    while left:
        try:
            with ProcessPoolExecutor(1 if alone else jobs, get_context("spawn")) as pool:
                for outcome in pool.map(partial(_play_elsewhere, plan), left[:1] if alone else tuple(left)):
                    del left[0]
                    yield outcome
            alone = max(0, alone - 1)
        except BrokenProcessPool:  # a process was killed or crashed; which game it played shows when each has one to itself
            if alone:
                yield Outcome(left.pop(0), "", {}, 0, 0.0, "the process that played it was killed or crashed")
            else:
                alone = jobs


def _play_elsewhere(plan: Plan, seed: int) -> Outcome:
    """Play one game in a process that may not have the plugin files yet."""
    from hexwar.plugins import plugins

    for file in plan.plugins:
        if file not in plugins().files:
            plugins().load_file(file)
    return play_one(plan, seed)


def play_one(plan: Plan, seed: int) -> Outcome:
    """Play one game to its end. A game that goes wrong is an outcome, too; that the bots do not exist is not."""
    from hexwar.facade import new_game

    game = new_game(plan.ruleset, plan.scenario, seed, plan.options, seats=plan.seats)
    bots: dict[str, Bot] = {
        seat: load_bot(plan.bots[side]) if side in plan.bots else RandomBot() for seat, side in game.world.seats.items()
    }
    begun = time.process_time()
    error = ""
    try:
        play_out(game, bots, KeyedChance(seed), look=lambda game: _check(game, plan.check_every))
    except (Exception, SystemExit) as trouble:  # whatever it is, it belongs into the report, with the game that shows it
        error = f"{type(trouble).__name__}: {trouble}"
        if plan.report:
            folder = Path(plan.report)
            folder.mkdir(parents=True, exist_ok=True)
            game.save(folder / f"{plan.ruleset}-{game.world.setup.scenario}-{seed}.hexwar")
    result = game.result
    return Outcome(
        seed,
        (result.winner or "") if result else "",
        dict(result.scores) if result else {},
        len(game.history),
        time.process_time() - begun,
        error,
    )


def _check(game: Game, every: int) -> None:
    """Look for a broken invariant after each so many actions."""
    for invariant in game.ruleset.invariants if every and len(game.history) % every == 0 else ():
        broken = invariant.broken(game.position)
        if broken:
            raise HexwarError(f"after action {len(game.history)}: {invariant.title} ({invariant.clause}): {broken}")


def summary(outcomes: Sequence[Outcome]) -> list[str]:
    """Who won how often, the points, and the size of the games, in lines."""
    played = [outcome for outcome in outcomes if not outcome.error]
    lines = []
    if played:
        wins = Counter(outcome.winner or "nobody" for outcome in played)
        lines.append(f"{len(played)} games: " + ", ".join(f"{side} wins {count}" for side, count in sorted(wins.items())))
        for side in sorted({side for outcome in played for side in outcome.scores}):
            points = sorted(outcome.scores.get(side, 0) for outcome in played)
            quarter = [points[len(points) * part // 4] for part in (1, 2, 3)]
            lines.append(
                f"points of {side}: least {points[0]}, quartiles {quarter[0]} {quarter[1]} {quarter[2]}, most {points[-1]}, "
                f"mean {statistics.fmean(points):.1f}"
            )
        seconds = [outcome.seconds for outcome in played]
        actions = [outcome.actions for outcome in played]
        lines.append(
            f"{statistics.fmean(actions):.0f} actions and {statistics.fmean(seconds):.2f} processor seconds a game, "
            f"{sum(actions) / max(sum(seconds), 1e-9):,.0f} actions a second"
        )
    lines += [f"seed {outcome.seed}: {outcome.error}" for outcome in outcomes if outcome.error]
    return lines
