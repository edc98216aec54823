"""The smallest position that shows a fault: what stands on the board before the last move, less all that has no part in it.

The position is a plain document, as `hexwar.position` reads it: units, fields of the state and the steps that wait. Units go
first, each with everything that names it, then fields, entries of fields, waiting steps and losses. What is left is kept if the
check finds the same fault at the same move and nothing before it.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import re
import time
import tomllib
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hexwar.board import Board
from hexwar.engine import Game, Invariant, Ruleset, Sequencing, State, TapedChance, World
from hexwar.testing._running.subject import Subject
from hexwar.testing._running.watch import CheckFailed, Crash, Fault
from hexwar.testing._shrinking.minimise import Recording, Watched, played
from hexwar.testing._staging.dice import MoveDice
from hexwar.testing._staging.positions import made_state, position_text, read_position, without_none
from hexwar.testing._staging.random_play import SeatAction

SECONDS = 1.5
"""Of the processor's time."""
LISTED = 60
"""With more units than that, what is offered is not listed at every trial, which would take most of the time."""

Document = dict[str, Any]
"""`units`: unit -> {at, steps}; `state`: field -> JSON value; `stack`: the steps that wait, the current one last."""

_LEFT_OUT = ("stack", "draws", "result")
"""Fields that are not part of a hand-made position, or appear elsewhere in it."""


@dataclass(frozen=True, slots=True)
class SmallPosition:
    """A position in which the last move of a game shows its fault.

    Args:
        text: as `hexwar.position` reads it.
        game: the game that begins there.
        after: the game after its moves, as far as the rules let it.
        moves: what is done in it; the last move shows the fault.
        looked: the numbers of the moves at which the check must look.
        dice: the raw outcomes of what is rolled, from 0.
        message: what the check says there.
        units: how many units are left.
        units_before: how many there were.
        seconds: of the processor's time that the search took.
    """

    text: str
    game: Game
    after: Game
    moves: tuple[SeatAction, ...]
    looked: tuple[int, ...]
    dice: tuple[int, ...]
    message: str
    units: int
    units_before: int
    seconds: float


def likeness(error: CheckFailed) -> tuple[object, ...]:
    """What two findings of the same fault have in common: the words without names and numbers, and where the rules failed."""
    text = re.sub(r"\w+\((?:[^()]|\([^()]*\))*\)", "*", error.message)
    text = re.sub(r"'[^']*'|\"[^\"]*\"|\S*\d\S*", "*", text)
    raised = re.findall(r"\b[A-Z]\w*(?:Error|Exception)\b", text)
    return text.partition(":")[0], tuple(raised), _raised_in(error)


def _raised_in(error: CheckFailed) -> str:
    cause = error.__cause__.error if isinstance(error.__cause__, Crash) else error.__cause__
    codes = [frame.f_code for frame, _ in traceback.walk_tb(None if cause is None else cause.__traceback__)]
    return f"{codes[-1].co_filename} {codes[-1].co_name}" if codes else ""


def is_on_board(world: World, place: object) -> bool:
    """Whether a place is a hex of the board."""
    board = getattr(world, "board", None)
    return isinstance(board, Board) and isinstance(place, str) and place in board


def documents(rules: Ruleset, world: World, state: State) -> Iterator[Document]:
    """A position as documents: with a table of units, if there can be one, and with all in the state."""
    data, bare = state.to_json(), rules.bare(world).to_json()
    fields = {name: value for name, value in data.items() if name not in _LEFT_OUT and value != bare[name] and value is not None}
    plain: Document = {"units": {}, "state": fields, "stack": without_none(data["stack"])}
    at, steps = data.get("locations"), data.get("steps_left")
    if isinstance(at, dict) and all(isinstance(place, str) for place in at.values()):
        strengths = steps if isinstance(steps, dict) else {}
        units: dict[str, dict[str, object]] = {unit: {"at": place} for unit, place in at.items()}
        for unit in units.keys() & strengths.keys():
            units[unit]["steps"] = strengths[unit]
        rest = {name: value for name, value in fields.items() if name not in ("locations", "steps_left")}
        yield {"units": units, "state": rest, "stack": plain["stack"]}
    yield plain


def whole_text(subject: Subject, game: Game) -> str:
    """The position in which a game begins, as `hexwar.position` reads it."""
    for form in documents(game.ruleset, game.world, game.first_state):
        with contextlib.suppress(Exception):
            made_state(game.ruleset, game.world, {**form["state"], "stack": form["stack"]}, form["units"])
            return _text_of(subject, game, form)
    raise ValueError("the position cannot be written down")


def _text_of(subject: Subject, game: Game, document: Document) -> str:
    board = tomllib.loads(game.source).get("board") if game.source else None
    seats = _seats_of(game.world.setup)
    return position_text(subject, document["state"], document["stack"], document["units"], board=board, seats=seats)


