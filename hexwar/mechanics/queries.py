"""What players preview and tests ask of a position on a hex board: pure, and each answer names its clauses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from hexwar.engine import Position
from hexwar.errors import HexwarError
from hexwar.mechanics.battle import Battle, odds
from hexwar.mechanics.command import in_command
from hexwar.mechanics.movement import ReachReport, report_reach
from hexwar.mechanics.odds import Odds
from hexwar.mechanics.retreat_paths import RetreatOption, retreat_options
from hexwar.mechanics.supply import SupplyRules


@dataclass(frozen=True, slots=True)
class SupplyReport:
    """Whether there is a line, and which way it runs."""

    supplied: bool
    line: tuple[str, ...]
    clause: str


class HexQuery:
    """The queries of a hex ruleset.

    Args:
        at: the position.
        supply: how lines are traced.
        command_closed: terrain through which command range is not counted.
    """

    def __init__(self, at: Position[Any, Any], supply: SupplyRules, command_closed: tuple[str, ...] = ()) -> None:
        self._at = at
        self._supply = supply
        self._command_closed = command_closed

    def reach(self, unit: str) -> ReachReport:
        """Where a unit can move, at which cost, and why hexes beside its way are closed."""
        self._standing(unit)
        return report_reach(self._at, unit)

    def supply(self, unit_or_hex: str, side: str | None = None) -> SupplyReport:
        """The line of communication of a unit, or of a hex for a side."""
        world = self._at.world
        clause = world.clause("supply")
        if unit_or_hex in world.units:
            label, of = self._standing(unit_or_hex), world.units[unit_or_hex].side
            supplied = self._supply.is_supplied(self._at, unit_or_hex)
        else:
            if side is None:
                raise HexwarError("say for which side the hex shall be in supply")
            label, of = unit_or_hex, side
            supplied = bool(self._supply.supplied(self._at, of) >> world.board.index(label) & 1)
        line = self._supply.line(self._at, of, label)
        return SupplyReport(supplied, tuple(line or ()), clause)

    def odds(self, attackers: Iterable[str], hex: str) -> Odds:
        """The odds of an attack, with every factor, shift and clause, and the distribution of results."""
        units = tuple(attackers)
        if not units:
            raise HexwarError("an attack needs at least one attacker")
        for unit in units:
            if not self._at.world.board.adjacent(self._standing(unit), hex):
                raise HexwarError(f"{unit} does not stand next to {hex}")
        return odds(self._at, Battle(self._at.world.units[units[0]].side, hex, units))

    def zones(self, side: str) -> tuple[str, ...]:
        """The hexes in a side's zones of control."""
        layout = self._at.state.layout
        mask = 0
        for enemy in self._at.world.enemies(side):
            mask |= layout.threatened[enemy]
        return self._at.world.board.unmask(mask)  # type: ignore[no-any-return]

    def retreats(self, unit: str, hexes: int) -> list[RetreatOption]:
        """The ways of retreat of a unit, the best first."""
        self._standing(unit)
        return retreat_options(self._at, unit, hexes, self._at.world.retreat_criteria)

    def command(self, hq: str) -> tuple[str, ...]:
        """The units that a headquarters would activate."""
        self._standing(hq)
        return tuple(in_command(self._at, hq, self._command_closed))

    def _standing(self, unit: str) -> str:
        """The hex of a unit, provided that it stands on the board."""
        self._at.world.unit(unit)
        label: str = self._at.state.at.get(unit, "")
        if label not in self._at.world.board:
            raise HexwarError(f"{unit} is not on the board")
        return label
