"""What the server says for a client to show: reach without a query, ways, points of all sides."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hexwar.errors import HexwarError
from hexwar.plugins import use_plugins
from hexwar.web import SqliteStore, Table, Tables
from hexwar.web import _answers as answers
from tests.facade.toys import toys


@pytest.fixture
def others(tmp_path: Path) -> Iterator[None]:
    """Games that ask `sail` and `drive`."""
    use_plugins(toys(tmp_path))
    yield
    use_plugins(None)


def begun(folder: Path, ruleset: str) -> Table:
    return Tables(SqliteStore(folder / "games.sqlite")).begin(ruleset, seed=1)[0]


@pytest.mark.usefixtures("others")
def test_the_reach_of_a_fleet_that_sails_has_its_costs(tmp_path: Path) -> None:
    table = begun(tmp_path, "islands")
    assert answers.position(table, "east", ["east"])["question"]["shows"] == ["reach", "attack"]
    found = answers.reach(table, "east", "e1")
    assert found == {"costs": {"elm": (1.0, ""), "heron": (1.0, "")}, "ways": {}, "closed": {}, "zones": []}


@pytest.mark.usefixtures("others")
def test_without_a_query_the_reach_is_where_the_choices_lead(tmp_path: Path) -> None:
    table = begun(tmp_path, "skirmish")
    group = answers.group(table, "blue", "blue-1", "")
    assert group["open"]["point"] == "to"
    assert group["open"]["action"]["unit"] == "blue-1"
    found = answers.reach(table, "blue", "blue-1")
    assert {*found["ways"]} == {choice["place"] for choice in group["choices"]}
    with pytest.raises(HexwarError, match="this game has no reach"):
        answers.reach(table, "blue", "red-1")


@pytest.mark.parametrize("ruleset", ["ava", "bridgehead", "tow", "wop"])
def test_all_sides_have_their_points_from_the_beginning(ruleset: str, tmp_path: Path) -> None:
    table = begun(tmp_path, ruleset)
    shown = answers.position(table, None, [])["score"]
    assert {side["side"] for side in shown} == {*table.game.world.sides}
    assert all("points" in side and "items" in side for side in shown)


def test_a_choice_says_its_way(tmp_path: Path) -> None:
    table = begun(tmp_path, "wop")
    seat = table.game.to_move[0]
    question = table.game.question(seat)
    group = answers.group(table, seat, question.groups[0], "")
    assert all(choice["way"] == [] for choice in group["choices"]), "nobody chose one"
