"""Wojna o niepodległość 1918-1921: the series rules of a Polish system, as an honest stub.

The rule index has every clause and says which are absent; tables, counter templates and the scenario on the Wkra are there as
checked content; the sequence of play is declared, and the supply phase and the weather are carried out. A whole game cannot be
started. This module is the card that `hexwar list` reads.
"""

from __future__ import annotations

from hexwar import RulesetInfo, hookimpl
from hexwar.engine import Scenario

INFO = RulesetInfo(
    id="wop",
    title="Wojna o niepodległość 1918-1921",
    version="0.1",
    sides=("polish", "soviet"),
    scenarios=(
        Scenario(
            "wkra",
            "The Wkra, August 1920",
            "The Polish 5th Army holds the river before Warsaw; seven turns.",
            board="wop/wkra",
            lacks=(
                "air missions (4.3, 17), replacements and arrivals (5, 6), movement (13), combat (14), trains, boats and "
                "transport (15, 16, 18) and victory (19)"
            ),
        ),
        Scenario(
            "wkra-supply",
            "Supply and weather on the Wkra",
            "A demonstration of what is there: seven turns of supply, command and weather, in which nothing moves.",
            board="wop/wkra",
            bound=20,
        ),
    ),
    entry="hexwar_wop.ruleset:RULESET",
    maturity="stub",
    summary="Brigades and armoured trains in the Polish wars after 1918. Of its rules, supply, command and weather are done.",
    credits="Rules of the series restated in our own words; map, tables, counters and scenario are reconstructions of our own.",
)


@hookimpl
def hexwar_rulesets() -> list[RulesetInfo]:
    """The ruleset's card."""
    return [INFO]
