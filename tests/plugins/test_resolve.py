"""From variants to plain callables: in which order, with which arguments, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from hexwar import Variant, hookimpl
from hexwar.engine import Hooks, Part, Phase, RuleIndex, SequenceOfPlay, Setup, World
from hexwar.errors import HexwarError, PluginError, RuleBroken
from hexwar.plugins import resolve_variants
from tests.plugins.sample import plugin


def resolved(*rules: object) -> Any:
    return resolve_variants(Variant(f"v{number}", "sample", "V", each) for number, each in enumerate(rules, 1)).hooks


def refused(rules: object) -> str:
    with pytest.raises(PluginError) as caught:
        resolved(rules)
    return str(caught.value)


def phases(hooks: Hooks) -> str:
    """The names of the phases that the hooks add one after the other."""
    sequence = World(Setup("toy", "1", "s", {}, {}, RuleIndex([]), hooks), SequenceOfPlay()).sequence
    return " ".join(line.removesuffix(" [1]") for line in sequence.outline())


def adding(name: str) -> Callable[..., SequenceOfPlay]:
    return lambda world, sequence: SequenceOfPlay(*sequence.nodes, Phase(name, name, "1", lambda play: None))


def test_no_variants_no_hooks() -> None:
    hooks = resolved()
    assert hooks == Hooks()
    assert phases(hooks) == ""


def test_a_later_variant_is_called_first() -> None:
    assert phases(resolved(plugin(hexwar_sequence=adding("one")), plugin(hexwar_sequence=adding("two")))) == "two one"


def test_tryfirst_and_trylast() -> None:
    last, first = plugin(), plugin()
    last.hexwar_sequence = hookimpl(trylast=True)(adding("last"))  # type: ignore[attr-defined]
    first.hexwar_sequence = hookimpl(tryfirst=True)(adding("first"))  # type: ignore[attr-defined]
    assert phases(resolved(first, plugin(hexwar_sequence=adding("mid")), last)) == "first mid last"


def test_none_leaves_the_value_as_it_is() -> None:
    assert phases(resolved(plugin(hexwar_sequence=adding("mud")), plugin(hexwar_sequence=lambda world: None))) == "mud"


def test_a_hook_may_take_fewer_arguments_in_any_order() -> None:
    given = []

    def hexwar_veto(action: str, at: str, extra: int = 1, **more: Any) -> None:
        given.append((action, at, extra, more))

    [veto] = resolved(plugin(hexwar_veto=hexwar_veto)).veto
    assert veto("at", "blue", "action") is None
    assert given == [("action", "at", 1, {})]


def test_rules_may_be_an_object_or_a_class() -> None:
    class Rules:
        name = "mud"

        @hookimpl
        def hexwar_sequence(self, world: Any, sequence: SequenceOfPlay) -> SequenceOfPlay:
            return adding(self.name)(world, sequence)

        @staticmethod
        @hookimpl
        def hexwar_veto(seat: str) -> None:
            assert seat == "blue"

    for rules in (Rules, Rules()):
        hooks = resolved(rules)
        assert phases(hooks) == "mud"
        assert hooks.veto[0](None, "blue", None) is None


def test_rules_may_be_named() -> None:
    assert phases(resolved("tests.plugins.test_resolve:NAMED")) == "named"


NAMED = plugin(hexwar_sequence=adding("named"))


def unlike(mark: Callable[[Any], Any]) -> Any:
    """A module with a veto that is marked in another way, or not at all."""
    module = plugin()
    module.hexwar_veto = mark(lambda at: (yield))  # type: ignore[attr-defined]
    return module


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        (unlike(hookimpl(wrapper=True)), "hexwar_veto is a wrapper: no hook of hexwar can be one"),
        (unlike(hookimpl(hookwrapper=True)), "hexwar_veto is a wrapper: no hook of hexwar can be one"),
        (unlike(lambda veto: veto), "hexwar_veto lacks the marker @hookimpl"),
        (plugin(hexwar_vetos=lambda at: None), "no hook is called 'hexwar_vetos'; did you mean hexwar_veto?"),
        (
            plugin(hexwar_veto=lambda hex: None),
            "hexwar_veto takes 'hex', which the hook does not give; it gives at, seat, action",
        ),
        (plugin(PARTS={"zones": Part}, hexwar_vetos=lambda: None), "no hook is called 'hexwar_vetos'; did you mean hexwar_veto?"),
        (plugin(), "<module 'sample_plugin'> changes no part and has no rule hook"),
        (plugin(HEXWAR_API=0), "it was written for version 0 of the plugin hooks; this hexwar has version 1"),
        ("no_such_module", "its rules do not load: ModuleNotFoundError: No module named 'no_such_module'"),
    ],
)
def test_what_does_not_fit_is_refused(rules: object, sentence: str) -> None:
    assert refused(rules) == f"variant v1: {sentence}"


def test_two_variants_need_rules_of_their_own() -> None:
    rules = plugin(hexwar_sequence=adding(""))
    with pytest.raises(PluginError, match="variant v2: its rules are those of variant v1; each variant needs its own"):
        resolved(rules, rules)


@pytest.mark.parametrize(
    ("hook", "answer", "sentence"),
    [
        ("sequence", ["phase"], "hexwar_sequence must return SequenceOfPlay or None, not ['phase']"),
        ("veto", "no", "hexwar_veto must return Refusal or None, not 'no'"),
        ("on_event", True, "hexwar_on_event must return None, not True"),
    ],
)
def test_a_wrong_answer_names_the_variant_and_the_hook(hook: str, answer: object, sentence: str) -> None:
    [call] = getattr(resolved(plugin(**{f"hexwar_{hook}": lambda: answer})), hook)
    with pytest.raises(RuleBroken) as caught:
        call(None, None, None)
    assert str(caught.value) == f"variant v1: {sentence}"


# -- what a hook raises ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "sentence"),
    [(KeyError("x"), "KeyError: 'x'"), (ValueError("two\nlines"), "ValueError: two lines"), (AssertionError(), "AssertionError")],
)
def test_a_hook_that_fails_is_named_with_its_variant(error: Exception, sentence: str) -> None:
    def hexwar_on_event(play: Any) -> None:
        raise error

    [react] = resolved(plugin(hexwar_on_event=hexwar_on_event)).on_event
    with pytest.raises(RuleBroken) as caught:
        react(None, None)
    assert str(caught.value) == f"variant v1: hexwar_on_event failed: {sentence}"
    assert caught.value.__cause__ is error


def test_an_error_of_hexwar_comes_through_as_it_is() -> None:
    error = HexwarError("no hex is called 'x'")

    def hexwar_veto() -> None:
        raise error

    with pytest.raises(HexwarError) as caught:
        resolved(plugin(hexwar_veto=hexwar_veto)).veto[0](None, "blue", None)
    assert caught.value is error
