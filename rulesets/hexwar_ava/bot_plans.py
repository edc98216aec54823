"""Where the units of an activation go: planned once, before the first of them moves.

Own moves change neither enemy zones nor any unit's reach, so a plan stays valid while it is carried out: only room is used up.
First come the attacks that are worth making, then the cities that must be held, then each unit goes where it stands best, and the
headquarters follows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice

from hexwar.board import CLOSED, Reach, StepCosts, flood, mask_of
from hexwar.bots import remembered
from hexwar.mechanics import Move
from hexwar.pieces import face
from hexwar_ava.bot_battles import Battles, Blow, best_blows
from hexwar_ava.bot_ground import Picture
from hexwar_ava.combat import FORTRESS
from hexwar_ava.counters import Counter

STRATEGIC = "strategic"
SLOTS = 2
NEARBY = 8
"""Farther from the enemy than this a unit considers going by road, in half points."""
GATES = 2
"""At most this many units of an activation stay behind to watch railways."""
IN_THE_WAY = 0.2
"""How much of a corridor makes a hex worth watching."""
OTHERS = 0.25
"""How much it counts to lead a unit that another headquarters leads already."""


class Spots:
    """How good a hex is for a unit that makes no attack.

    Args:
        picture: the position.
        leash: the hexes in which the headquarters will still lead a unit; 0 without a leader.
    """

    def __init__(self, picture: Picture, leash: int = 0) -> None:
        self.picture = picture
        self.leash = leash or picture.board.everywhere
        self._known: dict[tuple[bool, int], float] = {}
        self.cover = 0
        """The hexes that our units already watch over."""

    def watch(self, hexes: Iterable[int]) -> None:
        """Note that units stand in some hexes."""
        for i in hexes:
            self.cover |= self.picture.ground.around[i] | 1 << i

    def lead(self, leash: int) -> None:
        """Note where the headquarters lead, now that it is known."""
        self.leash = leash
        self._known.clear()

    @cached_property
    def worth(self) -> Callable[[str, int, int], float]:
        """How good it is for a unit to stand in a hex with a given number of friends."""
        return self._attacker if self.picture.side == "axis" else self._defender

    @cached_property
    def cut_off(self) -> float:
        """What it costs to stand where there is no line: for the Axis little until the first check is near."""
        picture = self.picture
        if picture.side == "soviet":
            return 3.5
        left = picture.world.supply.axis_checked_from - picture.turn
        return 6.0 if left <= 0 else 4.0 if left == 1 else 1.0 if left == 2 else 0.3

    def _attacker(self, unit: str, i: int, load: int) -> float:
        mechanized = self.picture.world.units[unit].mechanized
        known = self._known.get((mechanized, i))
        if known is None:
            known = self._known[mechanized, i] = self._advanced(mechanized, i)
        # Infantry spreads out.
        return known + (-0.35 if load else self._company(mechanized, i))

    def _advanced(self, mechanized: bool, i: int) -> float:
        """How good a hex is for an attacker, friends nearby apart."""
        picture = self.picture
        away = picture.spearheads_field[i] if mechanized else picture.infantry_field[i]
        worth = -0.22 * away
        if not picture.supplied >> i & 1:
            worth -= self.cut_off
        if not self.leash >> i & 1:
            worth -= 2.5
        if mechanized:
            worth -= 0.4 * (picture.their_zone >> i & 1) + 0.1 * max(0, picture.infantry_away[i] - picture.posture.alone)
        return worth

    def _company(self, mechanized: bool, i: int) -> float:
        """How friends nearby change the value of a hex in which there is none: a city needs a garrison."""
        picture, worth = self.picture, 0.0
        if i in picture.ground.major and picture.owner(i) == picture.side and picture.enemy_away[i] <= 16:
            worth += 2.0 if mechanized else 3.0
        if self.cover >> i & 1 and not mechanized:
            worth -= 0.4
        return worth

    @remembered
    def _corridor(self, i: int) -> float:
        """How much a hex is in the enemy's way to our places, about from 0 to 1; less where he is still far from them."""
        away, (home, origin) = self.picture.enemy_away, self.picture.shield
        g = origin[i]
        if g < 0 or away[g] >= 91:
            return 0.0
        return max(0.0, 1 - (away[i] + home[i] - away[g]) / 16) * max(0.3, 1.2 - away[g] / 60)

    @remembered
    def _barrier(self, i: int) -> int:
        """The hexes next to a hex that are in his way."""
        return sum(1 << n for n in self.picture.ground.near[i] if self._corridor(n) > IN_THE_WAY)

    @property
    def useful(self) -> int:
        """The hexes worth a closer look, for a unit that can go anywhere."""
        if self.picture.side == "axis":
            return self.picture.board.everywhere
        board, away = self.picture.board, self.picture.enemy_away
        return mask_of([i for i in board.hexes if away[i] < 70 and self._corridor(i) > IN_THE_WAY], board.size)

    def _defender(self, unit: str, i: int, load: int) -> float:
        mechanized = self.picture.is_mechanized(unit)
        known = self._known.get((mechanized, i))
        worth = self._defence(mechanized, i) if known is None else known
        worth += 0.12 * (self._barrier(i) & ~self.cover).bit_count()
        return worth - 0.5 if load and not self._is_strong(i) else worth

    @remembered
    def _is_strong(self, i: int) -> bool:
        mine, units = self.picture.mine.get(i, ()), self.picture.world.units
        return self.picture.ground.shift[i] <= -2 or any(units[unit].arm == FORTRESS for unit in mine)

    def _defence(self, mechanized: bool, i: int) -> float:
        """How good a hex is for a defender, friends nearby apart."""
        picture, ground, strong = self.picture, self.picture.ground, self._is_strong(i)
        away, home = picture.enemy_away[i], picture.shield[0][i]
        worth = 2.5 * self._corridor(i) - 0.05 * home - 0.4 * ground.shift[i]
        # Mechanized units that are lost score for the Axis: they stay behind the rifles.
        fear = 0.25 * max(0, 16 - away) if mechanized else 0.12 * max(0, 10 - away)
        worth -= 0.3 * fear if strong else fear
        if not picture.supplied >> i & 1:
            worth -= self.cut_off
        if picture.their_zone >> i & 1:
            worth -= 0.2 if strong else 1.0
        if not self.leash >> i & 1:
            worth -= 1.5
        facing = sum([picture.enemy_away[n] < away for n in ground.across(i)])
        worth += 0.25 * facing
        if ground.roads >> i & 1:
            worth += 0.3
        self._known[mechanized, i] = worth
        return worth


