"""A Victory Awaits: Operation Barbarossa in 1941 on three maps, by chits and headquarters.

This module is the card that `hexwar list` reads. What is printed in the game (counters, chits, turn track, charts, scenarios,
set-up) is in `data` and read by `hexwar_ava.content`; the index of the rulebook is `data/rules.toml`.
"""

from __future__ import annotations

from hexwar import RulesetInfo, hookimpl
from hexwar.engine import Scenario

INFO = RulesetInfo(
    id="ava",
    title="A Victory Awaits",
    version="0.1",
    sides=("axis", "soviet"),
    scenarios=(
        Scenario(
            "campaign",
            "The campaign",
            "All three maps and nine turns; the Axis needs 191 points.",
            board="ava/campaign",
        ),
        Scenario(
            "leningrad",
            "Leningrad",
            "Army Group North from the border to the Neva in nine turns; the Axis needs 54 points.",
            board="ava/leningrad",
        ),
        Scenario(
            "smolensk",
            "Smolensk",
            "Army Group Centre on the road to Moscow in nine turns; the Axis needs 85 points.",
            board="ava/smolensk",
        ),
        Scenario(
            "smolensk-short",
            "Smolensk, the short game",
            "The same until turn 6; the Axis needs 60 points.",
            board="ava/smolensk",
        ),
        Scenario(
            "kiev",
            "Kiev",
            "Army Group South and the Romanians to the Dnieper in nine turns; the Axis needs 52 points.",
            board="ava/kiev",
        ),
    ),
    entry="hexwar_ava.ruleset:RULESET",
    maturity="stub",
    summary=(
        "Cannot be played yet: maps, counters, chits, turn track, charts, scenarios and the index of the rulebook are there, "
        "the rules of play are not. Most counters, set-up zones and terrain are reconstructed."
    ),
    credits=(
        "A Victory Awaits is a game by Tetsuya Nakamura, developed by Nick Richardson and Scott Blanton, with graphics by "
        "Nicolas Eskubi, published by Multi-Man Publishing after three games in Game Journal. Its text and its art are not "
        "included: titles, rulings, maps and data are hexwar's own words and work."
    ),
)


@hookimpl
def hexwar_rulesets() -> list[RulesetInfo]:
    """The ruleset's card."""
    return [INFO]
