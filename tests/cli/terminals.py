"""A program at a terminal of its own, as a person sits before it: what it prints, what is typed, and how it is ended."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

WIDTH, HEIGHT = 200, 50
START = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
os.open(os.ttyname(0), os.O_RDWR)
from hexwar.cli import main
sys.exit(main())
"""
"""A session takes the first terminal that it opens for its own, and is hung up when that is closed. Ctrl-C interrupts there even
if the tests run in the background, where a shell has it ignored, and a hang-up ends it even under nohup."""


class Terminal:
    """`hexwar` with some words, at a terminal."""

    def __init__(self, *words: str, folder: Path) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
        settings = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
        self.process = subprocess.Popen(
            [sys.executable, "-c", START, *words],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=folder,
            start_new_session=True,
            env={**settings, "TERM": "dumb", "NO_COLOR": "1"},
        )
        os.close(theirs)
        self.shown = ""

    def wait_for(self, text: str, seconds: float = 60.0) -> str:
        """Read until a text was shown since the last one, and return what was shown till then."""
        since, end = len(self.shown), time.monotonic() + seconds
        while text not in self.shown[since:]:
            assert time.monotonic() < end, f"{text!r} is not shown, but {self.shown[-500:]!r}"
            if not self.read(0.5) and self.process.poll() is not None:
                raise EOFError(self.shown[-500:])
        return self.shown[since:]

    def until(self, text: str, seconds: float = 60.0) -> None:
        """Read until a text has been shown."""
        if text not in self.shown:
            self.wait_for(text, seconds)

    def read(self, seconds: float = 0.0) -> str:
        """What is shown within some time."""
        with contextlib.suppress(OSError, ValueError):  # the program has gone, or we closed the window
            if select.select([self._ours], [], [], seconds)[0]:
                text = os.read(self._ours, 65536).decode(errors="replace").replace("\r", "")
                self.shown += text
                return text
        return ""

    def type(self, line: str) -> None:
        """Type a line."""
        os.write(self._ours, line.encode())

    def close_window(self) -> None:
        """Close the window: the program is hung up."""
        os.close(self._ours)
        self._ours = -1

    def signal(self, *numbers: int, pause: float = 0.0) -> None:
        """Send signals, one after the other."""
        for number in numbers:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.process.pid, number)
            time.sleep(pause)

    def end(self) -> int:
        """Wait until it has ended; what was shown to the last."""
        while self.process.poll() is None:
            self.read(0.1)
        while self.read():
            pass
        if self._ours >= 0:
            self.close_window()
        return self.process.returncode


@contextlib.contextmanager
def terminal(*words: str, folder: Path) -> Iterator[Terminal]:
    """A program that is ended whatever happens."""
    at = Terminal(*words, folder=folder)
    try:
        yield at
    finally:
        at.process.kill()
        at.end()
