"""The command line as a process of its own: start-up, streams, exit codes, terminals."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("networkx", "shapely", "pydantic", "numpy", "rich", "hexwar_bridgehead.ruleset", "hexwar.mechanics", "hexwar.board")


def hexwar(*words: str, typed: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "hexwar", *words],
        input=typed,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        encoding=environment.get("PYTHONIOENCODING", "utf-8"),
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
    )


@pytest.mark.parametrize("words", [["list"], ["plugins"], ["--help"]])
def test_listing_imports_nothing_heavy(words: list[str]) -> None:
    code = f"import sys; from hexwar.cli import main; main({words!r}); print(*sorted(sys.modules), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    loaded = set(done.stderr.split())
    assert not [name for name in HEAVY if name in loaded]


def test_exit_codes_and_streams() -> None:
    good, bad = hexwar("list"), hexwar("info", "zzz")
    assert (good.returncode, good.stderr) == (0, "")
    assert (bad.returncode, bad.stdout) == (2, "")
    assert len(bad.stderr.splitlines()) == 1


def test_a_reader_that_goes_away_is_no_error() -> None:
    shell = f"{sys.executable} -m hexwar rules bridgehead --json | head -1"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == "{\n"
    assert done.stderr == ""


def test_a_closed_pipe_in_the_middle_of_a_game(tmp_path: Path) -> None:
    shell = f"{sys.executable} -m hexwar play bridgehead --bot blue=random --bot red=random --seed 1 | true"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, timeout=60, check=False, cwd=tmp_path)
    assert "Traceback" not in done.stderr


def test_a_terminal_without_our_letters_gets_question_marks() -> None:
    done = hexwar("info", "bridgehead", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    defect = hexwar("--plugin", "no", "list", PYTHONIOENCODING="ascii")
    assert defect.returncode == 2


def test_no_colour_where_none_is_wanted() -> None:
    code = "import sys; sys.stdout.isatty = lambda: True; from hexwar.cli import main; main(['list'])"
    coloured, plain = (
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
            env={**os.environ, "NO_COLOR": value},
        ).stdout
        for value in ("", "1")
    )
    assert "\x1b[" in coloured
    assert "\x1b[" not in plain


def test_a_game_in_a_process_of_its_own() -> None:
    done = hexwar("play", "bridgehead", "--bots", "--seed", "7", "--quiet")
    assert done.returncode == 0
    assert "wins" in done.stdout


def test_ctrl_c_outside_a_game_is_quiet(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from hexwar.cli import main, root

    def interrupted(**more: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(root.root, "main", interrupted)
    assert main(["list"]) == 130
    assert capsys.readouterr().err == "stopped\n"
