"""cmdunit, terrain.4: command units in the way of the enemy, and breaches."""

from __future__ import annotations

import pytest

from hexwar_bkc.acting import Acting
from hexwar_bkc.effects import Join, knock_out, suppress
from hexwar_bkc.movement import March
from hexwar_bkc.state import Breached, KnockedOut, Suppressed
from tests.bkc.table import WALL, played, said, table, why

CHIEF = {"p6": (3000, 5000), "p4": (500, 5800), "g1": (3000, 4000), "g3": (3000, 2500), "g4": (4000, 3000)}


@pytest.mark.clause("move.9", "cmdunit.5")
def test_cmdunit_3_a_command_unit_in_the_way_joins_a_unit() -> None:
    game = table(CHIEF)
    game.apply(March("p6", (3000, 3400)))
    assert game.to_move == ("germany",)
    assert why(game, Join("p6")) == "cmdunit.3"
    game.apply(Join("g4"))
    assert game.state.joined == {"g1": "g4"}
    assert game.state.spots["g1"] == (4000, 2747), "behind it"
    assert game.to_move == ("poland",)


def test_cmdunit_3_nobody_near_to_join() -> None:
    game = table({unit: spot for unit, spot in CHIEF.items() if unit not in ("g3", "g4")})
    game.apply(March("p6", (3000, 3400)))
    assert [(event.unit, event.clause) for event in said(game, KnockedOut)] == [("g1", "cmdunit.3")]


@pytest.mark.clause("cmdunit.4")
def test_cmdunit_4_command_units_do_not_displace_each_other() -> None:
    game = table({**CHIEF, "p1": (3000, 4800)}, Acting("poland", ("p1", "p4")))
    assert why(game, March("p1", (3000, 3400))) == "move.8"


@pytest.mark.clause("cmdunit.5")
def test_cmdunit_6_joined_it_shares_what_happens() -> None:
    units = {"g1": (4000, 2747), "g4": (4000, 3000), "p4": (500, 5800)}
    game = table(units, joined={"g1": "g4"})
    events = played(game, lambda play: suppress(play, "g4", "supp.2"))
    assert [(event.unit, event.clause) for event in events if isinstance(event, Suppressed)] == [
        ("g4", "supp.2"),
        ("g1", "cmdunit.6"),
    ]
    events = played(game, lambda play: knock_out(play, "g4", "hit", "ko.1"))
    assert [(event.unit, event.clause) for event in events if isinstance(event, KnockedOut)] == [
        ("g4", "ko.1"),
        ("g1", "cmdunit.6"),
    ]
    game = table(units, Acting("germany", ("g4", "g1")), joined={"g1": "g4"}, active="germany")
    game.apply(March("g4", (4000, 3800)))
    assert game.state.spots["g1"] == (4000, 3547), "it follows"


def test_cmdunit_5_until_its_owners_next_turn() -> None:
    units = {"g1": (4000, 2747), "g4": (4000, 3000), "p4": (500, 5800)}
    game = table(units, joined={"g1": "g4"})
    game.apply(March("p4", (600, 5800)))
    assert game.state.active == "germany"
    assert game.state.joined == {}


@pytest.mark.clause("terrain.2")
def test_terrain_4_armour_makes_a_breach() -> None:
    units = {"p6": (3000, 2660), "p5": (3000, 3500), "p4": (500, 5800), "g3": (500, 500)}
    game = table(units, parts=WALL)
    assert why(game, March("p5", (3000, 3100))) == ""
    game.apply(March("p6", (3000, 1000)))
    (breach,) = said(game, Breached)
    assert (breach.line, breach.at, breach.width) == ("Farm wall", (3000, 2500), 250)
    later = table({**units, "p6": (3000, 1000), "p5": (3000, 2800)}, parts=WALL)
    assert why(later, March("p5", (3000, 2400))) == "terrain.2"
    gap = [{"line": "Farm wall", "at": [3000, 2500], "width": 250}]
    later = table({**units, "p6": (3000, 1000), "p5": (3000, 2800)}, parts=WALL, gaps=gap)
    assert why(later, March("p5", (3000, 2400))) == ""
