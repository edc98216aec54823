"""The table, the units on it, and what is asked of both: distances, sight, cover, ways."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from functools import cached_property
from importlib.resources import files
from typing import Any, Final, NamedTuple, TypeAlias

from hexwar import load_board
from hexwar.board import PlaneBoard
from hexwar.engine import Play, Position, RuleIndex, SequenceOfPlay, Setup
from hexwar.errors import ContentError, UnknownName
from hexwar.pieces import PieceWorld, check_content
from hexwar.plane import Breach, Class, Field, Look, Placed, Sight, Spot, Terrain, Ways, contains, gap2, meets, overlap, within
from hexwar_bkc.content import ArmiesFile, Model, ScenarioKeys, load_armies, roster, why_not_battlegroup
from hexwar_bkc.state import BkcState

DATA = files(__package__) / "data"
RULES = RuleIndex.load(DATA / "rules.toml")

CM: Final = 100
"""Units of the table in a centimetre."""
REACTION: Final = 20 * CM
"""react.1: how near an enemy must be."""
LOOK_IN: Final = 5 * CM
"""los.6: how far one sees into limiting terrain."""

WATER: Final = frozenset({"river", "lake"})
"""terrain.9, terrain.10, water.1."""
MIRE: Final = frozenset({"marsh", "mud", "sand", "snow"})
"""command.19: what is heavy for everybody."""
AREAS: Final = frozenset({"wood", "dense", "hill", "built-up", "rough", "field", "ice", "cliff", "bunker"}) | WATER | MIRE
LINES: Final = frozenset({"road", "track", "bridge", "ford", "wall", "hedge", "bocage", "stream", "trench"})
MINES: Final = "mines"
FIELDWORKS: Final = frozenset({"wire", "traps", "ditch", MINES, "dummy-mines"})
"""terrain.13: what a table has only with the option of that name."""
REACH: Final = dict.fromkeys(("wood", "dense", "hill", "built-up", "rough", *sorted(MIRE)), LOOK_IN) | {"smoke": 0}
"""los.6, los.8: heavy terrain, woods, hills and built-up areas limit sight; smoke is not looked into at all."""
SCREENS: Final = frozenset({"wall", "hedge", "bocage"})
"""los.9."""
COVER: Final = frozenset({"wood", "dense", "built-up", "rough", "bunker"}) | WATER
"""hit.2: areas that give cover to the units in them."""
COVER_LINES: Final = frozenset({"wall", "hedge", "bocage", "trench", "ditch"})
ROADS: Final = frozenset({"road", "bridge", "ford"})

_NEVER = WATER | {"cliff"}
_CLOSE = _NEVER | {"marsh", "dense"}
_ROUGH = _CLOSE | {"built-up", "wood", "rough", "field"}
_OPEN = frozenset({"road", "track", "bridge", "ford"})
_LOW = frozenset({"wall", "hedge"})
_HIGH = _LOW | {"bocage"}
_WADED = frozenset({"stream"})
CLASSES: Final[Mapping[str, Class]] = {
    "foot": Class(_NEVER, _LOW | _WADED | {"ditch"}, frozenset({"bocage", "wire"}), _OPEN),
    "boat": Class(frozenset({"cliff"}), _LOW | _WADED | {"ditch"}, frozenset({"bocage", "wire"}), _OPEN),
    "command": Class(_NEVER, _LOW | _WADED | {"ditch"}, frozenset({"bocage", "wire"}), _OPEN),
    "horse": Class(_CLOSE, _WADED | {"ditch"}, _HIGH | {"wire"}, _OPEN),
    "gun": Class(_CLOSE, _WADED, _HIGH | FIELDWORKS, _OPEN),
    "track": Class(_CLOSE | {"built-up"}, _LOW | _WADED | {"wire"}, frozenset({"bocage", "traps", "ditch"}), _OPEN),
    "cutter": Class(_CLOSE | {"built-up"}, _HIGH | _WADED | {"wire"}, frozenset({"traps", "ditch"}), _OPEN),
    "motorcycle": Class(_ROUGH, _WADED, _HIGH | FIELDWORKS, _OPEN),
    "truck": Class(_ROUGH, _WADED, _HIGH | FIELDWORKS, _OPEN),
}
"""terrain.2 to terrain.12, water.1: what each class of movement can cross; boats are infantry with assault boats, cutters armour
of 1944 that crosses bocage."""

BLOCKING: Final = frozenset({"armour", "cavalry", "transport"})
"""los.10: types that block the sight of others."""

CITE: Final = {
    "acting": "command.22",
    "reaction": "react.1",
    "move": "command.22",
    "move.path": "move.3",
    "move.length": "move.3",
    "move.table": "move.3",
    "move.shut": "terrain.7",
    "move.shut.river": "terrain.9",
    "move.shut.marsh": "terrain.7",
    "move.shut.wood": "terrain.5",
    "move.shut.rough": "terrain.5",
    "move.shut.built-up": "terrain.13",
    "move.shut.gap": "move.5",
    "move.shut.lake": "terrain.10",
    "move.shut.cliff": "terrain.12",
    "move.shut.dense": "terrain.7",
    "move.shut.field": "terrain.5",
    "move.barred.bocage": "terrain.3",
    "move.barred.wire": "terrain.13",
    "move.barred.traps": "terrain.13",
    "move.barred.ditch": "terrain.13",
    "move.line.wire": "terrain.13",
    "move.line.ditch": "terrain.13",
    "move.dug-in": "move.6",
    "clear": "terrain.13",
    "move.barred": "terrain.2",
    "move.line": "move.4",
    "move.line.stream": "terrain.8",
    "move.again": "command.25",
    "move.enemy": "move.8",
    "move.friend": "move.7",
    "move.contact": "charge.2",
    "order": "command.3",
    "execute": "command.4",
    "again": "command.25",
    "command-move": "command.36",
    "join": "cmdunit.3",
    "counter": "react.23",
    "bail": "ko.5",
    "schedule": "sched.4",
    "call": "artillery.3",
    "combat": "cc.1",
    "aftermath": "cc.18",
    "flee": "flee.2",
    "break-off": "cc.20",
    "turn": "cc.19",
    "pursue": "pursue.1",
    "move.fight": "charge.1",
}
"""Topics -> clauses, for refusals of ways."""


class Ground(NamedTuple):
    """The table as it is now.

    Args:
        terrain: what lies on it.
        ways: over it.
        sight: on it.
        fields: what units see on it, by their poses.
    """

    terrain: Terrain
    ways: Ways
    sight: Sight
    fields: dict[Any, tuple[Mapping[str, Placed], Field, Field]]


class BkcWorld(PieceWorld):
    """Table, units and scenario."""

    board: PlaneBoard
    units: Mapping[str, Model]

    def __init__(self, setup: Setup, sequence: SequenceOfPlay) -> None:
        self.board = setup.board or load_board(f"bkc/{BOARDS[setup.scenario]}", kind=PlaneBoard)
        known = AREAS | LINES | (FIELDWORKS if setup.options.get("fieldworks") else frozenset())
        self.terrain = Terrain.of(self.board, known)
        self.armies = load_armies()
        self.has_orders = setup.scenario != "training"
        """Whether units act by order; in the training scenario each acts once a turn without."""
        sides = tuple(dict.fromkeys(setup.seats.values()))
        self.keys = _keys(self.board, self.terrain, sides, self.armies)
        units = roster(self.armies, self.keys, sides, ARMIES, self.has_orders)
        super().__init__(setup, sequence, units=units, cite=CITE)
        self.last_turn = self.keys.turns
        self.order = (self.keys.first, *(side for side in self.sides if side != self.keys.first))
        """The sides in the order in which they take their turns."""
        self._grounds: dict[Any, Ground] = {}

    def content_parts(self) -> tuple[object, ...]:
        """Units, table and scenario."""
        return (*super().content_parts(), self.board.digest)

    # -- where units are

    def stands(self, state: Any, unit: str) -> bool:
        """Whether a unit is on the table, carried or not."""
        return unit in state.spots or unit in state.aboard

    def ground(self, state: Any) -> Ground:
        """The table with the smoke and the breaches of a position."""
        key = state.smoke, state.gaps
        found = self._grounds.get(key)
        if found is None:
            if len(self._grounds) > 20:
                self._grounds.clear()
            breaches = [Breach(gap.line, gap.at, gap.width) for gap in state.gaps]
            changed = self.terrain.changed(smoke=[cloud.ring for cloud in state.smoke], breaches=breaches)
            terrain = changed if state.smoke or state.gaps else self.terrain
            found = Ground(terrain, Ways(terrain, CLASSES), Sight(terrain, REACH, SCREENS, ("hill",)), {})
            self._grounds[key] = found
        return found

    @cached_property
    def bare_ways(self) -> Ways:
        """Ways over the table as it is in its file."""
        return Ways(self.terrain, CLASSES)

    def start(self) -> dict[str, tuple[Spot, int]]:
        """Where units begin: in rows, the first rank nearest to the enemy, looking away from their own edge."""
        found: dict[str, tuple[Spot, int]] = {}
        for side in self.sides:
            ring, edge = self.keys.deploy[side], self.keys.edges[side]
            xs, ys = [x for x, _ in ring], [y for _, y in ring]
            heading = {"south": 0, "west": 90, "north": 180, "east": 270}[edge]
            units = [unit for unit in self.of_side[side] if self.units[unit].type != "artillery"]  # artillery.2
            ahead = min(ys) + 300 if edge == "south" else max(ys) - 300
            step = 450 if edge == "south" else -450
            across = [min(xs) + (max(xs) - min(xs)) * (2 * number + 1) // 20 for number in range(10)]
            order = sorted(range(10), key=lambda number: abs(2 * number - 9))
            spots = [(across[number], ahead + row * step) for row in range(8) for number in order]
            for unit in units:
                spot = next(spot for spot in spots if self._is_free(unit, spot, heading, found))
                found[unit] = spot, heading
        return found

    def dug_in(self) -> tuple[str, ...]:
        """fall.8: the units that begin dug in: the first infantry, machine guns and guns of a side."""
        found: list[str] = []
        for side, number in self.keys.dug_in.items():
            able = [unit for unit in self.of_side.get(side, ()) if self.units[unit].type in ("infantry", "mg", "gun")]
            found += able[:number]
        return tuple(found)

    def _is_free(self, unit: str, spot: Spot, heading: int, placed: Mapping[str, tuple[Spot, int]]) -> bool:
        me = Placed(*spot, heading, self.units[unit].base)
        if spot not in self.terrain or self.bare_ways.is_shut(self.units[unit].arm, spot):
            return False
        others = [Placed(*there, looks, self.units[other].base) for other, (there, looks) in placed.items()]
        return not any(within(me.corners, other.corners, 50) for other in others)

    def edge_point(self, side: str, spot: Spot) -> Spot:
        """The point of a side's own edge that is nearest to a point."""
        x, y = spot
        edges = {"south": (x, self.board.height), "north": (x, 0), "west": (0, y), "east": (self.board.width, y)}
        return edges[self.keys.edges[side]]


