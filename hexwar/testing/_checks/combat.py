"""Checks of combat: who may attack what at which odds, what the table says, and who pays for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from hexwar.engine import Action, DiceRolled, Event, Game, PhaseEntered, Step
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
    RollModified,
    Widen,
)
from hexwar.mechanics._combat import Aftermath, AttackCancelled, Fighting
from hexwar.pieces import Done, LoseStep, Losing, Manner, StepLost, UnitEliminated, UnitMoved
from hexwar.testing._checks.following import Following, current
from hexwar.testing.oracles import Battles, Entry, Field, Fight, Pairs, Verdict


class AttacksAreRight(Following):
    """Targets, attackers and odds are those of the rules added up by hand, and the result is the table's cell for the die."""

    needs = Battles

    _units: frozenset[str] = frozenset()
    """Who may attack in this segment."""
    _aims: Pairs = ()
    """Who has been given which target, or has attacked it."""
    _plans = False
    """Whether attacks are declared before the first is fought."""
    _closed: frozenset[str] = frozenset()
    """Hexes that have been attacked or let be."""
    _due: frozenset[str] = frozenset()
    """Hexes that must be attacked."""
    _fight = Fight(())
    """The attack that is put together, or is fought."""
    _roll = 0

    def pushed(self, step: Step, field: Field) -> None:
        """A segment begins."""
        if isinstance(step, Attacking | Declaring):
            self._plans = isinstance(step, Declaring)
            self._aims = step.declared if isinstance(step, Declaring) else ()
            self._units = frozenset((*step.units, *(unit for unit, _ in self._aims)))
            self._closed = frozenset() if isinstance(step, Declaring) else frozenset(step.done)
            self._due = frozenset(self.rule(Battles).due(field, self._units))

    def waits(self, step: Step, field: Field) -> None:
        """A battle that is being fought already."""
        super().waits(step, field)
        if isinstance(step, Fighting):
            self._fight = Fight.of(step.battle)

    def decided(self, seat: str, action: Action, field: Field) -> None:
        """An attack is put together."""
        combat, fight = self.rule(Battles), self._fight
        if isinstance(action, Declare):
            self._aims += ((action.unit, action.target),)
        elif isinstance(action, Attack):
            self._fight = Fight.on(action.target)
        elif isinstance(action, Join):
            able = [it for it in fight.targets if combat.may_attack(field, field.pieces[action.unit], it)]
            self._fight = fight.joined(*((action.unit, target) for target in able))
        elif isinstance(action, Widen):
            able = [unit for unit in fight.attackers if combat.may_attack(field, field.pieces[unit], action.target)]
            self._fight = fight.joined(*((unit, action.target) for unit in able))
        elif isinstance(action, Resolve):
            self._closed |= {*fight.targets}
            self._aims += fight.pairs
        elif isinstance(action, CallOff) and combat.spends_when_called_off:
            self._closed |= {*fight.targets}

    def judge(self, entry: Entry) -> None:
        """The numbers of an attack."""
        event, field, combat = entry.event, entry.before, self.rule(Battles)
        if isinstance(event, AttackAnnounced):
            self._announced(event, field, combat)
        elif isinstance(event, AttackCancelled):
            fight = Fight.of(event.battle)
            left = [(it.id, aim) for it in combat.able(field, fight.attackers) for aim in fight.aims(it.id)]
            left = [(unit, aim) for unit, aim in left if combat.may_attack(field, field.pieces[unit], aim)]
            fought = left and combat.reckon(field, Fight(()).joined(*left)).column is not None
            self.demand(not fought, f"{event!r}: {', '.join(unit for unit, _ in left)} can fight it")
        elif isinstance(event, DiceRolled):
            self._roll = sum(event.dice)
        elif isinstance(event, RollModified):
            total = combat.counts(field, self._fight, self._roll)
            right = (event.rolled, event.counts) == (self._roll, total)
            self.demand(right, f"{event!r}: added up by hand a roll of {self._roll} counts {total}")
        elif isinstance(event, AttackResolved):
            cell = combat.read(field, self._fight, self._roll)
            self.demand(event.result == cell, f"{event!r}: for a roll of {self._roll} the table has {cell or 'no such attack'}")

    def _announced(self, event: AttackAnnounced, field: Field, combat: Battles) -> None:
        fight = Fight.of(event.battle)
        told = {*fight.pairs} <= {*self._aims} if self._plans else {*fight.pairs} == {*self._fight.pairs}
        again = self._plans and self._closed & {*fight.targets}
        self.demand(told and not again, f"{event!r}: {self._aims if self._plans else self._fight} was meant, and once only")
        able = {it.id for it in combat.able(field, fight.attackers)}
        wrong = [
            (unit, aim) for unit, aim in fight.pairs if unit in able and not combat.may_attack(field, field.piece(unit), aim)
        ]
        self.demand(not wrong, f"{event!r}: {wrong} cannot attack it")
        self._closed |= {*fight.targets}
        self._fight, odds = fight, combat.reckon(field, fight)
        name = combat.called(odds.column)
        right = (event.attack, event.defence, event.odds) == (odds.attack, odds.defence, name)
        self.demand(right, f"{event!r}: added up by hand it is {odds.attack} to {odds.defence}, {event.scale} {name}")

    def offered(self, game: Game, field: Field, seat: str) -> None:
        """What may be attacked by whom."""
        if not isinstance(game.state.stack[-1], Attacking | Assembling | Declaring):
            return
        combat, actions = self.rule(Battles), game.legal_actions(seat)
        pieces = combat.able(field, self._units)
        aims = {(piece.id, label) for piece in pieces for label in combat.targets(field, piece)}
        if self._plans:
            judged = {piece.id: piece for piece in pieces}
            told = {(it.unit, it.target) for it in actions if isinstance(it, Declare) and it.unit in judged}
            right = {(unit, aim) for unit, aim in aims if combat.may_declare(field, judged[unit], aim, self._aims)}
            self._offer(f"the attacks that {seat} may declare", told, right)
            self._shown(game, field, combat, aims)
            return
        spent = {unit for unit, _ in self._aims}
        aims = {(unit, label) for unit, label in aims if unit not in spent and label not in self._closed}
        if current(game, Attacking) is not None:
            targets = {action.target for action in actions if isinstance(action, Attack)}
            led = {label for unit, label in aims if combat.leads(field.pieces[unit])}
            self._offer(f"the hexes that {seat} may attack", targets, led)
            self.demand(self._due or Done() in actions, f"the hexes that {seat} may attack: one of them must be")
        else:
            self._assembled(field, combat, actions, aims)

    def _shown(self, game: Game, field: Field, combat: Battles, aims: set[tuple[str, str]]) -> None:
        """What players are shown of attacks with everybody who can make them."""
        for target in sorted({label for _, label in aims})[: self.budget.probes]:
            able = sorted(unit for unit, label in aims if label == target)
            if any(combat.leads(field.pieces[unit]) for unit in able):
                told, odds = game.query.odds(able, target), combat.reckon(field, Fight.on(target, able))
                right = (told.attack, told.defence, told.column) == (odds.attack, odds.defence, odds.column)
                self.demand(right, f"the odds of {', '.join(able)} against {target}: {told}; added up by hand it is {odds}")

    def _assembled(self, field: Field, combat: Battles, actions: Sequence[Action], aims: set[tuple[str, str]]) -> None:
        fight = self._fight
        home = {field.pieces[unit].at for unit in fight.attackers} if len(fight.targets) > 1 else set()
        able = {unit for unit, label in aims if label in fight.targets}.difference(fight.attackers)
        able = {unit for unit in able if not home or field.pieces[unit].at in home}
        is_led = any(combat.leads(field.pieces[unit]) for unit in fight.attackers)
        able = {unit for unit in able if is_led or combat.leads(field.pieces[unit])}
        self._offer(f"the units that may join {fight}", {it.unit for it in actions if isinstance(it, Join)}, able)
        hexes = {label for unit in fight.attackers for label in combat.targets(field, field.pieces[unit])} - self._closed
        wider = {label for label in hexes if combat.may_widen(field, fight, label)}
        self._offer(f"the hexes that {fight} may take in", {it.target for it in actions if isinstance(it, Widen)}, wider)
        possible = bool(fight.pairs) and combat.reckon(field, fight).column is not None
        self.demand(
            (Resolve() in actions) <= possible if self._due else (Resolve() in actions) == possible,
            f"the attack of {fight} {'can' if possible else 'cannot'} be resolved",
        )

    def _offer(self, what: str, told: set[Any], right: set[Any]) -> None:
        """What is offered; where something must be attacked, not all that could be done may be left."""
        self.same(what, told, told & right if self._due else right)


