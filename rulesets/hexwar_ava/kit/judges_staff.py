"""Judges of the staff work: set-up (4), turns and chits (5, 6, 7), activation (8, 15.1) and who decides (19.2)."""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from hexwar.engine import Action, Event, Game, PhaseEntered
from hexwar.engine.events import StepPushed
from hexwar.mechanics import (
    ActivationEnded,
    AttackAnnounced,
    CupFilled,
    Interrupt,
    LoseStep,
    Manner,
    Moving,
    Ready,
    Retreat,
    Select,
    Selecting,
    TurnBegan,
    UnitMoved,
    UnitPlaced,
)
from hexwar.mechanics.chits import ChitDrawn, ChitPlayed, ChitReturned, ChitSelected
from hexwar.mechanics.declared import TargetDeclared
from hexwar_ava.activation import Interrupting
from hexwar_ava.fortresses import Build
from hexwar_ava.kit import reference as ref
from hexwar_ava.kit.witness import Judge
from hexwar_ava.setting_up import Place
from hexwar_ava.state import ChitAdded, UnitsActivated, ZhukovCalled
from hexwar_ava.supply import StandDown, Withdraw
from hexwar_ava.tables import Chit
from hexwar_ava.team_state import DOWN

Subjects = Mapping[type[Event], Callable[[Any], None]]
SET_UP = "set-up"


class SetUp(Judge):
    """4.0: what lies where before the first decision, and where the formations are placed."""

    topic: ClassVar[str] = "set-up"
    teams: ClassVar[bool] = True

    def subjects(self) -> Subjects:
        """See `Judge.subjects`."""
        return {UnitPlaced: self._placed, PhaseEntered: self._phase}

    def begin(self, game: Game) -> None:
        """4.0.10 to 4.0.18: counters, boxes, markers."""
        first, books, printed = game.first_state, self.books, ref.PRINTED
        self._zones: dict[tuple[str, str], Any] = {}
        self._over = True
        if game.world.setup.board is not None or set(first.at) != set(game.world.units):
            return  # a position that was made by hand
        self._over = False
        entry = books.entry
        roster = {
            unit.id: unit
            for unit in printed.units.values()
            if (unit.id in entry.start if entry.start else unit.sheet in entry.sheets and not unit.tags & set(entry.without))
        }
        forts = {unit for unit in first.at if game.world.units[unit].arm == "fortress"}
        self.expect(set(first.at) - forts == set(roster), "2.2.6", "other counters than those of the scenario's maps are used")
        for unit, counter in roster.items():
            start = entry.start.get(unit, counter.start)
            self.expect(first.at.get(unit) == start, "4.0.11", f"{unit} begins in {first.at.get(unit)} and not in {start}")
            self.expect(first.steps.get(unit) == len(counter.faces), "4.0.13", f"{unit} does not begin at full strength")
            self.expect(game.world.units[unit].faces == counter.faces, "2.2.7", f"{unit} has other numbers than its counter")
        on_track = [unit for unit in roster if first.at.get(unit) == "turn 3"]
        self.expect(len(on_track) == (11 if "S" in entry.sheets else 0), "4.0.10", f"{len(on_track)} units wait on turn 3")
        standing = {first.at[unit] for unit in forts if first.at[unit] in books.field.terrain}
        self.expect(standing == ({"S0927"} if "S" in entry.sheets else set()), "4.0.16", f"fortresses stand in {standing}")
        self.expect(all(first.steps[unit] == 1 for unit in forts), "4.0.16", "a fortress of the set-up has more than one level")
        self.expect(first.turn == 1, "4.0.18", f"the game begins in turn {first.turn}")
        self.expect(set(first.stand_fast) == books.stand_fast, "4.0.17", f"Stand Fast markers are in {first.stand_fast}")
        self.expect(first.control == books.control, "3.4.1", "control at the start is not as the start line says")
        if not entry.start:
            self._zones = {(zone.side, zone.formation): zone for zone in printed.setup.zone if zone.sheet in entry.sheets}

    def _area(self, name: str) -> tuple[str, ...]:
        return tuple(self.books.world.board.areas.get(name, ()))

    def _placed(self, event: UnitPlaced) -> None:
        books = self.books
        if books.phase != SET_UP:
            return
        books.seen["set-up"] += 1
        counter = books.world.units[event.unit]
        self.expect(books.at[event.unit] == SET_UP, "4.0.1", f"{event}, but it is in {books.at[event.unit]}")
        waiting = [unit for unit in books.boxed(SET_UP) if books.side(unit) == "soviet"]
        self.expect(counter.side == "soviet" or not waiting, "4.0.2", f"{event} before the Soviets have set up")
        zone = self._zones.get((counter.side, counter.formation))
        if not self.expect(zone is not None, "4.0.1", f"{event}, but its formation has no zone"):
            return
        assert zone is not None
        symbol = self._area(zone.headquarters)[:1]
        if counter.arm == "hq" and symbol:
            self.expect(event.location == symbol[0], "4.0.3", f"{event}, and its symbol is in {symbol[0]}")
        else:
            clause = {"area": "4.0.6", "range": "4.0.8", "hex": "4.0.9"}[zone.kind]
            inside = event.location in {*self._area(zone.hexes), *symbol}
            self.expect(inside, clause, f"{event}, which is not in the zone of {counter.formation}")
        there = [unit for unit in books.boxed(event.location) if books.world.units[unit].arm != "fortress"]
        self.expect(len(there) < 2, "4.0.1", f"{event}, where {there} are")

    def _phase(self, event: PhaseEntered) -> None:
        if self._over or event.phase in (SET_UP, "bidding"):
            return
        self._over = True
        books = self.books
        self.expect(not books.boxed(SET_UP), "4.0.1", f"{sorted(books.boxed(SET_UP))[:3]} are not set up")
        for (side, formation), zone in self._zones.items():
            mine = [unit for unit, counter in books.world.units.items() if (counter.side, counter.formation) == (side, formation)]
            held = Multiset(books.at[unit] for unit in mine)
            symbol = self._area(zone.headquarters)[:1]
            if zone.kind != "range":
                empty = [label for label in self._area(zone.hexes) if not held[label]]
                self.expect(not empty, "4.0.7", f"nobody of {formation} is in {empty[:3]}")
            if formation == "2PzG" and symbol:
                self.expect(
                    held[symbol[0]] == 2, "4.0.5", f"the headquarters of 2PzG shares {symbol[0]} with {held[symbol[0]] - 1}"
                )


