"""The world that games on a table build on: the ground, the size of bases, ways and sight."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from typing import Any

from hexwar.board import PlaneBoard
from hexwar.engine import Position, SequenceOfPlay, Setup
from hexwar.pieces import PieceWorld, Unit
from hexwar.plane import Base, Class, Field, Placed, Sight, Terrain, Ways, overlap
from hexwar.tabletop._state import TableState


class TableWorld(PieceWorld):
    """Units on a table.

    Args:
        setup: what was chosen when the game was created.
        sequence: the sequence of play.
        board: the table.
        units: every unit of the game by id.
        cite: topic -> clause id.
        classes: class of movement -> what it can cross.
        reach: kind of area -> how far one can look into it; see `hexwar.plane.Sight`.
        screens: kinds of lines that block sight.
        hills: kinds of areas that do not come between two units on the same slope.
    """

    board: PlaneBoard

    def __init__(
        self,
        setup: Setup,
        sequence: SequenceOfPlay,
        *,
        board: PlaneBoard,
        units: Mapping[str, Unit],
        cite: Mapping[str, str],
        classes: Mapping[str, Class],
        reach: Mapping[str, int],
        screens: Iterable[str] = (),
        hills: Iterable[str] = (),
    ) -> None:
        super().__init__(setup, sequence, units=units, cite=cite)
        self.board = board
        self.terrain = Terrain.of(board)
        self.ways = Ways(self.terrain, classes)
        self.sight = Sight(self.terrain, reach, frozenset(screens), frozenset(hills))
        self._fields: dict[Any, Field] = {}

    def content_parts(self) -> tuple[object, ...]:
        """Units and table."""
        return (*super().content_parts(), self.board.digest)

    def stands(self, state: Any, unit: str) -> bool:
        """Whether a unit is on the table."""
        return unit in state.spots

    # -- what a game says of its units

    def base(self, unit: str) -> Base:
        """The size of a unit's base."""
        raise NotImplementedError(f"{type(self).__name__}.base must say how large the base of {unit} is")

    def mover(self, unit: str) -> str:
        """The class of movement of a unit."""
        raise NotImplementedError(f"{type(self).__name__}.mover must say how {unit} moves")

    def allowance(self, unit: str) -> int:
        """How far a unit moves in one action, in units of the table."""
        raise NotImplementedError(f"{type(self).__name__}.allowance must say how far {unit} moves")

    def arc(self, unit: str) -> int:
        """How wide a unit looks, in degrees: 360, or an even number up to 180."""
        return 360

    def blocks(self, unit: str) -> bool:
        """Whether a unit blocks the sight of others."""
        return False

    # -- what follows from it

    def field(self, at: Position) -> Field:
        """What all units see; kept by where they stand."""
        spots, headings = at.state.spots, at.state.headings
        key = (*spots.items(), *headings.values())
        found = self._fields.get(key)
        if found is None:
            if len(self._fields) > 200:
                self._fields.clear()
            there = {unit: placed(at, unit) for unit in spots}
            arcs = {unit: self.arc(unit) for unit in spots}
            found = self._fields[key] = self.sight.field(there, arcs, [unit for unit in spots if self.blocks(unit)])
        return found


def placed(at: Position, unit: str) -> Placed:
    """Where a unit stands."""
    x, y = at.state.spots[unit]
    return Placed(x, y, at.state.headings[unit], at.world.base(unit))


def hypothetical(at: Position, unit: str, there: Placed) -> Position:
    """The position as it would be with a unit elsewhere; nothing happens."""
    state = copy.copy(at.state)
    state.spots = {**state.spots, unit: there.centre}
    state.headings = {**state.headings, unit: there.heading}
    return Position(at.world, state)


def on_whom(at: Position[TableState, Any], unit: str, there: Placed) -> str:
    """The unit on whose base that of another would lie; "" if there is none."""
    for other in at.state.spots:
        if other != unit and there.may_touch(it := placed(at, other)) and overlap(there.corners, it.corners):
            return other
    return ""
