"""Failure folders: what is needed to understand a fault, to see it again, and to keep it from coming back.

| file | |
|---|---|
| `REPORT.md` | begin here |
| `replay.json`, `minimal.json` | the game in which it was found, and a shorter one |
| `position.toml`, `position.svg` | the smallest position, as text and drawn |
| `after.svg` | what its last move makes of it; all pictures also as PNG where that extra is there |
| `test_*.py` | tests that fail as long as the fault is there: from the minimal game, and from the smallest position |
| `fault.json` | what `hexwar replay` says about the games |

Whatever cannot be written, because the ruleset fails in other ways too, is left out or replaced by a sentence; the rest is there.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shlex
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hexwar.engine import Game, LaneEntered, LaneLeft, StepPopped, StepPushed
from hexwar.files import write_whole
from hexwar.testing._reports.pictures import describe, hexes_of, names_in, position_svg
from hexwar.testing._running.subject import Subject
from hexwar.testing._running.watch import Fault
from hexwar.testing._staging.random_play import SeatAction

if TYPE_CHECKING:
    from hexwar.testing._reports.failures import Failure

DEFAULT_DIRECTORY = ".hexwar/failures"
LAST_MOVES = 8
"""At most this many moves of the minimal game are described in words; the replay has all."""
NOTE = "fault.json"
_PASTE = "This one can be pasted into your tests:\n\n```python"


def repr_of(value: object) -> str:
    """The repr of something that may be broken."""
    try:
        return repr(value)
    except Exception as error:
        return f"<a {type(value).__name__} whose repr fails: {type(error).__name__}: {error}>"


def words_of(value: object) -> str:
    """An action or an event in words, as far as it has some."""
    try:
        return str(value)
    except Exception:
        return repr_of(value)


def replay_command(game: Path) -> str:
    """The line that shows a game again."""
    return f"hexwar replay {shlex.quote(str(game))}"


def write_plain(failure: Failure, subject: Subject, directory: str | os.PathLike[str] | None) -> Failure:
    """Write the report of a failure that needs no game, or of which nothing more could be found out; it names its folder then."""
    folder = _Folder(directory, failure.check, failure.message)
    again = f"    hexwar check {subject.info.id} --only {failure.check}"
    said = {"What must hold": [failure.sentence], "What was found": [failure.message], "See it again": [again]}
    folder.report(failure.check, said)
    folder.clear()
    return replace(failure, folder=folder.path)


def write_failure(
    failure: Failure,
    subject: Subject,
    found: Fault,
    game: Game,
    end: Game,
    before: Game,
    rolled: Sequence[int],
    directory: str | os.PathLike[str] | None,
) -> Failure:
    """Write the folder of a failure; it names it then.

    Args:
        failure: what is reported.
        subject: what was played.
        found: what was found first, before anything was left out.
        game: in which it was found.
        end: the minimal game at its end.
        before: the minimal game before its last move, or before the first one at which the check looks.
        rolled: what was rolled in the minimal game.
        directory: where the folder goes.
    """
    folder = _Folder(directory, failure.check, subject.info.id, subject.scenario, repr_of(failure.moves))
    folder.put("replay.json", lambda: game.to_text(), "this game cannot be saved: {}\n")
    small = failure.smallest
    end = small.after if small is not None and failure.begins_late else end
    folder.put("minimal.json", lambda: end.to_text(), "this game cannot be saved: {}\n")
    shown = small.game if small is not None else before
    after = small.after if small is not None else end
    if small is not None:
        folder.put("position.toml", lambda: _commented(failure, small.text))
    folder.picture("position", lambda: _drawn(failure, shown, (shown, after), "Before the last move"))
    if len(after.history) > len(shown.history) and after.state != shown.state:
        folder.picture("after", lambda: _drawn(failure, after, (shown, after), "After the last move"))
    folder.put(NOTE, lambda: _note(failure, found))
    name = f"test_{folder.path.name.replace('-', '_')}"
    every, shortest = _tests(failure, subject, rolled, name)
    folder.put(f"{name}.py", lambda: every)
    sections = {
        "What must hold": [failure.sentence],
        "What was found": _found(failure, subject),
        "The position": _position(failure, shown, folder),
        "The last moves": _moves(failure, end),
        "Clauses": [f"- **{clause}** {subject.rules[clause].title}" for clause in failure.clauses] or ["None was cited."],
        "See it again": _again(failure, subject, folder.path),
        "Keep it from coming back": [
            f"`{name}.py` in this folder fails as long as the fault is there.",
            _PASTE,
            shortest + "```",
        ],
    }
    folder.report(failure.check, sections)
    folder.clear()
    return replace(failure, folder=folder.path)


class _Folder:
    """A folder that is written file by file; each is there completely or not at all, and the last writer wins."""

    def __init__(self, directory: str | os.PathLike[str] | None, check: str, *content: str) -> None:
        root = Path(directory if directory is not None else os.environ.get("HEXWAR_FAILURES", DEFAULT_DIRECTORY))
        key = hashlib.blake2b("\n".join(content).encode("utf-8", "backslashreplace"), digest_size=4).hexdigest()
        self.path = root / f"{check}-{key}"
        self.path.mkdir(parents=True, exist_ok=True)
        self.written: list[str] = []

    def put(self, name: str, make: Callable[[], str | bytes], otherwise: str = "") -> None:
        """Write a file; if it cannot be made, a sentence in its place or nothing."""
        try:
            content = make()
        except Exception as error:  # the ruleset is broken, and perhaps more of it than the check has seen
            if not otherwise:
                return
            content = otherwise.format(repr_of(error))
        data = content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
        write_whole(self.path / name, data)
        self.written.append(name)

    def picture(self, name: str, draw: Callable[[], str]) -> None:
        """Write a picture as SVG, and as PNG if that can be had."""
        from hexwar.render import png_bytes

        try:
            drawn = draw()
        except Exception:
            return  # as above
        self.put(f"{name}.svg", lambda: drawn)
        self.put(f"{name}.png", lambda: png_bytes(drawn))

    def report(self, title: str, sections: Mapping[str, Iterable[str]]) -> None:
        """Write the page, section by section."""
        lines = [f"# {title}", ""]
        for heading, section in sections.items():
            try:
                said = list(section)
            except Exception as error:  # the ruleset has no words for it
                said = [f"(this cannot be told: {repr_of(error)})"]
            lines += [f"## {heading}", "", *said, ""]
        self.put("REPORT.md", lambda: "\n".join(lines))

    def drawn(self, name: str) -> str | None:
        """The file of a picture, the one that every reader of Markdown shows if there is a choice."""
        return next((file for file in (f"{name}.png", f"{name}.svg") if file in self.written), None)

    def clear(self) -> None:
        """Remove what an earlier report left and this one does not have."""
        for file in self.path.iterdir():
            if file.name not in self.written and not file.name.endswith(".part"):
                with contextlib.suppress(OSError):
                    file.unlink()


def _commented(failure: Failure, text: str) -> str:
    assert failure.smallest is not None
    lines = [f"# {failure.check}: {line}" for line in textwrap.wrap(failure.smallest.message, 110) or [""]]
    lines += [f"# Then {seat}: {words_of(action)}" for seat, action in failure.smallest.moves]
    return "\n".join(lines) + "\n" + text


def _drawn(failure: Failure, game: Game, both: Sequence[Game], title: str) -> str:
    """A picture before and after the last move, with frames around the hexes that the move and the check mention."""
    told = failure.smallest or failure
    names = names_in(told.message, *(repr_of(action) for _, action in told.moves[-1:]))
    framed = dict.fromkeys(label for one in both for label in hexes_of(one.position, names))
    return position_svg(game, framed=framed, title=title)


# -- what `hexwar replay` tells -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Note:
    """What is known about a game in a failure folder.

    Args:
        check: the check that failed.
        sentence: what it demands.
        message: what it found.
        seat: who makes the move that shows the fault.
        words: the move in words.
        move: its number, from 1; 0 for the beginning.
    """

    check: str
    sentence: str
    message: str
    seat: str
    words: str
    move: int


def _note(failure: Failure, found: Fault) -> str:
    games = {"replay.json": (found.error.message, found.moves), "minimal.json": (failure.message, failure.replay)}
    check = failure.judge or failure.check
    notes: dict[str, object] = {}
    for name, (message, moves) in games.items():
        seat, words = (moves[-1][0], words_of(moves[-1][1])) if moves else ("", "")
        notes[name] = asdict(Note(check, failure.sentence, message, seat, words, len(moves)))
    if (small := failure.smallest) is not None:
        made = [(seat, action.to_json()) for seat, action in small.moves]
        notes["position.toml"] = {"clauses": list(failure.clauses), "moves": made, "dice": list(small.dice)}
    return json.dumps(notes, indent=1, ensure_ascii=False) + "\n"


def read_note(game: str | os.PathLike[str]) -> Note | None:
    """What the folder of a saved game says about a fault in it, if it is a failure folder."""
    file = Path(game)
    try:
        return Note(**json.loads((file.parent / NOTE).read_text(encoding="utf-8"))[file.name])
    except (OSError, ValueError, KeyError, TypeError):
        return None  # somebody else's file


# -- the page -------------------------------------------------------------------------------------------------------------


def _found(failure: Failure, subject: Subject) -> list[str]:
    info, small, effort = subject.info, failure.smallest, failure.effort
    options = ", ".join(f"{name}={value}" for name, value in subject.options.items()) or "none"
    seats = f", seats {subject.seats}" if subject.seats else ""
    late = f", and {len(failure.replay)} from a position" if failure.begins_late and not failure.staged else ""
    begun = f" from a position that {failure.check} made up" if failure.staged else ""
    lines = [
        failure.message,
        "",
        f"Ruleset {info.id} {info.version}, scenario {subject.scenario}, options {options}{seats}.",
        f"Found after {failure.found_after} moves{begun}; the minimal game has {len(failure.moves)}{late} "
        f"({effort.seconds:.1f} s of processor time, {effort.replays} games tried).",
    ]
    if small is not None:
        units = f"{small.units} of {small.units_before} units are left in the" if small.units_before else "There is a"
        lines.append(f"{units} smallest position that shows it ({small.seconds:.1f} s).")
    return lines


def _position(failure: Failure, shown: Game, folder: _Folder) -> Iterator[str]:
    small = failure.smallest
    if small is None:
        yield "As it stands before the last move of the minimal game."
        if failure.moves:
            yield "No smaller position was found that shows the fault: it may depend on the way there."
    else:
        yield f"Whatever has no part in it is left out; `{folder.path / 'position.toml'}` has it."
    yield ""
    if drawn := folder.drawn("position"):
        yield from (f"![The position]({drawn})", "")
    if small is not None:
        yield from ("```toml", small.text.rstrip("\n"), "```", "")
        for seat, action in small.moves:
            yield f"Then {seat}: {words_of(action)} `{repr_of(action)}`"
        yield ""
        if small.message != failure.message:
            yield from (f"There the check says: {small.message}", "")
    if drawn := folder.drawn("after"):
        yield from (f"![The position after the last move]({drawn})", "")
    yield from ("In words:", "", "```", describe(shown) if small is not None else failure.picture, "```")


def _moves(failure: Failure, end: Game) -> Iterator[str]:
    if not failure.moves:
        yield "None: the fault is there when the game begins."
    first = max(0, len(failure.replay) - LAST_MOVES)
    if first:
        yield from (f"The {first} moves before them are in `minimal.json`.", "")
    bounds = [*(move.log_length for move in end.history), len(end.events)]
    for place in range(first, len(failure.replay)):
        seat, action = failure.replay[place]
        yield f"{place + 1}. {seat}: {words_of(action)} `{repr_of(action)}`"
        if place >= len(end.history):
            yield "    - the rules fail at this move, so the replay does not have it"
            continue
        for event in end.events[bounds[place] : bounds[place + 1]]:
            if not isinstance(event, StepPushed | StepPopped | LaneEntered | LaneLeft):
                said = words_of(event)
                yield f"    - {said}" + (f" ({event.clause})" if event.clause and not said.endswith(")") else "")


def _again(failure: Failure, subject: Subject, path: Path) -> list[str]:
    position = f"{shlex.quote(str(path))}/position.toml"
    lines = [
        "The game, its last move and what is wrong with it; `--step` waits after every move, `--at-end` draws the map:",
        "",
        f"    {replay_command(path / 'minimal.json')}",
        "",
    ]
    if failure.smallest is not None and subject.installed:
        lines += ["The smallest position, to look at and to play on:", ""]
        lines += [f"    hexwar show {position}", f"    hexwar play --load {position}", ""]
    return [*lines, "As soon as the rule is mended, the replay may no longer load: its moves were those of the broken rule."]


# -- the tests ------------------------------------------------------------------------------------------------------------


def _tests(failure: Failure, subject: Subject, rolled: Sequence[int], name: str) -> tuple[str, str]:
    """Tests that fail as long as the fault is there: all in a file, from the short game and the position, and the last alone."""
    address = subject.address or subject.info.id
    module, _, found = address.partition(":")
    called = f"recheck({(failure.judge or failure.check)!r}, {found or repr(address)}, moves"
    small, scenario = failure.smallest, [f"scenario={subject.scenario!r}"]
    options = [f"options={dict(subject.options)!r}"] if subject.options else []
    options += [f"seats={subject.seats!r}"] if subject.seats else []
    given = [*scenario, *options, *([f"dice={list(rolled)}"] if rolled else []), f"looked={failure.looked}"]
    begun = ["position=position"] if failure.staged else []
    functions = [(failure.moves, _function(name, failure, _given(failure.staged), failure.moves, [called, *begun, *given]))]
    if small is not None:
        said = _given(small.text)
        # An installed ruleset finds the scenario in the text.
        given = ["position=position", *([] if subject.installed else scenario), *options]
        given += [f"dice={list(small.dice)}"] if small.dice else []
        given += [f"looked={small.looked}"] if small.looked != tuple(range(len(small.moves))) else []
        name = f"{name}_from_its_position"
        functions.append((small.moves, _function(name, failure, said, small.moves, [called, *given])))
    own = [f"from {module} import {found}"] if found else []
    return _headed(own, functions), _headed(own, functions[-1:])


def _given(position: str) -> list[str]:
    """The position of a test, if it has one."""
    text = textwrap.indent(position.rstrip("\n"), "        ")
    return [f'    position = {"r" if chr(92) in text else ""}"""', text, '    """'] if position else []


def _headed(own: list[str], functions: Sequence[tuple[Sequence[SeatAction], str]]) -> str:
    """Functions with what they import."""
    kinds = {f"from {type(action).__module__} import {type(action).__name__}" for moves, _ in functions for _, action in moves}
    imports = sorted({"from hexwar.testing import recheck", *kinds, *own})
    return "\n".join(imports) + "\n\n\n" + "\n\n".join(function for _, function in functions)


def _function(name: str, failure: Failure, given: list[str], moves: Sequence[SeatAction], called: list[str]) -> str:
    sentence = "\n    ".join(textwrap.wrap(failure.sentence, 110))
    made = [f"({seat!r}, {repr_of(action)})" for seat, action in moves]
    listed = (
        [f"    moves = [{made[0]}]"] if len(made) == 1 else ["    moves = [", *(f"        {move}," for move in made), "    ]"]
    )
    return "\n".join([f"def {name}() -> None:", f'    """{sentence}"""', *given, *listed, f"    {', '.join(called)})"]) + "\n"
