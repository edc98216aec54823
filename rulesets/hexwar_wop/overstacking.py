"""12.5: what is over the limit when an activation ends, the opponent displaces."""

from __future__ import annotations

from itertools import count

from hexwar.engine import Action, ActionSet, Listed, SeatName, Step, record
from hexwar.mechanics import HexName, go, has_room, occupant, stack
from hexwar.pieces import UnitAction, eliminate
from hexwar_wop.content import HEADQUARTERS
from hexwar_wop.transport import carrier, set_down
from hexwar_wop.world import At, Doing, WopState, WopWorld


def overfull(at: At) -> list[str]:
    """12.2.a: the hexes with a stack over the limit."""
    fits, board = at.world.stacking.fits, at.world.board
    return [label for label, units in at.state.layout.stacks.items() if label in board and not fits(at, units, label)]


def outlets(at: At, unit: str) -> list[str]:
    """12.5: the hexes next to a unit to which it can be moved: away from the displacing player's units, if possible."""
    world, here = at.world, at.state.locations[unit]
    board, side = world.board, world.units[unit].side
    near = [
        label
        for label in board.neighbours(here)
        if occupant(at, label) in (None, side) and world.reaches.can_step(at, unit, here, label) and has_room(at, unit, label)
    ]
    [enemy] = world.enemies(side)
    others = world.supply.troops(at, enemy)

    def nearest(label: str) -> int:
        return next(n for n in count() if board.near(label, n) & others) if others else 0

    away = [label for label in near if nearest(label) > nearest(here)]
    return sorted(away or near)


@record
class Displace(UnitAction):
    """Move a unit of the other side out of a stack that is over the limit."""

    kind = "displace"
    says = "displace {unit} to {to}"
    to: str


@record
class Displacing(Step[WopState, WopWorld]):
    """12.5: a stack is over the limit, and the opponent moves units of their choice by one hex."""

    kind = "displacing"
    clause = "12.5"
    seat: SeatName
    hex: HexName

    def movable(self, at: At) -> list[Action]:
        """Every unit of the stack, and where it can go."""
        found: list[Action] | None = at.memo.get(self)
        if found is None:
            units = [unit for unit in stack(at, self.hex) if at.world.units[unit].arm != HEADQUARTERS]
            found = at.memo[self] = [Displace(unit, label) for unit in units for label in outlets(at, unit)]
        return found

    def is_over(self, at: At) -> bool:
        """Whether the stack is within the limit."""
        units = stack(at, self.hex)
        return not units or at.world.stacking.fits(at, units, self.hex)

    def deciders(self, at: At) -> tuple[str, ...]:
        """The opponent, while the stack is over the limit."""
        return (self.seat,) if not self.is_over(at) and self.movable(at) else ()

    def prompt(self, at: At, seat: str) -> str:
        """What is too much."""
        return f"Too many units are in {self.hex}: displace one of {', '.join(stack(at, self.hex))}."

    def actions(self, at: At, seat: str) -> ActionSet:
        """Any of them."""
        return Listed(self.movable(at))

    def perform(self, play: Doing, seat: str, action: Action) -> None:
        """Move it."""
        assert isinstance(action, Displace)
        if carrier(play, action.unit):  # who is pushed out of a hex gets off
            set_down(play, action.unit, self.hex, 0, "12.5")
        go(play, action.unit, (self.hex, action.to), "stacking.excess")

    def resume(self, play: Doing) -> None:
        """Done; or nobody can move, and the last of the stack is lost."""
        if self.is_over(play):
            play.pop()
        else:
            units = [unit for unit in stack(play, self.hex) if play.world.units[unit].arm != HEADQUARTERS]
            eliminate(play, units[-1], "stacking.excess")


def displace_excess(play: Doing, seat: str) -> None:
    """12.5: at the end of an activation, stacks of either side; the active player's first."""
    active = play.world.seats[seat]
    found = [(label, play.world.units[stack(play, label)[0]].side) for label in overfull(play)]
    for label, side in sorted(found, key=lambda entry: (entry[1] == active, entry[0])):
        play.push(Displacing(play.world.seat_for(play.world.enemies(side)[0]), label))
