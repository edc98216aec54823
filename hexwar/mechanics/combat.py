"""Combat: putting an attack together unit by unit, resolving it on the table, and the losses, retreat and pursuit that follow.

Here each attack is resolved before the next begins; games that declare all attacks first have `hexwar.mechanics.declared`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import ClassVar, TypeVar

from hexwar.board import CLOSED, step
from hexwar.engine import Action, ActionSet, Concern, Event, Listed, Play, Position, Sight, Step, record
from hexwar.errors import Refusal
from hexwar.mechanics.battle import Battle, CombatWorld, odds
from hexwar.mechanics.losses import LoseStep, Losing
from hexwar.mechanics.odds import Odds, Outcome
from hexwar.mechanics.onebyone import Done, UnitAction
from hexwar.mechanics.pieces import face, occupant, stack, standing, stands
from hexwar.mechanics.pursuit import Pursue, Pursuing
from hexwar.mechanics.retreat import Retreat, Retreating
from hexwar.mechanics.state import HexState
from hexwar.mechanics.topics import TopicStep, against

S = TypeVar("S", bound=HexState)
W = TypeVar("W", bound=CombatWorld)


def refuse_attack(at: Position[S, W], unit: str, target: str) -> Refusal | None:
    """Why a unit on the board could not attack a hex, or None: it must stand next to enemies in a hex that it could step into."""
    world, here = at.world, at.state.at[unit]
    if occupant(at, target) not in world.enemies(world.units[unit].side):
        return against(at, "combat.empty", f"there is no enemy in {target}")
    if not world.board.adjacent(here, target):
        return against(at, "combat", f"{unit} does not stand next to {target}")
    if face(at, unit).attack <= 0:
        return against(at, "combat.strength", f"{unit} has no attack strength")
    if not at.world.movement.can_step(at, unit, here, target):
        return against(at, "combat.closed", f"{unit} could not move from {here} into {target}")
    return None


def may_attack(at: Position[S, W], unit: str, target: str) -> bool:
    """Whether a unit that may be gone by now could attack a hex."""
    return stands(at, unit) and refuse_attack(at, unit, target) is None


def enemy_hexes(at: Position[S, W], side: str) -> int:
    """The mask of the hexes in which enemies of a side stand."""
    mask = 0
    for enemy in at.world.enemies(side):
        mask |= at.state.layout.held[enemy]
    return mask


def touching(at: Position[S, W], side: str, units: Iterable[str], enemies: int) -> list[str]:
    """Those of some units of a side that stand next to a hex out of a mask of enemy ones."""
    near = step(at.world.board, enemies, at.state.layout.held[side])
    if not near:
        return []
    places, indices = at.state.at, at.world.board.indices
    return [unit for unit in units if (here := places.get(unit, "")) in indices and near >> indices[here] & 1]


def attackable(at: Position[S, W], unit: str, enemies: int) -> list[int]:
    """The hexes, out of a mask of enemy ones, that a unit could attack."""
    board, here = at.world.board, at.state.at.get(unit, "")
    # Most units touch no enemy, and one mask tells that at once.
    near = board.around(here) & enemies if here in board else 0
    if not near or face(at, unit).attack <= 0:
        return []
    i, costs = board.index(here), at.world.movement.costs_of(at, unit)
    return [i + delta for d, delta in enumerate(board.deltas) if near >> i + delta & 1 and costs[d][i] != CLOSED]


# -- actions and events ------------------------------------------------------------------------------------------------


@record
class Attack(Action):
    """Begin an attack on a hex."""

    kind = "attack"
    target: str

    def __str__(self) -> str:
        return f"attack {self.target}"


@record
class Join(UnitAction):
    """Let a unit take part in the attack."""

    kind = "join"

    def __str__(self) -> str:
        return f"{self.unit} joins the attack"


@record
class Resolve(Action):
    """Roll for the attack as it stands."""

    kind = "resolve"

    def __str__(self) -> str:
        return "resolve the attack"


@record
class CallOff(Action):
    """Give the attack up before the die is rolled."""

    kind = "call-off"

    def __str__(self) -> str:
        return "call the attack off"


@record
class AttackCancelled(Event[HexState]):
    """A declared attack that was not resolved."""

    kind = "attack-cancelled"
    sight = Sight.PUBLIC
    battle: Battle
    attack: int
    defence: int
    reason: str

    def apply(self, state: HexState) -> None:
        """Nothing changes."""

    def __str__(self) -> str:
        return f"the attack of {self.battle.side} on {self.battle.target} is cancelled: {self.reason}"


@record
class AttackDeclared(Event[HexState]):
    """An attack with its odds."""

    kind = "attack-declared"
    sight = Sight.PUBLIC
    battle: Battle
    attack: int
    defence: int
    odds: str
    shifts: tuple[tuple[int, str, str], ...] = ()
    """Columns, reason and clause of each."""
    factors: tuple[tuple[str, str, str], ...] = ()
    """Unit, what happened to its strength, and the clause."""

    def apply(self, state: HexState) -> None:
        """Nothing changes until the die is rolled."""

    def cited(self) -> tuple[str, ...]:
        """With the clauses of shifts and factors."""
        return (self.clause, *(clause for _, _, clause in self.shifts), *(clause for _, _, clause in self.factors))

    def __str__(self) -> str:
        shifted = "".join(f", {columns:+d} {reason} ({clause})" for columns, reason, clause in self.shifts)
        who = f"{self.battle.side} attacks {self.battle.target} with {', '.join(self.battle.attackers)}"
        return f"{who}: {self.attack} to {self.defence}{shifted}, column {self.odds}"


@record
class RollModified(Event[HexState]):
    """Something was added to a roll or taken off it."""

    kind = "roll-modified"
    sight = Sight.PUBLIC
    rolled: int
    counts: int
    modifiers: tuple[tuple[int, str, str], ...]
    """What is added, reason and clause of each."""

    def apply(self, state: HexState) -> None:
        """Nothing changes but the result."""

    def cited(self) -> tuple[str, ...]:
        """With the clauses of the modifiers."""
        return (self.clause, *(clause for _, _, clause in self.modifiers))

    def __str__(self) -> str:
        reasons = "".join(f", {number:+d} {reason} ({clause})" for number, reason, clause in self.modifiers)
        return f"the roll of {self.rolled}{reasons} counts as {self.counts}"


@record
class AttackResolved(Event[HexState]):
    """The table's answer."""

    kind = "attack-resolved"
    sight = Sight.PUBLIC
    target: str
    result: str
    applied: str = ""
    """What the result means in this hex, if a rule makes something else of it."""
    rule: str = ""
    """The clause of that rule."""

    def apply(self, state: HexState) -> None:
        """The losses and the retreat are events of their own."""

    def cited(self) -> tuple[str, ...]:
        """With the clause that changed the result."""
        return (self.clause, self.rule) if self.rule else (self.clause,)

    def __str__(self) -> str:
        means = f", here {self.applied} ({self.rule})" if self.rule else ""
        return f"the attack on {self.target} results in {self.result}{means}"


