"""17.4 Soviet supply limits: a Soviet line follows a road or a railway all the way, but for its last hexes."""

from __future__ import annotations

from hexwar import hookimpl
from hexwar.mechanics import Rail
from hexwar_ava.world import AvaWorld


@hookimpl
def hexwar_lines(world: AvaWorld, side: str) -> tuple[Rail, ...] | None:
    """17.4.1: twelve hexes to a road or a railway, then along that one kind of way to a source."""
    off = world.printed.numbers.soviet_line_to_road
    return (Rail("rail", off), Rail("road", off)) if side == "soviet" else None
