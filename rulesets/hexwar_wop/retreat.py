"""14.18 to 14.30: retreats of either side, as printed or towards the army, and what enemy zones cost (10.14, 10.15)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar, TypeAlias, get_args

from hexwar.board import CLOSED
from hexwar.engine import ActionSet, Explained, Play, Position, record
from hexwar.errors import Refusal
from hexwar.grouping import grouped
from hexwar.mechanics import HexName, Measure, Path, Retreat, RetreatOption, RetreatRules, go, in_enemy_zone, occupant
from hexwar.pieces import Manner, OneByOne, UnitName, eliminate, face, stands
from hexwar_wop.content import HEADQUARTERS, TRAIN, Direction
from hexwar_wop.fighting import StackBeaten
from hexwar_wop.flights import is_delayed
from hexwar_wop.losses import LosingLevels
from hexwar_wop.modifiers import is_open, troops
from hexwar_wop.recreation import lose_markers

if TYPE_CHECKING:
    from hexwar_wop.world import WopState, WopWorld

    At: TypeAlias = Position[WopState, WopWorld]
    Doing: TypeAlias = Play[WopState, WopWorld]

DIRECTIONS: tuple[str, ...] = get_args(Direction)


class WopRetreat(RetreatRules):
    """14.19 to 14.28: every step leads away from the hex that is left; then the first choice that is possible counts."""

    world: WopWorld

    foes: Collection[str] | None = None
    """The hexes that a retreat leads away from; the enemies around, by default."""

    def away_from(self, foes: Collection[str]) -> WopRetreat:
        """14.22.a: these rules for a retreat from the hexes of attackers, or of defenders if attackers are thrown back."""
        rules = copy(self)
        rules.foes = foes
        return rules

    def ways(self, at: At, unit: str, hexes: int) -> Iterator[RetreatOption]:
        """14.19, 14.20: all ways out by some hexes; 10.14.a: tests of morale cost steps, which nobody knows beforehand."""
        return (RetreatOption(path, self._zones(at, unit, path), 0) for path in self.paths(at, unit, hexes))

    def measures(self) -> tuple[Measure, ...]:
        """14.22: all ways of the first choice that is possible are open to the owner."""
        return (self.choices,)

    def choices(self, at: At, unit: str, ways: Sequence[RetreatOption]) -> list[int]:
        """14.22.a, 14.27: whether each way is a first, second, third or fourth choice."""
        away = self.enemies_around(at, unit) if self.foes is None else self.foes
        choice = self.train_choice if self.world.units[unit].arm == TRAIN else self.choice
        return [choice(at, unit, way.path, away) for way in ways]

    def paths(self, at: At, unit: str, hexes: int) -> list[Path]:
        """All ways out by some hexes, whether better or worse: 11.4, 14.30: none for what cannot move."""
        if not face(at, unit).move:
            return []
        return self.along_rails(at, unit, hexes) if self.world.units[unit].arm == TRAIN else self.outward(at, unit, hexes)

    def driven(self, at: At, headquarters: str, hexes: int, foe: str) -> list[Path]:
        """9.23.a: the ways on which the enemy may drive a lone headquarters off: all in the printed directions of its side.

        Where there is none, it goes as in a retreat.
        """
        side, found = self.world.units[headquarters].side, self.paths(at, headquarters, hexes)
        printed = [way for way in found if self._as_printed(side, way)]
        return printed or [option.path for option in self.away_from((foe,)).best(at, headquarters, hexes)]

    def enemies_around(self, at: At, unit: str) -> list[str]:
        """The hexes next to a unit in which enemy units stand."""
        near = self.world.board.around(at.state.locations[unit])
        return [*self.world.board.unmask(near & self._troops_against(at, unit))]

    def _troops_against(self, at: At, unit: str) -> int:
        """The mask of the hexes in which enemy units of a unit stand; headquarters do not count."""
        [enemy] = self.world.enemies(self.world.units[unit].side)
        return self.world.supply.troops(at, enemy)

    def _hostile(self, at: At, unit: str, label: str) -> bool:
        return occupant(at, label) in self.world.enemies(self.world.units[unit].side)

    def _zones(self, at: At, unit: str, path: Path) -> int:
        """10.14.a: every hex that is entered counts, the first one does not."""
        return sum(is_watched(at, self.world.units[unit].side, label) for label in path[1:])

    def outward(self, at: At, unit: str, hexes: int) -> list[Path]:
        """14.20, 14.22.a, 14.23: the ways on which each step leads farther away from the first hex, over open ground."""
        board, counter, start = self.world.board, self.world.units[unit], at.state.locations[unit]
        steps, free = self.world.reaches.costs(counter.arm, "", counter.side), ~at.state.layout.closed_to(counter.side)
        ways: list[tuple[int, ...]] = [(board.index(start),)]
        for far in range(1, hexes + 1):
            ring = board.near(start, far) & ~board.near(start, far - 1) & free
            ways = [
                (*way, n)
                for way in ways
                for d, delta in enumerate(board.deltas)
                if ring >> (n := way[-1] + delta) & 1 and steps[d][way[-1]] != CLOSED
            ]
        return [tuple(map(board.label, way)) for way in ways]

    # -- 14.22 which way

    def choice(self, at: At, unit: str, path: Path, foes: Collection[str]) -> int:
        """14.22.1 to 14.22.4: whether a way is a first, second, third or fourth choice."""
        board, hexes, end = self.world.board, len(path) - 1, path[-1]
        if any(board.distance(end, foe) < hexes for foe in foes):
            return 4
        clear = not board.around(end) & self._troops_against(at, unit)
        if self.is_prescribed(at, unit, path):
            return 1 if clear or hexes == 1 else 2
        return 3 if clear else 4

    def is_prescribed(self, at: At, unit: str, path: Path) -> bool:
        """14.21.a: whether all steps lead in directions of the side; 14.21.b: or all of them nearer to its army."""
        board = self.world.board
        return self._as_printed(self.world.units[unit].side, path) or any(
            all(board.distance(there, army) < board.distance(here, army) for here, there in pairwise(path))
            for army in self.armies(at, unit)
        )

    def _as_printed(self, side: str, path: Path) -> bool:
        """14.21.a: whether all steps lead in directions of a side."""
        return all(self.world.board.direction(here, there) in self._printed[side] for here, there in pairwise(path))

    @cached_property
    def _printed(self) -> dict[str, set[int]]:
        """Side -> the directions of its retreats."""
        retreat = self.world.scenario.retreat
        return {side: {DIRECTIONS.index(direction) for direction in directions} for side, directions in retreat.items()}

    def armies(self, at: At, unit: str) -> list[str]:
        """14.21.b: where the headquarters of the unit's army is; for an independent unit, where the nearest are."""
        kept, key = at.state.layout.memo, ("armies", unit)
        found: list[str] | None = kept.get(key)
        if found is None:
            found = kept[key] = self._armies(at, unit)
        return found

    def _armies(self, at: At, unit: str) -> list[str]:
        units, counter = self.world.units, self.world.units[unit]
        own = counter.army or (units[counter.formation].army if counter.formation else "")
        if own:
            return [at.state.locations[own]] if stands(at, own) else []
        of_side = [hq.id for hq in self.world.headquarters[counter.side].values() if hq.level == "army" and hq.id != unit]
        places = [at.state.locations[hq] for hq in of_side if stands(at, hq)]
        distances = {label: self.world.board.distance(at.state.locations[unit], label) for label in places}
        return [label for label, far in distances.items() if far == min(distances.values())]

    # -- 14.27, 14.28 armoured trains

    def along_rails(self, at: At, unit: str, hexes: int) -> list[Path]:
        """14.27, 14.28.a: ways along the railway; past a single enemy unit, but not to it."""
        ways: list[Path] = [(at.state.locations[unit],)]
        for _ in range(hexes):
            ways = [
                (*way, label)
                for way in ways
                for label in self.world.board.neighbours(way[-1])
                if label not in way and is_open(at, unit, way[-1], label) and self.can_pass(at, unit, label)
            ]
        return [way for way in ways if not self._hostile(at, unit, way[-1])]

    def can_pass(self, at: At, unit: str, label: str) -> bool:
        """14.28.a: whether a train can go through a hex: not where more than one enemy unit is."""
        return not self._hostile(at, unit, label) or len(troops(at, label)) == 1

    def train_choice(self, at: At, unit: str, path: Path, foes: Collection[str]) -> int:
        """14.27: towards a base of its side, if possible."""
        far = self.world.supply.rail_distances[self.world.units[unit].side]
        lost = len(far) + 1
        return 1 if all(far.get(there, lost) < far.get(here, lost) for here, there in pairwise(path)) else 2

    # -- why not

    def refusal(self, at: At, unit: str, hexes: int, path: Sequence[str]) -> Refusal | None:
        """Why a unit may not retreat along a path."""
        found = {option.path: option for option in self.options(at, unit, hexes)}
        best = min((option.rank for option in found.values()), default=None)
        option = found.get(tuple(path))
        if option is None:
            return Refusal.against("14.22.a", f"{unit} does not retreat by {hexes} over {' '.join(path[1:])}")
        if option.rank == best:
            return None
        assert best is not None, "there are ways"
        return Refusal.against(f"14.22.{best[0]}", f"{unit} has a way that comes before the one to {path[-1]}")

    # -- 14.28 trains

    def passed(self, at: Position, train: str) -> int:
        """14.28.a: the hexes of a single enemy land unit, which a train runs past."""
        board, [enemy] = self.world.board, self.world.enemies(self.world.units[train].side)
        held = at.state.layout.held[enemy] & board.link_mask("rail")
        return board.mask([label for label in board.scattered(held) if self.runs_past(at, train, label)])

    def runs_past(self, at: Position, unit: str, label: str) -> bool:
        """14.28.a: whether a hex holds exactly one enemy land unit, and a train could run past it."""
        counter = self.world.units[unit]
        if counter.arm != TRAIN or not self.world.board.has_link(label, "rail"):
            return False
        return occupant(at, label) in self.world.enemies(counter.side) and len(troops(at, label)) == 1


