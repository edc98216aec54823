"""The names that `import hexwar` promises, each line of the promise in the order in which it is written down."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import hexwar
from hexwar.engine import Game
from hexwar.mechanics import Move
from hexwar.pieces import Done
from tests.facade.sample import POSITION, play


def test_rulesets_are_cards_by_id() -> None:
    info = hexwar.rulesets()["bridgehead"]
    assert isinstance(info, hexwar.RulesetInfo)
    assert [(scenario.id, scenario.title) for scenario in info.scenarios] == [("crossing", "The Lenta crossing")]
    assert info.sides == ("blue", "red")


def test_new_game_takes_scenario_seed_and_options() -> None:
    game = hexwar.new_game("bridgehead", scenario="crossing", seed=7, options={"barrage": True})
    assert isinstance(game, hexwar.Game)
    assert game.world.setup.scenario == "crossing"
    assert game.world.options["barrage"] is True


def test_to_move_is_who_must_decide_now() -> None:
    game = hexwar.new_game("bridgehead", seed=7)
    assert game.to_move == ("blue", "red")
    assert play(game, 10_000).to_move == ()


def test_prompt_is_a_sentence_with_its_clause() -> None:
    assert hexwar.new_game("bridgehead", seed=7).prompt("red").endswith(" (5.2)")


def test_legal_actions_are_ordered_and_stable_and_the_dullest_is_first() -> None:
    game = hexwar.position(POSITION)
    assert game.legal_actions() == game.legal_actions("blue") == hexwar.position(POSITION).legal_actions()
    assert game.legal_actions()[0] == Done()
    assert all(isinstance(action, hexwar.Action) for action in game.legal_actions())


def test_apply_gives_events_or_refuses() -> None:
    game = hexwar.position(POSITION)
    with pytest.raises(hexwar.Refusal) as caught:
        game.apply(Move("b1", "0504"))
    assert (caught.value.code, caught.value.clause) == (hexwar.RefusalCode.AGAINST_RULE, "7.6")
    assert caught.value.message
    assert all(isinstance(event, hexwar.Event) for event in game.apply(Move("b1", "0303")))


def test_why_not_says_it_before_trying() -> None:
    game = hexwar.position(POSITION)
    assert game.why_not(Move("b1", "0303")) is None
    refusal = game.why_not(Move("b1", "0504"))
    assert isinstance(refusal, hexwar.Refusal)
    assert refusal.clause == "7.6"


def test_view_and_log() -> None:
    game = play(hexwar.new_game("bridgehead", seed=7), 6)
    assert isinstance(game.view("blue"), hexwar.View)
    assert game.view("blue").state.locations == game.state.locations
    assert len(game.log("blue")) > len(game.log())


def test_undo_and_can_undo() -> None:
    game = hexwar.position(POSITION)
    before = game.digest
    assert not game.can_undo
    game.apply(Move("b1", "0303"))
    assert game.can_undo
    assert game.undo() == Move("b1", "0303")
    assert game.digest == before


def test_digest_and_result() -> None:
    game = hexwar.new_game("bridgehead", seed=7)
    assert game.digest == hexwar.new_game("bridgehead", seed=7).digest
    assert game.result is None
    play(game, 10_000)
    assert isinstance(game.result, hexwar.Result)
    assert game.result.winner in ("blue", "red")


def test_save_and_load_game(tmp_path: Path) -> None:
    game = play(hexwar.new_game("bridgehead", seed=7), 20)
    game.save(tmp_path / "game.json")
    assert hexwar.load_game(tmp_path / "game.json").digest == game.digest
    assert hexwar.load_game(str(tmp_path / "game.json")).history == game.history


def test_query_has_what_players_ask() -> None:
    query = hexwar.new_game("bridgehead", seed=7).query
    assert query.reach("b1").costs
    assert query.supply("b1").supplied
    assert query.supply("0403", "blue").supplied
    assert query.odds(["b2"], "0504").defence > 0
    assert "0504" in query.zones("red")
    assert query.retreats("r1", 1)
    assert "b1" in query.command("bA") + query.command("bB")


def test_load_board_gives_a_graph() -> None:
    graph = hexwar.load_board("bridgehead/crossing").graph
    assert graph.nodes["0504"]["terrain"] == "clear"
    assert graph.nodes["0504"]["labels"] == ("0504",)
    assert graph.nodes["0504"]["place"].name == "Brod"
    assert {"side", "links"} <= graph.edges["0404", "0504"].keys()


def test_position_makes_a_game() -> None:
    assert isinstance(hexwar.position(POSITION), hexwar.Game)


def test_actions_events_and_states_have_a_json_form_and_a_stable_repr() -> None:
    game: Game = hexwar.position(POSITION)
    move = Move("b1", "0303")
    assert repr(move) == "Move(unit='b1', to='0303')"
    assert move.to_json() == {"kind": "move", "unit": "b1", "to": "0303"}
    assert game.why_not(move.to_json()) is None
    [moved] = [event for event in game.apply(move.to_json()) if event.kind == "unit-moved"]
    assert moved.to_json()["unit"] == "b1"
    assert game.state.to_json()["locations"]["b1"] == "0303"


# -- the module itself ------------------------------------------------------------------------------------------------


def test_every_name_is_there() -> None:
    for name in hexwar.__all__:
        assert getattr(getattr(hexwar, name), "__name__", name) == name
    assert sorted(hexwar.__all__) == hexwar.__all__ == sorted(hexwar._HOMES)
    promised = {"rulesets", "new_game", "load_game", "load_board", "position", "Refusal"}
    assert promised <= set(hexwar.__all__)


def test_dir_lists_every_name_once() -> None:
    assert set(hexwar.__all__) <= set(dir(hexwar))
    assert "__version__" in dir(hexwar)
    assert len(dir(hexwar)) == len(set(dir(hexwar)))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'hexwar' has no attribute 'new_gmae'"):
        hexwar.new_gmae  # noqa: B018
    assert not hasattr(hexwar, "Board")


def test_import_hexwar_imports_nothing_heavy() -> None:
    code = """
import sys
before = set(sys.modules)
import hexwar
dir(hexwar)
new = {name.partition(".")[0] for name in set(sys.modules) - before}
print(sorted(new - set(sys.stdlib_module_names)), sorted(name for name in sys.modules if name.startswith("hexwar")))
"""
    done = subprocess.run([sys.executable, "-c", code], env=os.environ, capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.strip() == "['hexwar'] ['hexwar']"
