"""Every hook is documented with its exact arguments, has a typed method where it needs one, and has a test."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

import hexwar
from hexwar.engine import Hooks
from hexwar.plugins import DiscoverySpecs, Plugins, RuleSpecs
from hexwar.plugins._checks import DISCOVERY_HOOKS, RULE_ANSWERS, RULE_HOOKS
from tests.plugins import parts_page
from tests.plugins.sample import game_plugins, using

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "reference" / "hooks.md").read_text(encoding="utf-8")
GUIDE = (ROOT / "docs" / "hooks.md").read_text(encoding="utf-8")
SPECS: dict[str, Callable[..., Any]] = {
    name: spec for specs in (DiscoverySpecs, RuleSpecs) for name, spec in vars(specs).items() if name.startswith("hexwar_")
}


def section(hook: str) -> str:
    """What the page says of a hook: from its heading to the next."""
    found = re.search(rf"^### {hook}\(.*?(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, f"docs/reference/hooks.md has no section ### {hook}(...)"
    return found[0]


def test_the_page_has_every_hook_in_the_order_of_the_specifications() -> None:
    assert re.findall(r"^### (hexwar_\w+)\(", PAGE, re.MULTILINE) == list(SPECS)


@pytest.mark.parametrize("hook", SPECS)
class TestEveryHook:
    def test_has_its_exact_arguments_on_the_page(self, hook: str) -> None:
        arguments = list(inspect.signature(SPECS[hook]).parameters.values())[1:]
        lines = section(hook).splitlines()
        assert lines[0] == f"### {hook}({', '.join(argument.name for argument in arguments)})"
        rows = [re.fullmatch(r"\| `(\w+)` \| `(.+)` \| (.+) \|", line) for line in lines if line.startswith("| `")]
        assert [(row[1], row[2]) for row in rows if row] == [(argument.name, argument.annotation) for argument in arguments]

    def test_has_its_answer_on_the_page(self, hook: str) -> None:
        assert f"Returns `{inspect.signature(SPECS[hook]).return_annotation}`." in section(hook).splitlines()

    def test_says_what_it_is_for(self, hook: str) -> None:
        assert inspect.getdoc(SPECS[hook])
        assert len(section(hook).splitlines()[2]) > 20

    def test_has_a_test(self, hook: str) -> None:
        tests = [
            node.name
            for file in sorted(Path(__file__).parent.glob("test_*.py"))
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
            if isinstance(node, ast.FunctionDef) and node.name.startswith(f"test_{hook}_")
        ]
        assert tests, f"no test in tests/plugins is called test_{hook}_..."


@pytest.mark.parametrize("hook", DISCOVERY_HOOKS)
def test_every_discovery_hook_has_a_typed_method(hook: str) -> None:
    method = getattr(Plugins, hook.removeprefix("hexwar_"))
    signature = inspect.signature(method)
    assert signature.return_annotation not in (inspect.Signature.empty, "Any")
    assert set(DISCOVERY_HOOKS[hook]) <= set(signature.parameters)
    assert all(argument.annotation is not argument.empty for argument in list(signature.parameters.values())[1:])
    assert inspect.getdoc(method)


def test_every_rule_hook_says_what_it_may_answer() -> None:
    assert sorted(RULE_ANSWERS) == sorted(RULE_HOOKS)
    for hook, kind in RULE_ANSWERS.items():
        assert kind.__name__.removesuffix("Type") in inspect.signature(SPECS[hook]).return_annotation


def test_the_engine_has_a_chain_for_every_rule_hook_of_the_same_arguments() -> None:
    for hook, chain in get_type_hints(Hooks, localns={**vars(hexwar.engine), **vars(hexwar.errors)}).items():
        call, _ = get_args(chain)
        assert len(get_args(call)[0]) == len(RULE_HOOKS[f"hexwar_{hook}"])
    assert [f"hexwar_{hook}" for hook in Hooks._fields] == list(RULE_HOOKS)


def test_the_file_on_the_page_works(tmp_path: Path) -> None:
    [text] = re.findall(r'```python title="thick_woods.py"\n(.*?)```', GUIDE, re.DOTALL)
    (tmp_path / "house.py").write_text(text, encoding="utf-8")
    manager = game_plugins()
    manager.load_file(tmp_path / "house.py")
    with using(manager):
        costs = [
            hexwar.new_game("bridgehead", seed=1, options={"thick-woods": on}).query.reach("b2").costs["0405"]
            for on in (False, True)
        ]
    assert costs[1] == costs[0] + 1


def test_the_page_has_every_part_with_its_methods() -> None:
    """`python -m tests.plugins.parts_page` writes them."""
    assert parts_page.PAGE.read_text(encoding="utf-8") == parts_page.written()


def test_every_variable_of_the_environment_is_on_the_page() -> None:
    read = set(re.findall(r"HEXWAR_[A-Z]+_?[A-Z]+", inspect.getsource(Plugins.from_environment)))
    assert read == set(re.findall(r"^\| `(HEXWAR_\w+)=", GUIDE, re.MULTILINE))


def test_the_specifications_can_be_resolved() -> None:
    """Their annotations name real things, although they are imported for type checkers only."""
    from importlib.resources.abc import Traversable

    from hexwar import engine, errors, mechanics, plugins

    names = {**vars(engine), **vars(errors), **vars(mechanics), **vars(plugins), "Traversable": Traversable}
    for spec in SPECS.values():
        assert "return" in get_type_hints(spec, localns=names)
