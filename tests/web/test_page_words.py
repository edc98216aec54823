"""No script of the page knows an action by name: what it shows, the question says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import hexwar
import hexwar.web

PAGE = Path(str(hexwar.web.__file__)).parent / "page"
SCRIPTS = sorted(PAGE.glob("*.js"))
COMPARED = re.compile(r"""(?:asks|kind)\s*[!=]==?\s*["'`](?P<one>[\w-]+)|\[(?P<some>[^\]]*)\]\.includes\([\w.]*(?:asks|kind)\)""")
"""A kind of action, or several, that is compared with what is asked."""


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_no_kind_of_action_is_compared_with_a_word(script: Path) -> None:
    kinds = {kind for ruleset in hexwar.rulesets() for kind in hexwar.new_game(ruleset, seed=1).ruleset.action_types}
    found = list(COMPARED.finditer(script.read_text(encoding="utf-8")))
    words = {word for match in found for word in re.findall(r"[\w-]+", match["one"] or match["some"])}
    assert not words & kinds, words & kinds


def test_such_a_comparison_would_be_found() -> None:
    assert COMPARED.search('const moves = view.question.asks === "move" && 1')
    assert COMPARED.search('["declare", "join"].includes(view.question.asks)')
