"""Where games are kept: what was agreed when each began, and every entry of its history, one row an entry."""

from __future__ import annotations

import contextlib
import json
import logging
import sqlite3
import threading
from collections.abc import Callable, Iterable
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from hexwar.errors import HexwarError
from hexwar.web._claims import Claim, claim, create_private, make_private

log = logging.getLogger("hexwar.web")


class Taken(HexwarError):
    """Another entry has this number: another server was faster."""


class NotKept(HexwarError):
    """The store does not work: a full disk, a database that is away. Nothing was done, as far as anybody can know.

    Args:
        why: for the log of the server; a player need not know where the games are kept. "" if it is there already.
    """

    def __init__(self, why: object = "") -> None:
        super().__init__("games cannot be kept at the moment, and nothing was done: look again later")
        if why:
            log.warning("the store does not work: %s", str(why).strip())


AGREED = "what was agreed when it began"
"""What the head of a game is called in sentences."""
PATIENCE = 5.0
"""Seconds after which a store is given up."""


class Damaged(HexwarError):
    """What is kept of a game cannot be read.

    Args:
        what: of it.
    """

    def __init__(self, what: str) -> None:
        super().__init__(f"this game is damaged where the server keeps it and cannot be opened: {what}")


class Kept(NamedTuple):
    """A game in a list of games."""

    game: str
    head: dict[str, Any]
    """What was agreed, without the save that it began with."""
    last: dict[str, Any]
    """The latest entry; empty if there is none."""
    damage: str = ""
    """What of the two cannot be read, in which case it is empty; "" if all can."""


class Store(Protocol):
    """What a server needs of a place to keep games; several servers may share one. Any of it may raise `NotKept`."""

    shared: bool
    """Whether other processes may go on with the same games."""

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

    def load(self, game: str) -> dict[str, Any] | None:
        """What was agreed; None if there is no such game.

        Raises:
            Damaged: it cannot be read.
        """
        ...  # pragma: no cover

    def agreed(self, game: str) -> dict[str, Any] | None:
        """What is agreed now, as `load` returns it; the save that the game began with (`start`) may be left out.

        Raises:
            Damaged: it cannot be read.
        """
        ...  # pragma: no cover

    def entries(self, game: str, since: int = 0) -> list[dict[str, Any]]:
        """The entries of a game from a number on.

        Raises:
            Damaged: one of them cannot be read or is missing.
        """
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
        """Keep a string beside a game, such as a player's notes, in place of an earlier one."""
        ...  # pragma: no cover

    def recall(self, game: str, what: str) -> str:
        """Such a string; "" if there is none."""
        ...  # pragma: no cover

    def listen(self, heard: Callable[[str], None]) -> None:
        """From now on, call back with the name of each game to which another process adds an entry, in any thread.

        With "" if it may be any.
        """
        ...  # pragma: no cover

    def close(self) -> None:
        """Stop keeping games: what comes later raises `NotKept`."""
        ...  # pragma: no cover


def parsed_row(text: str, what: str) -> dict[str, Any]:
    """A row as it was kept.

    Raises:
        Damaged: it cannot be read.
    """
    with contextlib.suppress(ValueError, TypeError, RecursionError):
        if isinstance(row := json.loads(text), dict):
            return row
    raise Damaged(f"{what} cannot be read")


def parsed_entries(rows: Iterable[tuple[Any, ...]], since: int) -> list[dict[str, Any]]:
    """The entries of rows with their numbers, the first of which should be `since`.

    Raises:
        Damaged: one cannot be read or is missing.
    """
    entries = []
    for expected, (number, text) in enumerate(rows, since):
        if number != expected:
            raise Damaged(f"entry {expected} of its history is missing")
        entries.append(parsed_row(text, f"entry {number} of its history"))
    return entries


def parsed_game(game: str, head: str, entry: str | None) -> Kept:
    """A game in a list, whatever can be read of it."""
    agreed: dict[str, Any] = {}
    try:
        agreed = parsed_row(head, AGREED)
        return Kept(game, agreed, parsed_row(entry, "the latest entry of its history") if entry is not None else {})
    except Damaged as error:
        return Kept(game, agreed, {}, str(error))


_OPENED = "select each.key, {game} from {games}json_each(case when json_valid({head}) then {head} else '{{}}' end, '$.keys') each"
INDEX = f"""
create table if not exists keys (key text, game text, primary key (key, game)) without rowid;
create trigger if not exists begun after insert on games begin
    insert or ignore into keys {_OPENED.format(game="new.game", games="", head="new.head")};
end;
create trigger if not exists agreed after update of head on games begin
    delete from keys where game = old.game;
    insert or ignore into keys {_OPENED.format(game="new.game", games="", head="new.head")};
end;
insert or ignore into keys {_OPENED.format(game="game", games="games, ", head="head")} where not exists (select 1 from keys);
"""
"""Which games a key opens, so that whoever tries keys does not make the store read all games."""


