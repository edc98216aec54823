"""Damaged files: texts of maps, rosters, scenarios, positions and saves with something wrong, as people and disks make them."""

from __future__ import annotations

import copy
import json
import random
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from hexwar.testing._staging.positions import to_toml

Format = Literal["toml", "json"]

HUGE = (10**30, -(10**30), 2**63, 1e308, -1, 0, 99_999_999)
ODD = ("", "\0", "\ufeff", "\u202e", "é", "e\u0301", "\U0001f5fa", "٣", "\u2028", " ", "'", '"', "\\", "../../x", "x" * 5000)
WORDS = (
    "\0",
    "\ufeff",
    "=",
    "[",
    "]",
    "{",
    "}",
    '"',
    "'",
    "\n",
    "\r",
    "#",
    "-",
    "0x",
    "nan",
    "1979-05-27",
    "true",
    "\\u0000",
    "é",
)


@dataclass(frozen=True, slots=True)
class Damage:
    """A damaged file.

    Args:
        what: what has been done to it.
        data: the bytes of the file.
    """

    what: str
    data: bytes


def damages(text: str, form: Format, chance: random.Random, number: int) -> Iterator[Damage]:
    """This many damaged forms of a text, after those that are always tried."""
    yield from _always(text, form)
    tree: Any = json.loads(json.dumps(tomllib.loads(text), default=str) if form == "toml" else text)
    for _ in range(number):
        yield chance.choice((_text_damage, _tree_damage))(text, tree, form, chance)


def _always(text: str, form: Format) -> Iterator[Damage]:
    nested = "x = " + "[" * 100_000 if form == "toml" else '{"x": ' * 100_000
    numbers = f"x = {'9' * 10_000}" if form == "toml" else f'{{"format": {"9" * 10_000}}}'
    for what, damaged in (
        ("nothing is left of it", ""),
        ("only a blank line is left", "\n"),
        ("only the first half is left", text[: len(text) // 2]),
        ("the last character is missing", text.rstrip()[:-1]),
        ("it is there twice", text + text),
        ("it is nested 100,000 deep", nested),
        ("it has a number of 10,000 digits", numbers),
        ("it begins with a byte order mark", "\ufeff" + text),
        ("its lines end as on other systems", text.replace("\n", "\r\n")),
        ("its lines end as on very old systems", text.replace("\n", "\r")),
        ("it ends with a null", text + "\0"),
        ("it is written in UTF-16", text.encode("utf-16")),
        ("it is written in Latin-1", ("# é\n" + text).encode("latin-1", "replace")),
        ("it is no text", bytes(range(256))),
        ("half a character is missing", text.encode() + "é".encode()[:1]),
    ):
        yield Damage(what, damaged.encode() if isinstance(damaged, str) else damaged)


# -- text --------------------------------------------------------------------------------------------------------------------


def _text_damage(text: str, whole: Any, form: Format, chance: random.Random) -> Damage:
    what = []
    for _ in range(chance.randint(1, 3)):
        start = chance.randint(0, len(text))
        end = min(len(text), start + chance.randint(0, 12))
        piece = chance.choice((chance.choice(WORDS), text[start:end] * 2, "", str(chance.choice(HUGE)), chance.choice(ODD[:12])))
        what.append(f"{text[start:end]!r} at character {start} is now {piece!r}")
        text = text[:start] + piece + text[end:]
    return Damage("; ".join(what), text.encode("utf-8", "surrogatepass"))


# -- structure -----------------------------------------------------------------------------------------------------------------


def _tree_damage(text: str, whole: Any, form: Format, chance: random.Random) -> Damage:
    tree = copy.copy(whole)
    what = [_damage_tree(tree, chance) for _ in range(chance.randint(1, 2))]
    written = to_toml(tree) if form == "toml" else json.dumps(tree)
    return Damage("; ".join(what), written.encode("utf-8", "surrogatepass"))


def _damage_tree(tree: Any, chance: random.Random) -> str:
    """Change something in a tree; what lies on the way there is copied, because the rest belongs to the whole as well."""
    where: Any = tree
    path: list[str] = []
    while True:
        keys = list(where) if isinstance(where, dict) else list(range(len(where)))
        if not keys:
            return f"{'.'.join(path)} is empty"
        key = chance.choice(keys)
        path.append(str(key))
        if not (isinstance(where[key], dict | list) and where[key]) or chance.random() < 0.2:
            break
        where[key] = where = copy.copy(where[key])
    change: Callable[[Any, Any, random.Random], str] = chance.choice((_drop, _double, _retype, _retype, _swap, _rename))
    return f"{'.'.join(path)} {change(where, key, chance)}"


def _drop(where: Any, key: Any, chance: random.Random) -> str:
    del where[key]
    return "is missing"


def _double(where: Any, key: Any, chance: random.Random) -> str:
    if isinstance(where, list):
        where.insert(key, where[key])
    else:
        where[f"{key}{chance.choice(('', '2', ' '))}" if isinstance(key, str) else key] = [where[key], where[key]]
    return "is there twice"


def _retype(where: Any, key: Any, chance: random.Random) -> str:
    old = where[key]
    values: list[Any] = [*HUGE, *ODD, True, False, [], {}, [old], {"x": old}, str(old), [[[[old]]]], float("nan"), 1.5]
    where[key] = chance.choice(values)
    return f"is now {str(where[key])[:40]!r}"


def _swap(where: Any, key: Any, chance: random.Random) -> str:
    other = chance.choice(list(where) if isinstance(where, dict) else range(len(where)))
    where[key], where[other] = where[other], where[key]
    return f"has changed places with {other}"


def _rename(where: Any, key: Any, chance: random.Random) -> str:
    if isinstance(where, list):
        return _drop(where, key, chance)
    new = chance.choice((*ODD[:12], f"{key}s", str(key).upper()))
    where[new] = where.pop(key)
    return f"is now called {new!r}"
