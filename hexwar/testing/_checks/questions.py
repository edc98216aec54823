"""The check that players are asked what the sequence of play declares, when its condition holds, and at no other time."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hexwar.engine import Action, PhaseEntered, Step
from hexwar.errors import HexwarError
from hexwar.files import TextSource
from hexwar.testing._checks.flow import StepsAlone
from hexwar.testing._checks.following import Following
from hexwar.testing._running.kit import Capability
from hexwar.testing._running.subject import Subject
from hexwar.testing._running.watch import Budget
from hexwar.testing.oracles import Entry, Field

LAST = 99
"""No game has more turns."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to a seat.

    Args:
        clause: the rule.
        asks: the kind of the step that asks.
        phases: those in which it may come up.
        side: who is asked, "" where that is not the step's business.
        turns: the first and the last one.
        scenarios: in which, all if not said.
        options: those that must have these values.
        when: what must be so on the table as the phase begins, by the names that the kit or the books have for it.
        then: what must be so as the phase ends, for what only shows in it, such as the chit that is drawn.
        must: whether a seat decides about it in each such phase, and not only perhaps.
        idle: why the step may pass without a decision all the same; "" if it may not.
        perhaps: why the table alone cannot tell whether a seat must decide, or what tells it instead.

    Raises:
        HexwarError: the row says neither that a seat must decide nor why not.
    """

    clause: str
    asks: str
    phases: tuple[str, ...]
    side: str = ""
    turns: tuple[int, ...] = (0, LAST)
    scenarios: tuple[str, ...] = ()
    options: Mapping[str, bool | str] = field(default_factory=dict)
    when: Mapping[str, Any] = field(default_factory=dict)
    then: Mapping[str, Any] = field(default_factory=dict)
    must: bool = False
    idle: str = ""
    perhaps: str = ""

    def __post_init__(self) -> None:
        if self.must == bool(self.perhaps):
            raise HexwarError(f"{self.clause}: the row of {self.asks} needs either `must` or, in `perhaps`, why not")

    def fits(self, table: Field) -> bool:
        """Whether this is the time for it, whatever lies on the table."""
        setup = table.world.setup
        return (
            table.phase in self.phases
            and self.turns[0] <= table.turn <= self.turns[-1]
            and (not self.scenarios or setup.scenario in self.scenarios)
            and all(setup.options.get(name) == value for name, value in self.options.items())
        )


class Questions(Capability):
    """A ruleset says who is asked what and when.

    Args:
        file: the table; a kind of question that it does not name may come up at any time.
        conditions: name -> what is so on a table, for conditions of which the books have none of the name.
    """

    def __init__(self, file: TextSource, conditions: Mapping[str, Callable[[Any], Any]] | None = None) -> None:
        self.rows = [Asked(**row) for row in tomllib.loads(file.read_text(encoding="utf-8"))["asked"]]
        self._conditions = dict(conditions or {})

    def holds(self, table: Field, wanted: Mapping[str, Any]) -> bool:
        """Whether all this is so on a table."""
        told = (
            (self._conditions[name](table) if name in self._conditions else getattr(table, name), due)
            for name, due in wanted.items()
        )
        return all(found == due for found, due in told)


class QuestionsAreAsked(Following):
    """Whoever must be asked something in a phase, by the ruleset's table of questions, is asked there and nowhere else."""

    needs = Questions

    def __init__(self, subject: Subject, budget: Budget) -> None:
        super().__init__(subject, budget)
        self._questions = self.rule(Questions)
        self._due: list[Asked] = []
        self._steps = StepsAlone()

    def judge(self, entry: Entry) -> None:
        """A step begins or ends; a phase ends, and another begins."""
        event = entry.event
        self._steps.take(event)
        if not isinstance(event, PhaseEntered):
            return
        for row in self._due:
            if self._questions.holds(entry.before, row.then):
                where = f"turn {entry.before.turn}, {entry.before.phase}"
                raise self.fail(f"{where}: nobody was asked about {row.asks} ({row.clause})")
        table = entry.after
        self._due = [
            row for row in self._questions.rows if row.must and row.fits(table) and self._questions.holds(table, row.when)
        ]

    def pushed(self, step: Step, field: Field) -> None:
        """A seat is going to be asked."""
        rows = [row for row in self._questions.rows if row.asks == step.kind]
        side = field.world.seats.get(getattr(step, "seat", ""), "")
        right = [row for row in rows if row.fits(field) and row.side in ("", side)]
        if rows and not right:
            clauses = ", ".join(row.clause for row in rows)
            raise self.fail(
                f"turn {field.turn}: {step!r} comes up in {field.phase or 'no phase'}, where it is not due ({clauses})"
            )
        self._due = [row for row in self._due if not (row.idle and row in right)]

    def decided(self, seat: str, action: Action, field: Field) -> None:
        """A seat was asked."""
        kind, side = self._steps.stack[-1].kind, field.world.seats[seat]
        self._due = [row for row in self._due if row.asks != kind or row.side not in ("", side)]

    def waits(self, step: Step, field: Field) -> None:
        """A game that begins in the middle of things has been asked already."""
        self._steps.stack.append(step)
