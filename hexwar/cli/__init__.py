"""The command line: the only part of hexwar that knows a terminal.

Whatever goes wrong is answered by one sentence on the error stream and an exit code: 1 if what was asked failed (a check
that found something), 2 if it could not be done at all (bad arguments, bad files), 3 if somebody had to be asked and the input
is closed, 4 if the output cannot be written (a full disk). Tracebacks are for `--traceback` only.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import signal
import sys
from collections.abc import Iterator, Sequence
from typing import Any, TextIO

from hexwar.table import FORGET

FAILED = 1
UNUSABLE = 2
NOBODY_ASKED = 3
NOT_PRINTED = 4
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
    closed = None if sys.stdin is not None else _Closed()
    sys.stdin = closed or sys.stdin
    out, err = _Shown(sys.stdout), _Shown(sys.stderr)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = _run(words)
            sys.stdout.flush()
    except (BrokenPipeError, _NotPrintedError) as error:
        # The program that read our output has gone away, as `head` does, or there is no room for it.
        _give_up(sys.stdout)
        if not isinstance(error, BrokenPipeError):
            _complain(err, f"the output cannot be written: {error}")
        _give_up(sys.stderr)
        return FAILED if isinstance(error, BrokenPipeError) else NOT_PRINTED
    if closed is not None and closed.asked and not code:
        _complain(err, "somebody had to be asked, and the input is closed")
        return NOBODY_ASKED
    return code


def _give_up(stream: TextIO | None) -> None:
    """Write what a stream still holds, or drop it: Python would complain, and change the exit code, when it shuts down."""
    if stream is not None:
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _complain(err: _Shown, sentence: str) -> None:
    with contextlib.suppress(OSError, _NotPrintedError):
        err.write(f"hexwar: {sentence}\n")
        err.flush()
    _give_up(sys.stderr)


def _program() -> int:
    """The command line as a process of its own: it ends without a word about an impatient second Ctrl-C."""
    with contextlib.suppress(OSError):  # no file that is opened later must be taken for a stream that was closed
        while (number := os.open(os.devnull, os.O_RDWR)) < 3:
            continue
        os.close(number)
    try:
        return main(sys.argv[1:])
    except KeyboardInterrupt:
        return STOPPED
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


class _NotPrintedError(Exception):
    """What was to be printed cannot be written."""


class _Closed(io.StringIO):
    """Stands for an input that is closed."""

    asked = False

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]  # the same as that of StringIO
        """The end of the input."""
        self.asked = True
        return ""


class _Shown:
    """A stream that shows control characters instead of obeying them: they may come from anybody's save, map or plugin.

    A terminal that cannot show a letter gets a question mark, not a crash.

    Args:
        stream: None for one that is closed.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write what can be read; the escapes are those of JSON, so that JSON stays JSON."""
        shown = text if text in _OWN else _COMMANDS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
        if self._stream is None:
            raise _NotPrintedError("it is closed")
        with self._noticed():
            return self._stream.write(shown)

    def flush(self) -> None:
        """Let it be read."""
        if self._stream is not None:
            with self._noticed():
                self._stream.flush()

    @contextlib.contextmanager
    def _noticed(self) -> Iterator[None]:
        """A disk that is full is no defect."""
        try:
            yield
        except BrokenPipeError:
            raise
        except OSError as error:
            raise _NotPrintedError((error.strerror or str(error)).lower()) from None


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
        if isinstance(error, BrokenPipeError | _NotPrintedError) or "--traceback" in words:
            raise
        if isinstance(error, HexwarError):
            click.echo(f"hexwar: {error}", err=True)
            return UNUSABLE
        what = " ".join([*getattr(error, "__notes__", ()), f"{type(error).__name__}:", *str(error).split()])
        click.echo(f"hexwar: a defect: {what} (hexwar --traceback … shows where)", err=True)
        return FAILED
    return code if isinstance(code, int) else 0
