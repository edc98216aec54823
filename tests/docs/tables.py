"""Tables that pages of the documentation have from the code, between marks."""

from __future__ import annotations

import re
import types
import typing
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parents[2] / "docs"


def table(heads: list[str], rows: list[list[str]]) -> str:
    """A Markdown table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '&#124;') for cell in line)} |" for line in lines)


def typed(hint: Any) -> str:
    """A type as people write it, without what only checkers of types need."""
    if hint is type(None):
        return "None"
    if hint is ...:
        return "..."
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return typed(inside[0])
    if origin is typing.Literal:
        return " or ".join(f'"{it}"' for it in inside)
    if origin in (typing.Union, types.UnionType):
        return " or ".join(map(typed, inside))
    if origin is None:
        return str(getattr(hint, "__name__", hint)).replace("Any", "any")
    name = {"Mapping": "dict", "Sequence": "list"}.get(origin.__name__, origin.__name__)
    return f"{name}[{', '.join(map(typed, inside))}]"


def put(text: str, name: str, content: str) -> str:
    """A page with other content between the marks of a name."""
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
    before, found, rest = text.partition(begin)
    _, closed, after = rest.partition(end)
    assert found, f"the page has no mark {begin}"
    assert closed, f"the page has no mark {end}"
    return f"{before}{begin}\n{content.strip()}\n\n{end}{after}"


def sentence(docstring: str | None) -> str:
    """The first paragraph of a docstring, on one line."""
    return re.sub(r"\s+", " ", (docstring or "").strip().partition("\n\n")[0])


def arguments(docstring: str | None) -> dict[str, str]:
    """What a docstring says of each argument."""
    _, _, rest = (docstring or "").partition("Args:\n")
    found: dict[str, str] = {}
    name, indent = "", 0
    for line in rest.splitlines():
        if not line.strip():
            break
        start = len(line) - len(line.lstrip())
        if match := re.match(r"\s+(\w+): (.*)", line):
            if not indent:
                indent = start
            if start == indent:
                name, found[match[1]] = match[1], match[2]
                continue
        found[name] += f" {line.strip()}"
    return found
