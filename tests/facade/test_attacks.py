"""The attacks of docs/attacks.md, in small: none may succeed. `python -m tests.facade.attacks` runs them at length."""

from __future__ import annotations

import copy
import json
import os
import pickle
import random
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import hexwar
from hexwar.engine import Game, SeededChance, State
from hexwar.engine._save import to_text
from hexwar.errors import ContentError, HexwarError, Refusal, RefusalCode, SaveError
from hexwar.mechanics import Move
from hexwar.testing._staging.attempts import Claiming
from tests.facade.attacks import bits_flipped, cuts, damaged_positions, loads, reachable, replaced, swapped
from tests.facade.sample import play

HEAD = 'ruleset = "bridgehead"\n'
DEEP = 'stack = [{kind = "sequencing", path = [9]}, {kind = "moving", seat = "blue", units = ["b1"]}]'
BEHIND = "stack = [{kind = 'sequencing', path = [2]}, {kind = 'moving', seat = 'blue', units = ['b1']}"
BEGUN = "stack = [{kind = 'sequencing', path = [0, 1]}"
ASSEMBLING = "{kind = 'assembling', seat = 'blue', battle = {side = 'blue', target = '0504'}, able = ['b1']}"
MOVING = 'stack = [{kind = "moving", seat = "blue", units = ["b1"]}]\n'

# -- texts that lie ---------------------------------------------------------------------------------------------------


def test_a_text_that_claims_to_equal_a_seat_is_taken_for_what_it_says() -> None:
    """Red's liar says that it is blue, and hashes as blue does."""
    game = hexwar.new_game("bridgehead", seed=7)
    while game.to_move != ("blue",):
        game.apply(game.legal_actions(game.to_move[-1])[0], game.to_move[-1])
    with pytest.raises(Refusal) as refused:
        game.apply(game.legal_actions("blue")[0], Claiming("red", "blue"))
    assert refused.value.code is RefusalCode.NOT_YOUR_TURN
    game.apply(game.legal_actions("blue")[0], Claiming("blue", "red"))
    assert type(game.history[-1].seat) is str
    assert game.view(Claiming("red", "blue")).side == "red"
    assert game.log(Claiming("red", "blue")) == game.log("red")


def test_a_text_that_lies_inside_an_action_is_refused() -> None:
    game = hexwar.position(f'{HEAD}units = {{b1 = "0403", r1 = "0505"}}\n{MOVING}')
    for action in (
        Move(Claiming("r1", "b1"), "0404"),
        Move("b1", Claiming("0101", "0404")),
        Move("b1", "0404", Claiming("x", "")),
    ):
        refusal = game.why_not(action, "blue")
        assert refusal is not None
        assert refusal.code is RefusalCode.UNKNOWN_ACTION
    told = {"kind": Claiming("move", "done"), "unit": Claiming("b1", "r1"), "to": Claiming("0404", "0101")}
    game.apply(told, "blue")
    assert {type(value) for value in (game.history[0].action.unit, game.history[0].action.to)} == {str}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "words",
    [
        {"ruleset": Claiming("bridgehead", "ava")},
        {"scenario": Claiming("crossing", "x")},
        {"options": {Claiming("barrage", "x"): True}},
        {"seats": {Claiming("blue", "x"): Claiming("blue", "x"), "red": "red"}},
    ],
)
def test_names_are_kept_as_plain_texts(words: dict[str, Any]) -> None:
    setup = hexwar.new_game(**{"ruleset": "bridgehead", **words}).world.setup
    names = (setup.ruleset, setup.scenario, *setup.options, *setup.seats, *setup.seats.values())
    assert {type(name) for name in names} == {str}


