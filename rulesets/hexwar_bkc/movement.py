"""move, terrain: one move of a unit over the table, and why not."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import cached_property

from hexwar.engine import Action, ActionSet, Heading, RandomSource, Spot, record
from hexwar.errors import Refusal
from hexwar.pieces import UnitAction, UnitName, against
from hexwar.plane import TOUCH, Area, Line, Placed, along, length, shifted, towards, within
from hexwar_bkc.effects import shift
from hexwar_bkc.state import in_cm
from hexwar_bkc.world import (
    CM,
    COVER,
    At,
    Doing,
    blockers,
    enemies_of,
    in_contact,
    is_free,
    nearest,
    placed,
    terrain_of,
    visible,
    ways_of,
)

AHEAD = -1
"""A heading: the way it goes."""


@record
class March(UnitAction):
    """command.22: go to a point, by others, and look somewhere in the end."""

    kind = "march"
    unit: UnitName
    to: Spot
    heading: Heading = AHEAD
    via: tuple[Spot, ...] = ()

    def __str__(self) -> str:
        by = f" by {', '.join(map(in_cm, self.via))}" if self.via else ""
        looking = f", heading {self.heading}" if self.heading != AHEAD else ""
        return f"march {self.unit} to {in_cm(self.to)}{by}{looking}"


class Marches(ActionSet):
    """Every move that a unit can make in one action; more than can be listed.

    Args:
        at: the position.
        unit: the unit.
        again: whether it is the second action of one order, which crosses no obstacle (move.4, command.25).
    """

    complete = False

    def __init__(self, at: At, unit: str, again: bool = False) -> None:
        self._at, self._unit, self._again = at, unit, again

    @cached_property
    def _me(self) -> Placed:
        return placed(self._at, self._unit)

    @cached_property
    def _enemies(self) -> list[Placed]:
        return blockers(self._at, self._unit)

    def end(self, action: March) -> Placed:
        """Where a march ends, as the unit looks then."""
        path = [self._me.centre, *action.via, action.to]
        heading = action.heading
        if heading == AHEAD:
            legs = [(a, b) for a, b in itertools.pairwise(path) if a != b]
            heading = towards(*legs[-1]) if legs else self._me.heading
        return self._me.moved(action.to, heading)

    def why_not(self, action: Action) -> Refusal | None:
        """What is against a march: its way, then where it ends."""
        if not isinstance(action, March) or action.unit != self._unit:
            return None
        at, model = self._at, self._at.world.units[self._unit]
        if in_contact(at, self._unit):
            return against(at, "move.fight", f"{self._unit} is in close combat")
        if not AHEAD <= action.heading < 360:
            return against(at, "move.path", "a heading is 0 to 359 degrees, or -1 for the way it goes")
        path = (*action.via, action.to)
        crossing = "none" if self._again else "touched"
        why = ways_of(self._at).why_not(self._me, path, model.move, model.arm, self._enemies, crossing=crossing)  # type: ignore[arg-type]
        if why is not None:
            return against(at, f"move.{why[0]}", f"{self._unit} {why[1]}" if why[0] != "length" else why[1])
        there = self.end(action)
        if there == self._me:
            return against(at, "move.path", f"{self._unit} would stay as it is")
        if other := is_free(at, self._unit, there):
            return against(at, "move.friend", f"{self._unit} would end on {other}")
        for enemy in self._enemies:
            if within(there.corners, enemy.corners, TOUCH):
                return against(at, "move.contact", f"{self._unit} would end in contact with an enemy, which is a charge")
        return None

    def find(self, action: Action) -> Action | None:
        """The march, if nothing is against it."""
        mine = isinstance(action, March) and action.unit == self._unit
        return action if mine and self.why_not(action) is None else None

    def straight_to(self, to: Spot) -> March | None:
        """The longest march straight towards a point; None where no part of it is legal."""
        model = self._at.world.units[self._unit]
        crossing = "none" if self._again else "touched"
        path = ways_of(self._at).trim(self._me, (to,), model.move, model.arm, self._enemies, crossing=crossing)  # type: ignore[arg-type]
        if not path:
            return None
        far = -(-length((self._me.centre, path[-1])) >> 20)
        best, tried = March(self._unit, path[-1]), far
        if self.why_not(best) is None:
            return best
        for back in (11, 41, 161, 641):  # it would end on a unit, or too near to one
            found = self._straight(path[-1], far - back) if back < far else None
            if found is None:
                tried = far - back
                continue
            least = far - back
            while tried - least > 1:
                middle = (least + tried) // 2
                longer = self._straight(path[-1], middle)
                found, least, tried = (longer, middle, tried) if longer else (found, least, middle)
            return found
        return None

    def _straight(self, to: Spot, far: int) -> March | None:
        """The march straight towards a point, as long as a distance, if nothing is against it."""
        march = March(self._unit, along(self._me.centre, to, far))
        return march if self.why_not(march) is None else None

    def region(self) -> tuple[Spot, ...]:
        """How far it gets in each of 36 directions."""
        me, move = self._me, self._at.world.units[self._unit].move
        found = [self.straight_to(shifted(me.centre, heading, move - 1)) for heading in range(0, 360, 10)]
        return tuple([march.to if march else me.centre for march in found])

    def length(self, action: March) -> int:
        """How far a march is, in whole units of the table, rounded up."""
        return -(-length((self._me.centre, *action.via, action.to)) >> 20)

    @cached_property
    def _menu(self) -> tuple[March, ...]:
        found: dict[tuple[Spot, int], March] = {}
        for march in self._proposals():
            there = self.end(march)
            if (there.centre, there.heading) not in found and self.why_not(march) is None:
                found[there.centre, there.heading] = march
        return tuple(found.values())

    def _proposals(self) -> Iterator[March]:
        at, me = self._at, self._me
        seen = visible(at, self._unit) or enemies_of(at, at.world.units[self._unit].side)
        if seen:
            yield March(self._unit, me.centre, towards(me.centre, at.state.spots[nearest(at, self._unit, seen)[0]]))
        yield from filter(None, map(self.straight_to, self._goals))

    @cached_property
    def _goals(self) -> list[Spot]:
        """Where the menu leads: eight directions, and the ground that gives cover."""
        me, move = self._me, self._at.world.units[self._unit].move
        goals = [shifted(me.centre, heading, move) for heading in range(0, 360, 45)]
        return goals + [middle(area.ring) for area in terrain_of(self._at).areas if area.kind in COVER]

    def __iter__(self) -> Iterator[Action]:
        return iter(self._menu)

    def __bool__(self) -> bool:
        return any(True for march in self._turns() if self.why_not(march) is None) or bool(self._menu)

    def _turns(self) -> Iterator[March]:
        for turn in (180, 90, 270, 1):
            yield March(self._unit, self._me.centre, (self._me.heading + turn) % 360)

    def sample(self, chance: RandomSource) -> Action:
        """As far as it gets towards a place of the menu, or a point within reach."""
        model, goals = self._at.world.units[self._unit], self._goals
        proposed = self.straight_to(goals[chance.randrange(len(goals))]) if chance.randrange(2) else None
        if proposed:
            return proposed
        for _ in range(20):
            spot = shifted(self._me.centre, chance.randrange(360), chance.randrange(model.move + 1))
            march = March(self._unit, spot, chance.randrange(361) - 1)
            if self.why_not(march) is None:
                return march
        for march in (*self._menu, *self._turns()):
            if self.why_not(march) is None:
                return march
        raise LookupError("nothing is offered")


def middle(ring: Sequence[Spot]) -> Spot:
    """The mean of some points."""
    return sum(x for x, _ in ring) // len(ring), sum(y for _, y in ring) // len(ring)


def go(play: Doing, action: March, again: bool = False) -> None:
    """Carry out a march."""
    me = placed(play, action.unit)
    there = Marches(play, action.unit, again).end(action)
    path = (me.centre, *action.via, action.to)
    shift(play, action.unit, path, there.heading, "move.3")


# -- in a player's words ------------------------------------------------------------------------------------------------------


def in_words(at: At, words: Sequence[str]) -> Iterator[Action]:
    """What typed words mean, in centimetres and degrees.

    "march p2 12 towards Height 234", "march p2 8 at 45 facing g1", "march p2 to 45 68.5", "march p2 to Farm wall", "face p2 g1".
    """
    low = [word.lower() for word in words]
    if len(words) < 3 or words[1] not in at.state.spots:
        return
    unit = words[1]
    me = placed(at, unit)
    if low[0] == "face":
        heading = _heading(at, me, words[2:])
        if heading is not None:
            yield March(unit, me.centre, heading)
    if low[0] != "march":
        return
    looking, rest = _facing(words, low)
    to = _goal(at, unit, me, rest[2:], low[2 : len(rest)])
    if to is not None:
        heading = _heading(at, me.moved(to), looking) if looking else AHEAD
        if heading is not None:
            yield March(unit, to, heading)


def _facing(words: Sequence[str], low: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """What stands behind "facing", and the rest."""
    if "facing" in low:
        at = low.index("facing")
        return words[at + 1 :], words[:at]
    return (), words


def _goal(at: At, unit: str, me: Placed, words: Sequence[str], low: Sequence[str]) -> Spot | None:
    if low[:1] == ["to"]:
        numbers = [_length(word) for word in low[1:]]
        if len(numbers) == 2 and numbers[0] is not None and numbers[1] is not None:
            return numbers[0], numbers[1]
        spot = _spot(at, me, words[1:])
        if spot is None:
            return None
        march = Marches(at, unit).straight_to(spot)
        return march.to if march else spot
    far = _length(low[0]) if low else None
    if far is None:
        return None
    if low[1:2] == ["towards"] and (spot := _spot(at, me, words[2:])) is not None:
        return along(me.centre, spot, far)
    if low[1:2] == ["at"] and len(low) == 3 and low[2].isdecimal():
        return along(me.centre, shifted(me.centre, int(low[2]) % 360, 20 * far), far)
    return None


def _spot(at: At, me: Placed, words: Sequence[str]) -> Spot | None:
    """A unit, a place or a line by its name; of a line the nearest corner."""
    name = " ".join(words)
    if name in at.state.spots:
        return at.state.spots[name]
    part = terrain_of(at).named(name)
    if isinstance(part, Area):
        return middle(part.ring)
    if isinstance(part, Line):
        return min(part.points, key=lambda spot: (spot[0] - me.x) ** 2 + (spot[1] - me.y) ** 2)
    return None


def _heading(at: At, me: Placed, words: Sequence[str]) -> int | None:
    if len(words) == 1 and words[0].isdecimal():
        return int(words[0]) % 360
    spot = _spot(at, me, words)
    return None if spot is None else towards(me.centre, spot)


def _length(word: str) -> int | None:
    """Centimetres as units of the table; None if the word is no number."""
    try:
        return round(float(word) * CM)
    except (ValueError, OverflowError):
        return None
