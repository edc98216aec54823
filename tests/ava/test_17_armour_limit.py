"""17.5 A German headquarters activates ten mechanized units at most."""

from __future__ import annotations

from typing import Any

import pytest

from hexwar.engine import Game
from hexwar.mechanics import Move, Moving
from hexwar_ava_optional.armour_limit import LeaveOut, LeavingOut
from tests.ava.helpers import content
from tests.ava.table import of_kind, position, refused, told
from tests.ava.teams import broken, controlled, mastered

ON = {"armour-limit": True}
PANZERS = [unit.id for unit in content().units_of("campaign").values() if unit.mechanized and unit.nation == "german"]
FOOT = ["ger-1", "ger-11", "ger-21", "ger-61", "ger-217", "ger-291"]
SPOTS = [f"{column:02}{row:02}" for column in range(9, 13) for row in range(9, 13)]


def drawn(number: int, chit: str = "ger-4pzg", **more: Any) -> Game:
    """So many mechanized units and six of infantry in range of a panzer group whose chit is drawn."""
    spots = [spot for spot in SPOTS for _ in range(2)][1:]
    units = {"ger-4pzg": SPOTS[0], **dict(zip([*PANZERS[:number], *FOOT], spots, strict=False)), "su-10": "3030"}
    return position(units, path=(2, 1, 1), drawn=[chit], options={**ON, **more.pop("options", {})}, **more)


def active(game: Game) -> set[str]:
    return set(game.state.active)


def test_17_5_1_ten_are_activated_without_a_question() -> None:
    game = drawn(10)
    assert isinstance(game.state.stack[-1], Moving)
    assert active(game) == {"ger-4pzg", *PANZERS[:10], *FOOT}


@pytest.mark.parametrize("chit", ["ger-4pzg", "manstein"])
def test_17_5_1_of_twelve_the_owner_leaves_two_out(chit: str) -> None:
    game = drawn(12, chit)
    assert game.to_move == ("axis",)
    assert f"{chit} activates no more than 10 mechanized units: leave 2 out. (17.5.1)" == game.prompt()
    assert {action.unit for action in game.legal_actions() if isinstance(action, LeaveOut)} == set(PANZERS[:12])
    assert len(game.legal_actions()) == 12
    for unit in (PANZERS[3], PANZERS[7]):
        assert isinstance(game.state.stack[-1], LeavingOut)
        game.apply(LeaveOut(unit))
    assert active(game) == {"ger-4pzg", *PANZERS[:12], *FOOT} - {PANZERS[3], PANZERS[7]}
    assert told(game.events, "left-out") == [f"{chit} leaves {PANZERS[3]}, {PANZERS[7]} out (17.5.1)"]
    refused(game, Move(PANZERS[3], "1414"), "8.1.1", "not active")


def test_17_5_1_of_eleven_one_is_left_out() -> None:
    game = drawn(11)
    assert "leave 1 out" in game.prompt()
    game.apply(LeaveOut(PANZERS[0]))
    assert active(game) == {"ger-4pzg", *PANZERS[1:11], *FOOT}


def test_17_5_1_what_cannot_be_left_out() -> None:
    game = drawn(12)
    game.apply(LeaveOut(PANZERS[0]))
    refused(game, LeaveOut(PANZERS[0]), "17.5.1", "left out already")
    for unit in ("ger-1", "ger-4pzg", "su-10", PANZERS[12]):
        refused(game, LeaveOut(unit), "17.5.1", "no mechanized unit that ger-4pzg would activate")
    assert game.can_undo
    game.undo("axis")
    assert "leave 2 out" in game.prompt()


def test_17_5_1_infantry_is_not_limited_nor_are_the_soviets() -> None:
    many = [unit.id for unit in content().units_of("campaign").values() if unit.mechanized and unit.side == "soviet"][:14]
    spots = [spot for spot in SPOTS for _ in range(2)][1:]
    units = {"su-8a": SPOTS[0], **dict(zip(many, spots, strict=False)), "ger-21": "3030"}
    game = position(units, path=(2, 1, 1), drawn=["su-8a"], options=ON)
    assert active(game) >= {unit for unit in many if unit in game.query.command("su-8a")}
    assert len(active(game)) > 11


def test_17_5_1_without_the_option_all_are_activated() -> None:
    game = drawn(12, options={"armour-limit": False})
    assert active(game) == {"ger-4pzg", *PANZERS[:12], *FOOT}
    assert game.why_not({"kind": "leave-out", "unit": PANZERS[0]}, "axis").code == "unknown-action"  # type: ignore[union-attr]


