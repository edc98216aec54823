"""Judges of what happens on the map: places (2, 3), movement (9), combat (10, 14.2), retreat and pursuit (10.6, 10.7)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from hexwar.engine import DiceRolled, Event, Game, GameEnded, PhaseEntered
from hexwar.mechanics import (
    ActivationEnded,
    AttackAnnounced,
    AttackResolved,
    Declaring,
    Manner,
    Move,
    Moving,
    Pursuing,
    Retreating,
    StepLost,
    UnitEliminated,
    UnitMoved,
    UnitPlaced,
)
from hexwar.mechanics.combat import AttackCancelled
from hexwar_ava.kit import reference as ref
from hexwar_ava.kit.witness import Judge

Subjects = Mapping[type[Event], Callable[[Any], None]]
SURPRISE = "surprise"
SUPPLY_LOSS, COMBAT_LOSS, ZONE_LOSS, NO_WAY_OUT = "11.1.1", "10.5.2", "10.6.9", "10.6.14"
ROW = ("A2", "A1", "A1", "-", "-", "R", "R", "RR", "RR", "1RR", "1RR", "2RR", "2RR", "3RR", "3RR", "4RR")
"""10.4.1: the results of the first row and what follows it; each row begins one result later than the row above."""


class Places(Judge):
    """2.2.8, 3.1, 3.2, 3.4, 9.1.4, 14.1.5: who stands where, with how many steps, what that covers, and whose the places are."""

    topic: ClassVar[str] = "places"
    teams: ClassVar[bool] = True

    def subjects(self) -> Subjects:
        """See `Judge.subjects`."""
        return {StepLost: self._step_lost, UnitMoved: self._moved}

    def _step_lost(self, event: StepLost) -> None:
        self.expect(self.books.steps[event.unit] > 1, "2.2.8", f"{event.unit} had no step to lose and live")

    def _moved(self, event: UnitMoved) -> None:
        self.expect(event.path[0] == self.books.at[event.unit], "9.1.2", f"{event}, but it is in {self.books.at[event.unit]}")

    def rest(self, game: Game) -> None:
        """See `Judge.rest`."""
        books, state = self.books, game.state
        for clause, told, known in (
            ("9.1.2", state.at, books.at),
            ("2.2.8", state.steps, books.steps),
            ("3.4.2", state.control, books.control),
        ):
            if told != known:
                wrong = sorted(name for name in {*told, *known} if told.get(name) != known.get(name))
                self.object(clause, f"{wrong[0]}: {told.get(wrong[0])}, and it should be {known.get(wrong[0])}")
        self.expect(set(state.stand_fast) == books.stand_fast, "16.2.2", f"Stand Fast markers are in {state.stand_fast}")
        self.expect(set(state.at) == books.units, "2.0.1", "a counter is lost, or one too many is there")
        if self.books.samples(f"places {len(game.history)}"):
            self._inspect(game)

    def _inspect(self, game: Game) -> None:
        """What takes longer to look at."""
        books, board, layout, ground = self.books, game.world.board, game.state.layout, self.books.ground
        stacks: dict[str, list[str]] = {}
        for unit, label in books.at.items():
            if label in books.field.terrain:
                stacks.setdefault(label, []).append(unit)
        for label, units in stacks.items():
            forts = sum(books.world.units[unit].arm == "fortress" for unit in units)
            self.expect(len({books.side(unit) for unit in units}) == 1, "3.1.2", f"{units} share {label}")
            self.expect(len(units) - forts <= 2, "3.1.1", f"{units} in {label}")
            self.expect(forts <= 1, "14.1.5", f"{forts} fortresses in {label}")
        west = set(board.areas.get("west of the start line", ()))
        self.expect(not west & ground.held["soviet"], "9.1.4", "Soviet units stand beyond the start line")
        for side in ("axis", "soviet"):
            watched = set(board.unmask(layout.threatened[side]))
            wrong = sorted(watched ^ ground.watched[side])
            self.expect(not wrong, "3.2.1", f"enemy zones for {side} differ in {wrong[:3]}")


class Movement(Judge):
    """9.0: every move that is made, and every move that is offered."""

    topic: ClassVar[str] = "movement"
    teams: ClassVar[bool] = True

    def __init__(self, books: Any, object: Callable[[str, str], None]) -> None:
        super().__init__(books, object)
        self._entered: dict[str, str] = {}

    def subjects(self) -> Subjects:
        """See `Judge.subjects`."""
        return {UnitMoved: self._moved, UnitPlaced: self._placed}

    def act(self, seat: str, action: Any) -> None:
        """See `Judge.act`."""
        self._entered.clear()

    def _placed(self, event: UnitPlaced) -> None:
        self._entered[event.unit] = event.location

    def _moved(self, event: UnitMoved) -> None:
        """9.2, 9.3; 15.3.3: who has just come onto the map has paid for the hex already."""
        if event.manner != Manner.MOVES:
            return
        if not self.books.samples(event):
            return
        strategic = event.mode == "strategic"
        self.books.seen["strategic move" if strategic else "move"] += 1
        ground = self.books.ground
        piece = ground.field.pieces[event.unit]
        cost = ref.path_cost(ground, event.unit, event.path, strategic=strategic)
        if not self.expect(cost is not None, "9.3.3" if strategic else "9.2.1", f"{event}, which is not allowed"):
            return
        assert cost is not None
        if event.unit in self._entered:
            cost += 1 if strategic else 1 * ref.HALF
        self.expect(cost <= piece.move * ref.HALF, "9.2.1", f"{event}, which costs {cost / 2:g} of {piece.move} points")
        end = event.path[-1]
        self.expect(end == event.path[0] or ground.has_room(end), "3.1.1", f"{event}, where no room is")

    def rest(self, game: Game) -> None:
        """The moves that are offered to one of the units."""
        step = game.state.stack[-1] if game.state.stack else None
        if not isinstance(step, Moving) or self.books.options.get("reserves"):
            return
        waiting = step.waiting(game.position)
        if not waiting or not self.books.samples(f"offer {len(game.history)}", 2):
            return
        unit = waiting[len(game.history) % len(waiting)]
        ground = self.books.ground
        offered = [move for move in step.choices(game.position, unit) if isinstance(move, Move)]
        for mode, reached in (("", ref.reach(ground, unit)), ("strategic", ref.strategic_reach(ground, unit))):
            told = {move.to for move in offered if move.mode == mode and not move.path}
            expected = set(ref.ends(ground, unit, reached))
            wrong = sorted(told ^ expected)
            clause = "9.3.3" if mode else "9.2.1"
            more = "" if not wrong or wrong[0] in expected else "not "
            self.expect(not wrong, clause, f"{unit} in {self.books.at[unit]} may {more}move to {wrong[:1]} {mode}".rstrip())
        self.books.seen["offered moves"] += 1


class Combat(Judge):
    """10.1 to 10.5, 10.8, 14.2: odds, results, who loses how many steps, and where the eliminated go."""

    topic: ClassVar[str] = "combat"

    def __init__(self, books: Any, object: Callable[[str, str], None]) -> None:
        super().__init__(books, object)
        self._column: int | None = None
        self._roll = 0
        self._owed = {"attacker": 0, "defender": 0}
        self._units: dict[str, tuple[str, ...]] = {"attacker": (), "defender": ()}
        self._must_leave = ""
        """The hex that the defenders must have left."""

    def subjects(self) -> Subjects:
        """See `Judge.subjects`."""
        return {
            AttackAnnounced: self._declared,
            AttackCancelled: self._cancelled,
            DiceRolled: self._rolled,
            AttackResolved: self._resolved,
            StepLost: self._lost,
            UnitEliminated: self._eliminated,
            UnitMoved: self._moved,
            ActivationEnded: self._settled,
            PhaseEntered: self._settled,
            GameEnded: self._settled,
        }

    def _odds(self, attackers: tuple[str, ...], target: str) -> tuple[int, int, int | None]:
        surprise = self.books.phase == SURPRISE
        return ref.odds(self.books.ground.field, attackers, target, self.books.retreated, surprise=surprise)

    def _declared(self, event: AttackAnnounced) -> None:
        self._settled(event)
        self.books.seen["attack"] += 1
        attackers, target = event.battle.attackers, event.battle.target
        attack, defence, column = self._odds(attackers, target)
        if not self.books.options.get("reserves"):  # 17.2.4 halves some
            columns = ["1:1", "1.5:1", *(f"{n}:1" for n in range(2, 11))]
            right = column is not None and (event.attack, event.defence, event.odds) == (attack, defence, columns[column])
            name = "no attack" if column is None else columns[column]
            self.expect(right, "10.3.6", f"{event}, and it is {attack} to {defence}, {name}")
            self._column = column
        else:
            self._column = columns_index(event.odds)
        for unit in attackers:
            self.expect(target in ref.targets(self.books.ground, unit), "10.1.6", f"{unit} cannot attack {target}")
        defenders = tuple(piece.id for piece in self.books.ground.field.on_map() if piece.at == target)
        self._units = {"attacker": attackers, "defender": defenders}

    def _cancelled(self, event: AttackCancelled) -> None:
        self._settled(event)
        ground, target = self.books.ground, event.battle.target
        left = tuple(unit for unit in event.battle.attackers if target in ref.targets(ground, unit))
        if left and target in ground.held[ref.other(event.battle.side)] and not self.books.options.get("reserves"):
            column = self._odds(left, target)[2]
            self.expect(column is None, "10.3.12", f"{event}, but it can be fought")

    def _rolled(self, event: DiceRolled) -> None:
        self._roll = event.dice[0]

    def _resolved(self, event: AttackResolved) -> None:
        """10.4.1: the cell of the table; 14.2.5, 14.2.6: what it is worth against a fortress."""
        if self._column is not None:
            cell = ROW[self._column + self._roll - 1]
            self.expect(event.result == cell, "10.4.1", f"a roll of {self._roll} gave {event.result} and not {cell}")
        result = event.result
        retreats = result.count("R")
        lost = int((re.match(r"\d", result) or ["0"])[0])
        fortified = event.target in self.books.ground.forts
        self._owed = {"attacker": int(result[1:]) if result[0] == "A" else 0, "defender": lost + (retreats if fortified else 0)}
        self._must_leave = event.target if retreats and not fortified else ""

    def _takes(self, unit: str, clause: str) -> None:
        if clause != COMBAT_LOSS:
            return
        role = next((role for role, units in self._units.items() if unit in units), "")
        if self.expect(role and self._owed[role] > 0, "10.5.1", f"{unit} loses a step that nobody demands"):
            self._owed[role] -= 1

    def _lost(self, event: StepLost) -> None:
        self._takes(event.unit, event.clause)

    def _eliminated(self, event: UnitEliminated) -> None:
        books = self.books
        piece = books.ground.field.pieces[event.unit]
        if event.clause == COMBAT_LOSS:
            self.expect(books.steps[event.unit] == 1, "10.5.2", f"{event.unit} lost more than its last step")
        self._takes(event.unit, event.clause)
        returns = piece.side == "soviet" and not piece.is_mechanized and not piece.is_fortress and event.clause != SUPPLY_LOSS
        box = "soviet available" if returns else f"{piece.side} eliminated"
        clause = "10.8.3" if event.clause == SUPPLY_LOSS else "10.8.1" if returns else "10.8.2"
        self.expect(event.to == box, clause, f"{event}, and it should go to {box}")

    def _moved(self, event: UnitMoved) -> None:
        if event.manner == Manner.RETREATS:
            alive = any(self.books.on_map(unit) for unit in self._units["defender"])
            self.expect(not (self._owed["defender"] and alive), "10.4.4", f"{event} before the losses are taken")

    def _settled(self, event: Event) -> None:
        """A battle is over: everything that its result demands has happened."""
        for role, number in self._owed.items():
            alive = [unit for unit in self._units[role] if self.books.on_map(unit)]
            self.expect(not (number and alive), "10.5.1", f"{alive} should have lost {number} more steps")
        left = [unit for unit in self._units["defender"] if self._must_leave and self.books.at.get(unit) == self._must_leave]
        self.expect(not left, "10.4.3", f"{left} should have retreated from {self._must_leave}")
        self._owed, self._must_leave = {"attacker": 0, "defender": 0}, ""

    def rest(self, game: Game) -> None:
        """The targets that are offered to one of the units; 10.3.4: who has retreated."""
        books = self.books
        retreated = {unit for unit in books.retreated if books.on_map(unit)}
        told = {unit for unit in game.state.retreated if books.on_map(unit)}
        self.expect(told == retreated, "10.3.4", f"{sorted(told ^ retreated)}: whether it has retreated in this segment")
        step = game.state.stack[-1] if game.state.stack else None
        if isinstance(step, Declaring):
            standing = [unit for unit in step.units if books.on_map(unit)]
            for unit in standing[:: 1 if not books.is_large else 5]:
                offered, expected = set(step.targets(game.position).get(unit, ())), ref.targets(books.ground, unit)
                self.expect(offered == expected, "10.1.6", f"{unit} may attack {sorted(expected)} and not {sorted(offered)}")


def columns_index(name: str) -> int | None:
    """The number of a column by its name."""
    names = ["1:1", "1.5:1", *(f"{n}:1" for n in range(2, 11))]
    return names.index(name) if name in names else None


class Retreats(Judge):
    """10.6, 10.7: every retreat and pursuit that is made, and those that are offered."""

    topic: ClassVar[str] = "retreat"

    def __init__(self, books: Any, object: Callable[[str, str], None]) -> None:
        super().__init__(books, object)
        self._hexes = 0
        self._target = ""
        self._attackers: set[str] = set()
        self._zone_losses: dict[str, int] = {}

    def subjects(self) -> Subjects:
        """See `Judge.subjects`."""
        return {
            AttackAnnounced: self._declared,
            AttackResolved: self._resolved,
            UnitMoved: self._moved,
            StepLost: self._lost,
            UnitEliminated: self._eliminated,
        }

    def _declared(self, event: AttackAnnounced) -> None:
        self._attackers, self._target = set(event.battle.attackers), event.battle.target

    def _resolved(self, event: AttackResolved) -> None:
        self._hexes = event.result.count("R")
        self.expect(event.target not in self.books.ground.forts or "no retreat" in event.applied or not self._hexes, "14.2.6",
                    f"{event}: nobody retreats from a fortress")  # fmt: skip

    def _moved(self, event: UnitMoved) -> None:
        if event.manner == Manner.RETREATS:
            self._judge_retreat(event)
        elif event.manner == Manner.PURSUES:
            self.books.seen["pursuit"] += 1
            surprise = self.books.phase == SURPRISE
            right = ref.may_pursue(self.books.ground, event.unit, event.path, self._target, surprise=surprise)
            self.expect(right, "10.7.1", f"{event}, which is not allowed")
            self.expect(event.unit in self._attackers, "10.7.1", f"{event} again, or without having attacked")
            self._attackers.discard(event.unit)

    def _judge_retreat(self, event: UnitMoved) -> None:
        """10.6: along one of the best ways, or along its beginning if the unit does not survive it."""
        ground = self.books.ground
        watched = ground.watched[self.books.side(event.unit)]
        hurts = sum(label in watched for label in event.path[1:])
        self._zone_losses[event.unit] = min(hurts, self.books.steps[event.unit])
        if not self.books.samples(event, 2):
            return
        self.books.seen["retreat"] += 1
        ways = ref.retreats(ground, event.unit, self._hexes, surprise=self.books.phase == SURPRISE)
        best = [way for way in ways if way.rank == ways[0].rank]
        fits = [way for way in best if way.path == event.path or (way.rank[0] and way.path[: len(event.path)] == event.path)]
        self.expect(fits, "10.6.13", f"{event}, but the best ways are {[' '.join(way.path[1:]) for way in best[:3]]}")

    def _lost(self, event: StepLost) -> None:
        if event.clause == ZONE_LOSS:
            self._takes(event.unit)

    def _takes(self, unit: str) -> None:
        left = self._zone_losses.get(unit, 0)
        if self.expect(left, "10.6.9", f"{unit} loses a step on its retreat that no zone costs"):
            self._zone_losses[unit] = left - 1

    def _eliminated(self, event: UnitEliminated) -> None:
        if event.clause == ZONE_LOSS:
            self._takes(event.unit)
        elif event.clause == NO_WAY_OUT:
            self.books.seen["no way out"] += 1
            ways = ref.retreats(self.books.ground, event.unit, self._hexes, surprise=self.books.phase == SURPRISE)
            self.expect(not ways, "10.6.14", f"{event.unit} is lost and could retreat {ways[:1]}")

    def rest(self, game: Game) -> None:
        """What is offered to units that retreat or pursue."""
        left = {unit: n for unit, n in self._zone_losses.items() if n and self.books.on_map(unit)}
        self.expect(not left, "10.6.9", f"{sorted(left)} should have lost a step on the retreat")
        self._zone_losses.clear()
        step = game.state.stack[-1] if game.state.stack else None
        ground = self.books.ground
        if isinstance(step, Retreating) and self.books.samples(f"retreats {len(game.history)}", 2):
            for unit in step.waiting(game.position):
                told = {option.path for option in step.best(game.position, unit)}
                ways = ref.best_retreats(ground, unit, self._hexes, surprise=self.books.phase == SURPRISE)
                expected = {way.path for way in ways}
                if ways and len(ways[0].path) - 1 > self._hexes:  # ways that differ in full stacks only need not all be offered
                    right = told <= expected and {path[-1] for path in told} == {path[-1] for path in expected}
                else:
                    right = told == expected
                self.expect(right, "10.6.12", f"{unit} may retreat by {sorted(expected)[:3]} and not by {sorted(told)[:3]}")
        elif isinstance(step, Pursuing):
            surprise = self.books.phase == SURPRISE
            field = ground.field
            for unit in step.waiting(game.position):
                here = field.pieces[unit].at
                paths = [(here, self._target), *((here, self._target, far) for far in field.near[self._target] if far != here)]
                expected = {path for path in paths if ref.may_pursue(ground, unit, path, self._target, surprise=surprise)}
                told = {action.path for action in step.choices(game.position, unit)}  # type: ignore[attr-defined]
                wrong = sorted(told ^ expected)
                self.expect(not wrong, "10.7.2", f"{unit} pursues {'not ' if wrong and wrong[0] in told else ''}by {wrong[:1]}")
