"""What a position holds while attacks go on: the plan, who leads, who has fallen back, who has pursued."""

from __future__ import annotations

from hexwar.engine import PublicEvent, public, record, state
from hexwar.mechanics import HexName, HexState
from hexwar.pieces import UnitName


@state
class FightingState(HexState):
    """The part of the state that attacks need; all of it is empty between the activations."""

    planned: tuple[tuple[UnitName, HexName], ...] = public(default=())
    """7.3: each unit of the active player and a hex that it attacks in this activation."""
    leading: tuple[tuple[HexName, UnitName], ...] = public(default=())
    """14.12.a: attacked hex and a unit whose morale counts in that attack."""
    beaten: tuple[UnitName, ...] = public(default=())
    """14.3.c: the units that have retreated from an attack in this activation."""
    pursuits: tuple[tuple[UnitName, int], ...] = public(default=())
    """14.38.b: formation headquarters and the pursuit points of those of its units that had the most."""
    engaged: tuple[tuple[UnitName, HexName], ...] = public(default=())
    """16.4: river units of the defender that have taken part in a fight of this activation, and the attacked hex."""

    def declare(self, unit: str, target: str) -> None:
        """7.3: the plan matters for each attack (14.13.u), so that the position holds it until all are resolved."""
        self.planned = (*self.planned, (unit, target))


@record
class LeaderNamed(PublicEvent[FightingState]):
    """14.12.a: the unit whose morale counts."""

    kind = "leader-named"
    says = "{unit} leads in the fight for {target}"
    unit: str
    target: str

    def apply(self, state: FightingState) -> None:
        """Note it."""
        state.leading = (*state.leading, (self.target, self.unit))


@record
class StackBeaten(PublicEvent[FightingState]):
    """14.3.c: units fell back, and count for nothing if the hex that they have come to is attacked."""

    kind = "stack-beaten"
    units: tuple[str, ...]

    def apply(self, state: FightingState) -> None:
        """Note them."""
        state.beaten = (*state.beaten, *self.units)

    def __str__(self) -> str:
        return f"beaten and of no strength for the rest of the activation: {', '.join(self.units)}"


@record
class PursuitNoted(PublicEvent[FightingState]):
    """14.38.b: a unit pursued, so that its headquarters may follow."""

    kind = "pursuit-noted"
    says = "{headquarters} may follow later with {points} points"
    headquarters: str
    points: int

    def apply(self, state: FightingState) -> None:
        """Note the most."""
        most = {**dict(state.pursuits), self.headquarters: self.points}
        state.pursuits = tuple(most.items())


@record
class BoatEngaged(PublicEvent[FightingState]):
    """16.4.1, 16.4.2: a river unit takes part in the defence of a hex, and of no other in this activation (14.3.b)."""

    kind = "boat-engaged"
    says = "{unit} takes part in the defence of {target}"
    unit: str
    target: str

    def apply(self, state: FightingState) -> None:
        """Note it."""
        state.engaged = (*state.engaged, (self.unit, self.target))


@record
class AttacksOver(PublicEvent[FightingState]):
    """7.3: all attacks and pursuits of an activation are done."""

    kind = "attacks-over"
    says = "the attacks are over"

    def apply(self, state: FightingState) -> None:
        """Forget what mattered for them."""
        state.planned, state.leading, state.beaten, state.pursuits, state.engaged = (), (), (), (), ()
