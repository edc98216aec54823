"""Rule hooks as changes of parts: what a variant says through a hook is put in front of the part that it changes."""

from __future__ import annotations

from hexwar.engine import Hooks, Part, Position
from hexwar.mechanics.movement import Mode, Movement
from hexwar.mechanics.stacking import Stacking
from hexwar.mechanics.zones import Covers, Zones


class HookedConditions(Movement):
    """`hexwar_conditions`."""

    def conditions(self, at: Position) -> str:
        """As the hook says."""
        return str(self.world.hooks.refine("conditions", super().conditions(at), at))


class HookedCosts(Movement):
    """`hexwar_movement_cost`."""

    def step_cost(self, arm: str, conditions: str, origin: str, target: str, printed: int) -> int:
        """As the hook says."""
        cost = super().step_cost(arm, conditions, origin, target, printed)
        return int(self.world.hooks.refine("movement_cost", cost, self.world, conditions, arm, origin, target))


class HookedModes(Movement):
    """`hexwar_modes`."""

    def modes_of(self, at: Position, unit: str) -> tuple[Mode, ...]:
        """As the hook says."""
        return tuple(self.world.hooks.refine("modes", super().modes_of(at, unit), at, unit))


class HookedZones(Zones):
    """`hexwar_zone`."""

    def covers(self, arm: str) -> Covers:
        """As the hook says."""
        board, refine = self.world.board, self.world.hooks.refine
        return {
            label: tuple(
                board.index(near)
                for near in board.neighbours(label)
                if refine("zone", self.extends(label, near), self.world, arm, label, near)
            )
            for label in board.labels
        }


class HookedStacking(Stacking):
    """`hexwar_stacking_limit`."""

    def limit(self, side: str, label: str) -> int:
        """As the hook says."""
        return int(self.world.hooks.refine("stacking_limit", super().limit(side, label), self.world, side, label))


HOOKED: dict[str, tuple[tuple[str, type[Part]], ...]] = {
    "movement": (("conditions", HookedConditions), ("movement_cost", HookedCosts), ("modes", HookedModes)),
    "zones": (("zone", HookedZones),),
    "stacking": (("stacking_limit", HookedStacking),),
}


def hooked(hooks: Hooks) -> dict[str, dict[str, type[Part]]]:
    """What the hooks of the variants in play change in parts."""
    return {hook: {part: change} for part, changes in HOOKED.items() for hook, change in changes if hooks.chain(hook)}
