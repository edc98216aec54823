"""12.0 Reinforcements: how many come, where they are placed, and who can come back; 13.0.3 for headquarters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from hexwar.engine import Game
from hexwar.mechanics import Arrive, Arriving
from hexwar.pieces import Done, Losing
from hexwar_ava.supply import SupplyCheck
from hexwar_ava.turn import CallingZhukov
from tests.ava.helpers import content
from tests.ava.table import field, of_kind, position, refused, retreating, told

SMALL = (16, 10)
RESOLVING = (2, 1, 1)
"""The activation phase: what was drawn is resolved."""
CHITS = {"axis": "axis-reinforcements", "soviet": "soviet-reinforcements"}
AREAS = {"supply axis": ["0105"], "supply soviet": ["1605"]}


def row(first: int, last: int, number: int = 5) -> list[str]:
    """Hexes of a row, each next to the one before."""
    return [f"{column:02}{number:02}" for column in range(first, last + 1)]


def ground(*rail: Iterable[str], **more: Any) -> str:
    """A small field with railways."""
    return field(**{"size": SMALL, "areas": AREAS, "rail": [" ".join(chain) for chain in rail], **more})


def drawn(side: str, units: Mapping[str, str], board: str, turn: int = 4, scenario: str = "kiev", **more: Any) -> Game:
    """The Reinforcements chit of a side has just been drawn. In Kiev 3 German, 1 Romanian and 6 Soviet units may come."""
    return position(units, board=board, scenario=scenario, path=RESOLVING, turn=turn, drawn=[CHITS[side]], **more)


def hexes_for(game: Game, unit: str) -> list[str]:
    """Where a unit may be placed."""
    return sorted(action.to for action in game.legal_actions() if isinstance(action, Arrive) and action.unit == unit)


# -- 12.0 when -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", ["axis", "soviet"])
def test_12_0_1_the_chit_brings_reinforcements(side: str) -> None:
    game = drawn(side, {}, ground(row(1, 16)))
    assert game.to_move == (side,)
    assert "reinforcements" in game.prompt()
    unit = {"axis": "ger-46", "soviet": "su-116"}[side]
    assert told(game.apply(Arrive(unit, "0805")), "unit-placed") == [f"{unit} arrives at 0805 (12.2.1)"]
    assert game.state.locations[unit] == "0805"


@pytest.mark.parametrize("side", ["axis", "soviet"])
def test_12_0_1_from_turn_4_on(side: str) -> None:
    for turn in range(1, 10):
        game = position({}, CallingZhukov("soviet"), board=ground(), turn=turn)
        assert (CHITS[side] in game.world.cup.available(game.position, side)) == (turn >= 4), turn


def test_12_0_1_nobody_comes_before() -> None:
    for side in ("axis", "soviet"):
        game = drawn(side, {}, ground(row(1, 16)), turn=3)
        assert not any(event.kind == "unit-placed" for event in game.events)
        assert not isinstance(game.state.stack[-1], Arriving)


# -- 12.1 where ----------------------------------------------------------------------------------------------------------------


def test_12_1_1_a_headquarters_does_not_bring_its_chit() -> None:
    game = drawn("soviet", {}, ground(row(1, 16)))
    before = game.world.cup.available(game.position, "soviet")
    game.apply(Arrive("su-37a", "1405"))
    assert game.state.locations["su-37a"] == "1405"
    assert game.world.cup.available(game.position, "soviet") == before
    assert "su-37a" not in before


def test_12_1_2_on_any_railway_hex_outside_enemy_zones() -> None:
    game = drawn("soviet", {"ger-44": "0606"}, ground(row(3, 16)))  # watches 0505, 0605 and 0705
    assert hexes_for(game, "su-116") == row(8, 16)
    refused(game, Arrive("su-116", "0705"), "12.1.4")
    refused(game, Arrive("su-116", "1206"), "12.1.2", "may not enter at 1206")  # no railway
    refused(game, Arrive("su-116", "1606"), "12.1.2")


def test_12_1_2_two_units_in_a_hex() -> None:
    game = drawn("soviet", {"su-45": "1405", "su-62": "1305", "su-87": "1305"}, ground(row(12, 16)))
    assert hexes_for(game, "su-116") == ["1205", "1405", "1505", "1605"]
    refused(game, Arrive("su-116", "1305"), "3.1.1", "full")
    game.apply(Arrive("su-116", "1405"))
    assert hexes_for(game, "su-147") == ["1205", "1505", "1605"]


def test_12_1_3_the_railway_must_lead_to_a_source() -> None:
    game = drawn("soviet", {}, ground(row(12, 16), row(3, 8), road=[" ".join(row(8, 12))]))
    assert hexes_for(game, "su-116") == row(12, 16)
    refused(game, Arrive("su-116", "0805"), "12.1.2")


def test_12_1_3_to_a_source_of_the_own_side() -> None:
    game = drawn("axis", {}, ground(row(12, 16), row(1, 3)))
    assert hexes_for(game, "ger-46") == row(1, 3)
    game = drawn("soviet", {}, ground(row(12, 16), row(1, 3)))
    assert hexes_for(game, "su-116") == row(12, 16)


def test_12_1_3_a_railway_across_the_start_line_is_none_to_the_soviets() -> None:
    board = ground(row(1, 16), sides={"start-line": ["0705|0805"]}, areas={**AREAS, "west of the start line": row(1, 7)})
    assert hexes_for(drawn("soviet", {}, board), "su-116") == row(8, 16)
    assert hexes_for(drawn("axis", {}, board), "ger-46") == row(1, 16)


def test_12_1_4_friends_do_not_help_in_an_enemy_zone() -> None:
    units = {"ger-44": "0906", "su-45": "0905"}  # 0905 is the only railway hex that is watched
    land = [*row(1, 16), "0906"]
    game = drawn("soviet", units, ground(row(1, 16), land=land))
    assert set(game.query.zones("axis")) & set(land) == {"0905"}
    assert game.query.supply("0705", "soviet").supplied, "an ordinary line passes"
    assert hexes_for(game, "su-116") == row(10, 16)
    refused(game, Arrive("su-116", "0905"), "12.1.4")
    refused(game, Arrive("su-116", "0705"), "12.1.2")


def test_12_1_4_a_watched_source_brings_nobody() -> None:
    units = {"ger-44": "1604", "su-45": "1605"}
    game = drawn("soviet", units, ground(row(1, 16), land=[*row(1, 16), "1604"]))
    assert not isinstance(game.state.stack[-1], Arriving)
    assert game.state.locations["su-116"] == "soviet available"


@pytest.mark.clause("14.2.2")
def test_12_1_4_a_fortress_keeps_the_zone_away() -> None:
    units = {"ger-44": "0906", "fort-k1": "0905"}
    game = drawn("soviet", units, ground(row(1, 16), land=[*row(1, 16), "0906"]))
    assert hexes_for(game, "su-116") == row(1, 16)


def test_12_1_5_no_headquarters_is_needed() -> None:
    game = drawn("axis", {}, ground(row(1, 16)))
    assert not any(game.world.units[unit].is_headquarters for unit in game.state.layout.stacks.get("0105", ()))
    game.apply(Arrive("ger-46", "1605"))
    assert game.state.locations["ger-46"] == "1605"


@pytest.mark.parametrize(
    ("enemy", "free"),
    [
        ("0905", row(11, 16)),  # on the railway
        ("0906", row(10, 16)),  # next to it
        ("0908", row(1, 16)),  # too far off
    ],
)
def test_12_1_6_an_enemy_blocks_the_railway_beyond_him(enemy: str, free: list[str]) -> None:
    game = drawn("soviet", {"ger-44": enemy}, ground(row(1, 16)))
    assert hexes_for(game, "su-116") == free


def test_12_1_6_behind_the_front_of_the_enemy() -> None:
    front = {"ger-44": "1002", "ger-57": "1008", "ger-75": "1302", "ger-111": "1308"}
    game = drawn("soviet", front, ground(row(1, 16)))
    game.apply(Arrive("su-116", "0305"))
    assert game.state.locations["su-116"] == "0305"


# -- 12.2 how many -------------------------------------------------------------------------------------------------------------


def test_12_2_1_the_german_and_the_romanian_number() -> None:
    game = drawn("axis", {}, ground(row(1, 16)))
    for unit, label in (("ger-46", "0205"), ("ger-73", "0205"), ("ger-79", "0305")):
        assert not hexes_for(game, "rum-1"), "the Germans first"
        game.apply(Arrive(unit, label))
    refused(game, Arrive("ger-94", "0405"), "12.2.1")
    assert hexes_for(game, "rum-1")
    game.apply(Arrive("rum-1", "0405"))
    assert not isinstance(game.state.stack[-1], Arriving)
    assert game.state.locations["rum-2"] == "axis available"
    placed = [event.unit for event in of_kind(game.events, "unit-placed")]
    assert placed == ["ger-46", "ger-73", "ger-79", "rum-1"]


@pytest.mark.parametrize(
    ("scenario", "numbers"),
    [("campaign", [6, 1, 18]), ("leningrad", [1, 0, 6]), ("smolensk", [2, 0, 6]), ("kiev", [3, 1, 6])],
)
@pytest.mark.parametrize("turn", [4, 9])
def test_12_2_1_as_many_as_the_turn_track_says(scenario: str, numbers: list[int], turn: int) -> None:
    board = ground(row(1, 16), areas={**AREAS, "supply moscow": []})
    come = {"german": 0, "romanian": 0, "soviet": 0}
    for side in ("axis", "soviet"):
        game = drawn(side, {}, board, turn=turn, scenario=scenario)
        while isinstance(game.state.stack[-1], Arriving):
            action = game.legal_actions()[-1]
            assert isinstance(action, Arrive)
            game.apply(action)
            come[content().units[action.unit].nation] += 1
    assert list(come.values()) == numbers


def test_12_2_1_headquarters_count() -> None:
    game = drawn("soviet", {}, ground(row(1, 16)))
    units = ["su-37a", "su-38a", "su-40a", "su-51a", "su-csta", "su-116"]
    for number, unit in enumerate(units):
        game.apply(Arrive(unit, f"{number + 5:02}05"))
    assert not isinstance(game.state.stack[-1], Arriving)
    assert game.state.locations["su-147"] == "soviet available"


def test_12_2_1_fewer_will_do() -> None:
    game = drawn("soviet", {}, ground(row(1, 16)))
    game.apply(Arrive("su-116", "1405"))
    game.apply(Done())
    assert not isinstance(game.state.stack[-1], Arriving)
    assert game.state.locations["su-147"] == "soviet available"


def test_12_2_1_who_finds_no_place_stays_in_the_box() -> None:
    game = drawn("soviet", {"su-45": "1605"}, ground(row(15, 16), land=row(15, 16)))
    for unit, label in (("su-116", "1605"), ("su-147", "1505"), ("su-165", "1505")):
        game.apply(Arrive(unit, label))
    assert not isinstance(game.state.stack[-1], Arriving), "six may come, but only three find room"
    assert game.state.locations["su-175"] == "soviet available"


def test_12_2_1_only_from_the_box() -> None:
    game = drawn("soviet", {"su-45": "1405", "su-62": "soviet eliminated"}, ground(row(1, 16)))
    refused(game, Arrive("su-45", "1305"), "12.2.1")
    refused(game, Arrive("su-62", "1305"), "12.2.1")
    refused(game, Arrive("ger-46", "0105"), "12.2.1")


def test_12_2_2_missing_units_are_not_owed() -> None:
    box = [unit.id for unit in content().units_of("kiev").values() if unit.start == "soviet available"]
    waiting = ["su-116", "su-147", "su-165"]
    gone = {unit: "soviet eliminated" for unit in box if unit not in waiting}
    game = drawn("soviet", gone, ground(row(1, 16)))
    assert isinstance(game.state.stack[-1], Arriving)
    before = game.state.to_json()
    for unit in waiting[:2]:
        game.apply(Arrive(unit, "1405"))
    step = game.state.stack[-1]
    assert isinstance(step, Arriving)
    after = game.state.to_json()
    assert {key for key in after if after[key] != before[key]} == {"locations", "stack"}, "nothing else is remembered"
    game.apply(Arrive(waiting[2], "1305"))
    assert not isinstance(game.state.stack[-1], Arriving)


# -- 12.3 who comes back -------------------------------------------------------------------------------------------------------


def after_losses(units: Mapping[str, str], steps: int, **more: Any) -> Game:
    """Units have lost steps in combat; then the Soviet reinforcements come."""
    losing = Losing("soviet", tuple(units), steps)
    return position(
        units,
        losing,
        board=ground(row(1, 16)),
        scenario="kiev",
        path=RESOLVING,
        turn=4,
        drawn=[CHITS["soviet"]],
        **more,
    )


@pytest.mark.parametrize("unit", ["su-45", "su-3c", "su-72mt", "su-5a"])
@pytest.mark.clause("10.8.1")
def test_12_3_1_infantry_lost_in_combat_comes_back_at_full_strength(unit: str) -> None:
    game = after_losses({unit: "0805"}, 2)
    assert [event.unit for event in of_kind(game.events, "unit-eliminated")] == [unit]
    assert game.state.locations[unit] == "soviet available"
    game.apply(Arrive(unit, "1205"))
    assert game.state.locations[unit] == "1205"
    assert game.state.steps_left[unit] == game.world.units[unit].steps


@pytest.mark.clause("10.6.14")
def test_12_3_1_infantry_that_cannot_retreat_comes_back() -> None:
    ring = {"ger-44": "0804", "ger-57": "0904", "ger-75": "0905", "ger-111": "0806", "ger-298": "0705", "ger-299": "0704"}
    step = retreating(1, "su-45", origin="0805")
    chits: dict[str, Any] = {"path": RESOLVING, "turn": 4, "drawn": [CHITS["soviet"]]}
    game = position({"su-45": "0805", **ring}, step, board=ground(row(1, 16)), scenario="kiev", **chits)
    assert game.state.locations["su-45"] == "soviet available"
    game.apply(Arrive("su-45", "1405"))
    assert game.state.locations["su-45"] == "1405"


@pytest.mark.parametrize("unit", ["su-19t", "su-215m"])
def test_12_3_2_mechanized_units_never_come_back(unit: str) -> None:
    game = after_losses({unit: "0805"}, 2)
    assert game.state.locations[unit] == "soviet eliminated"
    refused(game, Arrive(unit, "1205"), "12.2.1")


@pytest.mark.parametrize("unit", ["su-45", "su-19t", "su-5a"])
@pytest.mark.clause("13.0.3")
def test_12_3_2_nor_does_whoever_was_lost_in_a_supply_check(unit: str) -> None:
    chits: dict[str, Any] = {"path": RESOLVING, "turn": 4, "drawn": [CHITS["soviet"]]}
    land = [*row(1, 2), *row(4, 16)]
    board = ground(row(1, 2), row(4, 16), land=land)
    game = position({unit: "0205"}, SupplyCheck(), board=board, scenario="kiev", reduced=[unit], **chits)
    assert game.state.locations[unit] == "soviet eliminated"
    refused(game, Arrive(unit, "1205"), "12.2.1")


@pytest.mark.clause("10.8.1", "12.3.1")
def test_13_0_3_a_headquarters_comes_back_from_combat() -> None:
    game = after_losses({"su-5a": "0805"}, 1)
    assert told(game.events, "unit-eliminated") == ["su-5a is eliminated (soviet available) (10.5.2)"]
    game.apply(Arrive("su-5a", "1205"))
    assert game.state.locations["su-5a"] == "1205"


def test_13_0_3_but_not_from_a_supply_check() -> None:
    board = ground(row(4, 16), land=[*row(1, 2), *row(4, 16)])
    game = position({"su-5a": "0205", "ger-44": "1405"}, SupplyCheck(), board=board, scenario="kiev", turn=3)
    (event,) = of_kind(game.events, "unit-eliminated")
    assert event.cited() == ("11.1.1", "10.8.3")
    assert game.state.locations["su-5a"] == "soviet eliminated"
