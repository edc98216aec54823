"""4.0 Set-up: the Soviets first, then the Axis; each formation in its zone, by hand or all at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, ClassVar

from hexwar.engine import Action, ActionSet, Grouped, Part, Position, SeatName, Step, record
from hexwar.errors import ContentError, Refusal
from hexwar.hexes import distance
from hexwar.pieces import UnitAction, UnitChoices, UnitPlaced, unit_of
from hexwar_ava.counters import SET_UP
from hexwar_ava.state import At, Doing
from hexwar_ava.tables import Zone

if TYPE_CHECKING:
    from hexwar_ava.world import AvaWorld


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
        """Where a unit may be placed so that all others still find room."""
        return [self.symbol] if unit == self.headquarters else self._open_hexes

    @cached_property
    def _open_hexes(self) -> list[str]:
        spare = len(self.waiting) > sum(self.needs.values())
        return [label for label, room in self.room.items() if room > 0 and (spare or self.needs[label] > 0)]

    def choices(self, unit: str) -> ActionSet:
        """Every hex where a unit may be placed; made once, as long as its formation stays as it is."""
        found = self._choices.get(unit)
        if found is None:
            rows, make = partial(self.hexes_for, unit), partial(Place, unit)
            found = self._choices[unit] = UnitChoices(Place, unit, rows, make, lambda place: self.why_not(unit, place.to))
        return found

    @cached_property
    def _choices(self) -> dict[str, ActionSet]:
        return {}

    def why_not(self, unit: str, label: str) -> Refusal | None:
        """Why a unit cannot be set up in a hex; None if it can."""
        if label in self.hexes_for(unit):
            return None
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


class AvaDeployment(Part):
    """4.0: where the formations of a scenario set up."""

    world: AvaWorld

    @cached_property
    def zones(self) -> Mapping[tuple[str, str], Zone]:
        """4.0: where formations set up, by side and formation."""
        return self.world.printed.zones_of(self.world.entry.id)

    @cached_property
    def _hexes(self) -> Mapping[str, tuple[str, ...]]:
        """Side -> all hexes in which it sets up."""
        return {
            side: tuple(
                label for zone in self.zones.values() if zone.side == side for label in self.world.board.areas[zone.hexes]
            )
            for side in self.world.sides
        }

    @cached_property
    def formations(self) -> Mapping[tuple[str, str], tuple[str, ...]]:
        """4.0.1: the units that are set up together, by side and formation."""
        found: dict[tuple[str, str], tuple[str, ...]] = dict.fromkeys(self.zones, ())
        for unit, counter in self.world.units.items():
            key = (counter.side, counter.formation)
            if counter.start == SET_UP and key in found:
                found[key] = (*found[key], unit)
        return found

    def symbol_of(self, zone: Zone) -> str:
        """4.0.3: the hex with the symbol of a formation's headquarters, or ""."""
        hexes = self.world.board.areas.get(zone.headquarters, ())
        return hexes[0] if hexes else ""

    @cached_property
    def orders(self) -> Mapping[tuple[str, str], tuple[list[str], dict[str, None], dict[str, tuple[int, int]]]]:
        """4.0: for each formation its headquarters with a hex of their own, its combat units, and hex -> how many of these."""
        found, numbers = {}, self.world.printed.numbers
        for (side, formation), zone in self.zones.items():
            mine, symbol = self.formations[side, formation], self.symbol_of(zone)
            leaders = [unit for unit in mine if symbol and self.world.units[unit].is_headquarters]
            least = 0 if zone.kind == "range" else 1  # 4.0.7, 4.0.8, 4.0.9
            hexes = dict.fromkeys(self.world.board.areas.get(zone.hexes, ()), (least, numbers.stacking))
            if leaders:
                hexes[symbol] = zone.beside_headquarters, zone.beside_headquarters or numbers.stacking - 1  # 4.0.5
            found[side, formation] = leaders, dict.fromkeys(unit for unit in mine if unit not in leaders), hexes
        return found

    @cached_property
    def fronts(self) -> Mapping[str, int]:
        """How far each hex of a zone is from the nearest zone of the other side."""
        hexes = {side: [self.world.board.hex(label) for label in labels] for side, labels in self._hexes.items()}
        others = {side: [hex for enemy in self.world.enemies(side) for hex in hexes[enemy]] for side in hexes}
        return {
            label: min([distance(hex, other) for other in others[side]], default=0)
            for side, labels in self._hexes.items()
            for label, hex in zip(labels, hexes[side], strict=True)
        }

    @cached_property
    def units_of(self) -> Mapping[str, frozenset[str]]:
        """All units by side."""
        units = self.world.units
        return {side: frozenset(u for u, counter in units.items() if counter.side == side) for side in self.world.sides}

    @cached_property
    def kinds(self) -> Mapping[str, Hashable]:
        """Unit -> what the hexes depend on in which it may be set up."""
        return {unit: (counter.formation, counter.is_headquarters) for unit, counter in self.world.units.items()}

    @cached_property
    def _plans(self) -> dict[tuple[str, str], tuple[list[str | None], Deployment]]:
        """For each formation, where its units were at the last question, and how far it had come then."""
        return {}

    def plan(self, at: Position, side: str, formation: str) -> Deployment:
        """How far the set-up of a formation has come, which depends on nothing but where its units are."""
        places = [*map(at.state.locations.get, self.formations[side, formation])]
        known = self._plans.get((side, formation))
        if known is None or known[0] != places:
            known = self._plans[side, formation] = places, self._plan(at, side, formation)
        return known[1]

    def _plan(self, at: Position, side: str, formation: str) -> Deployment:
        places, zone = at.state.locations, self.zones[side, formation]
        leaders, troops, hexes = self.orders[side, formation]
        here = Counter(map(places.get, troops))
        needs = {label: max(0, least - here[label]) for label, (least, _) in hexes.items()}
        room = {label: most - here[label] for label, (_, most) in hexes.items()}
        waiting = tuple([unit for unit in troops if places.get(unit) == SET_UP])
        headquarters = next((unit for unit in leaders if places.get(unit) == SET_UP), "")
        return Deployment(zone, self.symbol_of(zone), waiting, headquarters, needs, room)

    def check(self) -> None:
        """Fail if the zones and the board do not fit together; a formation must find room regardless of the others."""
        board = self.world.board
        taken: dict[str, str] = {}
        for zone in self.zones.values():
            name = f"zone {zone.side} {zone.formation}"
            for area in filter(None, (zone.hexes, zone.headquarters)):
                if area not in board.areas:
                    raise ContentError("setup.toml", name, f"the board {board.id} has no area {area!r}")
            for label in {*board.areas[zone.hexes], *board.areas.get(zone.headquarters, ())}:
                if taken.setdefault(label, name) != name:
                    raise ContentError("setup.toml", name, f"shares {label} with {taken[label]}: nobody could tell whose it is")
            self._check_size(zone, name)

    def _check_size(self, zone: Zone, name: str) -> None:
        """Fail if the units of a formation do not fit its zone."""
        leaders, troops, hexes = self.orders[zone.side, zone.formation]
        if len(leaders) > 1:
            raise ContentError("units.toml", f"unit {leaders[1]}", f"{zone.formation} has a headquarters already: {leaders[0]}")
        least, most = (sum(numbers) for numbers in zip(*hexes.values(), strict=True))
        if not least <= len(troops) <= most:
            count = f"{len(troops)} units besides headquarters"
            raise ContentError("setup.toml", name, f"has {count}, and its {len(hexes)} hexes hold {least} to {most}")


