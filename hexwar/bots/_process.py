"""Bots in programs of their own: they get what a seat may know, line by line, and nothing else."""

from __future__ import annotations

import json
import shlex
import subprocess
import weakref
from typing import IO, Any

from hexwar.engine import Action, RandomSource, View
from hexwar.errors import HexwarError

MOST_LISTED = 10_000
"""Of more actions than these a program gets the first."""
SHOWN = 200


class ProgramBot:
    """A bot in a program of its own, in whatever language: it cannot look into the game, because there is none in its memory.

    For each decision it gets a line with a JSON object on its standard input: `choose`, the view with its steps (see
    `View.to_json`), `actions`, all that it may do, and `chance`, a number to be random with. It answers on its standard output
    with a line {"action": N}, the place of an action in the list from 0, or {"action": {...}}, the action itself.
    It ends when its input does. What it writes to its standard error is shown.

    Args:
        command: the program with its arguments, as in a shell.
    """

    def __init__(self, command: str) -> None:
        self._command = command
        self._pipe: tuple[IO[str], IO[str]] | None = None

    def choose(self, view: View, chance: RandomSource) -> Action:
        """See `Bot.choose`.

        Raises:
            HexwarError: the program cannot be started, has ended, or does not answer as it should.
        """
        listed = list(view.legal_actions())[:MOST_LISTED]
        told = {
            "choose": view.to_json(whole=True),
            "actions": [action.to_json() for action in listed],
            "chance": chance.randrange(1 << 53),
        }
        there, back = self._started()
        try:
            there.write(json.dumps(told) + "\n")
            there.flush()
            line = back.readline()
        except (OSError, ValueError) as error:
            raise HexwarError(f"the bot {self._command} has ended: {error}") from None
        if not line:
            raise HexwarError(f"the bot {self._command} has ended without an answer")
        return self._read(line, listed, view)

    def _started(self) -> tuple[IO[str], IO[str]]:
        if self._pipe is None:
            try:
                words = shlex.split(self._command)
                program = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
            except (OSError, ValueError, IndexError) as error:
                raise HexwarError(f"the bot {self._command or '(no command)'} cannot be started: {error}") from None
            assert program.stdin is not None
            assert program.stdout is not None
            self._pipe = program.stdin, program.stdout
            weakref.finalize(self, _end, program)
        return self._pipe

    def _read(self, line: str, listed: list[Action], view: View) -> Action:
        try:
            answer: Any = json.loads(line)["action"]
        except (ValueError, KeyError, TypeError):
            raise self._wrong(line, 'an answer is a line {"action": NUMBER}') from None
        if type(answer) is int:
            if not 0 <= answer < len(listed):
                raise self._wrong(line, f"there are {len(listed)} actions, counted from 0")
            return listed[answer]
        try:
            return view.ruleset.parse_action(answer)
        except ValueError as error:
            raise self._wrong(line, str(error)) from None

    def _wrong(self, line: str, why: str) -> HexwarError:
        return HexwarError(f"the bot {self._command} answers {line.strip()[:SHOWN]!r}: {why}")


def _end(program: subprocess.Popen[str]) -> None:
    """Let a program end, and end it if it does not."""
    for pipe in (program.stdin, program.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except OSError:  # it was not there any more
                continue
    try:
        program.wait(2)
    except subprocess.TimeoutExpired:
        program.kill()
        program.wait()
