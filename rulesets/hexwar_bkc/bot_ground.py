"""What a bot sees on the table: ways to the objectives, cover, who can shoot at whom, and what a shot is worth."""

from __future__ import annotations

import functools
import heapq
import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from hexwar.plane import CM, Area, Base, Line, Placed, Spot, Ways, contains
from hexwar_bkc.command import HEAVY
from hexwar_bkc.content import Model
from hexwar_bkc.fire import can_damage
from hexwar_bkc.movement import middle
from hexwar_bkc.world import COVER, ROADS, WATER, At, enemies_of, field_of, in_cover, moved

SPOT = Base(200, 200)
"""The base with which ways are looked for."""
DETOUR = 8 * CM
"""What a wall or a stream costs, at which a unit has to stop first."""
AFAR = 10_000 * CM
ACTIVE = 0.4
"""The share of the enemy's units that get to fire in a turn."""


class Routes:
    """The ways of a class of units to a place, over a net of points.

    Args:
        ways: over the table.
        arm: the class of units.
        goal: the outline of the place.
    """

    def __init__(self, ways: Ways, arm: str, goal: Sequence[Spot]) -> None:
        self._ways, self._arm = ways, arm
        self.nodes, self._links = net_of(ways, arm)
        self._far = self._spread(goal)
        self._known: dict[Spot, tuple[int, int]] = {}

    def _spread(self, goal: Sequence[Spot]) -> list[int]:
        far = [AFAR] * len(self.nodes)
        centre = middle(goal)
        inside = [number for number, spot in enumerate(self.nodes) if contains(tuple(goal), spot)]
        nearest = sorted(range(len(self.nodes)), key=lambda number: math.dist(self.nodes[number], centre))[:6]
        queue = [(0 if number in inside else int(math.dist(self.nodes[number], centre)), number) for number in inside or nearest]
        heapq.heapify(queue)
        while queue:
            gone, number = heapq.heappop(queue)
            if gone >= far[number]:
                continue
            far[number] = gone
            for other, price in self._links[number]:
                if gone + price < far[other]:
                    heapq.heappush(queue, (gone + price, other))
        return far

    def _entry(self, spot: Spot) -> tuple[int, int]:
        """How far it is from a point, and by which node first; no node if there is no way."""
        found = self._known.get(spot)
        if found is None:
            me = Placed(*spot, 0, SPOT)
            near = sorted(
                (int(math.dist(spot, node)) + self._far[number], number)
                for number, node in enumerate(self.nodes)
                if abs(node[0] - spot[0]) < 9 * CM and abs(node[1] - spot[1]) < 9 * CM
            )
            legal = (
                row for row in near[:8] if self._ways.why_not(me, (self.nodes[row[1]],), AFAR, self._arm, crossing="any") is None
            )
            found = self._known[spot] = next(legal, (AFAR, -1))
        return found

    def distance(self, spot: Spot) -> int:
        """How far it is from a point, detours included."""
        return self._entry(spot)[0]

    def way(self, spot: Spot, far: int) -> tuple[Spot, ...]:
        """The first points of the way from a point, for at least so far."""
        number = self._entry(spot)[1]
        path: list[Spot] = []
        gone, here = 0.0, spot
        while number >= 0 and gone < far and self._far[number] < AFAR:
            gone, here = gone + math.dist(here, self.nodes[number]), self.nodes[number]
            path.append(here)
            better = [
                (self._far[other] + price, other) for other, price in self._links[number] if self._far[other] < self._far[number]
            ]
            number = min(better)[1] if better else -1
        return self._straightened(spot, path)

    def _straightened(self, spot: Spot, path: Sequence[Spot]) -> tuple[Spot, ...]:
        found: list[Spot] = []
        here, left = spot, list(path)
        while left and len(found) < 6:
            me = Placed(*here, 0, SPOT)
            for number in range(len(left) - 1, -1, -1):
                if number == 0 or self._ways.why_not(me, (left[number],), AFAR, self._arm, crossing="any") is None:
                    here = left[number]
                    found.append(here)
                    left = left[number + 1 :]
                    break
        return tuple(found)


