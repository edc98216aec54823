"""A battle before the die: who attacks which hex, what each unit counts, and what decides it."""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Self

from hexwar.board import CLOSED, step
from hexwar.engine import News, Part, Play, Position, PublicEvent, SideName, part, record
from hexwar.engine._records import parse
from hexwar.errors import Refusal
from hexwar.grouping import grouped
from hexwar.mechanics._obligations import Obligations
from hexwar.mechanics._pieces import occupant, stack
from hexwar.mechanics._pursuit import PursuitRules
from hexwar.mechanics._retreat import Retreating, RetreatRules
from hexwar.mechanics._state import HexName, HexState
from hexwar.mechanics._world import HexWorld
from hexwar.pieces._losses import Losing
from hexwar.pieces._odds import CombatTable, Odds, Outcome, Shift, Strength, together, work_out
from hexwar.pieces._pieces import face, standing, stands
from hexwar.pieces._state import UnitName
from hexwar.pieces._steps import against


@record
class Battle:
    """Who attacks what: pairs of a unit and a hex.

    Many units against one hex, one hex against many, and one unit against two hexes are the same kind of value. A game whose
    battles have more fields makes a subclass that says its `kind`, as actions do: positions tell them apart by it.
    """

    side: SideName
    targets: tuple[HexName, ...]
    """The hexes that are attacked, in order; one of them may still lack attackers."""
    pairs: tuple[tuple[UnitName, HexName], ...] = ()
    """Each attacker with a hex that it attacks, once for every such hex."""

    def __init_subclass__(cls) -> None:
        if not isinstance(vars(cls).get("kind"), str):
            raise TypeError(f'{cls.__name__} is a battle of its own kind and does not say which: write `kind = "..."`')

    @classmethod
    def on(cls, side: str, target: str, attackers: Iterable[str] = ()) -> Self:
        """An attack of some units on one hex."""
        return cls(side, (target,), tuple([(unit, target) for unit in attackers]))

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Callable[[Any], Any]) -> Any:
        from pydantic_core import core_schema

        return core_schema.no_info_wrap_validator_function(functools.partial(_read, cls), handler(source))

    @property
    def target(self) -> str:
        """The hex that is attacked; where there are several, the first of them."""
        return self.targets[0]

    @property
    def attackers(self) -> tuple[str, ...]:
        """The units that attack, in the order in which they joined."""
        return tuple(dict.fromkeys([unit for unit, _ in self.pairs]))

    @property
    def where(self) -> str:
        """The hexes that are attacked, as a sentence names them."""
        return " and ".join(self.targets)

    def aims(self, unit: str) -> tuple[str, ...]:
        """The hexes that a unit attacks."""
        return tuple([target for attacker, target in self.pairs if attacker == unit])

    def against(self, target: str) -> tuple[str, ...]:
        """The units that attack a hex."""
        return tuple([unit for unit, aim in self.pairs if aim == target])

    def joined(self, unit: str, *targets: str) -> Self:
        """The battle with another attacker of some of its targets."""
        return replace(self, pairs=(*self.pairs, *((unit, target) for target in targets)))

    def widened(self, target: str, *units: str) -> Self:
        """The battle with another target, which some of its attackers attack as well."""
        return replace(self, targets=(*self.targets, target), pairs=(*self.pairs, *((unit, target) for unit in units)))


def _read(cls: type[Battle], data: object, read: Callable[[object], Battle]) -> Battle:
    """A battle of the class that the data names."""
    if not isinstance(data, dict) or "kind" not in data:
        return read(_in_pairs(data))
    kinds = {str(vars(it).get("kind")): it for it in _below(cls)}
    if data["kind"] not in kinds:
        raise ValueError(
            f"there is no kind of battle {data['kind']!r}; known: {', '.join(sorted(kinds)) or 'only the plain one'}"
        )
    return parse(kinds[data["kind"]], {key: data[key] for key in data if key != "kind"})


def _below(cls: type[Battle]) -> Iterator[type[Battle]]:
    for kind in cls.__subclasses__():
        if isinstance(vars(kind).get("kind"), str):
            yield kind
        yield from _below(kind)


