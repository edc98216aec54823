"""The check of movement: what is offered and what is gone, against the cheapest ways on the map as networkx finds them."""

from __future__ import annotations

import random

from hexwar.engine import Action, Game, Step
from hexwar.mechanics import Move, Moving, UnitMoved
from hexwar.testing.checks.following import Following, current, differ
from hexwar.testing.oracles import Entry, Field, Movement
from hexwar.testing.subject import Subject
from hexwar.testing.watch import Budget


class MovesAreRight(Following):
    """Units go as far as their points carry them, and no farther."""

    id = "moves-are-right"
    sentence = "An active unit may move exactly to the hexes with room that its points pay for; it moves once, by a cheapest way."
    needs = Movement

    def __init__(self, subject: Subject, budget: Budget) -> None:
        super().__init__(subject, budget)
        self._active: set[str] = set()

    def pushed(self, step: Step, field: Field) -> None:
        """Some units become active."""
        if isinstance(step, Moving):
            self._active = set(step.units)

    def judge(self, entry: Entry) -> None:
        """A move must be paid for."""
        event, field = entry.event, entry.before
        if not isinstance(event, UnitMoved) or event.manner != "moves":
            return
        if event.unit not in self._active:
            raise self.fail(f"{event!r}: the unit is not active, or has moved already")
        self._active.discard(event.unit)
        movement, piece = self.rule(Movement), field.pieces[event.unit]
        cost = movement.cost(field, piece, event.path)
        if cost is None:
            raise self.fail(f"{event!r}: the unit cannot go that way")
        best = movement.ends(field, piece).get(event.path[-1])
        if best is None:
            raise self.fail(f"{event!r}: a move of the unit cannot end there; the way costs {cost / 2:g} of {piece.move} points")
        if cost != best:
            raise self.fail(f"{event!r} costs {cost / 2:g} points, but a way for {best / 2:g} leads there")

    def offered(self, game: Game, field: Field, seat: str) -> None:
        """Compare the offered hexes of some units."""
        if current(game, Moving) is None:
            return
        told: dict[str, set[str]] = {}
        for action in game.legal_actions(seat):
            if isinstance(action, Move) and not action.mode and not action.via:
                told.setdefault(action.unit, set()).add(action.to)
        for unit in sorted(told):
            if unit not in self._active:
                raise self.fail(f"{seat} may move {unit}, which is not active or has moved already")
        waiting = sorted(unit for unit in self._active if unit in field.pieces)
        for unit in self._some(game, waiting):
            wrong = differ(told.get(unit, set()), set(self.rule(Movement).ends(field, field.pieces[unit])))
            if wrong:
                raise self.fail(f"the hexes to which {unit} may move from {field.at[unit]}: {wrong}")

    def _some(self, game: Game, units: list[str]) -> list[str]:
        chance = random.Random(f"{self.id}|{game.state.draws}|{units}")
        return chance.sample(units, min(len(units), self.budget.probes))

    def before(self, game: Game, seat: str, action: Action) -> None:
        """Look while units move."""
        if isinstance(action, Move):
            super().before(game, seat, action)
