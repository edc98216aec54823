"""Checks of supply and command against plain searches from hex to hex."""

from __future__ import annotations

import random
from collections.abc import Sequence

from hexwar.engine import Game, PhaseEntered, Step
from hexwar.mechanics import Attacking, Moving
from hexwar.pieces import ChitDrawn, StepLost, UnitEliminated
from hexwar.testing._checks.following import HUGE, Following, listed
from hexwar.testing._running.kit import without_piece
from hexwar.testing.oracles import ChitCommand, Command, Entry, Field, Piece, Supply


class SupplyIsRight(Following):
    """Exactly the units to which a line can be traced hex by hex are in supply; the others lose a step when it is checked."""

    needs = Supply

    _owed: tuple[tuple[str, str], ...] = ()
    """Side and unit of those that have to lose a step, in any order within a side."""
    _sides: tuple[str, ...] = ()
    """The sides whose lines are still to be traced."""

    def judge(self, entry: Entry) -> None:
        """At a check, one step of each that has no line."""
        event, field = entry.event, entry.before
        if isinstance(event, PhaseEntered | ChitDrawn):
            hungry = listed(unit for _, unit in self._owed)
            self.demand(not self._owed, f"{hungry} had no line and lost no step when supply was checked")
        supply = self.rule(Supply)
        marked = supply.marked(event, field)
        if marked is not None:
            self.same(f"{event!r}: those without supply", *marked)
        self._sides = supply.judged_by(event, field) or self._sides
        self._trace(supply, field)
        if isinstance(event, StepLost | UnitEliminated) and event.clause == field.world.clause("supply.check"):
            due = field.world.units[event.unit].side, event.unit
            self.demand(due in self._owed, f"{event!r}: it has a line, or has lost its step already")
            first = self._owed[0][0]
            self.demand(due[0] == first, f"{event!r}: the units of {first} lose theirs first")
            self._owed = tuple(other for other in self._owed if other != due)
            self._trace(supply, entry.after)

    def _trace(self, supply: Supply, field: Field) -> None:
        """Who has to lose a step; of the next side, where that comes in turn, once nobody of the last one has to."""
        while self._sides and not (self._owed and supply.in_turn):
            side, *rest = self._sides
            self._owed += tuple((side, unit) for unit in supply.suffers(field, side))
            self._sides = tuple(rest)

    def stands(self, game: Game, field: Field) -> None:
        """Now and then, some units, their lines, and a look at the position without one of the enemies."""
        if len(game.history) % 3 or not self.samples(field, len(game.history), 4 if game.world.board.size < HUGE else 12):
            return
        supply, query = self.rule(Supply), game.query
        chance = random.Random(f"{self.id}|{len(game.history)}|{game.state.draws}")
        for side in game.world.sides:
            pieces, supplied = field.of_side(side), []
            for piece in chance.sample(pieces, min(len(pieces), 2 * self.budget.probes)):
                report = query.supply(piece.id)
                self.demand(
                    report.supplied == supply.has_line(field, piece),
                    f"{piece.id} in {piece.at} is {'' if report.supplied else 'not '}supplied, as the rules have it",
                )
                if report.supplied:
                    supplied.append(piece)
                    if supply.of_hexes and (report.line[-1:] != (piece.at,) or not supply.is_line(field, side, report.line)):
                        where = " ".join(report.line)
                        raise self.fail(f"the line of {side} to {piece.at} is said to run by {where}, where none can run")
            enemies = field.against(side)
            if supplied and enemies:
                self._without(game, chance.choice(enemies), supplied[: self.budget.probes])

    def _without(self, game: Game, enemy: Piece, supplied: Sequence[Piece]) -> None:
        """Fewer enemies never cut a line."""
        fewer = game.ruleset.query(without_piece(game._position, enemy.id))
        for piece in supplied:
            self.demand(
                fewer.supply(piece.id).supplied,
                f"{piece.id} in {piece.at} has a line, but would have none without the enemy unit {enemy.id}",
            )


class CommandIsRight(Following):
    """A headquarters leads exactly the units that the rules put under it, and its chit activates exactly these."""

    needs = Command

    _waiting: frozenset[type[Step]] = frozenset()
    _leader = ""
    _units: frozenset[str] = frozenset()

    def judge(self, entry: Entry) -> None:
        """After the draw, movement and combat of exactly these."""
        event, field, command = entry.event, entry.before, self.rule(Command)
        marked = command.marked(event, field)
        if marked is not None:
            self.same(f"{event!r}: those without command", *marked)
        if not isinstance(command, ChitCommand):
            return
        if isinstance(event, PhaseEntered | ChitDrawn):
            self.demand(not self._waiting, f"{self._leader} was drawn, but its units did not become active")
            self._leader = ""
        if isinstance(event, ChitDrawn):
            leader = field.pieces.get(event.chit)
            if leader is not None and leader.command:
                self._leader, self._waiting = event.chit, frozenset({Moving, Attacking})
                self._units = frozenset(command.commanded(field, leader))

    def pushed(self, step: Step, field: Field) -> None:
        """Some units become active."""
        by_chit = isinstance(self.rule(Command), ChitCommand)
        if not by_chit or not isinstance(step, Moving | Attacking) or not field.drawn:
            return
        self.demand(
            self._leader,
            f"{field.drawn[-1]} was drawn and is no headquarters on the map, but {listed(step.units)} become active",
        )
        self._waiting -= {type(step)}
        self.same(f"the units that {self._leader} activates in {field.locations[self._leader]}", step.units, self._units)

    def waits(self, step: Step, field: Field) -> None:
        """Who is active at the beginning of a hand-made position is not ours to judge."""

    def stands(self, game: Game, field: Field) -> None:
        """Also what players see, wherever their headquarters stand."""
        leaders = [piece for piece in field.pieces.values() if piece.command]
        if leaders and len(game.history) % 3 == 0 and self.samples(field, len(game.history)):
            leader = leaders[len(game.history) % len(leaders)]
            due = self.rule(Command).commanded(field, leader)
            self.same(f"the units that {leader.id} leads in {leader.at}", game.query.command(leader.id), due)
