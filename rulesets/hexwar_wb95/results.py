"""Results: losses and retreats that the suffering side divides, disorganisation, flight and pursuit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hexwar.board import CLOSED
from hexwar.engine import Action, ActionSet, Choices, Concern, Explained, Play, Position, record
from hexwar.errors import Refusal
from hexwar.grouping import grouped
from hexwar.mechanics import (
    Battle,
    Pursue,
    Pursuing,
    PursuitRules,
    Retreat,
    Retreating,
    RetreatOption,
    RetreatRules,
    go,
    has_room,
    in_enemy_zone,
    occupant,
    stack,
)
from hexwar.pieces import Losing, Manner, Outcome, TopicStep, Why, against, eliminate, lose_step, standing, stands
from hexwar_wb95.content import GUN, halves
from hexwar_wb95.movement import MARCH, set_formation
from hexwar_wb95.overruns import extra, run_over
from hexwar_wb95.state import Disorganised, Fled, is_fresh
from hexwar_wb95.zones import LARGE_RIVER

if TYPE_CHECKING:
    from hexwar_wb95.state import At, Doing
    from hexwar_wb95.world import Wb95World

Path = tuple[str, ...]
ROLLS = 3
"""result.4: the most rolls of a unit."""
BEYOND = 2
"""pursuit.6: the hexes of a pursuit where no unit got away."""


# -- losses ---------------------------------------------------------------------------------------------------------------


def lone_headquarters_die(play: Doing, seat: str, battle: Battle, outcome: Outcome) -> None:
    """combat.5."""
    if play.world.combat.is_lone_headquarters(play, battle):
        for unit in play.world.combat.defenders(play, battle):
            eliminate(play, unit, "combat.headquarters")


def _lose(play: Doing, seat: str, side: str, units: Sequence[str], steps: int, *, first: bool) -> None:
    """result.5, star.3: the side takes losses where it likes, but the first from a unit whose star counted."""
    units = standing(play, units)
    if not units or not steps:
        return
    starred = play.world.stars.units(play, units) if first and side in play.state.starred else []
    if starred and steps > 1:
        play.push(Losing(seat, tuple(units), steps - 1))
    play.push(Losing(seat, tuple(starred), 1) if starred else Losing(seat, tuple(units), steps))


def attackers_lose(play: Doing, seat: str, battle: Battle, outcome: Outcome) -> None:
    """result.1, result.5: the attacker's -n."""
    _lose(play, seat, battle.side, battle.attackers, outcome.attacker, first=True)


def defenders_lose(play: Doing, seat: str, battle: Battle, outcome: Outcome) -> None:
    """result.1, result.5: the defender's -n."""
    enemy = play.world.enemies(battle.side)[0]
    _lose(play, play.world.seat_for(enemy), enemy, play.state.defending, outcome.defender, first=True)


def attackers_go_back(play: Doing, seat: str, battle: Battle, outcome: Outcome) -> None:
    """result.2."""
    units = standing(play, battle.attackers)
    if outcome.repulse and units:
        play.push(Yielding(seat, battle, units, outcome.repulse, outcome.repulse, not outcome.attacker))


def defenders_go_back(play: Doing, seat: str, battle: Battle, outcome: Outcome) -> None:
    """result.3, fs.6."""
    units = standing(play, play.world.combat.defenders(play, battle))
    if outcome.retreat and units:
        stay = play.world.forts.losses_of_staying(play, battle, outcome.retreat)
        enemy = play.world.seat_for(play.world.enemies(battle.side)[0])
        staying = outcome.retreat if stay is None else stay
        play.push(Yielding(enemy, battle, units, outcome.retreat, staying, not outcome.defender))


# -- the choice between retreat and losses ----------------------------------------------------------------------------------


@record
class Yield(Action):
    """Go back some hexes, and lose steps for the others."""

    kind = "yield"
    says = "go back by {hexes}"
    hexes: int


