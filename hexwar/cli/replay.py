"""`hexwar replay`: a saved game again, as a log, action by action, or as a series of pictures.

For a game in the folder of a failed check, it also reports what is wrong with it, and where.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexwar.errors import HexwarError

if TYPE_CHECKING:
    from hexwar.engine import Game
    from hexwar.testing.folders import Note


def loaded(file: str | Path) -> Game:
    """A saved game; what could not be verified is said on the error stream."""
    import hexwar

    game = hexwar.load_game(file)
    if game.caveat:
        click.echo(f"hexwar: {game.caveat}", err=True)
    return game


def fresh_copy(game: Game) -> Game:
    """The same game before its first action."""
    from hexwar.engine import Game

    return Game(game.ruleset, game.world, game.first_state, game.chance.fork(), game.source)


def game_after(game: Game, number: int) -> Game:
    """The same game after this many of its actions."""
    if number > len(game.history):
        raise HexwarError(f"the game has {len(game.history)} actions, so there is nothing after {number}")
    again = fresh_copy(game)
    for move in game.history[:number]:
        again.apply(move.action, move.seat)
    return again


@click.command(
    epilog="Examples: hexwar replay my.hexwar --to 40; hexwar replay my.hexwar --side blue --svg frames; "
    "hexwar replay .hexwar/failures/invariants-hold-862b3c50/minimal.json --at-end"
)
@click.argument("file")
@click.option("--to", "number", type=click.IntRange(min=0), help="Stop after this many actions.")
@click.option("--side", help="As this side may see it; what is open to all if not given.")
@click.option("--svg", "folder", metavar="DIR", help="Also draw a picture after every action that changes the map.")
@click.option("--step", is_flag=True, help="Wait for Enter after every action.")
@click.option("--at-end", is_flag=True, help="Only the end: the map as it stands, and what the last action did.")
def replay(file: str, number: int | None, side: str | None, folder: str | None, step: bool, at_end: bool) -> None:
    """Print a saved game as a log, and draw it if asked.

    Of a game in the folder of a failed check, the action is marked at which the check fails, and what it says is told.
    """
    from hexwar.cli.chronicle import Chronicle
    from hexwar.testing.folders import read_note

    if step and at_end:
        raise click.UsageError("--step goes through the whole game and --at-end shows only its end: choose one")
    saved = loaded(file)
    last = len(saved.history) if number is None else number
    game = game_after(saved, 0)
    if side is not None:
        game.view(side)  # reports an unknown side before anything is printed
    if last > len(saved.history):
        raise HexwarError(f"the game has {len(saved.history)} actions, so there is nothing after {last}")
    note = read_note(file)
    frames = _Frames(Path(folder), side) if folder else None
    chronicle = Chronicle(game.world)
    shown = 0
    info = game.ruleset.info
    scenario = info.scenario(game.world.setup.scenario).title
    click.echo(f"{click.style(info.title, bold=True)}: {scenario}, {last} of {len(saved.history)} actions")
    for count, move in enumerate([None, *saved.history[:last]]):
        if move is not None:
            game.apply(move.action, move.seat)
        events = game.log(side)
        lines = chronicle.lines(events[shown:])
        shown = len(events)
        told = list(lines) if not at_end or count == last else []
        if at_end and count == last:
            _draw(game, side)
        if note is not None and move is not None and count == note.move:
            click.secho(f">> action {count}, {move.seat}: {move.action}", bold=True)
        for line in told:
            click.echo(line)
        if frames:
            frames.draw(game)
        if step and count < last:
            click.prompt(f"-- {count} of {last}, Enter goes on", default="", show_default=False, prompt_suffix=" ")
    click.echo()
    click.secho(f"{game.result}." if game.result else f"{' and '.join(game.to_move)} to decide.", bold=True)
    if note is not None and last >= min(note.move, len(saved.history)):
        _tell(note, len(saved.history))
    if frames:
        click.echo(f"Drawn: {frames.number} pictures in {folder}")


def _tell(note: Note, length: int) -> None:
    """What a check found in this game."""
    from hexwar.cli.chronicle import folded

    where = f"at action {note.move} of {length}" if note.move else "when the game begins"
    if note.move > length:
        where = f"at the action that comes next, {note.seat}: {note.words}"
    click.echo()
    click.secho(f"{note.check} fails {where}.", bold=True)
    click.echo(folded(f"Found: {note.message}", "  ", "    "))
    click.echo(folded(f"Must hold: {note.sentence}", "  ", "    "))


def _draw(game: Game, side: str | None) -> None:
    """The map as text; for a game without a board, everything that can be said about the position."""
    picture = game.view(side).picture if side else game.picture
    if picture.board is not None:
        from hexwar.cli.textmap import text_map

        click.echo(text_map(picture, colour=True))
    elif side is None:
        from hexwar.testing import describe

        click.echo(describe(game))


class _Frames:
    """Numbered pictures in a folder, one for each position that looks different."""

    def __init__(self, folder: Path, side: str | None) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise HexwarError(f"{folder}: cannot be made: {error.strerror}") from None
        self._folder = folder
        self._side = side
        self._last = ""
        self.number = 0

    def draw(self, game: Game) -> None:
        from hexwar.render import game_svg, write_picture

        svg = game_svg(game.view(self._side) if self._side else game)
        if svg != self._last:
            write_picture(svg, self._folder / f"{self.number:04}.svg")
            self._last = svg
            self.number += 1
