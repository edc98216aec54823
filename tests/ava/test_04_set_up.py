"""4.0 Set-up: where every unit begins, by hand and at one stroke."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hexwar
from hexwar import RefusalCode
from hexwar.engine import Game
from hexwar_ava.setting_up import Place, PlaceRest, SettingUp
from tests.ava.helpers import BUNDLED
from tests.ava.table import field, position, refused

PRINTED = ("campaign", "leningrad", "smolensk", "kiev")
WAITING = "set-up"


@cache
def _fresh(scenario: str, automatic: bool) -> Game:
    return hexwar.new_game("ava", scenario, seed=1, options={"auto-setup": automatic})


def fresh(scenario: str, *, automatic: bool = False) -> Game:
    """A new game before or after its set-up."""
    return _fresh(scenario, automatic).copy()


def formation(game: Game, side: str, name: str) -> list[str]:
    """The units of a formation that are set up, its headquarters first."""
    counters = game.world.units.values()
    mine = [c for c in counters if (c.side, c.formation, c.start) == (side, name, WAITING)]
    return [counter.id for counter in sorted(mine, key=lambda counter: not counter.is_headquarters)]


def faults(game: Game, sides: tuple[str, ...] = ("soviet", "axis")) -> list[str]:
    """What is wrong with a set-up, clause by clause; written from the rulebook and not from the step that places units."""
    world, at, steps = game.world, game.state.locations, game.state.steps_left
    areas = world.board.areas
    found: list[str] = []
    for (side, name), zone in world.deployment.zones.items():
        if side not in sides:
            continue
        units = formation(game, side, name)
        zone_hexes, symbol = set(areas[zone.hexes]), areas[zone.headquarters][0]
        where = {unit: at.get(unit, "nowhere") for unit in units}
        found += [f"4.0.6 {unit} in {label}" for unit, label in where.items() if label not in zone_hexes]
        found += [f"4.0.3 {unit}" for unit in units if world.units[unit].is_headquarters and at[unit] != symbol]
        if zone.kind == "area":
            found += [f"4.0.7 {label} of {name} is empty" for label in zone_hexes - set(where.values())]
        if name == "2PzG" and list(where.values()).count(symbol) != 2:
            found.append(f"4.0.5 {where}")
        found += [f"4.0.13 {unit}" for unit in units if steps[unit] != world.units[unit].steps]
    on_map = [label for unit, label in at.items() if label in world.board and world.units[unit].arm != "fortress"]
    found += [f"4.0.1 {label}" for label in set(on_map) if on_map.count(label) > 2]
    found += [f"4.0.1 {unit} waits" for unit, label in at.items() if label == WAITING and world.units[unit].side in sides]
    return found


def is_setting_up(game: Game, seat: str) -> bool:
    return bool(game.state.stack[-1] == SettingUp(seat))


def inside(game: Game, box: str) -> set[str]:
    """The units in a hex or a box."""
    return {unit for unit, label in game.state.locations.items() if label == box}


def offers(game: Game, unit: str) -> set[str]:
    """The hexes that are offered to a unit."""
    return {action.to for action in game.legal_actions() if isinstance(action, Place) and action.unit == unit}


def after_the_soviets(scenario: str) -> Game:
    game = fresh(scenario)
    game.apply(PlaceRest())
    return game


# -- 4.0.1, 4.0.2 who places what --------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", PRINTED)
def test_4_0_1_the_automatic_set_up_is_legal(scenario: str) -> None:
    game = fresh(scenario, automatic=True)
    assert faults(game) == []
    assert WAITING not in game.state.locations.values()


def test_4_0_1_the_checker_finds_each_kind_of_fault() -> None:
    game = fresh("smolensk", automatic=True)

    def broken(unit: str, label: str) -> str:
        twin = game.copy()
        twin._state.put(unit, label)
        return " ".join(faults(twin))

    assert "4.0.6 ger-3pz" in broken("ger-3pz", "S1018")
    assert "4.0.3 ger-9a" in broken("ger-9a", "S0417")
    pair = next(label for label in game.world.board.areas["area soviet 4A"] if len(inside(game, label) - {"fort-s1"}) == 2)
    third = next(unit for unit in formation(game, "soviet", "4A")[1:] if game.state.locations[unit] != pair)
    assert f"4.0.1 {pair}" in broken(third, pair)
    beside = next(u for u, label in game.state.locations.items() if label == "S0728" and u != "ger-2pzg")
    assert "4.0.5" in broken(beside, "S0828")
    alone = next(
        u for u in formation(game, "axis", "9A") if list(game.state.locations.values()).count(game.state.locations[u]) == 1
    )
    assert "4.0.7" in broken(alone, "S0418")
    twin = game.copy()
    twin._state.steps_left = {**twin._state.steps_left, "ger-3pz": 1}
    assert faults(twin) == ["4.0.13 ger-3pz"]


@pytest.mark.clause("4.0.6")
def test_4_0_1_a_unit_goes_into_the_zone_of_its_own_formation() -> None:
    game = fresh("leningrad")
    assert offers(game, "su-10") == set(game.world.board.areas["area soviet 8A"])
    foreign = next(iter(game.world.board.areas["area soviet 11A"]))
    refused(game, Place("su-10", foreign), "4.0.6", "not in the zone of 8A")
    refused(game, Place("su-10", "L5504"), "4.0.6")
    refused(game, Place("su-10", "nowhere"), "4.0.6")


def test_4_0_1_a_third_unit_is_refused() -> None:
    game = fresh("leningrad")
    target = game.world.board.areas["area soviet 11A"][1]
    game.apply(Place("su-5", target))
    game.apply(Place("su-23", target))
    assert target not in offers(game, "su-33")
    refused(game, Place("su-33", target), "4.0.1", "full")


def test_4_0_1_a_unit_is_placed_once_and_only_by_its_owner() -> None:
    game = fresh("leningrad")
    first, second = game.world.board.areas["area soviet 11A"][1:3]
    game.apply(Place("su-5", first))
    for action, side in (
        (Place("su-5", second), "soviet"),
        (Place("ger-1", "L0428"), "soviet"),
        (Place("ger-1", "L0428"), "axis"),
    ):
        with pytest.raises(hexwar.Refusal):
            game.apply(action, side)
    assert game.state.locations["su-5"] == first
    assert game.state.locations["ger-1"] == WAITING


def test_4_0_2_the_soviets_set_up_before_the_axis() -> None:
    game = fresh("leningrad")
    assert game.to_move == ("soviet",)
    refusal = game.why_not(PlaceRest(), "axis")
    assert refusal is not None
    assert refusal.code is RefusalCode.NOT_YOUR_TURN
    game.apply(PlaceRest())
    assert game.to_move == ("axis",)
    assert is_setting_up(game, "axis")
    assert faults(game, ("soviet",)) == []
    assert all(game.state.locations[unit] == WAITING for unit in formation(game, "axis", "16A"))
    game.apply(PlaceRest())
    assert faults(game) == []


def test_4_0_2_the_automatic_set_up_keeps_the_order() -> None:
    log = fresh("leningrad", automatic=True).log()
    placed = [event.to_json()["unit"] for event in log if event.kind == "unit-placed"]
    sides = [str(unit).split("-")[0] for unit in placed]
    assert set(sides) == {"su", "ger"}
    assert sides == sorted(sides, reverse=True), "all Soviet units come first"


# -- 4.0.3 to 4.0.5 headquarters ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", PRINTED)
def test_4_0_3_a_headquarters_goes_on_its_symbol(scenario: str) -> None:
    for game in (fresh(scenario), after_the_soviets(scenario)):
        side = game.to_move[0]
        for (of, name), zone in game.world.deployment.zones.items():
            if of == side:
                leader = formation(game, side, name)[0]
                assert offers(game, leader) == set(game.world.board.areas[zone.headquarters])


def test_4_0_3_another_hex_is_refused() -> None:
    game = fresh("leningrad")
    for label in set(game.world.board.areas["area soviet 8A"]) - offers(game, "su-8a"):
        refused(game, Place("su-8a", label), "4.0.3", "symbol")


def test_4_0_3_nobody_takes_the_place_of_the_headquarters() -> None:
    """Its hex has room for one more unit even before the headquarters has come."""
    game = fresh("leningrad")
    (symbol,) = offers(game, "su-8a")
    game.apply(Place("su-10", symbol))
    assert symbol not in offers(game, "su-48")
    refused(game, Place("su-48", symbol), "4.0.1")
    assert offers(game, "su-8a") == {symbol}


EIGHTH = ("su-8a", "su-10", "su-48", "su-90", "su-125", "su-23t")


def small(zone: str, hexes: list[str], units: tuple[str, ...], **areas: list[str]) -> Game:
    """Some units of the Soviet 8A that set up on a field; without an area "hq" it has no symbol there."""
    places = {zone: hexes, **{f"hq {name.replace('_', ' ')}": labels for name, labels in areas.items()}}
    board = field(size=(14, 12), areas=places)
    return position(dict.fromkeys(units, WAITING), SettingUp("soviet"), board=board, phase=WAITING, path=(1,))


FOUR = ["0505", "0605", "0705", "0805"]


def test_4_0_4_without_a_symbol_a_headquarters_is_a_unit_like_any_other() -> None:
    game = small("area soviet 8A", FOUR, EIGHTH)
    assert offers(game, "su-8a") == set(FOUR) == offers(game, "su-10")
    game.apply(Place("su-8a", "0605"))
    game.apply(Place("su-10", "0605"))
    refused(game, Place("su-48", "0605"), "4.0.1")
    with_symbol = small("area soviet 8A", FOUR, EIGHTH, soviet_8A=["0805"])
    assert offers(with_symbol, "su-8a") == {"0805"}


def test_4_0_5_the_headquarters_of_2pzg_has_exactly_one_companion() -> None:
    game = after_the_soviets("smolensk")
    leader, *units = formation(game, "axis", "2PzG")
    (symbol,) = offers(game, leader)
    game.apply(Place(leader, symbol))
    game.apply(Place(units[0], symbol))
    refused(game, Place(units[1], symbol), "4.0.5")


def test_4_0_5_the_headquarters_of_2pzg_is_not_left_alone() -> None:
    game = after_the_soviets("smolensk")
    leader, *units = formation(game, "axis", "2PzG")
    (symbol,) = offers(game, leader)
    others = [label for label in game.world.board.areas["area axis 2PzG"] if label != symbol]
    # 16 units for 12 hexes: once four hexes have two, every empty hex needs one of those that are left.
    for unit, label in zip(units[:-1], [*others, *others[:4]], strict=True):
        game.apply(Place(unit, label))
    assert offers(game, units[-1]) == {symbol}
    refused(game, Place(units[-1], others[5]), "4.0.5", symbol)


def test_4_0_5_other_headquarters_may_stand_alone() -> None:
    game = after_the_soviets("smolensk")
    leader, *units = formation(game, "axis", "9A")
    others = [label for label in game.world.board.areas["area axis 9A"] if offers(game, leader) != {label}]
    game.apply(Place(leader, *offers(game, leader)))
    for unit, label in zip(units, [*others, *others], strict=False):
        game.apply(Place(unit, label))
    game.apply(PlaceRest())
    assert faults(game) == []
    assert list(game.state.locations.values()).count(game.state.locations[leader]) == 1


# -- 4.0.6 to 4.0.9 zones ----------------------------------------------------------------------------------------------


def test_4_0_6_all_units_of_a_formation_stay_inside_its_area() -> None:
    game = fresh("kiev")
    area = set(game.world.board.areas["area soviet 5A"])
    for unit in formation(game, "soviet", "5A")[1:]:
        assert offers(game, unit) == area
    beyond = {near for label in area for near in game.world.board.neighbours(label)} - area
    for label in sorted(beyond):
        refused(game, Place(formation(game, "soviet", "5A")[1], label), "4.0.6")


def test_4_0_7_two_two_two_none_is_refused() -> None:
    """An area of four hexes and six units."""
    game = small("area soviet 8A", FOUR, EIGHTH)
    game.apply(Place("su-8a", "0505"))
    game.apply(Place("su-10", "0505"))
    game.apply(Place("su-48", "0605"))
    game.apply(Place("su-90", "0605"))
    assert offers(game, "su-125") == {"0705", "0805"}
    game.apply(Place("su-125", "0705"))
    assert offers(game, "su-23t") == {"0805"}
    refused(game, Place("su-23t", "0705"), "4.0.7", "0805")


def test_4_0_7_two_two_one_one_is_accepted() -> None:
    game = small("area soviet 8A", FOUR, EIGHTH)
    for unit, label in zip(EIGHTH, ("0505", "0505", "0605", "0605", "0705", "0805"), strict=True):
        game.apply(Place(unit, label))
    assert WAITING not in game.state.locations.values()
    assert not is_setting_up(game, "soviet")


def test_4_0_7_the_headquarters_fills_its_hex() -> None:
    """Five units for four hexes, one of them the headquarters' own: the four others may leave no further hex empty."""
    game = small("area soviet 8A", FOUR, EIGHTH[:5], soviet_8A=["0505"])
    game.apply(Place("su-10", "0505"))
    assert offers(game, "su-48") == {"0605", "0705", "0805"}
    refused(small("area soviet 8A", FOUR, EIGHTH[:4], soviet_8A=["0505"]), Place("su-10", "0505"), "4.0.7")


