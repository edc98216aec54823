"""Where games are kept: what was agreed when each began, and every entry of its history, one row an entry."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Callable
from os import PathLike
from typing import Any, NamedTuple, Protocol

from hexwar.errors import HexwarError


class Taken(HexwarError):
    """Another entry has this number: somebody else was faster."""


class NotKept(HexwarError):
    """The store does not work: a full disk, a database that is away. Nothing was done."""


class Kept(NamedTuple):
    """A game in a list of games."""

    game: str
    head: dict[str, Any]
    """What was agreed, without the save that it began with."""
    last: dict[str, Any]
    """The latest entry; empty if there is none."""


class Store(Protocol):
    """What a server needs of a place to keep games; several servers may share one. Any of it may raise `NotKept`."""

    def begin(self, game: str, head: dict[str, Any]) -> None:
        """Keep a new game.

        Raises:
            Taken: there is one with this name.
        """
        ...  # pragma: no cover

    def append(self, game: str, number: int, entry: dict[str, Any]) -> None:
        """Keep the next entry of a game; when this returns, it survives a crash.

        Raises:
            Taken: there is one with this number.
        """
        ...  # pragma: no cover

    def load(self, game: str, since: int = 0) -> tuple[dict[str, Any], list[dict[str, Any]]] | None:
        """What was agreed, and the entries from a number on; None if there is no such game."""
        ...  # pragma: no cover

    def agree(self, game: str, was: dict[str, Any], now: dict[str, Any]) -> None:
        """Replace what was agreed: other keys open the game from now on. Other processes hear of it as of an entry.

        Raises:
            Taken: something else is agreed by now than what it was.
        """
        ...  # pragma: no cover

    def games(self, *keys: str) -> list[Kept]:
        """The games that one of some keys opens (its digest is among the keys of the head), or all; the latest first."""
        ...  # pragma: no cover

    def remember(self, game: str, what: str, text: str) -> None:
        """Keep a text beside a game, such as a player's notes, in place of an earlier one."""
        ...  # pragma: no cover

    def recall(self, game: str, what: str) -> str:
        """Such a text; "" if there is none."""
        ...  # pragma: no cover

    def listen(self, heard: Callable[[str], None]) -> None:
        """From now on, call back with the name of each game to which another process adds an entry, in any thread.

        With "" if it may be any.
        """
        ...  # pragma: no cover


class SqliteStore:
    """Games in one file, for one server.

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
                "create table if not exists texts (game text, what text, text text not null, primary key (game, what));"
            )
        except sqlite3.Error as error:
            raise HexwarError(f"{path}: games cannot be kept there: {error}") from None
        self._alone = threading.Lock()

    def _ask(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with self._alone:
            try:
                return self._database.execute(query, values).fetchall()
            except sqlite3.IntegrityError:
                raise Taken("this is there already") from None
            except sqlite3.Error as error:
                raise NotKept(f"games cannot be kept at the moment: {error}") from None

    def begin(self, game: str, head: dict[str, Any]) -> None:
        """Keep a new game."""
        self._ask("insert into games values (?, ?)", game, json.dumps(head))

    def append(self, game: str, number: int, entry: dict[str, Any]) -> None:
        """Keep the next entry of a game."""
        self._ask("insert into entries values (?, ?, ?)", game, number, json.dumps(entry))

    def load(self, game: str, since: int = 0) -> tuple[dict[str, Any], list[dict[str, Any]]] | None:
        """What was agreed, and the entries from a number on."""
        found = self._ask("select head from games where game = ?", game)
        rows = self._ask("select entry from entries where game = ? and number >= ? order by number", game, since)
        return (json.loads(found[0][0]), [json.loads(entry) for (entry,) in rows]) if found else None

    def agree(self, game: str, was: dict[str, Any], now: dict[str, Any]) -> None:
        """Replace what was agreed."""
        changed = "update games set head = ? where game = ? and head = ? returning 1"
        if not self._ask(changed, json.dumps(now), game, json.dumps(was)):
            raise Taken("something else is agreed by now")

    def games(self, *keys: str) -> list[Kept]:
        """The games that one of some keys opens, all without keys, the latest first."""
        opened = "exists (select 1 from json_each(head, '$.keys') where key in (select value from json_each(?)))"
        rows = self._ask(
            "select games.game, json_remove(head, '$.start'), entry from games left join entries on"
            " entries.game = games.game and number = (select max(number) from entries where game = games.game)"
            f" {f'where {opened}' if keys else ''} order by games.rowid desc",
            *([json.dumps(keys)] if keys else []),
        )
        return [Kept(game, json.loads(head), json.loads(entry or "{}")) for game, head, entry in rows]

    def remember(self, game: str, what: str, text: str) -> None:
        """Keep a text beside a game."""
        self._ask("insert or replace into texts values (?, ?, ?)", game, what, text)

    def recall(self, game: str, what: str) -> str:
        """Such a text."""
        found = self._ask("select text from texts where game = ? and what = ?", game, what)
        return str(found[0][0]) if found else ""

    def listen(self, heard: Callable[[str], None]) -> None:
        """Nothing to hear: one process has the file."""
