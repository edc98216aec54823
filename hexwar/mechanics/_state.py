"""The state that hex rulesets build on: pieces, who controls what, and the layout that follows from where the pieces are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from hexwar.engine import Names, SideName, derived, public, state
from hexwar.mechanics._layout import Layout
from hexwar.mechanics._rooms import Rooms
from hexwar.pieces._state import PieceState

HexName = Annotated[str, Names("hex")]
"""The label of a hex; see `hexwar.engine.Names` and `HexWorld.knows`."""


@state
class HexState(PieceState):
    """What every hex ruleset's state has. Rulesets set `layout` when they make their first state."""

    control: Mapping[HexName, SideName] = public(factory=dict)
    """Hex of a place -> the side that controls it."""
    layout: Layout = derived(
        factory=lambda: None,
        copy=lambda layout: layout and layout.share(),
        apart=lambda layout: layout and layout.share().own(),
    )

    def rebuild(self) -> None:
        """Rebuild the layout. One that shows these units already is kept, but for what depends on more than their places."""
        layout: Layout | None = self.layout  # None in a state without a ground so far
        if layout is None:
            return
        if layout.shows(self.locations):
            self.layout = layout.own()
            self.layout.rooms = Rooms(layout.basis.board.size)
        else:
            self.layout = Layout.of(layout.basis, self.locations)
        for location in tuple(self.layout.stacks):
            self._look_again(location)

    def _look_again(self, location: str) -> None:
        changing = self.layout.basis.changing
        if changing:
            here = location in self.layout.stacks and location in self.layout.basis.board
            self.layout.change_zone(location, changing.covered(self, location) if here else 0)

    def full_steps(self, unit: str) -> int:
        """See `PieceState.full_steps`."""
        return self.layout.basis.units[unit].steps

    def touch(self, unit: str) -> None:
        """Something about a unit has changed besides its place: its zone and who fits in beside it. Only events call this."""
        if unit in self.locations:
            self.layout = self.layout.own()
            if (i := self.layout.basis.indices.get(self.locations[unit])) is not None:
                self.layout.rooms.forget(i)
            self._look_again(self.locations[unit])

    def declare(self, unit: str, target: str) -> None:
        """A unit was ordered to attack a hex. Only events call this; a state that keeps the orders adds to it."""

    def put(self, unit: str, location: str) -> None:
        """Place or move a unit. Only events call this."""
        before, layout = self.locations.get(unit), self.layout.own()
        if before is None:
            layout.place(unit, location)
        else:
            layout.move(unit, before, location)
        places = layout.places(self.locations)
        places[unit] = location
        self.layout, self.locations = layout, places
        if layout.basis.changing:
            for changed in (before, location):
                if changed is not None:
                    self._look_again(changed)

    def remove(self, unit: str) -> None:
        """Take a unit out of the game. Only events call this."""
        self.layout = self.layout.own()
        places = self.layout.places(self.locations)
        before = places.pop(unit)
        self.layout.lift(unit, before)
        self.locations = places
        self._look_again(before)
        self.steps_left = {other: steps for other, steps in self.steps_left.items() if other != unit}
