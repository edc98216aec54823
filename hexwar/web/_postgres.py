"""Games in a PostgreSQL database, which several servers share. Needs the extra `postgres`."""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Callable
from typing import Any

import psycopg

from hexwar.errors import HexwarError
from hexwar.web._store import Kept, NotKept, Taken, parsed_entries, parsed_game, parsed_row

TABLES = """
select pg_advisory_xact_lock(hashtext('hexwar'));
create table if not exists games (
    id bigserial, game text primary key, head text not null, start text not null, keys text[] not null
);
create index if not exists games_keys on games using gin (keys);
create table if not exists entries (game text, number integer, entry text not null, primary key (game, number));
create table if not exists texts (game text, what text, text text not null, primary key (game, what));
"""
CHANNEL = "hexwar"


class PostgresStore:
    """Games in a database, for any number of servers.

    Args:
        address: such as "postgresql://user@machine/database".
    """

    shared = True

    def __init__(self, address: str) -> None:
        self._address = address
        self._name = secrets.token_hex(4)  # to tell what this process wrote from what others did
        self._alone = threading.Lock()
        try:
            self._connection = self._connect()
            with self._connection.transaction():
                self._connection.execute(TABLES)
        except psycopg.Error as error:
            raise HexwarError(f"games cannot be kept in that database: {error}") from None

    def _connect(self) -> psycopg.Connection[tuple[Any, ...]]:
        return psycopg.connect(self._address, autocommit=True, client_encoding="utf8", options="-c synchronous_commit=on")

    def close(self) -> None:
        """Give the connection back."""
        self._connection.close()

    def _ask(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with self._alone:
            try:
                if self._connection.closed:
                    self._connection = self._connect()
                return self._connection.execute(query.encode(), values).fetchall()
            except psycopg.errors.UniqueViolation:
                raise Taken("this is there already") from None
            except psycopg.Error as error:
                raise NotKept(error) from None

    def begin(self, game: str, head: dict[str, Any]) -> None:
        """Keep a new game."""
        row = game, _agreed(head), head["start"], list(head["keys"])
        self._ask("insert into games (game, head, start, keys) values (%s, %s, %s, %s) returning 1", *row)

    def append(self, game: str, number: int, entry: dict[str, Any]) -> None:
        """Keep the next entry of a game, and tell the other servers."""
        self._ask(
            "with added as (insert into entries values (%s, %s, %s) returning game)"
            f" select pg_notify('{CHANNEL}', %s || ' ' || game) from added",
            game,
            number,
            json.dumps(entry),
            self._name,
        )

    def load(self, game: str) -> dict[str, Any] | None:
        """What was agreed."""
        found = self._ask("select head, start from games where game = %s", game)
        return {**parsed_row(found[0][0], "what was agreed when it began"), "start": found[0][1]} if found else None

    def entries(self, game: str, since: int = 0) -> list[dict[str, Any]]:
        """The entries of a game from a number on."""
        query = "select number, entry from entries where game = %s and number >= %s order by number"
        return parsed_entries(self._ask(query, game, since), since)

    def agree(self, game: str, was: dict[str, Any], now: dict[str, Any]) -> None:
        """Replace what was agreed, and tell the other servers."""
        changed = self._ask(
            "with changed as (update games set head = %s, keys = %s where game = %s and head = %s returning game)"
            f" select pg_notify('{CHANNEL}', %s || ' ' || game) from changed",
            _agreed(now),
            list(now["keys"]),
            game,
            _agreed(was),
            self._name,
        )
        if not changed:
            raise Taken("something else is agreed by now")

    def games(self, *keys: str) -> list[Kept]:
        """The games that one of some keys opens, all without keys, the latest first."""
        rows = self._ask(
            "select games.game, head, entry from games left join lateral (select entry from entries"
            " where game = games.game order by number desc limit 1) last on true"
            f" {'where keys && %s' if keys else ''} order by id desc",
            *([list(keys)] if keys else []),
        )
        return [parsed_game(*row) for row in rows]

    def remember(self, game: str, what: str, text: str) -> None:
        """Keep a text beside a game."""
        self._ask(
            "insert into texts values (%s, %s, %s) on conflict (game, what) do update set text = excluded.text returning 1",
            game,
            what,
            text,
        )

    def recall(self, game: str, what: str) -> str:
        """Such a text."""
        found = self._ask("select text from texts where game = %s and what = %s", game, what)
        return str(found[0][0]) if found else ""

    def listen(self, heard: Callable[[str], None]) -> None:
        """Call back whenever another server goes on with a game."""
        threading.Thread(target=self._hear, args=(heard,), name="listen", daemon=True).start()

    def _hear(self, heard: Callable[[str], None]) -> None:
        while True:
            try:
                with self._connect() as connection:
                    connection.execute(f"listen {CHANNEL}".encode())
                    heard("")  # what others did before or while the connection was away
                    for notice in connection.notifies():
                        name, _, game = notice.payload.partition(" ")
                        if name != self._name:
                            heard(game)
            except psycopg.Error:
                time.sleep(1)


def _agreed(head: dict[str, Any]) -> str:
    """What the column of the head has: the save with which a game began is in a column of its own."""
    return json.dumps({key: value for key, value in head.items() if key != "start"})