At: TypeAlias = "Position[BkcState, BkcWorld]"
Doing: TypeAlias = "Play[BkcState, BkcWorld]"

BOARDS: Final = {"training": "training", "orders": "training", "mokra": "mokra", "bzura": "bzura"}
"""Scenario -> its table."""
ARMIES: Final = {"poland": "poland_1939", "germany": "germany_1939"}
"""Side -> its army list."""


def _keys(board: PlaneBoard, terrain: Terrain, sides: tuple[str, ...], armies: ArmiesFile) -> ScenarioKeys:
    """What the table file says of the battle, checked."""
    keys = check_content(f"{board.id}, scenario", board.scenario, ScenarioKeys)
    source = f"{board.id}, scenario"
    said = {"edges": {*keys.edges}, "deploy": {*keys.deploy}, "units": {*keys.units, *keys.battlegroups, *keys.battlegroup}}
    for name, known in said.items():
        for side in sides:
            if side not in known:
                raise ContentError(source, name, f"says nothing of {side}; each side needs it")
    if keys.first not in sides:
        raise ContentError(source, "first", str(UnknownName("side", keys.first, sides)))
    for side, group in keys.battlegroup.items():
        if wrong := why_not_battlegroup(armies, group, keys.budgets.get(side, keys.points)):
            raise ContentError(source, f"battlegroup of {side}", "; ".join(wrong))
    for side, name in keys.battlegroups.items():
        if name not in armies.battlegroup:
            raise ContentError(source, f"battlegroup of {side}", str(UnknownName("battlegroup", name, armies.battlegroup)))
    for objective in keys.objective:
        where = f"objective of {objective.side}"
        if objective.side not in sides:
            raise ContentError(source, where, str(UnknownName("side", objective.side, sides)))
        if objective.hold and terrain.named(objective.hold) is None:
            places = [area.name for area in terrain.areas if area.name]
            raise ContentError(source, where, str(UnknownName("place", objective.hold, places)))
    return keys


