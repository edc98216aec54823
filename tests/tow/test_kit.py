"""The kit of Traces of War: its literal rules, its drills, its staged positions, and the rule bugs that it must catch.

That every bug is caught is for `hexwar mutate tow --planted tests/tow/planted/all.py`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

import pytest

import hexwar
from hexwar.bots import GreedyBot, KeyedChance
from hexwar.engine import Game
from hexwar.mechanics import AttackResolved
from hexwar.testing import SeatAction, Subject, Watch, budget_of, check_named, checks_of, observe, planted
from hexwar.testing.oracles import Combat, Fight, Staging
from hexwar_tow.kit import KIT
from hexwar_tow.kit.rules import TowField
from tests.tow.planted.all import MUTANTS
from tests.tow.table import attacking, field, position

SUBJECT = Subject.of("tow")
CAUGHT = {
    "chits-are-kept": ("drawn-chits-rest", "soviets-hold-chits"),
    "chits-are-used": ("any-chit-reacts", "okh-never-negotiates"),
    "activation-is-right": ("no-second-headquarters", "the-second-leads", "always-move-first"),
    "arrivals-fit": ("relocation-of-four", "any-railway"),
    "markers-are-right": ("isolated-at-once",),
    "crossings-are-right": ("one-marker-more",),
    "verdicts-fit": ("relocations-score-the-wrong-way",),
    "staged-games-agree": ("one-marker-more", "seven-soviet-chits", "friends-shelter-the-beaten"),
    "drills": ("only-its-own-formation", "kharkiv-may-fall"),
    "pieces-are-conserved": ("moving-heals",),
    "places-follow-visits": ("places-go-to-the-enemy",),
    "hidden-content-does-not-show": ("offers-tell",),
}
"""Check -> rule bugs that it catches alone, in the quick tier with one of two seeds."""


def staged(key: str) -> Game:
    """A position of the kit."""
    staging = KIT.capability(Staging)
    assert staging is not None
    return staging.stage(SUBJECT, key)


def fingerprint() -> tuple[object, ...]:
    """Something of everything that the bugs break."""
    game = staged("a")
    start = hexwar.new_game("tow", "campaign", seed="kit").digest
    return start, game.world.content, game.digest, game.legal_actions(game.to_move[0]), repr(game.query.score())


def test_rule_bugs_break_clauses_and_can_be_pulled_out_again() -> None:
    before = fingerprint()
    for mutant in MUTANTS:
        assert mutant.clause in SUBJECT.rules
        assert all(check_named(check, SUBJECT) for check in mutant.likely)
        with planted(mutant):
            pass
    assert fingerprint() == before


def test_rule_bugs_are_of_all_chapters_and_no_two_are_alike() -> None:
    assert {mutant.clause.split(".")[0] for mutant in MUTANTS} >= {*map(str, (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14)), "PA"}
    assert len({mutant.id for mutant in MUTANTS}) == len({mutant.what for mutant in MUTANTS}) == len(MUTANTS) > 200


def test_every_check_catches_something_alone() -> None:
    """In a process of its own, since planted rules must not meet worlds that other tests have made."""
    assert {check.id for check in KIT.checks} <= set(CAUGHT)
    program = f"""
import json
from hexwar.testing import check_ruleset
from hexwar.testing import planted
from hexwar.testing._mutants.mutation import mutants_of
missed, mutants = [], mutants_of("tow", ["tests/testing/planted_generic/all.py", "tests/tow/planted/all.py"])
for check, names in {CAUGHT!r}.items():
    for name in names:
        with planted(mutants[name]):
            reports = [check_ruleset("tow", only=[check], scenarios=["training"], seed=seed, first=True) for seed in (0, 1)]
        if [check] not in [[failure.check for failure in report.failures] for report in reports]:
            missed.append((check, name))
print(json.dumps(missed))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == []


def test_a_staged_position_depends_on_its_key_alone() -> None:
    assert staged("a").digest == staged("a").digest != staged("b").digest


def test_10_2_1_the_literal_odds_halve_hex_by_hex() -> None:
    units = {"ger-57": "0708", "sov-2tk": "0709", "sov-51": "0609"}
    game = position(units, attacking("sov-2tk", "sov-51"), board=field(sides={"minor-river": ["0708|0709"]}))
    combat = KIT.capability(Combat)
    assert combat is not None
    odds = combat.reckon(TowField.of(game.world, game.state), Fight.on("0708", ("sov-2tk", "sov-51")))
    assert (odds.attack, odds.defence, odds.column) == (7, 3, 2)


@pytest.mark.clause("10.2.4", "8.1.11", "12.3.4", "13.3.2", "13.3.3", "13.3.4", "10.3.1")
def test_1_3_2_the_literal_rules_agree_with_games_of_bots_that_like_to_attack() -> None:
    battles = 0
    for seed in (3, 4, 5):
        game: Game = hexwar.new_game("tow", "training", seed=seed, options={"auto-setup": True})
        bot, chance = GreedyBot(2.0), KeyedChance(f"witness {seed}")

        def decide(game: Game) -> Iterator[SeatAction]:
            while game.to_move:
                seat = game.to_move[0]
                yield seat, bot.choose(game.view(seat), chance)  # noqa: B023

        kinds = [kind for kind in checks_of(SUBJECT, "quick") if (issubclass(kind, Watch) and kind.needs) or kind in KIT.checks]
        watches = [kind(SUBJECT, budget_of("quick")) for kind in kinds if issubclass(kind, Watch)]
        assert observe(game, watches, decide(game)) == []
        battles += sum(isinstance(event, AttackResolved) for event in game.events)
    assert battles > 40
