"""A copy of a store, made while a server goes on with it."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from hexwar.errors import HexwarError
from hexwar.web._claims import create_private, give_name


def back_up(store: Path, copy: Path) -> int:
    """Copy all games of a file into another one, which appears whole or not at all and which only its owner can read.

    Args:
        store: the file; a server may be using it.
        copy: a file that is not there yet.

    Returns:
        How many games there are in it.

    Raises:
        HexwarError: there are no games in the file, there is such a copy, or it cannot be written.
    """
    if not store.is_file():
        raise HexwarError(f"{store}: there are no games to copy: no such file")
    if copy.exists() or copy.is_symlink():
        raise HexwarError(f"{copy}: is there already; a copy replaces nothing")
    draft = copy.with_name(f".{copy.name}.part")
    try:
        draft.unlink(missing_ok=True)  # what a crash left behind
        create_private(draft)
        games = _copied(store.resolve(), draft)
        give_name(draft, copy)
    except FileExistsError:
        raise HexwarError(f"{copy}: is there already; a copy replaces nothing") from None
    except OSError as error:
        raise HexwarError(f"{copy}: cannot be written: {(error.strerror or str(error)).lower()}") from None
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
    return games


def _copied(store: Path, draft: Path) -> int:
    try:
        with (
            contextlib.closing(sqlite3.connect(f"{store.as_uri()}?mode=rw", uri=True)) as source,
            contextlib.closing(sqlite3.connect(draft)) as target,
        ):
            source.execute("select game, head from games limit 1")
            source.backup(target)  # in one step: as the file is at one moment, while others go on writing
            target.execute("pragma journal_mode = delete")  # one file, whatever beside it is lost
            damage = [line for (line,) in target.execute("pragma quick_check(1)") if line != "ok"]
            if damage:
                raise HexwarError(f"{store}: is damaged, and so would be a copy: {damage[0]}")
            return int(target.execute("select count(*) from games").fetchone()[0])
    except sqlite3.Error as error:
        raise HexwarError(f"{store}: cannot be copied: {error}") from None
