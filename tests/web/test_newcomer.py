"""Somebody who has never played: from the front page through the guided first turn, by clicks alone."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest

from tests.web.browsing import HOST_KEY, Site, opened, wait_for

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore")]
MOST_CLICKS = 1500


@pytest.fixture
def newcomer(browser: Any) -> Iterator[Any]:
    yield from opened(browser, 1440, 900, newcomer=True)


def test_a_newcomer_is_led_through_a_first_turn_and_can_then_play_on(site: Site, newcomer: Any) -> None:
    page, steps = newcomer, list[str]()
    page.goto(f"{site.address}/#key={HOST_KEY}")
    page.wait_for_selector(".battle img")
    assert page.locator(".battle").count() >= 20
    page.click("#now")
    page.wait_for_selector("#guided")
    (table,) = site.tables.opened("")
    assert sorted(table.seating.bots) == ["red"]
    assert "crossing" in page.inner_text("#over").lower()
    page.click("#guided")
    page.wait_for_selector(".lesson")
    lessons = len(table.game.ruleset.info.guide("crossing").lesson)
    for _ in range(MOST_CLICKS):
        told = page.locator(".lesson p")
        if told.count() and told.first.inner_text() not in steps[-1:]:
            steps.append(told.first.inner_text())
        if page.locator(".lesson .btn.primary:has-text('Go on')").count():
            break
        with contextlib.suppress(Exception):  # the page was drawn anew under the pointer
            click_on(page)
        page.wait_for_timeout(50)
    assert len(steps) > lessons // 2, "a step that does not fit what the cup brought is left out"
    assert steps[-1].startswith("That was the guided first turn")
    page.click(".lesson .btn.primary")
    wait_for(lambda: not page.locator(".lesson").count(), "the lesson is over")
    assert table.over is None
    assert table.number > lessons
    page.click("#home")
    page.wait_for_selector("#games a:has-text('crossing')")


def click_on(page: Any) -> None:
    """What somebody does who follows the lesson: its button if it has one, or else the first thing that is offered."""
    for where in (".lesson .btn.primary", "#past:not([hidden]) #now", "#choices .list button", "#plain button:not(:disabled)"):
        if page.locator(where).count():
            page.locator(where).first.click(timeout=2000)
            return
