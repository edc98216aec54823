"""The collector of garbage rests where what is made stays."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path
from typing import Any

import pytest

import hexwar
from hexwar.pausing import set_aside, uncollected


class Node:
    """Something that only the collector finds."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture(autouse=True)
def _collecting() -> None:
    assert gc.isenabled()
    assert gc.get_freeze_count() < 1000, "Python 3.12 starts with some hundred objects set aside, the others with none"


@pytest.mark.parametrize("lasting", [False, True])
def test_nothing_is_collected_meanwhile_and_everything_later(lasting: bool) -> None:
    with uncollected(lasting=lasting):
        assert not gc.isenabled()
        gone = weakref.ref(Node())
        with uncollected(lasting=lasting):
            assert not gc.isenabled()
        assert not gc.isenabled()
        assert gone() is not None
    assert gc.isenabled()
    gc.collect()
    assert gone() is None


def test_what_lasts_counts_as_old() -> None:
    with uncollected(lasting=True):
        kept = Node()
    assert any(it is kept for it in gc.get_objects(generation=2))
    assert not gc.get_freeze_count()


def test_a_loaded_game_that_is_let_go_of_leaves_no_circles(tmp_path: Path) -> None:
    game = hexwar.new_game("bridgehead", seed=1)
    while len(game.history) < 50:
        game.apply(game.legal_actions(game.to_move[0])[-1], game.to_move[0])
    game.save(tmp_path / "game.hexwar")
    loaded = hexwar.load_game(tmp_path / "game.hexwar")
    gone: list[weakref.ref[Any]] = [weakref.ref(loaded), weakref.ref(loaded.state), weakref.ref(loaded.first_state)]
    gc.disable()
    try:
        del loaded
        assert [there() for there in gone] == [None, None, None]
    finally:
        gc.enable()


def test_what_there_was_is_left_alone_during_a_stretch_of_play_and_what_is_new_is_collected() -> None:
    before = weakref.ref(Node())
    with set_aside():
        new = weakref.ref(Node())
        with set_aside():
            gc.collect()
        assert (before() is not None, new()) == (True, None)
    gc.collect()
    assert before() is None
    assert gc.get_freeze_count() < 1000, "Python 3.12 sets its own objects aside again"


def test_what_somebody_set_aside_stays_there() -> None:
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        with uncollected(lasting=True):
            pass
        assert gc.get_freeze_count() > frozen // 2, "a few may have been let go of meanwhile"
    finally:
        gc.unfreeze()


def test_it_goes_on_after_an_error_and_stays_off_where_it_was_off() -> None:
    with pytest.raises(ValueError, match="x"), uncollected(lasting=True):
        raise ValueError("x")
    assert gc.isenabled()
    gc.disable()
    try:
        hexwar.new_game("bridgehead", seed=1)
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_a_game_in_a_world_that_is_known_stays_young() -> None:
    hexwar.new_game("bridgehead", seed=1)
    gc.collect()
    game = hexwar.new_game("bridgehead", seed=2)
    assert all(it is not game for it in gc.get_objects(generation=2))
