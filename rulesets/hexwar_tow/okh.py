"""4.2.2 OKH in its three uses; 4.3: what each chit does."""

from __future__ import annotations

from typing import ClassVar

from hexwar.engine import Action, record
from hexwar.errors import Refusal
from hexwar.pieces import Calling, ChitName, Choosing, stands
from hexwar_tow.activation import ChoosingHeadquarters, activate, call_up
from hexwar_tow.chits import TowSelection
from hexwar_tow.negotiation import negotiate
from hexwar_tow.reinforcements import bring_in, drop
from hexwar_tow.state import At, Doing
from hexwar_tow.supply import SupplyCheck

HEADQUARTERS, ORDER, NEGOTIATION = "headquarters", "order", "negotiation"


@record
class Use(Action):
    """Say what an OKH chit is used for."""

    kind = "use"
    use: str

    def __str__(self) -> str:
        return {HEADQUARTERS: "activate a headquarters", ORDER: "OKH Order"}.get(self.use, "negotiate with the supreme command")

    def appeal(self, at: At) -> float:
        """To a bot: buy units while there are any and the front has gaps; otherwise a headquarters."""
        return {HEADQUARTERS: 1.0, ORDER: 0.5}.get(self.use, 2.0)


@record
class ChoosingUse(Choosing):
    """4.2.2.4, 4.2.2.5: an OKH chit activates a headquarters, gives an order to units anywhere, or is for negotiation."""

    kind = "choosing-use"
    says = "What is {chit} used for?"
    clause: ClassVar[str] = "4.2.2.4"
    choice = Use
    may_stop = False
    chit: ChitName
    from_hand: bool = False

    def rule(self, at: At) -> str:
        """4.2.2.5 for a reaction."""
        return "4.2.2.5" if self.from_hand else self.clause

    def able(self, at: At) -> list[str]:
        """Three uses; no negotiation with a chit from the hand."""
        return [HEADQUARTERS, ORDER, *([] if self.from_hand else [NEGOTIATION])]

    def why_not(self, at: At, action: Use) -> Refusal:
        """A reaction is good for less."""
        return Refusal.against("4.2.2.5", f"a chit from the hand is not used for {action.use}")

    def chosen(self, play: Doing, action: Use) -> None:
        """Carry it out."""
        play.pop()
        if action.use == HEADQUARTERS:
            play.push(ChoosingHeadquarters(self.seat, self.chit, "4.2.2.7"))
        elif action.use == ORDER:
            number = play.world.numbers.given_by(play.state.crossing_points).okh_units
            play.push(Ordering(self.seat, self.chit, number))
        else:
            negotiate(play, self.seat)


@record
class Ordering(Calling):
    """4.2.2.8: an OKH Order activates units anywhere, as many as the crossing points give."""

    kind = "ordering"

    def called(self, play: Doing, units: tuple[str, ...]) -> None:
        """4.2.2.8: one mode is chosen for all."""
        call_up(play, self.seat, self.chit, units, "4.2.2.8")


class TowCup(TowSelection):
    """4.3: what each chit does."""

    def resolve(self, play: Doing, chit: str) -> None:
        """4.3: for its owner, or for both (4.3.2)."""
        known = play.world.chits[chit]
        if known.kind == "supply":
            play.push(SupplyCheck())  # 4.3.8
        elif known.kind == "reinforcements":
            bring_in(play)  # 4.3.9, 11.0.1
        elif known.kind == "airborne":
            drop(play)
            bring_in(play)
        elif known.kind == "stavka":
            play.push(ChoosingHeadquarters(play.world.seat_for("soviet"), chit, "4.3.11"))
        elif known.kind == "okh":
            play.push(ChoosingUse(play.world.seat_for("axis"), chit, play.state.reaction == chit))  # 4.3.12
        else:
            on_map = [unit for unit in known.activates if stands(play, unit)]
            activate(play, chit, on_map[0] if on_map else known.activates[0])


def resolve(play: Doing) -> None:
    """4.3.3: the last chit that was drawn or played."""
    play.world.cup.resolve(play, play.state.drawn[-1])
