"""`hexwar show`: a board, a saved game or a hand-made position as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import hexwar
from hexwar import render
from hexwar.cli.replay import BOARD, loaded
from hexwar.cli.sections import examples
from hexwar.engine import Game, Picture
from hexwar.errors import HexwarError, UnknownName
from hexwar.files import read_toml
from hexwar.plugins import plugins

if TYPE_CHECKING:
    from hexwar.board import AnyBoard


@click.command(
    epilog=examples(
        "hexwar show bridgehead/crossing -o board.svg",
        "hexwar show my.hexwar -o now.png --crop 0504:2 --scale 120",
    )
)
@click.argument("source", metavar="BOARD_OR_GAME")
@click.option(
    "-o", "--output", metavar="FILE", help="Where to; the ending says the format (.svg, .png). Text in the terminal if not given."
)
@click.option(
    "--crop", metavar="HEXES", help="Only these hexes: labels with commas or spaces between, 0504:2 for all within two hexes."
)
@click.option("--scale", type=float, help="Pixels of a hex between opposite sides; a counter is half as wide.")
@click.option("--side", help="Draw a saved game as this side may see it.")
@click.option("--to", "number", type=click.IntRange(min=0), help="Draw a saved game after this many actions.")
@BOARD
@click.option("--no-labels", is_flag=True, help="Without hex labels.")
@click.option("--title", help="Another title.")
def show(
    source: str,
    output: str | None,
    crop: str | None,
    scale: float | None,
    side: str | None,
    number: int | None,
    board: str | None,
    no_labels: bool,
    title: str | None,
) -> None:
    """Draw a board (by its id or map file), a saved game or a position (a TOML file)."""
    ground, game = _find(source, board)
    if game is None and (side is not None or number is not None or board is not None):
        raise click.UsageError("--side, --to and --board are for saved games, and this is a board")
    if game is not None and number is not None:
        game = game.after(number)
    only = None if crop is None else cropped(ground, crop)
    if output is None:
        _as_text(ground, game, side, only)
        return
    size = render.SCALE if scale is None else scale
    shared: dict[str, Any] = {"labels": not no_labels, "scale": size, "title": title, "only": only}
    svg = render.board_svg(ground, **shared) if game is None else render.game_svg(game.view(side) if side else game, **shared)
    render.write_picture(svg, Path(output))
    click.echo(f"Drawn: {output}")


def _find(source: str, with_map: str | None) -> tuple[AnyBoard, Game | None]:
    from hexwar.board import AnyBoard

    file = Path(source)
    if source in plugins().maps() or (file.suffix == ".toml" and not is_position(file)):
        return hexwar.load_board(source, kind=AnyBoard), None
    if not file.is_file():
        raise UnknownName("board or saved game", source, plugins().maps())
    game = hexwar.position(file, board=with_map) if file.suffix == ".toml" else loaded(file, with_map)
    board = game.picture.board
    if not isinstance(board, AnyBoard):
        raise HexwarError(f"{source}: {game.ruleset.info.id} is not played on a board, so there is nothing to draw")
    return board, game


def is_position(file: Path) -> bool:
    """Whether a TOML file is a hand-made position: it says of which ruleset it is, which a map does not."""
    try:
        return "ruleset" in read_toml(file)
    except HexwarError:
        return False


def cropped(board: AnyBoard, words: str) -> list[str]:
    """The hexes that a crop names."""
    from hexwar.board import Board

    if not isinstance(board, Board):
        raise HexwarError(f"--crop names hexes, and this is a board of {board.kind}")
    found: dict[str, None] = {}
    for word in words.replace(",", " ").split():
        label, given, number = word.partition(":")
        if given and not (number.isdecimal() and len(number) < 4):
            raise click.BadParameter(f"{word!r} is no crop: write 0504 or 0504:2", param_hint="--crop")
        found |= dict.fromkeys(board.disk(label, int(number or 0)))
    if not found:
        raise click.BadParameter("no hexes are named", param_hint="--crop")
    return list(found)


def _as_text(board: AnyBoard, game: Game | None, side: str | None, only: list[str] | None) -> None:
    from hexwar.board import Board
    from hexwar.table.textmap import MOST_HEXES, text_map

    picture = Picture(board) if game is None else game.view(side).picture if side else game.picture
    click.echo(text_map(picture, colour=True, only=only))
    if only is None and isinstance(board, Board) and len(board) > MOST_HEXES:
        example = board.labels[len(board) // 2]
        click.echo(f"A large map: --crop {example}:4 shows a part, -o FILE.svg draws all of it.", err=True)