class Equal:
    """Something that equals everything."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash(True)


def test_an_option_is_no_foreign_object() -> None:
    for value in (Equal(), 1, Claiming("x", "y")):
        with pytest.raises(HexwarError, match="option barrage is a switch"):
            hexwar.new_game("bridgehead", options={"barrage": value})


# -- the seed ---------------------------------------------------------------------------------------------------------


def test_a_seed_that_nobody_gave_is_told_when_the_game_is_over() -> None:
    game = hexwar.new_game("bridgehead")
    assert game.seed is None
    play(game, 10_000)
    assert game.result is not None
    assert game.seed == game.chance.seed  # type: ignore[attr-defined]
    assert hexwar.new_game("bridgehead", seed=7).seed == 7
    assert hexwar.new_game("bridgehead", chance=random.Random(1)).seed is None


def test_a_secret_seed_stays_one_in_a_save(tmp_path: Path) -> None:
    game = play(hexwar.new_game("bridgehead"), 5)
    game.save(tmp_path / "a")
    head = json.loads((tmp_path / "a").read_text())
    assert head["seed"] == game.chance.seed  # type: ignore[attr-defined]
    assert "holds the seed and all secrets" in head["note"]
    assert hexwar.load_game(tmp_path / "a").seed is None
    assert (tmp_path / "a").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("ruleset", ["bridgehead", "ava", "tow"])
def test_nothing_that_a_bot_is_given_leads_to_the_seed_or_to_the_true_position(ruleset: str) -> None:
    from hexwar.bots import KeyedChance

    game = play(hexwar.new_game(ruleset, seed="the secret seed"), 60)
    for seat in game.to_move:
        for thing in reachable((game.view(seat), KeyedChance("the secret seed"))):
            assert not isinstance(thing, Game | SeededChance)
            assert not (isinstance(thing, State) and thing.draws)
            assert not (isinstance(thing, str) and "the secret seed" in thing)


# -- saves ------------------------------------------------------------------------------------------------------------


def test_a_save_is_refused_at_every_cut_and_every_flipped_bit(tmp_path: Path) -> None:
    """What still loads has the same values: a blank in place of a line break."""
    game = play(hexwar.new_game("bridgehead", seed=3), 2)
    text = to_text(game)
    for damaged in (*cuts(text), *bits_flipped(text, 0)):
        (tmp_path / "a").write_bytes(damaged)
        if loads(tmp_path / "a"):
            assert json.loads(damaged) == json.loads(text)


def test_swapped_and_replaced_actions_are_refused(tmp_path: Path) -> None:
    game = play(hexwar.new_game("bridgehead", seed=3), 60)
    changed = [*swapped(to_text(game)), *replaced(game)]
    assert len(changed) > 100
    for text in random.Random(1).sample(changed, 60):
        (tmp_path / "a").write_text(text)
        assert not loads(tmp_path / "a")


def test_the_first_changed_action_is_named(tmp_path: Path) -> None:
    """Two moves that lead to the same position are told apart by their links."""
    game = hexwar.new_game("bridgehead", seed=3)
    data = json.loads(to_text(play(game, 40)))
    data["decisions"][39]["link"] = "0" * 16
    (tmp_path / "a").write_text(json.dumps(data))
    with pytest.raises(SaveError, match="does not match its seal from action 40 on: it was damaged or edited"):
        hexwar.load_game(tmp_path / "a")


def test_saving_goes_through_a_link_and_never_into_a_pipe(tmp_path: Path) -> None:
    game = hexwar.new_game("bridgehead", seed=3)
    (tmp_path / "shelf").mkdir()
    (tmp_path / "a").symlink_to(tmp_path / "shelf" / "b")
    game.save(tmp_path / "a")
    assert (tmp_path / "a").is_symlink()
    assert hexwar.load_game(tmp_path / "shelf" / "b").digest == game.digest
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(SaveError, match="pipe: cannot be written: it is no regular file"):
        game.save(tmp_path / "pipe")
    with pytest.raises(SaveError, match="is no name of a file"):
        game.save("a\0b")


def test_what_a_crash_left_behind_is_removed(tmp_path: Path) -> None:
    old, new, other = (tmp_path / f".{name}.part" for name in ("a.x", "a.y", "b.x"))
    for left in (old, new, other):
        left.touch()
    for left in (old, other):
        os.utime(left, (time.time() - 100, time.time() - 100))
    hexwar.new_game("bridgehead", seed=3).save(tmp_path / "a")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".a.y.part", ".b.x.part", "a"]


# -- files that exhaust or hang ---------------------------------------------------------------------------------------


def _save(change: dict[str, object]) -> str:
    return json.dumps({**json.loads(to_text(hexwar.new_game("bridgehead", seed=1))), **change})


BOMBS = {
    "key.toml": lambda: "ruleset = 'bridgehead'\n" + ".".join("a" * 20_000) + " = 1\n",
    "table.toml": lambda: "[" + ".".join(["'a'"] * 20_000) + "]\n",
    "hidden.toml": lambda: 'a = ["""b"""", {' + ".".join("a" * 20_000) + ' = 1}, "c"]\n',
    "values.toml": lambda: "x = [" + "{}, " * 240_000 + "]\n",
    "seats.toml": lambda: "ruleset = 'bridgehead'\n[seats]\nred = 'red'\n" + "".join(f"s{n} = 'blue'\n" for n in range(40_000)),
    "numbers.json": lambda: _save({"decisions": [1] * 1_000_000}),
    "tape.json": lambda: _save({"tape": [True] * 1_000_000, "seed": None}),
    "keys.json": lambda: _save({str(number): 0 for number in range(500_000)}),
    "entry.json": lambda: _save({"decisions": [{str(number): 0 for number in range(500_000)}]}),
    "action.json": lambda: _save(
        {"decisions": [{"seat": "blue", "action": {"kind": "ready", **{str(n): 0 for n in range(500_000)}}}]}
    ),
    "path.json": lambda: _save(
        {"decisions": [{"seat": "blue", "action": {"kind": "move", "unit": "b1", "to": "a", "path": [1] * 10**6}}]}
    ),
    "seats.json": lambda: _save({"seats": {"red": "red", **{f"s{number}": "blue" for number in range(200_000)}}}),
    "lists.json": lambda: _save({"decisions": [[]] * 1_000_000}),
    "board.json": lambda: _save({"position": "ruleset = 'bridgehead'\nboard = '/dev/zero'\n"}),
}


@pytest.mark.parametrize("name", [*BOMBS, "pipe.toml", "pipe.json", "zero.toml", "zero.json"])
def test_small_files_neither_exhaust_memory_nor_hang(name: str, tmp_path: Path) -> None:
    """In a process of its own, with 200 MB more than it has after its imports."""
    path = tmp_path / name
    if name.startswith("pipe"):
        os.mkfifo(path)
    elif name.startswith("zero"):
        path.symlink_to("/dev/zero")
    else:
        path.write_text(BOMBS[name]())
    script = f"""
        import resource, sys, time
        import hexwar
        hexwar.position('ruleset = "bridgehead"')
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + 200_000_000, -1))
        begun = time.process_time()
        try:
            hexwar.{"position" if name.endswith("toml") else "load_game"}({str(path)!r})
        except hexwar.HexwarError as error:
            print(round(time.process_time() - begun, 2), len(str(error)), error)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr[-500:]
    seconds, length, *words = done.stdout.split()
    assert float(seconds) < 10
    assert int(length) < 1500
    assert name in " ".join(words)


