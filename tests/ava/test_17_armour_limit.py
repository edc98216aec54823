"""17.5 A German headquarters activates ten mechanized units at most."""

from __future__ import annotations

from typing import Any

import pytest

from hexwar.engine import Game
from hexwar.mechanics import Move, Moving
from hexwar_ava_optional.armour_limit import LeaveOut, LeavingOut
from tests.ava.helpers import content
from tests.ava.table import position, refused, told

ON = {"armour-limit": True}
PANZERS = [unit.id for unit in content().units_of("campaign").values() if unit.mechanized and unit.nation == "german"]
FOOT = ["ger-1", "ger-11", "ger-21", "ger-61", "ger-217", "ger-291"]
SPOTS = [f"{column:02}{row:02}" for column in range(9, 13) for row in range(9, 13)]


def drawn(number: int, chit: str = "ger-4pzg", **more: Any) -> Game[Any, Any]:
    """So many mechanized units and six of infantry in range of a panzer group whose chit is drawn."""
    spots = [spot for spot in SPOTS for _ in range(2)][1:]
    units = {"ger-4pzg": SPOTS[0], **dict(zip([*PANZERS[:number], *FOOT], spots, strict=False)), "su-10": "3030"}
    return position(units, path=(2, 1, 1), drawn=[chit], options={**ON, **more.pop("options", {})}, **more)


def active(game: Game[Any, Any]) -> set[str]:
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
