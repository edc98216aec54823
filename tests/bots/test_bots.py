"""Bots decide by what their side may know, choose only what is offered, and play the same game for the same chance."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator, Mapping
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hexwar
from hexwar.bots import Bot, GreedyBot, KeyedChance, RandomBot, load_bot, move_once, play_to_end
from hexwar.engine import Action, RandomSource, State, View
from hexwar.errors import HexwarError, PluginError, UnknownName
from hexwar.mechanics import Attack, Join
from hexwar.pieces import LoseStep
from hexwar.plugins import Plugins, hookimpl, plugins, use_plugins
from tests.engine import toy


class Watched:
    """Lets another bot choose and looks over its shoulder."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.asked = 0

    def choose(self, view: View, chance: RandomSource) -> Action:
        self.asked += 1
        assert isinstance(view, View)
        assert view.state.draws == 0, "how many numbers were drawn is nobody's business"
        assert all(chit == "?" for chit in view.state.cup)
        chosen = self.bot.choose(view, chance)
        assert chosen in view.legal_actions()
        return chosen


def game(seed: int = 1) -> hexwar.Game:
    return hexwar.new_game("bridgehead", seed=seed)


@given(seed=st.integers(0, 10_000), blue=st.sampled_from(["greedy", "random"]), red=st.sampled_from(["greedy", "random"]))
@settings(max_examples=3)
def test_a_bot_only_chooses_what_is_offered_and_sees_only_its_view(seed: int, blue: str, red: str) -> None:
    bots = {"blue": Watched(load_bot(blue)), "red": Watched(load_bot(red))}
    result = play_to_end(game(seed), bots, random.Random(seed))
    assert result.reason
    assert bots["blue"].asked
    assert bots["red"].asked


def within(*roots: object) -> Iterator[tuple[str, object]]:
    """All that can be reached from some objects by attributes, items, closures and bound arguments, each with the way to it."""
    seen: set[int] = set()
    waiting: list[tuple[str, object]] = [(type(root).__name__, root) for root in roots]
    while waiting:
        way, found = waiting.pop()
        if id(found) in seen or isinstance(found, ModuleType | type):
            continue
        seen.add(id(found))
        yield way, found
        names = [
            *getattr(found, "__dict__", ()),
            *(name for cls in type(found).__mro__ for name in vars(cls).get("__slots__", ())),
        ]
        names += ["__self__", "__func__", "__closure__", "__defaults__", "cell_contents", "func", "args", "keywords", "gi_frame"]
        for name in names:
            with contextlib.suppress(AttributeError, ValueError):
                waiting.append((f"{way}.{name}", getattr(found, name)))
        if isinstance(found, Mapping):
            waiting += [(f"{way}[{key!r}]", value) for key, value in found.items()]
        elif isinstance(found, list | tuple | set | frozenset):
            waiting += [(f"{way}[{number}]", value) for number, value in enumerate(found)]