@record
class Yielding(TopicStep):
    """result.2, result.3: a side divides a result between retreat and losses."""

    kind = "yielding"
    topic = "yield"
    seat: str
    battle: Battle
    units: tuple[str, ...]
    """Those who go back, or lose."""
    hexes: int
    """To be divided."""
    staying: int
    """fs.6: the losses of those who stay."""
    first: bool
    """star.3: whether they have had no losses yet."""

    def farthest(self, at: At) -> int:
        """retreat.5: how far any of them gets."""
        key = ("farthest", self.units, self.hexes)
        found: int | None = at.memo.get(key)
        if found is None:
            found = at.memo[key] = max([farthest(at, unit, self.hexes) for unit in standing(at, self.units)], default=0)
        return found

    def deciders(self, at: Position) -> tuple[str, ...]:
        """The side, if there is a choice."""
        return (self.seat,) if self.farthest(at) else ()

    def concern(self, at: Position, seat: str) -> Concern:
        """Those who go back, or lose."""
        return Concern(standing(at, self.units))

    def cost(self, at: Position, action: Action) -> float:
        """The steps that are lost besides."""
        return self._losses(action.hexes) if isinstance(action, Yield) else 0

    def _losses(self, back: int) -> int:
        return self.hexes - back if back else self.staying

    def prompt(self, at: Position, seat: str) -> str:
        """What is to be divided."""
        kept = f" ({self.staying} for staying in the fortress)" if self.staying != self.hexes else ""
        return f"Go back by how many of {self.hexes} hexes? Each other one costs a step{kept}."

    def actions(self, at: Position, seat: str) -> ActionSet:
        """Each number that somebody can go."""

        def why_not(action: Action) -> Refusal | None:
            far = isinstance(action, Yield) and not 0 <= action.hexes <= self.farthest(at)
            return against(at, "yield.far", f"nobody gets farther than {self.farthest(at)} hexes") if far else None

        return Choices([Yield(number) for number in range(self.farthest(at) + 1)], why_not)

    def perform(self, play: Play, seat: str, action: Action) -> None:
        """Divide it."""
        assert isinstance(action, Yield)
        self._divide(play, action.hexes)

    def resume(self, play: Play) -> None:
        """No unit can move."""
        self._divide(play, 0)

    def _divide(self, play: Play, back: int) -> None:
        play.pop()
        side = play.world.seats[self.seat]
        units = standing(play, self.units)
        if back:
            stacks = grouped((play.state.locations[unit], unit) for unit in units)
            for label in reversed(stacks):
                play.push(Fleeing(self.seat, tuple(stacks[label]), label, back))
        fresh = [unit for unit in units if side == self.battle.side or is_fresh(play, unit)]
        _lose(play, self.seat, side, fresh, self._losses(back), first=self.first)


def farthest(at: At, unit: str, hexes: int) -> int:
    """retreat.5: how far a unit could retreat, up to some hexes."""
    return next((far for far in range(hexes, 0, -1) if at.world.retreat.is_possible(at, unit, far)), 0)


# -- retreat --------------------------------------------------------------------------------------------------------------


def _why_no_ford(at: At, topic: str, origin: str, label: str) -> Why | None:
    """retreat.2: a large river is crossed by bridge only."""
    if LARGE_RIVER in at.world.board.side(origin, label) and not at.world.bridges.stands(at, origin, label):
        return f"{topic}.closed", f"no bridge leads over the large river from {origin} to {label}"
    return None


def _beyond_formation(at: At, unit: str, path: Path, label: str, why: Why | None) -> Why | None:
    """art.9, art.10: a gun that retreats or pursues goes as on the march, whatever its formation."""
    counter, board = at.world.units[unit], at.world.board
    if why is None or not counter.is_gun or unit in at.state.marching or label in path:
        return why
    open_to_it = at.world.reaches.costs_of(at, unit, MARCH)[board.direction(path[-1], label)][board.index(path[-1])] != CLOSED
    return None if open_to_it and occupant(at, label) in (None, counter.side) else why


class Wb95Retreat(RetreatRules):
    """retreat.1 to retreat.5."""

    world: Wb95World

    def why_not_into(self, at: Position, unit: str, path: Path, label: str) -> Why | None:
        """retreat.1 to retreat.3: away from the start, by bridges, into no enemy zone without a friend."""
        why = _beyond_formation(at, unit, path, label, super().why_not_into(at, unit, path, label))
        why = why or _why_no_ford(at, "retreat", path[-1], label)
        if why:
            return why
        if self.world.board.distance(path[0], label) != len(path):
            return "retreat", f"{label} does not lead away from {path[0]}"
        side = self.world.units[unit].side
        if in_enemy_zone(at, side, label) and not stack(at, label):
            return "retreat.zone.alone", f"{label} is in an enemy zone of control, and no friend is there"
        return None

    def hurts(self, at: Position, unit: str, label: str) -> bool:
        """retreat.4: a hex in an enemy zone, for which no unit of the stack has paid."""
        return super().hurts(at, unit, label) and label not in at.state.paid


