"""What other processes do in the tests of workers; they import nothing else, so that they begin at once."""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import Any

from hexwar.errors import HexwarError


def double(order: dict[str, Any]) -> dict[str, Any]:
    """What the tests of workers ask for."""
    print("what a rule prints does not come between the answers")
    if order.get("raise"):
        raise ZeroDivisionError("nothing is left")
    if order.get("refuse"):
        raise HexwarError("a sentence")
    if order.get("die"):
        print("last words", file=sys.stderr)
        os._exit(3)
    time.sleep(order.get("sleep", 0))
    return {"number": 2 * order["number"], "process": os.getpid(), "hash": hash("abc"), "seed": os.environ.get("PYTHONHASHSEED")}


def judged_by_one_that_dies(order: dict[str, Any]) -> Any:
    """What is said of a mutant in whose fork a signal arrives."""
    from hexwar.testing._mutants import judging

    def dies(order: Any, tell: Any) -> None:
        tell("a unit")
        os.kill(os.getpid(), getattr(signal, order["signal"]))

    judging._answered = dies
    return judging.answer(order)
