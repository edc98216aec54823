"""What strategies say about wrong arguments, and the random bytes that they decode."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from hypothesis import strategies as st

from hexwar.errors import HexwarError

CHUNK = 64
_WORD = re.compile(r"[a-z0-9][a-z0-9_-]*")


class StrategyError(HexwarError):
    """A strategy was asked for something that it cannot give."""


def whole(name: str, value: Any, least: int, most: int | None = None) -> int:
    """An argument that is a whole number within bounds."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise StrategyError(f"{name} is a whole number, not {value!r}")
    if value < least or (most is not None and value > most):
        bounds = f"{least} or more" if most is None else f"from {least} to {most}"
        raise StrategyError(f"{name} must be {bounds}, not {value}")
    return value


def words(name: str, value: Iterable[str], least: int = 0) -> tuple[str, ...]:
    """An argument that is a list of different names as a map file takes them."""
    if isinstance(value, str):
        raise StrategyError(f"{name} is a list of names, not the text {value!r}: write [{value!r}]")
    found = tuple(value)
    for word in found:
        if not _WORD.fullmatch(str(word)):
            raise StrategyError(f"{name}: a name is made of small letters, digits, - and _, unlike {word!r}")
    if len(set(found)) < len(found):
        raise StrategyError(f"{name}: a name is given twice")
    if len(found) < least:
        raise StrategyError(f"{name} must have at least {least}")
    return found


_CHUNKS = st.binary(min_size=CHUNK, max_size=CHUNK)

Draw = Callable[[st.SearchStrategy[bytes]], bytes]
"""What `st.composite` gives a function to draw with, as far as bytes go; `data.draw` will do."""


def draw_bytes(draw: Draw, size: int) -> bytes:
    """Random bytes inside a composite strategy, for many small choices: one for each hex, or two for each unit.

    That is much quicker than drawing the choices one by one, and shrinks to zeros, so make zero the dullest choice. The bytes
    are drawn in pieces of one length, because Hypothesis copies drawn values to other places of an example and turns them into
    zeros where the length does not fit: with exact lengths, half of all examples would be blank. For the same reason strategies
    here are composites and no chains of `map`, whose nested spans Hypothesis takes for a tree.

        @st.composite
        def weather(draw, board):
            return dict(zip(board.labels, draw_bytes(draw, len(board))))

    Args:
        draw: what the composite draws with.
        size: how many bytes.
    """
    return b"".join([draw(_CHUNKS) for _ in range(0, size, CHUNK)])[:size]
