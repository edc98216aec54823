"""Mechanics: rule parts that hex wargames share, each with the parameters in which games differ."""

from hexwar.mechanics.arrival import Arrive, Arriving
from hexwar.mechanics.battle import Battle, CombatWorld, odds
from hexwar.mechanics.chart import ArmCosts, TerrainChart
from hexwar.mechanics.chits import (
    CHIT_ACTIONS,
    CHIT_EVENTS,
    ChitDrawn,
    ChitState,
    ChitWorld,
    CupFilled,
    Ready,
    Select,
    Selecting,
    draw_chit,
)
from hexwar.mechanics.combat import (
    COMBAT_ACTIONS,
    COMBAT_EVENTS,
    COMBAT_STEPS,
    Assembling,
    Attack,
    AttackDeclared,
    Attacking,
    AttackResolved,
    CallOff,
    Join,
    Resolve,
)
from hexwar.mechanics.command import in_command
from hexwar.mechanics.content import Content, load_content
from hexwar.mechanics.invariants import standard_invariants
from hexwar.mechanics.layout import Ground, Layout
from hexwar.mechanics.losses import LoseStep, Losing
from hexwar.mechanics.movement import Move, Moving, ReachReport, can_enter, can_step, destinations, reach_of
from hexwar.mechanics.odds import CombatTable, Odds, Outcome, Shift, Strength
from hexwar.mechanics.onebyone import Done, OneByOne, UnitAction
from hexwar.mechanics.pieces import (
    PIECE_EVENTS,
    ControlTaken,
    StepLost,
    TurnBegan,
    UnitEliminated,
    UnitMoved,
    UnitPlaced,
    enter_hexes,
    face,
    has_room,
    in_enemy_zone,
    lose_step,
    occupant,
    on_board,
    place_units,
    stack,
)
from hexwar.mechanics.pursuit import Pursue, Pursuing
from hexwar.mechanics.queries import HexQuery, SupplyReport
from hexwar.mechanics.retreat import Retreat, Retreating
from hexwar.mechanics.retreat_paths import Criterion, RetreatOption
from hexwar.mechanics.supply import SupplyRules
from hexwar.mechanics.topics import TopicStep, against
from hexwar.mechanics.units import Face, Unit, load_roster, require_known
from hexwar.mechanics.victory import Score, total
from hexwar.mechanics.world import HexState, HexWorld

__all__ = [
    "CHIT_ACTIONS",
    "CHIT_EVENTS",
    "COMBAT_ACTIONS",
    "COMBAT_EVENTS",
    "COMBAT_STEPS",
    "PIECE_EVENTS",
    "ArmCosts",
    "Arrive",
    "Arriving",
    "Assembling",
    "Attack",
    "AttackDeclared",
    "AttackResolved",
    "Attacking",
    "Battle",
    "CallOff",
    "ChitDrawn",
    "ChitState",
    "ChitWorld",
    "CombatTable",
    "CombatWorld",
    "Content",
    "ControlTaken",
    "Criterion",
    "CupFilled",
    "Done",
    "Face",
    "Ground",
    "HexQuery",
    "HexState",
    "HexWorld",
    "Join",
    "Layout",
    "LoseStep",
    "Losing",
    "Move",
    "Moving",
    "Odds",
    "OneByOne",
    "Outcome",
    "Pursue",
    "Pursuing",
    "ReachReport",
    "Ready",
    "Resolve",
    "Retreat",
    "RetreatOption",
    "Retreating",
    "Score",
    "Select",
    "Selecting",
    "Shift",
    "StepLost",
    "Strength",
    "SupplyReport",
    "SupplyRules",
    "TerrainChart",
    "TopicStep",
    "TurnBegan",
    "Unit",
    "UnitAction",
    "UnitEliminated",
    "UnitMoved",
    "UnitPlaced",
    "against",
    "can_enter",
    "can_step",
    "destinations",
    "draw_chit",
    "enter_hexes",
    "face",
    "has_room",
    "in_command",
    "in_enemy_zone",
    "load_content",
    "load_roster",
    "lose_step",
    "occupant",
    "odds",
    "on_board",
    "place_units",
    "reach_of",
    "require_known",
    "stack",
    "standard_invariants",
    "total",
]
