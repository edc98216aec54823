"""Marches that no list has: reasons, menus, samples, what is left of them, and the words for them."""

from __future__ import annotations

import random
from typing import Any

import pytest

from hexwar.engine import Action
from hexwar.errors import Refusal
from hexwar.pieces import Done
from hexwar.plane import Line
from hexwar.tabletop import March, Marches, in_words
from hexwar.tabletop._marches import nearest_spot
from tests.tabletop.quarry import duel


def reason(game: Any, action: Action) -> str:
    found = game.why_not(action, "blue")
    assert found is None or isinstance(found, Refusal)
    return "" if found is None else str(found)


class TestReasons:
    """Given the duel, when a march is refused, then its clause and the place are named."""

    @pytest.mark.parametrize(
        ("march", "expected"),
        [
            (March("b1", (1500, 4200)), ""),
            (March("b1", (1500, 4199)), "2.1: 12.01 cm is further than 12 cm"),
            (March("b1", (1500, 6001)), "2.1: b1 leads off the table"),
            (March("b1", (1500, 5400)), "2.1: b1 would stay as it is"),
            (March("b1", (1500, 5400), 90), ""),
            (March("b1", (1500, 5000), 360), "2.1: a heading is 0 to 359 degrees, or -1 for the way it goes"),
            (March("b1", (2900, 5400)), "2.4: b1 would end on b2"),
            (March("b1", (1400, 4900), via=((1600, 5000),)), ""),
        ],
    )
    def test_of_a_way(self, march: March, expected: str) -> None:
        where = {"b2": (2400, 5400, 0)} if "end on" in expected else {}
        if where:
            march = March("b1", (2300, 5400))
        assert reason(duel(**where), march) == expected

    def test_of_the_ground(self) -> None:
        game = duel(b3=(4300, 4400, 0), b2=(4000, 3000, 0))
        assert reason(game, March("b3", (4300, 3900))) == "2.3: b3 leads into Old pit, which is shut to it"
        assert reason(game, March("b2", (4000, 2300))) == "2.2: b2 crosses Quarry wall, which it did not touch at the start"
        assert reason(duel(b2=(4000, 2640, 0)), March("b2", (4000, 2300))) == ""

    def test_of_an_enemy_in_the_way(self) -> None:
        game = duel(b2=(3000, 4000, 0), r2=(3000, 3600, 180))
        assert reason(game, March("b2", (3000, 3100))) == "2.4: b2 leads through an enemy"

    def test_of_somebody_else(self) -> None:
        assert reason(duel(), March("r1", (1500, 1000))) != ""


class TestTheMenu:
    def test_is_legal_and_ends_nowhere_twice(self) -> None:
        game = duel(b2=(4000, 3000, 0))
        for unit in ("b1", "b2", "b3"):
            marches = Marches(game.position, unit)
            assert 7 <= marches.count() <= 24
            assert len({marches.end(march) for march in marches.named.values()}) == marches.count()
            assert all(marches.find(march) == march for march in marches)

    def test_has_names_that_stay(self) -> None:
        named = Marches(duel(b2=(4000, 3000, 45)).position, "b2").named
        assert [*named][:3] == ["face the enemy", "north", "north-east"]
        assert "at Quarry wall" in named

    def test_samples_are_legal_and_not_of_the_menu_alone(self) -> None:
        marches, chance = Marches(duel().position, "b1"), random.Random(1)
        found = [marches.sample(chance) for _ in range(60)]
        assert all(marches.find(march) == march for march in found)
        assert len({*found} - {*marches}) > 10

    def test_a_unit_with_no_room_can_still_turn(self) -> None:
        ring = {f"r{n}": (1500 + dx, 6000 + dy, 0) for n, (dx, dy) in enumerate(((-300, 0), (300, 0), (0, -200)), 1)}
        game = duel(b1=(1500, 6000, 0), **ring)
        marches = Marches(game.position, "b1")
        assert marches
        assert marches.sample(random.Random(1)).to == (1500, 6000)  # type: ignore[attr-defined]


