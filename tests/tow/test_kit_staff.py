"""The checks of the staff can fail: each catches bugs that are planted in what it looks after."""

from __future__ import annotations

import pytest

from hexwar.testing.check import check_ruleset
from hexwar.testing.mutation import mutants_of, planted

CAUGHT = {
    "chits-are-kept": ("drawn-chits-rest",),
    "literal-chits": ("soviets-hold-chits", "any-chit-reacts", "okh-never-negotiates"),
    "literal-activation": ("no-second-headquarters", "the-second-leads", "always-move-first"),
    "literal-arrivals": ("relocation-of-four", "panzers-cost-one", "any-railway"),
    "literal-crossings": ("crossings-within-three", "one-marker-more"),
    "literal-score": ("cities-score-seven", "relocations-score-the-wrong-way"),
    "staged-turns": ("one-marker-more", "seven-soviet-chits"),
    "staff-drills": ("only-its-own-formation", "kharkiv-may-fall"),
    "pieces-are-conserved": ("moving-heals",),
    "hidden-content-does-not-show": ("prompts-tell",),
}


@pytest.mark.parametrize(("check", "mutant"), [(check, mutant) for check, mutants in CAUGHT.items() for mutant in mutants])
def test_a_planted_bug_is_caught(check: str, mutant: str) -> None:
    with planted(mutants_of("tow")[mutant]):
        report = check_ruleset("tow", "quick", only=[check], first=True)
    assert [failure.check for failure in report.failures] == [check]
