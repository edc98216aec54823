"""Failure folders: what somebody needs to see a fault again, and to keep it from coming back.

A folder has `replay.json` (the game in which it was found), `minimal.json` (a shorter one), `REPORT.md` with the position as
text, and `test_*.py`, a test that fails as long as the fault is there.
"""

from __future__ import annotations

import hashlib
import os
import random
import shlex
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hexwar.engine import Game, TapedChance
from hexwar.engine.save import to_text
from hexwar.errors import HexwarError
from hexwar.testing.checks import check_named
from hexwar.testing.dice import MoveDice, outcomes_of
from hexwar.testing.minimise import Effort, minimise_fault
from hexwar.testing.pictures import describe
from hexwar.testing.playouts import Decision
from hexwar.testing.subject import Subject
from hexwar.testing.watch import Budget, CheckFailed, Fault, Watch, budget_of, observe, random_decisions, recorded_decisions

DEFAULT_DIRECTORY = ".hexwar/failures"
LONG = 40
"""A game of more moves is worth looking for another one in which the fault comes sooner."""
OTHER_GAMES = 6


@dataclass(frozen=True, slots=True)
class Failure:
    """A check that failed, as it is reported.

    Args:
        check: its id.
        sentence: what it demands.
        message: what was found.
        moves: the moves of the minimal game; the last one shows the fault. Empty if no game is concerned.
        looked: the numbers of the moves at which the check must look.
        found_after: how many moves the game had in which it was found.
        clauses: what was cited last.
        picture: the position as text.
        folder: where it was written, or None.
        effort: what the minimisation took.
    """

    check: str
    sentence: str
    message: str
    moves: tuple[Decision, ...] = ()
    looked: tuple[int, ...] = ()
    found_after: int = 0
    clauses: tuple[str, ...] = ()
    picture: str = ""
    folder: Path | None = None
    effort: Effort = field(default_factory=Effort)

    def lines(self) -> list[str]:
        """What a terminal shows."""
        lines = [f"{self.check}: {self.message}", f"  must hold: {self.sentence}"]
        if self.moves:
            lines.append(f"  found after {self.found_after} moves, minimal game {len(self.moves)} moves, the last one:")
            lines.append("    {}: {!r}".format(*self.moves[-1]))
        if self.folder is not None:
            lines.append(f"  report: {self.folder / 'REPORT.md'}")
            if (self.folder / "minimal.json").exists():
                lines.append(f"  replay: {replay_command(self.folder)}")
        return lines


def replay_command(folder: Path) -> str:
    """The line that shows the minimal game again."""
    return f"hexwar replay {shlex.quote(str(folder / 'minimal.json'))}"


def failure_of(error: CheckFailed, subject: Subject) -> Failure:
    """The failure of a check that needs no game."""
    return Failure(error.check, check_named(error.check, subject).sentence, error.message)


def write_plain(failure: Failure, subject: Subject, directory: str | os.PathLike[str] | None) -> Failure:
    """Write the report of a failure that needs no game."""
    folder = _folder(directory, failure.check, failure.message)
    report = f"# {failure.check}\n\n{failure.sentence}\n\n{failure.message}\n\nSee it again: `hexwar check {subject.info.id}`\n"
    (folder / "REPORT.md").write_text(report, encoding="utf-8", errors="backslashreplace")
    return replace(failure, folder=folder)


def settle_fault(
    subject: Subject,
    game: Game[Any, Any],
    fault: Fault,
    budget: Budget,
    directory: str | os.PathLike[str] | None = None,
    *,
    rolled: Sequence[int] = (),
    write: bool = True,
) -> Failure:
    """Minimise a fault and write its folder.

    Args:
        subject: what was played.
        game: the game in which it was found; its dice are used again.
        fault: what was found.
        budget: of the check.
        directory: where the folder goes; `.hexwar/failures`, or HEXWAR_FAILURES, if not given.
        rolled: everything the game rolled, if its dice are not those of a seed.
        write: whether to write at all.
    """
    try:
        return _settled(subject, game, fault, budget, directory, rolled, write)
    except Exception:  # a ruleset that fails in other ways too, such as in its reprs: what the check says is not lost
        failure = replace(failure_of(fault.error, subject), found_after=len(fault.moves))
        return write_plain(failure, subject, directory) if write else failure


