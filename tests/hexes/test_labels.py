"""Label codecs, with adjacencies that printed rulebooks state as the expected values."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexwar.hexes import Hex, LabelCodec, centre, distance, neighbours


def victory(prefix: str = "") -> LabelCodec:
    """A Victory Awaits: column before row, even columns half a hex up."""
    return LabelCodec(layout="columns", shifted="even", shift="up", prefix=prefix)


def traces() -> LabelCodec:
    """Traces of War: row before column, rows counted from the south, odd rows half a hex east."""
    return LabelCodec(layout="rows", shifted="odd", shift="east", order="rows-first", rows_from="south")


def adjacent(codec: LabelCodec, a: str, b: str) -> bool:
    return distance(codec.hex(a), codec.hex(b)) == 1


@pytest.mark.parametrize("labels", [("L3602", "L3603", "L3702"), ("K3507", "K3607", "K3608")])
def test_the_great_cities_are_triangles(labels: tuple[str, ...]) -> None:
    codec = victory(labels[0][0])
    assert all(adjacent(codec, a, b) for a, b in combinations(labels, 2))


@pytest.mark.parametrize(("a", "b", "expected"), [("1524", "1624", True), ("1524", "1625", True), ("1524", "1623", False)])
def test_even_columns_stand_half_a_hex_up(a: str, b: str, expected: bool) -> None:
    assert adjacent(victory(), a, b) is expected


@given(st.integers(2, 98), st.integers(2, 98))
def test_the_neighbours_of_every_hex_in_columns(c: int, r: int) -> None:
    codec = victory()
    down = 0 if c % 2 else -1
    expected = {(c, r - 1), (c, r + 1), (c - 1, r + down), (c - 1, r + down + 1), (c + 1, r + down), (c + 1, r + down + 1)}
    assert {codec.numbers(h) for h in neighbours(codec.at(c, r))} == expected


@pytest.mark.parametrize(("a", "b"), [("1731", "1832"), ("1926", "1826"), ("1926", "1827")])
def test_odd_rows_lie_half_a_hex_east(a: str, b: str) -> None:
    assert adjacent(traces(), a, b)
    assert not adjacent(traces(), "1731", "1830")


def test_rows_counted_from_the_south_run_north() -> None:
    codec = traces()
    assert centre(codec.hex("1805"), "pointy")[1] < centre(codec.hex("1705"), "pointy")[1]


@pytest.mark.parametrize(
    ("layout", "shift", "axis", "sign"),
    [("columns", "up", 1, -1), ("columns", "down", 1, 1), ("rows", "east", 0, 1), ("rows", "west", 0, -1)],
)
@pytest.mark.parametrize("shifted", ["odd", "even"])
@pytest.mark.parametrize("first", [1, 2])
def test_what_is_shifted_lies_half_a_hex_off(layout: Any, shift: Any, axis: int, sign: int, shifted: Any, first: int) -> None:
    codec = LabelCodec(layout=layout, shifted=shifted, shift=shift, first_column=first, first_row=first)
    odd, even = ((5, 4), (6, 4)) if layout == "columns" else ((4, 5), (4, 6))
    here, there = (odd, even) if shifted == "odd" else (even, odd)
    moved, still = (centre(codec.at(*numbers), codec.orientation)[axis] for numbers in (here, there))
    assert moved - still == pytest.approx(sign * 0.5)


def codecs() -> st.SearchStrategy[LabelCodec]:
    common: dict[str, Any] = {
        "shifted": st.sampled_from(("odd", "even")),
        "order": st.sampled_from(("columns-first", "rows-first")),
        "first_column": st.integers(0, 9),
        "first_row": st.integers(0, 9),
        "rows_from": st.sampled_from(("north", "south")),
        "digits": st.integers(2, 4),
        "prefix": st.sampled_from(("", "L", "Ab")),
    }
    return st.one_of(
        st.builds(LabelCodec, layout=st.just("columns"), shift=st.sampled_from(("up", "down")), **common),
        st.builds(LabelCodec, layout=st.just("rows"), shift=st.sampled_from(("east", "west")), **common),
    )


@given(codecs(), st.integers(0, 80), st.integers(0, 80))
def test_labels_and_hexes_are_two_names_of_one_thing(codec: LabelCodec, across: int, down: int) -> None:
    column, row = codec.first_column + across, codec.first_row + down
    h = codec.at(column, row)
    assert codec.numbers(h) == (column, row)
    assert codec.hex(codec.label(h)) == h
    assert codec.label(h) == codec.text(column, row)


@given(codecs(), st.integers(1, 60), st.integers(1, 60))
def test_the_next_in_line_is_adjacent(codec: LabelCodec, across: int, down: int) -> None:
    column, row = codec.first_column + across, codec.first_row + down
    straight = codec.at(column, row + 1) if codec.layout == "columns" else codec.at(column + 1, row)
    assert distance(codec.at(column, row), straight) == 1


@given(codecs())
def test_counting_starts_at_the_origin(codec: LabelCodec) -> None:
    assert codec.at(codec.first_column, codec.first_row) == Hex(0, 0)


@pytest.mark.parametrize(
    "label", ["3602", "K3602", "L362", "L36020", "L36 2", "L-102", "l3602", "", "L\u0663\u0666\u0660\u0662", "L36\u00b22"]
)
def test_what_is_no_label_is_refused_with_an_example(label: str) -> None:
    with pytest.raises(ValueError, match="is no hex label here; one looks like L0101"):
        victory("L").hex(label)


@pytest.mark.parametrize("label", ["L0001", "L0100"])
def test_labels_before_the_first_hex_are_refused(label: str) -> None:
    with pytest.raises(ValueError, match=f"'{label}' lies before the first hex, L0101"):
        victory("L").hex(label)


@pytest.mark.parametrize(
    ("h", "message"), [(Hex(-1, 0), "column 0 has no label; they run from 1 to 99"), (Hex(0, 99), "row 100 has no label")]
)
def test_hexes_without_a_label_are_refused(h: Hex, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        victory().label(h)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"layout": "columns", "shift": "east"}, "columns are shifted 'up' or 'down', not 'east'"),
        ({"layout": "rows", "shift": "up"}, "rows are shifted 'west' or 'east', not 'up'"),
        ({"layout": "columns", "shift": "up", "digits": 0}, "at least one digit"),
        ({"layout": "columns", "shift": "up", "first_row": -1}, "counted from 0 or more"),
        ({"layout": "columns", "shift": "up", "prefix": "L1"}, "unlike 'L1'"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        LabelCodec(shifted="odd", **settings)
