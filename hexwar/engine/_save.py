"""Saves: a game as text that anybody can read and the loader can verify.

A save holds what the game is made of (ruleset, version, scenario, options, seed, decisions) and digests along the way; the
loader replays it and compares. Saves are untrusted: strict parsing, size limit, and errors that say where.

Each decision carries a link: a fingerprint of itself and of all before it, the head first; the seal is the last link. So a
damaged or edited file is told from one that is whole but that these rules play differently. It is no signature: anybody who makes
another file can link and seal it, too.

The first save to a file writes one JSON object. As long as the file stays as the game left it, each further one adds a line with
what was decided since, its checkpoints and its seal, and so costs the same however long the game is. A crash in the middle of it
leaves a line without its end: the loader leaves it out and reports so. After an undo, to another file, or with dice of its own, a
game is written whole.

Older formats are still read. Format 2 had a seal over the file and no links. Format 1 had a seal over the head only, called
decisions "moves", and has digests of schema 1, which are not compared.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from json.encoder import encode_basestring_ascii as _quoted
from pathlib import Path
from typing import Annotated, Any
from weakref import WeakKeyDictionary

from pydantic import BaseModel, ConfigDict, FailFast, Field, PrivateAttr, ValidationError

from hexwar.engine._chance import Chance, SeededChance, TapedChance
from hexwar.engine._game import CHECKPOINT_EVERY, Decision, Game, Repeating
from hexwar.engine._state import SCHEMA
from hexwar.errors import ContentError, Refusal, SaveError
from hexwar.files import Mark, Source, read_text, write_on, write_whole
from hexwar.hashing import blake2b

FORMAT = 3
READABLE = (1, 2, FORMAT)
COMPARED_EVERY = 500
"""After how many actions a loaded game is compared with the digests in its file: those between say where it parted."""
MAX_BYTES = 16_000_000
MAX_BRACKETS = 400_000
"""A save has about two for each decision; each costs many times its length once it is read."""
MAX_ENTRIES = 200
"""Of options or seats, or of keys of a decision."""
NOTE = "This file holds the seed and all secrets of the game. Show it to nobody who still plays it."


class SavedDecision(BaseModel):
    """Who did what."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)
    seat: str
    """Who decided."""
    action: dict[str, Any]
    """What: its `kind` and its fields."""
    link: str = ""
    """A fingerprint of this decision and of everything before it."""


class Checkpoint(BaseModel):
    """The digest after a number of actions."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)
    after: Annotated[int, Field(ge=0)]
    """How many actions there were."""
    digest: str
    """The fingerprint of the position then."""


class SavedPart(BaseModel):
    """What was decided up to a save, or since the one before it."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)
    seal: str
    """A fingerprint of everything before it and of the checkpoints of this part."""
    decisions: Annotated[list[SavedDecision], FailFast()]
    """Who did what, in order."""
    checkpoints: Annotated[list[Checkpoint], FailFast()]
    """Positions that are compared: the beginning, every hundredth and the last."""


class SavedGame(SavedPart):
    """The content of a save file."""

    note: str = ""
    """What players should know about the file."""
    format: int
    """The number of this format."""
    ruleset: str
    """The id of the game."""
    version: str
    """That of the ruleset."""
    scenario: str
    """Its id."""
    options: dict[str, bool | str]
    """Optional rules with their values."""
    seats: dict[str, str]
    """Seat -> side."""
    seed: int | str | None
    """Of the dice; none if they came from elsewhere."""
    seed_is_secret: bool = False
    """Whether the seed was not given, so that the table does not tell it before the game is over."""
    tape: Annotated[list[int], FailFast()] = []
    """The dice of a game whose chance came from elsewhere than a seed."""
    position: str | None = None
    """The text of the position that the game started from, where it is no scenario's beginning."""
    content: str
    """The fingerprint of what it was played with."""
    board: str = ""
    """The fingerprint of the board alone."""
    digest_schema: int
    """How the digests were made: see `hexwar.engine._state.SCHEMA`."""
    _added: list[SavedPart] = PrivateAttr(default_factory=list)
    _is_torn: bool = PrivateAttr(default=False)

    @property
    def made(self) -> list[SavedDecision]:
        """All decisions, those of the lines that were added included."""
        return [made for part in (self, *self._added) for made in part.decisions]

    @property
    def digests(self) -> dict[int, str]:
        """Number of actions -> digest after them, where they are to be compared.

        Each line that was added ends with one; of those, every hundredth and the last is enough.
        """
        added = [point for part in self._added for point in part.checkpoints]
        return {
            point.after: point.digest
            for point in (*self.checkpoints, *(point for point in added if not point.after % CHECKPOINT_EVERY), *added[-1:])
        }

    @property
    def damage(self) -> str:
        """What is not as it was written, in words; "" if everything is."""
        if self.format < 3:
            # The keys of those days, and in format 1 the head alone.
            unsealed: Any = {
                "decisions": {"__all__": {"link"}},
                **dict.fromkeys(("note", "seed_is_secret", "board", "seal"), True),
            }
            if self.format == 1:
                unsealed |= dict.fromkeys(("digest_schema", "decisions", "checkpoints"), True)
            return "" if self.seal == _seal(self.model_dump(exclude=unsealed)) else _UNSEALED
        link, number = _link("", self.model_dump(exclude={*SavedPart.model_fields})), 0
        for part in (self, *self._added):
            for made in part.decisions:
                number += 1
                link = _fingerprint(link + _decided(made.seat, made.action))
                if link != made.link:
                    return f"{_UNSEALED} from action {number} on"
            if part.seal != _link(link, [point.model_dump() for point in part.checkpoints]):
                return f"{_UNSEALED} from action {number} on" if self._added else _UNSEALED
        return ""

    def chance(self) -> Chance:
        """A source that repeats the game's draws."""
        if self.seed is None:
            return TapedChance(None, self.tape)
        return SeededChance(self.seed, is_secret=self.seed_is_secret)


