"""The conformance suite: a class of pytest tests for a ruleset, made in one line.

    TestBridgehead = conformance_suite("bridgehead")

A Hypothesis-controlled random drives decisions and dice; shrinking is our own. The functions are made anew for each suite,
because Hypothesis refuses tests that several classes inherit.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hexwar.engine import Ruleset
from hexwar.testing.checks import CHECKS, check_named, checks_of
from hexwar.testing.failures import Failure, failure_of, settle_fault, write_plain
from hexwar.testing.subject import Subject
from hexwar.testing.watch import Budget, CheckFailed, Dice, Survey, Watch, budget_of, observe, random_decisions

CONTROLLED = 2_000
"""So many random numbers of a game come from Hypothesis, which gives up on examples that take many more."""


class ControlledChance:
    """Random numbers from Hypothesis as long as it likes, then from a plain generator that it has seeded."""

    def __init__(self, source: random.Random) -> None:
        self._source = source
        self._left = CONTROLLED
        self._rest = random.Random(source.getrandbits(32))

    def randrange(self, stop: int, /) -> int:
        """A whole number from 0 up to but not including `stop`."""
        if stop == 1:
            return 0
        self._left -= 1
        return (self._source if self._left > 0 else self._rest).randrange(stop)


def conformance_suite(
    ruleset: str | Ruleset[Any, Any],
    *,
    known_failures: Mapping[str, str] | None = None,
    tier: str | None = None,
    scenarios: Sequence[str] | None = None,
    options: Mapping[str, bool | str] | None = None,
    report_dir: str | os.PathLike[str] | None = None,
) -> type:
    """A class of tests that hold a ruleset to what every ruleset promises.

    Args:
        ruleset: the id of an installed ruleset, or the object of one.
        known_failures: check id -> why it fails and will be repaired; a known failure that passes is an error.
        tier: "quick", "ci" or "nightly"; HEXWAR_TIER if not given, otherwise quick.
        scenarios: the ones to play; only the first in the quick tier and all in the others if not given.
        options: optional rules that are on in every game.
        report_dir: where failures are written; `.hexwar/failures` if not given.
    """
    import pytest

    budget = budget_of(tier or os.environ.get("HEXWAR_TIER", "quick"))
    subjects = choose_subjects(ruleset, scenarios, options, budget)
    known = {check_named(name).id: reason for name, reason in (known_failures or {}).items()}
    name = f"Test{subjects[0].info.id.title()}"
    tests: dict[str, Any] = {"__doc__": f"Conformance of {subjects[0].info.title}.", "__module__": __name__}
    watches, surveys = checks_of(budget.tier)
    for kind in CHECKS.values():
        if kind not in watches and kind not in surveys:
            continue
        if issubclass(kind, Watch):
            test = _watch_test(kind, subjects, budget, report_dir, is_known=kind.id in known)
        else:
            assert issubclass(kind, Survey)
            test = _survey_test(kind, subjects, budget, report_dir, is_known=kind.id in known)
        test.__name__ = "test_" + kind.id.replace("-", "_")
        test.__qualname__ = f"{name}.{test.__name__}"
        test.__doc__ = kind.sentence
        if issubclass(kind, Watch):
            test = _driven(test, budget)
        if kind.id in known:
            test = pytest.mark.xfail(reason=known[kind.id], strict=True, raises=CheckFailed)(test)
        tests[test.__name__] = test
    return type(name, (), tests)


def choose_subjects(
    ruleset: str | Ruleset[Any, Any],
    scenarios: Sequence[str] | None,
    options: Mapping[str, bool | str] | None,
    budget: Budget,
) -> list[Subject]:
    """What is played: the named scenarios, or as many as the tier has time for."""
    subject = Subject.of(ruleset, None, options)
    if scenarios is None:
        every = [scenario.id for scenario in subject.info.scenarios]
        scenarios = every[:1] if budget.tier == "quick" else every
    return subject.among(scenarios)


def _driven(test: Callable[..., None], budget: Budget) -> Callable[..., None]:
    """The test, driven by Hypothesis without its shrinking."""
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import strategies as st

    driven = given(chance=st.randoms(use_true_random=False))(test)
    return settings(
        max_examples=budget.examples,
        deadline=None,
        phases=(Phase.explicit, Phase.reuse, Phase.generate),
        report_multiple_bugs=False,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
    )(driven)


def _watch_test(
    kind: type[Watch], subjects: Sequence[Subject], budget: Budget, report_dir: str | os.PathLike[str] | None, *, is_known: bool
) -> Callable[..., None]:
    told: dict[str, Failure] = {}

    def test(self: Any, chance: random.Random) -> None:
        source = ControlledChance(chance)
        subject = subjects[source.randrange(len(subjects))]
        dice = Dice(source)
        game = subject.start(dice)
        watch = kind(subject, budget)
        for fault in observe(game, [watch], random_decisions(source, subject.bound)):
            # Hypothesis runs a failing example again; its report is written once.
            key = repr(fault.moves)
            if key not in told:
                told[key] = settle_fault(subject, game, fault, budget, report_dir, rolled=dice.rolled, write=not is_known)
            raise _failed(told[key]) from fault.error

    return test


def _survey_test(
    kind: type[Survey], subjects: Sequence[Subject], budget: Budget, report_dir: str | os.PathLike[str] | None, *, is_known: bool
) -> Callable[..., None]:
    def test(self: Any) -> None:
        for subject in subjects:
            try:
                kind(subject, budget).run(seed=0)
            except CheckFailed as error:
                failure = failure_of(error)
                raise _failed(failure if is_known else write_plain(failure, subject, report_dir)) from error

    return test


def _failed(failure: Failure) -> CheckFailed:
    text = "\n".join([failure.message, *failure.lines()[1:], *([failure.picture] if failure.picture else [])])
    return CheckFailed(failure.check, text)
