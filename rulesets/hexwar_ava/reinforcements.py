"""12.0 Reinforcements, with the army on the turn track (15.3), the strategic reserve (15.4) and the transfer of 3PzG (18.1.8)."""

from __future__ import annotations

from typing import ClassVar

from hexwar.engine import Action, ActionSet, Listed, Position, Step, record
from hexwar.errors import Refusal, RefusalCode
from hexwar.mechanics import Arriving, Done, Entering, Reinforcements, occupant
from hexwar_ava.state import EntryChosen
from hexwar_ava.tables import Chit
from hexwar_ava.teams import TeamArriving, TeamEntering
from hexwar_ava.world import At, Doing

EAST = (1, 2)
"""The directions that lead east."""


def in_box(at: At, box: str) -> tuple[str, ...]:
    """The units in a box, in roster order."""
    return at.state.layout.stacks.get(box, ())


def bring_in(play: Doing, chit: Chit) -> None:
    """12.1, 12.2: as many units of each nation as the turn track says, by rail; 15.4: then the strategic reserve.

    What the box cannot give is lost (12.2.2). Of the reserve the player takes whom he likes (15.4.3).
    """
    world, turn = play.world, play.state.turn
    side = chit.side
    assert side is not None
    seat = world.seat_for(side)
    arriving, entering = (TeamArriving, TeamEntering) if world.teams else (Arriving, Entering)
    box = f"{side} available"
    reserve = world.track.strategic_reserve[turn - 1] if side == "soviet" else 0
    if reserve and world.from_moscow:
        play.push(entering(seat, in_box(play, box), world.from_moscow, reserve))
    # 12.1.3, 12.1.5, 12.1.6: wherever a railway leads that no enemy and no enemy zone cuts, with or without a headquarters.
    rail = world.board.unmask(world.lines.rail_network(play, side, "rail"))
    groups: list[Reinforcements] = []
    for nation in ("romanian", "german", "soviet"):
        number = world.track.reinforcements[nation][turn - 1]
        units = tuple(unit for unit in in_box(play, box) if world.counter(unit).nation == nation)
        if number and units:
            groups.append(Reinforcements(units, number))
    for arrival in world.printed.track.arrival:
        if arrival.with_chit == chit.id and arrival.turn == turn:  # 18.1.8: on top of the number
            units = tuple(unit for unit in in_box(play, box) if _is_of(play, unit, arrival.formation, arrival.sheet, turn))
            if units:
                groups.append(Reinforcements(units, arrival.units, "arrival.transfer"))
    for group in world.hooks.refine("reinforcements", tuple(groups), play, chit.id):
        play.push(arriving(seat, group.units, rail, group.number, group.about))


def _is_of(at: At, unit: str, formation: str, sheet: str, turn: int) -> bool:
    counter = at.world.counter(unit)
    return (counter.formation, counter.sheet, counter.start) == (formation, sheet, f"turn {turn}")


# -- 15.3 the army on the turn track ------------------------------------------------------------------------------------------


def waiting_with(at: At, chit: Chit) -> tuple[str, ...]:
    """15.3.1: the units on the turn track that come with a chit, from their turn on."""
    found: list[str] = []
    for arrival in at.world.printed.track.arrival:
        if arrival.with_chit == chit.id and arrival.side == "soviet" and at.state.turn >= arrival.turn:
            found += in_box(at, f"turn {arrival.turn}")
    return tuple(unit for unit in found if at.world.units[unit].side == chit.side)


def on_the_track(at: At, units: tuple[str, ...]) -> tuple[str, ...]:
    """15.3.2: of some units, those of an army that waits on the turn track and may come; whoever else left the map may not."""
    arrivals = at.world.printed.track.arrival
    spaces = {f"turn {it.turn}" for it in arrivals if it.with_chit and it.side == "soviet" and at.state.turn >= it.turn}
    return tuple(unit for unit in units if at.state.at.get(unit) in spaces and at.world.units[unit].side == "soviet")


def entries(at: At) -> tuple[str, ...]:
    """15.3.2: the Soviet sources on the east edge of the map where no enemy stands."""
    board = at.world.board
    sources = at.world.lines.sources["soviet"]
    eastern = [label for label in sources if not any(board.everywhere >> board.index(label) + board.deltas[d] & 1 for d in EAST)]
    return tuple(label for label in eastern if occupant(at, label) != "axis")


@record
class ArmyEntering(Entering):
    """15.3.1: the whole army comes in; its owner says in what order and how far, not whether."""

    kind = "army-entering"
    may_stop: ClassVar[bool] = False

    def refuse(self, at: Position, seat: str, action: Action) -> Refusal | None:
        """Nobody who can come in stays behind."""
        if isinstance(action, Done):
            return Refusal(RefusalCode.AGAINST_RULE, "15.3.1", f"the army comes in: {', '.join(self.waiting(at))}")
        return Entering.refuse(self, at, seat, action)


@record
class ChooseEntry(Action):
    """Choose the hex through which the army enters."""

    kind = "choose-entry"
    hex: str

    def __str__(self) -> str:
        return f"enter through {self.hex}"


@record
class ChoosingEntry(Step):
    """15.3.2: all units of the army enter through one source that their owner chooses; anew only if the enemy holds it."""

    kind = "choosing-entry"
    clause: ClassVar[str] = "15.3.2"
    seat: str
    units: tuple[str, ...]

    def _open(self, at: At) -> tuple[str, ...]:
        found = entries(at)
        return (at.state.entry,) if at.state.entry in found else found

    def deciders(self, at: At) -> tuple[str, ...]:
        """The owner, if there is a choice."""
        return (self.seat,) if len(self._open(at)) > 1 else ()

    def prompt(self, at: At, seat: str) -> str:
        """Which there are."""
        return f"Through which source does the army enter: {', '.join(self._open(at))}?"

    def actions(self, at: At, seat: str) -> ActionSet:
        """Any open one."""
        return Listed(ChooseEntry(label) for label in self._open(at))

    def perform(self, play: Doing, seat: str, action: Action) -> None:
        """Let them come."""
        assert isinstance(action, ChooseEntry)
        self._enter(play, action.hex)

    def resume(self, play: Doing) -> None:
        """No choice: the only open source, or none at all, and they wait."""
        ways = self._open(play)
        if ways:
            self._enter(play, ways[0])
        else:
            play.pop()

    def _enter(self, play: Doing, label: str) -> None:
        play.replace(ArmyEntering(self.seat, self.units, (label,), about="entering.army"))
        if play.state.entry != label:
            play.emit(EntryChosen(label, clause=self.clause))

    def refuse(self, at: At, seat: str, action: Action) -> Refusal | None:
        """Only a source on the east edge will do."""
        if not isinstance(action, ChooseEntry):
            return None
        message = f"the army enters through a Soviet source on the east edge: {', '.join(self._open(at))}"
        return Refusal(RefusalCode.AGAINST_RULE, self.clause, message)