class Chits(Judge):
    """5.0, 6.0, 7.0, 15.2, 18.1.4, 18.1.9 to 18.1.12: turns, what is selected, drawn, returned and played."""

    topic: ClassVar[str] = "chits"

    def begin(self, game: Game) -> None:
        """See `Judge.begin`."""
        self._added: Multiset[str | None] = Multiset()
        self._interrupted = 0
        self._returned = ""
        self._asked = False
        self._seats = {game.world.seat_for(side): side for side in ("axis", "soviet")}

    def subjects(self) -> Subjects:
        """See `Judge.subjects`."""
        return {
            ChitAdded: self._chit_added,
            ChitSelected: self._selected,
            CupFilled: self._filled,
            ChitDrawn: self._drawn,
            ChitReturned: self._goes_back,
            ChitPlayed: self._played,
            PhaseEntered: self._phase,
            TurnBegan: self._turn,
            ZhukovCalled: self._zhukov,
            StepPushed: self._pushed,
        }

    # -- 6.0 selection ------------------------------------------------------------------------------------------------------

    def available(self, side: str) -> dict[str, Chit]:
        """15.2.1, 17.2.1, 18.1.4: what a side may select this turn."""
        books, entry, found = self.books, self.books.entry, {}
        for chit in ref.PRINTED.chits.values():
            turn = entry.reinforcements_from if chit.kind == "reinforcements" and entry.reinforcements_from else chit.turn
            if chit.kind == "direct":
                open_to = bool(books.options.get("reserves") and getattr(entry.direct, chit.id, None))
            else:
                open_to = not chit.only_with and (chit.id in books.added if chit.choice else turn <= books.turn)
            at_hand = not entry.start or not chit.activates or chit.activates in entry.start
            if open_to and chit.side == side and at_hand and chit.sheet in (None, *entry.sheets):
                found[chit.id] = chit
        return found

    def number(self, nation: str) -> int:
        """6.2.1 to 6.2.3: how many chits of a nation may be selected this turn."""
        numbers: Mapping[str, list[int]] = ref.PRINTED.track.track[self.books.entry.track].chits  # type: ignore[assignment]
        return numbers[nation][self.books.turn - 1]

    def _chosen(self, side: str) -> list[str]:
        return [*self.books.selected[side], *self.books.hand[side]]

    def _left(self, side: str, nation: str) -> int:
        return self.number(nation) - sum(ref.PRINTED.chits[chit].nation == nation for chit in self._chosen(side))

    def _chit_added(self, event: ChitAdded) -> None:
        books, chit = self.books, ref.PRINTED.chits[event.chit]
        self.expect(books.turn >= 4 and event.side == "soviet" and chit.choice, "18.1.4", f"{event} in turn {books.turn}")
        self.expect(event.chit not in books.added, "18.1.4", f"{event} once more")
        self._added[chit.sheet] += 1

    def _selected(self, event: ChitSelected) -> None:
        books, open_to = self.books, self.available(event.side)
        books.seen["chit"] += 1
        if not self.expect(event.chit in open_to, "15.2.1", f"{event}, which is not available in turn {books.turn}"):
            return
        chit = open_to[event.chit]
        self.expect(event.chit not in self._chosen(event.side), "6.1.1", f"{event} once more")
        clause = {"soviet": "6.2.1", "german": "6.2.2", "romanian": "6.2.3"}[str(chit.nation)]
        self.expect(self._left(event.side, str(chit.nation)) > 0, clause, f"{event}, one more than the turn track says")
        if chit.kind == "interrupt":
            self.expect(event.held, "6.3.1", f"{event}, and it is kept in hand")
        else:
            held_by_zhukov = chit.id == "soviet-reinforcements" and 0 < books.zhukov < books.turn
            self.expect(not event.held or held_by_zhukov, "18.1.10", f"{event}, and it goes into the cup")

    def _filled(self, event: CupFilled) -> None:
        books = self.books
        extra = books.entry.extra_headquarters.chits if books.turn >= 4 else {}
        for sheet, number in extra.items():
            choice = [chit.id for chit in ref.PRINTED.chits.values() if chit.choice and chit.sheet == sheet]
            before = sum(chit in books.added for chit in choice) - self._added[sheet]
            due = min(number, len(choice) - before)
            self.expect(self._added[sheet] == due, "18.1.4", f"{self._added[sheet]} armies of map {sheet} were added, not {due}")
        self._added.clear()
        if books.options.get("reinforcements-always"):
            for side in ("axis", "soviet"):
                owed = [c.id for c in self.available(side).values() if c.kind == "reinforcements"]
                self.expect(set(owed) <= set(self._chosen(side)), "6.2.6", f"{owed} was to be selected")
        self.expect(event.common == ("supply",), "6.2.5", f"{event.common} are in every cup")

    # -- 7.0 command ------------------------------------------------------------------------------------------------------

    def _drawn(self, event: ChitDrawn) -> None:
        books = self.books
        books.seen["draw"] += 1
        self.expect(books.cup[event.chit] > 0, "7.1.3", f"{event.chit} is drawn and was not in the cup")
        ended = books.turn == books.entry.last_turn and "supply" in books.drawn and not books.options.get("full-turns")
        self.expect(not ended, "16.4.1", f"{event.chit} is drawn after the last supply check")
        self._interrupted, self._asked = 0, False

    def _pushed(self, event: StepPushed) -> None:
        if isinstance(event.step, Interrupting):
            self._asked = True

    def _goes_back(self, event: ChitReturned) -> None:
        self.expect(event.chit == self.books.chit, "7.3.2", f"{event}, and {self.books.chit} was drawn")
        self._returned = event.chit

    def _played(self, event: ChitPlayed) -> None:
        books = self.books
        self.expect(event.chit in books.hand[event.side], "6.3.3", f"{event.side} plays {event.chit}, which it does not hold")
        if books.phase == "held":
            self.expect(not sum(books.cup.values()), "7.3.5", f"{event.chit} is played as a held chit before the cup is empty")
        else:
            self.expect(self._returned, "7.3.2", f"{event.chit} interrupts, and the drawn chit does not go back")
            self._interrupted += 1
            self.expect(self._interrupted == 1, "7.3.4", f"{event.chit} interrupts a draw that was interrupted")
        self._returned = ""

    def _phase(self, event: PhaseEntered) -> None:
        books = self.books
        if event.phase == "activation" and books.phase == "command":
            may = bool(books.hand["axis"]) or (bool(books.hand["soviet"]) and 0 < books.zhukov < books.turn)
            self.expect(self._asked or not may, "7.3.1", f"{books.chit} is resolved, and nobody was asked for an interrupt")
        if event.phase in ("end", "verdict"):
            left = [chit for chit, number in books.cup.items() if number > 0]
            self.expect(not left, "5.0.6", f"the turn ends, and {left} are in the cup")
            held = [*books.hand["axis"], *books.hand["soviet"]]
            self.expect(not held, "7.3.5", f"the turn ends, and {held} are held")

    def _turn(self, event: TurnBegan) -> None:
        self.expect(event.turn == self.books.turn + 1, "5.0.7", f"turn {event.turn} follows turn {self.books.turn}")
        self.expect("supply" in self.books.drawn, "6.2.5", "a turn ends without a supply check")

    def _zhukov(self, event: ZhukovCalled) -> None:
        books = self.books
        self.expect(books.scenario == "leningrad" and books.city_reached, "18.1.9", f"{event}, and no Axis unit was near")
        self.expect(not books.zhukov, "18.1.9", f"{event} once more")

    # -- what is where, and what is offered -------------------------------------------------------------------------------------

    def rest(self, game: Game) -> None:
        """7.1.3: every chit is in one place; the offers of the selection and of an interrupt."""
        books, state = self.books, game.state
        hand = Multiset(chit for chits in state.hand.values() for chit in chits)
        known = Multiset([*books.hand["axis"], *books.hand["soviet"]])
        self.expect(hand == known, "6.3.1", f"{list(hand)} are held, and it should be {list(known)}")
        cup = +books.cup
        self.expect(Multiset(state.cup) == cup, "7.1.3", f"the cup holds {list(state.cup)} and not {list(cup.elements())}")
        self.expect(list(state.drawn) == books.drawn, "7.1.3", f"{state.drawn} lie open and not {books.drawn}")
        self.expect(state.turn == books.turn, "5.0.7", f"it is turn {state.turn} and not {books.turn}")
        if books.scenario == "leningrad":
            self.expect(state.city_reached == books.city_reached, "18.1.9", "whether an Axis unit has come next to Leningrad")
        step = state.stack[-1] if state.stack else None
        if isinstance(step, Selecting):
            for seat in game.to_move:
                self._judge_offer(game, seat)
        elif isinstance(step, Interrupting):
            offered = sorted(action.chit for action in game.legal_actions(step.seat) if isinstance(action, Interrupt))
            held = sorted(books.hand[self._seats[step.seat]])
            self.expect(offered == held, "7.3.1", f"{offered} can interrupt, and {held} are held")

    def _judge_offer(self, game: Game, seat: str) -> None:
        side = self._seats[seat]
        actions = game.legal_actions(seat)
        offered = {action.chit for action in actions if isinstance(action, Select)}
        open_to = self.available(side)
        rest = {chit for chit in open_to if chit not in self._chosen(side)}
        may = {chit for chit in rest if self._left(side, str(open_to[chit].nation)) > 0}
        if not self.books.options.get("reinforcements-always"):
            wrong = sorted(offered ^ may)
            self.expect(not wrong, "6.1.1", f"{side} may select {sorted(may)} and not {sorted(offered)}")
            self.expect(Ready() in actions, "6.1.1", f"{side} cannot leave its selection as it is")


