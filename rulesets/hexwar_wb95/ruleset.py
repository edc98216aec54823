"""The ruleset: everything put together, the way a game begins, and what holds in every position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from hexwar.engine import Chart, Colours, Condition, Invariant, Objective, Picture, Setup, Tray
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
from hexwar_wb95.charts import charts_of, objectives_of
from hexwar_wb95.content import AIR, HANGAR, Counter, load_wb95
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

STARS = {"": "", "white": "☆", "black": "★", "gold": "✪"}
"""What a star looks like on a counter."""


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
    symbols: ClassVar[Mapping[str, str]] = {
        "gun": "artillery",
        "sp-gun": "tank",
        "motorised": "truck",
        "air": "aeroplane",
    }
    printed: ClassVar[str] = "strength–move (guns: attack–defence–move); ☆ anti-tank, ★ armour, ✪ assault"
    trays: ClassVar[tuple[Tray, ...]] = (Tray(HANGAR, "Airfields"),)
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
        """Every unit where it begins, and fieldworks that are manned."""
        state = super().start(world)
        state.works = tuple(sorted(label for label in world.scenario.fieldworks if state.layout.stacks.get(label)))
        return state

    # -- what is shown

    def charts(self, world: Wb95World) -> tuple[Chart, ...]:
        """Combat, terrain, fire, columns, bombs."""
        return (*super().charts(world), *charts_of(world))

    def objectives(self, at: At) -> tuple[Objective, ...]:
        """What the scenario counts."""
        return objectives_of(at)

    def values(self, unit: Counter, steps: int) -> str:
        """Strength and movement, with the star; of guns attack, defence and movement; of aircraft the strength."""
        up = unit.faces[steps - 1]
        if unit.arm == AIR:
            return str(up.attack)
        strength = f"{up.attack}–{up.defence}" if unit.is_gun else str(up.attack)
        return f"{STARS[unit.star]}{strength}–{up.move}"

    def state_of(self, at: At, unit: str) -> tuple[Condition, ...]:
        """Disorganised, without supply, or done with its work in a combat phase."""
        state = at.state
        found: list[Condition] = ["cut"] if unit in state.shortage else []
        found += ["disrupted"] if unit in state.shaken else []
        return (*found, "spent") if unit in state.silent or unit in state.used else tuple(found)

    def marks(self, at: At, unit: str) -> tuple[str, ...]:
        """The markers of the system that lie on a unit."""
        state = at.state
        flight = next((flight.task for flight in state.flights if flight.unit == unit), "")
        level = state.shortage.get(unit, 0)
        found = {
            flight: bool(flight),
            "on the march": unit in state.marching,
            "dug in": state.locations.get(unit) in state.works and not flight,
            f"shortage {level}": level > 0,
            "disorganised": unit in state.shaken,
            "barrage fired": unit in state.silent,
            "builds a bridge": unit in state.bridging,
        }
        return tuple([mark for mark, lies in found.items() if lies])

    def picture(self, at: At) -> Picture:
        """With ammunition and with bridges that are down or new; aircraft lie where they fly."""
        found, state = super().picture(at), at.state
        above = {flight.unit: flight.hex for flight in state.flights}
        pieces = tuple([replace(it, place=above[it.id]) if it.id in above else it for it in found.pieces])
        stock = ", ".join(f"{side} {state.ammunition[side]}" for side in at.world.sides if side in state.ammunition)
        notes = [f"ammunition: {stock}"] if stock else []
        for word, hexsides in (("down", state.broken), ("new", state.built)):
            notes += [f"bridges {word}: {', '.join(hexsides)}"] if hexsides else []
        return replace(found, pieces=pieces, notes=(*found.notes, *notes))


def _empty_works(at: At) -> str | None:
    empty = [label for label in at.state.works if not stack(at, label)]
    return f"nobody is in the fieldworks of {', '.join(empty)}" if empty else None


RULESET = Wb95()
