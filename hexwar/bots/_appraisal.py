"""How good a hex is for a unit, from the point of view of a side: what draws it forward and what makes it careful.

Everything here is read from a view, so a bot that uses it knows nothing that its side may not know. All numbers are
in the same unit, roughly "a step of a unit": they are rules of thumb, found by letting bots play each other.
"""

from __future__ import annotations

from functools import cached_property, reduce
from operator import or_
from typing import Any

from hexwar.board import MAX_BUDGET, Board, Reach, flood, reach
from hexwar.bots._fields import remembered
from hexwar.engine import View
from hexwar.mechanics import CombatWorld, stack
from hexwar.pieces import Unit, face


class Away(dict[str, float]):
    """How far hexes are from a goal for an arm, over empty ground, large where there is no way; computed when asked for.

    In movement points, but never less than the hexes between: a good road does not bring anybody past an enemy.

    Args:
        board: the board.
        goal: the goal.
        found: the half points from there to every hex.
    """

    def __init__(self, board: Board, goal: str, found: Reach) -> None:
        self._board, self._goal, self._found = board, goal, found

    def __missing__(self, label: str) -> float:
        spent = self._found.get(self._board.index(label), 2 * MAX_BUDGET)
        self[label] = away = float(max(spent / 2, self._board.distance(self._goal, label)))
        return away


Ways = dict[tuple[str, str], Away]
"""(arm, goal) -> how far every hex is from the goal."""

PULL = 2.0
"""How much a goal's worth counts against everything else."""
SAFE_ODDS = 1.5
"""Enemy strength around a hex against our defence in it that still lets a commander sleep."""
FEAR = 0.4
"""How much danger counts against everything else."""


