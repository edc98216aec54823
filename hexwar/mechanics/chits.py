"""Chits and the cup: secret selection by all sides at once, then blind draws."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any, ClassVar, Literal, TypeVar

from hexwar.engine import (
    Action,
    ActionSet,
    Event,
    Listed,
    Play,
    Position,
    Sight,
    State,
    Viewer,
    World,
    owned,
    public,
    record,
    redacted,
    state,
)
from hexwar.errors import Refusal
from hexwar.mechanics.topics import TopicStep, against

Keeping = Literal["cup", "hand", "either"]
"""Where a selected chit goes: into the cup, or into the hand of its side until it is played, or as its side likes."""


def _only_count(cup: tuple[str, ...], viewer: Viewer) -> tuple[str, ...]:
    return ("?",) * len(cup)


@state
class ChitState(State):
    """The part of a state that a game with chits has."""

    selected: dict[str, tuple[str, ...]] = owned(factory=dict)
    """Side -> what it has chosen so far this turn for the cup; its secret."""
    hand: dict[str, tuple[str, ...]] = owned(factory=dict)
    """Side -> chosen chits that it keeps until it plays them; its secret too."""
    ready: tuple[str, ...] = public(default=())
    """Sides that have finished choosing."""
    cup: tuple[str, ...] = redacted(_only_count, default=())
    """What is in the cup, in a fixed order that means nothing; everybody knows how many."""
    drawn: tuple[str, ...] = public(default=())
    """What was drawn this turn."""


CS = TypeVar("CS", bound=ChitState)


class ChitWorld(World):
    """What the selection asks of a ruleset.

    A game in which every side selects an exact number says so in `chits_to_choose`; one with other limits overrides
    `selectable` and `may_finish` instead.
    """

    def chits_to_choose(self, at: Position, side: str) -> tuple[int, tuple[str, ...]]:
        """How many chits a side selects this turn, and from which."""
        raise NotImplementedError

    def selectable(self, at: Position, side: str) -> tuple[str, ...]:
        """The chits that a side may still add to those it has chosen."""
        number, chits = self.chits_to_choose(at, side)
        chosen = chosen_chits(at, side)
        return tuple(chit for chit in chits if chit not in chosen) if len(chosen) < number else ()

    def choosers(self, at: Position, side: str) -> tuple[str, ...]:
        """The seats that select for a side; if there are several, any of them may, and may confirm for all."""
        return (self.seat_for(side),)

    def may_finish(self, at: Position, side: str) -> bool:
        """Whether a side may leave its selection as it is."""
        return not self.selectable(at, side)

    def may_take_rest(self, at: Position, side: str) -> bool:
        """Whether a side may add all selectable chits together, so that it need not name each."""
        return False

    def keeping(self, at: Position, side: str, chit: str) -> Keeping:
        """Where a chit goes that a side selects."""
        return "cup"

    def why_not_selectable(self, at: Position, side: str, chit: str) -> tuple[str, str] | None:
        """The topic and the sentence that explain why a side may not select a chit, if the ruleset knows better than the step."""
        return None

    def why_not_ready(self, at: Position, side: str) -> tuple[str, str] | None:
        """Why a side may not leave its selection as it is, topic and sentence, if the ruleset wants to say it."""
        return None

    def chits_left(self, at: Position, side: str) -> int:
        """How many chits a side may still add, found by adding them: limits need not be a single number."""
        trial = copy.copy(at.state)
        for count in range(len(self.selectable(at, side)) + 1):
            open_to = self.selectable(Position(self, trial), side)
            if not open_to:
                return count
            trial.selected = {**trial.selected, side: (*trial.selected.get(side, ()), open_to[0])}
        return count

    def common_chits(self, at: Position) -> tuple[str, ...]:
        """Chits that are in every cup."""
        return ()


def chosen_chits(at: Position, side: str) -> tuple[str, ...]:
    """All that a side has chosen so far, for the cup and for its hand."""
    return (*at.state.selected.get(side, ()), *at.state.hand.get(side, ()))


@record
class Select(Action):
    """Choose a chit for this turn, for the cup or to hold it in hand."""

    kind = "select"
    chit: str
    hold: bool = False

    def __str__(self) -> str:
        return f"select {self.chit}" + (" and hold it" if self.hold else "")


@record
class SelectRest(Action):
    """Choose every chit that is left."""

    kind = "select-rest"

    def __str__(self) -> str:
        return "select all that are left"


@record
class Ready(Action):
    """The selection is made."""

    kind = "ready"
    ends: ClassVar[bool] = True

    def __str__(self) -> str:
        return "selection made"


@record
class ChitSelected(Event[ChitState]):
    """A side chose a chit, in secret."""

    kind = "chit-selected"
    sight = Sight.OWNER
    side: str
    chit: str
    held: bool = False

    def apply(self, state: ChitState) -> None:
        """Note it."""
        chosen = state.hand if self.held else state.selected
        chosen[self.side] = (*chosen.get(self.side, ()), self.chit)

    def __str__(self) -> str:
        return f"{self.side} selects {self.chit}" + (" and holds it" if self.held else "")


@record
class SelectionMade(Event[ChitState]):
    """A side has chosen."""

    kind = "selection-made"
    sight = Sight.PUBLIC
    by: str

    def apply(self, state: ChitState) -> None:
        """Note it."""
        state.ready = (*state.ready, self.by)

    def __str__(self) -> str:
        return f"{self.by} has made its selection"


@record
class CupFilled(Event[ChitState]):
    """The chits chosen for the cup went into it; everybody sees how many."""

    kind = "cup-filled"
    sight = Sight.PUBLIC
    common: tuple[str, ...]
    count: int

    def apply(self, state: ChitState) -> None:
        """Mix them."""
        state.cup = tuple(sorted([*self.common, *(chit for chits in state.selected.values() for chit in chits)]))
        state.selected = {}
        state.ready = ()
        state.drawn = ()

    def __str__(self) -> str:
        return f"{self.count} chit{'s go' if self.count != 1 else ' goes'} into the cup"


@record
class ChitDrawn(Event[ChitState]):
    """A chit came out of the cup."""

    kind = "chit-drawn"
    sight = Sight.PUBLIC
    chit: str

    def apply(self, state: ChitState) -> None:
        """Take it out."""
        rest = list(state.cup)
        rest.remove(self.chit)
        state.cup = tuple(rest)
        state.drawn = (*state.drawn, self.chit)

    def __str__(self) -> str:
        return f"-- {self.chit} is drawn --"


@record
class ChitReturned(Event[ChitState]):
    """A drawn chit went back into the cup as if it had not been drawn."""

    kind = "chit-returned"
    sight = Sight.PUBLIC
    chit: str

    def apply(self, state: ChitState) -> None:
        """Put it back."""
        # Of two equal chits it is the one that was drawn last.
        last = len(state.drawn) - 1 - state.drawn[::-1].index(self.chit)
        state.drawn = state.drawn[:last] + state.drawn[last + 1 :]
        state.cup = tuple(sorted((*state.cup, self.chit)))

    def __str__(self) -> str:
        return f"{self.chit} goes back into the cup"


@record
class ChitPlayed(Event[ChitState]):
    """A side played a chit that it held in hand."""

    kind = "chit-played"
    sight = Sight.PUBLIC
    reveals = True
    side: str
    chit: str

    def apply(self, state: ChitState) -> None:
        """Lay it open."""
        rest = list(state.hand[self.side])
        rest.remove(self.chit)
        if rest:
            state.hand[self.side] = tuple(rest)
        else:
            del state.hand[self.side]
        state.drawn = (*state.drawn, self.chit)

    def __str__(self) -> str:
        return f"-- {self.side} plays {self.chit} --"


@cache
def _selections(chit: str, keeping: Keeping) -> tuple[Select, ...]:
    """The ways in which a chit may be selected; a game offers the same ones again and again."""
    return tuple(Select(chit, hold) for hold in (False, True) if keeping in ("either", "hand" if hold else "cup"))


CHIT_ACTIONS: tuple[type[Action], ...] = (Select, SelectRest, Ready)
CHIT_EVENTS: tuple[type[Event], ...] = (ChitSelected, SelectionMade, CupFilled, ChitDrawn, ChitReturned, ChitPlayed)


@record
class Selecting(TopicStep):
    """All sides choose their chits at the same time and in secret; then the cup is filled."""

    kind = "selecting"
    topic: ClassVar[str] = "chits.select"

    def deciders(self, at: Position[ChitState, ChitWorld]) -> tuple[str, ...]:
        """Whoever has not finished."""
        world, ready = at.world, at.state.ready
        return tuple([seat for side in world.sides if side not in ready for seat in world.choosers(at, side)])

    def prompt(self, at: Position[ChitState, ChitWorld], seat: str) -> str:
        """How many are to choose, or may be chosen."""
        side = at.world.seats[seat]
        number = at.world.chits_left(at, side)
        if not number:
            return "Confirm the selection."
        up_to = "up to " if at.world.may_finish(at, side) else ""
        return f"Select {up_to}{number} more chit{'s' if number > 1 else ''}."

    def actions(self, at: Position[ChitState, ChitWorld], seat: str) -> ActionSet:
        """The confirmation where the selection may stay as it is, and one chit after the other."""
        world, side = at.world, at.world.seats[seat]
        open_to = world.selectable(at, side)
        offered: list[Action] = [Ready()] if world.may_finish(at, side) else []
        if open_to and world.may_take_rest(at, side):
            offered.append(SelectRest())
        for chit in open_to:
            offered += _selections(chit, world.keeping(at, side, chit))
        return Listed(offered)

    def perform(self, play: Play[ChitState, ChitWorld], seat: str, action: Action) -> None:
        """Note the choice."""
        world, side, clause = play.world, play.world.seats[seat], play.world.clause(self.topic)
        if isinstance(action, Select):
            play.emit(ChitSelected(side, action.chit, action.hold, clause=clause))
        elif isinstance(action, SelectRest):
            rest = [(chit, world.keeping(play, side, chit) == "hand") for chit in world.selectable(play, side)]
            for chit, held in rest:
                play.emit(ChitSelected(side, chit, held, clause=clause))
        else:
            play.emit(SelectionMade(side, clause=clause))

    def resume(self, play: Play[ChitState, ChitWorld]) -> None:
        """Everybody is ready: fill the cup."""
        play.pop()
        common = play.world.common_chits(play)
        count = len(common) + sum(map(len, play.state.selected.values()))
        play.emit(CupFilled(common, count, clause=play.world.clause(self.topic)))

    def refuse(self, at: Position[ChitState, ChitWorld], seat: str, action: Action) -> Refusal | None:
        """Whether a limit, the chit or the way it is kept is in the way."""
        world, side = at.world, at.world.seats[seat]
        if isinstance(action, SelectRest):
            return against(at, self._topic(at, "chits.limit"), "not all of the other chits may be selected together")
        if isinstance(action, Ready):
            why = world.why_not_ready(at, side)
            return None if why is None else against(at, *why)
        if not isinstance(action, Select):
            return None
        known = world.why_not_selectable(at, side, action.chit)
        if known is not None:
            return against(at, *known)
        open_to = world.selectable(at, side)
        if action.chit in open_to:
            where = "held in hand" if action.hold else "put into the cup"
            return against(at, "chits.select.hold" if action.hold else "chits.select.cup", f"{action.chit} may not be {where}")
        if action.chit in chosen_chits(at, side):
            return against(at, self._topic(at, "chits.available"), f"{action.chit} is selected already")
        if not open_to:
            return against(at, self._topic(at, "chits.limit"), "no more chits may be selected this turn")
        return against(at, self._topic(at, "chits.available"), f"{action.chit} is not among the chits that may be selected")

    def _topic(self, at: Position[ChitState, ChitWorld], topic: str) -> str:
        """A topic of its own if the ruleset has a clause on it, else the step's."""
        return topic if topic in getattr(at.world, "cite", ()) else self.topic


def draw_chit(play: Play[CS, Any]) -> str:
    """Draw a chit blindly and show it."""
    clause = play.world.clause("chits.draw")
    chit = play.draw("chit", play.state.cup, clause=clause)
    play.emit(ChitDrawn(chit, clause=clause))
    return chit
