"""Checks of chance: what is rolled and drawn has exactly the probabilities that the table and the cup give it, and dice are fair.

The exact ones need the capability `ExactChance`, with which a ruleset says what a player is shown before the dice fall.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from hexwar.engine import Action, Event, Game, Play
from hexwar.errors import HexwarError
from hexwar.mechanics import Assembling, AttackAnnounced, AttackResolved, Battle, Declaring, Fight, Resolve, Resolving
from hexwar.pieces import ChitDrawn, Done, Odds
from hexwar.testing._checks.following import Remembering
from hexwar.testing._running.kit import Capability
from hexwar.testing._running.watch import Crash, Survey
from hexwar.testing._staging.chances import Branch, TooManyWays, distribution

MOST = 2_000
"""Actions whose dice can take more ways are skipped."""
ROLLS = 1_800
SIGMA = 5
"""A fair die strays so far from its mean once in a million times; the seeds are fixed, so that it always does or never."""


class ExactChance(Capability):
    """Combat is rolled on a table and chits are drawn from a cup as in `hexwar.mechanics`; others override what differs."""

    def fought(self, game: Game, action: Action) -> Battle | None:
        """The attack that an action resolves before anybody decides again, with the attackers that are left, or None."""
        step = game.state.stack[-1]
        battle = None
        if isinstance(step, Assembling) and isinstance(action, Resolve):
            battle = step.battle
        elif isinstance(step, Resolving) and isinstance(action, Fight):
            battle = next(waiting for waiting in step.battles if waiting.target == action.target)
        elif isinstance(step, Declaring) and isinstance(action, Done):
            battles = step.battles(game._position)
            battle = battles[0] if len(battles) == 1 else None
        if battle is None:
            return None
        return replace(battle, pairs=tuple([pair for pair in battle.pairs if self.still_attacks(game, *pair)]))

    def still_attacks(self, game: Game, unit: str, aim: str) -> bool:
        """Whether a unit is left to attack a hex: it stands beside it."""
        at, board = game.state.locations, game.world.board
        return at.get(unit, "") in board and board.adjacent(at[unit], aim)

    def odds(self, game: Game, fought: Battle) -> Odds:
        """What a player is shown of it.

        Raises:
            HexwarError: there is nothing to fight any more.
        """
        several = len(fought.targets) > 1
        shown: Odds = game.query.odds_of(fought.pairs) if several else game.query.odds(fought.attackers, fought.target)
        return shown

    def result(self, events: Iterable[Event], target: str) -> str | None:
        """What the table answered for an attack, as the events of an action report it; None if nothing was rolled for it."""
        return next((event.result for event in events if isinstance(event, AttackResolved) and event.target == target), None)

    def declared(self, events: Iterable[Event], target: str) -> tuple[Any, ...] | None:
        """Strengths, column and shifts of an attack, as the events report them; the last one left may follow it by itself."""
        announced = (event for event in events if isinstance(event, AttackAnnounced) and event.battle.target == target)
        return next(((event.attack, event.defence, event.odds, event.shifts) for event in announced), None)

    def previewed(self, odds: Odds) -> tuple[Any, ...]:
        """The same as the preview has them."""
        return odds.attack, odds.defence, odds.name, tuple((shift.columns, shift.reason, shift.clause) for shift in odds.shifts)

    def drawn(self, event: Event) -> str | None:
        """The lot that an event takes out of the cup, or None."""
        return event.chit if isinstance(event, ChitDrawn) else None

    def cup(self, state: Any) -> Sequence[str]:
        """What lies in the cup."""
        cup: Sequence[str] = state.cup
        return cup


class _Chances(Remembering, abstract=True):
    """What they share: what was shown before the action."""

    needs = ExactChance

    def preview(self, action: Action) -> tuple[Odds, str] | None:
        """The odds and the target of the attack that an action resolves; None if it resolves none."""
        fought = self.rule(ExactChance).fought(self.was, action)
        if fought is None or not fought.attackers:
            return None
        try:
            return self.rule(ExactChance).odds(self.was, fought), fought.target
        except HexwarError:
            return None  # the last defender has left


class ChanceIsExact(_Chances):
    """Over all dice, results have exactly the probabilities that the odds show, and each chit in the cup the same one."""

    rate = 0.8

    def after(self, game: Game, seat: str, action: Action, events: list[Event]) -> None:
        """Where something was rolled or drawn, roll and draw everything else too."""
        if game.state.draws == self.was.state.draws:
            return
        previewed, exact = self.preview(action), self.rule(ExactChance)
        if previewed is not None:
            odds, target = previewed
            expected: Mapping[Any, Fraction] = odds.distribution or {None: Fraction(1)}
            self._compare(seat, action, f"the results of {action!r}", lambda it: exact.result(it.game.events, target), expected)
        elif any(map(exact.drawn, events)):
            lots = self._lots(events)
            if lots is not None:
                self._compare(seat, action, "what is drawn first", self._first_drawn, lots)

    def _compare(self, seat: str, action: Action, what: str, of: Any, expected: Mapping[Any, Fraction]) -> None:
        try:
            found: dict[Hashable, Fraction] = distribution(self.was, action, seat, of=of, most=MOST)
        except TooManyWays:
            return
        except Exception as error:  # other dice than those of the game make the rules fail
            raise Crash(seat, action, error) from error
        if found != expected:
            raise self.fail(f"over all dice, {what} are {_told(found)}, but should be {_told(expected)}")

    def _first_drawn(self, branch: Branch) -> str | None:
        return next(filter(None, map(self.rule(ExactChance).drawn, branch.game.events)), None)

    def _lots(self, events: list[Event]) -> dict[str, Fraction] | None:
        """The probability of each lot in the cup from which the first one came; None if a die was rolled before that."""
        state = self.was.state.copy()
        for event in events:
            if self.rule(ExactChance).drawn(event):
                # The draw is counted by an event of its own, just before the one that says what was drawn.
                if state.draws != self.was.state.draws + 1:
                    return None
                cup = Counter(self.rule(ExactChance).cup(state))
                return {chit: Fraction(number, cup.total()) for chit, number in cup.items()}
            event.apply(state)
        return None


class OddsAreKept(_Chances):
    """Strengths, shifts and column of an attack are the same when it is resolved as the preview showed them before."""

    def after(self, game: Game, seat: str, action: Action, events: list[Event]) -> None:
        """Compare the preview with the events."""
        previewed = self.preview(action)
        if previewed is None:
            return
        odds, target = previewed
        shown = self.rule(ExactChance).previewed(odds) if odds.distribution else None
        declared = self.rule(ExactChance).declared(events, target)
        self.demand(shown == declared, f"the preview of {action!r} showed {shown}, but the attack was {declared}")
        result = self.rule(ExactChance).result(events, target)
        if result is not None and result not in odds.distribution:  # none if somebody is asked before it is rolled for
            raise self.fail(f"{action!r} resulted in {result}, but the preview showed only {', '.join(odds.distribution)}")


def _told(chances: Mapping[Any, Fraction]) -> str:
    return ", ".join(f"{value} {chance}" for value, chance in sorted(chances.items(), key=str)) or "nothing"


class DiceAreFair(Survey):
    """In many rolls and draws every outcome, and every outcome after another, comes up about as often as all others."""

    def run(self, seed: int) -> None:
        """Roll and draw as the rules do, in a game of its own."""
        game = self.subject.start(f"{seed}|fair")
        clause = next(event.clause for event in game.events if event.clause)  # cited anyhow
        play = Play(game.world, game.state.copy(), game.chance)
        rolls = [play.roll("fairness", clause=clause) for _ in range(ROLLS)]
        draws = [play.draw("fairness", "abcde", clause=clause) for _ in range(ROLLS)]
        for what, outcomes, known in (("roll", rolls, range(1, 7)), ("draw", draws, "abcde")):
            counted: Counter[object] = Counter(outcomes)
            self._judge(what, counted, list(known))
            after = Counter(zip(outcomes[::2], outcomes[1::2], strict=True))
            self._judge(f"{what} after {what}", Counter(after), [(a, b) for a in known for b in known])

    def _judge(self, what: str, counted: Counter[object], known: list[object]) -> None:
        total = counted.total()
        mean = total / len(known)
        spread = SIGMA * (mean * (1 - 1 / len(known))) ** 0.5
        strange = [outcome for outcome in counted if outcome not in known]
        self.demand(not strange, f"a {what} gave {', '.join(map(repr, strange))}")
        for outcome in known:
            self.demand(
                abs(counted[outcome] - mean) <= spread,
                f"a {what} of {outcome!r} came up {counted[outcome]} times in {total}; about {mean:.0f} were due",
            )
