"""Behind a real proxy: streams come at once, links are safe ones, and nobody lies about where they are."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import socket
import ssl
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.applications import Starlette

from hexwar.web import Limits, SqliteStore, Tables, make_app
from tests.cli.helpers import run
from tests.web.callers import ENDLESS, LONG, opened
from tests.web.nginx import NAME, program, proxy
from tests.web.players import HOST_KEY
from tests.web.serving import served

missing = program() is None and "CI" not in os.environ
pytestmark = pytest.mark.usefixtures("no_time_passes")
needs_nginx = pytest.mark.skipif(missing, reason="there is no nginx on this machine (apt install nginx-light openssl)")
MISSES = 5


class Behind(http.client.HTTPConnection):
    """A connection from some address of this computer to a server, or to the proxy before it.

    Args:
        port: of the one or the other.
        trusted: certificates; none for a server that speaks plain HTTP.
        address: from where.
    """

    def __init__(self, port: int, trusted: ssl.SSLContext | None = None, address: str = "127.0.0.2") -> None:
        super().__init__(NAME, port, timeout=LONG)
        self._trusted, self._address = trusted, address

    def connect(self) -> None:
        self.sock = socket.create_connection(("127.0.0.1", self.port), LONG, (self._address, 0))
        if self._trusted is not None:
            self.sock = self._trusted.wrap_socket(self.sock, server_hostname=NAME)

    def ask(self, path: str, key: str = "", body: Any = None, **headers: str) -> tuple[int, Any]:
        """Status and answer, or where it leads."""
        shown = {name.replace("_", "-"): value for name, value in headers.items()} | (
            {"Authorization": f"Bearer {key}"} if key else {}
        )
        self.request("GET" if body is None else "POST", path, None if body is None else json.dumps(body), shown)
        answer = self.getresponse()
        text = answer.read()
        return answer.status, answer.headers["location"] or (json.loads(text) if text.startswith((b"{", b"[")) else text)


@contextlib.contextmanager
def called(*arguments: Any) -> Iterator[Behind]:
    connection = Behind(*arguments)
    try:
        yield connection
    finally:
        connection.close()


def application() -> Starlette:
    return make_app(Tables(SqliteStore(":memory:")), HOST_KEY, (NAME,), limits=Limits(misses=MISSES))


def guesses(port: int, trusted: ssl.SSLContext | None, address: str, forged: list[str]) -> list[int]:
    """What wrong keys are answered that come with a forged header each."""
    with called(port, trusted, address) as caller:
        return [
            caller.ask("/api/games", f"wrong {n}", X_Forwarded_For=it, Forwarded=f"for={it}")[0] for n, it in enumerate(forged)
        ]


FORGED = [f"192.0.2.{n}" for n in range(12)]
SLOWED = [404] * MISSES + [429] * (len(FORGED) - MISSES)


def test_headers_of_proxies_are_not_believed_unless_asked_for() -> None:
    with opened(application(), ENDLESS) as (_, port):
        assert guesses(port, None, "127.0.0.1", FORGED) == SLOWED
        with called(port) as caller:
            assert caller.ask("/play/", X_Forwarded_Proto="https") == (307, f"http://{NAME}:{port}/play")


def test_headers_of_proxies_are_believed_from_these_alone() -> None:
    with opened(application(), ENDLESS, ("127.0.0.1",)) as (_, port):
        assert guesses(port, None, "127.0.0.2", FORGED) == SLOWED
        assert guesses(port, None, "127.0.0.1", FORGED) == [404] * len(FORGED)
        with called(port, None, "127.0.0.1") as caller:
            assert caller.ask("/play/", X_Forwarded_Proto="https") == (307, f"https://{NAME}:{port}/play")


@needs_nginx
def test_a_game_through_a_proxy() -> None:
    with opened(application(), ENDLESS, ("127.0.0.1",)) as (_, server), proxy(server) as (port, trusted):
        page = f"https://{NAME}:{port}"
        with called(port, trusted) as host, called(port, trusted) as listening:
            assert host.ask("/")[0] == 200
            assert host.ask("/play/") == (307, f"{page}/play")
            status, begun = host.ask("/api/games", HOST_KEY, {"ruleset": "bridgehead", "seed": 7}, Origin=page)
            assert status == 200
            path, key = f"/api/games/{begun['game']}", begun["host"]
            listening.request("GET", f"{path}/stream", headers={"Authorization": f"Bearer {key}"})
            stream = listening.getresponse()
            assert (stream.status, stream.readline(), stream.readline()) == (200, b"data: 0\n", b"\n")
            _, view = host.ask(f"{path}/view?seat=blue", key)
            group = view["question"]["groups"][0]["key"]
            action = host.ask(f"{path}/group?seat=blue&key={group}", key)[1]["choices"][0]["action"]
            order = {"seat": "blue", "number": 0, "action": action}
            assert host.ask(f"{path}/act", key, order, Origin="https://elsewhere.example")[0] == 400
            assert host.ask(f"{path}/act", key, order, Origin=page)[0] == 200
            assert stream.readline().startswith(b"data: "), "no part of the proxy keeps it back"
            large = {"save": "x" * 3_900_000}
            assert host.ask("/api/games", HOST_KEY, large)[0] == 400, "the server has looked at it"
            stream.close()


@needs_nginx
def test_nobody_behind_a_proxy_lies_about_their_address() -> None:
    with opened(application(), ENDLESS, ("127.0.0.1",)) as (_, server), proxy(server) as (port, trusted):
        assert guesses(port, trusted, "127.0.0.2", FORGED) == SLOWED
        assert guesses(port, trusted, "127.0.0.3", FORGED[:3]) == [404] * 3, "others are not concerned"
        assert guesses(port, trusted, "127.0.0.2", ["127.0.0.3", "127.0.0.1, 127.0.0.1", ""]) == [429] * 3
    with (
        opened(application(), ENDLESS, ("127.0.0.1",)) as (_, server),
        proxy(server, X_Forwarded_For="$proxy_add_x_forwarded_for") as (port, trusted),
    ):
        assert guesses(port, trusted, "127.0.0.2", FORGED) == SLOWED, "a proxy that adds to the header will do as well"


@needs_nginx
def test_a_proxy_that_is_not_trusted_asks_for_itself() -> None:
    with opened(application(), ENDLESS) as (_, server), proxy(server) as (port, trusted):
        assert guesses(port, trusted, "127.0.0.2", FORGED) == SLOWED
        assert guesses(port, trusted, "127.0.0.3", FORGED[:1]) == [429]


@needs_nginx
def test_serve_behind_a_proxy(tmp_path: Any) -> None:
    arguments = ("--trust-proxy", "127.0.0.1", "--name", f"https://{NAME}")
    with served(tmp_path / "games.sqlite", *arguments) as server, proxy(server.port) as (port, trusted):
        with called(port, trusted) as host:
            assert host.ask("/api/games", server.key) == (200, [])
            assert host.ask("/play/") == (307, f"https://{NAME}:{port}/play")
        assert server.address == f"https://{NAME}"


@pytest.mark.parametrize(
    "wrong", ["https://", "ftp://games.example.org", "https://a@b", "https://games.example.org/path", "http://a:x"]
)
def test_a_name_is_a_name_or_an_address(tmp_path: Any, wrong: str) -> None:
    ran = run("serve", "--no-open", "--port", "0", "--games", str(tmp_path / "games.sqlite"), "--name", wrong)
    assert (ran.code, "--name is a name" in ran.err) == (2, True)


def test_a_proxy_is_an_address(tmp_path: Any) -> None:
    ran = run("serve", "--no-open", "--port", "0", "--games", str(tmp_path / "games.sqlite"), "--trust-proxy", "everybody")
    assert (ran.code, "a proxy is an address" in ran.err) == (2, True)
