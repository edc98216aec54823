"""Builds what a release consists of: `python tests/packaging/release.py DIR`; `tox -e release` then tests exactly these files.

The sdist comes first, and both wheels are made from it: the one with the compiled kernel, where there is a compiler, and the pure
one, which runs anywhere.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
VERSION = re.compile(r"^## (?P<version>\d+\.\d+\.\d+(?:rc\d+)?) \((?P<date>\d{4}-\d\d-\d\d|unreleased)\)$", re.MULTILINE)
"""A version in the CHANGELOG, with the day of its release."""
PLACEHOLDER = "hexwar.example"
"""The host in [project.urls] as long as there is no public home."""


class Release(NamedTuple):
    """The files of a release; a wheel that could not be made with the kernel is the pure one."""

    sdist: Path
    wheel: Path
    pure: Path


def build(folder: Path) -> Path:
    """Build the sdist, and from it the wheel as this machine can make it; returns the folder."""
    _build(folder, ROOT)
    return folder


def build_pure(folder: Path) -> Path:
    """Build the pure wheel from the sdist that lies in the folder."""
    [sdist] = folder.glob("*.tar.gz")
    with tempfile.TemporaryDirectory() as unpacked:
        with tarfile.open(sdist) as archive:
            archive.extractall(unpacked, filter="data")
        [source] = Path(unpacked).iterdir()
        _build(folder, source, "--wheel", HEXWAR_BUILD_PURE="1")
    return next(folder.glob("*-py3-none-any.whl"))


def found(folder: Path) -> Release:
    """What lies in a folder."""
    [sdist] = folder.glob("*.tar.gz")
    [pure] = folder.glob("*-py3-none-any.whl")
    [*compiled] = folder.glob("*-abi3-*.whl")
    return Release(sdist, compiled[0] if compiled else pure, pure)


def lacking(changes: str, project: str) -> list[str]:
    """What must still be written before the version may be published.

    Args:
        changes: the text of the CHANGELOG.
        project: the text of pyproject.toml.
    """
    newest = VERSION.search(changes)
    dated = newest is not None and newest["date"] != "unreleased"
    homes = [url for url in tomllib.loads(project)["project"]["urls"].values() if PLACEHOLDER in url]
    return [
        *([] if dated else ["CHANGELOG.md does not say yet when this version is released"]),
        *([f"[project.urls] of pyproject.toml names no public home yet: {homes[0]}"] if homes else []),
    ]


def _build(folder: Path, source: Path, *how: str, **settings: str) -> None:
    """Call the builder; it makes the wheel from the sdist unless told otherwise, which proves that the sdist can build."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV", "HEXWAR_"))}
    command = [sys.executable, "-m", "build", *how, "--outdir", str(folder), str(source)]
    done = subprocess.run(
        command, cwd=folder, env={**inherited, "PYTHONUTF8": "1", **settings}, capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    target = Path(sys.argv[1]).resolve()
    target.mkdir(parents=True, exist_ok=True)
    for old in target.glob("hexwar-*"):
        old.unlink()
    build(target)
    build_pure(target)
    for file in found(target):
        print(file.relative_to(target.parent))
    for lack in lacking(*((ROOT / name).read_text(encoding="utf-8") for name in ("CHANGELOG.md", "pyproject.toml"))):
        print(lack)
