"""The state that games with pieces build on: which turn it is, where the pieces are and how strong.

A piece's location is a place of the game's board, such as the label of a hex or the name of an area, or the name of a box: a
space of the turn track, a pool of reserves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from hexwar.engine import Names, State, public, state

# What strings and numbers stand for in games with pieces; see `hexwar.engine.Names` and `PieceWorld.knows`.

UnitName = Annotated[str, Names("unit")]
"""Any counter of the game, wherever it is."""
Standing = Annotated[str, Names("unit in play")]
"""One that stands somewhere."""
Location = Annotated[str, Names("place")]
"""A place of the board or a box."""
ChitName = Annotated[str, Names("chit")]
"""The id of a chit."""
Turn = Annotated[int, Names("turn")]
"""The number of a turn."""


@state
class PieceState(State):
    """What every state of a game with pieces has.

    The large fields are read-only mappings: an event puts another in their place, and copies share what stays.
    """

    turn: Turn = public(default=0)
    """The turn being played; 0 before the first."""
    locations: Mapping[UnitName, Location] = public(factory=dict)
    """Unit -> location; a unit that is out of the game for good is not here."""
    steps_left: Mapping[UnitName, int] = public(factory=dict)
    """Unit -> steps left."""

    def full_steps(self, unit: str) -> int:
        """How many steps a unit has at full strength. A game whose eliminated units go into a box says it."""
        raise NotImplementedError(f"{type(self).__name__}.full_steps must say how many steps {unit} has in its box")

    def touch(self, unit: str) -> None:
        """Something about a unit has changed besides its place. Only events call this.

        A state that keeps what follows from its units updates that here.
        """

    def put(self, unit: str, location: str) -> None:
        """Place or move a unit. Only events call this."""
        self.locations = {**self.locations, unit: location}

    def remove(self, unit: str) -> None:
        """Take a unit out of the game. Only events call this."""
        self.locations = {other: place for other, place in self.locations.items() if other != unit}
        self.steps_left = {other: steps for other, steps in self.steps_left.items() if other != unit}
