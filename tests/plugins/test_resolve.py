"""From variants to plain callables: in which order, with which arguments, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from hexwar import Variant, hookimpl
from hexwar.engine import Hooks
from hexwar.errors import HexwarError, PluginError, RuleBroken
from hexwar.mechanics import Mode, Rail, Reinforcements, Score
from hexwar.plugins import resolve_hooks
from tests.plugins.sample import plugin


def resolved(*rules: object) -> Hooks:
    return resolve_hooks(Variant(f"v{number}", "sample", "V", each) for number, each in enumerate(rules, 1))


def refused(rules: object) -> str:
    with pytest.raises(PluginError) as caught:
        resolved(rules)
    return str(caught.value)


def conditions(word: str) -> Callable[..., str]:
    return lambda at, conditions: f"{conditions}{word}"


def test_no_variants_no_hooks() -> None:
    hooks = resolve_hooks([])
    assert hooks.chain("conditions") == ()
    assert hooks.refine("conditions", "fair", None) == "fair"


def test_a_later_variant_is_called_first() -> None:
    hooks = resolved(plugin(hexwar_conditions=conditions("1")), plugin(hexwar_conditions=conditions("2")))
    assert hooks.refine("conditions", "", None) == "21"


def test_tryfirst_and_trylast() -> None:
    last = plugin()
    last.hexwar_conditions = hookimpl(trylast=True)(conditions("last"))  # type: ignore[attr-defined]
    first = plugin()
    first.hexwar_conditions = hookimpl(tryfirst=True)(conditions("first "))  # type: ignore[attr-defined]
    hooks = resolved(first, plugin(hexwar_conditions=conditions("mid ")), last)
    assert hooks.refine("conditions", "", None) == "first mid last"


def test_none_leaves_the_value_as_it_is() -> None:
    hooks = resolved(plugin(hexwar_conditions=conditions("mud")), plugin(hexwar_conditions=lambda at: None))
    assert hooks.refine("conditions", "", None) == "mud"


def test_a_hook_may_take_fewer_arguments_in_any_order() -> None:
    def hexwar_movement_cost(cost: int, mover: str, extra: int = 1, **more: Any) -> int:
        assert not more
        return cost + len(mover) + extra

    hooks = resolved(plugin(hexwar_movement_cost=hexwar_movement_cost))
    assert hooks.refine("movement_cost", 10, None, "", "armour", "0101", "0102") == 17


def test_rules_may_be_an_object_or_a_class() -> None:
    class Rules:
        word = "mud"

        @hookimpl
        def hexwar_conditions(self, at: Any) -> str:
            return self.word

        @staticmethod
        @hookimpl
        def hexwar_stacking_limit(limit: int) -> int:
            return limit + 1

    for rules in (Rules, Rules()):
        hooks = resolved(rules)
        assert hooks.refine("conditions", "", None) == "mud"
        assert hooks.refine("stacking_limit", 2, None, "blue", "0101") == 3


def test_rules_may_be_named() -> None:
    assert not resolved("hexwar_bridgehead.barrage").chain("veto"), "it changes a part and no hook"
    assert resolved("tests.plugins.test_resolve:NAMED").refine("conditions", "", None) == "named"


NAMED = plugin(hexwar_conditions=conditions("named"))


def wrapper() -> Any:
    module = plugin()
    module.hexwar_conditions = hookimpl(wrapper=True)(lambda at: (yield))  # type: ignore[attr-defined]
    return module


def old_wrapper() -> Any:
    module = plugin()
    module.hexwar_conditions = hookimpl(hookwrapper=True)(lambda at: (yield))  # type: ignore[attr-defined]
    return module


def unmarked() -> Any:
    module = plugin()
    module.hexwar_conditions = conditions("")  # type: ignore[attr-defined]
    return module


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        (wrapper(), "variant v1: hexwar_conditions is a wrapper: no hook of hexwar can be one"),
        (old_wrapper(), "variant v1: hexwar_conditions is a wrapper: no hook of hexwar can be one"),
        (unmarked(), "variant v1: hexwar_conditions lacks the marker @hookimpl"),
        (
            plugin(hexwar_movement_costs=lambda cost: cost),
            "variant v1: no hook is called 'hexwar_movement_costs'; did you mean hexwar_movement_cost?",
        ),
        (
            plugin(hexwar_supply=lambda at, hex: True),
            "variant v1: hexwar_supply takes 'hex', which the hook does not give; it gives at, unit, supplied",
        ),
        (plugin(), "variant v1: <module 'sample_plugin'> changes no part and has no rule hook"),
        (plugin(HEXWAR_API=0), "variant v1: it was written for version 0 of the plugin hooks; this hexwar has version 1"),
        (
            "no_such_module",
            "variant v1: its rules do not load: ModuleNotFoundError: No module named 'no_such_module'",
        ),
    ],
)
def test_what_does_not_fit_is_refused(rules: object, sentence: str) -> None:
    assert refused(rules) == sentence


def test_two_variants_need_rules_of_their_own() -> None:
    rules = plugin(hexwar_conditions=conditions(""))
    with pytest.raises(PluginError, match="variant v2: its rules are those of variant v1; each variant needs its own"):
        resolved(rules, rules)


@pytest.mark.parametrize(
    ("hook", "arguments", "answer", "sentence"),
    [
        ("conditions", 1, 3, "hexwar_conditions must return str or None, not 3"),
        ("movement_cost", 5, 1.5, "hexwar_movement_cost must return int or None, not 1.5"),
        ("supply", 2, "yes", "hexwar_supply must return bool or None, not 'yes'"),
    ],
)
def test_a_wrong_answer_names_the_variant_and_the_hook(hook: str, arguments: int, answer: object, sentence: str) -> None:
    hooks = resolved(plugin(**{f"hexwar_{hook}": lambda: answer}))
    with pytest.raises(RuleBroken) as caught:
        hooks.refine(hook, None, *[None] * arguments)
    assert str(caught.value) == f"variant v1: {sentence}"


def test_a_veto_is_a_refusal_and_a_reaction_returns_nothing() -> None:
    hooks = resolved(plugin(hexwar_veto=lambda: "no", hexwar_on_event=lambda: True))
    with pytest.raises(RuleBroken, match="hexwar_veto must return Refusal or None, not 'no'"):
        hooks.chain("veto")[0](None, "blue", None)
    with pytest.raises(RuleBroken, match="hexwar_on_event must return None, not True"):
        hooks.chain("on_event")[0](None, None)


# -- what is inside an answer ------------------------------------------------------------------------------------------

WORLD = SimpleNamespace(units={"b1": None, "b2": None}, board=SimpleNamespace(link_kinds=("rail", "road")))
AT = SimpleNamespace(world=WORLD)
NORMAL = Mode("")
POINTS = 'must return a tuple of a number and a clause, such as (12, "house.1"), not'
KNOWN = "known: b1, b2"

INSIDE: list[tuple[str, tuple[Any, ...], Any, str]] = [
    (
        "chits",
        (WORLD, {"a": NORMAL}),
        {"x": "y"},
        "must return a dictionary of Mode by id, and 'y' is none",
    ),
    ("chits", (WORLD, {"a": NORMAL}), {1: NORMAL}, "must return a dictionary of chits by their ids, and 1 is no id"),
    ("chits", (WORLD, {"a": NORMAL}), {}, "must return the chits of the game, and there is none left"),
    ("lines", (WORLD, "blue", ()), ("rail",), "must return a tuple of Rail, and 'rail' is none"),
    (
        "lines",
        (WORLD, "blue", ()),
        (Rail("canal", 3),),
        "must return links that there are, and no link is called 'canal'; known: rail, road",
    ),
    ("modes", (AT, "b1", (NORMAL,)), ("x",), "must return a tuple of Mode, and 'x' is none"),
    ("modes", (AT, "b1", (NORMAL,)), (), "must return one way of moving at least, the normal one, not ()"),
    ("points_needed", (AT, "blue", (1, "1")), (12,), f"{POINTS} (12,)"),
    ("points_needed", (AT, "blue", (1, "1")), ("12", "16.4.2"), f"{POINTS} ('12', '16.4.2')"),
    ("reinforcements", (AT, "chit", ()), (("a",),), "must return a tuple of Reinforcements, and ('a',) is none"),
    (
        "reinforcements",
        (AT, "chit", ()),
        (Reinforcements("b1", 1),),  # type: ignore[arg-type]
        "must return Reinforcements of units, a number and a topic, not ('b1', 1, 'arrival')",
    ),
    (
        "reinforcements",
        (AT, "chit", ()),
        (Reinforcements(("zz",), 1),),
        f"must return Reinforcements of a tuple of units' ids, and no unit is called 'zz'; {KNOWN}",
    ),
    ("victory_points", (AT, ()), (("blue", 1),), "must return a tuple of Score, and ('blue', 1) is none"),
]


@pytest.mark.parametrize(("hook", "arguments", "answer", "sentence"), INSIDE)
def test_what_is_inside_an_answer_is_looked_at(hook: str, arguments: tuple[Any, ...], answer: Any, sentence: str) -> None:
    hooks = resolved(plugin(**{f"hexwar_{hook}": lambda: answer}))
    with pytest.raises(RuleBroken) as caught:
        hooks.chain(hook)[0](*arguments)
    assert str(caught.value) == f"variant v1: hexwar_{hook} {sentence}"


RIGHT: list[tuple[str, tuple[Any, ...], Any]] = [
    ("chits", (WORLD, {}), {"x": "y"}),
    ("chits", (WORLD, {"a": NORMAL}), {"x": Mode("fast")}),
    ("lines", (WORLD, "blue", ()), ()),
    ("lines", (WORLD, "blue", ()), (Rail("road", 1), Rail("rail", 0))),
    ("lines", (SimpleNamespace(), "blue", ()), (Rail("canal", 1),)),
    ("modes", (AT, "b1", ()), (NORMAL, Mode("fast"))),
    ("points_needed", (AT, "blue", (1, "1")), (12, "16.4.2")),
    ("reinforcements", (AT, "chit", ()), (Reinforcements(("b1",), 1),)),
    ("victory_points", (AT, ()), (Score("blue", 1, "medal", "house.1"),)),
]


@pytest.mark.parametrize(("hook", "arguments", "answer"), RIGHT)
def test_a_right_answer_comes_through_as_it_is(hook: str, arguments: tuple[Any, ...], answer: Any) -> None:
    assert resolved(plugin(**{f"hexwar_{hook}": lambda: answer})).chain(hook)[0](*arguments) is answer


# -- what a hook raises ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "sentence"),
    [(KeyError("x"), "KeyError: 'x'"), (ValueError("two\nlines"), "ValueError: two lines"), (AssertionError(), "AssertionError")],
)
def test_a_hook_that_fails_is_named_with_its_variant(error: Exception, sentence: str) -> None:
    def hexwar_supply(unit: str) -> None:
        raise error

    hooks = resolved(plugin(hexwar_supply=hexwar_supply))
    with pytest.raises(RuleBroken) as caught:
        hooks.chain("supply")[0](None, "b1", True)
    assert str(caught.value) == f"variant v1: hexwar_supply failed: {sentence}"
    assert caught.value.__cause__ is error


def test_an_error_of_hexwar_comes_through_as_it_is() -> None:
    error = HexwarError("no hex is called 'x'")

    def hexwar_supply() -> None:
        raise error

    with pytest.raises(HexwarError) as caught:
        resolved(plugin(hexwar_supply=hexwar_supply)).chain("supply")[0](None, "b1", True)
    assert caught.value is error
