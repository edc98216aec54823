"""A server in a thread, with whatever patience a test needs, and connections that do not do what they should."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from typing import Any

from hexwar.cli.serve import listen
from hexwar.web._connections import Patience, Server

LONG = 60.0
"""Seconds after which a test gives up; nothing takes as long."""
ENDLESS = Patience(head=3600, body=3600, idle=3600)


@contextlib.contextmanager
def opened(app: Any, patience: Patience, proxies: tuple[str, ...] = ()) -> Iterator[tuple[Server, int]]:
    """A server that answers, and its port."""
    listening = listen("127.0.0.1", 0)
    server = Server(app, patience, proxies)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield server, listening.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()


class Caller:
    """A connection.

    Args:
        port: of the server.
        begun: what it sends at once.
        address: from where; any of 127.0.0.0/8 on Linux.
    """

    def __init__(self, port: int, begun: bytes = b"", address: str = "127.0.0.1") -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=LONG, source_address=(address, 0))
        self.send(begun)

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def rest(self) -> bytes:
        """All that comes until the other side hangs up."""
        got = b""
        with contextlib.suppress(ConnectionError):
            while part := self.socket.recv(1 << 16):
                got += part
        return got

    @property
    def is_open(self) -> bool:
        """Whether the other side has not hung up yet."""
        self.socket.setblocking(False)
        try:
            return self.socket.recv(1, socket.MSG_PEEK) != b""
        except BlockingIOError:
            return True
        except ConnectionError:
            return False
        finally:
            self.socket.settimeout(LONG)

    def answer(self, request: bytes) -> tuple[int, bytes]:
        """Status and body of the answer to a request; 0 if there is none."""
        with contextlib.suppress(ConnectionError):
            self.send(request)
            head = b""
            while b"\r\n\r\n" not in head and (part := self.socket.recv(1 << 16)):
                head += part
            head, _, body = head.partition(b"\r\n\r\n")
            length = next((int(it[15:]) for it in head.lower().split(b"\r\n") if it.startswith(b"content-length:")), 0)
            while len(body) < length and (part := self.socket.recv(1 << 16)):
                body += part
            if head:
                return int(head.split()[1]), body
        return 0, b""

    def close(self) -> None:
        self.socket.close()


def asked(path: str = "/", *headers: str, method: str = "GET", body: bytes = b"") -> bytes:
    """A request as it is sent."""
    lines = (
        f"{method} {path} HTTP/1.1",
        "Host: 127.0.0.1",
        *headers,
        *([f"Content-Length: {len(body)}"] if body else []),
        "",
        "",
    )
    return "\r\n".join(lines).encode() + body
