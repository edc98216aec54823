"""Checks of retreat and pursuit against all ways that the rules leave, found by trying every hex."""

from __future__ import annotations

from hexwar.engine import Action, Game, PhaseEntered, Step
from hexwar.mechanics import AttackAnnounced, AttackResolved, Pursue, Pursuing, Retreat, Retreating
from hexwar.mechanics._combat import Aftermath, Fighting
from hexwar.pieces import Done, Manner, StepLost, UnitEliminated, UnitMoved
from hexwar.testing._checks.following import Following, current, differ, listed
from hexwar.testing.oracles import Combat, Entry, Field, Path, Pursuits, Retreats


class RetreatsAreRight(Following):
    """A beaten unit goes one of the best ways of the demanded length, pays for it, and is lost only if there is none."""

    needs = Retreats

    _hexes = 0
    _waiting: frozenset[str] = frozenset()
    """Who has to retreat."""
    _unit = ""
    _owed = 0

    def waits(self, step: Step, field: Field) -> None:
        """Somebody has to retreat at once."""
        if isinstance(step, Retreating):
            self._hexes, self._waiting = step.hexes, frozenset(step.units)
        elif isinstance(step, Aftermath):
            self._hexes, self._waiting = step.outcome.retreat, frozenset(field.stacks.get(step.battle.target, ()))

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
            self._waiting = frozenset(field.stacks.get(event.target, ()) if self._hexes else ())
        elif isinstance(event, UnitMoved) and event.manner == Manner.RETREATS:
            self._went(event, field)
        elif isinstance(event, UnitEliminated) and event.clause == none and not owed:
            trapped = event.unit in self._waiting and not self.rule(Retreats).best(field, field.pieces[event.unit], self._hexes)
            self.demand(trapped, f"{event!r}: the unit could retreat")
        if isinstance(event, UnitEliminated):
            self._waiting -= {event.unit}

    def _went(self, event: UnitMoved, field: Field) -> None:
        self.demand(event.unit in self._waiting, f"{event!r}: the unit does not have to retreat")
        self._waiting -= {event.unit}
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
            self.demand(field.world.units[unit].side == game.world.seats[seat], f"{seat} is asked how {unit} retreats")
            if unit in field.pieces and self.samples(field, f"{unit} {len(game.history)}"):
                best = self.rule(Retreats).best(field, field.pieces[unit], self._hexes)
                right = not self.rule(Retreats).differ(told, best, self._hexes)
                what = f"the ways out for {unit}, {self._hexes} hexes from {field.locations[unit]}"
                self.demand(right, f"{what}: {differ(told, best)}")


class PursuitsAreRight(Following):
    """When the attacked hex is empty, its attackers may enter it and go on exactly as far as their arm and the ground allow."""

    needs = Pursuits

    _attackers: tuple[str, ...] = ()
    _left: frozenset[str] = frozenset()
    """Who may still pursue, once a pursuit has begun."""
    _gone: tuple[Path, ...] = ()
    _target = ""
    _begun = False
    _asked = True

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
            self._left, self._gone = self._pursuers(field), ()

    def _pursuers(self, field: Field) -> frozenset[str]:
        standing = [unit for unit in self._attackers if unit in field.pieces]
        return frozenset(self.rule(Pursuits).pursuers(field, standing))

    def decided(self, seat: str, action: Action, field: Field) -> None:
        """Somebody pursues, or decides not to."""
        if self._begun and isinstance(action, Pursue | Done):
            self._asked = True

    def judge(self, entry: Entry) -> None:
        """A pursuit leads where it may."""
        event, field = entry.event, entry.before
        if isinstance(event, AttackAnnounced | PhaseEntered):
            able = [] if self._asked else [unit for unit in self._pursuers(field) if self._ways(field, unit)]
            self.demand(not able, f"{self._target} was left empty, but {listed(able)} could not pursue")
            self._asked = True
        if isinstance(event, AttackAnnounced):
            self._attackers, self._target = event.battle.attackers, event.battle.target
        elif isinstance(event, AttackResolved):
            self._asked = False
        elif isinstance(event, UnitEliminated):
            self._attackers = tuple(unit for unit in self._attackers if unit != event.unit)
        elif isinstance(event, UnitMoved) and event.manner == Manner.PURSUES:
            ways = self._ways(field, event.unit)
            self.demand(event.unit in self._left and event.path in ways, f"{event!r}: its ways to pursue are {listed(ways)}")
            self._left -= {event.unit}
            self._gone += (event.path,)

    def _ways(self, field: Field, unit: str) -> set[Path]:
        return self.rule(Pursuits).ways(field, field.pieces[unit], self._target, self._attackers, self._gone)

    def offered(self, game: Game, field: Field, seat: str) -> None:
        """Everybody who attacked, every way."""
        if current(game, Pursuing) is None:
            return
        told = {(action.unit, *action.path) for action in game.legal_actions(seat) if isinstance(action, Pursue)}
        open_to = {(unit, *path) for unit in self._left if unit in field.pieces for path in self._ways(field, unit)}
        self.same(f"the ways to pursue into {self._target}", told, open_to)
