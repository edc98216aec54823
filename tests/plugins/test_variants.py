"""Variants change parts and hooks in real games of Bridgehead, and one that is off changes nothing at all."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import hexwar
from hexwar import Game, Refusal, RefusalCode, Variant
from hexwar.board import CLOSED
from hexwar.engine import Clause, Option, Phase, Play, Position, SequenceOfPlay, settle_options
from hexwar.errors import HexwarError, PluginError, RuleBroken
from hexwar.mechanics import AttackAnnounced, Battle, Mode, Move, Movement, Resolve, Stacking, Supply, TableCombat, Zones
from hexwar.pieces import Losing, Score, Shift, StepLost, Strength, UnitEliminated, UnitMoved, Victory
from hexwar.plugins import Plugins
from hexwar_bridgehead.world import BridgeheadStacking
from tests.plugins.sample import CLAUSE, ThickWoods, game_plugins, house_rule, playing_with, plugin, using

SELECTING = '{kind = "selecting"}'
ASSEMBLING = (
    "{kind = 'attacking', seat = 'blue', units = ['b1']}, "
    "{kind = 'assembling', seat = 'blue', battle = {side = 'blue', target = '0404', attackers = ['b1']}, able = []}"
)
MOVING = '{kind = "moving", seat = "blue", units = ["b1"]}'
VERDICT = '{kind = "sequencing", path = [1]}'
ATTACKING = '{kind = "attacking", seat = "blue", units = ["b1"]}'


def game(units: str, *, on: bool = True, turn: int = 1, stack: str = SELECTING) -> Game:
    """The small game with some units on its map, the house rule on or off."""
    lines = [
        'ruleset = "bridgehead"',
        f"options = {{house = {str(on).lower()}}}",
        f"units = {{{units}}}",
        f"state = {{turn = {turn}}}",
        f'stack = [{{kind = "sequencing", path = [0, 2]}}, {stack}]',
    ]
    return hexwar.position("\n".join(lines))


def reach(units: str, unit: str, **more: Any) -> dict[str, float]:
    costs: dict[str, float] = game(units, **more).query.reach(unit).costs
    return costs


# -- parts -------------------------------------------------------------------------------------------------------------


def test_a_part_changes_the_reach() -> None:
    with playing_with(PARTS={"movement": ThickWoods}):
        assert reach("b1 = '0404'", "b1", on=False)["0405"] == 1
        assert reach("b1 = '0404'", "b1")["0405"] == 2
        # A headquarters is no infantry, and a clear hex no wood.
        assert reach("bA = '0404'", "bA")["0405"] == 1
        assert reach("b1 = '0404'", "b1")["0403"] == 1


class Weather(Movement):
    """From turn 3 on steps that follow no link cost twice as much, and those across rivers are closed."""

    def conditions(self, at: Position) -> str:
        return "storm" if at.state.turn >= 3 else super().conditions(at)

    def step_cost(self, arm: str, conditions: str, origin: str, target: str, printed: int) -> int:
        cost = super().step_cost(arm, conditions, origin, target, printed)
        if not conditions:
            return cost
        return CLOSED if self.world.board.side(origin, target) else cost * (1 if self.world.board.links(origin, target) else 2)


def test_conditions_come_with_the_turn() -> None:
    with playing_with(PARTS={"movement": Weather}):
        for turn, price in ((2, 1), (3, 2)):
            costs = reach("b1 = '0404'", "b1", turn=turn)
            assert (costs["0403"], costs["0304"]) == (price, 0.5), "it spares the road"
        dry, wet = (len(game("b1 = '0404'", turn=turn, stack=MOVING).legal_actions()) for turn in (2, 3))
        assert wet < dry
        assert reach("b1 = '0404'", "b1", turn=3, on=False)["0403"] == 1
        # The weather turns in the course of a game, and its tables with it.
        playing = hexwar.new_game("bridgehead", seed=1, options={"house": True})
        prices = {}
        while playing.state.turn < 4:
            prices[playing.state.turn] = playing.query.reach("bC").costs["0104"]
            playing.apply(next(iter(playing.offered(playing.to_move[0]))), playing.to_move[0])
        assert prices == {1: 1, 2: 1, 3: 2}


def test_conditions_hold_for_attack_pursuit_and_retreat() -> None:
    pursuing = '{kind = "pursuing", seat = "blue", target = "0502", units = ["b1"]}'
    with playing_with(PARTS={"movement": Weather}):

        def offered(units: str, turn: int, stack: str) -> list[str]:
            return [str(action) for action in game(units, turn=turn, stack=f"{SELECTING}, {stack}").legal_actions("blue")]

        assert "attack 0502" in offered("b1 = '0403', r2 = '0502'", 2, ATTACKING)
        assert "attack 0502" not in offered("b1 = '0403', r2 = '0502'", 3, ATTACKING)
        assert "b1 pursues to 0502" in offered("b1 = '0403'", 2, pursuing)
        assert "b1 pursues to 0502" not in offered("b1 = '0403'", 3, pursuing)
        for turn, ends in ((2, True), (3, False)):
            options = game("b1 = '0502', r1 = '0602'", turn=turn).query.retreats("b1", 1)
            assert ("0402" in [option.path[-1] for option in options]) is ends


class RiversEndZones(Zones):
    """No zone extends across a river, and headquarters have none."""

    def extends(self, origin: str, target: str) -> bool:
        return "river" not in self.world.board.side(origin, target) and super().extends(origin, target)

    def covers(self, arm: str, label: str) -> Sequence[int]:
        return () if arm == "hq" else super().covers(arm, label)


def test_a_part_changes_zones() -> None:
    with playing_with(PARTS={"zones": RiversEndZones}):
        assert "0404" in game("r1 = '0504'", on=False).query.zones("red")
        assert "0404" not in game("r1 = '0504'").query.zones("red")
        assert "0503" in game("r1 = '0504'").query.zones("red")
        assert game("rA = '0504'").query.zones("red") == ()
        # Without the zone the way along the river costs less.
        units = "b1 = '0403', r1 = '0504'"
        assert (reach(units, "b1", on=False)["0404"], reach(units, "b1")["0404"]) == (2, 1)


class Camp(Stacking):
    """One unit more in a hex, but a single one in 0303."""

    def limit(self, side: str, label: str) -> int:
        return 1 if (side, label) == ("blue", "0303") else super().limit(side, label) + 1


def test_a_part_changes_the_limit_of_stacks() -> None:
    units = "b1 = '0404', b2 = '0403', b3 = '0403', b4 = '0303'"
    into_the_stack = Move("b1", "0403")
    with playing_with(PARTS={"stacking": Camp}):
        refusal = game(units, on=False, stack=MOVING).why_not(into_the_stack)
        assert refusal is not None
        assert refusal.clause == "3.1"
        assert game(units, stack=MOVING).why_not(into_the_stack) is None
        assert "0403" in reach(units, "b1")
        assert "0303" in reach(units, "b1", on=False)
        assert "0303" not in reach(units, "b1")


class Timid(Movement):
    """b1 keeps out of enemy zones."""

    def modes_of(self, at: Position, unit: str) -> tuple[Mode, ...]:
        modes = super().modes_of(at, unit)
        return (replace(modes[0], outside_zones=True),) if unit == "b1" else modes


def test_a_part_keeps_a_unit_out_of_zones() -> None:
    stack = "{kind = 'moving', seat = 'blue', units = ['b1', 'b2']}"
    with playing_with(PARTS={"movement": Timid}):
        for on in (False, True):
            playing = game("b1 = '0402', b2 = '0302', r1 = '0404'", on=on, stack=stack)
            zone = set(playing.query.zones("red"))
            ends, others = (
                {move.to for move in playing.legal_actions() if isinstance(move, Move) and move.unit == unit}
                for unit in ("b1", "b2")
            )
            assert bool(ends & zone) is not on
            assert ends - zone
            assert others & zone
        refusal = playing.why_not(Move("b1", sorted(zone & set(playing.query.reach("b2").costs))[0]))
        assert refusal is not None
        assert "enters an enemy zone of control" in refusal.message
        assert Move("b1", sorted(ends)[0]) in playing.offered("blue")


# -- several variants -------------------------------------------------------------------------------------------------


class DoubledCosts(Movement):
    """Every step costs twice as much."""

    def step_cost(self, arm: str, conditions: str, origin: str, target: str, printed: int) -> int:
        return 2 * super().step_cost(arm, conditions, origin, target, printed)


@pytest.mark.parametrize(("first", "second", "price"), [(ThickWoods, DoubledCosts, 4), (DoubledCosts, ThickWoods, 3)])
def test_two_variants_change_one_part_the_later_in_front(first: type[Movement], second: type[Movement], price: int) -> None:
    """Woods cost a point: one more and doubled, or doubled and one more."""
    variants = [
        Variant(name, "bridgehead", name, plugin(PARTS={"movement": cls})) for name, cls in (("one", first), ("two", second))
    ]
    manager = game_plugins()
    manager.register(plugin(hexwar_variants=lambda: variants), "house")
    with using(manager):
        text = "ruleset = 'bridgehead'\noptions = {one = %s, two = %s}\nunits = {b1 = '0404'}"
        costs = [
            hexwar.position(text % (one, two)).query.reach("b1").costs["0405"]
            for one, two in (("false", "false"), ("true", "true"))
        ]
    assert costs == [1, price]


class Towns(BridgeheadStacking):
    """One unit more where the game itself allows another number."""

    def limit(self, side: str, label: str) -> int:
        return super().limit(side, label) + 1


def test_a_variant_stands_in_front_of_what_the_ruleset_has_replaced() -> None:
    class Plain(Stacking):
        """A change of the shared rule stands in front of the ruleset's own, too."""

        def limit(self, side: str, label: str) -> int:
            return super().limit(side, label) + 1

    for change in (Towns, Plain):
        with playing_with(PARTS={"stacking": change}):
            on, off = (game("b1 = '0404'", on=on).world.stacking for on in (True, False))
            assert type(off) is BridgeheadStacking
            assert isinstance(on, BridgeheadStacking)
            assert [on.limit("blue", label) for label in on.world.board.labels] == [
                off.limit("blue", label) + 1 for label in off.world.board.labels
            ]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"movment": ThickWoods}, "no part is called 'movment'; did you mean movement?"),
        ({"zones": ThickWoods}, "ThickWoods cannot be put in front of BridgeheadZones: it derives from none of its classes"),
        ([], "PARTS must be a dict of part -> class, not []"),
        ({"movement": len}, "PARTS['movement'] must be a class of Part, not <built-in function len>"),
    ],
)
def test_parts_that_do_not_fit_are_told_with_the_variant(changes: Any, sentence: str) -> None:
    assert new_game_error(Variant("mud", "bridgehead", "Mud", plugin(hexwar_veto=lambda: None, PARTS=changes))) == (
        f"variant mud: {sentence}"
    )


