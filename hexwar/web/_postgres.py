"""Games in a PostgreSQL database, which several servers share. Needs the extra `postgres`."""

from __future__ import annotations

import contextlib
import json
import secrets
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

from hexwar.errors import HexwarError
from hexwar.web._store import AGREED, PATIENCE, Kept, NotKept, Taken, parsed_entries, parsed_game, parsed_row

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
HEARTBEAT = 20.0
"""Seconds after which a server that hears nothing asks whether the database is still there."""
PAUSE = 2.0
"""Seconds for which a database that hangs is not asked again: meanwhile players get an answer at once."""
TIMES = {
    "connect_timeout": int(PATIENCE) - 1,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": int(PATIENCE * 1000),
}
"""When a connection is given up, unless the address says something else; a statement is given up by the database before that."""


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
        self._asked: dict[psycopg.Connection[Any], float] = {}  # those that wait for an answer, and since when
        self._rests = 0.0  # until when the database is not asked, because it hung
        self._closed = threading.Event()
        try:
            self._connection = self._connect()
            with self._connection.transaction():
                self._connection.execute(TABLES)
        except psycopg.Error as error:
            raise HexwarError(f"games cannot be kept in that database: {error}") from None
        threading.Thread(target=self._watch, name="database", daemon=True).start()

    def _connect(self) -> psycopg.Connection[tuple[Any, ...]]:
        given = conninfo_to_dict(self._address)
        options = f"{given.get('options', '')} -c synchronous_commit=on -c statement_timeout={int(PATIENCE - 1)}s"
        settings: dict[str, Any] = {**TIMES, **given, "client_encoding": "utf8", "options": options}
        return psycopg.connect(autocommit=True, **settings)

    def close(self) -> None:
        """Give the connection back."""
        self._closed.set()
        self._connection.close()

    def _watch(self) -> None:
        """Cut the connection if an answer does not come: a database that hangs does not end its statements itself."""
        while not self._closed.wait(PATIENCE / 10):
            late = [it for it, since in list(self._asked.items()) if time.monotonic() - since > PATIENCE]
            for connection in late:
                with contextlib.suppress(OSError, psycopg.Error):
                    copy = socket.fromfd(connection.fileno(), socket.AF_INET, socket.SOCK_STREAM)
                    with copy:  # closing this one leaves the connection to its owner, and shutting it down wakes them
                        copy.shutdown(socket.SHUT_RDWR)

    def _answer(self, connection: psycopg.Connection[Any], query: str, *values: object) -> list[tuple[Any, ...]]:
        """What the database answers, or an error of psycopg after `PATIENCE` at the latest."""
        self._asked[connection] = time.monotonic()
        try:
            asked = connection.execute(query.encode(), values)
            return asked.fetchall() if asked.description else []
        finally:
            del self._asked[connection]

    def _ask(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        if not self._alone.acquire(timeout=0 if self._rests else PATIENCE):
            raise NotKept
        began = time.monotonic()
        try:
            if began < self._rests or self._closed.is_set():
                raise NotKept
            if self._connection.closed:
                self._connection = self._connect()
            rows = self._answer(self._connection, query, *values)
        except psycopg.errors.UniqueViolation:
            self._rests = 0.0
            raise Taken("this is there already") from None
        except psycopg.Error as error:
            waited = time.monotonic() - began
            self._rests = time.monotonic() + PAUSE if waited > PATIENCE / 2 else 0.0
            raise NotKept(error) from None
        else:
            self._rests = 0.0
            return rows
        finally:
            self._alone.release()

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
        return {**parsed_row(found[0][0], AGREED), "start": found[0][1]} if found else None

    def agreed(self, game: str) -> dict[str, Any] | None:
        """What is agreed now, without the save that the game began with."""
        found = self._ask("select head from games where game = %s", game)
        return parsed_row(found[0][0], AGREED) if found else None

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
        """Keep a string beside a game."""
        self._ask(
            "insert into texts values (%s, %s, %s) on conflict (game, what) do update set text = excluded.text returning 1",
            game,
            what,
            text,
        )

    def recall(self, game: str, what: str) -> str:
        """Such a string."""
        found = self._ask("select text from texts where game = %s and what = %s", game, what)
        return str(found[0][0]) if found else ""

    def listen(self, heard: Callable[[str], None]) -> None:
        """Call back whenever another server goes on with a game."""
        threading.Thread(target=self._hear, args=(heard,), name="listen", daemon=True).start()

    def _hear(self, heard: Callable[[str], None]) -> None:
        while not self._closed.is_set():
            try:
                with self._connect() as connection:
                    self._answer(connection, f"listen {CHANNEL}")
                    heard("")  # what others did before or while the connection was away
                    while not self._closed.is_set():
                        for notice in connection.notifies(timeout=HEARTBEAT):
                            name, _, game = notice.payload.partition(" ")
                            if name != self._name:
                                heard(game)
                        self._answer(connection, "select 1")  # who only listens never learns that the line is dead
            except psycopg.Error:
                self._closed.wait(1)


def _agreed(head: dict[str, Any]) -> str:
    """What the column of the head has: the save with which a game began is in a column of its own."""
    return json.dumps({key: value for key, value in head.items() if key != "start"})
