"""10.4 and 10.5: where beaten units go, and who follows them."""

from __future__ import annotations

from typing import Any

import pytest

from hexwar.engine import Game, Position
from hexwar.mechanics import Done, Pursue, Retreat, Retreating
from hexwar_tow.combat import Accompanied
from tests.tow.helpers import after, field, of_kind, offers, position, refused, told

AT = "0708"
INF, PZ = "ger-57", "ger-7pz"
FOE = {"sov-51": "0709"}


def driven(hexes: int, units: dict[str, str], board: str | None = None, *, who: tuple[str, ...] = (INF,), **more: Any) -> Game:
    """Axis units must retreat from 0708."""
    return position({**FOE, **units}, Retreating("axis", who, AT, hexes), board=board, **more)


def ways(game: Game, unit: str = INF) -> set[str]:
    return {
        " ".join(action.path[1:]) for action in game.legal_actions("axis") if isinstance(action, Retreat) and action.unit == unit
    }


def went(game: Game, unit: str = INF) -> list[str]:
    return [" ".join(event.path[1:]) for event in of_kind(game.events, "unit-moved") if event.unit == unit]


@pytest.mark.clause("10.4.7")
def test_10_4_1_r_is_one_hex_and_rr_two_without_movement_points() -> None:
    west = field(areas={"supply axis": ["0701"]}, sides={"minor-river": after(7)})
    assert went(driven(1, {INF: AT}, west)) == ["0707"]
    assert went(driven(2, {INF: AT}, west)) == ["0707 0706"]


def test_10_4_2_units_of_a_stack_may_part() -> None:
    game = driven(1, {INF: AT, PZ: AT}, field(areas={"supply axis": ["0501", "0901"]}), who=(INF, PZ))
    assert game.to_move == ("axis",)
    assert ways(game, INF) == {"0608", "0808", "0707"} & ways(game, INF)
    first, second = sorted(ways(game, INF))[0], sorted(ways(game, INF))[-1]
    game.apply(Retreat(INF, (AT, first)))
    if game.to_move == ("axis",) and ways(game, PZ):
        game.apply(Retreat(PZ, (AT, second)))
        assert game.state.at[INF] != game.state.at[PZ]


@pytest.mark.clause("10.4.4")
def test_10_4_3_ways_with_fewer_losses_come_first() -> None:
    # Every way west leads through a zone but the one by 0808.
    game = driven(1, {INF: AT, "sov-50": "0607"}, field(areas={"supply axis": ["0701"]}))
    assert went(game) == ["0808"]
    trapped = driven(1, {INF: AT, "sov-50": "0607", "sov-52": "0907"}, field(areas={"supply axis": ["0701"]}))
    while trapped.to_move == ("axis",) and isinstance(trapped.legal_actions()[0], Retreat):
        trapped.apply(trapped.legal_actions()[0])
    assert trapped.state.steps[INF] == 1
    assert told(trapped.events, "step-lost") == ["ger-57 loses a step (10.4.4)"]


def test_10_4_4_a_friend_in_the_hex_does_not_help() -> None:
    units = {INF: AT, "sov-50": "0607", "sov-52": "0907", "ger-68": "0707"}
    game = driven(1, units, field(areas={"supply axis": ["0701"]}), reduced=[INF])
    while game.to_move == ("axis",) and isinstance(game.legal_actions()[0], Retreat):
        game.apply(game.legal_actions()[0])
    assert game.state.at[INF] == "axis eliminated"


@pytest.mark.clause("10.4.6")
def test_10_4_5_nearer_to_the_source_counts_more_than_room() -> None:
    full = {INF: AT, "ger-68": "0707", "ger-75": "0707"}
    game = driven(1, full, field(areas={"supply axis": ["0701"]}))
    assert went(game) == ["0707 0706"]
    refused_way = driven(1, {**full, PZ: AT}, field(areas={"supply axis": ["0701"]}), who=(INF, PZ))
    refused(refused_way, Retreat(INF, (AT, "0808")), "10.4.5", "nearer to supply")


