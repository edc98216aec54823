"""Running the command line inside the test's own process, as a user would see it."""

from __future__ import annotations

import contextlib
import io
from dataclasses import dataclass
from unittest.mock import patch

from hexwar.cli import main


@dataclass(frozen=True)
class Ran:
    """What a command answered."""

    code: int
    out: str
    err: str

    @property
    def sentence(self) -> str:
        """What stands on the error stream, which is one line for a user's mistake."""
        return self.err.strip().splitlines()[-1] if self.err.strip() else ""


def run(*words: str, typed: str = "") -> Ran:
    """Run `hexwar` with these words and this input."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), patch("sys.stdin", io.StringIO(typed)):
        code = main(list(words))
    assert "Traceback" not in err.getvalue()
    return Ran(code, out.getvalue(), err.getvalue())