def _settled(
    subject: Subject,
    game: Game[Any, Any],
    fault: Fault,
    budget: Budget,
    directory: str | os.PathLike[str] | None,
    rolled: Sequence[int],
    write: bool,
) -> Failure:
    kind = check_named(fault.error.check, subject)
    assert issubclass(kind, Watch)
    found_in, found_after = game, len(fault.moves)
    kept, error, effort = list(enumerate(fault.moves)), fault.error, Effort()
    outcomes = outcomes_of(game.chance, rolled)
    if kind.shrinks:
        if found_after > LONG:
            game, fault = _sooner(kind, subject, budget, game, fault)
            outcomes = outcomes_of(game.chance, rolled if game is found_in else ())
        kept, error, effort = minimise_fault(subject.start, outcomes, lambda: kind(subject, budget), fault)
    dice = MoveDice(outcomes)
    end = subject.start(dice)
    for number, (seat, action) in kept:
        dice.seek(fault.draws_of(number))
        try:
            end.apply(action, seat)
        except Exception:
            break  # the move that the rules fail at is the last one
    cited = tuple(dict.fromkeys(event.clause for event in end.events[-12:] if event.clause))
    failure = Failure(
        check=fault.error.check,
        sentence=kind.sentence,
        message=error.message,
        moves=tuple(move for _, move in kept),
        looked=tuple(place for place, (number, _) in enumerate(kept) if number in fault.looked),
        found_after=found_after,
        clauses=cited,
        picture=describe(end),
        effort=effort,
    )
    return _write(failure, subject, found_in, end, dice.rolled, directory) if write else failure


def _sooner(
    kind: type[Watch], subject: Subject, budget: Budget, game: Game[Any, Any], fault: Fault
) -> tuple[Game[Any, Any], Fault]:
    """A game that comes to the same fault sooner, found by chance: a good beginning makes the minimal game much shorter."""
    said = fault.error.message.partition(":")[0]
    for number in range(OTHER_GAMES):
        key = f"sooner|{number}"
        other = subject.start(key)
        decide = random_decisions(random.Random(key), len(fault.moves) - 1)
        for found in observe(other, [kind(subject, budget)], decide):
            if found.error.message.partition(":")[0] == said and not found.at_end:
                game, fault = other, found
    return game, fault


# -- writing ------------------------------------------------------------------------------------------------------------


def _folder(directory: str | os.PathLike[str] | None, check: str, *content: str) -> Path:
    root = Path(directory if directory is not None else os.environ.get("HEXWAR_FAILURES", DEFAULT_DIRECTORY))
    key = hashlib.blake2b("\n".join(content).encode("utf-8", "backslashreplace"), digest_size=4).hexdigest()
    folder = root / f"{check}-{key}"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _write(
    failure: Failure,
    subject: Subject,
    game: Game[Any, Any],
    end: Game[Any, Any],
    rolled: Sequence[int],
    directory: str | os.PathLike[str] | None,
) -> Failure:
    folder = _folder(directory, failure.check, subject.info.id, subject.scenario, repr(failure.moves))
    (folder / "replay.json").write_text(_save_text(game), encoding="utf-8")
    (folder / "minimal.json").write_text(_save_text(end), encoding="utf-8")
    test = _test(failure, subject, rolled, folder.name.rsplit("-", 1)[1])
    (folder / f"test_{folder.name.replace('-', '_')}.py").write_text(test, encoding="utf-8")
    made = replace(failure, folder=folder)
    (folder / "REPORT.md").write_text(_report(made, subject, end, test), encoding="utf-8", errors="backslashreplace")
    return made


