"""Chits and the cup: secret selection by all sides at once, then blind draws.

A chit in hand is played in place of one that was drawn, or put into the cup after all.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Any, ClassVar, Literal, TypeVar

from hexwar.engine import (
    Action,
    ActionSet,
    Event,
    Explained,
    Part,
    Play,
    Position,
    PublicEvent,
    RandomSource,
    SideName,
    Sight,
    State,
    View,
    Viewer,
    owned,
    pick,
    public,
    record,
    redacted,
    state,
)
from hexwar.errors import Refusal
from hexwar.pieces._state import ChitName
from hexwar.pieces._steps import Choosing, TopicStep, Why, against

Keeping = Literal["cup", "hand", "either"]
"""Where a selected chit goes: into the cup, or into the hand of its side until it is played, or as its side likes."""


TRIES = 8
"""How often a selection is imagined anew that may not be left as it is."""
STOPS = 5
"""In one case of this number an imagined selection is smaller than it may be, where that is allowed."""


def _only_count(cup: tuple[str, ...], viewer: Viewer) -> tuple[str, ...]:
    return ("?",) * len(cup)


@state
class ChitState(State):
    """The part of a state that a game with chits has."""

    selected: Mapping[SideName, tuple[ChitName, ...]] = owned(factory=dict)
    """Side -> what it has chosen so far this turn for the cup; its secret."""
    hand: Mapping[SideName, tuple[ChitName, ...]] = owned(factory=dict)
    """Side -> chosen chits that it keeps until it plays them; its secret too."""
    ready: tuple[SideName, ...] = public(default=())
    """Sides that have finished choosing."""
    cup: tuple[ChitName, ...] = redacted(_only_count, default=())
    """What is in the cup, in a fixed order that means nothing; everybody knows how many."""
    drawn: tuple[ChitName, ...] = public(default=())
    """What was drawn this turn."""
    put_in: Mapping[SideName, tuple[ChitName, ...]] = owned(factory=dict, in_digest=False)
    """Side -> what it has put into the cup since that was filled, whether or not it was drawn since; its secret."""
    known_in_cup: tuple[ChitName, ...] = public(default=(), in_digest=False)
    """What went into the cup in the open, such as a drawn chit that was returned, and was not shown again since."""

    def take(self, side: str, chit: str) -> None:
        """A chit leaves the hand of a side. Only events call this."""
        rest = {**self.hand, side: less(self.hand[side], chit)}
        self.hand = {of: held for of, held in rest.items() if held}

    def show(self, chit: str) -> None:
        """Everybody sees a chit that comes out of the cup. Only events call this."""
        if chit in self.known_in_cup:
            self.known_in_cup = less(self.known_in_cup, chit)


def less(items: tuple[str, ...], item: str) -> tuple[str, ...]:
    """Some items without one of them."""
    place = items.index(item)
    return items[:place] + items[place + 1 :]


CS = TypeVar("CS", bound=ChitState)


@record
class Chit:
    """A chit as people know it.

    Args:
        id: as players type it.
        name: what is printed on it.
        side: whose it is; "" for one of everybody.
        kind: what sort it is, in a word.
        activates: the piece that it activates; "" if none.
        clause: the rule on it.
    """

    id: str
    name: str
    side: str = ""
    kind: str = ""
    activates: str = ""
    clause: str = ""


class Cup(Part):
    """What a game says about its chits: which may be selected, where they go, and what one does that is drawn or played."""

    def chit(self, chit: str) -> Chit:
        """A chit as people know it; where a game does not say more, that of a unit has the name of the unit."""
        unit = getattr(self.world, "units", {}).get(chit)
        if unit is None:
            return Chit(chit, chit[:1].upper() + chit[1:])
        return Chit(chit, unit.name, unit.side, "unit", chit)

    def knows(self, chit: str) -> bool:
        """Whether there is such a chit: where a game does not say, one of any name."""
        return True

    def number(self, at: Position, side: str) -> int:
        """How many chits a side selects this turn."""
        raise NotImplementedError

    def available(self, at: Position, side: str) -> tuple[str, ...]:
        """The chits from which a side selects this turn."""
        raise NotImplementedError

    def why_not(self, at: Position, side: str, chit: str) -> Why | None:
        """Why a side may not add a chit to those it has selected, topic and sentence; None if it may."""
        chosen = chosen_chits(at, side)
        if chit in chosen:
            return "chits.select.available", f"{chit} is selected already"
        if len(chosen) >= self.number(at, side):
            return "chits.select.limit", "no more chits may be selected this turn"
        if chit not in self._on_offer(at, side):
            return "chits.select.available", f"{chit} is not among the chits that may be selected"
        return None

    def why_not_ready(self, at: Position, side: str) -> Why | None:
        """Why a side may not leave its selection as it is; None if it may."""
        return ("chits.select.limit", "more of the chits must be selected") if self.selectable(at, side) else None

    def selectable(self, at: Position, side: str) -> tuple[str, ...]:
        """The chits that a side may still add to those it has selected."""
        return tuple([chit for chit in self._on_offer(at, side) if self.why_not(at, side, chit) is None])

    def _on_offer(self, at: Position, side: str) -> tuple[str, ...]:
        """The available chits, computed once for a position: each of them is asked about."""
        key = ("available chits", side)
        if key not in at.memo:
            at.memo[key] = self.available(at, side)
        found: tuple[str, ...] = at.memo[key]
        return found

    def left(self, at: Position, side: str) -> int:
        """How many chits a side may still add, found by adding them: limits need not be a single number."""
        trial = copy.copy(at.state)
        for count in range(len(self.selectable(at, side)) + 1):
            open_to = self.selectable(Position(at.world, trial), side)
            if not open_to:
                return count
            trial.selected = {**trial.selected, side: (*trial.selected.get(side, ()), open_to[0])}
        return count

    def keeping(self, at: Position, side: str, chit: str) -> Keeping:
        """Where a chit goes that a side selects."""
        return "cup"

    def common(self, at: Position) -> tuple[str, ...]:
        """Chits that are in every cup."""
        return ()

    def resolve(self, play: Play, chit: str) -> None:
        """Do what a chit does that was drawn or played, by events or by steps that do it."""
        raise NotImplementedError

    # -- what a seat may imagine

    def possible(self, at: Position, side: str) -> tuple[str, ...]:
        """The chits that a side may have selected when the cup was filled, although it could not select some of them now."""
        return self.available(at, side)

    def owner(self, chit: str) -> str:
        """The side whose chit it is; "" for one of everybody."""
        return self.chit(chit).side

    def lies_open(self, at: Position, viewer: Viewer) -> tuple[str, ...]:
        """The chits of this turn that a viewer knows to be out of the cup."""
        drawn: tuple[str, ...] = at.state.drawn
        return drawn

    def lies_inside(self, at: Position, viewer: Viewer) -> tuple[str, ...]:
        """The chits that a viewer saw going into the cup, besides those that its side chose."""
        known: tuple[str, ...] = at.state.known_in_cup
        return known

    def held(self, view: View, at: Position, side: str, chance: RandomSource) -> tuple[str, ...]:
        """What a side may hold in hand once the cup is filled; its selection is complete but for that."""
        able = [chit for chit in self.selectable(at, side) if self.keeping(at, side, chit) != "cup"]
        return tuple(chit for chit in able if chance.randrange(2)) if at.state.cup or at.state.drawn else ()

    def imagine(self, view: View, at: Position, chance: RandomSource) -> None:
        """Fill in what other sides may have selected, what lies in the cup, and what they hold: see `Ruleset.imagine`."""
        others = [side for side in self.world.sides if side != view.side]
        for name in ("selected", "hand", "put_in"):
            setattr(at.state, name, {side: chits for side, chits in getattr(at.state, name).items() if side == view.side})
        if any(isinstance(step, Selecting) for step in view.steps):
            for side in others:  # one that has not finished chooses while the game goes on
                if side in at.state.ready:
                    self._select_any(at, side, chance)
            return
        at.state.cup = self.filled(view, at, others, len(at.state.cup), chance)
        for side in others:
            trial = Position(at.world, copy.copy(at.state))
            trial.state.selected = {side: self._chosen_by(at, view.viewer, side)}
            if held := self.held(view, trial, side, chance):
                at.state.hand = {**at.state.hand, side: held}

    def filled(self, view: View, at: Position, others: Sequence[str], count: int, chance: RandomSource) -> tuple[str, ...]:
        """The chits, of a given number, that may lie where the viewer cannot see them.

        Args:
            view: all that the viewer knows.
            at: the position, in which it is noted what each of the other sides put in.
            others: the sides whose selection the viewer does not know.
            count: how many there are.
            chance: which ones.
        """
        state, viewer = at.state, view.viewer
        out = Counter(self.lies_open(at, viewer))
        mine: Counter[str] = Counter(state.put_in.get(view.side, ())) - out
        inside = Counter(self.lies_inside(at, viewer))
        known = [*(mine | inside).elements()]
        trial = Position(at.world, copy.copy(state))
        trial.state.selected = {side: tuple(c for c in (*out, *known) if self.owner(c) == side) for side in others}
        trial.state.hand = {}
        while len(known) < count:
            open_to = [(side, chit) for side in others for chit in self._for_the_cup(trial, side)]
            if not open_to:  # the rules of selection look at the map as it is now
                chosen = trial.state.selected
                open_to = [(side, chit) for side in others for chit in self.possible(at, side) if chit not in chosen[side]]
            if not open_to:
                break
            side, chit = pick(open_to, chance)
            known.append(chit)
            trial.state.selected = {**trial.state.selected, side: (*trial.state.selected[side], chit)}
        state.put_in = {**state.put_in, **{side: chits for side, chits in trial.state.selected.items() if chits}}
        return tuple(sorted(known))

    def _for_the_cup(self, at: Position, side: str) -> list[str]:
        return [chit for chit in self.selectable(at, side) if self.keeping(at, side, chit) != "hand"]

    def _chosen_by(self, at: Position, viewer: Viewer, side: str) -> tuple[str, ...]:
        """What a side has chosen this turn, as imagined: what it has put in, and what it has shown besides."""
        chosen: tuple[str, ...] = at.state.put_in.get(side, ())
        shown = self.lies_open(at, viewer)
        return (*chosen, *(chit for chit in shown if chit not in chosen and self.owner(chit) == side))

    def _select_any(self, at: Position, side: str, chance: RandomSource) -> None:
        """Let a side have selected something that it may leave as it is."""
        for _ in range(TRIES):
            for name in ("selected", "hand"):
                setattr(at.state, name, {of: chits for of, chits in getattr(at.state, name).items() if of != side})
            while open_to := self.selectable(at, side):
                if self.why_not_ready(at, side) is None and not chance.randrange(STOPS):
                    break
                chit = pick(open_to, chance)
                keeping = self.keeping(at, side, chit)
                held = keeping == "hand" or (keeping == "either" and not chance.randrange(2))
                ChitSelected(side, chit, held, clause="").apply(at.state)
            if self.why_not_ready(at, side) is None:
                return


def chosen_chits(at: Position, side: str) -> tuple[str, ...]:
    """All that a side has chosen so far, for the cup and for its hand."""
    return (*at.state.selected.get(side, ()), *at.state.hand.get(side, ()))


@record
class Select(Action):
    """Choose a chit for this turn, for the cup or to hold it in hand."""

    kind = "select"
    can = "be selected"
    chit: str
    hold: bool = False

    def __str__(self) -> str:
        return f"select {self.chit}" + (" and hold it" if self.hold else "")


@record
class Ready(Action):
    """The selection is made."""

    kind = "ready"
    says = "selection made"
    ends: ClassVar[bool] = True


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
        if self.held:
            state.hand = {**state.hand, self.side: (*state.hand.get(self.side, ()), self.chit)}
        else:
            state.selected = {**state.selected, self.side: (*state.selected.get(self.side, ()), self.chit)}

    def __str__(self) -> str:
        return f"{self.side} selects {self.chit}" + (" and holds it" if self.held else "")


@record
class SelectionMade(PublicEvent[ChitState]):
    """A side has chosen."""

    kind = "selection-made"
    says = "{by} has made its selection"
    by: str

    def apply(self, state: ChitState) -> None:
        """Note it."""
        state.ready = (*state.ready, self.by)


@record
class CupFilled(PublicEvent[ChitState]):
    """The chits chosen for the cup went into it; everybody sees how many."""

    kind = "cup-filled"
    reveals = True  # how many were chosen for it, and not to be held
    common: tuple[str, ...]
    count: int

    def apply(self, state: ChitState) -> None:
        """Mix them."""
        state.cup = tuple(sorted([*self.common, *(chit for chits in state.selected.values() for chit in chits)]))
        state.put_in, state.known_in_cup = state.selected, tuple(sorted(self.common))
        state.selected = {}
        state.ready = ()
        state.drawn = ()

    def __str__(self) -> str:
        return f"{self.count} chit{'s go' if self.count != 1 else ' goes'} into the cup"


@record
class ChitDrawn(PublicEvent[ChitState]):
    """A chit came out of the cup."""

    kind = "chit-drawn"
    says = "-- {chit} is drawn --"
    chit: str

    def apply(self, state: ChitState) -> None:
        """Take it out."""
        state.cup = less(state.cup, self.chit)
        state.show(self.chit)
        state.drawn = (*state.drawn, self.chit)


@record
class ChitReturned(PublicEvent[ChitState]):
    """A drawn chit went back into the cup as if it had not been drawn."""

    kind = "chit-returned"
    says = "{chit} goes back into the cup"
    chit: str

    def apply(self, state: ChitState) -> None:
        """Put it back."""
        # Of two equal chits it is the one that was drawn last.
        last = len(state.drawn) - 1 - state.drawn[::-1].index(self.chit)
        state.drawn = state.drawn[:last] + state.drawn[last + 1 :]
        state.cup = tuple(sorted((*state.cup, self.chit)))
        state.known_in_cup = tuple(sorted((*state.known_in_cup, self.chit)))


@record
class ChitPlayed(PublicEvent[ChitState]):
    """A side played a chit that it held in hand."""

    kind = "chit-played"
    reveals = True
    says = "-- {side} plays {chit} --"
    side: str
    chit: str

    def apply(self, state: ChitState) -> None:
        """It counts as drawn."""
        state.take(self.side, self.chit)
        state.drawn = (*state.drawn, self.chit)


@cache
def _selections(chit: str, keeping: Keeping) -> tuple[Select, ...]:
    """The ways in which a chit may be selected; a game offers the same ones again and again."""
    return tuple(Select(chit, hold) for hold in (False, True) if keeping in ("either", "hand" if hold else "cup"))


CHIT_ACTIONS: tuple[type[Action], ...] = (Select, Ready)
"""The actions of a selection of chits, for `Ruleset.actions`."""
CHIT_EVENTS: tuple[type[Event], ...] = (ChitSelected, SelectionMade, CupFilled, ChitDrawn, ChitReturned, ChitPlayed)
"""The events of chits, for `Ruleset.events`."""


@record
class Selecting(TopicStep):
    """All sides choose their chits at the same time and in secret; then the cup is filled."""

    kind = "selecting"
    shows = ("chits",)
    title = "Choose your chits"
    ending = "End selection"
    topic: ClassVar[str] = "chits.select"

    def deciders(self, at: Position) -> tuple[str, ...]:
        """Those who have not finished."""
        world, ready = at.world, at.state.ready
        return tuple([world.seat_for(side) for side in world.sides if side not in ready])

    def prompt(self, at: Position, seat: str) -> str:
        """How many are to choose, or may be chosen."""
        cup, side = at.world.cup, at.world.seats[seat]
        number = cup.left(at, side)
        if not number:
            return "Confirm the selection."
        up_to = "" if cup.why_not_ready(at, side) else "up to "
        return f"Select {up_to}{number} more chit{'s' if number > 1 else ''}."

    def actions(self, at: Position, seat: str) -> ActionSet:
        """The confirmation where the selection may stay as it is, and one chit after the other."""
        cup, side = at.world.cup, at.world.seats[seat]
        offered: list[Action] = [] if cup.why_not_ready(at, side) else [Ready()]
        for chit in cup.selectable(at, side):
            offered += _selections(chit, cup.keeping(at, side, chit))
        return Explained(offered, partial(self.why_not, at, side))

    def perform(self, play: Play, seat: str, action: Action) -> None:
        """Note the choice."""
        side, clause = play.world.seats[seat], self.rule(play)
        if isinstance(action, Select):
            play.emit(ChitSelected(side, action.chit, action.hold, clause=clause))
        else:
            play.emit(SelectionMade(side, clause=clause))

    def why_not(self, at: Position, side: str, action: Action) -> Refusal | None:
        """The reason against a choice of a side: a limit, the chit, or the way it is kept."""
        cup: Cup = at.world.cup
        why: Why | None = None
        if isinstance(action, Ready):
            why = cup.why_not_ready(at, side)
        elif isinstance(action, Select):
            why = cup.why_not(at, side, action.chit)
            if why is None and action not in _selections(action.chit, cup.keeping(at, side, action.chit)):
                topic, where = ("hold", "held in hand") if action.hold else ("cup", "put into the cup")
                why = f"chits.select.{topic}", f"{action.chit} may not be {where}"
        return against(at, *why) if why else None

    def resume(self, play: Play) -> None:
        """Everybody is ready: fill the cup."""
        play.pop()
        common = play.world.cup.common(play)
        count = len(common) + sum(map(len, play.state.selected.values()))
        play.emit(CupFilled(common, count, clause=self.rule(play)))


def draw_chit(play: Play[CS, Any]) -> str:
    """Draw a chit blindly and show it."""
    clause = play.world.clause("chits.draw")
    chit = play.draw("chit", play.state.cup, clause=clause)
    play.emit(ChitDrawn(chit, clause=clause))
    return chit


# -- chits in hand ---------------------------------------------------------------------------------------------------------


@record
class Interrupt(Action):
    """Play a held chit in place of the one that was drawn."""

    kind = "interrupt"
    says = "play {chit} instead"
    can = "be played instead"
    chit: str


@record
class Interrupting(Choosing):
    """A side that may hold a chit says whether the drawn one goes back.

    A game asks a side as long as the others cannot know that it holds nothing: being asked must not reveal what was selected.
    """

    kind = "interrupting"
    shows = ("chits",)
    topic = "chits.interrupt"
    ending = "Let it be"
    choice = Interrupt

    def deciders(self, at: Position) -> tuple[str, ...]:
        """The holder."""
        return (self.seat,)

    def prompt(self, at: Position, seat: str) -> str:
        """What was drawn."""
        return f"{at.state.drawn[-1]} is drawn. Interrupt it, or let it be?"

    def about(self, at: Position) -> str:
        """The topic on this interrupt; what goes back, is played and can be played so have topics below it."""
        return self.topic

    def rule(self, at: Position) -> str:
        """The clause on the topic."""
        return str(at.world.clause(self.about(at)))

    def able(self, at: Position) -> tuple[str, ...]:
        """The chits in hand that may be played this way."""
        held: tuple[str, ...] = at.state.hand.get(at.world.seats[self.seat], ())
        return held

    def why_not(self, at: Position, action: Interrupt) -> Refusal:
        """Only a held chit is played."""
        return against(at, f"{self.about(at)}.hand", f"{action.chit} is not held in hand")

    def chosen(self, play: Play, action: Interrupt) -> None:
        """The drawn chit goes back; the held one is resolved in its place."""
        play.pop()
        clause, about = play.world.clause, self.about(play)
        play.emit(ChitReturned(play.state.drawn[-1], clause=clause(f"{about}.returned")))
        play.emit(ChitPlayed(play.world.seats[self.seat], action.chit, clause=clause(f"{about}.played")))
