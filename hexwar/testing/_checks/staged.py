"""The check of made-up positions: what random games rarely come to, such as retreats over full stacks, is met here at once."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from typing import ClassVar

from hexwar.engine import Game, SeededChance, Sequencing
from hexwar.mechanics import Arriving, CallOff, Pursue, Pursuing
from hexwar.pieces import Done
from hexwar.testing._checks.answers import AnswersAreRight
from hexwar.testing._checks.flow import ClausesAreKnown, HeirsGetWhatIsLeft, InvariantsHold, NoDeadEnds
from hexwar.testing._checks.following import HUGE, Following, current, differ
from hexwar.testing._checks.gate import OfferedActionsApply, OffersAreSets, OthersAreRefused, WhyNotAgrees
from hexwar.testing._checks.history import UndoGoesBack
from hexwar.testing._checks.secrets import HiddenContentDoesNotShow, ViewsHide
from hexwar.testing._checks.values import (
    CopiesAreIndependent,
    DerivedIsRight,
    EventsTellEverything,
    JsonIsExact,
    StatesAreValues,
)
from hexwar.testing._running.subject import Subject
from hexwar.testing._running.watch import Check, CheckFailed, Crash, Fault, NotJudged, Staged, Survey, Watch, complaint, observe
from hexwar.testing._staging.random_play import SeatAction, choose
from hexwar.testing.oracles import Books, Pursuits, Staging, Thrown
from hexwar.testing.oracles._field import sheet_of

UNIVERSAL: tuple[type[Watch], ...] = (
    OfferedActionsApply,
    WhyNotAgrees,
    StatesAreValues,
    UndoGoesBack,
    OthersAreRefused,
    EventsTellEverything,
    NoDeadEnds,
    DerivedIsRight,
    ClausesAreKnown,
    CopiesAreIndependent,
    OffersAreSets,
    JsonIsExact,
)
"""What holds everywhere is looked at in staged games, too, one in turn after the other."""
OF_SECRETS: tuple[type[Watch], ...] = (ViewsHide, HiddenContentDoesNotShow)
"""The same where a game has led to what is hidden: a position made by hand may hold a cup that nobody filled."""
TURNS = 2
UNITS = 4
"""About how many units questions are asked before a game is played on."""
TRIES = 4


def eager(game: Game, chance: random.Random, actions: int) -> Iterator[SeatAction]:
    """Random decisions until the turn is over and reinforcements have come, by a player who prefers to fight.

    Several players of a side take what comes, so that the first leaves something to the next.
    """
    turn = game.state.turn
    for _ in range(actions):
        if not game.to_move or (game.state.turn != turn and current(game, Arriving) is None):
            return
        tried = [choose(game, chance) for _ in range(TRIES if len(game.world.seats) == len(game.world.sides) else 1)]
        yield next((made for made in tried if not isinstance(made[1], Done | CallOff)), tried[0])


def _of_rules() -> list[type[Check]]:
    """The checks that judge rules."""
    from hexwar.testing._checks import CHECKS  # of which those of this module are some

    return [kind for kind in CHECKS.values() if issubclass(kind, Following | InvariantsHold | HeirsGetWhatIsLeft)]


class _Staged(Survey, abstract=True):
    """Games that begin in the middle, observed by all checks of rules and by a few of the universal ones in turn."""

    once = True
    universal: ClassVar[Sequence[type[Watch]]] = UNIVERSAL

    @property
    def without(self) -> Collection[str]:
        """The ids of checks that do not understand such games."""
        return ()

    def compare(self, subject: Subject, game: Game, key: str, number: int, *, actions: int, units: int) -> None:
        """Play a game on for a while.

        Args:
            subject: its setting.
            game: as it was staged.
            key: what its decisions depend on.
            number: which of the games it is: others have other universal checks.
            actions: how many decisions at most.
            units: about how many units questions are asked before.

        Raises:
            CheckFailed: something is wrong; what was found in the game comes with it.
        """
        kit = subject.kit
        turn = [self.universal[(number * TURNS + more) % len(self.universal)] for more in range(TURNS)]
        kinds = [kind for kind in (*_of_rules(), *turn, *kit.checks) if issubclass(kind, Watch) and kind is not AnswersAreRight]
        if kit.capability(Books) is not None:
            answers = AnswersAreRight(subject, self.budget)
            wrong = complaint(
                answers, answers.compare, game, answers.books.of(game), units if game.world.board.size < HUGE else 1
            )
            if wrong is not None:
                raise self._found(Staged(subject, game, Fault.of(wrong, (), ())))
        able = [kind for kind in kinds if (kind.needs is None or kit.capability(kind.needs)) and kind.can_follow(game)]
        able = [kind for kind in able if kind.id not in self.without]
        watches = [kind(subject, self.budget) for kind in able]
        for fault in observe(game, watches, eager(game, random.Random(key), actions), first=True):
            raise self._found(Staged(subject, game, fault))

    def _found(self, staged: Staged) -> CheckFailed:
        """What to raise; if the rules crashed, that is no disagreement."""
        error = staged.fault.error
        crash = error if isinstance(error.__cause__, Crash) else error.crash
        failed = NotJudged(self.id, crash) if crash else self.fail(f"{error.check}: {error.message}")
        failed.staged, failed.is_staged = staged, True
        return failed


class StagedGamesAgree(_Staged):
    """In games that begin with units thrown together near the enemy, every check of rules that the ruleset has holds too."""

    needs = Staging

    def run(self, seed: int) -> None:
        """Play such games for a while."""
        staging = self.rule(Staging)
        for number in range(staging.games(self.budget)):
            key = f"{seed}|staged|{number}"
            game = staging.stage(self.subject, key)
            self.compare(self.subject, game, key, number, actions=staging.actions(game), units=staging.units)


class ThrownGamesAgree(_Staged):
    """In random games whose pieces are thrown together somewhere, every check holds too, with options in pairs."""

    needs = Thrown
    universal = (*UNIVERSAL, *OF_SECRETS)

    @property
    def without(self) -> Collection[str]:
        """As the ruleset says."""
        return self.rule(Thrown).without

    def run(self, seed: int) -> None:
        """Play such games for a while."""
        thrown = self.rule(Thrown)
        for number, (setting, key, game) in enumerate(thrown.staged(self.subject, self.budget, seed)):
            self.compare(setting, game, key, number, actions=thrown.actions(game), units=UNITS)


class LonePursuitsAgree(Survey):
    """From every hex into every hex beside it, a unit of each arm may pursue as far as the rules say.

    One bridge on a map is enough for a bug, and no random game finds it.
    """

    needs = Staging

    def run(self, seed: int) -> None:
        """Try every step on the map, with no other unit on it."""
        staging, pursuits = self.rule(Staging), self.subject.kit.capability(Pursuits)
        if pursuits is None:
            return
        rules, world = self.subject.ruleset, self.subject.start(seed).world
        bare = rules.bare(world)
        for unit in staging.lone(world):
            seat = world.seat_for(world.units[unit].side, unit)
            for label, near in sheet_of(world.board).near.items():
                state = bare.copy()
                rules.place(world, state, {unit: {"at": label}})
                field = (self.subject.kit.capability(Books) or Books()).field.of(world, state)
                for target in near:
                    state.stack[:] = [Sequencing(staging.path), Pursuing(seat, (unit,), target)]
                    game = Game(rules, world, state, SeededChance(seed))
                    asked = current(game, Pursuing) is not None
                    told = {action.path for action in game.legal_actions(seat) if isinstance(action, Pursue)} if asked else set()
                    wrong = differ(told, pursuits.ways(field, field.pieces[unit], target))
                    if wrong:
                        raise self.fail(f"the ways of {unit} to pursue from {label} into {target}: {wrong}")
