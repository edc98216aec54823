"""A tiny game without a rulebook of its own: random boards, eight counters and every topic under one clause.

The mechanics are tested on it against slow references, so nothing here is taken from the mechanics' own shortcuts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

import networkx as nx
from hypothesis import strategies as st

from hexwar.board import ALL, Board, load_map
from hexwar.engine import Clause, Hooks, Part, Play, Position, RuleIndex, SeededChance, SequenceOfPlay, Setup, part, state
from hexwar.mechanics import (
    ArmCosts,
    CombatWorld,
    HexState,
    Layout,
    LineTerms,
    Movement,
    PursuitRules,
    RetreatRules,
    Stacking,
    Supply,
    TableCombat,
    TerrainChart,
    Zones,
    ZoneTerms,
    stack,
)
from hexwar.mechanics._supply import Ways
from hexwar.pieces import ChitState, CombatTable, Face, Outcome, Unit, Why
from hexwar.testing.strategies import placements
from tests.board.strategies import boards

CLOSED = 255
TOPICS = (
    "activation", "arrival", "arrival.hex", "combat", "combat.odds", "combat.once", "combat.river", "combat.strength",
    "combat.table", "combat.terrain", "control", "losses", "move", "move.cost", "move.enemy", "move.side", "move.zone",
    "pursuit", "pursuit.far", "retreat", "retreat.best", "retreat.none", "retreat.zone", "stacking", "supply", "supply.check",
)  # fmt: skip
CITE = {topic: f"clause {topic}" for topic in TOPICS}

CHART = TerrainChart(
    arms={
        "foot": ArmCosts({"clear": 2, "forest": 3, "marsh": ALL}, {"river": 2, "wall": CLOSED}, {"road": 1}),
        "tracks": ArmCosts({"clear": 2, "forest": 4}, {"river": CLOSED, "wall": ALL}, {"road": 1, "rail": 2}),
    },
    bridges=frozenset({"road"}),
    shifts={"forest": -1, "fort": -2},
    halved_across=frozenset({"river"}),
)


def _unit(unit_id: str, side: str, arm: str, command: int = 0) -> Unit:
    faces = (Face(0, 1, 5),) if command else (Face(2, 2, 5), Face(4, 4, 6))
    return Unit(unit_id, f"unit {unit_id}", side, arm, faces, command=command)


UNITS = {
    unit.id: unit
    for side in ("blue", "red")
    for unit in (
        _unit(f"{side[0]}1", side, "foot"),
        _unit(f"{side[0]}2", side, "foot"),
        _unit(f"{side[0]}3", side, "tracks"),
        _unit(f"{side[0]}Q", side, "foot", 2),
    )
}
BLUE = tuple(unit for unit, of in UNITS.items() if of.side == "blue")
RED = tuple(unit for unit, of in UNITS.items() if of.side == "red")

TABLE = CombatTable(
    {"1:2": Fraction(1, 2), "1:1": Fraction(1), "3:2": Fraction(3, 2), "2:1": Fraction(2)},
    {roll: tuple(Outcome(name) for name in row) for roll, row in enumerate(("ABCD", "BCDA", "CDAB"), 1)},
)


def plain_board(columns: int = 7, rows: int = 7, terrain: Mapping[str, str] | None = None, more: str = "") -> Board:
    """A board of clear hexes, column by column, even columns half a hex higher; hex -> "f"orest or "m"arsh."""
    picture = [["."] * columns for _ in range(rows)]
    for label, letter in (terrain or {}).items():
        picture[int(label[2:]) - 1][int(label[:2]) - 1] = letter
    text = "\n".join(" ".join(row) for row in picture)
    return load_map(
        f"""format = 1
