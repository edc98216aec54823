"""14.0 Fortresses: where and how the Soviets build them. What they do in combat is in `hexwar_ava.combat`."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from hexwar.engine import Action, Part, record
from hexwar.errors import Refusal
from hexwar.mechanics import stack
from hexwar.pieces import Choosing
from hexwar_ava.combat import FORTRESS
from hexwar_ava.counters import MARKERS, SET_UP
from hexwar_ava.state import At, Doing, FortressBuilt
from hexwar_ava.teams import pass_on

if TYPE_CHECKING:
    from hexwar_ava.world import AvaWorld


class AvaFortresses(Part):
    """14.0: the fortress markers of a scenario."""

    world: AvaWorld

    @cached_property
    def markers(self) -> tuple[str, ...]:
        """2.2.16: all of them."""
        return tuple(unit for unit, counter in self.world.units.items() if counter.arm == FORTRESS)

    @cached_property
    def level(self) -> int:
        """4.0.16: of the fortresses of the set-up."""
        return max((marker.level for marker in self.world.printed.markers.marker if marker.kind == FORTRESS), default=1)


def fortress_in(at: At, label: str) -> str | None:
    """The fortress marker in a hex."""
    return next((unit for unit in stack(at, label) if at.world.units[unit].arm == FORTRESS), None)


def built_hexes(at: At) -> int:
    """14.0.1: how many hexes hold a fortress that was built; those of the set-up do not count (4.0.16)."""
    built = [marker for marker in at.world.fortresses.markers if SET_UP not in at.world.units[marker].tags]
    return sum(at.state.locations.get(marker, "") in at.world.board for marker in built)


def clause_on_limits(at: At) -> str:
    """14.0.1, 18.1.5, 18.3.4: which clause limits the number of hexes with fortresses."""
    return next((clause for clause in ("18.1.5", "18.3.4") if clause in at.world.entry.clauses), "14.0.1")


def marker_for(at: At, label: str) -> str | None:
    """14.3.2, 2.2.17: an unused marker with the letter of the map on which a hex lies."""
    waiting = at.state.layout.stacks.get(MARKERS, ())
    return next((marker for marker in waiting if at.world.units[marker].sheet == label[0]), None)


def why_not_build(at: At, label: str, supplied: int) -> Refusal | None:
    """Why no level can be built in a hex now, or None; whether a fortress was lost there does not matter (14.1.6).

    Args:
        at: the position.
        label: the hex, or a label that may not be one.
        supplied: the hexes with a Soviet line of communication.
    """
    world = at.world
    limits = world.entry.fortresses
    assert limits is not None

    no = Refusal.against
    if label not in world.major_cities:
        return no("14.1.2", f"{label} is no major city")
    if at.state.control.get(label) != "soviet":
        return no("14.1.2", f"{label} is not controlled by the Soviets")
    if not supplied >> world.board.index(label) & 1:
        return no("14.1.2", f"{label} has no line of communication")
    if world.board.around(label) & at.state.layout.held["axis"]:
        return no("14.1.3", f"an enemy unit stands next to {label}")
    marker = fortress_in(at, label)
    if marker is not None:
        full = at.state.steps_left[marker] >= world.units[marker].steps
        return no("14.1.5", f"the fortress in {label} has its full level") if full else None
    if built_hexes(at) >= limits.hexes:
        return no(clause_on_limits(at), f"no more than {limits.hexes} hexes may have a fortress")
    if marker_for(at, label) is None:
        return no("14.3.2", f"no fortress marker of this map is left for {label}")
    return None


@record
class Build(Action):
    """Build a level of a fortress."""

    kind = "build"
    says = "build a fortress level in {hex}"
    can = "be fortified"
    hex: str


@record
class Building(Choosing):
    """11.3.1, 14.1: during a supply check the Soviets may build fortress levels in their major cities."""

    kind = "building"
    clause: ClassVar[str] = "14.1.1"
    choice = Build
    levels: int
    """How many may still be built."""

    def able(self, at: At) -> list[str]:
        """The cities in which a level can be built; in a team, those on the player's maps."""
        held = [label for label in at.world.major_cities if at.state.control.get(label) == "soviet"]
        held = [label for label in held if at.world.teams.seat_on("soviet", label) == self.seat]
        if not held or not self.levels:
            return []
        supplied = at.world.supply.supplied(at, "soviet", at.world.board.mask(held))
        return [label for label in held if why_not_build(at, label, supplied) is None]

    def prompt(self, at: At, seat: str) -> str:
        """How much may be built."""
        return f"Build up to {self.levels} fortress level{'s' if self.levels > 1 else ''}?"

    def why_not(self, at: At, action: Build) -> Refusal | None:
        """What is against a hex."""
        whose = at.world.teams.seat_on("soviet", action.hex)
        if action.hex in at.world.major_cities and whose != self.seat:
            return Refusal.against(at.world.teams.clause, f"{action.hex} lies on the map of {whose}")
        return why_not_build(at, action.hex, at.world.supply.supplied(at, "soviet"))

    def chosen(self, play: Doing, action: Build) -> None:
        """Build."""
        play.replace(replace(self, levels=self.levels - 1))
        there = fortress_in(play, action.hex)
        marker = there or marker_for(play, action.hex)
        assert marker is not None
        level = play.state.steps_left[marker] + 1 if there else 1
        play.emit(FortressBuilt(marker, action.hex, level, clause="14.1.5"))

    def resume(self, play: Doing) -> None:
        """Nothing more can be built, or the player stops; in a team, the next one builds on his maps with what is left."""
        if self.levels:
            pass_on(play, self)
        else:
            play.pop()
