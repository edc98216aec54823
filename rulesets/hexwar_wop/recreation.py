"""5 and 14.45 to 14.48: eliminated pieces, and when they come back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hexwar.engine import Play, PublicEvent, record
from hexwar_wop.content import AIR

if TYPE_CHECKING:
    from hexwar_wop.world import Counter, WopState, WopWorld

    Doing = Play[WopState, WopWorld]


@record
class ReturnDetermined(PublicEvent[Any]):
    """14.48: an eliminated piece lies on the turn track, or out of the game (5.13)."""

    kind = "return-determined"
    unit: str
    hex: str
    """Where it was eliminated."""
    turn: int
    """When it may come back; 0 for never."""
    steps: int

    def apply(self, state: WopState) -> None:
        """Put it into its box."""
        state.lost = {**state.lost, self.unit: self.hex}
        if self.turn:
            state.steps_left = {**state.steps_left, self.unit: self.steps}
            state.put(self.unit, f"turn {self.turn}")

    def __str__(self) -> str:
        return f"{self.unit} may come back in turn {self.turn}" if self.turn else f"{self.unit} does not come back"


@record
class LevelGained(PublicEvent[Any]):
    """5.18.a, 11.6: a unit is stronger by a level."""

    kind = "level-gained"
    says = "{unit} gains a level"
    unit: str

    def apply(self, state: WopState) -> None:
        """Turn the counter."""
        state.steps_left = {**state.steps_left, self.unit: state.steps_left[self.unit] + 1}
        state.touch(self.unit)


@record
class MarkersRemoved(PublicEvent[Any]):
    """5.17, 5.18.a: markers are taken off."""

    kind = "markers-removed"
    units: tuple[str, ...]

    def apply(self, state: WopState) -> None:
        """Take them off."""
        state.refitting = tuple(unit for unit in state.refitting if unit not in self.units)

    def __str__(self) -> str:
        return f"REPLACEMENT markers are taken off {', '.join(self.units)}"


def lose_markers(play: Doing, units: Sequence[str]) -> None:
    """5.17: units that were attacked and had to fall back lose their markers."""
    gone = tuple(unit for unit in play.state.refitting if unit in units)
    if gone:
        play.emit(MarkersRemoved(gone, clause="5.17"))


def determine_return(play: Doing, unit: str, label: str) -> None:
    """5.13, 9.26, 14.47, 14.48: the die and the table say how many turns a piece stays away."""
    counter, table = play.world.units[unit], play.world.printed.tables.recreation
    if not play.world.scenario.recreation or "garrison" in counter.tags:
        if "garrison" not in counter.tags:
            play.emit(ReturnDetermined(unit, label, 0, 0, clause="14.45"))
        return
    if counter.level and not counter.faces[-1].move:
        turns, clause = table.immobile_headquarters + 1, "9.26"
    else:
        rolled = play.roll(f"return of {unit} ({modifier(play, counter):+d})", clause="14.47.a", sides=10, lowest=0)
        turns, clause = max(table.minimum, rolled + modifier(play, counter)), "14.48"
    levels = {1: "one", 2: "two", 3: "three"}
    back_at = counter.steps + 1 - table.returns_at_level[levels[counter.steps]]  # type: ignore[index]  # checked content
    play.emit(ReturnDetermined(unit, label, play.state.turn + turns, back_at, clause=clause))


def modifier(play: Doing, counter: Counter) -> int:
    """14.47.a: what the table of re-creation adds to the die: by kind, for units by morale as well."""
    table = play.world.printed.tables.recreation
    if counter.level:
        return table.by_type[f"hq_{counter.level}"]
    assert counter.arm != AIR, "air units come back by 17.15 to 17.17"
    by_morale = next(entry.modifier for entry in table.by_morale if entry.morale[0] <= counter.morale <= entry.morale[1])
    return table.by_type[counter.arm] + by_morale
