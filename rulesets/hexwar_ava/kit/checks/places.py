"""Boxes and set-up: where units are before, during and after a game (4, 9.1.4, 10.8)."""

from __future__ import annotations

import random
from collections import Counter as Multiset
from collections.abc import Iterator, Mapping
from typing import Any

from hexwar.engine import Game, PhaseEntered
from hexwar.mechanics import (
    UnitEliminated,
    UnitPlaced,
)
from hexwar.testing.checks.following import Following
from hexwar.testing.oracles import Entry, Field
from hexwar.testing.playouts import SeatAction
from hexwar.testing.watch import Survey, observe, random_decisions
from hexwar_ava.kit.rules import (
    AXIS,
    BREAKTHROUGH,
    CITIES,
    FORTRESS,
    MECHANIZED,
    PRINTED,
    SET_UP,
    SOVIET,
    STACKING,
    STAND_FAST,
    STARVED,
    SUPPLY,
    AvaField,
    entry_of,
    of,
)
from hexwar_ava.setting_up import Place

WEST = "west of the start line"


class PlacesAreRight(Following):
    """The eliminated go to the right box, and what is remembered is as the events say (9.1.4, 10.3.4, 10.8, 16.2)."""

    many = True

    def judge(self, entry: Entry) -> None:
        """10.8: the box of an eliminated unit."""
        event, counters = entry.event, entry.before.world.units
        if isinstance(event, UnitEliminated):
            counter = counters[event.unit]
            returns = counter.side == SOVIET and counter.arm not in (*MECHANIZED, FORTRESS) and event.clause != STARVED
            box = "soviet available" if returns else f"{counter.side} eliminated"
            self.demand(event.to == box, f"{event!r}: it goes to the box {box!r}", "10.8.1" if returns else "10.8.2")

    def stands(self, game: Game, field: Field) -> None:
        """The books must agree with the state."""
        here, on_map = of(field), {*field.pieces}
        for name in ("stand_fast", "added", "entry", "city_reached", "zhukov"):
            told, kept = getattr(game.state, name), getattr(here, name)
            told, kept = ({*told}, {*kept}) if isinstance(told, tuple) else (told, kept)
            self.demand(told == kept, f"{name} is {told}; by the events it is {kept}")
        if not game.world.teams.divided:
            self.same("who is active", game.state.active, here.active, "8.1.1")
            self.same("who has retreated", on_map & {*game.state.retreated}, on_map & {*here.retreated}, "10.3.4")
        beyond = field.held(SOVIET) & {*field.sheet.areas.get(WEST, ())}
        self.demand(not beyond, f"Soviet units stand in {beyond}, beyond the start line", "9.1.4")