class Prying:
    """Looks at everything that it can reach before it chooses."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self.looked = 0

    def choose(self, view: View, chance: RandomSource) -> Action:
        chosen = view.sample(chance)
        assert view.question is not None
        list(view.question.offer)
        view.question.example  # noqa: B018 - what is worked out late is there by then
        for way, found in within(view, chance):
            self.looked += 1
            assert not isinstance(found, hexwar.Game), way
            assert not isinstance(found, str) or self.seed not in found, way
            if isinstance(found, State):
                assert found.draws == 0, f"{way} is the true position"
        return chosen


@pytest.mark.parametrize(("ruleset", "scenario"), [("bridgehead", None), ("ava", "training"), ("tow", "training")])
def test_a_bot_that_pries_finds_neither_the_seed_nor_the_true_position(ruleset: str, scenario: str | None) -> None:
    seed = "nobody's business"
    played = hexwar.new_game(ruleset, scenario, seed=seed)
    bot, chance = Prying(seed), KeyedChance(seed)
    for _ in range(40):
        move_once(played, dict.fromkeys(played.world.sides, bot), chance)
    assert played.state.draws
    assert bot.looked > 1000


@pytest.mark.parametrize("name", ["greedy", "random"])
def test_the_same_chance_gives_the_same_game(name: str) -> None:
    games = [game(7), game(7)]
    for played in games:
        bots, chance = {"blue": load_bot(name), "red": load_bot(name)}, KeyedChance(7)
        for _ in range(60):
            move_once(played, bots, chance)
    assert games[0].digest == games[1].digest


def test_greedy_bots_make_a_war() -> None:
    """Given two greedy bots, when they play, then both sides fight, towns change hands and units are lost."""
    attacks: set[str] = set()
    taken = lost = 0
    for seed in (1, 7):
        played = game(seed)
        play_to_end(played, {"blue": GreedyBot(), "red": GreedyBot()}, KeyedChance(seed))
        for event in played.log():
            taken += event.kind == "control-taken"
            lost += event.kind == "unit-eliminated"
            if event.kind == "attack-declared":
                attacks.add(event.battle.side)  # type: ignore[attr-defined]
    assert attacks == {"blue", "red"}
    assert taken >= 2
    assert lost >= 4


@pytest.mark.parametrize("side", ["blue", "red"])
def test_greed_beats_chance(side: str) -> None:
    bots: dict[str, Bot] = {"blue": RandomBot(), "red": RandomBot(), side: GreedyBot()}
    assert [play_to_end(game(seed), bots, KeyedChance(seed)).winner for seed in range(2)] == [side] * 2


def test_greedy_bots_fight_where_what_has_to_be_attacked_cannot_be_called_off() -> None:
    war = hexwar.new_game("wb95", "training", seed=1)
    assert play_to_end(war, {side: GreedyBot() for side in war.world.sides}, KeyedChance(1)).reason


def test_a_bot_without_boldness_attacks_less() -> None:
    at = position(
        '{ kind = "attacking", seat = "blue", units = ["b1", "b2"] }', f'b1 = "0603"\nb2 = "0603"\nr1 = "0604"\n{HOMES}'
    )
    assert str(GreedyBot(boldness=5.0).choose(at.view("blue"), KeyedChance(1))) == "attack 0604"
    assert str(GreedyBot(boldness=-5.0).choose(at.view("blue"), KeyedChance(1))) == "done"


HOMES = 'rA = "0902"\nbA = "0102"'


def position(stack: str, units: str) -> hexwar.Game:
    head = f'ruleset = "bridgehead"\nstate = {{ turn = 1 }}\nstack = [{{ kind = "sequencing" }}, {stack}]'
    return hexwar.position(f"{head}\n[units]\n{units}")


class TestSmallDecisions:
    def test_a_bot_that_is_asked_in_the_middle_of_an_attack_goes_on_with_it(self) -> None:
        """The question says which hex is attacked and who takes part, so it needs no memory."""
        at = position(
            '{ kind = "attacking", seat = "blue", units = ["b1", "b5"] }', 'b1 = "0603"\nb5 = "0704"\nr4 = "0604"\n' + HOMES
        )
        at.apply(Attack("0604"), "blue")
        at.apply(Join("b1"), "blue")
        assert GreedyBot().choose(at.view("blue"), KeyedChance(1)) == Join("b5")
        at.apply(Join("b5"), "blue")
        assert str(GreedyBot().choose(at.view("blue"), KeyedChance(1))) == "resolve the attack"

    def test_a_hopeless_attack_is_not_begun(self) -> None:
        at = position('{ kind = "attacking", seat = "blue", units = ["b4"] }', 'b4 = "0603"\nr1 = "0604"\nr8 = "0604"\n' + HOMES)
        assert str(GreedyBot().choose(at.view("blue"), KeyedChance(1))) == "done"

    def test_an_attack_is_put_together_and_rolled(self) -> None:
        at = position(
            '{ kind = "attacking", seat = "blue", units = ["b1", "b5"] }', 'b1 = "0603"\nb5 = "0704"\nr4 = "0604"\n' + HOMES
        )
        bot = GreedyBot()
        done = []
        for _ in range(4):
            done.append(bot.choose(at.view("blue"), KeyedChance(1)))
            at.apply(done[-1], "blue")
            if at.to_move != ("blue",):
                break
        assert done[0] == Attack("0604")
        assert {action.unit for action in done if isinstance(action, Join)} == {"b1", "b5"}
        assert "resolve the attack" in map(str, done)

    def test_losses_keep_units_alive_and_headquarters_before_all(self) -> None:
        at = position(
            '{ kind = "losing", seat = "blue", units = ["bA", "b1", "b2"], left = 1 }',
            'bA = "0604"\nb1 = { at = "0604", steps = 1 }\nb2 = "0605"\nrA = "0902"',
        )
        assert GreedyBot().choose(at.view("blue"), KeyedChance(1)) == LoseStep("b2")

    def test_nobody_moves_out_of_supply(self) -> None:
        """Given a lone blue unit behind the enemy's lines, when it could go deeper, then it does not."""
        at = position('{ kind = "moving", seat = "blue", units = ["b1"] }', 'b1 = "0303"\nr1 = "0402"\nr2 = "0404"\n' + HOMES)
        chosen = GreedyBot().choose(at.view("blue"), KeyedChance(1))
        at.apply(chosen, "blue")
        assert at.query.supply("b1").supplied


