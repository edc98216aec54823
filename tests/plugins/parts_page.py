"""docs/reference/parts.md, made from the code: `python -m tests.plugins.parts_page` brings it up to date."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

import hexwar.mechanics
import hexwar.pieces
from hexwar.engine import Part, World
from hexwar.engine._parts import parts_of

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "parts.md"
HEADING = """# The parts of hexwar.mechanics and hexwar.pieces

The parts that rulesets share, with the methods that a game or a [variant](../hooks.md#changing-a-part) overrides.
A heading such as `zones`: Zones says that a world keeps the part under this name; a world on hexes has the usual one
unless you give it another. Attributes with their defaults stand in the docstrings.
"""
SHARED = {**vars(hexwar.mechanics), **vars(hexwar.pieces)}
KNOWN = [value for value in SHARED.values() if isinstance(value, type)]


def headings() -> dict[type[Part], str]:
    """Every class of parts that mechanics and pieces bring, with its heading: under the name that a world of theirs gives it."""
    named = {kind: name for world in KNOWN if issubclass(world, World) for name, kind in parts_of(world).items()}
    classes = dict.fromkeys([*named, *(kind for kind in KNOWN if issubclass(kind, Part) and kind is not Part)])
    found = {}
    for kind in classes:
        bases = ", ".join(base.__name__ for base in kind.__bases__ if base is not Part)
        about = f"{kind.__name__}({bases})" if bases else kind.__name__
        found[kind] = f"`{named[kind]}`: {about}" if kind in named else about
    return dict(sorted(found.items(), key=lambda item: item[0].__name__))


def methods_of(kind: type[Part]) -> Iterator[str]:
    """The public methods that a class of parts adds or changes, each with its arguments and the first line of its docstring."""
    for name, method in vars(kind).items():
        if not inspect.isfunction(method) or name.startswith("_"):
            continue
        arguments, named = [], False
        signature = inspect.signature(method)
        for argument in list(signature.parameters.values())[1:]:
            if argument.kind is argument.KEYWORD_ONLY and not named:
                named = True
                arguments.append("*")
            default = "" if argument.default is argument.empty else f" = {argument.default!r}"
            arguments.append(f"{argument.name}: {argument.annotation}{default}")
        yield f"- `{name}({', '.join(arguments)}) -> {signature.return_annotation}`: {_first_line(method)}"


def _first_line(thing: object) -> str:
    line = (inspect.getdoc(thing) or "").partition("\n")[0]
    assert line, f"{thing} has no docstring"
    return line


def written() -> str:
    """The whole page."""
    sections = [
        "\n".join([f"## {heading}", "", _first_line(kind), "", *methods_of(kind)]).rstrip()
        for kind, heading in headings().items()
    ]
    return "\n\n".join([HEADING.rstrip(), *sections]) + "\n"


if __name__ == "__main__":
    PAGE.write_text(written(), encoding="utf-8")