class LossesAreRight(Following):
    """After a battle each side has lost the steps of the result, chosen by their owner, and the beaten have left the hex."""

    needs = Battles

    _fight = Fight(())
    _parties: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """Attacker and defender -> those of them who may lose steps."""
    _owed: Mapping[str, int] = MappingProxyType({})
    """Attacker and defender -> steps."""
    _hit: frozenset[str] = frozenset()
    """Who has lost a step already: attacker, defender."""
    _verdict: Verdict | None = None
    _retreating = False

    def waits(self, step: Step, field: Field) -> None:
        """A battle that is being fought already, or has just had its result."""
        if isinstance(step, Fighting | Aftermath):
            self._fight = Fight.of(step.battle)
        if isinstance(step, Aftermath) and not step.stage:
            now = step.outcome
            self._bears(field, Verdict(now.attacker, now.defender, now.retreat, now.repulse))

    def decided(self, seat: str, action: Action, field: Field) -> None:
        """A result may be divided."""
        self._adds(seat, action, field)

    def pushed(self, step: Step, field: Field) -> None:
        """Or nothing is left to decide."""
        self._adds(getattr(step, "seat", ""), step, field)

    def _adds(self, seat: str, happened: Action | Step, field: Field) -> None:
        if self._verdict is None or not self._fight.attackers or not seat:
            return
        more = self.rule(Battles).adds(field, self._fight, self._verdict, seat, happened)
        if more:
            attacks = field.world.seats[seat] == field.world.units[self._fight.attackers[0]].side
            party = "attacker" if attacks else "defender"
            left = sum(field.steps_left[unit] for unit in self._parties[party] if unit in field.locations)
            self._owed = {**self._owed, party: min(self._owed[party] + more, left)}

    def judge(self, entry: Entry) -> None:
        """Count what is lost between a result and whatever comes next."""
        event, field, combat = entry.event, entry.before, self.rule(Battles)
        fire = combat.fire(field, event)
        if isinstance(event, AttackAnnounced | PhaseEntered) or fire is not None:
            self._close(field)
        if fire is not None:
            self._fight, verdict = fire
            self._bears(field, verdict)
        if isinstance(event, AttackAnnounced):
            self._fight = Fight.of(event.battle)
        elif isinstance(event, AttackResolved):
            self._bears(field, combat.verdict(field, self._fight, event.result))
        elif isinstance(event, StepLost | UnitEliminated) and event.clause == field.world.clause("losses"):
            if not (self._retreating and combat.retreats_cost_the_same):
                self._loses(event, field, combat)
        elif isinstance(event, UnitEliminated):  # for another reason: its steps cannot be lost any more
            for party, units in self._parties.items():
                left = sum(entry.after.steps_left[unit] for unit in units if unit in entry.after.locations)
                self._owed = {**self._owed, party: min(self._owed.get(party, 0), left)}
        elif isinstance(event, UnitMoved) and event.manner != Manner.MOVES:
            party = next((name for name, units in self._parties.items() if event.unit in units), "")
            self._paid(*([party] if combat.in_turn else self._owed))
            self._retreating = True

    def _loses(self, event: Event, field: Field, combat: Battles) -> None:
        unit: str = event.unit  # type: ignore[attr-defined]
        party = next((name for name, units in self._parties.items() if unit in units), "")
        self.demand(self._owed.get(party), f"{event!r}: the {party or 'unit'} has no step to lose in this battle")
        may = combat.losers(field, self._fight, self._parties[party], first=party not in self._hit)
        self.demand(unit in may, f"{event!r}: the next step is one of {', '.join(sorted(may))}")
        self._hit |= {party}
        self._owed = {**self._owed, party: self._owed[party] - 1}
        if isinstance(event, UnitEliminated):  # and may be back on the map later
            self._parties = {name: tuple(other for other in units if other != unit) for name, units in self._parties.items()}

    def _bears(self, field: Field, verdict: Verdict) -> None:
        """What both sides owe for a result."""
        attackers, defenders = self.rule(Battles).parties(field, self._fight)
        self._parties, self._verdict = {"attacker": attackers, "defender": defenders}, verdict
        self._hit, self._retreating = frozenset(), False
        bearing = (("attacker", attackers, verdict.attacker), ("defender", defenders, verdict.defender))
        self._owed = {
            party: min(steps, sum(field.steps_left[unit] for unit in units if unit in field.locations))
            for party, units, steps in bearing
        }

    def _paid(self, *parties: str) -> None:
        for party in parties:
            steps = self._owed.get(party, 0)
            self.demand(not steps, f"the {party} has lost {steps} steps too few in the attack of {self._fight}")

    def _close(self, field: Field) -> None:
        self._paid(*self._owed)
        if self._verdict is not None and self._verdict.retreat:
            left = [unit for unit in self._parties["defender"] if field.locations.get(unit) in self._fight.targets]
            self.demand(not left, f"{', '.join(left)} should have retreated from {' and '.join(self._fight.targets)}")
        self._verdict, self._parties, self._owed, self._retreating = None, {}, {}, False

    def offered(self, game: Game, field: Field, seat: str) -> None:
        """The owner chooses among their own."""
        step = current(game, Losing)
        if step is None:
            return
        combat, counters, side = self.rule(Battles), field.world.units, game.world.seats[seat]
        told = {action.unit for action in game.legal_actions(seat) if isinstance(action, LoseStep)}
        if self._verdict is None or (self._retreating and combat.retreats_cost_the_same):
            may = combat.losers(field, self._fight, [unit for unit in step.units if unit in field.pieces], first=False)
        else:
            parties = {name: [u for u in units if counters[u].side == side] for name, units in self._parties.items()}
            party = next((name for name, units in parties.items() if units), "")
            may = combat.losers(field, self._fight, parties.get(party, ()), first=party not in self._hit)
        self.same(f"the units from which {seat} may take losses", told, may)
