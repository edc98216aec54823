"""17 A, B, C, F: the air units over the map, what they reach there, and how they come home."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

from hexwar.engine import Play, Position, PublicEvent, public, record, state
from hexwar.errors import Refusal
from hexwar.mechanics import HexName
from hexwar.pieces import UnitName, stands
from hexwar_wop.content import AIR
from hexwar_wop.fighting import FightingState

if TYPE_CHECKING:
    from hexwar_wop.world import WopState, WopWorld

    At: TypeAlias = Position[WopState, WopWorld]
    Doing: TypeAlias = Play[WopState, WopWorld]

HANGAR = "airfields"
RECONNAISSANCE, DELAY, SUPPORT, COVER = "reconnaissance", "delay", "support", "cover"
"""17.2: what air units are used for."""
FULL, WEAKENED = 2, 1
"""17.4: the levels of an air unit."""
AWAY = 2
"""5.10, 17.16: a unit that is lost misses the next turn and is back in the one after it."""


@record
class Flight:
    """An air unit over the map.

    Args:
        unit: the air unit.
        mission: what it does.
        hex: where it was placed.
        formation: the headquarters that it tracks (17.6.a).
        battle: the attacked hex of the fight that it supports (17.10.a).
        against: the enemy air unit on which a fighter was placed (17.12.b).
    """

    unit: UnitName
    mission: str
    hex: HexName
    formation: UnitName = ""
    battle: HexName = ""
    against: UnitName = ""


@state
class FlyingState(FightingState):
    """The part of the state that chapter 17 needs: counters lie open on the map, so that both players see all of it."""

    flights: tuple[Flight, ...] = public(default=())
    """The air units over the map, in the order in which they came; where each is based, `locations` says."""
    launched: tuple[UnitName, ...] = public(default=())
    """17.12.b: those that have just been placed, and without an answer so far."""
    flown: tuple[UnitName, ...] = public(default=())
    """17.5.a: the air units that have been used this turn."""


# -- what rules ask of them -----------------------------------------------------------------------------------------------


def flights_of(at: Position, side: str) -> list[Flight]:
    """The air units of a side over the map."""
    units = at.world.units
    return [flight for flight in at.state.flights if units[flight.unit].side == side]


def flight_of(at: Position, unit: str) -> Flight | None:
    """What an air unit is doing over the map, if it is there."""
    return next((flight for flight in at.state.flights if flight.unit == unit), None)


def hex_of(at: Position, flight: Flight) -> str:
    """17.6.a: where an air unit is; one that tracks a formation stays above its headquarters."""
    moving = flight.formation and stands(at, flight.formation)
    return str(at.state.locations[flight.formation]) if moving else flight.hex


def impact_zone(at: Position, flight: Flight) -> int:
    """17.4: the mask of the hexes around an air unit of full strength, or of its own hex alone."""
    board, label = at.world.board, hex_of(at, flight)
    here: int = 1 << board.index(label)
    return here | int(board.around(label)) if at.state.steps_left[flight.unit] == FULL else here


def delayed_hexes(at: Position, side: str) -> int:
    """17.8, 17.9: the mask of the hexes in which enemy air units delay a side."""
    mask = 0
    for flight in at.state.flights:
        if flight.mission == DELAY and at.world.units[flight.unit].side != side:
            mask |= impact_zone(at, flight)
    return mask


def is_delayed(at: Position, side: str, label: str) -> bool:
    """14.13.r, 14.25.b: whether a hex lies where enemy air units delay a side."""
    return bool(at.state.flights) and bool(delayed_hexes(at, side) >> at.world.board.index(label) & 1)


def tracked(at: Position, side: str) -> set[str]:
    """17.7: the formations of a side that enemy air units track."""
    units = at.world.units
    found = {flight.formation for flight in at.state.flights if flight.mission == RECONNAISSANCE}
    return {formation for formation in found if units[formation].side == side}


def stars_of(at: Position, unit: str) -> int:
    """17.13.a, 14.13.p: the combat modifier of an air unit on the side of its counter that lies up."""
    counter = at.world.units[unit]
    return int(counter.stars if at.state.steps_left[unit] == FULL else counter.stars_weakened)


def why_not_ready(at: Position, side: str, unit: str) -> Refusal | None:
    """4.2, 17.5: why an air unit cannot be used."""
    counter = at.world.units.get(unit)
    if counter is None or counter.side != side or counter.arm != AIR:
        return Refusal.against("17.2.1", f"{unit} is no air unit" + (f" of {side}" if side else ""))
    if unit in at.state.flown:
        supports = any(flight.unit == unit and flight.mission == SUPPORT for flight in at.state.flights)
        clause, told = ("17.5.b", "supports another fight") if supports else ("17.5.a", "has been used in this turn")
        return Refusal.against(clause, f"{unit} {told}")
    if at.state.locations.get(unit) != HANGAR:
        return Refusal.against("17.16", f"{unit} is not back yet")
    if unit in at.state.grounded:
        clause = "4.2.2" if at.state.weather == "cloudy" else "4.2.3"
        return Refusal.against(clause, f"the weather keeps {unit} on the ground")
    return None


def ready(at: Position, side: str) -> tuple[str, ...]:
    """17.1: the air units of a side that can be used."""
    units = at.world.air_units
    return tuple(unit for unit in units if at.world.units[unit].side == side and why_not_ready(at, side, unit) is None)


# -- 17.14 to 17.17 coming home -------------------------------------------------------------------------------------------


@record
class AirUnitLeft(PublicEvent[Any]):
    """17.14: an air unit is taken off the map."""

    kind = "air-unit-left"
    says = "{unit} flies home"
    unit: str

    def apply(self, state: WopState) -> None:
        """Take it off."""
        state.flights = tuple(flight for flight in state.flights if flight.unit != self.unit)
        state.launched = tuple(unit for unit in state.launched if unit != self.unit)


@record
class AirLossChecked(PublicEvent[Any]):
    """17.15, 17.16: what shape an air unit is in."""

    kind = "air-loss-checked"
    unit: str
    steps: int
    turn: int = 0
    """When it is back, if it is not to be used before."""

    def apply(self, state: WopState) -> None:
        """Turn the counter, or place it on the track."""
        state.steps_left = {**state.steps_left, self.unit: self.steps}
        if self.turn:
            state.put(self.unit, f"turn {self.turn}")

    def __str__(self) -> str:
        if self.turn:
            return f"{self.unit} is out of action until turn {self.turn}"
        return f"{self.unit} is {'at full strength' if self.steps == FULL else 'weakened'}"


@record
class AirUnitReturned(PublicEvent[Any]):
    """5.10, 17.16: an air unit that was out of action is back."""

    kind = "air-unit-returned"
    says = "{unit} is back at full strength"
    unit: str

    def apply(self, state: WopState) -> None:
        """Put it where the others are."""
        state.put(self.unit, HANGAR)


@record
class AirUnitsRested(PublicEvent[Any]):
    """17.5.a, 17.17: a new turn for all air units; weakened ones that were not used have recovered."""

    kind = "air-units-rested"
    units: tuple[str, ...]

    def apply(self, state: WopState) -> None:
        """Turn the counters."""
        state.flown = ()
        state.steps_left = {**state.steps_left, **dict.fromkeys(self.units, FULL)}

    def __str__(self) -> str:
        return f"recovered on the ground: {', '.join(self.units) or 'nobody'}"


def leave(play: Doing, unit: str, clause: str) -> None:
    """17.14 to 17.16, 5.10: an air unit leaves the map and checks its losses at once."""
    play.emit(AirUnitLeft(unit, clause=clause))
    full = play.state.steps_left[unit] == FULL
    table, clause = play.world.printed.tables.air, "17.15" if full else "17.16"
    spans = table.returns_full.items() if full else table.returns_weakened.items()
    rolled = play.roll(f"losses of {unit}", clause=clause, sides=10, lowest=0)
    shape = next(name for name, (low, high) in spans if low <= rolled <= high)
    if shape == "rest":
        play.emit(AirLossChecked(unit, FULL, play.state.turn + AWAY, clause="5.10"))
    else:
        play.emit(AirLossChecked(unit, FULL if shape == "full" else WEAKENED, clause=clause))


def leave_fights(play: Doing, seat: str) -> None:
    """17.14.1: at the end of an activation, all that supported its fights."""
    _leave_all(play, (flight.unit for flight in play.state.flights if flight.mission == SUPPORT), "17.14.1")


def leave_map(play: Doing) -> None:
    """19.1.4, 17.14.3, 17.17: at the end of a turn all others; weakened ones that were not used recover."""
    _leave_all(play, (flight.unit for flight in play.state.flights), "17.14.3")
    idle = [unit for unit in play.world.air_units if unit not in play.state.flown and play.state.locations.get(unit) == HANGAR]
    weak = tuple(unit for unit in idle if play.state.steps_left[unit] == WEAKENED)
    if weak or play.state.flown:
        play.emit(AirUnitsRested(weak, clause="17.17"))


def _leave_all(play: Doing, units: Iterable[str], clause: str) -> None:
    for unit in tuple(units):
        leave(play, unit, clause)


def is_due(at: Position, unit: str) -> bool:
    """17.16: whether an air unit is back in this turn, if it is not yet."""
    word, _, number = str(at.state.locations.get(unit, "")).partition(" ")
    return word == "turn" and int(number) <= int(at.state.turn)


def bring_back(play: Doing) -> None:
    """5.10, 17.16: in the reinforcement phase, those that have missed a turn."""
    for unit in play.world.air_units:
        if is_due(play, unit):
            play.emit(AirUnitReturned(unit, clause="17.16"))


FLIGHT_EVENTS: tuple[type[PublicEvent[Any]], ...] = (AirUnitLeft, AirLossChecked, AirUnitReturned, AirUnitsRested)
