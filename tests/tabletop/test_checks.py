"""The kit on a plane: it passes for the duel, and notices when a rule is broken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import hexwar
from hexwar.engine import Heading, Spot
from hexwar.plane import Placed, towards
from hexwar.tabletop import March, Marches
from hexwar.testing import check_ruleset
from hexwar.testing.oracles import OnAPlane, TableTurn
from hexwar.testing.oracles._plane import turned
from tests.tabletop.quarry import duel

CHECKS = ["limits-are-sharp", "table-can-turn", "bases-stay-apart"]


def complaints(*checks: str) -> list[str]:
    report = check_ruleset("quarry", only=checks, capabilities=[OnAPlane()], first=True)
    return [failure.message for failure in report.failures]


def test_the_duel_passes() -> None:
    assert complaints(*CHECKS) == []


def no_wall(self: Marches, action: Any, judge: Callable[..., Any] = Marches.why_not) -> Any:
    found = judge(self, action)
    return None if found is not None and found.clause == "2.2" else found


def too_far(self: Marches, action: Any, judge: Callable[..., Any] = Marches.why_not) -> Any:
    found = judge(self, action)
    return None if found is not None and "12.0" in found.message else found


def whole(self: Marches, action: Any) -> Any:
    return action if isinstance(action, March) else None


def half(self: Marches, action: Any, trim: Callable[..., Any] = Marches.trimmed) -> Any:
    found = trim(self, action)
    if found is None or found == action:
        return found
    (x, y), (ax, ay) = self.me.centre, found.to
    shorter = March(found.unit, ((x + ax) // 2, (y + ay) // 2), found.heading)
    return shorter if self.why_not(shorter) is None else found


def to_the_right(self: Marches, action: March) -> Placed:
    here, there = self.me.centre, action.to
    ahead = towards((action.via or (here,))[-1], there) + 1 if here != there else self.me.heading
    return self.me.moved(action.to, ahead % 360 if action.heading < 0 else action.heading)


MISTAKES = [
    ("why_not", no_wall, "limits-are-sharp", "a judge who works otherwise finds it is not"),
    ("why_not", too_far, "limits-are-sharp", "is possible"),
    ("trimmed", whole, "limits-are-sharp", "which is not possible"),
    ("trimmed", half, "limits-are-sharp", "is trimmed to"),
    ("end", to_the_right, "table-can-turn", "leads elsewhere"),
    ("why_not_there", lambda self, there: None, "bases-stay-apart", "stands on"),
]


@pytest.mark.parametrize(("method", "broken", "check", "words"), MISTAKES)
def test_a_broken_rule_is_noticed(method: str, broken: object, check: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Marches, method, broken)
    found = complaints(check)
    assert len(found) == 1
    assert words in found[0]


class TestTurns:
    """Given a table of 60 by 40, when it is turned, then points, headings and all that has their types lie elsewhere."""

    @pytest.mark.parametrize(
        ("quarters", "mirrored", "spot", "heading"),
        [
            (1, False, (30, 10), 120),
            (2, False, (50, 30), 210),
            (3, False, (10, 50), 300),
            (0, True, (50, 10), 330),
            (1, True, (30, 50), 60),
        ],
    )
    def test_of_points_and_headings(self, quarters: int, mirrored: bool, spot: tuple[int, int], heading: int) -> None:
        turn = TableTurn(60, 40, quarters, mirrored)
        assert (turn.spot((10, 10)), turn.heading(30), turn.heading(-1)) == (spot, heading, -1)
        assert turn.size == ((40, 60) if quarters % 2 else (60, 40))
        assert ("mirrored" in str(turn), "degrees" in str(turn)) == (mirrored, quarters > 0)

    def test_of_all_that_a_type_says(self) -> None:
        turn = TableTurn(60, 40, 2)
        assert turned(March("b1", (10, 10), 0, ((1, 1), (2, 2))), None, turn) == March("b1", (50, 30), 180, ((59, 39), (58, 38)))
        assert turned({"a": (1, 2)}, dict[str, Spot], turn) == {"a": (59, 38)}
        assert turned({"a": 90}, dict[str, Heading], turn) == {"a": 270}
        assert turned((90, (1, 1)), tuple[Heading, Spot], turn) == (270, (59, 39))
        assert turned((1, 1), Spot | None, turn) == (59, 39)
        assert turned(None, Spot | None, turn) is None
        assert turned([7, "x"], list[Any], turn) == [7, "x"]

    def test_of_a_game(self) -> None:
        game, plane = duel(), OnAPlane()
        turn = TableTurn(6000, 6000, 2)
        there = plane.image(game, plane.world(game.ruleset, game.world, turn), turn)
        assert there.state.spots["b1"] == (4500, 600)
        assert there.state.headings["b1"] == 180
        assert there.world.terrain.areas[0].ring[0] == (5100, 3900)
        assert len(plane.turns(game.world)) == 7


def test_the_judge_leaves_what_it_does_not_know() -> None:
    game, plane = duel(), OnAPlane()
    offer = game.question("blue").group("b1").offer
    assert plane.is_possible(game, offer, March("b1", (1500, 4200))) is True
    assert plane.is_possible(game, offer, March("b1", (1500, 4100))) is False
    assert plane.is_possible(game, offer, hexwar.new_game("quarry", seed=1).question("blue").plain[0]) is None
