"""8 to 11: combat, retreat and pursuit, as far as they differ from what is usual."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hexwar.engine import Position
from hexwar.mechanics import Battle, Measure, PursuitRules, RetreatOption, RetreatRules, TableCombat, stack
from hexwar.pieces import Strength, Why

if TYPE_CHECKING:
    from hexwar_bridgehead.world import BridgeheadWorld


class BridgeheadCombat(TableCombat):
    """8: odds on a table."""

    world: BridgeheadWorld

    def strength(self, at: Position, battle: Battle, unit: str) -> Strength:
        """12.3: a unit without supply counts half."""
        found = super().strength(at, battle, unit)
        if self.world.supply.is_supplied(at, unit):
            return found
        return found.changed(found.counted / 2, "halved without supply", "12.3")


class BridgeheadRetreat(RetreatRules):
    """10: straight away, over full hexes if need be."""

    world: BridgeheadWorld
    overflow = 2  # 10.2

    def why_not_into(self, at: Position, unit: str, path: tuple[str, ...], label: str) -> Why | None:
        """10.1: every hex leads farther from the first."""
        why = super().why_not_into(at, unit, path, label)
        if why or self.world.board.distance(path[0], label) == len(path):
            return why
        return "retreat", f"{label} does not lead away from {path[0]}"

    def hurts(self, at: Position, unit: str, label: str) -> bool:
        """10.3: an enemy zone, unless a friend stands there."""
        return super().hurts(at, unit, label) and not stack(at, label)

    def measures(self) -> tuple[Measure, ...]:
        """10.4: after the losses, the distance to a source."""
        return (*super().measures(), self.hexes_to_supply)

    def hexes_to_supply(self, at: Position, unit: str, ways: Sequence[RetreatOption]) -> Sequence[int]:
        """10.4: of two ways with equal losses the one that ends nearer to a source is better."""
        board, sources = self.world.board, self.world.supply.sources[self.world.units[unit].side]
        return [min((board.distance(way.path[-1], source) for source in sources), default=0) for way in ways]


class BridgeheadPursuit(PursuitRules):
    """11: into the vacated hex; armour goes on over open ground."""

    def hexes(self, arm: str) -> int:
        """11.2: armour pursues two hexes, all others one."""
        return 2 if arm == "armour" else 1

    def stops(self, at: Position, unit: str, origin: str, target: str) -> str:
        """11.2: a river that was crossed, a town or anything but clear ground ends a pursuit."""
        board = self.world.board
        crossed = bool(board.side(origin, target) & self.world.chart.halved_across)
        stopped = crossed or board.place(target) is not None or board.terrain(target) != "clear"
        return "pursuit.far.stop" if stopped else ""
