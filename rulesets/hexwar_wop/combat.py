"""14: attacks. All of an activation are planned first (7.3), because the plan matters for each of them (14.13.u)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from hexwar.engine import Action, Event, Play, Position, SeatName, Step, record
from hexwar.errors import Refusal
from hexwar.grouping import grouped
from hexwar.mechanics import (
    DECLARED_COMBAT_ACTIONS,
    DECLARED_COMBAT_EVENTS,
    DECLARED_COMBAT_STEPS,
    Battle,
    Declaring,
    Pairs,
    RollModified,
    Stage,
    stack,
)
from hexwar.pieces import Odds, Outcome, Shift, Strength, against, on_board
from hexwar_wop.air import support
from hexwar_wop.content import AIR, HEADQUARTERS, RIVER, TRAIN
from hexwar_wop.fighting import AttacksOver, BoatEngaged, LeaderNamed, PursuitNoted, StackBeaten
from hexwar_wop.losses import Lead, Leading, LosingLevels, lead
from hexwar_wop.modifiers import ARTILLERY, MODIFIERS, Forces, attacking_ashore, counting, is_open, joining, strength, troops
from hexwar_wop.pursuit import Chasing, Following, OnTheHeels
from hexwar_wop.reactions import leave_headquarters
from hexwar_wop.retreat import FallingBack
from hexwar_wop.river import RIVER_ACTIONS, RIVER_EVENTS, RIVER_STEPS, Cruising, Drifting, boats, present
from hexwar_wop.sums import SumCombat, SumTable
from hexwar_wop.transport import abandon, carrier

if TYPE_CHECKING:
    from hexwar_wop.content import CombatRow
    from hexwar_wop.content import Outcome as Printed
    from hexwar_wop.world import WopState, WopWorld

    At: TypeAlias = Position[WopState, WopWorld]
    Doing: TypeAlias = Play[WopState, WopWorld]

SUPPORTING = (ARTILLERY, RIVER)
"""14.14.a, 16.4: those that take part only in attacks of others."""
COMBAT_CLAUSES = {
    "combat": "14.7",
    "combat.declare": "14.7",
    "combat.order": "7.3",
    "combat.once": "14.3.a",
    "combat.odds": "14.13.a",
    "combat.roll": "14.15",
    "combat.sum": "14.13.a",
    "combat.table": "14.16",
    "combat.cancelled": "7.3",
    "losses": "14.40",
    "retreat": "14.19",
    "retreat.immobile": "14.30",
    "retreat.immobile.headquarters": "9.26",
    "retreat.none": "14.26",
    "retreat.river": "14.29.b",
    "retreat.train": "14.28.b",
    "retreat.zone.headquarters": "10.15",
    "pursuit": "14.31",
    "pursuit.headquarters": "14.38.a",
}
"""Where the shared mechanics find their clauses on combat."""


class WopCombat(SumCombat):
    """14.7 to 14.17: a sum of modifiers on a die of ten that begins with 0."""

    world: WopWorld
    sides, lowest = 10, 0

    # -- 14.1 to 14.7 who may attack what

    def why_not_attack(self, at: At, unit: str, target: str) -> Refusal | None:
        """Why a unit could not attack a hex, or support an attack on it; 15.3: a train attacks beside its line."""
        counter, board, here = self.world.units[unit], self.world.board, at.state.locations.get(unit, "")
        if here not in board.indices and here not in self.world.river.sides:
            return against(at, "combat", f"{unit} is not on the map")
        if counter.arm in (HEADQUARTERS, AIR):
            return against(at, "combat", f"{unit} does not attack")
        if unit in at.state.no_command:
            return Refusal.against("9.22.a", f"{unit} is without command")
        if carrier(at, unit):
            return Refusal.against("18.9.c", f"{unit} is on {carrier(at, unit)}, and what is loaded does not attack")
        if "garrison" in counter.tags:
            return Refusal.against("11.3", f"{unit} is a garrison, which does not attack")
        if target not in board or not self._enemies_in(at, counter.side, target):
            return against(at, "combat", f"there is no enemy unit in {target} that could be attacked")
        if counter.arm == ARTILLERY:
            return self._why_no_support(at, unit, target)
        if counter.arm == RIVER:
            return self.world.river.why_not_attack(at, unit, target)
        if not board.adjacent(here, target):
            return Refusal.against("10.12", f"{unit} does not stand next to {target}")
        if counter.arm != TRAIN and not is_open(at, unit, here, target):
            return Refusal.against("14.6", f"{unit} could not move from {here} into {target}")
        return None

    def still_attacks(self, at: At, unit: str, target: str) -> bool:
        """7.3: whoever could not attack the hex any more is left out."""
        return self.may_attack(at, unit, target)

    def most_targets(self, at: At, unit: str) -> None:
        """14.4: a unit attacks as many hexes as it can, each in a fight of its own."""
        return None

    def why_not_declare(self, at: At, unit: str, target: str, declared: Pairs) -> Refusal | None:
        """14.14.a: units that only support an attack are named after the attackers."""
        if refusal := super().why_not_declare(at, unit, target, declared):
            return refusal
        units, others = self.world.units, [other for other, aim in declared if aim == target]
        if units[unit].arm in SUPPORTING and all(units[other].arm in SUPPORTING for other in others):
            clause = "14.14.a" if units[unit].arm == ARTILLERY else "16.4.2"
            return Refusal.against(clause, f"{unit} only supports others, and nobody is to attack {target} yet")
        return None

    def weigh(self, at: At, battle: Battle) -> tuple[Battle, Odds | None, str]:
        """14.3.b, 14.14.a: no unit is attacked twice, and who supports an attack makes none of its own."""
        if not self._enemies_in(at, battle.side, battle.target):
            return battle, None, f"nobody is left in {battle.target} who has not been attacked"
        able = [unit for unit in battle.attackers if self.may_attack(at, unit, battle.target)]
        if all(self.world.units[unit].arm in SUPPORTING for unit in able):
            return battle, None, "no attacker is left"
        return super().weigh(at, battle)

    def _enemies_in(self, at: At, side: str, target: str) -> bool:
        """14.3.b: whether units defend a hex that have not been attacked yet."""
        return any(self.world.units[unit].side != side for unit in counting(at, target))

    def _why_no_support(self, at: At, unit: str, target: str) -> Refusal | None:
        """3.12.e, 14.6, 14.14.a: artillery needs range and supply; no ground is in its way."""
        if unit in at.state.no_supply:
            return Refusal.against("3.12.e", f"{unit} is without supply and supports no attack")
        if self.world.board.distance(at.state.locations[unit], target) > self.world.units[unit].reach:
            return Refusal.against("14.14.a", f"{target} is out of range of {unit}")
        return None

    def targets(self, at: At, units: Iterable[str], side: str) -> dict[str, list[str]]:
        """Those of some units of a side that could attack or support an attack, and where."""
        hexes, found, board = self._defended(at, side), {}, self.world.board
        for unit in present(at, units):
            if near := hexes & self._in_range(at, unit):
                able = [label for label in board.scattered(near) if self.why_not_attack(at, unit, label) is None]
                if able:
                    found[unit] = sorted(able)
        return found

    def _defended(self, at: At, side: str) -> int:
        """14.3.b: the mask of the hexes in which enemy units of a side stand that have not been attacked yet."""
        [enemy] = self.world.enemies(side)
        hexes, ground = self.world.supply.troops(at, enemy), self.world.river.ground
        for unit in at.state.beaten:
            label = at.state.locations.get(unit, "")
            if label in ground and not counting(at, label):
                hexes &= ~ground[label]
        return hexes

    def _in_range(self, at: At, unit: str) -> int:
        """14.1, 14.14.a, 16.4.2: the mask of the hexes that a unit could attack, as far as its place is concerned."""
        board, counter, here = self.world.board, self.world.units[unit], at.state.locations[unit]
        if here in board.indices:
            return board.near(here, counter.reach) if counter.arm == ARTILLERY else board.around(here)
        return self.world.river.shores[here]

    # -- 14.8 to 14.16 how it is decided

    @cached_property
    def sums(self) -> SumTable:
        """14.16: the combat table."""
        rows = self.world.printed.combat.row
        return SumTable([_outcome(row) for row in rows], [row.min for row in rows if row.min is not None])

    def strengths(self, at: At, battle: Battle) -> tuple[tuple[Strength, ...], tuple[Strength, ...]]:
        """14.10.a, 14.14.b: the units of each side and the artillery that supports them."""
        return self._weighed(at, Forces.of(at, battle))

    def _weighed(self, at: At, forces: Forces) -> tuple[tuple[Strength, ...], tuple[Strength, ...]]:
        attackers = tuple(strength(at, unit, attacks=True) for unit in (*forces.attacking, *forces.guns))
        return attackers, tuple(strength(at, unit, attacks=False) for unit in (*forces.defending, *forces.support))

    def modifiers(self, at: At, battle: Battle) -> tuple[Shift, ...]:
        """14.13.a: all of them."""
        forces = Forces.of(at, battle)
        attackers, defenders = self._weighed(at, forces)
        return tuple(shift for rule in MODIFIERS for shift in rule(at, forces, (*attackers, *defenders)))

    def announced(self, play: Doing, battle: Battle) -> None:
        """14.8.a: air units; then 14.12.a: each side names the unit whose morale counts, the attacker first."""
        forces, [enemy] = Forces.of(play, battle), play.world.enemies(battle.side)
        for unit, clause in joining(play, battle, forces.attackers):
            play.emit(BoatEngaged(unit, battle.target, clause=clause))
        lead(play, play.world.seat_for(enemy), battle.target, forces.defending)
        lead(play, play.world.seat_for(battle.side), battle.target, forces.attacking)
        support(play, battle)

    # -- 14.17 what follows

    def stages(self) -> tuple[Stage, ...]:
        """14.17.a: losses, retreats by those who are left, headquarters that are alone now (9.25), pursuit."""
        return (
            self.attackers_lose_levels,
            self.defenders_lose_levels,
            self.attackers_fall_back,
            self.defenders_fall_back,
            leave_headquarters,
            self.attackers_chase,
        )

    def front(self, at: At, battle: Battle) -> tuple[str, ...]:
        """14.14.c: the attackers that are left next to the target: artillery that only supports neither loses nor retreats."""
        return attacking_ashore(at, battle)

    def boats(self, at: At, battle: Battle) -> tuple[str, ...]:
        """16.4: the attacker's river units that are left."""
        return tuple(unit for unit in present(at, battle.attackers) if self.world.units[unit].arm == RIVER)

    def flotilla(self, at: At, battle: Battle) -> tuple[str, ...]:
        """16.4: the defender's."""
        return present(at, [unit for unit, target in at.state.engaged if target == battle.target])

    def attackers_lose_levels(self, play: Doing, seat: str, battle: Battle, outcome: Outcome) -> None:
        """14.17.3: the attackers lose levels."""
        self._lose(play, battle, (*self.front(play, battle), *self.boats(play, battle)), outcome.attacker)

    def defenders_lose_levels(self, play: Doing, seat: str, battle: Battle, outcome: Outcome) -> None:
        """14.3.a, 14.3.c: all units in the hex lose levels; headquarters live on without them (14.43, 14.44.a, 14.44.b)."""
        self._lose(play, battle, (*troops(play, battle.target), *self.flotilla(play, battle)), outcome.defender)

    def _lose(self, play: Doing, battle: Battle, units: tuple[str, ...], levels: int) -> None:
        if levels and units:
            leaders = tuple(unit for label, unit in play.state.leading if label == battle.target and unit in units)
            play.push(LosingLevels(self._owner(units), units, levels, leaders))

    def attackers_fall_back(self, play: Doing, seat: str, battle: Battle, outcome: Outcome) -> None:
        """14.22.a: the attackers are thrown back, away from the hex that they attacked."""
        if outcome.repulse:
            self._drift(play, self.boats(play, battle), outcome.repulse)
            hexes = grouped((play.state.locations[unit], unit) for unit in self.front(play, battle))
            for label in reversed(hexes):
                self._fall_back(play, label, tuple(hexes[label]), outcome.repulse, (battle.target,), attacked=False)

    def defenders_fall_back(self, play: Doing, seat: str, battle: Battle, outcome: Outcome) -> None:
        """14.22.a: the defenders retreat, away from everybody who attacked them."""
        defenders = troops(play, battle.target)
        if outcome.retreat:
            self._drift(play, self.flotilla(play, battle), outcome.retreat)
        if outcome.retreat and defenders:
            foes = tuple(sorted({play.state.locations[unit] for unit in self.front(play, battle)}))
            self._fall_back(play, battle.target, defenders, outcome.retreat, foes, attacked=True)

    def _drift(self, play: Doing, units: tuple[str, ...], hexes: int) -> None:
        """14.29.a: river units retreat along the river."""
        if units:
            play.push(Drifting(self._owner(units), units, hexes))

    def _fall_back(
        self, play: Doing, label: str, units: tuple[str, ...], hexes: int, foes: tuple[str, ...], *, attacked: bool
    ) -> None:
        """14.18: headquarters go along, unless other units stay with them; 18.10: no unit retreats on transport."""
        leaders = tuple(unit for unit in stack(play, label) if self.world.units[unit].arm == HEADQUARTERS)
        together = (*units, *leaders) if set(troops(play, label)) <= set(units) else units
        abandon(play, together)
        play.push(FallingBack(self._owner(units), together, label, hexes, foes, attacked))

    def attackers_chase(self, play: Doing, seat: str, battle: Battle, outcome: Outcome) -> None:
        """14.32.a, 14.33.3: those who forced a retreat may follow into the hex, if it is empty now; 16.5: boats in any case."""
        boats = self.boats(play, battle)
        if outcome.retreat and boats:
            play.push(Cruising(seat, boats, outcome.retreat))
        if outcome.retreat and not stack(play, battle.target):
            play.push(Chasing(seat, self.front(play, battle), battle.target, outcome.retreat))


