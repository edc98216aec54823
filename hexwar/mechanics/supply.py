"""Supply: lines of communication from a source to a unit, worked out when asked.

Whether there is a line is a flood over masks. How long it is and which way it runs takes more: a line may have a part along a
railway and a part off it, so the search runs over hexes and stages at once, layer by layer and still on masks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from hexwar.board import Board, Walls, flood, step
from hexwar.engine import Position

SOURCE, WAY, END = 0, 1, 2
"""Stages of a line: where it begins; on its way (along the railway, if it has to follow one); where it can only end."""
OFF = 3
"""The first hex off the railway; the second is one more, and so on."""


@dataclass(frozen=True, slots=True)
class Rail:
    """A kind of link that lines follow, and how far they may go on without it.

    Args:
        link: the kind of link.
        off: the most hexes that a line goes on after it has left the link.
    """

    link: str
    off: int


@dataclass(frozen=True, slots=True)
class Terrain:
    """What the map alone says about a side's lines.

    Args:
        closed: the hexes that no line enters.
        bound: the hexes through which a line goes only along a link.
        sides: hexsides that no line crosses at all.
        leaving: those, and the hexsides out of bound hexes without their link; closed to the last step of a line.
        entering: those, and the hexsides into bound hexes without their link; closed to the first step of a line.
        walls: all of them; closed to the steps between.
    """

    closed: int
    bound: int
    sides: Walls | None
    leaving: Walls | None
    entering: Walls | None
    walls: Walls | None


class Ways(NamedTuple):
    """Where a side's lines may go as units stand now: hexes to go through, hexes only to end in, and the map."""

    through: int
    into: int
    terrain: Terrain


class Leg(NamedTuple):
    """How a line gets from a stage to another: out of some hexes, into some hexes, and not across some hexsides."""

    origin: int
    target: int
    out_of: int
    to: int
    walls: Walls | None


