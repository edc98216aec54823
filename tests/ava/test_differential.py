"""Movement, lines of communication, zones, odds and retreats against the literal rules of `hexwar_ava.kit.reference`.

On random small boards with everything that the rules speak of, and on positions of real scenarios that random play has led to.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hexwar
from hexwar.engine import Game, Position
from hexwar.mechanics import Move, Moving, destinations
from hexwar.mechanics.movement import path_to
from hexwar.mechanics.pursuit import pursuit_paths
from hexwar.mechanics.retreat_paths import best_retreats
from hexwar.testing import playout
from hexwar_ava.content import load_ava
from hexwar_ava.kit import reference as ref
from tests.ava.table import field, moving, position
from tests.board.strategies import draw_bytes

pytestmark = pytest.mark.long

COLUMNS, ROWS = 8, 7
AXIS_UNITS = ("ger-1pz", "ger-36m", "ger-21", "ger-291", "ger-1mt", "ger-4pzg", "ger-1c", "rum-3a")
SOVIET_UNITS = ("su-179", "su-11", "su-27a", "su-202m", "su-28t", "su-25c", "fort-l1", "fort-l2")
TERRAIN = "......fFsm~."
"""A letter for each number; mostly open, so that there is somewhere to go."""


def name(column: int, row: int) -> str:
    return f"{column:02}{row:02}"


HEXES = [name(column, row) for column in range(1, COLUMNS + 1) for row in range(1, ROWS + 1)]


def around(label: str) -> list[str]:
    """2.1.9: the neighbours of a hex on the field, by the column's parity."""
    column, row = int(label[:2]), int(label[2:])
    beside = (row, row + 1) if column % 2 else (row - 1, row)
    found = [(column, row - 1), (column, row + 1), *((c, r) for c in (column - 1, column + 1) for r in beside)]
    return [name(c, r) for c, r in found if 1 <= c <= COLUMNS and 1 <= r <= ROWS]


PAIRS = sorted({tuple(sorted((a, b))) for a in HEXES for b in around(a)})


def _make(ground: bytes, sides: bytes, links: bytes, marks: bytes, line: int) -> tuple[str, set[str]]:
    """A map from random numbers, and its water. West of the column `line` is the ground beyond the start line."""
    terrain = {label: TERRAIN[number % len(TERRAIN)] for label, number in zip(HEXES, ground, strict=True)}
    cities: dict[str, str] = {}
    major: dict[str, str] = {}
    for n, number in enumerate(marks[:10]):
        label = HEXES[number % len(HEXES)]
        if terrain[label] in "~m" or label in cities.values() or label in " ".join(major.values()):
            continue
        if n < 6:
            cities[f"City {n}"] = label
        elif n < 9 and not set(around(label)) & set(" ".join(major.values()).split()):
            second = [near for near in around(label) if terrain[near] not in "~m" and near not in cities.values()]
            second = [near for near in second if not set(around(near)) & set(" ".join(major.values()).split())]
            major[f"Great City {n}"] = f"{label} {second[0]}" if n == 8 and second else label
    features: dict[str, list[str]] = {"minor-river": [], "major-river": [], "water": [], "start-line": []}
    roads, rails = [], []
    great = [labels.split() for labels in major.values()]
    for (a, b), side, link in zip(PAIRS, sides, links, strict=True):
        wet = "~" in terrain[a] + terrain[b]
        kind = ("", "", "", "minor-river", "major-river", "", "water")[side % 7]
        joined = any(a in labels and b in labels for labels in great)  # TEC.13
        kind = "" if joined and kind == "water" else kind
        if kind:
            features[kind].append(f"{a}|{b}")
        if (int(a[:2]) <= line) != (int(b[:2]) <= line):
            features["start-line"].append(f"{a}|{b}")
        if not wet and kind != "water":
            if link % 5 in (1, 3) or joined:
                roads.append(f"{a} {b}")
            if link % 5 in (2, 3) or joined:
                rails.append(f"{a} {b}")
    dry = [label for label in HEXES if terrain[label] != "~"]
    axis = sorted({dry[number % len(dry)] for number in marks[10:13]})
    soviet = sorted({label for number in marks[13:15] if int((label := dry[number % len(dry)])[:2]) > line})
    west = [label for label in HEXES if int(label[:2]) <= line]
    text = field(
        {label: letter for label, letter in terrain.items() if letter != "."},
        sides={kind: labels for kind, labels in features.items() if labels},
        road=roads,
        rail=rails,
        cities=cities,
        major=major,
        areas={"supply axis": axis, "supply soviet": soviet, "west of the start line": west},
        size=(COLUMNS, ROWS),
    )
    return text, set(HEXES) - set(dry)


