"""What players look up: what hits, dice of a close combat, what changes an order, units; and what places are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexwar.engine import Chart, Objective
from hexwar_bkc.combat import DICE
from hexwar_bkc.ending import holds, reached
from hexwar_bkc.movement import middle
from hexwar_bkc.world import CM

if TYPE_CHECKING:
    from hexwar_bkc.world import At, BkcWorld

RANKS = {"main": 2.0, "minor": 1.0}
"""victory.1 to victory.3: a main objective is a step more than a minor one."""


def charts_of(world: BkcWorld) -> tuple[Chart, ...]:
    """The tables of this game."""
    return fire_chart(), combat_chart(), *((orders_chart(),) if world.has_orders else ()), units_chart(world)


def fire_chart() -> Chart:
    """fire.11 to fire.15, hit.1 to hit.9, supp.2, fall.1."""
    rows = (
        ("at half range or less, mortars excepted", "+1 die", "fire.12"),
        ("from the flank or the rear", "+1 die, saves 1 worse", "fire.13"),
        ("armour at soft targets within 20 cm", "+1 die", "fire.15"),
        ("target in the open", "4 hits", "hit.1"),
        ("target in cover", "5 hits", "hit.2"),
        ("target in fortifications, or a command unit", "6 hits", "hit.3, hit.6"),
        ("indirect fire at armour", "6 hits, 5 if it is open-topped", "hit.4, hit.5"),
        ("* at armour, # at soft targets", "no damage; a 6 suppresses", "hit.7, hit.8, supp.5"),
        ("a die for each hit", "suppressed by what was needed to hit", "supp.2"),
        ("suppressed already", "falls back a die of centimetres for each hit; out beyond 10", "fall.1, fall.3"),
    )
    return Chart("Fire", ("when", "what", "rule"), rows, clause="fire.11")


def combat_chart() -> Chart:
    """cc.5 to cc.15."""
    rows = (
        *[(kind, str(dice), "cc.5") for kind, dice in DICE.items()],
        ("all others", "2", "cc.5"),
        ("has charged", "+1", "cc.6"),
        ("has pursued, and for each full 3 cm of it", "+1", "cc.7"),
        ("foot or cavalry against open-topped armour", "+1", "cc.8"),
        ("suppressed", "-1", "cc.9"),
        ("attacked in the flank or the rear", "-1", "cc.10"),
    )
    return Chart("Close combat", ("who", "dice", "rule"), rows, ("each supporter counts as a hit on the enemy",), "cc.5")


def orders_chart() -> Chart:
    """command.3 to command.26."""
    rows = (
        ("each order that a unit has had this turn", "-1", "command.12"),
        ("a unit that has reacted", "-1", "command.13"),
        ("each full 20 cm beyond the first, edge to edge", "-1", "command.14"),
        ("into, over or out of heavy ground, through smoke", "-1", "command.17"),
        ("towards a visible enemy within 20 cm", "-1", "command.18"),
    )
    notes = (
        "two dice, at most the value",
        "double one: all act twice",
        "double six: a blunder",
        "a failure ends the orders of this command unit; one of the commanding officer ends all",
    )
    return Chart("Orders", ("what", "value", "rule"), rows, notes, "command.3")


def units_chart(world: BkcWorld) -> Chart:
    """stat.3 to stat.7."""
    rows, known = [], set()
    for unit in world.units.values():
        name = f"{unit.side}: {unit.name.rstrip(' 0123456789')}"
        if name in known:
            continue
        known.add(name)
        fire = f"{unit.dice}{unit.mark}/{unit.range // CM}" if unit.range else f"{unit.dice}{unit.mark}" if unit.dice else ""
        rows.append((name, str(unit.move // CM), fire, str(unit.hits), f"{unit.save}+" if unit.save else "", str(unit.cost)))
    return Chart("Units", ("unit", "move", "attack/range", "hits", "save", "points"), tuple(rows), clause="stat.3")


def objectives_of(at: At) -> tuple[Objective, ...]:
    """victory.1: the places for which the sides fight; who has reached what."""
    found = []
    for it in at.world.keys.objective:
        name = it.hold or it.deny or it.cross
        ring = getattr(at.world.terrain.named(name), "ring", ()) if name else ()
        if not ring:
            continue
        held = next((side for side in at.world.sides if holds(at, side, name)), "")
        words = f"{it.rank} objective of {it.side}: " + (
            f"hold {name}" if it.hold else f"keep the enemy out of {name}" if it.deny else f"{it.units} units beyond {name}"
        )
        there = it.side if it.cross and reached(at, it) else "" if it.cross else held
        found.append(Objective(middle(ring), RANKS[it.rank], it.side, there, words, "victory.1"))
    return tuple(found)
