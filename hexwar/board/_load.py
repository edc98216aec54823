"""Loading map files. The parsers are imported on the first load, so that importing the package stays cheap."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from typing_extensions import TypeVar

from hexwar.board._board import Board
from hexwar.board._content import BoardContent
from hexwar.board._kinds import AnyBoard, AreaBoard, PlaneBoard
from hexwar.errors import ContentError, UnknownName
from hexwar.files import Source

B = TypeVar("B", bound=AnyBoard, default=Board)


def load_map(
    source: Source,
    resolve: Callable[[str], Source] | None = None,
    overrides: Iterable[Source] = (),
    *,
    others_allowed: bool = False,
    kind: type[B] = Board,  # type: ignore[assignment]  # B is that by default
) -> B:
    """A board from a map file, or from a board file that joins several sheets.

    Args:
        source: a path, a package resource, or the TOML text itself (a string with a line break in it).
        resolve: gives the source of a sheet by its map id; only a board file needs it.
        overrides: files with corrections, each for this map or for one of its sheets; later ones win.
        others_allowed: skip corrections of other maps instead of refusing them.
        kind: the kind of board that is wanted: `Board` (hexes), `AreaBoard`, `PlaneBoard`, or `AnyBoard`.

    Raises:
        ContentError: if anything in the files is wrong; it names the file, the place and the mistake.
    """
    from hexwar.board._kept import keep_content, kept_content

    files = [*overrides]
    can_keep = not files and issubclass(Board, kind) and not (isinstance(source, str) and "\n" in source)
    if can_keep and (known := kept_content(source, resolve)) is not None:
        return Board(known)  # type: ignore[return-value]  # which is of the wanted kind

    from hexwar.board import _mapfile
    from hexwar.board._features import corrected
    from hexwar.board._join import joined
    from hexwar.board._sheet import sheet_content
    from hexwar.board._source import name_of, read_keys, read_overrides

    name = name_of(source)
    keys = read_keys(source)
    others: dict[type, Any] = {_mapfile.AreasFile: AreaBoard, _mapfile.PlaneFile: PlaneBoard}
    made = others.get(type(keys), Board)
    if not issubclass(made, kind):
        raise ContentError(name, "kind", f"is a board of {made.kind}, and one of {kind.kind} is wanted here")
    if made is not Board:
        return made(keys, name)  # type: ignore[no-any-return]
    assert isinstance(keys, _mapfile.MapFile | _mapfile.BoardFile)
    waiting = [(name_of(file), read_overrides(file)) for file in files]

    def with_corrections(content: BoardContent) -> BoardContent:
        for file, corrections in waiting.copy():
            if corrections.id == content.id:
                waiting.remove((file, corrections))
                content = corrected(file, corrections, content)
        return content

    sheets: dict[str, Source] = {}

    def load_sheet(map_id: str) -> BoardContent:
        where = f"sheet {map_id}"
        if resolve is None:
            raise ContentError(name, where, "this board joins other maps, and nothing was given to find them with")
        try:
            found = sheets[map_id] = resolve(map_id)
        except UnknownName as error:
            raise ContentError(name, where, str(error)) from None
        sheet = read_keys(found)
        if isinstance(sheet, _mapfile.BoardFile):
            raise ContentError(name, where, "is itself a board of several sheets; name those sheets here instead")
        if not isinstance(sheet, _mapfile.MapFile):
            raise ContentError(name, where, "is no board of hexes")
        if sheet.id != map_id:
            raise ContentError(name, where, f"the map found for it calls itself {sheet.id}")
        return with_corrections(sheet_content(name_of(found), sheet))

    whole = joined(name, keys, load_sheet) if isinstance(keys, _mapfile.BoardFile) else sheet_content(name, keys)
    content = with_corrections(whole)
    if waiting and not others_allowed:
        file, unused = waiting[0]
        raise ContentError(file, "id", f"corrects {unused.id}, which is neither {content.id} nor one of its sheets")
    try:
        board = Board(content)
    except ValueError as error:
        raise ContentError(name, "", str(error)) from None
    if can_keep:
        keep_content(source, sheets, content)
    return board  # type: ignore[return-value]  # which is of the wanted kind: see above


def map_schema() -> dict[str, Any]:
    """The JSON schema of map files and board files, for editors that complete and check TOML."""
    from pydantic import TypeAdapter

    from hexwar.board._mapfile import AreasFile, BoardFile, MapFile, PlaneFile

    schema = TypeAdapter(MapFile | BoardFile | AreasFile | PlaneFile).json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "hexwar map file", **schema}
