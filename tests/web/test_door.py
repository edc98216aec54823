"""The door: right keys are let in whatever others do, wrong ones are slowed, and no page of another origin does either."""

from __future__ import annotations

import asyncio
import json
import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.testclient import TestClient

import hexwar
from hexwar.errors import HexwarError
from hexwar.web import Limits, SqliteStore, Tables, make_app
from hexwar.web import _keys as keys_module
from hexwar.web._door import Door, Pages
from hexwar.web._limits import Bucket, TooMany
from tests.web.forge import Request as Forged
from tests.web.forge import call
from tests.web.players import HOST_KEY, Player, a_choice, begin

pytestmark = pytest.mark.usefixtures("no_time_passes")


@contextmanager
def serving(limits: Limits = Limits(), address: str = "testclient") -> Iterator[TestClient]:  # noqa: B008
    app = make_app(Tables(SqliteStore(":memory:")), HOST_KEY, hosts=("testserver",), limits=limits)
    with TestClient(app, client=(address, 1)) as client:
        yield client


def at(app: Any, address: str) -> TestClient:
    """Somebody at another address."""
    return TestClient(app, client=(address, 1))


# -- keys -----------------------------------------------------------------------------------------------------------------


def test_a_right_key_is_never_refused_for_the_misses_of_others() -> None:
    with serving(Limits(misses=5)) as client:
        game, keys = begin(client, ruleset="bridgehead", seed=7)
        answers = [Player(client, game, f"guess {number}").get("").status_code for number in range(200)]
        assert answers == [404] * 5 + [429] * 195, "wrong keys are slowed"
        blue = Player(client, game, keys["blue"])
        assert blue.get("/view", seat="blue").status_code == 200
        assert blue.act("blue", a_choice(blue, "blue"), 0).status_code == 200
        assert Player(client, game, keys["watch"]).get("/view").status_code == 200
        assert client.get("/api/games", headers={"Authorization": f"Bearer {keys['red']}"}).status_code == 200
        assert begin(client, ruleset="bridgehead")[0]


def test_who_must_wait_is_told_how_long() -> None:
    with serving(Limits(misses=1)) as client:
        game, _ = begin(client, ruleset="bridgehead", seed=7)
        Player(client, game, "a guess").get("")
        answer = Player(client, game, "another guess").get("")
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "1")
    assert answer.json()["error"] == "too many keys that open nothing came from this address: try again in 1 s"


def test_who_shows_no_key_guesses_none() -> None:
    """As an image of somebody else's page that names the server."""
    with serving(Limits(misses=2)) as client:
        game, _ = begin(client, ruleset="bridgehead", seed=7)
        assert {client.get(f"/api/games/{game}").status_code for _ in range(20)} == {404}
        assert Player(client, game, "a guess").get("").status_code == 404


@pytest.mark.parametrize("site", ["cross-site", "same-site", "something new"])
def test_requests_that_another_page_causes_are_refused_and_do_not_count(site: str) -> None:
    with serving(Limits(misses=2)) as client:
        game, keys = begin(client, ruleset="bridgehead", seed=7)
        for key in ("a guess", keys["blue"], HOST_KEY):
            for _ in range(5):
                headers = {"Sec-Fetch-Site": site, "Authorization": f"Bearer {key}"}
                answer = client.get(f"/api/games/{game}", headers=headers)
                assert (answer.status_code, "another origin" in answer.json()["error"]) == (400, True)
        assert Player(client, game, "a guess").get("").status_code == 404, "nothing was counted"


@pytest.mark.parametrize("site", ["same-origin", "none"])
def test_own_pages_and_typed_addresses_are_answered(site: str) -> None:
    with serving() as client:
        game, keys = begin(client, ruleset="bridgehead", seed=7)
        headers = {"Sec-Fetch-Site": site, "Authorization": f"Bearer {keys['blue']}"}
        assert client.get(f"/api/games/{game}", headers=headers).status_code == 200


def test_a_link_on_another_page_leads_to_the_game() -> None:
    with serving() as client:
        for page in ("/", "/play"):
            headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
            assert client.get(page, headers=headers).status_code == 200


