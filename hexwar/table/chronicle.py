"""The log as people read it: turns and phases as headings, and units and places by their names.

Events name units by id, because that is what players type; a reader who did not play wants the names as well. At the
table long lists of them are cut short, because the player who is asked sees them below the question.
"""

from __future__ import annotations

import itertools
import re
import shutil
import textwrap
from collections.abc import Iterable, Iterator

import click

from hexwar.engine import Event, GameEnded, HasBoard, HasUnits, PhaseEntered, World
from hexwar.pieces import ChitDrawn, ChitPlayed, TurnBegan, UnitMoved, UnitPlaced

_WORD = re.compile(r"(?<![\w(])[\w/.-]*\w")
_LIST = re.compile(r"[\w/.-]*\w(?:, [\w/.-]*\w){8,}")
"""Nine words or more with commas between them."""
KEPT = 5
"""How many of them are left."""
MOST_PLACED = 8
"""How many units that are set up all at once are listed one by one."""
USUAL_WIDTH, USUAL_HEIGHT = 110, 60
"""Of what does not go to a terminal."""
_INDENT = re.compile(r"(?: *\S+(?: \S+){0,2} {2,}| *)")
"""What a line begins with: spaces, and perhaps a number or a command with spaces behind it."""


def brief(text: str) -> str:
    """A sentence in which long lists of ids are cut short."""

    def cut(found: re.Match[str]) -> str:
        words = found[0].split(", ")
        return f"{', '.join(words[:KEPT])} and {len(words) - KEPT} more"

    return _LIST.sub(cut, text)


def folded(text: str, indent: str = "", hanging: str | None = None) -> str:
    """A text in lines that fit the terminal.

    Args:
        text: one paragraph.
        indent: what its first line begins with.
        hanging: what the others begin with, if that is something else.
    """
    further = indent if hanging is None else hanging
    kept = text.replace(" (", "\0(")  # what stands in brackets stays with its word
    lines = textwrap.wrap(
        kept, window()[0], initial_indent=indent, subsequent_indent=further, break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(lines).replace("\0", " ")


def window() -> tuple[int, int]:
    """How many letters a line has, and how many lines there are."""
    columns, lines = shutil.get_terminal_size((USUAL_WIDTH, USUAL_HEIGHT))
    return max(40, min(columns, 2 * USUAL_WIDTH)), max(12, lines)


def wrapped(line: str) -> str:
    """A line that fits the terminal: what is too long goes on below where its words begin. Several lines fit already."""
    start = _INDENT.match(line)
    assert start is not None  # it fits every line
    if len(line) <= window()[0] or "\n" in line:
        return line
    return folded(line[start.end() :], start[0], " " * max(start.end(), 2))


class Chronicle:
    """Turns events into lines.

    Args:
        world: where names are looked up.
        short: whether long lists are cut short.
    """

    def __init__(self, world: World, *, short: bool = False) -> None:
        self._short = short
        names = {piece: unit.name for piece, unit in world.units.items()} if isinstance(world, HasUnits) else {}
        names |= getattr(world.board, "names", {}) if isinstance(world, HasBoard) else {}
        self._names = {known: f"{name} ({known})" for known, name in names.items() if name != known}
        self._heading = ""
        self._waiting = ""
        self._deep = False

    def named(self, text: str) -> str:
        """A sentence in which ids of units and places are followed or preceded by their names."""
        return _WORD.sub(lambda found: self._names.get(found[0], found[0]), text)

    def lines(self, events: Iterable[Event]) -> Iterator[str]:
        """The lines for some further events."""
        for placed, run in itertools.groupby(events, key=lambda event: isinstance(event, UnitPlaced)):
            some = list(run)
            if placed and self._short and len(some) > MOST_PLACED:
                yield from self._told(some[:KEPT])
                yield f"    and {len(some) - KEPT} more units"
            else:
                yield from self._told(some)

    def _told(self, events: Iterable[Event]) -> Iterator[str]:
        for event in events:
            if isinstance(event, TurnBegan):
                yield ""
                yield click.style(f"Turn {event.turn}", bold=True)
            elif isinstance(event, PhaseEntered):
                # Printed when something happens in it: many phases of many turns are empty.
                self._waiting = f"  {event.title} ({event.clause})"
                self._deep = False
            elif not isinstance(event, GameEnded):
                if self._waiting != self._heading:
                    yield click.style(self._waiting, dim=True)
                self._heading = self._waiting
                yield self._line(event)

    def _line(self, event: Event) -> str:
        text = self.named(brief(str(event)) if self._short else str(event))
        if isinstance(event, ChitDrawn | ChitPlayed):
            self._deep = True
            return f"    {click.style(text.strip('- '), bold=True)}"
        clause = "" if isinstance(event, UnitMoved) or not event.clause or f"({event.clause})" in text else f" ({event.clause})"
        return f"{'      ' if self._deep else '    '}{text}{clause}"
