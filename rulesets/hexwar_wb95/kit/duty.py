"""combat.1 a second time: who has to be attacked, and what each decision of a combat phase may be.

The rules match duties with units. Here the rule is a sentence about units: a duty is open while an obliged unit that has not
attacked could attack it, and nothing may be done after which a duty is neither open nor in the battle nor able to be taken in.
`can_be_met` knows no such sentence and tries every way to fight the rest of a phase, for small positions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import chain, combinations
from typing import Any

from hexwar.engine import Action, Game
from hexwar.mechanics import Attack, Join, Resolve, Widen
from hexwar.pieces import Done
from hexwar.testing import Watch
from hexwar.testing.oracles import sheet_of

FIGHTERS = ("infantry", "cavalry", "motorised", "armour")
WHEELS = ("motorised", "armour", "gun", "sp-gun")
GUNS = ("gun", "sp-gun")
CLOSED_TO_WHEELS = ("marsh", "mountain")


class Front:
    """Who could attack what, and who has to, in a position of a combat phase.

    Args:
        game: with a step of the phase on top.
    """

    def __init__(self, game: Game) -> None:
        self.state, self.world = game.state, game.world
        self.sheet = sheet_of(game.world.board)
        step = game.state.stack[-1]
        self.side = game.world.seats[step.seat]
        self.battle = getattr(step, "battle", None)
        units = step.units if self.battle is None else (*step.able, *step.others, *step.battle.attackers)
        self.fresh = [unit for unit in units if self.state.locations.get(unit) in self.sheet.near]
        self.spent = {*step.done}
        self.could = {unit: self._could(unit) for unit in self.fresh}
        self.obliged = {unit: self._obliged(unit) for unit in self.fresh}
        fixed = {*step.duties} if step.duties or step.done else {*chain(*self.obliged.values())}
        self.duties = {duty for duty in fixed if any(duty in hexes for hexes in self.obliged.values())}

    def _arm(self, unit: str) -> str:
        return str(self.world.units[unit].arm)

    def _there(self, label: str) -> list[str]:
        return [unit for unit, place in self.state.locations.items() if place == label]

    def _enemies(self, label: str) -> list[str]:
        """combat.3: the enemies in a hex that have not fled in this phase."""
        there = [unit for unit in self._there(label) if self.world.units[unit].side != self.side]
        return [unit for unit in there if unit not in self.state.fled]

    def _is_open(self, unit: str, here: str, label: str) -> bool:
        """Whether the ground lets a unit attack a neighbouring hex; a large river does not matter."""
        arm, terrain = self._arm(unit), self.sheet.terrain[label]
        closed = terrain in CLOSED_TO_WHEELS if arm in WHEELS else arm == "hq" and terrain == "mountain"
        hexside = f"{min(here, label)}|{max(here, label)}"
        on_road = self.sheet.links[here, label] & {"road", "rail"} and hexside not in self.state.broken
        return not closed or bool(on_road)

    def _could(self, unit: str) -> set[str]:
        """combat.4, art.7, art.21: the enemy hexes that a unit could attack."""
        here, state = self.state.locations[unit], self.state
        if self._arm(unit) in GUNS and unit in {*state.marching, *state.used, *state.silent, *state.supporting}:
            return set()
        near = [label for label in self.sheet.near[here] if self._enemies(label)]
        return {label for label in near if self._is_open(unit, here, label)}

    def _obliged(self, unit: str) -> set[str]:
        """combat.1, combat.2, zoc.2 to zoc.4: what a unit obliges its side to attack."""
        here = self.state.locations[unit]
        if self._arm(unit) not in FIGHTERS or here in self.state.works or here in self.sheet.areas.get(f"forts {self.side}", ()):
            return set()
        return {label for label in self.could[unit] if "large-river" not in self.sheet.sides[here, label]}

    # -- the sentence

    def _left(self, attackers: Iterable[str], attacked: Collection[str]) -> set[str]:
        """The duties outside a battle that no other unit keeps open."""
        others = [unit for unit in self.fresh if unit not in {*attackers}]
        return {duty for duty in self.duties - {*attacked} if not any(duty in self.obliged[unit] for unit in others)}

    def _is_in_order(self, attackers: Collection[str], attacked: Collection[str]) -> bool:
        """Whether a battle, as it is or with further hexes, leaves no duty."""
        left = self._left(attackers, attacked)
        if len({self.state.locations[unit] for unit in attackers}) > 1:
            return not left
        return all(any(duty in self.could[unit] for unit in attackers) for duty in left - self.spent)

    def _leads(self, unit: str) -> bool:
        """hq.5: a headquarters only joins others."""
        return self._arm(unit) != "hq"

    def offers(self) -> set[Action]:
        """What may be done, but for support and independent fire."""
        if self.battle is None:
            hexes = {*chain(*[self.could[unit] for unit in self.fresh if self._leads(unit)])} - self.spent
            found: set[Action] = {Attack(label) for label in hexes if self._can_begin(label)}
            return found if self.duties else {*found, Done()}
        attackers, targets = self.battle.attackers, self.battle.targets
        return {*self._joins(attackers, targets), *self._widenings(attackers, targets), *self._resolution(attackers, targets)}

    def _can_begin(self, label: str) -> bool:
        able = [unit for unit in self.fresh if self._leads(unit) and label in self.could[unit]]
        return any(self._is_in_order((unit,), (label,)) for unit in able)

    def _joins(self, attackers: Collection[str], targets: Collection[str]) -> list[Action]:
        found: list[Action] = []
        homes = {self.state.locations[unit] for unit in attackers}
        for unit in [unit for unit in self.fresh if unit not in attackers and self.could[unit] & {*targets}]:
            one_hex = homes <= {self.state.locations[unit]}
            follows = self._leads(unit) or any(map(self._leads, attackers))
            if (one_hex or len(targets) == 1) and follows and self._is_in_order((*attackers, unit), targets):
                found.append(Join(unit))
        return found

    def _widenings(self, attackers: Collection[str], targets: Collection[str]) -> list[Action]:
        if len({self.state.locations[unit] for unit in attackers}) != 1:
            return []
        hexes = {*chain(*[self.could[unit] for unit in attackers])} - self.spent - {*targets}
        return [Widen(label) for label in hexes if self._is_in_order(attackers, (*targets, label))]

    def _resolution(self, attackers: Collection[str], targets: Collection[str]) -> list[Action]:
        return [Resolve()] if attackers and not self._left(attackers, targets) else []

    # -- every way

    def can_be_met(self, attackers: Iterable[str], attacked: Iterable[str]) -> bool:
        """Whether all duties outside a battle can be met after it, by some legal battles of those that have not fought."""
        hands = {unit: self.obliged[unit] for unit in self.fresh if unit not in {*attackers} and self.obliged[unit]}
        return _covered(frozenset(self.duties - {*attacked}), hands, self.state.locations)


def _covered(left: frozenset[str], hands: dict[str, set[str]], places: Any) -> bool:
    if not left:
        return True
    first = min(left)
    able = [unit for unit in hands if first in hands[unit]]
    for force in _some(able):  # several against one
        if _covered(left - {first}, {unit: hands[unit] for unit in hands if unit not in force}, places):
            return True
    for home in {places[unit] for unit in able}:  # one hex against several
        for force in _some([unit for unit in hands if places[unit] == home]):
            reach = {*chain(*[hands[unit] for unit in force])} & left
            rest = {unit: hands[unit] for unit in hands if unit not in force}
            if first in reach and any(
                _covered(left - {first, *more}, rest, places) for more in _some(sorted(reach - {first}), 0)
            ):
                return True
    return False


def _some(names: list[str], least: int = 1) -> Iterable[tuple[str, ...]]:
    return chain.from_iterable(combinations(names, number) for number in range(least, len(names) + 1))


class DutiesAreLiteral(Watch):
    """In a combat phase exactly what the literal duty to attack allows is offered, and whoever is asked can go on."""

    rate = 0.5

    def before(self, game: Game, seat: str, action: Action) -> None:
        """The offers of the attacker, but for fire and support."""
        if game.state.stack[-1].kind in ("attacking", "assembling"):
            self.compare(game)

    def compare(self, game: Game) -> None:
        """combat.1 to combat.4."""
        seat = game.to_move[0]
        told = {it for it in game.legal_actions(seat) if isinstance(it, Attack | Join | Widen | Resolve | Done)}
        literal = Front(game).offers()
        self.demand(told or game.legal_actions(seat), f"{seat} cannot go on", "combat.1")
        self.demand(told == literal, f"{sorted(map(str, told ^ literal))[:5]} for {seat}", "combat.1")