def test_a_wrong_key_does_not_make_the_server_play_a_game_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That takes long for a long game, so anybody who knows its name could keep the server busy."""
    store = SqliteStore(tmp_path / "games.sqlite")
    table, keys = Tables(store).begin("bridgehead", seed=7)
    with TestClient(make_app(Tables(store), HOST_KEY, hosts=("testserver",))) as client:
        loaded, load = list[Any](), hexwar.load_game

        def loading(save: Any) -> Any:
            loaded.append(save)
            return load(save)

        monkeypatch.setattr(hexwar, "load_game", loading)
        assert Player(client, table.name, "wrong").get("").status_code == 404
        assert entered(client, table.name, "red", "no password was agreed") == 404
        assert not loaded
        assert Player(client, table.name, keys.seats["red"]).get("").status_code == 200
        assert loaded


def test_one_household_has_one_share_of_the_newer_addresses() -> None:
    with serving(Limits(misses=2), "2001:db8::1") as client:
        game, _ = begin(client, ruleset="bridgehead", seed=7)
        others = [at(client.app, f"2001:db8::{number:x}") for number in range(2, 9)]
        answers = [Player(other, game, "a guess").get("").status_code for other in others]
        assert answers[-1] == 429
        assert Player(at(client.app, "2001:db8:1::1"), game, "a guess").get("").status_code == 404


def test_a_spectator_who_asks_too_often_does_not_shut_out_the_others() -> None:
    with serving(Limits(requests=0.001, burst=3)) as client:
        game, keys = begin(client, ruleset="bridgehead", seed=7)
        watching = Player(client, game, keys["watch"])
        assert [watching.get("").status_code for _ in range(5)] == [200, 200, 200, 429, 429]
        assert Player(at(client.app, "192.0.2.7"), game, keys["watch"]).get("").status_code == 200


# -- passwords --------------------------------------------------------------------------------------------------------------


def entered(client: TestClient, game: str, seat: str, password: str) -> int:
    return int(client.post(f"/api/games/{game}/enter", json={"seat": seat, "password": password}).status_code)


def test_guessing_a_password_is_slowed_and_shuts_out_no_key() -> None:
    with serving(Limits(guesses=3)) as client:
        game, keys = begin(client, ruleset="bridgehead", seed=7, passwords={"red": "correct horse", "blue": "battery staple"})
        assert [entered(client, game, "red", f"wrong horse {n}") for n in range(5)] == [404, 404, 404, 429, 429]
        assert entered(client, game, "red", "correct horse") == 429, "from there"
        assert entered(client, game, "blue", "battery staple") == 200, "another seat"
        assert entered(at(client.app, "192.0.2.7"), game, "red", "correct horse") == 200, "from elsewhere"
        for key in (keys["red"], keys["blue"], HOST_KEY):
            assert Player(client, game, key).get("").status_code == 200


def test_right_passwords_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    cheap(monkeypatch)
    with serving(Limits(guesses=2)) as client:
        game, _ = begin(client, ruleset="bridgehead", seed=7, passwords={"red": "correct horse"})
        assert {entered(client, game, "red", "correct horse") for _ in range(20)} == {200}


def test_guesses_from_many_addresses_are_slowed_but_not_for_who_was_there_before(monkeypatch: pytest.MonkeyPatch) -> None:
    cheap(monkeypatch)
    with serving(Limits(guesses=1)) as client:
        game, _ = begin(client, ruleset="bridgehead", seed=7, passwords={"red": "correct horse"})
        home = at(client.app, "192.0.2.7")
        assert entered(home, game, "red", "correct horse") == 200
        answers = [entered(at(client.app, f"198.51.100.{n}"), game, "red", "wrong horse") for n in range(20)]
        assert answers == [404] * 10 + [429] * 10
        assert entered(home, game, "red", "correct horse") == 200


def test_one_password_is_checked_at_a_time_and_few_wait() -> None:
    """Each takes the memory and the time of hundreds of other requests."""
    door, go_on, running, most = Door(HOST_KEY, Limits(guesses=math.inf)), threading.Event(), [], []
    request = Request({"type": "http", "client": ("192.0.2.1", 1), "headers": list[tuple[bytes, bytes]]()})

    def check() -> str:
        running.append(1)
        most.append(len(running))
        assert go_on.wait(120)
        running.pop()
        return "a key"

    async def guess() -> list[Any]:
        guesses = [asyncio.create_task(door.enter(request, "game", "red", check)) for _ in range(40)]
        await asyncio.sleep(0)
        refused = [it for it in guesses if it.done()]
        assert len(refused) == 20, "they do not wait"
        go_on.set()
        return await asyncio.gather(*guesses, return_exceptions=True)

    answers = asyncio.run(guess())
    assert answers[:20] == ["a key"] * 20
    assert {str(it) for it in answers[20:]} == {"too many passwords are being checked: try again in 1 s"}
    assert most == [1] * 20


def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords that cost nothing, for tests that count."""
    for module in (keys_module, hexwar.web._table):
        monkeypatch.setattr(module, "key_of_password", lambda password, salt: f"key of {password} and {salt}")


