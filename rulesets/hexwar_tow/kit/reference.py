"""Movement, supply and retreat once more, word for word and slowly, on plain dictionaries, for comparison with the fast code."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import Any


class Table:
    """A position as a player sees it on the table.

    Args:
        world: what is printed.
        state: what lies where.
    """

    def __init__(self, world: Any, state: Any) -> None:
        self.board, self.state, self.units = world.board, state, world.units
        self.at: dict[str, str] = {unit: label for unit, label in state.at.items() if label in self.board}
        self.sources: dict[str, set[str]] = {side: set(hexes) for side, hexes in world.supply.sources.items()}
        self._watched: dict[str, set[str]] = {}
        if self.state.airborne:
            self.sources["soviet"].add(self.state.airborne)  # 11.1.6

    def held(self, side: str) -> set[str]:
        """The hexes in which a side stands."""
        return {label for unit, label in self.at.items() if self.units[unit].side == side}

    def enemy(self, side: str) -> str:
        """The other side."""
        return "soviet" if side == "axis" else "axis"

    def watched(self, side: str) -> set[str]:
        """6.0: the hexes in zones of a side's enemies."""
        if side not in self._watched:
            self._watched[side] = self._covered_by(self.enemy(side))
        return self._watched[side]

    def _covered_by(self, side: str) -> set[str]:
        found = set()
        for label in self.held(side):
            for near in self.board.neighbours(label):
                if "blocked" not in self.board.side(label, near) and self.board.terrain(near) != "water":
                    found.add(near)
        return found

    def bridged(self, a: str, b: str) -> bool:
        """2.1.6: whether a road or a railway crosses a hexside."""
        return bool(self.board.links(a, b) & {"road", "rail"})

    def unbridged(self, a: str, b: str) -> bool:
        """Whether a major river without a bridge lies between two hexes."""
        return "major-river" in self.board.side(a, b) and not self.bridged(a, b)

    def commanded(self, leader: str) -> set[str]:
        """2.3.12, 2.3.13: a headquarters and the combat units of its side in its range, ring by ring."""
        found = ring = {self.at[leader]}
        for _ in range(self.units[leader].command):
            near = {b for a in ring for b in self.board.neighbours(a) if "blocked" not in self.board.side(a, b)}
            ring = {label for label in near - found if self.board.terrain(label) != "water"}
            found = found | ring
        mine = [unit for unit in self.at if self.units[unit].side == self.units[leader].side and not self.units[unit].command]
        return {leader, *(unit for unit in mine if self.at[unit] in found)}

    # -- 8.1 ----------------------------------------------------------------------------------------------------------------

    def supplied(self, side: str) -> set[str]:
        """All hexes with a line."""
        enemies, watched, friends = self.held(self.enemy(side)), self.watched(side), self.held(side)

        def may_pass(label: str) -> bool:
            if label in enemies or self.board.terrain(label) == "water":
                return False
            place = self.board.place(label)
            if place is not None and place.kind == "major-city" and self.state.control[label] != side:
                return False
            return label not in watched or label in friends

        found = {label for label in self.sources[side] if may_pass(label)}
        waiting = list(found)
        while waiting:
            here = waiting.pop()
            for near in self.board.neighbours(here):
                crossing = "blocked" in self.board.side(here, near) or self.unbridged(here, near)
                if near not in found and not crossing and may_pass(near):
                    found.add(near)
                    waiting.append(near)
        return found

    # -- 9.0 -----------------------------------------------------------------------------------------------------------------

    def reach(self, unit: str) -> dict[str, float]:
        """Hex -> movement points of regular movement."""
        side, start = self.units[unit].side, self.at[unit]
        points: float = self.units[unit].faces[self.state.steps[unit] - 1].move
        if self.state.supply.get(unit) == "isolated":
            points = points // 2
        enemies, watched = self.held(self.enemy(side)), self.watched(side)
        best = {start: 0.0}
        queue = [(0.0, start)]
        while queue:
            spent, here = heapq.heappop(queue)
            if spent > best[here] or spent >= points:
                continue
            for near in self.board.neighbours(here):
                price = self._price(here, near, watched)
                if near in enemies or price is None:
                    continue
                if price == "all":
                    if here != start or not points:
                        continue
                    total = float(points)
                else:
                    total = spent + float(price)
                if total <= points and total < best.get(near, 99):
                    best[near] = total
                    heapq.heappush(queue, (total, near))
        return best

    def _price(self, here: str, near: str, watched: set[str]) -> float | str | None:
        side, both = self.board.side(here, near), here in watched and near in watched
        if "blocked" in side or self.board.terrain(near) == "water" or ("major-river" in side and both):
            return None
        place = self.board.place(near)
        along = self.bridged(here, near)
        city = place is not None and place.kind == "major-city"
        if not along and self.board.terrain(near) == "marsh" and not city:
            return None if both else "all"
        if not along and "major-river" in side:
            return "all"
        extra = 1 if "minor-river" in side and not along else 0
        return 1 + extra + 2 * (here in watched) + 2 * (near in watched)

    # -- 10.4 -----------------------------------------------------------------------------------------------------------------

    def retreats(self, unit: str, hexes: int) -> Iterator[tuple[str, ...]]:
        """All ways of the demanded length, whoever has room at the end."""

        def longer(path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
            if len(path) == hexes + 1:
                yield path
                return
            for near in self.onward(unit, path):
                yield from longer((*path, near))

        return longer((self.at[unit],))

    def onward(self, unit: str, path: tuple[str, ...]) -> list[str]:
        """10.4.8 to 10.4.11: the hexes into which a retreat may go on."""
        side, start, here = self.units[unit].side, path[0], path[-1]
        enemies, watched = self.held(self.enemy(side)), self.watched(side)
        bank = any("major-river" in self.board.side(start, near) for near in self.board.neighbours(start))
        found = []
        for near in self.board.neighbours(here):
            features = self.board.side(here, near)
            river = "major-river" in features and (
                (here in watched and near in watched) or (self.unbridged(here, near) and not bank)
            )
            closed = "blocked" in features or self.board.terrain(near) == "water" or near in enemies
            if near not in path and not closed and not river:
                found.append(near)
        return found

    def rank(self, unit: str, path: tuple[str, ...]) -> tuple[int, int]:
        """10.4.3, 10.4.5: the losses of a way, and how far its end is from a source."""
        side = self.units[unit].side
        losses = sum(label in self.watched(side) for label in path[1:])
        return losses, min(self.board.distance(path[-1], source) for source in self.sources[side])

    # -- 10.2 -----------------------------------------------------------------------------------------------------------------

    def odds(self, target: str, attackers: tuple[str, ...]) -> tuple[int, int, int | None]:
        """Attack, defence and the column before air support, counted from 0; None where there can be no attack."""
        from_hex: dict[str, list[int]] = {}
        for unit in attackers:
            from_hex.setdefault(self.at[unit], []).append(self._strength(unit, True))
        attack = 0
        for label, strengths in from_hex.items():
            river = self.board.side(label, target) & {"major-river", "minor-river"}
            attack += sum(strengths) // 2 if river else sum(strengths)
        defence = sum(self._strength(unit, False) for unit, label in self.at.items() if label == target)
        if attack == 0:
            return attack, defence, None
        if defence == 0:
            return attack, defence, 10
        ratios = [ratio for ratio in (1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9, 10) if attack >= ratio * defence]
        column = len(ratios) - 1 - self._cover(target)
        return attack, defence, column if ratios and column >= 0 else None

    def _strength(self, unit: str, attacks: bool) -> int:
        face, how = self.units[unit].faces[self.state.steps[unit] - 1], self.state.supply.get(unit)
        weak = how == "isolated" or (how == "out of supply" and attacks)
        strength: int = face.attack if attacks else face.defence
        return max(0, strength - 2) if weak else strength

    def _cover(self, label: str) -> int:
        place = self.board.place(label)
        if place is not None and place.kind == "major-city":
            return 2
        rough = self.board.terrain(label) in ("rough", "marsh")
        return int(rough) + int(place is not None and place.kind == "town")
