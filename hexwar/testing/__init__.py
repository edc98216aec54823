"""The property-testing kit: scripted dice, hand-made positions, playouts, delta debugging and the conformance checks.

It needs the extra `hexwar[testing]` only for `conformance_suite`, which makes pytest tests that Hypothesis drives.
"""

from hexwar.testing.check import Coverage, Outcome, Report, check_ruleset
from hexwar.testing.checks import CHECKS
from hexwar.testing.dice import Lot, ScriptedDice, ScriptError, lot
from hexwar.testing.failures import Failure, recheck
from hexwar.testing.fuzzing import FuzzReport, fuzz_ruleset
from hexwar.testing.minimise import minimise
from hexwar.testing.pictures import describe
from hexwar.testing.playouts import Decision, Playout, moves_of, playout, replay_moves
from hexwar.testing.positions import position
from hexwar.testing.resampling import HiddenChits
from hexwar.testing.secrecy import HiddenInformation
from hexwar.testing.suite import conformance_suite
from hexwar.testing.watch import BUDGETS, Budget, Check, CheckFailed

__all__ = [
    "BUDGETS",
    "CHECKS",
    "Budget",
    "Check",
    "CheckFailed",
    "Coverage",
    "Decision",
    "Failure",
    "FuzzReport",
    "HiddenChits",
    "HiddenInformation",
    "Lot",
    "Outcome",
    "Playout",
    "Report",
    "ScriptError",
    "ScriptedDice",
    "check_ruleset",
    "conformance_suite",
    "describe",
    "fuzz_ruleset",
    "lot",
    "minimise",
    "moves_of",
    "playout",
    "position",
    "recheck",
    "replay_moves",
]
