"""17.2 to 17.12: what an air unit may be used for, and why not."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, TypeAlias

from hexwar.engine import Position, record
from hexwar.errors import Refusal
from hexwar.mechanics import Battle
from hexwar.pieces import UnitAction, on_board, stands
from hexwar_wop.flights import COVER, flight_of
from hexwar_wop.modifiers import Forces

if TYPE_CHECKING:
    from hexwar_wop.world import WopState, WopWorld

    At: TypeAlias = Position[WopState, WopWorld]

NEAR = 3
"""17.8: hexes from an enemy formation."""


# -- 17.2 what an air unit may do -------------------------------------------------------------------------------------------


@record
class Fly(UnitAction):
    """An air unit is used."""

    kind = ""
    can = "fly"


@record
class Reconnoitre(Fly):
    """17.2.1: try to spot an enemy formation."""

    kind = "reconnoitre"
    says = "{unit} looks for {formation}"
    formation: str


@record
class Hinder(Fly):
    """17.2.2: delay the enemy around a hex."""

    kind = "hinder"
    says = "{unit} delays the enemy around {to}"
    to: str


@record
class Support(Fly):
    """17.2.3: support a fight, from a hex of the units that are in it."""

    kind = "support"
    says = "{unit} supports the fight over {to}"
    to: str


@record
class Escort(Fly):
    """17.2.4, 17.12.a: a fighter goes with an air unit of its side."""

    kind = "escort"
    says = "{unit} escorts {whom}"
    whom: str


@record
class Intercept(Fly):
    """17.2.4, 17.12.b: a fighter is placed on an enemy air unit."""

    kind = "intercept"
    says = "{unit} intercepts {whom}"
    whom: str


# -- 4.3, 14.8 who may be placed where --------------------------------------------------------------------------------------


def why_not_spot(at: At, side: str, formation: str) -> Refusal | None:
    """17.6.a: an air unit is placed on the headquarters of an enemy formation; 17.3: anywhere on the map."""
    counter = at.world.units.get(formation)
    if counter is None or counter.level != "formation" or counter.side == side or not stands(at, formation):
        return Refusal.against("17.6.a", f"{formation} is no headquarters of an enemy formation on the map")
    return None


def why_not_hinder(at: At, side: str, label: str) -> Refusal | None:
    """17.8: near a unit or the headquarters of an enemy formation; 17.3."""
    board = at.world.board
    if label not in board:
        return Refusal.against("17.3", f"there is no hex {label} on the map")
    if not near_formations(at, side) >> board.index(label) & 1:
        return Refusal.against("17.8", f"no enemy formation is within {NEAR} hexes of {label}")
    return None


def near_formations(at: At, side: str) -> int:
    """17.8: the mask of the hexes in which air units of a side may delay the enemy."""
    kept, key = at.state.layout.memo, ("near formations", side)
    found: int | None = kept.get(key)
    if found is None:
        [enemy] = at.world.enemies(side)
        units, board = at.world.units, at.world.board
        pieces = [unit for unit in on_board(at, enemy) if units[unit].formation or units[unit].level == "formation"]
        found = board.mask([at.state.locations[unit] for unit in pieces])
        for _ in range(NEAR):
            found |= reduce(or_, [found << delta if delta > 0 else found >> -delta for delta in board.deltas])
            found &= board.everywhere
        kept[key] = found
    return found


def why_not_support(at: At, side: str, battle: Battle, label: str) -> Refusal | None:
    """17.10.a: where units of the formations stand that attack or are attacked; an independent unit is one by itself."""
    if label not in supported_hexes(at, side, battle):
        return Refusal.against("17.10.a", f"no unit of {side} in {label} is of those that fight for {battle.target}")
    return None


def supported_hexes(at: At, side: str, battle: Battle) -> list[str]:
    """17.10.a: the hexes from which a fight can be supported."""
    forces, units, places = Forces.of(at, battle), at.world.units, at.state.locations
    fighting = (*forces.attackers, *forces.guns) if side == battle.side else forces.defenders
    formations = {units[unit].formation for unit in fighting} - {""}
    others = [unit for unit in on_board(at, side) if units[unit].formation in formations]
    return sorted({places[unit] for unit in (*fighting, *others) if stands(at, unit)})


def why_no_fighter(at: At, unit: str) -> Refusal | None:
    """17.12.a: only units with the symbol of fighters are used as such."""
    return None if at.world.units[unit].fighter else Refusal.against("17.12.a", f"{unit} is no fighter unit")


def why_no_escort(at: At, side: str, unit: str, whom: str) -> Refusal | None:
    """17.12.a: a fighter goes with an air unit of its side that is being placed for something else."""
    ward = flight_of(at, whom)
    if ward is None or at.world.units[whom].side != side or whom not in at.state.launched or ward.mission == COVER:
        return Refusal.against("17.12.a", f"{whom} is not being placed for another mission of {side}")
    return why_no_fighter(at, unit)


def why_no_interception(at: At, side: str, unit: str, whom: str) -> Refusal | None:
    """17.12.b: a fighter is placed on an enemy air unit that has just been used."""
    if whom not in at.state.launched or at.world.units[whom].side == side:
        return Refusal.against("17.12.b", f"{whom} is no enemy air unit that has just been placed")
    return why_no_fighter(at, unit)
