"""`hexwar check` and `hexwar bench`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from hexwar import bench
from hexwar.testing.rule_coverage import load_coverage
from tests.cli.helpers import run


class TestCheck:
    def test_a_good_ruleset_passes(self, toy: None) -> None:
        words = [word for check in ("content-is-sound", "games-end", "views-hide") for word in ("--only", check)]
        ran = run("check", "toy", "--seed", "1", "--report", "failures", *words)
        assert ran.code == 0, ran.out
        lines = ran.out.splitlines()
        assert lines[0].startswith("toy 1.0")
        assert lines[1:4] == ["passed   content-is-sound", "passed   games-end", "passed   views-hide"]
        assert lines[-1] == "passed"
        assert not Path("failures").exists()

    def test_options_hold_in_every_game(self) -> None:
        words = ["check", "bridgehead", "--only", "games-end", "--jobs", "1", "--json"]
        plain, barrage = (json.loads(run(*words, *more).out) for more in ([], ["--option", "barrage"]))
        assert barrage["passed"]
        assert set(barrage["coverage"]["cited"]) - set(plain["coverage"]["cited"]) >= {"15.1"}
        assert "no option is called 'fog'" in run(*words, "--option", "fog").sentence
        assert "leave --option out" in run("check", "bridgehead", "--planted", "bugs.py", "--option", "barrage").err

    def test_a_ruleset_that_only_this_process_has_fails(self, toy: None) -> None:
        ran = run("check", "toy", "--report", "failures", "--only", "same-everywhere")
        assert ran.code == 1
        assert "the game fails in another process: no ruleset is called 'toy'" in ran.out
        assert ran.out.splitlines()[-1] == "1 of 1 checks failed"
        assert list(Path("failures").glob("same-everywhere-*/REPORT.md"))

    def test_a_failed_check_is_exit_code_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        import hexwar.testing

        class Bad:
            passed = False

            def lines(self, **more: bool) -> list[str]:
                return ["1 of 1 checks failed"]

            def to_json(self) -> dict[str, bool]:
                return {"passed": False}

        monkeypatch.setattr(hexwar.testing, "check_ruleset", lambda *words, **more: Bad())
        assert run("check", "bridgehead").code == 1
        ran = run("check", "bridgehead", "--json")
        assert ran.code == 1
        assert json.loads(ran.out) == {"passed": False}

    def test_rule_coverage_is_short_unless_somebody_asks(self) -> None:
        words = ["check", "bridgehead", "--only", "no-dead-ends", "--only", "content-is-sound", "--bot-games", "0", "--jobs", "1"]
        out = run(*words, "--slow").out
        (line,) = (line for line in out.splitlines() if "clauses cited" in line)
        assert line.endswith("never, see --coverage")
        assert re.search(r"^passed +\d+\.\d\d s  no-dead-ends$", out, re.MULTILINE)
        ran = run(*words, "--coverage", "--html", "pages", "--coverage-file", "rules.json")
        assert ran.code == 0
        assert re.search(r"^7\.1 +\d+ +- +\d+  crossing, played by chance", ran.out, re.MULTILINE)
        assert "  1.1     Blue attacks over the river" in ran.out
        assert "see --coverage" not in ran.out
        assert '<tr class="cited" id="7.1">' in Path("pages/bridgehead.html").read_text(encoding="utf-8")
        assert load_coverage(Path("rules.json"), "bridgehead").citations("7.1").events > 0

    def test_clauses_can_be_demanded(self) -> None:
        words = ["check", "bridgehead", "--only", "no-dead-ends", "--bot-games", "1", "--jobs", "1", "--json", "--fail-under"]
        ran = run(*words, "100")
        data = json.loads(ran.out)
        assert ran.code == 1
        assert "less than the 100 % demanded" in ran.err
        assert data["passed"]
        assert data["games"] == 10, "six at random, three known ones and one of a bot"
        assert data["coverage"]["cited"]["7.1"]["events"] > 0
        assert 0 < data["coverage"]["percent"] < 100
        assert run(*words, "1").code == 0

    @pytest.mark.parametrize(
        ("words", "sentence"),
        [
            (["zzz"], "no ruleset is called"),
            (["bridgehead", "--fail-under", "101"], "is not in the range"),
            (["bridgehead", "--jobs", "0"], "is not in the range"),
            (["bridgehead", "--tier", "slow"], "is not one of"),
            (["bridgehead", "--seed", "x"], "integer"),
        ],
    )
    def test_bad_input_is_a_sentence(self, words: list[str], sentence: str) -> None:
        ran = run("check", *words)
        assert ran.code == 2
        assert sentence in ran.err


class TestBench:
    def test_quickly_everything_is_measured(self) -> None:
        data = json.loads(run("bench", "--quick", "--json").out)
        names = [figure["name"] for figure in data["figures"]]
        assert {"random play", "reach of a unit", "supply of a side", "state copy"} <= set(names)
        assert {"example of boards()", "example of positions() of bridgehead"} <= set(names)
        assert all(figure["rate"] or figure["ours"] > 0 for figure in data["figures"])

    def test_figures_read_well(self) -> None:
        assert str(bench.Figure("a", rate=1234.5, unit="actions")) == "a: 1,234 actions"
        assert str(bench.Figure("b", 0.002)) == "b: 2 ms"
        assert str(bench.Figure("c", 2e-6, 8e-6, "other", 4.0)) == "c: 2 µs; other: 8 µs; 4.0 times"

    def test_people_read_lines(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(bench, "run", lambda *, quick: [bench.Figure("a", 1.0)])
        assert run("bench").out == "a: 1 s\n"
