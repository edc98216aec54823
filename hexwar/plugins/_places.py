"""Where clauses are implemented: found in the source of a ruleset and its variants, so nothing in play imports this module.

A place is where a clause id stands in a docstring, text or comment of the code, or in a text or comment of data files and maps.
What only judges or plays the game, such as test kits and bots, does not count: the rules do not import it. Where a table says
under which clause a topic of the mechanics stands, the mechanics that name this topic are places as well.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec, resolve_name
from pathlib import Path

from hexwar.engine import RuleIndex
from hexwar.plugins._manager import plugins

_TO = re.compile(r"\s+(?:to|–)\s+")
_TOML = re.compile(r'"""(?:.|\n)*?"""|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#.*')
_TABLE = re.compile(r"\[+ *([^\[\]]+?) *\]|([\w.-]+) *=")

_Pieces = list[tuple[int, str]]
"""Texts and comments of a file, each with the line on which it begins."""
_Names = list[tuple[int, int, str]]
"""First line, last line, name; what is inside comes after what is around it."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a clause stands.

    Args:
        file: from the package on, with slashes: `hexwar_ava/combat.py`.
        line: counted from 1.
        name: the function, class, assignment or table around it; "" at the top of a file.
        path: the file on this machine.
    """

    file: str
    line: int
    name: str
    path: Path


def places(ruleset: str) -> Mapping[str, tuple[Place, ...]]:
    """Clause id -> where it is implemented, code before data; a clause that stands nowhere is missing.

    Raises:
        HexwarError: if there is no such ruleset.
    """
    known = plugins()
    index = known.rule_index(ruleset)
    rules = [known.info(ruleset).entry, *(variant.rules for variant in known.variants(ruleset).values())]
    found: dict[str, dict[tuple[str, str], Place]] = {}
    topics: dict[str, set[str]] = {}

    def note(clause: str, file: str, path: Path, line: int, names: _Names) -> None:
        name = ".".join(name for first, last, name in names if first <= line <= last)
        found.setdefault(clause, {}).setdefault((file, name), Place(file, line, name, path))

    # A board that is made of several sheets has its name before the slash in common with them.
    boards = {scenario.board.partition("/")[0] for scenario in known.info(ruleset).scenarios if scenario.board}
    maps = [Path(str(map)) for name, map in known.maps().items() if name.partition("/")[0] in boards]
    files = files_of([module_of(each) for each in rules], index.source) | {"/".join(path.parts[-3:]): path for path in maps}
    for file, path in files.items():
        text = path.read_text(encoding="utf-8")
        pieces, names = _read(file, text)
        for start, piece in pieces:
            for clause, offset in ids_in(piece, index):
                note(clause, file, path, start + piece.count("\n", 0, offset), names)
        for topic, clause in re.findall(r'"([a-z.]+)": "([\w.]+)"', text):
            topics.setdefault(topic, set()).add(clause)
    home = Path(__file__).parents[1]
    for path in sorted(path for package in ("mechanics", "pieces") for path in (home / package).rglob("*.py")):
        pieces, names = _code(path.read_text(encoding="utf-8"))
        for start, piece in pieces:
            for clause in topics.get(piece.strip('"'), ()):
                note(clause, path.relative_to(home.parent).as_posix(), path, start, names)
    return {clause: tuple(found[clause].values()) for clause in index if clause in found}


def names_in(file: str, text: str) -> _Names:
    """What has a name in a file: functions, classes and assignments of code, tables of data."""
    return _read(file, text)[1]


def _read(file: str, text: str) -> tuple[_Pieces, _Names]:
    return _code(text) if file.endswith(".py") else _data(text)


def module_of(rules: object) -> str:
    """The module that holds the rules, from an entry such as "module:object", a module or an object."""
    return rules.partition(":")[0] if isinstance(rules, str) else str(getattr(rules, "__name__", type(rules).__module__))


def files_of(entries: list[str], index: str) -> dict[str, Path]:
    """Name -> file: the entries, what they import from their own packages, and the data of these packages but for the index."""
    modules: dict[str, Path] = {}
    files: dict[Path, str] = {}
    for top in dict.fromkeys(entry.partition(".")[0] for entry in entries):
        spec = find_spec(top)
        if spec is None or not spec.origin:
            continue
        home = Path(spec.origin)
        found = sorted(home.parent.rglob("*.*")) if spec.submodule_search_locations else [home]
        for path in found:
            file = path.relative_to(home.parents[1] if spec.submodule_search_locations else home.parent)
            files[path] = file.as_posix()
            if path.suffix == ".py":
                name = ".".join(file.with_suffix("").parts).removesuffix(".__init__") if path != home or len(found) > 1 else top
                modules[name] = path
    reached: set[Path] = set()
    waiting = [name for name in modules if name in entries]
    while waiting:
        name = waiting.pop()
        path = modules[name]
        if path not in reached:
            reached.add(path)
            waiting += [imported for imported in _imports(name, path) if imported in modules]
    # What lies in a package that the rules do not import, such as the drills of a kit, is not their data.
    foreign = {
        path.parent for name, path in modules.items() if "." in name and path.name == "__init__.py" and path not in reached
    }
    data = [
        path for path in files if path.suffix in (".toml", ".json") and path.name != index and foreign.isdisjoint(path.parents)
    ]
    return {files[path]: path for path in (*sorted(reached), *data)}


def _imports(module: str, path: Path) -> Iterator[str]:
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), package)
            yield from (base, *(f"{base}.{alias.name}" for alias in node.names))


@cache
def _code(text: str) -> tuple[_Pieces, _Names]:
    texts = {tokenize.STRING, tokenize.COMMENT, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    # The number of a version looks like a clause.
    pieces = [(it.start[0], it.string) for it in tokens if it.type in texts and not re.search(r"\bversion *=", it.line)]
    tree = ast.parse(text)
    found: list[tuple[ast.stmt, str]] = [
        *((node, node.name) for node in ast.walk(tree) if isinstance(node, ast.ClassDef | ast.FunctionDef)),
        *((node, ast.unparse(node.targets[0])) for node in tree.body if isinstance(node, ast.Assign)),
        *((node, ast.unparse(node.target)) for node in tree.body if isinstance(node, ast.AnnAssign)),
    ]
    return pieces, sorted((node.lineno, node.end_lineno or node.lineno, name) for node, name in found)


def _data(text: str) -> tuple[_Pieces, _Names]:
    """A name is that of a table, or of a key before all tables; a comment before it is without a name."""
    pieces = [(text.count("\n", 0, it.start()) + 1, it[0]) for it in _TOML.finditer(text)]
    lines = text.splitlines()
    starts: list[tuple[int, str]] = []
    in_table = False
    for number, line in enumerate(lines, 1):
        found = _TABLE.match(line)
        if found and (found[1] or not in_table):
            starts.append((number, found[1] or found[2]))
            in_table = bool(found[1])
    ends = [line - 1 for line, _ in starts[1:]] + [len(lines)]
    return pieces, [(first, last, name) for (first, name), last in zip(starts, ends, strict=True)]


@cache
def _pattern(ids: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = "|".join(map(re.escape, sorted(ids, key=len, reverse=True)))
    return re.compile(rf"(?<![\w.:-])(?:{longest_first})(?![:-]?\w|\.\w)")


def ids_in(text: str, index: RuleIndex) -> Iterator[tuple[str, int]]:
    """The clauses that a string names, each with where; "3.3.11 to 3.3.14" names four."""
    order = list(index)
    before = None
    for word in _pattern(tuple(order)).finditer(text):
        first = order.index(before[0]) + 1 if before and _TO.fullmatch(text, before.end(), word.start()) else len(order)
        for clause in (*order[first : order.index(word[0])], word[0]):
            yield clause, word.start()
        before = word
