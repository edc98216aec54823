"""The ruleset: all parts put together, how a game begins, and which queries it answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from hexwar.engine import Colours, Invariant, Piece, Setup
from hexwar.errors import HexwarError
from hexwar.mechanics import HEX_EVENTS, Arrive, HexRuleset, Layout, Move, Moving, SupplyReport, standard_invariants
from hexwar.pieces import stands
from hexwar_wop import INFO
from hexwar_wop.activation import Activating, ActivationBegan, ActivationOver, Marching
from hexwar_wop.air import AIR_ACTIONS, AIR_STEPS
from hexwar_wop.air_fights import AIR_EVENTS
from hexwar_wop.combat import COMBAT_ACTIONS, COMBAT_EVENTS, COMBAT_STEPS
from hexwar_wop.command import BegunWithoutCommand, CommandChecked, CommandMarkersRemoved
from hexwar_wop.content import AIR, load_wop
from hexwar_wop.flights import FLIGHT_EVENTS, hex_of
from hexwar_wop.garrisons import Garrisoning, LeaveGarrison, TakeGarrison
from hexwar_wop.groups import GROUP_ACTIONS, GROUP_STEPS
from hexwar_wop.overstacking import Displace, Displacing, overfull
from hexwar_wop.queries import CombatQuery
from hexwar_wop.reactions import REACTION_ACTIONS, REACTION_EVENTS, REACTION_STEPS
from hexwar_wop.recreation import LevelGained, MarkersRemoved, ReturnDetermined
from hexwar_wop.reinforcements import Reinforcing
from hexwar_wop.replacements import (
    MarkerPlaced,
    Recreated,
    Recreating,
    Refit,
    Refitting,
    ReturnDelayed,
)
from hexwar_wop.supply import SupplyChecked, is_headquarters_supplied, is_supplied
from hexwar_wop.transport import TRANSPORT_ACTIONS, TRANSPORT_EVENTS, TRANSPORT_STEPS, misplaced
from hexwar_wop.turn import SEQUENCE
from hexwar_wop.victory import RadioTaken
from hexwar_wop.weather import WeatherSet
from hexwar_wop.world import RULES, At, Counter, WopState, WopWorld


def _overstacked(at: At) -> str | None:
    found = [] if at.state.active else overfull(at)
    return f"too many stand in {', '.join(found)}" if found else None


class WopQuery(CombatQuery):
    """Supply, command and zones; questions about absent rules are refused in a sentence."""

    _at: Any

    def supply(self, unit_or_hex: str, side: str | None = None) -> SupplyReport:
        """Whether a unit or a headquarters is supplied, and by which clause."""
        at: At = self._at
        if unit_or_hex not in at.world.units:
            raise HexwarError(f"{unit_or_hex} is no unit: supply is traced for units and headquarters")
        counter = at.world.units[unit_or_hex]
        if counter.level and stands(at, unit_or_hex):
            return SupplyReport(is_headquarters_supplied(at, unit_or_hex), (), "3.2.a")
        if unit_or_hex not in at.world.command.pieces(at, counter.side):
            raise HexwarError(f"{unit_or_hex} is not on the map")
        supplied, clause = is_supplied(at, unit_or_hex)
        return SupplyReport(supplied, (), clause)


class Independence(HexRuleset[WopState, WopWorld]):
    """The series."""

    info = INFO
    rules = RULES
    sequence = SEQUENCE
    state_type = WopState
    colours: ClassVar[Mapping[str, Colours]] = {
        "polish": Colours("#f3f1ee", "#7a1022", "#b3132b"),
        "soviet": Colours("#e8b08d", "#4a1204", "#9a3412"),
    }
    symbols: ClassVar[Mapping[str, str]] = {
        "armoured_car": "armoured-car",
        "armoured_train": "armoured-train",
        "river_unit": "boat",
        "air": "aeroplane",
    }
    printed: ClassVar[str] = "strength–morale–move (HQ: range–rating–move)"
    actions = (
        Move,
        Arrive,
        Refit,
        LeaveGarrison,
        TakeGarrison,
        Displace,
        *COMBAT_ACTIONS,
        *REACTION_ACTIONS,
        *AIR_ACTIONS,
        *TRANSPORT_ACTIONS,
        *GROUP_ACTIONS,
    )
    steps = (
        Activating,
        Marching,
        Moving,
        Reinforcing,
        Recreating,
        Refitting,
        Garrisoning,
        Displacing,
        *COMBAT_STEPS,
        *REACTION_STEPS,
        *TRANSPORT_STEPS,
        *GROUP_STEPS,
        *AIR_STEPS,
    )
    events = (
        *HEX_EVENTS,
        *COMBAT_EVENTS,
        *REACTION_EVENTS,
        *TRANSPORT_EVENTS,
        *AIR_EVENTS,
        *FLIGHT_EVENTS,
        SupplyChecked,
        CommandChecked,
        CommandMarkersRemoved,
        BegunWithoutCommand,
        WeatherSet,
        ActivationBegan,
        ActivationOver,
        RadioTaken,
        ReturnDetermined,
        ReturnDelayed,
        Recreated,
        MarkerPlaced,
        MarkersRemoved,
        LevelGained,
    )
    invariants = (
        Invariant("12.2.a", "between activations, no stack is over the limit", _overstacked),
        Invariant("18.2.a", "who is loaded is where its transport is", misplaced),
        *standard_invariants(stacking="12.2.a", sides_apart="12.1.a", zones="10.1", steps="1.3.a")[1:],
    )

    def world(self, setup: Setup) -> WopWorld:
        """Board, counters and tables."""
        return WopWorld(setup, SEQUENCE)

    def provenance(self) -> Mapping[str, Mapping[str, object]]:
        """What the content files say of themselves."""
        files: dict[str, Any] = load_wop().files
        return {name: file.provenance for name, file in files.items()}

    def bare(self, world: WopWorld) -> WopState:
        """An empty map in the first turn."""
        markers = dict(world.scenario.replacements)
        return WopState(turn=1, control=world.owners(), markers=markers, layout=Layout(world.basis))

    def _pieces(self, at: At) -> Iterator[Piece]:
        """17: air units over the map lie on whatever is there."""
        above = {flight.unit: hex_of(at, flight) for flight in at.state.flights}
        for piece in super()._pieces(at):
            yield replace(piece, place=above[piece.id]) if piece.id in above else piece

    def query(self, at: At) -> WopQuery:
        """Supply, command and zones."""
        return WopQuery(at)

    # -- 1.3, 1.6 what is on a counter

    def symbol(self, unit: Counter) -> str:
        """1.3.c: headquarters say of what level they are."""
        return f"headquarters-{unit.level}" if unit.level else super().symbol(unit)

    def values(self, unit: Counter, steps: int) -> str:
        """1.3.b, 1.3.c: strength, morale and movement, with the range of guns; range, rating and movement of headquarters."""
        up = unit.faces[steps - 1]
        if unit.level:
            return f"{unit.command}–{unit.rating}–{up.move}"
        if unit.arm == AIR:
            return "★" * (unit.stars if steps == unit.steps else unit.stars_weakened)
        strength = f"({up.defence})" if up.defence and not up.attack else str(up.defence)
        return f"{strength}–{unit.morale}–{up.move}" + (f":{unit.reach}" if unit.reach else "")

    def levels(self, unit: Counter, steps: int) -> tuple[int, int]:
        """1.3.a: one to three."""
        return (steps, unit.steps) if not unit.level else (0, 0)


RULESET = Independence()
