"""Generic rule bugs: those of the engine's promises, which any ruleset can have, and those of `hexwar.mechanics`."""

from __future__ import annotations

from hexwar.testing.mutation import Mutant
from hexwar.testing.subject import Subject

__all__ = ["generic_mutants"]


def generic_mutants(subject: Subject) -> list[Mutant]:
    """Those that can be planted below a ruleset."""
    return []
