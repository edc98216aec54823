"""Drills: positions made by hand for rules that rarely come up in random games, and what must become of them.

A ruleset writes them down in TOML files and names these in its kit: `DrillBook(files)`. The check `drills` plays them; so does
pytest, one by one, if a test module has the line `test_drills = drill_tests("my-rules")`.

```toml
[default]                                  # what every drill of the file has unless it says otherwise
board = "plain"
state = { turn = 2 }

[boards.plain]                             # a map, in the words of a map file
format = 1
...
[boards.river]                             # another one with something more
like = "plain"
sides = { river = ["0707|0708"] }

[[drill]]
clause = "7.2"
what = "a unit crosses a river with all its points"
board = "river"
units = { r1 = "0707", b1 = "0710" }
reduced = ["b1"]
stack = [{ kind = "moving", seat = "red", units = ["r1"] }]
expect = { "offers.move[unit=r1].to" = ["0706", "0708"] }
play = [{ do = "move r1 0708", expect = { "at.r1" = "0708", kinds = ["done"] } }]
case = [{}, { units = { b1 = "0709" }, expect = { "offers.move[unit=r1].to" = ["0706"] } }]
```

A drill is a position or, with `new = true`, the beginning of a game. A position has `scenario`, `options`, `seats` (the name of a
seating), `board` ("" for the scenario's own), `units`, those that are `reduced`, `state`, `stack`, `dice` ("lot 0": a draw), and
`path`: the phase with which the sequence of play continues; without it `stack` has all the steps. Then come moments; the first
one is in the drill itself, the others in `play`. A moment has

- `do`: what is decided, and `by` whom; `all`: the first offered action is taken as long as such a step waits;
- `refused`: actions that the rule of the moment's `clause` forbids;
- `expect`: what must be so then;
- `if`: the moment is only for a game in which such a step waits.

A drill with cases is played once for each of them, merged over the drill.

A decision is a table, or words that pick an offered action: its kind and the values that make it unique. What is expected
begins with one of these, and continues with names of fields and keys:

- `state`, `at`, `steps`, `world`, `result`, `query.NAME(arguments)`, `asked` (the seats);
- `seen.SEAT`: the state as a seat sees it; `undo.SEAT`: whether the seat may take the last action back;
- `score`: side, clause -> points so far;
- `kinds`: of the offered actions; `offers.KIND`, `waits.KIND` (steps), `events.KIND`, `heard.SEAT.KIND`: a field of each, or
  their number; `[field=value]` of some of them.

Lists are compared without regard to order. Of an object a table compares the fields that it names. A list of hexes may be
`{ are = [...], but = [...] }`, `{ all_but = [...] }` or `{ has = [...], lacks = [...] }`; in it `0707+2` is 0707 and everything
up to two hexes away.
"""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hexwar.engine import Action, Chance, Game, Ruleset, SeededChance, TapedChance
from hexwar.errors import HexwarError
from hexwar.files import TextSource
from hexwar.testing._running.kit import Capability
from hexwar.testing._running.subject import Subject
from hexwar.testing._running.watch import Survey
from hexwar.testing._staging.dice import Lot, ScriptedDice
from hexwar.testing._staging.positions import made_state, position_text, read_position, to_toml

Table = Mapping[str, Any]
Known = dict[str, Game]
SHOWN = 40
"""Not more wrong drills are listed."""
MOST = 300
"""At most this many characters of an answer are shown."""