# -- what is asked of a position ------------------------------------------------------------------------------------------------


def terrain_of(at: At) -> Terrain:
    """What lies on the table now."""
    return at.world.ground(at.state).terrain


def ways_of(at: At) -> Ways:
    """Ways over the table as it is now."""
    return at.world.ground(at.state).ways


def bearer(at: At, unit: str) -> str:
    """What carries a unit, or the unit itself."""
    return at.state.aboard.get(unit, unit)


def placed(at: At, unit: str) -> Placed:
    """Where a unit stands, or what carries it."""
    unit = bearer(at, unit)
    (x, y), heading = at.state.spots[unit], at.state.headings[unit]
    return Placed(x, y, heading, at.world.units[unit].base)


def in_contact(at: At, unit: str) -> bool:
    """charge.1: whether a unit is in close combat, supporting included."""
    state = at.state
    if not state.contacts and not state.supports:
        return False
    return unit in state.supports or unit in state.contacts or any(enemy == unit for enemy, _ in state.contacts.values())


def enemies_of(at: At, side: str) -> list[str]:
    """The enemy's units on the table that can be attacked (cmdunit.1: command units cannot)."""
    return [unit for unit in at.state.spots if at.world.units[unit].side != side and not at.world.units[unit].commands]


def _seen(at: At) -> tuple[Mapping[str, Placed], Field, Field]:
    """Where all units stand, sight between them, and the same for shooters who may not fire over units; kept by their poses."""
    known: tuple[Mapping[str, Placed], Field, Field] | None = at.memo.get("seen")
    if known is not None:
        return known
    state, world = at.state, at.world
    ground = world.ground(state)
    key = (*state.spots.items(), *state.headings.values())
    found = ground.fields.get(key)
    if found is None:
        if len(ground.fields) > 200:
            ground.fields.clear()
        spots = {unit: placed(at, unit) for unit in state.spots}
        arcs = {unit: world.units[unit].view for unit in spots}
        blocking = [unit for unit in spots if world.units[unit].type in BLOCKING]
        others = [unit for unit in spots if not world.units[unit].commands]
        found = spots, ground.sight.field(spots, arcs, blocking), ground.sight.field(spots, arcs, others)
        ground.fields[key] = found
    at.memo["seen"] = found
    return found


