"""What the officer does with air units: he looks for formations that are about to fight, and supports where that matters."""

from __future__ import annotations

from collections.abc import Callable

from hexwar.engine import Action, Position, Question
from hexwar.mechanics import Battle
from hexwar.pieces import Done, on_board, standing
from hexwar_wop.air import Answering, Patrolling, Supporting
from hexwar_wop.flights import DELAY, FULL, SUPPORT, Flight, flights_of, ready, stars_of
from hexwar_wop.missions import Hinder, Intercept, Reconnoitre, Support, near_formations

MATTERS = 0.2
"""Support is given from this difference on, in the worth of a fight."""
IN_TOUCH = 3
"""A formation is looked for if this many of its units are next to enemies; otherwise its march is delayed."""


def fly(at: Position, question: Question, side: str, worth: Callable[[Position, Battle], float]) -> Action:
    """The answer to any question about air units; weakened ones rest (17.17)."""
    able = [unit for unit in ready(at, side) if at.state.steps_left[unit] == FULL or at.state.turn == at.world.last_turn]
    if question.kind == Patrolling.kind:
        return _patrol(at, side, [unit for unit in able if not at.world.units[unit].fighter])
    if question.kind == Supporting.kind:
        attackers = standing(at, question.pieces)
        return _support(at, side, able, Battle.on(at.world.units[attackers[0]].side, question.places[0], attackers), worth)
    assert question.kind == Answering.kind, "there is no other question about air units"
    return _intercept(at, side, [unit for unit in able if at.world.units[unit].fighter])


def _patrol(at: Position, side: str, able: list[str]) -> Action:
    """Fighters wait for the fights; the others look for the formation that is in touch with most, or delay one."""
    if not able:
        return Done()
    [enemy] = at.world.enemies(side)
    touched: dict[str, int] = {}
    known = {flight.formation for flight in at.state.flights}
    for unit in on_board(at, enemy):
        formation = at.world.units[unit].formation
        near = at.world.board.around(at.state.locations[unit]) & at.state.layout.held[side]
        if formation in at.state.locations and at.state.locations[formation] in at.world.board and formation not in known:
            touched[formation] = touched.get(formation, 0) + bool(near)
    best = max(touched, key=lambda formation: touched[formation], default="")
    if best and touched[best] >= IN_TOUCH:
        return Reconnoitre(able[0], best)
    return _delay(at, side, enemy, able[0])


def _delay(at: Position, side: str, enemy: str, unit: str) -> Action:
    """Where most enemies are in one zone that has not been delayed yet."""
    board, open_to = at.world.board, near_formations(at, side)
    taken = {flight.hex for flight in at.state.flights}
    crowd = board.mask([at.state.locations[piece] for piece in on_board(at, enemy)])
    hexes = [label for label in board.unmask(open_to & crowd) if label not in taken]
    if not hexes:
        return Done()
    return Hinder(unit, max(hexes, key=lambda label: ((board.around(label) & crowd).bit_count(), label)))


def _support(at: Position, side: str, able: list[str], battle: Battle, worth: Callable[[Position, Battle], float]) -> Action:
    """The unit of the fewest stars that makes a difference."""
    sign, label = (1, at.state.locations[battle.attackers[0]]) if side == battle.side else (-1, battle.target)
    now = worth(at, battle)
    for unit in sorted(able, key=lambda unit: stars_of(at, unit)):
        state = at.state.copy()
        state.flights = (*state.flights, Flight(unit, SUPPORT, label, battle=battle.target))
        if sign * (worth(Position(at.world, state), battle) - now) >= MATTERS:
            return Support(unit, label)
    return Done()


def _intercept(at: Position, side: str, able: list[str]) -> Action:
    """Whoever is no better, unless he only delays a march: fighters are worth more in a fight."""
    [enemy] = at.world.enemies(side)
    placed = [flight for flight in flights_of(at, enemy) if flight.unit in at.state.launched and flight.mission != DELAY]
    for unit in able:
        for flight in placed:
            if not at.world.units[flight.unit].fighter or stars_of(at, flight.unit) <= stars_of(at, unit):
                return Intercept(unit, flight.unit)
    return Done()
