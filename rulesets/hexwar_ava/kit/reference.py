"""The rules of A Victory Awaits once more: slow, literal, and written from the clauses and not from the code.

A `Field` is a position as plain dictionaries. Each function follows the clauses that it names, hex by hex, without masks, tables
made beforehand or anything else that makes the game fast. The kit's checks and the differential tests compare the two.
Nothing here asks the ruleset's own functions for an answer: only what is printed is read (boards, counters, sources).
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any

from hexwar.board import Board
from hexwar.engine import Game
from hexwar_ava.content import AvaContent, load_ava

PRINTED: AvaContent = load_ava()
"""What is printed in the game, read when the kit is loaded: so before anybody plants a fault in it."""
AXIS, SOVIET = "axis", "soviet"
WATER = ("lake", "sea")
MECHANIZED = ("armour", "mechanized", "motorized")
HALF = 2
"""Costs are counted in half points (9.3.1)."""
WHOLE = "whole"
"""A step that takes the whole move (9.2.9, 9.2.14)."""

Path = tuple[str, ...]


@dataclass(frozen=True)
class Piece:
    """A counter where it lies."""

    id: str
    side: str
    arm: str
    nation: str
    attack: int
    defence: int
    move: int
    steps: int
    full: int
    at: str
    formation: str = ""

    @property
    def is_fortress(self) -> bool:
        """14.2.7: a marker that counts as a unit."""
        return self.arm == "fortress"

    @property
    def is_mechanized(self) -> bool:
        """2.2.1."""
        return self.arm in MECHANIZED

    @property
    def is_headquarters(self) -> bool:
        """2.2.11."""
        return self.arm == "hq"


@dataclass(frozen=True)
class Field:
    """A map and what lies on it and beside it."""

    terrain: Mapping[str, str]
    near: Mapping[str, tuple[str, ...]]
    pairs: Mapping[tuple[str, str], frozenset[str]]
    """Two adjacent hexes in either order -> both of them as the key of what lies between."""
    sides: Mapping[frozenset[str], frozenset[str]]
    roads: frozenset[frozenset[str]]
    rails: frozenset[frozenset[str]]
    cities: Mapping[str, str]
    """Hex -> "city" or "major-city"."""
    sources: Mapping[str, tuple[str, ...]]
    moscow: tuple[str, ...]
    pieces: Mapping[str, Piece]

    @classmethod
    def of(cls, game: Game) -> Field:
        """The position of a game."""
        world = game.world
        return _map_of(world.board, world.setup.scenario).with_pieces(world, game.state.at, game.state.steps)

    def moved(self, game: Game) -> Field:
        """The same map in a later position of the game."""
        return self.with_pieces(game.world, game.state.at, game.state.steps)

    def with_pieces(self, world: Any, at: Mapping[str, str], steps: Mapping[str, int]) -> Field:
        """The same map with units where somebody says that they are."""
        pieces = {}
        for unit, label in at.items():
            known = self.pieces.get(unit)
            if known is not None and known.at == label and known.steps == steps[unit]:
                pieces[unit] = known
                continue
            counter = world.units[unit]
            face = counter.faces[steps[unit] - 1]
            numbers = (face.attack, face.defence, face.move, steps[unit], counter.steps)
            pieces[unit] = Piece(unit, counter.side, counter.arm, counter.nation, *numbers, label, counter.formation)
        return replace(self, pieces=pieces)

    def emptied(self, label: str) -> Field:
        """The position if nobody stood in a hex."""
        return replace(self, pieces={name: piece for name, piece in self.pieces.items() if piece.at != label})

    def on_map(self) -> list[Piece]:
        """The pieces that lie in a hex."""
        return [piece for piece in self.pieces.values() if piece.at in self.terrain]

    def road(self, a: str, b: str) -> bool:
        """Whether a road crosses a hexside."""
        return self.pairs.get((a, b)) in self.roads

    def rail(self, a: str, b: str) -> bool:
        """Whether a railway crosses a hexside."""
        return self.pairs.get((a, b)) in self.rails

    def side(self, a: str, b: str) -> frozenset[str]:
        """What runs along a hexside."""
        return self.sides[self.pairs[a, b]]

    def bridged(self, a: str, b: str) -> bool:
        """2.1.4."""
        return self.road(a, b) or self.rail(a, b)


@lru_cache(maxsize=16)
def _map_of(board: Board, scenario: str) -> Field:
    near = {label: board.neighbours(label) for label in board.labels}
    cities = {label: place.kind for place in board.places for label in place.hexes if place.kind in ("city", "major-city")}
    links: dict[str, set[frozenset[str]]] = {"road": set(), "rail": set()}
    sides = {}
    pairs = {}
    for pair in {frozenset((a, b)) for a in near for b in near[a]}:
        a, b = pair
        pairs[a, b] = pairs[b, a] = pair
        sides[pair] = board.side(a, b)
        for kind in board.links(a, b):
            links[kind].add(pair)
        if cities.get(a) == cities.get(b) == "major-city":  # TEC.13
            links["road"].add(pair)
            links["rail"].add(pair)
    printed: Mapping[str, tuple[str, ...]] = {str(side): hexes for side, hexes in PRINTED.sources_of(scenario, board).items()}
    sources = {side: tuple(board.label(board.index(label)) for label in hexes) for side, hexes in printed.items()}
    return Field(
        {label: board.terrain(label) for label in board.labels},
        near,
        pairs,
        sides,
        frozenset(links["road"]),
        frozenset(links["rail"]),
        cities,
        sources,
        tuple(board.areas.get("supply moscow", ())),
        {},
    )


class Ground:
    """Who stands where in a field, and whose zones cover what; made once for several questions."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self.held: dict[str, set[str]] = {AXIS: set(), SOVIET: set()}
        self.heads: dict[str, int] = {}
        self.forts: set[str] = set()
        for piece in field.on_map():
            self.held[piece.side].add(piece.at)
            if piece.is_fortress:
                self.forts.add(piece.at)
            else:
                self.heads[piece.at] = self.heads.get(piece.at, 0) + 1
        self.watched = {side: enemy_zones(field, side) for side in (AXIS, SOVIET)}

    def enemy_in(self, side: str, label: str) -> bool:
        """Whether an enemy of a side stands in a hex."""
        return label in self.held[other(side)]

    def has_room(self, label: str) -> bool:
        """3.1.1, 14.2.3: at most two units; fortresses do not count."""
        return self.heads.get(label, 0) < 2


