"""Finding plugins: late, whatever else is installed, and past those that do not work."""

from __future__ import annotations

import itertools
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hexwar import RulesetInfo, Variant, hookimpl
from hexwar.engine import Invariant
from hexwar.errors import PluginError, UnknownName
from hexwar.plugins import API, Plugins, _installed, plugins, use_plugins
from hexwar.plugins._checks import DISCOVERY_HOOKS, RULE_HOOKS
from tests.plugins.sample import card, empty, error_of, game_plugins, plugin, using


def run(code: str, **environment: str) -> str:
    """What a fresh interpreter prints."""
    import os

    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **environment}, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


class FakeEntry:
    """An entry point of a distribution that is not installed."""

    dist, origin = "", "?"

    def __init__(self, name: str, found: object) -> None:
        self.name = name
        self.found = found
        self.loaded = 0

    def load(self) -> object:
        self.loaded += 1
        if isinstance(self.found, BaseException):
            raise self.found
        return self.found


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> list[FakeEntry]:
    """What is installed, as far as the manager can tell."""
    entries: list[FakeEntry] = []
    monkeypatch.setattr(_installed, "entry_points", lambda group: entries)
    return entries


# -- when -----------------------------------------------------------------------------------------------------------


def test_nothing_is_imported_before_the_first_question() -> None:
    code = """
import sys, hexwar.plugins
manager = hexwar.plugins.plugins()
before = [name for name in sys.modules if name.startswith(("hexwar_", "hexwar.bots", "hexwar.render"))]
manager.rulesets()
print(before, "hexwar_bridgehead" in sys.modules, "hexwar_bridgehead.ruleset" in sys.modules)
"""
    assert run(code) == "[] True False"


def test_listing_imports_nothing_heavy() -> None:
    code = """
import sys, hexwar
hexwar.rulesets()
print([name for name in ("networkx", "shapely", "numpy", "pydantic", "click", "rich", "hypothesis") if name in sys.modules])
"""
    assert run(code, HEXWAR_PLUGINS="bridgehead,maps") == "[]"


def test_each_entry_is_loaded_once_and_in_order_of_names(installed: list[FakeEntry]) -> None:
    installed += [FakeEntry("b", plugin()), FakeEntry("a", plugin())]
    manager = Plugins()
    assert [entry.loaded for entry in installed] == [0, 0]
    assert [found.name for found in manager.found()] == ["a", "b"]
    manager.rulesets()
    assert [entry.loaded for entry in installed] == [1, 1]


def test_a_plugin_may_ask_for_plugins_while_it_is_imported(installed: list[FakeEntry]) -> None:
    manager = Plugins()

    class Curious(FakeEntry):
        def load(self) -> object:
            manager.rulesets()
            return super().load()

    installed += [Curious("a", plugin()), FakeEntry("b", plugin(hexwar_rulesets=lambda: [card()]))]
    assert list(manager.rulesets()) == ["sample"]
    assert sorted(found.name for found in manager.found()) == ["a", "b"]


def test_hooks_are_asked_once_and_again_after_another_plugin_came() -> None:
    asked = []
    manager = empty()
    manager.register(plugin(hexwar_bots=lambda: asked.append("bots")), "a")
    manager.bots()
    manager.bots()
    assert asked == ["bots"]
    manager.register(plugin(hexwar_bots=lambda: {"dull": "bots:Dull"}), "b")
    assert manager.bots() == {"dull": "bots:Dull"}
    assert asked == ["bots", "bots"]


def test_what_a_caller_does_to_an_answer_stays_with_the_caller() -> None:
    manager = empty()
    manager.register(plugin(hexwar_bots=lambda: {"dull": "bots:Dull"}, hexwar_rulesets=lambda: [card()]), "a")
    manager.bots().clear()
    manager.rulesets().clear()
    assert manager.bots()
    assert manager.rulesets()


# -- one typed method per hook ------------------------------------------------------------------------------------------


def test_hexwar_rulesets_become_cards_by_id() -> None:
    manager = empty()
    manager.register(plugin(hexwar_rulesets=lambda: [card("one"), card("two")]), "a")
    assert list(manager.rulesets()) == ["one", "two"]
    assert isinstance(manager.info("two"), RulesetInfo)


