"""What a seat sees, as arrays: places, units and the rest, all of it from its view.

Sides are relative: the seat's own comes first, the others follow in the order of play. So one set of weights can play every side.
"""

from __future__ import annotations

import re
import typing
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hexwar.engine import Names, Phase, Piece, Ruleset, State, View, World
from hexwar.rl._tokens import Tokens, Walk, field_names

Floats = NDArray[np.float32]
VALUES = 3
"""How many of the numbers that are printed on a piece are told, such as attack, defence and movement."""
MANY = 20_000
"""How many pieces are known by sight."""
_NUMBER = re.compile(r"\d+")


class Encoder:
    """Makes arrays of a view. Their shapes and the meaning of each column depend on ruleset, scenario and options only.

    Args:
        ruleset: the rules.
        world: board and units.
        first_state: any state of such a game; only its class matters.
        tokens: the alphabet of its actions.
    """

    def __init__(self, ruleset: Ruleset, world: World, first_state: State, tokens: Tokens) -> None:
        self.tokens = tokens
        self._sides = world.sides
        self._seats = tuple(world.seats)
        relative = ["mine", *(f"enemy {number}" for number in range(1, len(world.sides)))]
        self._unit_rows = {unit: row for row, unit in enumerate(tokens.units)}
        self._place_rows = {label: row for row, label in enumerate(tokens.places)}
        self._arms = tuple(sorted({str(getattr(unit, "arm", "")) for unit in getattr(world, "units", {}).values()} - {""}))
        board: Any = getattr(world, "board", None)
        ground, said = _ground(board, tokens.places)
        self._fields = _Fields(type(first_state))
        self.hex_columns: tuple[str, ...] = (
            *said,
            *(f"control {who}" for who in relative),
            *(f"{what} {who}" for who in relative for what in ("pieces", *(f"value {number + 1}" for number in range(VALUES)))),
            *self._fields.of_places,
            "concerned",
            "offered",
            "taken",
        )
        """What the columns of `hexes` mean: the ground, who controls it, how many pieces of each side with which values in sum,
        which fields of the state name it, whether the question is about it, whether its token is possible now or was taken."""
        self.unit_columns: tuple[str, ...] = (
            *relative,
            *(f"arm {arm}" for arm in self._arms),
            "row of its place",
            "x",
            "y",
            "on the board",
            "beside the board",
            "reduced",
            *(f"value {number + 1}" for number in range(VALUES)),
            *self._fields.of_units,
            "concerned",
            "offered",
            "taken",
        )
        """What the columns of `units` mean. The row of its place is -1 for a unit that is on none; a unit that the view does not
        show has zeros. Fields of the state that name units or chits have a column: 1 where they name it, or their number."""
        self._steps = tuple(sorted(ruleset.step_types))
        self._phases = tuple(dict.fromkeys(node.id for _, node in world.sequence.walk() if isinstance(node, Phase)))
        self._asks = ("", "kind", *sorted({name for kind in ruleset.action_types.values() for name in field_names(kind)}))
        self.global_columns: tuple[str, ...] = (
            "asked",
            "tokens taken",
            *(f"seat {seat}" for seat in self._seats),
            *(f"phase {phase}" for phase in self._phases),
            *(f"question {kind}" for kind in self._steps),
            *(f"asks {name or 'first'}" for name in self._asks),
            *(f"taken {kind}" for kind in tokens.kinds),
            *self._fields.numbers,
            *(f"{name} {who}" for name in self._fields.by_side for who in relative),
        )
        """What the entries of `globals` mean: whether the seat is asked, how far it is in its action, who it is, the phase, the
        kind of question, the field that is asked for, the kind of action taken, and the numbers of the state."""
        self.ground: Floats = np.zeros((len(tokens.places), len(self.hex_columns)), np.float32)
        """What never changes of `hexes`."""
        self.ground[:, : ground.shape[1]] = ground
        self._middles: Floats = ground[:, :2]
        self._first_control = len(said)
        self._drawn = [_Drawn(self, self._sides[number:] + self._sides[:number]) for number in range(len(self._sides))]

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of each array; a game without labelled places has no `hexes`, one without units no `units`."""
        shapes: dict[str, tuple[int, ...]] = {
            "hexes": self.ground.shape,
            "units": (len(self._unit_rows), len(self.unit_columns)),
            "globals": (len(self.global_columns),),
        }
        return {name: shape for name, shape in shapes.items() if shape[0]}

    def look(self, view: View) -> dict[str, Floats]:
        """What a view shows, without the action that is being chosen."""
        seat, sides = view.viewer.seat, len(self._sides)
        mine = self._sides.index(view.side) if view.side in self._sides else 0
        picture = view.picture
        drawn = self._drawn[mine].of(picture.pieces)
        found: dict[str, Floats] = {}
        if self._place_rows:
            hexes, first = np.zeros((len(self.ground) + 1, self.ground.shape[1]), np.float32), self._first_control
            hexes[:-1] = self.ground  # the row behind the last is for what stands nowhere
            for label, side in picture.control.items():
                if label in self._place_rows and side in self._sides:
                    hexes[self._place_rows[label], first + (self._sides.index(side) - mine) % sides] = 1
            np.add.at(hexes, (drawn["place"][:, None], first + sides + drawn["columns"]), drawn["force"])
            first = len(self.hex_columns) - 3 - len(self._fields.of_places)
            for column, field in enumerate(self._fields.of_places, first):
                _mark(hexes, column, self._place_rows, getattr(view.state, field))
            if view.question is not None:
                hexes[[self._place_rows[label] for label in view.question.places if label in self._place_rows], -3] = 1
            found["hexes"] = hexes[:-1]
        if self._unit_rows:
            units = np.zeros((len(self._unit_rows) + 1, len(self.unit_columns)), np.float32)
            units[:, sides + len(self._arms)] = -1
            units[drawn["unit"]] = drawn["row"]
            for column, field in enumerate(self._fields.of_units, len(self.unit_columns) - 3 - len(self._fields.of_units)):
                _mark(units, column, self._unit_rows, getattr(view.state, field))
            if view.question is not None:
                units[[self._unit_rows[unit] for unit in view.question.pieces if unit in self._unit_rows], -3] = 1
            found["units"] = units[:-1]
        found["globals"] = self._globals(view, seat, mine)
        return found

    def with_walk(self, seen: Mapping[str, Floats], walk: Walk) -> dict[str, Floats]:
        """The same with the action that is being chosen: what is possible now, and what was taken."""
        tokens, found = self.tokens, {name: array.copy() for name, array in seen.items()}
        mask = walk.mask
        for name, first, count in (
            ("hexes", tokens.first_place, len(tokens.places)),
            ("units", tokens.first_unit, len(tokens.units)),
        ):
            if name in found:
                found[name][:, -2] = mask[first : first + count]
                for token in walk.taken:
                    if first <= token < first + count:
                        found[name][token - first, -1] = 1
        told = found["globals"]
        told[1] = len(walk.taken)
        asks = 2 + len(self._seats) + len(self._phases) + len(self._steps)
        told[asks + self._asks.index(walk.asks)] = 1
        for token in walk.taken:
            if tokens.first_kind <= token < tokens.first_unit:
                told[asks + len(self._asks) + token - tokens.first_kind] = 1
        return found

    def unit_row(self, piece: Piece, sides: tuple[str, ...]) -> list[float]:
        """What `units` has of a piece by itself, for somebody who counts the sides in this order."""
        place = self.place_row(piece)
        if place >= 0:
            x, y = map(float, self._middles[place])
        else:  # a point of a plane, or a box
            x, y = map(float, piece.place) if isinstance(piece.place, tuple) and len(piece.place) == 2 else (0.0, 0.0)
        on_board = place >= 0 or isinstance(piece.place, tuple)
        return [
            *(side == piece.side for side in sides),
            *(arm == piece.kind for arm in self._arms),
            place,
            x,
            y,
            on_board,
            piece.place is not None and not on_board,
            piece.reduced,
            *_values(piece),
            *[0.0] * (len(self._fields.of_units) + 3),
        ]

    def place_row(self, piece: Piece) -> int:
        """The row of its place; -1 if it is on none."""
        return self._place_rows.get(piece.place, -1) if isinstance(piece.place, str) else -1

    def unit_number(self, piece: Piece) -> int:
        """The row of its unit; -1 if not everybody knows it by name."""
        return self._unit_rows.get(piece.id, -1)

    def _globals(self, view: View, seat: str, mine: int) -> Floats:
        told = np.zeros(len(self.global_columns), np.float32)
        told[0] = view.question is not None
        first = 2
        if seat in self._seats:
            told[first + self._seats.index(seat)] = 1
        first += len(self._seats)
        if view.state.phase in self._phases:
            told[first + self._phases.index(view.state.phase)] = 1
        first += len(self._phases)
        if view.question is not None:
            told[first + self._steps.index(view.question.kind)] = 1
        first = len(told) - len(self._fields.numbers) - len(self._fields.by_side) * len(self._sides)
        sides = self._sides[mine:] + self._sides[:mine]
        told[first:] = [
            *(getattr(view.state, name) for name in self._fields.numbers),
            *(getattr(view.state, name).get(side, 0) for name in self._fields.by_side for side in sides),
        ]
        return told


_FORCE = np.arange(1 + VALUES)
"""The columns of a side in a hex: how many pieces, and the sums of their values."""


def _values(piece: Piece) -> list[float]:
    """The first numbers that are printed on a piece."""
    numbers = [float(number) for number in _NUMBER.findall(piece.values)][:VALUES]
    return numbers + [0.0] * (VALUES - len(numbers))


class _Drawn:
    """All pieces that were ever looked at, in an array: from one position to the next few change.

    Args:
        encoder: whose rows and columns they have.
        sides: in the order of who looks.
    """

    def __init__(self, encoder: Encoder, sides: tuple[str, ...]) -> None:
        self._encoder = encoder
        self._sides = sides
        self._known: dict[Piece, int] = {}
        self._last: dict[int, tuple[Piece, int]] = {}
        what = [
            ("row", np.float32, len(encoder.unit_columns)),  # what `units` has of a piece
            ("force", np.float32, _FORCE.size),  # what it adds to its hex, and below in which columns
            ("columns", np.int64, _FORCE.size),
            ("place", np.int64),
            ("unit", np.int64),
        ]
        self._array = np.zeros(64, what)

    def of(self, pieces: tuple[Piece, ...]) -> Any:
        """The entries of pieces in this array; pieces of no side are left out."""
        found, last = [], self._last
        for piece in pieces:
            known = last.get(id(piece))  # most are the very objects of the picture before
            if known is None or known[0] is not piece:
                if piece.side not in self._sides:
                    continue
                known = last[id(piece)] = piece, self._number(piece)
            found.append(known[1])
        if len(last) > MANY:
            last.clear()
        return self._array.take(np.array(found, np.int64))

    def _number(self, piece: Piece) -> int:
        number = self._known.get(piece)
        if number is None:
            number = self._known[piece] = len(self._known)
            if number == len(self._array):
                self._array = np.concatenate([self._array, np.zeros_like(self._array)])
            self._array[number] = (
                self._encoder.unit_row(piece, self._sides),
                [1, *_values(piece)],
                _FORCE.size * self._sides.index(piece.side) + _FORCE,
                self._encoder.place_row(piece),
                self._encoder.unit_number(piece),
            )
        return number


def _ground(board: Any, places: tuple[str, ...]) -> tuple[Floats, list[str]]:
    """What never changes about the places, and what its columns are: where they lie, terrain, and the value of their town."""
    if not places:
        return np.zeros((0, 2), np.float32), ["x", "y"]
    middles = np.array([board.centre(label) for label in places], np.float32)
    span = max(float((middles.max(axis=0) - middles.min(axis=0)).max()), 1.0)
    areas = getattr(board, "areas", {})
    terrain = [board.terrain(label) if hasattr(board, "terrain") else areas[label].terrain for label in places]
    kinds = sorted({name for name in terrain if name})
    worth = [place.value if (place := _place(board, label)) is not None else 0 for label in places]
    is_place = [_place(board, label) is not None for label in places]
    ground = np.zeros((len(places), 4 + len(kinds)), np.float32)
    ground[:, :2] = (middles - middles.min(axis=0)) / span
    for row, name in enumerate(terrain):
        if name:
            ground[row, 2 + kinds.index(name)] = 1
    ground[:, -2], ground[:, -1] = is_place, worth
    return ground, ["x", "y", *(f"terrain {name}" for name in kinds), "town", "town's value"]


def _place(board: Any, label: str) -> Any:
    return board.place(label) if hasattr(board, "place") else None


def _mark(array: Floats, column: int, rows: Mapping[str, int], value: object) -> None:
    """Enter into a column what a field of the state says of rows, by their names."""
    if not value:
        return
    if isinstance(value, str):
        if value in rows:
            array[rows[value], column] = 1
    elif isinstance(value, Mapping):
        named = [rows[key] for key in value if key in rows]
        array[named, column] = [inner if type(inner) is int else 1 for key, inner in value.items() if key in rows]
        for inner in () if len(named) == len(value) else [inner for key, inner in value.items() if key not in rows]:
            _mark(array, column, rows, inner)
    elif isinstance(value, Iterable):
        for inner in value:
            _mark(array, column, rows, inner)


class _Fields:
    """Which fields of a state are numbers, hold a number for each side, name units or chits, and name places.

    Args:
        kind: the class of the state.
    """

    def __init__(self, kind: type[State]) -> None:
        hints = typing.get_type_hints(kind, include_extras=True)
        told = {name: hint for name, hint in hints.items() if not name.startswith("_") and name not in _TOLD_OTHERWISE}
        self.numbers = tuple(name for name, hint in told.items() if _bare(hint) in (int, bool))
        self.by_side = tuple(name for name, hint in told.items() if _is_by_side(hint))
        self.of_units = tuple(name for name, hint in told.items() if _named(hint) & {"unit", "chit"})
        self.of_places = tuple(name for name, hint in told.items() if _named(hint) & {"hex", "place"})


_TOLD_OTHERWISE = ("control", "draws", "locations", "phase", "result", "stack")
"""Fields that have columns of their own, or that no view shows."""


def _bare(hint: Any) -> Any:
    return typing.get_args(hint)[0] if typing.get_origin(hint) is typing.Annotated else hint


def _is_by_side(hint: Any) -> bool:
    is_mapping = isinstance(typing.get_origin(hint), type) and issubclass(typing.get_origin(hint) or object, Mapping)
    return is_mapping and _named(typing.get_args(hint)[0]) == {"side"} and _bare(typing.get_args(hint)[1]) in (int, bool)


def _named(hint: Any) -> set[str]:
    """What the texts in a value are names of, by its type."""
    parts = typing.get_args(hint)
    found = {part.what for part in parts if isinstance(part, Names)}
    return found.union(*(_named(part) for part in parts if not isinstance(part, Names)))
