"""Checks of supply and command against plain searches from hex to hex."""

from __future__ import annotations

import random
from collections.abc import Sequence

from hexwar.engine import Action, Event, Game, PhaseEntered, Step
from hexwar.mechanics import Attacking, ChitDrawn, Moving, StepLost, UnitEliminated
from hexwar.testing.checks.following import HUGE, Following, differ, listed
from hexwar.testing.kit import without_piece
from hexwar.testing.oracles import ChitCommand, Entry, Field, Piece, Supply
from hexwar.testing.subject import Subject
from hexwar.testing.watch import Budget


class SupplyIsRight(Following):
    """The game says correctly who has a line, and those who have none suffer for it."""

    id = "supply-is-right"
    sentence = (
        "Exactly the units to which a line can be traced hex by hex are in supply; the others lose a step when it is checked."
    )
    needs = Supply

    def __init__(self, subject: Subject, budget: Budget) -> None:
        super().__init__(subject, budget)
        self._owed: list[tuple[str, str]] = []
        """Side and unit of those that have to lose a step, in any order within a side."""
        self._sides: tuple[str, ...] = ()
        """The sides whose lines are still to be traced."""

    def judge(self, entry: Entry) -> None:
        """At a check, one step of each that has no line."""
        event, field = entry.event, entry.before
        if isinstance(event, PhaseEntered | ChitDrawn) and self._owed:
            raise self.fail(f"{listed(unit for _, unit in self._owed)} had no line and lost no step when supply was checked")
        supply = self.rule(Supply)
        self._sides = supply.judged_by(event, field) or self._sides
        self._trace(supply, field)
        if isinstance(event, StepLost | UnitEliminated) and event.clause == field.world.clause("supply.check"):
            if (field.world.units[event.unit].side, event.unit) not in self._owed:
                raise self.fail(f"{event!r}: it has a line, or has lost its step already")
            first = self._owed[0][0]
            if field.world.units[event.unit].side != first:
                raise self.fail(f"{event!r}: the units of {first} lose theirs first")
            self._owed.remove((first, event.unit))
            self._trace(supply, entry.after)

    def _trace(self, supply: Supply, field: Field) -> None:
        """Who has to lose a step; of the next side, where that comes in turn, once nobody of the last one has to."""
        while self._sides and not (self._owed and supply.in_turn):
            side, *rest = self._sides
            self._owed += [(side, unit) for unit in supply.suffers(field, side)]
            self._sides = tuple(rest)

    def stands(self, game: Game, field: Field) -> None:
        """Now and then, some units, their lines, and a look at the position without one of the enemies."""
        if len(game.history) % 3 or not self.samples(field, len(game.history), 4 if game.world.board.size < HUGE else 12):
            return
        supply, query = self.rule(Supply), game.query
        chance = random.Random(f"{self.id}|{len(game.history)}|{game.state.draws}")
        for side in game.world.sides:
            lines, pieces = supply.lines(field, side), field.of_side(side)
            supplied = []
            for piece in chance.sample(pieces, min(len(pieces), 2 * self.budget.probes)):
                report = query.supply(piece.id)
                if report.supplied != (piece.at in lines):
                    raise self.fail(
                        f"{piece.id} in {piece.at} is {'' if report.supplied else 'not '}supplied, as the rules have it"
                    )
                if report.supplied:
                    supplied.append(piece)
                    if report.line[-1:] != (piece.at,) or not supply.is_line(field, side, report.line):
                        where = " ".join(report.line)
                        raise self.fail(f"the line of {side} to {piece.at} is said to run by {where}, where none can run")
            enemies = field.against(side)
            if supplied and enemies:
                self._without(game, chance.choice(enemies), supplied[: self.budget.probes])

    def _without(self, game: Game, enemy: Piece, supplied: Sequence[Piece]) -> None:
        """Fewer enemies never cut a line."""
        fewer = game.ruleset.query(without_piece(game.position, enemy.id))
        for piece in supplied:
            if not fewer.supply(piece.id).supplied:
                raise self.fail(f"{piece.id} in {piece.at} has a line, but would have none without the enemy unit {enemy.id}")


class CommandIsRight(Following):
    """Headquarters activate the units in their range, and no others."""

    id = "command-is-right"
    sentence = "A headquarters whose chit is drawn activates exactly itself and the units of its side in its range."
    needs = ChitCommand

    def __init__(self, subject: Subject, budget: Budget) -> None:
        super().__init__(subject, budget)
        self._waiting: set[type[Step]] = set()
        self._leader = ""
        self._units: set[str] = set()

    def judge(self, entry: Entry) -> None:
        """After the draw, movement and combat of exactly these."""
        event, field = entry.event, entry.before
        if isinstance(event, PhaseEntered | ChitDrawn):
            if self._waiting:
                raise self.fail(f"{self._leader} was drawn, but its units did not become active")
            self._leader = ""
        if isinstance(event, ChitDrawn):
            leader = field.pieces.get(event.chit)
            if leader is not None and leader.command:
                self._leader, self._waiting = event.chit, {Moving, Attacking}
                self._units = self.rule(ChitCommand).commanded(field, leader)

    def pushed(self, step: Step, field: Field) -> None:
        """Some units become active."""
        if not isinstance(step, Moving | Attacking) or not field.drawn:
            return
        if not self._leader:
            raise self.fail(
                f"{field.drawn[-1]} was drawn and is no headquarters on the map, but {listed(step.units)} become active"
            )
        self._waiting.discard(type(step))
        wrong = differ(set(step.units), self._units)
        if wrong:
            raise self.fail(f"the units that {self._leader} activates in {field.locations[self._leader]}: {wrong}")

    def waits(self, step: Step, field: Field) -> None:
        """Who is active at the beginning of a hand-made position is not ours to judge."""

    def after(self, game: Game, seat: str, action: Action, events: list[Event]) -> None:
        """Also what players see, wherever their headquarters stand."""
        super().after(game, seat, action, events)
        field = self.books.of(game)
        leaders = [piece for piece in field.pieces.values() if piece.command]
        if leaders and len(game.history) % 3 == 0 and self.samples(field, len(game.history)):
            leader = leaders[len(game.history) % len(leaders)]
            wrong = differ(set(game.query.command(leader.id)), self.rule(ChitCommand).commanded(field, leader))
            if wrong:
                raise self.fail(f"the units that {leader.id} would activate in {leader.at}: {wrong}")
