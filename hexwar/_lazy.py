"""Packages whose names are imported on first use, so that importing the package itself costs nothing."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any


def lazy(package: str, homes: Mapping[str, str], *hooks: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The functions `__getattr__` and `__dir__` of a package.

    Args:
        package: its name.
        homes: public name -> the module of the package that has it.
        hooks: what is defined in the package itself and must be listed as well: the plugin manager looks for hooks there.
    """

    def attribute(name: str) -> Any:
        if name in homes:
            return getattr(importlib.import_module(f"{package}.{homes[name]}"), name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return attribute, lambda: [*homes, *hooks]
