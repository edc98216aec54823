"""`hexwar serve`."""

from __future__ import annotations

import secrets
import webbrowser
from pathlib import Path

import click


@click.command(epilog="Examples: hexwar serve; hexwar serve --port 9000 --games club.sqlite --no-open")
@click.option("--port", default=8941, show_default=True, type=click.IntRange(0, 65535), help="Where it listens; 0: any free one.")
@click.option("--games", default="hexwar-games.sqlite", show_default=True, metavar="FILE", help="Where games are kept.")
@click.option("--open/--no-open", "opened", default=True, help="Whether to open the page.")
def serve(port: int, games: str, opened: bool) -> None:
    """Play in a browser on this computer: begin games, pass the device, or give others on this computer a link."""
    import uvicorn

    from hexwar.web import SqliteStore, Tables, make_app

    key = _key(Path(f"{games}.key"))
    app = make_app(Tables(SqliteStore(games)), key)
    config = uvicorn.Config(app, host="127.0.0.1", port=port, log_level="warning", timeout_graceful_shutdown=2)
    server = uvicorn.Server(config)
    socket = config.bind_socket()
    address = f"http://127.0.0.1:{socket.getsockname()[1]}/#key={key}"
    click.echo(f"Play at {address}\nGames are kept in {games}. Ctrl-C stops the server; nothing is lost.")
    if opened:
        webbrowser.open(address)
    server.run(sockets=[socket])


def _key(file: Path) -> str:
    """The key that begins games: the same every time, readable by the owner alone."""
    if not file.exists():
        file.touch(0o600)
        file.write_text(secrets.token_urlsafe(24), encoding="utf-8")
    return file.read_text(encoding="utf-8").strip()
