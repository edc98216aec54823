"""2 and 19: the turn of seven phases (2.2)."""

from __future__ import annotations

from hexwar.engine import Loop, Phase, SequenceOfPlay
from hexwar.mechanics import Moving
from hexwar.pieces import TurnBegan
from hexwar_wop.activation import activate
from hexwar_wop.air import patrol
from hexwar_wop.command import CommandMarkersRemoved, check_command
from hexwar_wop.flights import bring_back, leave_map
from hexwar_wop.groups import reorganise
from hexwar_wop.reinforcements import bring_in
from hexwar_wop.replacements import raise_levels, replacements_phase
from hexwar_wop.supply import check_supply, headquarters_of
from hexwar_wop.transport import return_transports, travels_alone
from hexwar_wop.victory import decide
from hexwar_wop.weather import determine_weather
from hexwar_wop.world import At, Doing


def the_last_turn_is_not_over(at: At) -> bool:
    """2.1.a: always, since the end phase of the last turn ends the game."""
    return True


def supply_phase(play: Doing) -> None:
    """2.3; transports come back first, since it makes no difference."""
    return_transports(play)
    check_supply(play)
    check_command(play)


def weather_phase(play: Doing) -> None:
    """2.4, 4.3.a: the weather, then the first air units."""
    determine_weather(play)
    patrol(play)


def reinforcement_phase(play: Doing) -> None:
    """2.6.a, 2.6.b: groups, then reinforcements; 17.16: air units that have missed a turn."""
    bring_back(play)
    bring_in(play)
    reorganise(play)


def first_activation(play: Doing) -> None:
    """2.7.b, 7.1."""
    activate(play, play.world.initiative(play.state.turn))


def second_activation(play: Doing) -> None:
    """2.8."""
    activate(play, play.world.enemies(play.world.initiative(play.state.turn))[0])


def end_phase(play: Doing) -> None:
    """2.9.a, 2.9.b, 19.1.1: the armies' headquarters move, Polish ones first; their step lies on top."""
    for side in reversed(play.world.sides):
        movers = tuple(army.id for army in headquarters_of(play, side, "army") if travels_alone(play, army.id))
        if movers:
            play.push(Moving(play.world.seat_for(side), movers))


def next_turn(play: Doing) -> None:
    """2.9.a, 19.1.2 to 19.1.4, 19.2, 19.3: markers and air units go; the game is over, or the next turn begins."""
    raise_levels(play)
    play.emit(CommandMarkersRemoved(clause="19.1.3"))
    leave_map(play)
    decide(play)
    if play.state.result is None:
        play.emit(TurnBegan(play.state.turn + 1, clause="19.2"))


PHASES = (
    Phase("supply", "1 Supply", "2.3.a", supply_phase),
    Phase("weather", "2 Weather and air", "2.4", weather_phase),
    Phase("replacements", "3 Replacements", "2.5", replacements_phase),
    Phase("reinforcements", "4 Reorganisation and reinforcements", "2.6.b", reinforcement_phase),
    Phase("first", "5 Activation of the player with the initiative", "2.7.b", first_activation),
    Phase("second", "6 Activation of the other player", "2.8", second_activation),
    Phase("end", "7 End", "2.9.a", end_phase),
    Phase("next", "7 End: markers and the next turn", "19.2", next_turn),
)
"""2.2: the last of the seven in two parts, since players decide in the first."""
SEQUENCE = SequenceOfPlay(Loop("Turn", "2.1.a", the_last_turn_is_not_over, PHASES))
