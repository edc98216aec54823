"""The checks of A Victory Awaits: they hold games to the literal rules that no other game has."""

from __future__ import annotations

from hexwar.testing.watch import Check
from hexwar_ava.kit.checks.bots import BotGamesAgree
from hexwar_ava.kit.checks.places import PlacesAreRight, SetUpIsRight, SetUpsAreRight
from hexwar_ava.kit.checks.players import DecidersAreRight, TeamChitsAreKept
from hexwar_ava.kit.checks.reinforcements import ReinforcementsAreRight
from hexwar_ava.kit.checks.supply import CONDITIONS, SupplyChecksAreRight
from hexwar_ava.kit.checks.turns import ActivationIsRight, TurnsAreRight

__all__ = ["CHECKS", "CONDITIONS"]

CHECKS: tuple[type[Check], ...] = (
    PlacesAreRight,
    SetUpIsRight,
    SetUpsAreRight,
    TurnsAreRight,
    ActivationIsRight,
    SupplyChecksAreRight,
    ReinforcementsAreRight,
    DecidersAreRight,
    TeamChitsAreKept,
    BotGamesAgree,
)
"""In the order in which they are reported."""
