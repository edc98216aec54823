"""Games that begin in the middle of things: units thrown together near the enemy, in a turn in which they fight."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from hexwar.engine import Game, SeededChance, Sequencing, Step
from hexwar.mechanics import Attacking, HexWorld, Moving
from hexwar.testing.kit import Capability
from hexwar.testing.oracles.field import Sheet, sheet_of
from hexwar.testing.oracles.ground import Movement
from hexwar.testing.subject import Subject


class Staging(Capability):
    """A ruleset whose positions can be made up: what rarely comes about in random games is found in such positions.

    Args:
        movement: on which ground an arm may stand, and how many together.
        path: where in the sequence of play the game goes on when the operation is over, as `Sequencing` has it.
        radius: how far around some hex the units stand.
    """

    name = "staging"

    def __init__(self, movement: Movement, path: tuple[int, ...], *, radius: int = 3) -> None:
        self.movement = movement
        self.path = path
        self.radius = radius

    def stage(self, subject: Subject, key: str) -> Game[Any, Any]:
        """A game that stands somewhere; the same key gives the same one."""
        chance = random.Random(key)
        world: HexWorld = subject.start(key).world
        side = chance.choice(world.sides)
        places = self.scattered(world, chance)
        units = tuple(unit for unit, entry in places.items() if world.units[unit].side == side)
        steps: list[Step[Any, Any]] = [Sequencing(self.path), Attacking(world.seat_for(side), units)]
        if chance.random() < 0.3:
            steps.append(Moving(world.seat_for(side), units))
        rules = subject.ruleset
        values = {**self.state(world, side, places, chance), "stack": [step.to_json() for step in steps]}
        state = rules.bare(world).with_json(values, rules.step_types)
        rules.place(world, state, places)
        return Game(rules, world, state, SeededChance(key))

    def scattered(self, world: HexWorld, chance: random.Random) -> dict[str, dict[str, object]]:
        """Unit -> hex and steps, for most units, around some hex."""
        sheet = sheet_of(world.board)
        centre = chance.choice(sorted(sheet.terrain))
        near = [label for label in sorted(sheet.terrain) if sheet.distance(centre, label) <= self.radius]
        stacks: dict[str, list[str]] = {}
        placed: dict[str, dict[str, object]] = {}
        for unit, counter in world.units.items():
            open_to = [label for label in near if self._fits(world, sheet, unit, label, stacks)]
            if open_to and chance.random() < 0.85:
                label = chance.choice(open_to)
                stacks.setdefault(label, []).append(unit)
                placed[unit] = {"at": label, "steps": chance.randint(1, counter.steps)}
        return placed

    def _fits(self, world: HexWorld, sheet: Sheet, unit: str, label: str, stacks: Mapping[str, list[str]]) -> bool:
        counter, there = world.units[unit], stacks.get(label, [])
        steps = self.movement.steps(sheet, counter.arm)
        enterable = any(steps[near, label] is not None for near in sheet.near[label])
        friends = all(world.units[other].side == counter.side for other in there)
        return enterable and friends and len(there) < self.movement.stacking.limit

    def state(self, world: HexWorld, side: str, places: Mapping[str, Any], chance: random.Random) -> dict[str, Any]:
        """Fields of the state besides units and steps, as JSON."""
        return {"turn": 1}
