"""cc: close combats, fought in rounds one after the other in the combat phase."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from hexwar.engine import Action, SeatName, record
from hexwar.errors import Refusal
from hexwar.pieces import Obliged, UnitName
from hexwar.plane import flank
from hexwar_bkc.aftermath import Fleeing, Winning, break_off
from hexwar_bkc.charging import RIDERS, combat_of, fighting
from hexwar_bkc.effects import knock_out
from hexwar_bkc.fire import Pool, flank_save, is_worn_out, needed_to_hit, strike
from hexwar_bkc.state import RoundFought
from hexwar_bkc.world import CM, At, Doing, in_bunker, in_cover, placed

DICE = {"flamethrower": 12, "engineer": 6, "cavalry": 5, "infantry": 4, "mg": 4, "mortar": 4, "armour": 3}
"""cc.5: dice of a type in close combat; 2 for all others."""


@record
class Fight(Action):
    """cc.1: fight the combat in which this unit is."""

    kind = "fight"
    says = "fight the combat of {unit}"
    unit: UnitName


@record
class Combats(Obliged):
    """cc.1, cc.2: the active player says which combat is fought next; each is fought round after round to its end."""

    kind = "combats"
    says = "Which combat is fought next? {able}"
    topic = "combat"
    choice: ClassVar[type[Action]] = Fight
    seat: SeatName
    fought: tuple[UnitName, ...] = ()
    """Units whose combat has been fought, and which may still be in contact."""
    round: int = 0
    """Of the combat that is being fought."""

    def able(self, at: At) -> Sequence[str]:
        """The first unit of each combat that has not been fought; nobody chooses while a pursuit leads to another round."""
        seen: set[str] = set(self.fought)
        found = []
        for unit in () if at.state.pursued else at.state.contacts:
            if unit not in seen:
                seen |= combat_of(at, unit)
                found.append(unit)
        return found

    def why_not(self, at: At, action: Any) -> Refusal:
        """Why there is no such combat."""
        return Refusal.against("cc.1", f"no combat that is still to be fought is called after {action.unit}")

    def chosen(self, play: Doing, action: Any) -> None:
        """cc.2: its first round."""
        self._next(play, combat_of(play, action.unit), 1)

    def resume(self, play: Doing) -> None:
        """pursue.10: the next round, or the next combat."""
        pursuers = [unit for unit in play.state.pursued if unit in play.state.contacts]
        if not play.state.pursued:
            Obliged.resume(self, play)
        else:
            self._next(play, frozenset[str]().union(*(combat_of(play, unit) for unit in pursuers)), self.round + 1)

    def _next(self, play: Doing, members: frozenset[str], number: int) -> None:
        units = tuple(sorted(members))
        play.replace(Combats(self.seat, tuple(dict.fromkeys((*self.fought, *units))), number))
        fight(play, number, units)


def strength(at: At, unit: str, enemy: str, bonus: int) -> tuple[int, list[tuple[str, str]]]:
    """cc.5 to cc.11: the dice of a unit against an enemy, and what changed them."""
    model, foe = at.world.units[unit], at.world.units[enemy]
    dice, notes = DICE.get(model.type, 2), []
    changes = [
        (1, "charged", "cc.6", unit in at.state.charged),
        (bonus, "pursued", "cc.7", bonus > 0),
        (1, "open-topped", "cc.8", foe.open and foe.type == "armour" and (model.type in RIDERS or model.type == "cavalry")),
        (-1, "suppressed", "cc.9", unit in at.state.suppressed),
        (-1, "flank or rear", "cc.10", flank(placed(at, unit), placed(at, enemy).centre) != "front"),
    ]
    for value, words, clause, applies in changes:
        if applies:
            dice += value
            notes.append((f"{value:+d} {words}", clause))
    return max(dice, 0), notes


def opponent(at: At, unit: str) -> str:
    """cc.4: whom a fighting unit strikes: the enemy that its front touches, else one that touches its front, else the first."""
    contacts = at.state.contacts
    if unit in contacts:
        return contacts[unit][0]
    touching = [(edge != "front", enemy) for enemy, (other, edge) in contacts.items() if other == unit]
    return min(touching, key=lambda row: row[0])[1]


def melee(at: At, shooters: Sequence[tuple[str, int]], target: str) -> list[Pool]:
    """cc.11, cc.12: the dice of all who strike a unit, put together where they are saved alike."""
    enemy, it = at.world.units[target], placed(at, target)
    found: dict[tuple[int, int], list[tuple[str, int, list[tuple[str, str]]]]] = {}
    for unit, bonus in shooters:
        dice, notes = strength(at, unit, target, bonus)
        from_flank = flank(it, placed(at, unit).centre) != "front"
        covered = in_cover(at, target, (unit,))
        save = flank_save(enemy.save) if from_flank and enemy.heavy else enemy.save
        if covered:
            notes.append(("cover", "hit.2"))
        found.setdefault((needed_to_hit(covered, enemy.commands, in_bunker(at, target)), save), []).append((unit, dice, notes))
    return [
        Pool(
            tuple([unit for unit, *_ in parts]),
            sum(dice for _, dice, _ in parts),
            needed,
            save,
            True,
            tuple(dict.fromkeys(note for *_, notes in parts for note in notes)),
        )
        for (needed, save), parts in found.items()
    ]


def fight(play: Doing, number: int, units: Sequence[str]) -> None:
    """cc.2 to cc.18: one round, and what follows from it.

    Args:
        play: the position.
        number: of the round, from 1.
        units: all in the combat.
    """
    world = play.world
    extra = {unit: pursuit_bonus(far) for unit, far in play.state.pursued.items()}
    fighters = [unit for unit in units if unit in play.state.spots and fighting(play, unit)]
    active = play.state.active
    passive = world.enemies(active)[0]
    before = {
        side: sum(play.state.hits.get(unit, 0) for unit in fighters if world.units[unit].side == side) for side in world.sides
    }
    struck: dict[str, list[tuple[str, int]]] = {}
    for unit in fighters:
        struck.setdefault(opponent(play, unit), []).append((unit, extra.get(unit, 0)))
    order = sorted(struck, key=lambda unit: world.units[unit].side == active)  # cc.3: the attacker resolves first
    dice = {unit: melee(play, struck[unit], unit) for unit in order}  # fixed before anybody falls
    faced = tuple([(unit, opponent(play, unit)) for unit in fighters])
    received = dict.fromkeys(world.sides, 0)
    for target in order:
        earlier = play.state.hits.get(target, 0)
        for pool in dice[target]:
            if pool.dice:
                strike(play, pool, target, "cc.12")
        received[world.units[target].side] += play.state.hits.get(target, 0) - earlier
    supporters = {
        side: [one for one in units if one in play.state.supports and world.units[one].side == side] for side in world.sides
    }
    totals = {side: received[side] + (before[side] if number == 1 else 0) for side in world.sides}
    for side in world.sides:
        totals[world.enemies(side)[0]] += len(supporters[side])
    rules = [
        clause
        for clause, applies in (("cc.14", number == 1 and any(before.values())), ("cc.15", any(supporters.values())))
        if applies
    ]
    play.emit(
        RoundFought(
            number, tuple(units), tuple([(side, totals[side]) for side in (active, passive)]), tuple(rules), clause="cc.13"
        )
    )
    fronts = tuple([target for target, edge in play.state.contacts.values() if edge == "front"])
    for target in order:
        if is_worn_out(play, target):
            knock_out(play, target, "it has taken as many hits as it can", "ko.1")
    left = {side: [one for one in units if one in play.state.spots and world.units[one].side == side] for side in world.sides}
    if not left[active] or not left[passive]:  # cc.2
        return
    orphans = tuple([one for side in world.sides for one in supporters[side] if one in left[side]])
    if totals[active] == totals[passive]:  # cc.16
        for side in (passive, active):  # what is pushed last comes first
            break_off(play, side, left[side], "cc.16")
        return
    winner = active if totals[active] < totals[passive] else passive
    loser = world.enemies(winner)[0]
    beaten = tuple([one for one in left[loser] if one not in orphans])
    play.push(Winning(world.seat_for(winner), tuple(left[winner]), tuple(left[loser]), faced, fronts, orphans))
    play.push(Fleeing(world.seat_for(loser), beaten, tuple(left[winner]), totals[loser] - totals[winner]))


def pursuit_bonus(far: int) -> int:
    """cc.7: a die for a pursuit, and one more for each full 3 cm of it."""
    return 1 + far // (3 * CM)
