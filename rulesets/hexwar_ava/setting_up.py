"""4.0 Set-up: the Soviets first, then the Axis; each formation in its zone, by hand or at one stroke."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from hexwar.engine import Action, ActionSet, Explained, Grouped, Step, record
from hexwar.errors import Refusal
from hexwar.mechanics import UnitAction, UnitPlaced, unit_of
from hexwar_ava.counters import SET_UP
from hexwar_ava.tables import Zone
from hexwar_ava.world import At, Doing


@dataclass(frozen=True)
class Deployment:
    """The set-up of one formation, as far as it has come.

    Args:
        zone: where it sets up.
        symbol: the hex with the symbol of its headquarters, or "".
        waiting: its combat units that are still to be placed.
        headquarters: its headquarters, if that has a hex of its own and is still to be placed.
        needs: hex -> combat units that must still come.
        room: hex -> combat units that may still come.
    """

    zone: Zone
    symbol: str
    waiting: tuple[str, ...]
    headquarters: str
    needs: dict[str, int]
    room: dict[str, int]

    def hexes_for(self, unit: str) -> list[str]:
        """Where a unit may be placed so that all others still find their place."""
        if unit == self.headquarters:
            return [self.symbol]
        spare = len(self.waiting) > sum(self.needs.values())
        return [label for label, room in self.room.items() if room > 0 and (spare or self.needs[label] > 0)]

    def why_not(self, unit: str, label: str) -> Refusal:
        """Why a unit cannot be set up in any other hex."""
        zone, symbol = self.zone, self.symbol
        if unit == self.headquarters:
            return Refusal.against("4.0.3", f"{unit} is set up in {symbol}, the hex with its symbol")
        if label not in self.room:
            clause = {"area": "4.0.6", "range": "4.0.8", "hex": "4.0.9"}[zone.kind]
            return Refusal.against(clause, f"{label} is not in the zone of {zone.formation}: {', '.join(self.room)}")
        beside = zone.beside_headquarters
        if self.room[label] <= 0:
            if label == symbol and beside:
                return Refusal.against("4.0.5", f"the headquarters of {zone.formation} shares {label} with {beside} unit")
            return Refusal.against("4.0.9" if zone.kind == "hex" else "4.0.1", f"{label} is full")
        empty = ", ".join(other for other, need in self.needs.items() if need)
        clause = "4.0.5" if self.needs.get(symbol) and beside else "4.0.7"
        return Refusal.against(clause, f"the units that are left must go to {empty}")


def deployment(at: At, side: str, formation: str) -> Deployment:
    """How far the set-up of a formation has come."""
    world, places, stacks = at.world, at.state.at, at.state.layout.stacks
    zone = world.set_up_zones[side, formation]
    leaders, troops, hexes = world.orders[side, formation]
    needs: dict[str, int] = {}
    room: dict[str, int] = {}
    for label, (least, most) in hexes.items():
        here = len([unit for unit in stacks.get(label, ()) if unit in troops])
        needs[label], room[label] = max(0, least - here), most - here
    waiting = tuple([unit for unit in troops if places.get(unit) == SET_UP])
    headquarters = next((unit for unit in leaders if places.get(unit) == SET_UP), "")
    return Deployment(zone, world.symbol_of(zone), waiting, headquarters, needs, room)


@record
class Place(UnitAction):
    """Set a unit up in a hex."""

    kind = "place"
    to: str

    def __str__(self) -> str:
        return f"place {self.unit} in {self.to}"


@record
class PlaceRest(Action):
    """Let all that is left be set up for you."""

    kind = "place-rest"

    def __str__(self) -> str:
        return "set up the rest automatically"


@record
class SettingUp(Step):
    """4.0.1: a side places its units, each in the zone of its formation."""

    kind = "setting-up"
    clause: ClassVar[str] = "4.0.1"
    seat: str

    def _waiting(self, at: At) -> tuple[str, ...]:
        side, memo = at.world.seats[self.seat], at.state.layout.memo
        waiting: tuple[str, ...] | None = memo.get((SET_UP, side))
        if waiting is None:
            waiting = tuple(filter(at.world.units_of[side].__contains__, at.state.layout.stacks.get(SET_UP, ())))
            memo[SET_UP, side] = waiting
        return waiting

    def _mine(self, at: At, seat: str) -> tuple[str, ...]:
        waiting = self._waiting(at)
        return tuple(unit for unit in waiting if at.world.owns(seat, unit)) if at.world.teams else waiting

    def deciders(self, at: At) -> tuple[str, ...]:
        """The owner, while a unit is to be placed; of a team everybody who has one (19.2)."""
        if not at.world.teams:
            return (self.seat,) if self._waiting(at) else ()
        return tuple(seat for seat in at.world.seats_of(at.world.seats[self.seat]) if self._mine(at, seat))

    def prompt(self, at: At, seat: str) -> str:
        """Which formations are to be set up."""
        waiting = self._mine(at, seat)
        formations = dict.fromkeys(at.world.units[unit].formation for unit in waiting)
        return f"Set up {len(waiting)} units of {', '.join(formations)}."

    def choices(self, at: At, unit: str) -> ActionSet:
        """Every hex where it may be placed."""
        plan = plan_of(at, unit)
        return Explained(
            [Place(unit, label) for label in plan.hexes_for(unit)], lambda place: plan.why_not(unit, place.to), Place
        )

    def actions(self, at: At, seat: str) -> ActionSet:
        """All at one stroke, or unit by unit; 19.2: not those of others."""

        def missing(action: UnitAction) -> Refusal | None:
            return at.world.not_yours(seat, action.unit) if action.unit in self._waiting(at) else None

        return Grouped([PlaceRest()], self._mine(at, seat), partial(self.choices, at), unit_of, missing)

    def perform(self, play: Doing, seat: str, action: Action) -> None:
        """Place one, or the rest."""
        if isinstance(action, Place):
            _place(play, action.unit, action.to)
        else:
            place_rest(play, play.world.seats[seat], seat)

    def resume(self, play: Doing) -> None:
        """All are placed."""
        play.pop()


def plan_of(at: At, unit: str) -> Deployment:
    """How far the set-up of a unit's formation has come."""
    counter = at.world.units[unit]
    return deployment(at, counter.side, counter.formation)


