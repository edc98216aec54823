"""Whole pictures: a board or a position with its title, the state of affairs and a legend.

The same arguments give the same bytes. All ids begin with a prefix made from the content, so that two pictures can stand on
one page.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from hexwar.board import Board
from hexwar.engine import Position, View, phase_title
from hexwar.errors import HexwarError
from hexwar.mechanics import HexState, HexWorld, face, stack
from hexwar.render.counters import FORTRESSES, MOST_IN_STACK, SIZE, STEP, Livery, counter, flag, liveries, works
from hexwar.render.ground import INK, Ground
from hexwar.render.legend import legend
from hexwar.render.svg import attributes, caption, element, num, text

SCALE = 72.0
"""Pixels of a hex between opposite sides."""
READABLE = 30.0
"""Below this scale hex labels would be a grey mist."""
MARGIN = 0.35
PAPER = "#fbf8ee"
LEAST_SCALE, MOST_SCALE = 8.0, 400.0


def board_svg(
    board: Board,
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
    sheet = _Sheet(board if only is None else board.crop(only), scale, labels=labels)
    heading = (board.title or board.id) if title is None else title
    return sheet.svg(heading, "", sheet.ground.names(), [], with_legend=with_legend)


def game_svg(
    shown: View | Position,
    *,
    labels: bool = True,
    scale: float = SCALE,
    only: Iterable[str] | None = None,
    title: str | None = None,
    with_legend: bool = True,
) -> str:
    """Draw a position.

    Args:
        shown: a view, which draws what that side may know; or a position, which draws everything.
        labels: whether hexes carry their labels.
        scale: pixels of a hex between opposite sides.
        only: draw only these hexes and what stands in them.
        title: the board's own if not given, none if empty.
        with_legend: whether to explain terrain, lines and sides below the map.

    Raises:
        HexwarError: the game is not played on hexes.
    """
    at = shown.position if isinstance(shown, View) else shown
    if not isinstance(at.world, HexWorld) or not isinstance(at.state, HexState):
        raise HexwarError("only games on a board of hexes can be drawn")
    board = at.world.board if only is None else at.world.board.crop(only)
    sheet = _Sheet(board, scale, labels=labels)
    colours = liveries(at.world.sides)
    heading = (at.world.board.title or at.world.board.id) if title is None else title
    pieces = _flags(at, board, colours) + _stacks(at, board, colours) + sheet.ground.names()
    boxes = _boxes(at, colours) if only is None else []
    return sheet.svg(heading, _status(at, shown), pieces, boxes, with_legend=with_legend, colours=colours)


class _Sheet:
    """The paper: it knows how large everything is and puts the parts below each other."""

    def __init__(self, board: Board, scale: float, *, labels: bool) -> None:
        if not LEAST_SCALE <= scale <= MOST_SCALE:
            raise HexwarError(f"the scale is the pixels of a hex, from {LEAST_SCALE:g} to {MOST_SCALE:g}, not {scale:g}")
        self.scale = scale
        made_of = f"{board.digest} {scale} {labels}"
        self.prefix = f"hw{hashlib.blake2b(made_of.encode(), digest_size=4).hexdigest()}-"
        self.ground = Ground(board, self.prefix, labels=labels and scale >= READABLE)

    def svg(
        self,
        heading: str,
        status: str,
        over: str,
        boxes: list[tuple[str, str, float]],
        *,
        with_legend: bool,
        colours: dict[str, Livery] | None = None,
    ) -> str:
        left, top, right, bottom = self.ground.box
        width = max(right - left, 4.0)
        parts = []
        y = top - MARGIN
        head = 0.0
        if heading:
            head += 0.55
        if status:
            head += 0.36
        if heading:
            size = min(0.42, width / len(heading) / 0.66)
            parts.append(text(heading, left, y - head + 0.42, size, fill=INK, font_weight="bold", text_anchor="start"))
        if status:
            parts.append(
                text(status, left, y - 0.1, min(0.24, width / max(len(status), 1) / 0.56), fill=INK, text_anchor="start")
            )
        parts.extend(self.ground.layers())
        parts.append(over)
        below = bottom + MARGIN * 0.8
        if boxes:
            drawn, below = _shelf(boxes, left, below, width)
            parts.append(drawn)
        if with_legend:
            drawn, below = legend(self.ground, colours or {}, left, below, width)
            parts.append(drawn)
        x0, y0 = left - MARGIN, top - MARGIN - head - (0.1 if head else 0)
        w, h = width + 2 * MARGIN, below + MARGIN * 0.6 - y0
        paper = element("rect", x=x0, y=y0, width=w, height=h, fill=PAPER)
        frame = attributes(
            width=num(w * self.scale), height=num(h * self.scale), viewBox=f"{num(x0)} {num(y0)} {num(w)} {num(h)}", role="img"
        )
        label = caption(heading) if heading else ""
        body = "\n".join([label, element("defs", self.ground.definitions()), paper, *parts])
        return f'<svg xmlns="http://www.w3.org/2000/svg"{frame}>\n{body}\n</svg>\n'


def _status(at: Position[HexState, HexWorld], shown: object) -> str:
    """Turn, phase, who is asked and what each side holds, in a line."""
    parts = [f"Turn {at.state.turn}"] if at.state.turn else []
    if at.state.phase:
        parts.append(phase_title(at))
    if at.state.result is not None:
        parts.append(str(at.state.result))
        return " · ".join(parts)
    if isinstance(shown, View) and shown.to_move:
        parts.append(f"{' and '.join(shown.to_move)} to decide")
    held: dict[str, int] = {}
    for label, side in at.state.control.items():
        place = at.world.board.place(label)
        held[side] = held.get(side, 0) + (place.value if place else 0)
    if any(held.values()):
        parts.append("places held: " + ", ".join(f"{side} {held.get(side, 0)}" for side in at.world.sides))
    return " · ".join(parts)


def _stacks(at: Position[HexState, HexWorld], board: Board, colours: dict[str, Livery]) -> str:
    parts = []
    for label in board.labels:
        # Headquarters lie below: they are seldom what one looks for.
        here = stack(at, label)
        if not here:
            continue
        x, y = board.centre(label)
        walls = [unit for unit in here if at.world.units[unit].arm in FORTRESSES]
        units = sorted((u for u in here if u not in walls), key=lambda unit: not at.world.units[unit].is_headquarters)
        shown = units[-MOST_IN_STACK:]
        off = (len(shown) - 1) * STEP / 2
        drawn = [works(at.world.units[u], at.state.steps[u], colours[at.world.units[u].side], x, y) for u in walls]
        drawn += [_counter(at, unit, colours, x - off + n * STEP, y + off - n * STEP) for n, unit in enumerate(shown)]
        if len(units) > len(shown):
            drawn.append(text(f"{len(units)}", x + 0.36, y - 0.2, 0.16, fill=INK, font_weight="bold"))
        parts.append(element("g", *drawn, class_="stack", data_hex=label))
    return "".join(parts)


def _counter(at: Position[HexState, HexWorld], unit_id: str, colours: dict[str, Livery], x: float, y: float) -> str:
    unit = at.world.units[unit_id]
    if unit.arm in FORTRESSES:
        return works(unit, at.state.steps[unit_id], colours[unit.side], x, y, SIZE / 2)
    return counter(unit, face(at, unit_id), at.state.steps[unit_id], colours[unit.side], x, y)


def _flags(at: Position[HexState, HexWorld], board: Board, colours: dict[str, Livery]) -> str:
    flags = []
    for label, side in sorted(at.state.control.items()):
        if label in board and side in colours:
            x, y = board.centre(label)
            flags.append(flag(colours[side], x + 0.33, y + 0.3))
    return element("g", *flags, class_="control")


def _boxes(at: Position[HexState, HexWorld], colours: dict[str, Livery]) -> list[tuple[str, str, float]]:
    """What lies beside the map: units that wait somewhere else, and those that are gone; title, drawing and width of each."""
    waiting: dict[str, list[str]] = {}
    for unit, location in at.state.at.items():
        if location not in at.world.board:
            waiting.setdefault(location, []).append(unit)
    boxes = []
    for location in sorted(waiting, key=_natural):
        drawn = "".join(_counter(at, unit, colours, n * (SIZE + 0.06), 0.0) for n, unit in enumerate(waiting[location]))
        boxes.append((location, drawn, len(waiting[location]) * (SIZE + 0.06)))
    lost = [unit for unit in at.world.units.values() if unit.id not in at.state.at]
    if lost:
        drawn = "".join(
            counter(unit, unit.faces[0], 1, colours[unit.side], n * (SIZE + 0.06), 0.0) for n, unit in enumerate(lost)
        )
        boxes.append(("eliminated", element("g", drawn, opacity="0.6"), len(lost) * (SIZE + 0.06)))
    return boxes


def _natural(location: str) -> tuple[str, int]:
    words = location.rstrip("0123456789")
    number = location[len(words) :]
    return words, int(number) if number else 0


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