@record
class FallingBack(OneByOne):
    """14.18 to 14.26: units that retreat from a hex, each by its own way (14.24); headquarters go with them."""

    kind = "falling-back"
    shows = ("retreat", "path")
    says = "Retreat {waiting} from {origin} by {hexes}."
    clause: ClassVar[str] = "14.19"
    may_stop = False
    origin: HexName
    hexes: int
    foes: tuple[HexName, ...]
    """The hexes that the retreat leads away from."""
    attacked: bool = True
    """14.3.c: whether they were attacked, and are not thrown back from an attack of their own."""
    gone: tuple[tuple[UnitName, tuple[HexName, ...]], ...] = ()
    """Who has retreated, and by which way."""
    trapped: bool = False
    """14.26: whether a unit found no way."""

    def waiting(self, at: Position) -> tuple[str, ...]:
        """14.18: units first, then headquarters."""
        left = OneByOne.waiting(self, at)
        units = tuple(unit for unit in left if at.world.units[unit].arm != HEADQUARTERS)
        return units or left

    def ways(self, at: Position, unit: str) -> list[Path]:
        """The ways of a unit; 14.18: a headquarters takes one of those that units of its hex have taken."""
        key = ("ways out", unit, self.hexes, self.foes, self.gone)
        found: list[Path] | None = at.memo.get(key)
        if found is None:
            found = at.memo[key] = self._find(at, unit)
        return found

    def _find(self, at: Position, unit: str) -> list[Path]:
        if at.world.units[unit].arm != HEADQUARTERS:
            return [option.path for option in self._rules(at).best(at, unit, self.hexes)]
        taken = sorted({path for _, path in self.gone})
        if not face(at, unit).move:  # 9.26
            return []
        along = [path for path in taken if all(is_open(at, unit, here, there) for here, there in pairwise(path))]
        if along or not any(at.world.units[other].arm == TRAIN for other, _ in self.gone):
            return along
        # 13.13: where no headquarters follows a train along the rails, it goes as far by a way of its own.
        return [option.path for option in self._rules(at).best(at, unit, self.hexes)]

    def deciders(self, at: Position) -> tuple[str, ...]:
        """The owner, as soon as everybody who is left has a choice."""
        waiting = self.waiting(at)
        return (self.seat,) if waiting and all(len(self.ways(at, unit)) > 1 for unit in waiting) else ()

    def choices(self, at: Position, unit: str) -> ActionSet:
        """Its ways."""
        ways = [Retreat(unit, path) for path in self.ways(at, unit)]
        if at.world.units[unit].arm == HEADQUARTERS:
            goes_along = Refusal.against("14.18", f"{unit} goes where units of its hex have gone")
            return Explained(ways, lambda action: None if action in ways else goes_along, Retreat)
        return Explained(ways, lambda action: self._rules(at).refusal(at, unit, self.hexes, action.path), Retreat)

    def _rules(self, at: Position) -> WopRetreat:
        rules: WopRetreat = at.world.retreat
        return rules.away_from(self.foes)

    def act(self, play: Play, action: Retreat) -> None:
        """14.20: go, whatever it would cost in movement."""
        step: FallingBack = play.state.stack[-1]
        play.replace(replace(step, gone=(*step.gone, (action.unit, action.path))))
        go(play, action.unit, action.path, "retreat", Manner.RETREATS)

    def resume(self, play: Play) -> None:
        """Do what needs no decision; when all have gone, see what the way has cost."""
        waiting = self.waiting(play)
        if not waiting:
            play.pop()
            self._pay(play)
            return
        unit = next(unit for unit in waiting if len(self.ways(play, unit)) < 2)
        ways, headquarters = self.ways(play, unit), play.world.units[unit].arm == HEADQUARTERS
        self.strike_off(play, unit)
        if ways:
            self.act(play, Retreat(unit, ways[0]))
        elif headquarters and not (self.gone or self.trapped):
            return  # 14.18: it is alone now, and that is another rule (9.25)
        elif not face(play, unit).move:
            eliminate(play, unit, "retreat.immobile.headquarters" if headquarters else "retreat.immobile")
        else:
            play.replace(replace(play.state.stack[-1], trapped=True))
            eliminate(play, unit, "retreat.none")

    def _pay(self, play: Play) -> None:
        """10.14, 14.25.a: those that took the same way are tested together, on the best morale, for each hex in an enemy zone."""
        counters = play.world.units
        fought = tuple(unit for unit, _ in self.gone if counters[unit].arm != HEADQUARTERS)
        if self.attacked and fought:
            play.emit(StackBeaten(fought, clause="14.3.c"))
            lose_markers(play, fought)
        for path, units in grouped((path, unit) for unit, path in self.gone).items():
            side = counters[units[0]].side
            watched = [label for label in path[1:] if is_watched(play, side, label)]
            for unit in units:
                if counters[unit].arm == HEADQUARTERS:
                    _pass_zones(play, unit, watched)
                elif counters[unit].arm == TRAIN:
                    run_past(play, unit, path)
            stack = tuple(unit for unit in units if unit in fought and stands(play, unit))
            failures = _failures(play, stack, watched) if stack else 0
            if failures:
                play.push(LosingLevels(self.seat, stack, failures))


