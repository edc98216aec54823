"""What distributions on `sys.path` bring as plugins: their entry points.

`importlib.metadata` knows that too. Its import and the metadata of all distributions take a tenth of the time to the first game,
so folders are looked through here, each time anew. Whatever is no plain folder is left to it.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any, NamedTuple

from hexwar.errors import PluginError
from hexwar.plugins._variants import load_object

_VALUE = re.compile(r"([\w.]+)\s*(?::\s*([\w.]+)\s*)?(?:\[.*\]\s*)?")


class Entry(NamedTuple):
    """An entry point.

    Args:
        name: of the plugin.
        dist: the name of its distribution, "" if it is unknown.
        origin: the distribution with its version.
        load: imports the plugin.
    """

    name: str
    dist: str
    origin: str
    load: Callable[[], Any]


def entry_points(group: str) -> list[Entry]:
    """The entry points of a group, in the order in which `importlib.metadata` finds them."""
    try:
        return [
            Entry(name, dist, f"{dist} {version}", lambda value=value: _load(value))  # type: ignore[misc]
            for folder in _folders()
            for dist, version, name, value in _read(folder, group)
        ]
    except _Unusual:
        import importlib.metadata

        return [
            Entry(it.name, it.dist.name if it.dist else "", f"{it.dist.name} {it.dist.version}" if it.dist else "?", it.load)
            for it in importlib.metadata.entry_points(group=group)
        ]


class _Unusual(Exception):
    """Distributions may be somewhere else than in folders."""


def _folders() -> Iterator[Path]:
    """The folders with the metadata of all distributions; if there are two of one name, the first counts."""
    if any(hasattr(finder, "find_distributions") and finder is not PathFinder for finder in sys.meta_path):
        raise _Unusual
    known = set()
    for place in map(str, sys.path):
        if place.lower().endswith(".egg"):
            raise _Unusual
        try:
            inside = list(os.scandir(place or "."))
        except OSError:
            if Path(place).is_file():  # a zip file, for one
                raise _Unusual from None
            continue
        for entry in inside:
            if entry.name.endswith((".dist-info", ".egg-info")):
                stem = re.sub(r"[-_.]+", "_", entry.name.rpartition(".")[0].partition("-")[0]).lower()
                if stem not in known:
                    known.add(stem)
                    yield Path(entry.path)


def _read(folder: Path, group: str) -> Iterator[tuple[str, str, str, str]]:
    """The entry points of a distribution: its name and version, the name and the value of each."""
    try:
        data = (folder / "entry_points.txt").read_bytes()
    except OSError:
        return
    if f"[{group}]".encode() not in data:
        return
    dist, version = _identity(folder)
    section = ""
    for line in map(str.strip, data.decode("utf-8", "replace").splitlines()):
        if line.startswith("[") and line.endswith("]"):
            section = line.strip("[]")
        elif line and not line.startswith("#") and section == group:
            name, _, value = line.partition("=")
            yield dist, version, name.strip(), value.strip()


def _identity(folder: Path) -> tuple[str, str]:
    """The name and the version of a distribution."""
    name, _, version = folder.stem.partition("-")
    found = {"name": name, "version": version}
    for file in ("METADATA", "PKG-INFO"):
        with suppress(OSError), (folder / file).open(encoding="utf-8", errors="replace") as lines:
            for line in iter(lambda: lines.readline().strip(), ""):  # after the headers is a blank line, or nothing
                key, _, value = line.partition(":")
                if key.lower() in found:
                    found[key.lower()] = value.strip()
            break
    return found["name"], found["version"]


def _load(value: str) -> Any:
    found = _VALUE.fullmatch(value)
    if not found:
        raise PluginError(f"its entry point is {value!r}, and should be a module, or module:object")
    return load_object(f"{found[1]}:{found[2] or ''}")
