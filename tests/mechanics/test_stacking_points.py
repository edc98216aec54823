"""Stacking by strength points: what fits depends on the steps that a unit has left, and so does its sort."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from hexwar.engine import Play, Position, SeededChance, part
from hexwar.mechanics import Stacking
from hexwar.pieces import face, lose_step
from tests.mechanics.test_seams import ToyWorld, game_of


class ByStrength(Stacking):
    """Units with at most six points of defence stand in a hex."""

    points = 6

    def fits(self, at: Position, units: Sequence[str], label: str) -> bool:
        return sum(face(at, unit).defence for unit in units) <= self.points

    def sort_of(self, at: Position, unit: str) -> Hashable:
        return face(at, unit).defence


class Crowded(ToyWorld):
    stacking = part(ByStrength)


def test_room_is_looked_for_again_when_the_unit_that_moves_has_lost_a_step() -> None:
    """Given a unit too strong for a hex, when it loses a step, then it has room there, and the list says so as the rule does."""
    game = game_of(Crowded, {"b1": "0404", "b2": "0503"})
    stacking, doing = game.world.stacking, Play(game.world, game.state.copy(), SeededChance(1))
    assert [face(doing, unit).defence for unit in ("b1", "b2")] == [4, 4]
    board = game.world.board
    both = board.mask(["0405", "0503"])
    assert board.unmask(stacking.open_in(doing, "b1", both)) == ("0405",)
    assert stacking.why_not(doing, "b1", "0503") is not None
    lose_step(doing, "b1", "losses")
    assert face(doing, "b1").defence <= 2
    assert stacking.open_in(doing, "b1", both) == both
    assert stacking.why_not(doing, "b1", "0503") is None