def test_17_5_1_no_group_of_the_surprise_attack_is_that_large() -> None:
    """Which is why the limit is asked about with chits only."""
    for scenario in ("campaign", "leningrad", "smolensk", "kiev"):
        for leader in content().scenario(scenario).surprise_attack:
            units = content().units_of(scenario)
            group = [unit for unit in units.values() if unit.formation == units[leader].formation and unit.mechanized]
            assert len(group) <= 10


# -- where many play -------------------------------------------------------------------------------------------------------

ROUND = [f"{column:02}{row:02}" for column in (9, 10) for row in range(7, 11)]
"""Hexes in range of both groups."""
GROUPS = {"ger-3pzg": "0809", "ger-2pzg": "1109", "su-10": "3030"}
TWELVE = dict(zip(PANZERS[:12], [spot for spot in ROUND for _ in range(2)], strict=False))


def at_once(units: dict[str, str], **staff: str) -> Game:
    return mastered("axis-master-1", staff, units=units, rules=ON, turn=2, phase="command")


@pytest.mark.clause("17.5.1", "8.1.1", "20.2.8")
def test_17_5_1_what_another_activation_has_in_hand_does_not_count() -> None:
    """18A has ten of fourteen units in hand when 2PzG is activated."""
    near = dict(zip(PANZERS[:10], [spot for spot in ROUND for _ in range(2)], strict=False))
    more = dict(zip(PANZERS[10:14], ["1408", "1408", "1409", "1409"], strict=True))
    units = {"ger-18a": "0809", "ger-2pzg": "1209", "su-10": "3030", **near, **more}
    game = at_once(units, north="ger-18a", centre="ger-2pzg")
    alone = at_once(units, centre="ger-2pzg")
    assert "leave 4 out" in alone.prompt("centre"), "it would have been asked"
    assert set(game.state.engaged["ger-2pzg"]) == {"ger-2pzg", *more}
    assert not of_kind(game.events, "left-out")
    assert broken(game) == {}


@pytest.mark.clause("17.5.1", "8.1.1", "20.2.8")
def test_17_5_1_two_are_asked_about_the_same_units_and_the_first_has_them() -> None:
    game = at_once({**GROUPS, **TWELVE}, north="ger-3pzg-1", centre="ger-2pzg")
    for seat, chit in (("north", "ger-3pzg-1"), ("centre", "ger-2pzg")):
        assert game.prompt(seat) == f"{chit} activates no more than 10 mechanized units: leave 2 out. (17.5.1)"
    game.apply(LeaveOut(PANZERS[0]), "centre")
    game.apply(LeaveOut(PANZERS[1]), "centre")
    assert set(game.state.engaged["ger-2pzg"]) == {"ger-2pzg", *PANZERS[2:12]}
    assert set(game.state.engaged["ger-3pzg-1"]) == {"ger-3pzg", *PANZERS[:2]}, "nothing is left to leave out"
    assert broken(game) == {}


@pytest.mark.clause("17.5.1", "20.2.8")
def test_17_5_1_whoever_draws_the_chit_leaves_out() -> None:
    """20.2.8: he leads its units, whoever commands the headquarters by his role."""
    game = at_once({**GROUPS, **TWELVE}, south="ger-2pzg")
    assert game.to_move == ("south",)
    game.apply(LeaveOut(PANZERS[0]), "south")
    game.apply(LeaveOut(PANZERS[1]), "south")
    assert game.to_move == ("south",)


@pytest.mark.clause("19.4.4", "17.5.1")
def test_19_4_4_a_chit_waits_while_another_player_chooses_among_its_units() -> None:
    game = controlled("ger-2pzg ger-9a", units={**GROUPS, "ger-9a": "0808", **TWELVE}, seats="6-players", rules=ON, turn=2)
    assert game.to_move == ("centre-4a-2pzg",), "9A would take what 2PzG is about to activate"
    assert not game.state.engaged


@pytest.mark.clause("17.5.1")
def test_17_5_1_the_invariant_sees_every_activation() -> None:
    game = at_once({**GROUPS, **TWELVE}, centre="ger-2pzg")
    game._state.engaged["ger-2pzg"] = tuple(PANZERS[:11])
    assert broken(game)["17.5.1"] == "11 mechanized units are active with ger-2pzg"
