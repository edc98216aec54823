"""Blitzkrieg Commander (core rules): battles of miniatures on a table, where units stand anywhere and every distance is measured.

This module is the card that `hexwar list` reads. The rules are in the modules beside it, one for each chapter, and the index of
the rules, `data/rules.toml`, says of each clause whether it is there.
"""

from __future__ import annotations

from hexwar import RulesetInfo, hookimpl
from hexwar.engine import Option, Scenario

INFO = RulesetInfo(
    id="bkc",
    title="Blitzkrieg Commander",
    version="0.1",
    sides=("poland", "germany"),
    scenarios=(
        Scenario(
            "training",
            "The farm",
            "Four units a side without command: each acts once a turn. Six turns for a farm.",
            board="bkc/training",
            bound=900,
        ),
        Scenario(
            "orders",
            "The farm, by order",
            "The same with a commanding officer and a headquarters a side, who must get their orders through.",
            board="bkc/training",
            bound=3_000,
        ),
        Scenario(
            "mokra",
            "Crossroads at Mokra",
            "An encounter of two battlegroups of 915 points, with artillery; eight turns.",
            board="bkc/mokra",
            bound=12_000,
        ),
        Scenario(
            "bzura",
            "The bridge on the Bzura",
            "Germany attacks over a river, by a bridge, a ford and boats; Poland has dug in. Ten turns.",
            board="bkc/bzura",
            bound=15_000,
        ),
    ),
    options=(
        Option("courtesy", "Nobody fires at a concealed anti-tank gun before it fires or is within 20 cm", clause="los.12"),
        Option("fieldworks", "Wire, tank traps, ditches and minefields, as a reconstruction", clause="terrain.13"),
    ),
    entry="hexwar_bkc.ruleset:RULESET",
    guides="hexwar_bkc:data/guide",
    bot="bkc-officer",
    kit="hexwar_bkc.kit:KIT",
    maturity="playable",
    summary=(
        "Miniatures of 1939-40 on a table: movement, sight, fire, orders, reactions, close combat, transport and artillery. "
        "Air, simultaneous turns, the damage table and random points are absent, since the core rules only name them. "
        "Army lists and scenarios are reconstructed."
    ),
    credits="Rules restated in our own words; army lists, tables and scenarios are reconstructions of our own.",
)


@hookimpl
def hexwar_rulesets() -> list[RulesetInfo]:
    """The ruleset's card."""
    return [INFO]


@hookimpl
def hexwar_bots() -> dict[str, str]:
    """The bot that knows this game."""
    return {"bkc-officer": "hexwar_bkc.bot:Officer"}
