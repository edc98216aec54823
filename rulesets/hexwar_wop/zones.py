"""10.1 to 10.5: zones of control; 3.7 and 3.8: where lines of supply and command run."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property, reduce
from operator import and_, or_
from typing import TYPE_CHECKING

from hexwar.board import Walls
from hexwar.engine import Position
from hexwar.mechanics import ChangingZones, Command, HexState, Supply
from hexwar_wop.content import AIR, HEADQUARTERS, RIVER

if TYPE_CHECKING:
    from hexwar_wop.world import Counter, WopWorld

LARGE_RIVER = "large-river"
WEAK = 2
"""10.2.3.a: a stack of no more strength has no zone."""
WITHOUT_ZONES = (RIVER, AIR, HEADQUARTERS)
"""10.2.1, 10.2.3.b: what adds no strength to a stack."""


class WopZones(ChangingZones):
    """10.1 to 10.3: a stack that is strong enough covers the hexes around it, whatever enemy zones do (10.5)."""

    world: WopWorld

    def covered(self, state: HexState, label: str) -> int:
        """10.1, 10.2.3.a."""
        return self._over(label) if self.strength(state, label) > WEAK else 0

    def _over(self, label: str) -> int:
        """The mask of the hexes around a hex over which a zone extends from there."""
        found = self._known.get(label)
        if found is None:
            board = self.world.board
            found = self._known[label] = board.mask([near for near in board.neighbours(label) if self.extends(label, near)])
        return found

    @cached_property
    def _stops(self) -> tuple[int, Walls]:
        """The mask of the hexes that zones enter, and the hexsides that none crosses."""
        world, board = self.world, self.world.board
        shut = [name for name, feature in world.hexsides.items() if not feature.zoc_crosses]
        open_ground = board.terrain_mask(*[ground.id for ground in world.terrain.values() if ground.zoc_enters])
        return open_ground, board.walls(*shut, unless_link=board.link_kinds)

    @cached_property
    def _known(self) -> dict[str, int]:
        return {}

    def strength(self, state: HexState, label: str) -> int:
        """10.2.a: what the units in a hex have together at their present levels.

        River and air units, headquarters (10.2.1), what is loaded (10.2.2, 18.8) and markers, which are no units (10.2.4), apart.
        """
        loaded: Collection[str] = state.loaded  # type: ignore[attr-defined]  # the state of this game
        units, levels = self.world.units, state.steps_left
        counted = [unit for unit in state.layout.stacks[label] if unit not in loaded and units[unit].arm not in WITHOUT_ZONES]
        return sum([units[unit].faces[levels[unit] - 1].defence for unit in counted])

    def extends(self, origin: str, target: str) -> bool:
        """10.3.b: the terrain table says where a zone stops, wherever it comes from; bridges carry it over a hexside."""
        board, (ground, walls) = self.world.board, self._stops
        return bool(ground >> board.index(target) & 1) and not walls[board.direction(origin, target)] >> board.index(origin) & 1


class WopSupply(Supply):
    """3.1, 3.2: bases, and what roads and railways connect to them."""

    world: WopWorld

    @cached_property
    def sources(self) -> Mapping[str, tuple[str, ...]]:
        """3.1: the bases that the scenario names, or those of the map."""
        own = self.world.scenario.bases
        return {side: tuple(own[side]) for side in self.world.sides} if own else super().sources

    def troops(self, at: Position, side: str) -> int:
        """The mask of the hexes in which a side has units; headquarters do not count."""
        kept, key = at.state.layout.memo, ("troops", side)
        found: int | None = kept.get(key)
        if found is None:
            found = kept[key] = at.state.layout.held[side] & ~self._alone(at, side)
        return found

    def _alone(self, at: Position, side: str) -> int:
        """The mask of the hexes in which only headquarters of a side stand."""
        board, stacks, places = self.world.board, at.state.layout.stacks, at.state.locations
        leaders = self.world.headquarters[side]
        hexes = {label for leader in leaders if (label := places.get(leader)) in board.indices}
        return board.mask([label for label in hexes if all(unit in leaders for unit in stacks[label])])

    def open_to(self, at: Position, side: str) -> int:
        """3.2.b, 3.8.1, 3.8.2, 10.4.a, 10.11: the mask of the hexes through which a line of a side may run.

        Lone enemy headquarters count for nothing (3.2.c, 3.9), and a unit of the side cancels enemy zones where it stands.
        """
        kept, key = at.state.layout.memo, ("open", side)
        found: int | None = kept.get(key)
        if found is None:
            [enemy] = self.world.enemies(side)  # 1.1: there are two
            watched: int = at.state.layout.threatened[side] & ~self.troops(at, side)
            found = kept[key] = self.world.board.everywhere & ~self.troops(at, enemy) & ~watched
        return found

    def network(self, at: Position, side: str, *routes: str) -> int:
        """3.2.a, 3.2.b: the hexes that routes connect to a base; they may be mixed, and the way may have any length."""
        kept, key = at.state.layout.memo, ("network", side, routes)
        found: int | None = kept.get(key)
        if found is None:
            through = self.open_to(at, side)
            found = kept[key] = self.world.floods(self.source_masks[side] & through, through=through, walls=self._beside(routes))
        return found

    def _beside(self, routes: tuple[str, ...]) -> Walls:
        """The hexsides that none of some routes crosses."""
        found = self._walls_beside.get(routes)
        if found is None:
            a, b, c, d, e, f = (reduce(and_, walls) for walls in zip(*map(self.world.board.link_walls, routes), strict=True))
            found = self._walls_beside[routes] = a, b, c, d, e, f
        return found

    @cached_property
    def _walls_beside(self) -> dict[tuple[str, ...], Walls]:
        return {}

    @cached_property
    def rail_distances(self) -> dict[str, dict[str, int]]:
        """14.27: side -> hex on a railway -> how far along it the nearest base of the side is."""
        return {side: self._from_bases(side) for side in self.world.sides}

    def _from_bases(self, side: str) -> dict[str, int]:
        board = self.world.board
        found = dict.fromkeys(self.sources[side], 0)
        queue = list(found)
        for here in queue:
            for near in board.neighbours(here):
                if near not in found and "rail" in board.links(here, near):
                    found[near] = found[here] + 1
                    queue.append(near)
        return found


class WopCommand(Command):
    """3.7, 3.8, 9.3: lines from headquarters."""

    world: WopWorld

    @cached_property
    def _ground(self) -> tuple[int, Walls]:
        board = self.world.board
        lakes = [ground.id for ground in self.world.terrain.values() if ground.blocks_supply]
        return board.terrain_mask(*lakes), board.walls(LARGE_RIVER, unless_link=board.link_kinds)

    def closed(self, at: Position, side: str) -> int:
        """3.7, 3.8: no line leads where lines of supply do not run; 3.8.3: nor into a lake."""
        return self.world.board.everywhere & ~self.world.supply.open_to(at, side) | self._ground[0]

    def walls(self) -> Walls:
        """3.8.3: no line leads over a large river without a bridge."""
        return self._ground[1]

    def follows(self, unit: Counter, leader: Counter) -> bool:
        """9.3, 9.4: units of its own formation, and independent ones."""
        return unit.formation in ("", leader.id)

    def is_orphan(self, at: Position, unit: str) -> bool:
        """9.11: whether the headquarters of a unit's formation is eliminated."""
        formation = self.world.units[unit].formation
        return bool(formation) and (formation in at.state.lost or formation not in at.state.locations)

    def leads(self, at: Position, headquarters: str, piece: str) -> bool:
        """Whether a line leads from a headquarters to a piece on the map; on a river to one of the banks."""
        return bool(self.range_of(at, headquarters) & self.world.river.ground[at.state.locations[piece]])

    def together(self, at: Position, leaders: Iterable[str]) -> int:
        """The hexes to which a line leads from any of some headquarters on the map."""
        return reduce(or_, [self.range_of(at, leader) for leader in leaders], 0)

    def pieces(self, at: Position, side: str) -> list[str]:
        """3.6: what supply and command are checked for: units on the map or on its rivers, air units not among them."""
        kept, key = at.state.layout.memo, ("pieces", side)
        found: list[str] | None = kept.get(key)
        if found is None:
            places, ground = at.state.locations, self.world.river.ground
            found = kept[key] = [unit for unit in self._units[side] if places.get(unit) in ground]
        return found

    @cached_property
    def _units(self) -> Mapping[str, list[str]]:
        """Side -> those of its units that may ever need a line, in roster order."""
        units = [unit for unit in self.world.units.values() if unit.arm not in (AIR, HEADQUARTERS)]
        return {side: [unit.id for unit in units if unit.side == side] for side in self.world.sides}

    def led_by(self, at: Position, headquarters: str) -> tuple[str, ...]:
        """9.3, 9.4: those who follow it and to whom a line leads, on rivers as well, if it is under command."""
        units, leader = self.world.units, self.world.units[headquarters]
        mine = [unit for unit in self.pieces(at, leader.side) if self.follows(units[unit], leader)]
        return tuple([unit for unit in mine if self.leads(at, headquarters, unit)])
