"""Other processes, other Pythons, and games without the plugins whose rules are off."""

from __future__ import annotations

import json
import os
import stat
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from click.testing import CliRunner

import hexwar.facade
from hexwar.engine import Game
from hexwar.mechanics import Stacking
from hexwar.plugins import plugins
from hexwar.testing import BUDGETS, CheckFailed, Corpus, Subject, check_ruleset
from hexwar.testing._checks.corpus import KnownGamesAgree, packed
from hexwar.testing._checks.processes import (
    OffIsAbsent,
    SameEverywhere,
    ask,
    in_pythons,
    other_pythons,
    play,
    record_of,
    without_variants,
)
from hexwar.testing._running.work_units import Unit, work
from hexwar.workers import Worker, WorkerFailed
from tests.engine import toy
from tests.plugins.sample import game_plugins, house_rule, using

QUICK = BUDGETS["quick"]


def same_everywhere(*pythons: str) -> str:
    with in_pythons(pythons):
        try:
            SameEverywhere(Subject.of(toy.RULESET), QUICK).run(0)
        except CheckFailed as error:
            return str(error)
    return ""


def script(path: Path, text: str) -> str:
    """A program that passes for a Python."""
    path.write_text(f"#!{sys.executable}\n{text}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


# -- other Pythons ---------------------------------------------------------------------------------------------------------------


def test_another_interpreter_plays_the_same_games() -> None:
    assert same_everywhere(sys.executable) == ""


def test_which_interpreters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXWAR_PYTHONS", os.pathsep.join(["python3.12", "", "/opt/python"]))
    assert other_pythons() == ("python3.12", "/opt/python")
    with in_pythons(None):
        assert other_pythons() == ("python3.12", "/opt/python")
    with in_pythons(["python3.13"]):
        assert other_pythons() == ("python3.13",)
    monkeypatch.delenv("HEXWAR_PYTHONS")
    assert other_pythons() == ()


def test_an_interpreter_that_is_not_there() -> None:
    told = same_everywhere("python0.9")
    assert "in python0.9 nothing can be compared: it cannot be run: No such file or directory" in told


def test_an_interpreter_without_hexwar(tmp_path: Path) -> None:
    bare = "import os, sys\nos.execv(sys.executable, [sys.executable, '-S', *sys.argv[1:]])"
    told = same_everywhere(script(tmp_path / "python", bare))
    assert "hexwar does not run there: No module named" in told
    assert "pip install hexwar[testing]" in told


def test_an_interpreter_that_plays_otherwise(tmp_path: Path) -> None:
    told = same_everywhere(script(tmp_path / "python", 'print(\'{"answer": ["options {}"]}\')'))
    assert f"in {tmp_path / 'python'} another process differs at item 0" in told


def test_a_question_that_the_ruleset_there_cannot_answer() -> None:
    with Worker(block=["bridgehead"]) as other:
        ask(other, play, Subject.of("bridgehead"), 0)
        with pytest.raises(WorkerFailed, match=r"^no ruleset is called 'bridgehead'"):
            other.answer()


def test_a_known_game_that_leaves_its_course_is_reported_as_that_and_by_one_check(tmp_path: Path) -> None:
    game = Subject.of("bridgehead").start("0")
    seat = game.to_move[0]
    game.apply(game.legal_actions(seat)[0], seat)
    twice = SimpleNamespace(history=[*game.history, *game.history])  # what cannot be done again
    file = tmp_path / "corpus.toml"
    decisions = json.dumps(packed(cast("Game", twice), 2))
    scenario = game.world.setup.scenario
    file.write_text(f'[[game]]\nscenario = "{scenario}"\nkey = "0"\nlooked = [0, 2]\ndecisions = {decisions}\n', encoding="utf-8")
    plain = Subject.of("bridgehead")
    subject = replace(plain, kit=plain.kit.extended([Corpus(file)]))
    [told] = [item for item in play(subject, 0) if item.startswith("known game 0: decision 1, ")]
    assert "was possible and is refused now" in told
    with pytest.raises(CheckFailed, match=r"known game 0 .* leaves its course: decision 1, "):
        KnownGamesAgree(subject, QUICK).run(0)
    result = work(QUICK, 0, Unit(subject, ("games-end", "offered-actions-apply"), "0", known=0))
    assert [error.check for error in result.found] == ["known-games-agree"]
    assert "leaves its course" in result.note


def test_one_that_never_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexwar.workers._PROGRAM", "import time; time.sleep(60)")
    monkeypatch.setattr("hexwar.testing._checks.processes.SECONDS", 0.2)
    assert "another process has not answered in 0.2 seconds" in same_everywhere()


def test_the_command_line_names_them() -> None:
    from hexwar.cli.check import check

    arguments = ["bridgehead", "--only", "same-everywhere", "--python", "python0.9", "--json"]
    result = CliRunner().invoke(check, arguments, standalone_mode=False)
    assert result.return_value == 1
    assert "in python0.9 nothing can be compared" in result.output


# -- rules that are off ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ruleset", "scenario"), [("bridgehead", "crossing"), ("ava", "training")])
def test_off_is_absent(ruleset: str, scenario: str) -> None:
    assert plugins().variants(ruleset)
    assert check_ruleset(ruleset, only=["off-is-absent"], scenarios=[scenario]).passed


def test_who_brings_variants() -> None:
    assert plugins().foreign_plugins("ava") == ("ava-optional",)
    assert plugins().foreign_plugins("bridgehead") == ()
    assert plugins().foreign_plugins("nothing") == ()


def test_without_variants_there_are_none() -> None:
    before = plugins()
    with without_variants():
        assert plugins().variants("bridgehead") == {}
        assert [option.id for option in plugins().options("bridgehead")] == ["barrage"]
    assert plugins() is before
    assert plugins().variants("bridgehead")


class Alone(Stacking):
    """One unit in a hex."""

    def limit(self, side: str, label: str) -> int:
        return 1


def test_a_variant_that_is_resolved_although_it_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    resolve: Any = vars(hexwar.facade)["resolve_variants"]

    def every(variants: Any) -> Any:
        return resolve(list(plugins().variants("bridgehead").values()))

    with using(game_plugins()):
        monkeypatch.setattr(hexwar.facade, "resolve_variants", every)
        plugins().register(house_rule(PARTS={"stacking": Alone}), "house")
        told = off_is_absent()
    assert "without the variants the game differs at item" in told


def test_a_plugin_that_changes_the_rules_when_it_is_imported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In this process nothing shows it; in one without the plugin it does."""
    file = tmp_path / "house.py"
    file.write_text(
        "from hexwar import Variant, hookimpl\n"
        "from hexwar.mechanics import Stacking\n"
        "import hexwar_bridgehead.staff as staff\n"
        "staff.BridgeheadCup.common = lambda self, at: ('supply', 'supply')\n"
        "@hookimpl\n"
        "def hexwar_variants():\n"
        "    return [Variant('house', 'bridgehead', 'House rule', __name__)]\n"
        "class Same(Stacking):\n"
        "    pass\n"
        "PARTS = {'stacking': Same}\n",
        encoding="utf-8",
    )
    from hexwar_bridgehead.staff import BridgeheadCup

    monkeypatch.setattr(BridgeheadCup, "common", BridgeheadCup.common)  # what the file changes is put right afterwards
    with using(game_plugins()):
        plugins().load_file(file)
        told = off_is_absent()
    assert "without the plugins house the game differs at item" in told


def off_is_absent() -> str:
    try:
        OffIsAbsent(Subject.of("bridgehead"), QUICK).run(0)
    except CheckFailed as error:
        return str(error)
    return ""


def test_the_record_of_a_game_has_offers_and_the_save() -> None:
    subject = Subject.of("bridgehead")
    record = record_of(subject, 2)
    assert record == record_of(subject, 2)
    assert record != record_of(subject, 3)
    assert any('"seal"' in line for line in record)
