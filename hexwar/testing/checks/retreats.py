"""Checks of retreat and pursuit against all ways that the rules leave, found by trying every hex."""

from __future__ import annotations

from hexwar.engine import Action, Game, PhaseEntered, Step
from hexwar.mechanics import (
    AttackAnnounced,
    AttackResolved,
    Done,
    Manner,
    Pursue,
    Pursuing,
    Retreat,
    Retreating,
    StepLost,
    UnitEliminated,
    UnitMoved,
)
from hexwar.mechanics._combat import Aftermath, Fighting
from hexwar.testing.checks.following import Following, current, differ, listed
from hexwar.testing.oracles import Combat, Entry, Field, Path, Pursuits, Retreats
from hexwar.testing.subject import Subject
from hexwar.testing.watch import Budget


class RetreatsAreRight(Following):
    """A beaten unit goes one of the best ways of the demanded length, pays for it, and is lost only if there is none."""

    needs = Retreats

    def __init__(self, subject: Subject, budget: Budget) -> None:
        super().__init__(subject, budget)
        self._hexes = 0
        self._waiting: set[str] = set()
        """Who has to retreat."""
        self._unit = ""
        self._owed = 0

    def waits(self, step: Step, field: Field) -> None:
        """Somebody has to retreat at once."""
        if isinstance(step, Retreating):
            self._hexes, self._waiting = step.hexes, set(step.units)
        elif isinstance(step, Aftermath):
            self._hexes, self._waiting = step.outcome.retreat, set(field.stacks.get(step.battle.target, ()))

    def judge(self, entry: Entry) -> None:
        """Ways and losses."""
        event, field = entry.event, entry.before
        zone, none = field.world.clause("retreat.zone"), field.world.clause("retreat.none")  # some rulebooks have one for both
        lost = isinstance(event, StepLost | UnitEliminated) and event.clause == zone
        owed = lost and event.unit == self._unit and self._owed > 0  # type: ignore[attr-defined]
        if owed:
            self._owed -= 1
        elif lost and (zone != none or isinstance(event, StepLost)):
            raise self.fail(f"{event!r}: its way costs no step, or not so many")
        elif self._owed and isinstance(event, UnitMoved | UnitEliminated | PhaseEntered | AttackAnnounced):
            raise self.fail(f"{self._unit} has lost {self._owed} steps too few on its retreat")
        if isinstance(event, AttackResolved):
            self._hexes = self.rule(Combat).verdict(field, event.target, event.result).retreat
            self._waiting = set(field.stacks.get(event.target, ())) if self._hexes else set()
        elif isinstance(event, UnitMoved) and event.manner == Manner.RETREATS:
            self._went(event, field)
        elif isinstance(event, UnitEliminated) and event.clause == none and not owed:
            self._lost(event, field)
        if isinstance(event, UnitEliminated):
            self._waiting.discard(event.unit)

    def _lost(self, event: UnitEliminated, field: Field) -> None:
        if event.unit not in self._waiting or self.rule(Retreats).best(field, field.pieces[event.unit], self._hexes):
            raise self.fail(f"{event!r}: the unit could retreat")

    def _went(self, event: UnitMoved, field: Field) -> None:
        if event.unit not in self._waiting:
            raise self.fail(f"{event!r}: the unit does not have to retreat")
        self._waiting.discard(event.unit)
        retreats, piece = self.rule(Retreats), field.pieces[event.unit]
        self._unit, self._owed = event.unit, retreats.gone(field, piece, event.path)[1]
        if self.samples(field, event):
            best = retreats.best(field, piece, self._hexes)
            if event.path not in {retreats.gone(field, piece, path)[0] for path in best}:
                raise self.fail(f"{event!r}: the best ways out of {self._hexes} hexes are {listed(best)}")

    def offered(self, game: Game, field: Field, seat: str) -> None:
        """The owner chooses among the best."""
        if current(game, Retreating) is None:
            return
        actions = [action for action in game.legal_actions(seat) if isinstance(action, Retreat)]
        for unit in sorted(self._waiting | {action.unit for action in actions}):
            told = {action.path for action in actions if action.unit == unit}
            if field.world.units[unit].side != game.world.seats[seat]:
                raise self.fail(f"{seat} is asked how {unit} retreats")
            if unit in field.pieces and self.samples(field, f"{unit} {len(game.history)}"):
                best = self.rule(Retreats).best(field, field.pieces[unit], self._hexes)
                if self.rule(Retreats).differ(told, best, self._hexes):
                    wrong = differ(told, best)
                    raise self.fail(f"the ways out for {unit}, {self._hexes} hexes from {field.locations[unit]}: {wrong}")