class Appraisal:
    """A position seen by one side, for one decision.

    Args:
        view: what the side knows.
        ways: a memory of distances over the same board, which decisions share because the ground does not change.
    """

    def __init__(self, view: View, ways: Ways) -> None:
        self.view = view
        self.at = view.position
        self.world: CombatWorld = view.position.world
        self.board = self.world.board
        self.side = view.side
        self.query = view.query
        self._ways = ways

    @cached_property
    def mine(self) -> dict[str, str]:
        """Our units on the board and where they stand."""
        return self._standing(lambda unit: unit.side == self.side)

    @cached_property
    def theirs(self) -> dict[str, str]:
        """The enemy's units on the board and where they stand."""
        return self._standing(lambda unit: unit.side in self.world.enemies(self.side))

    def _standing(self, wanted: Any) -> dict[str, str]:
        places = self.at.state.locations.items()
        return {unit: label for unit, label in places if label in self.board and wanted(self.world.unit(unit))}

    @cached_property
    def urgency(self) -> float:
        """From 0 to 1: how much of what is worth having the enemy holds. A side that has little must dare more."""
        held = [0.0, 0.0]
        for label, owner in self.at.state.control.items():
            place = self.board.place(label)
            held[owner != self.side] += place.value if place else 1
        return held[1] / sum(held) if sum(held) else 0.5

    def away(self, arm: str, goal: str) -> Away:
        """How far a goal is from every hex for an arm."""
        away = self._ways.get((arm, goal))
        if away is None:
            start, costs = self.board.index(goal), self.world.reaches.costs(arm)
            found = reach(self.board, start, MAX_BUDGET, costs, firsts=costs.whole_steps(start))
            away = self._ways[arm, goal] = Away(self.board, goal, found)
        return away

    @remembered
    def nearest_enemy(self, label: str) -> int:
        """Hexes to the nearest enemy unit."""
        return min((self.board.distance(label, there) for there in set(self.theirs.values())), default=99)

    @cached_property
    def goals(self) -> list[tuple[str, float]]:
        """Hexes that are worth going to, and how much: the enemy's places and units, and our own places that it threatens.

        A goal for which enough of our units stand ready is worth less, so that an army spreads instead of crowding at one bridge.
        """
        found: dict[str, float] = {}
        for there in self.theirs.values():
            found[there] = found.get(there, 0.0) + 0.5
        for label, owner in self.at.state.control.items():
            place = self.board.place(label)
            worth = 1.0 + (place.value if place else 0)
            if owner != self.side:
                found[label] = found.get(label, 0.0) + worth
            elif self.is_threatened(label):
                found[label] = worth * (0.2 if stack(self.at, label) else 0.6)
        return [(label, worth * (0.2 if self._enough(label) else 1.0)) for label, worth in found.items()]

    @cached_property
    def _strides(self) -> dict[str, int]:
        """Enemy unit -> the mask of the hexes that it could move to, as the lines stand now."""
        fighters = [unit for unit in self.theirs if face(self.at, unit).attack]
        return {unit: sum(1 << i for i in self.world.reaches.reach(self.at, unit)) for unit in fighters}

    @cached_property
    def strikes(self) -> dict[str, int]:
        """Enemy unit -> the mask of the hexes that it could attack after a move."""
        board = self.board
        return {unit: flood(board, mask, through=board.everywhere, limit=1) for unit, mask in self._strides.items()}

    def is_threatened(self, label: str) -> bool:
        """Whether an enemy unit could enter a hex with one move, or attack our units there."""
        struck, entered = self._exposed
        return bool((struck if stack(self.at, label) else entered) >> self.board.index(label) & 1)

    @cached_property
    def _exposed(self) -> tuple[int, int]:
        """The masks of the hexes that the enemy could attack, and that it could move to."""
        return reduce(or_, self.strikes.values(), 0), reduce(or_, self._strides.values(), 0)

    def _enough(self, label: str) -> bool:
        around = [unit for here in (label, *self.board.neighbours(label)) for unit in stack(self.at, here)]
        ready = sum(face(self.at, unit).attack for unit in around if unit in self.mine)
        return ready > 2 * sum(face(self.at, unit).defence for unit in stack(self.at, label) if unit in self.theirs)

    @remembered
    def _drawn(self, arm: str) -> list[tuple[Away, float]]:
        """How far each goal is for an arm, and its worth."""
        return [(self.away(arm, goal), worth) for goal, worth in self.goals]

    def pull(self, unit: Unit, label: str) -> float:
        """How strongly the goals draw a unit to a hex: the nearer the better, and the best one most."""
        return self._pull(unit.arm, max(unit.faces[-1].move, 1), label)

    @remembered
    def _pull(self, arm: str, stride: int, label: str) -> float:
        pulls = [worth / (1 + away[label] / stride) for away, worth in self._drawn(arm)]
        return PULL * (max(pulls, default=0.0) + 0.15 * sum(pulls))

    def contact(self, unit_id: str, label: str) -> float:
        """What a unit in a hex adds to attacks on the enemies next to it."""
        gain = 0.0
        attack = face(self.at, unit_id).attack
        for target in self.board.neighbours(label):
            defenders = [other for other in stack(self.at, target) if other in self.theirs]
            if not defenders or not attack:
                continue
            mine = attack / 2 if self._halved(label, target) else float(attack)
            for friend, here, distance in self._near(target):
                if friend != unit_id:
                    strength = face(self.at, friend).attack / distance
                    mine += strength / 2 if distance == 1 and self._halved(here, target) else strength
            defence = sum(face(self.at, other).defence for other in defenders) or 0.5
            odds = mine / defence * 0.75 ** -self._shift(target)
            gain = max(gain, min(odds, 4.0) * 0.5 if odds >= 1.2 else 0.0)
        return gain

    @remembered
    def _near(self, label: str) -> list[tuple[str, str, int]]:
        """Our units at most two hexes away, where they stand and how far that is."""
        away = [(unit, here, self.board.distance(here, label)) for unit, here in self.mine.items()]
        return [found for found in away if found[2] <= 2]

    @remembered
    def _threat(self, i: int) -> int:
        """With how much the enemy could attack a hex."""
        return sum(face(self.at, enemy).attack for enemy, mask in self.strikes.items() if mask >> i & 1)

    def danger(self, unit_id: str, label: str) -> float:
        """What a unit risks in a hex: the enemy that can strike there against what would stand there."""
        threat = self._threat(self.board.index(label))
        friends = [other for other in stack(self.at, label) if other != unit_id]
        defence = sum(face(self.at, other).defence for other in (unit_id, *friends))
        odds = threat / max(defence, 1) * 0.75 ** -self._shift(label)
        return FEAR * (1.2 - self.urgency) * max(0.0, odds - SAFE_ODDS)

    def _shift(self, label: str) -> int:
        place = self.board.place(label)
        shifts = self.world.chart.shifts
        return shifts.get(self.board.terrain(label), 0) + (shifts.get(place.kind, 0) if place else 0)

    def _halved(self, origin: str, target: str) -> bool:
        return bool(self.board.side(origin, target) & self.world.chart.halved_across)

    def hex_worth(self, unit_id: str, label: str) -> float:
        """How good it is for a unit to stand in a hex."""
        unit = self.world.unit(unit_id)
        if unit.is_headquarters:
            return self._post(unit, label)
        worth = self.pull(unit, label) + self.contact(unit_id, label) - self.danger(unit_id, label)
        if self.at.state.control.get(label) == self.side and self.is_threatened(label):
            place = self.board.place(label)
            alone = all(other == unit_id for other in stack(self.at, label))
            worth += (1 + (place.value if place else 0)) * (0.5 if alone else 0.1)
        return worth

    def _post(self, unit: Unit, label: str) -> float:
        """A headquarters belongs behind the units that it leads: near many of them and out of the enemy's grasp."""
        led = 0.0
        for friend, here in self.mine.items():
            distance = self.board.distance(label, here)
            if distance <= unit.command and not self.world.unit(friend).is_headquarters:
                led += 1 + 2 / (1 + self.nearest_enemy(here)) - 0.05 * distance
            elif distance <= unit.command and friend != unit.id:
                led -= 0.6
        enemy = self.nearest_enemy(label)
        return led + 0.1 * self.pull(unit, label) - (4.0, 4.0, 1.5, 0.3)[min(enemy, 3)] * (enemy <= 3)

    def is_supplied(self, unit_id: str, label: str) -> bool:
        """Whether a unit would have a line of supply if it stood in a hex and no longer where it is, where one is needed."""
        imagined = self.at.state.copy()
        imagined.put(unit_id, label)
        query = self.view.query_if(imagined)
        return not query.has_supply or bool(query.supply(unit_id).supplied)
