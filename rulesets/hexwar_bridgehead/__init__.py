"""Bridgehead: a small original game of a river crossing, and the first ruleset to read.

Two armies, a river, one bridge, six turns. Chits are chosen in secret and drawn from a cup; headquarters activate the
units around them; odds are looked up in a table; beaten units lose steps and retreat, victors pursue. This module is the
card that `hexwar list` reads; the rules are in the modules beside it, in the order of the rulebook.
"""

from __future__ import annotations

from hexwar import RulesetInfo, Variant, hookimpl
from hexwar.engine import Option, Scenario

INFO = RulesetInfo(
    id="bridgehead",
    title="Bridgehead",
    version="1.0",
    sides=("blue", "red"),
    scenarios=(
        Scenario(
            "crossing",
            "The Lenta crossing",
            "Blue must force the river and take the towns beyond it in six turns.",
            board="bridgehead/crossing",
            bound=2_500,
        ),
    ),
    entry="hexwar_bridgehead.ruleset:RULESET",
    options=(Option("barrage", "Barrage: the active headquarters supports attacks near it", clause="15.1"),),
    maturity="complete",
    summary="A small original game: chits, headquarters, a river with one bridge, about 60 hexes, 11 units a side.",
    credits="Designed for hexwar; map, counters and rules are its own.",
    kit="hexwar_bridgehead.kit:KIT",
    guides="hexwar_bridgehead:data/guide",
)


@hookimpl
def hexwar_rulesets() -> list[RulesetInfo]:
    """The ruleset's card."""
    return [INFO]


@hookimpl
def hexwar_variants() -> list[Variant]:
    """The optional rule."""
    return [Variant("barrage", "bridgehead", INFO.options[0].title, "hexwar_bridgehead.barrage")]
