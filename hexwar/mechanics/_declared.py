"""Combat in which all attacks of a segment are declared before the first is resolved, in the attacker's order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar

from hexwar.engine import Action, ActionSet, Choices, Concern, Event, Explained, Play, Position, Step, record
from hexwar.errors import Refusal
from hexwar.mechanics._battle import Battle, CombatWorld, TargetDeclared
from hexwar.mechanics._combat import (
    Aftermath,
    AttackAnnounced,
    AttackCancelled,
    AttackResolved,
    Fighting,
    announce,
    cancel,
    left_to_attack,
)
from hexwar.mechanics._pursuit import Pursue
from hexwar.mechanics._retreat import Retreat
from hexwar.mechanics._state import HexName, HexState
from hexwar.pieces._losses import LoseStep
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
class Declaring(OneByOne):
    """The combat segment's first part: units are given hexes to attack, as many as `Combat.most_targets` allows each of them."""

    kind = "declaring"
    title = "Who attacks what?"
    shows = ("attack",)
    topic: ClassVar[str] = "combat.declare"
    ending = "End declaration"
    declared: tuple[tuple[UnitName, HexName], ...] = ()
    """Unit and target, in the order of declaration; units that may have no more targets are no longer among `units`."""

    def may_still_attack(self, at: Position[HexState, CombatWorld]) -> tuple[str, ...]:
        """See `LeadsToCombat`: those that have a target among them."""
        return tuple(dict.fromkeys([*self.units, *[unit for unit, _ in self.declared]]))

    def _found(self, at: Position[HexState, CombatWorld]) -> tuple[bool, dict[str, list[str]]]:
        """Whether a unit that may be given a target could attack anything, and unit -> what may be declared for it."""
        known: tuple[Declaring, bool, dict[str, list[str]]] | None = at.memo.get(id(self))
        if known is None:  # with the step itself, so that its id stays its own
            able, duties = at.world.combat.targets(at, self.units, at.world.seats[self.seat]), self._left(at)
            open_to = {
                unit: [target for target in hexes if self._why_not_also(at, unit, target, duties) is None]
                for unit, hexes in able.items()
            }
            known = at.memo[id(self)] = self, bool(able), {unit: targets for unit, targets in open_to.items() if targets}
        return known[1:]

    def targets(self, at: Position[HexState, CombatWorld]) -> dict[str, list[str]]:
        """The units that may be given a target, or another one, and which."""
        return self._found(at)[1]

    def waiting(self, at: Position[HexState, CombatWorld]) -> tuple[str, ...]:
        """The units that may be given a target, or another one."""
        return tuple(self.targets(at))

    def battles(self, at: Position[HexState, CombatWorld]) -> tuple[Battle, ...]:
        """The attacks so far, in order of their first declaration."""
        return at.world.combat.battles(at.world.seats[self.seat], self.declared)

    def deciders(self, at: Position[HexState, CombatWorld]) -> tuple[str, ...]:
        """The activated player, while a unit could attack or an attack is declared: what was declared is confirmed."""
        return (self.seat,) if self.declared or self._found(at)[0] else ()

    def prompt(self, at: Position[HexState, CombatWorld], seat: str) -> str:
        """Who could attack, what has been declared, and what still has to be."""
        so_far = _listed(at, self.battles(at))
        able = ", ".join(self.waiting(at))
        told = (f"Declare attacks: {able} can." if able else "Confirm the attacks.") + (f" Declared: {so_far}." if so_far else "")
        return told + left_to_attack(at.world.obligations.unmet(at, self._left(at), self.units, self.declared))

    def concern(self, at: Position[HexState, CombatWorld], seat: str) -> Concern:
        """The attacks so far, and what has to be attacked."""
        return Concern(places=self._due(at), goals=self.declared)

    def stopping(self, at: Position[HexState, CombatWorld]) -> ActionSet | list[Action]:
        """The end of declarations, unless something has to be attacked."""
        return Choices([Done()], partial(self.why_not_now, at)) if self._due(at) else OneByOne.stopping(self, at)

    def choices(self, at: Position[HexState, CombatWorld], unit: str) -> ActionSet:
        """Every hex that it could attack."""
        return Explained([Declare(unit, target) for target in self.targets(at).get(unit, ())], partial(self.why_not_now, at))

    def why_not_now(self, at: Position[HexState, CombatWorld], action: Action) -> Refusal | None:
        """Why a unit may not be ordered to attack a hex, or why there may be no end of declarations."""
        if isinstance(action, Done):
            return at.world.obligations.why_not_done(at, self._left(at), self.units, self.declared)
        if not isinstance(action, Declare):
            return None
        combat, unit = at.world.combat, action.unit
        if unit not in self.units and any(unit == other for other, _ in self.declared):
            return combat.why_not_declare(at, unit, action.target, self.declared)
        if unit not in self.units or unit not in at.state.locations:
            return against(at, "combat", f"{unit} is not active")
        return combat.why_not_attack(at, unit, action.target) or self._why_not_also(at, unit, action.target, self._left(at))

    def _due(self, at: Position[HexState, CombatWorld]) -> tuple[str, ...]:
        """The hexes that have to be attacked: nothing moves while attacks are declared."""
        known: tuple[Declaring, tuple[str, ...]] | None = at.memo.get(("duties", id(self)))
        if known is None:
            known = at.memo["duties", id(self)] = self, at.world.obligations.duties(at, self.may_still_attack(at))
        return known[1]

    def _left(self, at: Position[HexState, CombatWorld]) -> list[str]:
        due = self._due(at)
        aims = {target for _, target in self.declared} if due else ()
        return [duty for duty in due if duty not in aims]

    def _why_not_also(self, at: Position[HexState, CombatWorld], unit: str, target: str, duties: Sequence[str]) -> Refusal | None:
        """Why a unit may not be given a target that it could attack, because of others that have been given."""
        reason = at.world.combat.why_not_declare(at, unit, target, self.declared)
        if reason or not duties:
            return reason
        return at.world.obligations.why_not_declare(at, duties, self.units, self.declared, unit, target)

    def perform(self, play: Play[HexState, CombatWorld], seat: str, action: Action) -> None:
        """Note the attack, or go on to what has been declared."""
        if not isinstance(action, Declare):
            self.resume(play)
            return
        combat, unit = play.world.combat, action.unit
        declared, most = (*self.declared, (unit, action.target)), combat.most_targets(play, unit)
        spent = most is not None and sum(other == unit for other, _ in declared) >= most
        rest = tuple([other for other in self.units if other != unit]) if spent else self.units
        play.replace(replace(self, units=rest, declared=declared))
        play.emit(TargetDeclared(unit, action.target, clause=self.rule(play)))

    def resume(self, play: Play[HexState, CombatWorld]) -> None:
        """No other unit can or must attack."""
        if self.declared:
            play.replace(Resolving(self.seat, self.battles(play)))
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
        return tuple(dict.fromkeys([unit for battle in self.battles for unit in battle.attackers]))

    def able(self, at: Position[HexState, CombatWorld]) -> list[str]:
        """The hexes whose attacks wait."""
        return [battle.target for battle in self.battles]

    def prompt(self, at: Position[HexState, CombatWorld], seat: str) -> str:
        """How the attacks stand."""
        return f"Which attack is resolved next? {_listed(at, self.battles)}."

    def concern(self, at: Position[HexState, CombatWorld], seat: str) -> Concern:
        """The attacks that wait."""
        return Concern(goals=tuple([pair for battle in self.battles for pair in battle.pairs]))

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
        lines.append(f"{battle.where}: {now.attack} to {now.defence}, {now.name}" if now else f"{battle.where}: {reason}")
    return "; ".join(lines)


DECLARED_COMBAT_EVENTS: tuple[type[Event], ...] = (TargetDeclared, AttackAnnounced, AttackCancelled, AttackResolved)
"""The events of combat that is declared first, for `Ruleset.events`."""
DECLARED_COMBAT_ACTIONS: tuple[type[Action], ...] = (Done, Declare, Fight, LoseStep, Retreat, Pursue)
"""Its actions, for `Ruleset.actions`."""
DECLARED_COMBAT_STEPS: tuple[type[Step], ...] = (Declaring, Resolving, Fighting, Aftermath)
"""Its steps, for `Ruleset.steps`; what `Combat.stages` pushes comes besides, such as `Losing`, `Retreating` and `Pursuing`."""
