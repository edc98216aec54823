"""2.3 and 9.4: headquarters that relocate, forced out or by choice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from hexwar.engine import Action, RandomSource, record
from hexwar.errors import Refusal
from hexwar.mechanics import Arrive, Arriving, HexName, Moves, Moving, enter_hexes, has_room, in_enemy_zone, occupant, stack
from hexwar.pieces import UnitAction, against, on_board
from hexwar_tow.counters import HQ
from hexwar_tow.crossings import look_at_crossings
from hexwar_tow.state import WAITING, At, Doing, HeadquartersLifted, HeadquartersRelocated

SELDOM = 12
"""A random player relocates a headquarters in one of this many of its moves: it costs points."""


def posts(at: At, unit: str, origin: str) -> int:
    """2.3.6 to 2.3.9: the mask of the hexes to which a headquarters may be relocated.

    Args:
        at: the position.
        unit: the headquarters.
        origin: the hex that it left; "" where the distance does not matter.
    """
    world, layout, side = at.world, at.state.layout, at.world.units[unit].side
    board = world.board
    found: int = world.supply.supplied(at, side) & ~layout.threatened[side]
    leaders = [other for other in on_board(at, side) if world.units[other].arm == HQ and other != unit]
    found &= ~board.mask([at.state.locations[other] for other in leaders])
    if origin:
        found &= ~board.near(origin, world.numbers.relocation.least - 1)
    here = at.state.locations.get(unit, "")
    if stack(at, here) == (unit,) and here in board and in_enemy_zone(at, side, here):
        # It still stands there, and perhaps lines run only through its own hex.
        found = board.mask(world.supply.lengths(at, side, board.unmask(found), without=here))
    return found


@record
class Relocating(Arriving):
    """2.3.6: a headquarters off the map is placed; if no hex is suitable, it waits."""

    kind = "relocating"
    may_stop: ClassVar[bool] = False
    origin: HexName = ""
    """The hex that it left; "" where the distance does not matter."""

    def why_closed(self, at: At, unit: str, label: str) -> Refusal | None:
        """Which of the four conditions a hex does not meet, topic and sentence; None if it meets all."""
        world = at.world
        if label in self.hexes:
            return Arriving.why_closed(self, at, unit, label)
        if label not in world.board:
            return against(at, self.about, f"there is no hex {label} on the map")
        least = world.numbers.relocation.least
        if self.origin and world.board.distance(self.origin, label) < least:
            return against(at, self.about, f"{label} is not {least} hexes away from {self.origin}")
        if in_enemy_zone(at, world.units[unit].side, label):
            return against(at, f"{self.about}.zone", f"{label} lies in an enemy zone of control")
        if occupant(at, label) not in (None, world.units[unit].side) or not has_room(at, unit, label):
            return against(at, f"{self.about}.room", f"there is no room for {unit} in {label}")
        return against(at, f"{self.about}.line", f"{label} has no line of supply")

    def act(self, play: Doing, action: Arrive) -> None:
        """2.3.10: place it, and count it."""
        side = play.world.units[action.unit].side
        play.emit(HeadquartersRelocated(action.unit, action.to, side, clause="2.3.10"))
        enter_hexes(play, action.unit, (action.to,))

    def prompt(self, at: At, seat: str) -> str:
        """Who goes where."""
        return f"Relocate {', '.join(self.waiting(at))}."


def relocate(play: Doing, unit: str, origin: str) -> None:
    """2.3.3: let the owner choose a new hex for a headquarters that is off the map."""
    seat = play.world.seat_for(play.world.units[unit].side, unit)
    hexes = play.world.board.unmask(posts(play, unit, origin))
    play.push(Relocating(seat, (unit,), hexes, about="arrival.relocation", origin=origin))


def lift(play: Doing, unit: str, clause: str) -> None:
    """2.3: take a headquarters off its hex and let its owner choose another; a crossing point may be open now (12.3.4)."""
    origin = play.state.locations[unit]
    play.emit(HeadquartersLifted(unit, clause=clause))
    look_at_crossings(play)
    relocate(play, unit, origin)


def waiting_headquarters(at: At, side: str) -> list[str]:
    """2.3.6: the headquarters of a side for which there was no hex."""
    return [unit for unit in at.state.layout.stacks.get(WAITING, ()) if at.world.units[unit].side == side]


# -- 9.4 by choice ----------------------------------------------------------------------------------------------------------


@record
class Relocate(UnitAction):
    """Relocate an active headquarters instead of moving it."""

    kind = "relocate"
    says = "relocate {unit}"


class HeadquartersMoves(Moves):
    """9.4.1: the moves of a headquarters, or its relocation."""

    __slots__ = ()

    def _may(self) -> bool:
        return bool(posts(self._at, self._unit, self._at.state.locations[self._unit]))

    def why_not(self, action: Action) -> Refusal | None:
        """See `ActionSet.why_not`."""
        if not isinstance(action, Relocate):
            return super().why_not(action)
        if self._may():
            return None
        return against(self._at, "arrival.relocation", f"there is no hex to which {self._unit} could be relocated")

    def __iter__(self) -> Iterator[Action]:
        if self._may():
            yield Relocate(self._unit)
        yield from super().__iter__()

    def __bool__(self) -> bool:
        return super().__bool__() or self._may()

    def find(self, action: Action) -> Action | None:
        """See `ActionSet.find`."""
        if isinstance(action, Relocate):
            return Relocate(self._unit) if action.unit == self._unit and not self.why_not(action) else None
        return super().find(action)

    def sample(self, chance: RandomSource) -> Action:
        """A move, mostly."""
        if not chance.randrange(SELDOM) and self._may():
            return Relocate(self._unit)
        return super().sample(chance)


class TroopMoves(Moves):
    """9.4.1: no other unit is relocated."""

    __slots__ = ()

    def why_not(self, action: Action) -> Refusal | None:
        """See `ActionSet.why_not`."""
        if isinstance(action, Relocate):
            return against(self._at, "relocation", f"{self._unit} is no headquarters")
        return super().why_not(action)


@record
class Marching(Moving):
    """9.0: active units move one at a time; 2.3.5, 9.4.1: a headquarters may be relocated instead."""

    kind = "marching"

    def choices(self, at: At, unit: str) -> Moves:
        """Every hex in which its move may end, and for a headquarters its relocation."""
        return (HeadquartersMoves if at.world.units[unit].arm == HQ else TroopMoves)(at, unit)

    def act(self, play: Doing, action: Any) -> None:
        """Move or relocate it."""
        if isinstance(action, Relocate):
            lift(play, action.unit, "9.4.1")
        else:
            Moving.act(self, play, action)
