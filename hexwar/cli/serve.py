"""`hexwar serve` and `hexwar backup`."""

from __future__ import annotations

import contextlib
import logging
import os
import shlex
import signal
import socket
import threading
import webbrowser
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import click

from hexwar import web
from hexwar.cli.sections import Sectioned, examples
from hexwar.engine import Game
from hexwar.errors import HexwarError
from hexwar.folders import private_folder
from hexwar.web._hostkey import host_key

PASSWORD = "HEXWAR_MAIL_PASSWORD"
"""The environment variable with the password of the mail server."""
FORMER = "hexwar-games"
"""What the files of earlier versions are called, which lie in the folder in which the server was started."""
GAMES = click.option(
    "--games",
    metavar="PLACE",
    help="Where games are kept: a file, or postgresql://user@machine/database, which several servers can share. "
    "If not given: games.sqlite in the data folder.",
)


@click.command(
    cls=Sectioned,
    sections={
        "Where it listens": "port host names proxies",
        "What is kept": "games file",
        "Who plays": "lobby mail sender webhook",
        "The page": "opened",
    },
    epilog=examples("hexwar serve", "hexwar serve --port 9000 --games club.sqlite --no-open"),
)
@click.option("--port", default=8941, show_default=True, type=click.IntRange(0, 65535), help="Where it listens; 0: any free one.")
@GAMES
@click.option("--key", "file", metavar="FILE", help="Where the host's key is kept; by default beside the games.")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="The address at which it listens.")
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="NAME",
    help="A name under which others reach it: games.example.org, or https://games.example.org for a proxy with a certificate.",
)
@click.option(
    "--trust-proxy",
    "proxies",
    multiple=True,
    metavar="ADDRESS",
    help="A proxy that says in its headers for whom it asks (X-Forwarded-For, X-Forwarded-Proto), or the network of several.",
)
@click.option("--lobby", is_flag=True, help="Let strangers take seats that the host leaves open.")
@click.option(
    "--mail", metavar="SERVER", help="smtp://machine or smtps://user@machine: mail to players who are asked and do not look."
)
@click.option("--mail-from", "sender", metavar="ADDRESS", default="", help="The address from which mail comes.")
@click.option(
    "--webhook", metavar="ADDRESS", help="A web address that gets a line of JSON whenever a player is asked and does not look."
)
@click.option("--open/--no-open", "opened", default=True, help="Whether to open the page.")
@click.option("--page", hidden=True, help="What to open rather than the page that lists the games.")
def serve(
    port: int,
    games: str | None,
    file: str | None,
    host: str,
    names: tuple[str, ...],
    proxies: tuple[str, ...],
    lobby: bool,
    mail: str | None,
    sender: str,
    webhook: str | None,
    opened: bool,
    page: str | None,
) -> None:
    """Play in a browser: begin games, pass the device, or give others a link."""
    if host in ("0.0.0.0", "::", "") and not names:
        raise HexwarError(f"--host {host} listens at every address: say with --name under which name others reach this computer")
    ways = _ways(mail, sender, webhook)
    games = games or usual_place()
    with contextlib.closing(store_at(games)) as store, _stopped_cleanly():
        _serve(store, port, games, file, host, names, proxies, ways, lobby, opened, page)


def _ways(mail: str | None, sender: str, webhook: str | None) -> list[Callable[[web.Notice], None]]:
    """The ways of sending notices that the command line names; the password of the mail server is in the environment."""
    from hexwar.web import _notices

    found = [_notices.mail(mail, sender, os.environ.get(PASSWORD, ""))] if mail else []
    return [*found, *([_notices.webhook(webhook)] if webhook else [])]


def _serve(
    store: web.Store,
    port: int,
    games: str,
    file: str | None,
    host: str,
    names: tuple[str, ...],
    proxies: tuple[str, ...],
    ways: Sequence[Callable[[web.Notice], None]],
    lobby: bool,
    opened: bool,
    page: str | None,
) -> None:
    from hexwar.web._app import LOOPBACK
    from hexwar.web._connections import Server, networks

    trusted, shown = networks(proxies), f"[{host}]" if ":" in host else host
    hosts = [_named(name) for name in names]
    tables, shared = web.Tables(store), "://" in games
    file = file or (_former(".key") or _usual("servers.key") if shared else f"{games}.key")
    try:
        key = host_key(Path(file))
    except OSError as error:
        raise HexwarError(f"the host's key cannot be kept in {file}: {error.strerror}") from None
    try:
        listening = listen(host, port)
    except OSError as error:
        raise HexwarError(f"the server cannot listen at {host}, port {port}: {error.strerror}") from None
    port = listening.getsockname()[1]
    first_name = (*names, shown)[0]
    address = first_name.rstrip("/") if "://" in first_name else f"http://{first_name}:{port}"
    app = web.make_app(tables, key, (*LOOPBACK, shown, *hosts), address=address, ways=ways, lobby=lobby)
    server = Server(app, proxies=trusted)
    place = "a database" if shared else games  # whose address may have a password
    first = f"{address}{page or '/#' + urlencode({'key': key})}"
    behind = "" if address.endswith(f":{port}") else f"The server listens at {shown}, port {port}.\n"
    click.echo(f"Play at {first}\n{behind}Games are kept in {place}. Ctrl-C stops the server; nothing is lost.")
    if opened:
        webbrowser.open(first)
    asked, logging.raiseExceptions = logging.raiseExceptions, False  # games go on when there is no room for the log
    try:
        server.run(sockets=[listening])
    finally:
        logging.raiseExceptions = asked