@pytest.mark.parametrize(("scenario", "name"), [("leningrad", "23A"), ("smolensk", "13A"), ("smolensk", "16A")])
def test_4_0_8_a_range_may_have_empty_hexes(scenario: str, name: str) -> None:
    game = fresh(scenario)
    leader, *units = formation(game, "soviet", name)
    hexes = game.world.board.areas[f"range soviet {name}"]
    game.apply(Place(leader, *offers(game, leader)))
    for unit in units:
        crowded = [label for label in sorted(offers(game, unit)) if label in game.state.locations.values()]
        game.apply(Place(unit, crowded[0] if crowded else min(offers(game, unit))))
    taken = {game.state.locations[unit] for unit in (leader, *units)}
    assert len(taken) == (len(units) + 2) // 2 < len(hexes)
    game.apply(PlaceRest())
    assert faults(game, ("soviet",)) == []


def test_4_0_8_outside_the_range_is_refused() -> None:
    game = fresh("smolensk")
    unit = formation(game, "soviet", "16A")[1]
    refused(game, Place(unit, "S4310"), "4.0.8", "16A")


@pytest.mark.parametrize(("name", "hexes"), [("16A", 1), ("13A", 2), ("20A", 2), ("21A", 2), ("22A", 2), ("23A", 2), ("27A", 2)])
def test_4_0_8_the_zone_is_all_within_so_many_hexes(name: str, hexes: int) -> None:
    board = fresh("campaign").world.board
    (centre,) = board.areas[f"hq soviet {name}"]
    near = {label for label in board.labels if board.distance(centre, label) <= hexes}
    zone = set(board.areas[f"range soviet {name}"])
    assert zone <= near
    assert all(board.terrain(label) in ("lake", "sea") or name == "23A" for label in near - zone)


