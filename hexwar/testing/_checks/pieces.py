"""Checks of the pieces: nothing is lost or made, stacks fit, zones are where they belong, places belong to who was there last."""

from __future__ import annotations

from collections.abc import Mapping

from hexwar.engine import Game
from hexwar.mechanics import ControlTaken
from hexwar.pieces import StepLost, TurnBegan, UnitEliminated, UnitMoved, UnitPlaced
from hexwar.testing._checks.following import Following, listed
from hexwar.testing.oracles import Books, Entry, Field, Stacking, Zones


class PiecesAreConserved(Following):
    """Units stand where events have put them, with the steps that events have left them, and nobody comes back."""

    many = True

    needs = Books

    _gone: frozenset[str] = frozenset()

    def judge(self, entry: Entry) -> None:
        """An event must fit what was before."""
        event, field = entry.event, entry.before
        if isinstance(event, TurnBegan):
            self.demand(event.turn == field.turn + 1, f"turn {event.turn} follows turn {field.turn}")
        if not isinstance(event, UnitMoved | UnitPlaced | StepLost | UnitEliminated):
            return
        unit, was, steps = event.unit, field.locations.get(event.unit), field.steps_left.get(event.unit, 0)
        if isinstance(event, UnitMoved):
            self.demand(was == event.path[0], f"{event!r}: the unit was in {was}")
        elif isinstance(event, UnitPlaced):
            back = unit not in self._gone or self.books.comes_back(field, unit)
            self.demand(back, f"{event!r}: the unit was eliminated for good")
            twice = was in field.sheet.terrain and event.location in field.sheet.terrain
            self.demand(not twice, f"{event!r}: the unit was on the map already, in {was}")
        elif isinstance(event, StepLost):
            self.demand(steps > 1, f"{event!r}: the unit had {steps} steps left")
        else:
            self.demand(was is not None, f"{event!r}: the unit was gone already")
            whole = steps > 1 and not self.books.is_outright(field, event.clause)
            self.demand(not whole, f"{event!r}: the unit had {steps} steps left")
            if not event.to:
                self._gone |= {unit}

    def stands(self, game: Game, field: Field) -> None:
        """The books must agree with the state."""
        state = game.state
        self.demand(state.turn == field.turn, f"it is turn {state.turn}; by the events it is turn {field.turn}")
        for what, told, kept in (("place", field.locations, state.locations), ("steps", field.steps_left, state.steps_left)):
            for unit in sorted({*told, *kept}):
                if told.get(unit) != kept.get(unit):
                    raise self.fail(f"the {what} of {unit} is {kept.get(unit)}; by the events it is {told.get(unit)}")
        for name in self.books.kept:
            now, due = getattr(state, name), getattr(field, name)
            right = dict(now) == dict(due) if isinstance(due, Mapping) else now == due
            self.demand(right, f"{name} is {now}; by the events it is {due}")


class PlacesFollowVisits(Following):
    """A place belongs to the side that entered it last, in whatever way, and the game reports every change of hands."""

    many = True

    needs = Books

    def judge(self, entry: Entry) -> None:
        """The unit that takes a place has entered it."""
        event = entry.event
        if self.books.visits and isinstance(event, ControlTaken):
            last = entry.after.control.get(event.hex)
            self.demand(last == event.side, f"{event!r}: {last} entered it last")

    def stands(self, game: Game, field: Field) -> None:
        """The books must agree with the state."""
        if not self.books.visits:
            return
        for label in sorted({*field.control, *game.state.control}):
            told, kept = field.control.get(label), game.state.control.get(label)
            self.demand(told == kept, f"{label} belongs to {kept}, but {told} entered it last")


class StacksFit(Following):
    """After every action no hex holds more units than the limit allows, and none holds units of two sides."""

    many = True

    needs = Stacking

    def stands(self, game: Game, field: Field) -> None:
        """Count."""
        stacking = self.rule(Stacking)
        for label, units in field.stacks.items():
            if len({field.pieces[unit].side for unit in units}) > 1:
                raise self.fail(f"{listed(units)} of both sides stand in {label}")
            if stacking.holds(field) and not stacking.fits(field, units, label):
                raise self.fail(f"{listed(units)} stand in {label}, which are too many")


class ZonesAreRight(Following):
    """A side's zones of control are the hexes around its units, less those that the rules except."""

    many = True

    needs = Zones
    rate = 0.4

    def stands(self, game: Game, field: Field) -> None:
        """Compare what the rules work with, and what they tell players."""
        zones = self.rule(Zones)
        board, layout = game.world.board, game.state.layout
        for side in game.world.sides:
            threatened = board.unmask(layout.threatened[side])
            self.same(f"the hexes in which {side} is in enemy zones", threatened, zones.watched(field, side))
            self.same(f"the zones of {side} as players see them", game.query.zones(side), zones.of_side(field, side))
