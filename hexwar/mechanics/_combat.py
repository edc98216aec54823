"""Combat: putting an attack together unit by unit, resolving it on the table, and the losses, retreat and pursuit that follow.

Here each attack is resolved before the next begins; games that declare all attacks first have `hexwar.mechanics._declared`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import ClassVar, Protocol, runtime_checkable

from hexwar.engine import Action, ActionSet, Choices, Concern, Event, News, Play, Position, SeatName, Step, record
from hexwar.errors import Refusal
from hexwar.mechanics._battle import Battle, CombatWorld
from hexwar.mechanics._pursuit import Pursue, Pursuing
from hexwar.mechanics._retreat import Retreat, Retreating
from hexwar.mechanics._state import HexName, HexState
from hexwar.pieces._losses import LoseStep, Losing
from hexwar.pieces._odds import Odds, Outcome
from hexwar.pieces._pieces import standing, stands
from hexwar.pieces._state import Standing, UnitName
from hexwar.pieces._steps import Choosing, Done, TopicStep, UnitAction, against

# -- actions and events ------------------------------------------------------------------------------------------------


@record
class Attack(Action):
    """Begin an attack on a hex."""

    kind = "attack"
    says = "attack {target}"
    can = "be attacked"
    target: str


@record
class Join(UnitAction):
    """Let a unit take part in the attack."""

    kind = "join"
    says = "{unit} joins the attack"


@record
class Resolve(Action):
    """Roll for the attack as it stands."""

    kind = "resolve"
    says = "resolve the attack"


@record
class CallOff(Action):
    """Give the attack up before the die is rolled."""

    kind = "call-off"
    says = "call the attack off"


@record
class AttackCancelled(News[HexState]):
    """A declared attack that was not resolved."""

    kind = "attack-cancelled"
    battle: Battle
    attack: int
    defence: int
    reason: str

    def __str__(self) -> str:
        return f"the attack of {self.battle.side} on {self.battle.target} is cancelled: {self.reason}"


@record
class AttackAnnounced(News[HexState]):
    """An attack with its odds."""

    kind = "attack-declared"
    battle: Battle
    attack: int
    defence: int
    odds: str
    shifts: tuple[tuple[int, str, str], ...] = ()
    """Columns, reason and clause of each."""
    factors: tuple[tuple[str, str, str], ...] = ()
    """Unit, what happened to its strength, and the clause."""
    scale: str = "column"
    """What the odds are called."""

    def cited(self) -> tuple[str, ...]:
        """With the clauses of shifts and factors."""
        return (self.clause, *(clause for _, _, clause in self.shifts), *(clause for _, _, clause in self.factors))

    def __str__(self) -> str:
        shifted = "".join(f", {columns:+d} {reason} ({clause})" for columns, reason, clause in self.shifts)
        who = f"{self.battle.side} attacks {self.battle.target} with {', '.join(self.battle.attackers)}"
        return f"{who}: {self.attack} to {self.defence}{shifted}, {self.scale} {self.odds}"


@record
class RollModified(News[HexState]):
    """Something was added to a roll or taken off it."""

    kind = "roll-modified"
    rolled: int
    counts: int
    modifiers: tuple[tuple[int, str, str], ...]
    """What is added, reason and clause of each."""

    def cited(self) -> tuple[str, ...]:
        """With the clauses of the modifiers."""
        return (self.clause, *(clause for _, _, clause in self.modifiers))

    def __str__(self) -> str:
        reasons = "".join(f", {number:+d} {reason} ({clause})" for number, reason, clause in self.modifiers)
        return f"the roll of {self.rolled}{reasons} counts as {self.counts}"


@record
class AttackResolved(News[HexState]):
    """The table's answer."""

    kind = "attack-resolved"
    target: str
    result: str
    applied: str = ""
    """What the result means in this hex, if a rule makes something else of it."""
    rule: str = ""
    """The clause of that rule."""

    def cited(self) -> tuple[str, ...]:
        """With the clause that changed the result."""
        return (self.clause, self.rule) if self.rule else (self.clause,)

    def __str__(self) -> str:
        means = f", here {self.applied} ({self.rule})" if self.rule else ""
        return f"the attack on {self.target} results in {self.result}{means}"


