"""A new user's walk through the built site in a real browser, from the file system, with no network at all.

By hand: `python -m tests.docs.walk FOLDER` builds the site, walks, and writes the pictures of the walk into the folder.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "site"
DOORS = {
    "Play": ["A Victory Awaits", "In the browser", "at the terminal", "The rules"],
    "Use as a library": ["Staged decisions", "views", "saving", "undo", "events", "drawing", "file formats", "every public name"],
    "Study": ["Studies", "Learning"],
    "Write a ruleset": ["Your first ruleset in 30 minutes", "on areas", "on a plane", "plugins, hooks and parts"],
    "Test rules": ["Overview", "a bug found in five minutes", "all checks"],
    "Explain": ["Glossary", "Architecture"],
}
"""Reader -> the links behind his door that are walked through."""
DEEPER = [
    ("rules/index.html", "A Victory Awaits", "9.2.10"),
    ("events.html", "8.6", "8.6"),
    ("reference/index.html", "hexwar.engine", "hexwar.engine.Game.apply"),
    ("undo.html", "Game.undo", "hexwar.engine.Game.undo"),
]
"""Page, link in it, and a place in the page behind it."""
SEARCHES = {"undo barriers": "/undo.html", "spectators umpires": "/views.html", "ScriptedDice": "/reference/testing.html"}
"""What is typed -> the page that is found first."""


# -- every link, without a browser ------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """What a page links to, and what can be linked to in it."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.targets: list[str] = []
        self.loads: list[str] = []
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what it names."""
        said = {name: value or "" for name, value in attrs}
        self.ids |= {said[name] for name in ("id", "name") if name in said}
        if tag == "a" and "href" in said:
            self.targets.append(said["href"])
        elif tag in ("img", "script", "link", "iframe", "source") and said.get("rel") not in ("canonical", "next", "prev"):
            self.loads += [said[name] for name in ("src", "href") if name in said]


def pages(site: Path) -> dict[Path, Page]:
    """Every page of the site but the one for pages that are missing, whose links are those of a server's root."""
    return {file: Page(file) for file in sorted(site.rglob("*.html")) if file.name != "404.html"}


def broken(known: dict[Path, Page]) -> Iterator[str]:
    """What leads nowhere, and what would be loaded from elsewhere."""
    for file, page in known.items():
        for target in (*page.targets, *page.loads):
            split = urlsplit(target)
            if split.scheme in ("http", "https") or target.startswith("//"):
                if target in page.loads:
                    yield f"{file.name} loads {target}"
                continue
            if split.scheme:
                continue
            there = (file.parent / unquote(split.path)).resolve() if split.path else file
            if not there.exists():
                yield f"{file.name} links to {target}, which is not there"
            elif split.fragment and there in known and unquote(split.fragment) not in known[there].ids | {"__toc", "__search"}:
                yield f"{file.name} links to {target}, and {there.name} has no such place"


# -- the walk ---------------------------------------------------------------------------------------------------------------


