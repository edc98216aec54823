"""14.0, 14.1 and 14.3.2: where, when and how much the Soviets build."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

import hexwar
from hexwar.engine import Game
from hexwar.mechanics import Move
from hexwar.pieces import Done, Interrupt, Losing
from hexwar_ava.fortresses import Build, Building
from hexwar_ava.supply import SupplyCheck
from tests.ava.table import field, moving, of_kind, position, refused, told

MARKERS = ("fort-l1", "fort-l2", "fort-l3", "fort-k1", "fort-k2", "fort-k3")
CITIES = ("L3602", "L3603", "L3702", "K3507", "K3607", "K3608")


def towns(letter: str) -> str:
    """N14: A with a line, B with one as well, C on an island, and D, which is only a city. The railway is that of the Axis."""
    lakes = ("0304", "0405", "0406", "0306", "0206", "0205")
    return field(
        {f"{letter}{label}": "~" for label in lakes},
        size=(16, 10),
        prefix=letter,
        major={"A": f"{letter}1205", "B": f"{letter}0805", "C": f"{letter}0305"},
        cities={"D": f"{letter}1405"},
        areas={"supply soviet": [f"{letter}1605"], "supply axis": [f"{letter}0601"]},
        rail=[f"{letter}0601 {letter}0602"],
    )


N14 = towns("L")


def checked(units: Mapping[str, str], board: str = N14, turn: int = 4, scenario: str = "campaign", **more: Any) -> Game:
    """A game in a supply check, when the Soviets may build; the Axis has withdrawn nobody."""
    game = position(units, SupplyCheck(), board=board, turn=turn, scenario=scenario, **more)
    if game.to_move == ("axis",) and "off the map" in game.prompt():
        game.apply(Done())
    return game


def sites(game: Game) -> list[str]:
    """Where a level can be built now."""
    if not isinstance(game.state.stack[-1], Building):
        return []
    return [action.hex for action in game.legal_actions() if isinstance(action, Build)]


def built(game: Game) -> dict[str, int]:
    """Hex -> levels of its fortress."""
    board, state = game.world.board, game.state
    return {
        state.locations[m]: state.steps_left[m]
        for m in game.world.units
        if m.startswith("fort-") and state.locations.get(m, "") in board
    }


# -- N14 -----------------------------------------------------------------------------------------------------------------------

ENEMY = {"ger-21": "L0804"}
"""Next to B."""


@pytest.mark.parametrize("turn", [1, 2, 3])
@pytest.mark.clause("14.1.1")
def test_n14_nothing_before_turn_4(turn: int) -> None:
    assert not sites(checked(ENEMY, turn=turn))


@pytest.mark.clause("14.1.1", "14.1.2", "14.1.3", "14.1.4", "14.1.5", "11.3.1")
def test_n14_the_campaign() -> None:
    game = checked(ENEMY)
    assert sites(game) == ["L1205"]
    refused(game, Build("L0805"), "14.1.3", "next to")
    refused(game, Build("L0305"), "14.1.2", "no line of communication")
    refused(game, Build("L1405"), "14.1.2", "no major city")
    game.apply(Build("L1205"))
    assert sites(game) == ["L1205"]
    game.apply(Build("L1205"))
    assert built(game) == {"L1205": 2}
    assert not sites(game)


@pytest.mark.parametrize("scenario", ["leningrad", "kiev"])
@pytest.mark.clause("18.1.5", "18.3.4")
def test_n14_one_level_in_leningrad_and_kiev(scenario: str) -> None:
    letter = scenario[0].upper()
    enemy = {"leningrad": "ger-21", "kiev": "ger-44"}[scenario]
    game = checked({enemy: f"{letter}0804"}, towns(letter), scenario=scenario)
    assert sites(game) == [f"{letter}1205"]
    game.apply(Build(f"{letter}1205"))
    assert built(game) == {f"{letter}1205": 1}
    assert not sites(game)


@pytest.mark.parametrize("scenario", ["smolensk", "smolensk-short"])
@pytest.mark.clause("18.2.4")
def test_n14_none_in_smolensk(scenario: str) -> None:
    assert not sites(checked({"ger-7": "S0804"}, towns("S"), scenario=scenario))
    assert not sites(checked({}, "", scenario=scenario))


# -- 14.0, 14.3 how many -------------------------------------------------------------------------------------------------------


def with_forts(number: int, **more: Any) -> Game:
    """The campaign with so many fortresses of one level."""
    forts = dict(zip(MARKERS[:number], CITIES[:number], strict=True))
    return checked(forts, "", reduced=forts, **more)


def test_14_0_1_no_more_than_six_hexes() -> None:
    game = with_forts(6)
    refused(game, Build("S4112"), "14.0.1", "no more than 6")
    refused(game, Build("K3630"), "14.0.1", "no more than 6")
    assert sites(game) == list(CITIES), "what is there may be raised"
    game.apply(Build("L3602"))
    assert built(game)["L3602"] == 2


def test_14_0_1_the_sixth_hex_is_allowed() -> None:
    game = with_forts(5)
    assert "K3608" in sites(game)
    game.apply(Build("K3608"))
    assert len(built(game)) == 6


@pytest.mark.clause("4.0.16")
def test_14_0_1_the_fortress_of_brest_does_not_count() -> None:
    forts = dict(zip(MARKERS[:5], CITIES[:5], strict=True))
    game = checked({**forts, "fort-s1": "S0927"}, "", reduced=[*forts, "fort-s1"])
    game.apply(Build("K3608"))
    assert len(built(game)) == 7
    refused(game, Build("S4112"), "14.0.1")


def test_14_0_1_a_lost_fortress_makes_room() -> None:
    forts = {**dict(zip(MARKERS[:5], CITIES[:5], strict=True)), "fort-k3": "soviet eliminated"}
    game = checked(forts, "", reduced=list(MARKERS[:5]))
    refused(game, Build("S4112"), "14.3.2", "marker")  # five hexes are not too many, but no marker is left


@pytest.mark.clause("14.3.2")
def test_14_0_1_nobody_builds_on_the_smolensk_map() -> None:
    """Six hexes are the three of Leningrad and the three of Kiev; the one marker of Smolensk is in Brest, no major city."""
    game = checked({"fort-s1": "S0927"}, "", reduced=["fort-s1"])
    assert {label[0] for label in sites(game)} == {"L", "K"}
    mine = [label for label in game.world.major_cities if label[0] == "S"]
    assert len(mine) == 7
    for label in mine:
        refused(game, Build(label), "14.3.2", "no fortress marker of this map")
    refused(game, Build("S0927"), "14.1.2", "no major city")
    lost = checked({"fort-s1": "soviet eliminated"}, "")
    refused(lost, Build("S4112"), "14.3.2", "no fortress marker of this map")


# -- 14.1 when and where -------------------------------------------------------------------------------------------------------


def test_14_1_1_from_turn_4_on() -> None:
    for turn in range(1, 10):
        assert bool(sites(checked({}, turn=turn))) == (turn >= 4), turn


def test_14_1_1_only_when_the_supply_check_is_drawn() -> None:
    units = {"su-27a": "L1405", "su-179": "L1305"}
    game = position(units, moving("su-179", seat="soviet"), board=N14, turn=5)
    assert game.why_not(Build("L1205")) is not None
    game = position(units, board=N14, turn=5, path=(2, 1, 0), cup=["su-27a", "supply"], chance=[2, 1])
    game.apply(Done())  # nobody interrupts
    assert sites(game) == ["L1205", "L0805"]
    game.apply(Done())
    game.apply(Done())  # nobody interrupts the second chit either
    assert game.state.drawn == ("supply", "su-27a")
    assert game.why_not(Build("L1205")) is not None


def test_14_1_1_an_interrupted_check_builds_nothing() -> None:
    more: dict[str, Any] = {"path": (2, 1, 0), "cup": ["supply"], "chance": [1], "hand": {"axis": ["manstein"]}}
    game = position({"ger-4pzg": "L0602"}, board=N14, turn=5, **more)
    game.apply(Interrupt("manstein"))
    assert not sites(game)


def test_14_1_1_nobody_has_to_build() -> None:
    game = checked({})
    assert game.legal_actions()[0] == Done()
    game.apply(Done())
    assert not built(game)


def test_14_1_2_in_a_major_city_with_a_line() -> None:
    game = checked({"su-179": "L1405"})
    assert sites(game) == ["L1205", "L0805"], "no unit need be there"
    refused(game, Build("L0305"), "14.1.2", "no line of communication")
    refused(game, Build("L1405"), "14.1.2", "no major city")  # a city with a line, and a unit in it
    refused(game, Build("L1005"), "14.1.2", "no major city")


def test_14_1_2_that_the_soviets_control() -> None:
    game = checked({}, control={"L1205": "axis", "L0805": "soviet", "L0305": "soviet", "L1405": "soviet", "L1605": "soviet"})
    assert sites(game) == ["L0805"]
    refused(game, Build("L1205"), "14.1.2", "not controlled")


def test_14_1_3_no_enemy_may_be_near() -> None:
    assert sites(checked({"ger-21": "L0804"})) == ["L1205"]
    assert sites(checked({"ger-21": "L0803"})) == ["L1205", "L0805"], "two hexes away"


def test_14_1_3_a_friend_in_the_city_does_not_help() -> None:
    game = checked({"ger-21": "L0804", "su-179": "L0805"})
    refused(game, Build("L0805"), "14.1.3")


def test_14_1_3_when_the_enemy_has_gone_it_is_allowed() -> None:
    game = position({"ger-36m": "L0804"}, SupplyCheck(), moving("ger-36m"), SupplyCheck(), board=N14, turn=4)
    game.apply(Done())  # no withdrawal
    assert sites(game) == ["L1205"]
    game.apply(Done())
    game.apply(Move("ger-36m", "L0802"))
    game.apply(Done())
    assert sites(game) == ["L1205", "L0805"]


def test_14_1_4_two_levels_a_check() -> None:
    game = checked({})
    game.apply(Build("L1205"))
    game.apply(Build("L0805"))
    assert built(game) == {"L1205": 1, "L0805": 1}
    assert not sites(game)


def test_14_1_4_both_may_go_to_one_hex() -> None:
    game = checked({})
    game.apply(Build("L1205"))
    game.apply(Build("L1205"))
    assert built(game) == {"L1205": 2}
    assert not sites(game)


def test_14_1_5_a_marker_is_placed_and_then_turned() -> None:
    game = checked({})
    events = game.apply(Build("L1205"))
    assert told(events, "fortress-built") == ["the fortress in L1205 has 1 level (14.1.5)"]
    events = game.apply(Build("L1205"))
    assert told(events, "fortress-built") == ["the fortress in L1205 has 2 levels (14.1.5)"]
    assert sum(label == "L1205" for label in game.state.locations.values()) == 1, "one marker"


def test_14_1_5_two_levels_are_the_most() -> None:
    game = checked({"fort-l1": "L1205"})
    assert built(game) == {"L1205": 2}
    assert sites(game) == ["L0805"]
    refused(game, Build("L1205"), "14.1.5", "full level")


def lose_levels(number: int, check: bool = True) -> Game:
    """A fortress of two levels loses some in combat; then supply is checked."""
    steps = (SupplyCheck(),) if check else ()
    return position({"fort-l1": "L1205"}, *steps, Losing("soviet", ("fort-l1",), number), board=N14, turn=4)


def test_14_1_5_a_reduced_fortress_may_be_raised_again() -> None:
    game = lose_levels(1)
    assert built(game) == {"L1205": 1}
    game.apply(Build("L1205"))
    assert built(game) == {"L1205": 2}
    assert game.state.locations["fort-l1"] == "L1205"


def test_14_1_6_a_new_one_may_follow_one_that_was_lost() -> None:
    game = lose_levels(2)
    assert built(game) == {}
    game.apply(Build("L1205"))
    assert built(game) == {"L1205": 1}
    assert game.state.locations["fort-l1"] == "soviet eliminated"
    assert game.state.locations["fort-l2"] == "L1205"


# -- 14.3.2 markers ------------------------------------------------------------------------------------------------------------


def test_14_3_2_a_lost_marker_is_out_of_the_game() -> None:
    game = lose_levels(2)
    (event,) = of_kind(game.events, "unit-eliminated")
    assert event.to == "soviet eliminated"
    assert event.cited()[1] == "14.3.2"


@pytest.mark.parametrize(("lost", "able"), [(["fort-l1", "fort-l2"], True), (["fort-l1", "fort-l2", "fort-l3"], False)])
def test_14_3_2_markers_run_out(lost: Iterable[str], able: bool) -> None:
    game = checked(dict.fromkeys(lost, "soviet eliminated"))
    assert bool(sites(game)) == able
    if not able:
        assert not isinstance(game.state.stack[-1], Building)


def test_14_3_2_a_map_has_its_own_markers() -> None:
    game = checked(dict.fromkeys(("fort-l1", "fort-l2", "fort-l3"), "soviet eliminated"), "")
    assert set(sites(game)) == {"K3507", "K3607", "K3608", "K5418", "K0811", "K3630", "K5521"}
    refused(game, Build("L3602"), "14.3.2", "no fortress marker")
    game.apply(Build("K3507"))
    assert game.state.locations["fort-k1"] == "K3507"


def test_14_3_2_how_many_there_are() -> None:
    game = checked({}, "")
    sheets = sorted(game.world.units[unit].sheet for unit in game.world.units if unit.startswith("fort-"))
    assert sheets == ["K", "K", "K", "L", "L", "L", "S"]
    assert game.state.layout.stacks["fortress markers"] == MARKERS


# -- positions that somebody wrote --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unit", "box", "why"),
    [
        (
            "fort-l1",
            "axis available",
            "a fortress marker lies on the map or in the box 'fortress markers', not in 'axis available'",
        ),
        ("fort-l1", "turn 2", "a fortress marker lies on the map or in the box 'fortress markers', not in 'turn 2'"),
        ("su-90", "fortress markers", "only fortress markers lie in the box 'fortress markers'"),
        ("su-90", "set-up", "it cannot lie in the box 'set-up': nobody sets it up in the scenario 'training'"),
    ],
)
def test_14_0_1_a_box_that_is_none_of_the_unit_is_refused_when_it_is_loaded(unit: str, box: str, why: str) -> None:
    """The rules trust their state: in the middle of play this would be a crash."""
    head = 'ruleset = "ava"\nscenario = "training"\n[units]\n'
    with pytest.raises(hexwar.ContentError) as caught:
        hexwar.position(f'{head}{unit} = "{box}"\n')
    assert str(caught.value) == f"position: units: unit {unit}: {why}"


def test_4_0_1_who_is_set_up_may_wait_for_it() -> None:
    game = hexwar.position('ruleset = "ava"\nscenario = "leningrad"\n[units]\nsu-90 = "set-up"\nfort-l1 = "fortress markers"\n')
    assert game.state.locations["su-90"] == "set-up"
