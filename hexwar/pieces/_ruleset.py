"""What rulesets with pieces share besides their rules: where the pieces begin, and hand-made positions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typing_extensions import TypeVar

from hexwar.engine import Objective, Position, RandomSource, Ruleset, View
from hexwar.pieces._bidding import imagine_bids
from hexwar.pieces._chits import ChitState, Cup
from hexwar.pieces._pieces import place_units
from hexwar.pieces._state import PieceState
from hexwar.pieces._victory import Victory, total
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

    def imagine(self, view: View[S, W, Q], at: Position[S, W], chance: RandomSource) -> None:
        """The chits and the bids of others, where the game has such things."""
        imagine_bids(view, at, chance)
        cup = getattr(at.world, "cup", None)
        if isinstance(cup, Cup) and isinstance(at.state, ChitState):
            cup.imagine(view, at, chance)  # type: ignore[unreachable]  # the state of a game has both bases

    def lead(self, at: Position[S, W], side: str) -> float:
        """The points of a side above what it needs, or above those of the best other side; who has won is ahead by 1 at least."""
        victory: Victory | None = getattr(at.world, "victory", None)
        if not isinstance(victory, Victory):
            return super().lead(at, side)
        scores, needed = victory.scores(at), victory.needed(at)
        others = [other for other in at.world.sides if other != side]
        if side in needed:
            lead = total(scores, side) - needed[side][0]
        elif needed:
            lead = -max(total(scores, other) - points for other, (points, _) in needed.items())
        else:
            lead = total(scores, side) - max((total(scores, other) for other in others), default=0.0)
        result = at.state.result
        if result is None or result.winner is None:
            return lead
        return max(lead, 1.0) if result.winner == side else min(lead, -1.0)

    def objectives(self, at: Position[S, W]) -> tuple[Objective, ...]:
        """Those of its rules of victory, if its world has some."""
        victory: Victory | None = getattr(at.world, "victory", None)
        return victory.objectives(at) if isinstance(victory, Victory) else ()
