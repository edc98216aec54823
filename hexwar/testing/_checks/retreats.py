"""Checks of retreat and pursuit against all ways that the rules leave, found by trying every hex."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from hexwar.engine import Action, Game, PhaseEntered, Step, StepPopped
from hexwar.mechanics import AttackAnnounced, AttackResolved, Pursue, Retreat
from hexwar.mechanics._combat import Aftermath, Fighting
from hexwar.pieces import Done, Manner, StepLost, UnitEliminated, UnitMoved
from hexwar.testing._checks.following import Following, differ, listed
from hexwar.testing.oracles import Battles, Entry, Field, Fight, Path, Piece, Pursuits, Retreats


class RetreatsAreRight(Following):
    """A beaten unit goes one of the best ways of the demanded length, pays for it, and is lost only if there is none."""

    needs = Retreats

    _fight = Fight(())
    _due: tuple[int, frozenset[str]] | None = None
    """How far the beaten of a battle have to go, and who they are."""
    _waiting: Mapping[str, tuple[int, tuple[str, ...]]] = MappingProxyType({})
    """Who has to retreat -> how far, and from whom."""
    _unit = ""
    _owed = 0
    _missing = 0
    """The steps that it loses for hexes that it could not go."""

    def waits(self, step: Step, field: Field) -> None:
        """A unit has to retreat at once."""
        if isinstance(step, Fighting | Aftermath):
            self._fight = Fight.of(step.battle)
        if isinstance(step, Aftermath) and not step.stage:
            self._beaten(field, step.outcome.retreat)
        self.pushed(step, field)

    def _beaten(self, field: Field, hexes: int) -> None:
        units = [unit for target in self._fight.targets for unit in field.stacks.get(target, ())] if hexes else []
        self._due = hexes, frozenset(units)
        self._waiting = dict.fromkeys(units, (hexes, ()))

    def pushed(self, step: Step, field: Field) -> None:
        """A unit has to go."""
        begun = self.rule(Retreats).begins(step)
        if begun is None:
            return
        units, hexes, away = begun
        if self._due is not None and {*units} & self._due[1]:
            right = hexes == self._due[0] and {*units} <= self._due[1]
            self.demand(right, f"{step!r}: {listed(self._due[1])} retreat {self._due[0]} hexes")
            self._due = hexes, self._due[1] - {*units}
        self._waiting = {**self._waiting, **dict.fromkeys(units, (hexes, away))}

    def judge(self, entry: Entry) -> None:
        """Ways and losses."""
        event, field, retreats = entry.event, entry.before, self.rule(Retreats)
        zone, none = retreats.zone_clause(field), field.world.clause("retreat.none")  # some rulebooks have one for both
        lost = isinstance(event, StepLost | UnitEliminated) and event.clause == zone
        owed = lost and event.unit == self._unit and self._owed > 0  # type: ignore[attr-defined]
        if owed:
            self._owed -= 1
        elif isinstance(event, StepLost | UnitEliminated) and event.clause == none and self._lacks(event.unit, field):
            owed, self._missing = True, self._missing - 1
        elif lost and (zone != none or isinstance(event, StepLost)):
            raise self.fail(f"{event!r}: its way costs fewer steps")
        elif (left := self._owed + self._missing) and isinstance(
            event, UnitMoved | UnitEliminated | PhaseEntered | AttackAnnounced
        ):
            raise self.fail(f"{self._unit} has lost {left} steps too few on its retreat")
        if isinstance(event, AttackAnnounced):
            self._fight = Fight.of(event.battle)
        elif isinstance(event, AttackResolved):
            self._beaten(field, self.rule(Battles).verdict(field, self._fight, event.result).retreat)
        elif isinstance(event, UnitMoved) and event.manner == Manner.RETREATS:
            self._went(event, field)
        elif isinstance(event, UnitEliminated) and event.clause == none and not owed:
            piece = field.pieces.get(event.unit)
            if piece is not None and retreats.judges(piece):
                could = event.unit not in self._waiting or self._best(field, piece, *self._waiting[event.unit])
                self.demand(not could, f"{event!r}: the unit could retreat")
        if isinstance(event, UnitEliminated):
            self._waiting = {unit: how for unit, how in self._waiting.items() if unit != event.unit}

    def _best(self, field: Field, piece: Piece, hexes: int, away: tuple[str, ...]) -> set[Path]:
        """The ways of the hexes that it can go."""
        retreats = self.rule(Retreats)
        far = retreats.far(field, piece, hexes)
        return retreats.best(field, piece, far, away) if far else set()

    def _lacks(self, unit: str, field: Field) -> bool:
        """Whether a unit still owes a step for a hex that it could not go; it may have gone nowhere."""
        if unit in self._waiting and unit in field.pieces:
            hexes, piece = self._waiting[unit][0], field.pieces[unit]
            if not self.rule(Retreats).far(field, piece, hexes):
                self._unit, self._owed, self._missing = unit, 0, min(hexes, piece.steps)
                self._waiting = {other: how for other, how in self._waiting.items() if other != unit}
        return unit == self._unit and self._missing > 0

    def _went(self, event: UnitMoved, field: Field) -> None:
        retreats, piece = self.rule(Retreats), field.pieces[event.unit]
        if not retreats.judges(piece):
            return
        self.demand(event.unit in self._waiting, f"{event!r}: the unit does not have to retreat")
        hexes, away = self._waiting[event.unit]
        self._waiting = {unit: how for unit, how in self._waiting.items() if unit != event.unit}
        self._unit, self._owed = event.unit, retreats.gone(field, piece, event.path)[1]
        self._missing = min(hexes - retreats.far(field, piece, hexes), piece.steps - self._owed)
        if retreats.is_quick or self.samples(field, event):
            best = self._best(field, piece, hexes, away)
            if event.path not in {retreats.gone(field, piece, path)[0] for path in best}:
                raise self.fail(f"{event!r}: the best ways out of {hexes} hexes are {listed(best)}")

    def offered(self, game: Game, field: Field, seat: str) -> None:
        """The owner chooses among the best."""
        retreats = self.rule(Retreats)
        begun = retreats.begins(game.state.stack[-1]) if game.state.stack else None
        if begun is None:
            return
        waiting = {unit for unit in self._waiting if unit in field.pieces and unit in begun[0]}
        actions = [action for action in game.legal_actions(seat) if isinstance(action, Retreat)]
        for unit in sorted(waiting | {action.unit for action in actions}):
            told = {action.path for action in actions if action.unit == unit}
            if not retreats.judges(field.pieces[unit]):
                continue
            self.demand(field.world.units[unit].side == game.world.seats[seat], f"{seat} is asked how {unit} retreats")
            if retreats.is_quick or self.samples(field, f"{unit} {len(game.history)}"):
                hexes, away = self._waiting.get(unit, begun[1:])
                best = self._best(field, field.pieces[unit], hexes, away)
                right = not retreats.differ(told, best, hexes)
                what = f"the ways out for {unit}, {hexes} hexes from {field.locations[unit]}"
                self.demand(right, f"{what}: {differ(told, best)}")


class PursuitsAreRight(Following):
    """When the attacked hex is empty, its attackers may enter it and go on exactly as far as their arm and the ground allow."""

    needs = Pursuits

    _fight = Fight(())
    _left: frozenset[str] = frozenset()
    """Who may still pursue, once a pursuit has begun."""
    _gone: tuple[Path, ...] = ()
    _target = ""
    _hexes = 1
    _begun = False
    _asked = True
    _steps: tuple[Step, ...] = ()
    """Those that wait: where several hexes were attacked, a pursuit into each."""

    def waits(self, step: Step, field: Field) -> None:
        """A battle has been fought already, or a unit may follow at once."""
        begun = self.rule(Pursuits).begins(step)
        if begun is not None:
            self._fight, self._asked = Fight.on(begun[1], begun[0]), False
        self.pushed(step, field)
        if begun is None and isinstance(step, Fighting | Aftermath):
            self._fight, self._target = Fight.of(step.battle), step.battle.target
            self._asked = isinstance(step, Fighting)

    def pushed(self, step: Step, field: Field) -> None:
        """A pursuit begins."""
        self._steps += (step,)
        self._goes_on(step, field)

    def _goes_on(self, step: Step, field: Field) -> None:
        begun = self.rule(Pursuits).begins(step)
        self._begun = begun is not None or (self._begun and not self.rule(Pursuits).ends(step))
        if begun is not None:
            _, self._target, self._hexes = begun
            self._left, self._gone = self._pursuers(field), ()

    def _pursuers(self, field: Field) -> frozenset[str]:
        standing = [unit for unit in self._fight.attackers if unit in field.pieces]
        return frozenset(self.rule(Pursuits).pursuers(field, standing))

    def decided(self, seat: str, action: Action, field: Field) -> None:
        """A unit pursues, or its side decides not to."""
        if self._begun and isinstance(action, Pursue | Done):
            self._asked = True
        if self._begun and isinstance(action, Pursue):
            ways = self._ways(field, action.unit)
            right = action.unit in self._left and not self.rule(Pursuits).differ({action.path}, ways) & {action.path}
            self.demand(right, f"{action!r}: its ways to pursue are {listed(ways)}")
            self._left -= {action.unit}
            self._gone += (action.path,)

    def judge(self, entry: Entry) -> None:
        """A pursuit is not forgotten."""
        event, field = entry.event, entry.before
        if isinstance(event, StepPopped) and self._steps:
            done, self._steps = self._steps[-1], self._steps[:-1]
            if self._steps and None not in map(self.rule(Pursuits).begins, (done, self._steps[-1])):
                self._goes_on(self._steps[-1], field)
        if isinstance(event, AttackAnnounced | PhaseEntered):
            able = [] if self._asked else [unit for unit in self._pursuers(field) if self._ways(field, unit)]
            self.demand(not able, f"{self._target} was left empty, but {listed(able)} could not pursue")
            self._asked, self._begun = True, False
        if isinstance(event, AttackAnnounced):
            self._fight, self._target = Fight.of(event.battle), event.battle.target
        elif isinstance(event, AttackResolved):
            battles = self.subject.kit.capability(Battles)
            verdict = None if battles is None else battles.verdict(field, self._fight, event.result)
            self._asked = not self.rule(Pursuits).follows(verdict)
            self._hexes = verdict.retreat if verdict else 1
        elif isinstance(event, UnitEliminated):
            self._fight = self._fight.without(event.unit)
        elif isinstance(event, UnitMoved) and event.manner == Manner.PURSUES:
            steps = len(event.path)
            told = any(path[at : at + steps] == event.path for path in self._gone for at in range(len(path)))
            self.demand(told or not self._begun, f"{event!r}: nobody has decided that")

    def _ways(self, field: Field, unit: str) -> set[Path]:
        return self.rule(Pursuits).ways(field, field.pieces[unit], self._target, self._fight.attackers, self._gone, self._hexes)

    def offered(self, game: Game, field: Field, seat: str) -> None:
        """Everybody who attacked, every way."""
        pursuits = self.rule(Pursuits)
        if not game.state.stack or pursuits.begins(game.state.stack[-1]) is None:
            return
        actions = [action for action in game.legal_actions(seat) if isinstance(action, Pursue)]
        for unit in sorted(self._left.intersection(field.pieces) | {action.unit for action in actions}):
            told = {action.path for action in actions if action.unit == unit}
            open_to = self._ways(field, unit) if unit in self._left else set()
            if wrong := pursuits.differ(told, open_to):
                raise self.fail(f"the ways of {unit} to pursue into {self._target}: {differ(wrong & told, wrong & open_to)}")
