"""Connections that send nothing, half of something, or take nothing: they end, and others are answered meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from hexwar.errors import HexwarError
from hexwar.web._connections import PAUSE, RESERVED, Connections, Patience
from hexwar.web._sealed import HEADERS
from tests.web.callers import ENDLESS, Caller, asked, opened

HALF = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
BEGUN = asked("/echo", "Content-Length: 1000", method="POST") + b"part of it"
LARGE = 32_000_000
"""More bytes than what lies between two programs on one computer holds."""


async def _hello(request: Request) -> Response:
    return JSONResponse({"from": request.client and request.client.host, "scheme": request.url.scheme})


async def _echo(request: Request) -> Response:
    return Response(await request.body())


async def _early(request: Request) -> Response:
    return Response("I do not read what you send")


async def _large(request: Request) -> Response:
    return Response(b"x" * LARGE)


async def _wait(request: Request) -> Response:
    async def parts() -> Any:
        yield "here\n"
        await asyncio.sleep(3600)

    return StreamingResponse(parts())


APP = Starlette(
    routes=[
        Route("/", _hello),
        Route("/echo", _echo, methods=["POST"]),
        Route("/early", _early, methods=["POST"]),
        Route("/large", _large),
        Route("/wait", _wait),
    ]
)


@contextlib.contextmanager
def callers() -> Iterator[Callable[..., Caller]]:
    """Makes connections, which are closed at the end."""
    made: list[Caller] = []

    def call(*arguments: Any) -> Caller:
        made.append(Caller(*arguments))
        return made[-1]

    try:
        yield call
    finally:
        for it in made:
            it.close()


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


SHORT = 1.0
"""Seconds after which the server gives up: more than a busy machine takes to send what the test sends at once."""


@pytest.mark.parametrize(
    ("patience", "sent", "said"),
    [
        (ENDLESS._replace(head=SHORT), b"", b""),
        (ENDLESS._replace(head=SHORT), HALF, b"408"),
        (ENDLESS._replace(head=SHORT), b"G", b"408"),
        (ENDLESS._replace(head=SHORT), asked() + HALF, b"408"),
        (ENDLESS._replace(body=SHORT), BEGUN, b"408"),
        (ENDLESS._replace(body=SHORT), BEGUN.replace(b"Content-Length: 1000", b"Transfer-Encoding: chunked") + b"\r\n", b"400"),
        (ENDLESS._replace(body=SHORT), BEGUN.replace(b"/echo", b"/early"), b"200"),
        (ENDLESS._replace(idle=0), asked(), b"200"),
    ],
    ids=[
        "nothing",
        "half a head",
        "one letter",
        "half of a second head",
        "half a body",
        "no chunks",
        "half a body unread",
        "idle",
    ],
)
def test_what_does_not_come_is_not_waited_for(patience: Patience, sent: bytes, said: bytes) -> None:
    with opened(APP, patience) as (server, port), callers() as call:
        answers = call(port, sent).rest().split(b"HTTP/1.1 ")[1:]
        assert [it[:3] for it in answers[-1:]] == ([said] if said else [])
        if said in (b"408", b"400"):
            head = answers[-1].lower()
            assert all(f"{name}: {value}\r\n".lower().encode() in head for name, value in HEADERS.items())
        until(lambda: not server.connections)


@pytest.mark.parametrize("drip", [HALF, BEGUN], ids=["a head", "a body"])
def test_a_byte_now_and_then_is_not_enough(drip: bytes) -> None:
    with opened(APP, ENDLESS._replace(head=1.0, body=1.0)) as (_, port), callers() as call:
        caller = call(port, drip)
        with contextlib.suppress(ConnectionError):
            for _ in range(3000):
                caller.send(b"x")
                time.sleep(0.02)
                if not caller.is_open:
                    break
            else:
                pytest.fail("it was listened to for a minute")


def test_a_body_that_comes_fast_enough_may_take_longer() -> None:
    """Each 100 bytes buy a minute: nobody is that slow."""
    with opened(APP, ENDLESS._replace(body=1.0, rate=100 / 60)) as (_, port), callers() as call:
        caller = call(port, BEGUN + b"x" * 490)
        time.sleep(1.5)  # longer than a body without what it buys may take
        assert caller.answer(b"x" * 500) == (200, b"part of it" + b"x" * 990)


def test_who_does_not_take_an_answer_is_not_waited_for() -> None:
    with opened(APP, ENDLESS._replace(body=SHORT, rate=1e12)) as (server, port), callers() as call:
        assert call(port, asked("/large")).socket.recv(1) == b"H"
        until(lambda: not server.connections)


def test_what_is_answered_is_not_hurried() -> None:
    """An answer may take as long as it likes, and so may a stream."""
    with opened(APP, Patience(head=SHORT, body=SHORT, idle=0)) as (_, port), callers() as call:
        waiting = call(port, asked("/wait"))
        assert b"200" in waiting.socket.recv(1 << 16)
        idle = call(port)
        assert idle.rest() == b""  # a whole time limit has passed
        assert waiting.is_open


def test_pipelined_requests_are_all_answered() -> None:
    with opened(APP, ENDLESS) as (_, port), callers() as call:
        caller = call(port, asked() * 5 + asked("/", "Connection: close"))
        assert caller.rest().count(b"HTTP/1.1 200") == 6


def test_those_who_never_asked_make_room_for_others() -> None:
    with opened(APP, ENDLESS._replace(waiting=5)) as (server, port), callers() as call:
        asks, waits = call(port), call(port, asked("/wait"))
        assert asks.answer(asked())[0] == 200
        assert b"200" in waits.socket.recv(1 << 16)
        lurking = [call(port, (HALF, BEGUN, b"")[n % 3]) for n in range(60)]
        assert call(port).answer(asked())[0] == 200
        assert waits.is_open, "it is being answered"
        assert len(server.connections) <= 6
        assert sum(it.is_open for it in lurking) <= 5


def test_who_has_asked_stays_before_those_who_never_did() -> None:
    with opened(APP, ENDLESS._replace(waiting=5)) as (_, port), callers() as call:
        asks = call(port)
        assert asks.answer(asked())[0] == 200
        for n in range(60):
            call(port, (HALF, b"")[n % 2])
        assert asks.answer(asked())[0] == 200


def test_another_address_is_not_concerned() -> None:
    with opened(APP, ENDLESS._replace(waiting=5)) as (_, port), callers() as call:
        other = call(port, HALF, "127.0.0.2")
        for _ in range(30):
            call(port, HALF)
        assert other.answer(b"\r\n")[0] == 200


def test_many_addresses_have_no_more_than_there_is() -> None:
    with opened(APP, ENDLESS._replace(connections=10)) as (server, port), callers() as call:
        for n in range(60):
            call(port, BEGUN, f"127.0.0.{n + 2}")
        assert call(port).answer(asked())[0] == 200
        assert len(server.connections) <= 10


def test_where_everybody_is_answered_there_is_no_room() -> None:
    with opened(APP, ENDLESS._replace(connections=3)) as (_, port), callers() as call:
        served = [call(port, asked("/wait")) for _ in range(3)]
        assert all(b"200" in it.socket.recv(1 << 16) for it in served)
        assert b"503" in call(port).rest()
        assert all(it.is_open for it in served)
        served[0].close()
        until(lambda: call(port).answer(asked())[0] == 200)


def test_a_trusted_proxy_may_have_all_connections() -> None:
    with opened(APP, ENDLESS._replace(waiting=5), ("127.0.0.1",)) as (server, port), callers() as call:
        for _ in range(30):
            call(port, HALF)
        until(lambda: len(server.connections) == 30)


def test_addresses_are_counted_by_network() -> None:
    crowd = Connections(Patience(), ("10.0.0.0/8", "::1"))
    whence = {
        address: crowd.whence(address) for address in ("10.1.2.3", "::1", "::ffff:10.1.2.3", "", "192.0.2.1", "::ffff:192.0.2.1")
    }
    assert list(whence.values()) == [None, None, None, None, "192.0.2.1", "192.0.2.1"]
    assert crowd.whence("2001:db8::1") == crowd.whence("2001:db8::ffff:1") != crowd.whence("2001:db8:0:1::1")
    with pytest.raises(HexwarError, match="a proxy is an address"):
        Connections(Patience(), ("localhost",))


NONSENSE = [
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)),
    b"hello\r\n\r\n",
    asked() + b"\0\0\0\r\n\r\n",
    asked("/early", "Transfer-Encoding: chunked", method="POST") + b"nonsense\r\n",
    asked("/", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAA"),
    asked("/", "Content-Length: x", method="POST"),
    asked("/" + "x" * 100_000),
    b"GET / HTTP/9.9\r\n\r\n",
    b"CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n",
]


def test_nonsense_is_not_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with opened(APP, ENDLESS) as (server, port), callers() as call, caplog.at_level(logging.INFO):
        logging.getLogger("uvicorn.error").setLevel("ERROR")
        for sent in NONSENSE * 3:
            for delay in (0.0, 0.02):
                caller = call(port, sent[:-3])
                time.sleep(delay)
                with contextlib.suppress(ConnectionError):
                    caller.send(sent[-3:])
                caller.close()
        assert call(port).answer(asked())[0] == 200
        until(lambda: len(server.connections) <= 1)
    assert [it for it in caplog.records if it.name != "uvicorn.error" or it.levelno >= logging.ERROR] == []


FEW = """
import resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (100, 100))
from hexwar.cli import main
main(["serve", "--no-open", "--port", "0", "--games", sys.argv[1]])
"""


def test_where_few_files_may_be_open_it_does_not_go_deaf(tmp_path: Any) -> None:
    """300 idle connections where the system allows 100 open files."""
    command = [sys.executable, "-u", "-c", FEW, str(tmp_path / "games.sqlite")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process, callers() as call:
        try:
            assert process.stdout is not None
            assert process.stderr is not None
            port = int(process.stdout.readline().rpartition(":")[2].partition("/")[0])
            for n in range(300):
                call(port, (HALF, b"", BEGUN)[n % 3])
                if n % 20 == 0:
                    assert call(port).answer(asked())[0] == 200
            assert call(port).answer(asked())[0] == 200
        finally:
            process.terminate()
            said = process.communicate()[1]
    assert said.count("\n") <= 2, said


def test_files_that_run_out_are_one_line_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """Something else has opened all the files that there may be: connections wait, and are answered when it has closed them."""
    with opened(APP, ENDLESS) as (server, port), callers() as call:
        assert call(port).answer(asked())[0] == 200
        waiting = call(port, HALF)
        until(lambda: len(server.connections) == 2)  # the server has opened its end as well
        before, taken = resource.getrlimit(resource.RLIMIT_NOFILE), []
        try:
            with contextlib.suppress(OSError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (waiting.socket.fileno() + 12, before[1]))
                while True:
                    taken.append(open("/dev/null"))  # noqa: SIM115, PTH123
            taken.pop().close()
            late = call(port)  # takes the last one
            until(lambda: bool(caplog.records))
            time.sleep(3 * PAUSE)  # it tries again, and says no more
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, before)
            for it in taken:
                it.close()
        assert late.answer(asked())[0] == 200
    assert sum("too many files" in it.message for it in caplog.records) == 1
    assert len(caplog.records) == 1


def test_there_are_never_more_connections_than_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexwar.web._connections._open_files", lambda: 256)
    assert Connections(Patience()).most == 256 - RESERVED
    monkeypatch.setattr("hexwar.web._connections._open_files", lambda: 20)
    assert Connections(Patience()).most == 8
