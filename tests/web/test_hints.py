"""Hints: what the game's bot would do in the place of a seat, for that seat alone, without keeping anybody waiting."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.testclient import TestClient

from hexwar.engine import Action, RandomSource, View
from hexwar.web import SqliteStore, Tables, make_app
from tests.web.players import HOST_KEY, Player, a_choice, begin

WAIT = 30.0
"""Seconds after which a test gives up; none of them waits for time to pass."""


def test_a_hint_can_be_done() -> None:
    """In every position of a game: it is offered, and what it is about is there to be marked."""
    tables = Tables(SqliteStore(":memory:"))
    table, keys = tables.begin("bridgehead", seed=7)
    with TestClient(make_app(tables, HOST_KEY, hosts=("testserver",))) as client:
        host, kinds = Player(client, table.name, keys.host), set()
        for _ in range(40):
            (seat, *_) = table.game.to_move
            found = host.get("/hint", seat=seat).json()
            assert found["number"] == table.number_for(("blue", "red"))
            assert found["bot"] == "greedy"
            assert found["action"] in [action.to_json() for action in table.game.legal_actions(seat)]
            assert all(unit in table.game.world.units for unit in found["pieces"])
            assert all(place in table.game.world.board for place in found["places"])
            assert found["clause"] in table.game.world.rules
            if found["action"]["kind"] == "move":
                assert (found["pieces"], found["places"][-1]) == ([found["action"]["unit"]], found["action"]["to"])
            assert host.get("/hint", seat=seat).json() == found, "nothing was done, and no die was thrown"
            assert host.act(seat, found["action"], found["number"]).status_code == 200
            kinds.add(found["action"]["kind"])
    assert {"select", "move", "done"} <= kinds


def test_a_strong_hint_has_its_reason_and_the_figures(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """How many rollouts it makes in the time, nobody knows; that it says no more than its figures, everybody can see."""
    monkeypatch.setattr("hexwar.search._levels.SECONDS", 0.2)
    game, keys = begin(client, ruleset="bridgehead", seed=7)
    blue = Player(client, game, keys["blue"])
    found = blue.get("/hint", seat="blue", level="strong").json()
    assert found["bot"] == "strong"
    options, best = found["analysis"]["options"], found["analysis"]["best"]
    assert found["analysis"]["reason"].startswith(options[best]["name"])
    assert found["words"] == options[best]["name"] or best == 0
    assert {"gain", "error", "won", "lead", "rollouts"} < set(options[0])
    assert blue.get("/hint", seat="blue").json()["analysis"] is None, "the game's bot imagines nothing"
    answer = blue.get("/hint", seat="blue", level="divine")
    assert (answer.status_code, "known: beginner, normal, strong" in answer.json()["error"]) == (400, True)
    games = client.get("/api/rulesets", headers={"Authorization": f"Bearer {HOST_KEY}"}).json()
    assert {*games[0]["levels"]} == {"beginner", "normal", "strong"}


def test_only_who_is_asked_gets_a_hint_and_only_with_his_key(client: TestClient) -> None:
    game, keys = begin(client, ruleset="bridgehead", seed=7)
    blue, red, watching = (Player(client, game, keys[name]) for name in ("blue", "red", "watch"))
    assert blue.get("/hint", seat="blue").status_code == 200
    for player, query in ((red, {"seat": "blue"}), (watching, {"seat": "blue"}), (watching, {}), (blue, {})):
        assert player.get("/hint", **query).status_code == 404
    while "blue" in (view := blue.get("/view", seat="blue").json())["to_move"]:
        blue.act("blue", a_choice(blue, "blue"), view["number"])
    answer = blue.get("/hint", seat="blue")
    assert (answer.status_code, answer.json()) == (400, {"error": "blue is not asked"})
    red.post("/resign", {"seat": "red", "number": red.get("/view", seat="red").json()["number"]})
    assert red.get("/hint", seat="red").status_code == 400, "the game is over"


def test_a_game_can_be_played_without_hints(client: TestClient) -> None:
    game, keys = begin(client, ruleset="bridgehead", seed=7, hints=False)
    blue = Player(client, game, keys["blue"])
    assert blue.get("").json()["hints"] is False
    answer = blue.get("/hint", seat="blue")
    assert (answer.status_code, answer.json()) == (400, {"error": "hints are switched off in this game"})
    assert blue.get("/words", seat="blue", question="hint").status_code == 400
    assert "hint" not in " ".join(blue.get("/words", seat="blue", question="help").json())
    blue.post("/resign", {"seat": "blue", "number": 0})
    again = Player(client, blue.post("/rematch", {}).json()["game"], keys["blue"])
    assert again.get("").json()["hints"] is False
    usual, keys = begin(client, ruleset="bridgehead", seed=7)
    other = Player(client, usual, keys["blue"])
    assert other.get("").json()["hints"] is True
    assert "hint" in " ".join(other.get("/words", seat="blue", question="help").json())
    answer = client.post(
        "/api/games", json={"ruleset": "bridgehead", "hints": 1}, headers={"Authorization": f"Bearer {HOST_KEY}"}
    )
    assert (answer.status_code, answer.json()["error"]) == (400, "hints is true or false or nothing")


def test_a_seat_gets_one_hint_at_a_time_and_nobody_waits_for_it(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    thinking, go_on = threading.Event(), threading.Event()

    class Slow:
        def choose(self, view: View, chance: RandomSource) -> Action:
            thinking.set()
            assert go_on.wait(WAIT)
            return view.sample(chance)

    game, keys = begin(client, ruleset="bridgehead", seed=7)
    blue, red = (Player(client, game, keys[seat]) for seat in ("blue", "red"))
    other = begin(client, ruleset="bridgehead", seed=7)
    elsewhere = Player(client, other[0], other[1]["blue"])
    monkeypatch.setattr("hexwar.table.questions.load_bot", lambda name: Slow())
    with ThreadPoolExecutor(1) as pool:
        try:
            first = pool.submit(blue.get, "/hint", seat="blue")
            assert thinking.wait(WAIT)
            assert blue.get("/hint", seat="blue").status_code == 429
            for player, seat in ((red, "red"), (elsewhere, "blue")):
                assert player.act(seat, a_choice(player, seat), 0).status_code == 200
        finally:
            go_on.set()
        assert first.result(WAIT).status_code == 200
    assert blue.get("/hint", seat="blue").status_code == 200, "the next one is for the asking"
