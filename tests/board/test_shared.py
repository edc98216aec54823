"""Tables and planes: what the kernel has of them does what dicts and plain counting do."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref
from collections.abc import Iterator, MutableMapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexwar.board import _compiled, bits, mask_of, present, recounted, table
from hexwar.board._bits import counted_in_python
from tests.board.test_kernels import SETTINGS, needs_kernel

WAYS = [False, pytest.param(True, marks=needs_kernel)]


@pytest.fixture(params=WAYS, ids=["pure", "compiled"], scope="module", autouse=True)
def way(request: pytest.FixtureRequest) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_compiled, "COMPILED", request.param)
        yield


KEYS = st.integers(0, 40).map("unit-{}".format)
CHANGES = st.tuples(st.sampled_from(("put", "put", "delete", "pop", "copy", "list", "count")), KEYS, st.integers(0, 9))


@SETTINGS
@given(st.dictionaries(KEYS, st.integers()), st.lists(CHANGES, max_size=80), st.data())
def test_tables_are_dicts(first: dict[str, int], changes: list[tuple[str, str, int]], data: st.DataObject) -> None:
    pairs: list[tuple[Any, dict[str, int]]] = [(table(first), dict(first))]
    for what, key, value in changes:
        ours, model = pairs[data.draw(st.integers(0, len(pairs) - 1))] if len(pairs) > 1 else pairs[0]
        if what == "put":
            ours[key] = model[key] = value
        elif what == "copy":
            pairs.append((ours.copy() if value % 2 else table(ours), dict(model)))
        elif what == "list":
            assert list(ours.items()) == list(model.items())
        elif what == "count":
            assert len(ours) == len(model)
        elif key in model and what == "delete":
            del ours[key]
            del model[key]
        elif key in model:
            assert ours.pop(key) == model.pop(key)
        else:
            with pytest.raises(KeyError, match=key):
                del ours[key]
        assert ours.get(key) == model.get(key)
        assert ours.get(key, -1) == model.get(key, -1)
        assert (key in ours) == (key in model)
    for ours, model in pairs:
        assert len(ours) == len(model)
        assert ours == model
        assert list(ours) == list(model)
        assert [ours[key] for key in model] == list(ours.values()) == list(model.values())
        assert (list(ours.keys()), repr(ours), pickle.loads(pickle.dumps(ours))) == (list(model), repr(model), model)


def test_a_table_is_a_mapping_that_nobody_can_hash() -> None:
    made = table({"a": 1})
    assert isinstance(made, MutableMapping)
    assert made == made.copy() == {"a": 1} != {"a": 2}
    assert copy.copy(made) == made
    assert dict(made) == {**made} == {"a": 1}
    assert made != object()
    with pytest.raises(TypeError):
        hash(made)
    with pytest.raises(TypeError):
        made[[]] = 1  # type: ignore[index]
    with pytest.raises(TypeError):
        made.get([])  # type: ignore[call-overload]
    with pytest.raises(KeyError, match="b"):
        made["b"]


def test_a_table_in_a_circle_is_collected() -> None:
    class Mark:
        pass

    made: Any = table({})
    made["self"], made["mark"] = made, Mark()
    seen = weakref.ref(made["mark"])
    twin = made.copy()
    twin["self"] = twin
    del made, twin
    gc.collect()
    assert seen() is None


@SETTINGS
@given(st.lists(st.tuples(st.sets(st.integers(0, 200), max_size=9), st.booleans()), max_size=30))
@pytest.mark.parametrize("count", [recounted, counted_in_python])
def test_planes_count(count: Any, zones: list[tuple[set[int], bool]]) -> None:
    planes: list[int] = []
    standing: list[set[int]] = []
    counts = dict.fromkeys(range(201), 0)
    for more, ends in zones:
        less = standing.pop(0) if ends and standing else set()
        before = list(planes)
        now, watched = count(planes, mask_of(less, 201), mask_of(more, 201))
        assert planes == before
        planes = now
        standing.append(more)
        for hexes, by in ((less, -1), (more, 1)):
            for i in hexes:
                counts[i] += by
        assert {i: sum((plane >> i & 1) << digit for digit, plane in enumerate(planes)) for i in range(201)} == counts
        assert not planes or planes[-1]
        assert bits(watched) == [i for i in counts if counts[i]]


@SETTINGS
@given(st.sets(st.integers(0, 5000)))
def test_bits_are_the_indices_in_order(indices: set[int]) -> None:
    masks = []
    for compiled in {False, _compiled.COMPILED}:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(_compiled, "COMPILED", compiled)
            masks.append(mask_of(indices, 5001))
            with pytest.raises(IndexError):
                mask_of([*indices, 60_000], 5001)
    assert {*masks} == {sum(1 << i for i in indices)}
    assert bits(masks[0]) == sorted(indices)


@pytest.mark.parametrize("wrong", [((), 0, 0), ([1], None, 0), ([1], 0, None), (["a"], 1, 0), ([1],)])
@needs_kernel
def test_the_compiled_planes_refuse_what_is_of_another_kind(wrong: tuple[Any, ...]) -> None:
    from hexwar.board import _kernel

    with pytest.raises(TypeError):
        _kernel.recounted(*wrong)
    with pytest.raises(TypeError):
        _kernel.bits(None)  # type: ignore[arg-type]
    with pytest.raises(OverflowError):
        _kernel.bits(-1)
    with pytest.raises(TypeError):
        _kernel.Table(a=1)  # type: ignore[call-arg]


@SETTINGS
@given(st.dictionaries(KEYS, st.sampled_from("abcd")), st.lists(KEYS), st.booleans())
def test_present_are_those_at_one_of_some_places_in_their_order(at: dict[str, str], names: list[str], shared: bool) -> None:
    there = table(at) if shared else at
    assert present(iter(names), there, {"a": 1, "b": 0}) == tuple(name for name in names if at.get(name) in ("a", "b"))


def test_present_passes_errors_on() -> None:
    with pytest.raises(TypeError):
        present([["a list"]], table({}), {})  # type: ignore[list-item]
    with pytest.raises(TypeError):
        present(None, {}, {})  # type: ignore[arg-type]
    with pytest.raises(ZeroDivisionError):
        present((str(1 // number) for number in (1, 0)), {"1": "a"}, {"a": 1})
