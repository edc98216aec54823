"""4.1 and 7.0: the Luftwaffe markers, drawn unseen each turn and used in attacks before the die."""

from __future__ import annotations

from typing import ClassVar

from hexwar.engine import Action, Concern, RandomSource, record, sample
from hexwar.errors import Refusal
from hexwar.mechanics import Battle
from hexwar.pieces import Choosing
from hexwar_tow.state import At, Doing, MarkerDrawn, MarkersReturned, MarkerUsed

USES = {"off": ("7.0.7", "axis"), "def": ("7.0.8", "soviet")}
"""Marker -> the clause on it, and the side in whose attacks it is of use."""


def markers(at: At) -> list[str]:
    """2.1.3: all that there are."""
    return [kind for kind, printed in at.world.numbers.luftwaffe.items() for _ in range(printed.markers)]


def imagine_markers(at: At, chance: RandomSource) -> None:
    """7.0.4: what the Axis may have, as many as everybody counts."""
    at.state.luftwaffe = {"axis": tuple(sorted(sample(markers(at), at.state.sorties, chance)))}


def draw_markers(play: Doing) -> None:
    """4.1.1, 7.0.1, 7.0.3: for the Axis alone, as many as the crossing points give, at random out of all four."""
    pool, numbers = markers(play), play.world.numbers
    for _ in range(numbers.given_by(play.state.crossing_points).luftwaffe):
        marker = play.draw("Luftwaffe marker", tuple(pool), clause="7.0.3")
        pool.remove(marker)
        play.emit(MarkerDrawn("axis", marker, clause="7.0.3"))


def return_markers(play: Doing) -> None:
    """4.3.16: at the end of the Action Phase unused markers return."""
    if play.state.sorties:
        play.emit(MarkersReturned(clause="4.3.16"))


@record
class Commit(Action):
    """Use a Luftwaffe marker in the attack."""

    kind = "commit"
    says = "use the Luftwaffe marker {marker}"
    marker: str

    def appeal(self, at: At) -> float:
        """To a bot: it cannot be kept for the next turn."""
        return 1.0


@record
class Supporting(Choosing):
    """7.0.5: before the die is rolled the Axis may use markers, as many as it likes.

    The Axis is asked as long as it has any marker: the question must not reveal which.
    """

    kind = "supporting"
    clause: ClassVar[str] = "7.0.5"
    choice = Commit
    battle: Battle

    def why_not(self, at: At, action: Commit) -> Refusal | None:
        """7.0.7, 7.0.8: Off AS in an attack of the Axis, Def AS in one of the Soviets."""
        clause, side = USES.get(action.marker, ("", self.battle.side))
        if side != self.battle.side:
            return Refusal.against(clause, f"{action.marker} is of no use when {self.battle.side} attacks")
        if not clause or action.marker not in at.state.luftwaffe.get("axis", ()):
            return Refusal.against("7.0.6", f"the Axis has no marker {action.marker} left")
        return None

    def deciders(self, at: At) -> tuple[str, ...]:
        """The Axis, while it has markers."""
        return (self.seat,) if at.state.sorties else ()

    def prompt(self, at: At, seat: str) -> str:
        """The available markers."""
        have = ", ".join(at.state.luftwaffe.get("axis", ())) or "none"
        return f"Use a Luftwaffe marker in the attack on {self.battle.target}? You have: {have}."

    def concern(self, at: At, seat: str) -> Concern:
        """The attack."""
        return Concern(self.battle.attackers, (self.battle.target,))

    def able(self, at: At) -> list[str]:
        """The markers that help here and now."""
        return [marker for marker in USES if self.why_not(at, Commit(marker)) is None]

    def chosen(self, play: Doing, action: Commit) -> None:
        """7.0.6: it is used up for this turn."""
        attack = (self.battle.target, *self.battle.attackers)
        clause, _ = USES[action.marker]
        play.emit(MarkerUsed("axis", action.marker, attack, clause=clause))


def ask_for_support(play: Doing, battle: Battle) -> None:
    """10.1.2: the odds are known, the die is not rolled."""
    if play.state.sorties:
        play.push(Supporting(play.world.seat_for("axis"), battle))


def committed(at: At, battle: Battle) -> tuple[str, ...]:
    """The markers that are used in an attack."""
    used: tuple[str, ...] = at.state.committed
    return used if used and at.state.committed_to == (battle.target, *battle.attackers) else ()