@dataclass(frozen=True, slots=True)
class SupplyRules:
    """How sides trace their lines.

    A line may end in a hex of an enemy zone but goes through one only where a friend stands; it never enters an enemy hex.

    Args:
        sources: side -> the hexes its lines come from.
        closed_terrain: terrain that no line enters.
        closed_sides: hexside features that no line crosses, or side -> those that its lines do not cross.
        limit: the longest line in hexes, None for any length.
        by_link: terrain -> the kind of link that a line follows through such a hex; it may end there from anywhere.
        unbridged_sides: hexside features that lines cross only along one of `bridges`.
        bridges: the links that carry lines across those.
        ends_in_zones: whether a line may end in a hex of an enemy zone in which no friend stands.
        leaves_watched_sources: whether a line may begin in a source that lies in an enemy zone and go on from there.
        rail: side -> the links of which its lines have to follow one, and how far they may leave it; `limit` holds for other
            sides.
    """

    sources: Mapping[str, tuple[str, ...]]
    closed_terrain: tuple[str, ...] = ()
    closed_sides: tuple[str, ...] | Mapping[str, tuple[str, ...]] = ()
    limit: int | None = None
    by_link: Mapping[str, str] = field(default_factory=dict)
    unbridged_sides: tuple[str, ...] = ()
    bridges: tuple[str, ...] = ()
    ends_in_zones: bool = True
    leaves_watched_sources: bool = False
    rail: Mapping[str, Rail | tuple[Rail, ...]] = field(default_factory=dict)
    _terrain: dict[tuple[Board, str, str], Terrain] = field(default_factory=dict, init=False, repr=False, compare=False)

    def rails(self, side: str) -> tuple[Rail | None, ...]:
        """The links of which a side's lines have to follow one; None alone where they go anywhere."""
        rail = self.rail.get(side)
        return rail if isinstance(rail, tuple) else (rail,)

    # -- where lines may go ----------------------------------------------------------------------------------------------

    def ways(self, at: Position, side: str, without: str = "") -> Ways:
        """Where lines may go now. A game whose lines obey other rules overrides this; everything else follows from it.

        Args:
            at: the position.
            side: whose lines.
            without: a hex from which the side's units are thought away.
        """
        board, layout = at.world.board, at.state.layout
        terrain = self.terrain(board, side)
        free = board.everywhere & ~self._enemies(at, side) & ~terrain.closed & ~self.closed_now(at, side)
        held = layout.held[side]
        if without:
            held &= ~(1 << board.index(without))
        watched = layout.threatened[side] & ~held
        return Ways(free & ~watched, free & watched if self.ends_in_zones else 0, terrain)

    def closed_now(self, at: Position, side: str) -> int:
        """The mask of further hexes that no line enters as things stand, such as places of the enemy; none, unless overridden."""
        return 0

    def sources_now(self, at: Position, side: str) -> int:
        """The mask of a side's sources as things stand; those of the map, unless overridden."""
        board: Board = at.world.board
        return board.mask(self.sources[side])

    def terrain(self, board: Board, side: str, link: str = "") -> Terrain:
        """What the map says about a side's lines, or about those that follow a link all the way; made once, then looked up."""
        found = self._terrain.get((board, side, link))
        if found is None:
            closed_sides = self.closed_sides
            features = closed_sides.get(side, ()) if isinstance(closed_sides, Mapping) else closed_sides
            sides = board.walls(*features) if features else None
            if self.unbridged_sides:
                sides = _both(sides, board.walls(*self.unbridged_sides, unless_link=self.bridges))
            if link:
                sides = _both(sides, board.link_walls(link))
            leaving, entering, bound = sides, sides, 0
            for name, follows in self.by_link.items():
                there = board.terrain_mask(name)
                if there:
                    bound |= there
                    out = _walls_out(board, there, follows)
                    leaving = _both(leaving, out)
                    entering = _both(entering, board.reverse(out))
            walls = _both(leaving, entering) if entering else None
            found = Terrain(board.terrain_mask(*self.closed_terrain), bound, sides, leaving, entering, walls)
            self._terrain[board, side, link] = found
        return found

    def _enemies(self, at: Position, side: str) -> int:
        enemies = 0
        for other in at.world.enemies(side):
            enemies |= at.state.layout.held[other]
        return enemies

    def _sources(self, at: Position, side: str, ways: Ways) -> tuple[int, int]:
        """The sources that can be used, and those among them that a line can leave."""
        usable = self.sources_now(at, side) & (ways.through | ways.into)
        return usable, usable if self.leaves_watched_sources else usable & ways.through

    # -- whether there is a line -------------------------------------------------------------------------------------------

    def supplied(self, at: Position, side: str, wanted: int = 0) -> int:
        """The mask of all hexes with a line; complete only as far as `wanted` hexes are concerned, if any are named."""
        ways, memo = self.ways(at, side), at.state.layout.memo
        key = (id(self), id(ways.terrain), side, ways.through, ways.into, self.sources_now(at, side), wanted)
        known: tuple[SupplyRules, Ways, int] | None = memo.get(key)
        if known is None:  # with the rules and the ways themselves, so that their ids stay theirs
            known = memo[key] = (self, ways, self._supplied(at, side, ways, wanted))
        return known[2]

    def _supplied(self, at: Position, side: str, ways: Ways, wanted: int) -> int:
        reached = 0
        for rail in self.rails(side):
            reached |= self._supplied_by(at, side, ways, wanted, rail)
        return reached

    def _supplied_by(self, at: Position, side: str, ways: Ways, wanted: int, rail: Rail | None) -> int:
        board = at.world.board
        usable, starts = self._sources(at, side, ways)
        if rail is None:
            return usable | _spread(board, starts, starts, ways, self.limit, wanted)
        along = ways._replace(terrain=self.terrain(board, side, rail.link))
        starts_on_rail = starts & board.link_mask(rail.link)
        flow = _flow(board, starts_on_rail, starts, along, None, wanted)
        reached = usable | flow | _laststep(board, flow, flow, starts_on_rail, starts, along)
        if not rail.off or (wanted and not wanted & ~reached):
            return reached
        return reached | _spread(board, flow & ways.through | starts_on_rail, starts, ways, rail.off, wanted)

    def is_supplied(self, at: Position, unit: str) -> bool:
        """Whether a unit on the board has a line, as variants see it."""
        side = at.world.units[unit].side
        goal = 1 << at.world.board.index(at.state.at[unit])
        supplied: bool = at.world.hooks.refine("supply", bool(self.supplied(at, side, goal) & goal), at, unit)
        return supplied

    def supplied_units(self, at: Position, side: str) -> set[str]:
        """The units of a side on the board that have a line, as variants see it: one search for all."""
        board, layout = at.world.board, at.state.layout
        held = layout.held[side]
        reached = self.supplied(at, side, held)
        found: set[str] = set()
        if not at.world.hooks.chain("supply"):
            return found.union(*[layout.stacks[label] for label in board.scattered(held & reached)])
        for label in board.scattered(held):
            has_line = bool(reached >> board.index(label) & 1)
            found.update(unit for unit in layout.stacks[label] if at.world.hooks.refine("supply", has_line, at, unit))
        return found

    def rail_network(self, at: Position, side: str, link: str) -> int:
        """The hexes that a kind of link connects with a source without enemy units or zones anywhere, friends or no friends."""
        board = at.world.board
        terrain = self.terrain(board, side, link)
        shut = self._enemies(at, side) | at.state.layout.threatened[side] | terrain.closed | self.closed_now(at, side)
        free = board.link_mask(link) & ~shut
        starts = board.mask(self.sources[side]) & free
        return _spread(board, starts, starts, Ways(free, 0, terrain), None, 0)

    # -- which way it runs -------------------------------------------------------------------------------------------------

    def line(self, at: Position, side: str, label: str, *, shut: int = 0) -> list[str] | None:
        """A shortest line from a source to a hex, or None.

        Args:
            at: the position.
            side: whose line.
            label: where it leads.
            shut: the mask of hexes in which it does not follow the link that it has to follow; a line may still cross them.
        """
        found = [line for rail in self.rails(side) if (line := self._line(at, side, label, rail, shut))]
        return min(found, key=len, default=None)

    def _line(self, at: Position, side: str, label: str, rail: Rail | None, shut: int) -> list[str] | None:
        board, goal = at.world.board, at.world.board.index(label)
        ways = self.ways(at, side)
        steps = self._steps(at, side, ways, 1 << goal, rail, shut)
        layers: list[dict[int, int]] = []
        for layer in self._layers(at, side, ways, steps):
            layers.append(layer)
            stage = next((stage for stage, mask in layer.items() if mask >> goal & 1), None)
            if stage is not None:
                return [board.label(i) for i in _walk_back(board, goal, stage, layers, steps)]
        return None

    def lengths(self, at: Position, side: str, labels: Iterable[str], *, without: str = "") -> dict[str, int]:
        """The steps of the shortest line to each of some hexes, 0 for a source; hexes without a line are left out.

        Args:
            at: the position.
            side: whose lines.
            labels: the hexes.
            without: a hex from which the side's units are thought away, because they retreat.
        """
        board, memo = at.world.board, at.state.layout.memo
        indices = {label: board.index(label) for label in labels}
        ways = self.ways(at, side, without)
        key = (id(self), id(ways.terrain), side, ways.through, ways.into, self.sources_now(at, side), *indices)
        known: tuple[SupplyRules, Ways, dict[str, int]] | None = memo.get(key)
        if known is None:
            known = memo[key] = (self, ways, self._lengths(at, side, indices, ways))
        return dict(known[2])

    def _lengths(self, at: Position, side: str, indices: Mapping[str, int], ways: Ways) -> dict[str, int]:
        board = at.world.board
        shortest: dict[str, int] = {}
        for rail in self.rails(side):
            steps = self._steps(at, side, ways, board.mask(indices), rail)
            found: dict[str, int] = {}
            for length, layer in enumerate(self._layers(at, side, ways, steps)):
                for mask in layer.values():
                    found.update({label: length for label, i in indices.items() if mask >> i & 1 and label not in found})
                if len(found) == len(indices):
                    break
            shortest.update({label: length for label, length in found.items() if length < shortest.get(label, board.size)})
        return shortest

    def _steps(self, at: Position, side: str, ways: Ways, wanted: int, rail: Rail | None, shut: int = 0) -> list[Leg]:
        """All ways in which a line goes on that wants to get to some hexes."""
        board = at.world.board
        if rail is None:
            return [*_onward(SOURCE, WAY, ways, wanted), *_onward(WAY, WAY, ways, wanted)]
        along = ways._replace(terrain=self.terrain(board, side, rail.link))
        steps = [*_onward(SOURCE, WAY, along, wanted), *_onward(WAY, WAY, along, wanted)]
        if shut:
            steps = [step._replace(to=step.to & ~shut) for step in steps]
        on_rail = board.link_mask(rail.link)
        # A line that is farther away has no reason to leave the railway.
        near = flood(board, wanted, through=board.everywhere, limit=rail.off)
        for number in range(rail.off):
            after, last = OFF + number, number == rail.off - 1
            for stage in (SOURCE, WAY) if not number else (after - 1,):
                for leg in _onward(stage, after, ways, wanted):
                    # With the last hex it does not matter whether the line could go on.
                    target, to = (END, leg.to & wanted) if last else (leg.target, leg.to & near)
                    out_of = near & on_rail if stage == SOURCE else near
                    steps.append(leg._replace(target=target, out_of=out_of, to=to))
        return steps

    def _layers(self, at: Position, side: str, ways: Ways, steps: Sequence[Leg]) -> Iterator[dict[int, int]]:
        """Stage -> the hexes first reached in it with no step, with one step, and so on."""
        usable, starts = self._sources(at, side, ways)
        layer = {SOURCE: starts, END: usable & ~starts}
        seen = dict(layer)
        limit = at.world.board.size if side in self.rail or self.limit is None else self.limit
        yield layer
        while limit and any(layer.values()):
            limit -= 1
            fresh: dict[int, int] = {}
            for origin, target, out_of, to, walls in steps:
                front = layer.get(origin, 0) & out_of
                if front and to:
                    wave = step(at.world.board, front, to & ~seen.get(target, 0), walls)
                    if wave:
                        fresh[target] = fresh.get(target, 0) | wave
            for target, mask in fresh.items():
                seen[target] = seen.get(target, 0) | mask
            layer = fresh
            yield layer


