"""A real server in a process of its own, and a small client that costs little, for the runs that measure."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Coroutine, Iterator
from pathlib import Path
from typing import IO, Any, TypeVar

T = TypeVar("T")


class Served:
    """A running server.

    Args:
        process: the server's.
        port: where it listens.
        key: of its host.
        address: where players find it.
    """

    def __init__(self, process: subprocess.Popen[str], port: int, key: str, address: str) -> None:
        self.process, self.port, self.key, self.address = process, port, key, address
        self._connections: list[Connection] = []

    def connect(self, key: str | None = None) -> Connection:
        """A connection with a key, the host's if none is given."""
        self._connections.append(Connection(self.port, self.key if key is None else key))
        return self._connections[-1]

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something with connections, which are closed at the end."""

        async def closing() -> T:
            try:
                return await work
            finally:
                for connection in self._connections:
                    await connection.close()

        return asyncio.run(closing())

    def kill(self) -> None:
        """End it as a crash would."""
        self.process.kill()
        self.process.wait()


@contextlib.contextmanager
def served(games: Path | str | None, *arguments: str, log: IO[str] | None = None) -> Iterator[Served]:
    """`hexwar serve`, until the block is left; with the games of the data folder if none are named.

    Args:
        games: where they are kept.
        arguments: more of them.
        log: what gets its log; None: the terminal.
    """
    place = [] if games is None else ["--games", str(games)]
    command = [sys.executable, "-m", "hexwar", "serve", "--no-open", "--port", "0", *place, *arguments]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()  # Play at http://127.0.0.1:PORT/#key=KEY
            assert "#key=" in line, line
            address, _, key = line.removeprefix("Play at ").strip().partition("/#key=")
            if "--name" in arguments:
                line = process.stdout.readline()  # The server listens at 127.0.0.1, port PORT.
            yield Served(process, int(re.findall(r"\d+", line.partition("#")[0])[-1]), key, address)
        finally:
            process.kill()


class Connection:
    """A connection that is kept open: one request at a time.

    Args:
        port: of the server, on this computer.
        key: what it shows.
    """

    def __init__(self, port: int, key: str) -> None:
        self._port, self._key = port, key
        self._open: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._alone = asyncio.Lock()

    async def ask(self, path: str, body: Any = None, key: str | None = None) -> tuple[int, Any]:
        """Status and answer; with another key for once, if one is given."""
        async with self._alone:
            status, length = await self._send(path, body, self._key if key is None else key)
            assert self._open is not None
            text = await self._open[0].readexactly(length)
            return status, json.loads(text)

    async def stream(self, path: str) -> AsyncIterator[int]:
        """The numbers that a stream tells."""
        await self._send(path, None, self._key)
        assert self._open is not None
        async for line in self._open[0]:
            if line.startswith(b"data: "):
                yield int(line[6:])

    async def close(self) -> None:
        """End it."""
        if self._open is not None:
            self._open[1].close()
            with contextlib.suppress(OSError):
                await self._open[1].wait_closed()

    async def _send(self, path: str, body: Any, key: str) -> tuple[int, int]:
        if self._open is not None and self._open[0].at_eof():  # the server closes what nobody uses, and browsers do the same
            await self.close()
            self._open = None
        if self._open is None:
            self._open = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._open
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{'GET' if body is None else 'POST'} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\n"
        writer.write(f"{head}Content-Length: {len(data)}\r\n\r\n".encode() + data)
        status, length = int((await reader.readline()).split()[1]), 0
        while (line := await reader.readline()) != b"\r\n":
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return status, length