def test_a_part_that_fails_in_play_names_its_variant() -> None:
    class Broken(Movement):
        def go(self, play: Play, unit: str, path: Sequence[str], mode: str = "") -> None:
            raise LookupError("no map")

    with playing_with(PARTS={"movement": Broken}), pytest.raises(LookupError) as caught:
        game("b1 = '0404'", stack=MOVING).apply(Move("b1", "0403"))
    assert caught.value.__notes__ == ["variant house: Broken.go"]


def test_the_part_combat_changes_a_strength_and_gives_the_reason() -> None:
    class Stubborn(TableCombat):
        def strength(self, at: Position, battle: Battle, unit: str) -> Strength:
            found = super().strength(at, battle, unit)
            return found if unit in battle.attackers else found.changed(found.counted * 2, "stubborn", CLAUSE.id)

    units = "b1 = '0604', b2 = '0503', r1 = '0504'"
    with playing_with(PARTS={"combat": Stubborn}):
        before, after = (game(units, on=on).query.odds(["b1", "b2"], "0504") for on in (False, True))
        assert before.attack == after.attack
        assert after.defence == 2 * before.defence
        assert before.name != after.name
        assert after.strengths[-1].reasons == (*before.strengths[-1].reasons, ("stubborn", CLAUSE.id))


