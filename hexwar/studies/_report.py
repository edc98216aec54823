"""A study as one page: tables and plots in a single file without scripts, a few kilobytes large."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from operator import attrgetter
from typing import Any

from hexwar.studies._comparing import Comparison
from hexwar.studies._figures import interval, quartiles, summary, wins
from hexwar.studies._simulate import Moment, Outcome

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""Okabe and Ito's, which people who see few colours can tell apart."""
WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 470, 230, 44, 24, 34
SLOWEST = 5

_STYLE = """
:root { color-scheme: light dark; --ink: #1b1b1b; --faint: #767676; --line: #d0d0d0; --paper: #fff }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8e8; --faint: #a0a0a0; --line: #444; --paper: #1b1b1b } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 62rem; margin: 2rem auto;
  padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin-top: 2rem }
table { border-collapse: collapse }
th, td { text-align: left; padding: .2rem .9rem .2rem 0; border-bottom: 1px solid var(--line) }
td.number { text-align: right; font-variant-numeric: tabular-nums }
.plots { display: flex; flex-wrap: wrap; gap: 1.5rem } figure { margin: 0 } figcaption { color: var(--faint); font-size: .9rem }
svg { max-width: 100%; height: auto } svg text { fill: var(--ink); font: 12px system-ui, sans-serif }
svg .axis { stroke: var(--line) } svg .axis + text, svg .tick { fill: var(--faint) }
"""


def report(title: str, outcomes: Sequence[Outcome], facts: Mapping[str, object], changes: Sequence[Comparison] = ()) -> str:
    """The page of a study.

    Args:
        title: the first line.
        outcomes: its games.
        facts: what was played, in words.
        changes: what a comparison with another study gave.
    """
    played = [outcome for outcome in outcomes if not outcome.error]
    body = [
        f"<h1>{escape(title)}</h1>",
        _table([(escape(name), escape(str(value))) for name, value in facts.items()]),
        "<h2>Who wins</h2>",
        _wins(played),
        *(["<h2>Compared on the same seeds</h2>", *(f"<p>{escape(str(change))}</p>" for change in changes)] if changes else ()),
        *(["<h2>How the games go</h2>", '<div class="plots">', *_plots(played), "</div>"] if played else ()),
        "<h2>In figures</h2>",
        *(f"<p>{escape(line)}</p>" for line in summary(outcomes)),
        *_slowest(played),
    ]
    text = "\n".join(body)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n{text}\n</body>\n</html>\n"
    )


def _table(rows: Sequence[Sequence[str]], heads: Sequence[str] = ()) -> str:
    head = f"<tr>{''.join(f'<th>{name}</th>' for name in heads)}</tr>" if heads else ""
    cells = (
        "".join(f'<td class="number">{cell}</td>' if _is_number(cell) else f"<td>{cell}</td>" for cell in row) for row in rows
    )
    return f"<table>{head}{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def _is_number(cell: str) -> bool:
    return cell[:1].isdigit() and cell.strip("0123456789.,% ") == ""


def _wins(played: Sequence[Outcome]) -> str:
    """A bar for each side with the interval in which its true rate lies."""
    counted = wins(played)
    high = 30 * len(counted) + 24
    parts = [f'<line class="axis" x1="{_x(mark)}" y1="0" x2="{_x(mark)}" y2="{high - 22}"/>' for mark in (0, 0.25, 0.5, 0.75, 1)]
    parts += [f'<text class="tick" x="{_x(mark)}" y="{high - 6}" text-anchor="middle">{mark:.0%}</text>' for mark in (0, 0.5, 1)]
    for row, (side, count) in enumerate(counted.items()):
        (low, most), rate = interval(count, len(played)), count / len(played)
        y = 30 * row + 6
        parts += [
            f"<g><title>{escape(side)}: {count} of {len(played)} games, {rate:.1%}; probably {low:.1%} to {most:.1%}</title>",
            f'<text x="0" y="{y + 14}">{escape(side)}</text>',
            f'<rect x="{_x(0)}" y="{y}" width="{_x(rate) - _x(0):.1f}" height="18" fill="{_colour(row)}" fill-opacity=".55"/>',
            f'<line x1="{_x(low)}" x2="{_x(most)}" y1="{y + 9}" y2="{y + 9}" stroke="var(--ink)" stroke-width="2"/></g>',
        ]
    bars = _svg(parts, f"Games won of {len(played)}", high)
    rows = [
        (escape(s), str(n), f"{n / len(played):.1%}", "{:.1%} to {:.1%}".format(*interval(n, len(played))))
        for s, n in counted.items()
    ]
    return bars + _table(rows, ("side", "games", "rate", "95 % interval"))


def _x(rate: float) -> float:
    return round(100 + rate * (WIDTH - 120), 1)


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


def _plots(played: Sequence[Outcome]) -> Iterator[str]:
    yield from _by_turn(played, attrgetter("points"), "Points at the end of each turn: median and quartiles")
    yield from _by_turn(played, attrgetter("steps"), "Steps on the map at the end of each turn: median and quartiles")
    counted = [outcome.scores for outcome in played if outcome.scores]
    sides = sorted({side for scores in counted for side in scores})
    if len(sides) == 2:
        leads = [scores.get(sides[0], 0) - scores.get(sides[1], 0) for scores in counted]
        yield _histogram(leads, f"Final lead of {sides[0]} over {sides[1]} in points")
    else:
        yield from (_histogram([scores.get(side, 0) for scores in counted], f"Final points of {side}") for side in sides)
    yield _histogram([outcome.actions for outcome in played], "Actions a game")


