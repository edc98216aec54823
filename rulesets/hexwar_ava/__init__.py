"""A Victory Awaits: Operation Barbarossa in 1941 on three maps, by chits and headquarters.

This module is the card that `hexwar list` reads. What is printed in the game (counters, chits, turn track, charts, scenarios,
set-up) is in `data` and read by `hexwar_ava.content`; the index of the rulebook is `data/rules.toml`. The rules follow the
rulebook: `world` (2, 3), `setting_up` (4), `turn` (5, 15.1), `chits` (6), `activation` (7, 8), `combat` (10), `supply` (11),
`reinforcements` (12, 15), `fortresses` (14), `victory` (16), `teams` (19.2), `controller` (19) and `master_cup` (20); movement
(9) is that of the mechanics. The optional rules (17) are a plugin of their own, `hexwar_ava_optional`.
"""

from __future__ import annotations

from hexwar import RulesetInfo, hookimpl
from hexwar.engine import Option, Scenario, Seating

AXIS, SOVIET = "axis", "soviet"
CENTRE = {"centre-3pzg-9a": AXIS, "centre-4a-2pzg": AXIS}
BY_TWO = {"soviets-leningrad-smolensk": SOVIET, "soviets-kiev": SOVIET}
BY_MAP = {"soviets-leningrad": SOVIET, "soviets-smolensk": SOVIET, "soviets-kiev": SOVIET}
GROUPS = {"north": AXIS, "centre": AXIS, "south": AXIS}
SOUTH = {"south-6a-1pzg-17a": AXIS, "south-11a-romanians": AXIS}
MANY = ("campaign",)
SEATINGS = (  # 19.2; those with equal teams are for the variant of 20
    Seating("4-players", "three Axis players against one", {**GROUPS, "soviet": SOVIET}, MANY),
    Seating("5-players", "three against two", {**GROUPS, **BY_TWO}, MANY),
    Seating("6-players", "four against two", {"north": AXIS, **CENTRE, "south": AXIS, **BY_TWO}, MANY),
    Seating("7-players", "four against three", {"north": AXIS, **CENTRE, "south": AXIS, **BY_MAP}, MANY),
    Seating("8-players", "five against three", {"north": AXIS, **CENTRE, **SOUTH, **BY_MAP}, MANY),
    Seating("4-teams", "two against two", {"north-centre": AXIS, "south": AXIS, **BY_TWO}, MANY),
    Seating("6-teams", "three against three", {**GROUPS, **BY_MAP}, MANY),
)

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
    kit="hexwar_ava.kit:KIT",
    guides="hexwar_ava:data/guide",
    options=(
        Option("auto-setup", "Both sides are set up automatically", clause="4.0.1"),
        Option("full-turns", "The last turn is played to its end, and not only to its supply check", clause="5.0.2"),
        Option("reinforcements-always", "A side must select its Reinforcements chit once it is available", clause="6.2.6"),
        Option(
            "many-players",
            "Many players: chits are drawn ahead by a controller (19), or from a master cup (20); with --seats",
            choices=("off", "controller", "master-cup"),
            default="off",
            clause="19.3.1",
            scenarios=MANY,
            seating="4-players",
            excludes=("bidding",),
            includes={"master-cup": ("reserves",)},  # 20.2.6
        ),
        Option(
            "controller",
            "Who is the controller: nobody, a seat of its own, or the player whom 19.2 names",
            choices=("automatic", "seat", "player"),
            default="automatic",
            clause="19.3.1",
            scenarios=MANY,
            seats={"seat": ("controller",)},
            needs={"many-players": "controller"},
        ),
    ),
    seatings=SEATINGS,
    maturity="complete",
    summary=(
        "Operation Barbarossa in ten-day turns: chits, headquarters, lines of communication, three maps and a campaign. "
        "All rules; the optional ones (17) are options. "
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
