"""4.0 The turn, from the set-up and the Soviet attack of turn 1 (12.1) to the verdict."""

from __future__ import annotations

from hexwar.engine import Loop, Phase, SequenceOfPlay
from hexwar.pieces import Selecting, TurnBegan, end_activation
from hexwar_tow.activation import (
    active_units_move_first,
    active_units_move_last,
    chits_remain,
    draw,
    fight,
    move,
    open_attack,
    put_in,
    somebody_is_active,
    the_axis_holds_chits,
)
from hexwar_tow.crossings import look_at_crossings
from hexwar_tow.luftwaffe import draw_markers, return_markers
from hexwar_tow.okh import resolve
from hexwar_tow.setting_up import set_up
from hexwar_tow.state import At, Doing
from hexwar_tow.victory import VERDICT, decide


def turns_remain(at: At) -> bool:
    """4.0.1: the turn marker has not passed the last turn."""
    return at.state.turn <= at.world.entry.last_turn


def it_is_the_first_turn(at: At) -> bool:
    """4.0.2, 12.1.1."""
    return at.state.turn == 1


def select(play: Doing) -> None:
    """2.4.3, 4.2.0.1, 4.2.0.8: both players choose in secret for one cup; the attack of turn 1 is over (12.1.2)."""
    end_activation(play)
    play.push(Selecting())


def judge(play: Doing) -> None:
    """4.3.16, 4.4.1: the Luftwaffe goes home; then see whether a side wins."""
    end_activation(play)
    return_markers(play)
    decide(play)


def next_turn(play: Doing) -> None:
    """4.4.2: the turn marker advances; 12.3.7: from turn 7 on crossing points may fall by themselves."""
    play.emit(TurnBegan(play.state.turn + 1, clause="4.4.2"))
    look_at_crossings(play)


ACTION = (
    Phase("putting-in", "Held chits", "4.2.0.4", put_in, when=the_axis_holds_chits),
    Phase("draw", "Draw", "4.3.1", draw),
    Phase("activation", "Chit", "4.3.3", resolve),
    Phase("movement", "Movement", "9.0.1", move, when=active_units_move_first),
    Phase("combat", "Combat", "10.0.2", fight, when=somebody_is_active),
    Phase("movement-after", "Movement after combat", "9.0.1", move, when=active_units_move_last),
)
"""4.3: what is repeated for each chit."""
SEQUENCE = SequenceOfPlay(
    Phase("set-up", "Set-up", "3.0.7", set_up),
    Loop(
        "Turn",
        "4.0.1",
        turns_remain,
        (
            Phase("luftwaffe", "Luftwaffe", "4.1.1", draw_markers),
            Phase("opening", "Soviet attack", "12.1.1", open_attack, when=it_is_the_first_turn),
            Phase("selection", "Chit selection", "4.2.0.1", select),
            Loop("Action", "4.3.1", chits_remain, ACTION),
            Phase(VERDICT, "End", "4.4.1", judge),
            Phase("next", "Next turn", "4.4.2", next_turn),
        ),
    ),
)
