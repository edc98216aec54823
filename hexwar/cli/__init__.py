"""The command line: the only part of hexwar that knows a terminal.

Whatever goes wrong is answered by one sentence on the error stream and an exit code: 1 if what was asked failed (a check
that found something), 2 if it could not be done at all (bad arguments, bad files). Tracebacks are for `--traceback` only.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TextIO

FAILED = 1
UNUSABLE = 2
STOPPED = 130
"""As shells report a program that was stopped by Ctrl-C."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: the words after "hexwar"; those of this process if not given.

    Returns:
        The exit code.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        _never_fail_on_letters(stream)
    try:
        code = _run(words)
        sys.stdout.flush()
    except BrokenPipeError:
        # The program that read our output has gone away, as `head` does. Python would complain once more when it shuts down.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    return code


def _run(words: list[str]) -> int:
    import click

    from hexwar.cli.root import root
    from hexwar.errors import HexwarError

    try:
        code = root.main(args=words, prog_name="hexwar", standalone_mode=False)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("stopped", err=True)
        return STOPPED
    except BrokenPipeError:
        raise
    except HexwarError as error:
        if _wants_traceback(words):
            raise
        click.echo(f"hexwar: {error}", err=True)
        return UNUSABLE
    except Exception as error:
        if _wants_traceback(words):
            raise
        what = " ".join([*getattr(error, "__notes__", ()), f"{type(error).__name__}:", *str(error).split()])
        click.echo(f"hexwar: a defect: {what} (hexwar --traceback … shows where)", err=True)
        return FAILED
    return code if isinstance(code, int) else 0


def _wants_traceback(words: list[str]) -> bool:
    """Asked of the words themselves, because the arguments may be what is wrong."""
    return "--traceback" in words


def _never_fail_on_letters(stream: TextIO) -> None:
    """A terminal that cannot show a letter gets a question mark, not a crash."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")
