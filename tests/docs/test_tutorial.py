"""The tutorial builds the ruleset that is shipped, file for file and digest for digest."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import hexwar
from hexwar.plugins import plugins
from hexwar.testing import check_ruleset, play_at_random
from tests.docs.blocks import blocks

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "rulesets" / "hexwar_bridgehead"
FILES = {block.title: block.text for block in blocks((ROOT / "docs" / "tutorial.md").read_text("utf-8")) if block.title}
QUOTED = ("rules.toml", "units.toml")
COPIED = (*QUOTED, "guide/crossing.toml")
"""What the reader copies from the installed game instead of typing it."""


def renamed(text: str) -> str:
    return text.replace("hexwar_bridgehead", "my_bridgehead").replace('"bridgehead/crossing"', '"my-bridgehead/crossing"')


def test_the_tutorial_shows_every_file_of_the_ruleset_but_its_card_its_kit_and_what_is_copied() -> None:
    shipped = {
        f"my_bridgehead/{path.relative_to(SHIPPED).as_posix()}": path for path in SHIPPED.rglob("*.*") if path.suffix != ".pyc"
    }
    for title, path in shipped.items():
        if not title.endswith(("__init__.py", "py.typed", *COPIED)) and "kit" not in title:
            assert FILES[title] == renamed(path.read_text("utf-8")), f"{title} in the tutorial differs from {path.name}"


def test_the_tutorial_quotes_what_is_copied() -> None:
    page = (ROOT / "docs" / "tutorial.md").read_text("utf-8")
    for name in QUOTED:
        kept = (SHIPPED / "data" / name).read_text("utf-8").splitlines()
        key = name.removesuffix("s.toml").replace("rule", "clause")
        quoted = page.partition(f"    {key} = [\n")[2].partition("    ]\n")[0].splitlines()
        assert len(quoted) >= 3
        assert [line for line in quoted if line.removeprefix("    ") not in kept] == []


def load_tutorial(folder: Path) -> None:
    copied = {f"my_bridgehead/data/{name}": (SHIPPED / "data" / name).read_text("utf-8") for name in COPIED}
    for title, text in (FILES | copied).items():
        (folder / title).parent.mkdir(parents=True, exist_ok=True)
        (folder / title).write_text(text, encoding="utf-8")
    plugins().load_file(folder / "my_bridgehead")


def test_the_rule_that_the_tutorial_breaks_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    terrain = "my_bridgehead/data/terrain.toml"
    monkeypatch.setitem(FILES, terrain, FILES[terrain].replace('marsh = 2, lake = "closed"', "marsh = 2, lake = 1"))
    load_tutorial(tmp_path)
    report = check_ruleset("my-bridgehead", only=["invariants-hold"], report_dir=tmp_path / "failures")
    assert ["no unit stands in a lake" in failure.message for failure in report.failures] == [True]


def test_the_tutorials_game_is_the_shipped_one(tmp_path: Path) -> None:
    load_tutorial(tmp_path)
    games = [hexwar.new_game(ruleset, seed=3, options={"barrage": True}) for ruleset in ("bridgehead", "my-bridgehead")]
    for game in games:
        play_at_random(game, random.Random(3))
    assert games[0].digest == games[1].digest
    assert [str(event) for event in games[0].log()] == [str(event) for event in games[1].log()]
