"""5.0 The turn, from the set-up and the surprise attack (15.1) to the verdict."""

from __future__ import annotations

from typing import ClassVar

from hexwar.engine import Action, ActionSet, Listed, Loop, Phase, SeatName, SequenceOfPlay, Step, record
from hexwar.mechanics import Declaring
from hexwar.pieces import Done, TurnBegan, end_activation
from hexwar_ava.activation import OPERATIONS, chits_are_held, draw, play_held
from hexwar_ava.chits import select_chits
from hexwar_ava.combat import SURPRISE
from hexwar_ava.controller import control
from hexwar_ava.master_cup import divide, draw_master
from hexwar_ava.setting_up import set_up
from hexwar_ava.state import At, Doing, HandsShown, UnitsActivated, UnitWithdrawn, ZhukovCalled
from hexwar_ava.teams import CONTROLLER, MASTER_CUP, Surprising, side_by_side
from hexwar_ava.victory import decide


def turns_remain(at: At) -> bool:
    """5.0.2: the turn marker has not passed the last turn."""
    return at.state.turn <= at.world.entry.last_turn and not at.world.teams.many


def turns_remain_and_there_is_a_controller(at: At) -> bool:
    """19.3.1: the same where chits are drawn ahead."""
    return at.state.turn <= at.world.entry.last_turn and at.world.teams.many == CONTROLLER


def turns_remain_and_there_is_a_master_cup(at: At) -> bool:
    """20.0.1: the same in the variant without a controller."""
    return at.state.turn <= at.world.entry.last_turn and at.world.teams.many == MASTER_CUP


def no_master_cup_delays_it(at: At) -> bool:
    """20.2.7: with a master cup the surprise attack comes after the first division."""
    return at.world.teams.many != MASTER_CUP


def it_is_the_first_turn(at: At) -> bool:
    """20.2.7: the surprise attack belongs to turn 1."""
    return at.state.turn == 1


def the_last_turn_is_over(at: At) -> bool:
    """5.0.2: there is no further turn; usually the supply check has ended the game before (16.4.1)."""
    return at.state.turn >= at.world.entry.last_turn


def chits_remain(at: At) -> bool:
    """5.0.6: the cup is not empty."""
    return bool(at.state.cup)


# -- 15.1 the surprise attack ---------------------------------------------------------------------------------------------


def surprise(play: Doing) -> None:
    """15.1.1, 15.1.2: the panzer groups attack together before the first turn, each with the units of its own formation."""
    units, leaders = play.world.units, play.world.entry.surprise_attack
    led = [(unit, leader) for leader in leaders for unit in play.world.command.led_by(play, leader)]
    active = tuple(dict.fromkeys(unit for unit, leader in led if units[unit].formation == units[leader].formation))
    if play.world.teams.divided:  # 20.2.7
        seats = dict.fromkeys(play.world.seat_for("axis", unit) for unit in active)
        mine = {seat: tuple(unit for unit in active if play.world.teams.owns(seat, unit)) for seat in seats}
        side_by_side(play, [(seat, seat, Surprising(seat, group)) for seat, group in mine.items()])
        return
    play.emit(UnitsActivated(SURPRISE, active, clause="15.1.2"))
    if active:
        play.push(Declaring(play.world.seat_for("axis"), active))


# -- 5.0.7 the end of the turn ------------------------------------------------------------------------------------------


@record
class CallZhukov(Action):
    """Let Zhukov command the defence."""

    kind = "call-zhukov"
    says = "Zhukov takes command"


@record
class CallingZhukov(Step):
    """18.1.9: once the Axis has reached the city, the Soviets may call Zhukov; they are asked at the end of each turn."""

    kind = "calling-zhukov"
    says = "Shall Zhukov take command from the next turn on?"
    clause: ClassVar[str] = "18.1.9"
    seat: SeatName

    def deciders(self, at: At) -> tuple[str, ...]:
        """The Soviets."""
        return (self.seat,)

    def actions(self, at: At, seat: str) -> ActionSet:
        """Not yet, or now."""
        return Listed([Done(), CallZhukov()])

    def perform(self, play: Doing, seat: str, action: Action) -> None:
        """Note it."""
        play.pop()
        if isinstance(action, CallZhukov):
            play.emit(ZhukovCalled(play.state.turn, clause=self.clause))


@record
class EndingTurn(Step):
    """5.0.7, 5.0.8: the turn marker advances; Axis units on the space that it enters go to their box."""

    kind = "ending-turn"
    clause: ClassVar[str] = "5.0.7"

    def resume(self, play: Doing) -> None:
        """Move the marker."""
        play.pop()
        turn = play.state.turn + 1
        play.emit(TurnBegan(turn, clause=self.clause))
        for unit in play.state.layout.stacks.get(f"turn {turn}", ()):
            if play.world.units[unit].side == "axis":
                play.emit(UnitWithdrawn(unit, "axis available", clause="5.0.8"))


def end_turn(play: Doing) -> None:
    """5.0.7: Zhukov's question belongs to the turn that ends; 7.3.5: before it, everybody sees that all hands are empty."""
    end_activation(play)
    if any(play.world.cup.may_hold(play, side) for side in play.world.sides):
        play.emit(HandsShown(clause="7.3.5"))
    play.push(EndingTurn())
    if play.state.city_reached and not play.state.zhukov:
        play.push(CallingZhukov(play.world.seat_for("soviet")))


# -- 5.0 the sequence of play ------------------------------------------------------------------------------------------

HELD = Loop("Held chits", "7.3.5", chits_are_held, (Phase("held", "Held chit", "7.3.5", play_held), *OPERATIONS))
ENDING = (
    Phase("verdict", "Verdict", "5.0.2", decide, when=the_last_turn_is_over),
    Phase("end", "End", "5.0.7", end_turn),
)
TURN = (
    Phase("selection", "Selection", "5.0.3", select_chits),
    Loop("Chits", "5.0.6", chits_remain, (Phase("command", "Command", "5.0.4", draw), *OPERATIONS)),
    HELD,
    *ENDING,
)
CONTROLLED_TURN = (
    Phase("selection", "Selection", "5.0.3", select_chits),
    Phase("command", "Command", "19.4.1", control),
    HELD,
    *ENDING,
)
MASTER_TURN = (
    Phase("selection", "Division of the chits", "20.2.1", divide),
    Phase(SURPRISE, "Surprise attack", "20.2.7", surprise, when=it_is_the_first_turn),
    Loop("Master cup", "20.2.8", chits_remain, (Phase("command", "Command", "20.2.8", draw_master),)),
    HELD,
    *ENDING,
)
SEQUENCE = SequenceOfPlay(
    Phase("set-up", "Set-up", "4.0.2", set_up),
    Phase(SURPRISE, "Surprise attack", "15.1.1", surprise, when=no_master_cup_delays_it),
    Loop("Turn", "5.0.1", turns_remain, TURN),
    Loop("Turn with a controller", "19.3.1", turns_remain_and_there_is_a_controller, CONTROLLED_TURN),
    Loop("Turn with a master cup", "20.0.1", turns_remain_and_there_is_a_master_cup, MASTER_TURN),
)
