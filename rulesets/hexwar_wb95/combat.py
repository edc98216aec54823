"""Combat: the duty to attack, strengths, and the shifts of both sides."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from hexwar.board import CLOSED
from hexwar.engine import Play, Position
from hexwar.errors import Refusal
from hexwar.mechanics import Battle, Obligations, Stage, TableCombat, occupant, stack
from hexwar.pieces import Odds, Outcome, Shift, Strength, against, face, work_out
from hexwar_wb95 import results
from hexwar_wb95.content import HQ
from hexwar_wb95.state import Engaged, half_up, is_fresh
from hexwar_wb95.support import begin_support
from hexwar_wb95.zones import LARGE_RIVER, SMALL_RIVER, strength_points

if TYPE_CHECKING:
    from hexwar_wb95.world import Wb95World


class Wb95Duty(Obligations):
    """combat.1: every enemy in the zone of a unit."""

    world: Wb95World

    def of_unit(self, at: Position, unit: str) -> Collection[str]:
        """combat.1, combat.2: the hexes with enemies in its zone; none for a unit in fieldworks or a fortress."""
        here, side = at.state.locations.get(unit, ""), self.world.units[unit].side
        layout = at.state.layout
        if here not in self.world.board.indices or self.world.forts.is_fortified(at, side, here):
            return ()
        touched = self.world.zones.mask(at, unit) & layout.closed_to(side)
        if not touched:
            return ()
        can_step = self.world.reaches.can_step
        return [
            label
            for label in self.world.board.unmask(touched)
            if any(is_fresh(at, other) for other in stack(at, label))
            and (not at.state.broken or can_step(at, unit, here, label))  # a bridge into marsh may be down
        ]


class Wb95Combat(TableCombat):
    """combat, proc, hq, conc: one column for each +1, the attacker's before the defender's."""

    world: Wb95World

    # -- who may attack what

    def most_targets(self, at: Position, unit: str) -> int | None:
        """combat.4: from one hex any number."""
        return None

    def why_not_attack(self, at: Position, unit: str, target: str) -> Refusal | None:
        """combat.3, star.1, art.7: over large rivers; with guns that have fired or march, and defenders that have fled there."""
        reason = super().why_not_attack(at, unit, target)
        if reason and not self._crosses(at, unit, target):
            return reason
        if reason := self.why_not_fire(at, unit):
            return reason
        if not any(is_fresh(at, other) for other in stack(at, target)):
            return against(at, "combat.once", f"all who stand in {target} have been attacked already")
        return None

    def _crosses(self, at: Position, unit: str, target: str) -> bool:
        """star.1: any combat unit may attack over a large river, bridge or not, if the ground beyond is open to its arm."""
        here, board, counter = at.state.locations.get(unit, ""), self.world.board, self.world.units[unit]
        if target not in self.world.banks.get(here, ()) or face(at, unit).attack <= 0:
            return False
        enemies = self.world.enemies(counter.side)
        return occupant(at, target) in enemies and self.world.chart.entry(board, counter.arm, target) != CLOSED

    def why_not_fire(self, at: Position, unit: str) -> Refusal | None:
        """art.7, art.12, art.21: why a gun may not fire in the combat phase."""
        if not self.world.units[unit].is_gun:
            return None
        if unit in at.state.silent:
            return against(at, "combat.barrage", f"{unit} has fired a barrage in this turn")
        if unit in at.state.used or unit in at.state.supporting:
            return against(at, "combat.fire.once", f"{unit} has fired in this phase")
        if unit in at.state.marching:
            return against(at, "combat.fire.formation", f"{unit} is in march formation")
        return None

    def targets(self, at: Position, units: Iterable[str], side: str) -> dict[str, list[str]]:
        """The same for all at once."""
        able = [unit for unit in units if self.why_not_fire(at, unit) is None]
        found = super().targets(at, able, side)
        for unit in able:
            beyond = self.world.banks.get(at.state.locations.get(unit, ""), ())
            if more := [label for label in beyond if self._crosses(at, unit, label)]:
                found[unit] = sorted({*found.get(unit, ()), *more})
        if not at.state.fled:
            return found
        open_to = {
            unit: [label for label in hexes if any(is_fresh(at, other) for other in stack(at, label))]
            for unit, hexes in found.items()
        }
        return {unit: hexes for unit, hexes in open_to.items() if hexes}

    # -- strengths

    def halved_for(self, at: Position, unit: str, points: int, *, attacks: bool) -> Strength:
        """disorg.1, supply.9, supply.10: half if it is disorganised, half without supply, a quarter for both."""
        found, by = Strength(unit, points, Fraction(points)), 1
        if unit in at.state.shaken:
            by *= 2
            found = found.changed(Fraction(half_up(points, by)), "disorganised", "disorg.1")
        is_gun = self.world.units[unit].is_gun
        if unit in at.state.shortage and (attacks or is_gun):
            by *= 2
            found = found.changed(Fraction(half_up(points, by)), "without supply", "supply.10" if is_gun else "supply.9")
        return found

    def strength(self, at: Position, battle: Battle, unit: str) -> Strength:
        """art.18, art.19: what a unit counts that stands in a battle, or supports it."""
        counter, attacks = self.world.units[unit], self.world.units[unit].side == battle.side
        if not attacks and counter.is_gun and unit not in at.state.supporting:
            there = stack(at, at.state.locations[unit])
            if all(self.world.units[other].is_gun or self.world.units[other].arm == HQ for other in there):
                return Strength(unit, face(at, unit).defence, Fraction(1), (("alone", "art.19"),))
        points = face(at, unit).attack if attacks else face(at, unit).defence
        return self.halved_for(at, unit, points, attacks=attacks)

    def standing_defenders(self, at: Position, battle: Battle) -> tuple[str, ...]:
        """combat.3: the units in the attacked hexes that have not fled into them."""
        return tuple([unit for unit in self.defenders(at, battle) if is_fresh(at, unit)])

    def supporters(self, at: Position, battle: Battle, side: str) -> list[str]:
        """art.11, art.13: the guns that support a side in a battle, and do not stand in it."""
        fighting = {*battle.attackers, *self.defenders(at, battle)}
        supporting = at.state.supporting
        return [
            unit
            for unit in self.world.on_board(at.state, side)
            if supporting.get(unit) in battle.targets and unit not in fighting
        ]

    # -- the odds

    def odds(self, at: Position, battle: Battle) -> Odds:
        """proc.3 to proc.5: sums, column, the attacker's shifts, the defender's shifts."""
        defenders = self.standing_defenders(at, battle)
        enemies = self.world.enemies(battle.side)[0]
        ours = [*battle.attackers, *self.supporters(at, battle, battle.side)]
        theirs = [*defenders, *self.supporters(at, battle, enemies)]
        wings = self.world.wings
        over = wings.support(at, battle.targets, battle.side, attacks=True)
        above = wings.support(at, battle.targets, enemies, attacks=False)
        attack = (*[self.strength(at, battle, unit) for unit in ours], *over)
        defence = (*[self.strength(at, battle, unit) for unit in theirs], *above)
        points = int(sum(strength.counted for strength in attack)), int(sum(strength.counted for strength in defence))
        if not battle.attackers:
            points = 0, points[1]
        if self.is_lone_headquarters(at, battle):
            sure = work_out(self.world.table, (len(self.world.table.columns), 1), (attack, defence), ())
            return replace(sure, attack=points[0], defence=points[1])
        if self.world.forts.halves(at, battle):
            points = half_up(points[0]), points[1]
        return work_out(self.world.table, points, (attack, defence), self.shifts(at, battle), self.support(at, battle))

    def is_lone_headquarters(self, at: Position, battle: Battle) -> bool:
        """combat.5: only headquarters stand in the attacked hexes."""
        defenders = self.defenders(at, battle)
        return bool(defenders) and all(self.world.units[unit].arm == HQ for unit in defenders)

    def shifts(self, at: Position, battle: Battle) -> tuple[Shift, ...]:
        """proc.4: the attacker's."""
        stars = self.world.stars.shifts(at, battle, battle.side)
        return (*stars, *self._staff(at, battle.side, battle.attackers, 1))

    def support(self, at: Position, battle: Battle) -> tuple[Shift, ...]:
        """proc.5: the defender's."""
        enemy, defenders = self.world.enemies(battle.side)[0], self.standing_defenders(at, battle)
        stars = [Shift(-it.columns, it.reason, it.clause) for it in self.world.stars.shifts(at, battle, enemy)]
        return (*stars, *self._staff(at, enemy, defenders, -1), *self._ground(at, battle))

    def _staff(self, at: Position, side: str, units: Collection[str], sign: int) -> Iterator[Shift]:
        """hq.4, conc.1: a headquarters in range, and divisions and corps of which three units fight."""
        world, board, places = self.world, self.world.board, at.state.locations
        leaders = [unit for unit in world.on_board(at.state, side) if world.units[unit].arm == HQ]
        for leader in leaders:
            reach = world.units[leader].command
            if any(board.distance(places[leader], places[unit]) <= reach for unit in units):
                yield Shift(sign, f"headquarters {leader}", "hq.4")
                break
        formations = [world.units[unit].formation for unit in units]
        for formation in dict.fromkeys(filter(None, formations)):
            if formations.count(formation) >= world.printed.tables.concentration.units:
                yield Shift(sign, f"concentration of {formation}", "conc.1")

    def _ground(self, at: Position, battle: Battle) -> Iterator[Shift]:
        """combat.6, combat.7, up.4, fs.3, fs.5: river, terrain, fieldworks or fortress."""
        tables, main = self.world.printed.tables, self.main_target(at, battle)
        river = self.river(at, battle)
        if river:
            columns = tables.river.large if river == LARGE_RIVER else tables.river.small
            yield Shift(-columns, river.replace("-", " "), "combat.6")
        if bonus := self.world.bonus(main):
            yield Shift(-bonus, self.world.board.terrain(main), "combat.7")
        yield from self.world.forts.shifts(at, battle, main)

    def main_target(self, at: Position, battle: Battle) -> str:
        """combat.7: the attacked hex with most strength; of equal ones the one that helps its defenders most."""
        if len(battle.targets) == 1:
            return battle.target

        def rank(label: str) -> tuple[int, int]:
            points = sum(strength_points(at, unit) for unit in stack(at, label) if is_fresh(at, unit))
            return points, self.world.bonus(label) - sum(it.columns for it in self.world.forts.shifts(at, battle, label))

        return max(battle.targets, key=rank)

    def share(self, at: Position, battle: Battle, feature: str) -> Fraction:
        """combat.6, fs.2: which part of the strength next to the targets attacks across a feature of hexsides only."""
        board, places = self.world.board, at.state.locations
        across = whole = 0
        for unit in battle.attackers:
            points = int(self.strength(at, battle, unit).counted)
            whole += points
            if all(feature in board.side(places[unit], target) for target in battle.aims(unit)):
                across += points
        return Fraction(across, whole) if whole else Fraction(0)

    def river(self, at: Position, battle: Battle) -> str:
        """combat.6: the river that more than half of the attack crosses, the large one before the small; "" if none."""
        key = "river", battle.pairs
        found: str | None = at.memo.get(key)
        if found is None:
            found = at.memo[key] = self._crossed(at, battle)
        return found

    def _crossed(self, at: Position, battle: Battle) -> str:
        board, places = self.world.board, at.state.locations
        sides = [board.side(places[unit], target) for unit, target in battle.pairs]
        if not any(LARGE_RIVER in side or SMALL_RIVER in side for side in sides):
            return ""
        share = {river: self.share(at, battle, river) for river in (LARGE_RIVER, SMALL_RIVER)}
        if share[LARGE_RIVER] * 2 > 1:
            return LARGE_RIVER
        return SMALL_RIVER if sum(share.values()) * 2 > 1 else ""

    # -- what follows

    def announced(self, play: Play, battle: Battle) -> None:
        """proc.1, proc.2, star.4: stars of the attacker, support and stars of the defender, then the die."""
        begin_support(play, battle)

    def resolve(self, play: Play, battle: Battle, odds: Odds) -> Outcome:
        """proc.6, combat.5: one die, whoever stands there; from now on they have fought."""
        alone = self.is_lone_headquarters(play, battle)  # combat.5: without modifiers
        sides = tuple([side for side in self.world.sides if not alone and self.world.stars.shifts(play, battle, side)])
        play.emit(Engaged(battle.attackers, self.standing_defenders(play, battle), sides, clause="combat.3"))
        return super().resolve(play, battle, odds)

    def stages(self) -> tuple[Stage, ...]:
        """result.1: the attacker's half, then the defender's, then disorganisation and pursuit."""
        return (
            results.lone_headquarters_die,
            results.attackers_lose,
            results.attackers_go_back,
            results.defenders_lose,
            results.defenders_go_back,
            results.both_are_shaken,
            self.attackers_pursue,
        )
