"""react.9 to react.12, charge.12 to charge.14: units that get out of an enemy's way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from hexwar.engine import Action, ActionSet, Heading, record
from hexwar.errors import Refusal
from hexwar.pieces import UnitAction, UnitName, against
from hexwar.plane import TOUCH, Placed, along, within
from hexwar_bkc.effects import shift
from hexwar_bkc.world import CM, At, Doing, blockers, in_contact, is_free, placed, ways_of


@record
class Evade(UnitAction):
    """react.9, react.10: straight away from the enemy, at most its Move, and look anywhere."""

    kind = "evade"
    unit: UnitName
    distance: int
    heading: Heading = -1
    """-1: as before."""

    def __str__(self) -> str:
        looking = f", heading {self.heading}" if self.heading >= 0 else ""
        return f"evade with {self.unit} by {self.distance / CM:g} cm{looking}"


def evasion(at: At, action: Evade, enemy: str) -> Placed:
    """Where an evading unit ends."""
    me, source = placed(at, action.unit), at.state.spots[enemy]
    there = 2 * me.x - source[0], 2 * me.y - source[1]
    return me.moved(along(me.centre, there, action.distance), action.heading if action.heading >= 0 else None)


def why_not_evade(at: At, action: Evade, enemies: Sequence[str]) -> Refusal | None:
    """Why a unit cannot evade so."""
    model, me = at.world.units[action.unit], placed(at, action.unit)
    if in_contact(at, action.unit):
        return against(at, "move.fight", f"{action.unit} is in close combat")
    if model.type == "gun":
        return Refusal.against("react.11", f"{action.unit} is a gun without transport")
    if not enemies:
        return Refusal.against("react.1", f"no visible enemy is within 20 cm of {action.unit}")
    if not 0 < action.distance <= model.move:
        return Refusal.against("react.9", f"{action.unit} evades by at most {model.move // CM} cm")
    if not -1 <= action.heading < 360:
        return Refusal.against("react.10", "a heading is 0 to 359 degrees, or -1 for the one it has")
    there = evasion(at, action, enemies[0])
    if there.centre == me.centre:
        return Refusal.against("react.9", f"{action.unit} would stay where it is")
    others = [placed(at, other) for other in at.state.spots if at.world.units[other].side != model.side]
    why = ways_of(at).why_not(me, (there.centre,), model.move, model.arm, blockers(at, action.unit))
    if why is not None:
        return against(at, f"move.{why[0]}", f"{action.unit} {why[1]}")
    if other := is_free(at, action.unit, there):
        return against(at, "move.friend", f"{action.unit} would end on {other}")
    if any(within(there.corners, other.corners, TOUCH) for other in others):
        return against(at, "move.contact", f"{action.unit} would end in contact with an enemy")
    return None


class Evasions(ActionSet):
    """Every way to evade: a distance and a heading."""

    complete = False

    def __init__(self, at: At, unit: str, enemies: Sequence[str]) -> None:
        self._at, self._unit, self._enemies = at, unit, enemies

    def why_not(self, action: Action) -> Refusal | None:
        """What is against it."""
        mine = isinstance(action, Evade) and action.unit == self._unit
        return why_not_evade(self._at, action, self._enemies) if mine else None  # type: ignore[arg-type]

    def find(self, action: Action) -> Action | None:
        """It, if nothing is against it."""
        mine = isinstance(action, Evade) and action.unit == self._unit
        return action if mine and self.why_not(action) is None else None

    def __iter__(self) -> Iterator[Action]:
        move = self._at.world.units[self._unit].move
        menu = [Evade(self._unit, distance, heading) for distance in (move, move // 2) for heading in (-1,)]
        return (action for action in menu if self.why_not(action) is None)

    def __bool__(self) -> bool:
        return any(True for _ in self)

    def sample(self, chance: Any) -> Action:
        """A distance and a heading, or one of the menu."""
        move = self._at.world.units[self._unit].move
        for _ in range(5):
            action = Evade(self._unit, 1 + chance.randrange(move), chance.randrange(361) - 1)
            if self.why_not(action) is None:
                return action
        for listed in self:
            return listed
        raise LookupError("nothing is offered")


def evade(play: Doing, action: Evade, enemy: str, clause: str) -> None:
    """Go."""
    me, there = placed(play, action.unit), evasion(play, action, enemy)
    shift(play, action.unit, (me.centre, there.centre), there.heading, clause, "evades")
