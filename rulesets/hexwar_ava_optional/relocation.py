"""17.3 Relocation: headquarters in range of an activated one may leave the map and come back as reinforcements."""

from __future__ import annotations

from typing import ClassVar

from hexwar import hookimpl
from hexwar.engine import Event, Invariant, Position, PublicEvent, record
from hexwar.errors import Refusal
from hexwar.mechanics import Reinforcements
from hexwar.pieces import Choosing, TurnBegan, UnitAction, on_board, stands
from hexwar_ava.reinforcements import AvaArrivals
from hexwar_ava.state import At, AvaState, Doing, UnitsActivated, UnitWithdrawn
from hexwar_ava.tables import Chit

RELOCATED = "relocated"
"""The note on the headquarters that are on their way and still come back beyond the number."""


def able(at: At, headquarters: str) -> list[str]:
    """17.3.1: the other headquarters of the side in range that have a line; none in the last turn, as no turn follows.

    8.1.1: where many play, a headquarters that is active itself is in other hands.
    """
    world = at.world
    side = world.units[headquarters].side
    if not stands(at, headquarters) or at.state.turn >= world.entry.last_turn:
        return []
    near = world.command.range_of(at, headquarters)
    others = [unit for unit in on_board(at, side) if world.units[unit].is_headquarters and unit != headquarters]
    found = [unit for unit in others if near >> world.board.index(at.state.locations[unit]) & 1]
    return [unit for unit in world.teams.free(at, tuple(found)) if world.supply.is_supplied(at, unit)]


@record
class Relocate(UnitAction):
    """Take a headquarters off the map, to come back in the next turn."""

    kind = "relocate"
    says = "take {unit} off the map until the next turn"

    def appeal(self, at: At) -> float:
        """To a bot: better not."""
        return -1.0


@record
class Relocating(Choosing):
    """17.3.1: when its own chit activates a headquarters, the player who leads it is asked about others in range."""

    kind = "relocating"
    says = "Take headquarters in range of {headquarters} off the map: {able}?"
    clause: ClassVar[str] = "17.3.1"
    choice = Relocate
    headquarters: str
    """The activated one."""

    def able(self, at: At) -> list[str]:
        """Those that may go."""
        return able(at, self.headquarters)

    def why_not(self, at: At, action: Relocate) -> Refusal:
        """What keeps a unit on the map."""
        world, unit, leader = at.world, action.unit, self.headquarters
        counter = world.units.get(unit)
        if counter is None or not counter.is_headquarters or counter.side != world.seats[self.seat] or not stands(at, unit):
            why = f"{unit} is no headquarters of {world.seats[self.seat]} on the map"
        elif unit == leader:
            why = f"{unit} is activated itself"
        elif not world.command.range_of(at, leader) >> world.board.index(at.state.locations[unit]) & 1:
            why = f"{unit} is not in range of {leader}"
        elif not world.teams.free(at, (unit,)):
            why = f"{unit} is active itself, in other hands"
        else:
            why = f"{unit} has no line of communication"
        return Refusal.against(self.clause, why)

    def chosen(self, play: Doing, action: Relocate) -> None:
        """Put it on the next space of the turn track."""
        play.emit(HeadquartersRelocated(action.unit, f"turn {play.state.turn + 1}", clause=self.clause))


@record
class HeadquartersRelocated(PublicEvent[AvaState]):
    """A headquarters went from the map to a space of the turn track."""

    kind = "headquarters-relocated"
    says = "{unit} goes to {to}"
    unit: str
    to: str

    def apply(self, state: AvaState) -> None:
        """Put it there."""
        state.put(self.unit, self.to)
        state.notes = {**state.notes, RELOCATED: (*state.notes.get(RELOCATED, ()), self.unit)}


@record
class RelocationOver(PublicEvent[AvaState]):
    """A headquarters is back, or waits like any other reinforcement from now on."""

    kind = "relocation-over"
    unit: str
    back: bool

    def apply(self, state: AvaState) -> None:
        """Strike it off."""
        rest = tuple(unit for unit in state.notes[RELOCATED] if unit != self.unit)
        others = {name: note for name, note in state.notes.items() if name != RELOCATED}
        state.notes = {**others, RELOCATED: rest} if rest else others

    def __str__(self) -> str:
        return f"{self.unit} is back" if self.back else f"{self.unit} counts as a reinforcement from now on"


def _box(at: At, unit: str) -> str:
    return f"{at.world.units[unit].side} available"


@hookimpl
def hexwar_on_event(play: Doing, event: Event) -> None:
    """17.3.1: ask after an activation; 17.3.2: keep track of those that are away."""
    if isinstance(event, UnitsActivated):
        chit = play.world.chits.get(event.chit)
        if chit is not None and chit.activates and chit.activates in event.units and able(play, chit.activates):
            play.push(Relocating(play.world.teams.acting(play, chit.activates), chit.activates))
        return
    away = play.state.notes.get(RELOCATED)
    if not away:
        return
    if isinstance(event, TurnBegan):
        _go_on(play, away)
    elif (unit := getattr(event, "unit", "")) in away and stands(play, unit):
        play.emit(RelocationOver(unit, True, clause="17.3.2"))


def _go_on(play: Doing, away: tuple[str, ...]) -> None:
    """17.3.2: those that could have come last turn now count; those on this turn's space can come in this one."""
    chits, turn = play.world.chits.values(), play.state.turn
    for unit in away:
        side = play.world.units[unit].side
        could_come = any((c.kind, c.side) == ("reinforcements", side) and c.turn < turn for c in chits)
        if play.state.locations[unit] == _box(play, unit) and could_come:
            play.emit(RelocationOver(unit, False, clause="17.3.2"))
        elif play.state.locations[unit] == f"turn {turn}":
            play.emit(UnitWithdrawn(unit, _box(play, unit), clause="17.3.2"))


class BackAgain(AvaArrivals):
    """17.3.2: relocated headquarters come back."""

    def groups(self, at: Position, chit: Chit) -> tuple[Reinforcements, ...]:
        """17.3.2: like other reinforcements, in addition to the number."""
        groups = super().groups(at, chit)
        away = at.state.notes.get(RELOCATED, ())
        back = tuple(
            unit for unit in away if at.world.units[unit].side == chit.side and at.state.locations[unit] == _box(at, unit)
        )
        if not back:
            return groups
        others = [group._replace(units=tuple(unit for unit in group.units if unit not in back)) for group in groups]
        return (*(group for group in others if group.units), Reinforcements(back, len(back), "arrival.relocated"))


def _away_wrongly(at: At) -> str | None:
    for unit in at.state.notes.get(RELOCATED, ()):
        place = at.state.locations.get(unit, "nowhere")
        if not at.world.units[unit].is_headquarters or not (place == _box(at, unit) or place.startswith("turn ")):
            return f"{unit} is noted as relocated and is in {place}"
    return None


PARTS = {"arrivals": BackAgain}
ACTIONS = (Relocate,)
STEPS = (Relocating,)
EVENTS = (HeadquartersRelocated, RelocationOver)
INVARIANTS = (Invariant("17.3.2", "a relocated headquarters waits on the turn track or in its box", _away_wrongly),)
