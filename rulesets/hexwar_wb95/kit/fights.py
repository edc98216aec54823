"""Combat, fire, retreat and pursuit a second time, from the clauses and the files as they are printed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

from hexwar.engine import Action, Event, Step
from hexwar.testing.oracles import Battles, Field, Fight, Path, Piece, Pursuits, Reckoning, Retreats, Verdict
from hexwar_wb95.kit.ground import MOVEMENT, ZONES
from hexwar_wb95.kit.table import FIGHTERS, GUNS, printed

STARS = ("black", "white", "gold")
STAY = (0, 0, 1, 2, 2, 3)
"""fs.6: the losses of those who stay, by the hexes of the result."""


@dataclass(frozen=True, slots=True)
class Halves(Verdict):
    """With the hexes or steps that each side divides itself: nobody has to go."""

    attacker_divides: int = 0
    defender_divides: int = 0


def read(text: str) -> tuple[int, int]:
    """Half of a result: what is divided, and what is lost."""
    found = re.fullmatch(r"(?:[AB](\d))?(?:-(\d))?[•D]?|0", text)
    assert found is not None, text
    return int(found[1] or 0), int(found[2] or 0)


class Wb95Combat(Battles):
    """combat, proc, result, star, hq, conc, up, fs."""

    in_turn = True

    # -- who may attack what

    def may_attack(self, field: Any, piece: Piece, target: str) -> bool:
        """combat.3, star.1, art.7, art.12, art.21."""
        if target not in field.sheet.near[piece.at] or piece.attack <= 0 or not field.fresh(target, field.enemy(piece.side)):
            return False
        if piece.arm in GUNS and piece.id in {*field.marching, *field.used, *field.silent, *field.supporting}:
            return False
        over = field.river(piece.at, target) == "large-river"
        ground = MOVEMENT.chart["arm"][piece.arm]["terrain"].get(field.sheet.terrain[target], "closed")
        return MOVEMENT.may_step(field, piece, piece.at, target) or (over and ground != "closed")

    def leads(self, piece: Piece) -> bool:
        """hq.5."""
        return piece.arm != "hq"

    def most(self, field: Field, piece: Piece) -> int | None:
        """combat.4: any number."""
        return None

    def due(self, field: Any, units: Iterable[str]) -> set[str]:
        """combat.1, combat.2, fs.4."""
        found: set[str] = set()
        for piece in self.able(field, units):
            if piece.arm in FIGHTERS and not field.is_fortified(piece.side, piece.at):
                near = [it for it in ZONES.covered(field, piece) if MOVEMENT.may_step(field, piece, piece.at, it)]
                found |= {label for label in near if field.fresh(label, field.enemy(piece.side))}
        return found

    # -- what it adds up to

    def _counts(self, field: Any, unit: str, points: int, *, attacks: bool) -> int:
        """disorg.1, supply.9, supply.10: half for disorganisation, half without supply, a quarter for both, rounded up."""
        by = 2 if unit in field.shaken else 1
        gun = field.world.units[unit].arm in GUNS
        by *= 2 if unit in field.shortage and (attacks or gun) else 1
        return ceil(Fraction(points, by))

    def _points(self, field: Any, unit: str, *, attacks: bool) -> int:
        """art.11, art.13, art.18, art.19."""
        piece = field.pieces[unit]
        alone = all(field.pieces[other].arm in (*GUNS, "hq") for other in field.stacks[piece.at])
        if not attacks and piece.arm in GUNS and alone and unit not in field.supporting:
            return 1
        return self._counts(field, unit, piece.attack if attacks else piece.defence, attacks=attacks)

    def _support(self, field: Any, fight: Fight, side: str) -> list[str]:
        """art.11, art.13: the guns that support a side."""
        fighting = {*fight.attackers, *(unit for target in fight.targets for unit in field.stacks.get(target, ()))}
        guns = [piece.id for piece in field.of_side(side) if field.supporting.get(piece.id) in fight.targets]
        return [unit for unit in guns if unit not in fighting]

    def _above(self, field: Any, fight: Fight, side: str) -> int:
        """air.2, air.10: the strongest ground attack that supports a side over an attacked hex."""
        units = field.world.units
        over = [it.unit for it in field.flights if it.task == "support" and it.hex in fight.targets]
        return max((units[unit].faces[-1].attack for unit in over if units[unit].side == side), default=0)

    def _defenders(self, field: Any, fight: Fight) -> list[str]:
        return [unit for target in fight.targets for unit in field.fresh(target)]

    def _sides(self, field: Any, fight: Fight) -> tuple[str, str]:
        first = fight.attackers[0] if fight.attackers else None
        there = [unit for target in fight.targets for unit in field.stacks.get(target, ())]
        side = field.world.units[first].side if first else field.enemy(field.world.units[there[0]].side)
        return side, field.enemy(side)

    def reckon(self, field: Any, fight: Fight) -> Reckoning:
        """proc.3 to proc.5, combat.5, fs.2."""
        names = printed("combat.toml")["columns"]
        side, enemy = self._sides(field, fight)
        ours = [*fight.attackers, *self._support(field, fight, side)]
        theirs = [*self._defenders(field, fight), *self._support(field, fight, enemy)]
        attack = sum(self._points(field, unit, attacks=True) for unit in ours) + self._above(field, fight, side)
        defence = sum(self._points(field, unit, attacks=False) for unit in theirs)
        defence += ceil(self._above(field, fight, enemy) / 2)
        attack = attack if fight.attackers else 0
        if self._is_staff(field, fight):
            return Reckoning(attack, defence, len(names) - 1)
        main = self._main(field, fight)
        if main in field.fortress(enemy) and self._is_across(field, fight):
            attack = ceil(attack / 2)
        ratio, column = Fraction(attack, defence), 0
        for number, name in enumerate(names):
            one, other = name.split(":")
            column = number if ratio >= Fraction(int(one), int(other)) else column
        column = min(len(names) - 1, column + self._stars(field, fight, side) + self._led(field, fight.attackers, side))
        column -= self._stars(field, fight, enemy) + self._led(field, self._defenders(field, fight), enemy)
        column -= {"": 0, "small-river": 1, "large-river": 2}[self._river(field, fight)]
        return Reckoning(attack, defence, max(0, column - self._cover(field, fight, main)))

    def called(self, column: int | None) -> str:
        """What is printed above a column."""
        return "no attack" if column is None else str(printed("combat.toml")["columns"][column])

    def _is_staff(self, field: Any, fight: Fight) -> bool:
        """combat.5."""
        there = [unit for target in fight.targets for unit in field.stacks.get(target, ())]
        return all(field.pieces[unit].arm == "hq" for unit in there)

    def _bonus(self, field: Field, label: str) -> int:
        return -int(MOVEMENT.chart["shifts"].get(field.sheet.terrain[label], 0))

    def _cover(self, field: Any, fight: Fight, label: str) -> int:
        """combat.7, up.4, fs.3 to fs.5: what ground, fieldworks and fortress give the defender of a hex."""
        bonus = self._bonus(field, label)
        if label in field.fortress(self._sides(field, fight)[1]):
            return bonus + (3 if self._is_across(field, fight) else 2)
        works = 2 if field.sheet.terrain[label] in ("town", "city") else 1
        return bonus + (works if label in field.works else 0)

    def _main(self, field: Any, fight: Fight) -> str:
        """combat.7."""

        def strength(label: str) -> int:
            pieces = [field.pieces[unit] for unit in field.fresh(label)]
            return sum(1 if piece.arm in (*GUNS, "hq") else piece.attack for piece in pieces)

        return max(fight.targets, key=lambda label: (strength(label), self._cover(field, fight, label)))

    def _share(self, field: Any, fight: Fight, feature: str) -> Fraction:
        """combat.6, fs.2: the part of those next to the targets that attacks across a feature only."""
        points = {unit: self._points(field, unit, attacks=True) for unit in fight.attackers}
        across = [
            unit for unit in points if all(feature in field.sheet.sides[field.pieces[unit].at, it] for it in fight.aims(unit))
        ]
        whole = sum(points.values())
        return Fraction(sum(points[unit] for unit in across), whole) if whole else Fraction(0)

    def _is_across(self, field: Any, fight: Fight) -> bool:
        """fs.2: at least half."""
        return bool(fight.attackers) and self._share(field, fight, "fort") >= Fraction(1, 2)

    def _river(self, field: Any, fight: Fight) -> str:
        """combat.6: more than half."""
        large, small = (self._share(field, fight, river) for river in ("large-river", "small-river"))
        if large > Fraction(1, 2):
            return "large-river"
        return "small-river" if large + small > Fraction(1, 2) else ""

    def _led(self, field: Any, units: Sequence[str], side: str) -> int:
        """hq.4, conc.1: a column for a headquarters in range, and one for each formation with three units."""
        heads = [piece for piece in field.of_side(side) if piece.arm == "hq"]
        reached = any(
            field.sheet.distance(head.at, field.pieces[unit].at)
            <= printed("tables.toml")["nations"][head.counter.nation]["command"]
            for head in heads
            for unit in units
        )
        names = [field.world.units[unit].formation for unit in units]
        return reached + sum(names.count(name) >= 3 for name in {*names} - {""})

    def starred(self, field: Any, units: Iterable[str]) -> list[str]:
        """star.2: those with a star that counts: three of a hex, black before white before gold."""
        found: list[str] = []
        counters = field.world.units
        by_hex: dict[str, list[str]] = {}
        for unit in units:
            if counters[unit].star:
                by_hex.setdefault(field.pieces[unit].at, []).append(unit)
        for there in by_hex.values():
            found += sorted(there, key=lambda unit: STARS.index(counters[unit].star))[:3]
        return found

    def _stars(self, field: Any, fight: Fight, side: str) -> int:
        """star.1 to star.8: what its stars are worth to a side."""
        attacker, defender = self._sides(field, fight)
        parties = {attacker: [*fight.attackers], defender: self._defenders(field, fight)}
        counters, over = field.world.units, self._river(field, fight) == "large-river"
        shown: dict[str, list[str]] = {}
        for who, units in parties.items():
            silent = over or who in field.starless
            shown[who] = [] if silent else [counters[unit].star for unit in self.starred(field, units)]
        enemy = field.enemy(side)
        mine = {star: shown[side].count(star) for star in STARS}
        theirs = {star: shown[enemy].count(star) for star in STARS}
        value = min(mine["white"], theirs["black"] + theirs["gold"])
        for _ in range(theirs["white"]):
            colour = "black" if mine["black"] else "gold"
            mine[colour] = max(0, mine[colour] - 1)
        if side == defender or not field.is_fortified(defender, self._main(field, fight)):
            value += mine["black"]
        armoured = any(counters[unit].star in ("black", "white") for unit in parties[enemy])
        return value + (0 if armoured else mine["gold"])

    # -- what comes of it, and who pays

    def read(self, field: Field, fight: Fight, roll: int) -> str:
        """proc.6."""
        column = self.reckon(field, fight).column
        assert column is not None
        return str(printed("combat.toml")["rows"][str(roll)][column])

    def verdict(self, field: Field, fight: Fight, result: str) -> Verdict:
        """result.1 to result.5; combat.5: a headquarters alone is dead already."""
        (ours, lost), (theirs, losses) = (read(half) for half in result.split("/"))
        if self._is_staff(field, fight):
            theirs = losses = 0
        return Halves(lost, losses, 0, 0, ours, theirs)

    def parties(self, field: Any, fight: Fight) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """combat.3: those who have fled into an attacked hex lose nothing; fire hits everybody."""
        if fight.attackers:
            return fight.attackers, tuple(self._defenders(field, fight))
        return (), tuple(unit for target in fight.targets for unit in field.stacks.get(target, ()))

    def losers(self, field: Any, fight: Fight, party: Sequence[str], *, first: bool) -> set[str]:
        """star.3: the first loss of a side whose stars counted is one of a star unit."""
        standing = [unit for unit in party if unit in field.pieces]
        if first and standing and fight.attackers and field.pieces[standing[0]].side in field.starred:
            return {*self.starred(field, standing)} or {*standing}
        return {*standing}

    def adds(self, field: Any, fight: Fight, verdict: Verdict, seat: str, happened: Action | Step) -> int:
        """result.2, result.3, fs.6: a step for each hex that is not gone, fewer for those who stay in a fortress."""
        assert isinstance(verdict, Halves)
        side, enemy = self._sides(field, fight)
        attacks = field.world.seats[seat] == side
        hexes = verdict.attacker_divides if attacks else verdict.defender_divides
        if happened.kind == "yield":
            back = int(getattr(happened, "hexes", 0))
        elif happened.kind == "yielding":
            units = [field.pieces[unit] for unit in getattr(happened, "units", ()) if unit in field.pieces]
            if any(RETREATS.far(field, piece, hexes) for piece in units):
                return 0
            back = 0
        else:
            return 0
        held = [target for target in fight.targets if target in field.stacks]
        stays = not attacks and bool(held) and all(target in field.fortress(enemy) for target in held)
        return hexes - back if back or not stays else STAY[hexes]

    def fire(self, field: Field, event: Event) -> tuple[Fight, Verdict] | None:
        """art.16, art.20, air.9: the losses of fire."""
        if event.kind != "fire-resolved":
            return None
        return Fight.on(event.target), Halves(0, read(event.result)[1], 0)  # type: ignore[attr-defined]


class Wb95Retreats(Retreats):
    """retreat.1 to retreat.5."""

    is_quick = True

    def goes_on(self, field: Any, piece: Piece, path: Path, label: str) -> bool:
        """retreat.1 to retreat.3: away, over a large river by bridge, into a zone to a friend only."""
        origin = path[-1]
        if field.river(origin, label) == "large-river" and not field.has_bridge(origin, label):
            return False
        if field.sheet.distance(path[0], label) != len(path) or field.is_enemy_held(piece.side, label):
            return False
        if label in MOVEMENT.zones.watched(field, piece.side) and label not in field.stacks:
            return False
        return MOVEMENT.may_step(field, piece, origin, label)

    def hurts(self, field: Any, piece: Piece, label: str) -> bool:
        """retreat.4: a hex for which nobody has paid in this battle."""
        return super().hurts(field, piece, label) and label not in field.paid

    def rank(self, field: Field, piece: Piece, path: Path, hexes: int) -> tuple[int, ...]:
        """retreat.4: the fewest losses."""
        return (self.losses(field, piece, path),)

    def far(self, field: Field, piece: Piece, hexes: int) -> int:
        """retreat.5."""
        return next((far for far in range(hexes, 0, -1) if self.ways(field, piece, far)), 0)


class Wb95Pursuits(Pursuits):
    """pursuit.1 to pursuit.6."""

    def follows(self, verdict: Verdict | None) -> bool:
        """If the hex is empty."""
        return verdict is not None

    def ways(
        self,
        field: Any,
        piece: Piece,
        target: str,
        attackers: Sequence[str] = (),
        gone: Sequence[Path] = (),
        hexes: int = 1,
    ) -> set[Path]:
        """Along a way of flight, and one hex off it; two hexes where nobody got away."""
        if piece.arm == "gun" or piece.id in (*field.fled, *field.pursued) or target not in field.sheet.near[piece.at]:
            return set()
        if target in (*field.bombed, *field.stacks):
            return set()
        trails = [way for way in field.fled.values() if way[0] == target]
        most = max((len(way) - 1 for way in trails), default=2)
        found: set[Path] = set()
        for trail in trails or [(target,)]:
            path: Path = (piece.at,)
            for label in trail:
                path = (*path, label)
                if not self._may(field, piece, path, most):
                    break
                found.add(path)
                found |= {way for near in field.sheet.near[label] if self._may(field, piece, way := (*path, near), most)}
        return {path for path in found if MOVEMENT.stacking.has_room(field, piece.id, path[-1])}

    def _may(self, field: Any, piece: Piece, path: Path, most: int) -> bool:
        origin, label = path[-2:]
        if label in path[:-1] or not MOVEMENT.may_step(field, piece, origin, label) or MOVEMENT.is_shut(field, piece, label):
            return False
        if field.river(origin, label) == "large-river" and not field.has_bridge(origin, label):
            return False
        tolls = [MOVEMENT.toll(field, piece, it) or 0 for it in path[1:]]
        return len(path) - 1 + sum(tolls) // 2 <= most


COMBAT = Wb95Combat()
RETREATS = Wb95Retreats(MOVEMENT)
PURSUITS = Wb95Pursuits(MOVEMENT, {})
