"""A battle before the die: who attacks which hex, what each unit counts, and what decides it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from hexwar.board import CLOSED, step
from hexwar.engine import Part, Play, Position, SideName, part, record
from hexwar.errors import Refusal
from hexwar.grouping import grouped
from hexwar.mechanics._pieces import occupant, stack
from hexwar.mechanics._pursuit import PursuitRules
from hexwar.mechanics._retreat import Retreating, RetreatRules
from hexwar.mechanics._state import HexName
from hexwar.mechanics._world import HexWorld
from hexwar.pieces._losses import Losing
from hexwar.pieces._odds import CombatTable, Odds, Outcome, Shift, Strength, work_out
from hexwar.pieces._pieces import face, standing, stands
from hexwar.pieces._state import UnitName
from hexwar.pieces._steps import against


@record
class Battle:
    """Who attacks which hex."""

    side: SideName
    target: HexName
    attackers: tuple[UnitName, ...] = ()
    also: tuple[HexName, ...] = ()
    """Further hexes that are attacked at the same time, in games that have such attacks."""

    @property
    def targets(self) -> tuple[str, ...]:
        """All hexes that are attacked."""
        return (self.target, *self.also)

    @property
    def goals(self) -> tuple[tuple[str, str], ...]:
        """Each attacker with the hex that it attacks."""
        return tuple([(unit, self.target) for unit in self.attackers])


Stage = Callable[[Play, str, Battle, Outcome], None]
"""Carries out one consequence of a result, or pushes the step that does: play, the attacker's seat, battle, result."""


class Combat(Part, ABC):
    """Who may attack what, and what follows a result. How a battle is decided, `odds` and `resolve`, is up to subclasses."""

    world: CombatWorld

    # -- who may attack what

    def attackers(self, at: Position, units: tuple[str, ...]) -> tuple[str, ...]:
        """Those of the active units that may attack in a combat segment."""
        return units

    def why_not_attack(self, at: Position, unit: str, target: str) -> Refusal | None:
        """Why a unit on the board could not attack a hex: it must stand next to enemies in a hex that it could step into."""
        world, here = self.world, at.state.locations[unit]
        if occupant(at, target) not in world.enemies(world.units[unit].side):
            return against(at, "combat.empty", f"there is no enemy in {target}")
        if not world.board.adjacent(here, target):
            return against(at, "combat", f"{unit} does not stand next to {target}")
        if face(at, unit).attack <= 0:
            return against(at, "combat.strength", f"{unit} has no attack strength")
        if not world.movement.can_step(at, unit, here, target):
            return against(at, "combat.closed", f"{unit} could not move from {here} into {target}")
        return None

    def may_attack(self, at: Position, unit: str, target: str) -> bool:
        """Whether a unit that may be gone by now could attack a hex."""
        return stands(at, unit) and self.why_not_attack(at, unit, target) is None

    def targets(self, at: Position, units: Iterable[str], side: str) -> dict[str, list[str]]:
        """Those of some units of a side that could attack, and what: `why_not_attack` for all hexes at once, by masks."""
        world, board, layout = self.world, self.world.board, at.state.layout
        enemies, found = layout.closed_to(side), {}
        near = layout.memo.get(("near", side))
        if near is None:
            near = layout.memo["near", side] = step(board, enemies, layout.held[side])
        for unit in units if near else ():  # most units touch no enemy, and one mask shows that at once
            here = at.state.locations.get(unit, "")
            if here not in board.indices or not near >> board.indices[here] & 1 or face(at, unit).attack <= 0:
                continue
            i, costs, touched = board.indices[here], world.movement.costs_of(at, unit), board.around(here) & enemies
            hexes = [i + delta for d, delta in enumerate(board.deltas) if touched >> i + delta & 1 and costs[d][i] != CLOSED]
            if hexes:
                found[unit] = sorted(map(board.label, hexes))
        return found

    def spent_by_calling_off(self, battle: Battle) -> tuple[str, ...]:
        """The hexes that may not be attacked any more in the segment, after an attack on them was called off."""
        return battle.targets

    # -- how it is decided

    @abstractmethod
    def odds(self, at: Position, battle: Battle) -> Odds:
        """A battle as it stands. Resolution uses exactly this."""

    @abstractmethod
    def resolve(self, play: Play, battle: Battle, odds: Odds) -> Outcome:
        """Roll, and say what comes of it."""

    @abstractmethod
    def results(self, odds: Odds) -> Sequence[Outcome]:
        """The possible results, each as likely as any other."""

    def rolls(self, at: Position, battle: Battle, odds: Odds) -> Sequence[Outcome]:
        """The results of all rolls as they would come here and now, with what is added to the roll."""
        return self.results(odds)

    def weigh(self, at: Position, battle: Battle) -> tuple[Battle, Odds | None, str]:
        """An attack with those attackers that are left, its odds if there is anything to fight, and why it cannot be fought.

        Something may have happened since it was declared: other attacks, or a reaction that cost attackers or defenders.
        """
        adjacent, enemies, places = self.world.board.adjacent, self.world.enemies(battle.side), at.state.locations
        held = tuple([label for label in battle.targets if occupant(at, label) in enemies])
        targets = held or battle.targets
        near = [u for u in standing(at, battle.attackers) if any(adjacent(places[u], label) for label in targets)]
        battle = Battle(battle.side, targets[0], tuple(near), targets[1:])
        if not held:
            return battle, None, f"nobody is left in {battle.target}"
        if not near:
            return battle, None, "no attacker is left"
        now = self.odds(at, battle)
        return battle, now, "" if now.column is not None else f"the odds of {now.attack} to {now.defence} are too low"

    def announced(self, play: Play, battle: Battle) -> None:
        """What comes between the announcement of an attack and the die; steps that are pushed here are gone through first."""

    def convert(self, at: Position, battle: Battle, outcome: Outcome) -> tuple[Outcome, str]:
        """A result as it applies to the attacked hex, and the clause that changed it; "" if nothing did."""
        return outcome, ""

    # -- what follows

    def stages(self) -> tuple[Stage, ...]:
        """The consequences of a result, one after the other."""
        return self.attackers_lose, self.defenders_lose, self.defenders_retreat, self.attackers_pursue

    def attackers_lose(self, play: Play, seat: str, battle: Battle, outcome: Outcome) -> None:
        """The attackers lose steps."""
        if outcome.attacker:
            play.push(Losing(seat, standing(play, battle.attackers), outcome.attacker))

    def defenders_lose(self, play: Play, seat: str, battle: Battle, outcome: Outcome) -> None:
        """The defenders lose steps."""
        defenders = self.defenders(play, battle)
        if outcome.defender and defenders:
            play.push(Losing(self._owner(defenders), defenders, outcome.defender))

    def defenders_retreat(self, play: Play, seat: str, battle: Battle, outcome: Outcome) -> None:
        """The defenders retreat, hex by hex."""
        self._retreat(play, self.defenders(play, battle), outcome.retreat)

    def attackers_retreat(self, play: Play, seat: str, battle: Battle, outcome: Outcome) -> None:
        """The attackers retreat, hex by hex: a stage of games in which they do."""
        self._retreat(play, standing(play, battle.attackers), outcome.repulse)

    def attackers_pursue(self, play: Play, seat: str, battle: Battle, outcome: Outcome) -> None:
        """The attackers may follow into each hex that is empty now."""
        for target in reversed(battle.targets):
            if not stack(play, target):
                play.push(self.world.pursuit.begin(play, seat, replace(battle, target=target), standing(play, battle.attackers)))

    def defenders(self, at: Position, battle: Battle) -> tuple[str, ...]:
        """The units in the attacked hexes."""
        return tuple(unit for target in battle.targets for unit in stack(at, target))

    def _retreat(self, play: Play, units: tuple[str, ...], hexes: int) -> None:
        stacks = grouped((play.state.locations[unit], unit) for unit in units) if hexes else {}
        for label in reversed(stacks):
            play.push(Retreating(self._owner(stacks[label]), tuple(stacks[label]), label, hexes))

    def _owner(self, units: Sequence[str]) -> str:
        return self.world.seat_for(self.world.units[units[0]].side, units[0])


