"""A Victory Awaits: Operation Barbarossa in 1941 on three maps, by chits and headquarters.

This module is the card that `hexwar list` reads. What is printed in the game (counters, chits, turn track, charts, scenarios,
set-up) is in `data` and read by `hexwar_ava.content`; the index of the rulebook is `data/rules.toml`. The rules follow the
rulebook: `world` (2, 3), `setting_up` (4), `turn` (5, 15.1), `chits` (6), `activation` (7, 8), `combat` (10), `supply` (11),
`reinforcements` (12, 15), `fortresses` (14) and `victory` (16); movement (9) is that of the mechanics. The optional rules (17)
are a plugin of their own, `hexwar_ava_optional`.
"""

from __future__ import annotations

from hexwar import RulesetInfo, hookimpl
from hexwar.engine import Option, Scenario

INFO = RulesetInfo(
    id="ava",
    title="A Victory Awaits",
    version="1.0",
    sides=("axis", "soviet"),
    scenarios=(
        Scenario(
            "training",
            "The road to Riga",
            "A training scenario: sixteen units and four turns between Tilsit and Riga; the Axis needs 12 points.",
            board="ava/leningrad",
            bound=1_500,
        ),
        Scenario(
            "campaign",
            "The campaign",
            "All three maps and nine turns; the Axis needs 191 points.",
            board="ava/campaign",
            bound=225_000,
        ),
        Scenario(
            "leningrad",
            "Leningrad",
            "Army Group North from the border to the Neva in nine turns; the Axis needs 54 points.",
            board="ava/leningrad",
            bound=30_000,
        ),
        Scenario(
            "smolensk",
            "Smolensk",
            "Army Group Centre on the road to Moscow in nine turns; the Axis needs 85 points.",
            board="ava/smolensk",
            bound=75_000,
        ),
        Scenario(
            "smolensk-short",
            "Smolensk, the short game",
            "The same until turn 6; the Axis needs 60 points.",
            board="ava/smolensk",
            bound=50_000,
        ),
        Scenario(
            "kiev",
            "Kiev",
            "Army Group South and the Romanians to the Dnieper in nine turns; the Axis needs 52 points.",
            board="ava/kiev",
            bound=75_000,
        ),
    ),
    entry="hexwar_ava.ruleset:RULESET",
    bot="ava-commander",
    options=(
        Option("auto-setup", "Both sides are set up automatically", clause="4.0.1"),
        Option("full-turns", "The last turn is played to its end, and not only to its supply check", clause="5.0.2"),
        Option("reinforcements-always", "A side must select its Reinforcements chit once it is available", clause="6.2.6"),
    ),
    maturity="complete",
    summary=(
        "Operation Barbarossa in ten-day turns: chits, headquarters, lines of communication, three maps and a campaign. "
        "All rules but those for many players (19, 20). "
        "Most counters, set-up zones and terrain are reconstructed."
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


@hookimpl
def hexwar_bots() -> dict[str, str]:
    """The bot that knows this game."""
    return {"ava-commander": "hexwar_ava.bot:Commander"}
