"""Combat, retreat and pursuit, word for word: capabilities of rulesets that have them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING, Any

from hexwar.engine import Action, Event, Step
from hexwar.mechanics import Pursuing, Retreating
from hexwar.testing._running.kit import Capability
from hexwar.testing.oracles._field import Field, Piece
from hexwar.testing.oracles._ground import Movement, Path, read_toml

if TYPE_CHECKING:
    from hexwar.files import TextSource


Pairs = tuple[tuple[str, str], ...]
"""Units, each with a hex that it attacks, once for every such hex."""


@dataclass(frozen=True, slots=True)
class Fight:
    """A battle: many against one hex, one against many, or several against several.

    Args:
        pairs: who attacks what.
        targets: the hexes that are attacked, in order; one of them may still lack attackers.
    """

    pairs: Pairs
    targets: tuple[str, ...] = ()

    @classmethod
    def on(cls, target: str, attackers: Iterable[str] = ()) -> Fight:
        """An attack on one hex."""
        return cls(tuple((unit, target) for unit in attackers), (target,))

    @classmethod
    def of(cls, battle: Any) -> Fight:
        """A battle of the rules, as steps and events have it."""
        return cls(tuple(battle.pairs), tuple(battle.targets))

    @property
    def attackers(self) -> tuple[str, ...]:
        """The units that attack."""
        return tuple(dict.fromkeys(unit for unit, _ in self.pairs))

    def aims(self, unit: str) -> tuple[str, ...]:
        """The hexes that a unit attacks."""
        return tuple(target for other, target in self.pairs if other == unit)

    def joined(self, *pairs: tuple[str, str]) -> Fight:
        """The battle with further pairs."""
        fresh = tuple(pair for pair in pairs if pair not in self.pairs)
        return Fight((*self.pairs, *fresh), tuple(dict.fromkeys((*self.targets, *(target for _, target in pairs)))))

    def without(self, unit: str) -> Fight:
        """The battle without a unit."""
        return Fight(tuple(pair for pair in self.pairs if pair[0] != unit), self.targets)

    def __str__(self) -> str:
        return f"{', '.join(self.attackers) or 'nobody'} against {' and '.join(self.targets)}"


@dataclass(frozen=True, slots=True)
class Reckoning:
    """The odds of a battle: points of both sides, and the column or sum; None if there can be no attack."""

    attack: int
    defence: int
    column: int | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a result of the table means: steps and hexes of the defender, and steps and repulse of the attacker."""

    attacker: int
    defender: int
    retreat: int
    repulse: int = 0