def _in_pairs(data: object) -> object:
    """A battle as JSON, also of positions that were written when it had one hex and its attackers."""
    if not isinstance(data, dict):
        return data
    found = {key: _frozen(value) for key, value in data.items()}
    attackers = found.get("attackers", ())
    if "target" not in found or "targets" in found or found.get("also") or not isinstance(attackers, tuple):
        return found
    target = found.pop("target")
    found.pop("attackers", None)
    found.pop("also", None)
    return {**found, "targets": (target,), "pairs": tuple([(unit, target) for unit in attackers])}


def _frozen(value: Any) -> Any:
    """A value as strict checks want it, which know no lists outside JSON."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


Pairs = Sequence[tuple[str, str]]
"""Units, each with a hex that it is to attack."""
Stage = Callable[[Play, str, Battle, Outcome], None]
"""Carries out one consequence of a result, or pushes the step that does: play, the attacker's seat, battle, result."""


@record
class TargetDeclared(PublicEvent[HexState]):
    """A unit was ordered to attack a hex."""

    kind = "attack-planned"
    says = "{unit} is to attack {target}"
    unit: str
    target: str

    def apply(self, state: HexState) -> None:
        """The state may note it."""
        state.declare(self.unit, self.target)


@record
class RollModified(News[HexState]):
    """Something was added to a roll or taken off it."""

    kind = "roll-modified"
    rolled: int
    counts: int
    modifiers: tuple[tuple[int, str, str], ...]
    """What is added, reason and clause of each."""

    def cited(self) -> tuple[str, ...]:
        """With the clauses of the modifiers."""
        return (self.clause, *(clause for _, _, clause in self.modifiers))

    def __str__(self) -> str:
        reasons = "".join(f", {number:+d} {reason} ({clause})" for number, reason, clause in self.modifiers)
        return f"the roll of {self.rolled}{reasons} counts as {self.counts}"


