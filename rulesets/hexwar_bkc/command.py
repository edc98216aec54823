"""command: orders, planned before they are tested, and what a failure costs."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from hexwar.engine import Action, ActionSet, AnyOf, Choices, Grouped, Heading, Listed, SeatName, Spot, record
from hexwar.errors import Refusal
from hexwar.pieces import Done, OneByOne, TopicStep, UnitAction, UnitName, against, unit_of
from hexwar.plane import SMOKE, contact, shadow
from hexwar_bkc.acting import ActingAgain, do, doings, why_not_able
from hexwar_bkc.blunders import blunder
from hexwar_bkc.charging import Charge, Support, edge_for, support_place
from hexwar_bkc.effects import Clear
from hexwar_bkc.fire import Fire, attack, why_not_fire
from hexwar_bkc.movement import AHEAD, March, Marches, go, in_words
from hexwar_bkc.observers import Calling, can_observe
from hexwar_bkc.state import Finished, OrderTested
from hexwar_bkc.transport import Dismount, Mount
from hexwar_bkc.world import CM, MIRE, REACTION, ROADS, At, Doing, is_within, placed, terrain_of, visible

HEAVY: dict[str, frozenset[str]] = {
    **dict.fromkeys(("foot", "boat", "command", "horse"), MIRE),
    **dict.fromkeys(("gun", "truck", "motorcycle"), MIRE | {"wood", "rough", "field", "built-up"}),
    **dict.fromkeys(("track", "cutter"), MIRE - {"marsh"} | {"wood", "rough", "field", "built-up"}),
}
"""command.19, command.20, command.21: class of movement -> heavy ground."""


@record
class Plan:
    """command.3: what a unit is to do if the order gets through.

    Args:
        unit: the unit.
        does: the kind of action.
        other: whom it concerns besides, such as the target of a shot.
        to: where it goes.
        heading: where it looks then.
        via: by which points.
    """

    unit: UnitName
    does: str = "march"
    other: str = ""
    to: Spot = (0, 0)
    heading: Heading = AHEAD
    via: tuple[Spot, ...] = ()

    @property
    def action(self) -> UnitAction:
        """The same as an action."""
        if self.does == "march":
            return March(self.unit, self.to, self.heading, self.via)
        made: UnitAction = PLANNED[self.does](self.unit, self.other)
        return made


PLANNED: Mapping[str, type[Any]] = {kind.kind: kind for kind in (Fire, Charge, Support, Mount, Dismount, Clear)}
"""What can be ordered besides marches; the second field of each says whom or what it concerns."""


def plan_of(action: UnitAction) -> Plan:
    """An action as a plan."""
    if isinstance(action, March):
        return Plan(action.unit, "march", "", action.to, action.heading, action.via)
    names: tuple[str, ...] = type(action).__match_args__
    return Plan(action.unit, action.kind, str(getattr(action, names[1])))


def goal(at: At, plan: Plan) -> Spot | None:
    """Where a plan leads, by its way's last point; None if the unit stays where it is."""
    if plan.does == "march":
        return plan.to
    if plan.does == "charge":
        edge = edge_for(at, plan.unit, plan.other)
        return contact(placed(at, plan.unit), placed(at, plan.other), edge).centre
    if plan.does == "support":
        found = support_place(at, plan.unit, plan.other)
        return found[1].centre if found else None
    return None


# -- the test -------------------------------------------------------------------------------------------------------------------


def modifiers(at: At, command: str, plans: Sequence[Plan]) -> list[tuple[int, str, str]]:
    """command.12 to command.18: value, words and clause of each that applies."""
    found: list[tuple[int, str, str]] = []
    state = at.state
    before = max((state.orders.get(plan.unit, 0) for plan in plans), default=0)
    reacted = any(plan.unit in state.reacted for plan in plans)
    worst = max((state.orders.get(plan.unit, 0) + (plan.unit in state.reacted) for plan in plans), default=0)
    if before:
        found.append((-before, f"{before} orders before", "command.12"))
    if reacted and worst > before:
        found.append((before - worst, "reacted", "command.13"))
    far = max((steps_away(at, command, plan.unit) for plan in plans if not _is_exempt(at, plan)), default=0)
    if far > 1:
        found.append((1 - far, "distance", "command.14"))
    if any(heavy_ground(at, plan) for plan in plans):
        found.append((-1, "heavy ground", "command.17"))
    if any(approaches(at, plan) for plan in plans):
        found.append((-1, "towards an enemy within 20 cm", "command.18"))
    return found


