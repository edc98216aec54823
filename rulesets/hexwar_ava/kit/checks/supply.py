"""Supply checks, fortresses and Stand Fast markers (11, 14, 16.2)."""

from __future__ import annotations

from hexwar.engine import Game, GameEnded, PhaseEntered
from hexwar.mechanics import (
    UnitEliminated,
)
from hexwar.testing.checks.following import HUGE, Following
from hexwar.testing.oracles import Entry, Field
from hexwar_ava.fortresses import Build, Building
from hexwar_ava.kit.rules import (
    AXIS,
    MECHANIZED,
    SET_UP,
    SOVIET,
    STARVED,
    SUPPLY,
    AvaField,
    of,
)
from hexwar_ava.state import FortressBuilt, StoodDown, UnitWithdrawn
from hexwar_ava.supply import StandDown, StandingDown, Withdraw, Withdrawing

FORTRESSES = {"training": (2, 1, 1), "leningrad": (4, 3, 1), "kiev": (4, 3, 1), "campaign": (4, 6, 2)}
"""14.0.1, 14.1.1, 14.1.4, 18.1.5, 18.3.4: from which turn, in how many hexes, and how many levels a check."""


def sites(field: AvaField, done: int = 0) -> set[str]:
    """14.0.1, 14.1: where a level may be built, when some have been built in this check."""
    begins, hexes, levels = FORTRESSES.get(field.scenario, (99, 0, 0))
    if field.turn < begins or done >= levels:
        return set()
    forts, counters, enemies = field.forts, field.world.units, field.held(AXIS)
    built = [fort for fort in forts.values() if SET_UP not in fort.counter.tags]
    spare = {counters[unit].sheet for unit in field.boxed("fortress markers")} if len(built) < hexes else set()  # type: ignore[attr-defined]
    return {
        label
        for label in SUPPLY.lines(field, SOVIET)
        if field.sheet.kinds.get(label) == "major-city"
        and field.control[label] == SOVIET
        and not enemies & {*field.sheet.near[label]}
        and (forts[label].steps < 2 if label in forts else label[0] in spare)
    }


def markers(field: AvaField) -> set[str]:
    """16.2.3: which Stand Fast markers may be removed."""
    mine = {label for label in field.stand_fast if field.control[label] == SOVIET} if field.turn >= 6 else set()
    return mine & {*SUPPLY.lines(field, SOVIET)} if mine else set()


CONDITIONS = {
    "somebody_sets_up": lambda field: bool(field.boxed(SET_UP)),
    "level_can_be_built": lambda field: bool(sites(field)),
    "marker_can_go": lambda field: bool(markers(field)),
}
"""What the table of questions asks about a position."""


class SupplyChecksAreRight(Following):
    """After its losses a supply check goes on as the literal rules say, in their order (11.2, 14.1, 16.2.3, 18.2.5)."""

    _stage = -1
    """-1 outside a check; 0 losses, 1 units that leave, 2 units into the box, 3 fortresses, 4 Stand Fast markers (11.0.1)."""
    _levels = 0
    _gone = 0
    """18.2.5: the attack points that have left."""

    def judge(self, entry: Entry) -> None:
        """What happens in a check."""
        event, field = entry.event, of(entry.before)
        if isinstance(event, PhaseEntered | GameEnded):
            self._reach(4, field)
            begins = isinstance(event, PhaseEntered) and event.phase == "activation" and field.chit == "supply"
            self._stage, self._levels, self._gone = (0 if begins else -1), 0, 0
        elif isinstance(event, UnitEliminated) and event.clause == STARVED:
            self.demand(self._stage == 0, f"{event!r} when others have left or built", "11.0.1")
        elif isinstance(event, UnitWithdrawn):
            self._withdrawn(event, field)
        elif isinstance(event, FortressBuilt):
            self._reach(3, field)
            self.demand(event.hex in sites(field, self._levels), f"{event!r}, which is not allowed", "14.1.2")
            level = field.steps_left[event.marker] + 1 if field.locations[event.marker] == event.hex else 1
            self.demand(event.level == level, f"{event!r}: it should have {level}", "14.1.5")
            self._levels += 1
        elif isinstance(event, StoodDown):
            self.demand(self._stage < 4, f"{event!r} as the second one", "16.2.3")
            self.demand(event.hex in markers(field), f"{event!r}, which is not allowed", "16.2.3")
            self._reach(4, field)

    def _reach(self, stage: int, field: AvaField) -> None:
        """Go on; 18.2.5: the units that leave have left before any goes into the box."""
        self.demand(self._stage <= stage, f"stage {stage} of a supply check after stage {self._stage}", "11.0.1")
        if self._stage in (0, 1) and stage > 1 and field.turn == 6 and field.scenario.startswith("smolensk"):
            left = [piece.id for piece in field.of_side(AXIS) if piece.arm in MECHANIZED]
            self.demand(self._gone >= 18 or not left, f"units with {self._gone} attack points leave, not with 18", "18.2.5")
        self._stage = stage if self._stage >= 0 else -1

    def _withdrawn(self, event: UnitWithdrawn, field: AvaField) -> None:
        piece = field.piece(event.unit)
        if self._stage < 0:
            comes = piece.at == f"turn {field.turn}" and event.to == f"{piece.side} available" and field.phase == "end"
            allowed = piece.side == AXIS or field.is_option_on("relocation")
            self.demand(comes and allowed, f"{event!r} from {piece.at}", "5.0.8")
        elif event.to == "axis available":
            self._reach(2, field)
            self.demand(piece.side == AXIS and piece.at in SUPPLY.lines(field, AXIS), f"{event!r} without a line", "11.2.2")
        else:
            self._reach(1, field)
            due = field.scenario.startswith("smolensk") and field.turn == 6 and self._gone < 18
            right = due and piece.side == AXIS and piece.arm in MECHANIZED and piece.at in field.sheet.terrain
            self.demand(right and event.to == "axis eliminated", f"{event!r} when {self._gone} points have left", "18.2.5")
            self._gone += piece.attack

    def offered(self, game: Game, field: Field, seat: str) -> None:
        """What may be done in a check."""
        here, step = of(field), game.state.stack[-1]
        if isinstance(step, Withdrawing) and self.samples(field, len(game.history)):
            line = SUPPLY.lines(field, AXIS)
            able = {piece.id for piece in field.of_side(AXIS) if piece.at in line}
            told = {action.unit for action in game.legal_actions(seat) if isinstance(action, Withdraw)}
            self.same("the units that may be taken off the map", told, able, "11.2.2")
        elif isinstance(step, Building | StandingDown) and (
            field.world.board.size < HUGE or self.samples(field, len(game.history))
        ):
            told = {action.hex for action in game.legal_actions(seat) if isinstance(action, Build | StandDown)}
            due = sites(here, self._levels) if isinstance(step, Building) else markers(here)
            self.same("the hexes to build in, or to remove a marker from", told, due, "14.1.2, 16.2.3")
