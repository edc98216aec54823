"""Notices: who gets one, who does not, and what a plugin that fails or is slow does to a game."""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from hexwar.plugins import Plugins
from hexwar.web import Notice, SqliteStore, Tables, make_app
from hexwar.web import _notices as notices
from tests.plugins.sample import plugin, using
from tests.web.players import HOST_KEY, Player, a_choice, begin

SENT: queue.Queue[Notice] = queue.Queue()
SLOW = threading.Event()


def note_down(notice: Notice) -> None:
    SENT.put(notice)


def fail(notice: Notice) -> None:
    raise OSError("no mail today")


def hang(notice: Notice) -> None:
    SLOW.wait(60)


def client_with(file: Path, **ways: str) -> Iterator[TestClient]:
    manager = Plugins()
    manager.register(plugin(hexwar_notices=lambda: {name: f"{__name__}:{it}" for name, it in ways.items()}), "toy")
    app = make_app(Tables(SqliteStore(file)), HOST_KEY, hosts=("testserver",), address="http://testserver")
    with using(manager), TestClient(app) as client:
        yield client


@pytest.fixture
def posting(file: Path) -> Iterator[TestClient]:
    while not SENT.empty():
        SENT.get()
    yield from client_with(file, broken="fail", post="note_down")


def to_the_end_of_a_turn(player: Player) -> int:
    """Go on until one seat alone is asked, and then another: the number of the latest state."""
    view = player.get("/view").json()
    first = None
    while True:
        seats = view["to_move"]
        if len(seats) == 1 and first is None:
            first = seats[0]
        if first is not None and seats != [first]:
            return int(view["number"])
        assert player.act(seats[0], a_choice(player, seats[0]), view["number"]).status_code == 200
        view = player.get("/view").json()


def test_who_is_asked_and_does_not_look_gets_a_notice(posting: TestClient) -> None:
    game, keys = begin(posting, ruleset="bridgehead", seed=7)
    Player(posting, game, keys["red"]).post("/contact", {"seat": "red", "text": "red@example.org"})
    host = Player(posting, game, keys["host"])
    to_the_end_of_a_turn(host)
    view = host.get("/view").json()
    asked = set(view["to_move"])
    host.post("/resign", {"seat": "red", "number": view["number"]})
    heard: list[Notice] = []
    while not heard or heard[-1].over is None:  # notices go out in order: those of the end are the last
        heard.append(SENT.get(timeout=60))
    last = heard[-2]
    assert last.seat in asked
    assert (last.game, last.over, last.link) == (game, None, f"http://testserver/play#game={game}")
    assert last.title.startswith("Bridgehead: ")
    assert {it.contact for it in heard} <= {"", "red@example.org"}
    assert not any(key in repr(heard) for key in keys.values())


def test_everybody_hears_of_the_end(posting: TestClient) -> None:
    game, keys = begin(posting, ruleset="bridgehead", seed=7)
    Player(posting, game, keys["blue"]).post("/resign", {"seat": "blue", "number": 0})
    heard = [SENT.get(timeout=60) for _ in range(2)]
    assert {(it.seat, it.over) for it in heard} == {(seat, "blue has resigned") for seat in ("blue", "red")}


def test_a_slow_plugin_does_not_stop_a_game(
    file: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(notices, "MOST_WAITING", 1)
    SLOW.clear()
    for client in client_with(file, slow="hang"):
        for _ in range(3):
            game, keys = begin(client, ruleset="bridgehead", seed=7)
            assert Player(client, game, keys["blue"]).post("/resign", {"seat": "blue", "number": 0}).status_code == 200
    SLOW.set()
    assert "a notice was dropped" in caplog.text


def test_a_bots_move_asks_a_person(posting: TestClient) -> None:
    game, keys = begin(posting, ruleset="bridgehead", seed=7, bots={"red": "random"})
    blue = Player(posting, game, keys["blue"])
    end = time.monotonic() + 60
    while SENT.empty() and time.monotonic() < end:
        view = blue.get("/view", seat="blue").json()
        if "blue" in view["to_move"]:
            with contextlib.suppress(KeyError, TypeError):  # the bot moved between two questions: look again
                blue.act("blue", a_choice(blue, "blue"), view["number"])
    assert SENT.get(timeout=1).seat == "blue"