def test_hexwar_variants_are_those_of_the_ruleset() -> None:
    manager = empty()
    mine, other = Variant("snow", "sample", "Snow", "snow"), Variant("snow", "other", "Snow", "snow")
    manager.register(plugin(hexwar_rulesets=lambda: [card()], hexwar_variants=lambda: (mine, other)), "a")
    assert manager.variants("sample") == {"snow": mine}
    assert [option.id for option in manager.options("sample")] == ["snow"]


def test_hexwar_maps_are_files() -> None:
    manager = empty()
    manager.register(plugin(hexwar_maps=lambda: {"sample/plain": Path("plain.toml")}), "a")
    assert manager.maps() == {"sample/plain": Path("plain.toml")}


def test_hexwar_bots_are_loaded_by_name() -> None:
    manager = empty()
    manager.register(plugin(hexwar_bots=lambda: {"dull": "tests.engine.toy:Toy"}), "a")
    assert manager.load(manager.bots(), "bot", "dull").__name__ == "Toy"
    with pytest.raises(UnknownName, match=r"no bot is called 'dul'; did you mean dull\?"):
        manager.load(manager.bots(), "bot", "dul")


def test_hexwar_renderers_of_several_plugins_are_one_dictionary() -> None:
    manager = empty()
    manager.register(plugin(hexwar_renderers=lambda: {"png": "a:png"}), "a")
    manager.register(plugin(hexwar_renderers=lambda: {"pdf": "b:pdf"}), "b")
    assert manager.renderers() == {"png": "a:png", "pdf": "b:pdf"}


def test_hexwar_notices_of_several_plugins_are_one_dictionary() -> None:
    manager = empty()
    manager.register(plugin(hexwar_notices=lambda: {"mail": "a:mail"}), "a")
    manager.register(plugin(hexwar_notices=lambda: {"hook": "b:hook"}), "b")
    assert manager.notices() == {"mail": "a:mail", "hook": "b:hook"}


def test_hexwar_commands_are_named_and_not_imported() -> None:
    manager = empty()
    manager.register(plugin(hexwar_commands=lambda: {"weather": "no_such_module:command"}), "a")
    assert manager.commands() == {"weather": "no_such_module:command"}
    with pytest.raises(PluginError, match="command weather: no_such_module:command cannot be imported: ModuleNotFoundError"):
        manager.load(manager.commands(), "command", "weather")


def test_hexwar_invariants_are_asked_for_a_ruleset() -> None:
    manager = empty()
    held = Invariant("1", "holds", lambda at: None)
    manager.register(plugin(hexwar_invariants=lambda ruleset: [held] if ruleset == "sample" else []), "a")
    assert manager.invariants("sample") == [held]
    assert manager.invariants("other") == []


# -- plugins that do not work -----------------------------------------------------------------------------------------


class Gone(BaseException):
    """An end of the program that is none of Python's own."""


def going() -> list[RulesetInfo]:
    raise Gone("for good")


def endless() -> Iterator[RulesetInfo]:
    while True:
        yield card()


class Endless(dict[str, str]):
    def items(self) -> Any:
        return ((str(number), "a:b") for number in itertools.count())


def listing_that_fails() -> Iterator[RulesetInfo]:
    yield card("half")
    raise OSError("the disk is full")


def failing() -> list[RulesetInfo]:
    raise KeyError("scenarios")


def leaving() -> list[RulesetInfo]:
    sys.exit(3)


def unmarked() -> Any:
    module = plugin()
    module.hexwar_rulesets = lambda: [card()]  # type: ignore[attr-defined]
    return module


@hookimpl(wrapper=True)
def hexwar_rulesets() -> Any:
    return (yield)


def wrapping() -> Any:
    module = plugin()
    module.hexwar_rulesets = hexwar_rulesets  # type: ignore[attr-defined]
    return module


def by_name_only(*, ruleset: str) -> list[Invariant]:
    return []


class Mute:
    def __dir__(self) -> list[str]:
        raise AssertionError


