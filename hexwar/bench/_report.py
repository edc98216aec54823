"""The tables for people, the floors under them, and a picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple

from hexwar.bench._play import CHESS, RALLY, WATERLOO, Row

Tables = Mapping[str, Sequence[Row]]

COLOURS = {
    "list": "#4c78a8",
    "staged": "#f58518",
    "sampled": "#54a24b",
    "in-place": "#2f7d32",
    "whole-list": "#9ecae9",
    "bot": "#b279a2",
}


class Floor(NamedTuple):
    """What a figure may not fall under; or rise over, where less is better.

    Args:
        table: where the figure stands.
        row: the name of its row.
        column: the name of its column.
        held: what `--check` demands: four fifths of what a quiet machine measures, so that a regression shows.
        asked: what was asked for.
        goal: what it would be good to have.
        less: whether less is better.
    """

    table: str
    row: str
    column: str
    held: float
    asked: float
    goal: float
    less: bool = False

    def holds(self, value: float) -> bool:
        """Whether a figure is good enough."""
        return value <= self.held if self.less else value >= self.held


FLOORS = (
    Floor("play", "ava/campaign list", "x Waterloo", 0.29, 0.6, 1),
    Floor("play", "ava/campaign staged", "clicks x Waterloo", 1.0, 1.8, 3),
    Floor("play", "ava/smolensk staged", "clicks x Waterloo", 1.2, 1.8, 3),
    Floor("play", "ava/campaign in-place", "x Waterloo", 0.93, 1.8, 3),
    Floor("play", "bridgehead/crossing list", "x chess", 0.36, 0.4, 1),
    Floor("play", "bridgehead/crossing staged", "clicks x Waterloo", 1.45, 1.2, 3),
    Floor("play", "tow/race staged", "clicks x Waterloo", 1.05, 1.2, 3),
    Floor("play", "wop/wkra list", "x Waterloo", 0.095, 0.2, 0.4),
    Floor("play", "wop/wkra staged", "clicks x Waterloo", 0.29, 0.6, 1.2),
    Floor("play", "wop/wkra in-place", "x Waterloo", 0.2, 0.45, 1.2),
    Floor("play", "ava/smolensk bot", "scaled s/game", 1.8, 1.5, 0.5, less=True),
    Floor("worlds", "bridgehead/crossing", "x ava/campaign", 0.9, 1.2, 0.7, less=True),
    Floor("worlds", "wop/wkra", "x ava/campaign", 1.3, 1.2, 0.7, less=True),
    Floor("worlds", "bench-new-game/field", "x ava/campaign", 0.92, 1.2, 0.7, less=True),
    Floor("worlds", "wop/wkra", "new_game again, ms", 2.0, 3, 1, less=True),
    Floor("worlds", "wop/wkra", "loading, µs/action", 300, 200, 100, less=True),
    Floor("kernels", "reaches of 12 units", "times", 9, 6, 60),
    Floor("kernels", "state copy with one unit moved", "times", 355, 400, 1000),
    Floor("growth", "a save after an action", "exponent", 0.3, 0.1, 0, less=True),
    Floor("start", "import hexwar, beyond bare Python", "scaled ms", 2, 15, 15, less=True),
    Floor("start", "first new_game", "scaled ms", 170, 200, 200, less=True),
    Floor("start", "cold process to the end of its first game", "scaled ms", 640, 600, 300, less=True),
    Floor("start", "loading 2000 actions", "scaled ms", 240, 150, 150, less=True),
)
"""What the figures of the benchmarks must reach."""


def judged(tables: Tables) -> Iterator[tuple[Floor, float]]:
    """The floors whose figures were measured, each with its figure."""
    for floor in FLOORS:
        for row in tables.get(floor.table, ()):
            if row["name"] == floor.row and row.get(floor.column) is not None:
                yield floor, row[floor.column]


def broken(tables: Tables) -> list[str]:
    """What is worse than its floor, in sentences."""
    return [
        f"{it.row}: {it.column} is {_shown(value)}, {'over its limit' if it.less else 'under its floor'} of {_shown(it.held)}"
        for it, value in judged(tables)
        if not it.holds(value)
    ]


def text(tables: Tables) -> Iterator[str]:
    """The tables as lines."""
    for name, rows in tables.items():
        if rows:
            yield from (f"{name}:", *_lines(rows), "")
    found = [*judged(tables)]
    if found:
        yield "floors:"
        yield from _lines(
            [
                {"name": f"{it.row}, {it.column}", "now": value, "held": it.held, "asked": it.asked, "goal": it.goal}
                for it, value in found
            ]
        )


def _lines(rows: Sequence[Row]) -> Iterator[str]:
    columns = [*dict.fromkeys(column for row in rows for column in row)]
    cells = [["", *columns[1:]], *([_shown(row.get(column)) for column in columns] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for line in cells:
        yield "  ".join(
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        )


def _shown(value: object) -> str:
    if not isinstance(value, float | int):
        return "" if value is None else str(value)
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def picture(tables: Tables) -> str:
    """Random play as bars, against Waterloo where python-chess was there to compare with, otherwise in actions a second."""
    rows = tables.get("play", ())
    column = "x Waterloo" if any(row["name"] == CHESS for row in rows) else "actions/s"
    bars = [(row["name"], float(row[column])) for row in rows]
    top, height, left, width = 46, 18, 230, 560
    scale = width / max([value for _, value in bars], default=1.0)
    title = "Random legal play, actions a second"
    if column == "x Waterloo":
        title += (
            f"; {RALLY} = 1" if any(row["name"] == RALLY for row in rows) else f"; Waterloo, derived as {WATERLOO} {CHESS}, = 1"
        )
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 80}" height="{top + height * len(bars) + 20}" '
        'font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="12" y="24" font-size="14">{escape(title)}</text>',
    ]
    for place, (name, value) in enumerate(bars):
        y, colour = top + height * place, COLOURS.get(name.rpartition(" ")[2], "#777777")
        lines.append(f'<text x="{left - 8}" y="{y + 12}" text-anchor="end">{escape(name)}</text>')
        lines.append(f'<rect x="{left}" y="{y + 2}" width="{value * scale:.1f}" height="{height - 5}" fill="{colour}"/>')
        lines.append(f'<text x="{left + value * scale + 6:.1f}" y="{y + 12}">{_shown(value)}</text>')
    if column == "x Waterloo":
        x, end = left + scale, top + height * len(bars)
        lines.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top - 6}" y2="{end}" stroke="#333333" stroke-dasharray="4 3"/>')
    return "\n".join([*lines, "</svg>", ""])
