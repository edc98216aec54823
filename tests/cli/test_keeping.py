"""Nothing that a player did is lost: not to a kill, a closed window, a full disk, a failing bot or a slip of his own."""

from __future__ import annotations

import errno
import os
import random
import re
import signal
import stat
import sys
import time
from pathlib import Path
from typing import Any

import click
import pytest

import hexwar
from hexwar.bots import GreedyBot
from hexwar.table.chronicle import Chronicle
from tests.cli.helpers import run
from tests.cli.terminals import Terminal, terminal
from tests.disks import KINDS, disk

BLUE = ["bridgehead", "--seed", "3", "--bot", "red=random"]
"""A person plays blue."""
KILLED = 8
"""How many games are killed at random moments in a run of the tests; HEXWAR_KILLED has another number."""


def games() -> list[Path]:
    """The games for which nobody named a file."""
    return sorted(Path(os.environ["XDG_DATA_HOME"], "hexwar", "saves").glob("*.hexwar"))


def length(path: str | Path) -> int:
    return len(hexwar.load_game(path).history)


class TestWhatIf:
    def test_what_is_tried_out_is_marked_and_happens_nowhere_else(self) -> None:
        """The player decides for both sides; the game's file does not know of it, and nothing of it can be saved."""
        ran = run("play", *BLUE, typed="what if\n1\n1\n1\nsave supposed.hexwar\nquit\n2\nquit\n")
        there, back, after = ran.out.partition("Back in the game: nothing of that has happened.")
        assert back
        assert there.count("IMAGINED, NOT THE GAME.") >= 4
        assert "IMAGINED" not in after
        assert "Nothing that is possible now fits 'save supposed.hexwar'" in there
        assert not Path("supposed.hexwar").exists()
        assert [str(it.action) for it in hexwar.load_game(games()[0]).history if it.seat == "blue"] == ["select bB"]

    def test_it_ends_where_nobody_types_any_more(self) -> None:
        assert run("play", *BLUE, typed="what if\n1\n").out.count("Back in the game") == 1


class TestWithoutAName:
    def test_it_is_kept_and_resumed_with_its_bots(self) -> None:
        first = run("play", *BLUE, typed="1\n")
        assert 'bridgehead-1.hexwar: "hexwar play --resume" goes on with it' in " ".join(first.out.split())
        assert f"To go on: hexwar play --load {games()[0]} --bot red=random" in first.out
        before = length(games()[0])
        again = run("play", "--resume", typed="1\nquit\n")
        assert "red: random" in again.out
        assert len(games()) == 1
        assert length(games()[0]) > before

    def test_an_earlier_game_is_not_lost_to_a_later_one(self) -> None:
        for typed in ("1\n", "2\n"):
            run("play", *BLUE, typed=typed)
        assert [str(hexwar.load_game(game).history[-1].action) for game in games()] == ["select bA", "select bB"]

    def test_only_the_user_reads_it(self) -> None:
        run("play", *BLUE, typed="1\n")
        (game,) = games()
        assert [stat.S_IMODE(it.stat().st_mode) for it in (game, game.parent, game.parent.parent)] == [0o600, 0o700, 0o700]

    def test_a_game_of_an_earlier_version_is_found_where_it_lies(self, save: str) -> None:
        former = Path(os.environ["XDG_CONFIG_HOME"], "hexwar", "games")
        former.mkdir(parents=True)
        game = Path(save).rename(former / "bridgehead-1.hexwar")
        game.with_suffix(".bots").write_text('{"red": "random"}')
        ran = run("play", "--resume", typed="1\nquit\n")
        assert f"Every action is kept in {game}" in " ".join(ran.out.split())
        assert length(game) > 60
        assert not games()

    def test_nothing_waits_where_nothing_was_played_or_the_game_is_over(self) -> None:
        run("play", "bridgehead", "--seed", "1", typed="\n")
        run("play", "bridgehead", "--seed", "1", "--bots", "--quiet")
        assert not games()
        refused = run("play", "--resume")
        assert refused.code == 2
        assert "no game of any ruleset waits in" in refused.err

    def test_a_finished_game_stays_and_is_not_resumed(self, save: str) -> None:
        game = hexwar.load_game(save)
        chance = random.Random(1)
        while game.to_move:
            game.apply(game.offered(game.to_move[0]).sample(chance), game.to_move[0])
        last = game.history[-1]
        game.after(len(game.history) - 1).save("almost.hexwar")
        other = next(seat for seat in game.world.seats if seat != last.seat)
        words = ["--load", "almost.hexwar", "--to", str(len(game.history) - 1), "--bot", f"{other}=random"]
        assert "Saved: " in run("play", *words, typed=f"{last.action}\n").out
        assert length(games()[0]) == len(game.history)
        assert run("play", "--resume").code == 2

    def test_a_place_that_cannot_be_written_is_no_reason_not_to_play(
        self, monkeypatch: pytest.MonkeyPatch, own_folder: Path
    ) -> None:
        (own_folder / "file").write_text("no folder")
        monkeypatch.setenv("XDG_DATA_HOME", str(own_folder / "file"))
        ran = run("play", *BLUE, typed="1\nsave mine.hexwar\n1\nquit\n")
        assert "the game is not kept" in ran.err
        assert "To go on: hexwar play --load mine.hexwar" in ran.out
        assert length("mine.hexwar") >= 3

    def test_what_does_not_go_together(self, save: str) -> None:
        assert "leave --load out" in run("play", "--resume", "--load", save).err
        assert "--board and --to are for a game that is loaded" in run("play", "bridgehead", "--to", "3").err


