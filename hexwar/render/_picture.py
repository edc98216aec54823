"""Whole pictures: a board or a position with its title, the state of affairs and a legend.

The same arguments give the same bytes. All ids begin with a prefix made from the content, so that two pictures can stand on
one page.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from hexwar.board import AnyBoard, Board, PlaneBoard
from hexwar.engine import Colours, Game, Picture, Piece, View, phase_title
from hexwar.errors import HexwarError, require
from hexwar.grouping import grouped
from hexwar.render._backdrop import INK, Backdrop, backdrop_of
from hexwar.render._counters import MOST_IN_STACK, SIZE, STEP, WORKS, colours_of, counter, flag, works
from hexwar.render._svg import attributes, caption, element, num, text

SCALE = 72.0
"""Pixels of a hex between opposite sides."""
READABLE = 30.0
"""Below this scale hex labels would be a grey mist."""
MARGIN = 0.35
PAPER = "#fbf8ee"
MARK = "#d00000"
LEAST_SCALE, MOST_SCALE = 8.0, 400.0
ROW = 0.52
"""Height of a row of the legend."""
WORD = 0.2
"""Height of its letters."""
SWATCH = 0.62
"""Room for a sample before its word."""


def board_svg(
    board: AnyBoard,
    *,
    labels: bool = True,
    scale: float = SCALE,
    only: Iterable[str] | None = None,
    title: str | None = None,
    with_legend: bool = True,
) -> str:
    """Draw a board.

    Args:
        board: what is drawn.
        labels: whether hexes carry their labels.
        scale: pixels of a hex between opposite sides.
        only: draw only these hexes.
        title: the board's own if not given, none if empty.
        with_legend: whether to explain terrain and lines below the map.
    """
    require(board, AnyBoard, f"board_svg draws a board, not {_article(board)}: pass {_loading(board)}")
    sheet = _Sheet(board if only is None else cropped(board, only), scale, labels=labels)
    heading = (board.title or board.id) if title is None else title
    return sheet.svg(heading, "", sheet.backdrop.names(), [], with_legend=with_legend)


def game_svg(
    shown: View | Game,
    *,
    labels: bool = True,
    scale: float = SCALE,
    only: Iterable[str] | None = None,
    title: str | None = None,
    with_legend: bool = True,
    with_status: bool = True,
    marked: Iterable[str] = (),
) -> str:
    """Draw a position as its ruleset wants it shown.

    Args:
        shown: a view, which draws what that side may know; or a game, which draws everything.
        labels: whether places carry their labels.
        scale: pixels of a hex between opposite sides; a counter is half as wide.
        only: draw only these hexes and what stands in them.
        title: that of the game and its scenario if not given, none if empty.
        with_legend: whether to explain terrain, lines and sides below the map.
        with_status: whether to say turn, phase and who decides above it.
        marked: places with a frame around them.

    Raises:
        HexwarError: the game has no board that can be drawn, or `only` is for another kind of board.

    Examples:
        >>> game = hexwar.new_game("bridgehead", seed=2)
        >>> game_svg(game.view("blue"), marked=["0504"]).startswith("<svg")
        True
    """
    hint = (
        "use board_svg" if isinstance(shown, AnyBoard) else "pass a game (hexwar.new_game, hexwar.load_game) or game.view(side)"
    )
    require(shown, (Game, View), f"game_svg draws a game or a view, not {_article(shown)}: {hint}")
    picture = shown.picture
    sheet = _Sheet(picture.board if only is None else cropped(picture.board, only), scale, labels=labels)
    sides = dict.fromkeys((*shown.position.world.sides, *(piece.side for piece in picture.pieces)))
    colours = colours_of(sides, picture.colours)
    heading = _heading(shown) if title is None else title
    over = _flags(picture, sheet.backdrop, colours) + _stacks(picture, sheet.backdrop, colours) + sheet.backdrop.names()
    over += _marks(sheet.backdrop, marked)
    boxes = _boxes(picture, sheet.backdrop, colours) if only is None else []
    values = picture.values if any(piece.values and piece.symbol != WORKS for piece in picture.pieces) else ""
    status = _status(shown, picture) if with_status else ""
    return sheet.svg(heading, status, over, boxes, with_legend=with_legend, colours=colours, values=values)


def _loading(thing: object) -> str:
    """What to pass in place of something that is no board."""
    return f"hexwar.load_board({thing!r})" if isinstance(thing, str) else "game.world.board or hexwar.load_board(...)"


def _fits(scale: Any) -> bool:
    """Whether a scale can be drawn."""
    return isinstance(scale, int | float) and LEAST_SCALE <= scale <= MOST_SCALE


def _several(name: str, places: Iterable[str]) -> None:
    """Fail if one place was passed where a list of places is needed."""
    if isinstance(places, str):
        raise HexwarError(f"{name} is a list of places, such as [{places!r}], not the string {places!r}")


def _article(thing: object) -> str:
    """The kind of value that was passed."""
    return f"the string {thing!r}" if isinstance(thing, str) else f"a {type(thing).__name__}"


def _heading(shown: View | Game) -> str:
    """What is played; several scenarios may share a board, whose own title is that of one of them."""
    info, setup = shown.ruleset.info, shown.position.world.setup
    found = next((it.title for it in info.scenarios if it.id == setup.scenario), "")
    return f"{info.title}: {found}" if found else info.title


def cropped(board: Any, only: Iterable[str]) -> Board:
    """A part of a board of hexes."""
    if not isinstance(board, Board):
        raise HexwarError("only a board of hexes can be cropped")
    _several("only", only)
    return board.crop(only)


class _Sheet:
    """The paper: it knows how large everything is and puts the parts below each other."""

    def __init__(self, board: AnyBoard, scale: float, *, labels: bool) -> None:
        if not _fits(scale):
            raise HexwarError(f"the scale is the pixels of a hex, from {LEAST_SCALE:g} to {MOST_SCALE:g}, not {scale!r}")
        self.scale = scale
        made_of = f"{getattr(board, 'digest', '')} {scale} {labels}"
        prefix = f"hw{hashlib.blake2b(made_of.encode(), digest_size=4).hexdigest()}-"
        self.backdrop = backdrop_of(board, prefix, labels=labels and scale >= READABLE)

    def svg(
        self,
        heading: str,
        status: str,
        over: str,
        boxes: list[tuple[str, str, float]],
        *,
        with_legend: bool,
        colours: Mapping[str, Colours] | None = None,
        values: str = "",
    ) -> str:
        left, top, right, bottom = self.backdrop.box
        said = SWATCH + 0.126 * len(_explained(values)) if with_legend and values else 0.0  # the longest word of the legend
        width = max(right - left, said, 4.0)
        parts = []
        y = top - MARGIN
        head = (0.55 if heading else 0.0) + (0.36 if status else 0.0)
        if heading:
            size = min(0.42, width / len(heading) / 0.66)
            parts.append(text(heading, left, y - head + 0.42, size, fill=INK, font_weight="bold", text_anchor="start"))
        if status:
            size = min(0.24, width / len(status) / 0.56)
            parts.append(text(status, left, y - 0.1, size, fill=INK, text_anchor="start"))
        parts.extend(self.backdrop.layers())
        parts.append(over)
        below = bottom + MARGIN * 0.8
        if boxes:
            drawn, below = _shelf(boxes, left, below, width)
            parts.append(drawn)
        if with_legend:
            drawn, below = _legend(self.backdrop, colours or {}, left, below, width, values=values)
            parts.append(drawn)
        x0, y0 = left - MARGIN, top - MARGIN - head - (0.1 if head else 0)
        w, h = width + 2 * MARGIN, below + MARGIN * 0.6 - y0
        paper = element("rect", x=x0, y=y0, width=w, height=h, fill=PAPER)
        frame = attributes(
            width=num(w * self.scale), height=num(h * self.scale), viewBox=f"{num(x0)} {num(y0)} {num(w)} {num(h)}", role="img"
        )
        label = caption(heading) if heading else ""
        body = "\n".join([label, element("defs", self.backdrop.definitions()), paper, *parts])
        return f'<svg xmlns="http://www.w3.org/2000/svg"{frame}>\n{body}\n</svg>\n'


def _status(shown: View | Game, picture: Picture) -> str:
    """Turn, phase, who is asked and what the ruleset adds, in a line."""
    at = shown.position
    turn = getattr(at.state, "turn", 0)
    parts = [f"Turn {turn}"] if turn else []
    if at.state.phase:
        parts.append(phase_title(at))
    if at.state.result is not None:
        return " · ".join((*parts, str(at.state.result)))
    return " · ".join((*parts, f"{' and '.join(shown.to_move)} to decide", *picture.notes))


def piece_svg(piece: Piece, colours: Colours, scale: float = 0.0) -> str:
    """A piece as an SVG element with its middle at the origin, for clients that put pieces on the `ground` themselves.

    Args:
        piece: what is drawn.
        colours: of its side.
        scale: of the ground: then a piece with a base is drawn as large as that.
    """
    return works(piece, colours, 0.0, 0.0) if piece.symbol == WORKS else counter(piece, colours, 0.0, 0.0, scale)


def _drawn(piece: Piece, colours: Mapping[str, Colours], x: float, y: float, scale: float = 0.0) -> str:
    """A piece by itself."""
    its = colours[piece.side]
    return works(piece, its, x, y, size=SIZE / 2) if piece.symbol == WORKS else counter(piece, its, x, y, scale)


def _stacks(picture: Picture, backdrop: Backdrop, colours: Mapping[str, Colours]) -> str:
    stacks: dict[Any, list[Piece]] = grouped((piece.place, piece) for piece in picture.pieces)
    parts = []
    for place, here in stacks.items():
        point = _point(backdrop, place)
        if point is None:
            continue
        x, y = point
        units = [piece for piece in here if piece.symbol != WORKS]
        shown = units[-MOST_IN_STACK:]
        off = (len(shown) - 1) * STEP / 2
        drawn = [works(piece, colours[piece.side], x, y) for piece in here if piece.symbol == WORKS]
        based = backdrop.scaled((1, 0))[0] if isinstance(backdrop.board, PlaneBoard) else 0.0
        drawn += [_drawn(piece, colours, x - off + n * STEP, y + off - n * STEP, based) for n, piece in enumerate(shown)]
        if len(units) > len(shown):
            drawn.append(text(f"{len(units)}", x + 0.36, y - 0.2, 0.16, fill=INK, font_weight="bold"))
        where = place if isinstance(place, str) else ",".join(map(str, place))
        parts.append(element("g", *drawn, class_="stack", data_place=where))
    return "".join(parts)


def _point(backdrop: Backdrop, place: Any) -> tuple[float, float] | None:
    """Where a place is drawn; a hexside, such as "0504|0604", between its hexes; None for what is not on the board."""
    if place in backdrop.board:
        return backdrop.centre(place)
    hexes = place.split("|") if isinstance(place, str) else []
    if len(hexes) != 2 or not all(label in backdrop.board for label in hexes):
        return None
    (x, y), (u, v) = map(backdrop.centre, hexes)
    return (x + u) / 2, (y + v) / 2


def _flags(picture: Picture, backdrop: Backdrop, colours: Mapping[str, Colours]) -> str:
    held = [
        (colours[side], backdrop.centre(at))
        for at, side in sorted(picture.control.items())
        if at in backdrop.board and side in colours
    ]
    return element("g", *(flag(its, x + 0.33, y + 0.3) for its, (x, y) in held), class_="control")


def _marks(backdrop: Backdrop, marked: Iterable[str]) -> str:
    _several("marked", marked)
    style: dict[str, object] = {"fill": "none", "stroke": MARK, "stroke_width": "0.07", "stroke_linejoin": "round"}
    marks = [element("path", d=backdrop.outline(place), **style) for place in marked if place in backdrop.board]
    return element("g", *marks, class_="marked") if marks else ""


def _boxes(picture: Picture, backdrop: Backdrop, colours: Mapping[str, Colours]) -> list[tuple[str, str, float]]:
    """What lies beside the map: pieces that wait somewhere else, and those that are gone; title, drawing and width of each."""
    waiting = grouped(
        ("eliminated" if piece.place is None else str(piece.place), piece)
        for piece in picture.pieces
        if _point(backdrop, piece.place) is None
    )
    boxes = []
    for box in sorted(waiting, key=lambda box: (box == "eliminated", _natural(box))):
        drawn = "".join(_drawn(piece, colours, n * (SIZE + 0.06), 0.0) for n, piece in enumerate(waiting[box]))
        gone = element("g", drawn, opacity="0.6") if box == "eliminated" else drawn
        boxes.append((box, gone, len(waiting[box]) * (SIZE + 0.06)))
    return boxes


def _natural(location: str) -> tuple[str, int]:
    words = location.rstrip("0123456789")
    return words, int(location[len(words) :] or 0)


def _shelf(boxes: list[tuple[str, str, float]], left: float, top: float, width: float) -> tuple[str, float]:
    """Boxes in rows; the drawing and where it ends."""
    parts = []
    x, y = left, top
    for title, drawn, wide in boxes:
        wide = max(wide, 0.12 * len(title))
        if x > left and x + wide > left + width:
            x, y = left, y + SIZE + 0.42
        parts.append(text(title, x, y + 0.17, 0.18, fill=INK, text_anchor="start"))
        parts.append(element("g", drawn, transform=f"translate({num(x + SIZE / 2)} {num(y + 0.26 + SIZE / 2)})"))
        x += wide + 0.3
    return element("g", *parts, class_="boxes"), y + SIZE + 0.45


def _explained(values: str) -> str:
    """What the legend says of a counter."""
    return f"{values}; white corner: reduced"


def _legend(
    backdrop: Backdrop, colours: Mapping[str, Colours], left: float, top: float, width: float, *, values: str
) -> tuple[str, float]:
    """The drawing and where it ends; `values` says what the values of counters are, "" if they have none."""
    samples = list(backdrop.samples())
    samples += [(side, flag(of, -0.1, 0.16, 0.32)) for side, of in colours.items()]
    if values:
        example = Piece("id", None, name="a unit", kind="infantry", symbol="infantry", values="1–2–3", reduced=True)
        small = element("g", counter(example, Colours("#e9e4d4", "#2b2b2b", "#6d6655"), 0.0, 0.0), transform="scale(0.8)")
        samples.append((_explained(values), small))
    parts = []
    x, y = left, top + ROW / 2
    for word, drawn in samples:
        wide = SWATCH + 0.115 * len(word) + 0.25
        if x > left and x + wide > left + width:
            x, y = left, y + ROW
        parts.append(element("g", drawn, transform=f"translate({num(x + 0.25)} {num(y)})"))
        parts.append(text(word, x + SWATCH, y + 0.07, WORD, fill=INK, text_anchor="start"))
        x += wide
    return element("g", *parts, class_="legend"), y + ROW / 2
