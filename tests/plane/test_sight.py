"""Sight on a plane: against a judge that works otherwise, with the kernel and without, under turns and mirrors."""

from __future__ import annotations

import os
import random

import pytest

from hexwar.plane import Area, Base, Line, Placed, Sight, Terrain, _compiled
from tests.plane import judge

ROUNDS = int(os.environ.get("HEXWAR_PLANE_SIGHTS", "500"))
needs_kernel = pytest.mark.skipif(not _compiled.BUILT, reason="the kernel was not compiled")
WAYS = [False, pytest.param(True, marks=needs_kernel)]
BASE = Base(300, 300)


@pytest.fixture(params=WAYS, ids=["pure", "compiled"])
def sighted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_compiled, "COMPILED", request.param)


def seen(terrain: Terrain, viewer: Placed, target: Placed, *others: Placed, arc: int = 180) -> bool:
    placed = {"viewer": viewer, "target": target, **{str(number): other for number, other in enumerate(others)}}
    sight = Sight(terrain, judge.RULES.reach, judge.RULES.screens, judge.RULES.hills)
    return sight.field(placed, dict.fromkeys(placed, arc), placed.keys() - {"viewer", "target"}).sees("viewer", "target")


def test_a_judge_that_works_otherwise_says_the_same() -> None:
    chance, told, dark = random.Random(17), 0, 0
    while told < ROUNDS:
        terrain = judge.table(chance)
        sight = Sight(terrain, judge.RULES.reach, judge.RULES.screens, judge.RULES.hills)
        placed = {str(number): judge.unit(chance) for number in range(10)}
        arcs = {name: chance.choice((90, 180, 180, 360)) for name in placed}
        blocking = set(chance.sample(sorted(placed), 4))
        verdicts = []
        for compiled in [False, True] if _compiled.BUILT else [False]:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(_compiled, "COMPILED", compiled)
                verdicts.append(sight.field(placed, arcs, blocking).pairs(placed, placed))
        assert all(verdict == verdicts[0] for verdict in verdicts), "the kernel says something else"
        for _ in range(min(25, ROUNDS)):
            one, other = chance.sample(sorted(placed), 2)
            others = [placed[name] for name in blocking - {one, other}]
            expected = judge.sees(terrain, judge.RULES, placed[one], placed[other], arcs[one], others)
            if expected is not None:
                told, dark = told + 1, dark + (not expected)
                said = other in verdicts[0][one]
                assert said == expected, (terrain.areas, terrain.lines, placed[one], placed[other], arcs[one], others)
    assert told // 10 < dark < told, "the positions are of one sort only"


def square(kind: str, x: int, y: int, side: int) -> Area:
    return Area(kind, "", ((x, y), (x + side, y), (x + side, y + side), (x, y + side)))


@pytest.mark.usefixtures("sighted")
class TestSight:
    """A viewer at the bottom looks up: its eye is at 1000, 2850."""

    viewer = Placed(1000, 3000, 0, BASE)

    @pytest.mark.parametrize(("deep", "is_seen"), [(500, True), (501, False)])
    def test_los_6_one_can_look_five_centimetres_into_a_wood(self, deep: int, is_seen: bool) -> None:
        wood = Terrain(6000, 6000, [square("wood", 0, 0, 1500)])
        narrow = Base(2, 2)  # its nearest point is one unit before its centre
        assert seen(wood, self.viewer, Placed(1000, 1500 - deep - 1, 0, narrow)) == is_seen

    def test_los_6_the_same_holds_looking_out(self) -> None:
        wood = Terrain(6000, 6000, [square("wood", 0, 2350, 1500)])
        assert seen(wood, self.viewer, Placed(1000, 1000, 0, BASE))
        assert not seen(Terrain(6000, 6000, [square("wood", 0, 2349, 1500)]), self.viewer, Placed(1000, 1000, 0, BASE))

    def test_los_6_from_one_wood_into_another(self) -> None:
        two = Terrain(6000, 6000, [square("wood", 0, 2400, 1500), square("wood", 0, 0, 1500)])
        assert seen(two, self.viewer, Placed(1000, 1100, 0, BASE))

    def test_los_7_units_on_one_slope_see_each_other_and_the_crest_parts_two(self) -> None:
        hill = Area("hill", "", ((0, 500), (2000, 500), (2000, 3500), (0, 3500)), ((-500, 2000), (2500, 2000)))
        one_slope = Terrain(6000, 6000, [hill])
        assert seen(one_slope, self.viewer, Placed(1000, 2200, 0, BASE))
        assert not seen(one_slope, self.viewer, Placed(1000, 1400, 0, BASE))

    def test_los_8_woods_and_smoke_block(self) -> None:
        target = Placed(1000, 500, 180, BASE)
        assert seen(Terrain(6000, 6000), self.viewer, target)
        assert not seen(Terrain(6000, 6000, [square("wood", 0, 1500, 2000)]), self.viewer, target)
        smoke = Terrain(6000, 6000).changed(smoke=[square("smoke", 0, 2700, 2000).ring])
        assert not seen(smoke, self.viewer, target), "it stands in the smoke"

    def test_los_8_a_line_along_an_edge_is_clear_but_not_a_seam_of_two_woods(self) -> None:
        target, one, other = Placed(1000, 500, 180, Base(1, 1)), square("wood", 1000, 1500, 500), square("wood", 500, 1500, 500)
        assert seen(Terrain(6000, 6000, [one]), self.viewer, target)
        assert seen(Terrain(6000, 6000, [other]), self.viewer, target)
        assert not seen(Terrain(6000, 6000, [one, other]), self.viewer, target)

    @pytest.mark.parametrize(("y", "is_seen"), [(2840, True), (2839, False), (660, True), (661, False)])
    def test_los_9_a_wall_blocks_unless_one_of_them_touches_it(self, y: int, is_seen: bool) -> None:
        wall = Terrain(6000, 6000, lines=[Line("wall", "", ((0, y), (4000, y)))])
        assert seen(wall, self.viewer, Placed(1000, 500, 180, BASE)) == is_seen

    def test_los_10_units_block(self) -> None:
        target = Placed(1000, 500, 180, BASE)
        assert not seen(Terrain(6000, 6000), self.viewer, target, Placed(1000, 1500, 0, Base(1000, 300)))
        assert seen(Terrain(6000, 6000), self.viewer, target, Placed(1000, 1500, 0, Base(100, 100)))

    @pytest.mark.parametrize(("arc", "is_seen"), [(180, True), (90, False), (360, True)])
    def test_los_3_los_4_los_5_arcs(self, arc: int, is_seen: bool) -> None:
        assert seen(Terrain(6000, 6000), self.viewer, Placed(3000, 2500, 0, BASE), arc=arc) == is_seen

    def test_what_is_in_the_way_has_a_name(self) -> None:
        wood = Area("wood", "Copse", square("wood", 0, 1500, 2000).ring)
        wall = Line("wall", "Churchyard wall", ((0, 2000), (4000, 2000)))
        placed = {"viewer": self.viewer, "target": Placed(1000, 500, 180, BASE), "tank": Placed(1000, 1500, 0, Base(1000, 300))}
        arcs = dict.fromkeys(placed, 180)
        for terrain, expected in [
            (Terrain(6000, 6000, [wood]), ("area", "Copse")),
            (Terrain(6000, 6000, lines=[wall]), ("line", "Churchyard wall")),
            (Terrain(6000, 6000), ("unit", "tank")),
        ]:
            found = Sight(terrain, {"wood": 500}, {"wall"}).field(placed, arcs, {"tank"}).look("viewer", "target")
            assert (found.clear, found.topic, found.blocked_by) == (False, *expected)
        clear = Sight(Terrain(6000, 6000), {}).field(placed, arcs, ())
        assert clear.look("viewer", "target")[:3] == (True, (1000, 2850), (1000, 500))
        assert clear.look("target", "viewer").clear
        assert clear.look("tank", "viewer").topic == "arc"
        assert clear.seen_by("viewer", ("tank", "target")) == ("tank", "target")


