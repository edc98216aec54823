"""16.0 Victory: what the Axis scores at the end, item by item."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hexwar.engine import Position
from hexwar.mechanics import Score, Victory, on_board, total

if TYPE_CHECKING:
    from hexwar_ava.world import AvaWorld, Doing


class AvaVictory(Victory):
    """16.1 to 16.4: only the Axis scores (16.1.1)."""

    world: AvaWorld

    def scores(self, at: Position) -> tuple[Score, ...]:
        """16.1 to 16.3, 18.2.9: what the Axis has of each."""
        world, control = self.world, at.state.control
        points = world.printed.numbers.victory
        board, supplied = world.board, world.supply.supplied(at, "axis")

        def worth(label: str, values: tuple[int, int]) -> int:
            return values[0] if supplied >> board.index(label) & 1 else values[1]

        def axis(label: str) -> bool:
            return bool(control.get(label) == "axis")

        found: list[Score] = []

        def score(number: int, reason: str, clause: str) -> None:
            found.append(Score("axis", number, reason, clause))

        for label in world.major_cities:
            if axis(label):
                name = world.controlled[label]
                score(worth(label, points.major_city), f"{name} ({label})", "16.1.2")
                if label in at.state.stand_fast:
                    score(worth(label, points.stand_fast), f"{name} ({label}) was to stand fast", "16.2.1")
        german = [unit for unit in on_board(at, "axis") if world.units[unit].nation == "german"]
        for unit in german:
            counter = world.units[unit]
            if counter.mechanized and at.state.steps_left[unit] == counter.steps:
                score(points.full_german_mechanized, f"{unit} at full strength", "16.1.3")
        for unit in at.state.layout.stacks.get("soviet eliminated", ()):  # 10.8.4
            if world.units[unit].mechanized:
                score(points.eliminated_soviet_mechanized, f"{unit} eliminated", "16.1.4")
        for sources, values, clause in (
            (world.supply.sources["soviet"], points.supply_source, "16.3.1"),
            (world.from_moscow, points.from_moscow, "16.3.2"),
        ):
            held = [label for label in sources if axis(label)]
            if held:
                best = max(held, key=lambda label: worth(label, values))
                score(worth(best, values), f"breakthrough to {best}", clause)
        if world.entry.breakthrough is not None:
            for label in world.breakthrough_hexes:
                if axis(label):
                    score(worth(label, world.entry.breakthrough.points), f"breakthrough to {label}", "18.2.9")
        return tuple(found)

    def needed(self, at: Position) -> Mapping[str, tuple[int, str]]:
        """16.4.2, 18: the points with which the Axis wins, and the clause that says so."""
        return {"axis": (self.world.entry.victory_points, self.world.entry.verdict)}


def decide(play: Doing) -> None:
    """16.4.2, 18.1.15, 18.2.7, 18.2.8, 18.3.6: the Axis wins with the points of the scenario, otherwise the Soviets."""
    points = int(total(play.world.victory.scores(play), "axis"))
    needed, clause = play.world.victory.needed(play)["axis"]
    winner = "axis" if points >= needed else "soviet"
    play.end(winner, f"the Axis has {points} points and needs {needed}", clause=clause, scores={"axis": points})
