"""3.0 Set-up: everything has its printed hex except three security divisions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from hexwar.engine import record
from hexwar.errors import Refusal
from hexwar.mechanics import Arriving, has_room, occupant, stack
from hexwar.pieces import against
from hexwar_tow.counters import SECURITY
from hexwar_tow.state import At, Doing


@record
class Garrisoning(Arriving):
    """3.0.7: the Axis places its security divisions, each on another major city."""

    kind = "garrisoning"
    may_stop: ClassVar[bool] = False

    def open_hexes(self, at: At, unit: str) -> Iterator[str]:
        """The cities that have no security division yet."""
        return (label for label in self.hexes if self.why_closed(at, unit, label) is None)

    def why_closed(self, at: At, unit: str, label: str) -> Refusal | None:
        """Why it may not be placed in a hex; None if it may. Enemy zones do not matter: any major city is allowed."""
        if label not in self.hexes:
            return against(at, "arrival.garrison", f"{label} is no major city")
        if any(at.world.units[other].arm == SECURITY for other in stack(at, label)):
            return against(at, "arrival.garrison", f"{label} has a security division already")
        if occupant(at, label) not in (None, at.world.units[unit].side):
            return against(at, "arrival.garrison", f"the enemy stands in {label}")
        return None if has_room(at, unit, label) else against(at, "stacking", f"{label} is full")

    def prompt(self, at: At, seat: str) -> str:
        """Who is to be placed."""
        return f"Place {', '.join(self.waiting(at))}, each on a major city."


def set_up(play: Doing) -> None:
    """3.0.7: the only choice of the set-up."""
    units = play.state.layout.stacks.get(SECURITY, ())
    step = Garrisoning(play.world.seat_for("axis"), units, tuple(play.world.cities), about="arrival.garrison")
    if not play.world.options["auto-setup"]:
        play.push(step)
        return
    threatened = sorted(play.state.orders, key=lambda label: (len(stack(play, label)), -int(label[2:]), label))
    for unit in units:
        label = next(label for label in (*threatened, *play.world.cities) if step.why_closed(play, unit, label) is None)
        step.place(play, unit, label)
