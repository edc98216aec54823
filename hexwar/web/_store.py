"""Where games are kept: what was agreed when each began, and every entry of its history, one row an entry."""

from __future__ import annotations

import json
import sqlite3
import threading
from os import PathLike
from typing import Any, Protocol

from hexwar.errors import HexwarError


class Taken(HexwarError):
    """Another entry has this number: somebody else was faster."""


class Store(Protocol):
    """What a server needs of a place to keep games; several servers may share one."""

    def begin(self, game: str, head: dict[str, Any]) -> None:
        """Keep a new game."""
        ...  # pragma: no cover

    def append(self, game: str, number: int, entry: dict[str, Any]) -> None:
        """Keep the next entry of a game; when this returns, it survives a crash.

        Raises:
            Taken: there is one with this number.
        """
        ...  # pragma: no cover

    def load(self, game: str) -> tuple[dict[str, Any], list[dict[str, Any]]] | None:
        """What was agreed and the entries so far; None if there is no such game."""
        ...  # pragma: no cover

    def games(self) -> list[str]:
        """All games, the latest first."""
        ...  # pragma: no cover


class SqliteStore:
    """Games in one file.

    Args:
        path: of the file; ":memory:" for games that need not outlive the process.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        try:
            self._database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._database.executescript(
                "pragma journal_mode = wal; pragma synchronous = full;"
                "create table if not exists games (game text primary key, head text not null);"
                "create table if not exists entries (game text, number integer, entry text not null, primary key (game, number));"
            )
        except sqlite3.Error as error:
            raise HexwarError(f"{path}: games cannot be kept there: {error}") from None
        self._alone = threading.Lock()

    def begin(self, game: str, head: dict[str, Any]) -> None:
        """Keep a new game."""
        with self._alone:
            self._database.execute("insert into games values (?, ?)", (game, json.dumps(head)))

    def append(self, game: str, number: int, entry: dict[str, Any]) -> None:
        """Keep the next entry of a game."""
        with self._alone:
            try:
                self._database.execute("insert into entries values (?, ?, ?)", (game, number, json.dumps(entry)))
            except sqlite3.IntegrityError:
                raise Taken(f"entry {number} of this game is there already") from None

    def load(self, game: str) -> tuple[dict[str, Any], list[dict[str, Any]]] | None:
        """What was agreed and the entries so far."""
        with self._alone:
            found = self._database.execute("select head from games where game = ?", (game,)).fetchone()
            rows = self._database.execute("select entry from entries where game = ? order by number", (game,)).fetchall()
        return (json.loads(found[0]), [json.loads(row[0]) for row in rows]) if found else None

    def games(self) -> list[str]:
        """All games, the latest first."""
        with self._alone:
            return [row[0] for row in self._database.execute("select game from games order by rowid desc")]
