"""The pages that the site makes from the code: every clause with its place and its tests, every planted bug."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hexwar.engine import RuleIndex
from hexwar.plugins import plugins
from hexwar.plugins._places import places
from hexwar.testing import RuleCoverage, Subject, check_named
from hexwar.testing._coverage.ledger import Citations
from hexwar.testing._coverage.rule_coverage import write_coverage
from hexwar.testing._coverage.rule_pages import tests_in as carriers_in
from tests.cli.helpers import run
from tests.docs import generated, planted
from tests.testing.planted_generic.all import CATALOGUE
from tests.testing.test_classes import CLASSES

ROOT = Path(__file__).resolve().parents[2]
HEADING = re.compile(r'^### (\S+) .*\{ #(\S+) data-toc-label="(\S+)" \}$', re.MULTILINE)


def clauses_of(page: str) -> dict[str, str]:
    """What a page says of each clause, in the order of the page."""
    parts = re.split(r"^#{2,3} ", page, flags=re.MULTILINE)
    return {found[2]: part for part in parts if (found := HEADING.match(f"### {part}"[: part.find("\n") + 4]))}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """File -> text of all that is generated."""
    folder = tmp_path_factory.mktemp("generated")
    generated.write(folder)
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in folder.rglob("*.md")}


def test_the_pages_of_rules_have_every_clause_with_status_ruling_places_and_tests(written: dict[str, str]) -> None:
    for ruleset in planted.RULES:
        index, where = plugins().rule_index(ruleset), places(ruleset)
        page = written[f"rules/{ruleset}.md"]
        told = clauses_of(page)
        assert list(told) == list(index)
        tests = carriers_in(ROOT / "tests" / ruleset, index)
        for clause in index.values():
            text = told[clause.id]
            assert str(clause.status) in text
            assert ("**Ruling:**" in text) == bool(clause.ruling)
            assert [at for at in where.get(clause.id, ()) if f"`{at.file}:{at.line}`" not in text] == []
            assert [test for test in tests.get(clause.id, ()) if f"`{test}`" not in text] == []
            assert tests.get(clause.id) or not clause.testable, f"{ruleset} {clause.id} has no test"
            assert "**Cited in play:**" not in text
        assert "nothing was run for this page" in page
        assert re.findall(r"\| \[\w+\]\(#chapter-", page) == [], "every chapter has a name besides its number"
        assert [anchor for anchor in re.findall(r"\]\(#([^)]+)\)", page) if f"{{ #{anchor} " not in page] == []
        numbers = {name: int(number) for name, number in re.findall(r"^\| (\w+) \| (\d+) \|", page, re.MULTILINE)}
        assert numbers["all"] == len(index)
        assert numbers["placed"] == len(where)
        assert numbers["tested"] == numbers["testable"] == sum(clause.testable for clause in index.values())


def test_a_recorded_run_takes_the_place_of_names(tmp_path: Path) -> None:
    file = tmp_path / "coverage.json"
    found = {"8.3": {"t": Citations(9, 0, 1)}}
    write_coverage(file, [RuleCoverage("bridgehead", {"8.3": ("t",)}, {"8.4": ("broken",)}, found)])
    page = generated.rules("bridgehead", file)
    told = clauses_of(page)
    assert "passed in a recorded run** (of " in page
    assert "**Tests:** `t`\n- **Cited in play:** 10 times (9 events, 1 steps)" in told["8.3"]
    assert "**Tests:** none\n- **Failing tests:** `broken`\n- **Cited in play:** never" in told["8.4"]
    assert generated._recorded("tow", file) == (None, ""), "the record is of another ruleset"


def test_tests_carry_clauses_by_name_and_by_markers_around_them(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(
        "import pytest\n"
        "pytestmark = [pytest.mark.clause('1.1')]\n"
        "def test_7_1_moves(): ...\n"
        "@pytest.mark.clause('7.2', '99')\n"
        "class TestAll:\n"
        "    @pytest.mark.clause('7.3')\n"
        "    def test_anything(self): ...\n"
        "def helper_7_4(): ...\n"
    )
    index: RuleIndex = plugins().rule_index("bridgehead")
    all_of = f"{tmp_path.name}/test_some.py::TestAll::test_anything"
    moves = f"{tmp_path.name}/test_some.py::test_7_1_moves"
    assert carriers_in(tmp_path, index) == {"1.1": (moves, all_of), "7.1": (moves,), "7.2": (all_of,), "7.3": (all_of,)}


def test_the_command_writes_a_page(tmp_path: Path) -> None:
    file = tmp_path / "rules.md"
    assert run("rules", "bridgehead", "8.3", "--markdown", str(file), "--tests", str(ROOT / "tests" / "bridgehead")).code == 0
    page = file.read_text(encoding="utf-8")
    assert page.startswith("# Rules of Bridgehead\n\n| clauses | number |")
    assert len(clauses_of(page)) == 45
    assert run("rules", "bridgehead", "--tests", str(tmp_path)).code == 2
    assert run("rules", "bridgehead", "--markdown", str(file), "--tests", "nowhere").code == 2


def test_a_page_of_the_site_includes_each_of_them(written: dict[str, str]) -> None:
    included = {
        name: page.relative_to(ROOT / "docs").as_posix()
        for page in (ROOT / "docs").rglob("*.md")
        for name in re.findall(r'^--8<-- "(.+)"$', page.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert {name: name for name in written} == included
    for name, page in included.items():
        for target in re.findall(r"\]\(([^)#\s]+)", written[name]):
            assert (ROOT / "docs" / page).parent.joinpath(target).is_file(), f"{name} links to {target}"


def test_the_tables_have_every_planted_bug(written: dict[str, str]) -> None:
    bugs = [bug.id for mutants in planted.RULES.values() for bug in mutants]
    tables = written["planted.md"]
    assert [bug for bug in (*bugs, *CATALOGUE) if f"| `{bug}` |" not in tables] == []
    assert [bug.what for *_, bug in CLASSES if planted.plain(bug.what) not in tables] == []


def test_recorded_catches_are_of_bugs_and_checks_that_exist() -> None:
    recorded = [kept for ruleset in planted.RULES if (kept := planted.results(ruleset))]
    assert recorded
    for kept in recorded:
        subject = Subject.of(kept.ruleset)
        assert set(kept.caught) <= {bug.id for bug in planted.RULES[kept.ruleset]}, "record them again: some are gone"
        assert all(check_named(check, subject) for check in kept.caught.values() if check not in ("", "crash"))
