"""Games over days: lists, resignation, saves, rematches, notes, passwords, spectators, and the rules that a game began with."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import hexwar
from hexwar.web import Limits, SqliteStore, Tables, make_app
from tests.web.players import HOST_KEY, Player, a_choice, begin


def host_of(client: TestClient, game: str = "") -> Player:
    return Player(client, game, HOST_KEY)


def listed(client: TestClient, key: str) -> list[dict[str, Any]]:
    answer = client.get("/api/games", headers={"Authorization": f"Bearer {key}"})
    assert answer.status_code == 200, answer.text
    return list(answer.json())


def play(player: Player, steps: int) -> int:
    """Take the first choice that there is, several times; the number of the latest state."""
    for _ in range(steps):
        view = player.get("/view").json()
        seat = view["to_move"][0]
        assert player.act(seat, a_choice(player, seat), view["number"]).status_code == 200
    return int(player.get("/view").json()["number"])


# -- lists ----------------------------------------------------------------------------------------------------------------


def test_the_host_sees_all_games_and_a_player_his_own(client: TestClient) -> None:
    first, keys = begin(client, ruleset="bridgehead", seed=7)
    second, others = begin(client, ruleset="bridgehead", bots={"red": "random"})
    assert [it["game"] for it in listed(client, HOST_KEY)] == [second, first]
    [entry] = listed(client, keys["red"])
    assert (entry["game"], entry["mine"], entry["to_move"], entry["number"]) == (first, ["red"], ["blue", "red"], 0)
    assert (entry["title"], entry["bots"], entry["over"]) == ("Bridgehead", {}, None)
    assert [it["mine"] for it in listed(client, others["host"])] == [["blue"]]
    assert [it["mine"] for it in listed(client, others["watch"])] == [[]]
    assert client.get("/api/games", headers={"Authorization": "Bearer nonsense"}).status_code == 404
    assert client.get("/api/games").status_code == 404


def test_a_list_says_where_a_game_is_without_opening_it(client: TestClient, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, keys = begin(client, ruleset="bridgehead", seed=7)
    play(Player(client, game, keys["host"]), 4)
    view = Player(client, game, keys["red"]).get("/view", seat="red").json()
    with TestClient(make_app(Tables(SqliteStore(file)), HOST_KEY, hosts=("testserver",))) as again:
        monkeypatch.setattr(hexwar, "load_game", None)
        [entry] = listed(again, keys["red"])
    assert entry["number"] == view["number"] > 0
    assert {name: entry[name] for name in ("turn", "phase", "to_move")} == {
        name: view[name] for name in ("turn", "phase", "to_move")
    }
    assert entry["last"] >= entry["begun"] > 0


def test_the_host_sits_where_people_sit(client: TestClient) -> None:
    game, _ = begin(client, ruleset="bridgehead", seed=7, bots={"red": "random"})
    host = host_of(client, game)
    assert host.get("").json()["mine"] == ["blue"]
    assert host.get("/view", seat="blue").status_code == 200
    assert host.get("/view", seat="red").status_code == 404


# -- the end --------------------------------------------------------------------------------------------------------------


def test_who_resigns_ends_the_game(client: TestClient, file: Path) -> None:
    game, keys = begin(client, ruleset="bridgehead", seed=7)
    blue, red = (Player(client, game, keys[seat]) for seat in ("blue", "red"))
    action = a_choice(blue, "blue")
    assert red.post("/resign", {"seat": "blue", "number": 0}).status_code == 404
    assert red.post("/resign", {"seat": "red", "number": 1}).status_code == 409
    assert red.post("/resign", {"seat": "red", "number": 0}).json() == {"number": 1}
    view = blue.get("/view", seat="blue").json()
    assert (view["result"], view["question"], view["to_move"], view["undo"]) == ("red has resigned", None, [], [])
    assert listed(client, keys["blue"])[0]["over"] == "red has resigned"
    assert blue.act("blue", action, 1).json() == {
        "error": "the game is over: red has resigned",
        "clause": "",
        "code": "game-over",
    }
    assert blue.post("/undo", {"seat": "blue", "number": 1}).status_code == 422
    assert blue.post("/resign", {"seat": "blue", "number": 1}).status_code == 422
    assert Tables(SqliteStore(file)).table(game).over == "red has resigned"


def test_a_game_that_was_played_out_is_not_resigned(file: Path) -> None:
    table, _ = Tables(SqliteStore(file)).begin("bridgehead", seed=3, bots={"blue": "random", "red": "random"})
    while table.move_bot():
        pass
    assert table.over == str(table.game.result)
    with pytest.raises(hexwar.Refusal, match="over"):
        table.resign("blue", table.number_for(["blue"]))


def test_a_rematch_has_the_same_keys_and_another_seed(client: TestClient) -> None:
    game, keys = begin(client, ruleset="bridgehead", seed=7, passwords={"red": "long enough"})
    blue, red, watching = (Player(client, game, keys[name]) for name in ("blue", "red", "watch"))
    assert blue.post("/rematch", {}).json()["error"] == "a rematch begins when the game is over"
    blue.post("/resign", {"seat": "blue", "number": 0})
    assert watching.post("/rematch", {}).status_code == 404
    again = blue.post("/rematch", {}).json()["game"]
    assert red.post("/rematch", {}).json()["game"] == again != game
    assert [it["game"] for it in listed(client, keys["red"])] == [again, game]
    assert Player(client, again, keys["red"]).get("/view", seat="red").json()["result"] is None
    assert Player(client, again, "").post("/enter", {"seat": "red", "password": "long enough"}).status_code == 200
    saves = [json.loads(host_of(client, name).get("/save").text) for name in (game, again)]
    assert saves[0]["seed"] == 7 != saves[1]["seed"]
    assert {key: saves[0][key] for key in ("ruleset", "scenario", "options", "seats")} == {
        key: saves[1][key] for key in ("ruleset", "scenario", "options", "seats")
    }


# -- saves ----------------------------------------------------------------------------------------------------------------


def test_a_save_is_for_the_host_until_the_game_is_over(client: TestClient, tmp_path: Path) -> None:
    game, keys = begin(client, ruleset="bridgehead", seed="very-secret-seed")
    play(Player(client, game, keys["host"]), 3)
    for name in ("blue", "watch", "host"):
        answer = Player(client, game, keys[name]).get("/save")
        assert (answer.status_code, "very-secret-seed" in answer.text) == (404, False)
    save = tmp_path / "game.hexwar"
    save.write_text(host_of(client, game).get("/save").text, encoding="utf-8")
    assert len(hexwar.load_game(save).history) == 3
    blue = Player(client, game, keys["blue"])
    blue.post("/resign", {"seat": "blue", "number": blue.get("/view", seat="blue").json()["number"]})
    assert Player(client, game, keys["watch"]).get("/save").text == save.read_text(encoding="utf-8")


def test_a_save_goes_on_as_a_new_game(client: TestClient, file: Path) -> None:
    game, keys = begin(client, ruleset="bridgehead", seed=7)
    play(Player(client, game, keys["host"]), 5)
    text = host_of(client, game).get("/save").text
    again, others = begin(client, save=text)
    one, other = Player(client, game, keys["red"]), Player(client, again, others["red"])
    views = [player.get("/view", seat="red").json() for player in (one, other)]
    assert [view.pop("number") > 0 for view in views] == [True, False]
    assert views[0] == views[1]
    assert other.get("/view", seat="blue").status_code == 404
    play(Player(client, again, others["host"]), 2)
    assert len(Tables(SqliteStore(file)).table(again).game.history) == 7


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: text[: len(text) // 2], "the save: is damaged"),
        (lambda text: text.replace('"seed": 7', '"seed": 8'), "the save: "),
        (lambda text: "[" * 100_000, "the save: "),
        (lambda text: '{"format": 99}', "reads the formats"),
    ],
)
def test_a_save_is_checked(client: TestClient, change: Any, words: str) -> None:
    game, _ = begin(client, ruleset="bridgehead", seed=7)
    text = host_of(client, game).get("/save").text
    headers = {"Authorization": f"Bearer {HOST_KEY}"}
    answer = client.post("/api/games", json={"save": change(text)}, headers=headers)
    assert (answer.status_code, words in answer.json()["error"]) == (400, True)
    assert len(listed(client, HOST_KEY)) == 1
    answer = client.post("/api/games", content=b" " * 5_000_000, headers=headers)
    assert "at most" in answer.json()["error"]


# -- the rules that a game began with -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('\\"version\\": \\"', '\\"version\\": \\"0.0.', "was written by version 0.0."),
        ('\\"content\\": \\"', '\\"content\\": \\"0', "was played with"),
        ('\\"ruleset\\": \\"bridgehead', '\\"ruleset\\": \\"footbridge', "needs what is not installed"),
    ],
)
def test_a_game_goes_on_with_its_rules_or_says_why_not(client: TestClient, file: Path, old: str, new: str, words: str) -> None:
    game, keys = begin(client, ruleset="bridgehead", seed=7)
    with sqlite3.connect(file) as database:
        [(head,)] = database.execute("select head from games")
        assert old in head
        database.execute("update games set head = ?", (head.replace(old, new),))
    with TestClient(make_app(Tables(SqliteStore(file)), HOST_KEY, hosts=("testserver",))) as later:
        answer = Player(later, game, keys["blue"]).get("/view", seat="blue")
        assert answer.status_code == 410
        assert answer.json()["error"].startswith(f"this game began with hexwar {hexwar.__version__} and cannot go on here: ")
        assert words in answer.json()["error"]
        assert listed(later, keys["blue"])[0]["game"] == game


def test_rules_that_play_a_game_differently_are_noticed(client: TestClient, file: Path) -> None:
    game, keys = begin(client, ruleset="bridgehead", seed=7)
    play(Player(client, game, keys["host"]), 3)
    with sqlite3.connect(file) as database:
        [(entry,)] = database.execute("select entry from entries where number = 2")
        other = {**json.loads(entry), "digest": "0" * 32}
        database.execute("update entries set entry = ? where number = 2", (json.dumps(other),))
    with TestClient(make_app(Tables(SqliteStore(file)), HOST_KEY, hosts=("testserver",))) as later:
        answer = Player(later, game, keys["blue"]).get("/view", seat="blue")
    assert (answer.status_code, "plays it differently" in answer.json()["error"]) == (410, True)


def test_two_processes_with_one_store_follow_each_other(client: TestClient, file: Path) -> None:
    game, keys = begin(client, ruleset="bridgehead", seed=7)
    with TestClient(make_app(Tables(SqliteStore(file)), HOST_KEY, hosts=("testserver",))) as other:
        here, there = (Player(it, game, keys["host"]) for it in (client, other))
        action = a_choice(there, "blue")
        assert play(here, 2) == 2
        assert there.act("blue", action, 0).status_code == 409
        assert there.get("/view").json() == here.get("/view").json()


def test_a_store_that_does_not_work_changes_nothing(client: TestClient, file: Path) -> None:
    game, keys = begin(client, ruleset="bridgehead", seed=7)
    blue = Player(client, game, keys["blue"])
    action = a_choice(blue, "blue")
    with sqlite3.connect(file) as database:
        database.execute("alter table entries rename to away")
    answer = blue.act("blue", action, 0)
    assert (answer.status_code, "cannot be kept" in answer.json()["error"]) == (503, True)
    with sqlite3.connect(file) as database:
        database.execute("alter table away rename to entries")
    assert blue.get("/view", seat="blue").json()["number"] == 0
    assert blue.act("blue", action, 0).status_code == 200


# -- what a seat keeps ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("what", "most"), [("note", 10_000), ("contact", 200)])
def test_a_seat_keeps_a_text_for_itself(client: TestClient, file: Path, what: str, most: int) -> None:
    game, keys = begin(client, ruleset="bridgehead", seed=7)
    blue, red = (Player(client, game, keys[seat]) for seat in ("blue", "red"))
    assert blue.get(f"/{what}", seat="blue").json() == {"text": ""}
    for text in ("attack at dawn", "attack\nat noon"):
        assert blue.post(f"/{what}", {"seat": "blue", "text": text}).json() == {"text": text}
    assert red.get(f"/{what}", seat="red").json() == {"text": ""}
    assert red.get(f"/{what}", seat="blue").status_code == 404
    assert red.post(f"/{what}", {"seat": "blue", "text": "surrender"}).status_code == 404
    assert Player(client, game, keys["watch"]).get(f"/{what}", seat="").status_code == 404
    for text in ("x" * (most + 1), "\0", "\ud800"):
        body = json.dumps({"seat": "blue", "text": text})
        answer = client.post(f"/api/games/{game}/{what}", content=body, headers={"Authorization": f"Bearer {keys['blue']}"})
        assert answer.status_code == 400
    assert Tables(SqliteStore(file)).table(game).note("blue", what) == "attack\nat noon"
    assert blue.get("/view", seat="blue").json()["number"] == 0


def test_a_password_opens_its_seat(client: TestClient, file: Path) -> None:
    game, keys = begin(client, ruleset="bridgehead", seed=7, passwords={"red": "correct horse"})
    nobody = Player(client, game, "")
    key = nobody.post("/enter", {"seat": "red", "password": "correct horse"}).json()["key"]
    assert Player(client, game, key).get("").json()["mine"] == ["red"]
    assert Player(client, game, keys["red"]).get("").json()["mine"] == ["red"]
    for seat, password in (("red", "correct house"), ("blue", "correct horse"), ("host", "correct horse"), ("red", "")):
        assert nobody.post("/enter", {"seat": seat, "password": password}).status_code == 404
    kept = file.read_bytes() + file.with_name(f"{file.name}-wal").read_bytes()
    assert not any(secret.encode() in kept for secret in ("correct horse", key))


@pytest.mark.parametrize("passwords", [{"red": "short"}, {"green": "long enough"}, {"red": None}])
def test_passwords_are_checked(client: TestClient, passwords: Any) -> None:
    body = {"ruleset": "bridgehead", "passwords": passwords}
    assert client.post("/api/games", json=body, headers={"Authorization": f"Bearer {HOST_KEY}"}).status_code == 400


# -- who only watches --------------------------------------------------------------------------------------------------------


def test_a_spectator_watches_and_does_nothing(client: TestClient) -> None:
    game, keys = begin(client, ruleset="bridgehead", seed=7)
    watching, blue = (Player(client, game, keys[name]) for name in ("watch", "blue"))
    assert watching.get("").json()["mine"] == []
    view = watching.get("/view").json()
    assert (view["seat"], view["question"], view["undo"], view["to_move"]) == (None, None, [], ["blue", "red"])
    assert view["pieces"]
    assert watching.get("/ground.svg").status_code == 200
    action = a_choice(blue, "blue")
    for seat in ("blue", "red", ""):
        assert watching.act(seat, action, 0).status_code == 404
        assert watching.post("/resign", {"seat": seat, "number": 0}).status_code == 404
        for what in ("/group", "/reach", "/words", "/note") if seat else ("/note",):
            assert watching.get(what, seat=seat, key="x", unit="b1", question="status", about="").status_code == 404
    assert watching.get("/view", seat="blue").status_code == 404


# -- too much ----------------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("no_time_passes")
def test_who_guesses_keys_must_wait(file: Path) -> None:
    limits = Limits(misses=5)
    with TestClient(make_app(Tables(SqliteStore(file)), HOST_KEY, hosts=("testserver",), limits=limits)) as client:
        game, _ = begin(client, ruleset="bridgehead")
        answers = [Player(client, game, f"guess {number}").get("").status_code for number in range(10)]
        assert answers == [404] * 5 + [429] * 5


@pytest.mark.usefixtures("no_time_passes")
def test_who_asks_too_often_must_wait_and_others_need_not(file: Path) -> None:
    limits = Limits(requests=0.001, burst=3)
    with TestClient(make_app(Tables(SqliteStore(file)), HOST_KEY, hosts=("testserver",), limits=limits)) as client:
        game, keys = begin(client, ruleset="bridgehead")
        answers = [Player(client, game, keys["blue"]).get("").status_code for _ in range(5)]
        assert answers == [200, 200, 200, 429, 429]
        assert Player(client, game, keys["red"]).get("").status_code == 200
