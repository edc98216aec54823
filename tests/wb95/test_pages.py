"""What a page is told: briefing, lesson, turns, objectives, charts, and the markers of the system on counters."""

from __future__ import annotations

import pytest

import hexwar
from hexwar.engine import Game, Picture, Piece
from hexwar.mechanics import Attack, Join, Move, Resolve
from hexwar.pieces import Done
from hexwar_wb95.state import Flight
from tests.wb95.table import field, moving, placed

INFO = hexwar.rulesets()["wb95"]


def piece(picture: Picture, unit: str) -> Piece:
    return next(piece for piece in picture.pieces if piece.id == unit)


@pytest.mark.parametrize("scenario", ["training", "narew"])
def test_the_guide_names_what_is_there(scenario: str) -> None:
    guide, game = INFO.guide(scenario), hexwar.new_game("wb95", scenario, seed=1)
    assert {*guide.briefing.sides} == {*guide.briefing.samples} == {"soviet", "axis"}
    assert {unit for units in guide.briefing.samples.values() for unit in units} <= {*game.world.units}
    places = [place for arrow in guide.briefing.arrows for place in arrow.places]
    places += [place for step in guide.lesson for place in step.places]
    assert places
    assert [place for place in places if place not in game.world.board] == []
    assert [cell.number for cell in guide.turn] == [*range(1, game.world.last_turn + 1)]
    told = [line.clause for line in guide.briefing.victory] + [step.clause for step in guide.lesson]
    assert {*told} <= {*game.world.rules}
    assert guide.turn[0].title == "14 January 1945"


def test_the_points_of_the_briefing_are_those_of_the_rules() -> None:
    needed = hexwar.new_game("wb95", "narew", seed=1).query.points_needed()
    assert INFO.guide("narew").briefing.victory[0].points == str(needed["soviet"][0])


def test_the_lesson_can_be_followed() -> None:
    """Each step is shown when its kind of action is asked for, and its own action is offered."""
    game: Game = hexwar.new_game("wb95", "training", seed=3)
    orders = iter([Done(), Move("15gt", "2416"), Done(), Attack("2317"), Join("69"), Join("15gt"), Resolve()])
    for step in INFO.guide("training").lesson:
        if step.until == "read":
            continue
        assert game.to_move == ("soviet",)
        while True:
            order = next(orders)
            assert game.question("soviet").asks == step.asks or step.asks in ("", "join"), step.says
            assert game.why_not(order) is None, f"{order}: {game.why_not(order)}"
            game.apply(order)
            if order.kind == step.until:
                break


def test_charts_and_objectives() -> None:
    game: Game = hexwar.new_game("wb95", "narew", seed=1)
    charts = {chart.title: chart for chart in game.ruleset.charts(game.world)}
    assert {*charts} == {"Combat", "Terrain", "Fire", "Columns", "Bombs on bridges and fieldworks"}
    assert all(len(row) == len(chart.headers) for chart in charts.values() for row in chart.rows)
    assert len(charts["Fire"].rows) == 6
    values = {objective.words: objective.points for objective in game.ruleset.objectives(game.position)}
    assert sum(values.values()) == 24
    assert values["Modlin"] == 4
    training: Game = hexwar.new_game("wb95", "training", seed=1)
    [goal] = training.ruleset.objectives(training.position)
    assert (goal.place, goal.side, goal.held_by) == ("1916", "soviet", "axis")


def test_counters_have_strength_stars_and_the_markers_of_the_system() -> None:
    units = {
        "37g": "0404",
        "15gt": "0504",
        "ga1": "0405",
        "hq65": "0403",
        "as1": "hangar",
        "stg": "0901",
        "hq27": "0101",
        "14eng": "0505",
    }
    game = placed(
        units,
        turn=3,
        works=["0404"],
        marching=["ga1"],
        shortage={"15gt": 2},
        shaken=["37g"],
        flights=[Flight("as1", "0504", "supply")],
        bridging={"hq65": "0403|0503"},
        broken=["0404|0504"],
        silent=["ga1"],
        board=field(large=["0404|0504", "0403|0503"], road=["0404 0504"]),
    )  # fmt: skip
    shown = game.picture
    told = {unit: (piece(shown, unit).values, piece(shown, unit).marks, piece(shown, unit).state) for unit in units}
    assert told["37g"] == ("5–5", ("dug in", "disorganised"), ("disrupted",))
    assert told["15gt"] == ("★3–8", ("shortage 2",), ("cut",))
    assert told["ga1"] == ("5–3–8", ("on the march", "barrage fired"), ("spent",))
    assert told["hq65"] == ("1–8", ("builds a bridge",), ())
    assert told["as1"] == ("3", ("supply",), ())
    assert told["stg"][0] == "☆2–8"
    assert told["14eng"][0] == "✪2–5"
    assert piece(shown, "as1").place == "0504"
    assert "bridges down: 0404|0504" in shown.notes


def test_combat_1_the_duty_is_told_before_and_during_movement() -> None:
    game = moving({"37g": "0404", "69": "0305", "g472": "0504", "hq27": "0107"})
    assert "you would have to attack 0504" in game.question("soviet").prompt
    assert game.question("soviet").places == ("0504",)
    game.apply(Move("37g", "0403"))
    assert "you would have to attack 0504" in game.question("soviet").prompt
    free = moving({"37g": "0404", "g472": "0701", "hq27": "0107"})
    assert "you would have to attack" not in free.question("soviet").prompt
