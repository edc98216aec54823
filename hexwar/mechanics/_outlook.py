"""Outlooks: what a side will gain until the end of a game, as far as a position tells, by weights that were fitted to games.

The points of the moment mislead a search that cuts its lines off: who has just taken a town by a counter-attack may have lost
his spearhead by the next turn. `python -m hexwar.search.fitting` finds the weights.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from hexwar.engine import Position
from hexwar.pieces import face, on_board

NEAR = 4
"""Units at most so far from a place count for it, and a place so far away counts half."""
HEX_FEATURES = (
    "turns left",
    "lead",
    "strength",
    "strength of the enemy",
    "places to take, by strength nearby",
    "places to take, by distance",
    "places to lose, by strength nearby",
    "places to lose, by distance",
)
"""What is looked at, each once as it is and once for each turn that is left, as a share of all turns."""


def features(at: Position, side: str, now: float, places: Iterable[tuple[str, float, str]]) -> list[float]:
    """The numbers that the weights are for.

    Args:
        at: a position on a board of hexes.
        side: whose outlook it is; it has one enemy.
        now: how far it is ahead in points.
        places: hexes, what each is worth, and who holds it.
    """
    world, board = at.world, at.world.board
    [enemy] = world.enemies(side)
    forces = [_forces(at, side), _forces(at, enemy)]
    last = world.last_turn or 1
    left = min(1.0, max(0.0, (last - at.state.turn + 1) / last))
    found = [1.0, now / 10, *(sum(strength for _, strength in force) / 100 for force in forces)]
    gain, lose = [0.0, 0.0], [0.0, 0.0]
    for label, worth, owner in places:
        near, close = [], []
        for force in forces:
            away = [(board.distance(label, here), strength) for here, strength in force]
            near.append(sum(strength for distance, strength in away if distance <= NEAR))
            close.append(2.0 ** (-min((distance for distance, _ in away), default=99) / NEAR))
        mine, theirs = (near[0] + 1) / (near[0] + near[1] + 2), close[0] / (close[0] + close[1] + 0.1)
        kept = lose if owner == side else gain
        kept[0] += worth * (1 - mine if owner == side else mine)
        kept[1] += worth * (1 - theirs if owner == side else theirs)
    found += [number / 10 for number in (*gain, *lose)]
    return [*found, *(left * number for number in found)]


def _forces(at: Position, side: str) -> list[tuple[str, float]]:
    """Where the fighting units of a side stand, with their strength."""
    faces = [(at.state.locations[unit], face(at, unit)) for unit in on_board(at, side)]
    return [(label, (it.attack + it.defence) / 2) for label, it in faces if it.attack or it.defence]


def weighed(weights: Sequence[float], numbers: Sequence[float]) -> float:
    """What is still to be gained."""
    return sum(weight * number for weight, number in zip(weights, numbers, strict=True))


@cache
def read_outlooks(file: Any) -> Mapping[str, Sequence[float]]:
    """Scenario -> the weights, from a file of content."""
    return {scenario: tuple(entry["weights"]) for scenario, entry in tomllib.loads(file.read_text(encoding="utf-8")).items()}
