"""14.2 The Ukrainian Fronts: at the start of turn 4 the Soviets may exchange their headquarters for stronger and faster ones."""

from __future__ import annotations

from typing import ClassVar

from hexwar import hookimpl
from hexwar.engine import Loop, Phase, SequenceOfPlay, record
from hexwar.errors import Refusal
from hexwar.pieces import Choosing, UnitAction
from hexwar_tow.state import At, Doing, UnitReplaced
from hexwar_tow.world import TowWorld

BOX = "ukrainian fronts"


@record
class Rename(UnitAction):
    """Exchange a headquarters for its Ukrainian version."""

    kind = "rename"
    says = "exchange {unit}"

    def appeal(self, at: At) -> float:
        """To a bot: they are better in everything."""
        return 1.0


def successor(world: TowWorld, unit: str) -> str:
    """2.3.16: the Ukrainian version of a headquarters, "" if there is none."""
    both = next((chit.activates for chit in world.chits.values() if unit in chit.activates), [])
    return next((other for other in both if other != unit and other in world.units and world.units[other].start == BOX), "")


@record
class Renaming(Choosing):
    """14.2.1: the Soviets exchange as many headquarters as they like."""

    kind = "renaming"
    says = "Exchange headquarters for Ukrainian Fronts: {able}?"
    clause: ClassVar[str] = "14.2.1"
    choice = Rename

    def able(self, at: At) -> list[str]:
        """All counters in play, also of headquarters that wait off the map for a hex (2.3.6)."""
        leaders = [unit for unit, counter in at.world.units.items() if counter.is_headquarters and counter.side == "soviet"]
        return [
            unit for unit in leaders if unit in at.state.locations and at.state.locations.get(successor(at.world, unit)) == BOX
        ]

    def why_not(self, at: At, action: Rename) -> Refusal:
        """Only one with a better version."""
        return Refusal.against(self.clause, f"{action.unit} is no headquarters with a better version")

    def chosen(self, play: Doing, action: Rename) -> None:
        """Exchange it."""
        play.emit(UnitReplaced(action.unit, successor(play.world, action.unit), clause=self.clause))


def rename(play: Doing) -> None:
    """14.2.1: before anything else of the turn."""
    play.push(Renaming(play.world.seat_for("soviet")))


def the_ukrainian_fronts_are_formed(at: At) -> bool:
    """14.2.1: at the start of turn 4."""
    return at.state.turn == at.world.numbers.ukrainian_fronts_from


@hookimpl
def hexwar_sequence(sequence: SequenceOfPlay) -> SequenceOfPlay:
    """14.2.1: a phase of its own at the start of every turn; all other phases keep their places."""
    phase = Phase("fronts", "Ukrainian Fronts", "14.2.1", rename, when=the_ukrainian_fronts_are_formed)
    nodes = [
        Loop(node.title, node.clause, node.repeat_while, (phase, *node.body)) if isinstance(node, Loop) else node
        for node in sequence.nodes
    ]
    return SequenceOfPlay(*nodes)


ACTIONS = (Rename,)
STEPS = (Renaming,)