COMBAT_EVENTS: tuple[type[Event], ...] = (AttackDeclared, AttackResolved)
COMBAT_ACTIONS: tuple[type[Action], ...] = (Done, Attack, Join, Resolve, CallOff, LoseStep, Retreat, Pursue)


# -- steps ----------------------------------------------------------------------------------------------------------------


@record
class Attacking(TopicStep):
    """The combat segment: each active unit attacks at most once, each hex is attacked at most once."""

    kind = "attacking"
    topic: ClassVar[str] = "combat"
    seat: str
    units: tuple[str, ...]
    """Those that have not attacked yet."""
    done: tuple[str, ...] = ()
    """Hexes that may not be attacked any more."""

    def targets(self, at: Position[HexState, CombatWorld]) -> list[str]:
        """The enemy hexes that some unit could still attack."""
        board, enemies = at.world.board, enemy_hexes(at, at.world.seats[self.seat])
        found = {i for unit in self.units for i in attackable(at, unit, enemies)}
        return sorted({board.label(i) for i in found}.difference(self.done))

    def deciders(self, at: Position[HexState, CombatWorld]) -> tuple[str, ...]:
        """Whoever was activated, while there is something to attack."""
        return (self.seat,) if self.targets(at) else ()

    def prompt(self, at: Position[HexState, CombatWorld], seat: str) -> str:
        """What may be attacked."""
        return f"Choose a hex to attack: {', '.join(self.targets(at))}."

    def actions(self, at: Position[HexState, CombatWorld], seat: str) -> ActionSet:
        """Stop, or any target."""
        return Listed([Done(), *(Attack(label) for label in self.targets(at))])

    def perform(self, play: Play[HexState, CombatWorld], seat: str, action: Action) -> None:
        """Begin the attack."""
        if isinstance(action, Attack):
            battle = Battle(play.world.seats[self.seat], action.target)
            play.push(Assembling(self.seat, battle, tuple(unit for unit in self.units if may_attack(play, unit, action.target))))
        else:
            play.pop()

    def resume(self, play: Play[HexState, CombatWorld]) -> None:
        """Nothing is left to attack."""
        play.pop()

    def refuse(self, at: Position[HexState, CombatWorld], seat: str, action: Action) -> Refusal | None:
        """Name the rule that is in the way."""
        if not isinstance(action, Attack):
            return None
        if action.target in self.done:
            return against(at, "combat.once.hex", f"{action.target} has been attacked already")
        return against(at, "combat", f"no active unit that has not yet attacked can attack {action.target}")


