"""What A Victory Awaits tells the test kit about itself.

`reference` has the rules once more, literally; `books`, `witness` and the judges follow a game by its events and compare it with
them; `checks` are the checks of the kit that do so. `drills` are positions made by hand for rules that seldom come up, and
`mutants` are rule bugs that all of this must find.
"""

from __future__ import annotations

from hexwar.testing.kit import Kit
from hexwar_ava.kit.checks import CHECKS
from hexwar_ava.kit.mutants import MUTANTS

KIT = Kit(
    checks=CHECKS,
    mutants=MUTANTS,
    # All checks together take seconds for a hundred decisions of a large scenario: those are left to the checks of this kit.
    scenarios={"quick": ("training",), "ci": ("training",)},
)
