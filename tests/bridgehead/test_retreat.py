"""10: retreat."""

from __future__ import annotations

from hexwar.mechanics import Attack, Join, Resolve, Retreat
from tests.bridgehead.helpers import attacking, field, position, refused, retreating, told

# Red's unit stands in 0504: 0404 and 0405 lie west of it, 0503 north, 0505 south, 0604 and 0605 east.


def test_10_1_a_retreat_leads_the_stated_number_of_hexes_away() -> None:
    game = position({"r1": "0504", "b1": "0204"}, retreating(2, "r1"))
    found = [option.path for option in game.query.retreats("r1", 2)]
    assert len(found) == 18
    for path in found:
        assert [game.world.board.distance("0504", label) for label in path] == [0, 1, 2]
    refused(game, Retreat("r1", ("0504", "0604", "0605")), "10.1", "0605 does not lead away from 0504")
    refused(game, Retreat("r1", ("0504", "0604")), "10.1", "r1 retreats from 0504 by 2 hexes")


def test_10_1_through_passable_hexes_without_enemies() -> None:
    units = {"r6": "0504", "b1": "0404", "b2": "0503", "b3": "0505"}
    board = field(terrain={"0605": "m", "0604": "~"})
    game = position(units, retreating(1, "r6"), board=board)
    assert told(game.events, "unit-moved", "step-lost") == ["r6 retreats from 0504 to 0405 (10.1)", "r6 loses a step (10.3)"]


def test_10_1_the_owner_is_asked_only_where_there_is_a_choice() -> None:
    asked = position({"r1": "0504", "b1": "0404", "rA": "0904"}, retreating(1, "r1"))
    assert asked.to_move == ("red",)
    assert [str(action) for action in asked.legal_actions()] == [
        "retreat r1 to 0604 by 0604",
        "retreat r1 to 0605 by 0605",
    ]
    assert asked.prompt() == "Retreat r1 from 0504 by 1. (10.1)"


def test_10_1_stacked_units_retreat_one_by_one_in_the_owners_order() -> None:
    game = position({"r1": "0504", "rA": "0504", "b1": "0404"}, retreating(1, "r1", "rA"))
    game.apply(Retreat("rA", ("0504", "0604")))
    assert {action.unit for action in game.legal_actions()} == {"r1"}  # type: ignore[attr-defined]
    game.apply(Retreat("r1", ("0504", "0605")))
    assert (game.state.locations["rA"], game.state.locations["r1"]) == ("0604", "0605")


def test_10_1_a_beaten_defender_retreats_out_of_the_hex() -> None:
    game = position({"b1": "0404", "r1": "0504", "rA": "0904"}, attacking("b1"), chance=[6])
    game.apply(Attack("0504"))
    game.apply(Join("b1"))
    game.apply(Resolve())  # 1:1, a six: R1
    assert game.to_move == ("red",)
    game.apply(Retreat("r1", ("0504", "0604")))
    assert game.state.locations["r1"] == "0604"


def test_10_2_a_retreat_that_would_end_in_a_full_stack_goes_on() -> None:
    full = {"r2": "0604", "r3": "0604", "r6": "0605", "rA": "0605"}
    game = position({"r1": "0504", "b1": "0404", "b2": "0404", **full}, retreating(1, "r1"))
    found = {(option.path[1:], option.losses, option.overflow) for option in game.query.retreats("r1", 1)}
    assert found == {
        (("0604", "0603"), 0, 1),
        (("0604", "0703"), 0, 1),
        (("0604", "0704"), 0, 1),
        (("0605", "0704"), 0, 1),
        (("0605", "0705"), 0, 1),
        (("0605", "0606"), 0, 1),
        (("0505",), 0, 0),
        (("0503",), 1, 0),
        (("0405",), 1, 0),
    }
    ends = [action.path[-1] for action in game.legal_actions()]  # type: ignore[attr-defined]
    assert ends == ["0703", "0704", "0704", "0705"], "of the ways without loss those that end nearest to supply"


def test_10_2_no_farther_than_two_hexes_more() -> None:
    # A lane one hex wide, full for three hexes: the retreat of one hex would have to go on for three.
    lake = {f"{column:02}{row:02}": "~" for column in range(5, 10) for row in range(1, 8)}
    for label in ("0504", "0604", "0704", "0804"):
        lake[label] = "."
    full = {"r2": "0604", "r3": "0604", "r6": "0704", "rA": "0704"}
    board = field(terrain=lake)
    stopped = position({"r1": "0504", "b1": "0404", "b2": "0405", **full, "rB": "0804"}, retreating(1, "r1"), board=board)
    assert told(stopped.events, "unit-moved") == ["r1 retreats from 0504 to 0804 by 0604, 0704 (10.1)"]
    lost = position(
        {"r1": "0504", "b1": "0404", "b2": "0405", **full}, retreating(1, "r1"), board=field(terrain={**lake, "0804": "~"})
    )
    assert told(lost.events, "unit-eliminated") == ["r1 is eliminated (10.5)"]


def test_10_2_a_longer_way_is_better_than_a_loss() -> None:
    # East are two full stacks, north and south enemy zones; the way over the full stacks costs nothing.
    full = {"r2": "0604", "r3": "0604", "r6": "0605", "rA": "0605"}
    units = {"r1": "0504", "b1": "0404", "b2": "0405", "b3": "0502", "b5": "0506", **full}
    game = position(units, retreating(1, "r1"))
    assert {option.losses for option in game.query.retreats("r1", 1)} == {0, 1}
    assert all(len(action.path) == 3 for action in game.legal_actions())  # type: ignore[attr-defined]


