"""What players look up beside the combat table and the terrain chart: fire, shifts, bombs; and what places are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexwar.engine import Chart, Objective

if TYPE_CHECKING:
    from hexwar_wb95.state import At
    from hexwar_wb95.world import Wb95World


def charts_of(world: Wb95World) -> tuple[Chart, ...]:
    """The tables of this game."""
    return fire_chart(world), shifts_chart(world), bombs_chart(world)


def fire_chart(world: Wb95World) -> Chart:
    """art.16, art.20, air.9."""
    fire = world.printed.tables.fire
    rows = tuple([(roll, *results) for roll, results in sorted(fire.rows.items())])
    notes = (
        "strength: guns (twice in a barrage) and aircraft, less twice the terrain bonus",
        "• each unit rolls for disorganisation, D each is disorganised, -n losses",
    )
    return Chart("Fire", ("die", *[f"{least}+" for least in fire.start]), rows, notes, "art.20")


def shifts_chart(world: Wb95World) -> Chart:
    """proc.4, proc.5."""
    tables = world.printed.tables
    rows = (
        ("headquarters in range", "+1", "-1", "hq.4"),
        (f"{tables.concentration.units} units of a division or corps, each", "+1", "-1", "conc.1"),
        ("☆ for each enemy ★ or ✪, which it cancels", "+1", "-1", "star.6"),
        ("★ each, in attack not against fieldworks", "+1", "-1", "star.7"),
        ("✪ each, against an enemy without ☆ or ★", "+1", "-1", "star.8"),
        ("most of the attack over a small river", "", f"-{tables.river.small}", "combat.6"),
        ("most of the attack over a large river", "", f"-{tables.river.large}, no stars", "combat.6"),
        ("fieldworks", "", f"-{tables.fieldworks.open}, in a town or city -{tables.fieldworks.built_up}", "up.4"),
        ("fortress, across its line", "sum halved", f"-{tables.forts.front}", "fs.3"),
        ("fortress, from the rear", "", f"-{tables.forts.rear}", "fs.5"),
    )
    notes = ("the attacker's first, not beyond 10:1, then the defender's", f"at most {tables.stars.most} stars of one hex")
    return Chart("Columns", ("what", "attacker", "defender", "rule"), rows, notes, "proc.4")


def bombs_chart(world: Wb95World) -> Chart:
    """air.8."""
    table = world.printed.tables.destruction
    rows = (("destroyed on", *[f"{least} or more" for least in table.least]),)
    notes = (f"{table.large_river} more for a bridge over a large river",)
    return Chart("Bombs on bridges and fieldworks", ("strength", *[f"{least}+" for least in table.start]), rows, notes, "air.8")


def objectives_of(at: At) -> tuple[Objective, ...]:
    """The places that count, or the place to reach."""
    world, control = at.world, at.state.control
    rules = world.scenario.victory
    if rules.within is not None:
        goal, place = world.place_named(rules.within.place), rules.within
        words = f"{rules.side} must be within {place.hexes} of {place.place}"
        return (Objective(goal, 0, rules.side, control.get(goal, ""), words, "phase.1"),)
    return tuple(
        [
            Objective(place.hex, place.value, "", control.get(place.hex, ""), place.name, "phase.1")
            for place in world.board.places
            if place.value
        ]
    )
