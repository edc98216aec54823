"""10.0 Combat, retreat and pursuit as this game has them; what supply (8.2), orders (12.2) and the Luftwaffe (7.0) do in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING

from hexwar.engine import ActionSet, Explained, Play, Position, record
from hexwar.errors import Refusal
from hexwar.grouping import grouped
from hexwar.mechanics import (
    Battle,
    HexName,
    Longer,
    Measure,
    Path,
    Pursue,
    Pursuing,
    PursuitRules,
    RetreatOption,
    RetreatRules,
    TableCombat,
    Way,
    go,
    has_room,
    in_enemy_zone,
    stack,
)
from hexwar.pieces import Manner, Outcome, Shift, Strength, UnitName, Why, against
from hexwar_tow.counters import HQ
from hexwar_tow.luftwaffe import ask_for_support, committed
from hexwar_tow.relocation import lift
from hexwar_tow.state import ISOLATED

if TYPE_CHECKING:
    from hexwar_tow.world import TowWorld

MAJOR = "major-river"


class TowCombat(TableCombat):
    """Attacks as 10.0 to 10.3 have them.

    The active player may attack (10.0.1, 10.0.5), one hex after the other in an order of their choice (10.1.1): units of a stack
    different hexes (10.0.4), units of several hexes the same one (10.0.7), in which all defend (10.0.8). Modifiers of strength
    (10.2.3) and shifts (10.2.10) add up. Losses come before the retreat (10.3.4).
    """

    world: TowWorld
    calling_off_spends = False
    """10.0.6, 10.2.8: an attack that is called off does not count; nothing is spent."""

    def strength(self, at: Position, battle: Battle, unit: str) -> Strength:
        """10.2.2: what supply costs is taken off before rivers count."""
        return self.over_rivers(at, battle, self.weakened(at, battle, self.printed(at, battle, unit)))

    def weakened(self, at: Position, battle: Battle, found: Strength) -> Strength:
        """8.2.1 to 8.2.3: weaker attack without supply, weaker attack and defence in isolation; never below zero."""
        status = at.state.supply.get(found.unit)
        if status is None or (status != ISOLATED and found.unit not in battle.attackers):
            return found
        weaker = max(found.counted - self.world.numbers.supply.weaker, Fraction())
        return found.changed(weaker, status, "8.2.3" if status == ISOLATED else "8.2.2")

    def points(self, at: Position, strengths: Sequence[Strength]) -> int:
        """1.3.2: fractions are dropped for each hex."""
        hexes = grouped((at.state.locations[strength.unit], strength) for strength in strengths)
        return sum(TableCombat.points(self, at, together) for together in hexes.values())

    def shifts(self, at: Position, battle: Battle) -> tuple[Shift, ...]:
        """10.2.9: terrain does not shift an attack on a defence of zero."""
        shifts = super().shifts(at, battle)
        defence = [self.strength(at, battle, unit) for unit in self.defenders(at, battle)] if shifts else ()
        return shifts if self.points(at, defence) else ()

    def support(self, at: Position, battle: Battle) -> tuple[Shift, ...]:
        """7.0.7, 10.2.7: two columns for each Off AS."""
        columns = self.world.numbers.luftwaffe["off"].columns
        return tuple(Shift(columns, "Luftwaffe", "7.0.7") for marker in committed(at, battle) if marker == "off")

    def modifiers(self, at: Position, battle: Battle) -> tuple[Shift, ...]:
        """7.0.8, 10.3.2: two off the roll for each Def AS; the result stays within the table."""
        points = self.world.numbers.luftwaffe["def"].roll
        return tuple(Shift(points, "Luftwaffe", "7.0.8") for marker in committed(at, battle) if marker == "def")

    def announced(self, play: Play, battle: Battle) -> None:
        """10.1.2: the Axis may use the Luftwaffe before the die is rolled."""
        ask_for_support(play, battle)

    def convert(self, at: Position, battle: Battle, outcome: Outcome) -> tuple[Outcome, str]:
        """10.4.12, 12.2.1: in a city with a Supreme Command Order each hex of retreat is a step loss instead."""
        if battle.target not in at.state.orders or battle.side == "axis" or not outcome.retreat:
            return outcome, ""
        return Outcome(outcome.name, outcome.attacker, outcome.defender + outcome.retreat, 0), "12.2.1"


def is_unbridged(world: TowWorld, origin: str, target: str) -> bool:
    """Whether an unbridged major river lies between two adjacent hexes."""
    return MAJOR in world.board.side(origin, target) and not world.chart.is_bridged(world.board, origin, target, MAJOR)


class TowRetreat(RetreatRules):
    """10.4: a retreat leads anywhere, hex by hex towards a source, by a way with the fewest losses (10.4.3).

    Units of a stack may separate (10.4.2); minor rivers do not matter (10.4.7), and no hex is entered twice (10.4.11).
    """

    world: TowWorld
    overflow = None

    def why_not_into(self, at: Position, unit: str, path: Path, label: str) -> Why | None:
        """10.4.8: unbridged, a major river is crossed only from a hex on a major river; 10.4.9: never from zone to zone."""
        why, here, board = super().why_not_into(at, unit, path, label), path[-1], self.world.board
        if why or MAJOR not in board.side(here, label):
            return why
        sentence = f"{unit} may not go on from {here} into {label}"
        if self.from_zone_to_zone(at, unit, here, label):
            return "retreat.barred.zone", sentence
        on_river = any(MAJOR in board.side(path[0], near) for near in board.neighbours(path[0]))
        return ("retreat.barred", sentence) if is_unbridged(self.world, here, label) and not on_river else None

    def from_zone_to_zone(self, at: Position, unit: str, here: str, label: str) -> bool:
        """10.4.9: whether a step leads from an enemy zone into an enemy zone."""
        side = self.world.units[unit].side
        return in_enemy_zone(at, side, here) and in_enemy_zone(at, side, label)

    def has_room(self, at: Position, unit: str, label: str) -> bool:
        """10.4.6; 5.0.5: a headquarters that comes to another is relocated and does not go on."""
        return self.world.units[unit].arm == HQ or super().has_room(at, unit, label)

    def measures(self) -> tuple[Measure, ...]:
        """10.4.5: after the losses, the nearest source and room."""
        return (*super().measures(), self.from_source, self.too_many)

    def from_source(self, at: Position, unit: str, ways: Sequence[RetreatOption]) -> Sequence[int]:
        """10.4.5: how far the last hex demanded is from the nearest source of supply, the Airborne marker included."""
        side, distance = self.world.units[unit].side, self.world.board.distance
        drop, ends = at.state.airborne if side == "soviet" else "", [way.path[-1 - way.overflow] for way in ways]
        distances = [self._source_distances[side][label] for label in ends]
        return [min(far, distance(label, drop)) for far, label in zip(distances, ends, strict=True)] if drop else distances

    @cached_property
    def _source_distances(self) -> Mapping[str, Mapping[str, int]]:
        """Side -> hex -> how far the nearest source on the map is."""
        board = self.world.board
        return {
            side: {label: min((board.distance(label, hex) for hex in hexes), default=board.size) for label in board.labels}
            for side, hexes in self.world.supply.sources.items()
        }

    def too_many(self, at: Position, unit: str, ways: Sequence[RetreatOption]) -> Sequence[int]:
        """10.4.5: whether the last hex demanded would be over the stacking limit."""
        return [int(not has_room(at, unit, way.path[-1 - way.overflow])) for way in ways]

    def ends(self, at: Position, unit: str, ways: Iterable[Way], longer: Longer) -> Iterator[RetreatOption]:
        """10.4.6: where there is no room, a retreat goes on, each further hex chosen like the last one demanded."""
        for path, losses in ways:
            yield from self.onward(at, unit, RetreatOption(path, losses, 0), longer)

    def onward(self, at: Position, unit: str, way: RetreatOption, longer: Longer) -> list[RetreatOption]:
        """10.4.6: a way if there is room at its end; else the ways by which it goes on to the best hexes that lead anywhere."""
        if self.has_room(at, unit, way.path[-1]):
            return [way]
        further = [RetreatOption(path, losses, 0) for path, losses in longer(way.path, way.losses)]
        ranked = zip(self.ranks(at, unit, further), further, strict=True)
        choices = grouped((rank, replace(option, overflow=way.overflow + 1)) for rank, option in ranked)
        for rank in sorted(choices):
            found = [end for choice in choices[rank] for end in self.onward(at, unit, choice, longer)]
            if found:
                return found
        return []

    def retreated(self, play: Play, unit: str) -> None:
        """5.0.5: two headquarters in a hex: the one that came is relocated."""
        counters = self.world.units
        if counters[unit].arm == HQ and sum(counters[other].arm == HQ for other in stack(play, play.state.locations[unit])) > 1:
            lift(play, unit, "5.0.5")


class TowPursuit(PursuitRules):
    """10.5: mechanised units pursue farther, and headquarters go along; neither points nor zones matter (10.5.4).

    A unit that enters a place takes it, as in movement (10.5.11).
    """

    world: TowWorld

    def hexes(self, arm: str) -> int:
        """10.5.2: by the class of the arm."""
        classes, farthest = self.world.numbers.classes, self.world.numbers.pursuit
        return farthest.mechanized if arm in classes.mechanized else farthest.other if arm in classes.other else 0

    def why_not_into(self, at: Position, unit: str, path: Path, label: str) -> Why | None:
        """10.5.6: the second hex may be any, even that from which the unit came; 10.5.9: not across an unbridged major river."""
        why = super().why_not_into(at, unit, path[-1:], label)
        if why or len(path) < 2 or not is_unbridged(self.world, path[-1], label):
            return why
        return "pursuit.barred", f"the pursuit of {unit} may not lead from {path[-1]} into {label}"

    def stops(self, at: Position, unit: str, origin: str, target: str) -> str:
        """10.5.8: a unit that crosses an unbridged major river stops."""
        return "pursuit.far.stop" if is_unbridged(self.world, origin, target) else ""

    def begin(self, at: Position, seat: str, target: str, attackers: tuple[str, ...]) -> Pursuing:
        """10.5.3: the attackers that are left, and the headquarters in their hexes."""
        counters, hexes = self.world.units, dict.fromkeys(at.state.locations[unit] for unit in attackers)
        troops = tuple(unit for unit in attackers if counters[unit].arm != HQ)
        leaders = tuple(unit for label in hexes for unit in stack(at, label) if counters[unit].arm == HQ)
        fought = tuple(unit for unit in leaders if unit in attackers)
        return Accompanied(seat, (*troops, *leaders), target, fought)


@record
class Accompanied(Pursuing):
    """10.5: attackers pursue one by one; 10.5.3: a headquarters may go along with those it was stacked with."""

    kind = "accompanied"
    fought: tuple[UnitName, ...] = ()
    """The headquarters that took part in the attack."""
    gone: tuple[tuple[HexName, ...], ...] = ()
    """The ways that attackers have gone."""

    def _ways(self, at: Position, unit: str) -> list[Path]:
        """10.5.3: the ways of those with whom a headquarters was stacked; one hex, if it took part itself."""
        here = at.state.locations[unit]
        ways = [way for way in self.gone if way[0] == here]
        if unit in self.fought:
            ways.append((here, self.target))
        return [way for way in dict.fromkeys(ways) if has_room(at, unit, way[-1])]

    def choices(self, at: Position, unit: str) -> ActionSet:
        """Every way it may follow."""
        if at.world.units[unit].arm != HQ:
            return Pursuing.choices(self, at, unit)
        return Explained([Pursue(unit, way) for way in self._ways(at, unit)], partial(self._why_not_along, at))

    def _why_not_along(self, at: Position, action: Pursue) -> Refusal | None:
        if action.path in self._ways(at, action.unit):
            return None
        if len(action.path) > 1 and has_room(at, action.unit, action.path[-1]):
            return against(at, "pursuit.headquarters", f"{action.unit} goes only where attackers of its stack have gone")
        rules: PursuitRules = at.world.pursuit
        return rules.why_not(at, action.unit, self.target, action.path)

    def act(self, play: Play, action: Pursue) -> None:
        """Follow, and remember the way."""
        if play.world.units[action.unit].arm != HQ:
            play.replace(replace(play.state.stack[-1], gone=(*self.gone, action.path)))
        go(play, action.unit, action.path, self.topic, Manner.PURSUES)
