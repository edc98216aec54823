"""terrain, water, hit.3, los.12, fall.5: ground that few tables have, boats, fortifications and options."""

from __future__ import annotations

from typing import Any

import pytest

from hexwar.engine import Game, Spot
from hexwar.errors import ContentError
from hexwar.plane import Area, Base, Line, Placed, Terrain, Ways
from hexwar_bkc.acting import Acting
from hexwar_bkc.aftermath import flee
from hexwar_bkc.blunders import driven
from hexwar_bkc.effects import Clear
from hexwar_bkc.fire import Fire, is_worn_out, mined, needed_to_hit, pools
from hexwar_bkc.movement import March
from hexwar_bkc.state import Breached, KnockedOut, Struck
from hexwar_bkc.transport import Mount
from hexwar_bkc.world import CLASSES, in_cover, is_afloat
from tests.bkc.table import MARSH, POND, played, said, table, why

BASE = Base(300, 200)


def zone(kind: str) -> str:
    """A stretch of ground, the Bog."""
    return MARSH.replace('"marsh"', f'"{kind}"')


def line(kind: str) -> str:
    """A line from edge to edge, named like its kind."""
    return f'[[line]]\nkind = "{kind}"\nname = "the {kind}"\npoints = [[0, 2500], [6000, 2500]]\n'


def why_not(mover: str, kind: str, *, line: bool = False, touching: bool = False, road: str = "") -> str:
    """The topic against a way of a class of units over ground of a kind; "" if there is nothing against it."""
    ring = ((0, 2000), (6000, 2000), (6000, 2600), (0, 2600))
    areas = [] if line else [Area(kind, "", ring)]
    lines = [Line(kind, "", ((0, 2500), (6000, 2500)))] if line else []
    lines += [Line(road, "", ((3000, 0), (3000, 6000)), 400)] if road else []
    ways = Ways(Terrain(6000, 6000, areas, lines), CLASSES)
    start = Placed(3000, 2605 if touching else 3500, 0, BASE)
    found = ways.why_not(start, ((3000, 1000),), 9999, mover)
    return found[0] if found else ""


@pytest.mark.parametrize(
    ("clause", "kind", "movers", "closed_to"),
    [
        ("terrain.1", "hill", "foot horse gun track motorcycle truck", ""),
        ("terrain.5", "wood", "foot horse gun track", "motorcycle truck"),
        ("terrain.5", "rough", "foot horse gun track", "motorcycle truck"),
        ("terrain.6", "field", "foot horse gun track", "motorcycle truck"),
        ("terrain.7", "dense", "foot", "horse gun track motorcycle truck"),
        ("terrain.7", "marsh", "foot", "horse gun track motorcycle truck"),
        ("terrain.9", "river", "boat", "foot horse gun track motorcycle truck"),
        ("terrain.10", "lake", "boat", "foot horse gun track motorcycle truck"),
        ("terrain.11", "ice", "foot horse gun track motorcycle truck", ""),
        ("terrain.12", "cliff", "", "boat foot horse gun track motorcycle truck"),
    ],
)
@pytest.mark.clause("terrain.1", "terrain.5", "terrain.7", "terrain.9", "terrain.10", "terrain.11")
def test_terrain_12_who_crosses_what(clause: str, kind: str, movers: str, closed_to: str) -> None:
    assert [mover for mover in movers.split() if why_not(mover, kind)] == []
    assert [mover for mover in closed_to.split() if not why_not(mover, kind)] == []
    assert [mover for mover in closed_to.split() if why_not(mover, kind, road="track")] == [], "a track leads through"


@pytest.mark.clause("terrain.2", "terrain.8")
@pytest.mark.parametrize(
    ("kind", "crossing", "barred"),
    [
        ("wall", "foot boat command track cutter", "horse gun motorcycle truck"),
        ("hedge", "foot boat command track cutter", "horse gun motorcycle truck"),
        ("bocage", "cutter", "foot boat command horse gun track motorcycle truck"),
        ("stream", "foot boat command horse gun track cutter motorcycle truck", ""),
        ("wire", "track cutter", "foot boat command horse gun motorcycle truck"),
        ("traps", "foot boat command horse", "gun track cutter motorcycle truck"),
        ("ditch", "foot boat command horse", "gun track cutter motorcycle truck"),
    ],
)
def test_terrain_3_lines(kind: str, crossing: str, barred: str) -> None:
    for mover in crossing.split():
        assert why_not(mover, kind, line=True, touching=True) == "", mover
    for mover in barred.split():
        assert why_not(mover, kind, line=True, touching=True) == f"barred.{kind}", mover


