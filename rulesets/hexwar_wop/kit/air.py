"""17 word for word: where air units may be placed, whom they hold up, and how they come home."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hexwar.engine import Action, DiceRolled, Event, Game, Position
from hexwar.pieces import TurnBegan
from hexwar.testing import Check, Watch
from hexwar_wop.activation import Marching
from hexwar_wop.air import Answering, Patrolling, Supporting
from hexwar_wop.air_fights import FormationSpotted
from hexwar_wop.flights import AirLossChecked, AirUnitLeft, AirUnitsRested
from hexwar_wop.kit.fights import squadron
from hexwar_wop.kit.ground import COMMAND, MOVEMENT
from hexwar_wop.kit.table import WopField, roster
from hexwar_wop.missions import Escort, Hinder, Intercept, Reconnoitre, Support


class FlightsAreLiteral(Watch):
    """Air units may be placed where chapter 17 says, and leaving a hex costs more where they delay."""

    rate = 0.5

    def before(self, game: Game, seat: str, action: Action) -> None:
        """All that is offered about air units, or the surcharges of one unit that moves."""
        step, side = game.state.stack[-1], game.world.seats[seat]
        if isinstance(step, Patrolling | Supporting | Answering):
            told = {it for it in game.legal_actions(seat) if it.kind != "done"}
            literal = set(_offers(game, step, side))
            self.demand(told == literal, f"{sorted(map(str, told ^ literal))[:5]} for {seat}", "17.2.1")
        elif isinstance(step, Marching) and step.units:
            self._delay(game, step.units[0], side)

    def _delay(self, game: Game, unit: str, side: str) -> None:
        board, reaches, plain = game.world.board, game.world.reaches, game.state.copy()
        plain.flights = ()
        # What leaving costs with the air units, and without them.
        now, then = (reaches.prices(at, unit).leave for at in (game.position, Position(game.world, plain)))
        slower = {board.label(i): now[i] - then[i] for i in map(board.index, board.labels) if now[i] != then[i]}
        literal = dict.fromkeys(MOVEMENT.delayed(_field(game), side), 2) if game.state.active == side else {}
        self.demand(slower == literal, f"leaving costs {unit} {slower} half points more, not {literal}", "17.9")


def _field(game: Game) -> WopField:
    return WopField.of(game.world, game.state)


def _offers(game: Game, step: Any, side: str) -> Iterator[Action]:
    """4.3, 14.8, 17.6, 17.8, 17.10, 17.12: what a player may do with their air units."""
    field, state = _field(game), game.state
    mine = {flight.unit: flight for flight in state.flights if squadron(flight.unit)["of"] == side}
    new = [unit for unit in state.launched if unit in mine and mine[unit].mission != "cover"]
    theirs = [unit for unit in state.launched if unit not in mine]
    for entry in roster(side, "air"):
        unit = entry["id"]
        if state.locations.get(unit) != "airfields" or unit in state.flown or unit in state.grounded:
            continue
        if isinstance(step, Answering):
            yield from [Intercept(unit, whom) for whom in theirs if entry["fighter"]]
            continue
        yield from [Escort(unit, whom) for whom in new if entry["fighter"]]
        if isinstance(step, Supporting):
            yield from [Support(unit, label) for label in _fighting(field, step.battle, side)]
        else:
            yield from _patrols(field, unit, side)


def _patrols(field: WopField, unit: str, side: str) -> Iterator[Action]:
    foes = field.against(side)
    heads = [piece for piece in foes if piece.counter.level == "formation"]
    yield from [Reconnoitre(unit, piece.id) for piece in heads]
    hexes = {piece.at for piece in foes if piece in heads or COMMAND.formation(piece.id)}
    near = {label for label in field.sheet.near for foe in hexes if field.sheet.distance(label, foe) <= 3}
    yield from [Hinder(unit, label) for label in near]


def _fighting(field: WopField, battle: Any, side: str) -> set[str]:
    """17.10.a: the hexes of the units of a side that fight, and of all others of their formations."""
    defenders = [unit for unit in field.troops(battle.target) if unit not in field.beaten]
    units = [unit for unit in (*battle.attackers, *defenders) if field.world.units[unit].side == side]
    formations = {COMMAND.formation(unit) for unit in units} - {""}
    others = [piece.id for piece in field.of_side(side) if COMMAND.formation(piece.id) in formations]
    return {field.pieces[unit].at for unit in (*units, *others) if unit in field.pieces}  # a boat has no hex


class AirLossesAreLiteral(Watch):
    """Who finds a formation, who comes home weakened or not at all: by the dice, as 17.6, 17.15 and 17.16 have it."""

    def before(self, game: Game, seat: str, action: Action) -> None:
        """How strong they are."""
        self._levels, self._turn = dict(game.state.steps_left), int(game.state.turn)

    def after(self, game: Game, seat: str, action: Action, events: list[Event]) -> None:
        """Each roll, and what follows from it; 17.5.a: no aircraft is used twice, or without it being noted."""
        rolled = 0
        for event in events:
            if isinstance(event, DiceRolled):
                rolled = event.dice[0]
            elif isinstance(event, TurnBegan):
                self._turn = event.turn
            elif isinstance(event, AirUnitsRested):
                self._levels.update(dict.fromkeys(event.units, 2))
            elif isinstance(event, AirLossChecked):
                self._losses(event, rolled)
            elif isinstance(event, FormationSpotted) or (isinstance(event, AirUnitLeft) and event.clause == "17.6.c"):
                total, found = rolled + 2 * (self._levels[event.unit] == 1), isinstance(event, FormationSpotted)
                self.demand((total <= 7) == found, f"{event} by {total}", "17.6.a")
        flown = game.state.flown
        wrong = {flight.unit for flight in game.state.flights}.difference(flown)
        self.demand(len({*flown}) == len(flown) and not wrong, f"used: {flown}, not noted: {sorted(wrong)}", "17.5.a")

    def _losses(self, event: AirLossChecked, rolled: int) -> None:
        weak = self._levels[event.unit] == 1
        away = weak and rolled >= 7
        steps = 2 if away or rolled <= (3 if weak else 4) else 1
        literal = (steps, self._turn + 2 if away else 0)
        told = (event.steps, event.turn)
        self.demand(told == literal, f"{event.unit} ({'weakened' if weak else 'whole'}) rolled {rolled}: {told}", "17.16")
        self._levels[event.unit] = event.steps


CHECKS: tuple[type[Check], ...] = (FlightsAreLiteral, AirLossesAreLiteral)
"""The checks that only this game needs."""
