"""The checks of the staff: games are held to its literal rules on chits, activation, arrivals, crossing points and points."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any, ClassVar

from hexwar.engine import Action, Event, Game, GameEnded, PhaseEntered, Step
from hexwar.mechanics import (
    ActivationEnded,
    Arrive,
    Arriving,
    Attacking,
    Call,
    ChitPlayed,
    ChitPutIn,
    ChitReturned,
    Done,
    Interrupt,
    PutIn,
    PuttingIn,
    Select,
    Selecting,
    TurnBegan,
    UnitMoved,
    UnitPlaced,
    UnitsActivated,
)
from hexwar.testing.checks.following import Following, current, differ, listed
from hexwar.testing.oracles import Entry, Field
from hexwar.testing.subject import Subject
from hexwar.testing.watch import Budget, Watch
from hexwar_tow.activation import ChoosingSecond, Include, Lead, Reacting
from hexwar_tow.kit import staff
from hexwar_tow.kit.reference import Table
from hexwar_tow.luftwaffe import Supporting
from hexwar_tow.negotiation import LiftOrder, Negotiating
from hexwar_tow.okh import ChoosingUse, Ordering, Use
from hexwar_tow.reinforcements import Dropping, Replace, Replacing
from hexwar_tow.relocation import Marching, Relocating
from hexwar_tow.setting_up import Garrisoning
from hexwar_tow.state import AirborneLanded, CrossingGained, HeadquartersRelocated, MarkerDrawn, ModeChosen


class LiteralChits(Following):
    """Chits in hand, reactions, and what OKH is used for; `chits-are-kept` has the rest."""

    id: ClassVar[str] = "literal-chits"
    sentence: ClassVar[str] = "Chits are held, put in, cancelled and used as the literal rules say (4.2, 4.3)."

    def judge(self, entry: Entry) -> None:
        """Out of the hand, and back into the cup."""
        event, field = entry.event, staff.of_this_game(entry.before)
        held = field.hand.get("axis", ())
        if isinstance(event, ChitReturned):
            if event.chit == "supply" or field.drawn[-1:] != (event.chit,):
                raise self.fail(f"{event.chit} went back into the cup; drawn were {listed(field.drawn)}")
        elif isinstance(event, ChitPlayed | ChitPutIn):
            if event.chit not in held or (isinstance(event, ChitPlayed) and not event.chit.startswith("okh")):
                raise self.fail(f"{event!r}: the Axis held {listed(held)}")
        elif isinstance(event, TurnBegan) and (field.cup or held):
            raise self.fail(f"the turn is over, but {listed((*field.cup, *held))} were not drawn")

    def offered(self, game: Game, field: Field, seat: str) -> None:
        """What may be held, put in, played and used."""
        if not isinstance(game.state.stack[-1], Selecting | PuttingIn | Reacting | ChoosingUse):
            return
        actions, side = game.legal_actions(seat), game.world.seats[seat]
        held = staff.of_this_game(field).hand.get("axis", ())
        if current(game, Selecting) is not None:
            asked = {game.world.seats[other] for other in game.to_move}
            self._same("sides that choose chits", asked, {*game.world.sides} - {*game.state.ready})
            chosen = (*game.state.selected.get(side, ()), *game.state.hand.get(side, ()))
            free = staff.selectable(game.world, game.state, side, chosen)
            self._same(f"chits of {side}", {action.chit for action in actions if isinstance(action, Select)}, free)
            ways = {action.hold for action in actions if isinstance(action, Select)}
            self._same(f"ways to choose of {side}", ways, ({False, True} if side == "axis" else {False}) if ways else set())
        elif current(game, PuttingIn) is not None:
            self._same("chits that may be put in", {a.chit for a in actions if isinstance(a, PutIn)}, {*held})
            self._same("whether the Axis may wait", {Done()} & {*actions}, {Done()} if field.cup else set())
        elif current(game, Reacting) is not None:
            okh = {chit for chit in held if chit.startswith("okh")}
            self._same("reactions", {a.chit for a in actions if isinstance(a, Interrupt)}, okh)
        elif (step := current(game, ChoosingUse)) is not None:
            played = game.state.reaction == step.chit
            uses = {"headquarters", "order"} | (set() if played else {"negotiation"})
            self._same(f"uses of {step.chit}", {action.use for action in actions if isinstance(action, Use)}, uses)

    def _same(self, what: str, told: set[Any], literal: set[Any]) -> None:
        wrong = differ(told, literal)
        if wrong:
            raise self.fail(f"{what}: {wrong}")

    def stands(self, game: Game, field: Field) -> None:
        """The books must agree with the state."""
        told, kept = staff.of_this_game(field).hand.get("axis", ()), game.state.hand.get("axis", ())
        if told != kept or game.state.hand.get("soviet"):
            raise self.fail(f"by the events the hand of the Axis should be {told}, but the hands are {dict(game.state.hand)}")


def commanded(field: Field, leader: str) -> tuple[set[str], set[str]]:
    """2.3.12 to 2.3.14: the combat units of its side in the range of a headquarters, and the other headquarters there."""
    here, counters, sheet = field.at[leader], field.world.units, field.sheet
    found = ring = {here}
    for _ in range(counters[leader].command):
        near = {b for a in ring for b in sheet.near[a] if "blocked" not in sheet.sides[a, b] and sheet.terrain[b] != "water"}
        ring = near - found
        found = found | ring
    mine = [piece for piece in field.of_side(counters[leader].side) if piece.at in found and piece.id != leader]
    return {piece.id for piece in mine if not piece.command}, {piece.id for piece in mine if piece.command}


class LiteralActivation(Following):
    """Who becomes active, and in which order units act."""

    id: ClassVar[str] = "literal-activation"
    sentence: ClassVar[str] = "A chit activates whom the literal rules name; they move and fight in the chosen order (2.3, 4.3)."

    def __init__(self, subject: Subject, budget: Budget) -> None:
        super().__init__(subject, budget)
        self._lead = self._more = self._mode = ""
        self._called: set[str] = set()
        self._active: set[str] = set()
        self._phases: list[str] = []

    def decided(self, seat: str, action: Action, field: Field) -> None:
        """Whom a player names."""
        if isinstance(action, Lead):
            self._lead = action.unit
        elif isinstance(action, Include):
            self._more = action.unit
        elif isinstance(action, Call):
            self._called.add(action.unit)

    def judge(self, entry: Entry) -> None:
        """Who is active, and what they do."""
        event, field = entry.event, entry.before
        if isinstance(event, UnitsActivated):
            due = self._due(field, event.chit)
            wrong = differ(set(event.units), due)
            if wrong:
                raise self.fail(f"the units that {event.chit} activates: {wrong}")
            self._active, self._phases, self._mode = due, [], ""
            self._lead = self._more = ""
            self._called = set()
        elif isinstance(event, ModeChosen):
            self._mode = event.mode
        elif isinstance(event, ActivationEnded):
            self._finish(field)
        elif isinstance(event, PhaseEntered) and event.phase in ("movement", "combat", "movement-after"):
            self._phases.append(event.phase)
            due_phases = ["movement", "combat"] if self._mode == "move-combat" else ["combat", "movement-after"]
            if self._phases != due_phases[: len(self._phases)]:
                raise self.fail(f"{self._mode} goes {', '.join(self._phases)}")

    def _finish(self, field: Field) -> None:
        if self._mode and len(self._phases) < 2 and any(unit in field.pieces for unit in self._active):
            raise self.fail(f"{self._mode} ended after {listed(self._phases)}")
        self._active, self._mode = set(), ""

    def _due(self, field: Field, chit: str) -> set[str]:
        names = [unit for unit in staff.LEADERS.get(chit, ()) if unit in field.pieces]
        leader = names[0] if names else ("" if chit in staff.LEADERS else self._lead)
        if not leader:
            return self._called if chit.startswith("okh") else set()
        if field.pieces[leader].side != (staff.side_of(chit) if chit in (*staff.LEADERS, "okh-1", "okh-2") else "soviet"):
            raise self.fail(f"{chit} activates {leader}")
        units, others = commanded(field, leader)
        if self._more and (self._more not in others or field.pieces[leader].side != "axis"):
            raise self.fail(f"{leader} activates {self._more} as well; in range are {listed(others)}")
        return {leader, *units, *([self._more] if self._more else [])}

    def offered(self, game: Game, field: Field, seat: str) -> None:
        """4.3.4: who else may be activated; 4.2.2.8: how many units an OKH Order is for."""
        second = current(game, ChoosingSecond)
        if second is not None:
            leader = self._lead or staff.LEADERS[second.chit][0]
            told = {action.unit for action in game.legal_actions(seat) if isinstance(action, Include)}
            wrong = differ(told, commanded(field, leader)[1])
            if wrong:
                raise self.fail(f"the headquarters that {leader} may activate: {wrong}")
        step = current(game, Ordering)
        if step is not None:
            due = staff.given(len(game.state.crossings) + int(game.state.landed))[2]
            if step.number + len(step.units) != due:
                raise self.fail(f"an OKH Order is for {step.number + len(step.units)} units; it should be {due}")

    def pushed(self, step: Step, field: Field) -> None:
        """Exactly those that are active and on the map may act."""
        if isinstance(step, Marching | Attacking):
            wrong = differ(set(step.units), {unit for unit in self._active if unit in field.pieces})
            if wrong:
                raise self.fail(f"the units that {'move' if isinstance(step, Marching) else 'fight'}: {wrong}")


class LiteralArrivals(Watch):
    """Who may come, where, and for which price."""

    id: ClassVar[str] = "literal-arrivals"
    sentence: ClassVar[str] = "Who may come onto the map, where and for what is as the literal rules say (2.3, 3, 11)."

    def before(self, game: Game, seat: str, action: Action) -> None:
        """See `Watch.before`."""
        step = game.state.stack[-1] if game.state.stack else None
        self._points = step.points if isinstance(step, Negotiating) else 0
        if isinstance(step, Arriving):
            self._arrivals(game, seat, step)
        elif isinstance(step, Replacing):
            self._replacements(game, seat, step)

    def after(self, game: Game, seat: str, action: Action, events: list[Event]) -> None:
        """See `Watch.after`."""
        step = next((step for step in game.state.stack if isinstance(step, Negotiating)), None)
        if step is None:
            return
        due = self._points
        if action == Use("negotiation"):
            due = staff.given(len(game.state.crossings) + int(game.state.landed))[0]
        elif isinstance(action, LiftOrder):
            due -= staff.PRICES["order"]
        elif isinstance(action, Arrive):
            due -= staff.PRICES[game.world.units[action.unit].start]
        if step.points != due:
            raise self.fail(f"after {action} {step.points / 2:g} negotiation points are left, and it should be {due / 2:g}")

    def _arrivals(self, game: Game, seat: str, step: Arriving) -> None:
        table, actions = Table(game.world, game.state), game.legal_actions(seat)
        told: dict[str, set[str]] = {}
        for action in actions:
            if isinstance(action, Arrive):
                told.setdefault(action.unit, set()).add(action.to)
        hexes = self._hexes(game, table, step)
        for unit in {*told, *self._waiting(game, step)}:
            open_to = {label for label in hexes if staff.has_room(table, unit, label)}
            due = open_to if unit in self._waiting(game, step) else set()
            wrong = differ(told.get(unit, set()), due)
            if wrong:
                raise self.fail(f"the hexes where {unit} may arrive ({type(step).__name__}): {wrong}")
        if isinstance(step, Negotiating):
            orders = {action.hex for action in actions if isinstance(action, LiftOrder)}
            wrong = differ(orders, {*game.state.orders} if step.points >= staff.PRICES["order"] else set())
            if wrong:
                raise self.fail(f"the orders that may be lifted: {wrong}")

    def _waiting(self, game: Game, step: Arriving) -> set[str]:
        """Who may come now, by the box in which he lies."""
        places, counters = game.state.at, game.world.units
        if isinstance(step, Relocating):
            return {unit for unit in step.units if places[unit] == staff.WAITING}
        if isinstance(step, Garrisoning):
            return {unit for unit, box in places.items() if box == "security"}
        if isinstance(step, Dropping):
            return {unit for unit, box in places.items() if box == "soviet airborne"}
        if isinstance(step, Negotiating):
            return {unit for unit, box in places.items() if staff.PRICES.get(box, 99) <= step.points}
        boxes = {f"soviet group {number}" for number in range(1, game.state.groups + 1)}
        return {unit for unit, box in places.items() if box in boxes and not counters[unit].replacement}

    def _hexes(self, game: Game, table: Table, step: Arriving) -> set[str]:
        if isinstance(step, Relocating):
            return staff.posts(table, step.units[0], step.origin)
        if isinstance(step, Dropping):
            return staff.drop_zone(table)
        if isinstance(step, Garrisoning):
            cities = {label for place in table.board.places if place.kind == "major-city" for label in place.hexes}
            return cities - {label for unit, label in table.at.items() if table.units[unit].arm == "security"}
        side = game.world.seats[step.seat]
        return staff.railway(table, side, {*game.world.supply.sources[side]})

    def _replacements(self, game: Game, seat: str, step: Replacing) -> None:
        state, counters, board = game.state, game.world.units, game.world.board
        on_map = [u for u, label in state.at.items() if label in board and counters[u].side == "soviet" and u not in state.supply]
        due = {
            (unit, other)
            for unit in step.units
            if state.at.get(unit, "").startswith("soviet group")
            for other in on_map
            if counters[other].arm == counters[unit].arm
        }
        wrong = differ({(a.unit, a.replaced) for a in game.legal_actions(seat) if isinstance(a, Replace)}, due)
        if wrong:
            raise self.fail(f"replacements: {wrong}")


class LiteralCrossings(Following):
    """Crossing points, and how many markers the Luftwaffe has for them."""

    id: ClassVar[str] = "literal-crossings"
    sentence: ClassVar[str] = "Crossing points are gained as the literal rules say, and give the Luftwaffe markers (7, 12.3)."

    def __init__(self, subject: Subject, budget: Budget) -> None:
        super().__init__(subject, budget)
        self._gained: set[str] = set()
        self._landed = 0
        self._entered: tuple[str, ...] = ()
        self._markers: list[str] | None = None

    def begin(self, game: Game) -> None:
        """What the Soviets have when the game begins."""
        self._gained, self._landed = {*game.first_state.crossings}, int(game.first_state.landed)
        super().begin(game)

    def judge(self, entry: Entry) -> None:
        """Why a crossing point is gained; how many markers are drawn."""
        event, field = entry.event, entry.before
        if isinstance(event, UnitMoved | UnitPlaced | HeadquartersRelocated):
            soviet = field.world.units[event.unit].side == "soviet"
            self._entered = (event.path if isinstance(event, UnitMoved) else ()) if soviet else ()
        elif isinstance(event, AirborneLanded):
            self._landed = 1
        elif isinstance(event, CrossingGained):
            if event.hex in self._gained or not staff.gains(field, event.hex, field.turn, self._entered):
                raise self.fail(f"{event!r}: no Soviet unit is near enough, or the Axis holds it")
            self._gained.add(event.hex)
        elif isinstance(event, MarkerDrawn):
            self._markers = [*(self._markers or ()), event.marker]
        elif isinstance(event, PhaseEntered):
            self._flown()
            self._markers = [] if event.phase == "luftwaffe" else None

    def _flown(self) -> None:
        if self._markers is None:
            return
        due = staff.given(len(self._gained) + self._landed)[1]
        if len(self._markers) != due or max(Counter(self._markers).values(), default=0) > 2:
            raise self.fail(f"the Luftwaffe drew {listed(self._markers)} with {len(self._gained) + self._landed} crossing points")

    def offered(self, game: Game, field: Field, seat: str) -> None:
        """7.0.5: who may use markers."""
        if current(game, Supporting) is not None and game.world.seats[seat] != "axis":
            raise self.fail(f"{seat} is asked for Luftwaffe markers")

    def stands(self, game: Game, field: Field) -> None:
        """None is lost, none overlooked."""
        wrong = differ({*game.state.crossings}, self._gained)
        if wrong:
            raise self.fail(f"the crossing points of the Soviets: {wrong}")
        for label in {*field.sheet.areas.get("crossing points", ())} - self._gained:
            if staff.gains(field, label, field.turn):
                raise self.fail(f"{label} should be a crossing point of the Soviets")


class LiteralScore(Watch):
    """Points, end and verdict."""

    id: ClassVar[str] = "literal-score"
    sentence: ClassVar[str] = "Points, the end of the game and its verdict are those of the literal rules (12.2, 13, 14.1)."

    def after(self, game: Game, seat: str, action: Action, events: list[Event]) -> None:
        """See `Watch.after`."""
        scenario, state = game.world.setup.scenario, game.state
        if any(isinstance(event, TurnBegan) for event in events) and scenario != "race":
            points = staff.score(game.world, state, final=False)
            if points >= _needed(game):
                raise self.fail(f"the Soviets had {points:g} points at the end of a turn, and the game goes on")
        if any(isinstance(event, GameEnded) for event in events):
            self._verdict(game)
        elif self.random(seat, action).random() < 0.1 and state.phase != "verdict":
            told, points = sum(item.points for item in game.query.score()), staff.score(game.world, state, final=False)
            if told != points:
                raise self.fail(f"the Soviets are said to have {told:g} points; counted by hand it is {points:g}")

    def _verdict(self, game: Game) -> None:
        result, state, scenario = game.result, game.state, game.world.setup.scenario
        assert result is not None
        if not result.scores:
            if result.winner != "soviet" or all(state.control[label] != "soviet" for label in state.orders):
                raise self.fail(f"{result.winner} wins, but no city with an order has fallen")
            return
        final = state.turn == staff.LAST_TURN[scenario]
        points = staff.score(game.world, state, final=final)
        winner = "soviet" if points >= _needed(game) else "axis"
        if not final and (scenario == "race" or winner == "axis"):
            raise self.fail(f"the game ended in turn {state.turn} with {points:g} points")
        if (result.winner, dict(result.scores)) != (winner, {"soviet": math.floor(points)}):
            raise self.fail(f"{result.winner} wins with {dict(result.scores)}; by hand {winner} wins with {points:g} points")


def _needed(game: Game) -> int:
    """13.2.1, 13.3.1, 14.1.1."""
    bid = game.state.notes.get("bid")
    return int(bid[0]) if bid else staff.NEEDED[game.world.setup.scenario]


WATCHES: tuple[type[Watch], ...] = (LiteralChits, LiteralActivation, LiteralArrivals, LiteralCrossings, LiteralScore)
"""In the order in which they are reported."""
