"""Duel: two fencers on a meadow. This module is the card that `hexwar list` reads; the rules are in `rules`."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable

from hexwar import RulesetInfo, hookimpl
from hexwar.engine import Scenario

HEXWAR_API = 1

INFO = RulesetInfo(
    id="duel",
    title="Duel",
    version="1.0",
    sides=("north", "south"),
    scenarios=(Scenario("dawn", "At dawn", "Two fencers, twelve rounds.", board="duel/meadow", bound=24),),
    entry="hexwar_duel.rules:RULESET",
    maturity="complete",
    kit="hexwar_duel.kit:KIT",
    summary="Two fencers on twelve hexes; who is wounded twice has lost.",
)


@hookimpl
def hexwar_rulesets() -> list[RulesetInfo]:
    """The card."""
    return [INFO]


@hookimpl
def hexwar_maps() -> dict[str, Traversable]:
    """The meadow."""
    return {"duel/meadow": files(__name__) / "meadow.toml"}
