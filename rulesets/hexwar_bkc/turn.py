"""turn: the sequence of play, from the reaction phase of the first player to the verdict."""

from __future__ import annotations

from collections.abc import Callable

from hexwar.engine import Branch, Loop, Phase, SequenceOfPlay
from hexwar.pieces import TurnBegan, on_board
from hexwar_bkc.acting import Acting, Reacting
from hexwar_bkc.combat import Combats
from hexwar_bkc.command import Commanding, CommandMoving
from hexwar_bkc.ending import break_test, decide, end_game_turn, end_turn, is_over
from hexwar_bkc.observers import Scheduling, fire_missions
from hexwar_bkc.state import PlayerTurnBegan
from hexwar_bkc.world import At, Doing


def turns_remain(at: At) -> bool:
    """end.6: the agreed number of turns is not over."""
    return at.state.turn < at.world.last_turn and not at.state.broken


def begin_turn(play: Doing) -> None:
    """turn.2: a game turn is one turn of each player."""
    play.emit(TurnBegan(play.state.turn + 1, clause="turn.2"))


def by_order(at: At) -> bool:
    """Units act by order."""
    return bool(at.world.has_orders)


def without_orders(at: At) -> bool:
    """The training scenario: each unit acts once."""
    return not at.world.has_orders


def _troops(at: At) -> tuple[str, ...]:
    return tuple([unit for unit in on_board(at, at.state.active) if not at.world.units[unit].commands])


def _seat(at: At) -> str:
    return str(at.world.seat_for(at.state.active))


def react(play: Doing) -> None:
    """react.1, react.5: all but command units."""
    play.push(Reacting(_seat(play), _troops(play)))


def command(play: Doing) -> None:
    """command.1."""
    play.push(Commanding(_seat(play)))


def act(play: Doing) -> None:
    """command.22, command.24: each unit once."""
    play.push(Acting(_seat(play), _troops(play)))


def move_command(play: Doing) -> None:
    """command.36."""
    chiefs = tuple([unit for unit in on_board(play, play.state.active) if play.world.units[unit].commands])
    play.push(CommandMoving(_seat(play), chiefs))


def combat(play: Doing) -> None:
    """cc.1: all combats."""
    play.push(Combats(_seat(play)))


def schedule(play: Doing) -> None:
    """sched.4: each side writes down its missions."""
    for side in reversed(play.world.order):
        play.push(Scheduling(play.world.seat_for(side)))


def scheduled(play: Doing) -> None:
    """sched.1: the fire that was planned for this turn."""
    fire_missions(play, play.state.active)


def player_turn(number: int) -> Branch:
    """turn.3: the phases of the first player's turn, or of the second's."""

    def begin(play: Doing) -> None:
        side = play.world.order[number]
        released = tuple([chief for chief in play.state.joined if play.world.units[chief].side == side])
        play.emit(PlayerTurnBegan(side, released, clause="turn.1"))
        break_test(play, play.state.active)

    def has_not_broken(at: At) -> bool:
        return at.state.broken != at.world.order[number]

    def acts_by_order(at: At) -> bool:
        return has_not_broken(at) and by_order(at)

    def acts_without_orders(at: At) -> bool:
        return has_not_broken(at) and without_orders(at)

    when: Callable[[At], bool] = has_not_broken
    name = ("first", "second")[number]
    return Branch(
        f"Turn of the {name} player",
        "turn.3",
        when,
        (
            Phase("begin", "Beginning", "break.2", begin),
            Phase("scheduled", "Scheduled fire", "sched.1", scheduled, when=when),
            Phase("reaction", "Reaction", "react.1", react, when=when),
            Phase("command", "Command", "command.1", command, when=acts_by_order),
            Phase("action", "Action", "command.22", act, when=acts_without_orders),
            Phase("command-movement", "Command movement", "command.36", move_command, when=acts_by_order),
            Phase("combat", "Combat", "cc.1", combat, when=when),
            Phase("end", "End", "end.2", end_turn),
        ),
    )


GAME_TURN = (
    Phase("turn", "Game turn", "turn.2", begin_turn),
    player_turn(0),
    player_turn(1),
    Phase("broken", "A battlegroup has broken", "break.5", decide, when=is_over),
    Phase("objectives", "Objectives", "end.6", end_game_turn),
)
SEQUENCE = SequenceOfPlay(
    Phase("missions", "Missions", "sched.4", schedule),
    Loop("Game turn", "turn.2", turns_remain, GAME_TURN),
    Phase("verdict", "Verdict", "victory.1", decide),
)