def other(side: str) -> str:
    """The enemy."""
    return SOVIET if side == AXIS else AXIS


# -- 3.2 zones of control ------------------------------------------------------------------------------------------


def zones(field: Field, side: str) -> set[str]:
    """3.2.1 to 3.2.4, 14.2.7: every unit of a side, fortresses too, covers the hexes around its own, but not water."""
    return {
        near
        for piece in field.on_map()
        if piece.side == side
        for near in field.near[piece.at]
        if field.terrain[near] not in WATER
    }


def enemy_zones(field: Field, side: str) -> set[str]:
    """The hexes in which zones of the enemy have an effect on a side; 14.2.2: not where it has a fortress."""
    forts = {piece.at for piece in field.on_map() if piece.is_fortress and piece.side == side}
    return zones(field, other(side)) - forts


# -- 9.0 movement ------------------------------------------------------------------------------------------


def is_closed(field: Field, piece: Piece, a: str, b: str) -> bool:
    """Whether a hexside or the hex behind it is prohibited to a unit whatever it can pay (9.1.4, 9.2.12 to 9.2.14, TEC.5)."""
    features = field.side(a, b)
    if field.terrain[b] in WATER or "water" in features:
        return True
    if "start-line" in features and piece.side == SOVIET:
        return True
    if field.terrain[b] == "mountain" and field.cities.get(b) != "major-city" and not field.road(a, b):
        return piece.arm != "mountain"
    return False