def _place(play: Doing, unit: str, label: str) -> None:
    play.emit(UnitPlaced(unit, label, "is set up in", clause="4.0.1"))


# -- a set-up at one stroke -----------------------------------------------------------------------------------------------


def place_rest(play: Doing, side: str, seat: str = "") -> None:
    """Set up all that waits: headquarters on their symbols, strong units to the front, every hex that needs one filled first.

    Args:
        play: the game.
        side: whose units.
        seat: only those that this seat commands, if it is named.
    """
    for of_side, formation in play.world.set_up_zones:
        units = play.world.formations[of_side, formation]
        if of_side == side and (not seat or not units or play.world.owns(seat, units[0])):
            for unit, label in _plan(play, side, formation):
                _place(play, unit, label)


def _plan(at: At, side: str, formation: str) -> Iterator[tuple[str, str]]:
    plan = deployment(at, side, formation)
    if plan.headquarters:
        yield plan.headquarters, plan.symbol
    front = sorted(plan.room, key=lambda label: (at.world.fronts.get(label, 0), label))
    strongest = sorted(plan.waiting, key=lambda unit: (-at.world.units[unit].faces[-1].attack, unit))
    slots = [label for label in front for _ in range(plan.needs[label])]
    spare = len(strongest) - len(slots)
    extra = [label for label in front for _ in range(plan.room[label] - plan.needs[label])]
    ordered = sorted([*slots, *extra[:spare]], key=front.index)
    yield from zip(strongest, ordered, strict=True)


def set_up(play: Doing) -> None:
    """4.0.2: one side after the other."""
    first = play.world.printed.setup.first
    order = sorted(play.world.sides, key=lambda side: side != first)
    if play.world.options["auto-setup"]:
        for side in order:
            place_rest(play, side)
    else:
        for side in reversed(order):
            play.push(SettingUp(play.world.seat_for(side)))
