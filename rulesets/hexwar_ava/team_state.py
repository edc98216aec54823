"""What a game of many players adds to the state, and the events that change it."""

from __future__ import annotations

from collections.abc import Mapping

from hexwar.engine import Event, PublicEvent, SeatName, SideName, Viewer, owned, public, record, redacted, state
from hexwar.pieces import ChitName, UnitName
from hexwar_ava.state import AvaState

DOWN, UP, RUNNING = "face down", "face up", "in play"
"""What a drawn chit in the row is: seen by the controller only, revealed, or being carried out."""
UNKNOWN = "?"

Queued = tuple[ChitName, str, SeatName]
"""A chit in the row, what it is (`DOWN`, `UP` or `RUNNING`), and the seat that may look at it face down, "" for nobody."""


def _faces(queue: tuple[Queued, ...], viewer: Viewer) -> tuple[Queued, ...]:
    """19.4.2: everybody sees the row, and only the controller what lies face down in it."""
    return tuple(
        (UNKNOWN, face, keeper) if face == DOWN and keeper != viewer.seat else (chit, face, keeper)
        for chit, face, keeper in queue
    )


@state
class AvaTeamState(AvaState):
    """A position with many players."""

    commander: SeatName = public(default="")
    """The seat that carries out the activation; each of several activations at once has its own."""
    engaged: dict[ChitName, tuple[UnitName, ...]] = public(factory=dict)
    """Chit -> the units that it has activated, for every activation that goes on."""
    queue: tuple[Queued, ...] = redacted(_faces, default=())
    """19.4.2: the drawn chits that have not been carried out, in the order of their draw."""
    waits: bool = public(default=False)
    """19.4.3: whether the controller has stopped drawing until something changes."""
    staff: dict[SideName, tuple[tuple[SeatName, ChitName], ...]] = owned(factory=dict)
    """20.1.2: side -> the chits in the cups of its players, each with its seat; the side's secret."""
    looked_at: Mapping[SeatName, tuple[ChitName, ...]] = owned(factory=dict, in_digest=False)
    """19.4.2, 19.5.2: controller -> the chits that went back into the cup after they saw them face down, and are still there."""
    shown_from: Mapping[ChitName, SeatName] = public(factory=dict, in_digest=False)
    """20.2.8, 20.2.11: chit -> the player from whose cup it was shown this turn; unless still drawn, it is there again."""


@record
class ActivationBegan(PublicEvent[AvaTeamState]):
    """A seat begins to carry out a chit."""

    kind = "activation-began"
    chit: str
    seat: str

    def apply(self, state: AvaTeamState) -> None:
        """The chit counts as the last one drawn, even if others were drawn after it."""
        state.drawn = (*(chit for chit in state.drawn if chit != self.chit), self.chit)
        state.queue = tuple((c, RUNNING, k) if c == self.chit else (c, face, k) for c, face, k in state.queue)
        state.commander = self.seat

    def __str__(self) -> str:
        return f"{self.seat} carries out {self.chit}" if self.seat else f"{self.chit} concerns everybody"


@record
class UnitsEngaged(PublicEvent[AvaTeamState]):
    """The units of an activation are its own until it is over."""

    kind = "units-engaged"
    chit: str
    units: tuple[str, ...]

    def apply(self, state: AvaTeamState) -> None:
        """Note them."""
        state.engaged[self.chit] = self.units

    def __str__(self) -> str:
        return f"{self.chit} has {len(self.units)} units in hand"


@record
class ChitCarriedOut(PublicEvent[AvaTeamState]):
    """A chit is done with."""

    kind = "chit-carried-out"
    says = "{chit} is carried out"
    chit: str

    def apply(self, state: AvaTeamState) -> None:
        """Take it out of the row."""
        state.engaged.pop(self.chit, None)
        state.commander = ""
        state.queue = tuple(entry for entry in state.queue if entry[0] != self.chit)
        state.waits = False


TEAM_EVENTS: tuple[type[Event], ...] = (ActivationBegan, UnitsEngaged, ChitCarriedOut)
