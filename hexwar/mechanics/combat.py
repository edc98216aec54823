"""Combat: declaring an attack unit by unit, resolving it on the table, and the losses, retreat and pursuit that follow."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

from hexwar.board import CLOSED
from hexwar.engine import Action, ActionSet, Event, Listed, Play, Position, Sight, Step, record
from hexwar.errors import Refusal
from hexwar.mechanics.battle import Battle, CombatWorld, odds
from hexwar.mechanics.losses import LoseStep, Losing
from hexwar.mechanics.movement import can_step, costs_of
from hexwar.mechanics.odds import Outcome
from hexwar.mechanics.onebyone import Done, UnitAction
from hexwar.mechanics.pieces import face, occupant, stack
from hexwar.mechanics.pursuit import Pursue, Pursuing
from hexwar.mechanics.retreat import Retreat, Retreating
from hexwar.mechanics.topics import TopicStep, against
from hexwar.mechanics.world import HexState

S = TypeVar("S", bound=HexState)
W = TypeVar("W", bound=CombatWorld)


def refuse_attack(at: Position[S, W], unit: str, target: str) -> Refusal | None:
    """Why a unit on the board could not attack a hex, or None: it must stand next to enemies in a hex that it could step into."""
    world, here = at.world, at.state.at[unit]
    if occupant(at, target) not in world.enemies(world.units[unit].side):
        return against(at, "combat", f"there is no enemy in {target}")
    if not world.board.adjacent(here, target):
        return against(at, "combat", f"{unit} does not stand next to {target}")
    if face(at, unit).attack <= 0:
        return against(at, "combat.strength", f"{unit} has no attack strength")
    if not can_step(at, unit, here, target):
        return against(at, "combat", f"{unit} could not move from {here} into {target}")
    return None


def may_attack(at: Position[S, W], unit: str, target: str) -> bool:
    """Whether a unit that may be gone by now could attack a hex."""
    return at.state.at.get(unit, "") in at.world.board and refuse_attack(at, unit, target) is None


# -- actions and events ------------------------------------------------------------------------------------------------


@record
class Attack(Action):
    """Begin an attack on a hex."""

    target: str

    def __str__(self) -> str:
        return f"attack {self.target}"


@record
class Join(UnitAction):
    """Let a unit take part in the attack."""

    def __str__(self) -> str:
        return f"{self.unit} joins the attack"


@record
class Resolve(Action):
    """Roll for the attack as it stands."""

    def __str__(self) -> str:
        return "resolve the attack"


@record
class CallOff(Action):
    """Give the attack up; the hex is not attacked in this segment."""

    def __str__(self) -> str:
        return "call the attack off"


@record
class AttackDeclared(Event[HexState]):
    """An attack with its odds."""

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
class AttackResolved(Event[HexState]):
    """The table's answer."""

    sight = Sight.PUBLIC
    target: str
    result: str

    def apply(self, state: HexState) -> None:
        """The losses and the retreat are events of their own."""

    def __str__(self) -> str:
        return f"the attack on {self.target} results in {self.result}"


COMBAT_EVENTS: tuple[type[Event[Any]], ...] = (AttackDeclared, AttackResolved)
COMBAT_ACTIONS: tuple[type[Action], ...] = (Done, Attack, Join, Resolve, CallOff, LoseStep, Retreat, Pursue)


# -- steps ----------------------------------------------------------------------------------------------------------------


@record
class Attacking(TopicStep):
    """The combat segment: each active unit attacks at most once, each hex is attacked at most once."""

    topic: ClassVar[str] = "combat"
    seat: str
    units: tuple[str, ...]
    """Those that have not attacked yet."""
    done: tuple[str, ...] = ()
    """Hexes that have been attacked or let be."""

    def targets(self, at: Position[HexState, CombatWorld]) -> list[str]:
        """The enemy hexes that some unit could still attack."""
        board, places = at.world.board, at.state.at
        enemies = 0
        for enemy in at.world.enemies(at.world.seats[self.seat]):
            enemies |= at.state.layout.held[enemy]
        found: set[int] = set()
        for unit in self.units:
            here = places.get(unit, "")
            # Most units touch no enemy, and one mask tells that at once.
            near = board.around(here) & enemies if here in board else 0
            if near and face(at, unit).attack > 0:
                i, costs = board.index(here), costs_of(at, unit)
                found.update(i + delta for d, delta in enumerate(board.deltas) if near >> i + delta & 1 and costs[d][i] != CLOSED)
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
            return against(at, "combat.once", f"{action.target} has been attacked already")
        return against(at, "combat", f"no active unit that has not yet attacked can attack {action.target}")


