"""From a file to checked keys: reading, TOML, shapes. Every failure is one sentence that says where.

A source is a path, a package resource, or the TOML text itself (a string with a line break in it).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

from hexwar.errors import ContentError, UnknownName
from hexwar.files import Source, parse_toml, read_toml

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic_core import ErrorDetails

    from hexwar.board._mapfile import AreasFile, BoardFile, MapFile, OverridesFile, PlaneFile

F = TypeVar("F", bound="BaseModel")

_SENTENCES: Final = {
    "missing": "this key is missing",
    "literal_error": "expected {expected}, not {found!r}",
    "bool_type": "expected true or false, not {plain}",
    "dict_type": "expected a table, not {plain}",
    "int_type": "expected a whole number, not {plain}",
    "list_type": "expected a list, not {plain}",
    "model_type": "expected a table, not {plain}",
    "string_type": "expected a string in quotes, not {plain}",
    "greater_than_equal": "expected at least {ge}, not {found}",
    "less_than_equal": "expected at most {le}, not {found}",
    "string_too_long": "is too long: at most {max_length} characters are allowed",
    "string_too_short": "is empty",
    "too_long": "has {actual_length} entries; at most {max_length} are allowed",
    "too_short": "has too few entries: {actual_length}, and at least {min_length} must be there",
}
"""What pydantic calls a mistake -> what a message says."""


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
    table = parse_toml(source, name) if isinstance(source, str) and "\n" in source else read_toml(source, name)
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


def _where(path: tuple[int | str, ...]) -> str:
    """A key path for people: ``place #3 hex`` is the key ``hex`` of the third ``[[place]]``."""
    # A bad key is reported with a marker behind it; a property's value once for each type that was tried.
    words = [part for part in (path[:4] if _in_properties(path) else path) if part != "[key]"]
    return " ".join(f"#{part + 1}" if isinstance(part, int) else part for part in words)


def _mistake(detail: ErrorDetails, model: type[Any]) -> str:
    from hexwar.board._mapfile import HINTS

    kind, context, path, found = detail["type"], detail.get("ctx", {}), detail["loc"], detail["input"]
    if kind == "extra_forbidden":
        return str(UnknownName("key", path[-1], _keys(model, path[:-1])))
    if kind == "string_pattern_mismatch":
        return f"{found!r} does not fit; {HINTS[context['pattern']]}"
    if _in_properties(path):
        return f"expected a string, a number, true or false, or a list of strings, not {_plain(found)}"
    if kind in _SENTENCES:
        return _SENTENCES[kind].format(found=found, plain=_plain(found), **context)
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