BROKEN: list[tuple[object, str]] = [
    (plugin(hexwar_rulesets=failing), "hexwar_rulesets failed: KeyError: 'scenarios'"),
    (plugin(hexwar_rulesets=leaving), "hexwar_rulesets failed: SystemExit: 3"),
    (plugin(hexwar_rulesets=going), "hexwar_rulesets failed: Gone: for good"),
    (plugin(hexwar_rulesets=endless), "hexwar_rulesets returns more than 10000 things"),
    (plugin(hexwar_bots=lambda: Endless(x="a:b")), "hexwar_bots returns more than 10000 things"),
    (plugin(hexwar_rulesets=listing_that_fails), "hexwar_rulesets failed: OSError: the disk is full"),
    (plugin(hexwar_ruleset=lambda: []), "no hook is called 'hexwar_ruleset'; did you mean hexwar_rulesets?"),
    (plugin(rulesets=hookimpl(failing)), "no hook is called 'rulesets'; did you mean hexwar_rulesets?"),
    (
        plugin(hexwar_zzz=lambda: []),
        f"no hook is called 'hexwar_zzz'; there are {', '.join([*DISCOVERY_HOOKS, *RULE_HOOKS])}",
    ),
    (unmarked(), "hexwar_rulesets lacks the marker @hookimpl"),
    (wrapping(), "hexwar_rulesets is a wrapper: no hook of hexwar can be one"),
    (
        plugin(hexwar_rulesets=lambda game: []),
        "hexwar_rulesets takes 'game', which the hook does not give; it gives no arguments",
    ),
    (
        plugin(hexwar_invariants=lambda ruleset, scenario: []),
        "hexwar_invariants takes 'scenario', which the hook does not give; it gives ruleset",
    ),
    (plugin(hexwar_invariants=by_name_only), "hexwar_invariants takes 'ruleset' by its name only; hooks are called by position"),
    (
        plugin(hexwar_veto=lambda at: None),
        "hexwar_veto is a rule hook: it works only in the rules of a Variant, and none names this module",
    ),
    (
        plugin(hexwar_veto=lambda at: None, hexwar_variants=lambda: [Variant("x", "sample", "X", "elsewhere")]),
        "hexwar_veto is a rule hook: it works only in the rules of a Variant, and none names this module",
    ),
    (plugin(PARTS={}), "PARTS changes rules: it works only in the rules of a Variant, and none names this module"),
    (
        plugin(HEXWAR_API=2, hexwar_rulesets=lambda: [card()]),
        f"it was written for version 2 of the plugin hooks; this hexwar has version {API}",
    ),
    (Mute(), "AssertionError"),
]


@pytest.mark.parametrize(("broken", "sentence"), BROKEN, ids=[sentence for _, sentence in BROKEN])
class TestABrokenPlugin:
    def test_is_reported_in_a_sentence_and_the_others_work(self, broken: object, sentence: str) -> None:
        manager = empty()
        manager.register(broken, "broken", "broken 0.1")
        manager.register(plugin(hexwar_rulesets=lambda: [card("fine")]), "fine")
        assert list(manager.rulesets()) == ["fine"]
        [bad, good] = manager.found()
        assert (bad.name, bad.origin, bad.error) == ("broken", "broken 0.1", sentence)
        assert bad.details.startswith("Traceback") or "Error" in bad.details
        assert (good.name, good.error, good.hooks) == ("fine", "", ("hexwar_rulesets",))

    def test_is_fatal_for_a_strict_manager(self, broken: object, sentence: str) -> None:
        manager = empty(strict=True)

        def ask() -> None:
            manager.register(broken, "broken", "broken 0.1")
            manager.register(plugin(hexwar_rulesets=lambda: [card()]), "fine")
            manager.found()

        with pytest.raises(PluginError) as caught:
            ask()
        assert str(caught.value) == f"plugin broken (broken 0.1) does not work: {sentence}"


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (ImportError("No module named 'tank'"), "ImportError: No module named 'tank'"),
        (SyntaxError("invalid syntax"), "SyntaxError: invalid syntax"),
        (SystemExit(1), "SystemExit: 1"),
        (Gone("for good"), "Gone: for good"),
        (RuntimeError(), "RuntimeError"),
    ],
)
def test_a_plugin_that_cannot_be_imported_is_reported(installed: list[FakeEntry], error: BaseException, sentence: str) -> None:
    installed += [FakeEntry("bad", error), FakeEntry("good", plugin(hexwar_rulesets=lambda: [card()]))]
    manager = Plugins()
    assert list(manager.rulesets()) == ["sample"]
    assert error_of(manager, "bad") == sentence