def _by_turn(played: Sequence[Outcome], of: Callable[[Moment], Mapping[str, float]], title: str) -> Iterator[str]:
    """A line and a band for each side over the turns."""
    moments = [moment for outcome in played for moment in outcome.moments]
    values: dict[str, dict[int, list[float]]] = {side: {} for moment in moments for side in of(moment)}
    for moment in moments:
        for side, by_turn in values.items():  # who is not named has nothing
            by_turn.setdefault(moment.turn, []).append(of(moment).get(side, 0))
    if not values:
        return
    turns = sorted({turn for found in values.values() for turn in found})
    most = max(max(found) for by_turn in values.values() for found in by_turn.values())
    least = min(0.0, *(min(found) for by_turn in values.values() for found in by_turn.values()))
    plane = _Plane(turns[0], max(turns[-1], turns[0] + 1), least, most)
    parts = [*plane.axes()]
    for number, (side, by_turn) in enumerate(sorted(values.items())):
        bands = [(turn, *quartiles(by_turn[turn])) for turn in sorted(by_turn)]
        outline = [plane.at(turn, low) for turn, low, _, _ in bands] + [
            plane.at(turn, high) for turn, _, _, high in reversed(bands)
        ]
        parts.append(f'<polygon points="{" ".join(outline)}" fill="{_colour(number)}" fill-opacity=".2"/>')
        line = " ".join(plane.at(turn, middle) for turn, _, middle, _ in bands)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{_colour(number)}" stroke-width="2"/>')
        for turn, low, middle, high in bands:
            x, y = plane.at(turn, middle).split(",")
            told = f"{side}, turn {turn}: {middle:g} ({low:g} to {high:g}), {len(by_turn[turn])} games"
            parts.append(f'<circle cx="{x}" cy="{y}" r="4" fill="{_colour(number)}"><title>{escape(told)}</title></circle>')
        square = f'<tspan style="fill: {_colour(number)}">■</tspan>'
        parts.append(f'<text x="{LEFT + 8 + 110 * number}" y="14">{square} {escape(side)}</text>')
    yield _figure(parts, title)


def _histogram(values: Sequence[float], title: str) -> str:
    """How often values fall between round numbers."""
    low, high = min(values), max(values)
    wide = _round_step((high - low or 1) / 14)
    first = math.floor(low / wide)
    counts = [0] * (math.floor(high / wide) - first + 1)
    for value in values:
        counts[math.floor(value / wide) - first] += 1
    plane = _Plane(first * wide, (first + len(counts)) * wide, 0, max(counts))
    parts = [*plane.axes()]
    for number, count in enumerate(counts):
        begin, end = (first + number) * wide, (first + number + 1) * wide
        (x, y), (right, floor) = (plane.at(*corner).split(",") for corner in ((begin, count), (end, 0)))
        size = f'width="{max(1, float(right) - float(x) - 1):.1f}" height="{float(floor) - float(y):.1f}"'
        told = f"from {begin:g} to below {end:g}: {count} games"
        parts.append(f'<rect x="{x}" y="{y}" {size} fill="{_colour(0)}" fill-opacity=".7"><title>{told}</title></rect>')
    return _figure(parts, f"{title}: mean {statistics.fmean(values):.1f}, {low:g} to {high:g}")


class _Plane:
    """Where values lie in a plot."""

    def __init__(self, left: float, right: float, low: float, high: float) -> None:
        self._left, self._right, self._low = left, right, low
        self._high = high if high > low else low + 1

    def at(self, x: float, y: float) -> str:
        """A point as SVG has it."""
        across = LEFT + (x - self._left) / (self._right - self._left) * (WIDTH - LEFT - 12)
        down = TOP + (self._high - y) / (self._high - self._low) * (HEIGHT - TOP - BOTTOM)
        return f"{across:.1f},{down:.1f}"

    def axes(self) -> Iterator[str]:
        """Lines and numbers at round values."""
        for value in _round_values(self._low, self._high, 5):
            x, y = self.at(self._left, value).split(",")
            yield f'<line class="axis" x1="{x}" x2="{WIDTH - 12}" y1="{y}" y2="{y}"/>'
            yield f'<text class="tick" x="{LEFT - 6}" y="{float(y) + 4:.1f}" text-anchor="end">{value:g}</text>'
        for value in _round_values(self._left, self._right, 10):
            x, _ = self.at(value, self._low).split(",")
            yield f'<text class="tick" x="{x}" y="{HEIGHT - 14}" text-anchor="middle">{value:g}</text>'


def _round_step(least: float) -> float:
    """A round distance, at least so large and at least 1: all that is counted is whole."""
    power = 10.0 ** math.floor(math.log10(max(least, 1)))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= least)


def _round_values(low: float, high: float, most: int) -> list[float]:
    step = _round_step((high - low) / most)
    return [number * step for number in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _svg(parts: Sequence[str], label: str, high: int = HEIGHT) -> str:
    size = f'viewBox="0 0 {WIDTH} {high}" width="{WIDTH}" height="{high}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape(label)}">{"".join(parts)}</svg>'


def _figure(parts: Sequence[str], title: str) -> str:
    return f"<figure>{_svg(parts, title)}<figcaption>{escape(title)}</figcaption></figure>"


def _slowest(played: Sequence[Outcome]) -> Iterator[str]:
    timed = sorted((outcome for outcome in played if outcome.seconds), key=lambda outcome: -outcome.seconds)[:SLOWEST]
    if timed:
        rows: list[Any] = [(str(it.seed), f"{it.seconds:.2f}", str(it.actions), escape(it.winner or "nobody")) for it in timed]
        yield "<h2>Slowest games</h2>"
        yield _table(rows, ("seed", "processor seconds", "actions", "winner"))
