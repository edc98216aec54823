"""2 and 19: the turn. Seven phases are declared; those that are implemented do something; the others are skipped."""

from __future__ import annotations

from typing import ClassVar

from hexwar.engine import Action, ActionSet, Listed, Loop, Phase, SeatName, SequenceOfPlay, Step, record
from hexwar.errors import RuleBroken, RuleBrokenCode
from hexwar.mechanics import TurnBegan
from hexwar_wop.command import CommandMarkersRemoved, check_command
from hexwar_wop.supply import check_supply
from hexwar_wop.weather import determine_weather
from hexwar_wop.world import At, Doing, WopState, WopWorld


def the_last_turn_is_not_over(at: At) -> bool:
    """2.1.a: always, since the end phase of the last turn ends the game."""
    return True


def is_last(at: At) -> bool:
    """19.3: the marker stands on the last space of its track."""
    return at.state.turn == len(at.world.scenario.turn)


def this_version_carries_it_out(at: At) -> bool:
    """Whether a phase can be played: those that ask for this cannot, yet."""
    return False


def _absent(play: Doing) -> None:
    raise RuleBroken(RuleBrokenCode.UNKNOWN_PHASE, "a phase was entered that is not carried out")


def supply_phase(play: Doing) -> None:
    """2.3."""
    check_supply(play)
    check_command(play)


def weather_phase(play: Doing) -> None:
    """2.4: no air unit is placed yet; then the player with the initiative says when to go on."""
    determine_weather(play)
    play.push(Pausing(play.world.seat_for(play.world.initiative(play.state.turn))))


def end_phase(play: Doing) -> None:
    """2.9.a, 19.1.3, 19.2: as far as it goes without movement; there is no verdict after the last turn."""
    play.emit(CommandMarkersRemoved(clause="19.1.3"))
    if is_last(play):
        play.end(None, "the demonstration is over: nothing has moved, so nobody is judged", clause="19.3")
    else:
        play.emit(TurnBegan(play.state.turn + 1, clause="19.2"))


@record
class GoOn(Action):
    """Skip the phases that are not implemented."""

    kind = "go-on"
    says = "go on"


@record
class Pausing(Step[WopState, WopWorld]):
    """2.2: after the phases that are carried out, the player with the initiative looks at them and continues."""

    kind = "pausing"
    clause: ClassVar[str] = "2.2"
    seat: SeatName

    def deciders(self, at: At) -> tuple[str, ...]:
        """The player with the initiative."""
        return (self.seat,)

    def prompt(self, at: At, seat: str) -> str:
        """What there is to see."""
        last = " and of the demonstration" if is_last(at) else ""
        return f"Replacements, arrivals and both activations are not there yet: go on to the end of turn {at.state.turn}{last}."

    def actions(self, at: At, seat: str) -> ActionSet:
        """Nothing else."""
        return Listed([GoOn()])

    def perform(self, play: Doing, seat: str, action: Action) -> None:
        """Go on."""
        play.pop()


PHASES = (
    Phase("supply", "1 Supply", "2.3.a", supply_phase),
    Phase("weather", "2 Weather and air", "2.4", weather_phase),
    Phase("replacements", "3 Replacements", "2.5", _absent, when=this_version_carries_it_out),
    Phase("reinforcements", "4 Reorganisation and reinforcements", "2.6.b", _absent, when=this_version_carries_it_out),
    Phase("first", "5 Activation of the player with the initiative", "2.7.b", _absent, when=this_version_carries_it_out),
    Phase("second", "6 Activation of the other player", "2.8", _absent, when=this_version_carries_it_out),
    Phase("end", "7 End", "2.9.a", end_phase),
)
SEQUENCE = SequenceOfPlay(Loop("Turn", "2.1.a", the_last_turn_is_not_over, PHASES))
