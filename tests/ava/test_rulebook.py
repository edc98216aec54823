"""The index of the rulebook, the card, and whether every clause has a test."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

import hexwar
from hexwar.cli import main
from hexwar.engine import Status
from hexwar.engine._rules import KINDS
from hexwar_ava.ruleset import RULESET
from hexwar_ava.turn import SEQUENCE
from hexwar_ava.world import RULES
from tests.ava.helpers import content
from tests.rulebooks import named_in

SECTIONS = """
1.0 1  1.1 1  1.2 1  2.0 1  2.1 10  2.2 18  3.1 4  3.2 7  3.3 14  3.4 3  4.0 18  5.0 8  6.1 3  6.2 6  6.3 3  7.0 1  7.1 3  7.2 1
7.3 5  8.1 4  8.2 6  8.3 2  9.0 1  9.1 4  9.2 17  9.3 6  10.0 2  10.1 6  10.2 3  10.3 13  10.4 5  10.5 4  10.6 15  10.7 12  10.8 4
11.0 1  11.1 3  11.2 3  11.3 1  12.0 1  12.1 6  12.2 2  12.3 2  13.0 4  14.0 1  14.1 6  14.2 7  14.3 2  15.1 4  15.2 1  15.3 3
15.4 3  16.1 4  16.2 3  16.3 2  16.4 2  17.1 1  17.2 6  17.3 2  17.4 1  17.5 1  17.6 2  18.0 1  18.1 15  18.2 10  18.3 6  19.1 2
19.2 6  19.3 1  19.4 6  19.5 2  20.0 1  20.1 2  20.2 13  TEC 14
"""
OPTIONS = ["auto-setup", "full-turns", "reinforcements-always", "many-players", "controller"]


def expected_ids() -> list[str]:
    words = SECTIONS.split()
    return [f"{section}.{n}" for section, count in zip(words[::2], words[1::2], strict=True) for n in range(1, int(count) + 1)]


def test_all_365_clauses_are_there_in_order() -> None:
    assert len(RULES) == 365
    assert list(RULES) == expected_ids()


def test_titles_are_short_and_all_different() -> None:
    titles = [clause.title for clause in RULES.values()]
    assert max(map(len, titles)) <= 140
    assert max(len(clause.ruling) for clause in RULES.values()) <= 140
    assert [title for title, count in Counter(titles).items() if count > 1] == []


def test_every_clause_is_of_a_kind() -> None:
    counted = Counter(clause.kind for clause in RULES.values())
    assert dict(counted) == dict(zip(KINDS, (27, 45, 109, 62, 91, 25, 6), strict=True))


def test_nothing_is_absent() -> None:
    assert [clause.id for clause in RULES.values() if clause.status is Status.ABSENT] == []


def test_divergences_are_listed_here() -> None:
    assert [clause.id for clause in RULES.values() if clause.status is Status.DIVERGENT] == []


def test_doubts_are_decided() -> None:
    assert sum(bool(clause.ruling) for clause in RULES.values()) == 130


def test_content_cites_clauses_that_there_are() -> None:
    cited = {
        f"scenario {scenario.id} {clause}": clause for scenario in content().scenarios.values() for clause in scenario.clauses
    }
    cited |= {f"arrival {arrival.formation}": arrival.clause for arrival in content().track.arrival}
    RULES.require(cited)


# -- every clause has a test ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def named() -> dict[str, list[str]]:
    return named_in(Path(__file__).parent, RULES)


def test_every_clause_that_can_have_a_test_has_one(named: dict[str, list[str]]) -> None:
    missing = [clause.id for clause in RULES.values() if clause.testable and clause.id not in named]
    assert not missing, f"{len(missing)} clauses have no test: {' '.join(missing)}"


def test_tests_name_clauses_that_there_are(named: dict[str, list[str]]) -> None:
    assert {clause: tests for clause, tests in named.items() if clause not in RULES} == {}


def test_few_clauses_are_exempt_and_each_says_why() -> None:
    assert [clause.id for clause in RULES.values() if clause.exempt] == ["2.2.10"]


# -- the ruleset and its card -----------------------------------------------------------------------------------------------


def test_the_ruleset_is_sound() -> None:
    RULESET.check()
    outline = SEQUENCE.outline()
    surprise = "Surprise attack [15.1.1], if no master cup delays it"
    assert outline[:3] == ["Set-up [4.0.2]", surprise, "Turn [5.0.1], repeated while turns remain"]
    assert "  Chits [5.0.6], repeated while chits remain" in outline


def test_the_card() -> None:
    card = hexwar.rulesets()["ava"]
    assert card.sides == ("axis", "soviet")
    assert [option.id for option in card.options] == OPTIONS
    RULES.require({option.id: option.clause for option in card.options})
    assert "Tetsuya Nakamura" in card.credits
    assert "not included" in card.credits


def test_the_command_line_shows_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "ava"]) == 0
    assert "Rules: 365 implemented" in capsys.readouterr().out
    assert main(["rules", "ava", "TEC.8", "--json"]) == 0
    assert [clause["status"] for clause in json.loads(capsys.readouterr().out)["clauses"]] == ["implemented"]


def test_every_file_says_where_it_comes_from() -> None:
    assert len(content().provenance) >= 8
    for file, notes in content().provenance.items():
        assert notes, file
        assert notes.keys() <= {"fact", "found", "derived", "reconstructed"}, file
    assert "order of battle" in content().provenance["units.toml"]["reconstructed"]
    assert "sister game" in content().provenance["combat.toml"]["found"]
