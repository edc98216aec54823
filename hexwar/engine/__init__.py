"""The engine: state, steps, actions, events, chance, history, views and saves. It knows nothing about hexes."""

from hexwar.engine._actions import Action, ActionSet, Choices, Explained, Filtered, Grouped, Listed, Offers, RandomSource, pick
from hexwar.engine._chance import Chance, SeededChance, TapedChance
from hexwar.engine._events import (
    DiceRolled,
    Event,
    GameEnded,
    LotDrawn,
    News,
    PhaseEntered,
    PublicEvent,
    Sight,
    StepPopped,
    StepPushed,
    StepReplaced,
)
from hexwar.engine._game import Decision, Game, Playout
from hexwar.engine._info import NEUTRAL, Option, RulesetInfo, Scenario, Seating, settle_options
from hexwar.engine._lanes import Lane, LaneEntered, LaneLeft, Lanes
from hexwar.engine._names import Below, Names, SeatName, SideName, misnamed
from hexwar.engine._parts import Part, part
from hexwar.engine._picture import Colours, Picture, Piece
from hexwar.engine._question import Ending, Group, HasBoard, HasUnits, Question
from hexwar.engine._records import Json, Record, essence, plain, record
from hexwar.engine._rules import Clause, RuleIndex, Status, rule_coverage
from hexwar.engine._ruleset import Hooks, Invariant, Ruleset, Setup
from hexwar.engine._sequence import Branch, Loop, Phase, SequenceOfPlay, Sequencing, phase_title
from hexwar.engine._state import Result, State, Viewer, derived, hidden, owned, public, redacted, state
from hexwar.engine._steps import Concern, Play, Position, Step, World
from hexwar.engine._view import View
from hexwar.files import TextSource

__all__ = [
    "NEUTRAL",
    "Action",
    "ActionSet",
    "Below",
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
    "Names",
    "News",
    "Offers",
    "Option",
    "Part",
    "Phase",
    "PhaseEntered",
    "Picture",
    "Piece",
    "Play",
    "Playout",
    "Position",
    "PublicEvent",
    "Question",
    "RandomSource",
    "Record",
    "Result",
    "RuleIndex",
    "Ruleset",
    "RulesetInfo",
    "Scenario",
    "SeatName",
    "Seating",
    "SeededChance",
    "SequenceOfPlay",
    "Sequencing",
    "Setup",
    "SideName",
    "Sight",
    "State",
    "Status",
    "Step",
    "StepPopped",
    "StepPushed",
    "StepReplaced",
    "TapedChance",
    "TextSource",
    "View",
    "Viewer",
    "World",
    "derived",
    "essence",
    "hidden",
    "misnamed",
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