class SetUpIsRight(Following):
    """Every game begins with the printed counters, each formation in its zone (4)."""

    many = True
    _zones: Mapping[tuple[str, str], Any] = {}
    _over = True

    def begin(self, game: Game) -> None:
        """4.0.10 to 4.0.18: counters, boxes, markers; a hand-made position is not judged."""
        first, world = game.first_state, game.world
        if world.setup.board is None and {*first.locations} == {*world.units}:
            self._over = False
            self._counters(of(self.books.field.of(world, first)))
        super().begin(game)

    def _counters(self, first: AvaField) -> None:
        entry, sheet, counters = entry_of(first), first.sheet, first.world.units
        used = PRINTED.units.values()
        roster = {
            unit.id: entry.start.get(unit.id, unit.start)
            for unit in used
            if (unit.id in entry.start if entry.start else unit.sheet in entry.sheets and not unit.tags & {*entry.without})
        }
        forts = {unit for unit in first.locations if counters[unit].arm == FORTRESS}
        told = {(unit, label) for unit, label in first.locations.items() if unit not in forts}
        self.same("counters and where they begin", told, roster.items(), "2.2.6, 4.0.11")
        weak = [unit for unit in roster if first.steps_left[unit] != len(PRINTED.units[unit].faces)]
        wrong = [unit for unit in roster if counters[unit].faces != PRINTED.units[unit].faces]
        self.demand(not weak, f"{weak} do not begin at full strength", "4.0.13")
        self.demand(not wrong, f"{wrong} have other numbers than their counters", "2.2.7")
        smolensk = "S" in entry.sheets
        self.demand(len(first.boxed("turn 3")) == (11 if smolensk else 0), "other units wait on turn 3 than 19A", "4.0.10")
        standing = {(first.locations[unit], first.steps_left[unit]) for unit in forts if first.locations[unit] in sheet.terrain}
        self.same("fortresses and their levels", standing, {("S0927", 1)} if smolensk else (), "4.0.16")
        self.demand(first.turn == 1, f"the game begins in turn {first.turn}", "4.0.18")
        self.same("Stand Fast markers", first.stand_fast, {*STAND_FAST} & {*sheet.terrain}, "4.0.17")
        cities = {label for label, kind in sheet.kinds.items() if kind in CITIES}
        more = {label for label in BREAKTHROUGH if label in sheet.terrain and first.scenario == "smolensk"}
        west = cities & {*sheet.areas.get(WEST, ())}
        places = {*cities, *SUPPLY.sources(first, SOVIET), *more}
        self.same("who controls what", first.control.items(), {(p, AXIS if p in west else SOVIET) for p in places}, "3.4.1")
        if not entry.start:
            self._zones = {(zone.side, zone.formation): zone for zone in PRINTED.setup.zone if zone.sheet in entry.sheets}

    def judge(self, entry: Entry) -> None:
        """A unit is placed, or the set-up is over."""
        event, field = entry.event, entry.before
        if isinstance(event, UnitPlaced) and field.phase == SET_UP:
            self._placed(event, field)
        elif isinstance(event, PhaseEntered) and event.phase not in (SET_UP, "bidding") and not self._over:
            self._over = True
            self._finished(field)

    def _placed(self, event: UnitPlaced, field: Field) -> None:
        counter: Any = field.world.units[event.unit]
        waiting = {unit for unit in field.boxed(SET_UP) if field.world.units[unit].side == SOVIET}
        self.demand(counter.side == SOVIET or not waiting, f"{event!r} before the Soviets have set up", "4.0.2")
        zone = self._zones.get((counter.side, counter.formation))
        self.demand(zone is not None and field.locations[event.unit] == SET_UP, f"{event!r}: it is not to be set up", "4.0.1")
        symbol = field.sheet.areas.get(zone.headquarters, ())[:1]  # type: ignore[union-attr]
        inside = symbol if counter.arm == "hq" and symbol else (*field.sheet.areas.get(zone.hexes, ()), *symbol)  # type: ignore[union-attr]
        self.demand(event.location in inside, f"{event!r}: {counter.formation} sets up in {inside}", "4.0.3, 4.0.6 to 4.0.9")
        there = field.stacks.get(event.location, ())
        self.demand(STACKING.fits(field, (*there, event.unit), event.location), f"{event!r}, where {there} are", "4.0.1")

    def _finished(self, field: Field) -> None:
        self.demand(not field.boxed(SET_UP), f"{field.boxed(SET_UP)} are not set up", "4.0.1")
        counters: Any = field.world.units
        for (side, formation), zone in self._zones.items():
            mine = [unit for unit, it in counters.items() if (it.side, it.formation) == (side, formation)]
            held = Multiset(field.locations[unit] for unit in mine)
            empty = [label for label in field.sheet.areas.get(zone.hexes, ()) if zone.kind != "range" and not held[label]]
            self.demand(not empty, f"nobody of {formation} is in {empty[:3]}", "4.0.7")
            for symbol in field.sheet.areas.get(zone.headquarters, ())[:1] if formation == "2PzG" else ():
                self.demand(held[symbol] == 2, f"the headquarters of 2PzG has no company in {symbol}", "4.0.5")


class SetUpsAreRight(Survey):
    """The formations of Smolensk set up in their zones, and the other scenarios begin as printed (4)."""

    once = True

    def run(self, seed: int) -> None:
        """See `Survey.run`."""
        for scenario in ("smolensk", "kiev", "leningrad"):
            there = self.subject.among([scenario])[0]
            watch = SetUpIsRight(there, self.budget)
            for fault in observe(
                there.start(seed), [watch], _crowding if scenario == "smolensk" else random_decisions(random, 0)
            ):
                raise self.fail(f"{scenario}: {fault.error.message}")


def _crowding(game: Game) -> Iterator[SeatAction]:
    """Units go where others are, but not on the symbols of headquarters."""
    symbols = {label for name, hexes in game.world.board.areas.items() if name.startswith("hq ") for label in hexes}
    while game.state.phase == SET_UP:
        seat, crowds = game.to_move[0], Multiset(game.state.locations.values())
        places = [action for action in game.legal_actions(seat) if isinstance(action, Place)]
        first = [action for action in places if action.unit == places[0].unit]
        yield seat, max(first, key=lambda place: (place.to not in symbols, crowds[place.to], place.to))
