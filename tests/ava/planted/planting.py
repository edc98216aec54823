"""How a rule bug is planted in A Victory Awaits: in what is printed, in the world's parameters, or in a function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from hexwar.testing import Mutant, planting
from hexwar.testing.planting import Plant, wrapping
from hexwar_ava.content import AvaContent, load_ava
from hexwar_ava.lines import AvaSupply
from hexwar_ava.world import AvaWorld
from tests import plants

printed = partial(planting.printed, load_ava)
"""Other content. The kit has read the printed one before."""
made = partial(plants.made, AvaWorld)
"""A world that is changed when it has been made."""
BOARDS, DRILLS, SET_UPS = "staged-games-agree", "drills", "set-ups-are-right"
"""The checks that need no game."""
LIKELY = {
    "places": ("zones-are-right",),
    "set-up": ("set-up-is-right",),
    "chits": ("chits-are-kept", "turns-are-right"),
    "activation": ("activation-is-right",),
    "combat": ("places-are-right",),
    "retreat": ("losses-are-right", "retreats-are-right"),
    "deciders": ("deciders-are-right",),
    "score": ("points-are-right", "turns-are-right"),
}
"""Subject -> the checks that look after it."""


def mutant(id: str, clause: str, what: str, plant: Plant, *likely: str, **options: bool | str) -> Mutant:
    """A mutant of this game, with the checks that should see it first, or their subject."""
    names = tuple(check for name in likely for check in LIKELY.get(name, (name,)))
    return Mutant(id, what, plant, clause, tuple((name.replace("_", "-"), on) for name, on in options.items()), names)


# -- what is printed ------------------------------------------------------------------------------------------------------


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
    """Results of the combat table that mean something else."""
    return printed(lambda content: replace(content, table=plants.with_results(content.table, **outcomes)))


# -- parameters and functions -------------------------------------------------------------------------------------------------


def lines(**changes: Any) -> Plant:
    """Other terms for lines of communication."""
    return wrapping(AvaSupply, "terms", lambda original, self, side: original(self, side)._replace(**changes))


def optional(module: str, name: str, around: Callable[..., Any]) -> Plant:
    """Another function of an optional rule, which is a plugin of its own."""
    return wrapping(f"hexwar_ava_optional.{module}", name, around)
