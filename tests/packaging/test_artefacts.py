"""The built wheel and sdist hold everything, and each kind of installation works in an empty environment.

Where there is a C compiler, the wheel has the compiled kernel; without one it is pure Python, and the same games are played.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from packaging.metadata import Metadata

from tests.ava.test_golden import SEEDS
from tests.packaging.release import build, build_pure, found

pytestmark = pytest.mark.packaging

ROOT = Path(__file__).resolve().parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DIST = os.environ.get("HEXWAR_DIST", "")
SCRIPTS = "Scripts" if os.name == "nt" else "bin"


def run(*command: str | Path, cwd: Path, **settings: str) -> str:
    """Run a command as a user would, who has none of the test run's settings but those given; return what it printed."""
    ours = ("PYTHON", "COVERAGE", "COV_", "HEXWAR_PURE", "HEXWAR_BUILD", "HEXWAR_DIST")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**environment, "PYTHONUTF8": "1", **settings},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    assert done.returncode == 0, f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}"
    return done.stdout


def files_under(*folders: str) -> Iterator[Path]:
    """The files that belong to the project; hidden ones and compiled ones, such as the kernel of an editable install, do not."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            inside = path.relative_to(ROOT)
            compiled = path.suffix in (".so", ".pyd")
            if path.is_file() and not compiled and not any(part.startswith((".", "__pycache__")) for part in inside.parts):
                yield inside


@pytest.fixture(scope="module")
def artefacts(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The wheel and the sdist that it is built from: those in the folder that HEXWAR_DIST names, or new ones."""
    if DIST:
        release = found(ROOT / DIST)
        return release.wheel, release.sdist
    folder = build(tmp_path_factory.mktemp("dist"))
    [wheel], [sdist] = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, sdist


@pytest.fixture(scope="module")
def pure(artefacts: tuple[Path, Path]) -> Path:
    """The pure wheel, built from the same sdist."""
    return found(ROOT / DIST).pure if DIST else build_pure(artefacts[1].parent)


def test_metadata_is_valid_and_the_same_in_wheel_and_sdist(artefacts: tuple[Path, Path]) -> None:
    """What `twine check` looks at, and more: every field is parsed and validated."""
    with zipfile.ZipFile(artefacts[0]) as wheel:
        [name] = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
        in_wheel = Metadata.from_email(wheel.read(name), validate=True)
        assert f"{name.rpartition('/')[0]}/licenses/LICENSE" in wheel.namelist()
    with tarfile.open(artefacts[1]) as sdist:
        [entry] = [entry for entry in sdist.getnames() if entry.count("/") == 1 and entry.endswith("/PKG-INFO")]
        file = sdist.extractfile(entry)
        assert file is not None
        in_sdist = Metadata.from_email(file.read(), validate=True)
    for metadata in (in_wheel, in_sdist):
        assert (metadata.name, str(metadata.version)) == ("hexwar", PROJECT["version"])
        assert str(metadata.requires_python) == PROJECT["requires-python"]
        assert metadata.description_content_type == "text/markdown"
        assert (metadata.description or "").startswith((ROOT / "README.md").read_text(encoding="utf-8")[:200])
        assert set(metadata.provides_extra or ()) == set(PROJECT["optional-dependencies"])
        assert (metadata.project_urls or {}) == PROJECT.get("urls", {})
        assert (metadata.license_expression, metadata.license_files) == ("MIT", ["LICENSE"])
    assert in_wheel.requires_dist == in_sdist.requires_dist


