"""How fast the page is: `python -m tests.web.frames [RULESET SCENARIO ACTIONS]...`.

It prints for each position what goes over the wire, when something is painted and the map can be used, how many frames a second
the map has while it is dragged, and how long a player waits: until the reach of a unit is lit after a click, with the questions
to the server and without (the second click on a unit asks nothing, so that is drawing alone), and until the map shows a move.
Of the same game as one page that replays it: its size, when it can be used, and how long a jump to any moment takes. The
browser draws in software.
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from hexwar.bots import KeyedChance, load_bot
from hexwar.web import Table, replay_page
from hexwar.web._keys import Keys
from tests.web.browsing import Site, chromium, open_table

POSITIONS = (("ava", "smolensk", 300), ("ava", "campaign", 700))
TIMES = 3
UNITS = 5
SEEKS = 20
USABLE = """new MutationObserver((_, watching) => {
    if (!document.querySelector(".world.drawn .piece")) return;
    window.usable = performance.now();
    watching.disconnect();
}).observe(document, { childList: true, subtree: true, attributes: true });"""
"""When pieces are painted the map can be used."""
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
UNTIL = """
    const painted = () => new Promise((then) => requestAnimationFrame(() => setTimeout(then)));
    const click = (element) => {
        const box = element.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2;
        for (const kind of ["pointerdown", "pointerup"])
            element.dispatchEvent(new PointerEvent(kind, { bubbles: true, pointerId: 9, clientX: x, clientY: y }));
    };
    const until = (condition) => new Promise((then, fail) => {
        const watching = new MutationObserver(() => condition() && (watching.disconnect(), then()));
        watching.observe(document.body, { childList: true, subtree: true, attributes: true });
        setTimeout(() => fail(new Error("waited in vain")), 30000);
    });"""
LIT = f"""async (piece) => {{{UNTIL}
    const reach = () => document.querySelectorAll(".world .reach").length, lit = until(reach), begun = performance.now();
    click(document.querySelector(`.piece[data-piece="${{piece}}"]`));
    await lit;
    await painted();
    return [performance.now() - begun, reach()];
}}"""
"""From a click on a unit until its reach is painted, and how many hexes that are."""
MOVED = f"""async (piece) => {{{UNTIL}
    const element = document.querySelector(`.piece[data-piece="${{piece}}"]`), before = element.dataset.place;
    const goals = document.querySelectorAll("#choices .list button"), begun = performance.now();
    const moved = until(() => element.dataset.place !== before);
    goals[Math.floor(goals.length / 2)].click();
    await moved;
    await painted();
    return performance.now() - begun;
}}"""
"""From a click on a goal until the unit is painted there."""
SEEK = f"""async (moment) => {{{UNTIL}
    const scrubber = document.getElementById("moment"), begun = performance.now();
    scrubber.value = moment;
    scrubber.dispatchEvent(new Event("input"));
    await painted();
    return performance.now() - begun;
}}"""


def position(site: Site, ruleset: str, scenario: str, actions: int) -> tuple[Table, Keys]:
    """A table at which units are to be moved, after some actions."""
    table, keys = site.tables.begin(ruleset, scenario, seed=3)
    chance, bot = KeyedChance("1"), load_bot("ava-commander" if ruleset == "ava" else "random")
    while table.number < actions or table.game.question(table.game.to_move[0]).asks != "move":
        (seat, *_) = table.game.to_move
        table.act(seat, table.number_for((seat,)), bot.choose(table.game.view(seat), chance).to_json())
    return table, keys


def measure(browser: Any, site: Site, table: Table, keys: Keys) -> dict[str, str]:
    """Figures of one position."""
    (seat, *_) = table.game.to_move
    sizes: dict[str, int] = {}
    taken: dict[str, list[float]] = {name: [] for name in ("paint", "ready", "frames", "lit", "drawn", "moved")}
    hexes = 0
    for _ in range(TIMES):
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        context.add_init_script(USABLE)
        page = context.new_page()
        open_table(page, site.link(table, keys.seats[seat]))
        page.wait_for_timeout(1000)
        taken["ready"].append(page.evaluate("window.usable"))
        taken["paint"].append(page.evaluate(PAINTED))
        taken["frames"].append(page.evaluate(PAN))
        sizes.update(page.evaluate(SIZES))
        for piece in [one.get_attribute("data-piece") for one in page.locator(".piece.open").all()][:UNITS]:
            for name in ("lit", "drawn"):
                page.keyboard.press("Escape")
                page.wait_for_timeout(200)
                took, lit = page.evaluate(LIT, piece)
                taken[name].append(took)
                hexes = max(hexes, lit)
            if lit > 1:
                taken["moved"].append(page.evaluate(MOVED, piece))
                number = table.number
                page.keyboard.press("u")
                while table.number == number:
                    page.wait_for_timeout(20)
                page.wait_for_timeout(200)
        context.close()
    largest = max(sizes, key=sizes.__getitem__)
    return {
        "pieces": str(len(table.game.picture.pieces)),
        "kB in all": f"{sum(sizes.values()) / 1000:.0f}",
        "largest answer": f"{largest} {sizes[largest] / 1000:.0f} kB",
        "first paint": f"{median(taken['paint']):.0f} ms",
        "map ready": f"{median(taken['ready']):.0f} ms",
        "frames a second": f"{median(taken['frames']):.0f}",
        "click to lit reach": _spread(taken["lit"]),
        f"of that drawing (at most {hexes} hexes)": _spread(taken["drawn"]),
        "click to repainted map after a move": _spread(taken["moved"]),
    }


def measure_replay(browser: Any, folder: Path, table: Table) -> dict[str, str]:
    """Figures of the page that replays a game."""
    file, chance = folder / "game.html", random.Random(1)
    file.write_text(replay_page(table.game), encoding="utf-8")
    ready, seeks = [], []
    for _ in range(TIMES):
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        context.add_init_script(USABLE)
        page = context.new_page()
        page.goto(file.as_uri())
        page.wait_for_selector(".piece")
        page.wait_for_timeout(1000)
        ready.append(page.evaluate("window.usable"))
        last = int(page.get_attribute("#moment", "max"))
        seeks += [page.evaluate(SEEK, chance.randrange(last + 1)) for _ in range(SEEKS)]
        context.close()
    return {
        "actions": str(len(table.game.history)),
        "kB": f"{file.stat().st_size / 1000:.0f}",
        "ready": f"{median(ready):.0f} ms",
        "seek": _spread(seeks),
    }


def _spread(taken: list[float]) -> str:
    return f"{median(taken):.0f} ms (at most {max(taken):.0f})" if taken else "nothing to measure"


def main() -> None:
    """Print a table."""
    from playwright.sync_api import sync_playwright

    given = sys.argv[1:]
    positions = [(given[n], given[n + 1], int(given[n + 2])) for n in range(0, len(given), 3)] or POSITIONS
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        site = Site(folder / "games.sqlite")
        for wanted in positions:
            table, keys = position(site, *wanted)
            print(wanted, measure(browser, site, table, keys), flush=True)
            print("  as one page", measure_replay(browser, folder, table), flush=True)
        browser.close()
        site.stop()


if __name__ == "__main__":
    main()
