"""Checks of the course of a game: it never gets stuck, it ends, and what must always hold does."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Sequence

from hexwar.engine import Action, Event, Game, LaneEntered, LaneLeft, Sight, Step, StepPopped, StepPushed
from hexwar.engine._events import StepReplaced
from hexwar.errors import Refusal
from hexwar.mechanics import CallOff
from hexwar.pieces import Done
from hexwar.testing._running.watch import Survey, Watch, in_words, is_unknown_citation, try_offered
from hexwar.testing._staging.attempts import attempts
from hexwar.testing._staging.random_play import choose, shortened

WALK, WAYS = 20, 5
"""Decisions that are made to stay in a game, times the probes of the tier; ways that are tried at each of them."""


class NoDeadEnds(Watch):
    """As long as the game is not over, somebody is asked, and everyone who is asked has an action."""

    def look(self, game: Game) -> None:
        """A seat must be able to go on."""
        if game.result is not None:
            return
        self.demand(game.to_move, "nobody is asked and the game is not over")
        for asked in game.to_move:
            self.demand(game.offered(asked) and game.legal_actions(asked), f"{asked} is asked and has no action")


class GamesEnd(Watch):
    """A game of random decisions ends within the number of actions that its scenario promises."""

    shrinks = False
    follows = True
    """The bound comes where it comes."""

    def after(self, game: Game, seat: str, action: Action, events: list[Event]) -> None:
        """Count."""
        done = len(game.history)
        in_time = done < self.subject.bound or game.result is not None
        self.demand(in_time, f"after {done} actions, the bound of scenario {self.subject.scenario}, the game is not over")


class NothingComesBack(Survey):
    """No player can lead a game back to a position that was there before, and so keep it going for ever.

    To call an attack off is to take it back: nobody gains time by that.
    """

    def run(self, seed: int) -> None:
        """Let somebody play who never ends anything and looks for a way back."""
        key = f"{seed}|round"
        chance, here = random.Random(key), self.subject.start(key).playout()
        met, done = {here.digest: 0}, list[str]()
        for _ in range(WALK * self.budget.probes):
            if not here.to_move:
                return
            twins = []
            for _ in range(WAYS):
                seat, action = choose(here, chance)
                twin = here.copy()
                try_offered(twin, seat, action)
                if twin.digest in met and not isinstance(action, CallOff):
                    way = "; ".join([*done[met[twin.digest] :], f"{seat}: {shortened(action)}"])
                    raise self.fail(f"these decisions lead back to where they began: {way}")
                twins.append((action, f"{seat}: {shortened(action)}", twin))
            action, said, here = min(twins, key=lambda entry: isinstance(entry[0], Done | CallOff))
            done.append(said)
            met = {} if isinstance(action, CallOff) else met
            met[here.digest] = len(done)


class InvariantsHold(Watch):
    """The invariants of the ruleset hold at the beginning and after every action."""

    def look(self, game: Game) -> None:
        """Ask each of them."""
        at = game._position
        for invariant in (*game.ruleset.invariants, *self.subject.invariants):
            try:
                broken = invariant.broken(at)
            except Exception as error:
                raise self.fail(f"{invariant.clause}, {invariant.title}: cannot be told: {in_words(error)}") from error
            self.demand(not broken, f"{invariant.clause}, {invariant.title}: {broken}")


class StepsAlone:
    """A state of which nothing is known but its steps."""

    def __init__(self, stack: Sequence[Step] = ()) -> None:
        self.stack = list(stack)

    def __getattr__(self, name: str) -> None:
        """What lanes keep does not matter here."""

    def take(self, event: Event) -> None:
        """Do what an event does to the steps."""
        if isinstance(event, StepPushed | StepPopped | LaneEntered | LaneLeft):
            event.apply(self)  # type: ignore[arg-type]


class HeirsGetWhatIsLeft(Watch):
    """Where a decision passes from one player of a side to the next, the next has what is left, and never more."""

    def before(self, game: Game, seat: str, action: Action) -> None:
        """Remember the steps."""
        self._steps = StepsAlone(game._state.stack)

    def after(self, game: Game, seat: str, action: Action, events: list[Event]) -> None:
        """No number grows in a step that another player of the same side takes over."""
        seats = game.world.seats
        for event in events:
            if isinstance(event, StepReplaced) and self._steps.stack:
                old, new = self._steps.stack[-1], event.step
                whose, heir = getattr(old, "seat", ""), getattr(new, "seat", "")
                if type(old) is type(new) and whose != heir and whose in seats and seats[whose] == seats.get(heir):
                    for name in (entry.name for entry in dataclasses.fields(new)):
                        was, now = getattr(old, name), getattr(new, name)
                        grown = isinstance(was, int) and isinstance(now, int) and now > was
                        self.demand(not grown, f"{whose} left {name} = {was} to {heir}, who has {now}: {new!r}")
            self._steps.take(event)


class ClausesAreKnown(Watch):
    """Every event, outline, verdict, prompt and refusal of the rules cites a clause of the rule index."""

    rate = 0.2

    def begin(self, game: Game) -> None:
        """What led to the first decision."""
        self._events(game, game.events)

    def before(self, game: Game, seat: str, action: Action) -> None:
        """Prompts and refusals."""
        rules = game.world.rules
        clause = game._state.stack[-1].rule(game._position)
        if clause and clause not in rules:
            raise self.fail(f"the step {game._state.stack[-1]!r} carries out clause {clause!r}, which is not in the rule index")
        for attempt in attempts(game, self.random(seat, action), (), 1):
            try:
                refusal = game.why_not(attempt.action, attempt.side)
            except Exception as error:
                if is_unknown_citation(error):
                    raise self.fail(f"{attempt}: {error}") from error
                continue  # other errors are left to other checks
            if isinstance(refusal, Refusal) and refusal.clause and refusal.clause not in rules:
                raise self.fail(f"{attempt}: the refusal cites clause {refusal.clause!r}, which is not in the rule index")

    def after(self, game: Game, seat: str, action: Action, events: list[Event]) -> None:
        """What happened."""
        self._events(game, events)

    def end(self, game: Game) -> None:
        """Everything that ever happened, and the verdict."""
        self._events(game, game.events)
        if game.result is not None and game.result.clause not in game.world.rules:
            raise self.fail(f"the verdict cites clause {game.result.clause!r}, which is not in the rule index")

    def _events(self, game: Game, events: list[Event]) -> None:
        for event in events:
            if isinstance(event, StepPushed | StepPopped | LaneEntered | LaneLeft):
                continue
            outline = event.outline() if event.sight is Sight.OWNER else None
            for cited in (event, *((outline,) if outline is not None else ())):
                if cited.clause not in game.world.rules:
                    name = type(cited).__name__
                    raise self.fail(f"{name} cites clause {cited.clause!r}, which is not in the rule index")
