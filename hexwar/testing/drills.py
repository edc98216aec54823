"""Drills: positions made by hand for rules that seldom come up in random games, and what must become of them.

A ruleset's kit has a `DrillBook`: files of drills as TOML. The check `drills` plays them. A drill is a table:

    [[drill]]
    clause = "3.4.2"
    what = "a city belongs to the side that entered it last"
    board = "narrow"                       # a table [board.narrow], from which the ruleset makes a map
    units = { ger-36m = "0405", su-10 = "1609" }
    stack = [{ kind = "moving", seat = "axis", units = ["ger-36m"] }]
    play = [
        { expect = { "state control 0605" = "soviet" } },
        { do = { kind = "move", unit = "ger-36m", to = "0805" } },
        { expect = { "state control 0605" = "axis" } },
    ]

Other keys: `scenario`, `options`, `seats` (the name of a seating), `path` (where the sequence of play goes on, or a name for it),
`reduced` (units that have lost a step), `state` (fields of the state), `dice`, and `new = true` for a game from its beginning in
place of a position. `case` is a list of tables: the drill is played once with each, whose keys take the place of the drill's, or
are added to its tables. An entry of `play` is one of

    { do = ACTION, by = SEAT, if = STEP }  an action, as JSON has it; with `if` only where such a step waits
    { all = STEP }                         the first offered action, as long as such a step waits
    { expect = { VIEW = VALUE } }          what must be now; lists are compared in any order
    { refused = ACTION, by = SEAT, clause = CLAUSE }

and a drill or case may have an `expect` besides, for the end. Views are words: see `VIEWS`; a ruleset may add its own.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import hexwar
from hexwar.engine import Action, Game, SeededChance, TapedChance, plain
from hexwar.errors import HexwarError, Refusal
from hexwar.testing.dice import ScriptedDice, lot
from hexwar.testing.kit import Capability
from hexwar.testing.positions import place_units, position_text, read_position
from hexwar.testing.subject import Subject
from hexwar.testing.watch import Survey

if TYPE_CHECKING:
    from hexwar.engine.rules import TextSource

MOST = 300
"""So many characters of an answer are told."""


class Differs(AssertionError):
    """The ruleset does not do what the rulebook says.

    Args:
        clause: the rule.
        what: about what.
        told: what the ruleset says.
        due: what the rulebook says.
    """

    def __init__(self, clause: str, what: str, told: object, due: object) -> None:
        super().__init__(f"{what}: {_short(told)}, and it should be {_short(due)} ({clause})")
        self.clause = clause


def same(clause: str, what: str, told: object, due: object) -> None:
    """Fail unless two answers are equal.

    Raises:
        Differs: they are not.
    """
    if told == due:
        return
    if isinstance(told, set | frozenset) and isinstance(due, set | frozenset):
        raise Differs(clause, what, f"{_short(told - due)} more", f"{_short(due - told)} more")
    if isinstance(told, dict) and isinstance(due, dict):
        keys = [key for key in {*told, *due} if told.get(key) != due.get(key)]
        key = min(keys, key=str)
        raise Differs(clause, f"{what} {key}", told.get(key), due.get(key))
    raise Differs(clause, what, told, due)


def _short(value: object) -> str:
    text = str(sorted(value, key=str) if isinstance(value, set | frozenset) else value)
    return text if len(text) < MOST else f"{text[:MOST]}..."


@dataclass(frozen=True)
class Drill:
    """A position and what must become of it.

    Args:
        clause: the rule.
        what: what must be, in a sentence.
        play: tries it; raises `Differs` or whatever the rules raise.
    """

    clause: str
    what: str
    play: Callable[[], None]


class Drills(list[Drill]):
    """Drills in the order in which they are written down: an object of this class is the decorator that adds one."""

    def __call__(self, clause: str, what: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
        """Add a drill."""

        def add(play: Callable[[], None]) -> Callable[[], None]:
            self.append(Drill(clause, what, play))
            return play

        return add


class Drilled(Survey):
    """A check that plays drills, once for all scenarios."""

    drills: ClassVar[Sequence[Drill]] = ()

    def playing(self) -> AbstractContextManager[object]:
        """What is held while they are played."""
        return nullcontext()

    def run(self, seed: int) -> None:
        """See `Survey.run`."""
        with self.playing():
            for drill in self.drills if self.is_first else ():
                try:
                    drill.play()
                except Differs as difference:
                    raise self.fail(f"{drill.what}: {difference}") from None
                except HexwarError as error:
                    raise self.fail(f"{drill.what}: {error} ({drill.clause})") from error


# -- drills as data -----------------------------------------------------------------------------------------------------------

Table = Mapping[str, Any]
View = Callable[..., object]


def _at(game: Game, unit: str) -> object:
    return game.state.at.get(unit)


def _steps(game: Game, unit: str) -> object:
    return game.state.steps[unit] if game.state.at.get(unit) in game.world.board else 0


def _state(game: Game, *names: str) -> object:
    found: Any = game.state.to_json()
    for name in names:
        found = found.get(name)
    return found


def _offers(game: Game, kind: str, field: str, *words: str) -> object:
    """Such as `offers move to`, `offers move to unit su-90`, `offers select chit by axis`, `offers pursue unit+path`."""
    asked = dict(zip(words[::2], words[1::2], strict=True))
    seats = [asked.pop("by")] if "by" in asked else game.to_move
    actions = [action for seat in seats for action in game.legal_actions(seat) if action.kind == kind]
    told = [tuple(getattr(action, name) for name in field.split("+")) for action in actions if _fits(action, asked)]
    return {values[0] if len(values) == 1 else values for values in told}


def _fits(action: Action, asked: Mapping[str, str]) -> bool:
    return all(str(getattr(action, name)) == value for name, value in asked.items())


def _waits(game: Game, kind: str, *names: str) -> object:
    """How many such steps wait, or a field of each."""
    steps = [step for step in game.state.stack if step.kind == kind]
    return [getattr(step, names[0]) for step in steps] if names else len(steps)


def _events(game: Game, kind: str, *names: str) -> object:
    """How many such events there were, or a field of each."""
    events = [event for event in game.events if event.kind == kind]
    return [getattr(event, names[0]) for event in events] if names else len(events)


def _odds(game: Game, attackers: str, target: str) -> object:
    """Such as `odds ger-21+ger-36m 0705`: "8 to 2, 4:1"."""
    told = game.query.odds(attackers.split("+"), target)
    return f"{told.attack} to {told.defence}, {told.name}"


def _points(game: Game, *clauses: str) -> object:
    """Clause -> points, or those of one clause."""
    found: dict[str, float] = {}
    for score in game.query.score():
        found[score.clause] = found.get(score.clause, 0) + score.points
    return found.get(clauses[0], 0) if clauses else found


def _result(game: Game) -> object:
    return None if game.result is None else f"{game.result.winner} {dict(game.result.scores)}"


VIEWS: Mapping[str, View] = {
    "at": _at,
    "steps": _steps,
    "state": _state,
    "offers": _offers,
    "waits": _waits,
    "events": _events,
    "odds": _odds,
    "points": _points,
    "result": _result,
    "asked": lambda game: game.to_move,
    "reach": lambda game, unit, label: game.query.reach(unit).costs.get(label),
    "supplied": lambda game, unit: game.query.supply(unit).supplied,
    "needed": lambda game, side: game.query.points_needed()[side][0],
}
"""Word -> what it looks at: the place of a unit, its steps (0 off the map), a field of the state, a field of offered actions of a
kind, waiting steps of a kind, events of a kind, the odds of an attack, points, the result, who is asked, what a unit pays for its
way to a hex, whether it has a line, and the points that a side needs."""


def _comparable(value: Any) -> Any:
    """Lists in an order that does not matter."""
    if isinstance(value, Mapping):
        return {str(key): _comparable(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return sorted((_comparable(item) for item in value), key=str)
    return value


class DrillBook(Capability):
    """Drills that a ruleset has in files.

    Args:
        files: TOML files.
        board: makes the text of a map of a `[board.NAME]` table.
        paths: names for places in the sequence of play.
        base: what every drill has that does not say otherwise.
        views: further words for `expect`.
        more: drills that are written in Python, because something is computed in them.
    """

    name = "drills"

    def __init__(
        self,
        files: Iterable[TextSource],
        board: Callable[..., str],
        *,
        paths: Mapping[str, Sequence[int]] | None = None,
        base: Table | None = None,
        views: Mapping[str, View] | None = None,
        more: Iterable[Drill] = (),
    ) -> None:
        self._files = tuple(files)
        self._board = board
        self._paths = dict(paths or {})
        self._base = dict(base or {})
        self._views = {**VIEWS, **(views or {})}
        self._more = tuple(more)
        self._worlds: dict[Any, Game] = {}

    def drills(self, subject: Subject) -> Iterator[Drill]:
        """All of them."""
        boards: dict[str, str] = {}
        self._worlds.clear()  # positions on the same map share their world: to make one takes longer than a drill
        for file in self._files:
            data = tomllib.loads(file.read_text(encoding="utf-8"))
            boards |= {name: self._board(**table) for name, table in data.get("board", {}).items()}
            for table in data["drill"]:
                yield Drill(table["clause"], table["what"], partial(self._play, subject, boards, table))
        yield from self._more

    def _play(self, subject: Subject, boards: Mapping[str, str], table: Table) -> None:
        for case in table.get("case", [{}]):
            drill = _merged(_merged(self._base, table), case)
            game = self._position(subject, boards, drill)
            for entry in drill.get("play", ()):
                self._do(game, drill, entry)
            self._expect(game, drill, drill.get("expect", {}))

    def _position(self, subject: Subject, boards: Mapping[str, str], drill: Table) -> Game:
        there = Subject.of(subject.info.id, drill.get("scenario"), drill.get("options"))
        seats = subject.info.seating(drill["seats"], there.scenario).seats if "seats" in drill else None
        if drill.get("new"):
            return hexwar.new_game(subject.info.id, there.scenario, 1, drill.get("options"))
        board = drill.get("board")
        board = self._board(**board) if isinstance(board, Mapping) else boards[board] if board else None
        path = drill.get("path", ())
        path = self._paths[path] if isinstance(path, str) else path
        stack = [{"kind": "sequencing", "path": list(path)}, *drill.get("stack", ())]
        weak = drill.get("reduced", ())
        units = {unit: {"at": at, **({"steps": 1} if unit in weak else {})} for unit, at in drill.get("units", {}).items()}
        dice = ScriptedDice(_die(die) for die in drill["dice"]) if "dice" in drill else None
        key = board, there.scenario, repr(drill.get("options")), drill.get("seats")
        known = self._worlds.get(key)
        if known is None:
            text = position_text(there, drill.get("state", {}), stack, units, board=board, seats=seats)
            self._worlds[key] = game = read_position(there, text, dice)
            return game
        rules, world = known.ruleset, known.world
        state = rules.bare(world).with_json({**drill.get("state", {}), "stack": stack}, rules.step_types)
        place_units(rules, world, state, units)
        return Game(rules, world, state, SeededChance(0) if dice is None else TapedChance(dice))

    def _do(self, game: Game, drill: Table, entry: Table) -> None:
        seat = entry.get("by")
        if "expect" in entry:
            self._expect(game, drill, entry["expect"])
        elif "all" in entry:
            while game.state.stack and game.state.stack[-1].kind == entry["all"]:
                game.apply(game.legal_actions(game.to_move[0])[0], game.to_move[0])
        elif "refused" in entry:
            try:
                game.apply(game.ruleset.parse_action(entry["refused"]), seat)
            except Refusal as refusal:
                same(drill["clause"], f"why {entry['refused']} is refused", refusal.clause, entry["clause"])
            else:
                raise Differs(drill["clause"], str(entry["refused"]), "allowed", "refused")
        elif "if" not in entry or any(step.kind == entry["if"] for step in game.state.stack):
            game.apply(game.ruleset.parse_action(entry["do"]), seat)

    def _expect(self, game: Game, drill: Table, expected: Table) -> None:
        for words, due in expected.items():
            view, *rest = words.split()
            told = plain(_comparable(self._views[view](game, *rest)))
            same(drill["clause"], words, told, _comparable(due))


def _merged(table: Table, case: Table) -> dict[str, Any]:
    both = {key for key in case if isinstance(case[key], Mapping) and isinstance(table.get(key), Mapping)}
    return {**table, **{key: {**table[key], **value} if key in both else value for key, value in case.items()}}


def _die(die: int | Table) -> Any:
    return lot(die["lot"]) if isinstance(die, Mapping) else die


class DrillsHold(Survey):
    """Plays positions made by hand."""

    id = "drills"
    sentence = "Positions made by hand become what the rulebook says."
    needs = DrillBook

    def run(self, seed: int) -> None:
        """See `Survey.run`."""
        book = self.subject.kit.capability(DrillBook)
        assert book is not None
        for drill in book.drills(self.subject) if self.is_first else ():
            try:
                drill.play()
            except Differs as difference:
                raise self.fail(f"{drill.what}: {difference}") from None
            except HexwarError as error:
                raise self.fail(f"{drill.what}: {error} ({drill.clause})") from error