class Reduction:
    """Leaves out of a position whatever has no part in what it shows.

    Args:
        rules: the ruleset.
        world: of the position.
        invariants: what must hold besides what the ruleset says.
    """

    def __init__(self, rules: Ruleset, world: World, invariants: Sequence[Invariant]) -> None:
        self._rules, self._world, self._checked = rules, world, (*rules.invariants, *invariants)
        bare = getattr(rules.bare(world), "locations", {})
        self._always = {unit for unit, place in bare.items() if is_on_board(world, place)}
        self._broken: set[str] = set()
        """Invariants that do not hold in the whole position either."""
        self.best: Document = {}

    def shows(self, document: Document) -> bool:
        """Whether a position still shows it."""
        raise NotImplementedError

    def has_time(self) -> bool:
        """Whether more may be tried."""
        raise NotImplementedError

    def reduce(self, whole: Document) -> None:
        """Make `best` as small as it gets, beginning with a position that shows it."""
        self.best = whole
        passes: tuple[Callable[[], bool], ...] = (self._fewer_units, self._fewer_entries, self._dull_beginning)
        found = True
        while found and self.has_time():
            found = sum(reduce() for reduce in passes) > 0

    def is_sane(self, game: Game, document: Document) -> bool:
        """Whether people could be shown it: everyone who is asked has something to do, and the invariants hold."""
        asked = game.to_move
        for seat in asked:
            game.prompt(seat)
            if len(_units(document)) <= LISTED and not game.legal_actions(seat):
                return False
        return bool(asked) and self.invariants(game) <= self._broken

    def invariants(self, game: Game) -> set[str]:
        """Those that do not hold."""
        broken = set()
        for invariant in self._checked:
            try:
                if invariant.broken(game._position):
                    broken.add(invariant.title)
            except Exception:
                broken.add(invariant.title)
        return broken

    # -- leaving out ------------------------------------------------------------------------------------------------------

    def _accepts(self, document: Document) -> bool:
        if document == self.best or not self.has_time() or not self.shows(document):
            return False
        self.best = document
        return True

    def _fewer(self, names: Sequence[Any], without: Callable[[Document, Sequence[Any]], Document]) -> bool:
        """Leave out many at once, then ever fewer, down to one by one."""
        left, size, found = list(names), len(names), False
        while size and left:
            for start in range(len(left) - size, -size, -size):
                chunk = left[max(0, start) : start + size]
                if chunk and self._accepts(without(self.best, chunk)):
                    del left[max(0, start) : start + size]
                    found = True
            size //= 2
        return found

    def _fewer_units(self) -> bool:
        # A unit that would stand on the board anyway is better named where it stands.
        can_go = [unit for unit in _units(self.best) if unit not in self._always]
        found = self._fewer(can_go, _forgotten)
        for unit, entry in list(self.best["units"].items()):
            if set(entry) > {"at"}:  # at full strength it needs no words
                found |= self._accepts({**self.best, "units": {**self.best["units"], unit: {"at": entry["at"]}}})
        return found

    def _fewer_entries(self) -> bool:
        """Fields of the state, entries of fields and waiting steps but the last, from the outside inwards."""
        found = False
        for path in [
            ("state",),
            ("stack",),
            *_containers(self.best["state"], ("state",)),
            *_containers(self.best["stack"], ("stack",)),
        ]:
            value = _at(self.best, path)
            if isinstance(value, Mapping | list):  # it may be gone with another
                keys: list[Any] = [key for key in value if key != "kind"] if isinstance(value, Mapping) else value
                found |= self._fewer(keys[:-1] if path == ("stack",) else list(keys), functools.partial(_thinned, path))
        return found

    def _dull_beginning(self) -> bool:
        """The sequence of play as it begins, in place of where it stands."""
        beginning, stack = without_none([Sequencing().to_json()]), self.best["stack"]
        if stack[:1] == beginning or stack[0]["kind"] != beginning[0]["kind"]:
            return False
        return self._accepts({**self.best, "stack": [*beginning, *stack[1:]]})