class TestNames:
    def test_the_place_is_tried_before_the_first_move(self, own_folder: Path) -> None:
        (own_folder / "mine.hexwar").mkdir()
        for path in ("mine.hexwar", "no/where.hexwar"):
            ran = run("play", *BLUE, "--save", path, typed="1\n")
            assert (ran.code, ran.out) == (2, "")
            assert "cannot be written" in ran.err

    def test_no_other_game_is_written_over(self, save: str) -> None:
        ran = run("play", *BLUE, "--save", save, typed="1\n")
        assert ran.code == 2
        assert "mid.hexwar: is there already; --load goes on with it" in ran.err
        assert "it is not overwritten" in run("play", *BLUE, typed=f"1\nsave {save}\n").out
        assert length(save) == 60

    def test_another_name_in_the_middle_takes_the_game_along(self) -> None:
        run("play", *BLUE, typed="1\nsave mine.hexwar\n1\nsave mine.hexwar\n")
        assert length("mine.hexwar") >= 3
        assert not games()

    def test_what_was_taken_back_is_taken_back_in_the_file(self) -> None:
        run("play", *BLUE, "--save", "mine.hexwar", typed="1\n1\n")
        before = length("mine.hexwar")
        run("play", "--load", "mine.hexwar", "--bot", "red=random", typed="undo\nquit\n")
        assert length("mine.hexwar") == before - 1


class TestLoaded:
    def test_bots_do_not_write_on_in_a_game_that_was_loaded(self, save: str) -> None:
        kept = Path(save).read_bytes()
        assert run("play", "--load", save, "--bots", "--quiet").code == 0
        assert Path(save).read_bytes() == kept
        run("play", "--load", save, "--bots", "--quiet", "--save", "end.hexwar")
        assert hexwar.load_game("end.hexwar").result is not None

    def test_it_changes_when_a_person_decides_something(self, save: str) -> None:
        kept, seat = Path(save).read_bytes(), hexwar.load_game(save).to_move[0]
        other = "red" if seat == "blue" else "blue"
        words = ["play", "--load", save, f"--bot={other}=random"]
        assert "Nothing was played yet." in run(*words, typed="status\nquit\n").out
        assert Path(save).read_bytes() == kept
        run(*words, typed="1\nquit\n")
        assert length(save) > 60

    def test_an_earlier_action_is_gone_on_from_in_another_file(self, save: str) -> None:
        kept = Path(save).read_bytes()
        ran = run("play", "--load", save, "--to", "20", typed="\n1\n")
        assert ran.code == 0
        assert Path(save).read_bytes() == kept
        assert hexwar.load_game(games()[0]).history[:20] == hexwar.load_game(save).history[:20]
        assert length(games()[0]) == 21
        assert "so there is nothing after 99" in run("play", "--load", save, "--to", "99").err


