"""How fast the page is: `python -m tests.web.frames [RULESET SCENARIO ACTIONS]...`.

It prints, for each position, bytes on the wire, first paint, when the map can be used, frames a second while it is dragged, and
how long the reach of a unit takes to show: a click, two questions to the server, a painted frame. The browser draws in software.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from hexwar.bots import KeyedChance, load_bot
from tests.web.browsing import Site, chromium, open_table

POSITIONS = (("ava", "smolensk", 300), ("ava", "campaign", 700))
PAN = """async () => {
    const map = document.getElementById("map"), box = map.getBoundingClientRect(), at = [box.left + 300, box.top + 300];
    const point = (kind, n) => map.dispatchEvent(new PointerEvent(kind, {
        bubbles: true, pointerId: 7, clientX: at[0] + 120 * Math.sin(n / 10), clientY: at[1] + 80 * Math.cos(n / 10) }));
    const frame = () => new Promise(requestAnimationFrame);
    point("pointerdown", 0);
    const begun = performance.now();
    for (let n = 0; n < 90; n++) { point("pointermove", n); await frame(); }
    const took = performance.now() - begun;
    dispatchEvent(new PointerEvent("pointercancel", { pointerId: 7 }));
    return 90000 / took;
}"""
PAINTED = """() => performance.getEntriesByType("paint").find((it) => it.name === "first-contentful-paint").startTime"""
SIZES = """() => Object.fromEntries(performance.getEntriesByType("resource").filter((it) => it.name.startsWith("http")).map(
    (it) => [new URL(it.name).pathname.split("/").pop(), it.encodedBodySize]))"""
READY = """() => performance.now()"""
CLICK = """async (piece) => {
    const element = document.querySelector(`.piece[data-piece="${piece}"]`), box = element.getBoundingClientRect();
    const frame = () => new Promise(requestAnimationFrame), marks = document.querySelectorAll(".world svg")[2];
    const before = marks.innerHTML, begun = performance.now();
    const event = { bubbles: true, pointerId: 9, clientX: box.left + 4, clientY: box.top + 4 };
    element.dispatchEvent(new PointerEvent("pointerdown", event));
    element.dispatchEvent(new PointerEvent("pointerup", event));
    while (marks.innerHTML === before && performance.now() < begun + 5000) await frame();
    await frame();
    return performance.now() - begun;
}"""


def measure(browser: Any, site: Site, ruleset: str, scenario: str, actions: int) -> dict[str, str]:
    """Figures of one position."""
    table, keys = site.tables.begin(ruleset, scenario, seed=3)
    chance, bot = KeyedChance("1"), load_bot("ava-commander" if ruleset == "ava" else "random")
    while table.number < actions or table.game.question(table.game.to_move[0]).asks != "move":
        (seat, *_) = table.game.to_move
        table.act(seat, table.number_for((seat,)), bot.choose(table.game.view(seat), chance).to_json())
    (seat, *_) = table.game.to_move
    sizes: dict[str, int] = {}
    painted, ready, frames, clicks = [], [], [], []
    for _ in range(3):
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        page = context.new_page()
        open_table(page, site.link(table, keys[seat]))
        ready.append(page.evaluate(READY))
        painted.append(page.evaluate(PAINTED))
        frames.append(page.evaluate(PAN))
        for piece in [one.get_attribute("data-piece") for one in page.locator(".piece.open").all()][:5]:
            clicks.append(page.evaluate(CLICK, piece))
        sizes.update(page.evaluate(SIZES))
        context.close()
    largest = max(sizes, key=sizes.__getitem__)
    return {
        "pieces": str(len(table.game.picture.pieces)),
        "kB in all": f"{sum(sizes.values()) / 1000:.0f}",
        "largest answer": f"{largest} {sizes[largest] / 1000:.0f} kB",
        "first paint": f"{median(painted):.0f} ms",
        "map ready": f"{median(ready):.0f} ms",
        "frames a second": f"{median(frames):.0f}",
        "click to repainted map": f"{median(clicks):.0f} ms",
    }


def main() -> None:
    """Print a table."""
    from playwright.sync_api import sync_playwright

    given = sys.argv[1:]
    positions = [(given[n], given[n + 1], int(given[n + 2])) for n in range(0, len(given), 3)] or POSITIONS
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        site = Site(Path(folder) / "games.sqlite")
        for position in positions:
            print(position, measure(browser, site, *position), flush=True)
        browser.close()
        site.stop()


if __name__ == "__main__":
    main()
