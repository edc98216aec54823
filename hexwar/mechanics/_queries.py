"""What players preview and tests ask of a position on a hex board: pure, and each answer names its clauses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hexwar.engine import Card, Chart, Position, record
from hexwar.errors import HexwarError, UnknownName
from hexwar.mechanics._battle import Battle, CombatWorld
from hexwar.mechanics._cards import facts_of, words_of
from hexwar.mechanics._charts import combat_chart_of
from hexwar.mechanics._pieces import occupant, stack
from hexwar.mechanics._retreat import RetreatOption
from hexwar.mechanics._state import HexState
from hexwar.mechanics._supply import Supply
from hexwar.mechanics._why_not_move import ReachReport, reach_report
from hexwar.pieces._odds import Odds
from hexwar.pieces._victory import Score, Victory

MAX_RETREAT = 9
"""Longer retreats than any table demands; the number of ways grows with every hex."""


@record
class SupplyReport:
    """Whether there is a line, and which way it runs."""

    supplied: bool
    line: tuple[str, ...]
    clause: str


class HexQuery:
    """The queries of a hex ruleset. What cannot be answered is a `HexwarError` with a sentence.

    Args:
        at: the position; the parts of its world answer.
    """

    def __init__(self, at: Position) -> None:
        self._at: Position[HexState, CombatWorld] = at
        self._supply: Supply | None = getattr(at.world, "supply", None)
        self._victory: Victory | None = getattr(at.world, "victory", None)

    @property
    def has_combat(self) -> bool:
        """Whether there are battles in this game, so that odds and retreats can be asked for."""
        return isinstance(self._at.world, CombatWorld)

    def _need_combat(self) -> None:
        if not self.has_combat:
            raise HexwarError("there is no combat in this game")

    @property
    def has_supply(self) -> bool:
        """Whether units need lines in this game."""
        return self._supply is not None

    @property
    def has_score(self) -> bool:
        """Whether points are counted in this game."""
        return self._victory is not None

    def reach(self, unit: str, mode: str = "") -> ReachReport:
        """Where a unit can move in one of the ways to move, at which cost, and why hexes beside its way are closed."""
        self._standing(unit)
        return reach_report(self._at, unit, mode)

    def supply(self, unit_or_hex: str, side: str | None = None) -> SupplyReport:
        """The line of communication of a unit, or of a hex for a side."""
        world, rules = self._at.world, self._supply
        if rules is None:
            raise HexwarError("there is no supply in this game")
        clause = world.clause("supply")
        if unit_or_hex in world.units:
            label, of = self._standing(unit_or_hex), world.units[unit_or_hex].side
            supplied = rules.is_supplied(self._at, unit_or_hex)
        else:
            if unit_or_hex not in world.board:
                raise UnknownName("unit or hex", unit_or_hex, (*world.units, *world.board.labels))
            label = world.board.label(world.board.index(unit_or_hex))
            if side is None:
                raise HexwarError(f"say for which side {label} is to be in supply: supply({label!r}, {world.sides[0]!r})")
            of = self._side(side)
            goal = 1 << world.board.index(label)
            supplied = bool(rules.supplied(self._at, of, goal) & goal)
        line = rules.line(self._at, of, label)
        return SupplyReport(supplied, tuple(line or ()), clause)

    def supplied(self, side: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The hexes to which a side's lines lead, and its units on the board that are in supply."""
        if self._supply is None:
            raise HexwarError("there is no supply in this game")
        hexes = self._at.world.board.unmask(self._supply.supplied(self._at, self._side(side)))
        return tuple(hexes), tuple(sorted(self._supply.supplied_units(self._at, side)))

    def odds(self, attackers: Iterable[str], hex: str) -> Odds:
        """The odds of an attack, with every factor, shift and clause, and the distribution of results."""
        if isinstance(attackers, str):
            raise HexwarError(f"attackers are a list of units, such as [{attackers!r}], not the string {attackers!r}")
        return self.odds_of([(unit, hex) for unit in attackers])

    def odds_of(self, pairs: Iterable[tuple[str, str]]) -> Odds:
        """The odds of a battle that is given as pairs of a unit and a hex that it attacks."""
        self._need_combat()
        world, board, given = self._at.world, self._at.world.board, tuple(pairs)
        if not given:
            raise HexwarError("an attack needs at least one attacker")
        known = tuple([(unit, board.label(board.index(hex))) for unit, hex in given])
        for number, (unit, target) in enumerate(known):
            if not board.adjacent(self._standing(unit), target):
                raise HexwarError(f"{unit} does not stand next to {target}")
            if (unit, target) in known[:number]:
                raise HexwarError(f"{unit} cannot attack twice")
            if occupant(self._at, target) not in world.enemies(world.units[unit].side):
                raise HexwarError(f"{unit} has no enemy in {target}")
        targets = tuple(dict.fromkeys([target for _, target in known]))
        return world.combat.odds(self._at, Battle(world.units[known[0][0]].side, targets, known))

    def attackers(self, hex: str, side: str) -> tuple[str, ...]:
        """The units of a side that could attack a hex from where they stand, active or not."""
        self._need_combat()
        units, near = self._at.world.units, self._at.world.board.neighbours(hex)
        return tuple(
            unit
            for label in near
            for unit in stack(self._at, label)
            if units[unit].side == side and self._at.world.combat.may_attack(self._at, unit, hex)
        )

    def meanings(self, attackers: Sequence[str], hex: str) -> dict[str, str]:
        """What each result of an attack would mean there."""
        odds, combat = self.odds(attackers, hex), self._at.world.combat
        battle = Battle.on(self._at.world.units[attackers[0]].side, hex, attackers)
        return {outcome.name: str(combat.convert(self._at, battle, outcome)[0]) for outcome in odds.results}

    def says(self, attackers: Sequence[str], hex: str) -> dict[str, str]:
        """What each result of an attack would mean there, in words of this battle."""
        odds, combat = self.odds(attackers, hex), self._at.world.combat
        battle = Battle.on(self._at.world.units[attackers[0]].side, hex, attackers)
        return {it.name: words_of(self._at, battle, combat.convert(self._at, battle, it)[0]) for it in odds.results}

    def combat_table(self) -> Chart | None:
        """The combat table, if battles are resolved on one; the first of each row is the roll."""
        return combat_chart_of(self._at.world)

    def card(self, unit: str) -> Card:
        """What holds of a unit now: supply, command, who stands with it, enemy zones."""
        return Card(self._at.world.unit(unit).id, facts=tuple(facts_of(self, self._at, unit)))

    def zones(self, side: str) -> tuple[str, ...]:
        """The hexes in a side's zones of control."""
        return self._at.world.zones.of(self._at, self._side(side))

    def retreats(self, unit: str, hexes: int) -> list[RetreatOption]:
        """The ways of retreat of a unit, the best first."""
        self._need_combat()
        self._standing(unit)
        if hexes not in range(1, MAX_RETREAT + 1):
            raise HexwarError(f"a retreat is 1 to {MAX_RETREAT} hexes long, not {hexes!r}")
        return self._at.world.retreat.options(self._at, unit, hexes)

    def command(self, hq: str) -> tuple[str, ...]:
        """The units that a headquarters would activate."""
        self._standing(hq)
        if not self._at.world.units[hq].is_headquarters:
            raise HexwarError(f"{hq} is not a headquarters")
        units: tuple[str, ...] = self._at.world.command.led_by(self._at, hq)
        return units

    def control(self, hex: str) -> str | None:
        """The side that controls a hex which can be controlled, or None if it has no owner."""
        world = self._at.world
        label = world.board.label(world.board.index(hex))
        if label not in world.controlled:
            raise HexwarError(f"there is nothing to control in {label}")
        return self._at.state.control.get(label)

    def score(self) -> tuple[Score, ...]:
        """The points as they stand, item by item; `total` adds up those of a side."""
        if self._victory is None:
            raise HexwarError("this game does not count points")
        return self._victory.scores(self._at)

    def points_needed(self) -> dict[str, tuple[int, str]]:
        """Side -> the points with which it wins and the clause that says so; empty where no number decides."""
        return dict(self._victory.needed(self._at)) if self._victory else {}

    def _standing(self, unit: str) -> str:
        """The hex of a unit, provided that it stands on the board."""
        self._at.world.unit(unit)
        label: str = self._at.state.locations.get(unit, "")
        if label not in self._at.world.board:
            raise HexwarError(f"{unit} is not on the board")
        return label

    def _side(self, side: str) -> str:
        if side not in self._at.world.sides:
            raise UnknownName("side", side, self._at.world.sides)
        return side
