"""The check of movement: what is offered and what is gone, against the cheapest ways on the map."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from hexwar.engine import Action, Game, Step
from hexwar.mechanics import Move, Moving
from hexwar.pieces import Manner, UnitMoved, UnitPlaced
from hexwar.testing._checks.following import HUGE, Following, current
from hexwar.testing.oracles import Entry, Field, Movement


class MovesAreRight(Following):
    """An active unit may move exactly to hexes with room that its points pay for, once, by a cheapest way unless one is named."""

    needs = Movement

    _waiting: Mapping[str, frozenset[str]] = MappingProxyType({})
    """Seat -> its active units."""
    _placed: frozenset[str] = frozenset()
    """Who has come onto the map by this action."""
    _named: tuple[str, ...] = ()
    """The way that the player has chosen."""

    def pushed(self, step: Step, field: Field) -> None:
        """Some units become active."""
        if isinstance(step, Moving):
            self._waiting = {**self._waiting, step.seat: frozenset(step.units)}

    @property
    def _active(self) -> frozenset[str]:
        return frozenset(unit for units in self._waiting.values() for unit in units)

    def _keep(self, units: Iterable[str]) -> None:
        kept = {*units}
        self._waiting = {seat: some & kept for seat, some in self._waiting.items()}

    def decided(self, seat: str, action: Action, field: Field) -> None:
        """An order; where units walk, it is judged here, since anything may happen on the way."""
        self._placed = frozenset()
        self._named = getattr(action, "path", ())
        movement = self.rule(Movement)
        if movement.replaces_move(action):
            self._keep(self._active - {getattr(action, "unit", "")})
        if movement.walks and isinstance(action, Move) and action.unit in self._active and action.unit in field.pieces:
            piece = field.pieces[action.unit]
            if movement.judges(field, piece) and self.samples(field, action):
                ends = movement.ends(field, piece, action.mode)
                cost = movement.cost(field, piece, action.path, action.mode) if action.path else ends.get(action.to)
                right = cost is not None and cost <= movement.allowance(field, piece, action.mode)
                self.demand(right, f"{action!r}: a move of the unit cannot end there, or not by that way")
            self._keep(self._active - movement.together(field, piece, action.mode))

    def judge(self, entry: Entry) -> None:
        """A move must be paid for."""
        event, field, movement = entry.event, entry.before, self.rule(Movement)
        if isinstance(event, UnitPlaced):
            self._placed |= {event.unit}
        if entry.after.locations is not field.locations:  # who has left the map does not move
            self._keep(unit for unit in self._active if entry.after.locations.get(unit) in field.sheet.terrain)
        if not isinstance(event, UnitMoved) or event.manner != Manner.MOVES or movement.walks:
            return
        self.demand(event.unit in self._active | self._placed, f"{event!r}: the unit is not active, or has moved already")
        self._keep(self._active - {event.unit})
        if not self.samples(field, event):
            return
        piece, mode, end = field.pieces[event.unit], event.mode, event.path[-1]
        cost = movement.cost(field, piece, event.path, mode)
        if cost is None:
            raise self.fail(f"{event!r}: the unit cannot go that way")
        cost += movement.entering(mode) if event.unit in self._placed else 0
        room = end == event.path[0] or movement.may_end(field, piece, end)
        if cost > movement.allowance(field, piece) or not room or self._named not in ((), event.path):
            raise self.fail(f"{event!r}: a move of the unit cannot end there; the way costs {cost / 2:g} of {piece.move} points")
        best = cost if self._named or event.unit in self._placed else movement.reach(field, piece, mode)[end]
        self.demand(cost == best, f"{event!r} costs {cost / 2:g} points, but a way for {best / 2:g} leads there")

    def offered(self, game: Game, field: Field, seat: str) -> None:
        """Compare the offered hexes of some units."""
        if current(game, Moving) is None or not self.samples(field, len(game.history), 2 if game.world.board.size < HUGE else 8):
            return
        movement = self.rule(Movement)
        told: dict[tuple[str, str], set[str]] = {}
        for action in game.legal_actions(seat):
            if isinstance(action, Move) and not action.path:
                told.setdefault((action.unit, action.mode), set()).add(action.to)
        for unit, _ in sorted(told):
            self.demand(unit in self._active, f"{seat} may move {unit}, which is not active or has moved already")
        pieces = field.pieces
        mine = self._waiting.get(seat, ())
        waiting = sorted(unit for unit in mine if unit in pieces and movement.judges(field, pieces[unit]))
        some = random.Random(f"{self.id}|{game.state.draws}|{waiting}").sample(waiting, min(len(waiting), self.budget.probes))
        for unit in some:
            for mode in movement.modes_of(field, pieces[unit]):
                what = f"the hexes to which {unit} may move {mode} from {field.locations[unit]}"
                self.same(what, told.get((unit, mode), ()), movement.ends(field, pieces[unit], mode))
                chance = random.Random(f"{game.state.draws}|{unit}")
                path = movement.stroll(field, pieces[unit], mode, chance)
                refusal = game.why_not(Move(unit, path[-1], mode, path), seat) if path else None
                self.demand(refusal is None, f"{unit} may not go by {path} {mode}: {refusal}")

    def before(self, game: Game, seat: str, action: Action) -> None:
        """Look while units move."""
        if isinstance(action, Move):
            super().before(game, seat, action)
