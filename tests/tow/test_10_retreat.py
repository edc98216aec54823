"""10.4 Retreat: how far, which way, and when there is no way."""

from __future__ import annotations

import pytest

from hexwar.mechanics import Arrive, Retreat
from tests.tow.table import (
    AT,
    EAST,
    NORTH_WEST,
    SOUTH_EAST,
    SOUTH_WEST,
    WEST,
    after,
    field,
    neighbours,
    of_kind,
    refused,
    river,
    sides_of,
    steps,
    told,
    ways,
    where,
)

RING = {"sov-51": EAST, "sov-50": "0705", "sov-52": "0907", "sov-47": "0507"}
"""An attacker in the east, and three units two hexes away that cover 0706, 0807 and 0607."""
TIE = "1103"
"""A source of the Axis to which 0706 and 0807 are equally near, and nearer than 0707."""


def test_10_4_1_r_is_one_hex_and_rr_two_without_movement_points() -> None:
    for result, to in (("R", "0706"), ("RR", "0705")):
        game = after(result, {"rom-24": AT, "sov-51": EAST}, "sov-51", supply={"rom-24": "isolated"})
        assert where(game, "rom-24") == (to,)


def test_10_4_1_every_surviving_defender_retreats_headquarters_too() -> None:
    game = after("R", {"ger-112": AT, "ger-4pza": AT, "sov-51": EAST}, "sov-51")
    game.apply(Retreat("ger-112", (AT, WEST)))
    assert where(game, "ger-112", "ger-4pza") == (WEST, WEST)


def test_10_4_2_a_stack_may_split_and_its_owner_moves_it() -> None:
    game = after("R", {"ger-112": AT, "ger-68": AT, "sov-51": EAST}, "sov-51", board=field(areas={"supply axis": [TIE]}))
    assert game.to_move == ("axis",)
    assert ways(game, "ger-112") == ways(game, "ger-68") == [WEST, NORTH_WEST]
    game.apply(Retreat("ger-68", (AT, NORTH_WEST)))
    game.apply(Retreat("ger-112", (AT, WEST)))
    assert where(game, "ger-112", "ger-68") == (WEST, NORTH_WEST)


def test_10_4_2_or_retreat_together() -> None:
    game = after("R", {"ger-112": AT, "ger-68": AT, "sov-51": EAST}, "sov-51", board=field(areas={"supply axis": [TIE]}))
    game.apply(Retreat("ger-68", (AT, NORTH_WEST)))
    game.apply(Retreat("ger-112", (AT, NORTH_WEST)))
    assert where(game, "ger-112", "ger-68") == (NORTH_WEST, NORTH_WEST)


def test_10_4_3_enemy_zones_are_avoided_though_the_way_is_worse() -> None:
    game = after("R", {"ger-112": AT, "sov-51": EAST, "sov-50": "0705"}, "sov-51")
    assert ways(game, "ger-112") == [SOUTH_WEST, NORTH_WEST]
    refused(game, Retreat("ger-112", (AT, WEST)), "10.4.5", "costs 0 steps and not 1")


@pytest.mark.parametrize("friend", [{}, {"ger-68": WEST}])
def test_10_4_4_each_hex_of_an_enemy_zone_costs_a_step_friends_or_not(friend: dict[str, str]) -> None:
    game = after("R", {"ger-112": AT, **RING, **friend}, "sov-51")
    assert where(game, "ger-112") == (WEST,)
    assert told(game.events, "step-lost") == ["ger-112 loses a step (10.4.4)"]


def test_10_4_4_each_unit_of_a_stack_pays() -> None:
    game = after("R", {"ger-112": AT, "ger-68": AT, **RING}, "sov-51")
    game.apply(Retreat("ger-112", (AT, WEST)))
    assert steps(game, "ger-112", "ger-68") == (1, 1)


def test_10_4_4_two_such_hexes_cost_two_steps() -> None:
    """Every way of two hexes leads through two hexes in zones."""
    game = after("RR", {"ger-112": AT, **RING}, "sov-51")
    events = game.apply(game.legal_actions()[0])
    assert [event.kind for event in of_kind(events, "step-lost", "unit-eliminated")] == ["step-lost", "unit-eliminated"]
    assert where(game, "ger-112") == ("axis eliminated",)


def test_10_4_5_nearer_to_a_source_is_better() -> None:
    game = after("R", {"ger-112": AT, "ger-68": AT, "sov-51": EAST}, "sov-51")
    assert ways(game, "ger-112") == [WEST]
    refused(game, Retreat("ger-112", (AT, NORTH_WEST)), "10.4.5", "nearer to supply")


def test_10_4_5_then_a_hex_with_room() -> None:
    board = field(areas={"supply axis": [TIE]})
    game = after("R", {"ger-112": AT, "ger-68": WEST, "ger-75": WEST, "sov-51": EAST}, "sov-51", board=board)
    assert where(game, "ger-112") == (NORTH_WEST,)