def guns(clause: str) -> type[TableCombat]:
    """Guns that shift the column of every attack."""

    class Guns(TableCombat):
        def shifts(self, at: Position, battle: Battle) -> tuple[Shift, ...]:
            return (*super().shifts(at, battle), Shift(1, f"guns on {battle.target}", clause))

    return Guns


def test_the_part_combat_changes_shifts_which_are_shown_with_their_clause() -> None:
    units = "b1 = '0604', r1 = '0504'"
    with playing_with(PARTS={"combat": guns(CLAUSE.id)}):
        before, after = (game(units, on=on).query.odds(["b1"], "0504") for on in (False, True))
        assert after.shifts == (*before.shifts, Shift(1, "guns on 0504", "house.1"))
        assert sum(shift.columns for shift in after.shifts) == 0
        assert before.column is not None
        assert after.column == before.column + 1


class Fed(Supply):
    """A unit that needs no line."""

    def judge(self, at: Position, unit: str, price: int | None) -> bool:
        return unit == "b1" or super().judge(at, unit, price)


def test_a_part_feeds_a_unit() -> None:
    # Blue in the east, with Red's home behind it and Red's zones before it.
    units = "b1 = '0804', r1 = '0703', r2 = '0705', r3 = '0803', r4 = '0805', r5 = '0704', r8 = '0904'"
    with playing_with(PARTS={"supply": Fed}):
        hungry, fed = (game(units, on=on).query for on in (False, True))
        assert (hungry.supply("b1").supplied, fed.supply("b1").supplied) == (False, True)
        assert hungry.odds(["b1"], "0704").attack == fed.odds(["b1"], "0704").attack // 2


