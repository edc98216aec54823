"""Tables of bytes, taken together all at once, against the same byte by byte."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hexwar.board import chosen, greatest


@given(st.integers(1, 40).flatmap(lambda size: st.lists(st.binary(min_size=size, max_size=size), min_size=1, max_size=4)))
def test_the_greatest_of_tables_is_that_of_each_byte(tables: list[bytes]) -> None:
    assert greatest(tables) == bytes(map(max, zip(*tables, strict=True)))


@given(st.lists(st.tuples(st.integers(0, 255), st.integers(0, 255), st.booleans()), min_size=1, max_size=40))
def test_one_table_or_the_other_is_chosen_byte_by_byte(rows: list[tuple[int, int, bool]]) -> None:
    one, other, where = bytes(a for a, _, _ in rows), bytes(b for _, b, _ in rows), bytes(255 * c for _, _, c in rows)
    assert chosen(one, other, where) == bytes(b if c else a for a, b, c in rows)
