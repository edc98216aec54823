"""An arena: every bot on both sides, and what that says of their strength."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hexwar.studies import Match, Outcome, Plan, arena, par, standings
from tests.cli.helpers import run
from tests.studies import strength_page


def _match(one: str, other: str, winners: str) -> Match:
    sides = {"b": "blue", "r": "red", "-": ""}
    return Match("x", {"blue": one, "red": other}, [Outcome(seed, sides[won], {}, 1) for seed, won in enumerate(winners)])


class TestStandings:
    def test_ten_to_one_are_four_hundred_points(self) -> None:
        strong, weak = standings([_match("strong", "weak", "b" * 500 + "r" * 50), _match("weak", "strong", "r" * 500 + "b" * 50)])
        assert (strong.bot, weak.bot) == ("strong", "weak")
        assert strong.elo - weak.elo == pytest.approx(400, abs=3)
        assert (strong.won, strong.games) == (1000, 1100)

    def test_an_easy_side_is_no_strength(self) -> None:
        one, other = standings([_match("one", "other", "bbbb"), _match("other", "one", "bbbb"), _match("one", "one", "bbbb")])
        assert one.elo == pytest.approx(other.elo, abs=1e-6) == pytest.approx(0, abs=1e-6)
        assert one.games == 8

    def test_draws_count_half_and_mistakes_not_at_all(self) -> None:
        wrong = Match("x", {"blue": "one", "red": "other"}, [Outcome(1, "", {}, 1, error="Oops")])
        one, other = standings([_match("one", "other", "--"), wrong])
        assert (one.won, other.won, one.games) == (1, 1, 2)

    def test_who_always_wins_has_a_rating_too(self) -> None:
        best, _, worst = standings([_match("a", "b", "bbb"), _match("b", "c", "bbb"), _match("a", "c", "bbb")])
        assert (best.bot, worst.bot) == ("a", "c")
        assert 0 < best.elo < 2000


def test_every_bot_plays_both_sides_and_itself_with_the_same_seeds() -> None:
    plan = Plan("bridgehead", "crossing", {"blue": "", "red": ""})
    matches = list(arena(plan, ["greedy", "random"], [3]))
    assert [tuple(match.bots.values()) for match in matches] == [
        ("greedy", "random"), ("random", "greedy"), ("greedy", "greedy"), ("random", "random"),
    ]  # fmt: skip
    assert {outcome.seed for match in matches for outcome in match.outcomes} == {3}


def test_pairs_that_are_known_are_not_played_again() -> None:
    plan = Plan("bridgehead", "crossing", {"blue": "", "red": ""})
    known = [{"blue": "random", "red": "greedy"}, {"blue": "greedy", "red": "random"}, {"blue": "greedy", "red": "greedy"}]
    assert [match.bots for match in arena(plan, ["greedy", "random"], [3], known=known)] == [{"blue": "random", "red": "random"}]


class TestMargin:
    def test_points_count_against_those_that_a_side_needs(self) -> None:
        level = par(Plan("tow", "training", {"axis": "random", "soviet": "random"}))
        assert level == {"soviet": 20}
        outcomes = [Outcome(0, "axis", {"soviet": 8}, 1), Outcome(1, "soviet", {"soviet": 24}, 1), Outcome(2, "soviet", {}, 1)]
        match = Match("x", {"axis": "one", "soviet": "other"}, outcomes)
        assert match.margin("soviet", level) == -4
        assert match.margin("axis", level) == 4

    def test_the_lead_is_the_margin_where_no_number_decides(self) -> None:
        assert par(Plan("bridgehead", "crossing", {"blue": "random", "red": "random"})) == {}
        match = Match("x", {"blue": "one", "red": "other"}, [Outcome(0, "blue", {"blue": 5, "red": 2}, 1)])
        assert (match.margin("blue", {}), match.margin("red", {})) == (3, -3)
        assert Match("x", {"blue": "one", "red": "other"}, [Outcome(0, "blue", {}, 1)]).margin("blue", {}) is None


def test_the_tables_in_the_docs_are_those_of_the_games() -> None:
    page = strength_page.PAGE.read_text(encoding="utf-8")
    assert strength_page.written(page) == page, "run python -m tests.studies.strength_page"
    assert "| tow-marshal |" in page
    assert not any("errors" in match for of in strength_page.read().values() for it in of.values() for match in it["matches"])


def test_the_command_prints_matches_and_ratings() -> None:
    words = ["arena", "bridgehead", "--bot", "random", "--bot", "greedy", "--games", "1"]
    ran = run(*words)
    assert ran.code == 0
    assert ran.out.splitlines()[0].startswith("crossing: blue random ")
    assert "Elo" in ran.out
    data = json.loads(run(*words, "--json").out)
    assert sum(standing["elo"] for standing in data["standings"]) == pytest.approx(0, abs=1e-6)


def test_a_folder_keeps_the_matches_and_is_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["arena", "bridgehead", "--bot", "random", "--bot", "greedy", "-o", str(tmp_path), "--json"]
    run(*words, "--games", "1")
    whole = json.loads(run(*words, "--games", "2").out)
    assert len(list(tmp_path.glob("*.jsonl"))) == 4
    monkeypatch.setattr("hexwar.studies._simulate.play_one", lambda plan, seed: pytest.fail("everything is there"))
    assert json.loads(run(*words, "--games", "2").out)["standings"] == whole["standings"]


def test_a_ladder_compares_each_budget_with_the_one_below_it() -> None:
    words = ["arena", "bridgehead", "--bot", "random", "--ladder", "2:1,4:1", "--games", "1"]
    ran = run(*words)
    assert ran.code == 0
    compared = [line for line in ran.out.splitlines() if line.startswith("crossing: search:4:1 against random, ")]
    assert len(compared) == 2, "as blue and as red"
    assert all("of 1 game; of the same seeds" in line for line in compared)
    data = json.loads(run(*words, "--json").out)
    assert {step["rung"] for step in data["ladder"]} == {"search:4:1"}
    assert {step["games"] for step in data["ladder"]} == {1}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--bot", "zzz"], "no bot is called 'zzz'"),
        (["--ladder", "much"], "search:96 has 96 rollouts"),
        (["--scenario", "zzz"], "no scenario"),
    ],
)
def test_mistakes_are_a_sentence(words: list[str], sentence: str) -> None:
    ran = run("arena", "bridgehead", *words)
    assert ran.code == 2
    assert sentence in ran.sentence
