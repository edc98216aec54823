"""The server without a browser: who may ask what, what is kept, and what nobody learns."""

from __future__ import annotations

import json
import random
import socket
from fractions import Fraction
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import hexwar
from hexwar.cli.serve import listen
from hexwar.web import SqliteStore, Tables, make_app, replay_page
from hexwar.web._scene import SeatLog
from tests.cli.helpers import run
from tests.web.players import HOST_KEY, Player, a_choice, begin


def test_only_the_host_begins_games(client: TestClient) -> None:
    wanted = {"ruleset": "bridgehead"}
    assert client.post("/api/games", json=wanted).status_code == 404
    assert client.post("/api/games", json=wanted, headers={"Authorization": "Bearer wrong"}).status_code == 404
    assert begin(client, **wanted)[0]


def test_a_key_opens_its_seat_and_no_other(client: TestClient) -> None:
    game, keys = begin(client, ruleset="bridgehead", seed=7)
    blue = Player(client, game, keys["blue"])
    assert blue.get("/view", seat="blue").status_code == 200
    assert blue.get("/view", seat="red").status_code == 404
    assert blue.act("red", {"kind": "done"}, 0).status_code == 404
    assert Player(client, game, "nonsense").get("/view", seat="blue").status_code == 404
    assert Player(client, "nogame", keys["blue"]).get("/view", seat="blue").status_code == 404
    assert Player(client, game, keys["host"]).get("/view", seat="red").status_code == 200


def test_a_choice_is_carried_out_and_told(client: TestClient) -> None:
    game, keys = begin(client, ruleset="bridgehead", seed=7)
    blue = Player(client, game, keys["blue"])
    answer = blue.act("blue", a_choice(blue, "blue"), 0)
    assert (answer.status_code, answer.json()) == (200, {"number": 1})
    assert blue.get("/view", seat="blue").json()["number"] == 1


def test_who_acts_sees_the_position_at_once(client: TestClient) -> None:
    """An answer to an action has what a look would tell, if the player says which faces he has."""
    game, keys = begin(client, ruleset="bridgehead", seed=7)
    blue = Player(client, game, keys["blue"])
    had = blue.get("/view", seat="blue").json()
    faces = ",".join(had["faces"])
    action = {"seat": "blue", "number": 0, "action": a_choice(blue, "blue"), "faces": faces}
    for what, body in (("/act", action), ("/undo", {"seat": "blue", "number": 1, "faces": faces})):
        answer = blue.post(what, body).json()
        assert answer == {"number": answer["number"], "view": blue.get("/view", seat="blue", faces=faces).json()}
    assert {**answer["view"], "number": 0, "faces": had["faces"]} == had


