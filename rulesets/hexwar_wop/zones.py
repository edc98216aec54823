"""10: zones of control, as far as lines of supply and command ask for them."""

from __future__ import annotations

from hexwar.mechanics import face
from hexwar_wop.world import AIR, LARGE_RIVER, RIVER, At, enemy_of, units_on

WEAK = 2
"""10.2.3.a: a stack of no more strength has no zone."""


def zone(at: At, side: str) -> frozenset[str]:
    """10.1 to 10.3: the hexes that the units of a side cover with their zones, whatever those of the other do (10.5)."""
    return frozenset(
        near
        for label in at.state.layout.stacks
        if label in at.world.board and strength(at, label, side) > WEAK
        for near in at.world.board.neighbours(label)
        if extends(at, label, near)
    )


def strength(at: At, label: str, side: str) -> int:
    """10.2.a: what the units of a side in a hex have together at their present levels.

    River and air units, headquarters (10.2.1) and markers, which are no units (10.2.4), apart.
    """
    units = [unit for unit in units_on(at, label, side) if at.world.counters[unit].arm not in (RIVER, AIR)]
    return sum(face(at, unit).defence for unit in units)


def extends(at: At, origin: str, target: str) -> bool:
    """10.3.b: whether a zone extends from a hex into the next: the terrain table says where it stops, wherever it comes from."""
    world = at.world
    if not world.terrain[world.board.terrain(target)].zoc_enters:
        return False
    features = world.board.side(origin, target) & world.hexsides.keys()
    return all(world.hexsides[feature].zoc_crosses for feature in features) or world.is_bridged(origin, target)


def is_open(at: At, label: str, side: str, enemy_zone: frozenset[str]) -> bool:
    """3.2.b, 3.8.1, 3.8.2, 10.4.a, 10.11: whether a line of a side may run through a hex.

    Lone enemy headquarters count for nothing (3.2.c, 3.9), and a unit of the side cancels enemy zones where it stands.
    """
    if units_on(at, label, enemy_of(at, side)):
        return False
    return label not in enemy_zone or bool(units_on(at, label, side))


def can_cross(at: At, origin: str, target: str) -> bool:
    """3.8.3: whether a line may run from a hex into the next: not into a lake, not over a large river without a bridge."""
    world = at.world
    if world.terrain[world.board.terrain(target)].blocks_supply:
        return False
    return LARGE_RIVER not in world.board.side(origin, target) or world.is_bridged(origin, target)
