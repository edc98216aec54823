"""Supply: lines of communication from a source to a unit, computed when asked.

Whether there is a line is a flood over masks. How long it is and which way it runs takes more: a line may have a part along a
railway and a part off it, so the search runs over hexes and stages at once, layer by layer and still on masks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial, reduce
from operator import or_
from typing import TYPE_CHECKING, NamedTuple, cast

from hexwar.board import MAX_BUDGET, Board, Walls, flood, step
from hexwar.engine import Part, Position, record

if TYPE_CHECKING:
    from hexwar.mechanics._world import HexWorld

SOURCE, WAY, END = 0, 1, 2
"""Stages of a line: where it begins; on its way (along the railway, if it has to follow one); where it can only end."""
OFF = 3
"""The first hex off the railway; the second is one more, and so on."""
MANY_LINES = 64
"""How many searches are kept in mind."""


ANYWHERE: Mapping[str, int] = {}


class LineTerms(NamedTuple):
    """What the map says about a side's lines.

    Args:
        closed: the mask of the hexes that no line enters.
        walls: sets of hexsides that no line crosses.
        bound: link -> the mask of the hexes through which a line goes only along it; it may begin and end there without.
        along: links of which a line has to follow one -> the most hexes that it goes on after it has left that; if there are
            none, lines go anywhere.
        row: the row of the terrain chart that prices lines which cost points (`PricedSupply`).
        budget: the most half points that any of these lines may cost.
    """

    closed: int = 0
    walls: tuple[Walls, ...] = ()
    bound: Mapping[str, int] = ANYWHERE
    along: Mapping[str, int] = ANYWHERE
    row: str = ""
    budget: int = MAX_BUDGET


@record
class Passage:
    """`LineTerms` as searches need them, for lines in general or for those that follow a link.

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
    """Where a side's lines may go as units stand now.

    Args:
        through: the mask of the hexes through which they go.
        into: that of the hexes in which they only end.
        sources: that of the sources; those that are in neither cannot be used.
        starts: that of the sources that a line can leave, and not only end in.
        passage: what the map says.
        free: the mask of the hexes that lines which cost points enter at no cost, such as those of the side's own units.
    """

    through: int
    into: int
    sources: int
    starts: int
    passage: Passage
    free: int = 0

    def usable(self) -> tuple[int, int]:
        """The sources that can be used, and those among them that a line can leave."""
        usable = self.sources & (self.through | self.into)
        return usable, self.starts & usable


class Leg(NamedTuple):
    """How a line gets from a stage to another: out of some hexes, into some hexes, and not across some hexsides."""

    origin: int
    target: int
    out_of: int
    to: int
    walls: Walls | None


