"""Fieldworks and permanent fortifications."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hexwar.engine import Action, Part, Play, Position, record
from hexwar.errors import Refusal
from hexwar.mechanics import Battle, occupant, stack
from hexwar.pieces import Choosing, Shift, against
from hexwar_wb95.state import WorksBuilt, is_fresh

if TYPE_CHECKING:
    from hexwar_wb95.state import At
    from hexwar_wb95.world import Wb95World

FORT = "fort"
MARSH = "marsh"
BUILT_UP = ("town", "city")


class Forts(Part):
    """up.4, up.5, fs.1 to fs.7: who is fortified, and what that is worth."""

    world: Wb95World

    @cached_property
    def hexes(self) -> Mapping[str, frozenset[str]]:
        """fs.1: side -> the hexes inside its fortifications; the areas "forts SIDE" of the board."""
        return {side: frozenset(self.world.board.areas.get(f"forts {side}", ())) for side in self.world.sides}

    def is_fortress(self, label: str) -> bool:
        """up.2: whether a hex lies inside the fortifications of anybody."""
        return any(label in hexes for hexes in self.hexes.values())

    def is_fortified(self, at: Position, side: str, label: str) -> bool:
        """up.5, fs.4: whether units of a side in a hex are in fieldworks or in their fortress."""
        return label in at.state.works or label in self.hexes[side]

    def across(self, at: Position, battle: Battle) -> bool:
        """fs.2: whether at least half of the attack crosses the line of a fortress."""
        return bool(battle.attackers) and self.world.combat.share(at, battle, FORT) * 2 >= 1

    def _holds(self, at: Position, battle: Battle, label: str) -> bool:
        return label in self.hexes[self.world.enemies(battle.side)[0]]

    def halves(self, at: Position, battle: Battle) -> bool:
        """fs.2: whether the attack counts half."""
        return self._holds(at, battle, self.world.combat.main_target(at, battle)) and self.across(at, battle)

    def shifts(self, at: Position, battle: Battle, label: str) -> Iterator[Shift]:
        """up.4, fs.3 to fs.5: the columns for the defender of a hex."""
        tables = self.world.printed.tables
        if self._holds(at, battle, label):
            is_front = self.across(at, battle)
            columns = tables.forts.front if is_front else tables.forts.rear
            yield Shift(-columns, "fortress" if is_front else "fortress, from the rear", "fs.3" if is_front else "fs.5")
        elif label in at.state.works:
            is_town = self.world.board.terrain(label) in BUILT_UP
            yield Shift(-(tables.fieldworks.built_up if is_town else tables.fieldworks.open), "fieldworks", "up.4")

    def losses_of_staying(self, at: Position, battle: Battle, hexes: int) -> int | None:
        """fs.6: what defenders lose who stay in their fortress; None if they are in none."""
        held = [target for target in battle.targets if stack(at, target)]
        if not held or not all(self._holds(at, battle, target) for target in held):
            return None
        return self.world.printed.tables.forts.stay[str(hexes)]


@record
class DigIn(Action):
    """Build fieldworks in a hex."""

    kind = "dig-in"
    says = "dig in at {hex}"
    hex: str


@record
class Digging(Choosing):
    """up.1: at the end of its combat phase a side builds fieldworks."""

    kind = "digging"
    shows = ("place",)
    says = "Build fieldworks: {able}."
    clause = "up.1"
    topic = "works"
    ending = "End digging"
    choice = DigIn

    def able(self, at: Position) -> list[str]:
        """The hexes with a unit that may dig."""
        found = at.memo.get(("able to dig", self.seat))
        if found is None:
            side = at.world.seats[self.seat]
            hexes = dict.fromkeys([at.state.locations[unit] for unit in at.world.on_board(at.state, side)])
            found = [label for label in hexes if self._why_not_dig(at, label) is None]
            at.memo["able to dig", self.seat] = found
        return [*found]

    def _why_not_dig(self, at: At, label: str) -> Refusal | None:
        world, state, side = at.world, at.state, at.world.seats[self.seat]
        if label not in world.board or occupant(at, label) != side:
            return against(at, "works.nobody", f"{side} has no unit in {label}")
        if label in state.works:
            return against(at, "works.nobody", f"there are fieldworks in {label} already")
        if world.board.terrain(label) == MARSH or world.forts.is_fortress(label):
            return against(at, "works.ground", f"no unit digs in {label}: a marsh or a fortress")
        if not any(unit not in state.marched and is_fresh(at, unit) for unit in stack(at, label)):
            return against(at, "works", f"all who stand in {label} have moved or fled")
        return None

    def why_not(self, at: Position, action: Any) -> Refusal | None:
        """up.1, up.2."""
        return self._why_not_dig(at, action.hex) if isinstance(action, DigIn) else None

    def chosen(self, play: Play, action: DigIn) -> None:
        """up.1."""
        state = play.state
        unit = next(unit for unit in stack(play, action.hex) if unit not in state.marched and is_fresh(play, unit))
        play.emit(WorksBuilt(unit, action.hex, clause="up.1"))
