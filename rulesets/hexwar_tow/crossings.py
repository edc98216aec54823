"""12.2.3 and 12.3: cities that were to be held, crossing points, and the Airborne marker that counts as one (11.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from hexwar.engine import Step, record
from hexwar_tow.state import AirborneDestroyed, At, CrossingGained, Doing


@record
class AutomaticVictory(Step):
    """12.2.3, 13.1.1: a city with a Supreme Command Order has fallen."""

    kind = "automatic-victory"
    clause: ClassVar[str] = "13.1.1"
    city: str

    def resume(self, play: Doing) -> None:
        """The game is over."""
        play.pop()
        play.end("soviet", f"{self.city} was to be held at any price and has fallen", clause="13.1.1")


def city_fell(play: Doing, unit: str, hexes: Sequence[str]) -> None:
    """12.2.3: a Soviet unit has entered a city with a Supreme Command Order."""
    fallen = [label for label in play.state.orders if label in hexes]
    if fallen and play.world.units[unit].side == "soviet":
        play.push(AutomaticVictory(play.world.cities[fallen[0]]))


def landing_overrun(play: Doing, unit: str, hexes: Sequence[str]) -> None:
    """11.1.7: an Axis unit, headquarters or not, has entered the hex of the Airborne marker."""
    marker = play.state.airborne
    if marker and marker in hexes and play.world.units[unit].side == "axis":
        play.emit(AirborneDestroyed(marker, clause="11.1.7"))


def look_at_crossings(play: Doing, entered: Sequence[str] = ()) -> None:
    """12.3: which crossing points the Soviets gain now.

    Args:
        play: the game.
        entered: the hexes that a Soviet unit has just entered, on its way or at its end.
    """
    for label in play.world.crossing_hexes:
        clause = "" if label in play.state.crossings else why_gained(play, label, label in entered)
        if clause:
            play.emit(CrossingGained(label, clause=clause))


def why_gained(at: At, label: str, entered: bool = False) -> str:
    """12.3: the clause by which the Soviets gain a crossing point, "" if they do not.

    Args:
        at: the position.
        label: a crossing point that they do not have.
        entered: whether a Soviet unit has just entered its hex.
    """
    world, held = at.world, at.state.layout.held
    axis, soviet = held.get("axis", 0), held.get("soviet", 0)
    here = 1 << world.board.index(label)
    if axis & here:
        return ""
    if at.state.turn >= world.numbers.crossings_fall_from:
        return "12.3.7"
    together, clear = world.crossings_together
    if label in together and axis & clear:
        return ""
    if entered or soviet & here:
        return "12.3.3"
    return "12.3.4" if soviet & world.crossing_reach[label] else ""
