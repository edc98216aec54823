"""A position as a commander sees it: how far everything is, who threatens what, and what a place or a unit is worth.

Distances are half movement points over ground without units. Everything comes from a view, so nothing is here that a side may not
know.
All values use one unit, about half a victory point; they are rules of thumb, found by letting bots play each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, reduce
from operator import or_
from typing import ClassVar
from weakref import WeakKeyDictionary, proxy

from hexwar.board import Board, bits, flood, mask_of
from hexwar.bots import remembered, spread, steps_of
from hexwar.engine import View
from hexwar.pieces import CombatTable, face
from hexwar_ava.bot_postures import USUAL, AvaPosture
from hexwar_ava.combat import FORTRESS
from hexwar_ava.world import AvaWorld

FAR = 250
"""Farther than anything that matters, in half points."""
RIVER = 8
"""The estimated cost of a major river without a bridge: about half of an infantry move."""
NOWHERE = 121
"""The distance of a hex from which no place can be reached."""
STRAGGLER, BLOCKER = 8, 24
"""How long a detour infantry makes for an enemy unit; and for one that stands in the way of our supply."""
ENOUGH = 4
"""This many times his strength is enough against an enemy in the open."""
SOON = 80
"""How far from the enemy a city begins to need a garrison, even one from far away."""
LATE = 24
"""How much farther than the enemy an army may be from a place that it is to help."""
KEPT = 32
"""How many fields of distances are kept."""
LAST = 3.0
"""How many times as much a city is worth that can be taken in the last turn."""
CUT = 2.0
"""What it must be worth to cut the enemy's lines with a unit that will hardly come back from there."""
GATE = 3.0
"""What lines must be worth to leave a unit behind for them."""
TOGETHER = 8
"""How many railway hexes are tried together before each of them."""
OFF_RAIL = 6
"""How far Axis lines go on from the railway (3.3.13)."""
NEAR = {"axis": 24, "soviet": 28}
"""How far from the enemy a place of a side begins to be in danger."""