class DrillBook(Capability):
    """A ruleset has positions made by hand.

    Args:
        files: where they are written down.
    """

    def __init__(self, *files: TextSource) -> None:
        self._boards: dict[str, Table] = {}
        self.drills: list[dict[str, Any]] = []
        self.places: list[str] = []
        """File and line of each of them."""
        for file in files:
            text = file.read_text(encoding="utf-8")
            data = tomllib.loads(text)
            self._boards |= data.get("boards", {})
            self.drills += [merged(data.get("default", {}), drill) for drill in data["drill"]]
            lines = [number for number, line in enumerate(text.splitlines(), 1) if line.startswith("[[drill]]")]
            self.places += [f"{file}:{line}" for line in lines] or [f"{file}"] * len(data["drill"])

    def cases(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Where each drill is, and each case of it as a drill of its own."""
        for place, drill in zip(self.places, self.drills, strict=True):
            yield from ((place, merged(drill, case)) for case in drill.get("case", [{}]))

    def board(self, name: str) -> str:
        """A map as text."""
        return to_toml(self._board(name))

    def _board(self, name: str) -> dict[str, Any]:
        board = dict(self._boards[name])
        return merged(self._board(board.pop("like")), board) if "like" in board else board


def merged(old: Table, new: Table) -> dict[str, Any]:
    """A table merged over another."""
    inner = [key for key in new if isinstance(new[key], Mapping) and isinstance(old.get(key), Mapping) and key != "expect"]
    return {**old, **new, **{key: merged(old[key], new[key]) for key in inner}}


class DrillsComeRight(Survey):
    """Rules that rarely come up."""

    id = "drills"
    sentence = "Positions made by hand become what the rulebook says."
    needs = DrillBook
    once = True

    def run(self, seed: int) -> None:
        """Play them all."""
        book, known = self.rule(DrillBook), Known()
        wrong = [
            f"{place}: {drill['what']}: {said}"
            for place, drill in book.cases()
            if (said := played(self.subject, book, drill, known))
        ]
        if wrong:
            raise self.fail("\n".join([*wrong[:SHOWN], *([f"and {len(wrong) - SHOWN} others"] if len(wrong) > SHOWN else [])]))


def drill_tests(ruleset: str | Ruleset) -> Callable[..., None]:
    """A test of pytest for every case of every drill of a ruleset, marked with the clauses that it is about.

        test_drills = drill_tests("my-rules")

    A test of one position need not be written twice: what the kit plays as a check, pytest plays one by one.

    Args:
        ruleset: the id of an installed ruleset, or the object of one.
    """
    import pytest

    subject, known = Subject.of(ruleset), Known()
    book = subject.kit.capability(DrillBook) or DrillBook()
    cases = []
    for number, (place, drill) in enumerate(book.cases()):
        name = f"{drill['clause']} {drill['what'][:60]} {number}"
        cases.append(pytest.param(place, drill, id=name, marks=pytest.mark.clause(*clauses_of(drill))))

    @pytest.mark.parametrize(("place", "drill"), cases)
    def test_drills(place: str, drill: Table) -> None:
        wrong = played(subject, book, drill, known)
        assert not wrong, f"{place}: {drill['what']}: {wrong}"

    return test_drills


def clauses_of(drill: Table) -> list[str]:
    """The clauses that a drill is about."""
    return sorted({moment["clause"] for moment in (drill, *drill.get("play", ())) if "clause" in moment})


def played(subject: Subject, book: DrillBook, drill: Table, known: Known) -> str:
    """Play a drill; says what is wrong with the rules, "" if nothing is."""
    clause, after = drill["clause"], ""
    try:
        subject.rules.require({f"its clause {clause}": clause for clause in clauses_of(drill)})
        game = begun(subject, book, drill, known)
        for moment in (drill, *drill.get("play", ())):
            clause, by = moment.get("clause", clause), moment.get("by", "")
            if "if" in moment and not any(step.kind == moment["if"] for step in game.state.stack):
                continue
            while "all" in moment and game.to_move and game.state.stack[-1].kind == moment["all"]:
                game.apply(game.legal_actions(game.to_move[0])[0], game.to_move[0])
            for decision in listed(moment.get("do", ())):
                after = f"after {decision}, "
                game.apply(decided(game, decision, by), by or game.to_move[0])
            for action in listed(moment.get("refused", ())):
                refusal = game.why_not(action, by or None)
                if refusal is None or refusal.clause != clause:
                    return f"{after}{action} is {'allowed' if refusal is None else f'refused by {refusal}'} ({clause})"
            for what, due in moment.get("expect", {}).items():
                wrong = _difference(_looked_up(game, what, by), due, game)
                if wrong:
                    return f"{after}{what}: {wrong} ({clause})"
    except HexwarError as error:
        return f"{after}{error} ({clause})"
    return ""


def listed(value: Any) -> Iterable[Any]:
    """Several decisions or actions, or one alone."""
    return [value] if isinstance(value, str | Mapping) else value


# -- positions and decisions ----------------------------------------------------------------------------------------------


def begun(subject: Subject, book: DrillBook, drill: Table, known: Known, chance: Chance | None = None) -> Game:
    """The game of a drill. To make a world takes longer than to play: positions on one map share theirs.

    Args:
        subject: the ruleset.
        book: has the boards.
        drill: the position.
        known: worlds that were made before.
        chance: the dice; those of the drill if not given.
    """
    subject = Subject.of(subject.ruleset, drill.get("scenario"), drill.get("options"))
    dice = drill.get("dice")
    script = None if dice is None else ScriptedDice(Lot(int(face[4:])) if isinstance(face, str) else face for face in dice)
    if drill.get("new"):
        return replace(subject, seats=drill.get("seats")).start(0 if script is None else script)
    key = json.dumps([drill.get(part) for part in ("scenario", "options", "seats", "board")])
    if key not in known:
        board = book.board(drill["board"]) if drill.get("board") else None
        seats = subject.info.seating(drill["seats"], subject.scenario).seats if "seats" in drill else None
        known[key] = read_position(subject, position_text(subject, {}, [], {}, board=board, seats=seats))
    rules, world = known[key].ruleset, known[key].world
    stack = [*([{"kind": "sequencing", "path": drill["path"]}] if "path" in drill else []), *drill.get("stack", ())]
    weak = drill.get("reduced", ())
    units = {unit: at if isinstance(at, Mapping) else {"at": at} for unit, at in drill.get("units", {}).items()}
    places = {unit: {**entry, "steps": 1} if unit in weak else entry for unit, entry in units.items()}
    state = made_state(rules, world, {**drill.get("state", {}), "stack": stack}, places)
    return Game(rules, world, state, chance or (SeededChance(0) if script is None else TapedChance(script)))


def _offered(game: Game, by: str) -> Sequence[Action]:
    return game.legal_actions(by or game.to_move[0]) if game.to_move else []


def decided(game: Game, decision: str | Table, by: str) -> Action:
    """The offered action that is meant: of its kind, with the values that are said and the fewest others."""
    if not isinstance(decision, str):
        return game.ruleset.parse_action(decision)
    kind, *values = decision.split()
    meant = [action for action in _offered(game, by) if action.kind == kind and {*values} <= {*_values(action)}]
    if not meant:
        raise HexwarError(f"{decision!r} is not offered")
    return min(meant, key=lambda action: len(_values(action)))


def _values(action: Action) -> list[str]:
    told = {key: value for key, value in action.to_json().items() if key != "kind" and value not in ("", False)}
    words = [key if value is True else value for key, value in told.items()]
    return [str(item) for value in words for item in (value if isinstance(value, list) else [value])]


# -- what must be so ------------------------------------------------------------------------------------------------------


SHORT = {"at": "locations", "steps": "steps_left"}
"""What can be asked of a unit without `state.` before it."""


def _looked_up(game: Game, what: str, by: str) -> Any:
    """What a game answers to a question such as `state.locations.r1`."""
    root, _, rest = what.partition(".")
    match root:
        case "state" | "world" | "result":
            return _at_end(getattr(game, root), rest)
        case "at" | "steps":
            return getattr(game.state, SHORT[root]).get(rest)
        case "seen":
            seat, _, rest = rest.partition(".")
            return _at_end(game.view(seat).state, rest)
        case "undo":
            return game.may_undo(rest)
        case "asked":
            return game.to_move
        case "kinds":
            return {action.kind for action in _offered(game, by)}
        case "query":
            name, arguments, rest = re.fullmatch(r"(\w+)(?:\((.*)\))?\.?([\w.]*)", rest).groups()  # type: ignore[union-attr]
            return _at_end(getattr(game.query, name)(*ast.literal_eval(f"[{arguments or ''}]")), rest)
        case "score":
            sums: defaultdict[str, Counter[str]] = defaultdict(Counter)
            for item in game.query.score():
                sums[item.side][item.clause] += item.points
            return _at_end(sums, rest)
        case _:
            return _of_each(game, root, rest, by)


def _of_each(game: Game, root: str, rest: str, by: str) -> Any:
    """A field of each offer, step or event of a kind; without a field, how many there are."""
    seat, _, rest = rest.partition(".") if root == "heard" else ("", "", rest)
    sources: dict[str, Callable[[], Iterable[Any]]] = {
        "offers": lambda: _offered(game, by),
        "waits": lambda: game.state.stack,
        "events": lambda: game.events,
        "heard": lambda: game.log(seat),
    }
    kind, wanted, field = re.fullmatch(r"([\w-]+)(?:\[(.*)\])?\.?(.*)", rest).groups()  # type: ignore[union-attr]
    pairs = [pair.split("=") for pair in (wanted or "").split(",") if pair]
    some = [it for it in sources[root]() if it.kind == kind and all(str(getattr(it, name)) == value for name, value in pairs)]
    if not field:
        return len(some)
    told = [_at_end(record, field) for record in some]
    return {*told} if root == "offers" else told


def _at_end(value: Any, path: str) -> Any:
    """What lies at the end of a path of fields and keys; of a list, what lies there in each."""
    for name in path.split(".") if path else ():
        if isinstance(value, Mapping):
            value = value.get(name, value.get(int(name)) if name.isdigit() else None)
        else:
            value = [getattr(item, name) for item in value] if isinstance(value, list | tuple) else getattr(value, name, None)
    return value


def _difference(told: Any, due: Any, game: Game) -> str:
    """In what an answer is not what it should be, "" if it is."""
    if isinstance(due, Mapping) and {*due} & {"are", "all_but", "has", "lacks"}:
        hexes = {name: {label for entry in due[name] for label in _disk(game, entry)} for name in due}
        have, none = {*told}, set[str]()
        if {*due} & {"has", "lacks"}:
            wrong = have & hexes.get("lacks", none), hexes.get("has", none) - have
        else:
            all_of = hexes.get("are", {*game.world.board.labels}) - hexes.get("but", hexes.get("all_but", none))
            wrong = have - all_of, all_of - have
        return f"{_short(wrong[0])} too much, {_short(wrong[1])} missing" if any(wrong) else ""
    if isinstance(due, Mapping) and not isinstance(told, Mapping):
        told = {name: getattr(told, name) for name in due}
    answer, wanted = _plain(told), _plain(due)
    return "" if answer == wanted else f"{_short(answer)}, and it should be {_short(wanted)}"


def _disk(game: Game, entry: str) -> set[str]:
    label, _, far = entry.partition("+")
    board = game.world.board
    return {here for here in board.labels if board.distance(label, here) <= int(far)} if far else {label}


def _plain(value: Any) -> Any:
    """In JSON form, lists in an order."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    return sorted(map(_plain, value), key=str) if isinstance(value, list | tuple | set | frozenset) else value


def _short(value: object) -> str:
    text = str(sorted(value, key=str) if isinstance(value, set | frozenset) else value)
    return text if len(text) < MOST else f"{text[:MOST]}..."
