"""Starting games: what is asked for by a wrong name, seeds, and chance from elsewhere."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import hexwar
from hexwar.engine import DiceRolled, Game
from hexwar.errors import HexwarError, UnknownName
from hexwar.facade import MAX_KEPT_WORLDS
from hexwar.plugins import plugins
from tests.facade.sample import play, text_of
from tests.plugins.sample import game_plugins, using


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"ruleset": "bridghead"}, "no ruleset is called 'bridghead'; did you mean bridgehead?"),
        ({"ruleset": "chess"}, "no ruleset is called 'chess'; known: bridgehead"),
        ({"scenario": "crosing"}, "no scenario of bridgehead is called 'crosing'; did you mean crossing?"),
        ({"options": {"barage": True}}, "no option is called 'barage'; did you mean barrage?"),
        ({"options": {"barrage": "yes"}}, "option barrage is a switch: true or false, not 'yes'"),
        (
            {"seats": {"ann": "blue", "bob": "green"}},
            "no side of bridgehead (for seat 'bob') is called 'green'; known: blue, red",
        ),
        ({"seats": {"ann": "blue"}}, "nobody plays red: every side needs a seat"),
        ({"seats": {"red": "blue", "blue": "red"}}, "seat 'red' has the name of another side than its own, 'blue'"),
        ({"seed": 1.5}, "a seed is a whole number or a string, not 1.5"),
        ({"seed": True}, "a seed is a whole number or a string, not True"),
        ({"chance": 6}, "a source of chance has a method randrange, as random.Random has it; 6 has none"),
    ],
)
def test_a_mistake_is_a_sentence_with_a_hint(arguments: dict[str, Any], sentence: str) -> None:
    with using(game_plugins()), pytest.raises(HexwarError) as caught:
        hexwar.new_game(**{"ruleset": "bridgehead", **arguments})
    assert str(caught.value) == sentence


def test_no_scenario_is_the_first() -> None:
    assert hexwar.new_game("bridgehead").world.setup.scenario == "crossing"


@pytest.mark.parametrize("seed", [7, -1, 0, 2**80, "spring", ""])
def test_the_same_seed_gives_the_same_game(seed: int | str, tmp_path: Path) -> None:
    one, two = (play(hexwar.new_game("bridgehead", seed=seed), 40) for _ in range(2))
    assert (one.digest, one.history) == (two.digest, two.history)
    one.save(tmp_path / "game.json")
    assert hexwar.load_game(tmp_path / "game.json").chance.seed == seed  # type: ignore[attr-defined]


def test_a_number_and_its_text_are_different_seeds() -> None:
    one, two = (play(hexwar.new_game("bridgehead", seed=seed), 40) for seed in (7, "7"))
    assert one.state.draws == 0 or one.digest != two.digest


def test_no_seed_is_a_fresh_one_that_is_saved(tmp_path: Path) -> None:
    games = [hexwar.new_game("bridgehead") for _ in range(3)]
    assert len({game.chance.seed for game in games}) == 3  # type: ignore[attr-defined]
    game = play(games[0], 60)
    game.save(tmp_path / "game.json")
    assert play(hexwar.load_game(tmp_path / "game.json"), 30).digest == play(game, 30).digest


class Sixes:
    """Dice that are always at their best."""

    def randrange(self, stop: int, /) -> int:
        return stop - 1


def test_chance_comes_from_where_one_says(tmp_path: Path) -> None:
    game = play(hexwar.new_game("bridgehead", chance=Sixes()), 10_000, seed=3)
    assert {event.dice for event in game.events if isinstance(event, DiceRolled)} == {(6,)}
    assert '"seed": null' in text_of(game, tmp_path)
    assert hexwar.load_game(tmp_path / "game.json").digest == game.digest


def test_a_random_is_a_source_of_chance() -> None:
    one, two = (play(hexwar.new_game("bridgehead", chance=random.Random(3)), 60) for _ in range(2))
    assert one.digest == two.digest


def test_games_of_the_same_make_share_a_world_and_nothing_else() -> None:
    with using(game_plugins()):
        one, two = hexwar.new_game("bridgehead", seed=1), hexwar.new_game("bridgehead", seed=2)
        assert one.world is two.world
        before = two.digest
        play(one, 30)
        assert two.digest == before
        assert hexwar.new_game("bridgehead", options={"barrage": True}).world is not one.world


def test_worlds_are_not_kept_for_ever() -> None:
    with using(game_plugins()):
        for number in range(MAX_KEPT_WORLDS + 3):
            hexwar.new_game("bridgehead", seats={f"b{number}": "blue", "red": "red"})
        assert len(plugins().worlds) == MAX_KEPT_WORLDS


def test_an_unknown_ruleset_where_there_is_none() -> None:
    from tests.plugins.sample import empty

    with using(empty()), pytest.raises(UnknownName, match="no ruleset is called 'bridgehead'; there is no ruleset at all"):
        hexwar.new_game("bridgehead")


# -- several players a side -------------------------------------------------------------------------------------------

TEAMS = {"blue-1": "blue", "blue-2": "blue", "red": "red"}


def test_several_seats_of_a_side_play_a_game_to_its_end(tmp_path: Path) -> None:
    game = play(hexwar.new_game("bridgehead", seed=5, seats=TEAMS), 10_000, seed=5)
    assert game.result is not None
    alone = play(hexwar.new_game("bridgehead", seed=5), 10_000, seed=5)
    assert game.result == alone.result
    game.save(tmp_path / "game.json")
    assert hexwar.load_game(tmp_path / "game.json").world.seats == TEAMS


def test_the_first_seat_of_a_side_decides_and_the_other_looks_on() -> None:
    game: Game = hexwar.new_game("bridgehead", seed=5, seats=TEAMS)
    assert game.to_move == ("blue-1", "red")
    [chit, *_] = game.legal_actions("blue-1")
    assert game.legal_actions("blue") == game.legal_actions("blue-1"), "only one of Blue's seats is asked"
    with pytest.raises(hexwar.Refusal) as caught:
        game.apply(chit, "blue-2")
    assert caught.value.code == hexwar.RefusalCode.NOT_YOUR_TURN
    game.apply(chit, "blue-1")
    assert game.view("blue-2").state.selected == game.view("blue-1").state.selected == {"blue": (chit.chit,)}  # type: ignore[attr-defined]
    assert game.view("red").state.selected == {}
    with pytest.raises(hexwar.Refusal, match="blue-1, blue-2 sit for blue: say which seat"):
        game.view("blue")


def test_a_seat_may_have_the_name_of_its_side_only_if_it_is_the_only_one() -> None:
    with pytest.raises(HexwarError, match="the seat 'blue' has the name of a side, so it must be the only seat of that side"):
        hexwar.new_game("bridgehead", seats={"blue": "blue", "blue-2": "blue", "red": "red"})


# -- seatings by name ---------------------------------------------------------------------------------------------------


def test_a_seating_is_chosen_by_its_name(tmp_path: Path) -> None:
    game = hexwar.new_game("ava", "campaign", seed=1, seats="5-players", options={"auto-setup": True})
    assert [*game.world.seats] == ["north", "centre", "south", "soviets-leningrad-smolensk", "soviets-kiev"]
    game.save(tmp_path / "five.hexwar")
    assert hexwar.load_game(tmp_path / "five.hexwar").world.seats == game.world.seats


def test_an_option_may_bring_a_seating_and_a_seat_of_no_side(tmp_path: Path) -> None:
    options = {"auto-setup": True, "many-players": "controller", "controller": "seat"}
    game = hexwar.new_game("ava", "campaign", seed=1, options=options)
    assert dict(game.world.seats) == {
        "north": "axis",
        "centre": "axis",
        "south": "axis",
        "soviet": "soviet",
        "controller": "neutral",
    }
    assert game.world.sides == ("axis", "soviet")
    game.save(tmp_path / "seat.hexwar")
    assert hexwar.load_game(tmp_path / "seat.hexwar").world.seats == game.world.seats


def test_a_seat_of_no_side_is_nobodys_to_take() -> None:
    options = {"many-players": "controller", "controller": "seat"}
    seats = {"north": "axis", "centre": "axis", "south": "axis", "soviet": "soviet", "controller": "axis"}
    with pytest.raises(HexwarError, match="seat 'controller' belongs to no side in this game, so it cannot be one of axis"):
        hexwar.new_game("ava", "campaign", options=options, seats=seats)
    with pytest.raises(UnknownName, match="no side of ava"):
        hexwar.new_game("ava", "campaign", seats={"axis": "axis", "soviet": "soviet", "controller": "neutral"})
