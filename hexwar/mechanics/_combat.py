"""Combat: putting an attack together unit by unit, resolving it on the table, and the losses, retreat and pursuit that follow.

Here each attack is resolved before the next begins; games that declare all attacks first have `hexwar.mechanics._declared`.
"""

from __future__ import annotations

from collections.abc import Sequence
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
class Widen(Action):
    """Attack a further hex at the same time."""

    kind = "widen"
    says = "attack {target} at the same time"
    can = "be attacked at the same time"
    target: str


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
        return f"the attack of {self.battle.side} on {self.battle.where} is cancelled: {self.reason}"


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

    def blow(self) -> tuple[str, ...]:
        """What is attacked."""
        return self.battle.targets

    def __str__(self) -> str:
        shifted = "".join(f", {columns:+d} {reason} ({clause})" for columns, reason, clause in self.shifts)
        who = f"{self.battle.side} attacks {self.battle.where} with {', '.join(self.battle.attackers)}"
        return f"{who}: {self.attack} to {self.defence}{shifted}, {self.scale} {self.odds}"


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
    also: tuple[str, ...] = ()
    """The other hexes of the same battle."""

    def cited(self) -> tuple[str, ...]:
        """With the clause that changed the result."""
        return (self.clause, self.rule) if self.rule else (self.clause,)

    def blow(self) -> tuple[str, ...]:
        """What was attacked."""
        return (self.target, *self.also)

    def reads(self) -> str:
        """The result."""
        return self.applied or self.result

    def __str__(self) -> str:
        means = f", here {self.applied} ({self.rule})" if self.rule else ""
        return f"the attack on {' and '.join((self.target, *self.also))} results in {self.result}{means}"


COMBAT_EVENTS: tuple[type[Event], ...] = (AttackAnnounced, AttackResolved)
"""The events of combat, for `Ruleset.events`."""
COMBAT_ACTIONS: tuple[type[Action], ...] = (Done, Attack, Join, Resolve, CallOff, LoseStep, Retreat, Pursue)
"""Its actions, for `Ruleset.actions`; with `Widen` where an attack may strike several hexes."""


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
    title = "Choose an attack"
    shows = ("attack",)
    says = "Choose a hex to attack: {able}."
    topic = "combat"
    ending = "End combat"
    choice = Attack
    units: tuple[UnitName, ...]
    """Those that have not attacked yet."""
    done: tuple[HexName, ...] = ()
    """Hexes that may not be attacked any more."""
    duties: tuple[HexName, ...] = ()
    """Of the hexes that had to be attacked when the first battle began, those that have not been; see `due`."""

    def may_still_attack(self, at: Position[HexState, CombatWorld]) -> tuple[str, ...]:
        """See `LeadsToCombat`."""
        return self.units

    def due(self, at: Position) -> tuple[str, ...]:
        """The hexes that have to be attacked: contacts that battles make add none."""
        if self.duties or self.done:
            return self.duties
        found: tuple[str, ...] | None = at.memo.get(("duties", self.units))
        if found is None:
            found = at.memo["duties", self.units] = at.world.obligations.duties(at, self.units)
        return found

    def able(self, at: Position[HexState, CombatWorld]) -> list[str]:
        """The enemy hexes that some unit could still attack."""
        found: list[str] | None = at.memo.get(self)
        if found is None:
            found = sorted({label for hexes in self._targets(at).values() for label in hexes}.difference(self.done))
            if self.due(at):
                found = [label for label in found if self.why_not(at, Attack(label)) is None]
            at.memo[self] = found
        return found

    def actions(self, at: Position[HexState, CombatWorld], seat: str) -> ActionSet:
        """The hexes that can be attacked, and the end of attacks, unless something has to be attacked."""
        if not self.due(at):
            return Choosing.actions(self, at, seat)
        return Choices([Done(), *map(Attack, self.able(at))], partial(self.why_not, at))

    def prompt(self, at: Position[HexState, CombatWorld], seat: str) -> str:
        """What can be attacked, and what has to be."""
        return Choosing.prompt(self, at, seat) + left_to_attack(at.world.obligations.unmet(at, self.due(at), self.units))

    def concern(self, at: Position[HexState, CombatWorld], seat: str) -> Concern:
        """Who may still attack, which nothing else of what a seat sees tells, and what has to be attacked."""
        return Concern(standing(at, self.units), self.due(at))

    def why_not(self, at: Position[HexState, CombatWorld], action: Action) -> Refusal | None:
        """Why a hex may not be attacked, or why there may be no end of attacks."""
        if isinstance(action, Done):
            return at.world.obligations.why_not_done(at, self.due(at), self.units)
        if not isinstance(action, Attack):
            return None
        if action.target in self.done:
            return against(at, "combat.once.hex", f"{action.target} has been attacked already")
        able = self._able(at, action.target)
        if not able:
            return against(at, "combat", f"no active unit that has not yet attacked can attack {action.target}")
        if not self.due(at):
            return None
        begun, first = self._begun(at, action.target, able), None
        for unit in able:
            reason = begun.why_not(at, Join(unit))
            if reason is None:
                return None
            first = first or reason
        return first

    def chosen(self, play: Play[HexState, CombatWorld], action: Attack) -> None:
        """Begin the attack."""
        play.push(self._begun(play, action.target, self._able(play, action.target)))

    def _targets(self, at: Position[HexState, CombatWorld]) -> dict[str, list[str]]:
        found: dict[str, list[str]] | None = at.memo.get(("targets", self.units))
        if found is None:
            found = at.memo["targets", self.units] = at.world.combat.targets(at, self.units, at.world.seats[self.seat])
        return found

    def _able(self, at: Position[HexState, CombatWorld], target: str) -> tuple[str, ...]:
        return tuple([unit for unit, hexes in self._targets(at).items() if target in hexes])

    def _begun(self, at: Position[HexState, CombatWorld], target: str, able: tuple[str, ...]) -> Assembling:
        """An attack on a hex, still without attackers."""
        duties = self.due(at)
        matter = duties or any(at.world.combat.most_targets(at, unit) != 1 for unit in able)
        others = tuple([unit for unit in self.units if unit not in able]) if matter else ()
        return Assembling(self.seat, Battle.on(at.world.seats[self.seat], target), able, others, self.done, duties)


