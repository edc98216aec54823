"""The quick reader of TOML: whatever it reads, the parser of the standard library reads in the same way."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexwar._toml import quick_toml
from hexwar.files import parse_toml

HERE = Path(__file__).parents[2]
OURS = [*HERE.glob("rulesets/*/data/*.toml"), *HERE.glob("maps/hexwar_maps/*/*.toml")]
PLAIN = '# note\na = 1\n"b c" = [1, -2.5, true, "x"]\nt = { k = "v=,]", n = [1, 2] }\n'

WORDS = "a b a-b = 1 -0 0.5 01 1_0 0x1 1e3 nan 1979-05-27 true null 'x' [ ] [[ ]] { } , . # é".split()  # noqa: SIM905
TEXTS = ('"x"', '"a b"', '"#"', '"a,]"', '"a = 1"', '"\\n"', '"""\nx\n"""', " ", " = ", "\n", "\t", "\r\n", "\x00")
LINES = ("[a]\n", "[a.b]\n", "[[a]]\n", "[[a.b]]\n", "a = 1\n", "b = [\n1,\n]\n", "c = {a = 1, b = [2]}\n", "# c\n", "a.b = 1\n")
PIECES = st.sampled_from((*WORDS, *TEXTS, *LINES))


def same(text: str) -> bool:
    """Whether the quick reader read a text; fails if it read it in another way."""
    quick = quick_toml(text)
    if quick is not None:
        assert repr(quick) == repr(tomllib.loads(text))  # repr: the order of keys, and 1 is not True
    return quick is not None


@pytest.mark.parametrize("file", OURS, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_the_files_of_the_games_are_read_alike(file: Path) -> None:
    same(file.read_text(encoding="utf-8"))


def test_most_files_of_the_games_are_plain() -> None:
    assert sum(quick_toml(file.read_text(encoding="utf-8")) is not None for file in OURS) > len(OURS) * 0.8


@given(st.lists(PIECES, max_size=14).map("".join))
def test_any_text_is_read_alike_or_left(text: str) -> None:
    same(text)
    same(PLAIN + text)


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        "",
        "a = 1",
        '[[u]]\nid = "a"\n[[u]]\nid = "b"\n[t.x]\nn = 0\n[t]\nm = 1\n',
        'a = """\nthis\n  and that"""\n',
        "a = [\n  # a comment\n  { b = 1 },\n  { b = 2 },\n]\n",
        '["a b".c]\nd = [[1, 2], [3]]\n',
    ],
)
def test_plain_texts_are_read_quickly(text: str) -> None:
    assert same(text)


@pytest.mark.parametrize(
    "text",
    [
        "a = 1\na = 2\n",
        "a = { b = 1, b = 2 }\n",
        "a = { b = 1,\n c = 2 }\n",
        "a = { b = 1, }\n",
        "[a]\n[a]\n",
        "a = 1\n[a]\n",
        "a = 1\n[a.b]\n",
        "[[a]]\n[a]\n",
        "[a]\n[[a]]\n",
        "a = []\n[[a]]\n",
        "[a.b]\n[a]\nb = 1\n",
        "a = 01\n",
        "a = null\n",
        "a = NaN\n",
        "a = 1 b = 2\n",
        "a = [1 2]\n",
        'a = "\t\x01"\n',
        "a = [1, # one\x07\n]\n",
    ],
)
def test_mistakes_are_left_to_the_parser(text: str) -> None:
    assert quick_toml(text) is None
    with pytest.raises(tomllib.TOMLDecodeError):
        tomllib.loads(text)


@pytest.mark.parametrize("text", ["a.b = 1\n", "[[a]]\n[a.b]\n[[a]]\n[a.b]\n", "a = [1,]\n", "a = 2020-01-01\n", "a = '\\'\n"])
def test_unusual_texts_are_read_all_the_same(text: str) -> None:
    assert quick_toml(text) is None
    assert parse_toml(text, "text") == tomllib.loads(text)
