"""4.2 Chit selection: which chits a side may choose, and where they go."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from hexwar.engine import Position, RandomSource, View, sample
from hexwar.pieces import Cup, Keeping, Why, chosen_chits
from hexwar_tow.tables import Chit

if TYPE_CHECKING:
    from hexwar_tow.world import TowWorld

OPENING = "the opening attack"
"""12.1.1: what activates the Soviets of turn 1, before any chit is drawn."""

UNFILLED = frozenset({"", "set-up", "luftwaffe", "opening", "selection", "next"})
"""The phases in which no side holds a chit: before both have chosen, and after the turn."""


class TowSelection(Cup):
    """4.2: which chits a side may choose, and where they go; the others lie face down and are out of play (4.2.0.7)."""

    world: TowWorld

    def printed(self) -> dict[str, Chit]:
        """Every chit by id; optional rules may add some."""
        return self.world.printed.chits_of(self.world.entry.id)

    def knows(self, chit: str) -> bool:
        """4.2: those that are printed; 12.1.1: the attack of turn 1 stands for one."""
        return chit in self.world.chits or chit == OPENING

    @cached_property
    def fronts(self) -> frozenset[str]:
        """4.2.1.3: the Fronts that must each have a chit."""
        return frozenset(chit.front for chit in self.world.chits.values() if chit.front)

    def available(self, at: Position, side: str) -> tuple[str, ...]:
        """4.2.1.1, 4.2.2.1: the chits that a side may choose from this turn."""
        key = (side, at.state.turn, at.state.crossing_points, at.state.landed)
        found = self._available.get(key)
        if found is None:
            mine = [chit for chit in self.world.chits.values() if chit.side == side]
            found = self._available[key] = tuple(chit.id for chit in mine if not self.why_unavailable(at, chit))
        return found

    @cached_property
    def _available(self) -> dict[tuple[str, int, int, bool], tuple[str, ...]]:
        return {}

    def why_unavailable(self, at: Position, chit: Chit) -> str:
        """4.2.1.1, 4.2.1.6, 4.2.1.7, 4.2.2.3: why a chit cannot be chosen this turn, "" if it can."""
        turn, points = at.state.turn, at.state.crossing_points
        if chit.turn > turn:
            return f"{chit.id} is available from turn {chit.turn} on"
        if chit.kind == "airborne" and at.state.landed:
            return f"{chit.id} has become a marker on the map"
        most = self.world.printed.numbers.stavka.get(turn, -1)
        if chit.kind == "stavka" and points > most:
            return f"in turn {turn} {chit.id} needs at most {most} Soviet crossing points, and there are {points}"
        return ""

    def number(self, at: Position, side: str) -> int:
        """4.2.1.2, 4.2.2.2: how many chits a side chooses; all if there are fewer."""
        number = self.world.entry.soviet_chits or self.world.printed.numbers.soviet_chits
        if side == "axis":
            number = (self.world.entry.axis_chits or self.world.printed.track.axis_chits)[at.state.turn - 1]
        return min(number, len(self.available(at, side)))

    def _owed(self, chosen: Sequence[str]) -> int:
        """4.2.1.3, 4.2.1.4: how many of the Soviet chits still to come must be of Fronts that have none, or STAVKA."""
        named = [self.world.chits[chit] for chit in chosen]
        missing = self.fronts - {chit.front for chit in named}
        return max(0, len(missing) - any(chit.kind == "stavka" for chit in named))

    def keeping(self, at: Position, side: str, chit: str) -> Keeping:
        """4.2.0.2, 4.2.0.3: the Soviets put all into the cup, the Axis as many as it wants."""
        return "either" if side == "axis" else "cup"

    def common(self, at: Position) -> tuple[str, ...]:
        """4.2.0.5: the Supply chit is in every cup and counts against nobody's number."""
        return tuple(chit.id for chit in self.world.chits.values() if chit.kind == "supply")

    def why_not(self, at: Position, side: str, chit: str) -> Why | None:
        """4.2.1, 4.2.2: any chit that leaves room for those that must come; the rest is free (4.2.1.5)."""
        known = self.world.chits.get(chit)
        if known is None:
            return "chits.select.available", f"there is no chit {chit}"
        if known.kind == "supply":
            return "chits.common", f"{chit} is in every cup and is nobody's to choose"
        if known.side != side:
            return "chits.select.available", f"{chit} is no chit of {side}"
        why = self.why_unavailable(at, known)
        if why:
            return f"chits.{known.kind}", why
        chosen = chosen_chits(at, side)
        if chit in chosen:
            return "chits.select", f"{chit} is chosen already"
        number = self.number(at, side)
        if len(chosen) >= number:
            return f"chits.limit.{side}", f"{side} chooses {number} chits in turn {at.state.turn}"
        if side == "soviet" and self._owed((*chosen, chit)) >= number - len(chosen):
            missing = self.fronts - {self.world.chits[other].front for other in chosen}
            return "chits.fronts", f"the chits that are left must be of {', '.join(sorted(missing))}"
        return None

    def why_not_ready(self, at: Position, side: str) -> Why | None:
        """4.2.1.2, 4.2.2.2: the number is exact."""
        if not self.selectable(at, side):
            return None
        have = len(chosen_chits(at, side))
        return f"chits.limit.{side}", f"{side} chooses {self.number(at, side)} chits and has {have}"

    # -- what a player may imagine

    def owner(self, chit: str) -> str:
        """The side of a chit; Supply and the opening attack are nobody's."""
        known = self.world.chits.get(chit)
        return "" if known is None else str(known.side or "")

    def possible(self, at: Position, side: str) -> tuple[str, ...]:
        """4.2.1.6, 4.2.1.7: besides those available now, what was available before crossing points were gained or a landing."""
        chits, numbers = self.world.chits.values(), self.world.printed.numbers
        mine = [chit for chit in chits if chit.side == side and chit.turn <= at.state.turn]
        return tuple(chit.id for chit in mine if chit.kind != "stavka" or at.state.turn in numbers.stavka)

    def held(self, view: View, at: Position, side: str, chance: RandomSource) -> tuple[str, ...]:
        """4.2.0.3, 4.2.2.2: the track and the cup show how many chits the Axis has left in hand."""
        if side != "axis" or at.state.phase in UNFILLED:
            return ()
        rest = [chit for chit in self.possible(at, side) if chit not in chosen_chits(at, side)]
        left = self.number(at, side) - len(chosen_chits(at, side))
        return tuple(sorted(sample(rest, max(0, min(left, len(rest))), chance)))
