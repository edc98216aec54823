"""Tables: the games that a server holds, who sits where, and the one way in which a game goes on."""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

import hexwar
from hexwar.bots import Bot, KeyedChance, load_bot
from hexwar.engine import Game
from hexwar.errors import HexwarError, UnknownName
from hexwar.web._store import Store

MOST_OPEN = 200
"""How many games are held in memory; the others wait in the store."""
HOST = "host"


class NoSuchTable(HexwarError):
    """There is no such game, or the key does not open it: which of the two is nobody's business."""


class Stale(HexwarError):
    """The game has gone on since the player looked."""


def digest_of(key: str) -> str:
    """What is kept of a key: who reads the store cannot sit down."""
    return hashlib.sha256(key.encode()).hexdigest()


class Table:
    """One game and its players.

    Args:
        name: of the game in the store.
        head: what was agreed: ruleset, scenario, options, seats, seed, bots, and which key opens which seats.
        store: where it is kept.
        entries: what has been done so far.
    """

    def __init__(self, name: str, head: Mapping[str, Any], store: Store, entries: list[dict[str, Any]]) -> None:
        self.name = name
        self.head = head
        self.game: Game = hexwar.new_game(head["ruleset"], head["scenario"], head["seed"], head["options"], seats=head["seats"])
        self.number = 0
        """How many entries the history has: players say which one they have seen."""
        self.stopped = ""
        """Why the bots stopped, if one of them failed."""
        self._store = store
        self._alone = threading.Lock()
        self._bots: dict[str, Bot] = {seat: load_bot(bot) for seat, bot in head["bots"].items()}
        self._chance = KeyedChance(secrets.token_hex(8))
        for entry in entries:
            self._do(self.game, entry)
            self.number += 1

    @property
    def people(self) -> tuple[str, ...]:
        """The seats that no bot has."""
        return tuple(seat for seat in self.game.world.seats if seat not in self._bots)

    def seats_of(self, key: str) -> tuple[str, ...]:
        """The seats that a key opens; empty if none."""
        return tuple(self.head["keys"].get(digest_of(key), ()))

    def act(self, seat: str, number: int, action: Mapping[str, object]) -> None:
        """Do what a player wants.

        Raises:
            Stale: he has not seen the latest entry.
            Refusal: the rules forbid it.
        """
        self._go_on(number, {"seat": seat, "action": dict(action)})

    def undo(self, seat: str, number: int) -> None:
        """Take back what a player did last.

        Raises:
            Stale: he has not seen the latest entry.
            Refusal: something came after it.
        """
        self._go_on(number, {"seat": seat, "undo": True})

    def move_bot(self) -> bool:
        """Let the first bot that is asked decide; whether there was one."""
        with self._alone:
            game = self.game
            seat = next((seat for seat in game.to_move if seat in self._bots), None)
            if seat is None:
                return False
            number, view = self.number, game.view(seat)
        action = self._bots[seat].choose(view, self._chance)
        self._go_on(number, {"seat": seat, "action": action.to_json()})
        return True

    def _go_on(self, number: int, entry: dict[str, Any]) -> None:
        """Try it on a copy, keep it, and only then let it count: what is confirmed is in the store."""
        with self._alone:
            if number != self.number:
                raise Stale("the game has gone on since: look again")
            twin = self.game.copy()
            self._do(twin, entry)
            self._store.append(self.name, self.number, {**entry, "time": int(time.time())})
            self.game, self.number = twin, self.number + 1

    @staticmethod
    def _do(game: Game, entry: Mapping[str, Any]) -> None:
        if "undo" in entry:
            game.undo(entry["seat"])
        else:
            game.apply(entry["action"], entry["seat"])


class Tables:
    """All tables of a server.

    Args:
        store: where they are kept.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._open: OrderedDict[str, Table] = OrderedDict()
        self._alone = threading.Lock()

    def begin(
        self,
        ruleset: str,
        scenario: str | None = None,
        *,
        seed: int | str | None = None,
        options: Mapping[str, object] | None = None,
        seats: str | None = None,
        bots: Mapping[str, str] | None = None,
    ) -> tuple[Table, dict[str, str]]:
        """Begin a game.

        Args:
            ruleset: as for `hexwar.new_game`, like the next four.
            scenario: its id.
            seed: a secret one if not given.
            options: optional rules.
            seats: a seating.
            bots: seat -> the bot that plays it.

        Returns:
            The table, and seat -> key; the key of "host" opens all seats that people have.
        """
        game = hexwar.new_game(ruleset, scenario, seed, options, seats=seats)
        bots, setup = dict(bots or {}), game.world.setup
        for seat, bot in bots.items():
            if seat not in game.world.seats:
                raise UnknownName("seat", seat, game.world.seats)
            load_bot(bot)
        people = [seat for seat in game.world.seats if seat not in bots]
        keys = {seat: secrets.token_urlsafe(24) for seat in (*people, HOST)}
        head = {
            "ruleset": setup.ruleset,
            "version": game.ruleset.info.version,
            "scenario": setup.scenario,
            "options": dict(setup.options),
            "seats": dict(setup.seats),
            "seed": getattr(game.chance, "seed", None),
            "bots": bots,
            "keys": {digest_of(key): people if seat == HOST else [seat] for seat, key in keys.items()},
            "begun": int(time.time()),
        }
        name = secrets.token_urlsafe(9)
        self._store.begin(name, head)
        table = Table(name, head, self._store, [])
        with self._alone:
            self._keep(table)
        return table, keys

    def table(self, name: str) -> Table:
        """A table by the name of its game.

        Raises:
            NoSuchTable: there is none.
        """
        with self._alone:
            if name not in self._open:
                found = self._store.load(name)
                if found is None:
                    raise NoSuchTable("there is no such game, or this link does not open it")
                self._keep(Table(name, found[0], self._store, found[1]))
            self._open.move_to_end(name)
            return self._open[name]

    def _keep(self, table: Table) -> None:
        self._open[table.name] = table
        while len(self._open) > MOST_OPEN:
            self._open.popitem(last=False)

    def names(self) -> list[str]:
        """All games, the latest first."""
        return self._store.games()