class Medals(Victory):
    """A medal for Blue."""

    def scores(self, at: Position) -> tuple[Score, ...]:
        return (*super().scores(at), Score("blue", 50, "a medal", CLAUSE.id))


def test_a_part_counts_more_points() -> None:
    with playing_with(PARTS={"victory": Medals}):
        plain, decorated = (game("b1 = '0404', r1 = '0504'", on=on, turn=6, stack=VERDICT).result for on in (False, True))
        assert plain is not None
        assert decorated is not None
        assert (plain.winner, decorated.winner) == ("red", "blue")
        assert decorated.scores == {"blue": plain.scores["blue"] + 50, "red": plain.scores["red"]}


# -- rule hooks -------------------------------------------------------------------------------------------------------


def test_hexwar_sequence_has_one_phase_more() -> None:
    def muster(play: Any) -> None:
        play.roll("muster", clause="house.1")

    def first_a_muster(world: Any, sequence: SequenceOfPlay) -> SequenceOfPlay:
        assert world.options == {"barrage": False, "house": True}
        return SequenceOfPlay(Phase("muster", "Muster", "house.1", muster), *sequence.nodes)

    with playing_with(hexwar_sequence=first_a_muster):
        game = hexwar.new_game("bridgehead", seed=1, options={"house": True})
        told = [event.kind for event in game.events if event.clause == "house.1"]
        assert told == ["phase-entered", "dice-rolled"]
        assert game.world.sequence.outline()[0] == "Muster [house.1]"
        assert "Muster [house.1]" not in hexwar.new_game("bridgehead", seed=1).world.sequence.outline()


def no_towns(at: Position, seat: str, action: Any) -> Refusal | None:
    if isinstance(action, Move) and at.world.board.place(action.to) is not None:
        return Refusal(RefusalCode.AGAINST_RULE, CLAUSE.id, f"{seat} may not enter {action.to}: it is a town")
    return None


