"""Connections: how many there may be and how long each may take, so that waiting clients cannot keep others out.

An application hears of a request when its head is complete. What comes before is the business of the server, and uvicorn waits
for a head, or for the rest of a body, as long as the other side likes.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import ipaddress
import logging
import math
import socket
import time
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Sequence
from enum import IntEnum
from http import HTTPStatus
from typing import Any, NamedTuple

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from hexwar.errors import HexwarError
from hexwar.web._sealed import HEADERS

RESERVED = 64
"""How many files may be open besides connections: games, the program, pages that are read."""
FEWEST = 8
"""How many connections there may be, however few files may be open."""
EXHAUSTED = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
BACKLOG = 2048
"""How many may wait to be taken, as the system permits."""
PAUSE = 0.05
"""Seconds after a failure until the next connection is taken."""
QUIET = 60.0
"""Seconds in which the log has one line about that, however often it happens."""
IDLE_AFTER_ALL = 1.0
"""How much later than uvicorn the watch closes an idle connection."""

log = logging.getLogger("hexwar.web")


class Patience(NamedTuple):
    """How many connections there may be, and how long the server waits for the other side."""

    connections: int = 2000
    """Open at the same time; fewer where the system allows fewer open files."""
    waiting: int = 200
    """From one address without a request that is being answered; an IPv6 address stands for its /64 network."""
    head: float = 10.0
    """Seconds until the head of a request is there, from when the connection is opened or the head begins."""
    body: float = 15.0
    """Seconds until the body of a request is there, or an answer has been taken ..."""
    rate: float = 4096.0
    """Bytes a second; a longer body gets the time that it needs at this rate on top."""
    idle: int = 5
    """Seconds between two requests."""


class Waiting(IntEnum):
    """What a connection waits for."""

    LEAVING = 0
    """That what was said goes out, and nothing else."""
    KNOCKING = 1
    """A head, and there has been none yet."""
    IDLE = 2
    """Another head, of which nothing has come."""
    ASKING = 3
    """The rest of another head."""
    SENDING = 4
    """The rest of a body."""
    TAKING = 5
    """That the other side takes its answer."""
    SERVED = 6
    """An answer: the server's turn. Such a connection is not closed for another."""


class Server(uvicorn.Server):
    """A server that takes connections one at a time, makes room for them, and watches each.

    Args:
        app: what answers.
        patience: with what.
        proxies: addresses and networks that say in their headers for whom they ask (`X-Forwarded-For`, `X-Forwarded-Proto`).

    Raises:
        HexwarError: one of the proxies is neither.
    """

    def __init__(self, app: ASGIApp, patience: Patience = Patience(), proxies: Sequence[str] = ()) -> None:  # noqa: B008
        self.connections = Connections(patience, proxies)
        super().__init__(
            uvicorn.Config(
                app,
                log_level="error",  # malformed requests are not logged
                ws="none",
                proxy_headers=bool(proxies),
                forwarded_allow_ips=list(networks(proxies)),
                timeout_keep_alive=patience.idle,
                timeout_graceful_shutdown=2,
            )
        )
        self._accepting: list[asyncio.Task[None]] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to take connections."""
        await super().startup(sockets=[])
        self._accepting = [asyncio.create_task(self._accept(listening)) for listening in sockets or ()]

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no more, and end."""
        for task in self._accepting:
            task.cancel()
        await asyncio.gather(*self._accepting, return_exceptions=True)
        await super().shutdown(sockets)

    async def _accept(self, listening: socket.socket) -> None:
        listening.setblocking(False)
        listening.listen(BACKLOG)
        loop, told = asyncio.get_running_loop(), -math.inf
        while True:
            try:
                connection, _ = await loop.sock_accept(listening)
                connection.setblocking(False)
                await loop.connect_accepted_socket(self._watched, connection)
            except OSError as error:
                if error.errno in EXHAUSTED and time.monotonic() - told > QUIET:
                    told = time.monotonic()
                    log.warning("a connection has to wait, for too many files are open: %s", error.strerror)
                await asyncio.sleep(PAUSE)

    def _watched(self) -> Watched:
        return Watched(self.connections, config=self.config, server_state=self.server_state, app_state=self.lifespan.state)


