"""State machines for authors: planted faults are found, printed as moves, and leave a folder with the game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import invariant, rule, run_state_machine_as_test

import hexwar
from hexwar.engine import Game
from hexwar.errors import HexwarError, Refusal
from hexwar.mechanics import Move
from hexwar.testing import CheckFailed, RulesetMachine, Subject
from tests.engine import toy
from tests.testing import mutants

FEW = settings(max_examples=12, stateful_step_count=20, deadline=None, database=None, derandomize=True)
FOUND = settings(FEW, max_examples=200, phases=(Phase.generate,), report_multiple_bugs=False)
SHRUNK = settings(FOUND, phases=(Phase.generate, Phase.shrink))
"""It takes many times as long."""


class Bridgehead(RulesetMachine):
    ruleset = "bridgehead"


class Toy(RulesetMachine):
    ruleset = toy.RULESET
    checks = ("invariants-hold", "no-dead-ends")
    tries_others = False


def failure_of(machine: type[RulesetMachine], how: settings = FOUND) -> tuple[Exception, str]:
    """What a machine finds, and what Hypothesis prints."""
    with pytest.raises(Exception) as raised:  # noqa: PT011 - the tests say which
        run_state_machine_as_test(machine, settings=how)
    return raised.value, "\n".join(getattr(raised.value, "__notes__", ()))


@pytest.mark.parametrize("machine", [Bridgehead, Toy])
def test_sound_rulesets_pass(machine: type[RulesetMachine]) -> None:
    run_state_machine_as_test(machine, settings=FEW)


def test_games_may_come_to_their_end(monkeypatch: pytest.MonkeyPatch) -> None:
    over: list[bool] = []
    monkeypatch.setattr(Toy, "teardown", lambda self: over.append(not self.game.to_move))
    run_state_machine_as_test(Toy, settings=settings(FEW, stateful_step_count=60))
    assert any(over)


def test_a_broken_invariant_of_the_ruleset_is_found_and_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    planted = mutants.walking_back(monkeypatch)

    class Broken(RulesetMachine):
        ruleset = planted
        tries_others = saves = False
        report_dir = tmp_path

    error, printed = failure_of(Broken)
    assert isinstance(error, CheckFailed)
    assert error.check == "invariants-hold"
    assert "state.play(action=Walk(" in printed
    assert "invariants-hold" in printed
    (folder,) = tmp_path.iterdir()
    assert str(folder) in printed
    assert {"replay.json", "minimal.json", "REPORT.md"} <= {file.name for file in folder.iterdir()}


def test_rules_that_raise_are_reported_as_the_kit_reports_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fail(self: object, play: object, seat: str, action: object) -> None:
        raise ZeroDivisionError("in the middle")

    monkeypatch.setattr(toy.Walking, "perform", fail)

    class Crashing(RulesetMachine):
        ruleset = toy.RULESET
        tries_others = saves = False
        report_dir = tmp_path

    error, _ = failure_of(Crashing)
    assert isinstance(error, CheckFailed)
    assert error.check == "offered-actions-apply"
    assert any(folder.name.startswith("offered-actions-apply-") for folder in tmp_path.iterdir())


def test_an_authors_own_invariant_is_found_and_its_game_kept(tmp_path: Path) -> None:
    class Homebody(RulesetMachine):
        """b1 never leaves its hex."""

        ruleset = "bridgehead"
        undoes = saves = tries_others = False
        report_dir = tmp_path

        @invariant()
        def stays(self) -> None:
            assert not any(isinstance(move.action, Move) for move in self.game.history), "somebody moved"

    error, printed = failure_of(Homebody, SHRUNK)
    assert isinstance(error, AssertionError)
    assert "state.play(action=Move(unit=" in printed
    (folder,) = tmp_path.iterdir()
    assert folder.name.startswith("machine-homebody-")
    assert "b1 never leaves its hex." in (folder / "REPORT.md").read_text(encoding="utf-8")
    game = hexwar.load_game(folder / "minimal.json")
    assert sum(isinstance(move.action, Move) for move in game.history) == 1
    assert f"hexwar replay {folder / 'minimal.json'}" in printed


def test_rules_of_ones_own_play_before_the_same_eyes() -> None:
    class Passing(RulesetMachine):
        ruleset = toy.RULESET
        tries_others = False
        played = 0

        @rule()
        def dullest(self) -> None:
            if self.game.to_move:
                seat = self.game.to_move[0]
                self.do(seat, self.game.legal_actions(seat)[0])
                type(self).played += 1

        @rule()
        def nonsense(self) -> None:
            if self.game.to_move:
                with pytest.raises(Refusal):
                    self.do(self.game.to_move[0], toy.Walk(99))

    run_state_machine_as_test(Passing, settings=FEW)
    assert Passing.played


def test_dice_that_can_be_taken_back_are_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mutants.dice_can_be_taken_back(monkeypatch)

    class Gambling(RulesetMachine):
        ruleset = toy.RULESET
        tries_others = saves = False
        report_dir = tmp_path

    error, printed = failure_of(Gambling)
    assert isinstance(error, CheckFailed)
    assert error.check == "undo-goes-back"
    assert "state.undo()" in printed


def test_an_open_gate_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    judge = Game._judge

    def lenient(self: Game, action: Any, side: str | None) -> Any:
        seat, offered, refusal = judge(self, action, side)
        if refusal is not None and isinstance(action, toy.Walk) and action in self.offered():
            return self.to_move[0], action, None
        return seat, offered, refusal

    monkeypatch.setattr(Game, "_judge", lenient)

    class Open(RulesetMachine):
        ruleset = toy.RULESET
        saves = undoes = False
        report_dir = tmp_path

    error, printed = failure_of(Open)
    assert isinstance(error, CheckFailed)
    assert error.check == "others-are-refused"
    assert "state.try_illegal(action=Walk(" in printed


def test_saves_that_lose_something_are_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    load = Subject.load

    def forgetful(self: Any, path: Any) -> Any:
        game = load(self, path)
        game._state = game.state.copy()
        game._state.round += 1
        return game

    monkeypatch.setattr(Subject, "load", forgetful)

    class Forgetful(RulesetMachine):
        ruleset = toy.RULESET
        tries_others = False
        report_dir = tmp_path

    error, printed = failure_of(Forgetful)
    assert isinstance(error, CheckFailed)
    assert error.check == "saves-carry-everything"
    assert "state.save_and_load()" in printed


def test_what_is_wrong_with_a_machine_is_said() -> None:
    class Nameless(RulesetMachine):
        pass

    class Surveying(RulesetMachine):
        ruleset = "bridgehead"
        checks = ("content-is-sound",)

    with pytest.raises(HexwarError, match="Nameless names no ruleset"):
        Nameless()
    with pytest.raises(HexwarError, match="content-is-sound looks at no game"):
        Surveying()