def test_a_full_disk_is_told_and_the_game_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a disk that is full for a while, then the players hear so once, and everything is there when there is room again."""
    flush, calls = os.fsync, [0]

    def sometimes(handle: int) -> None:
        calls[0] += 1
        if 2 <= calls[0] <= 4:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        flush(handle)

    monkeypatch.setattr(os, "fsync", sometimes)
    ran = run("play", *BLUE, "--save", "mine.hexwar", typed="1\n1\n1\nundo\nquit\n")
    told = " ".join(ran.err.split())
    assert told.count("THE GAME IS NOT KEPT: mine.hexwar: cannot be written: No space left on device") == 1
    assert told.count("The game is kept again: mine.hexwar") == 1
    assert ran.code == 0
    assert [decision.seat for decision in hexwar.load_game("mine.hexwar").history].count("blue") == 3


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs terminals as Unix has them")
def test_a_real_full_disk_is_told_and_everything_is_there_when_there_is_room_again(own_folder: Path, kind: str) -> None:
    with disk(kind, own_folder) as place:
        path = place.folder / "mine.hexwar"
        with terminal("play", *BLUE, "--save", str(path), folder=own_folder) as at:
            at.until("\n> ")
            at.type("1\n")
            at.wait_for("\n> ")
            kept = length(path)
            place.fill(at.process.pid)
            for _ in range(40):  # the last block of the file has room for some lines
                at.type("undo\n")
                at.wait_for("\n> ")
                at.type("1\n")
                if "THE GAME IS NOT KEPT" in at.wait_for("\n> "):
                    break
            assert "THE GAME IS NOT KEPT" in at.shown
            assert length(path) >= kept - 1, "what was there is there, at most without the action that was taken back"
            place.free(at.process.pid)
            at.type("1\n")
            assert "The game is kept again" in at.wait_for("\n> ")
            at.signal(signal.SIGKILL)
            at.end()
        assert [str(it.action) for it in hexwar.load_game(path).history if it.seat == "blue"] == ["select bA", "select bB"]


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (ZeroDivisionError(), 1, "a defect: while greedy played red: ZeroDivisionError"),
        (SystemExit("bye"), 2, "hexwar: while greedy played red: SystemExit: bye"),
        (hexwar.HexwarError("no"), 2, "hexwar: while greedy played red: HexwarError: no"),
    ],
)
def test_a_bot_that_fails_costs_nothing(error: BaseException, code: int, sentence: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def choose(self: GreedyBot, view: Any, chance: Any) -> Any:
        if getattr(view.state, "phase", "") != "selection":
            raise error
        return view.question.example

    monkeypatch.setattr(GreedyBot, "choose", choose)
    ran = run("play", "bridgehead", "--bot", "red=greedy", "--seed", "3", typed="1\n1\n1\n" + "done\n" * 30)
    assert ran.code == code
    assert sentence in ran.err
    assert "Saved. To go on:" in ran.out
    mine = [str(decision.action) for decision in hexwar.load_game(games()[0]).history if decision.seat == "blue"]
    assert mine[:2] == ["select bA", "select bB"]


EVENT = re.compile(r"^ {4,6}(?! *\d+  |and \d+ more)\S.*", re.MULTILINE)
"""A line that says what happened."""
ENDS = ("kill", "hang-up", "end", "two interrupts", "closed window")


def end(at: Terminal, how: str, chance: random.Random) -> None:
    if how == "closed window":
        at.close_window()
    elif how == "two interrupts":
        at.signal(signal.SIGINT, signal.SIGINT, pause=chance.random() / 40)
    else:
        at.signal({"kill": signal.SIGKILL, "hang-up": signal.SIGHUP, "end": signal.SIGTERM}[how])
    at.end()


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs terminals as Unix has them")
def test_killed_at_any_moment_everything_that_was_shown_is_in_the_file(own_folder: Path) -> None:
    """Given games at a real terminal, when each is ended without warning, then what the player has read and typed is kept."""
    number = int(os.environ.get("HEXWAR_KILLED", KILLED))
    lost, kept = [], 0
    for seed in range(number):
        chance, how, path = random.Random(seed), ENDS[seed % len(ENDS)], own_folder / f"{seed}.hexwar"
        with terminal("play", "bridgehead", f"--seed={seed}", "--bot=red=random", "--save", path.name, folder=own_folder) as at:
            obeyed, said = 0, at.wait_for("\n> ")
            for _ in range(chance.randrange(1, 15)):
                numbers = re.findall(r"^ +(\d+)  ", said, re.MULTILINE)
                at.type(f"{chance.choice(numbers)}\n" if numbers else "done\n")
                said = at.wait_for("\n> ")
                obeyed += "once more" not in said
            at.type("1\n1\n1\n")
            time.sleep(chance.random() / 4)
            end(at, how, chance)
        shown = [line.rstrip() for line in EVENT.findall(at.shown)]
        game = hexwar.load_game(path)
        told = map(click.unstyle, Chronicle(game.world, short=True).lines(game.log("blue")))
        logged = [line for line in told if EVENT.match(line)]
        mine = [decision.seat for decision in game.history].count("blue")
        kept += len(shown)
        assert "Traceback" not in at.shown, f"{how}, seed {seed}: {at.shown[-1000:]}"
        if logged[: len(shown)] != shown or mine < obeyed:
            lost.append(f"{how}, seed {seed}: {obeyed} orders and {len(shown)} events shown, {mine} and {len(logged)} kept")
    assert not lost
    assert kept > 5 * number
    print(f"{number} games ended without warning, {kept} events shown, none of them lost", file=sys.__stderr__)
