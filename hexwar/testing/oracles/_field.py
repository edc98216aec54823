"""A position as plain dictionaries: what literal rules are written on.

Nothing here is fast, and nothing is shared with the mechanics that it judges: no masks, no tables made beforehand, no layout.
What is printed (terrain, hexsides, counters) is read from board and roster.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, ClassVar, Self

from hexwar.board import Board
from hexwar.mechanics import HexWorld


@dataclass(frozen=True, slots=True)
class Piece:
    """A counter where it lies, with the numbers of the side that lies up."""

    id: str
    side: str
    arm: str
    attack: int
    defence: int
    move: int
    steps: int
    command: int
    at: str
    counter: Any
    """What else is printed: nation, formation, ..."""


class Sheet:
    """A map sheet.

    Args:
        board: where it is read from.
    """

    def __init__(self, board: Board) -> None:
        self.terrain: dict[str, str] = {label: board.terrain(label) for label in board.labels}
        self.near: dict[str, tuple[str, ...]] = {label: tuple(sorted(board.neighbours(label))) for label in board.labels}
        pairs = [(a, b) for a, around in self.near.items() for b in around]
        self.sides: dict[tuple[str, str], frozenset[str]] = {(a, b): board.side(a, b) for a, b in pairs}
        self.links: dict[tuple[str, str], frozenset[str]] = {(a, b): board.links(a, b) for a, b in pairs}
        self.kinds: dict[str, str] = {label: place.kind for place in board.places for label in place.hexes}
        """Hex -> the kind of the place in it."""
        self.names: dict[str, str] = {label: place.name for place in board.places for label in place.hexes}
        self.values: dict[str, int] = {place.name: place.value for place in board.places}
        self.areas: Mapping[str, tuple[str, ...]] = dict(board.areas)
        self.memo: dict[Any, Any] = {}
        """What has been found out about the map, because it is the same in all positions."""
        self._coordinates = {label: (board.hex(label).q, board.hex(label).r) for label in board.labels}

    def distance(self, a: str, b: str) -> int:
        """How many steps two hexes are apart in a straight line."""
        (q, r), (other_q, other_r) = self._coordinates[a], self._coordinates[b]
        dq, dr = q - other_q, r - other_r
        return (abs(dq) + abs(dr) + abs(dq + dr)) // 2


_PRINTED: dict[tuple[str, type[Sheet]], Sheet] = {}
MOST_SHEETS = 12
"""How many are kept: every game has a board of its own, but most of them are the same map."""


def sheet_of(board: Board, kind: type[Sheet] = Sheet) -> Sheet:
    """The sheet of a board; made once for all boards with the same content."""
    key = board.digest, kind
    found = _PRINTED.pop(key, None) or kind(board)
    while len(_PRINTED) >= MOST_SHEETS:
        del _PRINTED[next(iter(_PRINTED))]
    _PRINTED[key] = found  # behind those that were not asked for since: they go first
    return found


@dataclass(frozen=True)
class Field:
    """Everything that lies on the table, at one moment. A ruleset that has more adds fields with the names that its state has.

    Args:
        world: what is printed: board, counters, options.
        locations: unit -> where it lies.
        steps_left: unit -> its steps.
        control: hex -> side.
        turn: which it is.
        phase: of the turn.
        active: who is active: units, or whatever a game calls so.
        selected: side -> the chits that it has selected for the cup.
        hand: side -> the chits that it holds.
        cup: the chits in it.
        drawn: the chits that were drawn or played this turn.
        put_in: side -> what it has put into the cup since that was filled.
        known_in_cup: what went into the cup in the open and was not drawn since.
    """

    sheet_type: ClassVar[type[Sheet]] = Sheet

    world: HexWorld
    locations: Mapping[str, str]
    steps_left: Mapping[str, int]
    control: Mapping[str, str]
    turn: int = 0
    phase: str = ""
    active: Any = ()
    selected: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    hand: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    cup: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()
    put_in: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    known_in_cup: tuple[str, ...] = ()
    memo: dict[Any, Any] = field(default_factory=dict, init=False, compare=False, repr=False)
    """What has been found out about this position, because several checks ask the same."""
    lying: dict[str, Any] = field(default_factory=dict, init=False, compare=False, repr=False)
    """What has been found out about the counters alone; moments between which none of them has moved share it."""

    @classmethod
    def of(cls, world: HexWorld, state: Any) -> Self:
        """A position as its state records it."""
        kept: dict[str, Any] = {part.name: getattr(state, part.name) for part in fields(cls) if hasattr(state, part.name)}
        copies: dict[str, Any] = {
            name: dict(value.items()) if isinstance(value, Mapping) else value for name, value in kept.items()
        }
        return cls(world, **copies)

    @cached_property
    def sheet(self) -> Sheet:
        """The map."""
        return sheet_of(self.world.board, self.sheet_type)

    def piece(self, unit: str) -> Piece:
        """A counter, wherever it lies."""
        counter, steps = self.world.units[unit], self.steps_left[unit]
        face = counter.faces[steps - 1]
        numbers = (face.attack, face.defence, face.move, steps, counter.command)
        return Piece(unit, counter.side, counter.arm, *numbers, self.locations[unit], counter)

    @cached_property
    def pieces(self) -> dict[str, Piece]:
        """The counters on the map."""
        if "pieces" not in self.lying:
            on_map = {unit: self.piece(unit) for unit, label in self.locations.items() if label in self.sheet.terrain}
            self.lying["pieces"] = on_map
        found: dict[str, Piece] = self.lying["pieces"]
        return found

    @cached_property
    def stacks(self) -> dict[str, tuple[str, ...]]:
        """Hex -> the units in it; empty hexes are left out."""
        if "stacks" not in self.lying:
            there: dict[str, list[str]] = {}
            for piece in self.pieces.values():
                there.setdefault(piece.at, []).append(piece.id)
            self.lying["stacks"] = {label: tuple(units) for label, units in there.items()}
        found: dict[str, tuple[str, ...]] = self.lying["stacks"]
        return found

    def of_side(self, side: str) -> list[Piece]:
        """The counters of a side on the map."""
        return [piece for piece in self.pieces.values() if piece.side == side]

    def against(self, side: str) -> list[Piece]:
        """The counters of all others on the map."""
        return [piece for piece in self.pieces.values() if piece.side != side]

    def held(self, side: str) -> set[str]:
        """The hexes in which a side stands."""
        return {piece.at for piece in self.of_side(side)}

    def boxed(self, box: str) -> set[str]:
        """The units in a box, or on a space of the turn track."""
        return {unit for unit, label in self.locations.items() if label == box}

    def is_enemy_held(self, side: str, label: str) -> bool:
        """Whether another unit stands in a hex."""
        return any(self.pieces[unit].side != side for unit in self.stacks.get(label, ()))

    def is_option_on(self, name: str) -> bool:
        """Whether an optional rule is played."""
        return bool(self.world.options.get(name))

    def without(self, unit: str) -> Field:
        """As if a unit were not there."""
        places = {other: label for other, label in self.locations.items() if other != unit}
        return replace(self, locations=places, steps_left={other: self.steps_left[other] for other in places})
