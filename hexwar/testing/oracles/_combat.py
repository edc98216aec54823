"""Combat, retreat and pursuit, word for word: capabilities of rulesets that have them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING

from hexwar.testing._running.kit import Capability
from hexwar.testing.oracles._field import Field, Piece
from hexwar.testing.oracles._ground import Movement, Path, read_toml

if TYPE_CHECKING:
    from hexwar.files import TextSource


@dataclass(frozen=True, slots=True)
class Reckoning:
    """The odds of a battle: whole points of both sides, and the column after shifts; None if there can be no attack."""

    attack: int
    defence: int
    column: int | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a result of the table means."""

    attacker: int
    defender: int
    retreat: int


class Combat(Capability):
    """Battles by odds and a table.

    Strengths are added up, fractions dropped once; the ratio is the last column that it reaches; then columns are shifted.

    Args:
        table: the combat results table, a content file.
        movement: into which hexes attackers could step; its chart says where attackers are halved and what shifts columns.
    """

    spends_when_called_off = True
    """Whether a hex is not attacked any more when an attack on it was called off."""

    def __init__(self, table: TextSource, movement: Movement) -> None:
        content = read_toml(table)
        self.movement = movement
        self.columns: list[str] = content["columns"]
        self._rows: Mapping[str, list[str]] = content["rows"]
        self._results: Mapping[str, Mapping[str, int]] = content["results"]
        self._is_capped = content.get("below") == "first column"

    def may_attack(self, field: Field, piece: Piece, target: str) -> bool:
        """Whether a piece could attack a hex: adjacent, with strength, and it could step there."""
        near = target in field.sheet.near[piece.at] and field.is_enemy_held(piece.side, target)
        return near and piece.attack > 0 and self.movement.may_step(field, piece, piece.at, target)

    def is_halved(self, field: Field, piece: Piece, target: str) -> bool:
        """Whether what lies between halves an attacker."""
        across = self.movement.chart.get("halved_across", ())
        return any(feature in across for feature in field.sheet.sides[piece.at, target])

    def attack(self, field: Field, piece: Piece, target: str) -> Fraction:
        """What an attacker counts."""
        return Fraction(piece.attack, 2 if self.is_halved(field, piece, target) else 1)

    def defence(self, field: Field, piece: Piece) -> Fraction:
        """What a defender counts."""
        return Fraction(piece.defence)

    def shift(self, field: Field, side: str, attackers: Sequence[str], target: str) -> int:
        """The columns by which a battle is shifted, those to the left negative: terrain and place of the attacked hex."""
        shifts: Mapping[str, int] = self.movement.chart.get("shifts", {})
        kind = field.sheet.kinds.get(target, "")
        flat = kind in self.movement.chart.get("flat", ())
        return (0 if flat else shifts.get(field.sheet.terrain[target], 0)) + shifts.get(kind, 0)

    def reckon(self, field: Field, attackers: Sequence[str], target: str) -> Reckoning:
        """The odds of a battle."""
        pieces = [field.pieces[unit] for unit in attackers]
        attack = floor(sum(self.attack(field, piece, target) for piece in pieces))
        defence = floor(sum(self.defence(field, field.pieces[unit]) for unit in field.stacks[target]))
        column = self._column(attack, defence)
        if column is not None:
            column = min(column + self.shift(field, pieces[0].side, attackers, target), len(self.columns) - 1)
        return Reckoning(attack, defence, None if column is None else self._on_table(column))

    def _on_table(self, column: int) -> int | None:
        return column if column >= 0 else 0 if self._is_capped else None

    def _column(self, attack: int, defence: int) -> int | None:
        if attack <= 0:
            return None
        if defence <= 0:
            return len(self.columns) - 1
        reached = self._on_table(-1)
        for number, name in enumerate(self.columns):
            one, other = name.split(":")
            if Fraction(attack, defence) >= Fraction(one) / Fraction(other):
                reached = number
        return reached

    def read(self, field: Field, attackers: Sequence[str], target: str, roll: int) -> str:
        """The result of a battle for a roll; "" if there can be no such battle."""
        column = self.reckon(field, attackers, target).column
        return "" if column is None else self._rows[str(roll)][column]

    def verdict(self, field: Field, target: str, result: str) -> Verdict:
        """What a result means in a hex."""
        entry = self._results[result]
        return Verdict(entry.get("attacker", 0), entry.get("defender", 0), entry.get("retreat", 0))


