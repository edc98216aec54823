"""WB-95: operational battles of the Second World War with a duty to attack, restated from a page of rules for players.

The page has no map, counters, tables or scenarios: those are reconstructions of our own, which an owner's files can replace (see
`hexwar_wb95.content`). This module is the card that `hexwar list` reads; the rules are in the modules beside it, a chapter each.
"""

from __future__ import annotations

from hexwar import RulesetInfo, hookimpl
from hexwar.engine import Scenario

INFO = RulesetInfo(
    id="wb95",
    title="WB-95: the Narew, January 1945",
    version="0.1",
    sides=("soviet", "axis"),
    scenarios=(
        Scenario(
            "training",
            "Nasielsk",
            "A training scenario: eight counters a side, four turns; the Soviets must come to Nasielsk.",
            board="wb95/narew",
            bound=1500,
        ),
        Scenario(
            "narew",
            "The Narew, January 1945",
            "The Soviet offensive from the bridgehead over the Narew to Modlin, Plonsk and Ciechanow; eight turns.",
            board="wb95/narew",
            bound=12_000,
        ),
    ),
    entry="hexwar_wb95.ruleset:RULESET",
    bot="wb95-officer",
    guides="hexwar_wb95:data/guide",
    kit="hexwar_wb95.kit:KIT",
    maturity="playable",
    summary=(
        "Regiments and divisions in the Second World War, with a duty to attack. All rules of the page, two scenarios. "
        "Tables, map and counters are reconstructed."
    ),
    credits="A public summary of rules restated in our own words; map, tables, counters and scenarios are our reconstructions.",
)


@hookimpl
def hexwar_rulesets() -> list[RulesetInfo]:
    """The ruleset's card."""
    return [INFO]


@hookimpl
def hexwar_bots() -> dict[str, str]:
    """The bot that knows this game."""
    return {"wb95-officer": "hexwar_wb95.bot:Officer"}
