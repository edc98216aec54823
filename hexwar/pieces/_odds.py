"""Odds: strength ratios, columns, shifts and the combat results table, with the reason for every number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

from hexwar.engine import record
from hexwar.errors import ContentError
from hexwar.files import TextSource
from hexwar.pieces._content import CombatFile, load_content


@record
class Shift:
    """A column shift; left (negative) is good for the defender."""

    columns: int
    reason: str
    clause: str


@record
class Outcome:
    """What a result of the table means.

    Args:
        name: as the table prints it.
        attacker: steps that the attacker loses.
        defender: steps that the defender loses.
        retreat: hexes that the defender retreats.
        repulse: hexes that the attacker retreats, in games in which that can happen.
    """

    name: str
    attacker: int = 0
    defender: int = 0
    retreat: int = 0
    repulse: int = 0

    def __str__(self) -> str:
        losses = [f"the attacker loses {_steps(self.attacker)}"] if self.attacker else []
        losses += [_steps(self.defender)] if self.defender else []
        losses += [f"the attacker retreats by {self.repulse}"] if self.repulse else []
        if self.retreat or not self.repulse:
            losses.append(f"retreat of {self.retreat}" if self.retreat else "no retreat")
        return ", ".join(losses)


def _steps(number: int) -> str:
    return f"{number} step{'' if number == 1 else 's'}"


class CombatTable:
    """A combat results table: columns of odds, rows of die rolls.

    Args:
        columns: the ratio at which each column begins, ascending.
        rows: roll of one die -> the outcome in each column; there are as many as the die has sides.
        capped: whether worse odds than those of the first column count as that column, and do not forbid an attack.
    """

    def __init__(self, columns: Mapping[str, Fraction], rows: Mapping[int, tuple[Outcome, ...]], *, capped: bool = False) -> None:
        self.capped = capped
        self.columns = tuple(columns)
        self.ratios = tuple(columns.values())
        self.rows = rows
        self._steps = tuple((ratio.numerator, ratio.denominator) for ratio in self.ratios)
        counted = [Counter(row[column].name for row in rows.values()) for column in range(len(self.columns))]
        self._results = [tuple(rows[roll][column] for roll in sorted(rows)) for column in range(len(self.columns))]
        self._distributions = [{name: Fraction(count, len(rows)) for name, count in found.items()} for found in counted]

    @classmethod
    def load(cls, file: TextSource) -> CombatTable:
        """Read a table from TOML.

        Raises:
            ContentError: naming the row or column and the mistake.
        """
        content = load_content(file, CombatFile)
        outcomes = {name: Outcome(name, **entry.model_dump()) for name, entry in content.results.items()}
        ratios = [_ratio(column) for column in content.columns]
        if ratios != sorted(set(ratios)):
            raise ContentError(file.name, "columns", "must be different and ascend from the worst odds to the best")
        columns = dict(zip(content.columns, ratios, strict=True))
        rolls = sorted(int(roll) for roll in content.rows)
        if rolls != list(range(1, len(rolls) + 1)):
            raise ContentError(file.name, "rows", f"must be every roll of one die from 1 to {rolls[-1]}, not {rolls}")
        rows: dict[int, tuple[Outcome, ...]] = {}
        for roll in rolls:
            row = content.rows[str(roll)]
            if len(row) != len(columns):
                raise ContentError(file.name, f"row {roll}", f"has {len(row)} results for {len(columns)} columns")
            for name in row:
                if name not in outcomes:
                    raise ContentError(file.name, f"row {roll}", f"result {name!r} is not one of {', '.join(outcomes)}")
            rows[roll] = tuple(outcomes[name] for name in row)
        return cls(columns, rows, capped=content.below == "first column")

    def column(self, attack: Fraction | int, defence: Fraction | int) -> int | None:
        """The column of a ratio, rounded in the defender's favour and capped at the last; None if there can be no attack.

        A defence of nothing is the last column; an attack of nothing is impossible. Below the first column there is no attack,
        unless the table is capped there.
        """
        if attack <= 0:
            return None
        if defence <= 0:
            return len(self.ratios) - 1
        fitting = sum(attack * per >= defence * begins for begins, per in self._steps)
        return self.shifted(fitting - 1, 0)

    def shifted(self, column: int, by: int) -> int | None:
        """A column after shifts: it stays on the table, but for one below the first of a table that is not capped there."""
        column = min(column + by, len(self.ratios) - 1)
        return column if column >= 0 else 0 if self.capped else None

    def results(self, column: int) -> tuple[Outcome, ...]:
        """The results in a column, row by row."""
        return self._results[column]

    def distribution(self, column: int) -> dict[str, Fraction]:
        """The exact probability of each result in a column, for one roll of the table's die."""
        return dict(self._distributions[column])


def _ratio(text: str) -> Fraction:
    attack, defence = text.split(":")
    return Fraction(attack) / Fraction(defence)


@record
class Strength:
    """What one unit contributes to a battle, and why."""

    unit: str
    printed: int
    counted: Fraction
    reasons: tuple[tuple[str, str], ...] = ()
    """(what happened to it, clause)."""

    def changed(self, counted: Fraction, reason: str, clause: str) -> Strength:
        """The same unit with another strength, and why."""
        return replace(self, counted=counted, reasons=(*self.reasons, (reason, clause)))


def together(strengths: Iterable[Strength]) -> int:
    """What units contribute together, in whole points: fractions are dropped once."""
    counted = [strength.counted for strength in strengths]
    whole = sum([points.numerator for points in counted if points.denominator == 1])  # as most are, and quick to add
    return int(sum([points for points in counted if points.denominator > 1], Fraction(whole)))


@record
class Odds:
    """A battle before the die is rolled: what a player sees who asks, and exactly what is then resolved.

    Args:
        attack: attackers' strength in whole points.
        defence: defenders' strength in whole points.
        strengths: what each unit contributes.
        shifts: everything that shifts the column.
        base: the column before shifts, None if the ratio is too low.
        column: the column after shifts, None if there can be no attack; in games without columns what counts instead.
        name: that column's odds.
        distribution: the probability of each result.
        scale: what the name is one of: a column of a table, or a sum.
        results: the possible results, each as likely as any other; empty if there can be no attack.
    """

    attack: int
    defence: int
    strengths: tuple[Strength, ...]
    shifts: tuple[Shift, ...]
    base: int | None
    column: int | None
    name: str
    distribution: dict[str, Fraction]
    scale: str = "column"
    results: tuple[Outcome, ...] = ()


def work_out(
    table: CombatTable,
    points: tuple[int, int],
    strengths: tuple[tuple[Strength, ...], tuple[Strength, ...]],
    shifts: tuple[Shift, ...],
    support: tuple[Shift, ...] = (),
) -> Odds:
    """The odds of a battle on a table: find the column, shift it.

    Both groups are capped one after the other: at the last column, and at the first where there can be an attack at all.

    Args:
        table: the combat table.
        points: the strength of attackers and defenders.
        strengths: what each of them contributes.
        shifts: what shifts the column first, such as what is the attacker's.
        support: what shifts it once it is plain that there can be an attack, such as what is the defender's.
    """
    attack, defence = points
    base = table.column(attack, defence)
    column = None if base is None else table.shifted(base, sum(shift.columns for shift in shifts))
    if column is not None:
        column = max(0, min(column + sum(shift.columns for shift in support), len(table.columns) - 1))
    return Odds(
        attack,
        defence,
        strengths[0] + strengths[1],
        shifts + support,
        base,
        column,
        "no attack" if column is None else table.columns[column],
        {} if column is None else table.distribution(column),
        results=() if column is None else table.results(column),
    )
