"""Combat in which all attacks of a segment are declared before the first is resolved, in the attacker's order."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from hexwar.engine import Action, ActionSet, Concern, Event, Explained, News, Play, Position, Step, record
from hexwar.errors import Refusal
from hexwar.grouping import grouped
from hexwar.mechanics._battle import Battle, CombatWorld
from hexwar.mechanics._combat import Aftermath, AttackAnnounced, AttackCancelled, AttackResolved, Fighting, announce, cancel
from hexwar.mechanics._pursuit import Pursue, Pursuing
from hexwar.mechanics._retreat import Retreat, Retreating
from hexwar.mechanics._state import HexName, HexState
from hexwar.pieces._losses import LoseStep, Losing
from hexwar.pieces._pieces import stands
from hexwar.pieces._state import UnitName
from hexwar.pieces._steps import Done, Obliged, OneByOne, UnitAction, against


@record
class Declare(UnitAction):
    """Let a unit attack a hex, once all attacks are declared."""

    kind = "declare"
    can = "attack"
    says = "{unit} attacks {target}"
    target: str


@record
class Fight(Action):
    """Resolve the declared attack on a hex next."""

    kind = "fight"
    says = "resolve the attack on {target}"
    target: str


@record
class TargetDeclared(News[HexState]):
    """A unit was ordered to attack a hex."""

    kind = "attack-planned"
    says = "{unit} is to attack {target}"
    unit: str
    target: str


@record
class Declaring(OneByOne):
    """The combat segment's first part: each active unit is given at most one hex to attack."""

    kind = "declaring"
    shows = ("attack",)
    topic: ClassVar[str] = "combat.declare"
    ending = "End declaration"
    declared: tuple[tuple[UnitName, HexName], ...] = ()
    """Unit and target, in the order of declaration; these units are no longer among `units`."""

    def may_still_attack(self, at: Position[HexState, CombatWorld]) -> tuple[str, ...]:
        """See `LeadsToCombat`: those that have a target among them."""
        return (*self.units, *(unit for unit, _ in self.declared))

    def targets(self, at: Position[HexState, CombatWorld]) -> dict[str, list[str]]:
        """The units that have no target yet and could attack something, and what."""
        known: tuple[Declaring, dict[str, list[str]]] | None = at.memo.get(id(self))
        if known is None:  # with the step itself, so that its id stays its own
            known = at.memo[id(self)] = self, at.world.combat.targets(at, self.units, at.world.seats[self.seat])
        return known[1]

    def waiting(self, at: Position[HexState, CombatWorld]) -> tuple[str, ...]:
        """The units that have no target yet and could attack something."""
        return tuple(self.targets(at))

    def battles(self, side: str) -> tuple[Battle, ...]:
        """The attacks so far, in order of their first declaration."""
        attackers = grouped((target, unit) for unit, target in self.declared)
        return tuple(Battle(side, target, tuple(units)) for target, units in attackers.items())

    def deciders(self, at: Position[HexState, CombatWorld]) -> tuple[str, ...]:
        """The activated player, while a unit could still attack or an attack is declared: what was declared is confirmed."""
        return (self.seat,) if self.declared or self.waiting(at) else ()

    def prompt(self, at: Position[HexState, CombatWorld], seat: str) -> str:
        """Who could attack, and what has been declared."""
        so_far = _listed(at, self.battles(at.world.seats[self.seat]))
        able = ", ".join(self.waiting(at))
        return (f"Declare attacks: {able} can." if able else "Confirm the attacks.") + (f" Declared: {so_far}." if so_far else "")

    def concern(self, at: Position[HexState, CombatWorld], seat: str) -> Concern:
        """The attacks so far."""
        return Concern(goals=self.declared)

    def choices(self, at: Position[HexState, CombatWorld], unit: str) -> ActionSet:
        """Every hex that it could attack."""
        return Explained([Declare(unit, target) for target in self.targets(at)[unit]], partial(self.why_not_now, at))

    def why_not_now(self, at: Position[HexState, CombatWorld], action: Action) -> Refusal | None:
        """Why a unit may not be ordered to attack a hex."""
        if not isinstance(action, Declare):
            return None
        already = dict(self.declared).get(action.unit)
        if already is not None:
            return against(at, "combat.once", f"{action.unit} attacks {already} already")
        if action.unit not in self.units or not stands(at, action.unit):
            return against(at, "combat", f"{action.unit} is not active")
        return at.world.combat.why_not_attack(at, action.unit, action.target)

    def perform(self, play: Play[HexState, CombatWorld], seat: str, action: Action) -> None:
        """Note the attack, or go on to what has been declared."""
        if not isinstance(action, Declare):
            self.resume(play)
            return
        rest = tuple(unit for unit in self.units if unit != action.unit)
        play.replace(Declaring(self.seat, rest, (*self.declared, (action.unit, action.target))))
        play.emit(TargetDeclared(action.unit, action.target, clause=self.rule(play)))

    def resume(self, play: Play[HexState, CombatWorld]) -> None:
        """Nobody else can attack, or is to."""
        if self.declared:
            play.replace(Resolving(self.seat, self.battles(play.world.seats[self.seat])))
        else:
            play.pop()