def _save_text(game: Game[Any, Any]) -> str:
    try:
        return to_text(game)
    except Exception as error:  # it is a broken game that is saved
        return f"this game cannot be saved: {error!r}\n"


def _report(failure: Failure, subject: Subject, end: Game[Any, Any], test: str) -> str:
    moves = "\n".join(f"{number}. {seat}: {action} `{action!r}`" for number, (seat, action) in enumerate(failure.moves, 1))
    left = "" if len(end.history) == len(failure.moves) else "The last move is not in the replay, because the rules fail at it.\n"
    seats = f", seats {subject.seats}" if subject.seats else ""
    assert failure.folder is not None
    return f"""\
# {failure.check}

{failure.sentence}

**Found:** {failure.message}

Ruleset {subject.info.id} {subject.info.version}, scenario {subject.scenario}, options {dict(subject.options) or "none"}{seats}.
Found after {failure.found_after} moves; the minimal game has {len(failure.moves)}.
Clauses cited last: {", ".join(failure.clauses) or "none"}

See it again:

    {replay_command(failure.folder)}

## The minimal game

{moves or "(no move)"}

{left}
## The position at its end

```
{failure.picture}
```

## A test

```python
{test}```
"""


def _test(failure: Failure, subject: Subject, rolled: Sequence[int], key: str) -> str:
    """A test function that fails as long as the fault is there."""
    kinds = sorted({(type(action).__module__, type(action).__name__) for _, action in failure.moves})
    address = subject.address or subject.info.id
    ruleset = repr(address)
    imports = ["from hexwar.testing import recheck", *(f"from {module} import {name}" for module, name in kinds)]
    if ":" in address:
        module, _, ruleset = address.partition(":")
        imports.append(f"from {module} import {ruleset}")
    moves = "".join(f"        ({seat!r}, {action!r}),\n" for seat, action in failure.moves)
    arguments = [f"scenario={subject.scenario!r}"]
    arguments += [f"options={dict(subject.options)!r}"] if subject.options else []
    arguments += [f"seats={subject.seats!r}"] if subject.seats else []
    arguments += [f"dice={list(rolled)}", f"looked={failure.looked}"]
    name = f"test_{failure.check.replace('-', '_')}_{key}"
    sentence = "\n    ".join(textwrap.wrap(failure.sentence, 110))
    return "\n".join(sorted(imports)) + (
        f'\n\n\ndef {name}() -> None:\n    """{sentence}"""\n'
        f"    moves = [\n{moves}    ]\n"
        f"    recheck({failure.check!r}, {ruleset}, moves, {', '.join(arguments)})\n"
    )


def recheck(
    check: str,
    ruleset: Any,
    moves: Sequence[Decision],
    *,
    scenario: str | None = None,
    options: dict[str, bool | str] | None = None,
    seats: str | None = None,
    dice: Sequence[int] = (),
    looked: Sequence[int] | None = None,
    tier: str = "quick",
) -> None:
    """Let a check look at a game of recorded moves.

    Args:
        check: its id.
        ruleset: an id or a ruleset.
        moves: pairs of seat and action; those that are not offered are passed over.
        scenario: the ruleset's first if not given.
        options: optional rules.
        seats: the name of a seating.
        dice: raw outcomes from 0, as a save's tape has them; more of them are made up.
        looked: the numbers of the moves at which the check looks; all if not given.
        tier: how thoroughly to look.

    Raises:
        CheckFailed: the fault is there.
    """
    subject = Subject.of(ruleset, scenario, options, seats)
    kind = check_named(check, subject)
    if not issubclass(kind, Watch):
        raise HexwarError(f"{check} looks at no game: run `check_ruleset` or the conformance suite")
    outcomes = outcomes_of(TapedChance(None, dice))
    watch = kind(subject, budget_of(tier))
    for fault in observe(
        subject.start(MoveDice(outcomes)), [watch], recorded_decisions(moves), range(len(moves)) if looked is None else looked
    ):
        raise fault.error