def test_10_3_each_hex_of_an_enemy_zone_on_the_way_costs_a_step() -> None:
    units = {"r1": "0504", "b1": "0404", "b2": "0603", "b3": "0606", "b5": "0502", "b6": "0506", "r2": "0904"}
    game = position(units, retreating(1, "r1"))
    # Every hex around lies in some zone, and no friend helps.
    assert {option.losses for option in game.query.retreats("r1", 1)} == {1}
    events = game.apply(game.legal_actions()[0])
    assert told(events, "step-lost") == ["r1 loses a step (10.3)"]
    assert game.state.steps_left["r1"] == 1


def test_10_3_unless_a_friendly_unit_stands_there() -> None:
    units = {"r1": "0504", "b1": "0404", "b2": "0603", "b3": "0606", "b5": "0502", "b6": "0506", "r2": "0605"}
    game = position(units, retreating(1, "r1"))
    assert told(game.events, "unit-moved", "step-lost") == ["r1 retreats from 0504 to 0605 (10.1)"]


def test_10_3_a_hex_next_to_the_attacker_lies_in_his_zone() -> None:
    game = position({"r1": "0504", "b1": "0404", "rA": "0904"}, retreating(1, "r1"))
    by_hex = {option.path[-1]: option.losses for option in game.query.retreats("r1", 1)}
    assert by_hex == {"0604": 0, "0605": 0, "0505": 0, "0503": 1, "0405": 1}


def test_10_3_a_unit_goes_no_farther_than_where_it_loses_its_last_step() -> None:
    # Both hexes of the only way lie in enemy zones; the town at its end stays Blue's.
    lake = {f"{column:02}{row:02}": "~" for column in range(5, 10) for row in range(1, 8)}
    for label in ("0504", "0604", "0704", "0603"):
        lake[label] = "."
    board = field(terrain=lake, towns={"Stara": "0704"})
    units = {"r2": "0504", "b1": "0404", "b2": "0405", "b5": "0603", "rA": "0101"}
    game = position(units, retreating(2, "r2"), reduced=["r2"], board=board)
    assert told(game.events, "unit-moved", "unit-eliminated", "control-taken") == [
        "r2 retreats from 0504 to 0604 (10.1)",
        "r2 is eliminated (10.3)",
    ]
    assert game.state.control == {"0704": "blue"}


def test_10_4_the_way_with_the_fewest_losses_must_be_taken() -> None:
    game = position({"r1": "0504", "b1": "0404", "rA": "0904"}, retreating(1, "r1"))
    assert Retreat("r1", ("0504", "0604")) in game.legal_actions()
    better = "the way out by 0604 is better: it costs 0 steps and not 1"
    refused(game, Retreat("r1", ("0504", "0405")), "10.4", better)


def test_10_4_then_the_one_that_ends_nearest_to_a_source() -> None:
    game = position({"r1": "0504", "b1": "0404", "rA": "0904"}, retreating(1, "r1"))
    ranks = {option.path[-1]: option.rank for option in game.query.retreats("r1", 1)}
    assert ranks == {"0604": (0, 3), "0605": (0, 3), "0505": (0, 4), "0503": (1, 4), "0405": (1, 5)}
    refused(game, Retreat("r1", ("0504", "0505")), "10.4", "the way out by 0604 is better: it ends nearer to supply")


def test_10_4_to_survive_comes_before_everything() -> None:
    units = {"r2": "0504", "b1": "0404", "b2": "0603", "b3": "0705", "rA": "0904"}
    before = position(units, attacking("b1"), reduced=["r2"])
    ranks = {option.path[-1]: option.rank for option in before.query.retreats("r2", 1)}
    assert ranks["0604"] == ranks["0605"] == (1, 3), "nearer to supply, but it would be lost"
    game = position(units, retreating(1, "r2"), reduced=["r2"])
    assert told(game.events, "unit-moved", "unit-eliminated") == ["r2 retreats from 0504 to 0505 (10.1)"]


def test_10_5_a_unit_that_cannot_retreat_is_eliminated() -> None:
    shore = dict.fromkeys(("0404", "0405", "0503", "0604", "0605"), "~")
    game = position({"r1": "0504", "b1": "0505", "rA": "0904"}, retreating(1, "r1"), board=field(terrain=shore))
    assert told(game.events, "unit-eliminated") == ["r1 is eliminated (10.5)"]


def test_10_5_of_a_stack_the_unit_that_finds_no_way_is_lost() -> None:
    # Armour cannot enter the marsh, infantry can; two friends stand everywhere else.
    shore = {**dict.fromkeys(("0404", "0405", "0503", "0604"), "~"), "0605": "m"}
    game = position(
        {"r1": "0504", "r6": "0504", "b1": "0505", "rA": "0904"}, retreating(1, "r1", "r6"), board=field(terrain=shore)
    )
    assert game.legal_actions() == [Retreat("r1", ("0504", "0605"))]
    refused(game, Retreat("r6", ("0504", "0605")), "10.5", "r6 has no way out")
    events = game.apply(game.legal_actions()[0])
    assert told(events, "unit-moved", "step-lost", "unit-eliminated") == [
        "r1 retreats from 0504 to 0605 (10.1)",
        "r1 loses a step (10.3)",
        "r6 is eliminated (10.5)",
    ]


def test_10_5_the_edge_of_the_map_is_no_way_out() -> None:
    units = {"r1": "0904", "b1": "0804", "b2": "0805", "b3": "0905", "b5": "0903", "r2": "0701"}
    game = position(units, retreating(1, "r1", origin="0904"))
    assert told(game.events, "unit-moved", "unit-eliminated") == ["r1 is eliminated (10.5)"]
