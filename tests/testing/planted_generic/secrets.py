"""Bugs that reveal to a side what it may not know: in views, prompts, offers, logs, refusals and undo."""

from __future__ import annotations

from typing import Any

from hexwar.engine import Action, Game, Listed, _gate
from hexwar.engine._events import Event
from hexwar.engine._state import State, _Part
from hexwar.errors import Refusal
from tests.testing.planted_generic.catalogue import SECRETS, bug, wrapping


def _secrets(state: State) -> str:
    """Everything that somebody may not know, as a text."""
    return repr([getattr(state, part.name) for part in state._secrets if part.name not in ("stack", "draws")])


def _views_count_draws(original: Any, self: State, viewer: Any) -> State:
    twin: State = original(self, viewer)
    twin.draws = self.draws
    return twin


def _prompts_tell(original: Any, self: Game, side: str | None = None) -> Any:
    asked = original(self, side)
    asked.prompt = f"{asked.prompt} {len(_secrets(self.state))}"
    return asked


def _offers_tell(original: Any, step: Any, at: Any, seat: str) -> Any:
    actions = list(original(step, at, seat))
    return Listed(actions[:-1] if len(actions) > 1 and sum(map(ord, _secrets(at.state))) % 2 else actions)


def _refusals_tell(original: Any, self: Game, seat: str, action: Action) -> Refusal:
    refusal: Refusal = original(self, seat, action)
    return Refusal(refusal.code, refusal.clause, f"{refusal.message} {_secrets(self.state)}")


def _undo_tells(original: Any, self: Game, side: str | None = None) -> Any:
    try:
        return original(self, side)
    except Refusal as refusal:
        raise Refusal(refusal.code, refusal.clause, f"{refusal.message} {_secrets(self.state)}") from None


BUGS = (
    bug(
        "views-show-all",
        "Views show hidden and owned fields as they are.",
        wrapping(_Part, "seen", lambda original, self, value, viewer: value),
        SECRETS,
        likely="views-hide",
    ),
    bug(
        "views-count-draws",
        "Views show how many random numbers have been drawn.",
        wrapping(State, "seen_by", _views_count_draws),
        likely="views-hide",
    ),
    bug(
        "views-are-the-game",
        "What a seat is shown is the position itself.",
        wrapping(Game, "_known_to", lambda original, self, seat: self.position),
        likely="views-hide",
    ),
    bug(
        "prompts-tell",
        "Prompts depend on what is hidden.",
        wrapping(Game, "question", _prompts_tell),
        SECRETS,
        likely="hidden-content-does-not-show",
    ),
    bug(
        "offers-tell",
        "Of several actions one is left out, depending on what is hidden.",
        wrapping(_gate, "offer_to", _offers_tell),
        SECRETS,
        likely="hidden-content-does-not-show",
    ),
    bug(
        "log-tells",
        "Every side reads the secret events of the others.",
        wrapping(Event, "seen_by", lambda original, self, viewer: self),
        SECRETS,
        likely=("secret-choices-stay-secret", "hidden-content-does-not-show"),
    ),
    bug(
        "refusals-tell",
        "Refusals depend on what is hidden.",
        wrapping(Game, "_explain", _refusals_tell),
        SECRETS,
        likely="hidden-content-does-not-show",
    ),
    bug(
        "undo-tells",
        "The refusal of an undo depends on what is hidden.",
        wrapping(Game, "undo", _undo_tells),
        SECRETS,
        likely="hidden-content-does-not-show",
    ),
)
