"""What a seat may not know makes no difference to any answer that it gets: the kit's other secrets, asked over HTTP."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from hexwar.engine import Game
from hexwar.testing import imagined
from hexwar.web import Limits, SqliteStore, Tables, make_app
from tests.web.players import HOST_KEY, Player

ANYWHERE = {"/api/rulesets", "/api/rulesets/{ruleset}/{scenario}.svg", "/api/games"}
"""Of these the first two say nothing of a game; the third is made from what spectators see."""
STREAMED = {"/stream"}
"""It says the number of the latest state, which `view` says as well."""


def paths(app: Starlette) -> set[str]:
    """What can be asked about a game."""
    found = {route.path for route in app.routes if "GET" in (getattr(route, "methods", None) or ())}  # type: ignore[attr-defined]
    return {path.removeprefix("/api/games/{game}") for path in found if path.startswith("/api/")} - ANYWHERE - STREAMED


def queries(game: Game, seat: str, chance: random.Random) -> dict[str, list[dict[str, str]]]:
    """Path -> what a seat might ask there."""
    units, labels = list(game.world.units), list(game.world.board.labels)
    view = game.view(seat)
    groups = list(view.question.groups) if view.question else []
    some = [*chance.sample(units, min(4, len(units))), *chance.sample(labels, min(4, len(labels)))]
    tried = [game.offered(seat).sample(chance).to_json() for _ in range(3)] if seat in game.to_move else [{}]
    asked = [
        ("status", ""),
        ("units", ""),
        ("score", ""),
        ("luck", ""),
        *(("odds", it) for it in some),
        *(("supply", it) for it in some),
    ]
    return {
        "": [{}],
        "/ground.svg": [{}],
        "/view": [{"seat": seat}, {}],
        "/group": [{"seat": seat, "key": key} for key in chance.sample(groups, min(6, len(groups))) or ["nothing"]],
        "/try": [{"seat": seat, "action": json.dumps(action)} for action in tried],
        "/measure": [{"seat": seat, "unit": one, "other": other} for one, other in pairwise(some)],
        "/reach": [{"seat": seat, "unit": unit} for unit in some],
        "/aimed": [{"seat": seat, "place": label} for label in some],
        "/attack": [{"seat": seat, "target": label, "units": ""} for label in some],
        "/overlay": [{"seat": seat, "name": name} for name in ("supply", "command", "zones", "control", "moves")],
        "/log": [{"seat": seat, "before": "40"}],
        "/luck": [{"seat": seat}, {}],
        "/moment": [{"seat": seat, "line": line} for line in ("0", "20", "9999")],
        "/words": [{"seat": seat, "question": word, "about": about} for word, about in (*asked, *(("hex", it) for it in some))],
        "/hint": [{"seat": seat}],
        "/card": [{"seat": seat, "unit": unit} for unit in some],
        "/charts": [{"seat": seat}],
        "/rule": [{"clause": next(iter(game.world.rules))}],
        "/rules": [{"search": "zone"}],
        "/save": [{}],
        "/summary": [{"seat": seat}],
        "/replay": [{"seat": seat}],
        "/chat": [{}],
        "/note": [{"seat": seat}],
        "/contact": [{"seat": seat}],
    }


def answers(player: Player, asked: dict[str, list[dict[str, str]]]) -> Iterator[tuple[Any, ...]]:
    for path, wanted in asked.items():
        for query in wanted:
            answer = player.get(path, **query)
            assert answer.status_code < 500, (path, query, answer.text)
            yield path, query, answer.status_code, answer.text


@pytest.mark.parametrize(("ruleset", "scenario"), [("bridgehead", None), ("ava", "training"), ("tow", None)])
def test_what_a_seat_may_not_know_makes_no_difference_to_its_answers(ruleset: str, scenario: str | None) -> None:
    chance, compared, differing, looked = random.Random(f"answers {ruleset}"), 0, 0, set[tuple[str, str]]()
    tables = Tables(SqliteStore(":memory:"))
    app = make_app(tables, HOST_KEY, hosts=("testserver",), limits=Limits(burst=float("inf"), misses=float("inf")))
    table, keys = tables.begin(ruleset, scenario, seed=7)
    with TestClient(app) as client:
        assert paths(app) == queries(table.game, next(iter(table.people)), chance).keys()
        for _ in range(60):
            seat = chance.choice(table.game.to_move)
            table.act(seat, table.number_for([seat]), table.game.offered(seat).sample(chance).to_json())
            if table.over:
                break
            true = table.game
            for seat in table.people:
                phase = (seat, true.state.phase)
                other = None if phase in looked else imagined(true, seat, chance)
                if other is None:
                    continue
                looked.add(phase)
                asked, seen = queries(true, seat, chance), []
                for game in (true, other):
                    table.game = game
                    mine, watching = (Player(client, table.name, key) for key in (keys.seats[seat], keys.watch))
                    seen.append([*answers(mine, asked), *answers(watching, {"/view": [{}], "/save": [{}]})])
                assert seen[0] == seen[1]
                compared += len(seen[0])
                shown = [repr(game.view(other).to_json()) for game in (true, table.game) for other in table.people]
                differing += shown[: len(shown) // 2] != shown[len(shown) // 2 :]
            table.game = true
    assert compared > 100
    assert differing, "nobody could see any of the other secrets, so nothing was compared"


def test_the_list_of_games_does_not_tell_what_somebody_chose_in_secret() -> None:
    told = []
    for number in (0, 1):
        tables = Tables(SqliteStore(":memory:"))
        table, keys = tables.begin("bridgehead", seed=7)
        table.act("blue", 0, table.game.legal_actions("blue")[number].to_json())
        with TestClient(make_app(tables, HOST_KEY, hosts=("testserver",))) as client:
            [entry] = client.get("/api/games", headers={"Authorization": f"Bearer {keys.seats['red']}"}).json()
        told.append({key: value for key, value in entry.items() if key not in ("game", "begun", "last")})
    assert told[0] == told[1]


def test_number_and_time_do_not_tell_how_much_somebody_chose_in_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = Tables(SqliteStore(":memory:"))
    table, keys = tables.begin("ava", "training", seed=7)
    with TestClient(make_app(tables, HOST_KEY, hosts=("testserver",))) as client:
        opening = {**keys.seats, "watch": keys.watch}
        axis, soviet, watching = (Player(client, table.name, opening[name]) for name in ("axis", "soviet", "watch"))
        while table.game.state.phase != "selection":
            seat = table.game.to_move[0]
            table.act(seat, table.number_for([seat]), table.game.legal_actions(seat)[0].to_json())
        chits = [action for action in table.game.legal_actions("axis") if action.kind == "select"]
        assert len(chits) > 1
        before = [player.get("/view", **query).json() for player, query in ((soviet, {"seat": "soviet"}), (watching, {}))]
        own = axis.get("/view", seat="axis").json()["number"]
        monkeypatch.setattr("time.time", lambda: 4e9)
        for number, chit in enumerate(chits[:2]):
            table.act("axis", own + number, chit.to_json())
        after = [player.get("/view", **query).json() for player, query in ((soviet, {"seat": "soviet"}), (watching, {}))]
        assert axis.get("/view", seat="axis").json()["number"] == own + 2
        for key in ("soviet", "watch"):
            [entry] = client.get("/api/games", headers={"Authorization": f"Bearer {opening[key]}"}).json()
            assert entry["number"] == before[key == "watch"]["number"]
            assert entry["last"] < 4e9
    assert before == after
