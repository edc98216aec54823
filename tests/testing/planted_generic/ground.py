"""Bugs of stacking, zones of control and movement."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import hexwar.mechanics._moving as moving
from hexwar.board import CLOSED, Reach
from hexwar.mechanics import Basis, HexWorld, Layout, Moving, Prices, Reaches, Stacking, TerrainChart
from hexwar.pieces import face
from hexwar.testing import Patch
from tests.testing.planted_generic.catalogue import HEXES, Condition, Parts, Plant, bug, everywhere, in_part, wrapping

MOVEMENT = Condition("it has no movement segment of the mechanics", lambda parts: parts.has_step(Moving))


def _prices(parts: Parts, *, closed: bool) -> bool:
    """Whether ground on the map is closed to some arm, or open to one at several prices."""
    used = {parts.world.board.terrain(label) for label in parts.world.board.labels}
    for arm in parts.world.chart.arms.values():
        prices = {price for terrain, price in arm.terrain.items() if terrain in used}
        if (CLOSED in prices and len(prices) > 1) if closed else len(prices - {CLOSED}) > 1:
            return True
    return False


def _has_side_prices(parts: Parts) -> bool:
    return any(price and parts.has_sides(name) for arm in parts.world.chart.arms.values() for name, price in arm.sides.items())


def _has_gaps(parts: Parts) -> bool:
    board = parts.world.board
    return any(not parts.world.zones.extends(label, near) for label in board.labels for near in board.neighbours(label))


def _zones_close_steps(parts: Parts) -> bool:
    """Whether enemy zones close steps that take a whole allowance."""
    at = parts.game.position
    return any(parts.world.movement.zone_terms(at, unit).whole for unit in at.state.steps_left)


def _stacks(parts: Parts) -> bool:
    world = parts.world
    return bool(world.stacking.limit(world.sides[0], world.board.labels[0]) > 1)


VARIED = Condition("all ground costs the same", lambda parts: parts.is_hex_game and _prices(parts, closed=False))
IMPASSABLE = Condition("no ground is closed", lambda parts: parts.is_hex_game and _prices(parts, closed=True))
SIDES = Condition("no hexside costs anything", lambda parts: parts.is_hex_game and _has_side_prices(parts))
BRIDGES = Condition("it has no bridges", lambda parts: bool(parts.world.chart.bridges))
LINKS = Condition("nobody moves along links", lambda parts: any(arm.links for arm in parts.world.chart.arms.values()))
ENTER = Condition("zones are free to enter", lambda parts: parts.world.zones.enter > 0)
LEAVE = Condition("zones are free to leave", lambda parts: parts.world.zones.leave > 0)
OPEN_ZONES = Condition("zones extend everywhere", lambda parts: parts.is_hex_game and _has_gaps(parts))
WHOLE = Condition("no step takes a whole move", lambda parts: _zones_close_steps(parts))
FACES = Condition(
    "units are as good with their other side up",
    lambda parts: any(len(set(unit.faces)) > 1 for unit in parts.world.units.values()),
)
STACKS = Condition("units stand alone", lambda parts: parts.is_hex_game and _stacks(parts))


def _stacking_forgotten_in_movement(patch: Patch, parts: Parts) -> None:
    def ends(original: Any, self: Reaches, at: Any, unit: str, found: Reach) -> list[str]:
        return sorted(at.world.board.label(i) for i in found if i != found.start)

    patch.wrap(Reaches, "ends", ends)
    patch.wrap(moving, "has_room", lambda original, at, unit, label: True)
    patch.wrap(Stacking, "why_not", lambda original, self, at, unit, label: None)


def _stacking_one_more(original: Any, self: Stacking, at: Any, units: Any, label: str) -> bool:
    return len(units) < 2 or bool(original(self, at, units[:-1], label))


def _zones_cost(patch: Patch, parts: Parts, **changes: int) -> None:
    """Entering or leaving enemy zones costs something else."""
    for name, price in changes.items():
        patch.set(type(parts.world.zones), name, price)


def _covering(change: Any) -> Plant:
    """Zones of the first arm are others."""

    def covers(original: Any, first: str, arm: str, label: str) -> Any:
        hexes = original(arm, label)
        return change(hexes) if arm == first else hexes

    def basis(original: Any, self: HexWorld) -> Basis:
        made: Basis = original.func(self)
        return replace(made, covers=partial(covers, made.covers, min(made.zones)))

    def plant(patch: Patch, parts: Parts) -> None:
        changed = cached_property(partial(basis, vars(HexWorld)["basis"]))
        changed.__set_name__(HexWorld, "basis")
        patch.set(HexWorld, "basis", changed)

    return plant


def _with_points(more: int) -> Plant:
    def search(original: Any, self: Any, at: Any, prices: Prices, start: int, budget: int, **named: Any) -> Any:
        return original(self, at, prices, start, max(budget + more, 0), **named)

    return wrapping(Reaches, "search", search)


def _terrain_costs_the_same(original: Any, self: TerrainChart, board: Any, arm: str, target: str) -> int:
    price: int = original(self, board, arm, target)
    return price if price == CLOSED else min(self.arms[arm].terrain.values())


def _closed_terrain_is_open(original: Any, self: TerrainChart, board: Any, arm: str, target: str) -> int:
    price: int = original(self, board, arm, target)
    return 2 if price == CLOSED and not self.arms[arm].follows_links else price


def _roads_are_ignored(original: Any, self: TerrainChart, board: Any, arm: str, origin: str, target: str) -> Any:
    costs = self.arms[arm]
    chart = self if costs.follows_links else replace(self, arms={**self.arms, arm: replace(costs, links={})})
    return original(chart, board, arm, origin, target)


def _moves_jump(original: Any, self: Any, play: Any, unit: str, path: Any, mode: str = "") -> None:
    original(self, play, unit, [path[0], path[-1]], mode)


BUGS = (
    # -- stacking
    bug(
        "stacking-forgotten-in-movement",
        "A move may end in a full hex.",
        _stacking_forgotten_in_movement,
        MOVEMENT,
        likely=("moves-are-right", "stacks-fit"),
    ),
    bug(
        "stacking-one-less",
        "A hex holds one unit less than the limit.",
        in_part("stacking", "fits", lambda original, self, at, units, label: original(self, at, (*units, units[-1]), label)),
        HEXES,
        STACKS,
        likely="moves-are-right",
    ),
    bug(
        "stacking-one-more",
        "A hex holds one unit more than the limit.",
        in_part("stacking", "fits", _stacking_one_more),
        HEXES,
        likely=("moves-are-right", "stacks-fit"),
    ),
    bug(
        "zones-free-to-enter",
        "Entering an enemy zone costs nothing.",
        partial(_zones_cost, enter=0),
        MOVEMENT,
        ENTER,
        likely="moves-are-right",
    ),
    bug(
        "zones-free-to-leave",
        "Leaving an enemy zone costs nothing.",
        partial(_zones_cost, leave=0),
        MOVEMENT,
        LEAVE,
        likely="moves-are-right",
    ),
    bug(
        "zones-dearer-to-enter",
        "Entering an enemy zone costs half a point too much.",
        lambda patch, parts: _zones_cost(patch, parts, enter=parts.world.zones.enter + 1),
        MOVEMENT,
        ENTER,
        likely="moves-are-right",
    ),
    bug(
        "zones-everywhere",
        "Zones cover terrain into which none extends.",
        in_part("zones", "extends", lambda original, self, origin, target: True),
        HEXES,
        OPEN_ZONES,
        likely="zones-are-right",
    ),
    bug(
        "zones-of-an-arm-missing",
        "One arm has no zones.",
        _covering(lambda hexes: ()),
        HEXES,
        likely="zones-are-right",
    ),
    bug(
        "zones-with-a-gap",
        "Zones of one arm lack one of the six hexes.",
        _covering(lambda hexes: hexes[1:]),
        HEXES,
        likely="zones-are-right",
    ),
    bug(
        "zones-stay-behind",
        "A unit that leaves a hex leaves its zone there.",
        wrapping(Layout, "_cover", lambda original, self, owner, less, more: original(self, owner, 0, more)),
        HEXES,
        likely=("derived-is-right", "zones-are-right"),
    ),
    bug(
        "zones-ignored-by-whole-moves",
        "Steps that take a whole move may begin and end in enemy zones.",
        in_part("movement", "zone_terms", lambda original, *given: original(*given)._replace(whole="")),
        MOVEMENT,
        WHOLE,
        likely="moves-are-right",
    ),
    bug(
        "move-half-a-point-more",
        "Units have half a movement point more than is printed.",
        _with_points(1),
        MOVEMENT,
        likely="moves-are-right",
    ),
    bug(
        "move-a-point-less",
        "Units have a movement point less than is printed.",
        _with_points(-2),
        MOVEMENT,
        likely="moves-are-right",
    ),
    bug(
        "move-at-full-strength",
        "Units that lost a step move and fight as if they had not.",
        everywhere(face, lambda original, at, unit: at.world.units[unit].faces[-1]),
        HEXES,
        FACES,
        likely=("attacks-are-right", "moves-are-right"),
    ),
    bug(
        "terrain-costs-the-same",
        "All open ground costs an arm as much as its cheapest.",
        wrapping(TerrainChart, "entry", _terrain_costs_the_same),
        MOVEMENT,
        VARIED,
        likely="moves-are-right",
    ),
    bug(
        "closed-terrain-is-open",
        "Ground that is closed to an arm costs it a point.",
        wrapping(TerrainChart, "entry", _closed_terrain_is_open),
        MOVEMENT,
        IMPASSABLE,
        likely=("moves-are-right", "invariants-hold"),
    ),
    bug(
        "hexsides-are-free",
        "Rivers and other hexsides cost nothing and stop nobody.",
        wrapping(TerrainChart, "_unbridged", lambda original, self, board, a, b: []),
        MOVEMENT,
        SIDES,
        likely="moves-are-right",
    ),
    bug(
        "bridges-are-down",
        "No bridge carries anybody.",
        wrapping(TerrainChart, "is_bridged", lambda original, self, board, a, b, *features: False),
        MOVEMENT,
        SIDES,
        BRIDGES,
        likely="moves-are-right",
    ),
    bug(
        "roads-are-ignored",
        "A step along a road or another link costs what the terrain asks.",
        wrapping(TerrainChart, "cost", _roads_are_ignored),
        MOVEMENT,
        LINKS,
        likely="moves-are-right",
    ),
    bug(
        "enemies-do-not-block",
        "Units move into and through hexes with enemies.",
        wrapping(Layout, "closed_to", lambda original, self, side: 0),
        MOVEMENT,
        likely=("moves-are-right", "invariants-hold"),
    ),
    bug(
        "units-move-again",
        "A unit that has moved may move again.",
        wrapping(Moving, "strike_off", lambda original, self, play, unit: None),
        MOVEMENT,
        likely="moves-are-right",
    ),
    bug(
        "moves-jump",
        "A move is told as a jump from its first hex to its last, and takes nothing on the way.",
        in_part("movement", "go", _moves_jump),
        MOVEMENT,
        likely=("moves-are-right", "places-follow-visits"),
    ),
)
