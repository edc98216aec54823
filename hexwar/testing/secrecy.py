"""Non-interference: what a seat may not know makes no difference to anything that it can observe.

A seat observes a game through *channels*: its view, who must decide, its prompt, its actions in their order, its question,
its picture, its log, the refusals that it gets, what undo says to it, the answers to queries and the texts of errors. Two
games that a seat cannot tell apart must be the same in all of them, whatever else is different. Where other games come from is
the business of `hexwar.testing.resampling` and of the checks.
"""

from __future__ import annotations

import inspect
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

from hexwar.engine import Game, Position, View
from hexwar.errors import HexwarError, Refusal
from hexwar.testing.attempts import Attempt
from hexwar.testing.kit import At, Capability
from hexwar.testing.playouts import shortened

Question = tuple[str, tuple[Any, ...]]
"""The name of a query and its arguments."""


class HiddenInformation(Capability):
    """A ruleset says which hidden contents are possible, so that the checks of secrecy can put others in their place.

    Only the ruleset knows that: which chits a side may have selected, which cards may be in a hand. With it the checks are
    strict: nothing at all may differ, and rules that fail in a resampled position are at fault.
    """

    name: ClassVar[str] = "hidden information"

    def resample(self, at: At, seat: str, chance: random.Random) -> At | None:
        """Another position that a seat cannot tell from this one: everything it may not know at once, at random.

        Args:
            at: the position; it stays as it is.
            seat: who must not notice.
            chance: where the contents come from.

        Returns:
            The position, or None where there is nothing that the seat does not know.
        """
        raise NotImplementedError(f"{type(self).__name__} does not say which hidden contents are possible")

    def questions(self, view: View, chance: random.Random) -> Iterable[Question]:
        """Some of what a player may ask of a view; its answers must not reveal secrets either."""
        return questions(view, chance)


# -- queries ----------------------------------------------------------------------------------------------------------------


def questions(view: View, chance: random.Random) -> Iterator[Question]:
    """Questions to the query object of a view, made from the names of their parameters; others are skipped."""
    query = view.query
    world = view.position.world
    units, labels = list(getattr(world, "units", ())), getattr(getattr(world, "board", None), "labels", ())
    known: dict[str, Sequence[Any]] = {
        "unit": units,
        "hq": units,
        "unit_or_hex": units,
        "attackers": [(unit,) for unit in units],
        "hex": labels,
        "label": labels,
        "side": world.sides,
        "seat": list(world.seats),
        "hexes": (1, 2),
    }
    for name, method in inspect.getmembers(query, callable):
        if name.startswith("_"):
            continue
        needed = [
            parameter.name
            for parameter in inspect.signature(method).parameters.values()
            if parameter.default is parameter.empty and parameter.kind is parameter.POSITIONAL_OR_KEYWORD
        ]
        if all(known.get(word) for word in needed):
            yield name, tuple(chance.choice(known[word]) for word in needed)


def answer_of(query: Any, question: Question) -> str:
    """What a query object says, in words."""
    name, arguments = question
    try:
        return repr(getattr(query, name)(*arguments))
    except HexwarError as error:
        return f"{type(error).__name__}: {error}"


# -- channels ---------------------------------------------------------------------------------------------------------------


class Observer:
    """Somebody at a seat who looks at a game in every way that he has.

    Args:
        game: what he looks at; nothing is changed.
        seat: where he sits.
        tries: what he tries to do although it is not offered.
        asks: what he asks of his view.
        since: how many events there were when he began to listen.
    """

    def __init__(
        self, game: Game, seat: str, tries: Sequence[Attempt] = (), asks: Sequence[Question] = (), since: int = 0
    ) -> None:
        self._game = game
        self._seat = seat
        self._tries = tries
        self._asks = asks
        self._since = since
        self._seen: dict[str, Any] = {}

    def sees(self, channel: str) -> Any:
        """What comes through a channel, as something that can be compared."""
        if channel not in self._seen:
            self._seen[channel] = CHANNELS[channel](self)
        return self._seen[channel]

    @cached_property
    def view(self) -> View:
        """His view of the game."""
        return self._game.view(self._seat)

    @cached_property
    def _shown(self) -> Mapping[str, Any]:
        """The view as a client gets it."""
        return self.view.to_json()

    def _refusals(self) -> list[Any]:
        twin = self._game.copy()  # a gate that is broken may let something through
        return [(attempt, _refused(twin, attempt, both=not number % 3)) for number, attempt in enumerate(self._tries)]

    def _actions(self) -> list[Any]:
        """What the view lists, and what the gate would take."""
        offered = self._game.legal_actions(self._seat) if self._seat in self._game.to_move else []
        return [action.to_json() for action in (*self.view.legal_actions(), *offered)]

    def _undo(self) -> Any:
        twin = self._game.copy()
        return twin.may_undo(self._seat), _said(lambda: repr(twin.undo(self._seat)))

    def _queries(self) -> list[Any]:
        query = self.view.query if self._asks else None
        return [(question, answer_of(query, question)) for question in self._asks]

    def _errors(self) -> list[Any]:
        game, seat = self._game, self._seat
        calls: list[Callable[[], Any]] = [
            lambda: game.prompt(seat),
            lambda: repr(bool(game.offered(game.world.seats[seat]))),
            lambda: game.view(seat + "?"),
        ]
        return [_said(call) for call in calls]


