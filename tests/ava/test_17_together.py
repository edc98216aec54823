"""17 The optional rules as plugins: announced, switched on by name, in any combination, and gone without a trace when off."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
from pathlib import Path

import pytest

import hexwar
from hexwar.bots import KeyedChance, load_bot, move_once
from hexwar.engine import Action, Event, Game
from hexwar.engine._save import to_text
from hexwar.plugins import Plugins
from hexwar.testing import conformance_suite, play_at_random
from hexwar_ava.world import RULES
from hexwar_ava_optional import VARIANTS
from tests.plugins.sample import using

NAMES = [variant.id for variant in VARIANTS]
PAIRS = [*((name,) for name in NAMES), *itertools.combinations(NAMES, 2)]
"""Each alone, and every two of them: none excludes another."""
ALL = dict.fromkeys(NAMES, True)


# -- as plugins ----------------------------------------------------------------------------------------------------------


def test_the_card_shows_them_with_their_clauses() -> None:
    from hexwar.plugins import plugins

    options = {option.id: option for option in plugins().options("ava")}
    assert {name: options[name].clause for name in NAMES} == {
        "bidding": "17.1.1",
        "reserves": "17.2.1",
        "relocation": "17.3.1",
        "soviet-supply": "17.4.1",
        "armour-limit": "17.5.1",
        "panzer-headquarters": "17.6.1",
    }
    RULES.require({name: options[name].clause for name in NAMES})
    assert {clause.option for clause in RULES.values() if clause.chapter == "17"} == set(NAMES)


def test_announcing_them_imports_no_rules() -> None:
    code = (
        "import sys, hexwar_ava_optional as plugin; plugin.hexwar_variants();"
        "assert not [name for name in sys.modules if name.startswith(('hexwar_ava_optional.', 'hexwar_ava.'))], sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300)


def without_the_plugin() -> Plugins:
    return Plugins(block=["ava-optional"])


def record_of(options: dict[str, object]) -> tuple[list[str], str]:
    """A random game, digest by digest, and its save."""
    game = hexwar.new_game("ava", "training", seed=5, options=options)
    digests = [game.digest]
    play_at_random(game, random.Random(5), on_step=lambda game, seat, action, events: digests.append(game.digest))
    return digests, to_text(game)


def test_switched_off_they_leave_no_trace() -> None:
    """As if the plugin were not installed: every digest, and the save byte for byte."""
    with using(without_the_plugin()):
        assert "reserves" not in [option.id for option in hexwar.plugins.plugins().options("ava")]
        bare = record_of({})
    assert record_of({}) == bare
    assert record_of(dict.fromkeys(NAMES, False)) == bare


def test_a_game_with_one_is_not_loaded_without_the_plugin(tmp_path: Path) -> None:
    game = hexwar.new_game("ava", "training", seed=5, options={"reserves": True})
    game.save(tmp_path / "game.hexwar")
    with using(without_the_plugin()), pytest.raises(hexwar.SaveError, match="no option is called 'reserves'"):
        hexwar.load_game(tmp_path / "game.hexwar")


@pytest.mark.parametrize("name", NAMES)
def test_only_those_that_are_on_are_in_the_save_and_only_their_parts_in_the_game(name: str) -> None:
    game = hexwar.new_game("ava", "training", seed=5, options={name: True})
    plain = hexwar.new_game("ava", "training", seed=5)
    assert set(game.world.options) == {*plain.world.options, name}
    home = "hexwar_ava_optional"
    brought = {part.__module__ for part in (*game.ruleset.actions, *game.ruleset.events) if part.__module__.startswith(home)}
    assert brought <= {f"{home}.{name.replace('-', '_')}", f"{home}.notes"}
    assert not any(part.__module__.startswith(home) for part in (*plain.ruleset.actions, *plain.ruleset.events))


# -- in play ---------------------------------------------------------------------------------------------------------------


def look(game: Game, seat: str, action: Action, events: list[Event]) -> None:
    if len(game.history) % 50 == 0 or game.result is not None:
        broken = [(invariant.title, invariant.broken(game.position)) for invariant in game.ruleset.invariants]
        assert not [(title, why) for title, why in broken if why]


def survives(scenario: str, names: tuple[str, ...], games: int) -> None:
    for seed in range(games):
        key = f"{scenario} {names} {seed}"
        options = {"auto-setup": scenario != "training", **dict.fromkeys(names, True)}
        game = hexwar.new_game("ava", scenario, seed=key, options=options)
        assert play_at_random(game, random.Random(key), on_step=look).finished, key
        assert game.result is not None


@pytest.mark.parametrize("names", PAIRS, ids="+".join)
@pytest.mark.parametrize("scenario", ["training", "leningrad"])
def test_17_1_1_random_games_come_to_their_end(scenario: str, names: tuple[str, ...]) -> None:
    survives(scenario, names, 2)


@pytest.mark.long
@pytest.mark.parametrize("scenario", ["smolensk", "smolensk-short", "kiev", "campaign"])
@pytest.mark.parametrize("names", [*((name,) for name in NAMES), tuple(NAMES)], ids="+".join)
def test_17_1_1_on_the_larger_maps_too(scenario: str, names: tuple[str, ...]) -> None:
    survives(scenario, names, 1)


@pytest.mark.parametrize("names", [*((name,) for name in NAMES), tuple(NAMES)], ids="+".join)
def test_17_1_1_the_commander_knows_what_to_do(names: tuple[str, ...]) -> None:
    game: Game = hexwar.new_game("ava", "training", seed=2, options=dict.fromkeys(names, True))
    bots = {side: load_bot("ava-commander") for side in ("axis", "soviet")}
    chance = KeyedChance(2)
    while game.to_move:
        move_once(game, bots, chance)
        assert len(game.history) < 1_500
    if "bidding" in names:
        assert game.state.notes["bid"][0] == "12"


TestWithAllOfThem = conformance_suite("ava", scenarios=["training"], options=ALL)