def test_an_interrupt_is_no_broken_plugin(installed: list[FakeEntry]) -> None:
    installed.append(FakeEntry("slow", KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        Plugins().rulesets()


def test_a_strict_manager_says_it_again(installed: list[FakeEntry]) -> None:
    installed += [FakeEntry("a", ImportError("no tank")), FakeEntry("b", plugin())]
    manager = Plugins(strict=True)
    for _ in range(2):
        with pytest.raises(PluginError, match=r"plugin a \(\?\) does not work: ImportError: no tank"):
            manager.rulesets()


def test_a_ruleset_that_is_missing_may_be_in_a_broken_plugin(installed: list[FakeEntry]) -> None:
    installed.append(FakeEntry("tank", ImportError("no gun")))
    with pytest.raises(
        UnknownName, match=r"no ruleset is called 'tank'.*; some plugins do not work: tank \(ImportError: no gun\)"
    ):
        Plugins().info("tank")


def test_the_first_mistake_of_a_plugin_is_kept() -> None:
    manager = empty()
    manager.register(plugin(hexwar_rulesets=failing, hexwar_bots=lambda: 3), "a")
    manager.found()
    assert error_of(manager, "a") == "hexwar_rulesets failed: KeyError: 'scenarios'"


# -- names ------------------------------------------------------------------------------------------------------------


def test_two_plugins_of_one_name() -> None:
    manager = empty()
    manager.register(plugin(hexwar_rulesets=lambda: [card("one")]), "a", "first 1.0")
    manager.register(plugin(hexwar_rulesets=lambda: [card("two")]), "a", "second 1.0")
    assert list(manager.rulesets()) == ["one"]
    assert [found.error for found in manager.found()] == ["", "another plugin is called 'a' already (first 1.0)"]


def test_a_plugin_takes_the_place_of_a_broken_one() -> None:
    manager = empty()
    manager.register(unmarked(), "a")
    manager.register(plugin(hexwar_rulesets=lambda: [card("one")]), "a")
    assert list(manager.rulesets()) == ["one"]
    assert error_of(manager, "a") == ""


@pytest.mark.parametrize(
    ("hook", "answer", "what"),
    [
        ("hexwar_rulesets", [card()], "ruleset 'sample'"),
        ("hexwar_variants", [Variant("snow", "sample", "Snow", "snow")], "variant of sample 'snow'"),
        ("hexwar_maps", {"x": Path("x.toml")}, "map 'x'"),
        ("hexwar_bots", {"x": "a:b"}, "bot 'x'"),
        ("hexwar_renderers", {"x": "a:b"}, "picture format 'x'"),
        ("hexwar_commands", {"x": "a:b"}, "command 'x'"),
        ("hexwar_notices", {"x": "a:b"}, "way of notices 'x'"),
    ],
)
def test_what_two_plugins_bring_under_one_name_is_the_first_ones(hook: str, answer: Any, what: str) -> None:
    manager = empty()
    manager.register(plugin(hexwar_rulesets=lambda: [card()]), "game")
    first, second = ("game", "b") if hook == "hexwar_rulesets" else ("a", "b")
    if first == "a":
        manager.register(plugin(**{hook: lambda: answer}), "a")
    manager.register(plugin(**{hook: lambda: answer}), second)
    assert error_of(manager, first) == ""
    assert error_of(manager, second) == f"there is a {what} already, of the plugin {first}"


class OwnEntry(FakeEntry):
    """An entry point of hexwar itself."""

    dist, origin = "hexwar", "hexwar 1.0"


def test_our_own_names_stay_ours(installed: list[FakeEntry], tmp_path: Path) -> None:
    """Given a distribution before ours in the alphabet and a file, both with our names, then both are reported and ours work."""
    (tmp_path / "bots.py").write_text(
        "from hexwar import hookimpl\n@hookimpl\ndef hexwar_bots():\n    return {'greedy': 'file:Bot'}\n", encoding="utf-8"
    )
    taking = plugin(hexwar_bots=hookimpl(trylast=True)(lambda: {"greedy": "theirs:Bot", "new": "theirs:New"}))
    installed += [FakeEntry("aaa", taking), OwnEntry("bots", plugin(hexwar_bots=lambda: {"greedy": "ours:Bot"}))]
    manager = Plugins()
    manager.load_file(tmp_path / "bots.py")
    manager.register(plugin(hexwar_bots=lambda: {"greedy": "late:Bot"}), "zzz")
    assert manager.bots() == {"greedy": "ours:Bot", "new": "theirs:New"}
    taken = "there is a bot 'greedy' already, of the plugin bots"
    assert [(found.name, found.error) for found in manager.found()] == [
        ("bots", ""),
        ("aaa", taken),
        ("bots", "another plugin is called 'bots' already (hexwar 1.0)"),
        ("zzz", taken),
    ]


BLOCKED = """
import time
from hexwar import hookimpl
from hexwar.plugins import Plugins, _checks

class Sleepy:
    @hookimpl
    def hexwar_bots(self):
        time.sleep(600)

class Busy:
    @hookimpl
    def hexwar_bots(self):
        while True:
            pass

class Slow:
    @hookimpl
    def hexwar_bots(self):
        time.sleep(0.5)  # on a busy machine, somebody else's work
        return {"slow": "a:b"}

class Fine:
    @hookimpl
    def hexwar_bots(self):
        return {"fine": "a:b"}

_checks.MOST_SECONDS = 0.2
_checks.PATIENCE = 20
manager = Plugins(installed=False)
for plugin in (Sleepy, Busy, Slow, Fine):
    manager.register(plugin(), plugin.__name__.lower())
print(sorted(manager.bots()), [found.error for found in manager.found()])
"""


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="nothing can interrupt a hook there")
def test_a_hook_that_never_answers_is_given_up() -> None:
    late = "hexwar_bots has not ended after 0.2 seconds of work or 20 times as long on the clock"
    assert run(BLOCKED) == f"['fine', 'slow'] {[late, late, '', '']}"


def test_a_variant_may_not_take_the_name_of_an_option_of_another() -> None:
    from hexwar.engine import Option

    snow = Variant("snow", "sample", "Snow", "snow")
    pace = Variant("pace", "sample", "Pace", "pace")
    own = card(options=(Option("snow", "Snow"), Option("pace", "Pace", ("slow", "fast"), "slow")))
    manager = empty()
    manager.register(plugin(hexwar_rulesets=lambda: [own], hexwar_variants=lambda: [snow]), "a")
    manager.register(plugin(hexwar_variants=lambda: [pace]), "b")
    assert list(manager.variants("sample")) == ["snow"]
    assert error_of(manager, "b") == "variant pace: sample has an option of this name, which is not the plugin's"


def test_a_variant_of_no_ruleset_is_reported() -> None:
    manager = empty()
    manager.register(plugin(hexwar_rulesets=lambda: [card()]), "a")
    manager.register(plugin(hexwar_variants=lambda: [Variant("snow", "sampel", "Snow", "snow")]), "b")
    assert error_of(manager, "b").startswith("variant snow is of no ruleset that is installed: ")
    assert "'sample'" in error_of(manager, "b") or "sample" in error_of(manager, "b")


# -- who is let in ----------------------------------------------------------------------------------------------------


def test_allow_and_block() -> None:
    manager = empty(allow=["a", "b"], block=["b"])
    for name in "abc":
        manager.register(plugin(hexwar_rulesets=lambda name=name: [card(name)]), name)
    assert list(manager.rulesets()) == ["a"]
    assert [found.name for found in manager.found()] == ["a"]


def test_a_blocked_plugin_is_not_even_imported(installed: list[FakeEntry]) -> None:
    installed += [FakeEntry("a", plugin()), FakeEntry("b", plugin())]
    Plugins(block=["b"]).found()
    assert [entry.loaded for entry in installed] == [1, 0]


def test_an_allowed_plugin_that_is_not_there_is_reported() -> None:
    manager = empty(allow=["bridgehed", "bridgehead", "maps"])
    manager.register(plugin(), "bridgehead")
    assert error_of(manager, "bridgehed") == "it is allowed, but no plugin is called 'bridgehed'; did you mean bridgehead?"


def test_the_environment_decides(monkeypatch: pytest.MonkeyPatch, installed: list[FakeEntry], tmp_path: Path) -> None:
    installed += [FakeEntry(name, plugin(hexwar_rulesets=lambda name=name: [card(name)])) for name in "abc"]
    file = tmp_path / "mine.py"
    file.write_text("", encoding="utf-8")
    monkeypatch.setenv("HEXWAR_PLUGINS", " a, b , mine,")
    monkeypatch.setenv("HEXWAR_BLOCK_PLUGINS", "b")
    monkeypatch.setenv("HEXWAR_PLUGIN_FILE", str(file))
    assert [found.name for found in Plugins.from_environment().found()] == ["a", "mine"]
    monkeypatch.setenv("HEXWAR_PLUGINS", "")
    assert Plugins.from_environment().found() == []


@pytest.mark.parametrize(("value", "is_strict"), [("", False), ("0", False), ("1", True), ("yes", True)])
def test_the_environment_asks_for_strictness(
    monkeypatch: pytest.MonkeyPatch, installed: list[FakeEntry], value: str, is_strict: bool
) -> None:
    installed.append(FakeEntry("a", ImportError("no tank")))
    monkeypatch.setenv("HEXWAR_STRICT_PLUGINS", value)
    manager = Plugins.from_environment()
    if is_strict:
        with pytest.raises(PluginError):
            manager.found()
    else:
        assert error_of(manager, "a") == "ImportError: no tank"


# -- registration at run time -------------------------------------------------------------------------------------------


def test_a_class_is_made_into_an_object() -> None:
    class Mine:
        @hookimpl
        def hexwar_rulesets(self) -> list[RulesetInfo]:
            return [card()]

    manager = empty()
    manager.register(Mine, "mine")
    assert list(manager.rulesets()) == ["sample"]


def test_a_hook_may_go_by_another_name() -> None:
    manager = empty()
    manager.register(plugin(games=hookimpl(specname="hexwar_rulesets")(lambda: [card()])), "mine")
    assert list(manager.rulesets()) == ["sample"]
    assert manager.found()[0].hooks == ("hexwar_rulesets",)


def test_what_is_no_function_is_no_hook() -> None:
    manager = empty()
    manager.register(plugin(hexwar_bridgehead=plugin(), hexwar_version="1.0"), "mine")
    assert manager.found()[0].hooks == ()


def test_use_plugins_puts_another_manager_in_place() -> None:
    with using(empty()) as manager:
        assert plugins() is manager
    assert plugins() is not manager
    assert plugins() is plugins()
    use_plugins(None)


# -- rulesets ---------------------------------------------------------------------------------------------------------


def ruleset_error(entry: str, **changes: Any) -> str:
    manager = empty()
    manager.register(plugin(hexwar_rulesets=lambda: [card(entry=entry, **changes)]), "a")
    with pytest.raises(PluginError) as caught:
        manager.ruleset("sample")
    return str(caught.value)


def test_a_ruleset_that_cannot_be_loaded() -> None:
    assert ruleset_error("no_such:X") == (
        "ruleset sample: no_such:X cannot be imported: ModuleNotFoundError: No module named 'no_such'"
    )
    assert "AttributeError" in ruleset_error("tests.engine.toy:NO_SUCH")
    assert ruleset_error("tests.engine.toy:INFO.id") == "ruleset sample: tests.engine.toy:INFO.id is 'toy', not a Ruleset object"
    assert ruleset_error("tests.engine.toy:ToyRuleset") == (
        "ruleset sample: tests.engine.toy:ToyRuleset is the class ToyRuleset, not a Ruleset object"
    )
    assert ruleset_error("tests.engine.toy:RULESET") == "ruleset sample: tests.engine.toy:RULESET holds the rules of toy"


def test_a_ruleset_that_fails_its_check(monkeypatch: pytest.MonkeyPatch) -> None:
    from hexwar.errors import ContentError
    from tests.engine.toy import ToyRuleset

    def wrong(self: object) -> None:
        raise TypeError("the state holds a list in a list")

    def uncited(self: object) -> None:
        raise ContentError("rules.toml", "step X", "cites nothing")

    manager = empty()
    manager.register(plugin(hexwar_rulesets=lambda: [card("toy")]), "a")
    monkeypatch.setattr(ToyRuleset, "check", wrong)
    with pytest.raises(PluginError, match=r"ruleset toy: .* is wrong: TypeError: the state holds a list in a list"):
        manager.ruleset("toy")
    monkeypatch.setattr(ToyRuleset, "check", uncited)
    with pytest.raises(ContentError, match=r"rules\.toml: step X: cites nothing"):
        manager.ruleset("toy")
    monkeypatch.undo()
    assert manager.ruleset("toy") is manager.ruleset("toy")


def test_the_bundled_plugins_work() -> None:
    assert [(found.name, found.error) for found in game_plugins().found() if found.name in ("bridgehead", "maps")] == [
        ("bridgehead", ""),
        ("maps", ""),
    ]
