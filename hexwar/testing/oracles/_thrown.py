"""Positions that need no words of an author: random games are stopped somewhere, and what is on the map is thrown together."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import cycle
from typing import Any

from hexwar.engine import Game, Position, SeededChance
from hexwar.mechanics import Attacking, Declaring, HexWorld, Moving, has_room
from hexwar.testing._running.kit import Capability
from hexwar.testing._running.subject import Subject
from hexwar.testing._running.watch import Budget, try_offered
from hexwar.testing._staging.combinations import settings
from hexwar.testing._staging.random_play import choose
from hexwar.testing.oracles._field import sheet_of
from hexwar.testing.oracles._ground import Movement

TRIES = 6
"""How often pieces are thrown until the invariants of the game hold."""
MOVED, WEAKENED, TOGETHER = 0.6, 0.3, 0.4
"""The shares of the pieces that are thrown, that lose steps, and that join others."""


class Thrown(Capability):
    """Any game on hexes has positions: from whatever turn and exceptional phase random games come to, with options in pairs.

    Args:
        movement: on which ground a piece may stand; anywhere that the invariants allow if not given.
        moments: the steps at which a random game is stopped; those in which units move or attack if not given.
        radius: how far around a piece the others are thrown at most.
        number: how many games the quick tier plays; the others play more in proportion.
        without: the ids of checks that understand a game only from its beginning.
    """

    def __init__(
        self,
        movement: Movement | None = None,
        *,
        moments: Iterable[type[Any]] = (),
        radius: int = 3,
        number: int = 24,
        without: Iterable[str] = (),
    ) -> None:
        self._ground = movement
        self.moments = tuple(moments) or (Moving, Declaring, Attacking)
        self.radius = radius
        self.number = number
        self.without = frozenset(without)

    def staged(self, subject: Subject, budget: Budget, seed: int) -> Iterator[tuple[Subject, str, Game]]:
        """The games that a tier plays, with options in pairs: setting, key and game."""
        scenarios = cycle(subject.played("quick"))
        chosen = settings(replace(subject, seats=None), scenarios, seed)
        for number, setting in zip(range(self.number * budget.games // 6), chosen, strict=False):
            one, key = replace(setting, seats=subject.seats), f"{seed}|thrown|{number}"
            yield one, key, self.stage(one, key)

    def actions(self, game: Game) -> int:
        """How far a game is followed at most."""
        return 25

    def stage(self, subject: Subject, key: str) -> Game:
        """A game that stands somewhere; the same key gives the same one."""
        chance = random.Random(key)
        game = self.stopped(subject, key, chance)
        for _ in range(TRIES):
            state = game.state.copy()
            self.throw(game, state, chance)
            self.vary(game.world, state, chance)
            made = Game(game.ruleset, game.world, state, SeededChance(key))
            if self.is_sound(made):
                return made
        return Game(game.ruleset, game.world, game.state.copy(), SeededChance(key))

    def stopped(self, subject: Subject, key: str, chance: random.Random) -> Any:
        """A random game at one of the moments, each as probable as the others; at its beginning if there is none."""
        playout = subject.start(key).playout()
        found, met = playout.copy(), 0
        for _ in range(subject.bound):
            if not playout.to_move:
                break
            if isinstance(playout.state.stack[-1], self.moments):
                met += 1
                found = found if chance.randrange(met) else playout.copy()
            seat, action = choose(playout, chance)
            try_offered(playout, seat, action)
        return found

    def movable(self, game: Any, state: Any) -> Sequence[str]:
        """The pieces that may be put elsewhere: on the map, and the rules ask for no reason where they are."""
        return [unit for unit, label in state.locations.items() if label in game.world.board]

    def vary(self, world: HexWorld, state: Any, chance: random.Random) -> None:
        """Change what else is rare in a game; nothing unless a ruleset says what."""

    def throw(self, game: Any, state: Any, chance: random.Random) -> None:
        """Put most of the pieces near one of them, some of them weakened."""
        world: HexWorld = game.world
        sheet, units = sheet_of(world.board), [*self.movable(game, state)]
        if not units:
            return
        chance.shuffle(units)
        centre, radius = state.locations[units[0]], chance.randint(1, self.radius)
        near = [label for label in sorted(sheet.terrain) if sheet.distance(centre, label) <= radius]
        held = {label: world.units[unit].side for unit, label in state.locations.items() if label in world.board}
        for unit in units:
            counter = world.units[unit]
            if chance.random() < MOVED:
                able = [label for label in near if held.get(label, counter.side) == counter.side]
                able = [label for label in able if self._fits(game.world, state, sheet, counter, label)]
                joined = [label for label in able if label in held]
                if able:
                    label = chance.choice(joined if joined and chance.random() < TOGETHER else able)
                    state.put(unit, label)
                    held[label] = counter.side
            if state.steps_left.get(unit, 0) > 1 and chance.random() < WEAKENED:
                state.steps_left = {**state.steps_left, unit: chance.randint(1, state.steps_left[unit])}
                state.touch(unit)

    def _fits(self, world: Any, state: Any, sheet: Any, counter: Any, label: str) -> bool:
        may_stand = self._ground is None or self._ground.may_stand(sheet, counter.side, counter.arm, label)
        return may_stand and has_room(Position(world, state), counter.id, label)

    def is_sound(self, game: Game) -> bool:
        """Whether a position is one of the game: no unit is misplaced, the invariants hold, and somebody has a choice."""
        world, state, board = game.world, game.state, game.world.board
        if any(world.misplaced(state, unit, label) for unit, label in state.locations.items() if label in board):
            return False
        if any(invariant.broken(game.position) for invariant in game.ruleset.invariants):
            return False
        return all(game.legal_actions(seat) for seat in game.to_move) and bool(game.to_move)
