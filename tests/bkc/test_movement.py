"""move, terrain: where a unit may go in one action, and the words for it."""

from __future__ import annotations

import random

import pytest

from hexwar.plane import towards
from hexwar_bkc.acting import Acting, ActingAgain
from hexwar_bkc.command import Begin
from hexwar_bkc.fire import Fire
from hexwar_bkc.movement import March, Marches
from hexwar_bkc.state import Moved
from tests.bkc.table import MARSH, POND, ROAD, WALL, WOOD, commanding, said, table, why

ALONE = {"p3": (3000, 3500), "p6": (1000, 3500), "g3": (5000, 300)}


def test_move_3_the_length_of_the_way_is_at_most_the_move() -> None:
    game = table(ALONE)
    assert why(game, March("p3", (3000, 2500))) == ""
    assert why(game, March("p3", (3000, 2499))) == "move.3"
    assert why(game, March("p3", (3300, 2900), via=((3300, 3100),))) == ""
    assert why(game, March("p3", (3300, 2500), via=((3300, 3100),))) == "move.3"
    assert "10.01 cm is further than 10 cm" in str(game.why_not(March("p3", (3000, 2499))))
    assert why(game, March("p3", (3000, 3500))) == "move.3", "it would stay as it is"
    assert why(game, March("p3", (3000, 3500), 90)) == "", "turning is free"
    assert why(game, March("p3", (3000, 3400), 400)) == "move.3", "no heading"


def test_command_22_it_looks_where_it_goes_or_where_its_owner_wants() -> None:
    game = table(ALONE)
    game.apply(March("p3", (3500, 3000)))
    assert (game.state.spots["p3"], game.state.headings["p3"]) == ((3500, 3000), 45)
    game.apply(March("p6", (1000, 3000), 123))
    assert game.state.headings["p6"] == 123
    assert said(game, Moved)[0].path == ((3000, 3500), (3500, 3000))


def test_move_4_a_wall_stops_what_did_not_touch_it() -> None:
    game = table(ALONE, parts=WALL)
    refusal = game.why_not(March("p6", (1000, 2000)))
    assert refusal is not None
    assert (refusal.clause, "crosses Farm wall, which it did not touch at the start" in str(refusal)) == ("move.4", True)
    touching = {**ALONE, "p6": (1000, 2660)}
    assert why(table(touching, parts=WALL), March("p6", (1000, 1500))) == ""
    again = table(touching, ActingAgain("poland", ("p6",)), parts=WALL)
    assert why(again, March("p6", (1000, 1500))) == "command.25"


@pytest.mark.parametrize(
    ("unit", "parts", "clause"),
    [("p5", WALL, "terrain.2"), ("p6", MARSH, "terrain.7"), ("p3", MARSH, ""), ("p3", POND, "terrain.9"), ("p6", WOOD, "")],
)
def test_terrain_2_terrain_7_terrain_9_what_is_shut_to_whom(unit: str, parts: str, clause: str) -> None:
    start, end = (2700, 2400) if parts == WALL else (3100, 2600)
    game = table({unit: (3000, start), "g3": (5000, 300)}, parts=parts)
    assert why(game, March(unit, (3000, end))) == clause


def test_terrain_13_a_village_is_open_to_tanks_by_road_only() -> None:
    farm = {"p6": (5500, 4000), "p3": (5200, 4900), "g3": (1000, 300)}
    game = table(farm)
    assert why(game, March("p6", (5500, 5500))) == "terrain.13"
    assert why(game, March("p3", (5200, 5500))) == ""
    road = ROAD.replace("[3000, 0], [3000, 6000]", "[5500, 0], [5500, 6000]")
    assert why(table(farm, parts=road), March("p6", (5500, 5500))) == ""


def test_move_7_move_8_charge_2_nobody_ends_on_another_or_passes_an_enemy() -> None:
    game = table({"p3": (3000, 3500), "p4": (3000, 3000), "g3": (3000, 2400)})
    assert why(game, March("p3", (3000, 3010))) == "move.7"
    assert why(game, March("p3", (3300, 2700))) == "", "past a friend"
    assert why(game, March("p3", (3000, 2605))) == "charge.2", "in contact"
    assert why(game, March("p3", (3000, 2595))) == "move.8"
    near = table({"p3": (3000, 3300), "p4": (1000, 3000), "g3": (3000, 2800)})
    assert why(near, March("p3", (3000, 2310))) == "move.8"