class TestWhatIsLeft:
    """When a march is impossible, then the longest beginning that is possible is found, to the unit."""

    def test_of_one_that_is_too_long(self) -> None:
        game = duel()
        for march, expected in [
            (March("b1", (1500, 0)), March("b1", (1500, 4200))),
            (March("b1", (1500, 0), 200), March("b1", (1500, 4200), 200)),
            (March("b1", (1500, 0), 777), March("b1", (1500, 4200))),
        ]:
            found = game.question("blue").offer.trimmed(march)
            assert isinstance(found, March)
            assert found == expected
            assert reason(game, found) == ""
        cornered = Marches(game.position, "b1").trimmed(March("b1", (1500, 3000), via=((1900, 5400),)))
        assert cornered is not None
        assert cornered.via == ((1900, 5400),), "corners stay"

    def test_before_a_wall_and_before_a_friend(self) -> None:
        wall = Marches(duel(b2=(4100, 3000, 0)).position, "b2").trimmed(March("b2", (4100, 2000)))
        assert wall == March("b2", (4100, 2516))
        friend = Marches(duel(b2=(1500, 4400, 0)).position, "b1").trimmed(March("b1", (1500, 4300)))
        assert friend is not None
        assert friend.to == (1500, 4600), "one unit more would lie on its base"

    def test_nothing_is_left_of_what_is_no_march_of_the_unit(self) -> None:
        marches = Marches(duel().position, "b1")
        assert marches.trimmed(Done()) is None
        assert marches.trimmed(March("b2", (3000, 5000))) is None

    def test_every_sample_is_trimmed_to_itself(self) -> None:
        marches, chance = Marches(duel().position, "b3"), random.Random(2)
        for _ in range(20):
            march = marches.sample(chance)
            assert marches.trimmed(march) == march


class TestFreedom:
    def test_a_client_learns_how_a_march_is_put_together(self) -> None:
        free = duel(b2=(4000, 3000, 0)).question("blue").group("b2").freedom()
        assert free is not None
        assert (free.action, free.point, free.turn, free.way) == (March("b2", (4000, 3000)), "to", "heading", "via")
        assert (free.allowance, free.legs, len(free.region)) == (1200, 8, 36)
        assert [name for name, _ in free.snaps] == ["at Quarry wall"]

    def test_no_freedom_where_nothing_can_be_done(self) -> None:
        game = duel()
        game.apply(March("b1", (1500, 4200)), "blue")
        assert "b1" not in game.question("blue").groups


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("march b1 8 towards r1", March("b1", (1500, 4600))),
        ("march b1 8 at 90", March("b1", (2300, 5400))),
        ("march b1 8 east facing r1", March("b1", (2300, 5400), 351)),
        ("march b1 to 15.5 50.05", March("b1", (1550, 5005))),
        ("march b1 to 15 50 by 16 52", March("b1", (1500, 5000), via=((1600, 5200),))),
        ("march b1 to 15 50 by 16 52, 15 51 facing 270", March("b1", (1500, 5000), 270, ((1600, 5200), (1500, 5100)))),
        ("march b2 to Quarry wall", March("b2", (2956, 4201))),
        ("march b3 to old pit", March("b3", (4312, 4215))),
        ("face b1 r3", March("b1", (1500, 5400), 32)),
        ("face b1 south-west", March("b1", (1500, 5400), 225)),
        ("face b1 nobody", None),
        ("march b1 far east", None),
        ("march b1 8 nowhere", None),
        ("march b1 8 towards nobody", None),
        ("march b1 to 15 50 by 16", None),
        ("march b1 to nowhere", None),
        ("march nobody 8 north", None),
        ("march b1 nan north", None),
        ("walk b1 to 1 1", None),
        ("march b1", None),
    ],
)
def test_marches_are_typed_in_centimetres(typed: str, expected: March | None) -> None:
    game = duel()
    found = [*in_words(game.position, typed.split())]
    assert found == ([] if expected is None else [expected])
    assert expected is None or reason(game, expected) == ""


def test_the_nearest_point_of_a_line() -> None:
    line = Line("wall", "", ((0, 0), (1000, 0), (1000, 1000)))
    assert [nearest_spot(line, spot) for spot in ((500, 300), (-50, -50), (1300, 700), (1200, 1500))] == [
        (500, 0),
        (0, 0),
        (1000, 700),
        (1000, 1000),
    ]
