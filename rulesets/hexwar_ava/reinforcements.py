"""12.0 Reinforcements, with the army on the turn track (15.3), the strategic reserve (15.4) and the transfer of 3PzG (18.1.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from hexwar.engine import Action, ActionSet, Explained, Part, Position, record
from hexwar.errors import Refusal
from hexwar.mechanics import Arriving, Entering, Reinforcements, occupant, stack
from hexwar.pieces import Done, Obliged, UnitName
from hexwar_ava.counters import Counter
from hexwar_ava.state import At, Doing, EntryChosen
from hexwar_ava.tables import Chit
from hexwar_ava.teams import TeamArriving, TeamEntering

if TYPE_CHECKING:
    from hexwar_ava.world import AvaWorld

EAST = (1, 2)
"""The directions that lead east."""


class AvaArrivals(Part):
    """12.1: who may come with a Reinforcements chit."""

    world: AvaWorld

    def groups(self, at: Position, chit: Chit) -> tuple[Reinforcements, ...]:
        """12.2.1: as many units of each nation as the turn track says; 18.1.8: the transfer is extra. The last come first.

        What the box cannot give is lost (12.2.2).
        """
        world, turn = self.world, at.state.turn
        waiting = stack(at, f"{chit.side} available")
        found: list[Reinforcements] = []
        for nation in ("romanian", "german", "soviet"):
            units = tuple(unit for unit in waiting if world.units[unit].nation == nation)
            found.append(Reinforcements(units, world.track.reinforcements[nation][turn - 1]))
        for arrival in world.printed.track.arrival:
            if arrival.with_chit == chit.id and arrival.turn == turn:
                key = (arrival.formation, arrival.sheet, f"turn {turn}")
                units = tuple(unit for unit in waiting if _origin(world.units[unit]) == key)
                found.append(Reinforcements(units, arrival.units, "arrival.transfer"))
        return tuple(group for group in found if group.number and group.units)


def _origin(counter: Counter) -> tuple[str, str, str]:
    return counter.formation, counter.sheet, counter.start


def bring_in(play: Doing, chit: Chit) -> None:
    """12.1, 12.2: the groups of the turn, by rail; 15.4: then the reserve, from which the player takes any units (15.4.3)."""
    world, side = play.world, chit.side
    assert side is not None
    seat = world.seat_for(side)
    arriving, entering = (TeamArriving, TeamEntering) if world.teams.divided else (Arriving, Entering)
    reserve = world.track.strategic_reserve[play.state.turn - 1] if side == "soviet" else 0
    if reserve and world.from_moscow:
        play.push(entering(seat, stack(play, f"{side} available"), world.from_moscow, reserve))
    # 12.1.3, 12.1.5, 12.1.6: wherever a railway leads that no enemy and no enemy zone cuts, with or without a headquarters.
    rail = world.board.unmask(world.supply.rail_network(play, side, "rail"))
    for group in world.arrivals.groups(play, chit):
        play.push(arriving(seat, group.units, rail, group.number, group.about))


# -- 15.3 the army on the turn track ------------------------------------------------------------------------------------------


def waiting_with(at: At, chit: Chit) -> tuple[str, ...]:
    """15.3.1: the units on the turn track that come with a chit, from their turn on."""
    due = [it for it in at.world.printed.track.arrival if it.with_chit == chit.id and it.side == "soviet"]
    found = [unit for it in due if at.state.turn >= it.turn for unit in stack(at, f"turn {it.turn}")]
    return tuple(unit for unit in found if at.world.units[unit].side == chit.side)


def on_the_track(at: At, units: tuple[str, ...]) -> tuple[str, ...]:
    """15.3.2: of the given units, those of an army that waits on the turn track and may come; other units off the map may not."""
    arrivals = at.world.printed.track.arrival
    spaces = {f"turn {it.turn}" for it in arrivals if it.with_chit and it.side == "soviet" and at.state.turn >= it.turn}
    return tuple(unit for unit in units if at.state.locations.get(unit) in spaces and at.world.units[unit].side == "soviet")


def entries(at: At) -> tuple[str, ...]:
    """15.3.2: the Soviet sources on the east edge of the map where no enemy stands."""
    board = at.world.board
    sources = at.world.supply.sources["soviet"]
    eastern = [label for label in sources if not any(board.everywhere >> board.index(label) + board.deltas[d] & 1 for d in EAST)]
    return tuple(label for label in eastern if occupant(at, label) != "axis")


@record
class ArmyEntering(Entering):
    """15.3.1: the whole army comes in; its owner decides the order and how far each unit moves, but not whether it comes."""

    kind = "army-entering"
    may_stop: ClassVar[bool] = False

    def stopping(self, at: Position) -> ActionSet:
        """No unit that can come in stays behind."""
        why = Refusal.against("15.3.1", f"the army comes in: {', '.join(self.waiting(at))}")
        return Explained((), lambda action: why, Done)


@record
class ChooseEntry(Action):
    """Choose the hex through which the army enters."""

    kind = "choose-entry"
    says = "enter through {hex}"
    hex: str


@record
class ChoosingEntry(Obliged):
    """15.3.2: all units of the army enter through one source of their owner's choice; again only if the enemy holds it."""

    kind = "choosing-entry"
    says = "Through which source does the army enter: {able}?"
    clause: ClassVar[str] = "15.3.2"
    choice = ChooseEntry
    units: tuple[UnitName, ...]

    def able(self, at: At) -> tuple[str, ...]:
        """The source that was chosen, as long as it is open; then any open one."""
        found = entries(at)
        return (at.state.entry,) if at.state.entry in found else found

    def why_not(self, at: At, action: ChooseEntry) -> Refusal:
        """Only an open source on the east edge."""
        ways = ", ".join(self.able(at))
        return Refusal.against(self.clause, f"the army enters through a Soviet source on the east edge: {ways}")

    def chosen(self, play: Doing, action: ChooseEntry) -> None:
        """Let them come."""
        play.replace(ArmyEntering(self.seat, self.units, (action.hex,), about="entering.army"))
        if play.state.entry != action.hex:
            play.emit(EntryChosen(action.hex, clause=self.clause))
