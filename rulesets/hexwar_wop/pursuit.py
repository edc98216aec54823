"""14.31 to 14.38: pursuit, first into the hex that the enemy has left, then anywhere; headquarters follow when all is over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from hexwar.board import ALL, CLOSED
from hexwar.engine import ActionSet, Explained, Play, Position, SeatName, Step, record
from hexwar.errors import Refusal
from hexwar.mechanics import Going, HexName, Path, Pursue, PursuitRules, go, occupant
from hexwar.pieces import Manner, OneByOne, UnitName, stands
from hexwar_wop.fighting import PursuitNoted
from hexwar_wop.modifiers import ARTILLERY

if TYPE_CHECKING:
    from hexwar_wop.world import WopState, WopWorld

    At: TypeAlias = Position[WopState, WopWorld]
    Doing: TypeAlias = Play[WopState, WopWorld]


class WopPursuit(PursuitRules):
    """14.31 to 14.37: movement with points of its own."""

    world: WopWorld

    def points(self, unit: str, hexes: int) -> int:
        """14.33, 14.36: the points of a unit, given how far the enemy had to retreat."""
        factors = self.world.printed.tables.pursuit
        return ceil(Fraction(factors.get(self.world.units[unit].arm, factors["other"])) * hexes)

    def ways(self, at: At, unit: str, target: str, hexes: int) -> list[Path]:
        """14.32, 14.34, 14.35: by the hex that was left, which may always be entered, to any hex within its points."""
        if self.world.units[unit].arm == ARTILLERY:
            return []
        board, here, points = self.world.board, at.state.locations[unit], 2 * self.points(unit, hexes)
        prices = self.world.reaches.prices_for(at, self.going(at, unit, points))
        first = self.world.reaches.price(prices, board.index(here), board.direction(here, target))
        if first == CLOSED:
            return []
        left = 0 if first == ALL else max(0, points - first)
        found = self.from_hex(at, unit, target, left, points)
        return [(here, *path) for path in ((target,), *found)]

    def from_hex(self, at: At, unit: str, label: str, left: int, points: int) -> list[Path]:
        """10.10, 14.32.1, 14.32.3: the cheapest way to each hex in reach, with some of the half points of the pursuit left."""
        board, reaches = self.world.board, self.world.reaches
        found = reaches.search(at, reaches.prices_for(at, self.going(at, unit, points)), board.index(label), left)
        ends = sorted(board.label(i) for i in found if i != found.start)
        return [tuple(board.label(i) for i in found.path(board.index(end))) for end in ends]

    def going(self, at: At, unit: str, points: int) -> Going:
        """10.10, 14.32.3: how a unit goes that pursues with some half points; no train runs past an enemy then (14.28.a)."""
        movement = self.world.movement
        terms = movement.terms_with(self.world.units[unit].arm, points)
        return replace(movement.pursuing(at, unit, terms, movement.moves_as(at, unit)), passes=0)

    def follow(self, at: At, headquarters: str, points: int) -> list[Path]:
        """14.38.a: the ways of a headquarters, in any direction."""
        here = at.state.locations[headquarters]
        return self.from_hex(at, headquarters, here, 2 * points, 2 * points)


def _along(ways: list[Path], unit: str, why_not: Callable[[Path], Refusal]) -> ActionSet:
    offered = [Pursue(unit, path) for path in ways]
    return Explained(offered, lambda action: None if action in offered else why_not(action.path), Pursue)


@record
class Chasing(OneByOne):
    """14.32 to 14.37: attackers that are left pursue, one by one and each where it likes (14.37)."""

    kind = "chasing"
    shows = ("path",)
    says = "Pursue into {target} with {waiting}?"
    ending = "End pursuit"
    clause: ClassVar[str] = "14.32.a"
    target: HexName
    hexes: int
    """How far the defenders had to retreat."""

    def choices(self, at: Position, unit: str) -> ActionSet:
        """Every hex that it can get to."""
        key = ("pursuit", unit, self.target, self.hexes)
        ways = at.memo.get(key)
        if ways is None:
            ways = at.memo[key] = at.world.pursuit.ways(at, unit, self.target, self.hexes)

        def why_not(path: Path) -> Refusal:
            if path[1:2] != (self.target,):
                return Refusal.against("14.32.2", f"a pursuit leads into {self.target} first")
            points = at.world.pursuit.points(unit, self.hexes)
            return Refusal.against("14.35", f"{unit} does not get to {path[-1]} that way with {points} points of pursuit")

        return _along(ways, unit, why_not)

    def act(self, play: Doing, action: Pursue) -> None:
        """Set out; 14.38.b: its headquarters may follow as far."""
        formation, points = play.world.units[action.unit].formation, play.world.pursuit.points(action.unit, self.hexes)
        if formation and points > dict(play.state.pursuits).get(formation, 0):
            play.emit(PursuitNoted(formation, points, clause="14.38.b"))
        play.push(OnTheHeels(self.seat, action.unit, action.path[1:]))


@record
class OnTheHeels(Step):
    """14.31: a unit that pursues, hex by hex, since it may come near headquarters and guns on its way (9.24, 13.17)."""

    kind = "on-the-heels"
    clause: ClassVar[str] = "14.31"
    seat: SeatName
    unit: UnitName
    path: tuple[HexName, ...]
    """The hexes that it is still to enter."""

    def resume(self, play: Doing) -> None:
        """Enter the next hex, unless something has come into the way."""
        unit = self.unit
        if not self.path or not stands(play, unit) or occupant(play, self.path[0]) not in (None, play.world.units[unit].side):
            play.pop()
            return
        origin = play.state.locations[unit]
        play.replace(replace(self, path=self.path[1:]))
        go(play, unit, (origin, self.path[0]), "pursuit", Manner.PURSUES)
        play.world.movement.entered(play, unit, origin, self.path[0], PURSUIT)


PURSUIT = "pursuit"
"""The way of moving without reactions (13.9.c)."""


@record
class Following(OneByOne):
    """14.38: after all pursuits, headquarters whose units pursued may do so too."""

    kind = "following"
    shows = ("path",)
    says = "Let headquarters follow: {waiting}?"
    clause: ClassVar[str] = "14.38.a"

    def choices(self, at: Position, unit: str) -> ActionSet:
        """Every hex in reach."""
        points = dict(at.state.pursuits)[unit]
        refusal = Refusal.against("14.38.b", f"{unit} does not get there with {points} points")
        return _along(at.world.pursuit.follow(at, unit, points), unit, lambda path: refusal)

    def act(self, play: Doing, action: Pursue) -> None:
        """Follow."""
        go(play, action.unit, action.path, "pursuit.headquarters", Manner.PURSUES)
