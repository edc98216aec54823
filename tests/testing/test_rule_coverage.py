"""Rule coverage of a test suite: which clauses have a passing test, which were cited, and how pytest tells it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, ClassVar

import pytest

import hexwar
from hexwar.engine import Clause, RuleIndex, Status
from hexwar.engine._rules import Citing, collectors
from hexwar.errors import ContentError, Refusal
from hexwar.mechanics import Move
from hexwar.plugins import plugins
from hexwar.testing import RuleCoverage, pytest_plugin
from hexwar.testing._coverage.coverage_html import page, write_page
from hexwar.testing._coverage.ledger import Citations, Ledger
from hexwar.testing._coverage.pytest_coverage import NAME, Gatherer
from hexwar.testing._coverage.rule_coverage import clause_named_by, load_coverage, write_coverage

INDEX = RuleIndex(
    [
        Clause("1.1", "Scale"),
        Clause("1.2", "Hexes", kind="definition"),
        Clause("1.2.3", "Sides", Status.DIVERGENT, "otherwise"),
        Clause("1.3", "Silhouettes", exempt="only looks"),
        Clause("2", "Weather", Status.ABSENT),
        Clause("TEC.6", "Cities", kind="data"),
    ]
)
BRIDGEHEAD = "".join(
    [
        "import hexwar, pytest\n",
        "def test_8_3_attackers_are_halved(): hexwar.new_game('bridgehead', seed=1)\n",
        "@pytest.mark.clause('8.4', '99.1')\n",
        "@pytest.mark.parametrize('n', range(6))\n",
        "def test_8_5_in_many_cases(n): pass\n",
        "@pytest.mark.parametrize('n', range(6))\n",
        "def test_8_6_fails_in_one_case(n): assert n != 3\n",
        "@pytest.mark.skip(reason='not now')\n",
        "def test_8_1_is_skipped(): pass\n",
        "@pytest.mark.clause('7.1')\n",
        "class TestAll:\n",
        "    def test_anything(self): pass\n",
        "@pytest.fixture\n",
        "def leaves_a_mess():\n",
        "    yield\n",
        "    assert False\n",
        "def test_7_2_breaks_when_it_is_over(leaves_a_mess): pass\n",
        "@pytest.mark.xfail(strict=True)\n",
        "def test_7_3_is_known_to_fail(): assert False\n",
    ]
)
FOUND = {
    "8.3": ("test_it.py::test_8_3_attackers_are_halved",),
    "8.4": ("test_it.py::test_8_5_in_many_cases",),
    "8.5": ("test_it.py::test_8_5_in_many_cases",),
    "7.1": ("test_it.py::TestAll::test_anything",),
}

Run = Callable[..., int]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the tests of a folder with the plugin, in this process."""
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers -p no:cacheprovider --import-mode=importlib\n")
    (tmp_path / "test_it.py").write_text(BRIDGEHEAD)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def do(*words: str, code: str = "") -> int:
        if code:
            (tmp_path / "test_it.py").write_text(code)
        for module in ("test_it", "one.test_more", "two.test_more"):  # of another run in this process
            sys.modules.pop(module, None)
        return int(pytest.main(["-q", "-p", "no:xdist", *words], plugins=[pytest_plugin]))

    return do


class TestNames:
    @pytest.mark.parametrize(
        ("name", "clause"),
        [
            ("test_1_1_scale", "1.1"),
            ("test_1_2_3_sides_and_more", "1.2.3"),
            ("test_1_2_4_units", "1.2"),
            ("test_tec_6_cities", "TEC.6"),
            ("test_TEC_6", "TEC.6"),
            ("test_tec_7", None),
            ("test_scale_1_1", None),
            ("test_11_scale", None),
            ("test_", None),
            ("scale_1_1", None),
            ("1_1_scale", None),
        ],
    )
    def test_as_many_words_count_as_make_a_clause(self, name: str, clause: str | None) -> None:
        assert clause_named_by(name, INDEX) == clause


