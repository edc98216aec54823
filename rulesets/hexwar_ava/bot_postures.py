"""How a commander weighs things, and the plans that come from weighing them otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

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


@dataclass(frozen=True)
class Posture:
    """How a commander weighs attacks and risks.

    Args:
        name: what it does, as the beginning of a sentence.
        retreat: what it is worth to drive an enemy from his hex, besides the place in it.
        effort: what a point of attack strength could do elsewhere.
        progress: how much of a place is as good as won when its defenders have lost all but their last step.
        least: what an attack of a side must promise.
        garrison: how many units of a side hold a city.
        alone: how far ahead of the infantry spearheads begin to be isolated, in half points.
        raid: how far spearheads go for a city that nobody defends, in half points.
        exposed: what it costs a headquarters to be near the enemy without company.
        favoured: hexes whose attack is worth more than it looks, each with how much.
        sent: units that go to a hex whatever else would be done with them, each with the hex.
    """

    name: str = "As usual"
    retreat: float = 0.8
    effort: float = 0.015
    progress: float = 0.7
    least: Mapping[str, float] = field(default_factory=lambda: {"axis": 0.08, "soviet": 0.2})
    garrison: Mapping[str, int] = field(default_factory=lambda: {"axis": 1, "soviet": 2})
    alone: int = 8
    raid: int = 40
    exposed: float = 2.0
    favoured: tuple[tuple[int, float], ...] = ()
    sent: tuple[tuple[str, int], ...] = ()


USUAL = Posture()
POSTURES = (
    replace(USUAL, name="Attack more boldly", least={"axis": -0.25, "soviet": -0.15}, effort=0.005),
    replace(USUAL, name="Attack only where much is to be won", least={"axis": 0.6, "soviet": 0.7}),
    replace(USUAL, name="Attack nothing", least={"axis": 99.0, "soviet": 99.0}),
    replace(USUAL, name="Drive the enemy back", retreat=1.6),
    replace(USUAL, name="Wear the enemy down", retreat=0.3, progress=1.0),
    replace(USUAL, name="Drive the spearheads farther ahead", alone=20, raid=60),
    replace(USUAL, name="Keep the spearheads together with the infantry", alone=2, raid=16),
    replace(USUAL, name="Hold the cities with more units", garrison={"axis": 2, "soviet": 3}),
    replace(USUAL, name="Hold the cities with fewer units", garrison={"axis": 0, "soviet": 1}),
)
"""The other postures that a commander may take."""


def other_postures(plan: MovePlan) -> Iterator[Posture]:
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


def different(postures: Sequence[Posture], acts: Callable[[Posture], object]) -> list[Posture]:
    """Those of some postures that do different things, the first of those that do the same.

    Args:
        postures: in the order in which they are wanted.
        acts: what a posture does, as something that can be compared.
    """
    found: dict[object, Posture] = {}
    for posture in postures:
        found.setdefault(acts(posture), posture)
    return list(found.values())
