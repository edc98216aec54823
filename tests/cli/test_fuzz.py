"""`hexwar fuzz`: the table, its JSON form, and the exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hexwar.mechanics import Move, Moves
from hexwar.testing import SORTS, fuzz_ruleset
from hexwar.testing._running.secrecy import CHANNELS
from hexwar.workers import Workers
from tests.cli.helpers import run


def test_a_table_of_all_sorts_and_channels() -> None:
    done = run("fuzz", "bridgehead", "--attempts", "300")
    assert done.code == 0, done.out
    for word in (*SORTS, *CHANNELS):
        assert f"\n  {word} " in done.out
    assert done.out.rstrip().endswith("passed")
    assert "crossing" in done.out


def test_a_killed_process_does_not_end_it() -> None:
    """Given two processes that play, when one is killed, then others go on to the number that was asked for."""
    killed: list[int] = []

    def kill(total: object) -> None:
        if not killed:
            worker = next(iter(workers._running))
            worker._process.kill()
            killed.append(worker._process.pid)

    with Workers(2) as workers:
        report = fuzz_ruleset("bridgehead", attempts=3000, jobs=2, progress=kill, executor=workers)
    assert killed
    assert report.passed
    assert report.outcome.attempts.total() >= 3000


def test_json() -> None:
    done = run("fuzz", "bridgehead", "--attempts", "200", "--scenario", "crossing", "--seed", "4", "--json")
    data = json.loads(done.out)
    assert data["passed"] is True
    assert data["seed"] == 4
    assert sum(data["attempts"].values()) >= 200
    assert sum(data["compared"].values()) >= 200


def test_options_hold_in_every_game() -> None:
    done = run("fuzz", "bridgehead", "--attempts", "200", "--option", "barrage", "--json")
    assert list(json.loads(done.out)["games"]) == ["crossing barrage"]
    done = run("fuzz", "bridgehead", "--attempts", "200", "--option", "barrage=off", "--json")
    assert list(json.loads(done.out)["games"]) == ["crossing barrage=off"]


def test_minutes_alone_are_enough() -> None:
    done = run("fuzz", "bridgehead", "--minutes", "0.01")
    assert done.code == 0, done.out


def test_what_is_found_is_told_and_the_exit_code_is_1(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    find = Moves.find
    monkeypatch.setattr(Moves, "find", lambda self, action: find(self, action) or (action if isinstance(action, Move) else None))
    done = run("fuzz", "bridgehead", "--attempts", "2000", "--report", str(tmp_path))
    assert done.code == 1
    assert "offered-actions-apply" in done.out, "a move out of reach is accepted, and then there is no way"
    assert list(tmp_path.glob("offered-actions-apply-*/REPORT.md"))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("nothing",), "nothing"),
        (("bridgehead", "--scenario", "nowhere"), "nowhere"),
        (("bridgehead", "--attempts", "0"), "0"),
    ],
)
def test_bad_words_are_a_sentence(words: tuple[str, ...], told: str) -> None:
    done = run("fuzz", *words)
    assert done.code != 0
    assert told in done.sentence
