"""Variants: optional and house rules that change a ruleset from outside, switched on by name when a game is created."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import pluggy

from hexwar.engine import Clause, Hooks, Option
from hexwar.errors import PluginError
from hexwar.plugins.specs import RuleSpecs


@dataclass(frozen=True, slots=True)
class Variant:
    """A set of changed rules.

    Args:
        id: the option that switches it on.
        ruleset: the ruleset it changes.
        title: for people.
        rules: a module or object with rule hooks, or "module:object" to import when it is first used.
        clauses: its own rules, added to the index; optional rules that stand in the ruleset's index have none here.
        excludes: options that cannot be on at the same time.
    """

    id: str
    ruleset: str
    title: str
    rules: object
    clauses: tuple[Clause, ...] = ()
    excludes: tuple[str, ...] = ()

    @property
    def option(self) -> Option:
        """The switch."""
        return Option(self.id, self.title, excludes=self.excludes, clause=self.clauses[0].id if self.clauses else "")


def load_object(entry: str) -> Any:
    """What "module:object" names."""
    module, _, name = entry.partition(":")
    target: Any = importlib.import_module(module)
    for part in filter(None, name.split(".")):
        target = getattr(target, part)
    return target


def unmarked_hooks(plugin: object) -> list[str]:
    """Functions that look like hooks but lack the marker: forgetting it would silently switch them off."""
    names = [name for name in dir(plugin) if name.startswith("hexwar_")]
    return [name for name in names if callable(getattr(plugin, name)) and not hasattr(getattr(plugin, name), "hexwar_impl")]


def resolve_hooks(variants: Iterable[Variant]) -> Hooks:
    """The rule hooks of the variants in play as plain callables.

    Implementations of later variants are called first, as pluggy does; `tryfirst` and `trylast` are honoured.
    """
    manager = pluggy.PluginManager("hexwar")
    manager.add_hookspecs(RuleSpecs)
    for variant in variants:
        rules = load_object(variant.rules) if isinstance(variant.rules, str) else variant.rules
        if forgotten := unmarked_hooks(rules):
            raise PluginError(f"variant {variant.id}: {forgotten[0]} lacks the marker @hookimpl")
        try:
            manager.register(rules, variant.id)
            manager.check_pending()
        except pluggy.PluginValidationError as error:
            raise PluginError(f"variant {variant.id}: {_sentence(error)}") from None
    chains: dict[str, tuple[Callable[..., Any], ...]] = {}
    for name in vars(RuleSpecs):
        if not name.startswith("hexwar_"):
            continue
        caller: pluggy.HookCaller = getattr(manager.hook, name)
        assert caller.spec is not None
        wanted = tuple(caller.spec.argnames)
        found = [_with_arguments(impl, wanted) for impl in reversed(caller.get_hookimpls())]
        if found:
            chains[name.removeprefix("hexwar_")] = tuple(found)
    return Hooks(chains)


def _with_arguments(impl: pluggy.HookImpl, wanted: tuple[str, ...]) -> Callable[..., Any]:
    """The implementation as a function of all the hook's arguments in order."""
    if impl.hookwrapper or impl.wrapper:
        raise PluginError(f"variant {impl.plugin_name}: a rule hook cannot be a wrapper")
    if tuple(impl.argnames) == wanted:
        return impl.function
    taken = [wanted.index(name) for name in impl.argnames]

    def call(*arguments: Any) -> Any:
        return impl.function(*[arguments[number] for number in taken])

    return call


def _sentence(error: Exception) -> str:
    return " ".join(str(error).split())
