"""Movement: the questions about it that a rulebook answers. `hexwar.mechanics.Reaches` searches with the answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from hexwar.engine import Part, Play, Position
from hexwar.errors import UnknownName
from hexwar.mechanics._going import NORMAL, Going, Mode, ZoneTerms
from hexwar.mechanics._pieces import go

if TYPE_CHECKING:
    from hexwar.mechanics._world import HexWorld

UNCHANGED: Mapping[tuple[str, str], int] = {}


class Movement(Part):
    """A unit spends movement points, hex by hex, as the terrain chart and enemy zones say."""

    world: HexWorld

    modes: tuple[Mode, ...] = (NORMAL,)
    """The ways of moving, the normal one first."""
    closed_sides: Mapping[str, frozenset[str]] = {}
    """Side -> the hexside features that it never crosses, bridge or no bridge."""

    def __init__(self, world: HexWorld) -> None:
        super().__init__(world)
        self._known: dict[tuple[str, str, bool], Going] = {}

    def allowance(self, at: Position, unit: str, mode: str = "") -> int:
        """The movement points of a unit as it is now: those printed on the face of its counter that lies up."""
        move: int = self.world.units[unit].faces[at.state.steps_left[unit] - 1].move
        return move

    def modes_of(self, at: Position, unit: str) -> tuple[Mode, ...]:
        """The ways of moving that are open to a unit, the normal one first."""
        return self.modes

    def mode(self, name: str) -> Mode:
        """A way of moving by its name.

        Raises:
            UnknownName: there is none.
        """
        for mode in self.modes:
            if mode.name == name:
                return mode
        raise UnknownName("way of moving", name, [mode.name for mode in self.modes])

    # -- what steps cost

    def conditions(self, at: Position) -> str:
        """The conditions that costs depend on now, such as "mud"; "" in fair weather."""
        return ""

    def step_cost(self, arm: str, conditions: str, origin: str, target: str, printed: int) -> int:
        """The half points of a step between adjacent hexes, given those of the chart; asked once for each step."""
        return printed

    def changed_steps(self, at: Position, arm: str) -> Mapping[tuple[str, str], int]:
        """The half points of steps that currently cost an arm something unusual: a bridge is down, wire is in place."""
        return UNCHANGED

    def zone_terms(self, at: Position, unit: str) -> ZoneTerms:
        """What enemy zones cost a unit, and what they close; `Zones.leave` and `Zones.enter`, unless overridden."""
        return self.usual_terms

    @cached_property
    def usual_terms(self) -> ZoneTerms:
        """What zones cost a unit by the numbers of `Zones`."""
        return ZoneTerms(self.world.zones.leave, self.world.zones.enter)

    # -- what a unit may do

    def going(self, at: Position, unit: str, mode: Mode = NORMAL) -> Going:
        """How a unit moves now. A game changes parts of what `super().going(...)` returns with `dataclasses.replace`."""
        counter = self.world.units[unit]
        arm = mode.arm or counter.arm
        conditions, zones, changed = self.conditions(at), self.zone_terms(at, unit), self.changed_steps(at, arm)
        found = self._known.get((arm, counter.side, mode.outside_zones))
        steps = tuple(changed.items()) if changed else ()
        # Nearly always it is the same as before, and the same object is found under it sooner than an equal one.
        if found is None or found.zones is not zones or found.conditions != conditions or found.changed != steps:
            found = Going(arm, counter.side, conditions, zones, outside_zones=mode.outside_zones, changed=steps)
            self._known[arm, counter.side, mode.outside_zones] = found
        return found

    def companions(self, at: Position, unit: str, mode: Mode) -> tuple[str, ...]:
        """The units that go along with a unit: each step costs all what it costs the one that pays the most for it."""
        return ()

    def prizes(self, at: Position) -> frozenset[int]:
        """The indices of the hexes that a unit may want to pass, if `is_prize` says so: what is worth a longer way."""
        return frozenset()

    def is_prize(self, at: Position, unit: str, label: str) -> bool:
        """Whether a unit takes something when it enters a hex: a place of another side, unless overridden."""
        return label in self.world.controlled and at.state.control.get(label) != self.world.units[unit].side

    def go(self, play: Play, unit: str, path: Sequence[str], mode: str = "") -> None:
        """Move a unit along its way, all at once."""
        go(play, unit, path, self.mode(mode).topic if mode else NORMAL.topic, mode=mode)
