"""The marshal of Traces of War answers from its view alone, and does in small positions what a player would do."""

from __future__ import annotations

import random
from typing import Any

import pytest

import hexwar
from hexwar.bots import Bot, Disturbed, KeyedChance, RandomBot, load_bot, move_once, play_to_end, spread, steps_of, usual_bot
from hexwar.engine import Action, Game, RandomSource, View
from hexwar.errors import HexwarError
from hexwar.mechanics import Arrive, Assembling, Attack, Battle, CallOff, Join, Move, Pursue, Resolve
from hexwar.pieces import Done, LoseStep, Losing, Select
from hexwar_tow.activation import ChooseMode, ChoosingMode
from hexwar_tow.bot import Marshal
from hexwar_tow.bot_battles import Battles
from hexwar_tow.bot_ground import RIVER, Ground, Picture
from hexwar_tow.negotiation import LiftOrder, Negotiating
from hexwar_tow.okh import ChoosingUse, Use
from hexwar_tow.reinforcements import Dropping
from tests.engine import toy
from tests.tow.table import (
    AT,
    EAST,
    NORTH_EAST,
    SELECTION,
    SOUTH_EAST,
    WEST,
    after,
    attacking,
    battle,
    field,
    marching,
    odds,
    position,
    river,
)

CHANCE = KeyedChance(1)
HELD = field(cities={"Kharkiv": AT})


def new_game(scenario: str = "training", seed: int = 1) -> Game:
    return hexwar.new_game("tow", scenario, seed=seed)


def marshals() -> dict[str, Bot]:
    return {"axis": Marshal(), "soviet": Marshal()}


def chosen(game: Game, side: str = "") -> Action:
    return Marshal().choose(game.view(side or game.to_move[0]), CHANCE)


class Deaf:
    """Chance that nobody may draw from."""

    def randrange(self, stop: int, /) -> int:
        raise AssertionError("a marshal leaves nothing to chance")


class Watched:
    """Looks over a marshal's shoulder: what it proposes is offered, and a new one would propose the same."""

    def __init__(self) -> None:
        self.bot = Marshal()

    def choose(self, view: View, chance: RandomSource) -> Action:
        assert all(chit == "?" for chit in view.state.cup)
        assert not view.state.stack
        action = self.bot.choose(view, chance)
        assert view.question is not None
        assert view.question.offer.find(action) is not None
        assert Marshal().choose(view, chance) == action
        return action


# -- whole games ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2])
def test_it_remembers_nothing_and_leaves_nothing_to_chance(seed: int) -> None:
    played = new_game(seed=seed)
    play_to_end(played, {"axis": Watched(), "soviet": Watched()}, Deaf())
    sides = {event.battle.side for event in played.log() if event.kind == "attack-declared"}  # type: ignore[attr-defined]
    assert "soviet" in sides


@pytest.mark.parametrize("scenario", ["race", "campaign"])
def test_other_scenarios_begin_well(scenario: str) -> None:
    played = new_game(scenario, 2)
    bots: dict[str, Bot] = {"axis": Watched(), "soviet": Watched()}
    for _ in range(150):
        move_once(played, bots, Deaf())
    assert sum(event.kind == "attack-declared" for event in played.log()) >= 5


@pytest.mark.parametrize("side", ["axis", "soviet"])
def test_it_beats_chance(side: str) -> None:
    bots: dict[str, Bot] = {"axis": RandomBot(), "soviet": RandomBot(), side: Marshal()}
    assert [play_to_end(new_game(seed=seed), bots, KeyedChance(seed)).winner for seed in range(4)] == [side] * 4