def net_of(ways: Ways, arm: str) -> tuple[list[Spot], list[list[tuple[int, int]]]]:
    """Points on which units of a class can stand, and from each the others that are near: their numbers and prices."""
    terrain = ways.terrain
    step = max(terrain.width, terrain.height) // 20
    grid = [(x, y) for x in range(step // 2, terrain.width, step) for y in range(step // 2, terrain.height, step)]
    roads = [spot for line in terrain.lines if line.kind in ROADS for spot in _points_of(line)]
    nodes = [spot for spot in dict.fromkeys([*grid, *roads]) if spot in terrain and not ways.is_shut(arm, spot)]
    heavy = [area.ring for area in terrain.areas if area.kind in HEAVY[arm]]
    slow = [any(contains(ring, spot) for ring in heavy) for spot in nodes]
    links: list[list[tuple[int, int]]] = [[] for _ in nodes]
    for (one, here), (other, there) in itertools.combinations(enumerate(nodes), 2):
        if abs(here[0] - there[0]) > step or abs(here[1] - there[1]) > step:
            continue
        me = Placed(*here, 0, SPOT)
        if ways.why_not(me, (there,), AFAR, arm, crossing="any") is not None:
            continue
        price = int(math.dist(here, there))
        if slow[one] or slow[other]:
            price += price // 2
        if ways.why_not(me, (there,), AFAR, arm, crossing="none") is not None:
            price += DETOUR
        links[one].append((other, price))
        links[other].append((one, price))
    return nodes, links


def _points_of(line: Line) -> Iterable[Spot]:
    for (ax, ay), (bx, by) in line.legs:
        parts = max(1, int(math.dist((ax, ay), (bx, by))) // 400)
        for part in range(parts + 1):
            yield ax + (bx - ax) * part // parts, ay + (by - ay) * part // parts


# -- what shots are worth -----------------------------------------------------------------------------------------------------


class Shot(NamedTuple):
    """The dice of a shot, as far as its worth depends on them.

    Args:
        dice: how many.
        needed: what hits.
        save: what cancels a hit; 0 if there is no save.
        damages: whether hits count.
    """

    dice: int
    needed: int
    save: int
    damages: bool

    @property
    def hits(self) -> float:
        """How many hits count on average."""
        chance = (7 - self.needed) / 6 * ((self.save - 1) / 6 if self.save else 1.0)
        return self.dice * chance if self.damages else 0.0


@functools.lru_cache(maxsize=20_000)
def worth_of(shot: Shot, left: int, cost: int, is_down: bool) -> float:
    """What a shot is worth.

    Args:
        shot: its dice.
        left: how many hits knock the target out.
        cost: of the target.
        is_down: whether it is suppressed.
    """
    hit = (7 - shot.needed) / 6
    counts = hit * ((shot.save - 1) / 6 if shot.save else 1.0) if shot.damages else 0.0
    few = sum(math.comb(shot.dice, n) * counts**n * (1 - counts) ** (shot.dice - n) for n in range(min(left, shot.dice + 1)))
    kills = 1.0 - few
    down = hit if shot.damages else 1 / 6
    troubles = 1.0 - (1.0 - hit * (1.0 if is_down else down)) ** shot.dice
    return cost * (kills + (1.0 - kills) * ((0.15 if is_down else 0.3) * troubles + 0.15 * min(shot.hits / max(left, 1), 1.0)))


class Picture:
    """A position as one side sees it.

    Args:
        at: what the side knows.
        side: whose picture it is.
    """

    def __init__(self, at: At, side: str) -> None:
        self.at, self.side, self.world = at, side, at.world
        self.units: Mapping[str, Model] = at.world.units
        self.foes = enemies_of(at, side)
        self._covered: dict[str, bool] = {}

    def left(self, unit: str) -> int:
        """How many hits knock a unit out."""
        return self.units[unit].hits - self.at.state.hits.get(unit, 0)

    def covered(self, unit: str) -> bool:
        """Whether a unit is in cover, from wherever it is shot at."""
        if unit not in self._covered:
            self._covered[unit] = in_cover(self.at, unit, ())
        return self._covered[unit]

    def shot(self, shooter: str, here: Spot, target: str, there: Spot, covered: bool) -> Shot | None:
        """The dice of a shot from one place to another; None if it is too far."""
        model, enemy = self.units[shooter], self.units[target]
        far = math.dist(here, there) - 250
        if not model.dice or far > model.range or far < model.least:
            return None
        dice = (
            model.dice
            + (far <= model.range // 2 and model.type != "mortar")
            + (model.type == "armour" and not enemy.heavy and far < 20 * CM)
        )
        needed, damages = 5 if covered else 4, can_damage(model.mark, enemy.type, enemy.heavy)
        if model.indirect and enemy.heavy:
            needed, damages = 5 if enemy.open else 6, damages and enemy.open
        return Shot(dice, needed, enemy.save, damages)

    def worth(self, shot: Shot, target: str, before: float = 0.0) -> float:
        """What a shot at an enemy is worth, after others have hit it so often."""
        left = max(1, self.left(target) - round(before))
        return worth_of(shot, left, self.units[target].cost, target in self.at.state.suppressed)

    def prospects(self, unit: str, there: Placed, *, moves: bool) -> tuple[float, float]:
        """What the best shot of a unit from a place is worth, and what the enemy's shots at it cost there.

        Args:
            unit: the unit.
            there: the place.
            moves: whether it has to go there, which costs it the hole it has dug.
        """
        at = moved(self.at, unit, there)
        if moves and unit in at.state.dug_in:
            at.state.dug_in = tuple([other for other in at.state.dug_in if other != unit])
        field = field_of(at)
        carried = [foe for foe in self.foes if foe in at.state.spots]
        seen, mine = field.seen_by(unit, carried), self.units[unit]
        best = 0.0
        for foe in seen:
            shot = self.shot(unit, there.centre, foe, at.state.spots[foe], self.covered(foe))
            if shot:
                best = max(best, self.worth(shot, foe))
        covered, danger, suffered = in_cover(at, unit, ()), 0.0, 0.0
        for foe in carried:
            if foe in at.state.suppressed:
                continue
            shot = self.shot(foe, at.state.spots[foe], unit, there.centre, covered)
            if shot and field.sees(foe, unit):
                suffered += ACTIVE * shot.hits
                danger += ACTIVE * shot.dice * ((7 - shot.needed) / 6) ** 2
        share = min(suffered / max(mine.hits, 1), 1.0)
        return best, mine.cost * (0.8 * share**1.5 + 0.25 * min(danger, 1.0))


def goal_of(at: At, side: str) -> tuple[Area | None, bool]:
    """The place for which a side fights, and whether it only has to keep the enemy out."""
    for objective in sorted(at.world.keys.objective, key=lambda it: it.rank != "main"):
        name = objective.hold or objective.deny
        area = at.world.terrain.named(name) if name else None
        if objective.side == side and isinstance(area, Area):
            return area, bool(objective.deny)
    return None, False


def cover_nodes(at: At, nodes: Iterable[Spot]) -> list[Spot]:
    """Those of some points at which a unit is in cover."""
    rings = [area.ring for area in at.world.terrain.areas if area.kind in COVER - WATER]
    return [spot for spot in nodes if any(contains(ring, spot) for ring in rings)]


def seen_from(picture: Picture, unit: str, there: Placed) -> tuple[str, ...]:
    """The enemies that a unit would see from a place."""
    return field_of(moved(picture.at, unit, there)).seen_by(unit, picture.foes)
