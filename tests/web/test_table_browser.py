"""A table in a real browser: a training turn of Blitzkrieg Commander by mouse alone, and by keyboard alone."""

from __future__ import annotations

import os
from typing import Any

import pytest

from hexwar_bkc.state import Moved, TurnEnded
from tests.web.browsing import Site, open_table, spot, wait_for

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore")]


def shot(page: Any, name: str) -> None:
    if folder := os.environ.get("HEXWAR_SHOTS"):
        page.screenshot(path=f"{folder}/{name}.png")


def test_a_turn_is_played_by_mouse_alone(site: Site, page: Any) -> None:
    table, keys = site.tables.begin("bkc", "training", seed=3, bots={"germany": "random"})
    open_table(page, site.link(table, keys.seats["poland"]))
    page.locator(".piece[data-piece='p2']").click()
    page.wait_for_selector(".held-region")
    # a drag beyond what is possible: the ghost stops where the unit does, and the rest of the ruler is red
    start, end = spot(page, *table.game.state.spots["p2"]), spot(page, 4500, 2400)
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0], start[1] - 40, steps=3)
    page.mouse.move(*end, steps=6)
    page.wait_for_selector(".held-ghost")
    wait_for(lambda: "cm is further than 10 cm" in page.inner_text(".held-words"), "the refusal is told while the piece is held")
    assert "10.0 cm north" in page.inner_text(".held-words")
    assert "in cover (hit.2)" in page.inner_text(".held-words")
    page.mouse.wheel(0, 100)
    wait_for(lambda: table.number == 0, "nothing has been done yet")
    shot(page, "table-drag")
    page.mouse.up()
    page.wait_for_selector(".held-region", state="detached")
    assert table.game.state.spots["p2"][1] < 3400, "the unit has gone as far as it can"
    # a way of two legs: a corner with Shift, then the goal
    page.locator(".piece[data-piece='p4']").click()
    page.wait_for_selector(".held-region")
    page.keyboard.down("Shift")
    page.mouse.click(*spot(page, 5700, 4000))
    page.keyboard.up("Shift")
    page.mouse.click(*spot(page, 5700, 3300))
    page.wait_for_selector(".held-region", state="detached")
    assert any(isinstance(event, Moved) and len(event.path) == 3 for event in table.game.events), "a way with a corner"
    shot(page, "table-corner")
    page.locator("#primary").click()
    page.locator("#primary:has-text('Really?')").click()  # two units could still act
    wait_for(lambda: any(isinstance(event, TurnEnded) for event in table.game.events), "the turn is over")


def test_a_turn_is_played_by_keyboard_alone(site: Site, page: Any) -> None:
    table, keys = site.tables.begin("bkc", "training", seed=3, bots={"germany": "random"})
    open_table(page, site.link(table, keys.seats["poland"]))
    before = dict(table.game.state.spots)
    for number in range(2):
        page.keyboard.press("n")
        page.wait_for_selector(".held-region")
        for _ in range(4):
            page.keyboard.press("ArrowUp")
        page.keyboard.press("Shift+ArrowLeft")
        page.keyboard.press("]")
        wait_for(lambda: "4.0 cm north" in page.inner_text(".held-words"), "the ghost is told of in words")
        if not number:
            page.keyboard.press("d")
            shot(page, "table-keys")
        page.keyboard.press("Enter")
        page.wait_for_selector(".held-region", state="detached")  # the page shows what came of it
        assert table.number == number + 1
    went = [unit for unit, at in table.game.state.spots.items() if at != before[unit]]
    assert len(went) == 2
    for unit in went:
        x, y = before[unit]
        assert table.game.state.spots[unit] == (x - 10, y - 400)
        assert table.game.state.headings[unit] == 359 + 15 - 360
    page.keyboard.press("n")
    page.wait_for_selector(".held-region")
    page.keyboard.press("v")
    page.wait_for_selector(".held-ray")
    assert "does not see it: " in page.inner_text(".held-words")
    shot(page, "table-sight")
    page.keyboard.press("Escape")
    page.keyboard.press("e")
    page.wait_for_selector("#primary:has-text('Really?')")
    page.keyboard.press("e")
    wait_for(lambda: any(isinstance(event, TurnEnded) for event in table.game.events), "the turn is over")