class TestReport:
    def test_absent_and_exempt_clauses_need_no_test_and_all_others_do(self) -> None:
        fired = {"1.1": {"a": Citations(2, 1), "b": Citations()}, "1.2": {"b": Citations(steps=1)}, "V1": {"a": Citations(9)}}
        found = RuleCoverage("toy", {"1.1": ("a",), "2": ("b",)}, fired=fired)
        assert [clause.id for clause in found.missing(INDEX)] == ["1.2", "1.2.3", "TEC.6"]
        assert found.percent(INDEX) == 25
        assert found.sentence(INDEX) == (
            "rule coverage toy: 1 of 4 testable clauses have a passing test (25 %); 2 cited in play; 1 exempt: 1.3"
        )
        assert found.covered("1.1") == {"tests": 1, "citations": 3, "events": 2, "refusals": 1, "steps": 0}
        assert found.covered("TEC.6") == {"tests": 0, "citations": 0, "events": 0, "refusals": 0, "steps": 0}

    def test_a_hundred_per_cent_is_said_of_all_only(self) -> None:
        index = RuleIndex(Clause(str(n), "x") for n in range(400))
        found = RuleCoverage("toy", {str(n): ("a",) for n in range(399)})
        assert "399 of 400 testable clauses have a passing test (99 %); 0 cited in play" in found.sentence(index)
        assert found.percent(RuleIndex([])) == 100

    def test_what_is_missing_fails_or_is_misspelt_is_listed(self) -> None:
        found = RuleCoverage("toy", {"1.1": ("a",), "TEC.6": ("a",)}, {"1.2": ("b", "c")}, unknown={"9.9": ("d",)})
        assert found.lines(INDEX)[1:] == [
            "without a passing test:",
            "  1.2    Hexes (fails: b, c)",
            "  1.2.3  Sides",
            "no clause 9.9, which d names",
        ]
        everything = RuleCoverage("toy", dict.fromkeys(("1.1", "1.2", "1.2.3", "TEC.6"), ("a",)))
        assert len(everything.lines(INDEX)) == 1

    def test_it_is_written_and_read(self, tmp_path: Path) -> None:
        fired = {"1.1": {"a": Citations(1, 2, 3), "c": Citations(0, 0, 1)}, "2": {"c": Citations(4, 0, 0)}}
        found = RuleCoverage("toy", {"1.1": ("a", "b")}, {"1.2": ("c",)}, fired, {"9.9": ("d",)}, ("mud",))
        file = tmp_path / "rules.json"
        write_coverage(file, [RuleCoverage("other"), found])
        assert load_coverage(file, "toy") == found
        assert load_coverage(file, "other") == RuleCoverage("other")
        with pytest.raises(ContentError, match=r"rules\.json: rulesets: .*'toi'; did you mean toy"):
            load_coverage(file, "toi")

    @pytest.mark.parametrize(
        "text",
        ["", "{", "[]", "{}", '{"format": 2}', '{"format": 2, "rulesets": [{"ruleset": "toy"}]}', '{"format": 2, "rulesets": 3}'],
    )
    def test_other_files_are_none_of_rule_coverage(self, tmp_path: Path, text: str) -> None:
        (tmp_path / "x.json").write_text(text)
        with pytest.raises(ContentError, match="is no file of rule coverage"):
            load_coverage(tmp_path / "x.json", "toy")

    def test_a_newer_file_and_a_missing_one_are_told(self, tmp_path: Path) -> None:
        (tmp_path / "x.json").write_text('{"format": 3, "rulesets": []}')
        with pytest.raises(ContentError, match="this version of hexwar reads 2"):
            load_coverage(tmp_path / "x.json", "toy")
        with pytest.raises(ContentError, match="cannot be read: No such file"):
            load_coverage(tmp_path / "y.json", "toy")


