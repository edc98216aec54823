"""Retreat: which ways out a beaten unit has, which of them are best, and the step in which its owner chooses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from hexwar.engine import ActionSet, Explained, Part, Play, Position, record
from hexwar.errors import Refusal
from hexwar.mechanics._pieces import go, has_room, in_enemy_zone, occupant
from hexwar.mechanics._state import HexName
from hexwar.pieces._pieces import Manner, eliminate, lose_step, stands
from hexwar.pieces._steps import OneByOne, UnitAction, Why, against

Path = tuple[str, ...]
"""The labels of hexes, the first one included."""
Way = tuple[Path, int]
"""A path, and the steps that it costs."""
Longer = Callable[[Path, int], Iterable[Way]]
"""The ways that are one hex longer than a way."""


@record
class RetreatOption:
    """One way out, and how it ranks."""

    path: Path
    losses: int
    """Steps that the way costs."""
    overflow: int
    """Hexes beyond those demanded, because full stacks had to be passed."""
    rank: tuple[int, ...] = ()
    """The smaller the better, measure by measure."""


Measure = Callable[[Position, str, Sequence[RetreatOption]], Sequence[int]]
"""How bad each of a unit's ways is in one respect. Their ranks are not known yet."""


def why_closed(at: Position, unit: str, origin: str, label: str, topic: str) -> Why | None:
    """Why ground or enemy keep a unit out of an adjacent hex, under a topic; one whose arm is not on the chart never moves."""
    reaches, counter, key = at.world.reaches, at.world.units[unit], ("enters", unit, origin, label)
    is_open: bool | None = at.memo.get(key)
    if is_open is None:
        is_open = at.memo[key] = counter.arm in at.world.chart.arms and reaches.can_enter(at, unit, origin, label)
    if is_open:
        return None
    if occupant(at, label) not in (None, counter.side):
        return f"{topic}.enemy", f"the enemy stands in {label}"
    if line := reaches.closed_line(counter.side, origin, label):
        return f"{topic}.closed.line", f"{counter.side} never crosses the {line} between {origin} and {label}"
    return f"{topic}.closed", f"{unit} could not move from {origin} into {label}"


