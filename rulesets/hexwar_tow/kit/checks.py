"""The checks that only Traces of War needs: who is active, who arrives, supply markers, crossing points, the verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from hexwar.engine import Action, Game, GameEnded, PhaseEntered, Step
from hexwar.mechanics import Arrive, Arriving, Attacking, Moving
from hexwar.pieces import (
    ActivationEnded,
    Call,
    ChitPlayed,
    ChitReturned,
    Interrupt,
    TurnBegan,
    UnitEliminated,
    UnitMoved,
    UnitPlaced,
    UnitsActivated,
)
from hexwar.testing import Check, Following, current, listed
from hexwar.testing.oracles import Entry, Field
from hexwar_tow.activation import ChoosingSecond, Include, Lead, Reacting
from hexwar_tow.kit.rules import COMMAND, HQ, STACKING, SUPPLY, WAITING
from hexwar_tow.kit.staff import LAST_TURN, LEADERS, POINTS, PRICES, arrivals, gains, given, replaceable, side_of
from hexwar_tow.late_chits import ChitPutIn, PutIn, PuttingIn
from hexwar_tow.luftwaffe import Supporting
from hexwar_tow.negotiation import LiftOrder, Negotiating
from hexwar_tow.okh import ChoosingUse, Ordering, Use
from hexwar_tow.reinforcements import Replace, Replacing
from hexwar_tow.state import CrossingGained, HeadquartersLifted, HeadquartersRelocated, MarkerDrawn, ModeChosen, SupplyChanged
from hexwar_tow.supply import SupplyCheck


class ChitsAreUsed(Following):
    """Held chits are put in, reactions cancel, and OKH is used as the literal rules say (4.2, 4.3)."""

    def judge(self, entry: Entry) -> None:
        """4.3.13, 4.3.14: only OKH reacts, and not to Supply; 4.2.0.4: what is held is put in."""
        event = entry.event
        reaction = isinstance(event, ChitPlayed) and not event.chit.startswith("okh")
        if reaction or (isinstance(event, ChitReturned) and event.chit == "supply"):
            raise self.fail(f"{event!r} is against the rules")
        if isinstance(event, ChitPutIn) and event.chit not in (held := entry.before.hand.get(event.side, ())):
            raise self.fail(f"{event!r}: {event.side} held {listed(held)}")

    def offered(self, game: Game, field: Field, seat: str) -> None:
        """What may be put in, played and used."""
        held, step = field.hand.get("axis", ()), game.state.stack[-1]
        if isinstance(step, PuttingIn):
            told = {action.chit if isinstance(action, PutIn) else "" for action in game.legal_actions(seat)}
            self.same("chits that may be put in", told, {*held, *([""] if field.cup else [])})
        elif isinstance(step, Reacting):
            told = {action.chit for action in game.legal_actions(seat) if isinstance(action, Interrupt)}
            self.same("reactions", told, {chit for chit in held if chit.startswith("okh")})
        elif isinstance(step, ChoosingUse):
            told = {action.use for action in game.legal_actions(seat) if isinstance(action, Use)}
            negotiation = set() if game.state.reaction == step.chit else {"negotiation"}
            self.same(f"uses of {step.chit}", told, {"headquarters", "order"} | negotiation)


class ActivationIsRight(Following):
    """A chit activates whom the literal rules name; they move and fight in the chosen order (2.3, 4.3)."""

    _lead = _more = _mode = ""
    _called: frozenset[str] = frozenset()
    _phases: tuple[str, ...] = ()

    def decided(self, seat: str, action: Action, field: Field) -> None:
        """Whom a player names."""
        if isinstance(action, Lead):
            self._lead = action.unit
        elif isinstance(action, Include):
            self._more = action.unit
        elif isinstance(action, Call):
            self._called |= {action.unit}

    def judge(self, entry: Entry) -> None:
        """Who is active, and what they do."""
        event, field = entry.event, entry.before
        if isinstance(event, UnitsActivated):
            self.same(f"the units that {event.chit} activates", event.units, self._due(field, event.chit))
            self._lead = self._more = self._mode = ""
            self._called, self._phases = frozenset(), ()
        elif isinstance(event, ModeChosen):
            self._mode = event.mode
        elif isinstance(event, ActivationEnded):
            cut_short = self._mode and len(self._phases) < 2 and {*field.active} & {*field.pieces}
            self.demand(not cut_short, f"{self._mode} ended after {listed(self._phases)}")
            self._mode = ""
        elif isinstance(event, PhaseEntered) and event.phase in ("movement", "combat", "movement-after"):
            self._phases = (*self._phases, event.phase)
            due = ("movement", "combat") if self._mode == "move-combat" else ("combat", "movement-after")
            self.demand(self._phases == due[: len(self._phases)], f"{self._mode} goes {', '.join(self._phases)}")

    def _due(self, field: Field, chit: str) -> set[str]:
        names = [unit for unit in LEADERS.get(chit, ()) if unit in field.pieces]
        leader = names[0] if names else ("" if chit in LEADERS else self._lead)
        if not leader:
            return {*self._called} if chit.startswith("okh") else set()
        side = side_of(chit) if chit in LEADERS or chit.startswith("okh") else "soviet"
        others = self._others(field, leader) if side == "axis" else set()
        right = field.pieces[leader].side == side and (not self._more or self._more in others)
        self.demand(right, f"{chit} activates {leader} and {self._more or 'no other'}; in range are {listed(others)}")
        return COMMAND.commanded(field, field.pieces[leader]) | ({self._more} if self._more else set())

    def _others(self, field: Field, leader: str) -> set[str]:
        """4.3.4: the other headquarters in range."""
        near, piece = COMMAND.within(field, field.pieces[leader]), field.pieces[leader]
        return {it.id for it in field.of_side(piece.side) if it.arm == HQ and it.at in near} - {leader}

    def offered(self, game: Game, field: Any, seat: str) -> None:
        """4.3.4: who else may be activated; 4.2.2.8: how many units an OKH Order is for."""
        step = game.state.stack[-1]
        if isinstance(step, ChoosingSecond):
            leader = self._lead or LEADERS[step.chit][0]
            told = {action.unit for action in game.legal_actions(seat) if isinstance(action, Include)}
            self.same(f"the headquarters that {leader} may activate", told, self._others(field, leader))
        elif isinstance(step, Ordering):
            most = given(field.crossing_points)[2]
            self.same("the units of an OKH Order", {step.number + len(step.units)}, {most})
            self.demand(len(step.units) < most, f"one more unit may be called, though {most} are")

    def pushed(self, step: Step, field: Field) -> None:
        """Exactly those that are active and on the map may act."""
        if isinstance(step, Moving | Attacking):
            self.same(f"the units of a step '{step.kind}'", step.units, {*field.active} & {*field.pieces})


class ArrivalsFit(Following):
    """Who may come onto the map, where and for what is as the literal rules say (2.3, 3, 11)."""

    _points = 0

    def decided(self, seat: str, action: Action, field: Any) -> None:
        """11.2.1, 12.2.2: what a negotiation costs."""
        if action == Use("negotiation"):
            self._points = given(field.crossing_points)[0]
        elif isinstance(action, LiftOrder):
            self._points -= PRICES["order"]
        elif isinstance(action, Arrive):
            self._points -= PRICES.get(field.locations[action.unit], 0)

    def offered(self, game: Game, field: Any, seat: str) -> None:
        """Every open hex of every unit that waits."""
        step = game.state.stack[-1]
        if not isinstance(step, Arriving | Replacing) or len(game.history) % 3:
            return
        actions = game.legal_actions(seat)
        if isinstance(step, Arriving):
            waiting, hexes = arrivals(field, step)
            told = {(action.unit, action.to) for action in actions if isinstance(action, Arrive)}
            due = {(unit, label) for unit in waiting for label in hexes if STACKING.has_room(field, unit, label)}
            self.same(f"the units and hexes of a step '{step.kind}'", told, due)
        if isinstance(step, Negotiating):
            orders = field.orders if self._points >= PRICES["order"] else ()
            self.same("the orders that may be lifted", [it.hex for it in actions if isinstance(it, LiftOrder)], orders)
            self.same("the half points that are left", {step.points}, {self._points})
        if isinstance(step, Replacing):
            boxed = [unit for unit in step.units if field.locations.get(unit, "").startswith("soviet group")]
            pairs = {(unit, other) for unit in boxed for other in replaceable(field, unit)}
            self.same("replacements", {(it.unit, it.replaced) for it in actions if isinstance(it, Replace)}, pairs)


class MarkersAreRight(Following):
    """The Supply chit marks the units without a line and relocates such headquarters; markers stay until the next one (8.1)."""

    _due: Mapping[str, str] = {}
    """Unit -> the marker that is due to it in a check."""
    _leaving: tuple[str, ...] = ()

    def pushed(self, step: Step, field: Any) -> None:
        """8.1.8 to 8.1.12: all are judged on the board as it is."""
        if isinstance(step, SupplyCheck) and not step.judged:
            cut = {it.id for it in field.pieces.values() if not SUPPLY.has_line(field, it)}
            leaders = [it for it in cut if field.pieces[it].arm == HQ]
            self._leaving = tuple(sorted(leaders, key=lambda unit: not unit.startswith("sov")))  # 8.1.1
            marks = {unit: "isolated" if field.marker(unit) else "out of supply" for unit in cut - {*leaders}}
            was = {unit for unit in field.supply if field.marker(unit)}
            self._due = {unit: marks.get(unit, "") for unit in was | {*marks} if marks.get(unit, "") != field.marker(unit)}

    def judge(self, entry: Entry) -> None:
        """A marker, a headquarters that leaves, a unit that is eliminated."""
        event, field = entry.event, entry.before
        if isinstance(event, SupplyChanged):
            due, self._due = self._due.get(event.unit), {unit: to for unit, to in self._due.items() if unit != event.unit}
            self.demand(due == event.status, f"{event!r}: no supply check says so", "8.1.11")
        if isinstance(event, HeadquartersLifted) and event.clause == "8.1.12":
            if event.unit not in self._leaving or event.unit[:3] != self._leaving[0][:3]:
                raise self.fail(f"{event!r}: it has a line, or {self._leaving[0]} comes first (8.1.1, 8.1.12)")
            self._leaving = tuple(unit for unit in self._leaving if unit != event.unit)
        if isinstance(event, UnitEliminated):
            side = field.world.units[event.unit].side
            box = WAITING if field.world.units[event.unit].arm == HQ else f"{side} eliminated"
            self.demand(event.to == box, f"{event!r}: that is the wrong box", "10.3.6")

    def stands(self, game: Game, field: Any) -> None:
        """No marker is due, and the markers are those that events have set."""
        if not any(isinstance(step, SupplyCheck) for step in game.state.stack):
            self.same("the headquarters that should have been relocated (8.1.12)", (), self._leaving)
        self.same("the markers that a check has not set", (), self._due)
        self.same(
            "the supply markers", game.state.supply.items(), {(u, field.marker(u)) for u in field.supply if field.marker(u)}
        )


class CrossingsAreRight(Following):
    """Crossing points are gained as the literal rules say, and give the Luftwaffe markers (7, 12.3)."""

    _entered: tuple[str, ...] = ()
    _markers: tuple[str, ...] | None = None

    def judge(self, entry: Entry) -> None:
        """Why a crossing point is gained; how many markers are drawn."""
        event, field = entry.event, entry.before
        if isinstance(event, UnitMoved | UnitPlaced | HeadquartersRelocated):
            moved = isinstance(event, UnitMoved) and event.unit.startswith("sov")
            self._entered = event.path if moved else ()  # type: ignore[union-attr]
        elif isinstance(event, CrossingGained):
            gained = event.hex not in field.crossings and gains(field, event.hex, self._entered)  # type: ignore[attr-defined]
            self.demand(gained, f"{event!r}: no Soviet unit is near enough, or the Axis holds it")
        elif isinstance(event, MarkerDrawn):
            self._markers = (*(self._markers or ()), event.marker)
        elif isinstance(event, PhaseEntered):
            self._flown(field)
            self._markers = () if event.phase == "luftwaffe" else None

    def _flown(self, field: Any) -> None:
        if self._markers is not None:
            most = max(Counter(self._markers).values(), default=0)
            right = len(self._markers) == given(field.crossing_points)[1] and most <= 2
            self.demand(right, f"the Luftwaffe drew {listed(self._markers)} with {field.crossing_points} crossing points")

    def offered(self, game: Game, field: Field, seat: str) -> None:
        """7.0.5: who may use markers."""
        asked = current(game, Supporting) is not None
        self.demand(not asked or game.world.seats[seat] == "axis", f"{seat} is asked for Luftwaffe markers")

    def stands(self, game: Game, field: Any) -> None:
        """None is lost, none overlooked."""
        self.same("the crossing points of the Soviets", game.state.crossings, field.crossings)
        free = {*field.sheet.areas.get("crossing points", ())} - {*field.crossings}
        self.same("crossing points that should be Soviet", (), [label for label in free if gains(field, label)])


class VerdictsFit(Following):
    """Points and the end of the game are those of the literal rules (12.2, 13, 14.1)."""

    def judge(self, entry: Entry) -> None:
        """13.2.1, 13.3.1: points decide; 12.2.3: or a city with an order that falls."""
        event, field = entry.event, entry.before
        if not isinstance(event, TurnBegan | GameEnded):
            return
        race, enough = field.world.setup.scenario == "race", POINTS.total(field) >= POINTS.needed(field)
        if isinstance(event, TurnBegan) and not race and enough and field.turn:
            raise self.fail(f"the Soviets had {POINTS.total(field):g} points at the end of a turn, and the game goes on")
        if isinstance(event, GameEnded) and event.result.scores:
            if field.turn != LAST_TURN[field.world.setup.scenario] and (race or not enough):
                raise self.fail(f"the game ended in turn {field.turn} with {POINTS.total(field):g} points")
        elif isinstance(event, GameEnded):
            fallen = [label for label in field.orders if field.control[label] == "soviet"]  # type: ignore[attr-defined]
            right = event.result.winner == "soviet" and fallen
            self.demand(right, f"{event.result.winner} wins, but no city with an order has fallen")

    def stands(self, game: Game, field: Field) -> None:
        """From time to time, check what players see."""
        if len(game.history) % 10 == 0 and game.result is None:
            told = sum(item.points for item in game.query.score())
            counted = POINTS.total(field)
            self.demand(told == counted, f"the Soviets are said to have {told:g} points; counted by hand it is {counted:g}")


CHECKS: tuple[type[Check], ...] = (
    ChitsAreUsed,
    ActivationIsRight,
    ArrivalsFit,
    MarkersAreRight,
    CrossingsAreRight,
    VerdictsFit,
)
