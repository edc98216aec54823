"""`hexwar simulate`: many games of bots, told in a few lines or as JSON; a game that goes wrong is reported and kept."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

import hexwar
from hexwar.studies import Outcome, Plan, play_one, simulate, summary
from tests.cli.helpers import run
from tests.cli.terminals import terminal

RANDOM = ["simulate", "bridgehead", "--bot", "random"]

CLUMSY = """
from hexwar import hookimpl
from hexwar.bots import RandomBot

class Clumsy(RandomBot):
    def __init__(self):
        self.asked = 0

    def choose(self, view, chance):
        self.asked += 1
        if self.asked > 3:
            raise ValueError("dropped the counters")
        return super().choose(view, chance)

@hookimpl
def hexwar_bots():
    return {"clumsy": f"{__name__}:Clumsy"}
"""

STUBBORN = """
from hexwar import hookimpl
from hexwar.bots import RandomBot

class Stubborn(RandomBot):
    first = None

    def choose(self, view, chance):
        self.first = self.first or super().choose(view, chance)
        return self.first

@hookimpl
def hexwar_bots():
    return {"stubborn": f"{__name__}:Stubborn"}
"""


MORTAL = """
import os
from pathlib import Path
from hexwar import hookimpl
from hexwar.bots import RandomBot

class Mortal(RandomBot):
    def choose(self, view, chance):
        for bullet in Path().glob("bullet*"):
            try:
                bullet.unlink()
            except FileNotFoundError:  # the other process was quicker
                continue
            os.kill(os.getpid(), 9)
        return super().choose(view, chance)

@hookimpl
def hexwar_bots():
    return {"mortal": f"{__name__}:Mortal"}
