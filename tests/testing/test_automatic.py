"""Automatic mutants of a tiny game: which are made, who notices, what is kept, and what a report says."""

from __future__ import annotations

import builtins
import importlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

import pytest

from hexwar.cli import main
from hexwar.errors import HexwarError, UnknownName
from hexwar.plugins import Plugins, plugins, use_plugins
from hexwar.testing._mutants import desks
from hexwar.testing._mutants.judging import FORKS
from hexwar.testing._mutants.lines_run import Lines
from hexwar.testing._mutants.report import AutoTrial
from hexwar.testing._mutants.run import automatic
from hexwar.testing._mutants.target import Overlay, Target
from hexwar.workers import Worker, WorkerLost, Workers
from tests.plugins.sample import using
from tests.testing.heap_game import written
from tests.testing.planted import PROJECT

CHECKS = ("offered-actions-apply", "others-are-refused", "invariants-hold", "games-end")
HOUSE_RULE = PROJECT.parent / "house_rule_project" / "src" / "hexwar_thick_woods"


@pytest.fixture
def heap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder with the game's package, in which the test runs."""
    package = written(tmp_path)
    monkeypatch.setenv("HEXWAR_PLUGIN_FILE", str(package))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    use_plugins(None)
    yield tmp_path
    use_plugins(None)
    for name in [name for name in sys.modules if name.startswith("hexwar_heap")]:
        del sys.modules[name]


def wrong(after: str) -> str:
    """The id of the first mutant that makes a line read so."""
    return next(mutant.id for mutant in Target.of("heap").mutants if mutant.after == after)


def judged(*lines: str, **more: Any) -> dict[str, AutoTrial]:
    """Mistakes by the line with them."""
    report = automatic("heap", only=[wrong(line) for line in lines], jobs=1, **{"checks": CHECKS, **more})
    return {trial.mutant.after: trial for trial in report.trials}


@pytest.mark.usefixtures("heap")
def test_mistakes_are_made_in_rules_and_data_only() -> None:
    target = Target.of("heap")
    assert set(target.files) == {"hexwar_heap/__init__.py", "hexwar_heap/rules.py", "hexwar_heap/heap.toml"}
    assert {mutant.clauses for mutant in target.mutants if mutant.name == "rest"} == {("3.2",)}
    assert {mutant.clauses for mutant in target.mutants if mutant.after.startswith("heap =")} == {("3.1",)}
    assert not [mutant for mutant in target.mutants if mutant.name.endswith("__str__") or "kind" in mutant.before]


@pytest.mark.usefixtures("heap")
def test_a_sample_depends_on_its_seed_alone() -> None:
    one, same, other = (Target.of("heap").drawn(10, seed) for seed in (0, 0, 1))
    assert one == same
    assert one != other
    everything = Target.of("heap").drawn(None, 0)
    assert {mutant.id for mutant in (*one, *other)} <= {mutant.id for mutant in everything}
    assert len(everything) > 30
    without = Target.of("heap").drawn(10, 0, {one[0].id})
    assert one[0] not in without
    assert set(one[1:]) <= set(without), "the others stay"


def test_an_id_stays_when_lines_move(heap: Path) -> None:
    before = {mutant.id: mutant.edit.line for mutant in Target.of("heap").mutants if mutant.file.endswith("rules.py")}
    rules = heap / "hexwar_heap" / "rules.py"
    rules.write_text(rules.read_text(encoding="utf-8").replace("DATA =", "\n\nDATA ="), encoding="utf-8")
    after = {mutant.id: mutant.edit.line for mutant in Target.of("heap").mutants if mutant.file.endswith("rules.py")}
    assert before.keys() == after.keys()
    assert {after[id] - line for id, line in before.items()} == {2}


