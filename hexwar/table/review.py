"""A review of a game that is over: each activation as its player saw it then, what was played against the best plan.

Search imagines games from the view of that moment, so nobody is blamed for what he could not know. A plan counts as a blunder
avoided only if it is better by two standard errors and by a point. What the dice brought is told apart.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from hexwar.bots import Bot, KeyedChance, load_bot, usual_bot
from hexwar.engine import Action, Game, RandomSource, View
from hexwar.search import Analysis, Budget, Option, Plan, Planner, analyse, planner_of
from hexwar.table.chronicle import Chronicle
from hexwar.table.luck import Luck, Throw, fought

SURE = 2.0
"""How many standard errors a plan must be better than what was played."""
POINTS = 1.0
"""And how many points."""


class AsPlayed:
    """A bot that does again what was done, as far as the questions are the same, and then leaves the rest to a policy.

    Args:
        done: the kinds of the steps that asked, and the answers.
        policy: makes who decides what was not asked then.
    """

    def __init__(self, done: Sequence[tuple[str, Action]], policy: Callable[[], Bot]) -> None:
        self._left, self._policy = list(done), policy()

    def choose(self, view: View, chance: RandomSource) -> Action:
        """See `Bot.choose`."""
        question = view.question
        assert question is not None, "a bot is asked when its seat is"
        alike = next((it for it in self._left if it[0] == question.kind), None)
        if alike is not None and question.offer.find(alike[1]) is not None:
            self._left.remove(alike)
            return alike[1]
        return self._policy.choose(view, chance)


@dataclass
class Activation:
    """What a seat did in one scope of its planner.

    Args:
        seat: who.
        first: the place of its first action in the history.
        last: that of its last one before the next begins.
        view: what the seat knew at the beginning.
        done: see `AsPlayed`.
    """

    seat: str
    first: int
    last: int
    view: View
    done: list[tuple[str, Action]]


@dataclass(frozen=True)
class Reviewed:
    """What search says of an activation.

    Args:
        activation: which one.
        analysis: its plans; the first is what was played.
        luck: that of the side in the battles from its first action to its last; None if there were none.
    """

    activation: Activation
    analysis: Analysis
    luck: Luck | None

    @property
    def better(self) -> Option | None:
        """The plan that was better beyond doubt and by a point; None if there was none."""
        best = self.analysis.options[self.analysis.best]
        return best if self.analysis.best and best.gain >= POINTS else None

    @property
    def reason(self) -> str:
        """The verdict in a sentence, never surer than the figures."""
        found, usual = self.better, self.analysis.usual
        if not self.analysis.rollouts:
            return "There was no other plan to compare."
        where = "imagined games" if self.analysis.turns is None else f"imagined lines of {self.analysis.turns} turns"
        if found is None:
            plans = len(self.analysis.options) - 1
            return f"None of {plans} other plans was found to be better, in {self.analysis.rollouts} {where}."
        ahead = f"{found.gain:+.1f} ± {found.error:.1f} points compared with what was played"
        return f"{found.name}: {ahead}, wins {found.won:.0%} instead of {usual.won:.0%}, in {found.rollouts} pairs of {where}."


def activations(game: Game, planner: Planner, seats: Sequence[str]) -> list[Activation]:
    """The activations of some seats, in the order in which they began."""
    found: list[Activation] = []
    current: dict[str, tuple[Hashable, Activation]] = {}
    line = game.after(0)
    for number, decision in enumerate(game.history):
        seat = decision.seat
        if seat in seats:
            view = line.view(seat)
            assert view.question is not None
            scope = planner.scope(view)
            if scope is not None and (seat not in current or current[seat][0] != scope):
                current[seat] = scope, Activation(seat, number, number, view, [])
                found.append(current[seat][1])
            if seat in current:
                activation = current[seat][1]
                activation.done.append((view.question.kind, decision.action))
                activation.last = number
        line.apply(decision.action, seat)
    return found


class _Played:
    """A planner with one plan more: what was played, which the others are compared with."""

    def __init__(self, planner: Planner, activation: Activation, policy: Callable[[], Bot]) -> None:
        self.scope = planner.scope
        played = Plan("As played", partial(AsPlayed, tuple(activation.done), policy))
        self._plans = [played, *planner.plans(activation.view)]

    def plans(self, view: View) -> Sequence[Plan]:
        """See `Planner.plans`."""
        return self._plans


def review(game: Game, seats: Sequence[str], budget: Budget | None = None, seconds: float = 60.0) -> Iterator[Reviewed]:
    """Look at each activation of some seats again, from what they knew then.

    Args:
        game: the game; it need not be over, but then its players learn nothing that they do not know from a review.
        seats: whose activations.
        budget: how much may be tried out for each.
        seconds: how long all of it may take, if no budget is given.
    """
    policy = partial(load_bot, usual_bot(game.ruleset.info))
    planner = planner_of(policy)
    known = activations(game, planner, seats)
    each = budget or Budget(seconds=seconds / max(1, len(known)))
    throws = fought(game)
    for number, activation in enumerate(known):
        plans = _Played(planner, activation, policy)
        analysis = analyse(activation.view, plans, policy, each, KeyedChance(f"review {number}"), gate=SURE)
        yield Reviewed(activation, analysis, _luck(game, activation, throws))


def _luck(game: Game, activation: Activation, throws: Sequence[tuple[int, Throw]]) -> Luck | None:
    begins = game.history[activation.first].log_length
    after = game.history[activation.last + 1 :]
    ends = after[0].log_length if after else len(game.events)
    mine = [throw for place, throw in throws if begins <= place < ends]
    return Luck.of(game.world.seats[activation.seat], mine) if mine else None


def review_words(game: Game, reviewed: Reviewed) -> list[str]:
    """The same as a player reads it."""
    it, chronicle = reviewed.activation, Chronicle(game.world, short=True)
    turn = getattr(it.view.state, "turn", 0)
    when = f"Turn {turn}, " if turn else ""
    begun = chronicle.sentence(it.done[0][1])
    found = reviewed.better
    verdict = "BETTER WAS: " if found else ""
    which = f"actions {it.first + 1} to {it.last + 1}" if it.last > it.first else f"action {it.first + 1}"
    lines = [f"{when}{it.seat}, {which}, from: {begun}", f"  {verdict}{reviewed.reason}"]
    if reviewed.luck is not None:
        share, battles = float(reviewed.luck.share), reviewed.luck.attacks + reviewed.luck.defences
        fights = f"{battles} battle{'s' * (battles != 1)}"
        lines.append(f"  Luck apart: in {fights} the dice were better than {share:.0%} of all dice for {it.seat}.")
    return lines
