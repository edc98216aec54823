"""The engine: state, steps, actions, events, chance, history, views and saves. It knows no hexes."""

from hexwar.engine.actions import Action, ActionSet, Choices, Explained, Filtered, Grouped, Listed, RandomSource, pick
from hexwar.engine.chance import Chance, SeededChance, TapedChance
from hexwar.engine.events import DiceRolled, Event, GameEnded, LotDrawn, PhaseEntered, Sight, StepPopped, StepPushed, StepReplaced
from hexwar.engine.game import Decision, Game
from hexwar.engine.hooks import Hooks
from hexwar.engine.info import NEUTRAL, Option, RulesetInfo, Scenario, Seating, settle_options
from hexwar.engine.lanes import LANE_EVENTS, Lane, LaneEntered, LaneLeft, Lanes
from hexwar.engine.parts import Part, part
from hexwar.engine.picture import Colours, Picture, Piece
from hexwar.engine.question import Ending, Group, HasBoard, HasUnits, Question
from hexwar.engine.records import Json, Record, essence, plain, record
from hexwar.engine.rules import Clause, RuleIndex, Status, rule_coverage
from hexwar.engine.ruleset import Invariant, Ruleset, Setup
from hexwar.engine.sequence import Branch, Loop, Phase, SequenceOfPlay, Sequencing, phase_title
from hexwar.engine.state import Result, State, Viewer, derived, hidden, owned, public, redacted, state
from hexwar.engine.steps import Concern, Play, Position, Step, World
from hexwar.engine.view import View

__all__ = [
    "LANE_EVENTS",
    "NEUTRAL",
    "Action",
    "ActionSet",
    "Branch",
    "Chance",
    "Choices",
    "Clause",
    "Colours",
    "Concern",
    "Decision",
    "DiceRolled",
    "Ending",
    "Event",
    "Explained",
    "Filtered",
    "Game",
    "GameEnded",
    "Group",
    "Grouped",
    "HasBoard",
    "HasUnits",
    "Hooks",
    "Invariant",
    "Json",
    "Lane",
    "LaneEntered",
    "LaneLeft",
    "Lanes",
    "Listed",
    "Loop",
    "LotDrawn",
    "Option",
    "Part",
    "Phase",
    "PhaseEntered",
    "Picture",
    "Piece",
    "Play",
    "Position",
    "Question",
    "RandomSource",
    "Record",
    "Result",
    "RuleIndex",
    "Ruleset",
    "RulesetInfo",
    "Scenario",
    "Seating",
    "SeededChance",
    "SequenceOfPlay",
    "Sequencing",
    "Setup",
    "Sight",
    "State",
    "Status",
    "Step",
    "StepPopped",
    "StepPushed",
    "StepReplaced",
    "TapedChance",
    "View",
    "Viewer",
    "World",
    "derived",
    "essence",
    "hidden",
    "owned",
    "part",
    "phase_title",
    "pick",
    "plain",
    "public",
    "record",
    "redacted",
    "rule_coverage",
    "settle_options",
    "state",
]
