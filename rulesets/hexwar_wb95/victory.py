"""Victory: places by their values, or a place to reach."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hexwar.engine import Position
from hexwar.pieces import Score, Victory, total

if TYPE_CHECKING:
    from hexwar_wb95.state import At, Doing
    from hexwar_wb95.world import Wb95World

CLAUSE = "phase.1"
"""The page has no victory: the scenario says it, and the turn ends with it."""


class Wb95Victory(Victory):
    """What the scenario counts."""

    world: Wb95World

    def scores(self, at: Position) -> tuple[Score, ...]:
        """The values of the places held, where they count."""
        if self.world.scenario.victory.points is None:
            return ()
        places = [(place, at.state.control.get(place.hex)) for place in self.world.board.places if place.value]
        return tuple([Score(owner, place.value, f"holds {place.name}", CLAUSE) for place, owner in places if owner])

    def needed(self, at: Position) -> Mapping[str, tuple[int, str]]:
        """What the attacker needs in the end."""
        rules = self.world.scenario.victory
        return {} if rules.points is None else {rules.side: (rules.points, CLAUSE)}

    def is_reached(self, at: Position) -> bool:
        """Whether the attacker has what it needs in the end."""
        rules = self.world.scenario.victory
        if rules.points is not None:
            return total(self.scores(at), rules.side) >= rules.points
        assert rules.within is not None
        goal, hexes = self.world.place_named(rules.within.place), rules.within.hexes
        places = [at.state.locations[unit] for unit in self.world.on_board(at.state, rules.side)]
        return any(self.world.board.distance(goal, here) <= hexes for here in places)

    def is_sudden(self, at: Position) -> bool:
        """Whether the attacker holds all places that decide at once."""
        rules = self.world.scenario.victory
        goals = [self.world.place_named(name) for name in rules.sudden]
        return bool(goals) and all(at.state.control.get(goal) == rules.side for goal in goals)


def end_at_once(play: Doing) -> None:
    """The attacker has the places that decide, or a side has nothing left."""
    rules, state = play.world.scenario.victory, play.state
    other = play.world.enemies(rules.side)[0]
    for side, loser in ((rules.side, other), (other, rules.side)):
        if not any(play.world.units[unit].side == loser for unit in state.locations if play.world.units[unit].arm != "air"):
            play.end(side, f"{loser} has no units left", clause=CLAUSE, scores=_scores(play))
            return
    if play.world.victory.is_sudden(play):
        play.end(rules.side, f"{rules.side} holds {', '.join(rules.sudden)}", clause=CLAUSE, scores=_scores(play))


def decide(play: Doing) -> None:
    """The attacker has what it needs, or the other side wins."""
    side = play.world.scenario.victory.side
    reached = play.world.victory.is_reached(play)
    winner = side if reached else play.world.enemies(side)[0]
    play.end(winner, "the goal is reached" if reached else "the goal is not reached", clause=CLAUSE, scores=_scores(play))


def _scores(at: At) -> dict[str, int]:
    found = at.world.victory.scores(at)
    return {side: int(total(found, side)) for side in at.world.sides} if found else {}
