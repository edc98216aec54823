"""Combat: declaring an attack unit by unit, resolving it on the table, and the losses, retreat and pursuit that follow."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

from hexwar.board import CLOSED
from hexwar.engine import Action, ActionSet, Event, Listed, Play, Position, Sight, Step, record
from hexwar.errors import Refusal, RefusalCode
from hexwar.mechanics.battle import Battle, CombatWorld, odds
from hexwar.mechanics.losses import Losing
from hexwar.mechanics.movement import Done
from hexwar.mechanics.odds import Outcome
from hexwar.mechanics.pieces import HexState, face, occupant, stack
from hexwar.mechanics.pursuit import Pursuing
from hexwar.mechanics.retreat import Retreating

S = TypeVar("S", bound=HexState)
W = TypeVar("W", bound=CombatWorld)


def may_attack(at: Position[S, W], unit: str, target: str) -> bool:
    """Whether a unit stands next to an enemy hex that its arm could step into, were it empty."""
    counter, here = at.world.units[unit], at.state.at.get(unit, "")
    if here not in at.world.board or not at.world.board.adjacent(here, target) or face(at, unit).attack <= 0:
        return False
    if occupant(at, target) in (None, counter.side):
        return False
    costs = at.world.costs(counter.arm, at.world.hooks.refine("conditions", "", at))
    return costs[at.world.board.direction(here, target)][at.world.board.index(here)] != CLOSED


# -- actions and events ------------------------------------------------------------------------------------------------


@record
class Attack(Action):
    """Begin an attack on a hex."""

    target: str

    def __str__(self) -> str:
        return f"attack {self.target}"


@record
class Join(Action):
    """Let a unit take part in the attack."""

    unit: str

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

    def apply(self, state: HexState) -> None:
        """Nothing changes until the die is rolled."""

    def __str__(self) -> str:
        shifted = "".join(f", {columns:+d} {reason} ({clause})" for columns, reason, clause in self.shifts)
        who = ", ".join(self.battle.attackers)
        return f"{self.battle.side} attacks {self.battle.target} with {who}: {self.attack} to {self.defence}{shifted}, column {self.odds}"


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
COMBAT_ACTIONS: tuple[type[Action], ...] = (Attack, Join, Resolve, CallOff)


# -- steps ----------------------------------------------------------------------------------------------------------------


@record
class Attacking(Step[HexState, CombatWorld]):
    """The combat segment: each active unit attacks at most once, each hex is attacked at most once."""

    topic: ClassVar[str] = "combat"
    seat: str
    units: tuple[str, ...]
    """Those that have not attacked yet."""
    done: tuple[str, ...] = ()
    """Hexes that have been attacked or let be."""

    def rule(self, at: Position[HexState, CombatWorld]) -> str:
        """The ruleset's clause on combat."""
        return at.world.clause(self.topic)

    def targets(self, at: Position[HexState, CombatWorld]) -> list[str]:
        """The enemy hexes that some unit could still attack."""
        board, places, layout = at.world.board, at.state.at, at.state.layout
        side = at.world.seats[self.seat]
        enemies = 0
        for enemy in at.world.enemies(side):
            enemies |= layout.held[enemy]
        found = set(self.done)
        for unit in self.units:
            # Most units touch no enemy, and a zone tells that at once, whatever terrain it ends at.
            if places.get(unit, "") in board and board.around(places[unit]) & enemies:
                found.update(label for label in board.neighbours(places[unit]) if label not in found and may_attack(at, unit, label))
        return sorted(found.difference(self.done))

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
            return _no(at, "combat.once", f"{action.target} has been attacked already")
        return _no(at, "combat", f"no active unit that has not yet attacked can attack {action.target}")


@record
class Assembling(Step[HexState, CombatWorld]):
    """Putting an attack together unit by unit."""

    topic: ClassVar[str] = "combat"
    seat: str
    battle: Battle
    able: tuple[str, ...]
    """Units that could still join."""

    def rule(self, at: Position[HexState, CombatWorld]) -> str:
        """The ruleset's clause on combat."""
        return at.world.clause(self.topic)

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
        segment = play.state.stack[-2]
        assert isinstance(segment, Attacking)
        play.pop()
        spent = battle.attackers if isinstance(action, Resolve) else ()
        fresh = tuple(unit for unit in segment.units if unit not in spent)
        play.replace(Attacking(segment.seat, fresh, (*segment.done, battle.target)))
        if isinstance(action, Resolve):
            _fight(play, battle)

    def refuse(self, at: Position[HexState, CombatWorld], seat: str, action: Action) -> Refusal | None:
        """Name the rule that is in the way."""
        if isinstance(action, Join):
            return _no(at, "combat.once", f"{action.unit} cannot join: it is not active, not adjacent, or attacks already")
        if isinstance(action, Resolve):
            return _no(at, "combat.odds", "the odds are too low for an attack")
        return None


def _no(at: Position[HexState, CombatWorld], topic: str, message: str) -> Refusal:
    return Refusal(RefusalCode.AGAINST_RULE, at.world.clause(topic), message)


def _fight(play: Play[HexState, CombatWorld], battle: Battle) -> None:
    """Roll the die and let what it says happen."""
    final = odds(play, battle)
    assert final.column is not None
    shifts = tuple((shift.columns, shift.reason, shift.clause) for shift in final.shifts)
    play.emit(AttackDeclared(battle, final.attack, final.defence, final.name, shifts, clause=play.world.clause("combat.odds")))
    table = play.world.table
    roll = play.roll(f"attack on {battle.target}", clause=play.world.clause("combat.table"))
    outcome = table.rows[roll][final.column]
    play.emit(AttackResolved(battle.target, outcome.name, clause=play.world.clause("combat.table")))
    play.push(Aftermath(battle, outcome))


@record
class Aftermath(Step[HexState, CombatWorld]):
    """What a result brings, one thing after the other: attacker's losses, defender's losses, retreat, pursuit."""

    battle: Battle
    outcome: Outcome
    stage: int = 0

    def resume(self, play: Play[HexState, CombatWorld]) -> None:
        """Go on to the next stage."""
        battle, outcome = self.battle, self.outcome
        if self.stage > 3:
            play.pop()
            return
        play.replace(Aftermath(battle, outcome, self.stage + 1))
        attackers = tuple(unit for unit in battle.attackers if unit in play.state.at)
        defenders = stack(play, battle.target)
        defender = occupant(play, battle.target)
        if self.stage == 0 and outcome.attacker:
            play.push(Losing(battle.side, attackers, outcome.attacker))
        elif self.stage == 1 and outcome.defender and defender:
            play.push(Losing(defender, defenders, outcome.defender))
        elif self.stage == 2 and outcome.retreat and defender:
            play.push(Retreating(defender, battle.target, defenders, outcome.retreat))
        elif self.stage == 3 and not defenders:
            play.push(Pursuing(battle.side, battle.target, attackers))


COMBAT_STEPS: tuple[type[Step[Any, Any]], ...] = (Attacking, Assembling, Aftermath, Losing, Retreating, Pursuing)