def step_cost(field: Field, piece: Piece, a: str, b: str) -> int | str | None:
    """9.2, TEC: half points for a step by normal movement without zones; None if it is closed."""
    if is_closed(field, piece, a, b):
        return None
    if field.road(a, b):
        return 1 * HALF  # 9.2.4
    features, terrain = field.side(a, b), field.terrain[b]
    if "major-river" in features and not field.bridged(a, b):
        return WHOLE  # 9.2.9
    if field.cities.get(b) == "major-city":
        cost = 1  # TEC.7
    elif terrain == "mountain":
        return WHOLE  # 9.2.14
    elif piece.is_mechanized:
        cost = {"clear": 1, "light-forest": 2, "dense-forest": 3, "swamp": 3}[terrain]
    else:
        cost = {"clear": 1, "light-forest": 1, "dense-forest": 2, "swamp": 2}[terrain]
    return (cost + ("minor-river" in features)) * HALF  # 9.2.3


def zone_cost(watched: Iterable[str], a: str, b: str) -> int:
    """9.2.5 to 9.2.7."""
    inside = set(watched) & {a, b}
    return 2 * HALF * len(inside)


def reach(ground: Ground, unit: str, start: str = "", points: int | None = None, *, fresh: bool = True) -> dict[str, int]:
    """9.2: every hex that a unit can get to and the half points that it has spent then, its start included.

    Args:
        ground: the position.
        unit: the unit.
        start: where it begins, its own hex if not given.
        points: the half points that it has, its allowance if not given.
        fresh: whether the move begins there: only then can a step take the whole of it.
    """
    field, piece = ground.field, ground.field.pieces[unit]
    start = start or piece.at
    budget = piece.move * HALF if points is None else points
    watched = ground.watched[piece.side]
    best = {start: 0}
    if piece.is_fortress or (fresh and not budget):
        return best  # 14.3.1
    queue = [(0, start)]
    whole: set[str] = set()
    while queue:
        spent, here = heapq.heappop(queue)
        if spent > best[here] or here in whole:
            continue
        for label in field.near[here]:
            cost = step_cost(field, piece, here, label)
            if cost is None or ground.enemy_in(piece.side, label):
                continue
            if isinstance(cost, str):
                # 9.2.9, 9.2.10, 9.2.14, 9.2.15: the only hex of the move, and no zone at either end
                if fresh and here == start and spent == 0 and not watched & {here, label}:
                    total = budget
                    if total < best.get(label, budget + 1):
                        best[label] = total
                continue
            total = spent + cost + zone_cost(watched, here, label)
            if total <= budget and total < best.get(label, budget + 1):
                best[label] = total
                heapq.heappush(queue, (total, label))
    return best


def strategic_reach(ground: Ground, unit: str) -> dict[str, int]:
    """9.3: half a point a hex along roads, from a road, never in a zone."""
    field, piece = ground.field, ground.field.pieces[unit]
    watched = ground.watched[piece.side]
    best = {piece.at: 0}
    if piece.is_fortress or piece.at in watched:
        return best
    queue = deque([piece.at])
    while queue:
        here = queue.popleft()
        for label in field.near[here]:
            open_road = field.road(here, label) and not ("start-line" in field.side(here, label) and piece.side == SOVIET)
            if not open_road or label in best or label in watched or ground.enemy_in(piece.side, label):
                continue
            if best[here] + 1 <= piece.move * HALF:
                best[label] = best[here] + 1
                queue.append(label)
    return best


def ends(ground: Ground, unit: str, reached: dict[str, int]) -> dict[str, int]:
    """3.1.1, 3.1.4: where a move may end."""
    here = ground.field.pieces[unit].at
    return {label: cost for label, cost in reached.items() if label != here and ground.has_room(label)}


def path_cost(ground: Ground, unit: str, path: Sequence[str], *, strategic: bool = False) -> int | None:
    """The half points of a way; None if the rules do not allow it."""
    field, piece = ground.field, ground.field.pieces[unit]
    watched = ground.watched[piece.side]
    if strategic and path[0] in watched:
        return None
    total = 0
    for n, (a, b) in enumerate(pairwise(path)):
        if b not in field.near[a] or ground.enemy_in(piece.side, b):
            return None
        if strategic:
            if not field.road(a, b) or b in watched or ("start-line" in field.side(a, b) and piece.side == SOVIET):
                return None
            total += 1
            continue
        cost = step_cost(field, piece, a, b)
        if cost is None:
            return None
        if isinstance(cost, str):
            if n or len(path) > 2 or watched & {a, b}:
                return None
            return piece.move * HALF
        total += cost + zone_cost(watched, a, b)
    return total


