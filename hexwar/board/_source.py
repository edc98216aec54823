"""From a file to checked keys: reading, TOML, shapes. Every failure is one sentence that says where.

Map files come from anywhere, so nothing is read before its size is known and nothing of a file is ever run.
"""

from __future__ import annotations

import os
import re
import tomllib
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from hexwar.errors import ContentError, UnknownName

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic_core import ErrorDetails

    from hexwar.board._mapfile import AreasFile, BoardFile, MapFile, OverridesFile, PlaneFile

Source: TypeAlias = str | os.PathLike[str] | Traversable
"""A map file: a path, a package resource, or the TOML text itself (a string with a line break in it)."""

F = TypeVar("F", bound="BaseModel")

MAX_BYTES: Final = 4_000_000
"""The largest file that is read: about twenty times a campaign map."""

_POSITION: Final = re.compile(r"^(?P<mistake>.*?) \((?:at )?(?P<where>line \d+, column \d+|end of document)\)$", re.DOTALL)

_EXPECTED: Final = {
    "bool_type": "true or false",
    "dict_type": "a table",
    "int_type": "a whole number",
    "list_type": "a list",
    "model_type": "a table",
    "string_type": "a text in quotes",
}

_BOUNDS: Final = {
    "greater_than_equal": "expected at least {ge}, not {found}",
    "less_than_equal": "expected at most {le}, not {found}",
    "string_too_long": "is too long: at most {max_length} characters are allowed",
    "string_too_short": "is empty",
    "too_long": "has {actual_length} entries; at most {max_length} are allowed",
    "too_short": "is empty; at least {min_length} entry is needed",
}


def name_of(source: Source) -> str:
    """What to call a source in a message."""
    if isinstance(source, str):
        return "map text" if "\n" in source else source
    return str(source)


def read_keys(source: Source) -> MapFile | BoardFile | AreasFile | PlaneFile:
    """The keys of a map or board file, all of the right shape.

    Raises:
        ContentError: if the file cannot be read, is too large, is not TOML, or has wrong keys.
    """
    from hexwar.board._mapfile import AreasFile, BoardFile, MapFile, PlaneFile

    name, table = name_of(source), _table(source)
    if "sheet" in table and "grid" in table:
        raise ContentError(name, "sheet", "a file has either a [grid] (one sheet) or [[sheet]] entries (a board), not both")
    kinds: dict[str, type[MapFile | BoardFile | AreasFile | PlaneFile]] = {
        "hexes": BoardFile if "sheet" in table else MapFile,
        "areas": AreasFile,
        "plane": PlaneFile,
    }
    kind = str(table.get("kind", "hexes"))
    if kind not in kinds:
        raise ContentError(name, "kind", str(UnknownName("kind of board", kind, kinds)))
    return _validated(name, table, kinds[kind])


def read_overrides(source: Source) -> OverridesFile:
    """The keys of an overrides file, all of the right shape.

    Raises:
        ContentError: as for a map file.
    """
    from hexwar.board._mapfile import OverridesFile

    return _validated(name_of(source), _table(source), OverridesFile)


def _table(source: Source) -> dict[str, Any]:
    from hexwar.board._mapfile import FORMAT

    name = name_of(source)
    table = _parse(name, _read(name, source))
    version = table.get("format")
    if type(version) is not int or version != FORMAT:
        found = "is missing" if version is None else f"is {version!r}"
        raise ContentError(name, "format", f"the version of the format {found}; this hexwar reads format = {FORMAT}")
    return table


def _validated(name: str, table: dict[str, Any], model: type[F]) -> F:
    """A table as a model; the first mistake as a sentence, with the number of further ones."""
    from pydantic import ValidationError

    try:
        return model.model_validate(table)
    except ValidationError as error:
        details = error.errors(include_url=False)
        places = list(dict.fromkeys(_where(detail["loc"]) for detail in details))
        more = "" if len(places) == 1 else f" (and {len(places) - 1} more)"
        raise ContentError(name, places[0], _mistake(details[0], model) + more) from None


def _read(name: str, source: Source) -> bytes:
    if isinstance(source, str) and "\n" in source:
        data = source.encode()
    else:
        opened = Path(source) if isinstance(source, (str, os.PathLike)) else source
        try:
            with opened.open("rb") as file:
                data = file.read(MAX_BYTES + 1)
        except OSError as error:
            raise ContentError(name, "", f"cannot be read: {(error.strerror or str(error)).lower()}") from None
    if len(data) > MAX_BYTES:
        raise ContentError(name, "", f"is larger than {MAX_BYTES // 1_000_000} MB, which no map needs")
    return data


def _parse(name: str, data: bytes) -> dict[str, Any]:
    try:
        return tomllib.loads(data.decode())
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ContentError(name, f"line {line}", "is not UTF-8 text") from None
    except RecursionError:
        raise ContentError(name, "", "is not usable TOML: its values are nested too deeply") from None
    except ValueError as error:
        found = _POSITION.match(str(error))
        # Without a position it comes from int(), which refuses to spend its time on thousands of digits.
        where, mistake = (found["where"], found["mistake"]) if found else ("", "a number has too many digits")
        raise ContentError(name, where, f"is not valid TOML: {mistake[:1].lower()}{mistake[1:]}") from None


def _where(path: tuple[int | str, ...]) -> str:
    """A key path for people: ``place #3 hex`` is the key ``hex`` of the third ``[[place]]``."""
    # A bad key is reported with a marker behind it; a property's value once for each type that was tried.
    words = [part for part in (path[:4] if _in_properties(path) else path) if part != "[key]"]
    return " ".join(f"#{part + 1}" if isinstance(part, int) else part for part in words)


def _mistake(detail: ErrorDetails, model: type[Any]) -> str:
    from hexwar.board._mapfile import HINTS

    kind, context, path = detail["type"], detail.get("ctx", {}), detail["loc"]
    if kind == "missing":
        return "this key is missing"
    if kind == "extra_forbidden":
        return str(UnknownName("key", path[-1], _keys(model, path[:-1])))
    if kind == "literal_error":
        return f"expected {context['expected']}, not {detail['input']!r}"
    if kind == "string_pattern_mismatch":
        return f"{detail['input']!r} does not fit; {HINTS[context['pattern']]}"
    if kind in _BOUNDS:
        return _BOUNDS[kind].format(found=detail["input"], **context)
    if _in_properties(path):
        return f"expected a text, a number, true or false, or a list of texts, not {_plain(detail['input'])}"
    if kind in _EXPECTED:
        return f"expected {_EXPECTED[kind]}, not {_plain(detail['input'])}"
    return f"{detail['msg'][:1].lower()}{detail['msg'][1:]}"


def _in_properties(path: tuple[int | str, ...]) -> bool:
    return len(path) > 3 and path[0] == "hex" and path[2] == "properties" and path[-1] != "[key]"


def _plain(value: object) -> str:
    """A value as a message shows it: short, and in the words of TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str | int | float):
        text = repr(value)
        return text if len(text) <= 40 else f"{text[:37]}..."
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    return "a date or time"


def _keys(model: type[Any], path: tuple[int | str, ...]) -> list[str]:
    """The keys that are known where an unknown one was found."""
    for part in path:
        if isinstance(part, str):
            annotation = model.model_fields[part].annotation
            inner = getattr(annotation, "__args__", (annotation,))
            model = inner[0]
    return list(model.model_fields)
