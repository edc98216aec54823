"""The table as a companion of the page: what `done` leaves, lines that stop, rules by a word, pages that are written."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

import hexwar
from hexwar.engine import Game
from hexwar.mechanics import Attack, Declare, Join
from hexwar.pieces import Done
from hexwar.table.chronicle import Chronicle
from hexwar.table.commands import TableCommands
from hexwar.testing.hostile import HOSTILE
from tests.bridgehead.helpers import attacking, moving, position
from tests.cli.helpers import run
from tests.cli.terminals import terminal

BLUE = ["bridgehead", "--seed", "3", "--bot", "red=random"]
MOVING = "1\n1\n1\n"
"""Blue selects its chits."""


def test_a_line_says_where_it_stopped() -> None:
    out = run("play", *BLUE, typed="select bA; select zz; ready; status\n").out
    assert "The line stops there; not done: ready; status" in out
    assert "5.2: " in out


def test_several_actions_are_taken_back_at_once() -> None:
    out = run("play", *BLUE, typed="1\n1\nundo 2\n1\nundo 9\nquit\n").out
    assert "Taken back: select bB, select bA." in out
    assert "Taken back: select bA, no more can be." in out


def test_rules_are_found_by_a_word() -> None:
    out = run("play", *BLUE, typed="rule RIVER\nrule the river\nrule zzz\nquit\n").out
    assert "8.3  Attackers across a river" in out
    assert "no clause is called 'zzz'" in out


def test_chits_and_turns_are_in_the_status() -> None:
    out = run("play", *BLUE, typed="1\nstatus\nquit\n").out
    assert "Turn 1 of 6, Selection; blue to decide" in out
    assert "  Cup: 0 chits\n  selected: Blue 1st corps (bA)\n" in out


def test_words_fit_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    out = run("play", *BLUE, typed=f"{MOVING}help\nrule 8.3\nlog 30\nmap\nquit\n").out
    assert max(len(line.removeprefix("> ")) for line in out.splitlines() if "hexwar" not in line) <= 60


def test_the_map_is_drawn_before_every_question() -> None:
    out = run("play", *BLUE, typed="map on\n1\nmap off\n1\nquit\n").out
    assert out.count("~ river") == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs terminals as Unix has them")
def test_a_person_at_a_terminal_is_asked_before_he_leaves_something_undone_and_is_helped_to_type(own_folder: Path) -> None:
    with terminal("play", *BLUE, folder=own_folder) as at:
        at.until("> ")
        at.type("sel\tbA\n")
        at.until("blue selects Blue 1st corps (bA)")
        at.type("1\n")
        at.until("Confirm the selection")
        at.type("1\n")
        at.until('such as "move')
        at.type("done\n")
        at.until('End movement? 7 units can still move: bA, b1, b2, b3, b4, b5, b6. Type "done" once more')
        at.type("done\n")
        at.until("Choose a hex to attack")
        at.type("quit\n")
        at.until("To go on: ")


def test_a_page_is_written(save: str, own_folder: Path) -> None:
    ran = run("replay", save, "-o", "game.html", "--side", "blue", "--to", "30")
    assert ran.out.startswith("Written: game.html, ")
    assert "as blue saw it" in ran.out
    assert "<script" in (own_folder / "game.html").read_text()
    for words, sentence in (
        (["-o", "game.pdf"], "ends with .html"),
        (["-o", "no/game.html"], "cannot be written"),
        (["-o", "game.html", "--step"], "choose one"),
        (["-o", "game.html", "--side", "green"], "nobody sits at 'green'"),
    ):
        ran = run("replay", save, *words)
        assert (ran.code, ran.out) == (2, "")
        assert sentence in ran.err


def test_a_game_is_taken_to_the_page(save: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import uvicorn

    from hexwar.web import SqliteStore

    opened: list[str] = []
    served: list[Any] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr(uvicorn.Server, "run", lambda self, sockets: served.extend(sockets))
    ran = run("play", "--load", save, "--bot", "red=random", "--to", "40", "--web")
    assert ran.code == 0, ran.err
    assert opened[0].startswith("http://127.0.0.1:")
    assert "/play#game=" in opened[0]
    served[0].close()
    kept = SqliteStore(Path(os.environ["XDG_DATA_HOME"], "hexwar", "games.sqlite"))
    begun = kept.load(kept.games()[0].game)
    assert begun is not None
    assert begun["bots"] == {"red": "random"}
    assert len(hexwar.load_game(save).history) == 60
    assert "leave --save out" in run("play", *BLUE, "--web", "--save", "x.hexwar").err


def odds(game: Game, capsys: pytest.CaptureFixture[str]) -> str:
    assert TableCommands(game, "blue", Chronicle(game.world)).obey("odds 0504")
    return capsys.readouterr().out


def test_odds_count_only_units_that_may_attack(capsys: pytest.CaptureFixture[str]) -> None:
    """`b1` is led by the chit, `b2` is not and stands next to the enemy all the same."""
    units = {"b1": "0404", "b2": "0503", "r1": "0504", "r2": "0605"}
    before = position(units, attacking("b1"), moving("b1"), chance=[4])
    alone = before.query.odds(["b1"], "0504")
    out = odds(before, capsys)  # while it could still move, its attack comes next
    assert f"  {alone.attack} to {alone.defence}\n" in out
    assert "  may not attack now, so not counted: b2\n" in out
    before.apply(Done())
    assert odds(before, capsys) == out
    before.apply(Attack("0504"))
    assert odds(before, capsys) == out
    before.apply(Join("b1"))
    assert odds(before, capsys) == out
    nobody = odds(position(units, attacking("b3")), capsys)
    both = before.query.odds(["b2", "b1"], "0504")
    assert f"  none of them may attack now\n  {both.attack} to {both.defence}\n" in nobody


def test_14_4_before_and_in_its_combat_segment_a_whole_side_may_attack(capsys: pytest.CaptureFixture[str]) -> None:
    """In the 1918-21 system a side is active and not a list of units: the steps say who may attack."""

    def told() -> str:
        assert TableCommands(game, "soviet", Chronicle(game.world)).obey("odds 0913")
        return capsys.readouterr().out

    game: Game = hexwar.new_game("wop", "wkra", seed=3)
    while game.state.active != "soviet":  # no flights, no groups
        game.apply(Done(), game.to_move[0])
    both = game.query.odds(["97/33", "98/33"], "0913")
    moving = told()
    assert f"  {both.attack} to {both.defence}\n" in moving
    assert "may attack now" not in moving
    while Declare("97/33", "0913") not in game.legal_actions("soviet"):  # units, transports, headquarters
        game.apply(Done(), "soviet")
    for target in ("0913", "0811"):
        game.apply(Declare("97/33", target), "soviet")
    assert "may attack now" not in told()
    game.apply(Done(), "soviet")
    resolving = told()
    assert "may not attack now, so not counted" in resolving
    assert f"  {game.query.odds(['97/33'], '0913').attack} to {both.defence}\n" in resolving


def test_a_hint_is_what_the_games_bot_would_do(capsys: pytest.CaptureFixture[str]) -> None:
    """Only who is asked gets one, and whatever it says can be done."""
    game = hexwar.new_game("bridgehead", seed=1)
    while len(game.to_move) > 1:
        game.apply(game.legal_actions(game.to_move[0])[-1], game.to_move[0])
    (seat,) = game.to_move
    assert TableCommands(game, seat, Chronicle(game.world)).obey("hint")
    told = capsys.readouterr().out.removeprefix("  greedy would: ").strip()
    assert told in {Chronicle(game.world).named(str(action)) for action in game.legal_actions()}
    (other,) = {*game.world.seats} - {seat}
    assert "hint" not in TableCommands(game, other, Chronicle(game.world)).known


def test_a_strong_hint_says_why(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexwar.search._levels.SECONDS", 0.2)
    game = hexwar.new_game("bridgehead", seed=1)
    for typed, words in (("hint strong", "strong would: select"), ("hint divine", "no level is called 'divine'")):
        assert TableCommands(game, "blue", Chronicle(game.world)).obey(typed)
        printed = " ".join(capsys.readouterr().out.split())
        assert words in printed
        assert ("imagined" in printed or "Nothing else was tried" in printed) == (typed == "hint strong")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("crashing", "greedy has no answer: ZeroDivisionError: a bot that crashes"),
        ("leaving", "greedy has no answer: SystemExit: a bot that leaves"),
        ("idle", "greedy has no answer that is offered"),
        ("lying", "greedy has no answer that is offered"),
    ],
)
def test_a_hint_of_a_bot_that_fails_is_a_sentence(
    name: str, sentence: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hexwar.table.questions.load_bot", lambda _: HOSTILE[name]())
    game = hexwar.new_game("bridgehead", seed=1)
    assert TableCommands(game, "blue", Chronicle(game.world)).obey("hint")
    assert sentence in capsys.readouterr().out
