"""Mechanics: rule parts that hex wargames share, each with the parameters in which games differ.

The [glossary](../glossary.md) explains the words: seat, step, part, offer, question and so on.
"""

from hexwar.mechanics._arrival import Arrive, Arriving, ComingIn, Enter, Entering, Reinforcements, entry_reach
from hexwar.mechanics._battle import Battle, Combat, CombatWorld, Pairs, RollModified, Stage, TableCombat, TargetDeclared
from hexwar.mechanics._chart import ArmCosts, TerrainChart
from hexwar.mechanics._chartfile import ChartFile
from hexwar.mechanics._combat import (
    COMBAT_ACTIONS,
    COMBAT_EVENTS,
    COMBAT_STEPS,
    Aftermath,
    Assembling,
    Attack,
    AttackAnnounced,
    AttackCancelled,
    Attacking,
    AttackResolved,
    CallOff,
    Fighting,
    Join,
    LeadsToCombat,
    Resolve,
    Widen,
)
from hexwar.mechanics._command import Command
from hexwar.mechanics._declared import (
    DECLARED_COMBAT_ACTIONS,
    DECLARED_COMBAT_EVENTS,
    DECLARED_COMBAT_STEPS,
    Declare,
    Declaring,
    Fight,
    Resolving,
)
from hexwar.mechanics._going import NORMAL, Bar, Going, Mode, ZoneTerms
from hexwar.mechanics._invariants import standard_invariants
from hexwar.mechanics._layout import Basis, Layout
from hexwar.mechanics._movement import Movement
from hexwar.mechanics._moving import Move, Moves, Moving, Walking, WalkingMovement
from hexwar.mechanics._obligations import Obligations
from hexwar.mechanics._pieces import HEX_EVENTS, ControlTaken, enter_hexes, go, has_room, in_enemy_zone, occupant, stack
from hexwar.mechanics._priced import PricedSupply
from hexwar.mechanics._prices import Prices
from hexwar.mechanics._pursuit import Pursue, Pursuing, PursuitRules
from hexwar.mechanics._queries import HexQuery, SupplyReport
from hexwar.mechanics._reaches import Reaches
from hexwar.mechanics._retreat import Longer, Measure, Path, Retreat, Retreating, RetreatOption, RetreatRules, Way, why_closed
from hexwar.mechanics._ruleset import HexRuleset
from hexwar.mechanics._stacking import Stacking
from hexwar.mechanics._state import HexName, HexState
from hexwar.mechanics._supply import LineTerms, Supply, Ways
from hexwar.mechanics._why_not_move import ReachReport, price_or_refusal, reach_report, why_not_along, why_not_move
from hexwar.mechanics._world import HexWorld
from hexwar.mechanics._zones import ChangingZones, Zones

__all__ = [
    "COMBAT_ACTIONS",
    "COMBAT_EVENTS",
    "COMBAT_STEPS",
    "DECLARED_COMBAT_ACTIONS",
    "DECLARED_COMBAT_EVENTS",
    "DECLARED_COMBAT_STEPS",
    "HEX_EVENTS",
    "NORMAL",
    "Aftermath",
    "ArmCosts",
    "Arrive",
    "Arriving",
    "Assembling",
    "Attack",
    "AttackAnnounced",
    "AttackCancelled",
    "AttackResolved",
    "Attacking",
    "Bar",
    "Basis",
    "Battle",
    "CallOff",
    "ChangingZones",
    "ChartFile",
    "Combat",
    "CombatWorld",
    "ComingIn",
    "Command",
    "ControlTaken",
    "Declare",
    "Declaring",
    "Enter",
    "Entering",
    "Fight",
    "Fighting",
    "Going",
    "HexName",
    "HexQuery",
    "HexRuleset",
    "HexState",
    "HexWorld",
    "Join",
    "Layout",
    "LeadsToCombat",
    "LineTerms",
    "Longer",
    "Measure",
    "Mode",
    "Move",
    "Movement",
    "Moves",
    "Moving",
    "Obligations",
    "Pairs",
    "Path",
    "PricedSupply",
    "Prices",
    "Pursue",
    "Pursuing",
    "PursuitRules",
    "ReachReport",
    "Reaches",
    "Reinforcements",
    "Resolve",
    "Resolving",
    "Retreat",
    "RetreatOption",
    "RetreatRules",
    "Retreating",
    "RollModified",
    "Stacking",
    "Stage",
    "Supply",
    "SupplyReport",
    "TableCombat",
    "TargetDeclared",
    "TerrainChart",
    "Walking",
    "WalkingMovement",
    "Way",
    "Ways",
    "Widen",
    "ZoneTerms",
    "Zones",
    "enter_hexes",
    "entry_reach",
    "go",
    "has_room",
    "in_enemy_zone",
    "occupant",
    "price_or_refusal",
    "reach_report",
    "stack",
    "standard_invariants",
    "why_closed",
    "why_not_along",
    "why_not_move",
]
