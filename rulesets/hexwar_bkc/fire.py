"""fire, hit, save, ko, supp, fall: shots, and what becomes of their targets."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from hexwar.engine import Choices, Spot, record
from hexwar.errors import Refusal
from hexwar.pieces import UnitAction, UnitName
from hexwar.plane import away, facing, flank, meets, overlap, shadow
from hexwar_bkc.effects import knock_out, shift, suppress
from hexwar_bkc.state import Struck
from hexwar_bkc.transport import shaken, why_not_fire_aboard
from hexwar_bkc.world import (
    CM,
    MINES,
    REACTION,
    At,
    Doing,
    blockers,
    can_fire_past,
    enemies_of,
    in_bunker,
    in_contact,
    in_cover,
    is_afloat,
    is_within,
    nearest,
    placed,
    sees,
    terrain_of,
    ways_of,
)

LIGHT = frozenset({"infantry", "engineer", "flamethrower", "cavalry", "mg", "mortar", "gun", "transport"})
"""hit.8: what "#" cannot damage."""


@record
class Fire(UnitAction):
    """command.24: one shot at an enemy."""

    kind = "fire"
    says = "fire {unit} at {target}"
    unit: UnitName
    target: UnitName


def why_not_fire(at: At, unit: str, target: str, command: str = "") -> Refusal | None:
    """los.1, fire.2, fire.3, fire.10, isw.4, isw.5, cmdunit.1: why a unit cannot fire at another.

    Args:
        at: the position.
        unit: the shooter.
        target: the other.
        command: the command unit that orders it; "" if none does.
    """
    model = at.world.units[unit]
    enemy = at.world.units.get(target)
    if not model.dice:
        return Refusal.against("stat.3", f"{unit} has no weapon")
    if enemy is None or target not in at.state.spots or enemy.side == model.side:
        return Refusal.against("fire.2", f"{target} is no enemy on the table")
    if enemy.commands:
        return Refusal.against("cmdunit.1", f"{target} is a command unit, which cannot be chosen as a target")
    if wrong := why_not_fire_aboard(at, unit):
        return wrong
    if in_contact(at, unit):
        return Refusal.against("charge.1", f"{unit} is in close combat")
    if in_contact(at, target):
        return Refusal.against("isw.3", f"{target} is in close combat")
    if at.world.options["courtesy"] and is_concealed(at, target) and not is_within(at, unit, target, REACTION):
        return Refusal.against("los.12", f"{target} is concealed: it has not fired, and is farther than 20 cm from {unit}")
    if not is_within(at, unit, target, model.range):
        return Refusal.against("fire.3", f"{target} is further than {model.range // CM} cm from {unit}")
    if model.least and is_within(at, unit, target, model.least - 1):
        return Refusal.against("isw.5", f"{target} is nearer than {model.least // CM} cm to {unit}")
    is_told = model.indirect and command in at.state.spots and sees(at, command, target)
    if not sees(at, unit, target) and not is_told:
        return Refusal.against("isw.4" if model.indirect and command else "los.1", f"{unit} does not see {target}")
    if not can_fire_past(at, unit, target):
        return Refusal.against("fire.10", f"another unit stands between {unit} and {target}")
    return None


def is_concealed(at: At, unit: str) -> bool:
    """los.12: whether a unit is an anti-tank gun in a defensive position that has not fired."""
    model = at.world.units[unit]
    is_gun = model.type == "gun" and not model.indirect
    return is_gun and unit not in at.state.revealed and in_cover(at, unit, ())


def shots(at: At, unit: str, targets: Iterable[str] | None = None, command: str = "") -> Choices:
    """The shots that a unit can fire, ordered by a command unit or on their own initiative."""
    known = enemies_of(at, at.world.units[unit].side) if targets is None else [*targets]

    def why_not(action: object) -> Refusal | None:
        if not isinstance(action, Fire) or action.unit != unit:
            return None
        return why_not_fire(at, unit, action.target, command)

    if not at.world.units[unit].dice:
        known = []
    return Choices([Fire(unit, target) for target in known], why_not)


class Pool(NamedTuple):
    """The dice of one attack that hit alike.

    Args:
        shooters: whose they are.
        dice: how many.
        needed: what hits.
        save: what cancels a hit; 0 if there is no save.
        damages: whether hits are marked.
        notes: what was judged, each with its clause.
    """

    shooters: tuple[str, ...]
    dice: int
    needed: int
    save: int
    damages: bool
    notes: tuple[tuple[str, str], ...]


def can_damage(mark: str, target_type: str, heavy: bool) -> bool:
    """hit.7, hit.8."""
    return not (mark == "*" and heavy) and not (mark == "#" and target_type in LIGHT and not heavy)


def needed_to_hit(covered: bool, commands: bool, fortified: bool = False) -> int:
    """hit.1, hit.2, hit.3, hit.6: 4 in the open, 5 in cover, 6 in fortifications and for command units."""
    return 6 if commands or fortified else 5 if covered else 4


def flank_save(save: int) -> int:
    """save.3, save.4: one worse from the flank, but never worse than 6."""
    return min(save + 1, 6) if save else 0


def pools(at: At, shooters: Sequence[str], target: str) -> list[Pool]:
    """fire.11 to fire.17: the dice of all shots at one target, put together where they hit and are saved alike."""
    enemy, it = at.world.units[target], placed(at, target)
    found: dict[tuple[int, int, bool], list[tuple[str, int, list[tuple[str, str]]]]] = {}
    for shooter in shooters:
        model = at.world.units[shooter]
        notes: list[tuple[str, str]] = []
        dice = model.dice
        if model.type != "mortar" and is_within(at, shooter, target, model.range // 2):
            dice += 1
            notes.append(("half range", "fire.12"))
        from_flank = flank(it, placed(at, shooter).centre) != "front"
        if from_flank:
            dice += 1
            notes.append(("flank or rear", "fire.13"))
        if model.type == "armour" and not enemy.heavy and is_within(at, shooter, target, 20 * CM):
            dice += 1
            notes.append(("machine guns", "fire.15"))
        covered = in_cover(at, target, (shooter,))
        fortified = in_bunker(at, target)
        needed = needed_to_hit(covered, enemy.commands, fortified)
        if covered:
            notes.append(("fortifications", "hit.3") if fortified else ("cover", "hit.2"))
        indirect = model.indirect and enemy.heavy
        if indirect:
            needed = 5 if enemy.open else 6
            notes.append(("indirect", "hit.5" if enemy.open else "hit.4"))
        damages = can_damage(model.mark, enemy.type, enemy.heavy) and not (indirect and not enemy.open)
        if not damages:
            notes.append(("cannot damage it", "hit.9" if indirect else "hit.7" if model.mark == "*" else "hit.8"))
        save = flank_save(enemy.save) if from_flank and enemy.heavy else enemy.save
        found.setdefault((needed, save, damages), []).append((shooter, dice, notes))
    return [
        Pool(
            tuple([shooter for shooter, *_ in parts]),
            sum(dice for _, dice, _ in parts),
            needed,
            save,
            damages,
            tuple(dict.fromkeys(note for *_, notes in parts for note in notes)),
        )
        for (needed, save, damages), parts in found.items()
    ]


def attack(play: Doing, shooters: Sequence[str], target: str, clause: str = "fire.11") -> None:
    """One attack by all who fire at a target under one order."""
    resolve(play, pools(play, shooters, target), target, shooters, clause)


def resolve(play: Doing, dice: Sequence[Pool], target: str, shooters: Sequence[str], clause: str) -> None:
    """hit, save, ko, supp, fall: roll the dice, then say what becomes of the target."""
    before, marked = target in play.state.suppressed, play.state.hits.get(target, 0)
    received = [(pool, strike(play, pool, target, clause)) for pool in dice if pool.dice > 0]
    total = sum(hits for _, hits in received)
    if is_worn_out(play, target):
        knock_out(play, target, "it has taken as many hits as it can", "ko.1")
        return
    if play.state.hits.get(target, 0) > marked:
        shaken(play, target)
    if before and total:
        fall_back(play, target, total, shooters)
    elif not before:
        for pool, hits in received:
            if hits and target not in play.state.suppressed:
                suppression(play, target, hits, pool)


def strike(play: Doing, pool: Pool, target: str, clause: str) -> int:
    """hit, save.1: roll the dice of a pool and the saves, and mark what is left; the hits before saves."""
    rolled = play.dice(f"{pool.dice} dice at {target}", clause=clause, dice=pool.dice)
    hits = sum(face >= pool.needed for face in rolled)
    saved = 0
    if hits and pool.save and pool.damages:
        saved = sum(face >= pool.save for face in play.dice(f"{target} saves", clause="save.1", dice=hits))
    notes, rules = zip(*pool.notes, strict=True) if pool.notes else ((), ())
    marked = hits - saved if pool.damages else 0
    play.emit(Struck(target, pool.shooters, pool.dice, pool.needed, hits, saved, marked, notes, rules, clause=clause))
    return hits


def is_worn_out(at: At, unit: str) -> bool:
    """ko.1, water.4: whether a unit has taken as many hits this turn as knock it out; on the water one is enough."""
    hits = at.state.hits.get(unit, 0)
    return hits >= at.world.units[unit].hits or (hits > 0 and unit in at.state.spots and is_afloat(at, unit))


def suppression(play: Doing, target: str, hits: int, pool: Pool) -> None:
    """supp.1, supp.2, supp.5: a die for each hit; what was needed to hit suppresses, a 6 where the fire could not damage."""
    needed = pool.needed if pool.damages else 6
    clause = "supp.2" if pool.damages else "supp.5"
    if any(face >= needed for face in play.dice(f"is {target} suppressed?", clause="supp.1", dice=hits)):
        suppress(play, target, clause)


def stays_put(at: At, unit: str) -> bool:
    """fall.8, command.33: whether a unit is an unlimbered gun or dug in."""
    return at.world.units[unit].type == "gun" or unit in at.state.dug_in


def crosses_mines(at: At, a: Spot, b: Spot) -> bool:
    """terrain.13: whether a way leads through a real minefield, not a dummy."""
    return a != b and any(area.kind == MINES and shadow(a, b, area.ring, -1) == 3 for area in terrain_of(at).areas)


def crosses_wire(at: At, a: Spot, b: Spot) -> bool:
    """fall.5: whether a way leads through wire where it has not been breached."""
    lines = [line for line in terrain_of(at).lines if line.kind == "wire"]
    gaps = {gap.line: gap for gap in at.state.gaps}
    return any(meets(a, b, *leg) for line in lines if line.name not in gaps for leg in line.legs)


def mined(play: Doing, unit: str, path: Sequence[Spot]) -> None:
    """terrain.13, reconstructed: who moves through a minefield is attacked with three dice, which hit on 4."""
    if unit in play.state.spots and any(crosses_mines(play, a, b) for a, b in itertools.pairwise(path)):
        resolve(play, [Pool((), 3, 4, play.world.units[unit].save, True, ())], unit, (), "terrain.13")


def fall_back(play: Doing, unit: str, hits: int, shooters: Sequence[str]) -> None:
    """fall.1 to fall.8: a die of centimetres for each hit, straight away from the nearest visible enemy that fired."""
    far = play.roll(f"{unit} falls back", clause="fall.1", dice=hits)
    model = play.world.units[unit]
    if far > 10:
        knock_out(play, unit, f"it falls back {far} cm", "fall.8" if stays_put(play, unit) else "fall.3")
        return
    if stays_put(play, unit) or unit not in play.state.spots:
        return
    seen = [shooter for shooter in shooters if shooter in play.state.spots and sees(play, unit, shooter)]
    able = nearest(play, unit, seen or [shooter for shooter in shooters if shooter in play.state.spots])
    me = placed(play, unit)
    source = play.state.spots[able[0]] if able else play.world.edge_point(play.world.enemies(model.side)[0], me.centre)
    others = {other: placed(play, other) for other in play.state.spots if other != unit}
    units = play.world.units
    friends = {other: it for other, it in others.items() if units[other].side == model.side}
    foes = blockers(play, unit)
    found = away(me, source, far * CM, ways_of(play), model.arm, friends, foes)
    way = me.centre, found.to.centre
    if model.arm in ("foot", "boat", "horse", "truck", "motorcycle") and crosses_wire(play, *way):
        knock_out(play, unit, "it falls back through wire", "fall.5")
        return
    if crosses_mines(play, *way):
        knock_out(play, unit, "it falls back through mines", "fall.4")
        return
    if found.out:
        reasons = {"table": "off the table", "enemy": "through an enemy"}
        knock_out(play, unit, f"it falls back {reasons.get(found.out, 'into ground that is shut to it')}", "fall.4")
        return
    turned = facing(found.to, source)
    is_tight = any(overlap(turned.corners, it.corners) for it in others.values())
    there = found.to if is_tight else turned
    shift(play, unit, (me.centre, there.centre), there.heading, "fall.2" if able else "artillery.28", "falls back")
    if found.stopped_by:
        suppress(play, found.stopped_by, "fall.7")
