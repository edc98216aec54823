"""A plugin that is one Python file: no packaging, no installation."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import hexwar
from hexwar.errors import PluginError, UnknownName
from hexwar.plugins import Plugins
from tests.plugins.sample import empty, error_of, game_plugins, using

GAME = '''
"""The toy of the engine's tests, as somebody's first try."""
from hexwar import RulesetInfo, hookimpl
from hexwar.engine import Scenario
from tests.engine import toy

INFO = RulesetInfo("toss", "Toss", "1.0", ("north", "south"), (Scenario("short", "Short"),), f"{__name__}:RULESET")

class Toss(toy.ToyRuleset):
    info = INFO

RULESET = Toss()

@hookimpl
def hexwar_rulesets():
    return [INFO]
'''

HOUSE_RULE = '''
"""A house rule in one file: its rules stand beside the variant that they belong to."""
from hexwar import Variant, hookimpl
from hexwar.engine import Clause
from hexwar.mechanics import Movement

@hookimpl
def hexwar_variants():
    return [Variant("{id}", "bridgehead", "Woods are thick", __name__, (Clause("{id}.1", "woods cost double"),))]

class Woods(Movement):
    def step_cost(self, arm, conditions, origin, target, printed):
        cost = super().step_cost(arm, conditions, origin, target, printed)
        return cost * 2 if self.world.board.terrain(target) == "woods" else cost

PARTS = {{"movement": Woods}}
'''


@pytest.fixture
def write(tmp_path: Path) -> Path:
    return tmp_path


def loaded(folder: Path, name: str, text: str, manager: Plugins | None = None) -> Plugins:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    manager = manager or empty()
    manager.load_file(file)
    return manager


def test_a_ruleset_in_a_file_names_itself(tmp_path: Path) -> None:
    manager = loaded(tmp_path, "my-toss.py", GAME)
    assert manager.rulesets()["toss"].entry == "hexwar_plugin_file_my_toss:RULESET"
    [found] = manager.found()
    assert (found.name, found.origin, found.hooks) == ("my-toss", str(tmp_path / "my-toss.py"), ("hexwar_rulesets",))
    with using(manager):
        game = hexwar.new_game("toss", seed=3)
        game.apply(game.legal_actions("north")[0], "north")
        game.save(tmp_path / "toss.json")
        assert hexwar.load_game(tmp_path / "toss.json").digest == game.digest


def test_a_house_rule_in_a_file(tmp_path: Path) -> None:
    manager = game_plugins()
    loaded(tmp_path, "house.py", HOUSE_RULE.format(id="thick"), manager)
    text = "ruleset = 'bridgehead'\noptions = {thick = %s}\nunits = {b3 = '0404'}"
    with using(manager):
        assert hexwar.position(text % "false").query.reach("b3").costs["0405"] == 1
        game = hexwar.position(text % "true")
        assert game.query.reach("b3").costs["0405"] == 2
        assert game.world.rules["thick.1"].title == "woods cost double"


def test_a_file_with_a_syntax_error(tmp_path: Path) -> None:
    manager = loaded(tmp_path, "typo.py", "def hexwar_rulesets(:\n")
    assert error_of(manager, "typo").startswith("SyntaxError: invalid syntax (typo.py, line 1)")
    assert "hexwar_plugin_file_typo" not in sys.modules


def test_a_file_that_cannot_be_run(tmp_path: Path) -> None:
    manager = loaded(tmp_path, "needy.py", "import no_such_module")
    assert error_of(manager, "needy") == "ModuleNotFoundError: No module named 'no_such_module'"
    manager = loaded(tmp_path, "script.py", "import sys; sys.exit('usage: script')")
    assert error_of(manager, "script") == "SystemExit: usage: script"


def test_whoever_asks_for_what_a_broken_file_brings_hears_why(tmp_path: Path) -> None:
    manager = game_plugins()
    loaded(tmp_path, "house.py", f"import no_such_module\n{HOUSE_RULE.format(id='thick')}", manager)
    why = "; some plugins do not work: house (ModuleNotFoundError: No module named 'no_such_module')"
    with using(manager):
        with pytest.raises(UnknownName) as caught:
            hexwar.new_game("bridgehead", options={"thick": True})
        assert str(caught.value) == f"no option is called 'thick'; known: barrage{why}"
        with pytest.raises(UnknownName, match=r"no bot is called 'mine'; .* do not work: house"):
            manager.load(manager.bots(), "bot", "mine")
        hexwar.new_game("bridgehead", options={"barrage": True})


def test_a_file_that_is_no_python_file(tmp_path: Path) -> None:
    manager = loaded(tmp_path, "rules.txt", "hexwar")
    assert error_of(manager, "rules") == "a plugin file is a Python file, its name ends in .py"


def test_a_file_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "gone.py"
    with pytest.raises(PluginError) as caught:
        empty().load_file(file)
    assert str(caught.value) == f"{file}: there is no such plugin file"
    monkeypatch.setenv("HEXWAR_PLUGIN_FILE", str(file))
    with pytest.raises(PluginError, match="there is no such plugin file"):
        Plugins.from_environment()


def test_two_files_of_one_name(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    manager = loaded(tmp_path, "toss.py", GAME)
    first = sys.modules["hexwar_plugin_file_toss"]
    loaded(tmp_path / "other", "toss.py", GAME, manager)
    assert [found.error for found in manager.found()] == ["", f"another plugin is called 'toss' already ({tmp_path / 'toss.py'})"]
    assert sys.modules["hexwar_plugin_file_toss"] is first


def test_a_file_that_is_blocked_is_not_run(tmp_path: Path) -> None:
    manager = loaded(tmp_path, "evil.py", "raise AssertionError", empty(block=["evil"]))
    assert manager.found() == []


def test_a_package_in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    folder = tmp_path / "folder_of_toss"
    folder.mkdir()
    (folder / "__init__.py").write_text("from folder_of_toss.card import INFO, hexwar_rulesets\n", encoding="utf-8")
    (folder / "card.py").write_text(GAME, encoding="utf-8")
    manager = empty()
    for _ in range(2):
        manager.load_file(folder)
    assert "toss" in manager.rulesets()
    assert sys.path.count(str(tmp_path)) == 1
    assert manager.files == [str(folder.resolve())] * 2
    manager.ruleset("toss")


@pytest.mark.parametrize(
    ("name", "file", "sentence"),
    [
        ("empty_folder", "rules.py", "the folder is no package: it has no __init__.py"),
        ("my-rules", "__init__.py", "a package's folder has a Python name, letters, digits and underscores, not 'my-rules'"),
    ],
)
def test_a_folder_that_is_no_package(name: str, file: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / file).write_text("", encoding="utf-8")
    manager = empty()
    manager.load_file(tmp_path / name)
    assert error_of(manager, name) == sentence
