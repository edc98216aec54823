"""Requests that nobody should send: `python -m tests.web.forge [--requests 1000000] [--sockets 20000]`.

Most go straight into the application, which is quick; some through real connections. No answer may be a success or contain a seed
or a key, and afterwards every game and all that is kept must be as before.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import random
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from unittest.mock import patch
from urllib.parse import unquote

from starlette.applications import Starlette

from hexwar.web import Limits, SqliteStore, Table, Tables, make_app
from hexwar.web._app import SEEN
from hexwar.web._connections import Server
from hexwar.web._sealed import NOT_HERE

HOST_KEY = "the key of the host, which nobody else has"
REFUSED = {400, 404, 405, 409, 413, 422}
SENTENCES = (
    "there is no such game, or this link does not open it",
    "there is no such seat, or this is not its password",
    "the link that the server printed when it started begins games, and this is not it",
    "who only watches begins no game",
    "this link opens no game",
    "the host of the game gives out its links, and this is not the host's",
    *NOT_HERE.values(),
)
"""All that somebody without the right key is told."""


class Request(NamedTuple):
    """What is sent."""

    method: str
    path: str
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()

    @property
    def raw(self) -> bytes:
        """As it goes through a connection."""
        lines = "".join(f"{name}: {value}\r\n" for name, value in self.headers)
        head = f"{self.method} {self.path} HTTP/1.1\r\n{lines}Content-Length: {len(self.body)}\r\n\r\n"
        return head.encode("latin-1") + self.body


class Sat(NamedTuple):
    """A game that is attacked, with somebody to move and something to hide."""

    table: Table
    keys: dict[str, str]
    seed: str
    actions: dict[str, list[dict[str, Any]]]
    """Seat -> some of what it may do now."""

    def number(self, seat: str) -> int:
        """The state that a seat has seen."""
        return self.table.number_for([seat]) if seat in self.table.people else 0


def set_up(games: int, chance: random.Random) -> tuple[Tables, list[Sat]]:
    """Games in the middle of something."""
    tables, sat = Tables(SqliteStore(":memory:")), []
    for number in range(games):
        seed = f"seed-{chance.getrandbits(64):x}"
        table, given = tables.begin("bridgehead", seed=seed, passwords={"red": f"password-{number}"})
        keys = {**given.seats, "host": given.host, "watch": given.watch}
        for _ in range(5 * number):
            seat = table.game.to_move[0]
            table.act(seat, table.number_for([seat]), table.game.offered(seat).sample(chance).to_json())
        table.note("blue", "note", f"note-{seed}")
        game = table.game
        actions = {seat: [action.to_json() for action in game.legal_actions(seat)[:20]] for seat in game.to_move}
        sat.append(Sat(table, keys, seed, actions))
    return tables, sat


class Forger:
    """Makes requests.

    Args:
        sat: the games.
        chance: what it draws from.
        host: the name of the server.
    """

    def __init__(self, sat: list[Sat], chance: random.Random, host: str) -> None:
        self._sat, self._chance, self._host = sat, chance, host

    def requests(self, number: int) -> Iterator[tuple[str, Request]]:
        """Some requests, each with its sort."""
        sorts = list(SORTS)
        for _ in range(number):
            sort = self._chance.choice(sorts)
            yield sort, SORTS[sort](self, self._chance.choice(self._sat))

    def _ask(self, method: str, path: str, key: str | None, body: Any = None, **headers: str) -> Request:
        shown = {"host": self._host, **({} if key is None else {"authorization": f"Bearer {key}"}), **headers}
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        return Request(method, path, data, tuple(shown.items()))

    def _order(self, sat: Sat, seat: str) -> tuple[str, dict[str, Any]]:
        """A path and a body that would be right for a seat."""
        what = self._chance.choice(["act", "act", "undo", "resign", "note", "contact"])
        body: dict[str, Any] = {"seat": seat}
        if what in ("note", "contact"):
            body["text"] = "forged"
        else:
            body["number"] = sat.number(seat)
        if what == "act":
            body["action"] = self._action(sat, seat)
        return f"/api/games/{sat.table.name}/{what}", body

    def _action(self, sat: Sat, seat: str) -> dict[str, Any]:
        return self._chance.choice(sat.actions.get(seat) or [{"kind": "done"}])

    def _look(self, sat: Sat, seat: str) -> str:
        what = self._chance.choice([*SEEN, "view", "words", "note", "contact"])
        more = self._chance.choice(["", "&key=b1&unit=b1", "&question=status&about=", "&question=odds&about=0504"])
        return f"/api/games/{sat.table.name}/{what}?seat={seat}{more}"

    def _other_seat(self, sat: Sat) -> Request:
        own, other = self._chance.sample(["blue", "red"], 2)
        if self._chance.random() < 0.5:
            return self._ask("GET", self._look(sat, other), sat.keys[own])
        path, body = self._order(sat, other)
        return self._ask("POST", path, sat.keys[own], body)

    def _wrong_key(self, sat: Sat) -> Request:
        other = self._chance.choice([it for it in self._sat if it is not sat])
        real = sat.keys["blue"]
        keys = [
            *other.keys.values(),
            "",
            real[:-1],
            real + "A",
            real.swapcase(),
            HOST_KEY[:-1],
            next(iter(sat.table.head["keys"])),  # the digest that the store has
            f"{self._chance.getrandbits(192):x}",
            "\xff" * 20,
            None,
        ]
        key, seat = self._chance.choice(keys), self._chance.choice(["blue", "red"])
        if self._chance.random() < 0.3:
            return self._ask("GET", self._look(sat, seat), key)
        path, body = self._order(sat, seat)
        return self._ask("POST", path, key, body)

    def _stale(self, sat: Sat) -> Request:
        seat, wrong = self._chance.choice(["blue", "red"]), self._chance.choice([-1, 1, 2, -5, 10**6, -(10**30), 2**63])
        what = self._chance.choice(["act", "undo", "resign"])
        body = {"seat": seat, "number": sat.number(seat) + wrong}
        body |= {"action": self._action(sat, seat)} if what == "act" else {}
        return self._ask("POST", f"/api/games/{sat.table.name}/{what}", sat.keys[seat], body)

    def _against_the_rules(self, sat: Sat) -> Request:
        seat = self._chance.choice(["blue", "red"])
        action = dict(self._action(sat, seat))
        odd: Any = self._chance.choice(["nonsense", "", 0, -1, None, [], {}, True, "b1" * 50, {"kind": "done"}, 1e300])
        change = self._chance.randrange(4)
        if change == 0:
            action["kind"] = self._chance.choice(["nonsense", "", 7, None, ["done"], "__init__"])
        elif change == 1:
            action[f"more{self._chance.randrange(9)}"] = odd
        elif change == 2:
            action = {"kind": action["kind"], "unit": "nobody", "to": "9999", "chit": "nothing", "extra": odd}
        else:
            action = {}
        body = {"seat": seat, "number": sat.number(seat), "action": action}
        return self._ask("POST", f"/api/games/{sat.table.name}/act", sat.keys[seat], body)

    def _malformed(self, sat: Sat) -> Request:
        path, body = self._order(sat, "blue")
        whole = json.dumps(body).encode()
        bodies = [
            whole[: self._chance.randrange(len(whole))],
            self._chance.randbytes(40),
            b"[" * self._chance.randrange(2000),
            b'{"a":' * 1000,
            json.dumps([body]).encode(),
            json.dumps({**body, "more": 1}).encode(),
            json.dumps({**body, "seat": self._chance.choice([None, 1, ["blue"], {"blue": 1}, True])}).encode(),
            json.dumps({**body, "number": self._chance.choice([None, "0", 0.0, True, [0], math.inf]), "text": 3}).encode(),
            b'{"seat": "blue", "number": ' + b"9" * 5000 + b"}",
            json.dumps({"seat": "blue\ud800", "text": "\0"}).encode(),
            b"",
        ]
        return self._ask("POST", path, sat.keys["blue"], self._chance.choice(bodies))

    def _oversized(self, sat: Sat) -> Request:
        path, body = self._order(sat, "blue")
        return self._ask("POST", path, sat.keys["blue"], json.dumps(body).encode() + b" " * 65_536)

    def _other_origin(self, sat: Sat) -> Request:
        seat = self._chance.choice(["blue", "red"])
        path, body = self._order(sat, seat)
        bad = [
            f"https://{self._host}.evil.example",
            "null",
            "https://evil.example",
            f"http://evil.example/{self._host}",
            "file://",
        ]
        if self._chance.random() < 0.3:
            host = self._chance.choice(["evil.example", f"{self._host}.evil.example", "127.0.0.1.evil.example", ""])
            return self._ask("POST", path, sat.keys[seat], body, host=host)
        if self._chance.random() < 0.3:
            site = self._chance.choice(["cross-site", "same-site"])
            way = self._chance.choice([("POST", path, body), ("GET", self._look(sat, seat), None)])
            return self._ask(way[0], way[1], sat.keys[seat], way[2], **{"sec-fetch-site": site})
        return self._ask("POST", path, sat.keys[seat], body, origin=self._chance.choice(bad))

    def _spectator(self, sat: Sat) -> Request:
        key, seat = sat.keys["watch"], self._chance.choice(["blue", "red", "watch", "host"])
        if self._chance.random() < 0.4:
            return self._ask("GET", self._look(sat, seat), key)
        if self._chance.random() < 0.1:
            return self._ask("POST", f"/api/games/{sat.table.name}/rematch", key, {})
        path, body = self._order(sat, seat)
        return self._ask("POST", path, key, body)

    def _host_only(self, sat: Sat) -> Request:
        key = self._chance.choice([*sat.keys.values(), None, HOST_KEY.upper()])
        way = self._chance.randrange(5)
        if way == 4:
            name = self._chance.choice(["blue", "red", "watch", None])
            what = self._chance.choice([{"seat": name}, {"watch": True}, {"host": True}, {"seat": "blue", "days": 3}])
            return self._ask("POST", f"/api/games/{sat.table.name}/keys", None if key == sat.keys["host"] else key, what)
        if way == 0:
            return self._ask("GET", f"/api/games/{sat.table.name}/save", key)
        if way == 1:
            return self._ask("GET", "/api/rulesets", key)
        body = {"ruleset": "bridgehead"} if way == 2 else {"save": "{}"}
        return self._ask("POST", "/api/games", key, body)

    def _old_links(self, sat: Sat) -> Request:
        """Asked in the way of the front page: it hears that they open nothing."""
        wrong = [f"{self._chance.getrandbits(192):x}", "", HOST_KEY, next(iter(sat.table.head["keys"])), sat.keys["red"][1:]]
        keys: Any = self._chance.choices(wrong, k=self._chance.randrange(250))
        if self._chance.random() < 0.2:
            keys = self._chance.choice([None, {}, "", [None], [keys], [sat.table.head["keys"]]])
        return self._ask("POST", "/api/games/mine", self._chance.choice([None, *wrong[:2]]), {"keys": keys})

    def _elsewhere(self, sat: Sat) -> Request:
        name, key = sat.table.name, sat.keys["blue"]
        paths = [
            f"/api/games/{name}x/view?seat=blue",
            f"/api/games/{name}/../{name}/act",
            f"/api/games/{name}/keys",
            "/page/../_tables.py",
            "/page/..%2f_tables.py",
            "/page/%2e%2e",
            f"/api/games/{name}%00/view?seat=blue",
            "/api/games/' or 1=1 --/view?seat=blue",
            f"/api/games/{name}/words?seat=blue&question=map&about=../peek.svg",
            f"/api/games/{name}/rule?clause=../../etc/passwd",
            f"/api/games/{name}/rematch",
        ]
        method = self._chance.choice(["GET", "PUT", "DELETE", "PATCH", "OPTIONS"])
        return self._ask(method, self._chance.choice(paths), key)

    def _password(self, sat: Sat) -> Request:
        """Passwords take long to compare, so most of these have another mistake."""
        body: dict[str, Any] = {"seat": "blue", "password": "password-0"}
        if self._chance.random() < 0.002:
            body = {"seat": "red", "password": f"password-{self._chance.randrange(100, 999)}"}
        elif self._chance.random() < 0.9:
            body = self._chance.choice([{"seat": "red"}, {"seat": "red", "password": None}, {"seat": [], "password": "x"}])
        return self._ask("POST", f"/api/games/{sat.table.name}/enter", None, body)


SORTS: dict[str, Callable[[Forger, Sat], Request]] = {
    "another's seat": Forger._other_seat,
    "a wrong key": Forger._wrong_key,
    "stale": Forger._stale,
    "against the rules": Forger._against_the_rules,
    "malformed": Forger._malformed,
    "oversized": Forger._oversized,
    "another origin": Forger._other_origin,
    "a spectator's": Forger._spectator,
    "the host's": Forger._host_only,
    "old links": Forger._old_links,
    "elsewhere": Forger._elsewhere,
    "a password": Forger._password,
}


class Judge:
    """Says whether an answer is all right.

    Args:
        tables: what is attacked.
        sat: the games.
    """

    def __init__(self, tables: Tables, sat: list[Sat]) -> None:
        self._tables, self._sat = tables, sat
        self._secrets = [HOST_KEY.encode()]
        for it in sat:
            self._secrets += [it.seed.encode(), *(key.encode() for key in it.keys.values())]
        self._before = self._state()
        self.answers: Counter[tuple[str, int]] = Counter()

    def hear(self, sort: str, request: Request, status: int, body: bytes) -> None:
        """Fail if an answer is none of those that a forged request may get."""
        self.answers[sort, status] += 1
        if (sort, status) == ("old links", 200):
            said = json.loads(body)
            assert (said["host"], said["games"]) == (False, []), (request, body)
        else:
            assert status in REFUSED, (sort, request, status, body[:500])
        assert not any(secret in body for secret in self._secrets), (sort, request, body[:500])
        if status == 404 and body.startswith(b"{"):
            assert json.loads(body)["error"] in SENTENCES, (sort, request, body)

    def _state(self) -> Any:
        store = self._tables.store
        kept = [(game.game, game.head, game.last) for game in store.games()]
        notes = [it.table.note(seat, what) for it in self._sat for seat in ("blue", "red") for what in ("note", "contact")]
        return kept, notes, [(it.table.number, it.table.game.digest, it.table.seating) for it in self._sat]

    def unchanged(self) -> None:
        """Fail if anything is not as it was."""
        assert self._state() == self._before


async def call(app: Starlette, request: Request) -> tuple[int, bytes]:
    """Ask the application without a connection."""
    path, _, query = request.path.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in request.headers],
        "client": ("127.0.0.1", 1),
        "server": ("testserver", 80),
    }
    parts: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": request.body, "more_body": False}

    async def send(message: Any) -> None:
        parts.append(message)

    await app(scope, receive, send)
    return parts[0]["status"], b"".join(part.get("body", b"") for part in parts[1:])


def in_process(number: int, seed: int = 1, games: int = 6, minutes: float = math.inf) -> Counter[tuple[str, int]]:
    """Send requests straight into the application; how often what was answered."""
    chance = random.Random(seed)
    tables, sat = set_up(games, chance)
    judge, app = Judge(tables, sat), unlimited(tables, "testserver")
    end = time.monotonic() + 60 * minutes

    async def send() -> None:
        for sent, (sort, request) in enumerate(Forger(sat, chance, "testserver").requests(number)):
            judge.hear(sort, request, *await call(app, request))
            if not sent % 10_000:
                judge.unchanged()
            if time.monotonic() > end:
                return

    with patch("hexwar.web._app.run_in_threadpool", at_once):
        asyncio.run(send())
    judge.unchanged()
    return judge.answers


async def at_once(function: Callable[..., Any], *arguments: Any) -> Any:
    """In place of another thread, which would take several times as long."""
    return function(*arguments)


def through_sockets(number: int, seed: int = 2, games: int = 4) -> Counter[tuple[str, int]]:
    """Send requests through real connections, and some that are no HTTP at all."""
    chance = random.Random(seed)
    tables, sat = set_up(games, chance)
    judge = Judge(tables, sat)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        server = Server(unlimited(tables, "127.0.0.1"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            for sort, request in Forger(sat, chance, f"127.0.0.1:{port}").requests(number):
                raw = request.raw
                if chance.random() < 0.05:
                    sort, raw = "no HTTP", chance.randbytes(30) + raw[chance.randrange(len(raw)) :] + b"\r\n\r\n"
                status, body = _exchange(port, raw, whole=sort != "no HTTP")
                if status or sort not in ("no HTTP", "oversized"):  # these may be cut off without a word
                    judge.hear(sort, request, status, body)
        finally:
            server.should_exit = True
            thread.join()
    judge.unchanged()
    return judge.answers


def _exchange(port: int, raw: bytes, whole: bool) -> tuple[int, bytes]:
    """Send something, read until the other side has said all; status 0 if it says nothing."""
    raw = raw.replace(b"\r\nContent-Length", b"\r\nConnection: close\r\nContent-Length", 1)
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        got = b""
        try:
            connection.sendall(raw)
            if not whole:
                connection.shutdown(socket.SHUT_WR)
            while part := connection.recv(1 << 16):
                got += part
        except OSError:
            pass  # it hung up on us
    head, _, body = got.partition(b"\r\n\r\n")
    return (int(head.split(None, 2)[1]), body) if head.startswith(b"HTTP/") else (0, body)


def unlimited(tables: Tables, host: str) -> Starlette:
    unlimited = Limits(burst=math.inf, misses=math.inf, guesses=math.inf, games=math.inf)
    return make_app(tables, HOST_KEY, (host,), limits=unlimited)


def main() -> None:
    """Print how often what was answered."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--requests", type=int, default=1_000_000)
    parser.add_argument("--sockets", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=math.inf)
    given = parser.parse_args()
    for way, answers in (
        ("in process", in_process(given.requests, given.seed, minutes=given.minutes)),
        ("through connections", through_sockets(given.sockets, given.seed + 1) if given.sockets else Counter()),
    ):
        print(f"{way}: {answers.total()} requests, nothing changed, nothing told", flush=True)
        for (sort, status), times in sorted(answers.items()):
            print(f"  {sort}: {status}: {times}")


if __name__ == "__main__":
    main()