"""


@pytest.fixture
def clumsy(own_folder: Path) -> str:
    (own_folder / "clumsy.py").write_text(CLUMSY, encoding="utf-8")
    return "clumsy.py"


class TestOutcomes:
    def test_a_few_lines_tell_who_wins_and_how(self) -> None:
        ran = run(*RANDOM, "--games", "4")
        assert ran.code == 0
        lines = ran.out.splitlines()
        assert lines[0] == "Bridgehead: The Lenta crossing; blue: random, red: random"
        assert lines[1].startswith("4 games: ")
        assert sum(map(int, re.findall(r"wins (\d+)", lines[1]))) == 4
        assert lines[2].startswith("points of blue")
        assert "actions a second" in lines[-1]

    def test_a_bot_whose_answer_is_not_offered_is_found(self, own_folder: Path) -> None:
        (own_folder / "stubborn.py").write_text(STUBBORN, encoding="utf-8")
        ran = run("--plugin", "stubborn.py", "simulate", "bridgehead", "--games", "2", "--bot", "stubborn", "--disturb", "3")
        assert ran.code == 1
        assert "one in 3 taken by chance: 2 games went wrong" in ran.out
        assert "seed 0: HexwarError: Stubborn answers" in ran.out
        assert run(*RANDOM, "--games", "2", "--disturb", "3").code == 0

    def test_bots_by_side(self) -> None:
        out = run("simulate", "bridgehead", "--games", "1", "--bot", "greedy", "--bot", "red=random").out
        assert out.splitlines()[0].endswith("; blue: greedy, red: random")

    def test_json_has_every_game_and_seeds_fix_them(self) -> None:
        words = [*RANDOM, "--games", "3", "--first-seed", "5", "--json"]
        games = json.loads(run(*words).out)["games"]
        assert [game["seed"] for game in games] == [5, 6, 7]
        assert all(game["error"] == "" and game["actions"] > 10 for game in games)
        assert {game["winner"] for game in games} <= {"blue", "red", ""}
        again = json.loads(run(*words).out)["games"]
        for game in (*games, *again):
            del game["seconds"]
        assert games == again

    def test_several_processes_play_the_same_games_in_the_same_order(self) -> None:
        plan = Plan("bridgehead", None, {"blue": "random", "red": "random"})
        alone = [(outcome.seed, outcome.winner, outcome.scores, outcome.actions) for outcome in simulate(plan, 3)]
        ran = run(*RANDOM, "--games", "3", "--jobs", "2", "--json")
        assert ran.code == 0
        together = json.loads(ran.out)["games"]
        assert [(game["seed"], game["winner"], game["scores"], game["actions"]) for game in together] == alone

    def test_options_and_scenarios_reach_the_game(self) -> None:
        plain, barrage = (
            run(*RANDOM, "--games", "1", "--first-seed", "10", *more, "--json") for more in ([], ["--option", "barrage"])
        )
        lengths = [[game["actions"] for game in json.loads(ran.out)["games"]] for ran in (plain, barrage)]
        assert lengths[0] != lengths[1]
        assert "The road to Riga" in run("simulate", "ava", "--scenario", "training", "--games", "1", "--bot", "random").out

    def test_a_random_game_is_that_of_the_random_bot(self) -> None:
        """The shortcut for random bots, which makes no views, chooses what they would have chosen."""
        from hexwar.bots import KeyedChance, load_bot, play_to_end

        game = hexwar.new_game("bridgehead", seed=4)
        play_to_end(game, {"blue": load_bot("random"), "red": load_bot("random")}, KeyedChance(4))
        outcome = play_one(Plan("bridgehead", None, {"blue": "random", "red": "random"}), 4)
        assert game.result is not None
        assert (outcome.actions, outcome.scores) == (len(game.history), game.result.scores)


class TestSomethingGoesWrong:
    def test_it_is_reported_saved_and_the_exit_code_says_so(self, clumsy: str, own_folder: Path) -> None:
        words = ["--plugin", clumsy, "simulate", "bridgehead", "--games", "2", "--bot", "random", "--bot", "red=clumsy"]
        ran = run(*words, "--failures", "wrong")
        assert ran.code == 1
        assert "seed 0: ValueError: dropped the counters" in ran.out
        assert "seed 1: ValueError: dropped the counters" in ran.out
        assert "Saved in wrong: 2" in ran.out
        saves = sorted(path.name for path in (own_folder / "wrong").iterdir())
        assert saves == ["bridgehead-crossing-0.hexwar", "bridgehead-crossing-1.hexwar"]
        game = hexwar.load_game(own_folder / "wrong" / saves[0])
        assert [move.seat for move in game.history].count("red") == 3, "the game stands where it went wrong"

    def test_without_a_folder_nothing_is_saved(self, clumsy: str, own_folder: Path) -> None:
        ran = run("--plugin", clumsy, "simulate", "bridgehead", "--games", "1", "--bot", "clumsy")
        assert ran.code == 1
        assert "With --failures DIR the games that go wrong are saved." in ran.out
        assert [path.name for path in own_folder.iterdir() if path.suffix == ".hexwar"] == []

    def test_other_processes_load_the_plugin_file_too(self, clumsy: str) -> None:
        words = ["--plugin", clumsy, "simulate", "bridgehead", "--games", "3", "--bot", "clumsy", "--jobs", "2", "--json"]
        ran = run(*words)
        assert ran.code == 1
        assert [game["error"] for game in json.loads(ran.out)["games"]] == ["ValueError: dropped the counters"] * 3

    @pytest.mark.timeout(120)
    @pytest.mark.parametrize(("kills", "lost"), [(1, 0), (99, 3)])
    def test_a_killed_process_ends_nothing_but_its_game(self, own_folder: Path, kills: int, lost: int) -> None:
        """Given a process that is killed once, then its game is played again; a game that always kills it is reported."""
        (own_folder / "mortal.py").write_text(MORTAL, encoding="utf-8")
        for number in range(kills):
            (own_folder / f"bullet{number}").touch()
        plan = Plan("bridgehead", None, {"blue": "mortal", "red": "random"}, plugins=(str(own_folder / "mortal.py"),))
        outcomes = list(simulate(plan, 3, jobs=2))
        assert [outcome.seed for outcome in outcomes] == [0, 1, 2]
        errors = [outcome.error for outcome in outcomes if outcome.error]
        assert errors == ["the process that played it was killed or crashed"] * lost

    def test_a_broken_invariant_is_found_where_it_breaks(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from hexwar.engine import Invariant
        from hexwar.plugins import plugins

        ruleset = plugins().ruleset("bridgehead")
        late = Invariant("6.1", "the game stays in its first turn", lambda at: None if at.state.turn < 2 else "it does not")
        monkeypatch.setattr(type(ruleset), "invariants", (late,))
        checked = run(*RANDOM, "--games", "1", "--check", "1")
        assert checked.code == 1
        assert "the game stays in its first turn (6.1): it does not" in checked.out
        assert run(*RANDOM, "--games", "1").code == 0, "nobody looks unless asked to"

    def test_a_game_without_end(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from hexwar.engine import Scenario

        monkeypatch.setattr(
            "hexwar.engine._info.RulesetInfo.scenario", lambda self, scenario: Scenario("crossing", "The Lenta crossing", bound=7)
        )
        ran = run(*RANDOM, "--games", "1")
        assert ran.code == 1
        assert "the game is not over after 7 actions" in ran.out


def test_games_that_failed_do_not_count_as_played() -> None:
    lines = summary([Outcome(1, "blue", {"blue": 3}, 10, 0.5), Outcome(2, "", {}, 4, 0.1, "Oops: no")])
    assert lines[0] == "1 game: blue wins 1 (21% to 100%)"
    assert lines[1] == "points of blue: least 3, quartiles 3 3 3, most 3, mean 3.0"
    assert lines[-1] == "seed 2: Oops: no"
    assert summary([]) == []


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["zzz"], "no ruleset is called 'zzz'"),
        (["bridgehead", "--scenario", "zzz"], "no scenario of bridgehead is called 'zzz'"),
        (["bridgehead", "--bot", "zzz"], "no bot is called 'zzz'"),
        (["bridgehead", "--bot", "green=random"], "no side is called 'green'; known: blue, red"),
        (["bridgehead", "--option", "zzz"], "no option is called 'zzz'"),
        (["bridgehead", "--games", "0"], "--games"),
        (["bridgehead", "--first-seed", "-1"], "--first-seed"),
    ],
)
def test_bad_arguments_are_a_sentence(words: list[str], sentence: str, jobs: str) -> None:
    ran = run("simulate", *words, "--jobs", jobs)
    assert ran.code == 2
    assert sentence in ran.sentence
    assert not ran.out


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs terminals as Unix has them")
def test_a_terminal_shows_how_far_it_is(own_folder: Path) -> None:
    with terminal("simulate", "bridgehead", "--bot", "random", "--games", "3", folder=own_folder) as at:
        assert at.end() == 0
        assert "3/3\033[?25h" in at.shown
        assert "\\u001b" not in at.shown, "what moves the cursor is obeyed, not shown"
