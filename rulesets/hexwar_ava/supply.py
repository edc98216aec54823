"""11.0 Supply check: losses of both sides, withdrawals, fortresses (14.1), Stand Fast markers (16.2.3) and what scenarios add."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from hexwar.engine import Action, ActionSet, Explained, Grouped, Step, record
from hexwar.errors import Refusal
from hexwar.pieces import Choosing, Done, Obliged, UnitAction, face, lose_step, on_board, unit_of
from hexwar_ava.combat import FORTRESS
from hexwar_ava.fortresses import Building
from hexwar_ava.state import At, Doing, StoodDown, UnitWithdrawn
from hexwar_ava.teams import pass_on, side_by_side
from hexwar_ava.victory import decide


@record
class SupplyCheck(Step):
    """11.0.1: both sides check, one thing after the other; the order is 11.1.2 and a ruling.

    18.2.5: what the scenario withdraws leaves before any unit may go into the box, where it would be safe (11.2).
    """

    kind = "supply-check"
    clause: ClassVar[str] = "11.0.1"
    stage: int = 0

    def resume(self, play: Doing) -> None:
        """Go on to the next stage."""
        world, turn = play.world, play.state.turn
        axis, soviet = world.seat_for("axis"), world.seat_for("soviet")
        play.replace(SupplyCheck(self.stage + 1))
        if self.stage == 0:
            check(play, "soviet")
        elif self.stage == 1 and turn >= world.supply.axis_checked_from:  # 15.1.4
            check(play, "axis")
        elif self.stage == 2:
            if world.teams.divided:
                side_by_side(play, [(seat, seat, Withdrawing(seat)) for seat in world.seats_of("axis")])
            else:
                play.push(Withdrawing(axis))
            if world.entry.withdrawal is not None and turn == world.entry.withdrawal.turn:
                play.push(Relinquishing(axis, world.entry.withdrawal.attack))
        elif self.stage == 3 and world.entry.fortresses is not None and turn >= world.entry.fortresses.from_turn:
            play.push(Building(soviet, world.entry.fortresses.levels))
        elif self.stage == 4 and turn >= world.printed.numbers.stand_fast_removal_from:
            play.push(StandingDown(soviet))
        elif self.stage >= 5:
            play.pop()
            if turn >= world.entry.last_turn and not world.options["full-turns"]:  # 16.4.1
                decide(play)


def check(play: Doing, side: str) -> None:
    """11.1.1, 11.1.3: every unit of a side without a line loses a step, no more; all are judged first. 14.2.4: no fortress."""
    supplied = play.world.supply.supplied_units(play, side)
    for unit in on_board(play, side):
        if unit not in supplied and play.world.units[unit].arm != FORTRESS:
            lose_step(play, unit, "supply.check")


# -- 11.2 withdrawal into the available box -------------------------------------------------------------------------------


@record
class Withdraw(UnitAction):
    """Take a unit off the map."""

    kind = "withdraw"
    says = "take {unit} off the map"


@record
class Withdrawing(Choosing):
    """11.2: the Axis may take any units with a line of communication into its available box; they may come back (11.2.3)."""

    kind = "withdrawing"
    says = "Take units with a line of communication off the map into the available box?"
    clause: ClassVar[str] = "11.2.1"
    choice = Withdraw

    def able(self, at: At) -> list[str]:
        """Units with a line on the map; in a team, each player's own (19.2)."""
        known: list[str] | None = at.memo.get(("withdrawing", self.seat))
        if known is None:
            teams, supplied = at.world.teams, at.world.supply.supplied_units(at, "axis")
            mine = {unit for unit in supplied if teams.owns(self.seat, unit)} if teams.divided else supplied
            known = at.memo["withdrawing", self.seat] = sorted(mine, key=at.world.basis.rank.__getitem__)
        return known

    def why_not(self, at: At, action: Withdraw) -> Refusal:
        """It is not there, somebody else's, or has no line."""
        if action.unit not in on_board(at, "axis"):
            return Refusal.against("11.2.1", f"{action.unit} is no Axis unit on the map")
        foreign: Refusal | None = at.world.teams.not_yours(self.seat, action.unit)
        return foreign or Refusal.against("11.2.2", f"{action.unit} has no line of communication")

    def actions(self, at: At, seat: str) -> ActionSet:
        """Stop, or any unit with a line."""
        return _Late(self, at, Done())

    def chosen(self, play: Doing, action: Withdraw) -> None:
        """Take it off; it keeps its strength."""
        play.emit(UnitWithdrawn(action.unit, "axis available", clause="11.2.1"))


