"""The lists that name every bundled package agree with the folders, so that a new ruleset cannot be half added."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from packaging.version import Version

import hexwar
from tests.packaging.release import VERSION, lacking

ROOT = Path(__file__).resolve().parents[2]
PYPROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def packages_in(folder: str) -> list[str]:
    return sorted(path.name for path in (ROOT / folder).iterdir() if path.is_dir() and not path.name.startswith((".", "_")))


RULESETS = packages_in("rulesets")
BUNDLED = [f"rulesets/{name}" for name in RULESETS] + [f"maps/{name}" for name in packages_in("maps")]


def contract(identifier: str) -> dict[str, Any]:
    contracts: list[dict[str, Any]] = PYPROJECT["tool"]["importlinter"]["contracts"]
    return next(found for found in contracts if found["id"] == identifier)


@pytest.mark.parametrize("path", BUNDLED)
class TestEveryBundledPackage:
    def test_is_called_like_a_hexwar_package(self, path: str) -> None:
        assert Path(path).name.startswith("hexwar_")

    def test_is_typed(self, path: str) -> None:
        assert (ROOT / path / "py.typed").is_file()

    def test_is_in_the_wheel(self, path: str) -> None:
        assert path in PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]

    def test_has_an_entry_point(self, path: str) -> None:
        assert Path(path).name in PYPROJECT["project"]["entry-points"]["hexwar"].values()

    def test_is_measured_by_coverage(self, path: str) -> None:
        name = Path(path).name
        assert name in PYPROJECT["tool"]["coverage"]["run"]["source_pkgs"]
        assert PYPROJECT["tool"]["coverage"]["paths"][name][0] == path

    def test_is_known_to_the_import_sorter(self, path: str) -> None:
        assert Path(path).name in PYPROJECT["tool"]["ruff"]["lint"]["isort"]["known-first-party"]

    def test_is_under_the_import_contracts(self, path: str) -> None:
        name = Path(path).name
        assert name in PYPROJECT["tool"]["importlinter"]["root_packages"]
        assert name in contract("framework-without-rulesets")["forbidden_modules"]
        if name in RULESETS:
            assert name in contract("independent-rulesets")["modules"]
            assert name in contract("maps-without-rulesets")["forbidden_modules"]

    def test_uses_only_public_names_of_hexwar(self, path: str) -> None:
        private = [
            f"{file.relative_to(ROOT)}:{line}: {name}"
            for file in sorted((ROOT / path).rglob("*.py"))
            for line, name in imported_from_hexwar(file)
            if any(part.startswith("_") for part in name.split("."))
        ]
        assert not private, "a ruleset uses hexwar as a third party would: " + "; ".join(private)


def imported_from_hexwar(file: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"), str(file))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from ((node.lineno, name) for name in names if name.split(".")[0] == "hexwar" and name != "hexwar.__version__")


def test_nothing_is_listed_that_does_not_exist() -> None:
    listed: list[str] = PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert sorted(listed) == sorted(["hexwar", *BUNDLED])


def cited(key: str) -> str | None:
    found = re.search(rf"^{key}: *\"?([^\"\n]+)", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    return found[1] if found else None


def test_the_version_is_the_same_wherever_it_stands() -> None:
    version = PYPROJECT["project"]["version"]
    assert (hexwar.__version__, cited("version")) == (version, version)


def test_the_changes_are_told_by_version_the_newest_first() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## .*$", text, re.MULTILINE)
    released = list(VERSION.finditer(text))
    assert [found[0] for found in released] == [heading for heading in headings if heading != "## Unreleased"]
    assert "## Unreleased" not in headings[1:]
    versions = [Version(found["version"]) for found in released]
    assert versions == sorted(set(versions), reverse=True)
    assert released[0]["version"] == PYPROJECT["project"]["version"]
    assert all(found["date"] != "unreleased" for found in released[1:])


def test_the_home_of_the_project_is_the_same_everywhere() -> None:
    urls: dict[str, str] = PYPROJECT["project"]["urls"]
    assert urls["Repository"] == cited("repository-code")
    assert {"Homepage", "Documentation", "Repository", "Issues", "Changelog"} <= set(urls)
    assert all(url.startswith("https://") for url in urls.values())


def test_a_release_lists_what_it_lacks() -> None:
    project = '[project.urls]\nHomepage = "https://{}"\n'
    assert lacking("## 1.2.3 (2026-11-18)\n", project.format("war.games")) == []
    undated, homeless = lacking("## 1.2.3 (unreleased)\n", project.format("hexwar.example"))
    assert "CHANGELOG.md" in undated
    assert "https://hexwar.example" in homeless