class Connections:
    """All connections, and which of them goes where there are too many.

    Args:
        patience: what is allowed.
        proxies: addresses and networks that ask for others, and may have as many connections as there may be in all.
    """

    def __init__(self, patience: Patience, proxies: Iterable[str] = ()) -> None:
        self.patience = patience
        self.most = min(patience.connections, max(FEWEST, _open_files() - RESERVED))
        self._open: set[Watched] = set()
        self._all = _Queue()
        self._from: defaultdict[str, _Queue] = defaultdict(_Queue)
        self._proxies = [ipaddress.ip_network(proxy) for proxy in networks(proxies)]

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, whence: str | None) -> bool:
        """Whether there is room for one more, which may have to be made."""
        if whence is not None and len(self._from.get(whence, ())) >= self.patience.waiting:
            self._from[whence].first().leave()
            return True
        return len(self._open) < self.most or self.make_room()

    def make_room(self) -> bool:
        """Close a connection that waits; whether there was one."""
        if not self._all:
            return False
        self._all.first().leave()
        return True

    def note(self, connection: Watched, before: Waiting | None, now: Waiting | None) -> None:
        """A connection waits for something else than before; None: it has not come yet, or has gone."""
        whence = connection.whence
        self._all.move(connection, before, now)
        if whence is not None:
            self._from[whence].move(connection, before, now)
            if not self._from[whence]:
                del self._from[whence]
        if now is None:
            self._open.discard(connection)
        else:
            self._open.add(connection)

    def whence(self, address: str) -> str | None:
        """With which others a connection is counted; None: with no others."""
        try:
            found = ipaddress.ip_address(address)
        except ValueError:
            return None
        if found.version == 6:
            found = found.ipv4_mapped or found
        if any(found in network for network in self._proxies):
            return None
        return str(ipaddress.ip_network((found, 64), strict=False)) if found.version == 6 else str(found)


class _Queue:
    """Connections that wait, and which of them makes room: of what most wait for, the one that has waited longest.

    So clients that wait for one kind of thing do not take the places of those that wait for another, and one that has just come
    stays for a while, however many come after it.
    """

    def __init__(self) -> None:
        self._waiting: tuple[OrderedDict[Watched, None], ...] = tuple(OrderedDict() for it in Waiting if it is not Waiting.SERVED)
        self._number = 0

    def __len__(self) -> int:
        return self._number

    def move(self, connection: Watched, before: Waiting | None, now: Waiting | None) -> None:
        if before is not None and before is not Waiting.SERVED:
            del self._waiting[before][connection]
            self._number -= 1
        if now is not None and now is not Waiting.SERVED:
            self._waiting[now][connection] = None
            self._number += 1

    def first(self) -> Watched:
        longest = max(self._waiting, key=len)
        return next(iter(longest))