def to_text(game: Game) -> str:
    """The game as the text of a save."""
    return _whole(game, *_written(game))


def _written(game: Game) -> tuple[dict[str, object], _Written]:
    """The head of a game's save, and its decisions as text."""
    setup = game.world.setup
    chance = game.chance
    head: dict[str, object] = {
        "note": NOTE,
        "format": FORMAT,
        "ruleset": setup.ruleset,
        "version": setup.version,
        "scenario": setup.scenario,
        "options": dict(setup.options),
        "seats": dict(setup.seats),
        "seed": chance.seed if isinstance(chance, SeededChance) else None,
        "seed_is_secret": isinstance(chance, SeededChance) and chance.is_secret,
        "tape": chance.tape if isinstance(chance, TapedChance) else [],
        "position": game.source,
        "content": game.world.content,
        "board": _board_of(game),
        "digest_schema": SCHEMA,
    }
    written = _WRITTEN.setdefault(game, _Written())
    written.follow(game.history, _link("", head))
    return head, written


def _whole(game: Game, head: dict[str, object], written: _Written) -> str:
    checkpoints = _points(game)
    head["seal"] = _link(written.links[-1], checkpoints)
    lines = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in head.items())
    decided = _lines(written.lines)
    return f'{{\n{lines},\n  "decisions": {decided},\n  "checkpoints": {_lines(map(json.dumps, checkpoints))}\n}}\n'


def _points(game: Game, since: int = -1) -> list[dict[str, object]]:
    return [{"after": after, "digest": digest} for after, digest in game.checkpoints.items() if after > since]


class _Written:
    """The decisions of a game as they were written last, so that another save costs what came since, not the whole game."""

    def __init__(self) -> None:
        self.made: list[Decision] = []
        self.lines: list[str] = []
        self.links: list[str] = [""]
        """That of the head, and one for each decision."""
        self.file: Path | None = None
        """Where it was written last, if the game has gone on from that."""
        self.mark: Mark = (0, 0, 0, 0)
        """What the file was then."""
        self.filed = 0
        """How many decisions the file has."""

    def follow(self, history: list[Decision], start: str) -> None:
        """Take in what was decided since, after forgetting what was taken back."""
        same = min(len(self.made), len(history)) if self.links[0] == start else 0
        while same and self.made[same - 1] is not history[same - 1]:  # if one is the same, all before it are
            same -= 1
        if same < self.filed or self.links[0] != start:
            self.file = None
        self.links[0] = start
        del self.made[same:], self.lines[same:], self.links[same + 1 :]
        for made in history[same:]:
            decision = _decided(made.seat, made.action.to_json())
            self.links.append(_fingerprint(self.links[-1] + decision))
            self.made.append(made)
            self.lines.append(f'{decision[:-1]}, "link": "{self.links[-1]}"}}')

    def added(self, game: Game) -> str:
        """What was decided since it was written last, as a line; "" if nothing."""
        if self.filed == len(self.made):
            return ""
        checkpoints = _points(game, self.filed)
        decided, seal = ", ".join(self.lines[self.filed :]), _link(self.links[-1], checkpoints)
        return f'{_LINE}[{decided}], "checkpoints": {json.dumps(checkpoints)}, "seal": "{seal}"}}\n'


