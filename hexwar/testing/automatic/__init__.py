"""Automatic mutants: small mistakes in the source and data of a ruleset, made one at a time.

One that nobody notices shows what the checks and tests of the ruleset do not look at.
"""

from hexwar.testing.automatic.report import AutoReport, AutoTrial
from hexwar.testing.automatic.run import automatic, list_mutants

__all__ = ["AutoReport", "AutoTrial", "automatic", "list_mutants"]