def test_answers_are_sent_at_once() -> None:
    with listen("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_log_follows_its_game_back_and_forth() -> None:
    game, chance = hexwar.new_game("bridgehead", seed=7), random.Random(1)
    viewer = game.view("blue").viewer
    log = SeatLog(viewer, game.world)
    undone = 0
    while game.to_move:
        (seat, *_) = game.to_move
        if game.may_undo(seat) and chance.random() < 0.3:
            game.undo(seat)
            undone += 1
        else:
            game.apply(game.offered(seat).sample(chance), seat)
        if chance.random() < 0.3:
            fresh = SeatLog(viewer, game.world)
            lines = fresh.lines(game.events)
            assert log.lines(game.events) == lines
            assert [line.event for line in lines] == game.log("blue")
            assert log.in_words(lines[-20:]) == fresh.in_words(lines[-20:])
    assert undone > 5


def test_a_refusal_names_its_rule_and_changes_nothing(client: TestClient) -> None:
    game, keys = begin(client, ruleset="bridgehead", seed=7)
    blue = Player(client, game, keys["blue"])
    answer = blue.act("blue", {"kind": "select", "chit": "no such chit"}, 0)
    assert answer.status_code == 422
    assert answer.json()["error"]
    assert blue.get("/view", seat="blue").json()["number"] == 0


def test_a_second_click_is_stale(client: TestClient) -> None:
    game, keys = begin(client, ruleset="bridgehead", seed=7)
    blue = Player(client, game, keys["blue"])
    action = a_choice(blue, "blue")
    assert blue.act("blue", action, 0).status_code == 200
    assert blue.act("blue", action, 0).status_code == 409


def test_undo_takes_back_what_one_did(client: TestClient) -> None:
    game, keys = begin(client, ruleset="bridgehead", seed=7)
    blue, red = (Player(client, game, keys[seat]) for seat in ("blue", "red"))
    before = blue.get("/view", seat="blue").json()
    blue.act("blue", a_choice(blue, "blue"), 0)
    assert red.post("/undo", {"seat": "red", "number": 0}).status_code == 422
    assert blue.post("/undo", {"seat": "blue", "number": 1}).status_code == 200
    after = blue.get("/view", seat="blue").json()
    assert {**after, "number": 0} == before


def test_everything_confirmed_is_there_after_a_restart(client: TestClient, file: Path) -> None:
    game, keys = begin(client, ruleset="bridgehead", seed=7)
    host = Player(client, game, keys["host"])
    for _ in range(6):
        view = host.get("/view", seat="blue").json()
        seat = view["to_move"][0]
        assert host.act(seat, a_choice(host, seat), view["number"]).status_code == 200
    tables = Tables(SqliteStore(file))
    table = tables.table(game)
    assert table.number == 6
    with TestClient(make_app(tables, HOST_KEY, hosts=("testserver",))) as again:
        red = Player(client, game, keys["red"]), Player(again, game, keys["red"])
        assert red[0].get("/view", seat="red").json() == red[1].get("/view", seat="red").json()


def test_bots_play_their_seats_and_a_game_of_bots_ends(file: Path) -> None:
    table, _ = Tables(SqliteStore(file)).begin("bridgehead", seed=3, bots={"blue": "random", "red": "random"})
    while table.move_bot():
        pass
    assert table.game.result is not None
    assert Tables(SqliteStore(file)).table(table.name).game.digest == table.game.digest


def test_the_seed_and_the_keys_are_in_no_answer(client: TestClient, file: Path) -> None:
    game, keys = begin(client, ruleset="bridgehead", seed="very-secret-seed")
    blue = Player(client, game, keys["blue"])
    told = "".join(json.dumps(blue.get(what, seat="blue").json()) for what in ("", "/view"))
    assert "very-secret-seed" not in told
    kept = file.read_bytes() + file.with_name(f"{file.name}-wal").read_bytes()
    assert not any(key.encode() in kept for key in keys.values())


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"[", "no JSON"),
        (b"[1]", "is an object"),
        (b'{"seat": "blue", "number": 0, "action": 3}', "action is an object"),
        (b'{"seat": "blue", "number": true, "action": {}}', "whole number"),
        (b'{"more": 1}', "is an object with"),
        (b" " * 70_000, "at most"),
        (b"[" * 50_000, "no JSON"),
    ],
)
def test_malformed_bodies_are_refused(client: TestClient, body: bytes, words: str) -> None:
    game, keys = begin(client, ruleset="bridgehead", seed=7)
    answer = client.post(f"/api/games/{game}/act", content=body, headers={"Authorization": f"Bearer {keys['blue']}"})
    assert answer.status_code == (413 if words == "at most" else 400)
    assert words in answer.json()["error"]


def test_pages_of_others_get_nothing(client: TestClient) -> None:
    game, keys = begin(client, ruleset="bridgehead", seed=7)
    blue = Player(client, game, keys["blue"])
    body = {"seat": "blue", "number": 0, "action": a_choice(blue, "blue")}
    assert blue.post("/act", body, Origin="https://elsewhere.example").status_code == 400
    assert client.get("/", headers={"Host": "rebound.example"}).status_code == 400
    assert blue.post("/act", body, Origin="http://testserver").status_code == 200


def test_no_inline_script_and_nothing_from_elsewhere(client: TestClient) -> None:
    for page in ("/", "/play"):
        answer = client.get(page)
        assert "script-src 'self'" in answer.headers["content-security-policy"]
        assert "<script>" not in answer.text
        assert "//" not in answer.text.replace("</", "")
    assert client.get("/page/../_app.py").status_code == 404


def test_mistakes_have_a_sentence(client: TestClient) -> None:
    host = {"Authorization": f"Bearer {HOST_KEY}"}
    answer = client.post("/api/games", json={"ruleset": "bridgehaed"}, headers=host)
    assert (answer.status_code, "bridgehead" in answer.json()["error"]) == (400, True)
    answer = client.post("/api/games", json={"ruleset": "bridgehead", "bots": {"green": "random"}}, headers=host)
    assert (answer.status_code, "blue" in answer.json()["error"]) == (400, True)
    game, keys = begin(client, ruleset="bridgehead")
    blue = Player(client, game, keys["blue"])
    assert blue.get("/group", seat="blue", key="nothing").status_code == 400
    assert blue.get("/words", seat="blue", question="map", about="peek.svg").status_code == 400
    assert blue.get("/rule", clause="99.9").status_code == 400
    assert blue.get("/overlay", seat="blue", name="secrets").status_code == 400
    assert blue.get("/attack", seat="blue", target="nowhere").status_code == 400
    assert blue.get("/reach", seat="blue", unit="nobody").status_code == 400