@pytest.mark.clause("10.4.6")
def test_10_4_5_nearer_outweighs_room() -> None:
    """Only a full hex is nearer to the source: it is taken, and the retreat goes on."""
    game = after("R", {"ger-112": AT, "ger-68": WEST, "ger-75": WEST, "sov-51": EAST}, "sov-51")
    assert where(game, "ger-112") == ("0705",)


@pytest.mark.clause("5.0.3")
def test_10_4_6_the_retreat_goes_on_until_there_is_room() -> None:
    full = {"ger-68": WEST, "ger-75": WEST, "ger-88": "0705", "ger-57": "0705"}
    game = after("R", {"ger-112": AT, **full, "sov-51": EAST}, "sov-51")
    assert where(game, "ger-112") == ("0704",)


def test_10_4_6_a_hex_passed_need_not_have_room() -> None:
    game = after("RR", {"ger-112": AT, "ger-68": WEST, "ger-75": WEST, "sov-51": EAST}, "sov-51")
    assert where(game, "ger-112") == ("0705",)


def test_10_4_6_the_further_hex_obeys_the_same_rules() -> None:
    """Enemy zones are avoided on the way on, too."""
    units = {"ger-112": AT, "ger-68": WEST, "ger-75": WEST, "sov-51": EAST, "sov-50": "0704"}
    game = after("R", units, "sov-51")
    assert ways(game, "ger-112") == [f"{WEST} 0606", f"{WEST} 0806"]  # 0705 is nearest to the source, but in a zone


def test_10_4_7_minor_rivers_do_not_matter() -> None:
    game = after("RR", {"ger-112": AT, "sov-51": EAST}, "sov-51", board=field(sides={"minor-river": [*river(5), *river(6)]}))
    assert where(game, "ger-112") == ("0705",)


def test_10_4_1_marshes_do_not_stop_a_retreat() -> None:
    board = field({WEST: "s", "0705": "s"})
    assert where(after("RR", {"ger-112": AT, "sov-51": EAST}, "sov-51", board=board), "ger-112") == ("0705",)


def test_10_4_8_an_unbridged_major_river_is_not_crossed_from_afar() -> None:
    game = after("RR", {"ger-112": AT, "sov-51": EAST}, "sov-51", board=field(sides={"major-river": river(5)}))
    assert {way.split()[-1] for way in ways(game, "ger-112")} == {"0606", "0706", "0806"}


def test_10_4_8_from_a_hex_on_the_river_it_is() -> None:
    game = after("RR", {"ger-112": AT, "sov-51": EAST}, "sov-51", board=field(sides={"major-river": river(6)}))
    assert where(game, "ger-112") == ("0705",)


def test_10_4_8_the_river_at_the_start_may_be_another_and_the_crossing_the_second_step() -> None:
    board = field(sides={"major-river": [*river(5), f"{AT}|{EAST}"]})
    game = after("RR", {"ger-112": AT, "sov-51": EAST}, "sov-51", board=board)
    assert where(game, "ger-112") == ("0705",)


@pytest.mark.parametrize("link", ["road", "rail"])
def test_10_4_8_a_bridge_is_for_everybody(link: str) -> None:
    board = field(sides={"major-river": river(5)}, **{link: [f"{WEST} 0705"]})  # type: ignore[arg-type]
    game = after("RR", {"ger-112": AT, "sov-51": EAST}, "sov-51", board=board)
    assert where(game, "ger-112") == ("0705",)


@pytest.mark.parametrize("friend", [{}, {"ger-68": WEST}])
@pytest.mark.parametrize("bridge", [[], [f"{AT} {WEST}"]])
def test_10_4_9_no_major_river_from_zone_to_zone(friend: dict[str, str], bridge: list[str]) -> None:
    """0706 is nearest to the source; the other two hexes cost a step as well, and only they are open."""
    board = field(sides={"major-river": [f"{AT}|{WEST}"]}, road=bridge)
    game = after("R", {"ger-112": AT, **RING, **friend}, "sov-51", board=board)
    assert ways(game, "ger-112") == [SOUTH_WEST, NORTH_WEST]
    refused(game, Retreat("ger-112", (AT, WEST)), "10.4.9")


def test_10_4_9_from_a_zone_to_a_free_hex_it_may_be_crossed() -> None:
    board = field(sides={"major-river": [f"{AT}|{WEST}"]})
    assert where(after("R", {"ger-112": AT, "sov-51": EAST}, "sov-51", board=board), "ger-112") == (WEST,)


def test_10_4_10_enemies_on_all_sides() -> None:
    around = dict(zip(("sov-51", "sov-50", "sov-52", "sov-47", "sov-2tk", "sov-10tk"), neighbours(AT), strict=True))
    game = after("R", {"ger-112": AT, **around}, "sov-51")
    assert told(game.events, "unit-eliminated") == ["ger-112 is eliminated (axis eliminated) (10.4.10)"]


