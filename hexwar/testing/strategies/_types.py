"""The strategies that Hypothesis uses for our types; see `hexwar._hypothesis`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from hexwar.board import Board
from hexwar.engine import RandomSource
from hexwar.hexes import Hex, Hexside, LabelCodec, Vertex
from hexwar.pieces import Face, Unit
from hexwar.testing._staging.dice import ScriptedDice
from hexwar.testing.strategies._chances import Tape, chances, dice
from hexwar.testing.strategies._ground import boards, codecs
from hexwar.testing.strategies._units import rosters

_NEAR = st.integers(-60, 60)
_HEXES = st.builds(Hex, _NEAR, _NEAR)

_STRATEGIES: dict[type[Any], Callable[[], st.SearchStrategy[Any]]] = {
    Board: boards,
    Face: lambda: st.builds(Face, st.integers(0, 9), st.integers(0, 9), st.integers(0, 12)),
    Hex: lambda: _HEXES,
    Hexside: lambda: st.builds(Hexside.of, _HEXES, st.integers(0, 5)),
    LabelCodec: codecs,
    RandomSource: chances,
    ScriptedDice: dice,
    Tape: chances,
    Unit: lambda: rosters(max_units=1).map(lambda roster: next(iter(roster.values()))),
    Vertex: lambda: st.builds(Vertex.of, _HEXES, st.integers(0, 5)),
}


def of_type(kind: type[Any]) -> st.SearchStrategy[Any]:
    """The strategy for one of our types."""
    return _STRATEGIES[kind]()


for _type in _STRATEGIES:
    st.register_type_strategy(_type, of_type)
