"""The staff's part of the kit: its bugs break clauses of all its chapters, and each of its checks catches some of them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter

import hexwar
from hexwar.testing.drills import DrillBook
from hexwar.testing.mutation import planted
from hexwar_tow.kit import KIT
from hexwar_tow.kit.staff_games import STAFF_CHECKS, staged
from hexwar_tow.world import RULES
from tests.tow.planted.staff import MUTANTS

CAUGHT = {
    "chits-are-kept": ("drawn-chits-rest",),
    "literal-chits": ("soviets-hold-chits", "any-chit-reacts", "okh-never-negotiates"),
    "literal-activation": ("no-second-headquarters", "the-second-leads", "always-move-first"),
    "literal-arrivals": ("relocation-of-four", "panzers-cost-one", "any-railway"),
    "literal-crossings": ("crossings-within-three", "one-marker-more"),
    "literal-score": ("cities-score-seven", "relocations-score-the-wrong-way"),
    "staged-turns": ("one-marker-more", "seven-soviet-chits"),
    "drills": ("only-its-own-formation", "kharkiv-may-fall"),
    "pieces-are-conserved": ("moving-heals",),
    "places-follow-visits": ("places-go-to-the-enemy",),
    "hidden-content-does-not-show": ("prompts-tell",),
}
"""Check -> rule bugs that it catches alone, in the quick tier."""


def test_every_mutant_names_a_clause_and_says_what_is_wrong() -> None:
    RULES.require({mutant.id: mutant.clause for mutant in MUTANTS})
    chapters = {mutant.clause.split(".")[0] for mutant in MUTANTS}
    assert chapters == {"2", "3", "4", "7", "11", "12", "13", "14", "PA"}
    assert [id for id, count in Counter(mutant.id for mutant in MUTANTS).items() if count > 1] == []
    assert [what for what, count in Counter(mutant.what for mutant in MUTANTS).items() if count > 1] == []
    assert {name for mutant in MUTANTS for name in mutant.likely} <= {"drills", *(check.id for check in KIT.checks)}


def test_every_mutant_can_be_planted_and_undone() -> None:
    before = hexwar.new_game("tow", "campaign", seed="kit").digest
    for mutant in MUTANTS:
        with planted(mutant):
            pass
    assert hexwar.new_game("tow", "campaign", seed="kit").digest == before


def test_every_check_of_the_staff_catches_something() -> None:
    """In a process of their own, since planted rules must not meet worlds that other tests have made."""
    assert {check.id for check in STAFF_CHECKS} <= set(CAUGHT)
    program = f"""
import json
from hexwar.testing import check_ruleset
from hexwar.testing.mutation import mutants_of, planted
missed, mutants = [], mutants_of("tow", ["tests/tow/planted/all.py"])
for check, names in {CAUGHT!r}.items():
    for name in names:
        with planted(mutants[name]):
            report = check_ruleset("tow", only=[check], scenarios=["training"], first=True)
        if [failure.check for failure in report.failures] != [check]:
            missed.append((check, name))
print(json.dumps(missed))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == []


def test_drills_cite_clauses() -> None:
    book = KIT.capability(DrillBook)
    assert book is not None
    for drill in book.drills:
        for part in (drill, *drill.get("play", ()), *drill.get("case", ())):
            RULES.require({drill["what"]: part.get("clause", drill["clause"])})


def test_a_staged_turn_is_the_same_again_and_another_with_another_key() -> None:
    assert staged("a").digest == staged("a").digest != staged("b").digest