def _drawn(view: View) -> list[str]:
    """What a picture shows, but for the board, which everybody knows."""
    shown = view.picture
    return (
        [repr(piece) for piece in shown.pieces] + [f"{place}: {side}" for place, side in shown.control.items()] + [*shown.notes]
    )


def _refused(game: Game, attempt: Attempt, both: bool) -> Any:
    """Code, clause and sentence, by one way or by both ways to learn them; nothing for what is offered."""
    heard: list[Any] = []
    try:
        told = game.why_not(attempt.action, attempt.side)
        if told is not None:
            heard.append((told.code, told.clause, told.message))
            if both:
                game.apply(attempt.action, attempt.side)
                heard.append("it was refused, and then done")
    except Refusal as raised:
        heard.append((raised.code, raised.clause, raised.message))
    except Exception as error:
        heard.append(f"{type(error).__name__}: {error}")
    return heard


def _said(call: Callable[[], Any]) -> str:
    """What a call gives or raises, in words."""
    try:
        return str(call())
    except Exception as error:
        return f"{type(error).__name__}: {getattr(error, 'code', '')} {error}"


CHANNELS: dict[str, Callable[[Observer], Any]] = {
    "to-move": lambda seen: (list(seen._game.to_move), seen._shown["to_move"]),
    "view": lambda seen: {key: value for key, value in seen._shown.items() if key not in ("to_move", "question")},
    "prompt": lambda seen: seen.view.prompt,
    "actions": Observer._actions,
    "question": lambda seen: seen._shown["question"],
    "picture": lambda seen: _drawn(seen.view),
    "log": lambda seen: seen._game.log(seen._seat, seen._since),
    "refusals": Observer._refusals,
    "undo": Observer._undo,
    "queries": Observer._queries,
    "errors": Observer._errors,
}
"""The ways in which a seat can learn something."""
PRESENT = tuple(channel for channel in CHANNELS if channel not in ("log", "undo"))
"""Those that a position has which was not played to: nothing has happened in it."""


def difference(one: Observer, other: Observer, channels: Iterable[str], tally: Counter[str] | None = None) -> str:
    """How somebody could tell two games apart, in words; "" if he cannot.

    Args:
        one: he looks at one of them.
        other: he looks at the other.
        channels: where he looks.
        tally: counts the comparisons by channel.
    """
    for channel in channels:
        here, there = one.sees(channel), other.sees(channel)
        if tally is not None:
            tally[channel] += 1
        if here != there:
            return f"{channel}: {_in_words(here, there)}"
    return ""


def _in_words(here: Any, there: Any) -> str:
    """The first thing that is different."""
    if isinstance(here, Mapping) and isinstance(there, Mapping):
        if "state" in here and "state" in there and here["state"] != there["state"]:
            return _in_words(here["state"], there["state"])
        for key in here:
            if here[key] != there.get(key):
                return f"{key} shows {shortened(here[key])} or {shortened(there.get(key))}"
    if isinstance(here, list) and isinstance(there, list):
        for mine, others in zip(here, there, strict=False):
            if mine != others:
                return f"{shortened(mine)} or {shortened(others)}"
        if max(len(here), len(there)) > 3:
            return f"{len(here)} or {len(there)} entries"
    return f"{shortened(here)} or {shortened(there)}"


def some_questions(capability: HiddenInformation | None, view: View, chance: random.Random, number: int) -> list[Question]:
    """A few questions to a view, and the score in any case."""
    asked = list((capability.questions if capability is not None else questions)(view, chance))
    scores = [question for question in asked if question[0] == "score"]
    return [*scores, *chance.sample(asked, min(number, len(asked)))]


def with_state(game: Game, at: Position) -> Game:
    """The same game with another state; what is derived in it is rebuilt."""
    twin = game.copy()
    twin.state = at.state.copy()
    twin.state.rebuild()
    return twin
