"""14 a second time, from the text and from the files as they are printed: fights, losses, retreats, pursuits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil
from typing import Any

from hexwar.engine import Step
from hexwar.testing import ExactChance
from hexwar.testing.oracles import Battles, Field, Fight, Pairs, Path, Piece, Pursuits, Reckoning, Retreats, Verdict
from hexwar_wop.kit.ground import COMMAND, ENGINES, LAND, MOVEMENT, STACKING, SUPPLY, ZONES, touch
from hexwar_wop.kit.table import SIDES, edges, entries, ground, printed, roster, transport_kinds
from hexwar_wop.pursuit import Chasing
from hexwar_wop.retreat import FallingBack

WATER = ("brook", "river", "large-river")
COMPASS = ("N", "NE", "SE", "S", "SW", "NW")
GUNS, BOAT, TRAIN = "artillery", "river_unit", "armoured_train"
SUPPORTING = (GUNS, BOAT)


class Chances(ExactChance):
    """14.14.a, 16.4.2: guns support from as far as their range, boats at a bank; they count in what is shown."""

    def still_attacks(self, game: Any, unit: str, aim: str) -> bool:
        """See `ExactChance.still_attacks`."""
        board, counter = game.world.board, game.world.units[unit]
        places = [place for place in game.state.locations.get(unit, "").split("|") if place in board]
        return any(board.distance(place, aim) <= (counter.reach if counter.arm == GUNS else 1) for place in places)


def squadron(unit: str) -> Mapping[str, Any]:
    """17.1: what the order of battle says about an air unit, and its side."""
    return next({**it, "of": side} for side in SIDES for it in roster(side, "air") if it["id"] == unit)


def passable(field: Any, unit: str, label: str, near: str) -> bool:
    """13.2.a, 13.3.b, 14.6, 14.23: whether ground, hexside and roads let a unit itself go from a hex into the next."""
    return MOVEMENT.known_step(field.sheet, field.world.units[unit].side, field.kind(unit), label, near) is not None


def heads(field: Any, unit: str) -> list[str]:
    """9.3, 9.4: the headquarters on the map that may lead a unit."""
    own, side = COMMAND.formation(unit), field.world.units[unit].side
    return [it.id for it in field.of_side(side) if field.kind(it.id) == "hq" and own in ("", it.id)]


class WopCombat(Battles):
    """14.1 to 14.17: a sum on a die of ten that shows 0 to 9."""

    retreats_cost_the_same = True

    # -- 14.1 to 14.7, 14.14 who attacks what

    def may_attack(self, field: Any, piece: Piece, target: str) -> bool:
        """14.3.b, 14.6, 9.22.a, 11.3, 15.3, 18.9.c; 14.14.a, 3.12.e: guns support from where they stand."""
        kind, garrison = field.kind(piece.id), "garrison" in piece.counter.tags
        if kind not in LAND or garrison or piece.id in field.no_command or piece.id in field.loaded:
            return False
        if not self.counting(field, target, field.enemy(piece.side)):
            return False
        if kind == GUNS:
            near = field.sheet.distance(piece.at, target) <= entries()[piece.id]["rng"]
            return near and piece.id not in field.no_supply
        beside = target in field.sheet.near[piece.at]
        return beside and (kind == TRAIN or passable(field, piece.id, piece.at, target))

    def able(self, field: Any, units: Iterable[str]) -> list[Piece]:
        """Boats attack from hexsides, which is for the drills."""
        return [piece for piece in super().able(field, units) if field.kind(piece.id) in LAND]

    def targets(self, field: Any, piece: Piece) -> set[str]:
        """14.14.a: guns reach farther than the next hex."""
        return {label for label in field.held(field.enemy(piece.side)) if self.may_attack(field, piece, label)}

    def leads(self, piece: Piece) -> bool:
        """14.14.a."""
        return piece.arm not in SUPPORTING

    def most(self, field: Field, piece: Piece) -> int | None:
        """14.4: any number."""
        return None

    def may_declare(self, field: Field, piece: Piece, target: str, declared: Pairs) -> bool:
        """14.14.a, as ruled: guns join after an attacker."""
        others = [unit for unit, aim in declared if aim == target]
        alone = all(field.world.units[unit].arm in SUPPORTING for unit in others)
        return super().may_declare(field, piece, target, declared) and (self.leads(piece) or not alone)

    def counting(self, field: Any, label: str, side: str = "") -> list[str]:
        """14.3.c: the units in a hex that have not been beaten in this activation."""
        return [unit for unit in field.troops(label, side) if unit not in field.beaten]

    # -- 14.12, 14.14, 16.4 who takes part

    def front(self, field: Any, fight: Fight) -> list[str]:
        """14.12.c, 14.14.c, as ruled: guns attack on the hex of another attacker, and support from any other."""
        places = {unit: field.lost.get(unit, field.locations.get(unit, "")) for unit in fight.attackers}
        others = [unit for unit in fight.attackers if field.kind(unit) not in SUPPORTING]
        hexes = {places[unit] for unit in others} & {*field.sheet.near[fight.targets[0]]}
        return [unit for unit in fight.attackers if unit in field.pieces and field.pieces[unit].at in hexes]

    def boats(self, field: Any, fight: Fight) -> list[str]:
        """16.4: the attacker's."""
        return [unit for unit in fight.attackers if field.kind(unit) == BOAT and "|" in field.locations.get(unit, "")]

    def flotilla(self, field: Any, fight: Fight) -> list[str]:
        """16.4: the defender's boats at the hex, and those at a crossing of an attacker, or next to one."""
        [target], found = fight.targets, []
        enemy = field.enemy(field.world.units[fight.attackers[0]].side)
        for unit, place in field.locations.items():
            banks = {*place.split("|")}
            if len(banks) < 2 or field.kind(unit) != BOAT or field.world.units[unit].side != enemy:
                continue
            places = [field.pieces[other].at for other in self.front(field, fight)]
            crossed = [{here, target} for here in places if "navigable" in field.sheet.sides[here, target]]
            near = any(edge == banks or touch(field.sheet, edge, banks) for edge in crossed)
            found += [unit] if dict(field.engaged).get(unit, target) == target and (target in banks or near) else []
        return found

    def support(self, field: Any, fight: Fight) -> list[str]:
        """14.14.a, 18.9.c: the defender's guns elsewhere in range, but on no transport."""
        [target] = fight.targets
        enemy = field.enemy(field.world.units[fight.attackers[0]].side)
        guns = [it for it in field.of_side(enemy) if field.kind(it.id) == GUNS and it.at != target and it.id not in field.loaded]
        return [it.id for it in guns if field.sheet.distance(it.at, target) <= entries()[it.id]["rng"]]

    # -- 14.10 to 14.13 the sum

    def points(self, field: Any, unit: str, *, attacks: bool) -> int:
        """14.10, 3.12.c, 3.12.e, 18.9.a: half on transport, half without supply for what has engines and for guns."""
        up = field.world.units[unit].faces[field.steps_left[unit] - 1].defence
        points = 0 if attacks and entries().get(unit, {}).get("b") else up
        points = ceil(points / 2) if unit in field.loaded else points
        hungry = unit in field.no_supply and field.kind(unit) in (*ENGINES, GUNS)
        return ceil(points / 2) if hungry else points

    def reckon(self, field: Any, fight: Fight) -> Reckoning:
        """14.10, 14.13: strengths, and everything that is added to the die."""
        [target] = fight.targets
        front, boats = self.front(field, fight), self.boats(field, fight)
        defenders, flotilla = self.counting(field, target), self.flotilla(field, fight)
        attack = sum(self.points(field, unit, attacks=True) for unit in fight.attackers if unit in field.locations)
        defence = sum(self.points(field, unit, attacks=False) for unit in (*defenders, *flotilla, *self.support(field, fight)))
        if not attack or not front or not defenders:  # 14.14.a, 14.3.b, 16.4
            return Reckoning(attack, defence, None)
        side = field.world.units[fight.attackers[0]].side
        total = self._odds(attack, defence) + self._ground(field, front, defenders, target)
        total += self._morale(field, [*front, *boats], [*defenders, *flotilla], target) + self._led(field, front, defenders)
        total += self._hungry(field, defenders) - 3 * self._hungry(field, front)
        total += self._stars(field, [*front, *boats], [*defenders, *flotilla])
        total += 4 * self._encircled(field, defenders, target, side) + self._above(field, front, defenders, target, side)
        return Reckoning(attack, defence, total - 2 * len(self._alone(field, front, target, side)))

    def called(self, column: int | None) -> str:
        """With its sign."""
        return "no attack" if column is None else f"{column:+d}"

    def counts(self, field: Field, fight: Fight, roll: int) -> int:
        """14.15."""
        return roll + (self.reckon(field, fight).column or 0)

    def _odds(self, attack: int, defence: int) -> int:
        """14.11, 1.6."""
        if attack == defence:
            return 0
        small, large = sorted((attack, defence))
        times = 10 if small == 0 else min(10, (2 * large + small) // (2 * small))
        return times if attack > defence else -times

    def _ground(self, field: Any, front: list[str], defenders: list[str], target: str) -> int:
        """14.13.b to 14.13.d, 14.13.w."""
        there = ground()[field.sheet.terrain[target]]
        alone = all(field.kind(unit) in ENGINES for unit in defenders) and there.get("no_combat_mod_for_vehicles_only", False)
        value = 0 if alone else int(there["combat"])
        crossed = [field.sheet.sides[field.pieces[unit].at, target] for unit in front]
        for sort in (WATER, ("forest-edge",), ("marsh-edge",)):
            worst = [min((edges()[name]["combat"] for name in features if name in sort), default=0) for features in crossed]
            value += max(worst)
        return value

    def _morale(self, field: Any, ours: list[str], theirs: list[str], target: str) -> int:
        """14.12, 14.13.e: the morale of the unit that was named, or the best."""
        best = []
        for units in (ours, theirs):
            named = [unit for label, unit in field.leading if label == target and unit in units]
            best.append(max(self.heart(field, unit) for unit in named or units))
        return (best[0] > best[1]) - (best[0] < best[1])

    def heart(self, field: Any, unit: str) -> int:
        """18.9.b: morale, on transport no more than that of the transport."""
        morale, by = int(field.world.units[unit].morale), field.loaded.get(unit)
        return min(morale, printed("templates.toml")["transport"][transport_kinds()[by]]["morale"]) if by else morale

    def _led(self, field: Any, front: list[str], defenders: list[str]) -> int:
        """9.22, 14.13.f to 14.13.i."""
        led = [any(COMMAND.reaches(field, hq, unit) for hq in heads(field, unit)) for unit in defenders]
        if any(led) and not all(led):
            return 0
        ours = 0 if {*front} & {*field.unled} else max(self._rating(field, unit) for unit in front)
        theirs = max(self._rating(field, unit) for unit in defenders) if any(led) else 0
        return (ours > theirs) - (ours < theirs)

    def _rating(self, field: Any, unit: str) -> int:
        """14.13.f, 14.13.i: that of the unit's division or brigade, or of the best that leads an independent unit."""
        found = heads(field, unit)
        if not COMMAND.formation(unit):
            found = [hq for hq in found if entries()[hq]["kind"] == "formation" and COMMAND.reaches(field, hq, unit)]
        return max((int(entries()[hq]["tr"]) for hq in found), default=0)

    def _hungry(self, field: Any, units: list[str]) -> bool:
        """3.12.a, 3.13, 14.13.k, 14.13.l."""
        starved, levels = [unit for unit in units if unit in field.no_supply], field.steps_left
        few = 2 * sum(levels[unit] for unit in starved) <= sum(levels[unit] for unit in units)
        if field.is_option_on("supply-by-majority") and few:
            return False
        return any(field.kind(unit) in ("infantry", "cavalry") for unit in starved)

    def _stars(self, field: Any, ours: list[str], theirs: list[str]) -> int:
        """14.13.n, 14.13.o: of each of two kinds no more than two."""
        value = 0
        for kinds in (("tank", "armoured_car"), (TRAIN, BOAT)):
            shown = [sum(entries()[unit].get("st", 0) for unit in units if field.kind(unit) in kinds) for units in (ours, theirs)]
            value += min(2, shown[0]) - min(2, shown[1])
        return value

    def _encircled(self, field: Any, defenders: list[str], target: str, side: str) -> bool:
        """14.13.r to 14.13.t."""
        if ground()[field.sheet.terrain[target]].get("blocks_encirclement", False):
            return False
        enemy = field.enemy(side)
        barred = ZONES.watched(field, enemy) | MOVEMENT.delayed(field, enemy)
        near = [label for label in field.sheet.near[target] if any(passable(field, unit, target, label) for unit in defenders)]
        free = [it for it in near if not field.troops(it, side) and (it not in barred or field.troops(it, enemy))]
        return bool(near) and not free

    def _above(self, field: Any, front: list[str], defenders: list[str], target: str, side: str) -> int:
        """14.13.p, 14.13.v, 17.7: stars of air units that support the fight, and formations that are tracked."""
        stars, spied = dict.fromkeys(SIDES, 0), set()
        for flight in field.flights:
            if flight.mission == "support" and flight.battle == target:
                entry = squadron(flight.unit)
                stars[entry["of"]] += entry["stars"][2 - field.steps_left[flight.unit]]
            elif flight.mission == "reconnaissance":
                spied.add(flight.formation)
        known = [any(COMMAND.formation(unit) in spied for unit in units) for units in (front, defenders)]
        return min(3, stars[side]) - min(3, stars[field.enemy(side)]) - known[0] + known[1]

    def _alone(self, field: Any, front: list[str], target: str, side: str) -> set[str]:
        """14.13.u: the hexes of enemies next to an attacker that are not attacked and have not been."""
        beside = {near for unit in front for near in field.sheet.near[field.pieces[unit].at]}
        attacked = {target, *(label for _, label in field.planned)}
        return {label for label in beside - attacked if self.counting(field, label, field.enemy(side))}

    # -- 14.16, 14.17, 14.39 to 14.43 the table, and who pays

    def read(self, field: Field, fight: Fight, roll: int) -> str:
        """14.16: the row of the sum, as the game writes it."""
        row = self._row(self.counts(field, fight, roll))
        told = {side: self._written(row[name]) for side, name in (("A", "attacker"), ("D", "defender"))}
        return ", ".join(f"{side} {result}" for side, result in told.items() if result)

    def _row(self, total: int) -> Mapping[str, Any]:
        rows = printed("combat.toml")["row"]
        return next(row for row in rows if row.get("min", total) <= total <= row.get("max", total))

    @staticmethod
    def _written(entry: Mapping[str, int]) -> str:
        parts = [f"{entry['retreat']}R" if entry["retreat"] else "", str(entry["losses"]) if entry["losses"] else ""]
        return "/".join(part for part in parts if part)

    def verdict(self, field: Field, fight: Fight, result: str) -> Verdict:
        """14.17.1 to 14.17.3."""
        told = {word[:1]: word[2:] for word in result.split(", ")}
        for row in printed("combat.toml")["row"]:
            ours, theirs = row["attacker"], row["defender"]
            if (told.get("A", ""), told.get("D", "")) == (self._written(ours), self._written(theirs)):
                return Verdict(ours["losses"], theirs["losses"], theirs["retreat"], ours["retreat"])
        return Verdict(0, 0, 0)

    def parties(self, field: Any, fight: Fight) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """14.3.a, 14.14.c, 14.43, 16.4: all units in the hex, beaten or not, and boats; no headquarters, no guns elsewhere."""
        fleet = [unit for unit, target in field.engaged if target in fight.targets and unit in field.locations]
        return (*self.front(field, fight), *self.boats(field, fight)), (*field.troops(fight.targets[0]), *fleet)

    def losers(self, field: Any, fight: Fight, party: Sequence[str], *, first: bool) -> set[str]:
        """14.12.b, 14.42: the unit that was named first; then one of those with the most levels left."""
        named = {unit for label, unit in field.leading if label in fight.targets and unit in party}
        most = max((field.steps_left[unit] for unit in party), default=0)
        return named if first and named else {unit for unit in party if field.steps_left[unit] == most}


class WopRetreats(Retreats):
    """14.18 to 14.26: hexes away from where one stood, by the first choice that is possible."""

    is_quick = True

    def begins(self, step: Step) -> tuple[tuple[str, ...], int, tuple[str, ...]] | None:
        """From battles, before approaching enemies, from guns' hexes."""
        return (step.units, step.hexes, step.foes) if isinstance(step, FallingBack) else None

    def judges(self, piece: Piece) -> bool:
        """14.18, 14.27: headquarters go where units have gone, and trains along their line: for the drills."""
        return piece.arm not in ("hq", TRAIN)

    def zone_clause(self, field: Field) -> str:
        """10.14: the way is paid for when all have gone, by tests of morale."""
        return ""

    def hurts(self, field: Field, piece: Piece, label: str) -> bool:
        """10.14: not at once."""
        return False

    def foes(self, field: Any, piece: Piece) -> tuple[str, ...]:
        """14.22.a: away from the enemies around by default."""
        return tuple(near for near in field.sheet.near[piece.at] if field.troops(near, field.enemy(piece.side)))

    def best(self, field: Any, piece: Piece, hexes: int, away: Sequence[str] = ()) -> set[Path]:
        """14.20 to 14.26, 14.30: the ways among which the owner may choose."""
        if not field.world.units[piece.id].faces[0].move:
            return set()
        tiers = {way: self._choice(field, piece, way, away) for way in self._outward(field, piece, (piece.at,), hexes)}
        return {way for way, tier in tiers.items() if tier == min(tiers.values())}

    def _outward(self, field: Any, piece: Piece, path: Path, hexes: int) -> Iterator[Path]:
        if len(path) == hexes + 1:
            yield path
            return
        for near in field.sheet.near[path[-1]]:
            farther = field.sheet.distance(path[0], near) == len(path)
            if farther and not field.is_enemy_held(piece.side, near) and passable(field, piece.id, path[-1], near):
                yield from self._outward(field, piece, (*path, near), hexes)

    def _choice(self, field: Any, piece: Piece, path: Path, away: Sequence[str]) -> int:
        """14.22.1 to 14.22.4."""
        hexes, end = len(path) - 1, path[-1]
        if any(field.sheet.distance(end, foe) < hexes for foe in away):
            return 4
        touched = any(field.troops(near, field.enemy(piece.side)) for near in field.sheet.near[end])
        board, words = field.world.board, printed("wkra.toml")["retreat"][piece.side]
        by_map = all(COMPASS[board.direction(here, there)] in words for here, there in pairwise(path))  # 14.21.a
        if by_map or any(self._nearer(field, path, army) for army in self._armies(field, piece)):
            return 1 if not touched or hexes == 1 else 2
        return 4 if touched else 3

    def _nearer(self, field: Field, path: Path, army: str) -> bool:
        """14.21.b: every step leads nearer."""
        far = [field.sheet.distance(label, army) for label in path]
        return far == list(range(far[0], far[0] - len(far), -1))

    def _armies(self, field: Any, piece: Piece) -> list[str]:
        """14.21.b: that of the unit's formation; the nearest of an independent unit."""
        own = COMMAND.formation(piece.id)
        if own:
            army = entries()[own]["army"]
            return [field.pieces[army].at] if army in field.pieces else []
        armies = [it.at for it in field.of_side(piece.side) if entries().get(it.id, {}).get("kind") == "army"]
        far = {label: field.sheet.distance(label, piece.at) for label in armies}
        return [label for label, distance in far.items() if distance == min(far.values())]


class WopPursuits(Pursuits):
    """14.31 to 14.37: by the hex that was left, then anywhere, with points of its own."""

    def begins(self, step: Step) -> tuple[tuple[str, ...], str, int] | None:
        """14.32.a."""
        return (step.units, step.target, step.hexes) if isinstance(step, Chasing) else None

    def follows(self, verdict: Verdict | None) -> bool:
        """14.32.a: those who forced a retreat."""
        return verdict is not None and verdict.retreat > 0

    def ends(self, step: Step) -> bool:
        """24, 13.17: headquarters and guns near the way answer before the next unit sets out."""
        return step.kind in ("ending", "following", "fighting")

    def differ(self, told: set[Path], literal: set[Path]) -> set[Path]:
        """One way to each hex is offered, which must be payable; which of several is no rule."""
        ends = {path[-1] for path in literal}
        return {path for path in told if path[-1] not in ends} | {
            path for path in literal if path[-1] not in {it[-1] for it in told}
        }

    def ways(
        self,
        field: Any,
        piece: Piece,
        target: str,
        attackers: Sequence[str] = (),
        gone: Sequence[Path] = (),
        hexes: int = 1,
    ) -> set[Path]:
        """14.32 to 14.36, 10.10: parts of its points are paid for zones; the first hex may always be entered."""
        factor = printed("tables.toml")["pursuit"].get(field.kind(piece.id), printed("tables.toml")["pursuit"]["other"])
        points, here = 2 * ceil(factor * hexes), piece.at
        if field.kind(piece.id) == GUNS or target not in field.sheet.near[here] or field.is_enemy_held(piece.side, target):
            return set()
        first = MOVEMENT.pursuit_price(field, piece, here, target, points)
        if first is None:
            return set()
        best, edge = {target: 0 if first == "all" else max(0, points - first)}, [target]
        for label in edge:
            for near in field.sheet.near[label]:
                price = (
                    None if field.is_enemy_held(piece.side, near) else MOVEMENT.pursuit_price(field, piece, label, near, points)
                )
                left = best[label] - price if isinstance(price, int) else -1
                if left >= 0 and left > best.get(near, -1):
                    best[near] = left
                    edge.append(near)
        ends = {label for label in best if label == target or MOVEMENT.may_end(field, piece, label)}
        return {(here, target) if label == target else (here, target, label) for label in ends}


COMBAT = WopCombat()
RETREATS = WopRetreats(MOVEMENT)
PURSUITS = WopPursuits(MOVEMENT, {})
RULES = (STACKING, ZONES, MOVEMENT, SUPPLY, COMMAND, COMBAT, RETREATS, PURSUITS)