class PursuitsAreRight(Following):
    """When the attacked hex is empty, its attackers may enter it and go on exactly as far as their arm and the ground allow."""

    needs = Pursuits

    def __init__(self, subject: Subject, budget: Budget) -> None:
        super().__init__(subject, budget)
        self._attackers: tuple[str, ...] = ()
        self._left: set[str] = set()
        """Who may still pursue, once a pursuit has begun."""
        self._gone: list[Path] = []
        self._target = ""
        self._begun = False
        self._asked = True

    def waits(self, step: Step, field: Field) -> None:
        """A battle has been fought already, or somebody may follow at once."""
        if isinstance(step, Pursuing):
            self._attackers, self._target, self._asked = step.units, step.target, False
            self.pushed(step, field)
        elif isinstance(step, Fighting | Aftermath):
            self._attackers, self._target, self._asked = step.battle.attackers, step.battle.target, isinstance(step, Fighting)

    def pushed(self, step: Step, field: Field) -> None:
        """A pursuit begins."""
        self._begun = isinstance(step, Pursuing)
        if self._begun:
            standing = [unit for unit in self._attackers if unit in field.pieces]
            self._left, self._gone = self.rule(Pursuits).pursuers(field, standing), []

    def decided(self, seat: str, action: Action, field: Field) -> None:
        """Somebody pursues, or decides not to."""
        if self._begun and isinstance(action, Pursue | Done):
            self._asked = True

    def judge(self, entry: Entry) -> None:
        """A pursuit leads where it may."""
        event, field = entry.event, entry.before
        if isinstance(event, AttackAnnounced | PhaseEntered):
            if not self._asked:
                standing = [unit for unit in self._attackers if unit in field.pieces]
                able = [u for u in self.rule(Pursuits).pursuers(field, standing) if self._ways(field, u)]
                if able:
                    raise self.fail(f"{self._target} was left empty, but {listed(able)} could not pursue")
            self._asked = True
        if isinstance(event, AttackAnnounced):
            self._attackers, self._target = event.battle.attackers, event.battle.target
        elif isinstance(event, AttackResolved):
            self._asked = False
        elif isinstance(event, UnitEliminated):
            self._attackers = tuple(unit for unit in self._attackers if unit != event.unit)
        elif isinstance(event, UnitMoved) and event.manner == Manner.PURSUES:
            ways = self._ways(field, event.unit)
            if event.unit not in self._left or event.path not in ways:
                raise self.fail(f"{event!r}: its ways to pursue are {listed(ways)}")
            self._left.discard(event.unit)
            self._gone.append(event.path)

    def _ways(self, field: Field, unit: str) -> set[Path]:
        return self.rule(Pursuits).ways(field, field.pieces[unit], self._target, self._attackers, self._gone)

    def offered(self, game: Game, field: Field, seat: str) -> None:
        """Everybody who attacked, every way."""
        if current(game, Pursuing) is None:
            return
        told = {(action.unit, *action.path) for action in game.legal_actions(seat) if isinstance(action, Pursue)}
        wrong = differ(told, {(unit, *path) for unit in self._left if unit in field.pieces for path in self._ways(field, unit)})
        if wrong:
            raise self.fail(f"the ways to pursue into {self._target}: {wrong}")
