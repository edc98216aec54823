"""4.2.2 OKH in its three uses; 4.3: what each chit does."""

from __future__ import annotations

from typing import ClassVar

from hexwar.engine import Action, ActionSet, Listed, Step, record
from hexwar.errors import Refusal, RefusalCode
from hexwar.mechanics import Calling, stands
from hexwar_tow.activation import ChoosingHeadquarters, activate, call_up
from hexwar_tow.negotiation import negotiate
from hexwar_tow.reinforcements import bring_in, drop
from hexwar_tow.supply import SupplyCheck
from hexwar_tow.world import At, Doing

HEADQUARTERS, ORDER, NEGOTIATION = "headquarters", "order", "negotiation"


@record
class Use(Action):
    """Say what an OKH chit is used for."""

    kind = "use"
    use: str

    def __str__(self) -> str:
        return {HEADQUARTERS: "activate a headquarters", ORDER: "OKH Order"}.get(self.use, "negotiate with the supreme command")

    def appeal(self, at: At) -> float:
        """To a bot: units are bought while there are any, as long as the front has holes; else a headquarters."""
        return {HEADQUARTERS: 1.0, ORDER: 0.5}.get(self.use, 2.0)


@record
class ChoosingUse(Step):
    """4.2.2.4, 4.2.2.5: an OKH chit activates a headquarters, gives an order to units anywhere, or is for negotiation."""

    kind = "choosing-use"
    clause: ClassVar[str] = "4.2.2.4"
    seat: str
    chit: str
    from_hand: bool = False

    def rule(self, at: At) -> str:
        """4.2.2.5 for a reaction."""
        return "4.2.2.5" if self.from_hand else self.clause

    def deciders(self, at: At) -> tuple[str, ...]:
        """The Axis."""
        return (self.seat,)

    def prompt(self, at: At, seat: str) -> str:
        """The question."""
        return f"What is {self.chit} used for?"

    def actions(self, at: At, seat: str) -> ActionSet:
        """Negotiation only if the chit was drawn."""
        return Listed([Use(HEADQUARTERS), Use(ORDER), *([] if self.from_hand else [Use(NEGOTIATION)])])

    def perform(self, play: Doing, seat: str, action: Action) -> None:
        """Use it."""
        assert isinstance(action, Use)
        play.pop()
        if action.use == HEADQUARTERS:
            play.push(ChoosingHeadquarters(self.seat, self.chit, "4.2.2.7"))
        elif action.use == ORDER:
            number = play.world.numbers.given_by(play.state.crossing_points).okh_units
            play.push(Ordering(self.seat, self.chit, number))
        else:
            negotiate(play, self.seat)

    def refuse(self, at: At, seat: str, action: Action) -> Refusal | None:
        """No negotiation from the hand."""
        if not isinstance(action, Use):
            return None
        return Refusal(RefusalCode.AGAINST_RULE, "4.2.2.5", f"a chit from the hand is not used for {action.use}")


@record
class Ordering(Calling):
    """4.2.2.8: an OKH Order activates units anywhere, as many as the crossing points give."""

    kind = "ordering"

    def called(self, play: Doing, units: tuple[str, ...]) -> None:
        """4.2.2.8: one mode is chosen for all."""
        call_up(play, self.seat, self.chit, units, "4.2.2.8")


def resolve(play: Doing) -> None:
    """4.3: what the drawn chit does for its owner, or for both (4.3.2); an optional rule may do something else."""
    chit = play.world.chits[play.state.drawn[-1]]
    if play.world.hooks.refine("resolve_chit", False, play, chit.id):
        return
    if chit.kind == "supply":
        play.push(SupplyCheck())  # 4.3.8
    elif chit.kind == "reinforcements":
        bring_in(play)  # 4.3.9, 11.0.1
    elif chit.kind == "airborne":
        drop(play)
        bring_in(play)
    elif chit.kind == "stavka":
        play.push(ChoosingHeadquarters(play.world.seat_for("soviet"), chit.id, "4.3.11"))
    elif chit.kind == "okh":
        play.push(ChoosingUse(play.world.seat_for("axis"), chit.id, play.state.reaction == chit.id))  # 4.3.12
    else:
        on_map = [unit for unit in chit.activates if stands(play, unit)]
        activate(play, chit.id, on_map[0] if on_map else chit.activates[0])
