"""The combat table: columns, shifts and exact probabilities."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexwar.errors import ContentError
from hexwar.mechanics import TableCombat
from hexwar.pieces import CombatTable, Outcome, Shift, Strength
from hexwar.pieces._odds import work_out
from tests.mechanics.samples import TABLE, TextFile

points = st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1)]) | st.integers(0, 120).map(lambda halves: Fraction(halves, 2))
ratios = st.lists(st.fractions(min_value=Fraction(1, 4), max_value=12, max_denominator=4), min_size=1, max_size=8, unique=True)


@st.composite
def tables(draw: st.DrawFn) -> CombatTable:
    """Any columns, any die, results A to E."""
    columns = sorted(draw(ratios))
    sides = draw(st.integers(1, 12))
    row = st.lists(st.sampled_from("ABCDE"), min_size=len(columns), max_size=len(columns))
    rows = {roll: tuple(map(Outcome, draw(row))) for roll in range(1, sides + 1)}
    return CombatTable({str(ratio): ratio for ratio in columns}, rows)


@given(tables(), points, points)
def test_a_column_is_the_last_whose_ratio_is_reached(table: CombatTable, attack: Fraction, defence: Fraction) -> None:
    column = table.column(attack, defence)
    if attack == 0:
        assert column is None
    elif defence == 0:
        assert column == len(table.columns) - 1
    elif column is None:
        assert attack < defence * table.ratios[0]
    else:
        assert attack >= defence * table.ratios[column]
        assert column == len(table.columns) - 1 or attack < defence * table.ratios[column + 1]


@given(tables(), points, points, points)
def test_more_attackers_never_make_it_worse_nor_more_defenders_better(
    table: CombatTable, attack: Fraction, defence: Fraction, more: Fraction
) -> None:
    def rank(a: Fraction, d: Fraction) -> int:
        column = table.column(a, d)
        return -1 if column is None else column

    assert rank(attack + more, defence) >= rank(attack, defence) >= rank(attack, defence + more)


@given(tables(), st.data())
def test_the_probabilities_are_exact_and_add_up(table: CombatTable, data: st.DataObject) -> None:
    column = data.draw(st.integers(0, len(table.columns) - 1))
    shares = table.distribution(column)
    assert sum(shares.values()) == 1
    for name, share in shares.items():
        assert share == Fraction(sum(row[column].name == name for row in table.rows.values()), len(table.rows))


strengths = st.lists(points, min_size=1, max_size=3).map(
    lambda counted: tuple(Strength(f"unit {number}", 9, value) for number, value in enumerate(counted))
)
shifts = st.lists(st.integers(-3, 3), max_size=3).map(lambda columns: tuple(Shift(column, "why", "1.1") for column in columns))


def points_of(*sides: tuple[Strength, ...]) -> tuple[int, int]:
    """Whole points, as combat adds them up."""
    attack, defence = (TableCombat(None).points(None, side) for side in sides)  # type: ignore[arg-type]
    return attack, defence


@given(tables(), strengths, strengths, shifts)
def test_fractions_are_dropped_once_and_shifts_start_from_the_capped_column(
    table: CombatTable, attackers: tuple[Strength, ...], defenders: tuple[Strength, ...], moved: tuple[Shift, ...]
) -> None:
    odds = work_out(table, points_of(attackers, defenders), (attackers, defenders), moved)
    attack, defence = sum(unit.counted for unit in attackers), sum(unit.counted for unit in defenders)
    assert odds.attack <= attack < odds.attack + 1
    assert odds.defence <= defence < odds.defence + 1
    assert odds.base == table.column(Fraction(odds.attack), Fraction(odds.defence))
    if odds.base is None:
        assert odds.column is None
    else:
        shifted = min(odds.base + sum(shift.columns for shift in moved), len(table.columns) - 1)
        assert odds.column == (shifted if shifted >= 0 else None)
    if odds.column is None:
        assert (odds.name, odds.distribution) == ("no attack", {})
    else:
        assert odds.name == table.columns[odds.column]
        assert odds.distribution == table.distribution(odds.column)


@given(tables(), strengths, strengths, shifts, shifts)
def test_support_counts_only_where_there_can_be_an_attack(
    table: CombatTable,
    attackers: tuple[Strength, ...],
    defenders: tuple[Strength, ...],
    moved: tuple[Shift, ...],
    support: tuple[Shift, ...],
) -> None:
    without = work_out(table, points_of(attackers, defenders), (attackers, defenders), moved)
    odds = work_out(table, points_of(attackers, defenders), (attackers, defenders), moved, support)
    if without.column is None:
        assert odds.column is None
    else:
        wanted = without.column + sum(shift.columns for shift in support)
        assert odds.column == max(0, min(wanted, len(table.columns) - 1))
    assert odds.shifts == moved + support


LOW = """
columns = ["1:4", "1:3", "1:2", "1:1", "2:1"]
below = "first column"
rows.1 = ["A2", "A2", "A1", "D1", "D2"]
rows.2 = ["A2", "A1", "A1", "AR", "D1"]
results.A2 = { attacker = 2 }
results.A1 = { attacker = 1 }
results.AR = { repulse = 2 }
results.D1 = { defender = 1, retreat = 1 }
results.D2 = { defender = 2, retreat = 2 }
"""


@pytest.mark.parametrize(
    ("attack", "defence", "attackers", "defenders", "base", "name"),
    [
        (1, 9, 0, 0, 0, "1:4"),
        (1, 9, 2, 0, 0, "1:2"),
        (1, 9, -3, 1, 0, "1:3"),
        (5, 1, 3, -1, 4, "1:1"),
        (1, 1, 9, -9, 3, "1:4"),
        (0, 1, 9, 0, None, "no attack"),
    ],
)
def test_a_table_that_begins_below_even_odds_and_is_capped_at_both_ends(
    attack: int, defence: int, attackers: int, defenders: int, base: int | None, name: str
) -> None:
    """The attacker's shifts are capped before the defender's count."""
    table = CombatTable.load(TextFile(LOW))
    shifts = Shift(attackers, "the attacker's", "1"), Shift(defenders, "the defender's", "2")
    odds = work_out(table, (attack, defence), ((), ()), shifts[:1], shifts[1:])
    assert (odds.base, odds.name) == (base, name)
    assert table.rows[2][3].repulse == 2


def test_without_a_cap_there_is_no_attack_below_the_first_column() -> None:
    table = CombatTable.load(TextFile(LOW.replace('below = "first column"', "")))
    assert (table.column(1, 9), table.column(1, 4)) == (None, 0)
    assert work_out(table, (1, 4), ((), ()), (Shift(-1, "wood", "1"),)).name == "no attack"


@pytest.mark.parametrize(
    ("attack", "defence", "column"),
    [
        (1, 3, None),
        (1, 2, "1:2"),
        (2, 2, "1:1"),
        (5, 4, "1:1"),
        (6, 4, "3:2"),
        (8, 4, "2:1"),
        (99, 1, "2:1"),
        (1, 0, "2:1"),
        (0, 0, None),
    ],
)
def test_columns_by_example(attack: int, defence: int, column: str | None) -> None:
    found = TABLE.column(Fraction(attack), Fraction(defence))
    assert (None if found is None else TABLE.columns[found]) == column


ORDER = "columns: must be different and ascend from the worst odds to the best"
GOOD = """
columns = ["1:2", "1:1", "1.5:1"]
[rows]
1 = ["A", "A", "D"]
2 = ["A", "D", "D"]
[results]
A = { attacker = 1 }
D = { defender = 1, retreat = 2 }
"""


def test_a_table_is_read() -> None:
    table = CombatTable.load(TextFile(GOOD))
    assert table.columns == ("1:2", "1:1", "1.5:1")
    assert table.ratios == (Fraction(1, 2), Fraction(1), Fraction(3, 2))
    assert table.rows[1] == (Outcome("A", 1), Outcome("A", 1), Outcome("D", 0, 1, 2))


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('["1:2", "1:1", "1.5:1"]', '["1:1", "1:2", "1.5:1"]', ORDER),
        ('["1:2", "1:1", "1.5:1"]', '["1:2", "1:1", "1:1"]', ORDER),
        ('["1:2", "1:1", "1.5:1"]', '["1:2", "2:2", "1:1"]', ORDER),
        ('"1:2"', '"1:0"', r"columns.0: string should match pattern '^\d{1,3}(\.\d)?:[1-9]\d{0,2}$'"),
        ('"1:2"', '"one"', r"columns.0: string should match pattern '^\d{1,3}(\.\d)?:[1-9]\d{0,2}$'"),
        ('["1:2", "1:1", "1.5:1"]', "[]", "columns: list should have at least 1 item after validation, not 0"),
        ('1 = ["A", "A", "D"]\n', "", "rows: must be every roll of one die from 1 to 2, not [2]"),
        ("2 = [", "4 = [", "rows: must be every roll of one die from 1 to 4, not [1, 4]"),
        ("2 = [", "02 = [", r"rows.02.[key]: string should match pattern '^[1-9]\d?$'"),
        ('["A", "A", "D"]', '["A", "D"]', "row 1: has 2 results for 3 columns"),
        ('["A", "A", "D"]', '["A", "B", "D"]', "row 1: result 'B' is not one of A, D"),
        ("attacker = 1", "attacker = 10", "results.A.attacker: input should be less than or equal to 9"),
        ("attacker = 1", "atacker = 1", "results.A.atacker: extra inputs are not permitted"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_table_is_named(old: str, new: str, sentence: str) -> None:
    with pytest.raises(ContentError) as caught:
        CombatTable.load(TextFile(GOOD.replace(old, new, 1), "combat.toml"))
    assert str(caught.value) == f"combat.toml: {sentence}"


def test_a_table_without_rows_is_a_mistake() -> None:
    with pytest.raises(ContentError, match=r"rows: dictionary should have at least 1 item"):
        CombatTable.load(TextFile('columns = ["1:1"]\nrows = {}\nresults = {}'))
