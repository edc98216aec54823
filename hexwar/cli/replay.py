"""`hexwar replay`: a saved game again, as a log, action by action, or as a series of pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hexwar.errors import HexwarError

if TYPE_CHECKING:
    from hexwar.engine import Game


def fresh_copy(game: Game[Any, Any]) -> Game[Any, Any]:
    """The same game before its first action."""
    from hexwar.engine import Game

    return Game(game.ruleset, game.world, game.first_state, game.chance.fork(), game.source)


def game_after(game: Game[Any, Any], number: int) -> Game[Any, Any]:
    """The same game after so many of its actions."""
    if number > len(game.history):
        raise HexwarError(f"the game has {len(game.history)} actions, so there is nothing after {number}")
    again = fresh_copy(game)
    for move in game.history[:number]:
        again.apply(move.action, move.seat)
    return again


@click.command(epilog="Examples: hexwar replay my.hexwar --to 40; hexwar replay my.hexwar --side blue --svg frames")
@click.argument("file")
@click.option("--to", "number", type=click.IntRange(min=0), help="Stop after this many actions.")
@click.option("--side", help="As this side may see it; what is open to all if not given.")
@click.option("--svg", "folder", metavar="DIR", help="Also draw a picture after every action that changes the map.")
def replay(file: str, number: int | None, side: str | None, folder: str | None) -> None:
    """Print a saved game as a log, and draw it if asked."""
    import hexwar
    from hexwar.cli.chronicle import Chronicle

    saved = hexwar.load_game(file)
    last = len(saved.history) if number is None else number
    game = game_after(saved, 0)
    if side is not None:
        game.view(side)  # an unknown side is told before anything is printed
    if last > len(saved.history):
        raise HexwarError(f"the game has {len(saved.history)} actions, so there is nothing after {last}")
    frames = _Frames(Path(folder), side) if folder else None
    chronicle = Chronicle(game.world)
    shown = 0
    info = game.ruleset.info
    scenario = info.scenario(game.world.setup.scenario).title
    click.echo(f"{click.style(info.title, bold=True)}: {scenario}, {last} of {len(saved.history)} actions")
    for move in [None, *saved.history[:last]]:
        if move is not None:
            game.apply(move.action, move.seat)
        events = game.log(side)
        for line in chronicle.lines(events[shown:]):
            click.echo(line)
        shown = len(events)
        if frames:
            frames.draw(game)
    click.echo()
    click.secho(f"{game.result}." if game.result else f"{' and '.join(game.to_move)} to decide.", bold=True)
    if frames:
        click.echo(f"Drawn: {frames.number} pictures in {folder}")


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

    def draw(self, game: Game[Any, Any]) -> None:
        from hexwar.render import game_svg, write_picture

        svg = game_svg(game.view(self._side) if self._side else game.position)
        if svg != self._last:
            write_picture(svg, self._folder / f"{self.number:04}.svg")
            self._last = svg
            self.number += 1
