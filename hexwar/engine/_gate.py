"""The gate that every action goes through: what is offered to whom, and what happens when somebody takes it.

It checks membership before any ruleset code runs. None of that is left to rulesets.
"""

from __future__ import annotations

from collections.abc import Mapping
from threading import Lock
from typing import Any, Generic, NoReturn, Self

from hexwar._notebook import shown
from hexwar.engine._actions import Action, ActionSet, Listed, Offers
from hexwar.engine._chance import Chance
from hexwar.engine._events import Event
from hexwar.engine._picture import Picture
from hexwar.engine._question import Question
from hexwar.engine._records import has_shape, is_quick, plain_text
from hexwar.engine._rules import Citing, collectors
from hexwar.engine._ruleset import Q, Ruleset
from hexwar.engine._state import NOBODY, Result
from hexwar.engine._steps import Play, Position, S, Step, W
from hexwar.engine._view import View, offer_to, vetoed
from hexwar.errors import Refusal, RefusalCode, RuleBroken, RuleBrokenCode

MAX_AUTOMATIC_STEPS = 100_000


class Gate(Generic[S, W, Q]):
    """A position that goes on, action by action."""

    def __init__(self, ruleset: Ruleset[S, W, Q], world: W, state: S, chance: Chance) -> None:
        self.ruleset = ruleset
        self.world = world
        self._state = state
        """As the rules have it; callers get `state`."""
        self._chance = chance
        self._changing = Lock()
        self._offers: dict[str, ActionSet] = {}
        """What is offered to those who decide now; empty if it has to be computed, or if the game is over."""
        self._memo: dict[Any, Any] = {}
        """What was computed about the position for these offers: whoever carries one out begins with it."""

    # -- who must decide, and what ------------------------------------------------------------------------------

    @property
    def state(self) -> S:
        """The whole position as a value, secrets included. A copy of it (`game.state.copy()`) is yours to change."""
        return self._state

    @property
    def position(self) -> Position[S, W]:
        """State and world together, as queries take them."""
        return Position(self.world, self.state)

    @property
    def _position(self) -> Position[S, W]:
        """The same with the state as the rules have it."""
        return Position(self.world, self._state)

    @property
    def to_move(self) -> tuple[str, ...]:
        """The seats that must decide now; empty when the game is over. A side with one player is its own seat."""
        return tuple(self._offers) or self._ask_again()

    def _ask_again(self) -> tuple[str, ...]:
        """Work out who decides what in a position that nothing led to: a copy, or one that an undo brought back."""
        if self._state.result is None:
            at = self._position
            self._offers, self._memo = self._offers_to(self._step.deciders(at), at), at.memo
        return tuple(self._offers)

    @property
    def result(self) -> Result | None:
        """The verdict, None until the game is over."""
        return self._state.result

    @property
    def _step(self) -> Step[S, W]:
        return self._state.stack[-1]  # type: ignore[no-any-return]

    def prompt(self, side: str | None = None) -> str:
        """What is asked of a side, in a sentence with its clause."""
        return self.question(side).prompt

    def question(self, side: str | None = None) -> Question:
        """Return what is asked of a side, as data.

        Examples:
            >>> question = hexwar.new_game("bridgehead", seed=2).question("blue")
            >>> question.kind, question.clause, question.groups
            ('selecting', '5.2', ('bA', 'bB', 'bC'))
            >>> str(question.group("bA")[0])
            'select bA'
        """
        seat = self._asked(side)
        state = self._state
        return Question(self._step, lambda: self._known_to(seat, state), seat, self.to_move, self._offers[seat])

    def _known_to(self, seat: str, state: S) -> Position[S, W]:
        """A position as far as a seat may know it: what is said to the seat is said from this."""
        return Position(self.world, state.seen_by(self.world.viewer(seat)))

    def offered(self, side: str | None = None) -> ActionSet:
        """What a side may do, as a set: membership and sampling without listing everything."""
        if type(side) is not str or side not in self._offers:
            side = self._asked(side)  # this may compute the offers again
        return self._offers[side]

    def legal_actions(self, side: str | None = None) -> Offers:
        """Return what a side may do, in a stable order; empty when the game is over. Nothing is listed before it is read.

        Examples:
            >>> game = hexwar.new_game("bridgehead", seed=2)
            >>> [str(action) for action in game.legal_actions("blue")]
            ['select bA', 'select bB', 'select bC']
        """
        return Offers(self.offered(side) if self.to_move else Listed(()))

    def why_not(self, action: Action | Mapping[str, object], side: str | None = None) -> Refusal | None:
        """Return the reason why an action would be refused, or None if it is offered.

        Examples:
            >>> from hexwar.pieces import Ready
            >>> print(hexwar.new_game("bridgehead", seed=2).why_not(Ready(), "blue"))
            5.2: more of the chits must be selected
        """
        return self._judge(action, side)[2]

    # -- doing it -------------------------------------------------------------------------------------------------

    def apply(self, action: Action | Mapping[str, object], side: str | None = None) -> list[Event]:
        """Apply an offered action.

        Args:
            action: an action, or its JSON form.
            side: who does it; needed only if several must decide and could do the same.

        Returns:
            All events that followed, secret ones included: give players `log` or `view` instead.

        Raises:
            Refusal: it is not offered; nothing has changed.

        Examples:
            >>> game = hexwar.new_game("bridgehead", seed=2)
            >>> [str(event) for event in game.apply(game.question("blue").example, "blue")]
            ['blue selects bC']
        """
        if not self._changing.acquire(False):
            raise busy()
        try:
            seat, offered, refusal = self._judge(action, side)
            if refusal is not None:
                for collect in collectors:
                    collect(self.world.setup.ruleset, refusal.clause, Citing.REFUSAL)
                raise refusal
            assert offered is not None
            return self._do(seat, offered)
        finally:
            self._changing.release()

    def _do(self, seat: str, offered: Action) -> list[Event]:
        """Do what was offered; the events."""
        raise NotImplementedError

    def _carry_out(self, play: Play[S, W], seat: str, offered: Action) -> dict[str, ActionSet]:
        """Do what was offered in a state that may be changed; what is offered then."""
        try:
            play.state.stack[-1].perform(play, seat, offered)
            return self._settle(play)
        except Refusal as error:
            raise RuleBroken(RuleBrokenCode.OFFERED_THEN_REFUSED, f"{offered!r} was offered and then refused: {error}") from error

    def _judge(self, action: object, side: str | None) -> tuple[str, Action | None, Refusal | None]:
        """Who would act, the offered action that is meant, and the refusal if there is none."""
        if type(side) is str and side in self._offers and self._offers[side].is_handed_out(action):
            return side, action, None  # type: ignore[return-value]  # sets hand out nothing but actions
        if not isinstance(action, Action) and isinstance(action, Mapping):
            try:
                action = self.ruleset.parse_action(action)
            except ValueError as error:
                return "", None, Refusal(RefusalCode.UNKNOWN_ACTION, "", f"not a valid action in this game: {error}")
        if not isinstance(action, Action):
            message = f"an action is needed, not a {type(action).__name__}"
            return "", None, Refusal(RefusalCode.UNKNOWN_ACTION, "", message)
        known = type(action)
        if self.ruleset.action_types.get(str(getattr(known, "kind", ""))) is not known:  # a class may lie about what it is
            message = f"not a valid action in this game: {known.__name__} is not among the ruleset's actions"
            return "", None, Refusal(RefusalCode.UNKNOWN_ACTION, "", message)
        if not has_shape(action):  # no set sees it: a plane would take (True, 3) for a point
            try:
                hash(action)
            except TypeError:
                return "", None, Refusal(RefusalCode.UNKNOWN_ACTION, "", "the action holds something that no action may hold")
            try:
                rebuilt = self.ruleset.parse_action(action.to_json())
                why = "a field has a value of a wrong type or beyond all measure"
            except (TypeError, ValueError) as error:
                rebuilt, why = None, str(error)
            if rebuilt is None or is_quick(known):  # type: ignore[arg-type]  # a class is hashable
                return "", None, Refusal(RefusalCode.UNKNOWN_ACTION, "", f"not a valid action in this game: {why}")
            action = rebuilt  # from plain values, with nothing of the caller's in it
        if type(side) is str and side in self._offers:
            seat = side
        else:
            try:
                seat = self._only_seat_offered(action) if side is None and len(self.to_move) > 1 else self._asked(side)
            except Refusal as refusal:
                return "", None, refusal
        offered = self._offers[seat].find(action)
        if offered is None:
            named = self.world.named(action)
            if named != action:
                action, offered = named, self._offers[seat].find(named)
        return seat, offered, None if offered is not None else self._explain(seat, action)

    def _explain(self, seat: str, action: Action) -> Refusal:
        known = self._known_to(seat, self._state)
        base = self._step.actions(self._position, seat).find(action) if self.world.vetoes else None
        forbidden = vetoed(self._step.facing(known, seat), seat, base) if base is not None else None
        reason = forbidden or self._step.actions(known, seat).why_not(action)
        if reason is None:
            asked, facing = self._step.asked(self._position, seat), self._step.facing(self._position, seat)
            return Refusal(RefusalCode.NOT_OFFERED, asked.rule(facing), f"{action} is not possible now")
        if reason.clause and reason.clause not in self.world.rules:
            raise RuleBroken(
                RuleBrokenCode.UNKNOWN_CLAUSE, f"a refusal cites clause {reason.clause!r}, which is not in the rule index"
            )
        return reason

    def _asked(self, side: str | None) -> str:
        """The seat that a caller means, provided that it is asked now."""
        asked = self.to_move
        if type(side) is str and side in asked:
            return side
        side = None if side is None else self._name(side)
        if side in asked:
            assert side is not None
            return side
        if not asked:
            raise Refusal(RefusalCode.GAME_OVER, "", f"the game is over: {self._state.result}")
        if side is None:
            if len(asked) > 1:
                together = f"{', '.join(asked)} decide at the same time"
                raise Refusal(RefusalCode.AMBIGUOUS_SEAT, "", f"{together}: say which side, for example {asked[0]!r}")
            return asked[0]
        mine = [seat for seat in asked if self.world.seats[seat] == side]
        if len(mine) == 1:
            return mine[0]
        if mine:
            raise Refusal(RefusalCode.AMBIGUOUS_SEAT, "", f"{', '.join(mine)} of {side} decide at the same time: say which seat")
        raise Refusal(RefusalCode.NOT_YOUR_TURN, "", f"{side} is not asked now; {', '.join(asked)} must decide")

    def _only_seat_offered(self, action: Action) -> str:
        able = [seat for seat in self.to_move if self.offered(seat).find(action) is not None]
        if len(able) > 1:
            raise Refusal(
                RefusalCode.AMBIGUOUS_SEAT, "", f"{', '.join(able)} could do this: say which side does, for example {able[0]!r}"
            )
        return able[0] if able else self.to_move[0]

    def _settle(self, play: Play[S, W]) -> dict[str, ActionSet]:
        """Run automatic steps until a decision is needed or the game is over; what is then offered to whom."""
        state = play.state
        for _ in range(MAX_AUTOMATIC_STEPS):
            if state.result is not None:
                return {}
            if not state.stack:
                raise RuleBroken(
                    RuleBrokenCode.DEAD_END,
                    "the stack of steps is empty and the game is not over; "
                    'a hand-made position that is to be played on has {kind = "sequencing"} first in its stack',
                )
            step = state.stack[-1]
            asked = step.deciders(play)
            if asked:
                return self._offers_to(asked, Position(self.world, state, play.memo))
            done = len(play.events)
            step.resume(play)
            if len(play.events) == done:
                raise RuleBroken(RuleBrokenCode.DEAD_END, f"the step {step!r} waits for nobody and does nothing")
        raise RuleBroken(
            RuleBrokenCode.DEAD_END,
            f"{MAX_AUTOMATIC_STEPS} automatic steps without a decision: the sequence of play makes no progress",
        )

    def _offers_to(self, asked: tuple[str, ...], at: Position[S, W]) -> dict[str, ActionSet]:
        offers, step, seats = {}, at.state.stack[-1], self.world.seats
        for seat in asked:
            if seat not in seats:
                message = f"the step {step!r} asks {seat!r}; the seats are {', '.join(seats)}"
                raise RuleBroken(RuleBrokenCode.UNKNOWN_SEAT, message)
            offers[seat] = offer = offer_to(step, at, seat)
            if not offer:
                raise RuleBroken(RuleBrokenCode.DEAD_END, f"the step {step!r} asks {seat} and offers nothing")
        if collectors:
            self._cite_step(at)
        return offers

    def _cite_step(self, at: Position[S, W]) -> None:
        try:
            clause = at.state.stack[-1].rule(at)
        except Exception:  # the caller who asks for the prompt gets the error: listening changes nothing
            return
        for collect in collectors:
            collect(self.world.setup.ruleset, clause, Citing.STEP)

    def view(self, side: str | None) -> View[S, W, Q]:
        """Return what a side may know, or what everybody may know if no side is named.

        What it may do is computed from what it knows, so that nothing in the view leads to the true position.

        Examples:
            >>> game = hexwar.new_game("bridgehead", seed=2)
            >>> _ = game.apply(game.question("blue").example, "blue")
            >>> game.view("blue").state.selected, game.view("red").state.selected
            ({'blue': ('bC',)}, {})
        """
        viewer = NOBODY if side is None else self.world.viewer(self._any_seat(side))
        known = Position(self.world, self._state.seen_by(viewer))
        steps = [step.seen_by(viewer) for step in self._state.stack]
        return View(self.ruleset, known, viewer, self.to_move, steps)

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        """In a notebook, a game shows what everybody may see; `game.view(side)` shows what a side may."""
        view = self.view(None)
        return shown(view, repr(view), "game_svg")  # its own repr counts actions, secret ones too

    def _name(self, side: object) -> str:
        """A seat or side that a caller named, as a plain text: a subclass of text may claim to equal any name."""
        name = plain_text(side) if isinstance(side, str) else ""
        if name not in (*self.world.seats, *self.world.sides):
            known = ", ".join(self.world.seats)
            raise Refusal(RefusalCode.UNKNOWN_SEAT, "", f"nobody sits at {side!r}; the seats are {known}")
        return name

    def _any_seat(self, side: str) -> str:
        side = self._name(side)
        if side in self.world.seats:
            return side
        seats = self.world.seats_of(side)
        if len(seats) > 1:
            raise Refusal(RefusalCode.AMBIGUOUS_SEAT, "", f"{', '.join(seats)} sit for {side}: say which seat")
        return seats[0]

    @property
    def query(self) -> Q:
        """What may be asked of the position: reach, supply, odds and so on, as the ruleset offers them."""
        return self.ruleset.query(self._position)

    @property
    def picture(self) -> Picture:
        """What is shown of the position, secrets included: give players that of their view."""
        return self.ruleset.picture(self._position)

    @property
    def digest(self) -> str:
        """A fingerprint of the state, the same for the same game everywhere."""
        return self._state.digest

    # -- copying it -------------------------------------------------------------------------------------------------

    def copy(self) -> Self:
        """An independent one in the same position."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._changing = Lock()
        twin._state = self._state.copy()
        twin._chance = self._chance.fork()
        twin._offers, twin._memo = {}, {}
        return twin

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a game cannot be pickled: save it, and load it where it is needed")


def busy() -> Refusal:
    """Refuses a second change while one is being made, by another thread or from inside of its own dice."""
    return Refusal(
        RefusalCode.BUSY, "", "another action is being carried out: a game is changed by one thread, one action at a time"
    )