@record
class Assembling(TopicStep):
    """Putting an attack together unit by unit."""

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
            spent = battle.attackers if isinstance(action, Resolve) else ()
            fresh = tuple(unit for unit in segment.units if unit not in spent)
            play.replace(Attacking(segment.seat, fresh, (*segment.done, battle.target)))
        if isinstance(action, Resolve):
            _declare(play, self.seat, battle)

    def refuse(self, at: Position[HexState, CombatWorld], seat: str, action: Action) -> Refusal | None:
        """Name the rule that is in the way."""
        if isinstance(action, Resolve):
            return against(at, "combat.odds", "the odds are too low for an attack")
        if not isinstance(action, Join):
            return None
        if action.unit in self.battle.attackers:
            return against(at, "combat.once", f"{action.unit} takes part already")
        counter = at.world.units.get(action.unit)
        if counter is None or counter.side != self.battle.side or at.state.at.get(action.unit, "") not in at.world.board:
            return against(at, "combat", f"{self.battle.side} has no unit {action.unit} on the map")
        reason = refuse_attack(at, action.unit, self.battle.target)
        return reason or against(at, "combat.once", f"{action.unit} is not active or has attacked already")


@record
class Fighting(Step[HexState, CombatWorld]):
    """A declared attack. What reacts to the declaration comes on top of this step and so before the die."""

    seat: str
    battle: Battle

    def resume(self, play: Play[HexState, CombatWorld]) -> None:
        """Roll the die and let what it says happen."""
        table = play.world.table
        # A reaction to the declaration may have cost attackers, the defenders or the odds.
        attackers = tuple(unit for unit in self.battle.attackers if unit in play.state.at)
        battle = Battle(self.battle.side, self.battle.target, attackers)
        column = odds(play, battle).column if attackers and stack(play, battle.target) else None
        play.pop()
        if column is None:
            return
        roll = play.roll(f"attack on {battle.target}", clause=play.world.clause("combat.table"), sides=len(table.rows))
        outcome = table.rows[roll][column]
        play.push(Aftermath(self.seat, battle, outcome))
        play.emit(AttackResolved(battle.target, outcome.name, clause=play.world.clause("combat.table")))


def _declare(play: Play[HexState, CombatWorld], seat: str, battle: Battle) -> None:
    final = odds(play, battle)
    shifts = tuple((shift.columns, shift.reason, shift.clause) for shift in final.shifts)
    factors = tuple((strength.unit, *reason) for strength in final.strengths for reason in strength.reasons)
    clause = play.world.clause("combat.odds")
    play.push(Fighting(seat, battle))
    play.emit(AttackDeclared(battle, final.attack, final.defence, final.name, shifts, factors, clause=clause))


@record
class Aftermath(Step[HexState, CombatWorld]):
    """What a result brings, one thing after the other: attacker's losses, defender's losses, retreat, pursuit."""

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
        attackers = tuple(unit for unit in battle.attackers if unit in play.state.at)
        defenders = stack(play, battle.target)
        if self.stage == 0 and outcome.attacker:
            play.push(Losing(self.seat, attackers, outcome.attacker))
        elif self.stage == 3 and not defenders:
            play.push(Pursuing(self.seat, attackers, battle.target))
        elif defenders:
            owner = play.world.seat_for(play.world.units[defenders[0]].side, defenders[0])
            if self.stage == 1 and outcome.defender:
                play.push(Losing(owner, defenders, outcome.defender))
            elif self.stage == 2 and outcome.retreat:
                play.push(Retreating(owner, defenders, battle.target, outcome.retreat))


COMBAT_STEPS: tuple[type[Step[Any, Any]], ...] = (Attacking, Assembling, Fighting, Aftermath, Losing, Retreating, Pursuing)
