"""13.0 Victory: what the Soviets score, item by item, and when the score decides."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from hexwar.engine import Position
from hexwar.mechanics import Score, Victory, on_board, total
from hexwar_tow.counters import ARMOUR, HQ

if TYPE_CHECKING:
    from hexwar_tow.state import Doing
    from hexwar_tow.world import TowWorld

VERDICT = "verdict"


class TowVictory(Victory):
    """13.2, 13.3: only the Soviets score, by the table of the scenario."""

    world: TowWorld

    def scores(self, at: Position) -> tuple[Score, ...]:
        """13.2, 13.3."""
        return tuple(self.race_points(at) if self.world.entry.scheme == "race" else self.campaign_points(at))

    def race_points(self, at: Position) -> list[Score]:
        """13.2.2 to 13.2.4: crossing points on the map, and combat units west of the Dnieper; nothing for relocations."""
        world, points = self.world, self.world.numbers.race
        found = [Score("soviet", points.crossing, f"crossing point {label}", "13.2.3") for label in at.state.crossings]
        supplied = world.supply.supplied_units(at, "soviet")
        for unit in on_board(at, "soviet"):
            if world.west_bank >> world.board.index(at.state.locations[unit]) & 1 and world.units[unit].arm != HQ:
                values = points.mechanized if world.units[unit].mechanized else points.other
                found.append(Score("soviet", values[unit not in supplied], f"{unit} beyond the Dnieper", "13.2.4"))
        return found

    def is_the_end(self, at: Position) -> bool:
        """13.3.6: the evaluation after the last turn."""
        return bool(at.state.phase == VERDICT and at.state.turn >= self.world.entry.last_turn)

    def campaign_points(self, at: Position) -> list[Score]:
        """13.3.2 to 13.3.6: cities, destroyed German units, relocations and breakthroughs."""
        world, points = self.world, self.world.numbers.campaign
        final = self.is_the_end(at)
        found: list[Score] = []
        for label, name in world.cities.items():
            if at.state.control.get(label) == "soviet":
                found.append(Score("soviet", points.major_city, f"{name} ({label})", "13.3.2"))

        def destroyed(unit: str, why: str, clause: str) -> None:
            counter = world.units[unit]
            worth = points.german_armour if counter.arm == ARMOUR else points.other_german
            if counter.nation == "german":
                found.append(Score("soviet", worth, f"{unit} {why}", clause))

        for unit in at.state.layout.stacks.get("axis eliminated", ()):
            destroyed(unit, "destroyed", "13.3.3")
        if final:
            supplied = world.supply.supplied_units(at, "axis")
            for unit in on_board(at, "axis"):
                if unit not in supplied and world.units[unit].arm != HQ:
                    destroyed(unit, "has no line at the end", "13.3.6")
        for side, sign in (("axis", 1), ("soviet", -1)):
            count = at.state.relocations.get(side, 0)
            if count:
                found.append(Score("soviet", sign * count * points.relocation, f"relocations of {side} headquarters", "13.3.4"))
        with_line = world.supply.supplied_units(at, "soviet") if final else None
        for label in world.breakthrough_hexes:
            for unit in at.state.layout.stacks.get(label, ()):
                if world.units[unit].side == "soviet" and (with_line is None or unit in with_line):
                    found.append(Score("soviet", points.breakthrough, f"{unit} breaks through at {label}", "13.3.5"))
        return found

    def needed(self, at: Position) -> Mapping[str, tuple[int, str]]:
        """13.2.1, 13.3.1: the points with which the Soviets win, and the clause that says so."""
        return {"soviet": (self.world.entry.victory_points, self.world.entry.verdict)}


def decide(play: Doing) -> None:
    """13.2.1, 13.3.1: at the end of the last turn, in the campaign at the end of every turn."""
    entry = play.world.entry
    last = play.state.turn >= entry.last_turn
    if not last and not entry.every_turn:
        return
    points = total(play.world.victory.scores(play), "soviet")
    needed, clause = play.world.victory.needed(play)["soviet"]
    if points >= needed or last:
        winner = "soviet" if points >= needed else "axis"
        # A result holds whole points; the sentence has the quarters.
        whole = {"soviet": math.floor(points)}
        play.end(winner, f"the Soviets have {points:g} points and need {needed}", clause=clause, scores=whole)
