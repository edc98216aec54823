"""What a page is told besides the position: cards, trays, chits, phases, names, costs, trails, dice, legends."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

import hexwar
from hexwar.errors import UnknownName
from hexwar.web import SqliteStore, Table, Tables
from hexwar.web import _answers as answers


def begun(ruleset: str, scenario: str | None = None) -> Table:
    return Tables(SqliteStore(":memory:")).begin(ruleset, scenario, seed=3)[0]


def played(table: Table, until: Any) -> str:
    """Play at random until something holds of the question; who is asked then."""
    chance = random.Random(1)
    for _ in range(400):
        seat = table.game.to_move[0]
        question = table.game.question(seat)
        if until(question):
            return seat
        table.act(seat, table.number_for([seat]), question.sample(chance).to_json())
    raise AssertionError("it never came")


@pytest.fixture(scope="module")
def crossing() -> Table:
    table = begun("bridgehead")
    played(table, lambda question: table.game.state.turn == 2 and "reach" in question.shows and len(question.groups) > 1)
    return table


def test_choices_have_names_costs_and_a_sort(crossing: Table) -> None:
    seat = crossing.game.to_move[0]
    key = next(iter(crossing.game.question(seat))).key
    name = crossing.game.world.units[key].name
    for choice in answers.group(crossing, seat, key, "")["choices"]:
        assert choice["says"].startswith(f"move {name} to ")
        assert f"({key})" not in choice["says"]
        assert choice["icon"] == "reach"
        assert choice["cost"] == answers.reach(crossing, seat, key)["costs"][choice["place"]][0]
    ending = answers.position(crossing, seat, [seat])["question"]["choices"][0]
    assert ending["icon"] == "end"
    assert "cost" not in ending


def test_a_card_has_values_facts_with_clauses_and_what_the_piece_may_do(crossing: Table) -> None:
    seat = crossing.game.to_move[0]
    key = next(iter(crossing.game.question(seat))).key
    card = answers.card_of(crossing, seat, key)
    assert [stat["label"] for stat in card["stats"]] == ["attack", "defence", "move"]
    assert {fact["icon"] for fact in card["facts"]} >= {"supply", "command", "stack"}
    assert all(fact["clause"] in crossing.game.world.rules for fact in card["facts"])
    assert card["may"][0]["words"].startswith("may move: ")
    tired = next(
        it for it in crossing.game.world.units.values() if it.side == seat and it.id not in crossing.game.question(seat).groups
    )
    assert answers.card_of(crossing, seat, tired.id)["may_not"][0]["clause"] == "6.1"
    assert answers.card_of(crossing, None, key)["may"] == []
    with pytest.raises(UnknownName, match="no piece is called 'b99'"):
        answers.card_of(crossing, seat, "b99")


def test_the_view_says_turns_phases_trays_and_chits(crossing: Table) -> None:
    shown = answers.position(crossing, None, [])
    assert [cell["number"] for cell in shown["track"]] == [1, 2, 3, 4, 5, 6]
    assert [phase["title"] for phase in shown["phases"] if phase["state"] == "now"] == [shown["phase"]]
    assert shown["phases"][0]["state"] == "done"
    assert [(tray["title"], tray["turn"]) for tray in shown["trays"]] == [("Turn 3", 3)]
    cup = {pile["kind"]: pile for pile in shown["piles"]}
    assert cup["cup"]["count"] == len(crossing.game.state.cup)
    assert {chit["id"] for chit in cup["cup"]["chits"]} <= {"supply"}, "spectators know no other"
    assert {chit["name"] for chit in cup["drawn"]["chits"]} <= {
        *(unit.name for unit in crossing.game.world.units.values()),
        "Supply",
    }
    assert "hand" not in cup


def test_the_log_says_what_to_draw() -> None:
    crossing = begun("bridgehead")
    seat = played(crossing, lambda question: any(event.kind == "attack-resolved" for event in crossing.game.events))
    lines = answers.position(crossing, seat, [seat])["log"]
    while lines[0]["line"]:
        lines = [*answers.log(crossing, seat, str(lines[0]["line"])), *lines]
    moved = next(line for line in lines if "trail" in line)
    assert moved["trail"]["points"] == moved["places"]
    assert moved["trail"]["side"] == moved["side"] == crossing.game.world.units[moved["pieces"][0]].side
    dice = next(line for line in lines if "dice" in line)
    assert dice["dice"][0]["faces"] == 6
    assert 1 <= dice["dice"][0]["value"] <= 6
    result = next(line for line in lines if line["line"] > dice["line"] and "reads" in line)
    assert result["reads"] in {name for chart in answers.charted(crossing, None) for row in chart["rows"] for name in row}
    assert result["blow"]


def test_a_battle_has_its_table_and_says_what_each_result_means_there() -> None:
    table = begun("bridgehead")
    seat = played(table, lambda question: question.shows == ("attack",) and question.groups and question.kind == "attacking")
    target = table.game.question(seat).groups[0]
    told = answers.attack(table, seat, target, "")
    grid, odds = told["table"], told["odds"]
    assert grid["columns"][grid["column"]] == odds["name"].removeprefix("column ")
    assert {row[grid["column"]] for row in grid["rows"]} == {name for name, *_ in odds["results"]} == {*told["says"]}
    assert {*told["with"]} == {*told["able"]} - {*told["chosen"]}
    fewer = answers.attack(table, seat, target, told["chosen"][0])
    assert {*fewer["with"]} == {*fewer["able"]} - {told["chosen"][0]}


def test_an_overlay_says_what_its_patterns_mean(crossing: Table) -> None:
    told = answers.overlay(crossing, "blue", "supply")
    assert {"pattern": "fill", "side": "blue", "words": "Blue lines of supply lead here"} in told["legend"]
    assert {entry["pattern"] for entry in answers.overlay(crossing, "blue", "command")["legend"]} <= {"line", "ring"}


def test_a_card_is_shown_while_the_choices_name_nothing() -> None:
    """An attack that can only be resolved: whoever takes part has a card all the same."""
    table = begun("wb95", "training")
    seat = played(table, lambda question: [action.kind for action in question.offer] == ["resolve"])
    for unit in table.game.question(seat).pieces:
        assert answers.card_of(table, seat, unit)["may_not"] == []


@pytest.mark.parametrize("ruleset", ["ava", "bkc", "bridgehead", "tow", "wb95", "wop"])
def test_every_scenario_can_be_shown_to_every_seat(ruleset: str) -> None:
    for scenario in hexwar.rulesets()[ruleset].scenarios:
        table = begun(ruleset, scenario.id)
        centres = answers.about(table, [], False)["ground"]["centres"]
        for seat in (*table.people, None):
            shown = json.loads(json.dumps(answers.position(table, seat, [seat] if seat else [])))
            assert {it["place"] for it in shown["objectives"] if "," not in it["place"]} <= {*centres}
            assert all(isinstance(it["points"], (int, float)) for it in shown["objectives"])
