"""How units are put on a board by hand so that no rule is broken, for rulesets of every kind."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from hexwar.board import CLOSED
from hexwar.engine import Position, Ruleset, Step
from hexwar.mechanics import Attacking, Declaring, HexState, Moving
from hexwar.mechanics._pieces import on_board

At = Position
Placement = Mapping[str, str]
"""Piece -> hex."""


class Arranging(ABC):
    """What `positions` asks about a game: which pieces there are, where they may stand, and what may be asked of whom.

    Rulesets that are built on `hexwar.mechanics` need not say: they get `HexArranging`. Another one gives its own as
    `Kit.pieces`, or a test gives one to `positions`.
    """

    @abstractmethod
    def pieces(self, world: Any) -> Mapping[str, str]:
        """Every piece that can stand on the board -> its side."""

    @abstractmethod
    def near(self, world: Any, label: str, radius: int) -> Sequence[str]:
        """The hexes so far from a hex at most, nearest first."""

    @abstractmethod
    def hexes(self, world: Any, piece: str) -> Sequence[str]:
        """The hexes that a piece may stand in, in reading order."""

    @abstractmethod
    def fits(self, world: Any, placed: Placement, piece: str, label: str) -> bool:
        """Whether a piece may stand in a hex with those that have their place already."""

    def entry(self, world: Any, piece: str, label: str, choice: int) -> Mapping[str, object]:
        """What `Ruleset.place` receives; the choice from 0 to 255 may leave a piece weaker, and 0 leaves it as it is."""
        return {"at": label}

    def fields(self, at: At) -> Mapping[str, Any]:
        """Fields of the state that follow from where the pieces stand."""
        return {}

    @abstractmethod
    def steps(self, ruleset: Ruleset, at: At, seat: str) -> Iterable[Step]:
        """What a seat may be asked, the dullest first; those steps that ask nobody here are skipped."""


class HexArranging(Arranging):
    """Positions of rulesets that are built on `hexwar.mechanics`."""

    def pieces(self, world: Any) -> Mapping[str, str]:
        """See `Arranging.pieces`."""
        return {unit: counter.side for unit, counter in world.units.items()}

    def near(self, world: Any, label: str, radius: int) -> Sequence[str]:
        """See `Arranging.near`."""
        found: tuple[str, ...] = world.board.disk(label, radius)
        return found

    def hexes(self, world: Any, piece: str) -> Sequence[str]:
        """Those whose terrain it can enter from somewhere: see `Arranging.hexes`."""
        counter, board = world.units[piece], world.board
        if counter.arm not in world.chart.arms:  # it never moves
            return tuple(board.labels)
        costs = world.movement.costs(counter.arm, "", counter.side)
        open_to = {board.label(i + board.deltas[d]) for d in range(6) for i in board.hexes if costs[d][i] != CLOSED}
        return [label for label in board.labels if label in open_to] or list(board.labels)

    def fits(self, world: Any, placed: Placement, piece: str, label: str) -> bool:
        """Sides apart, stacks within their limit: see `Arranging.fits`."""
        there = [other for other, where in placed.items() if where == label]
        if any(world.units[other].side != world.units[piece].side for other in there):
            return False
        fits: bool = world.stacking.fits(Position(world, HexState()), (*there, piece), label)
        return fits

    def entry(self, world: Any, piece: str, label: str, choice: int) -> Mapping[str, object]:
        """A third of the units have lost steps: see `Arranging.entry`."""
        steps = world.units[piece].steps
        return {"at": label, "steps": steps - choice // 3 % steps} if choice % 3 == 2 else {"at": label}

    def fields(self, at: At) -> Mapping[str, Any]:
        """The side that stands in a place controls it: see `Arranging.fields`."""
        world, layout = at.world, at.state.layout
        taken = {label: world.units[layout.stacks[label][0]].side for label in world.controlled if label in layout.stacks}
        return {"control": {**at.state.control, **taken}} if taken else {}

    def steps(self, ruleset: Ruleset, at: At, seat: str) -> Iterable[Step]:
        """Movement, attacks one by one or declared, as far as the ruleset has them: see `Arranging.steps`."""
        units = tuple(on_board(at, at.world.seats[seat]))
        kinds = [kind for kind in (Moving, Attacking, Declaring) if kind in ruleset.steps]
        return [kind(seat, units) for kind in kinds]


def arranging_of(ruleset: Ruleset, pieces: object) -> Arranging | None:
    """How positions of a ruleset are made, as far as it or what it is built on says so."""
    if isinstance(pieces, Arranging):
        return pieces
    return HexArranging() if issubclass(ruleset.state_type, HexState) else None


class Table:
    """A world on which pieces are arranged, with what need be found out only once.

    Args:
        arranging: how.
        world: of the game.
    """

    def __init__(self, arranging: Arranging, world: Any) -> None:
        self.arranging = arranging
        self.world = world
        self._open: dict[str, Sequence[str]] = {}
        self.pieces: dict[str, list[str]] = {}
        """Side -> its pieces, in order."""
        for piece, side in arranging.pieces(world).items():
            if side in world.sides:
                self.pieces.setdefault(side, []).append(piece)

    def open_to(self, piece: str) -> Sequence[str]:
        """The hexes that a piece may stand in."""
        if piece not in self._open:
            self._open[piece] = self.arranging.hexes(self.world, piece)
        return self._open[piece]

    def arrange(self, counts: Mapping[str, int], data: bytes, *, near: bool) -> dict[str, str]:
        """Put this many pieces of each side on the board, wherever the bytes say and there is room. Zeros put them in a heap."""
        choices = iter(data)
        left = {side: list(pieces) for side, pieces in self.pieces.items()}
        placed: dict[str, str] = {}
        field: Sequence[str] = ()
        first: list[str] = []
        """Where the first piece of each side stands."""
        for turn in range(max(counts.values(), default=0)):
            for side in [side for side, count in counts.items() if turn < count and left.get(side)]:
                which, where, more = islice(choices, 3)
                piece = left[side].pop(which % len(left[side]))
                hexes = self.open_to(piece)
                if not field or not near:
                    place = (where << 8 | more) % len(hexes) if hexes else 0
                    order: Sequence[str] = [*hexes[place:], *hexes[:place]]
                elif turn == 0:  # next to the enemy
                    order = _turned(self.arranging.near(self.world, first[0], 1)[1:], where)
                    order = [*order, *field]
                else:
                    order = _turned(field, where)
                open_hexes = set(hexes)
                fitting = (at for at in order if at in open_hexes and self.arranging.fits(self.world, placed, piece, at))
                label = next(fitting, None)
                if label is None:
                    continue
                placed[piece] = label
                if turn == 0:
                    first.append(label)
                if not field:
                    field = self.arranging.near(self.world, label, 1 + next(choices) % 3)
        return placed


def _turned(order: Sequence[str], choice: int) -> Sequence[str]:
    """The same in the same order, but beginning elsewhere."""
    start = choice % len(order) if order else 0
    return [*order[start:], *order[:start]]