@record
class Place(UnitAction):
    """Set a unit up in a hex."""

    kind = "place"
    says = "place {unit} in {to}"
    to: str


@record
class PlaceRest(Action):
    """Set up all remaining units automatically."""

    kind = "place-rest"
    says = "set up the rest automatically"


@record
class SettingUp(Step):
    """4.0.1: a side places its units, each in the zone of its formation."""

    kind = "setting-up"
    clause: ClassVar[str] = "4.0.1"
    seat: SeatName

    def _waiting(self, at: At) -> tuple[str, ...]:
        side, memo = at.world.seats[self.seat], at.state.layout.memo
        waiting: tuple[str, ...] | None = memo.get((SET_UP, side))
        if waiting is None:
            waiting = tuple(filter(at.world.deployment.units_of[side].__contains__, at.state.layout.stacks.get(SET_UP, ())))
            memo[SET_UP, side] = waiting
        return waiting

    def _mine(self, at: At, seat: str) -> tuple[str, ...]:
        waiting = self._waiting(at)
        return tuple(unit for unit in waiting if at.world.teams.owns(seat, unit)) if at.world.teams.divided else waiting

    def deciders(self, at: At) -> tuple[str, ...]:
        """The owner, while a unit is to be placed; in a team, everybody who has one (19.2)."""
        if not at.world.teams.divided:
            return (self.seat,) if self._waiting(at) else ()
        return tuple(seat for seat in at.world.seats_of(at.world.seats[self.seat]) if self._mine(at, seat))

    def prompt(self, at: At, seat: str) -> str:
        """Which formations are to be set up."""
        waiting = self._mine(at, seat)
        formations = dict.fromkeys(at.world.units[unit].formation for unit in waiting)
        return f"Set up {len(waiting)} units of {', '.join(formations)}."

    def choices(self, at: At, unit: str) -> ActionSet:
        """Every hex where it may be placed."""
        counter = at.world.units[unit]
        return at.world.deployment.plan(at, counter.side, counter.formation).choices(unit)

    def actions(self, at: At, seat: str) -> ActionSet:
        """All at once, or unit by unit; 19.2: not those of others."""

        def missing(action: UnitAction) -> Refusal | None:
            return at.world.teams.not_yours(seat, action.unit) if action.unit in self._waiting(at) else None

        size_key = at.world.deployment.kinds.__getitem__
        return Grouped([PlaceRest()], self._mine(at, seat), partial(self.choices, at), unit_of, missing, size_key)

    def perform(self, play: Doing, seat: str, action: Action) -> None:
        """Place one, or the rest."""
        if isinstance(action, Place):
            _place(play, action.unit, action.to)
        else:
            place_rest(play, play.world.seats[seat], seat)

    def resume(self, play: Doing) -> None:
        """All are placed."""
        play.pop()


def _place(play: Doing, unit: str, label: str) -> None:
    play.emit(UnitPlaced(unit, label, "is set up in", clause="4.0.1"))


# -- automatic set-up -----------------------------------------------------------------------------------------------------


def place_rest(play: Doing, side: str, seat: str = "") -> None:
    """Set up all waiting units: headquarters on their symbols, strong units in front, hexes that need a unit first.

    Args:
        play: the game.
        side: whose units.
        seat: only those that this seat commands, if it is named.
    """
    for of_side, formation in play.world.deployment.zones:
        units = play.world.deployment.formations[of_side, formation]
        if of_side == side and (not seat or not units or play.world.teams.owns(seat, units[0])):
            for unit, label in _plan(play, side, formation):
                _place(play, unit, label)


def _plan(at: At, side: str, formation: str) -> Iterator[tuple[str, str]]:
    plan = at.world.deployment.plan(at, side, formation)
    if plan.headquarters:
        yield plan.headquarters, plan.symbol
    front = sorted(plan.room, key=lambda label: (at.world.deployment.fronts.get(label, 0), label))
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
