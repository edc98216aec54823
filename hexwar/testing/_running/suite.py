"""The conformance suite: a class of pytest tests for a ruleset, made in one line.

    TestBridgehead = conformance_suite("bridgehead")

Chance that Hypothesis controls drives decisions and dice; shrinking is our own. The functions are made anew for each suite,
because Hypothesis refuses tests that several classes inherit.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hexwar.engine import RandomSource, Ruleset, settle_options
from hexwar.errors import HexwarError
from hexwar.testing._checks import check_named, checks_of
from hexwar.testing._reports.failures import Failure, failure_of, settle_fault, settle_staged
from hexwar.testing._reports.folders import write_plain
from hexwar.testing._running.kit import Capability
from hexwar.testing._running.subject import Subject
from hexwar.testing._running.watch import (
    LONG,
    Budget,
    Check,
    CheckFailed,
    NotJudged,
    Survey,
    Watch,
    begin,
    budget_of,
    complaint,
    looks_at,
    observe,
    random_decisions,
)
from hexwar.testing._staging.combinations import settings
from hexwar.testing._staging.dice import Dice
from hexwar.testing._staging.random_play import SeatAction

SETTINGS = 4
"""With this many combinations of options and seats each scenario is played."""
CONTROLLED = 4_000
"""This many bytes of chance of a game come from Hypothesis, two for a number; further numbers follow from them."""


def conformance_suite(
    ruleset: str | Ruleset,
    *,
    known_failures: Mapping[str, str] | None = None,
    tier: str | None = None,
    scenarios: Sequence[str] | None = None,
    options: Mapping[str, bool | str] | None = None,
    report_dir: str | os.PathLike[str] | None = None,
    capabilities: Sequence[Capability] = (),
    checks: Sequence[type[Check]] = (),
) -> type:
    """A class of tests that hold a ruleset to what every ruleset promises.

    Args:
        ruleset: the id of an installed ruleset, or the object of one.
        known_failures: check id -> why it fails and will be repaired; a known failure that passes is an error.
        tier: "quick", "ci" or "nightly"; HEXWAR_TIER if not given, otherwise quick.
        scenarios: the ones to play; those that the ruleset's kit names for the tier if not given. Those of HEXWAR_SCENARIOS that
            the ruleset has take their place.
        options: optional rules that are on in every game.
        report_dir: where failures are written; HEXWAR_FAILURES if not given, otherwise `.hexwar/failures`.
        capabilities: what the ruleset has, besides what its own kit says; switches on the checks that need it.
        checks: further checks, besides those of the ruleset's own kit.

    The seed of surveys is 0, or HEXWAR_SEED, with which Hypothesis then begins as well. `hexwar.testing.pytest_plugin` has
    options that set these variables.
    """
    import pytest

    budget = budget_of(tier or os.environ.get("HEXWAR_TIER", "quick"))
    subjects = choose_subjects(ruleset, scenarios, options, budget, capabilities, checks)
    subjects = _asked_for(subjects, os.environ.get("HEXWAR_SCENARIOS", ""))
    seed = _seed(os.environ.get("HEXWAR_SEED"))
    known = known_of(subjects[0], known_failures)
    name = f"Test{subjects[0].info.id.title()}"
    tests: dict[str, Any] = {"__doc__": f"Conformance of {subjects[0].info.title}.", "__module__": __name__}
    for kind in checks_of(subjects[0], budget.tier):
        if issubclass(kind, Watch):
            test = _watch_test(kind, subjects, budget, report_dir, known)
        else:
            assert issubclass(kind, Survey)
            test = _survey_test(kind, subjects, budget, report_dir, known, seed or 0)
        test.__name__ = "test_" + kind.id.replace("-", "_")
        test.__qualname__ = f"{name}.{test.__name__}"
        test.__doc__ = kind.sentence
        if issubclass(kind, Watch):
            test = _driven(test, budget, seed)
        if kind.id in known:
            test = pytest.mark.xfail(reason=known[kind.id], strict=True, raises=CheckFailed)(test)
        tests[test.__name__] = test
    return type(name, (), tests)


def choose_subjects(
    ruleset: str | Ruleset,
    scenarios: Sequence[str] | None,
    options: Mapping[str, bool | str] | None,
    budget: Budget,
    capabilities: Sequence[Capability] = (),
    checks: Sequence[type[Check]] = (),
) -> list[Subject]:
    """What is played: the named scenarios, or as many as the tier has time for.

    Raises:
        HexwarError: there is no such scenario or option, or they do not go together.
    """
    subject = Subject.of(ruleset, None, options)
    subject = replace(subject, kit=subject.kit.extended(capabilities, checks))
    subjects = subject.among(tuple(dict.fromkeys(subject.played(budget.tier) if scenarios is None else scenarios)))
    for one in subjects:
        settle_options(one.options, one.every_option, one.scenario)
    return subjects


def known_of(subject: Subject, known_failures: Mapping[str, str] | None) -> dict[str, str]:
    """Check id -> why it is known to fail: what the ruleset's kit says, and what is said here."""
    named = {**subject.kit.known_failures, **(known_failures or {})}
    return {check_named(name, subject).id: reason for name, reason in named.items()}


