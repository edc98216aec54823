"""The command line as a process of its own: start-up, streams, exit codes, terminals."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import hexwar
from hexwar.cli import main
from hexwar.plugins import plugins

OURS = ("hexwar_bridgehead.ruleset", "hexwar.mechanics", "hexwar.pieces", "hexwar.board")
HEAVY = ("networkx", "shapely", "pydantic", "numpy", "rich", *OURS)


def command(*words: str, typed: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "hexwar", *words],
        input=typed,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        encoding=environment.get("PYTHONIOENCODING", "utf-8"),
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
    )


@pytest.mark.parametrize("words", [["list"], ["plugins"], ["--help"]])
def test_listing_imports_nothing_heavy(words: list[str]) -> None:
    code = f"import sys; from hexwar.cli import main; main({words!r}); print(*sorted(sys.modules), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True)
    loaded = set(done.stderr.split())
    assert not [name for name in HEAVY if name in loaded]


def test_exit_codes_and_streams() -> None:
    good, bad = command("list"), command("info", "zzz")
    assert (good.returncode, good.stderr) == (0, "")
    assert (bad.returncode, bad.stdout) == (2, "")
    assert len(bad.stderr.splitlines()) == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
class TestStreams:
    """A stream that is closed or full is no defect: it has a sentence and an exit code of its own, and no game is lost."""

    PLAY = ("play", "bridgehead", "--seed", "3", "--bot", "red=random")

    def shell(self, *words: str, streams: str, typed: str = "") -> tuple[int, str, str]:
        line, buffered = f'"$0" -m hexwar "$@" {streams}', {**os.environ, "PYTHONUNBUFFERED": ""}
        words = ("sh", "-c", line, sys.executable, *words)
        done = subprocess.run(words, input=typed, capture_output=True, text=True, timeout=300, check=False, env=buffered)
        assert "defect" not in done.stderr
        assert "Traceback" not in done.stderr
        assert "Exception ignored" not in done.stderr
        return done.returncode, done.stdout, done.stderr

    def test_nobody_can_be_asked(self, tmp_path: Path) -> None:
        kept = str(tmp_path / "my.hexwar")
        code, out, err = self.shell(*self.PLAY, "--save", kept, streams="<&-")
        assert (code, err) == (3, "hexwar: somebody had to be asked, and the input is closed\n")
        assert f"To go on: hexwar play --load {kept} --bot red=random" in out or "Nothing was played yet." in out
        assert self.shell("play", "bridgehead", "--bots", "--quiet", streams="<&-")[0] == 0

    def test_input_that_ends_keeps_the_game(self, tmp_path: Path) -> None:
        kept = str(tmp_path / "my.hexwar")
        code, out, err = self.shell(*self.PLAY, "--save", kept, streams="", typed="1\n")
        assert (code, err) == (0, "")
        assert f"To go on: hexwar play --load {kept} --bot red=random" in out
        assert hexwar.load_game(kept).history

    @pytest.mark.parametrize("words", [["list"], ["--help"], ["info", "bridgehead"], ["play", "bridgehead", "--bots"]])
    @pytest.mark.parametrize(("streams", "why"), [(">/dev/full", "no space left on device"), (">&-", "it is closed")])
    def test_what_cannot_be_printed(self, words: list[str], streams: str, why: str) -> None:
        assert self.shell(*words, streams=streams) == (4, "", f"hexwar: the output cannot be written: {why}\n")

    def test_a_complaint_that_cannot_be_printed(self) -> None:
        for streams in ("2>/dev/full", "2>&-", ">&- 2>&-"):
            assert self.shell("info", "zzz", streams=streams)[0] == 4

    def test_a_game_is_kept_when_nothing_can_be_printed_any_more(self, tmp_path: Path) -> None:
        kept = tmp_path / "my.hexwar"
        code, _, err = self.shell(*self.PLAY, "--save", str(kept), streams=">/dev/full", typed="1\n")
        assert (code, err) == (4, "hexwar: the output cannot be written: no space left on device\n")
        assert hexwar.load_game(kept).world.setup.ruleset == "bridgehead"


EVIL = "\x1b[2J\x1b]0;title\x07\x9b31m\u202e\r"


@pytest.mark.parametrize("words", [["map", "info", "evil.toml"], ["show", "evil.toml"], ["map", "info", "evil.toml", "--json"]])
def test_a_map_cannot_command_the_terminal(tmp_path: Path, words: list[str]) -> None:
    """Given a map whose places have escape sequences for names, then these are shown, and JSON is JSON."""
    text = Path(str(plugins().maps()["bridgehead/crossing"])).read_text(encoding="utf-8")
    name = re.search(r'name = "(.+?)"', text)
    assert name is not None
    evil = json.dumps(f"Evil{EVIL}").replace("\x7f", "")
    (tmp_path / "evil.toml").write_text(text.replace(f'"{name[1]}"', evil, 1), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "hexwar", *words], capture_output=True, timeout=300, check=False, cwd=tmp_path, encoding="utf-8"
    )
    assert not [letter for letter in done.stdout + done.stderr if letter in EVIL and letter not in "[2J]0;title31m"]
    if "--json" in words:
        json.loads(done.stdout)
    elif words[0] == "map":
        assert r"Evil" in done.stdout
        assert r"\u009b" in done.stdout


def test_a_save_cannot_command_the_terminal(tmp_path: Path) -> None:
    """Given a save whose seed is a text of escape sequences, when its bots play on, then they are shown."""
    game = hexwar.new_game("bridgehead", seed=f"evil{EVIL}")
    game.save(tmp_path / "evil.hexwar")
    done = command("play", "--load", str(tmp_path / "evil.hexwar"), "--bots")
    assert r"seed evil" in done.stdout
    assert not {"\x1b", "\x07", "\x9b", "\u202e", "\r"} & set(done.stdout)


def test_a_word_with_nul_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["show", "a\0b"], ["play", "--load", "a\0.hexwar"], ["--plugin", "\0", "list"], ["new", "x", "--into", "\0"]):
        assert main(words) == 2
        assert "no argument can hold the character NUL" in capsys.readouterr().err


def test_a_reader_that_goes_away_is_no_error() -> None:
    shell = f"{sys.executable} -m hexwar rules bridgehead --json | head -1"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, timeout=300, check=False)
    assert done.stdout == "{\n"
    assert done.stderr == ""


def test_a_closed_pipe_in_the_middle_of_a_game(tmp_path: Path) -> None:
    shell = f"{sys.executable} -m hexwar play bridgehead --bot blue=random --bot red=random --seed 1 | true"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, timeout=300, check=False, cwd=tmp_path)
    assert "Traceback" not in done.stderr


def test_a_terminal_without_our_letters_gets_question_marks() -> None:
    done = command("info", "bridgehead", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    defect = command("--plugin", "no", "list", PYTHONIOENCODING="ascii")
    assert defect.returncode == 2


def test_no_colour_where_none_is_wanted() -> None:
    code = "import sys; sys.stdout.isatty = lambda: True; from hexwar.cli import main; main(['list'])"
    coloured, plain = (
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            timeout=300,
            check=True,
            env={**os.environ, "NO_COLOR": value},
        ).stdout
        for value in ("", "1")
    )
    assert "\x1b[" in coloured
    assert "\x1b[" not in plain


def test_a_game_in_a_process_of_its_own() -> None:
    done = command("play", "bridgehead", "--bots", "--seed", "7", "--quiet")
    assert done.returncode == 0
    assert "wins" in done.stdout


def test_ctrl_c_outside_a_game_is_quiet(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from hexwar.cli import main, root

    def interrupted(**more: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(root.root, "main", interrupted)
    assert main(["list"]) == 130
    assert capsys.readouterr().err == "stopped\n"
