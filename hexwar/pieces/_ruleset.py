"""What rulesets with pieces share besides their rules: where the pieces begin, and hand-made positions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typing_extensions import TypeVar

from hexwar.engine import Objective, Position, Ruleset
from hexwar.pieces._pieces import place_units
from hexwar.pieces._state import PieceState
from hexwar.pieces._victory import Victory
from hexwar.pieces._world import PieceWorld

S = TypeVar("S", bound=PieceState, default=Any)
W = TypeVar("W", bound=PieceWorld, default=Any)
Q = TypeVar("Q", default=Any)


class PieceRuleset(Ruleset[S, W, Q]):
    """Base of rulesets that are played with units, on whatever board."""

    def start(self, world: W) -> S:
        """Every unit where it begins."""
        state = self.bare(world)
        place_units(world, state, {unit.id: {"at": unit.start} for unit in world.units.values()})
        return state

    def place(self, world: W, state: S, units: Mapping[str, Mapping[str, object]]) -> None:
        """Hand-made positions."""
        place_units(world, state, units)

    def objectives(self, at: Position[S, W]) -> tuple[Objective, ...]:
        """Those of its rules of victory, if its world has some."""
        victory: Victory | None = getattr(at.world, "victory", None)
        return victory.objectives(at) if isinstance(victory, Victory) else ()
