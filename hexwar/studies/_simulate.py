"""The games of a study, played here, in other processes or on a cluster."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from hexwar.bots import Bot, Disturbed, KeyedChance, load_bot, play_to_end
from hexwar.engine import Game
from hexwar.errors import HexwarError, UnknownName
from hexwar.mechanics import HexState
from hexwar.pausing import set_aside
from hexwar.pieces import total
from hexwar.workers import WorkerLost, Workers, completed

LOST = "the process that played it was killed or crashed"


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played.

    Args:
        ruleset: its id.
        scenario: its id; the ruleset's first if None.
        bots: side -> name of a bot.
        options: optional rules by id.
        check_every: after how many actions the invariants are checked; never if 0.
        failures: a folder for the games that went wrong, "" for none.
        plugins: files that were loaded as plugins; other processes load them as well.
        seats: the name of a seating; None for one seat a side. A bot of a side plays for each of its seats, and at a seat
            that belongs to no side decides at random.
        disturb: one decision in this many is taken by chance, whatever the bot answers; none if 0. An answer that is not
            offered is an error of its game.
    """

    ruleset: str
    scenario: str | None
    bots: Mapping[str, str]
    options: Mapping[str, bool | str] = field(default_factory=dict)
    check_every: int = 0
    failures: str = ""
    plugins: tuple[str, ...] = ()
    seats: str | None = None
    disturb: int = 0

    def begin(self, seed: int) -> tuple[Game, dict[str, Bot]]:
        """A game of the study before its first action, and who plays at each seat.

        Raises:
            HexwarError: something that the plan names does not exist, or a side has no bot.
        """
        from hexwar.facade import new_game

        game = new_game(self.ruleset, self.scenario, seed, self.options, seats=self.seats)
        for side in self.bots:
            if side not in game.world.sides:
                raise UnknownName("side", side, dict.fromkeys(game.world.sides))
        for side in game.world.sides:
            if side not in self.bots:
                raise HexwarError(f"nobody plays {side}: a bot for every side is needed")
        seats = game.world.seats.items()
        bots = {seat: load_bot(self.bots[side], may_run=True) for seat, side in seats}
        if self.disturb:
            chance = KeyedChance(f"{seed} disturbed")
            bots = {seat: Disturbed(bot, self.disturb, chance) for seat, bot in bots.items()}
        return game, bots


