"""Checks of combat: who may attack what at which odds, what the table says, and who pays for it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from hexwar.engine import Action, DiceRolled, Game, PhaseEntered, Step
from hexwar.mechanics import (
    Assembling,
    Attack,
    AttackAnnounced,
    Attacking,
    AttackResolved,
    CallOff,
    Declare,
    Declaring,
    Join,
    Resolve,
)
from hexwar.mechanics._battle import TargetDeclared
from hexwar.mechanics._combat import Aftermath, AttackCancelled, Fighting
from hexwar.pieces import Done, LoseStep, Losing, Manner, StepLost, UnitEliminated, UnitMoved
from hexwar.testing._checks.following import Following, current
from hexwar.testing.oracles import Combat, Entry, Field, Verdict


class AttacksAreRight(Following):
    """Targets, attackers and odds are those of the rules added up by hand, and the result is the table's cell for the die."""

    needs = Combat

    _fresh: frozenset[str] = frozenset()
    """Active units that have not attacked."""
    _closed: frozenset[str] = frozenset()
    """Hexes that have been attacked or let be."""
    _target = ""
    _joined: tuple[str, ...] = ()
    _planned: tuple[tuple[str, str], ...] = ()
    """Units with the targets that they have declared, where attacks are declared beforehand."""
    _attackers: tuple[str, ...] = ()
    _roll = 0

    def pushed(self, step: Step, field: Field) -> None:
        """A segment begins."""
        if isinstance(step, Attacking):
            self._fresh, self._closed = frozenset(step.units), frozenset(step.done)
        elif isinstance(step, Declaring):
            self._planned, self._closed = tuple(step.declared), frozenset()
            self._fresh = frozenset(step.units).difference(unit for unit, _ in self._planned)

    def waits(self, step: Step, field: Field) -> None:
        """A battle that is being fought already."""
        super().waits(step, field)
        if isinstance(step, Fighting):
            self._attackers = step.battle.attackers

    def decided(self, seat: str, action: Action, field: Field) -> None:
        """An attack is put together."""
        if isinstance(action, Attack):
            self._target, self._joined = action.target, ()
        elif isinstance(action, Join):
            self._joined += (action.unit,)
        elif isinstance(action, Resolve):
            self._closed |= {self._target}
            self._fresh -= {*self._joined}
        elif isinstance(action, CallOff) and self.rule(Combat).spends_when_called_off:
            self._closed |= {self._target}

    def judge(self, entry: Entry) -> None:
        """The numbers of an attack."""
        event, field, combat = entry.event, entry.before, self.rule(Combat)
        if isinstance(event, TargetDeclared):
            able = event.unit in field.pieces and combat.may_attack(field, field.pieces[event.unit], event.target)
            self.demand(able and event.unit in self._fresh, f"{event!r}: it cannot attack, or not again")
            self._fresh -= {event.unit}
            self._planned += ((event.unit, event.target),)
        elif isinstance(event, AttackAnnounced):
            self._declared(event, field, combat)
        elif isinstance(event, AttackCancelled):
            target, alive = event.battle.target, [unit for unit in event.battle.attackers if unit in field.pieces]
            left = [unit for unit in alive if combat.may_attack(field, field.pieces[unit], target)]
            fought = left and combat.reckon(field, left, target).column is not None
            self.demand(not fought, f"{event!r}: {', '.join(left)} can fight it")
        elif isinstance(event, DiceRolled):
            self._roll = sum(event.dice)
        elif isinstance(event, AttackResolved):
            cell = combat.read(field, self._attackers, event.target, self._roll)
            self.demand(event.result == cell, f"{event!r}: for a roll of {self._roll} the table has {cell or 'no such attack'}")

    def _declared(self, event: AttackAnnounced, field: Field, combat: Combat) -> None:
        target, attackers = event.battle.target, event.battle.attackers
        planned = {unit for unit, aim in self._planned if aim == target}
        told = planned >= {*attackers} if planned else (target, attackers) == (self._target, self._joined)
        self.demand(
            told and not (planned and target in self._closed),
            f"{event!r}: {self._target} was to be attacked by {', '.join(planned or self._joined)}, and once only",
        )
        wrong = [unit for unit in attackers if not combat.may_attack(field, field.pieces[unit], target)]
        self.demand(not wrong, f"{event!r}: {', '.join(wrong)} cannot attack it")
        self._closed |= {target}
        self._attackers, odds = attackers, combat.reckon(field, attackers, target)
        name = "no attack" if odds.column is None else combat.columns[odds.column]
        right = (event.attack, event.defence, event.odds) == (odds.attack, odds.defence, name)
        self.demand(right, f"{event!r}: added up by hand it is {odds.attack} to {odds.defence}, column {name}")

    def offered(self, game: Game, field: Field, seat: str) -> None:
        """What may be attacked by whom."""
        if not isinstance(game.state.stack[-1], Attacking | Assembling | Declaring):
            return
        combat, actions = self.rule(Combat), game.legal_actions(seat)
        fresh = [field.pieces[unit] for unit in sorted(self._fresh) if unit in field.pieces]
        aims = {
            (piece.id, label) for piece in fresh for label in field.sheet.near[piece.at] if combat.may_attack(field, piece, label)
        }
        if current(game, Declaring) is not None:
            told = {(action.unit, action.target) for action in actions if isinstance(action, Declare)}
            self.same(f"the attacks that {seat} may declare", told, aims)
        elif current(game, Attacking) is not None:
            targets = {action.target for action in actions if isinstance(action, Attack)}
            self.same(f"the hexes that {seat} may attack", targets, {label for _, label in aims} - self._closed)
            self.demand(Done() in actions, f"the hexes that {seat} may attack: one of them must be")
        else:
            joining = {action.unit for action in actions if isinstance(action, Join)}
            able = {unit for unit, label in aims if label == self._target}.difference(self._joined)
            self.same(f"the units that may join the attack on {self._target}", joining, able)
            possible = bool(self._joined) and combat.reckon(field, self._joined, self._target).column is not None
            can = "can" if possible else "cannot"
            self.demand((Resolve() in actions) == possible, f"the attack on {self._target} with {self._joined} {can} be resolved")


