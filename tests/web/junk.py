"""Questions and orders that make no sense, from those who have a key: `python -m tests.web.junk [--requests 100000]`.

Every route is asked with fields that are missing, empty, too long, of another type or about something else. Whatever comes, the
answer is a success or a refusal with a sentence, never an error of the server.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple
from unittest.mock import patch
from urllib.parse import quote

from starlette.routing import Route

from hexwar.table.questions import QUESTION_WORDS
from hexwar.web import SqliteStore, Table, Tables
from hexwar.web._app import DONE, SEEN
from hexwar.web._keys import Keys
from tests.web.forge import HOST_KEY, Request, at_once, call, unlimited

GAMES = (("bridgehead", None), ("ava", "training"), ("tow", None), ("wop", "training"))
FIELDS = (
    "seat",
    "faces",
    *(field for _, *fields in SEEN.values() for field in fields),
    *(field for _, fields in DONE.values() for field in fields),
    *(
        "number",
        "text",
        "password",
        "ruleset",
        "scenario",
        "options",
        "seats",
        "bots",
        "passwords",
        "seed",
        "save",
        "hints",
        "days",
        "watch",
        "host",
        "keys",
        "days",
        "watch",
        "host",
        "keys",
    ),
)
"""Of all routes."""
BEGUN = ("scenario", "options", "seats", "bots", "passwords", "seed", "save", "hints", "days")
"""Of the order that begins a game."""
WORDS = [
    *(
        "",
        " ",
        "0",
        "-1",
        "1e9",
        "007",
        "9" * 6000,
        "²",
        "٣",
        "null",
        "true",
        "{}",
        "[]",
        "nonsense",
        "None",
        "*",
        ",",
        ",,,",
        "a,b",
    ),
    *(
        "x" * 100_000,
        "../../etc/passwd",
        "\0",
        "a\0b",
        "\n",
        "%",
        "&",
        "'",
        '"',
        "<script>",
        "é",
        "😀",
        "\u202e",
        "__class__",
        "-",
        ".",
    ),
    *(
        "supply",
        "odds",
        "reach",
        "hex",
        "unit",
        "list 1",
        "rule 1",
        "rule",
        "undo",
        "undo 999999999999",
        "help help",
        "0,0",
        "nan,inf",
    ),
]
THINGS: list[Any] = [None, True, False, 0, -1, 1.5, 10**30, [], [1], {}, {"a": 1}, {"kind": []}, [[[[]]]], {"\ud800": "\ud800"}]


class Sat(NamedTuple):
    """A game in the middle of something."""

    table: Table
    keys: Keys
    things: tuple[str, ...]
    """Names of units and places, and what else is a name in this game."""


def set_up(chance: random.Random) -> tuple[Tables, list[Sat]]:
    """Some games of every ruleset."""
    tables, sat = Tables(SqliteStore(":memory:")), []
    for ruleset, scenario in GAMES:
        for length in (0, 7, 60):
            table, keys = tables.begin(ruleset, scenario, seed=length, passwords=None)
            while table.number < length and table.game.to_move:
                seat = table.game.to_move[0]
                table.act(seat, table.number_for([seat]), table.game.offered(seat).sample(chance).to_json())
            world = table.game.world
            places = getattr(world.board, "labels", ())
            clauses = list(world.rules)[:20]
            sat.append(Sat(table, keys, (*world.units, *places[:40], *world.seats, *world.sides, *clauses, *QUESTION_WORDS)))
    return tables, sat


class Junk:
    """Makes requests.

    Args:
        routes: of the application.
        sat: the games.
        chance: what it draws from.
    """

    def __init__(self, routes: list[Route], sat: list[Sat], chance: random.Random) -> None:
        self._routes, self._sat, self._chance = routes, sat, chance

    def requests(self, number: int) -> Iterator[Request]:
        """Some requests, to all routes in turn."""
        for turn in range(number):
            route, sat = self._routes[turn % len(self._routes)], self._chance.choice(self._sat)
            path = route.path.replace("{game}", sat.table.name).replace("{file}", quote(self._word(sat)[:99], safe=""))
            keys = (*sat.keys.seats.values(), sat.keys.host, sat.keys.watch)
            key = (
                HOST_KEY
                if path == "/api/games" or self._chance.random() < 0.2 or path.endswith("/keys")
                else self._chance.choice(keys)
            )
            headers = (("host", "testserver"), ("authorization", f"Bearer {key}"))
            if "POST" in (route.methods or ()):
                yield Request("POST", path, self._body(route.path, sat), headers)
            else:
                yield Request("GET", f"{path}?{self._query(route.path, sat)}", b"", headers)

    def _word(self, sat: Sat) -> str:
        return self._chance.choice(self._chance.choice((WORDS, sat.things)))

    def _query(self, path: str, sat: Sat) -> str:
        _, *taken = SEEN.get(path.rpartition("/")[2], ("", "faces"))
        fields = [(field, self._word(sat)) for field in (*taken, self._chance.choice(FIELDS)) if self._chance.random() < 0.8]
        if "question" in taken and self._chance.random() < 0.8:
            fields.append(("question", self._chance.choice(("list", "help", *QUESTION_WORDS))))
        if self._chance.random() < 0.8:
            fields.append(("seat", self._chance.choice([*sat.table.people, "*"])))
        shown = "&".join(f"{field}={quote(word)}" for field, word in reversed(fields))
        return shown + self._chance.choice(["", "", "", "&=", "&&", "%ed%a0%80"])

    def _thing(self, sat: Sat) -> Any:
        return self._chance.choice(THINGS) if self._chance.random() < 0.4 else self._word(sat)

    def _body(self, path: str, sat: Sat) -> bytes:
        what, fields = path.rpartition("/")[2], [*FIELDS]
        body = self._right(what, sat) if self._chance.random() < 0.8 else {field: self._thing(sat) for field in fields[:9]}
        for _ in range(self._chance.choice((0, 1, 1, 2))):
            body[self._chance.choice([*body, *body, self._chance.choice(fields)])] = self._thing(sat)
        if body and self._chance.random() < 0.1:
            del body[self._chance.choice([*body])]
        return json.dumps(body).encode()

    def _right(self, what: str, sat: Sat) -> dict[str, Any]:
        """What an order takes, but with nonsense in it."""
        game, seat = sat.table.game, self._chance.choice([*sat.table.game.to_move, *sat.table.people])
        if what == "games":
            return {"ruleset": game.ruleset.info.id, **{field: self._thing(sat) for field in self._chance.sample(BEGUN, 2)}}
        if what in ("note", "contact", "enter"):
            return {"seat": seat, "password" if what == "enter" else "text": self._thing(sat)}
        if what == "rematch":
            return {}
        if what == "mine":
            return {"keys": [self._thing(sat), self._word(sat)]}
        if what == "keys":
            whose = {"watch": True} if self._chance.random() < 0.5 else {"seat": self._word(sat)}
            return whose | {"days": self._thing(sat)}
        # whose game is over asks nothing more
        order: dict[str, Any] = {"seat": seat, "number": sat.table.number_for([seat]) + (what == "resign")}
        if what == "say":
            order["line"] = f"{self._chance.choice(('move', 'attack', 'done', 'undo', ''))} {self._word(sat)}"
        if what == "act":
            action = game.offered(seat).sample(self._chance).to_json() if seat in game.to_move else {"kind": "done"}
            changed = self._chance.choice([*action, self._word(sat)[:20]])
            order["action"] = {**action, changed: self._thing(sat)}
        return order


def ask(number: int, seed: int = 1) -> Counter[tuple[str, int]]:
    """Ask so often; how often which route answered what."""
    chance = random.Random(seed)
    tables, sat = set_up(chance)
    app = unlimited(tables, "testserver")
    routes = [it for it in app.routes if isinstance(it, Route) and not it.path.endswith("/stream")]
    answers: Counter[tuple[str, int]] = Counter()

    async def send() -> None:
        for turn, request in enumerate(Junk(routes, sat, chance).requests(number)):
            status, body = await call(app, request)
            answers[routes[turn % len(routes)].path, status] += 1
            assert status in (200, 400, 404, 409, 410, 413, 422, 429), (request, body[:500])
            if status != 200:
                assert " " in json.loads(body)["error"], (request, body[:500])

    with patch("hexwar.web._app.run_in_threadpool", at_once):
        asyncio.run(send())
    return answers


def main() -> None:
    """Print which route answered what."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for (path, status), times in sorted(ask(given.requests, given.seed).items()):
        print(f"{path}: {status}: {times}")


if __name__ == "__main__":
    main()