@pytest.mark.usefixtures("heap")
def test_who_notices() -> None:
    most, growing = "most = 4", "state.left += self.number"
    found = judged(most, growing, "return number - 1", "if True:")
    assert (found[growing].by, found[growing].verdict) == ("games-end", "caught")
    assert found["if True:"].by == "import"
    assert "nothing can be taken" in found["if True:"].message
    assert (found["return number - 1"].by, found["return number - 1"].verdict) == ("", "unreached")
    assert (found[most].by, found[most].verdict) == ("", "unnoticed"), "games go otherwise, and no check says so"


LINES = '''"""Nothing is run here."""

from __future__ import annotations

TWICE = [
    lambda number: 2 * number,
]


def sign(number: int) -> int:
    """1: of a number."""
    if number < 0:
        return -1
    elif number > 0:
        return 1
    return 0
'''


def test_modules_say_which_lines_are_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SourceFileLoader, "get_code", SourceFileLoader.get_code)
    monkeypatch.setattr(builtins, Lines._NAME, None, raising=False)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "hexwar_signs.py").write_text(LINES, encoding="utf-8")
    lines = Lines(str(tmp_path))
    signs = importlib.import_module("hexwar_signs")
    assert lines.run_lines() == {"hexwar_signs.py": [5, 10]}
    assert signs.__doc__ == "Nothing is run here."
    lines.begin()
    assert signs.sign(7) == 1
    assert lines.run_lines() == {"hexwar_signs.py": [12, 14, 15]}
    lines.begin()
    assert signs.TWICE[0](0) == 0
    assert lines.run_lines() == {"hexwar_signs.py": [6]}


@pytest.mark.usefixtures("heap")
def test_tests_notice_what_the_kit_does_not() -> None:
    found = judged("heap = 11 # 3.1", "most = 4", tests=["tests"])
    assert found["heap = 11 # 3.1"].by == "tests/test_heap.py::test_the_heap_is_ten"
    assert not found["heap = 11 # 3.1"].kit
    assert not found["most = 4"].by


def test_tests_that_fail_without_a_mistake_judge_nothing(heap: Path) -> None:
    file = heap / "tests" / "test_heap.py"
    file.write_text(file.read_text(encoding="utf-8").replace("10", "12"), encoding="utf-8")
    with pytest.raises(HexwarError, match=r"tests fail without a mistake: .*::test_the_heap_is_ten"):
        judged("most = 4", tests=["tests"])


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there is no such clock")
def test_tests_that_take_long_are_given_up(heap: Path) -> None:
    long = "import time\n\n\ndef test_long() -> None:\n    while True:\n        time.process_time()\n"
    (heap / "tests" / "test_long.py").write_text(long, encoding="utf-8")
    found = judged("heap = 11 # 3.1", tests=["tests"], patience=2.0)
    assert found["heap = 11 # 3.1"].by == "tests/test_heap.py::test_the_heap_is_ten"
    told = json.loads((heap / ".hexwar" / "mutants" / "heap-tests.json").read_text(encoding="utf-8"))["tests"]
    assert {name.rpartition("::")[2]: test["failed"] for name, test in told.items()} == {
        "test_the_heap_is_ten": False,
        "test_nothing": False,
        "test_long": True,
    }


@pytest.mark.usefixtures("heap")
def test_what_does_not_end_is_caught() -> None:
    [loop] = [mutant.id for mutant in Target.of("heap").mutants if (mutant.before, mutant.after) == ("number -= most", "pass")]
    report = automatic("heap", only=[loop], checks=CHECKS, jobs=1, patience=1.0)
    assert [trial.by for trial in report.trials] == ["endless"]
    assert report.trials[0].message.startswith("it does not end in ")


