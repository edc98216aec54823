"""Bots in programs of their own, and views that are made again from JSON."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

import hexwar
from hexwar.bots import KeyedChance, ProgramBot, load_bot, play_to_end
from hexwar.errors import HexwarError
from hexwar.web import SqliteStore, Tables

FIRST = Path(__file__).with_name("first_bot.py")
AUTO = {"auto-setup": True}
SETUPS: tuple[tuple[str, str, dict[str, Any], Any], ...] = (
    ("bridgehead", "crossing", {}, None),
    ("ava", "training", AUTO, None),
    ("ava", "campaign", {**AUTO, "many-players": "controller", "controller": "seat"}, None),
    ("ava", "campaign", {**AUTO, "many-players": "master-cup"}, "4-teams"),
    ("tow", "training", {}, None),
    ("wop", "training", {}, None),
    ("wb95", "training", {}, None),
    ("bkc", "training", {}, None),
)


def program(code: str) -> str:
    """The name of a bot that is these lines of Python; `asked` is what it was told."""
    return f"program:{shlex.join([sys.executable, '-c', code])}"


def answering(answer: str) -> str:
    return program(f"import sys\nfor line in sys.stdin:\n    print({answer!r}, flush=True)")


def test_a_program_plays_a_game() -> None:
    command = shlex.join([sys.executable, str(FIRST)])
    game = hexwar.new_game("bridgehead", seed=3)
    bots = {side: load_bot(f"program:{command}", may_run=True) for side in ("blue", "red")}
    result = play_to_end(game, bots, KeyedChance(1))
    assert result.scores
    again = hexwar.new_game("bridgehead", seed=3)
    play_to_end(again, {side: ProgramBot(command) for side in ("blue", "red")}, KeyedChance(1))
    assert again.digest == game.digest


@pytest.mark.parametrize(("ruleset", "scenario", "options", "seats"), SETUPS)
def test_a_view_is_made_again_from_json(ruleset: str, scenario: str, options: dict[str, Any], seats: Any) -> None:
    game, chance, asked = hexwar.new_game(ruleset, scenario, 5, options, seats=seats), KeyedChance(ruleset), 0
    for number in range(60):
        if not game.to_move:
            break
        for seat in (*game.world.seats, None) if number % 6 == 0 else ():
            view = game.view(seat)
            again = hexwar.read_view(json.loads(json.dumps(view.to_json(whole=True))))
            assert again.digest == view.digest
            assert again.to_json() == view.to_json()
            assert (again.to_move, again.viewer, again.steps) == (view.to_move, view.viewer, view.steps)
            if view.question is not None:
                asked += 1
                assert list(again.legal_actions()) == list(view.legal_actions())
            assert again.imagine(KeyedChance(1)).digest == view.imagine(KeyedChance(1)).digest
        seat = game.to_move[0]
        game.apply(game.offered(seat).sample(chance), seat)
    assert asked > 5


def test_a_program_gets_what_its_seat_knows_and_nothing_else(tmp_path: Path) -> None:
    game = hexwar.new_game("bridgehead", seed=3)
    for seat in ("blue", "red"):
        game.apply(game.legal_actions(seat)[-1], seat)
    kept = tmp_path / "told.json"
    code = f"""
import pathlib, sys
for line in sys.stdin:
    pathlib.Path({str(kept)!r}).write_text(line)
    print('{{"action": 0}}', flush=True)
"""
    load_bot(program(code), may_run=True).choose(game.view("red"), KeyedChance(1))
    told = json.loads(kept.read_text())
    assert set(told) == {"choose", "actions", "chance"}
    assert set(told["choose"]["state"]["selected"]) == {"red"}
    assert not {"draws", "stack", "seed"} & {*told["choose"], *told["choose"]["state"]}


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("program:", "cannot be started"),
        ("program:no-such-program-anywhere", "cannot be started"),
        (program("import sys; sys.exit()"), "has ended"),
        (answering("hello"), "an answer is a line"),
        (answering('{"action": 99999}'), "counted from 0"),
        (answering('{"action": true}'), "an action is an object"),
        (answering('{"action": {"kind": "fly"}}'), "no action is of kind 'fly'"),
    ],
)
def test_a_program_that_fails_is_a_sentence(name: str, sentence: str) -> None:
    view = hexwar.new_game("bridgehead", seed=3).view("blue")
    with pytest.raises(HexwarError, match=sentence):
        load_bot(name, may_run=True).choose(view, KeyedChance(1))


def test_no_server_starts_a_program() -> None:
    with pytest.raises(HexwarError, match="on the command line only"):
        Tables(SqliteStore(":memory:")).begin("bridgehead", bots={"red": f"program:{sys.executable}"}, seed=1)


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        ({"setup": None}, "this is no view"),
        ({"state": {"turn": "soon"}}, "turn"),
        ({"steps": [{"kind": "flying"}]}, "unknown kind of step"),
    ],
)
def test_a_view_that_is_none_is_a_sentence(damage: dict[str, Any], sentence: str) -> None:
    data = hexwar.new_game("bridgehead", seed=3).view("blue").to_json(whole=True)
    with pytest.raises(HexwarError, match=sentence):
        hexwar.read_view({**data, **damage})


def test_a_view_of_another_version_is_refused() -> None:
    data: dict[str, Any] = hexwar.new_game("bridgehead", seed=3).view("blue").to_json(whole=True)
    with pytest.raises(HexwarError, match=r"the view is of bridgehead 0\.0, and"):
        hexwar.read_view({**data, "setup": {**data["setup"], "version": "0.0"}})
