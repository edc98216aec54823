"""The kit of A Victory Awaits: rule bugs are planted, and each of its checks catches something."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter

import hexwar
from hexwar.plugins import plugins
from hexwar.testing import Subject, check_named, planted, play_at_random
from hexwar.testing._mutants.mutation import mutate
from hexwar_ava.kit import KIT
from hexwar_ava.world import RULES
from tests.ava.planted.all import MUTANTS

CHAPTERS = ("1", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "14", "15", "16", "17", "18", "19", "20", "TEC")
CAUGHT = {
    "staged-games-agree": "seven-off-the-rails",
    "drills": "nobody-leaves-smolensk",
    "places-are-right": "rifles-are-gone",
    "set-up-is-right": "all-cities-are-soviet",
    "set-ups-are-right": "areas-may-stay-empty",
    "turns-are-right": "a-turn-too-few",
    "activation-is-right": "command-range-5",
    "supply-checks-are-right": "built-a-turn-early",
    "reinforcements-are-right": "one-unit-more",
    "deciders-are-right": "attackers-choose-retreats",
    "bot-games-agree": "attackers-choose-losses",
    "content-is-refused": "anybody-may-sit-down",
}
"""Check -> a rule bug that it catches alone, in the quick tier."""


def outcome() -> str:
    """How a game goes, as the rules are now."""
    plugins().worlds.clear()
    game = hexwar.new_game("ava", "training", seed="kit")
    play_at_random(game, random.Random("kit"))
    return game.digest


def test_every_mutant_names_a_clause_and_says_what_is_wrong() -> None:
    assert len(MUTANTS) >= 60
    RULES.require({mutant.id: mutant.clause for mutant in MUTANTS})
    assert {mutant.clause.split(".")[0] for mutant in MUTANTS} == set(CHAPTERS)
    assert [id for id, count in Counter(mutant.id for mutant in MUTANTS).items() if count > 1] == []
    assert [what for what, count in Counter(mutant.what for mutant in MUTANTS).items() if count > 1] == []
    subject = Subject.of("ava")
    assert all(check_named(name, subject) for mutant in MUTANTS for name in mutant.likely)


def test_every_mutant_can_be_planted_and_undone() -> None:
    before = outcome()
    changed = 0
    for mutant in MUTANTS:
        with planted(mutant):
            if mutant.id == "one-chit-more":
                changed += outcome() != before
    assert changed == 1, "a mutant that changes nothing proves nothing"
    assert outcome() == before


def test_every_check_of_the_kit_catches_something() -> None:
    """In a process of their own, since planted rules must not meet worlds that other tests have made."""
    # tests/testing/test_classes.py has a bug for the check that needs many players.
    assert {*CAUGHT, "team-chits-are-kept"} >= {check.id for check in KIT.checks}
    program = f"""
import json
from hexwar.plugins import plugins
from hexwar.testing import check_ruleset
from hexwar.testing import planted
from hexwar.testing._mutants.mutation import mutants_of
missed, mutants = [], mutants_of("ava", ["tests/testing/planted_generic/all.py", "tests/ava/planted/all.py"])
for check, mutant in {CAUGHT!r}.items():
    plugins().worlds.clear()
    with planted(mutants[mutant]):
        report = check_ruleset("ava", only=[check], scenarios=["training"], first=True)
    if [failure.check for failure in report.failures] != [check]:
        missed.append((check, mutant))
print(json.dumps(missed))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == []


def test_mutants_are_caught_by_the_suite() -> None:
    """A few; `hexwar mutate ava` plants all of them."""
    some = ["mountains-are-open", "19a-comes-anywhere", "reserves-of-six", "too-many-masters"]
    report = mutate("ava", only=some, files=["tests/ava/planted/all.py"], jobs=1)
    assert [trial.mutant for trial in report.survivors] == []
    assert {trial.caught_by for trial in report.trials} == {"staged-games-agree", "drills"}
