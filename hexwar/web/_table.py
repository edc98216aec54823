"""A table: one game, who sits where, and the one way in which it goes on."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import hexwar
from hexwar.bots import Bot, KeyedChance, load_bot
from hexwar.engine import Game, View, phase_title
from hexwar.errors import HexwarError, Refusal, RefusalCode, SaveError, UnknownName
from hexwar.table.questions import Adviser
from hexwar.web._keys import digest_of, key_of_password, opened, renewed, renewed_host
from hexwar.web._seating import Seating
from hexwar.web._store import AGREED, Damaged, Store, Taken

MOST_SECONDS = 30.0
"""The longest time in which a hint is searched for."""
CLOSED = "there is no such game, or this link does not open it"
WRONG_PASSWORD = "there is no such seat, or this is not its password"


class NoSuchTable(HexwarError):
    """There is no such game, or the key does not open it: which of the two is not said."""


class Stale(HexwarError):
    """The game has gone on since the player looked."""


class Unplayable(HexwarError):
    """The rules that the game began with are not here."""


class SaveText(NamedTuple):
    """A save that is no file."""

    name: str
    text: str

    def read_text(self, encoding: str | None = None) -> str:
        return self.text

    def __str__(self) -> str:
        return self.name


HEAD = {"hexwar": str, "start": str, "bots": dict, "keys": dict, "salts": dict}
ENTRY = {"seat": str, "digest": str, "seen": dict, "times": dict}
"""What must be there in what is kept of a game, and of which type it is."""


def checked_row(row: Mapping[str, Any], fields: Mapping[str, type], what: str) -> Mapping[str, Any]:
    """A row that has what it needs.

    Raises:
        Damaged: something is missing.
    """
    wrong = [name for name, kind in fields.items() if not isinstance(row.get(name), kind)]
    if wrong or (fields is ENTRY and not row.keys() & {"action", "undo", "resign"}):
        raise Damaged(f"{what} lacks {', '.join(wrong) or 'what was done'}")
    return row


def summary(game: Game) -> dict[str, Any]:
    """Where a game is, as far as everybody may know: for lists of games."""
    view = game.view(None)
    at, result = view.position, view.result
    return {
        "turn": getattr(at.state, "turn", 0),
        "phase": phase_title(at) if at.state.phase else "",
        "to_move": list(view.to_move),
        "over": None if result is None else str(result),
    }


class Table:
    """One game and its players.

    Args:
        name: of the game in the store.
        head: what was agreed: the save that it starts with, bots, which key opens which seats, and the salts of passwords.
        store: where it is kept.
        entries: what has been done so far.

    Raises:
        Unplayable: other rules than those that it began with are installed.
        Damaged: what is kept of it lacks something, or cannot be read.
    """

    def __init__(self, name: str, head: Mapping[str, Any], store: Store, entries: Iterable[Mapping[str, Any]]) -> None:
        self.name = name
        self.head = checked_row(head, HEAD, AGREED)
        self.number = 0
        """How many entries the history has; a secret, for it tells how much others decided in secret."""
        self.seen: dict[str, int] = {}
        """Seat, or "" for spectators -> how often what may be known there has changed."""
        self.times: dict[str, int] = {}
        """... -> when it changed last."""
        self.stopped = ""
        """Why the bots stopped, if one of them failed."""
        self._fresh: set[str] = set()
        self._store = store
        self._alone = threading.Lock()
        try:
            self.game: Game = hexwar.load_game(SaveText("this game", head["start"]))
            self.seating = Seating(self.game.world.seats, dict(head["bots"]))
            self._bots: dict[str, Bot] = {}
            self.seen = dict.fromkeys(("", *self.game.world.seats), 0)
            self.adviser = Adviser(self.game, MOST_SECONDS)
            self._follow(entries)
        except (Refusal, SaveError, UnknownName) as error:
            raise Unplayable(f"this game began with hexwar {head['hexwar']} and cannot go on here: {error}") from None
        self._chance = KeyedChance(secrets.token_hex(8))

    @property
    def people(self) -> tuple[str, ...]:
        """The seats that no bot has; when it is over, all that people had at the beginning."""
        return (
            tuple(seat for seat in self.game.world.seats if seat not in self.head["bots"]) if self.over else self.seating.people
        )

    @property
    def over(self) -> str | None:
        """How the game ended; None if it goes on."""
        if self.seating.ended:
            return self.seating.words
        return None if self.game.result is None else str(self.game.result)

    @property
    def hints(self) -> bool:
        """Whether players may ask what a bot would do in their place."""
        return bool(self.head.get("hints", True))  # games from before there was a choice have them

    def seats_of(self, key: str) -> tuple[str, ...] | None:
        """The seats that a key opens now, none for a spectator's or if its player has resigned; None if it opens nothing."""
        seats = opened(self.head, digest_of(key))
        return seats if seats is None or self.over else self.seating.seats_of(seats)

    def is_hosted_by(self, key: str) -> bool:
        """Whether a key is that of the game's host, who gives out the others."""
        return self.seats_of(key) is not None and digest_of(key) == self.head.get("host")

    def renew(self, what: str, seat: str = "", days: int | None = None) -> str:
        """A new key; the old one opens nothing from now on.

        Args:
            what: "seat", "watch" or "host".
            seat: which.
            days: how long it works; as long as the game if not given.

        Raises:
            UnknownName: no person has that seat.
        """
        people = [it for it in self.game.world.seats if it not in self.head["bots"]]
        if what == "seat" and seat not in people:
            raise UnknownName("seat of a person", seat, people)
        with self._alone:
            while True:
                made = renewed_host(self.head, people) if what == "host" else renewed(self.head, [seat] if seat else [], days)
                try:
                    self._store.agree(self.name, dict(self.head), made[1])
                except Taken:  # another server gave out another
                    self._read_head()
                else:
                    key, self.head = made
                    return key

    def take(self, seat: str) -> str:
        """The key of a seat that waits for a stranger, who is the first to ask.

        Raises:
            NoSuchTable: it does not wait for anybody.
        """
        with self._alone:
            while True:
                waiting = [it for it in self.head.get("open", ()) if it != seat]
                if seat not in self.head.get("open", ()) or self.over:
                    raise NoSuchTable("this seat waits for nobody any more")
                key, head = renewed(self.head, [seat])
                try:
                    self._store.agree(self.name, dict(self.head), made := {**head, "open": waiting})
                except Taken:
                    self._read_head()
                else:
                    self.head = made
                    return key

    def due(self, seat: str) -> int | None:
        """Until when a player has to decide, in seconds since 1970; None if there is no deadline, or nothing to decide."""
        hours = self.head.get("hours")
        if not hours or self.over or seat not in self.game.to_move or not self.seating.decides(seat):
            return None
        return int(self.times.get("", self.head["begun"])) + 3600 * int(hours)  # by what everybody sees: the rest is secret

    def pass_on(self, seat: str, number: int, late: str, seats: Iterable[str] = ()) -> None:
        """Somebody has had enough of waiting: who is late has given up.

        Raises:
            Stale: the player has not seen the latest entry.
            Refusal: the other one still has time.
        """
        due = self.due(late)
        if due is None or due > time.time() or late in seats:
            raise Refusal(RefusalCode.NOT_YOUR_TURN, "", f"{late} is not late")
        if number != self.number_for(tuple(seats) or (seat,)):
            raise Stale("the game has gone on since: look again")
        self.resign(late, self.number_for([late]))

    def _read_head(self) -> None:
        head = self._store.agreed(self.name)
        if head is None:
            raise NoSuchTable(CLOSED)
        self.head = checked_row({**head, "start": self.head["start"]}, HEAD, AGREED)

    def number_for(self, seats: Iterable[str]) -> int:
        """A number that grows when something changes for one of some seats, or for spectators if there are none.

        Players say with it which state they have seen. It does not grow by what they may not know.
        """
        return sum(self.seen[seat] for seat in tuple(seats) or ("",))

    def enter(self, seat: str, password: str) -> str:
        """The key for a password.

        Raises:
            NoSuchTable: it is the wrong one.
        """
        salt = self.head["salts"].get(seat)
        key = "" if salt is None else key_of_password(password, salt)
        if self.seats_of(key) != (seat,):
            raise NoSuchTable(WRONG_PASSWORD)
        return key

    def act(self, seat: str, number: int, action: Mapping[str, object], seats: Iterable[str] = ()) -> None:
        """Do what a player wants.

        Args:
            seat: who acts.
            number: the state that the player has seen: `number_for` their seats.
            action: in JSON.
            seats: all seats of the player, if there are others than this one.

        Raises:
            Stale: the player has not seen the latest entry.
            Refusal: the rules forbid it.
        """
        self._go_on({"seat": seat, "action": dict(action)}, number, tuple(seats) or (seat,))

    def undo(self, seat: str, number: int, seats: Iterable[str] = ()) -> None:
        """Take back what a player did last.

        Raises:
            Stale: the player has not seen the latest entry.
            Refusal: something came after it.
        """
        self._go_on({"seat": seat, "undo": True}, number, tuple(seats) or (seat,))

    def resign(self, seat: str, number: int, seats: Iterable[str] = ()) -> None:
        """A player gives up: see `Seating.resignation` for what follows.

        Raises:
            Stale: the player has not seen the latest entry.
            Refusal: it is over.
        """
        self._go_on({"seat": seat, "resign": None}, number, tuple(seats) or (seat,))

    def resigning(self, seat: str) -> str:
        """What follows if a player resigns now; "" if they cannot."""
        if self.over or seat not in self.people or seat in self.seating.resigned:
            return ""
        bots = self._resignation(seat)
        if bots is None:
            return "the game is over"
        if bots:
            return f"the bot {bots[seat]} decides for {' and '.join(bots)} from now on, and you watch"
        return f"{self.seating.after({'seat': seat, 'resign': bots}).decides(seat)} decides for {seat} from now on, and you watch"

    def _resignation(self, seat: str) -> dict[str, str] | None:
        return self.seating.resignation(seat, self.game.ruleset.info.bot or "greedy")

    def concerned(self) -> list[str]:
        """The people who should know what happened since this was called last: they are asked now and were not, or it is over."""
        with self._alone:
            fresh, self._fresh = self._fresh, set()
            if self.over:
                return [seat for seat in self.people if seat in fresh]
            asked = [self.seating.decides(seat) for seat in self.game.to_move if seat in fresh]
            return [seat for seat in dict.fromkeys(asked) if seat]

    def move_bot(self) -> bool:
        """Let the first bot that is asked decide; whether there was one."""
        with self._alone:
            game = self.game
            seat = next((seat for seat in game.to_move if seat in self._bots), None)
            if seat is None or self.over:
                return False
            number, view = self.number_for([seat]), game.view(seat)
        self._go_on({"seat": seat, "action": self._bots[seat].choose(view, self._chance).to_json()}, number, [seat])
        return True

    def looked_at(self, seat: str, seats: Iterable[str]) -> tuple[int, View]:
        """The number of the state for all seats that a player has, and the view of one of them: of the same moment."""
        with self._alone:
            return self.number_for(seats), self.game.view(seat)

    def save(self) -> str:
        """The game as the text of a save, secrets included."""
        return self.game.to_text()

    def note(self, seat: str, what: str, text: str | None = None) -> str:
        """What a seat keeps for itself beside the game; another text takes its place."""
        if text is not None:
            self._store.remember(self.name, f"{what} of {seat}", text)
        return self._store.recall(self.name, f"{what} of {seat}")

    def catch_up(self) -> bool:
        """Take in what other processes added, and which keys open the game now; whether there was an entry.

        Raises:
            Unplayable: it was done by other rules.
            NoSuchTable: the game is not in the store any more.
        """
        with self._alone:
            self._read_head()
            return self._catch_up()

    def _catch_up(self) -> bool:
        entries = self._store.entries(self.name, self.number)
        try:
            self.adviser = Adviser(self.game, MOST_SECONDS)
            self._follow(entries)
        except (Refusal, SaveError) as error:
            raise Unplayable(f"this game goes on elsewhere by rules that are not here: {error}") from None
        return bool(entries)

    def _follow(self, entries: Iterable[Mapping[str, Any]]) -> None:
        """Do what is in the store already."""
        game, digest = self.game.copy(), None
        number, seating, seen, times = self.number, self.seating, self.seen, self.times
        for entry in entries:
            checked_row(entry, ENTRY, f"entry {number} of its history")
            self._do(game, entry)
            seating = seating.after(entry)
            number, digest, seen, times = number + 1, entry["digest"], entry["seen"], entry["times"]
        if digest not in (None, game.digest) and not game.caveat:
            raise SaveError("this version of the rules plays it differently")
        self.game, self.number, self.seen, self.times = game, number, dict(seen), dict(times)
        self._seat(seating)

    def _go_on(self, entry: dict[str, Any], number: int, seats: Iterable[str]) -> None:
        """Do it, or say why not: judged by the latest entry of all, also where another process has added some."""
        with self._alone:
            while True:
                try:
                    self._try(entry, number, seats)
                except (Refusal, Stale, Taken):
                    if not self._catch_up():
                        raise
                else:
                    return

    def _try(self, entry: dict[str, Any], number: int, seats: Iterable[str]) -> None:
        """Try it on a copy, keep it, and only then let it count: what is confirmed is in the store."""
        if number != self.number_for(seats):
            raise Stale("the game has gone on since: look again")
        if self.seating.ended or ("resign" in entry and self.over):
            raise Refusal(RefusalCode.GAME_OVER, "", f"the game is over: {self.over}")
        if "resign" in entry:
            entry["resign"] = self._resigned(entry["seat"])
        twin, seating = self.game.copy(), self.seating.after(entry)
        self._do(twin, entry)
        now = {**summary(twin), "bots": seating.bots, "resigned": list(seating.resigned)}
        if seating.ended:
            now |= {"to_move": [], "over": seating.words}
        changed = [viewer for viewer in self.seen if "resign" in entry or self._differs(twin, viewer)]
        seen = {viewer: n + (viewer in changed) for viewer, n in self.seen.items()}
        times = {**self.times, **dict.fromkeys(changed, int(time.time()))}
        entry = {**entry, "digest": twin.digest, "now": now, "seen": seen, "times": times}
        self._store.append(self.name, self.number, entry)
        if now["over"] is None:
            self._fresh.update(now["to_move"])
            self._fresh -= {seat for seat in self.game.to_move if seating.decides(seat) == self.seating.decides(seat)}
        else:
            self._fresh.update(self.seen)
        self.game, self.number, self.seen, self.times = twin, self.number + 1, seen, times
        self._seat(seating)

    def _resigned(self, seat: str) -> bool | dict[str, str]:
        """What an entry keeps of a resignation."""
        if seat not in self.people or seat in self.seating.resigned:
            raise Refusal(RefusalCode.NOT_YOUR_TURN, "", f"{seat} has resigned already")
        bots = self._resignation(seat)
        return True if bots is None else bots

    def _seat(self, seating: Seating) -> None:
        """Let people and bots decide where they do from now on."""
        self.seating = seating
        self._bots |= {seat: load_bot(bot) for seat, bot in seating.bots.items() if seat not in self._bots}

    def _differs(self, game: Game, viewer: str) -> bool:
        """Whether a seat, or a spectator, sees another game than the one that is here."""
        seat = viewer or None
        shorter, longer = sorted((game, self.game), key=lambda it: len(it.events))
        if longer.log(seat, since=len(shorter.events)):  # an action adds events, an undo takes some away
            return True

        def shown(game: Game) -> tuple[object, ...]:
            return game.view(seat).to_json(), seat is not None and game.may_undo(seat)

        return shown(game) != shown(self.game)

    @staticmethod
    def _do(game: Game, entry: Mapping[str, Any]) -> None:
        """Do what an entry says; who resigns does nothing to the game."""
        if "undo" in entry:
            game.undo(entry["seat"])
        elif "resign" not in entry:
            game.apply(entry["action"], entry["seat"])