# -- positions --------------------------------------------------------------------------------------------------------


def test_a_stack_without_the_sequence_of_play_begins_it_when_its_steps_are_done() -> None:
    game = hexwar.position(f'{HEAD}units = {{b1 = "0403"}}\n{MOVING}')
    while game.state.stack[-1].kind == "moving":
        game.apply(game.legal_actions()[0])
    assert game.to_move


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("stack = [{kind = 'sequencing', path = []}]", "does not fit the game"),
        ("stack = [{kind = 'sequencing', path = [9]}]", "the sequence of play came to its end"),
        (f"units = {{b1 = '0403'}}\n{DEEP}", "stack.0: the sequence of play has no place [9]"),
        (
            f"units = {{b1 = '0403'}}\n{BEHIND}]\nstate = {{phase = 'arrival'}}",
            "stack.0: the sequence of play has no place [2] in the phase 'arrival'",
        ),
        (f"{BEGUN}, {{kind = 'moving', seat = 'green', units = []}}]", "stack.1.seat: no seat is called 'green'"),
        (f"{BEGUN}, {{kind = 'moving', seat = 'blue', units = ['b99']}}]", "stack.1.units.0: no unit is called 'b99'"),
        (f"{BEGUN}, {ASSEMBLING}]", "stack.1.able.0: no unit in play is called 'b1'"),
        ("state = {cup = ['supply', 'nobody']}", "state: cup.1: no chit is called 'nobody'"),
        ("state = {drawn = ['b1']}", "state: drawn.0: no chit is called 'b1'"),
        ("state = {locations = {b1 = 'nowhere'}, steps_left = {b1 = 2}}", "state: locations.b1: no place is called 'nowhere'"),
        ("state = {locations = {b1 = '0403'}, steps_left = {b1 = 99}}", "does not fit the game"),
        ("units = {b1 = '0403'}\nstate = {control = {nowhere = 'blue'}}", "state: control: no hex is called 'nowhere'"),
    ],
)
def test_a_position_that_would_fail_later_is_refused_when_it_is_loaded(text: str, sentence: str) -> None:
    with pytest.raises(ContentError) as refused:
        hexwar.position(f"ruleset = 'bridgehead'\n{text}\n")
    assert str(refused.value).startswith(f"position: {sentence}")