def test_a_moment_shows_the_map_as_it_was(client: TestClient) -> None:
    """Every line of the log leads to the position that the seat saw then, and no other seat may look with its eyes."""
    game, keys = begin(client, ruleset="bridgehead", seed=7)
    host = Player(client, game, keys["host"])
    seen: dict[int, dict[str, object]] = {}
    for _ in range(40):
        view = host.get("/view", seat="blue").json()
        seen.setdefault(view["log"][-1]["line"], {key: view[key] for key in ("pieces", "control", "turn", "phase")})
        seat = view["to_move"][0]
        assert host.act(seat, a_choice(host, seat), view["number"]).status_code == 200
    for line, position in seen.items():
        moment = host.get("/moment", seat="blue", line=str(line)).json()
        assert moment["line"] == line
        assert {key: moment[key] for key in position} == position
    assert Player(client, game, keys["red"]).get("/moment", seat="blue", line="0").status_code == 404


def test_odds_are_exact_and_rules_are_found(client: TestClient) -> None:
    game, keys = begin(client, ruleset="ava", scenario="training", seed=5)
    axis = Player(client, game, keys["axis"])
    question = axis.get("/view", seat="axis").json()["question"]
    choice = axis.get("/group", seat="axis", key=question["groups"][0]["key"]).json()["choices"][0]
    found = axis.get("/attack", seat="axis", target=choice["place"], units="").json()
    assert found["idle"] == ["ger-1", "ger-21"], "they stand there, but the surprise attack is not theirs"
    assert found["chosen"] == [unit for unit in found["able"] if unit not in found["idle"]]
    assert sum(Fraction(exact) for _, exact, _, _ in found["odds"]["results"]) == 1
    assert question["groups"][0]["key"] in {
        it["about"] for it in axis.get("/aimed", seat="axis", place=choice["place"]).json()["choices"]
    }
    assert axis.get("/rules", search="10.3").json()["found"][0]["clause"].startswith("10.3")
    assert axis.get("/rules", search="").json() == {"found": [], "more": 0}
    many = axis.get("/rules", search="unit").json()
    clauses = hexwar.new_game("ava", "training", seed=5).world.rules.values()
    fitting = [it for it in clauses if "unit" in f"{it.title} {it.ruling}".lower()]
    assert (len(many["found"]), many["more"]) == (40, len(fitting) - 40)
    assert many["more"] > 0


@pytest.mark.parametrize("ruleset", [info.id for info in hexwar.rulesets().values() if info.playable])
def test_every_ruleset_is_shown(client: TestClient, ruleset: str) -> None:
    game, keys = begin(client, ruleset=ruleset, scenario=hexwar.rulesets()[ruleset].playable[0].id, seed=1)
    host = Player(client, game, keys["host"])
    about = host.get("").json()
    assert about["ground"]["centres"] or hexwar.new_game(ruleset).world.board.kind == "points", "a table has no places"
    assert host.get("/ground.svg").text.startswith("<svg")
    view = host.get("/view", seat=about["mine"][0]).json()
    assert view["pieces"]
    assert {piece["face"] for piece in view["pieces"]} == set(view["faces"])


def test_a_page_of_one_side_does_not_tell_what_the_other_chose_in_secret() -> None:
    pages = []
    for number in (0, 1):
        game = hexwar.new_game("bridgehead", seed=7)
        game.apply(game.legal_actions("blue")[number], "blue")
        pages.append([replay_page(game, side) for side in ("red", "blue")])
    assert pages[0][0] == pages[1][0]
    assert pages[0][1] != pages[1][1]


def test_serve_says_what_is_wrong(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ran = run("serve", "--no-open", "--port", port, "--games", str(tmp_path / "games.sqlite"))
    assert (ran.code, f"port {port}" in ran.err) == (2, True)
    ran = run("serve", "--no-open", "--games", str(tmp_path / "nowhere" / "games.sqlite"))
    assert (ran.code, "games cannot be kept there" in ran.err) == (2, True)
