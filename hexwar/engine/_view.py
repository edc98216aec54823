"""Views: what a side may know of a game. Bots and clients get nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Generic

from hexwar._notebook import shown
from hexwar.engine._actions import Action, ActionSet, Filtered, Listed, Offers, RandomSource
from hexwar.engine._chance import Chance, SeededChance
from hexwar.engine._picture import Picture
from hexwar.engine._question import Question
from hexwar.engine._records import Json
from hexwar.engine._ruleset import Q, Ruleset
from hexwar.engine._state import NOBODY, Result, Viewer
from hexwar.engine._steps import Position, S, Step, W
from hexwar.errors import HexwarError, Refusal, RuleBroken, RuleBrokenCode
from hexwar.hashing import blake2b

if TYPE_CHECKING:
    from hexwar.engine._game import Playout


class View(Generic[S, W, Q]):
    """A game through the eyes of one side: a position in which all it may not know is blank."""

    __slots__ = ("_known", "position", "question", "ruleset", "steps", "to_move", "viewer")

    def __init__(
        self,
        ruleset: Ruleset[S, W, Q],
        known: Position[S, W],
        viewer: Viewer,
        to_move: tuple[str, ...],
        steps: Sequence[Step[S, W]] = (),
    ) -> None:
        """Look at what a seat knows.

        Args:
            ruleset: the rules of the game, those of its optional rules included.
            known: the position as far as the seat knows it.
            viewer: the seat.
            to_move: the seats that must decide.
            steps: the steps that wait, as far as the seat knows them, the current one last.
        """
        self.ruleset = ruleset
        """The rules of the game, those of its optional rules included."""
        self.viewer = viewer
        self.to_move = to_move
        self.steps: tuple[Step[S, W], ...] = tuple(steps)
        """What is being done, as far as the seat knows: the steps that wait, the current one last."""
        self._known = known
        self.position = known
        self.question: Question | None = None
        """What the seat is asked; None if it is not asked."""
        if viewer.seat in to_move:
            step, seat = self.steps[-1], viewer.seat
            self.question = Question(step, lambda: known, seat, to_move, offer_to(step, known, seat))
            self.position = step.facing(known, seat)

    @property
    def state(self) -> S:
        """The state as far as it is known."""
        return self.position.state

    @property
    def side(self) -> str:
        """Whose view it is."""
        return self.viewer.side

    @property
    def result(self) -> Result | None:
        """The verdict."""
        return self.position.state.result

    @property
    def query(self) -> Q:
        """Queries on what is known."""
        return self.ruleset.query(self.position)

    def query_if(self, state: S) -> Q:
        """Queries on an imagined state: a changed copy of what is known."""
        return self.ruleset.query(Position(self.position.world, state))

    @property
    def picture(self) -> Picture:
        """What is shown of what is known."""
        return self.ruleset.picture(self.position)

    @property
    def prompt(self) -> str:
        """What is asked, in a sentence; "" if the seat is not asked."""
        return "" if self.question is None else self.question.prompt

    def legal_actions(self) -> Offers:
        """What this seat may do now; of choices that cannot be listed a menu, see `Question.complete`."""
        return Offers(Listed(()) if self.question is None else self.question.offer)

    def sample(self, chance: RandomSource) -> Action:
        """One of the offered actions at random, without listing all of them.

        Raises:
            LookupError: the seat is not asked.
        """
        if self.question is None:
            raise LookupError("nothing is offered")
        return self.question.offer.sample(chance)

    @property
    def digest(self) -> str:
        """A fingerprint of what the seat knows: views of one seat with the same one are of one information set."""
        known = [self._known.state.digest, *(repr(step) for step in self.steps), repr(self.viewer)]
        return blake2b("\n".join(known).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

    def imagine(self, chance: RandomSource, dice: Chance | None = None) -> Playout[S, W, Q]:
        """A line of play from a position that this one may be: whatever the seat does not know is filled in at random.

        Nothing but the view goes into it, so whoever has only a view can search without cheating.

        Args:
            chance: where the unknown comes from.
            dice: those of the line of play; others are thrown each time if not given.

        Raises:
            RuleBroken: the ruleset imagines a position that the seat could tell from this one.
        """
        from hexwar.engine._game import Playout
        from hexwar.engine._gate import Gate

        world, known = self._known.world, self._known.state
        state = self._filled_in(chance)
        made = Playout(Gate(self.ruleset, world, state, dice or SeededChance(chance.randrange(1 << 62))))
        if not state.shows(known, self.viewer):
            its, others = known.to_json(), state.seen_by(self.viewer).to_json()
            name = next(name for name in its if its[name] != others[name])
            what = f"{name} would be {others[name]!r}, and it is {its[name]!r}"
        elif made.to_move != self.to_move:
            what = f"{', '.join(made.to_move) or 'nobody'} would decide, and not {', '.join(self.to_move) or 'nobody'}"
        else:
            return made
        told = f"{self.viewer.seat} could tell what the ruleset imagines from what it sees: {what}"
        raise RuleBroken(RuleBrokenCode.IMAGINED_OTHERWISE, told)

    def _filled_in(self, chance: RandomSource) -> S:
        """The state that the ruleset imagines, whether or not it fits."""
        state = self._known.state.copy()
        state.stack = list(self.steps)
        self.ruleset.imagine(self, Position(self._known.world, state), chance)
        return state

    def __repr__(self) -> str:
        setup = self.position.world.setup
        seen = "as everybody may see it" if self.viewer == NOBODY else f"as {self.viewer.seat} sees it"
        status = str(self.result) if self.result else f"{', '.join(self.to_move)} to move"
        return f"<{setup.ruleset} {setup.scenario} {seen}, {status}>"

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        return shown(self, repr(self), "game_svg")

    def to_json(self, *, whole: bool = False) -> dict[str, Json]:
        """The view as plain JSON data, for a client. What can be chosen, it asks the question group by group.

        Args:
            whole: with all that `hexwar.read_view` needs to make the view of it again: the setup of the game, and the steps.

        Raises:
            HexwarError: it cannot be made again, because the game is on a board of its own.
        """
        if whole:
            return {
                **self._known_as_json(self._known.state),
                "setup": self._setup(),
                "steps": [it.to_json() for it in self.steps],
            }
        return self._known_as_json(self.position.state)

    def _setup(self) -> dict[str, Json]:
        setup = self._known.world.setup
        if setup.board is not None:
            raise HexwarError("a view of a game on a board of its own cannot be made again from JSON")
        chosen: dict[str, Json] = {"ruleset": setup.ruleset, "version": setup.version, "scenario": setup.scenario}
        return {**chosen, "options": dict(setup.options), "seats": dict(setup.seats)}

    def _known_as_json(self, known: S) -> dict[str, Json]:
        state = known.to_json()
        del state["stack"], state["draws"]
        return {
            "seat": self.viewer.seat,
            "side": self.viewer.side,
            "to_move": list(self.to_move),
            "state": state,
            "question": None if self.question is None else self.question.to_json(),
        }


def offer_to(step: Step[S, W], at: Position[S, W], seat: str) -> ActionSet:
    """What a step offers to a seat, without what optional rules forbid."""
    offer = step.actions(at, seat)
    if not at.world.vetoes:
        return offer
    facing = step.facing(at, seat)
    return Filtered(offer, lambda action: vetoed(facing, seat, action))


def vetoed(at: Position[S, W], seat: str, action: Action) -> Refusal | None:
    """Why an optional rule forbids an action; None if none does."""
    for veto in at.world.vetoes:
        refusal: Refusal | None = veto(at, seat, action)
        if refusal is not None:
            return refusal
    return None