@record
class Resolving(Obliged):
    """The combat segment's second part: the declared attacks are resolved one by one, in the attacker's order."""

    kind = "resolving"
    shows = ("attack",)
    topic = "combat.order"
    choice = Fight
    battles: tuple[Battle, ...]
    """Those that have not been resolved yet."""

    def may_still_attack(self, at: Position[HexState, CombatWorld]) -> tuple[str, ...]:
        """See `LeadsToCombat`: those whose attack waits."""
        return tuple(unit for battle in self.battles for unit in battle.attackers)

    def able(self, at: Position[HexState, CombatWorld]) -> list[str]:
        """The hexes whose attacks wait."""
        return [battle.target for battle in self.battles]

    def prompt(self, at: Position[HexState, CombatWorld], seat: str) -> str:
        """How the attacks stand."""
        return f"Which attack is resolved next? {_listed(at, self.battles)}."

    def concern(self, at: Position[HexState, CombatWorld], seat: str) -> Concern:
        """The attacks that wait."""
        return Concern(goals=tuple([goal for battle in self.battles for goal in battle.goals]))

    def why_not(self, at: Position[HexState, CombatWorld], action: Fight) -> Refusal:
        """No other attack waits."""
        return against(at, "combat.once", f"no attack on {action.target} waits to be resolved")

    def chosen(self, play: Play[HexState, CombatWorld], action: Fight) -> None:
        """Announce the chosen one, or cancel it."""
        declared = next(battle for battle in self.battles if battle.target == action.target)
        play.replace(Resolving(self.seat, tuple(battle for battle in self.battles if battle != declared)))
        battle, now, reason = play.world.combat.weigh(play, declared)
        if now is None or reason:
            cancel(play, battle, now, reason)
        else:
            announce(play, self.seat, battle, now)


def _listed(at: Position[HexState, CombatWorld], battles: Sequence[Battle]) -> str:
    """Attacks with their odds, such as "0512: 8 to 2, 4:1"."""
    lines = []
    for declared in battles:
        battle, now, reason = at.world.combat.weigh(at, declared)
        lines.append(f"{battle.target}: {now.attack} to {now.defence}, {now.name}" if now else f"{battle.target}: {reason}")
    return "; ".join(lines)


DECLARED_COMBAT_EVENTS: tuple[type[Event], ...] = (TargetDeclared, AttackAnnounced, AttackCancelled, AttackResolved)
"""The events of combat that is declared first, for `Ruleset.events`."""
DECLARED_COMBAT_ACTIONS: tuple[type[Action], ...] = (Done, Declare, Fight, LoseStep, Retreat, Pursue)
"""Its actions, for `Ruleset.actions`."""
DECLARED_COMBAT_STEPS: tuple[type[Step], ...] = (
    Declaring,
    Resolving,
    Fighting,
    Aftermath,
    Losing,
    Retreating,
    Pursuing,
)
"""Its steps, for `Ruleset.steps`."""
