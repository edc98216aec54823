"""command.23, fire.6, ko.4, charge.6: units that are carried or towed, and how they get on and off."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hexwar.engine import ActionSet, Choices, record
from hexwar.errors import Refusal
from hexwar.pieces import OneByOne, UnitAction, UnitName
from hexwar.plane import TOUCH, Placed
from hexwar_bkc.effects import AROUND, beside, knock_out, passengers, suppress
from hexwar_bkc.state import Dismounted, Mounted
from hexwar_bkc.world import CM, At, Doing, in_contact, is_within

NEAR = 5 * CM
"""react.12: how near transport must be for a unit on foot."""


@record
class Mount(UnitAction):
    """command.23: get on, or limber up behind it."""

    kind = "mount"
    says = "mount {unit} on {carrier}"
    can = "mount transport"
    unit: UnitName
    carrier: UnitName


@record
class Dismount(UnitAction):
    """command.23: get off, or unlimber, at an edge of what carries the unit."""

    kind = "dismount"
    says = "dismount {unit}, {edge}"
    can = "dismount"
    unit: UnitName
    edge: str


def why_not_mount(at: At, unit: str, carrier: str) -> Refusal | None:
    """command.23, react.11, react.12: why a unit cannot get on something."""
    model, lorry = at.world.units[unit], at.world.units.get(carrier)
    if unit not in at.state.spots or model.arm not in ("foot", "boat", "gun") or model.commands:
        return Refusal.against("command.23", f"{unit} is neither on foot nor a gun, or is carried already")
    if lorry is None or carrier not in at.state.spots or lorry.side != model.side or not lorry.carries:
        return Refusal.against("command.23", f"{carrier} is no own transport on the table")
    if model.arm == "gun" and lorry.type != "transport":
        return Refusal.against("react.11", f"{carrier} does not tow guns")
    if len(passengers(at, carrier)) >= lorry.carries:
        return Refusal.against("command.23", f"{carrier} is full")
    if model.arm == "gun" and unit in at.state.dug_in:
        return Refusal.against("move.6", f"{unit} is emplaced and does not move")
    if in_contact(at, unit) or in_contact(at, carrier):
        return Refusal.against("charge.1", f"{unit} or {carrier} is in close combat")
    if model.arm == "gun" and not is_within(at, unit, carrier, TOUCH):
        return Refusal.against("react.11", f"{unit} does not touch {carrier}")
    if not is_within(at, unit, carrier, NEAR):
        return Refusal.against("react.12", f"{carrier} is farther than 5 cm from {unit}")
    return None


def mounts(at: At, unit: str) -> Choices:
    """What a unit can get on."""

    def why_not(action: object) -> Refusal | None:
        mine = isinstance(action, Mount) and action.unit == unit
        return why_not_mount(at, unit, action.carrier) if mine else None  # type: ignore[attr-defined]

    return Choices([Mount(unit, carrier) for carrier in carriers(at, at.world.units[unit].side)], why_not)


def carriers(at: At, side: str) -> list[str]:
    """The units of a side on the table that carry others."""
    units = at.world.units
    return [other for other in at.state.spots if units[other].carries and units[other].side == side]


def landing(at: At, unit: str, edge: str) -> Placed | None:
    """Where a unit gets off at an edge of its carrier, looking away from it; None if there is no room."""
    return next(iter(beside(at, unit, at.state.aboard[unit], (edge,), away=True)), None)


def why_not_dismount(at: At, unit: str, edge: str) -> Refusal | None:
    """command.23: why a unit cannot get off there."""
    if unit not in at.state.aboard:
        return Refusal.against("command.23", f"{unit} is not carried")
    if edge not in AROUND:
        return Refusal.against("command.23", "an edge is front, right, rear or left")
    if landing(at, unit, edge) is None:
        return Refusal.against("command.23", f"{unit} has no room at the {edge} edge of {at.state.aboard[unit]}")
    return None


def dismounts(at: At, unit: str) -> Choices:
    """Where a unit can get off."""

    def why_not(action: object) -> Refusal | None:
        mine = isinstance(action, Dismount) and action.unit == unit
        return why_not_dismount(at, unit, action.edge) if mine else None  # type: ignore[attr-defined]

    return Choices([Dismount(unit, edge) for edge in AROUND if unit in at.state.aboard], why_not)


def mount(play: Doing, unit: str, carrier: str, clause: str = "command.23") -> None:
    """Get on."""
    play.emit(Mounted(unit, carrier, clause=clause))


def dismount(play: Doing, unit: str, there: Placed, clause: str = "command.23") -> None:
    """Get off."""
    play.emit(Dismounted(unit, play.state.aboard[unit], there.centre, there.heading, clause=clause))


def why_not_fire_aboard(at: At, unit: str) -> Refusal | None:
    """fire.6, fire.7: why a unit that is carried does not fire."""
    carrier = at.state.aboard.get(unit, "")
    if not carrier:
        return None
    if not at.world.units[carrier].heavy or at.world.units[unit].arm == "gun":
        return Refusal.against("fire.6", f"{unit} is carried or towed by {carrier}, which has no armour")
    if carrier in at.state.stirred:
        return Refusal.against("fire.7", f"{carrier}, which carries {unit}, has moved this turn")
    return None


def shaken(play: Doing, carrier: str) -> None:
    """ko.4, ko.5: what becomes of those on a carrier that was hit and is still there."""
    model = play.world.units[carrier]
    carried = tuple(passengers(play, carrier))
    if carried and model.type == "transport" and model.heavy:
        play.push(Bailing(play.world.seat_for(model.side), carried))
        return
    for unit in carried:
        found: Iterable[Placed] = beside(play, unit, carrier, AROUND, away=True)
        there = next(iter(found), None)
        if there is None:
            knock_out(play, unit, f"there is no room beside {carrier}", "ko.4")
        else:
            dismount(play, unit, there, "ko.4")
            suppress(play, unit, "ko.4")


@record
class Bailing(OneByOne):
    """ko.5: who is in armoured transport that was hit may get off, and is suppressed then."""

    kind = "bailing"
    says = "Let a unit get off, suppressed: {waiting}."
    topic = "bail"

    def choices(self, at: At, unit: str) -> ActionSet | list[Any]:
        """At which edge."""
        return dismounts(at, unit) if unit in at.state.aboard else []

    def why_not_now(self, at: At, action: Any) -> Refusal | None:
        """Why a unit is not among them."""
        return (
            Refusal.against("ko.5", f"{action.unit} is not carried by what was hit") if isinstance(action, UnitAction) else None
        )

    def act(self, play: Doing, action: Any) -> None:
        """Off, and down."""
        there = landing(play, action.unit, action.edge)
        assert there is not None, "it was judged before"
        dismount(play, action.unit, there, "ko.5")
        suppress(play, action.unit, "ko.5")
