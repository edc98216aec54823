"""All rule bugs of Traces of War: `hexwar mutate tow --planted tests/tow/planted/all.py`."""

from __future__ import annotations

from hexwar.testing import Mutant
from tests.tow.planted import field, staff

MUTANTS: tuple[Mutant, ...] = (*field.MUTANTS, *staff.MUTANTS)