COMBAT_EVENTS: tuple[type[Event], ...] = (AttackAnnounced, AttackResolved)
"""The events of combat, for `Ruleset.events`."""
COMBAT_ACTIONS: tuple[type[Action], ...] = (Done, Attack, Join, Resolve, CallOff, LoseStep, Retreat, Pursue)
"""Its actions, for `Ruleset.actions`."""


# -- steps ----------------------------------------------------------------------------------------------------------------


@runtime_checkable
class LeadsToCombat(Protocol):
    """A step of the combat segment, or one that comes before it: it says who may still attack. Nothing is decided by that."""

    def may_still_attack(self, at: Position) -> tuple[str, ...]:
        """The units that may, whether there is anything for them to attack or not."""


@record
class Attacking(Choosing):
    """The combat segment: each active unit attacks at most once, each hex is attacked at most once."""

    kind = "attacking"
    shows = ("attack",)
    says = "Choose a hex to attack: {able}."
    topic = "combat"
    ending = "End combat"
    choice = Attack
    units: tuple[UnitName, ...]
    """Those that have not attacked yet."""
    done: tuple[HexName, ...] = ()
    """Hexes that may not be attacked any more."""

    def may_still_attack(self, at: Position[HexState, CombatWorld]) -> tuple[str, ...]:
        """See `LeadsToCombat`."""
        return self.units

    def able(self, at: Position[HexState, CombatWorld]) -> list[str]:
        """The enemy hexes that some unit could still attack."""
        found = at.world.combat.targets(at, self.units, at.world.seats[self.seat])
        return sorted({label for hexes in found.values() for label in hexes}.difference(self.done))

    def concern(self, at: Position[HexState, CombatWorld], seat: str) -> Concern:
        """Who may still attack: nothing else of what a seat sees tells that."""
        return Concern(standing(at, self.units))

    def why_not(self, at: Position[HexState, CombatWorld], action: Attack) -> Refusal | None:
        """Why a hex may not be attacked."""
        if action.target in self.done:
            return against(at, "combat.once.hex", f"{action.target} has been attacked already")
        if any(at.world.combat.may_attack(at, unit, action.target) for unit in self.units):
            return None
        return against(at, "combat", f"no active unit that has not yet attacked can attack {action.target}")

    def chosen(self, play: Play[HexState, CombatWorld], action: Attack) -> None:
        """Begin the attack."""
        may_attack, target = play.world.combat.may_attack, action.target
        able = tuple([unit for unit in self.units if may_attack(play, unit, target)])
        play.push(Assembling(self.seat, Battle(play.world.seats[self.seat], target), able))


@record
class Assembling(TopicStep):
    """Putting an attack together unit by unit."""

    kind = "assembling"
    shows = ("attack",)
    topic: ClassVar[str] = "combat"
    seat: SeatName
    battle: Battle
    able: tuple[Standing, ...]
    """Units that could still join."""

    def may_still_attack(self, at: Position[HexState, CombatWorld]) -> tuple[str, ...]:
        """See `LeadsToCombat`: those that take part among them."""
        return (*self.able, *self.battle.attackers)

    def deciders(self, at: Position[HexState, CombatWorld]) -> tuple[str, ...]:
        """The attacker."""
        return (self.seat,)

    def prompt(self, at: Position[HexState, CombatWorld], seat: str) -> str:
        """How the odds stand."""
        if not self.battle.attackers:
            return f"Who attacks {self.battle.target}? {', '.join(self.able)} can."
        now = at.world.combat.odds(at, self.battle)
        return f"Attack on {self.battle.target}: {now.attack} to {now.defence}, {now.scale} {now.name}."

    def concern(self, at: Position[HexState, CombatWorld], seat: str) -> Concern:
        """The attack as it is."""
        return Concern(self.battle.attackers, self.battle.targets, self.battle.goals)

    def actions(self, at: Position[HexState, CombatWorld], seat: str) -> ActionSet:
        """Give up, roll if the odds allow it, or add a unit."""
        return Choices([CallOff(), Resolve(), *map(Join, self.able)], partial(self.why_not, at))

    def why_not(self, at: Position[HexState, CombatWorld], action: Action) -> Refusal | None:
        """Why the attack may not be resolved as it stands, or a unit may not join it."""
        battle, combat = self.battle, at.world.combat
        if isinstance(action, Resolve) and (not battle.attackers or combat.odds(at, battle).column is None):
            return against(at, "combat.odds.low", "the odds are too low for an attack")
        if not isinstance(action, Join) or action.unit in self.able:
            return None
        if action.unit in battle.attackers:
            return against(at, "combat.once", f"{action.unit} takes part already")
        counter = at.world.units.get(action.unit)
        if counter is None or counter.side != battle.side or not stands(at, action.unit):
            return against(at, "combat", f"{battle.side} has no unit {action.unit} on the map")
        reason = combat.why_not_attack(at, action.unit, battle.target)
        return reason or against(at, "combat.once", f"{action.unit} is not active or has attacked already")

    def perform(self, play: Play[HexState, CombatWorld], seat: str, action: Action) -> None:
        """Add the unit, or settle the matter."""
        battle = self.battle
        if isinstance(action, Join):
            joined = replace(battle, attackers=(*battle.attackers, action.unit))
            play.replace(replace(self, battle=joined, able=tuple([unit for unit in self.able if unit != action.unit])))
            return
        play.pop()
        segment = play.state.stack[-1]
        if isinstance(segment, Attacking):
            fights = isinstance(action, Resolve)
            fresh = tuple(unit for unit in segment.units if not fights or unit not in battle.attackers)
            spent = battle.targets if fights else play.world.combat.spent_by_calling_off(battle)
            play.replace(replace(segment, units=fresh, done=(*segment.done, *spent)))
        if isinstance(action, Resolve):
            announce(play, self.seat, battle, play.world.combat.odds(play, battle))


