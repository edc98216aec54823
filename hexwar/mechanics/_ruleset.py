"""What rulesets on hexes share besides their rules: queries, and pictures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from typing_extensions import TypeVar

from hexwar.engine import Chart, Colours, Condition, Picture, Piece, Position, Tray
from hexwar.mechanics._charts import combat_chart_of, terrain_chart
from hexwar.mechanics._outlook import features, read_outlooks, weighed
from hexwar.mechanics._queries import HexQuery
from hexwar.mechanics._state import HexState
from hexwar.mechanics._world import HexWorld
from hexwar.pieces import PieceRuleset

S = TypeVar("S", bound=HexState, default=Any)
W = TypeVar("W", bound=HexWorld, default=Any)


_DESIGNATION = re.compile("([0-9]*)(.*)")


class HexRuleset(PieceRuleset[S, W, HexQuery]):
    """Base of rulesets that are played with counters on a board of hexes."""

    colours: ClassVar[Mapping[str, Colours]] = {}
    """Side -> the colours of its counters; the renderer chooses if it has none."""
    symbols: ClassVar[Mapping[str, str]] = {}
    """Arm -> what is drawn on its counters, where that is not what its name says."""
    stripes: ClassVar[Mapping[str, str]] = {}
    """Group -> the colour of the stripe on its counters."""
    printed: ClassVar[str] = "attack–defence–move"
    """What the values on its counters are."""
    outlook: ClassVar[Any] = None
    """The file of content with the weights for `lead`; None if there are none."""
    designated: ClassVar[bool] = False
    """Whether the id of a unit is its nation and its designation, "ger-12pz": its counter then says "12 Pz"."""
    trays: ClassVar[tuple[Tray, ...]] = ()
    """The boxes beside its board, as far as there is more to say of them than their names."""

    def query(self, at: Position[S, W]) -> HexQuery:
        """Reach, supply, odds, zones, retreats, command and the score."""
        return HexQuery(at)

    def picture(self, at: Position[S, W]) -> Picture:
        """The counters with their values, and who controls what."""
        board, held = at.world.board, dict.fromkeys(at.world.sides, 0)
        for label, side in at.state.control.items():
            place = board.place(label)
            held[side] = held.get(side, 0) + (place.value if place else 0)
        notes = "places held: " + ", ".join(f"{side} {held[side]}" for side in at.world.sides)
        said = (notes,) if any(held.values()) else ()
        return Picture(board, tuple(self._pieces(at)), at.state.control, self.colours, said, self.printed, self.trays)

    def lead(self, at: Position[S, W], side: str) -> float:
        """The points, and what is still to be gained where weights were fitted to games of the scenario."""
        now = super().lead(at, side)
        weights = self.outlooks.get(at.world.setup.scenario) if at.state.result is None else None
        return now if weights is None else now + weighed(weights, self.outlook_of(at, side, now))

    def outlook_of(self, at: Position[S, W], side: str, now: float) -> list[float]:
        """The numbers by which what is still to be gained is guessed: see `hexwar.search.fitting`."""
        board, held = at.world.board, at.state.control
        objectives = [(str(it.place), float(it.points), it.held_by) for it in self.objectives(at)]
        towns = [(it.hex, float(it.value), held.get(it.hex, "")) for it in board.places if it.value]
        return features(at, side, now, objectives or towns)

    @property
    def outlooks(self) -> Mapping[str, Sequence[float]]:
        """Scenario -> the weights of what is looked at."""
        return {} if self.outlook is None else read_outlooks(self.outlook)

    def charts(self, world: W) -> tuple[Chart, ...]:
        """The combat table, if the world has one, and the terrain effects chart."""
        combat = combat_chart_of(world)
        terrain = terrain_chart(world.chart, world.board, world.cite.get("move.cost", ""))
        return (combat, terrain) if combat else (terrain,)

    # -- what is on a counter

    def symbol(self, unit: Any) -> str:
        """What is drawn on a counter: see `hexwar.render`."""
        return self.symbols.get(unit.arm, "headquarters" if unit.is_headquarters else unit.arm)

    def values(self, unit: Any, steps: int) -> str:
        """What is printed on a counter that has some steps left."""
        up = unit.faces[steps - 1]
        return f"{up.attack}–{up.defence}–{up.move}"

    def levels(self, unit: Any, steps: int) -> tuple[int, int]:
        """See `Piece.levels`."""
        return (0, 0)

    def label(self, unit: Any) -> str:
        """What is printed on a counter in place of its id; its id if ""."""
        if not self.designated:
            return ""
        number, letters = _DESIGNATION.fullmatch(unit.id.partition("-")[2]).groups()  # type: ignore[union-attr]  # any text
        return f"{number} {letters.upper().replace('PZ', 'Pz')}".strip() if number else str(letters.title())

    def stripe(self, unit: Any) -> str:
        """The colour of the stripe that tells the groups of a side apart; "" for none."""
        return self.stripes.get(unit.formation, "")

    def state_of(self, at: Position[S, W], unit: str) -> tuple[Condition, ...]:
        """What state a unit is in that is seen at a glance: see `Piece.state`."""
        return ()

    def marks(self, at: Position[S, W], unit: str) -> tuple[str, ...]:
        """The markers that lie on a unit: see `Piece.marks`."""
        return ()

    def _pieces(self, at: Position[S, W]) -> Iterator[Piece]:
        units, places, stacks = at.world.units, at.state.locations, at.state.layout.stacks
        for label in filter(stacks.__contains__, at.world.board.labels):
            here = stacks[label]
            # Headquarters lie below: players rarely look for them.
            for unit in here if len(here) == 1 else sorted(here, key=lambda unit: not units[unit].is_headquarters):
                yield self._piece(at, unit, label)
        for unit, place in places.items():
            if place not in at.world.board:
                yield self._piece(at, unit, place)
        for unit in units:
            if unit not in places:
                yield self._piece(at, unit, None)

    def _piece(self, at: Position[S, W], name: str, place: str | None) -> Piece:
        steps = 1 if place is None else at.state.steps_left[name]
        state, marks = self.state_of(at, name), self.marks(at, name)
        known, key = at.world.shown, (name, place, steps, state, marks)  # from one picture to the next few pieces change
        if key not in known:
            unit = at.world.units[name]
            symbol = self.symbol(unit)
            works = symbol == "works"  # which show their levels and are never called reduced
            values = str(steps) if works else self.values(unit, steps)
            reduced, levels = steps < unit.steps and not works, self.levels(unit, steps)
            printed = (symbol, values, reduced, levels, self.label(unit), self.stripe(unit))
            known[key] = Piece(unit.id, place, unit.side, unit.name, unit.arm, unit.formation, *printed, state, marks)
        return known[key]
