"""State: a value with a digest and a JSON form, of which nobody sees more than it declares."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import field
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexwar.engine import Result, Sequencing, State, Viewer, derived, hidden, owned, public, record, redacted, state
from hexwar.engine._records import essence, quick_text
from hexwar.engine._state import check_flat
from tests.engine.toy import RULESET, Bidding, Toy, Walking, new_game, play_on

ROOT = Path(__file__).resolve().parents[2]
NORTH, SOUTH = Viewer("north", "north"), Viewer("south", "south")


@state
class Shared(State):
    large: Mapping[str, int] = public(factory=dict)
    small: dict[str, int] = public(factory=dict)


def test_copies_share_a_mapping_that_nobody_changes_in_place() -> None:
    made = Shared(large={"a": 1}, small={"b": 2})
    twin = made.copy()
    assert twin.large is made.large
    assert twin.small is not made.small
    twin.large = {**twin.large, "c": 3}
    assert made == Shared(large={"a": 1}, small={"b": 2})
    assert Shared().with_json(twin.to_json(), {}) == twin


@state
class Sloppy(State):
    cards: list[str] = public(default=())


def test_a_field_that_is_no_list_yet_is_copied_as_it_is() -> None:
    assert not Sloppy().copy().cards
    assert Sloppy(cards=["a"]).copy() == Sloppy(cards=["a"])


@state
class Zoo(State):
    bare: int = 3
    shown: dict[str, int] = public(factory=dict)
    secret: list[int] = hidden(factory=list)
    ours: dict[str, tuple[int, ...]] = owned(factory=dict)
    partly: tuple[int, ...] = redacted(lambda value, viewer: value[:1] if viewer.side == "north" else (), default=())
    marks: set[str] = public(factory=set)
    tally: Counter[str] = public(factory=Counter)
    heard: dict[str, int] = owned(factory=dict, in_digest=False)
    total: list[int] = derived(factory=list)

    def rebuild(self) -> None:
        self.total = [sum(self.shown.values()), len(self.secret)]


def zoo() -> Zoo:
    made = Zoo(bare=8, shown={"a": 1}, secret=[1, 2], ours={"north": (1,), "south": (2,), "n1": (3,)}, partly=(7, 8))
    made.marks.add("m")
    made.tally["t"] = 1
    made.rebuild()
    return made


toys = st.builds(
    Toy,
    round=st.integers(),
    track=st.dictionaries(st.text(), st.integers()),
    bids=st.dictionaries(st.text(), st.integers()),
    deck=st.lists(st.integers()).map(tuple),
    cards=st.dictionaries(st.sampled_from("abc"), st.integers(-3, 3)),
    draws=st.integers(0),
    phase=st.text(),
    result=st.none() | st.builds(Result, st.none() | st.text(), st.text(), st.text(), st.dictionaries(st.text(), st.integers())),
    stack=st.lists(st.builds(Bidding) | st.builds(Walking, st.text(), st.integers()) | st.just(Sequencing((1, 0)))),
)


# -- a value ----------------------------------------------------------------------------------------------------------


def test_a_copy_is_equal_and_independent_in_every_field() -> None:
    first, second = zoo(), zoo().copy()
    assert first == second
    second.shown["a"] = 2
    second.secret.append(3)
    second.ours["north"] = ()
    second.marks.add("n")
    second.tally["t"] += 1
    second.total.append(9)
    second.stack.append(Bidding())
    assert first == zoo()
    assert first.total == zoo().total
    assert type(second.tally) is Counter


@given(toys)
def test_copies_have_the_same_value_and_digest(value: Toy) -> None:
    twin = value.copy()
    assert twin == value
    assert twin.digest == value.digest
    twin.draws += 1
    assert twin != value
    assert twin.digest != value.digest


@pytest.mark.parametrize("name", ["bare", "shown", "secret", "ours", "partly", "marks", "stack", "draws", "phase", "result"])
def test_every_field_counts_in_the_value_and_in_the_digest(name: str) -> None:
    other = zoo()
    setattr(other, name, getattr(Zoo(phase="x", draws=1, stack=[Bidding()], result=Result(None, "", "4")), name))
    assert other != zoo()
    assert other.digest != zoo().digest


def test_what_a_seat_only_remembers_counts_in_the_value_and_in_the_view_but_not_in_the_digest() -> None:
    other = zoo()
    other.heard = {"north": 3}
    assert other != zoo()
    assert other.digest == zoo().digest
    assert other.to_json()["heard"] == {"north": 3}
    assert other.seen_by(Viewer("north", "north")).heard == {"north": 3}
    assert not other.seen_by(Viewer("south", "south")).heard


def test_what_is_derived_counts_in_neither() -> None:
    other = zoo()
    other.total = [99]
    assert other == zoo()
    assert other.digest == zoo().digest
    assert "total" not in other.to_json()


def test_states_of_different_types_are_not_equal_and_none_is_hashable() -> None:
    assert zoo() != Toy()
    with pytest.raises(TypeError, match="unhashable"):
        hash(zoo())


def test_the_digest_does_not_depend_on_the_order_in_which_things_came() -> None:
    one, two = Toy(track={"a": 1, "b": 2}), Toy(track={"b": 2, "a": 1})
    assert one == two
    assert one.digest == two.digest
    assert zoo().digest == "07b0f8867952f04d1f97829c4529735a"


def test_the_digest_does_not_depend_on_names_of_classes_or_on_fields_at_their_defaults() -> None:
    @record
    class Striding(Walking):
        kind = "walking"
        gait: str = "slow"
        stops: dict[str, int] = field(default_factory=dict)

    @state
    class Bigger(Toy):
        weather: str = public(default="dry")
        marks: dict[str, tuple[int, ...]] = public(factory=dict)

    old = Toy(round=3, stack=[Sequencing((1,)), Walking("north", 2)]).digest
    new = Bigger(round=3, stack=[Sequencing((1,)), Striding("north", 2)])
    assert new.digest == old
    for other in (
        Bigger(round=3, stack=new.stack, weather="wet"),
        Bigger(round=3, stack=new.stack, marks={"a": ()}),
        Bigger(round=3, stack=[Sequencing((1,)), Striding("north", 2, "fast")]),
        Bigger(round=3, stack=[Sequencing((1,)), Striding("north", 2, stops={"a": 0})]),
    ):
        assert other.digest != old


def test_the_digest_tells_steps_of_different_kinds_apart() -> None:
    @record
    class Running(Walking):
        kind = "running"

    assert Toy(stack=[Running("north", 2)]).digest != Toy(stack=[Walking("north", 2)]).digest


def test_the_digest_is_the_same_under_other_hash_seeds() -> None:
    program = (
        "from hexwar.engine import State, public, state\n"
        "@state\n"
        "class Letters(State):\n"
        "    letters: set[str] = public(factory=set)\n"
        "print(Letters(letters=set('qwertyuiop')).digest, list(set('qwertyuiop')))\n"
    )
    digests, orders = set(), set()
    for hash_seed in ("1", "2"):
        env = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
        done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True, timeout=300)
        digest, order = done.stdout.split(maxsplit=1)
        digests.add(digest)
        orders.add(order)
    assert len(digests) == 1
    assert len(orders) == 2


# -- JSON -------------------------------------------------------------------------------------------------------------


@given(toys)
def test_json_goes_both_ways(value: Toy) -> None:
    again = Toy().with_json(value.to_json(), RULESET.step_types)
    assert again == value
    assert again.digest == value.digest
    assert again.farthest == {"steps": max(value.track.values(), default=0)}


@given(st.lists(st.integers(0, 1000), max_size=40))
def test_a_position_that_was_written_and_read_goes_on_as_the_first_did(choices: list[int]) -> None:
    game = new_game()
    play_on(game, choices)
    twin = game.copy()
    twin._state = Toy().with_json(game.state.to_json(), RULESET.step_types)
    for each in (game, twin):
        play_on(each, range(0, 100, 7))
    assert twin.state == game.state
    assert twin.log("north") == game.log("north")


def test_with_json_changes_only_what_is_named_and_never_the_original() -> None:
    first = zoo()
    other = first.with_json({"shown": {"b": 5}}, {})
    assert (other.shown, other.secret, other.total) == ({"b": 5}, [1, 2], [5, 2])
    assert first == zoo()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"shown": {"a": "1"}}, "shown: a: input should be a valid integer"),
        ({"shown": {"a": True}}, "shown: a: input should be a valid integer"),
        ({"bare": "3"}, "bare: input should be a valid integer"),
        ({"bare": None}, "bare: input should be a valid integer"),
        ({"marks": "m"}, "marks: input should be a valid array"),
        ({"phase": 1}, "phase: input should be a valid string"),
        ({"result": {"winner": None, "reason": 1, "clause": "4"}}, "result: reason: input should be a valid string"),
        ({"result": {"winner": None, "reason": "", "clause": "4", "by": 1}}, "result: by: unexpected keyword argument"),
        ({"result": {"winner": None, "reason": "", "clause": "4", "scores": {"a": "1"}}}, "result: scores.a: input should be"),
        ({"total": [1]}, "total: the state has no such field; it has bare, draws,"),
        ({"nonsense": 1}, "nonsense: the state has no such field; it has bare,"),
        ({"stack": {}}, "stack: expected a list of steps"),
        ({"stack": [1]}, "stack.0: unknown kind of step None; known: bidding, sequencing, walking"),
        ({"stack": [{"kind": "bidding"}, {"kind": "flying"}]}, "stack.1: unknown kind of step 'flying'"),
        ({"stack": [{"kind": ["bidding"]}]}, "stack.0: unknown kind of step ['bidding']"),
        ({"stack": [{"kind": "walking", "seat": "north", "left": "2"}]}, "stack.0: left: input should be a valid integer"),
        ({"stack": [{"kind": "bidding", "left": 1}]}, "stack.0: left: unexpected keyword argument"),
    ],
    ids=repr,
)
def test_wrong_json_is_refused_with_a_sentence_that_names_the_field(data: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the sentence is compared below
        zoo().with_json(data, RULESET.step_types)
    assert str(caught.value).startswith(sentence)


# -- who sees what ----------------------------------------------------------------------------------------------------


def test_each_viewer_sees_what_the_fields_declare_and_defaults_for_the_rest() -> None:
    north, south, seat = zoo().seen_by(NORTH), zoo().seen_by(SOUTH), zoo().seen_by(Viewer("n1", "north"))
    assert north.shown == south.shown == {"a": 1}
    assert north.secret == south.secret == []
    assert (north.ours, south.ours) == ({"north": (1,)}, {"south": (2,)})
    assert seat.ours == {"north": (1,), "n1": (3,)}
    assert (north.partly, south.partly) == ((7,), ())
    assert (north.stack, north.draws) == ([], 0)


def test_a_field_without_a_specifier_is_hidden() -> None:
    assert zoo().seen_by(NORTH).bare == 3


def test_what_is_derived_is_made_from_what_is_seen() -> None:
    assert zoo().total == [1, 2]
    assert zoo().seen_by(NORTH).total == [1, 0]


def test_a_view_shares_nothing_with_the_state() -> None:
    first = zoo()
    seen = first.seen_by(NORTH)
    seen.shown["a"] = 9
    seen.marks.clear()
    seen.ours.clear()
    seen.total.append(1)
    assert first == zoo()
    assert first.total == [1, 2]


@given(toys, toys)
def test_no_view_depends_on_what_is_hidden(value: Toy, other: Toy) -> None:
    value.deck, value.draws, value.stack = other.deck, other.draws, other.stack
    value.bids = {**other.bids, "north": 1}
    twin = value.copy()
    twin.deck, twin.draws, twin.stack, twin.bids = (), 0, [], {"north": 1, "south": 2}
    assert value.seen_by(NORTH) == twin.seen_by(NORTH)


def test_a_state_with_derived_fields_must_say_how_they_are_made() -> None:
    with pytest.raises(TypeError, match="Lazy has derived fields, so it needs `rebuild`"):

        @state
        class Lazy(State):
            total: list[int] = derived(factory=list)


def test_a_field_without_a_default_cannot_be_hidden_and_is_refused() -> None:
    for specifier in (public(), hidden(), redacted(lambda value, viewer: value)):
        with pytest.raises(TypeError, match="the state field 'hand' needs a default"):

            @state
            class Bare(State):
                hand: int = specifier


def test_containers_inside_containers_are_refused_because_copies_would_share_them() -> None:
    @state
    class Deep(State):
        stacks: dict[str, list[str]] = public(factory=dict)

    @state
    class Tuples(State):
        stacks: tuple[Counter[str], ...] = public(default=())

    @state
    class Optional(State):
        stacks: list[str | set[int]] | None = public(default=None)

    @state
    class Flat(State):
        stacks: dict[str, tuple[str | None, ...]] | None = public(default=None)

    check_flat(Flat)
    for wrong in (Deep, Tuples, Optional):
        with pytest.raises(TypeError, match=r"the state field 'stacks' holds a .* inside another container"):
            check_flat(wrong)
    check_flat(Toy)
    check_flat(Zoo)


def test_a_result_reads_as_a_sentence() -> None:
    assert str(Result("north", "went far", "4", {"north": 3, "south": 1})) == "north wins: went far; north 3; south 1 (4)"
    assert str(Result(None, "nobody moved", "4")) == "a draw: nobody moved (4)"


WRITTEN = st.text(max_size=6) | st.sampled_from(['"', "\\", "\x7f", "\n", "é", "a b", "\u2028", "\ud800"])


@given(
    st.dictionaries(WRITTEN, WRITTEN, min_size=1, max_size=4)
    | st.dictionaries(WRITTEN, st.integers() | st.booleans(), max_size=4)
    | st.dictionaries(WRITTEN, st.none() | st.integers() | st.tuples(WRITTEN), max_size=4)
)
def test_the_quick_text_of_a_large_table_is_that_of_its_essence(odd: dict[Any, Any]) -> None:
    """Given a large plain table with some odd entries, then it is written as JSON writes it, or not written quickly."""
    usual: dict[str, Any] = {f"u{number}": "0101" for number in range(60)}
    numbers: dict[str, Any] = {f"u{number}": -number for number in range(60)}
    for table in (usual, numbers, usual | odd, numbers | odd, odd | usual):
        text = quick_text(table)
        assert text in (None, json.dumps(essence(table), sort_keys=True, separators=(",", ":")))
    assert quick_text(usual) is not None is not quick_text(numbers)
    assert quick_text(odd) is None, "it is not large"
    assert quick_text(dict(enumerate(usual))) is None, "numbers are sorted in another way than texts"


def test_a_digest_is_the_hash_of_the_whole_text() -> None:
    """Whichever fields are written quickly, and wherever these stand."""

    @state
    class Tables(State):
        alpha: int = public(default=0)
        beta: Mapping[str, str] = public(factory=dict)
        gamma: tuple[str, ...] = public(default=())
        zeta: Mapping[str, int] = public(factory=dict)

    where, steps = {f"u{number}": "0101" for number in range(60)}, {f"u{number}": 2 for number in range(60)}
    for values in product((0, 1), ({}, {"u1": "0102"}, where), ((), ("x",)), ({}, steps)):
        told: dict[str, Any] = dict(zip(("alpha", "beta", "gamma", "zeta"), values, strict=True))
        text = json.dumps({name: value for name, value in told.items() if value}, sort_keys=True, separators=(",", ":"))
        assert Tables(**told).digest == hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