@record
class Fighting(Step[HexState, CombatWorld]):
    """An announced attack. What reacts to the announcement comes on top of this step and so before the die."""

    kind = "fighting"
    seat: SeatName
    battle: Battle

    def resume(self, play: Play[HexState, CombatWorld]) -> None:
        """Decide the battle, and carry out what follows."""
        combat = play.world.combat
        battle, now, reason = combat.weigh(play, self.battle)
        play.pop()
        if now is None or now.column is None:
            # Where the world has no rule about it, there is no message.
            if "combat.cancelled" in play.world.cite:
                cancel(play, battle, now, reason)
            return
        outcome = combat.resolve(play, battle, now)
        converted, rule = combat.convert(play, battle, outcome)
        play.push(Aftermath(self.seat, battle, converted))
        applied, clause = str(converted) if rule else "", play.world.clause("combat.table")
        play.emit(AttackResolved(battle.target, outcome.name, applied, rule, clause=clause))


def announce(play: Play[HexState, CombatWorld], seat: str, battle: Battle, final: Odds) -> None:
    """Announce an attack with its odds; the die is rolled by the step that waits behind."""
    shifts = tuple((shift.columns, shift.reason, shift.clause) for shift in final.shifts)
    factors = tuple((strength.unit, *reason) for strength in final.strengths for reason in strength.reasons)
    clause = play.world.clause("combat.odds")
    play.push(Fighting(seat, battle))
    play.emit(AttackAnnounced(battle, final.attack, final.defence, final.name, shifts, factors, final.scale, clause=clause))
    play.world.combat.announced(play, battle)


def cancel(play: Play[HexState, CombatWorld], battle: Battle, now: Odds | None, reason: str) -> None:
    """An attack does not take place."""
    attack, defence = (now.attack, now.defence) if now else (0, 0)
    play.emit(AttackCancelled(battle, attack, defence, reason, clause=play.world.clause("combat.cancelled")))


@record
class Aftermath(Step[HexState, CombatWorld]):
    """The consequences of a result, one after the other, as `Combat.stages` lists them."""

    kind = "aftermath"
    seat: SeatName
    """The attacker's."""
    battle: Battle
    outcome: Outcome
    stage: int = 0

    def resume(self, play: Play[HexState, CombatWorld]) -> None:
        """Go on to the next stage."""
        stages = play.world.combat.stages()
        if self.stage == len(stages):
            play.pop()
            return
        play.replace(replace(self, stage=self.stage + 1))
        stages[self.stage](play, self.seat, self.battle, self.outcome)


COMBAT_STEPS: tuple[type[Step], ...] = (Attacking, Assembling, Fighting, Aftermath, Losing, Retreating, Pursuing)
"""Its steps, for `Ruleset.steps`."""
