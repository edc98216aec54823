"""Wojna o niepodległość 1918-1921: the series rules of a Polish system, with four scenarios on the Wkra in August 1920.

Tables, counter templates and scenarios are checked content; the index of the rules is `data/rules.toml`. This module is the card
that `hexwar list` reads.
"""

from __future__ import annotations

from hexwar import RulesetInfo, hookimpl
from hexwar.engine import Option, Scenario

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
            bound=3000,
        ),
        Scenario(
            "training",
            "The bridges of Sochocin",
            "A training scenario: two divisions and four turns on the upper Wkra.",
            board="wop/wkra",
            bound=800,
        ),
        Scenario(
            "raid",
            "The ride to Ciechanow",
            "Polish lancers make for the headquarters and the radio of an army, deep behind its front; five turns.",
            board="wop/wkra",
            bound=1500,
        ),
        Scenario(
            "narew",
            "Nasielsk and the Narew",
            "Armoured trains, boats, cars and fighters on both sides, and a staff that cannot move; four turns.",
            board="wop/wkra",
            bound=1500,
        ),
    ),
    options=(Option("supply-by-majority", "Lack of supply counts in a fight only for most levels of a side", clause="3.13"),),
    entry="hexwar_wop.ruleset:RULESET",
    bot="wop-officer",
    kit="hexwar_wop.kit:KIT",
    guides="hexwar_wop:data/guide",
    maturity="complete",
    summary=(
        "Brigades and armoured trains in the Polish wars after 1918. All rules, four scenarios. "
        "Tables, map and counters are reconstructed."
    ),
    credits="Rules of the series restated in our own words; map, tables, counters and scenario are reconstructions of our own.",
)


@hookimpl
def hexwar_rulesets() -> list[RulesetInfo]:
    """The ruleset's card."""
    return [INFO]


@hookimpl
def hexwar_bots() -> dict[str, str]:
    """The bot that knows this game."""
    return {"wop-officer": "hexwar_wop.bot:Officer"}
