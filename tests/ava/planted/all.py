"""All rule bugs of A Victory Awaits, by the chapters of the rulebook: `hexwar mutate ava --planted tests/ava/planted/all.py`."""

from __future__ import annotations

from hexwar.testing import Mutant
from tests.ava.planted import field, scenarios, staff

MUTANTS: tuple[Mutant, ...] = (*field.MUTANTS, *staff.MUTANTS, *scenarios.MUTANTS)
