"""Lanes: several things that happen at once, each with a stack of steps of its own.

Between actions the lanes wait inside one step on top of the game's stack, and everyone whom a lane asks is asked. When a
seat acts, its lane is placed on the game's stack, together with the lane's own values of some fields of the state (which units
are active, which phase it is). The lane runs until it asks a seat or ends, and is taken off again. So steps need not know that
they run in a lane, and folding the events over the first state still gives the last one.
"""

from __future__ import annotations

import typing
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Self

from hexwar.engine._actions import Action, ActionSet, Listed
from hexwar.engine._events import OwnEvent
from hexwar.engine._names import SeatName
from hexwar.engine._records import Json, parse, plain, record
from hexwar.engine._state import State, Viewer, is_changeable, sight_of
from hexwar.engine._steps import Play, Position, S, Step, W
from hexwar.errors import RuleBroken, RuleBrokenCode

MAX_STEPS = 100_000
"""How many steps a lane may take without asking anybody."""


@record
class Lane:
    """One of the things that go on at once."""

    name: str
    """What happens in it, such as the chit that is carried out."""
    seat: SeatName
    """Whose it is; where others ask this seat too, they come first, so that others do not wait for a seat's own lane."""
    stack: tuple[Any, ...]
    """The steps that wait in it, the current one last; none when it has ended."""
    kept: tuple[tuple[str, Any], ...] = ()
    """Fields of the state with the values that they have in this lane."""

    def to_json(self) -> dict[str, Json]:
        """With the kinds of its steps."""
        return {
            "name": self.name,
            "seat": self.seat,
            "stack": [step.to_json() for step in self.stack],
            "kept": {name: plain(value) for name, value in self.kept},
        }


@record
class LaneEntered(OwnEvent):
    """A lane was placed on the stack."""

    kind = "lane-entered"
    number: int

    def apply(self, state: State) -> None:
        """Put its steps on top and its values into the state."""
        lanes: Lanes = state.stack[-1]
        lane = lanes.lanes[self.number]
        outside = tuple((name, getattr(state, name)) for name, _ in lane.kept)
        state.stack[-1] = replace(lanes, inside=self.number, outside=outside)
        state.stack.extend(lane.stack)
        for name, value in lane.kept:
            setattr(state, name, value)


@record
class LaneLeft(OwnEvent):
    """A lane was taken off the stack again."""

    kind = "lane-left"

    def apply(self, state: State) -> None:
        """Keep its steps and its values in it."""
        stack = state.stack
        here = max(depth for depth, step in enumerate(stack) if isinstance(step, Lanes) and step.inside >= 0)
        lanes = stack[here]
        lane = lanes.lanes[lanes.inside]
        kept = tuple((name, getattr(state, name)) for name, _ in lane.kept)
        left = replace(lane, stack=tuple(stack[here + 1 :]), kept=kept)
        del stack[here + 1 :]
        for name, value in lanes.outside:
            setattr(state, name, value)
        changed = (*lanes.lanes[: lanes.inside], left, *lanes.lanes[lanes.inside + 1 :])
        stack[here] = replace(lanes, lanes=changed, inside=-1, outside=())


