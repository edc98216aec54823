"""command.26 to command.35: what a double six does."""

from __future__ import annotations

from collections.abc import Sequence

from hexwar.plane import TOUCH, Spot, along, sweeps
from hexwar_bkc.effects import knock_out, shift, straight
from hexwar_bkc.fire import Pool, attack, needed_to_hit, resolve, stays_put, why_not_fire
from hexwar_bkc.world import CM, Doing, blockers, in_bunker, in_cover, in_open, nearest, placed, visible, ways_of


def blunder(play: Doing, command: str, units: Sequence[str]) -> None:
    """command.26: one die on the table; command.34: it strikes the units that were named."""
    roll = play.roll(f"{command} blunders", clause="command.26")
    able = [unit for unit in units if unit in play.state.spots and unit not in play.state.suppressed]
    if roll == 1:
        fired_on(play, command, play.roll("dice against it", clause="command.27"), "command.27")
    elif roll == 2:
        own = [unit for unit in play.world.of_side[play.world.units[command].side] if unit in play.state.spots]
        near = [unit for unit in own if not play.world.units[unit].commands]
        struck: list[str] = []
        while near and len(struck) < 3:
            struck.append(nearest(play, command, near)[0])
            near.remove(struck[-1])
        for unit in struck:
            fired_on(play, unit, 3, "command.28")
    elif roll == 3:
        driven(play, command, "command.29", away=True)
    elif roll == 5:
        for unit in able:
            seen = visible(play, unit)
            target = nearest(play, unit, seen)[0] if seen else ""
            if target and why_not_fire(play, unit, target) is None:
                attack(play, (unit,), target, clause="command.31")
    else:
        for unit in able:
            if not stays_put(play, unit) and (roll == 4 or in_open(play, unit)):  # command.33
                driven(play, unit, "command.30" if roll == 4 else "command.32", away=roll == 4)


def fired_on(play: Doing, unit: str, dice: int, clause: str) -> None:
    """command.27, command.28: fire without a shooter, from the front."""
    model = play.world.units[unit]
    needed = needed_to_hit(in_cover(play, unit, ()), model.commands, in_bunker(play, unit))
    resolve(play, [Pool((), dice, needed, model.save, True, ())], unit, (), clause)


def driven(play: Doing, unit: str, clause: str, *, away: bool) -> None:
    """command.29, command.30, command.32: half its Move, straight away from its nearest visible enemy or towards it.

    It stops one centimetre before an enemy towards which it is driven (a blunder is no charge), and at the edge of the table.
    Ground that is shut to it (move.10) or an enemy on its way back (move.8) knock it out.
    """
    seen = visible(play, unit)
    if not seen:  # command.35
        return
    me, enemy = placed(play, unit), nearest(play, unit, seen)[0]
    source = play.state.spots[enemy]
    goal: Spot = (2 * me.x - source[0], 2 * me.y - source[1]) if away else source
    model, far = play.world.units[unit], play.world.units[unit].move // 2
    if goal != me.centre:
        spot = along(me.centre, goal, far)
        why = ways_of(play).why_not(me, (spot,), far, model.arm, (), crossing="any")
        if why and why[0].partition(".")[0] in ("shut", "barred"):
            knock_out(play, unit, "it is driven into ground that is shut to it", "move.10")
            return
        if away and any(sweeps(me.corners, (spot[0] - me.x, spot[1] - me.y), foe.corners) for foe in blockers(play, unit)):
            knock_out(play, unit, "it is driven through an enemy", "move.8")
            return
    there = straight(play, unit, goal, far, TOUCH if away else CM)
    if there:
        shift(play, unit, (me.centre, there.centre), me.heading, clause, "is driven")