def _both(walls: Walls | None, more: Walls) -> Walls:
    if walls is None:
        return more
    a, b, c, d, e, f = (one | other for one, other in zip(walls, more, strict=True))
    return a, b, c, d, e, f


def _walls_out(board: Board, bound: int, link: str) -> Walls:
    """The hexsides of some hexes that a kind of link does not cross, for somebody who leaves them."""
    a, b, c, d, e, f = (wall & bound for wall in board.link_walls(link))
    return a, b, c, d, e, f


def _flow(board: Board, starts: int, begin: int, ways: Ways, limit: int | None, wanted: int = 0) -> int:
    """Where lines get that go on by the rules for hexes on their way; `begin` are the starts in which lines begin."""
    through, into, terrain = ways
    reached = flood(board, starts, through=through, into=into, walls=terrain.walls, limit=limit, until=wanted)
    corner = starts & begin & terrain.bound
    if corner and limit != 0:
        # A source is not gone through, so that a line may leave it anywhere.
        first = step(board, corner, through | into, terrain.entering)
        less = None if limit is None else limit - 1
        reached |= first | flood(board, first & through, through=through, into=into, walls=terrain.walls, limit=less)
    return reached


def _spread(board: Board, starts: int, begin: int, ways: Ways, limit: int | None, wanted: int) -> int:
    """Where lines get, bound hexes included into which only their last step leads."""
    reached = _flow(board, starts, begin, ways, limit, wanted)
    if not ways.terrain.bound or limit == 0 or (wanted and not wanted & ~reached):
        return reached
    near = reached if limit is None else _flow(board, starts, begin, ways, limit - 1)
    return reached | _laststep(board, reached, near, starts, begin, ways)


