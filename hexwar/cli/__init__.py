"""The command line: the only part of hexwar that knows a terminal.

Whatever goes wrong is answered by one sentence on the error stream and an exit code: 1 if what was asked failed (a check
that found something), 2 if it could not be done at all (bad arguments, bad files). Tracebacks are for `--traceback` only.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import signal
import sys
from collections.abc import Sequence
from typing import Any, TextIO

from hexwar.table import FORGET

FAILED = 1
UNUSABLE = 2
STOPPED = 130
"""As shells report a program that was stopped by Ctrl-C."""
_OWN = ("\033[2J\033[1;1H", FORGET, "\033[?25h\n")
"""What `click.clear` and we print to clear a screen, and the end of a progress bar, each by itself."""
_COMMANDS = re.compile(
    r"(?!^\r)(?!(?<=^\r)\033\[\?25l)(?!\033\[(?:[0-2]|3[0-7])m)[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
"""What would command a terminal rather than be read on it, but for the styles that we print, and a line or bar begun again."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: the words after "hexwar"; those of this process if not given.

    Returns:
        The exit code.
    """
    if arguments is None:
        return _program()
    words = list(arguments)
    out, err = _Shown(sys.stdout), _Shown(sys.stderr)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = _run(words)
            sys.stdout.flush()
    except BrokenPipeError:
        # The program that read our output has gone away, as `head` does. Python would complain once more when it shuts down.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    return code


def _program() -> int:
    """The command line as a process of its own: it ends without a word about an impatient second Ctrl-C."""
    try:
        return main(sys.argv[1:])
    except KeyboardInterrupt:
        return STOPPED
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


class _Shown:
    """A stream that shows control characters instead of obeying them: they may come from anybody's save, map or plugin.

    A terminal that cannot show a letter gets a question mark, not a crash.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write what can be read; the escapes are those of JSON, so that JSON stays JSON."""
        return self._stream.write(text if text in _OWN else _COMMANDS.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def _run(words: list[str]) -> int:
    import click

    from hexwar.cli.root import root
    from hexwar.errors import HexwarError

    try:
        if any("\0" in word for word in words):
            raise click.UsageError("no argument can hold the character NUL")
        code = root.main(args=words, prog_name="hexwar", standalone_mode=False)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("stopped", err=True)
        return STOPPED
    except Exception as error:
        # Asked of the words themselves, because the arguments may be what is wrong.
        if isinstance(error, BrokenPipeError) or "--traceback" in words:
            raise
        if isinstance(error, HexwarError):
            click.echo(f"hexwar: {error}", err=True)
            return UNUSABLE
        what = " ".join([*getattr(error, "__notes__", ()), f"{type(error).__name__}:", *str(error).split()])
        click.echo(f"hexwar: a defect: {what} (hexwar --traceback … shows where)", err=True)
        return FAILED
    return code if isinstance(code, int) else 0
