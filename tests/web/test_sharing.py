"""Servers that share a database: none answers behind the others, and none waits for a database that hangs."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

from hexwar.errors import Refusal
from hexwar.web import Tables
from hexwar.web._store import PATIENCE, NotKept
from hexwar.web._table import Stale, Table
from tests.web.cluster import cluster, programs
from tests.web.lines import Line, line_to
from tests.web.load import script
from tests.web.serving import Connection, Served, served

psycopg = pytest.importorskip("psycopg", reason="needs psycopg (the extra postgres)")
pytestmark = pytest.mark.skipif(programs() is None, reason="there is no PostgreSQL on this machine (apt install postgresql)")

SOON = 60.0
"""Seconds within which a busy machine does what is no waiting; twenty who wait in turn take longer."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with cluster() as found:
        yield found


@pytest.fixture
def line(address: str) -> Iterator[Line]:
    """A line to the database that can go dead."""
    port = urlsplit(address).port
    assert port is not None
    with line_to(port) as line:
        yield line


def through(line: Line, address: str) -> str:
    return address.replace(str(urlsplit(address).port), str(line.port))


@pytest.fixture
def stores(address: str) -> Iterator[tuple[Any, Any]]:
    """Those of two servers, neither of which listens to the other."""
    from hexwar.web import PostgresStore

    both = PostgresStore(address), PostgresStore(address)
    yield both
    for store in both:
        store.close()


@pytest.fixture
def tables(stores: tuple[Any, Any]) -> tuple[Table, Table]:
    one, other = map(Tables, stores)
    table, _ = one.begin("bridgehead", seed=7)
    return table, other.table(table.name)


def first(table: Table) -> tuple[str, Any]:
    (seat, *_) = table.game.to_move
    return seat, table.game.legal_actions(seat)[0].to_json()


def test_who_saw_the_latest_state_elsewhere_is_not_stale_here(tables: tuple[Table, Table]) -> None:
    one, other = tables
    seat, action = first(one)
    one.act(seat, one.number_for([seat]), action)
    seat, action = first(one)
    number = one.number_for([seat])
    assert (one.number, other.number) == (1, 0)
    other.act(seat, number, action)
    assert other.number == 2


def test_who_is_late_hears_so_and_no_rule(tables: tuple[Table, Table]) -> None:
    """Not even if their action was against the rules in the state that they saw."""
    one, other = tables
    seat, action = first(one)
    number = one.number_for([seat])
    one.act(seat, number, action)
    with pytest.raises(Stale):
        other.act(seat, number, {"kind": "select", "chit": "nonsense"})
    assert other.number == 1
    with pytest.raises(Refusal):
        other.act(seat, number + 1, {"kind": "select", "chit": "nonsense"})
    with pytest.raises(Stale):
        other.undo(seat, number)
    other.resign(seat, number + 1)
    with pytest.raises(Stale):
        one.act(*first(one)[:1], number + 1, first(one)[1])
    assert one.over == f"{seat} has resigned"


def test_a_look_elsewhere_shows_the_latest_state(stores: tuple[Any, Any]) -> None:
    one, other = map(Tables, stores)
    table, _ = one.begin("bridgehead", seed=7)
    elsewhere = other.table(table.name)
    seat, action = first(table)
    table.act(seat, 0, action)
    assert elsewhere.number == 0
    assert other.table(table.name).number == 1
    assert elsewhere.game.digest == table.game.digest


def test_a_damaged_entry_of_another_server_costs_that_game_alone(tables: tuple[Table, Table], stores: tuple[Any, Any]) -> None:
    from hexwar.web._store import Damaged

    one, other = tables
    seat, action = first(one)
    one.act(seat, 0, action)
    stores[0]._ask("update entries set entry = '{' where game = %s returning 1", one.name)
    with pytest.raises(Damaged, match="entry 0 of its history cannot be read"):
        other.act(seat, 1, action)
    assert [bool(kept.damage) for kept in stores[1].games() if kept.game == one.name] == [True]


def timed(work: Any) -> tuple[float, Any]:
    """How long something took, and what it returned or raised."""
    began, result = time.monotonic(), None
    try:
        result = work()
    except Exception as error:
        result = error
    return time.monotonic() - began, result


@pytest.mark.parametrize("arrives", [False, True])
def test_a_database_that_hangs_is_not_waited_for(address: str, line: Line, arrives: bool) -> None:
    """Whether the action arrives or not, its player hears soon that the store does not work, and a look shows what came of it."""
    from hexwar.web import PostgresStore

    store = PostgresStore(through(line, address))
    tables = Tables(store)
    table, _ = tables.begin("bridgehead", seed=7)
    seat, action = first(table)
    line.die(questions_too=not arrives)
    took, error = timed(lambda: table.act(seat, 0, action))
    assert isinstance(error, NotKept), error
    assert took < SOON
    assert table.number == 0
    waits = [threading.Thread(target=timed, args=(lambda: tables.store.games(),)) for _ in range(20)]
    began = time.monotonic()
    for thread in waits:
        thread.start()
    for thread in waits:
        thread.join()
    assert time.monotonic() - began < SOON < 20 * PATIENCE, "twenty do not wait one after the other"
    line.live()
    deadline = time.monotonic() + SOON
    while isinstance(timed(store.games)[1], NotKept):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert tables.table(table.name).number == arrives
    if arrives:
        with pytest.raises(Stale):
            table.act(seat, 0, action)
    else:
        table.act(seat, 0, action)
    assert table.number == 1
    store.close()


def test_a_statement_that_hangs_in_the_database_is_ended(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from hexwar.web import PostgresStore

    monkeypatch.setattr("hexwar.web._postgres.PAUSE", 3600.0)
    store = PostgresStore(address)
    table, _ = Tables(store).begin("bridgehead", seed=7)
    seat, action = first(table)
    with psycopg.connect(address) as other:
        other.execute("lock table entries")
        took, error = timed(lambda: table.act(seat, 0, action))
        assert isinstance(error, NotKept)
        assert took < SOON
        monkeypatch.setattr(store, "_answer", lambda *_: pytest.fail("the database is asked while it rests"))
        assert isinstance(timed(lambda: table.act(seat, 0, action))[1], NotKept)
    store.close()


def test_a_server_answers_while_its_database_hangs(address: str, line: Line) -> None:
    """Actions get 503, looks what is known, other pages everything; none of forty players waits long."""
    with served(through(line, address)) as server:
        server.run(_play_while_it_hangs(server, line))


async def _play_while_it_hangs(server: Served, line: Line) -> None:
    wanted, orders = script(0, 4)
    host = server.connect()
    _, begun = await host.ask("/api/games", wanted)
    path = f"/api/games/{begun['game']}"
    line.die()
    players = [server.connect() for _ in range(40)]
    began = time.monotonic()
    answers = await asyncio.gather(
        *(player.ask(f"{path}/act", {**orders[0], "number": 0}) for player in players[:20]),
        *(player.ask(f"{path}/view") for player in players[20:]),
    )
    assert time.monotonic() - began < SOON
    assert [status for status, _ in answers] == [503] * 20 + [200] * 20
    assert "nothing was done" in answers[0][1]["error"]
    line.live()
    assert await _done(host, path, {**orders[0], "number": 0}) == 1


async def _done(host: Connection, path: str, order: Any) -> int:
    deadline = time.monotonic() + SOON
    while True:
        status, answer = await host.ask(f"{path}/act", order)
        if status != 503:
            assert status == 200, answer
            return int(answer["number"])
        assert time.monotonic() < deadline
        await asyncio.sleep(0.2)