class Watched(H11Protocol):
    """A connection with a deadline for whatever the other side has to do next."""

    def __init__(self, crowd: Connections, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.whence: str | None = None
        self._crowd = crowd
        self._doing: Waiting | None = None
        self._deadline = math.inf
        self._alarm: asyncio.TimerHandle | None = None
        self._heard = self._gone = False

    # -- what uvicorn is told --------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A connection was opened."""
        super().connection_made(transport)
        self.whence = self._crowd.whence(self.client[0] if self.client else "")
        if self._crowd.admit(self.whence):
            self._look()
        else:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, "the server has too many connections: try again a little later")
            self.leave()

    def data_received(self, data: bytes) -> None:
        """Something has come."""
        self._heard = True
        super().data_received(data)
        self._look()
        if self._doing is Waiting.SENDING and not self._answered:
            self._deadline += len(data) / self._crowd.patience.rate

    def on_response_complete(self) -> None:
        """An answer is on its way."""
        super().on_response_complete()
        self._look()

    def pause_writing(self) -> None:
        """The other side does not take what it is sent."""
        super().pause_writing()
        self._look()

    def resume_writing(self) -> None:
        """It does again."""
        super().resume_writing()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """A connection was closed."""
        super().connection_lost(exc)
        self._forget()

    def send_400_response(self, msg: str) -> None:
        """Answer what is not HTTP."""
        self._refuse(HTTPStatus.BAD_REQUEST, "this is not a valid HTTP request")

    # -- the watch -------------------------------------------------------------------------------------------------------

    def leave(self) -> None:
        """Close it at once: another needs the place."""
        self._forget()
        self.transport.abort()

    def _forget(self) -> None:
        self._set_alarm(math.inf)
        if self._doing is not None:
            self._crowd.note(self, self._doing, None)
        self._doing, self._gone = None, True

    @property
    def _request(self) -> RequestResponseCycle | None:
        return self.cycle  # uvicorn has None there until the first request, and does not say so

    @property
    def _answered(self) -> bool:
        return self._request is None or self._request.response_complete

    def _now_doing(self) -> Waiting:
        if self.transport.is_closing():
            return Waiting.LEAVING
        if self.conn.their_state is h11.SEND_BODY:
            return Waiting.SENDING
        if not self._answered:
            return Waiting.TAKING if self.flow.write_paused else Waiting.SERVED
        if self._request is None:
            return Waiting.KNOCKING
        if self._doing is Waiting.ASKING or self.conn.trailing_data[0]:
            return Waiting.ASKING
        return Waiting.TAKING if self.transport.get_write_buffer_size() else Waiting.IDLE

    def _look(self) -> None:
        """See what it waits for, and from now on if that is new."""
        doing = self._now_doing()
        if self._gone or doing is self._doing:
            return
        self._crowd.note(self, self._doing, doing)
        self._doing = doing
        self._set_alarm(self.loop.time() + self._allowed(doing))

    def _allowed(self, doing: Waiting) -> float:
        patience = self._crowd.patience
        if doing is Waiting.SERVED:
            return math.inf
        if doing in (Waiting.KNOCKING, Waiting.ASKING):
            return patience.head
        if doing is Waiting.IDLE:
            return patience.idle + IDLE_AFTER_ALL
        if doing is Waiting.SENDING:
            return patience.body
        return patience.body + self.transport.get_write_buffer_size() / patience.rate

    def _set_alarm(self, deadline: float) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._deadline = deadline
        self._alarm = None if math.isinf(deadline) else self.loop.call_at(deadline, self._ring)

    def _ring(self) -> None:
        self._look()
        if self._deadline > self.loop.time():
            self._set_alarm(self._deadline)
        elif self._doing in (Waiting.KNOCKING, Waiting.ASKING, Waiting.SENDING) and self._heard:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT, "the rest of the request did not come in time")
        elif self._doing in (Waiting.LEAVING, Waiting.TAKING):
            self.transport.abort()
        else:
            self.transport.close()
        self._look()

    def _refuse(self, status: HTTPStatus, sentence: str) -> None:
        """Say something without the application, if nothing has been said, and close the connection."""
        if self._request is None or not self._request.response_started or self.conn.our_state is h11.IDLE:
            body = sentence.encode()
            headers = {**HEADERS, "Content-Type": "text/plain", "Content-Length": str(len(body)), "Connection": "close"}
            lines = (f"HTTP/1.1 {status.value} {status.phrase}", *(f"{name}: {value}" for name, value in headers.items()))
            self.transport.write("\r\n".join((*lines, "", "")).encode() + body)
        self.transport.close()


def networks(proxies: Iterable[str]) -> tuple[str, ...]:
    """Addresses and networks of proxies, as they are.

    Raises:
        HexwarError: one of them is neither.
    """
    try:
        return tuple(str(ipaddress.ip_network(proxy)) for proxy in proxies)
    except ValueError as error:
        raise HexwarError(f"a proxy is an address, such as 127.0.0.1, or a network, such as 10.0.0.0/8: {error}") from None


def _open_files() -> float:
    """How many files the process may have open."""
    with contextlib.suppress(ImportError, OSError, ValueError):  # not on Windows
        import resource

        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        return math.inf if soft == resource.RLIM_INFINITY else soft
    return math.inf
