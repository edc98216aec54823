"""The commander of A Victory Awaits plays every step, sees only its view, and does in small positions what a player would do."""

from __future__ import annotations

import random
from typing import Any

import pytest

import hexwar
from hexwar.bots import Bot, KeyedChance, RandomBot, load_bot, move_once, play_to_end, spread
from hexwar.engine import Action, Game, Position, RandomSource, View
from hexwar.mechanics import Arrive, Arriving, Declare, Move, Pursue
from hexwar.pieces import Done, Interrupt, LoseStep, Losing, Ready, Select
from hexwar_ava.activation import Interrupting
from hexwar_ava.bot import Commander
from hexwar_ava.bot_ground import FAR, GATE, LAST, Ground, Picture, column_of
from hexwar_ava.chits import AvaSelecting, SelectRest
from hexwar_ava.reinforcements import ChooseEntry, ChoosingEntry
from hexwar_ava.supply import StandDown, StandingDown, Withdraw, Withdrawing
from hexwar_ava.turn import CallingZhukov, CallZhukov
from tests.ava.table import declaring, field, moving, position, pursuing
from tests.engine import toy

CHANCE = KeyedChance(1)


def new_game(scenario: str = "training", seed: int = 1, *, auto: bool = True) -> Game:
    return hexwar.new_game("ava", scenario, seed=seed, options={"auto-setup": auto})


def commanders() -> dict[str, Bot]:
    return {"axis": Commander(), "soviet": Commander()}


def chosen(game: Game, side: str = "axis") -> Action:
    return Commander().choose(game.view(side), CHANCE)


class Watched:
    """Looks over a commander's shoulder: what it proposes is offered, and what it sees is blank where it must be."""

    def __init__(self) -> None:
        self.bot = Commander()

    def choose(self, view: View, chance: RandomSource) -> Action:
        assert all(chit == "?" for chit in view.state.cup)
        assert not view.state.stack
        action = self.bot.choose(view, chance)
        assert action in view.legal_actions()
        return action


class Deaf:
    """Chance that nobody may draw from."""

    def randrange(self, stop: int, /) -> int:
        raise AssertionError("a commander leaves nothing to chance")


# -- whole games ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_training_scenario_is_played_with_offered_actions_only(seed: int) -> None:
    played = new_game(seed=seed, auto=False)
    result = play_to_end(played, {"axis": Watched(), "soviet": Watched()}, Deaf())
    assert result.scores["axis"] >= 3
    attacks = [event for event in played.log() if event.kind == "attack-declared"]
    assert {event.battle.side for event in attacks} >= {"axis"}  # type: ignore[attr-defined]


def test_leningrad_is_a_campaign() -> None:
    """The front moves, cities fall, both sides lose units, and the Axis does not starve."""
    played = new_game("leningrad", 1)
    result = play_to_end(played, commanders(), Deaf())
    assert result.scores["axis"] >= 20
    taken = {event.place for event in played.log() if event.kind == "control-taken"}  # type: ignore[attr-defined]
    assert taken & {"Riga", "Pskov", "Tallinn", "Novgorod", "Leningrad"}
    assert sum(event.kind == "unit-eliminated" for event in played.log()) >= 15
    world, state = played.world, played.state
    east = [label for unit, label in state.locations.items() if label in world.board and world.units[unit].side == "axis"]
    assert max(int(label[1:3]) for label in east) >= 25


@pytest.mark.parametrize("scenario", ["smolensk-short", "kiev", "campaign"])
def test_other_scenarios_begin_well(scenario: str) -> None:
    played = new_game(scenario, 2)
    bots: dict[str, Bot] = {"axis": Watched(), "soviet": Watched()}
    for _ in range(120):
        move_once(played, bots, Deaf())
    assert played.result is None
    assert sum(event.kind == "unit-eliminated" for event in played.log()) >= 1


@pytest.mark.parametrize("side", ["axis", "soviet"])
def test_a_commander_beats_chance(side: str) -> None:
    bots: dict[str, Bot] = {"axis": RandomBot(), "soviet": RandomBot(), side: Commander()}
    points = []
    for seed in range(4):
        result = play_to_end(new_game(seed=seed), bots, KeyedChance(seed))
        assert result.winner == side
        points.append(result.scores["axis"])
    assert min(points) >= 20 if side == "axis" else max(points) <= 5


