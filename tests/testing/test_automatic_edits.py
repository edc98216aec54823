"""The mistakes that automatic mutants make, and what they leave alone."""

from __future__ import annotations

import pytest

from hexwar.testing._mutants.data import data_edits, read_data
from hexwar.testing._mutants.source import is_other_code, source_edits


def edited(text: str, *sides: str) -> set[str]:
    """A text with each of the mistakes in it."""
    raw = text.encode()
    found = [edit.done(raw) for edit in source_edits(raw, sides)]
    assert all(is_other_code(b"something.else_()", one) for one in found)
    return {one.decode() for one in found}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a = b < c", "a = b <= c"),
        ("a = b >= c", "a = b > c"),
        ("a = b == c", "a = b != c"),
        ("a = b not in c", "a = b in c"),
        ("a = b is None", "a = b is not None"),
        ("a = b and c", "a = b or c"),
        ("a = (b or c) and d", "a = (b or c) and True"),
        ("a = not (b or c)", "a = (b or c)"),
        ("a = 3", "a = 4"),
        ("a = True", "a = False"),
        ("a = -b", "a = b"),
        ("a = b // c", "a = -(-(b) // (c))"),
        ("a = b - c", "a = b + c"),
        ("a = f(b, c)", "a = f(c, b)"),
        ("a = max(b)", "a = min(b)"),
        ("a = sorted(b)", "a = list(reversed(sorted(b)))"),
        ("a = world.enemy(side)", "a = side"),
        ("a = 'red'", "a = 'blue'"),
        ("a = ['x', 'y']", "a = ['y', 'x']"),
        ("a = b if c else d", "a = b if False else d"),
        ("a = 'red' if c else 'x'", "a = 'red' if False else 'x'"),
        ("a = [b for b in c if d]", "a = [b for b in c if True]"),
        ("a.b = c", "pass"),
        ("a += 1", "a -= 1"),
        ("f(a)", "pass"),
        ("if a == 'x' or a == 'y':\n    f()", "if a == 'y' or a == 'y':\n    f()"),
        ("if a:\n    f()", "if False:\n    f()"),
        ("while a:\n    f()", "while False:\n    f()"),
        ("for a in b:\n    f(a)", "for a in b:\n    f(a)\n    break"),
        ("for a in b:\n    f(a)", "for a in ():\n    f(a)"),
        ("def f(a) -> list[int]:\n    return a", "def f(a) -> list[int]:\n    return []"),
        ("def f(a) -> int | None:\n    return a", "def f(a) -> int | None:\n    return None"),
        ("def f(a) -> bool:\n    return a.b", "def f(a) -> bool:\n    return not (a.b)"),
        ("def f(a) -> None:\n    '''F.'''\n    g()\n    h()", "def f(a) -> None:\n    '''F.'''\n    return\n    g()\n    h()"),
        ("def f(a):\n    if a:\n        return 'x'\n    g()", "def f(a):\n    if a:\n        pass\n    g()"),
        ("class A(Enum):\n    B = 'b'\n    C = 'c'\nd = A.B", "class A(Enum):\n    B = 'b'\n    C = 'c'\nd = A.C"),
        ("sight = Sight.OWNER", "sight = Sight.NOBODY"),
        ("é = 'ü' < b", "é = 'ü' <= b"),
    ],
)
def test_a_mistake_in_source(before: str, after: str) -> None:
    assert after in edited(before, "red", "blue")


@pytest.mark.parametrize(
    "text",
    [
        "'''Doc.'''",
        "kind = 'x'",
        "__all__ = ['a', 'b']",
        "import a.b",
        "assert a < 3",
        "a: Callable[[int], bool]",
        "a: int | None = None",
        "At: TypeAlias = 'Position[A, B]'",
        "a = f'{b + 1}'",
        "a = isinstance(b, C | D)",
        "a = Mapping[str, int]",
        "a = 'one text' if b else f'{c} is another'",
        "a = '8.2.2' if b else '8.2.3'",
        "a = board.distance(b, c)",
        "def __repr__(self):\n    return a + b",
        "def f(at):\n    return 'x' if g(at) else None\ni = Invariant('1', 'words', lambda at: f(at))",
        "if TYPE_CHECKING:\n    f()",
        "a = B(title='x', clause='1.1', bound=3)",
    ],
)
def test_what_is_no_rule_is_left_alone(text: str) -> None:
    assert edited(text) == set()


def test_what_something_is_looked_for_in_has_no_order() -> None:
    assert "a = b in (d, c)" not in edited("a = b in (c, d)")
    assert "a = (d, c)" in edited("a = (c, d)")


def test_the_same_bytecode_is_no_mistake() -> None:
    assert not is_other_code(b"a = 1 + 1", b"a = 2")
    assert not is_other_code(b"\n\na = 3", b"a = 3")
    assert is_other_code(b"a = 1", b"a = True")
    assert is_other_code(b"def f():\n    return 1", b"def f():\n    return 2")
    assert not is_other_code(b"a = 1", b"a = = 1")


TOML = """\
# 3 is no number here
title = "two words"
turns = 6            # 7
open = true

[arm.infantry]
terrain = { clear = 1, woods = 1.5, lake = "closed" }
links = { road = "half", rail = "closed" }

[rows]
1 = ["A1", "-"]
2 = ["D1", "-"]

[provenance]
fact = 3
"""


def test_mistakes_in_toml() -> None:
    raw = TOML.encode()
    found = {edit.done(raw).decode() for edit in data_edits(raw)}
    assert {edit.what for edit in data_edits(raw)} == {"number", "constant", "wrong name", "rows swapped"}
    for old, new in {
        "turns = 6": "turns = 7",
        "woods = 1.5": "woods = 2.0",
        "open = true": "open = false",
        '1 = ["A1", "-"]\n2 = ["D1", "-"]': '1 = ["D1", "-"]\n2 = ["A1", "-"]',
    }.items():
        assert TOML.replace(old, new) in found
    assert all("two words" in text and "# 7" in text and "fact = 3" in text for text in found)
    lines = {edit.line for edit in data_edits(raw)}
    assert lines == {3, 4, 7, 11, 12}


def test_mistakes_in_json() -> None:
    raw = b'{\n  "turns": 6,\n  "name": "x",\n  "side": ["red", "blue"]\n}\n'
    found = [read_data("a.json", edit.done(raw)) for edit in data_edits(raw)]
    assert {"turns": 7, "name": "x", "side": ["red", "blue"]} in found
    assert {"turns": 6, "name": "x", "side": ["blue", "blue"]} in found
    with pytest.raises(ValueError, match="Expecting"):
        read_data("a.json", b"{")
