"""A game on a plane at the terminal, on the server, in saves and views, and for learners."""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import hexwar
from hexwar.errors import HexwarError
from hexwar.tabletop import March
from hexwar.web import SqliteStore, Tables
from hexwar.web import _answers as answers
from tests.cli.helpers import run
from tests.tabletop.quarry import duel


def test_undo_saves_and_views(tmp_path: Path) -> None:
    game: Any = hexwar.new_game("quarry", seed=3)
    before = game.digest
    game.apply(March("b1", (1400, 4900), 77, ((1600, 5000),)), "blue")
    assert game.view("red").state.headings["b1"] == 77
    game.save(tmp_path / "duel.hexwar")
    assert hexwar.load_game(tmp_path / "duel.hexwar").digest == game.digest
    game.undo("blue")
    assert game.digest == before


def test_a_random_game_ends_with_the_same_digest_everywhere() -> None:
    game: Any = hexwar.new_game("quarry", seed=9)
    chance = random.Random(9)
    while game.to_move:
        game.apply(game.question(game.to_move[0]).sample(chance), game.to_move[0])
    again: Any = hexwar.new_game("quarry", seed=9)
    for decision in game.history:
        again.apply(decision.action, decision.seat)
    assert again.digest == game.digest


def test_the_terminal_measures_and_draws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: Path) -> None:
    monkeypatch.chdir(tmp_path)
    typed = "map\nmeasure b1 r1\nmeasure b1\nsight b2\nsight nobody\nmarch b1 13 north\nmarch b1 12 north\nreach b2\nquit\n"
    ran = run("--plugin", str(page / "quarry"), "play", "quarry", "--seed", "1", typed=typed)
    assert ran.code == 0, ran.err
    for line in (
        "a letter is 100 by 200 0.1 mm, w wood, p pond, W wall",
        "  46.00 cm; b1 does not see r1, which Birches hides",
        "say between which two: measure b1 r1",
        "  b2 does not see r2, which Quarry wall hides",
        "no unit is called 'nobody'",
        "2.1: 13 cm is further than 12 cm",
        "moves to 15 42",
        "these are some of the places",
    ):
        assert line in ran.out, line
    rows = [line for line in ran.out.splitlines() if set(line) <= set(".wpWbr123") and len(line) == 60]
    assert len(rows) == 30
    assert "b1" in rows[27]


class TestTheServer:
    @pytest.fixture
    def table(self, tmp_path: Path) -> Iterator[Any]:
        with contextlib.closing(SqliteStore(tmp_path / "games.sqlite")) as store:
            yield Tables(store).begin("quarry", seed=1)[0]

    def test_says_how_a_march_is_put_together(self, table: Any) -> None:
        found = answers.group(table, "blue", "b1", "")["open"]
        assert {name: found[name] for name in ("point", "turn", "way", "allowance", "legs", "snaps")} == {
            "point": "to",
            "turn": "heading",
            "way": "via",
            "allowance": 1200,
            "legs": 8,
            "snaps": [],
        }
        assert len(found["region"]) == 36

    def test_says_what_a_march_would_lead_to(self, table: Any) -> None:
        march = {"kind": "march", "unit": "b1", "to": [2600, 5000], "heading": -1, "via": []}
        assert answers.tried(table, "blue", json.dumps(march)) == {
            "refusal": None,
            "trimmed": march,
            "length": 1171,
            "sees": ["r2"],
            "notes": [],
        }
        far = answers.tried(table, "blue", json.dumps(march | {"to": [2600, 3000]}))
        assert far["refusal"] == {"clause": "2.1", "words": "26.41 cm is further than 12 cm"}
        assert far["trimmed"]["to"] == [1999, 4310]
        assert table.game.state.spots["b1"] == (1500, 5400)

    @pytest.mark.parametrize("wrong", ["", "{", "[]", '{"kind": "fly"}', '{"kind": "march"}', "[" * 1500, " " * 3000])
    def test_refuses_to_try_what_is_no_action(self, table: Any, wrong: str) -> None:
        with pytest.raises(HexwarError, match="that is not a valid action in this game"):
            answers.tried(table, "blue", wrong)

    def test_measures(self, table: Any) -> None:
        assert answers.measured(table, None, "b1", "r1") == {
            "gap": 46.0,
            "look": {"clear": False, "eye": [1500, 5300], "to": [1500, 600], "by": "Birches", "topic": "area"},
        }
        with pytest.raises(HexwarError, match="no piece on the table is called 'x'"):
            answers.measured(table, None, "b1", "x")


def test_one_learns_through_the_menu() -> None:
    pytest.importorskip("pettingzoo")
    from hexwar.rl import HexwarEnv

    env = HexwarEnv("quarry", seed=1)
    env.reset()
    chance, steps = random.Random(1), 0
    for agent in env.agent_iter():
        observation, _, ended, truncated, _ = env.last()
        if ended or truncated:
            env.step(None)
            continue
        allowed = [token for token, may in enumerate(observation["action_mask"]) if may]
        env.step(chance.choice(allowed))
        steps += 1
        assert agent in ("blue", "red")
    assert steps > 30


def test_pictures_have_bases_and_headings() -> None:
    game = duel(b1=(1500, 5400, 30))
    piece = next(piece for piece in game.picture.pieces if piece.id == "b1")
    assert (piece.heading, piece.base, piece.arc) == (30, (300, 200), 180)
