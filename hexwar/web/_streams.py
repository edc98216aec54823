"""Streams: who listens to which games, and what they hear."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from typing import NamedTuple

from hexwar.web._table import Table

HEARTBEAT = 15.0
"""Seconds after which a stream says that it is still there."""
TALK = -1
"""What a listener hears instead of a number when somebody has said something."""
END = -1
"""Which game a stream is told about when the server stops."""
SILENCE = -2
"""... when nothing has happened for a while."""
Seats = Callable[[], tuple[str, ...] | None]
"""The seats that a reader has now; None if the key opens nothing any more."""


class Told(NamedTuple):
    """Something that a stream tells."""

    at: int
    """Which of its games it is about, `END` or `SILENCE`."""
    number: int | None
    """The number of the latest state, `TALK`, or None if the key opens nothing any more."""


class _Listener(NamedTuple):
    at: int
    queue: asyncio.Queue[Told]
    seats: Seats


class Streams:
    """All open streams of a server; each may listen to several games."""

    def __init__(self) -> None:
        self._listeners: defaultdict[str, list[_Listener]] = defaultdict(list)

    def tell(self, table: Table) -> None:
        """Tell all who listen to a game where it is now, and those whose key opens it no longer that it is closed."""
        for listener in self._listeners.get(table.name, ()):
            seats = listener.seats()
            listener.queue.put_nowait(Told(listener.at, None if seats is None else table.number_for(seats)))

    def tell_of_talk(self, table: Table) -> None:
        """Tell all who listen to a game that somebody has said something."""
        for listener in self._listeners.get(table.name, ()):
            listener.queue.put_nowait(Told(listener.at, TALK))

    def looking(self, game: str) -> set[str]:
        """The seats of those who listen to a game."""
        return {seat for listener in self._listeners.get(game, ()) for seat in listener.seats() or ()}

    def end(self) -> None:
        """End all streams."""
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.queue.put_nowait(Told(END, None))

    async def listen(self, games: Sequence[tuple[Table, Seats]]) -> AsyncIterator[Told]:
        """What listeners hear about some games, first where each of them is now; it ends when none is left."""
        queue: asyncio.Queue[Told] = asyncio.Queue()
        listening = [_Listener(at, queue, seats) for at, (_, seats) in enumerate(games)]
        latest: dict[int, int] = {}
        for listener, (table, _) in zip(listening, games, strict=True):
            self._listeners[table.name].append(listener)
            latest[listener.at] = table.number_for(listener.seats() or ())
        try:
            for at, number in latest.items():
                yield Told(at, number)
            while latest:
                try:
                    told = await asyncio.wait_for(queue.get(), HEARTBEAT)
                except TimeoutError:
                    for listener in listening:
                        if listener.seats() is None:  # the key has run out
                            queue.put_nowait(Told(listener.at, None))
                    yield Told(SILENCE, None)
                    continue
                if told.at == END:
                    return
                if told.at not in latest:
                    continue
                if told.number is None:
                    del latest[told.at]
                elif told.number != TALK:
                    if (
                        told.number == latest[told.at] and not games[told.at][0].stopped
                    ):  # that somebody chose in secret is a secret
                        continue
                    latest[told.at] = told.number
                yield told
        finally:
            for listener, (table, _) in zip(listening, games, strict=True):
                self._listeners[table.name].remove(listener)
                if not self._listeners[table.name]:
                    del self._listeners[table.name]
