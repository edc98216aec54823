"""Terrain effects: what a step costs each arm, and what terrain does in combat."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexwar.board import ALL, CLOSED, MAX_BUDGET, Board, StepCosts, step_costs
from hexwar.errors import ContentError, UnknownName
from hexwar.mechanics.content import ChartFile, load_content

if TYPE_CHECKING:
    from hexwar.engine.rules import TextSource

CLOSED_OR_ALL = {"closed": CLOSED, "all": ALL}


@dataclass(frozen=True, slots=True)
class ArmCosts:
    """How one arm moves, in half points; `CLOSED` and `ALL` as in `hexwar.board`."""

    terrain: Mapping[str, int]
    sides: Mapping[str, int]
    links: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class TerrainChart:
    """A terrain effects chart.

    Args:
        arms: arm -> costs.
        bridges: links that bridge the hexsides they cross.
        shifts: terrain or kind of place -> combat columns, left is negative.
        halved_across: hexside features across which attackers are halved, bridge or no bridge.
        harmless: hexside features and links that have no effect; any other that the chart does not name is a mistake.
    """

    arms: Mapping[str, ArmCosts]
    bridges: frozenset[str]
    shifts: Mapping[str, int]
    halved_across: frozenset[str]
    harmless: frozenset[str] = frozenset()

    @classmethod
    def load(cls, file: TextSource) -> TerrainChart:
        """Read a chart from TOML.

        Raises:
            ContentError: naming the entry and the mistake.
        """
        chart = load_content(file, ChartFile)
        arms = {
            name: ArmCosts(
                {terrain: _half_points(price) for terrain, price in arm.terrain.items()},
                {side: _half_points(price) for side, price in arm.sides.items()},
                {link: _half_points(price) for link, price in arm.links.items()},
            )
            for name, arm in chart.arm.items()
        }
        return cls(arms, frozenset(chart.bridges), dict(chart.shifts), frozenset(chart.halved_across), frozenset(chart.harmless))

    def require_names(self, board: Board) -> None:
        """Fail if the board has a terrain, hexside or link that the chart does not know: a slip of the pen would close woods.

        Raises:
            ContentError: naming the board, a hex and the name.
        """
        terrains = {name for arm in self.arms.values() for name in arm.terrain}
        sides = {name for arm in self.arms.values() for name in arm.sides} | self.halved_across | self.harmless
        links = {name for arm in self.arms.values() for name in arm.links} | self.bridges | self.harmless
        for label in board.labels:
            if board.terrain(label) not in terrains:
                raise ContentError(board.id, f"hex {label}", _unknown("terrain", board.terrain(label), terrains))
        for side, features in board.content.sides.items():
            for name in sorted(features - sides):
                where = next((label for label in map(board.at, side.hexes) if label), "?")
                raise ContentError(board.id, f"hex {where}", _unknown("hexside", name, sides))
        for name in board.link_kinds:
            if name not in links:
                raise ContentError(board.id, f"hex {board.link_hexes(name)[0]}", _unknown("link", name, links))

    def is_bridged(self, board: Board, a: str, b: str) -> bool:
        """Whether a link carries across the side between two adjacent hexes."""
        return bool(board.links(a, b) & self.bridges)

    def cost(self, board: Board, arm: str, origin: str, target: str) -> int:
        """The half points of a step, before zones and without other rules."""
        costs = self.arms[arm]
        along = [costs.links[link] for link in board.links(origin, target) if link in costs.links]
        prices = [min(along) if along else costs.terrain.get(board.terrain(target), CLOSED)]
        if not self.is_bridged(board, origin, target):
            prices += [costs.sides.get(feature, 0) for feature in board.side(origin, target)]
        if CLOSED in prices:
            return CLOSED
        if ALL in prices:
            return ALL
        total = sum(prices)
        return total if total <= MAX_BUDGET else CLOSED

    def barrier(self, board: Board, arm: str, origin: str, target: str) -> str:
        """The feature of a hexside that an arm cannot cross there, or "" if nothing on the side stops it."""
        if self.is_bridged(board, origin, target):
            return ""
        sides = self.arms[arm].sides
        return next((feature for feature in sorted(board.side(origin, target)) if sides.get(feature) == CLOSED), "")

    def table(self, board: Board, arm: str, refine: Callable[[str, str, int], int]) -> StepCosts:
        """The costs of every step for an arm.

        Args:
            board: the board.
            arm: who moves.
            refine: last word on each step, given origin, target and cost.
        """
        return step_costs(board, lambda origin, target: refine(origin, target, self.cost(board, arm, origin, target)))


def _unknown(kind: str, name: str, known: set[str]) -> str:
    return str(UnknownName(f"{kind} of the terrain chart", name, sorted(known)))


def _half_points(price: float | str) -> int:
    return CLOSED_OR_ALL[price] if isinstance(price, str) else int(price * 2)
