"""A server that is killed: `python -m tests.web.kill [--times 50]`. What was confirmed is there afterwards, and nothing else.

So it is in copies, which `hexwar backup` makes of what some killed servers left, and at last of the games of a running one.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from hexwar.web import SqliteStore, Tables
from tests.web.load import script
from tests.web.serving import Served, served

GAMES = 16
COPIED = 5
"""After so many kills what is left is copied before the next server finds it."""


class Found(NamedTuple):
    """What came out."""

    kills: int
    confirmed: int
    """Actions that the server confirmed."""
    unconfirmed: int
    """Actions that were in the store, although the server died before it could say so."""
    copies: int
    """Copies from which all games were opened."""


class Playing:
    """A game that goes on after every kill."""

    def __init__(self, number: int, length: int) -> None:
        self.wanted, self.orders = script(number, length)
        self.game, self.key = "", ""
        self.confirmed = 0
        self.sent = 0
        self.number = 0
        """The state that the player has seen."""

    async def go_on(self, server: Served) -> None:
        """Send action after action until the server is gone."""
        connection = server.connect(self.key)
        for order in self.orders[self.confirmed :]:
            self.sent += 1
            status, answer = await connection.ask(f"/api/games/{self.game}/act", {**order, "number": self.number})
            assert status == 200, answer
            self.confirmed, self.number = self.sent, answer["number"]

    def check(self, kept: list[dict[str, object]]) -> None:
        """Fail if an action is lost, or is another."""
        assert self.confirmed <= len(kept) <= self.sent, f"{self.confirmed} were confirmed, {len(kept)} are there"
        assert kept == self.orders[: len(kept)]

    async def look(self, server: Served) -> int:
        """How many actions there are that nobody confirmed; fails if one is lost, or is another."""
        status, save = await server.connect().ask(f"/api/games/{self.game}/save")
        assert status == 200
        kept = [{"seat": made["seat"], "action": made["action"]} for made in save["decisions"]]
        self.check(kept)
        _, view = await server.connect(self.key).ask(f"/api/games/{self.game}/view")
        self.number = view["number"]
        more, self.confirmed, self.sent = len(kept) - self.confirmed, len(kept), len(kept)
        return more


async def _begin(server: Served, games: list[Playing]) -> None:
    host = server.connect()
    for playing in games:
        _, begun = await host.ask("/api/games", playing.wanted)
        playing.game, playing.key = begun["game"], begun["host"]


async def _until_killed(server: Served, games: list[Playing], actions: int) -> None:
    """Play in all games at once, and kill the server in the middle, when it has confirmed some actions."""
    goal = sum(playing.confirmed for playing in games) + actions
    players = [asyncio.create_task(playing.go_on(server)) for playing in games]
    while sum(playing.confirmed for playing in games) < goal and not all(player.done() for player in players):
        await asyncio.sleep(0.001)
    server.kill()
    for result in await asyncio.gather(*players, return_exceptions=True):
        if isinstance(result, AssertionError):
            raise result


def run(times: int, store: str = "", length: int = 400) -> Found:
    """Kill a server several times, each time with the same games."""
    chance, games, more, copies = random.Random(times), [Playing(number, length) for number in range(GAMES)], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        kept = store or str(Path(folder) / "games.sqlite")
        for kill in range(times + 1):
            with served(kept) as server:
                if not kill:
                    server.run(_begin(server, games))
                more += sum(server.run(_looks(server, games)))
                if kill < times:
                    server.run(_until_killed(server, games, chance.randrange(5, 50)))
                if not store and (kill == times or kill % COPIED == COPIED - 1):
                    _check_copy(Path(kept), Path(folder, f"copy-{kill}.sqlite"), games)
                    copies += 1
    return Found(times, sum(playing.confirmed for playing in games) - more, more, copies)


def _check_copy(kept: Path, copy: Path, games: list[Playing]) -> None:
    """Copy the games by the command, and open them all."""
    command = [sys.executable, "-m", "hexwar", "backup", "--games", str(kept), str(copy)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert said.startswith(f"{len(games)} games in {copy}."), said
    store = SqliteStore(copy)
    tables = Tables(store)
    for playing in games:
        decisions = json.loads(tables.table(playing.game).save())["decisions"]
        playing.check([{"seat": made["seat"], "action": made["action"]} for made in decisions])
    store.close()


async def _looks(server: Served, games: list[Playing]) -> list[int]:
    return [await playing.look(server) for playing in games]


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=50)
    print(json.dumps(run(parser.parse_args().times)._asdict()))
