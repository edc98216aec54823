"""A position of Traces of War as a marshal sees it: how far everything is, and what a place or a unit is worth.

Distances are half movement points over ground without units. Everything comes from a view, so nothing is here that a side may not
know. Values use one unit, about a victory point of the campaign; they are rules of thumb, found by letting bots play each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from typing import ClassVar
from weakref import WeakKeyDictionary

from hexwar.board import Board
from hexwar.bots import Posture, remembered, spread, steps_of
from hexwar.engine import View
from hexwar.pieces import face
from hexwar_tow.counters import HQ
from hexwar_tow.state import ISOLATED
from hexwar_tow.world import TowWorld

RIVER = 10
"""A step that takes the whole allowance: the move of an infantry division."""
FAR = 150
"""Farther than anything that matters, in half points."""
KEPT = 24
"""How many fields of distances are kept."""
AUTOMATIC = 30.0
"""A city with a Supreme Command Order: its fall decides the game."""
CLOSE = 20
"""How near the enemy comes before a place needs a garrison: two moves of infantry."""


class Ground:
    """What the map of a game says, computed once.

    Args:
        world: the game.
    """

    _known: ClassVar[WeakKeyDictionary[TowWorld, Ground]] = WeakKeyDictionary()

    def __init__(self, world: TowWorld) -> None:
        self.board = board = world.board
        labels, halved = {i: board.label(i) for i in board.hexes}, world.chart.halved_across
        self.around = {i: board.around(label) for i, label in labels.items()}
        self.near = {i: tuple(map(board.index, board.neighbours(label))) for i, label in labels.items()}
        self.shift = {i: sum(columns for columns, _ in world.chart.shifts_at(board, label)) for i, label in labels.items()}
        self.across = {
            i: board.mask([other for other in board.neighbours(label) if board.side(label, other) & halved])
            for i, label in labels.items()
        }
        """The mask of the hexes next to a hex from which attacks on it are halved."""
        self.water = board.terrain_mask("water")
        costs = world.reaches.costs("infantry")  # every arm pays the same
        self._there, self._back = steps_of(board, costs, RIVER), steps_of(board, costs, RIVER, back=True)
        self._kept = lru_cache(KEPT)(self._spread)

    @classmethod
    def of(cls, world: TowWorld) -> Ground:
        """The ground of a game; made once, then looked up."""
        if world not in cls._known:
            cls._known[world] = cls(world)
        return cls._known[world]

    def spread(self, seeds: Mapping[int, int], *, back: bool = False, most: int = FAR) -> bytes:
        """How far every hex is from some places, or from every hex to them; the last fields are kept."""
        return self._kept(frozenset(seeds.items()), back, most)

    def _spread(self, seeds: frozenset[tuple[int, int]], back: bool, most: int) -> bytes:
        return spread(self._back if back else self._there, dict(seeds), self.board.size, most)

    @remembered
    def disk(self, i: int, n: int) -> int:
        """The mask of the hexes up to n away."""
        return self.board.near(self.board.label(i), n)


USUAL = Posture(retreat=0.6, effort=0.01, progress=0.6, least={"axis": 0.25, "soviet": 0.1})
"""How a marshal weighs attacks."""


class Picture:
    """A position seen by one side.

    Args:
        view: what the side knows.
        posture: how it weighs attacks.
    """

    def __init__(self, view: View, posture: Posture = USUAL) -> None:
        self.posture = posture
        self.at = view.position
        self.state = view.position.state
        self.world: TowWorld = view.position.world
        self.board: Board = self.world.board
        self.side = view.side
        self.enemy = next(side for side in self.world.sides if side != view.side)
        self.ground = Ground.of(self.world)
        self.mine: dict[int, tuple[str, ...]] = {}
        self.theirs: dict[int, tuple[str, ...]] = {}
        indices, units = self.board.indices, self.world.units
        for label, stack in self.state.layout.stacks.items():
            if label in indices:
                (self.mine if units[stack[0]].side == self.side else self.theirs)[indices[label]] = stack
        self.their_zone: int = self.state.layout.threatened[self.side]
        self.our_zone: int = self.state.layout.threatened[self.enemy]
        self.left: int = self.world.entry.last_turn - self.state.turn
        """How many turns follow this one."""
        self.is_race = self.world.entry.scheme == "race"

    # -- units ---------------------------------------------------------------------------------------------------------------

    def where(self, unit: str) -> int:
        """The hex of a unit on the board."""
        return self.board.index(self.state.locations[unit])

    def attack(self, unit: str) -> int:
        """Its attack strength as it is now (8.2.2, 8.2.3)."""
        weaker = self.world.numbers.supply.weaker if unit in self.state.supply else 0
        return max(0, face(self.at, unit).attack - weaker)

    def defence(self, units: Iterable[str]) -> int:
        """What some units defend with (8.2.3)."""
        supply, weaker = self.state.supply, self.world.numbers.supply.weaker
        return sum(max(0, face(self.at, unit).defence - (weaker if supply.get(unit) == ISOLATED else 0)) for unit in units)

    def is_mechanized(self, unit: str) -> bool:
        """Whether it is of the mechanised class."""
        return self.world.units[unit].mechanized

    def is_headquarters(self, unit: str) -> bool:
        """Whether it commands."""
        return self.world.units[unit].arm == HQ

    def troops(self, units: Iterable[str]) -> list[str]:
        """The combat units among some."""
        return [unit for unit in units if self.world.units[unit].arm != HQ]

    def load(self, i: int, but: str = "") -> int:
        """How many combat units of ours stand in a hex, one of them apart."""
        return sum(self.world.units[unit].arm != HQ for unit in self.mine.get(i, ()) if unit != but)

    def step_worth(self, unit: str) -> float:
        """What the loss of the next step of a unit would mean; in the campaign, destroyed German units score (13.3.3)."""
        counter, last = self.world.units[unit], self.state.steps_left[unit] == 1
        if counter.arm == HQ:
            return 3.0
        if counter.side == "soviet":
            return 0.7 if counter.mechanized else 0.4
        worth = 1.1 if counter.mechanized else 0.7
        return worth + (0.5 if last and counter.nation == "german" and not self.is_race else 0.0)

    # -- distances -----------------------------------------------------------------------------------------------------------

    @cached_property
    def enemy_away(self) -> bytes:
        """How far every hex is for the enemy's combat units."""
        return self.ground.spread({i: 0 for i, stack in self.theirs.items() if self.troops(stack)}, most=60)

    @cached_property
    def supplied(self) -> int:
        """The hexes where our units have a line."""
        return self.world.supply.supplied(self.at, self.side)

    # -- places --------------------------------------------------------------------------------------------------------------

    @cached_property
    def places(self) -> dict[int, float]:
        """What matters on the map, and what it is worth to the Soviets as long as they have it not."""
        state, index = self.state, self.board.index
        found = {index(label): 0.5 if self.is_race else 8.0 for label in self.world.cities}
        if self.is_race:
            found |= {index(label): 5.0 for label in self.world.crossing_hexes if label not in state.crossings}
        else:
            found |= {index(label): 5.0 for label in self.world.breakthrough_hexes}
        return found | {index(label): AUTOMATIC for label in state.orders}

    def is_soviet(self, i: int) -> bool:
        """Whether the Soviets have a place."""
        return bool(self.state.control.get(self.board.label(i)) == "soviet")

    @cached_property
    def prizes(self) -> dict[int, float]:
        """The places that we would take by entering them: no unit stands there."""
        if self.side == "soviet":
            return {i: worth for i, worth in self.places.items() if not self.is_soviet(i) and i not in self.theirs}
        found = {i: worth for i, worth in self.places.items() if self.is_soviet(i) and i not in self.theirs}
        marker = self.state.airborne
        return found | ({self.board.index(marker): 2.0} if marker else {})

    @cached_property
    def goals(self) -> dict[int, int]:
        """Where an attacker goes, and by how much each place seems farther than it is."""
        found: dict[int, int] = {}
        for i, worth in self.places.items():
            if self.is_soviet(i) != (self.side == "axis"):
                continue
            offset = 0 if worth >= AUTOMATIC else 8 if worth >= 8 else 10 if self.is_race else 50
            if worth >= 1:
                found[i] = offset + min(16, 2 * self.defence(self.theirs.get(i, ())))
        if self.is_race and self.side == "soviet":
            found |= {self.board.index(label): 20 for label in self.state.crossings}
        return found

    @cached_property
    def field(self) -> bytes:
        """How far every hex is from what an attacker wants; enemy units on the way are worth a detour."""
        far = self.ground.spread(self.goals, back=True)
        seeds = dict(self.goals)
        for i, stack in self.theirs.items():
            if self.troops(stack):
                seeds[i] = min(seeds.get(i, FAR), max(0, far[i] - 6))
        return self.ground.spread(seeds, back=True)

    @cached_property
    def shield(self) -> dict[int, int]:
        """What a defender covers, and by how much each place seems farther than it is."""
        if self.side == "soviet":
            return {i: 0 for i, worth in self.places.items() if self.is_soviet(i) and worth > 1}
        found = {}
        for i, worth in self.places.items():
            if not self.is_soviet(i) and (worth > 1 or not self.is_race):
                found[i] = 0 if worth >= AUTOMATIC else 4
        return found

    @cached_property
    def home(self) -> bytes:
        """How far every hex is from what a defender covers."""
        return self.ground.spread(self.shield, back=True)

    @cached_property
    def bare(self) -> frozenset[int]:
        """The cities with an order and without units: paratroopers may drop from the sky (11.1.5)."""
        return frozenset(i for i, worth in self.places.items() if worth >= AUTOMATIC and not self.load(i))

    def posts(self) -> list[tuple[int, int]]:
        """The places that need a garrison now, the most urgent first, and how many units."""
        away, found = self.enemy_away, []
        for i, worth in self.places.items():
            if self.is_soviet(i) != (self.side == "soviet") or worth < 1:
                continue
            wanted = (away[i] <= CLOSE) + (worth >= AUTOMATIC)
            if wanted and self.board.label(i) not in self.world.breakthrough_hexes:
                found.append((away[i] - 2 * worth, i, wanted))
        return [(i, wanted) for _, i, wanted in sorted(found)]