def _laststep(board: Board, reached: int, near: int, starts: int, begin: int, ways: Ways) -> int:
    """The bound hexes beyond those reached into which a last step leads from near ones; none where nothing is bound."""
    through, into, terrain = ways
    ends = (through | into) & terrain.bound & ~reached
    if not ends:
        return 0
    found = step(board, near & through | starts, ends, terrain.leaving)
    corner = starts & begin & terrain.bound
    return found | step(board, corner, ends, terrain.sides) if corner else found


def _onward(stage: int, after: int, ways: Ways, wanted: int) -> Iterator[Leg]:
    """How a line in a stage goes on: to where it may go further, or to where it ends if that is wanted."""
    terrain, anywhere = ways.terrain, -1
    begins = stage == SOURCE
    yield Leg(stage, after, anywhere, ways.through, terrain.entering if begins else terrain.walls)
    ends = (ways.into | ways.through & terrain.bound) & wanted
    yield Leg(stage, END, anywhere, ends, terrain.sides if begins else terrain.leaving)


def _walk_back(board: Board, goal: int, stage: int, layers: list[dict[int, int]], steps: Sequence[Leg]) -> list[int]:
    """The hexes of the line whose search ended with a goal in the last layer."""
    path = [goal]
    for layer in reversed(layers[:-1]):
        goal, stage = next(
            (goal - delta, origin)
            for origin, target, out_of, to, walls in steps
            if target == stage and to >> goal & 1
            for d, delta in enumerate(board.deltas)
            if layer.get(origin, 0) & out_of & 1 << goal - delta and not (walls and walls[d] >> goal - delta & 1)
        )
        path.append(goal)
    path.reverse()
    return path
