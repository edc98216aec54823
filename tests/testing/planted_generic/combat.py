"""Bugs of combat: odds, table and losses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import hexwar.mechanics._battle
from hexwar.engine import Play
from hexwar.mechanics import Attacking, CombatWorld, HexState, Reaches, TableCombat
from hexwar.mechanics._combat import Fighting
from hexwar.pieces import CombatTable, Losing, Odds, Outcome, Shift, Strength, UnitEliminated, face
from hexwar.pieces._odds import work_out
from hexwar.pieces._pieces import lose_step
from hexwar.testing import Patch
from tests.testing.planted_generic.catalogue import GONE, HEXES, Condition, Parts, Plant, bug, everywhere, in_part, wrapping

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


def _defence_by_attack(original: Any, self: TableCombat, at: Any, battle: Any, unit: str) -> Strength:
    found: Strength = original(self, at, battle, unit)
    if unit in battle.attackers:
        return found
    printed = face(at, unit).attack
    return replace(found, printed=printed, counted=Fraction(printed))


def _column(goes_up: Callable[[Fraction, Fraction, Fraction], bool]) -> Plant:
    """A ratio between two columns goes up to the next one if somebody says so."""

    def column(original: Any, self: CombatTable, attack: Any, defence: Any) -> int | None:
        found: int | None = original(self, attack, defence)
        if found is None or defence <= 0 or found + 1 == len(self.ratios):
            return found
        ratio = Fraction(attack) / Fraction(defence)
        return found + 1 if goes_up(ratio, self.ratios[found], self.ratios[found + 1]) else found

    return wrapping(CombatTable, "column", column)


def _worked_out(change: Callable[[Strengths, tuple[Shift, ...]], tuple[Strengths, tuple[Shift, ...]]]) -> Plant:
    def work(
        original: Any, table: CombatTable, points: Any, strengths: Strengths, shifts: tuple[Shift, ...], support: Any
    ) -> Any:
        changed, moved = change(strengths, shifts)
        if changed != strengths:
            points = tuple(int(sum(unit.counted for unit in side)) for side in changed)
        return original(table, points, changed, moved, support)

    return everywhere(work_out, work)


def _fractions_dropped_each(units: tuple[Strength, ...]) -> tuple[Strength, ...]:
    return tuple(replace(unit, counted=Fraction(int(unit.counted))) for unit in units)


def _fractions_rounded_up(strengths: Strengths, shifts: tuple[Shift, ...]) -> tuple[Strengths, tuple[Shift, ...]]:
    first, *rest = strengths[0]
    missing = -sum((unit.counted for unit in strengths[0]), Fraction()) % 1
    return ((replace(first, counted=first.counted + missing), *rest), strengths[1]), shifts


def _shifts_stop_at_the_first_column(original: Any, table: CombatTable, *given: Any) -> Odds:
    found: Odds = original(table, *given)
    if found.base is None or found.column is not None:
        return found
    return replace(found, column=0, name=table.columns[0], distribution=table.distribution(0), results=table.results(0))


def _table_read_in_the_next_column(original: Any, self: TableCombat, play: Play, battle: Any, odds: Odds) -> Any:
    table = self.world.table
    column = min((odds.column or 0) + 1, len(table.columns) - 1)
    return original(self, play, battle, replace(odds, column=column, results=table.results(column)))


def _die_misread(original: Any, self: Play, purpose: str, *, clause: str, dice: int = 1, sides: int = 6) -> Any:
    return min(original(self, purpose, clause=clause, dice=dice, sides=sides) + 1, dice * sides)


def _attack_into_closed_hexes(patch: Patch, parts: Parts) -> None:
    patch.set(hexwar.mechanics._battle, "CLOSED", -1)
    patch.wrap(Reaches, "can_step", lambda original, self, at, unit, origin, target: True)


def _segment(kept: str) -> Plant:
    """What the segment should note after an attack is left as it was."""

    def exchange(original: Any, self: Play, step: Any) -> None:
        top = self.state.stack[-1]
        if isinstance(step, Attacking) and isinstance(top, Attacking):
            step = replace(step, **{kept: getattr(top, kept)})
        original(self, step)

    return wrapping(Play, "replace", exchange)


def converted(change: Callable[[Outcome], Outcome]) -> Plant:
    """Results of the table mean something else."""

    def convert(original: Any, self: TableCombat, at: Any, battle: Any, outcome: Outcome) -> tuple[Outcome, str]:
        found, rule = original(self, at, battle, outcome)
        return change(found), rule

    return in_part("combat", "convert", convert)


def _losses_doubled(original: Any, play: Play, unit: str, topic: str) -> None:
    original(play, unit, topic)
    if play.state.locations.get(unit) in play.world.board:
        original(play, unit, topic)


def _last_step_is_never_lost(original: Any, play: Play, unit: str, topic: str) -> None:
    if play.state.steps_left[unit] > 1:
        original(play, unit, topic)


def _losses_chosen_by_the_enemy(original: Any, self: Play, step: Any) -> None:
    if isinstance(step, Losing):
        step = replace(step, seat=next(seat for seat in self.world.seats if seat != step.seat))
    original(self, step)


def _the_dead_return(original: Any, self: UnitEliminated, state: HexState) -> None:
    unit = state.layout.basis.units[self.unit]
    if self.to or not unit.start:
        original(self, state)
    else:
        state.put(self.unit, unit.start)
        state.steps_left = {**state.steps_left, self.unit: 1}


BUGS = (
    # -- odds
    bug(
        "rivers-do-not-halve",
        "Attackers across a river count in full.",
        in_part("combat", "halved", lambda original, self, at, battle, unit: False),
        COMBAT,
        RIVERS,
        likely="attacks-are-right",
    ),
    bug(
        "defence-by-attack",
        "Defenders count with their attack strength.",
        in_part("combat", "strength", _defence_by_attack),
        COMBAT,
        likely=("attacks-are-right", "staged-games-agree"),
    ),
    bug(
        "one-defender-counts",
        "Of several defenders only one counts.",
        _worked_out(lambda strengths, shifts: ((strengths[0], strengths[1][:1]), shifts)),
        COMBAT,
        likely=("attacks-are-right", "staged-games-agree"),
    ),
    bug(
        "odds-rounded-up",
        "A ratio between two columns counts as the better one.",
        _column(lambda ratio, low, high: ratio > low),
        COMBAT,
        likely="attacks-are-right",
    ),
    bug(
        "odds-rounded-to-nearest",
        "A ratio between two columns counts as the nearer one.",
        _column(lambda ratio, low, high: high - ratio < ratio - low),
        COMBAT,
        likely="attacks-are-right",
    ),
    bug(
        "fractions-dropped-each",
        "Fractions are dropped unit by unit, and not once for the sum.",
        _worked_out(
            lambda strengths, shifts: ((_fractions_dropped_each(strengths[0]), _fractions_dropped_each(strengths[1])), shifts)
        ),
        COMBAT,
        RIVERS,
        likely=("attacks-are-right", "staged-games-agree"),
    ),
    bug(
        "fractions-rounded-up",
        "Fractions of the attackers are rounded up.",
        _worked_out(_fractions_rounded_up),
        COMBAT,
        RIVERS,
        likely="attacks-are-right",
    ),
    bug(
        "shifts-skipped",
        "Columns are not shifted.",
        _worked_out(lambda strengths, shifts: (strengths, ())),
        COMBAT,
        SHIFTS,
        likely="attacks-are-right",
    ),
    bug(
        "shifts-doubled",
        "Every shift counts twice.",
        _worked_out(lambda strengths, shifts: (strengths, shifts + shifts)),
        COMBAT,
        SHIFTS,
        likely="attacks-are-right",
    ),
    bug(
        "shifts-reversed",
        "Columns are shifted the wrong way.",
        _worked_out(lambda strengths, shifts: (strengths, tuple(replace(one, columns=-one.columns) for one in shifts))),
        COMBAT,
        SHIFTS,
        likely="attacks-are-right",
    ),
    bug(
        "only-one-shift",
        "Of several shifts only the first counts.",
        _worked_out(lambda strengths, shifts: (strengths, shifts[:1])),
        COMBAT,
        TWO_SHIFTS,
        likely=("attacks-are-right", "staged-games-agree"),
    ),
    bug(
        "shifts-stop-at-the-first-column",
        "A shift below the first column leaves the attack in the first.",
        everywhere(work_out, _shifts_stop_at_the_first_column),
        COMBAT,
        SHIFTS,
        likely=("attacks-are-right", "staged-games-agree"),
    ),
    # -- the table
    bug(
        "table-read-in-the-next-column",
        "The result is looked up in the column beside.",
        in_part("combat", "resolve", _table_read_in_the_next_column),
        COMBAT,
        TABLE,
        likely="attacks-are-right",
    ),
    bug(
        "die-misread",
        "The die shows one number, and the row of the next is read.",
        wrapping(Play, "roll", _die_misread),
        COMBAT,
        TABLE,
        likely="attacks-are-right",
    ),
    bug(
        "attack-into-closed-hexes",
        "Units attack hexes into which they could not step.",
        _attack_into_closed_hexes,
        COMBAT,
        ONE_BY_ONE,
        CLOSED_SIDES,
        likely=("attacks-are-right", "staged-games-agree"),
    ),
    bug(
        "units-attack-again",
        "A unit that has attacked may attack another hex.",
        _segment("units"),
        COMBAT,
        ONE_BY_ONE,
        likely=("attacks-are-right", "staged-games-agree"),
    ),
    bug(
        "hexes-attacked-again",
        "A hex that was attacked may be attacked again.",
        _segment("done"),
        COMBAT,
        ONE_BY_ONE,
        likely="attacks-are-right",
    ),
    bug(
        "losses-to-the-wrong-side",
        "Attacker and defender bear each other's losses.",
        converted(lambda found: replace(found, attacker=found.defender, defender=found.attacker)),
        COMBAT,
        TABLE,
        likely="losses-are-right",
    ),
    bug(
        "attackers-lose-nothing",
        "Attackers lose no steps.",
        converted(lambda found: replace(found, attacker=0)),
        COMBAT,
        TABLE,
        likely="losses-are-right",
    ),
    bug(
        "losses-doubled",
        "Where a unit loses one step it loses two.",
        everywhere(lose_step, _losses_doubled),
        COMBAT,
        likely=("losses-are-right", "supply-is-right"),
    ),
    bug(
        "last-step-is-never-lost",
        "A unit with one step left loses nothing.",
        everywhere(lose_step, _last_step_is_never_lost),
        COMBAT,
        likely=("losses-are-right", "supply-is-right"),
    ),
    bug(
        "losses-chosen-by-the-enemy",
        "The enemy chooses which units lose steps.",
        wrapping(Play, "push", _losses_chosen_by_the_enemy),
        COMBAT,
        TABLE,
        likely=("losses-are-right", "staged-games-agree"),
    ),
    bug(
        "the-dead-return",
        "An eliminated unit is put where it began, with one step.",
        wrapping(UnitEliminated, "apply", _the_dead_return),
        HEXES,
        GONE,
        likely="pieces-are-conserved",
    ),
)