class Combat(Part, ABC):
    """Who may attack what, and what follows a result. How a battle is decided, `odds` and `resolve`, is up to subclasses."""

    world: CombatWorld
    calling_off_spends: bool = True
    """Whether a hex may not be attacked any more in the segment after an attack on it was called off."""

    # -- who may attack what

    def why_not_attack(self, at: Position, unit: str, target: str) -> Refusal | None:
        """Why a unit could not attack a hex: it must stand next to enemies in a hex that it could step into."""
        if not stands(at, unit):
            return against(at, "combat", f"{unit} is not on the map")
        world, here = self.world, at.state.locations[unit]
        if occupant(at, target) not in world.enemies(world.units[unit].side):
            return against(at, "combat.empty", f"there is no enemy in {target}")
        if not world.board.adjacent(here, target):
            return against(at, "combat", f"{unit} does not stand next to {target}")
        if face(at, unit).attack <= 0:
            return against(at, "combat.strength", f"{unit} has no attack strength")
        if not world.reaches.can_step(at, unit, here, target):
            return against(at, "combat.closed", f"{unit} could not move from {here} into {target}")
        return None

    def may_attack(self, at: Position, unit: str, target: str) -> bool:
        """Whether a unit could attack a hex."""
        return self.why_not_attack(at, unit, target) is None

    def targets(self, at: Position, units: Iterable[str], side: str) -> dict[str, list[str]]:
        """Those of some units of a side that could attack, and what: `why_not_attack` for all hexes at once, by masks."""
        world, board, layout = self.world, self.world.board, at.state.layout
        enemies, found = layout.closed_to(side), {}
        near = layout.memo.get(("near", side))
        if near is None:  # most units touch no enemy
            hexes = board.scattered(step(board, enemies, layout.held[side]))
            near = layout.memo["near", side] = {unit for label in hexes for unit in layout.stacks[label]}
        for unit in [unit for unit in units if unit in near and face(at, unit).attack > 0]:
            here = at.state.locations[unit]
            i, costs, touched = board.indices[here], world.reaches.costs_of(at, unit), board.around(here) & enemies
            touching = [i + delta for d, delta in enumerate(board.deltas) if touched >> i + delta & 1 and costs[d][i] != CLOSED]
            if touching:
                found[unit] = sorted(map(board.label, touching))
        return found

    # -- which battles they make

    def most_targets(self, at: Position, unit: str) -> int | None:
        """How many hexes a unit may attack in a segment; None if any number."""
        return 1

    def why_not_declare(self, at: Position, unit: str, target: str, declared: Pairs) -> Refusal | None:
        """Why a unit that could attack a hex may not be given it as a target, besides what has been declared already."""
        aims, most = [aim for attacker, aim in declared if attacker == unit], self.most_targets(at, unit)
        if target in aims or (most is not None and len(aims) >= most):
            return against(at, "combat.once", f"{unit} attacks {' and '.join(aims if most else [target])} already")
        return None

    def battles(self, side: str, declared: Pairs) -> tuple[Battle, ...]:
        """The battles that declared pairs make, the first declared first: one for each hex that is attacked."""
        attackers = grouped((target, unit) for unit, target in declared)
        return tuple(Battle.on(side, target, units) for target, units in attackers.items())

    def why_not_join(self, at: Position, battle: Battle, unit: str) -> Refusal | None:
        """Why a unit that could attack one of a battle's hexes may not take part: several hexes do not attack several."""
        places = at.state.locations
        if len(battle.targets) > 1 and any(places[other] != places[unit] for other in battle.attackers):
            return against(at, "combat", f"{battle.where} are attacked from {places[battle.attackers[0]]} alone")
        return None

    def why_not_widen(self, at: Position, battle: Battle, target: str) -> Refusal | None:
        """Why a battle may not take in a further hex: the attackers stand apart, or may not attack one more."""
        attackers, places = battle.attackers, at.state.locations
        if target in battle.targets:
            return against(at, "combat.once", f"{target} is attacked already")
        if len({places[unit] for unit in attackers}) != 1:
            return against(at, "combat", "only units of one hex attack several hexes")
        if not any(self.may_attack(at, unit, target) for unit in attackers):
            return against(at, "combat", f"nobody who takes part can attack {target}")
        limits = [most for unit in attackers if (most := self.most_targets(at, unit)) is not None]
        if limits and len(battle.targets) >= min(limits):
            return against(at, "combat.once", f"{battle.where} are all that may be attacked at once")
        return None

    def still_attacks(self, at: Position, unit: str, target: str) -> bool:
        """Whether a unit can carry out the attack on a hex that it was ordered to make: if it still stands beside it."""
        return stands(at, unit) and self.world.board.adjacent(at.state.locations[unit], target)

    # -- how it is decided

    def points(self, at: Position, strengths: Sequence[Strength]) -> int:
        """What units contribute together, in whole points: fractions are dropped once, unless overridden."""
        return together(strengths)

    @abstractmethod
    def odds(self, at: Position, battle: Battle) -> Odds:
        """A battle as it stands. Resolution uses exactly this."""

    @abstractmethod
    def resolve(self, play: Play, battle: Battle, odds: Odds) -> Outcome:
        """Roll, and say what comes of it."""

    def modifiers(self, at: Position, battle: Battle) -> tuple[Shift, ...]:
        """What is added to the roll; nothing, unless overridden."""
        return ()

    def rolls(self, at: Position, battle: Battle, odds: Odds) -> Sequence[Outcome]:
        """The results of all rolls as they would come here and now, with what is added to the roll."""
        return odds.results

    def weigh(self, at: Position, battle: Battle) -> tuple[Battle, Odds | None, str]:
        """An attack with those attackers that are left, its odds if there is anything to fight, and why it cannot be fought.

        Something may have happened since it was declared: other attacks, or a reaction that cost attackers or defenders.
        """
        enemies = self.world.enemies(battle.side)
        held = tuple([target for target in battle.targets if occupant(at, target) in enemies])
        pairs = [(unit, target) for unit, target in battle.pairs if target in held and self.still_attacks(at, unit, target)]
        attacked = tuple([target for target in held if any(target == aim for _, aim in pairs)])
        if not attacked:
            reason = "no attacker is left" if held else f"nobody is left in {battle.where}"
            return replace(battle, targets=held or battle.targets, pairs=()), None, reason
        battle = replace(battle, targets=attacked, pairs=tuple(pairs))
        now = self.odds(at, battle)
        return battle, now, "" if now.column is not None else f"the odds of {now.attack} to {now.defence} are too low"

    def announced(self, play: Play, battle: Battle) -> None:
        """What comes between the announcement of an attack and the die; steps that are pushed here are gone through first."""

    def convert(self, at: Position, battle: Battle, outcome: Outcome) -> tuple[Outcome, str]:
        """A result as it applies to the attacked hex, and the clause that changed it; "" if nothing did."""
        return outcome, ""

    # -- what follows

    def stages(self) -> tuple[Stage, ...]:
        """The consequences of a result, one after the other."""
        return self.attackers_lose, self.defenders_lose, self.defenders_retreat, self.attackers_pursue

    def attackers_lose(self, play: Play, seat: str, battle: Battle, outcome: Outcome) -> None:
        """The attackers lose steps."""
        if outcome.attacker:
            play.push(Losing(seat, standing(play, battle.attackers), outcome.attacker))

    def defenders_lose(self, play: Play, seat: str, battle: Battle, outcome: Outcome) -> None:
        """The defenders lose steps."""
        owners = grouped((self._owner((unit,)), unit) for unit in self.defenders(play, battle)) if outcome.defender else {}
        for seat, steps in self.shares(play, owners, outcome.defender).items():
            play.push(Losing(seat, tuple(owners[seat]), steps))

    def shares(self, at: Position, owners: Mapping[str, Sequence[str]], steps: int) -> dict[str, int]:
        """How many steps each of several players loses: in turn one each, as long as they have any, the first one first."""
        left = {seat: sum(at.state.steps_left[unit] for unit in units) for seat, units in owners.items()}
        found = dict.fromkeys(owners, 0)
        if len(owners) == 1:
            return dict.fromkeys(owners, steps)
        while steps and any(left.values()):
            for seat in [seat for seat in owners if left[seat]][:steps]:
                found[seat], left[seat], steps = found[seat] + 1, left[seat] - 1, steps - 1
        return {seat: found[seat] for seat in reversed(found) if found[seat]}

    def defenders_retreat(self, play: Play, seat: str, battle: Battle, outcome: Outcome) -> None:
        """The defenders retreat, hex by hex."""
        self._retreat(play, self.defenders(play, battle), outcome.retreat)

    def attackers_retreat(self, play: Play, seat: str, battle: Battle, outcome: Outcome) -> None:
        """The attackers retreat, hex by hex: a stage of games in which they do."""
        self._retreat(play, standing(play, battle.attackers), outcome.repulse)

    def attackers_pursue(self, play: Play, seat: str, battle: Battle, outcome: Outcome) -> None:
        """The attackers may follow into each hex that is empty now."""
        for target in reversed(battle.targets):
            if not stack(play, target):
                play.push(self.world.pursuit.begin(play, seat, target, standing(play, battle.against(target))))

    def defenders(self, at: Position, battle: Battle) -> tuple[str, ...]:
        """The units in the attacked hexes."""
        return tuple(unit for target in battle.targets for unit in stack(at, target))

    def _retreat(self, play: Play, units: tuple[str, ...], hexes: int) -> None:
        stacks = grouped((play.state.locations[unit], unit) for unit in units) if hexes else {}
        for label in reversed(stacks):
            play.push(Retreating(self._owner(stacks[label]), tuple(stacks[label]), label, hexes))

    def _owner(self, units: Sequence[str]) -> str:
        return self.world.seat_for(self.world.units[units[0]].side, units[0])


