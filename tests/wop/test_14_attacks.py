"""14: attacks played through: the plan, leaders, losses, retreats and pursuits, the dice in the test's hand."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import hexwar
from hexwar.engine import Action, Game, Step
from hexwar.mechanics import AttackCancelled, Declare, Declaring, Fight, Move, Pursue, Retreat, RollModified
from hexwar.pieces import Done, LoseStep
from hexwar.testing import ScriptedDice, position
from hexwar_wop.combat import Ending
from hexwar_wop.losses import Lead, LosingLevels
from hexwar_wop.pursuit import Chasing
from hexwar_wop.retreat import FallingBack
from tests.wop.table import PAUSE, idle, load_side


def planning(units: dict[str, Any], seat: str, dice: list[int], **state: Any) -> Game:
    """A side plans its attacks."""
    mine = tuple(unit for unit in units if load_side(unit) == seat)
    return begun(units, [Ending(seat), Declaring(seat, mine)], dice, **state)


def begun(units: dict[str, Any], steps: list[Step], dice: list[int], **state: Any) -> Game:
    """A position with some steps on top."""
    return position("wop", units=units, step=[PAUSE, idle(units), *steps], dice=ScriptedDice.outcomes(dice), **state)


def attack(units: dict[str, Any], attackers: list[str], target: str, *dice: int, **state: Any) -> Game:
    """Some units attack a hex."""
    game = planning(units, load_side(attackers[0]), list(dice), **state)
    for unit in attackers:
        game.apply(Declare(unit, target))
    game.apply(Done())
    return game


def offered(game: Game, kind: type[Action]) -> list[Any]:
    """What somebody may do, of a kind."""
    return [action for action in game.legal_actions() if isinstance(action, kind)]


def kinds(game: Game) -> set[str]:
    """The kinds of what somebody may do."""
    return {action.kind for action in game.legal_actions()}


SOCHOCIN: dict[str, Any] = {"49/18": "0913", "97/33": "0912", "98/33": "1012"}


# -- the plan ---------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("14.7", "7.3", "8.2")
def test_14_1_nobody_must_attack() -> None:
    game = planning(SOCHOCIN, "soviet", [])
    assert set(game.legal_actions()) == {Done(), Declare("97/33", "0913"), Declare("98/33", "0913")}
    game.apply(Done())
    assert "declare" not in kinds(game)


@pytest.mark.clause("14.2", "12.4")
def test_14_4_a_unit_may_attack_several_hexes() -> None:
    units = {**SOCHOCIN, "42/18": "0811", "99/33": "0912"}
    game = planning(units, "soviet", [4, 4])
    game.apply(Declare("97/33", "0913"))
    game.apply(Declare("97/33", "0811"))
    game.apply(Declare("99/33", "0811"))
    assert "Declared: 0913: 6 to 5" in game.prompt()
    assert game.state.planned == (("97/33", "0913"), ("97/33", "0811"), ("99/33", "0811"))
    game.apply(Done())
    assert set(game.legal_actions()) == {Fight("0913"), Fight("0811")}


@pytest.mark.clause("14.3.b")
def test_14_3_a_a_hex_is_attacked_once() -> None:
    game = planning(SOCHOCIN, "soviet", [])
    game.apply(Declare("97/33", "0913"))
    with pytest.raises(hexwar.Refusal, match="attacks 0913 already"):
        game.apply(Declare("97/33", "0913"))


@pytest.mark.clause("14.14.c")
def test_14_14_a_guns_support_what_others_attack() -> None:
    units = {**SOCHOCIN, "ArtXV": "0911"}
    game = planning(units, "soviet", [0, 9, 9])
    with pytest.raises(hexwar.Refusal, match="only supports others"):
        game.apply(Declare("ArtXV", "0913"))
    game.apply(Declare("97/33", "0913"))
    game.apply(Declare("ArtXV", "0913"))
    game.apply(Done())
    modified = next(event for event in game.events if isinstance(event, RollModified))
    assert modified.modifiers[0] == (2, "9 against 5", "14.13.j")
    assert game.state.locations["ArtXV"] == "0911", "guns elsewhere do not retreat"
    assert game.state.steps_left["ArtXV"] == 2


def test_7_3_an_attack_that_has_become_impossible_is_dropped() -> None:
    """The attackers are thrown back from the first hex and no longer stand next to the second."""
    units = {**SOCHOCIN, "42/18": "0811"}
    game = planning(units, "soviet", [0, *[0] * 8])
    game.apply(Declare("97/33", "0913"))
    game.apply(Declare("97/33", "0811"))
    game.apply(Done())
    game.apply(Fight("0913"))
    while offered(game, Retreat):
        game.apply(offered(game, Retreat)[0])
    cancelled = next(event for event in game.events if isinstance(event, AttackCancelled))
    assert (cancelled.battle.target, cancelled.reason, cancelled.clause) == ("0811", "no attacker is left", "7.3")
    assert game.state.planned == ()


# -- leaders and losses -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("14.12.b", "14.13.e", "14.42.a")
def test_14_12_a_a_side_of_different_morale_names_a_leader() -> None:
    units = {"49/18": "0913", "1/Syb": "0913", "97/33": "0912", "10/4": "1012"}
    game = attack(units, ["97/33", "10/4"], "0913", 7)
    assert game.to_move == ("soviet",)
    assert set(game.legal_actions()) == {Lead("97/33"), Lead("10/4")}
    game.apply(Lead("10/4"))
    assert game.to_move == ("polish",)
    with pytest.raises(hexwar.Refusal, match="does not fight in the hexes"):
        game.apply(Lead("42/18"))
    game.apply(Lead("49/18"))
    modified = next(event for event in game.events if isinstance(event, RollModified))
    assert (-1, "morale 5 against 6", "14.13.e") in modified.modifiers
    assert modified.counts == 5, "the odds of 12 to 10 give one, the river takes two, morale one"
    assert game.state.steps_left["10/4"] == 1, "the leaders lose first"
    assert game.state.steps_left["49/18"] == 1


@pytest.mark.clause("14.42.c", "14.40", "14.39", "14.45")
def test_14_42_b_losses_are_even() -> None:
    units: dict[str, Any] = {"67/17": "1519", "68/17": {"at": "1519", "steps": 2}, "49/18": "1519", "97/33": "1619"}
    game = begun(units, [LosingLevels("polish", ("67/17", "68/17", "49/18"), 4)], [])
    assert game.state.steps_left["67/17"] == 2, "the only one with three levels"
    assert set(game.legal_actions()) == {LoseStep("67/17"), LoseStep("68/17"), LoseStep("49/18")}
    game.apply(LoseStep("49/18"))
    with pytest.raises(hexwar.Refusal, match="others have more levels left"):
        game.apply(LoseStep("49/18"))
    game.apply(LoseStep("68/17"))
    assert {unit: game.state.steps_left[unit] for unit in ("67/17", "68/17", "49/18")} == {"67/17": 1, "68/17": 1, "49/18": 1}


@pytest.mark.clause("14.41.b", "14.39")
def test_14_41_a_three_levels_one_after_the_other() -> None:
    units = {"67/17": "1519", "97/33": "1619"}
    game = begun(units, [LosingLevels("polish", ("67/17",), 2)], [])
    assert game.world.units["67/17"].faces[game.state.steps_left["67/17"] - 1].defence == 2


@pytest.mark.clause("14.42.a")
def test_14_12_b_a_leader_at_its_last_level_is_lost() -> None:
    units: dict[str, Any] = {"67/17": "1519", "49/18": {"at": "1519", "steps": 1}, "97/33": "1619"}
    game = begun(units, [LosingLevels("polish", ("67/17", "49/18"), 1, ("49/18",))], [0])
    assert "49/18" not in game.world.board
    assert game.state.locations.get("49/18") != "1519"
    assert game.state.steps_left["67/17"] == 3


@pytest.mark.clause("14.44.a", "14.44.b")
def test_14_43_headquarters_take_no_losses() -> None:
    units: dict[str, Any] = {**SOCHOCIN, "18DP": "0913", "49/18": {"at": "0913", "steps": 2}}
    game = attack(units, ["97/33", "98/33"], "0913", 6)
    game.apply(LoseStep("98/33"))
    assert game.state.steps_left["49/18"] == 1
    assert game.state.locations["18DP"] == "0913"
    alone = begun({"18DP": "0905", "97/33": "2101"}, [], [])
    assert Move("18DP", "0906") in alone.legal_actions(), "it moves without units"


# -- retreats ---------------------------------------------------------------------------------------------------------------


def ways(game: Game, unit: str, hexes: int, foes: list[str]) -> set[str]:
    """Where a unit may retreat to."""
    return {option.path[-1] for option in game.world.retreat.away_from(foes).best(game.position, unit, hexes)}


@pytest.mark.clause("14.21.a", "14.22.a", "14.19")
def test_14_22_1_in_the_printed_directions_and_away() -> None:
    game = begun({"49/18": "0907", "97/33": "0906"}, [], [])
    assert ways(game, "49/18", 1, ["0906"]) == {"0908", "0807", "0806"}, "south, southwest and northwest"
    two = ways(game, "49/18", 2, ["0906"])
    assert two == {"0909", "0808", "0708", "0707", "0706"}, "not next to the attacker"


@pytest.mark.clause("14.22.3", "14.22.4")
def test_14_22_2_worse_choices_in_their_order() -> None:
    units = {"49/18": "0907", "97/33": "0906"}
    beset = {"98/33": "0910", "99/33": "0608", "32/11": "0605"}
    assert ways(begun({**units, **beset}, [], []), "49/18", 2, ["0906"]) == {"0808", "0707"}, "the others are next to enemies"
    more = {**beset, "31/11": "0708"}
    assert ways(begun({**units, **more}, [], []), "49/18", 2, ["0906"]) == {"0909", "0808", "0707", "0706"}
    ring = {"10/4": "0908", "11/4": "0807", "12/4": "0806"}
    assert ways(begun({**units, **ring}, [], []), "49/18", 1, ["0906"]) == {"1006", "1007"}, "no printed direction is open"


def test_14_21_b_towards_the_army() -> None:
    game = begun({"49/18": "0907", "97/33": "0906", "5A": "1508"}, [], [])
    assert "1007" in ways(game, "49/18", 1, ["0906"])
    assert game.world.retreat.armies(game.position, "49/18") == ["1508"]
    independent = begun({"HvyArt": "0907", "97/33": "0906", "5A": "1508"}, [], [])
    assert independent.world.retreat.armies(independent.position, "HvyArt") == ["1508"]


@pytest.mark.clause("14.23", "14.26")
def test_14_20_only_open_ground_and_otherwise_lost() -> None:
    near = hexwar.load_board("wop/wkra").neighbours("0811")
    around = dict(zip(["97/33", "10/4", "11/4", "12/4", "31/11", "32/11"], near, strict=True))
    game = begun({"42/18": "0811", "5A": "1523", **around}, [FallingBack("polish", ("42/18",), "0811", 1, ("0912",))], [9, 9, 9])
    assert "0811" not in game.state.locations.values()


@pytest.mark.clause("14.24", "14.3.c", "14.17.1")
def test_14_17_a_losses_then_retreat_and_units_may_part() -> None:
    units = {"49/18": "0907", "42/18": "0907", "97/33": "0906", "98/33": "1006", "99/33": "1007"}
    game = begun(units, [FallingBack("polish", ("49/18", "42/18"), "0907", 1, ("0906",))], [0])
    game.apply(Retreat("49/18", ("0907", "0908")))
    game.apply(Retreat("42/18", ("0907", "0807")))
    assert game.state.beaten == ("49/18", "42/18")


@pytest.mark.clause("10.14.b", "14.25.a")
def test_10_14_a_zones_cost_tests_of_morale() -> None:
    units = {"49/18": "0907", "42/18": "0907", "97/33": "0906", "98/33": "1008"}
    fall = FallingBack("polish", ("49/18", "42/18"), "0907", 3, ("0906",))
    path = ("0907", "0908", "0909", "0910")
    for dice, left in (([7, 3], 3), ([6, 0], 4), ([9, 9], 2)):
        game = begun(units, [fall], dice)
        game.apply(Retreat("49/18", path))
        game.apply(Retreat("42/18", path))
        while offered(game, LoseStep):
            game.apply(offered(game, LoseStep)[0])
        assert sum(game.state.steps_left[unit] for unit in ("49/18", "42/18")) == left, "one test for both in each of two hexes"


@pytest.mark.clause("14.18")
def test_10_15_headquarters_go_along_and_may_be_lost_in_a_zone() -> None:
    units = {"49/18": "0907", "18DP": "0907", "97/33": "0906"}
    fall = FallingBack("polish", ("49/18", "18DP"), "0907", 1, ("0906",))
    game = begun(units, [fall], [7, 3, 3, 3])
    game.apply(Retreat("49/18", ("0907", "0806")))
    assert game.state.locations.get("18DP") != "0907"


@pytest.mark.clause("11.4")
def test_14_30_what_cannot_move_is_lost() -> None:
    game = begun(
        {"GarCie": "1303", "IVA": "1303", "203/8BJ": "1302"}, [FallingBack("soviet", ("GarCie", "IVA"), "1303", 1, ("1302",))], []
    )
    assert "GarCie" not in game.state.locations
    assert game.state.locations["IVA"] == "1303", "it is alone now"


# -- pursuit ----------------------------------------------------------------------------------------------------------------


def chase(units: dict[str, Any], target: str, hexes: int, **state: Any) -> Game:
    """The Soviets may pursue into a hex."""
    mine = tuple(unit for unit in units if load_side(unit) == "soviet" and "/" in unit)
    return begun(units, [Ending("soviet"), Chasing("soviet", mine, target, hexes)], [], **state)


def ends(game: Game, unit: str) -> set[str]:
    """Where a unit may pursue to."""
    return {action.path[-1] for action in offered(game, Pursue) if action.unit == unit}


@pytest.mark.clause("14.33.2", "14.33.3", "14.36")
@pytest.mark.parametrize(
    ("unit", "hexes", "points"),
    [("AC1", 3, 6), ("PPa", 3, 6), ("203/8BJ", 3, 5), ("203/8BJ", 2, 3), ("67/17", 3, 3), ("Tk1", 2, 2), ("HvyArt", 4, 0)],
)
def test_14_33_1_points_of_pursuit(unit: str, hexes: int, points: int) -> None:
    assert begun({"67/17": "1519"}, [], []).world.pursuit.points(unit, hexes) == points


@pytest.mark.clause("14.31", "14.32.1", "14.34", "14.35")
def test_14_32_2_first_into_the_hex_that_was_left() -> None:
    game = chase({"97/33": "0906", "49/18": "0911"}, "0907", 2)
    assert "0907" in ends(game, "97/33")
    assert ends(game, "97/33") <= {"0907", *game.world.board.neighbours("0907")}
    assert all(action.path[1] == "0907" for action in offered(game, Pursue))
    with pytest.raises(hexwar.Refusal, match="leads into 0907 first") as caught:
        game.apply(Pursue("97/33", ("0906", "0806")))
    assert caught.value.clause == "14.32.2"
    with pytest.raises(hexwar.Refusal, match="2 points of pursuit") as caught:
        game.apply(Pursue("97/33", ("0906", "0907", "0908", "0909")))
    assert caught.value.clause == "14.35"
    assert ends(chase({"97/33": "0912", "49/18": "0918"}, "0913", 1), "97/33") == {"0913"}, "across the river for one point"


@pytest.mark.clause("10.10", "14.32.3")
def test_14_37_each_where_it_likes_and_zones_count() -> None:
    game = chase({"97/33": "0906", "98/33": "0906", "49/18": "0911"}, "0907", 2)
    game.apply(Pursue("97/33", ("0906", "0907", "0908")))
    game.apply(Pursue("98/33", ("0906", "0907", "0807")))
    assert (game.state.locations["97/33"], game.state.locations["98/33"]) == ("0908", "0807")
    watched = chase({"97/33": "0906", "49/18": "1007"}, "0907", 3)
    assert ends(watched, "97/33") == {"0907"}, "from zone to zone it takes all points"


@pytest.mark.clause("14.38.b")
def test_14_38_a_headquarters_follow_when_all_is_over() -> None:
    units = {"97/33": "0906", "33DS": "0904", "49/18": "0913"}
    game = chase(units, "0907", 2, planned=[["97/33", "0907"]])
    game.apply(Pursue("97/33", ("0906", "0907")))
    assert game.state.pursuits == (("33DS", 2),)
    assert ends(game, "33DS") >= {"0905", "0906", "0804"}
    with pytest.raises(hexwar.Refusal, match="does not get there with 2 points"):
        game.apply(Pursue("33DS", ("0904", "0905", "0906", "0907")))
    game.apply(Pursue("33DS", ("0904", "0905", "0906")))
    assert game.state.locations["33DS"] == "0906"
    assert (game.state.pursuits, game.state.planned) == ((), ())


@pytest.mark.clause("14.17.a")
def test_14_32_a_those_who_forced_a_retreat_may_pursue() -> None:
    units = {"97/33": "0906", "98/33": "0906", "99/33": "1006", "42/18": "0907"}
    game = attack(units, ["97/33", "98/33", "99/33"], "0907", 7, 0, 0)
    assert "results in D 2R" in "; ".join(map(str, game.events))
    game.apply(offered(game, Retreat)[0])
    assert game.to_move == ("soviet",)
    assert {action.unit for action in offered(game, Pursue)} == {"97/33", "98/33", "99/33"}
    game.apply(Done())
    assert "pursue" not in kinds(game)


def test_14_33_3_without_a_retreat_there_is_no_pursuit() -> None:
    units: dict[str, Any] = {"97/33": "0906", "42/18": {"at": "0907", "steps": 1}, "49/18": "1519"}
    game = attack(units, ["97/33"], "0907", 2, 5)
    assert "42/18" not in game.world.board.unmask(game.state.layout.held["polish"])
    assert "pursue" not in kinds(game)


@pytest.mark.clause("14.28.a", "14.28.b")
def test_14_27_trains_retreat_along_the_railway() -> None:
    game = begun({"PPa": "1916", "46/16": "1915"}, [], [])
    base = {option.path for option in game.world.retreat.away_from(["1915"]).best(game.position, "PPa", 2)}
    assert all("rail" in game.world.board.links(*step) for path in base for step in itertools.pairwise(path))
    assert base
    [path] = base
    past = begun({"PPa": "1916", "46/16": path[1]}, [FallingBack("polish", ("PPa",), "1916", 2, ())], [5, 0, 0])
    assert past.state.locations["PPa"] == path[-1]
    lost = begun({"PPa": "1916", "5A": "1523", "46/16": path[1]}, [FallingBack("polish", ("PPa",), "1916", 2, ())], [6, 0, 0])
    assert lost.state.locations["PPa"] not in lost.world.board
