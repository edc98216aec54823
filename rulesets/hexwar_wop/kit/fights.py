"""10 and 14 word for word, on plain dictionaries and on the files as they are printed: nothing is shared with the rules."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from typing import Any

from hexwar.engine import Game
from hexwar.grouping import grouped
from hexwar.testing.oracles import Sheet, sheet_of
from hexwar_wop.content import DATA, PARTS, WHOLE

WATER, VEHICLES = ("brook", "river", "large-river"), ("tank", "armoured_car", "armoured_train", "river_unit")
COMPASS = ("N", "NE", "SE", "S", "SW", "NW")


@cache
def printed(name: str) -> Mapping[str, Any]:
    """A content file."""
    with (DATA / name).open("rb") as file:
        return tomllib.load(file)


@cache
def roster(side: str, key: str) -> tuple[Mapping[str, Any], ...]:
    """Every entry of a list of a side's order of battle, with what single scenarios have of their own."""
    own = [printed(f"{name}.toml")[side].get("own", {}).get(key, ()) for name in PARTS]
    return (*printed(f"{WHOLE}.toml")[side][key], *(entry for entries in own for entry in entries))


@cache
def ground() -> Mapping[str, Mapping[str, Any]]:
    """Kind of hex -> its line of the terrain table."""
    return {entry["id"]: entry for entry in printed("terrain.toml")["hex"]}


