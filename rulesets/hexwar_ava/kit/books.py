"""Books about one game: what somebody knows who hears its events and has the printed game before him, and nothing else.

Judges (`hexwar_ava.kit.witness`) compare what happens with the literal rules by these books, and the books with the state.
"""

from __future__ import annotations

import zlib
from collections import Counter as Multiset
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from hexwar.engine import Event, Game, PhaseEntered
from hexwar.mechanics import ActivationEnded, CupFilled, Manner, StepLost, TurnBegan, UnitEliminated, UnitMoved, UnitPlaced
from hexwar.mechanics.chits import ChitDrawn, ChitPlayed, ChitReturned, ChitSelected
from hexwar_ava.kit import reference as ref
from hexwar_ava.state import (
    ChitAdded,
    EntryChosen,
    FortressBuilt,
    StoodDown,
    UnitsActivated,
    UnitWithdrawn,
    ZhukovCalled,
)

SMALL = 200
"""Boards with fewer hexes are small: there everything is judged."""
RELOCATED = "headquarters-relocated"
"""The event of an optional rule that puts a headquarters on the turn track (17.3.1)."""
STAND_FAST = ("L3602", "L3603", "L3702", "S3510", "S4112", "S3726", "S5003", "S5009", "S5120", "K3507", "K3607", "K3608")
"""16.2.2."""
BREAKTHROUGH = ("S4230", "S4730")
"""18.2.9."""


