"""Checks of the gate: what is offered works, whatever else is refused, nothing changes by asking, and bots choose from it."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from hexwar.bots import KeyedChance, load_bot, usual_bot
from hexwar.engine import Action, Game
from hexwar.engine._records import has_shape
from hexwar.errors import Refusal, RefusalCode
from hexwar.testing._checks.following import Counting
from hexwar.testing._running.watch import CheckFailed, Watch, in_words, try_offered
from hexwar.testing._staging.attempts import Attempt, attempts

CODES = frozenset(RefusalCode)
QUICKLY = 0.003
"""The share of the decisions of the quick tier: a bot may think for long."""
REMEMBERED = 60
"""How many actions that were offered earlier are kept, to be tried when they are stale."""


class OfferedActionsApply(Watch):
    """Every offered action can be applied: the rules raise no error, and the gate finds no reason against it."""

    rate = 0.5

    def before(self, game: Game, seat: str, action: Action) -> None:
        """Try a few others on copies."""
        chance = self.random(seat, action)
        for asked in game.to_move:
            offered = game.legal_actions(asked)
            for other in chance.sample(offered, min(len(offered), self.budget.probes)):
                try_offered(game.copy(), asked, other)


class Snapshot:
    """What must be as it was after a refusal."""

    def __init__(self, game: Game) -> None:
        self.state = game._state
        self.numbers = self._numbers(game)
        self.digest = game.digest
        self.offers = {seat: game.legal_actions(seat) for seat in game.to_move}

    @staticmethod
    def _numbers(game: Game) -> dict[str, Any]:
        return {
            "the history": len(game.history),
            "the log": len(game.events),
            "the number of draws": game._state.draws,
            "the dice tape": len(getattr(game.chance, "tape", ())),
            "whether undo is possible": game.can_undo,
            "who must decide": game.to_move,
        }

    def difference(self, game: Game, *, thorough: bool = False) -> str:
        """What has changed, or ""."""
        for name, now in self._numbers(game).items():
            if self.numbers[name] != now:
                return f"{name} changed"
        if game._state is not self.state:
            return "the state is another"
        if thorough and game.digest != self.digest:
            return "the digest of the state changed"
        if thorough and self.offers != {seat: game.legal_actions(seat) for seat in game.to_move}:
            return "the offered actions changed"
        return ""


class _Fuzzing(Counting, Watch, abstract=True):
    """What the fuzzing checks share."""

    rate = 0.08

    _stale: tuple[Action, ...] = ()

    def before(self, game: Game, seat: str, action: Action) -> None:
        """Put all sorts of things to the gate."""
        self._storm(game, seat, action)
        for asked in game.to_move:
            self._stale = (*self._stale, *game.legal_actions(asked)[: REMEMBERED // 2])[-REMEMBERED:]

    def end(self, game: Game) -> None:
        """Once more when the game is over."""
        if game.history:
            self._stale = (*self._stale, *(move.action for move in game.history[-REMEMBERED // 2 :]))[-REMEMBERED:]
            self._storm(game, "", game.history[-1].action)

    def _storm(self, game: Game, seat: str, action: Action) -> None:
        chance = self.random(seat, action)
        before = Snapshot(game)
        offers = {asked: dict(zip(listed, listed, strict=True)) for asked, listed in before.offers.items()}
        for attempt in attempts(game, chance, self._stale, self.budget.probes):
            meant = _meant(game, attempt, offers)
            if meant is None:
                self.tally[attempt.sort] += 1
            self.failing = attempt.sort
            self.try_one(game, attempt, meant)
            changed = before.difference(game)
            if changed:
                raise self.fail(f"{attempt}: {changed}")
        changed = before.difference(game, thorough=True)
        if changed:
            raise self.fail(f"after many refusals {changed}")
        self.failing = ""

    def try_one(self, game: Game, attempt: Attempt, meant: Action | None) -> None:
        """Judge the gate's answer; `meant` is the offered action that it amounts to, if there is one."""
        raise NotImplementedError

    def _apply_fails(self, game: Game, attempt: Attempt, meant: Action | None, error: Exception) -> CheckFailed:
        """The failure to raise; if the offered action itself cannot be done, that is left to another check."""
        if meant is not None:
            try_offered(game.copy(), _seats(game, attempt)[0], meant)
        return self.fail(f"{attempt}: apply fails: {in_words(error)}")


class OthersAreRefused(_Fuzzing):
    """Whatever is not offered is refused with a code, and state, draws, log and history stay as they were."""

    def try_one(self, game: Game, attempt: Attempt, meant: Action | None) -> None:
        """It must be refused, or be done as the offered action that it equals."""
        if meant is not None:
            twin = game.copy()
            try:
                twin.apply(attempt.action, attempt.side)
            except Refusal as refusal:
                raise self.fail(f"{attempt}: is refused, but {meant!r} is offered: {refusal}") from refusal
            except Exception as error:
                raise self._apply_fails(game, attempt, meant, error) from error
            done = twin.history[-1].action
            if type(done) is not type(meant) or repr(done) != repr(meant):
                raise self.fail(f"{attempt}: was performed as {done!r}, but the offered action is {meant!r}")
            return
        try:
            game.apply(attempt.action, attempt.side)
        except Refusal as refusal:
            if refusal.code not in CODES or not refusal.message:
                raise self.fail(f"{attempt}: is refused without a code and a sentence: {refusal!r}") from None
        except Exception as error:
            raise self.fail(f"{attempt}: should be refused, but the rules fail: {in_words(error)}") from error
        else:
            raise self.fail(f"{attempt}: was not offered and has been done")


