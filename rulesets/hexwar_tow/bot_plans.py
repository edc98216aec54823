"""Where the active units go: computed anew for every move, from the position alone.

First come the attacks that are worth making, then the places that need a garrison, then each unit goes where it stands best, and
the headquarters follow.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cached_property, partial

from hexwar.board import CLOSED, Reach, flood, mask_of
from hexwar.bots import remembered
from hexwar.mechanics import Move
from hexwar.pieces import face
from hexwar_tow.bot_battles import Battles, Blow
from hexwar_tow.bot_ground import Picture
from hexwar_tow.content import STRATEGIC

SLOTS = 2
"""5.0.2: combat units in a hex."""
NEARBY = 8
"""Farther from the enemy than this a unit considers going by road, in half points."""
BETTER = 0.25
"""By how much a hex must be better than the one in which a unit stands."""
SLACK = 14
"""How long a detour of the enemy a defender still watches, in half points."""


class Spots:
    """How good a hex is for a unit that makes no attack.

    Args:
        picture: the position.
        leash: the hexes in which a headquarters will still lead a unit; 0 without a leader.
    """

    def __init__(self, picture: Picture, leash: int = 0) -> None:
        self.picture = picture
        self.leash = leash or picture.board.everywhere

    def worth(self, unit: str, i: int) -> float:
        """How good it is for a unit to stand in a hex."""
        return self._ground(self.picture.is_mechanized(unit), i) + self._company(unit, i)

    @remembered
    def _ground(self, mechanized: bool, i: int) -> float:
        return self._attacker(mechanized, i) if self.picture.side == "soviet" else self._defender(mechanized, i)

    @cached_property
    def _cover(self) -> int:
        """The hexes that our combat units watch over."""
        picture, cover = self.picture, 0
        for i, stack in picture.mine.items():
            if picture.troops(stack):
                cover |= picture.ground.around[i] | 1 << i
        return cover

    def _common(self, i: int) -> float:
        worth = 0.0 if self.picture.supplied >> i & 1 else -3.0
        return worth if self.leash >> i & 1 else worth - 2.0

    # -- those who attack ----------------------------------------------------------------------------------------------------

    def _attacker(self, mechanized: bool, i: int) -> float:
        """Nearer to what is wanted; behind enemies without a way out; over the river."""
        picture, ground = self.picture, self.picture.ground
        worth = self._common(i) - 0.22 * picture.field[i]
        loose = ground.around[i] & ~picture.our_zone
        worth += 0.12 * sum((loose & ground.around[n]).bit_count() for n in ground.near[i] if n in picture.theirs)
        if picture.is_race and picture.world.west_bank >> i & 1:
            worth += (2.0 if mechanized else 1.0) * (2 if picture.left == 0 else 1)
        return worth - (0.3 if mechanized and picture.their_zone >> i & 1 else 0.0)

    # -- those who defend ----------------------------------------------------------------------------------------------------

    @remembered
    def _corridor(self, i: int) -> float:
        """How much a hex is in the enemy's way to what we cover, from 0 to 1; his shortest way counts, so forces gather there."""
        away, home = self.picture.enemy_away[i], self.picture.home[i]
        return max(0.0, 1 - max(0, away + home - self._shortest) / SLACK) if away <= 60 else 0.0

    @cached_property
    def _shortest(self) -> int:
        picture = self.picture
        return min((picture.home[i] for i, stack in picture.theirs.items() if picture.troops(stack)), default=0)

    def _defender(self, mechanized: bool, i: int) -> float:
        """In the enemy's way, behind a river or in a town, and not alone before his army."""
        picture, ground = self.picture, self.picture.ground
        away = picture.enemy_away
        worth = self._common(i) + 2.0 * self._corridor(i) - 0.06 * picture.home[i] - 0.35 * ground.shift[i]
        front = [n for n in ground.near[i] if away[n] < away[i] or n in picture.theirs]
        worth += 0.15 * sum(ground.across[i] >> n & 1 for n in front)
        return worth - (0.1 if mechanized else 0.06) * max(0, 8 - away[i])

    def _company(self, unit: str, i: int) -> float:
        """How friends change the value of a hex."""
        picture, load = self.picture, self.picture.load(i, unit)
        if picture.side == "soviet":
            return -0.25 if load else 0.0
        if load:
            return -0.6 if picture.ground.shift[i] > -2 else 0.0
        return 0.1 * (picture.ground.around[i] & ~self._cover).bit_count()


