"""Plugins made on the spot, for tests of the manager and of rule hooks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from hexwar import RulesetInfo, Variant, hookimpl
from hexwar.engine import Clause, Scenario
from hexwar.mechanics import Movement
from hexwar.plugins import Plugins, use_plugins

CLAUSE = Clause("house.1", "the house rule")


def plugin(**contents: Any) -> ModuleType:
    """A module with these contents; functions that are called like hooks are marked as such."""
    module = ModuleType("sample_plugin")
    for name, value in contents.items():
        setattr(module, name, hookimpl(value) if name.startswith("hexwar_") and callable(value) else value)
    return module


def card(ruleset: str = "sample", **changes: Any) -> RulesetInfo:
    fields: dict[str, Any] = {
        "id": ruleset,
        "title": "Sample",
        "version": "1.0",
        "sides": ("north", "south"),
        "scenarios": (Scenario("short", "Short"),),
        "entry": "tests.engine.toy:RULESET",
    }
    return RulesetInfo(**{**fields, **changes})


def empty(**settings: Any) -> Plugins:
    """A manager that does not look for installed plugins."""
    return Plugins(installed=False, **settings)


def error_of(manager: Plugins, name: str) -> str:
    """What the manager says is wrong with a plugin."""
    [found] = [found for found in manager.found() if found.name == name]
    return found.error


def game_plugins() -> Plugins:
    """The small game and its map, and nothing else that happens to be installed."""
    return Plugins(allow=["bridgehead", "maps", "house", "annexe"])


def house_rule(**contents: Any) -> ModuleType:
    """A plugin with a variant of the small game, `house`, whose rules are these hooks."""
    rules = plugin(**contents)
    return plugin(hexwar_variants=lambda: [Variant("house", "bridgehead", "House rule", rules, (CLAUSE,))])


class ThickWoods(Movement):
    """Woods cost infantry one point more."""

    def step_cost(self, arm: str, conditions: str, origin: str, target: str, printed: int) -> int:
        cost = super().step_cost(arm, conditions, origin, target, printed)
        return cost + 2 if arm == "infantry" and self.world.board.terrain(target) == "woods" else cost


@contextmanager
def using(manager: Plugins) -> Iterator[Plugins]:
    """The facade uses this manager inside the block."""
    use_plugins(manager)
    try:
        yield manager
    finally:
        use_plugins(None)


@contextmanager
def playing_with(**contents: Any) -> Iterator[Plugins]:
    """The small game with a house rule, which the option `house` switches on."""
    manager = game_plugins()
    manager.register(house_rule(**contents), "house")
    with using(manager):
        yield manager
