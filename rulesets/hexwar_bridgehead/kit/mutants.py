"""Bugs to plant in Bridgehead's own rules."""

from __future__ import annotations

from hexwar.testing.mutation import Mutant

MUTANTS: tuple[Mutant, ...] = ()
