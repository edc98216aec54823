"""Boards that are no hexes, in a real browser: pieces are picked, sent somewhere by clicks on the map, and drawn there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hexwar.plugins import use_plugins
from hexwar.web import Table
from tests.facade.toys import toys
from tests.web.browsing import Site, middle, open_table, spot, wait_for

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(autouse=True)
def games(tmp_path: Path) -> Iterator[None]:
    use_plugins(toys(tmp_path))
    yield
    use_plugins(None)


def stands(page: Any, unit: str, at: tuple[float, float]) -> None:
    """The middle of a counter is where it should be."""
    box = page.locator(f".piece[data-piece='{unit}']").bounding_box()
    assert abs(box["x"] + box["width"] / 2 - at[0]) < 3, (unit, box, at)
    assert abs(box["y"] + box["height"] / 2 - at[1]) < 3, (unit, box, at)


def moved(page: Any, table: Table, unit: str, place: str) -> None:
    wait_for(lambda: table.game.picture.pieces and table.number > 0, "the server has done it")
    page.wait_for_selector(f".piece[data-piece='{unit}'][data-place='{place}']")


def test_a_game_on_areas_is_played_on_the_map(site: Site, page: Any) -> None:
    table, keys = site.tables.begin("islands", seed=1)
    open_table(page, site.link(table, keys.seats["east"]))
    for unit, place in table.game.state.locations.items():
        stands(page, unit, middle(page, place))
    page.locator(".piece[data-piece='e1']").click()
    page.wait_for_function("() => document.querySelectorAll('.world .reach').length === 2")  # elm and heron
    page.wait_for_function(
        "() => [...document.querySelectorAll('.world text')].filter((it) => it.textContent === '1').length >= 2"
    )
    x, y = middle(page, "elm")
    page.mouse.click(x + 20, y - 20)  # anywhere in the area
    moved(page, table, "e1", "elm")
    stands(page, "e1", (x, y))
    assert table.game.state.control["elm"] == "east"
    page.wait_for_selector("#prompt:has-text('Waiting for west')")
    drawn = page.locator(".world svg").nth(1).locator("path").evaluate_all("paths => paths.map((it) => it.getAttribute('d'))")
    assert "".join(drawn).count("M") == len(table.game.state.control)  # the flags of a side are one path
    page.locator("#log .moment").first.click()
    page.wait_for_selector(".piece[data-piece='e1'][data-place='fox']")
    page.keyboard.press("Escape")
    if folder := os.environ.get("HEXWAR_SHOTS"):
        page.screenshot(path=f"{folder}/islands.png")


def test_a_game_on_a_plane_is_played_on_the_map(site: Site, page: Any) -> None:
    table, keys = site.tables.begin("skirmish", seed=1)
    open_table(page, site.link(table, keys.seats["blue"]))
    for unit, place in table.game.state.locations.items():
        stands(page, unit, spot(page, *place))
    assert page.locator("#boxes details").count() == 0, "everything lies on the table"
    page.locator(".piece[data-piece='blue-1']").click()
    listed = len(list(table.game.question("blue").group("blue-1")))
    page.wait_for_function(f"() => document.querySelectorAll('.world .reach').length === {listed}")
    assert page.locator("#choices .list button").count() == listed
    page.mouse.click(*spot(page, 1000, 700))
    page.wait_for_selector("#say:has-text('2: a car drives at most 200 mm')")
    page.mouse.click(*spot(page, 180, 160))  # no point that is listed; the car is still chosen
    wait_for(lambda: table.number == 1, "the car has gone")
    x, y = table.game.state.locations["blue-1"]
    assert abs(x - 180) < 8
    assert abs(y - 160) < 8
    moved(page, table, "blue-1", f"{x},{y}")
    stands(page, "blue-1", spot(page, x, y))
    page.locator(".piece[data-piece='blue-2']").click()
    mark = page.locator(".world .reach").first
    mark.wait_for()
    box = mark.bounding_box()
    goals = [action.to_json()["to"] for action in table.game.question("blue").group("blue-2")]
    page.mouse.click(box["x"] + box["width"] / 2 + 4, box["y"] + box["height"] / 2)  # a point that is listed, nearly
    wait_for(lambda: table.number == 2, "the other car has gone")
    assert list(table.game.state.locations["blue-2"]) in goals
    if folder := os.environ.get("HEXWAR_SHOTS"):
        page.screenshot(path=f"{folder}/plane.png")
