"""Positions to begin with: the middle of a random game, with units thrown together and markers that are rare otherwise."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from hexwar.testing.oracles import Thrown
from hexwar_wop.kit.ground import LAND, MOVEMENT

HUNGRY, LOST = 0.25, 0.1
"""The shares of the units that get a marker: without supply, without command."""


class WopThrown(Thrown):
    """Whatever a random game has come to, with the pieces thrown together."""

    def movable(self, game: Any, state: Any) -> Sequence[str]:
        """Nobody who is loaded: transport and load stay together."""
        return [unit for unit in super().movable(game, state) if unit not in state.loaded]

    def vary(self, world: Any, state: Any, chance: random.Random) -> None:
        """Markers of supply (3.11) and of command (9.12)."""
        units = [unit for unit, label in state.locations.items() if label in world.board and world.units[unit].arm in LAND]
        state.no_supply = tuple(unit for unit in units if chance.random() < HUNGRY)
        state.no_command = tuple(unit for unit in units if chance.random() < LOST)


THROWN = WopThrown(MOVEMENT)
