"""Pieces without hexes: steps, losses and names work on areas and on a plane."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

import hexwar
from hexwar.engine import Game, misnamed
from hexwar.errors import HexwarError, Refusal, RefusalCode
from hexwar.pieces import Done, Losing, PieceState, on_board, standing, stands
from hexwar.plugins import Plugins, hookimpl, use_plugins
from hexwar.testing import check_ruleset
from hexwar.web import SqliteStore, Tables
from hexwar.web import _answers as answers
from tests.cli.helpers import run
from tests.pieces import columns
from tests.pieces.columns import Fire, March, PlaneState, Table, Wheel

NAMES = ("columns-areas", "columns-plane")


@pytest.fixture(autouse=True)
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    maps = {"columns/valley": tmp_path / "valley.toml", "columns/table": tmp_path / "table.toml"}
    for file, text in zip(maps.values(), (columns.AREAS, columns.PLANE), strict=True):
        file.write_text(text, encoding="utf-8")

    class Toys:
        @hookimpl
        def hexwar_rulesets(self) -> list[Any]:
            return [columns.ON_AREAS.info, columns.ON_A_PLANE.info]

        @hookimpl
        def hexwar_maps(self) -> dict[str, Any]:
            return maps

        @hookimpl
        def hexwar_bots(self) -> dict[str, str]:
            return {"random": "hexwar.bots:RandomBot"}

    manager = Plugins(installed=False)
    manager.register(Toys(), "toys")
    use_plugins(manager)
    yield
    use_plugins(None)


def test_pieces_import_no_board() -> None:
    code = "import sys, hexwar.pieces; print([it for it in sys.modules if it.startswith(('hexwar.board', 'hexwar.hexes'))])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", NAMES)
def test_both_games_keep_the_promises_of_the_kit(name: str) -> None:
    gate = ["offered-actions-apply", "others-are-refused", "why-not-agrees", "offers-are-sets", "order-is-stable", "attacks-fail"]
    values = ["json-is-exact", "states-are-values", "reprs-evaluate", "saves-carry-everything", "replays-agree", "undo-goes-back"]
    report = check_ruleset(name, only=[*gate, *values, "loaders-say-why", "games-end", "clauses-are-known"])
    assert report.passed, "\n".join(report.lines())


def test_a_column_marches_along_a_road_or_fires_into_reach() -> None:
    game = hexwar.new_game("columns-areas", seed=1)
    offered = game.legal_actions("blue")
    assert March("b1", "ford") in offered
    assert Fire("b1", "r1") in offered
    events = game.apply(March("b1", "ford"), "blue")
    assert game.state.locations["b1"] == "ford"
    assert events[-1].clause == "2" or any(event.clause == "2" for event in events)
    assert "b1" not in game.question("blue").groups, "each acts once"


def test_the_question_says_what_to_show_of_two_sorts_of_choices() -> None:
    assert hexwar.new_game("columns-areas", seed=1).question("blue").shows == ("reach", "attack")
    assert on_a_plane().question("blue").shows == ("reach", "attack", "facing")


def test_a_loss_is_taken_by_the_owner_who_chooses() -> None:
    game = hexwar.new_game("columns-areas", seed=1)
    game.apply(Fire("b1", "r1"), "blue")
    assert game.to_move == ("red",)
    assert isinstance(game.state.stack[-1], Losing)
    game.apply(game.legal_actions("red")[0], "red")
    assert game.state.steps_left["r1"] == 1


@pytest.mark.parametrize("name", NAMES)
def test_who_stands_is_said_by_the_world(name: str) -> None:
    at = hexwar.new_game(name, seed=1).position
    assert on_board(at, "red") == ["r1", "r2"]
    assert standing(at, ("r2", "nobody", "b1")) == ("r2", "b1")
    assert not stands(at, "nobody")


def test_a_box_is_no_place_of_the_board() -> None:
    game = hexwar.new_game("columns-areas", seed=1)
    state = game.state.copy()
    state.put("b1", "camp")
    at = type(game.position)(game.world, state)
    assert on_board(at, "blue") == ["b2"]
    assert game.world.location("camp") == "camp"
    with pytest.raises(HexwarError, match=r"'hill' is no place of the board, and no box; the boxes are camp"):
        game.world.location("hill")
    state.remove("b1")
    assert "b1" not in state.steps_left
    with pytest.raises(NotImplementedError, match=r"AreaState\.full_steps must say how many steps b1 has"):
        state.full_steps("b1")
    assert PieceState().turn == 0


def on_a_plane() -> Game[PlaneState, Table, None]:
    return cast("Game[PlaneState, Table, None]", hexwar.new_game("columns-plane", seed=1))


class TestPositions:
    """Given the text of a position, when it is loaded, then units stand where it says, on any board."""

    def test_on_areas(self) -> None:
        stack = '[{ kind = "sequencing" }, { kind = "acting-on-areas", seat = "blue", units = ["b1"] }]'
        head = f'ruleset = "columns-areas"\nstate = {{ turn = 1 }}\nstack = {stack}\n[units]\n'
        game = hexwar.position(f'{head}b1 = {{ at = "ford", steps = 1 }}\nr1 = "camp"\nr2 = "north"')
        assert game.state.locations == {"b1": "ford", "r1": "camp", "r2": "north"}
        assert game.state.steps_left["b1"] == 1
        assert [*map(str, game.legal_actions("blue"))] == [
            "done",
            "b1 marches to north",
            "b1 marches to south",
            "b1 fires at r2",
        ]
        with pytest.raises(HexwarError, match="units: unit b1: 'hill' is no place of the board, and no box; the boxes are camp"):
            hexwar.position(f'{head}b1 = "hill"')
        with pytest.raises(HexwarError, match="unit b1: at must be a place of the board, a point of it or a box, not 7"):
            hexwar.position(f"{head}b1 = 7")

    def test_on_a_plane(self) -> None:
        stack = '[{ kind = "sequencing" }, { kind = "acting-on-a-plane", seat = "blue", units = ["b1"] }]'
        head = f'ruleset = "columns-plane"\nstate = {{ turn = 1 }}\nstack = {stack}\n[units]\n'
        game = cast("Game[PlaneState, Table, None]", hexwar.position(f"{head}b1 = [10, 20]\nr1 = [60, 20]"))
        assert game.state.spots == {"b1": (10, 20), "r1": (60, 20)}
        assert Fire("b1", "r1") in game.legal_actions("blue")
        with pytest.raises(HexwarError, match=r"unit b1: \(10, 401\) is no place of the board"):
            hexwar.position(f"{head}b1 = [10, 401]")


class TestOnAPlane:
    def test_a_march_that_no_menu_lists_is_legal(self) -> None:
        game = on_a_plane()
        march = Wheel("b1", (60, 160), 270, via=((90, 130),))
        assert not game.question("blue").complete
        assert march not in game.legal_actions("blue")
        assert march in game.legal_actions("blue").offer
        game.apply(march, "blue")
        assert game.state.spots["b1"] == (60, 160)
        assert game.state.headings["b1"] == 270

    def test_each_of_the_two_sets_gives_its_own_reason(self) -> None:
        game = on_a_plane()
        far, shot = game.why_not(Wheel("b1", (250, 100)), "blue"), game.why_not(Fire("b1", "r2"), "blue")
        assert far is not None
        assert shot is not None
        assert (far.code, far.clause, far.message) == (RefusalCode.AGAINST_RULE, "2", "a column marches at most 100 mm")
        assert (shot.clause, shot.message) == ("3", "r2 is too far from b1")
        assert game.why_not(Fire("b1", "r1"), "blue") is None

    def test_an_order_is_typed_in_the_words_of_the_step(self) -> None:
        game = on_a_plane()
        assert game.question("blue").understood(["wheel", "b1", "50", "towards", "r1"]) == [Wheel("b1", (100, 100), 90)]
        assert game.question("blue").understood(["fire", "b1", "r1"]) == []
        with pytest.raises(Refusal, match=r"2: a column marches at most 100 mm"):
            game.question("blue").understood(["wheel", "b1", "150", "towards", "r1"])

    def test_such_orders_work_at_the_terminal_and_on_the_page_in_words(self, tmp_path: Path) -> None:
        typed = "wheel b1 150 towards r1\nwheel B1 50 towards R1\nquit\n"
        ran = run("play", "columns-plane", "--seed", "1", "--save", "table.hexwar", typed=typed)
        assert ran.code == 0, ran.err
        assert "2: a column marches at most 100 mm" in ran.out
        loaded = cast("Game[PlaneState, Table, None]", hexwar.load_game("table.hexwar"))
        assert (loaded.state.spots["b1"], loaded.state.headings["b1"]) == ((100, 100), 90)

        tables = Tables(SqliteStore(tmp_path / "games.sqlite"))
        table, _ = tables.begin("columns-plane", seed=1)
        answers.obey(table, "blue", 0, "wheel b1 50 towards r1", ["blue"])
        assert table.game.state.spots["b1"] == (100, 100)

    def test_points_and_headings_of_a_position_are_held_to_the_board(self) -> None:
        game = on_a_plane()
        state = game.state.copy()
        state.spots, state.headings = {**state.spots, "b1": (601, 0)}, {"b1": 360, "b2": 359}
        found = [*misnamed(type(game.position)(game.world, state))]
        assert found == ["spots.b1: no spot is called (601, 0)", "headings.b1: no heading is called 360"]

    def test_a_saved_game_has_its_points_and_headings(self, tmp_path: Path) -> None:
        game = on_a_plane()
        game.apply(Wheel("b1", (60, 160), 270, via=((90, 130),)), "blue")
        game.apply(Done(), "blue")
        game.save(tmp_path / "table.hexwar")
        assert hexwar.load_game(tmp_path / "table.hexwar").digest == game.digest