def test_supp_3_a_suppressed_unit_does_nothing() -> None:
    game = table(ALONE, suppressed=["p3"])
    refusal = game.why_not(March("p3", (3000, 3400)))
    assert refusal is not None


def test_what_is_offered_as_a_menu_is_legal_and_never_twice_the_same() -> None:
    game = table({**ALONE, "p4": (3000, 3000)}, parts=WALL + WOOD)
    marches = Marches(game.position, "p3")
    menu = [*marches]
    ends = [(marches.end(march).centre, marches.end(march).heading) for march in menu]
    assert 8 <= len(menu) <= 24
    assert len(set(ends)) == len(ends)
    chance = random.Random(3)
    for march in [*menu, *(marches.sample(chance) for _ in range(60))]:
        assert marches.find(march) == march, march


def test_a_march_of_which_all_is_too_long_is_trimmed_to_the_unit() -> None:
    marches = Marches(table(ALONE, parts=WALL).position, "p6")
    trimmed = marches.trimmed(March("p6", (1000, 0)))
    assert trimmed is not None
    assert trimmed.to == (1000, 2501), "its centre stays before the wall"
    assert len(marches.region()) == 36


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("march p3 8 towards g3", March("p3", (3423, 2822))),
        ("march p3 8 at 90 facing g3", March("p3", (3800, 3500), towards((3800, 3500), (5000, 300)))),
        ("march p3 to 29.5 30.05", March("p3", (2950, 3005))),
        ("march p3 to 29.5 30 facing 270", March("p3", (2950, 3000), 270)),
        ("march p6 to Farm wall", March("p6", (400, 2700))),
        ("face p3 g3", March("p3", (3000, 3500), 32)),
        ("face p3 nobody", None),
        ("march p3 far towards g3", None),
        ("march nobody 8 towards g3", None),
        ("march p3 to nowhere", None),
        ("walk p3 to 1 1", None),
    ],
)
def test_marches_are_typed_in_centimetres(typed: str, expected: March | None) -> None:
    game = table(ALONE, parts=WALL.replace("[0, 2500]", "[200, 2500]").replace("6000", "400"))
    found = [*Acting("poland", ("p3", "p6")).understood(game.position, "poland", typed.split())]
    assert found == ([] if expected is None else [found[0]])
    if expected is not None:
        assert (found[0].unit, found[0].heading) == (expected.unit, expected.heading)  # type: ignore[attr-defined]
        if "wall" not in typed:
            assert found[0] == expected
        assert why(game, found[0]) == ""


def test_a_query_says_what_a_march_would_do() -> None:
    game = table(
        {"p2": (3000, 5000), "p3": (3000, 3500), "g3": (3000, 1900)},
        parts=WOOD.replace("2000], [4000, 3000", "2000], [4000, 3100"),
    )
    query = game.query
    tried = query.attempt(March("p3", (3000, 2500)))
    assert (tried.length, tried.notes) == (1000, (("in cover", "hit.2"),))
    assert tried.sees == ("g3",), "it looks four centimetres through the wood"
    assert (query.gap("p3", "g3"), query.look("p3", "g3").blocked_by) == (14.0, "Copse")
    assert game.state.spots["p3"] == (3000, 3500), "nothing has moved"


def test_command_17_a_plan_that_is_tried_says_what_it_does_to_the_order() -> None:
    game = commanding({"p2": (3000, 5000), "p5": (3000, 3500), "g3": (200, 200)}, parts=WOOD)
    game.apply(Begin("p2"))
    question = game.question("poland")
    assert question.forecast(March("p5", (3000, 2900))) == (("-1 heavy ground", "command.17"),)
    assert question.forecast(March("p5", (3000, 3400))) == ()
    assert question.forecast(Fire("p5", "g3")) == ()
