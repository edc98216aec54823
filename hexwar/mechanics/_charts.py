"""Charts to look things up in, made from the tables by which a game is played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hexwar.board import ALL, CLOSED, Board
from hexwar.engine import Chart
from hexwar.mechanics._chart import TerrainChart
from hexwar.pieces import CombatTable

if TYPE_CHECKING:
    from hexwar.mechanics._world import HexWorld

WORDS = {CLOSED: "no", ALL: "all"}
"""What is printed for what is no number of points."""
NOTES = (
    "Numbers are movement points; those with + are added for crossing a hexside.",
    "Combat: columns; \u00bd: attackers are halved.",
)
"""What stands below a terrain effects chart."""


def combat_chart_of(world: HexWorld) -> Chart | None:
    """The combat table of a game with what its results mean; None if battles are not resolved on one with columns."""
    table = getattr(world, "table", None)
    if not isinstance(table, CombatTable) or not table.columns:
        return None
    outcomes = {outcome.name: outcome for row in table.rows.values() for outcome in row}
    rows = tuple((str(roll), *(outcome.name for outcome in row)) for roll, row in sorted(table.rows.items()))
    notes = tuple(f"{name}: {outcome}" for name, outcome in sorted(outcomes.items()))
    return Chart("Combat", ("die", *table.columns), rows, notes, world.cite.get("combat.table", ""))


def terrain_chart(chart: TerrainChart, board: Board, clause: str = "") -> Chart:
    """A terrain effects chart, as far as there is such ground on a board: movement points by arm, and columns in combat.

    Args:
        chart: the chart.
        board: the board.
        clause: the rule that has it.
    """
    arms = chart.arms
    kinds = {place.kind for place in board.places}
    sides = {feature for features in board.content.sides.values() for feature in features}
    grounds = dict.fromkeys([*(board.terrain(label) for label in board.labels), *sorted(kinds & {*chart.shifts, *chart.flat})])

    def row(name: str, prices: Mapping[str, int | None], sign: str = "") -> tuple[str, ...]:
        shift = chart.shifts.get(name)
        fights = f"{shift:+d}".replace("-", "\u2212") if shift else "\u00bd" if name in chart.halved_across else ""
        return (_spaced(name), *(_points(prices[arm], sign) for arm in arms), fights)

    def entering(name: str) -> dict[str, int | None]:
        return {arm: chart.flat.get(name, costs.terrain.get(name)) for arm, costs in arms.items()}

    rows = [row(name, entering(name)) for name in grounds]
    rows += [row(name, {arm: costs.sides.get(name) for arm, costs in arms.items()}, "+") for name in sorted(sides)]
    rows += [row(name, {arm: costs.links.get(name) for arm, costs in arms.items()}) for name in sorted(board.link_kinds)]
    shown = tuple(cells for cells in rows if any(cells[1:]))
    headers = ("", *map(_spaced, arms), "combat")
    return Chart("Terrain", headers, shown, NOTES, clause)


def _points(price: int | None, sign: str) -> str:
    if price is None:
        return ""
    return WORDS.get(price) or f"{sign if price else ''}{price / 2:g}"


def _spaced(name: str) -> str:
    return name.replace("_", " ")