@record
class Assembling(TopicStep):
    """Putting an attack together unit by unit."""

    kind = "assembling"
    topic: ClassVar[str] = "combat"
    seat: str
    battle: Battle
    able: tuple[str, ...]
    """Units that could still join."""

    def deciders(self, at: Position[HexState, CombatWorld]) -> tuple[str, ...]:
        """The attacker."""
        return (self.seat,)

    def prompt(self, at: Position[HexState, CombatWorld], seat: str) -> str:
        """How the odds stand."""
        if not self.battle.attackers:
            return f"Who attacks {self.battle.target}? {', '.join(self.able)} can."
        now = odds(at, self.battle)
        return f"Attack on {self.battle.target}: {now.attack} to {now.defence}, column {now.name}."

    def concern(self, at: Position[HexState, CombatWorld], seat: str) -> Concern:
        """The attack as it is."""
        return Concern(self.battle.attackers, (self.battle.target,))

    def actions(self, at: Position[HexState, CombatWorld], seat: str) -> ActionSet:
        """Give up, roll if the odds allow it, or add a unit."""
        can_roll = self.battle.attackers and odds(at, self.battle).column is not None
        return Listed([CallOff(), *([Resolve()] if can_roll else []), *(Join(unit) for unit in self.able)])

    def perform(self, play: Play[HexState, CombatWorld], seat: str, action: Action) -> None:
        """Add the unit, or settle the matter."""
        battle = self.battle
        if isinstance(action, Join):
            joined = Battle(battle.side, battle.target, (*battle.attackers, action.unit))
            play.replace(Assembling(self.seat, joined, tuple(unit for unit in self.able if unit != action.unit)))
            return
        play.pop()
        segment = play.state.stack[-1]
        if isinstance(segment, Attacking):
            if isinstance(action, Resolve):
                fresh = tuple(unit for unit in segment.units if unit not in battle.attackers)
                play.replace(replace(segment, units=fresh, done=(*segment.done, battle.target)))
            else:
                play.replace(replace(segment, done=play.world.done_if_called_off(segment.done, battle.target)))
        if isinstance(action, Resolve):
            declare(play, self.seat, battle, odds(play, battle))

    def refuse(self, at: Position[HexState, CombatWorld], seat: str, action: Action) -> Refusal | None:
        """Name the rule that is in the way."""
        if isinstance(action, Resolve):
            return against(at, "combat.odds.low", "the odds are too low for an attack")
        if not isinstance(action, Join):
            return None
        if action.unit in self.battle.attackers:
            return against(at, "combat.once", f"{action.unit} takes part already")
        counter = at.world.units.get(action.unit)
        if counter is None or counter.side != self.battle.side or not stands(at, action.unit):
            return against(at, "combat", f"{self.battle.side} has no unit {action.unit} on the map")
        reason = refuse_attack(at, action.unit, self.battle.target)
        return reason or against(at, "combat.once", f"{action.unit} is not active or has attacked already")


