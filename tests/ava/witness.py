"""A witness: follows a game by its events alone, keeps books of its own, and objects when the rules are broken.

What it expects comes from the literal rules of `tests.ava.reference`; it never asks the ruleset's own functions for an answer,
only for what is printed (boards, counters, sources).
"""

from __future__ import annotations

import re
from collections import Counter as Multiset
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from hexwar.engine import DiceRolled, Event, Game, GameEnded, PhaseEntered
from hexwar.engine.events import StepPushed
from hexwar.mechanics import (
    ActivationEnded,
    AttackDeclared,
    AttackResolved,
    CupFilled,
    Layout,
    StepLost,
    TurnBegan,
    UnitEliminated,
    UnitMoved,
    UnitPlaced,
)
from hexwar.mechanics.chits import ChitSelected
from hexwar_ava.state import FortressBuilt, Retreated, StoodDown, UnitsActivated, UnitWithdrawn
from hexwar_ava.supply import SupplyCheck
from tests.ava import reference as ref

SURPRISE = "surprise"
SUPPLY_LOSS = "11.1.1"
NO_WAY_OUT = "10.6.14"
CHANGES = (UnitPlaced, UnitMoved, StepLost, UnitEliminated, UnitWithdrawn, FortressBuilt)
"""The events after which something lies elsewhere, or with its other side up."""
STAND_FAST = ("L3602", "L3603", "L3702", "S3510", "S4112", "S3726", "S5003", "S5009", "S5120", "K3507", "K3607", "K3608")
"""16.2.2."""


