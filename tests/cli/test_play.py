"""`hexwar play`: bots, people at one device, typed words, secrets behind the curtain, and no game ever lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import hexwar
from hexwar.bots import KeyedChance, RandomBot, move_once, play_to_end
from tests.cli.helpers import run

BLUE = ["bridgehead", "--seed", "3", "--bot", "red=random"]
"""A person plays blue."""


class TestBots:
    def test_a_game_of_bots_reads_like_a_report(self) -> None:
        ran = run("play", "bridgehead", "--bots", "--seed", "7", "--save", "seven.hexwar")
        assert ran.code == 0
        assert ran.out.startswith("Bridgehead: The Lenta crossing\nblue: greedy, red: greedy; seed 7\n")
        for expected in ("\nTurn 1\n", "  Operations (5.3)\n", "1st rifles (b1)", "Brod (0504)", "attacks", "(8.6)", " wins: "):
            assert expected in ran.out
        assert "selects" not in ran.out
        assert hexwar.load_game("seven.hexwar").result is not None

    def test_a_rulesets_own_bot_plays_it_unless_another_is_named(self) -> None:
        words = ["play", "ava", "--scenario", "training", "--seed", "7"]
        out = run(*words, "--bots", "--bot", "soviet=random").out
        assert "axis: ava-commander, soviet: random; seed 7" in out
        assert "1st Panzer Division (ger-1pz)" in out
        assert "soviet: ava-commander" in run(*words, "--bot", "soviet", typed="quit\n").out

    def test_quietly_only_the_result_is_told(self) -> None:
        words = ["play", "bridgehead", "--bot", "blue=random", "--bot", "red=random", "--seed", "1", "--quiet"]
        ran = run(*words)
        assert len(ran.out.splitlines()) <= 2
        assert ran.out == run(*words).out, "a seed fixes a whole game of bots"
        assert "wins: more points (14.3).\nScores: blue" in ran.out

    def test_options_are_named(self) -> None:
        out = run("play", "bridgehead", "--bot", "blue=random", "--bot", "red=random", "--option", "barrage", "--seed", "x y").out
        assert "seed x y, barrage" in out.splitlines()[1]

    def test_what_is_as_usual_is_not_named(self) -> None:
        words = ["play", "ava", "--scenario", "training", "--seed", "7"]
        assert run(*words, typed="quit\n").out.splitlines()[1].endswith("; seed 7")
        named = run(*words, "--option", "reserves", "--option", "controller=automatic", typed="quit\n").out.splitlines()[1]
        assert named.endswith("; seed 7, reserves")

    def test_a_switch_can_be_switched_off(self) -> None:
        assert "barrage" not in run("play", "bridgehead", "--option", "barrage=off", "--seed", "1").out.splitlines()[1]

    def test_a_game_without_hexes(self, toy: None) -> None:
        ran = run("play", "toy", "--bot", "north=random", "--bot", "south=random", "--seed", "2", "--option", "pace=fast")
        assert ran.code == 0
        assert "pace=fast" in ran.out


class TestPeople:
    def test_numbers_words_and_questions(self, own_folder: Path) -> None:
        typed = (
            "help\n?\nlist\n1\nundo\nselect bB\nsel bC\nREADY\nmap\nunits\nunits red\nlog\nlog 2\nrule 8.3\nsave x.hexwar\nquit\n"
        )
        ran = run("play", *BLUE, typed=typed)
        assert ran.code == 0
        for expected in ("save FILE", "1  select Blue 1st corps (bA)", "Taken back: select bA", "blue selects Blue reserve (bC)"):
            assert expected in ran.out
        for expected in ("/ 0201 \\", "11th guards", "Attackers across a river", "Saved: x.hexwar", "hexwar play --load"):
            assert expected in ran.out
        assert "--bot red=random" in ran.out
        assert "Pass the device" not in ran.out, "one player needs no curtain"
        assert hexwar.load_game(own_folder / "x.hexwar").history

    def test_nonsense_is_answered_and_changes_nothing(self) -> None:
        typed = "\n0\n99\n99999999999999999999\nfrobnicate\nselect\nselect zz\nmove b1 0503\n\x1b[A\n'; drop\nundo\nquit\n"
        ran = run("play", *BLUE, typed=typed)
        assert ran.code == 0
        assert "That may mean 3 things: select bA, select bB, select bC. Say more." in ran.out
        assert "5.2: " in ran.out, "a refusal cites its rule"
        assert "there is nothing to take back" in ran.out
        assert "Nothing was played yet" not in ran.out  # the bot has selected its chits

    @pytest.mark.parametrize(
        ("typed", "answer"),
        [
            ("odds", "say which hex"),
            ("odds b1", "say which hex"),
            ("odds 0504 zz", "no unit is called 'zz'"),
            ("odds 9999 b1", "no hex is called '9999'"),
            ("odds 0504 b1", "does not stand next to"),
            ("odds 0504 b2 b3", "column"),
            ("reach", "say of which unit"),
            ("reach zz", "no unit is called 'zz'"),
            ("reach b1", "not 0502, Brod (0504): 7.6: it is occupied by red"),
            ("reach b7", "is not on the board"),
            ("supply", "say of what"),
            ("supply b1", "in supply by"),
            ("supply 0504", "no supply"),
            ("supply zz", "no hex is called"),
            ("rule", "say which clause"),
            ("rule 99", "no clause is called '99'"),
            ("units green", "no unit fits 'green': say a side (blue, red)"),
            ("save", "say where to"),
            ("save no/where/x", "cannot be written"),
            ("map x.bmp", "no picture format"),
            ("map x.svg", "Drawn: x.svg"),
        ],
    )
    def test_questions(self, typed: str, answer: str) -> None:
        assert answer in run("play", *BLUE, typed=f"{typed}\n").out

    def test_the_last_no_events_are_none(self) -> None:
        logged = [run("play", *BLUE, typed=f"1\n1\nlog {number}\n").out for number in (0, 1)]
        assert len(logged[0].splitlines()) < len(logged[1].splitlines())

    def test_the_command_that_continues_names_plugin_files_and_bots_as_they_were_given(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from hexwar.cli.play import _continuing
        from hexwar.plugins import Plugins, use_plugins

        manager = Plugins(installed=False)
        manager.files.append("my games/duel{1}.py")
        use_plugins(manager)
        try:
            words = _continuing({"red": "smart"}).format(path="x.hexwar")
        finally:
            use_plugins(None)
        assert words == "hexwar --plugin 'my games/duel{1}.py' play --load x.hexwar --bot red=smart"

    def test_ctrl_c_saves_the_game_too(self, own_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        import click

        def interrupted(*words: Any, **more: Any) -> str:
            raise KeyboardInterrupt

        monkeypatch.setattr(click, "prompt", interrupted)
        ran = run("play", *BLUE, "--save", "mine.hexwar")
        assert "To go on: hexwar play --load mine.hexwar" in ran.out
        assert (own_folder / "mine.hexwar").is_file()

    def test_nothing_is_saved_where_nothing_was_played(self, own_folder: Path) -> None:
        assert "Nothing was played yet." in run("play", "bridgehead", "--seed", "1", typed="\n").out
        assert not list(own_folder.iterdir())

    def test_long_lists_ask_for_words(self) -> None:
        """When twenty units can move anywhere, nobody wants to read hundreds of lines."""
        typed = "1\n1\n1\n" + "list\ndone\n" * 30
        out = run("play", *BLUE, typed=typed).out
        assert "possibilities of" in out
        assert "Type what you want, such as" in out

    def test_questions_that_a_game_without_hexes_cannot_answer(self, toy: None) -> None:
        out = run("play", "toy", "--bot", "south=random", typed="map\nreach x\nodds a b\nunits\nsupply x\nquit\n").out
        assert out.count("This game has no ") == 5


class TestTwoPeople:
    """Hot-seat: both sides at one terminal, and what one chose is not on the other's screen."""

    def test_the_curtain_falls_when_the_player_changes(self) -> None:
        ran = run("play", "bridgehead", "--seed", "3", typed="\n1\n1\n1\n\n2\n1\nquit\n")
        assert ran.out.index("Pass the device to blue") < ran.out.index("Pass the device to red")
        after = ran.out.split("Pass the device to red", 1)[1]
        assert "blue selects" not in after
        assert "red selects" in after

    def test_the_curtain_also_clears_what_could_be_scrolled_back_to(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        import sys

        from hexwar.table.session import _wipe

        monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
        _wipe()
        assert "\x1b[3J" in capsys.readouterr().out

    def test_a_scripted_game_to_its_end(self, own_folder: Path) -> None:
        """Given the decisions of a whole game, when they are typed in words, then the terminal comes to the same end."""
        game = hexwar.new_game("bridgehead", seed=11)
        bots, chance = {"blue": RandomBot(), "red": RandomBot()}, KeyedChance(11)
        lines: list[str] = []
        last = ""
        while game.to_move:
            seat = last if last in game.to_move else game.to_move[0]
            if seat != last:
                lines.append("")  # the curtain
                last = seat
            move_once(game, {seat: bots[seat]}, chance)
            lines.append(str(game.history[-1].action))
        ran = run("play", "bridgehead", "--seed", "11", "--save", "end.hexwar", typed="\n".join(lines) + "\n")
        assert ran.code == 0, ran.out[-500:]
        assert str(game.result.reason) in ran.out  # type: ignore[union-attr]
        assert "Scores: blue" in ran.out
        assert hexwar.load_game(own_folder / "end.hexwar").digest == game.digest


class TestBadArguments:
    @pytest.mark.parametrize(
        ("words", "sentence"),
        [
            ([], "say which ruleset"),
            (["zzz"], "no ruleset is called 'zzz'"),
            (["bridgehead", "--scenario", "zzz"], "no scenario of bridgehead is called 'zzz'"),
            (["bridgehead", "--option", "zzz"], "no option is called 'zzz'"),
            (["bridgehead", "--option", "barrage=maybe"], "is a switch"),
            (["bridgehead", "--bot", "green=random"], "no side is called 'green'"),
            (["bridgehead", "--bot", "red=zzz"], "no bot is called 'zzz'"),
            (["--load", "none.hexwar"], "cannot be read"),
            (["--load", "mid.hexwar", "--seed", "1"], "leave them out"),
            (["--load", "mid.hexwar", "--seats", "pairs"], "leave them out"),
            (["wrong", "--load", "mid.hexwar"], "is a game of bridgehead, not of wrong"),
            (["--load", "notes.txt"], "is damaged"),
        ],
    )
    def test_a_sentence_and_exit_code_two(self, save: str, own_folder: Path, words: list[str], sentence: str) -> None:
        (own_folder / "notes.txt").write_text("dear diary", encoding="utf-8")
        ran = run("play", *words)
        assert ran.code == 2
        assert sentence in ran.err
        assert not ran.out

    def test_a_side_without_a_name_of_a_bot_gets_the_usual_one(self) -> None:
        assert "red: greedy" in run("play", "bridgehead", "--bot", "red", "--seed", "1", typed="quit\n").out

    def test_a_fresh_seed_is_secret_and_the_players_are_told_what_a_save_holds(self) -> None:
        ran = run("play", "bridgehead", "--save", "a.hexwar", typed="\n1\nsave b.hexwar\n")
        seed = str(hexwar.load_game("a.hexwar").chance.seed)  # type: ignore[attr-defined]
        assert "; a secret seed" in ran.out
        assert seed not in ran.out
        assert len(seed) > 15, "nobody tries them all"
        assert ran.out.count("The file holds the seed and all secrets.") == 2

    def test_a_secret_seed_is_told_when_the_game_is_over(self) -> None:
        game = hexwar.new_game("bridgehead")
        almost = game.copy()
        play_to_end(game, {"blue": RandomBot(), "red": RandomBot()})
        *others, last = game.history
        for decision in others:
            almost.apply(decision.action, decision.seat)
        almost.save("almost.hexwar")
        bots = [f"--bot={seat}=random" for seat in game.world.seats if seat != last.seat]
        out = run("play", "--load", "almost.hexwar", *bots, typed=f"{last.action}\n").out
        before, told, _ = out.partition(f"The seed was {game.seed}.")
        assert told
        assert str(game.seed) not in before

    def test_a_defect_does_not_cost_the_game(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("hexwar.table.offers.Offer.listing", lambda self, words: 1 / 0)
        ran = run("play", "bridgehead", "--bot", "red=random", "--save", "a.hexwar", typed="1\nlist\n")
        assert ran.code == 1
        assert "Saved. To go on: hexwar play --load a.hexwar" in ran.out
        assert hexwar.load_game("a.hexwar").history


def test_a_game_whose_map_was_corrected_since_is_loaded_with_the_map_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hexwar.plugins import plugins

    run("play", "bridgehead", "--bots", "--seed", "7", "--quiet", "--save", "seven.hexwar")
    result = run("play", "--load", "seven.hexwar", "--quiet").out
    (tmp_path / "fixes").mkdir()
    fix = 'format = 1\nid = "bridgehead/crossing"\n[[hex]]\nhex = "0101"\nproperties = { note = "checked" }\n'
    (tmp_path / "fixes" / "fix.toml").write_text(fix)
    Path("old map.toml").write_text(plugins().maps()["bridgehead/crossing"].read_text(encoding="utf-8"))
    monkeypatch.setenv("HEXWAR_CORRECTIONS", str(tmp_path / "fixes"))
    refused = run("play", "--load", "seven.hexwar")
    assert refused.code == 2
    assert "--board on the command line" in refused.err
    for board in ("bridgehead/crossing", "old map.toml"):
        assert run("play", "--load", "seven.hexwar", "--quiet", "--board", board).out == result
        assert run("replay", "seven.hexwar", "--board", board, "--at-end").code == 0
        assert run("show", "seven.hexwar", "--board", board).code == 0
    assert run("play", "bridgehead", "--board", "old map.toml").code == 2
    assert run("show", "bridgehead/crossing", "--board", "old map.toml").code == 2


def test_the_command_that_continues_names_the_board() -> None:
    Path("position.toml").write_text('ruleset = "bridgehead"\nunits = {b1 = "0101", r1 = "0303"}\n')
    words = ["play", "--load", "position.toml", "--board", "bridgehead/crossing", "--save", "on.hexwar"]
    assert "hexwar play --load on.hexwar --board bridgehead/crossing" in run(*words, typed="\n1\nquit\n").out