# -- 3.3 lines of communication ------------------------------------------------------------------------------------------


Links = tuple[frozenset[frozenset[str]], int]
"""Links that a line follows, and how many hexes it may go on without them."""


def lines(ground: Ground, side: str, follow: Links | None = None) -> dict[str, int]:
    """3.3: every hex to which a line can be traced, and the hexes of its shortest line, 0 for a source.

    A line is followed hex by hex. What is remembered of it: the hex, whether a mountain there was entered by road, and how far it
    has left the railway (always 0 for the Soviets, whose lines may have any length).

    Args:
        ground: the position.
        side: whose lines.
        follow: what they have to follow and how far they may leave it; railways and six hexes for the Axis if not given.
    """
    field = ground.field
    if follow is None and side == AXIS:
        follow = field.rails, 6  # 3.3.11, 3.3.13
    enemy, friends, watched = ground.held[other(side)], ground.held[side], ground.watched[side]
    links, farthest = follow or (frozenset(), 0)
    on_way = {label for pair in links for label in pair}
    found: dict[str, int] = {}
    queue: deque[tuple[str, bool, bool, int, int]] = deque()
    seen: set[tuple[str, bool, bool, int]] = set()
    for source in field.sources[side]:
        if source not in enemy and field.terrain[source] not in WATER:
            found[source] = 0
            queue.append((source, True, True, 0, 0))
    while queue:
        here, begins, by_road, off, length = queue.popleft()
        if not begins:
            if here in watched and here not in friends:
                continue  # 3.3.3, 3.3.5: it may end here, but not go on
            if field.terrain[here] == "mountain" and not by_road:
                continue  # 3.3.7
        for label in field.near[here]:
            pair = field.pairs[here, label]
            features, road = field.sides[pair], pair in field.roads
            if label in enemy or field.terrain[label] in WATER or "water" in features:
                continue  # 3.3.2, 3.3.6
            if side == SOVIET and "start-line" in features:
                continue  # 3.3.10
            if field.terrain[here] == "mountain" and not begins and not road:
                continue  # 3.3.7
            ways = [off]
            if follow is not None:
                ways = [0] if not off and pair in links else []  # 3.3.11
                if off < farthest and (off or here in on_way):
                    ways.append(off + 1)  # 3.3.13, 3.3.14
            for gone in ways:
                key = (label, False, road, gone)
                if key not in seen:
                    seen.add(key)
                    found.setdefault(label, length + 1)
                    queue.append((*key, length + 1))
    return found


def soviet_lines_along_ways(ground: Ground) -> dict[str, int]:
    """17.4.1: the Soviet lines where each follows railways all the way but for twelve hexes, or roads."""
    by_rail = lines(ground, SOVIET, (ground.field.rails, 12))
    by_road = lines(ground, SOVIET, (ground.field.roads, 12))
    return {label: min(way[label] for way in (by_rail, by_road) if label in way) for label in {*by_rail, *by_road}}


def rail_lines(ground: Ground, side: str) -> set[str]:
    """12.1.3, 12.1.4: the hexes with a line along the railway alone, through no enemy zone, friends or no friends."""
    field = ground.field
    shut = ground.held[other(side)] | ground.watched[side]
    ways = deque((source, True, True) for source in field.sources[side] if source not in shut)
    ways = deque(way for way in ways if any(field.rail(way[0], near) for near in field.near[way[0]]))
    seen = set(ways)
    while ways:
        here, begins, by_road = ways.popleft()
        for label in field.near[here]:
            mountain = field.terrain[here] == "mountain" and not begins
            if mountain and not (by_road and field.road(here, label)):
                continue  # 3.3.7
            if not field.rail(here, label) or label in shut or (side == SOVIET and "start-line" in field.side(here, label)):
                continue
            way = (label, False, field.road(here, label))
            if way not in seen:
                seen.add(way)
                ways.append(way)
    return {label for label, _, _ in seen}


