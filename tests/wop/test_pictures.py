"""Counters and the map: symbols of every arm, levels as pips, boats on their hexsides."""

from __future__ import annotations

import pytest

import hexwar
from hexwar.engine import Game, Piece
from hexwar.render import SYMBOLS, game_svg
from tests.render.helpers import SVG, Tree, parsed, texts
from tests.wop.table import asked


def drawn(tree: Tree, unit: str) -> Tree:
    """A counter of a picture."""
    return next(group for group in tree.iter(f"{SVG}g") if group.get("data-unit") == unit)


def place_of(tree: Tree, unit: str) -> tuple[float, float]:
    x, y = drawn(tree, unit).attrib["transform"].removeprefix("translate(").rstrip(")").split()
    return float(x), float(y)


def pieces(game: Game) -> dict[str, Piece]:
    return {piece.id: piece for piece in game.picture.pieces}


def test_every_arm_has_a_symbol_of_its_own() -> None:
    shown = pieces(hexwar.new_game("wop", "wkra", seed=1))
    arms = {piece.kind: piece.symbol for piece in shown.values() if not piece.is_headquarters}
    assert len({*arms.values()}) == len(arms) == 11
    assert {*arms.values()} <= {*SYMBOLS}
    assert [shown[hq].symbol for hq in ("5A", "GrK", "18DP")] == [
        "headquarters-army",
        "headquarters-group",
        "headquarters-formation",
    ]
    assert all(shown[hq].is_headquarters for hq in ("5A", "GrK", "18DP"))


@pytest.mark.parametrize(
    ("unit", "values"),
    [
        ("67/17", "6–6–5"),
        ("5A", "16–6–6"),
        ("HvyArt", "3–5–5:3"),
        ("FortArt", "(4)–5–0:3"),
        ("19esk", "★★"),
        ("PPa", "4–7–16"),
    ],
)
def test_what_is_printed_on_a_counter(unit: str, values: str) -> None:
    assert pieces(hexwar.new_game("wop", "wkra", seed=1))[unit].values == values


def test_levels_are_pips_and_lost_ones_are_white() -> None:
    game = asked({"67/17": "0907", "68/17": {"at": "0908", "steps": 2}, "69/17": {"at": "0909", "steps": 1}, "18DP": "0910"})
    tree = parsed(game_svg(game))
    for unit, left in (("67/17", 3), ("68/17", 2), ("69/17", 1)):
        pips = [box.attrib["fill"] for box in drawn(tree, unit).iter(f"{SVG}rect") if box.attrib["width"] == "0.04"]
        assert pips == ["#7a1022"] * left + ["#ffffff"] * (3 - left), "from below"
        assert pieces(game)[unit].reduced == (left < 3)
    assert [box.attrib["width"] for box in drawn(tree, "18DP").iter(f"{SVG}rect")].count("0.04") == 0
    assert "strength–morale–move (HQ: range–rating–move); white corner: reduced" in texts(tree)
    assert "XX" in texts(drawn(tree, "18DP"))


def test_1_2_a_boat_is_drawn_on_its_hexside() -> None:
    game: Game = hexwar.new_game("wop", "wkra", seed=1)
    tree, board = parsed(game_svg(game)), game.world.board
    assert game.state.locations["Riv1"] == "1722|1723"
    (x, y), (u, v) = board.centre("1722"), board.centre("1723")
    assert place_of(tree, "Riv1") == pytest.approx(((x + u) / 2, (y + v) / 2), abs=0.01)
    assert "1722|1723" not in texts(tree), "it lies in no box beside the map"
    part = parsed(game_svg(game, only=["1722", "1822"]))
    assert all(group.get("data-unit") != "Riv1" for group in part.iter(f"{SVG}g")), "nor on half a hexside"
