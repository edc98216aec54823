"""The property-testing kit: scripted dice, hand-made positions, random games, delta debugging and the conformance checks.

This interface is promised, and so are `oracles`, `strategies`, `planting`, `drills`, `profiles` and `pytest_plugin` behind it;
the other modules are internal and may change. The extra `hexwar[testing]` is needed only for `conformance_suite`, which makes
pytest tests that Hypothesis drives, for `RulesetMachine`, and for `strategies` and `profiles`, none of which is imported here.
"""

from typing import TYPE_CHECKING, Any

from hexwar.testing._checks import CHECKS, check_named, checks_of
from hexwar.testing._checks.corpus import Corpus
from hexwar.testing._checks.exact import ExactChance
from hexwar.testing._checks.following import HUGE, Following, Remembering, current, listed
from hexwar.testing._checks.loaders import Content, ContentFile, files_in, in_owners_folder
from hexwar.testing._checks.printed import Printed
from hexwar.testing._checks.questions import Questions
from hexwar.testing._checks.topics import Topics
from hexwar.testing._checks.totals import Totals
from hexwar.testing._coverage.rule_coverage import RuleCoverage
from hexwar.testing._mutants.mutation import Mutant, Patch, planted
from hexwar.testing._reports.failures import Failure, recheck
from hexwar.testing._reports.pictures import describe
from hexwar.testing._running.check import Coverage, Outcome, Report, check_ruleset
from hexwar.testing._running.fuzzing import FuzzReport, fuzz_ruleset
from hexwar.testing._running.kit import At, Capability, Kit
from hexwar.testing._running.kit_tables import tables_of
from hexwar.testing._running.relations import (
    KINDS,
    Interchange,
    Locality,
    Names,
    Renaming,
    Symmetry,
    Turn,
    moved,
    rebuilt,
    translated,
)
from hexwar.testing._running.secrecy import imagined
from hexwar.testing._running.subject import Subject
from hexwar.testing._running.suite import conformance_suite
from hexwar.testing._running.watch import (
    BUDGETS,
    Budget,
    Check,
    CheckFailed,
    Survey,
    Watch,
    budget_of,
    observe,
    random_decisions,
    try_offered,
)
from hexwar.testing._shrinking.minimise import minimise
from hexwar.testing._staging.attempts import SORTS, attempts
from hexwar.testing._staging.chances import Branch, branches, distribution
from hexwar.testing._staging.dice import Lot, ScriptedDice, ScriptError, lot
from hexwar.testing._staging.positions import position, to_toml
from hexwar.testing._staging.random_play import RandomGame, SeatAction, moves_of, play_at_random, replay_moves

if TYPE_CHECKING:
    from hexwar.testing._shrinking.machine import RulesetMachine

__all__ = [
    "BUDGETS",
    "CHECKS",
    "HUGE",
    "KINDS",
    "SORTS",
    "At",
    "Branch",
    "Budget",
    "Capability",
    "Check",
    "CheckFailed",
    "Content",
    "ContentFile",
    "Corpus",
    "Coverage",
    "ExactChance",
    "Failure",
    "Following",
    "FuzzReport",
    "Interchange",
    "Kit",
    "Locality",
    "Lot",
    "Mutant",
    "Names",
    "Outcome",
    "Patch",
    "Printed",
    "Questions",
    "RandomGame",
    "Remembering",
    "Renaming",
    "Report",
    "RuleCoverage",
    "RulesetMachine",
    "ScriptError",
    "ScriptedDice",
    "SeatAction",
    "Subject",
    "Survey",
    "Symmetry",
    "Topics",
    "Totals",
    "Turn",
    "Watch",
    "attempts",
    "branches",
    "budget_of",
    "check_named",
    "check_ruleset",
    "checks_of",
    "conformance_suite",
    "current",
    "describe",
    "distribution",
    "files_in",
    "fuzz_ruleset",
    "imagined",
    "in_owners_folder",
    "listed",
    "lot",
    "minimise",
    "moved",
    "moves_of",
    "observe",
    "planted",
    "play_at_random",
    "position",
    "random_decisions",
    "rebuilt",
    "recheck",
    "replay_moves",
    "tables_of",
    "to_toml",
    "translated",
    "try_offered",
]


def __getattr__(name: str) -> Any:
    """Import what needs Hypothesis when it is asked for."""
    if name == "RulesetMachine":
        from hexwar.testing._shrinking.machine import RulesetMachine

        return RulesetMachine
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
