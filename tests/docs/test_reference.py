"""The reference has every public module, and every public name says what it is."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import itertools
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import hexwar
from tests.docs.tables import DOCS

REFERENCE = DOCS / "reference"
INTERNAL = {"hexwar.hashing"}
"""Modules with `__all__` that only hexwar itself imports."""


def public() -> Iterator[str]:
    """Every module without an underscore that says what it offers."""
    yield "hexwar"
    for module in pkgutil.walk_packages(hexwar.__path__, "hexwar."):
        if not any(part.startswith("_") for part in module.name.split(".")) and module.name not in INTERNAL:
            spec = module.module_finder.find_spec(module.name, None)
            if spec and spec.origin and "\n__all__ = " in Path(spec.origin).read_text(encoding="utf-8"):
                yield module.name


MODULES = sorted(public())


def documented() -> dict[str, Path]:
    """Module -> its page."""
    return {
        line.removeprefix("::: ").strip(): page
        for page in REFERENCE.glob("*.md")
        for line in page.read_text(encoding="utf-8").splitlines()
        if line.startswith("::: ")
    }


def test_there_are_public_modules() -> None:
    assert {"hexwar", "hexwar.engine", "hexwar.web", "hexwar.testing.oracles"} <= set(MODULES)


@pytest.mark.parametrize("module", MODULES)
def test_a_public_module_is_in_the_reference(module: str) -> None:
    page = documented().get(module)
    assert page is not None, f"docs/reference has no page with ::: {module}"
    assert page.name in (DOCS.parent / "mkdocs.yml").read_text(encoding="utf-8")
    assert page.name in (REFERENCE / "index.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("module", sorted(documented()))
def test_a_module_of_the_reference_is_there(module: str) -> None:
    assert importlib.import_module(module).__doc__


@functools.cache
def explained_in(file: Path) -> set[str]:
    """The names in a file that have a text below their assignment."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        body = getattr(node, "body", None)
        for above, below in itertools.pairwise(body) if isinstance(body, list) else ():
            if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
                made = [it for it in ast.walk(above) if isinstance(it, ast.Name) and isinstance(it.ctx, ast.Store)]
                found |= {name.id for name in made}
    return found


def explained(name: str, home: Path) -> bool:
    """Whether a name has such a text in a module, or anywhere in a package."""
    files = home.parent.rglob("*.py") if home.name == "__init__.py" else [home]
    named = re.compile(rf"^\s*{name}\b.*=", re.MULTILINE)
    return any(named.search(file.read_text(encoding="utf-8")) and name in explained_in(file) for file in files)


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_has_a_docstring(module: str) -> None:
    loaded = importlib.import_module(module)
    home, bare = Path(str(loaded.__file__)), []
    for name in loaded.__all__:
        thing = getattr(loaded, name)
        is_code = inspect.isclass(thing) or inspect.isroutine(thing)
        if not (inspect.getdoc(thing) if is_code else explained(name, home)):
            bare.append(name)
    assert not bare, f"{module}: {', '.join(bare)} do not say what they are"
