"""The units of work of `check_ruleset`: a game observed by the checks, or a survey of a scenario.

Units do not depend on each other, so that they can be worked at in any order and in any process.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from hexwar.bots import Bot, KeyedChance, load_bot
from hexwar.engine import Game
from hexwar.testing._checks import check_named
from hexwar.testing._checks.corpus import KnownGame, KnownGamesAgree, OffCourse, known_games
from hexwar.testing._coverage.ledger import Citations, Ledger
from hexwar.testing._running.subject import Subject
from hexwar.testing._running.watch import (
    Budget,
    CheckFailed,
    Fault,
    NotJudged,
    Survey,
    Watch,
    begin,
    complaint,
    in_words,
    looks_at,
    observe,
    random_decisions,
    recorded_decisions,
    stretches,
)
from hexwar.testing._staging.dice import Dice
from hexwar.testing._staging.random_play import SeatAction

Played = tuple[Game, Fault]
"""A game and what was found in it."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of work.

    Args:
        subject: what is played or surveyed.
        checks: the ids of the checks that look: all watches for a game, one survey otherwise.
        key: what the game's dice and decisions depend on; "" for a survey.
        bot: who plays the game; if nobody, it is played at random.
        known: the number of the known game that is played.
    """

    subject: Subject
    checks: Sequence[str]
    key: str = ""
    bot: str = ""
    known: int | None = None

    @property
    def source(self) -> str:
        """The name under which citations of the game itself are recorded."""
        return f"{self.subject.scenario}, played by {self.bot or 'chance'}"


@dataclass(slots=True)
class Result:
    """What a unit found.

    Args:
        found: faults, in the order in which they were found.
        actions: how many actions the game had.
        seconds: check -> how long it took; the game itself is "".
        fired: clause -> who cited it -> how often.
        note: what else the reader should know.
        digest: the position in which the game ended.
        played: check -> the game with its fault, if the unit was worked at in this process.
    """

    found: list[CheckFailed] = field(default_factory=list)
    actions: int = 0
    seconds: Mapping[str, float] = field(default_factory=dict)
    fired: Mapping[str, Mapping[str, Citations]] = field(default_factory=dict)
    note: str = ""
    digest: str = ""
    played: dict[str, Played] = field(default_factory=dict)


def work(budget: Budget, seed: int, unit: Unit, *, first: bool = False) -> Result:
    """Do a unit here; with `first`, only until something is found."""
    ruleset = unit.subject.info.id
    result = Result()
    with Ledger(ruleset) as ledger:
        ledger.turn_to(unit.source)
        if unit.key:
            _play(budget, unit, result, first)
        else:
            _survey(budget, seed, unit, result)
    own = ledger.seconds.pop(unit.source)
    result.seconds = {**ledger.seconds, "": own}
    result.fired = ledger.cited(ruleset)
    return result


def _play(budget: Budget, unit: Unit, result: Result, first: bool) -> None:
    subject = unit.subject
    # The dice of every third game come from elsewhere than a seed, so that they are on a tape.
    taped = unit.known is None and zlib.crc32(unit.key.encode()) % 3 == 0
    try:
        game = begin(subject, Dice(random.Random(unit.key)) if taped else unit.key)
    except CheckFailed as error:
        result.found += [error, *(NotJudged(check, error) for check in unit.checks)]
        return
    kinds = [check_named(check, subject) for check in unit.checks]
    watches = [kind(subject, budget) for kind in kinds if issubclass(kind, Watch) and kind.can_follow(game)]
    for watch in watches:  # where there are many games, a check that looks now and then looks elsewhere in each
        watch.salt = unit.key if budget.share < 1 else ""
    decisions, within = _course(budget, unit, game, result)
    for fault in observe(game, watches, decisions, within=within, first=first):
        result.found.append(fault.error)
        result.played[fault.error.check] = game, fault
    # A game in which something went wrong may hold what no digest can be made of.
    result.actions, result.digest = len(game.history), "" if result.found else game.digest


def _course(budget: Budget, unit: Unit, game: Game, result: Result) -> tuple[Iterator[SeatAction], Container[int] | None]:
    """What is done in a game, and which part of it is looked at."""
    subject = unit.subject
    if unit.known is not None:
        known = known_games(subject.with_options({}))[unit.known]
        return _known_decisions(game, known, unit, result), range(*known.looked)
    if not unit.bot:
        return random_decisions(game, random.Random(unit.key), subject.bound), looks_at(subject, budget, unit.key)
    # A bot thinks long: it plays once, and what it did is watched.
    moves: list[SeatAction] = []
    try:
        moves.extend(bot_decisions(subject.start(unit.key), load_bot(unit.bot), unit.key, subject.bound))
    except Exception as error:  # the bot's mistake or the rules': what it did until then is watched
        result.note = f"{unit.bot} gave up in a game of {subject.scenario}: {in_words(error)}"
    return recorded_decisions(game, moves), stretches(unit.key, len(moves), budget.looks)


def _known_decisions(game: Game, known: KnownGame, unit: Unit, result: Result) -> Iterator[SeatAction]:
    """What was recorded, as long as it is possible; if the game leaves its course, that is no fault of who watches it."""
    try:
        yield from known.course(game)
    except OffCourse as error:
        message = f"known game {unit.known} ({unit.subject.scenario}) leaves its course: {error}"
        result.found.append(CheckFailed(KnownGamesAgree.id, message))
        result.note = f"{message}; what came then was not looked at"


def bot_decisions(game: Game, bot: Bot, key: str, limit: int) -> Iterator[SeatAction]:
    """What a bot decides for all seats of a game, which is played on; at most this many decisions."""
    chance = KeyedChance(key)
    for _ in range(limit):
        if not game.to_move:
            return
        seat = game.to_move[0]
        action = bot.choose(game.view(seat), chance)
        yield seat, action
        game.apply(action, seat)


def _survey(budget: Budget, seed: int, unit: Unit, result: Result) -> None:
    kind = check_named(unit.checks[0], unit.subject)
    assert issubclass(kind, Survey)
    check = kind(unit.subject, budget)
    error = complaint(check, check.run, seed)
    if error is not None:
        result.found.append(error)


def elsewhere(budget: Budget, seed: int, unit: Unit) -> Result:
    """What another process says of a unit: all but the games, which stay there."""
    result = work(budget, seed, unit)
    for error in result.found:
        error.staged = None
    return replace(result, played={})
