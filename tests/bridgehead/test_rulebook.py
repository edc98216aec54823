"""The rulebook as a whole: every clause has a test, and the content files fit together."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import hexwar
from hexwar.pieces import load_content
from hexwar_bridgehead.content import BridgeheadScenario
from hexwar_bridgehead.ruleset import RULESET
from hexwar_bridgehead.world import CLAUSES, DATA, RULES
from tests.bridgehead.helpers import field, moving, position

TESTED = [
    f"{chapter}.{number}"
    for file in sorted(Path(__file__).parent.glob("test_*.py"))
    for chapter, number in re.findall(r"^def test_(\d+)_(\d+)_\w+\(", file.read_text(encoding="utf-8"), re.MULTILINE)
]


@pytest.mark.parametrize("clause", list(RULES))
def test_every_clause_has_a_test(clause: str) -> None:
    assert clause in TESTED, f"no test is called test_{clause.replace('.', '_')}_…: {RULES[clause].title}"


def test_every_test_names_a_clause_that_there_is() -> None:
    assert set(TESTED) <= set(RULES)


def test_the_clauses_that_the_mechanics_cite_are_in_the_index() -> None:
    assert set(CLAUSES.values()) <= set(RULES)
    RULESET.check()


def test_the_turn_track_is_as_long_as_the_game() -> None:
    scenario = load_content(DATA / "scenario.toml", BridgeheadScenario)
    assert {side: len(track) for side, track in scenario.chits.items()} == {"blue": scenario.turns, "red": scenario.turns}


def test_the_scenario_names_places_and_areas_of_its_map() -> None:
    scenario = load_content(DATA / "scenario.toml", BridgeheadScenario)
    board = hexwar.load_board("bridgehead/crossing")
    assert set(scenario.home.values()) <= set(board.areas)
    assert sorted(name for names in scenario.holds.values() for name in names) == sorted(place.name for place in board.places)


def test_the_first_position_breaks_no_invariant() -> None:
    game = hexwar.new_game("bridgehead", seed=1)
    assert [invariant.broken(game.position) for invariant in RULESET.invariants] == [None] * len(RULESET.invariants)


def test_a_drowned_unit_breaks_an_invariant() -> None:
    game = position({"b1": "0404", "r1": "0904"}, moving("b1"), board=field(terrain={"0404": "~"}))
    assert [invariant.broken(game.position) for invariant in RULESET.invariants if invariant.clause == "7.2"] == ["b1 in a lake"]
