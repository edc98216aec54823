"""Rule bugs of A Victory Awaits for `hexwar check ava --mutate`, by the chapters of the rulebook."""

from __future__ import annotations

from hexwar.testing.mutation import Mutant
from hexwar_ava.kit.mutants import field, scenarios, staff

MUTANTS: tuple[Mutant, ...] = (*field.MUTANTS, *staff.MUTANTS, *scenarios.MUTANTS)
"""All of them."""