def field_of(at: At) -> Field:
    """What all units on the table see."""
    return _seen(at)[1]


def sees(at: At, unit: str, other: str) -> bool:
    """los.1: whether one unit sees another."""
    return _seen(at)[1].sees(bearer(at, unit), bearer(at, other))


def visible(at: At, unit: str) -> tuple[str, ...]:
    """los.11: the enemies that a unit sees."""
    return _seen(at)[1].seen_by(bearer(at, unit), enemies_of(at, at.world.units[unit].side))


def sight_between(at: At, unit: str, other: str) -> Look:
    """What one unit sees of another, and what is in the way."""
    return _seen(at)[1].look(bearer(at, unit), bearer(at, other))


def moved(at: At, unit: str, there: Placed) -> At:
    """The position as it would be with a unit elsewhere; nothing happens."""
    state = copy.copy(at.state)
    state.spots = {**state.spots, unit: there.centre}
    state.headings = {**state.headings, unit: there.heading}
    return Position(at.world, state)


def can_fire_past(at: At, unit: str, target: str) -> bool:
    """fire.9, fire.10: whether no unit is in the way of a shooter that may not fire over units."""
    model = at.world.units[unit]
    flies_over = model.type == "armour" or model.indirect or unit in at.state.aboard
    return flies_over or _seen(at)[2].sees(unit, bearer(at, target))