class MovePlan:
    """The moves of an activation.

    Args:
        picture: the position before the first of them.
        waiting: the active units that have not moved.
    """

    def __init__(self, picture: Picture, waiting: Sequence[str]) -> None:
        self.picture = picture
        self.at = picture.at
        picture.focus = next((picture.where(unit) for unit in waiting if picture.is_headquarters(unit)), -1)
        movers = [unit for unit in waiting if face(self.at, unit).move]
        self.leaders = [unit for unit in movers if picture.is_headquarters(unit)]
        self.troops = [unit for unit in movers if unit not in self.leaders]
        self.reach: dict[str, Reach] = {unit: self.at.world.reaches.reach(self.at, unit) for unit in movers}
        self.load: dict[int, int] = {}
        going = set(self.troops)
        for i, stack in picture.mine.items():
            self.load[i] = sum(unit not in going for unit in picture.troops(stack))
        self.ends: dict[str, tuple[int, str, int]] = {}
        """Unit -> the hex in which it ends, the way of moving, and a place to take on its way or -1."""
        self.spots = Spots(picture, self._leash())
        self.spots.watch(i for i, stack in picture.mine.items() if any(unit not in going for unit in stack))
        self.claimed: set[int] = set()

    def _leash(self) -> int:
        if not self.leaders:
            return 0
        board, units = self.picture.board, self.picture.world.units
        places = sum(1 << i for i in {i for leader in self.leaders for i in self.reach[leader]})
        return flood(board, places, through=board.everywhere, limit=max(units[leader].command for leader in self.leaders))

    def moves(self) -> list[Move]:
        """All moves, those of the attackers first."""
        for unit, i in self.picture.posture.sent:
            if unit in self.troops and i in self.reach[unit]:
                self._settle(unit, i)
        if self.picture.side == "axis":
            self._raid()
        attackers = [unit for blow in self.attack() for unit, _ in blow.attackers]
        self._garrison()
        if self.picture.side == "soviet":
            self._send_garrisons()
        else:
            self._guard()
            self._shut()
        rest = self._free()
        field = self.picture.spearheads_field if self.picture.side == "axis" else self.picture.enemy_away
        rest.sort(key=lambda unit: (field[self.picture.where(unit)], unit))
        for unit in rest:
            self._go(unit)
        for leader in self.leaders:
            self._lead(leader)
        self._call_back(rest)
        ends = {unit: self.ends[unit] for unit in (*attackers, *self.ends)}
        return [self._move(unit, *end) for unit, end in ends.items() if end[0] != self.picture.where(unit) or end[2] >= 0]

    def _move(self, unit: str, end: int, mode: str, via: int) -> Move:
        to, label = self.picture.board.label(end), self.picture.board.label
        return Move(unit, to, mode, tuple(self.at.world.reaches.way(self.at, unit, to, mode, (label(via),))) if via >= 0 else ())

    def _call_back(self, units: Sequence[str]) -> None:
        """Plan again for units that would end out of command, now that the places of the headquarters are known."""
        led = 0
        for leader in self.leaders:
            i = self.ends[leader][0] if leader in self.ends else self.picture.where(leader)
            led |= self.picture.ground.disk_mask(i, self.picture.world.units[leader].command)
        if not led:
            return
        self.spots.lead(led)
        for unit in units:
            end = self.ends[unit][0]
            if not led >> end & 1 and any(led >> i & 1 for i in self.reach[unit]):
                self.load[end] -= 1
                self._go(unit)

    def _free(self) -> list[str]:
        """The troops without a task."""
        return [unit for unit in self.troops if unit not in self.ends]

    def _settle(self, unit: str, end: int, mode: str = "", via: int = -1) -> None:
        self.ends[unit] = (end, mode, via)
        self.load[end] = self.load.get(end, 0) + 1
        self.spots.watch((end,))
        self.claimed.update(i for i in (end, via) if i in self.picture.prizes)

    # -- attacks ------------------------------------------------------------------------------------------------------------

    def attack(self) -> list[Blow]:
        """Send units next to the hexes whose attack is worth most."""
        picture, ground = self.picture, self.picture.ground
        options: dict[int, list[str]] = defaultdict(list)
        spots: dict[tuple[str, int], list[int]] = {}
        for unit in filter(picture.attack, self._free()):
            reached = mask_of(self.reach[unit], ground.size)
            for i in picture.theirs:
                if reached & ground.around[i]:
                    spots[unit, i] = [n for n in ground.near[i] if reached >> n & 1 and self._can_step(unit, n, i)]
                    if spots[unit, i]:
                        options[i].append(unit)

        def places(unit: str, i: int, chosen: Sequence[tuple[str, int]]) -> tuple[int, float, float] | None:
            zone, attack = picture.our_zone, picture.attack(unit)
            for _, place in chosen:
                zone |= ground.around[place]
            best: tuple[float, int, float] | None = None
            for n in spots[unit, i]:
                if self.load.get(n, 0) + sum(place == n for _, place in chosen) >= SLOTS:
                    continue
                counted = attack / 2 if ground.halves(n, i) and picture.state.phase != "surprise" else float(attack)
                closes = sum(not zone >> m & 1 and ground.around[n] >> m & 1 for m in ground.near[i])
                score = counted + 0.6 * closes - 0.15 * ground.shift[n] - 0.02 * self.reach[unit][n]
                score -= 0.0 if picture.supplied >> n & 1 else 0.5
                score -= 0.0 if self.spots.leash >> n & 1 else 1.0
                if best is None or score > best[0]:
                    best = score, n, counted
            return None if best is None else (best[1], best[2], self._given_up(unit, best[1]))

        def commit(blow: Blow) -> None:
            for unit, place in blow.attackers:
                self._settle(unit, place)
                picture.our_zone |= ground.around[place]

        return best_blows(Battles(picture), options, places, commit)

    @remembered
    def _advance(self, unit: str) -> float:
        """The best place that a unit could go to."""
        return max(self.spots.worth(unit, n, 0) for n in self.reach[unit])

    def _given_up(self, unit: str, i: int) -> float:
        """What an attacker that stands in a hex could have done instead: spearheads should keep advancing."""
        if self.picture.side == "soviet":
            return 0.0
        share = 0.4 if self.picture.is_mechanized(unit) else 0.15
        return share * max(0.0, self._advance(unit) - self.spots.worth(unit, i, 0))

    def _can_step(self, unit: str, origin: int, target: int) -> bool:
        costs: StepCosts = self.at.world.reaches.costs_of(self.at, unit)
        return costs[self.picture.board.deltas.index(target - origin)][origin] != CLOSED

    def targets(self) -> dict[int, float]:
        """The enemy's hexes next to which a unit can go, each with what it is worth to be rid of those in it."""
        picture, ground = self.picture, self.picture.ground
        reached = 0
        for unit in filter(picture.attack, self.troops):
            reached |= mask_of(self.reach[unit], ground.size)
        return {
            i: picture.taken_now(i) + sum(map(picture.step_worth, stack))
            for i, stack in picture.theirs.items()
            if reached & ground.around[i]
        }

    def other_ends(self, most: int) -> Iterator[tuple[int, float, str, int]]:
        """Other hexes in which a unit could end, among its best ones: which of them it is, how good, the unit, the hex."""
        for unit in self.troops:
            planned = self.ends[unit][0] if unit in self.ends else self.picture.where(unit)
            worth = {i: self.spots.worth(unit, i, self.load.get(i, 0)) for i in self.reach[unit] if self.load.get(i, 0) < SLOTS}
            for number, i in enumerate(sorted(worth, key=lambda i: (-worth[i], i))[:most]):
                if i != planned:
                    yield number, worth[i], unit, i

    # -- cities -------------------------------------------------------------------------------------------------------------

    def _garrison(self) -> None:
        """Two units into each city that the enemy may reach soon; the Axis, who comes to stay, leaves one."""
        picture = self.picture
        for _, i in picture.threatened_places():
            wanted = picture.posture.garrison[picture.side] if i in picture.ground.major else 1
            while self.load.get(i, 0) < wanted:
                able = [unit for unit in self._free() if self._way(unit, i) is not None]
                if not able:
                    break
                # Units already there stay; infantry is for cities.
                best = min(
                    able,
                    key=lambda unit: (
                        picture.is_mechanized(unit),
                        picture.where(unit) != i,
                        -picture.defence((unit,)) if picture.side == "soviet" else picture.attack(unit),
                        self.reach[unit].get(i, 99),
                        unit,
                    ),
                )
                self._settle(best, i, self._way(best, i) or "")

    def _send_garrisons(self) -> None:
        """The nearest units set out for cities without a garrison, by road if that is faster."""
        picture = self.picture
        for city, lacking in picture.bare_places():
            way = picture.ground.way_to(picture.side, city)
            free = [unit for unit in self._free() if way[picture.where(unit)] < picture.enemy_away[city] + 30]
            free.sort(key=lambda unit: (way[picture.where(unit)] + 8 * picture.is_mechanized(unit), unit))
            for unit in free[:lacking]:
                end = self._nearest(unit, way, picture.board.everywhere)
                if end is not None:
                    self._settle(unit, *end)

    def _nearest(self, unit: str, way: bytes, within: int) -> tuple[int, str] | None:
        """Where among some hexes a unit can end nearest to a place, given the way there, and how it moves to that end."""
        ends = dict.fromkeys(self._by_road(unit), STRATEGIC) | dict.fromkeys(self.reach[unit], "")
        open_to = [i for i in ends if self.load.get(i, 0) < SLOTS and within >> i & 1]
        best = min(open_to, key=lambda i: (way[i], i), default=-1)
        return (best, ends[best]) if best >= 0 else None

    def _raid(self) -> None:
        """Send the nearest spearhead to each city that scores and that is not defended, before it is; half of them."""
        picture, ground = self.picture, self.picture.ground
        ours = [i for i in ground.scoring if picture.owner(i) == picture.side]
        able = [unit for unit in self._free() if picture.is_mechanized(unit) and picture.where(unit) not in ours]
        is_checked = picture.turn >= picture.world.supply.axis_checked_from - 1
        within = picture.supplied if is_checked else picture.board.everywhere
        ways = {i: ground.spread("armour", picture.side, {i: 0}, back=True) for i in ground.scoring if i in picture.prizes}
        raids = sorted((way[picture.where(unit)], i, unit) for i, way in ways.items() for unit in able)
        left = len(able) // 2
        for away, i, unit in raids:
            if away > picture.posture.raid or not left:
                break
            if unit in self.ends or i not in ways:
                continue
            end = self._nearest(unit, ways[i], within)
            if end is not None and ways[i][end[0]] < away:
                self._settle(unit, *end)
                del ways[i]
                left -= 1

    def _guard(self) -> None:
        """Send a unit into each railway hex where a line runs through an enemy zone: infantry if possible."""
        picture = self.picture
        for i in sorted(picture.posts, key=lambda i: picture.posts[i]):
            if self.load.get(i, 0):
                continue
            able = [unit for unit in self._free() if i in self.reach[unit]]
            if able:
                best = min(able, key=lambda unit: (picture.is_mechanized(unit), self.reach[unit][i], picture.attack(unit), unit))
                self._settle(best, i)

    def _shut(self) -> None:
        """Leave infantry on railways by which enemy reinforcements could get to our lines."""
        picture = self.picture
        free = [unit for unit in self._free() if not picture.is_mechanized(unit)]
        able = mask_of({i for unit in free for i in self.reach[unit] if self.load.get(i, 0) < SLOTS}, picture.ground.size)
        for i in islice(picture.gates(self.spots.cover, able), GATES):
            there = [unit for unit in free if unit not in self.ends and i in self.reach[unit]]
            if there:
                best = min(there, key=lambda unit: (self.reach[unit][i], picture.attack(unit), unit))
                self._settle(best, i)

    def _way(self, unit: str, i: int) -> str | None:
        """The way of moving by which a unit gets to a hex, if it does."""
        if i in self.reach[unit]:
            return ""
        return STRATEGIC if i in self._by_road(unit) else None

    @remembered
    def _by_road(self, unit: str) -> Reach:
        return self.picture.world.reaches.reach(self.at, unit, STRATEGIC)

    # -- the others ---------------------------------------------------------------------------------------------------------

    def _go(self, unit: str) -> None:
        """To the best hex in reach, perhaps by way of a place that can be taken."""
        picture, found = self.picture, self.reach[unit]
        here = picture.where(unit)
        best = (self._best(unit, found, "")) or (-99.0, here, "", -1)
        if picture.enemy_away[here] > NEARBY:
            by_road = self._best(unit, self._by_road(unit), STRATEGIC)
            if by_road is not None and by_road[0] > best[0] + 0.3:
                best = by_road
        for prize, worth in picture.prizes.items():
            if prize in found and prize not in self.claimed and worth > 0.5 and prize != best[1]:
                onward = self.at.world.reaches.reach_from(self.at, unit, prize, found.budget - found[prize], fresh=False)
                passing = found.beyond(prize)
                open_to = [i for i in onward if i != prize and (i == here or i not in passing)]
                detour = self._best(unit, open_to, "", prize)
                if detour is not None and detour[0] + worth > best[0]:
                    best = (detour[0] + worth, *detour[1:])
        self._settle(unit, *best[1:])

    def _best(self, unit: str, hexes: Reach | Sequence[int], mode: str, via: int = -1) -> tuple[float, int, str, int] | None:
        load, worth, prizes = self.load, self.spots.worth, self.picture.prizes
        there = {i: load.get(i, 0) for i in hexes}
        scores = [
            (worth(unit, i, n) + (prizes[i] if i in prizes and i not in self.claimed else 0.0), i)
            for i, n in there.items()
            if n < SLOTS
        ]
        return (*max(scores, key=lambda score: score[0]), mode, via) if scores else None

    # -- headquarters -------------------------------------------------------------------------------------------------------

    def _lead(self, leader: str) -> None:
        """Where most units without another leader are, or as close to them as possible, out of the enemy's reach."""
        picture, ground = self.picture, self.picture.ground
        counter = picture.world.units[leader]
        reached = counter.command
        staying = {unit: i for i, stack in picture.mine.items() for unit in picture.troops(stack) if unit not in self.ends}
        own = {unit: i for unit, i in staying.items() if picture.world.units[unit].nation == counter.nation}
        led_elsewhere = 0
        for unit, i in own.items():
            if picture.is_headquarters(unit) and unit != leader:
                led_elsewhere |= ground.disk_mask(i, reached)
        weights: dict[int, float] = defaultdict(float)
        for unit, i in (own | {unit: end for unit, (end, _, _) in self.ends.items()}).items():
            if not picture.is_headquarters(unit):
                weights[i] += (OTHERS if led_elsewhere >> i & 1 else 1.0) * self._command_worth(counter, unit)
        # What it counts by distance: all of it in range, then less and less.
        shares = [0.6 - 0.04 * beyond for beyond in range(1, 15)]
        distances = ground.away
        far = [0.0] * (len(distances) + len(distances[0]))
        led = [
            (*ground.axial[i], [*[weight] * (reached + 1), *[weight * share for share in shares], *far])
            for i, weight in weights.items()
        ]
        ways: dict[int, str] = dict.fromkeys(self.reach[leader], "")
        start = self.reach[leader].start
        if picture.enemy_away[start] > NEARBY:
            ways = dict.fromkeys(self._by_road(leader), STRATEGIC) | ways
        company = {i: self.load.get(i, 0) - (i == start) for i in ways}

        def worth(i: int) -> float:
            near = picture.enemy_away[i]
            score = -(2.5 if picture.their_zone >> i & 1 else 0.0) - 0.1 * max(0, 10 - near) - 0.1 * bool(ways[i])
            score -= picture.posture.exposed if not company[i] and near < 16 else 0.0
            score -= 0.0 if picture.supplied >> i & 1 else 4.0 + 1.5 * self.spots.cut_off
            score -= 0.06 * picture.spearheads_field[i] if picture.side == "axis" else 0.03 * picture.shield[0][i]
            column, row = ground.axial[i]
            for c, r, counts in led:
                score += counts[distances[column - c][row - r]]
            return score

        spot = max((i for i in ways if company[i] < SLOTS), key=worth, default=start)
        if spot != start:
            self.load[start] = self.load.get(start, 1) - 1
            self._settle(leader, spot, ways[spot])

    def _command_worth(self, leader: Counter, unit: str) -> float:
        """How much it matters that a headquarters leads a unit: the strong ones, and its own."""
        worth = 0.5 + 0.3 * self.picture.attack(unit)
        return worth if self.picture.world.units[unit].formation == leader.formation else 0.6 * worth
