"""The index, the army lists and the tables: what they hold and what is wrong with others."""

from __future__ import annotations

from pathlib import Path

import pytest

import hexwar
from hexwar.board import PlaneBoard
from hexwar.engine import Game, Status
from hexwar.errors import ContentError, UnknownName
from hexwar.plane import Terrain
from hexwar_bkc.__main__ import main
from hexwar_bkc.acting import Acting
from hexwar_bkc.content import Battlegroup, load_armies, price, why_not_battlegroup
from hexwar_bkc.world import AREAS, LINES, RULES
from tests.bkc.table import TABLE
from tests.handmade import handmade


def test_the_index_has_every_clause_and_gives_a_reason_for_each_that_is_absent() -> None:
    assert len(RULES) == 313
    absent = [clause for clause in RULES.values() if clause.status is Status.ABSENT]
    assert all(clause.ruling for clause in absent)
    assert hexwar.rulesets()["bkc"].maturity == "playable"


@pytest.mark.parametrize("board", ["bkc/training", "bkc/mokra", "bkc/bzura"])
def test_the_tables_are_sound(board: str) -> None:
    terrain = Terrain.of(hexwar.load_board(board, kind=PlaneBoard), AREAS | LINES)
    assert terrain.areas
    assert terrain.lines


def test_the_battlegroups_of_the_scenarios_are_allowed_and_cost_the_same() -> None:
    file = load_armies()
    groups = [file.battlegroup[name] for name in ("poland", "germany", "france")]
    assert [why_not_battlegroup(file, group, 915) for group in groups] == [(), (), ()]
    assert [price(file, group) for group in groups] == [915, 915, 915]


def test_a_battlegroup_that_is_not_allowed_hears_all_that_is_wrong() -> None:
    file = load_armies()
    wrong = Battlegroup(army="poland_1939", units={"co": 2, "eng": 3}, artillery={"75": 4}, assets={"100": 1})
    assert why_not_battlegroup(file, wrong, 100) == (
        "2 of Commanding officer are too many: at most 1",
        "3 of Engineers are too many: at most 2",
        "4 of 75 mm field guns are too many: at most 3",
        "a battlegroup has one commanding officer",
        "a battlegroup has at least one headquarters",
        "artillery needs an observer who calls it",
        "assets of 100 mm howitzers need that artillery",
        "it costs 405 points and 100 may be spent",
    )
    with pytest.raises(UnknownName, match="no unit of Poland"):
        why_not_battlegroup(file, Battlegroup(army="poland_1939", units={"tiger": 1}), 100)
    with pytest.raises(UnknownName, match="no army is called 'mars'"):
        why_not_battlegroup(file, Battlegroup(army="mars", units={}), 100)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('hold = "Farm"', 'hold = "Form"', "no place is called 'Form'; did you mean Farm?"),
        ('first = "poland"', 'first = "france"', "no side is called 'france'"),
        ("turns = 3", "turns = 0", "turns"),
        ('edges = {{ poland = "south", germany = "north" }}', 'edges = {{ poland = "south" }}', "edges: says nothing of germany"),
        ('"7tp"', '"tiger"', "no unit of Poland, September 1939 is called 'tiger'"),
        ('terrain = "built-up"', 'terrain = "lava"', "no terrain is called 'lava'"),
    ],
)
def test_a_mistake_in_a_table_file_is_told(before: str, after: str, message: str) -> None:
    assert before in TABLE
    text = TABLE.replace(before, after, 1).format(parts="")
    with pytest.raises(ContentError) as error:
        handmade("bkc", {}, [Acting("poland", ())], board=text, path=(1, 1, 6), state={}, scenario="training")
    assert message in str(error.value)


@pytest.mark.parametrize("scenario", ["training", "orders", "mokra", "bzura"])
def test_everybody_stands_apart_at_the_beginning_on_ground_that_is_open(scenario: str) -> None:
    game: Game = hexwar.new_game("bkc", scenario, seed=1)
    assert set(game.state.spots) == {unit for unit, model in game.world.units.items() if model.type != "artillery"}
    assert [invariant.broken(game.position) for invariant in game.ruleset.invariants] == [None] * len(game.ruleset.invariants)


MINE = """
points = {points}
battlegroup.poland = {{ army = "france_1940", units = {{ co = 1, hq = 1, inf = 4, r35 = 1 }} }}
battlegroups.germany = "{other}"
"""


def test_a_table_file_may_bring_its_own_battlegroup() -> None:
    text = TABLE.format(parts="")
    head, rest = text.split("turns = 3")
    mine = head + "turns = 3" + MINE.format(points=300, other="germany") + rest
    steps = [Acting("poland", ())]
    game = handmade("bkc", {}, steps, board=mine, path=(1, 1, 6), state={"active": "poland"}, scenario="mokra")
    assert [unit.name for unit in game.world.units.values() if unit.side == "poland"][-1] == "R35"
    for points, other, message in ((200, "germany", "it costs 245 points and 200 may be spent"), (300, "mars", "called 'mars'")):
        wrong = head + "turns = 3" + MINE.format(points=points, other=other) + rest
        with pytest.raises(ContentError, match=message):
            handmade("bkc", {}, steps, board=wrong, path=(1, 1, 6), state={}, scenario="mokra")


def test_a_battlegroup_is_checked_at_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('points = 200\narmy = "france_1940"\nunits = { co = 1, hq = 1, inf = 4, b1 = 1 }\n')
    assert main([str(file)]) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[0].split() == ["1", "Commanding", "officer", "80"]
    assert told[-2:] == ["270 of 200 points", "- it costs 270 points and 200 may be spent"]
    file.write_text('points = 300\narmy = "france_1940"\nunits = { co = 1, hq = 1, inf = 4 }\n')
    assert main([str(file)]) == 0
    file.write_text('points = 300\narmy = "mars"\nunits = {}\n')
    assert main([str(file)]) == 2
    assert "no army is called 'mars'" in capsys.readouterr().err
    assert main([]) == 2
