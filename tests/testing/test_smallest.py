"""The smallest position: nothing is left that has no part in a fault, and what is left shows it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import hexwar
from hexwar.testing import CheckFailed, Failure, check_ruleset, recheck
from hexwar.testing._reports.folders import read_note
from hexwar.testing._shrinking.smallest import SmallPosition, likeness
from tests.cli.helpers import run
from tests.engine import toy
from tests.testing import mutants
from tests.testing.test_failures import failing


def smallest(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, plant: Any, check: str) -> tuple[SmallPosition, Failure, Path]:
    failure, folder, _ = failing(monkeypatch, tmp_path, plant, check)
    assert failure.smallest is not None
    return failure.smallest, failure, folder


def test_two_units_that_share_a_hex_are_left(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    small, failure, folder = smallest(monkeypatch, tmp_path, mutants.enemy_hexes_are_open, "invariants-hold")
    assert small.units == 2 < small.units_before
    game = hexwar.position(folder / "position.toml")
    assert len(game.state.locations) == 2
    assert small.moves == failure.moves[-1:]
    assert len(set(small.after.state.locations.values())) == 1


def test_three_units_where_two_may_stand_are_left(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    small, _, _ = smallest(monkeypatch, tmp_path, mutants.stacking_is_ignored, "invariants-hold")
    assert small.units == 3


def test_the_position_shows_the_fault_until_it_is_gone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    small, _, _ = smallest(monkeypatch, tmp_path, mutants.dice_can_be_taken_back, "undo-goes-back")
    with pytest.raises(CheckFailed, match="undo-goes-back"):
        recheck("undo-goes-back", "bridgehead", small.moves, position=small.text, dice=small.dice)
    monkeypatch.undo()
    recheck("undo-goes-back", "bridgehead", small.moves, position=small.text, dice=small.dice)


def test_a_move_at_which_the_rules_fail(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    small, failure, folder = smallest(monkeypatch, tmp_path, mutants.supply_check_fails, "offered-actions-apply")
    assert "ZeroDivisionError: supply" in small.message
    assert not (folder / "after.svg").exists()
    assert "the rules fail at this move" in (folder / "REPORT.md").read_text(encoding="utf-8")
    note = read_note(folder / "minimal.json")
    assert note is not None
    assert note.move == len(failure.moves)


def test_a_ruleset_that_is_not_installed_has_one_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    small, _, folder = smallest(monkeypatch, tmp_path, mutants.enemy_wish_limits_mine, "secret-choices-stay-secret")
    with pytest.raises(CheckFailed, match="secret-choices-stay-secret"):
        recheck("secret-choices-stay-secret", toy.RULESET, small.moves, position=small.text, dice=small.dice, looked=small.looked)
    assert not (folder / "position.svg").exists(), "it has no board"
    assert "![The position]" not in (folder / "REPORT.md").read_text(encoding="utf-8")


def test_a_fault_that_hangs_on_the_past_has_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    failure, folder, _ = failing(monkeypatch, tmp_path, mutants.every_second_game_is_another, "replays-agree")
    assert failure.smallest is None
    assert not (folder / "position.toml").exists()
    assert "it may depend on the way there" in (folder / "REPORT.md").read_text(encoding="utf-8")


def test_the_same_fault_is_known_by_its_words_and_its_place() -> None:
    def failed(message: str, error: Exception | None = None) -> CheckFailed:
        found = CheckFailed("a-check", message)
        found.__cause__ = error
        return found

    assert likeness(failed("b1, r2 share 0403: Move(unit='b1')")) == likeness(failed("b3, r4 share 0505: Move(unit='b3')"))
    assert likeness(failed("it fails: KeyError: 'b1'")) != likeness(failed("it fails: ValueError: b1"))
    assert likeness(failed("zones differ")) != likeness(failed("stacks differ"))
    raised: list[Exception] = []
    for wrong in ("{", "1 2"):  # the same error from two places
        with pytest.raises(ValueError, match="line 1") as caught:
            json.loads(wrong)
        raised.append(caught.value)
    assert likeness(failed("it fails", raised[0])) != likeness(failed("it fails", raised[1]))


# -- the folder -----------------------------------------------------------------------------------------------------------


def test_pictures_frame_what_the_last_move_is_about(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    small, _, folder = smallest(monkeypatch, tmp_path, mutants.enemy_hexes_are_open, "invariants-hold")
    for name in ("position", "after"):
        svg = (folder / f"{name}.svg").read_text(encoding="utf-8")
        assert svg.count('class="marked"') == 1
        assert svg.count('stroke="#d00000"') == 2  # where the unit came from, and where it went
    assert (folder / "position.png").read_bytes().startswith(b"\x89PNG")
    assert small.units == 2


def test_what_an_older_report_left_is_removed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _, folder, _ = failing(monkeypatch, tmp_path, mutants.walking_back, "invariants-hold")
    (folder / "leftover.svg").write_text("old", encoding="utf-8")
    (folder / "REPORT.md").write_text("old", encoding="utf-8")
    _, again, _ = failing(monkeypatch, tmp_path, mutants.walking_back, "invariants-hold")
    assert again == folder
    assert not (folder / "leftover.svg").exists()
    assert (folder / "REPORT.md").read_text(encoding="utf-8") != "old"


def test_nothing_is_lost_where_nothing_can_be_printed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fail(self: object) -> str:
        raise TypeError("no words")

    ruleset = mutants.walking_back(monkeypatch)
    for kind in (*toy.RULESET.actions, *toy.RULESET.steps):
        monkeypatch.setattr(kind, "__repr__", fail)
        monkeypatch.setattr(kind, "__str__", fail)
    (failure,) = check_ruleset(ruleset, only=["invariants-hold"], report_dir=tmp_path).failures
    assert failure.folder is not None
    names = {path.name for path in failure.folder.iterdir()}
    assert names >= {"REPORT.md", "replay.json", "minimal.json", "fault.json", "position.toml"}
    assert len(json.loads((failure.folder / "minimal.json").read_text(encoding="utf-8"))["decisions"]) == len(failure.moves)
    text = (failure.folder / "REPORT.md").read_text(encoding="utf-8")
    assert failure.message in text
    assert "whose repr fails: TypeError: no words" in text


# -- the command line -----------------------------------------------------------------------------------------------------


def test_replay_marks_the_action_and_tells_what_is_wrong(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _, failure, folder = smallest(monkeypatch, tmp_path, mutants.enemy_hexes_are_open, "invariants-hold")
    told = run("replay", str(folder / "minimal.json"))
    count = len(failure.moves)
    assert f">> action {count}, {failure.moves[-1][0]}: {failure.moves[-1][1]}" in told.out
    assert f"invariants-hold fails at action {count} of {count}." in told.out
    assert failure.message in told.out
    found = run("replay", str(folder / "replay.json"))
    assert f"invariants-hold fails at action {failure.found_after} of " in found.out
    early = run("replay", str(folder / "minimal.json"), "--to", "1")
    assert "invariants-hold" not in early.out


def test_replay_steps_or_shows_the_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _, failure, folder = smallest(monkeypatch, tmp_path, mutants.enemy_hexes_are_open, "invariants-hold")
    file = str(folder / "minimal.json")
    stepped = run("replay", file, "--step", typed="\n" * len(failure.moves))
    assert stepped.code == 0
    assert stepped.out.count("Enter goes on") == len(failure.moves)
    ended = run("replay", file, "--at-end")
    assert "______" in ended.out
    assert "chits go into the cup" not in ended.out
    both = run("replay", file, "--step", "--at-end")
    assert both.code == 2
    assert "choose one" in both.err


def test_positions_can_be_shown_and_played(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _, _, folder = smallest(monkeypatch, tmp_path, mutants.enemy_hexes_are_open, "invariants-hold")
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    file = str(folder / "position.toml")
    text = Path(file).read_text(encoding="utf-8")
    shown = run("show", file).out
    assert all(unit in shown for unit in hexwar.position(Path(file)).state.locations)
    assert run("show", file, "-o", "now.svg").code == 0
    played = run("play", "--load", file, "--bots", "--seed", "1", "--quiet")
    assert played.code == 0
    assert Path(file).read_text(encoding="utf-8") == text  # a position is not a save
    assert "leave them out" in run("play", "bridgehead", "--load", file).err


def test_a_note_that_is_none_of_ours_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "fault.json").write_text('{"check": 1, "games": []}', encoding="utf-8")
    assert read_note(tmp_path / "minimal.json") is None
    assert read_note(tmp_path / "elsewhere" / "minimal.json") is None
