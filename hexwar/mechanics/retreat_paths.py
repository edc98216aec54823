"""Ways of retreat: which paths a beaten unit may take, ranked as the rules demand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from hexwar.engine import Position
from hexwar.mechanics.movement import can_enter
from hexwar.mechanics.pieces import has_room, in_enemy_zone, stack

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RetreatOption:
    """One way out, and how it ranks."""

    path: Path
    losses: int
    """Steps that the way costs."""
    overflow: int
    """Hexes beyond those demanded, because full stacks had to be passed."""
    rank: tuple[int, ...] = ()
    """The smaller the better: whether the unit is lost on the way, its losses, then the ruleset's criteria."""


Criterion = Callable[[Position[Any, Any], str, RetreatOption], int]
"""How bad a unit's way is in one respect; earlier criteria outweigh later ones. The way's rank is not known yet."""


def costly_hexes(at: Position[Any, Any], unit: str, path: Path) -> list[int]:
    """Where on a path a unit loses a step: at each hex in an enemy zone in which no friend stands."""
    side = at.world.units[unit].side
    return [n for n, label in enumerate(path) if n and in_enemy_zone(at, side, label) and not stack(at, label)]


def retreat_options(at: Position[Any, Any], unit: str, hexes: int, criteria: tuple[Criterion, ...] = ()) -> list[RetreatOption]:
    """All ways out for a unit, the best first; empty if it is lost.

    A way leads away from the start with every hex, and never enters an enemy hex, the edge or ground closed to the arm. It ends
    after the demanded number of hexes; where there is no room, it goes on as far as the ruleset's overflow allows.
    """
    found = []
    for path in _paths(at, unit, hexes):
        losses = len(costly_hexes(at, unit, path))
        option = RetreatOption(path, losses, len(path) - 1 - hexes)
        lost = int(losses >= at.state.steps[unit])
        found.append(replace(option, rank=(lost, losses, *(criterion(at, unit, option) for criterion in criteria))))
    return sorted(found, key=lambda option: (option.rank, option.path))


def _paths(at: Position[Any, Any], unit: str, hexes: int) -> Iterator[Path]:
    board = at.world.board
    farthest: int = hexes + at.world.retreat_overflow
    start = at.state.at[unit]
    pending: list[Path] = [(start,)]
    while pending:
        path = pending.pop()
        here, gone = path[-1], len(path) - 1
        if gone >= hexes and has_room(at, unit, here):
            yield path
        elif gone < farthest:
            for label in board.neighbours(here):
                if board.distance(start, label) > gone and can_enter(at, unit, here, label):
                    pending.append((*path, label))
