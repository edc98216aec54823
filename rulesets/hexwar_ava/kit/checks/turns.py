"""The sequence of play, chits and activation (5 to 8, 16.4, 17, 18)."""

from __future__ import annotations

from typing import Any

from hexwar.engine import Game, GameEnded, PhaseEntered, Step
from hexwar.mechanics import (
    ChitDrawn,
    ChitPlayed,
    ChitReturned,
    CupFilled,
    Declaring,
    Interrupt,
    Interrupting,
    Moving,
    TurnBegan,
    UnitsActivated,
)
from hexwar.testing.checks.following import Following, current
from hexwar.testing.oracles import Entry, Field
from hexwar_ava.kit.rules import (
    AXIS,
    COMMAND,
    MECHANIZED,
    PRINTED,
    SOVIET,
    AvaField,
    entry_of,
    of,
)
from hexwar_ava.state import ChitAdded, ZhukovCalled

LAST_TURN = {"training": 4, "smolensk-short": 6}
"""5.0.2, 18.2.7: the last turn where it is not the ninth."""


class TurnsAreRight(Following):
    """Turns, interrupts, further armies, Zhukov and the end come as the literal rules say (5, 7.3, 16.4, 18.1)."""

    _added: tuple[str | None, ...] = ()
    _returned = _played = False
    _asked = True

    def pushed(self, step: Step, field: Field) -> None:
        """A player is asked for an interrupt."""
        self._asked = self._asked or isinstance(step, Interrupting)

    def judge(self, entry: Entry) -> None:
        """Check the order of events."""
        event, field = entry.event, of(entry.before)
        last = LAST_TURN.get(field.scenario, 9)
        whole = field.is_option_on("full-turns")
        if isinstance(event, ChitAdded):
            sheet = PRINTED.chits[event.chit].sheet if PRINTED.chits[event.chit].choice else ""
            known = field.added.get(event.side, ())
            self.demand(field.turn >= 4 and event.side == SOVIET and sheet and event.chit not in known, repr(event), "18.1.4")
            self._added = (*self._added, sheet)
        elif isinstance(event, CupFilled):
            self._full(field)
        elif isinstance(event, ChitDrawn):
            ended = field.turn == last and "supply" in field.drawn and not whole
            self.demand(not ended, f"{event.chit} is drawn after the last supply check", "16.4.1")
            self._asked = self._returned = self._played = False
        elif isinstance(event, ChitReturned):
            self._returned = True
        elif isinstance(event, ChitPlayed):
            right = not field.cup if field.phase == "held" else self._returned and not self._played
            self.demand(right, f"{event!r} in the phase {field.phase}, with {field.cup} in the cup", "7.3.2, 7.3.4, 7.3.5")
            self._returned, self._played = False, True
        elif isinstance(event, PhaseEntered) and (field.phase, event.phase) == ("command", "activation"):
            may = bool(field.hand.get(AXIS) or (field.hand.get(SOVIET) and 0 < field.zhukov < field.turn))
            self.demand(self._asked or not may, f"{field.chit} is resolved, and nobody was asked for an interrupt", "7.3.1")
        elif isinstance(event, TurnBegan):
            self.demand("supply" in field.drawn and field.turn < last, f"turn {field.turn} ends", "5.0.2, 6.2.5")
        elif isinstance(event, ZhukovCalled):
            near = field.scenario == "leningrad" and field.city_reached and not field.zhukov
            self.demand(near, f"{event!r} once more, or no Axis unit was near", "18.1.9")
        elif isinstance(event, GameEnded):
            right = field.turn == last and (field.phase == "verdict" if whole else field.chit == "supply")
            self.demand(right, f"the game ends in turn {field.turn}, after {field.chit}", "5.0.2, 16.4.1")

    def _full(self, field: AvaField) -> None:
        """18.1.4: as many armies of each map as are left to add, up to the number."""
        extra = entry_of(field).extra_headquarters.chits if field.turn >= 4 else {}
        for sheet, number in extra.items():
            choice = {chit.id for chit in PRINTED.chits.values() if chit.choice and chit.sheet == sheet}
            added = self._added.count(sheet)
            due = min(number, len(choice) - len(choice & {*field.added.get(SOVIET, ())}) + added)
            self.demand(added == due, f"{added} armies of map {sheet} were added, not {due}", "18.1.4")
        self._added = ()

    def offered(self, game: Game, field: Field, seat: str) -> None:
        """7.3.1: what is held may interrupt."""
        if current(game, Interrupting) is not None:
            told = [action.chit for action in game.legal_actions(seat) if isinstance(action, Interrupt)]
            self.same("the chits that may interrupt", told, field.hand.get(game.world.seats[seat], ()), "7.3.1")


