"""What the page about a game without hexes says of its checks."""

from __future__ import annotations

from pathlib import Path

from hexwar.plugins import plugins
from hexwar.testing import check_ruleset
from tests.docs.blocks import blocks

PAGE = Path(__file__).parents[2] / "docs" / "areas-game.md"
FILES = {block.title: block.text for block in blocks(PAGE.read_text("utf-8")) if block.title}


def load(folder: Path, changed: str = "", old: str = "", new: str = "") -> None:
    """The game of the page, with one change."""
    assert not old or FILES[changed].count(old) == 1
    for title, text in FILES.items():
        (folder / title).parent.mkdir(parents=True, exist_ok=True)
        (folder / title).write_text(text.replace(old, new) if title == changed else text, encoding="utf-8")
    plugins().load_file(folder / "three_crowns")


def test_every_clause_of_the_rulebook_is_carried_out_somewhere(tmp_path: Path) -> None:
    load(tmp_path)
    code = "".join(text for title, text in FILES.items() if title.endswith(".py"))
    clauses = plugins().ruleset("three-crowns").rules.ids
    assert len(clauses) == 16
    assert [clause for clause in clauses if clause not in code] == []


def test_the_leak_that_the_page_names_is_found(tmp_path: Path) -> None:
    load(tmp_path, "three_crowns/state.py", "redacted(faces, factory=dict)", "public(factory=dict)")
    report = check_ruleset("three-crowns", only=["hidden-content-does-not-show"], first=True)
    assert ["can tell whether there is another blocks" in failure.message for failure in report.failures] == [True]


def test_an_order_of_a_dictionary_is_found(tmp_path: Path) -> None:
    loops = "for name in play.world.units if play.state.locations.get(name) == area"
    load(tmp_path, "three_crowns/turn.py", loops, "for name, place in play.state.locations.items() if place == area")
    report = check_ruleset("three-crowns", only=["states-are-values"], first=True)
    assert ["plays on differently" in failure.message for failure in report.failures] == [True]
