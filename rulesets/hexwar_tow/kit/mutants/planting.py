"""How a rule bug is planted in Traces of War: in what is printed, in the world's parameters, or in a function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from hexwar.mechanics import HexWorld
from hexwar.testing.mutation import Mutant, Patch
from hexwar_tow.content import STRATEGIC, TowContent, load_tow
from hexwar_tow.world import TowWorld

Plant = Callable[[Patch], object]
SCENES, DRILLS = "literal-scenes", "field-drills"
"""The checks of the field that need no game."""


def mutant(id: str, clause: str, what: str, plant: Plant, *likely: str) -> Mutant:
    """A mutant of this game; small maps find it unless another check is named."""
    return Mutant(id, what, plant, clause, likely=likely or (SCENES,))


# -- what is printed ------------------------------------------------------------------------------------------------------


def printed(change: Callable[[TowContent], TowContent]) -> Plant:
    """Other content."""

    def plant(patch: Patch) -> None:
        changed = change(load_tow())
        patch.everywhere(load_tow, lambda load, *arguments, **named: changed)

    return plant


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
    """Results of the combat table that mean something else; `_` stands before a name that begins with a digit."""

    def planted(content: TowContent) -> TowContent:
        named = {name.lstrip("_"): changes for name, changes in outcomes.items()}
        table = content.table
        rows = {
            roll: tuple(replace(cell, **named[cell.name]) if cell.name in named else cell for cell in row)
            for roll, row in table.rows.items()
        }
        return replace(content, table=type(table)(dict(zip(table.columns, table.ratios, strict=True)), rows))

    return printed(planted)


# -- parameters and functions -------------------------------------------------------------------------------------------------


def world(**parameters: Any) -> Plant:
    """Other parameters of the mechanics."""

    def plant(patch: Patch) -> None:
        def make(original: Any, self: Any, *arguments: Any, **named: Any) -> None:
            original(self, *arguments, **{**named, **parameters})

        patch.wrap(HexWorld, "__init__", make)

    return plant


def made(change: Callable[[Any], object]) -> Plant:
    """A world that is changed when it has been made."""

    def plant(patch: Patch) -> None:
        def make(original: Any, self: Any, *arguments: Any) -> None:
            original(self, *arguments)
            change(self)

        patch.wrap(TowWorld, "__init__", make)

    return plant


def lines(**parameters: Any) -> Plant:
    """Other rules on supply lines."""
    return made(lambda world: setattr(world, "lines", replace(world.lines, **parameters)))


def pursuing(change: Callable[[dict[str, int]], dict[str, int]]) -> Plant:
    """Other ranges of pursuit."""
    return made(lambda world: setattr(world, "pursuit_range", change(world.pursuit_range)))


def setting(owner: Any, name: str, value: Any) -> Plant:
    """Another value of an attribute."""
    return lambda patch: patch.set(owner, name, value)


def wrapping(owner: Any, name: str, around: Callable[..., Any]) -> Plant:
    """Another method or function of a module; it gets the original first."""
    return lambda patch: patch.wrap(owner, name, around)


def answering(owner: Any, name: str, value: Any) -> Plant:
    """A method that always gives the same answer."""
    return wrapping(owner, name, lambda original, *arguments, **named: value)


def everywhere(function: Any, around: Callable[..., Any]) -> Plant:
    """Another function in all modules that use it."""
    return lambda patch: patch.everywhere(function, around)
