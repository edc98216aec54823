"""Search in trees of what seats know, for research: it compares single actions and needs nothing of a game but its rules."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import partial

from hexwar.bots import Bot, KeyedChance, load_bot
from hexwar.engine import Action, Playout, RandomSource, View, pick
from hexwar.errors import HexwarError
from hexwar.search._dice import ImaginedDice
from hexwar.search._plans import MOST_ACTIONS, some_actions

EXPLORATION = 0.7
POINTS = 8.0
"""A lead of eight points is worth about three quarters of a win."""


@dataclass
class Tried:
    """What is known of an action in a node: how often it was possible and tried, and what that was worth in all."""

    possible: int = 0
    times: int = 0
    worth: float = 0.0

    def promise(self, exploration: float) -> float:
        """An upper bound of what it is worth, the less certain the higher."""
        return self.worth / self.times + exploration * math.sqrt(math.log(self.possible) / self.times)


@dataclass
class Node:
    """An information set: what a seat knows, and its actions."""

    tried: dict[Action, Tried] = field(default_factory=dict)


class Ismcts:
    """Information set Monte Carlo tree search: one tree for all imagined positions, whose nodes are what a seat knows.

    Each iteration imagines a position, goes down the tree by what promises most among the actions that are possible there, adds
    a node, and plays the rest with a policy. The most tried action is chosen. The same chance gives the same answer.

    Args:
        iterations: how many for a decision.
        policy: the name of the bot that plays the rest.
        turns: after how many turns a line is cut off and judged by `Ruleset.lead`; it is played to the end if None.
        exploration: how much is tried that does not seem to be the best.
        most: of more actions than these some of each group are looked at.
    """

    def __init__(
        self,
        iterations: int = 200,
        policy: str = "random",
        turns: int | None = None,
        exploration: float = EXPLORATION,
        most: int = MOST_ACTIONS,
    ) -> None:
        if iterations < 1:
            raise HexwarError(f"a search of {iterations} iterations finds nothing: there must be one at least")
        self._iterations, self._policy, self._turns = iterations, partial(load_bot, policy), turns
        self._exploration, self._most = exploration, most
        self.nodes: dict[str, Node] = {}
        """The tree of the last decision: `View.digest` -> node."""

    def choose(self, view: View, chance: RandomSource) -> Action:
        """See `Bot.choose`."""
        number = chance.randrange(1 << 62)
        self.nodes = {}
        for iteration in range(self._iterations):
            seed = f"{number}:{iteration}"
            line = view.imagine(KeyedChance(f"imagine {seed}"), ImaginedDice(seed))
            self._iterate(line, KeyedChance(f"play {seed}"))
        tried = self.nodes[view.digest].tried
        return max(tried, key=lambda action: tried[action].times)

    def _iterate(self, line: Playout, chance: RandomSource) -> None:
        """Go down the tree, add a node, play on, and tell everybody on the way what came of it."""
        last = None if self._turns is None else getattr(line.state, "turn", 0) + self._turns
        path: list[tuple[Tried, str]] = []
        fresh = False
        while line.result is None and not fresh:
            seat = line.to_move[0]
            seen = line.view(seat)
            fresh = seen.digest not in self.nodes and bool(path)
            node = self.nodes.setdefault(seen.digest, Node())
            actions = some_actions(seen, self._most)
            for action in actions:
                node.tried.setdefault(action, Tried()).possible += 1
            new = [action for action in actions if not node.tried[action].times]
            action = pick(new, chance) if new else max(actions, key=lambda it: node.tried[it].promise(self._exploration))
            path.append((node.tried[action], line.world.seats[seat]))
            line.apply(action, seat)
        self._play_on(line, chance, last)
        worth = {side: self._worth(line, side) for side in {side for _, side in path}}
        for tried, side in path:
            tried.times += 1
            tried.worth += worth[side]

    def _play_on(self, line: Playout, chance: RandomSource, last: int | None) -> None:
        bots: dict[str, Bot] = {seat: self._policy() for seat in line.world.seats}
        for _ in range(line.ruleset.info.scenario(line.world.setup.scenario).bound):
            if line.result is not None or (last is not None and getattr(line.state, "turn", 0) >= last):
                return
            seat = line.to_move[0]
            line.apply(bots[seat].choose(line.view(seat), chance), seat)

    def _worth(self, line: Playout, side: str) -> float:
        """Between 0 and 1."""
        lead = line.ruleset.lead(line.position, side)
        return 0.5 + 0.5 * math.tanh(lead / POINTS)
