"""Connections that wait: `python -m tests.web.loris [--heads 1200] [--bodies 300] [--idle 300] [--seconds 60] [--addresses 1]`.

Each sends half a head, half a body or nothing, stays as long as it may, and comes back a little later. Meanwhile a player acts,
and somebody asks through a new connection each time. All of it stays on this computer.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, NamedTuple

from tests.web.load import script, share
from tests.web.serving import Served, served


class Figures(NamedTuple):
    """What came out."""

    opened: int
    """Connections of the attack."""
    refused: int
    """Of these not even opened."""
    most: int
    """Files that the server had open at the same time."""
    errors: list[str]
    """Of those who wanted to play."""
    acted: list[float]
    """Seconds that an action took."""
    asked: list[float]
    """... and a question through a new connection."""
    said: int
    """Lines in the log of the server."""


class Players:
    """Those who play meanwhile.

    Args:
        server: what is attacked.
    """

    def __init__(self, server: Served) -> None:
        self._server = server
        self.errors: list[str] = []
        self.acted: list[float] = []
        self.asked: list[float] = []
        self.most = 0

    async def run(self, seconds: float, rate: float) -> None:
        """Act and ask, so many times a second."""
        before, orders = script(0, int(seconds * rate))
        host = self._server.connect()
        status, begun = await host.ask("/api/games", before)
        assert status == 200, begun
        path, number, end = f"/api/games/{begun['game']}", 0, time.monotonic() + seconds
        while time.monotonic() < end:
            if orders:
                order = {**orders.pop(0), "number": number}
                number = (await self._timed(self.acted, host.ask(f"{path}/act", order))).get("number", number)
            await self._timed(self.asked, self._fresh(path))
            self.most = max(self.most, len([*Path(f"/proc/{self._server.process.pid}/fd").iterdir()]))
            await asyncio.sleep(1 / rate)

    async def _timed(self, times: list[float], ask: Coroutine[Any, Any, tuple[int, Any]]) -> dict[str, Any]:
        start = time.perf_counter()
        try:
            status, answer = await asyncio.wait_for(ask, 60)
        except (OSError, EOFError, IndexError, TimeoutError) as error:
            status, answer = 0, {"error": repr(error)}
        times.append(time.perf_counter() - start)
        if status != 200:
            self.errors.append(f"{status} {answer}")
            return {}
        return dict(answer)

    async def _fresh(self, path: str) -> tuple[int, Any]:
        connection = self._server.connect()
        try:
            return await connection.ask(f"{path}/view?seat=blue&faces=")
        finally:
            await connection.close()


def measure(heads: int, bodies: int, idle: int, seconds: float, rate: float = 10, addresses: int = 1) -> Figures:
    """Run it against a new server."""
    with tempfile.TemporaryDirectory() as folder, (Path(folder) / "log").open("w+", encoding="utf-8") as log:
        with served(Path(folder) / "games.sqlite", log=log) as server:
            players, attack = Players(server), [server.port, heads, bodies, idle, addresses, int(seconds) + 60]
            command = [sys.executable, str(Path(__file__).with_name("lurk.py")), *map(str, attack)]
            with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as lurking:
                assert lurking.stdout is not None
                assert lurking.stdout.readline() == "all are there\n"
                server.run(players.run(seconds, rate))
                count = Counter(json.loads(lurking.communicate()[0]))
        log.seek(0)
        lines = len(log.readlines())
    acted, asked = sorted(players.acted), sorted(players.asked)
    return Figures(count["opened"], count["refused"], players.most, players.errors, acted, asked, lines)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--heads", type=int, default=1200)
    parser.add_argument("--bodies", type=int, default=300)
    parser.add_argument("--idle", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rate", type=float, default=10)
    parser.add_argument("--addresses", type=int, default=1, choices=range(1, 251), metavar="N")
    given = parser.parse_args()
    found = measure(given.heads, given.bodies, given.idle, given.seconds, given.rate, given.addresses)
    shares = (0.5, 0.99, 1.0)
    times = {
        what: {str(part): share(it, part) for part in shares} for what, it in (("acted", found.acted), ("asked", found.asked))
    }
    counts = {"opened": found.opened, "refused": found.refused, "most files": found.most, "lines in the log": found.said}
    played = {"actions": len(found.acted), "questions": len(found.asked), "errors": len(found.errors)}
    print(json.dumps({**counts, **played, "load": os.getloadavg()[0], "ms": times}, indent=1))
    print(*found.errors[:5], sep="\n")


if __name__ == "__main__":
    main()
