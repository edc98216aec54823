"""From the variants in play to plain callables: what a game's rules call, without a plugin manager in between."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import pluggy

from hexwar.engine import Hooks, Part
from hexwar.errors import HexwarError, PluginError, RuleBroken, RuleBrokenCode
from hexwar.plugins._checks import (
    RULE_ANSWERS,
    RULE_HOOKS,
    brought_by,
    changes_of,
    check_kinds,
    contained,
    hooks_of,
    in_words,
    require,
    shown,
)
from hexwar.plugins._variants import Variant, instance, load_object
from hexwar.plugins.specs import RuleSpecs


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


def resolve_variants(variants: Iterable[Variant]) -> Resolved:
    """The rule hooks of the variants in play, the parts that they change, and what else they bring.

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
            with contained("their import", "its rules do not load: ", HexwarError):
                rules = instance(load_object(variant.rules) if isinstance(variant.rules, str) else variant.rules)
                changes, hooks = changes_of(rules), RULE_HOOKS.keys() & hooks_of(rules)
                require(changes or hooks, "… changes no part and has no rule hook", rules)
                other = manager.get_name(rules)
                require(not other, f"its rules are those of variant {other}; each variant needs its own module or object")
                manager.register(rules, variant.id)
                if changes:
                    parts[variant.id] = changes
                if more := brought_by(rules):
                    brought[variant.id] = more
        except HexwarError as error:
            raise PluginError(f"variant {variant.id}: {error}") from error.__cause__
    check_kinds(brought)
    chains: dict[str, tuple[Callable[..., Any], ...]] = {}
    for hook in RULE_HOOKS:
        caller: pluggy.HookCaller = getattr(manager.hook, hook)
        chains[hook.removeprefix("hexwar_")] = tuple([_checked(impl, hook) for impl in reversed(caller.get_hookimpls())])
    return Resolved(Hooks(**chains), parts, brought)


def _checked(impl: pluggy.HookImpl, hook: str) -> Callable[..., Any]:
    """The implementation as a function of all the hook's arguments in order, that returns what it may return."""
    function, allowed = impl.function, RULE_ANSWERS[hook]
    taken = [RULE_HOOKS[hook].index(name) for name in impl.argnames]

    def call(*arguments: Any) -> Any:
        try:
            answer = function(*[arguments[number] for number in taken])
        except HexwarError:
            raise
        except (Exception, SystemExit) as error:  # other ends of a program may be a test's own signals
            raise RuleBroken(RuleBrokenCode.HOOK, f"variant {impl.plugin_name}: {hook} failed: {in_words(error)}") from error
        if answer is not None and not isinstance(answer, allowed):
            expected = "None" if allowed is type(None) else f"{allowed.__name__} or None"
            raise RuleBroken(
                RuleBrokenCode.HOOK, f"variant {impl.plugin_name}: {hook} must return {expected}, not {shown(answer)}"
            )
        return answer

    return call
