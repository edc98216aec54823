"""The rule index: a ruleset's rulebook as a checked artefact.

Events, steps and refusals cite clause ids; an id that is not in the index is an error. What was cited during a game
or a test run is rule coverage, as code coverage counts lines.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from enum import StrEnum
from typing import Any

from hexwar import cache
from hexwar.engine._records import record
from hexwar.errors import ContentError, UnknownName
from hexwar.files import TextSource, read_text, read_toml


class Status(StrEnum):
    """How far a clause is carried out."""

    IMPLEMENTED = "implemented"
    DIVERGENT = "divergent"
    ABSENT = "absent"


KINDS = ("definition", "data", "constraint", "procedure", "effect", "choice", "example")
"""What a clause can be: the meaning of a word, a number, a ban, a course of action, a consequence, a liberty, an example."""


@record
class Clause:
    """One atomic rule.

    Args:
        id: as the rulebook numbers it.
        title: what it says, in our own words.
        status: how far it is carried out.
        ruling: how an ambiguity was decided, or why the implementation diverges.
        option: the option that switches it on, or "".
        kind: one of `KINDS`, or "" in an index that does not say.
        exempt: why no test can cover it; "" for nearly all.
    """

    id: str
    title: str
    status: Status = Status.IMPLEMENTED
    ruling: str = ""
    option: str = ""
    kind: str = ""
    exempt: str = ""

    @property
    def chapter(self) -> str:
        """The part of the id before the first dot."""
        return self.id.partition(".")[0]

    @property
    def testable(self) -> bool:
        """Whether a test is wanted for it: it is carried out, and nothing exempts it. Its kind plays no part."""
        return self.status is not Status.ABSENT and not self.exempt


class RuleIndex(Mapping[str, Clause]):
    """All clauses of a ruleset by id, in rulebook order."""

    def __init__(self, clauses: Iterable[Clause], source: str = "rule index") -> None:
        self.source = source
        self.ids: dict[str, Clause] = {}
        for clause in clauses:
            if clause.id in self.ids:
                raise ContentError(source, f"clause {clause.id}", "the id is used twice; every clause needs its own")
            self.ids[clause.id] = clause

    @classmethod
    def load(cls, file: TextSource, *, keep: bool = False) -> RuleIndex:
        """Read an index from a TOML file of `[[clause]]` tables.

        Args:
            file: it.
            keep: whether what was found in it is kept for the next process, as long as the file stays the same.
        """
        names = _names(file) if keep else None
        if names and (known := _kept(*names)) is not None:
            return cls(known, file.name)
        data = read_toml(file, file.name)
        unknown = set(data) - {"clause"}
        if unknown:
            raise ContentError(file.name, ", ".join(sorted(unknown)), "unknown key; a rule index has [[clause]] tables only")
        tables = data.get("clause", [])
        if not isinstance(tables, list):
            raise ContentError(file.name, "clause", "must be written as [[clause]] tables")
        index = cls((_clause(file.name, number, table) for number, table in enumerate(tables, 1)), file.name)
        if names:
            cache.keep(*names, [[str(getattr(clause, key)) for key in _KEYS] for clause in index.ids.values()])
        return index

    def __getitem__(self, clause_id: str) -> Clause:
        try:
            return self.ids[clause_id]
        except KeyError:
            raise UnknownName("clause", clause_id, self.ids) from None

    def get(self, clause_id: str, default: Any = None, /) -> Any:
        """A clause, or the default if there is none of this id."""
        return self.ids.get(clause_id, default)

    def __contains__(self, clause_id: object) -> bool:
        return clause_id in self.ids

    def __iter__(self) -> Iterator[str]:
        return iter(self.ids)

    def __len__(self) -> int:
        return len(self.ids)

    def below(self, clause_id: str) -> list[Clause]:
        """A clause, or everything in its chapter.

        Raises:
            UnknownName: there is none.
        """
        found = [it for it in self.ids.values() if it.id == clause_id or it.id.startswith(f"{clause_id}.")]
        return found or [self[clause_id]]

    def extended(self, more: Iterable[Clause]) -> RuleIndex:
        """This index with the clauses of a variant added."""
        return RuleIndex([*self.ids.values(), *more], self.source)

    def require(self, cited: Mapping[str, str]) -> None:
        """Fail if something cites a clause that is not here.

        Args:
            cited: who cites -> the clause id.
        """
        for citing, clause_id in cited.items():
            if clause_id not in self.ids:
                hint = str(UnknownName("clause", clause_id, self.ids))
                raise ContentError(self.source, citing, f"cites a clause that is not in the index: {hint}")


_KEYS = tuple(field.name for field in fields(Clause))


def _names(file: TextSource) -> tuple[str, str]:
    """The name and the key under which an index is kept."""
    return f"rules-{cache.fingerprint(str(file))}", cache.fingerprint(read_text(file), cache.code(sys.modules[__name__]))


def _kept(name: str, key: str) -> list[Clause] | None:
    """The clauses that an earlier process found."""
    found, status = cache.recall(name, key), {str(status): status for status in Status}
    try:
        return [Clause(id, title, status[of], *rest) for id, title, of, *rest in found] if isinstance(found, list) else None
    except (KeyError, TypeError, ValueError):
        return None


def _clause(source: str, number: int, table: object) -> Clause:
    where = f"clause number {number}"
    if not isinstance(table, dict):
        raise ContentError(source, where, "must be a table with id and title")
    where = f"clause {table['id']}" if isinstance(table.get("id"), str) else where
    for key, value in table.items():
        if key not in _KEYS:
            raise ContentError(source, where, f"unknown key {key!r}; known: {', '.join(_KEYS)}")
        if not isinstance(value, str):
            raise ContentError(source, where, f"{key} must be text, not {value!r}")
    if not table.get("id") or not table.get("title"):
        raise ContentError(source, where, "needs an id and a title")
    status = table.pop("status", Status.IMPLEMENTED)
    if status not in list(Status):
        raise ContentError(source, where, f"status {status!r} is not one of {', '.join(Status)}")
    if status == Status.DIVERGENT and not table.get("ruling"):
        raise ContentError(source, where, "is divergent, so it needs a ruling that says how and why")
    if table.get("kind", "") not in ("", *KINDS):
        raise ContentError(source, where, f"kind {table['kind']!r} is not one of {', '.join(KINDS)}")
    return Clause(status=Status(status), **table)


# -- rule coverage --------------------------------------------------------------------------------------------------


class Citing(StrEnum):
    """How a clause is cited."""

    EVENT = "event"
    """Something happened under it."""
    REFUSAL = "refusal"
    """Something was refused because of it."""
    STEP = "step"
    """A seat was asked to decide under it."""


Collector = Callable[[str, str, Citing], None]
"""Called for each citation: ruleset id, clause id and how it is cited."""

collectors: list[Collector] = []
"""The current listeners for citations; usually none."""


@contextmanager
def rule_coverage(ruleset: str) -> Iterator[Counter[str]]:
    """Count every clause of a ruleset that events and refusals cite while the block runs."""
    counted: Counter[str] = Counter()

    def collect(cited_ruleset: str, clause_id: str, how: Citing) -> None:
        if cited_ruleset == ruleset and clause_id and how is not Citing.STEP:
            counted[clause_id] += 1

    collectors.append(collect)
    try:
        yield counted
    finally:
        collectors.remove(collect)