def test_10_4_6_a_retreat_goes_on_until_there_is_room() -> None:
    full = {INF: AT, "ger-68": "0707", "ger-75": "0707", "ger-88": "0706", "ger-112": "0706"}
    game = driven(1, full, field(areas={"supply axis": ["0701"]}))
    assert went(game) == ["0707 0706 0705"]


def test_10_4_8_an_unbridged_major_river_is_crossed_only_from_its_bank() -> None:
    source = {"supply axis": ["0701"]}
    bank = driven(2, {INF: AT}, field(sides={"major-river": after(7)}, areas=source))
    assert went(bank) == ["0707 0706"]
    far = driven(2, {INF: AT}, field(sides={"major-river": after(6)}, areas=source))
    assert "0706" not in (went(far) or [""])[0].split()
    bridged = driven(2, {INF: AT}, field(sides={"major-river": after(6)}, road=["0706 0707"], areas=source))
    assert went(bridged) == ["0707 0706"]


def test_10_4_9_no_major_river_from_zone_to_zone() -> None:
    board = field(sides={"major-river": after(7)}, road=["0707 0708"], areas={"supply axis": ["0701"]})
    game = driven(1, {INF: AT, "sov-50": "0607", PZ: AT}, board, who=(INF, PZ))
    refused(game, Retreat(INF, (AT, "0707")), "10.4.9", "may not go on")


@pytest.mark.clause("PA.TEC.7")
def test_10_4_10_whoever_cannot_retreat_is_eliminated() -> None:
    ring = {"0707": "~", "0808": "~", "0608": "~", "0609": "~", "0809": "~"}
    game = driven(1, {INF: AT}, field(ring))
    assert told(game.events, "unit-eliminated") == ["ger-57 is eliminated (axis eliminated) (10.4.10)"]
    enemies = {"sov-50": "0707", "sov-52": "0808", "sov-47": "0608", "sov-9": "0609", "sov-37": "0809"}
    surrounded = driven(1, {INF: AT, **enemies})
    assert surrounded.state.at[INF] == "axis eliminated"
    blocked = driven(1, {INF: "0101"}, field({"0201": "~"}, sides={"blocked": ["0101|0102", "0101|0202"]}))
    assert blocked.state.at[INF] == "axis eliminated"


def test_10_4_11_no_hex_is_entered_twice() -> None:
    game = driven(2, {INF: AT, PZ: AT}, who=(INF, PZ))
    refused(game, Retreat(INF, (AT, "0707", AT)), "10.4.1", "twice")


@pytest.mark.clause("2.3.3")
def test_5_0_5_a_headquarters_that_retreats_to_another_is_relocated() -> None:
    source = field(areas={"supply axis": ["0701"]})
    game = driven(1, {"ger-8a": AT, "ger-6a": "0707", "ger-4pza": "0608", "ger-1pza": "0808"}, source, who=("ger-8a",))
    assert told(game.events, "headquarters-lifted") == ["ger-8a is relocated (5.0.5)"]
    assert game.to_move == ("axis",)
    assert all(action.unit == "ger-8a" for action in offers(game))


# -- 10.5 pursuit ---------------------------------------------------------------------------------------------------------------


def pursuing(units: dict[str, str], board: str | None = None, *attackers: str, **more: Any) -> Game:
    """Soviet units have driven the Axis from 0708."""
    from hexwar.mechanics import Battle

    game = position(units, board=board)
    step = Accompanied.begin(Position(game.world, game.state), "soviet", Battle("soviet", AT, attackers), attackers)
    return position(units, step, board=board, **more)


def paths(game: Game, unit: str) -> set[str]:
    return {" ".join(a.path[1:]) for a in game.legal_actions("soviet") if isinstance(a, Pursue) and a.unit == unit}


@pytest.mark.clause("10.5.4")
def test_10_5_1_attackers_may_follow_into_the_empty_hex_and_need_not() -> None:
    game = pursuing({"sov-51": "0709", INF: "0706"}, None, "sov-51")
    assert paths(game, "sov-51") == {AT}
    game.apply(Done())
    assert game.state.at["sov-51"] == "0709"