class TestCited:
    FIRED: ClassVar = {
        "1.1": {"a": Citations(2, 1), "b": Citations(5)},
        "1.2.3": {"b": Citations(steps=1)},
        "2": {"b": Citations(1)},
    }

    def test_clauses_that_play_could_cite_and_nobody_cited(self) -> None:
        index = RuleIndex([*INDEX.values(), Clause("9", "Mud", option="mud")])
        everything = RuleCoverage("toy", fired=self.FIRED)
        assert [clause.id for clause in everything.never(index)] == ["1.2", "1.3", "TEC.6", "9"]
        plain = RuleCoverage("toy", fired=self.FIRED, options=())
        assert [clause.id for clause in plain.never(index)] == ["1.2", "1.3", "TEC.6"]
        assert plain.cited_percent(index) == 40
        assert plain.cited_sentence(index) == (
            "rule coverage: 2 of 5 clauses cited (40 %): 1 by events, 1 by refusals, 1 by steps"
        )
        assert RuleCoverage("toy").cited_percent(RuleIndex([])) == 100

    def test_each_way_of_being_cited_is_counted_apart(self) -> None:
        found = RuleCoverage("toy", fired=self.FIRED)
        assert found.citations("1.1") == Citations(7, 1, 0)
        assert found.cited == {"1.1": 8, "1.2.3": 1, "2": 1}
        assert found.most("1.1") == ["b", "a"]
        assert found.most("1.1", 1) == ["b"]
        lines = found.cited_lines(INDEX)
        assert lines[1].split() == ["1.1", "7", "1", "-", "b,", "a"]
        assert lines[2].split() == ["1.2.3", "-", "-", "1", "b"]
        assert lines[3:5] == ["", "never cited:"]
        assert lines[5].split() == ["1.2", "Hexes"]

    def test_two_runs_are_put_together(self) -> None:
        one = RuleCoverage("toy", {"1.1": ("a", "b")}, {"1.2": ("c",)}, self.FIRED, {"9": ("x",)}, ("mud",))
        other = RuleCoverage("toy", {"1.2": ("c", "d")}, {"1.1": ("b",)}, {"1.1": {"b": Citations(1, 1, 1)}}, {}, ("snow",))
        both = one.merged(other)
        assert both.tests == {"1.1": ("a",), "1.2": ("d",)}
        assert both.failing == {"1.1": ("b",), "1.2": ("c",)}
        assert both.fired["1.1"] == {"a": Citations(2, 1), "b": Citations(6, 1, 1)}
        assert both.options == ("mud", "snow")
        assert both.unknown == {"9": ("x",)}
        assert one.merged(RuleCoverage("toy")).options is None

    def test_a_game_tells_who_was_asked_what_happened_and_what_was_refused(self) -> None:
        with Ledger("bridgehead") as ledger:
            game = hexwar.new_game("bridgehead", seed=1)
            assert ledger.turn_to("somebody") == ""
            game.apply(game.legal_actions(game.to_move[0])[0], game.to_move[0])
            with pytest.raises(Refusal):
                game.apply(Move("b1", "0101"), game.to_move[0])
        fired = ledger.cited("bridgehead")
        assert any(who.get("somebody", Citations()).events for who in fired.values())
        assert any(who.get("somebody", Citations()).refusals for who in fired.values())
        assert any(who.get("", Citations()).steps for who in fired.values())
        assert set(ledger.seconds) == {"", "somebody"}
        before = ledger.cited("bridgehead")
        hexwar.new_game("bridgehead", seed=1)
        assert ledger.cited("bridgehead") == before

    def test_a_step_that_cannot_name_its_rule_changes_nothing_while_somebody_listens(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        quiet = hexwar.new_game("bridgehead", seed=1).digest

        def broken(self: object, at: object) -> str:
            raise ZeroDivisionError

        monkeypatch.setattr(type(hexwar.new_game("bridgehead", seed=1).state.stack[-1]), "rule", broken)
        with Ledger("bridgehead"):
            assert hexwar.new_game("bridgehead", seed=1).digest == quiet


class TestPage:
    COVERAGE = RuleCoverage(
        "toy<b>",
        {"1.1": ("test_a",)},
        {"1.2": ("test_<i>",)},
        {"1.1": {f"test_{n}": Citations(n, 1, 0) for n in range(70)}, "1.2.3": {"<script>": Citations(steps=2)}},
        {"7.7": ("test_&",)},
    )

    def test_a_row_for_each_clause_with_its_state(self) -> None:
        text = page(self.COVERAGE, INDEX)
        assert '<tr class="cited" id="1.1">' in text
        assert '<tr class="never untested failing" id="1.2">' in text
        assert '<tr class="cited untested" id="1.2.3">' in text
        assert '<tr class="absent" id="2">' in text
        assert "Ruling: otherwise" in text
        assert "No test: only looks" in text
        assert "and 10 more" in text
        assert "<span>2 of 5 cited in play</span>" in text
        assert "<span>1 of 4 with a passing test</span>" in text
        assert "No clause 7.7" in text
        tags = Tags()
        tags.feed(text)
        assert tags.open == []
        assert tags.rows == len(INDEX) + 3 + 1 + 3  # the clauses, the chapters, and heads

    def test_nothing_of_it_is_markup_or_comes_from_elsewhere(self) -> None:
        text = page(self.COVERAGE, INDEX)
        assert "toy&lt;b&gt;" in text
        assert "test_&lt;i&gt;" in text
        assert "&lt;script&gt;: 2 steps" in text
        assert "test_&amp;" in text
        assert text.count("<script>") == 1
        assert "http" not in text
        assert "src=" not in text

    def test_without_tests_it_speaks_of_play_only(self) -> None:
        text = page(RuleCoverage("toy", fired={"1.1": {"a": Citations(1)}}, options=()), INDEX)
        assert "<title>Rule coverage of toy</title>" in text
        assert "with a passing test</span>" not in text
        assert "<th>tests</th>" not in text

    def test_a_folder_that_cannot_be_made_is_a_sentence(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(ContentError, match="cannot be written"):
            write_page(tmp_path / "file" / "pages", RuleCoverage("toy"), INDEX)
        with pytest.raises(ContentError, match="cannot be written"):
            write_coverage(tmp_path / "no" / "where.json", [])


class Tags(HTMLParser):
    """Checks that tags are closed, and counts rows."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.rows += tag == "tr"
        if tag not in ("meta", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


class TestPlugin:
    def test_passing_tests_count_by_name_and_by_marker(self, run: Run, capsys: pytest.CaptureFixture[str]) -> None:
        before = list(collectors)
        assert run("--rule-coverage", "bridgehead", "--rule-coverage-file", "out.json") == 1
        assert collectors == before
        found = load_coverage(Path("out.json"), "bridgehead")
        assert dict(found.tests) == FOUND
        assert dict(found.failing) == {
            "7.2": ("test_it.py::test_7_2_breaks_when_it_is_over",),
            "8.6": ("test_it.py::test_8_6_fails_in_one_case",),
        }
        assert found.unknown == {"99.1": ("test_it.py::test_8_5_in_many_cases",)}
        assert sum(found.cited.values()) > 0
        out = capsys.readouterr().out
        testable = sum(clause.testable for clause in plugins().rule_index("bridgehead").values())
        assert f"rule coverage bridgehead: 4 of {testable} testable clauses have a passing test" in out
        assert "(fails: test_it.py::test_8_6_fails_in_one_case)" in out
        assert "no clause 99.1, which test_it.py::test_8_5_in_many_cases names" in out

    def test_without_the_option_nothing_is_gathered_and_the_marker_is_known(
        self, run: Run, capsys: pytest.CaptureFixture[str]
    ) -> None:
        before = list(collectors)
        code = "import pytest\nfrom hexwar.engine._rules import collectors\n@pytest.mark.clause('1')\n"
        assert run(code=f"{code}def test_it(): assert len(collectors) == {len(before)}\n") == 0
        assert "rule coverage" not in capsys.readouterr().out

    def test_the_exit_status_changes_only_if_somebody_demands_it(self, run: Run, capsys: pytest.CaptureFixture[str]) -> None:
        code = "def test_8_3_halves(): pass\n"
        assert run("--rule-coverage", "bridgehead", code=code) == 0
        assert run("--rule-coverage", "bridgehead", "--rule-coverage-fail-under", "1.5") == 0
        assert "demanded" not in capsys.readouterr().out
        assert run("--rule-coverage", "bridgehead", "--rule-coverage-fail-under", "50") == 1
        assert "rule coverage bridgehead: less than the 50 % demanded" in capsys.readouterr().out
        assert run("--rule-coverage", "bridgehead", "--rule-coverage-fail-under", "50", code="def test_x(): assert 0\n") == 1
        assert run("--rule-coverage", "bridgehead", "--rule-coverage-fail-under", "50", "-k", "nothing") == 5

    def test_clauses_that_are_cited_can_be_demanded_too(self, run: Run, capsys: pytest.CaptureFixture[str]) -> None:
        code = "import hexwar\ndef test_it(): hexwar.new_game('bridgehead', seed=1)\n"
        assert run("--rule-coverage", "bridgehead", "--rule-coverage-cited-fail-under", "1", code=code) == 0
        assert run("--rule-coverage", "bridgehead", "--rule-coverage-cited-fail-under", "90") == 1
        assert "rule coverage bridgehead: less than the 90 % demanded are cited" in capsys.readouterr().out

    def test_it_tells_which_test_cited_what_also_as_a_page(self, run: Run) -> None:
        run("--rule-coverage", "bridgehead", "--rule-coverage-file", "out.json", "--rule-coverage-html", "pages")
        found = load_coverage(Path("out.json"), "bridgehead")
        assert {test for tests in found.fired.values() for test in tests} == {"test_it.py::test_8_3_attackers_are_halved"}
        assert "test_it.py::test_8_3_attackers_are_halved: " in Path("pages/bridgehead.html").read_text(encoding="utf-8")

    def test_a_folder_keeps_the_tests_of_rulesets_apart(self, run: Run, tmp_path: Path) -> None:
        for folder in ("one", "two"):
            (tmp_path / folder).mkdir()
            (tmp_path / folder / "test_more.py").write_text(f"def test_10_1_in_{folder}(): pass\n")
        run("--rule-coverage", "bridgehead:one", "--rule-coverage", "ava:two", "--rule-coverage-file", "out.json")
        assert load_coverage(Path("out.json"), "bridgehead").tests == {"10.1": ("one/test_more.py::test_10_1_in_one",)}
        assert load_coverage(Path("out.json"), "ava").tests == {}

    @pytest.mark.parametrize(
        ("words", "sentence"),
        [
            (["--rule-coverage", "bridgehed"], "no ruleset is called 'bridgehed'; did you mean bridgehead?"),
            (["--rule-coverage", "bridgehead:nowhere"], "nowhere is no folder"),
            (["--rule-coverage", "bridgehead", "--rule-coverage-file", "no/where.json"], "there is no folder"),
            (["--rule-coverage-file", "out.json"], "--rule-coverage-file needs --rule-coverage RULESET"),
            (["--rule-coverage-fail-under", "5"], "--rule-coverage-fail-under needs --rule-coverage RULESET"),
            (["--rule-coverage-html", "x"], "--rule-coverage-html needs --rule-coverage RULESET"),
            (["--rule-coverage-cited-fail-under", "5"], "--rule-coverage-cited-fail-under needs --rule-coverage RULESET"),
        ],
    )
    def test_bad_words_are_answered_by_a_sentence(
        self, run: Run, capsys: pytest.CaptureFixture[str], words: list[str], sentence: str
    ) -> None:
        assert run(*words) == pytest.ExitCode.USAGE_ERROR
        assert sentence in capsys.readouterr().err

    def test_what_a_worker_sends_is_what_the_main_process_reads(self, run: Run) -> None:
        config: Any = type("Config", (), {"invocation_params": type("P", (), {"dir": Path()}), "getoption": lambda *_: None})
        worker, main = Gatherer(config, ["ava"]), Gatherer(config, ["ava"])
        worker.named = {"t": {"ava": ["10.6.12"]}}
        worker.outcomes["t", "passed"] = 2
        worker.ledger.source = "t"
        for how in (Citing.EVENT, Citing.EVENT, Citing.REFUSAL):
            worker.ledger.hear("ava", "10.6.1", how)
        sent = json.loads(json.dumps([worker.coverage("ava").to_json()]))
        for _ in range(2):
            main.pytest_testnodedown(type("Node", (), {"workeroutput": {NAME: sent}}))
        main.pytest_testnodedown(type("DeadNode", (), {}))
        assert main.coverage("ava") == RuleCoverage("ava", {"10.6.12": ("t",)}, fired={"10.6.1": {"t": Citations(4, 2)}})
        worker.outcomes["t", "failed"] = 1
        main.pytest_testnodedown(type("Node", (), {"workeroutput": {NAME: [worker.coverage("ava").to_json()]}}))
        assert main.coverage("ava").failing == {"10.6.12": ("t",)}

    @pytest.mark.parametrize("workers", ["0", "2"])
    def test_it_is_loaded_by_its_name_and_workers_put_theirs_together(self, run: Run, tmp_path: Path, workers: str) -> None:
        words = ["-p", "hexwar.testing.pytest_plugin", "--rule-coverage", "bridgehead", "--rule-coverage-file", "out.json"]
        command = [sys.executable, "-m", "pytest", "-q", "-n", workers, *words]
        outside = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        ran = subprocess.run(command, cwd=tmp_path, env=outside, capture_output=True, text=True, timeout=120, check=False)
        assert ran.returncode == 1, ran.stdout + ran.stderr
        assert ran.stdout.count("rule coverage bridgehead: 4 of ") == 1
        found = load_coverage(tmp_path / "out.json", "bridgehead")
        assert dict(found.tests) == FOUND
        assert set(found.failing) == {"7.2", "8.6"}
        assert sum(found.cited.values()) > 0
