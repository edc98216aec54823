"""A policy over tokens as a bot, so that it can play and be measured wherever bots can."""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakKeyDictionary

from hexwar.engine import Action, RandomSource, View, World
from hexwar.errors import HexwarError
from hexwar.rl._observation import Encoder, Floats
from hexwar.rl._tokens import Mask, Tokens, Walk

Policy = Callable[[dict[str, Floats], Mask, RandomSource], int]
"""Observation, mask and a source of chance -> a token that the mask allows."""


class TokenBot:
    """A bot that chooses its actions token by token, as an agent in the environment does.

    Args:
        policy: which token to take.
    """

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self._encoders: WeakKeyDictionary[World, Encoder] = WeakKeyDictionary()

    def choose(self, view: View, chance: RandomSource) -> Action:
        """See `hexwar.bots.Bot.choose`."""
        if view.question is None:
            raise HexwarError("nothing is asked")
        encoder = self.encoder(view)
        seen, walk = encoder.look(view), Walk(encoder.tokens, view.question)
        while True:
            action = walk.take(int(self.policy(encoder.with_walk(seen, walk), walk.mask, chance)))
            if action is not None:
                return action

    def encoder(self, view: View) -> Encoder:
        """What makes arrays of the views of this game."""
        world = view.position.world
        if world not in self._encoders:
            self._encoders[world] = Encoder(view.ruleset, world, view.state, Tokens(view.ruleset, world))
        return self._encoders[world]
