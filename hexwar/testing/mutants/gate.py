"""Bugs of the gate: it lets through what is not offered, or a refusal leaves something behind."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from hexwar.engine import Action, Game
from hexwar.errors import Refusal, RefusalCode
from hexwar.mechanics.topics import against
from hexwar.testing.mutants.catalogue import HEXES, Condition, Parts, bug
from hexwar.testing.mutation import Patch

NUMBERED = Condition(
    "its actions hold no numbers and no flags, so that nothing merely compares equal to one",
    lambda parts: any(field.type in ("int", "bool") for kind in parts.subject.ruleset.actions for field in fields(kind)),  # type: ignore[arg-type]
)


@bug("gate-takes-anything", "Any action is done, offered or not.", likely="others-are-refused")
def _(patch: Patch, parts: Parts) -> None:
    def judge(original: Any, self: Game, action: Any, side: Any) -> Any:
        seat, offered, refusal = original(self, action, side)
        if refusal is not None and isinstance(action, Action) and self.to_move:
            return seat or self.to_move[0], action, None
        return seat, offered, refusal

    patch.wrap(Game, "_judge", judge)


@bug("gate-takes-anybody", "Whoever sends an action, it is done for the seat that is asked.", likely="others-are-refused")
def _(patch: Patch, parts: Parts) -> None:
    patch.wrap(Game, "_asked", lambda original, self, side: self.to_move[0] if self.to_move else original(self, side))


@bug("gate-takes-lookalikes", "What the caller passed is performed, and not the offered action that it equals.", NUMBERED,
     likely="others-are-refused")  # fmt: skip
def _(patch: Patch, parts: Parts) -> None:
    def judge(original: Any, self: Game, action: Any, side: Any) -> Any:
        seat, offered, refusal = original(self, action, side)
        return seat, action if offered is not None and isinstance(action, Action) else offered, refusal

    patch.wrap(Game, "_judge", judge)


@bug("refusal-costs-a-draw", "A refusal uses up a random number.", likely="others-are-refused")
def _(patch: Patch, parts: Parts) -> None:
    def explain(original: Any, self: Game, seat: str, action: Action) -> Refusal:
        self.state.draws += 1
        refusal: Refusal = original(self, seat, action)
        return refusal

    patch.wrap(Game, "_explain", explain)


@bug("refusal-is-logged", "A refusal leaves an entry in the log.", likely="others-are-refused")
def _(patch: Patch, parts: Parts) -> None:
    def explain(original: Any, self: Game, seat: str, action: Action) -> Refusal:
        self._log.extend(self._log[-1:])
        refusal: Refusal = original(self, seat, action)
        return refusal

    patch.wrap(Game, "_explain", explain)


@bug("refusal-says-nothing", "Refusals come without a sentence.", HEXES, likely="others-are-refused")
def _(patch: Patch, parts: Parts) -> None:
    def silent(original: Any, at: Any, topic: str, message: str) -> Refusal:
        return Refusal(RefusalCode.AGAINST_RULE, at.world.clause(topic), "")

    patch.everywhere(against, silent)


@bug("refusal-misquotes", "Refusals cite a clause that does not exist.", HEXES,
     likely=("clauses-are-known", "others-are-refused"))  # fmt: skip
def _(patch: Patch, parts: Parts) -> None:
    def misquote(original: Any, at: Any, topic: str, message: str) -> Refusal:
        return Refusal(RefusalCode.AGAINST_RULE, "0.0.0", message)

    patch.everywhere(against, misquote)


@bug("preview-knows-no-rules", "`why_not` finds nothing wrong with what a rule forbids.", likely="why-not-agrees")
def _(patch: Patch, parts: Parts) -> None:
    def why_not(original: Any, self: Game, action: Any, side: str | None = None) -> Refusal | None:
        refusal: Refusal | None = original(self, action, side)
        return None if refusal is not None and refusal.clause else refusal

    patch.wrap(Game, "why_not", why_not)
