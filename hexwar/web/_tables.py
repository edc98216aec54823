"""All games of a server: they begin, wait in the store, and are held in memory while they are played."""

from __future__ import annotations

import contextlib
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from weakref import WeakValueDictionary

import hexwar
from hexwar.bots import load_bot
from hexwar.engine import Game
from hexwar.errors import HexwarError, UnknownName
from hexwar.web._keys import Head, Keys, agreed, digest_of
from hexwar.web._store import AGREED, NotKept, Store, Taken
from hexwar.web._table import CLOSED, HEAD, NoSuchTable, SaveText, Table, checked_row, summary

MOST_HOURS = 24 * 365
MOST_OPEN = 200
"""How many games are held in memory without an open page; the others wait in the store."""


class Tables:
    """All tables of a server.

    Args:
        store: where they are kept.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._live: WeakValueDictionary[str, Table] = WeakValueDictionary()  # never two of one game
        self._recent: OrderedDict[str, Table] = OrderedDict()
        self._alone = threading.Lock()
        self._opening = [threading.Lock() for _ in range(16)]

    def begin(
        self,
        ruleset: str = "",
        scenario: str | None = None,
        seed: int | str | None = None,
        options: Mapping[str, object] | None = None,
        seats: str | Mapping[str, str] | None = None,
        bots: Mapping[str, str] | None = None,
        passwords: Mapping[str, str] | None = None,
        save: str | None = None,
        hints: bool = True,
        days: int | None = None,
        open: Iterable[str] = (),
        hours: int | None = None,
    ) -> tuple[Table, Keys]:
        """Begin a game.

        Args:
            ruleset: as for `hexwar.new_game`, like the next four.
            scenario: its id.
            seed: a secret one if not given.
            options: optional rules.
            seats: a seating.
            bots: seat -> the bot that plays it.
            passwords: seat -> a password that opens it besides its key.
            save: the text of a save with which the game goes on; it says all but bots, passwords and hints.
            hints: whether players may ask what a bot would do in their place.
            days: how long the keys of seats and spectators work; as long as the game if not given.
            open: seats that a stranger may take on a server with a lobby.
            hours: how long a player has for a decision before others may pass the seat on; for ever if not given.

        Returns:
            The table, and its keys.
        """
        if save is None:
            game = hexwar.new_game(ruleset, scenario, seed, options, seats=seats)
        else:
            game = hexwar.load_game(SaveText("the save", save))
        bots = dict(bots or {})
        for seat, bot in bots.items():
            if seat not in game.world.seats:
                raise UnknownName("seat", seat, game.world.seats)
            load_bot(str(bot))
        people = [seat for seat in game.world.seats if seat not in bots]
        for seat in open:
            if seat not in people:
                raise UnknownName("seat of a person", str(seat), people)
        if hours is not None and not 1 <= hours <= MOST_HOURS:
            raise HexwarError(f"a player has 1 to {MOST_HOURS} hours for a decision")
        keys, kept = agreed(people, dict(passwords or {}), days)
        more: dict[str, Any] = {"open": list(open)} if open else {}
        more |= {"hours": hours} if hours else {}
        return self._begin(secrets.token_urlsafe(9), game, {"bots": bots, "hints": hints, **kept, **more}), keys

    def _begin(self, name: str, game: Game, more: Mapping[str, Any]) -> Table:
        setup = game.world.setup
        head = {
            "hexwar": hexwar.__version__,
            "ruleset": setup.ruleset,
            "scenario": setup.scenario,
            "seats": dict(game.world.seats),
            "start": game.to_text(),
            "begun": int(time.time()),
            "now": summary(game),
            **more,
        }
        self.store.begin(name, head)
        return self.table(name)

    def rematch(self, table: Table, allow: Callable[[], None] = lambda: None) -> Table:
        """The same once more with another seed, for the same keys; the same game whoever asks.

        Args:
            table: where it was played.
            allow: called before a game begins: raises if that is too much.

        Raises:
            HexwarError: the game goes on.
        """
        if table.over is None:
            raise HexwarError("a rematch begins when the game is over")
        name, game = digest_of(f"rematch of {table.name}")[:12], table.game
        if self.store.load(name) is not None:
            return self.table(name)
        allow()
        setup = game.world.setup
        if game.source is None:
            again: Game = hexwar.new_game(setup.ruleset, setup.scenario, None, setup.options, seats=setup.seats)
        else:
            again = hexwar.position(game.source, seed=None)
        try:
            kept = {key: table.head[key] for key in ("bots", "keys", "host", "salts", "until", "hours") if key in table.head}
            return self._begin(name, again, {**kept, "hints": table.hints})
        except Taken:
            return self.table(name)

    def table(self, name: str, allow: Callable[[Head], None] = lambda head: None) -> Table:
        """A table by the name of its game.

        Args:
            name: of the game.
            allow: called with what was agreed before the game is played again from its entries, which takes long: raises if
                the caller may not see it.

        Raises:
            NoSuchTable: there is none.
            Unplayable: it began with other rules.
            Damaged: what is kept of it cannot be read.
        """
        with self._opening[hash(name) % len(self._opening)]:
            table = self._live.get(name)
            if table is not None and self.store.shared:
                with contextlib.suppress(NotKept):  # then it is shown as it was
                    table.catch_up()
            if table is None:
                head = self.store.load(name)
                if head is None:
                    raise NoSuchTable(CLOSED)
                allow(checked_row(head, HEAD, AGREED))
                table = self._live[name] = Table(name, head, self.store, self.store.entries(name))
        with self._alone:
            self._recent[name] = table
            self._recent.move_to_end(name)
            while len(self._recent) > MOST_OPEN:
                self._recent.popitem(last=False)
        return table

    def opened(self, name: str) -> list[Table]:
        """The table of a game if it is in memory; all that are if the name is ""."""
        return [table for table in list(self._live.values()) if name in ("", table.name)]
