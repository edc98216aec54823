"""Saves: a game as text that anybody can read and the loader can verify.

A save holds what the game is made of (ruleset, version, scenario, options, seed, actions) and digests on the way; the
loader replays it and compares. Saves are untrusted: strict parsing, size limit, and errors that say where.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hexwar.engine.chance import Chance, SeededChance, TapedChance
from hexwar.errors import Refusal, SaveError

if TYPE_CHECKING:
    from hexwar.engine.game import Game

FORMAT = 1
MAX_BYTES = 64_000_000


class SavedMove(BaseModel):
    """Who did what."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)
    seat: str
    action: dict[str, Any]


class Checkpoint(BaseModel):
    """The digest after so many actions."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)
    after: Annotated[int, Field(ge=0)]
    digest: str


class SavedGame(BaseModel):
    """The content of a save file."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)
    format: int
    ruleset: str
    version: str
    scenario: str
    options: dict[str, bool | str]
    seats: dict[str, str]
    seed: int | str | None
    tape: list[int] = []
    """The dice of a game whose chance came from elsewhere than a seed."""
    position: str | None = None
    """The text of the position that the game started from, where it is no scenario's beginning."""
    content: str
    """The fingerprint of what it was played with."""
    seal: str
    """A fingerprint of all of the above, which no digest of a position covers."""
    moves: list[SavedMove]
    checkpoints: list[Checkpoint]

    def chance(self) -> Chance:
        """A source that repeats the game's draws."""
        return TapedChance(None, self.tape) if self.seed is None else SeededChance(self.seed)


def to_text(game: Game) -> str:
    """The game as the text of a save."""
    setup = game.world.setup
    chance = game.chance
    header: dict[str, object] = {
        "format": FORMAT,
        "ruleset": setup.ruleset,
        "version": setup.version,
        "scenario": setup.scenario,
        "options": dict(setup.options),
        "seats": dict(setup.seats),
        "seed": chance.seed if isinstance(chance, SeededChance) else None,
        "tape": chance.tape if isinstance(chance, TapedChance) else [],
        "position": game.source,
        "content": game.world.content,
    }
    header["seal"] = _seal(header)
    moves = [{"seat": move.seat, "action": move.action.to_json()} for move in game.history]
    checkpoints = [{"after": after, "digest": digest} for after, digest in game.checkpoints.items()]
    head = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in header.items())
    return f'{{\n{head},\n  "moves": {_lines(moves)},\n  "checkpoints": {_lines(checkpoints)}\n}}\n'


def _seal(header: Mapping[str, object]) -> str:
    return hashlib.blake2b(json.dumps(header, sort_keys=True).encode(), digest_size=16).hexdigest()


def _lines(items: list[dict[str, Any]]) -> str:
    """A JSON array with an item a line, so that saves diff well."""
    return "[\n" + ",\n".join(f"    {json.dumps(item)}" for item in items) + "\n  ]" if items else "[]"


def write_save(game: Game, path: str | os.PathLike[str]) -> None:
    """Write a save atomically."""
    target = Path(path)
    text = to_text(game)
    try:
        handle, scratch = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    except OSError as error:
        raise SaveError(f"{target}: cannot be written: {error.strerror}") from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            if target.exists():
                shutil.copymode(target, scratch)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(scratch).replace(target)
    except BaseException as error:
        Path(scratch).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise SaveError(f"{target}: cannot be written: {error.strerror or error}") from None
        raise


def read_save(path: str | os.PathLike[str]) -> SavedGame:
    """Read a save without replaying it.

    Raises:
        SaveError: with one sentence that says what is wrong and where.
    """
    target = Path(path)
    try:
        if target.stat().st_size > MAX_BYTES:
            raise SaveError(f"{target}: is larger than {MAX_BYTES} bytes: not a saved game")
        text = target.read_text(encoding="utf-8")
    except OSError as error:
        raise SaveError(f"{target}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise SaveError(f"{target}: is not text (byte {error.start}): not a saved game") from None
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise SaveError(f"{target}: is damaged at line {error.lineno}, column {error.colno}: {error.msg}") from None
    except (ValueError, RecursionError):
        raise SaveError(f"{target}: is damaged: it has a number of thousands of digits or is nested too deeply") from None
    if not isinstance(data, dict) or "format" not in data:
        raise SaveError(f"{target}: is not a saved game: it has no format number")
    if data["format"] != FORMAT:
        raise SaveError(f"{target}: has save format {data['format']!r}; this hexwar reads format {FORMAT}")
    try:
        return SavedGame.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise SaveError(f"{target}: {where}: {first['msg'][0].lower()}{first['msg'][1:]}") from None


def replay(saved: SavedGame, game: Game, source: str) -> None:
    """Apply a save's moves to a fresh game and compare the digests.

    Raises:
        SaveError: naming the action at which the file and the rules part.
    """
    if saved.content != game.world.content:
        raise SaveError(f"{source}: was played with another board, other counters or other tables than there are here")
    expected = {point.after: point.digest for point in saved.checkpoints}
    if len(saved.moves) not in expected:
        raise SaveError(f"{source}: has no digest for its last action, {len(saved.moves)}: it was cut short or altered")
    _compare(game, 0, expected, source)
    for number, move in enumerate(saved.moves, 1):
        try:
            game.apply(move.action, move.seat)
        except Refusal as refusal:
            raise SaveError(f"{source}: action {number} of {len(saved.moves)} ({move.seat}) is refused: {refusal}") from None
        except SaveError as error:
            raise SaveError(f"{source}: action {number} of {len(saved.moves)} ({move.seat}): {error}") from None
        _compare(game, number, expected, source)
    if saved.seal != _seal(saved.model_dump(exclude={"seal", "moves", "checkpoints"})):
        raise SaveError(f"{source}: its head (ruleset, scenario, options, seats, seed, tape, position or content) was altered")


def _compare(game: Game, number: int, expected: dict[int, str], source: str) -> None:
    if number in expected and game.digest != expected[number]:
        raise SaveError(f"{source}: after action {number} the position is not the one that was saved: the file was altered")
