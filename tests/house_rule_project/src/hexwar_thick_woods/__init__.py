"""A house rule for Bridgehead: woods cost infantry two points instead of one."""

from __future__ import annotations

from hexwar import Variant, hookimpl
from hexwar.engine import Clause
from hexwar.mechanics import Movement

WOODS = Clause("thick-woods.1", "A hex of woods costs infantry two points", option="thick-woods")


@hookimpl
def hexwar_variants() -> list[Variant]:
    """The rules of the variant are this module."""
    return [Variant("thick-woods", "bridgehead", "Thick woods", __name__, clauses=(WOODS,))]


class ThickWoods(Movement):
    """thick-woods.1: put in front of the part `movement`."""

    def step_cost(self, arm: str, conditions: str, origin: str, target: str, printed: int) -> int:
        """thick-woods.1, in half points."""
        if arm == "infantry" and self.world.board.terrain(target) == "woods":
            return 4
        return super().step_cost(arm, conditions, origin, target, printed)


PARTS = {"movement": ThickWoods}
