"""What holds in every position of a game that uses these mechanics."""

from __future__ import annotations

from hexwar.engine import Invariant, Position
from hexwar.mechanics._layout import Layout
from hexwar.mechanics._pieces import occupant


def standard_invariants(*, stacking: str, sides_apart: str, zones: str, steps: str, control: str = "") -> tuple[Invariant, ...]:
    """The usual ones, each under the clause that a ruleset gives it; that on control only if there is such a clause."""
    found = (
        Invariant(stacking, "no stack is over the limit", _overstacked),
        Invariant(sides_apart, "both sides never share a hex", _mixed_stack),
        Invariant(zones, "zones and stacks are what they would be if made anew", _stale_layout),
        Invariant(steps, "every unit has one of its steps, and stands somewhere", _wrong_steps),
    )
    return (*found, Invariant(control, "a place belongs to the side that stands in it", _wrong_owner)) if control else found


def _overstacked(at: Position) -> str | None:
    for label, units in at.state.layout.stacks.items():
        if label in at.world.board and not at.world.stacking.fits(at, units, label):
            return f"{', '.join(units)} stand in {label}"
    return None


def _mixed_stack(at: Position) -> str | None:
    for label, units in at.state.layout.stacks.items():
        if label in at.world.board and len({at.world.units[unit].side for unit in units}) > 1:
            return f"{', '.join(units)} share {label}"
    return None


def _stale_layout(at: Position) -> str | None:
    basis, board = at.state.layout.basis, at.world.board
    fresh = Layout.of(basis, at.state.locations)
    for label in filter(board.__contains__, at.state.layout.stacks) if basis.changing else ():
        fresh.change_zone(label, basis.changing.covered(at.state, label))
    return None if fresh == at.state.layout else "the derived layout differs from one made from scratch"


def _wrong_steps(at: Position) -> str | None:
    if set(at.state.locations) != set(at.state.steps_left):
        return f"{', '.join(sorted(set(at.state.locations) ^ set(at.state.steps_left)))} has a place or steps, but not both"
    for unit, steps in at.state.steps_left.items():
        if not 1 <= steps <= at.world.units[unit].steps:
            return f"{unit} has {steps} steps"
    return None


def _wrong_owner(at: Position) -> str | None:
    for label, name in at.world.controlled.items():
        holder, owner = occupant(at, label), at.state.control.get(label)
        if holder not in (None, owner):
            return f"{holder} stands in {name} ({label}), which belongs to {owner or 'nobody'}"
    return None