class RetreatRules(Part):
    """A beaten unit leaves its hex by a way on which it loses as few steps as it can."""

    overflow: int | None = 0
    """How many hexes a retreat continues beyond those demanded, where there is no room; None is any number."""

    # -- what games have rules about

    def why_not_into(self, at: Position, unit: str, path: Path, label: str) -> Why | None:
        """Why a retreat may not go on into an adjacent hex: it was there, or ground or enemy keep it out.

        Args:
            at: the position, the unit still in its place.
            unit: who retreats.
            path: the way so far, its first hex included.
            label: the next hex.
        """
        if label in path:
            return "retreat", f"no retreat enters {label} twice"
        return why_closed(at, unit, path[-1], label, "retreat")

    def has_room(self, at: Position, unit: str, label: str) -> bool:
        """Whether a retreat may end in a hex."""
        return has_room(at, unit, label)

    def hurts(self, at: Position, unit: str, label: str) -> bool:
        """Whether a unit that retreats loses a step in a hex: in an enemy zone."""
        return in_enemy_zone(at, self.world.units[unit].side, label)

    def measures(self) -> tuple[Measure, ...]:
        """What ways are judged by, the weightiest first."""
        return (self.losses,)

    def ends(self, at: Position, unit: str, ways: Iterable[Way], longer: Longer) -> Iterator[RetreatOption]:
        """The ways out that begin with ways of the length demanded: where there is no room, they go on to the overflow."""
        full: list[Way] = []
        for overflow in range((self.overflow or 0) + 1):
            if overflow:
                ways = [way for shorter in full for way in longer(*shorter)]
            full = []
            for path, losses in ways:
                if self.has_room(at, unit, path[-1]):
                    yield RetreatOption(path, losses, overflow)
                else:
                    full.append((path, losses))

    def retreated(self, play: Play, unit: str) -> None:
        """What else happens when a unit has retreated and still stands."""

    # -- what follows from them

    def losses(self, at: Position, unit: str, ways: Sequence[RetreatOption]) -> Sequence[int]:
        """The steps that the unit loses."""
        return [way.losses for way in ways]

    def costly_hexes(self, at: Position, unit: str, path: Path) -> list[int]:
        """Where on a path a unit loses a step."""
        return [n for n, label in enumerate(path) if n and self.hurts(at, unit, label)]

    def ways(self, at: Position, unit: str, hexes: int) -> Iterator[RetreatOption]:
        """Ways out of some hexes, the shorter ones first; only those that could be best need be among them."""
        hurts: dict[str, bool] = {}
        neighbours, why_not_into = self.world.board.neighbours, self.why_not_into

        def longer(path: Path, losses: int) -> Iterator[Way]:
            for label in neighbours(path[-1]):
                if why_not_into(at, unit, path, label) is None:
                    if label not in hurts:
                        hurts[label] = self.hurts(at, unit, label)
                    yield (*path, label), losses + hurts[label]

        def onward(ways: Iterable[Way]) -> Iterator[Way]:
            for way in ways:
                yield from longer(*way)

        ways: Iterable[Way] = [((at.state.locations[unit],), 0)]
        for _ in range(hexes):  # none is looked for before it is needed
            ways = onward(ways)
        return self.ends(at, unit, ways, longer)

    def is_possible(self, at: Position, unit: str, hexes: int) -> bool:
        """Whether there is any way out for a unit."""
        return next(self.ways(at, unit, hexes), None) is not None

    def options(self, at: Position, unit: str, hexes: int) -> list[RetreatOption]:
        """All `ways` out for a unit, the best first; empty if it is lost."""
        ways = list(self.ways(at, unit, hexes))
        ranked = [replace(way, rank=rank) for way, rank in zip(ways, self.ranks(at, unit, ways), strict=True)]
        return sorted(ranked, key=lambda option: (option.rank, option.path))

    def ranks(self, at: Position, unit: str, ways: Sequence[RetreatOption]) -> list[tuple[int, ...]]:
        """How some ways rank by all measures."""
        return list(zip(*(measure(at, unit, ways) for measure in self.measures()), strict=True))

    def best(self, at: Position, unit: str, hexes: int) -> list[RetreatOption]:
        """The ways among which the owner may choose, sorted by path: those that `options` ranks first.

        Each measure is asked about the ways that are equal so far, and none once a single way is left; the ranks go no farther.
        """
        ways = list(self.ways(at, unit, hexes))
        rank: list[int] = []
        for measure in self.measures():
            if len(ways) < 2:
                break
            values = measure(at, unit, ways)
            rank.append(min(values))
            ways = [way for way, value in zip(ways, values, strict=True) if value == rank[-1]]
        return sorted((replace(way, rank=tuple(rank)) for way in ways), key=lambda option: option.path)

    def why_not(self, at: Position, unit: str, hexes: int, path: Path) -> Refusal | None:
        """Why a unit may not retreat by some hexes along a path: it cannot, or there are better ways."""
        best = self.best(at, unit, hexes)
        if not best:
            return against(at, "retreat.none", f"{unit} has no way out")
        if any(option.path == path for option in best):
            return None
        return against(at, *(self.why_not_along(at, unit, hexes, path) or self._why_worse(at, unit, hexes, path, best[0])))

    def why_not_along(self, at: Position, unit: str, hexes: int, path: Path) -> Why | None:
        """Why a unit cannot retreat along a path, however good another is."""
        board, start, gone = self.world.board, at.state.locations[unit], len(path) - 1
        if not path or path[0] != start or gone < hexes:
            return "retreat", f"{unit} retreats from {start} by {hexes} hex{'es' if hexes > 1 else ''}"
        for n, label in enumerate(path[1:], 1):
            if label not in board or not board.adjacent(path[n - 1], label):
                return "retreat", f"{label} is not next to {path[n - 1]} on the map"
            if why := self.why_not_into(at, unit, path[:n], label):
                return why
        for label in path[hexes:-1]:
            if self.has_room(at, unit, label):
                return "retreat.room", f"there is room in {label}, where the retreat ends"
        if not self.has_room(at, unit, path[-1]) or (self.overflow is not None and gone > hexes + self.overflow):
            return "retreat.room", f"there is no room in {path[-1]}"
        return None

    def _why_worse(self, at: Position, unit: str, hexes: int, path: Path, best: RetreatOption) -> Why:
        way = RetreatOption(path, len(self.costly_hexes(at, unit, path)), len(path) - 1 - hexes)
        reason = "is as good and passes other full stacks"
        for measure, mine, other in zip(self.measures(), *self.ranks(at, unit, (way, best)), strict=True):
            if mine == other:
                continue
            if measure == self.losses:
                reason = f"costs {best.losses} step{'' if best.losses == 1 else 's'} and not {way.losses}"
            elif (mine, other) == (way.overflow, best.overflow):
                reason = f"finds room after {len(best.path) - 1} hexes and not {len(path) - 1}"
            else:
                reason = "ends nearer to supply"
            break
        return "retreat.best", f"the way out by {' '.join(best.path[1:])} is better: it {reason}"


