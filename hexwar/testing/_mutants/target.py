"""What is mutated: the files of a ruleset or of house rules, and copies of them in which one file is another."""

from __future__ import annotations

import compileall
import hashlib
import os
import shutil
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.util import find_spec
from itertools import islice, zip_longest
from pathlib import Path

from hexwar.engine import RuleIndex
from hexwar.errors import UnknownName
from hexwar.plugins import _places as found_places
from hexwar.plugins import plugins
from hexwar.testing._mutants.data import data_edits, read_data
from hexwar.testing._mutants.edits import AutoMutant, named
from hexwar.testing._mutants.source import is_other_code, source_edits

LATER = 2.0
"""How many seconds younger a file with a mistake is: Python takes a compiled one for it that is of the same second and length."""
DATA = "data"
"""In the place of a file: all files of data, whatever they are called."""
SOURCES_PER_DATA = 3
"""A sample has this many mistakes in source for one in data, which has many more numbers than there are rules."""


@dataclass(frozen=True)
class Target:
    """What is mutated.

    Args:
        ruleset: its id.
        files: name from the package on -> file; those that can have mistakes.
        roots: what is copied: packages as folders, or single modules.
    """

    ruleset: str
    files: Mapping[str, Path]
    roots: tuple[Path, ...]

    @classmethod
    def of(cls, ruleset: str, within: Sequence[str] = ()) -> Target:
        """The rules of a ruleset and their data; bots, kits and whatever else the rules do not import are left out.

        Args:
            ruleset: the id of an installed one.
            within: only these files and folders: `hexwar_ava/combat.py`, or the package of house rules for it, "data" for all
                data; the ruleset's own package if not given.

        Raises:
            UnknownName: nothing is called so.
        """
        known = plugins()
        info = known.info(ruleset)
        rules = [info.entry, *(variant.rules for variant in known.variants(ruleset).values())]
        entries = [found_places.module_of(each) for each in rules]
        every = found_places.files_of(entries, known.rule_index(ruleset).source)
        own = entries[0].partition(".")[0]
        tops = {
            top: spec.origin for top in dict.fromkeys(entry.partition(".")[0] for entry in entries) if (spec := find_spec(top))
        }
        homes = {top: Path(origin) for top, origin in tops.items() if origin}
        roots = {top: home.parent if home.name == "__init__.py" else home for top, home in homes.items()}
        chosen = [place.rstrip("/") for place in within] or [roots[own].name]
        for place in chosen:
            if not any(_lies_in(name, place) for name in every):
                raise UnknownName(f"file of {ruleset}", place, every)
        files = {name: path for name, path in every.items() if any(_lies_in(name, place) for place in chosen)}
        used = [root for root in roots.values() if any(path == root or root in path.parents for path in files.values())]
        return cls(ruleset, files, tuple(used))

    @cached_property
    def mutants(self) -> list[AutoMutant]:
        """All that there are; those that compile to the same or say the same are found out when they are drawn."""
        info, index = plugins().info(self.ruleset), plugins().rule_index(self.ruleset)
        stands = _Standing(self.ruleset, index)
        found: dict[str, AutoMutant] = {}
        for file, path in self.files.items():
            text = path.read_bytes()
            edits = source_edits(text, info.sides) if path.suffix == ".py" else data_edits(text)
            at = stands.within(file, text.decode("utf-8"))
            for edit in edits:
                name, clauses = at(edit.line)
                mutant = replace(named(file, text, name, edit, found), clauses=clauses)
                found[mutant.id] = mutant
        return list(found.values())

    def drawn(self, number: int | None, seed: int, without: Collection[str] = ()) -> list[AutoMutant]:
        """A sample, or all in the order of the files. Lines are drawn first, so that one with much in it does not count more.

        Args:
            number: how many.
            seed: another one draws others.
            without: ids that are left out.
        """
        known = [mutant for mutant in self.mutants if mutant.id not in without]
        if number is None:
            return [mutant for mutant in known if self.matters(mutant)]
        source, data = ([mutant for mutant in known if mutant.file.endswith(".py") is code] for code in (True, False))
        groups = zip_longest(*[self._drawn(source, seed)] * SOURCES_PER_DATA, self._drawn(data, seed))
        found = (mutant for group in groups for mutant in group if mutant is not None)
        return list(islice(found, number))

    def _drawn(self, mutants: Sequence[AutoMutant], seed: int) -> Iterator[AutoMutant]:
        """In an order that depends on each alone, so that others may come and go; no line twice before all had their turn."""

        def lot(mutant: AutoMutant) -> str:
            return hashlib.sha256(f"{seed}|{mutant.id}".encode()).hexdigest()

        lines: Counter[tuple[str, int]] = Counter()
        order: list[tuple[int, str, AutoMutant]] = []
        for mutant in sorted(mutants, key=lot):
            order.append((lines[mutant.file, mutant.edit.line], lot(mutant), mutant))
            lines[mutant.file, mutant.edit.line] += 1
        return (mutant for _, _, mutant in sorted(order, key=lambda entry: entry[:2]) if self.matters(mutant))

    def matters(self, mutant: AutoMutant) -> bool:
        """Whether the file with the mistake is a file, and another one than before."""
        text = self.files[mutant.file].read_bytes()
        changed = mutant.edit.done(text)
        if mutant.file.endswith(".py"):
            return is_other_code(text, changed)
        try:
            return bool(read_data(mutant.file, text) != read_data(mutant.file, changed))
        except ValueError:
            return False

    @property
    def digest(self) -> str:
        """Of all that is copied."""
        return digest_of(self.roots)


