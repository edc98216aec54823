"""Attacks as a marshal weighs them: what a battle may bring, and which attacks are best."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from hexwar.bots import remembered
from hexwar.pieces import Outcome
from hexwar_tow.bot_ground import AUTOMATIC, Picture


@dataclass(frozen=True, slots=True)
class Blow:
    """An attack: who takes part, from where, and what it promises."""

    target: int
    attackers: tuple[tuple[str, int], ...]
    worth: float


Places = Callable[[str, int, "Sequence[tuple[str, int]]"], "tuple[int, float] | None"]
"""Unit, target and the attackers so far -> from where the unit would attack, and what it gives up for that."""


class Battles:
    """What attacks in a position are worth.

    Args:
        picture: the position.
    """

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self.table = picture.world.table

    @remembered
    def _target(self, i: int) -> tuple[int, tuple[float, ...], bool, float, int]:
        """Defence, the value of each step in the order of losses, whether it holds at any price, its worth, and its units."""
        picture, stack, worth = self.picture, self.picture.theirs[i], self.picture.places.get(i, 0.0)
        worths = [picture.step_worth(unit) for unit in stack for _ in range(picture.state.steps_left[unit])]
        ordered = picture.side == "soviet" and worth >= AUTOMATIC
        place = worth if picture.is_soviet(i) == (picture.side == "axis") else 0.0
        return picture.defence(stack), tuple(sorted(worths)), ordered, place, len(stack)

    def has_exit(self, i: int, zone: int, held: int) -> bool:
        """Whether there is a hex into which the defenders of a hex could retreat unharmed."""
        picture = self.picture
        shut = zone | held | picture.state.layout.held[picture.side] | picture.ground.water
        return bool(picture.ground.around[i] & ~shut)

    def column(self, i: int, attack: int) -> int | None:
        """The column of an attack on a hex, None if the table does not allow it (10.2.8, 10.2.9)."""
        defence = self._target(i)[0]
        base = self.table.column(attack, defence)
        if base is None:
            return None
        column = base + (self.picture.ground.shift[i] if defence else 0)
        return min(column, len(self.table.columns) - 1) if column >= 0 else None

    @remembered
    def expected(self, i: int, column: int, open_ways: bool) -> tuple[float, float, float]:
        """What a column brings against a hex, and the chances that the attacker loses one and two steps."""
        rows = self.table.rows.values()
        losses = {0: 0, 1: 0, 2: 0}
        for row in rows:
            losses[min(row[column].attacker, 2)] += 1
        gain = sum(self.gain(i, row[column], open_ways) for row in rows)
        return gain / len(rows), losses[1] / len(rows), losses[2] / len(rows)

    def gain(self, i: int, outcome: Outcome, open_ways: bool) -> float:
        """What a result brings against a hex."""
        _, worths, ordered, place, units = self._target(i)
        retreat = 0 if ordered else outcome.retreat
        lost = outcome.defender + (outcome.retreat if ordered else 0)
        cleared = bool(retreat) or lost >= len(worths)
        if retreat and lost < len(worths) and not open_ways:
            lost += retreat * units
        lost = min(lost, len(worths))
        posture = self.picture.posture
        return sum(worths[:lost]) + (posture.retreat + place if cleared else posture.progress * place * lost / len(worths))

    def worth(self, i: int, attack: int, open_ways: bool, risks: Sequence[float]) -> float | None:
        """What an attack may be expected to bring; None if the table does not allow it.

        Args:
            i: the attacked hex.
            attack: the attackers' strength in whole points.
            open_ways: whether the defenders have a safe way out.
            risks: what a step of each attacker is worth.
        """
        column = self.column(i, attack)
        if column is None:
            return None
        gain, one, two = self.expected(i, column, open_ways)
        gain += dict(self.picture.posture.favoured).get(i, 0.0)
        return gain - one * min(risks) - two * sum(sorted(risks)[:2])

    def best_blow(self, i: int, units: Iterable[str], places: Places, first: Sequence[tuple[str, int]] = ()) -> Blow | None:
        """The best attack on a hex that some units can make.

        Args:
            i: the hex.
            units: who could attack it.
            places: from where a unit would attack.
            first: those that take part in any case.
        """
        picture, ground = self.picture, self.picture.ground
        chosen: list[tuple[str, int]] = []
        strengths: dict[int, float] = {}
        risks: list[float] = []
        given_up, held, zone = 0.0, 0, picture.our_zone
        best: Blow | None = None
        order: list[tuple[str, tuple[int, float] | None]] = [(unit, (origin, 0.0)) for unit, origin in first]
        order += [(unit, None) for unit in sorted(units, key=lambda unit: (-picture.attack(unit), unit))]
        for unit, fixed in order:
            found = fixed or places(unit, i, chosen)
            if found is None:
                continue
            origin, price = found
            strength = picture.attack(unit)
            strengths[origin] = strengths.get(origin, 0.0) + (strength / 2 if ground.across[i] >> origin & 1 else strength)
            given_up += price
            chosen.append((unit, origin))
            risks.append(picture.step_worth(unit))
            zone |= ground.around[origin]
            held |= 1 << origin
            if len(chosen) < len(first):
                continue
            attack = sum(map(int, strengths.values()))  # 1.3.2: fractions are dropped for each hex
            worth = self.worth(i, attack, self.has_exit(i, zone, held), risks)
            if worth is None:
                continue
            worth -= picture.posture.effort * attack + given_up
            if best is None or worth > best.worth + 1e-9:
                best = Blow(i, tuple(chosen), worth)
        return best

    def best_blows(
        self,
        options: Mapping[int, Sequence[str]],
        places: Places,
        commit: Callable[[Blow], object] = lambda blow: None,
        number: int = 99,
    ) -> list[Blow]:
        """The attacks to make, the most promising first; each unit takes part in one at most.

        Args:
            options: hex -> the units that could attack it.
            places: from where a unit would attack.
            commit: called with every attack that is decided on, before the search for the next.
            number: how many attacks are wanted.
        """
        least = self.picture.posture.least[self.picture.side]
        blows: list[Blow] = []
        spent: set[str] = set()
        known: dict[int, Blow | None] = {}
        targets = sorted(options)
        while targets and len(blows) < number:
            for i in targets:
                if i not in known:
                    free = [unit for unit in options[i] if unit not in spent]
                    known[i] = self.best_blow(i, free, places) if free else None
            found = [blow for i in targets if (blow := known[i]) is not None and blow.worth >= least]
            if not found:
                break
            blow = max(found, key=lambda blow: (blow.worth, -blow.target))
            blows.append(blow)
            targets.remove(blow.target)
            used, changed = {unit for unit, _ in blow.attackers}, {place for _, place in blow.attackers}
            spent |= used
            commit(blow)
            for other in targets:
                before = known[other]
                if before is not None and any(unit in used or place in changed for unit, place in before.attackers):
                    del known[other]
        return blows

    def standing(self, units: Iterable[str]) -> dict[int, list[str]]:
        """Hex -> those of some units that could attack it from where they stand; headquarters do not fight."""
        picture, found = self.picture, defaultdict(list)
        fighters = picture.troops(units)
        for unit, labels in picture.world.combat.targets(picture.at, fighters, picture.side).items():
            for label in labels:
                found[picture.board.index(label)].append(unit)
        return found

    def from_here(self, unit: str, i: int, chosen: Sequence[tuple[str, int]]) -> tuple[int, float]:
        """A unit attacks from where it stands."""
        return self.picture.where(unit), 0.0

    def promise(self, units: Iterable[str]) -> float:
        """What the attacks of some units from where they stand promise together."""
        return sum(blow.worth for blow in self.best_blows(self.standing(units), self.from_here))