def test_hexwar_veto_refuses_with_its_clause() -> None:
    into_town = Move("b1", "0204")
    with playing_with(hexwar_veto=no_towns):
        assert into_town in game("b1 = '0304'", on=False, stack=MOVING).legal_actions()
        playing = game("b1 = '0304'", stack=MOVING)
        assert into_town not in playing.legal_actions()
        assert Move("b1", "0303") in playing.legal_actions()
        before = playing.digest
        with pytest.raises(Refusal) as caught:
            playing.apply(into_town)
        assert (caught.value.clause, caught.value.message) == ("house.1", "blue may not enter 0204: it is a town")
        assert playing.why_not(into_town) == caught.value
        assert playing.digest == before
        assert into_town not in playing.view("blue").legal_actions()
        # What is impossible anyway is still explained by the rule that forbids it.
        refusal = playing.why_not(Move("b1", "0907"))
        assert refusal is not None
        assert refusal.clause == "7.2"


def test_hexwar_veto_that_leaves_nothing_is_the_authors_mistake() -> None:
    never = Refusal(RefusalCode.AGAINST_RULE, CLAUSE.id, "no")
    with playing_with(hexwar_veto=lambda: never), pytest.raises(HexwarError, match="asks blue and offers nothing"):
        game("b1 = '0304'", stack=MOVING)


def test_hexwar_veto_must_cite_a_clause_of_the_index() -> None:
    stray = Refusal(RefusalCode.AGAINST_RULE, "99", "no")
    with playing_with(hexwar_veto=lambda action: stray if isinstance(action, Move) else None):
        playing = game("b1 = '0304'", stack=MOVING)
        with pytest.raises(RuleBroken, match="a refusal cites clause '99', which is not in the rule index"):
            playing.why_not(Move("b1", "0204"))


def mines(play: Play, event: Any) -> None:
    if isinstance(event, UnitMoved) and "0303" in event.path:
        play.emit(StepLost(event.unit, clause=CLAUSE.id))


def test_hexwar_on_event_reacts_with_an_event() -> None:
    move = Move("b1", "0303")
    with playing_with(hexwar_on_event=mines):
        safe = game("b1 = '0304'", on=False, stack=MOVING)
        assert [event.kind for event in safe.apply(move)].count("step-lost") == 0
        mined = game("b1 = '0304'", stack=MOVING)
        events = mined.apply(move)
        lost = [event for event in events if isinstance(event, StepLost)]
        assert [(event.unit, event.clause) for event in lost] == [("b1", "house.1")]
        assert mined.state.steps_left["b1"] == 1
        assert lost[0] in mined.log("red")
        assert "step-lost" not in [event.kind for event in game("b1 = '0304'", stack=MOVING).apply(Move("b1", "0204"))]


def test_hexwar_on_event_comes_before_the_die_of_a_declared_attack() -> None:
    def withdraw(play: Play, event: Any) -> None:
        if isinstance(event, AttackAnnounced):
            play.push(Losing("red", ("r1",), 1))

    with playing_with(hexwar_on_event=withdraw):
        playing = game("b1 = '0304', r1 = '0404'", stack=ASSEMBLING)
        kinds = [event.kind for event in playing.apply(Resolve())]
    assert kinds.index("attack-declared") < kinds.index("step-lost") < kinds.index("dice-rolled")


@pytest.mark.parametrize("lost", ["b1", "r1"])
def test_hexwar_on_event_may_end_a_declared_attack(lost: str) -> None:
    def ambush(play: Play, event: Any) -> None:
        if isinstance(event, AttackAnnounced):
            play.emit(UnitEliminated(lost, clause=CLAUSE.id))

    with playing_with(hexwar_on_event=ambush):
        playing = game("b1 = '0304', b2 = '0102', r1 = '0404', r2 = '0903'", stack=ASSEMBLING)
        kinds = [event.kind for event in playing.apply(Resolve())]
    assert "unit-eliminated" in kinds
    assert "attack-resolved" not in kinds


