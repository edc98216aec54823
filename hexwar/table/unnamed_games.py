"""Games without a named file: they are kept in a place of our own, so that they can be resumed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import click

from hexwar.errors import HexwarError
from hexwar.files import read_text, write_file
from hexwar.folders import data_folder, private_folder

SAVES = "saves"
"""Their folder in the data folder."""


def _former_games() -> Path:
    """The folder of earlier versions, whose games are found there and stay there."""
    return Path(click.get_app_dir("hexwar"), "games")


def begin_unnamed(ruleset: str, bots: Mapping[str, str]) -> str:
    """A new file for a game, with a note beside it that says which bots play.

    Raises:
        HexwarError: nothing can be written there.
    """
    folder, number = Path(SAVES), 1
    try:
        folder = private_folder(SAVES)
        while (path := folder / f"{ruleset}-{number}.hexwar").exists():
            number += 1
        path.touch(0o600, exist_ok=False)
    except OSError as error:
        raise HexwarError(f"{folder}: nothing can be written there: {(error.strerror or str(error)).lower()}") from None
    write_file(path.with_suffix(".bots"), json.dumps(dict(bots)))
    return str(path)


def latest_unnamed(ruleset: str | None) -> tuple[str, dict[str, str]]:
    """The unfinished game that was played last, and its bots.

    Raises:
        HexwarError: no game waits.
    """
    data = data_folder()
    folders = [*([data / SAVES] if data else []), _former_games()]
    notes = [note for folder in folders for note in folder.glob(f"{ruleset or '*'}-*.bots")]
    games = [game for note in notes if (game := note.with_suffix(".hexwar")).is_file() and game.stat().st_size]
    if not games:
        raise HexwarError(f"no game of {ruleset or 'any ruleset'} waits in {folders[0]}; --load goes on with a file")
    last = max(games, key=lambda game: game.stat().st_mtime)
    return str(last), json.loads(read_text(last.with_suffix(".bots")))


def end_unnamed(path: str, *, played: bool) -> None:
    """A game is over or is kept elsewhere now: it cannot be resumed any more, and without a decision nothing is left of it."""
    Path(path).with_suffix(".bots").unlink(missing_ok=True)
    if not played:
        Path(path).unlink(missing_ok=True)
