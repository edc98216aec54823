"""5 to 14: the turn, from the arrival of reinforcements to the verdict."""

from __future__ import annotations

from hexwar.engine import Loop, Phase, Play, SequenceOfPlay
from hexwar.mechanics import Arriving, Attacking, Moving
from hexwar.pieces import Selecting, TurnBegan, draw_chit, lose_step, on_board, total
from hexwar_bridgehead.staff import SUPPLY_CHIT
from hexwar_bridgehead.world import At, BridgeheadState, BridgeheadWorld

GamePlay = Play[BridgeheadState, BridgeheadWorld]

RED_FIRST = ("red", "blue")


def turns_remain(at: At) -> bool:
    """1.1: the turn marker has not reached the end of its track."""
    return at.state.turn < at.world.scenario.turns


def chits_remain(at: At) -> bool:
    """5.1: the cup is not empty."""
    return bool(at.state.cup)


def a_side_is_beaten(at: At) -> bool:
    """14.4: a side has nothing left, neither on the map nor on the turn track."""
    return len({at.world.units[unit].side for unit in at.state.locations}) < len(at.world.sides)


# -- 13 Reinforcements ---------------------------------------------------------------------------------------------------


def begin_turn(play: GamePlay) -> None:
    """5.1, 13.1: the marker moves on; Red's reinforcements arrive before Blue's, whose step lies deeper on the stack."""
    play.emit(TurnBegan(play.state.turn + 1, clause="5.1"))
    for side in reversed(RED_FIRST):
        due = tuple(unit for unit in play.world.units if _is_due(play, unit) and play.world.units[unit].side == side)
        play.push(Arriving(play.world.seat_for(side), due, play.world.supply.sources[side]))


def _is_due(at: At, unit: str) -> bool:
    word, _, number = at.state.locations.get(unit, "").partition(" ")
    return word == "turn" and int(number) <= at.state.turn


# -- 5 Selection and draw ------------------------------------------------------------------------------------------------


def select_chits(play: GamePlay) -> None:
    """5.2: both sides at once, in secret."""
    play.push(Selecting())


def draw_and_operate(play: GamePlay) -> None:
    """5.3, 6: draw a chit; its headquarters' units move, then fight."""
    chit = draw_chit(play)
    if chit == SUPPLY_CHIT:
        check_supply(play)
    elif active := play.world.command.led_by(play, chit):  # 6.3
        seat = play.world.seat_for(play.world.units[chit].side, chit)
        play.push(Attacking(seat, active))
        play.push(Moving(seat, active))


# -- 12 Supply -------------------------------------------------------------------------------------------------------------


def check_supply(play: GamePlay) -> None:
    """12.4: all lines are judged before any step is lost."""
    world = play.world
    cut_off = [unit for side in RED_FIRST for unit in on_board(play, side) if not world.supply.is_supplied(play, unit)]
    for unit in cut_off:
        lose_step(play, unit, "supply.check")


# -- 14 Victory --------------------------------------------------------------------------------------------------------------


def end_early(play: GamePlay) -> None:
    """14.4: a side that has nothing left has lost; where neither has, Red's last unit went first."""
    loser = "blue" if any(play.world.units[unit].side == "red" for unit in play.state.locations) else "red"
    play.end(play.world.enemies(loser)[0], f"{loser} has no units left", clause="14.4")


def decide(play: GamePlay) -> None:
    """14.3: more points win, Red wins a tie."""
    found = play.world.victory.scores(play)
    tally = {side: int(total(found, side)) for side in play.world.sides}
    winner = "blue" if tally["blue"] > tally["red"] else "red"
    reason = "a tie goes to the defender" if tally["blue"] == tally["red"] else "more points"
    play.end(winner, reason, clause="14.3", scores=tally)


# -- 5.1 The sequence of play ------------------------------------------------------------------------------------------------

OPERATIONS = (
    Phase("operations", "Operations", "5.3", draw_and_operate),
    Phase("early", "Early end", "14.4", end_early, when=a_side_is_beaten),
)
TURN = (
    Phase("arrival", "Arrival", "13.1", begin_turn),
    Phase("selection", "Selection", "5.2", select_chits),
    Loop("Operations", "5.3", chits_remain, OPERATIONS),
)
SEQUENCE = SequenceOfPlay(Loop("Turn", "5.1", turns_remain, TURN), Phase("verdict", "Verdict", "14.3", decide))
