"""A position as a picture: what a ruleset wants to be shown, as data. How it is drawn is up to a renderer.

The table lists the same pieces as text, so a game that says what to draw can be played, drawn and asked about.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Literal, get_args

from hexwar.engine._question import HasBoard, HasUnits
from hexwar.engine._records import record
from hexwar.engine._steps import Position
from hexwar.grouping import grouped

Place = str | tuple[int, ...]
"""Where a piece is: the label of a place on the board or its coordinates there, or the name of a box beside the board."""

Condition = Literal["spent", "cut", "disrupted", "hidden"]
"""What state a piece may be in, seen at a glance: it has done its work, lacks supply or command, is in disorder, is not seen."""
STATES: tuple[str, ...] = get_args(Condition)
_COLOUR = re.compile("#[0-9a-f]{6}")


@record
class Colours:
    """The colours of a side, as #rrggbb. Sides should differ in lightness as well, so that a grey print tells them apart."""

    fill: str
    ink: str
    edge: str


@record
class Piece:
    """A piece as it is shown.

    Args:
        id: as players type it.
        place: where it is; None if it is out of the game.
        side: whose it is.
        name: for people.
        kind: what it is, such as "infantry".
        group: what it belongs to, such as its army.
        symbol: what is drawn on it, see `hexwar.render`; a plain disc if "".
        values: what is printed on it.
        reduced: whether it has lost some of its strength.
        levels: how many levels of strength it has left and how many it has at most; (0, 0) where that is not shown.
        label: what is printed on its counter, such as "12 Pz"; its id if "".
        stripe: the colour, as #rrggbb, of a stripe at its edge that tells its group from others; no stripe if "".
        state: see `Condition`; a piece may be in several.
        marks: the markers that lie on it, each in a word or two, such as "dug in".
        heading: where it faces, in degrees clockwise from the top of the map; None if it faces nowhere.
        base: its width and depth on a plane, in units of the board; None where it has no base.
        arc: how wide it sees or fires, in degrees around its heading; 0 for all around.

    Raises:
        ValueError: it is in no such state, or its stripe is no colour.
    """

    id: str
    place: Place | None
    side: str = ""
    name: str = ""
    kind: str = ""
    group: str = ""
    symbol: str = ""
    values: str = ""
    reduced: bool = False
    levels: tuple[int, int] = (0, 0)
    label: str = ""
    stripe: str = ""
    state: tuple[Condition, ...] = ()
    marks: tuple[str, ...] = ()
    heading: int | None = None
    base: tuple[int, int] | None = None
    arc: int = 0

    def __post_init__(self) -> None:
        if wrong := [state for state in self.state if state not in STATES]:
            raise ValueError(f"{self.id} is in the state {wrong[0]!r}, which is not one of {', '.join(STATES)}")
        if self.stripe and not _COLOUR.fullmatch(self.stripe):
            raise ValueError(f"the stripe of {self.id} is {self.stripe!r}, which is no colour such as #a3b1c0")

    @property
    def is_headquarters(self) -> bool:
        """Whether its symbol is that of a headquarters, of whatever size: "headquarters", "headquarters-army"."""
        return self.symbol.partition("-")[0] == "headquarters"


@record
class Tray:
    """Pieces that lie together beside the board: a box, a space of the turn track, the dead.

    Args:
        id: the name of the place.
        title: what it is for.
        side: whose it is; "" for everybody.
        order: where it comes among the trays; found out by `Picture.beside`, like the pieces.
        pieces: which ones lie there.
        turn: when they arrive; 0 if no turn is named.
        words: what else is worth knowing about it.
    """

    id: str
    title: str = ""
    side: str = ""
    order: int = 0
    pieces: tuple[str, ...] = ()
    turn: int = 0
    words: str = ""


@record
class Picture:
    """What is shown of a position.

    Args:
        board: what it is played on; None for a game without a board.
        pieces: all of them; of those in one place, the lowest first.
        control: place -> the side that controls it.
        colours: side -> its colours; a renderer chooses for those that are not here.
        notes: what else is worth telling, each in a few words.
        values: what the values of the pieces are, for the legend.
        trays: places beside the board, in order, as far as there is more to say of them than their names; see `beside`.
    """

    board: Any = None
    pieces: tuple[Piece, ...] = ()
    control: Mapping[str, str] = field(default_factory=dict)
    colours: Mapping[str, Colours] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    values: str = "attack–defence–move"
    trays: tuple[Tray, ...] = ()

    def beside(self) -> tuple[Tray, ...]:
        """What lies beside the board: a tray for each place off the board at which pieces are, those of later turns last."""
        known = self.board if self.board is not None else ()
        away = [(str(piece.place), piece) for piece in self.pieces if piece.place is not None and piece.place not in known]
        lying, told = grouped(away), {tray.id: tray for tray in self.trays}
        places = [place for place in dict.fromkeys((*told, *lying)) if place in lying]
        found = [_tray(place, lying[place], told.get(place)) for place in places]
        trays = [replace(tray, order=number) for number, tray in enumerate(sorted(found, key=lambda tray: tray.turn))]
        return tuple(trays)


_TURN = re.compile(r"turn (\d{1,3})")


def _tray(place: str, pieces: Sequence[Piece], told: Tray | None) -> Tray:
    """A place with who lies there; by default the rest follows from its name and from them."""
    sides, turn = {piece.side for piece in pieces}, _TURN.fullmatch(place)
    tray = told or Tray(place)
    return replace(
        tray,
        title=tray.title or place[:1].upper() + place[1:],
        side=tray.side or (sides.pop() if len(sides) == 1 else ""),
        pieces=tuple(piece.id for piece in pieces),
        turn=tray.turn or (int(turn[1]) if turn else 0),
    )


def plain_picture(at: Position) -> Picture:
    """The picture of a game of which nothing is known but its board, its pieces and where they are (the state's `at`)."""
    world, places = at.world, getattr(at.state, "locations", None)
    known = world.units if isinstance(world, HasUnits) else {}

    def shown(piece: str, place: Place) -> Piece:
        unit = known.get(piece)
        side = piece if piece in world.sides else ""  # the one piece of a side may be called like it
        return Piece(piece, place, getattr(unit, "side", side), getattr(unit, "name", ""))

    pieces = tuple(shown(piece, place) for piece, place in places.items()) if isinstance(places, Mapping) else ()
    return Picture(world.board if isinstance(world, HasBoard) else None, pieces)
