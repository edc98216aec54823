"""The ruleset: all parts put together, how a game begins, and what holds in every position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from hexwar.engine import Colours, Invariant, RandomSource, Setup, TurnMark, View
from hexwar.mechanics import (
    COMBAT_ACTIONS,
    COMBAT_EVENTS,
    COMBAT_STEPS,
    HEX_EVENTS,
    Arrive,
    Arriving,
    HexRuleset,
    Layout,
    Move,
    RollModified,
    standard_invariants,
)
from hexwar.pieces import (
    CHIT_ACTIONS,
    CHIT_EVENTS,
    ActivationEnded,
    Call,
    Interrupt,
    Selecting,
    UnitsActivated,
)
from hexwar_tow import (
    INFO,
    activation,
    combat,
    crossings,
    late_chits,
    luftwaffe,
    negotiation,
    okh,
    reinforcements,
    relocation,
    setting_up,
    supply,
)
from hexwar_tow.content import load_tow
from hexwar_tow.counters import HQ
from hexwar_tow.state import TOW_EVENTS, At, TowState
from hexwar_tow.turn import SEQUENCE
from hexwar_tow.world import RULES, TowWorld


class TracesOfWar(HexRuleset[TowState, TowWorld]):
    """The game on the Dnieper."""

    info = INFO
    rules = RULES
    sequence = SEQUENCE
    state_type = TowState
    designated = True
    colours: ClassVar[Mapping[str, Colours]] = {
        "axis": Colours("#59636b", "#ffffff", "#262c31"),
        "soviet": Colours("#e8b08d", "#4a1204", "#9a3412"),
    }
    symbols: ClassVar[Mapping[str, str]] = {"mechanized": "mechanised"}
    actions = (
        *CHIT_ACTIONS,
        *COMBAT_ACTIONS,
        Move,
        Arrive,
        Call,
        activation.ChooseMode,
        luftwaffe.Commit,
        activation.Include,
        Interrupt,
        activation.Lead,
        negotiation.LiftOrder,
        late_chits.PutIn,
        relocation.Relocate,
        reinforcements.Replace,
        okh.Use,
    )
    steps = (
        *COMBAT_STEPS,
        combat.Accompanied,
        Arriving,
        crossings.AutomaticVictory,
        activation.ChoosingHeadquarters,
        activation.ChoosingMode,
        activation.ChoosingOpening,
        activation.ChoosingSecond,
        okh.ChoosingUse,
        reinforcements.Dropping,
        setting_up.Garrisoning,
        relocation.Marching,
        negotiation.Negotiating,
        okh.Ordering,
        late_chits.PuttingIn,
        activation.Reacting,
        relocation.Relocating,
        reinforcements.Replacing,
        Selecting,
        supply.SupplyCheck,
        luftwaffe.Supporting,
    )
    events = (
        *HEX_EVENTS,
        *CHIT_EVENTS,
        *COMBAT_EVENTS,
        *TOW_EVENTS,
        ActivationEnded,
        late_chits.ChitPutIn,
        RollModified,
        late_chits.SomeChitPutIn,
        UnitsActivated,
    )
    invariants = (
        *standard_invariants(stacking="5.0.2", sides_apart="5.0.6", zones="6.0.1", steps="2.2.6", control="8.1.7"),
        Invariant("4.2.0.6", "every chit of the turn is in one place only", lambda at: _chits_are_wrong(at)),
        Invariant("8.1.9", "only combat units on the map have supply markers", lambda at: _marked_wrongly(at)),
        Invariant("12.3.4", "no crossing point is overlooked", lambda at: _crossing_overlooked(at)),
        Invariant("7.0.3", "there are as many Luftwaffe markers as everybody counts", lambda at: _markers_are_wrong(at)),
        Invariant("12.2.3", "no city with an order is Soviet while the game goes on", lambda at: _order_ignored(at)),
        Invariant("11.1.7", "no Axis unit stands on the Airborne marker", lambda at: _marker_occupied(at)),
    )

    def world(self, setup: Setup) -> TowWorld:
        """Board, counters and charts."""
        return TowWorld(setup, SEQUENCE)

    def brings(self, world: TowWorld, turn: int) -> tuple[TurnMark, ...]:
        """4.2.2.2: the chits that the Axis chooses."""
        numbers = world.entry.axis_chits or world.printed.track.axis_chits
        return (TurnMark("rule", f"chits that the Axis chooses: {numbers[turn - 1]}", "4.2.2.2", "axis"),)

    def provenance(self) -> Mapping[str, Mapping[str, object]]:
        """What the content files say of themselves."""
        return load_tow().provenance

    def imagine(self, view: View, at: At, chance: RandomSource) -> None:
        """7.0.4: any markers of the Luftwaffe, as many as everybody counts; and chits and bids."""
        if view.side != "axis" and at.state.sorties:
            luftwaffe.imagine_markers(at, chance)
        super().imagine(view, at, chance)

    def bare(self, world: TowWorld) -> TowState:
        """An empty map; units that begin in a box are there."""
        state = TowState(
            turn=1,  # 3.0.3
            control=dict.fromkeys(world.controlled, "axis"),  # 3.0.9, 8.1.7
            orders=tuple(sorted(label for label in world.printed.markers.supreme_command_orders if label in world.cities)),
            layout=Layout(world.basis),
        )
        self.place(world, state, {unit: {"at": it.start} for unit, it in world.units.items() if it.start in world.boxes})
        return state

    def start(self, world: TowWorld) -> TowState:
        """3.0.1: everything in its printed hex or its box, at full strength and in supply (2.2.8, 3.0.5)."""
        state = self.bare(world)
        self.place(world, state, {unit: {"at": it.start} for unit, it in world.units.items() if it.start in world.board})
        return state


def _chits_are_wrong(at: At) -> str | None:
    state = at.state
    if state.ready or state.phase == "selection":  # what was drawn last turn may be chosen again
        return None
    chits = [
        *state.cup,
        *state.drawn,
        *(chit for of_side in (*state.hand.values(), *state.selected.values()) for chit in of_side),
    ]
    twice = sorted({chit for chit in chits if chits.count(chit) > 1})
    return f"{', '.join(twice)} in two places" if twice else None


def _marked_wrongly(at: At) -> str | None:
    units = at.world.units
    wrong = [unit for unit in at.state.supply if units[unit].arm == HQ or at.state.locations.get(unit) not in at.world.board]
    return ", ".join(wrong) or None


def _crossing_overlooked(at: At) -> str | None:
    wrong = [label for label in at.world.crossing_hexes if label not in at.state.crossings and crossings.why_gained(at, label)]
    return ", ".join(wrong) or None


def _markers_are_wrong(at: At) -> str | None:
    have = at.state.luftwaffe.get("axis", ())
    return None if len(have) == at.state.sorties else f"{len(have)} are there, {at.state.sorties} are counted"


def _order_ignored(at: At) -> str | None:
    if at.state.result is not None:
        return None
    wrong = [label for label in at.state.orders if at.state.control.get(label) == "soviet"]
    return ", ".join(wrong) or None


def _marker_occupied(at: At) -> str | None:
    here = at.state.layout.stacks.get(at.state.airborne, ()) if at.state.airborne else ()
    return ", ".join(unit for unit in here if at.world.units[unit].side == "axis") or None


RULESET = TracesOfWar()
