"""Who resigns speaks for himself: the game goes on for the others, and its secrets stay closed until it is over."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from hexwar.engine import NEUTRAL
from hexwar.plugins import use_plugins
from hexwar.web import SqliteStore, Tables, make_app
from hexwar.web._seating import Seating
from tests.docs.test_areas_game import load
from tests.web.browsing import Site, open_table, wait_for
from tests.web.players import HOST_KEY, Player, a_choice, begin

TEAMS = {"a1": "blue", "a2": "blue", "a3": "blue", "b1": "red", "b2": "red", "b3": "red"}


def resign(player: Player, seat: str) -> Any:
    """Resign; once more if a bot was faster."""
    while True:
        number = player.get("/view", seat=seat).json().get("number")
        answer = player.post("/resign", {"seat": seat, "number": number})
        if answer.status_code != 409:
            return answer


def players(client: TestClient, **wanted: Any) -> tuple[str, dict[str, Player]]:
    game, keys = begin(client, ruleset="bridgehead", seed=7, **wanted)
    return game, {name: Player(client, game, key) for name, key in keys.items()}


def test_one_of_six_resigns_and_the_others_go_on(client: TestClient, file: Path) -> None:
    game, all_of = players(client, seats=TEAMS)
    one, mate, enemy, watching = (all_of[name] for name in ("a1", "a2", "b1", "watch"))
    assert one.get("/view", seat="a1").json()["resigning"] == "a2 decides for a1 from now on, and you watch"
    assert resign(one, "a1").status_code == 200
    for player in (enemy, watching, one):
        view = player.get("/view").json()
        assert (view["result"], view["resigned"], view["to_move"]) == (None, {"a1": "a2"}, ["a1", "b1"])
        assert player.get("/save").status_code == 404, "the secrets stay closed"
    assert one.get("").json()["mine"] == [], "who has resigned watches"
    assert one.get("/view", seat="a1").status_code == 404
    assert one.act("a1", a_choice(mate, "a1"), 1).status_code == 404
    assert mate.get("").json()["mine"] == ["a1", "a2"]
    assert mate.act("a1", a_choice(mate, "a1"), mate.get("/view", seat="a1").json()["number"]).status_code == 200
    assert all_of["a3"].get("").json()["mine"] == ["a3"]
    words = "a3 decides for a2 from now on, and you watch"
    assert [mate.get("/view", seat=seat).json()["resigning"] for seat in ("a1", "a2")] == [words] * 2
    assert mate.post("/resign", {"seat": "a1", "number": mate.get("/view").json()["number"]}).status_code == 422
    headers = {"Authorization": f"Bearer {mate._headers['Authorization'][7:]}"}
    [entry] = client.get("/api/games", headers=headers).json()
    assert (entry["mine"], entry["over"]) == (["a1", "a2"], None)
    assert Tables(SqliteStore(file)).table(game).seating.resigned_for == {"a1": "a2"}


def test_a_side_has_given_up_when_all_its_people_have(client: TestClient) -> None:
    game, all_of = players(client, seats=TEAMS)
    for seat, left in (("a2", "a1"), ("a1", "a3")):
        assert resign(all_of[seat], seat).status_code == 200
        assert all_of[left].get("/view").json()["result"] is None
    assert all_of["a3"].get("").json()["mine"] == ["a1", "a2", "a3"]
    assert all_of["a3"].get("/view", seat="a3").json()["resigning"] == "the game is over"
    assert resign(all_of["a3"], "a3").status_code == 200
    for name in ("a1", "a3", "b2", "watch"):
        assert all_of[name].get("/view").json()["result"] == "a2, a1 and a3 have resigned"
        assert all_of[name].get("/save").status_code == 200, "it is over"
    assert all_of["a1"].get("").json()["mine"] == ["a1"], "he plays again if he likes"
    again = all_of["a1"].post("/rematch", {}).json()["game"]
    assert again != game


def test_with_three_sides_the_game_goes_on_while_two_play(tmp_path: Path) -> None:
    use_plugins(None)
    try:
        load(tmp_path)
        store = SqliteStore(tmp_path / "games.sqlite")
        table, keys = Tables(store).begin("three-crowns", seed=1)
        red, gold, blue = table.people
        assert table.resigning(red).startswith("the bot ")
        table.resign(red, table.number_for([red]))
        assert (table.over, table.people) == (None, (gold, blue))
        assert table.seats_of(keys.seats[red]) == ()
        for _ in range(200):
            while table.move_bot():
                pass
            if table.over:
                break
            seat = table.game.to_move[0]
            assert seat != red, "the bot decides there"
            if table.game.history and table.game.state.turn > 1:
                break
            table.act(seat, table.number_for([seat]), table.game.legal_actions(seat)[0].to_json())
        again = Tables(store).table(table.name)
        assert (again.game.digest, again.seating) == (table.game.digest, table.seating)
        table.resign(gold, table.number_for([gold]))
        assert table.over == f"{red} and {gold} have resigned"
        assert table.seats_of(keys.seats[red]) == (red,)
        again.catch_up()
        assert again.over == table.over
    finally:
        use_plugins(None)


def seating(bots: dict[str, str] | None = None, **sides: str) -> Seating:
    return Seating(sides, bots or {})


@pytest.mark.parametrize(
    ("at", "gone", "follows"),
    [
        (seating(blue="blue", red="red"), [], None),
        (seating({"red": "greedy"}, blue="blue", red="red"), [], None),
        (seating(blue="blue", a="red", b="red"), [], None),
        (seating(blue="blue", b2="blue", a="red"), [], {}),
        (seating({"b2": "greedy"}, blue="blue", b2="blue", a="red"), [], None),
        (seating(blue="blue", red="red", gold="gold"), [], {"blue": "bot"}),
        (seating(blue="blue", red="red", gold="gold"), ["red"], None),
        (seating({"red": "greedy", "gold": "greedy"}, blue="blue", red="red", gold="gold"), [], None),
        (seating({"gold": "greedy"}, blue="blue", red="red", gold="gold"), [], {"blue": "bot"}),
        (seating({"gold": "greedy"}, blue="blue", red="red", gold="gold"), ["red"], None),
        (seating(b1="b", blue="b", red="red", gold="gold"), ["b1"], {"b1": "bot", "blue": "bot"}),
        (seating(blue=NEUTRAL, a="red", b="gold"), [], {"blue": "bot"}),
        (seating(umpire=NEUTRAL, blue="blue", red="red"), [], None),
        (seating({"red": "greedy"}, umpire=NEUTRAL, blue="blue", red="red"), [], None),
    ],
)
def test_what_follows_when_blue_resigns(at: Seating, gone: list[str], follows: dict[str, str] | None) -> None:
    for seat in gone:
        at = at.after({"seat": seat, "resign": at.resignation(seat, "bot")})
    assert at.resignation("blue", "bot") == follows


def test_old_games_that_somebody_resigned_are_over(client: TestClient, file: Path) -> None:
    """What was kept before a resignation could be anything but the end."""
    game, all_of = players(client, seats=TEAMS)
    assert resign(all_of["a1"], "a1").status_code == 200
    with sqlite3.connect(file) as database:
        [(entry,)] = database.execute("select entry from entries")
        old = json.loads(entry)
        assert old["resign"] == {}
        old |= {"resign": True, "now": {**old["now"], "to_move": [], "over": "a1 has resigned"}}
        del old["now"]["bots"], old["now"]["resigned"]
        database.execute("update entries set entry = ?", (json.dumps(old),))
    with TestClient(make_app(Tables(SqliteStore(file)), HOST_KEY, hosts=("testserver",))) as later:
        for name in ("a1", "b1", "watch"):
            key = all_of[name]._headers["Authorization"][7:]
            assert Player(later, game, key).get("/view").json()["result"] == "a1 has resigned"
            [entry] = later.get("/api/games", headers={"Authorization": f"Bearer {key}"}).json()
            assert (entry["over"], entry["mine"]) == ("a1 has resigned", [] if name == "watch" else [name])


def test_a_solitary_player_who_resigns_ends_the_game(client: TestClient) -> None:
    _, all_of = players(client, bots={"red": "random"})
    assert resign(all_of["blue"], "blue").status_code == 200
    assert all_of["blue"].get("/view").json()["result"] == "blue has resigned"


def test_who_decides_for_somebody_else_now_gets_the_notice(tmp_path: Path) -> None:
    table, _ = Tables(SqliteStore(tmp_path / "games.sqlite")).begin("bridgehead", seed=7, seats=TEAMS)
    table.concerned()
    table.resign("a1", 0)
    assert table.concerned() == ["a2"]
    table.resign("b1", table.number_for(["b1"]))
    assert table.concerned() == ["b2"]


@pytest.mark.browser
@pytest.mark.filterwarnings("ignore")
def test_on_the_page_who_resigns_watches_and_a_mate_goes_on(site: Site, page: Any) -> None:
    table, keys = site.tables.begin("bridgehead", seed=7, seats=TEAMS)
    mate = page.context.new_page()
    mate.goto(site.link(table, keys.seats["a2"]))
    mate.wait_for_selector("#prompt:has-text('Waiting for a1 and b1')")
    open_table(page, site.link(table, keys.seats["a1"]))
    page.click("#tab-more")
    page.click("#leave summary")
    page.click("#leave button:has-text('Resign')")
    page.click("#leave button:has-text('Really resign? Then a2 decides for a1')")
    page.wait_for_selector("#prompt:has-text('Waiting for')")
    wait_for(lambda: "a1 has resigned: a2 decides" in page.inner_text("#status"), "it says who decides")
    assert page.locator("#choices button, #plain button:not(:disabled)").count() == 0
    mate.wait_for_selector("#prompt:has-text('A1 · ')")
    assert not mate.locator("#curtain").is_visible(), "one person has both seats"
    mate.locator("#choices .list button, #plain button:not(:disabled)").first.click()
    wait_for(lambda: table.number > 1 or mate.locator("#choices .list button").count() > 0, "he decides")
    assert table.over is None