def test_10_4_10_the_edge_of_the_map_blocked_hexsides_and_water() -> None:
    """0101 has three neighbours on the map: an enemy, water, and one behind a blocked hexside."""
    board = field({"0201": "~"}, sides={"blocked": ["0101|0202"]})
    units = {"ger-112": "0101", "sov-51": "0102"}
    assert where(after("R", units, "sov-51", target="0101", board=board), "ger-112") == ("axis eliminated",)
    open_to = after("R", units, "sov-51", target="0101", board=field({"0201": "~"}))
    assert where(open_to, "ger-112") == ("0202",)


def test_10_4_10_all_sides_blocked() -> None:
    game = after("R", {"ger-112": AT, "sov-51": EAST}, "sov-51", board=field(sides={"blocked": sides_of(AT, EAST, SOUTH_EAST)}))
    assert where(game, "ger-112") == (SOUTH_EAST,)
    shut = after("R", {"ger-112": AT, "sov-51": EAST}, "sov-51", board=field(sides={"blocked": sides_of(AT, EAST)}))
    assert where(shut, "ger-112") == ("axis eliminated",)


@pytest.mark.clause("2.3.3")
def test_10_4_10_a_headquarters_without_a_way_is_relocated() -> None:
    game = after("R", {"ger-4pza": AT, "sov-51": EAST}, "sov-51", board=field(sides={"blocked": sides_of(AT, EAST)}))
    assert game.to_move == ("axis",)
    game.apply(Arrive("ger-4pza", "0701"))
    assert where(game, "ger-4pza") == ("0701",)


def test_10_4_1_the_second_hex_may_lie_beside_the_one_that_was_left() -> None:
    """The only way out leads to 0706 and from there only to 0807, next to 0707."""
    board = field(sides={"blocked": [*sides_of(AT, EAST, WEST), *sides_of(WEST, AT, NORTH_WEST)]})
    game = after("RR", {"ger-112": AT, "sov-51": EAST}, "sov-51", board=board)
    assert where(game, "ger-112") == (NORTH_WEST,)


def test_10_4_11_no_retreat_comes_back_into_a_hex() -> None:
    """0706 is the only way out and leads nowhere else, so RR cannot be done by going there and back."""
    board = field(sides={"blocked": [*sides_of(AT, EAST, WEST), *sides_of(WEST, AT)]})
    assert where(after("R", {"ger-112": AT, "sov-51": EAST}, "sov-51", board=board), "ger-112") == (WEST,)
    assert where(after("RR", {"ger-112": AT, "sov-51": EAST}, "sov-51", board=board), "ger-112") == ("axis eliminated",)
    stack = after("RR", {"ger-112": AT, "ger-68": AT, "sov-51": EAST}, "sov-51")
    refused(stack, Retreat("ger-112", (AT, WEST, AT)), "10.4.1", "twice")


@pytest.mark.clause("2.3.10")
def test_5_0_5_a_headquarters_that_retreats_onto_another_is_relocated() -> None:
    game = after("R", {"ger-4pza": AT, "ger-8a": WEST, "sov-51": EAST}, "sov-51")
    assert told(game.events, "headquarters-lifted") == ["ger-4pza is relocated (5.0.5)"]
    assert game.to_move == ("axis",)
    game.apply(Arrive("ger-4pza", "0701"))
    assert where(game, "ger-4pza", "ger-8a") == ("0701", WEST)
    assert game.state.relocations == {"axis": 1}


# -- the retreat of the example of a battle ----------------------------------------------------------------------------------


@pytest.mark.clause("10.4.5")
def test_10_4_3_the_retreat_of_that_battle_keeps_out_of_zones() -> None:
    """1630, where the division ends in the rulebook, is among the hexes that may be chosen; none of them lies in a zone."""
    units = {"ger-112": "1731", "sov-51": "1832", "sov-2tk": "1832", "sov-50": "1732", "sov-10tk": "1732"}
    game = after("1RR", units, "sov-51", "sov-2tk", "sov-50", "sov-10tk", target="1731", board="")
    found = [way.split() for way in ways(game, "ger-112")]
    assert ["1730", "1630"] in found
    assert {label for way in found for label in way}.isdisjoint(game.query.zones("soviet"))


@pytest.mark.clause("10.4.4")
def test_10_4_3_with_enemies_around_only_one_way_avoids_zones_and_need_not_lead_nearer_to_a_source() -> None:
    units = {"ger-112": "1731", "sov-51": "1832", "sov-2tk": "1832", "sov-50": "1732", "sov-10tk": "1732"}
    around = {"sov-52": "1728", "sov-47": "1829", "sov-23g": "1430"}  # their zones cover 1729 and 1530
    game = after("1RR", {**units, **around}, "sov-51", "sov-2tk", "sov-50", "sov-10tk", target="1731", board="")
    found = {way.split()[-1] for way in ways(game, "ger-112")} or set(where(game, "ger-112"))
    assert found == {"1630"}
