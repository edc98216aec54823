"""13.0 Victory: what the Soviets score, item by item, and when the score decides."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from hexwar.engine import Objective, Position
from hexwar.pieces import Score, Victory, on_board, total
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

    def objectives(self, at: Position) -> tuple[Objective, ...]:
        """13.3.2: the major cities, where they count."""
        if self.world.entry.scheme == "race":
            return ()
        points, held = self.world.numbers.campaign.major_city, at.state.control
        return tuple(
            Objective(label, points, "soviet", held.get(label, ""), "a major city", "13.3.2") for label in self.world.cities
        )

    def race_points(self, at: Position) -> list[Score]:
        """13.2.2 to 13.2.4: crossing points on the map, and combat units west of the Dnieper; nothing for relocations."""
        world, points = self.world, self.world.numbers.race
        supplied = world.supply.supplied_units(at, "soviet")
        troops = [unit for unit in on_board(at, "soviet") if world.units[unit].arm != HQ]
        over = [unit for unit in troops if world.west_bank >> world.board.index(at.state.locations[unit]) & 1]
        values = {unit: points.mechanized if world.units[unit].mechanized else points.other for unit in over}
        return [
            *(Score("soviet", points.crossing, f"crossing point {label}", "13.2.3") for label in at.state.crossings),
            *(Score("soviet", values[unit][unit not in supplied], f"{unit} beyond the Dnieper", "13.2.4") for unit in over),
        ]

    def is_the_end(self, at: Position) -> bool:
        """13.3.6: the evaluation after the last turn."""
        return bool(at.state.phase == VERDICT and at.state.turn >= self.world.entry.last_turn)

    def campaign_points(self, at: Position) -> list[Score]:
        """13.3.2 to 13.3.6: cities, destroyed German units, relocations and breakthroughs."""
        world, points, stacks = self.world, self.world.numbers.campaign, at.state.layout.stacks
        cities = {label: name for label, name in world.cities.items() if at.state.control.get(label) == "soviet"}
        lost = dict.fromkeys(stacks.get("axis eliminated", ()), ("destroyed", "13.3.3"))
        through = {unit: label for label in world.breakthrough_hexes for unit in stacks.get(label, ())}
        if self.is_the_end(at):
            supplied = {side: world.supply.supplied_units(at, side) for side in world.sides}
            cut_off = [unit for unit in on_board(at, "axis") if unit not in supplied["axis"] and world.units[unit].arm != HQ]
            lost |= dict.fromkeys(cut_off, ("has no line at the end", "13.3.6"))
            through = {unit: label for unit, label in through.items() if unit in supplied["soviet"]}
        german = [unit for unit in lost if world.units[unit].nation == "german"]
        worth = {unit: points.german_armour if world.units[unit].arm == ARMOUR else points.other_german for unit in german}
        moved = {side: sign * at.state.relocations.get(side, 0) for side, sign in (("axis", 1), ("soviet", -1))}
        found = [
            *((points.major_city, f"{name} ({label})", "13.3.2") for label, name in cities.items()),
            *((worth[unit], f"{unit} {lost[unit][0]}", lost[unit][1]) for unit in german),
            *(
                (count * points.relocation, f"relocations of {side} headquarters", "13.3.4")
                for side, count in moved.items()
                if count
            ),
            *(
                (points.breakthrough, f"{unit} breaks through at {label}", "13.3.5")
                for unit, label in through.items()
                if world.units[unit].side == "soviet" and (world.units[unit].arm != HQ or world.as_in_1_0)
            ),
        ]
        return [Score("soviet", *item) for item in found]

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
