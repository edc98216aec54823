"""17.2 Reserves and OKH: chits that activate units directly, wherever they stand; 18.1.13, 18.1.14: what Leningrad allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, ClassVar

from hexwar import hookimpl
from hexwar.engine import Action, ActionSet, Event, Grouped, Invariant, Sight, Step, record
from hexwar.errors import Refusal, RefusalCode
from hexwar.mechanics import Done, Mode, UnitAction, face, on_board, unit_of
from hexwar_ava.state import ActivationEnded, AvaState, UnitsActivated
from hexwar_ava.tables import Chit
from hexwar_ava.world import At, AvaWorld, Doing
from hexwar_ava_optional.notes import NotesStruck

CALLED = "reserves"
"""The note on the units that Reserves has activated."""
ALONE = "reserves out of range"
"""The note on those among them that no headquarters reaches."""


def numbers(world: AvaWorld, chit: str) -> tuple[int, ...]:
    """17.2.2, 18: how many units a chit activates, by the roll of the die; nothing if the scenario does not have it."""
    found: tuple[int, ...] | None = getattr(world.entry.direct, chit, None)
    return found or ()


def holds_back(world: AvaWorld, chit: str) -> bool:
    """18.1.13, 18.1.14: whether the scenario limits a chit: Reserves, in Leningrad."""
    return world.entry.reserves_hold_back and chit == "reserves"


@hookimpl
def hexwar_chits(world: AvaWorld, chits: dict[str, Chit]) -> dict[str, Chit]:
    """17.2.1: both chits are there from the first turn, as far as the scenario has them (18.1.6, 18.3.5)."""
    printed = [chit for chit in world.printed.chits.values() if chit.kind == "direct" and numbers(world, chit.id)]
    return {**chits, **{chit.id: chit for chit in printed}}


@hookimpl
def hexwar_resolve_chit(play: Doing, chit: str, resolved: bool) -> bool | None:
    """17.2.2: in place of a headquarters."""
    if resolved or play.world.chits[chit].kind != "direct":
        return None
    resolve_reserve(play, chit)
    return True


def resolve_reserve(play: Doing, chit: str) -> None:
    """17.2.2: the die says how many units the owner may activate; he is asked which."""
    side = play.world.chits[chit].side
    assert side is not None
    clause = "18.1.13" if holds_back(play.world, chit) else "17.2.2"
    number = numbers(play.world, chit)[play.roll(f"units of {chit}", clause=clause) - 1]
    play.push(Calling(play.world.seat_for(side), chit, number))


@record
class Call(UnitAction):
    """Activate a unit directly."""

    def __str__(self) -> str:
        return f"activate {self.unit}"

    def appeal(self, at: At) -> float:
        """To a bot: the strongest first, and such as can fight at full strength."""
        return face(at, self.unit).attack * (1.0 if in_range(at, self.unit) else 0.5)


@record
class Calling(Step[Any, Any]):
    """17.2.2: the owner chooses units on the map, up to the number; 17.2.6: headquarters, too."""

    clause: ClassVar[str] = "17.2.2"
    seat: str
    chit: str
    number: int
    """How many may still be chosen."""
    units: tuple[str, ...] = ()
    """Those that are."""

    def _able(self, at: At) -> list[str]:
        counters = at.world.units
        mine = on_board(at, at.world.seats[self.seat])
        return [unit for unit in mine if unit not in self.units and any(side.move for side in counters[unit].faces)]

    def deciders(self, at: At) -> tuple[str, ...]:
        """The owner, as long as there is somebody to choose."""
        return (self.seat,) if self.number > 0 and self._able(at) else ()

    def prompt(self, at: At, seat: str) -> str:
        """How many may be chosen."""
        so_far = f" So far: {', '.join(self.units)}." if self.units else ""
        return f"{self.chit}: activate up to {self.number} {'more ' if self.units else ''}units.{so_far}"

    def actions(self, at: At, seat: str) -> ActionSet:
        """No more, or any unit on the map."""
        return Grouped([Done()], self._able(at), lambda unit: [Call(unit)], unit_of)

    def perform(self, play: Doing, seat: str, action: Action) -> None:
        """Note it, or let those that are chosen act."""
        if isinstance(action, Call):
            play.replace(Calling(self.seat, self.chit, self.number - 1, (*self.units, action.unit)))
        else:
            self.resume(play)

    def resume(self, play: Doing) -> None:
        """17.2.2: they are active; 17.2.6: a headquarters among them activates nobody."""
        play.pop()
        called = tuple(sorted(self.units, key=play.world.ground.rank.__getitem__))
        play.emit(UnitsActivated(self.chit, called, clause=self.clause))
        if called and self.chit == "reserves":  # 17.2.5: OKH knows no limits
            alone = tuple(unit for unit in called if not in_range(play, unit))
            play.emit(ReservesCalled(called, alone, clause="17.2.4" if alone else "17.2.3"))

    def refuse(self, at: At, seat: str, action: Action) -> Refusal | None:
        """Name the rule that is in the way."""
        if not isinstance(action, Call):
            return None
        side = at.world.seats[self.seat]
        why = "is chosen already" if action.unit in self.units else f"is no {side} unit on the map that can move"
        return Refusal(RefusalCode.AGAINST_RULE, self.clause, f"{action.unit} {why}")


def in_range(at: At, unit: str) -> bool:
    """17.2.3: whether a unit on the map is within the range of a headquarters of its side, its own included."""
    world, here = at.world, 1 << at.world.board.index(at.state.at[unit])
    leaders = [other for other in on_board(at, world.units[unit].side) if world.units[other].is_headquarters]
    return any(world.range_of(at, leader) & here for leader in leaders)


@record
class ReservesCalled(Event[AvaState]):
    """Units of Reserves are on their way, some of them beyond the reach of any headquarters."""

    sight = Sight.PUBLIC
    units: tuple[str, ...]
    alone: tuple[str, ...]

    def apply(self, state: AvaState) -> None:
        """Note both."""
        state.notes[CALLED] = self.units
        if self.alone:
            state.notes[ALONE] = self.alone

    def __str__(self) -> str:
        if not self.alone:
            return "all units of Reserves are in range of a headquarters"
        return f"out of range of every headquarters, at half strength and without strategic movement: {', '.join(self.alone)}"


@hookimpl
def hexwar_on_event(play: Doing, event: Event[Any]) -> None:
    """17.2.4: the limits end with the activation."""
    if isinstance(event, ActivationEnded) and CALLED in play.state.notes:
        play.emit(NotesStruck((CALLED, ALONE), "the units of Reserves have acted", clause="17.2.3"))


@hookimpl
def hexwar_modes(at: At, unit: str, modes: tuple[Mode, ...]) -> tuple[Mode, ...] | None:
    """17.2.4: normal movement only, out of range; 18.1.14: no move that enters or leaves an enemy zone."""
    notes = at.state.notes
    if not notes or unit not in notes.get(CALLED, ()):
        return None
    normal, others = modes[0], modes[1:]
    if at.world.entry.reserves_hold_back:
        normal = replace(normal, outside_zones=True, topic="move.reserves")
    return (normal,) if unit in notes.get(ALONE, ()) else (normal, *others)


@hookimpl
def hexwar_attackers(at: At, units: tuple[str, ...]) -> tuple[str, ...] | None:
    """18.1.14: in Leningrad, units of Reserves do not attack."""
    called: Sequence[str] = at.state.notes.get(CALLED, ()) if at.world.entry.reserves_hold_back else ()
    return tuple(unit for unit in units if unit not in called) if called else None


@hookimpl
def hexwar_strength(at: At, unit: str, role: str, strength: Fraction) -> tuple[Fraction, str, str] | None:
    """17.2.4: half the strength of an attack, out of range; with a river, a quarter. They never defend meanwhile."""
    if role != "attack" or unit not in at.state.notes.get(ALONE, ()):
        return None
    return strength / 2, "halved out of range of every headquarters", "17.2.4"


def _called_wrongly(at: At) -> str | None:
    called, alone = at.state.notes.get(CALLED, ()), at.state.notes.get(ALONE, ())
    engaged = getattr(at.state, "engaged", None)  # where many play, each activation has its own
    active = at.state.active if engaged is None else engaged.get("reserves", called)
    if called and called != active:
        return f"Reserves has activated {', '.join(called)}, and active are {', '.join(active)}"
    if not set(alone) <= set(called):
        return f"{', '.join(alone)} are not all of Reserves"
    return f"{len(called)} units" if called and len(called) > max(numbers(at.world, "reserves")) else None


ACTIONS = (Call,)
STEPS = (Calling,)
EVENTS = (ReservesCalled, NotesStruck)
INVARIANTS = (Invariant("17.2.2", "the units of Reserves are the active ones and not too many", _called_wrongly),)