def left_to_attack(duties: Sequence[str]) -> str:
    """What a prompt says of hexes that may not be left unattacked."""
    return f" Not to be left unattacked: {', '.join(duties)}." if duties else ""


@record
class Assembling(TopicStep):
    """Putting an attack together, unit by unit, and hex by hex where one attack may strike several."""

    kind = "assembling"
    title = "Who takes part in the attack?"
    shows = ("attack",)
    topic: ClassVar[str] = "combat"
    seat: SeatName
    battle: Battle
    able: tuple[Standing, ...]
    """Units that could still join."""
    others: tuple[Standing, ...] = ()
    """Units that have not attacked and could not join, where it matters what they could attack."""
    done: tuple[HexName, ...] = ()
    """See `Attacking`."""
    duties: tuple[HexName, ...] = ()
    """The hexes that have to be attacked, those of this attack among them."""

    def may_still_attack(self, at: Position[HexState, CombatWorld]) -> tuple[str, ...]:
        """See `LeadsToCombat`: those that take part among them."""
        return (*self.able, *self.others, *self.battle.attackers)

    def deciders(self, at: Position[HexState, CombatWorld]) -> tuple[str, ...]:
        """The attacker."""
        return (self.seat,)

    def prompt(self, at: Position[HexState, CombatWorld], seat: str) -> str:
        """How the odds stand."""
        if not self.battle.attackers:
            return f"Who attacks {self.battle.where}? {', '.join(self.able)} can."
        now = at.world.combat.odds(at, self.battle)
        return f"Attack on {self.battle.where}: {now.attack} to {now.defence}, {now.scale} {now.name}."

    def concern(self, at: Position[HexState, CombatWorld], seat: str) -> Concern:
        """The attack as it is."""
        return Concern(self.battle.attackers, self.battle.targets, self.battle.pairs)

    def actions(self, at: Position[HexState, CombatWorld], seat: str) -> ActionSet:
        """Give up, roll if the odds allow it, add a unit, or add a hex."""
        return Choices([CallOff(), Resolve(), *map(Join, self.able), *map(Widen, self.further(at))], partial(self.why_not, at))

    def further(self, at: Position[HexState, CombatWorld]) -> list[str]:
        """The hexes beside those attacked that some of the attackers could attack, where they may attack several."""
        attackers = self.battle.attackers
        if all(at.world.combat.most_targets(at, unit) == 1 for unit in attackers):
            return []
        found = at.world.combat.targets(at, attackers, self.battle.side)
        return sorted({label for hexes in found.values() for label in hexes}.difference(self.battle.targets, self.done))

    def why_not(self, at: Position[HexState, CombatWorld], action: Action) -> Refusal | None:
        """Why the attack may not be resolved or called off as it stands, or a unit or a hex not be added."""
        battle, combat = self.battle, at.world.combat
        if isinstance(action, Resolve):
            if not battle.attackers or combat.odds(at, battle).column is None:
                return against(at, "combat.odds.low", "the odds are too low for an attack")
            return self._why_not_leave(at, battle, growing=False)
        if isinstance(action, Join):
            return self._why_not_join(at, action.unit)
        if isinstance(action, Widen):
            if action.target in self.done:
                return against(at, "combat.once.hex", f"{action.target} has been attacked already")
            reason = combat.why_not_widen(at, battle, action.target)
            return reason or self._why_not_leave(at, self._widened(at, action.target), growing=True)
        if isinstance(action, CallOff):
            duties = [duty for duty in self.duties if combat.calling_off_spends and duty in battle.targets]
            reason = at.world.obligations.why_not_done(at, duties, self.may_still_attack(at))
            return None if reason is None or self._is_hopeless(at) else reason
        return None

    def _is_hopeless(self, at: Position[HexState, CombatWorld]) -> bool:
        """Whether the odds are too low even with everybody who could join."""
        battle = self.battle
        for unit in self.able:
            if replace(self, battle=battle).why_not(at, Join(unit)) is None:
                battle = battle.joined(unit, battle.target)
        return not battle.attackers or at.world.combat.odds(at, battle).column is None

    def _why_not_join(self, at: Position[HexState, CombatWorld], unit: str) -> Refusal | None:
        battle, combat = self.battle, at.world.combat
        if unit in self.able:
            reason = combat.why_not_join(at, battle, unit)
            if reason or not self.duties:
                return reason
            joined = self._joined(at, unit)
            return self._why_not_leave(at, joined, growing=True)
        if unit in battle.attackers:
            return against(at, "combat.once", f"{unit} takes part already")
        counter = at.world.units.get(unit)
        if counter is None or counter.side != battle.side or not stands(at, unit):
            return against(at, "combat", f"{battle.side} has no unit {unit} on the map")
        reason = combat.why_not_attack(at, unit, battle.target)
        return reason or against(at, "combat.once", f"{unit} is not active or has attacked already")

    def _why_not_leave(self, at: Position[HexState, CombatWorld], battle: Battle, *, growing: bool) -> Refusal | None:
        units = self.may_still_attack(at)
        return at.world.obligations.why_not_fight(at, self.duties, units, battle, growing=growing)

    def _joined(self, at: Position[HexState, CombatWorld], unit: str) -> Battle:
        """The battle with another unit, which attacks whichever of its hexes it can."""
        targets = self.battle.targets
        if len(targets) > 1:
            targets = tuple([target for target in targets if at.world.combat.may_attack(at, unit, target)])
        return self.battle.joined(unit, *targets)

    def _widened(self, at: Position[HexState, CombatWorld], target: str) -> Battle:
        """The battle with another hex, attacked by those of the attackers that can."""
        units = [unit for unit in self.battle.attackers if at.world.combat.may_attack(at, unit, target)]
        return self.battle.widened(target, *units)

    def perform(self, play: Play[HexState, CombatWorld], seat: str, action: Action) -> None:
        """Add the unit or the hex, or settle the matter."""
        battle, combat = self.battle, play.world.combat
        if isinstance(action, Join):
            able = tuple([unit for unit in self.able if unit != action.unit])
            play.replace(replace(self, battle=self._joined(play, action.unit), able=able))
            return
        if isinstance(action, Widen):
            more = tuple([unit for unit in self.others if combat.may_attack(play, unit, action.target)])
            others = tuple([unit for unit in self.others if unit not in more])
            play.replace(replace(self, battle=self._widened(play, action.target), able=(*self.able, *more), others=others))
            return
        play.pop()
        segment = play.state.stack[-1]
        if isinstance(segment, Attacking):
            fights, attackers = isinstance(action, Resolve), battle.attackers
            fresh = tuple(unit for unit in segment.units if not fights or unit not in attackers)
            spent = battle.targets if fights or combat.calling_off_spends else ()
            duties = tuple([duty for duty in self.duties if duty not in spent])
            play.replace(replace(segment, units=fresh, done=(*segment.done, *spent), duties=duties))
        if isinstance(action, Resolve):
            announce(play, self.seat, battle, combat.odds(play, battle))


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
        play.emit(AttackResolved(battle.target, outcome.name, applied, rule, battle.targets[1:], clause=clause))


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