def test_the_same_game_twice() -> None:
    games = [new_game("leningrad", 5) for _ in range(2)]
    for played in games:
        bots = commanders()
        for _ in range(120):
            move_once(played, bots, KeyedChance(5))
    assert games[0].digest == games[1].digest


def test_what_is_hidden_changes_nothing() -> None:
    """Given two games that differ in what a side may not know, then it decides the same in both."""
    played, compared = new_game("training", 4), 0
    bots = commanders()
    while played.result is None:
        seat = played.to_move[0]
        twin = played.copy()
        other = "soviet" if seat == "axis" else "axis"
        state = twin._state
        chits = [chit for chit in twin.world.chits if chit not in state.drawn]
        random.Random(compared).shuffle(chits)
        state.cup = tuple(chits[: len(state.cup)])
        state.hand = {side: held for side, held in state.hand.items() if side != other}
        state.selected = {side: held for side, held in state.selected.items() if side != other}
        state.draws += 7
        at = Position(played.world, played.state.seen_by(played.world.viewer(seat)))
        blind = Position(twin.world, twin.state.seen_by(twin.world.viewer(seat)))
        assert at.state == blind.state
        if len(played.to_move) == 1 and "Select" not in str(played.legal_actions()[0]):
            known, unknown = Commander(), Commander()
            assert known.choose(played.view(seat), CHANCE) == unknown.choose(twin.view(seat), CHANCE)
            compared += 1
        move_once(played, bots, CHANCE)
    assert compared > 50


def test_a_commander_that_is_asked_out_of_the_blue_copes() -> None:
    """A fresh commander for every decision proposes nothing that is not offered, and the game comes to its end."""

    class Forgetful:
        def choose(self, view: View, chance: RandomSource) -> Action:
            return Watched().choose(view, chance)

    bots: dict[str, Bot] = {"axis": Forgetful(), "soviet": Forgetful()}
    assert play_to_end(new_game(seed=6), bots, Deaf()).winner in ("axis", "soviet")


def test_two_games_at_once() -> None:
    """One commander for both sides of two games mixes nothing up."""
    bot = Watched()
    games = [new_game(seed=seed) for seed in (1, 2)]
    while any(played.result is None for played in games):
        for played in games:
            move_once(played, {"axis": bot, "soviet": bot}, Deaf())


def test_it_comes_through_the_hook_and_is_the_rulesets_own() -> None:
    assert isinstance(load_bot("ava-commander"), Commander)
    assert new_game().ruleset.info.bot == "ava-commander"


def test_any_other_game_is_left_to_chance() -> None:
    played = toy.new_game()
    bot = Commander()
    assert play_to_end(played, {"north": bot, "south": bot}, KeyedChance(3)) == played.result


# -- small positions ----------------------------------------------------------------------------------------------------------

HOMES = {"supply axis": ["0110"], "supply soviet": ["4010"]}
RAIL = ["0110 0210 0310 0410 0510 0610 0710 0810 0910 1010 1110 1210 1310 1410 1510 1610 1710 1810 1910 2010"]


@pytest.mark.parametrize(("turn", "times"), [(1, 1.0), (4, LAST)])
def test_a_city_is_worth_more_in_the_last_turn(turn: int, times: float) -> None:
    board = field(rail=RAIL, areas=HOMES, cities={"Kelme": "1208"}, major={"Riga": "2010"})
    game = position({"ger-1pz": "1010", "su-90": "2010"}, moving("ger-1pz"), board=board, active=("ger-1pz",), turn=turn)
    picture = Picture(game.view("axis"))
    riga, kelme = map(board.index, ("2010", "1208"))
    assert picture.taken_now(riga) == times * picture.place_worth(riga)
    assert picture.taken_now(kelme) == picture.place_worth(kelme)