def is_within(at: At, unit: str, other: str, limit: int) -> bool:
    """fire.3: whether the gap between two bases is no wider than a limit."""
    spots = _seen(at)[0]
    me, it = spots[bearer(at, unit)], spots[bearer(at, other)]
    return me.may_touch(it, limit) and within(me.corners, it.corners, limit)


def nearest(at: At, unit: str, others: Iterable[str]) -> tuple[str, ...]:
    """The nearest of some units by the gap between bases; several if they are equally near."""
    spots = _seen(at)[0]
    me = spots[bearer(at, unit)]
    found: list[str] = []
    least = 0, 1
    for other in others:
        num, den = gap2(me.corners, spots[bearer(at, other)].corners)
        if not found or num * least[1] < least[0] * den:
            found, least = [other], (num, den)
        elif num * least[1] == least[0] * den:
            found.append(other)
    return tuple(found)


def in_cover(at: At, unit: str, shooters: Iterable[str]) -> bool:
    """hit.2: whether a unit is dug in, in a wood, a village or rough ground, or touches a wall that a shot crosses."""
    if unit in at.state.dug_in:
        return True
    me, terrain = placed(at, unit), terrain_of(at)
    if any(area.kind in COVER - WATER for area in terrain.areas_of(me)) or is_afloat(at, unit):
        return True
    touched = [terrain.lines[number] for number in terrain.touched(me) if terrain.lines[number].kind in COVER_LINES]
    eyes = [placed(at, shooter).eye for shooter in shooters]
    return any(meets(eye, me.centre, *leg) for line in touched for leg in line.legs for eye in eyes)


def blockers(at: At, unit: str) -> list[Placed]:
    """move.7, move.9, cmdunit.4: the units through which a unit does not move; only other command units stop at command units."""
    units, mine = at.world.units, at.world.units[unit]
    return [
        placed(at, other)
        for other in at.state.spots
        if units[other].side != mine.side and (mine.commands or not units[other].commands)
    ]


def has_room(at: At, unit: str, there: Placed) -> bool:
    """Whether a unit could stand somewhere: on the table, on ground that is open to it, and on no other unit."""
    arm = at.world.units[unit].arm
    return there.centre in terrain_of(at) and not ways_of(at).is_shut(arm, there.centre) and not is_free(at, unit, there)


def in_bunker(at: At, unit: str) -> bool:
    """hit.3: whether a unit is in fortifications."""
    return any(area.kind == "bunker" for area in terrain_of(at).areas_of(placed(at, unit)))


def is_afloat(at: At, unit: str) -> bool:
    """water.4: whether a unit is on the water, and neither on a bridge nor in a ford."""
    me, terrain = placed(at, unit), terrain_of(at)
    wet = any(area.kind in WATER and contains(area.ring, me.centre) for area in terrain.areas)
    return wet and not terrain.on(me, ROADS)


def in_open(at: At, unit: str) -> bool:
    """Whether a unit has no cover from the ground around it."""
    return not in_cover(at, unit, ())


def is_free(at: At, unit: str, there: Placed) -> str:
    """On which unit the base of another would lie; "" if on none."""
    for other, it in _seen(at)[0].items():
        if other != unit and there.may_touch(it) and overlap(there.corners, it.corners):
            return other
    return ""