class Battles(Capability):
    """Who may attack what, what a battle adds up to, what comes of it and who pays. How it is added up, games say."""

    spends_when_called_off = True
    """Whether a hex is not attacked any more when an attack on it was called off."""
    retreats_cost_the_same = False
    """Whether steps that are lost on a retreat are reported under the clause of losses in battle."""
    in_turn = False
    """Whether the attackers have lost their steps and gone back before the defenders lose theirs."""

    # -- who may attack what

    def may_attack(self, field: Field, piece: Piece, target: str) -> bool:
        """Whether a piece could attack a hex from where it stands."""
        raise NotImplementedError

    def able(self, field: Field, units: Iterable[str]) -> list[Piece]:
        """Those of some units that are judged: all on the map."""
        return [field.pieces[unit] for unit in sorted(units) if unit in field.pieces]

    def targets(self, field: Field, piece: Piece) -> set[str]:
        """The hexes that a piece could attack."""
        return {label for label in field.sheet.near[piece.at] if self.may_attack(field, piece, label)}

    def leads(self, piece: Piece) -> bool:
        """Whether a piece can attack without others; some only support them."""
        return True

    def most(self, field: Field, piece: Piece) -> int | None:
        """How many hexes a unit may attack in a segment; None for any number."""
        return 1

    def may_declare(self, field: Field, piece: Piece, target: str, declared: Pairs) -> bool:
        """Whether a piece that could attack a hex may be given it as a target after what has been declared already."""
        aims, most = [aim for unit, aim in declared if unit == piece.id], self.most(field, piece)
        return target not in aims and (most is None or len(aims) < most)

    def may_widen(self, field: Field, fight: Fight, target: str) -> bool:
        """Whether a battle may take in a further hex: its attackers stand together, and one of them can attack that hex."""
        pieces = [field.pieces[unit] for unit in fight.attackers]
        limits = [most for piece in pieces if (most := self.most(field, piece)) is not None]
        together = len({piece.at for piece in pieces}) == 1 and (not limits or len(fight.targets) < min(limits))
        return together and target not in fight.targets and any(self.may_attack(field, piece, target) for piece in pieces)

    def due(self, field: Field, units: Iterable[str]) -> set[str]:
        """The hexes that must be attacked by some units, where a rulebook demands it."""
        return set()

    # -- what it adds up to

    def reckon(self, field: Field, fight: Fight) -> Reckoning:
        """The odds of a battle."""
        raise NotImplementedError

    def called(self, column: int | None) -> str:
        """What a column or a sum is called."""
        raise NotImplementedError

    def counts(self, field: Field, fight: Fight, roll: int) -> int:
        """What a roll counts, after all that is added to it."""
        return roll

    def read(self, field: Field, fight: Fight, roll: int) -> str:
        """The result of a battle for a roll; "" if there can be no such battle."""
        raise NotImplementedError

    def verdict(self, field: Field, fight: Fight, result: str) -> Verdict:
        """What a result means in the attacked hexes."""
        raise NotImplementedError

    # -- who pays

    def parties(self, field: Field, fight: Fight) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Who may lose steps in a battle: of those who attack, and of those who defend."""
        defenders = tuple(unit for target in fight.targets for unit in field.stacks.get(target, ()))
        return fight.attackers, defenders

    def losers(self, field: Field, fight: Fight, party: Sequence[str], *, first: bool) -> set[str]:
        """Who of a party may lose the next step; `first` if nobody of it has lost one in this battle yet."""
        return {*party}

    def adds(self, field: Field, fight: Fight, verdict: Verdict, seat: str, happened: Action | Step) -> int:
        """The steps that the party of a seat owes besides, where it divides a result between ground and steps.

        Args:
            field: the position.
            fight: the battle.
            verdict: what its result means.
            seat: who decides.
            happened: the decision, or the step in which it would be made, if nothing is left to decide.
        """
        return 0

    def fire(self, field: Field, event: Event) -> tuple[Fight, Verdict] | None:
        """What an event brings that tells the result of fire at a hex, which nobody attacks; None for other events."""
        return None


class Combat(Battles):
    """Battles by odds and a table.

    Strengths are added up, fractions dropped once; the ratio is the last column that it reaches; then columns are shifted.

    Args:
        table: the combat results table, a content file.
        movement: into which hexes attackers could step; its chart says where attackers are halved and what shifts columns.
    """

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
        """Whether what lies between halves an attacker of a hex."""
        across = self.movement.chart.get("halved_across", ())
        return any(feature in across for feature in field.sheet.sides[piece.at, target])

    def attack(self, field: Field, piece: Piece, fight: Fight) -> Fraction:
        """What an attacker counts; one of several hexes is halved if all of them halve it."""
        return Fraction(piece.attack, 2 if all(self.is_halved(field, piece, target) for target in fight.aims(piece.id)) else 1)

    def defence(self, field: Field, piece: Piece) -> Fraction:
        """What a defender counts."""
        return Fraction(piece.defence)

    def shift(self, field: Field, fight: Fight) -> int:
        """The columns by which a battle is shifted, those to the left negative: of several hexes, what helps defenders most."""
        return min(self.shift_at(field, target) for target in fight.targets)

    def shift_at(self, field: Field, target: str) -> int:
        """What terrain and place of an attacked hex shift."""
        shifts: Mapping[str, int] = self.movement.chart.get("shifts", {})
        kind = field.sheet.kinds.get(target, "")
        flat = kind in self.movement.chart.get("flat", ())
        return (0 if flat else shifts.get(field.sheet.terrain[target], 0)) + shifts.get(kind, 0)

    def reckon(self, field: Field, fight: Fight) -> Reckoning:
        """The odds of a battle."""
        defenders = [field.pieces[unit] for unit in self.parties(field, fight)[1]]
        attack = floor(sum(self.attack(field, field.pieces[unit], fight) for unit in fight.attackers))
        defence = floor(sum(self.defence(field, piece) for piece in defenders))
        column = self.column(attack, defence)
        if column is not None:
            column = min(column + self.shift(field, fight), len(self.columns) - 1)
        return Reckoning(attack, defence, None if column is None else self._on_table(column))

    def called(self, column: int | None) -> str:
        """What is printed above a column."""
        return "no attack" if column is None else self.columns[column]

    def _on_table(self, column: int) -> int | None:
        return column if column >= 0 else 0 if self._is_capped else None

    def column(self, attack: int, defence: int) -> int | None:
        """The last column that a ratio reaches."""
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

    def read(self, field: Field, fight: Fight, roll: int) -> str:
        """The table's cell."""
        column = self.reckon(field, fight).column
        return "" if column is None else self._rows[str(self.counts(field, fight, roll))][column]

    def verdict(self, field: Field, fight: Fight, result: str) -> Verdict:
        """What the table says of a result."""
        entry = self._results[result]
        return Verdict(entry.get("attacker", 0), entry.get("defender", 0), entry.get("retreat", 0), entry.get("repulse", 0))