class TestMoving:
    def test_spearheads_make_for_the_city(self) -> None:
        """Given a panzer division and an empty city in its reach, then it takes the city."""
        board = field(rail=RAIL, areas=HOMES, major={"Riga": "1410"})
        game = position({"ger-1pz": "1010", "su-90": "3010"}, moving("ger-1pz"), board=board, active=("ger-1pz",), turn=4)
        assert chosen(game) == Move("ger-1pz", "1410")

    def test_a_place_beside_the_way_is_taken(self) -> None:
        """Given a town that can be taken without giving up the way to the city, then the move goes through it."""
        board = field(rail=RAIL, areas=HOMES, cities={"Kelme": "1208"}, major={"Riga": "2010"})
        game = position({"ger-1pz": "1010", "su-90": "3010"}, moving("ger-1pz"), board=board, active=("ger-1pz",))
        game.apply(chosen(game))
        assert game.state.control["1208"] == "axis"
        assert game.world.board.distance(game.state.locations["ger-1pz"], "2010") < 10

    def test_units_gather_next_to_a_weak_enemy(self) -> None:
        board = field(rail=RAIL, areas=HOMES, major={"Riga": "2010"})
        units = {"ger-1": "0908", "ger-11": "0909", "ger-21": "0911", "su-90": "1210", "ger-18a": "0709"}
        able = ("ger-1", "ger-11", "ger-21")
        game = position(units, moving(*able), board=board, active=able)
        bot = Commander()
        while game.state.phase == "movement":
            action = bot.choose(game.view("axis"), CHANCE)
            game.apply(action)
            if action == Done():
                break
        assert sum(game.world.board.adjacent(game.state.locations[unit], "1210") for unit in able) == 3

    def test_one_of_two_spearheads_sets_out_for_a_city_that_nobody_defends(self) -> None:
        """Given enemies beside two panzer divisions and an empty city farther on, then one attacks and one goes for the city."""
        board = field(rail=RAIL, areas=HOMES, major={"Riga": "2010"})
        able = ("ger-1pz", "ger-6pz")
        game = position(
            {"ger-1pz": "1010", "ger-6pz": "1011", "su-28t": "1012", "su-23t": "1112"}, moving(*able), board=board, active=able
        )
        bot = Commander()
        while game.state.phase == "movement":
            game.apply(bot.choose(game.view("axis"), CHANCE))
        places = [game.state.locations[unit] for unit in able]
        assert sorted(game.world.board.distance(place, "2010") < 5 for place in places) == [False, True]
        assert any(game.world.board.adjacent(place, "1112") for place in places)

    def test_nobody_goes_out_of_supply_when_it_is_checked(self) -> None:
        """Given a city far off the railway, when supply is checked, then a panzer division stops within six hexes of it."""
        board = field(rail=RAIL[:1], areas=HOMES, major={"Riga": "1625"})
        game = position({"ger-1pz": "1612", "su-90": "3010"}, moving("ger-1pz"), board=board, active=("ger-1pz",), turn=5)
        game.apply(chosen(game))
        assert game.query.supply("ger-1pz").supplied

    def test_a_city_in_danger_gets_a_garrison(self) -> None:
        board = field(areas=HOMES, major={"Riga": "2010"})
        units = {"su-90": "2210", "su-125": "2211", "ger-1pz": "1410", "su-8a": "2410"}
        able = ("su-90", "su-125")
        game = position(units, moving(*able, seat="soviet"), board=board, active=able)
        bot = Commander()
        for _ in range(2):
            game.apply(bot.choose(game.view("soviet"), CHANCE))
        assert [game.state.locations[unit] for unit in able] == ["2010", "2010"]

    def test_a_headquarters_follows_its_units(self) -> None:
        board = field(rail=RAIL, areas=HOMES, major={"Riga": "2010"})
        units = {"ger-18a": "0510", "ger-1": "1010", "ger-11": "1011", "su-90": "1810"}
        game = position(units, moving("ger-18a"), board=board, active=("ger-18a",))
        game.apply(chosen(game))
        here = game.state.locations["ger-18a"]
        assert all(game.world.board.distance(here, game.state.locations[unit]) <= 4 for unit in ("ger-1", "ger-11"))
        assert game.world.board.distance(here, "1810") > 4


class TestFighting:
    def test_a_hopeless_attack_is_not_made(self) -> None:
        units = {"ger-1": "1110", "su-90": "1111", "su-125": "1111", "su-202m": "1112"}
        game = position(units, declaring("ger-1"), active=("ger-1",))
        assert chosen(game) == Done()

    def test_all_join_who_help(self) -> None:
        units = {"ger-1pz": "1110", "ger-6pz": "1110", "su-90": "1111"}
        able = ("ger-1pz", "ger-6pz")
        game = position(units, declaring(*able), active=able)
        bot = Commander()
        first = bot.choose(game.view("axis"), CHANCE)
        assert isinstance(first, Declare)
        assert first.target == "1111"
        game.apply(first)
        second = bot.choose(game.view("axis"), CHANCE)
        assert {first.unit, getattr(second, "unit", "")} == set(able)

    def test_losses_fall_on_the_infantry(self) -> None:
        units = {"ger-1pz": "1110", "ger-1": "1110", "su-90": "1111"}
        game = position(units, Losing("axis", ("ger-1pz", "ger-1"), 1))
        assert chosen(game) == LoseStep("ger-1")

    def test_a_pursuit_into_a_city(self) -> None:
        board = field(areas=HOMES, rail=RAIL, major={"Riga": "1111"})
        game = position({"ger-1pz": "1110", "su-90": "2010"}, pursuing("1111", "ger-1pz"), board=board, active=("ger-1pz",))
        assert chosen(game) == Pursue("ger-1pz", ("1110", "1111"))

    def test_a_city_in_danger_is_not_left_for_a_pursuit(self) -> None:
        board = field(areas=HOMES, rail=RAIL, major={"Riga": "1110"})
        units = {"ger-1pz": "1110", "su-90": "1008", "su-125": "1209"}
        game = position(units, pursuing("1111", "ger-1pz"), board=board, active=("ger-1pz",), control={"1110": "axis"})
        assert chosen(game) == Done()


