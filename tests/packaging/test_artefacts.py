"""The built wheel and sdist hold everything, and each kind of installation works in an empty environment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.packaging

ROOT = Path(__file__).resolve().parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SCRIPTS = "Scripts" if os.name == "nt" else "bin"


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command as a user would, who has none of the test run's settings; return what it printed."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COVERAGE", "COV_"))}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**environment, "PYTHONUTF8": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    assert done.returncode == 0, f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}"
    return done.stdout


def files_under(*folders: str) -> Iterator[Path]:
    """The files that belong to the project; hidden ones and compiled ones do not."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            inside = path.relative_to(ROOT)
            if path.is_file() and not any(part.startswith((".", "__pycache__")) for part in inside.parts):
                yield inside


@pytest.fixture(scope="module")
def artefacts(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The wheel and the sdist; the wheel is built from the sdist, which proves that the sdist can build."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT, cwd=folder)
    [wheel], [sdist] = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, sdist


def test_wheel_holds_every_file_of_every_package(artefacts: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(artefacts[0]) as wheel:
        inside = set(wheel.namelist())
    expected = {path.as_posix() for path in files_under("hexwar")}
    # rulesets/ and maps/ are only folders of the checkout: their packages are at the top of the wheel.
    expected |= {path.relative_to(path.parts[0]).as_posix() for path in files_under("rulesets", "maps")}
    assert any(name.endswith(".toml") for name in expected), "the checkout has content files"
    assert sorted(expected - inside) == []


def test_wheel_holds_nothing_else(artefacts: tuple[Path, Path]) -> None:
    packages = {"hexwar", *(path.name for folder in ("rulesets", "maps") for path in (ROOT / folder).iterdir())}
    with zipfile.ZipFile(artefacts[0]) as wheel:
        top = {name.split("/")[0] for name in wheel.namelist()}
    assert {name for name in top if not name.endswith(".dist-info")} <= packages


def test_sdist_holds_what_the_tests_need(artefacts: tuple[Path, Path]) -> None:
    with tarfile.open(artefacts[1]) as sdist:
        inside = {name.partition("/")[2] for name in sdist.getnames()}
    expected = {path.as_posix() for path in files_under("hexwar", "rulesets", "maps", "tests", "docs")}
    expected |= {"pyproject.toml", "tox.ini", "mkdocs.yml", ".ci/run"}
    expected |= {"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE"}
    assert sorted(expected - inside) == []


WHERE = """
import importlib.metadata, json
found = importlib.metadata.entry_points(group="hexwar")
print(json.dumps({entry.name: entry.load().__file__ for entry in found}))
"""


@pytest.mark.parametrize("kind", ["wheel", "sdist", "editable"])
def test_installs_in_an_empty_environment(kind: str, artefacts: tuple[Path, Path], tmp_path: Path) -> None:
    wheel, sdist = artefacts
    ways: dict[str, list[str | Path]] = {"wheel": [wheel], "sdist": [sdist], "editable": ["--editable", ROOT]}
    run(sys.executable, "-m", "venv", tmp_path / "empty", cwd=tmp_path)
    programs = tmp_path / "empty" / SCRIPTS
    run(programs / "python", "-m", "pip", "install", "--quiet", *ways[kind], cwd=tmp_path)
    run(programs / "python", "-m", "pip", "check", cwd=tmp_path)

    plugins: dict[str, str] = json.loads(run(programs / "python", "-c", WHERE, cwd=tmp_path))
    assert plugins.keys() == PROJECT["entry-points"]["hexwar"].keys()
    home = ROOT if kind == "editable" else tmp_path / "empty"
    assert all(Path(file).resolve().is_relative_to(home.resolve()) for file in plugins.values()), plugins

    found = run(programs / "hexwar", "plugins", cwd=tmp_path)
    for name in PROJECT["entry-points"]["hexwar"]:
        assert f"{name}  hexwar " in found
    listed = run(programs / "hexwar", "list", cwd=tmp_path)
    for ruleset in ("ava", "bridgehead"):
        assert ruleset in listed
