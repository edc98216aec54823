"""What a plugin answers is looked at where it comes in: a wrong answer is the plugin's fault, and nobody else's trouble."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hexwar import RulesetInfo, Variant
from hexwar.engine import Clause, Invariant, Option, Scenario
from tests.plugins.sample import card, empty, error_of, plugin

HOLDS = Invariant("1", "holds", lambda at: None)

WRONG: list[tuple[str, Any, str]] = [
    ("hexwar_rulesets", "bridgehead", "hexwar_rulesets must return a list of RulesetInfo, not 'bridgehead'"),
    ("hexwar_rulesets", {"a": card()}, "hexwar_rulesets must return a list of RulesetInfo, not {'a': "),
    ("hexwar_rulesets", 7, "hexwar_rulesets must return a list of RulesetInfo, not 7"),
    ("hexwar_rulesets", card(), "hexwar_rulesets must return a list of RulesetInfo, not RulesetInfo("),
    ("hexwar_rulesets", [{"id": "x"}], "hexwar_rulesets must return a list of RulesetInfo, not {'id': 'x'}"),
    ("hexwar_rulesets", [RulesetInfo], "hexwar_rulesets must return a list of RulesetInfo, not the class RulesetInfo"),
    ("hexwar_rulesets", [card(id="A Victory")], "ruleset A Victory: an id is made of small letters, digits, - and _"),
    ("hexwar_rulesets", [card(id=3)], "ruleset 3: id must be a string, not 3"),
    ("hexwar_rulesets", [card(version=1.0)], "ruleset sample: version must be a string, not 1.0"),
    ("hexwar_rulesets", [card(entry="rules")], "ruleset sample: entry: must be a string such as \"module:object\", not 'rules'"),
    ("hexwar_rulesets", [card(sides=("blue"))], "ruleset sample: sides must be a tuple of text, not 'blue'"),
    ("hexwar_rulesets", [card(sides=("blue", "blue"))], "ruleset sample: sides has 'blue' twice"),
    ("hexwar_rulesets", [card(sides=("Blue", "red"))], "ruleset sample: a side has a lower-case name, not 'Blue'"),
    ("hexwar_rulesets", [card(sides=())], "ruleset sample: needs at least one side and one scenario"),
    ("hexwar_rulesets", [card(scenarios=())], "ruleset sample: needs at least one side and one scenario"),
    (
        "hexwar_rulesets",
        [card(scenarios=Scenario("a", "A"))],
        "ruleset sample: scenarios must be a tuple of Scenario, not Scenario(",
    ),
    ("hexwar_rulesets", [card(scenarios=("a",))], "ruleset sample: scenarios must be a tuple of Scenario, not ('a',)"),
    ("hexwar_rulesets", [card(scenarios=[Scenario("a", "A")] * 2)], "ruleset sample: scenarios has 'a' twice"),
    ("hexwar_rulesets", [card(options=("snow",))], "ruleset sample: options must be a tuple of Option, not ('snow',)"),
    (
        "hexwar_rulesets",
        [card(options=(Option("pace", "Pace", ("slow", "fast")),))],
        "ruleset sample: option pace: the default False is not one of its choices",
    ),
    ("hexwar_rulesets", [card(loads="0.9")], "ruleset sample: loads must be a tuple of text, not '0.9'"),
    ("hexwar_variants", [card()], "hexwar_variants must return a list of Variant, not RulesetInfo("),
    ("hexwar_variants", [Variant("snow", "sample", 3, "x")], "variant snow: title must be a string, not 3"),  # type: ignore[arg-type]
    (
        "hexwar_variants",
        [Variant("snow", "sample", "Snow", "x", (("1", "it snows"),))],  # type: ignore[arg-type]
        "variant snow: clauses must be a tuple of Clause, not (('1', 'it snows'),)",
    ),
    (
        "hexwar_variants",
        [Variant("snow", "sample", "Snow", "x", (Clause("1", "a"), Clause("1", "b")))],
        "variant snow: clauses has '1' twice",
    ),
    (
        "hexwar_variants",
        [Variant("snow", "sample", "Snow", "x", (), "barrage")],  # type: ignore[arg-type]
        "variant snow: excludes must be a tuple of text, not 'barrage'",
    ),
    ("hexwar_maps", [Path("a.toml")], "hexwar_maps must return a dictionary, not [PosixPath('a.toml')]"),
    ("hexwar_maps", {"a/b": "a.toml"}, "hexwar_maps, 'a/b': must be a file of pathlib or importlib.resources, not 'a.toml'"),
    ("hexwar_maps", {1: Path("a.toml")}, "hexwar_maps must return a dictionary with strings for keys, not 1"),
    ("hexwar_bots", "greedy", "hexwar_bots must return a dictionary, not 'greedy'"),
    ("hexwar_bots", {"": "a:b"}, "hexwar_bots must return a dictionary with strings for keys, not ''"),
    ("hexwar_bots", {"greedy": list}, "hexwar_bots, 'greedy': must be a string such as \"module:object\", not the class list"),
    ("hexwar_renderers", {"png": "png"}, "hexwar_renderers, 'png': must be a string such as \"module:object\", not 'png'"),
    ("hexwar_commands", {"fly": None}, "hexwar_commands, 'fly': must be a string such as \"module:object\", not None"),
    ("hexwar_invariants", HOLDS, "hexwar_invariants must return a list of Invariant, not Invariant("),
    ("hexwar_invariants", [Invariant(3, "holds", print)], "invariant 'holds': clause must be a string, not 3"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("hook", "answer", "sentence"), WRONG, ids=[sentence for _, _, sentence in WRONG])
def test_a_wrong_answer_is_reported(hook: str, answer: Any, sentence: str) -> None:
    manager = empty()
    manager.register(plugin(**{hook: lambda: answer}), "bad")
    manager.register(plugin(hexwar_rulesets=lambda: [card("fine")], hexwar_bots=lambda: {"dull": "bots:Dull"}), "good")
    found = manager.found()
    assert error_of(manager, "bad").startswith(sentence.replace("PosixPath", type(Path()).__name__))
    assert "\n" not in error_of(manager, "bad")
    assert len(error_of(manager, "bad")) < 250
    assert [each.error for each in found if each.name == "good"] == [""]
    assert list(manager.rulesets()) == ["fine"]
    assert manager.bots() == {"dull": "bots:Dull"}


@pytest.mark.parametrize("hook", ["hexwar_rulesets", "hexwar_variants", "hexwar_maps", "hexwar_bots", "hexwar_invariants"])
def test_nothing_is_an_answer(hook: str) -> None:
    manager = empty()
    manager.register(plugin(**{hook: lambda: None}), "quiet")
    assert [found.error for found in manager.found()] == [""]


def test_a_generator_is_an_answer() -> None:
    manager = empty()
    manager.register(plugin(hexwar_rulesets=lambda: (card(name) for name in ("a", "b"))), "lazy")
    assert list(manager.rulesets()) == ["a", "b"]
    assert list(manager.rulesets()) == ["a", "b"]
