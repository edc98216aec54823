"""What a game tells people besides its rules: turns and what they bring, objectives, charts, a briefing, a guided first turn.

All of it is data that clients show; none of it is needed to play, and every part has a default.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from hexwar.engine._records import parse, record
from hexwar.errors import ContentError
from hexwar.files import TextSource, read_toml

PagePart = Literal["", "head", "map", "question", "card", "log", "cup", "charts"]
"""What of a page a step of a lesson may point at."""
READ = "read"
"""What ends a step of a lesson in which nothing is to be done: its readers say that they have read it."""
TurnMarkKind = Literal["reinforcement", "supply", "weather", "rule", "end"]


@record
class TurnMark:
    """Something that a turn brings.

    Args:
        kind: what sort of thing it is.
        words: what it is.
        clause: the rule that says so.
        side: whose it is; "" for everybody.
    """

    kind: TurnMarkKind
    words: str
    clause: str = ""
    side: str = ""


@record
class TurnCell:
    """A turn on the turn track.

    Args:
        number: of the turn.
        title: its date in full, "11-20 July 1941".
        short: its date in a few letters, "11 Jul".
        marks: what it brings.
    """

    number: int
    title: str = ""
    short: str = ""
    marks: tuple[TurnMark, ...] = ()


def short_date(date: str) -> str:
    """A date in a few letters; "" if it is written in another way.

    Examples:
        >>> short_date("22-30 June 1941"), short_date("August 1943")
        ('22 Jun', 'Aug 43')
    """
    *days, month, year = ["", "", *date.split()]
    if not (month.isalpha() and year.isdecimal()):
        return ""
    day = days[-1].partition("-")[0]
    return f"{day} {month[:3]}" if day else f"{month[:3]} {year[-2:]}"


@record
class Objective:
    """A place that is worth points.

    Args:
        place: where.
        points: how many.
        side: who gets them; "" for whoever holds it.
        held_by: who holds it now; "" if none does.
        words: what for.
        clause: the rule that says so.
    """

    place: str | tuple[int, ...]
    points: float
    side: str = ""
    held_by: str = ""
    words: str = ""
    clause: str = ""


@record
class Stat:
    """A number on a piece.

    Args:
        label: what it is, "attack".
        value: as it is now.
        base: as it is at full strength, if that is something else.
        clause: the rule behind it.
    """

    label: str
    value: str
    base: str = ""
    clause: str = ""


@record
class Fact:
    """Something that holds of a piece now.

    Args:
        words: what.
        icon: what sort of thing it is: "supply", "command", "stack", "zone", "state", "mark" or "info".
        clause: the rule that says so.
        good: whether that is good for it; None if it is neither.
    """

    words: str
    icon: str = "info"
    clause: str = ""
    good: bool | None = None


@record
class Card:
    """What a player may want to know of a piece.

    Args:
        piece: its id.
        stats: its numbers.
        facts: what holds of it now.
        may: what it may do now.
        may_not: what it may not do now, each with the rule that forbids it.
    """

    piece: str
    stats: tuple[Stat, ...] = ()
    facts: tuple[Fact, ...] = ()
    may: tuple[Fact, ...] = ()
    may_not: tuple[Fact, ...] = ()


@record
class Chart:
    """A table of the game to look things up in.

    Args:
        title: what it is.
        headers: what stands above its columns.
        rows: its cells, row by row.
        notes: what stands below it.
        clause: the rule that has it.
    """

    title: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    clause: str = ""


@record
class VictoryLine:
    """What counts for victory, in a line.

    Args:
        points: how many; "" where no number counts.
        words: what for.
        clause: the rule that says so.
    """

    points: str
    words: str
    clause: str = ""


@record
class FirstStep:
    """One of the first things to do.

    Args:
        heading: in two or three words.
        words: the rest.
    """

    heading: str
    words: str


@record
class Arrow:
    """An arrow on the map of a briefing.

    Args:
        side: whose.
        words: what goes there.
        places: by which it leads, in order.
    """

    side: str
    words: str
    places: tuple[str, ...]


@record
class Briefing:
    """What players should know before their first decision.

    Args:
        period: where and when, "Operation Barbarossa, June 1941".
        about: what it is about, in some sixty words.
        sides: side -> who its player is, in some twenty-five words.
        samples: side -> up to four of its pieces, to show what its counters look like.
        victory: how it is won, line by line.
        first: the first things to do.
        arrows: where the sides want to go.
        minutes: how long a game takes; 0 if unknown.
        weight: how heavy it is, from 1 to 5; 0 by default.
    """

    period: str = ""
    about: str = ""
    sides: Mapping[str, str] = field(default_factory=dict)
    samples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    victory: tuple[VictoryLine, ...] = ()
    first: tuple[FirstStep, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    minutes: int = 0
    weight: int = 0


@record
class Lesson:
    """A step of a guided first turn. It is shown when its question is asked, and goes on when its action is done.

    Args:
        says: what the player is told.
        seat: who is taught.
        turn: in which turn; 0 for any.
        asks: the kind of action that must be asked for; "" for any.
        pieces: which pieces are pointed at.
        places: which places are pointed at.
        part: the part of the page that is pointed at; "" for none.
        until: the kind of action that ends it; "" for any, "read" for a click on "Next".
        clause: the rule behind it.
    """

    says: str
    seat: str = ""
    turn: int = 0
    asks: str = ""
    pieces: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    part: PagePart = ""
    until: str = ""
    clause: str = ""


@record
class Guide:
    """What a file tells about a scenario: its tables are `briefing`, `lesson` and `turn`.

    Args:
        briefing: what players should know before their first decision.
        lesson: a guided first turn, step by step.
        turn: the turns and what they bring.
    """

    briefing: Briefing = field(default_factory=Briefing)
    lesson: tuple[Lesson, ...] = ()
    turn: tuple[TurnCell, ...] = ()

    @classmethod
    def load(cls, file: TextSource) -> Guide:
        """Read a guide from a TOML file.

        Raises:
            ContentError: naming the file, the place and the mistake.
        """
        try:
            return parse(cls, read_toml(file, file.name))
        except ValueError as error:
            where, _, mistake = str(error).rpartition(": ")
            raise ContentError(file.name, where, mistake) from None
