"""Saves go on in another process as they would have here, and what a side may not know makes no difference to what it is told.

A save holds everything, the selections of both sides included: it is the referee's. What a player gets is a view and a log.
"""

from __future__ import annotations

import gc
import json
import os
import random
import subprocess
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

import hexwar
from hexwar.bots import KeyedChance, RandomBot, move_once
from hexwar.engine import Action, Game
from hexwar.errors import HexwarError
from hexwar.mechanics import Interrupt, Move, Moving, Ready, Select, SelectRest
from hexwar.mechanics._chits import ChitDrawn
from hexwar.testing import playout
from tests.ava.table import position, seen

ON = """
import sys
import hexwar
from hexwar.bots import KeyedChance, RandomBot, move_once
game = hexwar.load_game(sys.argv[1])
chance = KeyedChance("afterwards")
for _ in range(int(sys.argv[2])):
    move_once(game, {"axis": RandomBot(), "soviet": RandomBot()}, chance)
print(game.digest, len(game.history))
"""


def go_on(game: Game, actions: int, key: str) -> None:
    chance = KeyedChance(key)
    for _ in range(actions):
        move_once(game, {"axis": RandomBot(), "soviet": RandomBot()}, chance)


@pytest.mark.parametrize(("scenario", "before", "after"), [("training", 40, 200), ("leningrad", 250, 120), ("campaign", 300, 60)])
def test_5_0_1_a_save_goes_on_alike_in_another_process(tmp_path: Path, scenario: str, before: int, after: int) -> None:
    game = hexwar.new_game("ava", scenario, seed=8, options={"auto-setup": scenario == "campaign"})
    go_on(game, before, "before")
    file = tmp_path / "game.hexwar"
    game.save(file)
    loaded = hexwar.load_game(file)
    assert (loaded.digest, loaded.to_move) == (game.digest, game.to_move)
    assert [event.to_json() for event in loaded.events] == [event.to_json() for event in game.events]
    go_on(game, after, "afterwards")
    for seed in ("1", "4711"):
        command = [sys.executable, "-c", ON, str(file), str(after)]
        told = subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True)
        assert told.stdout.split() == [game.digest, str(len(game.history))]


def test_5_0_1_a_save_of_every_scenario_loads(tmp_path: Path) -> None:
    for scenario in ("smolensk", "smolensk-short", "kiev"):
        game = hexwar.new_game("ava", scenario, seed=3, options={"auto-setup": True})
        playout(game, random.Random(3), stop_after=120)
        game.save(tmp_path / scenario)
        assert hexwar.load_game(tmp_path / scenario).digest == game.digest


def test_6_1_3_a_save_is_the_referees_and_a_view_is_a_players(tmp_path: Path) -> None:
    game = hexwar.new_game("ava", "training", seed=1)
    while not any(isinstance(action, Select) for action in game.legal_actions("axis")):
        game.apply(game.legal_actions()[0], game.to_move[0])
    chosen = next(action for action in game.legal_actions("axis") if isinstance(action, Select))
    game.apply(chosen, "axis")
    game.save(tmp_path / "game.hexwar")
    assert json.dumps(chosen.to_json()) in (tmp_path / "game.hexwar").read_text()
    told = seen(game, "soviet")
    assert not told["view"]["state"]["selected"].get("axis")
    assert not [event for event, _ in told["log"] if event["kind"] == "chit-selected"]
    assert [event for event, _ in seen(game, "axis")["log"] if event["kind"] == "chit-selected"]


def test_6_1_3_an_altered_save_is_refused(tmp_path: Path) -> None:
    game = hexwar.new_game("ava", "training", seed=1)
    playout(game, random.Random(1), stop_after=30)
    file = tmp_path / "game.hexwar"
    game.save(file)
    text = file.read_text()
    file.write_text(text.replace('"seed": 1', '"seed": 2'))
    with pytest.raises(HexwarError):
        hexwar.load_game(file)


# -- what is hidden ------------------------------------------------------------------------------------------


def other(side: str) -> str:
    return "soviet" if side == "axis" else "axis"


def disguised(game: Game, viewer: str, chance: random.Random) -> Game | None:
    """The same position with other secrets of the viewer's enemy, all of which the viewer must hold for possible; None if there
    are no others."""
    twin, enemy = game.copy(), other(viewer)
    state, world = twin.state, game.world
    shown = {event.chit for event in game.events if isinstance(event, ChitDrawn)}
    # 18.1.4: other armies made available, but for those whose chits have been drawn.
    added = [chit for chit in state.added.get(enemy, ()) if chit in shown]
    choices = [c.id for c in world.chits.values() if c.choice and c.side == enemy and c.id not in added]
    missing = len(state.added.get(enemy, ())) - len(added)
    if missing:
        state.added[enemy] = (*added, *chance.sample(choices, missing))
    selecting = state.phase == "selection"
    drawn = () if selecting else state.drawn
    open_to = [chit for chit in world.cup.available(twin.position, enemy) if chit not in drawn]
    interrupts = [chit for chit in open_to if world.chits[chit].kind == "interrupt"]
    plain = [chit for chit in open_to if chit not in interrupts]
    if enemy == "axis" and interrupts:  # 6.3.1: held or not
        held = tuple(chit for chit in interrupts if chance.random() < 0.5)
        state.hand.pop(enemy, None)
        if held:
            state.hand[enemy] = held
    plain = [chit for chit in plain if chit not in state.hand.get(enemy, ())]
    if selecting:
        state.selected.pop(enemy, None)
        number = chance.randrange(min(len(plain), 4) + 1)
        if number:
            state.selected[enemy] = tuple(chance.sample(plain, number))
    else:
        mine = [chit for chit in state.cup if world.chits[chit].side != enemy]
        theirs = len(state.cup) - len(mine)
        if theirs > len(plain):
            return None
        state.cup = tuple(sorted([*mine, *chance.sample(plain, theirs)]))
    same = all(getattr(state, name) == getattr(game.state, name) for name in ("cup", "hand", "selected", "added"))
    return None if same else twin


