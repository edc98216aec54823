"""Pursuit: attackers may follow into the hex that the defenders left, and some arms farther."""

from __future__ import annotations

from typing import ClassVar

from hexwar.engine import ActionSet, Explained, Part, Play, Position, record
from hexwar.errors import Refusal
from hexwar.mechanics._pieces import go, has_room
from hexwar.mechanics._retreat import Path, why_closed
from hexwar.mechanics._state import HexName
from hexwar.pieces._pieces import Manner
from hexwar.pieces._steps import OneByOne, UnitAction, Why, against


class PursuitRules(Part):
    """A victorious unit may follow into the vacated hex, and go on as far as its arm pursues. Zones do not matter."""

    # -- what games have rules about

    def hexes(self, arm: str) -> int:
        """How many hexes an arm may pursue."""
        return 1

    def why_not_into(self, at: Position, unit: str, path: Path, label: str) -> Why | None:
        """Why a pursuit may not lead into an adjacent hex: it was there, or ground or enemy keep it out.

        Args:
            at: the position, the unit still in its place.
            unit: who pursues.
            path: the way so far, its first hex included.
            label: the next hex.
        """
        if label in path:
            return "pursuit", f"{unit} cannot go from {path[-1]} to {label}"
        return why_closed(at, unit, path[-1], label, "pursuit")

    def stops(self, at: Position, unit: str, origin: str, target: str) -> str:
        """The topic of the rule that ends a pursuit in a hex that it has entered from another; "" if it may go on."""
        return ""

    def begin(self, at: Position, seat: str, target: str, attackers: tuple[str, ...]) -> Pursuing:
        """The step in which those attackers of a hex pursue that are left."""
        return Pursuing(seat, attackers, target)

    # -- what follows from them

    def paths(self, at: Position, unit: str, target: str) -> list[Path]:
        """The ways a victorious unit may follow, the shorter ones first."""
        board, here = self.world.board, at.state.locations[unit]
        if not board.adjacent(here, target):
            return []
        paths: list[Path] = []
        longer: list[Path] = [(here, target)]
        for _ in range(self.hexes(self.world.units[unit].arm)):
            longer = [path for path in longer if not self.why_not_into(at, unit, path[:-1], path[-1])]
            paths += longer
            onward = [path for path in longer if not self.stops(at, unit, path[-2], path[-1])]
            longer = [(*path, label) for path in onward for label in sorted(board.neighbours(path[-1]))]
        return [path for path in paths if has_room(at, unit, path[-1])]

    def why_not(self, at: Position, unit: str, target: str, path: Path) -> Refusal | None:
        """Why a victorious unit may not follow along a path."""
        board, here = self.world.board, at.state.locations[unit]
        if path[:2] != (here, target):
            return against(at, "pursuit.first", f"a pursuit leads from {here} to {target} first")
        if len(path) - 1 > self.hexes(self.world.units[unit].arm):
            return against(at, "pursuit.far", f"{unit} may not pursue so far as {path[-1]}")
        for n, label in enumerate(path[1:], 1):
            if label not in board or not board.adjacent(path[n - 1], label):
                return against(at, "pursuit", f"{unit} cannot go from {path[n - 1]} to {label}")
            if why := self.why_not_into(at, unit, path[:n], label):
                return against(at, *why)
            if n > 1 and (topic := self.stops(at, unit, path[n - 2], path[n - 1])):
                return against(at, topic, f"the pursuit of {unit} ends in {path[n - 1]}")
        return None if has_room(at, unit, path[-1]) else against(at, "pursuit.room", f"there is no room for {unit} in {path[-1]}")


@record
class Pursue(UnitAction):
    """Let a unit follow along a path, its own hex included."""

    kind = "pursue"
    path: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.unit} pursues to {' '.join(self.path[-1:])}"


@record
class Pursuing(OneByOne):
    """The attackers' pursuit, voluntary and one by one."""

    kind = "pursuing"
    title = "Who pursues?"
    shows = ("path",)
    says = "Pursue into {target} with {waiting}?"
    topic: ClassVar[str] = "pursuit"
    ending = "End pursuit"
    target: HexName

    def choices(self, at: Position, unit: str) -> ActionSet:
        """Every way it may follow."""
        rules: PursuitRules = at.world.pursuit
        ways = [Pursue(unit, path) for path in rules.paths(at, unit, self.target)]
        return Explained(ways, lambda action: rules.why_not(at, unit, self.target, action.path), Pursue)

    def act(self, play: Play, action: Pursue) -> None:
        """Follow."""
        go(play, action.unit, action.path, self.topic, Manner.PURSUES)