@record
class Lanes(Step[S, W]):
    """Lanes side by side; the step is done when all have ended.

    A subclass may also ask on its own account (`own_deciders` and what belongs to it), such as a player who starts lanes.
    """

    kind = ""
    lanes: tuple[Lane, ...] = ()
    inside: int = -1
    """The lane that lies on the stack now, -1 if none does."""
    outside: tuple[tuple[str, Any], ...] = ()
    """The values outside of that lane, while it lies there."""

    clause: ClassVar[str] = ""

    # -- what a subclass may add ----------------------------------------------------------------------------------

    def ended(self, play: Play[S, W], lane: Lane) -> None:
        """A lane came to its end; it is off the list already."""

    def own_work(self, at: Position[S, W]) -> bool:
        """Whether `own_resume` has something to do now, without asking anybody."""
        return False

    def own_resume(self, play: Play[S, W]) -> None:
        """Do it. Must emit an event or change the stack."""

    def own_deciders(self, at: Position[S, W]) -> tuple[str, ...]:
        """Who decides besides those whom the lanes ask; the step continues as long as there are any."""
        return ()

    def own_prompt(self, at: Position[S, W], seat: str) -> str:
        """What is asked of them, with its clause."""
        return ""

    def own_actions(self, at: Position[S, W], seat: str) -> ActionSet:
        """What they may do."""
        return Listed(())

    def own_perform(self, play: Play[S, W], seat: str, action: Action) -> None:
        """Do it."""

    # -- starting lanes -------------------------------------------------------------------------------------------

    def with_lane(self, at: Position[S, W], name: str, seat: str, steps: Iterable[Step], **kept: object) -> Self:
        """The same step with one more lane.

        Args:
            at: the position.
            name: what happens in it.
            seat: whose it is.
            steps: what waits in it, the first to come last.
            kept: fields of the state and the values that they have at its beginning.

        Raises:
            RuleBroken: a field is not public, and its value would be visible in the step; or it holds a dict, list or set, which
                all states would share that have the step.
        """
        for own in kept:
            if sight_of(type(at.state), own) is not None:
                raise RuleBroken(
                    RuleBrokenCode.UNFIT_FOR_LANES,
                    f"a lane cannot have a value of its own for {own!r}, because not everybody sees that field",
                )
            if is_changeable(type(at.state), own):
                raise RuleBroken(
                    RuleBrokenCode.UNFIT_FOR_LANES,
                    f"a lane cannot have a value of its own for {own!r}, because that field is changed in place",
                )
        lane = Lane(name, seat, tuple(steps), tuple(sorted(kept.items())))
        return replace(self, lanes=(*self.lanes, lane))

    # -- the step itself ------------------------------------------------------------------------------------------

    def _within(self, at: Position[S, W], lane: Lane) -> Position[S, W]:
        """The position as it is in a lane."""
        state = object.__new__(type(at.state))
        state.__dict__.update(at.state.__dict__)
        state.__dict__.update(lane.kept)
        return Position(at.world, state)

    def _lane_of(self, at: Position[S, W], seat: str) -> Lane | None:
        """The lane in which a seat is to decide: that of another seat first."""
        asking = [lane for lane in self.lanes if lane.stack and seat in lane.stack[-1].deciders(self._within(at, lane))]
        return min(asking, key=lambda lane: lane.seat == seat, default=None)

    def _has_own(self, at: Position[S, W], seat: str) -> bool:
        return seat in self.own_deciders(at)

    def deciders(self, at: Position[S, W]) -> tuple[str, ...]:
        """All who are asked in any lane, in the order of the seats; none while a lane can go on by itself."""
        asked: set[str] = set()
        for lane in self.lanes:
            who = lane.stack[-1].deciders(self._within(at, lane)) if lane.stack else ()
            if not who:
                return ()
            asked.update(who)
        if self.own_work(at):
            return ()
        asked.update(self.own_deciders(at))
        return (*(seat for seat in at.world.seats if seat in asked), *sorted(asked.difference(at.world.seats)))

    def resume(self, play: Play[S, W]) -> None:
        """Let go on what can go on by itself, one lane after the other."""
        for number, lane in enumerate(self.lanes):
            if not lane.stack:
                play.replace(replace(self, lanes=(*self.lanes[:number], *self.lanes[number + 1 :])))
                self.ended(play, lane)
                return
        for number, lane in enumerate(self.lanes):
            if not lane.stack[-1].deciders(self._within(play, lane)):
                self._go_on(play, number)
                return
        if self.own_work(play):
            self.own_resume(play)
        else:
            play.pop()

    def _go_on(self, play: Play[S, W], number: int, seat: str = "", action: Action | None = None) -> None:
        """Lay a lane onto the stack, do what was decided in it, and take it off when it asks a seat."""
        state = play.state
        depth = len(state.stack)
        play.note(LaneEntered(number))
        if action is not None:
            state.stack[-1].perform(play, seat, action)
        for _ in range(MAX_STEPS):
            if state.result is not None:
                return
            if len(state.stack) == depth or state.stack[-1].deciders(play):
                play.note(LaneLeft())
                return
            step, done = state.stack[-1], len(play.events)
            step.resume(play)
            if len(play.events) == done:
                raise RuleBroken(RuleBrokenCode.DEAD_END, f"the step {step!r} waits for nobody and does nothing")
        raise RuleBroken(RuleBrokenCode.DEAD_END, f"{MAX_STEPS} automatic steps in a lane without a decision")

    def rule(self, at: Position[S, W]) -> str:
        """None of its own: each seat learns the clause of its lane, with the prompt."""
        return ""

    def prompt(self, at: Position[S, W], seat: str) -> str:
        """For what it asks itself; what a lane asks, the step in it says."""
        return self.own_prompt(at, seat)

    def asked(self, at: Position[S, W], seat: str) -> Step[S, W]:
        """The step of the lane in which the seat decides."""
        lane = None if self._has_own(at, seat) else self._lane_of(at, seat)
        return self if lane is None else lane.stack[-1].asked(self._within(at, lane), seat)

    def seen_by(self, viewer: Viewer) -> Self:
        """What a viewer knows of the steps in its lanes."""
        lanes = [replace(lane, stack=tuple(step.seen_by(viewer) for step in lane.stack)) for lane in self.lanes]
        return replace(self, lanes=tuple(lanes))

    def facing(self, at: Position[S, W], seat: str) -> Position[S, W]:
        """As it is in the lane in which the seat decides."""
        lane = None if self._has_own(at, seat) else self._lane_of(at, seat)
        return at if lane is None else lane.stack[-1].facing(self._within(at, lane), seat)

    def actions(self, at: Position[S, W], seat: str) -> ActionSet:
        """What the lane offers."""
        if self._has_own(at, seat):
            return self.own_actions(at, seat)
        lane = self._lane_of(at, seat)
        return Listed(()) if lane is None else lane.stack[-1].actions(self._within(at, lane), seat)

    def perform(self, play: Play[S, W], seat: str, action: Action) -> None:
        """Let the seat act in its lane."""
        if self._has_own(play, seat):
            self.own_perform(play, seat, action)
            return
        lane = self._lane_of(play, seat)
        number = next(number for number, other in enumerate(self.lanes) if other is lane)
        self._go_on(play, number, seat, action)

    # -- as JSON --------------------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Json]:
        """With the steps of the lanes."""
        lanes: list[Json] = [lane.to_json() for lane in self.lanes]
        return {**Step.to_json(self), "lanes": lanes, "outside": {name: plain(item) for name, item in self.outside}}

    @classmethod
    def from_json(
        cls, data: Mapping[str, object], steps: Mapping[str, type[Any]], hints: Mapping[str, Any], parse_stack: Any
    ) -> Self:
        """The step from untrusted data.

        Args:
            data: its fields.
            steps: the step types by kind.
            hints: the types of the state's fields.
            parse_stack: what makes the steps of a lane.

        Raises:
            ValueError: with one sentence.
        """
        own = typing.get_type_hints(cls)
        unknown = [name for name in data if name not in own]
        if unknown:
            raise ValueError(f"{unknown[0]}: extra inputs are not permitted")
        made: dict[str, Any] = {}
        for name, value in data.items():
            if name == "lanes":
                if not isinstance(value, list):
                    raise ValueError("lanes: expected a list of lanes")
                made[name] = tuple(_lane(item, steps, hints, parse_stack) for item in value)
            elif name == "outside":
                made[name] = _values(value, hints)
            else:
                made[name] = parse(own[name], value)
        lanes = made.get("lanes", ())
        if not -1 <= made.get("inside", -1) < max(len(lanes), 1):
            raise ValueError("inside: there is no such lane")
        return cls(**made)


def _lane(data: object, steps: Mapping[str, type[Any]], hints: Mapping[str, Any], parse_stack: Any) -> Lane:
    if not isinstance(data, dict) or {*data} != {"name", "seat", "stack", "kept"}:
        raise ValueError("lanes: a lane has a name, a seat, a stack and what it keeps")
    name, seat = parse(str, data["name"]), parse(str, data["seat"])
    return Lane(name, seat, tuple(parse_stack(data["stack"], steps, hints)), _values(data["kept"], hints))


def _values(data: object, hints: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """Fields of the state with their values."""
    if not isinstance(data, dict):
        raise ValueError("a lane keeps a table of fields")
    for name in data:
        if name not in hints:
            raise ValueError(f"{name}: the state has no such field")
    return tuple((name, parse(hints[name], data[name])) for name in sorted(data))
