"""A line to a server that can go dead: it takes what is sent and passes nothing on, and nobody is told."""

from __future__ import annotations

import contextlib
import selectors
import socket
import threading
from collections.abc import Iterator


class Line:
    """A line to a port of this computer.

    Args:
        target: the port.
    """

    def __init__(self, target: int) -> None:
        self._target = target
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self.passes_questions = True
        self.passes_answers = True
        self._other: dict[socket.socket, tuple[socket.socket, bool]] = {}
        """An end -> the other end, and whether what comes from it is a question."""
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listening, selectors.EVENT_READ)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def die(self, *, questions_too: bool = True) -> None:
        """From now on no answers pass, and no questions either, unless these shall arrive."""
        self.passes_answers, self.passes_questions = False, not questions_too

    def live(self) -> None:
        """Pass everything again; what came meanwhile is lost."""
        self.passes_answers = self.passes_questions = True

    def close(self) -> None:
        """End it."""
        self._over.set()
        self._thread.join(10)
        for end in (self._listening, *self._other):
            end.close()
        self._selector.close()

    def _work(self) -> None:
        while not self._over.is_set():
            for key, _ in self._selector.select(0.02):
                if key.fileobj is self._listening:
                    self._begin(self._listening.accept()[0])
                else:
                    self._read(key.fileobj)  # type: ignore[arg-type]

    def _begin(self, caller: socket.socket) -> None:
        called = socket.create_connection(("127.0.0.1", self._target))
        self._other |= {caller: (called, True), called: (caller, False)}
        for end in (caller, called):
            self._selector.register(end, selectors.EVENT_READ)

    def _read(self, end: socket.socket) -> None:
        data = b""
        with contextlib.suppress(OSError):
            data = end.recv(1 << 16)
        if not data:
            self._selector.unregister(end)
        other, question = self._other[end]
        with contextlib.suppress(OSError):
            if not data:
                other.shutdown(socket.SHUT_WR)
            elif self.passes_questions if question else self.passes_answers:
                other.sendall(data)


@contextlib.contextmanager
def line_to(port: int) -> Iterator[Line]:
    """A line that lives until the block is left."""
    line = Line(port)
    try:
        yield line
    finally:
        line.close()