def test_shifts_must_cite_a_clause_of_the_index() -> None:
    with playing_with(PARTS={"combat": guns("99")}):
        playing = game("b1 = '0304', r1 = '0404'", stack=ASSEMBLING)
        with pytest.raises(RuleBroken, match="AttackAnnounced cites clause '99', which is not in the rule index"):
            playing.apply(Resolve())


def test_hexwar_on_event_must_cite_a_clause_of_the_index() -> None:
    def careless(play: Play, event: Any) -> None:
        if isinstance(event, UnitMoved):
            play.emit(StepLost(event.unit, clause="no such"))

    with playing_with(hexwar_on_event=careless):
        playing = game("b1 = '0304'", stack=MOVING)
        before = playing.digest
        with pytest.raises(RuleBroken, match="StepLost cites clause 'no such', which is not in the rule index"):
            playing.apply(Move("b1", "0303"))
        assert playing.digest == before


# -- switched off, or not there ---------------------------------------------------------------------------------------


def play_through(seed: int, options: dict[str, object], path: Path) -> tuple[list[str], bytes]:
    """The digests and the save of a game that a seeded player plays for both sides."""
    playing = hexwar.new_game("bridgehead", seed=seed, options=options)
    chance = random.Random(seed)
    digests = [playing.digest]
    while playing.to_move:
        seat = playing.to_move[0]
        playing.apply(playing.offered(seat).sample(chance), seat)
        digests.append(playing.digest)
    playing.save(path)
    return digests, path.read_bytes()


def with_everything() -> Plugins:
    manager = game_plugins()
    rule = house_rule(
        PARTS={
            "movement": Weather,
            "zones": RiversEndZones,
            "stacking": Camp,
            "combat": guns(CLAUSE.id),
            "supply": Fed,
            "victory": Medals,
        },
        hexwar_veto=no_towns,
        hexwar_on_event=mines,
    )
    manager.register(rule, "house")
    return manager


@pytest.mark.parametrize("seed", [1, 2])
def test_a_house_rule_that_is_off_leaves_no_trace(seed: int, tmp_path: Path) -> None:
    with using(game_plugins()):
        without = play_through(seed, {}, tmp_path / "without.json")
    with using(with_everything()):
        assert play_through(seed, {}, tmp_path / "silent.json") == without
        assert play_through(seed, {"house": False}, tmp_path / "off.json") == without
        digests, save = play_through(seed, {"house": True}, tmp_path / "on.json")
        assert digests != without[0]
        assert b'"options": {"barrage": false, "house": true}' in save
    with using(game_plugins()):
        # A game that was played without the house rule loads where it is not installed, and one played with it says so.
        hexwar.load_game(tmp_path / "off.json")
        with pytest.raises(hexwar.SaveError, match=r"on\.json: needs what is not installed: no option is called 'house'"):
            hexwar.load_game(tmp_path / "on.json")


def test_games_with_and_without_do_not_disturb_each_other() -> None:
    with playing_with(PARTS={"movement": DoubledCosts}):
        on, off = (hexwar.new_game("bridgehead", seed=1, options={"house": value}) for value in (True, False))
        assert on.world is not off.world
        assert on.query.reach("bC").costs["0104"] == 2 * off.query.reach("bC").costs["0104"]


def test_the_option_of_the_ruleset_itself() -> None:
    with using(game_plugins()):
        units, state = "units = {bA = '0505', b1 = '0604', r1 = '0504'}", "state = {drawn = ['bA']}"
        text = f"ruleset = 'bridgehead'\noptions = {{barrage = %s}}\n{units}\n{state}"
        off, on = (hexwar.position(text % value).query.odds(["b1"], "0504") for value in ("false", "true"))
        assert on.shifts == (*off.shifts, Shift(1, "barrage by bA", "15.1"))