def steps_away(at: At, command: str, unit: str) -> int:
    """command.14, command.15: the distance in steps of 20 cm, from edge to edge."""
    steps = 1
    while not is_within(at, command, unit, 20 * CM * steps):
        steps += 1
    return steps


def _is_exempt(at: At, plan: Plan) -> bool:
    """command.16: who fires indirectly, or moves along a road alone, hears at any distance."""
    if plan.does == "fire":
        return at.world.units[plan.unit].indirect
    if plan.does != "march":
        return False
    me, path = placed(at, plan.unit), (*plan.via, plan.to)
    terrain = terrain_of(at)
    spots = [at.state.spots[plan.unit], *path]
    middles = [((a[0] + b[0]) // 2, (a[1] + b[1]) // 2) for a, b in itertools.pairwise(spots)]
    return all(terrain.on(me.moved(spot), ROADS) for spot in (*spots, *middles))


def heavy_ground(at: At, plan: Plan) -> bool:
    """command.17: whether a move enters, crosses or leaves heavy ground."""
    end = goal(at, plan)
    if end is None:
        return False
    kinds = HEAVY[at.world.units[plan.unit].arm] | {SMOKE}
    spots = [at.state.spots[plan.unit], *plan.via, end]
    legs = [(a, b) for a, b in itertools.pairwise(spots) if a != b]
    areas = [area.ring for area in terrain_of(at).areas if area.kind in kinds]
    touches = any(_enters(a, b, ring) for a, b in legs for ring in areas)
    return touches and not _is_exempt(at, plan)


def _enters(a: Spot, b: Spot, ring: Sequence[Spot]) -> bool:
    return shadow(a, b, tuple(ring), -1) == 3


def approaches(at: At, plan: Plan) -> bool:
    """command.18: whether a move ends nearer to a visible enemy that is within 20 cm at the start."""
    end = goal(at, plan)
    if end is None or end == at.state.spots[plan.unit]:
        return False
    (x, y), (ax, ay) = end, at.state.spots[plan.unit]
    for enemy in visible(at, plan.unit):
        ex, ey = at.state.spots[enemy]
        if is_within(at, plan.unit, enemy, REACTION) and (x - ex) ** 2 + (y - ey) ** 2 < (ax - ex) ** 2 + (ay - ey) ** 2:
            return True
    return False


# -- giving orders -----------------------------------------------------------------------------------------------------------


@record
class Begin(UnitAction):
    """command.1: a command unit gives an order."""

    kind = "begin"
    says = "{unit} gives an order"
    can = "give an order"
    unit: UnitName


def able_to_order(at: At, side: str) -> tuple[str, ...]:
    """command.1, supp.3: the command units that may give an order; of two of which one has begun, only that."""
    state, units = at.state, at.world.units
    chiefs = [
        unit
        for unit in state.spots
        if units[unit].side == side and units[unit].commands and unit not in state.finished and unit not in state.suppressed
    ]
    return tuple([chief for chief in chiefs if (can_observe if is_observer(at, chief) else orderable)(at, chief)])


def is_observer(at: At, command: str) -> bool:
    """artillery.3: whether a command unit directs artillery, and nothing else."""
    return at.world.units[command].formation == "fao"


def orderable(at: At, command: str) -> tuple[str, ...]:
    """The units that a command unit may name in an order."""
    side = at.world.units[command].side
    return tuple([unit for unit in at.world.of_side[side] if why_not_order(at, command, unit) is None])


def why_not_order(at: At, command: str, unit: str) -> Refusal | None:
    """command.7, command.8, command.9, supp.3: why a unit cannot be ordered by a command unit now."""
    state, model = at.state, at.world.units.get(unit)
    if model is None or not at.world.stands(state, unit) or model.side != at.world.units[command].side:
        return Refusal.against("command.2", f"{unit} is no unit of {at.world.units[command].side} on the table")
    if model.commands:
        return Refusal.against("command.36", f"{unit} is a command unit, which moves at the end of the phase")
    if unit in state.suppressed:
        return Refusal.against("supp.3", f"{unit} is suppressed")
    if state.leaders.get(unit, command) != command:
        return Refusal.against("command.7", f"{unit} has had its orders from {state.leaders[unit]}")
    if unit in state.closed:
        return Refusal.against("command.9", f"{unit} belongs to a formation that has been ordered before")
    return None


@record
class Commanding(TopicStep):
    """command.1: one command unit after the other gives its orders."""

    kind = "commanding"
    says = "Which command unit gives an order?"
    topic = "order"
    ending: ClassVar[str] = "End orders"
    seat: SeatName

    def deciders(self, at: At) -> tuple[str, ...]:
        """The player, while a command unit can give an order."""
        return (self.seat,) if able_to_order(at, at.world.seats[self.seat]) else ()

    def actions(self, at: At, seat: str) -> ActionSet:
        """Each command unit that can, or an end."""

        def why_not(action: object) -> Refusal | None:
            if not isinstance(action, Begin):
                return None
            if action.unit in able:
                return None
            if action.unit in at.state.finished:
                return Refusal.against("command.5", f"{action.unit} gives no more orders this turn")
            wrong = why_not_able(at, action.unit, seat)
            return wrong or against(at, "order", f"{action.unit} has nobody to order")

        able = able_to_order(at, at.world.seats[self.seat])
        return AnyOf([Done()], Choices([Begin(unit) for unit in able], why_not))

    def perform(self, play: Doing, seat: str, action: Action) -> None:
        """command.1: whoever began earlier has finished when another begins."""
        if not isinstance(action, Begin):
            play.pop()
            return
        for other in dict.fromkeys(play.state.leaders.values()):
            if other != action.unit and other not in play.state.finished:
                play.emit(Finished(other, clause="command.8"))
        calls = is_observer(play, action.unit)
        play.push(Calling(self.seat, action.unit) if calls else Ordering(self.seat, action.unit))

    def resume(self, play: Doing) -> None:
        """Nobody can give an order."""
        play.pop()


@record
class Issue(Action):
    """command.3: the order as it is planned is tested."""

    kind = "issue"
    says = "give the order"
    ends: ClassVar[bool] = True


@record
class Keep(Action):
    """command.5: the command unit gives no more orders."""

    kind = "keep"
    says = "give no more orders"
    ends: ClassVar[bool] = True


@record
class Ordering(TopicStep):
    """command.2, command.3: the player names units and what each is to do; then the dice decide."""

    kind = "ordering"
    says = "What is {command} to order? Planned: {planned}."
    lists = ("planned",)
    topic = "order"
    seat: SeatName
    command: UnitName
    plans: tuple[Plan, ...] = ()

    def planned(self, at: At) -> tuple[str, ...]:
        """The plans, in words."""
        return tuple([str(plan.action) for plan in self.plans]) or ("nothing",)

    def deciders(self, at: At) -> tuple[str, ...]:
        """The player."""
        return (self.seat,)

    def actions(self, at: At, seat: str) -> ActionSet:
        """A plan for a unit that has none, the test, or an end."""
        planned = {plan.unit for plan in self.plans}
        units = [unit for unit in orderable(at, self.command) if unit not in planned]

        def missing(action: Any) -> Refusal | None:
            if not isinstance(action, UnitAction):
                return None
            if action.unit in planned:
                return against(at, "order", f"{action.unit} has its plan in this order already")
            return why_not_order(at, self.command, action.unit)

        ends = Listed((Issue(),) if self.plans else (Keep(),))
        return Grouped(ends, units, lambda unit: doings(at, unit, command=self.command), unit_of, missing)

    def perform(self, play: Doing, seat: str, action: Action) -> None:
        """Note a plan, test the order, or finish."""
        if isinstance(action, UnitAction):
            play.replace(Ordering(self.seat, self.command, (*self.plans, plan_of(action))))
        elif isinstance(action, Keep):
            play.emit(Finished(self.command, clause="command.8"))
            play.pop()
        else:
            play.pop()
            test(play, self.seat, self.command, self.plans)

    def forecast(self, at: At, action: Action) -> tuple[tuple[str, str], ...]:
        """command.12 to command.18: what a plan would do to the order."""
        if not isinstance(action, Fire | March):
            return ()
        changes = modifiers(at, self.command, [*self.plans, plan_of(action)])
        return tuple([(f"{number:+d} {words}", clause) for number, words, clause in changes])

    def understood(self, at: At, seat: str, words: Sequence[str]) -> Iterable[Action]:
        """Marches in centimetres."""
        return in_words(at, words)


def test(play: Doing, seat: str, command: str, plans: tuple[Plan, ...]) -> None:
    """command.3 to command.6, command.25, command.26: two dice against the value."""
    found = modifiers(play, command, plans)
    value = play.world.units[command].value + sum(number for number, *_ in found)
    dice = play.dice(f"{command} orders", clause="command.3", dice=2)
    roll = sum(dice)
    succeeds = roll == 2 or (roll <= value and roll != 12)
    notes = tuple([f"{number:+d} {words}" for number, words, _ in found])
    rules = tuple([clause for *_, clause in found])
    clause = {2: "command.25", 12: "command.26"}.get(roll, "command.3")
    units = tuple([plan.unit for plan in plans])
    play.emit(OrderTested(command, units, value, roll, succeeds, notes, rules, clause=clause))
    if succeeds:
        play.push(Executing(seat, units, plans, roll == 2, command))
        return
    play.emit(Finished(command, clause="command.5"))
    if play.world.units[command].formation == "co":
        for other in play.world.of_side[play.world.units[command].side]:
            if play.world.units[other].commands and other in play.state.spots and other not in play.state.finished:
                play.emit(Finished(other, clause="command.6"))
    if roll == 12:
        blunder(play, command, units)


@record
class Carry(UnitAction):
    """command.4: a unit does what was ordered."""

    kind = "carry-out"
    says = "{unit} carries out its order"
    can = "carry out its order"
    unit: UnitName


@record
class Executing(OneByOne):
    """command.4, command.10: the ordered units act, in any sequence."""

    kind = "executing"
    says = "Which unit carries out its order? {waiting}"
    topic = "execute"
    may_stop: ClassVar[bool] = False
    plans: tuple[Plan, ...] = ()
    is_double: bool = False
    command: UnitName = ""

    def choices(self, at: At, unit: str) -> list[Action]:
        """Its plan."""
        return [Carry(unit)]

    def deciders(self, at: At) -> tuple[str, ...]:
        """The player, if there is a sequence to choose."""
        return (self.seat,) if len(self.waiting(at)) > 1 else ()

    def why_not_now(self, at: At, action: Any) -> Refusal | None:
        """Why a unit has nothing to carry out."""
        return against(at, "execute", f"{action.unit} has no order to carry out") if isinstance(action, Carry) else None

    def resume(self, play: Doing) -> None:
        """The last unit acts unasked; after a double one all act again."""
        waiting = self.waiting(play)
        if waiting:
            self.strike_off(play, waiting[0])
            self.act(play, Carry(waiting[0]))
            return
        play.pop()
        if self.is_double:
            units = tuple([plan.unit for plan in self.plans if play.world.stands(play.state, plan.unit)])
            play.push(ActingAgain(self.seat, units))

    def act(self, play: Doing, action: Any) -> None:
        """A move as it was planned or as far as it goes now; of shots, all at the same target together (fire.17)."""
        plan = next(plan for plan in self.plans if plan.unit == action.unit)
        if plan.unit in play.state.suppressed:
            return
        if plan.does == "march":
            planned = March(plan.unit, plan.to, plan.heading, plan.via)
            marches = Marches(play, plan.unit)
            march = marches.trimmed(planned)
            if march is not None:
                go(play, march)
        elif plan.does == "fire":
            self._shoot(play, plan)
        elif doings(play, plan.unit, command=self.command).find(plan.action) is not None:
            do(play, plan.action)

    def _shoot(self, play: Doing, plan: Plan) -> None:
        waiting = [unit for unit in self.units if unit != plan.unit]
        same = [other.unit for other in self.plans if (other.does, other.other) == ("fire", plan.other) and other.unit in waiting]
        shooters = [
            unit
            for unit in (plan.unit, *same)
            if unit not in play.state.suppressed and why_not_fire(play, unit, plan.other, self.command) is None
        ]
        step = next(step for step in reversed(play.state.stack) if isinstance(step, Executing))
        for unit in same:
            step.strike_off(play, unit)
            step = next(step for step in reversed(play.state.stack) if isinstance(step, Executing))
        if shooters:
            attack(play, shooters, plan.other)


# -- moving command units ----------------------------------------------------------------------------------------------------


@record
class CommandMoving(OneByOne):
    """command.36: at the end of the phase each unsuppressed command unit may move."""

    kind = "command-moving"
    says = "Move a command unit: {waiting}."
    topic = "command-move"

    def choices(self, at: At, unit: str) -> ActionSet | list[Action]:
        """Its moves."""
        if unit in at.state.suppressed:
            return Choices((), lambda action: Refusal.against("supp.3", f"{unit} is suppressed"))
        return Marches(at, unit)

    def why_not_now(self, at: At, action: Any) -> Refusal | None:
        """Why a unit is not among those that wait."""
        if not isinstance(action, UnitAction):
            return None
        wrong = why_not_able(at, action.unit, self.seat)
        return wrong or against(at, self.topic, f"{action.unit} is no command unit that has not moved yet")

    def act(self, play: Doing, action: March) -> None:
        """Move."""
        go(play, action)

    def understood(self, at: At, seat: str, words: Sequence[str]) -> Iterable[Action]:
        """Marches in centimetres."""
        return in_words(at, words)
