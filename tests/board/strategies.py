"""Random small boards for property tests: both layouts, ragged edges, holes, rivers, roads."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from hypothesis import strategies as st

from hexwar.board import Board, BoardContent, HexContent
from hexwar.hexes import Hex, Hexside, LabelCodec

TERRAINS = ("clear", "forest", "marsh")
FEATURES = ("river", "wall")
LINKS = ("road", "rail")


Draw: TypeAlias = Callable[[st.SearchStrategy[bytes]], bytes]

_CHUNK = 64


def draw_bytes(draw: Draw, size: int) -> bytes:
    """Random bytes, one to decide about each hex or side.

    They are drawn in pieces of one length, because Hypothesis copies drawn values to other places of an example, and turns
    them into zeros where the length does not fit: with exact lengths, half of all boards would be blank.
    """
    return b"".join(draw(st.binary(min_size=_CHUNK, max_size=_CHUNK)) for _ in range(0, size, _CHUNK))[:size]


@st.composite
def boards(draw: st.DrawFn, max_columns: int = 8, max_rows: int = 7) -> Board:
    """A board of at least one hex and at most ``max_columns`` times ``max_rows``; it need not be connected."""
    by_columns = draw(st.booleans())
    codec = LabelCodec(
        layout="columns" if by_columns else "rows",
        shifted=draw(st.sampled_from(("odd", "even"))),
        shift=draw(st.sampled_from(("up", "down") if by_columns else ("east", "west"))),
        order=draw(st.sampled_from(("columns-first", "rows-first"))),
        rows_from=draw(st.sampled_from(("north", "south"))),
    )
    # Half of them at least half as large as allowed: on tiny boards there is nothing to go round.
    columns = draw(st.integers(1, max_columns) | st.integers((max_columns + 1) // 2, max_columns))
    rows = draw(st.integers(1, max_rows) | st.integers((max_rows + 1) // 2, max_rows))
    choices = draw_bytes(draw, columns * rows)
    # One hex in five is a hole; the corner never is, so that there always is a hex.
    hexes: dict[Hex, HexContent] = {}
    for k, choice in enumerate(choices):
        h = codec.at(k % columns + 1, k // columns + 1)
        if k == 0 or choice % 5 != 4:
            hexes[h] = HexContent((codec.label(h),), TERRAINS[choice % 3])
    around = sorted({Hexside.of(h, d) for h in hexes for d in range(6)})
    inside = [side for side in around if all(h in hexes for h in side.hexes)]
    return Board(
        BoardContent(
            id="random",
            orientation=codec.orientation,
            hexes=hexes,
            sides=_marked(around, FEATURES, draw_bytes(draw, len(around))),
            links=_marked(inside, LINKS, draw_bytes(draw, len(inside))),
            terrain_names=TERRAINS,
        )
    )


def _marked(sides: list[Hexside], names: tuple[str, ...], choices: bytes) -> dict[Hexside, frozenset[str]]:
    marks = (frozenset[str](), frozenset[str](), frozenset(names[:1]), frozenset(names[1:]), frozenset(names))
    return {side: marks[choice % 5] for side, choice in zip(sides, choices, strict=True) if marks[choice % 5]}
