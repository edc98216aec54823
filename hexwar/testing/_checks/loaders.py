"""The check of everything that reads files: a damaged one is accepted or refused with a sentence, and nothing else ever happens.

Maps, positions and saves every installed ruleset has. What other files it reads, it says with the capability `Content`.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sys
import tempfile
import threading
import tomllib
import traceback
import tracemalloc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexwar import facade
from hexwar.board import AnyBoard
from hexwar.engine import Game
from hexwar.errors import HexwarError
from hexwar.pieces import load_content
from hexwar.plugins import plugins
from hexwar.testing._checks.following import Counting
from hexwar.testing._running.kit import Capability
from hexwar.testing._running.watch import APPLY, CheckFailed, NotJudged, Survey, in_words, random_decisions, try_offered
from hexwar.testing._staging.damage import Damage, Format, damages
from hexwar.testing._staging.positions import to_toml

if TYPE_CHECKING:
    from hexwar.files import TextSource

PLAYED = 12
"""Actions before the position that is written, and in the save."""
SOME = 10
"""In the quick tier, a file that takes long to read is damaged this many times."""
SECONDS = 20.0
"""CPU time after which a file hangs the program."""
GIANT, TAKEN = 96_000_000, 48_000_000
"""The size of a file that nobody should read whole, and the bytes of memory that refusing it may take."""


@dataclass(frozen=True, slots=True)
class ContentFile:
    """A file that a ruleset reads.

    Args:
        name: the name that it must have, which errors name.
        text: what is in it.
        load: reads it from a path; what it returns does not matter.
        form: how it is written.
        partners: other files with which it must agree, so that an error may name one of them.
        cost: how many times as long loading takes as for a small file; it is tried that many times less often.
        read: the text of what was loaded. With it, no file may be read as anything else, however it was cut or changed.
    """

    name: str
    text: str
    load: Callable[[Path], Any]
    form: Format = "toml"
    partners: tuple[str, ...] = ()
    cost: int = 1
    read: Callable[[Any], str] | None = None


def files_in(folder: Any, readers: Mapping[str, Any]) -> list[ContentFile]:
    """The files of a folder.

    Args:
        folder: where they are bundled.
        readers: file -> what reads it from a path, or the model of what is in it.
    """

    def reading(reader: Any) -> Callable[[Path], object]:
        return partial(load_content, model=reader) if isinstance(reader, type) else reader

    return [ContentFile(name, (folder / name).read_text(encoding="utf-8"), reading(it)) for name, it in readers.items()]


def in_owners_folder(file: TextSource, load: Callable[[Path], object], partners: tuple[str, ...], cost: int = 20) -> ContentFile:
    """A file that alone replaces a bundled one, in a folder such as an owner of the game may have.

    Args:
        file: the bundled one.
        load: reads the content with the files of a folder.
        partners: all files of the content.
        cost: see `ContentFile`; the whole content is read.
    """

    def alone(path: Path) -> object:
        folder = path.parent / "owner"
        folder.mkdir(exist_ok=True)
        path.replace(folder / file.name)
        return load(folder)

    return ContentFile(file.name, file.read_text(encoding="utf-8"), alone, partners=partners, cost=cost)


class Content(Capability):
    """The ruleset reads files of its own.

    Args:
        files: which, made when they are asked for.
    """

    def __init__(self, files: Callable[[], Sequence[ContentFile]]) -> None:
        self.files = files


class LoadersSayWhy(Counting, Survey):
    """A damaged map, position, save or content file loads or is refused with a sentence that names it; nothing changes."""

    def run(self, seed: int | str, files: Iterable[ContentFile] | None = None) -> None:
        """Damage every file in many ways, or only some."""
        with tempfile.TemporaryDirectory(prefix="hexwar-") as folder:
            for file in self.files(seed) if files is None else files:
                self._try(file, Path(folder), seed)

    def files(self, seed: int | str) -> Iterator[ContentFile]:
        """Everything that is loaded."""
        yield from self._maps() if self.subject.installed else ()
        yield from self.played(seed)
        content = self.subject.kit.capability(Content)
        if content is not None and self.is_first:
            yield from content.files()

    def played(self, seed: int | str) -> Iterator[ContentFile]:
        """A position and a save of a random game."""
        game = self.subject.start(seed)
        for seat, action in random_decisions(game, random.Random(seed), PLAYED):
            before = game.copy()
            try_offered(game, seat, action)
            if game.result is not None:  # a position is a game that continues
                game = before
                break
        if self.subject.installed and self.subject.seats is None:
            yield ContentFile("position.toml", position_of(game), facade.position)
        yield ContentFile("game.json", game.to_text(), self.subject.load, "json", read=Game.to_text)

    def _maps(self) -> Iterator[ContentFile]:
        """The maps that no earlier scenario of the tier has: the file of a board, and those of the sheets that it is made of."""
        played = list(self.subject.played(self.budget.tier))
        earlier = [] if self.is_first else played[: played.index(self.subject.scenario)]
        known = {name for scenario in earlier for name in _maps_of(self.subject.info.scenario(scenario).board)}
        for name, (text, sheets) in _maps_of(self.subject.info.scenario(self.subject.scenario).board).items():
            if name not in known:
                # A file that joins sheets is short, but reading it takes as long as reading all of them.
                yield ContentFile(
                    f"{name.replace('/', '-')}.toml", text, partial(facade.load_board, kind=AnyBoard), cost=1 + 4 * sheets
                )

    def _try(self, file: ContentFile, folder: Path, seed: int | str) -> None:
        path = folder / file.name
        self._read(file, path, f"{file.name} as it is does not load")
        before = _surroundings()
        # Files that are long take long to read; a hundred damaged small ones cost as much as ten large ones.
        number = max(4, min(20 * self.budget.probes, 100_000 * self.budget.probes // max(1, len(file.text))) // file.cost)
        chance = random.Random(f"{file.name}|{seed}")
        tried = [*damages(file.text, file.form, chance, number), *(cuts(file.text, chance, number) if file.read else ())]
        if self.budget.tier == "quick" and file.cost > 1:
            tried = chance.sample(tried, min(SOME, len(tried)))
        for damage in tried:
            path.unlink(missing_ok=True)  # to write over a file takes a disk long, to write a new one does not
            path.write_bytes(damage.data)
            self.tally[file.name] += 1
            self._load(file, path, damage.what)
            after = _surroundings()
            if after != before:
                changed = next(name for name in before if before[name] != after[name])
                raise self.fail(f"reading {file.name} changed {changed} ({damage.what})")
        self._giant(file, path)
        self._read(file, path, f"after damaged files, {file.name} as it is no longer loads")

    def _read(self, file: ContentFile, path: Path, otherwise: str) -> None:
        """Read the file as it is."""
        path.write_text(file.text, encoding="utf-8")
        try:
            file.load(path)
        except Exception as error:
            raise self.fail(f"{otherwise}: {in_words(error)}") from error

    def _load(self, file: ContentFile, path: Path, what: str) -> None:
        try:
            with time_limit(SECONDS):
                loaded = file.load(path)
                same = file.read is None or file.read(loaded) == file.text
            self.demand(same, f"{file.name} is read as something else than was written ({what})")
        except TooSlow:
            raise self.fail(f"{file.name} takes more than {SECONDS:.0f} seconds to read ({what})") from None
        except HexwarError as error:
            told = str(error)
            named = any(name in told for name in (file.name, *file.partners))
            self.demand(named, f"{file.name} is refused, but the sentence does not name it: {told} ({what})")
            for_people = "Traceback" not in told and len(told) <= 4000
            self.demand(for_people, f"{file.name} is refused with no sentence for people: {told[:200]} ({what})")
        except Exception as error:
            if _came_through_the_gate(error):  # the offered moves of another game: a bug of the rules, not of the loader
                crash = CheckFailed(APPLY, f"the moves of a damaged {file.name} make the rules fail: {in_words(error)} ({what})")
                raise NotJudged(self.id, crash) from error
            raise self.fail(f"{file.name} is neither read nor refused: {in_words(error)} ({what})") from error

    def _giant(self, file: ContentFile, path: Path) -> None:
        with path.open("wb") as giant:
            giant.truncate(GIANT)
        already = tracemalloc.is_tracing()
        tracemalloc.start()
        try:
            tracemalloc.reset_peak()
            begun = tracemalloc.get_traced_memory()[0]
            self._load(file, path, f"it has {GIANT} bytes")
            taken = tracemalloc.get_traced_memory()[1] - begun
        finally:
            if not already:
                tracemalloc.stop()
        self.demand(
            taken <= TAKEN, f"a {file.name} of {GIANT} bytes is read into memory before it is refused: {taken} bytes were taken"
        )


def cuts(text: str, chance: random.Random, number: int) -> Iterator[Damage]:
    """A text that ends too early, and with one wrong character, at this many places."""
    for place in chance.sample(range(len(text)), min(number, len(text))):
        yield Damage(f"it ends after {place} characters", text[:place].encode())
        other = "1" if text[place] == "0" else "0"
        yield Damage(f"character {place} is {other!r}", f"{text[:place]}{other}{text[place + 1 :]}".encode())


def position_of(game: Game) -> str:
    """A game as it stands as the text of a position."""
    state, setup = game.state.to_json(), game.world.setup
    head = {"ruleset": setup.ruleset, "scenario": setup.scenario, "options": dict(setup.options), "seats": dict(setup.seats)}
    return to_toml({**head, "stack": state.pop("stack"), "state": state})


def _maps_of(board: str) -> dict[str, tuple[str, int]]:
    """A board and the sheets that it is made of: what is in the file, and how many sheets it joins."""
    found: dict[str, tuple[str, int]] = {}
    names = [board] if board else []
    for name in names:
        text = plugins().maps()[name].read_text(encoding="utf-8")
        sheets = [sheet["map"] for sheet in tomllib.loads(text).get("sheet", ())]
        names += [sheet for sheet in sheets if sheet not in names]
        found[name] = text, len(sheets)
    return found


def _surroundings() -> dict[str, Any]:
    """What belongs to everybody in the process."""
    return {
        "the environment": dict(os.environ),
        "the module path": list(sys.path),
        "the working folder": Path.cwd(),
        "the dice of the module `random`": random.getstate(),
        "the recursion limit": sys.getrecursionlimit(),
        "the rulesets": sorted(plugins().rulesets()),
        "the maps": sorted(plugins().maps()),
    }


def _came_through_the_gate(error: Exception) -> bool:
    """Whether an error was raised while an offered action was done."""
    gate = Game.apply.__code__
    return any(frame.f_code is gate for frame, _ in traceback.walk_tb(error.__traceback__))


class TooSlow(Exception):
    """Something took more CPU time than it may."""


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Stop what runs inside after so much CPU time; in a thread, and where there is no such timer, nothing stops it.

    Raises:
        TooSlow: from inside.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: object) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