class Ground:
    """What the map of a game says, computed once.

    Args:
        world: the game.
    """

    _known: ClassVar[WeakKeyDictionary[AvaWorld, Ground]] = WeakKeyDictionary()

    def __init__(self, world: AvaWorld) -> None:
        self.board = board = world.board
        self.size = board.size
        self.around = [0] * board.size
        self.near: list[tuple[int, ...]] = [()] * board.size
        self.shift = [0] * board.size
        for i in board.hexes:
            label = board.label(i)
            self.around[i] = board.around(label)
            self.near[i] = tuple(map(board.index, board.neighbours(label)))
            self.shift[i] = sum(columns for columns, _ in world.chart.shifts_at(board, label))
        major = [board.index(label) for label in world.major_cities]
        self.major = frozenset(major)
        self.scoring = tuple(dict.fromkeys((*major, *map(board.index, world.breakthrough_hexes))))
        self.sources = tuple(i for i in map(board.index, world.supply.sources["soviet"]) if i not in self.scoring)
        self.cities = frozenset(board.index(label) for label in world.controlled)
        self.roads = board.link_mask("road")
        self.rails = board.link_mask("rail")
        self._world = proxy(world)  # not the world itself: it is the key under which this is stored
        self._nearest: dict[object, tuple[list[int], list[int]]] = {}
        self._spreads: dict[object, bytes] = {}
        self.axial = {i: (board.hex(board.label(i)).q, board.hex(board.label(i)).r) for i in board.hexes}

    @cached_property
    def away(self) -> list[list[int]]:
        """How far two hexes are apart whose columns and rows differ by so much; negative differences count from the end."""
        columns, rows = (max(numbers) - min(numbers) for numbers in zip(*self.axial.values(), strict=True))
        across, down = ([*range(most + 1), *range(-most, 0)] for most in (columns, rows))
        return [[max(abs(q), abs(r), abs(q + r)) for r in down] for q in across]

    def apart(self, one: int, other: int) -> int:
        """How many hexes are between two, the last one counted."""
        (q, r), (p, s) = self.axial[one], self.axial[other]
        return self.away[q - p][r - s]

    @classmethod
    def of(cls, world: AvaWorld) -> Ground:
        """The ground of a game; made once, then looked up."""
        if world not in cls._known:
            cls._known[world] = cls(world)
        return cls._known[world]

    @remembered
    def steps(self, arm: str, side: str, back: bool = False) -> tuple[tuple[int, int, int], ...]:
        """The steps of an arm of a side, or the same ones walked backwards."""
        return steps_of(self.board, self._world.reaches.costs(arm, "", side), RIVER, back=back)

    def spread(self, arm: str, side: str, seeds: Mapping[int, int], *, back: bool = False, most: int = FAR - 1) -> bytes:
        """See `hexwar.bots.spread`; the last ones are kept, because many decisions in a row see the same units."""
        key = (arm, side, back, most, frozenset(seeds.items()))
        found = self._spreads.pop(key, None) or spread(self.steps(arm, side, back), seeds, self.size, most)
        self._spreads[key] = found
        if len(self._spreads) > KEPT:
            del self._spreads[next(iter(self._spreads))]
        return found

    def nearest(self, side: str, seeds: Mapping[int, int]) -> tuple[list[int], list[int]]:
        """How far infantry has from every hex to the nearest of some places, and which it is (-1 for none)."""
        key = (side, tuple(sorted(seeds.items())))
        if key not in self._nearest:
            home, origin = [NOWHERE] * self.size, [-1] * self.size
            for seed, cost in seeds.items():
                ways = self.way_to(side, seed)
                for i in self.board.hexes:
                    if ways[i] + cost < home[i] and ways[i] <= 120:
                        home[i], origin[i] = ways[i] + cost, seed
            self._nearest = {key: (home, origin)}
        return self._nearest[key]

    @remembered
    def way_to(self, side: str, place: int) -> bytes:
        """The cost of the way of a side's infantry to a place from everywhere."""
        return spread(self.steps("infantry", side, True), {place: 0}, self.size, 120)

    @remembered
    def railway(self, place: int) -> tuple[int, ...]:
        """The railway from an Axis source to a place or the hex next to it, from end to end; empty if none leads there."""
        back = self._railway_tree
        end = next((n for n in (place, *self.near[place]) if n in back), -1)
        route = []
        while end >= 0:
            route.append(end)
            end = back[end]
        return tuple(reversed(route))

    @remembered
    def near_railway(self, place: int) -> int:
        """The mask of the hexes on that railway and up to three away."""
        return mask_of({n for i in self.railway(place) for n in self.disk(i, 3)}, self.size)

    @cached_property
    def _railway_tree(self) -> dict[int, int]:
        """Railway hex -> the one before it on the way from the nearest source of the Axis."""
        wave = [i for i in map(self.board.index, self._world.supply.sources["axis"]) if self.rails >> i & 1]
        back = dict.fromkeys(wave, -1)
        walls = self.board.link_walls("rail") if wave else ()
        while wave:
            ahead = []
            for i in wave:
                for delta, wall in zip(self.board.deltas, walls, strict=True):
                    if not wall >> i & 1 and i + delta not in back:
                        back[i + delta] = i
                        ahead.append(i + delta)
            wave = ahead
        return back

    @remembered
    def disk(self, i: int, n: int) -> tuple[int, ...]:
        """The hexes up to n away."""
        return tuple(map(self.board.index, self.board.disk(self.board.label(i), n)))

    @remembered
    def disk_mask(self, i: int, n: int) -> int:
        """The same as a mask."""
        return sum(1 << there for there in self.disk(i, n))

    @remembered
    def across(self, i: int) -> tuple[int, ...]:
        """The hexes next to a hex from which attacks on it are halved."""
        return tuple(n for n in self.near[i] if self.halves(n, i))

    @remembered
    def halves(self, origin: int, target: int) -> bool:
        """Whether attacks between two adjacent hexes are halved by a river."""
        side = self.board.side(self.board.label(origin), self.board.label(target))
        return bool(side & self._world.chart.halved_across)


