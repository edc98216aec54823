"""The files of the pages: read once, packed once, and cached by browsers under an address that changes when any of them does."""

from __future__ import annotations

import gzip
import hashlib
import re
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

PAGES = {"/": "front.html", "/play": "play.html", "/text": "text.html"}
TYPES = {"html": "text/html", "js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}
SMALL = 800
"""Files with fewer bytes are sent as they are."""
FOR_EVER = "public, max-age=31536000, immutable"
_IMPORTED = re.compile(r'^import .*?"(\.[^"]+)";$', re.MULTILINE)
_MAIN = re.compile(r'<script type="module" src="/page/([^"]+)"')


class _File(NamedTuple):
    """A file as it goes over the wire."""

    text: bytes
    packed: bytes
    kind: str


def page_texts() -> dict[str, str]:
    """The text of each file of the pages, by its path."""
    return dict(_texts(resources.files("hexwar.web") / "page", ""))


def _texts(folder: Traversable, prefix: str) -> list[tuple[str, str]]:
    found = []
    for file in sorted(folder.iterdir(), key=lambda it: it.name):
        if file.is_dir():
            found += _texts(file, f"{prefix}{file.name}/")
        elif file.name.rpartition(".")[2] in TYPES:
            found.append((prefix + file.name, file.read_text(encoding="utf-8")))
    return found


@cache
def _files() -> tuple[str, dict[str, _File]]:
    """The digest of all files, and the files; pages name it in the addresses of what they load."""
    texts = page_texts()
    digest = hashlib.sha256("\0".join(f"{name}\0{text}" for name, text in texts.items()).encode()).hexdigest()[:12]
    made = {}
    for name, text in texts.items():
        kind = name.rpartition(".")[2]
        data = (_dated(text, texts, digest) if kind == "html" else text).encode()
        made[name] = _File(data, gzip.compress(data, mtime=0) if len(data) >= SMALL else b"", TYPES[kind])
    return digest, made


def _dated(html: str, texts: dict[str, str], digest: str) -> str:
    """A page with addresses that may be cached, which loads all its scripts at once and not one after the other."""
    main = _MAIN.search(html)
    links = [f'<link rel="modulepreload" href="/page/{name}">' for name in needed(main[1], texts)] if main else []
    return html.replace("<!--modules-->", "\n    ".join(links)).replace('"/page/', f'"/page/{digest}/')


def needed(script: str, texts: dict[str, str]) -> list[str]:
    """A script and all that it imports, each after those that it needs itself."""
    found: list[str] = []

    def add(name: str) -> None:
        folder = name.rpartition("/")[0].split("/") if "/" in name else []
        for imported in _IMPORTED.findall(texts[name]):
            parts = list(folder)
            for part in imported.split("/"):
                if part == "..":
                    parts.pop()
                elif part != ".":
                    parts.append(part)
            if "/".join(parts) not in found:
                add("/".join(parts))
        if name not in found:
            found.append(name)

    add(script)
    return found


async def page_file(request: Request) -> Response:
    """A page, or a file that it loads."""
    digest, known = _files()
    asked = PAGES.get(request.url.path) or str(request.path_params["file"])
    name = asked.removeprefix(f"{digest}/")
    if name not in known:
        raise HTTPException(404)
    file = known[name]
    headers = {"Cache-Control": FOR_EVER} if name != asked else {}
    if file.packed:
        headers["Vary"] = "Accept-Encoding"
    if file.packed and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(file.packed, 200, {**headers, "Content-Encoding": "gzip"}, file.kind)
    return Response(file.text, 200, headers, file.kind)
