"""Sets of offered actions: membership, order, sampling, laziness."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from hexwar.engine import Action, ActionSet, AnyOf, Choices, Filtered, Grouped, Listed, RandomSource, SeededChance, pick, record
from hexwar.errors import Refusal, RefusalCode


@record
class Go(Action):
    kind = "go"
    unit: str
    to: int


@record
class Done(Action):
    kind = "done"

    def __str__(self) -> str:
        return "done"


@record
class Allot(Action):
    kind = "allot"
    losses: dict[str, int]


UNITS = {"a": (1, 2), "b": (), "c": (3,)}


def grouped(asked: list[str] | None = None) -> Grouped:
    def group(unit: str) -> list[Action]:
        if asked is not None:
            asked.append(unit)
        return [Go(unit, to) for to in UNITS[unit]]

    return Grouped([Done()], tuple(UNITS), group, lambda action: action.unit if isinstance(action, Go) else None)


NO = Refusal(RefusalCode.AGAINST_RULE, "1.1", "no")


def listed() -> Listed:
    return Listed([Done(), Go("a", 1), Go("a", 2), Go("c", 3)])


def filtered() -> Filtered:
    more = Listed([Done(), Go("a", 9), Go("a", 1), Go("z", 1), Go("a", 2), Go("c", 3)])
    return Filtered(more, lambda action: NO if action in (Go("a", 9), Go("z", 1)) else None)


def choices() -> Choices:
    more = [Done(), Go("a", 9), Go("a", 1), Go("z", 1), Go("a", 2), Go("c", 3)]
    return Choices(more, lambda action: NO if action in (Go("a", 9), Go("z", 1)) else None)


def any_of() -> AnyOf:
    return AnyOf(
        [],
        [Done()],
        Choices([Go("a", 1), Go("a", 9)], lambda action: NO if action == Go("a", 9) else None),
        [Go("a", 2), Go("c", 3)],
    )


SETS: list[Callable[[], ActionSet]] = [listed, grouped, filtered, choices, any_of]
every_set = pytest.mark.parametrize("make", SETS)


@every_set
def test_the_order_is_that_of_the_author_each_time(make: Callable[[], ActionSet]) -> None:
    offer = make()
    expected = [Done(), Go("a", 1), Go("a", 2), Go("c", 3)]
    assert list(offer) == expected
    assert list(offer) == expected
    assert offer


@every_set
def test_what_is_listed_is_a_member_and_nothing_else_is(make: Callable[[], ActionSet]) -> None:
    offer = make()
    assert all(action in offer for action in offer)
    for wrong in (Go("a", 3), Go("a", 9), Go("b", 1), Go("z", 1), Go(["a"], 1), Go("a", [1]), Allot({}), "done", None):  # type: ignore[arg-type]
        assert wrong not in offer


@every_set
def test_find_gives_the_offered_object_not_its_equal(make: Callable[[], ActionSet]) -> None:
    found = make().find(Go("a", True))
    assert found == Go("a", 1)
    assert isinstance(found, Go)
    assert found.to is not True


@every_set
def test_sampling_reaches_every_action_and_nothing_else(make: Callable[[], ActionSet]) -> None:
    offer, chance = make(), random.Random(1)
    assert {offer.sample(chance) for _ in range(200)} == set(offer)


def test_sampling_a_group_of_empty_groups_skips_them() -> None:
    offer = Grouped([], ["b", "c"], lambda unit: [Go(unit, to) for to in UNITS[unit]], lambda action: None)
    assert {offer.sample(random.Random(seed)) for seed in range(20)} == {Go("c", 3)}


def test_sampling_finds_the_one_action_that_a_veto_left_among_many() -> None:
    offer = Filtered(Listed(Go("a", to) for to in range(500)), lambda action: NO if action != Go("a", 77) else None)
    assert offer.sample(random.Random(1)) == Go("a", 77)


def test_checking_one_action_works_out_its_group_only_and_only_once() -> None:
    asked: list[str] = []
    offer = grouped(asked)
    assert offer
    assert asked == []
    assert offer.find(Done()) == Done()
    assert asked == []
    assert offer.find(Go("c", 3)) == Go("c", 3)
    assert offer.find(Go("c", 4)) is None
    assert offer.find(Go("z", 4)) is None
    assert asked == ["c"]
    list(offer)
    assert sorted(asked) == ["a", "b", "c"]


def test_a_veto_is_asked_of_the_offered_object() -> None:
    asked: list[Any] = []

    def refused(action: Action) -> Refusal | None:
        asked.append(action)
        return None

    Filtered(listed(), refused).find(Go("a", True))
    assert asked[0].to is not True


@pytest.mark.parametrize(
    "empty",
    [
        Listed([]),
        Grouped([], [], lambda key: [], lambda action: None),
        Grouped([], ["b"], lambda key: [], lambda action: "b"),
        Filtered(listed(), lambda action: NO),
        Filtered(Listed([]), lambda action: None),
    ],
)
def test_an_empty_set_is_false_has_no_member_and_no_sample(empty: ActionSet) -> None:
    assert not empty
    assert list(empty) == []
    assert Done() not in empty
    with pytest.raises(LookupError, match="nothing is offered"):
        empty.sample(random.Random(1))


def test_actions_may_hold_what_cannot_be_hashed() -> None:
    offer = Listed([Done(), Allot({"a": 1}), Allot({"a": 2})])
    assert offer.find(Allot({"a": 2})) is list(offer)[2]
    assert Allot({"a": 3}) not in offer
    assert Done() in offer


def test_pick_takes_any_source_of_chance() -> None:
    class Last:
        def randrange(self, stop: int, /) -> int:
            return stop - 1

    assert pick("abc", Last()) == "c"
    assert isinstance(Last(), RandomSource)
    assert isinstance(random.Random(1), RandomSource)
    assert not isinstance(SeededChance(1), RandomSource)
    with pytest.raises(LookupError):
        pick("", Last())


def test_an_action_without_a_sentence_shows_its_repr() -> None:
    assert str(Go("a", 1)) == "Go(unit='a', to=1)"
    assert str(Done()) == "done"


def test_a_set_of_choices_explains_by_the_rule_that_makes_it() -> None:
    assert choices().why_not(Go("z", 1)) is NO
    assert choices().why_not(Go("a", 1)) is None
    vetoed = Filtered(choices(), lambda action: NO if action == Done() else None)
    assert [vetoed.why_not(action) for action in (Done(), Go("z", 1), Go("a", 1))] == [NO, NO, None]


def test_a_grouped_set_explains_by_its_group_and_why_there_is_none() -> None:
    def group(key: str) -> Choices:
        return Choices([Go(key, 1), Go(key, 2)], lambda action: NO if action.to == 2 else None)

    gone = Refusal(RefusalCode.AGAINST_RULE, "1.2", "gone")
    offer = Grouped([Done()], ("a",), group, lambda action: getattr(action, "unit", None), lambda key: gone)
    assert [offer.why_not(action) for action in (Go("a", 1), Go("a", 2), Go("b", 1), Done())] == [None, NO, gone, None]


class TestAnyOf:
    """Given several sets, when they are asked as one."""

    def one(self) -> AnyOf:
        def why_not(action: Action) -> Refusal | None:
            far = isinstance(action, Go) and action.to > 2
            return Refusal(RefusalCode.AGAINST_RULE, "2", "too far") if far else None

        return AnyOf([Done()], Choices([Go("d", to) for to in (1, 2, 3)], why_not), grouped())

    def test_it_lists_and_counts_all_of_them_in_their_order(self) -> None:
        both, every = self.one(), [Done(), Go("d", 1), Go("d", 2), *grouped()]
        assert list(both) == every
        assert both.count() == len(every)
        assert [both.nth(index) for index in range(len(every))] == every
        assert both.complete
        assert all(both.lists(action) and both.find(action) == action for action in every)
        assert both.example() == grouped().example()

    def test_a_reason_comes_from_the_set_that_has_one(self) -> None:
        refusal = self.one().why_not(Go("d", 3))
        assert refusal is not None
        assert refusal.message == "too far"
        assert self.one().why_not(Go("c", 3)) is None, "another of the sets offers it"
        assert self.one().find(Go("d", 9)) is None

    def test_every_action_of_every_set_is_sampled(self) -> None:
        chance = random.Random(1)
        assert {self.one().sample(chance) for _ in range(200)} == {*self.one()}

    def test_where_nothing_is_offered_nothing_is_given(self) -> None:
        empty = AnyOf([], Listed(()))
        assert not empty
        assert not list(empty)
        with pytest.raises(LookupError):
            empty.sample(random.Random(1))
        with pytest.raises(LookupError):
            empty.example()

    def test_it_is_a_menu_as_soon_as_one_of_them_is(self) -> None:
        class Menu(Listed):
            complete = False

        mixed = AnyOf([Done()], Menu([Go("d", 1)]))
        assert not mixed.complete
        assert not mixed.lists(Go("d", 2))
