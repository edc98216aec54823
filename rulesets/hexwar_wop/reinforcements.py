"""6: reinforcements."""

from __future__ import annotations

from hexwar.engine import Action, record
from hexwar.mechanics import Arrive, enter_hexes, has_room, occupant
from hexwar.pieces import OneByOne, UnitPlaced
from hexwar_wop.transport import arrive_loaded
from hexwar_wop.world import At, Doing

FARTHEST = 3
"""6.1.c: hexes from the one that the enemy occupies."""


def arrival_hexes(at: At, unit: str) -> list[str]:
    """6.1.a, 6.1.c: where a reinforcement is placed: its hex, or others of the map's edge near it if the enemy is there."""
    board, counter = at.world.board, at.world.units[unit]
    hexes = [counter.entry]
    if occupant(at, counter.entry) not in (None, counter.side):
        edge = {label for label in board.labels if len(board.neighbours(label)) < 6}
        hexes = [label for label in sorted(edge) if board.distance(counter.entry, label) <= FARTHEST]
    return [label for label in hexes if occupant(at, label) in (None, counter.side) and has_room(at, unit, label)]


def due(at: At, side: str) -> list[str]:
    """6.1.d: the reinforcements of a side whose turn has come; those that found no place wait."""
    now, found = at.state.turn, []
    for unit, counter in at.world.units.items():
        word, _, number = at.state.locations.get(unit, "").partition(" ")
        if counter.side == side and counter.entry and unit not in at.state.lost and word == "turn" and int(number) <= now:
            found.append(unit)
    return found


@record
class Reinforcing(OneByOne):
    """6.1.a: pieces are placed; the owner is asked where the hex of one of them is closed to it and there are others."""

    kind = "reinforcing"
    says = "Place the reinforcements {waiting}."
    clause = "6.1.a"
    may_stop = False

    def waiting(self, at: At) -> tuple[str, ...]:
        """Those that have a place to come to; the others wait for another turn."""
        return tuple(unit for unit in self.units if arrival_hexes(at, unit))

    def deciders(self, at: At) -> tuple[str, ...]:
        """The owner, if there is a choice."""
        return (self.seat,) if any(len(arrival_hexes(at, unit)) > 1 for unit in self.units) else ()

    def choices(self, at: At, unit: str) -> list[Action]:
        """Its hexes."""
        return [Arrive(unit, label) for label in arrival_hexes(at, unit)]

    def act(self, play: Doing, action: Arrive) -> None:
        """6.1.b: it is there, with its whole allowance."""
        place(play, action.unit, action.to, "6.1.a")

    def resume(self, play: Doing) -> None:
        """Place what needs no decision."""
        play.pop()
        for unit in self.units:
            hexes = arrival_hexes(play, unit)
            if hexes:
                place(play, unit, hexes[0], "6.1.a")


def place(play: Doing, unit: str, label: str, clause: str) -> None:
    """A piece comes onto the map."""
    play.emit(UnitPlaced(unit, label, clause=clause))
    arrive_loaded(play, unit)
    enter_hexes(play, unit, (label,))


def bring_in(play: Doing) -> None:
    """2.6.b, 6.1.a, 6.1.d: both sides; the Polish step lies on top."""
    for side in reversed(play.world.sides):
        units = due(play, side)
        if units:
            play.push(Reinforcing(play.world.seat_for(side), tuple(units)))
