"""Non-interference: what a seat may not know makes no difference to anything that it can observe.

A seat observes a game through *channels*: its view, who must decide, its prompt, its actions in their order, its question, its
picture, its log, the refusals that it gets, what undo says to it, the answers to queries, the texts of errors, and what the table
prints for it and about a game with a secret seed. Two games that
a seat cannot tell apart must be the same in all of them, whatever else is different. Other contents for what is hidden are those
that the ruleset imagines, or any that look alike if it says nothing.
"""

from __future__ import annotations

import dataclasses
import inspect
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

from hexwar.engine import Game, Position, Ruleset, SeededChance, State, View
from hexwar.errors import HexwarError, Refusal
from hexwar.testing._running.kit import At
from hexwar.testing._staging.attempts import Attempt
from hexwar.testing._staging.random_play import shortened

Question = tuple[str, tuple[Any, ...]]
"""The name of a query and its arguments."""


def imagines(game: Game) -> bool:
    """Whether the ruleset says what may be hidden: then nothing at all may differ, and rules that fail are at fault."""
    return type(game.ruleset).imagine is not Ruleset.imagine


def imagined(game: Game, seat: str, chance: random.Random) -> Game | None:
    """The same game with other secrets that are possible for a seat; None where nothing else was imagined."""
    made = game.view(seat)._filled_in(chance)
    made.draws = game._state.draws
    return None if made == game._state else with_state(game, Position(game.world, made))


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


PRINTED = ("status", "units", "score")
"""What the table prints without a word more; its map is made from the picture, which is a channel of its own."""


# -- channels ---------------------------------------------------------------------------------------------------------------


class Observer:
    """An observer at a seat who looks at a game in every way that there is.

    Args:
        game: what it looks at; nothing is changed.
        seat: where it sits.
        tries: what it tries to do although it is not offered.
        asks: what it asks of its view.
        since: how many events there were when it began to listen.
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
        """Its view of the game."""
        return self._game.view(self._seat)

    @property
    def _is_asked(self) -> bool:
        return self._seat in self._game.to_move

    @cached_property
    def _shown(self) -> Mapping[str, Any]:
        """The view as a client gets it."""
        return self.view.to_json()

    def _refusals(self) -> list[Any]:
        twin = self._game.copy()  # a gate that is broken may let something through
        return [(attempt, _refused(twin, attempt, both=not number % 3)) for number, attempt in enumerate(self._tries)]

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

    def _table(self) -> list[str]:
        """What it reads at the table if it asks for everything, and below its question."""
        from hexwar.table.chronicle import Chronicle
        from hexwar.table.commands import TableCommands
        from hexwar.table.offers import Offer

        game, chronicle = self._game, Chronicle(self._game.world, short=True)
        known = TableCommands(game, self._seat, chronicle).known
        printed = [_said(partial(_joined, known[word])) for word in PRINTED if word in known]
        return [*printed, *(Offer(game.question(self._seat), chronicle).lines() if self._is_asked else ())]

    def _head(self) -> list[str]:
        """What is told about a game whose seed was not given: it is another one in each game that it looks at."""
        from hexwar.table.session import Session

        twin = self._game.copy()
        twin._chance = SeededChance(f"seed {id(self)}", is_secret=True)
        if twin.result is not None:
            return []
        told = [repr(twin), str(twin.seed)]
        twin.history.clear()  # which the head does not depend on; a session counts what every seat has read of it
        return [*told, _said(lambda: Session(twin, {}, random).head)]


def _joined(answer: Callable[[list[str]], Iterable[str]]) -> str:
    return "\n".join(answer([]))


def _drawn(view: View) -> list[Any]:
    """What a picture shows, but for the board, which everybody knows."""
    shown = view.picture
    return [*shown.pieces, *shown.control.items(), *shown.notes]


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
    # As the gate has them: those of a view are made from what the seat may know.
    "actions": lambda seen: [action.to_json() for action in seen._game.legal_actions(seen._seat)] if seen._is_asked else [],
    "question": lambda seen: (seen._shown["question"], seen._game.question(seen._seat).to_json() if seen._is_asked else None),
    "steps": lambda seen: [step.to_json() for step in seen.view.steps],
    "picture": lambda seen: _drawn(seen.view),
    "log": lambda seen: [*seen._game.log(seen._seat, seen._since), *seen._game.log(None, seen._since)],
    "refusals": Observer._refusals,
    "undo": Observer._undo,
    "queries": Observer._queries,
    "errors": Observer._errors,
    "table": Observer._table,
    "head": Observer._head,
}
"""The ways in which a seat can learn something."""
PRESENT = tuple(channel for channel in CHANNELS if channel not in ("log", "undo"))
"""Those that a position has which was not played to: nothing has happened in it."""
UNPRINTED = tuple(channel for channel in PRESENT if channel not in ("table", "head"))
"""Those of them that take little time."""


def difference(one: Observer, other: Observer, channels: Iterable[str], tally: Counter[str] | None = None) -> str:
    """How a seat could tell two games apart, in words; "" if it cannot.

    Args:
        one: it looks at one of them.
        other: it looks at the other.
        channels: where it looks.
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