# -- 8.2 command ------------------------------------------------------------------------------------------


def command_range(field: Field, start: str) -> set[str]:
    """8.2.1, 8.2.4, 8.2.5: the hexes within four of a hex, not counted through water; nothing else shortens it."""
    reached, ring = {start}, {start}
    for _ in range(4):
        ring = {
            label
            for here in ring
            for label in field.near[here]
            if field.terrain[label] not in WATER and "water" not in field.side(here, label)
        } - reached
        reached |= ring
    return reached


def commanded(field: Field, headquarters: str) -> set[str]:
    """8.1.1, 8.1.4, 8.3.1, 13.0.2, 14.3.1: whom a headquarters activates, itself included; nobody if it is not on the map."""
    leader = field.pieces[headquarters]
    if leader.at not in field.terrain:
        return set()
    near = command_range(field, leader.at)
    led = [piece for piece in field.on_map() if piece.side == leader.side and piece.at in near]
    others = {p.id for p in led if p.nation == leader.nation and not p.is_headquarters and not p.is_fortress}
    return {headquarters} | others


# -- 10.1 attacks ------------------------------------------------------------------------------------------


def targets(ground: Ground, unit: str) -> set[str]:
    """10.0.1, 10.0.2, 10.1.6: the hexes that a unit could attack."""
    field, piece = ground.field, ground.field.pieces[unit]
    if piece.is_fortress or piece.at not in field.terrain or piece.attack <= 0:
        return set()
    near = field.near[piece.at]
    return {label for label in near if ground.enemy_in(piece.side, label) and not is_closed(field, piece, piece.at, label)}


# -- 10.3 odds ------------------------------------------------------------------------------------------

COLUMNS = [Fraction(n) for n in (1,)] + [Fraction(3, 2)] + [Fraction(n) for n in range(2, 11)]


def odds(
    field: Field, attackers: Iterable[str], target: str, retreated: Iterable[str], *, surprise: bool
) -> tuple[int, int, int | None]:
    """10.3: attack total, defence total and the column that the die is rolled in, None if the attack is cancelled."""
    attack = Fraction(0)
    for unit in attackers:
        piece = field.pieces[unit]
        river = field.side(piece.at, target) & {"minor-river", "major-river"}
        attack += Fraction(piece.attack, 2 if river and not surprise else 1)  # 10.3.2, 15.1.3
    gone = set(retreated)
    defenders = [piece for piece in field.on_map() if piece.at == target]
    defence = sum(piece.defence for piece in defenders if piece.id not in gone)  # 10.3.4
    total = int(attack)  # 1.2.1
    if defence and Fraction(total, defence) < 1:
        return total, defence, None
    ratio = Fraction(total, defence) if defence else Fraction(10)
    column = max(n for n, begins in enumerate(COLUMNS) if ratio >= begins)  # 10.3.6, 10.3.7
    if field.cities.get(target) == "major-city":
        shift = 2  # TEC.7
    else:
        shift = {"light-forest": 1, "dense-forest": 2, "swamp": 1, "mountain": 2}.get(field.terrain[target], 0)
        shift += field.cities.get(target) == "city"  # TEC.6
    column -= shift
    return total, defence, column if column >= 0 and total > 0 else None


# -- 10.6 retreat ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Way:
    """A way of retreat; the smaller its rank, the better."""

    path: Path
    rank: tuple[int, int, int, int]


