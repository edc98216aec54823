"""Lets Hypothesis make values of our types: `st.from_type(Board)`, or `st.builds(...)` of something that takes a `Hex`.

Hypothesis calls `register` when it is imported, by an entry point. Everyone who has hexwar installed pays for that, so only the
types are imported here; the strategies follow on demand. Types that would take longer to import are registered
by `hexwar.testing.strategies`.
"""

from __future__ import annotations

from typing import Any


def register() -> None:
    """Register strategies for hexes, hexsides, vertices, codecs of labels and boards."""
    from hypothesis import strategies as st

    from hexwar.board import Board
    from hexwar.hexes import Hex, Hexside, LabelCodec, Vertex

    for kind in (Board, Hex, Hexside, LabelCodec, Vertex):
        st.register_type_strategy(kind, _strategy_for)


def _strategy_for(kind: type[Any]) -> Any:
    from hexwar.testing.strategies import of_type

    return of_type(kind)
