"""Ways of retreat: which paths a beaten unit may take, ranked as the rules demand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from hexwar.board import CLOSED
from hexwar.engine import Position
from hexwar.mechanics.pieces import has_room, in_enemy_zone, occupant, stack

Path = tuple[str, ...]
Criterion = Callable[[Position[Any, Any], str, Path], int]
"""How bad a path is in one respect; earlier criteria outweigh later ones."""


@dataclass(frozen=True, slots=True)
class RetreatOption:
    """One way out, and how it ranks."""

    path: Path
    losses: int
    """Steps that the way costs."""
    overflow: int
    """Hexes beyond those demanded, because full stacks had to be passed."""
    rank: tuple[int, ...]


def zone_losses(at: Position[Any, Any], unit: str, path: Path) -> int:
    """Steps lost on a path: one for each hex in an enemy zone in which no friend stands."""
    side = at.world.units[unit].side
    return sum(in_enemy_zone(at, side, label) and not stack(at, label) for label in path[1:])


def retreat_options(at: Position[Any, Any], unit: str, hexes: int, criteria: tuple[Criterion, ...] = ()) -> list[RetreatOption]:
    """All ways out for a unit, the best first; empty if it is lost.

    A way leads away from the start with every hex, never enters an enemy hex, the edge or ground closed to the arm, and ends
    with room for the unit. Where full stacks are in the way it goes on beyond the demanded number of hexes.
    """
    for overflow in range(3):
        found = []
        for path in _paths(at, unit, hexes + overflow):
            losses = zone_losses(at, unit, path)
            rank = (int(losses >= at.state.steps[unit]), losses, *(criterion(at, unit, path) for criterion in criteria))
            found.append(RetreatOption(path, losses, overflow, rank))
        if found:
            return sorted(found, key=lambda option: (option.rank, option.path))
    return []


def _paths(at: Position[Any, Any], unit: str, hexes: int) -> Iterator[Path]:
    board, counter = at.world.board, at.world.units[unit]
    costs = at.world.costs(counter.arm, at.world.hooks.refine("conditions", "", at))
    start = at.state.at[unit]
    pending: list[Path] = [(start,)]
    while pending:
        path = pending.pop()
        here = path[-1]
        if len(path) > hexes:
            if has_room(at, counter.side, here):
                yield path
            continue
        for label in board.neighbours(here):
            is_open = costs[board.direction(here, label)][board.index(here)] != CLOSED
            if is_open and board.distance(start, label) == len(path) and occupant(at, label) in (None, counter.side):
                pending.append((*path, label))
