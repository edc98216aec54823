"""Where units are, come from and go to: set-up (4), boxes (10.8), supply checks (11, 14, 16.2), reinforcements (12, 15)."""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Iterator, Mapping
from typing import Any

from hexwar.engine import Game, GameEnded, PhaseEntered, Step
from hexwar.mechanics import Arrive, Arriving, Entering
from hexwar.pieces import CupFilled, UnitEliminated, UnitPlaced
from hexwar.testing import HUGE, Following, SeatAction, Survey, current, observe
from hexwar.testing.oracles import Entry, Field
from hexwar_ava.fortresses import Build, Building
from hexwar_ava.kit.rules import (
    AXIS,
    BREAKTHROUGH,
    CITIES,
    FORTRESS,
    MECHANIZED,
    MOVEMENT,
    PRINTED,
    RAILWAY,
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
from hexwar_ava.state import FortressBuilt, StoodDown, UnitWithdrawn
from hexwar_ava.supply import StandDown, StandingDown, Withdraw, Withdrawing

# -- 4, 9.1.4, 10.8 boxes and set-up -------------------------------------------------------------------------------------------


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
            game = there.start(seed)
            for fault in observe(game, [watch], _crowding(game) if scenario == "smolensk" else iter(())):
                raise self.fail(f"{scenario}: {fault.error.message}")


def _crowding(game: Game) -> Iterator[SeatAction]:
    """Units go where others are, but not on the symbols of headquarters."""
    symbols = {label for name, hexes in game.world.board.areas.items() if name.startswith("hq ") for label in hexes}
    while game.state.phase == SET_UP:
        seat, crowds = game.to_move[0], Multiset(game.state.locations.values())
        places = [action for action in game.legal_actions(seat) if isinstance(action, Place)]
        first = [action for action in places if action.unit == places[0].unit]
        yield seat, max(first, key=lambda place: (place.to not in symbols, crowds[place.to], place.to))


# -- 11, 14, 16.2 supply checks ------------------------------------------------------------------------------------------------


FORTRESSES = {"training": (2, 1, 1), "leningrad": (4, 3, 1), "kiev": (4, 3, 1), "campaign": (4, 6, 2)}
"""14.0.1, 14.1.1, 14.1.4, 18.1.5, 18.3.4: from which turn, in how many hexes, and how many levels a check."""


def sites(field: AvaField, done: int = 0) -> set[str]:
    """14.0.1, 14.1: where a level may be built, when some have been built in this check."""
    begins, hexes, levels = FORTRESSES.get(field.scenario, (99, 0, 0))
    if field.turn < begins or done >= levels:
        return set()
    forts, counters, enemies = field.forts, field.world.units, field.held(AXIS)
    built = [fort for fort in forts.values() if SET_UP not in fort.counter.tags]
    spare = {counters[unit].sheet for unit in field.boxed("fortress markers")} if len(built) < hexes else set()  # type: ignore[attr-defined]
    return {
        label
        for label in SUPPLY.lines(field, SOVIET)
        if field.sheet.kinds.get(label) == "major-city"
        and field.control[label] == SOVIET
        and not enemies & {*field.sheet.near[label]}
        and (forts[label].steps < 2 if label in forts else label[0] in spare)
    }


def markers(field: AvaField) -> set[str]:
    """16.2.3: which Stand Fast markers may be removed."""
    mine = {label for label in field.stand_fast if field.control[label] == SOVIET} if field.turn >= 6 else set()
    return mine & {*SUPPLY.lines(field, SOVIET)} if mine else set()


CONDITIONS = {
    "somebody_sets_up": lambda field: bool(field.boxed(SET_UP)),
    "level_can_be_built": lambda field: bool(sites(field)),
    "marker_can_go": lambda field: bool(markers(field)),
}
"""What the table of questions asks about a position."""


class SupplyChecksAreRight(Following):
    """After its losses a supply check goes on as the literal rules say, in their order (11.2, 14.1, 16.2.3, 18.2.5)."""

    _stage = -1
    """-1 outside a check; 0 losses, 1 units that leave, 2 units into the box, 3 fortresses, 4 Stand Fast markers (11.0.1)."""
    _levels = 0
    _gone = 0
    """18.2.5: the attack points that have left."""

    def judge(self, entry: Entry) -> None:
        """What happens in a check."""
        event, field = entry.event, of(entry.before)
        if isinstance(event, PhaseEntered | GameEnded):
            self._reach(4, field)
            begins = isinstance(event, PhaseEntered) and event.phase == "activation" and field.chit == "supply"
            self._stage, self._levels, self._gone = (0 if begins else -1), 0, 0
        elif isinstance(event, UnitEliminated) and event.clause == STARVED:
            self.demand(self._stage == 0, f"{event!r} when others have left or built", "11.0.1")
        elif isinstance(event, UnitWithdrawn):
            self._withdrawn(event, field)
        elif isinstance(event, FortressBuilt):
            self._reach(3, field)
            self.demand(event.hex in sites(field, self._levels), f"{event!r}, which is not allowed", "14.1.2")
            level = field.steps_left[event.marker] + 1 if field.locations[event.marker] == event.hex else 1
            self.demand(event.level == level, f"{event!r}: it should have {level}", "14.1.5")
            self._levels += 1
        elif isinstance(event, StoodDown):
            self.demand(self._stage < 4, f"{event!r} as the second one", "16.2.3")
            self.demand(event.hex in markers(field), f"{event!r}, which is not allowed", "16.2.3")
            self._reach(4, field)

    def _reach(self, stage: int, field: AvaField) -> None:
        """Go on; 18.2.5: the units that leave have left before any goes into the box."""
        self.demand(self._stage <= stage, f"stage {stage} of a supply check after stage {self._stage}", "11.0.1")
        if self._stage in (0, 1) and stage > 1 and field.turn == 6 and field.scenario.startswith("smolensk"):
            left = [piece.id for piece in field.of_side(AXIS) if piece.arm in MECHANIZED]
            self.demand(self._gone >= 18 or not left, f"units with {self._gone} attack points leave, not with 18", "18.2.5")
        self._stage = stage if self._stage >= 0 else -1

    def _withdrawn(self, event: UnitWithdrawn, field: AvaField) -> None:
        piece = field.piece(event.unit)
        if self._stage < 0:
            comes = piece.at == f"turn {field.turn}" and event.to == f"{piece.side} available" and field.phase == "end"
            allowed = piece.side == AXIS or field.is_option_on("relocation")
            self.demand(comes and allowed, f"{event!r} from {piece.at}", "5.0.8")
        elif event.to == "axis available":
            self._reach(2, field)
            self.demand(piece.side == AXIS and piece.at in SUPPLY.lines(field, AXIS), f"{event!r} without a line", "11.2.2")
        else:
            self._reach(1, field)
            due = field.scenario.startswith("smolensk") and field.turn == 6 and self._gone < 18
            right = due and piece.side == AXIS and piece.arm in MECHANIZED and piece.at in field.sheet.terrain
            self.demand(right and event.to == "axis eliminated", f"{event!r} when {self._gone} points have left", "18.2.5")
            self._gone += piece.attack

    def offered(self, game: Game, field: Field, seat: str) -> None:
        """What may be done in a check."""
        here, step = of(field), game.state.stack[-1]
        if isinstance(step, Withdrawing) and self.samples(field, len(game.history)):
            line = SUPPLY.lines(field, AXIS)
            able = {piece.id for piece in field.of_side(AXIS) if piece.at in line}
            told = {action.unit for action in game.legal_actions(seat) if isinstance(action, Withdraw)}
            self.same("the units that may be taken off the map", told, able, "11.2.2")
        elif isinstance(step, Building | StandingDown) and (
            field.world.board.size < HUGE or self.samples(field, len(game.history))
        ):
            told = {action.hex for action in game.legal_actions(seat) if isinstance(action, Build | StandDown)}
            due = sites(here, self._levels) if isinstance(step, Building) else markers(here)
            self.same("the hexes to build in, or to remove a marker from", told, due, "14.1.2, 16.2.3")


# -- 12, 15 who comes, and where -----------------------------------------------------------------------------------------------


RESERVE = {"campaign": 12, "smolensk": 6, "smolensk-short": 6}
"""15.4.1: the units of the strategic reserve, from turn 6 on."""


class ReinforcementsAreRight(Following):
    """Who comes onto the map may, in that turn, in that hex and in that number (5.0.8, 12, 15.3, 15.4, 18.1.8)."""

    _come: tuple[str, ...] = ()
    """How many have come with the chit: of each nation, and as the strategic reserve."""

    def judge(self, entry: Entry) -> None:
        """A unit comes."""
        event, field = entry.event, of(entry.before)
        if isinstance(event, PhaseEntered):
            self._come = ()
        elif isinstance(event, CupFilled):
            late = [unit for number in range(1, field.turn + 1) for unit in field.boxed(f"turn {number}")]
            axis = [unit for unit in late if field.world.units[unit].side == AXIS]
            self.demand(not axis, f"{axis} still wait on the turn track", "5.0.8")
        elif isinstance(event, UnitPlaced) and field.phase != SET_UP and event.location in field.sheet.terrain:
            self._placed(event, field)

    def _placed(self, event: UnitPlaced, field: AvaField) -> None:
        counter: Any = field.world.units[event.unit]
        here, chit, turn = field.locations[event.unit], PRINTED.chits.get(field.chit), field.turn
        if event.clause in ("15.3.1", "15.3.2", "15.3.3"):
            self.demand(here == "turn 3" and field.chit == "su-19a" and turn >= 3, f"{event!r} from {here}", "15.3.1")
            hexes = self._entries(field)
            self.demand(event.location in ({field.entry} & hexes or hexes), f"{event!r}: 19A enters by {hexes}", "15.3.2")
            return
        right = chit is not None and chit.kind == "reinforcements" and chit.side == counter.side
        self.demand(right and here == f"{counter.side} available", f"{event!r} from {here} with {field.chit}", "12.0.1, 12.2.1")
        if event.clause in ("15.4.1", "15.4.2", "15.4.3"):
            self._come = (*self._come, "reserve")
            right = turn >= 6 and self._come.count("reserve") <= RESERVE.get(field.scenario, 0)
            self.demand(right, f"{event!r} as number {self._come.count('reserve')} of the reserve", "15.4.1")
            self.demand(event.location in field.sheet.areas["supply moscow"], f"{event!r}: no hex from Moscow", "15.4.2")
            return
        self.demand(turn >= (entry_of(field).reinforcements_from or 4), f"{event!r} in turn {turn}", "12.0.1")
        self.demand(event.location in self.hexes(field, event.unit), f"{event!r}, where it may not be placed", "12.1.3")
        if event.clause == "18.1.8":
            self.demand(counter.start == "turn 7" and turn == 7, f"{event!r} beyond the number", "18.1.8")
        elif event.clause != "17.3.2":
            self._come = (*self._come, counter.nation)
            right = self._come.count(counter.nation) <= self.number(field, counter.nation)
            self.demand(right, f"{event!r} as number {self._come.count(counter.nation)} of its nation", "12.2.1")

    def number(self, field: Field, nation: Any) -> int:
        """12.2.1: how many units of a nation come this turn."""
        return PRINTED.track.track[entry_of(field).track].reinforcements[nation][field.turn - 1]

    def hexes(self, field: Field, unit: str) -> set[str]:
        """12.1: where a unit may be placed."""
        it, sheet = field.world.units[unit], field.sheet
        able = {label for label in RAILWAY.lines(field, it.side) if MOVEMENT.may_stand(sheet, it.side, it.arm, label)}
        return {label for label in able if STACKING.has_room(field, unit, label)}

    def _entries(self, field: AvaField) -> set[str]:
        """15.3.2: the Soviet sources on the east edge."""

        def column(label: str) -> int:
            return int(label[-4:-2])

        sources = SUPPLY.sources(field, SOVIET)
        eastern = {s for s in sources if all(column(near) <= column(s) for near in field.sheet.near[s])}
        return eastern - field.held(AXIS)

    def pushed(self, step: Step, field: Field) -> None:
        """12.2.1: who may come; 15.4.2: where the reserve enters."""
        if isinstance(step, Arriving) and step.about == "arrival" and step.units and not field.is_option_on("relocation"):
            counters: Any = field.world.units
            first = counters[step.units[0]]
            waiting = {unit for unit in field.boxed(f"{first.side} available") if counters[unit].nation == first.nation}
            self.same("the units that may come", step.units, waiting, "12.2.1")
            number = self.number(field, first.nation)
            self.demand(step.limit == number, f"{step.limit} {first.nation} units may come, not {number}", "12.2.1")
        elif isinstance(step, Entering) and step.about == "entering":
            self.same("where the reserve enters", step.hexes, field.sheet.areas["supply moscow"], "15.4.2")

    def offered(self, game: Game, field: Field, seat: str) -> None:
        """12.1: where the units that may come are offered to come."""
        step = current(game, Arriving)
        if step is not None and self.samples(field, len(game.history)):
            told: dict[str, set[str]] = {}
            for action in game.legal_actions(seat):
                if isinstance(action, Arrive):
                    told.setdefault(action.unit, set()).add(action.to)
            for unit in sorted(told)[: self.budget.probes]:
                self.same(f"the hexes for {unit}", told[unit], self.hexes(field, unit), "12.1.3")
