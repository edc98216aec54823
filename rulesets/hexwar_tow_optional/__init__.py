"""The optional rules of Traces of War (14), each a variant that is switched on by its name.

This module only announces them; `hexwar list` reads it. The rules are `bidding` (14.1) and `ukrainian_fronts` (14.2). Their
clauses stand in the rule index of the game; both can be on together.
"""

from __future__ import annotations

from hexwar import Variant, hookimpl

VARIANTS = (
    Variant("bidding", "tow", "The players bid points for the Soviets", f"{__name__}.bidding", clause="14.1.1"),
    Variant(
        "ukrainian-fronts",
        "tow",
        "At the start of turn 4 the Soviets may exchange their headquarters for better ones",
        f"{__name__}.ukrainian_fronts",
        clause="14.2.1",
    ),
)


@hookimpl
def hexwar_variants() -> tuple[Variant, ...]:
    """The optional rules."""
    return VARIANTS
