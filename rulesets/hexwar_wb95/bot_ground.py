"""What an officer of WB-95 sees on the map: goals, enemies and their strength, and the plan of a movement phase.

The duty to attack makes contact the decision and combat only its bill: whoever enters a zone has to attack. So assaults are
planned for the whole side before anybody moves, and everybody else keeps out of contact or stays in fieldworks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from hexwar.bots import Posture
from hexwar.grouping import grouped
from hexwar.mechanics import stack
from hexwar.pieces import face
from hexwar_wb95.content import HQ
from hexwar_wb95.state import At
from hexwar_wb95.world import Wb95World
from hexwar_wb95.zones import LARGE_RIVER, MOST, SMALL_RIVER, strength_points

HOLD = 0.7
"""What a place of its own is worth to a side that it is near to losing it, against a place to take."""
AFAR = 8
"""Enemies farther away threaten no place."""


@dataclass(frozen=True, kw_only=True)
class Wb95Posture(Posture):
    """How an officer weighs assaults.

    Args:
        name: see `hexwar.bots.Posture`, as for whatever is not named here.
        bold: the odds from which on an assault is planned, after the columns of the ground, by the side that takes places.
        wary: the same for the other side.
        forward: whether the side takes places; None where the scenario decides.
    """

    retreat: float = 0.4
    effort: float = 0.0
    progress: float = 0.5
    least: Mapping[str, float] = field(default_factory=lambda: {"axis": 0.2, "soviet": 0.2})
    bold: float = 2.5
    wary: float = 3.5
    forward: bool | None = None


USUAL = Wb95Posture()


class Picture:
    """What hexes are worth to a side as things stand.

    Args:
        at: what the side knows.
        side: whose picture it is.
        posture: how it weighs assaults.
    """

    def __init__(self, at: At, side: str, posture: Wb95Posture = USUAL) -> None:
        self.at, self.side, self.posture = at, side, posture
        self.world: Wb95World = at.world
        self.board = self.world.board
        [self.enemy] = self.world.enemies(side)
        self.foes = grouped((at.state.locations[unit], unit) for unit in self.world.on_board(at.state, self.enemy))
        self.mine = [unit for unit in self.world.on_board(at.state, side) if self.world.units[unit].arm in self.world.zoned]
        self.guns = [unit for unit in self.world.on_board(at.state, side) if self.world.units[unit].is_gun]
        self.hostile = self.board.mask(self.foes)
        self.attacks = self.world.scenario.victory.side == side if posture.forward is None else posture.forward
        self.favoured = {self.board.label(i): more for i, more in posture.favoured}
        self._pulls: dict[str, float] = {}

    # -- goals

    @cached_property
    def goals(self) -> dict[str, float]:
        """Hex -> what it is worth to have a unit there."""
        rules, control = self.world.scenario.victory, self.at.state.control
        places = {place.hex: float(place.value) for place in self.board.places if place.value}
        if rules.within is not None:
            places = {self.world.place_named(rules.within.place): 6.0}
        found = {}
        for label, value in places.items():
            if control.get(label) != self.side:
                found[label] = value
            elif self.board.near(label, AFAR) & self.hostile:
                found[label] = HOLD * value * (1.0 if self.attacks else 2.0)
        return found

    def pull(self, label: str) -> float:
        """How much the goals draw a unit to a hex."""
        found = self._pulls.get(label)
        if found is None:
            distance = self.board.distance
            each = sorted([value * 4 / (3 + distance(label, goal)) for goal, value in self.goals.items()], reverse=True)
            found = self._pulls[label] = sum(pull * 0.5**number for number, pull in enumerate(each[:4]))
        return found

    # -- strengths

    def defence(self, label: str) -> int:
        """What the enemies in a hex count in a defence, without guns that support them."""
        units, state = self.world.units, self.at.state
        there = self.foes.get(label, ())
        alone = all(units[unit].is_gun or units[unit].arm == HQ for unit in there)
        points = [1 if alone else face(self.at, unit).defence for unit in there]
        halves = [(-(-one // 2) if unit in state.shaken else one) for unit, one in zip(there, points, strict=True)]
        return max(1, sum(halves))

    def attack(self, unit: str) -> int:
        """What a unit counts in an attack."""
        by = (2 if unit in self.at.state.shaken else 1) * (2 if unit in self.at.state.shortage else 1)
        return -(-face(self.at, unit).attack // by)

    def columns(self, label: str) -> int:
        """The columns that ground, fieldworks and fortress give the enemies in a hex."""
        forts, works = self.world.forts.hexes[self.enemy], self.at.state.works
        built = 1 if label in works and self.board.terrain(label) not in ("town", "city") else 2 if label in works else 0
        return self.world.bonus(label) + (5 if label in forts else built)

    def touched(self, unit: str, label: str) -> Sequence[str]:
        """The enemy hexes that a unit would have to attack from a hex; none from fieldworks."""
        if self.world.forts.is_fortified(self.at, self.side, label):
            return []
        basis, arm = self.at.state.layout.basis, self.world.units[unit].arm
        zone = basis.zones[arm].get(label) or basis.zone(arm, label)
        return self.board.unmask(zone & self.hostile) if zone & self.hostile else []


class Plan:
    """The assaults of a movement phase: who goes where.

    Args:
        picture: of the side.
        units: who may move.
    """

    def __init__(self, picture: Picture, units: Iterable[str]) -> None:
        self.picture = picture
        self.orders: dict[str, str] = {}
        """Unit -> where it goes, or stays."""
        self.targets: dict[str, float] = {}
        """Enemy hex -> the odds."""
        self._load: dict[str, int] = {}
        self._free = {unit for unit in units if unit in picture.mine}
        self._ends = {unit: self._reached(unit) for unit in sorted(self._free)}
        self._guns = {*picture.guns}
        for target in sorted(picture.foes, key=self._interest, reverse=True):
            self._assault(target)

    def _reached(self, unit: str) -> set[str]:
        """Where a unit can get to, its own hex included; only hexes next to enemies matter."""
        at, board = self.picture.at, self.picture.board
        here, near = at.state.locations[unit], 0
        for label in self.picture.foes:
            near |= board.around(label)
        reach = at.world.reaches.reach(at, unit)
        return {label for label in at.world.reaches.ends(at, unit, reach) if near >> board.indices[label] & 1} | {here}

    def _interest(self, target: str) -> float:
        picture = self.picture
        return (
            picture.pull(target) + 0.5 * picture.goals.get(target, 0) - 0.25 * picture.defence(target) - picture.columns(target)
        ) + 10 * picture.favoured.get(target, 0.0)

    def _support(self, target: str) -> tuple[int, list[str]]:
        """What guns in range add, and which."""
        at, distance = self.picture.at, self.picture.board.distance
        ready = [unit for unit in sorted(self._guns) if unit not in at.state.silent and unit not in at.state.marching]
        near = [unit for unit in ready if distance(at.state.locations[unit], target) <= 3]
        near = sorted(near, key=self.picture.attack, reverse=True)[:2]
        return sum(map(self.picture.attack, near)), near

    def _assault(self, target: str) -> None:
        """Bring up as much as the attack needs, if there is enough."""
        picture, board = self.picture, self.picture.board
        guns, used = self._support(target)
        shifts = picture.columns(target) - sum(board.distance(hq, target) <= 3 for hq in self._headquarters[:1])
        wanted = picture.posture.bold if picture.attacks else picture.posture.wary
        wanted -= picture.favoured.get(target, 0.0)
        need = picture.defence(target) * (wanted + max(0, shifts))
        force: list[tuple[str, str]] = []
        load, points, bill = dict(self._load), float(guns), 0.0
        for label in sorted(board.neighbours(target), key=lambda label: (self._others(target, label), label)):
            able = [unit for unit in self._free if label in self._ends[unit] and unit not in dict(force)]
            able = [unit for unit in able if self._may_attack(unit, label, target)]
            others = self._others(target, label)
            for unit in sorted(able, key=lambda unit: (-picture.attack(unit), unit)):
                size = strength_points(picture.at, unit)
                if points >= 1.3 * (need + bill) or load.get(label, 0) + size > MOST or others > 2:
                    continue
                bill += (
                    0.6 * sum(map(picture.defence, picture.touched(unit, label))) if others and not _is_in(label, force) else 0
                )
                force.append((unit, label))
                load[label] = load.get(label, 0) + size
                river = board.side(label, target)
                points += picture.attack(unit) * (0.75 if SMALL_RIVER in river else 0.55 if LARGE_RIVER in river else 1.0)
        if not force or points < need + bill:
            return
        self.targets[target] = points / (need + bill) * wanted
        self._load = load
        self._guns.difference_update(used)
        self.orders.update(force)
        self._free.difference_update(dict(force))

    def _others(self, target: str, label: str) -> int:
        """How many other enemies a unit would have to attack as well that are not to be attacked."""
        near = self.picture.board.around(label) & self.picture.hostile
        return sum(it != target and it not in self.targets for it in self.picture.board.unmask(near))

    def _may_attack(self, unit: str, label: str, target: str) -> bool:
        picture = self.picture
        return picture.world.chart.entry(picture.board, picture.world.units[unit].arm, target) < 200

    @cached_property
    def _headquarters(self) -> list[str]:
        at, world = self.picture.at, self.picture.world
        return [at.state.locations[unit] for unit in world.on_board(at.state, self.picture.side) if world.units[unit].arm == HQ]


def _is_in(label: str, force: list[tuple[str, str]]) -> bool:
    return any(place == label for _, place in force)


class Posts:
    """What it is worth to have a unit in a hex, besides the planned assaults.

    Args:
        picture: of the side.
        plan: the assaults.
    """

    def __init__(self, picture: Picture, plan: Plan | None = None) -> None:
        self.picture = picture
        self.targets = plan.targets if plan else {}

    def worth(self, unit: str, label: str) -> float:
        """For units with zones."""
        picture, world, board = self.picture, self.picture.world, self.picture.board
        value, here = picture.pull(label), picture.at.state.locations[unit]
        touched = picture.touched(unit, label)
        for target in touched:
            bill = 1.2 + 0.4 * picture.defence(target) / max(1, picture.attack(unit))
            value += 0.4 if target in self.targets else -bill if picture.attacks else -2 * bill
        if board.near(label, 3) & picture.hostile:
            value += 0.5 * world.bonus(label)
            if world.forts.is_fortified(picture.at, picture.side, label):
                value += 0.5 if picture.attacks else 1.5
            elif label == here and not touched and not picture.attacks:  # it can dig in
                value += 0.8
        goal, others = picture.goals.get(label), [unit for unit in stack(picture.at, label) if label != here]
        if goal and not others:
            value += goal
        value += 0.1 * min(2, sum(bool(stack(picture.at, near)) and near != here for near in board.neighbours(label)))
        return value - (0.4 if others and not picture.attacks else 0.0)

    def gun(self, unit: str, label: str) -> float:
        """For guns: targets in range, and friends before them."""
        picture, board = self.picture, self.picture.board
        reach = (board.near(label, 3) & picture.hostile).bit_count()
        exposed = bool(board.near(label, 2) & picture.hostile) and not picture.attacks
        next_to = bool(board.around(label) & picture.hostile)
        here = picture.at.state.locations[unit]
        escort = any(other in picture.mine for other in stack(picture.at, label))
        value = 1.0 * min(reach, 2) + 0.4 * picture.pull(label) - (3.0 if (next_to or exposed) and not escort else 0.5 * next_to)
        return value + 0.6 * escort + (0.8 if label == here else 0.0)

    def staff(self, unit: str, label: str) -> float:
        """For headquarters: fighting units in range, no enemy near, a unit with them."""
        picture, board = self.picture, self.picture.board
        command, places = picture.world.units[unit].command, picture.at.state.locations
        led = sum(board.distance(label, places[other]) < command for other in picture.mine)
        nearest = next((far for far in (1, 2) if board.near(label, far) & picture.hostile), 3)
        danger = {1: 4.0, 2: 1.0}.get(nearest, 0.0)
        escort = any(other in picture.mine for other in stack(picture.at, label))
        return 0.3 * led + 0.1 * picture.pull(label) + (1.0 - 0.2 * danger if escort else -danger)
