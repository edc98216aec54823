"""What a game tells people besides its rules: guides are read from files and checked; what nobody says has a default."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import hexwar
from hexwar.engine import Briefing, FirstStep, Guide, Lesson, Picture, Piece, RulesetInfo, Scenario, Tray, TurnMark, VictoryLine
from hexwar.errors import ContentError

GUIDE = """
[briefing]
period = "Spring"
about = "A river and two armies."
sides = { blue = "You attack." }
samples = { blue = ["b1"] }
minutes = 20
[[briefing.victory]]
points = "2"
words = "each town"
clause = "14.2"
[[briefing.first]]
heading = "Move"
words = "one unit"
[[lesson]]
says = "Click a unit."
asks = "move"
until = "move"
[[turn]]
number = 1
title = "1 May"
marks = [{ kind = "weather", words = "rain" }]
"""


def _read(tmp_path: Path, text: str) -> Guide:
    file = tmp_path / "crossing.toml"
    file.write_text(text, encoding="utf-8")
    return Guide.load(file)


def test_a_guide_is_a_file_with_briefing_lesson_and_turns(tmp_path: Path) -> None:
    guide = _read(tmp_path, GUIDE)
    assert guide.briefing.victory == (VictoryLine("2", "each town", "14.2"),)
    assert guide.briefing.first == (FirstStep("Move", "one unit"),)
    assert guide.briefing.samples == {"blue": ("b1",)}
    assert guide.lesson == (Lesson("Click a unit.", asks="move", until="move"),)
    assert guide.turn[0].marks == (TurnMark("weather", "rain"),)


@pytest.mark.parametrize(
    ("old", "new", "mistake"),
    [
        ("minutes = 20", 'minutes = "20"', "briefing.minutes: input should be a valid integer"),
        ("minutes = 20", "minuets = 20", "briefing.minuets: unexpected keyword argument"),
        ('says = "Click a unit."', "", "lesson.0.says: field required"),
        ('kind = "weather"', 'kind = "storm"', "turn.0.marks.0.kind: input should be"),
    ],
)
def test_a_mistake_in_a_guide_is_told_with_its_place(tmp_path: Path, old: str, new: str, mistake: str) -> None:
    with pytest.raises(ContentError, match=re.escape(f"crossing.toml: {mistake}")):
        _read(tmp_path, GUIDE.replace(old, new))


def test_a_scenario_without_a_guide_has_its_summary() -> None:
    own = Briefing(about="Its own words.")
    info = RulesetInfo(
        "x", "X", "1", ("a", "b"), (Scenario("one", "One", "A summary."), Scenario("two", "Two", briefing=own)), "x:RULESET"
    )
    assert info.guide() == Guide(Briefing(about="A summary."))
    assert info.guide("two").briefing is own


def test_what_lies_beside_the_board_is_told_by_place_and_later_turns_come_last() -> None:
    pieces = (
        Piece("r1", "turn 10", "red"),
        Piece("b1", "turn 2", "blue"),
        Piece("b2", "dead", "blue"),
        Piece("r2", "dead", "red"),
        Piece("b3", "0101", "blue"),
        Piece("b4", None, "blue"),
    )
    trays = Picture({"0101"}, pieces, trays=(Tray("dead", "The dead", words="gone"), Tray("pool", "Pool"))).beside()
    assert [(it.title, it.side, it.order, it.pieces, it.turn) for it in trays] == [
        ("The dead", "", 0, ("b2", "r2"), 0),
        ("Turn 2", "blue", 1, ("b1",), 2),
        ("Turn 10", "red", 2, ("r1",), 10),
    ]


def test_a_question_has_a_title_and_what_is_chosen_already() -> None:
    game = hexwar.new_game("bridgehead", seed=7)
    question = game.question("blue")
    assert (question.title, question.subject) == ("Choose your chits", ("", ""))
    for seat in ("blue", "blue", "red"):
        game.apply(game.question(seat).example, seat)
    while game.to_move and game.question(game.to_move[0]).asks != "move":
        game.apply(game.question(game.to_move[0]).offer.sample(_First()), game.to_move[0])
    question = game.question(game.to_move[0])
    move = question.group(next(iter(question)).key)[0]
    assert question.title == "Move your units"
    assert question.cost(move) == game.query.reach(move.key).costs[move.to]  # type: ignore[attr-defined]
    assert question.cost(question.plain[0]) is None


class _First:
    def randrange(self, stop: int) -> int:
        return 0
