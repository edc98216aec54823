"""Checks of what a turn brings: chits, reinforcements and, at the end, points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from hexwar.engine import Game, GameEnded, LotDrawn, Step
from hexwar.mechanics import Arrive
from hexwar.pieces import (
    ChitDrawn,
    ChitPlayed,
    ChitReturned,
    CupFilled,
    Ready,
    Select,
    Selecting,
    TurnBegan,
    UnitPlaced,
)
from hexwar.testing._checks.following import Following, current, listed
from hexwar.testing.oracles import Arrivals, Chits, Entry, Field, Points


class ChitsAreKept(Following):
    """Sides select as many of their chits as they may; all of them and the common ones go into the cup, and leave it once."""

    needs = Chits

    _lot: int | None = None

    def judge(self, entry: Entry) -> None:
        """Into the cup and out of it."""
        event, field, chits = entry.event, entry.before, self.rule(Chits)
        if isinstance(event, CupFilled):
            common, due = listed(event.common), listed(chits.common)
            self.demand(common == due, f"{common} went into every cup; it should be {due}")
            for side in field.world.sides:
                selected = listed(field.selected.get(side, ()))
                self.demand(chits.may_stop(field, side), f"the cup was filled, but {side} had selected {selected} only")
            self.demand(event.count == len(entry.after.cup), f"{event!r}: there are {len(entry.after.cup)} chits")
        elif isinstance(event, LotDrawn):
            self._lot = event.outcome
        elif isinstance(event, ChitDrawn):
            cup = listed(field.cup)
            self.demand(event.chit in field.cup, f"{event.chit} was drawn, but the cup held {cup}")
            shown = self._lot is None or sorted(field.cup)[self._lot] == event.chit
            self.demand(shown, f"lot {self._lot} was drawn from {cup}, but {event.chit} was shown")
        elif isinstance(event, ChitReturned) and field.drawn[-1:] != (event.chit,):
            raise self.fail(f"{event.chit} went back into the cup; drawn were {listed(field.drawn)}")
        elif isinstance(event, ChitPlayed) and event.chit not in field.hand.get(event.side, ()):
            raise self.fail(f"{event!r}: {event.side} held {listed(field.hand.get(event.side, ()))}")
        elif isinstance(event, TurnBegan) and (left := (*field.cup, *(chit for held in field.hand.values() for chit in held))):
            raise self.fail(f"the turn is over, but {listed(left)} were not drawn")

    def offered(self, game: Game, field: Field, seat: str) -> None:
        """What may be selected."""
        if current(game, Selecting) is None:
            return
        side, actions = game.world.seats[seat], game.legal_actions(seat)
        chits = self.rule(Chits)
        free = {(chit, hold) for chit in chits.selectable(field, side) for hold in chits.ways(field, side, chit)}
        told = {(action.chit, action.hold) for action in actions if isinstance(action, Select)}
        self.same(f"the chits that {side} may select", told, free)
        right = (Ready() in actions) == chits.may_stop(field, side)
        self.demand(right, f"{side} {'must' if free else 'may not'} go on selecting")

    def stands(self, game: Game, field: Field) -> None:
        """The books must agree with the state."""
        for what in ("cup", "drawn", "selected", "hand", "put_in", "known_in_cup"):
            told, now = _plain(getattr(field, what)), _plain(getattr(game.state, what))
            self.demand(told == now, f"by the events the chits in '{what}' should be {told}, but they are {now}")


def _plain(chits: Mapping[str, tuple[str, ...]] | tuple[str, ...]) -> object:
    """Chits in an order that does not matter, and no empty hands."""
    if isinstance(chits, Mapping):
        return {side: sorted(held) for side, held in chits.items() if held}
    return sorted(chits)


class ArrivalsAreRight(Following):
    """Exactly the reinforcements that are due may arrive, each in exactly the hexes that are open to it."""

    needs = Arrivals

    def pushed(self, step: Step, field: Field) -> None:
        """Who may come."""
        arrivals = self.rule(Arrivals)
        if isinstance(step, arrivals.asks):
            side = field.world.seats[step.seat]
            due = {unit for unit in field.locations if field.world.units[unit].side == side and arrivals.due(field, unit)}
            self.same(f"the reinforcements of {side} in turn {field.turn}", step.units, due)

    def judge(self, entry: Entry) -> None:
        """Who comes where."""
        event, field, arrivals = entry.event, entry.before, self.rule(Arrivals)
        if isinstance(event, UnitPlaced) and arrivals.brings(event, field):
            lay = field.locations.get(event.unit)
            self.demand(arrivals.due(field, event.unit), f"{event!r}: it is not due in turn {field.turn}; it lay in {lay}")
            hexes = arrivals.hexes(field, event.unit)
            self.demand(event.location in hexes, f"{event!r}: open to it are {listed(hexes)}")

    def offered(self, game: Game, field: Field, seat: str) -> None:
        """Every open hex of every unit that waits."""
        arrivals, step = self.rule(Arrivals), game.state.stack[-1] if game.state.stack else None
        if not isinstance(step, arrivals.asks):
            return
        actions = game.legal_actions(seat)
        for unit in step.units:
            told = {action.to for action in actions if isinstance(action, Arrive) and action.unit == unit}
            due = arrivals.hexes(field, unit) if arrivals.due(field, unit) else set()
            self.same(f"the hexes where {unit} may arrive", told, due)


class PointsAreRight(Following):
    """A game that is decided by points ends with the points counted by hand, and the side wins that has won by them."""

    needs = Points

    def judge(self, entry: Entry) -> None:
        """Count."""
        event, field, points = entry.event, entry.before, self.rule(Points)
        if not isinstance(event, GameEnded) or not event.result.scores:
            return
        scores = points.scores(field)
        told, winner = event.result, points.winner(field, scores)
        self.demand(told.scores == scores, f"the game ended with {told.scores}; counted by hand it is {scores}")
        self.demand(told.winner == winner, f"{told.winner} is said to win with {scores}; it is {winner}")

    def stands(self, game: Game, field: Field) -> None:
        """What players see of the points, now and then."""
        points = self.rule(Points)
        if points.are_told and self.samples(field, f"score {len(game.history)}", 8):
            told, scores = Counter[str](), points.scores(field)
            for score in game.query.score():
                told[score.side] += score.points
            right = _plain_points(told) == _plain_points(scores)
            self.demand(right, f"the points are said to be {dict(told)}; counted by hand they are {scores}")


def _plain_points(points: Mapping[str, int]) -> dict[str, int]:
    """Points without those who have none."""
    return {side: number for side, number in points.items() if number}
