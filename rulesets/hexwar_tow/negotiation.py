"""11.2 and 12.2: negotiation with the supreme command, for reinforcements and for the freedom to give up cities."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from hexwar.engine import Action, ActionSet, Choices, record
from hexwar.errors import Refusal
from hexwar.mechanics import Arriving, stack
from hexwar.pieces import Done, UnitAction
from hexwar_tow.reinforcements import rail_hexes
from hexwar_tow.state import At, Doing, OrderRemoved

BOXES = ("PR", "IR", "AR")
"""2.2.10: panzer divisions, infantry divisions, units of the allies."""


@record
class LiftOrder(Action):
    """Have a Supreme Command Order lifted."""

    kind = "lift-order"
    says = "have the order for {hex} lifted"
    hex: str


def price_of(at: At, unit: str) -> int:
    """11.2.1: what a unit in its box costs, in half points."""
    box = at.state.locations[unit].removeprefix("axis ")
    return int(2 * getattr(at.world.numbers.negotiation, box))


def price_of_order(at: At) -> int:
    """12.2.2: what it costs to have an order lifted, in half points."""
    return int(2 * at.world.numbers.negotiation.order)


@record
class Negotiating(Arriving):
    """4.2.2.9: the Axis spends its points on units and orders; what is left is lost."""

    kind = "negotiating"
    topic: ClassVar[str] = "arrival.axis"
    points: int = 0
    """Half points that are left."""

    def waiting(self, at: At) -> tuple[str, ...]:
        """The units that it can still afford."""
        return tuple(unit for unit in Arriving.waiting(self, at) if price_of(at, unit) <= self.points)

    def stopping(self, at: At) -> ActionSet:
        """Stop, or have an order lifted."""

        def why_not(action: Action) -> Refusal | None:
            if not isinstance(action, LiftOrder):
                return None
            if action.hex not in at.state.orders:
                return Refusal.against("12.2.2", f"{action.hex} has no order")
            enough = price_of_order(at) <= self.points
            return None if enough else Refusal.against("12.2.2", f"{self.points / 2:g} points are not enough")

        return Choices([Done(), *map(LiftOrder, at.state.orders)], why_not)

    def why_not_now(self, at: At, action: UnitAction) -> Refusal | None:
        """11.2.1: the other waiting units are too costly."""
        if action.unit not in self.units or price_of(at, action.unit) <= self.points:
            return Arriving.why_not_now(self, at, action)
        price = f"{action.unit} costs {price_of(at, action.unit) / 2:g}; {self.points / 2:g} of the points are left"
        return Refusal.against("11.2.1", price)

    def deciders(self, at: At) -> tuple[str, ...]:
        """The Axis, while it can buy something."""
        orders = at.state.orders and price_of_order(at) <= self.points
        return (self.seat,) if orders else Arriving.deciders(self, at)

    def prompt(self, at: At, seat: str) -> str:
        """How much is left."""
        return f"{self.points / 2:g} negotiation points: bring in units or have orders lifted."

    def perform(self, play: Doing, seat: str, action: Action) -> None:
        """Pay for it."""
        if isinstance(action, LiftOrder):
            play.replace(replace(self, points=self.points - price_of_order(play)))
            play.emit(OrderRemoved(action.hex, play.world.cities[action.hex], clause="12.2.2"))
        else:
            Arriving.perform(self, play, seat, action)

    def strike_off(self, play: Doing, unit: str) -> None:
        """11.2.1: pay for it."""
        units = tuple(other for other in self.units if other != unit)
        play.replace(replace(self, units=units, points=self.points - price_of(play, unit)))


def negotiate(play: Doing, seat: str) -> None:
    """4.2.2.9: as many points as the crossing points give."""
    points = int(2 * play.world.numbers.given_by(play.state.crossing_points).negotiation_points)
    units = tuple(unit for box in BOXES for unit in stack(play, f"axis {box}"))
    play.push(Negotiating(seat, units, rail_hexes(play, "axis"), about="arrival.axis", points=points))
