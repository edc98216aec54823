"""9: command, as far as the supply phase checks it: lines from headquarters, and tests of independence."""

from __future__ import annotations

from hexwar.engine import PublicEvent, record
from hexwar_wop.supply import headquarters_of, pieces
from hexwar_wop.world import At, Counter, Doing, WopState

LOWER = ("group", "formation")
"""9.1: the levels below the army."""


@record
class CommandChecked(PublicEvent[WopState]):
    """9.12: a piece without command that failed the test, or may not take it, now has a marker."""

    kind = "command-checked"
    pieces: tuple[str, ...]

    def apply(self, state: WopState) -> None:
        """Place the markers."""
        state.no_command = self.pieces

    def __str__(self) -> str:
        return f"without command: {', '.join(self.pieces) or 'nobody'}"


@record
class CommandMarkersRemoved(PublicEvent[WopState]):
    """19.1.3: the markers of pieces without command are taken off."""

    kind = "command-markers-removed"
    says = "the NO COMMAND markers are taken off"

    def apply(self, state: WopState) -> None:
        """Take them off."""
        state.no_command = ()


def is_under_command(at: At, headquarters: Counter) -> bool:
    """9.2, 9.5.a, 9.6: whether a line leads from its army's headquarters to a lower one, or from a group in the army's reach."""
    side = headquarters.side
    armies = [army.id for army in headquarters_of(at, side, "army") if army.id == headquarters.army]
    groups = [group for group in headquarters_of(at, side, "group") if headquarters.id in group.subordinates]
    leaders = (*armies, *(group.id for group in groups if is_under_command(at, group)))
    return any(at.world.command.leads(at, leader, headquarters.id) for leader in leaders)


def check_command(play: Doing) -> None:
    """2.3.c, 3.14, 9.9, 9.10: both sides; the Polish one rolls first."""
    marked = [piece for side in play.world.sides for piece in _without_command(play, side)]
    play.emit(CommandChecked(tuple(marked), clause="9.12"))


def _without_command(play: Doing, side: str) -> list[str]:
    """9.10 to 9.17.a: those of a side that are without command after their tests, each with one of its own (9.16)."""
    lower = [hq for hq in headquarters_of(play, side, *LOWER) if not is_under_command(play, hq)]
    found = [hq.id for hq in lower if not _passes(play, hq, "9.13")]
    leaders = [hq.id for hq in headquarters_of(play, side) if hq.id not in found]  # 9.17.b
    led = {unit for leader in leaders for unit in play.world.command.led_by(play, leader)}
    tested = [play.world.units[unit] for unit in pieces(play, side) if unit not in led]
    orphan = play.world.command.is_orphan  # 9.11: they may not take the test
    return found + [unit.id for unit in tested if orphan(play, unit.id) or not _passes(play, unit, "9.14")]


def _passes(play: Doing, piece: Counter, clause: str) -> bool:
    """9.13 to 9.15: a die of no more than the rating or the morale passes, and nothing is forbidden then (9.18)."""
    value = piece.rating if piece.level else piece.morale
    return play.roll(f"independence of {piece.id} ({value})", clause=clause, sides=10, lowest=0) <= value
