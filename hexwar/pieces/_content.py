"""Content files: TOML checked by models, with errors that name the file, the entry and the mistake."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any, ClassVar, Generic, Literal, Protocol, TypeVar, cast

from hexwar import cache
from hexwar.errors import ContentError, HexwarError, UnknownName
from hexwar.files import TextSource, read_text, read_toml
from hexwar.pieces._checked import Content, Field, each, restored

Name = Annotated[str, Field(min_length=1, max_length=80)]


Value = Annotated[int, Field(strict=True, ge=0, le=99)]
Triple = Annotated[tuple[Value, Value, Value], Field(description="attack, defence, movement")]


class Sourced(Content):
    """A content file that says where it comes from."""

    provenance: dict[str, str] = Field({}, description="what in it is fact, found, derived and reconstructed")


class UnitEntry(Content):
    """One counter."""

    id: Name
    """As players type it."""
    name: Name
    """For people."""
    side: Name
    """Whose it is."""
    arm: Name
    """How it moves: a row of the terrain effects chart."""
    full: Triple
    reduced: Triple | None = None
    """The same when it has lost a step; a counter without it has one step."""
    start: str = ""
    """The hex or the box where it begins."""
    command: Annotated[int, Field(strict=True, ge=0, le=30)] = 0
    """How far a headquarters commands."""
    formation: str = ""
    """What it belongs to."""
    tags: list[Name] = Field([])
    """Anything else that the ruleset asks about."""


class RosterFile(Sourced):
    """A roster."""

    unit: list[UnitEntry]


class ResultEntry(Content):
    """What a result of the combat table means."""

    attacker: Annotated[int, Field(strict=True, ge=0, le=9)] = 0
    """Steps that the attacker loses."""
    defender: Annotated[int, Field(strict=True, ge=0, le=9)] = 0
    """Steps that the defender loses."""
    retreat: Annotated[int, Field(strict=True, ge=0, le=9)] = 0
    """Hexes that the defender retreats."""
    repulse: Annotated[int, Field(strict=True, ge=0, le=9)] = 0
    """Hexes that the attacker retreats."""


class CombatFile(Sourced):
    """A combat results table."""

    columns: list[Annotated[str, Field(pattern=r"^\d{1,3}(\.\d)?:[1-9]\d{0,2}$")]] = Field(min_length=1)
    """Odds, from the worst to the best: "1:2", "1:1", "2:1"."""
    below: Literal["no attack", "first column"] = "no attack"
    """What worse odds than the first column's are, and shifts to the left of it."""
    rows: dict[Annotated[str, Field(pattern=r"^[1-9]\d?$")], list[str]] = Field(min_length=1)
    """Face of the die -> the result in each column."""
    results: dict[Name, ResultEntry]


M = TypeVar("M", bound=Content)


def load_content(file: TextSource, model: type[M]) -> M:
    """Read and check a content file.

    Raises:
        ContentError: naming the file, the entry and the mistake.
    """
    kept = _Kept(file, model) if isinstance(file, os.PathLike | Traversable) else None
    if kept and (known := kept.recall()) is not None:
        return known
    made = check_content(file.name, read_toml(file, file.name), model)
    if kept:
        kept.keep(made)
    return made


def check_content(source: str, data: Any, model: type[M]) -> M:
    """Check what has been read already, such as the scenario of a table file.

    Raises:
        ContentError: naming the source, the entry and the mistake.
    """
    from pydantic import ValidationError

    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        mistake = first["msg"].removeprefix("Value error, ")
        raise ContentError(source, _where(first["loc"], data), mistake[0].lower() + mistake[1:]) from None


C = TypeVar("C")
Sources = Mapping[str, "Path | Traversable"]
"""File -> where it is read from."""


class ContentFiles(Generic[C]):
    """Everything that is printed in a game: its content files, each checked by a model, and all of them against each other.

    To call it reads them. What is bundled is read once; an owner can correct it without code, by a folder with files that replace
    those of the same names.

    Args:
        make: the content, from where each file is read and from what the models found.
        data: the folder of the bundled files.
        models: file -> what it is checked by.
        others: the files that `make` reads itself, such as a roster.
        contradictions: what one file says against another, as file, entry and mistake.
        variable: the environment variable that may name the folder of replacements.
        title: the name of the game, for the message on a file that replaces nothing.
    """

    def __init__(
        self,
        make: Callable[[Sources, dict[str, Any]], C],
        *,
        data: Path | Traversable,
        models: Mapping[str, type[Content]],
        others: Sequence[str] = (),
        contradictions: Callable[[C], Iterable[tuple[str, str, str]]] = lambda content: (),
        variable: str,
        title: str,
    ) -> None:
        self._make = make
        self._models = models
        self._contradictions = contradictions
        self._variable = variable
        self._title = title
        self.data = data
        """The folder of the bundled files."""
        self.names = (*models, *others)
        """The files, each of which can be replaced."""

    def __call__(self, overrides: str | os.PathLike[str] | None = None) -> C:
        """Read the content.

        Args:
            overrides: a folder whose files replace the bundled ones of the same name; if it is None, the variable names it.

        Raises:
            ContentError: naming the file, the entry and the mistake.
            HexwarError: if it is not a folder.
        """
        named = os.environ.get(self._variable) if overrides is None else overrides
        if not named:
            return self.bundled
        folder = Path(named)
        if not folder.is_dir():
            who = self._variable if overrides is None else "the folder of replacements"
            raise HexwarError(f"{who} names {folder}, which is no folder")
        replaced = {file.name: file for file in sorted(folder.glob("*.toml"))}
        for name, file in replaced.items():
            if name not in self.names:
                raise ContentError(str(file), "", f"replaces nothing; the files of {self._title} are {', '.join(self.names)}")
        try:
            return self._load({name: replaced.get(name) or self.data / name for name in self.names})
        except ContentError as error:
            if error.source not in replaced:
                raise
            raise ContentError(str(replaced[error.source]), error.where, error.mistake) from None

    @functools.cached_property
    def bundled(self) -> C:
        """The content as it comes with the game; nothing changes it, so it is read once."""
        return self._load({name: self.data / name for name in self.names})

    def _load(self, sources: Sources) -> C:
        content = self._make(sources, {name: load_content(sources[name], model) for name, model in self._models.items()})
        for mistake in self._contradictions(content):
            raise ContentError(*mistake)
        return content


