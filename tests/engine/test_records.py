"""Records: values with a kind, a repr that is Python, and a strict JSON form."""

from __future__ import annotations

import enum
import inspect
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, replace
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexwar.engine import Action, DiceRolled, GameEnded, Result, StepPopped, StepPushed, plain, record
from hexwar.engine._actions import by_kind
from hexwar.engine._records import parse
from tests.engine import toy


class Colour(enum.StrEnum):
    RED = "red"
    BLUE = "blue"


@record
class Point:
    x: int
    y: int = 0


@record
class Everything(Action):
    kind = "everything"
    number: int
    word: str
    flag: bool
    path: tuple[int, ...] = ()
    names: frozenset[str] = frozenset()
    table: dict[str, int] = field(default_factory=dict)
    spot: Point | None = None
    colour: Colour = Colour.RED


@record
class LoseStep(Action):
    kind = "lose-step"
    unit: str


@record
class Pass(Action):
    kind: ClassVar[str] = "pass-the-turn"


@record
class LoseLastStep(LoseStep):
    kind = "lose-last-step"


@record
class Signed(LoseStep):
    kind = "signed"
    place: str = "here"
    by: str = field(kw_only=True)
    times: int = field(default=1, kw_only=True)


def test_a_record_is_made_as_a_dataclass_is_made() -> None:
    assert repr(Signed("u", by="me")) == "Signed(unit='u', place='here', by='me', times=1)"
    assert Signed("u", "there", by="me", times=2) == Signed(unit="u", place="there", by="me", times=2)
    assert replace(Signed("u", by="me"), times=3) == Signed("u", by="me", times=3)
    assert pickle.loads(pickle.dumps(Signed("u", by="me"))) == Signed("u", by="me")
    assert hash(Signed("u", by="me")) == hash(Signed("u", by="me"))
    make: Any = Signed
    for wrong in (("u",), (), ("u", "p", "me")):
        with pytest.raises(TypeError):
            make(*wrong)
    with pytest.raises(TypeError):
        make("u", by="me", other=1)
    with pytest.raises(FrozenInstanceError):
        Signed("u", by="me").place = "there"  # type: ignore[misc]
    assert str(inspect.signature(Signed)) == "(unit: 'str', place: 'str' = 'here', *, by: 'str', times: 'int' = 1) -> None"


def test_a_record_is_made_of_all_its_fields() -> None:
    class Doubled(Action):
        kind = "doubled"
        number: int

        def __init__(self, number: int) -> None:
            object.__setattr__(self, "number", 2 * number)

    class Half(Action):
        kind = "half"
        x: int
        y: int = field(default=0, init=False)

    for wrong in (Doubled, Half):
        with pytest.raises(TypeError, match="is made of all its fields"):
            record(wrong)


def test_a_record_with_more_to_do_keeps_the_way_it_is_made() -> None:
    @record
    class Checked(Action):
        kind = "checked"
        number: int

        def __post_init__(self) -> None:
            if self.number < 0:
                raise ValueError("no")

    assert Checked(1).number == 1
    with pytest.raises(ValueError, match="no"):
        Checked(-1)


everything = st.builds(
    Everything,
    st.integers(),
    st.text(),
    st.booleans(),
    st.lists(st.integers()).map(tuple),
    st.frozensets(st.text()),
    st.dictionaries(st.text(), st.integers()),
    st.none() | st.builds(Point, st.integers(), st.integers()),
    st.sampled_from(Colour),
)


@given(everything)
def test_repr_is_python_that_gives_an_equal_value(value: Everything) -> None:
    assert eval(repr(value), dict(globals())) == value


@given(everything)
def test_json_goes_both_ways(value: Everything) -> None:
    data = value.to_json()
    assert data.pop("kind") == "everything"
    assert parse(Everything, data) == value


