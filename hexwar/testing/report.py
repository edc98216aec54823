"""What `check_ruleset` found, for people and for programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from hexwar.engine._records import Json
from hexwar.engine._rules import RuleIndex
from hexwar.testing.failures import Failure
from hexwar.testing.rule_coverage import RuleCoverage

Verdict = Literal["passed", "failed", "known", "repaired", "unjudged", "not run"]
"""A known failure that still fails is "known", one that passes is "repaired" and must be taken off the list. A check
is "unjudged" if the ruleset crashed in its games and it found nothing else, and "not run" if no game could begin."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one check went; its seconds are those of all processes together."""

    check: str
    sentence: str
    verdict: Verdict
    failure: Failure | None = None
    reason: str = ""
    seconds: float = field(default=0.0, compare=False)

    @property
    def is_good(self) -> bool:
        """Whether nobody needs to do anything."""
        return self.verdict in ("passed", "known")


@dataclass(frozen=True, slots=True)
class Coverage:
    """Which clauses the games cited, refusals and steps included.

    Args:
        rules: who cited what, in full.
        index: the clauses.
    """

    rules: RuleCoverage
    index: RuleIndex = field(compare=False)

    @property
    def cited(self) -> Mapping[str, int]:
        """Clause -> how often it was cited in any way, in rulebook order."""
        cited = self.rules.cited  # an unknown clause is left to a check
        return {clause: cited[clause] for clause in self.index if clause in cited}

    @property
    def never(self) -> tuple[str, ...]:
        """Clauses that count as implemented and were not cited; optional rules that were off are not counted."""
        return tuple(clause.id for clause in self.rules.never(self.index))

    @property
    def percent(self) -> float:
        """How many of every hundred clauses that could be cited were cited."""
        return self.rules.cited_percent(self.index)

    def lines(self) -> list[str]:
        """The whole for a terminal."""
        return self.rules.cited_lines(self.index)


@dataclass(frozen=True)
class Report:
    """What `check_ruleset` found."""

    ruleset: str
    version: str
    tier: str
    seed: int
    outcomes: tuple[Outcome, ...]
    coverage: Coverage
    games: int = 0
    actions: int = 0
    seconds: float = field(default=0.0, compare=False)
    scenarios: tuple[str, ...] = field(default=())
    notes: tuple[str, ...] = ()
    """What else the reader should know."""
    jobs: int = field(default=1, compare=False)

    @property
    def passed(self) -> bool:
        """Whether every check passed, or fails for a known reason."""
        return all(outcome.is_good for outcome in self.outcomes)

    @property
    def failures(self) -> list[Failure]:
        """What must be repaired."""
        return [outcome.failure for outcome in self.outcomes if outcome.verdict == "failed" and outcome.failure is not None]

    def lines(self, *, slow: bool = False, coverage: bool = False) -> list[str]:
        """For a terminal.

        Args:
            slow: report how long each check took.
            coverage: report every clause.
        """
        where = ", ".join(self.scenarios)
        lines = [f"{self.ruleset} {self.version} ({where}): {self.games} games, {self.actions} actions, {self.seconds:.1f} s"]
        lines += self.notes
        unrun = sum(outcome.verdict == "not run" for outcome in self.outcomes)
        for outcome in self.outcomes:
            if outcome.verdict == "not run":
                continue
            note = f" ({outcome.reason})" if outcome.reason else ""
            if outcome.verdict == "unjudged":
                note = outcome.reason.removeprefix("not judged")
            took = f"{outcome.seconds:7.2f} s  " if slow else ""
            lines.append(f"{outcome.verdict:8} {took}{outcome.check}{note}")
            if outcome.verdict == "failed" and outcome.failure is not None:
                lines += [f"    {line}" for line in outcome.failure.lines()]
        if unrun:
            lines.append(f"not run  {unrun} other checks")
        elif coverage:
            lines += ["", *self.coverage.lines()]
        else:
            never = len(self.coverage.never)
            hint = f"; {never} never, see --coverage" if never else ""
            lines.append(f"{self.coverage.rules.cited_sentence(self.coverage.index)}{hint}")
        unjudged = sum(outcome.verdict == "unjudged" for outcome in self.outcomes)
        bad = sum(not outcome.is_good for outcome in self.outcomes) - unjudged - unrun
        note = f", {unjudged} not judged" if unjudged else f", {unrun} not run" if unrun else ""
        lines.append("passed" if self.passed else f"{bad} of {len(self.outcomes)} checks failed{note}")
        return lines

    def to_json(self) -> dict[str, Json]:
        """For a program."""
        rules = self.coverage.rules
        return {
            "ruleset": self.ruleset,
            "version": self.version,
            "tier": self.tier,
            "seed": self.seed,
            "scenarios": list(self.scenarios),
            "passed": self.passed,
            "games": self.games,
            "actions": self.actions,
            "seconds": round(self.seconds, 2),
            "jobs": self.jobs,
            "notes": list(self.notes),
            "checks": [_outcome_json(outcome) for outcome in self.outcomes],
            "coverage": {
                "percent": round(self.coverage.percent, 2),
                "cited": {clause: rules.citations(clause)._asdict() for clause in self.coverage.cited},
                "never": list(self.coverage.never),
            },
        }


def _outcome_json(outcome: Outcome) -> Json:
    failure = outcome.failure
    data: dict[str, Json] = {"id": outcome.check, "sentence": outcome.sentence, "verdict": outcome.verdict}
    data["seconds"] = round(outcome.seconds, 3)
    if outcome.reason:
        data["reason"] = outcome.reason
    if failure is not None:
        data["message"] = failure.message
        data["clauses"] = list(failure.clauses)
        data["moves"] = [{"seat": seat, "action": action.to_json()} for seat, action in failure.moves]
        data["folder"] = None if failure.folder is None else str(failure.folder)
    return data
