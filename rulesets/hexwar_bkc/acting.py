"""Units that act without an order: in the training scenario, in the reaction phase, and once more after a double one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from hexwar.engine import Action, ActionSet, AnyOf, Choices, Heading, Listed, record
from hexwar.errors import Refusal
from hexwar.pieces import OneByOne, UnitAction, UnitName, against
from hexwar.plane import TOUCH, Placed, along, within
from hexwar_bkc.fire import Fire, attack, shots
from hexwar_bkc.movement import Marches, go, in_words
from hexwar_bkc.state import Moved, Reacted
from hexwar_bkc.world import CM, REACTION, At, Doing, is_free, is_within, nearest, placed, visible

_NOTHING = Listed(())


@record
class Acting(OneByOne):
    """command.22, command.24: each unit moves or fires once."""

    kind = "acting"
    says = "Let a unit move or fire: {waiting}."
    topic = "acting"

    def choices(self, at: At, unit: str) -> ActionSet:
        """supp.3: a suppressed unit does nothing."""
        if unit in at.state.suppressed:
            return _NOTHING
        return AnyOf(Marches(at, unit, self.is_again), shots(at, unit))

    @property
    def is_again(self) -> bool:
        """Whether this is the second action of one order."""
        return False

    def why_not_now(self, at: At, action: Any) -> Refusal | None:
        """Why a unit is not among those that wait."""
        if not isinstance(action, UnitAction):
            return None
        return why_not_able(at, action.unit, self.seat) or against(at, self.topic, f"{action.unit} has acted already")

    def act(self, play: Doing, action: Any) -> None:
        """Move or fire."""
        if isinstance(action, Fire):
            attack(play, (action.unit,), action.target)
        else:
            go(play, action, self.is_again)

    def understood(self, at: At, seat: str, words: Sequence[str]) -> Iterable[Action]:
        """Marches in centimetres."""
        return in_words(at, words)


@record
class ActingAgain(Acting):
    """command.25: after a double one each ordered unit acts once more, and crosses no obstacle."""

    kind = "acting-again"
    topic = "again"

    @property
    def is_again(self) -> bool:
        """It is."""
        return True


def why_not_able(at: At, unit: str, seat: str) -> Refusal | None:
    """Why a unit can do nothing at all."""
    world = at.world
    if unit not in world.units or world.units[unit].side != world.seats[seat]:
        return against(at, "acting", f"{unit} is no unit of {world.seats[seat]}")
    if unit not in at.state.spots:
        return Refusal.against("stat.9", f"{unit} is out of the game")
    if unit in at.state.suppressed:
        return Refusal.against("supp.3", f"{unit} is suppressed")
    return None


# -- 06 Reaction phase -----------------------------------------------------------------------------------------------------------


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


def reacts_to(at: At, unit: str) -> tuple[str, ...]:
    """react.1, react.6: the nearest visible enemy, if it is within 20 cm; several if they are equally near."""
    seen = visible(at, unit)
    found = nearest(at, unit, seen) if seen else ()
    return found if found and is_within(at, unit, found[0], REACTION) else ()


def evasion(at: At, action: Evade, enemy: str) -> Placed:
    """Where an evading unit ends."""
    me, source = placed(at, action.unit), at.state.spots[enemy]
    there = 2 * me.x - source[0], 2 * me.y - source[1]
    return me.moved(along(me.centre, there, action.distance), action.heading if action.heading >= 0 else None)


def why_not_evade(at: At, action: Evade, enemies: Sequence[str]) -> Refusal | None:
    """Why a unit cannot evade so."""
    model, me = at.world.units[action.unit], placed(at, action.unit)
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
    why = at.world.ways.why_not(me, (there.centre,), model.move, model.arm, others)
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


@record
class Reacting(OneByOne):
    """react.1 to react.10: units fire at their nearest visible enemy within 20 cm, or evade it."""

    kind = "reacting"
    says = "Let a unit fire at its nearest enemy or evade it: {waiting}."
    topic = "reaction"

    def choices(self, at: At, unit: str) -> ActionSet:
        """react.4: judged now; react.5: not while suppressed."""
        if unit in at.state.suppressed:
            return _NOTHING
        enemies = reacts_to(at, unit)
        if not enemies:
            return Choices((), lambda action: Refusal.against("react.1", f"no visible enemy is within 20 cm of {unit}"))
        nearest_only = shots(at, unit, enemies)

        def why_not(action: object) -> Refusal | None:
            if isinstance(action, Fire) and action.target not in enemies:
                return Refusal.against("react.6", f"{action.target} is not the nearest enemy that {unit} sees")
            return nearest_only.why_not(action)  # type: ignore[arg-type]

        return AnyOf(Choices([*nearest_only], why_not), Evasions(at, unit, enemies))

    def why_not_now(self, at: At, action: Any) -> Refusal | None:
        """Why a unit is not among those that wait."""
        if not isinstance(action, UnitAction):
            return None
        if action.unit in at.world.units and at.world.units[action.unit].commands:
            return Refusal.against("react.5", f"{action.unit} is a command unit")
        return why_not_able(at, action.unit, self.seat) or against(at, self.topic, f"{action.unit} has reacted already")

    def act(self, play: Doing, action: Any) -> None:
        """react.3: each is done before the next."""
        enemies = reacts_to(play, action.unit)
        play.emit(Reacted(action.unit, clause="react.7" if isinstance(action, Fire) else "react.9"))
        if isinstance(action, Fire):
            attack(play, (action.unit,), action.target, clause="react.8")
        else:
            me, there = placed(play, action.unit), evasion(play, action, enemies[0])
            play.emit(Moved(action.unit, (me.centre, there.centre), there.heading, "evades", clause="react.9"))