class Search(Reduction):
    """Looks for the smallest position in which the moves of a fault show it.

    Args:
        subject: what is played.
        before: the game as it stood before them.
        recording: the game in which it was found.
        fault: what was found: its moves are those that the position is played on with.
        seconds: when to stop with what was found so far.
    """

    def __init__(self, subject: Subject, before: Game, recording: Recording, fault: Fault, seconds: float = SECONDS) -> None:
        super().__init__(before.ruleset, before.world, subject.invariants)
        self._subject, self._before = subject, before
        self._state = before.state
        self._recording = recording
        self._fault = fault
        self._said = likeness(fault.error)
        self._seconds = seconds
        self._begun = time.process_time()
        self._broken = self.invariants(before)

    def run(self) -> SmallPosition | None:
        """The smallest one found; None if no hand-made position shows it, because the fault depends on the way that led there."""
        forms = documents(self._rules, self._world, self._state)
        whole = next((document for document in forms if self.shows(document)), None)
        if whole is None:
            return None
        self.reduce(whole)
        return self._settled(self._pieces(self._state))

    def has_time(self) -> bool:
        """See `Reduction.has_time`."""
        return time.process_time() - self._begun < self._seconds

    def _pieces(self, state: State) -> int:
        """How many units stand on the board."""
        return sum(is_on_board(self._world, place) for place in getattr(state, "locations", {}).values())

    # -- the document -----------------------------------------------------------------------------------------------------

    def _made(self, document: Document) -> State:
        values = {**document["state"], "stack": document["stack"]}
        return made_state(self._rules, self._world, values, document["units"])

    def _text(self, document: Document) -> str:
        return _text_of(self._subject, self._before, document)

    # -- trying -----------------------------------------------------------------------------------------------------------

    def shows(self, document: Document) -> bool:
        """See `Reduction.shows`."""
        try:
            text = self._text(document)
            game = Game(self._rules, self._world, self._made(document), TapedChance(self._dice()), source=text)
            return self.is_sane(game, document) and self._judged(game) is not None
        except Exception:
            return False  # no position of the game

    def _dice(self) -> MoveDice:
        dice = MoveDice(self._recording.outcomes)
        if self._fault.draws:
            dice.seek(self._fault.draws[0])
        return dice

    def _judged(self, game: Game) -> CheckFailed | None:
        """What the watch says of the fault's moves, played from here; None if it does not find the fault, or too soon."""
        game, dice = self._fresh(game)
        trial = Watched(self._recording.watch(), dice, self._fault)
        is_last = trial.shown_at(game, self._fault.moves) == len(self._fault.moves) - 1
        is_it = not self._fault.moves or likeness(trial.error) == self._said  # of a position anything that is wrong will do
        return trial.error if is_last and is_it else None

    def _settled(self, count: int) -> SmallPosition | None:
        """The best position, read from its text as everybody else will read it."""
        text = self._text(self.best)
        game = read_position(self._subject, text, self._dice())
        judged = self._judged(game)
        if judged is None:
            return None
        fault, (after, dice) = self._fault, self._fresh(game)
        return SmallPosition(
            text=text,
            game=game,
            after=played(after, dice, fault),
            moves=fault.moves,
            looked=tuple(sorted(fault.looked)),
            dice=tuple(dice.rolled),
            message=judged.message,
            units=self._pieces(game.state),
            units_before=count,
            seconds=time.process_time() - self._begun,
        )

    def _fresh(self, game: Game) -> tuple[Game, MoveDice]:
        """A game that begins where another did, and its dice: a check that tries something on a copy rolls them, too."""
        dice = self._dice()
        return Game(game.ruleset, game.world, game.first_state, TapedChance(dice), game.source), dice


def _units(document: Document) -> tuple[str, ...]:
    return tuple(document["units"] or document["state"].get("locations") or ())


def _seats_of(setup: Any) -> Mapping[str, str]:
    return {} if all(seat == side for seat, side in setup.seats.items()) else setup.seats


def _forgotten(document: Document, names: Sequence[str]) -> Document:
    """The document without some units, wherever they are named."""
    gone = set(names)

    def without(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: without(item) for key, item in value.items() if key not in gone}
        if isinstance(value, list):
            return [without(item) for item in value if not (isinstance(item, str) and item in gone)]
        return value

    return {part: without(value) for part, value in document.items()}


def _containers(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Where lists and tables lie, from the outside inwards; the outermost ones are taken apart by other passes."""
    items = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        if isinstance(item, Mapping | list) and item:
            if not (isinstance(item, Mapping) and "kind" in item):  # what a step needs, it needs
                yield (*path, key)
            yield from _containers(item, (*path, key))


def _at(document: Any, path: Sequence[Any]) -> Any:
    for key in path:
        try:
            document = document[key]
        except (KeyError, IndexError, TypeError):
            return None
    return document


def _thinned(path: Sequence[Any], document: Document, chunk: Sequence[Any]) -> Document:
    """The document with fewer entries in one place."""
    made = copy.deepcopy(document)
    inner = _at(made, path[:-1])
    value = inner[path[-1]]
    if isinstance(value, Mapping):
        inner[path[-1]] = {key: item for key, item in value.items() if key not in chunk}
    else:
        left = list(value)
        for item in chunk:
            left.remove(item)
        inner[path[-1]] = left
    return made
