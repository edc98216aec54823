"""The world that hex rulesets build on: the board, counters and charts of a game, and its parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hexwar.board import Board, Floods, present
from hexwar.engine import Action, Piece, Play, SequenceOfPlay, Setup, State, part
from hexwar.errors import HexwarError
from hexwar.mechanics._chart import TerrainChart
from hexwar.mechanics._command import Command
from hexwar.mechanics._layout import Basis
from hexwar.mechanics._movement import Movement
from hexwar.mechanics._reaches import Reaches
from hexwar.mechanics._stacking import Stacking
from hexwar.mechanics._zones import ChangingZones, Zones
from hexwar.pieces._units import Unit
from hexwar.pieces._world import PieceWorld

if TYPE_CHECKING:
    from hexwar.mechanics._state import HexState


class HexWorld(PieceWorld):
    """Board, units and charts of a game.

    Args:
        setup: what was chosen when the game was created.
        sequence: the sequence of play.
        board: the board.
        units: every unit of the game by id.
        chart: the terrain effects chart.
        cite: topic -> clause id, for the mechanics' events and refusals.
        boxes: locations off the board.
    """

    command = part(Command)

    zones = part(Zones)
    stacking = part(Stacking)

    movement = part(Movement)

    def __init__(
        self,
        setup: Setup,
        sequence: SequenceOfPlay,
        *,
        board: Board,
        units: Mapping[str, Unit],
        chart: TerrainChart,
        cite: Mapping[str, str],
        boxes: Iterable[str] = (),
    ) -> None:
        super().__init__(setup, sequence, units=units, cite=cite, boxes=boxes)
        self.board = board
        self.chart = chart
        self.shown: dict[tuple[object, ...], Piece] = {}
        """Unit, place, steps and what lies on it -> the piece that is shown: computed once, and no part of the content."""
        chart.require_names(board)

    def content_parts(self) -> tuple[object, ...]:
        """See `PieceWorld.content_parts`."""
        return (self.board.digest, self.units, self.chart)

    def is_place(self, name: object) -> bool:
        """Whether a location is a hex under its first label, and not a box."""
        return name in self.board.indices

    def stands(self, state: HexState, unit: str) -> bool:
        """Whether a unit stands in a hex."""
        return state.locations.get(unit) in self.board.indices

    def standing(self, state: HexState, units: Iterable[str]) -> tuple[str, ...]:
        """Those of some units that stand in hexes, in the same order."""
        return present(units, state.locations, self.board.indices)

    def on_board(self, state: HexState, side: str) -> tuple[str, ...]:
        """The units of a side that stand in hexes, in roster order; kept until a unit moves."""
        kept, key = state.layout.memo, ("on board", side)
        found: tuple[str, ...] | None = kept.get(key)
        if found is None:
            found = kept[key] = super().on_board(state, side)
        return found

    def location(self, name: str) -> str:
        """A location under its own name: a hex by any of its labels, or a box.

        Raises:
            HexwarError: if there is no such location.
        """
        if name in self.boxes:
            return name
        if name not in self.board and self.boxes:
            raise HexwarError(f"{name!r} is no hex of the board, and no box; the boxes are {', '.join(sorted(self.boxes))}")
        return self.board.label(self.board.index(name))

    def misplaced(self, state: HexState, unit: str, location: str) -> str:
        """Enemies do not stand together."""
        others = state.layout.stacks.get(location, ()) if location in self.board else ()
        enemy = next((other for other in others if self.units[other].side != self.units[unit].side), "")
        return f"the enemy unit {enemy} stands in {location}" if enemy else ""

    def knows(self, state: State, what: str, name: Any) -> bool:
        """Hexes too."""
        return name in self.board.indices if what == "hex" else super().knows(state, what, name)

    @cached_property
    def basis(self) -> Basis:
        """What layouts are made with."""
        zones = self.zones
        shelters = zones.shelters
        changing = zones if isinstance(zones, ChangingZones) else None
        return Basis(self.board, self.units, zones.covers, shelters, changing)

    @cached_property
    def floods(self) -> Floods:
        """Floods on the board, of which the latest are kept."""
        return Floods(self.board)

    @cached_property
    def reaches(self) -> Reaches:
        """How far units get, by the answers of `movement`."""
        return Reaches(self)

    @cached_property
    def controlled(self) -> Mapping[str, str]:
        """Hex -> the name of what a side controls there since it entered last; every place of the board, unless overridden."""
        return self.board.names

    @cached_property
    def controlled_hexes(self) -> frozenset[int]:
        """The indices of what is controlled."""
        return frozenset(map(self.board.index, self.controlled))

    def named(self, action: Action) -> Action:
        """With every hex under its first label."""
        changes: dict[str, object] = {}
        for field in fields(action):  # type: ignore[arg-type]  # every action is a record
            value = getattr(action, field.name)
            if isinstance(value, str):
                changes[field.name] = self._named(value)
            elif isinstance(value, tuple) and all(isinstance(item, str) for item in value):
                changes[field.name] = tuple(map(self._named, value))
        return replace(action, **changes)  # type: ignore[type-var]

    def _named(self, word: str) -> str:
        return self.board.label(self.board.index(word)) if word in self.board else word

    def entered(self, play: Play, unit: str, hexes: Sequence[str]) -> None:
        """What else happens when a unit has entered some hexes, by movement, retreat, pursuit or arrival."""
