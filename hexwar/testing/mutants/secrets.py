"""Bugs that tell a side what it may not know: in views, prompts, offers, logs, refusals and undo."""

from __future__ import annotations

from typing import Any

from hexwar.engine import Action, Game, Listed
from hexwar.engine.events import Event
from hexwar.engine.state import State, _Part
from hexwar.errors import Refusal
from hexwar.testing.mutants.catalogue import SECRETS, Parts, bug
from hexwar.testing.mutation import Patch


def _secrets(game: Game) -> str:
    """Everything that somebody may not know, as a text."""
    state = game.state
    return repr([getattr(state, part.name) for part in state._secrets if part.name not in ("stack", "draws")])


@bug("views-show-all", "Views show hidden and owned fields as they are.", SECRETS, likely="views-hide")
def _(patch: Patch, parts: Parts) -> None:
    patch.wrap(_Part, "seen", lambda original, self, value, viewer: value)


@bug("views-count-draws", "Views show how many random numbers have been drawn.", likely="views-hide")
def _(patch: Patch, parts: Parts) -> None:
    def seen_by(original: Any, self: State, viewer: Any) -> State:
        twin: State = original(self, viewer)
        twin.draws = self.draws
        return twin

    patch.wrap(State, "seen_by", seen_by)


@bug("views-are-the-game", "What a seat is shown is the position itself.", likely="views-hide")
def _(patch: Patch, parts: Parts) -> None:
    patch.wrap(Game, "_known_to", lambda original, self, seat: self.position)


@bug("prompts-tell", "Prompts depend on what is hidden.", SECRETS, likely="hidden-content-does-not-show")
def _(patch: Patch, parts: Parts) -> None:
    patch.wrap(Game, "_prompt", lambda original, self, known, seat: f"{original(self, known, seat)} {len(_secrets(self))}")


@bug("offers-tell", "Of several actions one is left out, depending on what is hidden.", SECRETS,
     likely="hidden-content-does-not-show")  # fmt: skip
def _(patch: Patch, parts: Parts) -> None:
    def offer(original: Any, self: Game, at: Any, seat: str) -> Any:
        actions = list(original(self, at, seat))
        state = at.state
        secret = repr([getattr(state, part.name) for part in state._secrets if part.name not in ("stack", "draws")])
        return Listed(actions[:-1] if len(actions) > 1 and sum(map(ord, secret)) % 2 else actions)

    patch.wrap(Game, "_offer", offer)


@bug(
    "log-tells",
    "Every side reads the secret events of the others.",
    SECRETS,
    likely=("secret-choices-stay-secret", "hidden-content-does-not-show"),
)
def _(patch: Patch, parts: Parts) -> None:
    patch.wrap(Event, "seen_by", lambda original, self, viewer: self)


@bug("refusals-tell", "Refusals depend on what is hidden.", SECRETS, likely="hidden-content-does-not-show")
def _(patch: Patch, parts: Parts) -> None:
    def explain(original: Any, self: Game, seat: str, action: Action) -> Refusal:
        refusal: Refusal = original(self, seat, action)
        return Refusal(refusal.code, refusal.clause, f"{refusal.message} {_secrets(self)}")

    patch.wrap(Game, "_explain", explain)


@bug("undo-tells", "The refusal of an undo depends on what is hidden.", SECRETS,
     likely="hidden-content-does-not-show")  # fmt: skip
def _(patch: Patch, parts: Parts) -> None:
    def undo(original: Any, self: Game, side: str | None = None) -> Action:
        try:
            taken: Action = original(self, side)
        except Refusal as refusal:
            raise Refusal(refusal.code, refusal.clause, f"{refusal.message} {_secrets(self)}") from None
        return taken

    patch.wrap(Game, "undo", undo)