_LINE = '{"decisions": '
"""How a line begins that was added."""

_WRITTEN: WeakKeyDictionary[Game, _Written] = WeakKeyDictionary()


def _board_of(game: Game) -> str:
    return str(getattr(getattr(game.world, "board", None), "digest", ""))


def _link(before: str, value: object) -> str:
    """A fingerprint of a value and, by the link before it, of all that came earlier."""
    return _fingerprint(before + json.dumps(value))


def _decided(seat: str, action: Mapping[str, Any]) -> str:
    """A decision as `json.dumps` writes it, sooner: most actions are a few texts."""
    fields = [f"{_quoted(name)}: {_quoted(it) if type(it) is str else json.dumps(it)}" for name, it in action.items()]
    return f'{{"seat": {_quoted(seat)}, "action": {{{", ".join(fields)}}}}}'


def _fingerprint(text: str) -> str:
    return blake2b(text.encode(), digest_size=8).hexdigest()


def _seal(content: Mapping[str, object]) -> str:
    return blake2b(json.dumps(content, sort_keys=True).encode(), digest_size=16).hexdigest()


def _lines(items: Iterable[str]) -> str:
    """A JSON array with an item a line, so that saves diff well."""
    lines = ",\n    ".join(items)
    return f"[\n    {lines}\n  ]" if lines else "[]"


def write_save(game: Game, path: str | os.PathLike[str]) -> None:
    """Write a save atomically, or add to one that this game wrote; through a link, the file that it leads to is written."""
    head, written = _written(game)
    try:
        target = Path(os.path.realpath(path))
        mark = None
        if target == written.file and written.mark[2] + len(line := written.added(game)) <= MAX_BYTES:
            mark = write_on(target, line.encode(), written.mark)
        if mark is None:
            written.file = None
            text = _whole(game, head, written)
            if len(text) > MAX_BYTES:
                raise SaveError(f"{path}: the game is longer than a save can be, {MAX_BYTES} bytes")
            if target.exists() and not target.is_file() and not target.is_dir():  # a folder has its own error, below
                raise SaveError(f"{target}: cannot be written: it is no regular file")
            mark = write_whole(target, text.encode(), mode=0o600)  # it holds what is hidden
        written.file, written.mark, written.filed = target, mark, len(written.made)
    except ValueError:
        raise SaveError(f"{path!r} is no name of a file") from None
    except OSError as error:
        raise SaveError(f"{path}: cannot be written: {error.strerror or error}") from None


def read_save(path: Source) -> SavedGame:
    """Read a save without replaying it.

    Raises:
        SaveError: with one sentence that says what is wrong and where.
    """
    target = str(path)
    try:
        text = read_text(path, MAX_BYTES)
    except ContentError as error:
        raise SaveError(str(error)) from None
    try:
        if text.count("{") + text.count("[") > MAX_BRACKETS:
            raise SaveError(f"{target}: is not a saved game: it has more than {MAX_BRACKETS} brackets")
        (data, *added), is_torn = _parsed(text)
    except json.JSONDecodeError as error:
        raise SaveError(f"{target}: is damaged at line {error.lineno}, column {error.colno}: {error.msg}") from None
    except (ValueError, RecursionError):
        raise SaveError(f"{target}: is damaged: it has a number of thousands of digits or is nested too deeply") from None
    if not isinstance(data, dict) or "format" not in data:
        raise SaveError(f"{target}: is not a saved game: it has no format number")
    if data["format"] not in READABLE:
        known = ", ".join(map(str, READABLE))
        raise SaveError(f"{target}: has save format {data['format']!r}; this hexwar reads the formats {known}")
    if data["format"] == 1:
        data = {"decisions" if key == "moves" else key: value for key, value in data.items()} | {"digest_schema": 1}
    # Each superfluous key would be an error of its own, and a file can hold a million of them.
    entries = [data.get("options"), data.get("seats")]
    for part, fields in ((data, SavedGame.model_fields), *((part, SavedPart.model_fields) for part in added)):
        for key in part.keys() - fields.keys() if isinstance(part, dict) else ():
            raise SaveError(f"{target}: {key}: extra inputs are not permitted")
        decisions = part.get("decisions") if isinstance(part, dict) else ()
        entries += decisions if isinstance(decisions, list) else ()
    for entry in entries:
        if isinstance(entry, dict) and len(entry) > MAX_ENTRIES:
            raise SaveError(
                f"{target}: is not a saved game: its options, seats or a decision have more than {MAX_ENTRIES} entries"
            )
    try:
        saved = SavedGame.model_validate(data)
        saved._added, saved._is_torn = [SavedPart.model_validate(part) for part in added], is_torn
        return saved
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise SaveError(f"{target}: {where}: {first['msg'][0].lower()}{first['msg'][1:]}") from None


