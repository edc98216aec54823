"""The sequence of play, chits and activation (5 to 8, 16.4, 17, 18), and who decides (7.1, 19, 20); games of the bot."""

from __future__ import annotations

import random
from collections import Counter as Multiset
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from hexwar.engine import Action, Game, GameEnded, PhaseEntered, Step
from hexwar.mechanics import Declaring, Moving, Retreat
from hexwar.pieces import (
    ChitDrawn,
    ChitPlayed,
    ChitReturned,
    CupFilled,
    Interrupt,
    Interrupting,
    LoseStep,
    TurnBegan,
    UnitsActivated,
)
from hexwar.testing import Following, SeatAction, Subject, Survey, checks_of, current, observe
from hexwar.testing.oracles import Entry, Field
from hexwar_ava.bot import Commander
from hexwar_ava.fortresses import Build
from hexwar_ava.kit.rules import AXIS, COMMAND, MECHANIZED, PRINTED, SET_UP, SOVIET, AvaField, entry_of, of
from hexwar_ava.setting_up import Place
from hexwar_ava.state import ChitAdded, ZhukovCalled
from hexwar_ava.supply import StandDown, Withdraw
from hexwar_ava.team_state import DOWN

# -- 5 to 8, 16.4, 17, 18 turns and activation ---------------------------------------------------------------------------------


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


# -- 7.1, 19, 20 who decides, where several play -------------------------------------------------------------------------------


class DecidersAreRight(Following):
    """The player who commands a unit or a map decides for it (7.1.2, 19.2)."""

    many = True
    _called: frozenset[str] = frozenset()
    """Who has been activated this turn, perhaps by the headquarters of another player."""

    def judge(self, entry: Entry) -> None:
        """Who is activated."""
        if isinstance(entry.event, UnitsActivated):
            self._called |= {*entry.event.units}
        elif isinstance(entry.event, TurnBegan):
            self._called = frozenset()

    def commander(self, field: Field, unit: str) -> str:
        """19.2: by formation, by nation, or by the map on which a unit is at home."""
        counter: Any = field.world.units[unit]
        roles = [role for role in PRINTED.roles.role if role.seat in field.world.seats and role.side == counter.side]
        by_formation = [role for role in roles if counter.formation and counter.formation in role.formations]
        by_nation = [role for role in roles if counter.nation in role.nations]
        return (by_formation or by_nation or [role for role in roles if counter.sheet in role.sheets] or roles)[0].seat

    def decided(self, seat: str, action: Action, field: Field) -> None:
        """Who did what."""
        unit, label, seats = getattr(action, "unit", ""), getattr(action, "hex", ""), field.world.seats
        if unit in field.world.units:
            self.demand(seats[seat] == field.world.units[unit].side, f"{seat} decides for {unit}: {action}", "7.1.2")
        if len(seats) == 2:
            return
        if isinstance(action, Place | Withdraw):
            self.demand(seat == self.commander(field, unit), f"{seat} decides for {unit}: {action}", "19.2.1")
        elif isinstance(action, LoseStep | Retreat):
            may = {self.commander(field, other) for other in (unit, *field.stacks.get(field.locations[unit], ()))}
            right = seat in may or unit in self._called or len(may) > 1
            self.demand(right, f"{seat} decides for {unit} of {may}: {action}", "19.2.1")
        elif isinstance(action, Build | StandDown):
            sheets = next(role.sheets for role in PRINTED.roles.role if role.seat == seat)
            self.demand(label[:1] in sheets, f"{seat} decides about {label}, which is not on his map", "19.2.6")


class TeamChitsAreKept(Following):
    """Where many play, every chit of a turn stays in a cup, in a hand, in a row or open (7.1.3, 19.4.2, 20.1)."""

    many = True
    _known = 0, Multiset[str]()

    def stands(self, game: Game, field: Field) -> None:
        """Count them."""
        state: Any = game.state
        if not game.world.teams.divided or state.phase in ("", SET_UP, "selection", "surprise") or not game.to_move:
            return
        held = [chit for hands in (state.hand.values()) for chit in hands]
        divided = [chit for of_side in state.staff.values() for _, chit in of_side]
        row = [chit for chit, face, _ in state.queue if face == DOWN or chit not in state.drawn]
        chits = Multiset([*state.cup, *state.drawn, *held, *divided, *row])
        turn, known = self._known
        self.demand(turn != state.turn or chits == known, f"{(chits - known) + (known - chits)}: too many or too few", "7.1.3")
        self._known = state.turn, chits


# -- games of the bot ----------------------------------------------------------------------------------------------------------


class BotGamesAgree(Survey):
    """Games of the bot obey the literal rules, in the ci tier in every scenario."""

    once = True

    def run(self, seed: int) -> None:
        """See `Survey.run`."""
        for number in range(self.budget.probes):
            self._play(self.subject, f"{seed}|{number}", number, 1_500)
        if self.budget.tier != "quick":
            for scenario in self.subject.info.scenarios[1:]:
                there = replace(self.subject, scenario=scenario.id, options={**self.subject.options, "auto-setup": True})
                self._play(there, seed, seed, 15 * self.budget.probes)

    def _play(self, subject: Subject, key: int | str, number: int, limit: int) -> None:
        """One game: the bot against itself or, as either side, against random play; or random play alone."""
        game, chance = subject.start(key), random.Random(number)
        led = ((AXIS, SOVIET), (AXIS,), (SOVIET,), ())[number % 4]
        bots = {seat: Commander() for seat, side in game.world.seats.items() if side in led}

        def decide(game: Game) -> Iterator[SeatAction]:
            for _ in range(limit if game.to_move else 0):
                if not game.to_move:
                    return
                seat = game.to_move[0]
                yield seat, bots[seat].choose(game.view(seat), chance) if seat in bots else game.offered(seat).sample(chance)

        kinds = [it for it in checks_of(subject, "quick") if issubclass(it, Following)]
        for fault in observe(game, [kind(subject, self.budget) for kind in kinds], decide(game)):
            raise self.fail(f"{subject.scenario}, game {number}, decision {len(fault.moves)}: {fault.error}")