# -- games and pages ----------------------------------------------------------------------------------------------------------


def test_games_are_begun_at_a_limited_rate() -> None:
    with serving(Limits(games=3)) as client:
        headers, body = {"Authorization": f"Bearer {HOST_KEY}"}, {"ruleset": "bridgehead"}
        answers = [client.post("/api/games", json=body, headers=headers) for _ in range(5)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
        assert answers[-1].json()["error"] == "too many games were begun with this key: try again in 10 s"
        assert len(client.get("/api/games", headers=headers).json()) == 3


def test_rematches_are_begun_at_a_limited_rate_and_found_at_any() -> None:
    with serving(Limits(games=2)) as client:
        game, keys = begin(client, ruleset="bridgehead", seed=7)
        for wanted in (200, 200, 429):
            blue = Player(client, game, keys["blue"])
            assert blue.post("/resign", {"seat": "blue", "number": 0}).status_code == 200
            answer = blue.post("/rematch", {})
            assert answer.status_code == wanted
            if wanted == 200:
                assert {blue.post("/rematch", {}).json()["game"] for _ in range(9)} == {answer.json()["game"]}
                game = answer.json()["game"]


def test_the_ninth_spectator_has_a_place() -> None:
    pages = Pages(Limits())
    for number in range(9):
        pages.open("game", "watch", f"192.0.2.{number % 3}", watching=True)
    for _ in range(41):
        pages.open("game", "watch", "192.0.2.99", watching=True)
    pages.open("game", "watch", "192.0.2.98", watching=True)


def test_open_pages_are_bounded_for_address_key_and_server() -> None:
    def most(open_one: Callable[[int], object]) -> int:
        for number in range(1000):
            try:
                open_one(number)
            except TooMany:
                return number
        raise AssertionError("there is no bound")

    limits = Limits(streams=3, watching=10, all_streams=40)
    pages = Pages(limits)
    assert most(lambda n: pages.open("game", "blue", "here", watching=False)) == 3
    assert most(lambda n: pages.open("game", "blue", f"there {n}", watching=False)) == 9
    assert most(lambda n: pages.open("game", "watch", "here", watching=True)) == 5
    assert most(lambda n: pages.open("game", "watch", f"there {n}", watching=True)) == 5
    closed = pages.open("game", "red", "here", watching=False)
    assert most(lambda n: pages.open(f"game {n}", "red", "here", watching=False)) == 40 - 12 - 10 - 1
    closed()
    pages.open("game", "red", "here", watching=False)


def test_a_closed_page_makes_room(tmp_path: Path) -> None:
    """Through the application: streams whose reader goes away are not counted any more."""
    tables = Tables(SqliteStore(":memory:"))
    table, keys = tables.begin("bridgehead", seed=7)
    app = make_app(tables, HOST_KEY, hosts=("testserver",), limits=Limits(streams=2))

    async def rounds() -> None:
        for _ in range(3):
            readers = [Reader(app, table.name, keys.seats["blue"]) for _ in range(3)]
            assert sorted([await reader.status() for reader in readers]) == [200, 200, 429]
            for reader in readers:
                await reader.leave()

    asyncio.run(rounds())


def test_one_stream_tells_of_several_games_and_closes_those_that_its_keys_do_not_open(tmp_path: Path) -> None:
    tables = Tables(SqliteStore(":memory:"))
    (one, first), (two, second) = tables.begin("bridgehead", seed=7), tables.begin("bridgehead", seed=8)
    app = make_app(tables, HOST_KEY, hosts=("testserver",))

    async def listen() -> None:
        wanted = [
            (one.name, first.seats["blue"]),
            (one.name, second.seats["blue"]),
            (two.name, second.host),
            (two.name, HOST_KEY),
        ]
        reader = Reader(app, "", "", [{"game": game, "key": key} for game, key in wanted])
        kinds = [(kind, told["at"]) for kind, told in await reader.events(4)]
        assert kinds == [("closed", 1), ("state", 0), ("state", 2), ("state", 3)]
        headers = ("host", "testserver"), ("authorization", f"Bearer {second.host}")
        body = json.dumps({"seat": "blue", "text": "well met"}).encode()
        status, _ = await call(app, Forged("POST", f"/api/games/{two.name}/chat", body, headers))
        assert status == 200
        assert await reader.events(2) == [("chat", {"at": 2}), ("chat", {"at": 3})]
        headers = ("host", "testserver"), ("authorization", f"Bearer {first.host}")
        status, _ = await call(app, Forged("POST", f"/api/games/{one.name}/keys", b'{"seat": "blue"}', headers))
        assert status == 200
        assert [(kind, told["at"]) for kind, told in await reader.events(1)] == [("closed", 0)]
        assert not reader.has_ended
        await reader.leave()
        wrong = Reader(app, "", "", [{"game": one.name, "key": "guessed"}])
        assert await wrong.status() == 404

    asyncio.run(listen())


class Reader:
    """Somebody who has a stream open, without a network."""

    def __init__(self, app: Starlette, game: str, key: str, games: list[dict[str, str]] | None = None) -> None:
        self._sent: asyncio.Queue[Any] = asyncio.Queue()
        self._gone = asyncio.Event()
        self._body = [] if games is None else [json.dumps({"games": games}).encode()]
        scope = {
            "type": "http",
            "method": "GET" if games is None else "POST",
            "path": f"/api/games/{game}/stream" if games is None else "/api/stream",
            "query_string": b"",
            "headers": [(b"host", b"testserver"), (b"authorization", f"Bearer {key}".encode())],
            "client": ("192.0.2.1", 1),
        }
        self._task = asyncio.create_task(app(scope, self._receive, self._sent.put))

    async def _receive(self) -> dict[str, Any]:
        if self._body:
            return {"type": "http.request", "body": self._body.pop(), "more_body": False}
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def events(self, number: int) -> list[tuple[str, dict[str, Any]]]:
        """The next events of several games."""
        found: list[tuple[str, dict[str, Any]]] = []
        while len(found) < number:
            part = await asyncio.wait_for(self._sent.get(), 120)
            for event in part.get("body", b"").decode().split("\n\n"):
                if event.startswith("event: "):
                    kind, _, data = event.partition("\ndata: ")
                    found.append((kind.removeprefix("event: "), json.loads(data)))
        return found

    async def status(self) -> int:
        """Of the answer, when its first part is there."""
        start = await asyncio.wait_for(self._sent.get(), 120)
        await asyncio.wait_for(self._sent.get(), 120)
        return int(start["status"])

    @property
    def has_ended(self) -> bool:
        """Whether the server has ended it."""
        return self._task.done()

    async def ended(self) -> None:
        """Wait until the server ends it."""
        await asyncio.wait_for(asyncio.shield(self._task), 120)

    async def leave(self) -> None:
        """Close the connection."""
        self._gone.set()
        await asyncio.wait_for(self._task, 120)


def test_a_bucket_gives_back_what_was_taken() -> None:
    bucket = Bucket(0.001, 2)
    for _ in range(2):
        bucket.take("somebody")
    with pytest.raises(TooMany):
        bucket.take("somebody")
    bucket.give_back("somebody")
    bucket.take("somebody")
    with pytest.raises(TooMany):
        bucket.take("somebody")
    bucket.take("another")


# -- the names of seats -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "names", [("host", "watch"), ("watch", "host"), ("*", "-1"), ("__proto__", "constructor"), ("ł ó/?&#", "%00")]
)
def test_seats_may_have_any_name(names: tuple[str, str]) -> None:
    with serving() as client:
        first, second = names
        wanted = {
            "ruleset": "bridgehead",
            "seed": 7,
            "seats": {first: "blue", second: "red"},
            "passwords": {second: "correct horse"},
        }
        begun = client.post("/api/games", json=wanted, headers={"Authorization": f"Bearer {HOST_KEY}"}).json()
        game, keys = begun["game"], begun["keys"]
        assert list(keys) == [first, second]
        assert len({*keys.values(), begun["host"], begun["watch"]}) == 4
        mine = {key: Player(client, game, key).get("").json()["mine"] for key in (*keys.values(), begun["host"], begun["watch"])}
        assert list(mine.values()) == [[first], [second], [first, second], []]
        for seat, other in (names, names[::-1]):
            player = Player(client, game, keys[seat])
            assert player.get("/view", seat=seat).json()["seat"] == seat
            assert player.get("/view", seat=other).status_code == (200 if other == "*" else 404)
            assert player.get("/view", seat="").json()["seat"] is None
            assert Player(client, game, begun["watch"]).get("/view", seat=seat).status_code == (200 if seat == "*" else 404)
        one = Player(client, game, keys[first])
        assert one.act(first, a_choice(one, first), 0).status_code == 200
        answer = client.post(f"/api/games/{game}/enter", json={"seat": second, "password": "correct horse"})
        assert Player(client, game, answer.json()["key"]).get("").json()["mine"] == [second]
        with_bot = {**wanted, "bots": {first: "random"}, "passwords": {}}
        begun = client.post("/api/games", json=with_bot, headers={"Authorization": f"Bearer {HOST_KEY}"}).json()
        assert Player(client, begun["game"], begun["host"]).get("").json()["mine"] == [second]


