"""Chits and the cup: secret selection by all sides at once, then blind draws."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

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
from hexwar.mechanics.topics import TopicStep


def _only_count(cup: tuple[str, ...], viewer: Viewer) -> tuple[str, ...]:
    return ("?",) * len(cup)


@state
class ChitState(State):
    """The part of a state that a game with chits has."""

    selected: dict[str, tuple[str, ...]] = owned(factory=dict)
    """Side -> what it has chosen so far this turn; its secret."""
    ready: tuple[str, ...] = public(default=())
    """Sides that have finished choosing."""
    cup: tuple[str, ...] = redacted(_only_count, default=())
    """What is in the cup, in a fixed order that means nothing; everybody knows how many."""
    drawn: tuple[str, ...] = public(default=())
    """What was drawn this turn."""


CS = TypeVar("CS", bound=ChitState)


class ChitWorld(World):
    """What the selection asks of a ruleset."""

    def chits_to_choose(self, at: Position[Any, Any], side: str) -> tuple[int, tuple[str, ...]]:
        """How many chits a side selects this turn, and from which."""
        raise NotImplementedError

    def common_chits(self, at: Position[Any, Any]) -> tuple[str, ...]:
        """Chits that are in every cup."""
        return ()

    def clause(self, topic: str) -> str:
        """The clause on a topic: "chits.select" or "chits.draw"."""
        raise NotImplementedError


@record
class Select(Action):
    """Choose a chit for this turn."""

    chit: str

    def __str__(self) -> str:
        return f"select {self.chit}"


@record
class Ready(Action):
    """The selection is made."""

    def __str__(self) -> str:
        return "selection made"


@record
class ChitSelected(Event[ChitState]):
    """A side chose a chit, in secret."""

    sight = Sight.OWNER
    side: str
    chit: str

    def apply(self, state: ChitState) -> None:
        """Note it."""
        state.selected[self.side] = (*state.selected.get(self.side, ()), self.chit)

    def __str__(self) -> str:
        return f"{self.side} selects {self.chit}"


@record
class SelectionMade(Event[ChitState]):
    """A side has chosen."""

    sight = Sight.PUBLIC
    by: str

    def apply(self, state: ChitState) -> None:
        """Note it."""
        state.ready = (*state.ready, self.by)

    def __str__(self) -> str:
        return f"{self.by} has made its selection"


@record
class CupFilled(Event[ChitState]):
    """The chosen chits went into the cup; everybody sees how many."""

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
        return f"{self.count} chits go into the cup"


@record
class ChitDrawn(Event[ChitState]):
    """A chit came out of the cup."""

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


CHIT_ACTIONS: tuple[type[Action], ...] = (Select, Ready)
CHIT_EVENTS: tuple[type[Event[Any]], ...] = (ChitSelected, SelectionMade, CupFilled, ChitDrawn)


@record
class Selecting(TopicStep):
    """All sides choose their chits at the same time and in secret; then the cup is filled."""

    topic: ClassVar[str] = "chits.select"

    def deciders(self, at: Position[ChitState, ChitWorld]) -> tuple[str, ...]:
        """Whoever has not finished."""
        return tuple(at.world.seat_for(side) for side in at.world.sides if side not in at.state.ready)

    def _choice(self, at: Position[ChitState, ChitWorld], seat: str) -> tuple[int, tuple[str, ...]]:
        """How many are still to choose, and the chits that are left."""
        side = at.world.seats[seat]
        number, chits = at.world.chits_to_choose(at, side)
        chosen = at.state.selected.get(side, ())
        left = tuple(chit for chit in chits if chit not in chosen)
        return min(number - len(chosen), len(left)), left

    def prompt(self, at: Position[ChitState, ChitWorld], seat: str) -> str:
        """How many are to choose."""
        number, _ = self._choice(at, seat)
        return f"Select {number} more chit{'s' if number > 1 else ''}." if number else "Confirm the selection."

    def actions(self, at: Position[ChitState, ChitWorld], seat: str) -> ActionSet:
        """One chit after the other, then the confirmation."""
        number, left = self._choice(at, seat)
        return Listed([Select(chit) for chit in left] if number else [Ready()])

    def perform(self, play: Play[ChitState, ChitWorld], seat: str, action: Action) -> None:
        """Note the choice."""
        side, clause = play.world.seats[seat], play.world.clause(self.topic)
        if isinstance(action, Select):
            play.emit(ChitSelected(side, action.chit, clause=clause))
        else:
            play.emit(SelectionMade(side, clause=clause))

    def resume(self, play: Play[ChitState, ChitWorld]) -> None:
        """Everybody is ready: fill the cup."""
        play.pop()
        common = play.world.common_chits(play)
        count = len(common) + sum(map(len, play.state.selected.values()))
        play.emit(CupFilled(common, count, clause=play.world.clause(self.topic)))


def draw_chit(play: Play[CS, Any]) -> str:
    """Draw a chit blindly and show it."""
    clause = play.world.clause("chits.draw")
    chit = play.draw("chit", play.state.cup, clause=clause)
    play.emit(ChitDrawn(chit, clause=clause))
    return chit
