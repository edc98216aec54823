"""Keys can be withdrawn and run out: the host of a game gives out others."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from hexwar.web import SqliteStore, Tables, make_app
from hexwar.web._table import NoSuchTable
from tests.web.browsing import Site, open_table, wait_for
from tests.web.forge import Request, call
from tests.web.players import HOST_KEY, Player, begin
from tests.web.test_door import Reader


def status(client: TestClient, game: str, key: str) -> int:
    return int(Player(client, game, key).get("").status_code)


def renew(client: TestClient, game: str, by: str, **what: Any) -> Any:
    return Player(client, game, by).post("/keys", what)


@pytest.mark.parametrize("by", ["host", "the server's host"])
def test_a_withdrawn_key_opens_nothing_and_the_new_one_its_seat(client: TestClient, file: Path, by: str) -> None:
    game, keys = begin(client, ruleset="bridgehead", seed=7, passwords={"red": "correct horse"})
    host = keys.get(by, HOST_KEY)
    assert Player(client, game, host).get("").json()["host"] is True
    new = renew(client, game, host, seat="red").json()["key"]
    assert Player(client, game, new).get("").json()["mine"] == ["red"]
    assert status(client, game, keys["red"]) == 404
    entered = client.post(f"/api/games/{game}/enter", json={"seat": "red", "password": "correct horse"})
    assert entered.status_code == 404, "the password opened the same seat"
    assert [status(client, game, keys[name]) for name in ("blue", "host", "watch")] == [200, 200, 200]
    assert client.get("/api/games", headers={"Authorization": f"Bearer {keys['red']}"}).status_code == 404
    watch = renew(client, game, host, watch=True).json()["key"]
    assert Player(client, game, watch).get("").json()["mine"] == []
    assert status(client, game, keys["watch"]) == 404
    other = renew(client, game, host, host=True).json()["key"]
    assert Player(client, game, other).get("").json()["mine"] == ["blue", "red"]
    assert status(client, game, keys["host"]) == 404
    assert not any(key.encode() in file.read_bytes() for key in (new, watch, other))


def test_what_was_withdrawn_stays_so(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite"
    store = SqliteStore(file)
    table, keys = Tables(store).begin("bridgehead", seed=7)
    new = table.renew("seat", "red")
    again = Tables(store).table(table.name)
    assert (again.seats_of(keys.seats["red"]), again.seats_of(new)) == (None, ("red",))


def test_only_the_host_gives_out_links(client: TestClient) -> None:
    game, keys = begin(client, ruleset="bridgehead", seed=7)
    for name in ("blue", "red", "watch"):
        assert Player(client, game, keys[name]).get("").json()["host"] is False
        for what in ({"seat": "red"}, {"watch": True}, {"host": True}):
            assert renew(client, game, keys[name], **what).status_code == 404
    assert [status(client, game, key) for key in keys.values()] == [200] * 4


@pytest.mark.parametrize(
    "what",
    [
        {},
        {"seat": "green"},
        {"seat": ""},
        {"seat": "red", "watch": True},
        {"watch": False},
        {"seat": 1},
        {"seat": "red", "days": 0},
        {"watch": True, "days": -1},
        {"seat": "red", "days": 10**9},
        {"host": True, "days": 3},
    ],
)
def test_what_is_asked_for_is_checked(client: TestClient, what: Any) -> None:
    game, keys = begin(client, ruleset="bridgehead", seed=7)
    assert renew(client, game, keys["host"], **what).status_code == 400
    assert [status(client, game, key) for key in keys.values()] == [200] * 4


def test_a_seat_of_a_bot_has_no_key(client: TestClient) -> None:
    game, keys = begin(client, ruleset="bridgehead", seed=7, bots={"red": "random"})
    assert renew(client, game, keys["host"], seat="red").status_code == 400
    new = renew(client, game, keys["host"], seat="blue").json()["key"]
    assert Player(client, game, new).get("").json()["mine"] == ["blue"]
    assert status(client, game, keys["host"]) == 200, "the host's key opens the same seat and is another"
    assert status(client, game, keys["blue"]) == 404


def test_keys_may_run_out(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_800_000_000
    monkeypatch.setattr("hexwar.web._keys.time.time", lambda: now)
    game, keys = begin(client, ruleset="bridgehead", seed=7, days=2)
    short = renew(client, game, keys["host"], seat="red", days=1).json()["key"]
    long = renew(client, game, keys["host"], watch=True).json()["key"]
    opening = {**keys, "short": short, "long": long}
    for hours, right in ((23, {"blue", "host", "short", "long"}), (25, {"blue", "host", "long"}), (49, {"host", "long"})):
        now = 1_800_000_000 + hours * 3600
        assert {name for name, key in opening.items() if status(client, game, key) == 200} == right
    assert client.get("/api/games", headers={"Authorization": f"Bearer {keys['blue']}"}).status_code == 404


def test_pages_that_were_opened_with_a_withdrawn_key_are_shut(monkeypatch: pytest.MonkeyPatch) -> None:
    """At once, and not when the server looks after its streams the next time."""
    monkeypatch.setattr("hexwar.web._streams.HEARTBEAT", 3600.0)
    tables = Tables(SqliteStore(":memory:"))
    table, keys = tables.begin("bridgehead", seed=7)
    app = make_app(tables, HOST_KEY, hosts=("testserver",))

    async def withdraw() -> None:
        red, blue = (Reader(app, table.name, keys.seats[seat]) for seat in ("red", "blue"))
        assert [await red.status(), await blue.status()] == [200, 200]
        headers = ("host", "testserver"), ("authorization", f"Bearer {keys.host}")
        status, _ = await call(app, Request("POST", f"/api/games/{table.name}/keys", b'{"seat": "red"}', headers))
        assert status == 200
        await red.ended()
        assert not blue.has_ended
        await blue.leave()

    asyncio.run(withdraw())


def test_another_server_with_the_same_store_hears_of_it(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "games.sqlite")
    (one, keys), others = Tables(store).begin("bridgehead", seed=7), Tables(store)
    other = others.table(one.name)
    first = one.renew("seat", "red")
    assert other.seats_of(keys.seats["red"]) == ("red",), "it has not heard yet"
    other.catch_up()
    assert (other.seats_of(keys.seats["red"]), other.seats_of(first)) == (None, ("red",))
    second = one.renew("seat", "blue")
    third = other.renew("seat", "red")
    one.catch_up()
    for table in (one, other):
        assert [table.seats_of(key) for key in (first, second, third)] == [None, ("blue",), ("red",)]


def test_a_look_elsewhere_takes_in_new_keys_along_with_new_entries(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "games.sqlite")
    (one, keys), other = Tables(store).begin("bridgehead", seed=7), Tables(store)
    elsewhere = other.table(one.name)
    one.act("blue", 0, one.game.legal_actions("blue")[0].to_json())
    new = one.renew("seat", "red")
    store.shared = True
    assert other.table(one.name) is elsewhere
    assert elsewhere.number == 1
    assert (elsewhere.seats_of(keys.seats["red"]), elsewhere.seats_of(new)) == (None, ("red",))


def test_a_game_that_is_not_in_the_store_any_more_has_no_new_keys(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "games.sqlite")
    table, _ = Tables(store).begin("bridgehead", seed=7)
    store._ask("delete from games")
    with pytest.raises(NoSuchTable):
        table.renew("seat", "red")
    with pytest.raises(NoSuchTable):
        table.catch_up()


def test_a_rematch_has_the_new_keys(client: TestClient) -> None:
    game, keys = begin(client, ruleset="bridgehead", seed=7)
    new = renew(client, game, keys["host"], seat="red").json()["key"]
    Player(client, game, keys["blue"]).post("/resign", {"seat": "blue", "number": 0})
    again = Player(client, game, new).post("/rematch", {}).json()["game"]
    assert [status(client, again, key) for key in (new, keys["red"], keys["host"])] == [200, 404, 200]
    assert renew(client, again, keys["host"], seat="red").status_code == 200


@pytest.mark.browser
@pytest.mark.filterwarnings("ignore")
def test_the_host_gives_out_a_new_link_on_the_page(site: Site, page: Any) -> None:
    table, keys = site.tables.begin("bridgehead", seed=7)
    red = page.context.new_page()
    red.goto(site.link(table, keys.seats["red"]))
    red.wait_for_selector("#prompt:not(:empty)")
    assert not red.is_visible("#links button")
    open_table(page, site.link(table, keys.host))
    page.click("#tab-more")
    page.click("#links > summary")
    page.click("#renewing > summary")
    page.select_option("#links select", "7")
    page.click("#links button:has-text('red')")
    page.click("#links button:has-text('Really')")
    page.wait_for_selector("#links a:has-text('red')")
    link = page.get_attribute("#links a:has-text('red')", "href")
    wait_for(lambda: "does not open it" in red.inner_text("#say"), "the old link is shut")
    red.goto(f"{site.address}{link}")
    red.wait_for_selector("#title:has-text('Bridgehead')")
    page.reload()
    page.click("#tab-more")
    page.click("#links > summary")
    page.wait_for_selector(f"#links a[href='{link}']")
    [until] = site.tables.table(table.name).head["until"].values()
    assert until > table.head["begun"] + 6 * 86_400