def test_wheel_holds_every_file_of_every_package(artefacts: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(artefacts[0]) as wheel:
        inside = set(wheel.namelist())
    # The source of the kernel is for those who build a wheel.
    expected = {path.as_posix() for path in files_under("hexwar") if path.suffix != ".c"}
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
    expected |= {"hexwar/board/_kernel.c", "hexwar/plane/_kernel.c"}
    expected |= {"hatch_build.py", "pyproject.toml", "tox.ini", "mkdocs.yml", ".ci/run"}
    expected |= {"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE"}
    assert sorted(expected - inside) == []


WHERE = """
import importlib.metadata, json
found = importlib.metadata.entry_points(group="hexwar")
print(json.dumps({entry.name: entry.load().__file__ for entry in found}))
"""


@pytest.fixture(scope="module")
def environment(artefacts: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment that was empty until the wheel and what it needs were installed in it."""
    folder = tmp_path_factory.mktemp("environment") / "empty"
    run(sys.executable, "-m", "venv", folder, cwd=folder.parent)
    run(folder / SCRIPTS / "python", "-m", "pip", "install", "--quiet", artefacts[0], cwd=folder.parent)
    return folder


def installed(environment: Path, *what: str | Path, **settings: str) -> Path:
    """Install hexwar in another way over the one that is there, which has all that it needs; the folder of its programs."""
    programs = environment / SCRIPTS
    again = ("install", "--quiet", "--no-deps", "--force-reinstall", "--no-cache-dir")
    run(programs / "python", "-m", "pip", *again, *what, cwd=environment.parent, **settings)
    run(programs / "python", "-m", "pip", "check", cwd=environment.parent)
    return programs


@pytest.mark.parametrize("kind", ["wheel", "sdist", "editable"])
def test_installs_in_an_empty_environment(kind: str, artefacts: tuple[Path, Path], environment: Path, tmp_path: Path) -> None:
    wheel, sdist = artefacts
    ways: dict[str, list[str | Path]] = {"wheel": [wheel], "sdist": [sdist], "editable": ["--editable", ROOT]}
    programs = installed(environment, *ways[kind])

    plugins: dict[str, str] = json.loads(run(programs / "python", "-c", WHERE, cwd=tmp_path))
    assert plugins.keys() == PROJECT["entry-points"]["hexwar"].keys()
    home = ROOT if kind == "editable" else environment
    assert all(Path(file).resolve().is_relative_to(home.resolve()) for file in plugins.values()), plugins

    found = run(programs / "hexwar", "plugins", cwd=tmp_path)
    for name in PROJECT["entry-points"]["hexwar"]:
        assert f"{name}  hexwar " in found
    listed = run(programs / "hexwar", "list", cwd=tmp_path)
    for ruleset in ("ava", "bridgehead"):
        assert ruleset in listed


GAMES = """
import json, sys, hexwar
from hexwar.bots import KeyedChance, RandomBot, play_to_end

for scenario, seed in json.loads(sys.argv[1]).items():
    game = hexwar.new_game("ava", scenario, seed=seed)
    play_to_end(game, {"axis": RandomBot(), "soviet": RandomBot()}, KeyedChance(f"golden {scenario}"))
    print(f"{len(game.history)} actions, digest {game.digest}")
"""


def assert_plays_the_golden_games(programs: Path, cwd: Path, **settings: str) -> None:
    expected = [(ROOT / "tests" / "ava" / "golden" / f"{scenario}.txt").read_text().splitlines()[-1] for scenario in SEEDS]
    assert run(programs / "python", "-c", GAMES, json.dumps(SEEDS), cwd=cwd, **settings).splitlines() == expected


# For setuptools it is the compiler that Python was built with, unless CC names another.
COMPILER = shutil.which(os.environ.get("CC") or (sysconfig.get_config_var("CC") or "cl").split()[0])


HEADER = Path(sysconfig.get_path("include"), "Python.h")


@pytest.mark.skipif(not COMPILER, reason="there is no C compiler on this machine")
@pytest.mark.skipif(not HEADER.is_file(), reason="this Python was installed without its headers, which the kernel needs")
def test_the_wheel_has_the_compiled_kernel_and_golden_games_are_the_same_with_it(
    artefacts: tuple[Path, Path], environment: Path, tmp_path: Path
) -> None:
    wheel, _ = artefacts
    assert wheel.name.startswith(f"hexwar-{PROJECT['version']}-cp311-abi3-")
    programs = installed(environment, wheel)
    version = f"hexwar {PROJECT['version']}, "
    assert run(programs / "hexwar", "--version", cwd=tmp_path) == f"{version}compiled kernel\n"
    assert_plays_the_golden_games(programs, tmp_path)
    assert run(programs / "hexwar", "--version", cwd=tmp_path, HEXWAR_PURE="1") == f"{version}pure Python\n"
    assert_plays_the_golden_games(programs, tmp_path, HEXWAR_PURE="1")


@pytest.mark.parametrize("kind", ["no-compiler", "pure-wheel"])
def test_without_a_compiler_it_is_pure_python_and_golden_games_are_the_same(
    kind: str, artefacts: tuple[Path, Path], environment: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if kind == "no-compiler":
        programs = installed(environment, artefacts[1], CC="no-such-compiler")
    else:
        programs = installed(environment, request.getfixturevalue("pure"))
    assert run(programs / "hexwar", "--version", cwd=tmp_path) == f"hexwar {PROJECT['version']}, pure Python\n"
    about = next(environment.rglob("hexwar-*.dist-info/WHEEL")).read_text(encoding="utf-8")
    assert "Tag: py3-none-any" in about
    if kind == "no-compiler":
        assert_plays_the_golden_games(programs, tmp_path)
