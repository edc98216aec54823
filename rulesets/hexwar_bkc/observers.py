"""sched, artillery.1 to artillery.12: fire that was planned before the battle, and fire that an observer calls."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from hexwar.engine import Action, ActionSet, AnyOf, Choices, Listed, RandomSource, SeatName, Spot, pick, record
from hexwar.errors import Refusal
from hexwar.pieces import Done, TopicStep, UnitName
from hexwar_bkc.bombardment import artillery_blunder, bombard
from hexwar_bkc.movement import middle
from hexwar_bkc.state import Barred, Finished, Mission, MissionFired, MissionsChanged, MissionWritten, OrderTested, in_cm
from hexwar_bkc.world import At, Doing, enemies_of, in_contact, sees


def guns_of(at: At, side: str) -> list[str]:
    """artillery.1: the artillery off the table that a side has bought and not lost."""
    units = at.world.units
    return [unit for unit in at.world.of_side[side] if units[unit].type == "artillery" and unit not in at.state.lost]


# -- planned fire -------------------------------------------------------------------------------------------------------------


@record
class Schedule(Action):
    """sched.4: a gun is to fire at a point in a turn."""

    kind = "schedule"
    can = "be scheduled"
    gun: UnitName
    turn: int
    to: Spot

    def __str__(self) -> str:
        return f"schedule {self.gun} for turn {self.turn} at {in_cm(self.to)}"


class Schedules(ActionSet):
    """sched.2 to sched.5: every mission that a side can still write down."""

    complete = False

    def __init__(self, at: At, side: str) -> None:
        self._at, self._side = at, side
        written = [mission.gun for mission in at.state.missions.get(side, ())]
        self._able = [gun for gun in guns_of(at, side) if at.world.units[gun].assets > written.count(gun)]

    def why_not(self, action: Action) -> Refusal | None:
        """sched.2, sched.4, sched.5: what is against a mission."""
        if not isinstance(action, Schedule):
            return None
        at, world = self._at, self._at.world
        if action.gun not in guns_of(at, self._side):
            return Refusal.against("artillery.1", f"{action.gun} is no artillery of {self._side}")
        if action.gun not in self._able:
            return Refusal.against("sched.2", f"{action.gun} has no asset left")
        if not 1 <= action.turn <= world.last_turn:
            return Refusal.against("sched.4", f"a turn is 1 to {world.last_turn}")
        if action.to not in world.terrain:
            return Refusal.against("sched.5", f"{in_cm(action.to)} is not on the table")
        return None

    def find(self, action: Action) -> Action | None:
        """It, if nothing is against it."""
        return action if isinstance(action, Schedule) and self.why_not(action) is None else None

    def __iter__(self) -> Iterator[Action]:
        for gun, turn, spot in itertools.product(self._able, (1, 2), self._spots()):
            if turn <= self._at.world.last_turn:
                yield Schedule(gun, turn, spot)

    def _spots(self) -> Iterable[Spot]:
        world = self._at.world
        enemy = world.enemies(self._side)[0]
        places = [middle(area.ring) for area in world.terrain.areas if area.kind in ("built-up", "wood")]
        return dict.fromkeys([middle(world.keys.deploy[enemy]), *places])

    def __bool__(self) -> bool:
        return bool(self._able)

    def sample(self, chance: RandomSource) -> Action:
        """Any gun, turn and point."""
        if not self._able:
            raise LookupError("nothing is offered")
        terrain = self._at.world.terrain
        gun, turn = self._able[chance.randrange(len(self._able))], 1 + chance.randrange(self._at.world.last_turn)
        return Schedule(gun, turn, (chance.randrange(terrain.width + 1), chance.randrange(terrain.height + 1)))


@record
class Scheduling(TopicStep):
    """sched.4: before the battle a player writes down what artillery fires when, and at which point."""

    kind = "scheduling"
    says = "Schedule fire, before the battle begins."
    topic = "schedule"
    seat: SeatName

    def deciders(self, at: At) -> tuple[str, ...]:
        """The player, while an asset is left."""
        return (self.seat,) if Schedules(at, at.world.seats[self.seat]) else ()

    def actions(self, at: At, seat: str) -> ActionSet:
        """A mission, or no more."""
        return AnyOf([Done()], Schedules(at, at.world.seats[self.seat]))

    def perform(self, play: Doing, seat: str, action: Action) -> None:
        """Write it down."""
        if isinstance(action, Schedule):
            mission = Mission(action.gun, action.turn, action.to)
            play.emit(MissionWritten(play.world.seats[self.seat], mission, clause="sched.4"))
        else:
            play.pop()

    def resume(self, play: Doing) -> None:
        """No asset is left."""
        play.pop()


def fire_missions(play: Doing, side: str) -> None:
    """sched.1, sched.6: all missions of this turn, in the order in which they were written."""
    for mission in play.state.missions.get(side, ()):
        if mission.turn == play.state.turn and mission.gun in guns_of(play, side):
            play.emit(MissionFired(side, mission, clause="sched.6"))
            bombard(play, side, (mission.gun,), mission.to, on_call=False)


# -- fire on call -------------------------------------------------------------------------------------------------------------


@record
class Call(Action):
    """artillery.3: artillery is to fire at an enemy that the observer sees."""

    kind = "call"
    target: UnitName
    guns: tuple[UnitName, ...]
    barrage: bool = False
    smoke: bool = False

    def __str__(self) -> str:
        how = f"{'smoke' if self.smoke else 'fire'} of {', '.join(self.guns)}{' as a barrage' if self.barrage else ''}"
        return f"call {how} on {self.target}"


@record
class Postpone(Action):
    """sched.7: missions of a turn are to be cancelled, or delayed by a turn."""

    kind = "postpone"
    turn: int
    guns: tuple[UnitName, ...]
    delay: bool = False

    def __str__(self) -> str:
        return f"{'delay' if self.delay else 'cancel'} the missions of {', '.join(self.guns)} in turn {self.turn}"


def call_modifiers(at: At, action: Call) -> list[tuple[int, str, str]]:
    """artillery.7 to artillery.10: value, words and clause of each that applies."""
    models = [at.world.units[gun] for gun in action.guns]
    rockets = sum(model.rocket for model in models)
    tubes = len(models) - rockets
    found = []
    if all(model.propelled for model in models):
        found.append((1, "self-propelled", "artillery.7"))
    if tubes > 3:
        found.append((-((tubes - 1) // 3), f"{tubes} guns", "artillery.8"))
    if rockets > 1:
        found.append((1 - rockets, f"{rockets} rocket or naval units", "artillery.9"))
    if action.smoke:
        found.append((-1, "smoke", "artillery.10"))
    return found


def ready(at: At, side: str) -> list[str]:
    """artillery.4: the artillery that may still be called this turn."""
    state = at.state
    return [gun for gun in guns_of(at, side) if gun not in state.activated and gun not in state.suppressed]


def targets(at: At, observer: str) -> list[str]:
    """artillery.5, artillery.6: the enemies that an observer sees."""
    return [enemy for enemy in enemies_of(at, at.world.units[observer].side) if sees(at, observer, enemy)]


def can_observe(at: At, observer: str) -> bool:
    """Whether an observer has anything to order: guns and a target, or a mission to change."""
    side = at.world.units[observer].side
    return bool(ready(at, side) and targets(at, observer)) or bool(_changeable(at, side))


def _changeable(at: At, side: str) -> list[tuple[int, str]]:
    """sched.7, sched.8: turn and gun of each mission that may be cancelled or delayed."""
    if side in at.state.barred:
        return []
    return [(mission.turn, mission.gun) for mission in at.state.missions.get(side, ()) if mission.turn > at.state.turn]


class Calls(ActionSet):
    """Every call that an observer can make.

    Args:
        at: the position.
        observer: the observer.
    """

    complete = False

    def __init__(self, at: At, observer: str) -> None:
        self._at, self._observer = at, observer
        self._guns, self._targets = ready(at, at.world.units[observer].side), targets(at, observer)

    def why_not(self, action: Action) -> Refusal | None:
        """artillery.4 to artillery.6, artillery.22: what is against a call."""
        if not isinstance(action, Call):
            return None
        at, side = self._at, self._at.world.units[self._observer].side
        if not action.guns or len(set(action.guns)) < len(action.guns):
            return Refusal.against("artillery.5", "a call names each gun once, and at least one")
        for gun in action.guns:
            if gun not in guns_of(at, side):
                return Refusal.against("artillery.1", f"{gun} is no artillery of {side}")
            if gun not in self._guns:
                return Refusal.against("artillery.4", f"{gun} has fired this turn, or is suppressed")
        enemy = at.world.units.get(action.target)
        if enemy is not None and enemy.commands:
            return Refusal.against("artillery.6", f"{action.target} is a command unit")
        if action.target not in self._targets:
            return Refusal.against("artillery.5", f"{self._observer} sees no enemy {action.target}")
        if in_contact(at, action.target):
            return Refusal.against("isw.3", f"{action.target} is in close combat")
        if action.barrage and (len(action.guns) < 2 or len({at.world.units[gun].zone for gun in action.guns}) > 1):
            return Refusal.against("artillery.22", "a barrage is of two guns or more whose zones are alike")
        return None

    def find(self, action: Action) -> Action | None:
        """It, if nothing is against it."""
        return action if isinstance(action, Call) and self.why_not(action) is None else None

    def __iter__(self) -> Iterator[Action]:
        sets = dict.fromkeys([tuple(self._guns), *((gun,) for gun in self._guns)])
        for target, guns, barrage, smoke in itertools.product(self._targets, sets, (False, True), (False, True)):
            call = Call(target, guns, barrage, smoke)
            if self.why_not(call) is None:
                yield call

    def __bool__(self) -> bool:
        return any(True for _ in self)

    def sample(self, chance: RandomSource) -> Action:
        """One of the menu."""
        chosen: Action = pick([*self], chance)
        return chosen


def postpones(at: At, observer: str) -> Choices:
    """sched.7: the missions that an observer may cancel or delay."""
    side = at.world.units[observer].side
    known = _changeable(at, side)

    def why_not(action: object) -> Refusal | None:
        if not isinstance(action, Postpone):
            return None
        if side in at.state.barred:
            return Refusal.against("sched.8", f"{side} may change no mission any more")
        if not action.guns or any((action.turn, gun) not in known for gun in action.guns):
            return Refusal.against("sched.7", f"no such mission is scheduled for turn {action.turn}")
        return None

    turns = sorted({turn for turn, _ in known})
    named = {turn: tuple(dict.fromkeys(gun for when, gun in known if when == turn)) for turn in turns}
    sets = [(turn, guns) for turn in turns for guns in dict.fromkeys([named[turn], *((gun,) for gun in named[turn])])]
    return Choices([Postpone(turn, guns, delay) for turn, guns in sets for delay in (False, True)], why_not)


@record
class StopCalling(Action):
    """The observer gives no more orders."""

    kind = "stop-calling"
    says = "call no more"
    ends: ClassVar[bool] = True


@record
class Calling(TopicStep):
    """artillery.3: what does an observer order?"""

    kind = "calling"
    says = "What does {observer} call for?"
    topic = "call"
    seat: SeatName
    observer: UnitName

    def deciders(self, at: At) -> tuple[str, ...]:
        """The player."""
        return (self.seat,)

    def actions(self, at: At, seat: str) -> ActionSet:
        """A call, a change of plans, or an end."""
        return AnyOf(Listed((StopCalling(),)), Calls(at, self.observer), postpones(at, self.observer))

    def perform(self, play: Doing, seat: str, action: Action) -> None:
        """Test it."""
        play.pop()
        if isinstance(action, Call):
            call(play, self.observer, action)
        elif isinstance(action, Postpone):
            postpone(play, self.observer, action)
        else:
            play.emit(Finished(self.observer, clause="command.8"))


def _test(play: Doing, observer: str, guns: Sequence[str], found: Sequence[tuple[int, str, str]], clause: str) -> int:
    """command.3: two dice against the observer's value; the roll, or 0 if it fails for another reason than a double six."""
    value = play.world.units[observer].value + sum(number for number, *_ in found)
    roll = play.roll(f"{observer} orders", clause=clause, dice=2)
    succeeds = roll == 2 or (roll <= value and roll != 12)
    notes, rules = tuple([f"{number:+d} {words}" for number, words, _ in found]), tuple([rule for *_, rule in found])
    play.emit(OrderTested(observer, tuple(guns), value, roll, succeeds, notes, rules, clause=clause))
    if not succeeds:
        play.emit(Finished(observer, clause="command.5"))
    return roll if succeeds or roll == 12 else 0


def call(play: Doing, observer: str, action: Call) -> None:
    """artillery.7 to artillery.12: test the call, and fire."""
    found = call_modifiers(play, action)
    roll = _test(play, observer, action.guns, found, "artillery.3")
    side = play.world.units[observer].side
    if roll == 12:
        artillery_blunder(play, observer, action.guns, action.target)
    elif roll:
        spot = play.state.spots[action.target]
        bombard(play, side, action.guns, spot, on_call=True, halved=roll == 2, barrage=action.barrage, smoke=action.smoke)


def postpone(play: Doing, observer: str, action: Postpone) -> None:
    """sched.7, sched.8: test the change."""
    side = play.world.units[observer].side
    roll = _test(play, observer, action.guns, (), "sched.7")
    if roll == 12:
        play.emit(Barred(side, clause="sched.8"))
    elif roll:
        play.emit(MissionsChanged(side, action.turn, action.guns, action.delay, clause="sched.7"))
