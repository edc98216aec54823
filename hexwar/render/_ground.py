"""A board for clients that place pieces on it themselves: its picture, and where each place lies in it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from hexwar.board import AnyBoard, Board, PlaneBoard
from hexwar.hexes import Hex, corners
from hexwar.render._backdrop import backdrop_of
from hexwar.render._picture import MARGIN, PAPER, board_svg
from hexwar.render._svg import Point, polygon


@dataclass(frozen=True, slots=True)
class Ground:
    """A board to put pieces on. A counter is half a unit wide.

    Args:
        svg: the picture.
        origin: what its left upper corner is called.
        size: how wide and how high it is.
        centres: place -> where its middle is.
        outline: the border of every place around its middle, as path data; "" where they differ.
        outlines: place -> its border, where they differ.
        scale: how large one of the board's own units is, on boards on which pieces may lie anywhere; else 0.
    """

    svg: str
    origin: Point
    size: Point
    centres: dict[str, Point]
    outline: str
    outlines: dict[str, str]
    scale: float = 0.0


def ground(board: AnyBoard) -> Ground:
    """The board without title, legend and pieces, and without the labels of hexes: who shows it knows where they are."""
    backdrop = backdrop_of(board, "ground-", labels=False)
    left, top, _, _ = backdrop.box
    labels = tuple(getattr(board, "labels", ()))
    alike = polygon(corners(Hex(0, 0), board.orientation)) if isinstance(board, Board) else ""
    svg = re.sub(' data-hex="[^"]*"', "", board_svg(board, labels=not alike, title="", with_legend=False))
    if alike:  # hexes have names that can be read on any paper, dark paper too
        svg = re.sub(f'<rect [^>]*fill="{PAPER}"/>', "", svg, count=1)
    (wide, high) = re.findall(r'viewBox="\S+ \S+ (\S+) ([^" ]+)"', svg)[0]
    return Ground(
        svg,
        (left - MARGIN, top - MARGIN),
        (float(wide), float(high)),
        {label: backdrop.centre(label) for label in labels},
        alike,
        {} if alike else {label: backdrop.outline(label) for label in labels},
        backdrop.scaled((1, 0))[0] if isinstance(board, PlaneBoard) else 0.0,
    )
