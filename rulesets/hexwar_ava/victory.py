"""16.0 Victory: what the Axis scores at the end, item by item."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from hexwar.engine import Objective, Position
from hexwar.pieces import Score, Victory, on_board, total
from hexwar_ava.state import Doing

if TYPE_CHECKING:
    from hexwar_ava.world import AvaWorld


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

        def held(labels: Iterable[str]) -> list[str]:
            return [label for label in labels if control.get(label) == "axis"]

        found: list[tuple[int, str, str]] = []
        for label in held(world.major_cities):
            name = f"{world.controlled[label]} ({label})"
            found.append((worth(label, points.major_city), name, "16.1.2"))
            if label in at.state.stand_fast:
                found.append((worth(label, points.stand_fast), f"{name} was to stand fast", "16.2.1"))
        german = [unit for unit in on_board(at, "axis") if world.units[unit].nation == "german" and world.units[unit].mechanized]
        full = [unit for unit in german if at.state.steps_left[unit] == world.units[unit].steps]
        found += [(points.full_german_mechanized, f"{unit} at full strength", "16.1.3") for unit in full]
        lost = [unit for unit in at.state.layout.stacks.get("soviet eliminated", ()) if world.units[unit].mechanized]  # 10.8.4
        found += [(points.eliminated_soviet_mechanized, f"{unit} eliminated", "16.1.4") for unit in lost]
        for sources, values, clause in (
            (world.supply.sources["soviet"], points.supply_source, "16.3.1"),
            (world.from_moscow, points.from_moscow, "16.3.2"),
        ):
            best = max(held(sources), key=lambda label: worth(label, values), default="")
            if best:
                found.append((worth(best, values), f"breakthrough to {best}", clause))
        if (more := world.entry.breakthrough) is not None:
            taken = held(world.breakthrough_hexes)
            found += [(worth(label, more.points), f"breakthrough to {label}", "18.2.9") for label in taken]
        return tuple(Score("axis", *item) for item in found)

    def objectives(self, at: Position) -> tuple[Objective, ...]:
        """16.1.2: the major cities, with what each counts in supply."""
        points, held = self.world.printed.numbers.victory.major_city[0], at.state.control
        return tuple(
            Objective(label, points, "axis", held.get(label, ""), "a major city in supply", "16.1.2")
            for label in self.world.major_cities
        )

    def needed(self, at: Position) -> Mapping[str, tuple[int, str]]:
        """16.4.2, 18: the points with which the Axis wins, and the clause that says so."""
        return {"axis": (self.world.entry.victory_points, self.world.entry.verdict)}


def decide(play: Doing) -> None:
    """16.4.2, 18.1.15, 18.2.7, 18.2.8, 18.3.6: the Axis wins with the points of the scenario, otherwise the Soviets."""
    points = int(total(play.world.victory.scores(play), "axis"))
    needed, clause = play.world.victory.needed(play)["axis"]
    winner = "axis" if points >= needed else "soviet"
    play.end(winner, f"the Axis has {points} points and needs {needed}", clause=clause, scores={"axis": points})