def test_results_are_kept(heap: Path) -> None:
    lines = ("most = 4", "state.left += self.number")
    first = judged(*lines)
    kept = heap / ".hexwar" / "mutants" / "heap.jsonl"
    assert len(kept.read_text(encoding="utf-8").splitlines()) == 2
    with kept.open("a", encoding="utf-8") as file:
        file.write('{"mutant": "half a li')
    told: list[AutoTrial] = []
    assert judged(*lines, progress=told.append) == first
    assert len(told) == 2
    assert len(kept.read_text(encoding="utf-8").splitlines()) == 2, "nothing was judged again"
    data = heap / "hexwar_heap" / "heap.toml"
    data.write_text(data.read_text(encoding="utf-8") + "more = 1\n", encoding="utf-8")
    judged(*lines, survivors=True)
    again = [json.loads(line)["mutant"] for line in kept.read_text(encoding="utf-8").splitlines()[2:]]
    assert again == [wrong("most = 4")], "what was caught once is not judged again"
    judged(*lines)
    assert len(kept.read_text(encoding="utf-8").splitlines()) == 4


@pytest.mark.skipif(os.name == "nt", reason="there is no such signal")
def test_a_run_that_is_stopped_loses_nothing(heap: Path) -> None:
    # Where the tests were started in the background, the signal is ignored by all that they start.
    program = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    program += "from hexwar.testing._mutants.run import automatic\n"
    program += f"automatic('heap', sample=12, checks={CHECKS[2:]!r}, jobs=1, patience=1.0)"
    words = [sys.executable, "-c", program]
    kept = heap / ".hexwar" / "mutants" / "heap.jsonl"
    run = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    until = time.monotonic() + 120
    while time.monotonic() < until and (not kept.exists() or kept.read_text(encoding="utf-8").count("\n") < 3):
        time.sleep(0.05)
    run.send_signal(signal.SIGINT)
    printed, _ = run.communicate(timeout=60)
    assert run.returncode != 0, printed
    before = kept.read_text(encoding="utf-8").splitlines()
    assert 3 <= len(before) < 12
    assert subprocess.run(words, capture_output=True, check=False, timeout=300).returncode == 0
    after = kept.read_text(encoding="utf-8").splitlines()
    assert after[: len(before)] == before
    assert len({json.loads(line)["mutant"] for line in after}) == len(after) == 12


