"""10.0 Combat: what this game adds to attack, retreat and pursuit; 8.2 and 12.2, what supply and orders do in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from hexwar.engine import Action, Play, Position, record
from hexwar.errors import Refusal
from hexwar.mechanics import (
    Battle,
    CombatWorld,
    Outcome,
    Pursue,
    Pursuing,
    RetreatOption,
    Shift,
    SupplyRules,
    against,
    has_room,
    in_enemy_zone,
    stack,
)
from hexwar.mechanics.pieces import go
from hexwar_tow.counters import HQ
from hexwar_tow.luftwaffe import ask_for_support, committed
from hexwar_tow.relocation import lift
from hexwar_tow.state import ISOLATED

if TYPE_CHECKING:
    from hexwar_tow.tables import Numbers

At: TypeAlias = Position
Doing: TypeAlias = Play
Path: TypeAlias = tuple[str, ...]

MAJOR = "major-river"


# -- 10.4 which way of retreat is better ------------------------------------------------------------------------------------


def from_source(at: At, unit: str, way: RetreatOption) -> int:
    """10.4.5: how far the last hex demanded is from the nearest source of supply."""
    return distance_to_source(at, at.world.units[unit].side, way.path[-1 - way.overflow])


def too_many(at: At, unit: str, way: RetreatOption) -> int:
    """10.4.5: whether the last hex demanded would be over the stacking limit."""
    return int(not has_room(at, unit, way.path[-1 - way.overflow]))


def distance_to_source(at: At, side: str, label: str) -> int:
    """How far a hex is from the nearest source of a side, the Airborne marker included."""
    board = at.world.board
    distances = at.world.source_distances[side]
    if side == "soviet" and at.state.airborne:
        return int(min(distances[label], board.distance(label, at.state.airborne)))
    return int(distances[label])


# -- 10.5 pursuit -----------------------------------------------------------------------------------------------------------


@record
class Accompanied(Pursuing):
    """10.5: attackers pursue one by one; 10.5.3: a headquarters may go along with those it was stacked with."""

    kind = "accompanied"
    origins: tuple[tuple[str, str], ...] = ()
    """Headquarters -> the hex that it shared with attackers."""
    fought: tuple[str, ...] = ()
    """The headquarters that took part in the attack."""
    gone: tuple[Path, ...] = ()
    """The ways that attackers have gone."""

    @classmethod
    def begin(cls, at: At, seat: str, battle: Battle, attackers: tuple[str, ...]) -> Accompanied:
        """The attackers that are left, and the headquarters in their hexes."""
        counters, places = at.world.units, at.state.at
        troops = tuple(unit for unit in attackers if counters[unit].arm != HQ)
        hexes = dict.fromkeys(places[unit] for unit in attackers)
        leaders = tuple(unit for label in hexes for unit in stack(at, label) if counters[unit].arm == HQ)
        fought = tuple(unit for unit in leaders if unit in attackers)
        return cls(seat, (*troops, *leaders), battle.target, tuple((unit, places[unit]) for unit in leaders), fought)

    def _ways(self, at: At, unit: str) -> list[Path]:
        """10.5.3: the ways of those with whom a headquarters was stacked; one hex, if it took part itself."""
        here = at.state.at[unit]
        ways = [way for way in self.gone if way[0] == here]
        if unit in self.fought:
            ways.append((here, self.target))
        return [way for way in dict.fromkeys(ways) if has_room(at, unit, way[-1])]

    def choices(self, at: At, unit: str) -> list[Action]:
        """Every way it may follow."""
        if at.world.units[unit].arm != HQ:
            return Pursuing.choices(self, at, unit)
        return [Pursue(unit, way) for way in self._ways(at, unit)]

    def act(self, play: Doing, action: Pursue) -> None:
        """Follow, and remember the way."""
        if play.world.units[action.unit].arm != HQ:
            play.replace(replace(play.state.stack[-1], gone=(*self.gone, action.path)))
        go(play, action.unit, action.path, self.topic, "pursues")

    def refuse(self, at: At, seat: str, action: Action) -> Refusal | None:
        """Name the rule that is in the way."""
        if not isinstance(action, Pursue) or action.unit not in self.waiting(at):
            return None
        if at.world.units[action.unit].arm == HQ and len(action.path) > 1 and has_room(at, action.unit, action.path[-1]):
            return against(at, "pursuit.headquarters", f"{action.unit} goes only where attackers of its stack have gone")
        return Pursuing.refuse(self, at, seat, action)


# -- the world's part -------------------------------------------------------------------------------------------------------


class TowCombat(CombatWorld):
    """Attack, retreat and pursuit as 10.0 has them."""

    numbers: Numbers
    lines: SupplyRules

    rounds_by_hex = True  # 1.3.2
    shifts_without_defence = False  # 10.2.9
    retreat_away = False  # 10.4.11
    retreat_overflow = None  # 10.4.6
    retreat_hex_by_hex = True  # 10.4.6
    retreat_criteria = (from_source, too_many)  # 10.4.5
    pursuit_step = Accompanied

    def weaken(self, at: Position, battle: Battle, unit: str, counted: Fraction) -> tuple[Fraction, list[tuple[str, str]]]:
        """8.2.2, 8.2.3: weaker attack without supply, weaker attack and defence in isolation; never below nothing."""
        status = at.state.supply.get(unit)
        attacks = unit in battle.attackers
        if status is None or (not attacks and status != ISOLATED):
            return counted, []
        clause = "8.2.3" if status == ISOLATED else "8.2.2"
        return max(counted - self.numbers.supply.weaker, Fraction()), [(status, clause)]

    def support(self, at: Position, battle: Battle) -> tuple[Shift, ...]:
        """7.0.7, 10.2.7: two columns for each Off AS."""
        columns = self.numbers.luftwaffe["off"].columns
        return tuple(Shift(columns, "Luftwaffe", "7.0.7") for marker in committed(at, battle) if marker == "off")

    def roll_modifiers(self, at: Position, battle: Battle) -> list[tuple[int, str, str]]:
        """7.0.8: two points off the roll for each Def AS."""
        points = self.numbers.luftwaffe["def"].roll
        return [(points, "Luftwaffe", "7.0.8") for marker in committed(at, battle) if marker == "def"]

    def announced(self, play: Play, battle: Battle) -> None:
        """10.1.2: the Axis may use the Luftwaffe before the die is rolled."""
        ask_for_support(play, battle)

    def done_if_called_off(self, done: Path, target: str) -> Path:
        """10.0.6, 10.2.8: an attack that is called off was none; nothing is spent."""
        return done

    def convert(self, at: Position, battle: Battle, outcome: Outcome) -> tuple[Outcome, str]:
        """12.2.1: in a city with a Supreme Command Order each hex of retreat is a step loss instead."""
        if battle.target not in at.state.orders or battle.side == "axis" or not outcome.retreat:
            return outcome, ""
        return Outcome(outcome.name, outcome.attacker, outcome.defender + outcome.retreat, 0), "12.2.1"

    # -- 10.4 retreat

    @cached_property
    def source_distances(self) -> Mapping[str, Mapping[str, int]]:
        """Side -> hex -> how far the nearest source on the map is."""
        board, far = self.board, self.board.size
        return {
            side: {label: min((board.distance(label, source) for source in hexes), default=far) for label in board.labels}
            for side, hexes in self.lines.sources.items()
        }

    def unbridged(self, origin: str, target: str) -> bool:
        """Whether an unbridged major river lies between two adjacent hexes."""
        return MAJOR in self.board.side(origin, target) and not self.chart.is_bridged(self.board, origin, target, MAJOR)

    def may_retreat(self, at: Position, unit: str, path: Path, label: str) -> bool:
        """10.4.8: unbridged, a major river is crossed only from a hex on a major river; 10.4.9: never from zone to zone."""
        here, board = path[-1], self.board
        if MAJOR not in board.side(here, label):
            return True
        if self._from_zone_to_zone(at, unit, here, label):
            return False
        if not self.unbridged(here, label):
            return True
        return any(MAJOR in board.side(path[0], near) for near in board.neighbours(path[0]))

    def _from_zone_to_zone(self, at: Position, unit: str, here: str, label: str) -> bool:
        side = self.units[unit].side
        return in_enemy_zone(at, side, here) and in_enemy_zone(at, side, label)

    def retreat_barred_by(self, at: Position, unit: str, path: Path, label: str) -> str:
        """10.4.9 from zone to zone, otherwise 10.4.8."""
        return "retreat.barred.zone" if self._from_zone_to_zone(at, unit, path[-1], label) else "retreat.barred"

    def retreat_hurts(self, at: Position, unit: str, label: str) -> bool:
        """10.4.4: every hex of an enemy zone, friends there or not."""
        return in_enemy_zone(at, self.units[unit].side, label)

    def has_retreat_room(self, at: Position, unit: str, label: str) -> bool:
        """10.4.6; 5.0.5: a headquarters that comes to another is relocated and does not go on."""
        return self.units[unit].arm == HQ or has_room(at, unit, label)

    def on_retreat(self, play: Play, unit: str) -> None:
        """5.0.5: two headquarters in a hex: the one that came is relocated."""
        counters = self.units
        if counters[unit].arm == HQ and sum(counters[other].arm == HQ for other in stack(play, play.state.at[unit])) > 1:
            lift(play, unit, "5.0.5")

    # -- 10.5 pursuit

    def stops_pursuit(self, at: Position, unit: str, origin: str, target: str) -> bool:
        """10.5.8: whoever crosses an unbridged major river stops."""
        return self.unbridged(origin, target)

    def may_pursue(self, at: Position, unit: str, path: Path, label: str) -> bool:
        """10.5.6: the second hex may be any, even that from which the unit came; 10.5.9: not across an unbridged major river."""
        return len(path) < 2 or not self.unbridged(path[-1], label)
