"""Games in a real PostgreSQL: the same as in a file, and shared by several servers."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hexwar.web import Store, Tables
from hexwar.web._store import NotKept, SqliteStore, Taken
from tests.cli.helpers import run
from tests.web import kill
from tests.web.cluster import cluster, programs
from tests.web.load import script
from tests.web.serving import Served, served

psycopg = pytest.importorskip("psycopg", reason="needs psycopg (the extra postgres)")
pytestmark = pytest.mark.skipif(programs() is None, reason="there is no PostgreSQL on this machine (apt install postgresql)")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with cluster() as found:
        yield found


@pytest.fixture
def postgres(address: str) -> Iterator[Any]:
    from hexwar.web import PostgresStore

    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("drop table if exists games, entries, texts")
    store = PostgresStore(address)
    yield store
    store.close()


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    if request.param == "sqlite":
        return SqliteStore(tmp_path / "games.sqlite")
    return request.getfixturevalue("postgres")


def test_both_stores_keep_the_same(store: Store) -> None:
    heads = [
        {"start": "save\u2028 \"'%s", "keys": {f"k{number}": ["red"]}, "seats": {"zulu": "b", "al": "a"}} for number in (1, 2)
    ]
    for number, head in enumerate(heads, 1):
        store.begin(f"game {number}", head)
    with pytest.raises(Taken):
        store.begin("game 1", heads[0])
    store.append("game 1", 0, {"seat": "red", "n": 0})
    store.append("game 1", 1, {"seat": "red", "n": 1})
    with pytest.raises(Taken):
        store.append("game 1", 1, {"seat": "blue"})
    assert store.load("game 1") == heads[0]
    agreed = store.agreed("game 1")
    assert agreed is not None
    assert {"start": heads[0]["start"], **agreed} == heads[0]
    assert ("start" in agreed) is not store.shared, "a save is not read from another computer for nothing"
    assert store.agreed("game 3") is None
    assert store.entries("game 1") == [{"seat": "red", "n": 0}, {"seat": "red", "n": 1}]
    assert store.entries("game 1", 1) == [{"seat": "red", "n": 1}]
    found = store.load("game 2")
    assert found is not None
    assert (list(found["seats"]), store.entries("game 2")) == (["zulu", "al"], [])
    assert (store.load("game 3"), store.entries("game 3")) == (None, [])
    short = [{key: value for key, value in head.items() if key != "start"} for head in heads]
    assert [tuple(kept) for kept in store.games()] == [
        ("game 2", short[1], {}, ""),
        ("game 1", short[0], {"seat": "red", "n": 1}, ""),
    ]
    assert [kept.game for kept in store.games("k1")] == ["game 1"]
    assert store.games("k") == []
    assert [kept.game for kept in store.games("k2", "k", "k1")] == ["game 2", "game 1"]
    other = {**heads[0], "keys": {"k3": ["red"], "k4": []}}
    store.agree("game 1", heads[0], other)
    for was in (heads[0], heads[1]):
        with pytest.raises(Taken):
            store.agree("game 1", was, heads[0])
    found = store.load("game 1")
    assert found is not None
    assert found == other
    assert [[kept.game for kept in store.games(key)] for key in ("k1", "k3")] == [[], ["game 1"]]
    assert store.recall("game 1", "note") == ""
    for text in ("one", "two\nlines"):
        store.remember("game 1", "note", text)
    assert store.recall("game 1", "note") == "two\nlines"
    assert store.recall("game 2", "note") == ""


def test_of_two_writers_one_is_refused(store: Store) -> None:
    store.begin("game", {"start": "", "keys": {}})
    done: list[str] = []

    def write(number: int) -> None:
        for entry in range(20):
            with contextlib.suppress(Taken):
                store.append("game", entry, {"by": number})
                done.append(f"{entry}")

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(done, key=int) == [str(number) for number in range(20)]


def test_a_database_that_is_away_is_a_sentence_and_comes_back(postgres: Any, address: str) -> None:
    table, _ = Tables(postgres).begin("bridgehead", seed=7)
    action = table.game.legal_actions("blue")[0].to_json()
    with psycopg.connect(address, autocommit=True) as connection:
        others = "pid <> pg_backend_pid() and backend_type = 'client backend'"
        connection.execute(f"select pg_terminate_backend(pid) from pg_stat_activity where {others}")
    with pytest.raises(NotKept, match="cannot be kept at the moment"):
        table.act("blue", 0, action)
    assert table.number == 0
    table.act("blue", 0, action)
    assert Tables(postgres).table(table.name).game.digest == table.game.digest


def test_serve_says_that_there_is_no_database() -> None:
    ran = run("serve", "--no-open", "--games", "postgresql://nobody@127.0.0.1:1/nothing")
    assert (ran.code, "games cannot be kept in that database" in ran.err) == (2, True)


def test_two_servers_share_a_game(postgres: Any, address: str, tmp_path: Path) -> None:
    """Players of one game at different servers: each hears what the other did, and of two that act at once one is refused."""
    key = str(tmp_path / "host.key")
    with served(address, "--key", key) as one, served(address, "--key", key) as other:
        assert one.key == other.key
        one.run(_play_at_both(one, other))


async def _play_at_both(one: Served, other: Served) -> None:
    wanted, orders = script(0, 12)
    _, begun = await one.connect().ask("/api/games", wanted)
    path, secret = f"/api/games/{begun['game']}", begun["host"]
    players = [one.connect(secret), other.connect(secret)]
    listening = [one.connect(secret), other.connect(secret)]
    streams = [connection.stream(f"{path}/stream") for connection in listening]
    assert [await anext(stream) for stream in streams] == [0, 0]
    number = 0
    for order in orders:
        answers = await asyncio.gather(*(player.ask(f"{path}/act", {**order, "number": number}) for player in players))
        assert sorted(status for status, _ in answers) == [200, 409], answers
        [number] = [answer["number"] for status, answer in answers if status == 200]
        for stream in streams:
            while await asyncio.wait_for(anext(stream), 30) < number:
                pass
        views = [await player.ask(f"{path}/view?seat=blue") for player in players]
        assert views[0] == views[1]
        assert views[0][1]["number"] == number
    for connection in (players[1], listening[1]):
        await connection.close()


def test_a_killed_server_loses_nothing(postgres: Any, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the key of the host is kept there
    found = kill.run(2, store=address, length=60)
    assert found.confirmed >= 10
