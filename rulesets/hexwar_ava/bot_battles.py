"""Attacks as a commander weighs them: what a battle may bring, and which set of attacks is best."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from hexwar.bots import remembered
from hexwar.mechanics import Battle, Declare
from hexwar_ava.bot_ground import Picture, column_of
from hexwar_ava.combat import FORTRESS


@dataclass(frozen=True, slots=True)
class Blow:
    """A planned attack: who takes part, from where, and what it promises."""

    target: int
    attackers: tuple[tuple[str, int], ...]
    worth: float


class Battles:
    """What attacks in a position are worth.

    Args:
        picture: the position.
    """

    def __init__(self, picture: Picture) -> None:
        self.picture = picture

    @remembered
    def _target(self, i: int) -> tuple[int, list[float], bool, float]:
        """Defence, the value of each lost step in the order of losses, whether fortified, and what the hex is worth."""
        picture, stack = self.picture, self.picture.theirs[i]
        worths: list[float] = []
        for unit in stack:
            worth = picture.step_worth(unit)
            worths += [worth] if picture.state.steps_left[unit] == 1 else [0.5 * worth, worth]
        fortified = any(picture.world.units[unit].arm == FORTRESS for unit in stack)
        gain = picture.taken_now(i)
        if not picture.enemy_supplied >> i & 1:
            gain += 0.2  # a pocket ties our units down
        if i in picture.blockers:
            gain += 0.8
        gain += dict(picture.posture.favoured).get(i, 0.0)
        return picture.defence(stack), sorted(worths), fortified, gain

    def exits(self, i: int, zone: int, held: int) -> int:
        """How many hexes there are into which the defenders of a hex could retreat unharmed."""
        picture = self.picture
        shut = zone | held | picture.state.layout.held[picture.side]
        return sum(not shut >> n & 1 for n in picture.ground.near[i])

    def worth(self, i: int, attack: int, exits: int, risks: Sequence[float], shift: int | None = None) -> float | None:
        """What an attack may be expected to bring; None if the table does not allow it.

        Args:
            i: the attacked hex.
            attack: the attackers' strength in whole points.
            exits: how many safe ways out the defenders have.
            risks: what a step of each attacker is worth.
            shift: the column shifts, those of the ground if not given.
        """
        picture = self.picture
        defence = self._target(i)[0]
        column = column_of(picture.world.table, attack, defence, picture.ground.shift[i] if shift is None else shift)
        if column is None:
            return None
        gain, one, two = self._expected(i, column, min(exits, 1))
        return gain - one * min(risks) - two * sum(sorted(risks)[:2])

    @remembered
    def _expected(self, i: int, column: int, exits: int) -> tuple[float, float, float]:
        """What a column brings against a hex, and the chances of losing one and two steps there."""
        _, worths, fortified, place = self._target(i)
        rows, posture = self.picture.world.table.rows.values(), self.picture.posture
        gain, losses = 0.0, {0: 0, 1: 0, 2: 0}
        for row in rows:
            outcome = row[column]
            losses[min(outcome.attacker, 2)] += 1
            retreat = 0 if fortified else outcome.retreat
            lost = outcome.defender + (outcome.retreat if fortified else 0)
            if retreat and lost < len(worths) and not exits:
                lost += retreat * max(1, len(worths) // 2)
            lost = min(lost, len(worths))
            gain += sum(worths[:lost])
            if retreat or lost >= len(worths):
                gain += posture.retreat + place
            else:
                gain += posture.progress * place * lost / len(worths)
        number = len(rows)
        return gain / number, losses[1] / number, losses[2] / number


Places = Callable[[str, int, "Sequence[tuple[str, int]]"], "tuple[int, float, float] | None"]
"""Unit, target and the attackers so far -> from where the unit would attack, with how much, and what it gives up for that."""


def best_blow(
    battles: Battles, i: int, units: Iterable[str], places: Places, shift: int | None = None, *, effort: float | None = None
) -> Blow | None:
    """The best attack on a hex that some units can make."""
    picture = battles.picture
    effort = picture.posture.effort if effort is None else effort
    chosen: list[tuple[str, int]] = []
    strength, risks, given_up = 0.0, [], 0.0  # strengths are halved and halved again: a sum of such numbers is exact
    zone, held = picture.our_zone, 0
    best: Blow | None = None
    order = sorted(units, key=lambda unit: (-picture.attack(unit), unit))
    for unit in order:
        found = places(unit, i, chosen)
        if found is None:
            continue
        origin, counted, price = found
        given_up += price
        chosen.append((unit, origin))
        strength += counted
        risks.append(picture.step_worth(unit))
        zone |= picture.ground.around[origin]
        held |= 1 << origin
        worth = battles.worth(i, int(strength), battles.exits(i, zone, held), risks, shift)
        if worth is None:
            continue
        worth -= effort * strength + given_up
        if best is None or worth > best.worth + 1e-9:
            best = Blow(i, tuple(chosen), worth)
    return best


def best_blows(
    battles: Battles,
    options: Mapping[int, Sequence[str]],
    places: Places,
    commit: Callable[[Blow], object] = lambda blow: None,
    shifts: Mapping[int, int] = MappingProxyType({}),
) -> list[Blow]:
    """The attacks to make, the most promising first; each unit takes part in one at most.

    Args:
        battles: how attacks are weighed.
        options: hex -> the units that could attack it.
        places: from where a unit would attack.
        commit: called with every attack that is decided on, before the search for the next.
        shifts: hex -> column shifts, where they are known better than from the ground.
    """
    least = battles.picture.posture.least[battles.picture.side]
    blows: list[Blow] = []
    spent: set[str] = set()
    targets = sorted(options)
    known: dict[int, Blow | None] = {}
    while targets:
        for i in targets:
            if i not in known:
                free = [unit for unit in options[i] if unit not in spent]
                known[i] = best_blow(battles, i, free, places, shifts.get(i)) if free else None
        open_to = [(blow.worth, -i) for i, blow in known.items() if blow is not None and blow.worth >= least and i in targets]
        if not open_to:
            break
        i = -max(open_to)[1]
        blow = known[i]
        assert blow is not None
        blows.append(blow)
        targets.remove(i)
        used = {unit for unit, _ in blow.attackers}
        spent |= used
        commit(blow)
        changed = {place for _, place in blow.attackers}
        for other in targets:
            before = known[other]
            if before is not None and any(unit in used or place in changed for unit, place in before.attackers):
                del known[other]
    return blows


def declared_blows(picture: Picture, offered: Iterable[Declare]) -> list[Blow]:
    """The attacks to declare as units stand.

    Args:
        picture: the position.
        offered: what may be declared.
    """
    battles, world, at = Battles(picture), picture.world, picture.at
    options: dict[int, list[str]] = defaultdict(list)
    for declare in offered:
        if not picture.is_headquarters(declare.unit):
            options[picture.board.index(declare.target)].append(declare.unit)

    def places(unit: str, i: int, chosen: Sequence[tuple[str, int]]) -> tuple[int, float, float]:
        battle = Battle.on(picture.side, picture.board.label(i), (unit,))
        return picture.where(unit), float(world.combat.strength(at, battle, unit).counted), 0.0

    shifts = {
        i: sum(shift.columns for shift in world.combat.shifts(at, Battle.on(picture.side, picture.board.label(i), tuple(units))))
        for i, units in options.items()
    }
    blows = best_blows(battles, options, places, shifts=shifts)
    # The remaining units join where they help.
    spent = {unit for blow in blows for unit, _ in blow.attackers}
    for number, blow in enumerate(blows):
        rest = [unit for unit in options[blow.target] if unit not in spent]
        if rest:
            more = best_blow(
                battles, blow.target, [*(unit for unit, _ in blow.attackers), *rest], places, shifts[blow.target], effort=0.0
            )
            if more is not None and more.worth > blow.worth:
                blows[number] = more
                spent.update(unit for unit, _ in more.attackers)
    return blows
