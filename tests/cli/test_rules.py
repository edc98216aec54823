"""`hexwar rules`: the table by chapter, and what a run of tests says about each clause."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from hexwar.plugins import plugins
from hexwar.plugins._places import places
from hexwar.testing import RuleCoverage
from hexwar.testing._coverage.ledger import Citations
from hexwar.testing._coverage.rule_coverage import write_coverage
from tests.cli.helpers import run

FIRED = {"8.3": {"one": Citations(9, 0, 1), "two": Citations(refusals=2)}, "7.1": {"one": Citations(1)}}


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "coverage.json"
    found = RuleCoverage("bridgehead", {"8.3": ("t", "u"), "8.4": ("t",)}, fired=FIRED)
    write_coverage(path, [found, RuleCoverage("ava", {"20.0.1": ("t",), "2.2.10": ("t",), "9.2.1": ("t",)})])
    return str(path)


def rows(out: str) -> dict[str, list[str]]:
    """The table at the end: its first column -> the others."""
    table = out.split("\n\n")[1].splitlines()
    return {line.split()[0]: line.split()[1:] for line in table}


class TestTable:
    def test_the_whole_index_ends_with_a_table_by_chapter(self) -> None:
        found = rows(run("rules", "ava").out)
        assert found["chapter"] == ["clauses", "implemented", "divergent", "absent"]
        assert found["10"] == ["64", "64", "0", "0"]
        assert found["17"] == ["13", "13", "0", "0"]
        assert found["18"] == ["32", "32", "0", "0"]
        assert found["TEC"] == ["14", "14", "0", "0"]
        assert found["all"] == ["365", "365", "0", "0"]
        assert list(found)[-2:] == ["TEC", "all"]

    @pytest.mark.parametrize("words", [["8"], ["--status", "implemented"], ["--search", "river"]])
    def test_a_part_of_it_has_none(self, words: list[str]) -> None:
        assert "chapter" not in run("rules", "bridgehead", *words).out
        assert set(json.loads(run("rules", "bridgehead", *words, "--json").out)) == {"clauses"}

    def test_programs_get_it_too(self) -> None:
        data = json.loads(run("rules", "ava", "--json").out)
        assert data["chapters"][0] == {"chapter": "1", "clauses": 3, "implemented": 3, "divergent": 0, "absent": 0}
        assert data["chapters"][-1] == {"chapter": "all", "clauses": 365, "implemented": 365, "divergent": 0, "absent": 0}
        assert {"kind", "exempt"} <= set(data["clauses"][0])
        assert "tests" not in data["clauses"][0]


class TestPlaces:
    def test_a_clause_says_where_it_is_implemented(self) -> None:
        out = run("rules", "bridgehead", "8.3").out
        found = [line.strip() for line in out.splitlines() if "Implemented: " in line]
        assert any(re.fullmatch(r"Implemented: hexwar_bridgehead/\w+\.py:\d+ \(\w+(\.\w+)*\)", line) for line in found), out

    def test_the_path_can_be_opened_from_here(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(places("bridgehead")["8.3"][0].path.parent)
        out = run("rules", "bridgehead", "8.3").out
        path, line = out.partition("Implemented: ")[2].split()[0].split(":")
        assert "8.3" in Path(path).read_text(encoding="utf-8").splitlines()[int(line) - 1]

    def test_a_chapter_does_not(self) -> None:
        assert "Implemented" not in run("rules", "bridgehead", "8").out

    def test_programs_get_it_too(self) -> None:
        data = json.loads(run("rules", "ava", "9.2.10", "--json").out)
        found = data["clauses"][0]["places"]
        assert found
        assert set(found[0]) == {"file", "line", "name"}


class TestCoverage:
    def test_each_clause_tells_its_tests_and_citations(self, file: str) -> None:
        out = run("rules", "bridgehead", "8.3", "--coverage", file).out
        assert [line.strip() for line in out.splitlines()[-5:]] == [
            "Tests: 2, citations: 12 (9 events, 2 refusals, 1 steps)",
            "Test: t",
            "Test: u",
            "Cited by: one (10)",
            "Cited by: two (2)",
        ]
        assert "Tests: 0, citations: 0" in run("rules", "bridgehead", "8.5", "--coverage", file).out
        assert "Tests: 1, citations: 0; exempt: Says only how" in run("rules", "ava", "2.2.10", "--coverage", file).out

    def test_the_table_and_a_sentence_sum_it_up(self, file: str) -> None:
        out = run("rules", "bridgehead", "--coverage", file).out
        found = rows(out)
        testable = str(sum(clause.testable for clause in plugins().rule_index("bridgehead").values()))
        assert found["chapter"][-3:] == ["testable", "tested", "cited"]
        assert found["8"][-2:] == ["2", "1"]
        assert found["7"][-2:] == ["0", "1"]
        assert found["all"][-3:] == [testable, "2", "2"]
        assert out.endswith("2 cited in play\n")
        assert f"rule coverage bridgehead: 2 of {testable} testable clauses" in out

    def test_what_is_exempt_is_not_among_the_tested(self, file: str) -> None:
        found = rows(run("rules", "ava", "--coverage", file).out)
        assert found["2"][-3:] == ["28", "0", "0"]
        assert found["20"][-3:] == ["16", "1", "0"]
        assert found["all"][-3:] == ["364", "2", "0"]

    def test_programs_get_it_too(self, file: str) -> None:
        data = json.loads(run("rules", "bridgehead", "--coverage", file, "--json").out)
        clause = next(clause for clause in data["clauses"] if clause["id"] == "8.3")
        assert (clause["tests"], clause["citations"]) == (2, 12)
        assert (clause["events"], clause["refusals"], clause["steps"]) == (9, 2, 1)
        assert data["chapters"][-1]["tested"] == 2

    def test_several_files_are_put_together(self, file: str, tmp_path: Path) -> None:
        more = tmp_path / "more.json"
        write_coverage(more, [RuleCoverage("bridgehead", {"8.4": ("t", "v")}, fired={"8.3": {"two": Citations(1)}})])
        out = run("rules", "bridgehead", "8.3", "--coverage", file, "--coverage", str(more)).out
        assert "Tests: 2, citations: 13 (10 events, 2 refusals, 1 steps)" in out
        assert "Tests: 2, citations: 0" in run("rules", "bridgehead", "8.4", "--coverage", file, "--coverage", str(more)).out

    def test_it_is_written_as_a_page(self, file: str, tmp_path: Path) -> None:
        ran = run("rules", "bridgehead", "--coverage", file, "--html", str(tmp_path / "pages"))
        page = (tmp_path / "pages" / "bridgehead.html").read_text(encoding="utf-8")
        assert "bridgehead.html" in ran.err
        assert '<tr class="cited" id="8.3">' in page
        ran = run("rules", "bridgehead", "--html", str(tmp_path / "pages"))
        assert ran.code == 2
        assert "--html needs --coverage FILE" in ran.err

    def test_a_file_of_something_else_is_a_sentence(self, tmp_path: Path, file: str) -> None:
        (tmp_path / "x.json").write_text("{}")
        ran = run("rules", "bridgehead", "--coverage", str(tmp_path / "x.json"))
        assert ran.code == 2
        assert "x.json: is no file of rule coverage" in ran.sentence
        assert "cannot be read" in run("rules", "bridgehead", "--coverage", str(tmp_path / "y.json")).sentence