class TestOtherGames:
    """Bots play games that have no hexes as well, if not cleverly."""

    @pytest.mark.parametrize("bot", [RandomBot(), GreedyBot()])
    def test_a_game_without_hexes_is_played_to_its_end(self, bot: Bot) -> None:
        played = toy.new_game()
        assert play_to_end(played, {"north": bot, "south": bot}, KeyedChance(3)) == played.result

    def test_a_seat_comes_before_its_side(self) -> None:
        played = toy.teams_game()
        asked: list[str] = []

        class Noting:
            def __init__(self, name: str) -> None:
                self.name = name

            def choose(self, view: View, chance: RandomSource) -> Action:
                asked.append(f"{self.name}:{view.viewer.seat}")
                return view.sample(chance)

        play_to_end(played, {"n1": Noting("own"), "north": Noting("side"), "south": Noting("side")}, KeyedChance(1))
        assert {"own:n1", "side:n2", "side:s1", "side:s2"} <= set(asked)
        assert "side:n1" not in asked


class TestPlayOut:
    def test_every_side_needs_a_bot(self) -> None:
        with pytest.raises(HexwarError, match="nobody plays red"):
            play_to_end(game(), {"blue": RandomBot()})

    def test_a_bound_is_kept(self) -> None:
        with pytest.raises(HexwarError, match="not over after 5 actions"):
            play_to_end(game(), {"blue": RandomBot(), "red": RandomBot()}, bound=5)

    def test_a_game_that_is_over_stays_as_it_is(self) -> None:
        played = game()
        bots = {"blue": RandomBot(), "red": RandomBot()}
        first = play_to_end(played, bots)
        assert play_to_end(played, bots, bound=0) == first
        assert move_once(played, bots, KeyedChance(0)) == []

    def test_people_are_left_alone(self) -> None:
        played = game()
        while move_once(played, {"red": RandomBot()}, KeyedChance(1)):
            pass
        assert played.to_move == ("blue",)


class TestFindingBots:
    def test_the_bundled_ones_come_through_the_hook(self) -> None:
        assert {"greedy", "random"} <= set(plugins().bots())
        assert isinstance(load_bot("greedy"), GreedyBot)

    def test_an_unknown_one_is_a_sentence(self) -> None:
        with pytest.raises(UnknownName, match="did you mean greedy"):
            load_bot("gredy")

    def test_what_cannot_choose_is_no_bot(self) -> None:
        class Bad:
            @hookimpl
            def hexwar_bots(self) -> dict[str, str]:
                return {"bad": "builtins:object"}

        manager = Plugins(installed=False)
        manager.register(Bad(), "bad")
        use_plugins(manager)
        try:
            with pytest.raises(PluginError, match="has no method choose"):
                load_bot("bad")
        finally:
            use_plugins(None)

    def test_there_is_nothing_else(self) -> None:
        import hexwar.bots

        with pytest.raises(AttributeError, match="GeniusBot"):
            _ = hexwar.bots.GeniusBot
