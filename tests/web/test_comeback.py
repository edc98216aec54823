"""What outlives a page: saves that are brought in, rematches, settings, and a server that is killed under an open page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import hexwar
from hexwar.bots import KeyedChance, RandomBot, move_once
from tests.web.browsing import HOST_KEY, Site, moving, open_table, wait_for
from tests.web.serving import Served, served

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore")]

CHOICES = "#choices .list button, #plain button"


def test_a_save_is_brought_in_on_the_front_page(site: Site, page: Any, tmp_path: Path) -> None:
    game, chance = hexwar.new_game("bridgehead", seed=3), KeyedChance(3)
    bots = dict.fromkeys(game.world.seats, RandomBot())
    while len(game.history) < 40 or len(game.to_move) != 1:
        move_once(game, bots, chance)
    game.save(tmp_path / "mine.hexwar")
    page.goto(f"{site.address}/#key={HOST_KEY}")
    page.wait_for_selector("#players select")
    page.set_input_files("#save", tmp_path / "mine.hexwar")
    page.wait_for_selector("#curtain[open], .piece")
    if game.to_move != (next(iter(game.world.seats)),):
        page.click("#curtain button")
    for unit, at in game.state.locations.items():
        if at in game.world.board:
            page.wait_for_selector(f".piece[data-piece='{unit}'][data-place='{at}']")
    [kept] = site.tables.store.games()
    assert site.tables.table(kept.game).game.digest == game.digest
    (tmp_path / "none.hexwar").write_text("no game", encoding="utf-8")
    page.goto(f"{site.address}/")
    page.wait_for_selector("#players select")
    page.set_input_files("#save", tmp_path / "none.hexwar")
    page.wait_for_selector("#say:has-text('the save')")
    assert len(site.tables.store.games()) == 1


def test_a_rematch_begins_on_the_page_and_for_the_other_player_too(site: Site, page: Any) -> None:
    table, keys = moving(site)
    table.resign("blue", table.number_for(["blue"]))
    open_table(page, site.link(table, keys.seats["red"]))
    assert "blue has resigned" in page.inner_text("#prompt")
    page.click("#tab-more")
    page.click("#leave summary")
    page.click("#leave button:has-text('Play again')")
    again = site.tables.rematch(table)
    page.wait_for_url(f"**game={again.name}**")
    page.wait_for_selector("#choices .list button")
    assert again.game.history == []
    assert again.game.chance.seed != table.game.chance.seed  # type: ignore[attr-defined]
    page.goto(site.link(again, keys.seats["blue"]))  # another link in the same tab
    page.wait_for_selector("#prompt:has-text('Blue · ')")


def test_settings_are_kept(site: Site, page: Any) -> None:
    table, keys = site.tables.begin("bridgehead", seed=7)
    open_table(page, site.link(table, keys.seats["red"]))
    page.click("#tab-more")
    page.click("#settings summary")
    page.locator("#settings label", has_text="Replay what happened").locator("input").uncheck()
    page.goto("about:blank")
    while "red" not in table.game.to_move or table.game.question("red").kind == "selecting":
        (seat, *_) = table.game.to_move
        table.act(seat, table.number_for((seat,)), table.game.legal_actions(seat)[0].to_json())
    open_table(page, site.link(table, keys.seats["red"]))
    page.click("#tab-more")
    page.click("#settings summary")
    replayed, single = (page.locator("#settings label", has_text=words).locator("input") for words in ("Replay", "No click"))
    assert (replayed.is_checked(), single.is_checked()) == (False, True)
    page.wait_for_selector("#replay:enabled")
    assert page.locator("#past").is_hidden(), "it was to be shown by a click only"
    page.click("#replay")
    page.wait_for_selector("#past:not([hidden])")


def test_a_server_that_is_killed_under_an_open_page_comes_back_with_all_that_was_confirmed(page: Any, tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite"
    with served(file) as server:
        begun = _asked(page, server, "", {"ruleset": "bridgehead", "seed": 7})
        game, key = begun["game"], begun["keys"]["blue"]
        open_table(page, f"http://127.0.0.1:{server.port}/play#game={game}&key={key}")
        for _ in range(2):  # two chits, and nobody else acts meanwhile
            _choose(page)
        before = _asked(page, server, f"/{game}/view?seat=blue", key=key)
        page.wait_for_function("(log) => document.querySelectorAll('#log li:not(.h)').length === log", arg=len(before["log"]))
        server.kill()
        page.wait_for_selector("#say:has-text('The server does not answer')")
        page.locator(CHOICES).first.click()  # nobody hears it
        page.wait_for_selector("#say:has-text('The server does not answer')")
    with served(file, "--port", str(server.port)) as server:
        page.wait_for_selector("#say:empty", state="attached")
        after = _asked(page, server, f"/{game}/view?seat=blue", key=key)
        assert {name: it for name, it in after.items() if name != "faces"} == {
            name: it for name, it in before.items() if name != "faces"
        }
        _choose(page)
        assert _asked(page, server, f"/{game}/view?seat=blue", key=key)["number"] > after["number"]


def _asked(page: Any, server: Served, path: str, body: Any = None, key: str = "") -> Any:
    """An answer of the server to somebody else than the page."""
    url, headers = f"http://127.0.0.1:{server.port}/api/games{path}", {"Authorization": f"Bearer {key or server.key}"}
    answer = page.request.get(url, headers=headers) if body is None else page.request.post(url, headers=headers, data=body)
    assert answer.ok, answer.text()
    return answer.json()


def _choose(page: Any) -> None:
    """Take the first choice that is there, and wait until the page shows that it was done."""
    before, asked = page.inner_html("#log"), page.inner_text("#prompt")
    page.locator(CHOICES).first.click()
    wait_for(lambda: (page.inner_html("#log"), page.inner_text("#prompt")) != (before, asked), "the page shows what was done")