def _asked_for(subjects: list[Subject], names: str) -> list[Subject]:
    """The scenarios that are asked for, if the ruleset has any of them."""
    known = {scenario.id for scenario in subjects[0].info.scenarios}
    asked = [name for name in names.split(",") if name in known]
    return subjects[0].among(asked) if asked else subjects


def _seed(text: str | None) -> int | None:
    try:
        return None if text is None else int(text)
    except ValueError:
        raise HexwarError(f"HEXWAR_SEED is {text!r}; it must be a whole number") from None


def _driven(test: Callable[..., None], budget: Budget, seed: int | None) -> Callable[..., None]:
    """The test, driven by Hypothesis without its shrinking."""
    import hypothesis
    from hypothesis import HealthCheck, Phase, given, settings

    from hexwar.testing.strategies import chances

    driven = given(chance=chances(CONTROLLED))(test)
    if seed is not None:
        driven = hypothesis.seed(seed)(driven)
    return settings(
        max_examples=budget.examples,
        deadline=None,
        phases=(Phase.explicit, Phase.reuse, Phase.generate),
        report_multiple_bugs=False,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
    )(driven)


def _watch_test(
    kind: type[Watch],
    subjects: Sequence[Subject],
    budget: Budget,
    report_dir: str | os.PathLike[str] | None,
    known: Container[str],
) -> Callable[..., None]:
    told: dict[tuple[SeatAction, ...], Failure] = {}
    played: list[Subject] = []

    def test(self: Any, chance: RandomSource) -> None:
        if not played:
            played.extend(settings(subjects[0], [one.scenario for one in subjects for _ in range(SETTINGS)], 0))
        subject = played[chance.randrange(len(played))]
        dice = Dice(chance)
        try:
            game = begin(subject, dice)
        except CheckFailed as error:
            raise _failed(failure_of(error, subject), NotJudged(kind.id, error)) from error
        if not kind.can_follow(game):
            return
        watch = kind(subject, budget)
        within = looks_at(subject, budget, str(chance.randrange(1000))) if subject.bound > LONG else None
        for found in observe(game, [watch], random_decisions(game, chance, subject.bound), within=within):
            # What another check should report is settled as that check's fault: it may not have come to this game.
            fault = found.settled
            if found.error.crash and fault.error.check in known:
                return
            # Hypothesis runs a failing example again; its report is written once.
            if fault.moves not in told:
                write = kind.id not in known
                told[fault.moves] = settle_fault(subject, game, fault, budget, report_dir, rolled=dice.rolled, write=write)
            failure = told[fault.moves]
            raise _failed(failure, found.error if found.error.crash else None) from found.error

    return test


def _survey_test(
    kind: type[Survey],
    subjects: Sequence[Subject],
    budget: Budget,
    report_dir: str | os.PathLike[str] | None,
    known: Container[str],
    seed: int,
) -> Callable[..., None]:
    def test(self: Any) -> None:
        for subject in subjects[:1] if kind.once else subjects:
            check = kind(subject, budget)
            error = complaint(check, check.run, seed)
            if error is not None and error.staged is not None and (error.crash or error).check not in known:
                failure = settle_staged(error, budget, report_dir)
                raise _failed(failure, error if error.crash else None) from error
            if isinstance(error, NotJudged):
                if error.crash.check not in known:
                    raise _failed(failure_of(error.crash, subject), error) from error
            elif error is not None:
                failure = failure_of(error, subject)
                raise _failed(failure if kind.id in known else write_plain(failure, subject, report_dir)) from error

    return test


def _failed(failure: Failure, unjudged: CheckFailed | None = None) -> CheckFailed:
    """What pytest shows: the failure, or that a check could not judge because of it."""
    lines = [failure.message, *failure.lines()[1:], *([failure.picture] if failure.picture else [])]
    error = CheckFailed(failure.check, "\n".join(lines))
    if unjudged is not None:
        error = CheckFailed(unjudged.check, "\n".join([unjudged.message, *failure.lines()]))
    error.folder = failure.folder
    return error
