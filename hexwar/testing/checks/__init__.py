"""The checks that hold for every ruleset, by id."""

from __future__ import annotations

from hexwar.errors import UnknownName
from hexwar.testing.checks.answers import AnswersAreRight
from hexwar.testing.checks.attacks import AttacksFail
from hexwar.testing.checks.bots import BotsAnswerWhatIsOffered
from hexwar.testing.checks.combat import AttacksAreRight, LossesAreRight
from hexwar.testing.checks.content import CitationsExist, ContentIsSound, OptionsWork
from hexwar.testing.checks.corpus import KnownGamesAgree
from hexwar.testing.checks.exact import ChanceIsExact, DiceAreFair, OddsAreKept
from hexwar.testing.checks.flow import ClausesAreKnown, GamesEnd, HeirsGetWhatIsLeft, InvariantsHold, NoDeadEnds
from hexwar.testing.checks.gate import OfferedActionsApply, OffersAreSets, OrderIsStable, OthersAreRefused, WhyNotAgrees
from hexwar.testing.checks.history import ReplaysAgree, SavesCarryEverything, UndoGoesBack
from hexwar.testing.checks.loaders import LoadersSayWhy
from hexwar.testing.checks.metamorphic import BoardCanTurn, FarUnitsDoNotMatter, NamesDoNotMatter, SidesCanSwap
from hexwar.testing.checks.movement import MovesAreRight
from hexwar.testing.checks.pieces import PiecesAreConserved, PlacesFollowVisits, StacksFit, ZonesAreRight
from hexwar.testing.checks.processes import OffIsAbsent, SameEverywhere
from hexwar.testing.checks.questions import QuestionsAreAsked
from hexwar.testing.checks.retreats import PursuitsAreRight, RetreatsAreRight
from hexwar.testing.checks.secrets import HiddenContentDoesNotShow, SecretChoicesStaySecret, SecretDrawsStaySecret, ViewsHide
from hexwar.testing.checks.staged import LonePursuitsAgree, StagedGamesAgree
from hexwar.testing.checks.supply import CommandIsRight, SupplyIsRight
from hexwar.testing.checks.topics import TopicsFitClauses
from hexwar.testing.checks.totals import FilesAddUp
from hexwar.testing.checks.turns import ArrivalsAreRight, ChitsAreKept, PointsAreRight
from hexwar.testing.checks.values import (
    CopiesAreIndependent,
    DerivedIsRight,
    EventsTellEverything,
    JsonIsExact,
    ReprsEvaluate,
    StatesAreValues,
)
from hexwar.testing.drills import DrillsComeRight
from hexwar.testing.subject import Subject
from hexwar.testing.watch import TIERS, Check

__all__ = ["CHECKS", "check_named", "checks_of"]

CHECKS: dict[str, type[Check]] = {
    check.id: check
    for check in (
        ContentIsSound,
        CitationsExist,
        OfferedActionsApply,
        OthersAreRefused,
        WhyNotAgrees,
        AttacksFail,
        OffersAreSets,
        OrderIsStable,
        NoDeadEnds,
        GamesEnd,
        InvariantsHold,
        ClausesAreKnown,
        HeirsGetWhatIsLeft,
        BotsAnswerWhatIsOffered,
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
        SecretDrawsStaySecret,
        SameEverywhere,
        OptionsWork,
        OffIsAbsent,
        LoadersSayWhy,
        FilesAddUp,
        TopicsFitClauses,
        BoardCanTurn,
        SidesCanSwap,
        NamesDoNotMatter,
        FarUnitsDoNotMatter,
        ChanceIsExact,
        OddsAreKept,
        DiceAreFair,
        PiecesAreConserved,
        PlacesFollowVisits,
        StacksFit,
        ZonesAreRight,
        MovesAreRight,
        AttacksAreRight,
        LossesAreRight,
        RetreatsAreRight,
        PursuitsAreRight,
        SupplyIsRight,
        CommandIsRight,
        ChitsAreKept,
        ArrivalsAreRight,
        PointsAreRight,
        QuestionsAreAsked,
        AnswersAreRight,
        StagedGamesAgree,
        LonePursuitsAgree,
        DrillsComeRight,
        KnownGamesAgree,
    )
}
"""All checks by their ids, in the order in which they are reported."""


def check_named(name: str, subject: Subject) -> type[Check]:
    """A check by its id, a ruleset's own included; the name of its test function will do as well."""
    wanted = name.removeprefix("test_").replace("_", "-")
    known = CHECKS | {check.id: check for check in subject.kit.checks}
    if wanted not in known:
        raise UnknownName("check", name, known)
    return known[wanted]


def checks_of(subject: Subject, tier: str) -> list[type[Check]]:
    """The checks that a tier looks after, as far as the ruleset has what they need; its own come last."""
    return [
        check
        for check in (*CHECKS.values(), *subject.kit.checks)
        if TIERS.index(check.tier) <= TIERS.index(tier)
        and (check.needs is None or subject.kit.capability(check.needs) is not None)
    ]
