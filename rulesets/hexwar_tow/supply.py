"""8.0 Supply: both sides are judged when the Supply chit is drawn."""

from __future__ import annotations

from typing import ClassVar

from hexwar.engine import Step, record
from hexwar.pieces import UnitName, on_board
from hexwar_tow.counters import HQ
from hexwar_tow.relocation import lift, relocate, waiting_headquarters
from hexwar_tow.state import ISOLATED, OUT_OF_SUPPLY, At, Doing, SupplyChanged

ORDER = ("soviet", "axis")
"""8.1.1: whose headquarters relocate first."""


def verdict(at: At, unit: str, supplied: bool) -> tuple[str, str]:
    """8.1.8 to 8.1.10: the marker that a unit has after a check, and the clause."""
    before = at.state.supply.get(unit, "")
    if supplied:
        return "", "8.1.8"
    return (ISOLATED, "8.1.10") if before else (OUT_OF_SUPPLY, "8.1.9")


@record
class SupplyCheck(Step):
    """8.1.1: all units are judged on the board as it is; then markers are set, then headquarters relocate one by one.

    A marker stays until the next check, even if the line changes (8.1.11).
    """

    kind = "supply-check"
    clause: ClassVar[str] = "8.1.1"
    judged: bool = False
    lost: tuple[UnitName, ...] = ()
    """The headquarters without a line, and those that have waited off the map (2.3.6)."""

    def resume(self, play: Doing) -> None:
        """Judge all, then relocate one after the other."""
        if not self.judged:
            self._judge(play)
        elif self.lost:
            unit = self.lost[0]
            play.replace(SupplyCheck(True, self.lost[1:]))
            if play.state.locations[unit] in play.world.board:
                lift(play, unit, "8.1.12")  # 2.3.4
            else:
                relocate(play, unit, "")
        else:
            play.pop()

    def _judge(self, play: Doing) -> None:
        supplied = {side: play.world.supply.supplied_units(play, side) for side in ORDER}
        lost: list[str] = []
        for side in ORDER:
            for unit in on_board(play, side):
                if play.world.units[unit].arm == HQ:
                    lost += [] if unit in supplied[side] else [unit]
                    continue
                status, clause = verdict(play, unit, unit in supplied[side])
                if status != play.state.supply.get(unit, ""):
                    play.emit(SupplyChanged(unit, status, clause=clause))
            lost += waiting_headquarters(play, side)
        play.replace(SupplyCheck(True, tuple(lost)))