def _lies_in(name: str, place: str) -> bool:
    return name == place or name.startswith(f"{place}/") or (place == DATA and not name.endswith(".py"))


def digest_of(roots: Iterable[Path]) -> str:
    """Of files and of what is in folders, compiled files apart."""
    whole = hashlib.sha256()
    for root in roots:
        for path in sorted(root.rglob("*")) if root.is_dir() else [root]:
            if path.is_file() and path.suffix != ".pyc":
                whole.update(f"{path.relative_to(root.parent).as_posix()}\0".encode())
                whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()[:16]


class _Standing:
    """Which clauses stand where: on the line itself, or in the docstring of what is around it."""

    def __init__(self, ruleset: str, index: RuleIndex) -> None:
        self._index = index
        self._clauses: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        for clause, places in found_places.places(ruleset).items():
            for place in places:
                self._clauses[place.file, place.name].append(clause)

    def within(self, file: str, text: str) -> Callable[[int], tuple[str, tuple[str, ...]]]:
        """For a line of a file: the name around it, and the clauses."""
        names, lines = found_places.names_in(file, text), text.split("\n")

        @cache
        def at(line: int) -> tuple[str, tuple[str, ...]]:
            parts = [name for first, last, name in names if first <= line <= last]
            here = tuple(dict.fromkeys(clause for clause, _ in found_places.ids_in(lines[line - 1], self._index)))
            around = [".".join(parts[:length]) for length in range(len(parts), -1, -1)]
            known = [tuple(self._clauses[file, name]) for name in around if (file, name) in self._clauses]
            return around[0], here or (known[0] if known else ())

        return at


class Overlay:
    """A copy of what is mutated, which comes before the original wherever modules are looked for.

    Args:
        roots: what is copied: packages as folders, or single modules.
        folder: where to.
        plugin_files: those of the one who asks; those that are not copied come from where they are.
    """

    def __init__(self, roots: Sequence[Path], folder: Path, plugin_files: Sequence[str]) -> None:
        self.folder = folder
        self._originals = {root.name: root for root in roots}
        folder.mkdir(parents=True, exist_ok=True)
        for root in roots:
            if root.is_dir():
                shutil.copytree(root, folder / root.name)
                compileall.compile_dir(folder / root.name, quiet=2)
            else:
                shutil.copy2(root, folder / root.name)
        copied = {root.name: str(folder / root.name) for root in roots}
        places = {str(root.resolve()) for root in roots}
        self.plugin_files = [copied[Path(file).name] if file in places else file for file in plugin_files]

    def put(self, file: str, text: bytes) -> None:
        """Make a mistake: something else stands in a file, whose name is that from the package on."""
        copy = self.folder / file
        kept = copy.stat().st_mtime + LATER
        copy.write_bytes(text)
        os.utime(copy, (kept, kept))

    def restore(self, file: str) -> None:
        """Take it back; the file is as old as before, so that its compiled one is used again."""
        root = self._originals[file.partition("/")[0]]
        shutil.copy2(root.parent / file, self.folder / file)


def root_here(root: Path) -> Path:
    """Where a package or module is on this machine: where it is on that of the one who asks, or where it is installed."""
    if not root.exists() and (spec := find_spec(root.stem)) is not None and spec.origin:
        home = Path(spec.origin)
        return home.parent if home.name == "__init__.py" else home
    return root
