"""9.1 to 9.18: command as the supply phase and activations check it: lines from headquarters, and tests of independence."""

from __future__ import annotations

from collections.abc import Collection

from hexwar.engine import PublicEvent, record
from hexwar_wop.supply import headquarters_of
from hexwar_wop.world import At, Counter, Doing, WopState

LOWER = ("group", "formation")
"""9.1: the levels below the army."""


@record
class CommandChecked(PublicEvent[WopState]):
    """9.12: a piece without command that failed the test, or may not take it, now has a marker."""

    kind = "command-checked"
    pieces: tuple[str, ...]
    passed: tuple[str, ...] = ()
    """9.18: the units that have passed it."""

    def apply(self, state: WopState) -> None:
        """Place the markers, and remember who needs none."""
        state.no_command, state.passed = self.pieces, self.passed

    def __str__(self) -> str:
        return f"without command: {', '.join(self.pieces) or 'nobody'}"


@record
class CommandMarkersRemoved(PublicEvent[WopState]):
    """19.1.3: the markers of pieces without command are taken off."""

    kind = "command-markers-removed"
    says = "the NO COMMAND markers are taken off"

    def apply(self, state: WopState) -> None:
        """Take them off."""
        state.no_command, state.passed = (), ()


@record
class BegunWithoutCommand(PublicEvent[WopState]):
    """14.13.h: units begin their activation without command, and no attack in which one of them takes part has a commander."""

    kind = "begun-without-command"
    units: tuple[str, ...]

    def apply(self, state: WopState) -> None:
        """Note them."""
        state.unled = self.units

    def __str__(self) -> str:
        return f"without command as the activation begins: {', '.join(self.units)}"


def is_under_command(at: At, headquarters: Counter) -> bool:
    """9.2, 9.5.a, 9.6: whether a line leads from its army's headquarters to a lower one, or from a group in the army's reach."""
    side = headquarters.side
    armies = [army.id for army in headquarters_of(at, side, "army") if army.id == headquarters.army]
    groups = [group for group in headquarters_of(at, side, "group") if headquarters.id in group.subordinates]
    leaders = (*armies, *(group.id for group in groups if is_under_command(at, group)))
    return any(at.world.command.leads(at, leader, headquarters.id) for leader in leaders)


def check_command(play: Doing) -> None:
    """2.3.c, 3.14, 9.9, 9.10, 9.12: both sides; the Polish one rolls first."""
    marked: list[str] = []
    passed: list[str] = []
    for side in play.world.sides:
        _check(play, side, marked, passed)
    play.emit(CommandChecked(tuple(marked), tuple(passed), clause="9.12"))


def _check(play: Doing, side: str, marked: list[str], passed: list[str]) -> None:
    """9.10 to 9.17.a: the pieces of a side without command take their tests, each one of its own (9.16)."""
    for headquarters in headquarters_of(play, side, *LOWER):
        if not is_under_command(play, headquarters) and not _passes(play, headquarters, "9.13"):
            marked.append(headquarters.id)
    for unit in without_line(play, side, marked):
        if play.world.command.is_orphan(play, unit):  # 9.11: it may not take the test
            marked.append(unit)
        else:
            (passed if _passes(play, play.world.units[unit], "9.14") else marked).append(unit)


def without_line(at: At, side: str, marked: Collection[str]) -> list[str]:
    """9.3, 9.4, 9.17.b: the units of a side to which no line leads from a headquarters that has no marker."""
    units, command = at.world.units, at.world.command
    leaders = {hq.id: command.range_of(at, hq.id) for hq in headquarters_of(at, side) if hq.id not in marked}
    places, ground, near = at.state.locations, at.world.river.ground, command.together(at, leaders)

    def is_led(unit: str) -> bool:
        formation = units[unit].formation
        return bool((leaders.get(formation, 0) if formation else near) & ground[places[unit]])

    return [unit for unit in command.pieces(at, side) if not is_led(unit)]


def note_command(play: Doing, side: str) -> None:
    """14.13.h: who begins the activation of a side without command; who has a marker does not attack at all (9.22.a)."""
    known = {*play.state.passed, *play.state.no_command}
    if units := tuple(unit for unit in without_line(play, side, play.state.no_command) if unit not in known):
        play.emit(BegunWithoutCommand(units, clause="14.13.h"))


def _passes(play: Doing, piece: Counter, clause: str) -> bool:
    """9.13 to 9.15: a die of no more than the rating or the morale passes, and nothing is forbidden then (9.18)."""
    value = piece.rating if piece.level else piece.morale
    return play.roll(f"independence of {piece.id} ({value})", clause=clause, sides=10, lowest=0) <= value
