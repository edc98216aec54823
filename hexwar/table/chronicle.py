"""The log as people read it: turns and phases as headings, and units and places by their names.

Events name units by id, because that is what players type; a reader who did not play wants the names as well. The sentence of an
action, an event or a question is filled with names where one of its fields names something: an article is not taken for the area
`a`. At the table long lists are cut short, because the player who is asked sees them below the question.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
import shutil
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import click

from hexwar.engine import Action, Event, GameEnded, HasBoard, HasUnits, PhaseEntered, Question, World
from hexwar.pieces import ChitDrawn, ChitPlayed, TurnBegan, UnitMoved, UnitPlaced

_WORD = re.compile(r"(?<![\w(])[\w/.-]*\w")
_LIST = re.compile(r"[\w/.-]*\w(?:, [\w/.-]*\w){8,}")
"""Nine words or more with commas between them."""
OPENS, CLOSES = "\u01c0", "\u01c1"
"""Marks around an id that a sentence is filled with: letters, so that they belong to its word, which no id has."""
_MARKED = re.compile(rf"(\(?){OPENS}([^{CLOSES}]*){CLOSES}|{_WORD.pattern}")
"""Such an id, perhaps in brackets, where it stands behind a name already; or any other word."""
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
        ids: whether an id stands behind each name; without them those names that two things have keep theirs.
    """

    def __init__(self, world: World, *, short: bool = False, ids: bool = True) -> None:
        self._short = short
        names = {piece: unit.name for piece, unit in world.units.items()} if isinstance(world, HasUnits) else {}
        names |= getattr(world.board, "names", {}) if isinstance(world, HasBoard) else {}
        often = Counter(names.values())
        self._names = {
            known: f"{name} ({known})" if ids or often[name] > 1 else name for known, name in names.items() if name != known
        }
        self._signs = {known: name for known, name in self._names.items() if not (known.isalpha() and known.islower())}
        self._heading = ""
        self._waiting = ""
        self._deep = False

    def named(self, text: str) -> str:
        """An id with its name; or a sentence in which ids that can be no plain words, such as "b1", stand with their names."""
        return self._names.get(text) or _WORD.sub(lambda found: self._signs.get(found[0], found[0]), text)

    def sentence(self, record: Action | Event) -> str:
        """The sentence of an action or an event, with names for whatever its fields name."""
        values = {field.name: getattr(record, field.name) for field in dataclasses.fields(record)}  # type: ignore[arg-type]
        marked = {name: mark for name, value in values.items() if (mark := self._marked(value)) is not value}
        try:
            text = str(dataclasses.replace(record, **marked) if marked else record)  # type: ignore[type-var]
        except Exception:  # its words depend on what it names, of which the marked record knows nothing
            text = str(record)
        return self._filled(self._cut(text))

    def asked(self, question: Question) -> str:
        """The prompt of a question, with names for whatever it names."""
        text = question.prompt_as(self._marked)
        return self.named(brief(question.prompt)) if text is None else self._filled(brief(text))

    def _cut(self, text: str) -> str:
        return brief(text) if self._short else text

    def _marked(self, value: Any) -> Any:
        """A value in which every id that has a name is between marks; the very same, if there is none."""
        if type(value) is str:
            return f"{OPENS}{value}{CLOSES}" if value in self._names else value
        if type(value) is tuple:
            items = [*map(self._marked, value)]
            return tuple(items) if any(new is not old for new, old in zip(items, value, strict=True)) else value
        return value

    def _filled(self, text: str) -> str:
        return _MARKED.sub(self._fill, text)

    def _fill(self, found: re.Match[str]) -> str:
        bracket, known = found[1], found[2]
        if known is not None:
            return f"({known}" if bracket else self._names.get(known, known)
        word = found[0].replace(OPENS, "").replace(CLOSES, "")
        return self._signs.get(word, word)

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
        text = self.sentence(event)
        if isinstance(event, ChitDrawn | ChitPlayed):
            self._deep = True
            return f"    {click.style(text.strip('- '), bold=True)}"
        clause = "" if isinstance(event, UnitMoved) or not event.clause or f"({event.clause})" in text else f" ({event.clause})"
        return f"{'      ' if self._deep else '    '}{text}{clause}"
