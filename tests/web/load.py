"""Many games at once: `python -m tests.web.load [--games 200] [--rate 50] [--seconds 120] [--look] [--wrong 50]`.

A server in a process of its own has two open streams for each game. Actions are due at a steady rate, whatever the answers take,
and each is measured from the moment at which it was due. With --look, both players look at the new position, as pages do. With
--wrong, somebody at the same address sends so many wrong keys and passwords a second, none of which may open anything.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import json
import os
import random
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import hexwar
from hexwar.cli.serve import store_at
from hexwar.web import Tables
from hexwar.web._keys import Keys
from tests.web.serving import Connection, Served, served

KINDS = (("bridgehead", None), ("bridgehead", None), ("bridgehead", None), ("ava", "training"))
PATIENCE = 60.0
"""Seconds until a stream is late."""
Orders = list[dict[str, Any]]
Script = tuple[dict[str, Any], Orders]


class Figures(NamedTuple):
    """What came out."""

    actions: int
    errors: list[str]
    answered: list[float]
    """Seconds from the moment at which an action was due to its answer."""
    told: list[float]
    """... to the moment at which a stream told of it."""
    looked: list[float]
    """... that a look took."""
    cpu: float
    """Seconds of processor time that the server took for it."""
    wrong: Counter[int]
    """Status -> how many wrong keys and passwords got it."""


def script(number: int, length: int) -> Script:
    """A game and what is done in it, worked out beforehand."""
    ruleset, scenario = KINDS[number % len(KINDS)]
    chance, game = random.Random(number), hexwar.new_game(ruleset, scenario, seed=number)
    orders: Orders = []
    while len(orders) < length and game.to_move:
        seat = game.to_move[0]
        action = game.offered(seat).sample(chance)
        game.apply(action, seat)
        orders.append({"seat": seat, "action": action.to_json()})
    return {"ruleset": ruleset, "scenario": scenario, "seed": number}, orders


class Player:
    """Somebody in a game: a connection for what he asks and one for his stream."""

    def __init__(self, server: Served, game: str, seat: str, key: str) -> None:
        self.path, self.seat = f"/api/games/{game}", seat
        self.asking, self.stream = server.connect(key), server.connect(key)
        self.number = 0
        """The state that he has seen."""
        self.heard = -1
        """The state of which its stream told last, and at which it has looked."""
        self.faces: dict[str, str] = {}
        """What counters look like: a page has each face sent once."""


class Load:
    """The run."""

    def __init__(self, server: Served, look: bool, wrong: float) -> None:
        self._server, self._look, self._wrong = server, look, wrong
        self._due: dict[str, float] = {}
        self.errors: list[str] = []
        self.answered: list[float] = []
        self.told: list[float] = []
        self.looked: list[float] = []
        self.refused: Counter[int] = Counter()

    async def run(self, scripts: list[Script], begun: list[tuple[str, Keys]], rate: float, total: int) -> Figures:
        """Open the streams, and send."""
        games = len(scripts)
        hosts, listeners, listening = list[Player](), list[Player](), []
        for name, keys in begun:
            hosts.append(Player(self._server, name, "", keys.host))  # sits at both seats
            players = [Player(self._server, name, seat, key) for seat, key in keys.seats.items()]
            listening += [asyncio.create_task(self._listen(player)) for player in players]
            listeners += players
        await self._heard(listeners, dict.fromkeys(listeners, 0))
        before, start = self._cpu(), time.perf_counter() + 0.5
        working: list[asyncio.Task[None]] = []
        guessing = asyncio.create_task(self._guess([player.path for player in hosts])) if self._wrong else None
        sent = 0
        for turn in range(total):
            _, orders = scripts[turn % games]
            if turn // games >= len(orders):
                working.append(working[-games])  # this game is over
                continue
            due = start + turn / rate
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            order = orders[turn // games]
            before_it = working[-games] if turn >= games else None
            working.append(asyncio.create_task(self._send(hosts[turn % games], order, due, before_it)))
            sent += 1
        await asyncio.gather(*working)
        cpu = self._cpu() - before
        await self._heard(listeners, {player: await self._number(player) for player in listeners})
        if guessing and guessing.done():
            self.errors.append(f"the guessing stopped: {guessing.exception()!r}")
        for task in (*listening, *([guessing] if guessing else [])):
            task.cancel()
        return Figures(sent, self.errors, sorted(self.answered), sorted(self.told), sorted(self.looked), cpu, self.refused)

    async def _heard(self, listeners: list[Player], numbers: dict[Player, int]) -> None:
        """Wait until streams have told of a state, and their players have looked."""
        end = time.monotonic() + PATIENCE
        while late := [player for player in listeners if player.heard < numbers[player]]:
            if time.monotonic() > end:
                self.errors.append(f"{len(late)} streams are late")
                return
            await asyncio.sleep(0.02)

    async def _number(self, player: Player) -> int:
        status, view = await player.asking.ask(f"{player.path}/view?seat={player.seat}")
        if status != 200:
            self.errors.append(f"{status} {view}")
        return int(view.get("number", 0))

    async def _guess(self, paths: list[str]) -> None:
        """Send wrong keys and passwords at a steady rate, whatever becomes of them."""
        chance, start = random.Random(1), time.perf_counter()
        connections = [self._server.connect("") for _ in range(20)]
        async with asyncio.TaskGroup() as sending:  # what is under way ends when this is cancelled
            for number in itertools.count():
                await asyncio.sleep(max(0.0, start + number / self._wrong - time.perf_counter()))
                key, path = f"{chance.getrandbits(192):x}", chance.choice(paths)
                asks: list[tuple[str, Any]] = [
                    (f"{path}/view?seat=*", None),
                    (f"{path}/act", {"seat": "blue", "number": 0, "action": {"kind": "done"}}),
                    ("/api/games", None),
                    ("/api/rulesets", None),
                    ("/api/games/mine", {"keys": [f"{chance.getrandbits(192):x}" for _ in range(20)]}),
                    (f"{path}/enter", {"seat": chance.choice(["blue", "axis"]), "password": f"password {number}"}),
                ]
                sending.create_task(self._refused(connections[number % len(connections)], key, *chance.choice(asks)))

    async def _refused(self, connection: Connection, key: str, path: str, body: Any) -> None:
        status, answer = await connection.ask(path, body, key)
        self.refused[status] += 1
        if status not in (404, 429) and (status, answer.get("games")) != (200, []):
            self.errors.append(f"a wrong key: {path}: {status} {answer}")

    async def _send(self, player: Player, order: dict[str, Any], due: float, before: asyncio.Task[None] | None) -> None:
        if before is not None:
            await before
        self._due[player.path] = due
        status, answer = await player.asking.ask(f"{player.path}/act", {**order, "number": player.number})
        self.answered.append(time.perf_counter() - due)
        if status != 200:
            self.errors.append(f"{status} {answer}")
        player.number = answer.get("number", 0)

    async def _listen(self, player: Player) -> None:
        try:
            async for number in player.stream.stream(f"{player.path}/stream"):
                due = self._due.get(player.path)
                if due is not None:
                    self.told.append(time.perf_counter() - due)
                    if self._look:
                        before = time.perf_counter()
                        faces = ",".join(player.faces)
                        status, answer = await player.asking.ask(f"{player.path}/view?seat={player.seat}&faces={faces}")
                        self.looked.append(time.perf_counter() - before)
                        player.faces |= answer.get("faces", {})
                        if status != 200 or answer["number"] < number:
                            self.errors.append(f"{status} at {number}")
                player.heard = number
            self.errors.append("a stream ended")
        except asyncio.CancelledError:
            pass
        except Exception as error:  # a listener that stops is an error as well
            self.errors.append(f"a listener stopped: {error!r}")

    def _cpu(self) -> float:
        fields = Path(f"/proc/{self._server.process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def share(values: list[float], part: float) -> float:
    """A quantile of sorted values, in milliseconds."""
    return round(1000 * values[min(len(values) - 1, int(part * len(values)))], 1) if values else 0.0


def measure(games: int, rate: float, seconds: float, look: bool, store: str = "", wrong: float = 0) -> Figures:
    """Run it against a new server."""
    total = int(rate * seconds)
    scripts = [script(number, -(-total // games)) for number in range(games)]
    with tempfile.TemporaryDirectory() as folder:
        place = store or str(Path(folder) / "games.sqlite")
        begun = begin([{**wanted, "passwords": _passwords(wanted) if wrong else None} for wanted, _ in scripts], place)
        with served(place) as server:
            return server.run(Load(server, look, wrong).run(scripts, begun, rate, total))


def _passwords(wanted: dict[str, Any]) -> dict[str, str]:
    """One for each game, so that there is something to guess."""
    return {"axis" if wanted["ruleset"] == "ava" else "blue": "correct horse battery staple"}


def begin(games: list[dict[str, Any]], place: str) -> list[tuple[str, Keys]]:
    """Begin games in a store before a server has it, which lets nobody begin so many at once."""
    with contextlib.closing(store_at(place)) as store:
        tables = Tables(store)
        begun = [tables.begin(**wanted) for wanted in games]
    return [(table.name, keys) for table, keys in begun]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--rate", type=float, default=50)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--look", action="store_true")
    parser.add_argument("--wrong", type=float, default=0)
    given = parser.parse_args()
    found = measure(given.games, given.rate, given.seconds, given.look, wrong=given.wrong)
    shares = (0.5, 0.9, 0.99, 1.0)
    told = {
        name: {str(part): share(values, part) for part in shares}
        for name, values in (("answered", found.answered), ("told", found.told), ("looked", found.looked))
    }
    counts = {
        "actions": found.actions,
        "errors": len(found.errors),
        "told": len(found.told),
        "looked": len(found.looked),
        "wrong": found.wrong,
    }
    print(json.dumps({**counts, "server_cpu_s": round(found.cpu, 1), "load": os.getloadavg()[0], "ms": told}, indent=1))
    print(*found.errors[:5], sep="\n")


if __name__ == "__main__":
    main()