def test_repr_is_the_same_under_every_hash_seed() -> None:
    value = Everything(1, "a", True, names=frozenset("edcba"), path=(1,))
    assert repr(value) == (
        "Everything(number=1, word='a', flag=True, path=(1,), names=frozenset({'a', 'b', 'c', 'd', 'e'}), "
        "table={}, spot=None, colour=Colour.RED)"
    )


def test_a_record_may_have_a_repr_of_its_own() -> None:
    @record
    class Shy(Action):
        kind = "shy"
        secret: int

        def __repr__(self) -> str:
            return "Shy(...)"

    assert repr(Shy(1)) == "Shy(...)"


def test_events_and_steps_have_a_repr_that_is_python_too() -> None:
    names = {**vars(toy), "StepPushed": StepPushed, "StepPopped": StepPopped, "DiceRolled": DiceRolled, "Result": Result}
    names["GameEnded"] = GameEnded
    for value in [
        toy.Wished("north", 2),
        StepPushed(toy.Walking("north", 3)),
        StepPopped(),
        DiceRolled("walk", (1, 6), clause="2"),
        GameEnded(Result(None, "nobody came", "4", {"north": 1}), clause="4"),
    ]:
        assert eval(repr(value), dict(names)) == value


def test_the_kind_is_what_the_class_says_whatever_its_name_is() -> None:
    assert (LoseStep.kind, Pass.kind, LoseLastStep.kind) == ("lose-step", "pass-the-turn", "lose-last-step")
    assert Pass().to_json() == {"kind": "pass-the-turn"}


def test_a_class_that_does_not_say_its_kind_is_refused_when_it_is_made() -> None:
    for parent in (Action, LoseStep):  # a kind is not inherited: a save could not tell the two apart
        with pytest.raises(TypeError, match='LoseAllSteps does not say what its kind is: write `kind = "lose-all-steps"`'):

            @record
            class LoseAllSteps(parent):  # type: ignore[misc, valid-type]
                pass


def test_what_is_only_a_base_has_no_json_form_and_is_in_no_ruleset() -> None:
    @record
    class Base(Action):
        kind = ""

    class Undecorated(LoseStep):
        """Has the kind of its parent, which is not its own."""

    for wrong, made in ((Base, Base()), (Undecorated, Undecorated("a"))):
        with pytest.raises(ValueError, match=rf"{wrong.__name__} \(.*\) has no kind of its own: write `kind = "):
            by_kind([wrong])
        with pytest.raises(ValueError, match="has no kind of its own"):
            made.to_json()


def test_a_field_called_kind_is_refused_when_the_class_is_made() -> None:
    with pytest.raises(TypeError, match="Buy may not have a field `kind`"):

        @record
        class Buy(Action):
            kind: str  # type: ignore[misc]


def test_records_are_immutable() -> None:
    with pytest.raises(AttributeError):
        LoseStep("a").unit = "b"  # type: ignore[misc]
    assert not hasattr(LoseStep("a"), "__dict__")


def test_two_types_of_one_kind_are_an_authors_mistake() -> None:
    @record
    class Other(Action):
        kind: ClassVar[str] = "lose-step"

    assert by_kind([LoseStep, Pass, LoseStep]) == {"lose-step": LoseStep, "pass-the-turn": Pass}
    with pytest.raises(ValueError, match=r"Other \(.*\) and LoseStep \(.*\) have the same kind 'lose-step'"):
        by_kind([LoseStep, Other])


RIGHT = {"number": 1, "word": "a", "flag": True}
LOOP: list[Any] = []
LOOP.append(LOOP)


class Opaque:
    """Nothing that JSON knows, with a name that is the same in every process."""

    def __repr__(self) -> str:
        return "opaque"