class TestOpenRailways:
    """12.1.6: reinforcements appear behind the enemy where nobody cuts the railway."""

    THROUGH = (" ".join(f"{column:02}10" for column in range(1, 41)),)

    def arriving(self, board: str, units: dict[str, str], unit: str = "su-90", **state: Any) -> Game:
        units = {unit: "soviet available", **units}
        before = position(units, board=board, turn=5)
        rail = before.world.supply.rail_network(before, "soviet", "rail")
        step = Arriving("soviet", (unit,), before.world.board.unmask(rail), 1)
        return position(units, step, board=board, turn=5, phase="activation", **state)

    def test_12_1_6_reinforcements_cut_the_lines_of_spearheads(self) -> None:
        """Given panzer divisions beside the railway that their lines follow, then rifles appear on it behind them."""
        board = field(rail=self.THROUGH, areas=HOMES, major={"Moscow": "3810"})
        units = {"ger-1pz": "2006", "ger-6pz": "2006", "ger-3m": "2106", "ger-36m": "2106", "su-125": "3810"}
        arrive = chosen(self.arriving(board, units), "soviet")
        assert isinstance(arrive, Arrive)
        game = self.arriving(board, units)
        assert game.query.supply("ger-1pz").supplied
        game.apply(arrive, "soviet")
        assert not game.query.supply("ger-1pz").supplied
        tanks = chosen(self.arriving(board, units, "su-202m"), "soviet")
        assert int(getattr(tanks, "to", "")[:2]) > 20  # a mechanized unit that is lost would score

    def test_12_1_6_reinforcements_take_an_empty_city_behind_the_front(self) -> None:
        board = field(rail=self.THROUGH, areas=HOMES, major={"Riga": "1410", "Moscow": "3810"})
        units = {"ger-1": "2006", "su-125": "3810"}
        game = self.arriving(board, units, control={"1410": "axis"})
        assert chosen(game, "soviet") == Arrive("su-90", "1410")

    @pytest.mark.parametrize(("rail", "stays"), [(THROUGH, True), (RAIL, False)])
    def test_12_1_6_the_axis_garrisons_a_city_to_which_an_open_railway_leads(self, rail: tuple[str, ...], stays: bool) -> None:
        """The only difference is whether the railway goes on to the enemy, who is too far to march there."""
        board = field(rail=rail, areas=HOMES, major={"Riga": "1410", "Moscow": "3810"})
        units = {"ger-1": "1410", "su-90": "3810"}
        game = position(units, moving("ger-1"), board=board, active=("ger-1",), turn=4, control={"1410": "axis"})
        assert (chosen(game) == Done()) is stays

    def test_12_1_6_the_axis_leaves_infantry_on_a_railway_that_leads_to_its_lines(self) -> None:
        """The city that calls the infantry lies north of the railway: if it went there, the panzers could be cut off."""
        board = field(rail=self.THROUGH, areas=HOMES, major={"Riga": "2001", "Moscow": "3810"})
        panzers = {"ger-1pz": "2005", "ger-6pz": "2005", "ger-3m": "2106", "ger-36m": "2106", "ger-8pz": "1905"}
        units = {**panzers, "ger-1": "1809", "su-90": "3810"}
        game = position(units, moving("ger-1"), board=board, active=("ger-1",), turn=5)
        game.apply(chosen(game), "axis")
        assert max(Picture(game.view("axis")).cuts.values(), default=0.0) < GATE


