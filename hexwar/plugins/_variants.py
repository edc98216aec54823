"""Variants: optional and house rules that change a ruleset from outside, switched on by name when a game is created."""

from __future__ import annotations

import importlib
from typing import Any

from hexwar.engine import Clause, Option, record


@record
class Variant:
    """A set of changed rules.

    Args:
        id: the option that switches it on.
        ruleset: the ruleset it changes.
        title: for people.
        rules: a module or object with `PARTS` or rule hooks, or its name to import when it is first used: "module" or
            "module:object". A plugin that is one module says `__name__` and keeps its rules beside `hexwar_variants`.
            Besides these the rules may bring `ACTIONS`, `STEPS`, `EVENTS` and `INVARIANTS`, which belong to the ruleset as it
            is in games with the variant, and in no others.
        clauses: its own rules, added to the index; optional rules that stand in the ruleset's index have none here.
        excludes: options that cannot be on at the same time.
        clause: the rule that describes it; the first of its own if not said.
        scenarios: where it applies; empty for everywhere.
        choices: the values of an option that is more than a switch. The first leaves the game as it is; with any other the
            variant is on, and its rules find the value in `world.options`.
    """

    id: str
    ruleset: str
    title: str
    rules: object
    clauses: tuple[Clause, ...] = ()
    excludes: tuple[str, ...] = ()
    clause: str = ""
    scenarios: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()

    @property
    def option(self) -> Option:
        """The switch, or the choice."""
        clause = self.clause or (self.clauses[0].id if self.clauses else "")
        default = self.choices[0] if self.choices else False
        return Option(self.id, self.title, self.choices, default, self.excludes, clause, self.scenarios)


def load_object(entry: str) -> Any:
    """What "module:object" names."""
    module, _, name = entry.partition(":")
    target: Any = importlib.import_module(module)
    for part in filter(None, name.split(".")):
        target = getattr(target, part)
    return target


def instance(plugin: object) -> object:
    """A plugin object; of a class a new object is made, whose methods have their `self`."""
    return plugin() if isinstance(plugin, type) else plugin
