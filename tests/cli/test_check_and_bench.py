"""`hexwar check` and `hexwar bench`."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from hexwar import bench
from hexwar.bench._parts import exponent
from hexwar.testing._coverage.rule_coverage import load_coverage
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
        assert "leave --option out" in run("mutate", "bridgehead", "--planted", "bugs.py", "--option", "barrage").err

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
    def test_quickly_everything_is_measured(self, tmp_path: Path) -> None:
        """Given the installed rulesets, when all is measured quickly, then every table has figures, in all three forms."""
        json_file, svg_file = tmp_path / "figures.json", tmp_path / "play.svg"
        out = run("bench", "--quick", "--json", str(json_file), "--picture", str(svg_file)).out
        tables = json.loads(json_file.read_text(encoding="utf-8"))
        assert list(tables) == ["about", "play", "worlds", "kernels", "start", "growth", "memory", "strategies"]
        rows = {table: {row["name"]: row for row in tables[table]} for table in tables}
        for way in ("list", "staged", "sampled", "in-place"):
            assert {f"ava/campaign {way}", f"bridgehead/crossing {way}", f"tow/race {way}"} <= set(rows["play"])
        played = rows["play"]["ava/campaign staged"]
        assert played["actions/s"] < played["clicks/s"] < 2 * played["actions/s"]
        assert rows["play"]["ava/campaign list"]["options/action"] > played["options/action"] > 10
        assert rows["play"]["ava/campaign sampled"]["options/action"] == 1
        assert all(
            row["new_game again, ms"] > 0 < row["loading, µs/action"] for row in tables["worlds"] if "/field" not in row["name"]
        )
        assert rows["worlds"]["ava/campaign"]["x ava/campaign"] == 1
        assert {"wop/wkra", "tow/race", "bridgehead/crossing", "bench-new-game/field"} <= set(rows["worlds"])
        assert rows["kernels"]["reaches of 12 units"]["times"] > 1
        assert rows["start"]["cold process to the end of its first game"]["ms"] > rows["start"]["first new_game"]["ms"] > 0
        assert {row["by"] for row in tables["growth"]} == {"actions so far", "units on the map", "hexes of the map"}
        assert all(-1 < row["exponent"] < 1.5 for row in tables["growth"])
        assert (
            0 < rows["memory"]["a copy of a game"]["kB"] < 1000 < rows["memory"]["a fresh process with one game, at most"]["kB"]
        )
        assert {"boards()", "positions() of bridgehead"} <= set(rows["strategies"])
        assert all(name in out for table in rows.values() for name in table)
        drawn = ElementTree.fromstring(svg_file.read_text(encoding="utf-8"))
        assert {*rows["play"]} <= {text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")}

    def test_a_part_can_be_measured(self) -> None:
        tables = json.loads(run("bench", "--quick", "bridgehead", "sampled", "bot", "--json", "-").out)
        assert list(tables) == ["about", "play"]
        names = [row["name"] for row in tables["play"] if "/" in row["name"]]
        assert names == ["bridgehead/crossing sampled", "bridgehead/crossing bot"]

    def test_a_game_without_hexes_can_be_measured(self, toy: None) -> None:
        tables = bench.run(["toy/short", "play", "kernels"], quick=True)
        names = [row["name"] for row in tables["play"] if row["name"].startswith("toy/short")]
        assert names == [f"toy/short {way}" for way in ("list", "staged", "sampled", "in-place")]
        assert {"copy of a game"} < {row["name"] for row in tables["kernels"]}

    def test_what_is_unknown_is_a_sentence(self) -> None:
        ran = run("bench", "bridgehed")
        assert ran.code == 2
        assert "bridgehed" in ran.err
        assert "bridgehead" in ran.err

    def test_without_other_programs_there_are_no_ratios(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "chess", None)
        tables = bench.run(["bridgehead/crossing", "list", "play", "start"], quick=True)
        (row,) = tables["play"]
        assert row["name"] == "bridgehead/crossing list"
        assert row["actions/s"] > 0
        assert row["x chess"] is row["x Waterloo"] is row["scaled s/game"] is None
        assert [row["scaled ms"] for row in tables["start"]] == [None] * 5
        assert "actions a second</text>" in bench.picture(tables)

    def test_open_spiel_plays_beside_us_if_it_is_there(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "pyspiel", SimpleNamespace(load_game=lambda name: FakeSpiel()))
        rows = bench.run(["bridgehead/crossing", "sampled"], quick=True)["play"]
        (row,) = [row for row in rows if row["name"] == "OpenSpiel chess"]
        assert row["options/action"] == 3

    @pytest.mark.skipif(shutil.which("node") is None, reason="a module of Rally the Troops runs in node")
    def test_rally_the_troops_is_the_measure_if_it_is_there(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        """Given a module with the interface of Rally the Troops, then Waterloo is measured and not derived."""
        (tmp_path / "rules.js").write_text(FAKE_RALLY, encoding="utf-8")
        monkeypatch.setenv("HEXWAR_RTT", str(tmp_path))
        rows = {row["name"]: row for row in bench.run(["bridgehead/crossing", "sampled"], quick=True)["play"]}
        rally = rows["Rally the Troops"]
        assert (rally["x Waterloo"], rally["options/action"]) == (1, 3)
        assert rally["x chess"] != pytest.approx(0.53, rel=0.01)

    def test_a_figure_under_its_floor_fails_the_check(self, monkeypatch: pytest.MonkeyPatch) -> None:
        least, most = (next(floor for floor in bench.FLOORS if floor.less is less) for less in (False, True))

        def tables(factor: float) -> dict[str, list[bench.Row]]:
            found: dict[str, list[bench.Row]] = {}
            for floor, value in ((least, least.held * factor), (most, most.held / factor)):
                found.setdefault(floor.table, []).append({"name": floor.row, floor.column: value})
            return found

        monkeypatch.setattr(bench, "run", lambda words, *, quick: tables(1.1))
        assert run("bench", "--check").code == 0
        monkeypatch.setattr(bench, "run", lambda words, *, quick: tables(0.5))
        ran = run("bench", "--check")
        assert ran.code == 1
        assert f"{least.row}: {least.column} is {least.held / 2:.3g}, under its floor of {least.held:.3g}" in ran.err
        assert f"{most.row}: {most.column} is {most.held * 2:.3g}, over its limit of {most.held:.3g}" in ran.err
        assert run("bench").code == 0

    def test_goals_ask_at_least_as_much_as_was_asked(self) -> None:
        for floor in bench.FLOORS:
            assert floor.goal <= floor.asked if floor.less else floor.goal >= floor.asked, floor

    def test_exponents_are_those_of_the_curve(self) -> None:
        assert exponent([1, 2, 4, 8], [3, 12, 48, 192]) == pytest.approx(2)


class FakeSpiel:
    """As much of OpenSpiel as a random game needs."""

    left = 20

    def new_initial_state(self) -> FakeSpiel:
        return self

    def is_terminal(self) -> bool:
        sum(range(20_000))  # a game takes some time
        if self.left:
            return False
        self.left = 20
        return True

    def legal_actions(self) -> list[int]:
        return [1, 2, 3]

    def apply_action(self, action: int) -> None:
        assert action in self.legal_actions()
        self.left -= 1


FAKE_RALLY = """
exports.roles = ["Red", "Blue"]
exports.scenarios = ["Standard"]
exports.setup = (seed, scenario, options) => ({ active: "Red", state: "move", left: 20 })
exports.view = (state, role) => ({ actions: role === state.active ? { piece: [4, 7], done: 1, pass: 0, undo: 1 } : null })
exports.action = (state, role, action, arg) => {
    if (action === "undo" || (action === "piece" && arg !== 4 && arg !== 7)) throw new Error("not offered")
    for (let i = 0; i < 1e5; ++i) state.waste = (state.waste || 0) + i
    state.active = state.active === "Red" ? "Blue" : "Red"
    if (--state.left === 0) { state.active = "None"; state.state = "game_over" }
    return state
}
"""