@record
class Fleeing(Retreating):
    """Retreat: each unit goes as far as it gets, and loses a step for each hex that is missing."""

    kind = "retreating"

    def far(self, at: At, unit: str) -> int:
        """retreat.5: how far a unit goes."""
        key = ("far", unit, self.hexes)
        found: int | None = at.memo.get(key)
        if found is None:
            found = at.memo[key] = farthest(at, unit, self.hexes)
        return found

    def best(self, at: Position, unit: str) -> list[RetreatOption]:
        """The ways among which the owner may choose."""
        key, far = ("retreats", unit, self.hexes), self.far(at, unit)
        found: list[RetreatOption] | None = at.memo.get(key)
        if found is None:
            found = at.memo[key] = at.world.retreat.best(at, unit, far) if far else []
        return found

    def deciders(self, at: Position) -> tuple[str, ...]:
        """The owner, if there is a choice of way or of order."""
        waiting = self.waiting(at)
        if len(waiting) == 1:
            return (self.seat,) if len(self.best(at, waiting[0])) > 1 else ()
        return (self.seat,) if any(self.best(at, unit) for unit in waiting) else ()

    def choices(self, at: Position, unit: str) -> ActionSet:
        """Its best ways."""
        ways, far = [Retreat(unit, option.path) for option in self.best(at, unit)], self.far(at, unit)
        return Explained(ways, lambda action: at.world.retreat.why_not(at, unit, far or self.hexes, action.path), Retreat)

    def resume(self, play: Play) -> None:
        """Do what needs no decision: of several units, those that cannot go do not wait for the others."""
        waiting = self.waiting(play)
        if not waiting:
            play.pop()
            return
        unit, best = waiting[0], self.best(play, waiting[0])
        self.strike_off(play, unit)
        if best:
            self.act(play, Retreat(unit, best[0].path))
        else:
            _pay(play, unit, self.hexes, "retreat.none")

    def act(self, play: Play, action: Retreat) -> None:
        """retreat.4, retreat.5, art.10, result.4: go, pay, change formation, roll."""
        unit, path, left = action.unit, action.path, play.state.steps_left[action.unit]
        costly = play.world.retreat.costly_hexes(play, unit, path)[:left]
        if len(costly) == left:
            path = path[: costly[-1] + 1]
        go(play, unit, path, self.topic, Manner.RETREATS)
        play.emit(Fled(unit, path, tuple([path[number] for number in costly]), clause="pursuit.2"))
        _pay(play, unit, len(costly), "retreat.zone")
        _pay(play, unit, self.hexes - (len(action.path) - 1), "retreat.none")
        if stands(play, unit) and play.world.units[unit].is_gun:
            set_formation(play, unit, marching=True, clause="art.10")
        for _ in range(min(ROLLS, len(path) - 2)):
            roll_for_order(play, unit, "result.4")


def _pay(play: Doing, unit: str, steps: int, topic: str) -> None:
    for _ in range(steps):
        if stands(play, unit):
            lose_step(play, unit, topic)


@record
class Chasing(Pursuing):
    """Pursuit, in which lone artillery and headquarters are overrun."""

    kind = "pursuing"
    home: str = ""
    """The hex of all attackers, "" if they stand in several: from one hex several may be attacked, and each unit pursues once."""

    def waiting(self, at: Position) -> tuple[str, ...]:
        """pursuit.1: not those that have pursued into another attacked hex."""
        waiting = Pursuing.waiting(self, at)
        return tuple([unit for unit in waiting if at.state.locations[unit] == self.home]) if self.home else waiting

    def act(self, play: Play, action: Pursue) -> None:
        """art.4."""
        run_over(play, action.unit, action.path)
        Pursuing.act(self, play, action)


# -- disorganisation --------------------------------------------------------------------------------------------------------


def roll_for_order(play: Doing, unit: str, clause: str) -> None:
    """result.4, result.6: a unit that still stands rolls for disorganisation."""
    if stands(play, unit):
        rolled = play.roll(f"disorganisation of {unit}", clause=clause)
        if rolled >= play.world.printed.tables.disorganisation.least:
            shake(play, unit, clause)


def shake(play: Doing, unit: str, clause: str) -> None:
    """disorg.1, disorg.2: a unit is disorganised, or gone if it was."""
    if unit in play.state.shaken:
        eliminate(play, unit, "disorganisation.again")
    else:
        play.emit(Disorganised(unit, clause=clause))


def suffer(play: Doing, units: Sequence[str], *, rolls: bool, shaken: bool) -> None:
    """result.6, result.7: each of some units rolls, or is disorganised."""
    for unit in standing(play, units):
        if rolls:
            roll_for_order(play, unit, "result.6")
        elif shaken:
            shake(play, unit, "result.7")


