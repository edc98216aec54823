"""Where clauses are implemented, found in the source."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hexwar.cli.new import make_project
from hexwar.plugins import Plugins, plugins, use_plugins
from hexwar.plugins._places import places

TRICKY = '''

VERSION = dict(version="4.4")
COLUMNS = ("1.2-1", "v1.2", "1.2.9", "1.2:1")
RANGES = {"tenth": 4.5}  # 3.1 to 3.3, 4.1


class Judge:
    """5.1."""

    def rate(self) -> str:
        """
        2.2, 2.3: over two lines.
        """
        return f"see {self} in 4.4"


def unused() -> None:  # 9.9
    """4."""
'''


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The package of a new project, whose code names no clause but for what a test adds."""
    package = make_project("toy-places", "Toy", tmp_path) / "src" / "hexwar_toy_places"
    monkeypatch.syspath_prepend(package.parent)
    for file in (*package.glob("*.py"), *package.glob("data/[!r]*.toml")):
        text = file.read_text(encoding="utf-8")
        lines = [line.partition("  # ")[0] for line in text.splitlines() if not line.startswith("#")]
        file.write_text("\n".join(lines), encoding="utf-8")
    for module in [name for name in sys.modules if name.startswith("hexwar_toy_places")]:
        monkeypatch.delitem(sys.modules, module)
    found = Plugins()
    found.register(importlib.import_module("hexwar_toy_places"), "toy-places")
    use_plugins(found)
    yield package
    use_plugins(None)


def told(clause: str) -> list[tuple[str, int, str]]:
    """The places of a clause in a file of rules that a test has written."""
    return [(it.file, it.line, it.name) for it in places("toy-places").get(clause, ()) if "tricky" in it.file]


class TestToy:
    @pytest.fixture
    def tricky(self, toy: Path) -> None:
        (toy / "tricky.py").write_text(TRICKY.lstrip(), encoding="utf-8")
        with (toy / "turn.py").open("a", encoding="utf-8") as file:
            file.write("\n\ndef later():\n    from . import tricky\n")

    @pytest.mark.usefixtures("tricky")
    def test_docstrings_texts_and_comments_count(self) -> None:
        file = "hexwar_toy_places/tricky.py"
        assert told("5.1") == [(file, 7, "Judge")]
        assert told("2.2") == told("2.3") == [(file, 11, "Judge.rate")]
        assert told("4.4") == [(file, 13, "Judge.rate")]
        assert told("4.1") == [(file, 3, "RANGES")]

    @pytest.mark.usefixtures("tricky")
    def test_a_range_names_what_is_between(self) -> None:
        assert told("3.1") == told("3.2") == told("3.3") == [("hexwar_toy_places/tricky.py", 3, "RANGES")]
        assert told("3.4") == []

    @pytest.mark.usefixtures("tricky")
    def test_numbers_that_are_no_clauses_do_not_count(self) -> None:
        assert told("1.2") == []
        assert told("4.5") == []
        assert "9.9" not in places("toy-places")

    def test_a_module_that_the_rules_do_not_import_does_not_count(self, toy: Path) -> None:
        (toy / "tricky.py").write_text(TRICKY.lstrip(), encoding="utf-8")
        assert told("5.1") == []

    def test_data_files_count_by_text_and_comment(self, toy: Path) -> None:
        data = '# 4.1\n[combat]\nfact = "by 4.2"\nnumber = 4.3\nrow = [ # 4.4\n  4.5, "4.6-1",\n]\n\n[[unit]]   # 5.1\n'
        (toy / "data" / "tricky.toml").write_text(data, encoding="utf-8")
        file = "hexwar_toy_places/data/tricky.toml"
        found = {clause: told(clause) for clause in ("4.1", "4.2", "4.4", "5.1")}
        assert found == {
            "4.1": [(file, 1, "")],
            "4.2": [(file, 3, "combat")],
            "4.4": [(file, 5, "combat")],
            "5.1": [(file, 9, "unit")],
        }
        assert told("4.3") == told("4.5") == told("4.6") == []

    @pytest.mark.usefixtures("toy")
    def test_the_rule_index_itself_does_not_count(self) -> None:
        assert not any(it.file.endswith("rules.toml") for found in places("toy-places").values() for it in found)

    @pytest.mark.usefixtures("toy")
    def test_the_mechanics_of_a_topic_are_a_place(self) -> None:
        files = [it.file for it in places("toy-places")["4.3"]]
        assert "hexwar_toy_places/world.py" in files
        assert any(file.startswith(("hexwar/mechanics/", "hexwar/pieces/")) for file in files)


RULESETS = ("ava", "tow", "bridgehead", "wop")


def nowhere(ruleset: str) -> list[str]:
    """The clauses that a ruleset carries out and that stand nowhere in it; examples are carried out by tests."""
    found = places(ruleset)
    carried_out = [clause for clause in plugins().rule_index(ruleset).values() if clause.testable and clause.kind != "example"]
    return [f"{clause.id} {clause.title}" for clause in carried_out if clause.id not in found]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_clause_that_is_carried_out_has_a_place(ruleset: str) -> None:
    assert nowhere(ruleset) == []


def test_in_a_new_project_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(make_project("toy-whole", "Toy", tmp_path) / "src")
    found = Plugins()
    found.register(importlib.import_module("hexwar_toy_whole"), "toy-whole")
    use_plugins(found)
    try:
        assert nowhere("toy-whole") == []
    finally:
        use_plugins(None)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_place_leads_to_its_clause(ruleset: str) -> None:
    order = list(plugins().rule_index(ruleset))
    for clause, found in places(ruleset).items():
        for place in found:
            line = place.path.read_text(encoding="utf-8").splitlines()[place.line - 1]
            near = order[max(0, order.index(clause) - 40) : order.index(clause) + 40] if " to " in line else [clause]
            assert place.file.startswith(("hexwar/mechanics/", "hexwar/pieces/")) or any(each in line for each in near), (
                clause,
                place,
            )


def test_kits_and_bots_are_no_places() -> None:
    files = {place.file for found in places("ava").values() for place in found}
    assert "hexwar_ava_optional/relocation.py" in files
    assert "hexwar_ava/data/numbers.toml" in files
    assert not [file for file in files if "/kit/" in file or "/bot" in file]
