"""What every test of the command line shares: its own folder, and the installed plugins again afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import hexwar
from hexwar.bots import KeyedChance, RandomBot, move_once
from hexwar.plugins import Plugins, hookimpl, use_plugins


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("COLUMNS", "110")
    monkeypatch.setenv("LINES", "60")
    monkeypatch.setenv("XDG_CONFIG_HOME", f"{tmp_path}-config")
    monkeypatch.setenv("XDG_DATA_HOME", f"{tmp_path}-data")
    yield tmp_path
    use_plugins(None)


@pytest.fixture
def toy() -> None:
    """A game without hexes, and a command and an option of odd kinds, as a third party would bring them."""

    class Toys:
        @hookimpl
        def hexwar_rulesets(self) -> list[Any]:
            import dataclasses

            from tests.engine.toy import INFO

            return [dataclasses.replace(INFO, entry="tests.engine.toy:RULESET")]

        @hookimpl
        def hexwar_bots(self) -> dict[str, str]:
            return {"random": "hexwar.bots:RandomBot"}

        @hookimpl
        def hexwar_commands(self) -> dict[str, str]:
            return {"greet": "tests.cli.greet:greet", "stone": "builtins:object", "list": "tests.cli.greet:greet"}

    manager = Plugins(installed=False)
    manager.register(Toys(), "toys")
    use_plugins(manager)


@pytest.fixture
def save(tmp_path: Path) -> str:
    """A game of sixty random actions."""
    game = hexwar.new_game("bridgehead", seed=3)
    bots, chance = {"blue": RandomBot(), "red": RandomBot()}, KeyedChance(3)
    for _ in range(60):
        move_once(game, bots, chance)
    game.save(tmp_path / "mid.hexwar")
    return "mid.hexwar"
