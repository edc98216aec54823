"""The world that games with pieces build on: who is there, where a piece may stand, and which clauses shared rules cite."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Mapping
from functools import cached_property
from typing import Any

from hexwar.engine import Play, Position, SequenceOfPlay, Setup, State, World, essence
from hexwar.errors import HexwarError, UnknownName
from hexwar.grouping import grouped
from hexwar.hashing import blake2b
from hexwar.pieces._units import Unit


class PieceWorld(World):
    """Units and boxes of a game. A subclass adds its board, of whatever kind, as `board`, or says itself what stands on it.

    Args:
        setup: what was chosen when the game was created.
        sequence: the sequence of play.
        units: every unit of the game by id.
        cite: topic -> clause id, for the events and refusals of shared rules.
        boxes: locations off the board.
    """

    last_turn = 0
    """The last turn of the scenario; 0 if not given."""

    def __init__(
        self,
        setup: Setup,
        sequence: SequenceOfPlay,
        *,
        units: Mapping[str, Unit],
        cite: Mapping[str, str],
        boxes: Iterable[str] = (),
    ) -> None:
        super().__init__(setup, sequence)
        self.units = units
        self.cite = cite
        self.boxes = frozenset(boxes)
        self._enemies = {side: tuple(other for other in self.sides if other != side) for side in self.sides}
        self.rules.require({f"topic {topic}": clause for topic, clause in cite.items()})

    # -- what a board says

    def is_place(self, name: object) -> bool:
        """Whether a location is a place of the board, and not a box: a label or a point that the world's `board` knows."""
        return name in getattr(self, "board", ())

    def stands(self, state: Any, unit: str) -> bool:
        """Whether a unit stands on the board, and not in a box or nowhere."""
        place = state.locations.get(unit)
        return place is not None and self.is_place(place)

    def standing(self, state: Any, units: Iterable[str]) -> tuple[str, ...]:
        """Those of some units that stand on the board, in the same order."""
        return tuple([unit for unit in units if self.stands(state, unit)])

    def on_board(self, state: Any, side: str) -> tuple[str, ...]:
        """The units of a side that stand on the board, in roster order."""
        return self.standing(state, self.of_side.get(side, ()))

    @cached_property
    def of_side(self) -> Mapping[str, list[str]]:
        """Side -> its units, in roster order."""
        return grouped([(unit.side, name) for name, unit in self.units.items()])

    # -- what follows from it

    @cached_property
    def content(self) -> str:
        """See `World.content`."""
        text = json.dumps(essence(self.content_parts()), sort_keys=True)
        return blake2b(text.encode(), digest_size=16).hexdigest()

    def content_parts(self) -> tuple[object, ...]:
        """What a game depends on; a world with a board and further tables adds them to those of its base."""
        return (self.units,)

    def unit(self, unit_id: str) -> Unit:
        """A unit by its id."""
        try:
            return self.units[unit_id]
        except (KeyError, TypeError):
            raise UnknownName("unit", unit_id, self.units) from None

    def location(self, name: Any) -> Any:
        """A location under its own name: a place of the board, which may have several names, or a box.

        Raises:
            HexwarError: if there is no such location.
        """
        if name not in self.boxes and not self.is_place(name):
            boxes = f", and no box; the boxes are {', '.join(sorted(self.boxes))}" if self.boxes else ""
            raise HexwarError(f"{name!r} is no place of the board{boxes}")
        return name

    def misplaced(self, state: Any, unit: str, location: Any) -> str:
        """Why a unit cannot be put somewhere in a hand-made position, in a sentence; "" if nothing is wrong."""
        return ""

    def knows(self, state: State, what: str, name: Any) -> bool:
        """Counters, places, boxes and turns too; a world with chits has them in its cup."""
        if what == "unit":
            return name in self.units
        if what == "unit in play":
            return name in state.locations  # type: ignore[attr-defined]  # every state of a world with units has them
        if what == "chit":
            return bool(self.cup.knows(name))  # type: ignore[attr-defined]  # a state with chits has a world with a cup
        if what == "place":
            return name in self.boxes or self.is_place(name)
        return name in self.turns if what == "turn" else super().knows(state, what, name)

    @property
    def turns(self) -> Container[int]:
        """The turns of the game, 0 before the first; any number where the scenario has no last turn."""
        return range(2**31)

    def enemies(self, side: str) -> tuple[str, ...]:
        """The sides against which a side fights."""
        return self._enemies[side]

    # -- what becomes of pieces

    def eliminated(self, play: Play, unit: str, label: str) -> None:
        """What else happens when a unit has been eliminated.

        Args:
            play: the position, the unit gone or in its box.
            unit: the unit.
            label: where it stood; "" where that has no name.
        """

    def grave(self, at: Position, unit: str, topic: str) -> tuple[str, str]:
        """Where a unit goes that is eliminated, and the clause on that; two empty strings if it leaves the game.

        Args:
            at: the position, the unit still in its place.
            unit: the unit.
            topic: what eliminates it: "losses", "retreat.zone", "retreat.none" or a ruleset's own.
        """
        return "", ""
