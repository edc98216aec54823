"""17.2 Reserves and OKH: chits that activate units directly, wherever they stand; 18.1.13, 18.1.14: what Leningrad allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hexwar import hookimpl
from hexwar.engine import Event, Invariant, PublicEvent, record
from hexwar.mechanics import Battle, Mode
from hexwar.pieces import ActivationEnded, Strength, face, on_board
from hexwar.pieces import Call as Calls
from hexwar.pieces import Calling as Choosing
from hexwar_ava.activation import AvaCup
from hexwar_ava.combat import AvaCombat
from hexwar_ava.movement import AvaMovement
from hexwar_ava.state import At, AvaState, Doing, UnitsActivated
from hexwar_ava.tables import Chit
from hexwar_ava.world import AvaWorld
from hexwar_ava_optional.notes import NotesStruck

CALLED = "reserves"
"""The note on the units that Reserves has activated."""
ALONE = "reserves out of range"
"""The note on those among them that no headquarters reaches."""


def numbers(world: AvaWorld, chit: str) -> tuple[int, ...]:
    """17.2.2, 18: how many units a chit activates, by the roll of the die; nothing if the scenario does not have it."""
    found: tuple[int, ...] | None = getattr(world.entry.direct, chit, None)
    return found or ()


class DirectChits(AvaCup):
    """17.2: chits that activate units directly."""

    def printed(self) -> dict[str, Chit]:
        """17.2.1: both chits are there from the first turn, as far as the scenario has them (18.1.6, 18.3.5)."""
        world = self.world
        printed = [chit for chit in world.printed.chits.values() if chit.kind == "direct" and numbers(world, chit.id)]
        return {**super().printed(), **{chit.id: chit for chit in printed}}

    def resolve(self, play: Doing, chit: str) -> None:
        """17.2.2: in place of a headquarters."""
        if play.world.chits[chit].kind == "direct":
            resolve_reserve(play, chit)
        else:
            super().resolve(play, chit)


def resolve_reserve(play: Doing, chit: str) -> None:
    """17.2.2: the die says how many units the owner activates, and they say which. 18.1.13: fewer of Reserves, in Leningrad."""
    side = play.world.chits[chit].side
    assert side is not None
    clause = "18.1.13" if play.world.entry.reserves_hold_back and chit == "reserves" else "17.2.2"
    number = numbers(play.world, chit)[play.roll(f"units of {chit}", clause=clause) - 1]
    play.push(Calling(play.world.seat_for(side), chit, number))


@record
class Call(Calls):
    """Activate a unit directly."""

    kind = "call"

    def appeal(self, at: At) -> float:
        """To a bot: the strongest first, and those that can fight at full strength."""
        return face(at, self.unit).attack * (1.0 if in_range(at, self.unit) else 0.5)


@record
class Calling(Choosing):
    """17.2.2: the owner chooses units on the map, up to the number; 17.2.6: headquarters, too."""

    kind = "calling"
    choice = Call

    def called(self, play: Doing, units: tuple[str, ...]) -> None:
        """17.2.2: they are active; 17.2.6: a headquarters among them activates no unit."""
        play.emit(UnitsActivated(self.chit, units, clause=self.rule(play)))
        if units and self.chit == "reserves":  # 17.2.5: OKH knows no limits
            alone = tuple(unit for unit in units if not in_range(play, unit))
            play.emit(ReservesCalled(units, alone, clause="17.2.4" if alone else "17.2.3"))


def in_range(at: At, unit: str) -> bool:
    """17.2.3: whether a unit on the map is within the range of a headquarters of its side, its own included."""
    world, here = at.world, 1 << at.world.board.index(at.state.locations[unit])
    leaders = [other for other in on_board(at, world.units[unit].side) if world.units[other].is_headquarters]
    return any(world.command.range_of(at, leader) & here for leader in leaders)


@record
class ReservesCalled(PublicEvent[AvaState]):
    """Units of Reserves are on their way, some of them beyond the reach of any headquarters."""

    kind = "reserves-called"
    units: tuple[str, ...]
    alone: tuple[str, ...]

    def apply(self, state: AvaState) -> None:
        """Note both."""
        state.notes = {**state.notes, CALLED: self.units, **({ALONE: self.alone} if self.alone else {})}

    def __str__(self) -> str:
        if not self.alone:
            return "all units of Reserves are in range of a headquarters"
        return f"out of range of every headquarters, at half strength and without strategic movement: {', '.join(self.alone)}"


@hookimpl
def hexwar_on_event(play: Doing, event: Event) -> None:
    """17.2.4: the limits end with the activation."""
    if isinstance(event, ActivationEnded) and CALLED in play.state.notes:
        play.emit(NotesStruck((CALLED, ALONE), "the units of Reserves have acted", clause="17.2.3"))


class ReservesMovement(AvaMovement):
    """17.2.4, 18.1.14: how units of Reserves move."""

    def modes_of(self, at: At, unit: str) -> tuple[Mode, ...]:
        """17.2.4: normal movement only, out of range; 18.1.14: no move that enters or leaves an enemy zone."""
        modes, notes = super().modes_of(at, unit), at.state.notes
        if not notes or unit not in notes.get(CALLED, ()):
            return modes
        normal, others = modes[0], modes[1:]
        if self.world.entry.reserves_hold_back:
            normal = replace(normal, outside_zones=True, topic="move.reserves")
        return (normal,) if unit in notes.get(ALONE, ()) else (normal, *others)


class ReservesCombat(AvaCombat):
    """17.2.4, 18.1.14: what units of Reserves do in combat."""

    def attackers(self, at: At, units: tuple[str, ...]) -> tuple[str, ...]:
        """18.1.14: in Leningrad, units of Reserves do not attack."""
        called: Sequence[str] = at.state.notes.get(CALLED, ()) if at.world.entry.reserves_hold_back else ()
        return tuple(unit for unit in super().attackers(at, units) if unit not in called)

    def strength(self, at: At, battle: Battle, unit: str) -> Strength:
        """17.2.4: half the strength of an attack, out of range; with a river, a quarter. They never defend meanwhile."""
        found = super().strength(at, battle, unit)
        if unit not in battle.attackers or unit not in at.state.notes.get(ALONE, ()):
            return found
        return found.changed(found.counted / 2, "halved out of range of every headquarters", "17.2.4")


def _called_wrongly(at: At) -> str | None:
    called, alone = at.state.notes.get(CALLED, ()), at.state.notes.get(ALONE, ())
    engaged = getattr(at.state, "engaged", None)  # where many play, each activation has its own
    active = at.state.active if engaged is None else engaged.get("reserves", called)
    if called and called != active:
        return f"Reserves has activated {', '.join(called)}, and active are {', '.join(active)}"
    if not set(alone) <= set(called):
        return f"{', '.join(alone)} are not all of Reserves"
    return f"{len(called)} units" if called and len(called) > max(numbers(at.world, "reserves")) else None


PARTS = {"cup": DirectChits, "movement": ReservesMovement, "combat": ReservesCombat}
ACTIONS = (Call,)
STEPS = (Calling,)
EVENTS = (ReservesCalled, NotesStruck)
INVARIANTS = (Invariant("17.2.2", "the units of Reserves are the active ones and not too many", _called_wrongly),)
