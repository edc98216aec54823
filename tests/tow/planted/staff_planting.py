"""How a rule bug is planted in what is printed for the staff of Traces of War."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from hexwar.testing import Mutant
from hexwar.testing.planting import Plant
from hexwar_tow.content import TowContent
from tests.tow.planted.planting import printed

DRILLS = "drills"


def mutant(id: str, clause: str, what: str, plant: Plant, *likely: str) -> Mutant:
    """A mutant of this game; drills are asked first unless another check is named."""
    return Mutant(id, what, plant, clause, (), likely or (DRILLS,))


# -- what is printed ----------------------------------------------------------------------------------------------------------


def numbers(**changes: Any) -> Plant:
    """Other numbers; those of a table are given as a mapping of what is different in it."""

    def change(content: TowContent) -> TowContent:
        told = content.numbers
        made = {name: _changed(getattr(told, name), value) for name, value in changes.items()}
        return replace(content, numbers=told.model_copy(update=made))

    return printed(change)


def _changed(old: Any, new: Any) -> Any:
    if isinstance(new, Mapping) and isinstance(old, dict):
        return {**old, **{key: _changed(old.get(key), value) for key, value in new.items()}}
    return old.model_copy(update=dict(new)) if isinstance(new, Mapping) else new


def crossings(**changes: Callable[[Any], Any]) -> Plant:
    """Another table of what crossing points give."""

    def change(content: TowContent) -> TowContent:
        rows = [
            row.model_copy(update={name: other(getattr(row, name)) for name, other in changes.items()})
            for row in content.numbers.crossings
        ]
        return replace(content, numbers=content.numbers.model_copy(update={"crossings": rows}))

    return printed(change)


def scenarios(**changes: Any) -> Plant:
    """Other scenarios; a function gets the old value."""

    def planted(content: TowContent) -> TowContent:
        made = {}
        for name, entry in content.scenarios.items():
            told = {key: value(getattr(entry, key)) if callable(value) else value for key, value in changes.items()}
            made[name] = entry.model_copy(update=told)
        return replace(content, scenarios=made)

    return printed(planted)


def chits(chosen: Callable[[Any], bool], **changes: Any) -> Plant:
    """Other chits; a function gets the old value."""

    def planted(content: TowContent) -> TowContent:
        def other(chit: Any) -> Any:
            told = {key: value(getattr(chit, key)) if callable(value) else value for key, value in changes.items()}
            return chit.model_copy(update=told)

        return replace(content, chits={id: other(chit) if chosen(chit) else chit for id, chit in content.chits.items()})

    return printed(planted)
