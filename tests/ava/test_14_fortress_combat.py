"""14.2, 14.3.1: what a fortress does for its hex, and what it cannot do."""

from __future__ import annotations

import pytest

from hexwar.mechanics import Battle, Declare, Move, Pursue
from hexwar.mechanics._combat import Aftermath
from hexwar.pieces import Done, LoseStep, Outcome
from hexwar_ava.supply import SupplyCheck
from tests.ava.battles import AT, OUTCOMES, attack, battle, hexes, kinds, lost_in_all_ways, meadow, ratio, steps
from tests.ava.table import cost, field, moving, position, refused, retreating, told

PANZERS = {"ger-1pz": "0605", "ger-6pz": "0605", "ger-8pz": "0606", "ger-7pz": "0606"}
GARRISON = {"su-179": AT, "su-188": AT, "fort-l1": AT}

# -- 14.2 --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("level", "expected"), [(1, "8:1 = 8:1"), (2, "8:2 = 4:1")])
def test_14_2_1_each_level_defends_with_one(level: int, expected: str) -> None:
    game = battle({"ger-1pz": "0605", "fort-l1": AT}, "ger-1pz", reduced=["fort-l1"] if level == 1 else [])
    assert ratio(game, AT, "ger-1pz") == expected


def test_14_2_1_a_fortress_adds_to_the_units_in_the_hex() -> None:
    game = battle({**PANZERS, **GARRISON}, "ger-1pz")
    assert ratio(game, AT, "ger-1pz", "ger-6pz") == "16:6 = 2:1"


def test_14_2_2_enemy_zones_cost_nothing_to_enter_or_leave_a_fortress() -> None:
    # 0705 is in the zone of 0605; 0806 is in none, 0704 is.
    units = {"ger-21": "0605", "su-179": "0806", "su-188": "0704"}
    bare = position(units, moving("su-179", "su-188", seat="soviet"), board=meadow())
    assert (cost(bare, "su-179", AT), cost(bare, "su-188", AT)) == (3, None)
    fortified = position({**units, "fort-l1": AT}, moving("su-179", "su-188", seat="soviet"), board=meadow())
    assert cost(fortified, "su-179", AT) == 1
    assert cost(fortified, "su-188", AT) == 3  # it still leaves the zone in 0704
    inside = {"ger-21": "0605", "su-179": AT}
    assert cost(position(inside, moving("su-179", seat="soviet"), board=meadow()), "su-179", "0806") == 3
    sheltered = position({**inside, "fort-l1": AT}, moving("su-179", seat="soviet"), board=meadow())
    assert cost(sheltered, "su-179", "0806") == 1
    assert cost(sheltered, "su-179", "0704") == 3  # the next hex has no fortress


def test_14_2_2_a_retreat_into_a_fortress_costs_no_step() -> None:
    board = field(land=["0605", AT, "0704"], size=(14, 12), areas={"supply soviet": ["0704"]})
    units = {"ger-21": "0605", "su-179": AT}
    without = position(units, retreating(1, "su-179", origin=AT), board=board)
    assert (without.state.locations["su-179"], without.state.steps_left["su-179"]) == ("0704", 1)
    game = position({**units, "fort-l1": "0704"}, retreating(1, "su-179", origin=AT), board=board)
    assert (game.state.locations["su-179"], game.state.steps_left["su-179"]) == ("0704", 2)


def test_14_2_2_a_fortress_in_a_zone_is_better_than_a_way_that_costs_a_step() -> None:
    # 0704 (fortress) and 0706 are both in zones; nothing else is open.
    lakes = {"0805": "~", "0806": "~"}
    units = {"ger-21": "0605", "ger-217": "0606", "su-179": AT, "fort-l1": "0704"}
    game = position(units, retreating(1, "su-179", origin=AT), board=meadow(lakes, soviet="0707"))
    assert (game.state.locations["su-179"], game.state.steps_left["su-179"]) == ("0704", 2)


@pytest.mark.clause("14.2.7")
def test_14_2_2_a_line_passes_through_a_fortress() -> None:
    corridor = ["2010", "2110", "2210", "2310", "2111"]
    board = field(land=corridor, size=(26, 12), areas={"supply soviet": ["2310"]})
    units = {"ger-21": "2111", "su-179": "2010"}
    assert not position(units, board=board).query.supply("su-179").supplied
    assert position({**units, "fort-l1": "2110"}, board=board).query.supply("su-179").supplied