def _parsed(text: str) -> tuple[list[Any], bool]:
    """The object of a save and the lines that were added to it; whether the last of those has no end and is left out."""
    parts: list[Any] = []
    decoder, at = json.JSONDecoder(), _next(text, 0)
    while at < len(text) or not parts:
        if parts and text[at] != "{":  # the number of brackets is limited, so that no file makes us read a million numbers
            raise json.JSONDecodeError("Extra data", text, at)
        try:
            part, end = decoder.raw_decode(text, at)
        except json.JSONDecodeError:
            if parts and "\n" not in text[at:] and _LINE.startswith(text[at : at + len(_LINE)]):
                return parts, True
            raise
        parts.append(part)
        at = _next(text, end)
    return parts, False


def _next(text: str, at: int) -> int:
    """Where something other than a blank comes next."""
    return json.decoder.WHITESPACE.match(text, at).end()  # type: ignore[attr-defined,no-any-return]


def replay(saved: SavedGame, game: Game, source: str) -> None:
    """Apply a save's decisions to a fresh game and compare the digests; `Game.caveat` says if those are of another schema.

    Raises:
        SaveError: naming the action at which the file and the rules part.
    """
    decisions, expected = saved.made, saved.digests
    total = len(decisions)
    same_schema = saved.digest_schema == SCHEMA
    if saved._is_torn:
        game.caveat = (
            f"{source}: its last line has no end, because the writing of it was interrupted; the game is as it was before"
        )
    if not same_schema:
        game.caveat = (
            f"{source}: has digests of schema {saved.digest_schema}, and this version makes those of schema {SCHEMA}: "
            "the rules accept every action, but no position was compared with the saved one"
        )
    elif saved.content != game.world.content:
        raise SaveError(f"{source}: {_other_content(saved, game)}")
    if total not in expected:
        raise SaveError(f"{source}: has no digest for its last action, {total}: {_DAMAGED}")
    line = Repeating(game, total)
    for number, made in enumerate([None, *decisions]):
        if made is not None:
            try:
                line.apply(made.action, made.seat)
            except Refusal as refusal:
                raise SaveError(f"{source}: action {number} of {total} ({made.seat}) is refused: {refusal}") from None
            except SaveError as error:
                raise SaveError(f"{source}: action {number} of {total} ({made.seat}): {error}") from None
        is_left = number in line.marks and number % COMPARED_EVERY and number != total  # until another one differs
        if same_schema and number in expected and not is_left and line.digest != expected[number]:
            raise SaveError(f"{source}: {_difference(saved, line)}")
    if saved.damage:
        raise SaveError(f"{source}: {_difference(saved, line)}")
    game.take_over(line)


_DAMAGED = "it was damaged or edited"
_UNSEALED = "does not match its seal"


def _other_content(saved: SavedGame, game: Game) -> str:
    """Why a save cannot be played with what is here."""
    if saved.board == _board_of(game) != "":
        return "was played with other counters or other tables than there are here"
    what = "another board" if saved.board else "another board, other counters or other tables"
    return (
        f"was played with {what} than there is here; if a map was corrected since, pass the file of the map as it was: "
        "hexwar.load_game(save, board=file), or --board on the command line"
    )


def _difference(saved: SavedGame, line: Repeating) -> str:
    """What is wrong with a file, or with the game that it gives, and from where on digests differ."""
    damage, alike, number = saved.damage, 0, None
    states = {**line.marks, len(line.history): line._state}
    for known in sorted(states.keys() & saved.digests.keys()) if saved.digest_schema == SCHEMA else ():
        if states[known].digest != saved.digests[known]:
            number = known
            break
        alike = known
    if number is None:
        return f"{damage}: {_DAMAGED}"
    if damage:
        return f"after action {number} the position is not the saved one, and the file {damage}: {_DAMAGED}"
    if number <= alike + 1:
        since = f"action {number}" if number else "its beginning"
    else:
        since = f"one of the actions {alike + 1} to {number}"
    return f"this version of the rules plays the game differently from {since} on"
