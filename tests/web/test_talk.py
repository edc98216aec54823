"""Chat, names, the summary of a game that is over, and its replay as a file."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from hexwar.errors import HexwarError
from hexwar.pieces import total
from hexwar.web import SqliteStore, Table, Tables, make_app
from hexwar.web import _answers as answers
from tests.web.players import HOST_KEY, Player, begin


def played(ruleset: str, scenario: str | None, seed: int) -> Table:
    """A game that was played to its end at random."""
    table, chance = Tables(SqliteStore(":memory:")).begin(ruleset, scenario, seed=seed)[0], random.Random(seed)
    while table.over is None:
        seat = table.game.to_move[0]
        table.act(seat, table.number_for([seat]), table.game.offered(seat).sample(chance).to_json())
    return table


def test_players_talk_and_spectators_hear_only_names(client: TestClient) -> None:
    game, keys = begin(client, ruleset="bridgehead", seed=7)
    blue, red, watching = (Player(client, game, keys[who]) for who in ("blue", "red", "watch"))
    assert blue.post("/name", {"seat": "blue", "name": " Anna "}).json() == {"names": {"blue": "Anna"}}
    assert blue.post("/chat", {"seat": "blue", "text": "hello"}).status_code == 200
    assert red.post("/chat", {"seat": "red", "text": "good luck"}).status_code == 200
    said = red.get("/chat").json()
    assert [(it["number"], it["from"], it["text"]) for it in said["chat"]] == [(1, "Anna", "hello"), (2, "red", "good luck")]
    assert watching.get("/chat").json() == {"names": {"blue": "Anna"}, "chat": []}
    assert red.get("").json()["names"] == {"blue": "Anna"}


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/chat", {"seat": "blue", "text": " "}, 400),
        ("/chat", {"seat": "blue", "text": "x" * 501}, 400),
        ("/chat", {"seat": "red", "text": "I am red"}, 404),
        ("/name", {"seat": "blue", "name": "x" * 41}, 400),
        ("/name", {"seat": "red", "name": "Anna"}, 404),
    ],
)
def test_nobody_speaks_for_another_or_too_long(client: TestClient, path: str, body: dict[str, str], status: int) -> None:
    game, keys = begin(client, ruleset="bridgehead", seed=7)
    assert Player(client, game, keys["blue"]).post(path, body).status_code == status


@pytest.mark.parametrize(("ruleset", "scenario"), [("bridgehead", None), ("ava", "training"), ("wop", None)])
def test_a_game_that_is_over_has_points_and_losses_by_turn(ruleset: str, scenario: str | None) -> None:
    table = played(ruleset, scenario, 7)
    told = answers.summed(table, None)
    assert told["winner"] == (table.game.result.winner or "")  # type: ignore[union-attr]
    lost = sum(sum(row["lost"].values()) for row in told["losses"])
    assert lost == sum(len(event.gone()) for event in table.game.events)
    last = {side: total(table.game.query.score(), side) for side in table.game.world.sides}
    assert told["points"][-1]["points"] == last
    turns = [row["turn"] for row in told["points"]]
    assert turns == sorted(set(turns))


def test_turning_points_are_the_largest_changes_of_points_at_their_lines() -> None:
    table = played("bridgehead", None, 7)
    told = answers.summed(table, None)
    assert told["moments"], "points changed in this game"
    for moment in told["moments"]:
        line = answers.log(table, None, str(moment["line"] + 1))[-1]
        assert line["line"] == moment["line"]
        then = answers.moment(table, None, str(moment["line"]), "")
        (points,) = [side for side in then["score"] if side["side"] == moment["side"]]
        assert any(reason in moment["words"] or reason.split()[0] in moment["words"] for _, reason, _ in points["items"])


def test_a_game_that_goes_on_has_no_summary_and_spectators_get_no_replay(client: TestClient, tmp_path: Path) -> None:
    table, _ = Tables(SqliteStore(tmp_path / "games.sqlite")).begin("bridgehead", seed=7)
    with pytest.raises(HexwarError, match="is not over"):
        answers.summed(table, "blue")
    game, links = begin(client, ruleset="bridgehead", seed=7)
    assert Player(client, game, links["watch"]).get("/replay").status_code == 404
    answer = Player(client, game, links["blue"]).get("/replay", seat="blue")
    assert answer.status_code == 200
    assert "as ${game.side} saw it" in answer.text
    assert answer.headers["content-disposition"] == 'attachment; filename="game.html"'


def test_what_is_said_is_no_part_of_the_game(file: Path) -> None:
    """It gets no new number: nobody can tell from it that somebody decided."""
    tables = Tables(SqliteStore(file))
    with TestClient(make_app(tables, HOST_KEY, hosts=("testserver",))) as client:
        game, keys = begin(client, ruleset="bridgehead", seed=7)
        before = Player(client, game, keys["red"]).get("/view", seat="red").json()["number"]
        Player(client, game, keys["blue"]).post("/chat", {"seat": "blue", "text": "hello"})
        assert Player(client, game, keys["red"]).get("/view", seat="red").json()["number"] == before