def test_what_is_hidden_changes_nothing() -> None:
    """Given two games that differ in what a side may not know, then it decides the same in both."""
    played, compared, bots = new_game(seed=4), 0, marshals()
    while played.result is None:
        seat, twin = played.to_move[0], played.copy()
        other, state = "soviet" if seat == "axis" else "axis", twin._state
        chits = [chit for chit in twin.world.chits if chit not in state.drawn]
        random.Random(compared).shuffle(chits)
        state.cup = tuple(chits[: len(state.cup)])
        state.hand = {side: held for side, held in state.hand.items() if side != other}
        state.selected = {side: held for side, held in state.selected.items() if side != other}
        state.luftwaffe = {side: held for side, held in state.luftwaffe.items() if side != other}
        if len(played.to_move) == 1:
            assert Marshal().choose(played.view(seat), CHANCE) == Marshal().choose(twin.view(seat), CHANCE)
            compared += 1
        move_once(played, bots, CHANCE)
    assert compared > 100


@pytest.mark.parametrize("options", [{"bidding": True}, {"ukrainian-fronts": True}])
def test_it_plays_with_the_optional_rules(options: dict[str, bool | str]) -> None:
    played = hexwar.new_game("tow", "training", seed=3, options=options)
    assert play_to_end(played, {"axis": Watched(), "soviet": Watched()}, Deaf()).winner in ("axis", "soviet")


def test_it_comes_through_the_hook_and_is_the_rulesets_own() -> None:
    assert isinstance(load_bot("tow-marshal"), Marshal)
    assert usual_bot(new_game().ruleset.info) == "tow-marshal"


def test_any_other_game_is_left_to_chance() -> None:
    played, bot = toy.new_game(), Marshal()
    assert play_to_end(played, {"north": bot, "south": bot}, KeyedChance(3)) == played.result


class TestDisturbed:
    def test_it_goes_on_after_decisions_of_others(self) -> None:
        chance = KeyedChance("disturbed")
        bots: dict[str, Bot] = {side: Disturbed(Watched(), 5, chance) for side in ("axis", "soviet")}
        assert play_to_end(new_game(seed=5), bots, KeyedChance(5)).winner

    def test_an_answer_that_is_not_offered_is_found(self) -> None:
        class Stubborn(RandomBot):
            def choose(self, view: View, chance: RandomSource) -> Action:
                return Move("nobody", "0000")

        game = new_game()
        with pytest.raises(HexwarError, match=r"Stubborn answers .*, which is not offered"):
            move_once(game, {"axis": Disturbed(Stubborn(), 5, CHANCE)}, CHANCE)
        assert not game.history


# -- small positions --------------------------------------------------------------------------------------------------------


class TestMoving:
    def test_the_soviets_enter_a_city_that_was_to_be_held(self) -> None:
        units = {"sov-51": "0710", "sov-voronezh": "0712", "ger-112": "0703"}
        game = position(units, marching("sov-51", seat="soviet"), board=HELD, orders=[AT], active=("sov-51",))
        game.apply(chosen(game))
        assert game.result is not None
        assert game.result.winner == "soviet"

    def test_the_axis_garrisons_it(self) -> None:
        """Two divisions: the one that is there stays, the stronger of the others comes."""
        units = {"ger-112": AT, "ger-11pz": "0704", "rom-24": "0705", "sov-51": "0712", "sov-52": "0712", "ger-4pza": "0703"}
        active = ("ger-112", "ger-11pz", "rom-24")
        game = position(units, marching(*active), board=HELD, orders=[AT], active=active, mode="combat-move")
        assert chosen(game) == Move("ger-11pz", AT)

    def test_units_gather_next_to_a_weak_enemy(self) -> None:
        units = {
            "sov-51": "0710",
            "sov-52": "0810",
            "sov-2tk": "0610",
            "ger-213sec": AT,
            "ger-112": "0702",
            "sov-voronezh": "0712",
        }
        active = ("sov-51", "sov-52", "sov-2tk")
        game = position(units, marching(*active, seat="soviet"), active=active, mode="move-combat", path=SELECTION)
        while game.to_move == ("soviet",) and (action := chosen(game)) != Done():
            game.apply(action)
        adjacent = game.world.board.adjacent
        assert sum(adjacent(game.state.locations[unit], AT) for unit in active) >= 2

    def test_a_headquarters_follows_its_units_and_keeps_away_from_the_enemy(self) -> None:
        units = {"sov-voronezh": "0718", "sov-51": "0710", "sov-52": "0810", "ger-112": AT}
        game = position(units, marching("sov-voronezh", seat="soviet"), active=("sov-voronezh",), mode="combat-move")
        game.apply(chosen(game))
        here = game.state.locations["sov-voronezh"]
        assert game.world.board.distance(here, "0710") < 8
        assert game.world.board.distance(here, AT) > 2

    def test_nobody_goes_out_of_supply(self) -> None:
        """Given a city behind enemy zones, then infantry does not slip past them without a line."""
        board = field(cities={"Poltava": "0703"})
        units = {"sov-51": "0709", "ger-112": "0807", "ger-68": "0607", "sov-voronezh": "0712"}
        game = position(units, marching("sov-51", seat="soviet"), board=board, active=("sov-51",), mode="combat-move")
        game.apply(chosen(game))
        assert game.query.supply("sov-51").supplied