@pytest.fixture
def single_hex(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Content in which the Soviet 8A sets up in a single hex, which no formation of the printed game does."""
    text = (BUNDLED / "setup.toml").read_text(encoding="utf-8")
    old = 'formation = "8A", sheet = "L", kind = "area"'
    assert text.count(old) == 1
    (tmp_path / "setup.toml").write_text(text.replace(old, old.replace('"area"', '"hex"')), encoding="utf-8")
    monkeypatch.setenv("HEXWAR_AVA_DATA", str(tmp_path))


@pytest.mark.usefixtures("single_hex")
def test_4_0_9_a_hex_takes_one_or_two_units() -> None:
    one = small("area soviet 8A", ["0505"], EIGHTH[:1])
    assert offers(one, "su-8a") == {"0505"}
    refused(one, Place("su-8a", "0506"), "4.0.9")
    two = small("area soviet 8A", ["0505"], EIGHTH[:2])
    for unit in EIGHTH[:2]:
        two.apply(Place(unit, "0505"))
    assert WAITING not in two.state.locations.values()
    three = small("area soviet 8A", ["0505"], EIGHTH[:3])
    for unit in EIGHTH[:2]:
        three.apply(Place(unit, "0505"))
    refused(three, Place(EIGHTH[2], "0505"), "4.0.9", "full")


@pytest.mark.usefixtures("single_hex")
def test_4_0_9_the_headquarters_is_counted() -> None:
    game = small("area soviet 8A", ["0505"], EIGHTH[:3], soviet_8A=["0505"])
    game.apply(Place("su-10", "0505"))
    refused(game, Place("su-48", "0505"), "4.0.9")
    assert offers(game, "su-8a") == {"0505"}


# -- 4.0.10 to 4.0.18 what is not placed by hand -----------------------------------------------------------------------


@pytest.mark.parametrize("scenario", ["campaign", "smolensk", "smolensk-short"])
def test_4_0_10_the_19th_army_waits_on_turn_3(scenario: str) -> None:
    game = fresh(scenario, automatic=True)
    waiting = inside(game, "turn 3")
    assert len(waiting) == 11
    assert {game.world.units[unit].formation for unit in waiting} == {"19A"}
    assert [unit for unit in waiting if game.world.units[unit].is_headquarters] == ["su-19a"]
    assert not inside(fresh("kiev", automatic=True), "turn 3")


@pytest.mark.parametrize("scenario", PRINTED)
def test_4_0_11_units_without_a_zone_are_in_the_box_of_their_side(scenario: str) -> None:
    game = fresh(scenario, automatic=True)
    for unit, counter in game.world.units.items():
        if counter.arm == "fortress":
            continue
        if not counter.formation:
            assert game.state.locations[unit] == f"{counter.side} available"
        elif counter.start == WAITING:
            assert game.state.locations[unit] in game.world.board
        else:
            assert game.state.locations[unit].startswith("turn ") or counter.is_headquarters
    assert inside(game, "axis eliminated") == inside(game, "soviet eliminated") == set()


@pytest.mark.parametrize("scenario", PRINTED)
def test_4_0_12_headquarters_without_a_zone_are_in_the_box(scenario: str) -> None:
    game = fresh(scenario, automatic=True)
    symbols = {label for name, labels in game.world.board.areas.items() if name.startswith("hq ") for label in labels}
    for unit, counter in game.world.units.items():
        if counter.is_headquarters and unit != "su-19a":
            if counter.start == WAITING:
                assert game.state.locations[unit] in symbols
            else:
                assert game.state.locations[unit] == f"{counter.side} available"
    leaders = {unit for unit, counter in game.world.units.items() if counter.is_headquarters}
    number = {"campaign": 17, "leningrad": 6, "smolensk": 6, "kiev": 5}[scenario]
    assert len(leaders & (inside(game, "soviet available") | inside(game, "axis available"))) == number


@pytest.mark.parametrize("scenario", PRINTED)
def test_4_0_13_everybody_begins_at_full_strength(scenario: str) -> None:
    game = fresh(scenario, automatic=True)
    for unit, counter in game.world.units.items():
        if counter.arm != "fortress":
            assert game.state.steps_left[unit] == counter.steps


@pytest.mark.clause("4.0.15")
def test_4_0_14_the_chits_at_the_start_of_the_campaign() -> None:
    game = position({}, path=(2, 0), board=field(size=(14, 12)))
    names = {
        side: [game.world.chits[chit].name for chit in game.world.cup.available(game.position, side)]
        for side in ("axis", "soviet")
    }
    axis = [name.split(" (")[0] for name in names["axis"]]
    assert len(axis) == 14
    assert [axis.count(name) for name in ("1PzG", "3PzG", "2PzG", "4PzG")] == [2, 2, 1, 1]
    assert set(axis) == {"4PzG", "16A", "18A", "Manstein", "2PzG", "3PzG", "4A", "9A", "Guderian", "1PzG", "6A", "17A"}
    assert sorted(names["soviet"]) == sorted(["8A", "11A", "3A", "4A", "10A", "5A", "6A", "26A"])
    assert game.world.cup.common(game.position) == ("supply",)


@pytest.mark.parametrize(("scenario", "level"), [("campaign", 1), ("smolensk", 1), ("leningrad", 0), ("kiev", 0)])
def test_4_0_16_brest_is_a_fortress_of_one_level(scenario: str, level: int) -> None:
    game = fresh(scenario)
    forts = {unit: label for unit, label in game.state.locations.items() if game.world.units[unit].arm == "fortress"}
    on_map = {unit: label for unit, label in forts.items() if label in game.world.board}
    assert on_map == ({"fort-s1": "S0927"} if level else {})
    assert all(game.state.steps_left[unit] == level for unit in on_map)


def test_4_0_16_the_fortress_takes_no_place_of_a_unit() -> None:
    game = fresh("smolensk")
    for unit in formation(game, "soviet", "4A")[1:3]:
        game.apply(Place(unit, "S0927"))
    assert len([label for label in game.state.locations.values() if label == "S0927"]) == 3


@pytest.mark.parametrize(
    ("scenario", "hexes"),
    [
        ("leningrad", "L3602 L3603 L3702"),
        ("smolensk", "S3510 S4112 S3726 S5003 S5009 S5120"),
        ("kiev", "K3507 K3607 K3608"),
        ("campaign", "L3602 L3603 L3702 S3510 S4112 S3726 S5003 S5009 S5120 K3507 K3607 K3608"),
    ],
)
def test_4_0_17_stand_fast_markers_at_the_start(scenario: str, hexes: str) -> None:
    assert set(fresh(scenario).state.stand_fast) == set(hexes.split())


@pytest.mark.parametrize("scenario", PRINTED)
def test_4_0_18_control_and_the_turn_marker(scenario: str) -> None:
    game = fresh(scenario)
    assert game.state.turn == 1
    assert game.world.major_cities
    assert {game.state.control[label] for label in game.world.major_cities} == {"soviet"}


# -- no dead ends ------------------------------------------------------------------------------------------------------


def somebody(game: Game, chance: random.Random) -> str:
    """One of those who are to be placed now."""
    waiting: list[str] = [unit for unit in game.state.layout.stacks[WAITING] if game.world.units[unit].side == game.to_move[0]]
    return chance.choice(waiting)


def crowd(game: Game, chance: random.Random) -> Place:
    """A wilful player: some unit into the fullest hex that is offered to it."""
    unit = somebody(game, chance)
    return Place(unit, max(offers_of(game, unit), key=list(game.state.locations.values()).count))


def spread(game: Game, chance: random.Random) -> Place:
    """Another: some unit anywhere."""
    unit = somebody(game, chance)
    return Place(unit, chance.choice(offers_of(game, unit)))


def offers_of(game: Game, unit: str) -> list[str]:
    """As `offers`, without listing what is offered to all others."""
    return [action.to for action in game.state.stack[-1].choices(game.position, unit)]


@pytest.mark.parametrize("scenario", ["leningrad", "kiev"])
@given(seed=st.integers(0, 2**32), first=st.integers(0, 90), second=st.integers(0, 90), wilful=st.booleans())
@pytest.mark.clause("4.0.1", "4.0.3", "4.0.6", "4.0.8")
def test_4_0_7_whatever_is_placed_first_the_rest_finds_its_place(
    scenario: str, seed: int, first: int, second: int, wilful: bool
) -> None:
    """Some units one by one, whichever and wherever they may, then all others at one stroke; every unit always has a hex."""
    game, chance = fresh(scenario), random.Random(seed)
    for side, number in (("soviet", first), ("axis", second)):
        for _ in range(number):
            if is_setting_up(game, side):
                game.apply((crowd if wilful else spread)(game, chance))
        if is_setting_up(game, side):
            game.apply(PlaceRest())
        assert faults(game, (side,)) == []
    assert faults(game) == []


@given(seed=st.integers(0, 2**32), number=st.integers(0, 17))
@pytest.mark.clause("4.0.7")
def test_4_0_5_whatever_is_placed_first_2pzg_has_its_companion(seed: int, number: int) -> None:
    game, chance = after_the_soviets("smolensk"), random.Random(seed)
    units = formation(game, "axis", "2PzG")
    for unit in chance.sample(units, number):
        game.apply(Place(unit, chance.choice(offers_of(game, unit))))
    game.apply(PlaceRest())
    assert faults(game) == []


def test_4_0_1_the_whole_set_up_can_be_made_by_hand() -> None:
    game, chance = fresh("leningrad"), random.Random(4)
    while isinstance(game.state.stack[-1], SettingUp):
        game.apply(spread(game, chance))
    assert faults(game) == []
    assert game.state.phase == "surprise"
