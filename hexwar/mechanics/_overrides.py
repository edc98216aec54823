"""Content files that an owner of a game puts in place of the bundled ones: they correct what is reconstructed, without code."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from hexwar.errors import ContentError, HexwarError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


def override_folder(overrides: str | os.PathLike[str] | None, *, variable: str, files: Sequence[str], title: str) -> Path | None:
    """The folder of replacements, if there is one.

    Args:
        overrides: the folder; if it is None, the environment variable names it.
        variable: the name of that variable.
        files: what can be replaced.
        title: the name of the game, for the message on a file that replaces nothing.

    Raises:
        HexwarError: if it is no folder.
        ContentError: if a file in it replaces nothing.
    """
    named = os.environ.get(variable) if overrides is None else overrides
    if not named:
        return None
    folder = Path(named)
    if not folder.is_dir():
        who = variable if overrides is None else "the folder of replacements"
        raise HexwarError(f"{who} names {folder}, which is no folder")
    for file in sorted(folder.glob("*.toml")):
        if file.name not in files:
            raise ContentError(str(file), "", f"replaces nothing; the files of {title} are {', '.join(files)}")
    return folder


def chosen_files(
    data: Traversable, files: Sequence[str], folder: Path | None
) -> tuple[dict[str, Path | Traversable], tuple[str, ...]]:
    """File -> where it is read from, and which of them are replaced."""
    replaced = tuple(name for name in files if folder is not None and (folder / name).is_file())
    return {name: folder / name if folder is not None and name in replaced else data / name for name in files}, replaced


@contextmanager
def blaming(sources: Mapping[str, Path | Traversable], replaced: Sequence[str]) -> Iterator[None]:
    """Reports a mistake in a replaced file with the full path of that file."""
    try:
        yield
    except ContentError as error:
        if error.source not in replaced:
            raise
        raise ContentError(str(sources[error.source]), error.where, error.mistake) from None
