"""Bugs of the gate: it lets through what is not offered, or a refusal leaves something behind."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import hexwar.engine._gate
from hexwar.engine import Action, Game
from hexwar.errors import Refusal, RefusalCode
from hexwar.pieces._steps import against
from hexwar.testing import Patch
from tests.testing.planted_generic.catalogue import HEXES, Condition, Parts, bug, everywhere, wrapping

NUMBERED = Condition(
    "its actions hold no numbers and no flags, so that nothing merely compares equal to one",
    lambda parts: any(field.type in ("int", "bool") for kind in parts.subject.ruleset.actions for field in fields(kind)),  # type: ignore[arg-type]
)


def _gate_takes_anything(original: Any, self: Game, action: Any, side: Any) -> Any:
    seat, offered, refusal = original(self, action, side)
    if refusal is not None and isinstance(action, Action) and self.to_move:
        return seat or self.to_move[0], action, None
    return seat, offered, refusal


def _gate_takes_lookalikes(patch: Patch, parts: Parts) -> None:
    def judge(original: Any, self: Game, action: Any, side: Any) -> Any:
        seat, offered, refusal = original(self, action, side)
        return seat, action if offered is not None and isinstance(action, Action) else offered, refusal

    patch.wrap(hexwar.engine._gate, "has_shape", lambda original, value: True)
    patch.wrap(Game, "_judge", judge)


def _refusal_costs_a_draw(original: Any, self: Game, seat: str, action: Action) -> Any:
    self._state.draws += 1
    return original(self, seat, action)


def _refusal_is_logged(original: Any, self: Game, seat: str, action: Action) -> Any:
    self.events.extend(self.events[-1:])
    return original(self, seat, action)


def _refusal_says_nothing(original: Any, at: Any, topic: str, message: str) -> Refusal:
    return Refusal(RefusalCode.AGAINST_RULE, at.world.clause(topic), "")


def _refusal_misquotes(original: Any, at: Any, topic: str, message: str) -> Refusal:
    return Refusal(RefusalCode.AGAINST_RULE, "0.0.0", message)


def _preview_knows_no_rules(original: Any, self: Game, action: Any, side: str | None = None) -> Refusal | None:
    refusal: Refusal | None = original(self, action, side)
    return None if refusal is not None and refusal.clause else refusal


BUGS = (
    bug(
        "gate-takes-anything",
        "Any action is done, offered or not.",
        wrapping(Game, "_judge", _gate_takes_anything),
        likely="others-are-refused",
    ),
    bug(
        "gate-takes-anybody",
        "Whoever sends an action, it is done for the seat that is asked.",
        wrapping(Game, "_asked", lambda original, self, side: self.to_move[0] if self.to_move else original(self, side)),
        likely="others-are-refused",
    ),
    bug(
        "gate-takes-lookalikes",
        "What the caller passed is performed whatever it holds, and not the offered action that it equals.",
        _gate_takes_lookalikes,
        NUMBERED,
        likely="others-are-refused",
    ),
    bug(
        "refusal-costs-a-draw",
        "A refusal uses up a random number.",
        wrapping(Game, "_explain", _refusal_costs_a_draw),
        likely="others-are-refused",
    ),
    bug(
        "refusal-is-logged",
        "A refusal leaves an entry in the log.",
        wrapping(Game, "_explain", _refusal_is_logged),
        likely="others-are-refused",
    ),
    bug(
        "refusal-says-nothing",
        "Refusals come without a sentence.",
        everywhere(against, _refusal_says_nothing),
        HEXES,
        likely="others-are-refused",
    ),
    bug(
        "refusal-misquotes",
        "Refusals cite a clause that does not exist.",
        everywhere(against, _refusal_misquotes),
        HEXES,
        likely=("clauses-are-known", "others-are-refused"),
    ),
    bug(
        "preview-knows-no-rules",
        "`why_not` finds nothing wrong with what a rule forbids.",
        wrapping(Game, "why_not", _preview_knows_no_rules),
        likely="why-not-agrees",
    ),
)
