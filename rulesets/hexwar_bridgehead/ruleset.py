"""The ruleset: everything put together, the way a game begins, and what holds in every position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from hexwar.engine import Colours, Invariant, Setup
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
    Moving,
    standard_invariants,
)
from hexwar.pieces import CHIT_ACTIONS, CHIT_EVENTS, Selecting
from hexwar_bridgehead import INFO
from hexwar_bridgehead.turn import SEQUENCE
from hexwar_bridgehead.world import RULES, At, BridgeheadState, BridgeheadWorld


class Bridgehead(HexRuleset[BridgeheadState, BridgeheadWorld]):
    """The small game."""

    info = INFO
    rules = RULES
    sequence = SEQUENCE
    state_type = BridgeheadState
    colours: ClassVar[Mapping[str, Colours]] = {
        "blue": Colours("#1f5a9e", "#ffffff", "#0e2f57"),
        "red": Colours("#f0a083", "#3a0d02", "#8e2f12"),
    }
    actions = (*CHIT_ACTIONS, Move, Arrive, *COMBAT_ACTIONS)
    steps = (Selecting, Moving, Arriving, *COMBAT_STEPS)
    events = (*HEX_EVENTS, *CHIT_EVENTS, *COMBAT_EVENTS)
    invariants = (
        *standard_invariants(stacking="3.1", sides_apart="3.2", zones="4.1", steps="2.1"),
        Invariant("7.2", "no unit stands in a lake", lambda at: _in_lake(at)),
    )

    def world(self, setup: Setup) -> BridgeheadWorld:
        """Board, counters and charts."""
        return BridgeheadWorld(setup, SEQUENCE)

    def bare(self, world: BridgeheadWorld) -> BridgeheadState:
        """An empty board with its towns."""
        owners = {name: side for side, names in world.scenario.holds.items() for name in names}
        control = {label: owners[place.name] for place in world.board.places if place.name in owners for label in place.hexes}
        return BridgeheadState(control=control, layout=Layout(world.basis))


def _in_lake(at: At) -> str | None:
    drowned = [
        unit for unit, label in at.state.locations.items() if label in at.world.board and at.world.board.terrain(label) == "lake"
    ]
    return f"{', '.join(drowned)} in a lake" if drowned else None


RULESET = Bridgehead()