@pytest.mark.parametrize("ruleset", ["ava", "tow"])
def test_a_turn_that_the_track_does_not_have_is_refused(ruleset: str) -> None:
    with pytest.raises(ContentError, match="state: turn: no turn is called 99"):
        hexwar.position(f"ruleset = '{ruleset}'\nstate = {{turn = 99}}\n")


def test_a_segment_that_an_activation_does_not_have_is_refused() -> None:
    stack = "stack = [{kind = 'sequencing'}, {kind = 'activating', seat = 'polish', segment = 99}]"
    with pytest.raises(ContentError, match=r"stack\.1\.segment: 99 is not one of the numbers from 0 to \d"):
        hexwar.position(f"ruleset = 'wop'\nunits = {{5A = '1523'}}\n{stack}\n")


@pytest.mark.parametrize("ruleset", ["bridgehead", "ava", "tow", "wop"])
def test_damaged_positions_are_refused_or_can_be_played(ruleset: str) -> None:
    tally = damaged_positions(ruleset, 120, 5)
    assert tally["loaded"]
    assert tally["failed"] == 0, tally


# -- objects ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, Game.copy])
def test_every_copy_of_a_game_is_a_game_of_its_own(way: Any) -> None:
    game = play(hexwar.new_game("bridgehead", chance=random.Random(2)), 10)
    before = (game.digest, len(game.history), len(game.events), list(game.chance.tape))  # type: ignore[attr-defined]
    twin = way(game)
    play(twin, 40, seed=8)
    twin._state.locations = {}
    assert (game.digest, len(game.history), len(game.events), list(game.chance.tape)) == before  # type: ignore[attr-defined]
    state = way(game.state) if way is not Game.copy else game.state.copy()
    state.selected = {"blue": ("x",)}  # type: ignore[union-attr]
    state.stack.clear()
    assert game.digest == before[0]


def test_a_game_is_not_pickled() -> None:
    with pytest.raises(TypeError, match="a game cannot be pickled: save it"):
        pickle.dumps(hexwar.new_game("bridgehead", seed=1))


def test_threads_that_share_a_game_are_refused_and_spoil_nothing(tmp_path: Path) -> None:
    game = hexwar.new_game("bridgehead", seed=1)
    barred: list[Refusal] = []

    def push(number: int) -> None:
        chance = random.Random(number)
        for _ in range(60):
            try:
                seat = chance.choice(game.to_move)
                game.apply(chance.choice(game.legal_actions(seat)), seat)
            except Refusal as refusal:
                barred.append(refusal)
            except (IndexError, KeyError):  # it read while another thread wrote: reading changes nothing
                pass

    threads = [threading.Thread(target=push, args=(number,)) for number in range(8)]
    was = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(was)
    game.save(tmp_path / "a")
    assert hexwar.load_game(tmp_path / "a").digest == game.digest
    assert barred


