"""Rule bugs of Traces of War for `hexwar check tow --mutate`, by the chapters of the rulebook."""

from __future__ import annotations

from hexwar.testing.mutation import Mutant
from hexwar_tow.kit.mutants import field, staff

MUTANTS: tuple[Mutant, ...] = (*field.MUTANTS, *staff.MUTANTS)
"""All of them."""
