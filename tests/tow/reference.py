"""Movement, supply and retreat once more, word for word and slowly, on plain dictionaries, for comparison with the fast code."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import Any

from hexwar.engine import Game


class Table:
    """A position as a player sees it on the table."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self.board, self.state, self.units = game.world.board, game.state, game.world.units
        self.at = {unit: label for unit, label in game.state.at.items() if label in self.board}
        self.sources = {side: set(hexes) for side, hexes in game.world.lines.sources.items()}
        if self.state.airborne:
            self.sources["soviet"].add(self.state.airborne)  # 11.1.6

    def held(self, side: str) -> set[str]:
        return {label for unit, label in self.at.items() if self.units[unit].side == side}

    def enemy(self, side: str) -> str:
        return "soviet" if side == "axis" else "axis"

    def watched(self, side: str) -> set[str]:
        """6.0: the hexes in zones of a side's enemies."""
        found = set()
        for label in self.held(self.enemy(side)):
            for near in self.board.neighbours(label):
                if "blocked" not in self.board.side(label, near) and self.board.terrain(near) != "water":
                    found.add(near)
        return found

    def bridged(self, a: str, b: str) -> bool:
        return bool(self.board.links(a, b) & {"road", "rail"})

    def unbridged(self, a: str, b: str) -> bool:
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
        side, start = self.units[unit].side, self.at[unit]
        enemies, watched = self.held(self.enemy(side)), self.watched(side)
        bank = any("major-river" in self.board.side(start, near) for near in self.board.neighbours(start))

        def longer(path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
            if len(path) == hexes + 1:
                yield path
                return
            here = path[-1]
            for near in self.board.neighbours(here):
                features = self.board.side(here, near)
                river = "major-river" in features and (
                    (here in watched and near in watched) or (self.unbridged(here, near) and not bank)
                )
                closed = "blocked" in features or self.board.terrain(near) == "water" or near in enemies
                if near not in path and not closed and not river:
                    yield from longer((*path, near))

        return longer((start,))

    def rank(self, unit: str, path: tuple[str, ...]) -> tuple[int, int]:
        """10.4.3, 10.4.5: the losses of a way, and how far its end is from a source."""
        side = self.units[unit].side
        losses = sum(label in self.watched(side) for label in path[1:])
        return losses, min(self.board.distance(path[-1], source) for source in self.sources[side])