def some_questions(view: View, chance: random.Random, number: int) -> list[Question]:
    """A few questions to a view, and the score in any case."""
    asked = list(questions(view, chance))
    scores = [question for question in asked if question[0] == "score"]
    return [*scores, *chance.sample(asked, min(number, len(asked)))]


def with_state(game: Game, at: Position) -> Game:
    """The same game with another state; what is derived in it is rebuilt."""
    twin = game.copy()
    twin._state = at.state.copy()
    twin._state.rebuild()
    return twin


# -- other contents for what is hidden -----------------------------------------------------------------------------------


POOL = 12
"""How many values of each hidden field are remembered."""
TRIES = 8
"""How often a selection is repeated before it stays as it is."""


def secret_fields(state: State) -> list[str]:
    """The fields of which a viewer sees less than all; the engine's own stack and draws are in no view at all."""
    return [
        field.name
        for field in dataclasses.fields(state)
        if field.metadata.get("sight", "undeclared") is not None
        and not field.metadata.get("derived")
        and field.name not in ("stack", "draws")
    ]


class Pool:
    """The fallback for rulesets that imagine nothing: values that were there before, turned or mixed.

    A game may never come to such a position, so its users must tolerate rules that fail.
    """

    def __init__(self) -> None:
        self._kept: dict[str, list[Any]] = {}

    def note(self, state: State) -> None:
        """Remember what is hidden now."""
        for name in secret_fields(state):
            value = getattr(state, name)
            if value and value not in self._kept.setdefault(name, []):
                self._kept[name] = [*self._kept[name][-POOL:], value.copy() if hasattr(value, "copy") else value]

    def positions(self, at: At, seat: str, chance: random.Random, number: int) -> Iterator[tuple[str, At]]:
        """Positions that look the same to a seat, each with the names of what was exchanged: all first, then one by one."""
        viewer = at.world.viewer(seat)
        shown = at.state.seen_by(viewer)
        found: dict[str, list[Any]] = {}
        for name in secret_fields(at.state):
            true = getattr(at.state, name)
            others = [other for other in self._alike(name, true, seat, viewer.side, chance) if other != true]
            for other in chance.sample(others, min(number, len(others))):
                state = at.state.copy()
                setattr(state, name, other)
                if getattr(state.seen_by(viewer), name) == getattr(shown, name):
                    found.setdefault(name, []).append(other)
        if len(found) > 1:
            yield ", ".join(found), _changed(at, {name: others[0] for name, others in found.items()})
        for name, others in found.items():
            yield from ((name, _changed(at, {name: other})) for other in others)

    def _alike(self, name: str, true: Any, seat: str, side: str, chance: random.Random) -> Iterator[Any]:
        """Values of the same shape as the true one."""
        pool = [value for value in self._kept.get(name, ()) if type(value) is type(true)]
        if isinstance(true, Mapping):
            for key in true:
                if key in (seat, side):
                    continue
                known = [entry for value in pool for entry in value.values() if _shape(entry) == _shape(true[key])]
                known += [_turned(true[key])]
                yield {**true, key: chance.choice(known)}
        elif isinstance(true, tuple) and true:
            yield _turned(true)
            items = sorted({item for value in pool for item in value}, key=repr)
            yield tuple(chance.choice(items or list(true)) for _ in true)
            yield from (value for value in pool if len(value) == len(true))
        else:
            yield from pool


def _changed(at: At, changes: dict[str, Any]) -> At:
    state = at.state.copy()
    for name, value in changes.items():
        setattr(state, name, value)
    return Position(at.world, state)


def _shape(value: Any) -> Any:
    return (type(value), len(value)) if isinstance(value, tuple | str | list | dict) else type(value)


def _turned(value: Any) -> Any:
    return value[::-1] if isinstance(value, tuple) else value
