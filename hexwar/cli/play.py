"""`hexwar play`: who plays, where the game comes from, and what is printed when it is over."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hexwar.cli.catalogue import OPTIONS
from hexwar.cli.replay import BOARD
from hexwar.cli.replay import loaded as load_verified
from hexwar.cli.sections import Sectioned, examples
from hexwar.engine import Game
from hexwar.errors import HexwarError, UnknownName
from hexwar.plugins import plugins
from hexwar.search import LEVELS, level_named

if TYPE_CHECKING:
    from hexwar.table.session import Session


@click.command(
    cls=Sectioned,
    sections={
        "A new game": "scenario seed options seats",
        "A game that was begun": "resume loaded number board",
        "Who plays, and where": "bots named level web",
        "What is kept and printed": "save quiet",
    },
    epilog=examples(
        "hexwar play bridgehead --bots --seed 7",
        "hexwar play bridgehead --bot red=greedy --save my.hexwar",
        "hexwar play ava --bot soviet --level strong",
        "hexwar play --load my.hexwar --bot red=greedy",
        "hexwar play --resume",
    ),
)
@click.argument("ruleset", required=False)
@click.option("--scenario", help="Which scenario; the ruleset's first if not given.")
@click.option("--seed", help="The same seed and the same decisions give the same game.")
@OPTIONS
@click.option("--seats", metavar="NAME", help="A seating for several players a side, as `hexwar info` lists them.")
@click.option("--bots", is_flag=True, help="Bots play all sides.")
@click.option(
    "--bot", "named", multiple=True, metavar="SIDE[=NAME]", help="A bot plays this side; the ruleset's own if not named."
)
@click.option("--level", metavar="LEVEL", help=f"How strong bots are that are not named: {', '.join(LEVELS)}, or a time: 20s.")
@click.option("--load", "loaded", metavar="FILE", help="Go on with a saved game, or play a position (a TOML file).")
@click.option("--resume", is_flag=True, help="Go on with the game that was played last without --save.")
@click.option(
    "--to", "number", type=click.IntRange(min=0), help="Go on after this many actions of a saved game, which stays as it is."
)
@BOARD
@click.option(
    "--save", "save", metavar="FILE", help="Where every action is kept; if not given, the loaded file or one that --resume finds."
)
@click.option("--web", is_flag=True, help="Play it on a page in the browser, as `hexwar serve` does, and not here.")
@click.option("--quiet", is_flag=True, help="Print the result only.")
def play(
    ruleset: str | None,
    scenario: str | None,
    seed: str | None,
    options: dict[str, bool | str],
    seats: str | None,
    bots: bool,
    named: tuple[str, ...],
    level: str | None,
    loaded: str | None,
    resume: bool,
    number: int | None,
    board: str | None,
    save: str | None,
    web: bool,
    quiet: bool,
) -> None:
    """Play a game in the terminal, hot-seat or against bots, or watch bots play. Whatever is done is kept at once."""
    from hexwar.bots import KeyedChance, load_bot, usual_bot
    from hexwar.table.unnamed_games import latest_unnamed

    if resume and loaded is not None:
        raise click.UsageError("--resume finds the game itself: leave --load out")
    loaded, names = latest_unnamed(ruleset) if resume else (loaded, {})
    if (board is not None or number is not None) and loaded is None:
        raise click.UsageError("--board and --to are for a game that is loaded: use them with --load")
    game = _game(ruleset, scenario, seed, options, seats, loaded, board)
    game = game if number is None else game.after(number)
    seats, usual = game.world.seats, level_named(level) if level else usual_bot(game.ruleset.info)
    names |= bot_names(named, usual, seats if bots else (), (*seats, *game.world.sides))
    if web:
        if save is not None:
            raise click.UsageError("--web keeps games beside the page, and a save can be taken out there: leave --save out")
        _play_on_a_page(game, names)
        return
    from hexwar.table.session import Session

    players = {side: load_bot(name, may_run=True) for side, name in names.items()}
    chance = KeyedChance(getattr(game.chance, "seed", "tape"))  # so that a seed fixes a whole game of bots
    session = Session(game, players, chance, quiet=quiet, continuing=_continuing(names, board), names=names)
    if save is not None:
        if session.people and save != loaded and Path(save).is_file():
            raise HexwarError(f"{save}: is there already; --load goes on with it, and another name keeps both")
        game.save(save)  # better a sentence now than after three hours
        session.save = save
    elif session.people and loaded is not None and number is None and not _is_position(loaded):
        session.save, session.unnamed, session.borrowed = loaded, resume, not resume
    else:
        _keep_unnamed(session, names)
    session.run()


def _play_on_a_page(game: Game, names: dict[str, str]) -> None:
    from hexwar.cli.serve import serve_game

    seats = game.world.seats.items()
    serve_game(game, {seat: names.get(seat) or names[side] for seat, side in seats if {seat, side} & {*names}})


def _keep_unnamed(session: Session, names: dict[str, str]) -> None:
    """Keep a game in a file without a given name, with the names of its bots, if that can be written."""
    from hexwar.table.unnamed_games import begin_unnamed

    try:
        session.save, session.unnamed = begin_unnamed(session.game.ruleset.info.id, names), True
    except HexwarError as error:
        click.echo(f"hexwar: the game is not kept: {error}", err=True)


def _game(
    ruleset: str | None,
    scenario: str | None,
    seed: str | None,
    options: dict[str, bool | str],
    seats: str | None,
    loaded: str | None,
    board: str | None,
) -> Game:
    import hexwar

    if loaded is not None:
        if _is_position(loaded):
            if ruleset or scenario or options or seats:
                raise click.UsageError("a position has its own ruleset, scenario, options and seats: leave them out with --load")
            return hexwar.position(Path(loaded), seed=read_seed(seed), board=board)
        if scenario or seed or options or seats:
            raise click.UsageError("a saved game has its own scenario, seed, options and seats: leave them out with --load")
        game = load_verified(loaded, board)
        if ruleset not in (None, game.ruleset.info.id):
            raise click.UsageError(f"{loaded} is a game of {game.ruleset.info.id}, not of {ruleset}")
        return game
    if ruleset is None:
        raise click.UsageError(f"say which ruleset, one of {', '.join(hexwar.rulesets())}, or --load a saved game")
    return hexwar.new_game(ruleset, scenario, read_seed(seed), options, seats=seats)


def _is_position(file: str) -> bool:
    return Path(file).suffix == ".toml"


def read_seed(text: str | None) -> int | str | None:
    """A seed as typed: a number if it looks like one; None, for a secret one, if nothing was typed."""
    if text is None:
        return None
    return int(text) if text.lstrip("-").isdecimal() and len(text) < 40 else text


def bot_names(named: Iterable[str], usual: str, everybody: Iterable[str], known: Iterable[str]) -> dict[str, str]:
    """Who plays whom, from words such as "red" or "red=greedy".

    Args:
        named: the words.
        usual: the bot where none is named.
        everybody: who is played by a bot whatever is said.
        known: the sides and seats.
    """
    chosen = dict.fromkeys(everybody, usual)
    for text in named:
        side, given, name = text.partition("=")
        if side not in known:
            raise UnknownName("side", side, dict.fromkeys(known))
        chosen[side] = name if given else usual
    return chosen


def _continuing(bots: dict[str, str], board: str | None = None) -> str:
    """The command that continues a saved game, with "{path}" for its file."""
    files = "".join(f" --plugin {_typed(file)}" for file in plugins().files)
    with_map = f" --board {_typed(board)}" if board else ""
    players = "".join(f" --bot {side}={_typed(name)}" for side, name in bots.items())
    return f"hexwar{files} play --load {{path}}{with_map}{players}"


def _typed(word: str) -> str:
    """A word as a shell takes it, and as `str.format` leaves it."""
    return shlex.quote(word).replace("{", "{{").replace("}", "}}")
