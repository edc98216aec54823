"""The checks of A Victory Awaits: they hold games to the literal rules that no other game has."""

from __future__ import annotations

from hexwar.testing import Check
from hexwar_ava.kit.checks import field, staff
from hexwar_ava.kit.checks.field import CONDITIONS

__all__ = ["CHECKS", "CONDITIONS"]

CHECKS: tuple[type[Check], ...] = (
    field.PlacesAreRight,
    field.SetUpIsRight,
    field.SetUpsAreRight,
    staff.TurnsAreRight,
    staff.ActivationIsRight,
    field.SupplyChecksAreRight,
    field.ReinforcementsAreRight,
    staff.DecidersAreRight,
    staff.TeamChitsAreKept,
    staff.BotGamesAgree,
)
"""In the order in which they are reported."""
