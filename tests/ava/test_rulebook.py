"""The index of the rulebook, the card and what the ruleset cannot do yet."""

from __future__ import annotations

import json
from collections import Counter

import pytest

import hexwar
from hexwar.cli import main
from hexwar.engine import Status
from hexwar.errors import HexwarError
from hexwar_ava import INFO
from hexwar_ava.ruleset import RULES, RULESET, SEQUENCE
from tests.ava.helpers import content

SECTIONS = """
1.0 1  1.1 1  1.2 1  2.0 1  2.1 10  2.2 18  3.1 4  3.2 7  3.3 14  3.4 3  4.0 18  5.0 8  6.1 3  6.2 6  6.3 3  7.0 1  7.1 3  7.2 1
7.3 5  8.1 4  8.2 6  8.3 2  9.0 1  9.1 4  9.2 17  9.3 6  10.0 2  10.1 6  10.2 3  10.3 13  10.4 5  10.5 4  10.6 15  10.7 12  10.8 4
11.0 1  11.1 3  11.2 3  11.3 1  12.0 1  12.1 6  12.2 2  12.3 2  13.0 4  14.0 1  14.1 6  14.2 7  14.3 2  15.1 4  15.2 1  15.3 3
15.4 3  16.1 4  16.2 3  16.3 2  16.4 2  17.1 1  17.2 6  17.3 2  17.4 1  17.5 1  17.6 2  18.0 1  18.1 15  18.2 10  18.3 6  19.1 2
19.2 6  19.3 1  19.4 6  19.5 2  20.0 1  20.1 2  20.2 13  TEC 14
"""
# Data and definitions that the content files or the maps have. A clause joins them when play carries it out.
PRESENT = """
1.1.1  2.1.2 2.1.3 2.1.4 2.1.6 2.1.8 2.1.9 2.1.10  2.2.1 2.2.2 2.2.3 2.2.4 2.2.6 2.2.7 2.2.8 2.2.9 2.2.11 2.2.12 2.2.14 2.2.15
2.2.16 2.2.18  3.4.1  4.0.14 4.0.15  6.2.4  10.3.8 10.4.5  16.2.2  18.1.2 18.1.3 18.2.2 18.2.3 18.2.10 18.3.2 18.3.3
TEC.1 TEC.2 TEC.3 TEC.4 TEC.5 TEC.6 TEC.8 TEC.11 TEC.12 TEC.13 TEC.14
"""


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


def test_what_counts_as_present_is_listed_here() -> None:
    assert [clause.id for clause in RULES.values() if clause.status is Status.IMPLEMENTED] == PRESENT.split()
    assert {clause.status for clause in RULES.values()} == {Status.IMPLEMENTED, Status.ABSENT}


def test_doubts_are_decided() -> None:
    assert sum(bool(clause.ruling) for clause in RULES.values()) == 107


def test_content_cites_clauses_that_there_are() -> None:
    cited = {
        f"scenario {scenario.id} {clause}": clause for scenario in content().scenarios.values() for clause in scenario.clauses
    }
    cited |= {f"arrival {arrival.formation}": arrival.clause for arrival in content().track.arrival}
    RULES.require(cited)


def test_the_ruleset_is_sound() -> None:
    RULESET.check()
    assert SEQUENCE.outline()[0] == "Set-up [4.0.2]"
    assert "    Chits [5.0.6], repeated while chits remain" not in SEQUENCE.outline()
    assert "  Chits [5.0.6], repeated while chits remain" in SEQUENCE.outline()


@pytest.mark.parametrize("scenario", [scenario.id for scenario in INFO.scenarios])
def test_a_game_cannot_be_started_and_says_why(scenario: str) -> None:
    with pytest.raises(
        HexwarError, match="cannot be played yet: its maps, counters, charts and rule index are there, but set-up"
    ):
        hexwar.new_game("ava", scenario=scenario)


def test_nothing_pretends_to_play() -> None:
    for _, node in SEQUENCE.walk():
        does = getattr(node, "enter", None) or node.repeat_while  # type: ignore[union-attr]
        with pytest.raises(HexwarError, match="cannot be played yet"):
            does(None)  # type: ignore[arg-type]
    with pytest.raises(HexwarError, match="cannot be played yet"):
        RULESET.start(None)  # type: ignore[arg-type]


def test_the_card() -> None:
    card = hexwar.rulesets()["ava"]
    assert (card.maturity, card.sides, card.options) == ("stub", ("axis", "soviet"), ())
    assert "Cannot be played yet" in card.summary
    assert "Tetsuya Nakamura" in card.credits
    assert "not included" in card.credits


def test_the_command_line_shows_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "ava"]) == 0
    assert "Rules: 47 implemented, 318 absent" in capsys.readouterr().out
    assert main(["rules", "ava", "TEC.8", "--json"]) == 0
    assert [clause["status"] for clause in json.loads(capsys.readouterr().out)["clauses"]] == ["implemented"]
    assert main(["play", "ava", "--bots"]) != 0
    assert "cannot be played yet" in capsys.readouterr().err


def test_every_file_says_where_it_comes_from() -> None:
    assert len(content().provenance) == 8
    for file, notes in content().provenance.items():
        assert notes, file
        assert notes.keys() <= {"fact", "found", "derived", "reconstructed"}, file
    assert "order of battle" in content().provenance["units.toml"]["reconstructed"]
    assert "sister game" in content().provenance["combat.toml"]["found"]
