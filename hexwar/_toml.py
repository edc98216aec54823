"""A quick reader for plain TOML, which is what games, maps and positions are written in.

The parser of the standard library takes three times as long. What is read here is a part of TOML whose validity regular
expressions can judge: no escapes, dates, dotted keys or deep nesting. Everything else, and whatever is wrong, is left to that
parser, so no text is read in two ways.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

_COMMENT: Final = r"#[^\x00-\x08\x0a-\x1f\x7f]*+"
_BLANK: Final = rf"(?:[ \t\n]++|{_COMMENT})*+"
_TEXT: Final = r'"[^"\\\x00-\x1f\x7f]*+"(?!")'
_KEY: Final = rf"(?:[A-Za-z0-9_-]++|{_TEXT})"
_SCALAR: Final = rf"(?:{_TEXT}|true|false|-?(?:0|[1-9][0-9]{{0,14}})(?:\.[0-9]{{1,15}})?)(?=[ \t\n,\]}}#]|\Z)"


def _array(item: str) -> str:
    return rf"\[{_BLANK}(?:{item}{_BLANK}(?:,{_BLANK}|(?=\])))*+\]"


_TABLE: Final = rf"\{{[ \t]*+(?:(?:{_KEY}[ \t]*+=[ \t]*+(?:{_SCALAR}|{_array(_SCALAR)})[ \t]*+(?:,[ \t]*+(?!\}})|(?=\}})))++)?\}}"
_LONG: Final = r'"""[^"\\\x00-\x08\x0b-\x1f\x7f]*+"""(?!")'
_VALUE: Final = rf"(?:{_LONG}|{_SCALAR}|{_TABLE}|{_array(rf'(?:{_SCALAR}|{_TABLE}|{_array(_SCALAR)})')})"
_PATH: Final = rf"{_KEY}(?:\.{_KEY}){{0,4}}"
_STATEMENT: Final = re.compile(
    rf"{_BLANK}(?:({_KEY})[ \t]*+=[ \t]*+({_VALUE})|\[({_PATH})\]|\[\[({_PATH})\]\])[ \t]*+(?:{_COMMENT})?(?:\n|\Z)"
)
_REST: Final = re.compile(_BLANK)
_PART: Final = re.compile(_KEY)
_NAMED: Final = re.compile(r"([A-Za-z0-9_-]*+)[ \t]*+=")
_SKIPPED: Final = re.compile(r"^[ \t]*+#.*+|,(?=[ \t]*+\n[ \t\n]*+\])", re.MULTILINE)
"""Comments with a line of their own and commas before the end of a list; elsewhere they make JSON fail."""


def quick_toml(text: str) -> dict[str, Any] | None:
    """The keys of a plain TOML text, as `tomllib.loads` gives them; None if only that can tell."""
    heads: list[tuple[bool, list[str]]] = []
    bodies: list[list[str]] = [[]]
    at = 0
    while found := _STATEMENT.match(text, at):
        at = found.end()
        key, value, table, row = found.groups()
        if key is None:
            heads.append((table is None, [part.strip('"') for part in _PART.findall(table or row)]))
            bodies.append([])
        else:
            bodies[-1].append(f"{_quoted(key)}:{_as_json(value)}")
    if _REST.fullmatch(text, at) is None:
        return None
    try:
        root, *tables = json.loads("[{" + "},{".join(map(",".join, bodies)) + "}]", object_pairs_hook=_unique)
        _put(root, heads, tables)
    except (KeyError, ValueError):
        return None
    return root  # type: ignore[no-any-return]


def _quoted(key: str) -> str:
    return key if key[0] == '"' else f'"{key}"'


def _as_json(value: str) -> str:
    if value.startswith('"""'):
        return json.dumps(value[3:-3].removeprefix("\n"))
    if "\n" in value:
        value = _SKIPPED.sub("", value)
    if "{" in value:
        parts = value.split('"')  # what stands between two texts is much the same for every entry
        between = {part: _NAMED.sub(lambda name: f'"{name[1]}":' if name[1] else ":", part) for part in set(parts[::2])}
        parts[::2] = [between[part] for part in parts[::2]]
        return '"'.join(parts)
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        raise ValueError("a key is there twice")
    return table


def _put(root: dict[str, Any], heads: list[tuple[bool, list[str]]], bodies: list[dict[str, Any]]) -> None:
    """Put tables into another under their headers.

    Raises:
        KeyError: something is there already that a header may not extend, or that must be looked at more closely.
    """
    tables: dict[tuple[str, ...], dict[str, Any]] = {(): root}
    rows: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    done: set[tuple[str, ...]] = set()
    """Tables with a header of their own, and rows that have tables inside."""
    for (is_row, parts), body in zip(heads, bodies, strict=True):
        path: tuple[str, ...] = ()
        for part in parts[:-1]:
            above, path = tables[path], (*path, part)
            if path in rows:
                done.add(path)
            if path not in tables:
                tables[path] = _new(above, part, {})
        above, path = tables[path], (*path, parts[-1])
        if path in done or (path in rows) > is_row:
            raise KeyError(path)
        if is_row:
            if path not in rows:
                rows[path] = _new(above, parts[-1], [])
            rows[path].append(body)
            tables[path] = body
        elif path in tables:
            for key, value in body.items():
                _new(tables[path], key, value)
            done.add(path)
        else:
            tables[path] = _new(above, parts[-1], body)
            done.add(path)


def _new(table: dict[str, Any], key: str, value: Any) -> Any:
    if key in table:
        raise KeyError(key)
    table[key] = value
    return value