@st.composite
def positions(draw: st.DrawFn) -> Game[Any, Any]:
    """A random board with units of both sides, two of them in the middle of their move."""
    size = len(PAIRS)
    ground, sides, links = draw_bytes(draw, len(HEXES)), draw_bytes(draw, size), draw_bytes(draw, size)
    marks, places = draw_bytes(draw, 15), draw_bytes(draw, 32)
    line = draw(st.integers(0, 3))
    text, water = _make(ground, sides, links, marks, line)
    units: dict[str, str] = {}
    holder: dict[str, list[str]] = {}
    for unit, place in zip((*AXIS_UNITS, *SOVIET_UNITS), places[:16], strict=True):
        label = HEXES[place % len(HEXES)]
        soviet, fort = unit in SOVIET_UNITS, unit.startswith("fort")
        here = holder.setdefault(label, [])
        heads = [other for other in here if not other.startswith("fort")]
        mixed = any((other in SOVIET_UNITS) != soviet for other in here)
        full = any(other.startswith("fort") for other in here) if fort else len(heads) > 1
        if place % 5 == 4 or label in water or mixed or full or (soviet and int(label[:2]) <= line):
            continue
        units[unit] = label
        here.append(unit)
    if not any(unit in AXIS_UNITS for unit in units):
        spot = next(label for label in HEXES if label not in water and not holder.get(label))
        units["ger-21"] = spot
    reduced = [unit for unit, place in zip(units, places[16:], strict=False) if place % 3 == 0]
    axis = [unit for unit in units if unit in AXIS_UNITS]
    driven_off = [unit for unit, place in zip(units, places[16:], strict=False) if place % 4 == 0]
    phase = draw(st.sampled_from(("movement", "surprise")))
    return position(units, moving(*axis), board=text, reduced=reduced, phase=phase, retreated=driven_off)


EXAMPLES = {"quick": 40, "ci": 100, "nightly": 2000}[os.environ.get("HEXWAR_TIER", "quick")]
RANDOM_BOARDS = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))


# -- positions of real games ------------------------------------------------------------------------------------------


@cache
def plays(scenario: str) -> tuple[tuple[Game[Any, Any], ref.Ground], ...]:
    """A few moments of a random game of a scenario."""
    game = hexwar.new_game("ava", scenario, seed=f"differential {scenario}", options={"auto-setup": True})
    chance = random.Random(f"moments of {scenario}")
    whole = ref.Field.of(game)
    found = []
    length = {"training": 25, "campaign": 330}.get(scenario, 110)
    for _ in range(3):
        playout(game, chance, stop_after=length)
        if game.result is None:
            found.append((game.copy(), ref.Ground(whole.moved(game))))
    assert found
    return tuple(found)


REAL = ("training", "leningrad", "smolensk", "kiev", "campaign")


