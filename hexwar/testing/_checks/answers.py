"""The check of answers: what players can ask about a position, against the literal rules."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, TypeVar

from hexwar.engine import Game
from hexwar.testing._checks.following import HUGE, SMALL, Following, differ, listed
from hexwar.testing.oracles import Battles, Books, Command, Field, Fight, Movement, Piece, Retreats, Supply

T = TypeVar("T")


EVERYTHING = 99
"""Units and hexes of a position."""


class AnswersAreRight(Following):
    """Where units can go, what has a line, whom headquarters lead, odds and ways of retreat are reported as the rules say."""

    needs = Books
    rate = 0.05

    def begin(self, game: Game) -> None:
        """In a position that somebody wrote down, everything."""
        super().begin(game)
        if game.source is not None:
            self.compare(game, self.books.of(game), EVERYTHING)

    def stands(self, game: Game, field: Field) -> None:
        """Some units, fewer on a large board, where literal lines take long."""
        if game.world.board.size < HUGE or self.samples(field, len(game.history)):
            self.compare(game, field, self.budget.probes if game.world.board.size < SMALL else 1 + self.budget.probes // 6)

    def compare(self, game: Game, field: Field, most: int) -> None:
        """Compare answers about a position.

        Args:
            game: it stands there.
            field: the position.
            most: at most this many units, and a few times as many hexes.
        """
        chance = random.Random(f"{self.id}|{len(game.history)}|{game.state.draws}|{most}")
        pieces, kit = _some(chance, list(field.pieces.values()), most), self.subject.kit
        if (movement := kit.capability(Movement)) is not None:
            self._reach(game.query, field, movement, pieces)
        if (supply := kit.capability(Supply)) is not None:
            self._lines(game.query, field, supply, _some(chance, sorted(field.sheet.terrain), 4 * most))
        if (combat := kit.capability(Battles)) is not None:
            self._odds(game.query, field, combat, _some(chance, sorted(field.stacks), 4 * most), chance)
        if (retreats := kit.capability(Retreats)) is not None:
            self._retreats(game.query, field, retreats, pieces)
        if (command := kit.capability(Command)) is not None:
            for leader in (piece for piece in pieces if piece.command):
                self.same(f"the units that {leader.id} leads", game.query.command(leader.id), command.commanded(field, leader))

    def _reach(self, query: Any, field: Field, movement: Movement, pieces: Sequence[Piece]) -> None:
        for piece in pieces:
            for mode in movement.modes_of(field, piece) if movement.judges(field, piece) else ():
                told = {(label, round(2 * cost)) for label, cost in query.reach(piece.id, mode).costs.items()}
                ends = movement.ends(field, piece, mode)
                self.same(f"hexes and half points of {piece.id} from {piece.at} {mode}".rstrip(), told, {*ends.items()})

    def _lines(self, query: Any, field: Field, supply: Supply, hexes: Sequence[str]) -> None:
        for side in field.world.sides:
            lines = supply.lines(field, side) if supply.of_hexes else {}
            for label in hexes if supply.of_hexes else ():
                report = query.supply(label, side)
                right = report.supplied == (label in lines)
                self.demand(right, f"{label} has {'a' if report.supplied else 'no'} line of {side}, as the rules have it")
                if report.supplied and (report.line[-1] != label or not supply.is_line(field, side, report.line)):
                    raise self.fail(f"the line of {side} to {label} is said to run by {listed(report.line)}, where none can run")

    def _odds(self, query: Any, field: Field, combat: Battles, targets: Sequence[str], chance: random.Random) -> None:
        for target in targets:
            near = [piece for piece in field.pieces.values() if piece.at in field.sheet.near[target]]
            able = [piece.id for piece in near if combat.may_attack(field, piece, target) and combat.leads(piece)]
            for attackers in (able, chance.sample(able, chance.randint(1, len(able)))) if able else ():
                told, odds = query.odds(attackers, target), combat.reckon(field, Fight.on(target, attackers))
                if (told.attack, told.defence, told.column) != (odds.attack, odds.defence, odds.column):
                    raise self.fail(f"the attack of {listed(attackers)} on {target}: {told}; added up by hand it is {odds}")

    def _retreats(self, query: Any, field: Field, retreats: Retreats, pieces: Sequence[Piece]) -> None:
        for piece in pieces:
            for hexes in (1, 2) if retreats.may_retreat(field, piece) and retreats.judges(piece) else ():
                options = query.retreats(piece.id, hexes)
                told = {option.path for option in options if option.rank == options[0].rank}
                best = retreats.best(field, piece, hexes, retreats.foes(field, piece))
                right = not retreats.differ(told, best, hexes)
                self.demand(right, f"the ways out of {piece.id}, {hexes} hexes from {piece.at}: {differ(told, best)}")


def _some(chance: random.Random, items: Sequence[T], most: int) -> list[T]:
    return list(items) if len(items) <= most else chance.sample(items, most)