class SqliteStore:
    """Games in one file, for one server: another process that opens it is refused until this one has closed it or has ended.

    Args:
        path: of the file, readable by its owner alone; ":memory:" for games that need not outlive the process.
    """

    shared = False

    def __init__(self, path: str | PathLike[str]) -> None:
        self._claim: Claim | None = None
        try:
            file = path if path == ":memory:" else self._own(Path(path).resolve())
            self._database = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
            self._database.text_factory = lambda text: text.decode(errors="replace")
            self._database.executescript(
                "pragma journal_mode = wal; pragma synchronous = full;"
                "create table if not exists games (game text primary key, head text not null);"
                "create table if not exists entries (game text, number integer, entry text not null, primary key (game, number));"
                "create table if not exists texts (game text, what text, text text not null, primary key (game, what));" + INDEX
            )
            if isinstance(file, Path):  # one from before, or from elsewhere, may be open to others
                make_private(file, *(file.with_name(f"{file.name}-{what}") for what in ("wal", "shm")))
        except (sqlite3.Error, OSError, ValueError) as error:
            why = (error.strerror if isinstance(error, OSError) else None) or str(error)
            raise HexwarError(f"{path}: games cannot be kept there: {why.lower()}") from None
        self._alone = threading.Lock()

    def _own(self, file: Path) -> Path:
        if file.exists() and not file.is_file():
            raise ValueError("it is no file")
        self._claim = claim(file)
        create_private(file)
        return file

    def close(self) -> None:
        """Write everything into the one file, which can then be copied as any other, and give it back."""
        with self._alone:
            with contextlib.suppress(sqlite3.Error):  # another process may be reading it: then the rest stays beside it
                self._database.execute("pragma wal_checkpoint(truncate)")
            self._database.close()
            self._claim = None

    def _ask(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        if not self._alone.acquire(timeout=PATIENCE):  # the disk hangs
            raise NotKept(f"it has not answered for {PATIENCE:.0f} seconds")
        try:
            return self._database.execute(query, values).fetchall()
        except sqlite3.IntegrityError:
            raise Taken("this is there already") from None
        except sqlite3.Error as error:
            raise NotKept(error) from None
        finally:
            self._alone.release()

    def begin(self, game: str, head: dict[str, Any]) -> None:
        """Keep a new game."""
        self._ask("insert into games values (?, ?)", game, json.dumps(head))

    def append(self, game: str, number: int, entry: dict[str, Any]) -> None:
        """Keep the next entry of a game."""
        self._ask("insert into entries values (?, ?, ?)", game, number, json.dumps(entry))

    def load(self, game: str) -> dict[str, Any] | None:
        """What was agreed."""
        found = self._ask("select head from games where game = ?", game)
        return parsed_row(found[0][0], AGREED) if found else None

    def agreed(self, game: str) -> dict[str, Any] | None:
        """What is agreed now."""
        return self.load(game)

    def entries(self, game: str, since: int = 0) -> list[dict[str, Any]]:
        """The entries of a game from a number on."""
        query = "select number, entry from entries where game = ? and number >= ? order by number"
        return parsed_entries(self._ask(query, game, since), since)

    def agree(self, game: str, was: dict[str, Any], now: dict[str, Any]) -> None:
        """Replace what was agreed."""
        changed = "update games set head = ? where game = ? and head = ? returning 1"
        if not self._ask(changed, json.dumps(now), game, json.dumps(was)):
            raise Taken("something else is agreed by now")

    def games(self, *keys: str) -> list[Kept]:
        """The games that one of some keys opens, all without keys, the latest first."""
        opens = "games.game in (select game from keys where key in (select value from json_each(?)))"
        rows = self._ask(
            "select games.game, case when json_valid(head) then json_remove(head, '$.start') else '' end, entry"
            " from games left join entries on"
            " entries.game = games.game and number = (select max(number) from entries where game = games.game)"
            f" {f'where {opens}' if keys else ''} order by games.rowid desc",
            *([json.dumps(keys)] if keys else []),
        )
        return [parsed_game(*row) for row in rows]

    def remember(self, game: str, what: str, text: str) -> None:
        """Keep a string beside a game."""
        self._ask("insert or replace into texts values (?, ?, ?)", game, what, text)

    def recall(self, game: str, what: str) -> str:
        """Such a string."""
        found = self._ask("select text from texts where game = ? and what = ?", game, what)
        return str(found[0][0]) if found else ""

    def listen(self, heard: Callable[[str], None]) -> None:
        """Nothing to hear: one process has the file."""