id = "plain"
grid = {{ layout = "columns", columns = {columns}, rows = {rows}, shifted = "even", shift = "up" }}
[terrain]
legend = {{ "." = "clear", "f" = "forest", "m" = "marsh" }}
rows = '''
{text}
'''
{more}
"""
    )


@state
class SampleState(HexState, ChitState):
    """All that the mechanics bring."""


At: TypeAlias = Position


class SampleRetreat(RetreatRules):
    """Straight away, two hexes farther over full stacks; where a friend stands, no zone hurts."""

    overflow = 2

    def why_not_into(self, at: Position, unit: str, path: tuple[str, ...], label: str) -> Why | None:
        away = self.world.board.distance(path[0], label) == len(path)
        why = super().why_not_into(at, unit, path, label)
        return why if why or away else ("retreat", f"{label} does not lead away from {path[0]}")

    def hurts(self, at: Position, unit: str, label: str) -> bool:
        return super().hurts(at, unit, label) and not stack(at, label)


class SamplePursuit(PursuitRules):
    """Tracks pursue three hexes."""

    def hexes(self, arm: str) -> int:
        return {"foot": 1, "tracks": 3}[arm]


class SampleZones(Zones):
    """No zone extends into marsh."""

    enter, leave = 2, 1

    def extends(self, origin: str, target: str) -> bool:
        return self.world.board.terrain(target) != "marsh"


class SampleStacking(Stacking):
    most = 2

    def limit(self, side: str, label: str) -> int:
        return self.most


class SampleMovement(Movement):
    whole = "free"
    detouring = False

    def zone_terms(self, at: Position, unit: str) -> ZoneTerms:
        return self.usual_terms._replace(whole={"free": ""}.get(self.whole, self.whole))

    def prizes(self, at: Position) -> frozenset[int]:
        return self.world.controlled_hexes if self.detouring else frozenset()


class SampleWorld(CombatWorld):
    zones = part(SampleZones)
    stacking = part(SampleStacking)
    movement = part(SampleMovement)
    combat = part(TableCombat)
    retreat: part[RetreatRules] = part(SampleRetreat)
    pursuit = part(SamplePursuit)


def world(
    board: Board,
    *,
    stacking: int = 2,
    enter: int = 2,
    leave: int = 1,
    hooks: Hooks | None = None,
    parts: Mapping[str, type[Part]] | None = None,
    shelters: tuple[str, ...] = (),
    whole_steps: str = "free",
    closed_sides: Mapping[str, tuple[str, ...]] | None = None,
) -> SampleWorld:
    """A world on a board."""
    setup = Setup(
        ruleset="sample",
        version="1",
        scenario="",
        options={},
        seats={"blue": "blue", "red": "red"},
        rules=RuleIndex(Clause(clause, topic) for topic, clause in CITE.items()),
        hooks=hooks or Hooks(),
        parts={"house": parts or {}},
    )
    made = SampleWorld(setup, SequenceOfPlay(), board=board, units=UNITS, chart=CHART, cite=CITE, boxes=("pool",))
    made.stacking.most = stacking
    made.zones.enter, made.zones.leave, made.zones.shelters = enter, leave, frozenset(shelters)
    made.movement.whole = whole_steps
    made.movement.closed_sides = {side: frozenset(features) for side, features in (closed_sides or {}).items()}
    made.table = TABLE
    return made


def position(of: SampleWorld, at: Mapping[str, str], reduced: Iterable[str] = ()) -> At:
    """A position of that world."""
    made = SampleState(layout=Layout(of.basis))
    for unit, label in at.items():
        made.steps_left = {**made.steps_left, unit: 1 if unit in reduced else UNITS[unit].steps}
        made.put(unit, label)
    return Position(of, made)


def play(at: At) -> Play:
    """The same position, ready for something to happen in it."""
    return Play(at.world, at.state, SeededChance(1))


_NEAR = st.sampled_from((True, True, True, False))
_LEAST = st.sampled_from((2, 2, 2, 0))
_REDUCED = st.sets(st.sampled_from([unit for unit in UNITS if UNITS[unit].steps > 1]))


@st.composite
def positions(draw: st.DrawFn, /, **more: Any) -> At:
    """A random position on a random board, some units reduced. Most stand close together, because far apart nothing happens."""
    of = world(draw(boards(max_columns=6, max_rows=6)), **more)
    where = placements(of, near_contact=draw(_NEAR), min_units=draw(_LEAST), max_units=len(BLUE), anywhere=True, boxes=("pool",))
    return position(of, draw(where), draw(_REDUCED))


# -- the slow truth --------------------------------------------------------------------------------------------------------


def side_at(at: At, label: str) -> str | None:
    """Who stands in a hex."""
    return next((UNITS[unit].side for unit, there in at.state.locations.items() if there == label), None)


def units_in(at: At, label: str) -> list[str]:
    """Which units stand in a hex."""
    return [unit for unit, there in at.state.locations.items() if there == label]


def zone(at: At, side: str) -> set[str]:
    """The hexes in a zone of control of the other side."""
    board = at.world.board
    return {
        near
        for unit, label in at.state.locations.items()
        if UNITS[unit].side != side and label in board
        for near in board.graph.neighbors(label)
        if board.terrain(near) != "marsh"
    }


def open_steps(at: At, arm: str, price: Callable[[str, str], int]) -> nx.DiGraph[str]:
    """A graph of the steps that the ground allows, each with its price."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(at.world.board.graph)
    for a, b in at.world.board.graph.edges:
        for origin, target in ((a, b), (b, a)):
            if price(origin, target) != CLOSED:
                graph.add_edge(origin, target, price=price(origin, target))
    return graph


