"""The checks that hold for every ruleset, by id."""

from __future__ import annotations

from hexwar.errors import UnknownName
from hexwar.testing import drills
from hexwar.testing._checks import (
    answers,
    attacks,
    combat,
    content,
    corpus,
    cost,
    exact,
    flow,
    gate,
    history,
    imagining,
    loaders,
    memory,
    metamorphic,
    movement,
    pieces,
    plane,
    printed,
    processes,
    questions,
    retreats,
    secrets,
    staged,
    supply,
    topics,
    totals,
    turns,
    values,
)
from hexwar.testing._running.subject import Subject
from hexwar.testing._running.watch import TIERS, Check

__all__ = ["CHECKS", "check_named", "checks_of"]

CHECKS: dict[str, type[Check]] = {
    check.id: check
    for check in (
        content.ContentIsSound,
        content.CitationsExist,
        gate.OfferedActionsApply,
        gate.OthersAreRefused,
        gate.WhyNotAgrees,
        attacks.AttacksFail,
        gate.OffersAreSets,
        gate.OrderIsStable,
        flow.NoDeadEnds,
        flow.GamesEnd,
        flow.NothingComesBack,
        flow.InvariantsHold,
        flow.ClausesAreKnown,
        flow.HeirsGetWhatIsLeft,
        gate.BotsAnswerWhatIsOffered,
        values.EventsTellEverything,
        values.DerivedIsRight,
        values.StatesAreValues,
        values.JsonIsExact,
        values.ReprsEvaluate,
        values.CopiesAreIndependent,
        history.ReplaysAgree,
        history.SavesCarryEverything,
        history.UndoGoesBack,
        secrets.ViewsHide,
        secrets.HiddenContentDoesNotShow,
        secrets.SecretChoicesStaySecret,
        secrets.SecretDrawsStaySecret,
        memory.ViewsRemember,
        imagining.ImaginedPositionsFit,
        imagining.BotsIgnoreSecrets,
        processes.SameEverywhere,
        content.OptionsWork,
        processes.OffIsAbsent,
        loaders.LoadersSayWhy,
        totals.FilesAddUp,
        printed.TablesAreAsPrinted,
        topics.TopicsFitClauses,
        metamorphic.BoardCanTurn,
        metamorphic.SidesCanSwap,
        metamorphic.NamesDoNotMatter,
        metamorphic.FarUnitsDoNotMatter,
        exact.ChanceIsExact,
        exact.OddsAreKept,
        exact.DiceAreFair,
        cost.ActionsAreCheap,
        plane.LimitsAreSharp,
        plane.TableCanTurn,
        plane.BasesStayApart,
        pieces.PiecesAreConserved,
        pieces.PlacesFollowVisits,
        pieces.StacksFit,
        pieces.ZonesAreRight,
        movement.MovesAreRight,
        combat.AttacksAreRight,
        combat.LossesAreRight,
        retreats.RetreatsAreRight,
        retreats.PursuitsAreRight,
        supply.SupplyIsRight,
        supply.CommandIsRight,
        turns.ChitsAreKept,
        turns.ArrivalsAreRight,
        turns.PointsAreRight,
        questions.QuestionsAreAsked,
        answers.AnswersAreRight,
        staged.StagedGamesAgree,
        staged.ThrownGamesAgree,
        staged.LonePursuitsAgree,
        drills.DrillsComeRight,
        corpus.KnownGamesAgree,
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
