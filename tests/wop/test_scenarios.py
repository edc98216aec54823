"""The scenarios: their ground, their set-up, and that each is played to a verdict."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import hexwar
from hexwar.board import Board
from hexwar.engine import Game
from hexwar.errors import ContentError
from hexwar.pieces import load_content
from hexwar_wop.bot import Officer
from hexwar_wop.content import DATA, PARTS, PartFile, load_wop
from hexwar_wop.victory import RadioTaken

NAMES = tuple(load_wop().scenarios)


def played(scenario: str, seed: int) -> Game:
    """A game between two officers."""
    game: Game = hexwar.new_game("wop", scenario, seed=seed)
    bots = {side: Officer() for side in game.world.sides}
    while game.to_move:
        seat = game.to_move[0]
        game.apply(bots[seat].choose(game.view(seat), random.Random(seed)), seat)
    return game


def test_the_card_names_every_scenario() -> None:
    assert {scenario.id for scenario in hexwar.rulesets()["wop"].scenarios} == {*NAMES} == {"wkra", *PARTS}


@pytest.mark.parametrize("scenario", NAMES)
def test_everybody_begins_in_supply_and_under_command_within_the_stacking_limits(scenario: str) -> None:
    game: Game = hexwar.new_game("wop", scenario, seed=1)
    assert [invariant.broken(game.position) for invariant in game.ruleset.invariants] == [None] * len(game.ruleset.invariants)
    assert game.state.no_supply == ()
    assert game.state.no_command == ()


@pytest.mark.parametrize("scenario", PARTS)
def test_3_1_a_part_of_the_map_has_bases_of_its_own_on_roads_and_entries_on_its_edge(scenario: str) -> None:
    game: Game = hexwar.new_game("wop", scenario, seed=1)
    board, whole = game.world.board, hexwar.load_board("wop/wkra")
    assert isinstance(board, Board)
    assert set(board.labels) < set(whole.labels)
    assert all(board.terrain(label) == whole.terrain(label) for label in board.labels)
    for bases in game.world.supply.sources.values():
        assert bases
        assert all(board.has_link(base, "road") or board.has_link(base, "rail") for base in bases)
    entries = {counter.entry for counter in game.world.units.values() if counter.entry}
    assert entries
    assert all(len(board.neighbours(label)) < 6 for label in entries)


def test_the_training_scenario_is_small() -> None:
    game: Game = hexwar.new_game("wop", "training", seed=1)
    assert len(game.world.board) == 12 * 11
    assert len(game.world.units) <= 20
    assert game.world.last_turn == 4
    assert {counter.arm for counter in game.world.units.values()} == {"infantry", "cavalry", "artillery", "armoured_car", "hq"}


def test_pieces_are_those_of_the_whole_order_of_battle_but_for_where_they_begin() -> None:
    contents = load_wop().scenarios
    for name in PARTS:
        part = load_content(DATA / f"{name}.toml", PartFile)
        for side, force in contents[name].forces.items():
            known = {entry.id: entry for entry in contents["wkra"].forces[side].units}
            own = {entry.id for entry in getattr(part, side).own.units}
            assert not own & known.keys()
            for entry in (entry for entry in force.units if entry.id not in own):
                elsewhere = {"at": None, "side": None, "turn": None, "entry": None, "loaded": ""}
                assert entry.model_copy(update=elsewhere) == known[entry.id].model_copy(update=elsewhere)


def test_19_3_the_points_of_the_training_scenario_decide_after_four_turns() -> None:
    game = played("training", 3)
    assert game.result is not None
    assert game.state.turn == 4
    assert game.result.winner in (None, "polish", "soviet")
    assert str(game.result.clause) == "19.3"


def test_19_3_a_scenario_without_a_radio_gives_no_points_for_one() -> None:
    assert load_wop().scenarios["training"].victory.radio is None
    assert not any(isinstance(event, RadioTaken) for event in played("training", 1).events)


def test_19_3_lancers_reach_the_radio_and_the_raid_has_a_verdict() -> None:
    game = played("raid", 3)
    assert game.result is not None
    assert game.state.radio
    assert game.state.turn == 5


def test_19_3_the_battle_on_the_narew_has_a_verdict() -> None:
    game = played("narew", 3)
    assert game.result is not None
    assert game.state.turn == 4


def test_a_save_of_one_scenario_does_not_depend_on_the_others() -> None:
    training: Game = hexwar.new_game("wop", "training", seed=1)
    assert str(training.world.content_parts()).count("Glinojeck") == 0


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('"42/18" = "0811"', '"43/18" = "0811"', r"training\.toml.*43/18"),
        ('frame = ["0307", "1417"]', 'frame = ["0307"]', r"training\.toml.*frame"),
    ],
)
def test_mistakes_in_a_part_are_told(tmp_path: Path, old: str, new: str, complaint: str) -> None:
    text = (DATA / "training.toml").read_text(encoding="utf-8")
    assert old in text
    file = tmp_path / "training.toml"
    file.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ContentError, match=complaint):
        load_content(file, PartFile).filled(load_wop().scenarios["wkra"], file.name)


def test_a_piece_of_its_own_that_the_order_of_battle_has_is_told(tmp_path: Path) -> None:
    text = (DATA / "narew.toml").read_text(encoding="utf-8")
    file = tmp_path / "narew.toml"
    file.write_text(text.replace('id = "BP8"', 'id = "KavIV"'), encoding="utf-8")
    with pytest.raises(ContentError, match=r"narew\.toml.*KavIV is in the order of battle already"):
        load_content(file, PartFile).filled(load_wop().scenarios["wkra"], file.name)
