"""Checks of movement and of supply in games: each move is one that the literal rules leave, and so is each marker (8, 9)."""

from __future__ import annotations

from itertools import pairwise
from typing import ClassVar

from hexwar.engine import Action, Event, Game, Step, StepPushed
from hexwar.mechanics import ChitDrawn, Move, Moving, UnitMoved
from hexwar.testing.checks.following import current, differ, listed
from hexwar.testing.subject import Subject
from hexwar.testing.watch import Budget
from hexwar_tow.kit.field_book import Follower
from hexwar_tow.kit.field_rules import Ground
from hexwar_tow.state import HeadquartersLifted, HeadquartersRelocated, SupplyChanged
from hexwar_tow.supply import SupplyCheck


class LiteralMoves(Follower):
    """Who moves where, by which way, and what he takes."""

    id: ClassVar[str] = "literal-moves"
    sentence: ClassVar[str] = (
        "Units move once, by a cheapest way to a hex with room, and take the cities on all their ways (5.0.3, 8.1.7, 9.0)."
    )

    def __init__(self, subject: Subject, budget: Budget) -> None:
        super().__init__(subject, budget)
        self._active: set[str] = set()
        self._move: Move | None = None
        self._taken: dict[str, str] = {}
        """City -> who has entered it last by the last action."""

    def waits(self, step: Step) -> None:
        """A segment that has begun already."""
        if isinstance(step, Moving):
            self._active = set(step.units)

    def decided(self, action: Action) -> None:
        """A move is ordered."""
        self._taken = {}
        self._move = action if isinstance(action, Move) else None

    def judge(self, game: Game, event: Event) -> None:
        """A move must be paid for."""
        if type(event) is StepPushed and isinstance(event.step, Moving):
            self._active = set(event.step.units)
        elif isinstance(event, HeadquartersLifted):
            self._active.discard(event.unit)
        elif isinstance(event, UnitMoved):
            self._enters(game, event.unit, event.path[1:])
            if event.manner.startswith("moves"):
                self._moved(game, event)
        elif isinstance(event, HeadquartersRelocated):
            self._enters(game, event.unit, (event.hex,))

    def _enters(self, game: Game, unit: str, hexes: tuple[str, ...]) -> None:
        for label in hexes:
            place = game.world.board.place(label)
            if place is not None and place.kind == "major-city":
                self._taken[label] = game.world.units[unit].side

    def _moved(self, game: Game, event: UnitMoved) -> None:
        board, order, unit = self.ground(game), self._move, event.unit
        if order is None or (order.unit, order.to) != (unit, event.path[-1]) or order.path not in ((), event.path):
            raise self.fail(f"{event!r}: the order was {order}")
        if unit not in self._active:
            raise self.fail(f"{event!r}: the unit is not active, or has moved already")
        self._active.discard(unit)
        if event.path[0] != board.at[unit] or (event.path[-1] != board.at[unit] and not board.has_room(unit, event.path[-1])):
            raise self.fail(f"{event!r}: it was in {board.at[unit]}, or there is no room in {event.path[-1]}")
        if order.mode:
            ends = board.strategic_ends(unit)
            roads = all("road" in board.board.links(a, b) for a, b in pairwise(event.path))
            if not roads or ends.get(event.path[-1]) != (len(event.path) - 1) / 2:
                raise self.fail(f"{event!r}: by roads it gets to {listed(ends)}")
            return
        cost = board.cost(unit, event.path)
        if cost is None:
            raise self.fail(f"{event!r}: it cannot go that way with {board.points(unit)} points")
        best = board.reach(unit).get(event.path[-1])
        if not order.path and cost != best:
            raise self.fail(f"{event!r} costs {cost:g} points, but a way for {best} leads there")

    def stands(self, game: Game) -> None:
        """Cities belong to whoever entered them last."""
        wrong = [label for label, side in self._taken.items() if game.state.control[label] != side]
        if wrong and game.result is None:
            raise self.fail(f"{listed(wrong)} belong to {listed(game.state.control[label] for label in wrong)} (8.1.7)")

    def offered(self, game: Game, seat: str) -> None:
        """Where an active unit may go, by both ways of moving, on maps that are small enough to list it."""
        if current(game, Moving) is None or game.world.board.size > 100:
            return
        board = Ground(game.world, game.state)
        told: dict[tuple[str, str], set[str]] = {}
        for action in game.legal_actions(seat):
            if isinstance(action, Move) and not action.path:
                told.setdefault((action.unit, action.mode), set()).add(action.to)
        for unit in {unit for unit, _ in told}:
            if unit not in self._active:
                raise self.fail(f"{seat} may move {unit}, which is not active or has moved already")
        for unit in self._active & set(board.at):
            for mode, ends in (("", board.ends(unit)), ("strategic", board.strategic_ends(unit))):
                wrong = differ(told.get((unit, mode), set()), set(ends))
                if wrong:
                    raise self.fail(f"the {mode} moves of {unit} from {board.at[unit]}: {wrong}")


class LiteralSupply(Follower):
    """What a supply check does, and that nothing else does it."""

    id: ClassVar[str] = "literal-supply"
    sentence: ClassVar[str] = (
        "The Supply chit marks the units without a line and relocates such headquarters; markers stay until the next one (8.1)."
    )

    def __init__(self, subject: Subject, budget: Budget) -> None:
        super().__init__(subject, budget)
        self._due: dict[str, str] | None = None
        """The markers after a check that has just been made."""
        self._leaving: set[str] = set()
        self._markers: dict[str, str] = {}
        """Unit -> the marker that events have given it."""
        self._open = False
        """Whether the check that waits has been judged here already."""

    def begin(self, game: Game) -> None:
        """With the markers on the map."""
        self._markers = dict(game.first_state.supply)
        super().begin(game)

    def judge(self, game: Game, event: Event) -> None:
        """A check begins, or somebody gets a marker."""
        check = self.top(SupplyCheck)
        begins = check is not None and not check.judged
        drawn = isinstance(event, ChitDrawn) and game.world.chits[event.chit].kind == "supply"
        if drawn or (begins and not self._open):
            board = self.ground(game)
            self._due, self._leaving = board.judged(), board.cut_off()
        self._open = begins
        if isinstance(event, SupplyChanged):
            if not begins:
                raise self.fail(f"{event!r}: there is no supply check (8.1.11)")
            self._markers[event.unit] = event.status
        if isinstance(event, HeadquartersLifted) and check is not None:
            self._lifted(game, event)

    def _lifted(self, game: Game, event: HeadquartersLifted) -> None:
        if event.unit not in self._leaving:
            raise self.fail(f"{event!r}: it has a line (8.1.12)")
        self._leaving.discard(event.unit)
        units = game.world.units
        if units[event.unit].side == "axis" and any(units[other].side == "soviet" for other in self._leaving):
            raise self.fail(f"{event!r}: Soviet headquarters are relocated first (8.1.1)")

    def stands(self, game: Game) -> None:
        """The markers are those that the check leaves, and no others at any time."""
        at, board = game.state.at, game.world.board
        self._markers = {unit: marker for unit, marker in self._markers.items() if marker and at.get(unit) in board}
        due, self._due = self._markers if self._due is None else self._due, None
        wrong = differ({f"{u}: {m}" for u, m in game.state.supply.items()}, {f"{u}: {m}" for u, m in due.items()})
        if wrong:
            raise self.fail(f"the supply markers: {wrong}")
        if self._leaving and not any(isinstance(step, SupplyCheck) for step in game.state.stack):
            raise self.fail(f"{listed(self._leaving)} should have been relocated by the supply check (8.1.12)")