class LossesAreRight(Following):
    """After a battle each side has lost the steps of the result, chosen by their owner, and the beaten have left the hex."""

    needs = Combat

    _attackers: tuple[str, ...] = ()
    _defenders: tuple[str, ...] = ()
    _owed: Mapping[str, int] = MappingProxyType({})
    """Attacker and defender -> steps."""
    _verdict: Verdict | None = None
    _target = ""

    def waits(self, step: Step, field: Field) -> None:
        """A battle that is being fought already, or has just had its result."""
        if isinstance(step, Fighting | Aftermath):
            self._attackers, self._target = step.battle.attackers, step.battle.target
        if isinstance(step, Aftermath):
            self._bears(field, Verdict(step.outcome.attacker, step.outcome.defender, step.outcome.retreat))

    def judge(self, entry: Entry) -> None:
        """Count what is lost between a result and whatever comes next."""
        event, field = entry.event, entry.before
        if isinstance(event, AttackAnnounced | PhaseEntered):
            self._close(field)
        if isinstance(event, AttackAnnounced):
            self._attackers, self._target = event.battle.attackers, event.battle.target
        elif isinstance(event, AttackResolved):
            self._bears(field, self.rule(Combat).verdict(field, event.target, event.result))
        elif isinstance(event, StepLost | UnitEliminated) and event.clause == field.world.clause("losses"):
            party = "attacker" if event.unit in self._attackers else "defender" if event.unit in self._defenders else ""
            self.demand(self._owed.get(party), f"{event!r}: the {party or 'unit'} has no step to lose in this battle")
            self._owed = {**self._owed, party: self._owed[party] - 1}
            if isinstance(event, UnitEliminated):  # and may be back on the map later
                self._attackers, self._defenders = (
                    tuple(unit for unit in units if unit != event.unit) for units in (self._attackers, self._defenders)
                )
        elif isinstance(event, UnitMoved) and event.manner != Manner.MOVES:
            self._paid()

    def _bears(self, field: Field, verdict: Verdict) -> None:
        """What both sides owe for a result."""
        self._defenders, self._verdict = field.stacks.get(self._target, ()), verdict
        bearing = ("attacker", self._attackers, verdict.attacker), ("defender", self._defenders, verdict.defender)
        self._owed = {
            party: min(steps, sum(field.steps_left[unit] for unit in units if unit in field.pieces))
            for party, units, steps in bearing
        }

    def _paid(self) -> None:
        for party, steps in self._owed.items():
            self.demand(not steps, f"the {party} has lost {steps} steps too few in the attack on {self._target}")

    def _close(self, field: Field) -> None:
        self._paid()
        if self._verdict is not None and self._verdict.retreat:
            left = [unit for unit in self._defenders if field.locations.get(unit) == self._target]
            self.demand(not left, f"{', '.join(left)} should have retreated from {self._target}")
        self._verdict, self._attackers, self._defenders = None, (), ()

    def offered(self, game: Game, field: Field, seat: str) -> None:
        """The owner chooses among his own."""
        if current(game, Losing) is None:
            return
        told = {action.unit for action in game.legal_actions(seat) if isinstance(action, LoseStep)}
        side = game.world.seats[seat]
        mine = {u for u in (*self._attackers, *self._defenders) if u in field.pieces and field.pieces[u].side == side}
        self.same(f"the units from which {seat} may take losses", told, mine)
