"""Who comes, and where (12, 15)."""

from __future__ import annotations

from typing import Any

from hexwar.engine import Game, PhaseEntered, Step
from hexwar.mechanics import (
    Arrive,
    Arriving,
    CupFilled,
    Entering,
    UnitPlaced,
)
from hexwar.testing.checks.following import Following, current
from hexwar.testing.oracles import Entry, Field
from hexwar_ava.kit.rules import (
    AXIS,
    MOVEMENT,
    PRINTED,
    SET_UP,
    SOVIET,
    STACKING,
    SUPPLY,
    AvaField,
    entry_of,
    of,
)

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
        able = {label for label in SUPPLY.railway(field, it.side) if MOVEMENT.may_stand(sheet, it.side, it.arm, label)}
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
