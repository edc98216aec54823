"""11: pursuit."""

from __future__ import annotations

from hexwar.mechanics import Attack, Join, Pursue, Resolve, Retreat
from hexwar.pieces import Done, LoseStep
from tests.bridgehead.helpers import attacking, field, position, pursuing, refused, told


def ends(game: object, unit: str) -> list[str]:
    return [action.path[-1] for action in game.legal_actions() if action != Done() and action.unit == unit]  # type: ignore[attr-defined]


def test_11_1_attackers_may_enter_the_empty_hex_without_regard_to_zones_and_points() -> None:
    # r2's zone covers both hexes, and the river would cost points.
    units = {"b1": "0404", "b2": "0404", "r2": "0503"}
    game = position(units, pursuing("0504", "b1", "b2"), board=field(river=["0404/SE"]))
    assert ends(game, "b1") == ends(game, "b2") == ["0504"]
    events = game.apply(Pursue("b1", ("0404", "0504")))
    assert told(events, "unit-moved") == ["b1 pursues from 0404 to 0504 (11.1)"]
    refused(game, Pursue("b2", ("0404", "0403")), "11.1", "a pursuit leads from 0404 to 0504 first")
    game.apply(Pursue("b2", ("0404", "0504")))
    assert (game.state.locations["b1"], game.state.locations["b2"]) == ("0504", "0504")


def test_11_1_pursuit_is_voluntary() -> None:
    game = position({"b1": "0404", "r2": "0904"}, pursuing("0504", "b1"))
    assert game.legal_actions()[0] == Done()
    game.apply(Done())
    assert game.state.locations["b1"] == "0404"


def test_11_1_it_follows_a_retreat_and_an_elimination() -> None:
    game = position({"b5": "0404", "b6": "0404", "r1": "0504", "rA": "0504", "rB": "0904"}, attacking("b5", "b6"), chance=[6])
    for action in (Attack("0504"), Join("b5"), Join("b6"), Resolve()):
        game.apply(action)  # 12 to 5 in the column 2:1, a six: D1R1
    game.apply(LoseStep("rA"))
    game.apply(Retreat("r1", ("0504", "0604")))
    assert game.prompt() == "Pursue into 0504 with b5, b6? (11.1)"
    alone = position({"b5": "0404", "b6": "0404", "rA": "0504", "rB": "0904"}, attacking("b5", "b6"), chance=[1])
    for action in (Attack("0504"), Join("b5"), Join("b6"), Resolve()):  # D1
        alone.apply(action)
    assert "rA" not in alone.state.locations
    assert alone.prompt() == "Pursue into 0504 with b5, b6? (11.1)"


def test_11_1_nobody_pursues_while_a_defender_is_left() -> None:
    game = position({"b1": "0404", "r1": "0504", "rA": "0904"}, attacking("b1"), chance=[4])
    for action in (Attack("0504"), Join("b1"), Resolve()):  # an exchange; r1 stays
        game.apply(action)
    assert game.state.locations["r1"] == "0504"
    assert game.state.turn == 2


def test_11_1_only_those_who_attacked_and_live() -> None:
    game = position({"b1": "0404", "b2": "0404", "rA": "0504", "rB": "0904"}, attacking("b1", "b2"), chance=[1])
    for action in (Attack("0504"), Join("b1"), Resolve()):  # 4 to 1, a one: D1
        game.apply(action)
    assert game.prompt() == "Pursue into 0504 with b1? (11.1)"


def test_11_2_armour_may_go_one_hex_farther() -> None:
    game = position({"b5": "0404", "b1": "0404", "r1": "0603", "r2": "0904"}, pursuing("0504", "b5", "b1"))
    assert ends(game, "b5") == ["0504", "0405", "0503", "0505", "0604", "0605"], "zones do not matter"
    assert ends(game, "b1") == ["0504"]
    refused(game, Pursue("b1", ("0404", "0504", "0604")), "11.2", "b1 may not pursue so far as 0604")
    refused(game, Pursue("b5", ("0404", "0504", "0403")), "11.1", "b5 cannot go from 0504 to 0403")
    refused(game, Pursue("b5", ("0404",)), "11.1", "a pursuit leads from 0404 to 0504 first")


def test_11_2_unless_it_crossed_a_river_bridge_or_not() -> None:
    board = field(river=["0404/NE/SE"], road=["0404 0504"])
    game = position({"b5": "0404", "r1": "0904"}, pursuing("0504", "b5"), board=board)
    assert ends(game, "b5") == ["0504"]
    refused(game, Pursue("b5", ("0404", "0504", "0604")), "11.2", "the pursuit of b5 ends in 0504")


def test_11_2_unless_it_entered_a_town_or_other_than_clear_ground() -> None:
    for board in (field(terrain={"0504": "w"}), field(towns={"Brod": "0504"})):
        game = position({"b5": "0404", "r1": "0904"}, pursuing("0504", "b5"), board=board)
        assert ends(game, "b5") == ["0504"]
        refused(game, Pursue("b5", ("0404", "0504", "0604")), "11.2", "the pursuit of b5 ends in 0504")


def test_11_2_the_second_hex_must_be_open_and_have_room() -> None:
    board = field(terrain={"0604": "m", "0605": "w"}, river=["0504/S"])
    units = {"b5": "0404", "b1": "0405", "b2": "0405", "r1": "0503", "r2": "0904"}
    game = position(units, pursuing("0504", "b5"), board=board)
    assert ends(game, "b5") == ["0504", "0605"], "not marsh, a river, an enemy or a full hex"