class Retreats(Capability):
    """Beaten units retreat and enter no hex twice, by the way with the fewest losses.

    Args:
        movement: where they can go, with zones and stacking.
        overflow: how many hexes a retreat continues where there is no room.
    """

    def __init__(self, movement: Movement, *, overflow: int = 0) -> None:
        self.movement = movement
        self.overflow = overflow

    def may_retreat(self, field: Field, piece: Piece) -> bool:
        """Whether results can make a piece retreat from where it stands."""
        return True

    def ways(self, field: Field, piece: Piece, hexes: int) -> list[Path]:
        """Every way out."""
        return list(self._farther(field, piece, (piece.at,), hexes))

    def _farther(self, field: Field, piece: Piece, path: Path, hexes: int) -> Iterator[Path]:
        gone = len(path) - 1
        if gone >= hexes and self.movement.stacking.has_room(field, piece.id, path[-1]):
            yield path
            return
        if gone >= hexes + self.overflow:
            return
        for label in field.sheet.near[path[-1]]:
            if self.goes_on(field, piece, path, label):
                yield from self._farther(field, piece, (*path, label), hexes)

    def goes_on(self, field: Field, piece: Piece, path: Path, label: str) -> bool:
        """Whether a retreat may go on into a hex."""
        return label not in path and self.movement.may_enter(field, piece, path[-1], label)

    def hurts(self, field: Field, piece: Piece, label: str) -> bool:
        """Whether a piece that retreats into a hex loses a step there: in an enemy zone."""
        return label in self.movement.zones.watched(field, piece.side)

    def losses(self, field: Field, piece: Piece, path: Path) -> int:
        """How many steps a way costs."""
        return sum(self.hurts(field, piece, label) for label in path[1:])

    def rank(self, field: Field, piece: Piece, path: Path, hexes: int) -> tuple[int, ...]:
        """How bad a way is when this many hexes are demanded: whether the piece is lost, then its losses. Rulesets add to it."""
        losses = self.losses(field, piece, path)
        return int(losses >= piece.steps), losses

    def best(self, field: Field, piece: Piece, hexes: int) -> set[Path]:
        """The ways among which the owner may choose; empty if there is no way out."""
        ranked = {path: self.rank(field, piece, path, hexes) for path in self.ways(field, piece, hexes)}
        fewest = min(ranked.values(), default=())
        return {path for path, rank in ranked.items() if rank == fewest}

    def differ(self, told: set[Path], best: set[Path], hexes: int) -> set[Path]:
        """The ways that are offered and not among the best, or the other way round.

        Of ways that go on over full stacks, only one need be offered of those that have the same end and beginning.
        """
        if all(len(path) - 1 <= hexes for path in best):
            return told ^ best
        shapes = [{(path[-1], len(path), path[1:hexes]): path for path in paths} for paths in (told, best)]
        return (told - best) | {shapes[1][shape] for shape in shapes[1].keys() - shapes[0]}

    def gone(self, field: Field, piece: Piece, path: Path) -> tuple[Path, int]:
        """How far a piece comes along a way, and the steps that it loses: no farther than where it loses its last."""
        lost = 0
        for number, label in enumerate(path[1:], 1):
            lost += self.hurts(field, piece, label)
            if lost == piece.steps:
                return path[: number + 1], lost
        return path, lost


class Pursuits(Capability):
    """Victors follow into the hex that was left, and some arms farther.

    Args:
        movement: where they can go, with stacking.
        ranges: arm -> hexes.
    """

    def __init__(self, movement: Movement, ranges: Mapping[str, int]) -> None:
        self.movement = movement
        self.ranges = dict(ranges)

    def stops(self, field: Field, piece: Piece, origin: str, target: str) -> bool:
        """Whether a pursuit ends in a hex that was entered."""
        return False

    def pursuers(self, field: Field, attackers: Iterable[str]) -> set[str]:
        """Who may follow after an attack: the attackers that are left."""
        return {*attackers}

    def ways(
        self, field: Field, piece: Piece, target: str, attackers: Sequence[str] = (), gone: Sequence[Path] = ()
    ) -> set[Path]:
        """Every way that a piece may follow.

        Args:
            field: the position.
            piece: who follows.
            target: the hex that was left.
            attackers: the units that have attacked it, those that are gone included.
            gone: the ways of those that have followed already.
        """
        if target not in field.sheet.near[piece.at]:
            return set()
        found: set[Path] = set()
        self._follow(field, piece, (piece.at, target), found)
        return {path for path in found if self.movement.stacking.has_room(field, piece.id, path[-1])}

    def _follow(self, field: Field, piece: Piece, path: Path, found: set[Path]) -> None:
        if len(path) - 1 > self.ranges.get(piece.arm, 0) or not self.movement.may_enter(field, piece, path[-2], path[-1]):
            return
        found.add(path)
        if not self.stops(field, piece, path[-2], path[-1]):
            for label in field.sheet.near[path[-1]]:
                if label not in path:
                    self._follow(field, piece, (*path, label), found)