class TestFighting:
    def test_a_hopeless_attack_is_not_made(self) -> None:
        game = battle({"sov-51": EAST, "ger-11pz": AT, "ger-19pz": AT}, "sov-51")
        assert chosen(game) == Done()

    def test_an_attack_is_put_together_unit_by_unit_and_fought(self) -> None:
        units = {"sov-51": EAST, "sov-2tk": NORTH_EAST, "sov-10tk": SOUTH_EAST, "ger-112": AT}
        game = battle(units, "sov-51", "sov-2tk", "sov-10tk", dice=None)
        assert chosen(game) == Attack(AT)
        game.apply(Attack(AT))
        while (action := chosen(game)) != Resolve():
            assert isinstance(action, Join)
            game.apply(action)

    def test_who_has_fought_does_not_count_for_the_next_attack(self) -> None:
        """Given a unit that has attacked already, then what the others could do alone is too little, and no attack is begun."""
        units = {"sov-51": EAST, "sov-2tk": NORTH_EAST, "sov-10tk": NORTH_EAST, "ger-11pz": AT}
        everybody = battle(units, "sov-51", "sov-2tk", "sov-10tk")
        assert chosen(everybody) == Attack(AT)
        assert chosen(battle(units, "sov-51", active=["sov-51", "sov-2tk", "sov-10tk"])) == Done()

    def test_what_others_began_without_hope_is_called_off(self) -> None:
        units = {"sov-51": EAST, "ger-11pz": AT, "ger-19pz": AT}
        step = Assembling("soviet", Battle.on("soviet", AT, ("sov-51",)), ())
        assert chosen(position(units, attacking("sov-51"), step, active=("sov-51",))) == CallOff()

    @pytest.mark.parametrize("board", [None, field(sides={"minor-river": river(7)}), field(towns={"Lubny": AT})])
    def test_the_column_is_that_of_the_rules(self, board: str | None) -> None:
        units = {"sov-51": EAST, "sov-2tk": EAST, "sov-52": NORTH_EAST, "ger-112": AT}
        game = battle(units, "sov-51", "sov-2tk", "sov-52", board=board)
        picture = Picture(game.view("soviet"))
        battles, attackers = Battles(picture), ("sov-51", "sov-2tk", "sov-52")
        found = odds(game, AT, *attackers)
        assert battles.column(picture.board.index(AT), found.attack) == found.column

    def test_losses_fall_on_the_infantry(self) -> None:
        units = {"ger-11pz": EAST, "ger-112": EAST, "sov-51": AT}
        game = position(units, Losing("axis", ("ger-11pz", "ger-112"), 1))
        assert chosen(game) == LoseStep("ger-112")

    def test_a_pursuit_into_a_city_that_was_to_be_held(self) -> None:
        game = after("R", {"sov-51": EAST, "ger-112": "0703"}, "sov-51", board=HELD, orders=[AT])
        assert chosen(game) == Pursue("sov-51", (EAST, AT))

    def test_a_city_that_must_be_held_is_not_left_for_a_pursuit(self) -> None:
        board = field(cities={"Kharkiv": EAST})
        units = {"ger-11pz": EAST, "sov-51": "0710", "sov-52": "0810"}
        game = after("R", units, "ger-11pz", seat="axis", board=board, orders=[EAST])
        assert chosen(game) == Done()

    @pytest.mark.parametrize(("place", "mode"), [(EAST, "combat-move"), ("0711", "move-combat")])
    def test_fight_first_where_units_stand_well_for_it(self, place: str, mode: str) -> None:
        units = {"sov-2tk": place, "sov-10tk": place, "ger-213sec": AT, "ger-112": "0702"}
        game = position(units, ChoosingMode("soviet"), active=("sov-2tk", "sov-10tk"))
        assert chosen(game) == ChooseMode(mode)


