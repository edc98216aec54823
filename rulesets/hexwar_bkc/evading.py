"""react.9 to react.12, charge.12 to charge.14: units that get out of an enemy's way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from hexwar.engine import Action, ActionSet, Heading, record
from hexwar.errors import Refusal
from hexwar.pieces import UnitAction, UnitName, against
from hexwar.plane import TOUCH, Placed, along, within
from hexwar_bkc.effects import shift
from hexwar_bkc.transport import carriers, mount, why_not_mount
from hexwar_bkc.world import CM, At, Doing, blockers, in_contact, is_free, placed, ways_of


@record
class Evade(UnitAction):
    """react.9, react.10: straight away from the enemy, at most its Move, and look anywhere."""

    kind = "evade"
    unit: UnitName
    distance: int
    heading: Heading = -1
    """-1: as before."""
    carrier: UnitName = ""
    """react.11, react.12: what it mounts first; that then goes away from the enemy."""

    def __str__(self) -> str:
        looking = f", heading {self.heading}" if self.heading >= 0 else ""
        riding = f" on {self.carrier}" if self.carrier else ""
        return f"evade with {self.unit}{riding} by {self.distance / CM:g} cm{looking}"

    @property
    def mover(self) -> str:
        """What goes."""
        return self.carrier or self.unit


def evasion(at: At, action: Evade, enemy: str) -> Placed:
    """Where what evades ends."""
    me, source = placed(at, action.mover), at.state.spots[enemy]
    there = 2 * me.x - source[0], 2 * me.y - source[1]
    return me.moved(along(me.centre, there, action.distance), action.heading if action.heading >= 0 else None)


def why_not_evade(at: At, action: Evade, enemies: Sequence[str]) -> Refusal | None:
    """Why a unit cannot evade so."""
    model = at.world.units[action.unit]
    if in_contact(at, action.unit):
        return against(at, "move.fight", f"{action.unit} is in close combat")
    if action.carrier:
        if wrong := why_not_mount(at, action.unit, action.carrier):
            return wrong
    elif model.type == "gun" or action.unit not in at.state.spots:
        return Refusal.against("react.11", f"{action.unit} is a gun, which evades on transport that it touches, or is carried")
    if not enemies:
        return Refusal.against("react.1", f"no visible enemy is within 20 cm of {action.unit}")
    me, far = placed(at, action.mover), at.world.units[action.mover].move // (2 if action.carrier else 1)
    if not 0 < action.distance <= far:
        clause = "react.9" if not action.carrier else "react.11" if model.type == "gun" else "react.12"
        return Refusal.against(clause, f"{action.mover} evades by at most {far // CM} cm")
    if not -1 <= action.heading < 360:
        return Refusal.against("react.10", "a heading is 0 to 359 degrees, or -1 for the one it has")
    there = evasion(at, action, enemies[0])
    if there.centre == me.centre:
        return Refusal.against("react.9", f"{action.mover} would stay where it is")
    others = [placed(at, other) for other in at.state.spots if at.world.units[other].side != model.side]
    arm = at.world.units[action.mover].arm
    why = ways_of(at).why_not(me, (there.centre,), far, arm, blockers(at, action.mover))
    if why is not None:
        return against(at, f"move.{why[0]}", f"{action.mover} {why[1]}")
    other = is_free(at, action.mover, there)
    if other and other != action.unit:
        return against(at, "move.friend", f"{action.mover} would end on {other}")
    if any(within(there.corners, other.corners, TOUCH) for other in others):
        return against(at, "move.contact", f"{action.mover} would end in contact with an enemy")
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
        units = self._at.world.units
        move = units[self._unit].move
        menu = [Evade(self._unit, distance) for distance in (move, move // 2)]
        for carrier in carriers(self._at, units[self._unit].side):
            menu += [Evade(self._unit, units[carrier].move // part, -1, carrier) for part in (2, 4)]
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
    """Go, on transport if there is some."""
    if action.carrier:
        gun = play.world.units[action.unit].type == "gun"
        clause = ("charge.13" if gun else "charge.14") if clause == "charge.12" else "react.11" if gun else "react.12"
        mount(play, action.unit, action.carrier, clause)
    me, there = placed(play, action.mover), evasion(play, action, enemy)
    shift(play, action.mover, (me.centre, there.centre), there.heading, clause, "evades")
