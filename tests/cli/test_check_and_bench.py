"""`hexwar check` and `hexwar bench`."""

from __future__ import annotations

import json

import pytest

from hexwar import bench
from tests.cli.helpers import run


class TestCheck:
    def test_a_good_ruleset_passes(self, toy: None) -> None:
        ran = run("check", "toy", "--seed", "1", "--report", "failures")
        assert ran.out.splitlines()[0].startswith("toy 1.0")
        assert ran.code in (0, 1)
        assert ("passed" in ran.out.splitlines()[-1]) == (ran.code == 0)

    def test_a_failed_check_is_exit_code_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        import hexwar.testing

        class Bad:
            passed = False

            def lines(self) -> list[str]:
                return ["1 of 1 checks failed"]

            def to_json(self) -> dict[str, bool]:
                return {"passed": False}

        monkeypatch.setattr(hexwar.testing, "check_ruleset", lambda *words, **more: Bad())
        assert run("check", "bridgehead").code == 1
        ran = run("check", "bridgehead", "--json")
        assert ran.code == 1
        assert json.loads(ran.out) == {"passed": False}

    @pytest.mark.parametrize(
        ("words", "sentence"),
        [
            (["zzz"], "no ruleset is called"),
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
        assert {"random play", "reach of a unit", "supply of a side", "state copy", "rule hook"} <= set(names)
        assert {"example of boards()", "example of positions() of bridgehead"} <= set(names)
        assert all(figure["rate"] or figure["ours"] > 0 for figure in data["figures"])

    def test_figures_read_well(self) -> None:
        assert str(bench.Figure("a", rate=1234.5, unit="actions")) == "a: 1,234 actions"
        assert str(bench.Figure("b", 0.002)) == "b: 2 ms"
        assert str(bench.Figure("c", 2e-6, 8e-6, "other", 4.0)) == "c: 2 µs; other: 8 µs; 4.0 times"

    def test_the_module_is_a_program(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        monkeypatch.setattr(bench, "run", lambda *, quick: [bench.Figure("a", 1.0)])
        assert bench.main(["--quick"]) == 0
        assert capsys.readouterr().out == "a: 1 s\n"
        assert bench.main(["--json"]) == 0
        assert json.loads(capsys.readouterr().out)["figures"][0]["name"] == "a"