def both_are_shaken(play: Doing, seat: str, battle: Battle, outcome: Outcome) -> None:
    """result.6, result.7: those who stood in the battle, the attacker's first."""
    attacker, defender = halves(outcome.name)
    suffer(play, battle.attackers, rolls=attacker.rolls, shaken=attacker.shaken)
    suffer(play, play.state.defending, rolls=defender.rolls, shaken=defender.shaken)


# -- pursuit --------------------------------------------------------------------------------------------------------------


class Wb95Pursuit(PursuitRules):
    """pursuit.1 to pursuit.6."""

    world: Wb95World

    def trails(self, at: Position, target: str) -> list[Path]:
        """pursuit.2: the ways by which defenders fled from a hex; the hex alone if no unit got away."""
        found = [path for path in at.state.fled.values() if path[0] == target]
        return found or [(target,)]

    def distance(self, at: Position, target: str) -> int:
        """pursuit.2, pursuit.6: how many hexes a pursuer may go."""
        return max([len(trail) - 1 for trail in self.trails(at, target)]) or BEYOND

    def begin(self, at: Position, seat: str, target: str, attackers: tuple[str, ...]) -> Pursuing:
        """pursuit.1: lone artillery on the way is overrun."""
        homes = {at.state.locations[unit] for unit in attackers}
        return Chasing(seat, attackers, target, min(homes) if len(homes) == 1 else "")

    def why_not_into(self, at: Position, unit: str, path: Path, label: str) -> Why | None:
        """pursuit.3, art.4: ground, enemies who cannot be overrun, a large river."""
        why = _beyond_formation(at, unit, path, label, super().why_not_into(at, unit, path, label))
        if why and label not in path and extra(at, unit, label) is not None and self._is_open(at, unit, path[-1], label):
            why = None
        return why or _why_no_ford(at, "pursuit", path[-1], label)

    def _is_open(self, at: Position, unit: str, origin: str, label: str) -> bool:
        return self.world.reaches.can_step(at, unit, origin, label)

    def length(self, at: Position, unit: str, path: Path) -> int:
        """pursuit.2, art.4: the hexes that a pursuit uses up."""
        return len(path) - 1 + sum(extra(at, unit, label) or 0 for label in path[1:])

    def paths(self, at: Position, unit: str, target: str) -> list[Path]:
        """pursuit.1, pursuit.4, pursuit.5: along the way of flight, and one hex off it."""
        board, here, world = self.world.board, at.state.locations[unit], self.world
        if world.units[unit].arm == GUN or not is_fresh(at, unit) or not board.adjacent(here, target):
            return []
        limit, found = self.distance(at, target), dict[Path, None]()
        for trail in self.trails(at, target):
            for far in range(1, min(len(trail), limit) + 1):
                path = (here, *trail[:far])
                if self.why_not_into(at, unit, path[:-1], path[-1]) or self.length(at, unit, path) > limit:
                    break
                found[path] = None
                for label in sorted(board.neighbours(path[-1])):
                    longer = (*path, label)
                    if self.length(at, unit, longer) <= limit and not self.why_not_into(at, unit, path, label):
                        found[longer] = None
        return sorted([path for path in found if has_room(at, unit, path[-1])], key=lambda path: (len(path), path))

    def why_not(self, at: Position, unit: str, target: str, path: Path) -> Refusal | None:
        """Why a unit may not pursue along a path."""
        if path in self.paths(at, unit, target):
            return None
        board, here = self.world.board, at.state.locations[unit]
        if self.world.units[unit].arm == GUN:
            return against(at, "pursuit.gun", f"{unit} is artillery, which does not pursue")
        if not is_fresh(at, unit):
            return against(at, "pursuit", f"{unit} has retreated itself")
        if path[:2] != (here, target):
            return against(at, "pursuit", f"a pursuit leads from {here} to {target} first")
        for number, label in enumerate(path[1:], 1):
            if label not in board or not board.adjacent(path[number - 1], label):
                return against(at, "pursuit", f"{unit} cannot go from {path[number - 1]} to {label}")
            if why := self.why_not_into(at, unit, path[:number], label):
                return against(at, *why)
        if self.length(at, unit, path) > self.distance(at, target):
            return against(at, "pursuit.far", f"{unit} may not pursue so far as {path[-1]}")
        if not any(path[1:-1] == trail[: len(path) - 2] for trail in self.trails(at, target)):
            return against(at, "pursuit.off", f"{unit} must stop one hex off the way of flight")
        return against(at, "pursuit.room", f"there is no room for {unit} in {path[-1]}")
