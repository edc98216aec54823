"""charge, support.cc: moves that end in contact, with an enemy or behind a friend who fights, and how the enemy answers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from hexwar.engine import ActionSet, AnyOf, Choices, Listed, record
from hexwar.errors import Refusal
from hexwar.pieces import OneByOne, UnitAction, UnitName, against
from hexwar.plane import Placed, contact, edges_towards, flank, is_edge_free, overlap, strip
from hexwar_bkc.effects import knock_out, passengers, shift, straight
from hexwar_bkc.evading import Evasions, evade
from hexwar_bkc.fire import Fire, attack, mined, why_not_fire
from hexwar_bkc.state import Charged, Touched
from hexwar_bkc.transport import dismount
from hexwar_bkc.world import (
    CM,
    REACTION,
    At,
    Doing,
    blockers,
    has_room,
    in_contact,
    in_open,
    is_within,
    nearest,
    placed,
    sees,
    terrain_of,
    ways_of,
)

CLOSE = 5 * CM
"""react.17, react.23, react.28."""
WEAPONS = frozenset({"gun", "mg", "mortar"})
"""charge.7, support.cc.3, pursue.3: towed guns and infantry support weapons."""
RIDERS = frozenset({"infantry", "engineer", "flamethrower"})
"""charge.4: whose presence lets armour charge into cover."""


@record
class Charge(UnitAction):
    """charge.2: go into contact with an enemy."""

    kind = "charge"
    says = "charge {target} with {unit}"
    can = "charge"
    unit: UnitName
    target: UnitName


@record
class Support(UnitAction):
    """support.cc.1: go behind a friend who is in close combat."""

    kind = "support"
    says = "support {friend} with {unit}"
    can = "support a close combat"
    unit: UnitName
    friend: UnitName


class Limits(NamedTuple):
    """What holds where a unit charges or supports.

    Args:
        far: how far it goes at most.
        crossing: which obstacles it may cross.
        reacts: whether it is the reaction phase.
    """

    far: int
    crossing: str = "touched"
    reacts: bool = False


def edges_in_use(at: At, unit: str) -> set[str]:
    """react.16: the edges of a unit at which a unit stands: those that others touch, and its front if it touches an enemy."""
    state = at.state
    used = {edge for other, edge in (*state.contacts.values(), *state.supports.values()) if other == unit}
    if unit in state.contacts or unit in state.supports:
        used.add("front")
    return used


def fighting(at: At, unit: str) -> bool:
    """charge.1: whether a unit touches an enemy or is touched by one; supporters are not."""
    contacts = at.state.contacts
    return unit in contacts or any(enemy == unit for enemy, _ in contacts.values())


def why_not_contact(at: At, unit: str, target: str, edge: str) -> Refusal | None:
    """react.16, react.17: why a unit cannot come into contact with an edge of an enemy."""
    it, side = placed(at, target), at.world.units[target].side
    if edge in edges_in_use(at, target):
        return Refusal.against("react.16", f"the {edge} edge of {target} is in contact with another unit")
    others = [placed(at, other) for other in at.state.spots if other != target and at.world.units[other].side == side]
    shut = [area.ring for area in terrain_of(at).areas if area.kind in ways_of(at).classes[at.world.units[unit].arm].shut]
    fighters = [enemy for enemy in at.state.spots if enemy != target and at.world.units[enemy].side == side]
    if not is_edge_free(it, edge, CLOSE, others):
        near = next(enemy for enemy in fighters if overlap(strip(it, edge, CLOSE), placed(at, enemy).corners))
        return Refusal.against("react.17", f"{near} stands within 5 cm of the {edge} edge of {target}")
    if not is_edge_free(it, edge, CLOSE, (), shut):
        return Refusal.against("react.17", f"ground that is shut to {unit} lies within 5 cm of the {edge} edge of {target}")
    if not has_room(at, unit, contact(placed(at, unit), it, edge)):
        return Refusal.against("react.14", f"{unit} has no room at the {edge} edge of {target}")
    return None


def why_not_way(at: At, unit: str, there: Placed, but: Iterable[str], limits: Limits) -> Refusal | None:
    """move.3, react.29: why a unit does not get somewhere in a straight line."""
    me, spared = placed(at, unit), [placed(at, other) for other in but]
    foes = [foe for foe in blockers(at, unit) if foe not in spared]
    why = ways_of(at).why_not(me, (there.centre,), limits.far, at.world.units[unit].arm, foes, crossing=limits.crossing)  # type: ignore[arg-type]
    if why is None:
        return None
    if why[0] == "length":
        return Refusal.against(
            "react.29" if limits.reacts else "charge.3", f"{unit} goes {limits.far // CM} cm at most: {why[1]}"
        )
    if why[0].startswith("line"):
        return Refusal.against("charge.8", f"{unit} {why[1]}")
    return against(at, f"move.{why[0]}", f"{unit} {why[1]}")


def edge_for(at: At, unit: str, target: str) -> str:
    """react.15: the edge of an enemy that a charge goes for: of those that the charger sees, the nearest."""
    it, me = placed(at, target), placed(at, unit)
    return next(iter(edges_towards(it, me.centre)), flank(it, me.centre))


def why_not_type(at: At, unit: str, clause: str) -> Refusal | None:
    """charge.7: why a unit of this type does not charge."""
    model = at.world.units[unit]
    if model.type in WEAPONS:
        return Refusal.against(clause, f"{unit} is a gun or an infantry support weapon")
    if model.type == "transport" and not model.heavy:
        return Refusal.against(clause, f"{unit} is transport without armour")
    return None


def why_not_ground(at: At, unit: str, target: str) -> Refusal | None:
    """charge.4, charge.5: why armour does not charge an enemy where it is."""
    model = at.world.units[unit]
    carried = [at.world.units[one].type for one in passengers(at, unit)]
    if model.heavy and not in_open(at, target) and not RIDERS.intersection(carried):
        return Refusal.against("charge.4", f"{target} is not in the open, and {unit} carries no infantry")
    return None


def why_not_charge(at: At, unit: str, target: str, limits: Limits) -> Refusal | None:
    """charge.3 to charge.8, react.14 to react.17: why a unit cannot charge an enemy."""
    model, enemy = at.world.units[unit], at.world.units.get(target)
    if unit not in at.state.spots:
        return Refusal.against("charge.6", f"{unit} is carried; what carries it may charge")
    if enemy is None or target not in at.state.spots or enemy.side == model.side:
        return Refusal.against("charge.2", f"{target} is no enemy on the table")
    if enemy.commands:
        return Refusal.against("cmdunit.1", f"{target} is a command unit, which cannot be attacked")
    if model.commands:
        return Refusal.against("react.5", f"{unit} is a command unit")
    if in_contact(at, unit):
        return Refusal.against("charge.1", f"{unit} is in close combat already")
    if wrong := why_not_type(at, unit, "charge.7"):
        return wrong
    if not sees(at, unit, target):
        return Refusal.against("charge.3", f"{unit} does not see {target}")
    if wrong := why_not_ground(at, unit, target):
        return wrong
    edge = edge_for(at, unit, target)
    if wrong := why_not_contact(at, unit, target, edge):
        return wrong
    return why_not_way(at, unit, contact(placed(at, unit), placed(at, target), edge), (target,), limits)


def support_place(at: At, unit: str, friend: str) -> tuple[str, Placed] | None:
    """support.cc.1: at which edge of a friend a supporter stands: the rear, or a free side if that is taken."""
    it, used = placed(at, friend), edges_in_use(at, friend)
    for edge in ("rear", "right", "left"):
        there = contact(placed(at, unit), it, edge)
        if edge not in used and has_room(at, unit, there):
            return edge, there
    return None


def why_not_support(at: At, unit: str, friend: str, limits: Limits) -> Refusal | None:
    """support.cc.1 to support.cc.3, react.19 to react.22: why a unit cannot support a friend."""
    model, other = at.world.units[unit], at.world.units.get(friend)
    if unit not in at.state.spots or model.commands:
        return Refusal.against("support.cc.1", f"{unit} is carried, or a command unit")
    if other is None or friend not in at.state.spots or other.side != model.side or friend == unit:
        return Refusal.against("support.cc.1", f"{friend} is no friend on the table")
    if model.type in WEAPONS:
        return Refusal.against("support.cc.3", f"{unit} is a gun or an infantry support weapon")
    if model.type == "transport" and not model.dice:
        return Refusal.against("react.21", f"{unit} is transport without a weapon")
    if not fighting(at, friend):
        return Refusal.against("react.19", f"{friend} does not fight in a close combat itself")
    if in_contact(at, unit):
        return Refusal.against("charge.1", f"{unit} is in close combat already")
    if limits.reacts and friend not in supported(at, unit):
        return Refusal.against("react.19", f"{friend} is not in the nearest close combat within 20 cm that {unit} sees")
    found = support_place(at, unit, friend)
    if found is None:
        return Refusal.against("support.cc.1", f"{unit} has no room behind {friend}")
    return why_not_way(at, unit, found[1], (), limits)


def supported(at: At, unit: str) -> tuple[str, ...]:
    """react.19: the friends in the nearest visible close combat within 20 cm."""
    side = at.world.units[unit].side
    near = [
        other
        for other in at.state.spots
        if at.world.units[other].side == side
        and other != unit
        and fighting(at, other)
        and is_within(at, unit, other, REACTION)
        and sees(at, unit, other)
    ]
    if not near:
        return ()
    first = nearest(at, unit, near)
    members = {one for friend in first for one in combat_of(at, friend)}
    return tuple([friend for friend in near if friend in members])


def combat_of(at: At, unit: str) -> frozenset[str]:
    """cc.1: all units in the same combat, supporters included: whoever touches one of them."""
    links = [(one, other) for one, (other, _) in (*at.state.contacts.items(), *at.state.supports.items())]
    found, size = {unit}, 0
    while len(found) > size:
        size = len(found)
        for one, other in links:
            if one in found or other in found:
                found |= {one, other}
    return frozenset(found)


# -- what a unit may do -------------------------------------------------------------------------------------------------------


def charges(at: At, unit: str, limits: Limits, targets: Iterable[str]) -> Choices:
    """The charges of a unit."""

    def why_not(action: object) -> Refusal | None:
        mine = isinstance(action, Charge) and action.unit == unit
        return why_not_charge(at, unit, action.target, limits) if mine else None  # type: ignore[attr-defined]

    model = at.world.units[unit]
    able = (
        unit in at.state.spots and not model.commands and not in_contact(at, unit) and why_not_type(at, unit, "charge.7") is None
    )
    reach = limits.far + 400
    near = [target for target in targets if able and is_within(at, unit, target, reach)]
    return Choices([Charge(unit, target) for target in near], why_not)


def supports(at: At, unit: str, limits: Limits) -> ActionSet:
    """What a unit may support."""

    def why_not(action: object) -> Refusal | None:
        mine = isinstance(action, Support) and action.unit == unit
        return why_not_support(at, unit, action.friend, limits) if mine else None  # type: ignore[attr-defined]

    side = at.world.units[unit].side
    friends = [other for other in at.state.spots if at.world.units[other].side == side] if at.state.contacts else []
    return Choices([Support(unit, friend) for friend in friends], why_not)


def support(play: Doing, action: Support) -> None:
    """support.cc.1: go there."""
    found = support_place(play, action.unit, action.friend)
    assert found is not None, "it was judged before"
    edge, there = found
    shift(play, action.unit, (play.state.spots[action.unit], there.centre), there.heading, "support.cc.1", "supports")
    play.emit(Touched(action.unit, action.friend, edge, True, clause="support.cc.1"))


# -- a charge and its answer ---------------------------------------------------------------------------------------------------


def charge(play: Doing, action: Charge, limits: Limits) -> None:
    """react.23, charge.9: the enemy answers first; then the charger arrives."""
    target = action.target
    play.emit(Charged(action.unit, target, clause="react.13" if limits.reacts else "charge.3"))
    side = play.world.units[target].side
    watchers = [
        other
        for other in play.state.spots
        if play.world.units[other].side == side
        and not play.world.units[other].commands
        and (other == target or is_within(play, other, target, CLOSE))
        and other not in play.state.suppressed
        and sees(play, other, action.unit)
        and not in_contact(play, other)
    ]
    seat = play.world.seat_for(side)
    play.push(Countering(seat, tuple(watchers), action.unit, target, limits.far, limits.crossing))


@record
class Countering(OneByOne):
    """react.23 to react.28: the charged unit and its friends within 5 cm fire at the charger or evade it, one by one."""

    kind = "countering"
    says = "{charger} charges {target}: let a unit fire at it or evade it: {waiting}."
    topic = "counter"
    charger: UnitName
    target: UnitName
    far: int
    crossing: str = "touched"
    evaded: tuple[UnitName, ...] = ()

    def choices(self, at: At, unit: str) -> ActionSet:
        """react.24: what was suppressed in the meantime does nothing."""
        if unit in at.state.suppressed or self.charger not in at.state.spots or in_contact(at, unit):
            return Listed(())

        def why_not(action: object) -> Refusal | None:
            if not isinstance(action, Fire) or action.unit != unit:
                return None
            if action.target != self.charger:
                return Refusal.against("react.23", f"{action.target} does not charge")
            return why_not_fire(at, unit, self.charger)

        return AnyOf(Choices([Fire(unit, self.charger)], why_not), Evasions(at, unit, (self.charger,)))

    def why_not_now(self, at: At, action: Any) -> Refusal | None:
        """Why a unit is not among those that answer."""
        if not isinstance(action, UnitAction):
            return None
        return Refusal.against("react.24", f"{action.unit} does not see the charge, is too far from it, or has answered already")

    def act(self, play: Doing, action: Any) -> None:
        """react.26: each answer is resolved before the next."""
        if isinstance(action, Fire):
            carried = passengers(play, self.charger)  # charge.6
            attack(play, (action.unit,), carried[0] if carried else self.charger, clause="react.26")
            return
        left = tuple([unit for unit in self.units if unit != action.unit])
        play.replace(replace(self, units=left, evaded=(*self.evaded, action.unit)))
        evade(play, action, self.charger, "charge.12")

    def stop(self, play: Doing, seat: str) -> None:
        """Nobody else answers."""
        self.resume(play)

    def resume(self, play: Doing) -> None:
        """react.25: the charge goes on."""
        play.pop()
        arrive(play, self)


def arrive(play: Doing, step: Countering) -> None:
    """charge.12, charge.15, react.27, react.28: the charger comes into contact, or runs after who evaded it."""
    unit, target = step.charger, step.target
    if unit not in play.state.spots:
        return
    here = play.state.spots[unit]
    limits = Limits(step.far, step.crossing)
    if target in play.state.spots and target not in step.evaded:
        edge = edge_for(play, unit, target)
        there = contact(placed(play, unit), placed(play, target), edge)
        is_shut = why_not_contact(play, unit, target, edge) or why_not_way(play, unit, there, (target,), limits)
        if is_shut is None:
            engage(play, unit, target, edge, "charge.15", "charges")
    elif target in play.state.spots:
        there = straight(play, unit, play.state.spots[target], step.far, crossing=step.crossing)  # type: ignore[assignment]
        if there:
            shift(play, unit, (here, there.centre), there.heading, "charge.12", "runs after")
    for evader in step.evaded:
        place = play.state.aboard.get(evader, evader)
        if place in play.state.spots and unit in play.state.spots and is_within(play, unit, place, CLOSE - 1):
            knock_out(play, place, f"{unit} stops within 5 cm of it", "react.28")


def engage(play: Doing, unit: str, target: str, edge: str, clause: str, why: str) -> None:
    """react.14: a unit comes into contact; charge.6: what it carries gets off and fights, and the carrier supports it."""
    me, it = placed(play, unit), placed(play, target)
    there = contact(me, it, edge)
    mined(play, unit, (me.centre, there.centre))
    if unit not in play.state.spots:
        return
    riders = [one for one in passengers(play, unit) if play.world.units[one].type in RIDERS]
    if riders:
        front = contact(Placed(*me.centre, 0, play.world.units[riders[0]].base), it, edge)
        behind = contact(me, front, "rear")
        if has_room(play, unit, behind) and has_room(play, riders[0], front):
            shift(play, unit, (me.centre, behind.centre), behind.heading, clause, why)
            dismount(play, riders[0], front, "charge.6")
            play.emit(Charged(riders[0], target, clause="charge.6"))
            play.emit(Touched(riders[0], target, edge, clause=clause))
            if unit in play.state.spots:
                play.emit(Touched(unit, riders[0], "rear", True, clause="charge.6"))
            return
    shift(play, unit, (me.centre, there.centre), there.heading, clause, why)
    if unit in play.state.spots:
        play.emit(Touched(unit, target, edge, clause=clause))