OPAQUE = Opaque()


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"number": True}, "number: input should be a valid integer"),
        ({"number": "1"}, "number: input should be a valid integer"),
        ({"number": 1.0}, "number: input should be a valid integer"),
        ({"number": None}, "number: input should be a valid integer"),
        ({"number": [1]}, "number: input should be a valid integer"),
        ({"word": 1}, "word: input should be a valid string"),
        ({"word": ["a"]}, "word: input should be a valid string"),
        ({"word": "\ud800"}, ""),
        ({"flag": 1}, "flag: input should be a valid boolean"),
        ({"flag": "true"}, "flag: input should be a valid boolean"),
        ({"path": 1}, "path: input should be a valid array"),
        ({"path": [1, "2"]}, "path.1: input should be a valid integer"),
        ({"table": {"a": "1"}}, "table.a: input should be a valid integer"),
        ({"table": [["a", 1]]}, "table: input should be an object"),
        ({"spot": {"x": True}}, "spot.x: input should be a valid integer"),
        ({"spot": {"x": 1, "z": 1}}, "spot.z: unexpected keyword argument"),
        ({"colour": "green"}, "colour: input should be 'red' or 'blue'"),
        ({"unit": 1}, "unit: unexpected keyword argument"),
        ({"word": OPAQUE}, "is no JSON data: Object of type Opaque is not JSON serializable"),
        ({"path": LOOP}, "Circular reference detected"),
    ],
    ids=repr,
)
def test_parsing_is_strict_and_says_where_and_what(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the sentence is compared below
        parse(Everything, {**RIGHT, **wrong})
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "pydantic" not in str(caught.value)


def test_a_missing_field_and_the_wrong_shape_are_named() -> None:
    with pytest.raises(ValueError, match="number"):
        parse(Everything, {"word": "a", "flag": True})
    with pytest.raises(ValueError, match="input should be an object"):
        parse(Everything, [1, "a", True])


def test_data_nested_too_deeply_is_refused_like_any_other() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(ValueError, match="is no JSON data"):
        parse(Everything, {**RIGHT, "path": deep})


def test_plain_sorts_what_has_no_order_and_refuses_what_is_no_value() -> None:
    assert plain({"b": {3, 1}, "a": (1, [None, True])}) == {"a": [1, [None, True]], "b": [1, 3]}
    assert list(plain({"b": 1, "a": 1})) == ["a", "b"]  # type: ignore[arg-type]
    assert type(plain(Colour.RED)) is str
    assert plain({2: Point(1)}) == {"2": {"x": 1, "y": 0}}
    for wrong in (1.5, object(), Point):
        with pytest.raises(TypeError, match=r"a state or record may not hold a"):
            plain(wrong)
    with pytest.raises(TypeError, match=r"text or whole numbers for keys, not \('a', 1\)"):
        plain({("a", 1): 2})


@record
class Gun:
    """A value that is no record of a game; it may have a kind."""

    kind: str
    range: int = 3


@record
class Mortar(Gun):
    """The same as a record."""

    crew: int = 2


def test_a_record_extends_a_record() -> None:
    gun = Mortar("heavy", crew=5)
    assert (gun.kind, gun.range, gun.crew, gun.__match_args__) == ("heavy", 3, 5, ("kind", "range", "crew"))
    assert repr(gun) == "Mortar(kind='heavy', range=3, crew=5)"
    assert replace(gun, range=9) == Mortar("heavy", 9, 5) != gun
    assert hash(gun) == hash(Mortar("heavy", 3, 5))
    assert pickle.loads(pickle.dumps(gun)) == gun != Gun("heavy", 3)
    for name in ("kind", "crew"):
        with pytest.raises(FrozenInstanceError):
            setattr(gun, name, 1)
    assert not hasattr(gun, "__dict__")


def test_what_extends_a_record_otherwise_cannot_be_changed_either() -> None:
    @dataclass
    class Loose(Gun):  # type: ignore[misc]
        crew: int = 1

    with pytest.raises(FrozenInstanceError):
        Loose("heavy")
    with pytest.raises(TypeError, match="cannot inherit frozen dataclass from a non-frozen one"):

        @dataclass(frozen=True)
        class Howitzer(Gun):
            crew: int = 1
