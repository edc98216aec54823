"""The optional rules of A Victory Awaits (17), each a variant that is switched on by its name.

This module only announces them; `hexwar list` reads it. The rules are `bidding` (17.1), `reserves` (17.2, 18.1.13, 18.1.14),
`relocation` (17.3), `soviet_supply` (17.4), `armour_limit` (17.5) and `panzer_headquarters` (17.6). Their clauses stand in the
rule index of the game. Any of them can be on together with any other: the rulebook excludes none. Bidding is for two players.
"""

from __future__ import annotations

from hexwar import Variant, hookimpl

VARIANTS = (
    Variant("bidding", "ava", "The players bid points for the Axis", f"{__name__}.bidding", clause="17.1.1"),
    Variant("reserves", "ava", "Chits of Reserves and OKH that activate units directly", f"{__name__}.reserves", clause="17.2.1"),
    Variant(
        "relocation",
        "ava",
        "Headquarters near an activated one may go to the next turn's space",
        f"{__name__}.relocation",
        clause="17.3.1",
    ),
    Variant(
        "soviet-supply",
        "ava",
        "Soviet lines follow a road or a railway; favours the Axis",
        f"{__name__}.soviet_supply",
        clause="17.4.1",
    ),
    Variant(
        "armour-limit",
        "ava",
        "A German headquarters activates ten mechanized units at most; favours the Soviets",
        f"{__name__}.armour_limit",
        clause="17.5.1",
    ),
    Variant(
        "panzer-headquarters",
        "ava",
        "The second activation of a panzer group needs a line of its own; favours the Soviets",
        f"{__name__}.panzer_headquarters",
        clause="17.6.1",
    ),
)


@hookimpl
def hexwar_variants() -> tuple[Variant, ...]:
    """The optional rules."""
    return VARIANTS