class Supply(Part):
    """How sides trace their lines.

    A line may end in a hex of an enemy zone but goes through one only where a friend stands; it never enters an enemy hex.
    """

    world: HexWorld

    # -- what the map says -------------------------------------------------------------------------------------------------

    @cached_property
    def sources(self) -> Mapping[str, tuple[str, ...]]:
        """Side -> the hexes its lines come from; the areas "supply SIDE" of the board, unless overridden."""
        return {side: tuple(self.world.board.areas.get(f"supply {side}", ())) for side in self.world.sides}

    def terms(self, side: str) -> LineTerms:
        """What the map closes to a side's lines, and what they follow; asked once for each side."""
        return LineTerms()

    def passage(self, side: str, link: str = "") -> Passage:
        """What the map says about a side's lines, or about those that follow a link all the way; made once, then looked up."""
        found = self._passages.get((side, link))
        if found is None:
            board, terms = self.world.board, self.terms_of(side)
            walls = (*terms.walls, board.link_walls(link)) if link else terms.walls
            out = [_masked(board.link_walls(by), mask) for by, mask in terms.bound.items()]
            sides, leaving = _union(walls), _union((*walls, *out))
            entering = _union((*walls, *map(board.reverse, out)))
            bound = reduce(or_, terms.bound.values(), 0)
            both = _union((*walls, *out, *map(board.reverse, out)))
            found = self._passages[side, link] = Passage(terms.closed, bound, sides, leaving, entering, both)
        return found

    @cached_property
    def _passages(self) -> dict[tuple[str, str], Passage]:
        return {}

    def terms_of(self, side: str) -> LineTerms:
        """`terms`, kept."""
        found = self._terms.get(side)
        if found is None:
            found = self._terms[side] = self.terms(side)
        return found

    @cached_property
    def _terms(self) -> dict[str, LineTerms]:
        return {}

    @cached_property
    def source_masks(self) -> Mapping[str, int]:
        """Side -> the mask of its sources."""
        return {side: self.world.board.mask(hexes) for side, hexes in self.sources.items()}

    # -- where lines may go now --------------------------------------------------------------------------------------------

    def ways(self, at: Position, side: str, without: str = "") -> Ways:
        """Where lines may go now: they leave no source in an enemy zone. A game changes this with `super().ways(...)._replace`.

        Args:
            at: the position.
            side: whose lines.
            without: a hex in which the side's units are ignored.
        """
        board, layout = self.world.board, at.state.layout
        passage = self.passage(side)
        free = board.everywhere & ~layout.closed_to(side) & ~passage.closed
        held = layout.held[side]
        if without:
            held &= ~(1 << board.index(without))
        watched = layout.threatened[side] & ~held
        through, sources = free & ~watched, self.source_masks[side]
        return Ways(through, free & watched, sources, sources & through, passage)

    # -- whether there is a line -------------------------------------------------------------------------------------------

    def supplied(self, at: Position, side: str, wanted: int = 0) -> int:
        """The mask of all hexes with a line; complete only as far as `wanted` hexes are concerned, if any are named."""
        ways, kept = self.ways(at, side), at.state.layout.lines
        key = ("supplied", id(self), id(ways.passage), *ways[:4])
        known: tuple[Supply, Ways, int, int] | None = kept.get(key)
        # A search for more hexes answers for fewer: when a unit leaves, those that stay need no other.
        if known is None or (known[2] and (not wanted or wanted & ~known[2])):
            if len(kept) >= MANY_LINES:
                kept.clear()
            # With the rules and the ways themselves, so that their ids stay theirs.
            known = kept[key] = (self, ways, wanted, self._supplied(side, ways, wanted))
        return known[3]

    def _supplied(self, side: str, ways: Ways, wanted: int) -> int:
        reached = 0
        for link, off in self._followed(side):
            reached |= self._supplied_by(side, ways, wanted, link, off)
        return reached

    def _followed(self, side: str) -> Iterable[tuple[str, int]]:
        """The links that lines may follow, and how far they go on without; "" for lines that go anywhere."""
        return self.terms_of(side).along.items() or (("", 0),)

    def _supplied_by(self, side: str, ways: Ways, wanted: int, link: str, off: int) -> int:
        board, (usable, starts) = self.world.board, ways.usable()
        if not link:
            return usable | _spread(board, starts, starts, ways, None, wanted)
        along = ways._replace(passage=self.passage(side, link))
        starts_on_rail = starts & board.link_mask(link)
        flow = _flow(board, starts_on_rail, starts, along, None, wanted)
        reached = usable | flow | _laststep(board, flow, flow, starts_on_rail, starts, along)
        if not off or (wanted and not wanted & ~reached):
            return reached
        return reached | _spread(board, flow & ways.through | starts_on_rail, starts, ways, off, wanted)

    def is_supplied(self, at: Position, unit: str) -> bool:
        """Whether a unit on the board is in supply."""
        goal = 1 << self.world.board.index(at.state.locations[unit])
        has_line = bool(self.supplied(at, self.world.units[unit].side, goal) & goal)
        return self.judge(at, unit, self._price_to(at, unit) if has_line else None)

    def _price_to(self, at: Position, unit: str) -> int:
        """The half points that the line to a unit costs, where there is one."""
        return 0

    def judge(self, at: Position, unit: str, price: int | None) -> bool:
        """Whether a unit is in supply: if there is a line to its hex, unless a rule on single units overrides this.

        Args:
            at: the position.
            unit: the unit.
            price: the half points that its line costs, 0 where lines cost nothing; None if there is no line.
        """
        return price is not None

    def supplied_units(self, at: Position, side: str) -> set[str]:
        """The units of a side on the board that are in supply: one search for all, kept until something happens."""
        found: set[str] | None = at.memo.get(("supplied", side))
        if found is None:
            board, stacks, held = self.world.board, at.state.layout.stacks, at.state.layout.held[side]
            reached = self.supplied(at, side, held)
            found = at.memo["supplied", side] = {
                unit
                for has_line, mask in ((True, held & reached), (False, held & ~reached))
                for label in board.scattered(mask)
                for unit in stacks[label]
                if self.judge(at, unit, self._price_to(at, unit) if has_line else None)
            }
        return {*found}

    def rail_network(self, at: Position, side: str, link: str) -> int:
        """The hexes that a kind of link connects with a source without enemy units or zones anywhere, friends or no friends."""
        board = self.world.board
        free = board.link_mask(link) & self.ways(at, side).through & ~at.state.layout.threatened[side]
        starts = self.source_masks[side] & free
        return _spread(board, starts, starts, Ways(free, 0, starts, starts, self.passage(side, link)), None, 0)

    # -- which way it runs -------------------------------------------------------------------------------------------------

    def line(self, at: Position, side: str, label: str, *, shut: int = 0) -> list[str] | None:
        """A shortest line from a source to a hex, or None.

        Args:
            at: the position.
            side: whose line.
            label: where it leads.
            shut: the mask of hexes in which it does not follow the link that it has to follow; a line may still cross them.
        """
        found = [line for link, off in self._followed(side) if (line := self._line(at, side, label, link, off, shut))]
        return min(found, key=len, default=None)

    def _line(self, at: Position, side: str, label: str, link: str, off: int, shut: int) -> list[str] | None:
        board, goal = self.world.board, self.world.board.index(label)
        ways = self.ways(at, side)
        steps = self._steps(side, ways, 1 << goal, link, off, shut)
        layers: list[dict[int, int]] = []
        for layer in self._layers(ways, steps):
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
            without: a hex in which the side's units are ignored, because they retreat.
        """
        board, kept = self.world.board, at.state.layout.lines
        indices = {label: board.index(label) for label in labels}
        ways = self.ways(at, side, without)
        key = (id(self), id(ways.passage), *ways[:4], *indices)
        known: tuple[Supply, Ways, dict[str, int]] | None = kept.get(key)
        if known is None:
            if len(kept) >= MANY_LINES:
                kept.clear()
            known = kept[key] = (self, ways, self._lengths(side, indices, ways))
        return dict(known[2])

    def _lengths(self, side: str, indices: Mapping[str, int], ways: Ways) -> dict[str, int]:
        board = self.world.board
        shortest: dict[str, int] = {}
        for link, off in self._followed(side):
            left = board.mask(indices)
            steps = self._steps(side, ways, left, link, off)
            found: dict[str, int] = {}
            for length, layer in enumerate(self._layers(ways, steps)):
                for mask in layer.values():
                    if hit := mask & left:
                        found.update({label: length for label, i in indices.items() if hit >> i & 1})
                        left ^= hit
                if not left:
                    break
            shortest.update({label: length for label, length in found.items() if length < shortest.get(label, board.size)})
        return shortest

    def _steps(self, side: str, ways: Ways, wanted: int, link: str, off: int, shut: int = 0) -> list[Leg]:
        """All ways to continue a line that is to reach some hexes."""
        board = self.world.board
        if not link:
            return [*_onward(SOURCE, WAY, ways, wanted), *_onward(WAY, WAY, ways, wanted)]
        along = ways._replace(passage=self.passage(side, link))
        steps = [*_onward(SOURCE, WAY, along, wanted), *_onward(WAY, WAY, along, wanted)]
        if shut:
            steps = [step._replace(to=step.to & ~shut) for step in steps]
        on_rail = board.link_mask(link)
        # A line that is farther away has no reason to leave the railway.
        near = flood(board, wanted, through=board.everywhere, limit=off)
        for number in range(off):
            after, last = OFF + number, number == off - 1
            for stage in (SOURCE, WAY) if not number else (after - 1,):
                for leg in _onward(stage, after, ways, wanted):
                    # With the last hex it does not matter whether the line could go on.
                    target, to = (END, leg.to & wanted) if last else (leg.target, leg.to & near)
                    out_of = near & on_rail if stage == SOURCE else near
                    steps.append(leg._replace(target=target, out_of=out_of, to=to))
        return steps

    def _layers(self, ways: Ways, steps: Sequence[Leg]) -> Iterator[dict[int, int]]:
        """Stage -> the hexes first reached in it with no step, with one step, and so on."""
        usable, starts = ways.usable()
        layer = {SOURCE: starts, END: usable & ~starts}
        seen = dict(layer)
        yield layer
        while any(layer.values()):
            fresh: dict[int, int] = {}
            for origin, target, out_of, to, walls in steps:
                front = layer.get(origin, 0) & out_of
                if front and to:
                    wave = step(self.world.board, front, to & ~seen.get(target, 0), walls)
                    if wave:
                        fresh[target] = fresh.get(target, 0) | wave
            for target, mask in fresh.items():
                seen[target] = seen.get(target, 0) | mask
            layer = fresh
            yield layer


def _union(walls: Iterable[Walls]) -> Walls | None:
    """The hexsides of several sets; None if there is no set."""
    return cast("Walls", tuple(map(partial(reduce, or_), zip(*walls, strict=True)))) or None


def _masked(walls: Walls, mask: int) -> Walls:
    """Those of some hexsides by which a line would leave some hexes."""
    return cast("Walls", tuple(wall & mask for wall in walls))


def _flow(board: Board, starts: int, begin: int, ways: Ways, limit: int | None, wanted: int = 0) -> int:
    """Where lines get that go on by the rules for hexes on their way; `begin` are the starts in which lines begin."""
    through, into, passage = ways.through, ways.into, ways.passage
    reached = flood(board, starts, through=through, into=into, walls=passage.walls, limit=limit, until=wanted)
    corner = starts & begin & passage.bound
    if corner and limit != 0:
        # A source is not gone through, so that a line may leave it anywhere.
        first = step(board, corner, through | into, passage.entering)
        less = None if limit is None else limit - 1
        reached |= first | flood(board, first & through, through=through, into=into, walls=passage.walls, limit=less)
    return reached


def _spread(board: Board, starts: int, begin: int, ways: Ways, limit: int | None, wanted: int) -> int:
    """Where lines get, bound hexes included into which only their last step leads."""
    reached = _flow(board, starts, begin, ways, limit, wanted)
    if not ways.passage.bound or limit == 0 or (wanted and not wanted & ~reached):
        return reached
    near = reached if limit is None else _flow(board, starts, begin, ways, limit - 1)
    return reached | _laststep(board, reached, near, starts, begin, ways)


def _laststep(board: Board, reached: int, near: int, starts: int, begin: int, ways: Ways) -> int:
    """The bound hexes beyond those reached into which a last step leads from near ones; none where nothing is bound."""
    through, into, passage = ways.through, ways.into, ways.passage
    ends = (through | into) & passage.bound & ~reached
    if not ends:
        return 0
    found = step(board, near & through | starts, ends, passage.leaving)
    corner = starts & begin & passage.bound
    return found | step(board, corner, ends, passage.sides) if corner else found


def _onward(stage: int, after: int, ways: Ways, wanted: int) -> Iterator[Leg]:
    """How a line in a stage continues: to where it may go further, or to where it ends if that is wanted."""
    passage, anywhere = ways.passage, -1
    begins = stage == SOURCE
    yield Leg(stage, after, anywhere, ways.through, passage.entering if begins else passage.walls)
    ends = (ways.into | ways.through & passage.bound) & wanted
    yield Leg(stage, END, anywhere, ends, passage.sides if begins else passage.leaving)


def _before(board: Board, goal: int, there: int, walls: Walls | None) -> list[int]:
    """The hexes among some from which a step leads to a goal."""
    deltas = enumerate(board.deltas)
    return [goal - delta for d, delta in deltas if there & 1 << goal - delta and not (walls and walls[d] >> goal - delta & 1)]


def _walk_back(board: Board, goal: int, stage: int, layers: list[dict[int, int]], steps: Sequence[Leg]) -> list[int]:
    """The hexes of the line whose search ended with a goal in the last layer."""
    path = [goal]
    for layer in reversed(layers[:-1]):
        goal, stage = next(
            (min(before, key=board.label), origin)  # of several lines the same one, however the board lies
            for origin, target, out_of, to, walls in steps
            if target == stage and to >> goal & 1
            if (before := _before(board, goal, layer.get(origin, 0) & out_of, walls))
        )
        path.append(goal)
    path.reverse()
    return path