@dataclass(frozen=True)
class Table:
    """What lies on the table.

    Args:
        sheet: the map.
        sides: piece -> side.
        entries: piece -> what the order of battle says about it.
        lies: piece on the map -> hex.
        left: piece -> levels left.
        state: what else is public.
        board: for the direction of a step.
        majority: whether 3.13 is on.
    """

    sheet: Sheet
    sides: Mapping[str, str]
    entries: Mapping[str, Mapping[str, Any]]
    lies: Mapping[str, str]
    left: Mapping[str, int]
    state: Any
    board: Any
    majority: bool = False

    @classmethod
    def of(cls, game: Game) -> Table:
        """The table of a game."""
        sides, entries = {}, {}
        for side in ("polish", "soviet"):
            for key in ("headquarters", "units"):
                for entry in roster(side, key):
                    sides[entry["id"]], entries[entry["id"]] = side, entry
        garrison = printed("templates.toml")["garrison"]
        for unit, counter in game.world.units.items():
            if unit not in entries and "garrison" in counter.tags:
                sides[unit] = counter.side
                entries[unit] = {"type": "infantry", "s": garrison["strength"], "m": garrison["morale"], "mp": 0}
        lies = {u: at for u, at in game.state.locations.items() if at in game.world.board and u in entries}
        majority = game.world.options["supply-by-majority"]
        return cls(
            sheet_of(game.world.board), sides, entries, lies, game.state.steps_left, game.state, game.world.board, majority
        )

    # -- pieces

    def kind(self, unit: str) -> str:
        """The type of a unit; that of a headquarters is "hq"."""
        return str(self.entries[unit].get("type", "hq"))

    def points(self, unit: str, *, attacks: bool = False) -> int:
        """The strength of a unit as it lies."""
        entry = self.entries[unit]
        return 0 if attacks and entry.get("b") else int(entry["s"][len(entry["s"]) - self.left[unit]])

    def units(self, label: str, side: str = "") -> list[str]:
        """The units in a hex; headquarters are none."""
        return [u for u in self.stacks.get(label, ()) if self.kind(u) != "hq" and side in ("", self.sides[u])]

    @cached_property
    def stacks(self) -> dict[str, list[str]]:
        """Hex -> the pieces in it."""
        return grouped((label, unit) for unit, label in self.lies.items())

    def holder(self, label: str) -> str:
        """Who has anything in a hex."""
        return next((self.sides[unit] for unit in self.stacks.get(label, ())), "")

    # -- 10 zones, 3.8 lines

    @cached_property
    def zones(self) -> dict[str, set[str]]:
        """10.1 to 10.3: side -> the hexes in its zones."""
        found: dict[str, set[str]] = {"polish": set(), "soviet": set()}
        for label in self.stacks:
            if sum(self.points(unit) for unit in self.units(label) if unit not in self.state.loaded) > 2:
                found[self.holder(label)] |= {near for near in self.sheet.near[label] if self._reaches(label, near)}
        return found

    def _reaches(self, label: str, near: str) -> bool:
        across = "large-river" in self.sheet.sides[label, near] and not self.sheet.links[label, near]
        return bool(ground()[self.sheet.terrain[near]].get("zoc_enters", True)) and not across

    def has_line(self, headquarters: str, unit: str) -> bool:
        """3.7 to 3.9: whether a line leads from a headquarters to a unit."""
        side = self.sides[unit]
        enemy = "soviet" if side == "polish" else "polish"
        zone, reached, edge = self.zones[enemy], {self.lies[headquarters]}, {self.lies[headquarters]}
        for _ in range(self.entries[headquarters]["cr"]):
            around = {near for label in edge for near in self.sheet.near[label] if self._runs(label, near, side, enemy, zone)}
            edge = around - reached
            reached |= edge
        return self.lies[unit] in reached

    def _runs(self, label: str, near: str, side: str, enemy: str, zone: set[str]) -> bool:
        river = "large-river" in self.sheet.sides[label, near] and not self.sheet.links[label, near]
        return not river and self.sheet.terrain[near] != "lake" and self._open(near, side, enemy, zone)

    def _open(self, label: str, side: str, enemy: str, zone: set[str]) -> bool:
        return not self.units(label, enemy) and (label not in zone or bool(self.units(label, side)))

    # -- 14.10 to 14.13 the sum

    def total(self, attackers: Iterable[str], target: str) -> int:
        """14.13: everything that is added to the die in an attack."""
        named = list(attackers)
        front = self._front(named, target)
        side = self.sides[named[0]]
        enemy = "soviet" if side == "polish" else "polish"
        boats, flotilla = [unit for unit in named if unit not in self.lies], self._flotilla(front, target, enemy)
        defenders = [unit for unit in self.units(target) if unit not in self.state.beaten]
        guns = [
            unit
            for unit, at in self.lies.items()
            if self.sides[unit] == enemy and self.kind(unit) == "artillery" and at != target and unit not in self.state.loaded
            and self.sheet.distance(at, target) <= self.entries[unit]["rng"]
        ]  # fmt: skip
        value = self._odds(
            sum(self._counts(u, True) for u in named), sum(self._counts(u, False) for u in [*defenders, *flotilla, *guns])
        )
        value += (
            self._ground(front, defenders, target)
            + self._morale([*front, *boats], [*defenders, *flotilla], target)
            + self._command(front, defenders)
        )
        value -= 3 * self._hungry(front)
        value += self._hungry(defenders)
        sides = [*front, *boats], [*defenders, *flotilla]
        for kinds in (("tank", "armoured_car"), ("armoured_train", "river_unit")):
            ours, theirs = (min(2, sum(self.entries[u].get("st", 0) for u in units if self.kind(u) in kinds)) for units in sides)
            value += ours - theirs
        value += 4 * self._encircled(defenders, target, side, enemy)
        attacked = {target, *(label for _, label in self.state.planned)}
        beside = {near for unit in front for near in self.sheet.near[self.lies[unit]]} - attacked
        value += self._from_above(front, defenders, target, side)
        alone = {label for label in beside if {*self.units(label, enemy)} - {*self.state.beaten}}
        return value - 2 * len(alone)

    def _front(self, named: list[str], target: str) -> list[str]:
        """14.12.c, 14.14.c: guns attack on the hex of somebody else who does, and support from any other."""
        beside = [unit for unit in named if unit in self.lies and target in self.sheet.near[self.lies[unit]]]
        hexes = {self.lies[unit] for unit in beside if self.kind(unit) != "artillery"}
        return [unit for unit in beside if self.lies[unit] in hexes]

    def _flotilla(self, front: list[str], target: str, enemy: str) -> list[str]:
        """16.4: the defender's boats at the hex, and those at a crossing of somebody who attacks, or next to one."""
        found = []
        for unit, place in self.state.locations.items():
            banks = set(place.split("|"))
            if len(banks) < 2 or self.sides.get(unit) != enemy or self.kind(unit) != "river_unit":
                continue
            busy = dict(self.state.engaged).get(unit, target)
            crossed = [{self.lies[other], target} for other in front if self._is_navigable(self.lies[other], target)]
            near = any(edge == banks or self._touch(edge, banks) for edge in crossed)
            found += [unit] if busy == target and (target in banks or near) else []
        return found

    def _is_navigable(self, one: str, other: str) -> bool:
        return "navigable" in self.sheet.sides[one, other]

    def _touch(self, edge: set[str], banks: set[str]) -> bool:
        """Whether two hexsides share a corner: they have one hex in common, and the other two are neighbours."""
        one, other = edge - banks, banks - edge
        return len(one) == len(other) == 1 and min(other) in self.sheet.near[min(one)]

    # -- 17 in the air

    def _from_above(self, front: list[str], defenders: list[str], target: str, side: str) -> int:
        """14.13.p, 14.13.v: stars of air units that support the fight, and formations that are tracked."""
        stars, spied = {"polish": 0, "soviet": 0}, set()
        for flight in self.state.flights:
            if flight.mission == "support" and flight.battle == target:
                owner, entry = self.squadron(flight.unit)
                stars[owner] += entry["stars"][2 - self.left[flight.unit]]
            elif flight.mission == "reconnaissance":
                spied.add(flight.formation)
        enemy = "soviet" if side == "polish" else "polish"
        known = [any(self.entries[unit].get("wj") in spied for unit in units) for units in (front, defenders)]
        return min(3, stars[side]) - min(3, stars[enemy]) - known[0] + known[1]

    @staticmethod
    def squadron(unit: str) -> tuple[str, Mapping[str, Any]]:
        """17.1: the side of an air unit, and what the order of battle says about it."""
        return next((side, it) for side in ("polish", "soviet") for it in roster(side, "air") if it["id"] == unit)

    def delayed(self, enemy: str) -> set[str]:
        """17.4, 17.8: the hexes in which air units of the other side delay a side."""
        found: set[str] = set()
        for flight in self.state.flights:
            if flight.mission == "delay" and self.squadron(flight.unit)[0] != enemy:
                found |= {flight.hex, *(self.sheet.near[flight.hex] if self.left[flight.unit] == 2 else ())}
        return found

    def _counts(self, unit: str, attacks: bool) -> int:
        points = self.points(unit, attacks=attacks)
        if unit in self.state.loaded:
            points = -(-points // 2)
        hungry = unit in self.state.no_supply and self.kind(unit) in (*VEHICLES, "artillery")
        return -(-points // 2) if hungry else points

    def _odds(self, attack: int, defence: int) -> int:
        if attack == defence:
            return 0
        small, large = sorted((attack, defence))
        times = 10 if small == 0 else min(10, (2 * large + small) // (2 * small))
        return times if attack > defence else -times

    def _ground(self, front: list[str], defenders: list[str], target: str) -> int:
        there = ground()[self.sheet.terrain[target]]
        alone = all(self.kind(unit) in VEHICLES for unit in defenders) and there.get("no_combat_mod_for_vehicles_only", False)
        value = 0 if alone else int(there["combat"])
        edges = {entry["id"]: entry["combat"] for entry in printed("terrain.toml")["hexside"]}
        crossed = [self.sheet.sides[self.lies[unit], target] for unit in front]
        for sort in (WATER, ("forest-edge",), ("marsh-edge",)):
            worst = [min((edges[name] for name in features if name in sort), default=0) for features in crossed]
            value += max(worst)
        return value

    def _morale(self, front: list[str], defenders: list[str], target: str) -> int:
        best: list[int] = []
        for units in (front, defenders):
            named = [unit for label, unit in self.state.leading if label == target and unit in units]
            best.append(max(self._heart(unit) for unit in named or units))
        return (best[0] > best[1]) - (best[0] < best[1])

    def _heart(self, unit: str) -> int:
        """18.9.b: morale, on transport no more than that of the transport."""
        kinds = {entry["id"]: entry["kind"] for side in ("polish", "soviet") for entry in roster(side, "transport")}
        by = kinds.get(self.state.loaded.get(unit, ""))
        morale = int(self.entries[unit]["m"])
        return min(morale, printed("templates.toml")["transport"][by]["morale"]) if by else morale

    def _command(self, front: list[str], defenders: list[str]) -> int:
        led = [any(self.has_line(hq, unit) for hq in self._heads(unit)) for unit in defenders]
        if any(led) and not all(led):
            return 0
        ours = 0 if {*front} & {*self.state.unled} else max(map(self._quality, front))
        theirs = max(map(self._quality, defenders)) if any(led) else 0
        return (ours > theirs) - (ours < theirs)

    def _heads(self, unit: str) -> list[str]:
        """9.3, 9.4: the headquarters on the map that may lead a unit."""
        own = self.entries[unit].get("wj", "")
        return [hq for hq in self.lies if self.kind(hq) == "hq" and self.sides[hq] == self.sides[unit] and own in ("", hq)]

    def _quality(self, unit: str) -> int:
        """14.13.f, 14.13.i: the rating of a unit's division or brigade, or of the best that leads an independent unit."""
        own, heads = self.entries[unit].get("wj", ""), self._heads(unit)
        found = [hq for hq in heads if own or (self.entries[hq]["kind"] == "formation" and self.has_line(hq, unit))]
        return max((int(self.entries[hq]["tr"]) for hq in found), default=0)

    def _hungry(self, units: list[str]) -> bool:
        starved = [unit for unit in units if unit in self.state.no_supply]
        if self.majority and 2 * sum(self.left[unit] for unit in starved) <= sum(self.left[unit] for unit in units):
            return False  # 3.13
        return any(unit in self.state.no_supply and self.kind(unit) in ("infantry", "cavalry") for unit in units)

    def _encircled(self, defenders: list[str], target: str, side: str, enemy: str) -> bool:
        there = ground()[self.sheet.terrain[target]]
        if there.get("blocks_encirclement", False):
            return False
        zone = self.zones[side] | self.delayed(enemy)
        near = [label for label in self.sheet.near[target] if any(self.passable(u, target, label) for u in defenders)]
        closed = [label for label in near if self.units(label, side) or (label in zone and not self.units(label, enemy))]
        return bool(near) and closed == near

    # -- 13.2, 14.23 ground

    def passable(self, unit: str, label: str, near: str) -> bool:
        """13.2.a, 13.3.b: whether ground, hexside and roads let a unit go from a hex into the next."""
        classes = printed("templates.toml")["movement_class"]
        moves_as = next(name for name, entry in classes.items() if self.kind(unit) in entry["used_by"])
        routes = {entry["id"] for entry in printed("terrain.toml")["route"] if moves_as in entry["cost"]}
        if routes & self.sheet.links[label, near]:
            return True
        hexes = {entry["id"]: entry["cost"].get(moves_as, "closed") for entry in printed("terrain.toml")["hex"]}
        edges = {entry["id"]: entry["cost"].get(moves_as, "closed") for entry in printed("terrain.toml")["hexside"]}
        prices = [hexes[self.sheet.terrain[label]], hexes[self.sheet.terrain[near]]]
        return "closed" not in [*prices, *(edges[name] for name in self.sheet.sides[label, near] if name in edges)]

    # -- 14.16 the table

    @staticmethod
    def result(total: int) -> tuple[int, int, int, int]:
        """14.17: levels and hexes of the attacker, then those of the defender."""
        for row in printed("combat.toml")["row"]:
            if row.get("min", total) <= total <= row.get("max", total):
                ours, theirs = row["attacker"], row["defender"]
                return ours["losses"], ours["retreat"], theirs["losses"], theirs["retreat"]
        raise AssertionError(f"the table has no row for {total}")

    # -- 14.18 to 14.26 retreats

    def retreats(self, unit: str, hexes: int, foes: Iterable[str]) -> set[tuple[str, ...]]:
        """14.20 to 14.26: the ways among which the owner may choose."""
        if not self.entries[unit]["mp"]:
            return set()
        ways = list(self._outward(unit, (self.lies[unit],), hexes))
        tiers = {way: self._choice(unit, way, [*foes]) for way in ways}
        return {way for way, tier in tiers.items() if tier == min(tiers.values())}

    def _outward(self, unit: str, path: tuple[str, ...], hexes: int) -> Iterable[tuple[str, ...]]:
        if len(path) == hexes + 1:
            yield path
            return
        for near in self.sheet.near[path[-1]]:
            farther = self.sheet.distance(path[0], near) == len(path)
            if farther and self.holder(near) in ("", self.sides[unit]) and self.passable(unit, path[-1], near):
                yield from self._outward(unit, (*path, near), hexes)

    def _choice(self, unit: str, path: tuple[str, ...], foes: list[str]) -> int:
        hexes, end, side = len(path) - 1, path[-1], self.sides[unit]
        if min((self.sheet.distance(end, foe) for foe in foes), default=hexes) < hexes:
            return 4
        touched = any(self.sides[other] != side for near in self.sheet.near[end] for other in self.units(near))
        heads = [COMPASS[self.board.direction(here, there)] for here, there in pairwise(path)]
        by_map = all(head in printed("wkra.toml")["retreat"][side] for head in heads)
        if by_map or any(self._nearer(path, army) for army in self._armies(unit)):
            return 1 if not touched or hexes == 1 else 2
        return 4 if touched else 3

    def _nearer(self, path: tuple[str, ...], army: str) -> bool:
        far = [self.sheet.distance(label, army) for label in path]
        return far == list(range(far[0], far[0] - len(far), -1))

    def _armies(self, unit: str) -> list[str]:
        own = self.entries[unit].get("wj", "")
        if own:
            army = self.entries[own]["army"]
            return [self.lies[army]] if army in self.lies else []
        side = [
            hq for hq, at in self.lies.items() if self.entries[hq].get("kind") == "army" and self.sides[hq] == self.sides[unit]
        ]
        far = {self.lies[hq]: self.sheet.distance(self.lies[hq], self.lies[unit]) for hq in side}
        return [label for label, distance in far.items() if distance == min(far.values())]