def price_of(board: Board, arm: str) -> Callable[[str, str], int]:
    """The price of a step as the chart above says it in words: link, else terrain; plus sides, unless a road bridges them."""
    costs = CHART.arms[arm]

    def price(origin: str, target: str) -> int:
        edge = board.graph.edges[origin, target]
        on_link = [costs.links[link] for link in edge["links"] if link in costs.links]
        parts = [min(on_link)] if on_link else [costs.terrain.get(board.graph.nodes[target]["terrain"], CLOSED)]
        if "road" not in edge["links"]:
            parts += [costs.sides[feature] for feature in edge["side"] if feature in costs.sides]
        if CLOSED in parts:
            return CLOSED
        return ALL if ALL in parts else sum(parts)

    return price


def standing(at: At, *arms: str) -> list[str]:
    """The units on the board, of some arms."""
    return [
        unit for unit, label in at.state.locations.items() if label in at.world.board and (not arms or UNITS[unit].arm in arms)
    ]


class SampleSupply(Supply):
    """Lines by parameters: what games say by overriding."""

    def __init__(
        self,
        world: CombatWorld,
        sources: Mapping[str, tuple[str, ...]],
        closed_terrain: tuple[str, ...] = (),
        closed_sides: tuple[str, ...] | Mapping[str, tuple[str, ...]] = (),
        by_link: Mapping[str, str] | None = None,
        leaves_watched_sources: bool = False,
        rail: Mapping[str, Mapping[str, int]] | None = None,
    ) -> None:
        super().__init__(world)
        self.sources = sources
        self.closed_terrain, self.closed_sides = closed_terrain, closed_sides
        self.by_link, self.leaves, self.rail = by_link or {}, leaves_watched_sources, rail or {}

    def terms(self, side: str) -> LineTerms:
        board, sides = self.world.board, self.closed_sides
        features = sides.get(side, ()) if isinstance(sides, Mapping) else sides
        bound = {link: board.terrain_mask(terrain) for terrain, link in self.by_link.items()}
        walls = (board.walls(*features),) if features else ()
        return LineTerms(board.terrain_mask(*self.closed_terrain), walls, bound, self.rail.get(side, {}))

    def ways(self, at: Position, side: str, without: str = "") -> Ways:
        found = super().ways(at, side, without)
        return found._replace(starts=found.sources) if self.leaves else found


def supply(at: At, **more: Any) -> SampleSupply:
    """Supply from the first hexes of the board for Blue and from its last for Red, unless other sources are named."""
    labels = at.world.board.labels
    return SampleSupply(at.world, **{"sources": {"blue": labels[:2], "red": labels[-2:]}, **more})


class TextFile:
    """A content file that exists only in a test."""

    def __init__(self, text: str, name: str = "test.toml") -> None:
        self.text = text
        self.name = name

    def read_text(self, encoding: str | None = None) -> str:
        return self.text