class March:
    """The moves of an activation that are left.

    Args:
        picture: the position.
        waiting: the active units that have not moved.
        active: all of them.
    """

    def __init__(self, picture: Picture, waiting: Sequence[str], active: Sequence[str]) -> None:
        self.picture = picture
        self.at = picture.at
        movers = [unit for unit in waiting if face(self.at, unit).move]
        self.leaders = [unit for unit in movers if picture.is_headquarters(unit)]
        self.troops = [unit for unit in movers if unit not in self.leaders]
        self.settled = [unit for unit in active if unit not in self.troops and not picture.is_headquarters(unit)]
        self.spots = Spots(picture, self._leash())
        self.planned: dict[str, int] = {}
        """Unit -> the hex from which it attacks, or that it holds."""
        self._taken: dict[int, int] = {}
        """Hex -> how many units will come."""

    @remembered
    def reach(self, unit: str) -> Reach:
        """The hexes that a unit can get to."""
        return self.picture.world.reaches.reach(self.at, unit)

    @remembered
    def by_road(self, unit: str) -> Reach:
        """The same by strategic movement (9.2)."""
        return self.picture.world.reaches.reach(self.at, unit, STRATEGIC)

    def _leash(self) -> int:
        if not self.leaders:
            return 0
        board, units = self.picture.board, self.picture.world.units
        places = mask_of({i for leader in self.leaders for i in self.reach(leader)}, board.size)
        return flood(board, places, through=board.everywhere, limit=max(units[leader].command for leader in self.leaders))

    def _has_room(self, unit: str, i: int, chosen: Sequence[tuple[str, int]] = ()) -> bool:
        coming = sum(place == i and self.picture.where(other) != i for other, place in chosen)
        return self.picture.load(i, unit) + self._taken.get(i, 0) + coming < SLOTS

    # -- attacks -------------------------------------------------------------------------------------------------------------

    def blows(self) -> list[Blow]:
        """The attacks that are worth making after a move."""
        picture, ground = self.picture, self.picture.ground
        options: dict[int, list[str]] = defaultdict(list)
        spots: dict[tuple[str, int], list[int]] = {}
        battles = Battles(picture)
        enemies = sorted(picture.theirs)
        pinned = self._pinned
        for unit in filter(picture.attack, (*self.settled, *self.troops)):
            here = picture.where(unit)
            stays = unit in pinned or unit not in self.troops
            reached = 1 << here if stays else mask_of(self.reach(unit), picture.board.size)
            for i in enemies:
                if reached & ground.around[i]:
                    found = [n for n in ground.near[i] if reached >> n & 1 and self._can_step(unit, n, i)]
                    if found:
                        spots[unit, i] = found
                        options[i].append(unit)

        def places(unit: str, i: int, chosen: Sequence[tuple[str, int]]) -> tuple[int, float] | None:
            zone, attack, here = picture.our_zone, picture.attack(unit), picture.where(unit)
            for _, place in chosen:
                zone |= ground.around[place]
            best: tuple[float, int] | None = None
            for n in spots[unit, i]:
                if n != here and not self._has_room(unit, n, chosen):
                    continue
                counted = attack / 2 if ground.across[i] >> n & 1 else float(attack)
                closes = (ground.around[n] & ground.around[i] & ~zone).bit_count()
                score = counted + 0.5 * closes - 0.15 * ground.shift[n] + 0.1 * (n == here)
                score += min(0.0, 0.3 * self.spots.worth(unit, n) - 0.3 * self.spots.worth(unit, here))
                if best is None or score > best[0]:
                    best = score, n
            if best is None:
                return None
            return best[1], self._given_up(unit, best[1])

        def commit(blow: Blow) -> None:
            for unit, place in blow.attackers:
                self.planned[unit] = place
                if place != picture.where(unit):
                    self._taken[place] = self._taken.get(place, 0) + 1

        return battles.best_blows(options, places, commit)

    def _given_up(self, unit: str, n: int) -> float:
        """What a defender leaves behind when he goes to attack."""
        if self.picture.side == "soviet":
            return 0.0
        return 0.4 * max(0.0, self.spots.worth(unit, self.picture.where(unit)) - self.spots.worth(unit, n))

    def _can_step(self, unit: str, origin: int, target: int) -> bool:
        costs = self.picture.world.reaches.costs_of(self.at, unit)
        return costs[self.picture.board.deltas.index(target - origin)][origin] != CLOSED

    # -- garrisons -----------------------------------------------------------------------------------------------------------

    @cached_property
    def _pinned(self) -> dict[str, int]:
        """The units that hold a place: those in it, and the nearest where there are too few."""
        picture, found = self.picture, {}
        free = set(self.troops)
        for i, wanted in picture.posts():
            here = [unit for unit in picture.troops(picture.mine.get(i, ())) if unit in free]
            have = picture.load(i) - len(here)
            here.sort(key=lambda unit: (-picture.defence((unit,)), unit))
            keep = here[: max(0, wanted - have)]
            lacking = min(wanted - have - len(keep), SLOTS - picture.load(i))
            found.update(dict.fromkeys(keep, i))
            free -= {*keep}
            able = [unit for unit in free if lacking > 0 and (i in self.reach(unit) or i in self.by_road(unit))]
            able.sort(key=lambda unit: (picture.is_mechanized(unit) - picture.defence((unit,)), unit))
            found.update(dict.fromkeys(able[: max(0, lacking)], i))
            free -= {*able[: max(0, lacking)]}
        return found

    # -- the next move -------------------------------------------------------------------------------------------------------

    def next(self, *, fights: bool) -> Move | None:
        """The move to make now; None if no unit should move.

        Args:
            fights: whether the active units will attack after they have moved.
        """
        if fights:
            self.blows()
        for unit, i in self._pinned.items():
            self.planned.setdefault(unit, i)
        for unit, i in self.planned.items():
            if unit in self.troops and i != self.picture.where(unit) and (move := self._to(unit, i)) is not None:
                return move
        field = self.picture.field if self.picture.side == "soviet" else self.picture.enemy_away
        rest = [unit for unit in self.troops if unit not in self.planned]
        for unit in sorted(rest, key=lambda unit: (field[self.picture.where(unit)], unit)):
            if (move := self._best(unit)) is not None:
                return move
        for leader in self.leaders:
            if (move := self._lead(leader)) is not None:
                return move
        return None

    def _to(self, unit: str, i: int) -> Move | None:
        """The move of a unit to a hex."""
        if self.picture.load(i, unit) >= SLOTS:
            return None
        label = self.picture.board.label(i)
        if i in self.reach(unit):
            return Move(unit, label)
        return Move(unit, label, STRATEGIC) if i in self.by_road(unit) else None

    def _best(self, unit: str) -> Move | None:
        """To the best hex in reach, perhaps by way of a place that can be taken."""
        prizes, worth = self.picture.prizes, self.spots.worth

        def score(i: int, mode: str) -> float:
            return worth(unit, i) + (-0.2 if mode else prizes.get(i, 0.0))

        return self._better(unit, worth(unit, self.picture.where(unit)), score, partial(self._has_room, unit))

    def _better(self, unit: str, stay: float, score: Callable[[int, str], float], is_open: Callable[[int], bool]) -> Move | None:
        """The best move that is better than to stay; far from the enemy also by road.

        Args:
            unit: who moves.
            stay: how good it is to stay.
            score: how good it is to go to a hex, by a mode of movement.
            is_open: whether there is room in a hex.
        """
        picture, here = self.picture, self.picture.where(unit)
        best: tuple[float, Move | None] = (stay + BETTER, None)
        ways = [("", self.reach(unit))]
        if picture.enemy_away[here] > NEARBY:
            ways.append((STRATEGIC, self.by_road(unit)))
        for mode, found in ways:
            for i in found:
                if i != here and (worth := score(i, mode)) > best[0] and is_open(i):
                    best = worth, Move(unit, picture.board.label(i), mode)
        return best[1]

    # -- headquarters --------------------------------------------------------------------------------------------------------

    def _lead(self, leader: str) -> Move | None:
        """Where most units without another leader are, or as close to them as possible, out of the enemy's way."""
        picture, post = self.picture, Post(self.picture, leader)
        others = {i for i, stack in picture.mine.items() if any(map(picture.is_headquarters, stack))}

        def score(i: int, mode: str) -> float:
            return post.worth(i) - 0.1 * bool(mode)

        return self._better(leader, post.worth(picture.where(leader)), score, lambda i: i not in others)