def test_14_2_3_fortresses_do_not_count_for_stacking() -> None:
    units = {"fort-l1": AT, "su-179": AT, "su-188": "0806", "su-11": "0905", "ger-21": "0105"}
    game = position(units, moving("su-188", "su-11", seat="soviet"), board=meadow())
    game.apply(Move("su-188", AT))
    refused(game, Move("su-11", AT), "3.1.1")
    assert sorted(game.state.layout.stacks[AT]) == ["fort-l1", "su-179", "su-188"]


def test_14_2_4_a_fortress_may_take_losses_from_combat() -> None:
    game = battle({**PANZERS, **GARRISON}, *PANZERS, chance=[2])
    attack(game, AT, "ger-1pz", "ger-6pz", "ger-8pz")  # 24 to 6, R
    assert game.to_move == ("soviet",)
    assert set(game.legal_actions()) == {LoseStep("su-179"), LoseStep("su-188"), LoseStep("fort-l1")}
    events = game.apply(LoseStep("fort-l1"))
    assert told(events, "step-lost") == ["fort-l1 loses a step (10.5.2)"]
    assert steps(game, *GARRISON) == (2, 2, 1)


@pytest.mark.clause("11.1.1")
def test_14_2_4_a_fortress_never_loses_a_level_for_want_of_supply() -> None:
    island = meadow(dict.fromkeys(("0704", "0805", "0806", "0706", "0606", "0605"), "~"))
    game = position(GARRISON, SupplyCheck(), board=island)
    assert told(game.events, "step-lost") == ["su-179 loses a step (11.1.1)", "su-188 loses a step (11.1.1)"]
    assert steps(game, *GARRISON) == (1, 1, 2)


@pytest.mark.parametrize(
    ("attackers", "level", "die", "result", "lost"),
    [(3, 2, 2, "R", 1), (3, 2, 4, "RR", 2), (3, 2, 6, "1RR", 3), (4, 1, 6, "2RR", 4)],
)
@pytest.mark.clause("14.2.6")
def test_14_2_5_a_retreat_becomes_losses(attackers: int, level: int, die: int, result: str, lost: int) -> None:
    who = list(PANZERS)[:attackers]
    game = battle({**PANZERS, **GARRISON}, *who, chance=[die], reduced=["fort-l1"] if level == 1 else [])
    events = attack(game, AT, *who)
    resolved = next(event for event in events if event.kind == "attack-resolved")
    assert f"results in {result}, here {lost} step" in str(resolved)
    assert resolved.cited() == ("10.4.1", "14.2.5")
    before = sum(steps(game, *GARRISON))
    after_all = {sum(left) for left in lost_in_all_ways(game, *GARRISON)}
    assert after_all == {before - lost}
    # 14.2.6: nobody has gone anywhere.
    while game.to_move == ("soviet",):
        game.apply(game.legal_actions()[0])
    assert "unit-moved" not in kinds(game.events)


def test_14_2_5_other_results_and_other_hexes_are_as_usual() -> None:
    game = battle({"ger-1pz": "0605", "su-179": AT, "fort-l1": "0806"}, "ger-1pz", chance=[4])
    events = attack(game, AT, "ger-1pz")
    resolved = next(event for event in events if event.kind == "attack-resolved")
    assert (str(resolved), resolved.cited()) == (f"the attack on {AT} results in RR", ("10.4.1",))
    a1 = battle({"ger-1pz": "0605", "su-179": AT, "fort-l1": AT}, "ger-1pz", chance=[1], reduced=["fort-l1"])
    nothing = next(event for event in attack(a1, AT, "ger-1pz") if event.kind == "attack-resolved")
    assert nothing.cited() == ("10.4.1",)  # A1 is no retreat


def test_14_2_6_units_stay_even_if_the_fortress_is_destroyed() -> None:
    units = {"ger-1pz": "0605", "ger-6pz": "0606", "su-179": AT, "fort-l1": AT}
    game = battle(units, "ger-1pz", "ger-6pz", chance=[4])
    attack(game, AT, "ger-1pz", "ger-6pz")  # 16 to 4, RR
    game.apply(LoseStep("fort-l1"))
    events = game.apply(LoseStep("fort-l1"))
    lost = next(event for event in events if event.kind == "unit-eliminated")
    assert (str(lost), lost.cited()) == ("fort-l1 is eliminated (soviet eliminated)", ("10.5.2", "14.3.2"))
    assert game.state.locations["su-179"] == AT
    assert game.state.steps_left["su-179"] == 2
    assert {"unit-moved", "retreated"}.isdisjoint(kinds(game.events))
    assert game.state.phase == "selection"  # and nobody pursues


