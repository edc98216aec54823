"""How a rule bug is planted in A Victory Awaits: in what is printed, in the world's parameters, or in a function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any

from hexwar.mechanics import HexWorld
from hexwar.testing.mutation import Mutant, Patch
from hexwar_ava.content import AvaContent, load_ava
from hexwar_ava.world import AvaWorld

Plant = Callable[[Patch], object]
BOARDS, DRILLS = "literal-boards", "drills"
"""The checks that need no game."""


def mutant(id: str, clause: str, what: str, plant: Plant, *likely: str, **options: bool | str) -> Mutant:
    """A mutant of this game; the checks that should see it first are named by the end of their ids."""
    names = tuple(name if name in (BOARDS, DRILLS) else f"literal-{name}" for name in likely)
    return Mutant(id, what, plant, clause, tuple((name.replace("_", "-"), on) for name, on in options.items()), names)


# -- what is printed ------------------------------------------------------------------------------------------------------


def printed(change: Callable[[AvaContent], AvaContent]) -> Plant:
    """Other content. The kit has read the printed one before."""

    def plant(patch: Patch) -> None:
        changed = change(load_ava())
        patch.everywhere(load_ava, lambda load, *arguments, **named: changed)

    return plant


def numbers(**changes: Any) -> Plant:
    """Other numbers."""
    return printed(lambda content: replace(content, numbers=content.numbers.model_copy(update=changes)))


def victory(**changes: Any) -> Plant:
    """Other points."""

    def change(content: AvaContent) -> AvaContent:
        points = content.numbers.victory.model_copy(update=changes)
        return replace(content, numbers=content.numbers.model_copy(update={"victory": points}))

    return printed(change)


def scenarios(change: Callable[[Any], Mapping[str, Any]]) -> Plant:
    """Other scenarios: what a function of an entry says is changed in it."""

    def planted(content: AvaContent) -> AvaContent:
        changed = {name: entry.model_copy(update=dict(change(entry))) for name, entry in content.scenarios.items()}
        return replace(content, scenarios=changed)

    return printed(planted)


def tracks(name: str, change: Callable[[Any], Any]) -> Plant:
    """Another turn track: a field of each track is changed."""

    def planted(content: AvaContent) -> AvaContent:
        made = {id: track.model_copy(update={name: change(getattr(track, name))}) for id, track in content.track.track.items()}
        return replace(content, track=content.track.model_copy(update={"track": made}))

    return printed(planted)


def chits(chosen: Callable[[Any], bool], **changes: Any) -> Plant:
    """Other chits."""

    def planted(content: AvaContent) -> AvaContent:
        made = {id: chit.model_copy(update=changes) if chosen(chit) else chit for id, chit in content.chits.items()}
        return replace(content, chits=made)

    return printed(planted)


def counters(chosen: Callable[[Any], bool], change: Callable[[Any], Any]) -> Plant:
    """Other counters."""
    return printed(lambda c: replace(c, units={id: change(unit) if chosen(unit) else unit for id, unit in c.units.items()}))


def chart(**changes: Any) -> Plant:
    """Another terrain effects chart."""
    return printed(lambda content: replace(content, chart=replace(content.chart, **changes)))


def arms(chosen: Callable[[str], bool], part: str, **changes: int) -> Plant:
    """Another chart of some arms, in half points: terrain, sides or links."""

    def planted(content: AvaContent) -> AvaContent:
        named = {name.replace("_", "-"): price for name, price in changes.items()}
        made = {
            arm: replace(costs, **{part: {**getattr(costs, part), **named}}) if chosen(arm) else costs
            for arm, costs in content.chart.arms.items()
        }
        return replace(content, chart=replace(content.chart, arms=made))

    return printed(planted)


def results(**outcomes: Mapping[str, Any]) -> Plant:
    """Results of the combat table that mean something else; `_` stands for a leading letter that a name cannot have."""

    def planted(content: AvaContent) -> AvaContent:
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


def lines(**parameters: Any) -> Plant:
    """Other rules on lines of communication."""
    return made(lambda world: setattr(world, "lines", replace(world.lines, **parameters)))


def made(change: Callable[[Any], object]) -> Plant:
    """A world that is changed when it has been made."""

    def plant(patch: Patch) -> None:
        def make(original: Any, self: Any, *arguments: Any) -> None:
            original(self, *arguments)
            change(self)

        patch.wrap(AvaWorld, "__init__", make)

    return plant


def setting(owner: Any, name: str, value: Any) -> Plant:
    """Another value of an attribute."""
    return lambda patch: patch.set(owner, name, value)


def wrapping(owner: Any, name: str, around: Callable[..., Any]) -> Plant:
    """Another method; it gets the original first."""
    return lambda patch: patch.wrap(owner, name, around)


def answering(owner: Any, name: str, value: Any) -> Plant:
    """A method that always gives the same answer."""
    return wrapping(owner, name, lambda original, *arguments, **named: value)


def everywhere(function: Any, around: Callable[..., Any]) -> Plant:
    """Another function in all modules that use it."""
    return lambda patch: patch.everywhere(function, around)


def shared(module: str, name: str, around: Callable[..., Any]) -> Plant:
    """Another function of the mechanics."""
    return lambda patch: patch.wrap(import_module(f"hexwar.mechanics.{module}"), name, around)


def optional(module: str, name: str, around: Callable[..., Any]) -> Plant:
    """Another function of an optional rule, which is a plugin of its own."""
    return lambda patch: patch.wrap(import_module(f"hexwar_ava_optional.{module}"), name, around)