class TestEntering:
    """15.3: the Soviet 19A comes in from the east edge as one army, to where it is needed."""

    ARMY = ("su-19a", "su-38", "su-127", "su-129", "su-134", "su-158", "su-162", "su-171", "su-220m", "su-51t", "su-52t")

    def entering(self, axis: dict[str, str], **more: Any) -> Game:
        units = {**dict.fromkeys(self.ARMY, "turn 3"), **axis}
        return position(units, ChoosingEntry("soviet", self.ARMY), active=self.ARMY, turn=3, **more)

    def test_15_3_2_the_army_enters_where_a_city_lacks_defenders(self) -> None:
        """The south is nearer to the enemy, but its city has four divisions, and that of the north none."""
        areas = {"supply axis": ["0110"], "supply soviet": ["4005", "4025"]}
        board = field(areas=areas, major={"Rzhev": "3405", "Bryansk": "3425"})
        units = {"ger-1pz": "2216", "su-90": "3325", "su-125": "3424", "su-48": "3524", "su-56": "3426"}
        assert chosen(self.entering(units, board=board), "soviet") == ChooseEntry("4005")

    def test_15_3_3_the_army_stays_within_reach_of_its_headquarters(self) -> None:
        """On the map of Smolensk, the panzer groups being on the Berezina."""
        units = {"ger-3pz": "S3017", "ger-7pz": "S2911", "su-98": "S3316"}
        game, bot = self.entering(units, board="", scenario="smolensk"), Commander()
        while game.to_move == ("soviet",) and not isinstance(game.legal_actions()[0], Declare):
            game.apply(bot.choose(game.view("soviet"), CHANCE))
        here = [game.state.locations[unit] for unit in self.ARMY]
        assert all(label in game.world.board for label in here)
        assert max(game.world.board.distance(here[0], label) for label in here) <= game.world.units["su-19a"].command


class TestOtherDecisions:
    def test_the_axis_selects_everything(self) -> None:
        game = position({"ger-1": "1110", "su-90": "2010"}, AvaSelecting(), phase="selection")
        assert chosen(game) == SelectRest()
        game.apply(SelectRest(), "axis")
        assert chosen(game) == Ready()

    def test_the_soviets_select_armies_that_lead_somebody_near_the_enemy(self) -> None:
        units = {"su-8a": "1510", "su-90": "1410", "su-125": "1411", "su-3a": "3010", "su-56": "3011", "ger-1": "1110"}
        game = position(units, AvaSelecting(), phase="selection")
        assert str(chosen(game, "soviet")) == "select su-8a"
        reinforced = position(units, AvaSelecting(), phase="selection", turn=4)
        assert str(chosen(reinforced, "soviet")) == "select soviet-reinforcements"

    @pytest.mark.parametrize(("drawn", "turn", "action"), [("supply", 9, "play manstein instead"), ("su-8a", 9, "done")])
    def test_the_last_supply_check_is_put_off(self, drawn: str, turn: int, action: str) -> None:
        units = {"ger-4pzg": "1110", "ger-1pz": "1111", "su-90": "2010"}
        state: dict[str, Any] = {"drawn": [drawn], "hand": {"axis": ["manstein"]}, "turn": turn, "phase": "command"}
        game = position(units, Interrupting("axis"), **state)
        assert Interrupt("manstein") in game.legal_actions("axis")
        assert str(chosen(game)) == action

    def test_spearheads_that_would_starve_move_first(self) -> None:
        """The held chit is played where the check would cost two mechanized units a step, and not where they have their line."""
        board = field(rail=RAIL, areas=HOMES)
        state: dict[str, Any] = {"drawn": ["supply"], "hand": {"axis": ["manstein"]}, "turn": 5, "phase": "command"}
        for place, action in (("3010", "play manstein instead"), ("1011", "done")):
            units = {"ger-4pzg": place, "ger-1pz": place, "ger-6pz": f"{place[:2]}{int(place[2:]) + 1}", "su-90": "3510"}
            game = position(units, Interrupting("axis"), board=board, **state)
            assert str(chosen(game)) == action

    def test_7_3_1_a_held_chit_strikes_before_the_enemy_army_moves(self) -> None:
        """Given a weak army near the panzer group, when its chit is drawn, then Manstein comes first; not if it is far."""
        board = field(rail=RAIL, areas=HOMES, major={"Riga": "2010"})
        panzers = {"ger-4pzg": "1210", "ger-1pz": "1310", "ger-6pz": "1310", "ger-8pz": "1311", "ger-36m": "1309"}
        state: dict[str, Any] = {"drawn": ["su-8a"], "hand": {"axis": ["manstein"]}, "turn": 3, "phase": "command"}
        for columns, action in ((0, "play manstein instead"), (15, "done")):
            army = {"su-8a": f"{17 + columns}10", "su-28t": f"{15 + columns}10", "su-202m": f"{15 + columns}09"}
            game = position({**panzers, **army}, Interrupting("axis"), board=board, **state)
            assert str(chosen(game)) == action

    def test_18_1_10_zhukov_holds_the_reinforcements_and_plays_them_before_the_enemy(self) -> None:
        units = {"ger-1": "L3605", "su-10": "L3602"}
        select = position(units, AvaSelecting(), board="", scenario="leningrad", phase="selection", turn=8, zhukov=7)
        assert chosen(select, "soviet") == Select("soviet-reinforcements", hold=True)
        for drawn, action in (
            ("ger-4pzg", "play soviet-reinforcements instead"),
            ("supply", "play soviet-reinforcements instead"),
            ("su-8a", "done"),
        ):
            state: dict[str, Any] = {
                "drawn": [drawn],
                "hand": {"soviet": ["soviet-reinforcements"]},
                "turn": 8,
                "phase": "command",
            }
            game = position(units, Interrupting("soviet"), board="", scenario="leningrad", zhukov=7, **state)
            assert str(chosen(game, "soviet")) == action

    def test_zhukov_is_called(self) -> None:
        game = position({"ger-1": "1110", "su-90": "2010"}, CallingZhukov("soviet"), phase="end")
        assert chosen(game, "soviet") == CallZhukov()

    def test_nobody_is_withdrawn_without_need(self) -> None:
        board = field(rail=RAIL, areas=HOMES)
        game = position({"ger-1": "0510", "su-90": "2010"}, Withdrawing("axis"), board=board, phase="activation")
        assert Withdraw("ger-1") in game.legal_actions("axis")
        assert chosen(game) == Done()

    def test_the_city_most_in_danger_stands_down(self) -> None:
        board = field(areas=HOMES, major={"Minsk": "2010", "Gomel": "3010"})
        units = {"ger-1pz": "1410", "su-90": "2110"}
        game = position(units, StandingDown("soviet"), board=board, stand_fast=["2010", "3010"], turn=6, phase="activation")
        assert chosen(game, "soviet") == StandDown("2010")


