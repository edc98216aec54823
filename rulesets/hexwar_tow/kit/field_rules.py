"""Combat, retreat, pursuit, strategic movement and supply checks once more, literally: what `reference` leaves out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from hexwar_tow.kit.reference import Table

Path = tuple[str, ...]

MECHANISED = ("armour", "mechanized")
"""2.2.2: the arms of the mechanised class."""
RESULTS = ("A2", "A1", "A1", "-", "-", "R", "R", "RR", "RR", "1RR", "1RR", "2RR", "2RR", "3RR", "3RR", "4RR")
"""PA.CRT.7: the results of all cells in a row, which each further pip and each further column enters a place later."""
LAST = 10
"""The last column, 10+, counted from 0."""


@dataclass(frozen=True, slots=True)
class Result:
    """10.3.3: what a battle costs whom, and how far the defender retreats."""

    attacker: int
    defender: int
    retreat: int


def cell(column: int, roll: int) -> str:
    """PA.CRT: what the table prints."""
    return RESULTS[column + roll - 1]


def meaning(result: str) -> Result:
    """10.3.3: what a cell means."""
    if result.startswith("A"):
        return Result(int(result[1]), 0, 0)
    return Result(0, int(result[0]) if result[0].isdigit() else 0, result.count("R"))


class Ground(Table):
    """A position on the table, for the rules of battle."""

    def side(self, unit: str) -> str:
        """Whose a unit is."""
        side: str = self.units[unit].side
        return side

    def stack(self, label: str) -> list[str]:
        """The units in a hex."""
        return [unit for unit, there in self.at.items() if there == label]

    # -- 5.0 -----------------------------------------------------------------------------------------------------------------

    def fits(self, units: Sequence[str]) -> bool:
        """5.0.2: two combat units and one headquarters."""
        leaders = len([unit for unit in units if self.units[unit].arm == "hq"])
        return leaders <= 1 and len(units) - leaders <= 2

    def has_room(self, unit: str, label: str) -> bool:
        """Whether a unit may end in a hex."""
        return self.fits([*(other for other in self.stack(label) if other != unit), unit])

    # -- 9.0 -----------------------------------------------------------------------------------------------------------------

    def points(self, unit: str) -> int:
        """2.2.5, 8.2.3: movement points."""
        printed: int = self.units[unit].faces[self.state.steps[unit] - 1].move
        return printed // 2 if self.state.supply.get(unit) == "isolated" else printed

    def ends(self, unit: str) -> dict[str, float]:
        """9.0.3: the hexes in which a regular move may end, and what they cost."""
        reached = self.reach(unit)
        return {label: cost for label, cost in reached.items() if label != self.at[unit] and self.has_room(unit, label)}

    def strategic_ends(self, unit: str) -> dict[str, float]:
        """9.2: the hexes in which a strategic move may end: half a point a hex, on the road from the start on, out of zones."""
        start, side = self.at[unit], self.side(unit)
        watched, enemies, far = self.watched(side), self.held(self.enemy(side)), 2 * self.points(unit)
        if start in watched:
            return {}
        ring, found = {start}, {start: 0}
        for number in range(1, far + 1):
            near = {b for a in ring for b in self.board.neighbours(a) if "road" in self.board.links(a, b) and b not in found}
            ring = {b for b in near if b not in watched and b not in enemies}
            found.update(dict.fromkeys(ring, number))
        return {label: number / 2 for label, number in found.items() if label != start and self.has_room(unit, label)}

    def cost(self, unit: str, path: Path) -> float | None:
        """What a regular move along a path costs; None if it cannot be gone."""
        watched, enemies = self.watched(self.side(unit)), self.held(self.enemy(self.side(unit)))
        spent, points = 0.0, self.points(unit)
        for number, (here, near) in enumerate(pairwise(path)):
            price = self._price(here, near, watched) if near in self.board.neighbours(here) else None
            if price is None or near in enemies or (price == "all" and (number or not points)) or spent >= points:
                return None
            spent = points if price == "all" else spent + float(price)
        return spent if spent <= points else None

    # -- 10.0 to 10.3 ----------------------------------------------------------------------------------------------------------

    def may_attack(self, unit: str, target: str) -> bool:
        """10.0.2, 10.0.9: whether a unit could attack a hex."""
        here = self.at.get(unit, "")
        if not here or target not in self.board.neighbours(here) or "blocked" in self.board.side(here, target):
            return False
        printed: int = self.units[unit].faces[self.state.steps[unit] - 1].attack
        return printed > 0 and target in self.held(self.enemy(self.side(unit)))

    def column(self, target: str, attackers: Path, offensive: int) -> int | None:
        """10.2.7, 10.2.9: the column in which the result is read, with so many Off AS markers; None if there is no attack."""
        _, defence, column = self.odds(target, attackers)
        if column is None or not defence:
            return column
        return min(column + 2 * offensive, LAST)

    def result(self, target: str, attackers: Path, printed: str) -> Result:
        """10.3.3; 12.2.1: in a city with an order the Axis loses steps in place of retreating."""
        found = meaning(printed)
        if found.retreat and target in self.state.orders and self.side(attackers[0]) == "soviet":
            return Result(found.attacker, found.defender + found.retreat, 0)
        return found

    # -- 10.4 ------------------------------------------------------------------------------------------------------------------

    def best(self, unit: str, hexes: int) -> set[Path]:
        """10.4.3, 10.4.5: the ways of retreat among which the owner chooses; empty if the unit is eliminated (10.4.10)."""
        ranked = {}
        for demanded in self.retreats(unit, hexes):
            for path in self._until_room(unit, demanded):
                losses = self.losses(unit, path)
                lost = losses >= self.state.steps[unit]
                ranked[path] = (lost, losses, *self._wishes(unit, demanded[-1]))
        least = min(ranked.values(), default=None)
        return {path for path, rank in ranked.items() if rank == least}

    def losses(self, unit: str, path: Path) -> int:
        """10.4.4: a step for each hex in an enemy zone, friends there or not."""
        watched = self.watched(self.side(unit))
        return sum(label in watched for label in path[1:])

    def _wishes(self, unit: str, label: str) -> tuple[int, bool]:
        """10.4.5: nearer to a source, then within stacking."""
        far = min(self.board.distance(label, source) for source in self.sources[self.side(unit)])
        return far, not self.has_room(unit, label)

    def _until_room(self, unit: str, path: Path) -> list[Path]:
        """10.4.6: a way that ends in a full hex goes on hex by hex; 5.0.5: a headquarters need not, it is relocated."""
        if self.units[unit].arm == "hq" or self.has_room(unit, path[-1]):
            return [path]
        ranked: dict[tuple[int, int, bool], list[Path]] = {}
        for label in self.onward(unit, path):
            longer = (*path, label)
            ranked.setdefault((self.losses(unit, longer), *self._wishes(unit, label)), []).append(longer)
        for rank in sorted(ranked):
            found = [end for longer in ranked[rank] for end in self._until_room(unit, longer)]
            if found:
                return found
        return []

    def gone(self, unit: str, path: Path) -> tuple[Path, int]:
        """How far a unit gets on its retreat, and the steps that it loses: no farther than where it loses its last."""
        watched, lost = self.watched(self.side(unit)), 0
        for number, label in enumerate(path[1:], 1):
            lost += label in watched
            if lost == self.state.steps[unit]:
                return path[: number + 1], lost
        return path, lost

    # -- 10.5 ------------------------------------------------------------------------------------------------------------------

    def pursuits(self, unit: str, target: str) -> set[Path]:
        """10.5: the ways on which a combat unit may follow."""
        here, second = self.at[unit], self.units[unit].arm in MECHANISED
        found: set[Path] = {(here, target)} if self._may_follow(unit, here, target) else set()
        if found and second and not self.unbridged(here, target):
            near = self.board.neighbours(target)
            open_to = [label for label in near if self._may_follow(unit, target, label) and not self.unbridged(target, label)]
            found |= {(here, target, label) for label in open_to}
        return {path for path in found if self.has_room(unit, path[-1])}

    def _may_follow(self, unit: str, here: str, label: str) -> bool:
        near = label in self.board.neighbours(here) and "blocked" not in self.board.side(here, label)
        return near and self.board.terrain(label) != "water" and label not in self.held(self.enemy(self.side(unit)))

    # -- 8.1 -------------------------------------------------------------------------------------------------------------------

    def judged(self) -> dict[str, str]:
        """8.1.8 to 8.1.10: the markers after a supply check that begins now."""
        found = {}
        for side in ("soviet", "axis"):
            lines = self.supplied(side)
            for unit, label in self.at.items():
                if self.side(unit) == side and self.units[unit].arm != "hq" and label not in lines:
                    found[unit] = "isolated" if self.state.supply.get(unit) else "out of supply"
        return found

    def cut_off(self) -> set[str]:
        """8.1.12: the headquarters on the map without a line."""
        lines = {side: self.supplied(side) for side in ("soviet", "axis")}
        return {u for u, label in self.at.items() if self.units[u].arm == "hq" and label not in lines[self.side(u)]}
