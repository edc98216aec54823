"""How a commander weighs things, and the plans that come from weighing them otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from hexwar.bots import Posture, attacking

if TYPE_CHECKING:
    from hexwar_ava.bot_plans import MovePlan

TARGETS = 3
"""For how many attacked hexes there is a plan each that gives them more weight."""
FAVOUR = 3.0
"""How much that is."""
SENDS = 8
"""For how many other ends of a single unit there is a plan each."""
ENDS = 6
"""Among how many of its best ends these are looked for."""


@dataclass(frozen=True, kw_only=True)
class AvaPosture(Posture):
    """How a commander weighs attacks and risks.

    Args:
        name: see `hexwar.bots.Posture`, as for whatever is not named here.
        garrison: how many units of a side hold a city.
        alone: how far ahead of the infantry spearheads begin to be isolated, in half points.
        raid: how far spearheads go for a city without defenders, in half points.
        exposed: what it costs a headquarters to be near the enemy without company.
        sent: units that go to a hex whatever else would be done with them, each with the hex.
    """

    retreat: float = 0.8
    effort: float = 0.015
    progress: float = 0.7
    least: Mapping[str, float] = field(default_factory=lambda: {"axis": 0.08, "soviet": 0.2})
    garrison: Mapping[str, int] = field(default_factory=lambda: {"axis": 1, "soviet": 2})
    alone: int = 8
    raid: int = 40
    exposed: float = 2.0
    sent: tuple[tuple[str, int], ...] = ()


USUAL = AvaPosture()
POSTURES = (
    *attacking(USUAL),
    replace(USUAL, name="Drive the spearheads farther ahead", alone=20, raid=60),
    replace(USUAL, name="Keep the spearheads together with the infantry", alone=2, raid=16),
    replace(USUAL, name="Hold the cities with more units", garrison={"axis": 2, "soviet": 3}),
    replace(USUAL, name="Hold the cities with fewer units", garrison={"axis": 0, "soviet": 1}),
)
"""The other postures that a commander may take."""


def other_postures(plan: MovePlan) -> Iterator[AvaPosture]:
    """The postures that are worth a try in an activation: the known ones, then one for each target, then one for each other end.

    Args:
        plan: the usual one, made.
    """
    yield from POSTURES
    picture = plan.picture
    gains = plan.targets()
    best = sorted(gains, key=lambda i: (-gains[i], i))[:TARGETS]
    for i in best:
        yield replace(USUAL, name=f"Assault on {picture.place_name(i)}", favoured=((i, FAVOUR),))
    ends = sorted(plan.other_ends(ENDS), key=lambda end: (end[0], -end[1], *end[2:]))
    for _, _, unit, i in ends[:SENDS]:
        yield replace(USUAL, name=f"{unit} to {picture.place_name(i)}", sent=((unit, i),))
