"""The boards of the kit as these tests want them: any hexes, whether or not they hang together."""

from __future__ import annotations

from hypothesis import strategies as st

from hexwar.board import Board
from hexwar.testing import strategies
from hexwar.testing.strategies import FEATURES, LINKS, TERRAINS, Draw, draw_bytes

__all__ = ["FEATURES", "LINKS", "TERRAINS", "Draw", "boards", "draw_bytes"]


def boards(max_columns: int = 8, max_rows: int = 7) -> st.SearchStrategy[Board]:
    """A board of at least one hex and at most ``max_columns`` times ``max_rows``; it need not be connected."""
    return strategies.boards(max_columns=max_columns, max_rows=max_rows, connected=False)