class Witness:
    """Books about one game.

    Args:
        game: as it was begun.
        lines: whether everything is judged that needs lines of communication, which takes time on large boards.
        moves: one in so many moves is judged.
    """

    def __init__(self, game: Game[Any, Any], *, lines: bool = True, moves: int = 1) -> None:
        first = game.first_state
        self.world = game.world
        self.lines = lines
        self.moves = moves
        self._counted = 0
        self.field = ref.Field.of(game)
        self.at: dict[str, str] = dict(first.at)
        self.steps: dict[str, int] = dict(first.steps)
        self.units = frozenset(first.at)
        self.control = self._control_at_start()
        self.turn = 1
        self.phase = ""
        self.retreated: set[str] = set()
        self.chosen: Multiset[str] = Multiset()
        self.chits: Multiset[str] | None = None
        """The chits of the turn, once the cup has been filled."""
        self.result = ""
        """The last result of the combat table."""
        self.column: int | None = None
        self.roll = 0
        self.entered: dict[str, str] = {}
        """Unit -> the hex through which it came onto the map with the current action."""
        self.unsupplied: set[str] | None = None
        """Who is still to lose a step in the check that goes on."""
        self.seen: Multiset[str] = Multiset()
        """What has been judged, for tests that want to know that they tested something."""
        self._ground: ref.Ground | None = None
        self.stand_fast = {label for label in STAND_FAST if label in self.field.terrain}
        self._books: dict[type[Event[Any]], Callable[[Any], None]] = {
            UnitPlaced: self._placed,
            UnitMoved: self._moved,
            StepLost: self._step_lost,
            UnitEliminated: self._eliminated,
            UnitWithdrawn: self._withdrawn,
            FortressBuilt: self._fortress_built,
            TurnBegan: self._turn_began,
            PhaseEntered: self._phase_entered,
            UnitsActivated: self._activated,
            ActivationEnded: self._activation_ended,
            Retreated: self._driven_off,
            ChitSelected: self._chit_selected,
            CupFilled: self._cup_filled,
            AttackDeclared: self._attack_declared,
            DiceRolled: self._dice_rolled,
            AttackResolved: self._attack_resolved,
            GameEnded: self._game_ended,
            StoodDown: self._stood_down,
        }
        self.follow(game.events)

    def _control_at_start(self) -> dict[str, str]:
        """3.4.1: what lies west of the start line is the Axis's, all else the Soviets'; so are Soviet sources (16.3.1)."""
        west = set(self.world.board.areas.get("west of the start line", ()))
        hexes = [*self.field.cities, *self.field.sources["soviet"]]
        if self.world.setup.scenario == "smolensk":
            hexes += ["S4230", "S4730"]  # 18.2.9
        return {label: "axis" if label in west and label in self.field.cities else "soviet" for label in hexes}

    @property
    def ground(self) -> ref.Ground:
        """The position as the books have it."""
        if self._ground is None:
            pieces = {}
            for unit, label in self.at.items():
                counter, steps = self.world.units[unit], self.steps[unit]
                face = counter.faces[steps - 1]
                numbers = (face.attack, face.defence, face.move, steps, counter.steps)
                pieces[unit] = ref.Piece(unit, counter.side, counter.arm, counter.nation, *numbers, label)
            self._ground = ref.Ground(replace(self.field, pieces=pieces))
        return self._ground

    # -- following ---------------------------------------------------------------------------------------------------------------

    def follow(self, events: Iterable[Event[Any]]) -> None:
        """An action was done and these events came of it."""
        self.entered.clear()
        for event in events:
            self._judge_supply(event)
            if type(event) in self._books:
                self._books[type(event)](event)
            if isinstance(event, CHANGES):
                self._ground = None
        self._judge_supply(None)

    def _stood_down(self, event: StoodDown) -> None:
        assert event.hex in self.stand_fast
        assert self.control[event.hex] == "soviet"
        assert self.turn >= 6
        self.stand_fast.discard(event.hex)

    def _put(self, unit: str, label: str) -> None:
        assert unit in self.units, f"{unit} is not a unit of the scenario"
        self.at[unit] = label

    def _enter(self, unit: str, hexes: tuple[str, ...]) -> None:
        """3.4.2: whoever entered last."""
        for label in hexes:
            if label in self.control:
                self.control[label] = self.world.units[unit].side

    def _placed(self, event: UnitPlaced) -> None:
        self._put(event.unit, event.location)
        if event.location in self.field.terrain:
            self._enter(event.unit, (event.location,))
            self.entered[event.unit] = event.location

    def _moved(self, event: UnitMoved) -> None:
        assert event.path[0] == self.at[event.unit], f"{event} begins where the unit is not"
        if event.manner in ("moves", "moves (strategic)"):
            self._counted += 1
            if self._counted % self.moves == 0:
                self._judge_move(event)
        elif event.manner == "pursues":
            self.seen["pursuit"] += 1
            surprise = self.phase == SURPRISE
            assert ref.may_pursue(self.ground, event.unit, event.path, event.path[1], surprise=surprise), f"{event}"
        elif event.manner == "retreats":
            self._judge_retreat(event)
        else:
            raise AssertionError(f"nobody knows what {event.manner!r} is")
        self._put(event.unit, event.path[-1])
        self._enter(event.unit, event.path[1:])

    def _step_lost(self, event: StepLost) -> None:
        assert self.steps[event.unit] > 1, f"{event.unit} had no step to lose and live"
        self.steps[event.unit] -= 1

    def _eliminated(self, event: UnitEliminated) -> None:
        counter = self.world.units[event.unit]
        piece = self.ground.field.pieces[event.unit]
        if event.clause != NO_WAY_OUT:
            assert self.steps[event.unit] == 1, f"{event.unit} lost more than its last step"
        else:
            self.seen["no way out"] += 1
            assert not ref.retreats(self.ground, event.unit, self.result.count("R")), f"{event.unit} could retreat"
        infantry = piece.side == "soviet" and not piece.is_mechanized and not piece.is_fortress
        returns = infantry and event.clause != SUPPLY_LOSS  # 10.8.1 to 10.8.3
        assert event.to == ("soviet available" if returns else f"{piece.side} eliminated"), f"{event}"
        self.steps[event.unit] = counter.steps
        self._put(event.unit, event.to)

    def _withdrawn(self, event: UnitWithdrawn) -> None:
        assert event.to in self.world.boxes
        self._put(event.unit, event.to)

    def _fortress_built(self, event: FortressBuilt) -> None:
        self.seen["fortress"] += 1
        there = self.at[event.marker] == event.hex
        assert event.level == (self.steps[event.marker] + 1 if there else 1) <= 2  # 14.1.5
        assert self.field.cities.get(event.hex) == "major-city"
        assert self.control[event.hex] == "soviet"
        assert not set(self.field.near[event.hex]) & self.ground.held["axis"]  # 14.1.3
        assert not self.lines or event.hex in ref.lines(self.ground, "soviet")
        self._put(event.marker, event.hex)
        self.steps[event.marker] = event.level

    def _turn_began(self, event: TurnBegan) -> None:
        assert event.turn == self.turn + 1
        self.turn = event.turn

    def _phase_entered(self, event: PhaseEntered) -> None:
        self.phase = event.phase

    def _activated(self, event: UnitsActivated) -> None:
        self.retreated.clear()

    def _activation_ended(self, event: ActivationEnded) -> None:
        self.retreated.clear()

    def _driven_off(self, event: Retreated) -> None:
        self.retreated.add(event.unit)

    # -- chits -------------------------------------------------------------------------------------------------------------------

    def _chit_selected(self, event: ChitSelected) -> None:
        self.chosen[event.chit] += 1
        self.chits = None

    def _cup_filled(self, event: CupFilled) -> None:
        self.chits = self.chosen + Multiset(["supply"])  # 6.2.5
        self.chosen = Multiset()

    # -- judging -----------------------------------------------------------------------------------------------------------------

    def _judge_move(self, event: UnitMoved) -> None:
        """9.2, 9.3; 15.3.3: who has just come onto the map has paid for the hex already."""
        strategic = event.manner != "moves"
        self.seen["strategic move" if strategic else "move"] += 1
        piece = self.ground.field.pieces[event.unit]
        cost = ref.path_cost(self.ground, event.unit, event.path, strategic=strategic)
        assert cost is not None, f"{event} is not allowed"
        if event.unit in self.entered:
            cost += 1 if strategic else 1 * ref.HALF
        assert cost <= piece.move * ref.HALF, f"{event} costs {cost / 2:g}"
        end = event.path[-1]
        assert end == event.path[0] or self.ground.has_room(end), f"{event} ends in a full hex"

    def _judge_retreat(self, event: UnitMoved) -> None:
        """10.6: along one of the best ways, or along its beginning if the unit does not survive it."""
        if not self.lines:
            return
        self.seen["retreat"] += 1
        hexes = self.result.count("R")
        ways = ref.retreats(self.ground, event.unit, hexes)
        best = [way for way in ways if way.rank == ways[0].rank]
        fits = [way for way in best if way.path == event.path or (way.rank[0] and way.path[: len(event.path)] == event.path)]
        assert fits, f"{event}, but the best are {[way.path for way in best]}"

    def _attack_declared(self, event: AttackDeclared) -> None:
        """10.3: the odds of every attack."""
        self.seen["attack"] += 1
        attackers, target = event.battle.attackers, event.battle.target
        surprise = self.phase == SURPRISE
        attack, defence, column = ref.odds(self.ground.field, attackers, target, self.retreated, surprise=surprise)
        told = self.world.table.columns.index(event.odds)
        assert (event.attack, event.defence, told) == (attack, defence, column), f"{event}"
        self.column = column

    def _dice_rolled(self, event: DiceRolled) -> None:
        (self.roll,) = event.dice

    def _attack_resolved(self, event: AttackResolved) -> None:
        """10.4.1: the cell of the table, which begins each row one result later than the row above."""
        assert self.column is not None
        row = ["A2", "A1", "A1", "-", "-", "R", "R", "RR", "RR", "1RR", "1RR", "2RR", "2RR", "3RR", "3RR", "4RR"]
        assert event.result == row[self.column + self.roll - 1]
        fortified = event.target in self.ground.forts
        retreats = event.result.count("R")
        if fortified and retreats:  # 14.2.5, 14.2.6
            losses = int((re.match(r"\d", event.result) or ["0"])[0]) + retreats
            assert f"{losses} step" in event.applied
            assert "no retreat" in event.applied
        self.result = event.result

    def _judge_supply(self, event: Event[Any] | None) -> None:
        """11.1: at the check of a side, exactly those without a line lose a step; all are judged before any loses."""
        if self.unsupplied is not None:
            if isinstance(event, StepLost | UnitEliminated) and event.clause == SUPPLY_LOSS:
                assert event.unit in self.unsupplied, f"{event.unit} has a line, or has lost a step already"
                self.unsupplied.discard(event.unit)
            elif event is None or isinstance(event, StepPushed):
                assert not self.unsupplied, f"{', '.join(sorted(self.unsupplied))} had to lose a step"
                self.unsupplied = None
        if isinstance(event, StepPushed) and isinstance(event.step, SupplyCheck) and event.step.stage in (1, 2) and self.lines:
            side = "soviet" if event.step.stage == 1 else "axis"  # 11.1.2
            checks = side == "soviet" or self.turn >= self.world.axis_supply_from  # 15.1.4
            line = ref.lines(self.ground, side) if checks else {}
            pieces = self.ground.field.on_map() if checks else []
            lost = {p.id for p in pieces if p.side == side and not p.is_fortress and p.at not in line}  # 14.2.4
            self.unsupplied = lost
            self.seen["supply check"] += 1
            self.seen["unsupplied"] += len(lost)

    def _game_ended(self, event: GameEnded) -> None:
        """16.0: the verdict."""
        if self.lines:
            needed = {"training": 12, "leningrad": 54, "smolensk": 85, "smolensk-short": 60, "kiev": 52, "campaign": 191}
            scenario = self.world.setup.scenario
            points = ref.victory_points(self.ground, self.control, self.stand_fast, scenario)
            assert event.result.scores == {"axis": points}
            assert event.result.winner == ("axis" if points >= needed[scenario] else "soviet")
            self.seen["verdict"] += 1

    # -- comparing ---------------------------------------------------------------------------------------------------------------

    def compare(self, game: Game[Any, Any]) -> None:
        """The books agree with the game, and what holds in every position holds in this one."""
        state = game.state
        assert set(state.stand_fast) == self.stand_fast
        assert state.at == self.at
        assert state.steps == self.steps
        assert set(state.at) == self.units
        assert state.control == self.control  # 3.4.2
        assert all(1 <= steps <= self.world.units[unit].steps for unit, steps in state.steps.items())
        self._compare_chits(game)

    def _compare_chits(self, game: Game[Any, Any]) -> None:
        """7.1.3: what was selected, and the supply check, is in the cup, drawn or in hand."""
        state = game.state
        hand = Multiset(chit for chits in state.hand.values() for chit in chits)
        if self.chits is not None:
            assert Multiset(state.cup) + Multiset(state.drawn) + hand == self.chits
        elif self.phase == "selection":
            assert Multiset(chit for chits in state.selected.values() for chit in chits) + hand == self.chosen

    def inspect(self, game: Game[Any, Any]) -> None:
        """What takes longer to look at: stacking, sides apart, start line, zones, points."""
        board, layout = self.world.board, game.state.layout
        for label, units in self._stacks().items():
            sides = {self.world.units[unit].side for unit in units}
            assert len(sides) == 1, f"{units} share {label}"  # 3.1.2
            assert sum(self.world.units[unit].arm != "fortress" for unit in units) <= 2, f"{units} in {label}"  # 3.1.1
            assert sum(self.world.units[unit].arm == "fortress" for unit in units) <= 1  # 14.1.5
        west = set(board.areas.get("west of the start line", ()))
        assert not west & self.ground.held["soviet"]  # 9.1.4
        assert Layout.of(layout.ground, game.state.at) == layout
        for side in ("axis", "soviet"):
            assert set(board.unmask(layout.threatened[side])) == self.ground.watched[side]  # 3.2
            assert set(board.unmask(layout.held[side])) == self.ground.held[side]
        if self.lines:
            points = ref.victory_points(self.ground, self.control, self.stand_fast, self.world.setup.scenario)
            assert sum(score.points for score in game.query.score()) == points

    def _stacks(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for unit, label in self.at.items():
            if label in self.field.terrain:
                found.setdefault(label, []).append(unit)
        return found
