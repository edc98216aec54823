"""Units that act without an order: in the training scenario, in the reaction phase, and once more after a double one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from hexwar.engine import Action, ActionSet, AnyOf, Choices, Listed, record
from hexwar.errors import Refusal
from hexwar.pieces import OneByOne, UnitAction, against
from hexwar_bkc.charging import Charge, Limits, Support, charge, charges, support, supports
from hexwar_bkc.effects import Clear, clear, clears
from hexwar_bkc.evading import Evade, Evasions, evade
from hexwar_bkc.fire import Fire, attack, shots
from hexwar_bkc.movement import Marches, go, in_words
from hexwar_bkc.state import Reacted
from hexwar_bkc.transport import Dismount, Mount, dismount, dismounts, landing, mount, mounts
from hexwar_bkc.world import REACTION, At, Doing, enemies_of, is_within, nearest, visible

_NOTHING = Listed(())
REACTS = Limits(REACTION, "touched", reacts=True)
"""react.29: what holds for charges and support in the reaction phase."""


@record
class Acting(OneByOne):
    """command.22, command.24: each unit moves or fires once."""

    kind = "acting"
    says = "Let a unit move or fire: {waiting}."
    topic = "acting"

    def choices(self, at: At, unit: str) -> ActionSet:
        """supp.3: a suppressed unit does nothing."""
        return doings(at, unit, self.is_again)

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
        """Do it."""
        do(play, action, self.is_again)

    def understood(self, at: At, seat: str, words: Sequence[str]) -> Iterable[Action]:
        """Marches in centimetres."""
        return in_words(at, words)


def doings(at: At, unit: str, again: bool = False, command: str = "") -> ActionSet:
    """command.22, command.23, command.24: what a unit may do in one action: move, fire, charge, support, get on or off.

    Args:
        at: the position.
        unit: the unit.
        again: whether it is the second action of one order.
        command: the command unit that orders it; "" if none does.
    """
    if unit in at.state.suppressed:
        return _NOTHING
    fires = shots(at, unit, command=command)
    if unit in at.state.aboard:
        return AnyOf(dismounts(at, unit), mounts(at, unit), fires)
    limits = by_order(at, unit, again)
    foes = enemies_of(at, at.world.units[unit].side)
    boards = AnyOf(mounts(at, unit), dismounts(at, unit), clears(at, unit))
    return AnyOf(Marches(at, unit, again), boards, fires, charges(at, unit, limits, foes), supports(at, unit, limits))


def by_order(at: At, unit: str, again: bool = False) -> Limits:
    """charge.3: what holds for a charge by order: the unit's Move, and no obstacle is crossed with the second action."""
    return Limits(at.world.units[unit].move, "none" if again else "touched")


def do(play: Doing, action: Any, again: bool = False) -> None:
    """Do what a unit may do."""
    if isinstance(action, Fire):
        attack(play, (action.unit,), action.target)
    elif isinstance(action, Charge):
        charge(play, action, by_order(play, action.unit, again))
    elif isinstance(action, Support):
        support(play, action)
    elif isinstance(action, Clear):
        clear(play, action)
    elif isinstance(action, Mount):
        mount(play, action.unit, action.carrier)
    elif isinstance(action, Dismount):
        there = landing(play, action.unit, action.edge)
        assert there is not None, "it was judged before"
        dismount(play, action.unit, there)
    else:
        go(play, action, again)


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
    if not world.stands(at.state, unit):
        return Refusal.against("stat.9", f"{unit} is out of the game")
    if unit in at.state.suppressed:
        return Refusal.against("supp.3", f"{unit} is suppressed")
    return None


# -- 06 Reaction phase -----------------------------------------------------------------------------------------------------------


def reacts_to(at: At, unit: str) -> tuple[str, ...]:
    """react.1, react.6: the nearest visible enemy, if it is within 20 cm; several if they are equally near."""
    seen = visible(at, unit)
    found = nearest(at, unit, seen) if seen else ()
    return found if found and is_within(at, unit, found[0], REACTION) else ()


@record
class Reacting(OneByOne):
    """react.1 to react.22: units fire at their nearest visible enemy within 20 cm, evade it or charge it, or support a combat."""

    kind = "reacting"
    says = "Let a unit fire at its nearest enemy, evade it or charge it: {waiting}."
    topic = "reaction"

    def choices(self, at: At, unit: str) -> ActionSet:
        """react.4: judged now; react.5: not while suppressed."""
        if unit in at.state.suppressed:
            return _NOTHING
        if unit in at.state.aboard:
            return shots(at, unit, reacts_to(at, unit))
        enemies, helps = reacts_to(at, unit), supports(at, unit, REACTS)
        if not enemies:
            nothing = Choices((), lambda action: Refusal.against("react.1", f"no visible enemy is within 20 cm of {unit}"))
            return AnyOf(helps, nothing)
        fires, assaults = shots(at, unit, enemies), charges(at, unit, REACTS, enemies)

        def why_not(action: object) -> Refusal | None:
            if isinstance(action, Fire | Charge) and action.target not in enemies:
                return Refusal.against("react.6", f"{action.target} is not the nearest enemy that {unit} sees")
            return fires.why_not(action) or assaults.why_not(action)  # type: ignore[arg-type]

        return AnyOf(Choices([*fires, *assaults], why_not), Evasions(at, unit, enemies), helps)

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
        clauses = {Fire: "react.7", Evade: "react.9", Charge: "react.13", Support: "react.19"}
        play.emit(Reacted(action.unit, clause=clauses[type(action)]))
        if isinstance(action, Fire):
            attack(play, (action.unit,), action.target, clause="react.8")
        elif isinstance(action, Charge):
            charge(play, action, REACTS)
        elif isinstance(action, Support):
            support(play, action)
        else:
            evade(play, action, enemies[0], "react.9")