class TestOtherDecisions:
    def test_the_order_for_the_city_in_danger_is_lifted_first(self) -> None:
        board = field(cities={"Kharkiv": AT, "Odesa": "0302"}, rail=["0701 0702 0703"])
        state: dict[str, Any] = {"board": board, "orders": [AT, "0302"], "turn": 2}
        units = {"sov-51": "0712", "ger-112": AT, "ger-6pz": "axis PR"}
        using = position(units, ChoosingUse("axis", "okh-1"), **state)
        assert chosen(using) == Use("negotiation")
        using.apply(Use("negotiation"))
        assert chosen(using) == LiftOrder(AT)

    def test_without_danger_panzer_divisions_come(self) -> None:
        board = field(cities={"Odesa": "0302"}, rail=["0701 0702 0703"], size=(14, 40))
        units = {"sov-51": "0739", "ger-112": "0730", "ger-6pz": "axis PR", "rom-24": "axis AR"}
        step = Negotiating("axis", ("rom-24", "ger-6pz"), ("0702", "0703"), about="arrival.axis", points=6)
        action = chosen(position(units, step, board=board, orders=["0302"], turn=2))
        assert isinstance(action, Arrive)
        assert action.unit == "ger-6pz"

    def test_paratroopers_land_in_a_city_that_nobody_holds(self) -> None:
        units = {"sov-51": "0712", "sov-18g": "soviet airborne", "ger-112": WEST}
        game = position(units, Dropping("soviet", ("sov-18g",), (), about="arrival.drop"), board=HELD, orders=[AT], turn=3)
        assert chosen(game) == Arrive("sov-18g", AT)

    def test_reinforcements_are_chosen_first(self) -> None:
        units = {"sov-51": "0710", "sov-voronezh": "0712", "ger-112": AT}
        game = position(units, path=SELECTION, dice=None)
        assert chosen(game, "soviet") == Select("reinforcements")


def test_distances_are_those_of_movement() -> None:
    """A field has what the reach of a unit costs, and counts a step of the whole allowance as a move."""
    board = field({"0709": "s"}, road=["0707 0708"], sides={"minor-river": river(5), "major-river": river(12)})
    game = position({"ger-11pz": AT, "sov-51": "0719"}, marching("ger-11pz"), board=board)
    world = game.world
    index = world.board.index
    away = Ground.of(world).spread({index(AT): 0})
    for label, cost in game.query.reach("ger-11pz").costs.items():
        assert away[index(label)] == 2 * cost, label
    assert away[index("0713")] - away[index("0712")] == RIVER
    back = steps_of(world.board, world.reaches.costs("infantry"), RIVER, back=True)
    assert spread(back, {index("0713"): 3}, world.board.size)[index("0712")] == 3 + RIVER
    assert spread(back, {}, world.board.size, most=9)[index(AT)] == 10