@dataclass(frozen=True, slots=True)
class Moment:
    """How a game stood when a turn ended.

    Args:
        turn: the turn.
        points: of each side that has some, as they would count then.
        steps: of each side on the map.
    """

    turn: int
    points: Mapping[str, float]
    steps: Mapping[str, int]


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
        reason: why it was won, in the words of the rules.
        decisions: how often each seat decided.
        moments: the end of each turn; none in a game that has no turns.
    """

    seed: int
    winner: str
    scores: Mapping[str, int]
    actions: int
    seconds: float = 0.0
    error: str = ""
    reason: str = ""
    decisions: Mapping[str, int] = field(default_factory=dict)
    moments: tuple[Moment, ...] = ()


def simulate(
    plan: Plan, games: int, *, first_seed: int = 0, jobs: int = 1, executor: Executor | None = None
) -> Iterator[Outcome]:
    """Play games; the outcomes in the order of their seeds.

    Args:
        plan: what is played.
        games: how many.
        first_seed: that of the first game.
        jobs: how many processes of this machine play.
        executor: who plays instead.

    Examples:
        >>> plan = Plan("bridgehead", "crossing", {"blue": "greedy", "red": "random"})
        >>> [outcome.seed for outcome in simulate(plan, 2)]
        [0, 1]
    """
    ready: dict[int, Outcome] = {}
    due = first_seed
    for outcome in play_seeds(plan, range(first_seed, first_seed + games), jobs=jobs, executor=executor):
        ready[outcome.seed] = outcome
        while due in ready:
            yield ready.pop(due)
            due += 1


def play_seeds(plan: Plan, seeds: Iterable[int], *, jobs: int = 1, executor: Executor | None = None) -> Iterator[Outcome]:
    """Play the games of some seeds; each outcome as soon as it is there, so in any order."""
    if executor is not None:
        # Twice as many as work at a time, so that none waits; an executor may not tell how many it has.
        yield from _played_by(executor, plan, seeds, ahead=max(16, 2 * jobs))
    elif jobs > 1:
        with Workers(jobs) as workers:
            yield from _played_by(workers, plan, seeds, ahead=2 * jobs)
    else:
        yield from (play_one(plan, seed) for seed in seeds)


def _played_by(executor: Executor, plan: Plan, seeds: Iterable[int], *, ahead: int) -> Iterator[Outcome]:
    for seed, future in completed(executor, partial(_play_elsewhere, plan), seeds, ahead):
        error = future.exception()
        if error is None:
            yield future.result()
        elif isinstance(error, WorkerLost) or type(error).__name__ == "KilledWorker":  # as Dask calls it
            yield Outcome(seed, "", {}, 0, error=LOST)
        else:
            raise error


def _play_elsewhere(plan: Plan, seed: int) -> Outcome:
    """Play one game in a process that may not have the plugin files yet."""
    from hexwar.plugins import plugins

    for file in plan.plugins:
        if file not in plugins().files:
            plugins().load_file(file)
    return play_one(plan, seed)


def play_one(plan: Plan, seed: int) -> Outcome:
    """Play one game to its end. A game that goes wrong is an outcome, too; that the bots do not exist is not."""
    game, bots = plan.begin(seed)
    begun = time.process_time()
    watch = _Watch(game, plan.check_every)
    error = ""
    try:
        with set_aside():
            play_to_end(game, bots, KeyedChance(seed), look=watch.look)
    except (Exception, SystemExit) as trouble:  # whatever it is, it belongs in the report, with the game that shows it
        error = f"{type(trouble).__name__}: {trouble}"
        if plan.failures:
            folder = Path(plan.failures)
            folder.mkdir(parents=True, exist_ok=True)
            game.save(folder / f"{plan.ruleset}-{game.world.setup.scenario}-{seed}.hexwar")
    else:
        watch.note()
    result = game.result
    return Outcome(
        seed,
        (result.winner or "") if result else "",
        dict(result.scores) if result else {},
        len(game.history),
        time.process_time() - begun,
        error,
        result.reason if result else "",
        dict(sorted(Counter(made.seat for made in game.history).items())),
        tuple(watch.moments),
    )


class _Watch:
    """Looks at a game after each action."""

    def __init__(self, game: Game, check_every: int) -> None:
        self._every, self._game = check_every, game
        self._turn: int = getattr(game._state, "turn", 0)
        self.moments: list[Moment] = []

    def look(self, game: Game) -> None:
        """Note a turn that has ended, and look for a broken invariant after every few actions."""
        if getattr(game._state, "turn", 0) != self._turn:
            self.note()
            self._turn = getattr(game._state, "turn", 0)
        for invariant in game.ruleset.invariants if self._every and len(game.history) % self._every == 0 else ():
            broken = invariant.broken(game._position)
            if broken:
                raise HexwarError(f"after action {len(game.history)}: {invariant.title} ({invariant.clause}): {broken}")

    def note(self) -> None:
        """The turn that was played is over: how does the game stand?"""
        if not self._turn:
            return
        state, world = self._game._state, self._game.world
        steps: Counter[str] = Counter()
        if isinstance(state, HexState):
            for unit, left in state.steps_left.items():
                if state.locations[unit] in world.board:
                    steps[world.units[unit].side] += left
        self.moments.append(Moment(self._turn, points_of(self._game), dict(sorted(steps.items()))))


def points_of(game: Game) -> dict[str, float]:
    """The points of each side that has some, as they stand; none in a game that does not count them."""
    scores = game.query.score() if getattr(game.query, "has_score", hasattr(game.query, "score")) else ()
    return {side: total(scores, side) for side in sorted({score.side for score in scores})}