@pytest.mark.clause("10.5.6")
def test_10_5_2_others_follow_one_hex_mechanised_units_one_or_two() -> None:
    game = pursuing({"sov-51": "0709", "sov-2tk": "0709", INF: "0706"}, None, "sov-51", "sov-2tk")
    assert paths(game, "sov-51") == {AT}
    assert paths(game, "sov-2tk") == {AT, *(f"{AT} {label}" for label in ("0709", "0808", "0809", "0609", "0608", "0707"))}


def test_10_5_3_a_headquarters_goes_along_with_its_stack() -> None:
    game = pursuing({"sov-51": "0709", "sov-2tk": "0709", "sov-steppe": "0709"}, None, "sov-51", "sov-2tk")
    assert paths(game, "sov-steppe") == set()
    refused(game, Pursue("sov-steppe", ("0709", AT)), "10.5.3", "have gone")
    game.apply(Pursue("sov-2tk", ("0709", AT, "0707")))
    assert paths(game, "sov-steppe") == {f"{AT} 0707"}
    game.apply(Pursue("sov-steppe", ("0709", AT, "0707")))
    assert game.state.at["sov-steppe"] == "0707"
    alone = pursuing({"sov-steppe": "0709"}, None, "sov-steppe")
    assert paths(alone, "sov-steppe") == {AT}


def test_10_5_5_the_attacked_hex_comes_first() -> None:
    game = pursuing({"sov-2tk": "0709"}, None, "sov-2tk")
    refused(game, Pursue("sov-2tk", ("0709", "0609")), "10.5.5", "first")


@pytest.mark.clause("10.5.7")
def test_10_5_7_no_pursuit_into_enemies_off_the_map_or_across_a_blocked_hexside() -> None:
    board = field(sides={"blocked": ["0707|0708"]})
    game = pursuing({"sov-2tk": "0709", INF: "0808"}, board, "sov-2tk")
    assert f"{AT} 0707" not in paths(game, "sov-2tk")
    refused(game, Pursue("sov-2tk", ("0709", AT, "0707")), "10.5.7", "could not move")
    refused(game, Pursue("sov-2tk", ("0709", AT, "0808")), "10.5.7", "enemy")


def test_10_5_8_whoever_crosses_an_unbridged_major_river_stops() -> None:
    game = pursuing({"sov-2tk": "0709"}, field(sides={"major-river": ["0708|0709"]}), "sov-2tk")
    assert paths(game, "sov-2tk") == {AT}
    refused(game, Pursue("sov-2tk", ("0709", AT, "0707")), "10.5.8", "ends in")
    bridged = pursuing({"sov-2tk": "0709"}, field(sides={"major-river": ["0708|0709"]}, rail=["0708 0709"]), "sov-2tk")
    assert len(paths(bridged, "sov-2tk")) == 7


def test_10_5_9_the_second_hex_is_not_beyond_an_unbridged_major_river() -> None:
    game = pursuing({"sov-2tk": "0709"}, field(sides={"major-river": ["0707|0708"]}), "sov-2tk")
    assert f"{AT} 0707" not in paths(game, "sov-2tk")
    refused(game, Pursue("sov-2tk", ("0709", AT, "0707")), "10.5.9", "may not lead")


def test_10_5_10_nobody_ends_over_the_limit() -> None:
    units = {"sov-51": "0709", "sov-50": AT, "sov-52": AT}
    game = pursuing(units, None, "sov-51", "sov-50")
    assert paths(game, "sov-51") == set()


def test_10_5_11_a_pursuit_takes_cities() -> None:
    game = pursuing({"sov-51": "0709"}, field(major={"Poltava": AT}), "sov-51")
    assert game.query.control(AT) == "axis"
    game.apply(Pursue("sov-51", ("0709", AT)))
    assert game.query.control(AT) == "soviet"
