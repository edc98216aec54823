"""The checks that hold for every ruleset, by id."""

from __future__ import annotations

from hexwar.errors import UnknownName
from hexwar.testing.checks.content import CitationsExist, ContentIsSound, OptionsWork
from hexwar.testing.checks.flow import ClausesAreKnown, GamesEnd, InvariantsHold, NoDeadEnds
from hexwar.testing.checks.gate import OfferedActionsApply, OffersAreSets, OrderIsStable, OthersAreRefused, WhyNotAgrees
from hexwar.testing.checks.history import ReplaysAgree, SavesCarryEverything, UndoGoesBack
from hexwar.testing.checks.processes import SameEverywhere
from hexwar.testing.checks.secrets import HiddenContentDoesNotShow, SecretChoicesStaySecret, ViewsHide
from hexwar.testing.checks.values import (
    CopiesAreIndependent,
    DerivedIsRight,
    EventsTellEverything,
    JsonIsExact,
    ReprsEvaluate,
    StatesAreValues,
)
from hexwar.testing.watch import TIERS, Check, Survey, Watch

__all__ = ["CHECKS", "check_named", "checks_of"]

CHECKS: dict[str, type[Check]] = {
    check.id: check
    for check in (
        ContentIsSound,
        CitationsExist,
        OfferedActionsApply,
        OthersAreRefused,
        WhyNotAgrees,
        OffersAreSets,
        OrderIsStable,
        NoDeadEnds,
        GamesEnd,
        InvariantsHold,
        ClausesAreKnown,
        EventsTellEverything,
        DerivedIsRight,
        StatesAreValues,
        JsonIsExact,
        ReprsEvaluate,
        CopiesAreIndependent,
        ReplaysAgree,
        SavesCarryEverything,
        UndoGoesBack,
        ViewsHide,
        HiddenContentDoesNotShow,
        SecretChoicesStaySecret,
        SameEverywhere,
        OptionsWork,
    )
}
"""All checks in the order in which they are reported."""


def check_named(name: str) -> type[Check]:
    """A check by its id; the name of its test function will do as well."""
    known = name.removeprefix("test_").replace("_", "-")
    if known not in CHECKS:
        raise UnknownName("check", name, CHECKS)
    return CHECKS[known]


def checks_of(tier: str) -> tuple[list[type[Watch]], list[type[Survey]]]:
    """The checks that a tier looks after: those that watch games, and those that do not."""
    wanted = [check for check in CHECKS.values() if TIERS.index(check.tier) <= TIERS.index(tier)]
    return [check for check in wanted if issubclass(check, Watch)], [check for check in wanted if issubclass(check, Survey)]
