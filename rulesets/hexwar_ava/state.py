"""The state that this game adds to that of the mechanics, and the game's own events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

from hexwar.engine import Event, News, Play, Position, PublicEvent, SideName, Sight, owned, public, record, state
from hexwar.mechanics import HexName, HexState
from hexwar.pieces import ActivationEnded, ActivationState, ChitName, ChitState, NotesState, Turn, UnitName
from hexwar.pieces import UnitsActivated as Activated

if TYPE_CHECKING:
    from hexwar_ava.world import AvaWorld

At: TypeAlias = "Position[AvaState, AvaWorld]"
Doing: TypeAlias = "Play[AvaState, AvaWorld]"


@state
class AvaState(HexState, ChitState, ActivationState, NotesState):
    """A position of A Victory Awaits."""

    retreated: tuple[UnitName, ...] = public(default=())
    """10.3.4: the units that have retreated in this combat segment."""
    added: Mapping[SideName, tuple[ChitName, ...]] = owned(factory=dict)
    """18.1.4: side -> the chits of choice that it has made available."""
    known_added: tuple[ChitName, ...] = public(default=(), in_digest=False)
    """18.1.4: those of them that everybody has seen; they stay available."""
    stand_fast: tuple[HexName, ...] = public(default=())
    """16.2: the hexes that still have a Stand Fast marker."""
    entry: HexName = public(default="")
    """15.3.2: the hex through which the army on the turn track enters, once it is chosen."""
    city_reached: bool = public(default=False)
    """18.1.9: whether an Axis unit has entered a hex next to the city that calls Zhukov."""
    zhukov: Turn = public(default=0)
    """18.1.9: the turn in which Zhukov took command, 0 before."""

    def activate(self, units: tuple[str, ...]) -> None:
        """8.1.1; 10.3.4: earlier retreats do not matter any more."""
        super().activate(units)
        self.retreated = ()

    def show(self, chit: str) -> None:
        """18.1.4: a chit of choice that is drawn is known to be available from now on."""
        super().show(chit)
        if chit not in self.known_added and any(chit in added for added in self.added.values()):
            self.known_added = tuple(sorted((*self.known_added, chit)))


@record
class UnitsActivated(Activated):
    """A chit activated units, which may be none (8.1.1)."""

    kind = "units-activated"

    def __str__(self) -> str:
        who = "the surprise attack" if self.chit == "surprise" else self.chit
        return f"{who} activates {', '.join(self.units) or 'nobody'}"


@record
class Retreated(PublicEvent[AvaState]):
    """A unit was driven off and adds nothing to a defence for the rest of the segment."""

    kind = "retreated"
    says = "{unit} adds nothing to a defence for the rest of the segment"
    unit: str

    def apply(self, state: AvaState) -> None:
        """Note it."""
        state.retreated = (*state.retreated, self.unit)


@record
class ChitAdded(Event[AvaState]):
    """A side made one more of its chits available, in secret."""

    kind = "chit-added"
    sight = Sight.OWNER
    says = "{side} makes {chit} available"
    side: str
    chit: str

    def apply(self, state: AvaState) -> None:
        """Note it."""
        state.added = {**state.added, self.side: (*state.added.get(self.side, ()), self.chit)}


@record
class UnitWithdrawn(PublicEvent[AvaState]):
    """A unit was taken off the map or the turn track into a box; it keeps its strength."""

    kind = "unit-withdrawn"
    says = "{unit} goes to the box {to}"
    unit: str
    to: str

    def apply(self, state: AvaState) -> None:
        """Take it off."""
        state.put(self.unit, self.to)


@record
class FortressBuilt(PublicEvent[AvaState]):
    """A fortress has one level more."""

    kind = "fortress-built"
    marker: str
    hex: str
    level: int

    def apply(self, state: AvaState) -> None:
        """Place or turn the marker."""
        if state.locations[self.marker] != self.hex:
            state.put(self.marker, self.hex)
        state.steps_left = {**state.steps_left, self.marker: self.level}

    def __str__(self) -> str:
        return f"the fortress in {self.hex} has {self.level} level{'s' if self.level > 1 else ''}"


@record
class StoodDown(PublicEvent[AvaState]):
    """A city need no longer be held at all costs."""

    kind = "stood-down"
    says = "the Stand Fast marker in {hex} is removed"
    hex: str

    def apply(self, state: AvaState) -> None:
        """Remove the marker."""
        state.stand_fast = tuple(label for label in state.stand_fast if label != self.hex)


@record
class EntryChosen(PublicEvent[AvaState]):
    """The hex through which an army comes onto the map."""

    kind = "entry-chosen"
    says = "the army enters through {hex}"
    hex: str

    def apply(self, state: AvaState) -> None:
        """Note it."""
        state.entry = self.hex


@record
class CityReached(PublicEvent[AvaState]):
    """An Axis unit stands before the city that calls Zhukov."""

    kind = "city-reached"
    says = "the Axis has reached {city}: Zhukov may take command"
    city: str

    def apply(self, state: AvaState) -> None:
        """Note it."""
        state.city_reached = True


@record
class HandsShown(News[AvaState]):
    """The turn ends and no side holds a chit any more: everybody now knows that chits never shown were not selected.

    Without it a player could end his last activation, learn that no Manstein follows, and take his last attack back.
    """

    kind = "hands-shown"
    reveals = True
    says = "nobody holds a chit any more"


@record
class ZhukovCalled(PublicEvent[AvaState]):
    """Zhukov commands the defence."""

    kind = "zhukov-called"
    says = "Zhukov takes command of the defence"
    turn: int

    def apply(self, state: AvaState) -> None:
        """Note the turn."""
        state.zhukov = self.turn


AVA_EVENTS: tuple[type[Event], ...] = (
    UnitsActivated,
    ActivationEnded,
    Retreated,
    ChitAdded,
    UnitWithdrawn,
    FortressBuilt,
    StoodDown,
    EntryChosen,
    CityReached,
    HandsShown,
    ZhukovCalled,
)