class Activation(Judge):
    """8.0, 9.0.1, 9.1.1, 10.1, 15.1, 15.3.1: whom a chit activates, and that each of them moves once and attacks once."""

    topic: ClassVar[str] = "activation"

    def begin(self, game: Game) -> None:
        """See `Judge.begin`."""
        self._moved: set[str] = set()
        self._planned: set[str] = set()
        self._attacked: set[str] = set()
        self._owed = ""
        self._placed: set[str] = set()

    def subjects(self) -> Subjects:
        """See `Judge.subjects`."""
        return {
            PhaseEntered: self._phase,
            UnitsActivated: self._activated,
            ActivationEnded: self._ended,
            UnitMoved: self._moves,
            UnitPlaced: self._comes,
            TargetDeclared: self._plans,
            AttackAnnounced: self._attacks,
        }

    def act(self, seat: str, action: Action) -> None:
        """See `Judge.act`."""
        self._placed.clear()

    def _phase(self, event: PhaseEntered) -> None:
        books = self.books
        self.expect(not self._owed, "7.2.1", f"the chit {self._owed} was not resolved")
        self._owed = ""
        if event.phase == "activation" and books.chit:
            kind = ref.PRINTED.chits[books.chit].kind
            self._owed = books.chit if kind in ("hq", "interrupt", "direct") else ""
        if event.phase == "movement":
            self.expect(books.active, "9.0.1", "a movement segment, and nobody is active")

    def expected(self, event: UnitsActivated) -> set[str]:
        """Whom a chit activates."""
        books, field = self.books, self.books.ground.field
        if event.chit == "surprise":  # 15.1.1, 15.1.2
            found: set[str] = set()
            for leader in books.entry.surprise_attack:
                formation = field.pieces[leader].formation
                found |= {unit for unit in ref.commanded(field, leader) if field.pieces[unit].formation == formation}
            return found
        leader = ref.PRINTED.chits[event.chit].activates
        found = ref.commanded(field, leader)
        if event.chit == "su-19a" and books.turn >= 3:  # 15.3.1
            found |= {unit for unit in books.boxed("turn 3") if books.side(unit) == "soviet"}
        return found

    def _activated(self, event: UnitsActivated) -> None:
        books = self.books
        books.seen["activation"] += 1
        self._moved, self._planned, self._attacked = set(), set(), set()
        units, options = set(event.units), books.options
        if event.chit != "surprise":
            self.expect(
                event.chit == self._owed, "7.2.1", f"{event.chit} activates units, and {self._owed or 'nothing'} is drawn"
            )
            self._owed = ""
            if ref.PRINTED.chits[event.chit].kind == "direct":
                side, most = ref.PRINTED.chits[event.chit].side, 3 if books.entry.reserves_hold_back else 5
                right = all(books.on_map(unit) and books.side(unit) == side for unit in units) and len(units) <= most
                self.expect(right, "17.2.2", f"{event.chit} activates {sorted(units)}")
                return
        expected = self.expected(event)
        if event.units and options.get("armour-limit") and event.chit != "surprise":
            tanks = [unit for unit in expected if books.world.units[unit].mechanized]
            nation = books.world.units[ref.PRINTED.chits[event.chit].activates].nation
            if nation == "german" and len(tanks) > 10:
                left = [unit for unit in tanks if unit in units]
                self.expect(
                    len(left) == 10 and units <= expected, "17.5.1", f"{event.chit} activates {len(left)} mechanized units"
                )
                expected = {unit for unit in expected if unit not in tanks} | set(left)
        if not units and options.get("panzer-headquarters"):
            return
        wrong = sorted(units ^ expected)
        said = "" if not wrong or wrong[0] in expected else "not "
        self.expect(not wrong, "8.1.1", f"{event.chit} should {said}activate {wrong[:1]}")

    def _ended(self, event: ActivationEnded) -> None:
        self._moved, self._planned, self._attacked = set(), set(), set()

    def _comes(self, event: UnitPlaced) -> None:
        self._placed.add(event.unit)

    def _moves(self, event: UnitMoved) -> None:
        if event.manner != Manner.MOVES:
            return
        books = self.books
        if event.unit in self._placed and ref.PRINTED.chits[books.chit].kind == "reinforcements":
            return  # 15.4.2: the strategic reserve
        self.expect(event.unit in books.active, "7.0.1", f"{event}, and it is not active")
        self.expect(event.unit not in self._moved, "8.1.3", f"{event} for the second time")
        self.expect(books.phase == "movement", "5.0.5", f"{event} in the phase {books.phase}")
        self._moved.add(event.unit)

    def _plans(self, event: TargetDeclared) -> None:
        books = self.books
        self.expect(event.unit in books.active, "10.1.1", f"{event}, and it is not active")
        self.expect(event.unit not in self._planned, "10.1.1", f"{event} for the second time")
        self.expect(books.phase in ("combat", "surprise"), "5.0.5", f"{event} in the phase {books.phase}")
        self._planned.add(event.unit)

    def _attacks(self, event: AttackAnnounced) -> None:
        target, attackers = event.battle.target, set(event.battle.attackers)
        self.expect(target not in self._attacked, "10.1.3", f"{target} is attacked again")
        self.expect(attackers <= self._planned, "10.2.1", f"{sorted(attackers)} attack, which was not declared")
        self._planned -= attackers
        self._attacked.add(target)

    def rest(self, game: Game) -> None:
        """Who may still move."""
        step = game.state.stack[-1] if game.state.stack else None
        books = self.books
        self.expect(set(game.state.active) == set(books.active), "8.1.1", "other units are active than were activated")
        if isinstance(step, Moving):
            waiting = {unit for unit in books.active if books.on_map(unit) and unit not in self._moved}
            self.expect(set(step.waiting(game.position)) == waiting, "9.1.1", f"{sorted(waiting)} may still move")