def within_rows(rolled: int, modifiers: Sequence[Shift], rows: int) -> int:
    """The row of a table that a roll counts as with what is added to it: the first and the last row are the ends."""
    return max(1, min(rolled + sum(modifier.columns for modifier in modifiers), rows))


class TableCombat(Combat):
    """Strength against strength: their ratio is a column of the world's table, which terrain shifts, and the die is its row."""

    def printed(self, at: Position, battle: Battle, unit: str) -> Strength:
        """What the counter of a unit says."""
        points = face(at, unit).attack if unit in battle.attackers else face(at, unit).defence
        return Strength(unit, points, Fraction(points))

    def halved(self, at: Position, battle: Battle, unit: str) -> bool:
        """Whether an attacker counts half because of the hexside that it attacks across; of several, because of all."""
        board, here, across = self.world.board, at.state.locations[unit], self.world.chart.halved_across
        return all(board.adjacent(here, target) and board.side(here, target) & across for target in battle.aims(unit))

    def over_rivers(self, at: Position, battle: Battle, found: Strength) -> Strength:
        """What a unit has, or half of it if that is what the hexsides leave it."""
        if found.unit in battle.attackers and self.halved(at, battle, found.unit):
            return found.changed(found.counted / 2, "halved across a river", self.world.clause("combat.river"))
        return found

    def strength(self, at: Position, battle: Battle, unit: str) -> Strength:
        """What a unit contributes to a battle, and why: what is printed, over rivers half of it."""
        return self.over_rivers(at, battle, self.printed(at, battle, unit))

    def shifts(self, at: Position, battle: Battle) -> tuple[Shift, ...]:
        """The column shifts of a battle: terrain and place; of several hexes, of the one that helps its defenders most."""
        board, shifts_at = self.world.board, self.world.chart.shifts_at
        found = [shifts_at(board, target) for target in battle.targets]
        shifts = min(found, key=lambda them: sum(columns for columns, _ in them))
        return tuple([Shift(columns, reason, self.world.clause("combat.terrain")) for columns, reason in shifts])

    def support(self, at: Position, battle: Battle) -> tuple[Shift, ...]:
        """Column shifts that count once it is plain that the odds allow an attack."""
        return ()

    def odds(self, at: Position, battle: Battle) -> Odds:
        """Add up, find the column, shift it."""
        attackers = tuple([self.strength(at, battle, unit) for unit in battle.attackers])
        defenders = tuple([self.strength(at, battle, unit) for unit in self.defenders(at, battle)])
        points = self.points(at, attackers), self.points(at, defenders)
        return work_out(self.world.table, points, (attackers, defenders), self.shifts(at, battle), self.support(at, battle))

    def resolve(self, play: Play, battle: Battle, odds: Odds) -> Outcome:
        """Roll, add what there is to add, and look the result up."""
        clause, results, modifiers = self.world.clause("combat.table"), odds.results, self.modifiers(play, battle)
        rolled = play.roll(f"attack on {battle.where}", clause=clause, sides=len(results))
        counts = within_rows(rolled, modifiers, len(results))
        if modifiers:
            reasons = tuple([(modifier.columns, modifier.reason, modifier.clause) for modifier in modifiers])
            play.emit(RollModified(rolled, counts, reasons, clause=self.world.clause("combat.sum")))
        return results[counts - 1]

    def rolls(self, at: Position, battle: Battle, odds: Odds) -> Sequence[Outcome]:
        """The column, each row as the modified roll reads it."""
        results, modifiers = odds.results, self.modifiers(at, battle)
        return [results[within_rows(rolled, modifiers, len(results)) - 1] for rolled in range(1, len(results) + 1)]


class CombatWorld(HexWorld):
    """A world with battles."""

    table: CombatTable = CombatTable({}, {})
    """The combat results table; it has nothing in it where battles are decided otherwise."""
    combat: part[Combat] = part(TableCombat)
    obligations = part(Obligations)
    retreat = part(RetreatRules)
    pursuit = part(PursuitRules)

    def content_parts(self) -> tuple[object, ...]:
        """With the combat table."""
        return (*super().content_parts(), self.table.columns, self.table.rows, *(["capped"] if self.table.capped else []))
