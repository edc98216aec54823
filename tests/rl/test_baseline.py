"""The baseline learns: its loss falls, it agrees with its teacher more often than chance, and it plays games to their end."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

import hexwar
from hexwar.bots import KeyedChance, RandomBot, play_to_end
from hexwar.errors import HexwarError
from hexwar.plugins import use_plugins
from hexwar.rl import Encoder, TokenBot, Tokens
from hexwar.rl.baseline import CANDIDATES, Course, Features, Lessons, Network, Pupil, main, train
from tests.facade.toys import toys
from tests.mechanics import fords

COURSE = Course("ava", "training", "ava-commander")  # whose teacher takes little time


@pytest.fixture(scope="module")
def lessons() -> Lessons:
    return COURSE.lessons(range(4))


def test_lessons_are_stages_with_the_teachers_choice(lessons: Lessons) -> None:
    rows, there, chosen = lessons.arrays()
    assert len(rows) > 200
    assert rows.shape[1] == CANDIDATES
    assert (there.sum(axis=1) > 1).all()
    assert there[np.arange(len(chosen)), chosen].all()
    assert np.isfinite(rows).all()


def test_it_learns_and_remembers(lessons: Lessons, tmp_path: Path) -> None:
    network = Network(lessons.arrays()[0])
    before, guessed = network.learn(lessons, 1), float((1 / lessons.arrays()[1].sum(axis=1)).mean())
    after = network.learn(lessons, 8)
    assert after < 0.8 * before
    assert network.agreement(lessons) > 1.5 * guessed
    network.save(tmp_path / "kept.npz")
    again = Network.load(tmp_path / "kept.npz")
    rows = lessons.arrays()[0][:5]
    assert np.array_equal(network.scores(rows), again.scores(rows))
    game = hexwar.new_game("ava", "training", seed=4)
    assert play_to_end(game, {"axis": Pupil(again), "soviet": RandomBot()}, KeyedChance(4)) is game.result


def test_the_same_seeds_give_the_same_network() -> None:
    one, other = (list(train(COURSE, games=1, rounds=1, epochs=1)) for _ in range(2))
    assert [number for number, _, _ in one] == [0, 1]
    assert [agrees for _, _, agrees in one] == [agrees for _, _, agrees in other]
    assert all(np.array_equal(one[-1][1].weights[name], other[-1][1].weights[name]) for name in one[-1][1].weights)


def test_the_curve_is_printed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    course = ["ava", "--scenario", "training", "--teacher", "ava-commander"]
    main([*course, "--games", "1", "--rounds", "0", "--measure", "1", "--save", str(tmp_path / "kept.npz")])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("round 0: ")
    assert [line.split(":")[0].strip() for line in lines[1:]] == [
        "axis against random",
        "soviet against random",
        "axis against ava-commander",
        "soviet against ava-commander",
    ]
    assert (tmp_path / "kept.npz").exists()


def test_any_policy_over_tokens_is_a_bot() -> None:
    chance = random.Random(1)
    bot = TokenBot(lambda seen, mask, source: int(chance.choice(np.flatnonzero(mask))))
    game = hexwar.new_game("ava", "training", seed=1)
    assert play_to_end(game, {"axis": bot, "soviet": bot}) is game.result
    with pytest.raises(HexwarError, match="nothing is asked"):
        bot.choose(game.view("axis"), chance)


def test_a_game_without_places_needs_features_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    use_plugins(toys(tmp_path))
    try:
        game = hexwar.new_game("skirmish", seed=1)
        encoder = Encoder(game.ruleset, game.world, game.state, Tokens(game.ruleset, game.world))
        with pytest.raises(HexwarError, match="needs units on hexes or areas"):
            Features(encoder)
    finally:
        use_plugins(None)


def test_the_forces_of_all_enemies_count_where_there_are_several() -> None:
    game = fords.new_game()
    encoder = Encoder(game.ruleset, game.world, game.state, Tokens(game.ruleset, game.world))
    features, seen = Features(encoder), encoder.look(game.view("red"))
    pieces = [encoder.hex_columns.index(f"pieces {who}") for who in ("mine", "enemy 1", "enemy 2")]
    assert seen["hexes"][:, pieces].sum(axis=0).tolist() == [3, 3, 3]
    for enemy in pieces[1:]:  # whoever of them stands somewhere
        place = int(seen["hexes"][:, enemy].argmax())
        row = len(features._terrain) + len(features._worth) + len(features._control)
        assert features._ground(seen["hexes"])[place, row : row + 6].tolist()[3] == 1
