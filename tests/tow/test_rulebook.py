"""The index of the rulebook, the card, and whether every clause has a test."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import hexwar
from hexwar.cli import main
from hexwar.engine import Status
from hexwar.engine._rules import KINDS
from hexwar_tow.ruleset import RULESET
from hexwar_tow.turn import SEQUENCE
from hexwar_tow.world import RULES
from tests.rulebooks import named_in
from tests.tow.table import CONTENT


@pytest.fixture(scope="module")
def named() -> dict[str, list[str]]:
    return named_in(Path(__file__).parent, RULES)


def test_all_289_clauses_are_there() -> None:
    assert len(RULES) == 289
    assert {clause.kind for clause in RULES.values()} == set(KINDS)
    titles = Counter(clause.title for clause in RULES.values())
    assert [title for title, count in titles.items() if count > 1] == []


def test_nothing_is_absent_and_divergences_are_listed_here() -> None:
    assert [clause.id for clause in RULES.values() if clause.status is not Status.IMPLEMENTED] == []


def test_every_clause_that_can_have_a_test_has_one(named: dict[str, list[str]]) -> None:
    missing = [clause.id for clause in RULES.values() if clause.testable and clause.id not in named]
    assert not missing, f"{len(missing)} clauses have no test: {' '.join(missing)}"


def test_tests_name_clauses_that_there_are(named: dict[str, list[str]]) -> None:
    assert {clause: tests for clause, tests in named.items() if clause not in RULES} == {}


def test_few_clauses_are_exempt_and_each_says_why() -> None:
    assert [clause.id for clause in RULES.values() if clause.exempt] == ["2.7.1", "15.0.1"]


def test_the_ruleset_is_sound() -> None:
    RULESET.check()
    outline = SEQUENCE.outline()
    assert outline[:3] == ["Set-up [3.0.7]", "Turn [4.0.1], repeated while turns remain", "  Luftwaffe [4.1.1]"]
    assert "    Movement after combat [9.0.1], if active units move last" in outline


def test_the_card() -> None:
    card = hexwar.rulesets()["tow"]
    assert [scenario.id for scenario in card.scenarios] == ["race", "campaign", "training"]
    RULES.require({option.id: option.clause for option in card.options})
    assert "Tetsuya Nakamura" in card.credits
    assert "not included" in card.credits


def test_the_command_line_shows_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "tow"]) == 0
    assert "Rules: 289 implemented" in capsys.readouterr().out


def test_every_file_says_where_it_comes_from() -> None:
    assert all(of_file.get("fact") for of_file in CONTENT.provenance.values())
    assert "reconstructed" in CONTENT.provenance["units.toml"]


def test_the_ruleset_says_where_its_content_comes_from() -> None:
    assert RULESET.provenance() == CONTENT.provenance
