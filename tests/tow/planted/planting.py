"""How a rule bug is planted in Traces of War: in what is printed, in the world's parameters, or in a function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from hexwar.testing import Mutant, planting
from hexwar.testing.planting import Plant, wrapping
from hexwar_tow.combat import TowPursuit
from hexwar_tow.content import STRATEGIC, TowContent, load_tow
from hexwar_tow.world import TowWorld
from tests import plants

printed = partial(planting.printed, load_tow)
"""Other content."""
made = partial(plants.made, TowWorld)
"""A world that is changed when it has been made."""
SCENES, DRILLS = "staged-games-agree", "drills"
"""The checks of the field that need no game."""


def mutant(id: str, clause: str, what: str, plant: Plant, *likely: str) -> Mutant:
    """A mutant of this game; small maps find it unless another check is named."""
    return Mutant(id, what, plant, clause, likely=likely or (SCENES,))


# -- what is printed ------------------------------------------------------------------------------------------------------


def numbers(part: str, **changes: Any) -> Plant:
    """Other numbers of a part of the rulebook."""

    def change(content: TowContent) -> TowContent:
        made = getattr(content.numbers, part).model_copy(update=changes)
        return replace(content, numbers=content.numbers.model_copy(update={part: made}))

    return printed(change)


def chart(**changes: Any) -> Plant:
    """Another terrain effects chart."""
    return printed(lambda content: replace(content, chart=replace(content.chart, **changes)))


def shifts(**columns: int) -> Plant:
    """Other column shifts."""
    named = {name.replace("_", "-"): number for name, number in columns.items()}
    return printed(lambda c: replace(c, chart=replace(c.chart, shifts={**c.chart.shifts, **named})))


def arms(part: str, *, strategic: bool = False, **prices: int | None) -> Plant:
    """Other costs of regular or strategic movement, in half points: terrain, sides or links; None takes an entry out."""

    def planted(content: TowContent) -> TowContent:
        named = {name.replace("_", "-"): price for name, price in prices.items()}
        made = {}
        for arm, costs in content.chart.arms.items():
            entries = {**getattr(costs, part), **named} if (arm == STRATEGIC) == strategic else getattr(costs, part)
            made[arm] = replace(costs, **{part: {name: price for name, price in entries.items() if price is not None}})
        return replace(content, chart=replace(content.chart, arms=made))

    return printed(planted)


def results(**outcomes: Mapping[str, Any]) -> Plant:
    """Results of the combat table that mean something else."""
    return printed(lambda content: replace(content, table=plants.with_results(content.table, **outcomes)))


# -- parameters and functions -------------------------------------------------------------------------------------------------


def pursuing(change: Callable[[str, int], int]) -> Plant:
    """Other ranges of pursuit, by arm."""
    return wrapping(TowPursuit, "hexes", lambda original, self, arm: change(arm, original(self, arm)))