@record
class Retreat(UnitAction):
    """Retreat a unit along a path, its first hex included."""

    kind = "retreat"
    path: tuple[str, ...]

    def __str__(self) -> str:
        return f"retreat {self.unit} to {' '.join(self.path[-1:])} by {' '.join(self.path[1:])}"


@record
class Retreating(OneByOne):
    """Units that must retreat from a hex, one by one in the owner's order."""

    kind = "retreating"
    title = "Choose the way of retreat"
    shows = ("retreat", "path")
    says = "Retreat {waiting} from {origin} by {hexes}."
    topic = "retreat"
    may_stop = False
    origin: HexName
    hexes: int

    def best(self, at: Position, unit: str) -> list[RetreatOption]:
        """The ways among which the owner may choose."""
        key = ("retreats", unit, self.hexes)
        found: list[RetreatOption] | None = at.memo.get(key)
        if found is None:
            found = at.memo[key] = at.world.retreat.best(at, unit, self.hexes)
        return found

    def deciders(self, at: Position) -> tuple[str, ...]:
        """The owner, if there is a choice of way or of order."""
        waiting = self.waiting(at)
        if len(waiting) == 1:
            return (self.seat,) if len(self.best(at, waiting[0])) > 1 else ()
        return (self.seat,) if any(at.world.retreat.is_possible(at, unit, self.hexes) for unit in waiting) else ()

    def choices(self, at: Position, unit: str) -> ActionSet:
        """Its best ways."""
        ways = [Retreat(unit, option.path) for option in self.best(at, unit)]
        return Explained(ways, lambda action: at.world.retreat.why_not(at, unit, self.hexes, action.path), Retreat)

    def resume(self, play: Play) -> None:
        """Do what needs no decision."""
        waiting = self.waiting(play)
        if not waiting:
            play.pop()
            return
        unit = waiting[0]
        best = self.best(play, unit)
        self.strike_off(play, unit)
        if best:
            self.act(play, Retreat(unit, best[0].path))
        else:
            eliminate(play, unit, "retreat.none")

    def act(self, play: Play, action: Retreat) -> None:
        """Go, and pay for the way."""
        unit, path, left = action.unit, action.path, play.state.steps_left[action.unit]
        costly = play.world.retreat.costly_hexes(play, unit, path)[:left]
        if len(costly) == left:  # it gets no farther than the hex in which it loses its last step
            path = path[: costly[-1] + 1]
        go(play, unit, path, self.topic, Manner.RETREATS)
        for _ in costly:
            lose_step(play, unit, "retreat.zone")
        if stands(play, unit):
            play.world.retreat.retreated(play, unit)