def test_a_thread_that_comes_while_another_acts_is_refused() -> None:
    """Whether eight threads meet is chance; here the second comes while the first is surely in the middle of its action."""
    game = hexwar.new_game("bridgehead", seed=1)
    seat = game.to_move[0]
    action = game.legal_actions(seat)[0]
    digest = game.digest
    with game._changing, ThreadPoolExecutor(1) as other:
        error = other.submit(game.apply, action, seat).exception()
    assert isinstance(error, Refusal)
    assert error.code is RefusalCode.BUSY
    assert game.digest == digest
    game.apply(action, seat)


def test_threads_with_games_of_their_own_share_a_world_and_nothing_else() -> None:
    def played(seed: int) -> str:
        return play(hexwar.new_game("bridgehead", seed=seed), 120, seed=seed).digest

    alone = [played(seed) for seed in range(8)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(played, range(8))) == alone


def test_dice_cannot_act() -> None:
    class Dice:
        def randrange(self, stop: int, /) -> int:
            for change in (lambda: game.apply(game.legal_actions(game.to_move[0])[0], game.to_move[0]), game.undo):
                with pytest.raises(Refusal, match="another action is being carried out"):
                    change()
            tried.append(stop)
            return 0

    tried: list[int] = []
    game = hexwar.new_game("bridgehead", seed=1)
    game = Game(game.ruleset, game.world, game.first_state, hexwar.engine.TapedChance(Dice()))
    play(game, 60)
    assert tried
    assert len(game.history) == 60


def test_nobody_writes_into_what_is_shared() -> None:
    game = play(hexwar.new_game("bridgehead", seed=1), 10_000)
    view = game.view("blue")
    assert view.result is not None
    for shared in (view.result.scores, view.position.world.seats, view.position.world.options):
        with pytest.raises(TypeError):
            shared["red"] = 99  # type: ignore[index]
    assert pickle.loads(pickle.dumps(view.result)) == copy.deepcopy(view.result) == game.result


# -- dice, and the rest -----------------------------------------------------------------------------------------------


class Given:
    """Dice that give this."""

    def __init__(self, outcome: object) -> None:
        self.outcome = outcome

    def randrange(self, stop: int, /) -> Any:
        return self.outcome


@pytest.mark.parametrize("outcome", [True, 0.0, None, "0"])
def test_dice_give_whole_numbers(outcome: object) -> None:
    with pytest.raises(HexwarError, match="a source of chance gives whole numbers, not"):
        play(hexwar.new_game("bridgehead", chance=Given(outcome)), 100)


def test_numbers_of_numpy_become_plain_ones(tmp_path: Path) -> None:
    numpy = pytest.importorskip("numpy")
    game = play(hexwar.new_game("bridgehead", chance=Given(numpy.int64(0))), 60)
    assert {type(number) for number in game.chance.tape} == {int}  # type: ignore[attr-defined]
    game.save(tmp_path / "a")
    assert hexwar.load_game(tmp_path / "a").digest == game.digest


@pytest.mark.parametrize("load", [hexwar.load_game, hexwar.load_board, hexwar.position])
def test_a_null_in_a_path_is_a_sentence(load: Any) -> None:
    with pytest.raises(HexwarError):
        load("a\0b")


# -- boards that were corrected ---------------------------------------------------------------------------------------


def test_a_save_of_a_board_that_was_corrected_since_loads_with_the_board_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hexwar.plugins import plugins

    game = play(hexwar.new_game("bridgehead", seed=4), 30)
    game.save(tmp_path / "a")
    (tmp_path / "fixes").mkdir()
    fix = f'format = 1\nid = "{game.world.board.id}"\n[[hex]]\nhex = "0101"\nproperties = {{ note = "checked" }}\n'
    (tmp_path / "fixes" / "fix.toml").write_text(fix)
    monkeypatch.setenv("HEXWAR_CORRECTIONS", str(tmp_path / "fixes"))
    with pytest.raises(
        SaveError, match="a: was played with another board than there is here; if a map was corrected since, pass the"
    ):
        hexwar.load_game(tmp_path / "a")
    (tmp_path / "old.toml").write_text(plugins().maps()["bridgehead/crossing"].read_text(encoding="utf-8"))
    for board in ("bridgehead/crossing", tmp_path / "old.toml"):
        assert hexwar.load_game(tmp_path / "a", board=board).digest == game.digest