class Picture:
    """A position seen by one side.

    Args:
        view: what the side knows.
        posture: how it weighs things.
    """

    def __init__(self, view: View, posture: AvaPosture = USUAL) -> None:
        self.posture = posture
        self.at = view.position
        self.state = view.position.state
        self.world: AvaWorld = view.position.world
        self.board: Board = self.world.board
        self.side = view.side
        self.enemy = next(side for side in self.world.sides if side != view.side)
        self.ground = Ground.of(self.world)
        self.mine: dict[int, tuple[str, ...]] = {}
        self.theirs: dict[int, tuple[str, ...]] = {}
        indices, units = self.board.indices, self.world.units
        for label, stack in self.state.layout.stacks.items():
            if label in indices:
                (self.mine if units[stack[0]].side == self.side else self.theirs)[indices[label]] = stack
        self.their_zone: int = self.state.layout.threatened[self.side]
        self.our_zone: int = self.state.layout.threatened[self.enemy]
        self.turn: int = self.state.turn
        self.focus = -1
        """The hex of the headquarters whose units are being moved: they all head for what is nearest to it."""

    # -- units --------------------------------------------------------------------------------------------------------------

    def where(self, unit: str) -> int:
        """The hex of a unit on the board."""
        return self.board.index(self.state.locations[unit])

    def place_name(self, i: int) -> str:
        """A hex as people call it."""
        label = self.board.label(i)
        place = self.board.place(label)
        return f"{place.name} ({label})" if place else label

    def attack(self, unit: str) -> int:
        """Its attack strength as it is now."""
        return face(self.at, unit).attack

    def defence(self, units: Iterable[str]) -> int:
        """What some units defend with."""
        shaken = self.state.retreated
        return sum(face(self.at, unit).defence for unit in units if unit not in shaken)

    def is_mechanized(self, unit: str) -> bool:
        """Whether it is of the mechanized class."""
        return self.world.units[unit].mechanized

    def is_headquarters(self, unit: str) -> bool:
        """Whether it commands."""
        return self.world.units[unit].is_headquarters

    def troops(self, units: Iterable[str]) -> list[str]:
        """Those that count for stacking."""
        return [unit for unit in units if self.world.units[unit].arm != FORTRESS]

    def step_worth(self, unit: str) -> float:
        """What the loss of the next step of a unit would mean."""
        counter, steps = self.world.units[unit], self.state.steps_left[unit]
        if counter.is_headquarters:
            return 3.0
        if counter.arm == FORTRESS:
            return 0.4
        if counter.side == "axis":
            if counter.nation == "german" and counter.mechanized:
                return 2.6 if steps == counter.steps else 1.6
            return 1.0 if counter.nation == "german" else 0.6
        if counter.mechanized:
            return 1.0 if steps > 1 else 2.4
        return 0.6 if steps > 1 else 0.9

    # -- distances ------------------------------------------------------------------------------------------------------------

    @cached_property
    def enemy_away(self) -> bytes:
        """How far every hex is for the enemy: mechanized units at their distance, the others as if half a move farther."""
        seeds = {}
        for i, stack in self.theirs.items():
            fighters = [unit for unit in self.troops(stack) if not self.is_headquarters(unit)]
            if fighters:
                seeds[i] = 0 if any(map(self.is_mechanized, fighters)) else 5
        return self.ground.spread("armour", self.enemy, seeds, most=90)

    @cached_property
    def supplied(self) -> int:
        """The hexes where our units have a line of communication."""
        return self.world.supply.supplied(self.at, self.side)

    @cached_property
    def enemy_supplied(self) -> int:
        """The hexes where enemy units have one."""
        return self.world.supply.supplied(self.at, self.enemy)

    def delays_check(self, chit: str) -> bool:
        """Whether a chit should interrupt the supply check: the last one, or if it would hurt those who could still move."""
        world = self.world
        if self.last_turn:
            return True
        led = [unit for unit in world.command.led_by(self.at, world.chits[chit].activates) if self.is_mechanized(unit)]
        hurt = sum(not self.supplied >> self.where(unit) & 1 for unit in led)
        return self.side == "axis" and self.turn >= world.supply.axis_checked_from and hurt > 1

    def owner(self, i: int) -> str:
        """Who controls a place, "" if nobody can."""
        controller: str = self.state.control.get(self.board.label(i), "")
        return controller

    def place_worth(self, i: int) -> float:
        """What a place is worth if it changes hands."""
        if i not in self.ground.cities:
            return 0.3 if (self.ground.rails | self.ground.roads) >> i & 1 else 0.0
        label = self.board.label(i)
        if i in self.ground.major:
            return 8.0 if label in self.state.stand_fast else 6.0
        if label in self.world.breakthrough_hexes:
            return 5.0
        if label in self._breakthroughs_left:
            return 4.0
        return 0.8

    def taken_now(self, i: int) -> float:
        """What it is worth to take a place now: in the last turn, when nothing else can follow, a city is all that counts."""
        return self.place_worth(i) * (LAST if self.last_turn and i in self.ground.scoring else 1.0)

    @property
    def last_turn(self) -> bool:
        """Whether the game ends with this turn."""
        return self.turn >= self.world.entry.last_turn

    @cached_property
    def _breakthroughs_left(self) -> frozenset[str]:
        """The sources that would still score: one of all, and one of those from Moscow."""
        groups = (self.world.supply.sources["soviet"], self.world.from_moscow)
        left = [group for group in groups if not any(self.state.control.get(label) == "axis" for label in group)]
        return frozenset(label for group in left for label in group)

    @cached_property
    def prizes(self) -> dict[int, float]:
        """The places of the enemy without a unit, and what they are worth."""
        return {i: self.taken_now(i) for i in self.ground.cities if self.owner(i) != self.side and i not in self.theirs}

    # -- where to go ------------------------------------------------------------------------------------------------------------

    @cached_property
    def goals(self) -> dict[int, int]:
        """The enemy's places that are worth going to, and by how much each seems farther than it is."""
        strength = self._strength_near
        found: dict[int, int] = {}
        for i in self.ground.cities:
            if self.owner(i) == self.side:
                continue
            worth = self.place_worth(i)
            offset = 0 if worth >= 8 else 6 if worth >= 5 else 16 if worth >= 4 else 44
            defence = self.defence(self.theirs.get(i, ()))
            offset += min(16, 2 * defence)
            if defence and strength(i) > 6 * defence:
                offset += 14  # enough stand ready
            found[i] = offset
        return found

    def _strength_near(self, i: int, hexes: int = 2) -> int:
        strengths = self._strengths
        return sum([strengths[there] for there in self.ground.disk(i, hexes) if there in strengths])

    @cached_property
    def _strengths(self) -> dict[int, int]:
        """Hex -> with how much our units in it attack."""
        return {i: sum(self.attack(unit) for unit in stack if not self.is_headquarters(unit)) for i, stack in self.mine.items()}

    @cached_property
    def spearheads_field(self) -> bytes:
        """How far every hex is from the places worth taking, for mechanized units."""
        goals = self.goals
        if self.focus >= 0 and goals:
            away = self.ground.spread("armour", self.side, {self.focus: 0})
            main = min(goals, key=lambda i: (goals[i] + away[i], i))
            goals = {i: offset + (0 if i == main else 14) for i, offset in goals.items()}
        return self.ground.spread("armour", self.side, goals, back=True)

    @cached_property
    def infantry_field(self) -> bytes:
        """How far every hex is from the enemy's places, for infantry; enemy units count as far as they are worth a detour."""
        far = self.ground.spread("infantry", self.side, self.goals, back=True)
        seeds = dict(self.goals)
        for i, stack in self.theirs.items():
            if self.troops(stack):
                detour = BLOCKER if i in self.blockers else STRAGGLER
                # One straggler must not draw a whole army.
                if self._strength_near(i, 3) > (ENOUGH - self.ground.shift[i]) * max(1, self.defence(stack)):
                    detour = 0
                seeds[i] = min(seeds.get(i, FAR), max(0, far[i] - detour))
        return self.ground.spread("infantry", self.side, seeds, back=True)

    @cached_property
    def railways(self) -> tuple[tuple[int, ...], ...]:
        """The railways by which our lines are to run: from our sources to every place that scores."""
        return tuple(map(self.ground.railway, self._railheads))

    @cached_property
    def _railheads(self) -> list[int]:
        if self.side != "axis":
            return []
        return sorted({*self.ground.major, *(i for i in self.goals if self.place_worth(i) > 1)})

    @cached_property
    def blockers(self) -> frozenset[int]:
        """The hexes of enemies that stand on or near those railways."""
        near = reduce(or_, map(self.ground.near_railway, self._railheads), 0)
        return frozenset([i for i in self.theirs if near >> i & 1])

    @cached_property
    def posts(self) -> dict[int, int]:
        """The railway hexes in enemy zones through which a line runs only while one of our units stands there, by distance."""
        found: dict[int, int] = {}
        for route in self.railways:
            for number, i in enumerate(route):
                if i in self.theirs:
                    break
                if self.their_zone >> i & 1:
                    found[i] = min(number, found.get(i, number))
        return found

    # -- open railways ----------------------------------------------------------------------------------------------------------

    @cached_property
    def open_railways(self) -> int:
        """The railway hexes on which Soviet reinforcements could appear as units stand now, behind the Axis too (12.1.6)."""
        return self.world.supply.rail_network(self.at, "soviet", "rail")

    @cached_property
    def open_places(self) -> frozenset[int]:
        """The places of the Axis that score and that reinforcements could take by appearing there."""
        held = self.state.layout.held["axis"]
        return frozenset(
            i for i in self.ground.scoring if self.owner(i) == "axis" and self.open_railways >> i & 1 and not held >> i & 1
        )

    @cached_property
    def by_rail(self) -> frozenset[int]:
        """Our places that score and that reinforcements of the enemy could take in this way if no unit stood there."""
        if self.side != "axis" or not self._reinforced:
            return frozenset()
        return frozenset(i for i in self.ground.scoring if self.ground.disk_mask(i, 2) & self.open_railways)

    @cached_property
    def cuts(self) -> dict[int, float]:
        """The railway hexes where reinforcements would cut the lines of Axis units or cities, and what that would cost it."""
        return self._cuts(self.open_railways, CUT)

    def _cuts(self, open_railways: int, least: float) -> dict[int, float]:
        board, layout = self.board, self.state.layout
        ways, rails, walls = self.world.supply.ways(self.at, "axis"), self.ground.rails, board.link_walls("rail")
        sources, held = board.mask(self.world.supply.sources["axis"]) & rails, layout.held["axis"]
        worth = {i: 0.4 * sum(map(self.step_worth, layout.stacks[board.label(i)])) for i in bits(held)}
        for i in self.ground.major:
            if self.owner(i) == "axis":
                worth[i] = worth.get(i, 0.0) + self.place_worth(i) * self.turn / self.world.entry.last_turn / 2
        wanted = mask_of(worth, board.size)

        def along(shut: int) -> int:
            return flood(board, sources, through=ways.through & ~shut & rails, walls=walls)

        def reached(net: int, shut: int) -> int:
            return wanted & flood(board, net, through=ways.through & ~shut, into=ways.into, limit=OFF_RAIL, until=wanted)

        net = along(0)
        supplied = reached(net, 0)
        found: dict[int, float] = {}

        def search(hexes: Sequence[int]) -> None:
            shut = reduce(or_, [self.ground.around[i] | 1 << i for i in hexes]) & ~held
            left = along(shut)
            if left == net & ~shut:  # what lies beyond has another railway
                return
            lost = sum(worth[n] for n in bits(supplied & ~reached(left, shut)))
            if lost < least:  # all of them together do no more than that
                return
            if len(hexes) == 1:
                found[hexes[0]] = lost
            else:
                search(hexes[: len(hexes) // 2])
                search(hexes[len(hexes) // 2 :])

        able = list(bits(open_railways & net))
        for first in range(0, len(able), TOGETHER):
            search(able[first : first + TOGETHER])
        return found

    def gates(self, staying: int, able: int) -> Iterator[int]:
        """The railway hexes in which a unit would keep reinforcements of the enemy from our lines, the best first.

        Args:
            staying: our hexes and zones that stay as they are.
            able: the hexes to which units can go.
        """
        if not self._reinforced:
            return
        board, passage = self.board, self.world.supply.passage("soviet", "rail")
        sources = board.mask(self.world.supply.sources["soviet"])

        def open_to(shut: int) -> int:
            free = self.ground.rails & ~shut & ~passage.closed
            return flood(board, sources & free, through=free, walls=passage.walls)

        now = open_to(staying)
        cuts = self._cuts(now, GATE)
        while cuts:
            saved = {}
            for i in bits(now & able):
                left = open_to(staying | self.ground.around[i] | 1 << i)
                saved[i] = sum(worth for n, worth in cuts.items() if not left >> n & 1)
            best = max(saved, key=lambda i: (saved[i], -i), default=-1)
            if best < 0 or saved[best] < GATE:
                return
            yield best
            staying |= self.ground.around[best] | 1 << best
            now = open_to(staying)
            cuts = {i: worth for i, worth in cuts.items() if now >> i & 1}

    @cached_property
    def _reinforced(self) -> bool:
        """Whether enemy reinforcements come, now or in the next turn."""
        turns = [chit.turn for chit in self.world.chits.values() if (chit.kind, chit.side) == ("reinforcements", self.enemy)]
        return self.turn + 1 >= min(turns, default=FAR)

    @cached_property
    def infantry_away(self) -> bytes:
        """How far every hex is from our infantry."""
        seeds = {
            i: 0
            for i, stack in self.mine.items()
            if any(not self.is_mechanized(unit) and not self.is_headquarters(unit) for unit in stack)
        }
        return self.ground.spread("infantry", self.side, seeds, most=60)

    @cached_property
    def shield(self) -> tuple[list[int], list[int]]:
        """For the defence: how far every hex is from our places that must be held, and which of them it is."""
        seeds = {i: 0 if self.place_worth(i) > 6 else 3 for i in self.ground.scoring if self.owner(i) == self.side}
        for label in self.world.supply.sources[self.side]:
            seeds.setdefault(self.board.index(label), 12)
        return self.ground.nearest(self.side, seeds)

    def bare_places(self) -> list[tuple[int, int]]:
        """Our places that score, the enemy being a few turns away, and how many units they lack, the most urgent first."""
        found = []
        for i in (*self.ground.scoring, *self.ground.sources):
            near_enough = SOON if i in self.ground.scoring else SOON // 2
            if self.owner(i) == self.side and self.enemy_away[i] <= near_enough:
                near = sum(len(self.troops(self.mine.get(n, ()))) for n in self.ground.disk(i, 2))
                wanted = 2 if i in self.ground.major else 1
                if near < wanted:
                    found.append((i, wanted - near))
        return sorted(found, key=lambda entry: (self.enemy_away[entry[0]] - 2 * self.place_worth(entry[0]), entry[0]))

    def most_in_need(self, origins: Iterable[int], without: Iterable[str] = ()) -> int:
        """The place of ours that scores and needs an army most that comes from one of some hexes; -1 if it can help none.

        Args:
            origins: where the army enters.
            without: units that do not count as help near a place: those of the army.
        """
        best, chosen, army = -99.0, -1, set(without)
        for i in self.ground.scoring:
            if self.owner(i) != self.side:
                continue
            way = min([self.ground.way_to(self.side, i)[origin] for origin in origins], default=NOWHERE)
            if way > min(self.enemy_away[i] + LATE, NOWHERE - 1):
                continue
            near = sum(len(set(self.mine.get(n, ())) - army) for n in self.ground.disk(i, 3))
            need = self.place_worth(i) - self.enemy_away[i] / 15 - 0.4 * near - way / 12
            if need > best:
                best, chosen = need, i
        return chosen

    def threatened_places(self) -> list[tuple[float, int]]:
        """Our places that score and that the enemy may reach soon, the most urgent first."""
        away, near = self.enemy_away, NEAR[self.side]
        places = (*self.ground.scoring, *self.ground.sources)
        held = [i for i in places if self.owner(i) == self.side and (away[i] <= near or i in self.by_rail)]
        found = [(self.place_worth(i) - away[i] / 4, i) for i in held]
        return sorted(found, key=lambda entry: (-entry[0], entry[1]))


def column_of(table: CombatTable, attack: int, defence: int, shift: int) -> int | None:
    """The column of the combat table after the shifts, None if there can be no attack."""
    base = table.column(attack, defence)
    column = -1 if base is None else min(base + shift, len(table.columns) - 1)
    return column if column >= 0 else None
