"""Strangers: seats that wait for somebody, players who do not come, notices without a plugin, and pictures of scenarios."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Iterator
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import hexwar
from hexwar.errors import HexwarError
from hexwar.web import Notice, SqliteStore, Tables, make_app
from hexwar.web import _notices as notices
from hexwar.web._thumbnail import thumbnail
from tests.web.players import HOST_KEY, Player, begin

NOTICE = Notice("abc", "Bridgehead: The Lenta crossing", "blue", "anna@example.org", None, "http://testserver/play#game=abc")


@pytest.fixture
def club(file: Path) -> Iterator[TestClient]:
    app = make_app(Tables(SqliteStore(file)), HOST_KEY, hosts=("testserver",), lobby=True)
    with TestClient(app) as client:
        yield client


def test_a_stranger_takes_a_seat_that_was_left_open_and_nobody_takes_it_twice(club: TestClient) -> None:
    game, keys = begin(club, ruleset="bridgehead", seed=7, open=["red"])
    begin(club, ruleset="bridgehead", seed=8)
    (waiting,) = club.post("/api/games/mine", json={"keys": []}).json()["open"]
    assert (waiting["game"], waiting["scenario"], waiting["open"]) == (game, "The Lenta crossing", ["red"])
    assert not set(json.dumps(waiting).split('"')) & {*keys.values()}
    assert club.post(f"/api/games/{game}/take", json={"seat": "blue"}).status_code == 404
    key = club.post(f"/api/games/{game}/take", json={"seat": "red"}).json()["key"]
    assert Player(club, game, key).get("").json()["mine"] == ["red"]
    assert Player(club, game, keys["red"]).get("").status_code == 404
    assert Player(club, game, keys["blue"]).get("").json()["mine"] == ["blue"]
    assert club.post(f"/api/games/{game}/take", json={"seat": "red"}).status_code == 404
    assert club.post("/api/games/mine", json={"keys": []}).json()["open"] == []


def test_without_a_lobby_nobody_sees_or_takes_anything(client: TestClient) -> None:
    game, _ = begin(client, ruleset="bridgehead", seed=7, open=["red"])
    assert "open" not in client.post("/api/games/mine", json={"keys": []}).json()
    assert client.post(f"/api/games/{game}/take", json={"seat": "red"}).status_code == 404


def test_who_is_late_may_be_passed_on_and_nobody_before(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1_800_000_000.0]
    monkeypatch.setattr("hexwar.web._table.time.time", lambda: now[0])
    game, keys = begin(client, ruleset="bridgehead", seed=7, hours=24)
    blue, red = (Player(client, game, keys[seat]) for seat in ("blue", "red"))
    view = blue.get("/view", seat="blue").json()
    assert view["due"] == dict.fromkeys(view["to_move"], 1_800_000_000 + 24 * 3600)
    late = {"seat": "blue", "number": view["number"], "late": "red"}
    now[0] += 23 * 3600
    refused = blue.post("/late", late)
    assert (refused.status_code, refused.json()["error"]) == (422, "red is not late")
    now[0] += 2 * 3600
    assert blue.post("/late", {**late, "late": "blue"}).status_code == 422
    assert blue.post("/late", late).status_code == 200
    assert "red has resigned" in red.get("/view", seat="red").json()["result"]


def test_mail_goes_to_those_who_wrote_an_address_and_to_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[Any] = []

    class Server:
        def __init__(self, host: str, port: int, timeout: float) -> None:
            sent.append((host, port))

        def __enter__(self) -> Server:
            return self

        def __exit__(self, *error: object) -> None:
            pass

        def login(self, user: str, password: str) -> None:
            sent.append((user, password))

        def send_message(self, message: EmailMessage) -> None:
            sent.append((message["To"], message["Subject"]))

    monkeypatch.setattr("smtplib.SMTP_SSL", Server)
    way = notices.mail("smtps://club@mail.example.org", "games@example.org", "secret")
    way(NOTICE)
    assert sent == [("mail.example.org", 465), ("club", "secret"), ("anna@example.org", f"{NOTICE.title}: it is your turn")]
    for contact in ("", "anna", "a@b, c@d", "a@b\nBcc: c@d"):
        way(NOTICE._replace(contact=contact))
    assert len(sent) == 3
    for wrong in ("mail.example.org", "http://mail.example.org"):
        with pytest.raises(HexwarError, match="mail goes through"):
            notices.mail(wrong, "games@example.org")


def test_a_webhook_gets_a_line_of_json() -> None:
    heard: list[dict[str, Any]] = []

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            heard.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Hook) as server:
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        notices.webhook(f"http://127.0.0.1:{server.server_port}/hook")(NOTICE)
        thread.join(60)
    assert heard == [{**NOTICE._asdict(), "text": f"{NOTICE.title}, blue: it is your turn {NOTICE.link}"}]
    with pytest.raises(HexwarError, match="a webhook is an address"):
        notices.webhook("file:///etc/passwd")


@pytest.mark.parametrize("ruleset", ["ava", "bkc", "bridgehead", "tow", "wb95", "wop"])
def test_every_scenario_has_a_small_picture(ruleset: str, client: TestClient) -> None:
    for scenario in hexwar.rulesets()[ruleset].playable:
        drawn = gzip.decompress(thumbnail(ruleset, scenario.id)).decode()
        assert drawn.startswith("<svg")
        assert 2_000 < len(drawn) < 100_000
    answer = client.get(f"/api/rulesets/{ruleset}/{hexwar.rulesets()[ruleset].playable[0].id}.svg")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
    assert client.get(f"/api/rulesets/{ruleset}/nothing.svg").status_code == 404
