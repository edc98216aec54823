"""What the index says and what the content holds."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

import hexwar
from hexwar.engine import Status
from hexwar.pieces import load_content
from hexwar.testing._coverage.rule_coverage import clause_named_by
from hexwar_wop.content import DATA, CombatFile, TablesFile, load_wop
from hexwar_wop.world import RULES
from tests.wop.table import activated

TESTS = Path(__file__).parent


def test_the_index_has_every_clause_and_none_is_absent() -> None:
    counted = [clause.status for clause in RULES.values()]
    assert len(counted) == 386
    assert Status.ABSENT not in counted
    assert hexwar.rulesets()["wop"].maturity == "complete"


def test_clauses_that_are_carried_out_otherwise_say_so() -> None:
    divergent = {clause.id: clause for clause in RULES.values() if clause.status is Status.DIVERGENT}
    assert {*divergent} == {"3.13", "7.3", "8.2", "9.4", "14.13.q"}
    told = (TESTS.parents[1] / "docs" / "wop.md").read_text(encoding="utf-8")
    assert f"{len(RULES) - len(divergent)} of the {len(RULES)} clauses are carried out as they stand" in told
    assert f"({', '.join(divergent)})" in told
    assert [clause.id for clause in divergent.values() if not clause.ruling] == []


def test_every_clause_that_is_there_has_a_test() -> None:
    named = set(_named(RULES))
    missing = [clause.id for clause in RULES.values() if clause.testable and clause.id not in named]
    assert missing == []
    absent = {clause.id for clause in RULES.values() if clause.status is Status.ABSENT}
    assert not named & absent, "a test for a rule that is said to be absent"


def _named(ids: Iterable[str]) -> Iterable[str]:
    known = set(ids)
    for file in TESTS.glob("test_*.py"):
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.startswith("def test_"):
                clause = clause_named_by(line.removeprefix("def ").partition("(")[0], known)
                yield from [clause] if clause else []
            elif line.startswith("@pytest.mark.clause("):
                yield from line.partition("(")[2].rstrip(")").replace('"', "").split(", ")


def test_modifiers_and_rounding_name_clauses_of_the_index() -> None:
    chapters = {clause.partition(".")[0] for clause in RULES}
    for modifier in load_wop().combat.modifier:
        assert modifier.rule.partition(".")[0] in chapters
    for rounding in load_wop().tables.rounding:
        for rule in rounding.rules:
            assert any(clause == rule or clause.startswith(f"{rule}.") for clause in RULES), rule


def test_templates_know_their_movement_classes() -> None:
    templates = load_wop().templates
    named = [kind.moves_as for kind in templates.template.values()] + [kind.moves_as for kind in templates.transport.values()]
    assert set(named) <= {"", *templates.movement_class}
    for moves_as in templates.movement_class.values():
        assert moves_as.zoc_cost in templates.zone_cost


def test_a_result_of_the_table_never_gets_better_for_the_defender() -> None:
    rows = load_wop().combat.row
    badness = [(2 * row.attacker.retreat + row.attacker.losses, 2 * row.defender.retreat + row.defender.losses) for row in rows]
    assert [attacker for attacker, _ in badness] == sorted((attacker for attacker, _ in badness), reverse=True)
    assert [defender for _, defender in badness] == sorted(defender for _, defender in badness)


@pytest.mark.parametrize(
    ("name", "model", "old", "new", "complaint"),
    [
        ("combat.toml", CombatFile, "min = -4", "min = -3", "must follow on"),
        ("combat.toml", CombatFile, "max = -5", "min = -9", "every sum has a result"),
        ("tables.toml", TablesFile, "cloudy = [6, 7]", "cloudy = [6, 8]", "exactly one weather"),
        ("tables.toml", TablesFile, "cloudy = [6, 7]", "cloudy = [7, 6]", "from the lower face"),
        ("tables.toml", TablesFile, "lowest = 0", "lowest = 1", "dice.lowest"),
    ],
)
def test_mistakes_in_tables_are_told(tmp_path: Path, name: str, model: type, old: str, new: str, complaint: str) -> None:
    text = (DATA / name).read_text(encoding="utf-8")
    assert old in text
    file = tmp_path / name
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(hexwar.ContentError, match=complaint) as caught:
        load_content(file, model)
    assert name in str(caught.value)


def test_the_order_of_battle_stands_on_the_map_within_the_rules() -> None:
    game = activated()
    assert [invariant.broken(game.position) for invariant in game.ruleset.invariants] == [None] * len(game.ruleset.invariants)
    assert game.state.no_supply == ()
    assert game.state.no_command == ()
    strength = {
        side: sum(counter.faces[-1].defence for unit, counter in game.world.units.items()
                  if counter.side == side and game.state.locations[unit] in game.world.board)
        for side in game.world.sides
    }  # fmt: skip
    assert strength == {"polish": 114, "soviet": 83}, "with what arrives on turn 1"