class Books:
    """What happened in a game.

    Args:
        game: as it was begun.
        every: of what takes long to judge on a large board, one in so many is judged.
    """

    def __init__(self, game: Game, every: int = 1) -> None:
        first = game.first_state
        self.world = game.world
        self.scenario: str = game.world.setup.scenario
        self.entry = ref.PRINTED.scenario(self.scenario)
        self.options: Mapping[str, Any] = game.world.options
        self.field = ref.Field.of(game)
        self.every = 1 if len(self.field.terrain) < SMALL else every
        self.at: dict[str, str] = dict(first.at)
        self.steps: dict[str, int] = dict(first.steps)
        self.units = frozenset(first.at)
        self.control = self._control_at_start()
        self.stand_fast = {label for label in STAND_FAST if label in self.field.terrain}
        self.turn = 1
        self.phase = ""
        self.active: tuple[str, ...] = ()
        self.retreated: set[str] = set()
        self.selected: dict[str, list[str]] = {"axis": [], "soviet": []}
        """Side -> what it has selected this turn, for the cup."""
        self.hand: dict[str, list[str]] = {"axis": [], "soviet": []}
        self.cup: Multiset[str] = Multiset()
        self.drawn: list[str] = []
        self.added: list[str] = []
        """18.1.4: the chits that the Soviets have made available."""
        self.entry_hex = ""
        """15.3.2: where the army on the turn track comes in."""
        self.city_reached = False
        self.zhukov = 0
        self.seen: Multiset[str] = Multiset()
        """What has been judged, for whoever wants to know that something was."""
        self._ground: ref.Ground | None = None
        self._lines: dict[str, Mapping[str, int]] = {}
        self._notes: dict[type[Event], Callable[[Any], None]] = {
            UnitPlaced: self._placed,
            UnitMoved: self._moved,
            StepLost: self._step_lost,
            UnitEliminated: self._eliminated,
            UnitWithdrawn: self._put_away,
            FortressBuilt: self._built,
            TurnBegan: self._turn_began,
            PhaseEntered: self._phase_entered,
            UnitsActivated: self._activated,
            ActivationEnded: self._activation_ended,
            StoodDown: self._stood_down,
            EntryChosen: self._entry_chosen,
            ChitAdded: self._chit_added,
            ChitSelected: self._chit_selected,
            CupFilled: self._cup_filled,
            ChitDrawn: self._chit_drawn,
            ChitReturned: self._chit_returned,
            ChitPlayed: self._chit_played,
            ZhukovCalled: self._zhukov_called,
        }

    # -- asking ------------------------------------------------------------------------------------------------------------

    @property
    def is_large(self) -> bool:
        """Whether the board is a large one, where some things are judged now and then only."""
        return len(self.field.terrain) >= SMALL

    @property
    def ground(self) -> ref.Ground:
        """The position as the books have it."""
        if self._ground is None:
            self.field = self.field.with_pieces(self.world, self.at, self.steps)
            self._ground = ref.Ground(self.field)
        return self._ground

    def lines(self, side: str) -> Mapping[str, int]:
        """3.3, and 17.4.1 where it is on: the hexes with a line."""
        if side not in self._lines:
            follows = side == "soviet" and self.options.get("soviet-supply")
            found = ref.soviet_lines_along_ways(self.ground) if follows else ref.lines(self.ground, side)
            self._lines[side] = found
        return self._lines[side]

    def samples(self, what: object, times: int = 1) -> bool:
        """Whether something is among what is judged on a large board; depends on nothing but itself."""
        return zlib.crc32(str(what).encode()) % (self.every * times) == 0

    def side(self, unit: str) -> str:
        """Whose a unit is."""
        return str(self.world.units[unit].side)

    def on_map(self, unit: str) -> bool:
        """Whether a unit stands in a hex."""
        return self.at.get(unit) in self.field.terrain

    def boxed(self, box: str) -> set[str]:
        """The units in a box, or on a space of the turn track."""
        return {unit for unit, label in self.at.items() if label == box}

    @property
    def chit(self) -> str:
        """The chit that is being resolved."""
        return self.drawn[-1] if self.drawn else ""

    def _control_at_start(self) -> dict[str, str]:
        """3.4.1: what lies west of the start line is the Axis's, all else the Soviets'; so are Soviet sources (16.3.1)."""
        west = set(self.world.board.areas.get("west of the start line", ()))
        hexes = [*self.field.cities, *self.field.sources["soviet"]]
        if self.scenario == "smolensk":
            hexes += [label for label in BREAKTHROUGH if label in self.field.terrain]
        return {label: "axis" if label in west and label in self.field.cities else "soviet" for label in hexes}

    # -- noting ------------------------------------------------------------------------------------------------------------

    def note(self, event: Event) -> None:
        """Something happened."""
        noting = self._notes.get(type(event))
        if noting is not None:
            noting(event)
        elif event.kind == RELOCATED:
            self._put_away(event)

    def _changed(self) -> None:
        self._ground = None
        self._lines = {}

    def _put(self, unit: str, label: str) -> None:
        self.at[unit] = label
        self._changed()

    def _enter(self, unit: str, hexes: tuple[str, ...]) -> None:
        """3.4.2: whoever entered last; 18.1.9: the approaches of Leningrad."""
        side = self.side(unit)
        for label in hexes:
            if label in self.control:
                self.control[label] = side
        if self.scenario == "leningrad" and side == "axis" and any(label in self.approaches for label in hexes):
            self.city_reached = True

    @cached_property
    def approaches(self) -> set[str]:
        """18.1.9: the hexes next to Leningrad."""
        city = {label for place in self.world.board.places if place.name == "Leningrad" for label in place.hexes}
        return {near for label in city for near in self.field.near[label]} - city

    def _placed(self, event: UnitPlaced) -> None:
        self._put(event.unit, event.location)
        if event.location in self.field.terrain and self.phase != "set-up":
            self._enter(event.unit, (event.location,))

    def _moved(self, event: UnitMoved) -> None:
        self._put(event.unit, event.path[-1])
        self._enter(event.unit, event.path[1:])
        if event.manner == Manner.RETREATS:
            self.retreated.add(event.unit)  # 10.3.4

    def _step_lost(self, event: StepLost) -> None:
        self.steps[event.unit] -= 1
        self._changed()

    def _eliminated(self, event: UnitEliminated) -> None:
        self.steps[event.unit] = self.world.units[event.unit].steps
        self._put(event.unit, event.to)

    def _put_away(self, event: Any) -> None:
        self._put(event.unit, event.to)

    def _built(self, event: FortressBuilt) -> None:
        self.steps[event.marker] = event.level
        self._put(event.marker, event.hex)

    def _turn_began(self, event: TurnBegan) -> None:
        self.turn = event.turn

    def _phase_entered(self, event: PhaseEntered) -> None:
        self.phase = event.phase

    def _activated(self, event: UnitsActivated) -> None:
        self.active = event.units
        self.retreated.clear()

    def _activation_ended(self, event: ActivationEnded) -> None:
        self.active = ()
        self.retreated.clear()

    def _stood_down(self, event: StoodDown) -> None:
        self.stand_fast.discard(event.hex)

    def _entry_chosen(self, event: EntryChosen) -> None:
        self.entry_hex = event.hex

    def _zhukov_called(self, event: ZhukovCalled) -> None:
        self.zhukov = self.turn

    # -- chits -------------------------------------------------------------------------------------------------------------

    def _chit_added(self, event: ChitAdded) -> None:
        self.added.append(event.chit)

    def _chit_selected(self, event: ChitSelected) -> None:
        (self.hand if event.held else self.selected)[event.side].append(event.chit)

    def _cup_filled(self, event: CupFilled) -> None:
        """6.2.5: what was selected, and the Supply Check."""
        self.cup = Multiset(["supply", *self.selected["axis"], *self.selected["soviet"]])
        self.selected = {"axis": [], "soviet": []}
        self.drawn = []

    def _chit_drawn(self, event: ChitDrawn) -> None:
        self.cup[event.chit] -= 1
        self.drawn.append(event.chit)

    def _chit_returned(self, event: ChitReturned) -> None:
        """7.3.2."""
        self.cup[event.chit] += 1
        if event.chit in self.drawn:
            self.drawn.remove(event.chit)

    def _chit_played(self, event: ChitPlayed) -> None:
        if event.chit in self.hand[event.side]:
            self.hand[event.side].remove(event.chit)
        self.drawn.append(event.chit)
