"""The compiled search gives what the one in Python gives, and nothing that it is given can harm it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexwar.board import _compiled
from tests.board.test_kernels import SETTINGS, Move, moves, needs_kernel

pytestmark = needs_kernel
kernel: Any = import_module("hexwar.board._kernel") if _compiled.BUILT else None


@SETTINGS
@given(moves())
def test_both_searches_give_the_same_hexes_in_the_same_order_by_the_same_paths(move: Move) -> None:
    found = []
    for compiled in (False, True):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(_compiled, "COMPILED", compiled)
            found.append(move.reach())
    one, two = found
    assert list(one.items()) == list(two.items())
    assert one.is_free == two.is_free
    assert [one.path(i) for i in one] == [two.path(i) for i in one]


NUMBERS = st.integers(-5, 60) | st.sampled_from((-(2**70), -(2**63), -(2**31), 253, 254, 2**31, 2**63, 2**70))


@SETTINGS
@given(st.data(), st.integers(0, 50), st.integers(0, 12))
def test_the_compiled_search_survives_tables_that_make_no_sense(data: st.DataObject, size: int, one_in: int) -> None:
    def sized(wanted: int) -> bytes:
        return data.draw(st.binary(min_size=wanted, max_size=wanted)) if data.draw(st.integers(0, one_in)) else b"odd"

    def number(least: int, most: int) -> int:
        return data.draw(st.integers(least, max(least, most)) if data.draw(st.integers(0, one_in)) else NUMBERS)

    spent: dict[int, int] = {}
    came: dict[int, int] = {}
    start, budget, stride, firsts = number(0, size - 1), number(0, 253), number(2, 12), data.draw(st.lists(NUMBERS, max_size=8))
    steps, leave, enter, zones = sized(7 * size), sized(size), sized(size), sized(size)
    within, barred, indices = number(-510, 255), number(0, 63), tuple(range(size))
    try:
        kernel.search(spent, came, indices, start, budget, stride, steps, leave, enter, firsts, zones, within, barred)
    except (ValueError, OverflowError):
        assert spent == came == {}
    else:
        assert spent[start] == 0
        assert spent.keys() == came.keys() | {start} <= set(range(size))
        assert max(spent.values()) <= budget


@pytest.mark.parametrize("wrong", range(13))
def test_the_compiled_search_refuses_what_is_of_another_kind(wrong: int) -> None:
    given: list[Any] = [{}, {}, (0, 1, 2, 3), 1, 5, 2, bytes(28), bytes(4), bytes(4), (), bytes(4), 0, 0]
    kernel.search(*given)
    given[wrong] = None
    with pytest.raises((TypeError, ValueError)):
        kernel.search(*given)
    with pytest.raises(TypeError):
        kernel.search(*given[:12])
