"""The world that hex rulesets build on: the board, counters and charts of a game, and its parts."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from functools import cached_property
from typing import Any

from hexwar.board import Board, Floods
from hexwar.engine import Action, Piece, Play, Position, SequenceOfPlay, Setup, State, World, essence, part
from hexwar.errors import HexwarError, UnknownName
from hexwar.hashing import blake2b
from hexwar.mechanics._chart import TerrainChart
from hexwar.mechanics._command import Command
from hexwar.mechanics._layout import Basis
from hexwar.mechanics._movement import Movement
from hexwar.mechanics._stacking import Stacking
from hexwar.mechanics._units import Unit
from hexwar.mechanics._zones import ChangingZones, Zones


class HexWorld(World):
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

    last_turn = 0
    """The last turn of the scenario; 0 if nobody has said."""
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
        super().__init__(setup, sequence)
        self.board = board
        self.units = units
        self.chart = chart
        self.cite = cite
        self.boxes = frozenset(boxes)
        self.shown: dict[tuple[str, str | None, int], Piece] = {}
        """Unit, place and steps -> the piece that is shown: a store of what was worked out, and no part of the content."""
        self._enemies = {side: tuple(other for other in self.sides if other != side) for side in self.sides}
        self.rules.require({f"topic {topic}": clause for topic, clause in cite.items()})
        chart.require_names(board)

    @cached_property
    def content(self) -> str:
        """See `World.content`."""
        text = json.dumps(essence(self.content_parts()), sort_keys=True)
        return blake2b(text.encode(), digest_size=16).hexdigest()

    def content_parts(self) -> tuple[object, ...]:
        """What a game depends on; a world with further tables adds them to those of its base."""
        return (self.board.digest, self.units, self.chart)

    def unit(self, unit_id: str) -> Unit:
        """A unit by its id."""
        try:
            return self.units[unit_id]
        except (KeyError, TypeError):
            raise UnknownName("unit", unit_id, self.units) from None

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

    def knows(self, state: State, what: str, name: Any) -> bool:
        """Counters, hexes, boxes and turns too; a world with chits has them in its cup."""
        known: dict[str, Container[Any]] = {"unit": self.units, "hex": self.board.indices, "turn": self.turns}
        if what == "unit in play":
            return name in state.locations  # type: ignore[attr-defined]  # every state of a world with units has them
        if what == "chit":
            return bool(self.cup.knows(name))  # type: ignore[attr-defined]  # a state with chits has a world with a cup
        if what == "place":
            return name in self.boxes or name in self.board.indices
        return name in known[what] if what in known else super().knows(state, what, name)

    @property
    def turns(self) -> Container[int]:
        """The turns of the game, 0 before the first; any number where nobody says how many there are."""
        return range(2**31)

    def enemies(self, side: str) -> tuple[str, ...]:
        """The sides against which a side fights."""
        return self._enemies[side]

    @cached_property
    def basis(self) -> Basis:
        """What layouts are made with."""
        zones = self.zones
        shelters = frozenset(filter(zones.shelters, {unit.arm for unit in self.units.values()}))
        changing = zones if isinstance(zones, ChangingZones) else None
        return Basis(self.board, self.units, zones.covers, zones.enter, zones.leave, shelters, changing)

    @cached_property
    def floods(self) -> Floods:
        """Floods on the board, of which the latest are kept."""
        return Floods(self.board)

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

    def eliminated(self, play: Play, unit: str, label: str) -> None:
        """What else happens when a unit has been eliminated.

        Args:
            play: the position, the unit gone or in its box.
            unit: the unit.
            label: where it stood.
        """

    def grave(self, at: Position, unit: str, topic: str) -> tuple[str, str]:
        """Where a unit goes that is eliminated, and the clause on that; two empty strings if it leaves the game.

        Args:
            at: the position, the unit still in its place.
            unit: the unit.
            topic: what eliminates it: "losses", "retreat.zone", "retreat.none" or a ruleset's own.
        """
        return "", ""
