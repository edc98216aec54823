"""Saves: a game as text that anybody can read and the loader can verify.

A save holds what the game is made of (ruleset, version, scenario, options, seed, decisions) and digests along the way; the
loader replays it and compares. Saves are untrusted: strict parsing, size limit, and errors that say where.

A seal over the file tells a damaged or edited file from one that is whole but that these rules play differently. Format 1, which
is still read, had a seal over the head only, called decisions "moves", and has digests of schema 1, which are not compared.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hexwar._files import write_whole
from hexwar.engine._chance import Chance, SeededChance, TapedChance
from hexwar.engine._state import SCHEMA
from hexwar.errors import Refusal, SaveError

if TYPE_CHECKING:
    from hexwar.engine._game import Game

FORMAT = 2
READABLE = (1, FORMAT)
MAX_BYTES = 64_000_000


class SavedDecision(BaseModel):
    """Who did what."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)
    seat: str
    action: dict[str, Any]


class Checkpoint(BaseModel):
    """The digest after a number of actions."""

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
    """A fingerprint of everything else in the file."""
    digest_schema: int
    """How the digests were made: see `hexwar.engine._state.SCHEMA`."""
    decisions: list[SavedDecision]
    checkpoints: list[Checkpoint]

    @property
    def is_sealed(self) -> bool:
        """Whether the content is that which was written."""
        unsealed = {"seal", "digest_schema", "decisions", "checkpoints"} if self.format == 1 else {"seal"}
        return self.seal == _seal(self.model_dump(exclude=unsealed))

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
        "digest_schema": SCHEMA,
    }
    decisions = [{"seat": made.seat, "action": made.action.to_json()} for made in game.history]
    checkpoints = [{"after": after, "digest": digest} for after, digest in game.checkpoints.items()]
    header["seal"] = _seal({**header, "decisions": decisions, "checkpoints": checkpoints})
    head = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in header.items())
    return f'{{\n{head},\n  "decisions": {_lines(decisions)},\n  "checkpoints": {_lines(checkpoints)}\n}}\n'


def _seal(content: Mapping[str, object]) -> str:
    return hashlib.blake2b(json.dumps(content, sort_keys=True).encode(), digest_size=16).hexdigest()


def _lines(items: list[dict[str, Any]]) -> str:
    """A JSON array with an item a line, so that saves diff well."""
    return "[\n" + ",\n".join(f"    {json.dumps(item)}" for item in items) + "\n  ]" if items else "[]"


def write_save(game: Game, path: str | os.PathLike[str]) -> None:
    """Write a save atomically."""
    target = Path(path)
    text = to_text(game)
    try:
        write_whole(target, text.encode())
    except OSError as error:
        raise SaveError(f"{target}: cannot be written: {error.strerror or error}") from None


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
    if data["format"] not in READABLE:
        raise SaveError(
            f"{target}: has save format {data['format']!r}; this hexwar reads formats {' and '.join(map(str, READABLE))}"
        )
    if data["format"] == 1:
        data = {"decisions" if key == "moves" else key: value for key, value in data.items()} | {"digest_schema": 1}
    try:
        return SavedGame.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise SaveError(f"{target}: {where}: {first['msg'][0].lower()}{first['msg'][1:]}") from None


def replay(saved: SavedGame, game: Game, source: str) -> None:
    """Apply a save's decisions to a fresh game and compare the digests; `Game.caveat` says if those are of another schema.

    Raises:
        SaveError: naming the action at which the file and the rules part.
    """
    total = len(saved.decisions)
    same_schema = saved.digest_schema == SCHEMA
    if not same_schema:
        game.caveat = (
            f"{source}: has digests of schema {saved.digest_schema}, and this version makes those of schema {SCHEMA}: "
            "the rules accept every action, but no position was compared with the saved one"
        )
    elif saved.content != game.world.content:
        raise SaveError(f"{source}: was played with another board, other counters or other tables than there are here")
    expected = {point.after: point.digest for point in saved.checkpoints}
    if total not in expected:
        raise SaveError(f"{source}: has no digest for its last action, {total}: {_DAMAGED}")
    alike = 0
    for number, made in enumerate([None, *saved.decisions]):
        if made is not None:
            try:
                game.apply(made.action, made.seat)
            except Refusal as refusal:
                raise SaveError(f"{source}: action {number} of {total} ({made.seat}) is refused: {refusal}") from None
            except SaveError as error:
                raise SaveError(f"{source}: action {number} of {total} ({made.seat}): {error}") from None
        if same_schema and number in expected:
            if game.digest != expected[number]:
                raise SaveError(f"{source}: {_difference(saved, alike, number)}")
            alike = number
    if not saved.is_sealed:
        raise SaveError(f"{source}: does not match its seal: {_DAMAGED}")


_DAMAGED = "it was damaged or edited"


def _difference(saved: SavedGame, alike: int, number: int) -> str:
    """What another digest after an action means, if that after an earlier one was the same."""
    if not saved.is_sealed:
        return f"after action {number} the position is not the saved one, and the file does not match its seal: {_DAMAGED}"
    if number <= alike + 1:
        since = f"action {number}" if number else "its beginning"
    else:
        since = f"one of the actions {alike + 1} to {number}"
    return f"this version of the rules plays the game differently from {since} on"
