"""The door as a browser meets it: pages of others, old links, and what the front page says of them."""

from __future__ import annotations

import http.server
import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from tests.web.browsing import HOST_KEY, Site, moving, wait_for

pytest.importorskip("playwright.sync_api", reason="needs playwright (the extra browser)")
pytestmark = pytest.mark.browser


@pytest.fixture
def elsewhere(site: Site) -> Iterator[str]:
    """The address of a page of somebody else, which has two hundred images that are questions to our server."""
    images = "".join(f'<img src="{site.address}/api/games/guess{number}/view?seat=blue">' for number in range(200))

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(f"<!doctype html><title>A nice page</title>{images}".encode())

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()


def status(address: str, key: str) -> int:
    request = urllib.request.Request(address, headers={"Authorization": f"Bearer {key}"})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_images_on_the_page_of_somebody_else_shut_nobody_out(site: Site, page: Any, elsewhere: str) -> None:
    table, keys = moving(site)
    blocked: list[Any] = []
    page.on("requestfailed", lambda request: blocked.append(request.failure))
    page.goto(elsewhere)
    wait_for(lambda: page.title() and len(blocked) == 200, "all images were asked for")
    assert set(blocked) == {"net::ERR_BLOCKED_BY_ORB"}, "each was answered, with something that is no image"
    game = f"{site.address}/api/games/{table.name}"
    assert status(game, keys.seats["blue"]) == 200
    assert status(game, "a guess") == 404, "none of them was counted as a guess"
    page.goto(site.link(table, keys.seats[table.game.to_move[0]]))
    page.wait_for_selector(".piece")


def with_links(page: Any, site: Site, links: list[dict[str, Any]]) -> None:
    """A browser that has seen these games before."""
    page.goto(f"{site.address}/page/icon.svg")
    page.evaluate("(links) => localStorage.setItem('games', links)", json.dumps(links))


def kept(page: Any) -> list[str]:
    return sorted(page.evaluate("() => JSON.parse(localStorage.getItem('games')).map((it) => it.key)"))


def test_old_links_do_not_shut_out_their_own_user(site: Site, page: Any) -> None:
    table, keys = moving(site)
    old = [{"game": f"old{number}", "key": f"old key {number}", "title": "Gone"} for number in range(90)]
    with_links(page, site, [*old, {"game": table.name, "key": keys.seats["red"], "title": "Bridgehead"}])
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/api/games" in request.url else None)
    page.goto(f"{site.address}/")
    page.wait_for_selector("#games a")
    assert page.locator("#games li").count() == 1
    assert asked == [f"{site.address}/api/games/mine"], "one request with all keys"
    for _ in range(3):
        page.reload()
        page.wait_for_selector("#games a")
    assert "90 old links in this browser open nothing here" in page.inner_text("#told")
    assert len(kept(page)) == 91, "they may be of a server that had this address before"
    page.click("#told button")
    page.locator("#told button").wait_for(state="detached")
    assert kept(page) == [keys.seats["red"]]
    page.click("#games a")
    page.wait_for_selector(".piece")


def test_links_of_this_server_that_open_nothing_are_forgotten(site: Site, page: Any) -> None:
    (table, keys), (other, others) = moving(site), moving(site)
    foreign = {"game": "there", "key": "key of another server", "title": "Elsewhere", "server": "another"}
    mine = [{"game": it.name, "key": its.seats["red"], "title": "Bridgehead"} for it, its in ((table, keys), (other, others))]
    with_links(page, site, [*mine, foreign])
    page.goto(f"{site.address}/")
    wait_for(lambda: page.locator("#games a").count() == 2, "both games are listed")
    head = site.tables.store.load(table.name)
    assert head is not None
    site.tables.store.agree(table.name, head, {**head, "keys": {}})
    page.reload()
    wait_for(lambda: page.locator("#games a").count() == 1, "one game is listed")
    assert "One old link opened nothing any more and was forgotten" in page.inner_text("#told")
    assert kept(page) == sorted([others.seats["red"], "key of another server"])


def test_a_front_page_without_a_server_does_not_say_that_there_are_no_games(site: Site, page: Any) -> None:
    moving(site)
    page.goto(f"{site.address}/#key={HOST_KEY}")
    page.wait_for_selector("#games a")
    page.wait_for_selector("#ruleset option", state="attached")
    site.stop()
    page.evaluate("() => dispatchEvent(new Event('focus'))")
    wait_for(lambda: "does not answer" in page.inner_text("#say"), "it says so")
    assert page.locator("#games a").count() == 1
    site.start()


def test_an_old_link_of_the_host_is_named_as_such(site: Site, page: Any) -> None:
    page.goto(f"{site.address}/#key=the-key-of-another-host")
    wait_for(lambda: "is not that of this server" in page.inner_text("#say"), "it says what is wrong")
    assert not page.is_visible("#form")
    assert page.evaluate("() => localStorage.getItem('host')") is None
    page.goto(f"{site.address}/#key={HOST_KEY}")
    page.reload()
    page.wait_for_selector("#form button")
    assert page.inner_text("#games") == "None yet."