def is_watched(at: Position, side: str, label: str) -> bool:
    """10.14.a, 14.25.b: whether a retreat through a hex is tested: for an enemy zone, or enemy air units that delay there."""
    return in_enemy_zone(at, side, label) or is_delayed(at, side, label)


def _failures(play: Play, units: Sequence[str], hexes: Sequence[str]) -> int:
    """10.14.a, 10.14.b: tests of morale that a stack fails, one for each hex."""
    best = max(units, key=lambda unit: play.world.units[unit].morale)
    morale = play.world.units[best].morale
    rolls = [play.roll(f"{best} in the zone over {label} ({morale})", clause="10.14.a", sides=10, lowest=0) for label in hexes]
    return sum(rolled > morale for rolled in rolls)


def _pass_zones(play: Play, headquarters: str, hexes: Sequence[str]) -> None:
    """10.15: a headquarters that retreats with units needs no more than its rating for each hex in a zone."""
    rating = play.world.units[headquarters].rating
    for label in hexes:
        if play.roll(f"{headquarters} in the zone over {label} ({rating})", clause="10.15", sides=10, lowest=0) > rating:
            eliminate(play, headquarters, "retreat.zone.headquarters")
            return


def run_past(play: Play, train: str, path: Path) -> None:
    """14.28.b: a train that runs past an enemy unit may be lost."""
    low, high = play.world.printed.tables.passing.train_eliminated
    for label in path[1:]:
        if occupant(play, label) not in play.world.enemies(play.world.units[train].side):
            continue
        if low <= play.roll(f"{train} runs past {label}", clause="14.28.b", sides=10, lowest=0) <= high:
            eliminate(play, train, "retreat.train")
            return
