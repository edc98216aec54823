"""From the variants in play to plain callables: what a game's rules call, without a plugin manager in between."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import pluggy

from hexwar.engine import Hooks, Part
from hexwar.errors import HexwarError, PluginError, RuleBroken, RuleBrokenCode
from hexwar.plugins.checks import RULE_ANSWERS, RULE_HOOKS, changes_of, check_kinds, hooks_of, parts_of, shown, told
from hexwar.plugins.specs import RuleSpecs
from hexwar.plugins.variants import Variant, instance, load_object


class Resolved(NamedTuple):
    """What the variants in play come to.

    Args:
        hooks: their rule hooks.
        parts: variant -> part of the world -> the class that it puts in front.
        brought: variant -> what else it brings, as `Ruleset.extended` takes it; variants that bring nothing are not here.
    """

    hooks: Hooks
    parts: Mapping[str, Mapping[str, type[Part]]]
    brought: Mapping[str, Mapping[str, tuple[Any, ...]]]


def resolve_hooks(variants: Iterable[Variant]) -> Hooks:
    """The rule hooks of the variants in play; see `resolve_variants`."""
    return resolve_variants(variants).hooks


def resolve_variants(variants: Iterable[Variant]) -> Resolved:
    """The rule hooks of the variants in play, and the actions, steps, events and invariants that they bring.

    Implementations of later variants are called first, as pluggy does; `tryfirst` and `trylast` are honoured.

    Raises:
        PluginError: if the rules of a variant cannot be imported, or a hook or something else in them is not as specified.
    """
    brought: dict[str, Mapping[str, tuple[Any, ...]]] = {}
    parts: dict[str, Mapping[str, type[Part]]] = {}
    manager = pluggy.PluginManager("hexwar")
    manager.add_hookspecs(RuleSpecs)
    for variant in variants:
        try:
            rules = instance(load_object(variant.rules) if isinstance(variant.rules, str) else variant.rules)
            changes = changes_of(rules)
            if not changes and not any(hook in RULE_HOOKS for hook in hooks_of(rules)):
                raise PluginError(f"{shown(rules)} changes no part and has no rule hook")
            if other := manager.get_name(rules):
                raise PluginError(f"its rules are those of variant {other}; each variant needs its own module or object")
            manager.register(rules, variant.id)
            if changes:
                parts[variant.id] = changes
            if more := parts_of(rules):
                brought[variant.id] = more
        except HexwarError as error:
            raise PluginError(f"variant {variant.id}: {error}") from None
        except Exception as error:
            raise PluginError(f"variant {variant.id}: its rules do not load: {told(error)}") from error
    check_kinds(brought)
    chains: dict[str, tuple[Callable[..., Any], ...]] = {}
    for hook in RULE_HOOKS:
        caller: pluggy.HookCaller = getattr(manager.hook, hook)
        found = [_checked(impl, hook) for impl in reversed(caller.get_hookimpls())]
        if found:
            chains[hook.removeprefix("hexwar_")] = tuple(found)
    return Resolved(Hooks(chains), parts, brought)


def _checked(impl: pluggy.HookImpl, hook: str) -> Callable[..., Any]:
    """The implementation as a function of all the hook's arguments in order, that returns what it may return."""
    from hexwar.plugins.answers import ELEMENTS  # here, because it needs the mechanics, and `hexwar list` does not

    function, allowed, mistake_in = impl.function, RULE_ANSWERS[hook], ELEMENTS.get(hook)
    taken = [RULE_HOOKS[hook].index(name) for name in impl.argnames]
    takes_all = tuple(impl.argnames) == RULE_HOOKS[hook]

    def call(*arguments: Any) -> Any:
        try:
            answer = function(*arguments) if takes_all else function(*[arguments[number] for number in taken])
        except HexwarError:
            raise
        except Exception as error:
            raise RuleBroken(RuleBrokenCode.HOOK, f"variant {impl.plugin_name}: {hook} failed: {told(error)}") from error
        if answer is None:
            return None
        if not isinstance(answer, allowed):
            expected = " or ".join([*(kind.__name__ for kind in allowed), "None"])
            raise RuleBroken(
                RuleBrokenCode.HOOK, f"variant {impl.plugin_name}: {hook} must return {expected}, not {shown(answer)}"
            )
        if mistake_in is not None and (mistake := mistake_in(answer, arguments)):
            raise RuleBroken(RuleBrokenCode.HOOK, f"variant {impl.plugin_name}: {hook} must return {mistake}")
        return answer

    return call
