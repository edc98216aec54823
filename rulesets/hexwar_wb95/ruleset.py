"""The ruleset: everything put together, the way a game begins, and what holds in every position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from hexwar.engine import Colours, Invariant, Setup
from hexwar.mechanics import (
    COMBAT_ACTIONS,
    COMBAT_EVENTS,
    HEX_EVENTS,
    Aftermath,
    Arrive,
    Arriving,
    Fighting,
    HexRuleset,
    Layout,
    Move,
    Widen,
    stack,
    standard_invariants,
)
from hexwar.pieces import Losing
from hexwar_wb95 import INFO
from hexwar_wb95.air import AIR_EVENTS, AIR_STEPS, Fly
from hexwar_wb95.bridges import BRIDGE_ACTIONS, BRIDGE_EVENTS, Working
from hexwar_wb95.content import Counter, load_wb95
from hexwar_wb95.fire import FIRE_ACTIONS, FIRE_EVENTS, FIRE_STEPS
from hexwar_wb95.movement import Form, StrategicMoving, Wb95Moving
from hexwar_wb95.results import Chasing, Fleeing, Yield, Yielding
from hexwar_wb95.state import WB95_EVENTS, At, Wb95State
from hexwar_wb95.support import (
    Back,
    Backing,
    CombatEnding,
    LeaveStars,
    Starring,
    Support,
    UseStars,
    Wb95Assembling,
    Wb95Attacking,
)
from hexwar_wb95.turn import SEQUENCE
from hexwar_wb95.works import Digging, DigIn
from hexwar_wb95.world import RULES, Wb95World


class Wb95(HexRuleset[Wb95State, Wb95World]):
    """The system, with its scenarios."""

    info = INFO
    rules = RULES
    sequence = SEQUENCE
    state_type = Wb95State
    colours: ClassVar[Mapping[str, Colours]] = {
        "soviet": Colours("#b3402e", "#fff6ee", "#5c150b"),
        "axis": Colours("#c8ccc4", "#1d231d", "#59625a"),
    }
    actions = (
        Move,
        Form,
        Arrive,
        *COMBAT_ACTIONS,
        Widen,
        Support,
        Back,
        UseStars,
        LeaveStars,
        Yield,
        DigIn,
        Fly,
        *FIRE_ACTIONS,
        *BRIDGE_ACTIONS,
    )
    steps = (
        Wb95Moving,
        StrategicMoving,
        Arriving,
        Wb95Attacking,
        Wb95Assembling,
        Fighting,
        Aftermath,
        Losing,
        Fleeing,
        Chasing,
        Backing,
        Starring,
        Yielding,
        Digging,
        CombatEnding,
        Working,
        *AIR_STEPS,
        *FIRE_STEPS,
    )
    events = (*HEX_EVENTS, *COMBAT_EVENTS, *WB95_EVENTS, *AIR_EVENTS, *FIRE_EVENTS, *BRIDGE_EVENTS)
    invariants = (
        *standard_invariants(stacking="stack.1", sides_apart="stack.1", zones="zoc.1", steps="result.8", control="phase.1"),
        Invariant("up.3", "fieldworks have somebody in them", lambda at: _empty_works(at)),
    )

    def world(self, setup: Setup) -> Wb95World:
        """Board, counters and tables."""
        return Wb95World(setup, SEQUENCE)

    def provenance(self) -> Mapping[str, Mapping[str, object]]:
        """What the content files say of themselves."""
        return load_wb95().provenance

    def bare(self, world: Wb95World) -> Wb95State:
        """An empty map with its places."""
        owners = {name: side for side, names in world.scenario.control.items() for name in names}
        control = {label: owners[place.name] for place in world.board.places if place.name in owners for label in place.hexes}
        return Wb95State(control=control, ammunition=dict(world.scenario.ammunition), layout=Layout(world.basis))

    def start(self, world: Wb95World) -> Wb95State:
        """Every unit where it begins, and fieldworks where somebody is in them."""
        state = super().start(world)
        state.works = tuple(sorted(label for label in world.scenario.fieldworks if state.layout.stacks.get(label)))
        return state

    def values(self, unit: Counter, steps: int) -> str:
        """Attack, defence and movement of guns; strength and movement of the others; with the star."""
        up, star = unit.faces[steps - 1], {"": "", "white": "☆", "black": "★", "gold": "✪"}[unit.star]
        strength = f"{up.attack}–{up.defence}" if unit.is_gun else str(up.attack)
        return f"{star}{strength}–{up.move}"


def _empty_works(at: At) -> str | None:
    empty = [label for label in at.state.works if not stack(at, label)]
    return f"nobody is in the fieldworks of {', '.join(empty)}" if empty else None


RULESET = Wb95()
