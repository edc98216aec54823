"""1, 2, 7, 12, 17, 19: pieces, the turn and its phases, stacking; victory."""

from __future__ import annotations

import pytest

import hexwar
from hexwar.engine import DiceRolled, Game, PhaseEntered
from hexwar.mechanics import Move
from hexwar.pieces import Done, face
from hexwar_wop.activation import ActivationBegan
from hexwar_wop.content import load_wop
from hexwar_wop.turn import PHASES
from tests.wop.table import asked, ended, pass_turn, passing, played


@pytest.mark.clause("1.3.a", "1.8")
def test_1_1_two_sides_with_pieces_of_every_kind() -> None:
    game: Game = hexwar.new_game("wop", "wkra", seed=1)
    assert game.world.sides == ("polish", "soviet")
    kinds = {counter.arm for counter in game.world.units.values()}
    assert kinds == {
        "hq", "infantry", "cavalry", "artillery", "armoured_car", "tank", "armoured_train", "river_unit", "air",
        "wagon", "truck", "echelon",
    }  # fmt: skip


def test_1_2_positions_and_distances_are_hexes() -> None:
    board = hexwar.load_board("wop/wkra")
    assert len(board) == 672
    assert board.distance("1523", "1623") == 1


def test_1_3_b_the_scale_of_a_unit_is_data() -> None:
    units = {entry.id: entry for entry in load_wop().scenarios["wkra"].polish.units}
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
    for seed in range(12):
        game = ended(seed)
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
    assert list(dict.fromkeys(game.state.turn for game in passing(2))) == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.clause("7.1")
def test_2_1_b_the_initiative_is_printed_on_the_track() -> None:
    first: dict[int, str] = {}
    for game in passing(2):
        if game.state.active:
            first.setdefault(game.state.turn, game.state.active)
    assert [first[turn] for turn in range(1, 8)] == ["soviet", *["polish"] * 6]


@pytest.mark.clause("2.7.b", "2.8")
def test_2_2_the_phases_in_their_order_and_activations_by_initiative() -> None:
    assert [phase.title[0] for phase in PHASES] == list("12345677")
    game = ended(2)
    entered = [event.phase for event in game.events if isinstance(event, PhaseEntered)]
    assert entered == 7 * ["supply", "weather", "replacements", "reinforcements", "first", "second", "end", "next"]
    active = [event.side for event in game.events if isinstance(event, ActivationBegan)]
    assert active == ["soviet", "polish", *["polish", "soviet"] * 6]


def test_2_4_nothing_but_the_weather_happens_in_its_phase() -> None:
    game = played({}, [0])
    assert game.state.weather == "clear"
    assert all(counter.arm != "air" for unit, counter in game.world.units.items() if unit in game.state.locations)


@pytest.mark.clause("19.1.3", "19.2")
def test_2_9_a_markers_of_command_go_and_the_turn_marker_moves() -> None:
    game = asked({"97/33": "0912", "IVA": "1303"}, no_command=["97/33"])
    events = pass_turn(game)
    removed = next(event for event in events if event.clause == "19.1.3")
    assert str(removed) == "the NO COMMAND markers are taken off"
    state = game.first_state.copy()
    removed.apply(state)
    assert state.no_command == ()
    assert game.state.turn == 2


@pytest.mark.clause("19.1.1", "2.9.b")
def test_2_9_b_armies_move_in_the_end_phase_the_polish_ones_first() -> None:
    movers: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for game in passing(2):
        if game.state.turn == 1:
            movers.setdefault(game.state.phase, []).append((game.to_move[0], game.question(game.to_move[0]).groups))
    armies = {"5A", "XVA", "IVA"}
    assert [(seat, set(groups)) for seat, groups in movers["end"]] == [("polish", {"5A"}), ("soviet", {"XVA", "IVA"})]
    assert not any(armies & set(groups) for phase in ("first", "second") for _, groups in movers[phase])


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
    game = hexwar.new_game("wop", "wkra", seed=1)
    assert [unit for unit, label in game.state.locations.items() if label == "airfields"] == ["12esk", "19esk", "RAO15"]


@pytest.mark.parametrize(("control", "lost", "radio", "points", "winner"), [
    ({}, {}, False, (0, 0), "soviet"),
    ({"1916": "polish"}, {}, False, (5, 0), "soviet"),
    ({"2711": "polish"}, {}, False, (6, 0), None),
    ({"1916": "polish", "1303": "polish"}, {}, True, (12, 0), "polish"),
    ({"1916": "polish", "0514": "soviet"}, {}, False, (5, 5), "soviet"),
    ({}, {"97/33": "0912", "XVA": "2106", "33DS": "1111"}, False, (8, 0), None),
    ({}, {"PPa": "1721"}, True, (2, 3), "soviet"),
])  # fmt: skip
def test_19_3_points_decide_after_the_last_turn(
    control: dict[str, str], lost: dict[str, str], radio: bool, points: tuple[int, int], winner: str | None
) -> None:
    owners = asked({}).world.owners()
    game = asked({"42/18": "0710"}, turn=7, control={**owners, **control}, lost=lost, radio=radio)
    game.apply(Done())
    assert game.result is not None
    assert game.result.clause == "19.3"
    assert (game.result.scores["polish"], game.result.scores["soviet"]) == points
    assert game.result.winner == winner


def test_19_3_points_are_told_in_the_same_order_whatever_was_lost_first() -> None:
    one = asked({"5A": "1523"}, lost={"97/33": "0912", "PPa": "1721"})
    two = asked({"5A": "1523"}, lost={"PPa": "1721", "97/33": "0912"})
    assert one.query.score() == two.query.score()


@pytest.mark.parametrize(("control", "winner"), [
    ({"1523": "soviet"}, "soviet"),
    ({"1916": "polish", "1303": "polish", "2711": "polish"}, "polish"),
    ({"1916": "polish", "1303": "polish"}, None),
])  # fmt: skip
def test_19_3_some_hexes_win_at_the_end_of_any_turn(control: dict[str, str], winner: str | None) -> None:
    owners = asked({}).world.owners()
    game = asked({"42/18": "0710", "5A": "1020"}, turn=3, control={**owners, **control})
    pass_turn(game)
    assert (game.result.winner if game.result else None) == winner


@pytest.mark.parametrize(("unit", "turn", "taken"), [("203/8BJ", 2, True), ("203/8BJ", 3, False), ("8BJ", 2, False)])
def test_19_3_a_unit_that_enters_ciechanow_in_time_takes_the_radio(unit: str, turn: int, taken: bool) -> None:
    game = asked({unit: "1203"}, turn=turn)
    game.apply(Move(unit, "1303"))
    assert game.state.radio is taken
    assert game.state.control["1303"] == "polish"
