"""The ruleset: all parts put together, how a game begins, and which queries it answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NoReturn

from hexwar.engine import Colours, Setup
from hexwar.errors import HexwarError
from hexwar.mechanics import (
    PIECE_EVENTS,
    Arrive,
    Done,
    HexRuleset,
    Layout,
    Move,
    Moving,
    SupplyReport,
    Walking,
    standard_invariants,
    stands,
)
from hexwar_wop import INFO
from hexwar_wop.activation import Activating, ActivationBegan, ActivationOver, Marching
from hexwar_wop.command import CommandChecked, CommandMarkersRemoved
from hexwar_wop.content import load_wop
from hexwar_wop.queries import CombatQuery
from hexwar_wop.recreation import ReturnDetermined
from hexwar_wop.reinforcements import Reinforcing
from hexwar_wop.supply import SupplyChecked, is_headquarters_supplied, is_supplied, pieces
from hexwar_wop.turn import SEQUENCE
from hexwar_wop.victory import RadioTaken
from hexwar_wop.weather import WeatherSet
from hexwar_wop.world import RULES, At, WopState, WopWorld


class WopQuery(CombatQuery):
    """Supply, command and zones; questions about absent rules are refused in a sentence."""

    _at: Any
    has_retreats = False

    def supply(self, unit_or_hex: str, side: str | None = None) -> SupplyReport:
        """Whether a unit or a headquarters is supplied, and by which clause."""
        at: At = self._at
        if unit_or_hex not in at.world.units:
            raise HexwarError(f"{unit_or_hex} is no unit: supply is traced for units and headquarters")
        counter = at.world.units[unit_or_hex]
        if counter.level and stands(at, unit_or_hex):
            return SupplyReport(is_headquarters_supplied(at, unit_or_hex), (), "3.2.a")
        if unit_or_hex not in pieces(at, counter.side):
            raise HexwarError(f"{unit_or_hex} is not on the map")
        supplied, clause = is_supplied(at, unit_or_hex)
        return SupplyReport(supplied, (), clause)

    def retreats(self, unit: str, hexes: int) -> NoReturn:
        """Absent."""
        raise HexwarError("retreats (14) are not there yet")


class Independence(HexRuleset[WopState, WopWorld]):
    """The series, as far as it is implemented."""

    info = INFO
    rules = RULES
    sequence = SEQUENCE
    state_type = WopState
    colours: ClassVar[Mapping[str, Colours]] = {
        "polish": Colours("#f3f1ee", "#7a1022", "#b3132b"),
        "soviet": Colours("#e8b08d", "#4a1204", "#9a3412"),
    }
    symbols: ClassVar[Mapping[str, str]] = {"tank": "armour"}
    actions = (Move, Arrive, Done)
    steps = (Activating, Marching, Moving, Walking, Reinforcing)
    events = (
        *PIECE_EVENTS,
        SupplyChecked,
        CommandChecked,
        CommandMarkersRemoved,
        WeatherSet,
        ActivationBegan,
        ActivationOver,
        RadioTaken,
        ReturnDetermined,
    )
    invariants = standard_invariants(stacking="12.2.a", sides_apart="12.1.a", zones="10.1", steps="1.3.a")

    def world(self, setup: Setup) -> WopWorld:
        """Board, counters and tables."""
        return WopWorld(setup, SEQUENCE)

    def provenance(self) -> Mapping[str, Mapping[str, object]]:
        """What the content files say of themselves."""
        files: dict[str, Any] = load_wop().files
        return {name: file.provenance for name, file in files.items()}

    def bare(self, world: WopWorld) -> WopState:
        """An empty map in the first turn."""
        return WopState(turn=1, control=world.owners(), layout=Layout(world.basis))

    def query(self, at: At) -> WopQuery:
        """Supply, command and zones."""
        return WopQuery(at)


RULESET = Independence()
