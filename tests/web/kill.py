"""A server that is killed: `python -m tests.web.kill [--times 50]`. What was confirmed is there afterwards, and nothing else."""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.web.load import script
from tests.web.serving import Served, served

GAMES = 16


class Found(NamedTuple):
    """What came out."""

    kills: int
    confirmed: int
    """Actions that the server confirmed."""
    unconfirmed: int
    """Actions that were in the store, although the server died before it could say so."""


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

    async def look(self, server: Served) -> int:
        """How many actions there are that nobody confirmed; fails if one is lost, or is another."""
        status, save = await server.connect().ask(f"/api/games/{self.game}/save")
        assert status == 200
        kept = [{"seat": made["seat"], "action": made["action"]} for made in save["decisions"]]
        assert self.confirmed <= len(kept) <= self.sent, f"{self.confirmed} were confirmed, {len(kept)} are there"
        assert kept == self.orders[: len(kept)]
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
    chance, games, more = random.Random(times), [Playing(number, length) for number in range(GAMES)], 0
    with tempfile.TemporaryDirectory() as folder:
        kept = store or str(Path(folder) / "games.sqlite")
        for kill in range(times + 1):
            with served(kept) as server:
                if not kill:
                    server.run(_begin(server, games))
                more += sum(server.run(_looks(server, games)))
                if kill < times:
                    server.run(_until_killed(server, games, chance.randrange(5, 50)))
    return Found(times, sum(playing.confirmed for playing in games) - more, more)


async def _looks(server: Served, games: list[Playing]) -> list[int]:
    return [await playing.look(server) for playing in games]


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=50)
    print(json.dumps(run(parser.parse_args().times)._asdict()))
