"""Views: what a side may know of a game. Bots and clients get nothing else."""

from __future__ import annotations

from typing import Any, Generic

from hexwar._notebook import shown
from hexwar.engine._actions import Action, Listed, Offers, RandomSource
from hexwar.engine._picture import Picture
from hexwar.engine._question import Question
from hexwar.engine._records import Json
from hexwar.engine._ruleset import Q, Ruleset
from hexwar.engine._state import NOBODY, Result, Viewer
from hexwar.engine._steps import Position, S, W


class View(Generic[S, W, Q]):
    """A game through the eyes of one side: a position in which all it may not know is blank."""

    __slots__ = ("position", "question", "ruleset", "to_move", "viewer")

    def __init__(
        self,
        ruleset: Ruleset[S, W, Q],
        position: Position[S, W],
        viewer: Viewer,
        to_move: tuple[str, ...],
        question: Question | None,
    ) -> None:
        self.ruleset = ruleset
        """The rules of the game, those of its optional rules included."""
        self.question = question
        """What the seat is asked; None if it is not asked."""
        self.position = position
        self.viewer = viewer
        self.to_move = to_move

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
        """Queries on a state that somebody imagines: a changed copy of what is known."""
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

    def __repr__(self) -> str:
        setup = self.position.world.setup
        seen = "as everybody may see it" if self.viewer == NOBODY else f"as {self.viewer.seat} sees it"
        status = str(self.result) if self.result else f"{', '.join(self.to_move)} to move"
        return f"<{setup.ruleset} {setup.scenario} {seen}, {status}>"

    def _repr_mimebundle_(self, **_: object) -> dict[str, Any]:
        return shown(self, repr(self), "game_svg")

    def to_json(self) -> dict[str, Json]:
        """The view as plain JSON data, for a client. What can be chosen, it asks the question group by group."""
        state = self.position.state.to_json()
        del state["stack"], state["draws"]
        return {
            "seat": self.viewer.seat,
            "side": self.viewer.side,
            "to_move": list(self.to_move),
            "state": state,
            "question": None if self.question is None else self.question.to_json(),
        }
