"""Every answer has the headers that keep a page of ours to itself, and says in a sentence what is wrong."""

from __future__ import annotations

import asyncio
import logging
import re
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from starlette.testclient import TestClient

from hexwar.web import SqliteStore, Tables, make_app
from hexwar.web._files import needed, page_texts
from hexwar.web._sealed import HEADERS
from tests.web.players import HOST_KEY, Player, begin

ASKED = [
    ("GET", "/", {}, 200),
    ("HEAD", "/", {}, 200),
    ("OPTIONS", "/", {}, 405),
    ("POST", "/", {}, 405),
    ("GET", "/nowhere", {}, 404),
    ("HEAD", "/nowhere", {}, 404),
    ("OPTIONS", "/nowhere", {}, 404),
    ("GET", "/page/nothing.js", {}, 404),
    ("GET", "/page/play.js", {}, 200),
    ("GET", "/play/", {}, 307),
    ("GET", "/", {"Host": "elsewhere.example"}, 400),
    ("GET", "/", {"Host": ""}, 400),
    ("GET", "/api/games", {}, 404),
    ("OPTIONS", "/api/games", {}, 405),
    ("DELETE", "/api/games", {}, 405),
    ("PUT", "/api/games/x/act", {}, 405),
    ("NONSENSE", "/api/games", {}, 405),
    ("POST", "/api/games", {"Authorization": f"Bearer {HOST_KEY}"}, 400),
    ("GET", "/api/games", {"Origin": "https://elsewhere.example"}, 400),
    ("GET", "/api/nowhere", {}, 404),
]


@pytest.mark.parametrize(("method", "path", "headers", "status"), ASKED)
def test_every_answer_has_the_headers(client: TestClient, method: str, path: str, headers: dict[str, str], status: int) -> None:
    answer = client.request(method, path, headers=headers, follow_redirects=False)
    assert answer.status_code == status
    assert {name: answer.headers.get_list(name) for name in HEADERS} == {name: [value] for name, value in HEADERS.items()}
    if status in (404, 405) and method != "HEAD":
        assert " " in answer.json()["error"]
    if status == 405:
        assert answer.headers["allow"]


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("games.example.org", True),
        ("Games.Example.ORG:8941", True),
        ("[::1]:8941", True),
        ("a.clubs.example", True),
        ("clubs.example", False),
        ("evilclubs.example", False),
        ("elsewhere.example", False),
        ("games.example.org.elsewhere.example", False),
        ("elsewhere.example@games.example.org", False),
        ("games.example.org:80@elsewhere.example", False),
        ("games.example.org:", False),
        ("[::1", False),
        ("", False),
    ],
)
def test_a_server_is_asked_under_its_names(file: Path, host: str, known: bool) -> None:
    names = ("games.example.org", "[::1]", "*.clubs.example")
    with TestClient(make_app(Tables(SqliteStore(file)), HOST_KEY, hosts=names)) as client:
        answer = client.get("/", headers={"Host": host})
    assert answer.status_code == (200 if known else 400)
    assert known or "allows further names with --name" in answer.json()["error"]


@pytest.mark.parametrize("broken", ["hexwar.web._door.key_of", "starlette.middleware.gzip.GZipMiddleware.__call__"])
def test_errors_of_the_server_have_the_headers(file: Path, broken: str) -> None:
    """Whether one of our routes fails or something around them."""
    app = make_app(Tables(SqliteStore(file)), HOST_KEY, hosts=("testserver",))
    client = TestClient(app, raise_server_exceptions=False)
    with patch(broken, side_effect=OSError("broken")):
        answer = client.get("/api/games")
    assert answer.status_code == 500
    assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
    assert "its log says what" in answer.json()["error"]


def test_the_head_of_a_stream_comes_without_the_stream(client: TestClient) -> None:
    game, keys = begin(client, ruleset="bridgehead", seed=7)
    answer = client.head(f"/api/games/{game}/stream", headers={"Authorization": f"Bearer {keys['blue']}"})
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert Player(client, game, keys["blue"]).get("/view", seat="blue").status_code == 200


def test_who_hangs_up_in_the_middle_of_a_body_is_not_in_the_log(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    app, sent = make_app(Tables(SqliteStore(file)), HOST_KEY, hosts=("testserver",)), []
    heard = iter([{"type": "http.request", "body": b'{"seat"', "more_body": True}, {"type": "http.disconnect"}])

    async def receive() -> Any:
        return next(heard)

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/api/games/x/act", "query_string": b"", "client": ("127.0.0.1", 1)}
    with caplog.at_level(logging.INFO):
        asyncio.run(app({**scope, "headers": [(b"host", b"testserver")]}, receive, send))
    assert not caplog.records


def test_scripts_may_be_kept_under_an_address_that_changes_with_them(client: TestClient) -> None:
    """A page itself is asked for each time; it names everything that it loads, also what its scripts import."""
    page = client.get("/play")
    assert page.headers["cache-control"] == "no-store"
    named = re.findall(r'(?:href|src)="(/page/[^"]+)"', page.text)
    assert len({name.split("/")[2] for name in named}) == 1, "one digest for all"
    for name in named:
        answer = client.get(name)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
    loaded = [name.partition("/page/")[2].partition("/")[2] for name in named]
    assert set(needed("play.js", page_texts())) <= set(loaded)
    assert client.get("/page/000000000000/play.js").status_code == 404