@pytest.mark.parametrize("name", ["", " ", "\n", "a\tb", "\x00", "\ud800"])
def test_seats_that_nobody_could_name_are_refused(name: str) -> None:
    with pytest.raises(HexwarError, match="no name that can be shown"):
        hexwar.new_game("bridgehead", seats={name: "blue", "red": "red"})


# -- a browser's keys -----------------------------------------------------------------------------------------------------------


def mine(client: TestClient, keys: Any, key: str = "") -> Any:
    return client.post(
        "/api/games/mine", content=json.dumps({"keys": keys}), headers={"Authorization": f"Bearer {key}"} if key else {}
    )


def test_all_keys_are_asked_at_once() -> None:
    with serving(Limits(misses=1)) as client:
        (first, keys), (second, others) = begin(client, ruleset="bridgehead"), begin(client, ruleset="bridgehead")
        begin(client, ruleset="bridgehead")
        asked = ["old 1", others["red"], "old 2", keys["watch"], keys["blue"], "\ud800"]
        for _ in range(5):
            found = mine(client, asked).json()
            assert [(it["game"], it["key"], it["mine"]) for it in found["games"]] == [(second, 1, ["red"]), (first, 3, [])]
            assert (found["host"], found["dead"]) == (False, [0, 2, 5])
        found = mine(client, asked, HOST_KEY).json()
        assert [(it["key"], it["mine"]) for it in found["games"]] == [(None, ["blue", "red"]), (1, ["red"]), (3, [])]
        assert (found["host"], found["dead"]) == (True, [0, 2, 5])
        assert mine(client, [keys["blue"]]).json()["server"] == found["server"]
        assert HOST_KEY not in mine(client, asked, HOST_KEY).text


def test_no_key_lists_no_game() -> None:
    with serving() as client:
        begin(client, ruleset="bridgehead")
        for keys in ([], [""], [HOST_KEY]):
            assert mine(client, keys).json()["games"] == []


@pytest.mark.parametrize("keys", [None, "key", [1], [None], [["key"]], ["key"] * 201, {"key": 1}])
def test_the_list_of_keys_is_checked(keys: Any) -> None:
    with serving() as client:
        assert mine(client, keys).status_code == 400


def test_who_asks_for_many_keys_at_once_guesses_no_faster() -> None:
    with serving(Limits(misses=3)) as client:
        answers = [mine(client, [f"guess {round_} {number}" for number in range(200)]).status_code for round_ in range(5)]
        assert answers == [200, 200, 200, 429, 429]
