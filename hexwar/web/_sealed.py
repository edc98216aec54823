"""What every answer has in common: headers that keep a browser from loading anything from elsewhere, and a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
"""Of every answer: nothing from elsewhere, no inline script, and no link with a key in a referrer."""
CACHED = "Cache-Control"
"""The one header that an answer may have otherwise: what never changes may be kept."""
NOT_HERE = {404: "there is no such page", 405: "this address does not take requests of this kind"}
UNKNOWN_NAME = "this server is not asked under this name: whoever starts it allows further names with --name"
BROKEN = "something is wrong with the server or the rules; its log says what"


_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^\s:@/\[\]]+)(:[0-9]+)?")
"""What the header Host has: a name or an address, and perhaps a port."""


class Named:
    """Answers only what is asked under a name of the server: a page elsewhere may point a name of its own here.

    Args:
        app: the rest of the application.
        names: of the server; "*.example.org" for all that end so, "*" for any.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str]) -> None:
        self._app = app
        self._names = {name.lower() for name in names}
        self._endings = tuple(name[1:] for name in self._names if name.startswith("*."))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "http" and not self._knows(Headers(scope=scope).get("host", "").lower()):
            await JSONResponse({"error": UNKNOWN_NAME}, 400)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _knows(self, host: str) -> bool:
        found = _HOST.fullmatch(host)
        return found is not None and (found[1] in self._names or "*" in self._names or found[1].endswith(self._endings))


class Sealed(Starlette):
    """An application that puts the headers on all its answers, whoever of its parts makes them.

    The middleware of an application does not see the answers of what lies around it: the one to an uncaught error.
    """

    def __init__(self, **arguments: Any) -> None:
        super().__init__(exception_handlers={HTTPException: _refused, Exception: _broken}, **arguments)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""

        async def sealed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=list(message.get("headers", ())))
                headers.update({name: value for name, value in HEADERS.items() if name != CACHED or name not in headers})
                message = {**message, "headers": headers.raw}
            await send(message)

        await super().__call__(scope, receive, sealed)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": NOT_HERE.get(error.status_code, error.detail)}, error.status_code, error.headers)


async def _broken(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": BROKEN}, 500)
