"""19.4, 20.2.8: chits that several players carry out at once, each as in a game of two: activation, movement, combat."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, ClassVar, TypeAlias

from hexwar.engine import Action, PhaseEntered, Play, Position, SeatName, Step, record
from hexwar.grouping import grouped
from hexwar.pieces import ChitName, end_activation
from hexwar_ava.activation import OPERATIONS, engage
from hexwar_ava.tables import Chit
from hexwar_ava.team_state import ActivationBegan, ChitCarriedOut
from hexwar_ava.teams import side_by_side
from hexwar_ava.world import AvaWorld

At: TypeAlias = Position[Any, AvaWorld]
Doing: TypeAlias = Play[Any, AvaWorld]


@record
class Operating(Step):
    """A chit is carried out by a seat: the phases of an activation, one after the other."""

    kind = "operating"
    clause: ClassVar[str] = "19.4.4"
    chit: ChitName
    seat: SeatName
    """Who carries it out; "" for a chit that is nobody's."""
    stage: int = 0

    def resume(self, play: Doing) -> None:
        """Go on to the next phase."""
        if self.stage == len(OPERATIONS):
            play.pop()
            end_activation(play)
            play.emit(ChitCarriedOut(self.chit, clause="19.4.5" if play.world.teams.many == "controller" else "20.2.8"))
            return
        if self.stage:
            engage(play, self.chit, play.state.active)
        phase = OPERATIONS[self.stage]
        play.replace(replace(self, stage=self.stage + 1))
        if self.stage == 0:
            clause = "20.2.8" if play.world.teams.many == "master-cup" else self.clause
            play.emit(ActivationBegan(self.chit, self.seat, clause=clause))
        if phase.when is None or phase.when(play):
            play.emit(PhaseEntered(phase.id, phase.title, clause=phase.clause))
            phase.enter(play)


def is_of_one_player(chit: Chit) -> bool:
    """Whether a chit activates a headquarters; all others concern everybody, or a whole side."""
    return bool(chit.activates)


def who_carries_out(at: At, chit: Chit) -> str:
    """19.2: the commander of the headquarters; a side's first seat for what concerns the side; nobody for the Supply Check."""
    return at.world.teams.seat_of(chit) if chit.side else ""


def carry_out(play: Doing, chits: Iterable[tuple[str, str]]) -> None:
    """Let some seats carry out a chit each, at the same time.

    Args:
        play: the game.
        chits: seat and chit, one of each seat.
    """
    side_by_side(play, [(chit, seat, Operating(chit, seat)) for seat, chit in chits])


# -- 19.5, 20.2.10 interrupts -------------------------------------------------------------------------------------------------


@record
class Cancel(Action):
    """Play a held chit in place of one that was revealed."""

    kind = "cancel"
    says = "play {chit} in place of {revealed}"
    chit: str
    """The held one."""
    revealed: str


def holders(at: At) -> dict[str, list[str]]:
    """19.5.1, 20.2.10: who may still interrupt and with what, as far as others know: the commander of the headquarters."""
    return grouped((at.world.teams.seat_of(at.world.chits[chit]), chit) for chit in at.world.cup.may_hold(at, "axis"))


def held_by(at: At, seat: str) -> list[str]:
    """The chits with which a seat can really interrupt."""
    return [chit for chit in holders(at).get(seat, ()) if chit in at.state.hand.get("axis", ())]
