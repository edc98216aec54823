"""Bridgehead's own checks: the course of the turn, and how a game ends."""

from __future__ import annotations

from typing import Any

from hexwar.engine import Game, GameEnded, PhaseEntered
from hexwar.mechanics import Arrive, TurnBegan, UnitEliminated
from hexwar.testing.checks.following import Following
from hexwar.testing.oracles import Books, Entry, Field
from hexwar.testing.subject import Subject
from hexwar.testing.watch import Budget, Check

TURNS = 6


class TurnsGoRound(Following):
    """1.1, 5.1: six turns of arrival, selection and operations, and a verdict."""

    id = "turns-go-round"
    sentence = "Six turns are played; each has arrival, selection and then operations until the cup is empty (1.1, 5.1)."
    needs = Books

    def __init__(self, subject: Subject, budget: Budget) -> None:
        super().__init__(subject, budget)
        self._phase = ""

    def begin(self, game: Game[Any, Any]) -> None:
        """A hand-made position begins somewhere."""
        self._phase = "operations" if game.first_state.turn else ""
        super().begin(game)

    def judge(self, entry: Entry) -> None:
        """What follows what."""
        event, field = entry.event, entry.before
        if isinstance(event, TurnBegan) and not 1 <= event.turn <= TURNS:
            raise self.fail(f"there is no turn {event.turn}")
        if not isinstance(event, PhaseEntered):
            return
        if self._phase == "operations" and event.phase != "early":
            expected = "operations" if field.cup else "arrival" if field.turn < TURNS else "verdict"
        else:
            expected = {"": "arrival", "arrival": "selection", "selection": "operations"}.get(self._phase, event.phase)
        if event.phase != expected:
            raise self.fail(f"{event.phase} follows {self._phase or 'the beginning'} in turn {field.turn}; it should be {expected}")
        self._phase = event.phase


class BeatenSidesLose(Following):
    """14.4: whoever has nothing left has lost as soon as the operations end."""

    id = "beaten-sides-lose"
    sentence = "A side without units on map and turn track loses when the operations of the chit end; Red's count as gone first (14.4)."
    needs = Books

    def judge(self, entry: Entry) -> None:
        """Look when operations have ended."""
        event, field = entry.event, entry.before
        left = self._left(field)
        if isinstance(event, PhaseEntered) and event.phase != "early" and len(left) < 2:
            raise self.fail(f"only {left or 'nobody'} has units, but the game goes on with {event.phase}")
        if isinstance(event, PhaseEntered) and event.phase == "early" and len(left) == 2:
            raise self.fail("both sides have units, but the game ends early")
        if isinstance(event, GameEnded) and not event.result.scores:
            winner = "blue" if "red" not in left else "red"
            if event.result.winner != winner:
                raise self.fail(f"{event.result.winner} is said to win, but it is {winner}: units are left to {left or 'nobody'}")

    def _left(self, field: Field) -> set[str]:
        return {field.world.units[unit].side for unit in field.at}


class RedComesFirst(Following):
    """13.1: Red's reinforcements arrive before Blue's."""

    id = "red-comes-first"
    sentence = "While a reinforcement of Red can still arrive, Blue is not asked for his (13.1)."
    needs = Books

    def __init__(self, subject: Subject, budget: Budget) -> None:
        super().__init__(subject, budget)
        self._blue_came = 0

    def judge(self, entry: Entry) -> None:
        """Nobody comes twice, and nobody who is gone."""
        if isinstance(entry.event, TurnBegan):
            self._blue_came = 0
        if isinstance(entry.event, UnitEliminated) and entry.event.to:
            raise self.fail(f"{entry.event!r}: eliminated units leave the game")

    def offered(self, game: Game[Any, Any], field: Field, seat: str) -> None:
        """Whose turn it is to arrive."""
        if any(isinstance(action, Arrive) for action in game.legal_actions(seat)):
            if seat == "blue":
                self._blue_came = field.turn
            elif self._blue_came == field.turn:
                raise self.fail(f"Red arrives after Blue in turn {field.turn}")


CHECKS: tuple[type[Check], ...] = (TurnsGoRound, BeatenSidesLose, RedComesFirst)