def test_terrain_6_a_ploughed_field_is_open() -> None:
    units = {"p3": (3000, 2500), "g3": (3000, 1000), "p4": (500, 5800)}
    assert [in_cover(table(units, parts=zone(kind)).position, "p3", ()) for kind in ("field", "rough", "dense")] == [
        False,
        True,
        True,
    ]
    assert table(units, parts=zone("field")).query.look("g3", "p3").clear


def test_move_5_narrow_gaps_are_shut_where_the_table_says_so() -> None:
    gap = "[closed]\nfoot = [[[2900, 2000], [3100, 2000], [3100, 3000], [2900, 3000]]]\n"
    game = table({"p3": (3000, 3500), "p4": (500, 5800), "g3": (500, 500)}, parts=gap)
    assert why(game, March("p3", (3000, 2800))) == "move.5"
    assert why(game, March("p3", (2600, 2800))) == ""


# -- water -------------------------------------------------------------------------------------------------------------------


def boats(spot: Spot, **more: Any) -> Game:
    """Infantry with boats, at the pond: p3."""
    from dataclasses import replace

    game = table({"p3": spot, "p4": (500, 5800), "g3": (500, 500)}, parts=POND, **more)
    game.world.units = {**game.world.units, "p3": replace(game.world.units["p3"], arm="boat")}
    return game.copy()  # nobody has asked it anything yet


def test_water_1_only_boats_go_on_the_water() -> None:
    assert why(boats((3000, 3200)), March("p3", (3000, 2900))) == ""
    dry = table({"p3": (3000, 3200), "p4": (500, 5800), "g3": (500, 500)}, parts=POND)
    assert why(dry, March("p3", (3000, 2900))) == "terrain.9"


def test_water_2_on_to_the_water_and_off_it_are_two_orders() -> None:
    from dataclasses import replace

    game = boats((3500, 3300))
    game.world.units = {**game.world.units, "p3": replace(game.world.units["p3"], move=9000)}
    assert why(game, March("p3", (4300, 2700))) == "water.2"


def test_water_3_five_centimetres_on_the_water() -> None:
    assert [why(boats((3000, 2900)), March("p3", (3000, y))) for y in (2400, 2399)] == ["", "water.3"]
    assert [why(boats((3000, 3200)), March("p3", (3000, y))) for y in (2700, 2699)] == ["", "water.3"]
    assert why(boats((3000, 3800)), March("p3", (3000, 3100))) == "", "on land it goes its Move"


def test_water_4_in_cover_and_out_by_one_hit() -> None:
    game = boats((3000, 2600), hits={"p3": 1})
    assert is_afloat(game.position, "p3")
    assert in_cover(game.position, "p3", ())
    assert is_worn_out(game.position, "p3")
    assert not is_worn_out(boats((3000, 3600), hits={"p3": 1}).position, "p3")


# -- fortifications and what is dug in ---------------------------------------------------------------------------------------


def test_hit_3_fortifications() -> None:
    assert needed_to_hit(True, False, True) == 6
    there = {"p3": (3000, 4500), "g3": (3000, 2800), "p4": (500, 5800)}
    (pool,) = pools(table(there, parts=zone("bunker")).position, ["p3"], "g3")
    assert (pool.needed, "hit.3" in [rule for _, rule in pool.notes]) == (6, True)
    game = table({"p3": (3000, 3003), "g3": (3000, 2800), "p4": (500, 5800)}, parts=zone("bunker"))
    events = played(game, lambda play: flee(play, "g3", "p3", 1))
    assert [event.clause for event in events if isinstance(event, KnockedOut)] == ["flee.8"]


@pytest.mark.clause("fall.8")
def test_move_6_emplaced_guns_do_not_move() -> None:
    units = {"p5": (3000, 4000), "p7": (3000, 4353), "p3": (2000, 4000), "g3": (3000, 500)}
    game = table(units, dug_in=["p5", "p3"])
    assert why(game, March("p5", (3000, 3800))) == "move.6"
    assert why(game, March("p5", (3000, 4000), 90)) == ""
    assert why(game, Mount("p5", "p7")) == "move.6"
    assert in_cover(game.position, "p3", ())
    game.apply(March("p3", (2000, 3500)))
    assert game.state.dug_in == ("p5",), "infantry that moves is dug in no longer"