class TestGround:
    def test_distances_are_those_of_movement(self) -> None:
        """A road costs a point a hex; what is closed is far."""
        board = field({"1109": "F", "1110": "F"}, road=["1009 1109 1209"], land=())
        game = position({"ger-1pz": "1009", "su-90": "3010"}, moving("ger-1pz"), board=board)
        world = game.world
        ground, index = Ground.of(world), world.board.index
        away = spread(ground.steps("armour", "axis"), {index("1009"): 0}, ground.size, FAR - 1)
        for label, cost in game.query.reach("ger-1pz").costs.items():
            assert away[index(label)] == 2 * cost, label
        back = spread(ground.steps("armour", "axis", True), {index("1209"): 3}, ground.size, FAR - 1)
        assert back[index("1009")] == 3 + 4
        assert spread(ground.steps("armour", "axis"), {}, ground.size, FAR - 1)[index("1009")] == FAR

    @pytest.mark.parametrize(
        ("attack", "defence", "shift", "column"),
        [
            (6, 2, 0, "3:1"),
            (5, 2, 0, "2:1"),
            (6, 2, -2, "1.5:1"),
            (2, 2, -1, None),
            (1, 2, 0, None),
            (40, 2, -1, "9:1"),
            (3, 0, 0, "10:1"),
        ],
    )
    def test_columns_are_those_of_the_table(self, attack: int, defence: int, shift: int, column: str | None) -> None:
        game = position({"ger-1": "1110", "su-90": "2010"}, moving("ger-1"))
        table = game.world.table
        found = column_of(table, attack, defence, shift)
        assert (None if found is None else table.columns[found]) == column

    def test_a_picture_knows_friend_and_enemy(self) -> None:
        game = position({"ger-1": "1110", "su-90": "2010"}, moving("ger-1"))
        picture = Picture(game.view("axis"))
        index = game.world.board.index
        assert (list(picture.mine), list(picture.theirs)) == ([index("1110")], [index("2010")])
        assert picture.enemy_away[index("2010")] < picture.enemy_away[index("1910")] < picture.enemy_away[index("1110")]
