"""`hexwar replay`: a saved game again, as a log, action by action, or as a series of pictures.

For a game in the folder of a failed check, it also reports what is wrong with it, and where.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexwar.cli.sections import examples
from hexwar.errors import HexwarError

if TYPE_CHECKING:
    from hexwar.engine import Decision, Game
    from hexwar.testing._reports.folders import Note


BOARD = click.option(
    "--board",
    metavar="FILE_OR_ID",
    help="Load it with this map, if its own was corrected since: a file with the map as it was, or an id, without corrections.",
)


def loaded(file: str | Path, board: str | None = None) -> Game:
    """A saved game; what could not be verified is said on the error stream.

    Args:
        file: the save.
        board: see `hexwar.load_game`.
    """
    import hexwar

    game = hexwar.load_game(file, board=board)
    if game.caveat:
        click.echo(f"hexwar: {game.caveat}", err=True)
    return game


@click.command(
    epilog=examples(
        "hexwar replay my.hexwar --to 40",
        "hexwar replay my.hexwar -o game.html --side blue",
        "hexwar replay .hexwar/failures/invariants-hold-862b3c50/minimal.json --at-end",
    )
)
@click.argument("file")
@click.option("--to", "number", type=click.IntRange(min=0), help="Stop after this many actions.")
@click.option("--side", help="As this side may see it; what is open to all if not given.")
@click.option("-o", "--output", metavar="FILE.html", help="Write one page that replays it in a browser and needs nothing else.")
@click.option("--svg", "folder", metavar="DIR", help="Also draw a picture after every action that changes the map.")
@click.option("--step", is_flag=True, help="Wait for Enter after every action.")
@click.option("--at-end", is_flag=True, help="Only the end: the map as it stands, and what the last action did.")
@BOARD
def replay(
    file: str,
    number: int | None,
    side: str | None,
    output: str | None,
    folder: str | None,
    step: bool,
    at_end: bool,
    board: str | None,
) -> None:
    """Print a saved game as a log, draw it if asked, or write it as a page.

    Of a game in the folder of a failed check, the action is marked at which the check fails, and what it says is told.
    """
    if step and at_end:
        raise click.UsageError("--step goes through the whole game and --at-end shows only its end: choose one")
    if output is not None and (step or at_end or folder):
        raise click.UsageError("-o writes a page, and --step, --at-end and --svg are about the log: choose one")
    saved = loaded(file, board)
    if output is not None:
        _write_page(saved, number, side, Path(output))
    else:
        _print_log(saved, file, number, side, folder, step=step, at_end=at_end)


def _print_log(
    saved: Game, file: str, number: int | None, side: str | None, folder: str | None, *, step: bool, at_end: bool
) -> None:
    from hexwar.testing._reports.folders import read_note

    length = len(saved.history)
    last = length if number is None else number
    game = saved.after(0 if last <= length else last)  # reports that there is nothing after its end
    if side is not None:
        game.view(side)  # reports an unknown side before anything is printed
    note = read_note(file)
    pictures = _Pictures(folder) if folder else None
    info = game.ruleset.info
    scenario = info.scenario(game.world.setup.scenario).title
    click.echo(f"{click.style(info.title, bold=True)}: {scenario}, {last} of {length} actions")
    for count, lines in _repeated(game, saved.history[:last], side, note):
        if at_end and count == last:
            _draw(game, side)
        if not at_end or count == last:
            click.echo("".join(f"{line}\n" for line in lines), nl=False)
        if pictures:
            pictures.draw(game, side)
        if step and count < last:
            click.prompt(f"-- {count} of {last}, Enter goes on", default="", show_default=False, prompt_suffix=" ")
    click.echo()
    click.secho(f"{game.result}." if game.result else f"{' and '.join(game.to_move)} to decide.", bold=True)
    if note is not None and last >= min(note.move, length):
        _tell(note, length)
    if pictures:
        click.echo(f"Drawn: {len(pictures.drawn)} pictures in {folder}")


def _repeated(game: Game, history: Sequence[Decision], side: str | None, note: Note | None) -> Iterator[tuple[int, list[str]]]:
    """Do the actions of a game again: how many are done, and what is printed about the last of them."""
    from hexwar.table.chronicle import Chronicle

    chronicle, shown = Chronicle(game.world), 0
    for count, move in enumerate([None, *history]):
        mark: list[str] = []
        if move is not None:
            game.apply(move.action, move.seat)
            if note is not None and count == note.move:
                mark = [click.style(f">> action {count}, {move.seat}: {move.action}", bold=True)]
        events = game.log(side)
        yield count, [*mark, *chronicle.lines(events[shown:])]
        shown = len(events)


def _write_page(game: Game, number: int | None, side: str | None, output: Path) -> None:
    from hexwar.files import write_file
    from hexwar.web import replay_page

    if output.suffix not in (".html", ".htm"):
        raise HexwarError(f"{output}: a page is written to a file that ends with .html")
    page = replay_page(game if number is None else game.after(number), side)
    write_file(output, page)
    shows = f"as {side} saw it" if side else "with all that lies on the map"
    click.echo(f"Written: {output}, {len(page) // 1000} kB, {shows}")


def _tell(note: Note, length: int) -> None:
    """What a check found in this game."""
    from hexwar.table.chronicle import folded

    where = f"at action {note.move} of {length}" if note.move else "when the game begins"
    if note.move > length:
        where = f"at the action that comes next, {note.seat}: {note.words}"
    found = [folded(text, "  ", "    ") for text in (f"Found: {note.message}", f"Must hold: {note.sentence}")]
    click.echo("\n".join(["", click.style(f"{note.check} fails {where}.", bold=True), *found]))


def _draw(game: Game, side: str | None) -> None:
    """The map as text; for a game without a board, everything that can be said about the position."""
    picture = game.view(side).picture if side else game.picture
    if picture.board is not None:
        from hexwar.table.textmap import text_map

        click.echo(text_map(picture, colour=True))
    elif side is None:
        from hexwar.testing import describe

        click.echo(describe(game))


class _Pictures:
    """A folder of pictures, one for each position that looks otherwise than the one before.

    Args:
        folder: where they are written.
    """

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)
        self.drawn: list[int] = []
        """The hash of each."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise HexwarError(f"{folder}: cannot be made: {error.strerror}") from None

    def draw(self, game: Game, side: str | None) -> None:
        """Write a picture with the next number, unless the position looks as it did."""
        from hexwar.render import game_svg, write_picture

        svg = game_svg(game.view(side) if side else game)
        if hash(svg) not in self.drawn[-1:]:
            write_picture(svg, self._folder / f"{len(self.drawn):04}.svg")
            self.drawn.append(hash(svg))