def test_an_option_with_choices_switches_its_variant_on_where_it_is_not_at_its_default() -> None:
    from tests.engine.toy import INFO

    rules = plugin(hexwar_veto=lambda: None)
    manager = Plugins(installed=False)
    manager.register(
        plugin(hexwar_rulesets=lambda: [_toy_card(INFO)], hexwar_variants=lambda: [Variant("pace", "toy", "Pace", rules)]), "toy"
    )
    assert settle_options({}, manager.options("toy"), "short")["pace"] == "slow"
    with using(manager):
        assert not hexwar.new_game("toy").world.vetoes
        assert not hexwar.new_game("toy", options={"pace": "slow"}).world.vetoes
        assert hexwar.new_game("toy", options={"pace": "fast"}).world.vetoes


def test_a_variant_with_choices_is_off_with_the_first_and_tells_its_rules_which_other_was_chosen(tmp_path: Path) -> None:
    class Slow(Movement):
        def allowance(self, at: Position, unit: str, mode: str = "") -> int:
            return super().allowance(at, unit, mode) - len(str(self.world.options["going"]))

    going = Variant("going", "bridgehead", "The going", plugin(PARTS={"movement": Slow}), choices=("fair", "mud", "ice"))
    manager = game_plugins()
    manager.register(plugin(hexwar_variants=lambda: [going]), "house")
    with using(manager):
        chosen: tuple[dict[str, str], ...] = ({}, {"going": "fair"}, {"going": "mud"})
        silent, fair, mud = (hexwar.new_game("bridgehead", seed=1, options=options) for options in chosen)
        assert [game.world.movement.allowance(game.position, "b1") for game in (silent, fair, mud)] == [4, 4, 1]
        assert ["going" in game.world.options for game in (silent, fair, mud)] == [False, False, True]
        fair.save(tmp_path / "fair")
        mud.save(tmp_path / "mud")
        assert hexwar.load_game(tmp_path / "mud").world.options["going"] == "mud"
        with pytest.raises(HexwarError, match="option going must be one of fair, mud, ice, not True"):
            hexwar.new_game("bridgehead", options={"going": True})
    with using(game_plugins()):
        assert hexwar.load_game(tmp_path / "fair").digest == silent.digest


def _toy_card(info: Any) -> Any:
    return replace(info, entry="tests.engine.toy:RULESET")


# -- mistakes of variants ---------------------------------------------------------------------------------------------


def new_game_error(variant: Variant) -> str:
    manager = game_plugins()
    manager.register(plugin(hexwar_variants=lambda: [variant]), "house")
    with using(manager):
        hexwar.new_game("bridgehead", seed=1)  # as long as it is off, nobody minds
        with pytest.raises(PluginError) as caught:
            hexwar.new_game("bridgehead", seed=1, options={variant.id: True})
    return str(caught.value)


def test_a_variant_whose_clauses_are_taken() -> None:
    rules = plugin(hexwar_veto=lambda: None)
    assert new_game_error(Variant("house", "bridgehead", "House", rules, (Clause("12.1", "always fed"),))) == (
        "variant house: there is a clause 12.1 already; its clauses need ids of their own"
    )


def test_a_variant_whose_rules_do_not_load() -> None:
    assert new_game_error(Variant("house", "bridgehead", "House", "hexwar_bridgehead.no_such")) == (
        "variant house: its rules do not load: ModuleNotFoundError: No module named 'hexwar_bridgehead.no_such'"
    )


def test_variants_that_exclude_each_other() -> None:
    manager = game_plugins()
    mud = Variant("mud", "bridgehead", "Mud", plugin(PARTS={"movement": Weather}), excludes=("barrage",))
    manager.register(plugin(hexwar_variants=lambda: [mud]), "house")
    assert mud.option == Option("mud", "Mud", excludes=("barrage",))
    with using(manager), pytest.raises(HexwarError, match="options mud and barrage exclude each other"):
        hexwar.new_game("bridgehead", options={"mud": True, "barrage": True})
