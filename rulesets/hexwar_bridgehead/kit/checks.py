"""Bridgehead's own checks: the course of the turn, and how a game ends."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cached_property

from hexwar.engine import Action, Game, GameEnded, PhaseEntered, SeededChance, Sequencing
from hexwar.mechanics import Arrive, HexWorld, TurnBegan
from hexwar.testing.checks.following import Following
from hexwar.testing.checks.turns import PointsAreRight
from hexwar.testing.oracles import Books, Entry, Field
from hexwar.testing.subject import Subject
from hexwar.testing.watch import Budget, Check, Survey, complaint

TURNS = 6


class TurnsGoRound(Following):
    """1.1, 5.1: six turns of arrival, selection and operations, and a verdict."""

    id = "turns-go-round"
    sentence = "Six turns are played; each has arrival, selection and then operations until the cup is empty (1.1, 5.1)."
    needs = Books

    def __init__(self, subject: Subject, budget: Budget) -> None:
        super().__init__(subject, budget)
        self._phase = ""

    def begin(self, game: Game) -> None:
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
            raise self.fail(
                f"{event.phase} follows {self._phase or 'the beginning'} in turn {field.turn}; it should be {expected}"
            )
        self._phase = event.phase


class BeatenSidesLose(Following):
    """14.4: whoever has nothing left has lost as soon as the operations end. Random games hardly ever come to that."""

    id = "verdicts-are-right"

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
    sentence = "Once Blue has been asked for his reinforcements of a turn, Red is no longer asked for his (13.1)."
    needs = Books

    def __init__(self, subject: Subject, budget: Budget) -> None:
        super().__init__(subject, budget)
        self._turn = 0

    def decided(self, seat: str, action: Action, field: Field) -> None:
        """Whoever comes."""
        if isinstance(action, Arrive):
            if seat == "blue":
                self._turn = field.turn
            elif self._turn == field.turn:
                raise self.fail(f"{action} after Blue's have come in turn {field.turn}")


class VerdictsAreRight(Survey):
    """14: what a position is worth, for many positions in which the game ends at once."""

    id = "verdicts-are-right"
    sentence = "In made-up positions at the end of the last turn, or without units of a side, the right side wins (14.2 to 14.4)."
    positions = 15
    """So many of each sort for each game of the tier."""

    def run(self, seed: int) -> None:
        """Make positions, and let the sequence of play come to its end."""
        for number in range(self.positions * self.budget.games):
            key = f"{seed}|verdict|{number}"
            chance = random.Random(key)
            some = chance.sample(list(self._world.units), chance.randint(1, 20))
            self._judge(key, (1,), chance, list(dict.fromkeys(("b1", "r1", *some))))
            beaten = chance.choice(("blue", "red", "blue red"))
            left = [unit for unit, counter in self._world.units.items() if counter.side not in beaten]
            self._judge(key, (0, 2, 1), chance, left[: chance.randint(1, 5)])

    @cached_property
    def _world(self) -> HexWorld:
        world: HexWorld = self.subject.start(0).world
        return world

    def _judge(self, key: str, path: tuple[int, ...], chance: random.Random, units: Sequence[str]) -> None:
        world, rules = self._world, self.subject.ruleset
        owners = {label: chance.choice(("blue", "red")) for place in world.board.places for label in place.hexes}
        values = {"turn": 6, "control": owners, "stack": [Sequencing(path).to_json()]}
        state = rules.bare(world).with_json(values, rules.step_types)
        # Where they stand does not matter here.
        rules.place(world, state, {unit: {"at": "turn 6"} for unit in units})
        game = Game(rules, world, state, SeededChance(key))
        if game.result is None:
            raise self.fail(f"with {', '.join(units) or 'no units'} the game goes on after turn 6")
        for kind in (PointsAreRight, BeatenSidesLose):
            error = complaint(watch := kind(self.subject, self.budget), watch.begin, game)
            if error is not None:
                raise self.fail(f"{error.message}\nWith {', '.join(units) or 'no units'} and towns {owners}")


CHECKS: tuple[type[Check], ...] = (TurnsGoRound, RedComesFirst, VerdictsAreRight)
