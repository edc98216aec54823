"""Bugs of combat: odds, table and losses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import hexwar.mechanics.battle
import hexwar.mechanics.combat
from hexwar.engine import Play
from hexwar.mechanics import (
    Attacking,
    CombatTable,
    CombatWorld,
    HexState,
    Losing,
    Odds,
    Outcome,
    Shift,
    Strength,
    UnitEliminated,
    face,
)
from hexwar.mechanics.combat import Fighting, weigh
from hexwar.mechanics.odds import work_out
from hexwar.mechanics.pieces import lose_step
from hexwar.testing.mutants.catalogue import GONE, HEXES, Condition, Parts, bug
from hexwar.testing.mutation import Patch

COMBAT = Condition("it has no combat of the mechanics", lambda parts: isinstance(parts.world, CombatWorld))
TABLE = Condition("no step of the mechanics reads its table", lambda parts: parts.has_step(Fighting))
ONE_BY_ONE = Condition("its attacks are not made one by one", lambda parts: parts.has_step(Attacking))
RIVERS = Condition("nothing on its map halves attackers", lambda parts: parts.has_sides(*parts.world.chart.halved_across))
SHIFTS = Condition("nothing shifts columns", lambda parts: any(parts.world.chart.shifts.values()))
TWO_SHIFTS = Condition(
    "no hex shifts columns for two reasons",
    lambda parts: any(len(parts.world.chart.shifts_at(parts.world.board, label)) > 1 for label in parts.world.board.labels),
)
CLOSED_SIDES = Condition(
    "no ground and no hexside is closed to anybody",
    lambda parts: any(255 in (*arm.terrain.values(), *arm.sides.values()) for arm in parts.world.chart.arms.values()),
)

Strengths = tuple[tuple[Strength, ...], tuple[Strength, ...]]

# -- odds ------------------------------------------------------------------------------------------------------------------


@bug("rivers-do-not-halve", "Attackers across a river count in full.", COMBAT, RIVERS, likely="attacks-are-right")
def _(patch: Patch, parts: Parts) -> None:
    patch.wrap(parts.world_type, "halved", lambda original, self, at, battle, unit: False)


@bug(
    "defence-by-attack", "Defenders count with their attack strength.", COMBAT, likely=("attacks-are-right", "staged-games-agree")
)
def _(patch: Patch, parts: Parts) -> None:
    def strength(original: Any, self: CombatWorld, at: Any, battle: Any, unit: str) -> Strength:
        found: Strength = original(self, at, battle, unit)
        if unit in battle.attackers:
            return found
        printed = face(at, unit).attack
        return replace(found, printed=printed, counted=Fraction(printed))

    patch.wrap(parts.world_type, "strength", strength)


@bug("one-defender-counts", "Of several defenders only one counts.", COMBAT, likely=("attacks-are-right", "staged-games-agree"))
def _(patch: Patch, parts: Parts) -> None:
    patch.wrap(hexwar.mechanics.battle, "stack", lambda original, at, location: original(at, location)[:1])


def _column(patch: Patch, goes_up: Callable[[Fraction, Fraction, Fraction], bool]) -> None:
    """A ratio between two columns goes up to the next one if somebody says so."""

    def column(original: Any, self: CombatTable, attack: Any, defence: Any) -> int | None:
        found: int | None = original(self, attack, defence)
        if found is None or defence <= 0 or found + 1 == len(self.ratios):
            return found
        ratio = Fraction(attack) / Fraction(defence)
        return found + 1 if goes_up(ratio, self.ratios[found], self.ratios[found + 1]) else found

    patch.wrap(CombatTable, "column", column)


@bug("odds-rounded-up", "A ratio between two columns counts as the better one.", COMBAT, likely="attacks-are-right")
def _(patch: Patch, parts: Parts) -> None:
    _column(patch, lambda ratio, low, high: ratio > low)


@bug("odds-rounded-to-nearest", "A ratio between two columns counts as the nearer one.", COMBAT, likely="attacks-are-right")
def _(patch: Patch, parts: Parts) -> None:
    _column(patch, lambda ratio, low, high: high - ratio < ratio - low)


def _worked_out(patch: Patch, change: Callable[[Strengths, tuple[Shift, ...]], tuple[Strengths, tuple[Shift, ...]]]) -> None:
    def work(original: Any, table: CombatTable, strengths: Strengths, shifts: tuple[Shift, ...], **named: Any) -> Odds:
        found: Odds = original(table, *change(strengths, shifts), **named)
        return found

    patch.everywhere(work_out, work)


@bug("fractions-dropped-each", "Fractions are dropped unit by unit, and not once for the sum.", COMBAT, RIVERS,
     likely=("attacks-are-right", "staged-games-agree"))  # fmt: skip
def _(patch: Patch, parts: Parts) -> None:
    def whole(units: tuple[Strength, ...]) -> tuple[Strength, ...]:
        return tuple(replace(unit, counted=Fraction(int(unit.counted))) for unit in units)

    _worked_out(patch, lambda strengths, shifts: ((whole(strengths[0]), whole(strengths[1])), shifts))


@bug("fractions-rounded-up", "Fractions of the attackers are rounded up.", COMBAT, RIVERS, likely="attacks-are-right")
def _(patch: Patch, parts: Parts) -> None:
    def more(strengths: Strengths, shifts: tuple[Shift, ...]) -> tuple[Strengths, tuple[Shift, ...]]:
        first, *rest = strengths[0]
        missing = -sum((unit.counted for unit in strengths[0]), Fraction()) % 1
        return ((replace(first, counted=first.counted + missing), *rest), strengths[1]), shifts

    _worked_out(patch, more)


@bug("shifts-skipped", "Columns are not shifted.", COMBAT, SHIFTS, likely="attacks-are-right")
def _(patch: Patch, parts: Parts) -> None:
    _worked_out(patch, lambda strengths, shifts: (strengths, ()))


@bug("shifts-doubled", "Every shift counts twice.", COMBAT, SHIFTS, likely="attacks-are-right")
def _(patch: Patch, parts: Parts) -> None:
    _worked_out(patch, lambda strengths, shifts: (strengths, shifts + shifts))


@bug("shifts-reversed", "Columns are shifted the wrong way.", COMBAT, SHIFTS, likely="attacks-are-right")
def _(patch: Patch, parts: Parts) -> None:
    _worked_out(patch, lambda strengths, shifts: (strengths, tuple(replace(one, columns=-one.columns) for one in shifts)))


@bug(
    "only-one-shift",
    "Of several shifts only the first counts.",
    COMBAT,
    TWO_SHIFTS,
    likely=("attacks-are-right", "staged-games-agree"),
)
def _(patch: Patch, parts: Parts) -> None:
    _worked_out(patch, lambda strengths, shifts: (strengths, shifts[:1]))


@bug("shifts-stop-at-the-first-column", "A shift below the first column leaves the attack in the first.", COMBAT, SHIFTS,
     likely=("attacks-are-right", "staged-games-agree"))  # fmt: skip
def _(patch: Patch, parts: Parts) -> None:
    def work(original: Any, table: CombatTable, strengths: Strengths, shifts: tuple[Shift, ...], **named: Any) -> Odds:
        found: Odds = original(table, strengths, shifts, **named)
        if found.base is None or found.column is not None:
            return found
        return replace(found, column=0, name=table.columns[0], distribution=table.distribution(0))

    patch.everywhere(work_out, work)


# -- the table -------------------------------------------------------------------------------------------------------------


@bug("table-read-in-the-next-column", "The result is looked up in the column beside.", COMBAT, TABLE, likely="attacks-are-right")
def _(patch: Patch, parts: Parts) -> None:
    def weighed(original: Any, at: Any, battle: Any) -> Any:
        battle, now, reason = original(at, battle)
        if now is not None and now.column is not None:
            now = replace(now, column=min(now.column + 1, len(at.world.table.columns) - 1))
        return battle, now, reason

    patch.everywhere(weigh, weighed)


@bug("die-misread", "The die shows one number, and the row of the next is read.", COMBAT, TABLE, likely="attacks-are-right")
def _(patch: Patch, parts: Parts) -> None:
    def roll(original: Any, self: Play, purpose: str, *, clause: str, dice: int = 1, sides: int = 6) -> int:
        rolled: int = original(self, purpose, clause=clause, dice=dice, sides=sides)
        return min(rolled + 1, dice * sides)

    patch.wrap(Play, "roll", roll)


@bug("attack-into-closed-hexes", "Units attack hexes into which they could not step.", COMBAT, ONE_BY_ONE, CLOSED_SIDES,
     likely=("attacks-are-right", "staged-games-agree"))  # fmt: skip
def _(patch: Patch, parts: Parts) -> None:
    patch.set(hexwar.mechanics.combat, "CLOSED", -1)
    patch.wrap(hexwar.mechanics.combat, "can_step", lambda original, at, unit, origin, target: True)


def _segment(patch: Patch, kept: str) -> None:
    """What the segment should note after an attack is left as it was."""

    def exchange(original: Any, self: Play, step: Any) -> None:
        top = self.state.stack[-1]
        if isinstance(step, Attacking) and isinstance(top, Attacking):
            step = replace(step, **{kept: getattr(top, kept)})
        original(self, step)

    patch.wrap(Play, "replace", exchange)


@bug("units-attack-again", "A unit that has attacked may attack another hex.", COMBAT, ONE_BY_ONE,
     likely=("attacks-are-right", "staged-games-agree"))  # fmt: skip
def _(patch: Patch, parts: Parts) -> None:
    _segment(patch, "units")


@bug("hexes-attacked-again", "A hex that was attacked may be attacked again.", COMBAT, ONE_BY_ONE, likely="attacks-are-right")
def _(patch: Patch, parts: Parts) -> None:
    _segment(patch, "done")


# -- losses ----------------------------------------------------------------------------------------------------------------


def converted(patch: Patch, parts: Parts, change: Callable[[Outcome], Outcome]) -> None:
    """Results of the table mean something else."""

    def convert(original: Any, self: CombatWorld, at: Any, battle: Any, outcome: Outcome) -> tuple[Outcome, str]:
        found, rule = original(self, at, battle, outcome)
        return change(found), rule

    patch.wrap(parts.world_type, "convert", convert)


@bug("losses-to-the-wrong-side", "Attacker and defender bear each other's losses.", COMBAT, TABLE, likely="losses-are-right")
def _(patch: Patch, parts: Parts) -> None:
    converted(patch, parts, lambda found: replace(found, attacker=found.defender, defender=found.attacker))


@bug("attackers-lose-nothing", "Attackers lose no steps.", COMBAT, TABLE, likely="losses-are-right")
def _(patch: Patch, parts: Parts) -> None:
    converted(patch, parts, lambda found: replace(found, attacker=0))


@bug("losses-doubled", "Where a unit loses one step it loses two.", COMBAT, likely=("losses-are-right", "supply-is-right"))
def _(patch: Patch, parts: Parts) -> None:
    def lose(original: Any, play: Play, unit: str, topic: str) -> None:
        original(play, unit, topic)
        if play.state.at.get(unit) in play.world.board:
            original(play, unit, topic)

    patch.everywhere(lose_step, lose)


@bug(
    "last-step-is-never-lost", "A unit with one step left loses nothing.", COMBAT, likely=("losses-are-right", "supply-is-right")
)
def _(patch: Patch, parts: Parts) -> None:
    def lose(original: Any, play: Play, unit: str, topic: str) -> None:
        if play.state.steps[unit] > 1:
            original(play, unit, topic)

    patch.everywhere(lose_step, lose)


@bug("losses-chosen-by-the-enemy", "The enemy chooses which units lose steps.", COMBAT, TABLE,
     likely=("losses-are-right", "staged-games-agree"))  # fmt: skip
def _(patch: Patch, parts: Parts) -> None:
    def push(original: Any, self: Play, step: Any) -> None:
        if isinstance(step, Losing):
            step = replace(step, seat=next(seat for seat in self.world.seats if seat != step.seat))
        original(self, step)

    patch.wrap(Play, "push", push)


@bug("the-dead-return", "An eliminated unit is put where it began, with one step.", HEXES, GONE, likely="pieces-are-conserved")
def _(patch: Patch, parts: Parts) -> None:
    def apply(original: Any, self: UnitEliminated, state: HexState) -> None:
        unit = state.layout.ground.units[self.unit]
        if self.to or not unit.start:
            original(self, state)
        else:
            state.put(self.unit, unit.start)
            state.steps = {**state.steps, self.unit: 1}

    patch.wrap(UnitEliminated, "apply", apply)