class TableCombat(Combat):
    """Strength against strength: their ratio is a column of the world's table, which terrain shifts, and the die is its row."""

    def printed(self, at: Position, battle: Battle, unit: str) -> Strength:
        """What a unit has before rivers count: what its counter says."""
        points = face(at, unit).attack if unit in battle.attackers else face(at, unit).defence
        return Strength(unit, points, Fraction(points))

    def halved(self, at: Position, battle: Battle, unit: str) -> bool:
        """Whether an attacker counts half because of the hexside that it attacks across; of several, because of all."""
        board, here, across = self.world.board, at.state.locations[unit], self.world.chart.halved_across
        near = [label for label in battle.targets if not battle.also or board.adjacent(here, label)]
        return all(board.side(here, label) & across for label in near)

    def strength(self, at: Position, battle: Battle, unit: str) -> Strength:
        """What a unit contributes to a battle, and why."""
        found = self.printed(at, battle, unit)
        if unit in battle.attackers and self.halved(at, battle, unit):
            return found.changed(found.counted / 2, "halved across a river", self.world.clause("combat.river"))
        return found

    def points(self, at: Position, strengths: Sequence[Strength]) -> int:
        """What units contribute together, in whole points: fractions are dropped once."""
        return int(sum(strength.counted for strength in strengths))

    def shifts(self, at: Position, battle: Battle) -> tuple[Shift, ...]:
        """The column shifts of a battle: terrain and place."""
        shifts = self.world.chart.shifts_at(self.world.board, battle.target)
        return tuple([Shift(columns, reason, self.world.clause("combat.terrain")) for columns, reason in shifts])

    def support(self, at: Position, battle: Battle) -> tuple[Shift, ...]:
        """Column shifts that count once it is plain that the odds allow an attack."""
        return ()

    def odds(self, at: Position, battle: Battle) -> Odds:
        """Add up, find the column, shift it."""
        attackers = tuple([self.strength(at, battle, unit) for unit in battle.attackers])
        defenders = tuple([self.strength(at, battle, unit) for unit in self.defenders(at, battle)])
        points = self.points(at, attackers), self.points(at, defenders)
        return work_out(self.world.table, points, (attackers, defenders), self.shifts(at, battle), self.support(at, battle))

    def roll(self, play: Play, battle: Battle) -> int:
        """The row of the table."""
        clause = self.world.clause("combat.table")
        return play.roll(f"attack on {battle.target}", clause=clause, sides=len(self.world.table.rows))

    def resolve(self, play: Play, battle: Battle, odds: Odds) -> Outcome:
        """Look the result up."""
        return self.results(odds)[self.roll(play, battle) - 1]

    def results(self, odds: Odds) -> Sequence[Outcome]:
        """The column, row by row."""
        column, rows = odds.column, self.world.table.rows
        return [] if column is None else [rows[roll][column] for roll in range(1, len(rows) + 1)]


class CombatWorld(HexWorld):
    """A world with battles."""

    table: CombatTable = CombatTable({}, {})
    """The combat results table; it has nothing in it where battles are decided otherwise."""
    combat: part[Combat] = part(TableCombat)
    retreat = part(RetreatRules)
    pursuit = part(PursuitRules)

    def content_parts(self) -> tuple[object, ...]:
        """With the combat table."""
        return (*super().content_parts(), self.table.columns, self.table.rows)
