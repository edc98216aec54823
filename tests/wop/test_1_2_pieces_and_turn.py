"""1, 2, 7, 12, 17, 19: pieces, the turn and its phases, stacking; what is declared and what is passed over."""

from __future__ import annotations

import pytest

import hexwar
from hexwar.engine import DiceRolled, Game, PhaseEntered
from hexwar.errors import RuleBroken
from hexwar.mechanics import face
from hexwar_wop.content import load_wop
from hexwar_wop.turn import PHASES, GoOn
from tests.wop.table import asked, played


@pytest.mark.clause("1.3.a", "1.8")
def test_1_1_two_sides_with_pieces_of_every_kind() -> None:
    game: Game = hexwar.new_game("wop", "wkra-supply", seed=1)
    assert game.world.sides == ("polish", "soviet")
    kinds = {counter.arm for counter in game.world.units.values()}
    assert kinds == {
        "hq", "infantry", "cavalry", "artillery", "armoured_car", "tank", "armoured_train", "river_unit", "air",
    }  # fmt: skip


def test_1_2_positions_and_distances_are_hexes() -> None:
    board = hexwar.load_board("wop/wkra")
    assert len(board) == 672
    assert board.distance("1523", "1623") == 1


def test_1_3_b_the_scale_of_a_unit_is_data() -> None:
    units = {entry.id: entry for entry in load_wop().scenario.polish.units}
    assert len(units["67/17"].s) == 3
    assert len(units["42/18"].s) == 2
    game = asked({"67/17": {"at": "1519", "steps": 2}})
    assert face(game.position, "67/17").defence == 4


def test_1_3_c_headquarters_of_three_levels() -> None:
    counters = asked({}).world.units
    assert {counter.level for counter in counters.values()} == {"", "army", "group", "formation"}
    assert counters["GrK"].subordinates == ("18DP", "8BJ")


def test_1_4_a_the_die_shows_0_to_9() -> None:
    faces = set()
    for seed in range(60):
        game = hexwar.new_game("wop", "wkra-supply", seed=seed)
        while game.to_move:
            game.apply(GoOn())
        faces |= {face for event in game.events if isinstance(event, DiceRolled) for face in event.dice}
    assert faces == set(range(10))


@pytest.mark.clause("1.7.b")
def test_1_7_a_formations_are_divisions_and_brigades_with_their_units() -> None:
    counters = asked({}).world.units
    assert [unit for unit, counter in counters.items() if counter.formation == "8BJ"] == [
        "2/8BJ", "108/8BJ", "115/8BJ", "203/8BJ",
    ]  # fmt: skip
    for counter in counters.values():
        assert not counter.formation or counters[counter.formation].level == "formation"


@pytest.mark.clause("1.9.b")
def test_1_9_a_units_without_a_formation_are_independent() -> None:
    counters = asked({}).world.units
    assert counters["FortArt"].formation == ""
    for counter in counters.values():
        if counter.arm in ("armoured_train", "armoured_car", "tank", "river_unit"):
            assert counter.formation == ""


def test_2_1_a_seven_numbered_turns() -> None:
    game = hexwar.new_game("wop", "wkra-supply", seed=2)
    turns = []
    while game.to_move:
        turns.append(game.state.turn)
        game.apply(GoOn())
    assert turns == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.clause("7.1")
def test_2_1_b_the_initiative_is_printed_on_the_track() -> None:
    game = hexwar.new_game("wop", "wkra-supply", seed=2)
    asked_in = []
    while game.to_move:
        asked_in.append(game.to_move[0])
        game.apply(GoOn())
    assert asked_in == ["soviet", *["polish"] * 6]


def test_2_2_the_phases_are_declared_in_their_order() -> None:
    assert [phase.title[0] for phase in PHASES] == list("1234567")
    game = hexwar.new_game("wop", "wkra-supply", seed=2)
    game.apply(GoOn())
    entered = [event.phase for event in game.events if isinstance(event, PhaseEntered)]
    assert entered == ["supply", "weather", "end", "supply", "weather"]


def test_2_4_nothing_but_the_weather_happens_in_its_phase() -> None:
    game = played({}, [0])
    assert game.state.weather == "clear"
    assert all(counter.arm != "air" for unit, counter in game.world.units.items() if unit in game.state.locations)


@pytest.mark.clause("19.1.3", "19.2")
def test_2_9_a_markers_of_command_go_and_the_turn_marker_moves() -> None:
    game = asked({"97/33": "0912"}, no_command=["97/33"])
    events = game.apply(GoOn())
    removed = next(event for event in events if event.clause == "19.1.3")
    assert str(removed) == "the NO COMMAND markers are taken off"
    state = game.first_state.copy()
    removed.apply(state)
    assert state.no_command == ()
    assert game.state.turn == 2


def test_12_1_a_a_hex_is_of_one_side() -> None:
    with pytest.raises(hexwar.HexwarError, match="enemy unit 97/33 stands in 0912"):
        asked({"97/33": "0912", "42/18": "0912"})


@pytest.mark.clause("12.1.b", "12.2.a", "12.3")
@pytest.mark.parametrize(
    ("units", "fits"),
    [
        (["42/18", "49/18", "144/18"], True),
        (["42/18", "49/18", "144/18", "145/18"], False),
        (["42/18", "49/18", "PPa", "PPb"], True),
        (["42/18", "49/18", "144/18", "AC1"], False),
        (["42/18", "49/18", "144/18", "18DP", "5A"], True),
    ],
)
def test_12_2_b_weights_in_a_stack(units: list[str], fits: bool) -> None:
    game = asked({})
    assert game.world.stacking.fits(game.position, units, "0811") is fits
    broken = [invariant.broken for invariant in game.ruleset.invariants if invariant.clause == "12.2.a"]
    at = asked(dict.fromkeys(units, "0811")).position
    assert [bool(look(at)) for look in broken] == [not fits]


def test_17_1_air_units_are_those_of_the_scenario() -> None:
    game = hexwar.new_game("wop", "wkra-supply", seed=1)
    assert [unit for unit, label in game.state.locations.items() if label == "airfields"] == ["12esk", "19esk", "RAO15"]


def test_19_3_the_demonstration_ends_without_a_verdict() -> None:
    game = hexwar.new_game("wop", "wkra-supply", seed=2)
    while game.to_move:
        game.apply(GoOn())
    assert game.result is not None
    assert (game.result.winner, game.result.clause) == (None, "19.3")
    assert "nobody is judged" in game.result.reason


def test_a_phase_that_is_absent_has_no_rules_to_enter() -> None:
    phase = next(phase for phase in PHASES if phase.id == "first")
    assert phase.when is not None
    assert not phase.when(asked({}).position)
    with pytest.raises(RuleBroken, match="not carried out"):
        phase.enter(asked({}))  # type: ignore[arg-type]  # it does not look at what it is given
