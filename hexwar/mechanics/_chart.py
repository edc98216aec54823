"""Terrain effects: what a step costs each arm, and what terrain does in combat."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Set
from dataclasses import field

from hexwar.board import ALL, CLOSED, MAX_BUDGET, Board, StepCosts
from hexwar.engine import record
from hexwar.errors import ContentError, UnknownName
from hexwar.files import TextSource
from hexwar.mechanics._chartfile import ChartFile
from hexwar.pieces._content import load_content

CLOSED_OR_ALL = {"closed": CLOSED, "all": ALL}


@record
class ArmCosts:
    """How one arm moves, in half points; `CLOSED` and `ALL` as in `hexwar.board`."""

    terrain: Mapping[str, int]
    sides: Mapping[str, int]
    links: Mapping[str, int]

    @property
    def follows_links(self) -> bool:
        """Whether no terrain at all is open to it: then it goes along links and nowhere else."""
        return all(price == CLOSED for price in self.terrain.values())


@record
class TerrainChart:
    """A terrain effects chart.

    Args:
        arms: arm -> costs.
        bridges: links that bridge the hexsides they cross.
        shifts: terrain or kind of place -> combat columns, left is negative.
        halved_across: hexside features across which attackers are halved, bridge or no bridge.
        harmless: hexside features and links that have no effect; any other that the chart does not name is a mistake.
        lifts: bridging link -> the features that it lifts; a link that is not here lifts all.
        flat: kind of place -> half points to enter, in place of those for the terrain, which does not count there.
    """

    arms: Mapping[str, ArmCosts]
    bridges: frozenset[str]
    shifts: Mapping[str, int]
    halved_across: frozenset[str]
    harmless: frozenset[str] = frozenset()
    lifts: Mapping[str, frozenset[str]] = field(default_factory=dict)
    flat: Mapping[str, int] = field(default_factory=dict)

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
        tables = chart.bridges if isinstance(chart.bridges, dict) else {}
        made = cls(
            arms,
            frozenset(chart.bridges),
            dict(chart.shifts),
            frozenset(chart.halved_across),
            frozenset(chart.harmless),
            {link: frozenset(features) for link, features in tables.items()},
            {kind: _half_points(price) for kind, price in chart.flat.items()},
        )
        for link, features in tables.items():
            for name in features:
                if name not in made.sides:
                    raise ContentError(file.name, f"bridges.{link}", _unknown("hexside", name, made.sides))
        return made

    @property
    def sides(self) -> frozenset[str]:
        """The hexside features that the chart knows."""
        return self.halved_across | self.harmless | {name for arm in self.arms.values() for name in arm.sides}

    def require_names(self, board: Board) -> None:
        """Fail if the board has a terrain, hexside or link that the chart does not know: a slip of the pen would close woods.

        Raises:
            ContentError: naming the board, a hex and the name.
        """
        terrains = {name for arm in self.arms.values() for name in arm.terrain}
        sides = self.sides
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

    def is_bridged(self, board: Board, a: str, b: str, *features: str) -> bool:
        """Whether links carry across the side between two adjacent hexes.

        Args:
            board: the board.
            a: a hex.
            b: the next.
            features: what the links have to lift, all of it; if nothing is named, any bridge will do.
        """
        bridges = board.links(a, b) & self.bridges
        return bool(bridges) and all(any(feature in self.lifts.get(link, (feature,)) for link in bridges) for feature in features)

    def _unbridged(self, board: Board, a: str, b: str) -> list[str]:
        """The features of a side that no link lifts."""
        return [feature for feature in sorted(board.side(a, b)) if not self.is_bridged(board, a, b, feature)]

    def entry(self, board: Board, arm: str, target: str) -> int:
        """The half points of entering a hex whose side and links do not matter: what its place or its terrain asks."""
        costs, place = self.arms[arm], board.place(target)
        if place is not None and place.kind in self.flat and not costs.follows_links:
            return self.flat[place.kind]
        return costs.terrain.get(board.terrain(target), CLOSED)

    def shifts_at(self, board: Board, label: str) -> tuple[tuple[int, str], ...]:
        """The combat columns for a hex, each with the terrain or kind of place that gives it."""
        place = board.place(label)
        kind = place.kind if place else ""
        names = (kind,) if kind in self.flat else (board.terrain(label), kind)
        return tuple((self.shifts[name], name) for name in names if self.shifts.get(name))

    def cost(self, board: Board, arm: str, origin: str, target: str) -> int:
        """The half points of a step, before zones and without other rules."""
        costs = self.arms[arm]
        along = [costs.links[link] for link in board.links(origin, target) if link in costs.links]
        prices = [min(along) if along else self.entry(board, arm, target)]
        prices += [costs.sides.get(feature, 0) for feature in self._unbridged(board, origin, target)]
        if CLOSED in prices:
            return CLOSED
        if ALL in prices:
            return ALL
        total = sum(prices)
        return total if total <= MAX_BUDGET else CLOSED

    def barrier(self, board: Board, arm: str, origin: str, target: str) -> str:
        """The feature of a hexside that an arm cannot cross there, or "" if nothing on the side stops it."""
        sides = self.arms[arm].sides
        return next((feature for feature in self._unbridged(board, origin, target) if sides.get(feature) == CLOSED), "")

    def table(
        self,
        board: Board,
        arm: str,
        refine: Callable[[str, str, int], int] | None = None,
        guarded: Collection[tuple[int, int]] = frozenset(),
        closed: Set[str] = frozenset(),
    ) -> StepCosts:
        """The costs of every step for an arm.

        Args:
            board: the board.
            arm: who moves.
            refine: last word on each step, given origin, target and cost; the chart's own if there is none.
            guarded: the steps, from index and to index, that are closed from an enemy zone into an enemy zone.
            closed: the features of hexsides that are never crossed, bridge or no bridge.
        """
        examples, sorts = board.sorts
        barred = [bool(closed & board.side(*step)) for step in examples]
        prices = [CLOSED if never else self.cost(board, arm, *step) for step, never in zip(examples, barred, strict=True)]
        prices.append(CLOSED)  # where there is no step, its sort is -1
        tables = [bytearray(map(prices.__getitem__, table)) for table in sorts]
        for kinds, table, (indices, origins, targets) in zip(sorts, tables, board.steps, strict=True) if refine else ():
            assert refine is not None
            printed = [*map(table.__getitem__, indices)]
            said = [*map(refine, origins, targets, printed)]
            # Most steps cost what the chart says, and in most games all of them do.
            for i, cost, origin, target in zip(indices, said, origins, targets, strict=True) if said != printed else ():
                if not barred[kinds[i]]:
                    if cost < 0:
                        raise ValueError(f"the step from {origin} to {target} costs {cost}; half points begin at 0")
                    table[i] = min(cost, CLOSED)
        return StepCosts(board, tables, guarded)


def _unknown(kind: str, name: str, known: Set[str]) -> str:
    return str(UnknownName(f"{kind} of the terrain chart", name, sorted(known)))


def _half_points(price: float | str) -> int:
    return CLOSED_OR_ALL[price] if isinstance(price, str) else int(price * 2)