class Deciders(Judge):
    """7.1.2, 10.5.1, 19.2: who decides."""

    topic: ClassVar[str] = "deciders"
    teams: ClassVar[bool] = True

    def begin(self, game: Game) -> None:
        """19.2: the roles of the seats."""
        self._seats: Mapping[str, str] = game.world.seats
        self._roles = {role.seat: role for role in ref.PRINTED.roles.role if role.seat in self._seats}
        self._many = bool(game.world.teams.divided)

    def commander(self, unit: str) -> str:
        """19.2: by formation, by nation, or by the map on which a unit is at home."""
        counter = self.books.world.units[unit]
        roles = [role for role in self._roles.values() if role.side == counter.side]
        for told in (
            [role for role in roles if counter.formation and counter.formation in role.formations],
            [role for role in roles if counter.nation in role.nations],
            [role for role in roles if counter.sheet in role.sheets],
        ):
            if told:
                return told[0].seat
        return roles[0].seat

    def act(self, seat: str, action: Action) -> None:
        """Who did what."""
        books, unit = self.books, getattr(action, "unit", "")
        if unit and unit in books.units:
            self.expect(self._seats[seat] == books.side(unit), "7.1.2", f"{seat} decides for {unit}: {action}")
            if self._many and isinstance(action, Place | Withdraw):
                self.expect(
                    seat == self.commander(unit), "19.2.1", f"{seat} decides for {unit} of {self.commander(unit)}: {action}"
                )
            if self._many and isinstance(action, LoseStep | Retreat):
                there = [other for other in books.at if books.at[other] == books.at[unit] and books.on_map(unit)]
                may = {self.commander(other) for other in there} | {self.commander(unit)}
                attacks = unit in books.active or len(may) > 1
                self.expect(seat in may or attacks, "19.2.1", f"{seat} decides for {unit} of {sorted(may)}: {action}")
        label = getattr(action, "hex", "")
        if self._many and isinstance(action, Build | StandDown):
            sheets = self._roles[seat].sheets
            self.expect(label[:1] in sheets, "19.2.6", f"{seat} decides about {label}, which is not on his map")


class TeamChits(Judge):
    """7.1.3, 19.4.2, 20.1: where many play, every chit of the turn stays in the game: in a cup, a hand or a row, or open."""

    topic: ClassVar[str] = "team-chits"
    teams: ClassVar[bool] = True

    def begin(self, game: Game) -> None:
        """See `Judge.begin`."""
        self._turn = 0
        self._chits: Multiset[str] = Multiset()

    def rest(self, game: Game) -> None:
        """See `Judge.rest`."""
        state = game.state
        if not game.world.teams.divided or state.phase in ("", SET_UP, "selection", "surprise") or not game.to_move:
            return
        chits = Multiset([*state.cup, *state.drawn, *(chit for chits in state.hand.values() for chit in chits)])
        chits.update(chit for of_side in state.staff.values() for _, chit in of_side)
        chits.update(chit for chit, face, _ in state.queue if face == DOWN or chit not in state.drawn)
        if self._turn != state.turn:
            self._turn, self._chits = state.turn, chits
            self.books.seen["team chits"] += 1
        wrong = sorted((chits - self._chits) + (self._chits - chits))
        self.expect(not wrong, "7.1.3", f"{wrong}: one too many, or one too few")
