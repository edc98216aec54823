"""Mistakes in data files (TOML or JSON): a number, a truth, a name that stands there for another, two rows exchanged."""

from __future__ import annotations

import json
import re
import tomllib
from bisect import bisect_right
from collections import defaultdict
from itertools import accumulate, pairwise
from typing import Any

from hexwar.testing._mutants.edits import Edit

_TOKEN = re.compile(
    r'(?P<skip>#[^\n]*|"""(?:.|\n)*?"""|\'\'\'(?:.|\n)*?\'\'\')'
    r"|(?P<table>^ *\[+ *(?P<title>[\w.\-\" ]+?) *\]+ *(?=#|$))"
    r"|(?P<key>(?:\"(?:\\.|[^\"\\\n])*\"|[\w.-]+)(?= *[=:] ?))"
    r"|(?P<text>\"(?:\\.|[^\"\\\n])*\"|'[^'\n]*')"
    r"|(?P<truth>\b(?:true|false)\b)"
    r"|(?P<number>(?<![\w.:-])-?\d+(?:\.\d+)?(?![\w.:-]))",
    re.M,
)
_ROW = re.compile(r"^(?P<key>[ \w\".-]+?) *[=:] *(?P<value>[^#\n]+?),? *(?:#.*)?$", re.M)
_WORDS = {
    "name",
    "title",
    "text",
    "note",
    "notes",
    "summary",
    "description",
    "source",
    "what",
    "says",
    "credits",
    "version",
    "id",
}
"""What only names or explains; an id is looked up by somebody, so that a wrong one is found when the file is loaded."""


def data_edits(text: bytes) -> list[Edit]:
    """All mistakes that a file of data can have."""
    content = text.decode("utf-8")
    found: list[Edit] = []
    texts: defaultdict[str, list[str]] = defaultdict(list)
    named: list[tuple[re.Match[str], str]] = []
    key = table = ""
    starts = [0, *(place.end() for place in re.finditer("\n", content))]
    offsets = [0, *accumulate(len(letter.encode()) for letter in content)]

    def put(start: int, end: int, new: str, what: str) -> None:
        line = bisect_right(starts, start)
        found.append(Edit(offsets[start], offsets[end], new.encode(), what, line, (line, line)))

    for token in _TOKEN.finditer(content):
        kind, word = token.lastgroup, token[0]
        if kind == "title" or token["table"]:
            table, key = token["title"], ""
        elif kind == "key":
            key = word.strip('"')
        elif kind == "skip" or key in _WORDS or "provenance" in table:
            continue
        elif kind == "number":
            step = 0.5 if "." in word else 1
            put(*token.span(), str(json.loads(word) + step), "number")
            if json.loads(word) > 0:
                put(*token.span(), str(json.loads(word) - step), "number")
        elif kind == "truth":
            put(*token.span(), "false" if word == "true" else "true", "constant")
        elif kind == "text" and " " not in word:
            named.append((token, key))
            if word not in texts[key]:
                texts[key].append(word)
    for token, key in named:
        known = texts[key]
        if len(known) > 1:
            put(*token.span(), known[(known.index(token[0]) + 1) % len(known)], "wrong name")
    rows = list(_ROW.finditer(content))
    for one, other in pairwise(rows):
        follows = content.count("\n", one.end(), other.start()) == 1 and one["key"].strip('" ') not in _WORDS
        if follows and _shape(one["value"]) == _shape(other["value"]) and one["value"] != other["value"]:
            (start, middle), (rest, end) = one.span("value"), other.span("value")
            put(start, end, other["value"] + content[middle:rest] + one["value"], "rows swapped")
    return found


def _shape(value: str) -> str:
    return re.sub(r'"[^"]*"', '"', re.sub(r"\d+", "0", value))


def read_data(file: str, text: bytes) -> Any:
    """What a file says.

    Raises:
        ValueError: it is not well-formed.
    """
    return json.loads(text) if file.endswith(".json") else tomllib.loads(text.decode("utf-8"))