@pytest.mark.clause("10.7.1")
def test_14_2_6_a_hex_that_the_losses_empty_may_be_entered_in_pursuit() -> None:
    game = battle({"ger-1pz": "0605", "fort-l1": AT}, "ger-1pz", chance=[4])
    attack(game, AT, "ger-1pz")  # 8 to 2, RR: both levels
    assert game.state.locations["fort-l1"] == "soviet eliminated"
    assert Pursue("ger-1pz", ("0605", AT)) in game.legal_actions()


def test_14_2_7_a_lone_fortress_blocks_entry_has_a_zone_and_can_be_attacked() -> None:
    units = {"ger-21": "0505", "fort-l1": AT}
    game = position(units, moving("ger-21"), board=meadow())
    assert set(game.query.zones("soviet")) == {"0704", "0805", "0806", "0706", "0606", "0605"}
    assert cost(game, "ger-21", "0605") == 3
    assert cost(game, "ger-21", AT) is None
    refused(game, Move("ger-21", AT), "3.1.2")
    fight = battle({"ger-21": "0605", "fort-l1": AT}, "ger-21")
    assert fight.legal_actions() == [Done(), Declare("ger-21", AT)]


# -- 14.3.1 ------------------------------------------------------------------------------------------------------------


def test_14_3_1_a_fortress_cannot_move_or_attack_and_no_headquarters_activates_it() -> None:
    units = {"su-27a": "0805", "fort-l1": AT, "ger-21": "0605"}
    game = position(units, board=meadow(), path=(2, 1, 1), drawn=["su-27a"], turn=2)
    assert game.state.active == ("su-27a",)
    assert {action.unit for action in game.legal_actions() if isinstance(action, Move)} == {"su-27a"}
    moved = position(units, moving("fort-l1", "su-27a", seat="soviet"), board=meadow())
    assert {action.unit for action in moved.legal_actions() if isinstance(action, Move)} == {"su-27a"}
    fight = battle({**units, "su-179": AT}, "fort-l1", "su-179", seat="soviet")
    assert fight.legal_actions() == [Done(), Declare("su-179", "0605")]
    refused(fight, Declare("fort-l1", "0605"), "10.3.1", "no attack strength")


def test_14_3_1_a_fortress_never_retreats_or_pursues() -> None:
    world = battle({"ger-21": "0605", "fort-l1": AT}, "ger-21").world
    assert world.pursuit.hexes("fortress") == 0
    game = battle({**PANZERS, **GARRISON}, *PANZERS, chance=[4])
    attack(game, AT, "ger-1pz", "ger-6pz", "ger-8pz")  # RR
    game.apply(LoseStep("su-179"))
    game.apply(LoseStep("su-188"))
    assert hexes(game, *GARRISON) == GARRISON


# -- examples ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("14.2.5", "14.2.6")
def test_e21_1rr_against_a_fortress() -> None:
    game = battle({**PANZERS, **GARRISON}, *PANZERS, chance=[6])
    events = attack(game, AT, "ger-1pz", "ger-6pz", "ger-8pz")
    assert told(events, "attack-resolved") == [f"the attack on {AT} results in 1RR, here 3 steps, no retreat (14.2.5) (10.4.1)"]
    assert game.prompt().startswith("Lose 3 steps")


@pytest.mark.clause("14.2.1", "14.2.5", "14.2.6", "14.2.7", "10.5.1", "10.7.1", "TEC.7")
def test_n03_rr_against_a_fortress_in_a_major_city() -> None:
    units = {"ger-1pz": "0605", "ger-6pz": "0606", "su-179": AT, "fort-l1": AT}
    board = meadow(major={"Pskov": AT})
    game = battle(units, "ger-1pz", "ger-6pz", board=board, reduced=["ger-6pz"])
    assert ratio(game, AT, "ger-1pz", "ger-6pz") == "12:4 = 1.5:1"
    fought = Battle.on("axis", AT, ("ger-1pz", "ger-6pz"))
    outcome, rule = game.world.combat.convert(game.position, fought, OUTCOMES["RR"])
    assert (outcome, rule) == (Outcome("RR", 0, 2, 0), "14.2.5")
    beaten = position(units, Aftermath("axis", fought, outcome), board=board, reduced=["ger-6pz"])
    assert beaten.to_move == ("soviet",)
    # Fortress and rifle division: the fortress gone, both one step less, or the division gone.
    assert set(lost_in_all_ways(beaten, "fort-l1", "su-179")) == {(0, 2), (1, 1), (2, 0)}
    for first in ("fort-l1", "su-179"):
        other = beaten.copy()
        for _ in range(2):
            other.apply(LoseStep(first))
        assert AT in other.state.layout.stacks
        assert other.state.phase == "selection"  # no pursuit
