"""Rule bugs of Traces of War, each with the clause that it breaks: the kit must find every one of them."""

from __future__ import annotations

from hexwar_tow.kit.mutants.staff import MUTANTS

__all__ = ["MUTANTS"]