def _outcome(row: CombatRow) -> Outcome:
    """14.17.1 to 14.17.3: a row of the table, such as "A 1, D 1R"."""
    sides = [f"{name} {_told(result)}" for name, result in (("A", row.attacker), ("D", row.defender)) if _told(result)]
    attacker, defender = row.attacker, row.defender
    return Outcome(", ".join(sides), attacker.losses, defender.losses, defender.retreat, attacker.retreat)


def _told(result: Printed) -> str:
    retreat, losses = f"{result.retreat}R" if result.retreat else "", str(result.losses) if result.losses else ""
    return "/".join(filter(None, (retreat, losses)))


# -- 7.3, 8.2 the attacks of an activation ------------------------------------------------------------------------------------


def attack_segment(play: Doing, seat: str) -> None:
    """7.3, 8.2, 12.4, 14.1: the active player plans attacks and then resolves them, if there is anything that can be attacked."""
    side = play.world.seats[seat]
    units = (*on_board(play, side), *boats(play, side))
    if play.world.combat.targets(play, units, play.world.seats[seat]):
        play.push(Ending(seat))
        play.push(Declaring(seat, units))


@record
class Ending(Step):
    """14.38.a, 7.3: after all attacks, headquarters may follow; then the plan is forgotten."""

    kind = "ending"
    clause: ClassVar[str] = "7.3"
    seat: SeatName
    followed: bool = False

    def resume(self, play: Doing) -> None:
        """The headquarters, then the end."""
        followers = tuple(unit for unit, _ in play.state.pursuits)
        if followers and not self.followed:
            play.replace(Ending(self.seat, True))
            play.push(Following(self.seat, followers))
            return
        play.pop()
        if play.state.planned:
            play.emit(AttacksOver(clause="7.3"))


COMBAT_ACTIONS: tuple[type[Action], ...] = (*DECLARED_COMBAT_ACTIONS, Lead, *RIVER_ACTIONS)
COMBAT_STEPS: tuple[type[Step], ...] = (
    *DECLARED_COMBAT_STEPS,
    Leading,
    LosingLevels,
    FallingBack,
    Chasing,
    OnTheHeels,
    Following,
    Ending,
    *RIVER_STEPS,
)
COMBAT_EVENTS: tuple[type[Event], ...] = (
    *DECLARED_COMBAT_EVENTS,
    BoatEngaged,
    *RIVER_EVENTS,
    LeaderNamed,
    RollModified,
    StackBeaten,
    PursuitNoted,
    AttacksOver,
)
