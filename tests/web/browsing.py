"""A person at a real browser: a server that can be killed, pages, and what is done on them by clicks."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hexwar.bots import KeyedChance, load_bot
from hexwar.cli.serve import listen
from hexwar.web import SqliteStore, Table, Tables, make_app
from hexwar.web._connections import Server
from hexwar.web._keys import Keys

HOST_KEY = "the-key-of-the-host"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


class Site:
    """A server in a thread of its own, that can be killed and started again."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._port = 0
        self.start()

    def start(self) -> None:
        self.tables = Tables(SqliteStore(self._file))
        app = make_app(self.tables, HOST_KEY)
        self._server, socket = Server(app), listen("127.0.0.1", self._port)
        self._port = socket.getsockname()[1]
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [socket]}, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(60)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def link(self, table: Table, key: str) -> str:
        return f"{self.address}/play#game={table.name}&key={key}"


def chromium() -> str | None:
    """The system's browser."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


KNOWN = "try { localStorage.getItem('settings') ?? localStorage.setItem('settings', '{\"briefing\": false}') } catch {}"
"""Who has played before needs no briefing."""


def opened(browser: Any, width: int, height: int, newcomer: bool = False, **how: Any) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": width, "height": height}, **how)
    if not newcomer:
        context.add_init_script(KNOWN)
    page = context.new_page()
    page.set_default_timeout(60_000)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert not errors


def open_table(page: Any, link: str) -> None:
    page.goto(link)
    page.wait_for_selector(".piece")
    wait_for(lambda: page.inner_text("#prompt"), "something is asked")


def wait_for(condition: Any, what: str) -> None:
    for _ in range(1200):
        if condition():
            return
        time.sleep(0.05)
    pytest.fail(f"waited in vain until {what}")


def take_a_choice(page: Any, table: Table) -> None:
    """Do something by clicks, the first thing that is there; a group is opened first."""
    number = table.number
    curtain = page.locator("#curtain button")
    until = time.monotonic() + 90
    while time.monotonic() < until:
        if table.number > number or table.game.result:
            return
        if curtain.is_visible():
            curtain.click()
            page.wait_for_timeout(60)
            continue
        rows = page.locator("#choices .list button")
        button = rows.first if rows.count() else page.locator("#plain button").first
        try:
            button.click(timeout=2000)
        except Exception:  # the page was drawn anew under the pointer
            page.wait_for_timeout(50)
            continue
        page.wait_for_timeout(40)
    pytest.fail(f"nothing can be done by clicks: {page.inner_text('aside')}")


def middle(page: Any, label: str) -> tuple[float, float]:
    """Where a hex is in the window."""
    x, y = page.evaluate(
        """async (label) => {
            const { game, key } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
            const answer = await fetch(`/api/games/${game}`, { headers: { Authorization: `Bearer ${key}` } });
            const { ground } = await answer.json(), box = document.querySelector(".world").getBoundingClientRect();
            const unit = Number(getComputedStyle(document.querySelector(".world")).getPropertyValue("--u"));
            return ground.centres[label].map((at, n) => (at - ground.origin[n]) * unit + (n ? box.top : box.left));
        }""",
        label,
    )
    return x, y


def spot(page: Any, x: float, y: float) -> tuple[float, float]:
    """Where a point of a plane is in the window."""
    left, top = page.evaluate(
        """async ([x, y]) => {
            const { game, key } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
            const answer = await fetch(`/api/games/${game}`, { headers: { Authorization: `Bearer ${key}` } });
            const { ground } = await answer.json(), box = document.querySelector(".world").getBoundingClientRect();
            const unit = Number(getComputedStyle(document.querySelector(".world")).getPropertyValue("--u"));
            return [x, y].map((at, n) => (at * ground.scale - ground.origin[n]) * unit + (n ? box.top : box.left));
        }""",
        [x, y],
    )
    return left, top


def moving(site: Site) -> tuple[Table, Keys]:
    """A table at which units are to be moved."""
    table, keys = site.tables.begin("bridgehead", seed=7)
    while table.game.question(table.game.to_move[0]).asks != "move":
        seat = table.game.to_move[0]
        table.act(seat, table.number_for([seat]), table.game.legal_actions(seat)[0].to_json())
    return table, keys


def declaring(site: Site) -> tuple[Table, Keys]:
    """A table at which attacks are to be declared while chits are in the cup, in the training scenario."""
    table, keys = site.tables.begin("ava", "training", seed=5)
    bot, chance = load_bot("ava-commander"), KeyedChance("1")
    while not table.game.state.cup or table.game.question(table.game.to_move[0]).kind != "declaring":
        (seat, *_) = table.game.to_move
        table.act(seat, table.number_for((seat,)), bot.choose(table.game.view(seat), chance).to_json())
    return table, keys


def launched() -> Iterator[Any]:
    """A browser for as long as somebody needs it."""
    from playwright.sync_api import sync_playwright

    if not chromium() and "CI" not in os.environ:
        pytest.skip("no browser is installed: apt-get install chromium")
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
