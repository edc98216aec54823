"""react: units that fire at their nearest enemy within 20 cm, or evade it."""

from __future__ import annotations

import pytest

from hexwar.pieces import Done
from hexwar_bkc.acting import reacts_to
from hexwar_bkc.evading import Evade, Evasions
from hexwar_bkc.fire import Fire
from tests.bkc.table import POND, reacting, why


@pytest.mark.parametrize(("y", "reacts"), [(2800, True), (2799, False)])
def test_react_1_the_nearest_enemy_within_20_cm(y: int, reacts: bool) -> None:
    units = {"p3": (3000, 5000), "p4": (1000, 5000), "g3": (3000, y), "g4": (1000, 3500)}
    game = reacting(units)
    assert bool(reacts_to(game.position, "p3")) == reacts
    assert (why(game, Fire("p3", "g3")) == "") == reacts


def test_react_6_only_at_the_nearest() -> None:
    game = reacting({"p3": (3000, 5000), "g3": (3000, 4000), "g4": (3600, 3900)})
    assert why(game, Fire("p3", "g3")) == ""
    assert why(game, Fire("p3", "g4")) == "react.6"


@pytest.mark.clause("react.3", "react.7", "react.8", "command.13")
def test_react_2_who_has_reacted_is_remembered_for_orders() -> None:
    game = reacting({"p3": (3000, 5000), "p4": (2000, 5000), "g3": (3000, 4000)}, dice=[1, 1, 1, 1])
    game.apply(Fire("p3", "g3"))
    assert game.state.reacted == ("p3",)
    assert why(game, Fire("p3", "g3")) == "react.1", "once a turn"
    game.apply(Done())


@pytest.mark.clause("react.4")
def test_react_5_neither_suppressed_units_nor_command_units() -> None:
    units = {"p1": (2000, 5000), "p3": (3000, 5000), "p4": (3500, 5000), "g3": (3000, 4000)}
    game = reacting(units, suppressed=["p3"])
    assert why(game, Evade("p1", 500)) == "react.5"
    assert game.why_not(Evade("p3", 500)) is not None


@pytest.mark.clause("react.10")
def test_react_9_evading_leads_straight_away() -> None:
    units = {"p3": (3000, 5000), "p5": (1000, 5000), "g3": (3000, 4000), "g4": (1000, 4000)}
    game = reacting(units)
    assert why(game, Evade("p3", 1001)) == "react.9"
    assert why(game, Evade("p3", 400, 400)) == "react.10"
    assert why(game, Evade("p5", 400)) == "react.11"
    assert why(reacting({**units, "p3": (3000, 5600), "g3": (3000, 4600)}), Evade("p3", 401)) == "move.3", "off the table"
    game.apply(Evade("p3", 700, 90))
    assert (game.state.spots["p3"], game.state.headings["p3"]) == ((3000, 5700), 90)


def test_react_9_it_ends_before_what_is_shut_to_it() -> None:
    units = {"p3": (3000, 1500), "g3": (3000, 500)}
    game = reacting(units, parts=POND)
    assert why(game, Evade("p3", 500)) == ""
    assert why(game, Evade("p3", 501)) == "terrain.9"
    evasions = Evasions(game.position, "p3", ("g3",))
    assert [*evasions] == [Evade("p3", 500)]