def _named(name: str) -> str:
    """The name in what --name says."""
    if "://" not in name:
        return name
    try:
        found = urlsplit(name)
        found.port  # noqa: B018 - asked whether it is a number
    except ValueError:
        found = urlsplit("")
    if found.scheme not in ("http", "https") or not found.hostname or found.path.strip("/") or found.query or "@" in found.netloc:
        raise HexwarError(
            f"--name is a name, such as games.example.org, or an address, such as https://games.example.org: not {name}"
        )
    return f"[{found.hostname}]" if ":" in found.hostname else found.hostname


def listen(host: str, port: int) -> socket.socket:
    """A socket at which a server can listen.

    What is written to it goes out at once. asyncio arranges that only for sockets that say which protocol they have, and these
    do not: each answer would wait 40 ms, until the browser confirms its head.
    """
    listening = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def serve_game(game: Game, bots: Mapping[str, str]) -> None:
    """Bring a game to the page and open it there.

    Args:
        game: as it stands.
        bots: seat -> the bot that plays it.
    """
    games = usual_place()
    with contextlib.closing(web.SqliteStore(games)) as store:
        table, keys = web.Tables(store).begin(save=game.to_text(), bots=bots)
    page = f"/play#{urlencode({'game': table.name, 'key': keys.host})}"
    click.get_current_context().invoke(serve, port=0, games=games, page=page)


@contextlib.contextmanager
def _stopped_cleanly() -> Iterator[None]:
    """Let SIGTERM end this process in order: uvicorn raises it once more when it has stopped, which would kill us on the spot."""

    def end(number: int, frame: object) -> None:
        raise SystemExit(0)

    if threading.current_thread() is not threading.main_thread():  # which alone has signals
        yield
        return
    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@click.command(epilog="Examples: hexwar backup monday.sqlite; hexwar backup --games club.sqlite backups/club-monday.sqlite")
@click.argument("to", metavar="FILE", type=click.Path(path_type=Path))
@GAMES
def backup(to: Path, games: str | None) -> None:
    """Copy the games of a server into a new FILE, while it runs or when it is stopped. A copy replaces nothing."""
    from hexwar.web._backup import back_up

    games = games or usual_place()
    if "://" in games:
        raise HexwarError("games in a database are copied by its own tools, while servers run: pg_dump ADDRESS > FILE")
    number = back_up(Path(games), to)
    click.echo(
        f"{number} {'game' if number == 1 else 'games'} in {to}. To go on with them: hexwar serve --games {shlex.quote(str(to))}"
    )


def usual_place() -> str:
    """Where games are kept by default: in the data folder, unless there are some of an earlier version here."""
    former, usual = _former(".sqlite"), _usual("games.sqlite")
    if former is None:
        return usual
    click.echo(f"This folder has games of an earlier version, and they are used: {former}", err=True)
    if Path(usual).exists():
        click.echo(f"There are others in the data folder: --games {shlex.quote(usual)} opens those.", err=True)
    else:
        moved = f"move that file to {usual}, and {former}.key to {usual}.key"
        click.echo(f"To have them wherever you are, stop the server and {moved}.", err=True)
    return former


def _former(ending: str) -> str | None:
    """A file that an earlier version left in this folder; None if there is none, or if it belongs to somebody else."""
    file = Path(f"{FORMER}{ending}").absolute()
    with contextlib.suppress(OSError):
        found = file.stat()
        if not hasattr(os, "geteuid") or found.st_uid == os.geteuid():
            return str(file)
    return None


def _usual(name: str) -> str:
    try:
        return str(private_folder() / name)
    except OSError as error:
        raise HexwarError(
            f"there is no data folder ({(error.strerror or str(error)).lower()}): say with --games and --key where to keep them"
        ) from None


def store_at(games: str) -> web.Store:
    """The store at a place: a file, or the address of a database."""
    try:
        return web.PostgresStore(games) if "://" in games else web.SqliteStore(games)
    except ImportError:
        raise HexwarError("games in a database need psycopg: pip install 'hexwar[postgres]'") from None
