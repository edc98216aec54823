"""What the index says, and what the content holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import hexwar
from hexwar.engine import Game, Status
from hexwar.errors import ContentError
from hexwar_wb95.content import DATA, half, halves, load_wb95
from hexwar_wb95.kit import DRILLS
from hexwar_wb95.world import CLAUSES, RULES
from tests.rulebooks import named_in


def test_the_index_has_every_clause_of_the_page_and_none_is_absent() -> None:
    assert len(RULES) == 124
    assert {clause.status for clause in RULES.values()} <= {Status.IMPLEMENTED, Status.DIVERGENT}
    assert hexwar.rulesets()["wb95"].maturity == "playable"


def test_every_clause_has_a_test() -> None:
    named = named_in(Path(__file__).parent, RULES, [DRILLS])
    assert [clause for clause in RULES if clause not in named] == []


def test_shared_parts_cite_clauses_of_the_index() -> None:
    assert {*CLAUSES.values()} <= {*RULES}


@pytest.mark.parametrize(
    ("nation", "command", "supply"),
    [
        ("german", 4, 10),
        ("allied", 4, 12),
        ("polish", 3, 8),
        ("romanian", 3, 8),
        ("hungarian", 3, 8),
        ("soviet", 3, 8),
        ("italian", 3, 8),
    ],
)
@pytest.mark.clause("supply.2")
def test_hq_3_ranges_and_lines_by_nation(nation: str, command: int, supply: int) -> None:
    found = load_wb95().tables.nations[nation]
    assert (found.command, found.supply) == (command, supply)


def test_hq_1_headquarters_have_a_point_and_eight_to_move() -> None:
    staffs = [counter for counter in load_wb95().units.values() if counter.arm == "hq"]
    assert staffs
    assert {(counter.faces[-1].attack, counter.faces[-1].move, len(counter.faces)) for counter in staffs} == {(1, 8, 1)}


@pytest.mark.parametrize(
    ("text", "attacker", "defender"),
    [
        ("A2•/B1", (2, 0, True, False), (1, 0, False, False)),
        ("0/B4-1", (0, 0, False, False), (4, 1, False, False)),
        ("A2D/0", (2, 0, False, True), (0, 0, False, False)),
    ],
)
def test_result_1_the_grammar_of_results(text: str, attacker: tuple[Any, ...], defender: tuple[Any, ...]) -> None:
    assert [tuple(it) for it in halves(text)] == [attacker, defender]


@pytest.mark.parametrize("text", ["B2", "A6", "A", "-0", "2A", "A2•D", ""])
def test_result_1_what_is_no_result_is_told(text: str) -> None:
    with pytest.raises(ValueError, match="is no result"):
        half(text, "A")


def test_proc_6_the_table_is_no_worse_for_the_attacker_at_better_odds() -> None:
    """A loss 1, a hex of retreat 0.4, a disorganised unit 0.5, two units a side: neither row turns back."""
    table, burdens = load_wb95().table, []
    for column in range(len(table.columns)):
        sums = [0.0, 0.0]
        for row in table.rows.values():
            for number, part in enumerate(halves(row[column].name)):
                shaken = 1.0 if part.shaken else 2 * 0.5 / 3 if part.rolls else 0.0
                sums[number] += part.losses + 0.4 * part.back + shaken
        burdens.append(sums)
    assert [attacker for attacker, _ in burdens] == sorted([attacker for attacker, _ in burdens], reverse=True)
    assert [defender for _, defender in burdens] == sorted(defender for _, defender in burdens)


@pytest.mark.parametrize(
    ("name", "old", "new", "complaint"),
    [
        ("combat.toml", '"A3-1/0"', '"B3-1/0"', r"combat\.toml.*row 1.*is no result"),
        ("combat.toml", '"1:4", "1:3"', '"1:3", "1:4"', r"combat\.toml.*columns.*ascend"),
        ("combat.toml", '"1:4", "1:3"', '"1:0", "1:3"', r"combat\.toml.*no ratio"),
        ("combat.toml", '6 = ["A1-1/0", ', "6 = [", r"combat\.toml.*row 6.*12 results for 13 columns"),
        ("tables.toml", '6 = ["•", "•", ', '6 = ["•", ', r"tables\.toml.*row 6 has 6 results for 7 columns"),
        ("tables.toml", '"D", "-1", "-1•", "-2", "-2"]', '"X", "-1", "-1•", "-2", "-2"]', r"tables\.toml.*no result"),
        ("units.toml", 'command = 3, start = "2515"', 'command = 4, start = "2515"', r"units\.toml.*hq65.*commands 3"),
        ("units.toml", "full = [5, 5, 5]", "full = [5, 4, 5]", r"units\.toml.*only artillery has two strengths"),
        ("units.toml", 'arm = "infantry"', 'arm = "elephants"', r"units\.toml.*elephants"),
        ("units.toml", 'nation = "soviet"', 'nation = "swedish"', r"units\.toml.*swedish"),
        ("scenarios.toml", 'units = ["37g", ', 'units = ["38g", ', "38g"),
    ],
)  # fmt: skip
def test_mistakes_in_an_owners_files_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, old: str, new: str, complaint: str
) -> None:
    text = (DATA / name).read_text(encoding="utf-8")
    assert old in text
    (tmp_path / name).write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(hexwar.HexwarError, match=complaint):
        _ = load_wb95(tmp_path).roster(load_wb95(tmp_path).scenarios["training"])


@pytest.mark.parametrize("scenario", ["training", "narew"])
def test_phase_1_a_scenario_begins_within_the_rules_and_in_supply(scenario: str) -> None:
    game: Game = hexwar.new_game("wb95", scenario, seed=1)
    assert [invariant.broken(game.position) for invariant in game.ruleset.invariants] == [None] * len(game.ruleset.invariants)
    for side in game.world.sides:
        ground = [unit for unit in game.world.on_board(game.state, side) if game.world.units[unit].arm != "air"]
        assert {unit for unit in ground if not game.query.supply(unit).supplied} == set()
    assert game.state.works == tuple(sorted(game.world.scenario.fieldworks))


def test_phase_1_the_training_is_small_and_the_narew_is_not() -> None:
    training: Game = hexwar.new_game("wb95", "training", seed=1)
    narew: Game = hexwar.new_game("wb95", "narew", seed=1)
    assert (len(training.world.units), training.world.last_turn, len(training.world.board)) == (16, 4, 12 * 11)
    assert (len(narew.world.units), narew.world.last_turn, len(narew.world.board)) == (74, 8, 28 * 24)


def test_phase_1_a_place_that_no_map_has_is_told() -> None:
    game: Game = hexwar.new_game("wb95", "training", seed=1)
    with pytest.raises(hexwar.HexwarError, match="place"):
        game.world.place_named("Berlin")


def test_every_number_says_where_it_comes_from() -> None:
    provenance = hexwar.new_game("wb95", "narew", seed=1).ruleset.provenance()
    assert {*provenance} >= {"combat.toml", "tables.toml", "terrain.toml", "units.toml", "scenarios.toml"}
    assert all("reconstructed" in str(told) for told in provenance.values())


def test_fs_1_the_line_of_modlin_is_on_the_map_and_its_hexes_are_inside() -> None:
    game: Game = hexwar.new_game("wb95", "narew", seed=1)
    inside, board = game.world.forts.hexes["axis"], game.world.board
    assert inside
    lines = [(a, b) for a in board.labels for b in board.neighbours(a) if a < b and "fort" in board.side(a, b)]
    assert len(lines) == 11
    assert all((a in inside) != (b in inside) for a, b in lines)


def test_an_owners_folder_replaces_a_file(tmp_path: Path) -> None:
    text = (DATA / "tables.toml").read_text(encoding="utf-8")
    (tmp_path / "tables.toml").write_text(text.replace("least = 5 ", "least = 4 "), encoding="utf-8")
    assert load_wb95(tmp_path).tables.disorganisation.least == 4
    assert load_wb95().tables.disorganisation.least == 5
    (tmp_path / "tables.toml").write_text(text.replace("least = 5 ", "least = 9 "), encoding="utf-8")
    with pytest.raises(ContentError, match=r"tables\.toml.*least"):
        load_wb95(tmp_path)