# -- forced moves ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("units", "away", "clauses"),
    [
        ({"p3": (3000, 1800), "g3": (3000, 400)}, True, ["move.10"]),
        ({"p3": (3000, 4000), "g3": (3000, 3500), "g4": (3000, 4350)}, True, ["move.8"]),
        ({"p3": (3000, 3300), "g3": (3000, 1700)}, False, ["move.10"]),
        ({"p3": (1000, 4000), "g3": (1000, 3000)}, False, []),
    ],
)
def test_move_8_move_10_a_blunder_drives_a_unit(units: dict[str, Spot], away: bool, clauses: list[str]) -> None:
    game = table({**units, "p4": (500, 5800)}, parts=POND)
    events = played(game, lambda play: driven(play, "p3", "command.30", away=away))
    assert [event.clause for event in events if isinstance(event, KnockedOut)] == clauses


# -- options -----------------------------------------------------------------------------------------------------------------


def test_los_12_the_courtesy_spares_a_concealed_gun() -> None:
    units = {"g3": (3000, 200), "p5": (3000, 2500), "p4": (500, 5800), "g4": (5500, 500)}

    def game(**more: Any) -> Game:
        return table(units, Acting("germany", ("g3", "g4")), active="germany", parts=zone("rough"), **more)

    assert why(game(), Fire("g3", "p5")) == ""
    assert why(game(options={"courtesy": True}), Fire("g3", "p5")) == "los.12"
    assert why(game(options={"courtesy": True}, revealed=["p5"]), Fire("g3", "p5")) == ""
    near = {**units, "g3": (3000, 450)}
    units = near
    assert why(game(options={"courtesy": True}), Fire("g3", "p5")) == ""


WORKS = {"fieldworks": True}


def test_terrain_13_fieldworks_are_an_option() -> None:
    units = {"p3": (3000, 3500), "p6": (2000, 2640), "p4": (500, 5800), "g3": (500, 500)}
    with pytest.raises(ContentError, match="no terrain is called 'wire'"):
        table(units, parts=line("wire"))
    game = table(units, parts=line("wire"), options=WORKS)
    assert why(game, March("p6", (2000, 1000))) == "", "tanks roll over wire"
    assert why(game, Clear("p3", "the wire")) == "terrain.13"


def test_terrain_13_engineers_open_what_they_touch() -> None:
    from dataclasses import replace

    there = {"p3": (3000, 2605), "p4": (500, 5800), "g3": (500, 500)}
    assert why(table(there, parts=line("wire"), options=WORKS), March("p3", (3000, 2000))) == "terrain.13"
    game = table(there, parts=line("wire"), options=WORKS)
    units = game.world.units
    game.world.units = {**units, "p3": replace(units["p3"], type="engineer")}
    game = game.copy()  # nobody has asked it anything yet
    game.apply(Clear("p3", "the wire"))
    game.world.units = units
    assert (said(game, Breached)[0].at, said(game, Breached)[0].width) == ((3000, 2500), 500)


def test_terrain_13_mines() -> None:
    units = {"p3": (3000, 3500), "p4": (500, 5800), "g3": (500, 500)}
    way = ((3000, 3500), (3000, 2800))
    for kind, struck in (("mines", [3]), ("dummy-mines", [])):
        game = table(units, parts=zone(kind), options=WORKS, dice=[1, 1, 1])
        events = played(game, lambda play: mined(play, "p3", way))
        assert [event.dice for event in events if isinstance(event, Struck)] == struck


@pytest.mark.parametrize(("parts", "clause"), [(line("wire"), "fall.5"), (zone("mines"), "fall.4")])
@pytest.mark.clause("fall.4")
def test_fall_5_falling_back_through_wire_or_mines(parts: str, clause: str) -> None:
    units = {"g3": (3000, 2700 if clause == "fall.5" else 3200), "p3": (3000, 4500), "p4": (500, 5800)}
    game = table(units, parts=parts, options=WORKS, dice=[4, 1, 1, *([6] if clause == "fall.5" else [1, 6])], suppressed=["g3"])
    game.apply(Fire("p3", "g3"))
    assert [event.clause for event in said(game, KnockedOut)] == [clause]
