"""15.1.4, 15.3 and 15.4: the first turns, the army on the turn track and the strategic reserve."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

import hexwar
from hexwar.engine import Game
from hexwar.mechanics import Arrive, Arriving, Declaring, Enter, Entering
from hexwar.pieces import Done
from hexwar_ava.reinforcements import ChooseEntry, ChoosingEntry
from hexwar_ava.supply import SupplyCheck
from tests.ava.helpers import content
from tests.ava.table import field, of_kind, position, refused, told

SMALL = (14, 12)
RESOLVING = (2, 1, 1)
ARMY = [unit.id for unit in content().units.values() if unit.start == "turn 3"]
NORTH, SOUTH = "1404", "1409"
"""Soviet sources on the east edge."""
AREAS = {"supply axis": ["0105"], "supply soviet": ["0712", "0806", NORTH, SOUTH]}
MOSCOW = ["1403", "1406", "1409"]


def ground(**more: Any) -> str:
    return field(**{"size": SMALL, "areas": AREAS, **more})


# -- 15.1.4 --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", ["campaign", "leningrad", "kiev", "smolensk"])
@pytest.mark.parametrize("turn", [1, 2, 3, 4, 5, 9])
def test_15_1_4_the_axis_checks_its_supply_from_turn_4(turn: int, scenario: str) -> None:
    units = {"campaign": ("ger-21", "su-179"), "leningrad": ("ger-21", "su-179"), "kiev": ("ger-44", "su-45")}
    axis, soviet = units.get(scenario, ("ger-7", "su-27"))
    board = ground(areas={"supply axis": [], "supply soviet": []})
    game = position({axis: "0505", soviet: "1005"}, SupplyCheck(), board=board, scenario=scenario, turn=turn)
    assert game.state.steps_left[axis] == (2 if turn < 4 else 1)
    assert game.state.steps_left[soviet] == 1, "the Soviets check from the first turn"


# -- 15.3 the 19th Army --------------------------------------------------------------------------------------------------------


def army(board: str, units: Mapping[str, str] | None = None, turn: int = 3, scenario: str = "campaign", **more: Any) -> Game:
    """The chit of the army has just been drawn."""
    return position(units or {}, board=board, scenario=scenario, path=RESOLVING, turn=turn, drawn=["su-19a"], **more)


@pytest.mark.parametrize("scenario", ["campaign", "smolensk", "smolensk-short"])
def test_15_3_1_the_headquarters_and_its_ten_units_come_with_its_chit(scenario: str) -> None:
    game = army(ground(), scenario=scenario)
    assert len(ARMY) == 11
    assert [unit for unit in ARMY if game.world.units[unit].is_headquarters] == ["su-19a"]
    (event,) = of_kind(game.events, "units-activated")
    assert (sorted(event.units), event.clause) == (sorted(ARMY), "15.3.1")
    game.apply(ChooseEntry(NORTH))
    for unit in ARMY:
        action = next(action for action in game.legal_actions() if isinstance(action, Enter) and action.unit == unit)
        game.apply(action)
    assert all(game.state.locations[unit] in game.world.board for unit in ARMY)


def test_15_3_1_the_chit_comes_in_turn_3() -> None:
    for scenario in ("campaign", "smolensk"):
        turns = [t for t in range(1, 10) if any(chit.id == "su-19a" for chit in content().chits_of(scenario, t))]
        assert turns[0] == 3
    assert not any(chit.id == "su-19a" for chit in content().chits_of("leningrad", 9))
    for scenario in ("leningrad", "kiev"):
        assert not set(ARMY) & set(content().units_of(scenario))


@pytest.mark.parametrize("turn", [3, 4, 6])
def test_15_3_1_it_waits_until_the_chit_is_drawn(turn: int) -> None:
    game = army(ground(), turn=turn)
    assert isinstance(game.state.stack[-1], ChoosingEntry)
    assert set(game.state.active) == set(ARMY)


def test_15_3_1_another_chit_does_not_bring_it() -> None:
    game = position({"su-16a": "0905"}, board=ground(), path=RESOLVING, turn=3, drawn=["su-16a"])
    assert game.state.active == ("su-16a",)
    assert not set(ARMY) & set(game.state.active)


def test_15_3_1_nobody_else_is_activated() -> None:
    game = army(ground(), {"su-179": "1405"})  # four hexes from everywhere the headquarters may come in
    assert "su-179" not in game.state.active
    game.apply(ChooseEntry(NORTH))
    game.apply(Enter("su-19a", NORTH, NORTH))
    assert "su-179" not in game.state.active


def test_15_3_1_later_it_is_a_headquarters_like_any_other() -> None:
    game = army(
        ground(), {**dict.fromkeys(ARMY, "soviet eliminated"), "su-19a": "1005", "su-38": "1105", "su-179": "1106"}, turn=4
    )
    assert set(game.state.active) == {"su-19a", "su-38", "su-179"}


def test_15_3_1_whoever_did_not_come_in_comes_with_the_next_chit() -> None:
    game = army(ground(), {"su-19a": "1005"}, turn=4, entry=SOUTH)
    assert set(game.state.active) == set(ARMY)
    game.apply(Done())  # the headquarters does not move
    refused(game, Enter("su-38", NORTH, NORTH), "15.3.2", SOUTH)
    game.apply(Enter("su-38", SOUTH, SOUTH))
    assert game.state.locations["su-38"] == SOUTH


def test_15_3_1_nobody_of_it_stays_behind() -> None:
    """The text has the army come, where it lets others come "up to" a number (15.4.1, 18.1.8)."""
    game = army(ground())
    game.apply(ChooseEntry(NORTH))
    for left in range(len(ARMY), 0, -1):
        refused(game, Done(), "15.3.1", "comes in")
        entries = [action for action in game.legal_actions() if isinstance(action, Enter)]
        assert len(entries) == len(game.legal_actions())
        assert len({action.unit for action in entries}) == left
        game.apply(entries[-1])
    assert all(game.state.locations[unit] in game.world.board for unit in ARMY)


def test_15_3_1_whoever_finds_no_way_in_waits() -> None:
    """One hex of entry, all ways from it barred by the enemy or by the price: two find room."""
    game = army(ground(), dict(zip(("ger-21", "ger-1", "ger-61"), ("1303", "1304", "1405"), strict=True)))
    game.apply(ChooseEntry(NORTH))
    while isinstance(game.state.stack[-1], Entering):
        game.apply(game.legal_actions()[0])
    waiting = [unit for unit in ARMY if game.state.locations[unit] == "turn 3"]
    assert waiting
    assert not any(isinstance(step, Entering) for step in game.state.stack), "nobody asks for what cannot be done"


def test_15_3_2_through_a_source_on_the_east_edge() -> None:
    game = army(ground())
    assert game.to_move == ("soviet",)
    assert game.legal_actions() == [ChooseEntry(NORTH), ChooseEntry(SOUTH)]
    refused(game, ChooseEntry("0806"), "15.3.2", "east edge")  # a source, but not on the edge
    refused(game, ChooseEntry("0712"), "15.3.2", "east edge")  # a source on another edge
    refused(game, ChooseEntry("1407"), "15.3.2", "east edge")  # no source
    assert told(game.apply(ChooseEntry(SOUTH)), "entry-chosen") == [f"the army enters through {SOUTH} (15.3.2)"]


def test_15_3_2_all_come_in_through_the_same_hex() -> None:
    game = army(ground())
    game.apply(ChooseEntry(NORTH))
    game.apply(Enter("su-38", "1304", NORTH))
    refused(game, Enter("su-127", SOUTH, SOUTH), "15.3.2", NORTH)
    events = game.apply(Enter("su-127", NORTH, NORTH))
    assert told(events, "unit-placed") == [f"su-127 arrives at {NORTH} (15.3.3)"]


def test_15_3_2_not_where_the_enemy_stands() -> None:
    game = army(ground(), {"ger-21": NORTH})
    assert isinstance(game.state.stack[-1], Entering)
    assert game.state.entry == SOUTH, "there is no choice"
    game = army(ground(), {"ger-21": NORTH, "ger-1": SOUTH})
    assert not isinstance(game.state.stack[-1], Entering | ChoosingEntry)
    assert all(game.state.locations[unit] == "turn 3" for unit in ARMY)


def test_15_3_2_the_rest_chooses_anew_where_the_enemy_holds_the_first_choice() -> None:
    free = army(ground(), entry=NORTH)
    assert free.state.entry == NORTH
    assert isinstance(free.state.stack[-1], Entering)
    barred = army(ground(), {"ger-21": NORTH}, entry=NORTH)
    assert isinstance(barred.state.stack[-1], Entering)
    assert barred.state.entry == SOUTH


def test_15_3_2_the_sources_of_the_real_maps() -> None:
    smolensk = army("", scenario="smolensk")
    assert {action.hex for action in smolensk.legal_actions() if isinstance(action, ChooseEntry)} == {
        "S5504",
        "S5507",
        "S5513",
        "S5521",
        "S5529",
    }
    campaign = army("")
    hexes = {action.hex for action in campaign.legal_actions() if isinstance(action, ChooseEntry)}
    assert hexes == set(campaign.world.supply.sources["soviet"])


def inside(game: Game, unit: str, mode: str = "") -> set[str]:
    """Where a unit that enters may end its move."""
    return {a.to for a in game.legal_actions() if isinstance(a, Enter) and (a.unit, a.mode) == (unit, mode)}


def entering(**more: Any) -> Game:
    game = army(ground(**more))
    game.apply(ChooseEntry(NORTH))
    return game


def test_15_3_3_they_pay_for_the_hex_of_entry() -> None:
    game = entering()
    points = game.world.units["su-38"].faces[-1].move
    far = {game.world.board.distance(NORTH, label) for label in inside(game, "su-38")}
    assert max(far) == points - 1
    refused(game, Enter("su-38", f"{14 - points:02}04", NORTH), "9.2.8", f"{points - 1} points")


def test_15_3_3_a_forest_costs_more() -> None:
    game = entering(terrain={NORTH: "F"})
    points = game.world.units["su-38"].faces[-1].move
    assert max(game.world.board.distance(NORTH, label) for label in inside(game, "su-38")) == points - 2


def test_15_3_3_or_by_strategic_movement() -> None:
    road = " ".join(f"{column:02}04" for column in range(14, 0, -1))
    game = entering(road=[road])
    points = game.world.units["su-38"].faces[-1].move
    ends = inside(game, "su-38", "strategic")
    assert ends == {f"{column:02}04" for column in range(14 - (2 * points - 1), 15)}, "half a point each, the first hex too"
    game.apply(Enter("su-38", min(ends), NORTH, "strategic"))
    assert game.state.locations["su-38"] == min(ends)


def test_15_3_3_strategic_movement_needs_a_road() -> None:
    game = entering(road=["1304 1204"])
    assert not inside(game, "su-38", "strategic")
    refused(game, Enter("su-38", "1204", NORTH, "strategic"), "9.3.2")


def test_15_3_3_strategic_movement_avoids_enemy_zones() -> None:
    road = " ".join(f"{column:02}04" for column in range(14, 0, -1))
    game = army(ground(road=[road]), {"ger-207sec": "1302"})  # watches 1403, but not the source
    game.apply(ChooseEntry(NORTH))
    assert NORTH in inside(game, "su-38", "strategic")
    game = army(ground(road=[road]), {"ger-207sec": "1403"})
    game.apply(ChooseEntry(NORTH))
    assert not inside(game, "su-38", "strategic")
    refused(game, Enter("su-38", NORTH, NORTH, "strategic"), "9.3.4")
    assert NORTH in inside(game, "su-38")


def test_15_3_3_they_may_attack_after_that() -> None:
    game = army(ground(), {"ger-207sec": "1304"})
    game.apply(ChooseEntry(NORTH))
    game.apply(Enter("su-51t", NORTH, NORTH))
    while isinstance(game.state.stack[-1], Entering):
        game.apply(next(action for action in game.legal_actions() if isinstance(action, Enter)))
    step = game.state.stack[-1]
    assert isinstance(step, Declaring)
    assert set(step.units) == {unit for unit in ARMY if game.state.locations[unit] in game.world.board}


# -- 15.4 the strategic reserve ------------------------------------------------------------------------------------------------


def reserve(units: Mapping[str, str] | None = None, turn: int = 6, scenario: str = "campaign", **more: Any) -> Game:
    """The Soviet Reinforcements chit has been drawn, and the ordinary reinforcements were let be."""
    board = ground(**{"areas": {**AREAS, "supply soviet": [], "supply moscow": MOSCOW}, **more})
    chits: dict[str, Any] = {"path": RESOLVING, "turn": turn, "drawn": ["soviet-reinforcements"]}
    game = position(units or {}, board=board, scenario=scenario, **chits)
    if isinstance(game.state.stack[-1], Arriving):
        game.apply(Done())
    return game


def bring_all(game: Game) -> int:
    """Bring in as many as may come; how many that are."""
    number = 0
    while isinstance(game.state.stack[-1], Entering):
        game.apply(next(action for action in game.legal_actions() if isinstance(action, Enter)))
        number += 1
    return number


@pytest.mark.parametrize(
    ("scenario", "turn", "number"),
    [
        ("campaign", 4, 0),
        ("campaign", 5, 0),
        ("campaign", 6, 12),
        ("campaign", 7, 12),
        ("campaign", 9, 12),
        ("smolensk", 5, 0),
        ("smolensk", 6, 6),
        ("smolensk", 9, 6),
        ("smolensk-short", 6, 6),
    ],
)
def test_15_4_1_how_many_come(scenario: str, turn: int, number: int) -> None:
    game = reserve(turn=turn, scenario=scenario)
    assert bring_all(game) == number
    if number:
        rest = next(unit for unit, label in game.state.locations.items() if label == "soviet available")
        with pytest.raises(hexwar.Refusal):
            game.apply(Enter(rest, "1403", "1403"))


def test_15_4_1_they_come_on_top_of_the_others() -> None:
    rail = " ".join(f"{column:02}06" for column in range(14, 1, -1))
    game = position(
        {},
        board=ground(rail=[rail], areas={**AREAS, "supply soviet": [], "supply moscow": MOSCOW}),
        scenario="smolensk",
        path=RESOLVING,
        turn=6,
        drawn=["soviet-reinforcements"],
    )
    ordinary = 0
    while isinstance(game.state.stack[-1], Arriving):
        game.apply(game.legal_actions()[-1])
        ordinary += 1
    assert (ordinary, bring_all(game)) == (6, 6)


def test_15_4_1_nobody_has_to_come() -> None:
    game = reserve()
    assert game.legal_actions()[0] == Done()
    game.apply(Done())
    assert not any(
        game.world.units[unit].side == "soviet" for unit, label in game.state.locations.items() if label in game.world.board
    )


def test_15_4_2_through_the_hexes_from_moscow() -> None:
    areas = {**AREAS, "supply moscow": MOSCOW}
    game = reserve(areas=areas)
    assert {action.source for action in game.legal_actions() if isinstance(action, Enter)} == set(MOSCOW)
    refused(game, Enter("su-19", NORTH, NORTH), "15.4.2", "1403, 1406, 1409")
    events = game.apply(Enter("su-19", "1306", "1406"))
    assert told(events, "unit-placed") == ["su-19 arrives at 1406 (15.4.2)"]
    assert game.state.locations["su-19"] == "1306"


@pytest.mark.parametrize("scenario", ["campaign", "smolensk"])
def test_15_4_2_which_hexes_these_are(scenario: str) -> None:
    game = position({}, SupplyCheck(), board="", scenario=scenario, turn=6, path=RESOLVING)
    assert game.world.from_moscow == ("S5504", "S5507", "S5513")
    assert set(game.world.from_moscow) <= set(game.world.supply.sources["soviet"])


def test_15_4_2_by_normal_or_strategic_movement() -> None:
    road = " ".join(f"{column:02}06" for column in range(14, 0, -1))
    game = reserve(road=[road])
    points = game.world.units["su-19"].faces[-1].move
    normal = {a.to for a in game.legal_actions() if isinstance(a, Enter) and (a.unit, a.source, a.mode) == ("su-19", "1406", "")}
    quick = {
        a.to
        for a in game.legal_actions()
        if isinstance(a, Enter) and (a.unit, a.source, a.mode) == ("su-19", "1406", "strategic")
    }
    assert max(game.world.board.distance("1406", label) for label in normal) == points - 1
    assert max(game.world.board.distance("1406", label) for label in quick) == 2 * points - 1


def test_15_4_2_no_railway_is_needed_and_zones_do_not_matter() -> None:
    game = reserve({"ger-21": "1305"})  # watches 1405 and 1406
    assert "1406" in game.query.zones("axis")
    game.apply(Enter("su-19", "1406", "1406"))
    assert game.state.locations["su-19"] == "1406"


def test_15_4_2_they_cannot_attack() -> None:
    game = reserve({"ger-21": "1305"})
    game.apply(Enter("su-19", "1406", "1406"))
    events = game.apply(Done())
    assert not any(event.phase == "combat" for event in of_kind(events, "phase-entered"))
    assert not isinstance(game.state.stack[-1], Declaring)


def test_15_4_3_any_units_from_the_box() -> None:
    game = reserve({"su-179": "soviet eliminated", "su-90": "0905"})
    able = {action.unit for action in game.legal_actions() if isinstance(action, Enter)}
    assert able == {unit.id for unit in content().units_of("campaign").values() if unit.start == "soviet available"}
    for unit in ("su-24a", "su-1t", "su-25c", "su-1dno", "su-28mt"):  # headquarters, tanks, cavalry, militia, mountain troops
        game.apply(next(a for a in game.legal_actions() if isinstance(a, Enter) and a.unit == unit))
        assert game.state.locations[unit] in game.world.board
    refused(game, Enter("su-179", "1403", "1403"), "15.4.2")
    refused(game, Enter("su-90", "1403", "1403"), "15.4.2")
    refused(game, Enter("su-38", "1403", "1403"), "15.4.2")  # it waits on the turn track
    assert game.why_not(Arrive("su-19", "1403")) is not None


@pytest.mark.clause("9.1.2", "15.3.3")
def test_15_3_3_by_the_way_of_its_owners_choice() -> None:
    game = entering()
    group = game.question(game.to_move[0]).group("su-38")
    ways = {action.to: action for action in group.through(["1405"]) if not action.mode}  # type: ignore[attr-defined]
    action = ways["1305"]
    assert action.path == (NORTH, "1405", "1305")  # type: ignore[attr-defined]
    assert str(action) == f"su-38 enters at {NORTH} and moves to 1305 by 1405"
    events = game.apply(action)
    assert told(events, "unit-moved") == [f"su-38 moves from {NORTH} to 1305 by 1405 (9.1.2)"]
    refused(game, Enter("su-127", "1305", NORTH, path=(NORTH, "1305")), "9.1.2", "next to")
