"""What a player typed: a number, the words of an action, or an attempt at something that is not offered."""

from __future__ import annotations

import typing
from collections.abc import Sequence
from dataclasses import MISSING, fields
from typing import Any

from hexwar.engine import Action, Ruleset


def matching(typed: str, actions: Sequence[Action]) -> list[Action]:
    """The actions that the typed words can mean.

    Every typed word must begin a word of the action's sentence, in the same order: "m b1 0503" is "move b1 to 0503". An
    action whose sentence or kind is exactly what was typed comes before all others.
    """
    words = typed.lower().split()
    exact = [action for action in actions if words in (str(action).lower().split(), [action.kind])]
    return exact or [action for action in actions if _fits(words, str(action).lower().replace(":", " ").split())]


def _fits(words: Sequence[str], sentence: Sequence[str]) -> bool:
    rest = iter(sentence)
    # Ids are typed in full: "b1" must not mean "b10" where both exist, but "mo" may mean "move".
    return all(any(_begins(word, full) for full in rest) for word in words)


def _begins(word: str, full: str) -> bool:
    full = full.strip(",.")
    return full == word or (word.isalpha() and full.startswith(word))


def attempt(typed: str, ruleset: Ruleset[Any, Any]) -> Action | None:
    """The action that somebody tried who typed its kind and its values, offered or not; the core can then say why not."""
    words = [word for word in typed.split() if word.lower() not in ("to", "by", "with", "at")]
    for kind, cls in ruleset.action_types.items():
        # What has a default need not be typed.
        names = [field.name for field in fields(cls) if field.default is MISSING]  # type: ignore[arg-type]
        if not words or not kind.startswith(words[0].lower()) or len(words) - 1 < len(names) or (len(words) > 1 and not names):
            continue
        hints = typing.get_type_hints(cls)
        data: dict[str, object] = dict(zip(names, words[1:], strict=False))
        if names and hints[names[-1]] is not str:
            data[names[-1]] = words[len(names) :]
        elif len(words) - 1 > len(names):
            continue
        try:
            return ruleset.parse_action({"kind": kind, **data})
        except ValueError:
            continue
    return None
