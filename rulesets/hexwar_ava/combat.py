"""10.0 Combat, retreat and pursuit: what this game adds to the mechanics; 14.2, what a fortress does in combat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING

from hexwar.engine import Play, Position
from hexwar.mechanics import Battle, Longer, Measure, Path, PursuitRules, RetreatOption, RetreatRules, TableCombat, Way, stack
from hexwar.pieces import Outcome, Strength, Why
from hexwar_ava.state import Retreated

if TYPE_CHECKING:
    from hexwar_ava.world import AvaWorld

FORTRESS = "fortress"
MAJOR = "major-river"
MANY = 2000
"""If more ways than this lead on over full stacks, those that reach the same hex past other stacks count as one."""
SURPRISE = "surprise"
"""The phase in which rivers do not matter (15.1.3)."""


class AvaCombat(TableCombat):
    """Attacks as 10.1 to 10.5 have them.

    Units of a stack may attack different hexes (10.1.2). A hex is attacked once in a segment (10.1.3), by units of several hexes
    together (10.1.4), and all units in it defend (10.1.5). Attacks are resolved one by one: strengths, column, shifts, die and
    result (10.2.3). Halves are added up, only the sum is rounded (1.2.1); beyond 10-1 columns are shifted from 10-1 (10.3.10).
    The owner chooses who loses steps (10.5.1), one unit several (10.5.3), no unit more than it has (10.5.4).
    """

    def attackers(self, at: Position, units: tuple[str, ...]) -> tuple[str, ...]:
        """Those of the active units that may attack; 17.2: optional rules may keep some of them from it."""
        return units

    def strength(self, at: Position, battle: Battle, unit: str) -> Strength:
        """10.3.2, 10.3.3: who attacks across a river is halved; 15.1.3: not in the surprise attack.

        10.3.4, 10.3.5: a unit that has retreated in this segment adds nothing to a defence, but suffers the result.
        """
        found = self.printed(at, battle, unit) if at.state.phase == SURPRISE else super().strength(at, battle, unit)
        if unit in at.state.retreated and unit not in battle.attackers:
            return found.changed(Fraction(), "has retreated in this segment", "10.3.4")
        return found

    def convert(self, at: Position, battle: Battle, outcome: Outcome) -> tuple[Outcome, str]:
        """14.2.5, 14.2.6: in a hex with a fortress each hex of retreat is a step loss instead."""
        fortified = any(self.world.units[unit].arm == FORTRESS for unit in stack(at, battle.target))
        if not fortified or not outcome.retreat:
            return outcome, ""
        return Outcome(outcome.name, outcome.attacker, outcome.defender + outcome.retreat, 0), "14.2.5"


class AvaRetreat(RetreatRules):
    """10.6: a retreat leads anywhere, through full stacks for as long as there is no room (10.6.11).

    It costs no points (10.6.3). Units of a stack may separate (10.6.4); one with no way except off the map or into water is lost
    (10.6.5).
    """

    world: AvaWorld
    overflow = None

    def why_not_into(self, at: Position, unit: str, path: Path, label: str) -> Why | None:
        """10.6.7, 10.6.8: an unbridged major river is crossed with the first hex only; 15.1.3: any, in the surprise attack."""
        why = super().why_not_into(at, unit, path, label)
        if why or len(path) < 2 or at.state.phase == SURPRISE or MAJOR not in self.world.board.side(path[-1], label):
            return why
        if self.world.chart.is_bridged(self.world.board, path[-1], label, MAJOR):
            return None
        return "retreat.barred", f"{unit} may not go on from {path[-1]} into {label}"

    def measures(self) -> tuple[Measure, ...]:
        """10.6.13, 10.6.12: after eliminations and losses, full stacks and the length of the line."""
        return (*super().measures(), self.full_stacks, self.length_of_line)

    def full_stacks(self, at: Position, unit: str, ways: Sequence[RetreatOption]) -> Sequence[int]:
        """10.6.13: full stacks are avoided."""
        return [way.overflow for way in ways]

    def length_of_line(self, at: Position, unit: str, ways: Sequence[RetreatOption]) -> Sequence[int]:
        """10.6.12: the shorter the line of communication of its end, the better; without any, all are equal."""
        ends = tuple(dict.fromkeys(way.path[-1] for way in ways))
        if len(ends) == 1:
            return [0] * len(ways)
        lengths = self.world.supply.lengths(at, self.world.units[unit].side, ends, without=at.state.locations[unit])
        return [lengths.get(way.path[-1], self.world.board.size) for way in ways]

    def ends(self, at: Position, unit: str, ways: Iterable[Way], longer: Longer) -> Iterator[RetreatOption]:
        """10.6.11: where there is no room, a retreat goes on, as far as it has to.

        Length by length it goes on only if a way may still cost fewer steps than all finished ones, and leaves out hexes to
        which a shorter way with the same first hexes has come for no more steps: any continuation is possible from there as well.
        """
        hexes, overflow, fewest = 0, 0, inf
        reached: dict[tuple[str, Path], int] = {}
        """End and first hexes of a way -> the fewest steps that a shorter one costs."""
        while ways:
            full = []
            for path, losses in ways:
                if not overflow:
                    hexes = len(path) - 1
                key = path[-1], path[1:hexes]
                reached[key] = min(losses, reached.get(key, losses))
                if self.has_room(at, unit, path[-1]):
                    yield RetreatOption(path, losses, overflow)
                    fewest = min(losses, fewest)
                else:
                    full.append((path, losses))
            ways = [way for path, losses in full if losses < fewest for way in longer(path, losses)]
            ways = [(path, losses) for path, losses in ways if losses < reached.get((path[-1], path[1:hexes]), losses + 1)]
            if len(ways) > MANY:
                ways = list({(path[-1], path[1:hexes], losses): (path, losses) for path, losses in ways}.values())
            overflow += 1

    def retreated(self, play: Play, unit: str) -> None:
        """10.3.4: it is remembered for the rest of the segment."""
        if unit not in play.state.retreated:
            play.emit(Retreated(unit, clause="10.3.4"))


class AvaPursuit(PursuitRules):
    """10.7: mechanized units pursue farther than infantry, unless ground or river stop them.

    A pursuit costs no points and ignores zones (10.7.5); each unit goes its own way (10.7.6), but not off the map or into water
    (10.7.9).
    """

    world: AvaWorld

    def hexes(self, arm: str) -> int:
        """10.7.2: by the class of the arm."""
        classes, farthest = self.world.printed.numbers.classes, self.world.printed.numbers.pursuit.by_class
        return farthest["mechanized"] if arm in classes.mechanized else farthest["infantry"] if arm in classes.infantry else 0

    def stops(self, at: Position, unit: str, origin: str, target: str) -> str:
        """10.7.3, 10.7.4: terrain, a place or a river ends it after the first hex; 15.1.3: no river in the surprise attack."""
        if self.ground_stops(target):
            return "pursuit.far.stop"
        limits = self.world.printed.numbers.pursuit.first_side
        wet = at.state.phase != SURPRISE and any(limits.get(name, 2) < 2 for name in self.world.board.side(origin, target))
        return "pursuit.far.river" if wet else ""

    def ground_stops(self, target: str) -> bool:
        """10.7.3: whether terrain or a place ends a pursuit in a hex."""
        limits, place = self.world.printed.numbers.pursuit.first_hex, self.world.board.place(target)
        names = [self.world.board.terrain(target), *([place.kind] if place else [])]
        return min((limits[name] for name in names if name in limits), default=2) < 2
