"""9.19 to 9.21: where pieces without command have to go."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from hexwar.board import CLOSED, Board, StepCosts, Walls
from hexwar.engine import Position
from hexwar.mechanics import Bar, Going
from hexwar.pieces import on_board, stands

if TYPE_CHECKING:
    from hexwar_wop.world import WopState, WopWorld

    At = Position[WopState, WopWorld]


def homeward(at: At, unit: str) -> tuple[int, int, str]:
    """Where a piece without command has to go, what it may not leave once it is there, and the topic of the clause on it.

    A headquarters goes to that of its army and stays in its range (9.19.a, 9.19.b), a unit into the range of its own
    headquarters (9.20.b), an independent one into the range of its armies or of any formation (9.21.a). Zones cost them what
    they cost others (9.20.c, 9.21.b).
    """
    counter, command, board = at.world.units[unit], at.world.command, at.world.board
    if counter.level:
        army = counter.army
        there = stands(at, army)
        here = 1 << board.index(at.state.locations[army]) if there else 0
        return here, command.range_of(at, army) if there else 0, "homeward.headquarters"
    if counter.formation:
        return (command.range_of(at, counter.formation) if stands(at, counter.formation) else 0), 0, "homeward.unit"
    kept, key = at.state.layout.memo, ("gathering", counter.side)
    found: int | None = kept.get(key)
    if found is None:
        leaders = [hq for hq in on_board(at, counter.side) if at.world.units[hq].level in ("army", "formation")]
        found = kept[key] = command.together(at, leaders)
    return found, 0, "homeward.independent"


def away_from_command(at: At, unit: str, going: Going) -> Bar:
    """The steps that do not lead nearer to command, measured along ways that are open to a unit that goes in some way."""
    goals, home, topic = homeward(at, unit)
    [enemy] = at.world.enemies(going.side)
    prices, held = at.world.reaches.prices_for(at, going), at.state.layout.held[enemy]
    watched = prices.threatened if going.zones.within == CLOSED else 0
    steps = _farther(at.world.board, prices.costs, watched, goals & ~held, home, held)
    return Bar(topic, "{unit} has no command and may only move towards it", steps=steps)


@lru_cache(maxsize=256)
def _farther(board: Board, costs: StepCosts, watched: int, goals: int, home: int, held: int) -> Walls:
    """For each direction, the hexes from which a step does not lead nearer to some goals, or leads out of home."""
    ways, closed = [], [board.everywhere] * 6
    for d, delta in enumerate(board.deltas):
        both = watched & (watched >> delta if delta > 0 else watched << -delta)
        ways.append(costs.open_steps(d) & ~held & ~both)
    layer, seen = goals, goals
    while layer:
        before = 0
        for d, delta in enumerate(board.deltas):
            steps = (layer >> delta if delta > 0 else layer << -delta) & ways[d] & ~seen
            before |= steps
            leaving = home & steps & ~(home >> delta if delta > 0 else home << -delta)
            closed[d] &= ~(steps & ~leaving)
        seen |= before
        layer = before
    return tuple(closed)