class ActivationIsRight(Following):
    """A chit activates whom the literal rules name, and exactly these move and attack (7.2, 8, 15.1, 15.3)."""

    _owed = ""

    def judge(self, entry: Entry) -> None:
        """Who is active."""
        event, field = entry.event, of(entry.before)
        if isinstance(event, PhaseEntered):
            self.demand(not self._owed, f"the chit {self._owed} was not resolved", "7.2.1")
            active = PRINTED.chits[field.chit].kind in ("hq", "interrupt", "direct") if field.chit else False
            self._owed = field.chit if event.phase == "activation" and active else ""
            self.demand(event.phase != "movement" or field.active, "a movement segment, and nobody is active", "9.0.1")
        elif isinstance(event, UnitsActivated):
            self.demand(event.chit in (self._owed, "surprise"), f"{event!r}, and {self._owed or 'nothing'} was drawn", "7.2.1")
            self._owed = ""
            self._activated(event, field)

    def _activated(self, event: UnitsActivated, field: AvaField) -> None:
        units, counters = {*event.units}, field.world.units
        chit = PRINTED.chits.get(event.chit)
        if chit is not None and chit.kind == "direct":
            most = 3 if entry_of(field).reserves_hold_back else 5
            right = all(unit in field.pieces and counters[unit].side == chit.side for unit in units) and len(units) <= most
            self.demand(right, repr(event), "17.2.2")
            return
        expected = self._expected(field, event.chit)
        tanks = {unit for unit in expected if counters[unit].arm in MECHANIZED}
        leader: Any = counters[chit.activates] if chit else None
        if field.is_option_on("armour-limit") and leader and leader.nation == "german" and len(tanks) > 10:
            self.demand(len(units & tanks) == 10, f"{event!r}: {len(units & tanks)} mechanized units", "17.5.1")
            expected -= tanks - units
        if units or not field.is_option_on("panzer-headquarters"):  # 17.6.2
            self.same(f"the units that {event.chit} activates", units, expected, "8.1.1")

    def _expected(self, field: AvaField, chit: str) -> set[str]:
        if chit == "surprise":  # 15.1.1, 15.1.2
            leaders = entry_of(field).surprise_attack
            led = {(unit, PRINTED.units[leader].formation) for leader in leaders for unit in COMMAND.led_by(field, leader)}
            return {unit for unit, formation in led if PRINTED.units[unit].formation == formation}
        army = {unit for unit in field.boxed("turn 3") if field.world.units[unit].side == SOVIET}
        found = COMMAND.led_by(field, PRINTED.chits[chit].activates)
        return found | army if chit == "su-19a" and field.turn >= 3 else found  # 15.3.1

    def pushed(self, step: Step, field: Field) -> None:
        """9.1.1, 10.1.1: the active units on the map, each once."""
        if isinstance(step, Moving | Declaring) and not entry_of(field).reserves_hold_back:
            standing = {unit for unit in field.active if unit in field.pieces}
            self.same("the units that may move or attack", step.units, standing, "9.1.1, 10.1.1")

    def waits(self, step: Step, field: Field) -> None:
        """A hand-made position may begin with any units active."""
