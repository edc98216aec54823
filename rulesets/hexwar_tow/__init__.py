"""Traces of War: from the Mius to the Dnieper and beyond, 1943-44, by chits and headquarters.

This module is the card that `hexwar list` reads. What is printed in the game (counters, chits, turn track, charts, scenarios,
markers) is in `data` and read by `hexwar_tow.content`; the index of the rulebook is `data/rules.toml`. The rules follow the
rulebook: `world` (2, 5, 6), `relocation` (2.3, 9.4), `setting_up` (3), `turn` (4, 12.1), `chits` (4.2), `activation` (4.3), `okh`
(4.2.2), `luftwaffe` (7), `supply` (8), `combat` (10), `reinforcements` (11.1), `negotiation` (11.2, 12.2), `crossings` (12.3) and
`victory` (13); movement (9) is that of the mechanics. The optional rules (14) are a plugin of their own, `hexwar_tow_optional`.
"""

from __future__ import annotations

from hexwar import RulesetInfo, hookimpl
from hexwar.engine import Option, Scenario

INFO = RulesetInfo(
    id="tow",
    title="Traces of War",
    version="1.1",
    loads=("1.0",),
    sides=("axis", "soviet"),
    scenarios=(
        Scenario(
            "race",
            "Race to the Dnieper",
            "Four turns from August to November 1943; the Soviets need 50 points.",
            board="tow/dnieper",
            bound=25_000,
        ),
        Scenario(
            "campaign",
            "The campaign",
            "Eight turns from August 1943 to March 1944; the Soviets need 65 points at the end of a turn.",
            board="tow/dnieper",
            bound=50_000,
        ),
        Scenario(
            "training",
            "Kharkiv",
            "A training scenario: three turns and thirty units between Kharkiv and the Dnieper; the Soviets need 20 points.",
            board="tow/dnieper",
            bound=5_000,
        ),
    ),
    entry="hexwar_tow.ruleset:RULESET",
    bot="tow-marshal",
    kit="hexwar_tow.kit:KIT",
    guides="hexwar_tow:data/guide",
    options=(Option("auto-setup", "The security divisions are set up automatically", clause="3.0.7"),),
    maturity="complete",
    summary=(
        "Ukraine after Kursk in monthly turns: chits that may be held back, move and fight or fight and move, crossing "
        "points that wake the Luftwaffe and OKH, orders to hold cities at any price. All rules; the optional ones "
        "(14) are options. Counters, set-up and most of the terrain are reconstructed."
    ),
    credits=(
        "Traces of War is a game by Tetsuya Nakamura, produced by Patrick Gebhardt and Lennart Lindbaeck and published by VUCA "
        "Simulations. Its text and its art are not included: titles, rulings, map and data are hexwar's own words and work."
    ),
)


@hookimpl
def hexwar_rulesets() -> list[RulesetInfo]:
    """The ruleset's card."""
    return [INFO]


@hookimpl
def hexwar_bots() -> dict[str, str]:
    """The bot that knows this game."""
    return {"tow-marshal": "hexwar_tow.bot:Marshal"}