def sampled(game: Game[Any, Any], key: str, number: int) -> list[str]:
    """Some units on the map, those next to enemies first, because there something happens."""
    at, board = game.state.at, game.world.board
    units = [unit for unit, label in at.items() if label in board]
    chance = random.Random(key)
    chance.shuffle(units)
    sides = {label: game.world.units[unit].side for unit, label in at.items() if label in board}
    units.sort(key=lambda unit: all(sides.get(near, sides[at[unit]]) == sides[at[unit]] for near in board.neighbours(at[unit])))
    return units[: number * 2 // 3] + units[len(units) - number // 3 :]


# -- zones ------------------------------------------------------------------------------------------


def same_zones(game: Game[Any, Any], ground: ref.Ground) -> None:
    board = game.world.board
    for side in ("axis", "soviet"):
        assert set(board.unmask(game.state.layout.threatened[side])) == ground.watched[side]
        assert set(game.query.zones(side)) == ref.zones(ground.field, side)


@pytest.mark.parametrize("scenario", REAL)
def test_3_2_1_zones_in_real_games(scenario: str) -> None:
    for game, ground in plays(scenario):
        same_zones(game, ground)


# -- movement ------------------------------------------------------------------------------------------


def same_reach(game: Game[Any, Any], ground: ref.Ground, unit: str) -> None:
    """Costs by both ways of moving, and the ways that the engine would take."""
    at: Position[Any, Any] = game.position
    if ground.field.pieces[unit].is_fortress:
        assert not game.query.reach(unit).costs
        return
    for mode, reached in (("", ref.reach(ground, unit)), ("strategic", ref.strategic_reach(ground, unit))):
        expected = ref.ends(ground, unit, reached)
        told = game.query.reach(unit, mode).costs
        assert {label: round(cost * ref.HALF) for label, cost in told.items()} == expected, (unit, mode)
        assert destinations(at, unit, mode) == sorted(expected)
        for label, cost in expected.items():
            path = path_to(at, unit, label, mode)
            assert ref.path_cost(ground, unit, path, strategic=bool(mode)) == cost, (unit, path)


def detours(game: Game[Any, Any], ground: ref.Ground, unit: str) -> Iterator[tuple[str, str]]:
    """Places that a unit could take on a normal move and where it could end then, by the literal rules."""
    piece = ground.field.pieces[unit]
    reached = ref.reach(ground, unit)
    for via, owner in game.state.control.items():
        if owner != piece.side and via in reached and via != piece.at:
            onward = ref.reach(ground, unit, via, piece.move * ref.HALF - reached[via], fresh=False)
            for to in onward:
                if to != via and (to == piece.at or ground.has_room(to)):
                    yield via, to


def same_detours(game: Game[Any, Any], ground: ref.Ground, unit: str) -> None:
    """Whatever place can be taken on the way to whatever end: by a detour, or because the cheapest way passes it."""
    at: Position[Any, Any] = game.position
    if ground.field.pieces[unit].is_fortress:
        return
    offered = {(move.via, move.to) for move in Moving("", (unit,)).choices(at, unit) if isinstance(move, Move) and move.via}
    possible = set(detours(game, ground, unit))
    assert offered <= possible, (unit, sorted(offered - possible))
    for via, to in possible - offered:
        assert to != ground.field.pieces[unit].at, (unit, via)
        assert via in path_to(at, unit, to), (unit, via, to)
    for via, to in offered:
        path = path_to(at, unit, to, via=via)
        cost = ref.path_cost(ground, unit, path)
        assert via in path
        assert path[-1] == to
        assert cost is not None
        assert cost <= ground.field.pieces[unit].move * ref.HALF


@given(positions())
@RANDOM_BOARDS
def test_9_2_1_zones_and_reach_on_random_boards(game: Game[Any, Any]) -> None:
    ground = ref.Ground(ref.Field.of(game))
    same_zones(game, ground)
    for unit in on_map(game):
        same_reach(game, ground, unit)
        same_detours(game, ground, unit)


@pytest.mark.parametrize("scenario", REAL)
def test_9_2_1_reach_in_real_games(scenario: str) -> None:
    for number, (game, ground) in enumerate(plays(scenario)):
        for unit in sampled(game, f"reach {number}", 12):
            same_reach(game, ground, unit)
            same_detours(game, ground, unit)


def on_map(game: Game[Any, Any]) -> list[str]:
    return [unit for unit, label in game.state.at.items() if label in game.world.board]


# -- lines of communication ------------------------------------------------------------------------------------------


def same_lines(game: Game[Any, Any], ground: ref.Ground, hexes: list[str]) -> None:
    """Which hexes have a line, how long the shortest is, and that the one which is shown is one."""
    at, board, rules = game.position, game.world.board, game.world.lines
    for side in ("axis", "soviet"):
        expected = ref.lines(ground, side)
        assert set(board.unmask(rules.supplied(at, side))) == set(expected), side
        assert rules.lengths(at, side, hexes) == {label: expected[label] for label in hexes if label in expected}
        supplied = {piece.id for piece in ground.field.on_map() if piece.side == side and piece.at in expected}
        assert rules.supplied_units(at, side) == supplied
        for label in hexes:
            line = rules.line(at, side, label)
            assert (line is not None) == (label in expected)
            if line is not None:
                assert len(line) - 1 == expected[label]
                assert line[-1] == label
                assert line[0] in rules.sources[side]
                assert all(b in ground.field.near[a] for a, b in pairwise(line))
                assert not ground.held[ref.other(side)] & set(line)


@given(positions())
@RANDOM_BOARDS
def test_3_3_1_lines_on_random_boards(game: Game[Any, Any]) -> None:
    ground = ref.Ground(ref.Field.of(game))
    same_lines(game, ground, HEXES)
    same_rail_lines(game, ground)


@pytest.mark.parametrize("scenario", REAL)
def test_3_3_1_lines_in_real_games(scenario: str) -> None:
    for number, (game, ground) in enumerate(plays(scenario)):
        hexes = [game.state.at[unit] for unit in sampled(game, f"lines {number}", 9)]
        hexes += random.Random(number).sample(sorted(ground.field.terrain), 6)
        same_lines(game, ground, sorted(set(hexes)))


def same_rail_lines(game: Game[Any, Any], ground: ref.Ground) -> None:
    for side in ("axis", "soviet"):
        told = set(game.world.board.unmask(game.world.lines.rail_network(game.position, side, "rail")))
        assert told == ref.rail_lines(ground, side), side


# -- odds ------------------------------------------------------------------------------------------


def same_odds(game: Game[Any, Any], ground: ref.Ground) -> int:
    """Every attack of all units of a side that stand next to an enemy."""
    made, count = ground.field, 0
    surprise = game.state.phase == "surprise"
    for target in sorted(ground.held["axis"] | ground.held["soviet"]):
        side = "soviet" if target in ground.held["axis"] else "axis"
        attackers = [p.id for p in made.on_map() if p.side == side and not p.is_fortress and target in made.near[p.at]]
        if not attackers:
            continue
        for group in (attackers, attackers[:1]):
            told = game.query.odds(group, target)
            expected = ref.odds(made, group, target, game.state.retreated, surprise=surprise)
            assert (told.attack, told.defence, told.column) == expected, (group, target)
            count += 1
    return count


@pytest.mark.parametrize("scenario", REAL)
def test_10_3_6_odds_in_real_games(scenario: str) -> None:
    assert sum(same_odds(game, ground) for game, ground in plays(scenario))


# -- points ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", [*REAL, "smolensk-short"])
def test_16_1_2_points_in_real_games(scenario: str) -> None:
    """With cities, sources and Stand Fast markers in other hands than in the game, so that all of them count now and then."""
    chance = random.Random(scenario)
    for game, ground in plays(scenario):
        for _ in range(1 if scenario == "campaign" else 3):
            twin = game.copy()
            twin.state.control = {label: chance.choice(("axis", "soviet")) for label in sorted(twin.state.control)}
            twin.state.stand_fast = tuple(label for label in twin.state.stand_fast if chance.random() < 0.7)
            points = ref.victory_points(ground, twin.state.control, twin.state.stand_fast, scenario)
            assert sum(score.points for score in twin.query.score() if score.side == "axis") == points
            assert all(score.side == "axis" for score in twin.query.score())  # 16.1.1


# -- retreat ------------------------------------------------------------------------------------------


def same_retreats(game: Game[Any, Any], ground: ref.Ground, unit: str) -> None:
    """The best ways of one and two hexes.

    Of ways that go on over full stacks the engine need not offer those that differ only in the stacks which they pass; there the
    ends and the hexes before the last demanded one are compared.
    """
    at = game.position
    if ground.field.pieces[unit].at in ground.forts:
        return  # 14.2.6: nobody retreats from there
    for hexes in (1, 2):
        told = [option.path for option in best_retreats(at, unit, hexes, game.world.retreat_criteria)]
        ways = ref.best_retreats(ground, unit, hexes)
        if ways and len(ways[0].path) - 1 > hexes:
            assert {(path[-1], len(path), path[1:hexes]) for path in told} == {
                (way.path[-1], len(way.path), way.path[1:hexes]) for way in ways
            }, (unit, hexes)
            assert set(told) <= {way.path for way in ways}
        else:
            assert told == [way.path for way in ways], (unit, hexes)


def same_pursuits(game: Game[Any, Any], ground: ref.Ground) -> None:
    """10.7: all ways of all units into and through every hex next to them in which no enemy stands."""
    made, surprise = ground.field, game.state.phase == "surprise"
    for unit in on_map(game):
        here = made.pieces[unit].at
        for target in made.near[here]:
            paths = [(here, target), *((here, target, far) for far in made.near[target] if far != here)]
            expected = {path for path in paths if ref.may_pursue(ground, unit, path, target, surprise=surprise)}
            assert set(pursuit_paths(game.position, unit, target)) == expected, (unit, target)


@given(positions())
@RANDOM_BOARDS
def test_10_6_12_odds_retreats_and_pursuits_on_random_boards(game: Game[Any, Any]) -> None:
    ground = ref.Ground(ref.Field.of(game))
    same_odds(game, ground)
    same_pursuits(game, ground)
    for unit in on_map(game):
        same_retreats(game, ground, unit)


@pytest.mark.parametrize("scenario", REAL)
def test_10_6_12_retreats_in_real_games(scenario: str) -> None:
    number = {"training": 12, "campaign": 2}.get(scenario, 6)
    for index, (game, ground) in enumerate(plays(scenario)):
        for unit in sampled(game, f"retreats {index}", number):
            same_retreats(game, ground, unit)


RIFLES = [unit.id for unit in load_ava().units_of("campaign").values() if (unit.side, unit.arm) == ("soviet", "infantry")]
RING = around("0404")
SECOND_RING = sorted({far for near in RING for far in around(near)} - {"0404", *RING})


@given(st.data())
@settings(max_examples=EXAMPLES * 3, deadline=None, suppress_health_check=list(HealthCheck))
def test_10_6_11_retreats_over_full_stacks(data: st.DataObject) -> None:
    """A unit in the middle of a crowd: most hexes around it are full, some are watched by the enemy."""
    rivers, crowded, places = (draw_bytes(data.draw, size) for size in (len(PAIRS), 18, 9))
    numbers = list(zip(PAIRS, rivers, strict=True))
    sides = {kind: [f"{a}|{b}" for (a, b), n in numbers if n % 12 == k] for k, kind in enumerate(("major-river", "water"))}
    board = field(sides=sides, areas={"supply soviet": ["0804"], "supply axis": ["0101"]}, size=(COLUMNS, ROWS))
    units = {"su-5": "0404"}
    rifles = iter([rifle for rifle in RIFLES if rifle != "su-5"])
    full = [label for label, n in zip((*RING, *SECOND_RING), crowded, strict=True) if n % 4 < (3 if label in RING else 1)]
    units |= {next(rifles): label for label in full for _ in range(2)}
    free = [label for label in HEXES if label not in units.values()]
    units |= {unit: free[n % len(free)] for unit, n in zip(AXIS_UNITS[: 2 + places[8] % 7], places, strict=False)}
    game = position(units, moving("ger-1pz"), board=board)
    same_retreats(game, ref.Ground(ref.Field.of(game)), "su-5")


def test_10_6_13_room_comes_before_the_length_of_the_line() -> None:
    """Both ways cost a step; the one that need not pass a full stack is better, although its end has no line at all."""
    land = ["0402", "0403", "0404", "0405", "0406", "0407", "0506"]
    board = field(land=land, areas={"supply soviet": ["0506"], "supply axis": ["0402"]}, size=(COLUMNS, ROWS))
    units = {"su-5": "0404", RIFLES[5]: "0405", RIFLES[6]: "0405", "ger-1pz": "0402", "ger-21": "0407"}
    game = position(units, moving("ger-1pz"), board=board)
    assert [option.path for option in best_retreats(game.position, "su-5", 1, game.world.retreat_criteria)] == [("0404", "0403")]
    same_retreats(game, ref.Ground(ref.Field.of(game)), "su-5")
