"""Actions as sequences of tokens: a small fixed alphabet for a game with more actions than anybody can list.

A walk follows the stages of a question. First comes what the action is about (a unit, a place, a chit) or the kind of an action
that is about nothing, such as "done"; then the kind, then field after field. A stage with one possibility is no decision and is
skipped, so most actions take two or three tokens. Only the group that was chosen is ever listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from hexwar.engine import Action, HasUnits, Question, Record, Ruleset, World
from hexwar.errors import HexwarError
from hexwar.grouping import grouped

NUMBERS = 64
"""Whole numbers from 0 have tokens of their own up to here."""
WORDS = 256
"""Tokens for everything else: texts that are neither units nor places, larger numbers, points of a plane."""

Symbol = int | str
"""A token, or the text of something that has no token of its own and gets one among those that can be chosen besides it."""
Mask = NDArray[np.int8]


class NotAToken(HexwarError):
    """A token that is not possible at this stage: the mask says which are."""


class Tokens:
    """The alphabet of a game: one number for each kind of action, unit, place and small number, and some for other words.

    It depends on ruleset, scenario and options only, so what was learnt in one game holds in the next.

    Args:
        ruleset: the rules.
        world: board and units.
    """

    end = 0
    """The token behind the last part of a field with several parts, such as a path that could go on."""

    def __init__(self, ruleset: Ruleset, world: World) -> None:
        self.kinds: tuple[str, ...] = tuple(sorted(ruleset.action_types))
        """The kinds of action."""
        self.units: tuple[str, ...] = tuple(world.units) if isinstance(world, HasUnits) else ()
        """The ids of the units, in the order of the rows of an observation."""
        board: Any = getattr(world, "board", None)
        self.places: tuple[str, ...] = tuple(getattr(board, "labels", ()))
        """The labels of the places, in the order of the rows of an observation; none on a plane."""
        self.first_kind = 1
        self.first_unit = self.first_kind + len(self.kinds)
        self.first_place = self.first_unit + len(self.units)
        self.first_number = self.first_place + len(self.places)
        self.first_word = self.first_number + NUMBERS
        self.size = self.first_word + WORDS
        """How many tokens there are: the `n` of the `Discrete`."""
        self._kinds = {kind: self.first_kind + number for number, kind in enumerate(self.kinds)}
        self._names: dict[str, int] = {}
        for number, label in enumerate(self.places):
            # In an overlap of sheets a hex has several labels.
            for alias in board.aliases(label) if hasattr(board, "aliases") else (label,):
                self._names[alias] = self.first_place + number
        self._names |= {unit: self.first_unit + number for number, unit in enumerate(self.units)}

    def kind(self, kind: str) -> int:
        """The token of a kind of action."""
        return self._kinds[kind]

    def symbol(self, value: object) -> Symbol:
        """The token of a value, or its text if it has none."""
        if isinstance(value, str):
            return self._names.get(value, f"'{value}")
        if isinstance(value, int) and 0 <= value < NUMBERS:
            return self.first_number + int(value)
        return repr(value)

    def symbols(self, action: Action) -> tuple[Symbol, ...]:
        """An action as symbols: its kind, then its fields; a field with several parts ends with `end`."""
        said: list[Symbol] = [self._kinds[action.kind]]
        for name in field_names(type(action)):
            value = getattr(action, name)
            if isinstance(value, tuple):
                said += map(self.symbol, value)
                said.append(self.end)
            else:
                said.append(self.symbol(value))
        return tuple(said)

    def told_apart(self, symbols: Iterable[Symbol]) -> dict[Symbol, int]:
        """Symbol -> token, for all that can be chosen at one stage.

        A word gets the token that a checksum of its text gives it, so that it has the same one nearly always. Where two words
        meet there, one takes the next free token. If there are more words than tokens, several share one, and the next stage asks
        which of them is meant.
        """
        found: dict[Symbol, int] = {}
        words = []
        for symbol in symbols:
            if isinstance(symbol, int):
                found[symbol] = symbol
            else:
                words.append(symbol)
        words.sort()
        if len(words) > WORDS:
            share = -(-len(words) // WORDS)
            return found | {word: self.first_word + number // share for number, word in enumerate(words)}
        taken: set[int] = set()
        for word in words:
            slot = crc32(word.encode()) % WORDS
            while slot in taken:
                slot = (slot + 1) % WORDS
            taken.add(slot)
            found[word] = self.first_word + slot
        return found

    def describe(self, token: int) -> str:
        """What a token stands for, for people."""
        if token == self.end:
            return "end"
        for first, names, what in (
            (self.first_kind, self.kinds, "kind"),
            (self.first_unit, self.units, "unit"),
            (self.first_place, self.places, "place"),
            (self.first_number, range(NUMBERS), "number"),
            (self.first_word, range(WORDS), "word"),
        ):
            if first <= token < first + len(names):
                return f"{what} {names[token - first]}"
        raise NotAToken(f"there are {self.size} tokens; {token} is not one of them")


_FIELDS: dict[type[Record], tuple[str, ...]] = {}


def field_names(of: type[Record]) -> tuple[str, ...]:
    """The fields of a kind of action, in order."""
    found = _FIELDS.get(of)
    if found is None:
        found = _FIELDS[of] = tuple(part.name for part in fields(of))  # type: ignore[arg-type]  # every record is a dataclass
    return found


class Walk:
    """An action on its way: which tokens are possible now, and which were taken.

    Args:
        tokens: the alphabet.
        question: what the seat is asked; take it from its view.
    """

    def __init__(self, tokens: Tokens, question: Question) -> None:
        self.tokens = tokens
        self.taken: list[int] = []
        """The tokens so far."""
        self.asks = ""
        """The field that is asked for; "" at the beginning, "kind" for the kind of action."""
        self._question = question
        plain = grouped((tokens.kind(action.kind), _Way(action, tokens.symbols(action))) for action in question.plain)
        keys = {group.key: tokens.symbol(group.key) for group in question}
        words = tokens.told_apart(keys.values())
        self._open: dict[int, _Branch] = {token: _Branch((), ways, 1) for token, ways in plain.items()}
        for key, symbol in keys.items():
            branch = self._open.setdefault(words[symbol], _Branch((), [], 0))
            branch.keys = (*branch.keys, key)
        if len(self._open) == 1:
            ((token, branch),) = self._open.items()
            self._enter(branch)
            if len(self._open) == 1:  # there is one action in all: it is still to be taken
                self._open = {token: _Branch((), self._ways, 0)}
                self.asks = ""

    @property
    def legal(self) -> Sequence[int]:
        """The tokens that are possible now."""
        return tuple(self._open)

    @property
    def mask(self) -> Mask:
        """The same as an array of zeros and ones, which is yours."""
        mask: Mask = np.zeros(self.tokens.size, np.int8)
        mask[list(self._open)] = 1
        return mask

    def take(self, token: int) -> Action | None:
        """Go one token further.

        Returns:
            The action if it is decided, otherwise None.

        Raises:
            NotAToken: it is not possible now; nothing has changed.
        """
        branch = self._open.get(token)
        if branch is None:
            possible = ", ".join(map(self.tokens.describe, self.legal[:5])) + (", ..." if len(self._open) > 5 else "")
            raise NotAToken(f"{self.tokens.describe(token)} is not possible now; possible are {possible}")
        self.taken.append(token)
        self._enter(branch)
        return self._ways[0].action if len(self._ways) == 1 else None

    def leads_to(self, action: Action) -> int | None:
        """The token to take now for an action that is wanted in the end; None if this walk does not lead there."""
        for token, branch in self._open.items():
            if any(way.action == action for way in branch.ways):
                return token
            for key in branch.keys if action.key in branch.keys or action.key not in self._question.groups else ():
                if self._question.group(key).offer.lists(action):
                    return token
        return None

    def _enter(self, branch: _Branch) -> None:
        """Go on with what is behind a token, as far as there is one possibility."""
        if len(branch.keys) > 1:  # more names than tokens: which of them is meant?
            words = self.tokens.told_apart(f"'{key}" for key in branch.keys)
            self._open = {words[f"'{key}"]: _Branch((key,), [], 0) for key in branch.keys}
            self._ways = []
            return
        ways, depth = branch.ways, branch.depth
        for key in branch.keys:
            ways, depth = [_Way(action, self.tokens.symbols(action)) for action in self._question.group(key)], 0
        while True:
            self._ways = ways
            if len(ways) == 1:
                break
            found = grouped((way.symbols[depth] if depth < len(way.symbols) else "", way) for way in ways)
            if len(found) > 1:
                self._part(found, depth)
                break
            if "" in found:  # all the same in tokens, such as two labels of one hex: one of them, by its number
                self._part({f"#{number}": [way] for number, way in enumerate(ways)}, depth)
                break
            depth += 1

    def _part(self, found: Mapping[Symbol, list[_Way]], depth: int) -> None:
        words = self.tokens.told_apart(found)
        shared = len(set(words.values())) < len(words)
        self._open = {}
        for symbol, ways in found.items():
            self._open.setdefault(words[symbol], _Branch((), [], depth if shared else depth + 1)).ways.extend(ways)
        self.asks = _field_at(next(iter(found.values()))[0].action, depth)


@dataclass(slots=True)
class _Way:
    """An action and its symbols."""

    action: Action
    symbols: tuple[Symbol, ...]


@dataclass(slots=True)
class _Branch:
    """What is behind a token: groups that are not listed, or actions that differ from some depth on at the earliest."""

    keys: tuple[str, ...]
    ways: list[_Way]
    depth: int


def _field_at(action: Action, depth: int) -> str:
    """The field to which a symbol of an action belongs."""
    if depth == 0:
        return "kind"
    for name in field_names(type(action)):
        value = getattr(action, name)
        depth -= len(value) + 1 if isinstance(value, tuple) else 1
        if depth <= 0:
            return name
    return ""