E = TypeVar("E", bound="Identified")


class ScenarioContent(Generic[E]):
    """What is printed in a game with several scenarios."""

    ruleset: ClassVar[str]
    """The id of the ruleset, for messages."""
    scenarios: Mapping[str, E]

    def scenario(self, scenario_id: str) -> E:
        """A scenario by its id."""
        try:
            return self.scenarios[scenario_id]
        except KeyError:
            raise UnknownName(f"scenario of {self.ruleset}", scenario_id, self.scenarios) from None


def provenance_of(read: Mapping[str, Any]) -> dict[str, Mapping[str, str]]:
    """File -> what in it is fact, found, derived and reconstructed."""
    return {name: file.provenance for name, file in read.items()}


class _Kept(Generic[M]):
    """What was found in a file, kept for the next process: building the models that check it takes longest.

    Args:
        file: the file.
        model: what it is checked by.
    """

    def __init__(self, file: TextSource, model: type[M]) -> None:
        self._file, self._model = file, model

    def recall(self) -> M | None:
        """What an earlier process found in the file as it is now."""
        try:
            found = _built(cache.recall(*self._names))
        except (AttributeError, ContentError, KeyError, OSError, TypeError, ValueError):
            return None
        return found if isinstance(found, self._model) else None

    def keep(self, made: Content) -> None:
        """Keep what was found in it."""
        with suppress(AttributeError, KeyError):  # a class in a function, or of a module that has no file, is not found again
            if _built(tree := _tree(made)) == made:
                cache.keep(*self._names, tree)

    @functools.cached_property
    def _names(self) -> tuple[str, str]:
        kind = f"{self._model.__module__}.{self._model.__qualname__}"
        text, code = read_text(self._file), _code(cast("Any", self._model))
        return f"content-{cache.fingerprint(str(self._file), kind)}", cache.fingerprint(text, code)


@functools.cache
def _code(model: Any) -> str:
    """What changes when a model does, or one that it is made of: those are in its package, or here."""
    return cache.code(*{sys.modules[cls.__module__] for cls in model.__mro__ if issubclass(cls, Content)})


def _tree(value: Any) -> Any:
    """Content as plain values: a model is a triple, and a tuple a list in a tuple."""
    if isinstance(value, Content):
        return type(value).__module__, type(value).__qualname__, each(_tree, dict(value))
    return (each(_tree, [*value]),) if isinstance(value, tuple) else each(_tree, value)


def _built(tree: Any) -> Any:
    """Content from plain values, which were checked before they were kept."""
    if isinstance(tree, dict):
        return {name: _built(item) for name, item in tree.items()}
    if isinstance(tree, list):
        return [_built(item) for item in tree]
    if not isinstance(tree, tuple):
        return tree
    if len(tree) == 1:
        return tuple(map(_built, tree[0]))
    module, name, fields = tree
    cls = getattr(sys.modules[module], name)
    if not issubclass(cls, Content):
        raise TypeError(f"{name} is no content")
    return restored(cls, _built(fields))


class Identified(Protocol):
    """An entry of a content file that has an id."""

    @property
    def id(self) -> str:
        """The id."""
        ...


def by_id(file: str, entries: Iterable[E]) -> dict[str, E]:
    """The entries of a file by their ids.

    Args:
        file: the name that an error gives.
        entries: they.

    Raises:
        ContentError: two have the same id.
    """
    found: dict[str, E] = {}
    for entry in entries:
        if entry.id in found:
            raise ContentError(file, entry.id, f"two {type(entry).__name__.removesuffix('Entry').lower()}s have the same id")
        found[entry.id] = entry
    return found


def _where(path: tuple[int | str, ...], data: object) -> str:
    """A key path in which list entries go by their id rather than by their number."""
    words: list[str] = []
    for part in path:
        try:
            data = data[part]  # type: ignore[index]
        except (KeyError, IndexError, TypeError):
            data = None
        name = data.get("id") if isinstance(data, dict) else None
        words.append(str(name) if isinstance(part, int) and name else str(part))
    return ".".join(words)