class _Late(Grouped):
    """Plain actions, and the units in one group, listed on demand."""

    def __init__(self, step: Choosing, at: At, *plain: Action) -> None:
        def group(key: str) -> Explained:
            return Explained(map(Withdraw, step.able(at)), partial(step.why_not, at), Withdraw)

        super().__init__(plain, ("",), group, lambda action: "" if isinstance(action, Withdraw) else None)
        self._able = partial(step.able, at)

    def find(self, action: Action) -> Action | None:
        """See `ActionSet.find`: without making the actions of all."""
        if not isinstance(action, Withdraw):
            return super().find(action)
        return Withdraw(action.unit) if action.unit in self._able() else None

    def grouped(self) -> Grouped:
        """Unit by unit, without making the actions of all."""
        return Grouped(self.plain, self._able(), lambda unit: [Withdraw(unit)], unit_of)


# -- 16.2.3 Stand Fast --------------------------------------------------------------------------------------------------------


@record
class StandDown(Action):
    """Remove a Stand Fast marker."""

    kind = "stand-down"
    says = "remove the Stand Fast marker in {hex}"
    hex: str


@record
class StandingDown(Choosing):
    """16.2.3: the Soviets may remove one marker from a city that is theirs and has a line."""

    kind = "standing-down"
    says = "Remove a Stand Fast marker: {able}?"
    clause: ClassVar[str] = "16.2.3"
    choice = StandDown

    def able(self, at: At) -> list[str]:
        """The marked cities that are Soviet and have a line; in a team, those on the player's maps."""
        held = [label for label in at.state.stand_fast if at.state.control.get(label) == "soviet"]
        held = [label for label in held if at.world.teams.seat_on("soviet", label) == self.seat]
        supplied = at.world.supply.supplied(at, "soviet", at.world.board.mask(held)) if held else 0
        return [label for label in held if supplied >> at.world.board.index(label) & 1]

    def actions(self, at: At, seat: str) -> ActionSet:
        """None, or any one."""
        return Grouped([Done()], self.able(at), lambda label: [StandDown(label)], _hex_of, partial(self.why_not, at))

    def why_not(self, at: At, action: StandDown) -> Refusal:
        """No marker, not Soviet, somebody else's, or no line."""
        if action.hex not in at.state.stand_fast:
            why = f"there is no Stand Fast marker in {action.hex}"
        elif at.state.control.get(action.hex) != "soviet":
            why = f"{action.hex} is not controlled by the Soviets"
        elif (whose := at.world.teams.seat_on("soviet", action.hex)) != self.seat:
            why = f"{action.hex} lies on the map of {whose}"
        else:
            why = f"{action.hex} has no line of communication"
        return Refusal.against(self.clause, why)

    def chosen(self, play: Doing, action: StandDown) -> None:
        """Remove it."""
        play.pop()
        play.emit(StoodDown(action.hex, clause=self.clause))

    def resume(self, play: Doing) -> None:
        """None can be removed, or the player removes none; in a team, the next one is asked about his maps."""
        pass_on(play, self)


def _hex_of(action: Action) -> str | None:
    return action.hex if isinstance(action, StandDown) else None


# -- 18.2.5 the withdrawal of the Smolensk scenario ----------------------------------------------------------------------------


@record
class Relinquishing(Obliged):
    """18.2.5, 18.2.6: the Axis gives up mechanized units with a given attack strength; if it has less, all of them."""

    kind = "relinquishing"
    says = "Withdraw mechanized units with {attack} more points of attack strength."
    clause: ClassVar[str] = "18.2.5"
    choice = Withdraw
    attack: int
    """What is still to go."""

    def able(self, at: At) -> list[str]:
        """Mechanized units, until enough is gone."""
        units = [unit for unit in on_board(at, "axis") if at.world.units[unit].mechanized]
        return units if self.attack > 0 else []

    def deciders(self, at: At) -> tuple[str, ...]:
        """The Axis, while something is to go and there is a choice."""
        able = self.able(at)
        return (self.seat,) if len(able) > 1 and self.attack < sum(face(at, unit).attack for unit in able) else ()

    def why_not(self, at: At, action: Withdraw) -> Refusal:
        """No other unit leaves."""
        return Refusal.against(self.clause, f"{action.unit} is no mechanized Axis unit on the map")

    def actions(self, at: At, seat: str) -> ActionSet:
        """Any mechanized unit."""
        return _Late(self, at)

    def chosen(self, play: Doing, action: Withdraw) -> None:
        """Take it off for good."""
        play.replace(Relinquishing(self.seat, self.attack - face(play, action.unit).attack))
        play.emit(UnitWithdrawn(action.unit, "axis eliminated", clause=self.clause))
