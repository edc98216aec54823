"""What a page is told: briefing, lesson, objectives, charts and the card of a unit."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import hexwar
from hexwar.engine import Game
from hexwar.pieces import Done
from hexwar.tabletop import March
from tests.bkc.table import WOOD, table

INFO = hexwar.rulesets()["bkc"]


@pytest.mark.parametrize("scenario", [scenario.id for scenario in INFO.scenarios])
def test_the_guide_names_what_is_there(scenario: str) -> None:
    guide = INFO.guide(scenario)
    game: Game = hexwar.new_game("bkc", scenario, seed=1)
    assert {*guide.briefing.sides} == {"poland", "germany"}
    assert {unit for units in guide.briefing.samples.values() for unit in units} <= {*game.world.units}
    places = [place for arrow in guide.briefing.arrows for place in arrow.places]
    places += [place for step in guide.lesson for place in step.places]
    spots = [tuple(map(int, place.split(","))) for place in places]
    assert [spot for spot in spots if spot not in game.world.terrain] == []
    told = [line.clause for line in guide.briefing.victory] + [step.clause for step in guide.lesson]
    assert {*told} <= {*game.world.rules}
    assert [cell.number for cell in guide.turn] in ([], [*range(1, game.world.last_turn + 1)])


def test_the_lesson_can_be_followed() -> None:
    """Each step is shown when its kind of action is asked for, and its own action is offered."""
    game: Game = hexwar.new_game("bkc", "training", seed=3)
    order: Iterator[March | Done] = iter([March("p2", (4460, 3310)), March("p4", (4740, 2600)), Done()])
    for step in INFO.guide("training").lesson:
        if step.until == "read":
            continue
        assert game.to_move == ("poland",)
        action = next(order)
        assert game.question("poland").asks == step.asks
        assert action.kind == step.until
        assert game.why_not(action) is None, game.why_not(action)
        assert not isinstance(action, March) or not step.pieces or action.unit in step.pieces
        game.apply(action)
    assert next(order, None) is None


@pytest.mark.parametrize("scenario", ["training", "mokra"])
def test_charts_have_rows_as_wide_as_their_heads_and_cite_rules(scenario: str) -> None:
    game: Game = hexwar.new_game("bkc", scenario, seed=1)
    charts = {chart.title: chart for chart in game.ruleset.charts(game.world)}
    assert {*charts} == {"Fire", "Close combat", "Units"} | ({"Orders"} if scenario == "mokra" else set())
    assert all(len(row) == len(chart.headers) for chart in charts.values() for row in chart.rows)
    cited = {clause for chart in charts.values() for clause in [chart.clause, *(row[-1] for row in chart.rows)] if "." in clause}
    assert {one for clause in cited for one in clause.split(", ")} <= {*game.world.rules}
    assert ("germany: Panzer II", "25", "2/30", "3", "6+", "35") in charts["Units"].rows


def test_victory_1_objectives_say_who_holds_them() -> None:
    game = table({"p3": (5400, 5400), "g3": (3000, 1000)})
    told = {it.side: (it.place, it.points, it.held_by) for it in game.ruleset.objectives(game.position)}
    assert told == dict.fromkeys(("poland", "germany"), ((5450, 5450), 2.0, "poland"))
    large: Game = hexwar.new_game("bkc", "bzura", seed=1)
    words = [it.words for it in large.ruleset.objectives(large.position)]
    assert words == [
        "main objective of germany: hold Sobota",
        "minor objective of germany: 3 units beyond Bzura",
        "main objective of poland: keep the enemy out of Sobota",
    ]


def test_victory_4_the_lead_is_points_and_a_hundred_for_each_step_of_objectives() -> None:
    units = {"p3": (5400, 5400), "g3": (3000, 1000)}
    even, ahead = table({**units, "p3": (3000, 5400)}), table(units, lost=["g5"])
    gained = ahead.ruleset.lead(ahead.position, "poland") - even.ruleset.lead(even.position, "poland")
    assert gained == 35 + 200
    assert ahead.ruleset.lead(ahead.position, "germany") == -ahead.ruleset.lead(ahead.position, "poland")


def test_a_card_has_numbers_and_what_holds_now() -> None:
    game = table(
        {"p1": (1000, 5500), "p3": (3000, 2500), "g5": (3000, 500)},
        parts=WOOD,
        hits={"p3": 2},
        suppressed=["g5"],
        orders={"p3": 1},
    )
    card = game.query.card("p3")
    assert {stat.label: (stat.value, stat.base) for stat in card.stats} == {
        "attack/range": ("3*/30", ""),
        "move": ("10", ""),
        "hits": ("3", "5"),
    }
    assert [fact.words for fact in card.facts] == ["in cover", "orders this turn: 1", "sees g5"]
    assert game.query.card("g5").facts[0].clause == "supp.3"
    assert game.query.card("p1").stats[0].label == "command"
