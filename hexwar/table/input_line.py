"""Lines that a player types: at a terminal with editing, history and completion, where the system has readline."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable
from typing import Any

import click

Completions = Callable[[list[str]], Iterable[str]]
"""From the words before the one that is being typed to those that may stand there."""


def read_line(completions: Completions) -> str:
    """The next line, without what stands around it."""
    if not sys.stdin.isatty():
        return str(click.prompt(">", prompt_suffix=" ", default="", show_default=False))
    readline = _readline()
    if readline is not None:
        found: list[str] = []

        def complete(begun: str, number: int) -> str | None:
            if number == 0:
                before = readline.get_line_buffer()[: readline.get_begidx()].rpartition(";")[2].split()
                found[:] = sorted({f"{word} " for word in completions(before) if word.lower().startswith(begun.lower())})
            return found[number] if number < len(found) else None

        readline.set_completer_delims(" ;")
        readline.set_completer(complete)
        readline.parse_and_bind("bind ^I rl_complete" if "libedit" in str(readline.__doc__) else "tab: complete")
    return input("> ")


def forget_lines() -> None:
    """Forget what was typed: the next player must not find it by the arrow keys."""
    readline = _readline()
    if readline is not None:
        readline.clear_history()


def _readline() -> Any:
    try:
        return importlib.import_module("readline")
    except ImportError:  # not every system has it
        return None