def probes(game: Game, viewer: str) -> Iterator[Action]:
    """What a curious player might try."""
    yield from (Ready(), SelectRest(), Interrupt("ger-manstein"))
    for chit in game.world.chits:
        yield Select(chit)
        yield Select(chit, True)
        yield Interrupt(chit)
    mine = [unit for unit, counter in game.world.units.items() if counter.side == viewer][:3]
    yield from (Move(unit, next(iter(game.world.board.labels))) for unit in mine)


def told_to(game: Game, viewer: str) -> bytes:
    """All that a player gets to see or can find out by asking, as bytes."""
    answers = [str(game.why_not(action, viewer)) for action in probes(game, viewer)]
    try:
        undo = str(game.copy().undo(viewer))
    except HexwarError as error:
        undo = str(error)
    return json.dumps([seen(game, viewer), answers, undo], sort_keys=True).encode()


@pytest.mark.parametrize(("scenario", "seeds", "every"), [("training", 6, 3), ("leningrad", 2, 23)])
def test_6_1_3_secrets_make_no_difference_to_what_the_other_side_is_told(scenario: str, seeds: int, every: int) -> None:
    compared = {"axis": 0, "soviet": 0}
    for seed in range(seeds):
        game = hexwar.new_game("ava", scenario, seed=seed, options={"auto-setup": True})
        chance = random.Random(seed)
        while game.to_move:
            playout(game, chance, stop_after=every)
            if not game.to_move or game.state.stack[-1].kind == "playing-held":
                continue
            for viewer in ("axis", "soviet"):
                twin = disguised(game, viewer, chance)
                if twin is not None:
                    assert told_to(game, viewer) == told_to(twin, viewer)
                    compared[viewer] += 1
    assert all(number > 3 for number in compared.values()), compared


def test_6_1_3_two_selections_of_the_same_number_cannot_be_told_apart() -> None:
    """The other side's log as well: it has seen two games with different choices."""
    compared = 0
    for seed in range(12):
        game = hexwar.new_game("ava", "leningrad", seed=seed, options={"auto-setup": True})
        chance = random.Random(seed)
        while game.state.phase != "selection":
            playout(game, chance, stop_after=1)
        for side in ("axis", "soviet"):
            chits = [action.chit for action in game.legal_actions(side) if isinstance(action, Select) and not action.hold]
            if len(chits) < 2:
                continue
            twins = []
            for chit in chance.sample(chits, 2):
                twin = game.copy()
                twin.apply(Select(chit), side)
                twin.apply(Ready(), side)
                twins.append(told_to(twin, other(side)))
            assert twins[0] == twins[1]
            compared += 1
    assert compared > 12


@pytest.mark.parametrize("scenario", ["training", "leningrad"])
def test_6_3_1_nobody_can_tell_whether_manstein_is_held(scenario: str) -> None:
    """Two games that are alike but for a chit in the hand: as long as it is not played, the Soviets see the same."""
    followed = 0
    for seed in range(4):
        game: Game = hexwar.new_game("ava", scenario, seed=seed, options={"auto-setup": True})
        chance = random.Random(seed)
        while game.state.phase != "selection":
            playout(game, chance, stop_after=1)
        holding = game.copy()
        held = next(action for action in holding.legal_actions("axis") if isinstance(action, Select) and action.hold)
        holding.apply(held, "axis")
        for side in ("axis", "soviet"):
            for action in (*[a for a in game.legal_actions(side) if isinstance(a, Select) and not a.hold][:2], Ready()):
                game.apply(action, side)
                holding.apply(action, side)
                assert told_to(game, "soviet") == told_to(holding, "soviet")
        while game.state.cup and game.to_move:
            assert told_to(game, "soviet") == told_to(holding, "soviet")
            seat = game.to_move[0]
            action = game.offered(seat).sample(chance)
            game.apply(action, seat)
            holding.apply(action, seat)
            followed += 1
    assert followed > 20


def test_nothing_keeps_the_world_of_a_game_that_is_gone() -> None:
    """Tables, lines and chits are kept in the world itself, so thousands of small positions do not fill the memory."""
    game = position({"ger-1": "1010", "su-179": "1011"}, Moving("axis", ("ger-1",)))
    game.legal_actions()
    game.view("axis")
    game.query.score()
    game.world.cup.available(game.position, "axis")
    world = weakref.ref(game.world)
    del game
    gc.collect()
    assert world() is None
