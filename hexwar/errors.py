"""Every error that hexwar raises on purpose, each written for the person who will read it.

They survive pickling, so that they come back from worker processes as they are.

A user's mistake (a bad file, an unknown name, an action that is not offered) is always one of these, so a caller
can show ``str(error)`` and stop; anything else that escapes is a defect of hexwar or of a ruleset.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

LONG = 600
"""The most characters of a file that a sentence quotes."""


def shortened(text: str, most: int = LONG) -> str:
    """A string, shortened to what can be read: its beginning and its end."""
    if len(text) <= most:
        return text
    return f"{text[: most * 2 // 3]}[...]{text[-most // 4 :]}"


class HexwarError(Exception):
    """Base of all errors that a user can cause."""


def require(value: object, kinds: type | tuple[type, ...], sentence: str) -> None:
    """Raise a `HexwarError` with a sentence unless a caller passed the right kind of thing."""
    if not isinstance(value, kinds):
        raise HexwarError(sentence)


class ContentError(HexwarError):
    """A content file (map, roster, rule index, scenario, position) is wrong.

    Args:
        source: the file, as the user knows it.
        where: the place inside it (a hex, a unit, a key path), or "" for the whole file.
        mistake: what is wrong and, if known, what would be right.
    """

    def __init__(self, source: str, where: str, mistake: str) -> None:
        self.source = source
        self.where = shortened(where)
        self.mistake = shortened(mistake)
        super().__init__(": ".join(filter(None, (source, self.where, self.mistake))))

    def __reduce__(self) -> tuple[type[ContentError], tuple[str, str, str]]:
        return type(self), (self.source, self.where, self.mistake)


class SaveError(HexwarError):
    """A saved game or a replay cannot be loaded."""

    def __init__(self, message: str) -> None:
        super().__init__(shortened(message, 2 * LONG))


class PluginError(HexwarError):
    """A plugin is missing, broken or does not fit this version of hexwar."""


class UnknownName(HexwarError):
    """A name is unknown; the message lists what there is."""

    def __init__(self, kind: str, name: object, known: Iterable[str]) -> None:
        import difflib

        self.kind = kind
        self.name = str(name)
        self.known = tuple(known)
        close = difflib.get_close_matches(self.name[:LONG], self.known, n=3, cutoff=0.6)
        if close:
            hint = f"did you mean {_either(close)}?"
        elif not self.known:
            hint = f"there is no {kind} at all"
        elif len(self.known) <= 12:
            hint = f"known: {', '.join(self.known)}"
        else:
            hint = f"there are {len(self.known)}, for example {', '.join(self.known[:3])}"
        super().__init__(f"no {kind} is called {shortened(self.name, 200)!r}; {hint}")

    def __reduce__(self) -> tuple[type[UnknownName], tuple[str, str, tuple[str, ...]]]:
        return type(self), (self.kind, self.name, self.known)


class RuleBrokenCode(StrEnum):
    """What a ruleset did that no ruleset may do, for programs."""

    UNKNOWN_CLAUSE = "unknown-clause"
    """It cites a clause that is not in its index."""
    UNKNOWN_TOPIC = "unknown-topic"
    """It does not say which clause a topic stands in."""
    DEAD_END = "dead-end"
    """The game cannot go on: nothing is offered, nothing waits, or nothing comes to an end."""
    OFFERED_THEN_REFUSED = "offered-then-refused"
    UNKNOWN_SEAT = "unknown-seat"
    EMPTY_STACK = "empty-stack"
    NOTHING_TO_DRAW = "nothing-to-draw"
    UNFIT_FOR_LANES = "unfit-for-lanes"
    HOOK = "hook"
    """A variant's hook failed, or it returned something else than it may."""
    UNKNOWN_PHASE = "unknown-phase"
    UNFINISHED = "unfinished"
    """It failed in the middle of an action of a playout, which cannot go on."""
    IMAGINED_OTHERWISE = "imagined-otherwise"
    """It imagines for a seat a position which that seat could tell from the one it sees."""


class RuleBroken(HexwarError):
    """A ruleset did what no ruleset may do (cited an unknown clause, offered nothing, looped forever): its author's mistake.

    Args:
        code: the machine-readable reason.
        message: one sentence for the author.
    """

    def __init__(self, code: RuleBrokenCode, message: str) -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[type[RuleBroken], tuple[RuleBrokenCode, str]]:
        return type(self), (self.code, str(self))


class RefusalCode(StrEnum):
    """Why the core refused an action, for programs; the sentence is for people."""

    NOT_OFFERED = "not-offered"
    NOT_YOUR_TURN = "not-your-turn"
    GAME_OVER = "game-over"
    UNKNOWN_SEAT = "unknown-seat"
    UNKNOWN_ACTION = "unknown-action"
    AMBIGUOUS_SEAT = "ambiguous-seat"
    AGAINST_RULE = "against-rule"
    UNDO_BARRIER = "undo-barrier"
    BUSY = "busy"
    """Another action is being carried out."""


class Refusal(HexwarError):
    """An action was refused and nothing has changed.

    Args:
        code: the machine-readable reason.
        clause: the id of the rule that forbids it, or "" where no rule of the game is concerned (not your turn).
        message: one sentence for the player.
    """

    def __init__(self, code: RefusalCode, clause: str, message: str) -> None:
        super().__init__(f"{clause}: {message}" if clause else message)
        self.code = code
        self.clause = clause
        self.message = message

    @classmethod
    def against(cls, clause: str, message: str) -> Refusal:
        """The refusal of something that a rule of the game forbids."""
        return cls(RefusalCode.AGAINST_RULE, clause, message)

    def __reduce__(self) -> tuple[type[Refusal], tuple[RefusalCode, str, str]]:
        return type(self), (self.code, self.clause, self.message)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Refusal) and (self.code, self.clause, self.message) == (other.code, other.clause, other.message)

    def __hash__(self) -> int:
        return hash((self.code, self.clause, self.message))


def _either(words: list[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
