"""Every recipe of the cookbook names the clauses that it touches, and shows by an assertion what it changes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hexwar.plugins import plugins
from tests.docs.blocks import blocks

PAGE = (Path(__file__).parents[2] / "docs" / "cookbook.md").read_text("utf-8")
RECIPES = re.findall(r"^## (\d+\. .+?)\n\n(.+?)(?=^## )", PAGE, re.MULTILINE | re.DOTALL)
GAMES = {"A Victory Awaits": "ava", "Traces of War": "tow", "The 1918-21 system": "wop", "Bridgehead": "bridgehead"}


def test_there_are_as_many_recipes_as_the_title_says() -> None:
    assert PAGE.startswith("# Cookbook: eighteen house rules\n")
    assert [int(title.partition(".")[0]) for title, _ in RECIPES] == [*range(1, 19)]


@pytest.mark.parametrize(("title", "text"), RECIPES, ids=[title for title, _ in RECIPES])
def test_a_recipe_touches_clauses_that_there_are_and_asserts_something(title: str, text: str) -> None:
    touched = re.match(r"\*(.+?), (.+?)\.\*", text)
    assert touched, f"{title}: begins with the ruleset and the clauses in italics"
    rules = plugins().ruleset(GAMES[touched[1]]).rules
    assert [clause for clause in touched[2].split(" and ") if clause not in rules.ids] == []
    [code] = [block.text for block in blocks(text) if block.language == "python"]
    assert "house_rule(" in code
    assert "\nassert " in code or "\n    assert " in code