def image(spot: tuple[int, int], turns: int, is_mirrored: bool, side: int) -> tuple[int, int]:
    x, y = (side - spot[0], spot[1]) if is_mirrored else spot
    for _ in range(turns):
        x, y = side - y, x
    return x, y


@pytest.mark.parametrize("is_mirrored", [False, True])
@pytest.mark.parametrize("turns", range(4))
def test_turning_and_mirroring_the_table_changes_no_verdict(turns: int, is_mirrored: bool) -> None:
    chance = random.Random(turns)
    for _ in range(4):
        terrain = judge.table(chance)
        placed = {str(number): judge.unit(chance) for number in range(12)}
        arcs = {name: chance.choice((90, 180, 360)) for name in placed}

        def mapped(spots: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
            found = tuple([image(spot, turns, is_mirrored, judge.SIDE) for spot in spots])
            return found[::-1] if is_mirrored else found

        other = Terrain(
            judge.SIDE,
            judge.SIDE,
            [area._replace(ring=mapped(area.ring), crest=mapped(area.crest)) for area in terrain.areas],
            [line._replace(points=mapped(line.points)) for line in terrain.lines],
        )
        moved = {
            name: Placed(
                *image(it.centre, turns, is_mirrored, judge.SIDE),
                ((-it.heading if is_mirrored else it.heading) + 90 * turns) % 360,
                it.base,
            )
            for name, it in placed.items()
        }
        verdicts = [
            Sight(ground, judge.RULES.reach, judge.RULES.screens, judge.RULES.hills)
            .field(units, arcs, ("0", "1", "2"))
            .pairs(units, units)
            for ground, units in ((Terrain(judge.SIDE, judge.SIDE, terrain.areas, terrain.lines), placed), (other, moved))
        ]
        assert verdicts[0] == verdicts[1]


def test_more_terrain_never_opens_a_line() -> None:
    chance = random.Random(5)
    for _ in range(10):
        terrain = judge.table(chance)
        placed = {str(number): judge.unit(chance) for number in range(10)}
        arcs, less = dict.fromkeys(placed, 180), Terrain(judge.SIDE, judge.SIDE, terrain.areas[:3], terrain.lines[:1])
        fields = [Sight(ground, judge.RULES.reach, judge.RULES.screens).field(placed, arcs, ()) for ground in (terrain, less)]
        more, fewer = (field.pairs(placed, placed) for field in fields)
        assert all(set(more[name]) <= set(fewer[name]) for name in placed)


@needs_kernel
@pytest.mark.parametrize(
    "wrong",
    [
        (b"", b"", b"", b"", b""),
        (b"1234567", b"", b"", b"", b"", b""),
        (b"", b"", b"", b"\xff" * 80, b"", b""),
        (b"", b"x", b"", b"", b"", b""),
        (b"", b"", b"", b"", b"", b"\x00" * 16),
        ("", b"", b"", b"", b"", b""),
    ],
)
def test_the_kernel_refuses_what_is_no_table(wrong: tuple[object, ...]) -> None:
    from hexwar.plane import _kernel

    with pytest.raises((TypeError, ValueError)):
        _kernel.seen(*wrong)  # type: ignore[arg-type]
