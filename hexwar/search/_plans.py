"""Plans: whole ways to use an activation, which search compares, and who knows them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Protocol, runtime_checkable

from hexwar.bots import Bot
from hexwar.engine import Action, RandomSource, View

MOST_ACTIONS = 24
"""Of more actions than these `Decisions` compares one of each group."""


@dataclass(frozen=True)
class Plan:
    """One way to use an activation.

    Args:
        name: what it does, in words that stand at the beginning of a sentence: "Assault on Riga".
        make: a new bot that plays it; when the activation is over, the usual policy goes on.
    """

    name: str
    make: Callable[[], Bot]


@runtime_checkable
class Planner(Protocol):
    """What makes plans."""

    def scope(self, view: View) -> Hashable | None:
        """What a plan is made for, such as an activation: the same as long as it lasts, None where there is nothing to plan."""
        ...  # pragma: no cover

    def plans(self, view: View) -> Iterable[Plan]:
        """The plans that are worth a try at the beginning of a scope: the usual one first, and no two that do the same."""
        ...  # pragma: no cover


class Decisions:
    """A planner for any game: each decision is a scope, and each action a plan.

    Few rollouts do not tell single actions apart that a game decides by whole activations: bots that know a game plan better.

    Args:
        policy: makes a bot whose answer is the usual one, and which goes on after an action.
        most: the most actions that are compared.
    """

    def __init__(self, policy: Callable[[], Bot], most: int = MOST_ACTIONS) -> None:
        self._policy, self._most = policy, most

    def scope(self, view: View) -> Hashable | None:
        """What the seat knows, while it has a choice."""
        question = view.question
        if question is None or (question.offer.complete and len(list(question.offer)) < 2):
            return None
        return view.digest

    def plans(self, view: View) -> Iterator[Plan]:
        """The usual answer, and others."""
        usual = self._policy().choose(view, First())
        for action in dict.fromkeys([usual, *some_actions(view, self._most)]):
            yield Plan(str(action), partial(self._begin, action))

    def _begin(self, action: Action) -> Bot:
        return Once(action, self._policy())


def some_actions(view: View, most: int) -> list[Action]:
    """All that a seat may do; of more than a number of actions one of each group."""
    assert view.question is not None, "a bot is asked when its seat is"
    offer = view.question.offer
    if offer.complete and len(listed := list(offer)) <= most:
        return listed
    return [*view.question.plain, *(group.offer.example() for group in view.question)][:most]


class Once:
    """A bot that begins with a given action.

    Args:
        action: what it does first.
        policy: who goes on.
    """

    def __init__(self, action: Action, policy: Bot) -> None:
        self._action: Action | None = action
        self._policy = policy

    def choose(self, view: View, chance: RandomSource) -> Action:
        """See `Bot.choose`."""
        action, self._action = self._action, None
        return self._policy.choose(view, chance) if action is None else action


class First:
    """A source of chance that always gives the first: what a bot does without any."""

    def randrange(self, stop: int, /) -> int:
        """See `RandomSource.randrange`."""
        return 0


def planner_of(policy: Callable[[], Bot]) -> Planner:
    """The bot itself if it is a planner; otherwise one of single decisions."""
    bot = policy()
    return bot if isinstance(bot, Planner) else Decisions(policy)
