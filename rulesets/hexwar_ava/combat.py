"""10.0 Combat: what this game adds to the mechanics of attack, retreat and pursuit; 14.2, what a fortress does in them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from hexwar.engine import Play, Position
from hexwar.mechanics import Battle, CombatWorld, Outcome, RetreatOption, Supply, in_enemy_zone, stack
from hexwar_ava.state import Retreated

if TYPE_CHECKING:
    from hexwar_ava.content import AvaContent

FORTRESS = "fortress"
SURPRISE = "surprise"
"""The phase in which rivers do not matter (15.1.3)."""


def overflow(at: Position, unit: str, way: RetreatOption) -> int:
    """10.6.13: after eliminations and losses, full stacks are avoided."""
    return way.overflow


def length_of_line(at: Position, unit: str, ways: Sequence[RetreatOption]) -> Sequence[int]:
    """10.6.12: of the ways that are left, those whose end has the shortest line of communication; without any, all are equal."""
    ends = tuple(dict.fromkeys(way.path[-1] for way in ways))
    if len(ends) == 1:
        return [0] * len(ways)
    lengths = at.world.supply.lengths(at, at.world.units[unit].side, ends, without=at.state.at[unit])
    return [lengths.get(way.path[-1], at.world.board.size) for way in ways]


class AvaCombat(CombatWorld):
    """Attack, retreat and pursuit as 10.0 has them."""

    printed: AvaContent
    supply: Supply

    retreat_away = False  # 10.6.1
    retreat_overflow = None  # 10.6.11
    retreat_criteria = (overflow,)
    retreat_rankings = (length_of_line,)

    def halved(self, at: Position, battle: Battle, unit: str) -> bool:
        """10.3.2, 10.3.3: whoever attacks across a river; 15.1.3: not in the surprise attack."""
        return at.state.phase != SURPRISE and super().halved(at, battle, unit)

    def modify_strength(
        self, at: Position, battle: Battle, unit: str, counted: Fraction
    ) -> tuple[Fraction, list[tuple[str, str]]]:
        """10.3.4: a unit that has retreated in this segment adds nothing to a defence."""
        if unit in at.state.retreated and unit not in battle.attackers:
            return Fraction(), [("has retreated in this segment", "10.3.4")]
        return counted, []

    def convert(self, at: Position, battle: Battle, outcome: Outcome) -> tuple[Outcome, str]:
        """14.2.5, 14.2.6: in a hex with a fortress each hex of retreat is a step loss instead."""
        fortified = any(self.units[unit].arm == FORTRESS for unit in stack(at, battle.target))
        if not fortified or not outcome.retreat:
            return outcome, ""
        return Outcome(outcome.name, outcome.attacker, outcome.defender + outcome.retreat, 0), "14.2.5"

    def may_retreat(self, at: Position, unit: str, path: Sequence[str], label: str) -> bool:
        """10.6.7, 10.6.8: an unbridged major river may be crossed with the first hex of a retreat only; 15.1.3: not so then."""
        if len(path) < 2 or at.state.phase == SURPRISE or "major-river" not in self.board.side(path[-1], label):
            return True
        return self.chart.is_bridged(self.board, path[-1], label, "major-river")

    def retreat_hurts(self, at: Position, unit: str, label: str) -> bool:
        """10.6.9, 3.2.7: every hex of an enemy zone, friends there or not; a fortress keeps zones away (14.2.2)."""
        return in_enemy_zone(at, self.units[unit].side, label)

    def on_retreat(self, play: Play, unit: str) -> None:
        """10.3.4: it is remembered for the rest of the segment."""
        if unit not in play.state.retreated:
            play.emit(Retreated(unit, clause="10.3.4"))

    def stops_pursuit(self, at: Position, unit: str, origin: str, target: str) -> bool:
        """10.7.3, 10.7.4: terrain, a place or a river ends it after the first hex; 15.1.3: no river in the surprise attack."""
        if self._ground_stops(target):
            return True
        limits = self.printed.numbers.pursuit.first_side
        return at.state.phase != SURPRISE and any(limits.get(name, 2) < 2 for name in self.board.side(origin, target))

    def stopped_by(self, at: Position, unit: str, origin: str, target: str) -> str:
        """10.7.3 or, where the ground is open, 10.7.4."""
        return "pursuit.far.stop" if self._ground_stops(target) else "pursuit.far.river"

    def _ground_stops(self, target: str) -> bool:
        limits = self.printed.numbers.pursuit.first_hex
        place = self.board.place(target)
        names = [self.board.terrain(target), *([place.kind] if place else [])]
        return min((limits[name] for name in names if name in limits), default=2) < 2
