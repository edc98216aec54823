"""The tables of docs/formats.md, made from the classes that read the files: `python -m tests.docs.formats_page`."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import itertools
import textwrap
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any

from pydantic import BaseModel

from hexwar.board import _mapfile as maps
from hexwar.engine import Clause
from hexwar.engine._save import Checkpoint, SavedDecision, SavedGame, SavedPart
from hexwar.mechanics import ChartFile
from hexwar.pieces import Content
from hexwar.pieces import _content as content
from hexwar.pieces._checked import model_of
from hexwar.studies import Moment, Outcome
from hexwar.testing._checks.corpus import KnownGame
from hexwar.testing._reports.folders import Note
from tests.docs.tables import DOCS, arguments, put, sentence, table

PAGE = DOCS / "formats.md"
HEADS = ["key", "type", "if not given", "what"]


def attribute_docs(cls: type) -> dict[str, str]:
    """Field -> the text below it, in a class and its bases."""
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(base)))
        except (OSError, TypeError):
            continue
        body = tree.body[0].body if isinstance(tree.body[0], ast.ClassDef) else []
        for above, below in itertools.pairwise(body):
            if isinstance(above, ast.AnnAssign) and isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
                found[ast.unparse(above.target)] = sentence(str(below.value.value)).rstrip(".")
    return found


def said(hint: Any, *, many: bool = False) -> str:
    """A type in words, for people who write files and no Python."""
    words = {str: "text", int: "whole number", float: "number", bool: "true or false", Any: "anything"}
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if hint in words:
        return words[hint] + ("s" if many and hint in (str, int, float) else "")
    if origin is typing.Annotated:
        return said(inside[0], many=many)
    if origin is typing.Literal:
        return " or ".join(f"`{it}`" for it in inside)
    if origin in (typing.Union, types.UnionType):
        return " or ".join(dict.fromkeys(said(it, many=many) for it in inside if it is not type(None)))
    lists = "lists" if many else "list"
    if origin in (list, tuple, Sequence):
        number = f"{len(inside)} " if origin is tuple and ... not in inside else ""
        return f"{lists} of {number}{said(inside[0], many=True)}"
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return " or ".join(f"`{it}`" for it in hint)
    tables = "tables" if many else "table"
    if origin in (dict, Mapping):
        value = said(inside[1], many=True)
        return tables if value == "anything" else f"{tables} of {value}"
    return tables


def _default(value: Any) -> str:
    if value is None or value == "":
        return "nothing"
    if value == [] or value == {} or value == ():
        return "none"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _small(text: str) -> str:
    """A text as it stands in a table: a small letter first, unless it is a name, and no full stop."""
    first, _, _ = text.partition(" ")
    keep = not first[1:].islower() or text[:1].isdigit() or first in ("Soviet", "Mechanized")
    return text.rstrip(".") if keep and len(first) > 1 else (text[:1].lower() + text[1:]).rstrip(".")


def model_rows(model: type[BaseModel]) -> list[list[str]]:
    """The keys of a model of pydantic."""
    home = getattr(model, "__content__", model)
    said_above = {name: what for base in reversed(home.__mro__) for name, what in arguments(base.__doc__).items()}
    below = said_above | attribute_docs(home)
    rows = []
    for name, field in model.model_fields.items():
        default = "" if field.is_required() else _default(field.get_default(call_default_factory=True))
        if isinstance(field.default, BaseModel):
            default = "none"
        table_of = next((sentence(part.__doc__) for part in _models(field.annotation)), "")
        what = field.description or below.get(name) or table_of
        rows.append([f"`{field.alias or name}`", said(field.annotation), default, _small(what)])
    return rows


def inside(model: type[BaseModel]) -> Iterator[tuple[str, type[BaseModel]]]:
    """The key and the model of every table inside a table, at any depth."""
    for name, field in model.model_fields.items():
        for part in _models(field.annotation):
            yield field.alias or name, part
            yield from inside(part)


def _models(hint: Any) -> Iterator[type[BaseModel]]:
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        yield hint
    elif isinstance(hint, type) and issubclass(hint, Content):
        yield model_of(hint)
    for part in typing.get_args(hint):
        yield from _models(part)


def model(cls: Any, *, without: tuple[type[BaseModel], ...] = ()) -> str:
    """A file and what is inside it, each as a table."""
    top: type[BaseModel] = model_of(cls) if issubclass(cls, Content) else cls
    told, parts = {top, *without}, [sentence(top.__doc__), table(HEADS, model_rows(top))]
    for key, part in inside(top):
        if part not in told:
            told.add(part)
            parts += [f"In **`{key}`**: {sentence(part.__doc__)}", table(HEADS, model_rows(part))]
    return "\n\n".join(parts)


def record(cls: Any, *, without: tuple[str, ...] = ()) -> str:
    """A dataclass whose docstring says what its fields are."""
    words, rows, hints = arguments(cls.__doc__), [], typing.get_type_hints(cls)
    for field in dataclasses.fields(cls):
        if field.name not in without:
            make = field.default_factory
            default = field.default if make is dataclasses.MISSING else make()
            needed = default is dataclasses.MISSING
            told = "" if needed else _default(default)
            rows.append([f"`{field.name}`", said(hints[field.name]), told, words[field.name].rstrip(".")])
    return table(HEADS, rows)


def _scenario(module: str, name: str) -> str:
    return model(getattr(__import__(module, fromlist=[name]), name))


SHARED = (maps.HexPart, maps.PlacePart)
TABLES: dict[str, Callable[[], str]] = {
    "save": lambda: model(SavedGame, without=(SavedDecision, Checkpoint)),
    "decision": lambda: table(HEADS, model_rows(SavedDecision)),
    "checkpoint": lambda: table(HEADS, model_rows(Checkpoint)),
    "line": lambda: table(HEADS, model_rows(SavedPart)),
    "map": lambda: model(maps.MapFile),
    "board": lambda: model(maps.BoardFile, without=SHARED),
    "areas": lambda: model(maps.AreasFile),
    "plane": lambda: model(maps.PlaneFile),
    "corrections": lambda: model(maps.OverridesFile, without=SHARED),
    "roster": lambda: model(content.RosterFile),
    "terrain": lambda: model(ChartFile),
    "combat": lambda: model(content.CombatFile),
    "scenario-bridgehead": lambda: _scenario("hexwar_bridgehead.content", "BridgeheadScenario"),
    "scenario-ava": lambda: _scenario("hexwar_ava.tables", "ScenarioFile"),
    "scenario-tow": lambda: _scenario("hexwar_tow.tables", "ScenarioFile"),
    "scenario-wop": lambda: _scenario("hexwar_wop.content", "ScenarioFile"),
    "rules": lambda: record(Clause),
    "outcome": lambda: record(Outcome, without=("seconds",)),
    "moment": lambda: record(Moment),
    "known": lambda: record(KnownGame),
    "note": lambda: record(Note),
}


def written(page: str) -> str:
    """The page with its tables."""
    for name, make in TABLES.items():
        page = put(page, name, make())
    return page


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