@dataclass
class Walk:
    """A walk with a browser.

    Args:
        browser: Playwright's.
        site: the folder of the built site.
        pictures: where pictures go.
    """

    browser: Any
    site: Path
    pictures: Path
    left: list[str] = field(default_factory=list)
    """Requests that would have left the folder."""
    complaints: list[str] = field(default_factory=list)
    """Errors of pages."""

    def open(self, width: int = 1280, height: int = 900, scheme: str = "light") -> Any:
        """A window without a network."""
        context = self.browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, offline=True)
        context.route(re.compile(r"^(?!file:|data:|blob:|about:)"), self._refuse)
        page = context.new_page()
        page.set_default_timeout(120_000)
        page.on("pageerror", lambda error: self.complaints.append(f"{page.url}: {error}"))
        page.on("console", lambda said: self.complaints.append(f"{page.url}: {said.text}") if said.type == "error" else None)
        return page

    def _refuse(self, route: Any) -> None:
        self.left.append(route.request.url)
        route.abort()

    def go(self, page: Any, name: str) -> None:
        """Open a page of the site."""
        page.goto(f"{self.site.as_uri()}/{name}")

    def shot(self, page: Any, name: str) -> None:
        """Keep a picture of what the reader sees."""
        self.pictures.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=self.pictures / f"{name}.png")

    def check(self, page: Any) -> None:
        """Nothing sticks out to the right, and every picture is there."""
        wide, room, missing = page.evaluate(
            """() => [document.documentElement.scrollWidth, innerWidth,
                [...document.images].filter(it => it.complete && !it.naturalWidth).map(it => it.src)]"""
        )
        if wide > room + 1:
            self.complaints.append(f"{page.url}: {wide} pixels wide in a window of {room}")
        self.complaints += [f"{page.url}: {src} is no picture" for src in missing]

    # -- the parts --

    def doors(self) -> None:
        """From the front page through every door, to what stands behind it."""
        page = self.open()
        self.go(page, "index.html")
        page.locator("img").first.wait_for()
        self.shot(page, "00-front")
        for number, (reader, links) in enumerate(DOORS.items(), 1):
            for step, link in enumerate(links):
                self.go(page, "index.html")
                door = page.locator(".grid.cards > ul > li", has=page.locator("strong", has_text=reader)).first
                door.scroll_into_view_if_needed()
                if not step:
                    self.shot(page, f"{number}-{step}-door")
                door.get_by_role("link", name=link, exact=True).click()
                page.locator("article h1").wait_for()
                self.check(page)
                self.shot(page, f"{number}-{step + 1}-{Path(urlsplit(page.url).path).stem}")
                self._first_code(page, f"{number}-{step + 1}-{Path(urlsplit(page.url).path).stem}-code")

    def _first_code(self, page: Any, name: str) -> None:
        code = page.locator("article pre").first
        if code.count() and code.bounding_box()["y"] > page.viewport_size["height"] * 2 / 3:
            code.scroll_into_view_if_needed()
            self.shot(page, name)

    def rules_and_reference(self) -> None:
        """From a game to one of its clauses, and from the reference to the method that everybody needs."""
        page = self.open()
        for number, (start, link, place) in enumerate(DEEPER):
            self.go(page, start)
            page.locator("article").get_by_role("link", name=link, exact=True).first.click()
            page.locator("article h1").wait_for()
            page.locator(f"[id='{place}']").scroll_into_view_if_needed()
            self.check(page)
            self.shot(page, f"7-deeper-{number}")

    def search(self) -> None:
        """Search works from a folder: words are typed, and Enter opens what is found first."""
        page = self.open()
        for number, (words, wanted) in enumerate(SEARCHES.items()):
            self.go(page, "index.html")
            page.locator(".md-search__button").click()
            page.wait_for_function("document.activeElement.matches(':not(body, button)')")
            page.keyboard.type(words)
            for _ in range(120):  # what is found stands in a closed part of the page: only the reader sees when it comes
                page.wait_for_timeout(400)
                if "index.html" not in page.url:
                    break
                self.shot(page, f"7-search-{number}")
                page.keyboard.press("Enter")
            page.locator("article h1").first.wait_for()
            self.shot(page, f"7-search-{number}-found")
            if wanted not in page.url:
                self.complaints.append(f"the search for {words!r} leads to {page.url}, not to {wanted}")

    def small_and_dark(self) -> None:
        """A telephone, and a dark room."""
        page = self.open(390, 844, "dark")
        for name in ("index.html", "events.html", "formats.html", "reference/engine.html"):
            self.go(page, name)
            page.locator("article h1").wait_for()
            self.check(page)
            self.shot(page, f"8-phone-{Path(name).stem}")

    def everywhere(self) -> None:
        """Every page, once."""
        page = self.open()
        for file in sorted(self.site.rglob("*.html")):
            if file.name != "404.html":
                self.go(page, file.relative_to(self.site).as_posix())
                self.check(page)


def build() -> None:
    """Build the site."""
    subprocess.run([sys.executable, "-m", "tests.docs.generated"], cwd=ROOT, check=True)
    subprocess.run(["zensical", "build", "--strict"], cwd=ROOT, check=True)


if __name__ == "__main__":
    from playwright.sync_api import sync_playwright

    from tests.web.browsing import chromium

    build()
    with sync_playwright() as playwright:
        walk = Walk(playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"]), SITE, Path(sys.argv[1]))
        for part in (walk.doors, walk.rules_and_reference, walk.search, walk.small_and_dark, walk.everywhere):
            part()
    problems = [*broken(pages(SITE)), *walk.left, *walk.complaints]
    print("\n".join(problems) or "nothing is wrong")
    sys.exit(bool(problems))
