"""Games that begin in the middle of things: units thrown together near the enemy, in a turn in which they fight."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from hexwar.engine import Game, SeededChance, Sequencing, Step
from hexwar.mechanics import Attacking, HexWorld, Moving, Pursuing, Retreating
from hexwar.testing._running.kit import Capability
from hexwar.testing._running.subject import Subject
from hexwar.testing._running.watch import Budget
from hexwar.testing._staging.positions import made_state
from hexwar.testing.oracles._field import Sheet, sheet_of
from hexwar.testing.oracles._ground import Movement

Places = dict[str, dict[str, object]]
"""Unit -> location and steps, as `Ruleset.place` takes them."""


def _on_map(world: HexWorld, side: str, places: Places) -> dict[str, str]:
    """Unit -> hex, for the units of a side that are placed on the map."""
    own = {unit: str(entry["at"]) for unit, entry in places.items() if world.units[unit].side == side}
    return {unit: label for unit, label in own.items() if label in world.board}


class Staging(Capability):
    """A ruleset whose positions can be made up: what rarely comes about in random games is found in such positions.

    Args:
        movement: on which ground an arm may stand, and how many together.
        path: where in the sequence of play the game continues when the operation is over, as in `Sequencing`.
        radius: how far around some hex the units stand at most.
        centres: hexes around which they stand more often than around others.
        boxes: where units may lie that are not on the map.
    """

    units = 4
    """About how many units questions are asked before a game is played on."""

    def __init__(
        self,
        movement: Movement,
        path: tuple[int, ...],
        *,
        radius: int = 3,
        centres: Sequence[str] = (),
        boxes: Sequence[str] = (),
    ) -> None:
        self.movement = movement
        self.path = path
        self.radius = radius
        self.centres = tuple(centres)
        self.boxes = tuple(boxes)

    @staticmethod
    def is_every(key: str, nth: int) -> bool:
        """Whether a key is that of every nth game: the key of a check ends with the number of its game."""
        number = key.rpartition("|")[2]
        return number.isdecimal() and int(number) % nth == 0

    def games(self, budget: Budget) -> int:
        """How many are played."""
        return 12 * budget.games

    def actions(self, game: Game) -> int:
        """How far a game is followed at most."""
        return 40

    def lone(self, world: HexWorld) -> list[str]:
        """The units whose pursuit is tried from every hex: one of each arm."""
        return list({counter.arm: unit for unit, counter in world.units.items()}.values())

    def stage(self, subject: Subject, key: str) -> Game:
        """A game that stands somewhere; the same key gives the same one."""
        chance = random.Random(key)
        world: HexWorld = subject.start(key).world
        side = chance.choice(world.sides)
        places = self.scattered(world, chance)
        begun = chance.choice((self.attack, self.attack, self.retreat, self.pursuit))
        steps = [Sequencing(self.path), *begun(world, side, places, chance)]
        return self.placed(subject, world, places, steps, self.state(world, side, places, chance), key)

    def placed(
        self,
        subject: Subject,
        world: HexWorld,
        places: Places,
        steps: Sequence[Step],
        state: Mapping[str, Any],
        key: str,
        source: str | None = None,
    ) -> Game:
        """A game in a position; on a map of its own, with the text that has it."""
        values = {**state, "stack": [step.to_json() for step in steps]}
        return Game(subject.ruleset, world, made_state(subject.ruleset, world, values, places), SeededChance(key), source)

    def attack(self, world: HexWorld, side: str, places: Places, chance: random.Random) -> list[Step]:
        """A side may attack, and sometimes move before."""
        units = tuple(_on_map(world, side, places))
        attacking = Attacking(world.seat_for(side), units)
        return [attacking, Moving(world.seat_for(side), units)] if chance.random() < 0.3 else [attacking]

    def retreat(self, world: HexWorld, side: str, places: Places, chance: random.Random) -> list[Step]:
        """A stack of a side has to retreat."""
        beaten = self._stack(world, side, places, chance)
        if not beaten:
            return []
        return [Retreating(world.seat_for(side), beaten, str(places[beaten[0]]["at"]), chance.randint(1, 2))]

    def pursuit(self, world: HexWorld, side: str, places: Places, chance: random.Random) -> list[Step]:
        """A stack of an enemy is gone, and a side may follow."""
        beaten = self._stack(world, chance.choice(world.enemies(side)), places, chance)
        if not beaten:
            return []
        target = str(places[beaten[0]]["at"])
        for unit in beaten:
            del places[unit]
        near = sheet_of(world.board).near[target]
        victors = tuple(unit for unit, label in _on_map(world, side, places).items() if label in near)
        return [Pursuing(world.seat_for(side), victors, target)]

    def _stack(self, world: HexWorld, side: str, places: Places, chance: random.Random) -> tuple[str, ...]:
        mine = _on_map(world, side, places)
        if not mine:
            return ()
        label = chance.choice(list(mine.values()))
        return tuple(unit for unit, there in mine.items() if there == label)

    def scattered(self, world: HexWorld, chance: random.Random) -> Places:
        """Unit -> location and steps, for most units: around some hex, the others in boxes or nowhere."""
        sheet = sheet_of(world.board)
        centre, radius = chance.choice(sorted(sheet.terrain)), chance.randint(2, self.radius)
        if self.centres and chance.random() < 0.4:
            centre = chance.choice(self.centres)
        near = [label for label in sorted(sheet.terrain) if sheet.distance(centre, label) <= radius]
        stacks: dict[str, list[str]] = {}
        placed: Places = {}
        for unit, counter in world.units.items():
            open_to = [label for label in near if self._fits(world, sheet, unit, label, stacks)]
            if open_to and chance.random() < 0.85:
                full = [label for label in open_to if label in stacks]  # full stacks are what is rare otherwise
                label = chance.choice(full if full and chance.random() < 0.5 else open_to)
                stacks.setdefault(label, []).append(unit)
                placed[unit] = {"at": label, "steps": chance.randint(1, counter.steps)}
            elif self.boxes and chance.random() < 0.7:
                placed[unit] = {"at": chance.choice(self.boxes), "steps": counter.steps}
        return placed

    def _fits(self, world: HexWorld, sheet: Sheet, unit: str, label: str, stacks: Mapping[str, list[str]]) -> bool:
        counter, there = world.units[unit], stacks.get(label, [])
        enterable = self.movement.may_stand(sheet, counter.side, counter.arm, label)
        friends = all(world.units[other].side == counter.side for other in there)
        return enterable and friends and len(there) < self.movement.stacking.limit

    def state(self, world: HexWorld, side: str, places: Places, chance: random.Random) -> dict[str, Any]:
        """Fields of the state besides units and steps, as JSON."""
        return {"turn": 1}
