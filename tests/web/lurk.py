"""The attack of `tests.web.loris`, in a process of its own: `python lurk.py PORT HEADS BODIES IDLE ADDRESSES SECONDS`.

Connections to this computer that send half a head, half a body or nothing, stay as long as they may and come back. It says when
all of them have come, and at the end, or when its input is closed, how many it opened.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import sys
from collections import Counter

HEAD = b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: "
BODY = b'POST /api/games/x/act HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 60000\r\n\r\n{"seat": "'
MOST = 5000
"""How many may wait at the same time."""
LONGEST = 600
"""Seconds that the attack may last."""


async def wait(port: int, sent: bytes, address: str, count: Counter[str]) -> None:
    """Wait, and come back one to three seconds after having been sent away."""
    while True:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
        except OSError:
            count["refused"] += 1
        else:
            count["opened"] += 1
            with contextlib.suppress(OSError):
                try:
                    writer.write(sent)
                    await reader.read()
                finally:
                    writer.close()
        await asyncio.sleep(random.uniform(1, 3))


async def attack(port: int, heads: int, bodies: int, idle: int, addresses: int, seconds: int) -> Counter[str]:
    """Let all of them wait."""
    count: Counter[str] = Counter()
    wanted = ([HEAD] * heads + [BODY] * bodies + [b""] * idle)[:MOST]
    waiting = [asyncio.create_task(wait(port, sent, f"127.0.0.{n % addresses + 1}", count)) for n, sent in enumerate(wanted)]
    while count.total() < len(wanted):
        await asyncio.sleep(0.05)
    print("all are there", flush=True)
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(asyncio.get_running_loop().run_in_executor(None, sys.stdin.read), min(seconds, LONGEST))
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    return count


if __name__ == "__main__":
    print(json.dumps(asyncio.run(attack(*map(int, sys.argv[1:])))))
