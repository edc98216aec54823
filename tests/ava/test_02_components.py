"""1.0 and 2.0: the game, its maps, counters and chits, as far as they are rules that play can break."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import pytest

import hexwar
from hexwar.engine import Game
from hexwar.mechanics import Battle, Move
from hexwar.mechanics._combat import Aftermath
from hexwar.pieces import Done, Interrupt
from hexwar_ava.fortresses import Build, Building
from tests.ava.battles import AT, OUTCOMES, after, attack, battle, hexes, meadow, odds, ratio, ways
from tests.ava.helpers import board, content
from tests.ava.table import cost, field, moving, position, refused, seen, told
from tests.handmade import Script

UNITS = content().units
SMALL = field(size=(14, 12))


def command(cup: str, *chance: int, scenario: str, units: dict[str, str], **more: Any) -> Game:
    """A cup from which a chit is drawn now; chance says the number of the chit in the order of the alphabet."""
    return position(units, path=(2, 1), board=SMALL, scenario=scenario, cup=sorted(cup.split()), chance=chance, **more)


# -- 1.0, 2.0 the game -------------------------------------------------------------------------------------------------


def test_1_0_1_two_sides_three_scenarios_of_one_map_and_a_campaign_of_all() -> None:
    card = hexwar.rulesets()["ava"]
    assert card.sides == ("axis", "soviet")
    scenarios = content().scenarios
    assert set(scenarios["campaign"].sheets) == {"L", "S", "K"}
    assert [len(scenarios[name].sheets) for name in ("leningrad", "smolensk", "smolensk-short", "kiev")] == [1, 1, 1, 1]
    assert {sheet for name in ("leningrad", "smolensk", "kiev") for sheet in scenarios[name].sheets} == {"L", "S", "K"}


CUP = ("ger-6a", "su-26a", "su-5a")


def test_2_0_1_every_order_in_which_chits_can_be_drawn_is_equally_likely() -> None:
    """Three headquarters that are not on the map: their chits are drawn one after the other, and nobody is asked."""
    orders = []
    for lots in product((1, 2, 3), (1, 2), (1,)):
        game = command(" ".join(CUP), *lots, scenario="kiev", units=dict.fromkeys(("ger-6a", "su-26a", "su-5a"), "turn 1"))
        drawn = [event.to_json()["chit"] for event in game.events if event.kind == "chit-drawn"]
        orders.append(tuple(drawn))
    assert sorted(map(str, orders)) == sorted(map(str, permutations(CUP)))


@pytest.mark.parametrize("side", ["axis", "soviet"])
def test_2_0_1_nobody_looks_into_the_cup(side: str) -> None:
    """16A is drawn; what is left in the cup is another chit in each game, and nothing shows which."""
    units = {"ger-4pzg": "0505", "su-8a": "1010"}
    games = [command(f"ger-16a {rest}", 1, scenario="leningrad", units=units) for rest in ("ger-18a", "su-8a", "supply")]
    assert [game.state.cup for game in games] == [("ger-18a",), ("su-8a",), ("supply",)]
    views = [seen(game, side) for game in games]
    assert views[0] == views[1] == views[2]


def test_2_0_1_one_die_of_six_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    agreed = Script.randrange

    def randrange(self: Script, stop: int, /) -> int:
        asked.append(stop)
        return agreed(self, stop)

    monkeypatch.setattr(Script, "randrange", randrange)
    game = battle({"ger-1pz": "0605", "su-179": AT}, "ger-1pz", chance=[4])
    attack(game, AT, "ger-1pz")
    assert asked == [6]
    assert sorted(content().table.rows) == [1, 2, 3, 4, 5, 6]


# -- 2.1 the maps ------------------------------------------------------------------------------------------------------


def test_2_1_1_smolensk_lies_on_leningrad_and_kiev_joins_it() -> None:
    campaign = board("ava/campaign")
    sheets = {"L": board("ava/leningrad"), "S": board("ava/smolensk"), "K": board("ava/kiev")}
    for letter in "SK":
        assert {label for label in campaign.labels if label[0] == letter} == set(sheets[letter].labels), "nothing covers them"
    covered = {alias for label in campaign.labels for alias in campaign.aliases(label) if alias[0] == "L" and label[0] == "S"}
    uncovered = {label for label in campaign.labels if label[0] == "L"}
    assert covered
    assert covered | uncovered == set(sheets["L"].labels)
    for label in campaign.labels:
        assert campaign.terrain(label) == sheets[label[0]].terrain(label)
    assert campaign.label(campaign.index("L0121")) == "S0101"


def test_2_1_2_where_a_unit_is_and_goes_is_a_hex() -> None:
    game = position({"ger-21": "0505"}, moving("ger-21"), board=SMALL)
    refused(game, Move("ger-21", "between 0505 and 0605"), "9.1.2", "no hex")
    events = game.apply(Move("ger-21", "0605"))
    assert told(events, "unit-moved") == ["ger-21 moves from 0505 to 0605 (9.1.2)"]


@pytest.mark.parametrize("unit", ["ger-21", "rum-6", "ger-tot"])
def test_2_1_3_every_axis_unit_uses_any_axis_source(unit: str) -> None:
    ground = field(size=(14, 12), rail=["0105 0205"], areas={"supply axis": ["0105"], "supply soviet": ["1405"]})
    game = position({unit: "0305"}, moving(unit), board=ground)
    assert game.query.supply(unit).supplied
    assert game.query.supply(unit).line[0] == "0105"


@pytest.mark.parametrize(
    ("links", "bridged"),
    [({"road": ["0505 0605"]}, True), ({"rail": ["0505 0605"]}, True), ({}, False), ({"road": ["0505 0506"]}, False)],
)
def test_2_1_4_a_road_or_railway_across_a_river_is_a_bridge(links: dict[str, Any], bridged: bool) -> None:
    ground = field(size=(14, 12), land=["0405", "0505", "0605", "0506"], sides={"major-river": ["0505|0605"]}, **links)
    game = position({"ger-21": "0505"}, moving("ger-21"), board=ground)
    assert cost(game, "ger-21", "0605") == (1 if bridged else 5)
    assert game.world.chart.is_bridged(game.world.board, "0505", "0605") == bridged
    farther = position({"ger-21": "0405"}, moving("ger-21"), board=ground)
    assert cost(farther, "ger-21", "0605") == (2 if bridged else None)


def trapped(scenario: str) -> Game:
    """A Soviet unit at the edge of the Smolensk map, with the enemy in every hex around it that is on the map."""
    units = {"su-27": "S2730", "ger-5": "S2729", "ger-35": "S2830", "ger-6": "S2630"}
    fought = Aftermath("axis", Battle.on("axis", "S2730", ("ger-5", "ger-35")), OUTCOMES["R"])
    return position(units, fought, board="", scenario=scenario)


@pytest.mark.clause("10.6.14", "18.2.10")
def test_2_1_5_beyond_the_border_of_a_scenario_there_is_nothing() -> None:
    alone = trapped("smolensk")
    assert told(alone.events, "unit-eliminated", "unit-moved") == ["su-27 is eliminated (soviet available) (10.6.14)"]
    together = trapped("campaign")
    assert told(together.events, "unit-eliminated", "step-lost") == []
    retreated = set(ways(together, "su-27")) or {together.state.locations["su-27"]}
    assert retreated == {"K2701"}


@pytest.mark.parametrize(("scenario", "unit", "here"), [("smolensk", "ger-5", "S2730"), ("kiev", "ger-44", "K2801")])
def test_18_2_10_the_seam_cannot_be_crossed(scenario: str, unit: str, here: str) -> None:
    seam = [("S2730", "K2701"), ("S2730", "K2801"), ("S2830", "K2801"), ("S2930", "K2801"), ("S2930", "K2901")]
    campaign = board("ava/campaign")
    assert all(campaign.adjacent(south, north) for north, south in seam)
    game = position({unit: here}, moving(unit), board="", scenario=scenario)
    beyond = {label for pair in seam if here in pair for label in pair} - {here}
    assert beyond
    for label in beyond:
        refused(game, Move(unit, label), "9.1.2", "no hex")
    assert {label[0] for label in game.query.reach(unit).costs} == {here[0]}


def test_18_2_10_in_the_campaign_it_is_no_border() -> None:
    game = position({"ger-5": "S2730"}, moving("ger-5"), board="", scenario="campaign")
    assert cost(game, "ger-5", "K2801") == 2, "dense forest"


@pytest.mark.clause("3.3.10", "10.6.12")
def test_2_1_7_a_line_for_a_retreat_does_not_cross_the_start_line() -> None:
    """0805 and 0806 are equally far from the source, unless the start line is in the way of one of them."""
    units = {"ger-21": "0605", "ger-217": "0606", "su-179": AT}
    free = after("R", units, "ger-21", "ger-217", board=meadow())
    assert ways(free, "su-179") == ["0805", "0806"]
    line = {"start-line": ["0805|0904", "0805|0905"]}
    barred = after("R", units, "ger-21", "ger-217", board=meadow(sides=line))
    assert barred.state.locations["su-179"] == "0806"


def test_2_1_9_odd_columns_lie_half_a_hex_farther_south() -> None:
    on = board("ava/campaign")
    for a, b, c in (("L3602", "L3603", "L3702"), ("K3507", "K3607", "K3608")):
        assert on.adjacent(a, b)
        assert on.adjacent(b, c)
        assert on.adjacent(a, c)
    assert set(on.neighbours("K3515")) == {"K3514", "K3516", "K3415", "K3416", "K3615", "K3616"}
    assert set(on.neighbours("K3615")) == {"K3614", "K3616", "K3514", "K3515", "K3714", "K3715"}
    assert set(board("ava/leningrad").neighbours("L1524")) >= {"L1624", "L1625"}
    assert not board("ava/leningrad").adjacent("L1524", "L1623")


def test_2_1_10_kiev_begins_where_smolensk_ends() -> None:
    on = board("ava/campaign")
    assert {"K2701", "K2801"} <= set(on.neighbours("S2730"))
    assert {"K2801", "K2901"} <= set(on.neighbours("S2930"))
    assert "K2801" in on.neighbours("S2830")
    assert {"S2730", "K2730"} <= set(on.labels), "two hexes of the same number"


# -- 2.2 the counters --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unit", "points", "pursues"),
    [
        *(("ger-1pz", 2, 2), ("su-2t", 2, 2), ("ger-36m", 2, 2), ("su-29m", 2, 2)),
        *(("ger-21", 1, 1), ("su-6c", 1, 1), ("ger-1mt", 1, 1), ("su-1nb-l", 1, 1), ("ger-207sec", 1, 1)),
    ],
)
@pytest.mark.clause("2.2.2")
def test_2_2_1_mechanized_units_and_infantry(unit: str, points: int, pursues: int) -> None:
    side = content().units[unit].side
    game = position({unit: "0505"}, moving(unit, seat=side), board=field({"0605": "f"}, size=(8, 8)))
    assert cost(game, unit, "0605") == points
    assert game.world.pursuit.hexes(UNITS[unit].arm) == pursues


@pytest.mark.parametrize("unit", ["su-6c", "su-179", "su-1nb-l", "su-8a"])
def test_2_2_2_soviet_infantry_of_every_kind_comes_back(unit: str) -> None:
    units = {unit: AT, "ger-21": "0605"}
    game = after("2RR", units, "ger-21", reduced=[unit] if UNITS[unit].steps > 1 else [])
    assert game.state.locations[unit] == "soviet available"


def test_2_2_3_set_up_colours_have_no_effect_in_play() -> None:
    """18A commands whoever is near, of whatever formation."""
    units = {"ger-18a": "0505", "ger-21": "0605", "ger-12": "0705", "ger-1pz": "0805", "ger-290": "0905"}
    assert {UNITS[unit].formation for unit in units} == {"18A", "16A", "4PzG"}
    game = position(units, moving("ger-21"), board=SMALL)
    assert set(game.query.command("ger-18a")) == set(units)
    costs = {unit: position({unit: "0505"}, moving(unit), board=SMALL).query.reach(unit).costs for unit in ("ger-21", "ger-12")}
    assert costs["ger-21"] == costs["ger-12"]


def test_2_2_4_the_formation_is_on_the_counters_that_set_up() -> None:
    armies = {unit.formation for unit in UNITS.values() if unit.is_headquarters}
    assert {unit.formation for unit in UNITS.values() if unit.start == "set-up"} <= armies
    assert UNITS["ger-21"].formation == "18A"


def test_2_2_5_who_has_no_formation_waits_in_the_box_of_its_side() -> None:
    without = [unit for unit in UNITS.values() if not unit.formation]
    assert without
    assert {(unit.side, unit.start) for unit in without} == {("axis", "axis available"), ("soviet", "soviet available")}
    game = hexwar.new_game("ava", "leningrad", seed=1, options={"auto-setup": True})
    assert game.state.locations["ger-93"] == "axis available"
    assert game.state.locations["su-70"] == "soviet available"


@pytest.mark.parametrize(("scenario", "letter"), [("leningrad", "L"), ("smolensk", "S"), ("kiev", "K")])
def test_2_2_6_a_scenario_uses_the_counters_with_its_letter(scenario: str, letter: str) -> None:
    assert set(content().units_of(scenario)) == {unit.id for unit in UNITS.values() if unit.sheet == letter}


def test_2_2_7_mechanized_units_attack_with_one_strength_and_defend_with_the_other() -> None:
    game = battle({"ger-1pz": "0605", "ger-21": "0606", "su-2t": AT}, "ger-1pz", "ger-21")
    assert (UNITS["ger-1pz"].faces[-1].attack, UNITS["su-2t"].faces[-1].defence) == (8, 2)
    assert UNITS["su-2t"].faces[-1].attack == 4
    found = odds(game, AT, "ger-1pz", "ger-21")
    assert (found.attack, found.defence) == (8 + 3, 2)
    back = battle({"ger-1pz": "0605", "su-2t": AT}, "su-2t", seat="soviet")
    found = odds(back, "0605", "su-2t")
    assert (found.attack, found.defence) == (4, 6)


def test_2_2_8_a_unit_has_two_steps_or_one() -> None:
    units = {"su-179": AT, "ger-21": "0605", "ger-207sec": "0606"}
    assert (UNITS["ger-21"].steps, UNITS["ger-207sec"].steps) == (2, 1)
    full = battle(units, "ger-21")
    assert ratio(full, AT, "ger-21") == "3:2 = 1.5:1"
    weak = battle(units, "ger-21", reduced=["ger-21"])
    assert ratio(weak, AT, "ger-21") == "2:2 = 1:1"
    one = after("A1", units, "ger-207sec")
    assert told(one.events, "step-lost", "unit-eliminated") == ["ger-207sec is eliminated (axis eliminated) (10.5.2)"]
    two = after("A1", units, "ger-21")
    assert told(two.events, "step-lost", "unit-eliminated") == ["ger-21 loses a step (10.5.2)"]


def test_2_2_9_the_ss_is_german() -> None:
    ss = [unit for unit in UNITS.values() if "ss" in unit.tags]
    assert {unit.id for unit in ss} >= {"ger-tot", "ger-dr", "ger-wik", "ger-lah"}
    assert {unit.nation for unit in ss} == {"german"}
    units = {"ger-4pzg": "0505", "rum-3a": "0506", "ger-tot": "0605", "rum-6": "0606"}
    game = position(units, moving("ger-tot"), board=SMALL)
    assert set(game.query.command("ger-4pzg")) == {"ger-4pzg", "ger-tot"}
    assert set(game.query.command("rum-3a")) == {"rum-3a", "rum-6"}


def test_2_2_11_a_headquarters_is_a_combat_unit() -> None:
    for unit in ("ger-18a", "ger-4pzg", "su-8a"):
        assert UNITS[unit].faces[-1].attack > 0
        assert UNITS[unit].faces[-1].move > 0
    game = position({"ger-18a": "0505", "ger-21": "0605"}, moving("ger-18a", "ger-21"), board=SMALL)
    assert {action.unit for action in game.legal_actions() if isinstance(action, Move)} == {"ger-18a", "ger-21"}


@pytest.mark.clause("9.2.2", "7.3.3")
def test_2_2_12_4pzg_can_be_activated_twice_in_a_turn() -> None:
    units = {"ger-4pzg": "0205", "ger-1pz": "0206", "su-8a": "1312"}
    game = command("ger-4pzg su-8a", 1, 1, scenario="leningrad", units=units, hand={"axis": ["manstein"]})
    assert game.state.drawn == ("ger-4pzg",)
    game.apply(Done())
    assert game.state.active == ("ger-4pzg", "ger-1pz")
    game.apply(Move("ger-1pz", "0306"))
    game.apply(Move("ger-4pzg", "0305"))
    assert game.state.drawn == ("ger-4pzg", "su-8a")
    game.apply(Interrupt("manstein"))
    assert game.state.active == ("ger-4pzg", "ger-1pz")
    assert max(game.query.reach("ger-1pz").costs.values()) == 8
    game.apply(Move("ger-1pz", "0806"))
    assert game.state.turn == 1
    assert hexes(game, "ger-1pz", "ger-4pzg") == {"ger-1pz": "0806", "ger-4pzg": "0305"}


@pytest.mark.parametrize("group", ["1pzg", "3pzg"])
@pytest.mark.clause("2.2.11")
def test_2_2_12_so_can_the_others_with_two_ordinary_chits(group: str) -> None:
    chits = [chit for chit in content().chits.values() if chit.activates == f"ger-{group}"]
    assert [chit.kind for chit in chits] == ["hq", "hq"]
    scenario = {"1pzg": "kiev", "3pzg": "smolensk"}[group]
    game = command(" ".join(chit.id for chit in chits), 1, 1, scenario=scenario, units={f"ger-{group}": "0505"})
    times = 0
    while game.state.turn == 1 and game.state.phase != "selection":
        times += game.state.phase == "movement"
        assert game.state.phase != "movement" or game.state.active == (f"ger-{group}",)
        game.apply(Done(), game.to_move[0])
    assert times == 2


@pytest.mark.parametrize(("unit", "open_to"), [("ger-1mt", True), ("rum-1mt", True), ("ger-97j", False), ("ger-101j", False)])
def test_2_2_14_mt_are_mountain_divisions_and_jaeger_are_not(unit: str, open_to: bool) -> None:
    game = position({unit: "0505"}, moving(unit), board=field({"0605": "m"}, size=(8, 8)))
    assert (cost(game, unit, "0605") is not None) == open_to


def test_2_2_15_what_each_kind_of_chit_is_for() -> None:
    for chit in content().chits.values():
        assert (chit.kind in ("hq", "interrupt")) == bool(chit.activates)
    by_kind = {chit.kind: chit.side for chit in content().chits.values() if chit.kind in ("supply",)}
    assert by_kind == {"supply": None}
    assert {chit.side for chit in content().chits.values() if chit.kind == "reinforcements"} == {"axis", "soviet"}


def test_2_2_16_only_the_soviets_have_fortresses() -> None:
    world = position({}, moving("su-179"), board=SMALL).world
    fortresses = [unit for unit in world.units.values() if unit.arm == "fortress"]
    assert {unit.side for unit in fortresses} == {"soviet"}
    assert sorted(unit.id for unit in fortresses) == ["fort-k1", "fort-k2", "fort-k3", "fort-l1", "fort-l2", "fort-l3", "fort-s1"]
    assert {marker.side for marker in content().markers.marker if marker.kind in ("fortress", "stand-fast")} == {"soviet"}


@pytest.mark.clause("14.3.2")
def test_2_2_17_a_marker_is_used_on_its_own_map_only() -> None:
    """Two cities of the Kiev map and one marker with its letter: those with an L lie idle."""
    ground = field(
        size=(14, 12),
        prefix="K",
        major={"Kiev": "K0505", "Odessa": "K0905"},
        areas={"supply soviet": ["K1405"], "supply axis": ["K0101"]},
    )
    spent = dict.fromkeys(("fort-k2", "fort-k3"), "soviet eliminated")
    idle = dict.fromkeys(("fort-k1", "fort-l1", "fort-l2", "fort-l3"), "fortress markers")
    game = position({**spent, **idle}, Building("soviet", 2), board=ground, turn=4)
    assert {Build("K0505"), Build("K0905")} <= set(game.legal_actions())
    game.apply(Build("K0505"))
    assert game.state.locations["fort-k1"] == "K0505"
    refused(game, Build("K0905"), "14.3.2", "no fortress marker of this map")
    assert {game.state.locations[marker] for marker in ("fort-l1", "fort-l2", "fort-l3")} == {"fortress markers"}


@pytest.mark.parametrize(
    ("chit", "other"), [("su-16a", "ger-16a"), ("ger-16a", "su-16a"), ("rum-3a", "su-3a"), ("su-4a", "ger-4a")]
)
def test_2_2_18_a_chit_activates_the_army_of_its_own_side(chit: str, other: str) -> None:
    where = {chit: "0303", other: "1010"}
    game = command(chit, 1, scenario="campaign", units=where, turn=3)
    if game.state.phase == "command":
        game.apply(Done())
    assert game.state.active == (chit,)
    assert UNITS[chit].side != UNITS[other].side
