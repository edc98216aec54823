"""4.0 Set-up: the Soviets first, then the Axis; each formation in its zone, by hand or at one stroke."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from hexwar.engine import Action, ActionSet, Grouped, Step, record
from hexwar.errors import Refusal, RefusalCode
from hexwar.mechanics import UnitAction, UnitPlaced, unit_of
from hexwar_ava.counters import SET_UP
from hexwar_ava.tables import Zone
from hexwar_ava.world import At, Doing


@dataclass(frozen=True)
class Deployment:
    """The set-up of one formation, as far as it has come.

    Args:
        zone: where it sets up.
        waiting: its combat units that are still to be placed.
        headquarters: its headquarters, if that has a hex of its own and is still to be placed.
        needs: hex -> combat units that must still come.
        room: hex -> combat units that may still come.
    """

    zone: Zone
    waiting: tuple[str, ...]
    headquarters: str
    needs: dict[str, int]
    room: dict[str, int]

    def hexes_for(self, unit: str, symbol: str) -> list[str]:
        """Where a unit may be placed so that all others still find their place."""
        if unit == self.headquarters:
            return [symbol]
        spare = len(self.waiting) > sum(self.needs.values())
        return [label for label, room in self.room.items() if room > 0 and (spare or self.needs[label] > 0)]


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
    return Deployment(zone, waiting, headquarters, needs, room)


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

    def choices(self, at: At, unit: str) -> list[Action]:
        """Every hex where it may be placed."""
        return [Place(unit, label) for label in places_of(at, unit)]

    def actions(self, at: At, seat: str) -> ActionSet:
        """All at one stroke, or unit by unit."""
        return Grouped([PlaceRest()], self._mine(at, seat), lambda unit: self.choices(at, unit), unit_of)

    def perform(self, play: Doing, seat: str, action: Action) -> None:
        """Place one, or the rest."""
        if isinstance(action, Place):
            _place(play, action.unit, action.to)
        else:
            place_rest(play, play.world.seats[seat], seat)

    def resume(self, play: Doing) -> None:
        """All are placed."""
        play.pop()

    def refuse(self, at: At, seat: str, action: Action) -> Refusal | None:
        """Name the rule that is in the way."""
        if not isinstance(action, Place) or action.unit not in self._waiting(at):
            return None
        return at.world.not_yours(seat, action.unit) or refuse_place(at, action.unit, action.to)


def places_of(at: At, unit: str) -> list[str]:
    """The hexes in which a unit may be set up now."""
    counter = at.world.units[unit]
    plan = deployment(at, counter.side, counter.formation)
    return plan.hexes_for(unit, at.world.symbol_of(plan.zone))


def refuse_place(at: At, unit: str, label: str) -> Refusal:
    """Why a unit cannot be set up in a hex."""
    world = at.world
    counter = world.units[unit]
    plan = deployment(at, counter.side, counter.formation)
    symbol = world.symbol_of(plan.zone)

    def no(clause: str, why: str) -> Refusal:
        return Refusal(RefusalCode.AGAINST_RULE, clause, why)

    if unit == plan.headquarters:
        return no("4.0.3", f"{unit} is set up in {symbol}, the hex with its symbol")
    if label not in plan.room:
        clause = {"area": "4.0.6", "range": "4.0.8", "hex": "4.0.9"}[plan.zone.kind]
        return no(clause, f"{label} is not in the zone of {counter.formation}: {', '.join(plan.room)}")
    if plan.room[label] <= 0:
        if label == symbol and plan.zone.beside_headquarters:
            number = plan.zone.beside_headquarters
            return no("4.0.5", f"the headquarters of {counter.formation} shares {label} with {number} unit")
        return no("4.0.9" if plan.zone.kind == "hex" else "4.0.1", f"{label} is full")
    empty = ", ".join(other for other, need in plan.needs.items() if need)
    clause = "4.0.5" if plan.needs.get(symbol) and plan.zone.beside_headquarters else "4.0.7"
    return no(clause, f"the units that are left must go to {empty}")


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
        yield plan.headquarters, at.world.symbol_of(plan.zone)
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
