"""The property-testing kit: scripted dice, hand-made positions, playouts, delta debugging and the conformance checks.

It needs the extra `hexwar[testing]` only for `conformance_suite`, which makes pytest tests that Hypothesis drives, for
`RulesetMachine`, and for `hexwar.testing.strategies` and `hexwar.testing.profiles`, none of which is imported here.
"""

from typing import TYPE_CHECKING, Any

from hexwar.testing.chances import Branch, branches, distribution
from hexwar.testing.check import Coverage, Outcome, Report, check_ruleset
from hexwar.testing.checks import CHECKS
from hexwar.testing.dice import Lot, ScriptedDice, ScriptError, lot
from hexwar.testing.failures import Failure, recheck
from hexwar.testing.fuzzing import FuzzReport, fuzz_ruleset
from hexwar.testing.minimise import minimise
from hexwar.testing.pictures import describe
from hexwar.testing.playouts import Playout, SeatAction, moves_of, playout, replay_moves
from hexwar.testing.positions import position
from hexwar.testing.resampling import HiddenChits
from hexwar.testing.rule_coverage import RuleCoverage
from hexwar.testing.secrecy import HiddenInformation
from hexwar.testing.suite import conformance_suite
from hexwar.testing.watch import BUDGETS, Budget, Check, CheckFailed

if TYPE_CHECKING:
    from hexwar.testing.machine import RulesetMachine

__all__ = [
    "BUDGETS",
    "CHECKS",
    "Branch",
    "Budget",
    "Check",
    "CheckFailed",
    "Coverage",
    "Failure",
    "FuzzReport",
    "HiddenChits",
    "HiddenInformation",
    "Lot",
    "Outcome",
    "Playout",
    "Report",
    "RuleCoverage",
    "RulesetMachine",
    "ScriptError",
    "ScriptedDice",
    "SeatAction",
    "branches",
    "check_ruleset",
    "conformance_suite",
    "describe",
    "distribution",
    "fuzz_ruleset",
    "lot",
    "minimise",
    "moves_of",
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