class WhyNotAgrees(_Fuzzing):
    """`why_not` gives None exactly for what can be applied, and otherwise the very refusal that `apply` raises."""

    rate = 0.05

    def try_one(self, game: Game, attempt: Attempt, meant: Action | None) -> None:
        """Both must say the same."""
        try:
            reason = game.why_not(attempt.action, attempt.side)
        except Exception as error:
            raise self.fail(f"{attempt}: why_not fails: {in_words(error)}") from error
        raised: Refusal | None = None
        try:
            (game.copy() if reason is None else game).apply(attempt.action, attempt.side)
        except Refusal as refusal:
            raised = refusal
        except Exception as error:
            raise self._apply_fails(game, attempt, meant, error) from error
        if reason != raised:
            raise self.fail(f"{attempt}: why_not says {_words(reason)}, apply says {_words(raised)}")

    def before(self, game: Game, seat: str, action: Action) -> None:
        """Also for what is offered."""
        super().before(game, seat, action)
        for asked in game.to_move:
            offered = game.legal_actions(asked)
            self.demand(game.view(asked).legal_actions() == offered, f"the view of {asked} offers other actions than the gate")
            for other in self.random(seat, action).sample(offered, min(len(offered), 3 * self.budget.probes)):
                reason = game.why_not(other, asked)
                if reason is not None:
                    raise self.fail(f"{asked} is offered {other!r}, but why_not says {_words(reason)}")


def _meant(game: Game, attempt: Attempt, offers: Mapping[str, Mapping[Action, Action]]) -> Action | None:
    """The offered action that an attempt amounts to, looked up in the lists of what is offered."""
    action = attempt.action
    if isinstance(action, dict):
        try:
            action = game.ruleset.parse_action(action)
        except Exception:
            return None
    if type(action) not in game.ruleset.action_types.values():
        return None
    seats = _seats(game, attempt)
    if len(seats) != 1:
        return None
    try:
        # A hex may have several labels, and the world knows them all.
        ways = [action, *([game.world.named(action)] if has_shape(action) else [])]
        found = [(way, offers[seats[0]].get(way)) for way in ways]
        offer = game.offered(seats[0])
        if not offer.complete:  # what is listed is a menu: the set knows more
            found += [(way, offer.find(way)) for way in ways if has_shape(way)]
    except TypeError:  # it holds something that has no hash
        return None
    # What merely compares equal, such as True for 1, is something else.
    return next((offered for way, offered in found if offered is not None and repr(way) == repr(offered)), None)


def _seats(game: Game, attempt: Attempt) -> list[str]:
    """The seats that are asked and that an attempt may mean."""
    side = str.__str__(attempt.side) if isinstance(attempt.side, str) else None  # whatever it claims to equal
    return [seat for seat in game.to_move if side in (seat, game.world.seats[seat])]


def _words(refusal: Refusal | None) -> str:
    return "that it is offered" if refusal is None else f"{refusal.code} {refusal}"


class OffersAreSets(Watch):
    """What is listed is found and nothing is listed twice, and what is sampled is listed."""

    rate = 0.3

    def before(self, game: Game, seat: str, action: Action) -> None:
        """Compare listing, finding and sampling."""
        chance = self.random(seat, action)
        for asked in game.to_move:
            offer = game.offered(asked)
            listed = list(offer)
            if len(set(listed)) != len(listed):
                twice = next(other for other in listed if listed.count(other) > 1)
                raise self.fail(f"{asked} is offered {twice!r} more than once")
            for other in listed:
                if offer.find(other) != other:
                    raise self.fail(f"{asked} is offered {other!r}, but looking for it gives {offer.find(other)!r}")
            for _ in range(self.budget.probes):
                drawn = offer.sample(chance)
                if drawn not in (listed if offer.complete else offer):
                    raise self.fail(f"a sample of what {asked} is offered gave {drawn!r}, which is not in the list")


class OrderIsStable(Watch):
    """Offered actions come in the same order whenever the same position is asked, also in a copy of the game."""

    rate = 0.3

    def before(self, game: Game, seat: str, action: Action) -> None:
        """Ask again and again."""
        for asked in game.to_move:
            first = game.legal_actions(asked)
            for times in (2, 3):
                same = game.legal_actions(asked) == first == game.copy().legal_actions(asked)
                self.demand(same, f"the actions of {asked} were listed in another order when asked again ({times} times)")


class BotsAnswerWhatIsOffered(Watch):
    """The game's bot, made afresh and asked in the middle of a game of others, answers with something that is offered."""

    rate = 0.02

    def looks_at(self, number: int) -> bool:
        """Fewer decisions than other checks, in short games too."""
        share = QUICKLY if self.budget.tier == "quick" else self.rate
        return random.Random(f"{self.id}{self.salt}|{number}").random() < share

    def before(self, game: Game, seat: str, action: Action) -> None:
        """Ask it."""
        name = usual_bot(self.subject.info)
        try:
            answer = load_bot(name).choose(game.view(seat), KeyedChance(f"{self.id}|{len(game.history)}"))
        except Exception as error:
            raise self.fail(f"{name}, asked in place of {seat}, fails: {type(error).__name__}: {error}") from error
        if (refusal := game.why_not(answer, seat)) is not None:
            raise self.fail(f"{name}, asked in place of {seat}, answers {answer}: {refusal}")
