"""A person at the page: everything is done by clicks and keys in a real browser."""

from __future__ import annotations

import os
import random
import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import hexwar
from hexwar.web import SqliteStore, Table, Tables, make_app, replay_page

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore")]

HOST_KEY = "the-key-of-the-host"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


class Site:
    """A server in a thread of its own, that can be killed and started again."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._port = 0
        self.start()

    def start(self) -> None:
        import uvicorn

        self.tables = Tables(SqliteStore(self._file))
        app = make_app(self.tables, HOST_KEY)
        config = uvicorn.Config(app, host="127.0.0.1", port=self._port, log_level="warning", timeout_graceful_shutdown=1)
        self._server, socket = uvicorn.Server(config), config.bind_socket()
        self._port = socket.getsockname()[1]
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [socket]}, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(10)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def link(self, table: Table, key: str) -> str:
        return f"{self.address}/play#game={table.name}&key={key}"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path / "games.sqlite")
    yield site
    site.stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not found and "CI" not in os.environ:
        pytest.skip("no browser is installed: apt-get install chromium")
    assert found, "these tests need a browser: apt-get install chromium"
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    yield from _page(browser, 1280, 800)


def _page(browser: Any, width: int, height: int) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    page.set_default_timeout(20_000)
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
    for _ in range(400):
        if condition():
            return
        time.sleep(0.05)
    pytest.fail(f"waited in vain until {what}")


def take_a_choice(page: Any, table: Table) -> None:
    """Do something by clicks, the first thing that is there; a group is opened first."""
    number = table.number
    curtain = page.locator("#curtain button")
    until = time.monotonic() + 30
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


def test_the_training_scenario_is_played_to_its_end_by_clicks_on_both_sides(site: Site, page: Any) -> None:
    table, keys = site.tables.begin("ava", "training", seed=5)
    open_table(page, site.link(table, keys["host"]))
    while table.game.result is None:
        take_a_choice(page, table)
        assert table.number < 1500
    verdict = str(table.game.result)
    wait_for(lambda: verdict in page.inner_text("#prompt"), f"the page says: {verdict}")


def test_a_game_is_begun_on_the_front_page(site: Site, page: Any) -> None:
    page.goto(f"{site.address}/#key={HOST_KEY}")
    page.wait_for_selector("#players select")
    assert HOST_KEY not in page.url
    page.select_option("#ruleset", "bridgehead")
    page.click("button[type=submit]")
    page.wait_for_selector(".piece")
    assert "Select" in page.inner_text("#prompt")
    page.click("#home")
    page.click("#games a")
    page.wait_for_selector(".piece")


def moving(site: Site) -> tuple[Table, dict[str, str]]:
    """A table at which units are to be moved."""
    table, keys = site.tables.begin("bridgehead", seed=7)
    while table.game.question(table.game.to_move[0]).asks != "move":
        seat = table.game.to_move[0]
        table.act(seat, table.number_for([seat]), table.game.legal_actions(seat)[0].to_json())
    return table, keys


def test_a_counter_is_clicked_and_then_its_goal_and_undo_brings_it_back(site: Site, page: Any) -> None:
    table, keys = moving(site)
    (seat,) = table.game.to_move
    open_table(page, site.link(table, keys[seat]))
    unit = page.locator(".piece.open").first.get_attribute("data-piece")
    before = table.game.state.locations[unit]
    page.locator(f".piece[data-piece='{unit}']").click()
    page.wait_for_selector(".world .reach")
    goal = next(iter(table.game.question(seat).group(unit))).to  # type: ignore[attr-defined]
    page.locator("#choices .list button", has_text=goal).first.click()
    wait_for(lambda: table.game.state.locations[unit] == goal, "the unit moved")
    page.wait_for_selector(f".piece[data-piece='{unit}'][data-place='{goal}']")
    page.click("#undo")
    page.wait_for_selector(f".piece[data-piece='{unit}'][data-place='{before}']")


def test_a_hex_is_clicked_on_the_map(site: Site, page: Any) -> None:
    table, keys = moving(site)
    (seat,) = table.game.to_move
    open_table(page, site.link(table, keys[seat]))
    unit = page.locator(".piece.open").first.get_attribute("data-piece")
    page.locator(f".piece[data-piece='{unit}']").click()
    mark = page.locator(".world .reach").first
    mark.wait_for()
    box, number = mark.bounding_box(), table.number
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    wait_for(lambda: table.number == number + 1, "the unit moved")


def test_two_browsers_play_each_other_and_see_nothing_secret(site: Site, browser: Any) -> None:
    table, keys = site.tables.begin("bridgehead", seed=7)
    made = {seat: _page(browser, 1280, 800) for seat in ("blue", "red")}
    pages = {seat: next(pages) for seat, pages in made.items()}
    for seat, page in pages.items():
        open_table(page, site.link(table, keys[seat]))
    before = pages["red"].inner_text("aside")
    take_a_choice(pages["blue"], table)
    pages["red"].wait_for_timeout(500)
    assert pages["red"].inner_text("aside") == before
    for _ in range(40):
        take_a_choice(pages[table.game.to_move[0]], table)
    for seat, page in pages.items():
        where = {unit: at for unit, at in table.game.view(seat).state.locations.items() if at in table.game.world.board}
        unit, at = next(iter(where.items()))
        page.wait_for_selector(f".piece[data-piece='{unit}'][data-place='{at}']")
    for its in made.values():
        assert next(its, None) is None


def test_a_reload_and_a_restarted_server_lose_nothing(site: Site, page: Any) -> None:
    table, keys = moving(site)
    (seat,) = table.game.to_move
    open_table(page, site.link(table, keys[seat]))
    take_a_choice(page, table)
    number, digest = table.number, table.game.digest
    site.stop()
    site.start()
    again = site.tables.table(table.name)
    assert (again.number, again.game.digest) == (number, digest)
    page.reload()
    page.wait_for_selector(".piece")
    take_a_choice(page, again)
    assert again.number == number + 1


def test_a_phone_can_look(site: Site, browser: Any) -> None:
    table, keys = moving(site)
    for page in _page(browser, 360, 740):
        open_table(page, site.link(table, keys[table.game.to_move[0]]))
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert page.locator(".piece").first.is_visible()


def test_keys_alone_are_enough(site: Site, page: Any) -> None:
    table, keys = moving(site)
    (seat,) = table.game.to_move
    open_table(page, site.link(table, keys[seat]))
    number = table.number
    page.locator("#choices .list button").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#choices h2")
    page.locator("#choices .list button").first.focus()
    page.keyboard.press("Enter")
    wait_for(lambda: table.number == number + 1, "the unit moved")


def test_a_game_is_replayed_from_a_file_without_a_request(page: Any, tmp_path: Path) -> None:
    game, chance = hexwar.new_game("bridgehead", seed=3), random.Random(3)
    while game.to_move:
        game.apply(game.offered(game.to_move[0]).sample(chance), game.to_move[0])
    file = tmp_path / "game.html"
    file.write_text(replay_page(game), encoding="utf-8")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    page.wait_for_selector(".piece")
    page.keyboard.press("End")
    standing = {unit: at for unit, at in game.state.locations.items() if at in game.world.board}
    for unit, at in standing.items():
        page.wait_for_selector(f".piece[data-piece='{unit}'][data-place='{at}']", state="attached")
    assert page.locator(".piece").count() == len(standing)
    assert str(game.result) in page.inner_text("#status")
    page.keyboard.press("Home")
    assert page.inner_text("#status").endswith(f"0 of {page.get_attribute('#moment', 'max')}")
    assert not [url for url in asked if not url.startswith(("file:", "blob:"))]
