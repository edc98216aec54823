"""What every answer has in common: headers that keep a browser from loading anything of somebody else, and a sentence."""

from __future__ import annotations

from typing import Any

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Message, Receive, Scope, Send

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
"""Of every answer: nothing from elsewhere, no inline script, and no link with a key in a referrer."""
NOT_HERE = {404: "there is no such page", 405: "this address does not take requests of this kind"}
BROKEN = "something is wrong with the server or the rules; its log says what"


class Sealed(Starlette):
    """An application that puts the headers on all its answers, whoever of its parts makes them.

    The middleware of an application does not see the answers of what lies around it: the one to an error that nobody caught.
    """

    def __init__(self, **arguments: Any) -> None:
        super().__init__(exception_handlers={HTTPException: _refused, Exception: _broken}, **arguments)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""

        async def sealed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=list(message.get("headers", ())))
                headers.update(HEADERS)
                message = {**message, "headers": headers.raw}
            await send(message)

        await super().__call__(scope, receive, sealed)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": NOT_HERE.get(error.status_code, error.detail)}, error.status_code, error.headers)


async def _broken(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": BROKEN}, 500)
