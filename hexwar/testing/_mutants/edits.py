"""Small changes of source text, each of which might be a mistake of its author."""

from __future__ import annotations

import hashlib
from collections.abc import Container
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Edit:
    """Another text in the place of a part of a file.

    Args:
        start: the first byte that goes.
        end: the first byte that stays.
        new: what comes instead.
        what: the kind of mistake, in a few words.
        line: where it is, counted from 1.
        span: the lines of the statement around it; whoever runs none of them cannot notice it.
    """

    start: int
    end: int
    new: bytes
    what: str
    line: int
    span: tuple[int, int]

    def done(self, text: bytes) -> bytes:
        """The text with it."""
        return text[: self.start] + self.new + text[self.end :]


@dataclass(frozen=True, slots=True)
class AutoMutant:
    """A mistake in a file of a ruleset.

    Args:
        id: the same as long as the text around it stays, wherever its line moves.
        file: from the package on, with slashes.
        edit: the mistake.
        before: the line as it is, without the space around it.
        after: the line with the mistake.
        clauses: the rules that stand there.
        name: the function, class or table around it.
    """

    id: str
    file: str
    edit: Edit
    before: str
    after: str
    clauses: tuple[str, ...] = ()
    name: str = ""

    @property
    def title(self) -> str:
        """The rules that stand there, or the file and the table."""
        return ", ".join(self.clauses[:4]) or f"no clause, {self.file}{f' [{self.name}]' if self.name else ''}"

    @property
    def what(self) -> str:
        """In a line."""
        return f"{self.file}:{self.edit.line}: {self.edit.what}: {self.before}  ->  {self.after}"


def named(file: str, text: bytes, name: str, edit: Edit, taken: Container[str]) -> AutoMutant:
    """A mutant with its id; `taken` are those that were named before."""
    first = text.rfind(b"\n", 0, edit.start) + 1
    last = text.find(b"\n", edit.end)
    old, new = text[first : last if last >= 0 else None], text[first : edit.start] + edit.new
    new += text[edit.end : last if last >= 0 else None]
    before, after = (" ".join(part.decode("utf-8", "replace").split()) for part in (old, new))
    number = 0
    while True:
        told = hashlib.sha256(f"{file}|{name}|{edit.what}|{before}|{after}|{number}".encode()).hexdigest()
        found = f"{Path(file).stem.strip('_')}-{told[:8]}"
        if found not in taken:
            return AutoMutant(found, file, edit, before, after, (), name)
        number += 1
