"""17.6 Panzer group headquarters: their second activation in a turn needs a line, over a railway that no other group uses."""

from __future__ import annotations

from itertools import pairwise

from hexwar import hookimpl
from hexwar.engine import Event, Invariant, PublicEvent, record
from hexwar.pieces import TurnBegan, stands
from hexwar_ava.activation import AvaCup
from hexwar_ava.state import At, AvaState, Doing, UnitsActivated
from hexwar_ava_optional.notes import NotesStruck

GROUP = "panzer-group"
"""The tag of their headquarters."""
ACTIVATED = "panzer groups"
"""The note on those that have been activated in this turn."""
RAILWAY = "railway of "
"""Before the name of a headquarters, the note on the railway hexes of its line."""


@record
class GroupActivated(PublicEvent[AvaState]):
    """A panzer group was activated for the first time in the turn."""

    kind = "group-activated"
    says = "{headquarters} needs a line of communication to be activated once more in this turn"
    headquarters: str

    def apply(self, state: AvaState) -> None:
        """Note it."""
        state.notes = {**state.notes, ACTIVATED: (*state.notes.get(ACTIVATED, ()), self.headquarters)}


@record
class RailwayUsed(PublicEvent[AvaState]):
    """A panzer group was activated again, by a line over these railway hexes."""

    kind = "railway-used"
    headquarters: str
    hexes: tuple[str, ...]

    def apply(self, state: AvaState) -> None:
        """Note them."""
        state.notes = {**state.notes, RAILWAY + self.headquarters: self.hexes}

    def __str__(self) -> str:
        way = f"the railway {' '.join(self.hexes)}" if self.hexes else "no railway"
        return f"the line of {self.headquarters} uses {way}"


def used_by_others(at: At, headquarters: str) -> frozenset[str]:
    """17.6.2: the railway hexes that other panzer groups have used in this turn."""
    notes = at.state.notes.items()
    return frozenset(hex for name, hexes in notes if name.startswith(RAILWAY) and name != RAILWAY + headquarters for hex in hexes)


def railway_of(at: At, line: list[str], others: frozenset[str]) -> tuple[str, ...]:
    """17.6.2: the hexes of a line in which it follows a railway; its source belongs to no one railway.

    Hexes of others are only crossed, in the last part of the line, which is off the rails.
    """
    board, found = at.world.board, []
    for origin, target in pairwise(line):
        if target in others or "rail" not in board.links(origin, target):
            break
        found.append(target)
    return tuple(found)


class SecondActivation(AvaCup):
    """17.6: what the second chit of a panzer group needs."""

    def resolve(self, play: Doing, chit: str) -> None:
        """17.6.1, 17.6.2: without such a line the chit has no effect."""
        headquarters = play.world.chits[chit].activates
        if not headquarters or GROUP not in play.world.units[headquarters].tags or not stands(play, headquarters):
            super().resolve(play, chit)
        elif headquarters not in play.state.notes.get(ACTIVATED, ()):
            play.emit(GroupActivated(headquarters, clause="17.6.1"))
            super().resolve(play, chit)
        elif not play.world.supply.is_supplied(play, headquarters):
            play.emit(UnitsActivated(chit, (), clause="17.6.1"))
        else:
            others = used_by_others(play, headquarters)
            shut = play.world.board.mask(others)
            line = play.world.supply.line(play, "axis", play.state.locations[headquarters], shut=shut)
            if line is None:
                play.emit(UnitsActivated(chit, (), clause="17.6.2"))
            else:
                clause = "17.6.2" if others else "17.6.1"
                play.emit(RailwayUsed(headquarters, railway_of(play, line, others), clause=clause))
                super().resolve(play, chit)


@hookimpl
def hexwar_on_event(play: Doing, event: Event) -> None:
    """17.6.1: every turn begins anew."""
    if isinstance(event, TurnBegan):
        names = tuple(name for name in play.state.notes if name == ACTIVATED or name.startswith(RAILWAY))
        if names:
            play.emit(NotesStruck(names, "the panzer groups may use any railway again", clause="17.6.1"))


def _shared(at: At) -> str | None:
    hexes = [hex for name, note in at.state.notes.items() if name.startswith(RAILWAY) for hex in note]
    twice = sorted({hex for hex in hexes if hexes.count(hex) > 1})
    return f"two use {', '.join(twice)}" if twice else None


PARTS = {"cup": SecondActivation}
EVENTS = (GroupActivated, RailwayUsed, NotesStruck)
INVARIANTS = (Invariant("17.6.2", "no two panzer groups use the same railway", _shared),)
