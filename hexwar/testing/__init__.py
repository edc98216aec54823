"""The property-testing kit: scripted dice, hand-made positions, playouts, delta debugging and the conformance checks.

This interface is promised, and so are `oracles`, `strategies`, `planting`, `drills`, `profiles` and `pytest_plugin` behind it;
the other modules are ours and may change. The extra `hexwar[testing]` is needed only for `conformance_suite`, which makes pytest
tests that Hypothesis drives, for `RulesetMachine`, and for `strategies` and `profiles`, none of which is imported here.
"""

from typing import TYPE_CHECKING, Any

from hexwar.testing.chances import Branch, branches, distribution
from hexwar.testing.check import Coverage, Outcome, Report, check_ruleset
from hexwar.testing.checks import CHECKS
from hexwar.testing.checks.exact import ExactChance
from hexwar.testing.checks.loaders import Content, ContentFile
from hexwar.testing.dice import Lot, ScriptedDice, ScriptError, lot
from hexwar.testing.failures import Failure, recheck
from hexwar.testing.fuzzing import FuzzReport, fuzz_ruleset
from hexwar.testing.kit import Capability, Kit
from hexwar.testing.minimise import minimise
from hexwar.testing.mutation import Mutant, Patch, planted
from hexwar.testing.pictures import describe
from hexwar.testing.playouts import Playout, SeatAction, moves_of, playout, replay_moves
from hexwar.testing.positions import position
from hexwar.testing.relations import Interchange, Locality, Renaming, Symmetry
from hexwar.testing.rule_coverage import RuleCoverage
from hexwar.testing.secrecy import HiddenChits, HiddenInformation
from hexwar.testing.subject import Subject
from hexwar.testing.suite import conformance_suite
from hexwar.testing.watch import BUDGETS, Budget, Check, CheckFailed, Survey, Watch

if TYPE_CHECKING:
    from hexwar.testing.machine import RulesetMachine

__all__ = [
    "BUDGETS",
    "CHECKS",
    "Branch",
    "Budget",
    "Capability",
    "Check",
    "CheckFailed",
    "Content",
    "ContentFile",
    "Coverage",
    "ExactChance",
    "Failure",
    "FuzzReport",
    "HiddenChits",
    "HiddenInformation",
    "Interchange",
    "Kit",
    "Locality",
    "Lot",
    "Mutant",
    "Outcome",
    "Patch",
    "Playout",
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
    "Watch",
    "branches",
    "check_ruleset",
    "conformance_suite",
    "describe",
    "distribution",
    "fuzz_ruleset",
    "lot",
    "minimise",
    "moves_of",
    "planted",
    "playout",
    "position",
    "recheck",
    "replay_moves",
]


def __getattr__(name: str) -> Any:
    """Import what needs Hypothesis when it is asked for."""
    if name == "RulesetMachine":
        from hexwar.testing.machine import RulesetMachine

        return RulesetMachine
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