def test_the_command_reports(heap: Path, capsys: pytest.CaptureFixture[str]) -> None:
    some = [word for line in ("most = 4", "return number - 1", "state.left += self.number") for word in ("--mutant", wrong(line))]
    checks = [word for check in CHECKS for word in ("--only", check)]
    words = ["mutate", "heap", *some, *checks, "--jobs", "1"]
    assert main([*words, "--html", "build"]) == 0
    printed = capsys.readouterr().out
    assert "These lines could be wrong, and nobody would notice:\n3.3:\n  hexwar_heap/rules.py" in printed
    assert "heap: 1 of 3 mutants are caught by the kit (33.3 %)" in printed
    page = (heap / "build" / "heap-mutants.html").read_text(encoding="utf-8")
    assert "<th>3.3</th>" in page
    assert 'class="left" id="hexwar_heap/heap.toml-2"' in page
    assert main([*words, "--json", "--fail-under", "50"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["caught"], told["survive"], told["percent"]) == (1, 2, 33.3)
    assert {mutant["verdict"] for mutant in told["mutants"]} == {"caught", "unnoticed", "unreached"}
    assert main(["mutate", "heap", "--list"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert any(line.endswith("most = 3  ->  most = 4") for line in listed)
    assert main(["mutate", "heap", "--mutant", "rules-00000000"]) > 1


def test_checks_that_fail_without_a_mistake_are_named(heap: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = heap / "hexwar_heap" / "rules.py"
    rules.write_text(
        rules.read_text(encoding="utf-8").replace("(at.state.left, 3) > 3", "(at.state.left, 3) > 2"), encoding="utf-8"
    )
    use_plugins(None)
    checks = [word for check in CHECKS for word in ("--only", check)]
    words = ["mutate", "heap", "--mutant", wrong("most = 4"), *checks, "--jobs", "1", "--html", "build"]
    assert main(words) == 0
    printed = capsys.readouterr()
    told = "invariants-hold fails without a mistake and judges nothing where it does: "
    assert told in printed.out
    assert told in printed.err
    assert told in (heap / "build" / "heap-mutants.html").read_text(encoding="utf-8")
    assert main([*words, "--json"]) == 0
    printed = capsys.readouterr()
    assert "large" in json.loads(printed.out)["broken"]["invariants-hold"]
    assert told in printed.err


def test_house_rules_have_mutants_of_their_own(tmp_path: Path) -> None:
    manager = Plugins()
    manager.load_file(HOUSE_RULE)
    with using(manager):
        assert set(Target.of("bridgehead").roots) == {Path(plugins_home("hexwar_bridgehead"))}
        target = Target.of("bridgehead", ["hexwar_thick_woods"])
        assert set(target.files) == {"hexwar_thick_woods/__init__.py"}
        [four] = [mutant for mutant in target.mutants if mutant.after == "return 5"]
        assert four.clauses == ("thick-woods.1",)
        overlay = Overlay(target.roots, tmp_path / "copy", plugins().files)
        overlay.put(four.file, four.edit.done(target.files[four.file].read_bytes()))
        copied = tmp_path / "copy" / "hexwar_thick_woods" / "__init__.py"
        assert overlay.plugin_files == [str(copied.parent)]
        assert "return 5" in copied.read_text(encoding="utf-8")
        overlay.restore(four.file)
        assert copied.read_bytes() == (HOUSE_RULE / "__init__.py").read_bytes()
        with pytest.raises(UnknownName, match="hexwar_nothing"):
            Target.of("bridgehead", ["hexwar_nothing"])


WOODS_TEST = """\
from hexwar.mechanics import Moving
from hexwar.testing import position


def test_woods_cost_two_points():
    units = {"b1": "0302", "r1": "0703"}
    game = position("bridgehead", units=units, options={"thick-woods": True}, step=Moving("blue", ("b1",)))
    assert game.query.reach("b1").costs["0301"] == 2
"""


def test_a_house_rule_in_a_file_is_judged_by_the_kit_and_by_its_tests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "thick_woods.py"
    file.write_bytes((HOUSE_RULE / "__init__.py").read_bytes())
    (tmp_path / "test_woods.py").write_text(WOODS_TEST, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    manager = Plugins()
    manager.load_file(file)
    with using(manager):
        mutants = Target.of("bridgehead", ["thick_woods.py"]).mutants
        report = automatic(
            "bridgehead",
            only=[mutant.id for mutant in mutants if mutant.after == "return 5"],
            within=["thick_woods.py"],
            options={"thick-woods": True},
            checks=["content-is-sound"],
            tests=["test_woods.py"],
            jobs=1,
        )
    assert [(trial.kit, trial.by) for trial in report.trials] == [("", "test_woods.py::test_woods_cost_two_points")]


def plugins_home(package: str) -> str:
    return str(Path(sys.modules[package].__file__ or "").parent)


def test_bots_kits_and_the_index_have_none() -> None:
    files = set(Target.of("ava").files)
    assert {"hexwar_ava/combat.py", "hexwar_ava/data/units.toml"} <= files
    assert not [file for file in files if "bot" in file or "/kit/" in file or file.endswith("data/rules.toml")]
    assert plugins().info("ava").kit


def test_tests_that_are_not_there_are_refused_before_anything_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(HexwarError, match="nowhere: there are no such tests"):
        automatic("bridgehead", tests=["nowhere"], folder=str(tmp_path))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(HexwarError, match=r"pip install 'hexwar\[testing\]'"):
        automatic("bridgehead", tests=[str(tmp_path)], folder=str(tmp_path))
    assert not list(tmp_path.iterdir())


def test_all_data_can_be_chosen_whatever_its_files_are_called() -> None:
    target = Target.of("bridgehead", ["data"])
    assert {Path(name).suffix for name in target.files} == {".toml"}
    assert {mutant.title for mutant in target.mutants if not mutant.clauses} >= {
        "no clause, hexwar_bridgehead/data/terrain.toml [arm.armour]"
    }


# -- who judges ---------------------------------------------------------------------------------------------------------------

SOME = ("most = 4", "return number - 1", "state.left += self.number", "if True:", "heap = 11 # 3.1")
PLACE = {"token": "a run", "ruleset": "heap", "roots": [], "digest": "another", "home": "another"}


@pytest.mark.usefixtures("heap")
def test_neither_the_number_of_processes_nor_who_has_them_changes_anything_nor_does_one_that_is_killed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    killed: list[Worker] = []

    class Mortal(Worker):
        """The first that are asked about mistakes are killed before they can answer."""

        def order(self, function: str, order: Any) -> None:
            super().order(function, order)
            if not order["traced"] and len(killed) < 2:
                killed.append(self)
                self._process.kill()

    def told(folder: str, **more: Any) -> list[AutoTrial]:
        """What became of each, however long it took."""
        report = automatic("heap", only=[wrong(line) for line in SOME], checks=CHECKS[3:], folder=folder, **more)
        return [replace(trial, cpu=0.0) for trial in report.trials]

    monkeypatch.setattr("hexwar.testing._mutants.run.AT_ONCE", 2)  # so that who caught some counts for those that follow
    alone = told("alone", jobs=1)
    assert [trial.by for trial in alone] == ["", "", "games-end", "import", ""]
    with Workers(1) as executor:
        assert told("elsewhere", executor=executor) == alone
    monkeypatch.setattr(desks, "Worker", Mortal)
    assert told("together", jobs=2) == alone
    assert len(killed) == 2
    assert not desks._desks, "all are gone when it is over"


def test_where_other_files_are_nothing_is_judged() -> None:
    with pytest.raises(HexwarError, match="its files or those of hexwar are not the same"):
        desks.judged(PLACE, {}, 1.0)


class LosingDesk:
    """Somebody ends its process each time, as a system does that runs out of memory."""

    def __init__(self, run: Any) -> None:
        self.asked = 0

    def ask(self, *order: Any) -> Any:
        self.asked += 1
        if self.asked % 2:
            raise WorkerLost("another process ended: it said nothing")
        return {"lost": "another process was killed"}

    def rest(self) -> None:
        pass


def test_one_that_is_killed_again_and_again_has_made_something_endless(monkeypatch: pytest.MonkeyPatch) -> None:
    known: dict[tuple[str, int], LosingDesk] = {}
    monkeypatch.setattr(desks, "Desk", LosingDesk)
    monkeypatch.setattr(desks, "_desks", known)
    assert desks.judged(PLACE, {}, 1.0) == {"ended": "another process ended: it said nothing"}
    assert [desk.asked for desk in known.values()] == [desks.RETRIES + 1]


@pytest.mark.skipif(not FORKS, reason="there are no forks, so each order has a process of its own")
def test_a_fork_that_somebody_kills_is_lost_and_one_beyond_its_limit_has_ended() -> None:
    with Worker() as worker:
        for sent in ("SIGKILL", "SIGXCPU"):
            worker.order("tests.testing.doubling:judged_by_one_that_dies", {"signal": sent, "tests": []})
        assert worker.answer() == {"lost": "another process was killed"}
        assert worker.answer() == {"ended": "a unit"}


def test_a_mistake_made_in_the_second_in_which_its_file_was_written_is_one(heap: Path, tmp_path: Path) -> None:
    file = heap / "hexwar_heap" / "number.py"
    file.write_text("one = 1\n", encoding="utf-8")
    overlay = Overlay([heap / "hexwar_heap"], tmp_path / "copy", [])
    overlay.put("hexwar_heap/number.py", b"one = 2\n")
    code = f"import sys; sys.path.insert(0, {str(tmp_path / 'copy' / 'hexwar_heap')!r}); import number; print(number.one)"
    said = subprocess.run([sys.executable, "-B", "-c", code], check=True, capture_output=True, text=True)
    assert said.stdout == "2\n"