def retreat_paths(ground: Ground, unit: str, hexes: int, longest: int, *, surprise: bool) -> Iterator[Path]:
    """10.6.1 to 10.6.11: all ways of a unit, however bad; those that full stacks make longer than `longest` are left out."""
    field, piece = ground.field, ground.field.pieces[unit]

    def onward(path: Path) -> Iterator[Path]:
        here, gone = path[-1], len(path) - 1
        if gone >= hexes and ground.has_room(here):
            yield path
            return
        if gone >= longest:
            return
        for label in field.near[here]:
            if label in path or ground.enemy_in(piece.side, label) or is_closed(field, piece, here, label):
                continue
            if gone and not surprise and "major-river" in field.side(here, label) and not field.bridged(here, label):
                continue  # 10.6.7, 10.6.8, 15.1.3
            yield from onward((*path, label))

    if not piece.is_fortress:  # 14.3.1
        yield from onward((piece.at,))


def retreats(ground: Ground, unit: str, hexes: int, longest: int = 0, *, surprise: bool) -> list[Way]:
    """10.6.12, 10.6.13: all ways with their ranks: destroyed, steps lost, hexes beyond those demanded, length of the line."""
    field, piece = ground.field, ground.field.pieces[unit]
    paths = list(retreat_paths(ground, unit, hexes, longest or hexes + 4, surprise=surprise))
    watched = ground.watched[piece.side]
    line = lines(Ground(field.emptied(piece.at)), piece.side) if paths else {}  # 10.4.3: all of them leave the hex
    found = []
    for path in paths:
        losses = sum(label in watched for label in path[1:])  # 10.6.9
        rank = (int(losses >= piece.steps), losses, len(path) - 1 - hexes, line.get(path[-1], 10**6))
        found.append(Way(path, rank))
    return sorted(found, key=lambda way: (way.rank, way.path))


def best_retreats(ground: Ground, unit: str, hexes: int, longest: int = 0, *, surprise: bool) -> list[Way]:
    """The ways among which the owner may choose."""
    ways = retreats(ground, unit, hexes, longest, surprise=surprise)
    return [way for way in ways if way.rank == ways[0].rank]


# -- 10.7 pursuit ------------------------------------------------------------------------------------------


def may_pursue(ground: Ground, unit: str, path: Sequence[str], target: str, *, surprise: bool) -> bool:
    """10.7.1 to 10.7.11: whether a unit may follow along a path."""
    field, piece = ground.field, ground.field.pieces[unit]
    if path[0] != piece.at or path[1] != target or len(path) > (3 if piece.is_mechanized else 2) or piece.is_fortress:
        return False
    for a, b in pairwise(path):
        if b not in field.near[a] or ground.enemy_in(piece.side, b) or is_closed(field, piece, a, b):
            return False
    if len(path) == 3:
        river = field.side(path[0], target) & {"minor-river", "major-river"}
        if field.terrain[target] != "clear" or target in field.cities or (river and not surprise):
            return False
    return ground.has_room(path[-1])


# -- 16.0 victory ------------------------------------------------------------------------------------------


def victory_points(
    ground: Ground, control: Mapping[str, str], stand_fast: Iterable[str], scenario: str, line: Mapping[str, int] | None = None
) -> int:
    """16.1 to 16.3, 18.2.9: what the Axis would score now.

    Args:
        ground: the position.
        control: hex -> whose it is.
        stand_fast: the hexes with a marker.
        scenario: its id.
        line: the hexes with an Axis line, if somebody has traced them.
    """
    field, points = ground.field, 0
    line = lines(ground, AXIS) if line is None else line
    marked = set(stand_fast)

    def axis(label: str) -> bool:
        return control.get(label) == AXIS

    for label, kind in field.cities.items():
        if kind == "major-city" and axis(label):
            points += 10 if label in line else 5
            if label in marked:
                points += 5 if label in line else 2
    for piece in field.pieces.values():
        if piece.is_mechanized and piece.nation == "german" and piece.steps == piece.full and piece.at in field.terrain:
            points += 1
        if piece.is_mechanized and piece.side == SOVIET and piece.at == "soviet eliminated":
            points += 1
    for sources in (field.sources[SOVIET], field.moscow):
        held = [label for label in sources if axis(label)]
        if held:
            points += 10 if any(label in line for label in held) else 5
    if scenario == "smolensk":
        for label in ("S4230", "S4730"):
            if axis(label):
                points += 10 if label in line else 5
    return points
