"""How much of what the mechanics share is really shared: `python -m tests.plugins.sharing` counts it.

A game is a bundled ruleset package together with its optional package (`hexwar_ava` with `hexwar_ava_optional`); toys of the
tests and projects of others do not count. Two things are counted:

- *Methods of shared parts that exactly one game overrides.* A shared part is a subclass of `Part` that is defined in the
  mechanics or in the packages below them (`SHARED`). Its overridable methods are those that its own class body defines under
  a public name: functions, properties and cached properties. A game overrides one if a class in its package defines the same
  name and inherits from that part, directly or not. What a shared part inherits and defines again counts once for each.
- *Names that exactly one game imports*, of all names in `__all__` of a shared package. A name counts as imported if any module
  of a game, its kit and its bots included, imports it from there. Each package is counted by itself: the mechanics are for games
  on hexes, of which there are several; `hexwar.pieces` is for all, `hexwar.plane` for games on a plane, and a package for which
  there is one bundled game says nothing about sharing.

A method that one game alone overrides is a question that one rulebook asks: it may belong into that game.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

from hexwar.engine import Part

ROOT = Path(__file__).resolve().parents[2]
SHARED = ("hexwar.mechanics", "hexwar.pieces", "hexwar.plane")
"""The packages whose parts and names games share; one that does not exist is passed over."""


def games() -> dict[str, tuple[str, ...]]:
    """Game -> its packages."""
    found: dict[str, list[str]] = defaultdict(list)
    for folder in sorted((ROOT / "rulesets").glob("hexwar_*")):
        found[folder.name.removesuffix("_optional")].append(folder.name)
    return {game: tuple(packages) for game, packages in found.items()}


def _modules(package: str) -> Iterator[str]:
    yield package
    found = importlib.import_module(package)
    yield from (module.name for module in pkgutil.walk_packages(found.__path__, f"{package}."))


def _classes(package: str) -> set[type]:
    """Every class that a module of a package defines."""
    found: set[type] = set()
    for name in _modules(package):
        values = vars(importlib.import_module(name)).values()
        found.update(value for value in values if isinstance(value, type) and value.__module__ == name)
    return found


def _packages() -> list[str]:
    return [package for package in SHARED if (ROOT / package.replace(".", "/")).is_dir()]


def overridable() -> dict[tuple[type[Part], str], frozenset[str]]:
    """Shared part and method -> the games that override it."""
    parts = [kind for package in _packages() for kind in _classes(package) if issubclass(kind, Part)]
    found = {(part, name): set[str]() for part in parts for name, value in vars(part).items() if _is_method(name, value)}
    for game, packages in games().items():
        for kind in (kind for package in packages for kind in _classes(package)):
            for (part, name), who in found.items():
                if issubclass(kind, part) and name in vars(kind):
                    who.add(game)
    return {method: frozenset(who) for method, who in found.items()}


def _is_method(name: str, value: object) -> bool:
    return not name.startswith("_") and (inspect.isfunction(value) or isinstance(value, property | cached_property))


def imported(package: str = "hexwar.mechanics") -> dict[str, frozenset[str]]:
    """Name of a shared package -> the games that import it from there."""
    found = {name: set[str]() for name in importlib.import_module(package).__all__}
    for game, folders in games().items():
        for path in (path for folder in folders for path in (ROOT / "rulesets" / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and node.module == package:
                    for alias in node.names:
                        found[alias.name].add(game)
    return {name: frozenset(who) for name, who in found.items()}


def lone_methods() -> dict[str, str]:
    """Method of a shared part, such as "Movement.avoided" -> the only game that overrides it."""
    found = {f"{part.__name__}.{name}": min(who) for (part, name), who in overridable().items() if len(who) == 1}
    return dict(sorted(found.items()))


def lone_names(package: str = "hexwar.mechanics") -> dict[str, str]:
    """Name of a shared package -> the only game that imports it."""
    return dict(sorted((name, min(who)) for name, who in imported(package).items() if len(who) == 1))


def _listed(found: Mapping[str, str]) -> str:
    return "\n".join(f"  {name} ({game})" for name, game in found.items())


if __name__ == "__main__":
    methods = overridable()
    unused = sum(not who for who in methods.values())
    print(f"{len(methods)} methods of shared parts; no game overrides {unused}, and exactly one overrides {len(lone_methods())}:")
    print(_listed(lone_methods()))
    for shared in _packages():
        print(f"{len(imported(shared))} names of {shared}; exactly one game imports {len(lone_names(shared))}:")
        print(_listed(lone_names(shared)))
