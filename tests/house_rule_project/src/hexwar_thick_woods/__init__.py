"""A house rule for Bridgehead: woods cost infantry two points instead of one."""

from __future__ import annotations

from hexwar import Variant, hookimpl
from hexwar.engine import Clause
from hexwar.mechanics import HexWorld

WOODS = Clause("thick-woods.1", "A hex of woods costs infantry two points", option="thick-woods")


@hookimpl
def hexwar_variants() -> list[Variant]:
    """The rules of the variant are this module."""
    return [Variant("thick-woods", "bridgehead", "Thick woods", __name__, clauses=(WOODS,))]


@hookimpl
def hexwar_movement_cost(world: HexWorld, mover: str, target: str) -> int | None:
    """thick-woods.1, in half points."""
    return 4 if mover == "infantry" and world.board.terrain(target) == "woods" else None
