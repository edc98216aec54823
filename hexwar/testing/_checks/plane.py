"""Checks of games on a plane: what no list has is tried at its limits, and on a turned table the rules say the same."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import Any

from hexwar.engine import Action, ActionSet, Freedom, Game, World
from hexwar.errors import Refusal
from hexwar.plane import beginning, length, overlap
from hexwar.testing._running.relations import json_difference, unordered
from hexwar.testing._running.watch import Watch, in_words, lend_dice, try_offered
from hexwar.testing.oracles._plane import OnAPlane, Spot, TableTurn, turned

FARTHER = 1.6
"""How far beyond its allowance a piece is sent, at most."""
SMALL = 4
"""How many units beyond the end of what is possible still count as rounding."""


class _OnATable(Watch, abstract=True):
    """What they share: actions at random, possible and not."""

    needs = OnAPlane

    def looks_at(self, number: int) -> bool:
        """See `Watch.looks_at`; a look takes long, so that a short game is not looked at throughout either."""
        return random.Random(f"{self.id}{self.salt}|{number}").random() < self.rate

    def groups(self, game: Game, seat: str, chance: random.Random) -> Iterator[tuple[ActionSet, Freedom]]:
        """Groups of the question whose actions cannot be listed, in any order, and how these actions are put together."""
        question = game.question(seat)
        for key in chance.sample(question.groups, len(question.groups)):
            group = question.group(key)
            freedom = None if group.offer.complete else group.freedom()
            if freedom is not None:
                yield group.offer, freedom

    def anything(self, chance: random.Random, free: Freedom) -> Action:
        """An action of this sort, be it possible or not: somewhere, by one or two corners, looking anywhere."""
        x, y = getattr(free.action, free.point)
        far = int((free.allowance or 1000) * FARTHER)

        def spot() -> Spot:
            return x + chance.randrange(-far, far + 1), y + chance.randrange(-far, far + 1)

        changes: dict[str, Any] = {free.point: spot()}
        if free.turn:
            changes[free.turn] = chance.randrange(360)
        if free.way and chance.random() < 0.25:
            changes[free.way] = tuple(spot() for _ in range(chance.choice((1, 2))))
        return replace(free.action, **changes)  # type: ignore[type-var]  # every record is a dataclass


class LimitsAreSharp(_OnATable):
    """Where an action that cannot be listed ceases to be possible, the rules and an independent judge agree to one unit.

    Between a possible and an impossible point the limit is found; there `why_not`, `find` and what is done agree, every refusal
    cites a clause, and what is trimmed is possible and cannot be longer.
    """

    rate = 0.2

    def before(self, game: Game, seat: str, action: Action) -> None:
        """Try a few of one piece."""
        chance = self.random(seat, action)
        for offer, free in islice(self.groups(game, seat, chance), 1):
            for _ in range(self.budget.probes):
                tried = self.anything(chance, free)
                self._agrees(game, seat, offer, tried)
                self._trimmed(offer, free, tried)
                possible = offer.sample(chance)
                if isinstance(possible, type(free.action)) and offer.find(tried) is None:
                    for near in self._limit(offer, free, possible, getattr(tried, free.point)):
                        self._agrees(game, seat, offer, near)

    def _limit(self, offer: ActionSet, free: Freedom, possible: Action, end: Spot) -> tuple[Action, ...]:
        """The last possible and the first impossible action on the line from one to a point, at most a unit apart."""

        def to(spot: Spot) -> Action:
            return replace(possible, **{free.point: spot})  # type: ignore[type-var]

        inside, outside = getattr(possible, free.point), end
        if offer.find(to(inside)) is None or offer.find(to(outside)) is not None:
            return ()
        while max(abs(outside[0] - inside[0]), abs(outside[1] - inside[1])) > 1:
            middle = (inside[0] + outside[0]) // 2, (inside[1] + outside[1]) // 2
            if middle in (inside, outside):
                break
            inside, outside = (middle, outside) if offer.find(to(middle)) is not None else (inside, middle)
        return to(inside), to(outside)

    def _agrees(self, game: Game, seat: str, offer: ActionSet, action: Action) -> None:
        refusal = offer.why_not(action)
        self.demand((offer.find(action) is None) == (refusal is not None), f"find and why_not differ about {action!r}")
        self.demand(refusal is None or refusal.clause, f"the refusal of {action!r} cites no clause: {refusal}")
        judged = self.rule(OnAPlane).is_possible(game, offer, action)
        if judged is False and refusal is None:
            raise self.fail(f"{action!r} is possible, and a judge who works otherwise finds it is not")
        twin = game.copy()
        if refusal is None:
            try_offered(twin, seat, action)
        else:
            try:
                twin.apply(action, seat)
            except Refusal as error:
                self.demand(error.clause == refusal.clause, f"{action!r} is refused by {error}, and tried by {refusal}")
            else:
                raise self.fail(f"{action!r} was done, although {refusal}")

    def _trimmed(self, offer: ActionSet, free: Freedom, action: Action) -> None:
        found = offer.trimmed(action)
        if offer.find(action) is not None:
            self.demand(found == action, f"{action!r} is possible, and trimmed to {found!r}")
        if found is None:
            return
        self.demand(offer.find(found) is not None, f"{action!r} is trimmed to {found!r}, which is not possible")
        if found == action or not free.allowance or (free.way and (getattr(found, free.way) or getattr(action, free.way))):
            return
        start, end = getattr(free.action, free.point), getattr(action, free.point)
        far = length((start, getattr(found, free.point))) >> 20
        longer = [beginning(start, (end,), far + more)[-1] for more in (SMALL, SMALL + 1)]
        if end not in longer:
            actions = [replace(found, **{free.point: spot}) for spot in longer]  # type: ignore[type-var]
            self.demand(not all(map(offer.find, actions)), f"{action!r} is trimmed to {found!r}, and {actions[-1]!r} is possible")


class TableCanTurn(_OnATable):
    """On a table that is turned or mirrored the rules say the same, see the same, and actions lead to the same state."""

    rate = 0.1

    def before(self, game: Game, seat: str, action: Action) -> None:
        """Turn the table in one way, ask there, and do there what is done here."""
        plane, chance = self.rule(OnAPlane), self.random(seat, action)
        turn = chance.choice(plane.turns(game.world))
        world = _turned_world(plane, game.ruleset, game.world, turn)
        there = plane.image(game, world, turn)
        self.demand(there.to_move == game.to_move, f"when the table is {turn}, {', '.join(there.to_move)} would be to move")
        for offer, free in islice(self.groups(game, seat, chance), 2):
            for _ in range(self.budget.probes):
                self._same(game, there, seat, turn, offer, self.anything(chance, free))
        for unit in self._asked(game):
            seen, other = sorted(game.query.seen_by(unit)), sorted(there.query.seen_by(unit))
            self.demand(seen == other, f"when the table is {turn}, {unit} sees {', '.join(other)} and not {', '.join(seen)}")
        after = game.copy()
        try_offered(after, seat, action)
        lend_dice(after, there)
        image = _image(action, turn)
        try:
            there.apply(image, seat)
        except Exception as error:
            raise self.fail(f"when the table is {turn}, {image!r} fails: {in_words(error)}") from error
        expected = plane.image(after, world, turn)
        found = json_difference(unordered(expected.state.to_json()), unordered(there.state.to_json()))
        self.demand(not found, f"when the table is {turn}, {action!r} leads elsewhere. {found}")

    def _same(self, game: Game, there: Game, seat: str, turn: TableTurn, offer: ActionSet, action: Action) -> None:
        here, other = game.why_not(action, seat), there.why_not(_image(action, turn), seat)
        clauses = [refusal.clause if isinstance(refusal, Refusal) else "" for refusal in (here, other)]
        self.demand(clauses[0] == clauses[1], f"when the table is {turn}, {action!r} is judged otherwise: {here} and {other}")

    def _asked(self, game: Game) -> list[str]:
        placed = self.rule(OnAPlane).placed(game)
        return [*placed] if callable(getattr(game.query, "seen_by", None)) else []


class BasesStayApart(Watch):
    """No two bases overlap, and none is off the table."""

    needs = OnAPlane

    def look(self, game: Game) -> None:
        """Compare each with each."""
        plane = self.rule(OnAPlane)
        placed = [*plane.placed(game).items()]
        for number, (one, there) in enumerate(placed):
            self.demand(there.centre in game.world.board, f"{one} stands off the table, at {there.centre}")
            for other, it in placed[:number]:
                reach = 2 * (max(there.base) + max(it.base))
                near = abs(there.x - it.x) < reach and abs(there.y - it.y) < reach
                if near and overlap(there.corners, it.corners) and not plane.may_overlap(game, one, other):
                    raise self.fail(f"{one} stands on {other}")


def _image(action: Action, turn: TableTurn) -> Action:
    image: Action = turned(action, None, turn)
    return image


@lru_cache(64)
def _turned_world(plane: Any, rules: Any, world: World, turn: TableTurn) -> World:
    made: World = plane.world(rules, world, turn)
    return made
