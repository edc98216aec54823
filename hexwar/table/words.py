"""What a player typed: a number, the words of an action, or an attempt at something that is not offered."""

from __future__ import annotations

import contextlib
import itertools
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from typing import Any

from hexwar.board import Board
from hexwar.engine import Action, HasBoard, HasUnits, Ruleset, World

MOST_WORDS = 8
"""How many words of an attempt are looked at."""


def spelt(word: str, units: Mapping[str, Any], board: Any, side: str = "") -> str:
    """A word with units, hexes and places as the game writes them: su-8a for "8A", L0629 for "l0629" or "taurage".

    Args:
        word: as it was typed.
        units: by their ids; of one whose end behind the last hyphen is no plain word, that end will do.
        board: what knows labels, and may know names of places.
        side: whose unit is meant where several have such an end.
    """
    low = word.lower()
    if word in units:
        return word
    for label in (word, word.upper(), low):
        if label in board:
            return board.label(board.index(label)) if isinstance(board, Board) else label
    ids = _ids(low, units)
    mine = [unit for unit in ids if units[unit].side == side]
    places = [label for label, name in getattr(board, "names", {}).items() if name.lower().replace(" ", "-") == low]
    return next((found[0] for found in (ids, mine, places) if len(found) == 1), word)


def _ids(low: str, units: Iterable[str]) -> list[str]:
    """The ids that are a word in small letters; otherwise those that end with it."""
    return [unit for unit in units if unit.lower() == low] or [
        unit for unit in units if unit.lower().endswith(f"-{low}") and not low.isalpha()
    ]


def units_and_board(world: World) -> tuple[Mapping[str, Any], Any]:
    """The units of a world and its board; nothing where a game has none."""
    return world.units if isinstance(world, HasUnits) else {}, world.board if isinstance(world, HasBoard) else ()


def spelt_line(typed: str, world: World, side: str = "") -> str:
    """What was typed, with units, hexes and places as the game writes them; see `spelt`."""
    return " ".join(spelt(word.strip(","), *units_and_board(world), side) for word in typed.split())


def matching(typed: str, actions: Sequence[Action], say: Callable[[Action], str] = str) -> list[Action]:
    """The actions that the typed words can mean.

    Every typed word must begin a word of the action's sentence, in the same order: "m b1 0503" is "move b1 to 0503". An
    action whose sentence or kind is exactly what was typed comes before all others. Of an id such as "ger-1pz" the end behind
    the last hyphen will do.

    Args:
        typed: the words.
        actions: what may be meant.
        say: the sentence of an action, if not its own.
    """
    words = typed.lower().split()
    exact = [action for action in actions if words in (say(action).lower().split(), [action.kind])]
    return exact or _plainest([action for action in actions if _fits(words, say(action).lower().replace(":", " ").split())])


def _plainest(actions: list[Action]) -> list[Action]:
    """The one alone of which all the others are more particular kinds: "move b1 to 0503" rather than "… by 0504"."""
    first = min(actions, key=lambda action: len(str(action)), default=None)
    if first is not None and all(str(action).startswith(f"{first} ") for action in actions if action is not first):
        return [first]
    return actions


def _fits(words: Sequence[str], sentence: Sequence[str]) -> bool:
    rest = iter(sentence)
    # Ids are typed in full: "b1" must not mean "b10" where both exist, but "mo" may mean "move".
    return all(any(begins(word, full) for full in rest) for word in words)


def begins(word: str, full: str) -> bool:
    """Whether a typed word can mean a word of a sentence: in full, the end of an id, or the beginning of a plain word."""
    full = full.strip(",.()")
    return full == word or full.endswith(f"-{word}") or (word.isalpha() and full.startswith(word))


def attempts(typed: str, ruleset: Ruleset, exists: Callable[[str, str], bool] = lambda field, value: True) -> Iterator[Action]:
    """The actions that a player may have tried, offered or not; the core can then say why not.

    They typed the kind of an action and its values, or the action's own words with some of the values in them.

    Args:
        typed: the words.
        ruleset: whose actions they may be.
        exists: field and value -> whether there is such a thing, so that no verb is taken for a unit.
    """
    named = attempt(typed, ruleset)
    if named is not None:
        yield named
    words = [word.strip(",.") for word in typed.split()][:MOST_WORDS]
    turned = " ".join((*words[1:2], *words[:1], *words[2:]))  # "attack b1 0504" for "b1 attacks 0504"
    for kind, cls in ruleset.action_types.items():
        for tried in _combined(words, kind, cls, ruleset, exists):
            if tried != named and (matching(typed, [tried]) or matching(turned, [tried])):
                yield tried


def _combined(
    words: Sequence[str], kind: str, cls: type[Any], ruleset: Ruleset, exists: Callable[[str, str], bool]
) -> Iterator[Action]:
    """The actions of a kind that can be made with some of the words, in their order, as values."""
    names, hints = _needed(cls), typing.get_type_hints(cls)
    # A line of values alone has no verb.
    if not names or len(words) <= len(names) or any(hints[name] is not str for name in names):
        return
    for values in itertools.combinations(words, len(names)):
        if all(map(exists, names, values)):
            with contextlib.suppress(ValueError):
                yield ruleset.parse_action({"kind": kind, **dict(zip(names, values, strict=True))})


def _needed(cls: type[Any]) -> list[str]:
    """The fields that must be typed: those without a default."""
    return [field.name for field in fields(cls) if field.default is MISSING]


def attempt(typed: str, ruleset: Ruleset) -> Action | None:
    """The action of a player who typed its kind and its values."""
    verb, *words = [word for word in typed.replace(",", " ").split() if word.lower() not in ("to", "by", "with", "at")] or [""]
    for kind, cls in ruleset.action_types.items() if verb else ():
        data = _filled(cls, words) if kind.startswith(verb.lower()) else None
        if data is not None:
            with contextlib.suppress(ValueError):
                return ruleset.parse_action({"kind": kind, **data})
    return None


def _filled(cls: type[Any], words: Sequence[str]) -> dict[str, object] | None:
    """The fields of an action filled with words in their order; None if these are too few or too many."""
    names, hints = _needed(cls), typing.get_type_hints(cls)
    if len(words) < len(names) or (words and not names):
        return None
    pairs = zip(names, words, strict=False)
    data: dict[str, object] = {name: int(word) if hints[name] is int and word.isdecimal() else word for name, word in pairs}
    if names and hints[names[-1]] not in (str, int):  # a list takes all the words that are left
        rest = words[len(names) - 1 :]
        are_numbers = all(map(str.isdecimal, rest)) and "int" in str(hints[names[-1]])
        data[names[-1]] = [int(word) for word in rest] if are_numbers else rest
    return data if len(words) == len(names) or isinstance(data[names[-1]], list) else None
