"""Chance: a keyed stream that is the same everywhere, and tapes of other sources."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexwar.engine import SeededChance, TapedChance
from hexwar.errors import HexwarError, SaveError

ROOT = Path(__file__).resolve().parents[2]


def test_the_stream_is_the_one_of_every_released_version() -> None:
    """Another stream would make every saved game unloadable."""
    assert [SeededChance(7).draw(n, 6) for n in range(20)] == [2, 5, 0, 5, 1, 2, 3, 5, 5, 1, 1, 5, 3, 5, 5, 3, 4, 1, 3, 4]
    assert [SeededChance("seven").draw(n, 100) for n in range(8)] == [12, 1, 6, 74, 93, 8, 3, 81]
    assert SeededChance(0).draw(10**6, 1 << 64) == 13181780084960121093


@pytest.mark.parametrize("hash_seed", ["0", "4711"])
def test_the_stream_and_a_whole_game_are_equal_in_another_process(hash_seed: str) -> None:
    from tests.engine.toy import new_game, play_on

    program = (
        "from hexwar.engine import SeededChance\n"
        "from tests.engine.toy import new_game, play_on\n"
        "game = new_game(5)\n"
        "play_on(game, range(1, 400, 3))\n"
        "print([SeededChance('x').draw(n, 20) for n in range(50)])\n"
        "print(game.digest, hash('x'))\n"
        "print(repr(game.events))\n"
    )
    env = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True, timeout=300)
    draws, digest, events = done.stdout.splitlines()
    game = new_game(5)
    play_on(game, range(1, 400, 3))
    assert draws == str([SeededChance("x").draw(n, 20) for n in range(50)])
    assert digest.split()[0] == game.digest
    assert events == repr(game.events)
    assert game.result is not None


def test_every_outcome_is_about_equally_likely() -> None:
    chance = SeededChance("fair")
    for size in (2, 6, 10):
        counted = Counter(chance.draw(n, size) for n in range(6000))
        expected = 6000 / size
        assert sum((counted[face] - expected) ** 2 / expected for face in range(size)) < 3 * size


@given(st.integers() | st.text(st.characters(codec="utf-8")), st.integers(0, 10**9), st.integers(1, 1 << 64))
def test_draws_stay_in_range_and_repeat(seed: int | str, counter: int, size: int) -> None:
    outcome = SeededChance(seed).draw(counter, size)
    assert 0 <= outcome < size
    assert SeededChance(seed).draw(counter, size) == outcome


def test_a_value_in_the_biased_rest_is_drawn_again() -> None:
    """A quarter of the values is the rest here; taken modulo, it would make the lowest third as likely as the others together."""
    size = 3 << 62
    draws = [SeededChance(1).draw(n, size) for n in range(600)]
    assert 160 < sum(draw < size // 3 for draw in draws) < 240


def test_number_and_word_are_different_seeds() -> None:
    assert [SeededChance(1).draw(n, 1000) for n in range(5)] != [SeededChance("1").draw(n, 1000) for n in range(5)]


@pytest.mark.parametrize("seed", [True, None, 1.5, b"x"])
def test_a_seed_that_no_save_could_keep_is_refused(seed: object) -> None:
    with pytest.raises(HexwarError, match="a seed is a whole number or a string, not"):
        SeededChance(seed)  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [0, -1, (1 << 64) + 1])
def test_what_cannot_be_drawn_is_an_error_and_no_endless_loop(size: int) -> None:
    with pytest.raises(ValueError, match=f"one of {size} outcomes cannot be drawn"):
        SeededChance(1).draw(0, size)


class Script:
    def __init__(self, *outcomes: int) -> None:
        self.outcomes = outcomes
        self.at = 0

    def randrange(self, stop: int, /) -> int:
        self.at += 1
        return self.outcomes[self.at - 1]


def test_a_tape_notes_what_its_source_gives_and_repeats_it() -> None:
    chance = TapedChance(Script(5, 2, 0))
    assert [chance.draw(n, 6) for n in range(3)] == [5, 2, 0]
    assert [chance.draw(n, 6) for n in range(3)] == [5, 2, 0]
    assert chance.tape == [5, 2, 0]
    assert [TapedChance(None, chance.tape).draw(n, 6) for n in range(3)] == [5, 2, 0]


def test_a_tape_without_a_source_goes_on_the_same_way_however_often_it_is_loaded() -> None:
    first = TapedChance(None, [5, 2])
    played = [first.draw(n, 6) for n in range(10)]
    again = TapedChance(None, played[:6])
    assert [again.draw(n, 6) for n in range(10)] == played


def test_a_tape_may_begin_at_a_later_draw() -> None:
    chance = TapedChance(Script(4, 3))
    assert [chance.draw(n, 6) for n in (2, 3)] == [4, 3]
    assert chance.tape == [0, 0, 4, 3]


@pytest.mark.parametrize("outcome", [-1, 6])
def test_an_outcome_that_no_die_has_is_named(outcome: int) -> None:
    for chance in (TapedChance(None, [1, outcome]), TapedChance(Script(1, outcome))):
        assert chance.draw(0, 6) == 1
        with pytest.raises(SaveError, match=f"draw 2 is {outcome}, but it must be from 0 to 5"):
            chance.draw(1, 6)
    assert chance.tape == [1]


def test_forks_do_not_disturb_each_other() -> None:
    for source in (Script(*range(6)), random.Random(3)):
        chance, alone = TapedChance(source), TapedChance(Script(*range(6)) if isinstance(source, Script) else random.Random(3))
        first = chance.draw(0, 6)
        twin = chance.fork()
        theirs = [twin.draw(n, 6) for n in range(4)]
        ours = [chance.draw(n, 6) for n in range(4)]
        assert theirs == ours == [alone.draw(n, 6) for n in range(4)]
        assert theirs[0] == first
        twin.draw(4, 6)
        assert len(chance.tape) == 4
    seeded = SeededChance(1)
    assert seeded.fork().draw(3, 6) == seeded.draw(3, 6)


@pytest.mark.parametrize("source", [random, random.SystemRandom()])
def test_a_source_that_cannot_be_copied_is_shared(source: random.Random) -> None:
    assert 0 <= TapedChance(source).fork().draw(0, 6) < 6


def test_a_rewound_tape_forgets_what_never_happened() -> None:
    chance = TapedChance(Script(5, 2, 0))
    chance.draw(0, 6), chance.draw(1, 6)
    chance.rewind(1)
    assert chance.tape == [5]
    assert chance.draw(1, 2) == 0
    SeededChance(1).rewind(0)


def test_a_tape_does_not_grow_without_bound() -> None:
    with pytest.raises(SaveError, match="draw 1000000001 cannot be noted"):
        TapedChance(None).draw(10**9, 6)
