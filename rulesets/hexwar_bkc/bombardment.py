"""artillery.13 to artillery.29: where shells fall, and what is under them."""

from __future__ import annotations

from collections.abc import Sequence

from hexwar.engine import Spot
from hexwar.plane import Ring, half_inside, rectangle, shifted, square
from hexwar_bkc.blunders import fired_on
from hexwar_bkc.fire import Pool, needed_to_hit, resolve
from hexwar_bkc.state import Bombarded
from hexwar_bkc.world import CM, At, Doing, in_bunker, in_cover, nearest, placed


def zones(at: At, side: str, guns: Sequence[str], centre: Spot, barrage: bool) -> list[tuple[Ring, int]]:
    """artillery.19 to artillery.22, artillery.25, artillery.26: each zone, and the dice that fall on a unit in it."""
    models = [at.world.units[gun] for gun in guns]
    if not barrage:
        return [(square(centre, model.zone), model.dice) for model in models]
    wide, deep = len(guns) * models[0].zone, models[0].zone
    if at.world.keys.edges[side] in ("east", "west"):
        wide, deep = deep, wide
    return [(rectangle(centre, wide, deep), -(-sum(model.dice for model in models) // len(models)))]


def deviation(play: Doing, guns: Sequence[str], on_call: bool, halved: bool) -> tuple[int, int]:
    """artillery.11, artillery.16 to artillery.18: how far, in units of the table, and in which direction shells fall amiss."""
    rockets = any(play.world.units[gun].rocket for gun in guns)
    if not on_call and not rockets:
        return 0, 0
    far = CM * play.roll("deviation", clause="artillery.17", dice=3)
    heading = play.roll("direction", clause="artillery.17", sides=360, lowest=0)
    if on_call and rockets:
        far *= 2
    return far // 2 if halved else far, heading


def bombard(
    play: Doing,
    side: str,
    guns: Sequence[str],
    target: Spot,
    *,
    on_call: bool,
    halved: bool = False,
    barrage: bool = False,
    smoke: bool = False,
) -> None:
    """artillery.16 to artillery.29: one deviation for all guns, then an attack on everybody in the zones, or smoke."""
    far, heading = deviation(play, guns, on_call, halved)
    centre = shifted(target, heading, far) if far else target
    found = zones(play, side, guns, centre, barrage)
    rings = tuple([ring for ring, _ in found])
    struck = []
    if not smoke:
        struck = [unit for unit in play.state.spots if any(half_inside(placed(play, unit), ring) for ring in rings)]
    clause = "artillery.10" if smoke else "artillery.17" if far else "artillery.16"
    play.emit(Bombarded(side, tuple(guns), target, centre, far, rings, tuple(struck), smoke, clause=clause))
    dice = {unit: sum(number for ring, number in found if half_inside(placed(play, unit), ring)) for unit in struck}
    for unit in struck:
        if unit in play.state.spots:
            clause = "artillery.26" if barrage else "artillery.25"
            resolve(play, [shelling(play, unit, tuple(guns), dice[unit])], unit, (), clause)


def shelling(at: At, unit: str, guns: tuple[str, ...], dice: int) -> Pool:
    """artillery.27, hit.1 to hit.6, hit.9: what shells need to hit a unit, and whether they damage it."""
    model = at.world.units[unit]
    covered = in_cover(at, unit, ())
    fortified = in_bunker(at, unit)
    needed = needed_to_hit(covered, model.commands, fortified)
    notes = [("fortifications", "hit.3") if fortified else ("cover", "hit.2")] if covered else []
    if model.heavy:
        needed = 5 if model.open else 6
        notes = [("indirect", "hit.5" if model.open else "hit.4")]
        if not model.open:
            notes.append(("cannot damage it", "hit.9"))
    return Pool(guns, dice, needed, model.save, model.open or not model.heavy, tuple(notes))


def artillery_blunder(play: Doing, observer: str, guns: Sequence[str], target: str) -> None:
    """artillery.12 to artillery.15: what a double six does to an observer's order."""
    roll = play.roll(f"{observer} blunders", clause="artillery.12")
    side = play.world.units[observer].side
    if roll <= 2:
        fired_on(play, observer, play.roll("dice against it", clause="artillery.13"), "artillery.13")
    elif roll <= 4:
        dice = play.roll("dice against each gun", clause="artillery.14")
        for gun in guns:
            needed = 5 if play.world.units[gun].propelled else 4
            resolve(play, [Pool((), dice, needed, play.world.units[gun].save, True, ())], gun, (), "artillery.14")
    else:
        units = play.world.units
        own = [unit for unit in play.state.spots if units[unit].side == side and not units[unit].commands]
        if own:
            friend = nearest(play, target, own)[0]
            bombard(play, side, guns, play.state.spots[friend], on_call=True)
