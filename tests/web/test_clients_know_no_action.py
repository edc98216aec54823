"""No client knows an action by name: what it shows, the question says."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import hexwar
import hexwar.web

PAGE = Path(str(hexwar.web.__file__)).parent / "page"
SCRIPTS = sorted(PAGE.rglob("*.js"))
COMPARED = re.compile(r"""(?:asks|kind)\s*[!=]==?\s*["'`](?P<one>[\w-]+)|\[(?P<some>[^\]]*)\]\.includes\([\w.]*(?:asks|kind)\)""")
"""A kind of action, or several, that is compared with what is asked."""


CLIENTS = ("bots", "cli", "render", "rl", "table", "web")


@pytest.fixture(scope="module")
def kinds() -> frozenset[str]:
    """The kinds of all actions of all rulesets that are installed."""
    rulesets = [hexwar.new_game(ruleset, seed=1).ruleset for ruleset in hexwar.rulesets()]
    return frozenset(kind for ruleset in rulesets for kind in ruleset.action_types)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.relative_to(PAGE).as_posix())
def test_no_script_of_the_page_compares_what_is_asked_with_a_word(script: Path, kinds: frozenset[str]) -> None:
    found = COMPARED.finditer(script.read_text(encoding="utf-8"))
    words = {word for match in found for word in re.findall(r"[\w-]+", match["one"] or match["some"])}
    assert not words & kinds


@pytest.mark.parametrize("client", CLIENTS)
def test_no_client_compares_what_is_asked_with_a_word(client: str, kinds: frozenset[str]) -> None:
    home = Path(str(hexwar.__file__)).parent / client
    words = {word for file in home.rglob("*.py") for word in compared(file.read_text(encoding="utf-8"))}
    assert not words & kinds


def compared(code: str) -> Iterator[str]:
    """The words with which an attribute `asks` or `kind` is compared."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any(isinstance(side, ast.Attribute) and side.attr in ("asks", "kind") for side in sides):
                words = (each for side in sides for each in ast.walk(side) if isinstance(each, ast.Constant))
                yield from (word.value for word in words if isinstance(word.value, str))


def test_such_a_comparison_would_be_found() -> None:
    assert COMPARED.search('const moves = view.question.asks === "move" && 1')
    assert COMPARED.search('["declare", "join"].includes(view.question.asks)')
    assert [*compared('if question.asks == "move" or action.kind in ("join", "attack"): pass')] == ["move", "join", "attack"]
