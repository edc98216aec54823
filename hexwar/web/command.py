"""`hexwar serve`."""

from __future__ import annotations

import secrets
import socket
import webbrowser
from pathlib import Path

import click

from hexwar.errors import HexwarError


@click.command(epilog="Examples: hexwar serve; hexwar serve --port 9000 --games club.sqlite --no-open")
@click.option("--port", default=8941, show_default=True, type=click.IntRange(0, 65535), help="Where it listens; 0: any free one.")
@click.option("--games", default="hexwar-games.sqlite", show_default=True, metavar="FILE", help="Where games are kept.")
@click.option("--open/--no-open", "opened", default=True, help="Whether to open the page.")
def serve(port: int, games: str, opened: bool) -> None:
    """Play in a browser on this computer: begin games, pass the device, or give others on this computer a link."""
    import uvicorn

    from hexwar.web import SqliteStore, Tables, make_app

    tables = Tables(SqliteStore(games))
    try:
        listening = socket.create_server(("127.0.0.1", port))
        key = _key(Path(f"{games}.key"))
    except OSError as error:
        raise HexwarError(f"the server cannot listen on port {port}, or read {games}.key: {error.strerror}") from None
    server = uvicorn.Server(uvicorn.Config(make_app(tables, key), log_level="warning", timeout_graceful_shutdown=2))
    address = f"http://127.0.0.1:{listening.getsockname()[1]}/#key={key}"
    click.echo(f"Play at {address}\nGames are kept in {games}. Ctrl-C stops the server; nothing is lost.")
    if opened:
        webbrowser.open(address)
    server.run(sockets=[listening])


def _key(file: Path) -> str:
    """The key that begins games: the same every time, readable by the owner alone."""
    if not file.exists():
        file.touch(0o600)
        file.write_text(secrets.token_urlsafe(24), encoding="utf-8")
    return file.read_text(encoding="utf-8").strip()