class Post:
    """How good a hex is for a headquarters.

    Args:
        picture: the position.
        leader: the headquarters.
    """

    def __init__(self, picture: Picture, leader: str) -> None:
        self.picture = picture
        self.leader = leader
        self._range = picture.world.units[leader].command
        led = 0
        for i, stack in picture.mine.items():
            for unit in stack:
                if picture.is_headquarters(unit) and unit != leader:
                    led |= picture.ground.disk(i, picture.world.units[unit].command)
        self._weights = {
            i: sum(0.5 + 0.2 * picture.attack(unit) for unit in picture.troops(stack)) * (0.3 if led >> i & 1 else 1.0)
            for i, stack in picture.mine.items()
        }

    @remembered
    def worth(self, i: int) -> float:
        """How many units it would lead, how near it would be to the others, and how safe it would be."""
        picture, distance, label = self.picture, self.picture.board.distance, self.picture.board.label(i)
        near, friends = picture.enemy_away[i], picture.load(i)
        score = 0.0 if picture.supplied >> i & 1 else -6.0
        score -= 2.5 if picture.their_zone >> i & 1 else 0.0
        score -= 0.15 * max(0, 8 - near) * (1 if friends else 2)
        in_range = picture.ground.disk(i, self._range)
        for there, weight in self._weights.items():
            if in_range >> there & 1:
                score += weight
            else:
                score += weight * max(0.0, 0.5 - 0.05 * (distance(label, picture.board.label(there)) - self._range))
        return score