@record
class Fighting(Step[HexState, CombatWorld]):
    """A declared attack. What reacts to the declaration comes on top of this step and so before the die."""

    kind = "fighting"
    seat: str
    battle: Battle

    def resume(self, play: Play[HexState, CombatWorld]) -> None:
        """Roll the die and let what it says happen."""
        world, table = play.world, play.world.table
        battle, now, reason = weigh(play, self.battle)
        play.pop()
        if now is None or now.column is None:
            # Where the world knows no rule about it, nothing is said.
            if "combat.cancelled" in world.cite:
                cancel(play, battle, now, reason)
            return
        modifiers = world.roll_modifiers(play, battle)
        roll = play.roll(f"attack on {battle.target}", clause=world.clause("combat.table"), sides=len(table.rows))
        if modifiers:
            rolled, roll = roll, max(1, min(roll + sum(number for number, _, _ in modifiers), len(table.rows)))
            play.emit(RollModified(rolled, roll, tuple(modifiers), clause=world.clause("combat.modifier")))
        outcome = table.rows[roll][now.column]
        converted, rule = world.convert(play, battle, outcome)
        play.push(Aftermath(self.seat, battle, converted))
        applied = str(converted) if rule else ""
        play.emit(AttackResolved(battle.target, outcome.name, applied, rule, clause=world.clause("combat.table")))


def weigh(at: Position[S, W], battle: Battle) -> tuple[Battle, Odds | None, str]:
    """An attack with those of its attackers that are left, its odds if there is anything to fight, and why it cannot be fought.

    Something may have happened since it was declared: other attacks, or a reaction that cost attackers, defenders or the odds.
    """
    world = at.world
    left = tuple(u for u in battle.attackers if stands(at, u) and world.board.adjacent(at.state.at[u], battle.target))
    battle = Battle(battle.side, battle.target, left)
    if occupant(at, battle.target) not in world.enemies(battle.side):
        return battle, None, f"nobody is left in {battle.target}"
    if not left:
        return battle, None, "no attacker is left"
    now = odds(at, battle)
    return battle, now, "" if now.column is not None else f"the odds of {now.attack} to {now.defence} are too low"


def declare(play: Play[HexState, CombatWorld], seat: str, battle: Battle, final: Odds) -> None:
    """Announce an attack with its odds; the die is rolled by the step that waits behind."""
    shifts = tuple((shift.columns, shift.reason, shift.clause) for shift in final.shifts)
    factors = tuple((strength.unit, *reason) for strength in final.strengths for reason in strength.reasons)
    clause = play.world.clause("combat.odds")
    play.push(Fighting(seat, battle))
    play.emit(AttackDeclared(battle, final.attack, final.defence, final.name, shifts, factors, clause=clause))
    play.world.announced(play, battle)


def cancel(play: Play[HexState, CombatWorld], battle: Battle, now: Odds | None, reason: str) -> None:
    """An attack does not take place."""
    attack, defence = (now.attack, now.defence) if now else (0, 0)
    play.emit(AttackCancelled(battle, attack, defence, reason, clause=play.world.clause("combat.cancelled")))


@record
class Aftermath(Step[HexState, CombatWorld]):
    """What a result brings, one thing after the other: attacker's losses, defender's losses, retreat, pursuit."""

    kind = "aftermath"
    seat: str
    """The attacker's."""
    battle: Battle
    outcome: Outcome
    stage: int = 0

    def resume(self, play: Play[HexState, CombatWorld]) -> None:
        """Go on to the next stage."""
        battle, outcome = self.battle, self.outcome
        if self.stage > 3:
            play.pop()
            return
        play.replace(Aftermath(self.seat, battle, outcome, self.stage + 1))
        attackers = standing(play, battle.attackers)
        defenders = stack(play, battle.target)
        if self.stage == 0 and outcome.attacker:
            play.push(Losing(self.seat, attackers, outcome.attacker))
        elif self.stage == 3 and not defenders:
            pursuing: type[Pursuing] = play.world.pursuit_step or Pursuing
            play.push(pursuing.begin(play, self.seat, battle, attackers))
        elif defenders:
            owner = play.world.seat_for(play.world.units[defenders[0]].side, defenders[0])
            if self.stage == 1 and outcome.defender:
                play.push(Losing(owner, defenders, outcome.defender))
            elif self.stage == 2 and outcome.retreat:
                play.push(Retreating(owner, defenders, battle.target, outcome.retreat))


COMBAT_STEPS: tuple[type[Step], ...] = (Attacking, Assembling, Fighting, Aftermath, Losing, Retreating, Pursuing)