class Retreats(Capability):
    """Beaten units retreat and enter no hex twice, by the way with the fewest losses.

    Args:
        movement: where they can go, with zones and stacking.
        overflow: how many hexes a retreat continues where there is no room.
    """

    def __init__(self, movement: Movement, *, overflow: int = 0) -> None:
        self.movement = movement
        self.overflow = overflow

    def begins(self, step: Step) -> tuple[tuple[str, ...], int, tuple[str, ...]] | None:
        """Who retreats in a step, how far, and the hexes that the way leads away from if that matters; None if no unit does."""
        return (step.units, step.hexes, ()) if isinstance(step, Retreating) else None

    def judges(self, piece: Piece) -> bool:
        """Whether these rules are about a piece."""
        return True

    def foes(self, field: Field, piece: Piece) -> tuple[str, ...]:
        """The hexes that a way leads away from, if the enemies are not given."""
        return ()

    def far(self, field: Field, piece: Piece, hexes: int) -> int:
        """How many of the hexes demanded a piece goes, where it loses a step for each of the others."""
        return hexes

    def zone_clause(self, field: Field) -> str:
        """The clause under which steps are lost on the way."""
        return field.world.clause("retreat.zone")

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

    def best(self, field: Field, piece: Piece, hexes: int, away: Sequence[str] = ()) -> set[Path]:
        """The ways among which the owner may choose; empty if there is no way out.

        Args:
            field: the position.
            piece: who retreats.
            hexes: how far.
            away: the hexes that the way leads away from, where a rulebook asks that.
        """
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

    def begins(self, step: Step) -> tuple[tuple[str, ...], str, int] | None:
        """Who may pursue in a step, into which hex, and how far the beaten have had to go; None if no unit does."""
        return (step.units, step.target, 1) if isinstance(step, Pursuing) else None

    def follows(self, verdict: Verdict | None) -> bool:
        """Whether attackers may pursue after a result, if the hex is empty then."""
        return True

    def ends(self, step: Step) -> bool:
        """Whether a pursuit is over when a step begins; not if the step only carries it out."""
        return True

    def differ(self, told: set[Path], literal: set[Path]) -> set[Path]:
        """The ways of a piece that are offered and not open to it, or the other way round."""
        return told ^ literal

    def stops(self, field: Field, piece: Piece, origin: str, target: str) -> bool:
        """Whether a pursuit ends in a hex that was entered."""
        return False

    def pursuers(self, field: Field, attackers: Iterable[str]) -> set[str]:
        """Who may follow after an attack: the attackers that are left."""
        return {*attackers}

    def ways(
        self,
        field: Field,
        piece: Piece,
        target: str,
        attackers: Sequence[str] = (),
        gone: Sequence[Path] = (),
        hexes: int = 1,
    ) -> set[Path]:
        """Every way that a piece may follow.

        Args:
            field: the position.
            piece: who follows.
            target: the hex that was left.
            hexes: how far the beaten have had to go.
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
