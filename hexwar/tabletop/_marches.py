"""Marches to any point: more than a list has, so that they are judged, proposed, cut short and drawn instead."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, ClassVar, Final

from hexwar.engine import Action, ActionSet, Freedom, Heading, Position, RandomSource, Spot, record
from hexwar.errors import Refusal
from hexwar.pieces import UnitAction, UnitName, against
from hexwar.plane import LEGS, Crossing, Line, Placed, UnitWays, Ways, along, beginning, length, shifted, towards
from hexwar.tabletop._state import in_cm
from hexwar.tabletop._world import on_whom, placed

AHEAD: Final = -1
"""A heading: the way it goes."""
COMPASS: Final = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
"""Directions as people call them, from the top of the table clockwise."""


@record
class March(UnitAction):
    """Go to a point, by others, and look somewhere in the end; a turn is a march to where the unit stands."""

    kind = "march"
    unit: UnitName
    to: Spot
    heading: Heading = AHEAD
    via: tuple[Spot, ...] = ()

    def __str__(self) -> str:
        by = f" by {', '.join(map(in_cm, self.via))}" if self.via else ""
        looking = f", heading {self.heading}" if self.heading != AHEAD else ""
        return f"{self.kind} {self.unit} to {in_cm(self.to)}{by}{looking}"


class Marches(ActionSet):
    """Every way that a unit can go in one action. What is listed is a menu.

    The world is asked for the base of a unit, its class of movement and its allowance, and for `ways`.

    Args:
        at: the position.
        unit: the unit.
    """

    complete = False
    topic: ClassVar[str] = "move"
    """Under which refusals cite: "move.length", "move.shut.wood" and so on."""
    crossing: Crossing = "touched"
    """Which obstacles it may cross of those that it can: those that it touches at the start, none, or any."""

    def __init__(self, at: Position, unit: str) -> None:
        self._at, self.unit = at, unit

    # -- what a rulebook may say otherwise

    @cached_property
    def me(self) -> Placed:
        """Where the unit stands."""
        return placed(self._at, self.unit)

    @cached_property
    def allowance(self) -> int:
        """How far it goes at most."""
        found: int = self._at.world.allowance(self.unit)
        return found

    @cached_property
    def mover(self) -> str:
        """Its class of movement."""
        found: str = self._at.world.mover(self.unit)
        return found

    @cached_property
    def ways(self) -> Ways:
        """The ways over the ground as it is now; a game in which smoke rises or walls are breached says it."""
        found: Ways = self._at.world.ways
        return found

    @cached_property
    def enemies(self) -> list[Placed]:
        """The units that it may not pass through."""
        units, mine = self._at.world.units, self._at.world.units[self.unit].side
        return [placed(self._at, other) for other in self._at.state.spots if units[other].side != mine]

    @cached_property
    def _mine(self) -> UnitWays:
        """The ways of this unit; what stands in one for all of the menu is found once."""
        return self.ways.of(self.me, self.allowance, self.mover, self.enemies, crossing=self.crossing)

    def why_not_there(self, there: Placed) -> Refusal | None:
        """Why it cannot come to stand somewhere to which a way leads."""
        other = on_whom(self._at, self.unit, there)
        return against(self._at, f"{self.topic}.friend", f"{self.unit} would end on {other}") if other else None

    def goals(self) -> Mapping[str, Spot]:
        """Where its menu leads as far as it can, each with a name: the points of the compass, and obstacles that are near."""
        me, crossed = self.me, self.ways.classes[self.mover].crossed
        found = {point: shifted(me.centre, 45 * number, self.allowance) for number, point in enumerate(COMPASS)}
        for line in self.ways.terrain.lines:
            spot = nearest_spot(line, me.centre)
            if line.kind in crossed and length((me.centre, spot)) <= self.allowance << 20:
                found.setdefault(f"at {line.title}", spot)
        return found

    # -- the set

    def end(self, action: March) -> Placed:
        """Where a march ends, as the unit looks then."""
        heading = action.heading
        if heading == AHEAD and not action.via:
            heading = towards(self.me.centre, action.to) if action.to != self.me.centre else self.me.heading
        elif heading == AHEAD:
            legs = [(a, b) for a, b in itertools.pairwise((self.me.centre, *action.via, action.to)) if a != b]
            heading = towards(*legs[-1]) if legs else self.me.heading
        return self.me.moved(action.to, heading)

    def length(self, action: March) -> int:
        """How long a march is, in units of the table, rounded up."""
        return -(-length((self.me.centre, *action.via, action.to)) >> 20)

    def why_not(self, action: Action) -> Refusal | None:
        """What is against a march: its way, then where it ends."""
        if not isinstance(action, March) or action.unit != self.unit:
            return None
        if not AHEAD <= action.heading < 360:
            return against(self._at, f"{self.topic}.path", f"a heading is 0 to 359 degrees, or {AHEAD} for the way it goes")
        why = self._mine.why_not((*action.via, action.to))
        if why is not None:
            words = why[1] if why[0] == "length" else f"{self.unit} {why[1]}"
            return against(self._at, f"{self.topic}.{why[0]}", words)
        there = self.end(action)
        if there == self.me:
            return against(self._at, f"{self.topic}.path", f"{self.unit} would stay as it is")
        return self.why_not_there(there)

    def find(self, action: Action) -> Action | None:
        """The march, if nothing is against it."""
        mine = isinstance(action, March) and action.unit == self.unit
        return action if mine and self.why_not(action) is None else None

    def trimmed(self, action: Action) -> March | None:
        """The longest beginning of a march that is possible, to one unit; None where no part of it is."""
        if not isinstance(action, March) or action.unit != self.unit:
            return None
        if self.why_not(action) is None:
            return action
        heading = action.heading if AHEAD <= action.heading < 360 else AHEAD
        path = self._mine.trim((*action.via, action.to))
        if not path:
            return None
        best = self._made(path, heading)
        if self.why_not(best) is None:
            return best
        far = tried = self.length(best)
        for back in (11, 41, 161, 641):  # it would end on a unit, or too near to one
            found = self._of_length(path, heading, far - back) if back < far else None
            if found is None:
                tried = far - back
                continue
            least = far - back
            while tried - least > 1:
                middle = (least + tried) // 2
                longer = self._of_length(path, heading, middle)
                found, least, tried = (longer, middle, tried) if longer else (found, least, middle)
            return found
        return None

    def _made(self, path: tuple[Spot, ...], heading: int) -> March:
        return March(self.unit, path[-1], heading, path[:-1])

    def _of_length(self, path: tuple[Spot, ...], heading: int, far: int) -> March | None:
        march = self._made(beginning(self.me.centre, path, far), heading)
        return march if self.why_not(march) is None else None

    def _up_to(self, goal: Spot) -> March | None:
        return self.trimmed(March(self.unit, goal))

    # -- what is proposed

    @cached_property
    def named(self) -> Mapping[str, March]:
        """The menu: name -> march; of marches that end alike only the first."""
        found: dict[str, March] = {}
        ends = set()
        turns = ((name, march) for name, march in self.turns() if self.why_not(march) is None)
        for name, march in itertools.chain(turns, ((name, self._up_to(goal)) for name, goal in self._goals.items())):
            if march is not None and (there := self.end(march).pose) not in ends:
                ends.add(there)
                found[name] = march
        return found

    @cached_property
    def _goals(self) -> Mapping[str, Spot]:
        return self.goals()

    def turns(self) -> Iterator[tuple[str, March]]:
        """A turn where it stands, towards its nearest enemy."""
        x, y = self.me.centre
        foe = min(self.enemies, key=lambda enemy: (enemy.x - x) ** 2 + (enemy.y - y) ** 2, default=None)
        if foe is not None:
            yield "face the enemy", March(self.unit, self.me.centre, towards(self.me.centre, foe.centre))

    def freedom(self) -> Freedom:
        """What lets a player drag the unit."""
        snaps = tuple((name, march) for name, march in self.named.items() if name not in COMPASS and march.to != self.me.centre)
        begin = March(self.unit, self.me.centre)
        return Freedom(begin, "to", "heading", "via", self.allowance, LEGS, self.region(), snaps)

    def region(self) -> tuple[Spot, ...]:
        """How far it gets straight ahead in each of 36 directions."""
        ends = [self._up_to(shifted(self.me.centre, heading, self.allowance - 1)) for heading in range(0, 360, 10)]
        return tuple([march.to if march else self.me.centre for march in ends])

    def __iter__(self) -> Iterator[Action]:
        return iter(self.named.values())

    def __bool__(self) -> bool:
        return any(True for _ in self._spins()) or bool(self.named)

    def _spins(self) -> Iterator[March]:
        for turn in (180, 90, 270, 1):
            march = March(self.unit, self.me.centre, (self.me.heading + turn) % 360)
            if self.why_not(march) is None:
                yield march

    def sample(self, chance: RandomSource) -> Action:
        """As far as it gets towards a place of the menu, or a point within reach."""
        goals = [*self._goals.values()]
        proposed = self._up_to(goals[chance.randrange(len(goals))]) if goals and chance.randrange(2) else None
        if proposed:
            return proposed
        for _ in range(20):
            spot = shifted(self.me.centre, chance.randrange(360), chance.randrange(self.allowance + 1))
            march = March(self.unit, spot, chance.randrange(361) - 1)
            if self.why_not(march) is None:
                return march
        found: Any = next(itertools.chain(self, self._spins()), None)
        if found is None:
            raise LookupError("nothing is offered")
        return found  # type: ignore[no-any-return]


def nearest_spot(line: Line, spot: Spot) -> Spot:
    """The point of a line that is nearest to a point, in whole units."""
    found = []
    for (ax, ay), (bx, by) in line.legs:
        dx, dy = bx - ax, by - ay
        far, whole = dx * (spot[0] - ax) + dy * (spot[1] - ay), dx * dx + dy * dy
        share = min(max(far, 0), whole)
        near = along((ax, ay), (bx, by), _length_of(dx, dy) * share // whole)
        found.append(((near[0] - spot[0]) ** 2 + (near[1] - spot[1]) ** 2, near))
    return min(found)[1]


def _length_of(dx: int, dy: int) -> int:
    return length(((0, 0), (dx, dy))) >> 20
