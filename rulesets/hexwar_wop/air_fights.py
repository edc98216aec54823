"""17.12, 17.13, 17.6: air units that were placed meet the enemy, and carry out what is left of their missions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from hexwar.engine import Play, Position, PublicEvent, record
from hexwar_wop.flights import (
    COVER,
    RECONNAISSANCE,
    SUPPORT,
    WEAKENED,
    Flight,
    flight_of,
    flights_of,
    impact_zone,
    leave,
    stars_of,
)

if TYPE_CHECKING:
    from hexwar_wop.world import WopState, WopWorld

    At: TypeAlias = Position[WopState, WopWorld]
    Doing: TypeAlias = Play[WopState, WopWorld]


@record
class AirUnitPlaced(PublicEvent[Any]):
    """17.5.a: an air unit is over the map, and that is its use in this turn."""

    kind = "air-unit-placed"
    flight: Flight

    def apply(self, state: WopState) -> None:
        """Put it there."""
        unit = self.flight.unit
        state.flights = (*state.flights, self.flight)
        state.launched, state.flown = (*state.launched, unit), (*state.flown, unit)

    def __str__(self) -> str:
        flight = self.flight
        whom = {RECONNAISSANCE: flight.formation, SUPPORT: flight.battle, COVER: flight.against}.get(flight.mission, "")
        return f"{flight.unit} over {flight.hex}: {flight.mission}" + (f" ({whom})" if whom else "")


@record
class FormationSpotted(PublicEvent[Any]):
    """17.6.a, 17.7: an air unit tracks a formation for the rest of the turn."""

    kind = "formation-spotted"
    says = "{unit} has found {formation} and tracks it"
    unit: str
    formation: str

    def apply(self, state: WopState) -> None:
        """It is over its headquarters already."""


@record
class AirFightDecided(PublicEvent[Any]):
    """17.13.a: two air units have met; the winner is "" after a tie."""

    kind = "air-fight-decided"
    units: tuple[str, str]
    totals: tuple[int, int]
    winner: str

    def apply(self, state: WopState) -> None:
        """What follows is told by itself."""

    def __str__(self) -> str:
        told = " against ".join(f"{unit} ({total})" for unit, total in zip(self.units, self.totals, strict=True))
        return f"{told}: {f'{self.winner} wins' if self.winner else 'nothing comes of it'}"


@record
class LaunchAnswered(PublicEvent[Any]):
    """17.12.b: what has been placed can no longer be answered."""

    kind = "launch-answered"
    says = "the air units carry out their missions"

    def apply(self, state: WopState) -> None:
        """They are not new any more."""
        state.launched = ()


# -- 17.13 fights in the air, 17.6 reconnaissance -----------------------------------------------------------------------------


def touch(at: At, one: Flight, other: Flight) -> bool:
    """17.13.a: whether the impact zones of two air units have a hex in common."""
    return bool(impact_zone(at, one) & impact_zone(at, other))


def carry_out(play: Doing) -> None:
    """17.12, 17.13, 17.6: those that were placed fight whom they meet; then reconnaissance is tried."""
    launched = play.state.launched
    if not launched:
        return
    _fighters_meet(play, launched)
    for unit in launched:
        _intercept(play, unit)
    for unit in launched:
        flight = flight_of(play, unit)
        if flight and flight.mission == RECONNAISSANCE:
            _look(play, flight)
    play.emit(LaunchAnswered(clause="17.12.b"))


def _fighters_meet(play: Doing, launched: Sequence[str]) -> None:
    """17.13.a: each fighter that was placed fights all enemy fighters that it meets, one after the other, each once."""
    met: set[frozenset[str]] = set()
    for unit in launched:
        for other in _enemy_fighters(play, unit):
            pair = frozenset({unit, other})
            if pair not in met and flight_of(play, unit) and flight_of(play, other):
                met.add(pair)
                _fight(play, unit, other)


def _enemy_fighters(at: At, unit: str) -> list[str]:
    """The enemy fighters whose zones touch that of a fighter over the map."""
    flight, counter = flight_of(at, unit), at.world.units[unit]
    if flight is None or not counter.fighter:
        return []
    [enemy] = at.world.enemies(counter.side)
    return [foe.unit for foe in flights_of(at, enemy) if at.world.units[foe.unit].fighter and touch(at, flight, foe)]


def _intercept(play: Doing, unit: str) -> None:
    """17.13.a: an air unit that no fighter protects defends itself, without its modifier."""
    fighter = flight_of(play, unit)
    if fighter and fighter.against and flight_of(play, fighter.against) and not _enemy_fighters(play, unit):
        _fight(play, unit, fighter.against)


def _fight(play: Doing, unit: str, other: str) -> None:
    """17.13.a to 17.13.c: who throws more wins; the loser and all others that the winner meets fly home and check losses."""
    units = play.world.units
    pair, totals = (unit, other), []
    for name in pair:
        added = stars_of(play, name) if units[name].fighter else 0
        totals.append(added + play.roll(f"{name} in the air ({added:+d})", clause="17.13.a", sides=10, lowest=0))
    winner = "" if totals[0] == totals[1] else pair[totals.index(max(totals))]
    if winner and not units[winner].fighter:
        winner = ""  # it simply goes on
    play.emit(AirFightDecided(pair, (totals[0], totals[1]), winner, clause="17.13.a"))
    best = flight_of(play, winner) if winner else None
    if best is None:
        return
    [enemy] = play.world.enemies(units[winner].side)
    for beaten in [flight for flight in flights_of(play, enemy) if touch(play, best, flight)]:
        leave(play, beaten.unit, "17.14.2")


def _look(play: Doing, flight: Flight) -> None:
    """17.6.a to 17.6.c: a roll finds the formation; an air unit that fails goes home."""
    table = play.world.printed.tables.air
    added = table.reconnaissance_weakened if play.state.steps_left[flight.unit] == WEAKENED else 0
    rolled = play.roll(f"{flight.unit} looks for {flight.formation} (+{added})", clause="17.6.a", sides=10, lowest=0)
    if rolled + added <= table.reconnaissance[1]:
        play.emit(FormationSpotted(flight.unit, flight.formation, clause="17.7"))
    else:
        leave(play, flight.unit, "17.6.c")


AIR_EVENTS: tuple[type[PublicEvent[Any]], ...] = (AirUnitPlaced, FormationSpotted, AirFightDecided, LaunchAnswered)
