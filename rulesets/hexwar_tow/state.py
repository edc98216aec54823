"""The state that this game adds to that of the mechanics, and the game's own events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

from hexwar.engine import Event, News, Play, Position, PublicEvent, SideName, Sight, owned, public, record, state
from hexwar.mechanics import HexName, HexState
from hexwar.pieces import ActivationState, ChitName, ChitState, NotesState, UnitName, less

if TYPE_CHECKING:
    from hexwar_tow.world import TowWorld

At: TypeAlias = "Position[TowState, TowWorld]"
Doing: TypeAlias = "Play[TowState, TowWorld]"

OUT_OF_SUPPLY = "out of supply"
ISOLATED = "isolated"
WAITING = "headquarters waiting"
"""The box of headquarters that are being relocated, or for which there is no hex yet (2.3.6)."""


@state
class TowState(HexState, ChitState, ActivationState, NotesState):
    """A position of Traces of War."""

    mode: str = public(default="")
    """4.3.6: the mode of the activation in play, "move-combat" or "combat-move"."""
    reaction: ChitName = public(default="")
    """4.2.2.5: the OKH chit that was just played from the hand, until it has been used."""
    supply: Mapping[UnitName, str] = public(factory=dict)
    """8.1: unit -> "out of supply" or "isolated"; units in supply are not here."""
    orders: tuple[HexName, ...] = public(default=())
    """12.2: the hexes that still have a Supreme Command Order."""
    crossings: tuple[HexName, ...] = public(default=())
    """12.3, 12.3.2: the crossing points on the map that the Soviets have gained; none at the beginning."""
    airborne: HexName = public(default="")
    """11.1.5, 11.1.8: the hex of the Airborne marker, which never moves."""
    landed: bool = public(default=False)
    """11.1.9: whether the Airborne marker has been placed, even if it is gone by now."""
    groups: int = public(default=0)
    """11.1.1: how often Soviet reinforcements have come."""
    relocations: Mapping[SideName, int] = public(factory=dict)
    """2.3.10: side -> how often it has relocated a headquarters."""
    luftwaffe: Mapping[SideName, tuple[str, ...]] = owned(factory=dict)
    """2.1.3, 3.0.4, 7.0.4: side -> the Luftwaffe markers it has available, none at the beginning; the secret of the Axis."""
    sorties: int = public(default=0)
    """7.0.3: how many Luftwaffe markers are available; everybody can count them."""
    committed: tuple[str, ...] = public(default=())
    """7.0.5: the markers that were last used."""
    committed_to: tuple[str, ...] = public(default=())
    """The attack in which they were used: the hex, then the attackers."""

    def activate(self, units: tuple[str, ...]) -> None:
        """4.3: a new activation has no mode yet, and what the Luftwaffe did in the last one is over."""
        super().activate(units)
        self.mode = ""
        self.reaction = ""
        self.committed = ()
        self.committed_to = ()

    def put(self, unit: str, location: str) -> None:
        """Place or move a unit; off the map it has no supply marker."""
        super().put(unit, location)
        if unit in self.supply and location not in self.layout.basis.board.indices:
            self.supply = {other: how for other, how in self.supply.items() if other != unit}

    def remove(self, unit: str) -> None:
        """Take a unit out of the game, its marker too."""
        super().remove(unit)
        self.supply = {other: how for other, how in self.supply.items() if other != unit}

    @property
    def crossing_points(self) -> int:
        """12.3.1, PA.CP.6: the crossing points of the Soviets now, with that of the Airborne marker."""
        return len(self.crossings) + self.landed


@record
class ModeChosen(PublicEvent[TowState]):
    """In which order the active units move and fight."""

    kind = "mode-chosen"
    mode: str

    def apply(self, state: TowState) -> None:
        """Note it."""
        state.mode = self.mode

    def __str__(self) -> str:
        return "they move, then fight" if self.mode == "move-combat" else "they fight, then move"


@record
class ReactionPlayed(PublicEvent[TowState]):
    """An OKH chit came from the hand."""

    kind = "reaction-played"
    says = "{chit} is played as a reaction"
    chit: str

    def apply(self, state: TowState) -> None:
        """Note it until it is used."""
        state.reaction = self.chit


@record
class SupplyChanged(PublicEvent[TowState]):
    """A unit got, turned or lost its supply marker."""

    kind = "supply-changed"
    unit: str
    status: str = ""
    """The marker, "" for none."""

    def apply(self, state: TowState) -> None:
        """Set it."""
        state.supply = {unit: how for unit, how in state.supply.items() if unit != self.unit}
        if self.status:
            state.supply = {**state.supply, self.unit: self.status}

    def __str__(self) -> str:
        return f"{self.unit} is {self.status or 'in supply'}"


@record
class HeadquartersLifted(PublicEvent[TowState]):
    """A headquarters left its hex to be relocated."""

    kind = "headquarters-lifted"
    says = "{unit} is relocated"
    unit: str

    def apply(self, state: TowState) -> None:
        """Take it off the map."""
        state.put(self.unit, WAITING)


@record
class HeadquartersRelocated(PublicEvent[TowState]):
    """A headquarters stands in its new hex."""

    kind = "headquarters-relocated"
    says = "{unit} is now in {hex}"
    unit: str
    hex: str
    side: str

    def apply(self, state: TowState) -> None:
        """Put it there and count it."""
        state.put(self.unit, self.hex)
        state.relocations = {**state.relocations, self.side: state.relocations.get(self.side, 0) + 1}


@record
class OrderRemoved(PublicEvent[TowState]):
    """A city need no longer be held at any price."""

    kind = "order-removed"
    says = "the Supreme Command Order for {city} ({hex}) is lifted"
    hex: str
    city: str

    def apply(self, state: TowState) -> None:
        """Remove the marker."""
        state.orders = tuple(label for label in state.orders if label != self.hex)


@record
class CrossingGained(PublicEvent[TowState]):
    """12.3.6: the Soviets have a crossing point for the rest of the game."""

    kind = "crossing-gained"
    says = "the Soviets gain the crossing point {hex}"
    hex: str

    def apply(self, state: TowState) -> None:
        """Note it."""
        state.crossings = tuple(sorted((*state.crossings, self.hex)))


@record
class AirborneLanded(PublicEvent[TowState]):
    """The Airborne marker is on the map."""

    kind = "airborne-landed"
    says = "Soviet paratroopers land at {hex}"
    hex: str

    def apply(self, state: TowState) -> None:
        """Place it; it counts as a crossing point from now on."""
        state.airborne = self.hex
        state.landed = True


@record
class AirborneDestroyed(PublicEvent[TowState]):
    """The Airborne marker is gone."""

    kind = "airborne-destroyed"
    says = "the Airborne marker in {hex} is destroyed"
    hex: str

    def apply(self, state: TowState) -> None:
        """Remove it."""
        state.airborne = ""


@record
class GroupCalled(PublicEvent[TowState]):
    """Soviet reinforcements come once more."""

    kind = "group-called"
    says = "Soviet reinforcements: group {group}"
    group: int

    def apply(self, state: TowState) -> None:
        """Count it."""
        state.groups = self.group


@record
class UnitReplaced(PublicEvent[TowState]):
    """A counter took the place of another, which leaves the game."""

    kind = "unit-replaced"
    says = "{by} takes the place of {unit}"
    unit: str
    by: str

    def apply(self, state: TowState) -> None:
        """Exchange them; the new one has full strength."""
        label = state.locations[self.unit]
        state.remove(self.unit)
        state.put(self.by, label)


@record
class SomeMarkerDrawn(News[TowState]):
    """What the Soviets see of a draw: that the Luftwaffe has one more marker."""

    kind = "some-marker-drawn"
    says = "{by} draws a Luftwaffe marker"
    by: str


@record
class MarkerDrawn(Event[TowState]):
    """The Axis drew a Luftwaffe marker, unseen by the Soviets."""

    kind = "marker-drawn"
    sight = Sight.OWNER
    says = "{side} draws the Luftwaffe marker {marker}"
    side: str
    marker: str

    def apply(self, state: TowState) -> None:
        """Add it to the available markers."""
        mine = tuple(sorted((*state.luftwaffe.get(self.side, ()), self.marker)))
        state.luftwaffe = {**state.luftwaffe, self.side: mine}
        state.sorties += 1

    def outline(self) -> SomeMarkerDrawn:
        """That there is one more."""
        return SomeMarkerDrawn(self.side, clause=self.clause)


@record
class MarkerUsed(PublicEvent[TowState]):
    """A Luftwaffe marker is used in an attack."""

    kind = "marker-used"
    reveals = True
    says = "the Luftwaffe flies: {marker}"
    side: str
    marker: str
    attack: tuple[str, ...]

    def apply(self, state: TowState) -> None:
        """It lies open at the attack."""
        state.luftwaffe = {**state.luftwaffe, self.side: less(state.luftwaffe[self.side], self.marker)}
        state.sorties -= 1
        state.committed = (*(state.committed if state.committed_to == self.attack else ()), self.marker)
        state.committed_to = self.attack


@record
class MarkersReturned(PublicEvent[TowState]):
    """All Luftwaffe markers go back into the pool, unseen."""

    kind = "markers-returned"
    says = "the Luftwaffe markers go back into the pool"

    def apply(self, state: TowState) -> None:
        """Return them to the pool."""
        state.luftwaffe = {}
        state.sorties = 0


TOW_EVENTS: tuple[type[Event], ...] = (
    ModeChosen,
    ReactionPlayed,
    SupplyChanged,
    HeadquartersLifted,
    HeadquartersRelocated,
    OrderRemoved,
    CrossingGained,
    AirborneLanded,
    AirborneDestroyed,
    GroupCalled,
    UnitReplaced,
    MarkerDrawn,
    SomeMarkerDrawn,
    MarkerUsed,
    MarkersReturned,
)
